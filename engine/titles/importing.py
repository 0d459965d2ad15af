"""From a folder of facts to a title folder of the project.

The folder that is read has ``facts/`` with one file for each kind (``map.json``,
``tiles.json``, ``trains.json``, ``phases.json``, ``corporations.json``,
``companies.json``, ``setup.json``), files of variants (``map_2p.json``) and, if the
title pays more than the common rules say, ``options.json``. What is written has
the same facts, ``title.json`` and ``rules.json``.

A supplement says what ``options.json`` does not say or says otherwise: see
:func:`import_title`. It is kept in the title folder as ``supplement.json``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import Fault, StateError
from engine.titles.title import KINDS
from engine.titles.translating import translate

LISTS = {
    "map": "hexes",
    "tiles": "tiles",
    "trains": "trains",
    "phases": "phases",
    "corporations": "corporations",
    "companies": "certificates",
    "setup": "",
}
"""The main list of each kind of file; it is written one item a line."""

OF_RULES = ("declared", "without", "sections")
"""Keys of a supplement that are about ``rules.json``."""

NEEDED = ("map", "tiles", "trains", "phases", "corporations")
_NAME = re.compile(rf"({'|'.join(KINDS)})(?:_(.+))?\.json")


@dataclass(frozen=True)
class Description:
    """A title as it is to be written.

    Parameters
    ----------
    files
        Text by name of file.
    faults
        Everything that is wrong with what was read, with file and place as path; then
        there are no files.
    """

    files: Mapping[str, str]
    faults: tuple[Fault, ...]


def import_title(
    source: Path,
    supplement: Mapping[str, Any] | None = None,
    check: Callable[[Any, str], Sequence[Fault]] | None = None,
) -> Description:
    """Make a title of the project's form from a folder of facts.

    Parameters
    ----------
    source
        The folder; it is only read.
    supplement
        ``declared``: options in the project's form that are added; ``without``: of the
        options of ``options.json`` those are left out that have all that one of these
        objects has; ``sections``: by ``op`` the rule that declares it; any other key goes
        into ``title.json`` (``name``, ``any_gauge``, ``not_modelled``, ...).

    check
        Says what is wrong with an option in the project's form, given its path: the
        rules that read it are above this module.

    Returns
    -------
    Description
        Files, and every fault; a description with faults is not to be written.
    """
    more = dict(supplement or {})
    faults: list[Fault] = []
    read = dict(_read_facts(source / "facts", faults))
    for kind in NEEDED:
        if f"{kind}.json" not in read:
            faults.append(Fault("FILE_MISSING", f"facts/{kind}.json", "a title has this file"))
    for name, raw in read.items():
        faults.extend(_shape_faults(name, raw))
    title = _title(read, more, faults)
    setup = read.get("setup.json")
    rules = _rules(source / "options.json", more, title, setup, faults)
    title.update({key: value for key, value in more.items() if key not in OF_RULES})
    if check is not None:
        for number, option in enumerate(rules["declared"]):
            faults.extend(check(option, f"rules.json/declared[{number}]"))
    if faults:
        return Description({}, tuple(faults))
    files = {name: _written(raw, LISTS[kind_of(name)]) for name, raw in read.items()}
    files["title.json"] = json.dumps(title, ensure_ascii=False, indent=1) + "\n"
    files["rules.json"] = _written(rules, "declared")
    return Description(files, tuple(faults))


def write_title(description: Description, folder: Path) -> None:
    """Write a title folder, in place of what has the same names.

    Raises
    ------
    StateError
        The description has faults; nothing is written.
    """
    if description.faults:
        raise StateError(description.faults)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in description.files.items():
        (folder / name).write_text(text, "utf-8")


def kind_of(name: str) -> str:
    """Return the kind of a file of facts by its name, empty if it is none."""
    match = _NAME.fullmatch(name)
    return match.group(1) if match else ""


def _read_facts(folder: Path, faults: list[Fault]) -> Iterator[tuple[str, Any]]:
    if not folder.is_dir():
        faults.append(Fault("FOLDER_MISSING", "facts", "there is no folder of facts"))
        return
    for path in sorted(folder.glob("*.json")):
        if not kind_of(path.name):
            message = f"no file of facts has this name; they begin with {', '.join(KINDS)}"
            faults.append(Fault("FILE_UNKNOWN", f"facts/{path.name}", message))
            continue
        raw = _load(path, f"facts/{path.name}", faults)
        if raw is not None:
            yield path.name, raw


def _load(path: Path, where: str, faults: list[Fault]) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except (ValueError, OSError) as error:
        faults.append(Fault("FILE_BROKEN", where, f"it cannot be read: {error}"))
        return None


def _shape_faults(name: str, raw: Any) -> Iterator[Fault]:
    main = LISTS[kind_of(name)]
    if not isinstance(raw, dict):
        yield Fault("SHAPE_WRONG", f"facts/{name}", "a file holds an object")
    elif main and not isinstance(raw.get(main), list):
        yield Fault("SHAPE_WRONG", f"facts/{name}/{main}", "this list is missing")


def _title(read: Mapping[str, Any], more: Mapping[str, Any], faults: list[Fault]) -> dict[str, Any]:
    board = read.get("map.json")
    if not isinstance(board, dict):
        board = {}
    name = more.get("title") or board.get("game")
    if not isinstance(name, str) or not name:
        faults.append(Fault("TITLE_MISSING", "facts/map.json/game", "the title is missing"))
        name = ""
    plain = board.get("map") or name
    return {"title": name, "name": name, "maps": {plain: {}, **variants_of(sorted(read))}}


def variants_of(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return by suffix the files of each variant: ``map_France.json`` takes part in France,
    and so does ``trains_France_Poland.json``."""
    by_kind: dict[str, dict[str, str]] = {}
    for name in names:
        match = _NAME.fullmatch(name)
        if match and match.group(2):
            by_kind.setdefault(match.group(1), {})[match.group(2)] = name
    maps = by_kind.get("map", {})
    suffixes = list(maps)
    for kind, found in by_kind.items():
        if kind != "map":
            suffixes += [s for s in found if not any(_within(m, s) for m in maps)]
    return {
        suffix: {
            kind: file
            for kind in KINDS
            for own, file in by_kind.get(kind, {}).items()
            if _within(suffix, own)
        }
        for suffix in dict.fromkeys(suffixes)
    }


