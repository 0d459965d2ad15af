"""A caller's wishes, written into the problem so that no algorithm need know of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.errors import Fault
from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.run import Route, Run
from engine.routing.vocabulary import (
    Attachment,
    BestBonus,
    Chains,
    Division,
    Echo,
    EndsSubsidy,
    Has,
    HexSubsidy,
    MustRun,
    Of,
    PaidOnce,
    SomeRoute,
    TrainClass,
    VisitBonus,
    Word,
)
from optimizer.errors import WishesError
from optimizer.network_map import NetworkMap
from optimizer.one_route import route_faults
from optimizer.pricing import price
from optimizer.solution import Wishes

RUN_FAULTS = (
    *("HOME_NOT_VISITED", "ROUTES_APART", "CHAIN_IMPOSSIBLE", "TRAIN_MUST_RUN"),
    "COMPULSORY_ROUTE_MISSING",
)
"""What may be wrong with pinned routes alone and right once others run beside them."""


@dataclass(frozen=True)
class Asked:
    """A problem under wishes.

    Parameters
    ----------
    problem
        The problem without what the wishes exclude.
    pinned
        The routes that must run.
    allowed
        Says of a route of the board whether the wishes let it run; None: all.
    """

    problem: RoutingProblem
    pinned: tuple[NetRoute, ...] = ()
    allowed: Callable[[Route], bool] | None = None


def apply_wishes(problem: RoutingProblem, wishes: Wishes) -> Asked:
    """Return the problem that is left to solve.

    Raises
    ------
    WishesError
        The wishes name what does not exist, contradict each other, or pin
        routes that the rules forbid. Codes: ``TRAIN_UNKNOWN``, ``HEX_UNKNOWN``,
        ``STOP_UNKNOWN``, ``ATTACHMENT_UNKNOWN``, ``ATTACHMENT_NOT_ALLOWED``,
        ``WISHES_CONTRADICT``, ``ROUTE_NOT_IN_NETWORK``, and those of the
        referee for pinned routes.
    """
    if not wishes:
        return Asked(problem)
    faults = [*_unknown(problem, wishes), *_contradictions(wishes)]
    if faults:
        raise WishesError(faults)
    free, echoes = _told_apart(problem, wishes.pinned)
    pinned = _pinned(problem, free)
    left = _restricted(_attached(_without(problem, wishes.idle), wishes.attach), wishes)
    left = _echoing(problem, left, echoes)
    for number, route in enumerate(pinned):
        if route.train not in _trains_as(left, route.cls):
            message = f"train {route.train} cannot run as {problem.classes[route.cls].name}"
            path = f"wishes.pinned[{number}]"
            faults.append(Fault("WISHES_CONTRADICT", path, f"{message} under the other wishes"))
    if faults:
        raise WishesError(faults)
    for number, route in enumerate(pinned):
        if any(route_faults(left, route, "")):
            left, pinned[number] = _excepted(problem, left, route)
    allowed = _Avoiding(problem, wishes) if wishes.avoid_hexes or wishes.avoid_stops else None
    return Asked(left, tuple(pinned), allowed)


def impossible() -> Fault:
    """Return the fault of pinned routes beside which no legal run can be made."""
    message = "no legal run holds all pinned routes"
    return Fault("PINNED_IMPOSSIBLE", "wishes.pinned", message)


# --- what is wrong with wishes -----------------------------------------------


def _unknown(problem: RoutingProblem, wishes: Wishes) -> Iterator[Fault]:
    board = problem.position.board
    trains = {train.id for train in problem.position.company.trains}
    for train in sorted(wishes.idle - trains):
        yield Fault("TRAIN_UNKNOWN", "wishes.idle", f"the company has no train {train!r}")
    for hex_id in sorted(wishes.avoid_hexes - board.faces.keys()):
        yield Fault("HEX_UNKNOWN", "wishes.avoid_hexes", f"the map has no hex {hex_id!r}")
    for stop in sorted(wishes.avoid_stops - board.stops.keys()):
        yield Fault("STOP_UNKNOWN", "wishes.avoid_stops", f"the board has no stop {stop!r}")
    for name, train in sorted(wishes.attach.items()):
        path = f"wishes.attach[{name!r}]"
        kinds = [attachment for attachment in problem.attachments if attachment.name == name]
        if not kinds:
            message = f"the company has no carriage {name!r} that a train could take"
            yield Fault("ATTACHMENT_UNKNOWN", path, message)
        elif train and train not in trains:
            yield Fault("TRAIN_UNKNOWN", path, f"the company has no train {train!r}")
        elif train and not any(
            train in problem.classes[before].trains for kind in kinds for before in kind.turns
        ):
            yield Fault("ATTACHMENT_NOT_ALLOWED", path, f"train {train} cannot take a {name}")


def _contradictions(wishes: Wishes) -> Iterator[Fault]:
    for number, route in enumerate(wishes.pinned):
        if route.train in wishes.idle:
            message = f"train {route.train} is to stand still"
            yield Fault("WISHES_CONTRADICT", f"wishes.pinned[{number}].train", message)
    for name, train in sorted(wishes.attach.items()):
        if train in wishes.idle:
            message = f"train {train} is to stand still and to take the {name}"
            yield Fault("WISHES_CONTRADICT", f"wishes.attach[{name!r}]", message)


def _told_apart(
    problem: RoutingProblem, routes: Sequence[Route]
) -> tuple[list[Route], dict[str, int]]:
    """Return the pinned routes without those of echoing trains, and the stops of these by train."""
    trains = {word.train for word in problem.words_of(Echo)}
    numbers = {stop.id: number for number, stop in enumerate(problem.stops)}
    echoes: dict[str, int] = {}
    faults = []
    for number, route in enumerate(routes):
        if route.train not in trains:
            continue
        path = f"wishes.pinned[{number}]"
        known = len(route.stops) == 1 and not route.legs and route.stops[0] in numbers
        if known and route.train not in echoes:
            echoes[route.train] = numbers[route.stops[0]]
        else:
            message = f"train {route.train} runs to one stop of the network, once"
            faults.append(Fault("ROUTE_NOT_IN_NETWORK", path, message))
    if faults:
        raise WishesError(faults)
    return [route for route in routes if route.train not in trains], echoes


def _echoing(
    problem: RoutingProblem, left: RoutingProblem, echoes: Mapping[str, int]
) -> RoutingProblem:
    """Bind echoing trains to the stops to which they are pinned: some route visits these."""
    values = {word.train: word.value for word in problem.words_of(Echo)}
    words: list[Word] = [w for w in left.words if not (isinstance(w, Echo) and w.train in echoes)]
    for train, stop in echoes.items():
        words.append(Echo(train, {stop: values[train].get(stop, 0)}))
        words.append(SomeRoute((Has(Of.VISITED, frozenset({stop})),)))
    return replace(left, words=tuple(words))


def _pinned(problem: RoutingProblem, routes: Sequence[Route]) -> list[NetRoute]:
    """Return pinned routes as routes of the network; WishesError if the rules forbid them."""
    if not routes:
        return []
    network = NetworkMap(problem)
    found: list[NetRoute] = []
    faults: list[Fault] = []
    for number, route in enumerate(routes):
        verdict = problem.judge(Run((route,)))
        own = [_at(fault, number) for fault in verdict.faults if fault.path.startswith("routes[0]")]
        mapped = network.find(route)
        if mapped is not None:
            mapped = mapped if mapped.paid else replace(mapped, paid=None)
            path = f"wishes.pinned[{number}]"
            own = own or list(route_faults(problem, mapped, path))
            own = own or list(_open_choice(problem, mapped, path))
            found.append(mapped)
        elif not own:
            message = "the route is legal but never better than others, and cannot be pinned"
            own = [Fault("ROUTE_NOT_IN_NETWORK", f"wishes.pinned[{number}]", message)]
        faults.extend(own)
    if not faults:
        known = price(problem, found)
        faults = [_listed(fault) for fault in known.faults if fault.code not in RUN_FAULTS]
    if faults:
        raise WishesError(faults)
    return found


def _open_choice(problem: RoutingProblem, route: NetRoute, path: str) -> Iterator[Fault]:
    """A route names all stops that it is to pay, or none."""
    word = problem.word(PaidOnce)
    if route.paid is None or word is None or route.cls not in word.choose:
        return
    _, limit, choice = word.choose[route.cls]
    most = min(limit, len(choice.intersection(route.stops)))
    if len(choice.intersection(route.paid)) < most:
        message = f"the route names all {most} stops that are to pay, or none"
        yield Fault("PAID_TOO_FEW", f"{path}.paid", message)


def _at(fault: Fault, number: int) -> Fault:
    return replace(fault, path=f"wishes.pinned[{number}]{fault.path.removeprefix('routes[0]')}")


def _listed(fault: Fault) -> Fault:
    return replace(fault, path=f"wishes.pinned{fault.path.removeprefix('routes')}")


# --- taking out --------------------------------------------------------------


def _without(problem: RoutingProblem, idle: frozenset[str]) -> RoutingProblem:
    classes = [
        replace(cls, trains=tuple(train for train in cls.trains if train not in idle))
        for cls in problem.classes
    ]
    words = tuple(w for w in problem.words if not (isinstance(w, Echo) and w.train in idle))
    return replace(problem, classes=tuple(classes), words=words)


def _attached(problem: RoutingProblem, attach: Mapping[str, str]) -> RoutingProblem:
    """Give carriages to the trains that are to take them, and to no other."""
    for name, train in sorted(attach.items()):
        kinds = [a for a in problem.attachments if a.name == name]
        others = tuple(a for a in problem.attachments if a.name != name)
        problem = replace(problem, attachments=others)
        if not train:
            continue
        kind, before = next(
            (kind, before)
            for kind in kinds
            for before in kind.turns
            if train in problem.classes[before].trains
        )
        nowhere = replace(problem.classes[before].reach, visits=frozenset())
        problem, number = add_class(
            _without(problem, frozenset([train])), before, trains=(train,), reach=nowhere
        )
        given = Attachment(name, 1, {number: kind.turns[before]})
        left = [replace(a, count=a.count - (a is kind)) for a in kinds]
        kept = tuple(a for a in left if a.count > 0)
        problem = replace(problem, attachments=(*problem.attachments, given, *kept))
    return problem


def _restricted(problem: RoutingProblem, wishes: Wishes) -> RoutingProblem:
    """Take the stops and legs to avoid out of the reach of every class."""
    if not wishes.avoid_hexes and not wishes.avoid_stops:
        return problem
    stops = frozenset(
        number
        for number, stop in enumerate(problem.stops)
        if stop.hex in wishes.avoid_hexes or stop.id in wishes.avoid_stops
    )
    legs = frozenset(
        number
        for number, leg in enumerate(problem.legs)
        if leg.hexes.isdisjoint(wishes.avoid_hexes)
        and not any({part.a, part.b} & wishes.avoid_stops for part in leg.parts)
    )
    classes = []
    for cls in problem.classes:
        usable = legs if cls.reach.legs is None else legs & cls.reach.legs
        reach = replace(
            cls.reach,
            visits=cls.reach.visits - stops,
            through=cls.reach.through - stops,
            ends=cls.reach.ends - stops,
            legs=usable,
        )
        classes.append(replace(cls, reach=reach))
    words = tuple(
        replace(word, value={s: v for s, v in word.value.items() if s not in stops})
        if isinstance(word, Echo)
        else word
        for word in problem.words
    )
    return replace(problem, classes=tuple(classes), words=words)


def _excepted(
    problem: RoutingProblem, left: RoutingProblem, route: NetRoute
) -> tuple[RoutingProblem, NetRoute]:
    """Give the train of a pinned route a class of its own, with the reach as it was."""
    before = next(n for n, cls in enumerate(left.classes) if route.train in cls.trains)
    reach = problem.classes[route.cls].reach
    left = _without(left, frozenset([route.train]))
    if route.train in problem.classes[route.cls].trains:
        left, number = add_class(left, route.cls, trains=(route.train,), reach=reach)
        return left, replace(route, cls=number)
    kind = next((a for a in left.attachments if a.turns.get(before) == route.cls), None)
    left, source = add_class(left, before, trains=(route.train,), reach=left.classes[before].reach)
    if kind is None:
        return left, route
    left, number = add_class(left, route.cls, trains=(), reach=reach)
    given = Attachment(kind.name, 1, {source: number})
    others = [replace(a, count=a.count - (a is kind)) for a in left.attachments]
    kept = tuple(a for a in others if a.count > 0)
    return replace(left, attachments=(*kept, given)), replace(route, cls=number)


def _trains_as(problem: RoutingProblem, cls: int) -> set[str]:
    """Return the trains that may run as a class."""
    trains = set(problem.classes[cls].trains)
    for attachment in problem.attachments:
        for before, after in attachment.turns.items():
            if after == cls:
                trains |= set(problem.classes[before].trains)
    return trains


@dataclass(frozen=True)
class _Avoiding:
    """Tells whether a route of the board keeps off what is to be avoided."""

    problem: RoutingProblem
    wishes: Wishes

    def __call__(self, route: Route) -> bool:
        stops = self.problem.position.board.stops
        hexes = {stops[name].hex for name in route.stops}
        hexes |= {ref.hex for leg in route.legs for ref in leg}
        return self.wishes.avoid_hexes.isdisjoint(hexes) and self.wishes.avoid_stops.isdisjoint(
            route.stops
        )


# --- one class more ----------------------------------------------------------


def add_class(problem: RoutingProblem, like: int, **changes: object) -> tuple[RoutingProblem, int]:
    """Return the problem with one more class, which all words treat like another.

    Parameters
    ----------
    like
        Number of the other class.
    changes
        Fields of the new class that differ.

    Returns
    -------
    problem, number
        And the number of the new class.
    """
    number = len(problem.classes)
    new: TrainClass = replace(problem.classes[like], **changes)  # type: ignore[arg-type]
    words = tuple(_with_class(word, number, like) for word in problem.words)
    return replace(problem, classes=(*problem.classes, new), words=words), number


def _with_class(word: Word, number: int, like: int) -> Word:
    if isinstance(word, PaidOnce) and like in word.choose:
        return replace(word, choose={**word.choose, number: word.choose[like]})
    if isinstance(word, VisitBonus) and like in word.amount:
        return replace(word, amount={**word.amount, number: word.amount[like]})
    if isinstance(word, BestBonus) and like in word.bonuses:
        return replace(word, bonuses={**word.bonuses, number: word.bonuses[like]})
    if isinstance(word, HexSubsidy | EndsSubsidy | MustRun) and like in word.classes:
        return replace(word, classes=word.classes | {number})
    if isinstance(word, Chains) and like in word.classes:
        binding = word.binding | {number} if like in word.binding else word.binding
        return replace(
            word,
            classes=word.classes | {number},
            binding=binding,
            divide=_DivideLike(word.divide, number, like),
        )
    return word


@dataclass(frozen=True)
class _DivideLike:
    """The rule of chains, for one class more."""

    divide: Callable[[Sequence[tuple[int, int]], Sequence[int]], frozenset[Division]]
    number: int
    like: int

    def __call__(
        self, ends: Sequence[tuple[int, int]], classes: Sequence[int]
    ) -> frozenset[Division]:
        return self.divide(ends, [self.like if c == self.number else c for c in classes])
