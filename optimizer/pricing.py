"""What a run is worth by the words alone.

Plain code, written to be read beside :mod:`engine.routing.vocabulary`: no
bounds, no columns. Formulations and engines are tested against it, and it is
itself tested against the referees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from engine.errors import Fault
from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import (
    AtMostRoutes,
    BestBonus,
    Chains,
    Division,
    Echo,
    EndsSubsidy,
    GroupBonus,
    HexSubsidy,
    MustMeet,
    MustRun,
    MustVisit,
    OneOf,
    PaidOnce,
    SomeRoute,
    VisitBonus,
)
from optimizer.one_route import route_faults
from optimizer.route_pay import all_hold, bonuses, ways_to_pay
from optimizer.routes import routes_of
from optimizer.task import Weights


@dataclass(frozen=True, slots=True)
class Price:
    """What a run is worth by the words.

    Parameters
    ----------
    faults
        Everything that the words forbid; empty if the run may be run.
    revenue, subsidy
        £; 0 if there are faults.
    """

    faults: tuple[Fault, ...] = ()
    revenue: int = 0
    subsidy: int = 0

    @property
    def legal(self) -> bool:
        """True if there is no fault."""
        return not self.faults

    def value(self, weights: Weights) -> int:
        """Return the weighted value."""
        return weights.value(self.revenue, self.subsidy)


def price(problem: RoutingProblem, routes: Sequence[NetRoute]) -> Price:
    """Return what a run is worth, at the best listing order and choice of what pays.

    Where a route leaves open which stops are paid (``paid`` is None), the best
    choice over the whole run is taken.

    Complexity
    ----------
    Polynomial but for :class:`~engine.routing.vocabulary.GroupBonus` (3 to the
    number of routes) and :class:`~engine.routing.vocabulary.MustRun`, which
    enumerates the routes of a class with an idle train.
    """
    known = price_what_runs(problem, routes)
    if known.legal:
        for word in problem.words_of(MustRun):
            more = addable(problem, word, routes)
            if more is not None:
                message = f"train {more.train} stands idle although it can run"
                return Price((Fault("TRAIN_MUST_RUN", "", message),))
    return known


def price_what_runs(problem: RoutingProblem, routes: Sequence[NetRoute]) -> Price:
    """Return what a run is worth, whatever trains stand idle."""
    faults = [
        fault
        for number, route in enumerate(routes)
        for fault in route_faults(problem, route, f"routes[{number}]")
    ]
    if not faults:
        faults = [*_fleet_faults(problem, routes), *_track_faults(problem, routes)]
        faults += _word_faults(problem, routes)
    if faults:
        return Price(tuple(faults))
    settled = _paid_over_the_run(problem, routes)
    if settled is None:
        message = "the routes cannot be joined to chains that may run"
        return Price((Fault("CHAIN_IMPOSSIBLE", "", message),))
    own, subsidy = _chosen_for_the_run(problem, routes)
    revenue = problem.constant + settled[0] + own
    revenue += sum(_visit_bonus(word, routes) for word in problem.words_of(VisitBonus))
    revenue += sum(_group_bonus(word, routes) for word in problem.words_of(GroupBonus))
    revenue += sum(_echo(word, routes) for word in problem.words_of(Echo))
    subsidy += sum(_hexes(problem, word, routes) for word in problem.words_of(HexSubsidy))
    subsidy += sum(_ends(word, routes) for word in problem.words_of(EndsSubsidy))
    return Price((), revenue, subsidy)


# --- trains and track --------------------------------------------------------


def _fleet_faults(problem: RoutingProblem, routes: Sequence[NetRoute]) -> Iterator[Fault]:
    if max(Counter(route.train for route in routes).values(), default=0) > 1:
        yield Fault("TRAIN_TWICE", "", "a train runs two routes")
    carried = []
    for number, route in enumerate(routes):
        if route.train in problem.classes[route.cls].trains:
            continue
        options = carriages_for(problem, route)
        if not options:
            message = f"no train {route.train!r} runs as {problem.classes[route.cls].name}"
            yield Fault("TRAIN_WRONG", f"routes[{number}].train", message)
        else:
            carried.append(options)
    counts = [attachment.count for attachment in problem.attachments]
    if carried and not any(
        all(choice.count(a) <= counts[a] for a in set(choice)) for choice in product(*carried)
    ):
        yield Fault("ATTACHMENTS_TOO_MANY", "", "there are not as many carriages")


def carriages_for(problem: RoutingProblem, route: NetRoute) -> tuple[int, ...]:
    """Return the attachments that let the train of a route run as its class."""
    return tuple(
        number
        for number, attachment in enumerate(problem.attachments)
        if any(
            after == route.cls and route.train in problem.classes[before].trains
            for before, after in attachment.turns.items()
        )
    )


def taken(problem: RoutingProblem, route: NetRoute) -> frozenset[tuple[str, Hashable]]:
    """Return what a route keeps other trains from, with the track class it is taken in."""
    cls = problem.classes[route.cls]
    if cls.track is None:
        return frozenset()
    items = {("item", item) for leg in route.legs for item in problem.legs[leg].items}
    claims = {("claim", cls.claims[stop]) for stop in route.stops if stop in cls.claims}
    return frozenset((cls.track, what) for what in items | claims)


def _track_faults(problem: RoutingProblem, routes: Sequence[NetRoute]) -> Iterator[Fault]:
    used: set[tuple[str, Hashable]] = set()
    for number, route in enumerate(routes):
        mine = taken(problem, route)
        if not used.isdisjoint(mine):
            message = "two trains use one piece of track or claim one stop"
            yield Fault("TRACK_SHARED", f"routes[{number}].legs", message)
        used |= mine


# --- words that forbid -------------------------------------------------------


def _word_faults(problem: RoutingProblem, routes: Sequence[NetRoute]) -> Iterator[Fault]:
    for must in problem.words_of(MustVisit):
        if routes and all(must.stops.isdisjoint(route.stops) for route in routes):
            yield Fault("HOME_NOT_VISITED", "", "no route visits one of the stops of MustVisit")
    for meet in problem.words_of(MustMeet):
        if len(components([meet.stops & set(route.stops) for route in routes])) > 1:
            yield Fault("ROUTES_APART", "", "the routes do not meet")
    for one in problem.words_of(OneOf):
        marks = {m for route in routes for leg in route.legs for m in problem.legs[leg].marks}
        if len(marks & one.marks) > 1:
            yield Fault("MARKS_TOO_MANY", "", "track of which only one may be used")
    for some in problem.words_of(SomeRoute):
        if routes and not any(all_hold(some.tests, r, frozenset(r.stops)) for r in routes):
            yield Fault("COMPULSORY_ROUTE_MISSING", "", "no route does what one route must do")
    for most in problem.words_of(AtMostRoutes):
        if len(routes) > most.count:
            yield Fault("ROUTES_TOO_MANY", "", f"no more than {most.count} routes may run")


def components(sets: Sequence[Collection[int]]) -> list[set[int]]:
    """Divide sets, by their numbers, into those connected by common elements."""
    parts: list[tuple[set[int], set[int]]] = []
    for number, members in enumerate(sets):
        mine, elements = {number}, set(members)
        apart = []
        for part in parts:
            if part[1].isdisjoint(elements):
                apart.append(part)
            else:
                mine |= part[0]
                elements |= part[1]
        parts = [*apart, (mine, elements)]
    return [numbers for numbers, _ in parts]


def addable(problem: RoutingProblem, word: MustRun, routes: Sequence[NetRoute]) -> NetRoute | None:
    """Return a route that an idle train could run beside the others, or None."""
    running = {route.train for route in routes}
    for cls in sorted(word.classes):
        idle = [train for train in problem.classes[cls].trains if train not in running]
        if not idle:
            continue
        for plain in routes_of(problem, cls):
            more = plain.run_by(idle[0], cls)
            if price_what_runs(problem, (*routes, more)).legal:
                return more
    return None


# --- words that pay ----------------------------------------------------------


def _paid_over_the_run(
    problem: RoutingProblem, routes: Sequence[NetRoute]
) -> tuple[int, list[tuple[int, ...] | None]] | None:
    """Return what PaidOnce and Chains pay together in £, and the stops that routes choose.

    None if no chains are allowed.
    """
    once = problem.word(PaidOnce)
    chains = problem.word(Chains)
    chained = [r for r in routes if chains is not None and r.cls in chains.classes]
    ways: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    if chains is not None and chained:
        ends = [(r.stops[0], r.stops[-1]) for r in chained]
        divisions = chains.divide(ends, [r.cls for r in chained])
        ways = [
            way
            for division in sorted(divisions, key=repr)
            for way in chain_pays(chains, division, chained)
        ]
    best: tuple[int, list[tuple[int, ...] | None]] | None = None
    unchosen: list[tuple[int, ...] | None] = [None] * len(routes)
    for bonus, free in ways:
        amount, choice = coverage(once, routes, free) if once else (0, unchosen)
        if best is None or bonus + amount > best[0]:
            best = bonus + amount, choice
    return best


def with_choice(problem: RoutingProblem, routes: Sequence[NetRoute]) -> tuple[NetRoute, ...]:
    """Return a run that may run with the stops named that are to pay, where there is a choice."""
    settled = _paid_over_the_run(problem, routes)
    if settled is None:
        raise ValueError("the routes cannot be joined to chains that may run")
    return tuple(
        route if paid is None else replace(route, paid=paid)
        for route, paid in zip(routes, settled[1], strict=True)
    )


def chain_pays(
    word: Chains, division: Division, routes: Sequence[NetRoute]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the bonuses of the chains of a division in £, with the stops that pay.

    One for each choice of the stops that closed chains pay.
    """
    bonus = 0
    loose: list[int] = []
    closed: list[list[int]] = []
    for part in division:
        if part.loose:
            places = [word.place[stop, _by(routes[number], stop)] for number, stop in part.loose]
            bonus += word.bonus[places[0]][places[1]]
            loose.extend(stop for _, stop in part.loose)
        else:
            closed.append(sorted(part.closed))
    for chosen in product(*closed):
        more = sum(word.closed_bonus.get(stop, 0) for stop in chosen)
        yield bonus + more, (*loose, *chosen)


