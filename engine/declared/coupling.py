"""What couples the routes of a run, in the words of the vocabulary. The statement's side."""

from __future__ import annotations

from engine.declared.net import Net
from engine.declared.reading import Reading
from engine.routing.vocabulary import TrainClass, Word


def coupling_words(
    reading: Reading, net: Net, classes: tuple[TrainClass, ...]
) -> tuple[tuple[Word, ...], int]:
    """Return the words of a run and what it earns whatever runs."""
    return (), 0
