"""A game of the registry: its data files and its rules object."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from engine.board.atlas import Atlas, TileKind, atlas_from, tiles_from
from engine.routing.trains import TrainKind, train_kinds

if TYPE_CHECKING:
    from engine.routing.rules import Rules, RulesProfile


@dataclass(frozen=True)
class Game:
    """One title.

    Parameters
    ----------
    title
        ``1862``, ``1822``, ``1822MRS``, ``1822NRS``, ``18GB``.
    name
        Name on the box.
    folder
        Package that holds the data, for example ``engine.games.g1862``.
    map_files
        File of each map by name, the default first.
    make_rules
        Builds the rules object of the game under a profile.
    profiles
        Readings of the rules by name: ``18xx.games`` (the default) and ``rulebook``.
    extra_slots
        Tokens may stand in slots that are not printed (1822 §10.4).
    """

    title: str
    name: str
    folder: str
    map_files: Mapping[str, str]
    make_rules: Callable[[Game, RulesProfile], Rules]
    profiles: Mapping[str, RulesProfile]
    extra_slots: bool = False
    _atlases: dict[str, Atlas] = field(default_factory=dict, repr=False, compare=False)

    def data(self, name: str) -> Any:
        """Return the content of a data file, for example ``trains.json``."""
        path = files(self.folder).joinpath("data", self.title, name)
        return json.loads(path.read_text("utf-8"))

    @cached_property
    def tiles(self) -> Mapping[str, TileKind]:
        """Tiles by id, the same for all maps."""
        return tiles_from(self.data("tiles.json"))

    @property
    def atlases(self) -> Mapping[str, Atlas]:
        """All maps by name, with the tiles."""
        return {name: self.atlas(name) for name in self.map_files}

    def atlas(self, name: str = "") -> Atlas:
        """Return the map called `name`, or the first map for the empty name; read only once.

        Raises
        ------
        KeyError
            There is no such map.
        """
        name = name or next(iter(self.map_files))
        found = self._atlases.get(name)
        if found is None:
            made = atlas_from(self.data(self.map_files[name]), self.tiles)
            found = self._atlases.setdefault(name, made)  # another thread may have been faster
        return found

    @cached_property
    def trains(self) -> Mapping[str, TrainKind]:
        """Kinds of trains by printed name."""
        return train_kinds(self.data("trains.json"))

    @cached_property
    def phases(self) -> Mapping[str, Mapping[str, Any]]:
        """Phases by name, in order (facts §6)."""
        return {raw["name"]: raw for raw in self.data("phases.json")["phases"]}

    @cached_property
    def corporations(self) -> Mapping[str, Mapping[str, Any]]:
        """Companies that can operate, by letters, in order (facts §8)."""
        return {raw["sym"]: raw for raw in self.data("corporations.json")["corporations"]}

    @cached_property
    def certificates(self) -> Mapping[str, Mapping[str, Any]]:
        """Privates, concessions and minors' certificates, by letters (facts §9)."""
        return {raw["sym"]: raw for raw in self.data("companies.json")["certificates"]}

    @cached_property
    def setup(self) -> Mapping[str, Any]:
        """The set-up tables (facts §10)."""
        data: Mapping[str, Any] = self.data("setup.json")
        return data
