"""Options that grant something for sets, markers and counts of stops."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from engine.board.board import Stop
from engine.declared import options as o
from engine.declared.grant import Grant, Look, Test
from engine.declared.options import Option
from engine.declared.reading import Reading
from engine.titles.trains import TrainKind


def paid(stops: Iterable[str], least: int = 1, most: int | None = None) -> Test:
    return Test(Look.PAID, frozenset(stops), least, most)


def absent(stops: Iterable[str]) -> Test:
    return Test(Look.PAID, frozenset(stops), 0, 0)


def in_hexes(reading: Reading, hexes: Iterable[str]) -> frozenset[str]:
    wanted = frozenset(hexes)
    return frozenset(s.id for s in reading.mattering() if s.hex in wanted)


def marker_grants(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.Marker)
    held = option.marker in r.position.company.markers
    if option.needs_corporation and not held:
        return
    amount = r.amount(option.amount)
    if held and option.amount_own is not None:
        amount = r.amount(option.amount_own)
    hexes = [h for h, names in r.board.markers.items() if option.marker in names]
    if option.per == "stop":
        yield Grant(option.marker, (), amount, per=in_hexes(r, hexes))
    elif not option.times_icon:
        yield Grant(option.marker, (paid(in_hexes(r, hexes)),), amount)
    else:
        count = {h: r.board.icons(h).count(option.times_icon) for h in hexes}
        better: set[str] = set()
        for hex_id in sorted(hexes, key=lambda h: -count[h]):
            stops = in_hexes(r, [hex_id])
            tests = (paid(stops), *([absent(better)] if better else ()))
            yield Grant(option.marker, tests, amount * count[hex_id])
            better |= stops


def set_grants(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.Set)
    if option.own_token_in and option.own_token_in not in r.own_hexes:
        return
    found = [r.fitting(selector) for selector in option.all]
    name = "set of " + ", ".join(sorted({s.split("-")[0] for stops in found for s in stops}))
    factor = train.multiplier if option.x_multiplier else 1
    before = not option.after_scale
    if option.amount.of in ("icons", "hex_bonus"):
        yield from _by_worth(r, option, found, name)
    elif not option.amount.of:
        tests = tuple(paid(stops) for stops in found)
        yield Grant(name, tests, r.amount(option.amount) * factor, before_scale=before)
    elif option.amount.of == "max_stop":
        yield from _best_again(r, found, name, train, 1)
    else:
        yield from _best_again(r, found, name, train, 2)


def _by_worth(r: Reading, option: o.Set, found: list[frozenset[str]], name: str) -> Iterator[Grant]:
    """The amount is the sum of what the stops found are worth, for each selector the best of
    those that are there."""
    worth = _icon_worth(r) if option.amount.of == "icons" else _printed_bonus(r)
    for number, stops in enumerate(found):
        others = tuple(paid(other) for n, other in enumerate(found) if n != number)
        by_amount: dict[int, set[str]] = {}
        for stop in stops:
            by_amount.setdefault(worth(r.board.stops[stop]), set()).add(stop)
        better: set[str] = set()
        for amount in sorted(by_amount, reverse=True):
            tests = (paid(by_amount[amount]), *others, *([absent(better)] if better else ()))
            yield Grant(name, tests, amount)
            better |= by_amount[amount]


def _icon_worth(r: Reading) -> Callable[[Stop], int]:
    return lambda stop: r.numbers(stop.hex)


def _printed_bonus(r: Reading) -> Callable[[Stop], int]:
    return lambda stop: int(r.board.atlas.hexes[stop.hex].raw.get("bonus", 0))


def _best_again(
    r: Reading, found: list[frozenset[str]], name: str, train: TrainKind, place: int
) -> Iterator[Grant]:
    """The best paying stop again, or the second best: one step for each value that stops have."""
    worth = {s.id: r.paid(s, train) for s in r.mattering()}
    tests = tuple(paid(stops) for stops in found)
    below = 0
    for value in sorted({v for v in worth.values() if v > 0}):
        reach = frozenset(s for s, v in worth.items() if v >= value)
        if place == 1:
            yield Grant(name, (*tests, paid(reach)), value - below)
        else:
            yield from _other(name, tests, found[0], reach, value - below)
        below = value


def _other(
    name: str, tests: tuple[Test, ...], first: frozenset[str], reach: frozenset[str], step: int
) -> Iterator[Grant]:
    """A step of the best stop beside one of the first selector: that stop is left out once."""
    if first & reach:
        yield Grant(name, (*tests, paid(reach, 2)), step)
    else:
        yield Grant(name, (*tests, paid(reach)), step)


def first_of_grants(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.FirstOf)
    before: list[tuple[Test, ...]] = []
    for one in option.options:
        own = [grant for grant in set_grants(r, one, train) if grant.amount]
        yield from own
        for grant in own:
            for tests in before:
                yield replace(grant, tests=(*grant.tests, *tests), amount=-grant.amount)
        if own:
            before.append(tuple(paid(r.fitting(selector)) for selector in one.all))


def count_grants(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.Count)
    stops = r.fitting(option.of)
    tests = () if option.needs is None else (paid(r.fitting(option.needs)),)
    name = "number of " + ", ".join(sorted({s.split("-")[0] for s in stops}))
    for number, (before, after) in enumerate(zip(option.table, option.table[1:], strict=False)):
        yield Grant(name, (*tests, paid(stops, number + 1)), after - before)
