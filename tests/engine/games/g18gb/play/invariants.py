"""What must hold in every state of a game of 18GB."""

from __future__ import annotations

from collections import Counter

from engine.board.build import check_state
from engine.board.faces import UNLIMITED
from engine.games import load_game
from engine.games.g18gb.play.kit import scenario_of
from engine.games.g18gb.play.state import State18GB
from engine.play import shares
from engine.play.entities import MARKET
from engine.play.game import Play

GAME = load_game("18GB")
RUSTS = {card["name"]: card["rusts_on"] for card in GAME.data("trains.json")["trains"]}


def check(play: Play) -> None:
    """Check everything that no action may break."""
    state = play.current
    assert isinstance(state, State18GB)
    _money(state)
    _certificates(state)
    _trains(state)
    _tiles(state)
    _tokens(play, state)


def _money(state: State18GB) -> None:
    """Nobody owes money; the bank of 18GB is unlimited (§0.6)."""
    assert all(player.cash >= 0 for player in state.players.values())
    assert all(company.cash >= 0 for company in state.companies.values())


def _certificates(state: State18GB) -> None:
    """Every certificate is held once; directors hold theirs and have most shares (§6.13)."""
    held = Counter(share for cards in state.holdings.values() for share in cards)
    known = {
        shares.name(company.sym, number)
        for company in state.companies.values()
        if not company.removed
        for number in range(len(company.percents))
    }
    assert set(held) == known
    assert set(held.values()) <= {1}
    for sym, company in state.companies.items():
        if company.removed:
            assert not company.started
            assert not company.trains
            continue
        assert sum(company.percents) == 100
        assert company.started == (shares.holder_of(state, shares.name(sym, 0)) != sym)
        stacked = [cell for cell, stack in state.stacks.items() if sym in stack]
        assert stacked == ([company.cell] if company.started else [])
        top = shares.holder_of(state, shares.name(sym, 0))
        if company.director is not None:
            assert top == company.director
            mine = shares.units(state, company.director, sym)
            assert mine == max(shares.units(state, number, sym) for number in state.players)
        elif company.started:
            assert top == MARKET
            assert all(shares.units(state, number, sym) < 2 for number in state.players)


def _trains(state: State18GB) -> None:
    """No train is in two places and none has rusted (§7.2)."""
    owned = [train for company in state.companies.values() for train in company.trains]
    assert len(set(owned)) == len(owned)
    assert set(owned).isdisjoint(state.depot)
    phases = list(GAME.phases)
    for train in owned:
        rusts = RUSTS[train.rpartition("-")[0]]
        assert rusts is None or phases.index(rusts) > phases.index(state.phase)


def _tiles(state: State18GB) -> None:
    """Every copy of a limited tile is on the map or in the supply, and nowhere twice."""
    laid = Counter((laid.tile, laid.copy) for laid in state.layout.laid.values())
    left = Counter((tile, copy) for tile, copies in state.supply.items() for copy in copies)
    assert set((laid + left).values()) <= {1}
    for tile, copies in state.supply.items():
        count = GAME.atlas().tiles[tile].count
        on_map = sum(1 for name, _ in laid if name == tile)
        assert copies if count == UNLIMITED else on_map + len(copies) == count


def _tokens(play: Play, state: State18GB) -> None:
    """Board and tokens have no fault; a company has one token a hex (§10.1)."""
    scenario = scenario_of(GAME, len(state.players), play.setting.options)
    board = state.layout.state("18GB", scenario["map"], state.phase)
    assert check_state(GAME, board) == ()
    places = Counter((token.corporation, token.hex) for token in state.layout.tokens)
    assert set(places.values()) <= {1}
    homes = {token.corporation for token in state.layout.tokens}
    assert homes == set(state.companies)
