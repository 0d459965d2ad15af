"""The demonstration: a service, three examples, three pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

from examples.demo import main


def test_the_demonstration_proves_and_draws_every_example(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 0; a proof and a picture for each game."""
    assert main(tmp_path / "out") == 0
    drawn = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert drawn == ["1822.svg", "1862.svg", "18GB.svg"]
    assert capsys.readouterr().out.count("Proven: nothing better exists") == 3
