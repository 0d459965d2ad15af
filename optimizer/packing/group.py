"""Classes of one track class of which some have no limit: prices, bounds and best runs.

Prices of track come from the linear program of :mod:`~optimizer.packing.prices` over few
routes. The best routes at its prices are found in the states of the classes
(:mod:`~optimizer.packing.player`), and the best ones beside them on the track that is left, which
are a run as well. What the bound at the prices leaves open :mod:`~optimizer.packing.joint`
decides: for a target just below the bound first, where few states are left, then for lower ones.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from engine.routing.problem import NetRoute
from optimizer.packing.couple import Coupling, Pool
from optimizer.packing.frontier import Frontier, FrontierMaker, coupling_marks, usable_legs
from optimizer.packing.joint import Ending, Joint, piece_costs
from optimizer.packing.network import Words
from optimizer.packing.order import leg_order
from optimizer.packing.player import (
    Piece,
    Player,
    frontier_player,
    listed_player,
    pieces_of,
    route_of,
)
from optimizer.packing.pools import PoolMaker
from optimizer.packing.prices import Bound as PriceBound
from optimizer.packing.prices import Floats, Master, Prices, fix, no_prices, reduced
from optimizer.task import Task

ROUNDS = 40
"""Linear programs at most."""
PATIENCE = 6
"""Linear programs without a better bound or a better run before the joint decision begins."""
LISTED = 40
"""Listed routes of a class that enter the linear program at once."""

Made = TypeVar("Made")

Found = tuple[tuple[NetRoute, ...], int]
"""Routes of some trains and their value, if they have the places of all words to themselves."""


class Group:
    """The trains of a fleet that share one track class, some of them without a limit.

    Parameters
    ----------
    counts
        By class how many of its trains run.
    pools
        Routes of the classes that have a limit.
    used, marks
        Track and marks that pinned routes use.
    grain
        Every value is a multiple of it.

    Attributes
    ----------
    best
        The best run of the group so far.
    bound
        No run of the group is worth more.
    """

    def __init__(
        self,
        task: Task,
        coupling: Coupling,
        maker: PoolMaker,
        counts: Mapping[int, int],
        pools: Sequence[Pool],
        used: Words,
        marks: int,
        grain: int,
    ) -> None:
        self.task = task
        self.problem = task.problem
        self.coupling = coupling
        self.maker = maker
        self.grain = grain
        self.listed = list(pools)
        self.unlimited = {c: n for c, n in counts.items() if maker.unlimited(c)}
        self.trains = sum(counts.values())
        self.pieces: tuple[Piece, ...] = ()
        self.frontiers = self._frontiers(counts, used, marks)
        self.best: Found = ((), 0)
        self.bound = float("inf")
        self.prices = no_prices(maker.words, coupling)

    def _frontiers(self, counts: Mapping[int, int], used: Words, marks: int) -> list[Player]:
        """Find the states of the classes without a limit, and the order of all pieces."""
        claims = sorted({bit for c in counts for bit in self.maker.claims_of(c)})
        taken = sum(int(word) << 64 * n for n, word in enumerate(used))
        with self.task.stages("frontier") as stage:
            usable = {c: self._usable(c, taken, marks) for c in self.unlimited}
            legs = {n: bits for mine in usable.values() for n, bits in mine.items()}
            for pool in self.listed:
                legs |= {n: self.maker.bits_of(pool.cls, n) for n in self.maker.legs[pool.cls]}
            order = self._remembered(
                ("order", tuple(sorted(legs.items()))),
                lambda: leg_order(self.problem, sorted(legs), legs),
            )
            self.pieces = pieces_of(order, legs, claims)
            players = []
            for number, count in self.unlimited.items():
                frontier = self._frontier(number, order, usable[number])
                stage.counts["states"] = stage.counts.get("states", 0) + frontier.size
                players.append(frontier_player(frontier, count, self.pieces))
        return players

    def _banned(self, number: int) -> list[tuple[int, ...]]:
        return sorted(tuple(sorted(key[2])) for key in self.task.banned if key[0] == number)

    def _usable(self, number: int, taken: int, marks: int) -> dict[int, int]:
        """Return the legs that a class may need beside pinned routes, with their track."""
        legs = {leg: self.maker.bits_of(number, leg) for leg in self.maker.legs[number]}
        free = {
            leg: bits
            for leg, bits in legs.items()
            if not bits & taken and self._marks_fit(leg, marks)
        }
        banned = bool(self._banned(number))
        return usable_legs(self.problem, number, self.coupling, free, banned)

    def _frontier(self, number: int, order: Sequence[int], usable: Mapping[int, int]) -> Frontier:
        """Find the states of a class on the legs that it may need."""
        banned = self._banned(number)
        mine = [leg for leg in order if leg in usable]
        plenty = self._plenty()
        cls = self.problem.classes[number]
        items = tuple(usable[leg] for leg in mine)
        weights = self.coupling.weights
        made = FrontierMaker(
            self.problem,
            number,
            self.coupling,
            mine,
            usable,
            [frozenset(some) for some in banned],
            plenty,
        )
        return self._remembered(
            ("frontier", number, cls.reach, cls.pay, tuple(mine), items, tuple(banned),
             tuple(plenty), weights),
            lambda: made.run(self.task.stop),
        )  # fmt: skip

    def _remembered(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what an earlier task on the same network has made already."""
        memory = self.task.memory
        if key not in memory:
            memory[key] = make()
        found: Made = memory[key]
        return found

    def _marks_fit(self, leg: int, marks: int) -> bool:
        mine = coupling_marks(self.coupling, self.problem.legs[leg].marks)
        return self.coupling.allowed(mine | marks)

    def _plenty(self) -> list[bool]:
        """Tell of which words every train may have a place."""
        trains = sum(len(cls.trains) for cls in self.problem.classes)
        return [count >= trains for count in self.coupling.counts]

    # --- prices --------------------------------------------------------------

    def price(self, least: float) -> None:
        """Lower the bound by prices and find good runs, until the bound is below `least`."""
        with self.task.stages("prices") as stage:
            master = _Columns(self)
            prices, stale = self.prices, 0
            for _ in range(ROUNDS):
                before = (self.bound, self.best[1])
                bound, worth = self._bound_at(prices)
                if bound < self.bound:
                    self.bound, self.prices = bound, prices
                columns = self._greedy(prices, worth)
                stale = 0 if (self.bound, self.best[1]) != before else stale + 1
                if self._closed(least) or stale > PATIENCE or self.task.stop.over():
                    break
                if self.trains == 1 or not master.add(columns, prices):
                    break
                found = master.solve()
                if found is None:
                    break
                prices = found
                stage.counts["programs"] = stage.counts.get("programs", 0) + 1
        self._fix(least)

    def _closed(self, least: float) -> bool:
        """Tell whether no run is both better than the best one and worth `least`."""
        return self.bound < max(least, self.best[1] + self.grain)

    def _bound_at(self, prices: Prices) -> tuple[float, list[list[Floats]]]:
        """Return the bound at prices, and what each class is worth at them."""
        costs = piece_costs(self.pieces, prices)
        total = float(prices.track.sum())
        for count, place in zip(self.coupling.counts, prices.places, strict=True):
            total += count * float(place)
        worth = []
        for player in self.frontiers:
            worth.append(player.worth(costs, prices.places))
            total += player.count * max(0.0, float(worth[-1][0].max()))
        for pool in self.listed:
            if len(pool):
                most = float(reduced(pool, prices, self.coupling).max())
                total += pool.count * max(0.0, most)
        return total, worth

    def _greedy(self, prices: Prices, worth: list[list[Floats]]) -> list[list[NetRoute]]:
        """Give the trains their best routes at the prices, one beside the other.

        Returns the routes of each class without a limit; the run is kept if it is better.
        """
        costs = piece_costs(self.pieces, prices)
        used = 0
        run: list[NetRoute] = []
        columns: list[list[NetRoute]] = []
        for player, mine in zip(self.frontiers, worth, strict=True):
            columns.append([])
            barred = costs
            for n in range(player.count):
                if used:
                    barred = [
                        np.inf if piece.bits & used else cost
                        for piece, cost in zip(self.pieces, costs, strict=True)
                    ]
                    mine = player.worth(barred, prices.places)
                legs = [self.pieces[p] for p in player.best(mine, barred)]
                if not legs or (n and self.task.stop.over()):
                    break
                for piece in legs:
                    used |= piece.bits
                columns[-1].append(
                    route_of(
                        self.problem, player.number, [p.leg for p in legs if p.leg is not None]
                    )
                )
            run += columns[-1]
        self._keep(run, prices)
        return columns

    def _keep(self, run: Sequence[NetRoute], prices: Prices) -> None:
        """Fill up a run with listed routes, and keep it if it is better than the best."""
        chosen = [(self.maker.routes_pool([route]), 0) for route in run]
        used = np.zeros(self.maker.words, dtype=np.uint64)
        for pool, route in chosen:
            used |= pool.track[:, route]
        for pool in self.listed:
            for _ in range(pool.count):
                free = np.all((pool.track & used[:, None]) == 0, axis=0)
                where = np.flatnonzero(free)
                if not len(where):
                    break
                worth = reduced(pool, prices, self.coupling)[where]
                pick = int(where[int(np.argmax(worth))])
                chosen.append((pool, pick))
                used |= pool.track[:, pick]
        marks = 0
        for pool, route in chosen:
            marks |= int(pool.marks[route])
        value = self.coupling.value(chosen)
        if value > self.best[1] and self.coupling.allowed(marks):
            routes = [pool.source.rebuild(int(pool.index[n]), "", pool.cls) for pool, n in chosen]
            self.best = tuple(routes), value

    def _fix(self, least: float) -> None:
        """Drop the listed routes that no run of interest can hold."""
        worths = [reduced(pool, self.prices, self.coupling) for pool in self.listed]
        best = [max(0.0, float(w.max())) if len(w) else 0.0 for w in worths]
        at = PriceBound(self.bound, worths, best)
        self.listed, _ = fix(self.listed, at, least)

    # --- runs ----------------------------------------------------------------

    def reaching(self, least: float) -> list[Found] | None:
        """Return the best runs worth at least `least`, one for each way to use the words.

        None if time ran out, or there is too much to be decided.
        """
        if self.bound < least:
            return []
        with self.task.stages("joint") as stage:
            players = [*self.frontiers, *self._listed_players(least)]
            joint = Joint(players, self.pieces, self.coupling, self.maker.words)
            endings = joint.reaching(least, self.prices, self.task.stop)
            stage.counts["states"] = stage.counts.get("states", 0) + joint.states
        if endings is None:
            return None
        return [(self._routes(joint, ending), ending.value) for ending in endings]

    def improve(self, least: float) -> bool:
        """Find the best run and make its value the bound; False if that was not to be done.

        Runs worth less than `least` are of no interest.
        """
        slack = self.grain
        while True:
            low = max(least, self.best[1] + self.grain)
            if self.bound < low:
                return True
            target = max(low, self.bound - slack)
            found = self.reaching(target)
            if found is None:
                return False
            if found:
                self.best, self.bound = found[0], found[0][1]
                return True
            self.bound = min(self.bound, np.ceil(target) - 1)
            slack *= 3

    def _listed_players(self, least: float) -> list[Player]:
        place = {piece.leg: n for n, piece in enumerate(self.pieces) if piece.leg is not None}
        claim = {piece.bits: n for n, piece in enumerate(self.pieces) if piece.leg is None}
        players = []
        for pool in self.listed:
            taken = np.zeros((len(pool), len(self.pieces)), dtype=np.bool_)
            for row in range(len(pool)):
                route = pool.source.rebuild(int(pool.index[row]), "", pool.cls)
                taken[row, [place[leg] for leg in route.legs]] = True
                taken[row, [claim[bits] for bits in self.maker.claims_at(route)]] = True
            players.append(listed_player(pool, taken, self.pieces))
        return players

    def _routes(self, joint: Joint, ending: Ending) -> tuple[NetRoute, ...]:
        routes = []
        for number, taken in zip(joint.trains, ending.taken, strict=True):
            if not taken:
                continue
            player = joint.players[number]
            if player.pool is None:
                legs = [self.pieces[place].leg for place in taken]
                routes.append(
                    route_of(self.problem, player.number, [leg for leg in legs if leg is not None])
                )
            else:
                routes.append(self._listed_route(player.pool, taken))
        return tuple(routes)

    def _listed_route(self, pool: Pool, taken: Sequence[int]) -> NetRoute:
        """Return the route of a list that takes just these pieces."""
        wanted = {self.pieces[place] for place in taken}
        legs = {piece.leg for piece in wanted if piece.leg is not None}
        claims = {piece.bits for piece in wanted if piece.leg is None}
        bits = 0
        for piece in wanted:
            bits |= piece.bits
        mask = self.maker.as_words(bits)
        for row in np.flatnonzero(np.all(pool.track == mask[:, None], axis=0)).tolist():
            route = pool.source.rebuild(int(pool.index[row]), "", pool.cls)
            if set(route.legs) == legs and set(self.maker.claims_at(route)) == claims:
                return route
        raise AssertionError("the list has no such route")