def _within(suffix: str, whole: str) -> bool:
    return f"_{suffix}_" in f"_{whole}_"


def _rules(
    path: Path, more: Mapping[str, Any], title: dict[str, Any], setup: Any, faults: list[Fault]
) -> dict[str, Any]:
    declared: list[Any] = []
    if path.exists():
        raw = _load(path, path.name, faults)
        options = raw.get("declared") if isinstance(raw, dict) else None
        if isinstance(options, list):
            translated, facts, wrong = translate(options, setup if isinstance(setup, dict) else {})
            declared += [each for each in translated if not _left_out(each, more)]
            title.update(facts)
            faults.extend(wrong)
        elif raw is not None:
            faults.append(Fault("SHAPE_WRONG", "options.json/declared", "this list is missing"))
    declared += more.get("declared", ())
    sections = more.get("sections", {})
    for option in declared:
        if option["op"] in sections:
            option.setdefault("section", sections[option["op"]])
    return {"title": title["title"], "declared": declared}


def _left_out(option: Mapping[str, Any], more: Mapping[str, Any]) -> bool:
    return any(each.items() <= option.items() for each in more.get("without", ()))


def _written(raw: Mapping[str, Any], main: str) -> str:
    """Return the text of a file: the main list has one item a line."""
    if not main:
        return json.dumps(raw, ensure_ascii=False, indent=1) + "\n"
    head = {key: value for key, value in raw.items() if key != main}
    lines = [json.dumps(head, ensure_ascii=False, separators=(",", ":"))[:-1]]
    items = ",\n".join(
        json.dumps(item, ensure_ascii=False, separators=(",", ":")) for item in raw[main]
    )
    comma = "," if head else ""
    return f'{lines[0]}{comma}"{main}":[\n{items}\n]}}\n'
