"""How much a command imports and how much processor time it takes, in a process of its own."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from bradshaw.v1 import route_service_pb2
from google.protobuf.json_format import MessageToJson

from server.convert.positions import position_message
from server.exit_codes import OK
from tests.server.records import WITH_POSITIONS, positions_of
from tests.server.requests import FOLDER
from tests.shared import needs_positions

ROOT = Path(__file__).resolve().parents[2]
NOISE = 3
"""How many times the processor time meant a test allows: other work slows a processor down."""

SHOW = """
import sys
from server.cli import main
try:
    code = main(sys.argv[1:])
except SystemExit as end:
    code = end.code
print(" ".join(sys.modules), file=sys.stderr)
sys.exit(code)
"""


def modules_of(*arguments: str) -> set[str]:
    """Return the modules that a command has imported when it ends."""
    done = subprocess.run(
        [sys.executable, "-c", SHOW, *arguments],
        env=environment(), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == OK, done.stderr
    assert done.stdout
    return set(done.stderr.splitlines()[-1].split())


def environment() -> dict[str, str]:
    """Return the environment of a process that imports from the checkout and keeps bytecode."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "proto")])
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": path}


def loaded(modules: set[str], *packages: str) -> list[str]:
    """Return which of some packages are among imported modules."""
    return [p for p in packages if any(m == p or m.startswith(f"{p}.") for m in modules)]


@pytest.mark.parametrize("command", [[], ["optimize"], ["replay"], ["serve"], ["audit"]])
def test_help_imports_neither_solver_nor_messages(command: list[str]) -> None:
    """Nor any game: only what reads arguments."""
    modules = modules_of(*command, "--help")
    heavy = ("numpy", "ortools", "google.protobuf", "grpc", "bradshaw", "engine", "optimizer")
    assert loaded(modules, *heavy) == []


@pytest.mark.parametrize(
    ("name", "folder"), [("1822-small", "g1822"), ("1862-small", "g1862"), ("18GB-small", "g18gb")]
)
def test_optimize_imports_what_the_question_needs(name: str, folder: str) -> None:
    """In this process nothing of gRPC; neither CP-SAT nor linear programs, which a small board
    does not need; no other game, no whole games, no bar."""
    modules = modules_of("optimize", str(FOLDER / f"{name}.json"))
    assert (
        loaded(modules, "grpc", "ortools", "rich", "engine.drawing", "engine.declared", "resvg_py")
        == []
    )
    games = {m for m in modules if m.startswith("engine.games.g") and m.count(".") == 2}
    assert games == {f"engine.games.{folder}"} | ({"engine.games.game"} & modules)
    assert loaded(modules, f"engine.games.{folder}.play", "engine.play.game") == []


@pytest.mark.parametrize("command", ["validate", "games"])
def test_commands_that_solve_nothing_import_no_numpy(command: str) -> None:
    """A verdict and a list need no solver."""
    file = [str(FOLDER / "1822-small.run.json")] if command == "validate" else []
    assert loaded(modules_of(command, *file), "numpy", "ortools", "grpc") == []


def cpu_seconds(*arguments: str) -> float:
    """Return the least processor time of a command in three runs, after one that keeps bytecode."""
    return min(_cpu_seconds(arguments) for _ in range(4))


def _cpu_seconds(arguments: tuple[str, ...]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "server", *arguments]
    done = subprocess.run(command, env=environment(), capture_output=True, timeout=60, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == OK, done.stderr
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_help_takes_a_tenth_of_a_second() -> None:
    """Of processor time, on a processor of its own."""
    assert cpu_seconds("--help") < 0.1 * NOISE


@needs_positions
@pytest.mark.parametrize("name", [WITH_POSITIONS[0], WITH_POSITIONS[4], WITH_POSITIONS[6]])
def test_optimize_takes_a_third_of_a_second(name: str, tmp_path: Path) -> None:
    """Of processor time for the last run of a recorded game, on a processor of its own."""
    record = positions_of(name)[-1]
    position = position_message(record.board, record.company)
    path = tmp_path / "request.json"
    request = route_service_pb2.OptimizeRoutesRequest(position=position)
    path.write_text(MessageToJson(request), "utf-8")
    assert cpu_seconds("optimize", str(path)) < 0.35 * NOISE


def test_a_service_has_imported_everything_when_it_says_that_it_serves() -> None:
    """Solvers, games and what plays them: no call pays for that."""
    script = (
        "import sys\n"
        "from tests.server.harness import serving\n"
        "with serving():\n"
        "    print(' '.join(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment(), cwd=ROOT, capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    modules = set(done.stdout.split())
    wanted = (
        "ortools.sat.python.cp_model",
        "ortools.linear_solver.pywraplp",
        "optimizer.packing.solve",
        "optimizer.coverage.solve",
        *(f"engine.games.{game}.play" for game in ("g1822", "g1862", "g18gb")),
    )
    assert loaded(modules, *wanted) == list(wanted)
