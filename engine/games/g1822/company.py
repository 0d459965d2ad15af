"""The state of a company in 1822: what can be wrong with it, and which of its trains run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from engine.board.board import Board, Stop
from engine.board.faces import Face, PathEnd
from engine.errors import Fault
from engine.games.g1822.special import is_express
from engine.routing.checks import foreign_fields
from engine.routing.run import CompanyState, TokenRef
from engine.titles.title import Title
from engine.titles.trains import TrainKind

KINDS = ("minor", "major")
FIELDS = ("kind", "home", "destination", "mail_contracts")
"""What is said of a company beside its letters and trains."""


def kind_of(title: Title, company: CompanyState) -> str:
    """Return ``minor`` or ``major`` (1822 §0.3)."""
    return str(title.corporations[company.corporation]["type"])


def runnable_kinds(title: Title, company: CompanyState) -> Mapping[str, TrainKind]:
    """Return by id the kind of each train that may run a route now (1822 §11.16).

    Carriages do not run, trains used up in this operating round do not, and a
    minor cannot use an E (1822 §11.13).
    """
    minor = kind_of(title, company) == "minor"
    kinds = {}
    for train in company.trains:
        kind = title.trains[train.name]
        if train.runnable and not kind.carriage and not (minor and is_express(kind)):
            kinds[train.id] = kind
    return kinds


def carriages(title: Title, company: CompanyState) -> int:
    """Return how many P+ the company has (1822 §11.12)."""
    return sum(title.trains[train.name].carriage for train in company.trains)


def company_faults(title: Title, board: Board, company: CompanyState) -> Iterator[Fault]:
    """Yield everything that is wrong with a company's state (1822 §1.7, §2.7, §10, §11.15).

    The company and its trains are known to exist in the game.
    """
    kind = kind_of(title, company)
    if company.kind not in ("", kind):
        message = f"{company.corporation} is a {kind}, not {company.kind!r}"
        yield Fault("COMPANY_KIND_WRONG", "company.kind", message, "1822 §1.7")
    yield from _age_faults(title, board, company)
    yield from _extra_train_faults(title, company)
    yield from _home_faults(title, board, company)
    yield from _destination_faults(title, board, company)
    yield from _mail_faults(title, company, kind)
    yield from foreign_fields(title.title, company, FIELDS)


def _age_faults(title: Title, board: Board, company: CompanyState) -> Iterator[Fault]:
    """A train of a past phase has rusted, one of a later phase was not yet sold (1822 §2)."""
    phases = list(title.phases)
    now = phases.index(board.state.phase)
    starts = _first_phases(title)
    for number, train in enumerate(company.trains):
        path = f"company.trains[{number}].name"
        kind = title.trains.get(train.name)
        if kind is None:
            message = f"trains of 1822 have no warranties, unlike {train.name!r}"
            yield Fault("TRAIN_UNKNOWN", path, message)
            continue
        if kind.rusts_on and phases.index(starts[kind.rusts_on]) <= now:
            message = f"{train.name} trains have rusted in phase {board.state.phase}"
            yield Fault("TRAIN_RUSTED", path, message, "1822 §2.4")
        if phases.index(starts.get(kind.name, starts.get(kind.card, phases[0]))) > now:
            message = f"no {train.name} train is to be had in phase {board.state.phase}"
            yield Fault("TRAIN_NOT_YET_SOLD", path, message, "1822 §2.1, §16")


def _first_phases(title: Title) -> dict[str, str]:
    """Return the first phase in which a company can have a train, by name or card.

    A train starts all phases that name it, so the last of them is meant; one
    that comes with a private is to be had when the private may be acquired.
    """
    found = {
        name: phase for phase, raw in title.phases.items() for name in raw["starts_with_first"]
    }
    for card in title.data("trains.json")["trains"]:
        for sym in card.get("granted_by", {}).get("certificates", ()):
            if sym in title.certificates:
                found[card["name"]] = title.certificates[sym]["acquisition"]["from_phase"]
    return found


def _extra_train_faults(title: Title, company: CompanyState) -> Iterator[Fault]:
    """At most one P+, and at most one of 2P and LP (1822 §2.7)."""
    granted: dict[str, Mapping[str, Any]] = {
        card["name"]: card["granted_by"]
        for card in title.data("trains.json")["trains"]
        if "max_per_company" in card.get("granted_by", {})
    }
    count = Counter(train.name for train in company.trains)
    for name, grant in granted.items():
        if count[name] > grant["max_per_company"]:
            message = f"a company has at most {grant['max_per_company']} {name}, not {count[name]}"
            yield Fault("TRAIN_TOO_MANY", "company.trains", message, "1822 §2.7")
        for other in grant.get("excludes", ()):
            if name < other and count[name] and count[other]:
                message = f"a company has a {name} or a {other}, not both"
                yield Fault("TRAINS_EXCLUDE", "company.trains", message, "1822 §2.7")


def _city(board: Board, ref: TokenRef) -> Stop | None:
    return board.city_at(ref.hex, ref.city)


def _is_printed_city(board: Board, hex_id: str, city: int, printed: int | None) -> bool:
    """Tell whether a city has become of the printed one; where a hex has several cities each
    keeps its side, however the tile is turned (1822 §9.10)."""
    face, old = board.faces[hex_id], board.atlas.hexes[hex_id].face
    if printed is None or len(face.cities) == 1 or not 0 <= city < len(face.cities):
        return printed in (None, city)
    return _ends_from(face, face.cities[city].index) == _ends_from(old, printed)


def _ends_from(face: Face, stop: int) -> set[PathEnd]:
    """Return where the paths at a stop lead."""
    paths = [(face.paths[number], which) for number, which in face.by_stop[stop]]
    return {path.a if which else path.b for path, which in paths}


def _home_faults(title: Title, board: Board, company: CompanyState) -> Iterator[Fault]:
    if company.home is None:
        if company.destination is not None:
            message = "a company with a destination token has placed its home token"
            yield Fault("HOME_NOT_STATED", "company.home", message, "1822 §10.2")
        return
    stop = _city(board, company.home)
    home = title.corporations[company.corporation]["home"]
    where, city = company.home.hex, company.home.city
    if where != home["hex"] or not _is_printed_city(board, where, city, home["stop"]):
        message = f"the home of {company.corporation} is not city {city} of {where}"
        yield Fault("HOME_ELSEWHERE", "company.home", message, "1822 §1.7", where)
    elif stop is None or not stop.has(company.corporation):
        message = f"{company.corporation} has no token in city {city} of {where}"
        yield Fault("HOME_WITHOUT_TOKEN", "company.home", message, "1822 §10.2", where)


def _destination_faults(title: Title, board: Board, company: CompanyState) -> Iterator[Fault]:
    placed = [
        token
        for token in board.state.tokens
        if token.corporation == company.corporation and token.kind == "destination"
    ]
    path = "company.destination"
    destination = title.corporations[company.corporation]["destination"]
    if company.destination is None:
        if placed:
            message = f"the destination token of {company.corporation} stands in {placed[0].hex}"
            yield Fault("DESTINATION_NOT_STATED", path, message, "1822 §10.4", placed[0].hex)
        return
    where = company.destination.hex
    if destination is None:
        message = f"{company.corporation} is a minor and has no destination"
        yield Fault("DESTINATION_OF_MINOR", path, message, "1822 §1.8", where)
    elif where != destination["hex"]:
        message = f"the destination of {company.corporation} is {destination['hex']}, not {where}"
        yield Fault("DESTINATION_ELSEWHERE", path, message, "1822 §1.7", where)
    elif all((token.hex, token.city) != (where, company.destination.city) for token in placed):
        message = f"{company.corporation} has no destination token in that city of {where}"
        yield Fault("DESTINATION_WITHOUT_TOKEN", path, message, "1822 §10.4", where)


def _mail_faults(title: Title, company: CompanyState, kind: str) -> Iterator[Fault]:
    contracts = [
        card
        for card in title.certificates.values()
        if any(ability["type"] == "mail_contract" for ability in card["abilities"])
    ]
    most = sum(kind in card["acquisition"]["by"] for card in contracts)
    if not 0 <= company.mail_contracts <= most:
        has = f"0 to {most} mail contracts, not {company.mail_contracts}" if most else "none"
        message = f"a {kind} has {has}"
        yield Fault("MAIL_CONTRACTS_WRONG", "company.mail_contracts", message, "1822 §11.15")
