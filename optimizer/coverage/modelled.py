"""What CP-SAT has done for a proof; the model itself is imported only when it is solved."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf


@dataclass
class Modelled:
    """What CP-SAT did.

    Attributes
    ----------
    bound
        No run in the groups exceeds it, in units.
    rounds
        Number of models solved.
    cuts
        Number of meeting cuts stated.
    """

    bound: float = inf
    rounds: int = 0
    cuts: int = 0
