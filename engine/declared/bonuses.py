"""What a class of trains is granted, in the words of the vocabulary. The statement's side."""

from __future__ import annotations

from collections.abc import Sequence

from engine.declared import options as o
from engine.declared.grants import Grant, Look, Test, carriage_grants, grants
from engine.declared.net import Net
from engine.declared.reading import Reading
from engine.routing.vocabulary import Bonus, Factor, Has, Of
from engine.titles.trains import TrainKind

LOOKS = {Look.PAID: Of.PAID, Look.VISITED: Of.VISITED, Look.ENDS: Of.ENDS}


def bonuses_of(
    reading: Reading, net: Net, train: TrainKind, payable: frozenset[int]
) -> tuple[Bonus, ...]:
    """Return the bonuses of a class; those that nothing within reach can earn are left out."""
    return _said(reading, net, train, payable, grants(reading, train, frozenset(net.number)))


def carriage_bonuses(
    reading: Reading, net: Net, train: TrainKind, *, obsolete: bool
) -> tuple[Bonus, ...]:
    """Return what the carriage brings (1858India §3.2)."""
    found = carriage_grants(reading, train, obsolete=obsolete)
    return _said(reading, net, train, payable_stops(reading, net, train), found)


def _said(
    reading: Reading,
    net: Net,
    train: TrainKind,
    payable: frozenset[int],
    found: Sequence[Grant],
) -> tuple[Bonus, ...]:
    scaled = any(True for _ in reading.of(o.Scale, train))
    visited = reading.one(o.BestOfChosen, train) is not None
    said = (_bonus(net, grant, payable, scaled, visited) for grant in found)
    return tuple(bonus for bonus in said if bonus is not None)


def payable_stops(reading: Reading, net: Net, train: TrainKind) -> frozenset[int]:
    """Return the stops that can pay at all on a route of a train."""
    every = frozenset(range(len(net.stops)))
    if not train.slots or reading.one(o.CompulsoryFirst, train) is not None:
        return every
    if reading.one(o.TownIfSlotLeft, train) or reading.one(o.BestOfChosen, train):
        return every
    visited = reading.one(o.VisitedOnly, train)
    if visited is not None:
        return net.numbers(reading.fitting(visited.end)) | net.numbers(reading.own)
    candidates = reading.one(o.Candidates, train)
    if candidates is not None and candidates.of_any:
        fitting = (net.numbers(reading.fitting(each)) for each in candidates.of_any)
        return frozenset(number for found in fitting for number in found)
    kinds = {kind for slot in train.slots if slot.pay for kind in slot.kinds}
    return frozenset(n for n, s in enumerate(net.stops) if reading.kind(s) in kinds)


def _bonus(
    net: Net, grant: Grant, payable: frozenset[int], scaled: bool, visited: bool
) -> Bonus | None:
    tests = tuple(_has(net, test, payable, visited) for test in grant.tests)
    for has in tests:
        if has.least > len(has.numbers):
            return None
    real = tuple(has for has in tests if has.least or has.numbers)
    per = None if grant.per is None else net.numbers(grant.per) & payable
    if per is not None and not per:
        return None
    within = scaled and grant.before_scale
    return Bonus(real, grant.amount, per, scaled=within, subsidy=grant.subsidy)


def _has(net: Net, test: Test, payable: frozenset[int], visited: bool) -> Has:
    if test.look is Look.HEXES:
        legs = frozenset(n for n, leg in enumerate(net.legs) if leg.hexes & test.names)
        return Has(Of.LEGS, legs, test.least, test.most)
    if test.look is Look.GAUGE:
        legs = frozenset(n for n, found in enumerate(net.gauges) if found & test.names)
        return Has(Of.LEGS, legs, test.least, test.most)
    numbers = net.numbers(test.names)
    if test.look is Look.PAID and visited:
        return Has(Of.VISITED, numbers, test.least, test.most)
    if test.look is Look.PAID:
        numbers &= payable
    return Has(LOOKS[test.look], numbers, test.least, test.most)


def factor_of(reading: Reading, net: Net, train: TrainKind, *, obsolete: bool) -> Factor | None:
    """Return what is made of the sum of a route."""
    for scale in reading.of(o.Scale, train):
        if scale.if_obsolete and not obsolete:
            continue
        tests: tuple[Has, ...] = ()
        if scale.if_stop is not None:
            tests = (Has(Of.PAID, net.numbers(reading.fitting(scale.if_stop))),)
        return Factor(scale.num, scale.den, scale.round, tests)
    return None


def subsidies_of(reading: Reading, net: Net, train: TrainKind) -> tuple[int, ...]:
    """Return what each stop brings to the treasury; empty for nothing."""
    treasury = [option.of for option in reading.of(o.ToTreasury, train)]
    if not treasury:
        return ()
    return tuple(
        reading.paid(stop, train) if any(reading.fits(of, stop) for of in treasury) else 0
        for stop in net.stops
    )
