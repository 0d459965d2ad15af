"""What board and cards of 18GB print about running trains, as read from the data files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.board.atlas import Atlas
from engine.routing.run import CompanyState, HexBonus
from engine.titles.title import Title
from engine.titles.trains import TrainKind

TOWN = "town"


@dataclass(frozen=True, slots=True)
class Distance:
    """What a train card says about the length of a route (18GB §11.3).

    Parameters
    ----------
    cities
        N: the most cities and off-board areas on a route.
    towns
        M of an N+M train; None for an NX train, whose route may visit any
        number of towns, none of which pays.
    """

    cities: int
    towns: int | None

    @property
    def pays_towns(self) -> bool:
        """True if towns are stops that pay (N+M trains)."""
        return self.towns is not None


def distance_of(kind: TrainKind) -> Distance:
    """Return what the card of a train says about the length of its route.

    Examples
    --------
    >>> from engine.games import load_game
    >>> trains = load_game("18GB").trains
    >>> distance_of(trains["4+2"]), distance_of(trains["5X"])
    (Distance(cities=4, towns=2), Distance(cities=5, towns=None))
    """
    cities = sum(slot.visit for slot in kind.slots if "city" in slot.kinds)
    towns = [slot for slot in kind.slots if slot.kinds == {TOWN}]
    if all(slot.pay == 0 for slot in towns):
        return Distance(cities, None)
    return Distance(cities, sum(slot.pay for slot in towns))


def compass_letters(atlas: Atlas) -> Mapping[str, frozenset[str]]:
    """Return the compass letters of the off-board hexes of a map (18GB §1.8).

    Examples
    --------
    >>> from engine.games import load_game
    >>> letters = compass_letters(load_game("18GB").atlas("2EW"))
    >>> sorted(letters["a25"]), sorted(letters["J11"])
    (['S', 'W'], ['N'])
    """
    return {
        h.id: frozenset(side[0].upper() for side in h.raw["compass"])
        for h in atlas.hexes.values()
        if "compass" in h.raw and h.face.paths
    }


def compass_pairs(atlas: Atlas, phase: str) -> tuple[tuple[str, str, int], ...]:
    """Return the pairs of letters that score, with their £ in a phase (18GB §11.8.3).

    They are printed in boxes without track, one for each pair.

    Examples
    --------
    >>> from engine.games import load_game
    >>> compass_pairs(load_game("18GB").atlas(), "4+2")
    (('N', 'S', 30), ('E', 'W', 30))
    """
    return tuple(
        (first[0].upper(), second[0].upper(), h.face.stops[0].value(phase))
        for h in atlas.hexes.values()
        if "compass" in h.raw and not h.face.paths
        for first, second in [h.raw["compass"]]
    )


def private_bonuses(title: Title) -> Mapping[str, tuple[str, int]]:
    """Return by hex the private whose closing gives a bonus there, and the £ (18GB §4).

    Examples
    --------
    >>> from engine.games import load_game
    >>> private_bonuses(load_game("18GB"))["E14"]
    ('LM', 30)
    """
    return {
        hex_id: (name, ability["amount"])
        for name, private in title.certificates.items()
        for ability in private["abilities"]
        if ability["type"] == "hex_bonus"
        for hex_id in ability["hexes"]
    }


def bonuses_that_count(company: CompanyState) -> tuple[HexBonus, ...]:
    """Return the hex bonuses of a company; one in receivership has none (18GB §11.5)."""
    return () if company.receivership else company.hex_bonuses
