"""The same problem written differently: other numbers, other directions, useless track."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from engine.board.geometry import Point
from engine.routing.problem import RoutingProblem, turned
from engine.routing.vocabulary import (
    AtMostOne,
    Budget,
    ChainPart,
    Chains,
    Division,
    EndsSubsidy,
    GroupBonus,
    MustMeet,
    MustVisit,
    NetLeg,
    NetStop,
    PaidOnce,
    TrainClass,
    VisitBonus,
    Word,
)


def shuffled(problem: RoutingProblem, rng: random.Random) -> RoutingProblem:
    """Return the problem with stops and legs numbered anew."""
    stops = rng.sample(range(len(problem.stops)), len(problem.stops))
    legs = rng.sample(range(len(problem.legs)), len(problem.legs))
    return _Renumbering(stops, legs).problem(problem)


class _Renumbering:
    """New number n stands for old number ``stops[n]`` or ``legs[n]``."""

    def __init__(self, stops: Sequence[int], legs: Sequence[int]) -> None:
        self.old_stops = stops
        self.old_legs = legs
        self.stop = {old: new for new, old in enumerate(stops)}
        self.leg = {old: new for new, old in enumerate(legs)}

    def problem(self, problem: RoutingProblem) -> RoutingProblem:
        return replace(
            problem,
            stops=tuple(problem.stops[old] for old in self.old_stops),
            legs=tuple(self._ends(problem.legs[old]) for old in self.old_legs),
            classes=tuple(self._class(cls) for cls in problem.classes),
            words=tuple(self._word(word) for word in problem.words),
        )

    def _ends(self, leg: NetLeg) -> NetLeg:
        return replace(leg, a=self.stop[leg.a], b=self.stop[leg.b])

    def _stops(self, stops: frozenset[int]) -> frozenset[int]:
        return frozenset(self.stop[s] for s in stops)

    def _by_stop(self, table: Sequence[int]) -> tuple[int, ...]:
        return tuple(table[old] for old in self.old_stops) if table else ()

    def _by_leg(self, table: Sequence[int]) -> tuple[int, ...]:
        return tuple(table[old] for old in self.old_legs) if table else ()

    def _class(self, cls: TrainClass) -> TrainClass:
        reach, pay = cls.reach, cls.pay
        span = replace(pay.span, counting=self._stops(pay.span.counting)) if pay.span else None
        return replace(
            cls,
            claims={self.stop[stop]: claim for stop, claim in cls.claims.items()},
            reach=replace(
                reach,
                visits=self._stops(reach.visits),
                through=self._stops(reach.through),
                ends=self._stops(reach.ends),
                own=self._stops(reach.own),
                budgets=tuple(
                    Budget(b.limit, self._by_stop(b.stops), self._by_leg(b.legs))
                    for b in reach.budgets
                ),
                groups=tuple(
                    AtMostOne(self._stops(g.stops), self._stops(g.unless)) for g in reach.groups
                ),
                legs=None if reach.legs is None else frozenset(self.leg[n] for n in reach.legs),
            ),
            pay=replace(
                pay,
                stops=self._by_stop(pay.stops),
                legs=self._by_leg(pay.legs),
                once=tuple(map(self._stops, pay.once)),
                span=span,
            ),
        )

    def _word(self, word: Word) -> Word:
        if isinstance(word, PaidOnce):
            return replace(
                word,
                payee=tuple(word.payee[old] for old in self.old_stops),
                choose={
                    cls: (self._stops(always), limit, self._stops(choice))
                    for cls, (always, limit, choice) in word.choose.items()
                },
            )
        if isinstance(word, MustVisit | MustMeet | VisitBonus):
            return replace(word, stops=self._stops(word.stops))
        if isinstance(word, EndsSubsidy):
            return replace(word, value=self._by_stop(word.value))
        if isinstance(word, GroupBonus):
            letters = {self.stop[stop]: has for stop, has in word.letters.items()}
            return replace(word, letters=letters, touch=self._stops(word.touch))
        if isinstance(word, Chains):
            return self._chains(word)
        return word

    def _chains(self, word: Chains) -> Chains:
        def divide(ends: Sequence[tuple[int, int]], classes: Sequence[int]) -> frozenset[Division]:
            old = [(self.old_stops[a], self.old_stops[b]) for a, b in ends]
            return frozenset(
                frozenset(map(self._part, division)) for division in word.divide(old, classes)
            )

        place = {(self.stop[s], self.leg[n]): at for (s, n), at in word.place.items()}
        closed = {self.stop[stop]: amount for stop, amount in word.closed_bonus.items()}
        return replace(word, place=place, divide=divide, closed_bonus=closed)

    def _part(self, part: ChainPart) -> ChainPart:
        loose = tuple((route, self.stop[stop]) for route, stop in part.loose)
        return ChainPart(part.routes, loose, self._stops(part.closed))


def mirrored(problem: RoutingProblem) -> RoutingProblem:
    """Return the problem with every leg in the other direction, on a board seen in a mirror."""
    legs = tuple(
        replace(
            leg,
            a=leg.b,
            b=leg.a,
            end_only_a=leg.end_only_b,
            end_only_b=leg.end_only_a,
            parts=tuple(turned(part) for part in reversed(leg.parts)),
        )
        for leg in problem.legs
    )
    stops = tuple(replace(stop, point=_mirrored(stop.point)) for stop in problem.stops)
    return replace(problem, legs=legs, stops=stops)


def _mirrored(point: Point) -> Point:
    return -point[0], point[1]


def renamed(problem: RoutingProblem, rng: random.Random) -> RoutingProblem:
    """Return the problem with its classes' trains listed in another order."""
    classes = tuple(
        replace(cls, trains=tuple(rng.sample(cls.trains, len(cls.trains))))
        for cls in problem.classes
    )
    return replace(problem, classes=classes)