def _by(route: NetRoute, stop: int) -> int:
    return route.legs[0] if stop == route.stops[0] else route.legs[-1]


def coverage(
    word: PaidOnce, routes: Sequence[NetRoute], free: Sequence[int]
) -> tuple[int, list[tuple[int, ...] | None]]:
    """Return what :class:`~engine.routing.vocabulary.PaidOnce` pays at the best choice.

    Parameters
    ----------
    free
        Stops that pay besides (ends of chains).

    Returns
    -------
    amount, choice
        In £; for each route that leaves open what pays the stops to choose, else None.

    Notes
    -----
    Routes that choose what pays are slots of a bipartite matching; names that
    can be matched together form a matroid, so taking them by falling amount
    is exact.
    """
    paid = {word.payee[stop] for stop in free}
    slots: list[tuple[int, Mapping[str, int]]] = []
    choice: list[tuple[int, ...] | None] = [None] * len(routes)
    for number, route in enumerate(routes):
        if route.cls not in word.choose:
            continue
        always, limit, choices = word.choose[route.cls]
        paid |= {word.payee[stop] for stop in always.intersection(route.stops)}
        open_to = [stop for stop in route.stops if stop in choices]
        if route.paid is not None:
            paid |= {word.payee[stop] for stop in route.paid}
        elif len(open_to) <= limit:
            paid |= {word.payee[stop] for stop in open_to}
        else:
            names = {name: stop for stop in open_to if (name := word.payee[stop]) is not None}
            slots.extend([(number, names)] * limit)
            choice[number] = ()
    known = {name for name in paid if name is not None}
    wanted = {name for _, names in slots for name in names} - known
    matched = _matched(word.amount, wanted, [names.keys() for _, names in slots])
    for slot, name in matched.items():
        number, stop_of = slots[slot]
        choice[number] = tuple(sorted((*(choice[number] or ()), stop_of[name])))
    return sum(word.amount[name] for name in known.union(matched.values())), choice


