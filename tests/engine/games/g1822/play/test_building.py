"""Track of 1822 (§9) and the privates that change it (§16): the edge cases of §20."""

from __future__ import annotations

import pytest

from engine.games.g1822.play.costs import lay_cost
from engine.games.g1822.play.fitting import stub_sides
from engine.games.g1822.play.places import put_token
from engine.games.g1822.play.powers import ORDINARY, Terms
from engine.games.g1822.play.state import City, Company1822
from engine.play.actions import Choose, LayTile, Pass, PlaceToken, corporation, private
from engine.play.game import Play
from tests.engine.games.g1822.play.scene import Stage, company, state_of, table
from tests.engine.play.scene import do, refused

PLUS = ("plus_expansion", "plus_expansion_no_removals")


def lays(play: Play, hex_id: str, who: str = "") -> set[tuple[str, int]]:
    """Return the tiles and rotations that may be laid on a hex."""
    return {
        (action.tile.rpartition("-")[0], action.rotation)
        for action in play.legal_actions()
        if isinstance(action, LayTile) and action.hex == hex_id and who in ("", action.entity.id)
    }


def cash(play: Play, sym: str) -> int:
    return company(play, sym).cash


def test_london_and_channel_have_their_price_each_time() -> None:
    """§20.24: X21 to X22 costs 20, X9 to X15 costs 100; the first tiles too (§9.7)."""
    stage = Stage("7").company("GWR", 100, 1, trains=("7-0",)).tile("M38", "X21").tile("P43", "X9")
    stage.state.depot = ("7-1",)
    at = table(stage.operating("GWR"))
    assert lay_cost(at, "M38", frozenset(range(6)), ORDINARY) == 20
    assert lay_cost(at, "P43", frozenset({2, 3, 5}), ORDINARY) == 100
    fresh = table(Stage().company("GWR", 100, 1).operating("GWR"))
    assert lay_cost(fresh, "M38", frozenset(range(6)), ORDINARY) == 20
    assert lay_cost(fresh, "P43", frozenset({2, 3, 5}), ORDINARY) == 100


def test_an_estuary_costs_on_either_side() -> None:
    """§20.25: N23, then N21 laid toward each other: 20 + 40 each (§9.8)."""
    stage = Stage(options=PLUS).company("9", 60, 1).company("26", 50, 2)
    play = do(stage.operating("9", "26"), LayTile(corporation("9"), "N23", "57-0", 0))
    assert cash(play, "9") == 440
    play = Stage.of(play).operating("26")
    do(play, LayTile(corporation("26"), "N21", "57-1", 0))
    assert cash(play, "26") == 440


def test_the_bridge_costs_nothing() -> None:
    """§20.25: with P21 both hexes for nothing, in place of the normal lays; then it closes."""
    stage = Stage(options=PLUS).company("9", 60, 1).private("P21", of="9")
    play = stage.operating("9")
    bridge = private("P21")
    refused(play, LayTile(bridge, "N23", "57-0", 1), "SIDE_CLOSED", "1822 §9.3")
    refused(play, LayTile(bridge, "N25", "9-0", 0), "HEX_NOT_ALLOWED", "1822 §16")
    do(play, LayTile(bridge, "N23", "57-0", 0))
    assert play.actor() == bridge
    refused(play, LayTile(corporation("9"), "N25", "9-0", 0), "NOT_YOUR_TURN", "FMT §B8")
    refused(play, LayTile(bridge, "N23", "15-0", 0), "HEX_TWICE", "1822 §16.21")
    do(play, LayTile(bridge, "N21", "57-1", 0))
    assert cash(play, "9") == 500
    assert state_of(play).privates["P21"].closed
    assert play.step() != "track"


def test_the_bridge_closes_on_a_pass() -> None:
    """§16.21: after the first lay; without a marker in Hull or Grimsby it cannot be used."""
    stage = Stage(options=PLUS).company("9", 60, 1).private("P21", of="9")
    play = do(stage.operating("9"), LayTile(private("P21"), "N23", "57-0", 0))
    do(play, Pass(private("P21")))
    assert state_of(play).privates["P21"].closed
    far = Stage(options=PLUS).company("10", 60, 1).private("P21", of="10").operating("10")
    refused(far, LayTile(private("P21"), "N23", "57-0", 0), "MARKER_MISSING", "1822 §16.21")


