"""Bonuses for one stop are part of what the stop pays, where that is the same."""

from __future__ import annotations

from dataclasses import replace

from engine.declared.statement import with_stops_raised
from engine.routing.vocabulary import Bonus, Has, Of, Pay, Reach, TrainClass

EVERY = frozenset({0, 1, 2})
PAY = Pay((10, 20, 30), (), bonuses=(Bonus((Has(Of.PAID, frozenset({1})),), 20),))


def _raised(pay: Pay) -> Pay:
    return with_stops_raised(
        TrainClass("D", ("D-0",), Reach(EVERY, EVERY, EVERY, EVERY, ()), pay, "track")
    ).pay


def test_a_bonus_for_one_stop_goes_into_its_amount() -> None:
    """It is paid whenever the stop is."""
    assert _raised(PAY) == replace(PAY, stops=(10, 40, 30), bonuses=())


def test_a_bonus_that_needs_more_stays() -> None:
    """Two stops asked for, one of two, and a stop that pays once with another."""
    two = Bonus((Has(Of.PAID, frozenset({0, 1}), least=2),), 20)
    either = Bonus((Has(Of.PAID, frozenset({0, 1})),), 20)
    at_end = Bonus((Has(Of.ENDS, frozenset({1})),), 20)
    for bonus in (two, either, at_end):
        pay = replace(PAY, bonuses=(bonus,))
        assert _raised(pay) == pay
    shared = replace(PAY, once=(frozenset({1, 2}),))
    assert _raised(shared) == shared
