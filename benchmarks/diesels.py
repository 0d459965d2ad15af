"""Write made-up late boards of titles that are data, with the dearest trains.

``python -m benchmarks.diesels FOLDER [--count N] [--title TITLE]...``

For each title the command writes ``<title>-late.jsonl``: `count` dense boards in the last
phase, grown from the seeds 0, 1, 2, ..., each with a company that has several tokens and as
many of the dearest trains as it may hold. The same arguments write the same bytes. Every
position is checked as a request would be; one with faults ends the command.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.tail import COUNT, Situation, write
from engine.board.build import build_board
from engine.board.legs import find_legs
from engine.board.state import BoardState, HexMarker, TileLay, TokenPlacement
from engine.games import load_game
from engine.games.game import Game
from engine.routing.run import Ability, CompanyState, Train
from tests.boards.grow import Growth, free_slots

TRAINS: Mapping[str, Sequence[tuple[str, ...]]] = {
    "1830": (("D", "D"), ("D", "6"), ("D",)),
    "1889": (("D", "D"), ("D", "6"), ("D",)),
    "18Chesapeake": (("D", "D"), ("D", "6"), ("D",)),
    "1870": (("12", "12"), ("12", "10"), ("10", "10")),
    "1856": (("D", "D"), ("D", "6"), ("D",)),
    "1846": (("7/8", "7/8"), ("7/8", "6"), ("6", "6")),
}
"""By title the sets of trains, in turn: the dearest that the limit of the last phase allows."""

SHARES = (0.5, 0.7, 0.9)
"""Which shares of the hexes that can carry a tile do, at most."""

LOOSE = 0.25
"""How often a tile is taken that does not meet the most track."""

LEAST_LEGS = 20
"""Legs on a late board, at least."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.diesels", description="Write made-up late boards."
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--count", type=int, default=COUNT, metavar="N")
    parser.add_argument("--title", action="append", choices=list(TRAINS), metavar="TITLE")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    for title in options.title or TRAINS:
        write(options.folder / f"{title}-late.jsonl", late(title, options.count))
    return 0


