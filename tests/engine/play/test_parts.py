"""Small parts: tile supply, names of cities, money, certificates."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.board.state import TokenPlacement
from engine.games import load_game
from engine.play import shares
from engine.play.bank import from_bank, to_bank, transfer
from engine.play.depot import Roster
from engine.play.game import Setting, start
from engine.play.layout import Laid, Layout, city_name, find_city
from engine.play.records import clone
from engine.play.state import GameState
from engine.play.supply import copies_left, exchange, full_supply, split_tile

GAME = load_game("18GB")
ATLAS = GAME.atlas()


def fresh() -> GameState:
    return clone(start(Setting("18GB", ((1, "Ann"), (2, "Bob"), (3, "Cy")), 2)).current)


def test_copies_of_an_unlimited_tile() -> None:
    """FMT §B4.6, §H15: copy 0 laid, replaced, laid again: 1 and 2 exist, 0 came back behind 1."""
    state = fresh()
    exchange(state, ATLAS, "9", 0, None)
    state.layout = Layout({"I18": Laid("9", 0, 0)}, (), frozenset())
    assert state.supply["9"] == (1,)
    exchange(state, ATLAS, "23", 0, Laid("9", 0, 0))
    state.layout = Layout({"I18": Laid("23", 0, 0)}, (), frozenset())
    assert state.supply["9"] == (1, 0)
    assert state.supply["23"] == (1, 2, 3, 4)
    exchange(state, ATLAS, "9", 1, None)
    assert state.supply["9"] == (0, 2)


def test_supply_at_the_start() -> None:
    """All copies of limited tiles, copy 0 of the others."""
    supply = full_supply(ATLAS, frozenset(("9", "G40")))
    assert supply == {"9": (0,), "G40": (0, 1, 2, 3)}
    assert split_tile("G40-2") == ("G40", 2)
    assert split_tile("G40") is None


@pytest.mark.parametrize("number", ["²", "٣", "01", "1.0", "", " 1", "9" * 5000])
def test_what_only_looks_like_a_number_is_none(number: str) -> None:
    """FMT §B4: copies and certificates have the numbers that records write, no others."""
    assert split_tile(f"G40-{number}") is None
    assert shares.split(f"MR_{number}") == ("", 0)


def test_tiles_that_share_a_supply() -> None:
    """1862 §1.6: a base tile with small stations uses up the base tile, and gives it back."""
    atlas = load_game("1862").atlas()
    state = replace(fresh(), supply=full_supply(atlas, frozenset(("16_1a", "16_1b", "16_2"))))
    state.layout = Layout({"B3": Laid("16_1a", 0, 0)}, (), frozenset())
    assert copies_left(state, atlas, "16_1b") == (0, 1)
    on_hex = Laid("16_1b", 0, 0)
    state.layout = Layout({"B3": Laid("16_1a", 0, 0), "B11": on_hex}, (), frozenset())
    assert copies_left(state, atlas, "16_2") == ()
    assert copies_left(state, atlas, "16_2", on_hex) == (0, 1)


def test_unlimited_trains_are_numbered_on() -> None:
    """FMT §B4.3: when the last copy is taken, the next number stands at its place."""
    game = load_game("1862")
    roster = Roster(game.data("trains.json")["trains"], game.phases)
    state = replace(fresh(), depot=("G-0", "H-0"), phase="F")
    assert roster.leave(state, "G-0") == ()
    assert roster.leave(state, "H-0") == ("lner_trigger",)
    assert (state.depot, state.phase) == (("H-1",), "H")


def test_spared_trains_do_not_rust() -> None:
    """1862 §8.9: a train under warranty stays when its time comes."""
    game = load_game("1862")
    roster = Roster(game.data("trains.json")["trains"], game.phases)
    state = replace(fresh(), depot=("C-0", "C-1"), phase="B")
    state.companies["MR"].trains = ("A-0", "A-1")
    roster.leave(state, "C-0", frozenset(("A-1",)))
    assert state.companies["MR"].trains == ("A-1",)


def test_names_of_cities() -> None:
    """FMT §B4.8, §B4.9: printed and laid faces; a tile comes before a hex of the same name."""
    laid = {"H19": Laid("G41", 1, 0), "G16": Laid("G18", 1, 0)}
    layout = Layout(laid, (), frozenset())
    assert find_city(ATLAS, layout, "G41-1-0") == ("H19", 0)
    assert find_city(ATLAS, layout, "G18-1-0") == ("G16", 0)
    assert find_city(ATLAS, layout, "G41-0-0") is None
    assert find_city(ATLAS, layout, "I14-4-0") == ("I14", 0)
    assert find_city(ATLAS, layout, "H19-2-0") is None
    assert find_city(ATLAS, layout, "I14-4-5") is None
    assert city_name(ATLAS, layout, "H19", 0) == "G41-1-0"
    assert city_name(ATLAS, layout, "I14", 0) == "I14-4-0"


def test_layouts_do_not_share_what_they_know() -> None:
    """A new token or tile makes a new layout that has to find its boards anew."""
    layout = Layout({}, (), frozenset())
    board = layout.board("18GB", ATLAS, "2+1")
    assert layout.board("18GB", ATLAS, "2+1") is board
    other = layout.with_token(TokenPlacement("H19", 0, 0, "MR"))
    assert other.known == {}
    assert other.board("18GB", ATLAS, "2+1") is not board
    assert layout.network(board, "MR").stops == frozenset()
    assert other.network(other.board("18GB", ATLAS, "2+1"), "MR").stops == {"H19-0"}


def test_money_is_neither_made_nor_lost() -> None:
    """A limited bank pays and takes; nobody pays what he has not got.

    Paying the last pound does not break it, one more does, for good (FMT §H36).
    """
    state = replace(fresh(), bank=1000, broken=False)
    ann, bob = state.players[1], state.players[2]
    from_bank(state, ann, 50)
    to_bank(state, bob, 30)
    transfer(ann, bob, 80)
    assert (ann.cash, bob.cash, state.bank) == (300, 380, 980)
    from_bank(state, ann, 980)
    assert not state.broken
    from_bank(state, ann, 1)
    to_bank(state, ann, 981)
    assert (ann.cash, state.bank, state.broken) == (300, 980, True)
    with pytest.raises(ValueError, match="£301"):
        to_bank(state, ann, 301)
    with pytest.raises(ValueError, match="£-5"):
        transfer(ann, bob, -5)


def test_certificates_move_to_the_end_of_their_new_place() -> None:
    """FMT §B4.4: the order of arrival is kept."""
    state = fresh()
    for share in ("MR_3", "MR_1"):
        shares.hand_over(state, share, 1)
    assert shares.held(state, 1, "MR") == ("MR_3", "MR_1")
    assert shares.held(state, "MR", "MR") == ("MR_0", "MR_2")
    assert shares.units(state, "MR", "MR") == 3
    assert shares.holder_of(state, "MR_9") is None
    with pytest.raises(ValueError, match="MR_9"):
        shares.hand_over(state, "MR_9", 1)
    assert shares.split("E&H_3") == ("E&H", 3)
    assert shares.split("nothing") == ("", 0)