def _matched(
    amount: Mapping[str, int], wanted: Collection[str], slots: Sequence[Collection[str]]
) -> dict[int, str]:
    """Return which name each slot counts, so that the names together pay most."""
    holder: dict[int, str] = {}

    def place(name: str, tried: set[int]) -> bool:
        for slot, names in enumerate(slots):
            if name in names and slot not in tried:
                tried.add(slot)
                if slot not in holder or place(holder[slot], tried):
                    holder[slot] = name
                    return True
        return False

    for name in sorted(wanted, key=lambda name: (-amount[name], name)):
        place(name, set())
    return holder


def _hexes(problem: RoutingProblem, word: HexSubsidy, routes: Sequence[NetRoute]) -> int:
    touched = {
        hex_id for route in routes if route.cls in word.classes for hex_id in hexes(problem, route)
    }
    return word.amount * len(touched)


def hexes(problem: RoutingProblem, route: NetRoute) -> frozenset[str]:
    """Return every hex that a route touches."""
    touched = {problem.stops[stop].hex for stop in route.stops}
    return frozenset(touched.union(*(problem.legs[leg].hexes for leg in route.legs)))


def _visit_bonus(word: VisitBonus, routes: Sequence[NetRoute]) -> int:
    gains = [word.amount.get(r.cls, 0) for r in routes if word.stops.issubset(r.stops)]
    return sum(sorted(gains, reverse=True)[: word.count])


