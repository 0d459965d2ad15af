"""Numbers in the names of certificates, tiles and cities (FMT §B4)."""

from __future__ import annotations

import re

_COPY = re.compile("0|[1-9][0-9]{0,3}")


def is_copy(text: str) -> bool:
    """Tell whether a text is the number of a copy or part as records write it.

    Examples
    --------
    >>> is_copy("0"), is_copy("12"), is_copy("01"), is_copy("²"), is_copy("9" * 5000)
    (True, True, False, False, False)
    """
    return _COPY.fullmatch(text) is not None
