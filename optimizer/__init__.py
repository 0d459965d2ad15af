"""From a routing problem to the best run, with a proof.

The optimizer knows :mod:`engine.routing` and :mod:`engine.board`, and no game.
"""

from optimizer.registry import ALGORITHMS, warm_up
from optimizer.solution import Improvement, Objective, RankedRun, Solution, Status, Wishes
from optimizer.solve import solve
from optimizer.stop import Stop

__all__ = [
    "ALGORITHMS",
    "Improvement",
    "Objective",
    "RankedRun",
    "Solution",
    "Status",
    "Stop",
    "Wishes",
    "solve",
    "warm_up",
]