def _chosen_for_the_run(problem: RoutingProblem, routes: Sequence[NetRoute]) -> tuple[int, int]:
    """Return what routes pay by themselves and as the best of the run, with the stops that pay
    chosen so that this is most revenue, then most subsidy."""
    words = problem.words_of(BestBonus)
    found = (0, 0)
    for number, own in enumerate(product(*(ways_to_pay(problem, route) for route in routes))):
        paying = [one.paying for one in own]
        revenue = sum(one.revenue for one in own)
        revenue += sum(_best_bonus(word, routes, paying) for word in words)
        way = (revenue, sum(one.subsidy for one in own))
        found = max(found, way) if number else way
    return found


def _best_bonus(
    word: BestBonus, routes: Sequence[NetRoute], paying: Sequence[frozenset[int]]
) -> int:
    gains = [
        sum(bonuses(word.bonuses.get(route.cls, ()), route, paid))
        for route, paid in zip(routes, paying, strict=True)
    ]
    return sum(sorted(gains, reverse=True)[: word.count])


def _echo(word: Echo, routes: Sequence[NetRoute]) -> int:
    return max((word.value.get(stop, 0) for r in routes for stop in r.stops), default=0)


def _ends(word: EndsSubsidy, routes: Sequence[NetRoute]) -> int:
    gains = [
        (word.value[r.stops[0]] + word.value[r.stops[-1]]) // word.divisor
        for r in routes
        if r.cls in word.classes
    ]
    return sum(sorted(gains, reverse=True)[: word.count])


def _group_bonus(word: GroupBonus, routes: Sequence[NetRoute]) -> int:
    nothing: frozenset[str] = frozenset()
    letters = [
        word.letters.get(r.stops[0], nothing) | word.letters.get(r.stops[-1], nothing)
        for r in routes
    ]
    touching = [word.touch.intersection(r.stops) for r in routes]

    def earns(part: Collection[int]) -> int:
        has = {letter for number in part for letter in letters[number]}
        return sum(amount for one, two, amount in word.pairs if one in has and two in has)

    if not word.best:
        return sum(earns(part) for part in components(touching))

    def best(left: frozenset[int]) -> int:
        if not left:
            return 0
        first = min(left)
        others = sorted(left - {first})
        found = 0
        for chosen in product((False, True), repeat=len(others)):
            part = [first, *(o for o, into in zip(others, chosen, strict=True) if into)]
            if len(components([touching[number] for number in part])) == 1:
                found = max(found, earns(part) + best(left.difference(part)))
        return found

    return best(frozenset(range(len(routes))))
