"""Boards of 1822 and its scenarios of our own making: small ones for exhaustive search, and
dense ones that look like the end of a game.

Lines of track are planned from place to place first; then every hex on a line
gets a tile that has the sides the plan wants, in colours of the phase.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

from engine.board.build import build_board
from engine.board.faces import Face
from engine.board.geometry import distance, opposite
from engine.board.legs import find_legs
from engine.board.state import BoardState, TileLay, TokenPlacement
from engine.games import load_game
from engine.games.game import Game
from engine.routing.run import CompanyState, TokenRef, Train
from tests.boards.grow import Growth, free_slots

AREAS: Sequence[tuple[str, Sequence[str], Sequence[str]]] = (
    ("1822", ("LNWR", "GWR", "LBSCR", "SECR", "14", "15", "16"), ("M38",)),
    ("1822", ("19", "20", "21", "SWR"), ("E34", "F33", "F35")),
    ("1822", ("SECR", "LBSCR", "13"), ("P43", "P41", "M42")),
    ("1822", ("SECR", "LBSCR", "GWR"), ("P43", "O40")),
    ("1822", ("24",), ("D35", "F35")),
    ("1822", ("LYR", "7"), ("I22", "H21", "G22")),
    ("1822", ("CR", "27", "28"), ("E6", "F7", "G12")),
    ("1822", ("29",), ("E28", "G22", "H33")),
    ("1822", ("NBR", "NER", "MR", "3", "8", "10", "17", "18", "22"), ()),
    ("1822MRS", ("LNWR", "GWR", "LBSCR", "SECR", "15"), ("M38", "H37")),
    ("1822MRS", ("SECR", "20", "LYR", "24"), ("P43", "E34", "D35", "H21")),
    ("1822NRS", ("LNWR", "15", "16"), ("N29", "M30", "K24")),
    ("1822NRS", ("CR", "LYR", "NBR", "29"), ("E6", "F7", "H21")),
)
"""Title, companies and places that lines should reach."""

CONNECTED = ("LYR", "SECR", "LBSCR", "CR", "NBR")
"""Majors whose destination is near enough for a small board."""

LARGE_TRAINS = (
    ("2P", "7", "7"),
    ("2P", "7", "7", "P+"),
    ("2P", "6", "7"),
    ("2P", "5", "7", "P+"),
    ("2P", "7", "E"),
    ("LP", "6", "6"),
)
"""Sets of trains for large boards."""

Sides = dict[str, set[int]]
"""Planned track: by hex the sides that its tile should have."""


def random_position(
    rng: random.Random, *, hexes: int, trains: int
) -> tuple[BoardState, CompanyState]:
    """Return a small random board and a company on it.

    Parameters
    ----------
    rng
        Source of all choices.
    hexes
        How many hexes carry a tile, at most.
    trains
        How many trains the company has that can run, at most.
    """
    title, names, wanted = rng.choice(AREAS)
    game = load_game(title)
    corporation = rng.choice(names)
    phase = rng.choices(list(game.phases), (1, 1, 2, 2, 3, 3, 6))[0]
    colours = tuple(game.phases[phase]["tiles"])
    growth = Growth(game)
    places = _places(rng, growth, corporation, wanted)
    plan = _Plan(rng, growth, colours)
    for place in places[1:]:
        plan.join(place, places[0], hexes)
    for _ in range(2 * len(places)):
        plan.join(*rng.sample(places, 2), hexes)
    plan.lay()
    tokens = _Tokens(rng, growth)
    home = tokens.home(corporation)
    destination = tokens.destination(corporation) if rng.random() < 0.7 else None
    for _ in range(rng.randrange(5)):
        tokens.place(corporation)
    for _ in range(rng.randrange(8)):
        tokens.place(rng.choice([name for name in game.corporations if name != corporation]))
    board = growth.state(phase, tokens.placed)
    owner = CompanyState(corporation, (), home=home, destination=destination)
    return board, _with_trains(rng, board, owner, trains)


def large_position(
    rng: random.Random, *, trains: Sequence[str] | None = None
) -> tuple[BoardState, CompanyState]:
    """Return a dense board of the full map in phase 7 and a major with several tokens.

    Parameters
    ----------
    rng
        Source of all choices.
    trains
        Names of the company's trains; one of :data:`LARGE_TRAINS` if None.
    """
    game = load_game("1822")
    growth = _large_growth(rng, game)
    majors = [name for name, raw in game.corporations.items() if raw["type"] == "major"]
    tokens = _Tokens(rng, growth)
    corporation = rng.choice(majors)
    home = tokens.home(corporation)
    destination = tokens.destination(corporation)
    for name in majors:
        if name != corporation:
            tokens.home(name)
            tokens.destination(name)
    for _ in range(rng.randint(2, 4)):
        tokens.place(corporation)
    for _ in range(14):
        tokens.place(rng.choice([name for name in majors if name != corporation]))
    names = rng.choice(LARGE_TRAINS) if trains is None else trains
    company = CompanyState(
        corporation,
        tuple(Train(f"{name}-{number}", name, name != "P+") for number, name in enumerate(names)),
        kind="major",
        home=home,
        destination=destination,
        mail_contracts=rng.choice((0, 0, 1, 2)),
    )
    return growth.state("7", tokens.placed), company


LARGE_TILES = (66, 90)
"""Tiles on a large board, at least and at most."""

LARGE_STOPS = (44, 56)
"""Stops with track on a large board, at least and at most."""

LARGE_LEGS = 175
"""Legs on a large board, at most."""


def _large_growth(rng: random.Random, game: Game) -> Growth:
    """Return a board of the wanted size; those that come out too small or too dense are dropped."""
    while True:
        growth = _dense(rng, game)
        legs = find_legs(build_board(game, growth.state("7")))
        stops = {stop for leg in legs for stop in (leg.a, leg.b)}
        if len(legs) <= LARGE_LEGS and LARGE_STOPS[0] <= len(stops) <= LARGE_STOPS[1]:
            return growth


def _dense(rng: random.Random, game: Game) -> Growth:
    """Join the homes of all majors, then more and more places, then some of them once more."""
    growth = Growth(game)
    colours = tuple(game.phases["7"]["tiles"])
    plan = _Plan(rng, growth, colours)
    least, most = LARGE_TILES
    homes = [raw["home"]["hex"] for raw in game.corporations.values() if raw["type"] == "major"]
    joined = list(dict.fromkeys(homes))
    rng.shuffle(joined)
    for number, place in enumerate(joined[1:], 1):
        plan.join(place, _nearest(rng, growth, place, joined[:number]), most)
    aim = rng.randint(least, most - 6)
    while len(plan.covered()) < aim:
        places = [h for h in _stop_hexes(growth, colours) if h not in joined]
        place = rng.choice(places)
        plan.join(place, _nearest(rng, growth, place, joined), most)
        joined.append(place)
    for _ in range(rng.randint(*LARGE_LINES)):
        place = rng.choice(joined)
        plan.join(place, _nearest(rng, growth, place, joined), most)
    plan.lay()
    return growth


LARGE_LINES = (25, 45)
"""Lines between places that are joined already, at least and at most."""


class _Plan:
    """Lines of track that are to be laid."""

    def __init__(self, rng: random.Random, growth: Growth, colours: Collection[str]) -> None:
        self.rng = rng
        self.growth = growth
        self.colours = colours
        self.sides: Sides = defaultdict(set)
        hexes = growth.atlas.hexes
        self.layable = {h for h in hexes if growth.options(h, colours)}
        self.ends = {h for h, face in growth.faces.items() if face.label in ("L", "EC")}

    def covered(self) -> list[str]:
        """Return the hexes that will carry a tile."""
        return [hex_id for hex_id in self.sides if hex_id in self.layable]

    def join(self, start: str, goal: str, most: int) -> None:
        """Plan a cheap line from `start` to `goal`, unless it would take too many tiles."""
        line = self._line(start, goal)
        tiles = {hex_id for hex_id in line if hex_id in self.layable} | set(self.covered())
        if len(tiles) > most:
            return
        for one, other in pairwise(line):
            side = next(s for s, n in self._open_sides(one) if n == other)
            self.sides[one].add(side)
            self.sides[other].add(opposite(side))

    def _open_sides(self, hex_id: str) -> list[tuple[int, str]]:
        """Return the sides over which track can go, with what lies beyond."""
        hexes = self.growth.atlas.hexes
        return [
            (side, other)
            for side, other in hexes[hex_id].neighbours.items()
            if self._may_have(hex_id, side) and self._may_have(other, opposite(side))
        ]

    def _may_have(self, hex_id: str, side: int) -> bool:
        if hex_id not in self.layable:
            return side in self.growth.faces[hex_id].sides()
        return side in self.growth.atlas.hexes[hex_id].neighbours

    def _line(self, start: str, goal: str) -> list[str]:
        """Return the hexes of a line, cheapest under costs with some chance in them."""
        waiting: list[tuple[float, str, tuple[str, ...]]] = [(0.0, start, (start,))]
        seen: set[str] = set()
        while waiting:
            cost, hex_id, line = heappop(waiting)
            if hex_id == goal:
                return list(line)
            if hex_id in seen or (hex_id in self.ends and hex_id != start):
                continue
            seen.add(hex_id)
            for side, other in self._open_sides(hex_id):
                if other not in seen:
                    new = 0.5 if side in self.sides.get(hex_id, ()) else 1.0
                    step = new + 0.8 * self.rng.random()
                    heappush(waiting, (cost + step, other, (*line, other)))
        return []

    def lay(self) -> None:
        """Lay on every hex of the plan a tile with most of the wanted and fewest other sides.

        Cities rather get more sides than they need (1822 §9.4); tiles of equal
        fit are drawn by lot, colours first.
        """
        order = [hex_id for hex_id in self.covered() if self.growth.faces[hex_id].stops]
        order += [hex_id for hex_id in self.covered() if hex_id not in order]
        for hex_id in order:
            options = self.growth.options(hex_id, self.colours)
            if options:
                self.growth.lay(self._choice(hex_id, options))

    def _choice(self, hex_id: str, options: Sequence[TileLay]) -> TileLay:
        wanted = self.sides[hex_id]
        city = bool(self.growth.faces[hex_id].cities)
        met = max(len(self.growth.face(lay).sides() & wanted) for lay in options)
        fits = [lay for lay in options if len(self.growth.face(lay).sides() & wanted) == met]
        if not city:
            fewest = min(len(self.growth.face(lay).sides()) for lay in fits)
            fits = [lay for lay in fits if len(self.growth.face(lay).sides()) == fewest]
        colour = self.rng.choice(sorted({self.growth.face(lay).colour for lay in fits}))
        return self.rng.choice([lay for lay in fits if self.growth.face(lay).colour == colour])


class _Tokens:
    """Tokens on a board whose tiles are laid."""

    def __init__(self, rng: random.Random, growth: Growth) -> None:
        self.rng = rng
        self.growth = growth
        self.placed: list[TokenPlacement] = []

    def home(self, corporation: str) -> TokenRef:
        """Place the home token (1822 §10.2)."""
        home = self.growth.game.corporations[corporation]["home"]
        face = self.growth.faces[home["hex"]]
        printed = self.growth.atlas.hexes[home["hex"]].face
        if home["stop"] is None:
            city = self.rng.randrange(len(face.cities))
        elif len(face.cities) == 1:
            city = 0
        else:
            # each city keeps its side, however the tile is turned (1822 §9.10)
            sides = _sides(printed, home["stop"])
            city = next(n for n, c in enumerate(face.cities) if _sides(face, c.index) == sides)
        return self._put(home["hex"], city, corporation, "normal")

    def destination(self, corporation: str) -> TokenRef | None:
        """Place the destination token of a major, in an extra slot if need be (1822 §10.4)."""
        raw: Mapping[str, Any] | None = self.growth.game.corporations[corporation]["destination"]
        if raw is None or not self.growth.faces[raw["hex"]].cities:
            return None
        return self._put(raw["hex"], 0, corporation, "destination")

    def _put(self, hex_id: str, city: int, corporation: str, kind: str) -> TokenRef:
        taken = {t.slot for t in self.placed if (t.hex, t.city) == (hex_id, city)}
        slot = next(slot for slot in range(len(taken) + 1) if slot not in taken)
        self.placed.append(TokenPlacement(hex_id, city, slot, corporation, kind))
        return TokenRef(hex_id, city)

    def place(self, corporation: str) -> None:
        """Place an ordinary token in a free slot with track, not twice in a hex (1822 §10.1)."""
        own = {token.hex for token in self.placed if token.corporation == corporation}
        slots = [
            slot
            for hex_id, face in self.growth.faces.items()
            if hex_id not in own and face.cities and self._used(hex_id)
            for slot in free_slots(self.growth, self.placed, hex_id)
            if face.by_stop[face.cities[slot.city].index]
        ]
        if slots:
            slot = self.rng.choice(slots)
            self.placed.append(TokenPlacement(slot.hex, slot.city, slot.slot, corporation))

    def _used(self, hex_id: str) -> bool:
        return hex_id in self.growth.lays or bool(self.growth.met_sides(hex_id))


def _sides(face: Face, stop: int) -> set[int]:
    """Return the sides to which track leads from a stop."""
    paths = [(face.paths[number], which) for number, which in face.by_stop[stop]]
    return {(path.a if which else path.b).index for path, which in paths}


def _places(
    rng: random.Random, growth: Growth, corporation: str, wanted: Sequence[str]
) -> list[str]:
    """Return where lines should lead: home first, then places of the area, then some near it."""
    raw = growth.game.corporations[corporation]
    home = raw["home"]["hex"]
    places = [home, *wanted]
    if raw["destination"] and corporation in CONNECTED:
        places.append(raw["destination"]["hex"])
    hexes = growth.atlas.hexes
    near = [
        hex_id
        for hex_id, face in growth.faces.items()
        if face.stops and distance(hexes[hex_id].point, hexes[home].point) <= 4
    ]
    places.extend(rng.sample(near, min(len(near), 3)))
    return list(dict.fromkeys(places))


def _stop_hexes(growth: Growth, colours: Collection[str]) -> list[str]:
    """Return the hexes with a stop to which track can lead."""
    return [
        hex_id
        for hex_id, face in growth.faces.items()
        if face.stops and (face.paths or growth.options(hex_id, colours))
    ]


def _nearest(rng: random.Random, growth: Growth, place: str, others: Sequence[str]) -> str:
    """Return one of the nearest three of the others."""
    hexes = growth.atlas.hexes
    ranked = sorted(
        (other for other in others if other != place),
        key=lambda other: (distance(hexes[place].point, hexes[other].point), other),
    )
    return rng.choice(ranked[:3])


def _with_trains(
    rng: random.Random, board: BoardState, owner: CompanyState, trains: int
) -> CompanyState:
    """Give a company trains that it can have in the phase, and mail contracts (1822 §2, §11.15)."""
    game = load_game(board.title)
    kind = game.corporations[owner.corporation]["type"]
    now = int(board.phase)
    ages = {"L": (1, 2), "2": (2, 3), "3": (3, 5), "4": (4, 6), "5": (5, 7), "6": (6, 7)}
    ages |= {"7": (7, 7), "E": (7, 7), "5P": (5, 7)}
    names = [name for name, (first, last) in ages.items() if first <= now <= last]
    owned = [rng.choice(names) for _ in range(rng.randint(1, trains))]
    if now == 7 and kind == "major" and rng.random() < 0.6:
        owned[rng.randrange(len(owned))] = "E"
    extra = [name for name, first in (("LP", 1), ("2P", 2)) if now >= first]
    if kind == "major" and len(owned) < trains and rng.random() < 0.5:
        owned.append(rng.choice(extra))
    if now >= 5 and rng.random() < 0.4:
        owned.append("P+")
    return replace(
        owner,
        trains=tuple(
            Train(f"{name}-{number}", name, name != "P+" and rng.random() < 0.95)
            for number, name in enumerate(owned)
        ),
        kind=rng.choice(("", kind)),
        mail_contracts=rng.choice((0, 0, 1, 2)) if kind == "major" else 0,
    )
