"""From games to messages that describe them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bradshaw.v1 import game_pb2, route_service_pb2

from engine.board.atlas import Atlas, Hex, TileKind
from engine.board.faces import Face, FaceStop
from engine.errors import UnknownGameError
from engine.games import known_titles, load_game
from engine.games.game import Game
from engine.routing.rules import RulesProfile
from engine.titles.recorded import recorded_runs
from engine.titles.trains import TrainKind
from server.convert.boards import path_message
from server.convert.companies import limited, slot_message
from server.convert.reading import Reading
from server.errors import NotFoundError
from server.profiles import differences, plain
from server.titles import find_game

COLLECTION = "games/"
MOST_PAGE = 100


def game_list(request: route_service_pb2.ListGamesRequest) -> route_service_pb2.ListGamesResponse:
    """Return a page of the games in a few words each.

    Raises
    ------
    RequestError
        The size or the token of the page is not one.
    """
    reading = Reading()
    size = reading.choice(request.page_size, "page_size", MOST_PAGE, MOST_PAGE)
    titles = list(known_titles())
    start = 0
    if request.page_token:
        if request.page_token in titles:
            start = titles.index(request.page_token)
        else:
            reading.fault("PAGE_TOKEN_UNKNOWN", "page_token", "no answer gave this token")
    reading.end()
    rest = titles[start + size : start + size + 1]
    return route_service_pb2.ListGamesResponse(
        games=[game_summary(load_game(title)) for title in titles[start : start + size]],
        next_page_token=rest[0] if rest else "",
    )


def game_named(request: route_service_pb2.GetGameRequest) -> route_service_pb2.GetGameResponse:
    """Return all facts of a game.

    Raises
    ------
    RequestError
        The name is missing or not of the form ``games/{title}``.
    NotFoundError
        There is no such game.
    TitleNotHeldError
        The title was described by a client and is not held.
    """
    reading = Reading()
    name = reading.text(request.name, "name")
    if name and not name.startswith(COLLECTION):
        reading.fault("NAME_MALFORMED", "name", f"a name is {COLLECTION}TITLE, not {name!r}")
    reading.end()
    try:
        game = find_game(name.removeprefix(COLLECTION))
    except UnknownGameError as error:
        raise NotFoundError(str(error)) from error
    return route_service_pb2.GetGameResponse(game=game_message(game))


def game_message(game: Game) -> game_pb2.Game:
    """Return all facts of a game as a message."""
    atlases = [game.atlas(name) for name in game.map_files]
    return game_pb2.Game(
        name=COLLECTION + game.title,
        title=game.title,
        display_name=game.name,
        maps=[_map(game, atlas) for atlas in atlases],
        tiles=[_tile(game, tile) for tile in atlases[0].tiles.values()],
        trains=[_train(kind) for kind in game.trains.values()],
        phases=[_phase(raw) for raw in game.phases.values()],
        corporations=[_corporation(raw) for raw in game.corporations.values()],
        profiles=[_profile(profile) for profile in game.profiles.values()],
        extra_slots=game.extra_slots,
        market=[_cell(raw) for raw in _market(game)],
        certificates=[_certificate(raw) for raw in game.certificates.values()],
        summary=game_summary(game),
        declared_rules=json.dumps(game.data("rules.json")) if game.declared else "",
    )


def _market(game: Game) -> Sequence[Mapping[str, Any]]:
    """The cells of the chart; titles without whole games need not have one."""
    if not game.has("market.json"):
        return ()
    cells: Sequence[Mapping[str, Any]] = game.data("market.json")["cells"]
    return cells


def game_summary(game: Game) -> game_pb2.GameSummary:
    """Return what ListGames says of a game."""
    return game_pb2.GameSummary(
        name=COLLECTION + game.title,
        title=game.title,
        display_name=game.name,
        maps=game.map_files,
        profiles=game.profiles,
        whole_games=game.playable,
        hex_counts=hex_counts(game),
        not_modelled=game.not_modelled,
        recorded=_recorded(game.title),
    )


def hex_counts(game: Game) -> Sequence[int]:
    """Return the number of hexes of each map of a game, counted in its files once."""

    def count() -> Sequence[int]:
        return [len(game.data(file)["hexes"]) for file in game.map_files.values()]

    counts: Sequence[int] = game.kept("hex counts", count)
    return counts


def _recorded(title: str) -> game_pb2.RecordedRuns | None:
    """How recorded positions came out, for titles that come with the project."""
    found = recorded_runs().get(title)
    if found is None:
        return None
    return game_pb2.RecordedRuns(
        positions=found.positions, priced_right=found.priced_right, proven=found.proven
    )


def _map(game: Game, atlas: Atlas) -> game_pb2.GameMap:
    colours = dict(_flat("", atlas.colours))
    hexes = [_hex(game, atlas, hex_) for hex_ in atlas.hexes.values()]
    return game_pb2.GameMap(name=atlas.name, hexes=hexes, colours=colours, layout=atlas.layout)


def _flat(prefix: str, colours: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name, value in colours.items():
        if isinstance(value, Mapping):
            found.extend(_flat(f"{prefix}{name}.", value))
        else:
            found.append((prefix + name, value))
    return found


def _hex(game: Game, atlas: Atlas, hex_: Hex) -> game_pb2.Hex:
    raw = hex_.raw
    message = game_pb2.Hex(
        id=hex_.id,
        x=hex_.point[0],
        y=hex_.point[1],
        colour=raw["colour"],
        place=hex_.name or "",
        face=_face(game, hex_.face),
        neighbours=hex_.neighbours,
        may_carry=sorted(atlas.may_carry(hex_.id)),
        destination_of=raw.get("destination_of", ()),
        compass=raw.get("compass", ()),
    )
    for tile, rotations in raw.get("allowed_rotations", {}).items():
        message.allowed_rotations.add(tile=tile, rotations=rotations)
    for terrain in raw.get("terrain") or ():
        message.terrain.add(types=terrain["types"], cost=terrain["cost"])
    for border in raw.get("borders", ()):
        message.borders.add(side=border["edge"], type=border["type"], cost=border.get("cost") or 0)
    for home in raw.get("homes", ()):
        message.homes.add(corporation=home["corporation"], stop=home["stop"])
    for line in raw.get("partitions", ()):
        message.partitions.add(from_corner=line["from_corner"], to_corner=line["to_corner"])
    return message


def _face(game: Game, face: Face) -> game_pb2.Face:
    return game_pb2.Face(
        stops=[_stop(game, stop) for stop in face.stops],
        junctions=face.junctions,
        paths=[path_message(path) for path in face.paths],
        label=face.label or "",
        bonuses=[
            game_pb2.PathBonus(path=path, name=name, amount=amount)
            for path, (name, amount) in face.bonuses.items()
        ],
    )


def _stop(game: Game, stop: FaceStop) -> game_pb2.FaceStop:
    return game_pb2.FaceStop(
        part=stop.part,
        kind=stop.kind,
        slots=stop.slots,
        revenue_by_phase={
            phase: stop.value(phase)
            for phase in game.phases
            if None in stop.revenue or phase in stop.revenue
        },
        groups=stop.groups,
        visit_cost=stop.visit_cost,
        draw_at=None if isinstance(stop.draw_at, str) else stop.draw_at,
    )


def _tile(game: Game, tile: TileKind) -> game_pb2.Tile:
    return game_pb2.Tile(
        id=tile.id,
        colour=tile.colour,
        count=limited(tile.count),
        pool=tile.pool,
        rotations=tile.rotations,
        face=_face(game, tile.faces[0]),
        upgrades_to=tile.raw.get("upgrades_to", ()),
    )


def _train(kind: TrainKind) -> game_pb2.TrainKind:
    return game_pb2.TrainKind(
        name=kind.name,
        card=kind.card,
        measure=kind.measure,
        reach=kind.reach if kind.measure in ("stops", "hexes") else 0,
        slots=map(slot_message, kind.slots),
        kind=kind.kind,
        multiplier=kind.multiplier,
        per_hex_bonus=kind.per_hex_bonus,
        carriage=kind.carriage,
        track=kind.track,
        local=kind.local,
        needs_token=kind.needs_token,
        touched=kind.touched,
    )


def _phase(raw: Mapping[str, Any]) -> game_pb2.Phase:
    return game_pb2.Phase(
        name=raw["name"],
        tiles=raw["tiles"],
        starts_with_first=raw["starts_with_first"],
        operating_rounds=raw.get("operating_rounds") or 0,
    )


def _corporation(raw: Mapping[str, Any]) -> game_pb2.Corporation:
    home, destination = raw.get("home"), raw.get("destination")
    message = game_pb2.Corporation(
        id=raw["sym"],
        display_name=raw["name"],
        type=raw["type"],
        destination_hex=destination["hex"] if destination else "",
        colour=raw.get("colour") or "",
        text_colour=raw.get("text_colour") or "",
    )
    if home:
        message.home.CopyFrom(game_pb2.HomeSpace(hex=home["hex"], stop=home["stop"]))
    return message


def _cell(raw: Mapping[str, Any]) -> game_pb2.MarketCell:
    return game_pb2.MarketCell(
        row=raw["row"], column=raw["col"], price=raw["price"], types=raw["types"]
    )


def _certificate(raw: Mapping[str, Any]) -> game_pb2.Certificate:
    return game_pb2.Certificate(
        id=raw["sym"],
        display_name=raw["name"],
        kind=raw["kind"],
        value=raw["value"],
        revenue=raw["revenue"],
        colour=raw.get("colour") or "",
        text_colour=raw.get("text_colour") or "",
    )


def _profile(profile: RulesProfile) -> game_pb2.ProfileInfo:
    return game_pb2.ProfileInfo(
        name=profile.name,
        differences=[
            game_pb2.Difference(name=name, type=_type_name(value), value=json.dumps(plain(value)))
            for name, value in differences(profile)
        ],
    )


def _type_name(value: Any) -> str:
    shown = plain(value)
    return type(shown).__name__
