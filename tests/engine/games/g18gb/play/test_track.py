"""Lays: the quick answer about new track is the searched one (18GB §9.5; FMT §D8)."""

from __future__ import annotations

import random

import pytest

from engine.games.g18gb.play import track
from engine.games.g18gb.play.state import Table18GB
from engine.play.actions import LayTile
from engine.play.errors import Strict
from engine.play.game import Play
from engine.play.laying import search_track
from engine.play.layout import Laid
from tests.engine.games.g18gb.play.scene import new_game
from tests.engine.play.robot import moves


def table(play: Play) -> Table18GB:
    at = play._table(Strict())
    assert isinstance(at, Table18GB)
    return at


def upgrades(at: Table18GB, rng: random.Random) -> list[tuple[str, str, int]]:
    """Some lays over track, legal or not, that keep track and cities."""
    guide, layout = at.kit.guide, at.state.layout
    found = [
        (hex_id, tile, number)
        for hex_id in at.network(at.company.sym).sides
        if at.face(hex_id).paths
        for tile in guide.successors(hex_id, layout.laid.get(hex_id))
        for number, _ in enumerate(guide.fits(hex_id, layout.laid.get(hex_id), tile))
    ]
    return rng.sample(found, min(len(found), 12))


@pytest.mark.parametrize(("players", "seed"), [(2, 3), (4, 2), (6, 1)])
def test_quick_answers_about_new_track_are_right(players: int, seed: int) -> None:
    """In random games, for upgrades drawn at random: as a search of the board after the lay."""
    play = new_game(players, seed=seed)
    rng = random.Random(seed)
    answers = {True: 0, False: 0}
    for _ in moves(play, seed):
        if play.step() != "build":
            continue
        at = table(play)
        for hex_id, tile, number in upgrades(at, rng):
            fit = at.kit.guide.fits(hex_id, at.state.layout.laid.get(hex_id), tile)[number]
            quick = track.gives_new_track(at, hex_id, tile, fit)
            after = track.layout_after(at, hex_id, Laid(tile, 0, fit.rotation))
            searched = search_track(at, hex_id, fit.fresh, after)
            assert quick == searched, (hex_id, tile, fit.rotation)
            answers[quick] += 1
    assert min(answers.values()) > 20


def test_nothing_is_built_on_closed_sides() -> None:
    """§9.4: no listed lay leads into a side that is closed; printed red hexes take no tile."""
    play = new_game(3, seed=2)
    for offers, _ in moves(play, 3):
        if play.step() != "build":
            continue
        at = table(play)
        for action in offers.offers:
            if isinstance(action, LayTile):
                tile = action.tile.rpartition("-")[0]
                face = at.kit.guide.face(action.hex, (tile, action.rotation))
                assert at.kit.guide.open_at(action.hex, face)
                assert at.kit.guide.atlas.hexes[action.hex].face.colour in ("white", "blue")
