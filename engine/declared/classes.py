"""Classes of trains: what they may run and what they earn. The statement's side."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engine.declared import options as o
from engine.declared.bonuses import bonuses_of, factor_of, payable_stops, subsidies_of
from engine.declared.coupling import claims_of
from engine.declared.needs import allowed_legs, ends_of, groups_of, needs_of, visits_of
from engine.declared.net import Net
from engine.declared.reading import Reading
from engine.routing.vocabulary import Budget, Choice, Pay, Reach, TrainClass
from engine.titles.trains import UNLIMITED, Slot, TrainKind


def make_class(
    reading: Reading, net: Net, train: TrainKind, ids: tuple[str, ...], *, obsolete: bool
) -> TrainClass | None:
    """Return the class of trains of one kind; None if they run with others only."""
    if any(option.train == train.name for option in reading.of(o.Pullman)):
        return None
    visits = visits_of(reading, net, train)
    ends = ends_of(reading, net, train) & visits
    choice = _choice(reading, net, train)
    classes = reading.one(o.TrackClasses)
    second = classes is not None and classes.text in train.name
    return TrainClass(
        name=train.name,
        trains=ids,
        reach=Reach(
            visits=visits,
            through=_through(reading, net, train) & visits,
            ends=ends,
            own=_own(reading, net),
            budgets=tuple(_budgets(reading, net, train)),
            groups=tuple(groups_of(reading, net, train)),
            fewest=1 if _stands(reading, train) and _leaves(reading, net) else 2,
            legs=allowed_legs(reading, net, train),
            needs=tuple(needs_of(reading, net, train)),
        ),
        pay=Pay(
            stops=tuple(_worth(reading, net, train)),
            choice=choice,
            bonuses=bonuses_of(reading, net, train, payable_stops(reading, net, train)),
            factor=factor_of(reading, net, train, obsolete=obsolete),
            subsidy=subsidies_of(reading, net, train),
        ),
        track="with" if second else "all",
        claims=claims_of(reading, net),
    )


def _own(reading: Reading, net: Net) -> frozenset[int]:
    if reading.one(o.CorporationRule) is not None:
        return frozenset(range(len(net.stops)))
    return net.numbers(reading.own)


def _through(reading: Reading, net: Net, train: TrainKind) -> frozenset[int]:
    """Stops that the class may pass; beside an E of the company others pass no full city."""
    option = reading.one(o.NoPassFullCity, train)
    names = {face.name for face in reading.faces.values()}
    if option is None or option.if_company_has_train not in names:
        return net.open
    own = net.numbers(reading.own)
    full = {n for n, s in enumerate(net.stops) if s.kind == "city" and s.full()}
    return net.open - (frozenset(full) - own)


def _leaves(reading: Reading, net: Net) -> bool:
    """COMMON §2.2: some leg leads from a token city to a stop that counts for a route."""
    if reading.one(o.RouteTestOff) is not None:
        return True
    own = net.numbers(reading.own)
    counts = {n for n, stop in enumerate(net.stops) if stop.route != "never"}
    return any(
        (leg.a in own and leg.b in counts) or (leg.b in own and leg.a in counts) for leg in net.legs
    )


def _stands(reading: Reading, train: TrainKind) -> bool:
    """COMMON §7."""
    if reading.one(o.LocalOff, train) is not None:
        return False
    if train.slots and not train.local:
        named = [slot for slot in train.slots if "city" in slot.kinds]
        return bool(named) and named[0].visit == 1
    return train.local or (train.measure == "stops" and train.reach == 1)


def _worth(reading: Reading, net: Net, train: TrainKind) -> Iterator[int]:
    paying = payable_stops(reading, net, train)
    treasury = [option.of for option in reading.of(o.ToTreasury, train)]
    for number, stop in enumerate(net.stops):
        away = any(reading.fits(selector, stop) for selector in treasury)
        yield reading.paid(stop, train) if number in paying and not away else 0


# --- how far ---------------------------------------------------------------------------


def _budgets(reading: Reading, net: Net, train: TrainKind) -> Iterator[Budget]:
    length = reading.one(o.Length, train)
    if length is not None and length.trains_with_measure in ("", train.measure):
        yield from _length_budget(net, train, length)
    elif reading.one(o.VisitedOnly, train) is not None:
        return
    elif train.slots:
        yield from _slot_budgets(reading, net, train)
    elif train.measure == "hexes":
        yield Budget(train.reach - train.touched, legs=tuple(leg.length for leg in net.legs))
    elif train.reach < UNLIMITED:
        yield Budget(train.reach, stops=tuple(stop.visit_cost for stop in net.stops))


def _length_budget(net: Net, train: TrainKind, length: o.Length) -> Iterator[Budget]:
    if train.measure == "slots" or train.reach >= UNLIMITED:
        return
    costs = []
    for leg, gauges in zip(net.legs, net.gauges, strict=True):
        factors = [
            rule.factor
            for rule in length.leg_factor
            if rule.track in gauges
            and rule.unless_track not in gauges
            and train.name not in rule.trains_not
            and (not rule.trains or train.name in rule.trains)
        ]
        costs.append(leg.length * (factors[-1] if factors else 1))
    rebates = tuple(
        (frozenset(n for n, leg in enumerate(net.legs) if hex_id in leg.hexes), 1)
        for hex_id in length.minus_one_if_track_in
    )
    limit = train.reach - (length.measure == "hexes_touched")
    yield Budget(limit, legs=tuple(costs), rebates=tuple(r for r in rebates if r[0]))


def _capacities(slots: tuple[Slot, ...], *, pay: bool) -> Iterator[tuple[frozenset[str], int]]:
    """Yield sets of kinds with the places that they have between them: stops fit into the
    slots if and only if each set fits, where slots are nested (COMMON §6.2, §8.6)."""
    kinds = sorted({kind for slot in slots for kind in slot.kinds})
    for size in range(1, len(kinds) + 1):
        for chosen in combinations(kinds, size):
            group = frozenset(chosen)
            found = [slot.pay if pay else slot.visit for slot in slots if slot.kinds & group]
            if sum(found) < UNLIMITED:
                yield group, sum(found)


def _tightest(
    found: list[tuple[frozenset[str], int]],
) -> Iterator[tuple[frozenset[str], int]]:
    """Leave out sets that are within a set with no more places."""
    for group, places in found:
        if not any(group < other and most <= places for other, most in found):
            yield group, places


def _slot_budgets(reading: Reading, net: Net, train: TrainKind) -> Iterator[Budget]:
    kinds = [reading.kind(stop) for stop in net.stops]
    borders = reading.one(o.BorderCostsStop, train)
    ends = reading.one(o.TownEndCountsAs, train)
    for group, most in _tightest(list(_capacities(train.slots, pay=False))):
        stops = tuple(
            s.visit_cost if kind in group else 0 for s, kind in zip(net.stops, kinds, strict=True)
        )
        legs: tuple[int, ...] = ()
        rebates: tuple[tuple[frozenset[int], int], ...] = ()
        if borders is not None and borders.cost_as in group:
            legs, rebates = _border_costs(reading, net, train, borders)
        yield Budget(most, stops, legs, rebates=rebates)
    if ends is not None:
        most = next((s.pay for s in train.slots if ends.kind in s.kinds), 0)
        if most < UNLIMITED:
            yield Budget(
                most,
                stops=tuple(int(kind != "town") for kind in kinds),
                ends=tuple(int(kind == "town") for kind in kinds),
            )


def _border_costs(
    reading: Reading, net: Net, train: TrainKind, option: o.BorderCostsStop
) -> tuple[tuple[int, ...], tuple[tuple[frozenset[int], int], ...]]:
    """Borders crossed by each leg; one is free on a plus train (1848 §2.1)."""
    marked = {
        (printed.id, border["edge"])
        for printed in net.board.atlas.hexes.values()
        for border in printed.raw.get("borders", ())
        if border["type"] in option.border_types
    }
    legs = tuple(
        sum((h, side) in marked for part in leg.parts for h, side, *_ in part.sides) // 2
        for leg in net.legs
    )
    if not (option.free_name_has and option.free_name_has in train.name):
        return legs, ()
    crossing = frozenset(n for n, cost in enumerate(legs) if cost)
    return legs, ((crossing, 1),) if crossing else ()


# --- which stops pay -------------------------------------------------------------------


def _choice(reading: Reading, net: Net, train: TrainKind) -> Choice | None:
    """COMMON §8.2: None where everything that can pay and is visited pays."""
    if not train.slots:
        return None
    kinds = [reading.kind(stop) for stop in net.stops]
    every = frozenset(range(len(kinds)))
    paying = payable_stops(reading, net, train)
    visited = reading.one(o.VisitedOnly, train)
    slot = next(slot for slot in train.slots if slot.pay)
    if reading.one(o.CompulsoryFirst, train) is not None:
        return _first(kinds, slot, slot.kinds)
    left = reading.one(o.TownIfSlotLeft, train)
    if left is not None and slot.visit <= slot.pay:
        return _first(kinds, slot, frozenset(set(kinds) - set(left.kinds)))
    chosen = reading.one(o.BestOfChosen, train)
    if chosen is not None:
        towns = frozenset(n for n, kind in enumerate(kinds) if kind == "town")
        return Choice(((every, slot.pay), (towns, chosen.towns)), own=False)
    if visited is not None:
        own = net.numbers(reading.own)
        ends = net.numbers(reading.fitting(visited.end))
        return Choice(((ends, 1), (own, 1), (every - own - ends, 0)), own=False)
    candidates = reading.one(o.Candidates, train)
    if candidates is not None and candidates.of_any:
        must = candidates.own_token == "paying"
        return Choice(((paying, slot.pay), (every - paying, 0)), own=must)
    return _slots_choice(net, train, kinds, paying)


def _first(kinds: list[str], slot: Slot, first: frozenset[str]) -> Choice | None:
    """Stops of the kinds `first` pay before others (1867 §3.1, 1852 §3.2)."""
    before = frozenset(n for n, kind in enumerate(kinds) if kind in first)
    if len(before) == len(kinds) and slot.visit <= slot.pay:
        return None
    return Choice(((frozenset(range(len(kinds))), slot.pay),), before)


def _slots_choice(
    net: Net, train: TrainKind, kinds: list[str], paying: frozenset[int]
) -> Choice | None:
    """The slots, where more can be visited than paid."""
    limits = []
    visits = dict(_capacities(train.slots, pay=False))
    for group, most in _tightest(list(_capacities(train.slots, pay=True))):
        stops = frozenset(n for n, kind in enumerate(kinds) if kind in group)
        free = any(not net.stops[n].visit_cost for n in stops)
        if most and (most < visits.get(group, UNLIMITED) or free):
            limits.append((stops, most))
    if not limits:
        return None
    never = frozenset(range(len(kinds))) - paying
    if never:
        limits.append((never, 0))
    return Choice(tuple(limits), own=train.needs_token)
