"""A title: the facts of one game, read from its folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from importlib.resources.abc import Traversable
from typing import Any, TypeVar, cast

from engine.titles.trains import TrainKind, train_kinds

T = TypeVar("T", bound="Title")

KINDS = ("map", "tiles", "trains", "phases", "corporations", "companies", "setup")
"""The kinds of files that a variant may have of its own."""


@dataclass(frozen=True, eq=False)
class Title:
    """One title: what is printed, and where its files are.

    Parameters
    ----------
    title
        ``1862``, ``1822MRS``, ``Steam Over Holland``: as game records name it.
    name
        Name on the box.
    folder
        Where the data files lie.
    variants
        By the name of each map (or other variant, chosen by option or number of
        players) the files that it has of its own, by kind; the default first.
    files
        The files of this variant, by kind; kinds that are not named have the plain file.
    extra_slots
        Tokens may stand in slots that are not printed (1822 §10.4).
    any_gauge
        Track of every gauge meets at hex sides (1844 §2.4).
    not_modelled
        What the rules of routes and revenue leave out, in sentences.
    """

    title: str
    name: str
    folder: Traversable
    variants: Mapping[str, Mapping[str, str]]
    files: Mapping[str, str] = field(default_factory=dict)
    extra_slots: bool = False
    any_gauge: bool = False
    not_modelled: tuple[str, ...] = ()

    def data(self, name: str) -> Any:
        """Return the content of a data file, for example ``trains.json``."""
        return json.loads(self.folder.joinpath(name).read_text("utf-8"))

    def has(self, name: str) -> bool:
        """Tell whether there is a data file of this name."""
        return self.folder.joinpath(name).is_file()

    def part(self, kind: str) -> Any:
        """Return the file of a kind (``trains``) that this variant has."""
        return self.data(self.files.get(kind, f"{kind}.json"))

    @property
    def map_files(self) -> Mapping[str, str]:
        """File of each map by name, the default first."""
        return {name: files.get("map", "map.json") for name, files in self.variants.items()}

    def variant(self: T, name: str) -> T:
        """Return the title with the files of a variant; itself where only the map differs.

        Raises
        ------
        KeyError
            There is no such variant.
        """
        files = self.variants[name] if name else {}
        if not any(kind in files for kind in KINDS if kind != "map"):
            return self
        return cast(T, self.kept(("variant", name), lambda: replace(self, files=files)))

    def kept(self, key: object, make: Callable[[], Any]) -> Any:
        """Return what was made of the title under this key, made at the first call."""
        known = self._kept.get(key)
        if known is None:
            known = self._kept[key] = make()
        return known

    @cached_property
    def _kept(self) -> dict[object, Any]:
        return {}

    @cached_property
    def declared(self) -> bool:
        """Tell whether the title declares its rules in ``rules.json``."""
        return self.has("rules.json")

    @cached_property
    def trains(self) -> Mapping[str, TrainKind]:
        """Kinds of trains by printed name."""
        return train_kinds(self.part("trains"))

    @cached_property
    def phases(self) -> Mapping[str, Mapping[str, Any]]:
        """Phases by name, in order (facts §6)."""
        return {raw["name"]: raw for raw in self.part("phases")["phases"]}

    @cached_property
    def corporations(self) -> Mapping[str, Mapping[str, Any]]:
        """Companies that can operate, by letters, in order (facts §8)."""
        return {raw["sym"]: raw for raw in self.part("corporations")["corporations"]}

    @cached_property
    def certificates(self) -> Mapping[str, Mapping[str, Any]]:
        """Privates, concessions and minors' certificates, by letters (facts §9)."""
        return {raw["sym"]: raw for raw in self.part("companies")["certificates"]}

    @cached_property
    def setup(self) -> Mapping[str, Any]:
        """The set-up tables (facts §10)."""
        data: Mapping[str, Any] = self.part("setup")
        return data

    def facts(self) -> dict[str, Any]:
        """Return the fields that make this title, for a class that extends it."""
        return {each.name: getattr(self, each.name) for each in fields(Title)}


def load_title(folder: Traversable) -> Title:
    """Return the title whose files lie in a folder."""
    return title_from(json.loads(folder.joinpath("title.json").read_text("utf-8")), folder)


def title_from(raw: Mapping[str, Any], folder: Traversable) -> Title:
    """Return the title of which ``title.json`` says this, with its files in a folder."""
    return Title(
        title=raw["title"],
        name=raw["name"],
        folder=folder,
        variants=raw["maps"],
        extra_slots=raw.get("extra_slots", False),
        any_gauge=raw.get("any_gauge", False),
        not_modelled=tuple(raw.get("not_modelled", ())),
    )
