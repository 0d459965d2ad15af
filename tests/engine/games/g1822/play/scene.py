"""Scenes: games of 1822 brought to the moment that a test is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.board.state import BoardState
from engine.games.g1822.play.boxes import take_card
from engine.games.g1822.play.deal import first_turn
from engine.games.g1822.play.events import EVENTS
from engine.games.g1822.play.kit import Kit1822
from engine.games.g1822.play.places import settle_home
from engine.games.g1822.play.state import OPERATING, Company1822, OperatingData, State1822
from engine.games.g1822.play.table import Table1822
from engine.play import shares
from engine.play.actions import Bid, Pass, player
from engine.play.entities import MARKET, Cell
from engine.play.errors import Strict
from engine.play.game import Play, course_of
from engine.play.layout import Laid
from engine.play.market import put
from engine.play.records import clone
from tests.engine.play.scene import changed, start_game

RICH = 20_000
"""Bank of a scene, £, so that it does not break by chance."""


def new_game(
    players: int = 3,
    options: tuple[str, ...] = (),
    seed: int = 1,
    title: str = "1822",
    profile: str = "18xx.games",
) -> Play:
    """Start a game."""
    return start_game(title, players, options, seed, profile)


def state_of(play: Play) -> State1822:
    """Return the state, as that of 1822."""
    state = play.current
    assert isinstance(state, State1822)
    return state


def table(play: Play) -> Table1822:
    """Return the table of a game, to be looked at."""
    kit = play.kit
    assert isinstance(kit, Kit1822)
    return Table1822(kit, state_of(play), Strict())


def company(play: Play, sym: str) -> Company1822:
    """Return a company."""
    return table(play).company_of(sym)


def pass_on(play: Play) -> None:
    """Pass for whoever is in turn."""
    actor = play.actor()
    assert actor is not None
    play.apply(Pass(actor))


def passes(play: Play) -> Play:
    """Pass for all until the stock round is over."""
    turn = play.current.turn
    while play.current.turn == turn and play.step() == "trade":
        pass_on(play)
    return play


def bids(play: Play, *wanted: tuple[int, str, int]) -> Play:
    """Place bids, one in each turn, passing for whoever comes between."""
    for number, card, price in wanted:
        while play.actor() != player(number):
            pass_on(play)
        play.apply(Bid(player(number), card, price))
        if play.actor() == player(number):
            play.apply(Pass(player(number)))
    return play


class Stage:
    """A game put together by hand.

    Parameters
    ----------
    phase
        Phase in which the scene plays; the depot is that of its beginning.
    """

    def __init__(
        self,
        phase: str = "3",
        players: int = 3,
        options: tuple[str, ...] = (),
        title: str = "1822",
        profile: str = "18xx.games",
    ) -> None:
        self.play = new_game(players, options, 1, title, profile)
        self.state = clone(state_of(self.play))
        self.state.phase = phase
        self.state.bank = RICH
        self.state.turn = 3
        kit = self.play.kit
        assert isinstance(kit, Kit1822)
        self.kit = kit
        self.at = Table1822(kit, self.state, Strict())
        if int(phase) >= 5:
            EVENTS["close_concessions"](self.at)
        sold = {"1": "L", "2": "L", "3": "3", "4": "4", "5": "5", "6": "6", "7": "7"}[phase]
        while not self.state.depot[0].startswith(f"{sold}-"):
            self.state.depot = self.state.depot[1:]

    @classmethod
    def of(cls, play: Play) -> Stage:
        """Return a stage on which a game goes on from where it is."""
        stage = cls()
        kit = play.kit
        assert isinstance(kit, Kit1822)
        stage.play, stage.kit, stage.state = play, kit, clone(state_of(play))
        stage.at = Table1822(kit, stage.state, Strict())
        return stage

    def cash(self, **players: int) -> Stage:
        """Give players their cash: ``cash(p1=100)``."""
        for name, amount in players.items():
            self.state.players[int(name[1:])].cash = amount
        return self

    def board(self, lies: BoardState) -> Stage:
        """Lay the tiles of a board."""
        for lay in lies.tiles:
            self.tile(lay.hex, lay.tile, lay.rotation)
        return self

    def tile(self, hex_id: str, tile: str, rotation: int = 0) -> Stage:
        """Lay a tile, the first copy."""
        copies = self.state.supply[tile]
        copy = copies[0]
        self.state.supply[tile] = copies[1:] or (copy + 1,)
        laid = Laid(tile, copy, rotation)
        layout = self.state.layout
        self.state.layout = layout.with_tile(hex_id, laid, layout.tokens, layout.paid)
        return self

    def company(
        self,
        sym: str,
        price: int,
        director: int,
        *,
        cash: int = 500,
        held: Mapping[int, int] | None = None,
        market: int = 0,
        turns: int = 3,
        trains: Sequence[str] = (),
        cell: Cell | None = None,
        home: bool = True,
    ) -> Stage:
        """Start a company.

        Parameters
        ----------
        held
            Ordinary shares by player, beside the director's certificate.
        market
            Shares in the market.
        """
        state, started = self.state, self.at.company_of(sym)
        chart = self.kit.chart
        cells = [c for c in chart.cells if chart.price(c) == price]
        put(state, sym, cell or next((c for c in cells if c.column == 4), cells[0]))
        started.par, started.director, started.floated = started.cell, director, True
        started.cash, started.turns, started.operated = cash, turns, turns > 0
        started.trains = tuple(trains)
        shares.hand_over(state, shares.name(sym, 0), director)
        for number, count in (held or {}).items():
            for share in shares.held(state, sym, sym)[:count]:
                shares.hand_over(state, share, number)
        for share in shares.held(state, sym, sym)[:market]:
            shares.hand_over(state, share, MARKET)
        state.depot = tuple(train for train in state.depot if train not in trains)
        for stack in ("boxes", "minors"):
            kept = tuple(card for card in getattr(state, stack) if card != f"M{sym}")
            setattr(state, stack, kept)
        if home:
            settle_home(self.at, sym)
        return self

    def private(self, sym: str, owner: int | None = None, of: str = "", **fields: object) -> Stage:
        """Give a private or concession to a player or a company."""
        take_card(self.at, sym)
        card = self.at.card(sym)
        card.owner, card.company = owner, of
        for name, value in fields.items():
            setattr(card, name, value)
        return self

    def stock(self) -> Play:
        """Return the game in a stock round."""
        self.state.round = first_turn()
        return Play(self.play.setting, course_of(self.play.setting), self.state)

    def operating(self, *order: str, number: int = 1, rounds: int = 2) -> Play:
        """Return the game in an operating round, the first of the companies in turn."""
        self.state.round = OperatingData(
            kind=OPERATING,
            number=number,
            done=frozenset(),
            rounds=rounds,
            order=order or tuple(self.at.in_order()),
            index=0,
            used=frozenset(),
        )
        settle_home(self.at, self.at.company.sym)
        play = Play(self.play.setting, course_of(self.play.setting), self.state)
        play._go_on(table(play))
        return play


def round_london(stage: Stage) -> Stage:
    """Lay track from London's city 1 (GWR) round to its cities 2 and 3."""
    return stage.tile("L39", "7", 3).tile("L37", "80", 4).tile("M36", "3", 0)


def at_step(play: Play, step: str) -> Play:
    """Pass for the company in turn until one of its steps waits."""
    actor = play.actor()
    while play.step() != step:
        assert play.actor() == actor, f"{actor} has no step {step}"
        pass_on(play)
    return play


def later_steps(play: Play, *names: str) -> Play:
    """Return a game in which steps of the company in turn are over."""

    def change(state: State1822) -> None:
        state.round.done |= frozenset(names)

    play = changed(play, change)
    play._go_on(table(play))
    return play


STEPS = (
    "home",
    "first train",
    "acquire privates",
    "choose P8",
    "track",
    "destination",
    "marker",
    "run",
    "dividend",
    "trains",
    "acquire minor",
    "shares",
)
"""The steps of a company's turn that block, in order."""


def steps_before(name: str) -> tuple[str, ...]:
    """Return the steps of a company's turn before one of them."""
    return STEPS[: STEPS.index(name)]
