"""What must hold in every state of every game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine.board.atlas import Atlas
from engine.board.build import check_state
from engine.board.faces import UNLIMITED
from engine.games import load_game
from engine.play import shares
from engine.play.entities import Company
from engine.play.game import Play
from engine.play.state import GameState
from engine.routing.position import load_position, make_rules


def check_money(state: GameState, total: int | None, elsewhere: int = 0) -> None:
    """No pound is made or lost, and nobody owes money.

    Parameters
    ----------
    total
        £ in the game; None where the bank is unlimited.
    elsewhere
        £ that neither bank nor players nor companies have.
    """
    purses = [*state.players.values(), *state.companies.values()]
    assert all(purse.cash >= 0 for purse in purses)
    if total is None:
        assert state.bank is None
        return
    assert state.bank is not None
    assert state.bank + elsewhere + sum(purse.cash for purse in purses) == total
    assert state.bank >= 0 or state.broken


def check_certificates(state: GameState, playing: Iterable[Company]) -> None:
    """Every certificate is held once; those of the companies that play, and no others."""
    held = Counter(share for cards in state.holdings.values() for share in cards)
    assert set(held) == {card for company in playing for card in shares.all_cards(company)}
    assert set(held.values()) <= {1}


def check_marker(state: GameState, company: Company) -> None:
    """A company has one marker on the chart, where it says, or none before it is started."""
    stacked = [cell for cell, stack in state.stacks.items() for sym in stack if sym == company.sym]
    assert stacked == ([company.cell] if company.started else [])


def check_trains(state: GameState, elsewhere: Iterable[str] = ()) -> None:
    """No train is in two places: a company, the bank or, as in some games, elsewhere."""
    owned = [train for company in state.companies.values() for train in company.trains]
    everywhere = [*owned, *state.depot, *elsewhere]
    assert len(set(everywhere)) == len(everywhere)


def check_tiles(state: GameState, atlas: Atlas) -> None:
    """Every copy of a limited tile is on the map or in the supply, and nowhere twice; tiles
    that use the supply of another one are not more than there are of that."""
    laid = Counter((laid.tile, laid.copy) for laid in state.layout.laid.values())
    left = Counter((tile, copy) for tile, copies in state.supply.items() for copy in copies)
    assert set((laid + left).values()) <= {1}
    for tile, copies in state.supply.items():
        count = atlas.tiles[tile].count
        on_map = sum(1 for name, _ in laid if name == tile)
        assert copies if count == UNLIMITED else on_map + len(copies) == count
    for pool, used in Counter(atlas.tiles[tile].pool for tile, _ in laid).items():
        assert atlas.tiles[pool].count == UNLIMITED or used <= atlas.tiles[pool].count


def check_board(play: Play) -> None:
    """The board has no fault that referee or optimizer would find."""
    assert check_state(load_game(play.setting.title), play.board()) == ()


def check_position(play: Play) -> None:
    """The company that is about to run has none either."""
    running = play.running()
    if running is not None:
        load_position(make_rules(load_game(play.setting.title), play.setting.profile), *running)
