"""Write made-up hard positions.

``python -m benchmarks.tail FOLDER [--count N] [--recorded FOLDER]``

Recorded games do not show the tail of the times. For each game folder the
command writes two files in the format of recorded positions:

- ``<game>-grown.jsonl``: `count` dense boards, grown from the seeds 0, 1, 2, ...;
- ``<game>-ends.jsonl``: the last boards of recorded games, if there are any,
  with every company in turn and heavier trains than the players had.

The same arguments write the same bytes. Every position is checked as a request
would be; one with faults ends the command.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.positions import find_files
from engine.board.state import BoardState, TokenPlacement
from engine.games import all_games, load_game
from engine.notation.positions import PositionRecord, position_object, read_positions
from engine.routing.position import load_position, make_rules
from engine.routing.run import CompanyState, TokenRef, Train

COUNT = 100
"""Grown boards for each game."""

Situation = tuple[str, BoardState, CompanyState]
"""An id, a board and a company."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.tail", description="Write made-up hard positions."
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--count", type=int, default=COUNT, metavar="N")
    parser.add_argument("--recorded", type=Path, metavar="FOLDER", help="positions of real games")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    last = last_records(options.recorded) if options.recorded else []
    for name in game_folders():
        write(options.folder / f"{name}-grown.jsonl", grown(name, options.count))
        ends = [one for record in last if folder_of(record) == name for one in ENDS[name](record)]
        if ends:
            write(options.folder / f"{name}-ends.jsonl", iter(ends))
    return 0


def game_folders() -> tuple[str, ...]:
    """Return the folders of the games, in order."""
    return tuple(dict.fromkeys(g.package.rsplit(".", 1)[1] for g in all_games().values()))


def folder_of(record: PositionRecord) -> str:
    """Return the folder of a position's game."""
    return load_game(record.board.title).package.rsplit(".", 1)[1]


def write(path: Path, situations: Iterator[Situation]) -> None:
    """Check positions and write them, one a line.

    Raises
    ------
    StateError
        A position has faults.
    """
    number = 0
    with path.open("w", encoding="utf-8") as out:
        for name, board, company in situations:
            load_position(make_rules(load_game(board.title)), board, company)
            out.write(json.dumps(position_object(name, board, company)) + "\n")
            number += 1
    print(f"{path}: {number} positions")


VARIANTS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "g18gb": ({"density": 0.5}, {"density": 0.65}, {"density": 0.8}),
}
"""By game folder what is asked of its generator, in turn."""


def grown(name: str, count: int) -> Iterator[Situation]:
    """Yield dense boards of a game folder, one for each seed from 0."""
    generator = import_module(f"tests.boards.{name}")
    variants = VARIANTS.get(name, ({},))
    for seed in range(count):
        wanted = variants[seed % len(variants)]
        board, company = generator.large_position(random.Random(seed), **wanted)
        yield f"{board.title}/grown@{seed}", board, company


# --- ends of recorded games ---------------------------------------------------


def last_records(folder: Path) -> list[PositionRecord]:
    """Return the last position of every file below a folder."""
    return [list(read_positions(path))[-1] for path in find_files([folder])]


def _companies(board: BoardState) -> list[str]:
    """Return the companies that have tokens on a board, in order of their letters."""
    return sorted({token.corporation for token in board.tokens})


def _trains(names: Sequence[str]) -> tuple[Train, ...]:
    return tuple(Train(f"{name}-{n}", name, name != "P+") for n, name in enumerate(names))


def _named(record: PositionRecord, corporation: str, names: Sequence[str], more: str = "") -> str:
    return f"{record.id.split('@')[0]}-end@{corporation}{more}:{'+'.join(names)}"


TRAINS_1822 = (
    ("2P", "7", "7"),
    ("2P", "7", "7", "P+"),
    ("2P", "6", "7"),
    ("2P", "5", "7", "P+"),
    ("2P", "7", "E"),
    ("LP", "6", "6"),
)


