"""The track graph as networkx sees it, and its node-link form."""

from __future__ import annotations

import json
import random

import networkx as nx

from engine.board.graph import node_link, track_graph
from engine.board.legs import find_legs
from engine.games import load_game
from engine.routing.position import load_position, make_rules
from tests.boards.g18gb import large_position
from tests.boards.g18gb_examples import great_north, hub


def test_stops_are_nodes_with_what_is_known_of_them() -> None:
    """Value in £, slots, tokens, name and groups."""
    graph = track_graph(hub().board)
    assert graph.graph == {"title": "18GB", "map": "2EW", "phase": "4+2"}
    assert graph.nodes["I14-0"] == {
        "hex": "I14",
        "kind": "city",
        "value": 10,
        "slots": 1,
        "tokens": ["LSWR"],
        "name": "York",
        "groups": [],
    }
    assert graph.nodes["G26-0"]["value"] == 50


def test_legs_are_edges_with_their_track() -> None:
    """Number, paths, sides, hexes and where a route must end."""
    board = hub().board
    graph = track_graph(board)
    legs = find_legs(board)
    assert graph.number_of_edges() == len(legs)
    for a, b, data in graph.edges(data=True):
        leg = legs[data["leg"]]
        assert {a, b} == {leg.a, leg.b}
        assert data["paths"] == [[ref.hex, ref.path] for ref in leg.paths]
        assert data["sides"] == sorted([hex_id, side] for hex_id, side, *_ in leg.sides)
        assert data["hexes"] == list(leg.hexes)
        assert data["terminal"] == []


def test_legs_found_before_are_taken() -> None:
    """The caller may pass the legs of the board instead of having them found again."""
    board = hub().board
    some = find_legs(board)[:2]
    assert track_graph(board, some).number_of_edges() == 2


def test_shortest_way_on_the_graph() -> None:
    """The graph serves networkx: from Aberdeen to London over every stop of the line."""
    graph = track_graph(great_north().board)
    way = nx.shortest_path(graph, "K0-0", "G26-0")
    assert len(way) == 10
    assert nx.has_path(graph, "K0-0", "L1-0")
    assert not nx.has_path(graph, "K0-0", "E14-0")


def test_node_link_form_goes_through_json_and_back() -> None:
    """Plain lists, strings and numbers only, and nothing lost."""
    rules = make_rules(load_game("18GB"))
    board = load_position(rules, *large_position(random.Random(5))).board
    data = json.loads(json.dumps(node_link(board)))
    back = nx.node_link_graph(data, edges="edges")
    graph = track_graph(board)
    assert back.is_multigraph()
    assert dict(back.nodes(data=True)) == dict(graph.nodes(data=True))
    assert sorted(map(str, back.edges(data=True))) == sorted(map(str, graph.edges(data=True)))