def test_a_removed_town_and_a_river_discount() -> None:
    """§20.26: P2 on G34 pays 20 + 40; P10 on G36 across edge 3 pays nothing (§16.2, §16.10)."""
    stage = Stage("5").company("GWR", 100, 1, trains=("5-0",))
    stage.private("P2", of="GWR").private("P10", of="GWR").tile("G36", "207", 4)
    at = table(stage.operating("GWR"))
    river = at.card("P10")
    assert lay_cost(at, "G34", frozenset({2, 5}), Terms(("P2",))) == 20 - 10 + 40
    assert lay_cost(at, "G36", frozenset({0, 1, 3, 4, 5}), Terms(("P10",))) == 0
    river.company = "SWR"
    assert lay_cost(at, "G34", frozenset({2, 5}), Terms(("P2",))) == 60
    assert lay_cost(at, "G36", frozenset({0, 1, 3, 4, 5}), ORDINARY) == 40


@pytest.mark.parametrize(
    ("profile", "free"), [("rulebook", frozenset()), ("18xx.games", frozenset({0}))]
)
def test_london_approaches(profile: str, free: frozenset[int]) -> None:
    """§20.27: without an owner of C1 the tile on M36 points at London; by the rulebook the LNWR
    director is free, and so is whoever has the consent of the owner; on the site the right is of
    no use (§9.9, D13)."""
    at = Stage(profile=profile).at
    assert stub_sides(at, "M36") == frozenset({0})
    assert stub_sides(Stage(profile=profile).private("C1", 2).at, "M36") == free
    stage = Stage(profile=profile).company("LNWR", 100, 1)
    assert stub_sides(stage.at, "M36") == free
    play = stage.operating("LNWR")
    # From London only edge 0 of M36 is reached, so the tile joins it anyway.
    assert {rotation for tile, rotation in lays(play, "M36") if tile == "4"} == {0, 3}
    assert stub_sides(stage.tile("M36", "4", 0).at, "M36") == frozenset()
    assert stub_sides(Stage(title="1822NRS", profile=profile).at, "M28") == frozenset({5})


@pytest.mark.parametrize(
    ("profile", "free"), [("rulebook", frozenset()), ("18xx.games", frozenset({4}))]
)
def test_minor_14_has_a_right_beside_the_printed_owner(profile: str, free: frozenset[int]) -> None:
    """§9.9: to the approach of the London city that it has chosen, while it lives; like every
    such right it is of no use on the site (D13)."""
    stage = Stage(profile=profile).company("14", 50, 1, home=False)
    chooser = stage.at.company_of("14")
    chooser.home = City("M38", 1)
    assert stub_sides(stage.at, "L39") == free
    assert stub_sides(stage.at, "M40") == frozenset({3})
    chooser.removed = True
    assert stub_sides(stage.at, "L39") == frozenset({4})


def test_cities_take_the_tile_with_the_most_exits() -> None:
    """§20.28: yellow 5 to green by 14, 15 or 619; brown 611 is refused where 63 fits (§9.4)."""
    stage = Stage("5").company("MR", 100, 1, trains=("5-0",)).tile("J29", "5", 0)
    play = stage.operating("MR")
    assert {tile for tile, _ in lays(play, "J29")} == {"14", "15", "619"}
    brown = Stage("5").company("MR", 100, 1, trains=("5-0",)).tile("J29", "14", 0)
    play = brown.operating("MR")
    assert {tile for tile, _ in lays(play, "J29")} == {"63"}
    refused(play, LayTile(corporation("MR"), "J29", "611-0", 0), "TOO_FEW_EXITS", "1822 §9.4")


def test_lays_by_kind_and_phase() -> None:
    """§9.1: one lay for minors and early majors; from phase 3 two yellow tiles or an upgrade."""
    early = Stage("2").company("MR", 100, 1, trains=("L-0",)).operating("MR")
    do(early, LayTile(corporation("MR"), "J29", "57-0", 0))
    assert early.step() != "track"
    play = Stage("3").company("MR", 100, 1, trains=("3-0",)).operating("MR")
    do(play, LayTile(corporation("MR"), "J29", "57-0", 0))
    assert play.step() == "track"
    refused(play, LayTile(corporation("MR"), "J29", "14-0", 0), "TILE_LAYS_USED", "1822 §9.1")
    do(play, LayTile(corporation("MR"), "J31", "4-0", 0))
    assert play.step() != "track"
    minor = Stage("5").company("10", 60, 1, trains=("5-0",)).tile("I30", "X2", 0).operating("10")
    lay = LayTile(corporation("10"), "I30", "X7-0", 0)
    refused(minor, lay, "TILE_COLOUR_NOT_ALLOWED", "1822 §9.3")


def test_minor_14_lays_nothing_in_its_first_turn() -> None:
    """§9.1, §10.3: it pays 20 for its marker; the city gains a slot for good."""
    stage = Stage("3").company("14", 50, 1, turns=0, home=False, trains=("3-0",))
    play = stage.operating("14")
    assert play.step() == "home"
    refused(play, PlaceToken(corporation("14"), "I22-0-0"), "CITY_NOT_ALLOWED", "1822 §10.3")
    do(play, PlaceToken(corporation("14"), "M38-0-3"))
    assert cash(play, "14") == 480
    assert company(play, "14").home == City("M38", 3)
    assert [(t.city, t.slot) for t in state_of(play).layout.tokens] == [(3, 1)]
    assert play.step() != "track"


