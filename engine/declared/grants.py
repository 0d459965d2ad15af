"""What routes pay beside their stops, in one form: so much if these tests hold.

Most options come down to grants. This is reading: what the tests find on a
route is for the referee and for the statement to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from itertools import product

from engine.board.board import Stop
from engine.declared import options as o
from engine.declared.options import Option
from engine.declared.reading import Reading, suits
from engine.titles.trains import TrainKind

CARRIAGE = "Pullman"
"""Name of the carriage that a company may attach (1858India §1.2)."""


class Look(Enum):
    """What of a route a test looks at."""

    PAID = "paying stops"
    VISITED = "visited stops"
    ENDS = "the two ends"
    HEXES = "hexes of its track"
    GAUGE = "gauges of its track"


@dataclass(frozen=True)
class Test:
    """At least `least` and at most `most` of these names (stops, hexes, gauges) are there."""

    look: Look
    names: frozenset[str]
    least: int = 1
    most: int | None = None


@dataclass(frozen=True)
class Grant:
    """£ `amount` if all tests hold, times the number of paying `per` if that is given.

    Parameters
    ----------
    name
        For people.
    section
        The rule.
    before_scale
        The factor of the route holds for it.
    subsidy
        It goes to the treasury.
    """

    name: str
    tests: tuple[Test, ...]
    amount: int
    per: frozenset[str] | None = None
    section: str = ""
    before_scale: bool = True
    subsidy: bool = False


def grants(reading: Reading, train: TrainKind) -> tuple[Grant, ...]:
    """Return what routes of a train are granted in this position."""
    found: list[Grant] = []
    for option in reading.options:
        make = MAKERS.get(type(option))
        if make is not None and suits(option.when, train):
            for grant in make(reading, option, train):
                if grant.amount and all(test.names or not test.least for test in grant.tests):
                    found.append(replace(grant, section=option.when.section))
    return tuple(found)


def carriage_grants(reading: Reading, train: TrainKind, *, obsolete: bool) -> tuple[Grant, ...]:
    """Return what the carriage brings to the route of a train (1858India §3.2)."""
    found = []
    for option in reading.of(o.Attached, train):
        amount = option.amount_obsolete if obsolete else option.amount
        stops = frozenset(s.id for s in reading.board.stops.values() if s.kind in option.kinds)
        multiplied = amount * train.multiplier
        section = option.when.section
        found.append(Grant(CARRIAGE, (), multiplied, stops, section, before_scale=False))
    return tuple(found)


def _paid(stops: Iterable[str], least: int = 1, most: int | None = None) -> Test:
    return Test(Look.PAID, frozenset(stops), least, most)


def _absent(stops: Iterable[str]) -> Test:
    return Test(Look.PAID, frozenset(stops), 0, 0)


def _in_hexes(reading: Reading, hexes: Iterable[str]) -> frozenset[str]:
    wanted = frozenset(hexes)
    return frozenset(s.id for s in reading.board.stops.values() if s.hex in wanted)


def _marker(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.Marker)
    held = option.marker in r.position.company.markers
    if option.needs_corporation and not held:
        return
    amount = option.amount
    if held and option.amount_own is not None:
        amount = option.amount_own
    hexes = [h for h, names in r.board.markers.items() if option.marker in names]
    if option.per == "stop":
        yield Grant(option.marker, (), amount, per=_in_hexes(r, hexes))
    elif not option.times_icon:
        yield Grant(option.marker, (_paid(_in_hexes(r, hexes)),), amount)
    else:
        count = {h: r.board.icons(h).count(option.times_icon) for h in hexes}
        better: set[str] = set()
        for hex_id in sorted(hexes, key=lambda h: -count[h]):
            stops = _in_hexes(r, [hex_id])
            tests = (_paid(stops), *([_absent(better)] if better else ()))
            yield Grant(option.marker, tests, amount * count[hex_id])
            better |= stops


def _set(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.Set)
    if option.own_token_in and option.own_token_in not in r.own_hexes:
        return
    found = [r.fitting(selector) for selector in option.all]
    name = "set of " + ", ".join(sorted({s.split("-")[0] for stops in found for s in stops}))
    factor = train.multiplier if option.x_multiplier else 1
    before = not option.after_scale
    if option.amount.of in ("icons", "hex_bonus"):
        yield from _pairs(r, option, found, name)
    elif not option.amount.of:
        tests = tuple(_paid(stops) for stops in found)
        yield Grant(name, tests, r.amount(option.amount) * factor, before_scale=before)
    elif option.amount.of == "max_stop":
        yield from _best_again(r, found, name, train, 1)
    else:
        yield from _best_again(r, found, name, train, 2)


def _pairs(r: Reading, option: o.Set, found: list[frozenset[str]], name: str) -> Iterator[Grant]:
    """The amount hangs on the stops found; of several that fit the last selector the best counts."""
    worth = _icon_worth(r) if option.amount.of == "icons" else _printed_bonus(r)
    stops = r.board.stops
    for head in product(*(sorted(each) for each in found[:-1])):
        better: set[str] = set()
        for last in sorted(found[-1], key=lambda s: (-worth(stops[s]), s)):
            tests = [_paid([stop]) for stop in (*head, last)]
            if better:
                tests.append(_absent(better))
            hexes = {stops[stop].hex: worth(stops[stop]) for stop in (*head, last)}
            yield Grant(name, tuple(tests), sum(hexes.values()))
            better.add(last)


def _icon_worth(r: Reading) -> Callable[[Stop], int]:
    return lambda stop: r.numbers(stop.hex)


def _printed_bonus(r: Reading) -> Callable[[Stop], int]:
    return lambda stop: int(r.board.atlas.hexes[stop.hex].raw.get("bonus", 0))


def _best_again(
    r: Reading, found: list[frozenset[str]], name: str, train: TrainKind, place: int
) -> Iterator[Grant]:
    """The best paying stop again, or the second best: one step for each value that stops have."""
    worth = {s.id: r.paid(s, train) for s in r.board.stops.values()}
    tests = tuple(_paid(stops) for stops in found)
    below = 0
    for value in sorted({v for v in worth.values() if v > 0}):
        reach = frozenset(s for s, v in worth.items() if v >= value)
        if place == 1:
            yield Grant(name, (*tests, _paid(reach)), value - below)
        else:
            yield from _other(name, tests, found[0], reach, value - below)
        below = value


def _other(
    name: str, tests: tuple[Test, ...], first: frozenset[str], reach: frozenset[str], step: int
) -> Iterator[Grant]:
    """A step of the best stop beside one of the first selector: that stop is left out once."""
    if first & reach:
        yield Grant(name, (*tests, _paid(reach, 2)), step)
    else:
        yield Grant(name, (*tests, _paid(reach)), step)


def _first_of(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.FirstOf)
    before: list[Grant] = []
    for one in option.options:
        own = [g for g in _set(r, one, train) if g.amount]
        yield from own
        for grant in own:
            for other in before:
                yield replace(grant, tests=(*grant.tests, *other.tests), amount=-grant.amount)
        before += own


def _count(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.Count)
    stops = r.fitting(option.of)
    tests = () if option.needs is None else (_paid(r.fitting(option.needs)),)
    name = "number of " + ", ".join(sorted({s.split("-")[0] for s in stops}))
    for number, (before, after) in enumerate(zip(option.table, option.table[1:], strict=False)):
        yield Grant(name, (*tests, _paid(stops, number + 1)), after - before)


def _ability(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.Ability)
    for ability in r.position.company.abilities:
        if ability.kind != option.type:
            continue
        name = ability.private or ability.kind
        stops = _in_hexes(r, ability.hexes)
        if option.per == "stop":
            yield Grant(name, (), ability.amount, per=stops)
        elif option.per == "route":
            yield Grant(name, (_paid(stops),), ability.amount)
        else:
            for hex_id in dict.fromkeys(ability.hexes):
                yield Grant(name, (_paid(_in_hexes(r, [hex_id])),), ability.amount)


def _again(r: Reading, stops: Iterable[str], train: TrainKind, name: str) -> Iterator[Grant]:
    for stop in sorted(stops):
        yield Grant(name, (_paid([stop]),), r.paid(r.board.stops[stop], train))


def _ability_double(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.AbilityDouble)
    abilities = (a for a in r.position.company.abilities if a.kind == option.type)
    hexes = [hex_id for ability in abilities for hex_id in ability.hexes]
    yield from _again(r, _in_hexes(r, hexes), train, "destination pays again")


def _double(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.Double)
    yield from _again(r, r.fitting(option.of), train, "pays again")


def _label_own(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.LabelOwn)
    stops = r.fitting(o.Selector(label=r.corporation))
    yield Grant(f"own region {r.corporation}", (_paid(stops),), option.amount)


def _icon_own(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.IconOwn)
    stops = r.fitting(o.Selector(icon=r.corporation))
    yield Grant(f"icons of {r.corporation}", (), r.amount(option.amount), per=stops)


def _own_city(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.OwnCity)
    yield Grant("own cities", (), option.amount, per=r.own)


def _per_stop(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.PerStop)
    yield Grant("bonus for each stop", (), option.amount, per=r.fitting(option.of))


def _ends_red(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.EndsRed)
    each, most = option.by_phase.get(r.board.state.phase, (0, 0))
    red = Test(Look.ENDS, r.fitting(o.Selector(colour="red")), 2)
    for number in range(1, most // each + 1 if each else 1):
        yield Grant("red to red", (red, _paid(r.own, number)), each)


def _track(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.Track)
    for hex_id in r.board.faces:
        markers = r.board.markers.get(hex_id, frozenset())
        if (
            hex_id in option.hexes
            or (option.marker and option.marker in markers)
            or (option.icon and option.icon in r.board.icons(hex_id))
        ):
            name = f"{option.marker or option.icon or 'track'} in {hex_id}"
            yield Grant(name, (Test(Look.HEXES, frozenset([hex_id])),), option.amount)


def _gauge(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.PerPayingStopIfTrack)
    test = Test(Look.GAUGE, frozenset([option.track]))
    yield Grant("tunnel", (test,), option.amount, per=frozenset(r.board.stops))


def _per_token(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.PerTokenInstead)
    for stop in sorted(r.fitting(option.of)):
        value = r.paid(r.board.stops[stop], train)
        yield Grant("once for each own city instead", (_paid([stop]),), -value)
        yield Grant("once for each own city", (_paid([stop]),), value, per=r.own)


def _destination_end(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.DestinationEnd)
    for ability in r.position.company.abilities:
        if ability.kind != option.ability_type or len(ability.hexes) != 1:
            continue
        if r.corporation in r.board.markers.get(ability.hexes[0], ()):
            continue
        for stop in sorted(_in_hexes(r, ability.hexes)):
            test = Test(Look.ENDS, frozenset([stop]))
            yield Grant("destination pays again", (test,), r.paid(r.board.stops[stop], train))


def _corp_destination(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.CorpDestination)
    raw = r.position.title.corporations[r.corporation].get("home")
    if not raw:
        return
    home = _paid(_in_hexes(r, [raw["hex"]]))
    for hex_id, amount in option.table.get(r.corporation, ()):
        yield Grant(f"destination {hex_id}", (home, _paid(_in_hexes(r, [hex_id]))), amount)


def _cattle(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.Cattle)
    held = r.position.company.markers
    for marker, other in ((option.closed, 0), (option.open, option.other)):
        stops = r.fitting(o.Selector(marker=marker))
        yield Grant("cattle", (_paid(stops),), option.own if marker in held else other)


def _token_penalty(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.TokenPenalty)
    for hex_id in {
        token.hex for token in r.board.state.tokens if token.corporation == option.token_of
    }:
        amount = option.amount
        marked = option.unless_marker in r.board.markers.get(hex_id, ())
        kept = option.unless_company in r.position.company.privates and marked
        if hex_id in option.in_hex and not kept:
            amount = option.in_hex[hex_id]
        yield Grant(f"token of {option.token_of}", (_paid(_in_hexes(r, [hex_id])),), amount)


def _subsidy(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.Subsidy)
    yield Grant("mine", (_paid(r.fitting(option.of)),), option.amount, subsidy=True)


Maker = Callable[[Reading, Option, TrainKind], Iterator[Grant]]

MAKERS: Mapping[type[Option], Maker] = {
    o.Marker: _marker,
    o.Set: _set,
    o.FirstOf: _first_of,
    o.Count: _count,
    o.Ability: _ability,
    o.AbilityDouble: _ability_double,
    o.Double: _double,
    o.LabelOwn: _label_own,
    o.IconOwn: _icon_own,
    o.OwnCity: _own_city,
    o.PerStop: _per_stop,
    o.EndsRed: _ends_red,
    o.Track: _track,
    o.PerPayingStopIfTrack: _gauge,
    o.PerTokenInstead: _per_token,
    o.DestinationEnd: _destination_end,
    o.CorpDestination: _corp_destination,
    o.Cattle: _cattle,
    o.TokenPenalty: _token_penalty,
    o.Subsidy: _subsidy,
}
"""How each option comes down to grants; the others are not about what is paid besides."""
