"""The command line: tables for people, JSON for machines, exit codes for scripts."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from bradshaw.v1 import route_service_pb2, route_service_pb2_grpc
from google.protobuf.json_format import MessageToJson, Parse

from engine.games import all_games, known_titles
from server.cli import main
from server.cli_tables import solution_lines
from server.exit_codes import BAD_INPUT, FAILED, NOT_AS_HOPED, OK
from server.process import service_process
from tests.server.doubles import IdleSolver, OneLegSolver, StubbornSolver
from tests.server.harness import Service, failure, serving
from tests.server.requests import FOLDER, NAMES, optimize_request, validate_request

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = "18GB-small"


def file(name: str) -> str:
    """Return the path of a request file."""
    return str(FOLDER / f"{name}.json")


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """A service whose solver tries routes over one leg and proves nothing."""
    with serving(OneLegSolver()) as running:
        yield running


@pytest.mark.parametrize("name", NAMES)
def test_optimize_shows_the_whole_run(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Trains, stops by name with amounts, the sum and the proof; exit code 0."""
    assert main(["optimize", file(name)]) == OK
    out = capsys.readouterr().out
    board = optimize_request(name).position.board
    assert out.startswith(board.title)
    assert "Proven: nothing better exists" in out
    assert main(["optimize", file(name), "--json"]) == OK
    answer = Parse(capsys.readouterr().out, route_service_pb2.OptimizeRoutesResponse())
    run = answer.solution.run
    assert answer.solution.status == route_service_pb2.SOLUTION_STATUS_OPTIMAL
    assert answer.solution.bound == run.revenue > 0
    assert f"£{run.revenue}" in out
    for account in run.routes:
        assert account.route.train_id in out
        assert all(stop.name in out for stop in account.stops)