def ends_1822(record: PositionRecord) -> Iterator[Situation]:
    """Yield every major of a last board with each set of :data:`TRAINS_1822`."""
    game = load_game(record.board.title)
    for corporation in _companies(record.board):
        raw = game.corporations[corporation]
        if raw["type"] != "major":
            continue
        home, destination = _own_tokens(record.board, corporation, raw["home"])
        for names in TRAINS_1822:
            company = CompanyState(
                corporation, _trains(names), kind="major", home=home, destination=destination
            )
            yield _named(record, corporation, names), record.board, company


def _own_tokens(
    board: BoardState, corporation: str, printed: Mapping[str, Any]
) -> tuple[TokenRef | None, TokenRef | None]:
    """Return where the home and the destination token of a major stand.

    Of two ordinary tokens in the home hex (one taken over from a minor) the one
    in the city of `printed`, its home in the data files (facts §8), is meant.
    """
    own = [token for token in board.tokens if token.corporation == corporation]
    homes = [t for t in own if t.hex == printed["hex"] and t.kind == "normal"]
    homes.sort(key=lambda token: token.city != printed["stop"])
    ends = [t for t in own if t.kind == "destination"]
    return _place_of(homes), _place_of(ends)


def _place_of(tokens: Sequence[TokenPlacement]) -> TokenRef | None:
    return TokenRef(tokens[0].hex, tokens[0].city) if tokens else None


TRAINS_1862 = ("4/5E", "5/6E", "6E", "7F", "9F", "5L", "5/6L", "6L")
SETS_1862 = 4
"""Sets of trains for each company of a last board, with London and without."""
LONDON_1862 = (("B15", 0), ("B15", 1), ("D15", 0), ("D15", 1))


def ends_1862(record: PositionRecord) -> Iterator[Situation]:
    """Yield every company of a last board with three to five trains, with London and without."""
    for corporation in _companies(record.board):
        for linked in (True, False):
            board = _with_london(record.board, corporation, linked=linked)
            if board is None:
                continue
            for names in _sets_1862(random.Random(f"{record.id} {corporation} {linked}")):
                company = CompanyState(
                    corporation, _trains(names), permits=("freight", "local", "express")
                )
                more = "-London" if linked else ""
                yield _named(record, corporation, names, more), board, company


def _sets_1862(rng: random.Random) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    while len(found) < SETS_1862:
        names = tuple(sorted(rng.choices(TRAINS_1862, k=3 + len(found) % 3)))
        if names not in found:
            found.append(names)
    return found


def _with_london(board: BoardState, corporation: str, *, linked: bool) -> BoardState | None:
    """Return a board on which a company has a London marker or none; None if it cannot be."""
    hexes = {hex_id for hex_id, _ in LONDON_1862}
    tokens = tuple(
        token
        for token in board.tokens
        if token.corporation != corporation or token.hex not in hexes
    )
    if linked:
        taken = {(token.hex, token.slot) for token in tokens}
        free = [place for place in LONDON_1862 if place not in taken]
        if not free:
            return None
        tokens += (TokenPlacement(free[0][0], 0, free[0][1], corporation),)
    return replace(board, tokens=tokens)


TRAINS_18GB = (
    ("6X", "6X", "6X"),
    ("6X", "5X", "4X"),
    ("5X", "5X", "5X"),
    ("6X", "5X", "5+2"),
)


def ends_18gb(record: PositionRecord) -> Iterator[Situation]:
    """Yield every company of a last board with three or four late trains."""
    board = replace(record.board, phase="6X")
    for corporation in _companies(board):
        for names in TRAINS_18GB:
            company = CompanyState(
                corporation,
                _trains(names),
                kind="10-share",
                hex_bonuses=record.company.hex_bonuses,
            )
            yield _named(record, corporation, names), board, company


ENDS: dict[str, Callable[[PositionRecord], Iterator[Situation]]] = {
    "g1822": ends_1822,
    "g1862": ends_1862,
    "g18gb": ends_18gb,
}


if __name__ == "__main__":
    sys.exit(main())
