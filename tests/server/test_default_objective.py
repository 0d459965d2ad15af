"""What is maximised first where a request does not say it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from server.cli import main

CASE = Path(__file__).parents[1] / "data" / "cases" / "1862-receivership-default-objective.json"


def test_in_receivership_the_sum_is_maximised_by_default(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """1862 §7.5: £50 and £40 of subsidy, not £60 and £20."""
    assert main(["optimize", str(CASE), "--json"]) == 0
    run = json.loads(capsys.readouterr().out)["solution"]["run"]
    assert (run["revenue"], run["subsidy"]) == (50, 40)
