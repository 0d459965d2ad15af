"""What couples the routes of a run, in the words of the vocabulary. The statement's side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.declared import options as o
from engine.declared.net import Net
from engine.declared.reading import Reading
from engine.routing.vocabulary import (
    AtMostRoutes,
    BestBonus,
    Bonus,
    Echo,
    Has,
    Of,
    SomeRoute,
    TrainClass,
    Word,
)
from engine.titles.trains import UNLIMITED, TrainKind


def coupling_words(
    reading: Reading, net: Net, classes: Sequence[TrainClass], faces: Sequence[TrainKind]
) -> tuple[Word, ...]:
    """Return the words of a run.

    Parameters
    ----------
    faces
        What the trains of each class can do.
    """
    return (
        *_longest(reading, net, faces),
        *_pairs(reading, net, faces),
        *_connections(reading, net, faces),
        *_limits(reading, net),
        *_echoes(reading, net),
    )


def constant_of(reading: Reading) -> int:
    """Return £ that the run earns whatever runs (1858 §4.1, 18NY §4.1)."""
    total = 0
    for option in reading.of(o.RunAdd):
        if option.of == "ability_totals":
            abilities = reading.position.company.abilities
            total += sum(each.total for each in abilities if each.kind in option.types)
        else:
            total += sum(_revenues(reading, option))
    return total


def _revenues(reading: Reading, option: o.RunAdd) -> Iterator[int]:
    """What the privates of the company earn in this phase (1858 §4.2)."""
    phases = list(reading.position.title.phases)
    begun = phases[: phases.index(reading.board.state.phase) + 1]
    for name in reading.position.company.privates:
        card = reading.position.title.certificates.get(name)
        if card is None or card.get("kind") in option.not_kind:
            continue
        changed = [
            ability["revenue"]
            for ability in card.get("abilities", ())
            if ability["type"] == "revenue_change" and ability.get("on_phase") in begun
        ]
        yield changed[-1] if changed else card.get("revenue") or 0


def _longest(reading: Reading, net: Net, faces: Sequence[TrainKind]) -> Iterator[Word]:
    """£ for each stop of the route with most of them: the best route earns it (1846 §3.6)."""
    every = frozenset(range(len(net.stops)))
    for option in reading.of(o.Longest):
        amount = reading.amount(option.amount)
        if option.count == "frames":
            bonuses = _frames(net, amount)
            yield BestBonus(dict.fromkeys(range(len(faces)), bonuses))
            continue
        if option.count == "city":
            every = frozenset(n for n, stop in enumerate(net.stops) if stop.kind == "city")
        found: dict[int, tuple[Bonus, ...]] = {}
        for number, train in enumerate(faces):
            most = train.slots[0].pay if train.slots else UNLIMITED
            if option.count == "paying_places" and most < UNLIMITED:
                found[number] = tuple(
                    Bonus((Has(Of.VISITED, every, count),), amount) for count in range(1, most + 1)
                )
            else:
                found[number] = (Bonus((), amount, per=every, of=Of.VISITED),)
        yield BestBonus(found)


def _frames(net: Net, amount: int) -> tuple[Bonus, ...]:
    """One bonus for each frame colour that a route visits (18ChristmasEve §4.2)."""
    places: dict[str, set[int]] = {}
    for number, stop in enumerate(net.stops):
        for frame in net.board.atlas.hexes[stop.hex].raw.get("frame", ()):
            places.setdefault(frame, set()).add(number)
    return tuple(Bonus((Has(Of.VISITED, frozenset(stops)),), amount) for stops in places.values())


def _pairs(reading: Reading, net: Net, faces: Sequence[TrainKind]) -> Iterator[Word]:
    """Once a run for a route with all hexes of an ability (18AL §3.2)."""
    for option in reading.of(o.BestRouteAllHexes):
        for ability in reading.position.company.abilities:
            if ability.kind in option.abilities:
                places = [
                    frozenset(n for n, stop in enumerate(net.stops) if stop.hex == hex_id)
                    for hex_id in ability.hexes
                ]
                if all(places):
                    tests = tuple(Has(Of.VISITED, stops) for stops in places)
                    bonus = (Bonus(tests, ability.amount),)
                    yield BestBonus(dict.fromkeys(range(len(faces)), bonus))


def _connections(reading: Reading, net: Net, faces: Sequence[TrainKind]) -> Iterator[Word]:
    """Each open place once a run (18NY §4.2)."""
    for option in reading.of(o.ConnectionBonus):
        listed = {part.split(":")[0] for place in option.red_places for part in place}
        single = ((hex_id,) for hex_id in net.board.markers if hex_id not in listed)
        for place in (*option.red_places, *single):
            if option.marker not in net.board.markers.get(place[0], frozenset()):
                continue
            stops = frozenset(n for part in place for n in _at(net, part))
            if stops:
                bonus = (Bonus((), option.amount, per=stops),)
                yield BestBonus(dict.fromkeys(range(len(faces)), bonus))


def _at(net: Net, part: str) -> Iterator[int]:
    """Numbers of the stops of a hex, or of the one at an edge of it."""
    hex_id, colon, edge = part.partition(":")
    for number, stop in enumerate(net.stops):
        if stop.hex != hex_id:
            continue
        face = net.board.faces[hex_id]
        ends = {
            end.index
            for path, _ in face.by_stop[stop.index]
            for end in (face.paths[path].a, face.paths[path].b)
            if end.kind == 0
        }
        if not colon or int(edge) in ends:
            yield number


def _limits(reading: Reading, net: Net) -> Iterator[Word]:
    company = reading.position.company
    for least in reading.of(o.RunMinusLeast):
        if any(ability.kind == least.ability_type for ability in company.abilities):
            yield AtMostRoutes(max(0, len(company.trains) - 1))
    for _ in reading.of(o.MustRun):
        if company.goal:
            home = company.home.hex if company.home else ""
            yield SomeRoute(
                tuple(
                    Has(Of.ENDS, frozenset(n for n, s in enumerate(net.stops) if s.hex == hex_id))
                    for hex_id in (home, company.goal)
                )
            )


def _echoes(reading: Reading, net: Net) -> Iterator[Word]:
    """18EU §2.2: what the best stop of the run is worth once more."""
    for option in reading.of(o.Pullman):
        for train in reading.position.company.trains:
            if train.runnable and reading.faces[train.id].name == option.train:
                value = {
                    n: stop.value
                    for n, stop in enumerate(net.stops)
                    if stop.kind in option.kinds and stop.value
                }
                if value:
                    yield Echo(train.id, value)


def claims_of(reading: Reading, net: Net) -> dict[int, str]:
    """Return the stops that one route of the run may visit (1841 §2.2)."""
    return {
        number: f"once {once.hex}"
        for once in reading.of(o.OncePerRun)
        if net.board.faces[once.hex].colour == once.while_colour
        for number, stop in enumerate(net.stops)
        if stop.hex == once.hex
    }
