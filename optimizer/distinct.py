"""Different values of an array, without what numpy imports for them."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Whole = TypeVar("Whole", bound="np.integer[Any]")


def distinct(values: npt.NDArray[Whole]) -> npt.NDArray[Whole]:
    """Return the different values of an array in one dimension, in order.

    ``numpy.unique`` would import ``numpy.ma``, which takes longer than most solves.

    >>> distinct(np.array([3, 1, 3, 2])).tolist()
    [1, 2, 3]
    """
    ordered = np.sort(values)
    first = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]
