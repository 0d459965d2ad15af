"""What the benchmark reports must be what happened, also where something is wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import positions, report, tail
from benchmarks.measure import (
    ERROR,
    Judged,
    Measured,
    checked_revenue,
    judge_recorded,
    measure,
)
from benchmarks.summary import bad, percentile, summarise
from engine.notation.positions import PositionRecord, position_from, read_positions
from tests.shared import POSITIONS, needs_positions

SMALL: Mapping[str, Any] = {
    "id": "1862/small@1",
    "title": "1862",
    "phase": "A",
    "corporation": "SVR",
    "corporation_type": "company",
    "trains": [{"id": "A-0", "name": "2E", "runnable": True}],
    "extras": {"permits": ["express"]},
    "tiles": {"D11": ["57", 0], "D13": ["57", 0]},
    "tokens": [{"hex": "D11", "city": 0, "slot": 0, "corporation": "SVR", "type": "normal"}],
    "recorded": {"routes": [{"train": "A-0", "connections": [["D11", "D13"]]}]},
    "checked": {"valid": True, "routes": [{"train": "A-0", "revenue": 40, "subsidy": 0}]},
    "optimum": 40,
}
"""1862: D11 Sudbury and D13 Witham, £20 each, for a 2E of the SVR."""


def small(**changes: Any) -> PositionRecord:
    """Return the small position with changes."""
    return position_from({**SMALL, **changes})


def checked(revenue: int, subsidy: int | None = 0, *, valid: bool = True) -> dict[str, Any]:
    """Return what a record says of a run of one route."""
    route = {"train": "A-0", "revenue": revenue, "subsidy": subsidy}
    return {"valid": valid, "routes": [route]}


def test_the_referee_is_compared_with_the_record() -> None:
    """Equal figures agree; another revenue, subsidy or validity does not."""
    assert judge_recorded(small()) == Judged(True)
    assert judge_recorded(small(checked=None)) == Judged(None)
    assert judge_recorded(small(checked=checked(40, None))).agrees
    for wrong in (checked(50), checked(40, 10), checked(0, valid=False)):
        judged = judge_recorded(small(checked=wrong))
        assert judged.agrees is False
        assert judged.said


def test_a_refused_run_agrees_with_an_invalid_record() -> None:
    """A run that the record calls invalid must be refused, whether by the board or the rules."""
    nowhere = {"routes": [{"train": "A-0", "connections": [["D11", "F5"]]}]}
    assert judge_recorded(small(recorded=nowhere, checked=checked(0, valid=False))).agrees
    assert judge_recorded(small(recorded=nowhere)).agrees is False
    blocked = [*SMALL["tokens"]]
    blocked[0] = {**blocked[0], "corporation": "ECR"}
    assert judge_recorded(small(tokens=blocked)).agrees is False
    assert judge_recorded(small(tokens=blocked, checked=checked(0, valid=False))).agrees


def test_only_valid_records_have_a_worth() -> None:
    """The worth of the recorded run is the sum of its routes."""
    assert checked_revenue(small()) == 40
    assert checked_revenue(small(checked=checked(40, valid=False))) is None
    assert checked_revenue(small(checked=None)) is None


def test_a_solve_is_measured_from_the_board_to_the_referee() -> None:
    """Every stage has its time, the answer is the optimum and proven."""
    measured = measure(small(), "default", 20, judge_recorded(small()))
    assert (measured.revenue, measured.subsidy, measured.bound) == (40, 0, 40)
    assert measured.status == "OPTIMAL"
    assert measured.referee_agrees is True
    stages = list(measured.stages)
    assert stages[:4] == ["board", "legs and problem", "solve", "referee"]
    assert measured.ms == pytest.approx(sum(measured.stages[s] for s in stages[:4]), abs=0.1)
    assert not bad(measured)


def test_an_error_is_reported_as_such() -> None:
    """A state with faults is no answer and counts as wrong."""
    measured = measure(small(phase="Z"), "default", 20, Judged(None))
    assert measured.status == ERROR
    assert measured.revenue is None
    assert "STATE_INVALID" in measured.proof
    assert bad(measured)


def one(revenue: int | None, ms: float = 1.0, **changes: Any) -> Measured:
    """Return a made-up measurement whose record is worth £100 and whose optimum is £120."""
    base = Measured("t/g@1", "x", revenue, 0, revenue, "OPTIMAL", "bounds", True, 100, 120, ms, ms)
    return replace(base, **changes)


def test_the_summary_counts_what_happened() -> None:
    """Shares, percentiles and comparisons, by algorithm."""
    measured = [
        one(120, 1.0),
        one(100, 2.0, status="FEASIBLE", proof=""),
        one(90, 3.0, optimum=None),
        one(None, 4.0, status=ERROR),
        one(130, 5.0, algorithm="y", referee_agrees=False),
    ]
    summary = summarise(measured)
    assert set(summary) == {"x", "y"}
    x = summary["x"]
    assert (x["positions"], x["proven"], x["errors"]) == (4, 0.5, 1)
    assert (x["above"], x["equal"], x["below"]) == (1, 1, 1)
    assert (x["p50"], x["p90"], x["max"]) == (2.0, 4.0, 4.0)
    assert x["optimum_missed"] == 0, "a run that is not proven may fall short"
    assert summary["y"]["optimum_missed"] == 1, "no run is above the optimum"
    assert summary["y"]["referee_disagrees"] == 1


def test_percentiles_are_values_that_occur() -> None:
    """Nearest rank: 95 % of a hundred values do not exceed the 95th."""
    values = [float(n) for n in range(1, 101)]
    assert [percentile(values, p) for p in (50, 90, 95, 99, 100)] == [50, 90, 95, 99, 100]
    assert percentile([7.0], 50) == 7.0


def test_the_command_writes_one_json_object(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files and folders are read, the JSON has all keys, the table shows the worst."""
    folder = tmp_path / "some"
    folder.mkdir()
    (folder / "a.jsonl").write_text(json.dumps(SMALL) + "\n\n", "utf-8")
    extra = tmp_path / "b.jsonl"
    extra.write_text(json.dumps({**SMALL, "id": "1862/small@2", "optimum": None}) + "\n", "utf-8")
    out = tmp_path / "out.json"
    assert positions.main([str(folder), str(extra), "--limit", "20", "--json", str(out)]) == 0
    written = json.loads(out.read_text("utf-8"))
    assert [p["id"] for p in written["positions"]] == ["1862/small@1", "1862/small@2"]
    needed = {"id", "algorithm", "revenue", "subsidy", "bound", "status", "referee_agrees",
              "checked_revenue", "optimum", "ms", "stages"}  # fmt: skip
    assert all(needed <= set(p) for p in written["positions"])
    assert written["positions"][1]["optimum"] is None
    (summary,) = written["summary"].values()
    assert summary["equal"] == 2
    assert "1862/small@1" in capsys.readouterr().out


