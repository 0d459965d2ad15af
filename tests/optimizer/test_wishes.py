"""Wishes are fulfilled, at the least cost that there is, or refused with what is wrong."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest

from engine.errors import Fault
from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.run import Route
from optimizer import Status, Stop, Wishes, solve
from optimizer.errors import TooLargeError, WishesError
from optimizer.network_map import NetworkMap
from optimizer.pricing import price
from optimizer.registry import ALGORITHMS
from optimizer.routes import routes_of
from optimizer.solution import Solution
from tests.optimizer.positions import TITLES, board_problem, boards


def _solved(problem: RoutingProblem, wishes: Wishes) -> Solution:
    """Return what all algorithms find under wishes; they agree."""
    found = {}
    for name in ALGORITHMS:
        try:
            found[name] = solve(problem, algorithm=name, wishes=wishes, stop=Stop(60))
        except TooLargeError:
            assert name == "exhaustive"
    assert all(solution.status is Status.OPTIMAL for solution in found.values())
    assert len({(s.revenue, s.subsidy) for s in found.values()}) == 1, found
    return found["default"]


def _hexes(route: Route) -> set[str]:
    stops = {stop.split("-")[0] for stop in route.stops}
    return stops | {ref.hex for leg in route.legs for ref in leg}


@cache
def _nth_with_several_trains(title: str, number: int) -> tuple[int, RoutingProblem, Solution]:
    """Return the seed, the problem and the solution of a board where two trains or more run."""
    seed = _nth_with_several_trains(title, number - 1)[0] + 1 if number else 2000
    while True:
        problem = board_problem(title, seed, hexes=6 if title == "18GB" else 5, trains=2)
        best = solve(problem, stop=Stop(60))
        if len(best.run.routes) > 1:
            return seed, problem, best
        seed += 1


def _several_trains(title: str, count: int) -> Iterator[tuple[RoutingProblem, Solution]]:
    """Yield problems whose best run has two routes or more."""
    for number in range(count):
        _, problem, best = _nth_with_several_trains(title, number)
        yield problem, best


@pytest.mark.parametrize("title", TITLES)
def test_an_idle_train_does_not_run(title: str) -> None:
    """With a train told to stand still the rest do their best, and `free` says what it cost."""
    for problem, best in _several_trains(title, boards(3)):
        train = best.run.routes[0].train
        solution = _solved(problem, Wishes(idle=frozenset([train])))
        assert train not in {route.train for route in solution.run.routes}
        assert solution.free is not None
        assert (solution.free.revenue, solution.free.subsidy) == (best.revenue, best.subsidy)
        assert solution.revenue <= best.revenue


@pytest.mark.parametrize("title", TITLES)
def test_hexes_and_stops_are_avoided(title: str) -> None:
    """No route touches what is to be avoided, be it track or a stop."""
    for number, (problem, best) in enumerate(_several_trains(title, boards(3))):
        rng = random.Random(number)
        route = rng.choice(best.run.routes)
        hexes = frozenset([rng.choice(sorted(_hexes(route)))])
        stops = frozenset([rng.choice(route.stops)])
        for wishes in (Wishes(avoid_hexes=hexes), Wishes(avoid_stops=stops)):
            solution = _solved(problem, wishes)
            for other in solution.run.routes:
                assert wishes.avoid_hexes.isdisjoint(_hexes(other))
                assert wishes.avoid_stops.isdisjoint(other.stops)
            assert (solution.revenue, solution.subsidy) <= (best.revenue, best.subsidy)


def _legal_alone(problem: RoutingProblem, rng: random.Random) -> NetRoute | None:
    listed = [
        route
        for number, cls in enumerate(problem.classes)
        for train in cls.trains[:1]
        for plain in routes_of(problem, number)
        if price(problem, [route := plain.run_by(train, number)]).legal
    ]
    return rng.choice(listed) if listed else None


@pytest.mark.parametrize("title", TITLES)
def test_a_pinned_route_runs_as_it_is(title: str) -> None:
    """A route of the best run, pinned, costs nothing; any other legal one runs, in that
    direction or the other, and the rest do their best around it."""
    for number, (problem, best) in enumerate(_several_trains(title, boards(3))):
        mine = best.run.routes[0]
        kept = _solved(problem, Wishes(pinned=(mine,)))
        assert (kept.revenue, kept.subsidy) == (best.revenue, best.subsidy)
        chosen = _legal_alone(problem, random.Random(number))
        assert chosen is not None
        route = problem.to_route(chosen)
        solution = _solved(problem, Wishes(pinned=(route,)))
        ran = next(r for r in solution.run.routes if r.train == route.train)
        assert ran.stops in (route.stops, route.stops[::-1])
        assert {frozenset(leg) for leg in ran.legs} == {frozenset(leg) for leg in route.legs}


@pytest.mark.parametrize("title", TITLES)
def test_a_pinned_route_may_touch_what_others_avoid(title: str) -> None:
    """What is to be avoided binds all trains but the pinned ones."""
    for number, (problem, _) in enumerate(_several_trains(title, boards(2))):
        chosen = _legal_alone(problem, random.Random(number))
        assert chosen is not None
        route = problem.to_route(chosen)
        wishes = Wishes(pinned=(route,), avoid_hexes=frozenset(_hexes(route)))
        for other in _solved(problem, wishes).run.routes:
            assert other.train == route.train or _hexes(other).isdisjoint(_hexes(route))


def _with_carriage(count: int) -> Iterator[RoutingProblem]:
    seed = 0
    while count:
        problem = board_problem("1822", seed, hexes=8, trains=3)
        seed += 1
        if problem.attachments and solve(problem).revenue:
            count -= 1
            yield problem


def test_the_carriage_goes_where_it_is_wanted() -> None:
    """1822 §11.12: the P+ on a named train, or on none; best of all choices is the free best."""
    for problem in _with_carriage(boards(3)):
        (attachment,) = problem.attachments
        best = solve(problem)
        trains = [t for before in attachment.turns for t in problem.classes[before].trains]
        found = []
        for train in ("", *trains):
            solution = _solved(problem, Wishes(attach={attachment.name: train}))
            found.append((solution.revenue, solution.subsidy))
            for route in solution.run.routes:
                assert bool(route.attachment) == (route.train == train)
        assert max(found) == (best.revenue, best.subsidy)


def _refused(
    problem: RoutingProblem, wishes: Wishes, algorithm: str = "cp-sat"
) -> tuple[Fault, ...]:
    with pytest.raises(WishesError) as caught:
        solve(problem, algorithm=algorithm, wishes=wishes)
    return caught.value.faults


def test_what_does_not_exist_is_refused() -> None:
    """Every unknown name is listed, each with its code."""
    problem = next(iter(_several_trains("18GB", 1)))[0]
    wishes = Wishes(
        idle=frozenset(["no train"]),
        avoid_hexes=frozenset(["Z99"]),
        avoid_stops=frozenset(["Z99-0"]),
        attach={"P+": "6X-0"},
    )
    codes = [fault.code for fault in _refused(problem, wishes)]
    assert codes == ["TRAIN_UNKNOWN", "HEX_UNKNOWN", "STOP_UNKNOWN", "ATTACHMENT_UNKNOWN"]


def test_wishes_that_contradict_each_other_are_refused() -> None:
    """A train cannot both stand still and run a pinned route or take a carriage."""
    problem, best = next(iter(_several_trains("1822", 1)))
    route = best.run.routes[0]
    wishes = Wishes(pinned=(route,), idle=frozenset([route.train]))
    assert {fault.code for fault in _refused(problem, wishes)} == {"WISHES_CONTRADICT"}
    problem = next(_with_carriage(1))
    (attachment,) = problem.attachments
    train = problem.classes[min(attachment.turns)].trains[0]
    wishes = Wishes(idle=frozenset([train]), attach={attachment.name: train})
    assert {fault.code for fault in _refused(problem, wishes)} == {"WISHES_CONTRADICT"}
    bare = problem.to_route(
        next(iter(routes_of(problem, min(attachment.turns)))).run_by(train, min(attachment.turns))
    )
    wishes = Wishes(pinned=(bare,), attach={attachment.name: train})
    assert {fault.code for fault in _refused(problem, wishes)} == {"WISHES_CONTRADICT"}


def test_only_some_trains_take_a_carriage() -> None:
    """1822 §11.12: no P+ for an L or an E."""
    for seed in range(400):
        problem = board_problem("1822", seed, hexes=5, trains=3)
        able = {b for attachment in problem.attachments for b in attachment.turns}
        others = [cls for n, cls in enumerate(problem.classes) if n not in able and cls.trains]
        if able and others:
            wishes = Wishes(attach={problem.attachments[0].name: others[0].trains[0]})
            codes = {fault.code for fault in _refused(problem, wishes)}
            assert codes == {"ATTACHMENT_NOT_ALLOWED"}
            return
    pytest.fail("no company with a P+ and a train that cannot take it")


@pytest.mark.parametrize("title", TITLES)
def test_an_illegal_pinned_route_is_refused_in_the_referee_s_words(title: str) -> None:
    """The fault names the pinned route and says what the referee has against it."""
    problem, best = next(iter(_several_trains(title, 1)))
    route = best.run.routes[0]
    nowhere = Route(route.train, route.stops[:2], ((),), None, route.attachment)
    faults = _refused(problem, Wishes(pinned=(nowhere,)))
    assert [(fault.code, fault.path) for fault in faults] == [
        ("LEG_EMPTY", "wishes.pinned[0].legs[0]")
    ]


@pytest.mark.parametrize("title", ["1822", "18GB"])
def test_pinned_routes_that_exclude_each_other_are_refused(title: str) -> None:
    """Two trains cannot be pinned to the same track."""
    for problem, best in _several_trains(title, 20):
        by_class = {train: n for n, cls in enumerate(problem.classes) for train in cls.trains}
        first, second = best.run.routes[:2]
        same = Route(second.train, first.stops, first.legs, None, second.attachment)
        mapped = NetworkMap(problem).find(same)
        if by_class[first.train] != by_class[second.train] or mapped is None or not first.legs:
            continue
        faults = _refused(problem, Wishes(pinned=(first, same)))
        assert "TRACK_SHARED" in {fault.code for fault in faults}
        return
    pytest.fail("no company with two equal trains that run")


def test_a_train_that_must_run_cannot_be_told_to_stand_still() -> None:
    """1862 D18 under the profile of the rulebook: the referee's fault is handed on."""
    for seed in range(3000, 3200):
        problem = board_problem("1862", seed, hexes=6, trains=2, profile="rulebook")
        best = solve(problem, algorithm="cp-sat")
        if len(best.run.routes) > 1:
            wishes = Wishes(idle=frozenset([best.run.routes[1].train]))
            assert {fault.code for fault in _refused(problem, wishes)} == {"TRAIN_IDLE"}
            return
    pytest.fail("no company with two trains that must run")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_only_train_that_must_run_cannot_stand_still(algorithm: str) -> None:
    """1862 D18: even where nothing else could run, every algorithm says what is wrong."""
    for seed in range(3000, 3200):
        problem = board_problem("1862", seed, hexes=4, trains=1, profile="rulebook")
        best = solve(problem, algorithm="cp-sat")
        if best.run.routes:
            wishes = Wishes(idle=frozenset([best.run.routes[0].train]))
            faults = _refused(problem, wishes, algorithm)
            assert {fault.code for fault in faults} == {"TRAIN_IDLE"}
            return
    pytest.fail("no company with one train that must run")


def test_pinned_routes_that_no_legal_run_holds_are_refused() -> None:
    """1862 S1: a route that does not meet home, pinned, when all others stand still."""
    for seed in range(4000, 4200):
        problem = board_problem("1862", seed, hexes=8, trains=2)
        for number, cls in enumerate(problem.classes):
            for plain in routes_of(problem, number):
                route = plain.run_by(cls.trains[0], number)
                if {f.code for f in price(problem, [route]).faults} == {"HOME_NOT_VISITED"}:
                    others = frozenset(train for c in problem.classes for train in c.trains) - {
                        route.train
                    }
                    wishes = Wishes(pinned=(problem.to_route(route),), idle=others)
                    for name in ("default", "cp-sat", "circuit"):
                        with pytest.raises(WishesError) as caught:
                            solve(problem, algorithm=name, wishes=wishes)
                        codes = {fault.code for fault in caught.value.faults}
                        assert codes == {"PINNED_IMPOSSIBLE"}
                    return
    pytest.fail("no route beside home")
