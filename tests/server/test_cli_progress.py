"""The bar of long work: on a terminal, and nowhere else."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from server.exit_codes import OK
from server.progress import PATIENCE, progress
from tests.server.requests import FOLDER

pty = pytest.importorskip("pty", reason="pseudo terminals are not known here")

ROOT = Path(__file__).resolve().parents[2]
GAME = str(ROOT / "tests" / "data" / "games" / "18GB-two-players.json")
REQUEST = str(FOLDER / "18GB-small.json")

SCRIPT = """
import sys
import server.progress
from server.cli import main
server.progress.PATIENCE = 0.0
sys.exit(main(sys.argv[1:]))
"""


def run(arguments: list[str], terminal: bool) -> tuple[str, str]:
    """Run a command whose standard error is a terminal or a file; return both outputs.

    Work counts as long at once.
    """
    path = os.pathsep.join([str(ROOT), str(ROOT / "proto")])
    environment = {**os.environ, "PYTHONPATH": path, "TERM": "xterm", "COLUMNS": "80"}
    ours, theirs = pty.openpty() if terminal else os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *arguments],
        env=environment, stdout=subprocess.PIPE, stderr=theirs, text=True,
    ) as process:  # fmt: skip
        os.close(theirs)
        said = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # a pseudo terminal whose other end is closed
                break
            if not part:
                break
            said += part
        out, _ = process.communicate(timeout=60)
    os.close(ours)
    assert process.returncode in (OK, 1)
    return out, said.decode("utf-8")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["audit", GAME], "auditing runs"),
        (["replay", GAME, GAME], "replaying games"),
    ],
)
def test_a_terminal_shows_a_bar_and_a_file_nothing(arguments: list[str], text: str) -> None:
    """How many steps are done of how many; the answer is the same, and stands alone."""
    out, said = run(arguments, terminal=True)
    assert text in said
    assert "━" in said
    assert text not in out
    plain, nothing = run(arguments, terminal=False)
    assert nothing == ""
    assert plain == out


def test_optimize_tells_nothing_off_a_terminal() -> None:
    """Not even of better runs on the way."""
    out, said = run(["optimize", REQUEST], terminal=False)
    assert "Proven" in out
    assert said == ""


def test_short_work_shows_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though standard error is a terminal; what draws bars is not even started."""
    shown: list[str] = []
    monkeypatch.setattr("server.progress.Progress.show", lambda self: shown.append("bar"))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with progress("working", 2) as bar:
        bar.advance()
    time.sleep(0.05)
    assert not shown
    monkeypatch.setattr("server.progress.PATIENCE", PATIENCE / 100)
    with progress("working", 2):
        time.sleep(0.2)
    assert shown == ["bar"]
