"""Which tiles may follow on a hex of 1822, and in which rotations (§9.3 to §9.9, §16.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.board.faces import Face
from engine.games.g1822.play.powers import AHEAD, BRIDGE, CHANNEL, REMOVE_TOWN, Terms
from engine.games.g1822.play.state import Company1822
from engine.games.g1822.play.table import MINOR, Table1822
from engine.play.lays import Fit, stop_sides
from engine.play.supply import copies_left

MINOR_COLOURS = ("yellow", "green")
"""Minors never lay anything further (§9.1)."""


def successors(at: Table1822, hex_id: str, terms: Terms) -> Sequence[str]:
    """Return the tiles that may follow on a hex by label, stops and track (§9.3, §9.6)."""
    laid = at.state.layout.laid.get(hex_id)
    if not terms.uses(REMOVE_TOWN):
        return at.kit.guide.successors(hex_id, laid)
    atlas = at.kit.guide.atlas
    raw = atlas.hexes[hex_id].raw if laid is None else atlas.tiles[laid.tile].raw
    found: Mapping[str, Sequence[str]] = raw.get("upgrades_to_with", {})
    return found.get(REMOVE_TOWN, ())


def colours_out(at: Table1822) -> tuple[str, ...]:
    """Return the colours that the company in turn may lay (§2.1, §9.1)."""
    colours: Sequence[str] = at.kit.game.phases[at.state.phase]["tiles"]
    if at.company.kind == MINOR:
        return tuple(colour for colour in colours if colour in MINOR_COLOURS)
    return tuple(colours)


def colour_allowed(at: Table1822, hex_id: str, tile: str, terms: Terms) -> bool:
    """Tell whether the colour of a tile may be laid on these terms (§9.3 b, §16.11)."""
    colour, out = at.kit.guide.atlas.tiles[tile].colour, colours_out(at)
    if not terms.uses(AHEAD):
        return colour in out
    old = at.face(hex_id).colour
    phase_colours = at.kit.game.phases[at.state.phase]["tiles"]
    newest = old == phase_colours[-1]
    small = at.company.kind == MINOR and colour not in MINOR_COLOURS
    return newest and colour not in out and not small


def tile_named(at: Table1822, tile: str, terms: Terms) -> bool:
    """Tell whether the abilities of the privates used name a tile (FMT §D7.5)."""
    for private in terms.powers:
        for kind in ("tile_lay", "tile_lay_with_token"):
            for ability in at.kit.abilities(private, kind):
                if ability["tiles"] != "any" and tile not in ability["tiles"]:
                    return False
    return True


def candidates(at: Table1822, hex_id: str, terms: Terms) -> Iterator[str]:
    """Yield the tiles that may follow on a hex on these terms, colours aside."""
    for tile in successors(at, hex_id, terms):
        if tile_named(at, tile, terms):
            yield tile


def fits(at: Table1822, hex_id: str, tile: str, terms: Terms) -> tuple[Fit, ...]:
    """Return the rotations in which a tile keeps the track and leads nowhere closed.

    A town removed by P2 need not be kept, nor what is printed where the map
    names the rotations of the tile (§9.6: Swansea; §16.2).
    """
    guide, laid = at.kit.guide, at.state.layout.laid.get(hex_id)
    raw = guide.atlas.hexes[hex_id].raw
    special = laid is None and tile in raw.get("allowed_rotations", {})
    if not special and not terms.uses(REMOVE_TOWN):
        return guide.fits(hex_id, laid, tile)
    old = at.face(hex_id)
    rotations = raw["allowed_rotations"][tile] if special else range(6)
    return tuple(
        Fit(rotation, new.sides(), frozenset(range(len(new.paths))))
        for rotation in rotations
        for new in [guide.face(hex_id, (tile, rotation))]
        if old.sides() <= new.sides() and guide.open_at(hex_id, new)
    )


def allowed_fits(at: Table1822, hex_id: str, tile: str, terms: Terms) -> list[Fit]:
    """Return the fits that join the track of the company and keep to its rights (§9.3 f, §9.9)."""
    joins = at.network(at.company.sym).sides.get(hex_id, frozenset())
    found = fits(at, hex_id, tile, terms)
    needed = stub_sides(at, hex_id)
    return [
        fit
        for fit in found
        if needed <= fit.sides
        and (terms.uses(CHANNEL) or not joins.isdisjoint(fit.sides))
        and (not terms.uses(BRIDGE) or bridge_side(at, hex_id) in fit.sides)
    ]


def bridge_side(at: Table1822, hex_id: str) -> int:
    """Return the side over which P21 must build: that of the estuary between its hexes."""
    hexes = at.kit.abilities(BRIDGE, "tile_lay")[0]["hexes"]
    neighbours = at.kit.guide.atlas.hexes[hex_id].neighbours
    return next(side for side, other in neighbours.items() if other in hexes)


def stub_sides(at: Table1822, hex_id: str) -> frozenset[int]:
    """Return the sides that the first tile of a hex must join (§9.9, §21.8).

    None where somebody holds the right of the hex: another player's consent is
    given outside the game. On the site the right is of no use: the tile joins London.
    """
    raw = at.kit.guide.atlas.hexes[hex_id].raw
    stubs: Sequence[int] = raw.get("stubs", ())
    if not stubs or hex_id in at.state.layout.laid:
        return frozenset()
    if not at.kit.profile.approach_right_useless and _right_held(at, hex_id, stubs):
        return frozenset()
    return frozenset(stubs)


def _right_held(at: Table1822, hex_id: str, stubs: Sequence[int]) -> bool:
    """Whether a concession, a company or minor 14 beside it gives someone the right."""
    state, atlas = at.state, at.kit.guide.atlas
    for sym in atlas.hexes[hex_id].raw.get("track_rights", ()):
        card, company = state.privates.get(sym), state.companies.get(sym)
        if card is not None and card.owner is not None and not card.closed:
            return True
        if company is not None and company.director is not None and not company.removed:
            return True
    chooser = state.companies.get("14")
    if not isinstance(chooser, Company1822) or chooser.home is None or chooser.removed:
        return False
    face = at.face(chooser.home.hex)
    neighbours = atlas.hexes[chooser.home.hex].neighbours
    sides = stop_sides(face, face.cities[chooser.home.city])
    return hex_id in {neighbours.get(side) for side in sides}


def track_ends(face: Face) -> int:
    """Return the number of path ends at the sides of a face; a double track counts twice."""
    return sum(len(face.by_side[side]) for side in range(6))


def fullest(at: Table1822, hex_id: str, tiles: Sequence[str], terms: Terms) -> Sequence[str]:
    """Return of the tiles of a city those with the most track ends (§9.4).

    Parameters
    ----------
    tiles
        Candidates whose colour is allowed.
    """
    if len(tiles) < 2 or not at.face(hex_id).cities:
        return tiles
    atlas, laid = at.kit.guide.atlas, at.state.layout.laid.get(hex_id)
    ends = {
        tile: track_ends(atlas.tiles[tile].faces[0])
        for tile in tiles
        if copies_left(at.state, atlas, tile, laid) and allowed_fits(at, hex_id, tile, terms)
    }
    most = max(ends.values(), default=0)
    return [tile for tile in tiles if ends.get(tile) == most]