def late(title: str, count: int, first: int = 0, share: float | None = None) -> Iterator[Situation]:
    """Yield late boards of a title, one for each seed.

    Parameters
    ----------
    count, first
        How many, and the first seed.
    share
        Which share of the hexes carries a tile; one of :data:`SHARES` in turn if None.
    """
    sets = TRAINS[title]
    for seed in range(first, first + count):
        mine = SHARES[seed // len(sets) % len(SHARES)] if share is None else share
        rng = random.Random(f"{title} {seed}")
        board, company = late_position(rng, title, sets[seed % len(sets)], mine, share is None)
        yield f"{title}/late@{seed}", board, company


def late_position(
    rng: random.Random, title: str, trains: Sequence[str], share: float, large: bool = True
) -> tuple[BoardState, CompanyState]:
    """Return a late board and a company that has tokens and these trains on it.

    Parameters
    ----------
    share
        Which share of the hexes that can carry a tile does, at most.
    large
        Boards with fewer than :data:`LEAST_LEGS` legs are dropped.
    """
    game = load_game(title)
    phase = list(game.phases)[-1]
    while True:
        growth = late_growth(rng, game, share)
        legs = find_legs(build_board(game, growth.state(phase)))
        if legs and (not large or len(legs) >= LEAST_LEGS):
            break
    tokens = _tokens(rng, growth)
    corporation = rng.choice(sorted({token.corporation for token in tokens}))
    raw = game.corporations[corporation]
    markers, kinds = _markers(rng, growth)
    board = growth.state(phase, tokens)
    board = BoardState(
        board.title, board.phase, board.tiles, board.tokens, board.map, markers=markers
    )
    company = CompanyState(
        corporation,
        tuple(Train(f"{name}-{number}", name) for number, name in enumerate(trains)),
        kind=raw["type"],
        markers=kinds,
        abilities=_abilities(rng, game, corporation),
    )
    return board, company


def late_growth(rng: random.Random, game: Game, share: float) -> Growth:
    """Return track in all colours of the last phase, grown from the homes of the companies.

    Once nothing more is wanted, every tile in turn gives way to one that meets more track.
    """
    colours = frozenset(game.phases[list(game.phases)[-1]]["tiles"])

    def keeps(lay: TileLay) -> bool:
        return growth.keeps_track(lay)

    growth = Growth(game, allow=keeps)
    places = [hex_id for hex_id in growth.atlas.hexes if growth.options(hex_id, colours)]
    for hex_id in sorted(_homes(game) & set(places)):
        growth.lay(rng.choice(growth.options(hex_id, colours)))
    growth.grow(rng, round(share * len(places)), colours, LOOSE)
    for hex_id in rng.sample(sorted(growth.lays), len(growth.lays)):
        _upgrade(rng, growth, hex_id, colours)
    return growth


def _homes(game: Game) -> set[str]:
    return {raw["home"]["hex"] for raw in game.corporations.values() if raw.get("home")}


def _upgrade(rng: random.Random, growth: Growth, hex_id: str, colours: frozenset[str]) -> None:
    """Lay one of the tiles that meet the most track of the neighbours, the greatest of them."""
    options: list[TileLay] = growth.joined(growth.options(hex_id, colours))
    if options:
        most = max(len(growth.face(lay).paths) for lay in options)
        growth.lay(rng.choice([lay for lay in options if len(growth.face(lay).paths) == most]))


def _tokens(rng: random.Random, growth: Growth) -> list[TokenPlacement]:
    """Return tokens: homes of all companies, then the others that they have, where slots are."""
    placed: list[TokenPlacement] = []
    companies = growth.game.corporations
    waiting: list[str] = []
    for name, raw in companies.items():
        if raw.get("home"):
            _place(rng, growth, placed, name, [raw["home"]["hex"]])
        waiting += [name] * rng.randint(0, max(0, len(raw["tokens"]) - 1))
    rng.shuffle(waiting)
    cities = sorted(h for h, face in growth.faces.items() if face.cities and face.sides())
    for name in waiting:
        _place(rng, growth, placed, name, cities)
    return placed


def _place(
    rng: random.Random,
    growth: Growth,
    placed: list[TokenPlacement],
    name: str,
    hexes: Sequence[str],
) -> None:
    """Place a token of a company in a free slot of one of these hexes that has none of it yet."""
    held = {token.hex for token in placed if token.corporation == name}
    free = [
        slot
        for hex_id in hexes
        if hex_id not in held
        for slot in free_slots(growth, placed, hex_id)
    ]
    if free:
        slot = rng.choice(free)
        placed.append(TokenPlacement(slot.hex, slot.city, slot.slot, name))


def _markers(rng: random.Random, growth: Growth) -> tuple[tuple[HexMarker, ...], tuple[str, ...]]:
    """Return markers that the rules of the title name, each on a city, and those of the company."""
    rules = growth.game.data("rules.json")["declared"]
    cities = sorted(h for h, face in growth.faces.items() if face.cities and face.sides())
    lying, owned = [], []
    for option in rules:
        if option["op"] == "marker" and rng.random() < 0.5:
            lying.append(HexMarker(rng.choice(cities), option["marker"]))
            if option["needs_corporation"]:
                owned.append(option["marker"])
    return tuple(lying), tuple(owned)


def _abilities(rng: random.Random, game: Game, corporation: str) -> tuple[Ability, ...]:
    """Return the printed ability of a company to run to its destination, in half of the cases."""
    printed = game.corporations[corporation].get("abilities", ())
    return tuple(
        Ability(raw["type"], tuple(raw["hexes"]))
        for raw in printed
        if raw["type"] == "assign_hexes" and rng.random() < 0.5
    )


if __name__ == "__main__":
    sys.exit(main())
