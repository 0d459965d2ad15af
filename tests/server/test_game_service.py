"""Whole games over the wire: replayed, looked at, played on, run; and how it is refused."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from bradshaw.v1 import game_service_pb2, game_service_pb2_grpc, play_pb2, route_service_pb2

from engine.notation.gamefile import Replay, read_game
from engine.play.actions import RunRoutes
from engine.play.game import Play, restore
from optimizer import solve
from server import gamebook
from server.convert.games import plain, struct
from tests.server.doubles import StubbornSolver
from tests.server.harness import Service, eventually, failure, serving

OWN = Path(__file__).resolve().parents[1] / "data" / "games" / "18GB-two-players.json"
TEXT = OWN.read_text("utf-8")
FIRST_RUN = 29


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """A service with the optimizer."""
    with serving(solve) as running:
        yield running


@pytest.fixture(scope="module")
def games(service: Service) -> game_service_pb2_grpc.GameServiceStub:
    """A client of GameService."""
    return game_service_pb2_grpc.GameServiceStub(service.channel)


def record(**changes: Any) -> play_pb2.GameRecord:
    """Return the shipped game."""
    return play_pb2.GameRecord(**{"file": TEXT, **changes})


def changed(**changes: Any) -> play_pb2.GameRecord:
    """Return the shipped game with other top-level values."""
    return record(file=json.dumps({**json.loads(TEXT), **changes}))


def own_play(before: int | None = None) -> Play:
    """Return the shipped game just before an entry."""
    replay = Replay(read_game(json.loads(TEXT)))
    return replay.run(None if before is None else before - 1)


def test_a_replay_comes_to_the_recorded_scores(games: Any) -> None:
    """State, scores, end reason, number of actions; nothing is seen differently."""
    answer = games.ReplayGame(game_service_pb2.ReplayGameRequest(game=record()), timeout=20)
    play = own_play()
    assert answer.state.finished
    assert answer.scores_equal
    assert answer.recorded_end_reason == answer.state.end_reason == play.end_reason
    assert dict(answer.recorded_scores) == play.scores()
    assert {p.id: p.worth for p in answer.state.players} == play.scores()
    assert answer.action_count == len(play.actions())
    assert not answer.faults
    assert not answer.state.HasField("actor")


def test_other_scores_are_seen(games: Any) -> None:
    """A result that is not the one reached is not equal; without one nothing is said, nor
    for a replay that stops before the end."""
    wrong = changed(result={"1": 1, "2": 2})
    answer = games.ReplayGame(game_service_pb2.ReplayGameRequest(game=wrong), timeout=20)
    assert answer.HasField("scores_equal")
    assert not answer.scores_equal
    for game in (changed(result=None), record(before=FIRST_RUN)):
        answer = games.ReplayGame(game_service_pb2.ReplayGameRequest(game=game), timeout=20)
        assert not answer.HasField("scores_equal")


def test_what_the_rules_see_differently_is_listed(games: Any) -> None:
    """A run for which the record pays £10 too much: entry, code, field, sentence, rule."""
    content = json.loads(TEXT)
    run = next(entry for entry in content["actions"] if entry["id"] == FIRST_RUN)
    run["routes"][0]["revenue"] += 10
    game = record(file=json.dumps(content), before=FIRST_RUN + 1)
    answer = games.ReplayGame(game_service_pb2.ReplayGameRequest(game=game), timeout=20)
    (fault,) = answer.faults
    assert (fault.entry, fault.code, fault.field) == (FIRST_RUN, "REVENUE_DIFFERS", "routes")
    assert "£40" in fault.message
    assert "£30" in fault.message
    assert fault.section.startswith("18GB §")


def test_the_state_before_an_entry(games: Any, service: Service) -> None:
    """Players, companies, privates, bank, board and actor are those of the engine; with a run
    to come the position is one for RouteService."""
    request = game_service_pb2.GetStateRequest(game=record(before=FIRST_RUN))
    answer = games.GetState(request, timeout=20)
    play, state = own_play(FIRST_RUN), answer.state
    now = play.current
    assert (state.title, state.profile, state.step) == ("18GB", "18xx.games", "run")
    assert (state.actor.kind, state.actor.id) == ("corporation", "SWR")
    assert (state.round.kind, state.round.turn) == ("operating", now.turn)
    assert [(p.id, p.name, p.cash) for p in state.players] == [
        (n, now.players[n].name, now.players[n].cash) for n in now.order
    ]
    company = next(c for c in state.companies if c.corporation == "SWR")
    real = now.companies["SWR"]
    assert (company.cash, company.director, company.floated) == (real.cash, real.director, True)
    assert tuple(company.trains) == real.trains
    assert tuple(company.tokens) == real.tokens
    assert (company.par_price, company.share_price) == (90, play.kit.chart.price(real.cell))  # type: ignore[arg-type]
    idle = next(c for c in state.companies if not c.floated)
    assert not idle.HasField("share_price")
    assert not idle.HasField("director")
    held = {(p.id, h.corporation): h for p in state.players for h in p.holdings}
    assert held[2, "SWR"].shares[0] == "SWR_0"
    assert {p.id for p in state.privates} == {s for s, p in now.privates.items() if not p.closed}
    assert not state.HasField("bank")
    assert state.depot[0] == now.depot[0]
    assert [(t.hex, t.tile, t.rotation) for t in state.board.tiles] == [
        ("A20", "G41", 5),
        ("B21", "G19", 2),
    ]
    assert answer.position.board == state.board
    assert [train.id for train in answer.position.company.trains] == list(real.trains)
    asked = route_service_pb2.OptimizeRoutesRequest(position=answer.position)
    assert service.routes.OptimizeRoutes(asked, timeout=20).solution.run.revenue == 50


def test_a_snapshot_is_the_game(games: Any) -> None:
    """Restored it is the same state, and the service takes it in place of the file."""
    request = game_service_pb2.GetStateRequest(game=record(before=FIRST_RUN))
    answer = games.GetState(request, timeout=20)
    body = json.loads(answer.snapshot)
    assert restore(body).current == own_play(FIRST_RUN).current
    again = play_pb2.GameRecord(snapshot=answer.snapshot)
    other = games.GetState(game_service_pb2.GetStateRequest(game=again), timeout=20)
    assert other == answer


def test_legal_actions_are_those_of_the_engine(games: Any) -> None:
    """Page by page, with prices taken together; all of them, in order."""
    game = record(before=1)
    offers = own_play(1).legal_actions()
    found: list[dict[str, Any]] = []
    token = ""
    pages = 0
    while True:
        request = game_service_pb2.ListLegalActionsRequest(game=game, page_size=2, page_token=token)
        answer = games.ListLegalActions(request, timeout=20)
        assert len(answer.actions) <= 2
        for legal in answer.actions:
            action = plain(legal.action)
            if not legal.HasField("prices"):
                found.append(action)
                continue
            prices = legal.prices
            assert action["price"] == prices.least
            spelled = range(prices.least, prices.most + 1, prices.step)
            found += [{**action, "price": price} for price in spelled]
        pages += 1
        token = answer.next_page_token
        if not token:
            break
    assert found == [action.to_json() for action in offers]
    assert pages > 1


def test_actions_are_applied_to_a_file(games: Any) -> None:
    """The file comes back with the entries added, ready to be replayed; so does a snapshot;
    the actions have what the rules settle."""
    run = {
        "type": "run_routes",
        "entity": "SWR",
        "entity_type": "corporation",
        "routes": [{"train": "2+1-1", "connections": [["A20", "B21"]]}],
    }
    pay = {"type": "dividend", "entity": "SWR", "entity_type": "corporation", "kind": "withhold"}
    request = game_service_pb2.ApplyActionsRequest(
        game=record(before=FIRST_RUN), actions=[struct(run), struct(pay)]
    )
    answer = games.ApplyActions(request, timeout=20)
    assert plain(answer.actions[0])["routes"][0]["revenue"] == 30
    written = json.loads(answer.file)
    assert [entry["id"] for entry in written["actions"]] == list(range(1, FIRST_RUN + 2))
    assert (written["id"], written["status"]) == ("own-2", "active")
    assert "result" not in written
    replayed = Replay(read_game(written)).run()
    assert replayed.current == own_play(FIRST_RUN + 2).current
    assert restore(json.loads(answer.snapshot)).current == replayed.current
    for source in ({"file": answer.file}, {"snapshot": answer.snapshot}):
        look = game_service_pb2.GetStateRequest(game=play_pb2.GameRecord(**source))
        assert games.GetState(look, timeout=20).state == answer.state


def test_a_game_is_played_to_its_end_with_snapshots(games: Any) -> None:
    """The last actions of the shipped game lead to its scores; a snapshot has no file."""
    content = json.loads(TEXT)
    last = content["actions"][-40:]
    look = game_service_pb2.GetStateRequest(game=record(before=last[0]["id"]))
    snapshot = games.GetState(look, timeout=20).snapshot
    for entry in last:
        request = game_service_pb2.ApplyActionsRequest(
            game=play_pb2.GameRecord(snapshot=snapshot), actions=[struct(entry)]
        )
        answer = games.ApplyActions(request, timeout=20)
        assert not answer.file
        snapshot = answer.snapshot
    assert answer.state.finished
    assert {str(p.id): p.worth for p in answer.state.players} == content["result"]
    request = game_service_pb2.ApplyActionsRequest(
        game=record(before=last[0]["id"]), actions=[struct(entry) for entry in last]
    )
    written = json.loads(games.ApplyActions(request, timeout=20).file)
    assert (written["result"], written["status"]) == (content["result"], "finished")
    assert written["game_end_reason"] == content["game_end_reason"]


def test_trains_are_run(games: Any) -> None:
    """The actions of the best run, applied, pay what was promised; it is proven."""
    game = record(before=FIRST_RUN)
    answer = games.RunTrains(game_service_pb2.RunTrainsRequest(game=game), timeout=20)
    assert answer.solution.status == route_service_pb2.SOLUTION_STATUS_OPTIMAL
    assert answer.solution.run.revenue == answer.solution.bound == 50
    assert answer.position.company.corporation == "SWR"
    request = game_service_pb2.ApplyActionsRequest(game=game, actions=answer.actions)
    applied = games.ApplyActions(request, timeout=20)
    assert list(applied.actions) == list(answer.actions)
    assert sum(r["revenue"] for r in plain(applied.actions[-1])["routes"]) == 50
    restored = restore(json.loads(applied.snapshot))
    assert restored.current.round.revenue == 50  # type: ignore[attr-defined]


def test_the_example_of_the_page_works(service: Service, tmp_path: Path) -> None:
    """The best run is found, played, and written to the file."""
    page = (OWN.parents[3] / "docs" / "api.md").read_text("utf-8")
    section = page.split("\n## Whole games")[1].split("\n## ")[0]
    code = section.split("```python\n")[1].split("```")[0]
    content = json.loads(TEXT)
    content["actions"] = content["actions"][: FIRST_RUN - 1]
    path = tmp_path / "game.json"
    path.write_text(json.dumps(content), "utf-8")
    said: list[tuple[object, ...]] = []
    names = {"channel": service.channel, "print": lambda *words: said.append(words)}
    exec(code.replace('"game.json"', repr(str(path))), names)
    ((revenue, proof),) = said
    assert revenue == 50
    assert proof
    assert json.loads(path.read_text("utf-8"))["actions"][-1]["type"] == "run_routes"


def test_options_of_a_run_count(games: Any) -> None:
    """A train that is wished to stand still does; a wrong option is named by its field."""
    options = route_service_pb2.SolveOptions(
        wishes=route_service_pb2.Wishes(idle_trains=["2+1-1", "2+1-2"])
    )
    request = game_service_pb2.RunTrainsRequest(game=record(before=FIRST_RUN), options=options)
    solution = games.RunTrains(request, timeout=20).solution
    assert [account.route.train_id for account in solution.run.routes] == ["2+1-0"]
    assert solution.free_optimum.revenue == 50
    request.options.seed = -1
    failed = failure(lambda: games.RunTrains(request, timeout=20))
    assert failed.code == grpc.StatusCode.INVALID_ARGUMENT
    assert failed.fields == {"options.seed": "OUT_OF_RANGE"}


def test_nothing_to_run(games: Any) -> None:
    """FAILED_PRECONDITION with the code; the sentence says who is waited for."""
    request = game_service_pb2.RunTrainsRequest(game=record(before=1))
    failed = failure(lambda: games.RunTrains(request, timeout=20))
    assert failed.code == grpc.StatusCode.FAILED_PRECONDITION
    assert failed.reason == "NOTHING_TO_RUN"
    assert failed.forbidden == {"game": "NOTHING_TO_RUN"}
    assert "'auction' waits for player 1" in failed.message


def test_an_illegal_action_is_refused_by_rule_and_field(games: Any) -> None:
    """All or none: FAILED_PRECONDITION with code and field of the second of two actions."""
    good = json.loads(TEXT)["actions"][0]
    bad = {**json.loads(TEXT)["actions"][1], "price": 3}
    request = game_service_pb2.ApplyActionsRequest(
        game=record(before=1), actions=[struct(good), struct(bad)]
    )
    failed = failure(lambda: games.ApplyActions(request, timeout=20))
    assert failed.code == grpc.StatusCode.FAILED_PRECONDITION
    ((field, code),) = failed.forbidden.items()
    assert field == "actions[1].price"
    assert failed.reason == code
    assert not failed.fields
    look = game_service_pb2.GetStateRequest(game=record(before=1))
    assert games.GetState(look, timeout=20).state.actor.id == "1"


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"type": "dance"}, "actions[0].type", "ACTION_TYPE_UNKNOWN"),
        ({"type": 5}, "actions[0].type", "FIELD_MALFORMED"),
        ({"entity": [1]}, "actions[0].entity", "FIELD_MALFORMED"),
        ({"entity_type": None}, "actions[0].entity_type", "FIELD_MALFORMED"),
        ({"entity_type": "minor"}, "actions[0].entity_type", "ENTITY_UNKNOWN"),
        ({"price": None}, "actions[0].price", "FIELD_MISSING"),
        ({"price": "45"}, "actions[0].price", "FIELD_MALFORMED"),
        ({"price": 4.5}, "actions[0].price", "FIELD_MALFORMED"),
        ({"routes": [{"train": 1}]}, "actions[0].routes[0].train", "FIELD_MALFORMED"),
        ({"routes": [{"revenue": 10_001}]}, "actions[0].routes[0].revenue", "FIELD_MALFORMED"),
        ({"routes": [{"subsidy": -10}]}, "actions[0].routes[0].subsidy", "FIELD_MALFORMED"),
    ],
)
def test_malformed_actions_are_bad_requests(
    games: Any, change: dict[str, Any], field: str, code: str
) -> None:
    """INVALID_ARGUMENT with the field."""
    action = {**json.loads(TEXT)["actions"][0], **change}
    request = game_service_pb2.ApplyActionsRequest(game=record(before=1), actions=[struct(action)])
    failed = failure(lambda: games.ApplyActions(request, timeout=20))
    assert failed.code == grpc.StatusCode.INVALID_ARGUMENT
    assert failed.fields == {field: code}


def test_a_number_that_is_none_is_a_bad_request(games: Any) -> None:
    """Structs can hold what JSON cannot."""
    action = struct(json.loads(TEXT)["actions"][0])
    action.fields["price"].number_value = float("nan")
    request = game_service_pb2.ApplyActionsRequest(game=record(before=1), actions=[action])
    failed = failure(lambda: games.ApplyActions(request, timeout=20))
    assert failed.fields == {"actions[0]": "OUT_OF_RANGE"}


@pytest.mark.parametrize(
    ("game", "field", "code"),
    [
        (play_pb2.GameRecord(), "game.file", "REQUIRED"),
        (play_pb2.GameRecord(snapshot=""), "game.snapshot", "REQUIRED"),
        (record(file="{"), "game.file", "NOT_JSON"),
        (record(file="[" * 100_000), "game.file", "NOT_JSON"),
        (record(file="[]"), "game.file", "NOT_JSON"),
        (record(before=-1), "game.before", "OUT_OF_RANGE"),
        (record(profile="house"), "game.profile", "PROFILE_UNKNOWN"),
        (changed(title="1899"), "game.file.title", "GAME_UNKNOWN"),
        (changed(title=None), "game.file.title", "FIELD_MALFORMED"),
        (changed(players=5), "game.file.players", "FIELD_MALFORMED"),
        (changed(players=[{"id": 1}]), "game.file.players[0]", "FIELD_MALFORMED"),
        (changed(players={"1": 2}), "game.file.players.1", "FIELD_MALFORMED"),
        (changed(settings=[]), "game.file.settings", "FIELD_MALFORMED"),
        (changed(settings={"seed": "x"}), "game.file.settings.seed", "FIELD_MALFORMED"),
        (
            changed(settings={"optional_rules": ["none_such"]}),
            "game.file.settings.optional_rules[0]",
            "OPTION_UNKNOWN",
        ),
        (changed(result={"Zoe": 1}), "game.file.result", "FIELD_MALFORMED"),
        (changed(actions={}), "game.file.actions", "FIELD_MALFORMED"),
        (changed(actions=[{"type": "pass"}]), "game.file.actions[0].entity", "FIELD_MALFORMED"),
        (
            changed(actions=json.loads(TEXT)["actions"][:1] * 2),
            "game.file.actions[1].id",
            "FIELD_MALFORMED",
        ),
        (play_pb2.GameRecord(snapshot="{}"), "game.snapshot", "SNAPSHOT_MALFORMED"),
    ],
)
def test_malformed_games_are_bad_requests(
    games: Any, game: play_pb2.GameRecord, field: str, code: str
) -> None:
    """INVALID_ARGUMENT with the field of the request, down into the file."""
    request = game_service_pb2.GetStateRequest(game=game)
    failed = failure(lambda: games.GetState(request, timeout=20))
    assert failed.code == grpc.StatusCode.INVALID_ARGUMENT
    assert failed.fields.items() >= {field: code}.items()


def test_an_entry_that_does_not_fit_is_named(games: Any) -> None:
    """FAILED_PRECONDITION with the place of the entry in the file."""
    content = json.loads(TEXT)
    content["actions"][3]["entity"] = 3 - content["actions"][3]["entity"]
    request = game_service_pb2.ReplayGameRequest(game=record(file=json.dumps(content)))
    failed = failure(lambda: games.ReplayGame(request, timeout=20))
    assert failed.code == grpc.StatusCode.FAILED_PRECONDITION
    assert failed.forbidden == {"game.file.actions[3].entity": "NOT_YOUR_TURN"}
    assert failed.message.startswith("entry 4: ")


def test_a_snapshot_is_taken_as_it_was_given_only(games: Any) -> None:
    """One figure changed, or a field taken away and the digest made anew: refused. Its moment
    and profile cannot be chosen, and it cannot be replayed."""
    look = game_service_pb2.GetStateRequest(game=record(before=FIRST_RUN))
    snapshot = games.GetState(look, timeout=20).snapshot
    body = json.loads(snapshot)
    body["state"]["phase"] = "4+2"
    tampered = [json.dumps(body)]
    del body["state"]["phase"]
    plain_body = {key: body[key] for key in ("setting", "state")}
    body["digest"] = gamebook._digest(gamebook._canonical(plain_body))
    tampered.append(json.dumps(body))
    for text in tampered:
        request = game_service_pb2.GetStateRequest(game=play_pb2.GameRecord(snapshot=text))
        failed = failure(lambda request=request: games.GetState(request, timeout=20))
        assert failed.fields == {"game.snapshot": "SNAPSHOT_MALFORMED"}
    game = play_pb2.GameRecord(snapshot=snapshot, before=3, profile="rulebook")
    failed = failure(lambda: games.GetState(game_service_pb2.GetStateRequest(game=game)))
    assert failed.fields == {"game.before": "ONLY_WITH_FILE", "game.profile": "ONLY_WITH_FILE"}
    game = play_pb2.GameRecord(snapshot=snapshot)
    failed = failure(lambda: games.ReplayGame(game_service_pb2.ReplayGameRequest(game=game)))
    assert failed.fields == {"game.snapshot": "ONLY_WITH_FILE"}


def test_wrong_pages_and_lists(games: Any) -> None:
    """A token that no answer gave, a size out of range, no actions, too many actions."""
    request: Any = game_service_pb2.ListLegalActionsRequest(
        game=record(before=1), page_token="x", page_size=1001
    )
    failed = failure(lambda: games.ListLegalActions(request))
    assert failed.fields == {"page_token": "PAGE_TOKEN_UNKNOWN", "page_size": "OUT_OF_RANGE"}
    none = game_service_pb2.ApplyActionsRequest(game=record())
    assert failure(lambda: games.ApplyActions(none)).fields == {"actions": "REQUIRED"}
    many = game_service_pb2.ApplyActionsRequest(game=record(), actions=[struct({})] * 501)
    assert failure(lambda: games.ApplyActions(many)).fields == {"actions": "TOO_MANY"}


def test_every_fault_of_form_is_told_at_once(games: Any) -> None:
    """Of the game and of what is asked of it."""
    listed = game_service_pb2.ListLegalActionsRequest(page_size=-1)
    assert failure(lambda: games.ListLegalActions(listed)).fields.keys() == {"game", "page_size"}
    applied = game_service_pb2.ApplyActionsRequest()
    assert failure(lambda: games.ApplyActions(applied)).fields.keys() == {"game", "actions"}
    run = game_service_pb2.RunTrainsRequest(options=route_service_pb2.SolveOptions(seed=-1))
    assert failure(lambda: games.RunTrains(run)).fields.keys() == {"game", "options.seed"}


def test_a_page_beyond_the_last_is_none(games: Any) -> None:
    """No answer gives its token."""
    asked = game_service_pb2.ListLegalActionsRequest(game=record(), page_token="99999")
    told = failure(lambda: games.ListLegalActions(asked))
    assert told.fields == {"page_token": "PAGE_TOKEN_UNKNOWN"}


def test_a_title_that_cannot_be_played_is_unimplemented(
    games: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a stable code, however the game travels."""
    look = game_service_pb2.GetStateRequest(game=record(before=2))
    snapshot = games.GetState(look, timeout=20).snapshot
    monkeypatch.setattr("engine.games.game.find_spec", lambda _: None)
    for source in ({"file": TEXT + " "}, {"snapshot": snapshot + " "}):
        request = game_service_pb2.GetStateRequest(game=play_pb2.GameRecord(**source))
        failed = failure(lambda request=request: games.GetState(request, timeout=20))
        assert failed.code == grpc.StatusCode.UNIMPLEMENTED
        assert failed.reason == "GAME_NOT_PLAYABLE"
        assert "18GB" in failed.message


