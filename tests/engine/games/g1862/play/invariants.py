"""What must hold in every state of a game of 1862."""

from __future__ import annotations

from collections import Counter

from engine.board.build import check_state
from engine.games import load_game
from engine.games.g1862.play.kit import Kit1862
from engine.games.g1862.play.state import IPO, OperatingData, State1862
from engine.games.g1862.stations import london_hexes
from engine.play import shares
from engine.play.entities import MARKET, Company
from engine.play.game import Play

GAME = load_game("1862")
BANK = GAME.setup["bank"]
LONDON = london_hexes(GAME)


def check(play: Play) -> None:
    """Check everything that no action may break."""
    state, kit = play.current, play.kit
    assert isinstance(state, State1862)
    assert isinstance(kit, Kit1862)
    _money(state)
    _certificates(state)
    if not exchanging(state):
        for company in state.companies.values():
            _directors(state, company)
    _trains(state, kit)
    _tiles(state)
    _tokens(state, kit)


def exchanging(state: State1862) -> bool:
    """Tell whether shares are being exchanged, when certificates are in between."""
    return isinstance(state.round, OperatingData) and state.round.exchange is not None


def _money(state: State1862) -> None:
    """No pound is made or lost, and nobody owes money (§1.1, §0.3)."""
    holders = [*state.players.values(), *state.companies.values()]
    assert all(holder.cash >= 0 for holder in holders)
    assert state.bank is not None
    assert state.bank + sum(holder.cash for holder in holders) == BANK
    assert state.broken or state.bank >= 0
    assert all(company.cash == 0 for company in state.companies.values() if not company.started)


def _certificates(state: State1862) -> None:
    """Every certificate is held once (§1.3)."""
    held = Counter(share for cards in state.holdings.values() for share in cards)
    known = {
        shares.name(company.sym, number)
        for company in state.companies.values()
        if not company.removed
        for number in range(8)
    }
    assert set(held) == known
    assert set(held.values()) <= {1}


def _directors(state: State1862, company: Company) -> None:
    """Who has most shares, at least three, is director and has the certificate (§6.8, §6.9)."""
    sym = company.sym
    top = shares.holder_of(state, shares.name(sym, 0))
    stacked = [cell for cell, stack in state.stacks.items() if sym in stack]
    assert stacked == ([company.cell] if company.started else [])
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
    assert len(set(owned)) == len(owned)
    assert set(owned).isdisjoint(state.depot)
    assert set(state.fittings) == set(owned)
    for train, fitting in state.fittings.items():
        assert 0 <= fitting.warranties <= 3
        rusts = kit.roster.card(train).rusts_on
        alive = rusts is None or not kit.roster.reached(state.phase, rusts)
        assert alive or fitting.warranties
        assert kit.kind(train, fitting.name) is not None


def _tiles(state: State1862) -> None:
    """No copy is in two places; small stations use up their base tile (§1.6)."""
    laid = Counter((laid.tile, laid.copy) for laid in state.layout.laid.values())
    left = Counter((tile, copy) for tile, copies in state.supply.items() for copy in copies)
    assert set((laid + left).values()) <= {1}
    atlas = GAME.atlas()
    assert len(laid + left) == sum(kind.count for kind in atlas.tiles.values())
    pools = Counter(atlas.tiles[tile].pool for tile, _ in laid)
    for pool, used in pools.items():
        assert used <= atlas.tiles[pool].count


def _tokens(state: State1862, kit: Kit1862) -> None:
    """Board and markers have no fault; seven markers, one a hex, one in London (§1.3)."""
    assert check_state(GAME, state.layout.state("1862", "Standard", state.phase)) == ()
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
