"""What can be wrong with a company or a run in any game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import fields

from engine.errors import Fault
from engine.routing.run import CompanyState, Run


def foreign_fields(title: str, company: CompanyState, used: Collection[str]) -> Iterator[Fault]:
    """Yield a fault for every field of a company that its game does not use.

    Parameters
    ----------
    used
        The fields that it uses beside corporation and trains.
    """
    for field in fields(CompanyState):
        if field.name in ("corporation", "trains") or field.name in used:
            continue
        if getattr(company, field.name) != field.default:
            message = f"{title} does not use this field; leave it out"
            yield Fault("FIELD_NOT_IN_GAME", f"company.{field.name}", message)


def idle_faults(company: CompanyState, run: Run, section: str) -> Iterator[Fault]:
    """Yield a fault for every route of a train that may not run now.

    Parameters
    ----------
    section
        The rule that says which trains run.
    """
    idle = {train.id for train in company.trains if not train.runnable}
    for number, route in enumerate(run.routes):
        if route.train in idle:
            message = f"{route.train} may not run now"
            yield Fault("TRAIN_NOT_RUNNABLE", f"routes[{number}].train", message, section)


def ownership_faults(company: CompanyState, run: Run, section: str) -> Iterator[Fault]:
    """Yield a fault for every route of a train that the company has not got, or that has
    a route already.

    Parameters
    ----------
    section
        The rule that each own train runs at most one route.
    """
    owned = [train.id for train in company.trains]
    used: Counter[str] = Counter()
    for number, route in enumerate(run.routes):
        path = f"routes[{number}].train"
        used[route.train] += 1
        if route.train not in owned:
            known = ", ".join(owned) or "none"
            message = f"the company has no train {route.train!r}; it has {known}"
            yield Fault("TRAIN_NOT_OWNED", path, message, section)
        if used[route.train] == 2:
            message = f"{route.train} has more than one route"
            yield Fault("TRAIN_TWICE", path, message, section)
