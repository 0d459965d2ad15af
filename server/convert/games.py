"""Between whole games and messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bradshaw.v1 import board_pb2, game_service_pb2, play_pb2, route_service_pb2
from google.protobuf.json_format import MessageToDict, SerializeToJsonError
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct

from engine.notation.gamefile import Report
from engine.play.actions import Action, RunRoutes, action_from
from engine.play.game import Play
from engine.play.offers import Offer, Priced
from server.autorun import AutoRun, need_situation, situation_of
from server.convert.answers import solution_message
from server.convert.positions import position_message
from server.convert.reading import Reading
from server.convert.requests import NO_NUMBER, NOWHERE, read_options
from server.convert.tables import state_message
from server.gamebook import DEFAULT_PROFILE, Opened, Source, file_text, snapshot_text
from server.limits import MOST_ENTRY
from server.question import Question, Situation

MOST_TEXT = 4 * 2**20
"""Longest file or snapshot, in characters."""
MOST_ACTIONS = 500
MOST_PAGE = 1000
MOST_OFFERS = 10**9


def source_from(request: Any) -> Source:
    """Return the game of a request.

    Parameters
    ----------
    request
        A message with a field `game`.

    Raises
    ------
    RequestError
        There is none, or its fields do not go together.
    """
    reading = Reading()
    source = _source(reading, request)
    reading.end()
    return source


def _source(reading: Reading, request: Any) -> Source:
    if not request.HasField("game"):
        reading.fault("REQUIRED", "game", "the field is required")
        return Source("", "", None, "")
    record: play_pb2.GameRecord = request.game
    kind = record.WhichOneof("source")
    text = getattr(record, kind) if kind else ""
    if not text:
        reading.fault("REQUIRED", f"game.{kind or 'file'}", "a game has a file or a snapshot")
    elif len(text) > MOST_TEXT:
        message = f"{len(text)} characters; {MOST_TEXT} is the most"
        reading.fault("TEXT_TOO_LONG", f"game.{kind}", message)
    before = record.before if record.HasField("before") else None
    if kind == "snapshot":
        for name, given in (("before", before is not None), ("profile", record.profile)):
            if given:
                message = f"a snapshot settles {name} itself"
                reading.fault("ONLY_WITH_FILE", f"game.{name}", message)
    if before is not None:
        reading.number(before, "game.before", 0, MOST_ENTRY)
    reading.text(record.profile, "game.profile", required=False)
    profile = record.profile or DEFAULT_PROFILE
    return Source(record.file, record.snapshot, before, profile)


def replay_source_from(request: game_service_pb2.ReplayGameRequest) -> Source:
    """Return the game of a request to replay, which is a file.

    Raises
    ------
    RequestError
        It is not, or as :func:`source_from`.
    """
    source = source_from(request)
    if source.snapshot:
        reading = Reading()
        reading.fault("ONLY_WITH_FILE", "game.snapshot", "only a file can be replayed")
        reading.end()
    return source


def actions_from(
    request: game_service_pb2.ApplyActionsRequest,
) -> tuple[Source, tuple[Mapping[str, Any], ...]]:
    """Return the game of a request, and its actions as game files write them.

    Raises
    ------
    RequestError
        There are no actions, or too many, or their numbers are none; or as :func:`source_from`.
    """
    reading = Reading()
    source = _source(reading, request)
    if not request.actions:
        reading.fault("REQUIRED", "actions", "there is at least one action")
    found = []
    if reading.count(request.actions, "actions", MOST_ACTIONS):
        for number, action in enumerate(request.actions):
            try:
                found.append(plain(action))
            except (SerializeToJsonError, ValueError):
                reading.fault("OUT_OF_RANGE", f"actions[{number}]", NO_NUMBER)
    reading.end()
    return source, tuple(found)


def page_from(
    request: game_service_pb2.ListLegalActionsRequest,
) -> tuple[Source, tuple[int, int]]:
    """Return the game of a request, and the first place of a page and its size.

    Raises
    ------
    RequestError
        Size or token of the page is not one; or as :func:`source_from`.
    """
    reading = Reading()
    source = _source(reading, request)
    size = reading.choice(request.page_size, "page_size", MOST_PAGE, MOST_PAGE)
    start = 0
    if request.page_token:
        token = request.page_token
        if token.isascii() and token.isdecimal() and len(token) < 10:
            start = int(token)
        else:
            _unknown_token(reading)
    reading.end()
    return source, (start, size)


def _unknown_token(reading: Reading) -> None:
    reading.fault("PAGE_TOKEN_UNKNOWN", "page_token", "no answer for this game gave this token")


def run_source_from(request: game_service_pb2.RunTrainsRequest) -> Source:
    """Return the game of a request to run trains.

    Raises
    ------
    RequestError
        An option is out of range; or as :func:`source_from`.
    """
    reading = Reading()
    source = _source(reading, request)
    read_options(reading, request.options, NOWHERE)
    reading.end()
    return source


def run_question(request: game_service_pb2.RunTrainsRequest, play: Play) -> Question:
    """Return what a request to run trains asks of the optimizer.

    Raises
    ------
    NothingToRunError
        No company is about to run.
    RequestError
        An option is out of range.
    """
    situation = need_situation(play)
    reading = Reading()
    question = read_options(reading, request.options, situation)
    reading.end()
    return question


def position_of(situation: Situation) -> board_pb2.Position:
    """Return a situation as a message."""
    return position_message(situation.board, situation.company, situation.profile)


def recorded_message(
    play: Play, entry: Mapping[str, Any]
) -> route_service_pb2.ValidateRoutesRequest:
    """Return the run of an entry of a log as a request to judge it.

    Parameters
    ----------
    play
        The game just before the entry.

    Raises
    ------
    NothingToRunError
        No company is about to run.
    """
    situation = need_situation(play)
    action = action_from(entry)
    if not isinstance(action, RunRoutes):
        raise ValueError(f"the entry is no run of trains but {action.TYPE}")
    message = route_service_pb2.ValidateRoutesRequest(position=position_of(situation))
    carriages = {train: name for name, train in play.attached().items()}
    for route in action.routes:
        if route.empty:
            continue
        written = message.routes.add(
            train_id=route.train, stops=route.nodes, attachment=carriages.get(route.train, "")
        )
        for hexes in route.connections:
            written.legs.add(hexes=hexes)
        if route.paid is not None:
            written.paid.stops.extend(route.paid)
    return message


def replay_message(opened: Opened) -> game_service_pb2.ReplayGameResponse:
    """Return what a replay came to."""
    message = game_service_pb2.ReplayGameResponse(
        state=state_message(opened.play),
        action_count=opened.count,
        faults=[_report(report) for report in opened.reports],
    )
    if opened.file is not None:
        message.recorded_scores.update(opened.file.result)
        message.recorded_end_reason = opened.file.end_reason
        if opened.whole and opened.file.result:
            message.scores_equal = opened.play.scores() == dict(opened.file.result)
    return message


def _report(report: Report) -> play_pb2.RecordFault:
    fault = report.fault
    return play_pb2.RecordFault(
        entry=report.entry,
        code=fault.code,
        field=fault.path,
        message=fault.message,
        section=fault.section,
    )


def look_message(opened: Opened) -> game_service_pb2.GetStateResponse:
    """Return state, snapshot and position of a game."""
    play = opened.play
    message = game_service_pb2.GetStateResponse(
        state=state_message(play), snapshot=snapshot_text(play)
    )
    situation = situation_of(play)
    if situation is not None:
        message.position.CopyFrom(position_of(situation))
    return message


def legal_message(
    opened: Opened, start: int, size: int
) -> game_service_pb2.ListLegalActionsResponse:
    """Return a page of what may be done.

    Raises
    ------
    RequestError
        There is no such page.
    """
    offers = opened.play.legal_actions().offers
    if start and start >= len(offers):
        reading = Reading()
        _unknown_token(reading)
        reading.end()
    end = start + size
    return game_service_pb2.ListLegalActionsResponse(
        actions=[_offer(offer) for offer in offers[start:end]],
        next_page_token=str(end) if end < len(offers) else "",
    )


def _offer(offer: Offer) -> play_pb2.LegalAction:
    if not isinstance(offer, Priced):
        return play_pb2.LegalAction(action=struct(offer.to_json()))
    prices = offer.prices
    message = play_pb2.LegalAction(action=struct({**offer.action.to_json(), "price": prices[0]}))
    message.prices.least = prices[0]
    message.prices.most = prices[-1]
    message.prices.step = prices.step
    return message


def applied_message(after: Opened, done: Iterable[Action]) -> game_service_pb2.ApplyActionsResponse:
    """Return a game after some actions."""
    return game_service_pb2.ApplyActionsResponse(
        state=state_message(after.play),
        snapshot=snapshot_text(after.play),
        file=file_text(after) if after.content is not None else "",
        actions=[struct(action.to_json()) for action in done],
    )


def auto_run_message(play: Play, found: AutoRun) -> game_service_pb2.RunTrainsResponse:
    """Return the best run as actions, with what stands behind it."""
    return game_service_pb2.RunTrainsResponse(
        actions=[struct(action.to_json()) for action in found.actions],
        solution=solution_message(found.answer),
        position=position_of(need_situation(play)),
    )


def struct(value: Mapping[str, Any]) -> Struct:
    """Return a JSON object as a message."""
    message = Struct()
    message.update(dict(value))
    return message


def plain(message: Message) -> Any:
    """Return the JSON of a message that is a Struct, whole numbers as such.

    Raises
    ------
    SerializeToJsonError, ValueError
        A number is infinite or none.
    """
    return whole_numbers(MessageToDict(message))


def whole_numbers(value: Any) -> Any:
    """Return JSON with whole numbers where messages have floats without a fraction."""
    if isinstance(value, dict):
        return {key: whole_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [whole_numbers(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
