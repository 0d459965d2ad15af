"""The short language in which designers write the face of a tile or hex.

A text such as ``city=revenue:30,slots:2;path=a:0,b:_0;label=Y`` is read into the
fields that ``map.json`` and ``tiles.json`` have for a face, and written back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.errors import Fault

STOPS = ("city", "town", "halt", "pass", "offboard")
"""Parts that are stops; they and junctions are numbered together from 0, as they come."""

LONGEST = 4000
"""Characters of a text at most: more than any face that was ever drawn needs."""

MOST_PARTS = 100
"""Parts of a text at most."""

MOST_LANES = 10
"""Tracks side by side at most."""

_NUMBER = re.compile(r"-?\d+$")
_STOP_KEYS = frozenset(
    ("revenue", "groups", "visit_cost", "route", "loc", "hide", "format", "boom", "outline")
)
KEYS: Mapping[str, frozenset[str]] = {
    "city": _STOP_KEYS | {"slots"},
    "town": _STOP_KEYS | {"to_city", "style"},
    "halt": _STOP_KEYS | {"to_city", "style", "symbol"},
    "pass": _STOP_KEYS | {"slots", "color", "size"},
    "offboard": _STOP_KEYS | {"rows"},
    "junction": frozenset(),
    "path": frozenset(("a", "b", "terminal", "track", "lanes", "a_lane", "b_lane", "ignore")),
    "label": frozenset(),
    "future_label": frozenset(("label", "color")),
    "upgrade": frozenset(("cost", "terrain", "size", "loc")),
    "border": frozenset(("edge", "type", "cost", "color")),
    "icon": frozenset(("image", "name", "sticky", "blocks_lay", "large", "loc")),
    "stub": frozenset(("edge",)),
    "partition": frozenset(("a", "b", "type", "restrict", "length")),
    "frame": frozenset(("color", "color2")),
    "stripes": frozenset(("color", "color2")),
}
"""What each type of part may say."""

REQUIRED: Mapping[str, tuple[str, ...]] = {
    "city": ("revenue",),
    "offboard": ("revenue",),
    "halt": ("symbol",),
    "path": ("a", "b"),
    "border": ("edge",),
    "icon": ("image",),
    "stub": ("edge",),
    "future_label": ("color",),
    "partition": ("a", "b"),
}
TRACKS = ("broad", "narrow", "dual", "thin")
ROUTES = ("mandatory", "optional", "never")


@dataclass
class _Part:
    """One part of a text, with its place for messages."""

    type: str
    value: str
    keys: dict[str, str]
    path: str
    number: int = 0
    """Its place among all parts, in which n parallel paths count n (FMT §B4.8)."""


@dataclass
class _Reader:
    """Collects a face and everything that is wrong with its text."""

    path: str
    extra_word: str
    face: dict[str, Any] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    numbered: list[tuple[str, int]] = field(default_factory=list)

    def wrong(self, part: _Part, message: str) -> None:
        self.faults.append(Fault("FACE_TEXT_WRONG", part.path, f"{part.type}: {message}"))

    def number(self, part: _Part, key: str, default: int | None = None) -> int | None:
        """Return a whole number of a part; tell if it is none."""
        text = part.keys.get(key)
        if text is None:
            return default
        if _NUMBER.match(text) and len(text) < 8:
            return int(text)
        self.wrong(part, f"{key} is a whole number, not {text!r}")
        return default

    def edge(self, part: _Part, key: str) -> int | None:
        number = self.number(part, key)
        if number is not None and not 0 <= number <= 5:
            self.wrong(part, f"{key} is an edge from 0 to 5, not {number}")
            return None
        return number

    def word(self, part: _Part, key: str, known: tuple[str, ...], default: str) -> str:
        text = part.keys.get(key, default)
        if text not in known:
            self.wrong(part, f"{key} is one of {', '.join(known)}, not {text!r}")
            return default
        return text

    def add(self, key: str, item: Any) -> None:
        self.face.setdefault(key, []).append(item)


def read_face(
    text: str, path: str = "face", extra_word: str = "diesel"
) -> tuple[dict[str, Any], tuple[Fault, ...]]:
    """Read the text of a face.

    Parameters
    ----------
    text
        Parts parted by ``;``. Empty: an empty face.
    path
        Field path of the text, for faults.
    extra_word
        The word in figures by colour that stands for a kind of train; such a
        figure is told in ``by_train`` under the name ``D``.

    Returns
    -------
    face, faults
        The fields ``stops``, ``paths``, ``label`` and so on as the data files
        have them, and everything that is wrong; the fields are incomplete
        where there are faults.
    """
    reader = _Reader(path, extra_word, {"label": None, "stops": [], "paths": []})
    if len(text) > LONGEST or text.count(";") >= MOST_PARTS:
        message = f"a face has at most {LONGEST} characters and {MOST_PARTS} parts"
        return reader.face, (Fault("FACE_TEXT_TOO_LONG", path, message),)
    parts = [part for part in _parts(reader, text) if _keys_fit(reader, part)]
    count = 0
    for part in parts:
        part.number = count
        lanes = part.keys.get("lanes", "1")
        count += int(lanes) if lanes in map(str, range(1, MOST_LANES + 1)) else 1
    for part in parts:
        if part.type in (*STOPS, "junction"):
            _READERS.get(part.type, _stop)(reader, part)
    for part in parts:
        if part.type not in (*STOPS, "junction"):
            _READERS[part.type](reader, part)
    if reader.face.get("icons"):
        reader.face["icons"].sort()
    return reader.face, tuple(reader.faults)


def _parts(reader: _Reader, text: str) -> Iterator[_Part]:
    for number, written in enumerate(text.split(";")):
        if not written.strip():
            continue
        kind, _, value = written.strip().partition("=")
        part = _Part(kind, value, {}, f"{reader.path}.part[{number}]")
        if kind not in KEYS:
            reader.wrong(part, f"there is no such part; known are {', '.join(KEYS)}")
            continue
        for item in value.split(",") if value and kind != "label" else ():
            key, colon, content = item.partition(":")
            if not colon and kind in ("city", "town", "offboard") and not part.keys:
                key, content = "revenue", item
            part.keys[key.strip()] = content.strip()
        yield part


def _keys_fit(reader: _Reader, part: _Part) -> bool:
    fits = True
    for key in part.keys.keys() - KEYS[part.type]:
        reader.wrong(part, f"there is no key {key!r}")
        fits = False
    for key in REQUIRED.get(part.type, ()):
        if not part.keys.get(key):
            reader.wrong(part, f"{key} is missing")
            fits = False
    return fits


# --- stops -------------------------------------------------------------------


def _stop(reader: _Reader, part: _Part) -> None:
    stops = reader.face["stops"]
    stop: dict[str, Any] = {"stop": len(stops), "kind": part.type}
    if part.type in ("city", "pass"):
        stop["slots"] = reader.number(part, "slots", 1)
        if not 0 <= stop["slots"] <= 20:
            reader.wrong(part, f"slots are 0 to 20, not {stop['slots']}")
    stop["revenue"] = _revenue(reader, part)
    if groups := [name for name in part.keys.get("groups", "").split("|") if name]:
        stop["groups"] = groups
    cost = reader.number(part, "visit_cost", 1)
    if cost != 1:
        stop["visit_cost"] = cost
    if (route := reader.word(part, "route", ROUTES, "mandatory")) != "mandatory":
        stop["route"] = route
    if part.keys.get("hide") in ("1", "true"):
        stop["hidden_revenue"] = True
    if part.keys.get("to_city") in ("1", "true"):
        stop["to_city"] = True
    stop["part"] = part.number
    place = _place(reader, part)
    if place is not None:
        stop["draw_at"] = place
    reader.numbered.append(("stop", len(stops)))
    stops.append(stop)


def _junction(reader: _Reader, _part: _Part) -> None:
    number = reader.face.get("junctions", 0)
    reader.numbered.append(("junction", number))
    reader.face["junctions"] = number + 1


def _place(reader: _Reader, part: _Part) -> str | float | None:
    text = part.keys.get("loc")
    if text is None:
        return None
    if text == "center":
        return "centre"
    try:
        place = float(text)
    except ValueError:
        place = -1.0
    if not 0 <= place < 6 or place * 2 != int(place * 2):
        reader.wrong(part, f"loc is center or an edge, halves allowed, not {text!r}")
        return None
    return int(place) if place == int(place) else place


def _revenue(reader: _Reader, part: _Part) -> dict[str, Any]:
    """Read ``20`` or ``yellow_30|brown_60|diesel_90``."""
    text = part.keys.get("revenue", "0")
    if _NUMBER.match(text):
        return {"fixed": int(text)}
    by_colour: dict[str, int] = {}
    by_train: dict[str, int] = {}
    for item in text.split("|"):
        word, _, figure = item.rpartition("_")
        if not word or not _NUMBER.match(figure):
            reader.wrong(part, f"revenue is a number or figures by colour, not {item!r}")
            continue
        if word == reader.extra_word:
            by_train["D"] = int(figure)
        else:
            by_colour[word] = int(figure)
    revenue: dict[str, Any] = {"by_colour": by_colour}
    if by_train:
        revenue["by_train"] = by_train
    return revenue


# --- track -------------------------------------------------------------------


def _path(reader: _Reader, part: _Part) -> None:
    ends = [_end(reader, part, key) for key in ("a", "b")]
    if ends[0] is None or ends[1] is None:
        return
    path: dict[str, Any] = {"a": ends[0], "b": ends[1]}
    if (track := reader.word(part, "track", TRACKS, "broad")) != "broad":
        path["track"] = track
    if part.keys.get("terminal", "0") != "0":
        path["terminal"] = True
    if part.keys.get("ignore", "0") != "0":
        path["ignored_from_stop"] = True
    for lanes in _lanes(reader, part, ends):
        reader.add("paths", {**path, **lanes})


def _end(reader: _Reader, part: _Part, key: str) -> dict[str, int] | None:
    text = part.keys[key]
    if not text.startswith("_"):
        edge = reader.edge(part, key)
        return None if edge is None else {"edge": edge}
    number = text[1:]
    if not number.isdigit() or int(number) >= len(reader.numbered):
        reader.wrong(part, f"{key} names no stop or junction: {text!r}")
        return None
    kind, index = reader.numbered[int(number)]
    return {kind: index}


def _lanes(
    reader: _Reader, part: _Part, ends: list[dict[str, int] | None]
) -> Iterator[dict[str, Any]]:
    """Yield the lanes of each of the parallel paths that a part stands for."""
    count = reader.number(part, "lanes", 1) or 1
    if not 1 <= count <= MOST_LANES:
        reader.wrong(part, f"lanes are 1 to {MOST_LANES}, not {count}")
        return
    both = all(end is not None and "edge" in end for end in ends)
    given = {key: _lane(reader, part, f"{key}_lane") for key in ("a", "b")}
    single = {"of": 1, "lane": 0}
    for lane in range(count):
        other = count - 1 - lane if both else lane
        lanes = {
            "a": given["a"] or {"of": count, "lane": lane},
            "b": given["b"] or {"of": count, "lane": other},
        }
        yield {} if lanes == {"a": single, "b": single} else {"lanes": lanes}


def _lane(reader: _Reader, part: _Part, key: str) -> dict[str, int] | None:
    text = part.keys.get(key)
    if text is None:
        return None
    of, dot, lane = text.partition(".")
    if not dot or not of.isdigit() or not lane.isdigit() or not int(lane) < int(of) <= MOST_LANES:
        reader.wrong(part, f"{key} is number of lanes, point, lane from 0, not {text!r}")
        return None
    return {"of": int(of), "lane": int(lane)}


# --- what else is printed ------------------------------------------------------


def _label(reader: _Reader, part: _Part) -> None:
    if not part.value:
        reader.wrong(part, "the letters are missing")
    reader.face["label"] = part.value or None


def _future_label(reader: _Reader, part: _Part) -> None:
    reader.face["later_label"] = {
        "label": part.keys.get("label") or None,
        "from_colour": part.keys["color"],
    }


def _upgrade(reader: _Reader, part: _Part) -> None:
    types = [word for word in part.keys.get("terrain", "").split("|") if word]
    reader.add("terrain", {"types": types, "cost": reader.number(part, "cost", 0)})


def _border(reader: _Reader, part: _Part) -> None:
    border: dict[str, Any] = {
        "edge": reader.edge(part, "edge"),
        "type": part.keys.get("type", "divider" if "color" in part.keys else "merged"),
    }
    cost = reader.number(part, "cost")
    if cost is not None:
        border["cost"] = cost
    if "color" in part.keys:
        border["colour"] = part.keys["color"]
    reader.add("borders", border)


def _icon(reader: _Reader, part: _Part) -> None:
    image = part.keys["image"].rsplit("/", 1)[-1]
    reader.add("icons", part.keys.get("name") or image)


def _stub(reader: _Reader, part: _Part) -> None:
    edge = reader.edge(part, "edge")
    if edge is not None:
        reader.add("stubs", edge)


def _partition(reader: _Reader, part: _Part) -> None:
    corners = [reader.number(part, key) for key in ("a", "b")]
    partition: dict[str, Any] = {"from_corner": corners[0], "to_corner": corners[1]}
    partition |= {key: part.keys[key] for key in ("type", "restrict") if key in part.keys}
    reader.add("partitions", partition)


def _colours(reader: _Reader, part: _Part) -> None:
    colours = [part.keys[key] for key in ("color", "color2") if key in part.keys]
    if part.type == "stripes":
        reader.face["stripes"] = colours[0] if colours else None
    else:
        reader.face["frame"] = colours


_READERS: Mapping[str, Callable[[_Reader, _Part], None]] = {
    "junction": _junction,
    "path": _path,
    "label": _label,
    "future_label": _future_label,
    "upgrade": _upgrade,
    "border": _border,
    "icon": _icon,
    "stub": _stub,
    "partition": _partition,
    "frame": _colours,
    "stripes": _colours,
}
