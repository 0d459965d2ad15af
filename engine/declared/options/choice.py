"""Which stops of a route pay."""

from __future__ import annotations

from dataclasses import dataclass

from engine.declared.options.common import Option, Selector


@dataclass(frozen=True, kw_only=True)
class CompulsoryFirst(Option):
    """Stops of the kinds of the paying slot are paid first; what is left of its allowance
    goes to the best of the others (1867 §3)."""


@dataclass(frozen=True, kw_only=True)
class Candidates(Option):
    """Only some visited stops can pay: those that fit one of `of_any` (18NY §3.2), or as many
    as pay of the greatest value, an own one among them, with those of `add_if_all` if
    all of these are visited (1880 §3.5).

    Parameters
    ----------
    own_token
        ``paying``, or ``visited`` is enough.
    """

    of_any: tuple[Selector, ...] = ()
    by_value: bool = False
    add_if_all: tuple[Selector, ...] = ()
    own_token: str = "paying"


@dataclass(frozen=True, kw_only=True)
class BestOfChosen(Option):
    """Of all cities and off-boards and the best `towns` towns visited the best pay, as many
    as the first slot says; bonuses look at all of these (18CZ §3.2)."""

    towns: int = 3


@dataclass(frozen=True, kw_only=True)
class TownIfSlotLeft(Option):
    """Stops of these `kinds` are paid only while fewer others are visited than the
    paying slot has (1852 §3.2)."""

    kinds: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class VisitedOnly(Option):
    """Only stops that fit `of` count as visited, an end fits `end`; the best stop of `end`
    and the best own city pay (1848 §2.2)."""

    of: tuple[Selector, ...]
    end: Selector