def test_extra_lays_of_a_major() -> None:
    """§16.12: P12 lays two yellow tiles, wholly after the first normal one, which is then the
    last; a pass after its first closes it."""
    stage = Stage("3").company("MR", 100, 1, trains=("3-0",)).private("P12", of="MR")
    play = do(stage.operating("MR"), LayTile(corporation("MR"), "J29", "57-0", 0))
    do(play, LayTile(private("P12"), "J31", "4-0", 0))
    assert play.actor() == private("P12")
    refused(play, LayTile(private("P12"), "J29", "14-0", 0), "TILE_LAYS_USED", "1822 §9.1")
    other = do(play.copy(), Pass(private("P12")))
    assert state_of(other).privates["P12"].closed
    assert other.step() != "track"
    do(play, LayTile(private("P12"), "J33", "9-0", 0))
    assert state_of(play).privates["P12"].closed
    assert play.step() != "track"


def test_extra_lays_before_the_normal_ones() -> None:
    """§16.12: wholly before them, they leave both; an upgrade is the only lay."""
    stage = Stage("3").company("MR", 100, 1, trains=("3-0",)).private("P12", of="MR")
    play = do(stage.operating("MR"), LayTile(private("P12"), "J29", "57-0", 0))
    do(play, LayTile(private("P12"), "J31", "4-0", 0))
    assert play.step() == "track"
    do(play, LayTile(corporation("MR"), "J33", "9-0", 0))
    do(play, LayTile(corporation("MR"), "J35", "9-1", 0))
    assert play.step() != "track"
    single = Stage("3").company("MR", 100, 1, trains=("3-0",)).private("P12", of="MR")
    single.tile("J29", "57", 0)
    play = do(single.operating("MR"), LayTile(private("P12"), "J29", "14-0", 0))
    assert state_of(play).privates["P12"].closed
    assert play.step() == "track"


def test_a_tile_ahead_of_the_phase() -> None:
    """§16.11: P11 lays one colour ahead on the newest colour; a minor only green."""
    stage = Stage("2").company("10", 60, 1, trains=("L-0",)).private("P11", of="10")
    stage.tile("H29", "9", 2)
    play = stage.operating("10")
    refused(
        play, LayTile(corporation("10"), "H29", "82-0", 2), "TILE_COLOUR_NOT_ALLOWED", "1822 §9.3"
    )
    do(play, LayTile(private("P11"), "H29", "82-0", 2))
    assert state_of(play).privates["P11"].closed
    later = Stage("3").company("10", 60, 1, trains=("3-0",)).private("P11", of="10")
    play = later.tile("H29", "82", 2).operating("10")
    refused(
        play, LayTile(private("P11"), "H29", "544-0", 2), "TILE_COLOUR_NOT_ALLOWED", "1822 §9.3"
    )


def test_hills_for_nothing_or_cheaper() -> None:
    """§16.8: after acquiring P8 its side is chosen: one lay for nothing, or 20 off for good,
    but not on £40 rough hexes."""
    stage = Stage("3").company("LYR", 100, 1, trains=("3-0",)).private("P8", of="LYR")
    play = stage.operating("LYR")
    assert play.step() == "choose P8"
    refused(play, Choose(corporation("LYR"), "both"), "CHOICE_UNKNOWN", "1822 §16.8")
    discount = do(play.copy(), Choose(corporation("LYR"), "discount"))
    costs = {"J23": 40, "I20": 60, "I24": 40}
    for hex_id, cost in costs.items():
        assert lay_cost(table(discount), hex_id, frozenset({0, 3}), ORDINARY) == cost
    token = do(play, Choose(corporation("LYR"), "token"))
    assert lay_cost(table(token), "I22", frozenset({0, 1, 2, 3, 4}), Terms(("P8",))) == 0
    refused(token, LayTile(private("P8"), "G22", "207-0", 0), "HEX_NOT_ALLOWED", "1822 §16")


def test_two_crossings_at_a_discount() -> None:
    """§16.10: P10 takes £40 off twice, rivers are £10 cheaper until the second use closes it; a
    lay that crosses nothing is none for it."""
    stage = Stage("3", options=PLUS).company("MR", 100, 1, trains=("3-0",))
    put_token(stage.at, City("N23", 0), "MR", 0)
    play = stage.private("P10", of="MR").operating("MR")
    beside = LayTile(private("P10"), "N23", "5-0", 0)
    refused(play, beside, "ESTUARY_NOT_CROSSED", "1822 §16.10")
    do(play, LayTile(private("P10"), "N23", "57-0", 0))
    assert (company(play, "MR").cash, table(play).card("P10").closed) == (490, False)
    do(play, LayTile(private("P10"), "N21", "57-1", 0))
    assert (company(play, "MR").cash, table(play).card("P10").closed) == (480, True)
    assert play.step() != "track"


