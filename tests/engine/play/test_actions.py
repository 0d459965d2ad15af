"""Actions as records write them, and lists of what may be done."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.play.actions import (
    ACTIONS,
    Bid,
    BuyShares,
    BuyTrain,
    CharterBid,
    LayTile,
    Pass,
    RouteEntry,
    RunRoutes,
    action_from,
    corporation,
    player,
)
from engine.play.errors import IllegalActionError
from engine.play.offers import Offers, Priced

SAMPLES: dict[str, dict[str, Any]] = {
    "pass": {},
    "bid": {"company": "LM", "price": 45},
    "par": {"corporation": "MR", "share_price": "90,0,7"},
    "buy_shares": {"shares": ["MR_1"], "percent": 20},
    "sell_shares": {"shares": ["MR_1", "MR_0"], "percent": 60, "share_price": 45},
    "lay_tile": {"hex": "H19", "tile": "G39-0", "rotation": 0, "combo_entities": ["P2", "P8"]},
    "place_token": {"city": "G41-0-0", "slot": 0},
    "remove_token": {"city": "6-5-0", "slot": 1},
    "run_routes": {
        "routes": [
            {
                "train": "2+1-0",
                "connections": [["H21", "H19"]],
                "hexes": ["H21", "H19"],
                "revenue": 30,
                "revenue_str": "H21-H19",
                "nodes": ["H21-0", "H19-0"],
                "subsidy": 20,
            },
            {"train": "2+1-1", "connections": [["local", "H19"]], "hexes": []},
        ]
    },
    "dividend": {"kind": "payout"},
    "buy_train": {"train": "A-0", "price": 100, "variant": "2E*", "exchange": "L-4"},
    "discard_train": {"train": "2+1-0"},
    "convert": {},
    "merge": {"corporation": "N&E"},
    "hex_token": {"hex": "I22", "token_type": "destination"},
    "acquire_company": {"company": "P7"},
    "payoff_player_debt": {},
    "payoff_player_debt_partial": {"amount": 20},
    "choose": {"choice": "convert_MR"},
    "choose_ability": {"choice": "close"},
    "end_game": {},
}


@pytest.mark.parametrize("kind", ACTIONS)
def test_actions_are_read_and_written_alike(kind: str) -> None:
    """Every type, with the fields of FMT §B5; what is not needed is ignored."""
    raw = {"type": kind, "entity": "MR", "entity_type": "corporation", **SAMPLES[kind]}
    action = action_from({**raw, "id": 7, "created_at": 1, "user": None, "whatever": [1]})
    assert action.to_json() == raw
    assert action_from(action.to_json()) == action


def test_a_bid_names_a_private_or_a_company() -> None:
    """The fields of a bid tell what it is for; a choice is a word or a number (FMT §B5)."""
    head = {"entity": 1, "entity_type": "player"}
    raw = {"type": "bid", "corporation": "N&E", "price": 5, **head}
    assert action_from(raw) == CharterBid(player(1), "N&E", 5)
    assert action_from(raw).to_json() == raw
    choice = {"type": "choose", "choice": 4, **head}
    assert action_from(choice).to_json() == choice


def test_null_and_false_stand_for_nothing() -> None:
    """Share prices of the records are missing, null or false; rotation 0 is a rotation."""
    raw = {"type": "buy_shares", "entity": 1, "entity_type": "player", "shares": ["MR_1"]}
    expected = BuyShares(player(1), ("MR_1",), 20)
    for nothing in (None, False):
        assert action_from({**raw, "percent": 20, "share_price": nothing}) == expected
    lay = LayTile(corporation("MR"), "H19", "G39-0", 0)
    assert action_from(lay.to_json()) == lay


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"type": "dance"}, "ACTION_TYPE_UNKNOWN", "type"),
        ({"type": None}, "ACTION_TYPE_UNKNOWN", "type"),
        ({"entity_type": "minor"}, "ENTITY_UNKNOWN", "entity_type"),
        ({"price": None}, "FIELD_MISSING", "price"),
        ({"price": "45"}, "FIELD_MALFORMED", "price"),
        ({"price": True}, "FIELD_MALFORMED", "price"),
        ({"company": 3}, "FIELD_MALFORMED", "company"),
        ({"type": "choose", "choice": [1]}, "FIELD_MALFORMED", "choice"),
        ({"type": "buy_shares", "shares": "MR_1"}, "FIELD_MALFORMED", "shares"),
        ({"type": "buy_shares", "shares": [1]}, "FIELD_MALFORMED", "shares"),
        ({"type": "run_routes", "routes": [{}]}, "FIELD_MISSING", "routes[0]"),
        ({"type": "run_routes", "routes": 5}, "FIELD_MALFORMED", "routes"),
        (
            {"type": "run_routes", "routes": [{"train": "2+1-0", "connections": 1}]},
            "FIELD_MALFORMED",
            "routes[0]",
        ),
    ],
)
def test_malformed_actions_are_refused_by_field(
    change: dict[str, Any], code: str, field: str
) -> None:
    """Code and field say what is wrong with an action that cannot be read."""
    raw = {"type": "bid", "entity": 1, "entity_type": "player", "company": "LM", "price": 45}
    with pytest.raises(IllegalActionError) as error:
        action_from({**raw, **change})
    assert (error.value.fault.code, error.value.fault.path) == (code, field)


prices = st.builds(range, st.integers(1, 20), st.integers(1, 60), st.integers(1, 5))


@given(st.lists(prices | st.none(), max_size=6))
def test_offers_are_the_list_of_their_actions(drawn: list[range | None]) -> None:
    """Length, order, indexing, slices and membership agree with the list spelled out."""
    offers: list[Any] = []
    for number, span in enumerate(drawn):
        if span is None:
            offers.append(Pass(player(number)))
        elif span:
            offers.append(Priced(Bid(player(number), "LM", span[0]), span))
    lazy = Offers(offers)
    spelled = list(lazy)
    assert len(lazy) == len(spelled)
    assert [lazy[n] for n in range(-len(spelled), len(spelled))] == spelled + spelled
    assert list(lazy[1:4]) == spelled[1:4]
    assert all(action in lazy for action in spelled)
    assert Bid(player(99), "LM", 5) not in lazy
    assert BuyTrain(corporation("MR"), "2+1-0", 80) not in lazy
    assert "pass" not in lazy
    with pytest.raises(IndexError):
        lazy[len(spelled)]


def test_a_route_without_amount_leaves_it_to_the_referee() -> None:
    """Amounts and texts that are not known are not written."""
    entry = RouteEntry("2+1-0", (("H21", "H19"),), ("H21", "H19"))
    written = RunRoutes(corporation("MR"), (entry,)).to_json()["routes"][0]
    assert set(written) == {"train", "connections", "hexes"}


def test_a_route_may_say_which_stops_pay() -> None:
    """`paid` is written and read, an empty choice too; anything but a list of names is refused
    (1862 §10.4)."""
    for paid in (("F11-0", "E8-0"), ()):
        entry = RouteEntry("B-3", (("E8", "F11"),), ("E8", "F11"), paid=paid)
        written = RunRoutes(corporation("Y&N"), (entry,)).to_json()
        assert written["routes"][0]["paid"] == list(paid)
        assert action_from(written) == RunRoutes(corporation("Y&N"), (entry,))
    for paid in (0, "", 7, "F11-0", ["F11-0", 1], {"F11-0": 1}):
        written["routes"][0]["paid"] = paid
        with pytest.raises(IllegalActionError) as error:
            action_from(written)
        assert error.value.fault.code == "FIELD_MALFORMED"
