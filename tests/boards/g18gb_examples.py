"""Hand-made boards of 18GB, each for one case of the rules (18GB §17).

:func:`line` lays plain track along a list of hexes; :func:`ride` writes a
route as a list of stops.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from engine.board.atlas import Atlas
from engine.board.board import Board
from engine.board.faces import EndKind, Face
from engine.board.legs import Leg, find_legs
from engine.board.state import BoardState, TileLay, TokenPlacement
from engine.games import load_game
from engine.routing.position import load_position, make_rules
from engine.routing.problem import turned
from engine.routing.run import CompanyState, HexBonus, Position, Route, Train


def lays(text: str) -> tuple[TileLay, ...]:
    """Return tiles written as ``hex tile rotation``, one for each comma."""
    return tuple(
        TileLay(hex_id, tile, int(rotation))
        for hex_id, tile, rotation in (part.split() for part in text.split(","))
    )


def tokens(text: str) -> tuple[TokenPlacement, ...]:
    """Return tokens written as ``company hex city``, one for each comma, in slots from 0."""
    placed: list[TokenPlacement] = []
    for company, hex_id, city in (part.split() for part in text.split(",")):
        slot = sum(token.hex == hex_id and token.city == int(city) for token in placed)
        placed.append(TokenPlacement(hex_id, int(city), slot, company))
    return tuple(placed)


def line(hexes: str, map_name: str = "") -> tuple[TileLay, ...]:
    """Return tiles that join the hexes of a line, the first and the last left as they are.

    Of the tiles that join the two sides the one with the least track is taken;
    hexes whose printed track joins them keep it.
    """
    atlas = load_game("18GB").atlas(map_name)
    names = hexes.split()
    found = []
    for before, hex_id, after in zip(names, names[1:], names[2:], strict=False):
        sides = [s for s, n in atlas.hexes[hex_id].neighbours.items() if n in (before, after)]
        assert len(sides) == 2, f"{before}, {hex_id} and {after} are no line"
        if not _joins(atlas.hexes[hex_id].face, sides):
            found.append(_least(atlas, hex_id, sides))
    return tuple(found)


def _least(atlas: Atlas, hex_id: str, sides: Sequence[int]) -> TileLay:
    options = [
        (len(kind.faces[rotation].paths), kind.colour != "yellow", tile, rotation)
        for tile in atlas.may_carry(hex_id)
        for kind in [atlas.tiles[tile]]
        for rotation in atlas.hexes[hex_id].raw.get("allowed_rotations", {}).get(tile, range(6))
        if _joins(kind.faces[rotation], sides)
        and kind.faces[rotation].sides() <= atlas.hexes[hex_id].neighbours.keys()
    ]
    *_, tile, rotation = min(options)
    return TileLay(hex_id, tile, rotation)


def _joins(face: Face, sides: Sequence[int]) -> bool:
    reached = []
    for side in sides:
        ends = set()
        for path in face.paths:
            for near, far in ((path.a, path.b), (path.b, path.a)):
                if near.kind is EndKind.SIDE and near.index == side:
                    ends.add((far.kind, far.index))
        reached.append(ends)
    first, second = reached
    stops = {end for end in first & second if end[0] is EndKind.STOP}
    return bool(stops) or (EndKind.SIDE, sides[1]) in first


def position(
    phase: str,
    tiles: Iterable[TileLay],
    placed: str,
    company: CompanyState,
    map_name: str = "",
    profile: str = "18xx.games",
) -> Position:
    """Return a checked position; later tiles of `tiles` replace earlier ones on a hex."""
    by_hex = {lay.hex: lay for lay in tiles}
    state = BoardState("18GB", phase, tuple(by_hex.values()), tokens(placed), map_name)
    return load_position(make_rules(load_game("18GB"), profile), state, company)


def company(
    corporation: str, trains: str, bonuses: str = "", *, fallen: bool = False, leasing: bool = False
) -> CompanyState:
    """Return a company with trains ``name name``, whose ids are ``name-number``.

    `bonuses` are written ``hex amount``, one for each comma; `fallen` means
    receivership, `leasing` insolvency.
    """
    parts = [part.split() for part in bonuses.split(",") if part]
    return CompanyState(
        corporation,
        tuple(Train(f"{name}-{n}", name) for n, name in enumerate(trains.split())),
        hex_bonuses=tuple(HexBonus(hex_id, int(amount)) for hex_id, amount in parts),
        receivership=fallen,
        insolvent=leasing,
    )


def ride(board: Board, train: str, stops: str) -> Route:
    """Return the route of a train along stops, by the shortest leg where there are several."""
    names = stops.split()
    both = [way for leg in find_legs(board) for way in (leg, turned(leg))]
    legs = [_shortest(both, a, b) for a, b in pairwise(names)]
    return Route(train, tuple(names), tuple(leg.paths for leg in legs))


def _shortest(legs: Sequence[Leg], a: str, b: str) -> Leg:
    fits = [leg for leg in legs if (leg.a, leg.b) == (a, b)]
    assert fits, f"there is no leg from {a} to {b}"
    return min(fits, key=lambda leg: len(leg.paths))


def renamed(route: Route, train: str) -> Route:
    """Return the same route for another train."""
    return replace(route, train=train)


RING = lays("J15 7 0, I16 4 1, H17 G24 1, I18 9 2, J19 7 2")
"""Board R1: Hull, Doncaster, Sheffield, Grimsby (18GB §17)."""


def ring(phase: str, trains: str) -> Position:
    """Return board R1: MSLR on a ring between the two off-board areas of J17."""
    return position(phase, RING, "MSLR H17 1", company("MSLR", trains))


HUB = lays("J13 G40 1, I14 G40 4, I16 4 0, I20 4 0, I18 9 0, I22 58 1, H23 8 4, H25 8 1")
"""Board R2: Newcastle, Middlesbrough, York and the line from there to London (18GB §17)."""


def hub(phase: str = "4+2", trains: str = "3+1 3+1 4+2", profile: str = "18xx.games") -> Position:
    """Return board R2: LSWR with tokens in Middlesbrough and York."""
    return position(phase, HUB, "LSWR J13 0, LSWR I14 0", company("LSWR", trains), "2EW", profile)


def great_north() -> Position:
    """Return NBR with a 6X on a line from Aberdeen over Edinburgh to London (18GB §17.11)."""
    laid = line("K0 K2 J1 I2 I4 I6 J7 J9 J11 J13 J15 I16 I18 I20 I22 H23 H25 G26")
    return position("6X", laid, "NBR I6 0", company("NBR", "6X"))


def great_west() -> Position:
    """Return GWR with a 5X on a line from Harwich over Bristol to Plymouth (18GB §17.11)."""
    laid = line("J27 I26 H25 G24 F23 E24 D23 C24 B25 A24 a25")
    return position("5X", laid, "GWR D23 0", company("GWR", "5X"))


def liverpool(trains: str = "4X 4X") -> Position:
    """Return LNWR on Carlisle, Preston, Liverpool and Liverpool, Birmingham, London.

    The first line has N, the second S; they meet in an off-board area only (18GB §17.13).
    """
    laid = line("H9 H11 H13 G14 F13 E14", "2EW") + line("E14 F15 F17 F19 F21 F23 F25 G26", "2EW")
    return position("4X", laid, "LNWR F21 0, LNWR G14 0", company("LNWR", trains), "2EW")


def crewe(trains: str = "4X 4X 4X") -> Position:
    """Return the board of :func:`liverpool` with a third line, from Preston to Crewe.

    It touches the first line in Preston and the second in Crewe, so that all
    three score together if it is listed between them.
    """
    laid = line("H9 H11 H13 G14 F13 E14", "2EW") + line("E14 F15 F17 F19 F21 F23 F25 G26", "2EW")
    laid += lays("G14 G30 0, G16 G02 1, F17 88 0")
    return position("4X", laid, "LNWR F21 0, LNWR G14 0", company("LNWR", trains), "2EW")


def bristol(trains: str = "5X 5X", profile: str = "18xx.games") -> Position:
    """Return LSWR on two lines that cross in Bristol, each with W and E (18GB §17.12)."""
    laid = line("a25 A24 B25 C24 D23 E24 F25 G26")
    laid += line("C16 D17 D19 D21 D23 D25 E26 F27 G26") + lays("D23 G30 5")
    return position("5X", laid, "LSWR D23 0", company("LSWR", trains), profile=profile)


def barred() -> Position:
    """Return LSWR in York, with GER filling Middlesbrough on the way to Newcastle."""
    who = company("LSWR", "3+1")
    return position("4+2", HUB, "GER J13 0, LSWR I14 0", who, "2EW")


def leeds(trains: str = "4X 4X") -> Position:
    """Return MR on Carlisle, Leeds and Leeds, Derby, London, in different cities of Leeds.

    The first line has N, the second S (18GB §17.13).
    """
    south = line("H15 I16 I18 H19 I20 I22 H23 H25 G26", "2EW")
    laid = line("H9 H11 H13 H15", "2EW") + south + lays("H15 G09 1")
    return position("4X", laid, "MR H15 1, MR H19 0", company("MR", trains), "2EW")


def darlington(trains: str = "4X 4X") -> Position:
    """Return LSWR on Newcastle, Leeds and York, London, which a town can join (18GB §17.14).

    The first line, with N, passes Darlington; the second, with S, can be
    prolonged to it.
    """
    laid = (
        line("J11 I12 H13 H15", "2EW")
        + line("I12 I14 I16 I18 I20 I22 H23 H25 G26", "2EW")
        + lays("I12 88 0, H15 G03 0")
    )
    return position("4X", laid, "LSWR H15 0, LSWR I14 0", company("LSWR", trains), "2EW")


def docks(bonuses: str = "", *, fallen: bool = False, leasing: bool = False) -> Position:
    """Return LNWR with lines from Liverpool to Preston and to Manchester (18GB §17.15)."""
    laid = line("E14 F13 G14") + line("E14 F15 G16") + lays("G14 G18 2, G16 G03 2")
    trains = "2+1" if leasing else "2+1 2+1"
    who = company("LNWR", trains, bonuses, fallen=fallen, leasing=leasing)
    return position("3+1", laid, "LNWR G14 0, LNWR G16 0", who)


def severn() -> Position:
    """Return SWR with the upgraded Severn estuary: tunnel to Bristol, track to Merthyr."""
    laid = lays("C22 G33 0, B21 G18 2, D23 G18 2, C20 4 0")
    return position("4+2", laid, "SWR B21 0, GWR D23 1", company("SWR", "3+1 3+1"))


def junction() -> Position:
    """Return LYR on two lines that share a hex side, by different track (18GB §17.8)."""
    laid = lays("H13 24 3, H11 27 0, H15 G03 0, I14 G41 2, H9 G41 0, G12 4 1")
    return position("3+1", laid, "LYR H15 0, LYR I14 0", company("LYR", "2+1 2+1"))


def crossing() -> Position:
    """Return LYR on two lines that cross on one tile (18GB §17.8)."""
    laid = lays("H13 20 2, H11 9 0, H15 G03 0, I14 G41 2, H9 G41 0, G12 58 3")
    return position("3+1", laid, "LYR H15 0, LYR I14 0", company("LYR", "2+1 2+1"))


def london(placed: str = "LSWR D25 0", trains: str = "3+1 3+1") -> Position:
    """Return LSWR with two lines from Salisbury to London and a loop there (18GB §17.9)."""
    laid = line("D25 E26 F27 G26") + line("D25 E24 F25 G26") + lays("D25 G39 4, G24 7 0, F25 204 2")
    return position("4+2", laid, placed, company("LSWR", trains))
