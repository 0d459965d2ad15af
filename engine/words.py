"""Small words of sentences: articles and plurals."""

from __future__ import annotations

VOWEL_LETTERS = frozenset("AEFHILMNORSX")
"""Letters whose names begin with a vowel, as in 'an LP'."""


def article(name: str) -> str:
    """Return a name of letters and figures with its article.

    >>> article("5X"), article("8F"), article("LP"), article("P+")
    ('a 5X', 'an 8F', 'an LP', 'a P+')
    """
    vowel = name.startswith("8") or name[:1] in VOWEL_LETTERS
    return f"an {name}" if vowel else f"a {name}"


def counted(number: int, one: str, more: str = "") -> str:
    """Return a number of things.

    Parameters
    ----------
    one, more
        The word for one thing and for several; without `more` an s is added.

    >>> counted(1, "hex", "hexes"), counted(0, "slot")
    ('1 hex', '0 slots')
    """
    return f"{number} {one if number == 1 else more or one + 's'}"
