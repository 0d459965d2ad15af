"""The service with the optimizer itself: the small positions and the examples."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest
from bradshaw.v1 import board_pb2, route_service_pb2
from google.protobuf.json_format import Parse

from tests.server.harness import Service, eventually, failure, request, serving
from tests.server.requests import NAMES, position

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TITLES = ("1822", "1862", "18GB")
OPTIMAL = route_service_pb2.SOLUTION_STATUS_OPTIMAL


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """A service with the optimizer."""
    with serving(queue=32) as running:
        yield running


def example(title: str) -> board_pb2.Position:
    """Return the position of an example."""
    text = (EXAMPLES / f"{title}.json").read_text("utf-8")
    return Parse(text, route_service_pb2.OptimizeRoutesRequest()).position


def timeless(answer: route_service_pb2.OptimizeRoutesResponse) -> str:
    """Return an answer without its times."""
    answer.solution.ClearField("stages")
    answer.solution.ClearField("solve_duration")
    return str(answer)


@pytest.mark.parametrize("name", NAMES)
def test_small_positions_are_solved_to_a_proof(service: Service, name: str) -> None:
    """And the run that comes back is legal, for what it says."""
    solution = service.routes.OptimizeRoutes(request(position(name)), timeout=30).solution
    assert solution.status == OPTIMAL
    assert solution.proof
    assert solution.bound == solution.run.revenue > 0
    routes = [account.route for account in solution.run.routes]
    for route in routes:
        for leg in route.legs:
            leg.ClearField("hexes")
    submitted = route_service_pb2.ValidateRoutesRequest(position=position(name), routes=routes)
    verdict = service.routes.ValidateRoutes(submitted, timeout=10)
    assert verdict.legal
    assert verdict.run.revenue == solution.run.revenue


@pytest.mark.parametrize("title", TITLES)
def test_examples_are_real_boards_solved_well_within_a_second(service: Service, title: str) -> None:
    """Several trains run; the whole call takes less than a second of processor time, of
    client and service together (a busy machine stretches the time by the clock)."""
    shown = example(title)
    assert len(shown.board.tiles) >= 30
    assert len(shown.company.trains) >= 3
    seconds = []
    for _ in range(3):
        began = time.process_time()
        solution = service.routes.OptimizeRoutes(request(shown), timeout=60).solution
        seconds.append(time.process_time() - began)
        assert solution.status == OPTIMAL
        assert len(solution.run.routes) >= 3
    assert min(seconds) < 1


@pytest.mark.parametrize("title", TITLES)
def test_same_request_same_seed_same_answer(service: Service, title: str) -> None:
    """Also when other calls are solved at the same time."""
    asked = request(example(title), seed=3)
    with ThreadPoolExecutor(4) as clients:
        answers = list(
            clients.map(lambda _: service.routes.OptimizeRoutes(asked, timeout=60), range(4))
        )
    assert len({timeless(answer) for answer in answers}) == 1


@pytest.mark.parametrize("title", TITLES)
def test_a_stream_ends_with_the_answer_of_the_unary_call(service: Service, title: str) -> None:
    """Its improvements are legal, better and better, and below their bounds."""
    asked = route_service_pb2.StreamOptimizeRoutesRequest(position=example(title))
    *improvements, last = service.routes.StreamOptimizeRoutes(asked, timeout=60)
    unary = service.routes.OptimizeRoutes(request(example(title)), timeout=60)
    streamed = route_service_pb2.OptimizeRoutesResponse(solution=last.solution)
    assert timeless(streamed) == timeless(unary)
    found = [message.improvement for message in improvements]
    assert found
    amounts = [(better.revenue, better.subsidy) for better in found]
    assert amounts == sorted(amounts)
    assert all(better.revenue <= better.bound for better in found)
    assert found[-1].revenue == unary.solution.run.revenue


@pytest.mark.parametrize("title", TITLES)
def test_a_deadline_of_100_ms_is_kept(service: Service, title: str) -> None:
    """An answer, or DEADLINE_EXCEEDED on a busy machine, but never late; the worker is free
    again soon."""
    for _ in range(5):
        started = time.monotonic()
        ended = service.routes.OptimizeRoutes.future(request(example(title)), timeout=0.1)
        assert ended.code() in (grpc.StatusCode.OK, grpc.StatusCode.DEADLINE_EXCEEDED)
        assert time.monotonic() - started < 0.3
        assert eventually(lambda: service.telemetry().workers_busy == 0)


@pytest.mark.parametrize("algorithm", ["cp-sat", "circuit"])
def test_a_cancelled_solve_ends_at_once(service: Service, algorithm: str) -> None:
    """Of algorithms that would take long on an example: the worker is free within a second."""
    call = service.routes.OptimizeRoutes.future(request(example("1822"), algorithm=algorithm))
    assert eventually(lambda: service.telemetry().workers_busy == 1)
    time.sleep(0.5)
    assert not call.done()
    call.cancel()
    started = time.monotonic()
    assert eventually(lambda: service.telemetry().workers_busy == 0)
    assert time.monotonic() - started < 1.0


@pytest.mark.parametrize("title", TITLES)
def test_a_time_limit_gives_a_run_and_a_true_bound(service: Service, title: str) -> None:
    """OK whenever time runs out, never with a bound below what exists, never with a false
    proof."""
    best = service.routes.OptimizeRoutes(request(example(title)), timeout=30).solution
    for milliseconds in (1, 2, 4, 8, 15, 30, 60, 120):
        asked = request(example(title))
        asked.options.time_limit.FromMilliseconds(milliseconds)
        solution = service.routes.OptimizeRoutes(asked, timeout=30).solution
        assert solution.run.revenue <= best.run.revenue <= solution.bound
        assert (solution.status == OPTIMAL) == bool(solution.proof)
        if solution.status == OPTIMAL:
            assert solution.run.revenue == best.run.revenue


def test_wishes_are_kept_and_their_price_is_shown(service: Service) -> None:
    """18GB: a train stands still, a hex is avoided; the best run without wishes is there too."""
    free = service.routes.OptimizeRoutes(request(position("18GB-small")), timeout=30).solution
    asked = request(position("18GB-small"))
    asked.options.wishes.idle_trains.append("4X-0")
    asked.options.wishes.avoid_hexes.append("H9")
    solution = service.routes.OptimizeRoutes(asked, timeout=30).solution
    assert solution.free_optimum.revenue == free.run.revenue > solution.run.revenue
    for account in solution.run.routes:
        assert account.route.train_id != "4X-0"
        assert "H9" not in {path.hex for leg in account.route.legs for path in leg.paths}


def test_a_carriage_goes_where_it_is_wished(service: Service) -> None:
    """1822 §11.12: with the carriage left out the run pays less, or as much."""
    free = service.routes.OptimizeRoutes(request(position("1822-carriage")), timeout=30).solution
    asked = request(position("1822-carriage"))
    asked.options.wishes.attach["P+"] = ""
    without = service.routes.OptimizeRoutes(asked, timeout=30).solution
    assert {account.route.attachment for account in free.run.routes} == {"P+"}
    assert {account.route.attachment for account in without.run.routes} == {""}
    assert without.run.revenue < without.free_optimum.revenue == free.run.revenue


def test_wishes_that_contradict_each_other_name_their_field(service: Service) -> None:
    """A pinned train that is to stand still."""
    first = service.routes.OptimizeRoutes(request(position("18GB-small")), timeout=30).solution
    asked = request(position("18GB-small"))
    pinned = first.run.routes[0].route
    for leg in pinned.legs:
        leg.ClearField("hexes")
    asked.options.wishes.pinned.append(pinned)
    asked.options.wishes.idle_trains.append(pinned.train_id)
    told = failure(lambda: service.routes.OptimizeRoutes(asked, timeout=30))
    assert told.code is grpc.StatusCode.INVALID_ARGUMENT
    assert "WISHES_CONTRADICT" in told.fields.values()


def test_a_pinned_route_in_the_written_form(service: Service) -> None:
    """Legs as lists of hexes are as good as paths."""
    first = service.routes.OptimizeRoutes(request(position("18GB-small")), timeout=30).solution
    asked = request(position("18GB-small"))
    pinned = first.run.routes[0].route
    for leg in pinned.legs:
        leg.ClearField("paths")
    asked.options.wishes.pinned.append(pinned)
    solution = service.routes.OptimizeRoutes(asked, timeout=30).solution
    assert solution.run.revenue == first.run.revenue


def test_other_runs_are_different_and_no_better(service: Service) -> None:
    """Best first."""
    asked = request(position("18GB-2NS-small"), run_count=4)
    solution = service.routes.OptimizeRoutes(asked, timeout=30).solution
    runs = [solution.run, *solution.others]
    revenues = [run.revenue for run in runs]
    assert len(runs) == 4
    assert revenues == sorted(revenues, reverse=True)
    assert len({str([account.route for account in run.routes]) for run in runs}) == 4


@pytest.mark.parametrize("objective", ["REVENUE", "TOTAL", "SUBSIDY"])
def test_objectives_order_what_they_say(service: Service, objective: str) -> None:
    """1822 with mail contracts: no other objective beats the one asked for in its own measure."""
    measures = {
        "REVENUE": lambda run: run.revenue,
        "TOTAL": lambda run: run.revenue + run.subsidy,
        "SUBSIDY": lambda run: run.subsidy,
    }
    best = {}
    for name in measures:
        number = route_service_pb2.Objective.Value(f"OBJECTIVE_{name}")
        asked = request(position("1822NRS-small"), objective=number)
        best[name] = service.routes.OptimizeRoutes(asked, timeout=30).solution
    measure = measures[objective]
    assert measure(best[objective].run) == max(measure(answer.run) for answer in best.values())
    assert best[objective].bound == measure(best[objective].run)


def test_an_algorithm_that_does_not_exist_is_answered_with_those_that_do(
    service: Service,
) -> None:
    """INVALID_ARGUMENT with the field."""
    asked = request(position("18GB-small"), algorithm="guess")
    told = failure(lambda: service.routes.OptimizeRoutes(asked, timeout=30))
    assert told.code is grpc.StatusCode.INVALID_ARGUMENT
    assert told.fields == {"options.algorithm": "ALGORITHM_UNKNOWN"}
    assert "cp-sat" in told.message


@pytest.mark.parametrize("name", NAMES)
def test_two_formulations_agree(service: Service, name: str) -> None:
    """The default and CP-SAT alone, over the wire."""
    revenues = {
        service.routes.OptimizeRoutes(
            request(position(name), algorithm=algorithm), timeout=60
        ).solution.run.revenue
        for algorithm in ("", "cp-sat")
    }
    assert len(revenues) == 1
