"""From a description of a title, as a designer or client writes it, to complete facts.

A description may leave out what follows from the rest and may write faces in the
short language; :func:`complete_map` and its like fill in what is missing and list
every fault with its path. What is written although it follows from the rest is
recomputed and compared.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from engine.errors import Fault
from engine.titles.derive import (
    CLOSED_COLOURS,
    by_phase,
    edge_steps,
    face_edges,
    grid_place,
    homes,
    neighbours,
)
from engine.titles.language import read_face

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

Raw = Mapping[str, Any]

KINDS = ("map", "tiles", "trains", "phases", "corporations", "companies", "setup")
"""The files of a title that hold facts."""

MOST_FAULTS = 100
"""Faults that are told at most; the rest is counted."""

FIGURES_DIFFER = "FIGURES_DIFFER"
"""Code of figures by phase that are not those of the colours: some titles mean that."""


@lru_cache(maxsize=1)
def _schema() -> Any:
    return json.loads(files("engine.titles").joinpath("schema", "facts.json").read_text("utf-8"))


@lru_cache(maxsize=len(KINDS))
def _validator(kind: str) -> Validator:
    # jsonschema takes a tenth of a second to import; titles that come along are not validated
    from jsonschema import Draft202012Validator  # noqa: PLC0415

    schema = {"$ref": f"#/$defs/file_{kind}", "$defs": _schema()["$defs"]}
    return Draft202012Validator(schema)


def schema_faults(kind: str, data: Any) -> Iterator[Fault]:
    """Yield every place where the content of a file has not the form that it must have.

    Parameters
    ----------
    kind
        One of :data:`KINDS`.
    data
        The content, parsed.
    """
    for error in _validator(kind).iter_errors(data):
        where = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path)
        yield Fault("DESCRIPTION_INVALID", kind + where, short(error.message))


def short(message: str) -> str:
    """Return a message that is cut where it is too long to be read."""
    return message if len(message) <= 200 else message[:197] + "..."


def complete_phases(data: Raw) -> tuple[dict[str, Any], list[Fault]]:
    """Return the phases with what may be left out, and what is wrong with them."""
    phases = [
        {"starts_with_first": [], "flags": [], "events": [], **phase} for phase in data["phases"]
    ]
    faults = list(_twice((p["name"] for p in phases), "phases.phases", "phase"))
    return {**data, "phases": phases}, faults


def complete_trains(data: Raw) -> tuple[dict[str, Any], list[Fault]]:
    """Return the trains with what may be left out, and what is wrong with them."""
    left_out: Raw = {
        "multiplier": 1,
        "rusts_on": None,
        "obsolete_on": None,
        "count": "unlimited",
        "available_on": None,
        "events": [],
    }
    trains = [{**left_out, **train} for train in data["trains"]]
    names = [face["name"] for train in trains for face in (train, *train.get("variants", ()))]
    faults = list(_twice(names, "trains.trains", "train"))
    order = data.get("purchase_order", [train["name"] for train in trains])
    for number, name in enumerate(order):
        if name not in names:
            path = f"trains.purchase_order[{number}]"
            faults.append(Fault("TRAIN_UNKNOWN", path, f"there is no train {name!r}"))
    return {**data, "trains": trains, "purchase_order": order}, faults


def complete_companies(kind: str, data: Raw) -> tuple[dict[str, Any], list[Fault]]:
    """Return ``corporations`` or ``companies`` with what may be left out, and what is wrong."""
    key = "corporations" if kind == "corporations" else "certificates"
    left_out: Raw = (
        {"type": "company", "tokens": [], "destination": None, "abilities": [], "colour": ""}
        if kind == "corporations"
        else {"kind": "private", "value": 0, "revenue": 0, "abilities": []}
    )
    items = [{**left_out, **item} for item in data[key]]
    for item in items:
        if item.get("home"):
            item["home"] = {"stop": None, **item["home"]}
        if "homes" in item:
            item["homes"] = [{"stop": None, **home} for home in item["homes"]]
    faults = list(_twice((item["sym"] for item in items), f"{kind}.{key}", "company"))
    return {**data, key: items}, faults


def complete_tiles(data: Raw, phases: Sequence[Raw]) -> tuple[dict[str, Any], list[Fault]]:
    """Return the tiles with all fields, and what is wrong with them.

    Parameters
    ----------
    data
        Content of ``tiles.json`` that has the right form.
    phases
        Complete phases.
    """
    faults = list(_twice((tile["id"] for tile in data["tiles"]), "tiles.tiles", "tile"))
    tiles = []
    for number, raw in enumerate(data["tiles"]):
        path = f"tiles.tiles[{number}]"
        tile = {"count": "unlimited", **_face(raw, path, phases, faults)}
        _settle(tile, "edges", face_edges(tile), path, faults)
        tiles.append(tile)
    colours = list(dict.fromkeys(tile["colour"] for tile in tiles))
    return {"colour_order": colours, **data, "tiles": tiles}, faults


def complete_map(
    data: Raw, phases: Sequence[Raw], corporations: Sequence[Raw]
) -> tuple[dict[str, Any], list[Fault]]:
    """Return a map with all fields, and what is wrong with it.

    Parameters
    ----------
    data
        Content of ``map.json`` that has the right form.
    phases, corporations
        Complete ones.
    """
    faults = list(_twice((raw["id"] for raw in data["hexes"]), "map.hexes", "hex"))
    layout, closed = data["layout"], data.get("closed_unless_track_towards", CLOSED_COLOURS)
    hexes = []
    for number, raw in enumerate(data["hexes"]):
        path = f"map.hexes[{number}]"
        printed = {"name": None, "borders": [], **_face(raw, path, phases, faults)}
        printed = {"terrain": [], "tile_id": f"{raw['id']}-0", **printed}
        _settle_place(printed, data["axes"], layout, path, faults)
        hexes.append(printed)
    faults += _places_twice(hexes)
    owners = homes(hexes, corporations)
    beside = neighbours(hexes, layout, closed)
    for number, (printed, (open_sides, shut)) in enumerate(zip(hexes, beside, strict=True)):
        path = f"map.hexes[{number}]"
        _settle(printed, "neighbours", open_sides, path, faults)
        if shut or "closed_neighbours" in printed:
            _settle(printed, "closed_neighbours", shut, path, faults)
        mine = owners.get(printed["id"])
        if mine or "homes" in printed:
            _settle(printed, "homes", mine or [], path, faults, any_order=True)
    faults += _home_faults(hexes, corporations)
    head = {"map": data.get("game", ""), "closed_unless_track_towards": list(closed)}
    whole = {**head, **data, "hexes": hexes}
    _settle(whole, "edges", edge_steps(layout), "map", faults)
    return whole, faults


def _face(raw: Raw, path: str, phases: Sequence[Raw], faults: list[Fault]) -> dict[str, Any]:
    """Return a tile or hex with its face written out."""
    face = dict(raw)
    text = face.pop("face", None)
    if text is not None:
        read, wrong = read_face(text, f"{path}.face")
        faults += wrong
        for key in read.keys() & raw.keys():
            if read[key] or key in ("stops", "paths"):
                message = f"{key} stands in the text of the face as well"
                faults.append(Fault("FACE_TWICE", f"{path}.{key}", message))
        face = {**read, **face}
    face = {"label": None, "stops": [], "paths": [], **face}
    face["stops"] = [
        _stop(stop, number, f"{path}.stops[{number}]", phases, faults)
        for number, stop in enumerate(face["stops"])
    ]
    faults += _path_faults(face, path)
    return face


def _stop(
    raw: Raw, number: int, path: str, phases: Sequence[Raw], faults: list[Fault]
) -> dict[str, Any]:
    stop = {"part": number, **raw}
    _settle(stop, "stop", number, path, faults)
    if stop["kind"] in ("city", "pass"):
        stop.setdefault("slots", 1)
    revenue = dict(stop["revenue"])
    if "by_colour" in revenue:
        figures = by_phase(revenue["by_colour"], phases)
        _settle(revenue, "by_phase", figures, f"{path}.revenue", faults, code=FIGURES_DIFFER)
    elif "by_phase" in revenue:
        missing = [p["name"] for p in phases if p["name"] not in revenue["by_phase"]]
        if missing:
            message = f"there is no figure for phase {missing[0]}"
            faults.append(Fault("FIGURE_MISSING", f"{path}.revenue.by_phase", message))
    stop["revenue"] = revenue
    return stop


def _settle(
    holder: dict[str, Any],
    key: str,
    derived: Any,
    path: str,
    faults: list[Fault],
    any_order: bool = False,
    code: str = "DERIVED_DIFFERS",
) -> None:
    """Fill in a field that follows from others, or compare what is written."""
    written = holder.get(key)
    if written is None:
        holder[key] = derived
        return
    same = written == derived
    if any_order and not same:
        same = sorted(written, key=str) == sorted(derived, key=str)
    if not same:
        message = short(f"the rest says {json.dumps(derived, ensure_ascii=False)}")
        faults.append(Fault(code, f"{path}.{key}", message))


def _settle_place(
    printed: dict[str, Any], axes: Mapping[str, str], layout: str, path: str, faults: list[Fault]
) -> None:
    try:
        x, y = grid_place(printed["id"], axes)
    except ValueError as error:
        faults.append(Fault("HEX_NAME_WRONG", f"{path}.id", str(error), hex=printed["id"]))
        x, y = printed.get("x", 0), printed.get("y", 0)
    _settle(printed, "x", x, path, faults)
    _settle(printed, "y", y, path, faults)


def _twice(names: Iterable[str], path: str, what: str) -> Iterator[Fault]:
    for name, count in Counter(names).items():
        if count > 1:
            message = f"{count} of them are called {name}"
            yield Fault("NAME_TWICE", path, f"a {what} has a name of its own: {message}")


def _places_twice(hexes: Sequence[Raw]) -> Iterator[Fault]:
    first: dict[tuple[int, int], str] = {}
    for number, raw in enumerate(hexes):
        path = f"map.hexes[{number}].id"
        place = (raw["x"], raw["y"])
        other = first.setdefault(place, raw["id"])
        if other != raw["id"]:
            message = f"{raw['id']} lies where {other} lies"
            yield Fault("HEX_PLACE_TWICE", path, message, hex=raw["id"])


def _path_faults(face: Raw, path: str) -> Iterator[Fault]:
    counts = {"stop": len(face["stops"]), "junction": face.get("junctions", 0)}
    for number, track in enumerate(face["paths"]):
        for end in ("a", "b"):
            ((kind, index),) = track[end].items()
            if kind in counts and index >= counts[kind]:
                message = f"the face has no {kind} {index}"
                yield Fault("PATH_END_UNKNOWN", f"{path}.paths[{number}].{end}", message)


def _home_faults(hexes: Sequence[Raw], corporations: Sequence[Raw]) -> Iterator[Fault]:
    """Yield homes in no city. Homes off the map are those of companies that do not play on it."""
    faces = {raw["id"]: raw for raw in hexes}
    for number, company in enumerate(corporations):
        for place in company.get("homes") or [company.get("home")]:
            face = faces.get(place["hex"]) if place else None
            stop = place.get("stop") if place else None
            if face and stop is not None and stop >= max(1, len(face["stops"])):
                path = f"corporations.corporations[{number}].home"
                message = f"{place['hex']} has no stop {stop}"
                yield Fault("HOME_UNKNOWN", path, message, hex=place["hex"])
