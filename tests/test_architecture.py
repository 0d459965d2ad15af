"""The page on how the house is built is true, and the import rules know every game."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

from engine.games import all_games

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
RULES = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
LISTED = ("engine/board", "engine/routing", "engine/play")
"""Packages of which the page names every module."""


def tree() -> Iterator[str]:
    """Yield every path that the tree of the page names."""
    above: list[tuple[int, str]] = []
    for line in PAGE.split("```")[1].strip("\n").splitlines():
        depth = len(line) - len(line.lstrip())
        while above and above[-1][0] >= depth:
            above.pop()
        parent = above[-1][1] if above else ""
        names = list(takewhile(lambda word: word.endswith(("/", ".py")), line.split()))
        assert names, line
        yield from (parent + name for name in names)
        above.append((depth, parent + names[0]))


def test_the_tree_is_that_of_the_repository() -> None:
    """Every file and folder named exists; no package or module of those listed is left out."""
    named = set(tree())
    assert {path for path in named if not (ROOT / path).exists()} == set()
    games = [f"{game.package.replace('.', '/')}/" for game in all_games().values()]
    packages = {
        f"{path.parent.relative_to(ROOT).as_posix()}/"
        for top in ("engine", "optimizer", "server", "benchmarks", "examples", "tests")
        for path in (ROOT / top).rglob("__init__.py")
    }
    assert set(games) <= named
    assert {p for p in packages if not p.startswith(tuple(games))} <= named
    modules = {
        path.relative_to(ROOT).as_posix()
        for folder in LISTED
        for path in (ROOT / folder).glob("*.py")
        if path.name != "__init__.py"
    }
    assert modules - named == set()


def test_import_rules_name_every_game() -> None:
    """Where games are listed, for import rules take no patterns, all of them are."""
    games = {game.package for game in all_games().values()}
    lists = [
        names
        for contract in RULES["contracts"]
        for key in ("modules", "forbidden_modules")
        for names in [set(contract.get(key, ()))]
        if any(name.startswith("engine.games.") for name in names)
    ]
    assert len(lists) == 3
    assert all(names == games for names in lists)
