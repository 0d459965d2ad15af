"""What couples the routes of a run: the referee's side (COMMON §10.3, and what titles declare)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from engine.declared import options as o
from engine.declared.paying import Pay
from engine.declared.reading import Reading
from engine.declared.ride import Ride
from engine.errors import Fault
from engine.routing.run import Item, RouteVerdict, Run, Verdict


@dataclass(frozen=True)
class Paid:
    """A legal route and what it pays."""

    ride: Ride
    pay: Pay

    def more(self, name: str, amount: int, section: str) -> Paid:
        """Return the route with one more bonus."""
        item = Item("bonus", name, amount, section)
        pay = self.pay
        return Paid(self.ride, replace(pay, revenue=pay.revenue + amount, items=(*pay.items, item)))


def run_faults(reading: Reading, run: Run, rides: Sequence[Ride]) -> Iterator[Fault]:
    """Yield what the routes of a run must or may not do together."""
    goal = reading.position.company.goal
    for must in reading.of(o.MustRun):
        home = reading.position.company.home
        wanted = {home.hex if home else "", goal}
        if goal and rides and not any({s.hex for s in r.ends} == wanted for r in rides):
            message = f"one route must run from home to {goal}"
            yield Fault("GOAL_MISSING", "routes", message, must.when.section, goal)
    for once in reading.of(o.OncePerRun):
        there = [ride for ride in rides if any(s.hex == once.hex for s in ride.stops)]
        if reading.board.faces[once.hex].colour == once.while_colour and len(there) > 1:
            message = f"{len(there)} routes visit {once.hex}; one may while it is printed"
            yield Fault("PLACE_TWICE", there[1].path, message, once.when.section, once.hex)
    yield from _pullman_faults(reading, run, rides)


def _pullman_faults(reading: Reading, run: Run, rides: Sequence[Ride]) -> Iterator[Fault]:
    option = reading.one(o.Pullman)
    if option is None:
        return
    visited = {stop.id for ride in rides for stop in ride.stops if stop.kind in option.kinds}
    for number, route in enumerate(run.routes):
        face = reading.faces.get(route.train)
        if face is None or face.name != option.train:
            continue
        if len(route.stops) != 1 or route.legs or route.stops[0] not in visited:
            message = "a Pullman stands at one stop of another route of the run"
            yield Fault("PULLMAN_ALONE", f"routes[{number}].stops", message, option.when.section)


def settle(reading: Reading, run: Run, paid: Sequence[Paid]) -> Verdict:
    """Return the verdict on a legal run."""
    found = list(paid)
    for make in (_longest, _named_pairs, _connections):
        found = make(reading, found)
    by_train = {each.ride.route.train: each for each in found}
    verdicts = []
    for route in run.routes:
        each = by_train.get(route.train)
        verdicts.append(
            _pullman(reading, route.train, route.stops[0]) if each is None else _one(each)
        )
    revenue = sum(verdict.revenue for verdict in verdicts)
    items = list(_run_items(reading, verdicts))
    subsidy = sum(verdict.subsidy for verdict in verdicts)
    return Verdict(
        (), revenue + sum(item.amount for item in items), subsidy, tuple(verdicts), tuple(items)
    )


def _one(paid: Paid) -> RouteVerdict:
    stops = tuple(stop.id for stop in paid.pay.paying)
    pay = paid.pay
    return RouteVerdict(paid.ride.route.train, pay.revenue, pay.subsidy, stops, pay.items)


def _pullman(reading: Reading, train: str, stop_id: str) -> RouteVerdict:
    stop = reading.board.stops[stop_id]
    item = Item("stop", stop.id, stop.value, stop.name or stop.hex)
    return RouteVerdict(train, stop.value, 0, (stop.id,), (item,))


def _longest(reading: Reading, paid: list[Paid]) -> list[Paid]:
    """£ for each stop of the one route with most of them (1846 §3.6); a tie changes no sum."""
    for option in reading.of(o.Longest):
        counts = [_count(option, each.ride) for each in paid]
        if not counts or not max(counts):
            continue
        tied = [n for n, number in enumerate(counts) if number == max(counts)]
        chosen = tied[0]
        if option.count in ("visited", "paying_places"):
            chosen = max(tied, key=lambda n: paid[n].ride.route.train)
        amount = reading.amount(option.amount) * max(counts)
        paid[chosen] = paid[chosen].more("longest route", amount, option.when.section)
    return paid


def _count(option: o.Longest, ride: Ride) -> int:
    if option.count == "city":
        return sum(stop.kind == "city" for stop in ride.stops)
    if option.count == "paying_places":
        return min(ride.train.slots[0].pay, len(ride.stops))
    if option.count == "frames":
        hexes = ride.reading.board.atlas.hexes
        return len({f for s in ride.stops for f in hexes[s.hex].raw.get("frame", ())})
    return len(ride.stops)


def _named_pairs(reading: Reading, paid: list[Paid]) -> list[Paid]:
    """Each once a run, on the last route that visits all its hexes (18AL §3.2)."""
    for option in reading.of(o.BestRouteAllHexes):
        for ability in reading.position.company.abilities:
            if ability.kind not in option.abilities:
                continue
            fit = [
                n
                for n, each in enumerate(paid)
                if set(ability.hexes) <= {stop.hex for stop in each.ride.stops}
            ]
            if fit:
                paid[fit[-1]] = paid[fit[-1]].more(
                    ability.kind, ability.amount, option.when.section
                )
    return paid


def _connections(reading: Reading, paid: list[Paid]) -> list[Paid]:
    """Each open place once a run, for the first route listed that reaches it (18NY §4.2)."""
    for option in reading.of(o.ConnectionBonus):
        for place, stops in connection_places(reading, option):
            fit = [n for n, each in enumerate(paid) if stops & {s.id for s in each.pay.paying}]
            if fit:
                both = len(stops & {s.id for s in paid[fit[0]].pay.paying})
                amount = option.amount * both
                paid[fit[0]] = paid[fit[0]].more(f"connection {place}", amount, option.when.section)
    return paid


def connection_places(
    reading: Reading, option: o.ConnectionBonus
) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the open places with their stops (18NY §3.4)."""
    board = reading.board
    named = {hex_id.partition(":")[0] for place in option.red_places for hex_id in place}
    places = [*option.red_places, *((h,) for h in board.markers if h not in named)]
    for place in places:
        if option.marker in board.markers.get(place[0], ()):
            yield place[0], frozenset(s for part in place for s in _stops_at(reading, part))


