"""Positions of 1862 made by hand, and routes written as lists of stops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from engine.board.legs import find_legs
from engine.board.state import BoardState, TileLay, TokenPlacement
from engine.games import load_game
from engine.games.g1862.rules import PROFILES, Profile1862, Rules1862
from engine.routing.position import load_position
from engine.routing.run import CompanyState, Position, Route, Run, Train, Verdict

TYPES = ("freight", "local", "express")


@dataclass(frozen=True)
class Table:
    """A position under one reading of the rules."""

    rules: Rules1862
    position: Position

    def judge(self, *routes: Route) -> Verdict:
        """Return the verdict on a run."""
        return self.rules.judge(self.position, Run(routes))

    def codes(self, *routes: Route) -> list[str]:
        """Return the codes of the faults of a run."""
        return [fault.code for fault in self.judge(*routes).faults]

    def route(self, train: str, stops: str, paid: Sequence[str] | None = None) -> Route:
        """Return the route over some stops; ``D9`` stands for ``D9-0``."""
        names = [name if "-" in name else f"{name}-0" for name in stops.split()]
        ways: dict[tuple[str, str], Any] = {}
        for leg in find_legs(self.position.board):
            ways.setdefault((leg.a, leg.b), leg.paths)
            ways.setdefault((leg.b, leg.a), leg.paths[::-1])
        legs = tuple(ways[pair] for pair in pairwise(names))
        return Route(train, tuple(names), legs, None if paid is None else tuple(paid))

    def under(self, profile: str | Profile1862) -> Table:
        """Return the same position under another reading."""
        if isinstance(profile, str):
            known = PROFILES[profile]
            assert isinstance(known, Profile1862)
            profile = known
        return Table(Rules1862(self.position.title, profile), self.position)

    def but(self, **fields: Any) -> Table:
        """Return the same position under a reading that differs in some fields."""
        return self.under(replace(self.rules.profile, name="other", **fields))


def table(
    company: str,
    phase: str,
    tiles: Mapping[str, tuple[str, int]],
    tokens: str,
    trains: Sequence[str],
    permits: Sequence[str] = TYPES,
    profile: str = "18xx.games",
) -> Table:
    """Return a position made by hand.

    Parameters
    ----------
    tiles
        By hex: tile and rotation.
    tokens
        ``D9 H5 E12:EUR``: hexes with own markers, and others' after a colon;
        ``London`` for a link.
    trains
        Printed names; their ids are the names, repeated ones with ``'``.
    """
    placed: list[TokenPlacement] = []
    for word in tokens.split():
        hex_id, _, owner = word.replace("London", "D15").partition(":")
        slot = sum(token.hex == hex_id for token in placed)
        placed.append(TokenPlacement(hex_id, 0, slot, owner or company))
    ids: list[str] = []
    for name in trains:
        ids.append(name + "'" * sum(other.rstrip("'") == name for other in ids))
    lays = tuple(TileLay(hex_id, tile, turn) for hex_id, (tile, turn) in tiles.items())
    board = BoardState("1862", phase, lays, tuple(placed))
    owned = tuple(Train(i, name) for i, name in zip(ids, trains, strict=True))
    rules = Rules1862(load_game("1862"), PROFILES[profile])
    state = CompanyState(company, owned, permits=tuple(permits))
    return Table(rules, load_position(rules, board, state))


STAR = {
    "D9": ("793", 4),
    "C10": ("6", 2),
    "B9": ("790", 1),
    "E10": ("8851", 2),
    "E12": ("794", 0),
    "E8": ("57", 1),
    "F7": ("57", 1),
    "G6": ("8852", 1),
    "H5": ("792", 1),
}
"""From D9 (Y, £50) three ways: to the West at A10, to E12 (N, £80), to H5 (Y, £50)."""

LINE = {"D11": ("14", 0), "D13": ("57", 0)}
"""D11 (£30), D13 (£20) and London's entry D15 on one line."""

EAST = {
    "B5": ("6", 0),
    "B7": ("57", 0),
    "B9": ("790", 2),
    "C10": ("57", 2),
    "D11": ("611", 5),
    "D13": ("619", 0),
    "E12": ("794", 0),
    "E14": ("8851", 3),
    "F11": ("791", 1),
    "F13": ("793", 5),
    "G12": ("57", 2),
}
"""The Midlands (A4) to Denmark (H13) over D11 £40, D13 £30, E12 £80, F11 £60, G12 £20;
Holland (F15, G14) by F13 £50; London at D15 from D13 and from E14; a triangle D11, D13, E12."""
