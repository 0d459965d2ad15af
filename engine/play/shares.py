"""Certificates: who holds what, moving them, and who runs a company (FMT §E3 to §E5).

A certificate is named by its company and number, ``LNWR_3``; number 0 is the
director's one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from engine.play.entities import MARKET, Company, Holder
from engine.play.naming import is_copy
from engine.play.state import GameState


@lru_cache(maxsize=4096)
def split(share: str) -> tuple[str, int]:
    """Return company and number of a certificate; ('', 0) if it is no name of one."""
    sym, _, number = share.rpartition("_")
    return (sym, int(number)) if sym and is_copy(number) else ("", 0)


def name(sym: str, number: int) -> str:
    """Return the name of a certificate."""
    return f"{sym}_{number}"


def all_cards(company: Company) -> tuple[str, ...]:
    """Return all certificates of a company, the director's one first."""
    return tuple(name(company.sym, number) for number in range(len(company.percents)))


def held(state: GameState, holder: Holder, sym: str) -> tuple[str, ...]:
    """Return a holder's certificates of a company, in the order in which they came."""
    return tuple(share for share in state.holdings.get(holder, ()) if split(share)[0] == sym)


def ordinary(state: GameState, holder: Holder, sym: str) -> tuple[str, ...]:
    """Return a holder's certificates of a company without the director's one."""
    return tuple(share for share in held(state, holder, sym) if split(share)[1])


def units_on(state: GameState, shares: Iterable[str]) -> int:
    """Return the number of shares on some certificates."""
    total = 0
    for share in shares:
        sym, number = split(share)
        company = state.companies[sym]
        total += company.percents[number] // company.unit
    return total


def units(state: GameState, holder: Holder, sym: str) -> int:
    """Return the number of shares of a company that a holder has."""
    return units_on(state, held(state, holder, sym))


def holder_of(state: GameState, share: str) -> Holder | None:
    """Return who holds a certificate, or None if there is no such certificate."""
    return next((who for who, shares in state.holdings.items() if share in shares), None)


def hand_over(state: GameState, share: str, to: Holder) -> None:
    """Move a certificate; it goes to the end of its new place (FMT §B4.4).

    Raises
    ------
    ValueError
        Nobody holds it.
    """
    holder = holder_of(state, share)
    if holder is None:
        raise ValueError(f"nobody holds {share}")
    state.holdings[holder] = tuple(other for other in state.holdings[holder] if other != share)
    state.holdings[to] = (*state.holdings.get(to, ()), share)


def percent_left(state: GameState, sym: str) -> int:
    """Return the percentage of a company that is still in the initial offering."""
    return units(state, sym, sym) * state.companies[sym].unit


def leader(state: GameState, sym: str) -> int | None:
    """Return who ought to run a company by his holding, or None (FMT §E4).

    Nobody if no player holds as much as the director's certificate. The
    director stays while nobody has more; among several who do, the nearest
    after him in the present turn order comes first.
    """
    company = state.companies[sym]
    holdings = {player: units(state, player, sym) for player in state.order}
    most = max(holdings.values())
    if most < company.director_units:
        return None
    old = company.director
    if old is not None and holdings[old] == most:
        return old
    start = state.order.index(old) if old is not None else -1
    count = len(state.order)
    around = [state.order[(start + step) % count] for step in range(1, count + 1)]
    return next(player for player in around if holdings[player] == most)


def swap_director(state: GameState, sym: str, new: int, ordinary_to: Holder) -> None:
    """Give a player the director's certificate for ordinary ones (FMT §E4c).

    He gives those that he received first, to `ordinary_to`.
    """
    company = state.companies[sym]
    for share in ordinary(state, new, sym)[: company.director_units]:
        hand_over(state, share, ordinary_to)
    hand_over(state, name(sym, 0), new)
    company.director = new


def settle_director(state: GameState, sym: str) -> None:
    """After a purchase: the buyer becomes director if he now has more (FMT §E4)."""
    company = state.companies[sym]
    new = leader(state, sym)
    if new is None or new == company.director:
        return
    swap_director(state, sym, new, MARKET if company.director is None else company.director)


def certificates(state: GameState, player: int) -> int:
    """Return how many certificates of companies a player holds (FMT §E5)."""
    return len(state.holdings.get(player, ()))
