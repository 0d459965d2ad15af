"""The best run of the company in turn is an action that the game takes and pays for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from engine.notation.gamefile import Replay, read_game
from engine.notation.positions import read_positions
from engine.play.actions import Action, Choose, RouteEntry, RunRoutes, corporation
from engine.play.game import Play, Setting, start
from engine.routing.run import Item
from optimizer import solve
from optimizer.stop import Stop
from server.autorun import auto_run, run_actions
from server.confirm import UnconfirmedError
from server.desk import Desk
from server.errors import NothingToRunError
from tests.engine.play.robot import moves

SHARED = Path(__file__).resolve().parents[3] / "shared"
OWN = Path(__file__).resolve().parents[1] / "data" / "games" / "18GB-two-players.json"
RECORDS = ("2p-ew", "3p", "final_train_export", "leased_train")
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


@pytest.mark.skipif(not (SHARED / "games").is_dir(), reason="the recorded games are not here")
@pytest.mark.parametrize("name", RECORDS)
def test_best_runs_of_records_are_the_known_optima(name: str) -> None:
    """At every run of a record the best run, played, pays the optimum of the position."""
    records = read_positions(SHARED / "positions" / "18GB" / f"{name}.jsonl")
    optima = {record.raw["action"]: record.optimum for record in records}
    text = (SHARED / "games" / "18GB" / f"{name}.json").read_text("utf-8")
    replay = Replay(read_game(json.loads(text)), audit=False)
    found = {}
    for number, action in replay.steps():
        if isinstance(action, RunRoutes):
            (best,) = auto_run(replay.play, DESK, Stop()).actions
            found[number] = paid(replay.play.copy().apply(best).actions()[-1])
    assert found == optima
