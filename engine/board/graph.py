"""The track graph: stops and legs as a networkx MultiGraph."""

from __future__ import annotations

from typing import Any

import networkx as nx

from engine.board.board import Board
from engine.board.legs import Leg, find_legs


def track_graph(board: Board, legs: tuple[Leg, ...] | None = None) -> nx.MultiGraph:
    """Return stops as nodes and legs as edges.

    Node attributes: ``hex``, ``kind``, ``value`` (£), ``slots``, ``tokens``
    (company ids), ``name``, ``groups``. Edge attributes: ``leg`` (its number),
    ``paths`` (lists of hex and path number), ``sides`` (lists of hex and side),
    ``hexes`` and ``terminal`` (stop ids where a route over the leg must end).

    Examples
    --------
    >>> from engine.board.build import build_board
    >>> from engine.board.state import BoardState, TileLay
    >>> from engine.games import load_game
    >>> lays = (TileLay("D11", "57", 0), TileLay("D13", "57", 0))
    >>> board = build_board(load_game("1862"), BoardState("1862", "A", lays))
    >>> sorted(track_graph(board).edges("D13-0", keys=False))
    [('D13-0', 'D11-0'), ('D13-0', 'D15-0')]
    """
    graph = nx.MultiGraph(title=board.state.title, map=board.atlas.name, phase=board.state.phase)
    for stop in board.stops.values():
        graph.add_node(
            stop.id,
            hex=stop.hex,
            kind=stop.kind,
            value=stop.value,
            slots=stop.slots,
            tokens=[token.corporation for token in stop.tokens],
            name=stop.name,
            groups=list(stop.groups),
        )
    for number, leg in enumerate(find_legs(board) if legs is None else legs):
        graph.add_edge(
            leg.a,
            leg.b,
            leg=number,
            paths=[[ref.hex, ref.path] for ref in leg.paths],
            sides=sorted([item[0], item[1]] for item in leg.sides),
            hexes=list(leg.hexes),
            terminal=[s for s, t in ((leg.a, leg.terminal_a), (leg.b, leg.terminal_b)) if t],
        )
    return graph


def node_link(board: Board) -> dict[str, Any]:
    """Return the track graph in node-link form, ready for ``json.dumps``."""
    data: dict[str, Any] = nx.node_link_data(track_graph(board), edges="edges")
    return data
