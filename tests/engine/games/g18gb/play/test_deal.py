"""Set-up and deal of every scenario (18GB §1, §2)."""

from __future__ import annotations

import pytest

from engine.errors import StateError
from engine.play.draws import Draws
from tests.engine.games.g18gb.play.scene import new_game, state_of

VECTORS = [
    (2, (), 1, "CR LYR NER"),
    (2, ("two_player_ew",), 1, "GER GWR SWR"),
    (3, (), 2, "CR GSWR NBR"),
    (3, (), 1, "MR NBR NER"),
    (4, (), 69707423, "CR LSWR MR SWR"),
    (4, (), 176656074, "CR GWR MR NBR"),
    (4, ("four_player_alt",), 1, "GSWR GWR MR NBR"),
    (5, (), 1156786302, "GSWR GWR LSWR LYR NER SWR"),
    (6, (), 98693, "GSWR LSWR LYR MSLR NBR NER"),
]


@pytest.mark.parametrize(("players", "options", "seed", "second"), VECTORS)
def test_tiers(players: int, options: tuple[str, ...], seed: int, second: str) -> None:
    """The vectors of §2.5: which companies are tier 2."""
    tiers = state_of(new_game(players, options, seed)).tiers
    assert sorted(sym for sym, tier in tiers.items() if tier == 2) == second.split()


def test_the_third_company_mix() -> None:
    """§2.3, §2.5: seed 2 draws GSWR, seed 1 GWR."""
    assert "GSWR" in state_of(new_game(3, seed=2)).companies
    assert "GWR" in state_of(new_game(3, seed=1)).companies


@pytest.mark.parametrize(
    ("seed", "draws"),
    [
        (0, [12345, 1406932606, 654583775, 1449466924]),
        (1, [1103527590, 377401575, 662824084, 1147902781]),
        (2, [59559187, 1495354192, 671064393, 846338638]),
        (4000000000, [Draws(1852516352).next()]),
    ],
)
def test_draws(seed: int, draws: list[int]) -> None:
    """The vectors of FMT §C1 and §H3."""
    generator = Draws(seed)
    assert [generator.next() for _ in draws] == draws


SCENARIOS = [
    (2, (), 375, 19, 6, 6, 21),
    (2, ("two_player_ew",), 375, 19, 6, 6, 21),
    (3, (), 330, 14, 7, 6, 25),
    (4, (), 330, 14, 9, 8, 31),
    (4, ("four_player_alt",), 330, 14, 9, 8, 31),
    (5, (), 320, 14, 12, 9, 37),
    (6, (), 305, 12, 12, 9, 40),
]


@pytest.mark.parametrize(
    ("players", "options", "cash", "limit", "companies", "privates", "trains"), SCENARIOS
)
def test_scenarios(
    players: int,
    options: tuple[str, ...],
    cash: int,
    limit: int,
    companies: int,
    privates: int,
    trains: int,
) -> None:
    """The table of §1.1, home tokens of all companies (§1.6), gray tiles for 5 and 6 only."""
    play = new_game(players, options)
    state = state_of(play)
    assert {player.cash for player in state.players.values()} == {cash}
    assert play._course.kit.certificate_limit == limit  # type: ignore[attr-defined]
    assert (len(state.companies), len(state.privates)) == (companies, privates)
    assert len(state.depot) == trains
    assert len(state.layout.tokens) == companies
    assert ("G35" in state.supply) == (players > 4)


def test_settings_that_do_not_fit() -> None:
    """Player counts, options and profiles that do not exist are named; others' are ignored."""
    for players, options, profile in ((1, (), ""), (7, (), ""), (3, ("solo",), "")):
        with pytest.raises(StateError):
            new_game(players, options, profile=profile or "18xx.games")
    with pytest.raises(StateError):
        new_game(3, profile="house rules")
    state = state_of(new_game(3, ("two_player_ew", "four_player_alt"), seed=2))
    assert len(state.companies) == 7


def test_the_other_reading_of_cr() -> None:
    """§1.5: CR's second token is free on the site and costs £50 by the rulebook."""
    assert state_of(new_game(4)).companies["CR"].tokens == (0,)
    assert state_of(new_game(4, profile="rulebook")).companies["CR"].tokens == (50,)
