"""What a legal run pays (1822 §11.8, §11.11 to §11.15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.board.board import Stop
from engine.games.g1822.court import Case, Court
from engine.games.g1822.special import is_express, is_local
from engine.routing.run import Item, RouteVerdict, Verdict


def account(court: Court, cases: Sequence[Case]) -> Verdict:
    """Return the account of a legal run: its revenue, and the mail money as subsidy, in £."""
    bonuses = _bonuses(court, cases)
    paid = _paid_bonus(bonuses)
    mail = _mail(court, cases)
    routes = []
    for case in cases:
        items = list(_stop_items(court, case))
        paying = tuple(item.subject for item in items if item.kind == "stop")
        if case.number in bonuses:
            bonus = bonuses[case.number]
            items.append(bonus if case.number == paid else _unpaid(bonus))
        routes.append(
            RouteVerdict(
                train=case.traced.route.train,
                revenue=sum(item.amount for item in items),
                subsidy=mail.get(case.number, 0),
                paying=paying,
                items=tuple(items),
            )
        )
    return Verdict(
        revenue=sum(route.revenue for route in routes),
        subsidy=sum(mail.values()),
        routes=tuple(routes),
        items=tuple(_mail_item(cases[number], amount) for number, amount in mail.items()),
    )


def _stop_items(court: Court, case: Case) -> list[Item]:
    """One line per stop: what it earns for the train (1822 §11.2, §11.5, §11.13)."""
    express = is_express(case.kind)
    france = next((stop for stop in case.stops if stop.hex == court.special.france), None)
    items = []
    for stop in case.stops:
        name = stop.name or ""
        if express and not court.own(stop):
            items.append(Item("skipped", stop.id, 0, f"{name}: no token".lstrip(": ")))
        elif express:
            value = france.value if france and stop.hex == court.special.channel else stop.value
            items.append(Item("stop", stop.id, case.kind.multiplier * value, name))
        elif stop.hex == court.special.channel:
            items.append(Item("skipped", stop.id, 0, f"{name}: one stop with France"))
        else:
            items.append(Item("stop", stop.id, case.kind.multiplier * stop.value, name))
    return items


def _bonus_cities(court: Court) -> tuple[Stop, Stop] | None:
    """Return the cities of the home and the destination token, if both are placed."""
    refs = (court.position.company.home, court.position.company.destination)
    cities = [court.board.city_at(ref.hex, ref.city) for ref in refs if ref is not None]
    home, destination = cities if len(cities) == 2 else (None, None)
    return None if home is None or destination is None else (home, destination)


def _bonuses(court: Court, cases: Sequence[Case]) -> dict[int, Item]:
    """Return by route the destination bonus for which it qualifies (1822 §11.14)."""
    cities = _bonus_cities(court)
    if cities is None:
        return {}
    return {
        case.number: _bonus_item(cities[1], case)
        for case in cases
        if all(city in case.stops for city in cities)
    }


def _bonus_item(destination: Stop, case: Case) -> Item:
    return Item("bonus", destination.id, case.kind.multiplier * destination.value, "destination")


def _paid_bonus(bonuses: Mapping[int, Item]) -> int | None:
    """Return the route whose bonus is paid: the largest, of equals the last (1822 §11.14)."""
    return max(bonuses, key=lambda number: (bonuses[number].amount, number), default=None)


def _unpaid(bonus: Item) -> Item:
    return Item("counted elsewhere", bonus.subject, 0, "destination bonus of another train")


def _mail(court: Court, cases: Sequence[Case]) -> dict[int, int]:
    """Return by route the mail money of the best routes, in £ (1822 §11.15)."""
    worth = {
        case.number: (case.stops[0].value + case.stops[-1].value) // 2
        for case in cases
        if not is_local(case.kind)
    }
    ranked = sorted(worth, key=lambda number: (-worth[number], number))
    chosen = sorted(ranked[: court.position.company.mail_contracts])
    return {number: worth[number] for number in chosen}


def _mail_item(case: Case, amount: int) -> Item:
    ends = f"half of {case.stops[0].value} and {case.stops[-1].value}"
    return Item("mail", case.traced.route.train, amount, ends)
