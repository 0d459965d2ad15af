"""Enumeration, columns, bounds and patterns of the coverage engine, each by itself."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import MustRun
from optimizer.coverage.arrays import different, maximal, maximal_in_groups, pack, spread
from optimizer.coverage.columns import Group, RouteBook, train_group
from optimizer.coverage.enumerate import enumerate_routes
from optimizer.coverage.exchange import Finder
from optimizer.coverage.meeting import Links, Passes
from optimizer.coverage.network import build_network
from optimizer.coverage.node import Node
from optimizer.coverage.patterns import chain_patterns
from optimizer.coverage.prices import price_bound, priced, reprice, root_node
from optimizer.coverage.stars import star_bounds
from optimizer.coverage.statement import Statement, read_statement
from optimizer.coverage.tighten import tighten
from optimizer.coverage.tree import Tree
from optimizer.pricing import price
from optimizer.routes import routes_of
from optimizer.task import Task, Weights, route_key
from tests.optimizer.builders import best_by_price, count_runs
from tests.optimizer.coverage.problems import coverage_problem
from tests.optimizer.positions import board_problem, boards

WEIGHTS = Weights(1000, 1)
seeds = st.integers(0, 10**6)


def _never() -> bool:
    return False


# --- sets ----------------------------------------------------------------------


@given(st.lists(st.integers(0, 2**10 - 1), max_size=30), st.integers(1, 70))
def test_maximal_sets(sets: list[int], shift: int) -> None:
    """Sets that are in no other one, each once; in one word or in several."""
    sets = [bits << shift for bits in sets]
    rows = pack(sets, 2)
    kept = [sets[place] for place in maximal(rows)]
    wanted = {s for s in sets if not any(s != t and s & t == s for t in sets)}
    assert len(kept) == len(wanted)
    assert set(kept) == wanted
    assert sorted(sets[place] for place in different(rows)) == sorted(set(sets))
    flags = spread(rows, 80)
    assert [sum(1 << bit for bit in np.nonzero(row)[0].tolist()) for row in flags] == sets


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 63)), max_size=30))
def test_maximal_sets_of_groups(items: list[tuple[int, int]]) -> None:
    """The same within groups."""
    groups = np.array([group for group, _ in items], dtype=np.int64)
    kept = maximal_in_groups(groups, pack([bits for _, bits in items], 1))
    wanted = {
        (g, s) for g, s in items if not any(g == h and s != t and s & t == s for h, t in items)
    }
    found = [items[place] for place in kept]
    assert len(found) == len(set(found))
    assert set(found) == wanted


# --- routes ----------------------------------------------------------------------


def _listed(problem: RoutingProblem, cls: int) -> Counter[tuple[object, ...]]:
    statement = read_statement(Task(problem, WEIGHTS))
    network = build_network(statement, cls, None, every=True)
    fewest = problem.classes[cls].reach.fewest
    routes = enumerate_routes(network, fewest, _never, every=True)
    tracks = [routes.track(statement, row) for row in range(len(routes))]
    return Counter(route_key(NetRoute("", cls, *track)) for track in tracks)


@settings(max_examples=boards(60), deadline=None)
@given(seeds)
def test_every_route_is_listed_once(seed: int) -> None:
    """The enumeration by arms lists just what a plain search lists, on made-up networks."""
    problem = coverage_problem(random.Random(seed))
    for cls in range(len(problem.classes)):
        plain = Counter(route_key(route.run_by("", cls)) for route in routes_of(problem, cls))
        assert _listed(problem, cls) == plain


@pytest.mark.parametrize("seed", range(6))
def test_every_route_of_a_board_is_listed_once(seed: int) -> None:
    """The same on boards of 1862."""
    problem = board_problem("1862", seed, hexes=12, trains=3)
    for cls in range(len(problem.classes)):
        plain = Counter(route_key(route.run_by("", cls)) for route in routes_of(problem, cls))
        assert _listed(problem, cls) == plain


@pytest.mark.parametrize("seed", range(6))
def test_left_out_routes_are_no_loss(seed: int) -> None:
    """For each route of a class there is a kept one that visits and touches no less."""
    problem = board_problem("1862", 40 + seed, hexes=12, trains=3)
    statement = read_statement(Task(problem, WEIGHTS))
    book = RouteBook(statement, _never)
    for cls in statement.once.choose:
        if statement.is_chained(cls) or not problem.classes[cls].trains:
            continue
        kept = book.best(cls)
        brought = [
            _brought(statement, cls, *kept.track(statement, row)) for row in range(len(kept))
        ]
        for route in routes_of(problem, cls):
            mine = _brought(statement, cls, route.stops, route.legs)
            assert any(mine <= other for other in brought)


def _brought(
    statement: Statement, cls: int, stops: tuple[int, ...], legs: tuple[int, ...]
) -> frozenset[object]:
    """What a route can bring to a run: stops that pay, and hexes of a Local."""
    always, _, choice = statement.once.choose[cls]
    found: set[object] = {stop for stop in stops if stop in always | choice}
    if cls in statement.hex_classes:
        found |= {statement.problem.stops[stop].hex for stop in stops}
        found |= {name for leg in legs for name in statement.problem.legs[leg].hexes}
    return frozenset(found)


# --- bounds -----------------------------------------------------------------------


def _groups(problem: RoutingProblem) -> tuple[Statement, list[Group]] | None:
    """Return the columns of a problem without chains and duties to run, or None."""
    if count_runs(problem) > 4000 or problem.words_of(MustRun):
        return None
    statement = read_statement(Task(problem, WEIGHTS))
    if any(statement.is_chained(part.cls) for part in statement.parts):
        return None
    book = RouteBook(statement, _never)
    groups = [
        train_group(statement, number, book.best(part.cls))
        for number, part in enumerate(statement.parts)
    ]
    return (statement, groups) if all(len(group) for group in groups) else None


def _finder(statement: Statement, value: float) -> Finder:
    return Finder(statement, _never, lambda node: node, lambda picks, units: None, value)


def _any_prices(node: Node, rng: np.random.Generator) -> Node:
    home = 0.0 if node.home else float(rng.random() * 50)
    return priced(node, node.open * rng.random(len(node.open)), home, node.node)


@settings(max_examples=boards(60), deadline=None)
@given(seeds)
def test_no_run_exceeds_a_bound(seed: int) -> None:
    """Whatever the prices, the price bound, the stars and the trees allow the best run, and
    the bounds of its columns do too."""
    drawn = _groups(coverage_problem(random.Random(seed)))
    if drawn is None:
        return
    statement, groups = drawn
    best = best_by_price(statement.problem, WEIGHTS)
    if not best:  # nothing runs, which no bound on runs is about
        return
    value = best / statement.unit
    rng = np.random.default_rng(seed)
    root = root_node(statement, groups)
    finder = _finder(statement, max(value - 1, 0))
    Tree(finder).search(tighten(finder, root, groups, 5))
    assert finder.value == value
    for node in (root, *(_any_prices(root, rng) for _ in range(3))):
        assert price_bound(node, groups) >= value
        assert reprice(node, groups, value + 1, 10)[1] >= value
        links = Links(node, groups, finder.meeting, finder.check_time)
        for found in (star_bounds(links), Passes(links).marginals()):
            assert found.bound >= value or not finder.picks
            for pick in finder.picks or ():
                number = next(n for n, g in enumerate(groups) if g.source is pick.group.source)
                at = int(np.nonzero(groups[number].rows == pick.row)[0][0])
                assert found.columns[number][at] >= value


@settings(max_examples=boards(40), deadline=None)
@given(seeds)
def test_places_are_filled_exactly(seed: int) -> None:
    """Up to three places at once are filled as pricing every run fills them."""
    problem = coverage_problem(random.Random(seed), most_trains=3)
    drawn = _groups(problem)
    if drawn is None:
        return
    statement, groups = drawn
    places = [group for group in groups for _ in range(group.copies)]
    finder = _finder(statement, 0)
    finder.complete(root_node(statement, groups), places)
    assert finder.value * statement.unit == best_by_price(problem, WEIGHTS)


@settings(max_examples=boards(40), deadline=None)
@given(seeds)
def test_columns_are_worth_what_the_words_say(seed: int) -> None:
    """Each column of a train alone is priced as the run of its route that it stands for."""
    problem = coverage_problem(random.Random(seed))
    drawn = _groups(problem)
    if drawn is None:
        return
    statement, groups = drawn
    for group in groups:
        worth = group.pay @ statement.values + group.gain
        for row in range(len(group)):
            (route,) = group.source.routes(row)
            train = statement.parts[group.source.parts[0]].trains[0]
            known = price(problem, [replace(route, train=train)])
            assert known.legal == bool(group.home[row])
            if known.legal:
                assert known.value(WEIGHTS) == worth[row] * statement.unit


# --- patterns of chains -------------------------------------------------------------


def test_patterns_of_free_chains() -> None:
    """Three equal trains: alone, two joined, or all joined; each allows to leave some out."""
    found = chain_patterns({0: 3}, frozenset(), single=False, must=frozenset())
    assert set(found) == {((0,), (0,), (0,)), ((0, 0), (0,)), ((0, 0, 0),)}


def test_patterns_of_binding_chains() -> None:
    """1862 §10.5.5: trains of bands A to D are all in one chain, with a later train if any runs."""
    found = chain_patterns({0: 1, 1: 2}, binding=frozenset({0}), single=False, must=frozenset())
    assert set(found) == {((1,), (0, 1)), ((0, 1, 1),), ((0,),), ((1,), (1,)), ((1, 1),)}


def test_patterns_of_one_chain() -> None:
    """One chain only: any trains may be in it."""
    found = chain_patterns({0: 1, 1: 1}, frozenset(), single=True, must=frozenset())
    assert set(found) == {((0,),), ((1,),), ((0, 1),)}
    every = chain_patterns({0: 1, 1: 1}, frozenset(), single=True, must=frozenset(), every=True)
    assert set(every) == {*found, ()}


def test_patterns_hold_what_must_run() -> None:
    """Trains that must run are in every pattern."""
    found = chain_patterns({0: 1, 1: 1}, frozenset(), single=True, must=frozenset({1}))
    assert set(found) == {((1,),), ((0, 1),)}
