"""Readings of the rules of 1822 where rulebook and practice differ (1822 §22)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.routing.rules import RulesProfile


@dataclass(frozen=True)
class Profile1822(RulesProfile):
    """A reading of the rules, as far as runs go.

    Parameters
    ----------
    junction_twice
        D5: one train may cross a junction twice, in two of its legs, over four
        different sides (1822 §11.9). Both published readings allow it.
    beyond_own
        D6: the referee accepts an E train that runs on beyond its last own
        city; what lies beyond earns nothing (1822 §11.13). Older records hold
        such runs, the present site refuses them. The statement of the problem
        never asks for them.
    double_hex_frees_hexes
        D12: a route that visits a double hex may also visit two stops of any
        other hex, which in 1822MRS means two London cities (1822 §11.10, §21.6).
    """

    junction_twice: bool
    beyond_own: bool
    double_hex_frees_hexes: bool


PROFILES: dict[str, Profile1822] = {
    "18xx.games": Profile1822(
        name="18xx.games", junction_twice=True, beyond_own=False, double_hex_frees_hexes=True
    ),
    "rulebook": Profile1822(
        name="rulebook", junction_twice=True, beyond_own=False, double_hex_frees_hexes=False
    ),
}
"""Readings by name, the default first."""
