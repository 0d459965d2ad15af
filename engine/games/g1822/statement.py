"""The statement of 1822's routing problem in the words of the vocabulary (1822 §11.17)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import gcd

from engine.games.g1822.classes import Classes, state_classes
from engine.games.g1822.network import Network, build_network
from engine.games.g1822.profile import Profile1822
from engine.games.g1822.special import Special, is_local
from engine.routing.problem import RoutingProblem
from engine.routing.run import Position, Run, TokenRef, Verdict
from engine.routing.vocabulary import EndsSubsidy, OneOf, VisitBonus, Word
from engine.titles.trains import TrainKind


def state_problem(
    position: Position,
    profile: Profile1822,
    special: Special,
    kinds: Mapping[str, TrainKind],
    judge: Callable[[Run], Verdict],
) -> RoutingProblem:
    """State what the director of a company decides.

    Parameters
    ----------
    position
        Board and company.
    profile
        The reading of the rules.
    special
        Places with rules of their own.
    kinds
        By id the kind of each train that may run now.
    judge
        The referee.
    """
    net = build_network(position.board, position.company.corporation, special)
    classes = state_classes(net, position, profile, special, kinds)
    bonuses = tuple(_bonus(net, position, classes))
    words: list[Word] = [*bonuses, *_mail(net, position, classes), *_fork(net)]
    return RoutingProblem(
        position=position,
        stops=net.stops,
        legs=net.legs,
        classes=tuple(stated.cls for stated in classes.listed),
        words=tuple(words),
        judge=judge,
        attachments=classes.attachments,
        step=_step(classes, bonuses),
    )


def _city(net: Network, position: Position, ref: TokenRef | None) -> int | None:
    stop = None if ref is None else position.board.city_at(ref.hex, ref.city)
    return None if stop is None else net.numbers.get(stop.id)


def _bonus(net: Network, position: Position, classes: Classes) -> Iterator[VisitBonus]:
    """The value of the destination, for an E twice, paid once (1822 §11.14)."""
    home = _city(net, position, position.company.home)
    destination = _city(net, position, position.company.destination)
    if home is not None and destination is not None:
        value = net.values[destination]
        amount = {n: each.kind.multiplier * value for n, each in enumerate(classes.listed)}
        yield VisitBonus(frozenset({home, destination}), amount)


def _mail(net: Network, position: Position, classes: Classes) -> Iterator[EndsSubsidy]:
    """Half the plain values of both ends, for the best routes but local ones (1822 §11.15)."""
    if position.company.mail_contracts:
        carrying = {n for n, each in enumerate(classes.listed) if not is_local(each.kind)}
        yield EndsSubsidy(position.company.mail_contracts, net.values, 2, frozenset(carrying))


def _fork(net: Network) -> Iterator[OneOf]:
    """One of the tracks between Merthyr Tydfil and Pontypool over all trains (1822 §11.6)."""
    marks = frozenset(mark for leg in net.legs for mark in leg.marks)
    if len(marks) > 1:
        yield OneOf(marks)


def _step(classes: Classes, bonuses: tuple[VisitBonus, ...]) -> int:
    """Return the largest amount of which every revenue is a multiple, in £."""
    amounts = [value for stated in classes.listed for value in stated.cls.pay.stops]
    amounts.extend(value for bonus in bonuses for value in bonus.amount.values())
    return gcd(*amounts) or 1
