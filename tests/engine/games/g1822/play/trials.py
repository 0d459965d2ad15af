"""Which games of 1822, 1822MRS and 1822NRS the robots play, and what is counted in them."""

from __future__ import annotations

from tests.engine.games.g1822.play import invariants
from tests.engine.games.g1822.play.lively import moves
from tests.engine.games.g1822.play.sightings import STORES, TRAIN_PRIVATES, seen
from tests.engine.play.random_games import Watch
from tests.engine.play.robot_games import Trial

PLUS = "plus_expansion"
ALL_PRIVATES = (PLUS, "plus_expansion_no_removals")
ONE_STACK = (*ALL_PRIVATES, "plus_expansion_single_stack")
HAVENS = "tax_haven_multiple"

WATCH = Watch(
    rules="1822",
    invariants=invariants.check,
    hexes=("G20", "K30", "J31", "L25", "M26"),
    cities=("M38-0-3", "I22-0-0", "K20-3-0"),
)

OPTIONS: dict[str, tuple[tuple[str, ...], ...]] = {
    "1822": (
        (),
        (PLUS,),
        ALL_PRIVATES,
        (*ONE_STACK, HAVENS),
        (PLUS, "plus_expansion_single_stack"),
    ),
    "1822MRS": ((), ("starter",), ("advanced",), (HAVENS,)),
    "1822NRS": ((), (HAVENS,)),
}
"""Combinations of options of each title."""


def rare() -> frozenset[str]:
    """What many games must hold: every private used, and everything rare (§20)."""
    found = {f"{sym} brings" for sym in (*TRAIN_PRIVATES, *STORES)}
    found |= {f"{sym} lay" for sym in ("P2", "P5", "P8", "P10", "P11", "P12", "P21")}
    found |= {"P5 place_token", "P5 choose_ability"}
    found |= {"P16 choose_ability", "P17 choose_ability", "P18 choose_ability"}
    found |= {"mail", "choose double", "P9 acquired", "haven income", "combination"}
    found |= {"choose token", "choose discount", "choose carriage"}
    found |= {"loan", "director helps", "emergency sale"}
    found |= {"payoff_player_debt", "payoff_player_debt_partial"}
    found |= {"acquisition", "acquisition from a box", "minor 14 acquired"}
    found |= {f"choose {way}" for way in ("money", "one_share", "two_shares")}
    found |= {f"choose {way}" for way in ("replace", "exchange", "remove")}
    found |= {"minor 14 out of a box replaced", "haven share of a company not floated"}
    found |= {"conversion", "par without concession", "issue", "redemption", "sale", "outbid"}
    found |= {"export", "phase by export", "train discarded", "extra train discarded"}
    found |= {"upgrade of a train", "train between companies", "discarded train bought"}
    found |= {"destination", "director's certificate sold", "full capitalisation"}
    found |= {"end bank", "end stock_market"}
    return frozenset(found)


TRIAL = Trial(
    seats={
        title: tuple((players, chosen) for chosen in options for players in range(2, 8))
        for title, options in OPTIONS.items()
    },
    watch=WATCH,
    moves=moves,
    seen=seen,
    rare=rare(),
)
