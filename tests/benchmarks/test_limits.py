"""The benchmarks of short limits and of plain trains measure what they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import limits, plain_trains
from engine.notation.positions import read_positions

DATA = Path(__file__).resolve().parents[1] / "data" / "positions"
FILE = DATA / "1822-without-limit.jsonl"


def test_an_answer_says_what_is_missing() -> None:
    """£0 where something pays, and a bound below what can be had, are told apart."""
    good = limits.Answer("x", best=90, revenue=80, bound=100, proven=False, over=0.0)
    assert not good.empty
    assert not good.wrong
    assert limits.Answer("x", 90, 0, 100, False, 0.0).empty
    assert limits.Answer("x", 90, None, None, False, 0.0).empty
    assert limits.Answer("x", 90, 80, 80, True, 0.0).wrong


def test_a_short_limit_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    """The table has a row for each limit, and no answer is wrong or £0."""
    assert limits.main([str(FILE), "--limit", "20", "--limit", "2000"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [row[1] for row in rows[1:3]] == ["20", "2000"]
    assert rows[2][3:5] == ["100.0", "%"]


def test_plain_trains_keep_the_network_and_nothing_else() -> None:
    """Every stop costs 1 and pays its value; no words; trains as they are named."""
    record = next(r for r in read_positions(FILE) if len(r.company.trains) == 3)
    network = plain_trains.network_of(record)
    problem = plain_trains.plain(network, "3+D+D")
    assert problem.legs == network.legs
    assert problem.words == ()
    three, free = problem.classes
    assert (three.trains, free.trains) == (("3-0",), ("D-0", "D-1"))
    assert three.reach.budgets[0].limit == 3
    assert free.reach.budgets == ()
    _, outcome = plain_trains.measured(problem, limit=30.0, repeat=1)
    assert outcome.proven
