"""Boards between the wire and the domain, in both directions."""

from __future__ import annotations

from collections.abc import Sequence

from bradshaw.v1 import board_pb2, game_pb2

from engine.board.faces import EndKind, PathEnd, TrackPath
from engine.board.state import (
    BoardState,
    HexChange,
    HexMarker,
    HexToken,
    StopChange,
    TileLay,
    TokenPlacement,
)
from server.convert.reading import Reading
from server.limits import MOST_HEX_PATHS, MOST_TILES, MOST_TOKENS

TOKEN_KINDS = {
    board_pb2.TOKEN_KIND_UNSPECIFIED: "normal",
    board_pb2.TOKEN_KIND_NORMAL: "normal",
    board_pb2.TOKEN_KIND_DESTINATION: "destination",
    board_pb2.TOKEN_KIND_NEUTRAL: "neutral",
    board_pb2.TOKEN_KIND_BLOCKING: "blocking",
}
KIND_NUMBERS = {name: number for number, name in TOKEN_KINDS.items() if number}
OWNERLESS = frozenset({"neutral", "blocking"})
"""Kinds of tokens that may belong to nobody."""


def board_from(reading: Reading, board: board_pb2.Board, path: str) -> BoardState:
    """Return the board of a message; note the faults of its fields."""
    fits = reading.count(board.tiles, f"{path}.tiles", MOST_TILES)
    fits = reading.count(board.tokens, f"{path}.tokens", MOST_TOKENS) and fits
    return BoardState(
        title=reading.text(board.title, f"{path}.title"),
        phase=reading.text(board.phase, f"{path}.phase"),
        tiles=tuple(
            _tile(reading, tile, f"{path}.tiles[{number}]")
            for number, tile in enumerate(board.tiles if fits else ())
        ),
        tokens=tuple(
            _token(reading, token, f"{path}.tokens[{number}]")
            for number, token in enumerate(board.tokens if fits else ())
        ),
        map=reading.text(board.map, f"{path}.map", required=False),
        options=reading.texts(board.options, f"{path}.options"),
        changes=tuple(
            _change(reading, change, where)
            for change, where in reading.entries(board.changes, f"{path}.changes")
        ),
        markers=tuple(
            HexMarker(
                reading.text(marker.hex, f"{where}.hex"),
                reading.text(marker.marker, f"{where}.marker"),
            )
            for marker, where in reading.entries(board.markers, f"{path}.markers")
        ),
        hex_tokens=tuple(
            HexToken(
                reading.text(token.hex, f"{where}.hex"),
                reading.text(token.corporation, f"{where}.corporation", required=False),
                reading.text(token.kind, f"{where}.kind", required=False),
            )
            for token, where in reading.entries(board.hex_tokens, f"{path}.hex_tokens")
        ),
    )


def _tile(reading: Reading, tile: board_pb2.TileLay, path: str) -> TileLay:
    return TileLay(
        reading.text(tile.hex, f"{path}.hex"),
        reading.text(tile.tile, f"{path}.tile"),
        tile.rotation,
    )


def _token(reading: Reading, token: board_pb2.TokenPlacement, path: str) -> TokenPlacement:
    kind = TOKEN_KINDS.get(token.kind)
    if kind is None:
        reading.fault("ENUM_UNKNOWN", f"{path}.kind", f"there is no token kind {token.kind}")
    owned = kind not in OWNERLESS
    return TokenPlacement(
        reading.text(token.hex, f"{path}.hex"),
        token.city,
        token.slot,
        reading.text(token.corporation, f"{path}.corporation", required=owned),
        kind or "normal",
        token.extra,
    )


def _change(reading: Reading, change: board_pb2.HexChange, path: str) -> HexChange:
    icons, neighbours, paths = None, None, None
    if change.HasField("icons"):
        icons = reading.texts(change.icons.names, f"{path}.icons.names")
    if change.HasField("neighbours"):
        listed = reading.entries(change.neighbours.sides, f"{path}.neighbours.sides")
        neighbours = tuple(
            (each.side, reading.text(each.hex, f"{where}.hex")) for each, where in listed
        )
    if change.HasField("paths"):
        paths = _paths(reading, change.paths.paths, f"{path}.paths.paths")
    label = reading.text(change.label, f"{path}.label", required=False)
    return HexChange(
        hex=reading.text(change.hex, f"{path}.hex"),
        icons=icons,
        label=label if change.HasField("label") else None,
        stops=tuple(
            _stop(reading, stop, where)
            for stop, where in reading.entries(change.stops, f"{path}.stops")
        ),
        neighbours=neighbours,
        paths=paths,
    )


