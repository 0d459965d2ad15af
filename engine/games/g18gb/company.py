"""Is the state of a company possible in 18GB?"""

from __future__ import annotations

from collections.abc import Iterator

from engine.board.board import Board
from engine.errors import Fault
from engine.games.g18gb.printed import private_bonuses
from engine.routing.checks import foreign_fields
from engine.routing.run import CompanyState
from engine.titles.title import Title

KINDS = ("", "5-share", "10-share")
FIELDS = ("kind", "hex_bonuses", "receivership", "insolvent")
"""What is said of a company beside its letters and trains."""


def company_faults(title: Title, board: Board, company: CompanyState) -> Iterator[Fault]:
    """Yield everything that is wrong with the company's state on this board.

    Parameters
    ----------
    title, board
        The game and a board without faults.
    company
        A state whose company and trains exist.

    Yields
    ------
    Fault
        With a field path below ``company``.
    """
    if company.kind not in KINDS:
        message = f"a company is a 5-share or a 10-share company, not {company.kind!r}"
        yield Fault("COMPANY_KIND_WRONG", "company.kind", message, "18GB §1.5")
    yield from _scenario_faults(title, board, company)
    yield from foreign_fields(title.title, company, FIELDS)
    yield from _train_faults(title, board, company)
    yield from _bonus_faults(title, board, company)


def _in_play(title: Title, board: Board, *lists: str) -> tuple[str, ...]:
    """Return what the scenarios of the map name in these lists of the set-up tables."""
    named = (
        name
        for scenario in title.setup["scenarios"]
        if scenario["map"] == board.atlas.name
        for key in lists
        for name in scenario[key]
    )
    return tuple(dict.fromkeys(named))


def _scenario_faults(title: Title, board: Board, company: CompanyState) -> Iterator[Fault]:
    playing = _in_play(title, board, "corporations", "one_random_extra_of")
    if company.corporation not in playing:
        known = ", ".join(playing)
        message = f"{company.corporation} does not play on this map; {known} do"
        yield Fault("CORPORATION_NOT_ON_MAP", "company.corporation", message, "18GB §1.2")


def _train_faults(title: Title, board: Board, company: CompanyState) -> Iterator[Fault]:
    """A train of a past phase has rusted; one of a later phase was not yet sold, but the
    next on sale may be leased by an insolvent company or one in receivership."""
    begun = list(title.phases).index(board.state.phase)
    starts = {
        train: n for n, p in enumerate(title.phases.values()) for train in p["starts_with_first"]
    }
    leased = company.insolvent or company.receivership
    for number, train in enumerate(company.trains):
        path = f"company.trains[{number}].name"
        kind = title.trains.get(train.name)
        if kind is None:
            message = f"trains of 18GB have no warranties, unlike {train.name!r}"
            yield Fault("TRAIN_UNKNOWN", path, message)
            continue
        if kind.rusts_on and starts[kind.rusts_on] <= begun:
            message = f"{train.name} trains have rusted in phase {board.state.phase}"
            yield Fault("TRAIN_RUSTED", path, message, "18GB §7")
        if starts.get(kind.name, 0) > begun + (1 if leased else 0):
            message = f"no {train.name} train is to be had in phase {board.state.phase}"
            yield Fault("TRAIN_NOT_YET_SOLD", path, message, "18GB §7.3, §13.6")
    if company.insolvent and len(company.trains) > 1:
        message = "an insolvent company has no train but the one that it leases"
        yield Fault("LEASE_OF_SEVERAL", "company.trains", message, "18GB §13.6")


def _bonus_faults(title: Title, board: Board, company: CompanyState) -> Iterator[Fault]:
    privates = _in_play(title, board, "companies")
    known = {h: bonus for h, bonus in private_bonuses(title).items() if bonus[0] in privates}
    seen: set[str] = set()
    for number, bonus in enumerate(company.hex_bonuses):
        path = f"company.hex_bonuses[{number}]"
        if bonus.hex not in board.atlas.hexes:
            message = f"the map has no hex {bonus.hex!r}"
            yield Fault("HEX_UNKNOWN", f"{path}.hex", message, "18GB §11.5")
        elif bonus.hex not in known:
            message = f"no private company of this map gives a bonus in {bonus.hex}"
            yield Fault("HEX_BONUS_UNKNOWN", f"{path}.hex", message, "18GB §11.5", bonus.hex)
        elif bonus.amount != known[bonus.hex][1]:
            private, amount = known[bonus.hex]
            message = f"{private} gives £{amount} in {bonus.hex}, not £{bonus.amount}"
            yield Fault("HEX_BONUS_WRONG", f"{path}.amount", message, "18GB §11.5", bonus.hex)
        if bonus.hex in seen:
            message = f"there is only one bonus in {bonus.hex}"
            yield Fault("HEX_BONUS_TWICE", f"{path}.hex", message, "18GB §11.5", bonus.hex)
        seen.add(bonus.hex)