def with_useless_track(problem: RoutingProblem) -> RoutingProblem:
    """Return the problem with a stop that no train may visit, a leg to it, and beside a leg
    another that takes the same track and some more."""
    number = len(problem.stops)
    far = NetStop("nowhere", "nowhere", (0, 0), "town", "Nowhere")
    legs = problem.legs
    if legs:
        beside = replace(legs[0], items=legs[0].items | {"more track"})
        legs = (*legs, replace(legs[0], b=number), beside)
    extended = replace(problem, stops=(*problem.stops, far), legs=legs)
    copies = [0, 0] if problem.legs else []
    return replace(
        extended,
        classes=tuple(_longer(cls, copies) for cls in problem.classes),
        words=tuple(_longer_word(word, len(problem.legs)) for word in problem.words),
    )


def _longer(cls: TrainClass, copies: Sequence[int]) -> TrainClass:
    reach, pay = cls.reach, cls.pay

    def stops(table: tuple[int, ...]) -> tuple[int, ...]:
        return (*table, 0) if table else ()

    def legs(table: tuple[int, ...]) -> tuple[int, ...]:
        return (*table, *(table[n] for n in copies)) if table else ()

    budgets = tuple(Budget(b.limit, stops(b.stops), legs(b.legs)) for b in reach.budgets)
    return replace(
        cls,
        reach=replace(reach, budgets=budgets),
        pay=replace(pay, stops=stops(pay.stops), legs=legs(pay.legs)),
    )


def _longer_word(word: Word, legs: int) -> Word:
    if isinstance(word, PaidOnce):
        return replace(word, payee=(*word.payee, None))
    if isinstance(word, EndsSubsidy):
        return replace(word, value=(*word.value, 0))
    if isinstance(word, Chains):
        place = dict(word.place)
        for (stop, leg), at in word.place.items():
            if leg == 0:
                place[stop, legs + 1] = at
        return replace(word, place=place)
    return word
