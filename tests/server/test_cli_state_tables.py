"""The table of a game as ``replay`` writes it for people."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from server.cli import main
from server.exit_codes import OK

ROOT = Path(__file__).resolve().parents[2]
GAMES = {
    "1822": ROOT / "tests" / "data" / "games" / "1822-four-players.json",
    "1862": ROOT / "examples" / "games" / "1862.json",
    "18GB": ROOT / "examples" / "games" / "18GB.json",
}


def shown(title: str, before: int, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """Return what ``replay`` writes of a game of our own just before an entry."""
    assert main(["replay", str(GAMES[title]), "--at", str(before), *options]) == OK
    return capsys.readouterr().out


def test_players(capsys: pytest.CaptureFixture[str]) -> None:
    """Certificates and their limit, who is first, debts, who has passed; certificates last."""
    first = "Player 1         £525    worth £525      0/20 certificates, first\n"
    assert first in shown("1822", 100, capsys)
    out = shown("1862", 317, capsys)
    assert "  6/13 certificates, owes £109, passed; FDR 60 %, " in out


def test_bids(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each card: what it is, the least bid, who leads, who takes part."""
    lines = shown("1822", 100, capsys).splitlines()
    leads = "Player 3 leads with £175; also Player 1, Player 2, Player 4"
    assert f"  M22    minor of 22        at least £180   {leads}" in lines
    assert "  M15    minor of 15        at least £100" in lines
    assert "Up for bids:" not in shown("18GB", 603, capsys)


def test_companies(capsys: pytest.CaptureFixture[str]) -> None:
    """What their trains show, and what is special about each."""
    major = "2P-0, 3-8, 4-1, 3-4; 2 exchange tokens; linked with I22\n"
    assert major in shown("1822", 690, capsys)
    permit = "A-6 (2E*), B-0 (2/3E), B-1 (2/3E); permits: express\n"
    assert permit in shown("1862", 143, capsys)
    assert "no trains; not floated, else a fine of £450; " in shown("1862", 60, capsys)
    assert "no trains; insolvent, leases 5+2-2\n" in shown("18GB", 603, capsys)


def test_privates_and_trains(capsys: pytest.CaptureFixture[str]) -> None:
    """Who has a card and what lies on it; trains in the bank with prices, and discarded ones."""
    out = shown("1822", 690, capsys)
    assert "P2 (10), P6 (LNWR), " in out
    assert "P16 (Player 3, LNWR 10 %), " in out
    begin = "\nBank: £9900; trains: 22 × L £60 or 2 £120; 9 × 3 £200; "
    assert begin in shown("1822", 100, capsys)
    assert "; trains: 4 × 3F or 3L or 3E £280; " in shown("1862", 317, capsys)
    assert "\nBank: unlimited; trains: 1 × 5+2 £500; " in shown("18GB", 603, capsys)
    assert "\nDiscarded trains: " in shown("1822", 755, capsys)


def test_json_has_all_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Bids, limits, supplies."""
    state = json.loads(shown("1822", 100, capsys, "--json"))["state"]
    lot = next(lot for lot in state["lots"] if lot["id"] == "M22")
    assert (lot["lead"], lot["bidders"]) == ({"player": 3, "price": 175}, [1, 2, 3, 4])
    assert (state["certificate_limit"], state["phase"]["name"]) == (20, "1")
    assert all("tile" in left for left in state["tile_supply"])
