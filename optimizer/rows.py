"""The coupling words as CP-SAT constraints, over trains whose routes the model decides.

Used by the two formulations with CP-SAT alone: :mod:`optimizer.assignment`,
in which a train chooses from a list of routes, and :mod:`optimizer.circuit`, in
which its legs form a circuit. Both give each train as a :class:`Slot`; the
constraints here see stops, ends and legs only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TypeVar

from ortools.sat.python import cp_model
from ortools.sat.python.cp_model_helper import Literal

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import (
    AtMostRoutes,
    Echo,
    GroupBonus,
    HexSubsidy,
    MustMeet,
    MustVisit,
    OneOf,
    PaidOnce,
)
from optimizer.stop import Stop
from optimizer.task import Weights

CHECK_EVERY = 256
"""After so many literals or routes a model under construction looks whether time ran out."""

Linear = cp_model.LinearExprT
Item = TypeVar("Item")


class StatementStopped(Exception):
    """Time ran out while a model was stated."""


class Slot(ABC):
    """A train of a class in the model: it runs one route, or stands idle.

    Parameters
    ----------
    cls
        Class as which it runs.
    pinned
        The route that it must run, or None.
    """

    def __init__(self, cls: int, pinned: NetRoute | None) -> None:
        self.cls = cls
        self.pinned = pinned

    @property
    @abstractmethod
    def used(self) -> Linear:
        """1 if it runs; a slot for several trains counts those that run."""

    @abstractmethod
    def running(self) -> Sequence[Literal]:
        """Return literals of which one is true just if it runs."""

    @abstractmethod
    def runs(self) -> Literal:
        """Return a literal: it runs."""

    @abstractmethod
    def stops(self) -> Collection[int]:
        """Return the stops that its route may visit."""

    @abstractmethod
    def legs(self) -> Collection[int]:
        """Return the legs that its route may use."""

    @abstractmethod
    def visits(self, stop: int) -> Literal:
        """Return a literal: its route visits the stop, one of :meth:`stops`."""

    @abstractmethod
    def ends(self) -> Collection[tuple[int, int]]:
        """Return every (stop, leg) such that a route may end at the stop by the leg."""

    @abstractmethod
    def ends_by(self, stop: int, leg: int) -> Literal:
        """Return a literal: its route ends at the stop by the leg."""

    @abstractmethod
    def ends_at(self, stop: int) -> Literal | None:
        """Return a literal: its route ends at the stop; None if it never does."""

    @abstractmethod
    def touching(self, stops: Collection[int], legs: Collection[int]) -> Sequence[Literal]:
        """Return literals of which one is true just if the route has one of these stops or legs."""


@dataclass
class Rows:
    """A model under construction.

    Parameters
    ----------
    problem, weights
        What is modelled.
    model
        The model.
    slots
        The trains.
    stop
        When to give up stating the model.
    terms
        Weighted amounts that add up to the objective.
    """

    problem: RoutingProblem
    weights: Weights
    model: cp_model.CpModel
    slots: Sequence[Slot]
    stop: Stop
    terms: list[Linear] = field(default_factory=list)
    _made: int = 0

    def check(self) -> None:
        """Raise StatementStopped if time ran out."""
        if self.stop.over():
            raise StatementStopped

    def watched(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield the items; look now and then whether time ran out (see :meth:`check`)."""
        for number, item in enumerate(items):
            if number % CHECK_EVERY == 0:
                self.check()
            yield item

    def literal(self) -> cp_model.IntVar:
        """Return a new literal."""
        self._made += 1
        if self._made % CHECK_EVERY == 0:
            self.check()
        return self.model.new_bool_var("")

    def both(self, a: Literal, b: Literal) -> cp_model.IntVar:
        """Return a literal that is true just if both are."""
        both = self.literal()
        self.model.add_bool_or(a.negated(), b.negated(), both)
        self.model.add_implication(both, a)
        self.model.add_implication(both, b)
        return both

    def any_of(self, literals: Iterable[Literal]) -> cp_model.IntVar:
        """Return a literal that is true just if one of them is."""
        listed = list(literals)
        result = self.literal()
        self.model.add_bool_or(*listed, result.negated())
        for literal in listed:
            self.model.add_implication(literal, result)
        return result

    def earn(self, literal: Literal, revenue: int = 0, subsidy: int = 0) -> None:
        """Add amounts in £ to the objective where the literal is true."""
        self.terms.append(self.weights.value(revenue, subsidy) * literal)

    # --- words ---------------------------------------------------------------

    def must_visit(self, word: MustVisit) -> None:
        """If anything runs, some route visits one of the stops."""
        visited = self.any_of(
            literal for slot in self.slots for literal in slot.touching(word.stops, ())
        )
        for slot in self.slots:
            for literal in slot.running():
                self.model.add_implication(literal, visited)

    def one_of(self, word: OneOf) -> None:
        """Of the marks at most one is used."""
        flags = []
        for mark in sorted(word.marks):
            legs = [n for n, leg in enumerate(self.problem.legs) if mark in leg.marks]
            flag = self.literal()
            flags.append(flag)
            for slot in self.slots:
                for literal in slot.touching((), legs):
                    self.model.add_implication(literal, flag)
        self.model.add_at_most_one(flags)

    def at_most_routes(self, word: AtMostRoutes) -> None:
        """No more routes run than that."""
        running = [slot.used for slot in self.slots]
        self.model.add(cp_model.LinearExpr.sum(running) <= word.count)

    def some_route(self, marked: Sequence[Literal]) -> None:
        """If anything runs, one of these literals is true."""
        for slot in self.slots:
            for literal in slot.running():
                self.model.add_bool_or(literal.negated(), *marked)

    def echo(self, word: Echo) -> None:
        """The best of the stops that a route visits pays again."""
        stops: dict[int, list[int]] = {}
        for stop, value in word.value.items():
            stops.setdefault(value, []).append(stop)
        paid = []
        for value, some in sorted(stops.items()):
            touching = [lit for slot in self.slots for lit in slot.touching(some, ())]
            if value > 0 and touching:
                paid.append(self.literal())
                self.model.add_bool_or(*touching, paid[-1].negated())
                self.earn(paid[-1], revenue=value)
        self.model.add_at_most_one(paid)

    def hex_subsidy(self, word: HexSubsidy) -> None:
        """Each hex touched by a route of the classes pays once."""
        slots = [slot for slot in self.slots if slot.cls in word.classes]
        stops: dict[str, list[int]] = {}
        legs: dict[str, list[int]] = {}
        for number, stop in enumerate(self.problem.stops):
            stops.setdefault(stop.hex, []).append(number)
        for number, leg in enumerate(self.problem.legs):
            for hex_id in leg.hexes:
                legs.setdefault(hex_id, []).append(number)
        for hex_id in sorted({*stops, *legs}):
            touching = [
                literal
                for slot in slots
                for literal in slot.touching(stops.get(hex_id, ()), legs.get(hex_id, ()))
            ]
            if touching:
                paid = self.literal()
                self.model.add_bool_or(*touching, paid.negated())
                self.earn(paid, subsidy=word.amount)

    def paid_once(self, word: PaidOnce, loose: Mapping[str, Sequence[Literal]]) -> None:
        """Each name pays once, if a route or an end of a chain counts it.

        Parameters
        ----------
        loose
            By name, literals of ends of chains that count it.
        """
        payers = {name: list(literals) for name, literals in loose.items()}
        for slot in self.slots:
            if slot.cls not in word.choose:
                continue
            always, limit, choice = word.choose[slot.cls]
            chosen: list[Literal] = []
            for stop in sorted(slot.stops()):
                name = word.payee[stop]
                if name is not None and stop in always:
                    payers.setdefault(name, []).append(slot.visits(stop))
                elif name is not None and stop in choice and _may_pay(slot, stop):
                    counted = self.literal()
                    self.model.add_implication(counted, slot.visits(stop))
                    chosen.append(counted)
                    payers.setdefault(name, []).append(counted)
            self.model.add(cp_model.LinearExpr.sum(chosen) <= limit)
        for name, literals in sorted(payers.items()):
            paid = self.literal()
            self.model.add_bool_or(*literals, paid.negated())
            self.earn(paid, revenue=word.amount[name])

    def must_meet(self, word: MustMeet) -> None:
        """The routes that run are connected: they form one tree of routes that share a stop."""
        touch = self._touch(word.stops, exact=False)
        roots = self._trees(touch)[0]
        self.model.add_at_most_one(roots)

    def group_bonus(self, word: GroupBonus) -> None:
        """Sets of touching routes earn for the letters that they have between them.

        Each set is named after the root of its tree.
        """
        touch = self._touch(word.touch, exact=not word.best)
        roots, parents = self._trees(touch)
        count = len(self.slots)
        member = [[self.literal() for _ in range(count)] for _ in range(count)]
        for k, slot in enumerate(self.slots):
            self.model.add(cp_model.LinearExpr.sum(member[k]) == slot.used)
            self.model.add(member[k][k] == roots[k])
            for g in range(count):
                self.model.add_implication(member[k][g], member[g][g])
        together = list(parents.items())
        if not word.best:
            together += [(pair, literal) for pair, literal in touch.items()]
        for (k, other), literal in together:
            for g in range(count):
                self.model.add(member[k][g] == member[other][g]).only_enforce_if(literal)
        self._letters(word, member)

    def _letters(self, word: GroupBonus, member: list[list[cp_model.IntVar]]) -> None:
        """Add what each set earns for its letters."""
        letters = sorted({letter for pair in word.pairs for letter in pair[:2]})
        within: dict[tuple[int, str], list[Literal]] = {}
        for k, slot in enumerate(self.slots):
            for letter in letters:
                ends = [s for s, has in sorted(word.letters.items()) if letter in has]
                literals = [lit for s in ends if (lit := slot.ends_at(s)) is not None]
                if not literals:
                    continue
                has = self.any_of(literals)
                for g in range(len(self.slots)):
                    within.setdefault((g, letter), []).append(self.both(has, member[k][g]))
        for g in range(len(self.slots)):
            for one, two, amount in word.pairs:
                if (g, one) in within and (g, two) in within:
                    earned = self.literal()
                    self.model.add_bool_or(*within[g, one], earned.negated())
                    self.model.add_bool_or(*within[g, two], earned.negated())
                    self.earn(earned, revenue=amount)

    # --- which trains touch --------------------------------------------------

    def _touch(
        self, stops: Collection[int], *, exact: bool
    ) -> dict[tuple[int, int], cp_model.IntVar]:
        """Return for pairs of slots a literal: their routes share one of the stops.

        Without `exact` the literal may be false although they do.
        """
        touch: dict[tuple[int, int], cp_model.IntVar] = {}
        for (k, a), (m, b) in combinations(enumerate(self.slots), 2):
            shared = []
            for stop in sorted(set(a.stops()) & set(b.stops()) & set(stops)):
                here = self.literal()
                self.model.add_implication(here, a.visits(stop))
                self.model.add_implication(here, b.visits(stop))
                if exact:
                    self.model.add_bool_or(a.visits(stop).negated(), b.visits(stop).negated(), here)
                shared.append(here)
            if shared:
                touch[k, m] = self.any_of(shared)
        return touch

    def _trees(
        self, touch: dict[tuple[int, int], cp_model.IntVar]
    ) -> tuple[list[cp_model.IntVar], dict[tuple[int, int], cp_model.IntVar]]:
        """Arrange the routes that run in trees along touching pairs.

        Returns
        -------
        roots, parents
            Literals: the slot is a root; the first slot's parent is the second.
        """
        count = len(self.slots)
        roots = [self.literal() for _ in self.slots]
        depth = [self.model.new_int_var(0, max(0, count - 1), "") for _ in self.slots]
        parents: dict[tuple[int, int], cp_model.IntVar] = {}
        for (k, m), literal in touch.items():
            for child, parent in ((k, m), (m, k)):
                chosen = self.literal()
                self.model.add_implication(chosen, literal)
                self.model.add(depth[child] >= depth[parent] + 1).only_enforce_if(chosen)
                parents[child, parent] = chosen
        for k, slot in enumerate(self.slots):
            mine = [literal for (child, _), literal in parents.items() if child == k]
            self.model.add(cp_model.LinearExpr.sum([roots[k], *mine]) == slot.used)
        return roots, parents


def _may_pay(slot: Slot, stop: int) -> bool:
    """A pinned route that says what pays leaves no choice."""
    pinned = slot.pinned
    return pinned is None or pinned.paid is None or stop in pinned.paid
