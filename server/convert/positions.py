"""From states to messages: what a client written in Python sends."""

from __future__ import annotations

from bradshaw.v1 import board_pb2
from google.protobuf.json_format import ParseDict

from engine.board.state import BoardState
from engine.routing.run import CompanyState
from server.convert.boards import board_message
from server.convert.companies import company_message
from server.profiles import ProfileChoice


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
