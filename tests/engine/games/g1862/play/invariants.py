"""What must hold in every state of a game of 1862."""

from __future__ import annotations

from collections import Counter

from engine.games import load_game
from engine.games.g1862.play.kit import Kit1862
from engine.games.g1862.play.state import IPO, OperatingData, State1862
from engine.games.g1862.stations import london_hexes
from engine.play import shares
from engine.play.entities import MARKET, Company
from engine.play.game import Play
from tests.engine.play.invariants import (
    check_board,
    check_certificates,
    check_marker,
    check_money,
    check_tiles,
    check_trains,
)

GAME = load_game("1862")
BANK = GAME.setup["bank"]
LONDON = london_hexes(GAME)


def check(play: Play) -> None:
    """Check everything that no action may break."""
    state, kit = play.current, play.kit
    assert isinstance(state, State1862)
    assert isinstance(kit, Kit1862)
    check_money(state, BANK)
    _purses_of_unstarted(state, kit)
    check_certificates(state, (c for c in state.companies.values() if not c.removed))
    if not exchanging(state):
        for company in state.companies.values():
            _directors(state, company)
    _trains(state, kit)
    check_tiles(state, GAME.atlas())
    check_board(play)
    _tokens(state, kit)


def _purses_of_unstarted(state: State1862, kit: Kit1862) -> None:
    """Only the trains of a bankrupt company can bring one money that is not started (D26)."""
    full = [c for c in state.companies.values() if c.cash and not c.started]
    assert not full or kit.profile.stranded_trains
    late = {c.sym for c in state.companies.values() if c.started and not c.floated}
    assert {duty.company for duty in state.obligations} == {
        sym for sym in late if state.charters[sym].chartered
    }


def exchanging(state: State1862) -> bool:
    """Tell whether shares are being exchanged, when certificates are in between."""
    return isinstance(state.round, OperatingData) and state.round.exchange is not None


def _directors(state: State1862, company: Company) -> None:
    """Who has most shares, at least three, is director and has the certificate (§6.8, §6.9)."""
    sym = company.sym
    top = shares.holder_of(state, shares.name(sym, 0))
    check_marker(state, company)
    assert len(company.percents) == 8
    if not company.started:
        assert top == (None if company.removed else IPO)
        assert not company.trains
        assert not company.tokens
        assert not company.floated
        return
    assert company.cell is not None
    assert company.cell.column > 0
    holdings = [shares.units(state, number, sym) for number in state.players]
    if company.director is None:
        assert top == MARKET
        assert max(holdings) < 3
    else:
        assert top == company.director
        assert shares.units(state, company.director, sym) == max(holdings)
    unsold = shares.units(state, IPO, sym) + shares.units(state, sym, sym)
    charter = state.charters[sym]
    assert charter.par in (54, 58, 62, 68, 74, 82, 90, 100)
    assert charter.permit in charter.permits or not charter.permits
    assert not shares.held(state, IPO, sym) or charter.chartered
    assert company.floated or unsold > 5


def _trains(state: State1862, kit: Kit1862) -> None:
    """No train is in two places; rusted ones are there only under warranty (§11)."""
    owned = [train for company in state.companies.values() for train in company.trains]
    check_trains(state, state.stranded)
    assert not set(owned) & set(state.stranded)
    assert set(state.fittings) == {*owned, *state.stranded}
    for train, fitting in state.fittings.items():
        assert 0 <= fitting.warranties <= 3
        rusts = kit.roster.card(train).rusts_on
        alive = rusts is None or not kit.roster.reached(state.phase, rusts)
        assert alive or fitting.warranties
        assert kit.kind(train, fitting.name) is not None


def _tokens(state: State1862, kit: Kit1862) -> None:
    """Seven markers, one a hex, one in London (§1.3)."""
    places = Counter(
        (token.corporation, "London" if token.hex in LONDON else token.hex)
        for token in state.layout.tokens
    )
    assert set(places.values()) <= {1}
    placed = Counter(token.corporation for token in state.layout.tokens)
    excess = state.round.excess if isinstance(state.round, OperatingData) else ""
    for sym, company in state.companies.items():
        if sym != excess:
            assert placed[sym] + len(company.tokens) <= kit.most_markers
        assert company.floated or not placed[sym]
