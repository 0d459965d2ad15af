"""From states to messages: what a client written in Python sends."""

from __future__ import annotations

from bradshaw.v1 import board_pb2
from google.protobuf.json_format import ParseDict

from engine.board.state import BoardState
from engine.routing.run import CompanyState, TokenRef
from server.convert.requests import TOKEN_KINDS
from server.profiles import ProfileChoice

KIND_NUMBERS = {name: number for number, name in TOKEN_KINDS.items() if number}


def position_message(
    board: BoardState, company: CompanyState, profile: ProfileChoice | None = None
) -> board_pb2.Position:
    """Return a board and a company as a message.

    Parameters
    ----------
    profile
        The reading of the rules; None for the default.
    """
    message = board_pb2.Position(board=board_message(board), company=company_message(company))
    if profile is not None:
        message.rules.name = profile.name
        for name, value in profile.overrides.items():
            ParseDict(value, message.rules.overrides[name])
    return message


def board_message(board: BoardState) -> board_pb2.Board:
    """Return a board as a message."""
    message = board_pb2.Board(title=board.title, map=board.map, phase=board.phase)
    for lay in board.tiles:
        message.tiles.add(hex=lay.hex, tile=lay.tile, rotation=lay.rotation)
    for token in board.tokens:
        message.tokens.add(
            hex=token.hex,
            city=token.city,
            slot=token.slot,
            corporation=token.corporation,
            kind=KIND_NUMBERS[token.kind] if token.kind != "normal" else None,
        )
    return message


def company_message(company: CompanyState) -> board_pb2.Company:
    """Return a company as a message."""
    message = board_pb2.Company(
        corporation=company.corporation,
        kind=company.kind,
        permits=company.permits,
        mail_contracts=company.mail_contracts,
        receivership=company.receivership,
        insolvent=company.insolvent,
        home=city_message(company.home),
        destination=city_message(company.destination),
    )
    for train in company.trains:
        runnable = None if train.runnable else False
        message.trains.add(id=train.id, name=train.name, runnable=runnable)
    for bonus in company.hex_bonuses:
        message.hex_bonuses.add(hex=bonus.hex, amount=bonus.amount)
    return message


def city_message(ref: TokenRef | None) -> board_pb2.CityRef | None:
    """Return a city as a message; None for none."""
    return None if ref is None else board_pb2.CityRef(hex=ref.hex, city=ref.city)
