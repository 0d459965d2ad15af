"""The best run of the company in turn is an action that the game takes and pays for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import StateError
from engine.notation.gamefile import Replay, read_game
from engine.play.actions import Action, Choose, RouteEntry, RunRoutes, corporation
from engine.play.game import Play, Setting, start
from engine.routing.run import Item
from optimizer import solve
from optimizer.stop import Stop
from server.autorun import auto_run, need_situation, run_actions
from server.confirm import UnconfirmedError
from server.desk import Desk
from server.errors import NothingToRunError
from server.question import Question, SubmittedWishes
from tests.engine.play.robot import moves
from tests.server.records import WITH_POSITIONS, WITHOUT_POSITIONS, positions_of, replay_of
from tests.shared import needs_records

OWN = Path(__file__).resolve().parents[1] / "data" / "games" / "18GB-two-players.json"
GAMES = Path(__file__).resolve().parents[2] / "examples" / "games"
DESK = Desk(solve)


def own_runs() -> Iterator[tuple[int, Play]]:
    """Yield entry id and game before each run of the shipped game; the game goes on after."""
    replay = Replay(read_game(json.loads(OWN.read_text("utf-8"))), audit=False)
    for number, action in replay.steps():
        if isinstance(action, RunRoutes):
            yield number, replay.play


def paid(action: Action) -> int:
    """Return what a run pays."""
    assert isinstance(action, RunRoutes)
    return sum(entry.revenue or 0 for entry in action.routes)


def test_nothing_to_run_outside_the_run_step() -> None:
    """In the auction no company is about to run; the error says who is waited for."""
    play = start(Setting("18GB", ((1, "Ann"), (2, "Bob")), 1))
    with pytest.raises(NothingToRunError, match="the step 'auction' waits for player") as error:
        auto_run(play, DESK, Stop())
    assert error.value.faults[0].path == "game"


def test_best_runs_of_a_random_game_apply_and_pay_what_they_say() -> None:
    """At every run of a random game the best run is legal and pays as much as is proven."""
    play = start(Setting("18GB", ((1, "Ann"), (2, "Bob"), (3, "Cy")), 4))
    runs = 0
    for _ in moves(play, 4):
        if play.running() is None:
            continue
        found = auto_run(play, DESK, Stop())
        (action,) = found.actions
        other = play.copy().apply(action)
        solution = found.answer.solution
        assert paid(other.actions()[-1]) == paid(action) == solution.revenue == solution.bound
        runs += 1
    assert runs > 10


def test_an_action_has_what_records_have() -> None:
    """Legs as lists of hexes, hexes and nodes of the stops, revenue and its text (FMT §B6.1)."""
    number, play = next(own_runs())
    (action,) = auto_run(play, DESK, Stop()).actions
    written = action.to_json()
    assert number == 29
    assert (written["type"], written["entity"]) == ("run_routes", "SWR")
    other, route = written["routes"]
    assert (other["train"], other["revenue"]) == ("2+1-0", 20)
    assert set(route) == {"train", "connections", "hexes", "nodes", "revenue", "revenue_str"}
    assert route["connections"] == [["A20", "B21"]]
    assert (route["hexes"], route["nodes"]) == (["A20", "B21"], ["A20-0", "B21-0"])
    assert (route["revenue"], route["revenue_str"]) == (30, "A20-B21")


def test_a_run_that_the_game_does_not_pay_is_never_returned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If the game takes the actions for another amount, or refuses them, nothing is answered."""
    _, play = next(own_runs())
    company = corporation("SWR")
    for played, code in (
        (RunRoutes(company), "AMOUNT_DIFFERS"),
        (RunRoutes(company, (RouteEntry("9X-0", (("A20", "B21"),)),)), "TRAIN_NOT_RUNNABLE"),
    ):
        monkeypatch.setattr("server.autorun.run_actions", lambda *_, one=played: (one,))
        with pytest.raises(UnconfirmedError) as error:
            auto_run(play, DESK, Stop())
        assert error.value.faults[0].code == code


