"""The demonstration: a service, positions and whole games, pictures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from examples import demo
from server.process import service_process


def test_the_demonstration_proves_audits_and_draws_every_example(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 0; a proof and a picture for each position; for each game its result, the sums
    of its audit and a picture of the run that missed most beside the best one. All that is said
    fits two screens and ends with what to open next."""
    assert demo.main(tmp_path / "out") == 0
    drawn = {path.name for path in (tmp_path / "out").iterdir()}
    titles = ("1822", "1862", "18GB")
    assert drawn == {f"{title}{end}.svg" for title in titles for end in ("", "-missed")}
    assert all((tmp_path / "out" / name).read_text("utf-8").startswith("<svg") for name in drawn)
    said = capsys.readouterr().out
    assert said.count("Proven: nothing better exists") == 3
    assert said.count(": the recorded ones") == 3
    for end, runs in (("bank", 203), ("lner", 59), ("final_train", 122)):
        assert f"actions, end: {end}\n" in said
        assert f"  {runs} runs, {runs} best ones proven, " in said
    lines = said.replace(f"{tmp_path}/", "").splitlines()
    assert len(lines) <= 2 * 48
    assert max(map(len, lines)) <= 100
    last = lines[lines.index("What to open next, the pictures in any browser:") + 1 :]
    assert len(last) == 7
    for line in last[:4]:
        named = line.split()[0]
        assert (tmp_path / named).exists() or (demo.FOLDER.parent / named).exists()
    missed = (tmp_path / "out" / "1862-missed.svg").read_text("utf-8")
    assert ">Played: £1280<" in missed
    assert ">Best: £1460<" in missed


def test_a_game_that_is_not_as_recorded_is_not_good(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another result is told, and the exit code is 1; another end or an open proof counts too."""
    (source,) = (path for path in demo.GAMES if path.stem == "1862")
    text = source.read_text("utf-8").replace('"1": 5491', '"1": 5492')
    other = tmp_path / "other.json"
    other.write_text(text, "utf-8")
    assert demo.main(tmp_path / "out", [], [other]) == 1
    assert ": NOT the recorded ones" in capsys.readouterr().out
    with service_process() as service:
        checked = demo.check_game(service.address, source)
    assert checked.good
    checked.replayed.recorded_end_reason = "bank"
    assert not checked.good
    checked.replayed.recorded_end_reason = "lner"
    open_run = replace(checked.runs[0], solution=type(checked.runs[0].solution)())
    assert not replace(checked, runs=[open_run]).good
