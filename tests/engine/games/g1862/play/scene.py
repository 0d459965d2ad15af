"""Scenes: games of 1862 brought to the moment that a test is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from engine.board.state import TokenPlacement
from engine.games import load_game
from engine.games.g1862.play.companies import FULL_TURN
from engine.games.g1862.play.state import (
    IPO,
    OPERATING,
    STOCK,
    Fitting,
    Obligation,
    OperatingData,
    State1862,
    StockData,
)
from engine.play import shares
from engine.play.entities import Cell, Holder
from engine.play.game import Play
from engine.play.layout import Laid
from engine.play.market import put, take_off
from tests.engine.play.scene import start_game

GAME = load_game("1862")
LADDER = [cell["price"] for cell in GAME.data("market.json")["cells"]]


def cell(price: int) -> Cell:
    """Return the position of a price."""
    return Cell(0, LADDER.index(price))


def named(price: int) -> str:
    """Return a start price as records write it."""
    return f"{price},0,{LADDER.index(price)}"


def new_game(
    players: int = 3, seed: int = 1, profile: str = "18xx.games", options: tuple[str, ...] = ()
) -> Play:
    """Start a game in which every company is in play and may be started."""
    return start_game("1862", players, options, seed, profile)


def state_of(play: Play) -> State1862:
    """Return the state, as that of 1862."""
    state = play.current
    assert isinstance(state, State1862)
    return state


def company(
    sym: str,
    price: int,
    held: Mapping[Holder, int],
    *,
    cash: int = 0,
    par: int | None = None,
    chartered: bool = False,
    floated: bool = True,
    trains: Sequence[tuple[str, str, int]] = (),
    markers: Sequence[str] = (),
    unused: int = 0,
    permits: Sequence[str] = ("express",),
) -> Callable[[State1862], None]:
    """Return a change that starts a company.

    Parameters
    ----------
    held
        Percent by holder, in the order in which certificates are given; the
        first player is director, unless the market comes before him. If the company
        is chartered and has not floated, he has won its charter.
    trains
        Id, name and warranties.
    markers
        Hexes; a marker goes to the first free circle.
    """

    def change(state: State1862) -> None:
        if sym not in state.companies:
            stranger = next(s for s, c in state.companies.items() if not c.started)
            state.companies[sym] = replace(state.companies.pop(stranger), sym=sym)
            state.charters[sym] = state.charters.pop(stranger)
            state.holdings[sym] = state.holdings.pop(stranger)
            _forget(state, stranger)
        made = state.companies[sym]
        take_off(state, sym)
        put(state, sym, cell(price))
        _forget(state, sym)
        numbers = iter(range(1, 8))
        top = next(iter(held))
        made.director = top if isinstance(top, int) else None
        for holder, percent in held.items():
            cards = [0] if holder == top else []
            cards += [next(numbers) for _ in range(percent // 10 - 3 * len(cards))]
            kept = state.holdings.get(holder, ())
            state.holdings[holder] = (*kept, *(shares.name(sym, number) for number in cards))
        assert next(numbers, None) is None, "not all certificates have been given"
        if state.bank is not None:
            state.bank -= cash - made.cash
        made.cash, made.floated, made.operated = cash, floated, floated
        made.tokens = (0,) * unused
        made.trains = tuple(train for train, _, _ in trains)
        for train, name, warranties in trains:
            state.fittings[train] = Fitting(name, warranties)
            state.depot = tuple(other for other in state.depot if other != train)
        charter = state.charters[sym]
        charter.chartered, charter.home_placed = chartered, bool(markers)
        charter.par = par if par is not None else max(p for p in PARS if p <= max(price, 54))
        charter.permit, charter.permits = permits[0], tuple(permits)
        if chartered and not floated and isinstance(top, int):
            state.obligations += (Obligation(top, sym),)
        for hex_id in markers:
            taken = {token.slot for token in state.layout.tokens_in(hex_id)}
            slot = next(slot for slot in range(4) if slot not in taken)
            state.layout = state.layout.with_token(TokenPlacement(hex_id, 0, slot, sym))

    return change


PARS = (54, 58, 62, 68, 74, 82, 90, 100)


def _forget(state: State1862, sym: str) -> None:
    for holder, cards in state.holdings.items():
        state.holdings[holder] = tuple(card for card in cards if shares.split(card)[0] != sym)


def laid(**tiles: tuple[str, int]) -> Callable[[State1862], None]:
    """Return a change that lays tiles, with their rotations, in hexes."""

    def change(state: State1862) -> None:
        for hex_id, (tile, rotation) in tiles.items():
            copy, *left = state.supply[tile]
            state.supply[tile] = tuple(left)
            tokens = state.layout.tokens
            down = Laid(tile, copy, rotation)
            state.layout = state.layout.with_tile(hex_id, down, tokens, frozenset())

    return change


def phase(name: str) -> Callable[[State1862], None]:
    """Return a change to a phase: all trains of earlier bands have been sold."""

    def change(state: State1862) -> None:
        state.phase = name
        state.depot = tuple(train for train in state.depot if train[0] >= name)

    return change


def cash(**money: int) -> Callable[[State1862], None]:
    """Return a change of cash: ``p1=100`` for player 1."""

    def change(state: State1862) -> None:
        for name, amount in money.items():
            holder = state.players[int(name[1:])]
            if state.bank is not None:
                state.bank -= amount - holder.cash
            holder.cash = amount

    return change


def stock_round(state: State1862) -> None:
    """Begin a stock round; use it after what else is changed."""
    state.turn = max(state.turn, 1)
    state.round = StockData(kind=STOCK, number=1, done=frozenset(), index=0)


def operating(
    *order: str, index: int = 0, open_from: str = "home", revenue: int = 0, tiles: int = 0
) -> Callable[[State1862], None]:
    """Return a change to an operating turn in which the steps before `open_from` are done."""

    def change(state: State1862) -> None:
        state.turn = max(state.turn, 1)
        state.set_rounds = 1
        state.round = OperatingData(
            kind=OPERATING,
            number=1,
            done=frozenset(FULL_TURN[: FULL_TURN.index(open_from)]),
            order=order,
            index=index,
            tiles=tiles,
            revenue=revenue,
        )

    return change


def percents(play: Play, sym: str) -> dict[Holder, int]:
    """Return who holds how much of a company, in percent."""
    state = state_of(play)
    found = {holder: 10 * shares.units(state, holder, sym) for holder in state.holdings}
    return {holder: percent for holder, percent in found.items() if percent}


def price(play: Play, sym: str) -> int:
    """Return the price of a company, £."""
    at = state_of(play).companies[sym].cell
    assert at is not None
    return int(LADDER[at.column])


__all__ = [
    "IPO",
    "cash",
    "cell",
    "company",
    "laid",
    "named",
    "new_game",
    "operating",
    "percents",
    "phase",
    "price",
    "state_of",
    "stock_round",
]
