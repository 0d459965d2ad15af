"""The face of a tile or hex as a text of the short language; the other way of :mod:`.language`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def write_face(face: Mapping[str, Any]) -> str:
    """Return the text of a face.

    :func:`engine.titles.language.read_face` reads it back as the same fields, but for the
    numbers of parts where a face has stops behind other parts.

    Parameters
    ----------
    face
        A hex or tile of the data files.
    """
    return ";".join(_parts(face))


def _part(kind: str, pairs: Mapping[str, Any]) -> str:
    said = [f"{key}:{value}" for key, value in pairs.items() if value is not None]
    return f"{kind}={','.join(said)}" if said else kind


def _parts(face: Mapping[str, Any]) -> Iterator[str]:
    for stop in face.get("stops", ()):
        yield _stop(stop)
    junctions = face.get("junctions", 0)
    yield from ["junction"] * junctions
    for path in face.get("paths", ()):
        yield _path(path, len(face.get("stops", ())))
    if face.get("label"):
        yield f"label={face['label']}"
    if later := face.get("later_label"):
        yield _part("future_label", {"label": later["label"], "color": later["from_colour"]})
    for terrain in face.get("terrain", ()):
        pairs = {"cost": terrain["cost"], "terrain": "|".join(terrain["types"]) or None}
        yield _part("upgrade", pairs)
    for border in face.get("borders", ()):
        kind = border["type"] if border["type"] != "merged" else None
        pairs = {"edge": border["edge"], "type": kind}
        yield _part("border", pairs | {"cost": border.get("cost"), "color": border.get("colour")})
    for icon in face.get("icons", ()):
        yield _part("icon", {"image": icon})
    for edge in face.get("stubs", ()):
        yield _part("stub", {"edge": edge})
    for line in face.get("partitions", ()):
        pairs = {"a": line["from_corner"], "b": line["to_corner"]}
        yield _part("partition", pairs | {k: line.get(k) for k in ("type", "restrict")})
    if frame := face.get("frame"):
        pairs = {"color": frame[0], "color2": frame[1] if len(frame) > 1 else None}
        yield _part("frame", pairs)
    if stripes := face.get("stripes"):
        yield _part("stripes", {"color": stripes})


def _stop(stop: Mapping[str, Any]) -> str:
    place = stop.get("draw_at")
    return _part(
        stop["kind"],
        {
            "revenue": _revenue(stop["revenue"]),
            "slots": stop["slots"] if stop.get("slots", 1) != 1 else None,
            "groups": "|".join(stop.get("groups", ())) or None,
            "visit_cost": stop.get("visit_cost"),
            "route": stop.get("route"),
            "to_city": 1 if stop.get("to_city") else None,
            "hide": 1 if stop.get("hidden_revenue") else None,
            "symbol": stop["kind"] if stop["kind"] == "halt" else None,
            "loc": "center" if place == "centre" else place,
        },
    )


def _revenue(revenue: Mapping[str, Any]) -> str:
    if "fixed" in revenue:
        return str(revenue["fixed"])
    figures = [f"{colour}_{amount}" for colour, amount in revenue["by_colour"].items()]
    figures += [f"diesel_{amount}" for amount in revenue.get("by_train", {}).values()]
    return "|".join(figures)


def _path(path: Mapping[str, Any], stops: int) -> str:
    lanes: Mapping[str, Any] = path.get("lanes", {})
    given = {
        f"{key}_lane": f"{lane['of']}.{lane['lane']}"
        for key, lane in lanes.items()
        if lane != {"of": 1, "lane": 0}
    }
    return _part(
        "path",
        {
            "a": _end(path["a"], stops),
            "b": _end(path["b"], stops),
            "terminal": 1 if path.get("terminal") else None,
            "track": path.get("track"),
            "ignore": 1 if path.get("ignored_from_stop") else None,
            **given,
        },
    )


def _end(end: Mapping[str, int], stops: int) -> str:
    if "edge" in end:
        return str(end["edge"])
    return f"_{end['stop']}" if "stop" in end else f"_{stops + end['junction']}"
