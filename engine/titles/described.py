"""Titles made of a description: the parsed files of a title folder, held in memory.

A description may leave out what follows from the rest and may write faces in the
short language (:mod:`engine.titles.describe`). It comes from a client or a
folder, so that nothing of it is trusted: what is too large is refused before it is
looked at, and every fault is listed with its path.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any

from engine.errors import Fault, StateError
from engine.titles.describe import (
    FIGURES_DIFFER,
    MOST_FAULTS,
    complete_companies,
    complete_map,
    complete_phases,
    complete_tiles,
    complete_trains,
    schema_faults,
    short,
)
from engine.titles.importing import kind_of, variants_of
from engine.titles.memory import MemoryFolder
from engine.titles.title import KINDS, Title, title_from

Raw = Mapping[str, Any]
Check = Callable[[Any, str], Sequence[Fault]]

NEEDED = ("map", "trains", "phases", "corporations")
"""The facts that every description has."""

EMPTY: Mapping[str, Raw] = {
    "tiles.json": {"tiles": []},
    "companies.json": {"certificates": []},
    "setup.json": {"options": [], "constants": {}},
    "rules.json": {"declared": []},
}
"""What a description says that lacks these files."""

BESIDE = ("title.json", "rules.json", "supplement.json")
"""Files that are no facts. What the import was told is not read again."""

NOTES = (FIGURES_DIFFER, "FIRST_TRAIN_UNKNOWN")
"""Codes of what may be meant, and refuses nothing."""

MOST_FILES = 100
MOST_VALUES = 80_000
"""Values of all files, lists, objects and keys counted; twice the most that is known."""
MOST_DEPTH = 20
MOST_TEXT = 4000
"""Characters of a text or key."""
MOST_CHARACTERS = 500_000
"""Characters of all texts and keys; six times the most that is known."""
MOST_NUMBER = 1_000_000_000_000
MOST_STOPS = 400
"""Stops that a map has printed: four times the most known."""
MOST_OPTIONS = 300
MOST_FACES = 20_000
"""Hexes and tiles of all variants together, those of a file once for each use of it."""


@dataclass
class Completed:
    """A description with all that follows from it.

    Parameters
    ----------
    files
        The complete files by name; incomplete where there are faults.
    faults
        Everything that is wrong.
    notes
        What may be meant: figures by phase that are not those of the colours, trains that
        start a phase under another name.
    """

    files: dict[str, Any]
    faults: list[Fault] = field(default_factory=list)
    notes: list[Fault] = field(default_factory=list)


def described_title(
    files: Raw, *, name: str = "", check: Check | None = None
) -> tuple[Title | None, tuple[Fault, ...]]:
    """Return the title that a description makes.

    Parameters
    ----------
    files
        Content, parsed, by name of file: ``map.json``, ``trains.json``, ``phases.json``,
        ``corporations.json``; if needed ``title.json``, ``tiles.json``, ``companies.json``,
        ``setup.json``, ``rules.json`` and files of variants.
    name
        What positions call the title; what ``title.json`` or ``map.json`` say if empty.
    check
        Says what is wrong with a declared option, given its path: the rules that read
        it are above this module.

    Returns
    -------
    title, faults
        None if there are faults; no more than :data:`~engine.titles.describe.MOST_FAULTS`
        are told, and how many more there are.
    """
    whole = completed(files, check)
    if whole.faults:
        told = tuple(whole.faults[:MOST_FAULTS])
        more = len(whole.faults) - len(told)
        if more:
            told += (Fault("FAULTS_MORE", "", f"{more} more faults are not told"),)
        return None, told
    raw = whole.files["title.json"]
    title = title_from(raw, MemoryFolder(raw["title"], whole.files))
    return (replace(title, title=name) if name else title), ()


def content_name(files: Raw) -> str:
    """Return a name made of the content of a description: ``sha256:`` and 32 hex digits.

    The order of keys does not matter, that of lists does.

    Raises
    ------
    StateError
        The description is too large to be looked at.
    """
    if faults := list(size_faults(files)):
        raise StateError(faults)
    text = json.dumps(files, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return f"sha256:{hashlib.sha256(text.encode('ascii')).hexdigest()[:32]}"


def size_faults(files: Raw) -> Iterator[Fault]:
    """Yield what is larger, deeper or longer than any title; cheap whatever comes."""
    if len(files) > MOST_FILES:
        yield Fault("TITLE_TOO_LARGE", "", f"a title has at most {MOST_FILES} files")
        return
    left, letters = MOST_VALUES, MOST_CHARACTERS
    for name, content in files.items():
        waiting: list[tuple[Any, int]] = [(content, 0)]
        while waiting:
            value, depth = waiting.pop()
            left -= 1
            letters -= len(value) if isinstance(value, str) else 0
            inner = _inner(value)
            wrong = _too_much(value, depth)
            if left < len(inner):
                wrong = f"a title has at most {MOST_VALUES} values"
            elif letters < 0:
                wrong = f"a title has at most {MOST_CHARACTERS} characters"
            if wrong:
                yield Fault("TITLE_TOO_LARGE", short(str(name)), wrong)
                return
            waiting.extend((each, depth + 1) for each in inner)


def _inner(value: Any) -> Sequence[Any]:
    if isinstance(value, dict):
        return [*value, *value.values()] if len(value) <= MOST_VALUES else [None] * len(value)
    return value if isinstance(value, list) else ()


def _too_much(value: Any, depth: int) -> str:
    if depth > MOST_DEPTH:
        return f"values lie at most {MOST_DEPTH} deep in a file"
    if isinstance(value, str) and len(value) > MOST_TEXT:
        return f"a text has at most {MOST_TEXT} characters"
    # no number that is none and no infinite one is within the limit
    if isinstance(value, int | float) and not abs(value) <= MOST_NUMBER:
        return f"a number is at most {MOST_NUMBER}"
    return ""


def completed(files: Raw, check: Check | None = None) -> Completed:
    """Return a description with all that follows from it, and everything that is wrong.

    Parameters
    ----------
    files, check
        As for :func:`described_title`.
    """
    if too_large := list(size_faults(files)):
        return Completed({}, too_large)
    done = Completed({**EMPTY, **{name: raw for name, raw in files.items() if name in BESIDE}})
    facts = {**{n: raw for n, raw in EMPTY.items() if n not in BESIDE}, **files}
    for name in files:
        if name not in BESIDE and not kind_of(name):
            message = f"no file of a title has this name; they begin with {', '.join(KINDS)}"
            done.faults.append(Fault("FILE_UNKNOWN", name, message))
    facts = {name: raw for name, raw in facts.items() if kind_of(name)}
    good = {name for name, raw in facts.items() if _fits(kind_of(name), name, raw, done)}
    _add_title(files.get("title.json"), facts, good, done)
    _check_options(done, check)
    done.files |= {name: facts[name] for name in good}
    steps = list(_steps(_variants(done.files["title.json"], facts, done), good))
    if sum(_faces(facts[step.name]) for step in steps) > MOST_FACES:
        message = f"all variants together have at most {MOST_FACES} hexes and tiles"
        done.faults.append(Fault("TITLE_TOO_LARGE", "title.maps", message))
        steps = []
    for step in steps:
        _complete(step, done)
    done.faults = _tidy(done.faults)
    done.notes = _tidy(done.notes)
    return done


def _faces(raw: Raw) -> int:
    return len(raw.get("hexes", raw.get("tiles", ())))


def _tidy(faults: Sequence[Fault]) -> list[Fault]:
    return [replace(each, message=short(each.message)) for each in dict.fromkeys(faults)]


def _fits(kind: str, name: str, raw: Any, done: Completed) -> bool:
    """Tell whether a file has the form of its kind; list what is wrong."""
    found = list(islice(schema_faults(kind, raw), MOST_FAULTS))
    done.faults += [_named(fault, {kind: name}) for fault in found]
    return not found


def _named(fault: Fault, files: Mapping[str, str]) -> Fault:
    """Name the file of a variant in the path of a fault: ``map_2p.hexes[3]``."""
    end = next((n for n, sign in enumerate(fault.path) if sign in ".["), len(fault.path))
    kind = fault.path[:end]
    stem = files.get(kind, kind).removesuffix(".json")
    return replace(fault, path=stem + fault.path[end:])


def _add_title(raw: Any, facts: Raw, good: set[str], done: Completed) -> None:
    """Add ``title.json``, made up from the facts where it is not there."""
    board = facts["map.json"] if "map.json" in good else {}
    game = board.get("game") or "described"
    left_out = {"title": game, "name": (raw or {}).get("title", game)} if _is_object(raw) else {}
    maps = {board.get("map") or game: {}, **variants_of(sorted(facts))}
    if raw is not None and not _fits("title", "title.json", raw, done):
        raw, left_out = None, {"title": game, "name": game}
    done.files["title.json"] = {**left_out, "maps": maps, **(raw or {})}


def _is_object(raw: Any) -> bool:
    return raw is None or isinstance(raw, dict)


def _check_options(done: Completed, check: Check | None) -> None:
    rules = done.files["rules.json"]
    options = rules.get("declared") if isinstance(rules, dict) else None
    if not isinstance(options, list):
        done.faults.append(Fault("SHAPE_WRONG", "rules.json/declared", "this list is missing"))
    elif len(options) > MOST_OPTIONS:
        message = f"a title declares at most {MOST_OPTIONS} options"
        done.faults.append(Fault("TITLE_TOO_LARGE", "rules.json/declared", message))
    elif check is not None:
        for number, option in enumerate(options):
            done.faults += check(option, f"rules.json/declared[{number}]")


def _variants(raw: Raw, facts: Raw, done: Completed) -> list[dict[str, str]]:
    """Return the files of each variant by kind; list files that are not there."""
    found = []
    for variant, own in raw["maps"].items():
        files = {kind: own.get(kind, f"{kind}.json") for kind in KINDS}
        found.append(files)
        for kind, name in list(files.items()):
            path = f"title.maps.{variant}.{kind}" if kind in own else name
            if name not in facts:
                done.faults.append(Fault("FILE_MISSING", path, f"there is no file {name}"))
            elif kind_of(name) != kind:
                message = f"{name} is no file of {kind}"
                done.faults.append(Fault("FILE_UNKNOWN", path, message))
                files[kind] = f"{kind}.json"
    return found


@dataclass(frozen=True)
class _Step:
    """One file to be completed, with the files that it needs for that."""

    kind: str
    name: str
    phases: str = ""
    corporations: str = ""
    trains: str = ""


def _steps(variants: Sequence[Mapping[str, str]], good: set[str]) -> Iterator[_Step]:
    """Yield every file that fits its form with the files of each variant that has it."""
    plain = {kind: f"{kind}.json" for kind in KINDS}
    taken = {name for files in variants for name in files.values()}
    alone = [{**plain, kind_of(name): name} for name in good - taken]
    found = []
    for files in [*variants, *alone]:
        phases, corporations = files["phases"], files["corporations"]
        found += [_Step("phases", phases, trains=files["trains"])]
        found += [_Step(kind, files[kind]) for kind in ("trains", "corporations", "companies")]
        found += [_Step("tiles", files["tiles"], phases)]
        found += [_Step("map", files["map"], phases, corporations)]
    for step in dict.fromkeys(found):
        needed = {step.name, step.phases or step.name, step.corporations or step.name}
        if needed <= good:
            yield step


def _complete(step: _Step, done: Completed) -> None:
    """Complete one file; list what is wrong with it."""
    raw = done.files[step.name]
    phases = done.files.get(step.phases, {}).get("phases", ())
    corporations = done.files.get(step.corporations, {}).get("corporations", ())
    makers: Mapping[str, Callable[[Raw], tuple[dict[str, Any], list[Fault]]]] = {
        "phases": complete_phases,
        "trains": complete_trains,
        "corporations": partial(complete_companies, "corporations"),
        "companies": partial(complete_companies, "companies"),
        "tiles": partial(complete_tiles, phases=phases),
        "map": partial(complete_map, phases=phases, corporations=corporations),
    }
    whole, faults = makers[step.kind](raw)
    if step.kind == "map":
        faults += _map_faults(whole)
    if step.kind == "phases":
        faults += _phase_faults(whole, done.files.get(step.trains))
    names = {step.kind: step.name, "corporations": step.corporations or step.name}
    for fault in faults:
        told = done.notes if fault.code in NOTES else done.faults
        told.append(_named(fault, names))
    done.files[step.name] = whole


def _map_faults(board: Raw) -> Iterator[Fault]:
    stops = sum(len(raw["stops"]) for raw in board["hexes"])
    if stops > MOST_STOPS:
        message = f"a map has at most {MOST_STOPS} stops, not {stops}"
        yield Fault("TITLE_TOO_LARGE", "map.hexes", message)


def _phase_faults(data: Raw, trains: Raw | None) -> Iterator[Fault]:
    """Yield trains that start a phase and are not there."""
    if trains is None:
        return
    known = {face["name"] for raw in trains["trains"] for face in (raw, *raw.get("variants", ()))}
    for number, phase in enumerate(data["phases"]):
        for name in phase["starts_with_first"]:
            if name not in known:
                path = f"phases.phases[{number}].starts_with_first"
                yield Fault("FIRST_TRAIN_UNKNOWN", path, f"there is no train {name!r}")