def test_a_carriage_is_attached_before_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is told which train takes which carriage, and says what to do (FMT §B5.4);
    a game that knows of none cannot be asked to."""
    _, play = next(own_runs())
    answer = auto_run(play, DESK, Stop()).answer
    route, *others = answer.best.run.routes
    run = replace(answer.best.run, routes=(replace(route, attachment="P+"), *others))
    answer = replace(answer, best=replace(answer.best, run=run))
    with pytest.raises(NotImplementedError, match="carriages"):
        run_actions(play, answer)
    told: list[Mapping[str, str]] = []

    def as_played(run: RunRoutes, attached: Mapping[str, str]) -> tuple[Action, ...]:
        told.append(attached)
        return Choose(run.entity, "0"), run

    monkeypatch.setattr(play, "as_played", as_played)
    first, second = run_actions(play, answer)
    assert isinstance(first, Choose)
    assert isinstance(second, RunRoutes)
    assert told == [{"P+": route.train}]


def test_subsidies_stand_in_the_routes() -> None:
    """What a route itself pays into the treasury is written beside its revenue (1862); mail
    money, which belongs to the whole run, is not (1822)."""
    _, play = next(own_runs())
    answer = auto_run(play, DESK, Stop()).answer
    first, second = answer.best.verdict.routes
    lines = (Item("subsidy", "A20", 20), Item("subsidy", "B21", 20))
    changed = (replace(first, subsidy=15), replace(second, subsidy=40, items=lines))
    best = replace(answer.best, verdict=replace(answer.best.verdict, routes=changed))
    (action,) = run_actions(play, replace(answer, best=best))
    written = action.to_json()["routes"]
    assert "subsidy" not in written[0]
    assert written[1]["subsidy"] == 40


def test_a_run_says_which_stops_pay() -> None:
    """Where the director chooses, the action names the stops (1862 §10.4): each route pays what
    the answer says. Left to the referee, the choice may fall on other stops, which pay no less
    together."""
    replay = Replay(read_game(json.loads((GAMES / "1862.json").read_text("utf-8"))), audit=False)
    named = 0
    for _, action in replay.steps():
        if not isinstance(action, RunRoutes):
            continue
        found = auto_run(replay.play, DESK, Stop())
        (best,) = found.actions
        assert isinstance(best, RunRoutes)
        said = [route.revenue for route in found.answer.best.verdict.routes]
        assert amounts(replay.play, best) == said
        silent = RunRoutes(best.entity, tuple(silenced(route) for route in best.routes))
        assert sum(amounts(replay.play, silent)) == sum(said)
        named += any(route.paid for route in best.routes)
    assert named > 0


def silenced(route: RouteEntry) -> RouteEntry:
    """Return a route that leaves all to the referee."""
    return replace(route, revenue=None, revenue_str=None, paid=None)


def amounts(play: Play, run: RunRoutes) -> list[int]:
    """Return what the game pays for each route of a run, £."""
    done = play.copy().apply(run).actions()[-1]
    assert isinstance(done, RunRoutes)
    return [route.revenue or 0 for route in done.routes]


def carriage_runs() -> Iterator[tuple[Play, Action]]:
    """Yield the example game of 1822 before each choice of a train for a P+, and the choice."""
    replay = Replay(read_game(json.loads((GAMES / "1822.json").read_text("utf-8"))), audit=False)
    for _, action in replay.steps():
        if isinstance(action, Choose) and replay.play.running() is not None:
            yield replay.play, action


def test_a_carriage_that_has_been_given_away_stays_where_it_is() -> None:
    """After the choice the best run needs no other one and pays no more than what was best
    before; a wish for another train is refused (1822 §18.4)."""
    runs = 0
    for play, choice in carriage_runs():
        before = auto_run(play, DESK, Stop()).answer.solution.revenue
        after = play.copy().apply(choice)
        (taken,) = after.attached().values()
        found = auto_run(after, DESK, Stop())
        (action,) = found.actions
        assert paid(action) == found.answer.solution.revenue <= before
        other = SubmittedWishes(attach={"P+": f"not {taken}"})
        with pytest.raises(StateError) as error:
            auto_run(after, DESK, Stop(), Question(need_situation(after), wishes=other))
        assert error.value.faults[0].code == "ATTACHMENT_CHOSEN"
        assert play.attached() == {}
        runs += 1
    assert runs > 0


def best_and_paid(name: str) -> Iterator[tuple[int, int, int]]:
    """Yield at every run of a record its entry, what the best run pays when it is played, and
    what was paid."""
    replay = replay_of(name)
    for number, action in replay.steps():
        if isinstance(action, RunRoutes):
            other = replay.play.copy()
            for part in auto_run(replay.play, DESK, Stop()).actions:
                other.apply(part)
            yield number, paid(other.actions()[-1]), paid(action)


@needs_records
@pytest.mark.parametrize("name", WITH_POSITIONS)
def test_best_runs_of_records_are_the_known_optima(name: str) -> None:
    """At every run of a record the best run, played, pays the optimum of the position."""
    optima = {record.raw["action"]: record.optimum for record in positions_of(name)}
    assert {number: best for number, best, _ in best_and_paid(name)} == optima


@needs_records
@pytest.mark.parametrize("name", WITHOUT_POSITIONS)
def test_best_runs_of_other_records_are_no_worse_than_those_played(name: str) -> None:
    """The best run, played, pays at least what the director found."""
    runs = list(best_and_paid(name))
    assert runs
    assert all(best >= played for _, best, played in runs)
