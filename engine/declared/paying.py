"""Which stops of a route pay, and what it pays: the referee's side (COMMON §8, §9, §10)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.board.board import Stop
from engine.declared import options as o
from engine.declared.distance import by_fewest_kinds, places
from engine.declared.grants import Grant, Look, Test, carriage_grants, grants
from engine.declared.ride import Ride
from engine.routing.run import Item


@dataclass(frozen=True)
class Pay:
    """What a route pays.

    Parameters
    ----------
    paying
        The stops that pay, along the route.
    revenue, subsidy
        £.
    items
        Line by line; the amounts of revenue lines add up to the revenue.
    """

    paying: tuple[Stop, ...]
    revenue: int
    subsidy: int
    items: tuple[Item, ...]


class Counter:
    """Counts what a route pays for a set of paying stops."""

    def __init__(self, ride: Ride) -> None:
        self.ride = ride
        self.reading = ride.reading
        self.worth = {stop.id: self.reading.paid(stop, ride.train) for stop in ride.stops}
        treasury = list(self.reading.of(o.ToTreasury, ride.train))
        self.treasury = frozenset(
            stop.id
            for stop in ride.stops
            if any(self.reading.fits(each.of, stop) for each in treasury)
        )

    @cached_property
    def grants(self) -> tuple[Grant, ...]:
        """What can be granted on this route."""
        found = grants(self.reading, self.ride.train, frozenset(self.ride.by_id))
        if not self.ride.attached:
            return found
        obsolete = self.ride.route.train in self.reading.obsolete
        return found + carriage_grants(self.reading, self.ride.train, obsolete=obsolete)

    def likeness(self, stop: Stop) -> object:
        """Return all that counts of a stop beside its worth: equal for stops that are alike."""
        reading, train = self.reading, self.ride.train
        return (
            reading.kind(stop),
            stop.id in reading.own,
            stop.id in self.treasury,
            tuple(stop.id in names for names in self._looked_at),
            tuple(
                bool(scale.if_stop and reading.fits(scale.if_stop, stop))
                for scale in reading.of(o.Scale, train)
            ),
        )

    @cached_property
    def _looked_at(self) -> tuple[frozenset[str], ...]:
        found = [t.names for g in self.grants for t in g.tests if t.look is Look.PAID]
        found += [grant.per for grant in self.grants if grant.per is not None]
        mine = frozenset(self.ride.by_id)
        return tuple(dict.fromkeys(names & mine for names in found if names & mine))

    def paid(self, stops: Sequence[Stop]) -> Pay:
        """Return what the route pays if these stops pay."""
        return self.pay(stops, stops)

    def pay(self, stops: Sequence[Stop], looked: Sequence[Stop]) -> Pay:
        """Return what the route pays if `stops` pay and bonuses look at `looked`."""
        items = list(self._stop_items(stops))
        base = sum(item.amount for item in items if item.kind == "stop")
        subsidy = sum(item.amount for item in items if item.kind == "subsidy")
        later = 0
        for grant, amount in self._granted({stop.id for stop in looked}):
            kind = "subsidy" if grant.subsidy else "bonus"
            items.append(Item(kind, grant.name, amount, grant.section))
            if grant.subsidy:
                subsidy += amount
            elif grant.before_scale:
                base += amount
            else:
                later += amount
        scaled = self._scaled(base, stops)
        if scaled != base:
            items.append(Item("factor", "factor of the route", scaled - base))
        along = tuple(stop for stop in self.ride.stops if stop in stops)
        return Pay(along, scaled + later, subsidy, tuple(items))

    def _stop_items(self, stops: Sequence[Stop]) -> Iterator[Item]:
        chosen = {stop.id for stop in stops}
        for stop in self.ride.stops:
            name = stop.name or stop.hex
            if stop.id not in chosen:
                yield Item("skipped", stop.id, 0, name)
            elif stop.id in self.treasury:
                yield Item("subsidy", stop.id, self.worth[stop.id], name)
            else:
                yield Item("stop", stop.id, self.worth[stop.id], name)

    def _granted(self, paid: set[str]) -> Iterator[tuple[Grant, int]]:
        for grant in self.grants:
            if all(self._holds(test, paid) for test in grant.tests):
                times = 1 if grant.per is None else len(grant.per & paid)
                if times:
                    yield grant, grant.amount * times

    def _holds(self, test: Test, paid: set[str]) -> bool:
        found = len(test.names & self._seen(test.look, paid))
        return found >= test.least and (test.most is None or found <= test.most)

    def _seen(self, look: Look, paid: set[str]) -> set[str] | frozenset[str]:
        if look is Look.PAID:
            return paid
        if look is Look.VISITED:
            return set(self.ride.by_id)
        if look is Look.ENDS:
            return {stop.id for stop in self.ride.ends}
        return self.ride.touched if look is Look.HEXES else self.ride.gauges

    def _scaled(self, base: int, stops: Sequence[Stop]) -> int:
        for scale in self.reading.of(o.Scale, self.ride.train):
            if scale.if_obsolete and self.ride.route.train not in self.reading.obsolete:
                continue
            if scale.if_stop and not any(self.reading.fits(scale.if_stop, s) for s in stops):
                continue
            if scale.num > scale.den:
                base += base * (scale.num - scale.den) // scale.den // scale.round * scale.round
            else:
                base = base * scale.num // scale.den // scale.round * scale.round
        return base


def pay_route(ride: Ride) -> Pay:
    """Choose the stops that pay and return what a route pays."""
    counter = Counter(ride)
    reading, train = ride.reading, ride.train
    special = reading.one(o.VisitedOnly, train)
    if special is not None:
        return _ghan(counter, special)
    if reading.one(o.CompulsoryFirst, train) is not None:
        return _compulsory(counter)
    left = reading.one(o.TownIfSlotLeft, train)
    if left is not None:
        done = _town_if_left(counter, left)
        if done is not None:
            return done
    chosen = reading.one(o.BestOfChosen, train)
    if chosen is not None:
        return _best_of_chosen(counter, chosen)
    candidates = reading.one(o.Candidates, train)
    if candidates is not None:
        return _candidates(counter, candidates)
    if not train.slots:
        return counter.paid(ride.stops)
    return _best(counter, ride.stops)


def _best(counter: Counter, pool: Sequence[Stop], own: bool = True) -> Pay:
    """The best set that fits the slots, of the largest size that is worth something."""
    train = counter.ride.train
    most = min(sum(slot.pay for slot in train.slots), len(pool))
    kinds = {stop.id: counter.reading.kind(stop) for stop in pool}

    def fits(stops: Sequence[Stop]) -> bool:
        slots = by_fewest_kinds(train.slots)
        left = [slot.pay for slot in slots]
        for stop in stops:
            for number, slot in enumerate(slots):
                if kinds[stop.id] in slot.kinds and left[number]:
                    left[number] -= 1
                    break
            else:
                return False
        return True

    return _largest(counter, pool, most, fits, own and train.needs_token)


def selections(counter: Counter, pool: Sequence[Stop], size: int) -> Iterator[list[Stop]]:
    """Yield sets of `size` stops among which a best one is: of stops that differ in nothing but
    what they are worth, the dearer go first."""
    alike: dict[object, list[Stop]] = {}
    for stop in pool:
        alike.setdefault(counter.likeness(stop), []).append(stop)
    groups = [sorted(group, key=lambda stop: -counter.worth[stop.id]) for group in alike.values()]
    room = [sum(len(group) for group in groups[n:]) for n in range(len(groups) + 1)]

    def rest(number: int, left: int) -> Iterator[list[Stop]]:
        if left > room[number]:
            return
        if number == len(groups):
            yield []
            return
        group = groups[number]
        for taken in range(min(left, len(group)), -1, -1):
            for others in rest(number + 1, left - taken):
                yield group[:taken] + others

    yield from rest(0, size)


def _largest(
    counter: Counter,
    pool: Sequence[Stop],
    most: int,
    fits: Callable[[Sequence[Stop]], bool],
    own: bool,
) -> Pay:
    """Of the sets of `most` stops that fit the best; smaller ones if none is worth anything."""
    for size in range(most, 0, -1):
        best: Pay | None = None
        for stops in selections(counter, pool, size):
            if own and not any(stop.id in counter.reading.own for stop in stops):
                continue
            if fits(stops):
                pay = counter.paid(stops)
                if best is None or pay.revenue > best.revenue:
                    best = pay
        if best is not None and best.revenue > 0:
            return best
    return counter.paid(())


def _compulsory(counter: Counter) -> Pay:
    """1867 §3: stops of the paying slot first, what is left to the best of the others."""
    train, reading = counter.ride.train, counter.reading
    slot = next(slot for slot in train.slots if slot.pay)
    first = [stop for stop in counter.ride.stops if reading.kind(stop) in slot.kinds]
    rest = [stop for stop in counter.ride.stops if reading.kind(stop) not in slot.kinds]
    more = min(max(0, slot.pay - len(first)), len(rest))
    needs = not any(stop.id in reading.own for stop in first)
    best: Pay | None = None
    for added in selections(counter, rest, more):
        if needs and not any(stop.id in reading.own for stop in added):
            continue
        chosen = {stop.id for stop in (*first, *added)}
        pay = counter.paid([stop for stop in counter.ride.stops if stop.id in chosen])
        if best is None or pay.revenue > best.revenue:
            best = pay
    return best or counter.paid(())


def _town_if_left(counter: Counter, option: o.TownIfSlotLeft) -> Pay | None:
    """1852 §3.1, §3.2; None for trains that pass any stops."""
    train, reading = counter.ride.train, counter.reading
    slot = next(slot for slot in train.slots if slot.pay)
    if slot.visit > slot.pay:
        return None
    main = [stop for stop in counter.ride.stops if reading.kind(stop) not in option.kinds]
    return counter.paid(counter.ride.stops if len(main) < slot.pay else main)


def _best_of_chosen(counter: Counter, option: o.BestOfChosen) -> Pay:
    """18CZ §3.2, §3.3."""
    ride, reading = counter.ride, counter.reading
    towns = [stop for stop in ride.stops if reading.kind(stop) == "town"]
    towns.sort(key=lambda stop: -counter.worth[stop.id])
    kept = {stop.id for stop in towns[: option.towns]}
    chosen = [s for s in ride.stops if reading.kind(s) != "town" or s.id in kept]
    ranked = sorted(chosen, key=lambda stop: -counter.worth[stop.id])
    best = {stop.id for stop in ranked[: ride.train.slots[0].pay]}
    return counter.pay([stop for stop in chosen if stop.id in best], chosen)


def _candidates(counter: Counter, option: o.Candidates) -> Pay:
    """Only some stops can pay (18NY §3.2, 1880 §3.5)."""
    ride, reading = counter.ride, counter.reading
    number = max(slot.pay for slot in ride.train.slots) if ride.train.slots else 0
    pool = list(ride.stops)
    if option.of_any:
        pool = [s for s in pool if any(reading.fits(each, s) for each in option.of_any)]
    if option.by_value:
        pool = _of_value(counter, option, number)
    own = option.own_token == "paying"

    def fits(stops: Sequence[Stop]) -> bool:
        return True

    size = min(number or ride.train.reach, len(pool))
    return _largest(counter, pool, size, fits, own)


def _of_value(counter: Counter, option: o.Candidates, number: int) -> list[Stop]:
    ride, reading = counter.ride, counter.reading
    payable = [s for s in ride.stops if places(ride.train, reading.kind(s))]
    ranked = sorted(payable, key=lambda stop: -counter.worth[stop.id])
    best = ranked[:number]
    if not any(stop.id in reading.own for stop in best):
        own = next((stop for stop in ranked if stop.id in reading.own), None)
        if own is not None:
            best = [*best[: number - 1], own]
    extra = [s for each in option.add_if_all for s in ride.stops if reading.fits(each, s)]
    if option.add_if_all and len({s.hex for s in extra}) == len(option.add_if_all):
        best += [stop for stop in extra if stop not in best]
    chosen = {stop.id for stop in best}
    return [stop for stop in ride.stops if stop.id in chosen]


def _ghan(counter: Counter, option: o.VisitedOnly) -> Pay:
    """1848 §3.3: the end that it needs, and the best own city."""
    ride, reading = counter.ride, counter.reading
    ends = [s for s in ride.stops if reading.fits(option.end, s)]
    cities = [s for s in ride.stops if s.id in reading.own]
    best = counter.paid(())
    for end in ends:
        for city in cities:
            if end.id != city.id:
                pay = counter.paid([s for s in ride.stops if s.id in (end.id, city.id)])
                best = max(best, pay, key=lambda each: each.revenue)
    return best