@pytest.mark.parametrize("name", NAMES)
def test_validate_accepts_a_legal_run(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 0, and the account."""
    assert main(["validate", file(f"{name}.run")]) == OK
    assert "The run is legal." in capsys.readouterr().out


@pytest.mark.parametrize("remote", [False, True])
def test_validate_tells_what_is_illegal(
    remote: bool, service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1, with code, field, sentence and rule; the same from a service."""
    submitted = validate_request("1862-small")
    submitted.routes.append(submitted.routes[0])
    path = tmp_path / "run.json"
    path.write_text(MessageToJson(submitted), "utf-8")
    arguments = ["validate", str(path), *(["--server", service.address] if remote else [])]
    assert main(arguments) == NOT_AS_HOPED
    out = capsys.readouterr().out
    assert "TRAIN_TWICE  routes[1]" in out
    assert "(1862 §10.3)" in out
    assert "The run is illegal." in out
    assert main([*arguments, "--json"]) == NOT_AS_HOPED
    answer = json.loads(capsys.readouterr().out)
    assert answer["legal"] is False
    assert answer["faults"][0]["code"] == "TRAIN_TWICE"


def test_optimize_asks_a_service(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1, for this service proves nothing; the bound is shown."""
    assert main(["optimize", file(EXAMPLE), "--server", service.address]) == NOT_AS_HOPED
    out = capsys.readouterr().out
    assert "Not proven: no run passes the bound £10000" in out
    assert "4X (4X-0)  Edinburgh I6 – Dundee J3" in out


def test_what_is_open_is_said_beside_what_is_proven() -> None:
    """Money is proven, a tie-break is not, and time ended the list: one sentence for each."""
    request = optimize_request("1862-small")
    solution = route_service_pb2.Solution(
        status=route_service_pb2.SOLUTION_STATUS_OPTIMAL,
        proof="bounds",
        open_ties=["subsidy", "trains"],
        others_cut_short=True,
    )
    lines = list(solution_lines(request.position, solution))
    assert any(line.startswith("Proven: nothing pays more (bounds") for line in lines)
    assert (
        "Not proven: that no run as good has more subsidy and that no run as good needs fewer "
        "trains." in lines
    )
    assert "Time ran out before all the runs asked for were found." in lines
    del solution.open_ties[:]
    lines = list(solution_lines(request.position, solution))
    assert any(line.startswith("Proven: nothing better exists (bounds") for line in lines)


def test_games_are_listed(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    """Here and by a service, in both forms."""
    assert main(["games"]) == OK
    here = capsys.readouterr().out
    assert main(["games", "--server", service.address]) == OK
    assert capsys.readouterr().out == here
    lines = here.splitlines()
    assert [line.split()[0] for line in lines[:5]] == list(all_games())
    assert all(line.startswith(title) for line, title in zip(lines, known_titles(), strict=True))
    assert main(["games", "--json"]) == OK
    assert len(json.loads(capsys.readouterr().out)["games"]) == len(known_titles())


def test_a_request_comes_from_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the file is called -."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(Path(file(EXAMPLE)).read_text("utf-8")))
    assert main(["optimize", "-"]) == OK
    assert "Proven" in capsys.readouterr().out


def test_options_of_the_command_go_before_those_of_the_file(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Seed, algorithm, objective, number of runs and time limit."""
    options = ["--seed", "7", "--algorithm", "search", "--objective", "total", "--runs", "3"]
    assert main(["optimize", file(EXAMPLE), "--json", "--time-limit", "20", *options]) == OK
    solution = json.loads(capsys.readouterr().out)["solution"]
    assert (solution["seed"], solution["algorithm"]) == ("7", "search")
    assert len(solution["others"]) == 2
    revenues = [run["revenue"] for run in (solution["run"], *solution["others"])]
    assert revenues == sorted(revenues, reverse=True)


@pytest.mark.parametrize("remote", [False, True])
def test_a_run_is_drawn(remote: bool, service: Service, tmp_path: Path) -> None:
    """An SVG document with the routes of the run."""
    out = tmp_path / "run.svg"
    server = ["--server", service.address] if remote else []
    main(["optimize", file(EXAMPLE), "--svg", str(out), *server])
    assert out.read_text("utf-8").startswith("<svg")
    assert 'data-train="4X-0"' in out.read_text("utf-8")
    main(["validate", file(f"{EXAMPLE}.run"), "--svg", str(out), *server])
    assert 'data-train="4X-0"' in out.read_text("utf-8")


@pytest.mark.parametrize("remote", [False, True])
def test_bad_state_is_bad_input(
    remote: bool, service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2; every fault on standard error, or as google.rpc.Status in JSON."""
    request = optimize_request(EXAMPLE)
    request.position.board.tiles[0].rotation = 17
    request.position.company.trains[0].name = "D"
    path = tmp_path / "bad.json"
    path.write_text(MessageToJson(request), "utf-8")
    arguments = ["optimize", str(path), *(["--server", service.address] if remote else [])]
    assert main(arguments) == BAD_INPUT
    told = capsys.readouterr()
    assert told.out == ""
    assert "INVALID_ARGUMENT" in told.err
    assert "ROTATION_OUT_OF_RANGE  position.board.tiles[0].rotation: " in told.err
    assert "TRAIN_UNKNOWN  position.company.trains[0].name: " in told.err
    assert main([*arguments, "--json"]) == BAD_INPUT
    status = json.loads(capsys.readouterr().out)
    assert status["code"] == 3
    assert status["details"][0]["domain"] == "bradshaw"


@pytest.mark.parametrize("text", ["", "no JSON", "[]", '{"position": {"bored": {}}}', "\x00"])
def test_a_file_that_is_no_request_is_bad_input(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, with the name of the file and of what it should be."""
    path = tmp_path / "bad.json"
    path.write_text(text, "utf-8")
    assert main(["optimize", str(path)]) == BAD_INPUT
    told = capsys.readouterr().err
    assert str(path) in told
    assert "OptimizeRoutesRequest" in told


def test_a_file_that_is_not_there_is_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also a picture that cannot be written, and bytes that are no text."""
    missing = str(tmp_path / "missing.json")
    assert main(["validate", missing]) == BAD_INPUT
    assert capsys.readouterr().err.count(missing) == 1
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    assert main(["validate", str(tmp_path / "bytes.json"), "--json"]) == BAD_INPUT
    assert json.loads(capsys.readouterr().out)["code"] == 3
    nowhere = str(tmp_path / "no" / "run.svg")
    assert main(["optimize", file(EXAMPLE), "--svg", nowhere]) == BAD_INPUT
    assert capsys.readouterr().err.count(nowhere) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{}", "position: the field is required"),
        ('{"position": {"board": {"title": "1999", "phase": "1"}, "company": {"corporation": "x",'
         '"trains": []}}}', "there is no game '1999'"),
    ],
)  # fmt: skip
def test_a_fault_is_said_once(
    content: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its code and field, below the name of the status."""
    path = tmp_path / "bad.json"
    path.write_text(content, "utf-8")
    assert main(["optimize", str(path)]) == BAD_INPUT
    first, second = capsys.readouterr().err.splitlines()
    assert first == "bradshaw: INVALID_ARGUMENT"
    assert said in second


def test_faults_that_are_not_listed_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A status lists sixteen at most."""
    request = optimize_request(EXAMPLE)
    for _ in range(20):
        request.position.board.tiles.add(hex="Z99", tile="1")
    path = tmp_path / "bad.json"
    path.write_text(MessageToJson(request), "utf-8")
    assert main(["optimize", str(path)]) == BAD_INPUT
    *listed, last = capsys.readouterr().err.splitlines()[1:]
    total = len(listed) + int(last.split()[1])
    assert last == f"  and {total - len(listed)} more faults"
    assert total > 20


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["solve"],
        ["optimize"],
        ["optimize", "x", "--time-limit", "0"],
        ["optimize", "x", "--time-limit", "soon"],
        ["optimize", "x", "--time-limit", "1e300"],
        ["optimize", "x", "--time-limit", "nan"],
        ["optimize", "x", "--runs", "0"],
        ["optimize", "x", "--runs", "99999999999"],
        ["optimize", "x", "--seed", "99999999999999999999"],
        ["optimize", "x", "--at", "99999999999999999999"],
        ["optimize", "x", "--server", ""],
        ["audit", "x", "--time-limit", "1e300"],
        ["serve", "--port", "70000"],
        ["serve", "--workers", "none"],
        ["serve", "--log-level", "chatty"],
    ],
)
def test_bad_arguments_are_bad_input(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2 and the usage."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == BAD_INPUT
    assert "usage: bradshaw" in capsys.readouterr().err


def test_a_service_that_is_not_there_is_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 3."""
    assert main(["games", "--server", "127.0.0.1:1"]) == FAILED
    assert "UNAVAILABLE" in capsys.readouterr().err
    assert main(["optimize", file(EXAMPLE), "--server", "127.0.0.1:1"]) == FAILED


def test_a_report_is_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A report of a lying service: the true optimizer is confirmed, exit code 0."""
    lying = IdleSolver(change=lambda a: replace(a, revenue=a.revenue + 10, bound=a.bound + 10))
    with serving(lying, reports=tmp_path) as service:
        failure(lambda: service.routes.OptimizeRoutes(optimize_request(EXAMPLE)))
    (report,) = tmp_path.iterdir()
    assert main(["replay-report", str(report)]) == OK
    told = capsys.readouterr()
    assert "confirmed now" in told.err
    assert "Proven" in told.out


def test_a_report_that_still_holds_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1, with the claims."""
    lying = IdleSolver(change=lambda a: replace(a, revenue=a.revenue + 10, bound=a.bound + 10))
    with serving(lying, reports=tmp_path) as service:
        failure(lambda: service.routes.OptimizeRoutes(optimize_request(EXAMPLE)))
    (report,) = tmp_path.iterdir()
    monkeypatch.setattr("server.client.load_solver", lambda: lying)
    assert main(["replay-report", str(report)]) == NOT_AS_HOPED
    assert "still not confirmed" in capsys.readouterr().err


def test_what_is_no_report_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2."""
    assert main(["replay-report", file(EXAMPLE)]) == BAD_INPUT
    assert "is not a report" in capsys.readouterr().err


def test_serve_logs_json_and_stops_on_sigterm() -> None:
    """Serving, one line for each call, stopping, stopped; exit code 0."""
    with service_process(["--workers", "1", "--queue", "3"]) as service:
        assert service.log[0]["workers"] == 1
        assert main(["optimize", file(EXAMPLE), "--server", service.address]) == OK
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(20) == 0
    events = [line.get("event") for line in service.log]
    assert events == ["serving", "call", "stopping", "stopped"]
    call = service.log[1]
    assert (call["method"], call["title"], call["status"]) == ("StreamOptimizeRoutes", "18GB", "OK")
    assert call["proof"]


def test_serve_says_at_once_that_reports_cannot_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, not when the first one is due."""
    taken = tmp_path / "taken"
    taken.touch()
    assert main(["serve", "--port", "0", "--reports", str(taken)]) == BAD_INPUT
    assert capsys.readouterr().err.startswith(f"bradshaw: cannot write to {taken}")


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 0."""
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == OK
    assert capsys.readouterr().out.startswith("bradshaw ")


def test_a_second_signal_ends_the_grace(tmp_path: Path) -> None:
    """While a solver of CP-SAT runs, which would take an interrupt for itself."""
    request = json.loads((ROOT / "examples" / "1822.json").read_text("utf-8"))
    request["options"] = {"algorithm": "circuit", "time_limit": "60s"}
    asked = Parse(json.dumps(request), route_service_pb2.OptimizeRoutesRequest())
    with (
        service_process(["--grace", "50"]) as service,
        grpc.insecure_channel(service.address) as channel,
    ):
        routes = route_service_pb2_grpc.RouteServiceStub(channel)
        call = routes.OptimizeRoutes.future(asked)
        time.sleep(1.0)
        service.process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        assert not call.done()
        service.process.send_signal(signal.SIGINT)
        assert service.process.wait(15) == 0
        assert failure(call.result).reason == "NOT_READY"


def test_serve_says_that_the_port_is_taken(service: Service) -> None:
    """Exit code 3 and exactly one line, nothing of gRPC's."""
    command = [sys.executable, "-m", "server.cli", "serve", "--port", str(service.app.port)]
    done = subprocess.run(
        command, env=environment(), capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == FAILED
    said = f"cannot listen on 127.0.0.1:{service.app.port}: Address already in use"
    assert done.stderr == f"bradshaw: {said}\n"
    assert done.stdout == ""


def test_an_interrupt_comes_through_while_a_solver_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The solver has a thread of its own; the main one heeds the interrupt meanwhile."""
    threads: list[int] = []

    def interrupted(problem: Any, **options: Any) -> Any:
        threads.append(threading.get_ident())
        os.kill(os.getpid(), signal.SIGINT)
        return StubbornSolver()(problem, **options)

    monkeypatch.setattr("server.client.load_solver", lambda: interrupted)
    assert main(["optimize", file(EXAMPLE)]) == NOT_AS_HOPED
    assert "Not proven" in capsys.readouterr().out
    assert threads != [threading.get_ident()]


@pytest.mark.parametrize("heeded", [True, False])
def test_an_interrupt_during_the_imports_ends_the_program_without_a_traceback(
    heeded: bool, tmp_path: Path
) -> None:
    """As it ends other programs; not one that a shell lets run on in the background."""
    (tmp_path / "grpc.py").write_text(
        "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nraise ImportError('went on')\n"
    )
    path = os.pathsep.join([str(tmp_path), environment()["PYTHONPATH"]])
    start = signal.default_int_handler if heeded else signal.SIG_IGN
    done = subprocess.run(
        [sys.executable, "-m", "server", "serve", "--port", "0"],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=60,
        check=False, preexec_fn=lambda: signal.signal(signal.SIGINT, start),
    )  # fmt: skip
    assert (done.returncode == -signal.SIGINT) == heeded
    assert ("Traceback" in done.stderr) != heeded
    assert ("went on" in done.stderr) != heeded


def test_an_interrupt_ends_the_solve_with_the_best_run_so_far(tmp_path: Path) -> None:
    """Of a program that would go on for long: exit code 1, with its bound."""
    script = tmp_path / "slow.py"
    script.write_text(
        "import sys\n"
        "import server.client\n"
        "from server.cli import main\n"
        "from tests.server.doubles import StubbornSolver\n"
        "server.client.load_solver = StubbornSolver\n"
        "print('ready', flush=True)\n"
        f"sys.exit(main(['optimize', {file(EXAMPLE)!r}]))\n",
        "utf-8",
    )
    command = [sys.executable, str(script)]
    with subprocess.Popen(
        command, env=environment(), stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
    assert process.returncode == NOT_AS_HOPED
    assert "Not proven: no run passes the bound £10000" in out


def environment() -> dict[str, str]:
    """Return the environment of a process that imports from the checkout."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "proto")])
    return {**os.environ, "PYTHONPATH": path}
