"""What closed privates do for companies, and when the track step stays open (18GB §4, §16.3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.board.state import TokenPlacement
from engine.games.g18gb.play.state import OPERATING, OperatingData, Right, State18GB
from engine.play import shares
from engine.play.actions import (
    LayTile,
    Pass,
    PlaceToken,
    RunRoutes,
    corporation,
    private,
)
from engine.play.entities import Cell
from engine.play.game import Play
from engine.play.layout import Laid
from engine.play.market import put
from tests.engine.games.g18gb.play.scene import new_game, state_of
from tests.engine.play.scene import changed, do, refused

BRISTOL = {"D23": Laid("G18", 0, 2)}
"""Track from Bristol's home city over the Severn to C24."""
DERBY = {"H19": Laid("G39", 0, 5), "I20": Laid("58", 0, 0)}
"""Track from Derby to Lincoln and into Leicester."""
AYR = {"F5": Laid("G41", 0, 0), "F7": Laid("58", 0, 3), "H9": Laid("G40", 0, 2)}
"""Track from Ayr over two towns to Carlisle."""
ALT = ("four_player_alt",)
MR = corporation("MR")


def turn_of(
    sym: str,
    *closed: str,
    players: int = 4,
    options: tuple[str, ...] = (),
    phase: str = "4+2",
    laid: dict[str, Laid] | None = None,
    profile: str = "18xx.games",
) -> Play:
    """A company with £1000 begins its turn; the first player runs it and owns all privates."""
    play = new_game(players, options, profile=profile)

    def prepare(state: State18GB) -> None:
        state.phase, state.turn, state.lnwr_priority = phase, 2, False
        for name, owned in state.privates.items():
            owned.owner, owned.closed = 1, name in closed
        company = state.companies[sym]
        put(state, sym, Cell(0, 7))
        company.par, company.cash, company.floated = company.cell, 1000, True
        company.director = 1
        shares.hand_over(state, shares.name(sym, 0), 1)
        state.layout = replace(state.layout, laid=laid or {}, known={})
        for tile in (laid or {}).values():
            left = tuple(copy for copy in state.supply[tile.tile] if copy != tile.copy)
            state.supply[tile.tile] = left or (tile.copy + 1,)
        state.round = OperatingData(
            kind=OPERATING,
            number=1,
            done=frozenset(),
            order=(sym,),
            index=0,
        )

    return changed(play, prepare)


def lay(by: str, hex_id: str, tile: str, rotation: int) -> LayTile:
    """A lay by a company, or by a private if that is named."""
    abilities = ("AF", "LS", "TV")
    return LayTile((private if by in abilities else corporation)(by), hex_id, tile, rotation)


def cash(play: Play, sym: str) -> int:
    return state_of(play).companies[sym].cash


def turn(play: Play) -> OperatingData:
    return play.current.round_as(OperatingData)


SEVERN = ("C22", "G33-0", 0)


def test_taff_vale_lays_the_severn_tile_without_its_cost() -> None:
    """§4.8, §9.7: TV waives £50 but takes a tile action; others pay, and TV is then useless."""
    play = turn_of("GWR", "TV", laid=BRISTOL)
    assert lay("TV", *SEVERN) in play.legal_actions()
    by_tv = do(play.copy(), lay("TV", *SEVERN))
    assert (cash(by_tv, "GWR"), turn(by_tv).tiles) == (1000, 1)
    refused(by_tv, lay("TV", *SEVERN), "ABILITY_USED", "18GB §4.7", "entity")
    bare = do(play, lay("GWR", *SEVERN))
    assert (cash(bare, "GWR"), turn(bare).tiles) == (950, 1)
    assert not state_of(bare).privates["TV"].used
    refused(bare, lay("TV", *SEVERN), "TILE_NOT_IN_SUPPLY", "18GB §9.3", "tile")


def test_the_severn_tile_waits_for_its_phase_and_for_a_tile_action() -> None:
    """§4.8: not before phase 4+2, and not as a third tile of the turn."""
    early = turn_of("GWR", "TV", phase="3+1", laid=BRISTOL)
    refused(early, lay("TV", *SEVERN), "TILE_COLOUR_TOO_EARLY", "18GB §7", "tile")
    play = do(turn_of("GWR", "TV", laid=BRISTOL), lay("GWR", "E24", "7-0", 2))
    do(play, lay("GWR", "C24", "58-0", 3))
    assert play.step() == "build"
    refused(play, lay("TV", *SEVERN), "TILE_ACTIONS_USED", "18GB §4.8", "type")


def with_token(play: Play, sym: str, hex_id: str) -> Play:
    """Give a company one more token on the map."""

    def place(state: State18GB) -> None:
        state.layout = state.layout.with_token(TokenPlacement(hex_id, 0, 0, sym))

    return changed(play, place)


def test_arbroath_lays_in_perth_beside_the_tile_actions() -> None:
    """§4.7: AF is no tile action and no city tile of the turn; only in the track step, and only
    where the company's track leads."""
    far = lay("AF", "I2", "G41-0", 0)
    refused(turn_of("NBR", "AF"), far, "NOT_CONNECTED", "18GB §9.4", "hex")
    play = do(with_token(turn_of("NBR", "AF"), "NBR", "I2"), far)
    assert (turn(play).tiles, turn(play).city) == (0, False)
    do(play, lay("NBR", "I6", "G18-0", 0))
    assert turn(play).city
    late = with_token(turn_of("NBR", "AF", laid={"I6": Laid("G18", 0, 0)}), "NBR", "I2")
    late = do(owning(late, "NBR", "4+2-0"), Pass(corporation("NBR")))
    assert late.step() == "trains"
    refused(late, far, "BUILDING_OVER", "18GB §4.7", "type")


