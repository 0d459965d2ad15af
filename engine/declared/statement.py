"""The statement of the problem of titles that declare their rules.

Shares no code with the referee but the reading of data: what selectors, amounts
and grants mean on a board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import gcd

from engine.declared import options as o
from engine.declared.bonuses import carriage_bonuses
from engine.declared.classes import make_class
from engine.declared.coupling import constant_of, coupling_words
from engine.declared.grants import CARRIAGE
from engine.declared.net import Net, build_net
from engine.declared.reading import Reading
from engine.routing.problem import RoutingProblem
from engine.routing.run import Position, Run, Verdict
from engine.routing.vocabulary import Attachment, Bonus, NetStop, Of, TrainClass, Word
from engine.titles.trains import TrainKind


def state_problem(position: Position, judge: Callable[[Run], Verdict]) -> RoutingProblem:
    """State what the director decides.

    Parameters
    ----------
    position
        Board and company.
    judge
        The referee, for the optimizer to check its answers.

    Returns
    -------
    RoutingProblem
        Its network holds what the company can reach.
    """
    reading = Reading(position)
    net = build_net(reading)
    kinds = list(_kinds(reading, net))
    classes = tuple(cls for cls, _ in kinds)
    words = coupling_words(reading, net, classes, [face for _, face in kinds])
    carriage = _carriage(reading, kinds)
    if not words and not carriage:
        classes = tuple(map(with_stops_raised, classes))
    return RoutingProblem(
        position=position,
        stops=tuple(NetStop(s.id, s.hex, s.point, s.kind, s.name or s.hex) for s in net.stops),
        legs=net.legs,
        classes=classes,
        words=words,
        judge=judge,
        step=_step(classes, words),
        constant=constant_of(reading),
        attachments=carriage,
    )


Kinds = Sequence[tuple[TrainClass, TrainKind]]


def _carriage(reading: Reading, kinds: Kinds) -> tuple[Attachment, ...]:
    """The carriage turns a class into the one of the same name that has none of its own."""
    turns = {
        number: other
        for number, (cls, face) in enumerate(kinds)
        if cls.trains
        for other, (carried, its) in enumerate(kinds)
        if not carried.trains and its == face and carried.name == f"{cls.name} + {CARRIAGE}"
    }
    return (Attachment(CARRIAGE, 1, turns),) if turns else ()


def _kinds(reading: Reading, net: Net) -> Iterator[tuple[TrainClass, TrainKind]]:
    """One class for each kind of train that runs, obsolete ones apart."""
    trains: dict[tuple[str, bool], list[str]] = {}
    faces: dict[tuple[str, bool], TrainKind] = {}
    for train in reading.position.company.trains:
        if train.runnable:
            face = reading.faces[train.id]
            key = (face.name, train.obsolete)
            if faces.setdefault(key, face) != face:
                key = (f"{face.name} {train.id}", train.obsolete)
                faces[key] = face
            trains.setdefault(key, []).append(train.id)
    carriage = reading.position.company.pullman and reading.one(o.Attached) is not None
    for key, ids in trains.items():
        face, obsolete = faces[key], key[1]
        cls = make_class(reading, net, face, tuple(ids), obsolete=obsolete)
        if cls is None:
            continue
        if obsolete:
            cls = replace(cls, name=f"{cls.name} obsolete")
        yield cls, face
        if carriage and face.track == "broad":
            bonuses = cls.pay.bonuses + carriage_bonuses(reading, net, face, obsolete=obsolete)
            pay = replace(cls.pay, bonuses=bonuses)
            yield replace(cls, name=f"{cls.name} + {CARRIAGE}", trains=(), pay=pay), face


def with_stops_raised(cls: TrainClass) -> TrainClass:
    """Return a class whose bonuses for one stop are part of what that stop pays.

    That is the same where every visited stop pays once and in full: nothing is chosen among
    the stops, no factor is applied, and the stop shares its payment with no other. Algorithms
    decide faster on routes without bonuses.
    """
    pay = cls.pay
    if pay.choice or pay.factor or pay.span or pay.subsidy:
        return cls
    shared = frozenset[int]().union(*pay.once)
    stops = list(pay.stops)
    left = []
    for bonus in pay.bonuses:
        stop = _only_stop(bonus)
        if stop is None or stop in shared:
            left.append(bonus)
        else:
            stops[stop] += bonus.amount
    return replace(cls, pay=replace(pay, stops=tuple(stops), bonuses=tuple(left)))


def _only_stop(bonus: Bonus) -> int | None:
    """Return the stop for which a bonus is paid, whatever else the route does; None: no such."""
    if len(bonus.tests) != 1 or bonus.per is not None or bonus.scaled or bonus.subsidy:
        return None
    (test,) = bonus.tests
    plain = test.of in (Of.PAID, Of.VISITED) and test.least == 1 and test.most is None
    return next(iter(test.numbers)) if plain and len(test.numbers) == 1 else None


def _step(classes: tuple[TrainClass, ...], words: tuple[Word, ...]) -> int:
    """Return the greatest amount of which everything that can be paid is a multiple."""
    amounts = [1] if any(cls.pay.factor for cls in classes) or words else []
    for cls in classes:
        amounts += [*cls.pay.stops, *cls.pay.legs]
        amounts += [bonus.amount for bonus in cls.pay.bonuses]
    return gcd(*amounts) or 1
