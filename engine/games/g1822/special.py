"""What the set-up tables of 1822 say about single places (facts §10, ``special_hexes``)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.board.board import Board, Stop
from engine.titles.title import Title
from engine.titles.trains import TrainKind


@dataclass(frozen=True, slots=True)
class Special:
    """Places with rules of their own.

    Parameters
    ----------
    channel, france
        Hexes of the English Channel and of France (1822 §11.5); empty where the
        map has neither.
    double
        Hexes of which a route may visit both stops (1822 §11.10).
    fork, fork_sides
        Hex and sides of the two tracks of which a company uses only one (1822
        §11.6); empty where the map has none.
    """

    channel: str
    france: str
    double: frozenset[str]
    fork: str
    fork_sides: frozenset[int]


def special_of(title: Title) -> Special:
    """Return the special places of a title."""
    raw = title.setup["special_hexes"]
    fork = raw.get("one_of_two_tracks") or {"hex": "", "edges": ()}
    return Special(
        channel=raw["english_channel"] or "",
        france=raw["france"] or "",
        double=frozenset(raw["double_stop_hexes"]),
        fork=fork["hex"],
        fork_sides=frozenset(fork["edges"]),
    )


def only_stop(board: Board, hex_id: str) -> Stop | None:
    """Return the one stop of the Channel or of France; None where the map has no such hex."""
    return next((stop for stop in board.stops.values() if stop.hex == hex_id), None)


def is_local(kind: TrainKind) -> bool:
    """Tell whether a train is an L or LP (1822 §11.11)."""
    return kind.measure == "slots"


def is_express(kind: TrainKind) -> bool:
    """Tell whether a train is an E (1822 §11.13)."""
    return kind.measure == "unlimited"


def is_ordinary(kind: TrainKind) -> bool:
    """Tell whether a train is limited by a number of stops (1822 §11.8)."""
    return kind.measure == "stops"


def track_class(kind: TrainKind) -> str:
    """Return the class within which trains share no track (1822 §11.9)."""
    return "E" if is_express(kind) else "other"
