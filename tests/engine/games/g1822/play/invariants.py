"""What must hold in every state of a game of 1822."""

from __future__ import annotations

from collections import Counter

from engine.games import load_game
from engine.games.g1822.play.state import HAVEN, Card, Company1822, Player1822, State1822
from engine.games.game import Game
from engine.play import shares
from engine.play.entities import MARKET, Company
from engine.play.game import Play
from tests.engine.play.invariants import (
    check_certificates,
    check_marker,
    check_money,
    check_tiles,
    check_trains,
)


def check(play: Play) -> None:
    """Check everything that no action may break."""
    state, game = play.current, load_game(play.setting.title)
    assert isinstance(state, State1822)
    _money(state, game)
    _cards(state)
    _certificates(state)
    _trains(play, state, game)
    check_tiles(state, game.atlas())
    _markers(state, game)


def _money(state: State1822, game: Game) -> None:
    """No money is made or lost; nobody has less than nothing (§1.1)."""
    stores = 0
    for card in state.privates.values():
        assert isinstance(card, Card)
        stores += card.store
    check_money(state, game.setup["bank"], stores)
    for player in state.players.values():
        assert isinstance(player, Player1822)
        assert player.debt >= 0


def _cards(state: State1822) -> None:
    """Every card is in one place: stack, player, company, or closed."""
    stacked = Counter([*state.concessions, *(sym for pile in state.piles for sym in pile)])
    assert set(stacked.values()) <= {1}
    for sym, card in state.privates.items():
        assert isinstance(card, Card)
        places = [sym in stacked, card.owner is not None, bool(card.company), card.closed]
        assert sum(places) == 1, (sym, places)
        assert not card.company or not state.companies[card.company].removed
    minors = [*state.boxes, *state.minors]
    assert len(set(minors)) == len(minors)
    assert len(state.boxes) == 4 or not state.minors
    for sym, company in state.companies.items():
        if company.kind == "minor":
            assert (f"M{sym}" in minors) + company.floated + company.removed >= 1
            assert not (f"M{sym}" in minors and (company.floated or company.removed))


def _certificates(state: State1822) -> None:
    """Every certificate is held once; directors hold theirs; the market holds half at most."""
    check_certificates(state, (c for c in state.companies.values() if not _gone(c)))
    for sym, company in state.companies.items():
        check_marker(state, company)
        if company.removed:
            assert not company.started
            assert not company.trains
            continue
        assert company.started == (company.director is not None)
        if company.director is not None:
            assert shares.name(sym, 0) in state.holdings[company.director]
        assert shares.units(state, MARKET, sym) * company.unit <= 50
    assert len({shares.split(share)[0] for share in state.holdings[HAVEN]}) == len(
        state.holdings[HAVEN]
    )


def _gone(company: Company) -> bool:
    """Whether a company has been played and closed; its certificates are out of the game."""
    return company.removed and company.director is None and company.floated


def _trains(play: Play, state: State1822, game: Game) -> None:
    """No train is in two places, none has rusted, and limits hold unless someone discards."""
    owned = [train for company in state.companies.values() for train in company.trains]
    check_trains(state, state.discarded)
    phases = list(game.phases)
    for train in owned:
        kind = game.trains.get(state.turned.get(train, train.rpartition("-")[0]))
        assert kind is not None
        started = {"2": "2", "3": "3", "4": "4", "6": "6", "7": "7"}.get(kind.rusts_on)
        assert started is None or phases.index(started) > phases.index(state.phase)
    if play.step() in ("", "discard") or state.round.kind != "operating":
        return
    extra = {"2P", "LP", "P+"}
    limits = game.phases[state.phase]["train_limit"]
    for company in state.companies.values():
        names = Counter(train.rpartition("-")[0] for train in company.trains)
        assert sum(n for name, n in names.items() if name not in extra) <= limits[company.kind]
        assert names["2P"] + names["LP"] <= 1
        assert names["P+"] <= 1


def _markers(state: State1822, game: Game) -> None:
    """Markers are neither made nor lost; one in a city, and outside London one in a hex."""
    normal = Counter(t.corporation for t in state.layout.tokens if t.kind == "normal")
    special = Counter(t.corporation for t in state.layout.tokens if t.kind == "destination")
    for sym, company in state.companies.items():
        assert isinstance(company, Company1822)
        at_home = company.home is not None
        assert special[sym] == company.destined
        if company.removed or company.kind == "minor":
            assert normal[sym] == (at_home and not company.removed)
            continue
        total = 1 + game.corporations[sym]["exchange_tokens"]
        assert normal[sym] - at_home + len(company.tokens) + company.exchange == total
    cities = Counter((t.corporation, t.hex, t.city) for t in state.layout.tokens)
    assert set(cities.values()) <= {1}