def _paths(
    reading: Reading, paths: Sequence[game_pb2.TrackPath], path: str
) -> tuple[TrackPath, ...] | None:
    if not reading.count(paths, path, MOST_HEX_PATHS):
        return None
    return tuple(
        TrackPath(
            _end(reading, each.a, f"{path}[{number}].a"),
            _end(reading, each.b, f"{path}[{number}].b"),
            reading.text(each.track, f"{path}[{number}].track", required=False) or "broad",
            each.terminal,
            each.ignored_from_stop,
        )
        for number, each in enumerate(paths)
    )


def _end(reading: Reading, end: game_pb2.PathEnd, path: str) -> PathEnd:
    at = end.WhichOneof("at")
    if at is None:
        reading.fault("REQUIRED", path, "an end is at a side, a stop or a junction")
        return PathEnd(EndKind.SIDE, 0)
    kind = EndKind[at.upper()]
    return PathEnd(kind, getattr(end, at), end.lanes or 1, end.lane)


def _stop(reading: Reading, stop: board_pb2.StopChange, path: str) -> StopChange:
    revenue = tuple(
        (
            reading.text(each.phase, f"{where}.phase") if each.HasField("phase") else None,
            reading.amount(each.amount, f"{where}.amount"),
        )
        for each, where in reading.entries(stop.revenue, f"{path}.revenue")
    )
    groups = None
    if stop.HasField("groups"):
        groups = reading.texts(stop.groups.names, f"{path}.groups.names")
    return StopChange(
        stop=stop.stop,
        slots=stop.slots if stop.HasField("slots") else None,
        revenue=revenue or None,
        kind=reading.text(stop.kind, f"{path}.kind", required=False) or None,
        groups=groups,
        visit_cost=stop.visit_cost if stop.HasField("visit_cost") else None,
    )


# --- writing -----------------------------------------------------------------------------


def board_message(board: BoardState) -> board_pb2.Board:
    """Return a board as a message."""
    message = board_pb2.Board(
        title=board.title,
        map=board.map,
        phase=board.phase,
        options=board.options,
        changes=map(_change_message, board.changes),
    )
    for lay in board.tiles:
        message.tiles.add(hex=lay.hex, tile=lay.tile, rotation=lay.rotation)
    for token in board.tokens:
        message.tokens.add(
            hex=token.hex,
            city=token.city,
            slot=token.slot,
            corporation=token.corporation,
            kind=KIND_NUMBERS[token.kind] if token.kind != "normal" else None,
            extra=token.extra,
        )
    for marker in board.markers:
        message.markers.add(hex=marker.hex, marker=marker.marker)
    for lying in board.hex_tokens:
        message.hex_tokens.add(hex=lying.hex, corporation=lying.corporation, kind=lying.kind)
    return message


def _change_message(change: HexChange) -> board_pb2.HexChange:
    message = board_pb2.HexChange(
        hex=change.hex,
        icons=_names(change.icons),
        label=change.label,
        stops=map(_stop_message, change.stops),
    )
    if change.neighbours is not None:
        message.neighbours.SetInParent()
        for side, other in change.neighbours:
            message.neighbours.sides.add(side=side, hex=other)
    if change.paths is not None:
        message.paths.SetInParent()
        message.paths.paths.extend(map(path_message, change.paths))
    return message


def _names(names: tuple[str, ...] | None) -> board_pb2.NameList | None:
    return None if names is None else board_pb2.NameList(names=names)


def _stop_message(change: StopChange) -> board_pb2.StopChange:
    message = board_pb2.StopChange(
        stop=change.stop,
        slots=change.slots,
        kind=change.kind or "",
        groups=_names(change.groups),
        visit_cost=change.visit_cost,
    )
    for phase, amount in change.revenue or ():
        message.revenue.add(phase=phase, amount=amount)
    return message


def path_message(path: TrackPath) -> game_pb2.TrackPath:
    """Return a piece of track as a message."""
    return game_pb2.TrackPath(
        a=_end_message(path.a),
        b=_end_message(path.b),
        track=path.track,
        terminal=path.terminal,
        ignored_from_stop=path.ignored_from_stop,
    )


def _end_message(end: PathEnd) -> game_pb2.PathEnd:
    if end.kind is EndKind.SIDE:
        return game_pb2.PathEnd(side=end.index, lanes=end.lanes, lane=end.lane)
    if end.kind is EndKind.STOP:
        return game_pb2.PathEnd(stop=end.index)
    return game_pb2.PathEnd(junction=end.index)
