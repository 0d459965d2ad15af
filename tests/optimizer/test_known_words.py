"""Every word is known or refused by its name, never passed over; the page says the same."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from engine.routing.vocabulary import Bonus, Choice, Factor, Has, MustMeet, Need, Of, Word
from optimizer.assignment import solve_assignment
from optimizer.coverage.solve import solve_coverage
from optimizer.errors import WordsError
from optimizer.packing.solve import solve_packing
from optimizer.registry import engine_for
from optimizer.task import Task, Weights
from optimizer.words import EVERY, KNOWN, OF_THE_RUN, check_words, unknown_words, words_in
from tests.optimizer.builders import random_problem
from tests.optimizer.worded import KINDS, worded_problem

PAGE = Path(__file__).parents[2] / "docs" / "solving.md"
NAMES = {
    "need": "Need",
    "ends": "Budget.ends",
    "rebates": "Budget.rebates",
    "choice": "Choice",
    "bonuses": "Bonus",
    "again": "Bonus",
    "factor": "Factor",
    "subsidy": "Pay.subsidy",
    "best": "BestBonus",
    "some_route": "SomeRoute",
    "at_most": "AtMostRoutes",
    "echo": "Echo",
    "constant": "constant",
}


def test_every_word_of_the_run_has_a_name() -> None:
    """The names are those of the classes of the vocabulary."""
    assert {kind.__name__ for kind in get_args(Word)} == OF_THE_RUN


def test_the_page_says_who_knows_what() -> None:
    """The table of the page is the table of the program."""
    rows = [
        line.split("|")[1:-1] for line in PAGE.read_text("utf-8").splitlines() if line[:1] == "|"
    ]
    head = next(n for n, row in enumerate(rows) if [c.strip() for c in row[1:]] == list(KNOWN))
    said = {
        row[0].strip(" `"): [c.strip() for c in row[1:]] for row in rows[head + 2 :][: len(EVERY)]
    }
    assert said == {
        name: ["knows" if name in words else "refuses" for words in KNOWN.values()]
        for name in EVERY
    }


@pytest.mark.parametrize("kind", sorted(NAMES))
def test_words_are_seen(kind: str) -> None:
    """A problem with a word shows it, and no engine takes one with a word it does not know."""
    seen = 0
    for seed in range(8):
        problem = worded_problem(random.Random(seed), (kind,))
        seen += NAMES[kind] in words_in(problem)
        engine = engine_for(problem)
        assert not engine or not unknown_words(problem, engine)
    assert seen >= 4
    assert set(NAMES) <= set(KINDS) | {"bonuses"}


def test_what_is_not_known_is_refused_by_name() -> None:
    """The engines refuse words by code and name."""
    problem = worded_problem(random.Random(1), ("at_most",))
    met = replace(problem, words=(*problem.words, MustMeet(frozenset({0}))))
    for method, word in ((solve_packing, "MustMeet"), (solve_coverage, "AtMostRoutes")):
        with pytest.raises(WordsError) as refused:
            method(Task(met, Weights(1, 0)))
        faults = {(fault.code, fault.path) for fault in refused.value.faults}
        assert ("WORD_NOT_KNOWN", f"words.{word}") in faults


def test_words_without_meaning_are_refused() -> None:
    """Limits that overlap, scaled subsidies, needs of what is paid, words that hang on a choice."""
    problem = worded_problem(random.Random(3), ("best",))
    (cls, *others) = problem.classes
    one, two = frozenset({0, 1}), frozenset({1, 2})
    paid = Has(Of.PAID, one)
    wrong = [
        replace(cls, pay=replace(cls.pay, choice=Choice(((one, 1), (two, 1))))),
        replace(cls, pay=replace(cls.pay, bonuses=(Bonus((), 10, scaled=True, subsidy=True),))),
        replace(cls, pay=replace(cls.pay, bonuses=(Bonus((), -10, subsidy=True),))),
        replace(cls, reach=replace(cls.reach, needs=(Need((paid,)),))),
    ]
    for changed in wrong:
        with pytest.raises(WordsError) as refused:
            check_words(replace(problem, classes=(changed, *others)))
        assert {fault.code for fault in refused.value.faults} == {"WORDS_UNCLEAR"}
    check_words(
        replace(problem, classes=(replace(cls, pay=replace(cls.pay, factor=Factor(3, 2))), *others))
    )


def test_cp_sat_alone_knows_all_words() -> None:
    """Problems with the words of all games are solved, whatever stands together."""
    assert KNOWN["cp-sat"] == KNOWN["circuit"] == EVERY
    for seed in range(6):
        problem = random_problem(random.Random(seed))
        assert solve_assignment(Task(problem, Weights(1000, 1))).proven
