"""The example of the README is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from server import cli

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    """Return the code blocks of a language in the README, '' for none."""
    fences = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return [text for name, text in fences if name == language]


def test_the_request_has_the_answer_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The request of the README gives the answer of the README, but for the time."""
    path = tmp_path / "request.json"
    path.write_text(blocks("json")[0], "utf-8")
    picture = tmp_path / "run.svg"
    assert cli.main(["optimize", str(path), "--svg", str(picture)]) == 0
    shown = next(text for text in blocks("") if text.startswith("1862, phase A"))
    said = capsys.readouterr().out
    assert without_time(said) == without_time(shown)
    assert picture.read_text("utf-8").startswith("<svg")


@pytest.mark.parametrize("command", ["replay", "audit"])
def test_the_commands_for_games_say_what_is_shown(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every line shown is said, in this order; dots stand for others."""
    (line,) = re.findall(rf"`bradshaw ({command} examples/[^`]*)`", README)
    name, path, *options = line.split()
    assert cli.main([name, str(ROOT / path), *options]) == 0
    said = iter(capsys.readouterr().out.splitlines())
    after = README[README.index(f"`bradshaw {line}`") :]
    shown = [text for text in after.split("```")[1].strip("\n").splitlines() if text != "..."]
    assert len(shown) > 5
    for text in shown:
        assert text in said, text


def without_time(text: str) -> list[str]:
    """Return the lines of an answer, without the seconds of the last one."""
    return re.sub(r", [\d.]+ s\)", ")", text).strip().splitlines()


def test_links_lead_somewhere() -> None:
    """Every file that the README and the pages under docs name exists."""
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))):
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text("utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"
