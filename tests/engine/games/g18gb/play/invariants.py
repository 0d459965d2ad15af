"""What must hold in every state of a game of 18GB."""

from __future__ import annotations

from collections import Counter

from engine.games import load_game
from engine.games.g18gb.play.state import State18GB
from engine.play import shares
from engine.play.entities import MARKET
from engine.play.game import Play
from tests.engine.play.invariants import (
    check_board,
    check_certificates,
    check_marker,
    check_money,
    check_tiles,
    check_trains,
)

GAME = load_game("18GB")
RUSTS = {card["name"]: card["rusts_on"] for card in GAME.data("trains.json")["trains"]}


def check(play: Play) -> None:
    """Check everything that no action may break."""
    state = play.current
    assert isinstance(state, State18GB)
    check_money(state, total=None)
    _certificates(state)
    _trains(state)
    check_tiles(state, GAME.atlas())
    check_board(play)
    _tokens(state)


def _certificates(state: State18GB) -> None:
    """Every certificate is held once; directors hold theirs and have most shares (§6.13)."""
    check_certificates(state, (c for c in state.companies.values() if not c.removed))
    for sym, company in state.companies.items():
        if company.removed:
            assert not company.started
            assert not company.trains
            continue
        assert sum(company.percents) == 100
        assert company.started == (shares.holder_of(state, shares.name(sym, 0)) != sym)
        check_marker(state, company)
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
    check_trains(state)
    owned = [train for company in state.companies.values() for train in company.trains]
    phases = list(GAME.phases)
    for train in owned:
        rusts = RUSTS[train.rpartition("-")[0]]
        assert rusts is None or phases.index(rusts) > phases.index(state.phase)


def _tokens(state: State18GB) -> None:
    """Every company has tokens, and one in a hex at most (§10.1)."""
    places = Counter((token.corporation, token.hex) for token in state.layout.tokens)
    assert set(places.values()) <= {1}
    homes = {token.corporation for token in state.layout.tokens}
    assert homes == set(state.companies)
