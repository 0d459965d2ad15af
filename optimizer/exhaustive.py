"""The oracle: every combination of all routes of the board, priced by the referee alone.

It uses neither the network nor the reach of the problem, but the legs of the
board; nor does it use the words. What it needs to know of the problem is which
trains may run and which carriages they may take. The answer is turned into
routes of the network at the end; if the best run is not one of the network's,
something is wrong with the problem.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, permutations, product

from engine.board.board import Board, PathRef
from engine.board.legs import find_legs
from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.run import Route, Run, Verdict
from engine.routing.vocabulary import Echo, PaidOnce
from optimizer.errors import DisagreementError, TooLargeError
from optimizer.network_map import NetworkMap
from optimizer.objective import most_value
from optimizer.pricing import price, with_choice
from optimizer.task import IMPOSSIBLE, Outcome, Task, route_key

MOST_ROUTES = 20_000
"""More routes than that on a board are refused."""

MOST_RUNS = 100_000
"""More runs to be priced than that are refused."""


def solve_exhaustively(task: Task) -> Outcome:
    """Solve a task by trying everything.

    Raises
    ------
    TooLargeError
        There are more than :data:`MOST_ROUTES` routes or :data:`MOST_RUNS` runs.
    DisagreementError
        The referee finds a run better than all that the network has.

    Complexity
    ----------
    The product over the trains of their routes, times the listing orders and
    directions where these matter.
    """
    return _Oracle(task).solve()


def board_routes(board: Board) -> Iterator[tuple[tuple[str, ...], tuple[tuple[PathRef, ...], ...]]]:
    """Yield every simple route over the legs of a board: stops and paths, each one way round."""
    around: dict[str, list[tuple[str, tuple[PathRef, ...]]]] = {}
    for leg in find_legs(board):
        around.setdefault(leg.a, []).append((leg.b, leg.paths))
        around.setdefault(leg.b, []).append((leg.a, leg.paths[::-1]))
    order = {stop: number for number, stop in enumerate(board.stops)}
    stops: list[str] = []
    legs: list[tuple[PathRef, ...]] = []

    def onward() -> Iterator[tuple[tuple[str, ...], tuple[tuple[PathRef, ...], ...]]]:
        if order[stops[0]] <= order[stops[-1]]:
            yield tuple(stops), tuple(legs)
        for there, paths in around.get(stops[-1], ()):
            if there not in stops:
                stops.append(there)
                legs.append(paths)
                yield from onward()
                legs.pop()
                stops.pop()

    for start in board.stops:
        stops.append(start)
        yield from onward()
        stops.pop()


@dataclass(frozen=True, slots=True)
class _Group:
    """Trains that may run the same routes; each runs one of `options` or nothing."""

    trains: tuple[str, ...]
    options: tuple[Route, ...]


class _Oracle:
    def __init__(self, task: Task) -> None:
        self.task = task
        self.problem: RoutingProblem = task.problem
        self.network = NetworkMap(task.problem)
        self.choice = task.problem.word(PaidOnce) is not None
        self.pinned = {route.train: route for route in task.pinned}
        self.value = self.known_value = IMPOSSIBLE
        self.best: tuple[Run, Verdict] = (Run(), Verdict())
        self.routes: tuple[NetRoute, ...] = ()

    def solve(self) -> Outcome:
        task = self.task
        self._offer(tuple(map(self._open, task.pinned)))
        with task.stages("list"):
            groups = self._groups()
        runs = self._count(groups)
        task.stages.count("list", runs=runs)
        if runs > MOST_RUNS:
            raise TooLargeError(
                f"{runs} runs are too many to try them all; {MOST_RUNS} is the limit"
            )
        with task.stages("runs"):
            finished = not task.stop.over() and self._try(groups)
        if self.value > self.known_value:
            run, verdict = self.best
            message = f"the network lacks a run that pays £{verdict.revenue}"
            raise DisagreementError(message, self.problem, run, verdict, None)
        bound = self.value if finished else most_value(self.problem, task.weights)
        return Outcome(self.routes, self.value, bound, "exhaustive" if finished else "")

    # --- which routes --------------------------------------------------------

    def _groups(self) -> list[_Group]:
        """Return the trains, those of one printed name together, with all their routes."""
        plain = []
        for found in board_routes(self.problem.position.board):
            if self.task.stop.over():
                break
            plain.append(found)
            if len(plain) > MOST_ROUTES:
                raise TooLargeError(f"the board has more than {MOST_ROUTES} routes")
        names = {t.id: t.name for t in self.problem.position.company.trains}
        groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        fixed = []
        for number, cls in enumerate(self.problem.classes):
            for train in cls.trains:
                if train in self.pinned:
                    fixed.append(_Group((train,), (self._open(self.pinned[train]),)))
                else:
                    groups.setdefault((names[train], self._carriages(number)), []).append(train)
        listed = [
            _Group(tuple(trains), tuple(self._options(trains[0], carriages, plain)))
            for (_, carriages), trains in groups.items()
        ]
        return [*fixed, *listed, *self._echoes()]

    def _echoes(self) -> Iterator[_Group]:
        """Yield trains that run beside others only, to any one stop: alone they are refused."""
        for word in self.problem.words_of(Echo):
            stops = self.problem.position.board.stops
            yield _Group((word.train,), tuple(Route(word.train, (stop,)) for stop in stops))

    def _open(self, pinned: NetRoute) -> Route:
        """Return a pinned route; where it leaves open what pays the referee takes the best."""
        route = self.problem.to_route(pinned)
        return replace(route, paid=()) if self.choice and route.paid is None else route

    def _carriages(self, cls: int) -> tuple[str, ...]:
        """Return what a train of a class may take: the empty string stands for nothing."""
        plain = [""] if self.problem.classes[cls].reach.visits else []
        return (*plain, *(a.name for a in self.problem.attachments if cls in a.turns and a.count))

    def _options(
        self,
        train: str,
        carriages: Sequence[str],
        plain: Sequence[tuple[tuple[str, ...], tuple[tuple[PathRef, ...], ...]]],
    ) -> Iterator[Route]:
        """Yield the routes of a train that are legal by themselves, each the better way round.

        Faults that belong to one route have a path that begins with it; home
        not visited, for instance, is a fault of the run.
        """
        paid = () if self.choice else None
        for carriage in carriages:
            for stops, legs in plain:
                if self.task.stop.over():
                    return
                route = Route(train, stops, legs, paid, carriage)
                if self._forbidden(route):
                    continue
                verdict = self.problem.judge(Run((route,)))
                if any(fault.path.startswith("routes[0]") for fault in verdict.faults):
                    continue
                other = _reversed(route)
                better = self._value(self.problem.judge(Run((other,)))) > self._value(verdict)
                yield other if better else route

    def _forbidden(self, route: Route) -> bool:
        if self.task.allowed is not None and not self.task.allowed(route):
            return True
        if not self.task.banned:
            return False
        found = self.network.find(route)
        return found is not None and route_key(found) in self.task.banned

    def _value(self, verdict: Verdict) -> int:
        if not verdict.legal:
            return IMPOSSIBLE
        return self.task.weights.value(verdict.revenue, verdict.subsidy)

    # --- which runs ----------------------------------------------------------

    def _count(self, groups: Sequence[_Group]) -> int:
        """Return how many runs there are to price."""
        total = 1
        for group in groups:
            if group.trains[0] not in self.pinned:
                for number in range(len(group.trains)):
                    total = total * (len(group.options) + 1 + number) // (number + 1)
        most = sum(len(group.trains) for group in groups)
        for number in range(1, most + 1) if self.problem.ordered else ():
            total *= 2 * number
        return total

    def _try(self, groups: Sequence[_Group]) -> bool:
        """Price every run; False if time ran out."""
        for routes in self._combinations(groups):
            if self.task.stop.over():
                return False
            self._offer(routes)
        return True

    def _offer(self, routes: Sequence[Route]) -> None:
        """Price a run, in all ways to list it."""
        for run in self._listings(routes):
            verdict = self.problem.judge(run)
            value = self._value(verdict)
            if value > self.value:
                self.value, self.best = value, (run, verdict)
            if value > self.known_value:
                self._keep(run, value)

    def _combinations(self, groups: Sequence[_Group]) -> Iterator[tuple[Route, ...]]:
        """Yield the routes of every run, in the order of the trains."""
        choices: list[Sequence[tuple[Route, ...]]] = []
        for group in groups:
            if group.trains[0] in self.pinned:
                choices.append([group.options])
                continue
            taken = combinations_with_replacement((None, *group.options), len(group.trains))
            choices.append(
                [
                    tuple(
                        replace(route, train=train)
                        for train, route in zip(group.trains, routes, strict=True)
                        if route is not None
                    )
                    for routes in taken
                ]
            )
        for chosen in product(*choices):
            yield tuple(route for routes in chosen for route in routes)

    def _listings(self, routes: Sequence[Route]) -> Iterator[Run]:
        """Yield the orders and directions in which routes may be listed, as far as they matter."""
        if not self.problem.ordered or len(routes) < 2:
            yield Run(tuple(routes))
            return
        for listed in permutations(routes):
            for ways in product((False, True), repeat=len(listed)):
                yield Run(
                    tuple(_reversed(r) if back else r for r, back in zip(listed, ways, strict=True))
                )

    def _keep(self, run: Run, value: int) -> None:
        """Keep a run as the best so far if the network has it."""
        echoes = {word.train for word in self.problem.words_of(Echo)}
        found = [
            self.pinned.get(route.train) or self.network.find(replace(route, paid=None))
            for route in run.routes
            if route.train not in echoes
        ]
        routes = tuple(route for route in found if route is not None)
        if len(routes) < len(found):
            return
        if self.choice and price(self.problem, routes).legal:
            routes = with_choice(self.problem, routes)
        self.routes, self.known_value = routes, value
        if self.task.progress is not None:
            bound = most_value(self.problem, self.task.weights)
            self.task.progress(routes, value, max(value, bound))


def _reversed(route: Route) -> Route:
    legs = tuple(leg[::-1] for leg in reversed(route.legs))
    return replace(route, stops=route.stops[::-1], legs=legs)
