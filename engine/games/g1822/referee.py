"""The referee of 1822: is a run legal, and what does it pay?

Works on the paths of the board, route by route, and knows neither the network
of the problem nor how a run was found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.errors import Fault
from engine.games.g1822.account import account
from engine.games.g1822.company import carriages
from engine.games.g1822.court import Case, Court
from engine.games.g1822.route_rules import route_faults
from engine.games.g1822.run_rules import run_faults
from engine.games.g1822.special import is_ordinary
from engine.routing.run import Route, Run, Train, Verdict
from engine.routing.track import trace
from engine.words import article

__all__ = ["Court", "verdict"]


def verdict(court: Court, run: Run) -> Verdict:
    """Judge a run (1822 §11.3 to §11.16).

    Returns
    -------
    Verdict
        With every fault of the run, or with what it pays: `revenue` the
        revenue of all routes, `subsidy` the mail money, both in £.
    """
    faults = list(_train_faults(court, run))
    cases: list[Case] = []
    for number, route in enumerate(run.routes):
        traced, wrong = trace(court.board, route, f"routes[{number}]")
        faults.extend(wrong)
        kind = court.kinds.get(route.train)
        if traced is not None and kind is not None:
            case = Case(number, kind, bool(route.attachment), traced)
            faults.extend(route_faults(court, case))
            cases.append(case)
    faults.extend(run_faults(court, cases))
    if faults:
        return Verdict(tuple(faults))
    return account(court, cases)


@dataclass(frozen=True, slots=True)
class _Owned:
    """The trains of the company by id, and its carriages."""

    trains: Mapping[str, Train]
    carriages: int


def _train_faults(court: Court, run: Run) -> Iterator[Fault]:
    """Which train runs which route, and which takes the carriage (1822 §11.12, §11.16)."""
    company = court.position.company
    owned = _Owned({t.id: t for t in company.trains}, carriages(court.title, company))
    count = Counter(route.train for route in run.routes)
    attached = 0
    for number, route in enumerate(run.routes):
        path = f"routes[{number}]"
        yield from _train_fault(court, owned, route, f"{path}.train")
        if count[route.train] > 1:
            message = f"train {route.train} runs {count[route.train]} routes"
            yield Fault("TRAIN_TWICE", f"{path}.train", message, "1822 §11.17")
        if route.paid is not None:
            message = "every stop of a route pays; there is nothing to choose"
            yield Fault("PAID_NOT_CHOSEN", f"{path}.paid", message, "1822 §11.8")
        if route.attachment:
            attached += 1
            yield from _carriage_faults(court, owned, route, attached, f"{path}.attachment")


def _train_fault(court: Court, owned: _Owned, route: Route, path: str) -> Iterator[Fault]:
    train = owned.trains.get(route.train)
    if train is None:
        message = f"{court.corporation} has no train {route.train!r}"
        yield Fault("TRAIN_NOT_OWNED", path, message, "1822 §11.16")
        return
    if route.train in court.kinds:
        return
    kind = court.title.trains[train.name]
    if kind.carriage:
        message, section = f"{article(train.name)} does not run by itself", "1822 §11.12"
    elif not train.runnable:
        message, section = f"train {train.id} is used up in this round", "1822 §11.16"
    else:
        message, section = "a minor cannot use an E", "1822 §11.13"
    yield Fault("TRAIN_NOT_RUNNABLE", path, message, section)


def _carriage_faults(
    court: Court, owned: _Owned, route: Route, attached: int, path: str
) -> Iterator[Fault]:
    section = "1822 §11.12"
    kind = court.title.trains.get(route.attachment)
    if kind is None or not kind.carriage:
        message = f"there is no carriage {route.attachment!r}"
        yield Fault("ATTACHMENT_UNKNOWN", path, message, section)
    elif attached > owned.carriages:
        message = f"{court.corporation} has {owned.carriages} {route.attachment}"
        yield Fault("ATTACHMENT_NOT_OWNED", path, message, section)
    train = court.kinds.get(route.train)
    if train is not None and not is_ordinary(train):
        message = f"a carriage cannot be attached to {article(train.name)}"
        yield Fault("ATTACHMENT_NOT_ALLOWED", path, message, section)
