"""The statement of the problem of titles that declare their rules.

Shares no code with the referee but the reading of data: what selectors, amounts
and grants mean on a board.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd

from engine.declared.classes import make_class
from engine.declared.coupling import coupling_words
from engine.declared.net import Net, build_net
from engine.declared.reading import Reading
from engine.routing.problem import RoutingProblem
from engine.routing.run import Position, Run, Verdict
from engine.routing.vocabulary import NetStop, TrainClass, Word
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
    classes = _classes(reading, net)
    words, constant = coupling_words(reading, net, classes)
    return RoutingProblem(
        position=position,
        stops=tuple(NetStop(s.id, s.hex, s.point, s.kind, s.name or s.hex) for s in net.stops),
        legs=net.legs,
        classes=classes,
        words=words,
        judge=judge,
        step=_step(classes, words),
        constant=constant,
    )


def _classes(reading: Reading, net: Net) -> tuple[TrainClass, ...]:
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
    made = (
        make_class(reading, net, faces[key], tuple(ids), obsolete=key[1])
        for key, ids in trains.items()
    )
    return tuple(cls for cls in made if cls is not None)


def _step(classes: tuple[TrainClass, ...], words: tuple[Word, ...]) -> int:
    """Return the greatest amount of which everything that can be paid is a multiple."""
    amounts = [1] if any(cls.pay.factor for cls in classes) or words else []
    for cls in classes:
        amounts += [*cls.pay.stops, *cls.pay.legs]
        amounts += [bonus.amount for bonus in cls.pay.bonuses]
    return gcd(*amounts) or 1
