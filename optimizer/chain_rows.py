"""Chains of routes as CP-SAT constraints (:class:`~engine.routing.vocabulary.Chains`).

A chain is written as its routes in order along it, with the stops between
which each runs: stop 0, route 0, stop 1, route 1, stop 2 ... Every division that
the word allows can be written so. The converse holds for up to three routes
but for one rare case (three routes between the same two stops) and fails from
four routes on; so runs that CP-SAT finds are priced by the word itself, and
:meth:`ChainRows.settle` states for the ends of such a run what exactly its
divisions pay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ortools.sat.python import cp_model
from ortools.sat.python.cp_model_helper import Literal

from engine.routing.problem import NetRoute
from engine.routing.vocabulary import Chains, PaidOnce
from optimizer.pricing import chain_pays
from optimizer.rows import Linear, Rows, Slot

SIMPLE = 3
"""With at most so many routes a chain passes no stop twice."""


class _Chain:
    """The literals of one chain.

    Attributes
    ----------
    holds
        By place and slot: the slot's route is there in the chain.
    at
        By place and stop: the chain is at the stop before the route there.
    """

    def __init__(self, rows: Rows, slots: Sequence[Slot], stops: Sequence[int]) -> None:
        model = rows.model
        places = range(len(slots))
        self.holds = [[rows.literal() for _ in slots] for _ in places]
        self.at = [{stop: rows.literal() for stop in stops} for _ in range(len(slots) + 1)]
        self.filled = [rows.literal() for _ in places]
        self.closed = rows.literal()
        for i in places:
            model.add(cp_model.LinearExpr.sum(self.holds[i]) == self.filled[i])
            model.add(cp_model.LinearExpr.sum(list(self.at[i + 1].values())) == self.filled[i])
            if i:
                model.add_implication(self.filled[i], self.filled[i - 1])
        model.add(cp_model.LinearExpr.sum(list(self.at[0].values())) == self.filled[0])
        self.ends_after = [
            rows.both(self.filled[i], self.filled[i + 1].negated())
            if i + 1 < len(slots)
            else self.filled[i]
            for i in places
        ]


class ChainRows:
    """The chains of a model.

    Parameters
    ----------
    rows
        The model.
    word
        How routes chain.

    Attributes
    ----------
    loose
        By name in PaidOnce, literals of ends of chains that count it.
    """

    def __init__(self, rows: Rows, word: Chains) -> None:
        self.rows = rows
        self.model = rows.model
        self.word = word
        self.slots = [slot for slot in rows.slots if slot.cls in word.classes]
        self.stops = sorted({stop for slot in self.slots for stop, _ in slot.ends()})
        self.loose: dict[str, list[Literal]] = {}
        self._loose_at: dict[int, list[Literal]] = {}
        self.bonuses: list[Linear] = []
        self.chains = [_Chain(rows, self.slots, self.stops) for _ in self.slots]
        for k, slot in enumerate(self.slots):
            places = [holds[k] for chain in self.chains for holds in chain.holds]
            self.model.add(cp_model.LinearExpr.sum(places) == slot.used)
        for chain in self.chains:
            self._follows_routes(chain)
            self._shape(chain)
            self._ends(chain)
        for literals in self._loose_at.values():
            self.model.add_at_most_one(literals)
        self._binding()
        self.counted = self._counted()
        self.total = rows.model.new_int_var(0, word.highest_bonus() * len(self.slots), "")
        self.model.add(self.total == sum(self.bonuses))
        rows.terms.append(rows.weights.revenue * self.total)

    def _follows_routes(self, chain: _Chain) -> None:
        """Each route runs from the stop before its place to the stop after it."""
        for i, holds in enumerate(chain.holds):
            self.rows.check()
            for stop in self.stops:
                self.model.add_bool_or(chain.at[i][stop].negated(), chain.at[i + 1][stop].negated())
                for here in (chain.at[i][stop], chain.at[i + 1][stop]):
                    for k, slot in enumerate(self.slots):
                        end = slot.ends_at(stop)
                        clause = [holds[k].negated(), here.negated()]
                        self.model.add_bool_or(*clause, *([] if end is None else [end]))

    def _shape(self, chain: _Chain) -> None:
        """A closed chain comes back to its first stop, an open short one passes no stop twice."""
        if not self.word.closed:
            self.model.add_bool_or(chain.closed.negated())
        self.model.add_implication(chain.closed, chain.filled[0])
        for stop in self.stops:
            later = [chain.at[i][stop] for i in range(2, len(self.slots) + 1)]
            self.model.add_bool_or(chain.closed.negated(), chain.at[0][stop].negated(), *later)
            if len(self.slots) <= SIMPLE:
                once = cp_model.LinearExpr.sum([places[stop] for places in chain.at])
                self.model.add(once <= 1).only_enforce_if(chain.closed.negated())

    def _ends(self, chain: _Chain) -> None:
        """Loose ends pay and earn a bonus between them; a closed chain pays one of its stops,
        with the bonus of that stop."""
        is_open = self.rows.both(chain.filled[0], chain.closed.negated())
        size = len(self.word.bonus)
        first = [self.rows.literal() for _ in range(size)]
        last = [self.rows.literal() for _ in range(size)]
        for places in (first, last):
            self.model.add(cp_model.LinearExpr.sum(places) == is_open)
        one_of_closed = []
        for stop in self.stops:
            start = self.rows.both(is_open, chain.at[0][stop])
            self._pays(stop, start)
            ending = []
            for i, ends_here in enumerate(chain.ends_after):
                end = self.rows.both(self.rows.both(is_open, ends_here), chain.at[i + 1][stop])
                ending.append(end)
                self._placed(chain.holds[i], end, stop, last)
            self._pays(stop, self.rows.any_of(ending))
            self._placed(chain.holds[0], start, stop, first)
            counted = self.rows.literal()
            self.model.add_implication(counted, chain.closed)
            self.model.add_bool_or(counted.negated(), *(places[stop] for places in chain.at))
            one_of_closed.append(counted)
            self._counts(stop, counted)
            self.bonuses.append(self.word.closed_bonus.get(stop, 0) * counted)
        self.model.add_at_most_one(one_of_closed)
        self._bonus(is_open, first, last)

    def _pays(self, stop: int, literal: Literal) -> None:
        self._loose_at.setdefault(stop, []).append(literal)
        self._counts(stop, literal)

    def _counts(self, stop: int, literal: Literal) -> None:
        once = self.rows.problem.word(PaidOnce)
        name = once.payee[stop] if once is not None else None
        if name is not None:
            self.loose.setdefault(name, []).append(literal)

    def _placed(
        self,
        holds: Sequence[cp_model.IntVar],
        end: Literal,
        stop: int,
        places: Sequence[cp_model.IntVar],
    ) -> None:
        """The leg by which the route at the end arrives decides the place of the end."""
        for k, slot in enumerate(self.slots):
            for at, leg in slot.ends():
                if at == stop:
                    place = places[self.word.place[stop, leg]]
                    by = slot.ends_by(stop, leg)
                    self.model.add_bool_or(holds[k].negated(), end.negated(), by.negated(), place)

    def _bonus(
        self,
        is_open: cp_model.IntVar,
        first: Sequence[cp_model.IntVar],
        last: Sequence[cp_model.IntVar],
    ) -> None:
        highest = self.word.highest_bonus()
        bonus = self.model.new_int_var(0, highest, "")
        self.model.add(bonus <= highest * is_open)
        for place, row in enumerate(self.word.bonus):
            given = cp_model.LinearExpr.weighted_sum(list(last), list(row))
            self.model.add(bonus <= given + highest * first[place].negated())
        self.bonuses.append(bonus)

    def _binding(self) -> None:
        """Binding routes run in the first chain, with another if another runs."""
        others = [k for k, slot in enumerate(self.slots) if slot.cls not in self.word.binding]
        bound = [k for k, slot in enumerate(self.slots) if slot.cls in self.word.binding]
        if not self.slots:
            return
        leading = self.chains[0].holds
        for k, slot in enumerate(self.slots):
            if self.word.single or k in bound:
                here = cp_model.LinearExpr.sum([holds[k] for holds in leading])
                self.model.add(here == slot.used)
        beside = cp_model.LinearExpr.sum([holds[k] for holds in leading for k in others])
        for k in bound:
            for other in others:
                both = cp_model.LinearExpr.sum([self.slots[k].used, self.slots[other].used])
                self.model.add(both <= 1 + beside)

    def _counted(self) -> dict[str, cp_model.IntVar]:
        """Return for each name a literal without which no chain counts it."""
        counted = {}
        for name, literals in sorted(self.loose.items()):
            counted[name] = self.rows.literal()
            self.model.add_bool_or(*literals, counted[name].negated())
        return counted

    def settle(self, chosen: Sequence[tuple[Slot, NetRoute]]) -> None:
        """State what runs whose chained routes end as these do pay, by the word itself."""
        running = dict(chosen)
        routes = [route for slot, route in chosen if slot in self.slots]
        divisions = self.word.divide(
            [(r.stops[0], r.stops[-1]) for r in routes], [r.cls for r in routes]
        )
        once = self.rows.problem.word(PaidOnce)
        ways = []
        for division in sorted(divisions, key=repr):
            for bonus, stops in chain_pays(self.word, division, routes):
                names = {once.payee[stop] for stop in stops} if once is not None else set()
                way = self.rows.literal()
                ways.append(way)
                self.model.add(self.total <= bonus).only_enforce_if(way)
                for name, literal in self.counted.items():
                    if name not in names:
                        self.model.add_implication(way, literal.negated())
        self.model.add_bool_or(*self.differs(running), *ways)

    def differs(self, running: Mapping[Slot, NetRoute]) -> Iterator[Literal]:
        """Yield literals of which one is true just if some chained route ends elsewhere."""
        for slot in self.slots:
            route = running.get(slot)
            if route is None:
                for stop in sorted({stop for stop, _ in slot.ends()}):
                    end = slot.ends_at(stop)
                    if end is not None:
                        yield end
            else:
                yield slot.ends_by(route.stops[0], route.legs[0]).negated()
                yield slot.ends_by(route.stops[-1], route.legs[-1]).negated()
