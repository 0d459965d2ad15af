"""The wire contract: linted, commented, and its generated code up to date."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from server import generate

BUF = Path(sys.executable).parent / "buf"


@pytest.mark.skipif(not BUF.exists(), reason="buf-bin is not installed")
@pytest.mark.parametrize("command", [["lint"], ["format", "-d", "--exit-code"]])
def test_buf_finds_nothing(command: list[str]) -> None:
    """STANDARD lint, a comment on everything, and buf's own layout."""
    found = subprocess.run(
        [BUF, *command], cwd=generate.PROTO, capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stdout) == (0, ""), found.stdout + found.stderr


def test_the_committed_code_is_what_the_protos_say() -> None:
    """Nobody changed a .proto without `python -m server.generate`, or the code by hand."""
    assert generate.drift() == ()


def test_drift_is_seen(tmp_path: Path) -> None:
    """The check fails for a file that is changed, missing or left over."""
    root = tmp_path / "proto"
    shutil.copytree(generate.PROTO, root)
    package = root / generate.PACKAGE
    (package / "board_pb2.py").write_text("# by hand\n", "utf-8")
    (package / "run_pb2.pyi").unlink()
    (package / "old_pb2.py").touch()
    assert generate.drift(root) == ("board_pb2.py", "old_pb2.py", "run_pb2.pyi")
