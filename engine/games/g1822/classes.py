"""Train classes of 1822's routing problem: what each may run and earns (1822 §11.8 to §11.13)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.board.board import Board
from engine.board.faces import EndKind
from engine.games.g1822.company import carriages
from engine.games.g1822.network import Network
from engine.games.g1822.profile import Profile1822
from engine.games.g1822.special import Special, is_express, is_local, is_ordinary, track_class
from engine.routing.run import Position
from engine.routing.vocabulary import AtMostOne, Attachment, Budget, Pay, Reach, TrainClass
from engine.titles.trains import TrainKind


@dataclass(frozen=True, slots=True)
class StatedClass:
    """A train class with what the words need to know of it."""

    cls: TrainClass
    kind: TrainKind


@dataclass(frozen=True, slots=True)
class Classes:
    """All classes of a company, those of its trains first, and its carriages."""

    listed: tuple[StatedClass, ...]
    attachments: tuple[Attachment, ...]


@dataclass(frozen=True, slots=True)
class _Frame:
    """What all classes of a company share."""

    net: Network
    groups: tuple[AtMostOne, ...]
    crossings: tuple[Budget, ...]


def state_classes(
    net: Network,
    position: Position,
    profile: Profile1822,
    special: Special,
    kinds: Mapping[str, TrainKind],
) -> Classes:
    """Return the classes of the trains that may run, and those that a P+ makes of them."""
    crossings = () if profile.junction_twice else tuple(_crossings(net, position.board))
    frame = _Frame(net, tuple(_groups(net, profile, special)), crossings)
    by_reach: dict[tuple[str, int], list[str]] = {}
    kind_of: dict[tuple[str, int], TrainKind] = {}
    for train, kind in kinds.items():
        key = (kind.measure, kind.reach)
        by_reach.setdefault(key, []).append(train)
        kind_of.setdefault(key, kind)
    listed = [
        StatedClass(_train_class(frame, kind_of[key], tuple(trains)), kind_of[key])
        for key, trains in by_reach.items()
    ]
    count = carriages(position.title, position.company)
    turns: dict[int, int] = {}
    if count:
        for number, stated in enumerate(tuple(listed)):
            if is_ordinary(stated.kind):
                turns[number] = len(listed)
                listed.append(StatedClass(_pullman(frame, stated.kind), stated.kind))
    attachments = (Attachment(_carriage(position), count, turns),) if turns else ()
    return Classes(tuple(listed), attachments)


def _carriage(position: Position) -> str:
    trains = position.company.trains
    return next(t.name for t in trains if position.title.trains[t.name].carriage)


def _train_class(frame: _Frame, kind: TrainKind, trains: tuple[str, ...]) -> TrainClass:
    if is_local(kind):
        return _local(frame, kind, trains)
    if is_express(kind):
        return _express(frame, kind, trains)
    limit = Budget(kind.reach, (1,) * len(frame.net.stops))
    return TrainClass(
        name=str(kind.reach),
        trains=trains,
        reach=_ordinary_reach(frame, limit),
        pay=Pay(frame.net.values),
        track=track_class(kind),
    )


def _ordinary_reach(frame: _Frame, limit: Budget) -> Reach:
    everywhere = frozenset(range(len(frame.net.stops)))
    return Reach(
        visits=everywhere,
        through=frame.net.passable,
        ends=everywhere,
        own=frame.net.own,
        budgets=(limit, *frame.crossings),
        groups=frame.groups,
    )


def _pullman(frame: _Frame, kind: TrainKind) -> TrainClass:
    """A train with P+: so many cities, any number of towns (1822 §11.12)."""
    towns = frame.net.of_kind("town")
    limit = Budget(kind.reach, tuple(int(n not in towns) for n in range(len(frame.net.stops))))
    return TrainClass(
        name=f"{kind.reach}+",
        trains=(),
        reach=_ordinary_reach(frame, limit),
        pay=Pay(frame.net.values),
        track=track_class(kind),
    )


def _local(frame: _Frame, kind: TrainKind, trains: tuple[str, ...]) -> TrainClass:
    """One own city with track, alone or with one town; no other local train in that city
    (1822 §11.11)."""
    net = frame.net
    cities = net.own & net.tracked & net.of_kind("city")
    towns = net.of_kind("town")
    everything = range(len(net.stops))
    one_city = Budget(1, tuple(int(n in cities) for n in everything))
    one_town = Budget(1, tuple(int(n in towns) for n in everything))
    return TrainClass(
        name="local",
        trains=trains,
        reach=Reach(
            visits=cities | towns,
            through=frozenset(),
            ends=cities | towns,
            own=cities,
            budgets=(one_city, one_town, *frame.crossings),
            groups=frame.groups,
            fewest=1,
        ),
        pay=Pay(net.values),
        track=track_class(kind),
        claims={city: net.stops[city].id for city in cities},
    )


def _express(frame: _Frame, kind: TrainKind, trains: tuple[str, ...]) -> TrainClass:
    """From own city to own city, which alone pay, twice (1822 §11.13)."""
    net = frame.net
    return TrainClass(
        name=kind.name,
        trains=trains,
        reach=Reach(
            visits=net.passable | net.own,
            through=net.passable,
            ends=net.own,
            own=net.own,
            budgets=frame.crossings,
            groups=frame.groups,
        ),
        pay=Pay(
            tuple(kind.multiplier * v if n in net.own else 0 for n, v in enumerate(net.values))
        ),
        track=track_class(kind),
    )


def _groups(net: Network, profile: Profile1822, special: Special) -> Iterator[AtMostOne]:
    """One London city, and one stop per hex except in double hexes (1822 §11.3 g, §11.10)."""
    by_group: dict[str, set[int]] = {}
    by_hex: dict[str, set[int]] = {}
    for number, stop in enumerate(net.board_stops):
        by_hex.setdefault(stop.hex, set()).add(number)
        for group in stop.groups:
            by_group.setdefault(group, set()).add(number)
    double = {number for hex_id in special.double for number in by_hex.get(hex_id, ())}
    unless = frozenset(double if profile.double_hex_frees_hexes else ())
    for members in by_group.values():
        if len(members) > 1:
            yield AtMostOne(frozenset(members))
    for hex_id, members in by_hex.items():
        grouped = any(members <= group for group in by_group.values())
        if len(members) > 1 and hex_id not in special.double and not grouped:
            yield AtMostOne(frozenset(members), unless)


def _crossings(net: Network, board: Board) -> Iterator[Budget]:
    """Where the reading forbids it, no junction is crossed twice (1822 §11.9, D5)."""
    by_junction: dict[tuple[str, int], set[int]] = {}
    for number, leg in enumerate(net.legs):
        for part in leg.parts:
            for ref in part.paths:
                path = board.path(ref)
                for end in (path.a, path.b):
                    if end.kind is EndKind.JUNCTION:
                        by_junction.setdefault((ref.hex, end.index), set()).add(number)
    for legs in by_junction.values():
        yield Budget(1, (), tuple(int(n in legs) for n in range(len(net.legs))))