def owning(play: Play, sym: str, train: str) -> Play:
    def give(state: State18GB) -> None:
        state.companies[sym].trains = (train,)
        state.depot = state.depot[state.depot.index(train) + 1 :]

    return changed(play, give)


def test_leicester_is_laid_at_any_moment_of_the_turn() -> None:
    """§4.7, §4.10: after the track step and by insolvent companies on the site, not by the
    rulebook; never for a company in receivership."""
    leicester = lay("LS", "H21", "G18-0", 0)

    def insolvent(state: State18GB) -> None:
        state.insolvent = frozenset({"MR"})

    def abandoned(state: State18GB) -> None:
        state.companies["MR"].director = None

    for profile, free in (("18xx.games", True), ("rulebook", False)):
        begun = turn_of("MR", "LS", laid=DERBY, profile=profile)
        later = do(owning(begun, "MR", "4+2-0"), Pass(corporation("MR")))
        poor = changed(begun, insolvent)
        for play in (later, poor):
            assert play.step() == "run"
            if free:
                assert "H21" in state_of(do(play, leicester)).layout.laid
            else:
                refused(play, leicester, "BUILDING_OVER", "18GB §4.7", "type")
        orphan = changed(begun, abandoned)
        refused(orphan, leicester, "PRIVATE_NOT_DIRECTORS", "18GB §4.6", "entity")


def test_maryport_stands_in_carlisle_for_nothing_where_track_leads_there() -> None:
    """§4.9, §9.8: no cost where connected, the one token of the turn, and green ahead of time
    for the company that placed it, for no other."""
    play = turn_of("GSWR", "MC", options=ALT, phase="2+1", laid=AYR)
    token = PlaceToken(private("MC"), "G40-0-0", 0)
    green = lay("GSWR", "H9", "G36-0", 1)
    refused(play, green, "TILE_COLOUR_TOO_EARLY", "18GB §7", "tile")
    refused(play, replace(token, city="G41-0-0"), "CITY_NOT_ALLOWED", "18GB §4.9", "city")
    do(play, token)
    assert cash(play, "GSWR") == 1000
    assert state_of(play).early_green == {Right("GSWR", "H9")}
    assert state_of(play).companies["GSWR"].tokens == (50,)
    refused(play, PlaceToken(corporation("GSWR"), "G40-0-0"), "TOKEN_PLACED", "18GB §10.1")
    do(play, green)
    assert (turn(play).tiles, turn(play).city) == (1, True)


def test_maryport_pays_where_no_track_leads() -> None:
    """§4.9: £50 for trackless Carlisle; not after the freeze, not without the money, but also
    after the trains ran."""
    token = PlaceToken(private("MC"), "H9-2-0", 0)
    play = turn_of("GSWR", "MC", options=ALT, laid={"F5": AYR["F5"], "F7": AYR["F7"]})

    def freeze(state: State18GB) -> None:
        state.frozen = True

    def spend(state: State18GB) -> None:
        state.companies["GSWR"].cash = 49

    refused(changed(play, freeze), token, "TOKENS_FROZEN", "18GB §14.3", "type")
    refused(changed(play, spend), token, "CASH_SHORT", "18GB §4.9", "city")
    late = do(owning(play, "GSWR", "4+2-0"), Pass(corporation("GSWR")))
    do(late, RunRoutes(corporation("GSWR")))
    assert late.step() == "trains"
    assert cash(do(late, token), "GSWR") == 950


@pytest.mark.parametrize(
    ("acts", "closed", "used", "step"),
    [
        ("tile", "", "AF", "build"),
        ("tile tile", "", "AF", "build"),
        ("tile tile poor", "", "AF", "run"),
        ("tile tile poor", "", "", "build"),
        ("tile tile token", "", "AF", "run"),
        ("tile tile token", "", "", "build"),
        ("token tile tile", "", "", "build"),
        ("tile tile poor", "LS", "AF", "build"),
        ("tile tile poor", "TV", "AF", "build"),
        ("tile tile token", "LS", "AF", "build"),
        ("token tile tile", "LS TV", "AF", "run"),
        ("tile token tile", "LS", "AF", "run"),
    ],
)
def test_when_the_track_step_stays_open(acts: str, closed: str, used: str, step: str) -> None:
    """§16.3: for a tile action, a token that can be paid, AF even while open, LS and TV once
    closed; but for neither of these after a tile laid last with a token before it."""
    leicester = {**DERBY, "H21": Laid("G18", 0, 0)}
    play = owning(turn_of("MR", *closed.split(), laid=leicester), "MR", "4+2-0")

    def prepare(state: State18GB) -> None:
        state.privates["AF"].used = used == "AF"
        if "poor" in acts:
            state.companies["MR"].cash = 49

    play = changed(play, prepare)
    for act in acts.replace("poor", "").split():
        plain = (a for a in play.legal_actions() if isinstance(a, LayTile) and a.tile[0] in "789")
        do(play, next(plain) if act == "tile" else PlaceToken(MR, "G18-0-0"))
    assert play.step() == step
