"""The network of a company: the part of stating a problem that all games share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.board.legs import Leg
from engine.routing.vocabulary import NetLeg


@dataclass(frozen=True)
class Reached:
    """What routes through the tokens of a company can use.

    Parameters
    ----------
    stops
        Ids of stops that can be visited.
    legs
        Numbers of legs, in order.
    """

    stops: frozenset[str]
    legs: tuple[int, ...]


def reach(
    legs: Sequence[tuple[str, str]],
    starts: Collection[str],
    passable: Callable[[str], bool],
) -> Reached:
    """Return the legs that a route through one of `starts` can use, and the stops it can visit.

    From its token a route goes on, to both sides, through stops that can be
    passed; so of each leg one end can be reached and passed.

    Parameters
    ----------
    legs
        The two stops of each leg.
    starts
        Stops from which routes go on in any case.
    passable
        Tells whether a route may run through a stop.
    """
    around: dict[str, list[int]] = {}
    for number, ends in enumerate(legs):
        for stop in ends:
            around.setdefault(stop, []).append(number)
    reached = set(starts)
    waiting = sorted(starts)
    used: set[int] = set()
    while waiting:
        here = waiting.pop()
        if here not in starts and not passable(here):
            continue
        for number in around.get(here, ()):
            used.add(number)
            for stop in legs[number]:
                if stop not in reached:
                    reached.add(stop)
                    waiting.append(stop)
    return Reached(frozenset(reached), tuple(sorted(used)))


def net_leg(
    parts: Sequence[Leg],
    numbers: Mapping[str, int],
    items: Iterable[Hashable],
    hexes: Iterable[str] = (),
    marks: Iterable[str] = (),
) -> NetLeg:
    """Return the leg of a network made of legs of the board, each turned to run onward.

    Parameters
    ----------
    numbers
        Number of each stop by id.
    items
        What it takes from other legs.
    hexes
        Hexes that it touches beside those of its paths.
    marks
        Names of special track.
    """
    return NetLeg(
        a=numbers[parts[0].a],
        b=numbers[parts[-1].b],
        items=frozenset(items),
        end_only_a=parts[0].terminal_a,
        end_only_b=parts[-1].terminal_b,
        length=sum(part.length for part in parts),
        hexes=frozenset(ref.hex for part in parts for ref in part.paths) | frozenset(hexes),
        marks=frozenset(marks),
        parts=tuple(parts),
    )
