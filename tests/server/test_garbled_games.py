"""Game files and actions garbled at random are refused with faults; nothing else ever happens."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from engine.errors import BradshawError
from optimizer.stop import Stop
from server.convert.games import applied_message, look_message
from server.convert.statuses import status_of
from server.errors import RequestError
from server.gamebook import Gamebook, Source, replay

OWN = Path(__file__).resolve().parents[1] / "data" / "games" / "18GB-two-players.json"
CONTENT = json.loads(OWN.read_text("utf-8"))
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 7, 10**9, 10**15, 1.5, float("nan")),
    *("", "x", "SWR", "LNWR_1", "G41-0", "A20", "0", "1,2,3", "-", "a-b-c", "²"),
    *([], ["x"], [1], {}, {"a": 1}),
)


def garble(rng: random.Random, content: Any) -> None:
    """Change, remove or add a value somewhere."""
    places: list[tuple[Any, Any]] = []

    def walk(value: Any) -> None:
        keys = value if isinstance(value, dict) else range(len(value))
        for key in keys:
            places.append((value, key))
            if isinstance(value[key], dict | list):
                walk(value[key])

    walk(content)
    holder, key = rng.choice(places)
    draw = rng.random()
    if draw < 0.15 and isinstance(holder, dict):
        del holder[key]
    elif draw < 0.2 and isinstance(holder, dict):
        holder[rng.choice(["price", "routes", "shares", "percent"])] = rng.choice(VALUES)
    else:
        holder[key] = copy.deepcopy(rng.choice(VALUES))


def refusal(error: BradshawError) -> str:
    """Return how a refusal ends; AssertionError if it does not say what is wrong and where."""
    status = status_of(error)
    assert status.code in (3, 9)
    assert error.faults
    assert all(fault.code and fault.path and fault.message for fault in error.faults)
    return "refused"


@pytest.mark.parametrize("seed", range(4))
def test_garbled_files(seed: int) -> None:
    """Replayed and shown, or refused with code and field."""
    rng = random.Random(seed)
    ends = []
    for _ in range(60):
        content = copy.deepcopy({**CONTENT, "actions": CONTENT["actions"][:40]})
        garble(rng, content if rng.random() < 0.5 else rng.choice(content["actions"]))
        try:
            look_message(replay(Source(json.dumps(content)), Stop()))
            ends.append("ok")
        except BradshawError as error:
            ends.append(refusal(error))
    assert set(ends) == {"ok", "refused"}


@pytest.mark.parametrize("text", ["\ud800", "x\udc00y", "\udc00\ud800"])
def test_half_a_character(text: str) -> None:
    """JSON can write what no message can send; two halves that fit are a character."""
    for content in ({**CONTENT, "id": text}, {**CONTENT, text: 1}):
        with pytest.raises(RequestError) as error:
            replay(Source(json.dumps(content)), Stop())
        assert [(f.code, f.path) for f in error.value.faults] == [("NOT_JSON", "game.file")]
    whole = json.dumps({**CONTENT, "id": "\U0001f682", "actions": []})
    assert "\\ud" in whole
    assert replay(Source(whole), Stop()).count == 0


@pytest.mark.parametrize("seed", range(4))
def test_garbled_actions(seed: int) -> None:
    """At any moment: taken by the game, or refused with code and field."""
    rng = random.Random(seed)
    book = Gamebook()
    ends = []
    for entry in rng.sample(CONTENT["actions"], 12):
        opened = book.open(Source(OWN.read_text("utf-8"), before=entry["id"]), Stop())
        offers = opened.play.legal_actions()
        for _ in range(12):
            offer = offers[rng.randrange(len(offers))]
            action = copy.deepcopy(entry) if rng.random() < 0.5 else offer.to_json()
            if rng.random() < 0.8:
                garble(rng, action)
            try:
                applied_message(*book.apply(opened, [action], Stop()))
                ends.append("ok")
            except BradshawError as error:
                ends.append(refusal(error))
    assert set(ends) == {"ok", "refused"}
