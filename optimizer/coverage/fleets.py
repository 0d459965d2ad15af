"""What smaller fleets can pay at most: the price bound with some trains left out.

At the prices of a plan each group adds to the bound what its best column adds,
once for each copy. A fleet that has less trains has less of these, so the bound
for it needs no solve. A train that adds more than the bound exceeds the best run
is in every best run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import floor

import numpy as np

from optimizer.coverage.columns import Group
from optimizer.coverage.node import Node
from optimizer.coverage.statement import Statement


@dataclass(frozen=True, slots=True)
class _Share:
    """What a group adds to the bound: by class the trains of one copy, the copies, the best."""

    needs: tuple[tuple[int, int], ...]
    copies: int
    best: float

    def most(self, trains: Sequence[int]) -> float:
        """Return what the group adds with so many trains of each class."""
        able = min(trains[cls] // count for cls, count in self.needs)
        return min(able, self.copies) * self.best


class FleetBounds:
    """Bounds for fleets of some of the trains of a solve.

    Parameters
    ----------
    statement
        The problem.
    plans
        Of each plan the node without columns, at its prices, and all groups. All runs of
        the problem belong to one of the plans, and so do those of smaller fleets.
    """

    def __init__(self, statement: Statement, plans: Sequence[tuple[Node, Sequence[Group]]]) -> None:
        self.unit = statement.unit
        self.plans: list[tuple[float, list[_Share]]] = []
        for root, groups in plans:
            shares = []
            for group in groups:
                best = float(root.scores(group).max(initial=-np.inf))
                needs = Counter(statement.parts[part].cls for part in group.source.parts)
                if best > 0:
                    shares.append(_Share(tuple(needs.items()), group.copies, best))
            self.plans.append((root.rest, shares))

    def __call__(self, trains: Sequence[int]) -> int:
        """Return what no run with so many trains of each class exceeds."""
        most = max(
            (rest + sum(share.most(trains) for share in shares) for rest, shares in self.plans),
            default=0.0,
        )
        return max(0, floor(most)) * self.unit
