"""Is the state of a company possible in 1862?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.board.board import Board
from engine.errors import Fault
from engine.games.g1862.stations import LONDON, TYPES, london_hexes
from engine.routing.checks import foreign_fields
from engine.routing.run import CompanyState
from engine.titles.title import Title

KINDS = ("", "company")
FIELDS = ("kind", "permits", "home", "receivership")
"""What is said of a company beside its letters and trains."""


def company_faults(title: Title, board: Board, company: CompanyState) -> Iterator[Fault]:
    """Yield everything that is wrong with the company's state on this board.

    Trains of any band are accepted in any phase: a warranty keeps a train
    beyond its phase (1862 §11.1) and need not be stated, and a question about
    a train that is still to come is a fair one.

    Parameters
    ----------
    title, board
        The game and a board without faults.
    company
        A state whose company and trains exist.

    Yields
    ------
    Fault
        With a field path below ``company``, or below ``board`` for markers.
    """
    if company.kind not in KINDS:
        message = f"1862 has one kind of company, not {company.kind!r}"
        yield Fault("COMPANY_KIND_WRONG", "company.kind", message, "1862 §1.2")
    yield from _permit_faults(company)
    yield from _home_faults(title, company)
    yield from foreign_fields(title.title, company, FIELDS)
    yield from _marker_faults(title, board)


def _permit_faults(company: CompanyState) -> Iterator[Fault]:
    seen: set[str] = set()
    for number, permit in enumerate(company.permits):
        path = f"company.permits[{number}]"
        if permit not in TYPES:
            message = f"permits are {', '.join(TYPES)}, not {permit!r}"
            yield Fault("PERMIT_UNKNOWN", path, message, "1862 §2.3")
        if permit in seen:
            yield Fault("PERMIT_TWICE", path, f"{permit} is named twice", "1862 §2.3")
        seen.add(permit)


def _home_faults(title: Title, company: CompanyState) -> Iterator[Fault]:
    """The home is printed; a client may name it but not choose it."""
    home = title.corporations[company.corporation]["home"]["hex"]
    if company.home is not None and (company.home.hex, company.home.city) != (home, 0):
        message = f"the home of {company.corporation} is city 0 of {home}"
        yield Fault("HOME_ELSEWHERE", "company.home", message, "1862 §1.2", company.home.hex)


def _marker_faults(title: Title, board: Board) -> Iterator[Fault]:
    """Every company has at most one marker in London and eight in all (1862 §8.5, §14.6)."""
    london = london_hexes(title)
    most = title.setup["station_tokens"]["max_with_option_eight_tokens"]
    linked: Counter[str] = Counter()
    placed: Counter[str] = Counter()
    for number, token in enumerate(board.state.tokens):
        path = f"board.tokens[{number}]"
        placed[token.corporation] += 1
        linked[token.corporation] += token.hex in london
        if token.hex in london and linked[token.corporation] == 2:
            message = f"{token.corporation} has two markers in {LONDON}"
            yield Fault("LONDON_TWICE", path, message, "1862 §8.5", token.hex)
        if placed[token.corporation] == most + 1:
            message = f"{token.corporation} has more than {most} markers"
            yield Fault("MARKERS_TOO_MANY", path, message, "1862 §1.3", token.hex)
