"""Records: clones share nothing that changes, and JSON brings them back."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.play.records import TRANSIENT, clone, dump, load, share


class Spot(NamedTuple):
    row: int
    column: int


@dataclass
class Piece:
    name: str
    spot: Spot | None


@dataclass
class Base:
    kind: str


@dataclass
class Heir(Base):
    counts: dict[str, int]


@dataclass(frozen=True)
class Fixed:
    tags: frozenset[str]


@dataclass
class Whole:
    pieces: dict[int, Piece]
    piles: dict[int | str, tuple[str, ...]]
    by_spot: dict[Spot, int]
    pair: tuple[int, str]
    base: Base
    fixed: Fixed
    cash: int | None
    cache: dict[str, int] = field(default_factory=dict, compare=False, metadata=TRANSIENT)


def whole(names: list[str], cash: int | None) -> Whole:
    return Whole(
        pieces={n: Piece(name, Spot(n, n + 1) if n % 2 else None) for n, name in enumerate(names)},
        piles={1: ("a", "b"), "1": ()},
        by_spot={Spot(0, 3): 7},
        pair=(1, "x"),
        base=Heir("heir", {name: len(name) for name in names}),
        fixed=Fixed(frozenset(names)),
        cash=cash,
        cache={"known": 1},
    )


@dataclass
class Kind:
    """A kind of record that games extend."""


def module_of(name: str) -> type[Kind]:
    """Return a record that a game calls Round."""
    return dataclass(type("Round", (Kind,), {"__module__": name}))


texts = st.lists(st.text(max_size=5), max_size=4)


def test_equal_names_of_two_games_are_kept_apart() -> None:
    """Stock rounds of two games are different records; those of no game have plain names."""
    one = module_of("engine.games.g1899.play.state")
    other = module_of("engine.games.g1898.play.state")
    assert dump(one())["record"] == "g1899.Round"
    for kind in (one, other):
        assert type(load(Kind, json.loads(json.dumps(dump(kind()))))) is kind
    assert dump(Kind())["record"] == "Kind"


@given(texts, st.none() | st.integers())
def test_json_brings_a_record_back(names: list[str], cash: int | None) -> None:
    """All kinds of fields, also an heir in the place of its base; caches are not written."""
    record = whole(names, cash)
    written = json.loads(json.dumps(dump(record)))
    again = load(Whole, written)
    assert again == record
    assert isinstance(again.base, Heir)
    assert list(again.pieces) == list(record.pieces)
    assert again.cache == {}


@given(texts)
def test_clones_go_their_own_way(names: list[str]) -> None:
    """Changing records, dictionaries and heirs of a clone leaves the original alone."""
    record = whole(names, 5)
    before = dump(record)
    other = clone(record)
    assert other == record
    other.pieces[99] = Piece("new", None)
    for piece in other.pieces.values():
        piece.name += "!"
    other.piles["1"] = ("c",)
    assert isinstance(other.base, Heir)
    other.base.counts["more"] = 1
    other.base.kind = "changed"
    assert dump(record) == before
    assert other.cache is record.cache


def test_what_has_not_changed_is_shared_again() -> None:
    """Equal records of a clone become those of the original; others, new and lost ones stay."""
    old = whole(["a", "b", "c"], 5)
    new = clone(old)
    new.pieces[1].name = "z"
    new.pieces[7] = Piece("new", None)
    del new.pieces[2]
    new.base.kind = "other"
    assert share(new, old) is new
    assert new.pieces[0] is old.pieces[0]
    assert new.pieces == {0: Piece("a", None), 1: Piece("z", Spot(1, 2)), 7: Piece("new", None)}
    assert old.pieces == whole(["a", "b", "c"], 5).pieces
    assert (new.base.kind, old.base.kind) == ("other", "heir")


def test_wrong_snapshots_are_refused() -> None:
    """A record of another family, or one that lacks a field, is named."""
    written = dump(whole(["a"], 1))
    with pytest.raises(ValueError, match="Whole"):
        load(Whole, {**written, "record": "Piece"})
    del written["cash"]
    with pytest.raises(ValueError, match="cash"):
        load(Whole, written)
