"""Boards of 1862 of our own making, grown from a company's home on the real map."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from engine.board.state import BoardState, TokenPlacement
from engine.games import load_game
from engine.games.game import Game
from engine.routing.run import CompanyState, Train
from tests.boards.grow import Growth, free_slots

BANDS = "ABCDEFGH"
TYPES = ("freight", "local", "express")
HEAVY = ("4/5E", "5/6E", "6E", "7F", "9F", "5L", "5/6L", "6L")
"""Trains of phase H that make the hardest positions."""
COLOURS = ("yellow", "green", "brown")
LONDON = ("B15", "D15")
COAST = ("ECR", "ENR", "FDR", "N&S", "WNR", "Y&N")
"""Companies whose home lies a hex or two from an area."""
MOST_MARKERS = 7


def random_position(
    rng: random.Random, *, hexes: int, trains: int
) -> tuple[BoardState, CompanyState]:
    """Return a random legal board with a company and its trains, in any phase.

    Parameters
    ----------
    hexes
        Number of laid tiles (fewer where no tile fits). With 8 or fewer the
        runs of two or three trains can be tried one by one.
    trains
        Number of trains, Freights among them, now and then one without permit.
    """
    game = load_game("1862")
    phase = rng.choice(BANDS)
    growth, company, tokens = _start(game, rng, phase)
    growth.grow(rng, hexes, game.phases[phase]["tiles"])
    _place(growth, rng, tokens, company, own=0.35, foreign=0.35)
    if rng.random() < 0.5:
        tokens.append(TokenPlacement(rng.choice(LONDON), 0, 0, company))
    names = rng.choices(_sold(game, phase), k=trains)
    if trains > 1 and rng.random() < 0.5:
        freights = [name for name in _sold(game, phase) if game.trains[name].kind == "freight"]
        names = rng.choices(freights, k=trains - 1) + names[:1]
    permits = [kind for kind in TYPES if rng.random() < 0.9]
    return growth.state(phase, tokens), _company(game, company, names, permits)


def circle_position(rng: random.Random) -> tuple[BoardState, CompanyState]:
    """Return a little board by the sea with two to four trains, nearly all Freights.

    Often there is nothing better for two of them than to run between the same two
    stations, in a circle (1862 §10.5.7).
    """
    game = load_game("1862")
    phase = rng.choice(BANDS)
    growth, company, tokens = _start(game, rng, phase, COAST)
    growth.grow(rng, rng.randint(0, 3), game.phases[phase]["tiles"])
    _place(growth, rng, tokens, company, own=0.35, foreign=0.2)
    freights = [name for name in _sold(game, phase) if game.trains[name].kind == "freight"]
    names = rng.choices(freights, k=rng.randint(2, 3))
    if rng.random() < 0.5:
        names.append(rng.choice(_sold(game, phase)))
    return growth.state(phase, tokens), _company(game, company, names, TYPES)


def large_position(rng: random.Random) -> tuple[BoardState, CompanyState]:
    """Return a dense board of phase H over the whole map, with three to five heavy trains.

    Recorded games do not show the tail of the times; such boards do.
    """
    game = load_game("1862")
    phase = "H"
    growth, company, tokens = _start(game, rng, phase)
    everywhere = len(growth.atlas.hexes)
    growth.grow(rng, everywhere, game.phases[phase]["tiles"], loose=0.05)
    _upgrade(growth, rng)
    _place(growth, rng, tokens, company, own=0.3, foreign=0.45)
    if rng.random() < 0.5:
        tokens.append(TokenPlacement(rng.choice(LONDON), 0, 0, company))
    names = _heavy(game, rng, rng.randint(3, 5))
    return growth.state(phase, tokens), _company(game, company, names, TYPES)


def _start(
    game: Game, rng: random.Random, phase: str, companies: Sequence[str] = ()
) -> tuple[Growth, str, list[TokenPlacement]]:
    """Lay the home of a company, one of `companies` if there are any, and put its marker there."""
    company = rng.choice(list(companies or game.corporations))
    home = game.corporations[company]["home"]["hex"]
    growth = Growth(game)
    growth.lay(rng.choice(growth.options(home, game.phases[phase]["tiles"])))
    return growth, company, [TokenPlacement(home, 0, 0, company)]


def _upgrade(growth: Growth, rng: random.Random) -> None:
    """Turn tiles over to the next colours where that meets more track, as late games do."""
    hexes = sorted(growth.lays)
    rng.shuffle(hexes)
    for hex_id in hexes:
        options = [lay for lay in growth.options(hex_id, COLOURS[1:]) if growth.keeps_track(lay)]
        wider = [lay for lay in options if growth.atlas.tiles[lay.tile].colour == "brown"]
        best = growth.joined(wider or options)
        if best and rng.random() < 0.8:
            growth.lay(rng.choice(best))


def _place(
    growth: Growth,
    rng: random.Random,
    tokens: list[TokenPlacement],
    company: str,
    own: float,
    foreign: float,
) -> None:
    """Put markers into free circles, at most one of a company on a hex and seven in all."""
    others = [name for name in growth.game.corporations if name != company]
    used = Counter(token.corporation for token in tokens)
    hexes = sorted(growth.lays)
    rng.shuffle(hexes)
    for hex_id in hexes:
        here = {token.corporation for token in tokens if token.hex == hex_id}
        for place in free_slots(growth, tokens, hex_id):
            drawn = rng.random()
            who = company if drawn < own else rng.choice(others)
            if drawn < own + foreign and who not in here and used[who] < MOST_MARKERS - 1:
                tokens.append(TokenPlacement(hex_id, place.city, place.slot, who))
                here.add(who)
                used[who] += 1


def _sold(game: Game, phase: str) -> list[str]:
    """Return the trains that may be met in a phase."""
    return [name for name, kind in game.trains.items() if kind.card <= phase]


def _heavy(game: Game, rng: random.Random, count: int) -> list[str]:
    """Return heavy trains, no more of a band than the box holds."""
    cards = {raw["name"]: raw["count"]["standard"] for raw in game.data("trains.json")["trains"]}
    names: list[str] = []
    while len(names) < count:
        name = rng.choice(HEAVY)
        card = game.trains[name].card
        taken = sum(game.trains[other].card == card for other in names)
        if cards[card] == "unlimited" or taken < cards[card]:
            names.append(name)
    return names


def _company(
    game: Game, company: str, names: Sequence[str], permits: Sequence[str]
) -> CompanyState:
    count: Counter[str] = Counter()
    trains = []
    for name in names:
        card = game.trains[name].card
        allowed = game.trains[name].kind in permits
        trains.append(Train(f"{card}-{count[card]}", name, allowed))
        count[card] += 1
    return CompanyState(company, tuple(trains), permits=tuple(permits))