def test_a_wrong_record_fails_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit code tells of a disagreement, and the screen says which."""
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({**SMALL, "checked": checked(50)}) + "\n", "utf-8")
    assert positions.main([str(path)]) == 1
    assert "route 0 £50, the referee £40" in capsys.readouterr().out


def test_the_report_names_games_and_peers(tmp_path: Path) -> None:
    """The page has a row for each game and says where another program found less or more."""
    real = [one(120, id="1862/g@1"), one(80, 9.0, id="18GB/g@2", checked_revenue=80, optimum=80)]
    data = {
        "positions": [
            {**vars_of(m), "trains": list(m.trains), "stages": dict(m.stages)} for m in real
        ],
        "summary": {"x": {}},
        "environment": {
            "python": "3.11", "ortools": "9", "numpy": "2", "cores": 2, "machine": "x",
            "limit": None,
        },
    }  # fmt: skip
    source = tmp_path / "real.json"
    source.write_text(json.dumps(data), "utf-8")
    (tmp_path / "README.md").write_text(f"old\n\n{report.APART}\n\nby hand\n", "utf-8")
    peers = tmp_path / "peers.jsonl"
    peers.write_text(
        '{"id": "1862/g@1", "revenue": 90}\n{"id": "18GB/g@2", "revenue": 85}\n', "utf-8"
    )
    assert report.main(["--real", str(source), "--peers", str(peers), "--into", str(tmp_path)]) == 0
    page = (tmp_path / "README.md").read_text("utf-8")
    assert "| 1862 | x | 1 | 100.0 % |" in page
    assert "| x | 2 | 0 | 1 | 1 | £30 |" in page
    assert "18GB/g@2: £80 (OPTIMAL), the other program £85" in page
    assert page.endswith(f"\n{report.APART}\n\nby hand\n")
    assert "old" not in page.split()
    assert (tmp_path / report.PLOT).read_text("utf-8").startswith("<?xml")


def vars_of(measured: Measured) -> dict[str, Any]:
    """Return the fields of a measurement."""
    return {name: getattr(measured, name) for name in Measured.__dataclass_fields__}


def test_made_up_positions_are_reproducible(tmp_path: Path) -> None:
    """The same seeds give the same bytes, one legal position a line, for every game."""
    first, again = tmp_path / "a", tmp_path / "b"
    for folder in (first, again):
        assert tail.main([str(folder), "--count", "1"]) == 0
    names = sorted(path.name for path in first.iterdir())
    assert names == [f"{name}-grown.jsonl" for name in sorted(tail.game_folders())]
    for name in names:
        assert (first / name).read_bytes() == (again / name).read_bytes()
        assert len(list(read_positions(first / name))) == 1


@needs_positions
def test_ends_of_recorded_games_have_every_company_and_heavier_trains() -> None:
    """Every major of a last board runs each set of trains; 1862 with London and without."""
    records = tail.last_records(POSITIONS)
    for record in records:
        name = tail.folder_of(record)
        ends = list(tail.ENDS[name](record))
        ids = [situation[0] for situation in ends]
        assert len(set(ids)) == len(ids)
        companies = {company.corporation for _, _, company in ends}
        present = {token.corporation for token in record.board.tokens}
        assert companies == {c for c in present if name != "g1822" or not c.isdigit()}
        if name == "g1862":
            assert any("-London" in one for one in ids)
            assert any("-London" not in one for one in ids)
