"""Which algorithm knows which words, and which words cannot stand together.

An algorithm that does not know a word refuses the problem by the word's name:
no word is ever passed over in silence.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engine.errors import Fault
from engine.routing.problem import RoutingProblem
from engine.routing.vocabulary import Bonus, Has, Of, Pay, TrainClass
from optimizer.errors import WordsError
from optimizer.route_pay import paid_over_the_run, told_by_the_run

OF_THE_RUN = frozenset(
    {
        *("PaidOnce", "MustVisit", "MustMeet", "Chains", "MustRun", "HexSubsidy", "VisitBonus"),
        *("EndsSubsidy", "GroupBonus", "OneOf", "BestBonus", "SomeRoute", "AtMostRoutes", "Echo"),
    }
)
"""Words that couple the routes of a run."""

OF_A_ROUTE = frozenset(
    {
        *("Need", "Budget.ends", "Budget.rebates", "Choice", "Bonus", "Factor", "Pay.subsidy"),
        *("Pay.legs", "Pay.once", "Span", "Attachment", "constant"),
    }
)
"""Words about one route, its trains or the run as a whole, besides the plain reach and pay."""

EVERY = OF_THE_RUN | OF_A_ROUTE

KNOWN: dict[str, frozenset[str]] = {
    "packing": OF_A_ROUTE
    | {"VisitBonus", "EndsSubsidy", "GroupBonus", "OneOf"}
    | {"BestBonus", "SomeRoute", "AtMostRoutes", "Echo"},
    "coverage": frozenset(
        {"PaidOnce", "MustVisit", "MustMeet", "Chains", "MustRun", "HexSubsidy", "Pay.once"}
    ),
    "cp-sat": EVERY,
    "circuit": EVERY,
    "exhaustive": EVERY,
}
"""By engine or algorithm the words that it knows."""


def words_in(problem: RoutingProblem) -> frozenset[str]:
    """Return the names of the words in which a problem is stated."""
    found = {type(word).__name__ for word in problem.words}
    found |= {"Attachment"} if problem.attachments else set()
    found |= {"constant"} if problem.constant else set()
    for cls in problem.classes:
        found.update(_of_class(cls))
    return frozenset(found)


def _of_class(cls: TrainClass) -> Iterator[str]:
    pay, reach = cls.pay, cls.reach
    for name, there in (
        ("Need", reach.needs),
        ("Budget.ends", any(any(budget.ends) for budget in reach.budgets)),
        ("Budget.rebates", any(budget.rebates for budget in reach.budgets)),
        ("Choice", pay.choice),
        ("Bonus", pay.bonuses),
        ("Factor", pay.factor),
        ("Pay.subsidy", any(pay.subsidy)),
        ("Pay.legs", any(pay.legs)),
        ("Pay.once", pay.once),
        ("Span", pay.span),
    ):
        if there:
            yield name


def unknown_words(problem: RoutingProblem, engine: str) -> frozenset[str]:
    """Return the words of a problem that an engine or algorithm does not know."""
    return words_in(problem) - KNOWN[engine]


def refuse_unknown(problem: RoutingProblem, engine: str) -> None:
    """Refuse a problem with words that an engine or algorithm does not know.

    Raises
    ------
    WordsError
        With a fault ``WORD_NOT_KNOWN`` for each such word, named in its path.
    """
    faults = [
        Fault("WORD_NOT_KNOWN", f"words.{name}", f"{engine} does not know the word {name}")
        for name in sorted(unknown_words(problem, engine))
    ]
    if faults:
        raise WordsError(faults)


# --- words that have no meaning together ---------------------------------------


def check_words(problem: RoutingProblem) -> None:
    """Refuse a problem whose words have no clear meaning.

    Raises
    ------
    WordsError
        With a fault ``WORDS_UNCLEAR`` for each.
    """
    faults = [
        Fault("WORDS_UNCLEAR", path, message)
        for number, cls in enumerate(problem.classes)
        for path, message in _of_pay(problem, number, cls)
    ]
    faults += [Fault("WORDS_UNCLEAR", path, text) for path, text in _of_the_run(problem)]
    if faults:
        raise WordsError(faults)


def _of_pay(problem: RoutingProblem, number: int, cls: TrainClass) -> Iterator[tuple[str, str]]:
    path = f"classes[{number}]"
    pay = cls.pay
    if (pay.choice or pay.factor) and paid_over_the_run(problem, number):
        yield f"{path}.pay", "stops that are paid once over the run know no choice and no factor"
    if pay.choice is not None:
        for (one, _), (two, _) in combinations(pay.choice.limits, 2):
            if one & two and not (one <= two or two <= one):
                yield f"{path}.pay.choice", "the limits are neither nested nor disjoint"
    brought = [*pay.subsidy, *(bonus.amount for bonus in pay.bonuses if bonus.subsidy)]
    if min(brought, default=0) < 0:
        yield f"{path}.pay.subsidy", "nothing is deducted from the subsidy"
    if any(brought) and told_by_the_run(problem, number):
        yield f"{path}.pay.subsidy", "what is best for the run is not told by revenue alone"
    if any(bonus.scaled and bonus.subsidy for bonus in pay.bonuses):
        yield f"{path}.pay.bonuses", "a factor does not hold for the subsidy"
    for need in cls.reach.needs:
        if any(test.of is Of.PAID for test in (*need.when, *need.then)):
            yield f"{path}.reach.needs", "a need looks at nothing that is paid"


def _of_the_run(problem: RoutingProblem) -> Iterator[tuple[str, str]]:
    for word in problem.words:
        name = type(word).__name__
        kinds: dict[int, tuple[Bonus, ...]] = dict(getattr(word, "bonuses", {}))
        for bonuses in kinds.values():
            if any(b.scaled or b.subsidy or b.amount < 0 for b in bonuses):
                yield f"words.{name}", "its bonuses are revenue, unscaled and not negative"
        for test in getattr(word, "tests", ()):
            if any(_hangs_on_choice(cls, test) for cls in problem.classes):
                yield f"words.{name}", "it hangs on which stops of a route are chosen to pay"


def _hangs_on_choice(cls: TrainClass, test: Has) -> bool:
    """Tell whether a test looks at some of the stops that pay where there is a choice."""
    return (
        test.of is Of.PAID and cls.pay.choice is not None and not cls.reach.visits <= test.numbers
    )


def plain_pay(pay: Pay) -> bool:
    """Tell whether a route pays the sum of its stops and legs, with what counts once and a span."""
    return not (pay.choice or pay.bonuses or pay.factor or pay.subsidy)
