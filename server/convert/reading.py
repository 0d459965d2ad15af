"""Checks of single fields of a request; every fault is listed, none is raised at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import TypeVar

from engine.errors import Fault
from server.errors import RequestError
from server.limits import MOST_AMOUNT, MOST_ENTRIES

T = TypeVar("T")

MOST_LETTERS = 64
"""More characters than any id or name of these games has."""


class Reading:
    """Collects the faults of a request while it is read."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def fault(self, code: str, path: str, message: str) -> None:
        """Note a fault of the field `path`."""
        self.faults.append(Fault(code, path, message))

    def text(self, value: str, path: str, *, required: bool = True) -> str:
        """Return `value`; note a fault if it is missing, too long or not printable."""
        if not value:
            if required:
                self.fault("REQUIRED", path, "the field is required")
        elif len(value) > MOST_LETTERS:
            message = f"{len(value)} characters; {MOST_LETTERS} is the most"
            self.fault("TEXT_TOO_LONG", path, message)
        elif not value.isprintable():
            self.fault("TEXT_NOT_PRINTABLE", path, "the text has characters that do not print")
        return value

    def texts(self, values: Iterable[str], path: str) -> tuple[str, ...]:
        """Return the texts of a list; note a fault for each as :meth:`text` does."""
        listed = tuple(values)
        if not self.count(listed, path, MOST_ENTRIES):
            return ()
        return tuple(self.text(value, f"{path}[{n}]") for n, value in enumerate(listed))

    def amount(self, value: int, path: str) -> int:
        """Return £; note a fault if it is negative or beyond what any title pays."""
        return self.number(value, path, 0, MOST_AMOUNT)

    def entries(self, items: Sequence[T], path: str) -> Iterator[tuple[T, str]]:
        """Yield the entries of a list with their paths; none, with a fault, if too many."""
        if self.count(items, path, MOST_ENTRIES):
            for number, item in enumerate(items):
                yield item, f"{path}[{number}]"

    def number(self, value: int, path: str, least: int, most: int) -> int:
        """Return `value`; note a fault if it is out of range."""
        if not least <= value <= most:
            self.fault("OUT_OF_RANGE", path, f"{value} is not in {least} to {most}")
        return value

    def choice(self, value: int, path: str, most: int, default: int) -> int:
        """Return `value`, or `default` for 0; note a fault if it is not in 1 to `most`."""
        return self.number(value, path, 1, most) if value else default

    def count(self, items: Sized, path: str, most: int) -> bool:
        """Tell whether there are no more than `most` items; note a fault if there are."""
        if len(items) <= most:
            return True
        self.fault("TOO_MANY", path, f"{len(items)} entries; {most} is the most")
        return False

    def end(self) -> None:
        """Raise all faults found.

        Raises
        ------
        RequestError
            There are faults.
        """
        if self.faults:
            raise RequestError(self.faults)