def _stops_at(reading: Reading, part: str) -> Iterator[str]:
    hex_id, _, edge = part.partition(":")
    face = reading.board.faces.get(hex_id)
    for stop in () if face is None else face.stops:
        ends = [face.paths[n] for n, _ in face.by_stop[stop.index]] if face else []
        sides = {end.index for path in ends for end in (path.a, path.b) if end.kind == 0}
        if not edge or int(edge) in sides:
            yield reading.board.stop_at[hex_id, stop.index].id


def _run_items(reading: Reading, verdicts: Sequence[RouteVerdict]) -> Iterator[Item]:
    company = reading.position.company
    for least in reading.of(o.RunMinusLeast):
        bound = any(ability.kind == least.ability_type for ability in company.abilities)
        if bound and verdicts and len(verdicts) >= len(company.trains):
            lost = min(verdict.revenue for verdict in verdicts)
            yield Item("deduction", "least route", -lost, least.when.section)
    for added in reading.of(o.RunAdd):
        yield Item("constant", added.of, run_add(reading, added), added.when.section)


def run_add(reading: Reading, option: o.RunAdd) -> int:
    """Return what a run earns whatever runs (1858 §4.1, 18NY §4.1)."""
    company = reading.position.company
    if option.of == "ability_totals":
        return sum(a.total for a in company.abilities if a.kind in option.types)
    cards = reading.position.title.certificates
    owned = [cards[name] for name in company.privates if name in cards]
    phases = list(reading.position.title.phases)
    now = phases.index(reading.board.state.phase)
    total = 0
    for card in owned:
        if card.get("kind") in option.not_kind:
            continue
        revenue = card.get("revenue") or 0
        for ability in card.get("abilities", ()):
            changes = ability["type"] == "revenue_change" and ability.get("on_phase") in phases
            if changes and phases.index(ability["on_phase"]) <= now:
                revenue = ability["revenue"]
        total += revenue
    return total


Maker = Callable[[Reading, list[Paid]], list[Paid]]