def test_combinations() -> None:
    """§16.14: P2 with P8 is one lay, P8 with P10 is none; only what the company owns."""
    stage = Stage("3").company("LYR", 100, 1, trains=("3-0",))
    for sym in ("P2", "P10"):
        stage.private(sym, of="LYR")
    stage.private("P8", of="LYR", choice="token")
    play = stage.operating("LYR")
    both = LayTile(private("P8"), "I22", "X2-0", 4, ("P10",))
    refused(play, both, "ABILITIES_CLASH", "1822 §16.14")
    foreign = LayTile(private("P11"), "I22", "X2-0", 4)
    refused(play, foreign, "ABILITY_NOT_AT_HAND", "1822 §16")
    unknown = LayTile(private("P99"), "I22", "X2-0", 4)
    refused(play, unknown, "PRIVATE_UNKNOWN", "1822 §16")
    wrong = LayTile(corporation("LYR"), "I22", "X2-0", 4, ("P8",))
    refused(play, wrong, "COMBINATION_WITHOUT_PRIVATE", "1822 §16.14")


def test_the_channel_is_upgraded_from_anywhere() -> None:
    """§16.5 c: full Channel, brown allowed: P5 lays X9 for £100 and puts an exchange marker in."""
    stage = Stage("5").company("MR", 100, 1, trains=("5-0",)).company("GWR", 100, 2)
    stage.tile("P43", "X4").private("P5", of="MR")
    open_channel = stage.operating("MR")
    lay = LayTile(private("P5"), "P43", "X9-0", 0)
    refused(open_channel, lay, "SLOT_OPEN", "1822 §16.5")
    fill(stage, "GWR")
    play = do(stage.operating("MR"), lay)
    assert cash(play, "MR") == 400
    assert company(play, "MR").exchange == 2
    assert {t.corporation for t in state_of(play).layout.tokens_in("P43")} == {"GWR", "MR"}
    assert play.step() != "track"


def fill(stage: Stage, sym: str) -> None:
    """Put a marker of a company into the Channel."""
    put_token(stage.at, City("P43", 0), sym, 0)


@pytest.mark.parametrize(
    ("hex_id", "tile", "rotation", "code", "section"),
    [
        ("Z9", "9-0", 0, "HEX_NOT_ALLOWED", "1822 §9.3"),
        ("J31", "nothing", 0, "TILE_UNKNOWN", "1822 §9.3"),
        ("J31", "999-0", 0, "TILE_UNKNOWN", "1822 §9.3"),
        ("J31", "4-77", 0, "TILE_NOT_IN_SUPPLY", "1822 §9.3"),
        ("J31", "4-0", 6, "ROTATION_OUT_OF_RANGE", "1822 §0.2"),
        ("J31", "9-0", 0, "TILE_NOT_UPGRADE", "1822 §9.3"),
        ("K10", "57-1", 0, "NOT_CONNECTED", "1822 §9.3"),
        ("J29", "14-0", 1, "TRACK_NOT_KEPT", "1822 §9.3"),
    ],
)
def test_lays_refused(hex_id: str, tile: str, rotation: int, code: str, section: str) -> None:
    """§9.3: what is wrong, and by which rule."""
    stage = Stage("3").company("MR", 100, 1, trains=("3-0",)).tile("J29", "57", 0)
    refused(
        stage.operating("MR"), LayTile(corporation("MR"), hex_id, tile, rotation), code, section
    )


def test_a_lay_must_be_paid() -> None:
    """§9.7: the first upgrade of Birmingham costs 40; with 30 it is not listed and refused."""
    stage = Stage("3").company("10", 60, 1, trains=("3-0",), cash=30)
    play = stage.operating("10")
    assert lays(play, "I30") == set()
    refused(play, LayTile(corporation("10"), "I30", "X2-0", 0), "CASH_SHORT", "1822 §9.7")


def test_older_numbers_of_tiles() -> None:
    """Facts §4: 147 means 769 in records before April 2021."""
    stage = Stage("5").company("MR", 100, 1, trains=("5-0",)).tile("J29", "57", 0)
    stage.tile("J31", "142", 0)
    play = do(stage.operating("MR"), LayTile(corporation("MR"), "J31", "147-0", 3))
    assert state_of(play).layout.laid["J31"].tile == "769"
    assert isinstance(company(play, "MR"), Company1822)
