"""Prices of shares that a record names (FMT §B5.1)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.notation.gamefile import Replay, read_game
from engine.play.actions import BuyShares, SellShares
from engine.play.errors import IllegalActionError, Strict, Trusting
from engine.play.game import Play

ROOT = Path(__file__).resolve().parents[3]
GAMES = ("18GB", "1822", "1862")
CODES = ("SALE_PRICE_WRONG", "SHARE_PRICE_WRONG")


def sales(title: str) -> Iterator[tuple[Play, SellShares]]:
    """Yield every sale and issue of our own game of a title, with the game just before it."""
    raw = json.loads((ROOT / "examples" / "games" / f"{title}.json").read_text("utf-8"))
    replay = Replay(read_game(raw), audit=False)
    for _, action in replay.steps():
        if isinstance(action, SellShares):
            yield replay.play.copy(), action


def worth(play: Play) -> int:
    """Return all cash of players and companies, £."""
    state = play.current
    return sum(p.cash for p in state.players.values()) + sum(
        c.cash for c in state.companies.values()
    )


@pytest.mark.parametrize("title", GAMES)
def test_a_replay_pays_the_recorded_price_of_a_share(title: str) -> None:
    """£3 more than the rules say: paid and told in a replay, refused in play; no other price
    than one that the chart could have is taken at all."""
    found = list(sales(title))
    assert found
    for play, action in found[:5]:
        plain = play.copy().apply(replace(action, share_price=None), Trusting())
        sold = plain.actions()[-1]
        assert isinstance(sold, SellShares)
        assert sold.percent is not None
        company = play.current.companies[action.shares[0].rpartition("_")[0]]
        assert company.cell is not None
        price = sold.share_price or play.kit.chart.price(company.cell)
        other = replace(action, share_price=price + 3)
        bench = Trusting()
        dearer = play.copy().apply(other, bench)
        assert worth(dearer) - worth(plain) == 3 * (sold.percent // company.unit)
        assert [fault.path for fault in bench.breaches] == ["share_price"]
        assert bench.breaches[0].code in CODES
        assert dearer.actions()[-1] == other
        with pytest.raises(IllegalActionError) as error:
            play.copy().apply(other, Strict())
        assert error.value.code == bench.breaches[0].code
        for absurd in (-1, 10**9):
            with pytest.raises(IllegalActionError):
                play.copy().apply(replace(action, share_price=absurd), Trusting())


def test_a_redemption_is_paid_at_the_recorded_price() -> None:
    """1822 §15.3: £1 less than the present price, kept in the record; not more than there is."""
    raw = json.loads((ROOT / "examples" / "games" / "1822.json").read_text("utf-8"))
    replay = Replay(read_game(raw), audit=False)
    for _, _ in replay.steps():
        play = replay.play
        if play.step() != "shares":
            continue
        offers = [offer for offer in play.legal_actions() if isinstance(offer, BuyShares)]
        if offers:
            break
    company = play.current.companies[offers[0].shares[0].rpartition("_")[0]]
    assert company.cell is not None
    cheaper = replace(offers[0], share_price=play.kit.chart.price(company.cell) - 1)
    plain = play.copy().apply(offers[0], Trusting())
    other = play.copy().apply(cheaper, Trusting())
    assert worth(other) - worth(plain) == 1
    assert other.actions()[-1] == cheaper
    dear = replace(cheaper, share_price=play.kit.chart.highest)
    assert play.kit.chart.highest * len(dear.shares) > company.cash
    with pytest.raises(IllegalActionError) as error:
        play.copy().apply(dear, Trusting())
    assert error.value.code == "CASH_SHORT"
