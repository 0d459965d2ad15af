"""The star bound: what a run can pay at most if overlaps with one column count.

As in :mod:`optimizer.coverage.meeting`, the prices of what columns share along a
tree may be taken off, whether or not its edges meet. Here the tree is a star
around a column of one group, for each group in turn. That is weaker where routes
hardly meet and stronger where all meet anyway, and takes few passes.
"""

from __future__ import annotations

import numpy as np

from optimizer.coverage.arrays import Floats, row_blocks
from optimizer.coverage.meeting import Links, Marginals


def star_bounds(links: Links) -> Marginals:
    """Bound every column of the groups by the stars around each group."""
    stars = _Stars(links)
    for center in range(stars.count):
        stars.around(center)
    rest = links.node.rest
    top = max(float(column.max(initial=-np.inf)) for column in stars.columns)
    return Marginals(
        top + rest,
        tuple(column + rest for column in stars.columns),
        tuple(value + rest for value in stars.without),
    )


class _Stars:
    def __init__(self, links: Links) -> None:
        self.links = links
        self.groups = links.groups
        self.count = len(links.groups)
        self.score = links.score[links.parts :]
        self.top = [
            _floor(float(score.max(initial=-np.inf)), group.must)
            for score, group in zip(self.score, self.groups, strict=True)
        ]
        self.plain = sum(
            group.copies * top for group, top in zip(self.groups, self.top, strict=True)
        )
        self.columns: list[Floats] = [
            self.plain - top + score.astype(np.float64)
            for score, top in zip(self.score, self.top, strict=True)
        ]
        self.without = [
            -np.inf if group.must else self.plain - group.copies * top
            for group, top in zip(self.groups, self.top, strict=True)
        ]

    def around(self, center: int) -> None:
        """Take the bounds of stars whose center is a column of a group."""
        others = [
            (other, group.copies - (other == center))
            for other, group in enumerate(self.groups)
            if group.copies > (other == center)
        ]
        overlaps = {other: self._overlap(center, other) for other, _ in others}
        best = {other: self._best(overlaps[other], other) for other, _ in others}
        total = self.score[center].astype(np.float64)
        for other, copies in others:
            total = total + copies * best[other]
        self.columns[center] = np.minimum(self.columns[center], total)
        lost = self.groups[center].copies * self.top[center]
        for other, copies in others:
            if other != center:
                absent = -np.inf if self.groups[center].must else self.plain - lost
                self._leaf(other, _less(total, best[other]), overlaps[other], absent)
                most = float(_less(total, copies * best[other]).max(initial=-np.inf))
                most = max(most, absent - copies * self.top[other])
                self.without[other] = min(self.without[other], most)

    def _overlap(self, center: int, other: int) -> Floats:
        return self.links.overlap(self.links.parts + center, self.links.parts + other)

    def _best(self, overlap: Floats, other: int) -> Floats:
        best = np.full(len(overlap), -np.inf)
        for block in row_blocks(*overlap.shape):
            self.links.check()
            best[block] = (overlap[block] + self.score[other]).max(axis=1, initial=-np.inf)
        most: Floats = best if self.groups[other].must else np.maximum(best, 0.0)
        return most

    def _leaf(self, other: int, rest: Floats, overlap: Floats, absent: float) -> None:
        """Bound the columns of a group as leaves of stars, or without a center."""
        leaf = np.full(overlap.shape[1], -np.inf, dtype=overlap.dtype)
        least = rest.astype(overlap.dtype)[:, None]
        for block in row_blocks(*overlap.shape):
            self.links.check()
            np.maximum(leaf, (overlap[block] + least[block]).max(axis=0), out=leaf)
        bound = np.maximum(leaf.astype(np.float64), absent - self.top[other])
        self.columns[other] = np.minimum(self.columns[other], bound + self.score[other])


def _floor(value: float, must: bool) -> float:
    return value if must else max(0.0, value)


def _less(total: Floats, part: Floats) -> Floats:
    """Return the difference, minus infinity where nothing is possible."""
    return np.where(np.isfinite(total), total - np.where(np.isfinite(part), part, 0.0), -np.inf)
