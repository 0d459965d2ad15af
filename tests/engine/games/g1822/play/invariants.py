"""What must hold in every state of a game of 1822."""

from __future__ import annotations

from collections import Counter

from engine.board.build import check_state
from engine.board.faces import UNLIMITED
from engine.games import load_game
from engine.games.g1822.play.state import HAVEN, Card, Company1822, Player1822, State1822
from engine.games.game import Game
from engine.play import shares
from engine.play.entities import MARKET
from engine.play.game import Play
from engine.routing.position import load_position, make_rules


def check(play: Play) -> None:
    """Check everything that no action may break."""
    state, game = play.current, load_game(play.setting.title)
    assert isinstance(state, State1822)
    _money(state, game)
    _cards(state)
    _certificates(state)
    _trains(play, state, game)
    _tiles(state, game)
    _markers(state, game)


def check_board(play: Play) -> None:
    """The dearer part: board and company have no fault that referee or optimizer would find."""
    state, game = play.current, load_game(play.setting.title)
    assert check_state(game, state.layout.state(game.title, "", state.phase)) == ()
    running = play.running()
    if running is not None:
        load_position(make_rules(game), *running)


def _money(state: State1822, game: Game) -> None:
    """No money is made or lost; nobody has less than nothing (§1.1)."""
    stores = 0
    for card in state.privates.values():
        assert isinstance(card, Card)
        stores += card.store
    purses = [*state.players.values(), *state.companies.values()]
    assert state.bank is not None
    assert state.bank + stores + sum(p.cash for p in purses) == game.setup["bank"]
    assert all(purse.cash >= 0 for purse in purses)
    assert state.bank >= 0 or state.broken
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
    held = Counter(share for cards in state.holdings.values() for share in cards)
    assert set(held.values()) <= {1}
    for sym, company in state.companies.items():
        names = {shares.name(sym, number) for number in range(len(company.percents))}
        gone = company.removed and company.director is None and company.floated
        assert (names <= set(held)) != gone, sym
        stacked = [cell for cell, stack in state.stacks.items() if sym in stack]
        assert stacked == ([company.cell] if company.started else [])
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


def _trains(play: Play, state: State1822, game: Game) -> None:
    """No train is in two places, none has rusted, and limits hold unless someone discards."""
    owned = [train for company in state.companies.values() for train in company.trains]
    everywhere = [*owned, *state.depot, *state.discarded]
    assert len(set(everywhere)) == len(everywhere)
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


def _tiles(state: State1822, game: Game) -> None:
    """Every copy of a limited tile is on the map or in the supply, and nowhere twice."""
    laid = Counter((laid.tile, laid.copy) for laid in state.layout.laid.values())
    left = Counter((tile, copy) for tile, copies in state.supply.items() for copy in copies)
    assert set((laid + left).values()) <= {1}
    for tile, copies in state.supply.items():
        count = game.atlas().tiles[tile].count
        on_map = sum(1 for name, _ in laid if name == tile)
        assert copies if count == UNLIMITED else on_map + len(copies) == count


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