class _Columns:
    """The linear program over the routes that were best at some prices."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self.routes: list[list[NetRoute]] = [[] for _ in group.frontiers]
        empty = [group.maker.empty_pool(p.number, p.count) for p in group.frontiers]
        self.master = Master([*empty, *group.listed], group.coupling, group.maker.words)

    def add(self, columns: Sequence[Sequence[NetRoute]], prices: Prices) -> bool:
        """Add routes of each class; tell whether any is new."""
        added = 0
        pools = list(self.master.pools)
        for number, (routes, player) in enumerate(zip(columns, self.group.frontiers, strict=True)):
            known = self.routes[number]
            known += [route for route in routes if route not in known]
            if known:
                pools[number] = self.group.maker.routes_pool(known, player.count)
        self.master.pools = pools
        for number, routes in enumerate(columns):
            for route in routes:
                added += self.master.add(number, self.routes[number].index(route), prices)
        for number, pool in enumerate(self.group.listed, start=len(columns)):
            worth = reduced(pool, prices, self.group.coupling)
            which = np.argsort(-worth, kind="stable")[:LISTED]
            for route in which[worth[which] > self.master.train_prices[number]].tolist():
                added += self.master.add(number, route, prices)
        return bool(added)

    def solve(self) -> Prices | None:
        """Return the prices of the linear program."""
        return self.master.solve()
