"""Every route of a family, grown layer by layer as arrays.

A route is grown from one of its own tokens, the *root*: first one arm, leg by
leg, then a second arm that starts with a leg of higher number. For the k-th
token the k - 1 before it are forbidden, so that each route arises once, from
the first of its tokens. A layer holds all states with equally many legs; one
array operation tries every leg of every state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import Of, TrainClass
from optimizer.packing.network import Amounts, Family, Flags, Ints, Small, Words, to_words
from optimizer.stop import Stop

CHUNK = 1 << 14
"""States expanded at once; bounds memory and the time between looks at the clock."""
FEW_STATES = 20_000
"""What is made into routes where time ran out."""
MOST_STATES = 3_000_000
"""More than any board of the known games needs; beyond it the list stays incomplete."""


@dataclass
class Layer:
    """States with equally many legs.

    Attributes
    ----------
    mask
        Bits taken (words x states), those of the root and of forbidden roots included.
    cur, end
        The growing end and the other one.
    closed
        The growing end cannot grow on.
    lone
        The root must stay an end.
    second
        The second arm is growing.
    first
        First leg of the first arm.
    value
        £ so far, once-only payments and spans left out.
    costs
        Budgets used (budgets x states).
    far, near
        Last counting stop towards `end` and towards `cur` (-1: none).
    bare_cur, bare_end
        The last leg and stop there bring nothing.
    parent, arc
        Where the state came from: state of the layer before, arc added.
    root
        Its root.
    """

    mask: Words
    cur: Small
    end: Small
    closed: Flags
    lone: Flags
    second: Flags
    first: Small
    value: Amounts
    costs: Small
    far: Small
    near: Small
    bare_cur: Flags
    bare_end: Flags
    parent: Amounts
    arc: Small
    root: Small

    def __len__(self) -> int:
        return len(self.cur)

    def take(self, which: npt.NDArray[np.intp] | Flags) -> Layer:
        """Return some of the states."""
        return Layer(
            self.mask[:, which],
            self.cur[which],
            self.end[which],
            self.closed[which],
            self.lone[which],
            self.second[which],
            self.first[which],
            self.value[which],
            self.costs[:, which],
            self.far[which],
            self.near[which],
            self.bare_cur[which],
            self.bare_end[which],
            self.parent[which],
            self.arc[which],
            self.root[which],
        )


def _joined(layers: Sequence[Layer]) -> Layer:
    if len(layers) == 1:
        return layers[0]
    return Layer(
        *(
            np.concatenate([getattr(layer, name) for layer in layers], axis=-1)
            for name in Layer.__dataclass_fields__
        )
    )


@dataclass(frozen=True)
class Trail:
    """What is kept of a layer to rebuild its routes."""

    root: Small
    second: Flags
    parent: Amounts
    arc: Small


@dataclass
class Routes:
    """The routes of a family.

    Attributes
    ----------
    family
        Whose routes they are.
    track
        Bits of track taken (words x routes).
    stops
        Bits of stops visited: words of the family behind those of track.
    value
        £ by themselves.
    costs
        Budgets used (budgets x routes).
    a, b
        Their ends.
    layer, place
        Where the state is from which the route is rebuilt.
    complete
        False if time or room ran out: routes are missing.
    subsidy
        £ of subsidy by themselves; None: none.
    sizes
        How many of their stops pay; None: all.
    paying
        Bits of the stops that pay, where a route is listed once for each choice
        that may be best for the run; None: one choice, which is best for the route.
    """

    family: Family
    track: Words
    stops: Words
    value: Ints
    costs: Small
    a: Small
    b: Small
    layer: Small
    place: Amounts
    trail: list[Trail]
    complete: bool
    subsidy: Ints | None = None
    sizes: Ints | None = None
    paying: Words | None = None

    def __len__(self) -> int:
        return len(self.value)

    def take(self, which: Ints) -> Routes:
        """Return some of the routes."""
        return replace(
            self,
            track=self.track[:, which],
            stops=self.stops[:, which],
            value=self.value[which],
            costs=self.costs[:, which],
            a=self.a[which],
            b=self.b[which],
            layer=self.layer[which],
            place=self.place[which],
            subsidy=None if self.subsidy is None else self.subsidy[which],
            sizes=None if self.sizes is None else self.sizes[which],
            paying=None if self.paying is None else self.paying[:, which],
        )

    def leg_sums(self, by_leg: Mapping[int, int]) -> Ints:
        """Return for each route the sum of the numbers of its legs."""
        of_arc = np.array([by_leg.get(int(leg), 0) for leg in self.family.leg], dtype=np.int64)
        found = np.zeros(len(self), dtype=np.int64)
        if not of_arc.any():
            return found
        states = np.zeros(len(self.trail[0].arc), dtype=np.int64)
        for depth, layer in enumerate(self.trail):
            if depth:
                states = states[layer.parent] + of_arc[layer.arc]
            here = self.layer == depth
            found[here] = states[self.place[here]]
        return found

    def marks(self, by_leg: Mapping[int, int]) -> Ints:
        """Return for each route the bits of its legs, or-ed."""
        of_arc = np.array([by_leg.get(int(leg), 0) for leg in self.family.leg], dtype=np.int64)
        found = np.zeros(len(self), dtype=np.int64)
        states = np.zeros(len(self.trail[0].arc), dtype=np.int64)
        for depth, layer in enumerate(self.trail):
            if depth:
                states = states[layer.parent] | of_arc[layer.arc]
            here = self.layer == depth
            found[here] = states[self.place[here]]
        return found

    def rebuild(self, number: int, train: str, cls: int) -> NetRoute:
        """Return a route in numbers of the problem."""
        family = self.family
        layer = int(self.layer[number])
        place = int(self.place[number])
        root = int(self.trail[layer].root[place])
        arms: tuple[list[int], list[int]] = ([], [])
        while layer > 0:
            states = self.trail[layer]
            arms[int(states.second[place])].append(int(states.arc[place]))
            place = int(states.parent[place])
            layer -= 1
        stops = [int(family.dst[arc]) for arc in arms[0]] + [root]
        legs = [int(family.leg[arc]) for arc in arms[0]]
        legs += [int(family.leg[arc]) for arc in reversed(arms[1])]
        stops += [int(family.dst[arc]) for arc in reversed(arms[1])]
        return NetRoute(train, cls, tuple(stops), tuple(legs))


def tested_legs(cls: TrainClass) -> set[int]:
    """Return the legs at which pay or needs of a class look."""
    kinds = [*cls.pay.bonuses]
    tests = [test for bonus in kinds for test in bonus.tests]
    tests += [test for need in cls.reach.needs for test in (*need.when, *need.then)]
    tests += cls.pay.factor.tests if cls.pay.factor else ()
    found = {n for test in tests if test.of is Of.LEGS for n in test.numbers}
    found |= {n for b in kinds if b.per is not None and b.of is Of.LEGS for n in b.per}
    return found.union(*(legs for b in cls.reach.budgets for legs, _ in b.rebates))


class Enumerator:
    """Grows the routes of one family.

    Parameters
    ----------
    problem, family
        What to grow on.
    tails
        Stops that bring nothing at the end of a route: routes that end there
        over track that brings nothing either are left out, as the shorter
        route does the same, unless they have two stops only.
    """

    def __init__(self, problem: RoutingProblem, family: Family, tails: frozenset[int]) -> None:
        self.problem = problem
        self.family = family
        reach = family.cls.reach
        count = len(problem.stops)
        self.through = np.zeros(count, dtype=np.bool_)
        self.through[sorted(reach.through)] = True
        self.ends = np.zeros(count, dtype=np.bool_)
        self.ends[sorted(reach.ends)] = True
        self.tail = np.zeros(count, dtype=np.bool_)
        self.tail[sorted(tails)] = True
        span = family.cls.pay.span
        self.counting = np.zeros(count, dtype=np.bool_)
        if span is not None:
            self.counting[sorted(span.counting)] = True
        self.most = tuple(a + b for a, b in zip(family.limits, family.slack, strict=True))
        self.limits = np.array(self.most, dtype=np.int64).reshape(-1, 1)
        tested = tested_legs(family.cls)
        self.bare = (family.gain == 0) & ~np.isin(family.leg, sorted(tested))

    def run(self, stop: Stop) -> Routes:
        """Return every route of the family, or those found when time or room ran out."""
        layers = [self._roots()]
        complete = True
        states = 0
        while len(layers[-1]):
            grown: list[Layer] = []
            for start in range(0, len(layers[-1]), CHUNK):
                if stop.over() or states > MOST_STATES:
                    complete = False
                    break
                more = self._grow(layers[-1], start)
                states += sum(map(len, more))
                grown.extend(more)
            if not complete:
                # time is up: a list that lacks routes proves nothing, and short ones do for a run
                while len(layers) > 2 and sum(map(len, layers)) > FEW_STATES:
                    layers.pop()
                break
            layers.append(_joined(grown) if grown else layers[-1].take(np.zeros(0, np.intp)))
        return self._routes(layers, complete)

    def _roots(self) -> Layer:
        family = self.family
        pay = family.cls.pay.stops
        budgets = family.cls.reach.budgets
        roots = [
            r
            for r in family.roots
            if all(
                (b.stops[r] if b.stops else 0) <= limit
                for b, limit in zip(budgets, self.most, strict=True)
            )
        ]
        before = 0
        masks = []
        for root in roots:
            own = int.from_bytes(family.stop_bits[:, root].astype("<u8").tobytes(), "little")
            masks.append(to_words(own | before, family.words))
            before |= 1 << family.stop_bit_of[root]
        cur = np.array(roots, dtype=np.int16)
        none = np.full(len(roots), -1, dtype=np.int16)
        counts = np.where(self.counting[cur], cur, -1) if roots else none
        costs = [[b.stops[r] if b.stops else 0 for r in roots] for b in budgets]
        return Layer(
            mask=np.array(masks, dtype=np.uint64).reshape(-1, family.words).T,
            cur=cur,
            end=cur,
            closed=np.zeros(len(roots), dtype=np.bool_),
            lone=~self.through[cur],
            second=np.zeros(len(roots), dtype=np.bool_),
            first=none,
            value=np.array([pay[r] for r in roots], dtype=np.int32),
            costs=np.array(costs, dtype=np.int16).reshape(len(budgets), len(roots)),
            far=counts,
            near=counts,
            bare_cur=np.zeros(len(roots), dtype=np.bool_),
            bare_end=np.zeros(len(roots), dtype=np.bool_),
            parent=none.astype(np.int32),
            arc=none,
            root=cur,
        )

    def _grow(self, layer: Layer, start: int) -> list[Layer]:
        states = np.arange(start, min(start + CHUNK, len(layer)))
        out = []
        alive = states[~layer.closed[states]]
        if len(alive):
            out.append(self._extend(layer, alive, layer.cur[alive], switch=False))
        turning = states[(layer.first[states] >= 0) & ~layer.second[states] & ~layer.lone[states]]
        if len(turning):
            out.append(self._extend(layer, turning, layer.root[turning], switch=True))
        return [grown for grown in out if len(grown)]

    def _extend(
        self, layer: Layer, states: npt.NDArray[np.intp], source: Small, *, switch: bool
    ) -> Layer:
        """Try every arc from `source` for each of `states`."""
        family = self.family
        degree = family.degree[source]
        state = np.repeat(states, degree)
        offset = np.arange(len(state)) - np.repeat(np.cumsum(degree) - degree, degree)
        arc = np.repeat(family.first_arc[source], degree) + offset
        fits = np.ones(len(state), dtype=np.bool_)
        for word in range(family.words):
            fits &= (layer.mask[word, state] & family.masks[word, arc]) == 0
        at_root = layer.first[state] < 0
        fits &= ~family.dep_only[arc] | at_root
        if switch:
            fits &= family.leg[arc] > layer.first[state]
        state, arc, at_root = state[fits], arc[fits], at_root[fits]
        costs = layer.costs[:, state] + family.costs[:, arc]
        within = np.all(costs <= self.limits, axis=0)
        state, arc, at_root, costs = state[within], arc[within], at_root[within], costs[:, within]
        return self._states(layer, state, arc, at_root, costs, switch)

    def _states(
        self, layer: Layer, state: Ints, arc: Ints, at_root: Flags, costs: Small, switch: bool
    ) -> Layer:
        family = self.family
        target = family.dst[arc]
        counts = self.counting[target]
        # the second arm starts at the root's end: what counted there counts for it
        near, far = (layer.far, layer.near) if switch else (layer.near, layer.far)
        near, far = near[state], far[state]
        far = np.where((far < 0) & counts, target, far)
        return Layer(
            mask=layer.mask[:, state] | family.masks[:, arc],
            cur=target,
            end=layer.cur[state] if switch else layer.end[state],
            closed=family.arr_only[arc] | ~self.through[target],
            lone=layer.lone[state] | (at_root & family.dep_only[arc]),
            second=np.ones(len(arc), np.bool_) if switch else layer.second[state],
            first=np.where(at_root, family.leg[arc], layer.first[state]),
            value=layer.value[state] + family.gain[arc],
            costs=costs,
            far=far,
            near=np.where(counts, target, near),
            bare_cur=self.tail[target] & self.bare[arc],
            bare_end=(layer.bare_cur if switch else layer.bare_end)[state],
            parent=state.astype(np.int32),
            arc=arc.astype(np.int16),
            root=layer.root[state],
        )

    def _routes(self, layers: list[Layer], complete: bool) -> Routes:
        reach = self.family.cls.reach
        picked: list[tuple[int, npt.NDArray[np.intp]]] = []
        for depth, layer in enumerate(layers):
            if depth + 1 < reach.fewest or not len(layer):
                continue
            ends = self.ends[layer.cur] & self.ends[layer.end]
            if depth >= max(2, reach.fewest):
                ends &= ~layer.bare_cur & ~layer.bare_end
            for group in reach.groups:
                if group.unless:
                    ends &= self._group_holds(layer, group.stops, group.unless)
            picked.append((depth, np.flatnonzero(ends)))
        chosen = _joined(
            [layers[d].take(which) for d, which in picked] or [layers[0].take(np.zeros(0, np.intp))]
        )
        depth_of = np.concatenate([np.full(len(w), d) for d, w in picked] or [np.zeros(0, int)])
        place = np.concatenate([w for _, w in picked] or [np.zeros(0, np.intp)])
        return Routes(
            family=self.family,
            track=chosen.mask[: self.family.track_words],
            stops=self._visited(chosen),
            value=self._values(chosen),
            costs=chosen.costs,
            a=chosen.end,
            b=chosen.cur,
            layer=depth_of.astype(np.int16),
            place=place.astype(np.int32),
            trail=[Trail(x.root, x.second, x.parent, x.arc) for x in layers],
            complete=complete,
        )

    def _visited(self, chosen: Layer) -> Words:
        """Return the stop words with the bits of forbidden roots cleared."""
        family = self.family
        words = chosen.mask[family.track_words :].copy()
        before = 0
        for root in family.roots:
            mine = chosen.root == root
            if before and mine.any():
                clear = ~to_words(before, family.words)[family.track_words :, None]
                words[:, mine] &= clear
            before |= 1 << family.stop_bit_of[root]
        return words

    def _group_holds(self, layer: Layer, stops: frozenset[int], unless: frozenset[int]) -> Flags:
        visited = self._visited(layer)
        skip = self.family.track_words
        several = np.zeros(len(layer), dtype=np.int64)
        excused = np.zeros(len(layer), dtype=np.bool_)
        group = self.family.mask_of(stops)[skip:]
        excuse = self.family.mask_of(unless)[skip:]
        for word in range(len(group)):
            several += np.bitwise_count(visited[word] & group[word])
            excused |= (visited[word] & excuse[word]) != 0
        return (several <= 1) | excused

    def _values(self, chosen: Layer) -> Ints:
        """Return values with once-only payments and spans put in."""
        pay = self.family.cls.pay
        value = chosen.value.astype(np.int64)
        visited = self._visited(chosen) if pay.once else None
        skip = self.family.track_words
        for group in pay.once:
            if visited is None or len(group & self.family.stop_bit_of.keys()) < 2:
                continue
            best = np.zeros(len(value), dtype=np.int64)
            for stop in sorted(group & self.family.stop_bit_of.keys()):
                mask = self.family.mask_of((stop,))[skip:]
                here = np.any((visited & mask[:, None]) != 0, axis=0)
                paid = here * pay.stops[stop]
                value -= paid
                best = np.maximum(best, paid)
            value += best
        if pay.span is not None and len(value):
            value += pay.span.rate * self._distance(chosen.far, chosen.near)
        return value

    def _distance(self, a: Small, b: Small) -> Ints:
        points = np.array([stop.point for stop in self.problem.stops], dtype=np.int64)
        step = np.abs(points[a] - points[b])
        apart = step[:, 0] + np.maximum(0, (step[:, 1] - step[:, 0]) // 2)
        return np.where((a < 0) | (b < 0), 0, apart)
