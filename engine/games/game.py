"""A game of the registry: a title with its rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from engine.board.atlas import Atlas, atlas_of
from engine.titles.title import Title

if TYPE_CHECKING:
    from engine.routing.rules import Rules, RulesProfile


@dataclass(frozen=True, eq=False)
class Game(Title):
    """A title with the rules by which it is judged and played.

    Parameters
    ----------
    package
        Where the rules are: ``engine.games.g1862``; whole games are played by its
        ``play``. ``engine.declared`` for titles that declare their rules.
    make_rules
        Builds the rules object of the game under a profile.
    profiles
        Readings of the rules by name: ``18xx.games`` (the default) and ``rulebook``.
    """

    package: str = ""
    make_rules: Callable[[Title, Any], Rules] = field(kw_only=True)
    profiles: Mapping[str, RulesProfile] = field(kw_only=True)

    @property
    def playable(self) -> bool:
        """Tell whether whole games can be played: the package has a ``play``."""
        return find_spec(f"{self.package}.play") is not None

    def atlas(self, name: str = "") -> Atlas:
        """Return the map called `name`, or the first map for the empty name.

        Raises
        ------
        KeyError
            There is no such map.
        """
        return atlas_of(self, name)
