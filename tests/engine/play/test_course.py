"""A small game made of the shared pieces alone, as the page on playing says: it is played to
its end, and the table knows what every game needs to know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.games import load_game
from engine.play.actions import Action, Entity, Pass, RunRoutes, corporation, player
from engine.play.depot import Roster, train_ids
from engine.play.entities import MARKET, Cell, Holder, Player, new_company
from engine.play.errors import IllegalActionError, Strict
from engine.play.game import Course, Play, Setting
from engine.play.layout import Layout
from engine.play.lays import LayGuide
from engine.play.market import Chart, by_price, put
from engine.play.offers import Offer
from engine.play.shares import all_cards, hand_over
from engine.play.state import CompanyTurns, GameState, PlayerTurns, RoundData
from engine.play.steps import RUN, CompanyStep, Kit, PlayerStep, Round, Step, Table, close_step
from engine.play.supply import full_supply
from engine.routing.position import make_rules
from engine.routing.run import CompanyState, Train

GAME = load_game("1862")
"""The made-up game borrows the printed parts of this one."""
STARTED = ("EUR", "ECR")
SETTING = Setting("1862", ((1, "Ann"), (2, "Bob")))


class Buy(PlayerStep[Table]):
    """Each player takes a share of the first company, or passes."""

    name = "buy"

    def offers(self, at: Table) -> bool:
        return True

    def takes(self, at: Table, action: Action) -> bool:
        return isinstance(action, Pass) and action.entity == self.actor(at)

    def options(self, at: Table) -> Iterator[Offer]:
        yield Pass(self.actor(at))

    def apply(self, at: Table, action: Action) -> Action:
        hand_over(at.state, at.state.holdings[MARKET][0], at.seat)
        close_step(at, self.name)
        return action


class Run(CompanyStep[Table]):
    """Each company leaves its trains standing."""

    name = RUN

    def offers(self, at: Table) -> bool:
        return True

    def takes(self, at: Table, action: Action) -> bool:
        return isinstance(action, RunRoutes) and action.entity == self.actor(at)

    def options(self, at: Table) -> Iterator[Offer]:
        yield RunRoutes(self.actor(at))

    def apply(self, at: Table, action: Action) -> Action:
        close_step(at, self.name)
        return action


class Stock(Round[Table]):
    """One turn for every player."""

    kind = "stock"
    steps: tuple[Step[Table], ...] = (Buy(),)

    def over(self, at: Table) -> bool:
        return at.state.round_as(PlayerTurns).index == len(at.state.order)

    def end_turn(self, at: Table) -> None:
        data = at.state.round_as(PlayerTurns)
        data.index, data.done = data.index + 1, frozenset()

    def finish(self, at: Table) -> str:
        return "operating"


class Operating(Round[Table]):
    """One turn for every company, the dearest first; then the game is over."""

    kind = "operating"
    steps: tuple[Step[Table], ...] = (Run(),)

    def begin(self, at: Table) -> None:
        order = tuple(by_price(at.state, at.kit.chart))
        at.state.round = CompanyTurns(self.kind, 1, frozenset(), order, 0)

    def over(self, at: Table) -> bool:
        return at.state.round_as(CompanyTurns).over

    def end_turn(self, at: Table) -> None:
        data = at.state.round_as(CompanyTurns)
        data.index, data.done = data.index + 1, frozenset()

    def finish(self, at: Table) -> str:
        at.state.finished = True
        return ""


class SmallCourse(Course[Table]):
    """A stock round and an operating round."""

    state_type = GameState
    table_type = Table
    kinds = (Stock(), Operating())

    def deal(self) -> GameState:
        companies = {s: new_company(GAME.corporations[s], tokens=()) for s in STARTED}
        order = tuple(number for number, _ in self.setting.players)
        holdings: dict[Holder, tuple[str, ...]] = dict.fromkeys(order, ())
        holdings[MARKET] = tuple(card for c in companies.values() for card in all_cards(c))
        atlas = self.kit.guide.atlas
        state = GameState(
            players={number: Player(number, name, 100) for number, name in self.setting.players},
            order=order,
            companies=companies,
            privates={},
            bank=1000,
            broken=False,
            holdings=holdings,
            stacks={},
            depot=train_ids({"A": 2, "B": None}),
            phase=next(iter(GAME.phases)),
            layout=Layout({}, (), frozenset()),
            supply=full_supply(atlas, frozenset(atlas.tiles)),
            turn=1,
            round=PlayerTurns("stock", 1, frozenset(), 0),
            end_reason="",
            finished=False,
        )
        for column, sym in enumerate(STARTED, start=5):
            put(state, sym, Cell(0, column))
        return state

    def check_end(self, at: Table) -> None:
        if at.state.round.kind == "operating":
            at.state.end_reason = "round"

    def worth(self, at: Table, number: int) -> int:
        owned = at.state.holdings[number]
        return at.state.players[number].cash + sum(map(at.value, owned))

    def company_state(self, at: Table) -> CompanyState:
        return CompanyState(at.company.sym, tuple(Train(t, t) for t in at.company.trains))


def new_game(turn: int = 1, end_reason: str = "") -> Play:
    """Start the made-up game, in a turn and with an end that may be due already."""
    kit = Kit(
        game=GAME,
        guide=LayGuide(GAME.atlas()),
        chart=Chart(GAME.data("market.json")),
        roster=Roster(GAME.data("trains.json")["trains"], GAME.phases),
        rules=make_rules(GAME),
    )
    course = SmallCourse(kit, SETTING)
    return Play(SETTING, course, replace(course.deal(), turn=turn, end_reason=end_reason))


def test_it_is_played_to_its_end() -> None:
    """Players in turn order, then companies by price; each does the one thing that is offered."""
    play, turns = new_game(), []
    while not play.finished:
        turns.append((play.step(), play.actor()))
        play.apply(play.legal_actions()[0])
    assert turns == [
        ("buy", player(1)),
        ("buy", player(2)),
        (RUN, corporation("ECR")),
        (RUN, corporation("EUR")),
    ]
    assert play.end_reason == "round"
    prices = GAME.data("market.json")["cells"]
    assert play.scores() == {1: 100 + 3 * prices[5]["price"], 2: 100 + prices[5]["price"]}
    assert play.current.depot == ("A-0", "A-1", "B-0")


@pytest.mark.parametrize(
    ("turn", "due", "rounds", "reason"),
    [(99, "", 2, "round"), (100, "", 1, "dnf"), (101, "", 1, "dnf"), (100, "bank", 2, "round")],
)
def test_a_round_that_ends_in_turn_100_is_the_last(
    turn: int, due: str, rounds: int, reason: str
) -> None:
    """FMT §E12.3: unless another end is due, after the work of the end of the round; the
    scores are the ordinary ones."""
    play, seen = new_game(turn, due), []
    while not play.finished:
        seen.append(play.current.round.kind)
        play.apply(play.legal_actions()[0])
    assert len(set(seen)) == rounds
    assert play.end_reason == reason
    assert sum(play.scores().values()) > 200
    assert not play.legal_actions()


def test_who_is_about_to_run_is_known_in_the_step_of_that_name_only() -> None:
    """Board and company as the referee takes them; nobody in the stock round or after the end."""
    play = new_game()
    assert play.running() is None
    for _ in range(2):
        play.apply(play.legal_actions()[0])
    running = play.running()
    assert running is not None
    assert running[0] == play.board()
    assert running[1].corporation == "ECR"
    for _ in range(2):
        play.apply(play.legal_actions()[0])
    assert play.running() is None


def test_only_who_is_in_turn_acts() -> None:
    """The step knows its player from the round; others are refused, and nothing has changed."""
    play = new_game()
    before = play.current
    with pytest.raises(IllegalActionError) as refusal:
        play.apply(Pass(Entity("player", 2)))
    assert refusal.value.code == "NOT_YOUR_TURN"
    assert play.current is before


def test_a_state_of_another_kind_is_refused() -> None:
    """A course takes only its own states."""

    class Other(GameState):
        """The state of another game."""

    class Strange(SmallCourse):
        state_type = Other

    play = new_game()
    course = Strange(play.kit, SETTING)
    with pytest.raises(TypeError, match="no state of 1862"):
        course.table(play.current, Strict())


def test_a_round_without_turns_has_nobody_in_turn() -> None:
    """Asking for player or company in a round of another kind is a fault of the program."""
    play = new_game()
    course = SmallCourse(play.kit, SETTING)
    state = course.deal()
    state.round = RoundData("choices", 1, frozenset())
    at = course.table(state, Strict())
    with pytest.raises(TypeError):
        _ = at.seat
    with pytest.raises(TypeError):
        _ = at.company


def test_it_is_shown_without_a_word_of_its_own() -> None:
    """What all games have is there: certificates, trains by kind, tiles, limits, the order of
    operating; nothing is up for bids and nobody owes anything."""
    play = new_game()
    showing = play.showing()
    assert showing.player(1).certificates == 0
    assert (showing.certificate_limit(), list(showing.lots()), showing.passed()) == (None, [], ())
    assert [(k.name, k.count, k.on_sale) for k in showing.depot()] == [
        ("A", 2, True),
        ("B", 1, False),
    ]
    assert showing.train_limits() == GAME.phases["A"]["train_limit"]
    counts = {raw["id"]: raw["count"] for raw in GAME.data("tiles.json")["tiles"]}
    left = dict(showing.tiles())
    assert left.keys() == counts.keys()
    assert left == {t: None if n == "unlimited" else n for t, n in counts.items()}
    assert showing.order() == ()
    for _ in range(2):
        play.apply(play.legal_actions()[0])
    assert play.showing().order() == ("ECR", "EUR")
    assert play.showing().player(1).certificates == 1