def test_the_same_game_is_replayed_once(games: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sent again, the game comes from the cache; so does what was just played, as file and
    as snapshot. What is done to it leaves the cached one as it was."""
    game = record(file=TEXT + "\n", before=1)
    first = games.GetState(game_service_pb2.GetStateRequest(game=game), timeout=20)
    action = struct(json.loads(TEXT)["actions"][0])
    request = game_service_pb2.ApplyActionsRequest(game=game, actions=[action])
    applied = games.ApplyActions(request, timeout=20)
    monkeypatch.setattr("server.gamebook.replay", None)
    monkeypatch.setattr("server.gamebook.from_snapshot", None)
    again = games.GetState(game_service_pb2.GetStateRequest(game=game), timeout=20)
    assert again == first
    for source in ({"file": applied.file}, {"snapshot": applied.snapshot}):
        look = game_service_pb2.GetStateRequest(game=play_pb2.GameRecord(**source))
        assert games.GetState(look, timeout=20).state == applied.state
    other = game_service_pb2.GetStateRequest(game=record(file=TEXT + "\n\n"))
    assert failure(lambda: games.GetState(other, timeout=20)).code == grpc.StatusCode.INTERNAL


def test_a_replay_keeps_its_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """A replay that would last longer ends with its call, and its worker is free again."""
    with serving(StubbornSolver(), workers=1) as service:
        games = game_service_pb2_grpc.GameServiceStub(service.channel)
        slow = Play.apply

        def apply(self: Play, *arguments: Any) -> Play:
            time.sleep(0.01)
            return slow(self, *arguments)

        monkeypatch.setattr(Play, "apply", apply)
        request = game_service_pb2.ReplayGameRequest(game=record())
        started = time.monotonic()
        with pytest.raises(grpc.RpcError) as error:
            games.ReplayGame(request, timeout=0.3)
        assert error.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED  # type: ignore[attr-defined]
        assert time.monotonic() - started < 0.6
        assert eventually(lambda: service.app.pool.load.busy == 0, 0.5)


def test_a_cancelled_call_stops_its_solver() -> None:
    """The solver of RunTrains ends at once; a full queue says when to try again."""
    solver = StubbornSolver()
    with serving(solver, workers=1, queue=0) as service:
        games = game_service_pb2_grpc.GameServiceStub(service.channel)
        request = game_service_pb2.RunTrainsRequest(game=record(before=FIRST_RUN))
        call = games.RunTrains.future(request)
        assert eventually(lambda: solver.running == 1)
        look = game_service_pb2.GetStateRequest(game=record(before=FIRST_RUN))
        failed = failure(lambda: games.GetState(look, timeout=5))
        assert failed.code == grpc.StatusCode.RESOURCE_EXHAUSTED
        assert failed.retry_seconds
        call.cancel()
        assert eventually(lambda: solver.ended == 1)
        assert solver.cancelled == 1
        assert eventually(lambda: service.app.pool.load.busy == 0)


def test_calls_at_the_same_time_share_an_opened_game(games: Any) -> None:
    """Eight clients apply different bids to one snapshot; each gets its own game."""
    look = game_service_pb2.GetStateRequest(game=record(before=1))
    snapshot = games.GetState(look, timeout=20).snapshot
    first = json.loads(TEXT)["actions"][0]
    found: dict[int, int] = {}

    def bid(price: int) -> None:
        request = game_service_pb2.ApplyActionsRequest(
            game=play_pb2.GameRecord(snapshot=snapshot),
            actions=[struct({**first, "price": price})],
        )
        answer = games.ApplyActions(request, timeout=20)
        leads = restore(json.loads(answer.snapshot)).current.round.leads  # type: ignore[attr-defined]
        found[price] = leads[first["company"]].price

    prices = range(first["price"], first["price"] + 40, 5)
    threads = [threading.Thread(target=bid, args=(price,)) for price in prices]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {price: price for price in prices}


def test_runs_of_the_answers_are_runs_of_the_engine(games: Any) -> None:
    """At every run of the shipped game the service's answer is the engine's best run."""
    content = json.loads(TEXT)
    numbers = [e["id"] for e in content["actions"] if e["type"] == RunRoutes.TYPE][:6]
    for number in numbers:
        request = game_service_pb2.RunTrainsRequest(game=record(before=number))
        answer = games.RunTrains(request, timeout=20)
        assert own_play(number).running() is not None
        routes = plain(answer.actions[-1])["routes"]
        assert sum(route["revenue"] for route in routes) == answer.solution.run.revenue
