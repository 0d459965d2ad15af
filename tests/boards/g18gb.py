"""Boards of 18GB of our own making: small ones for exhaustive search, large ones for the tail.

Every position is legal: tiles of the phase's colours that may lie on their
hexes, home tokens of all companies of a scenario (18GB §1.6), at most one
token of a company in a hex (18GB §10.1), trains that the phase allows.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from engine.board.board import Stop
from engine.board.build import build_board
from engine.board.geometry import opposite
from engine.board.legs import find_legs
from engine.board.state import BoardState, TokenPlacement
from engine.games import load_game
from engine.games.g18gb.printed import compass_letters, private_bonuses
from engine.games.game import Game
from engine.routing.run import CompanyState, HexBonus, Train
from tests.boards.grow import Growth, free_slots

MOST_TOKENS = 4
"""A home token and three more (18GB §1.5)."""

TRIES = 20
"""How often a board is drawn until it is of the kind wanted."""

FOREIGN = 14
"""Tokens of other companies on a large board, at most."""

Scenario = Mapping[str, Any]


def random_position(
    rng: random.Random, *, hexes: int, trains: int
) -> tuple[BoardState, CompanyState]:
    """Return a small random board of any of the three maps and a company on it.

    Half of the boards have, where `hexes` are enough for it, two off-board
    areas within reach whose compass letters score together; they begin with a
    line of track between the two. The others grow from the company's home. On
    nearly all there is track between a token of the company and another stop.

    Parameters
    ----------
    rng
        Source of all choices.
    hexes
        How many hexes carry a tile, upgraded estuaries aside, at most.
    trains
        How many trains the company has, at most (an insolvent one has one).
    """
    wanted = rng.random() < 0.5
    for _ in range(TRIES):
        board, company = _draw(rng, hexes, trains, line=wanted)
        met = _met(board, company.corporation)
        if _scores(board, met) if wanted else len(met) > 1:
            break
    return board, company


def _draw(
    rng: random.Random, hexes: int, trains: int, *, line: bool
) -> tuple[BoardState, CompanyState]:
    game = load_game("18GB")
    scenario: Scenario = rng.choice(game.setup["scenarios"])
    phase = rng.choice(list(game.phases))
    colours = _colours(game, phase)
    growth = Growth(game, scenario["map"])
    companies = _companies(rng, scenario)
    corporation = rng.choice(companies)
    if line:
        _line(rng, growth, hexes, colours)
        at_home = [c for c in companies if game.corporations[c]["home"]["hex"] in growth.lays]
        corporation = rng.choice(at_home or companies)
    if not growth.lays:
        _start(rng, growth, game.corporations[corporation]["home"]["hex"], colours)
    growth.grow(rng, hexes, colours)
    _estuaries(rng, growth, colours)
    tokens = _home_tokens(game, companies)
    for _ in range(rng.randrange(1, MOST_TOKENS)):
        _place(rng, growth, tokens, corporation)
    for _ in range(rng.randrange(6)):
        other = rng.choice([name for name in companies if name != corporation])
        _place(rng, growth, tokens, other)
    return growth.state(phase, tokens), _company(rng, growth, corporation, phase, trains)


def _met(state: BoardState, corporation: str) -> set[Stop]:
    """Return the stops joined by track to a token of the company, blocked or not."""
    board = build_board(load_game("18GB"), state)
    beside: dict[str, list[str]] = {}
    for leg in find_legs(board):
        beside.setdefault(leg.a, []).append(leg.b)
        beside.setdefault(leg.b, []).append(leg.a)
    met = [stop.id for stop in board.token_stops(corporation) if stop.id in beside]
    for name in met:
        met.extend(other for other in dict.fromkeys(beside[name]) if other not in met)
    return {board.stops[name] for name in met}


def _scores(state: BoardState, met: Collection[Stop]) -> bool:
    letters = compass_letters(load_game("18GB").atlas(state.map))
    has = frozenset(letter for stop in met for letter in letters.get(stop.hex, ()))
    return _score(has, has)


LARGE_TRAINS = (
    ("6X", "6X", "6X"),
    ("6X", "5X", "4X"),
    ("5X", "5X", "5X"),
    ("6X", "5+2", "5+2"),
    ("6X", "5X", "5+2"),
    ("4X", "4X", "5+2", "6X"),
    ("6X", "6X"),
    ("6X", "5X"),
)
"""Sets of trains for large boards; the first are heavier than the rules allow in phase 6X."""


def large_position(
    rng: random.Random, *, density: float = 0.6, trains: Sequence[str] | None = None
) -> tuple[BoardState, CompanyState]:
    """Return a dense board of the full map in phase 6X and a company with four tokens.

    Parameters
    ----------
    rng
        Source of all choices.
    density
        Share of the hexes that can carry a tile and do.
    trains
        Names of the company's trains; one of :data:`LARGE_TRAINS` if None.
    """
    game = load_game("18GB")
    scenario: Scenario = next(s for s in game.setup["scenarios"] if s["gray_tiles"])
    phase = "6X"
    colours = _colours(game, phase)
    growth = Growth(game, scenario["map"])
    companies = _companies(rng, scenario)
    corporation = rng.choice(companies)
    layable = [h for h in growth.atlas.hexes if growth.options(h, colours)]
    aim = round(density * len(layable))
    _start(rng, growth, game.corporations[corporation]["home"]["hex"], colours)
    growth.grow(rng, aim, colours, loose=0.1)
    while len(growth.lays) < aim:
        _start(rng, growth, rng.choice([h for h in layable if h not in growth.lays]), colours)
        growth.grow(rng, aim, colours, loose=0.1)
    _estuaries(rng, growth, colours, often=0.8)
    tokens = _home_tokens(game, companies)
    for _ in range(MOST_TOKENS - 1):
        _place(rng, growth, tokens, corporation)
    others = [name for name in companies if name != corporation]
    for _ in range(FOREIGN - len(others)):
        _place(rng, growth, tokens, rng.choice(others))
    names = rng.choice(LARGE_TRAINS) if trains is None else trains
    company = CompanyState(
        corporation,
        tuple(Train(f"{name}-{number}", name) for number, name in enumerate(names)),
        kind="10-share",
        hex_bonuses=_bonuses(rng, growth),
    )
    return growth.state(phase, tokens), company


def _colours(game: Game, phase: str) -> tuple[str, ...]:
    return tuple(game.phases[phase]["tiles"])


def _companies(rng: random.Random, scenario: Scenario) -> list[str]:
    drawn = scenario["one_random_extra_of"]
    return [*scenario["corporations"], *([rng.choice(drawn)] if drawn else [])]


def _start(rng: random.Random, growth: Growth, hex_id: str, colours: Sequence[str]) -> None:
    """Lay a tile that meets the most track of its neighbours, if any fits."""
    options = growth.joined(growth.options(hex_id, colours))
    if options:
        growth.lay(rng.choice(options))


def _line(rng: random.Random, growth: Growth, hexes: int, colours: Sequence[str]) -> None:
    """Lay track from one off-board area to another with the letter that scores with its own.

    Among the shortest lines one is taken at random; where no tile fits the line ends.
    """
    letters = compass_letters(growth.atlas)
    layable = {h for h in growth.atlas.hexes if growth.options(h, colours)}
    lines = []
    for here in letters:
        for goal, line in _shortest(rng, growth, here, layable).items():
            if goal in letters and _score(letters[here], letters[goal]) and len(line) <= hexes + 1:
                lines.append([*line, goal])
    for before, hex_id, after in _triples(rng.choice(lines) if lines else []):
        neighbours = growth.atlas.hexes[hex_id].neighbours
        sides = {side for side, other in neighbours.items() if other in (before, after)}
        options = [o for o in growth.options(hex_id, colours) if sides <= growth.face(o).sides()]
        if not options:
            return
        growth.lay(rng.choice(options))


def _triples(line: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    return zip(line, line[1:], line[2:], strict=False)


def _shortest(
    rng: random.Random, growth: Growth, here: str, layable: Collection[str]
) -> dict[str, list[str]]:
    """Return for every hex within reach the line from `here` to just before it.

    Lines run over layable hexes, and leave and enter others by printed track.
    """
    lines: dict[str, list[str]] = {here: []}
    waiting = deque([here])
    while waiting:
        hex_id = waiting.popleft()
        printed = growth.faces[hex_id].sides()
        around = list(growth.atlas.hexes[hex_id].neighbours.items())
        for side, other in rng.sample(around, len(around)):
            leaves = hex_id in layable or side in printed
            enters = other in layable or opposite(side) in growth.faces[other].sides()
            if leaves and enters and other not in lines:
                lines[other] = [*lines[hex_id], hex_id]
                if other in layable:
                    waiting.append(other)
    return lines


def _score(a: frozenset[str], b: frozenset[str]) -> bool:
    return any(x in a and y in b for x, y in ("NS", "EW"))


def _estuaries(
    rng: random.Random, growth: Growth, colours: Sequence[str], often: float = 0.4
) -> None:
    """Upgrade the blue hexes now and then (18GB §9.7)."""
    for hex_id in growth.atlas.hexes:
        if growth.faces[hex_id].colour == "blue" and hex_id not in growth.lays:
            options = growth.options(hex_id, colours)
            if options and rng.random() < often:
                growth.lay(rng.choice(options))


def _home_tokens(game: Game, companies: Sequence[str]) -> list[TokenPlacement]:
    """Every company of the scenario has its home token on the map (18GB §1.6)."""
    homes = [(name, game.corporations[name]["home"]) for name in companies]
    return [TokenPlacement(home["hex"], home["stop"], 0, name) for name, home in homes]


def _place(
    rng: random.Random, growth: Growth, tokens: list[TokenPlacement], corporation: str
) -> None:
    """Place a token in a free slot of a city on a tile, if there is one with track."""
    own = {token.hex for token in tokens if token.corporation == corporation}
    if len(own) >= MOST_TOKENS:
        return
    slots = [
        slot
        for hex_id, face in growth.faces.items()
        if hex_id not in own and hex_id in growth.lays
        for slot in free_slots(growth, tokens, hex_id)
        if face.by_stop[face.cities[slot.city].index]
    ]
    if slots:
        slot = rng.choice(slots)
        tokens.append(TokenPlacement(slot.hex, slot.city, slot.slot, corporation))


def _bonuses(rng: random.Random, growth: Growth) -> tuple[HexBonus, ...]:
    """Return the bonuses of some closed privates of the map."""
    playing = {
        name
        for scenario in growth.game.setup["scenarios"]
        if scenario["map"] == growth.atlas.name
        for name in scenario["companies"]
    }
    return tuple(
        HexBonus(hex_id, amount)
        for hex_id, (private, amount) in private_bonuses(growth.game).items()
        if private in playing and hex_id in growth.atlas.hexes and rng.random() < 0.5
    )


def _company(
    rng: random.Random, growth: Growth, corporation: str, phase: str, trains: int
) -> CompanyState:
    """Return a company with trains that it can have in the phase (18GB §7, §13.6)."""
    game = growth.game
    begun = list(game.phases).index(phase)
    alive = [
        name
        for name, kind in game.trains.items()
        if not kind.rusts_on or list(game.phases).index(kind.rusts_on) > begun
    ]
    owned = [name for name in alive if list(game.phases).index(name) <= begun]
    fate = rng.random()
    insolvent = fate < 0.1
    names = (
        [rng.choice([name for name in alive if list(game.phases).index(name) <= begun + 1])]
        if insolvent
        else [rng.choice(owned) for _ in range(rng.randint(min(1, trains), trains))]
    )
    return CompanyState(
        corporation,
        tuple(Train(f"{name}-{number}", name) for number, name in enumerate(names)),
        kind=rng.choice(["5-share", "10-share"]),
        hex_bonuses=_bonuses(rng, growth),
        receivership=0.05 < fate < 0.15,
        insolvent=insolvent,
    )
