"""From a routing problem to the best run, with a proof.

The optimizer knows :mod:`engine.routing` and :mod:`engine.board`, and no game.

Products of its matrices, which are small, take several times longer when numpy
spreads them over several threads; so one thread is asked for, which must be done
before numpy is imported. Set ``OPENBLAS_NUM_THREADS`` to have it otherwise.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from optimizer.registry import ALGORITHMS, warm_up
from optimizer.solution import Improvement, Objective, RankedRun, Solution, Status, Tie, Wishes
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
    "Tie",
    "Wishes",
    "solve",
    "warm_up",
]
