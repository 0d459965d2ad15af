"""Blocks of shares: what may be offered, how it is read, and what a sale leaves behind."""

from __future__ import annotations

import pytest

from engine.play import shares
from engine.play.blocks import Block, has_heir, own_blocks, read_block, to_market
from engine.play.entities import MARKET
from engine.play.errors import IllegalActionError
from engine.play.game import Setting, start
from engine.play.records import clone
from engine.play.state import GameState

RULES = ("1899 §1", "1899 §2")


def fresh() -> GameState:
    return clone(start(Setting("1862", ((1, "Ann"), (2, "Bob")))).current)


SYM = next(iter(fresh().companies))
CARDS = tuple(shares.name(SYM, number) for number in range(8))
"""A company with a director's certificate of three shares and seven of one."""


def owned(first: int, second: int) -> GameState:
    """Ann is director with so many ordinary certificates besides, Bob has the next ones."""
    state = fresh()
    for number in range(1 + first + second):
        shares.hand_over(state, CARDS[number], 1 if number <= first else 2)
    state.companies[SYM].director = 1
    return state


def test_every_number_of_shares_is_a_block() -> None:
    """FMT §E3.5: ordinary certificates first, then parts of the director's one."""
    found = list(own_blocks(owned(1, 1), 1, SYM))
    both = (CARDS[1], CARDS[0])
    assert found == [
        Block(SYM, CARDS[1:2], 1),
        Block(SYM, both, 2, 2),
        Block(SYM, both, 3, 1),
        Block(SYM, both, 4, 0),
    ]
    assert [block.with_director for block in found] == [False, True, True, True]
    assert list(own_blocks(owned(1, 1), 2, SYM)) == [Block(SYM, CARDS[2:3], 1)]


def test_a_block_is_read_as_it_is_offered() -> None:
    """Certificates and percent give the same block; without percent all of it is sold."""
    state = owned(2, 1)
    for block in own_blocks(state, 1, SYM):
        assert read_block(state, 1, block.cards, 10 * block.units, RULES) == block
    assert read_block(state, 1, (*CARDS[1:3], CARDS[0]), None, RULES).units == 5


@pytest.mark.parametrize(
    ("cards", "percent", "code", "section"),
    [
        ((), None, "BLOCK_NOT_OWNED", RULES[0]),
        (("ZZ_1",), None, "BLOCK_NOT_OWNED", RULES[0]),
        ((CARDS[3],), 10, "BLOCK_NOT_OWNED", RULES[0]),
        ((CARDS[1], CARDS[1]), 20, "BLOCK_NOT_OWNED", RULES[0]),
        ((CARDS[1],), 5, "PERCENT_WRONG", RULES[1]),
        (CARDS[1:3], 10, "PERCENT_WRONG", RULES[1]),
        ((*CARDS[1:3], CARDS[0]), 20, "PERCENT_WRONG", RULES[1]),
        ((*CARDS[1:3], CARDS[0]), 60, "PERCENT_WRONG", RULES[1]),
        ((CARDS[1], CARDS[0]), 40, "BLOCK_SHAPE", RULES[1]),
    ],
)
def test_what_is_no_block_is_refused(
    cards: tuple[str, ...], percent: int | None, code: str, section: str
) -> None:
    """Foreign or doubled certificates, impossible parts, and the director's before the others."""
    with pytest.raises(IllegalActionError) as refusal:
        read_block(owned(2, 1), 1, cards, percent, RULES)
    assert (refusal.value.code, refusal.value.fault.section) == (code, section)


def test_the_heir_takes_over_and_the_seller_keeps_his_change() -> None:
    """FMT §E4: Bob gives three ordinary certificates for the director's one."""
    state = owned(0, 3)
    assert has_heir(state, 1, SYM)
    to_market(state, 1, Block(SYM, CARDS[:1], 1, 2))
    assert (state.companies[SYM].director, shares.holder_of(state, CARDS[0])) == (2, 2)
    assert shares.held(state, 1, SYM) == CARDS[1:3]
    assert shares.held(state, MARKET, SYM) == CARDS[3:4]


def test_without_an_heir_the_company_goes_into_receivership() -> None:
    """The director's certificate lies in the market."""
    state = owned(1, 2)
    assert not has_heir(state, 1, SYM)
    to_market(state, 1, Block(SYM, (CARDS[1], CARDS[0]), 4))
    assert state.companies[SYM].director is None
    assert shares.held(state, MARKET, SYM) == (CARDS[1], CARDS[0])


def test_ordinary_shares_change_the_director_too() -> None:
    """Who then has most is director; he who stays level remains it."""
    state = owned(2, 4)
    to_market(state, 1, Block(SYM, CARDS[1:2], 1))
    assert state.companies[SYM].director == 1
    to_market(state, 1, Block(SYM, CARDS[2:3], 1))
    assert state.companies[SYM].director == 2
    assert shares.held(state, 1, SYM) == CARDS[3:6]
