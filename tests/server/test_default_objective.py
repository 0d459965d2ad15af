"""What is maximised first where a request does not say it: the same however one asks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bradshaw.v1 import (
    board_pb2,
    game_service_pb2,
    game_service_pb2_grpc,
    play_pb2,
    route_service_pb2,
)

from engine.routing.problem import RoutingProblem
from optimizer import Objective, Solution, solve
from optimizer.stop import Stop
from server.autorun import need_situation
from server.cli import main
from server.convert.games import position_of
from server.gamebook import Gamebook, Source
from tests.server.harness import Service, serving

ROOT = Path(__file__).resolve().parents[2]
CASE = ROOT / "tests" / "data" / "cases" / "1862-receivership-default-objective.json"
G1862 = ROOT / "examples" / "games" / "1862.json"
G18GB = ROOT / "tests" / "data" / "games" / "18GB-two-players.json"


class Recorder:
    """The optimizer, which keeps what it is asked to maximise."""

    def __init__(self) -> None:
        self.asked: list[Objective] = []

    def __call__(self, problem: RoutingProblem, **options: Any) -> Solution:
        """Solve."""
        self.asked.append(options["objective"])
        return solve(problem, **options)


@pytest.fixture(scope="module")
def recorder() -> Recorder:
    """One solver for the service and for work in this process."""
    return Recorder()


@pytest.fixture(scope="module")
def service(recorder: Recorder) -> Iterator[Service]:
    """A service with that solver."""
    with serving(recorder) as running:
        yield running


@pytest.fixture(autouse=True)
def here(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let work in this process use that solver."""
    for module in ("server.client", "server.game_client"):
        monkeypatch.setattr(f"{module}.load_solver", lambda: recorder)
    recorder.asked.clear()


def test_in_receivership_the_sum_is_maximised_by_default(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """1862 §7.5: £50 and £40 of subsidy, not £60 and £20."""
    assert main(["optimize", str(CASE), "--json"]) == 0
    run = json.loads(capsys.readouterr().out)["solution"]["run"]
    assert (run["revenue"], run["subsidy"]) == (50, 40)


@pytest.mark.parametrize(
    ("path", "receivership", "insolvent", "expected"),
    [
        (G1862, True, False, Objective.TOTAL),
        (G1862, False, False, Objective.REVENUE),
        (G18GB, True, False, Objective.TOTAL),
        (G18GB, True, True, Objective.TOTAL),
        (G18GB, False, True, Objective.REVENUE),
        (G18GB, False, False, Objective.REVENUE),
    ],
)
def test_every_way_to_ask_maximises_the_same(
    path: Path,
    receivership: bool,
    insolvent: bool,
    expected: Objective,
    recorder: Recorder,
    service: Service,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """OptimizeRoutes, StreamOptimizeRoutes, RunTrains, ``optimize`` and ``run``, here and by the
    service, of a company of each kind: one objective and one pair of amounts."""
    entry, position = moment(path, receivership, insolvent)
    record = play_pb2.GameRecord(file=path.read_text("utf-8"), before=entry)
    games = game_service_pb2_grpc.GameServiceStub(service.channel)
    request = route_service_pb2.OptimizeRoutesRequest(position=position)
    streamed = route_service_pb2.StreamOptimizeRoutesRequest(position=position)
    found = [
        service.routes.OptimizeRoutes(request).solution.run,
        [*service.routes.StreamOptimizeRoutes(streamed)][-1].solution.run,
        games.RunTrains(game_service_pb2.RunTrainsRequest(game=record)).solution.run,
    ]
    amounts = [(run.revenue, run.subsidy) for run in found]
    for command in ("optimize", "run"):
        for extra in ([], ["--server", service.address]):
            assert main([command, str(path), "--at", str(entry), "--json", *extra]) == 0
            run = json.loads(capsys.readouterr().out)["solution"]["run"]
            amounts.append((run["revenue"], run["subsidy"]))
    assert recorder.asked == [expected] * 7
    assert len(set(amounts)) == 1
    assert amounts[0][0] > 0


def test_an_audit_maximises_what_the_other_ways_do(
    recorder: Recorder, capsys: pytest.CaptureFixture[str]
) -> None:
    """For each run of a game: the sum in receivership, revenue else; insolvency changes nothing."""
    assert main(["audit", str(G18GB), "--json"]) == 0
    entries = [run["entry"] for run in json.loads(capsys.readouterr().out)["runs"]]
    companies = [company_at(G18GB, entry) for entry in entries]
    expected = [Objective.TOTAL if c.receivership else Objective.REVENUE for c in companies]
    assert recorder.asked == expected
    assert set(expected) == set(Objective) - {Objective.SUBSIDY}


def moment(path: Path, receivership: bool, insolvent: bool) -> tuple[int, board_pb2.Position]:
    """Return entry and position of the first run in a game of a company of a kind."""
    for entry in json.loads(path.read_text("utf-8"))["actions"]:
        if entry["type"] == "run_routes":
            position = position_at(path, entry["id"])
            company = position.company
            if (company.receivership, company.insolvent) == (receivership, insolvent):
                return entry["id"], position
    raise AssertionError("no such company runs")


def company_at(path: Path, entry: int) -> board_pb2.Company:
    """Return the company that runs as an entry of a game."""
    return position_at(path, entry).company


def position_at(path: Path, entry: int) -> board_pb2.Position:
    """Return the position before an entry of a game."""
    source = Source(path.read_text("utf-8"), before=entry)
    return position_of(need_situation(BOOK.open(source, Stop()).play))


BOOK = Gamebook()
