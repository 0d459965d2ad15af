"""A title folder that is held in memory, for titles that are described and not stored."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources.abc import Traversable
from os import PathLike
from typing import Any


@dataclass(frozen=True)
class MemoryFolder:
    """A folder of JSON files.

    Parameters
    ----------
    name
        As rules are cited: ``Wye §3``.
    files
        Content, parsed, by name of file. It is read and never changed.
    """

    name: str
    files: Mapping[str, Any]

    def iterdir(self) -> Iterator[Traversable]:
        """Yield the files."""
        return iter([self.joinpath(name) for name in self.files])

    def is_dir(self) -> bool:
        """Say that this is a folder."""
        return True

    def is_file(self) -> bool:
        """Say that this is no file."""
        return False

    def joinpath(self, *descendants: str | PathLike[str]) -> MemoryFile:
        """Return a file, which need not be there."""
        name = "/".join(str(each) for each in descendants)
        return MemoryFile(name, name in self.files, self.files.get(name))

    def __truediv__(self, child: str | PathLike[str]) -> MemoryFile:
        """Return a file, which need not be there."""
        return self.joinpath(child)

    def open(self, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        """Refuse: a folder has no text."""
        raise IsADirectoryError(self.name)

    def read_bytes(self) -> bytes:
        """Refuse: a folder has no content of its own."""
        raise IsADirectoryError(self.name)

    def read_text(self, encoding: str | None = None) -> str:
        """Refuse: a folder has no text."""
        raise IsADirectoryError(self.name)


@dataclass(frozen=True)
class MemoryFile:
    """A file of a :class:`MemoryFolder`.

    Parameters
    ----------
    name
        Name of the file.
    there
        Whether it exists.
    content
        What it says, parsed.
    """

    name: str
    there: bool
    content: Any

    @cached_property
    def _text(self) -> str:
        if not self.there:
            raise FileNotFoundError(self.name)
        return json.dumps(self.content, ensure_ascii=False)

    def iterdir(self) -> Iterator[Traversable]:
        """Refuse: a file has nothing in it."""
        raise NotADirectoryError(self.name)

    def is_dir(self) -> bool:
        """Say that this is no folder."""
        return False

    def is_file(self) -> bool:
        """Tell whether the file exists."""
        return self.there

    def joinpath(self, *descendants: str | PathLike[str]) -> Traversable:
        """Refuse: a file has nothing in it."""
        raise NotADirectoryError(self.name)

    def __truediv__(self, child: str | PathLike[str]) -> Traversable:
        """Refuse: a file has nothing in it."""
        return self.joinpath(child)

    def open(self, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        """Return the text, or its bytes, as a stream."""
        return io.BytesIO(self.read_bytes()) if "b" in mode else io.StringIO(self._text)

    def read_bytes(self) -> bytes:
        """Return the text in UTF-8."""
        return self._text.encode("utf-8")

    def read_text(self, encoding: str | None = None) -> str:
        """Return the text."""
        return self._text
