"""The statement of the problem of 18GB: what the director decides (18GB §11.9).

Shares no code with the referee but the reading of what is printed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import gcd

from engine.board.board import Board, Stop
from engine.board.legs import Leg, find_legs
from engine.games.g18gb.listing import Listing
from engine.games.g18gb.printed import (
    TOWN,
    Distance,
    bonuses_that_count,
    compass_letters,
    compass_pairs,
    distance_of,
)
from engine.games.g18gb.profile import CompassSets, Profile18GB
from engine.routing.network import net_leg, reach
from engine.routing.problem import RoutingProblem
from engine.routing.run import Position, Run, Verdict
from engine.routing.vocabulary import (
    Budget,
    GroupBonus,
    NetLeg,
    NetStop,
    Pay,
    Reach,
    Span,
    TrainClass,
)
from engine.titles.trains import TrainKind

TRACK = "all"
"""One track class: no two trains of a run share a hex side (18GB §11.7)."""


def state_problem(
    profile: Profile18GB, position: Position, judge: Callable[[Run], Verdict]
) -> RoutingProblem:
    """State what the director decides.

    Parameters
    ----------
    profile
        The reading of the rules.
    position
        Board and company.
    judge
        The referee, for the optimizer to check its answers.

    Returns
    -------
    RoutingProblem
        Its network holds what the company can reach.
    """
    network = _network(position)
    classes = _classes(profile, position, network)
    bonus = _compass(profile, position, network)
    best = bonus is not None and bonus.best
    listing = Listing(
        board=position.board,
        letters=compass_letters(position.board.atlas),
        pairs=bonus.pairs if bonus is not None and best else (),
    )
    return RoutingProblem(
        position=position,
        stops=tuple(NetStop(s.id, s.hex, s.point, s.kind, s.name or s.hex) for s in network.stops),
        legs=network.legs,
        classes=classes,
        words=() if bonus is None else (bonus,),
        judge=judge,
        ordered=best,
        step=_step(classes, bonus),
        order=listing,
    )


@dataclass(frozen=True, slots=True)
class _Network:
    """Stops within reach, and the legs between them."""

    stops: tuple[Stop, ...]
    legs: tuple[NetLeg, ...]


def _network(position: Position) -> _Network:
    """Collect what a walk from the company's tokens can visit (18GB §11.1)."""
    board = position.board
    legs = find_legs(board)
    corporation = position.company.corporation
    own = {stop.id for stop in board.token_stops(corporation)}
    ends = [(leg.a, leg.b) for leg in legs]
    reached = reach(ends, own, lambda stop: board.stops[stop].passable(corporation))
    stops = tuple(stop for stop in board.stops.values() if stop.id in reached.stops)
    number = {stop.id: place for place, stop in enumerate(stops)}
    used = (legs[place] for place in reached.legs)
    return _Network(stops, tuple(_net_leg(board, leg, number) for leg in used))


def _net_leg(board: Board, leg: Leg, number: dict[str, int]) -> NetLeg:
    ends = (board.stops[leg.a].hex, board.stops[leg.b].hex)
    return net_leg((leg,), number, ((hex_id, side) for hex_id, side, *_ in leg.sides), ends)


def _classes(profile: Profile18GB, position: Position, network: _Network) -> tuple[TrainClass, ...]:
    """One class for each kind of train; N+M trains pay alike, and so do X trains."""
    trains: dict[str, list[str]] = {}
    for train in position.company.trains:
        if train.runnable:
            trains.setdefault(train.name, []).append(train.id)
    pays: dict[tuple[bool, int], Pay] = {}
    classes: list[TrainClass] = []
    for name, ids in trains.items():
        kind = position.title.trains[name]
        distance = distance_of(kind)
        family = (distance.pays_towns, kind.per_hex_bonus)
        if family not in pays:
            pays[family] = _pay(position, network, distance, kind)
        reach = _reach(profile, position, network, distance)
        classes.append(TrainClass(name, tuple(ids), reach, pays[family], TRACK))
    return tuple(classes)


def _reach(
    profile: Profile18GB, position: Position, network: _Network, distance: Distance
) -> Reach:
    corporation = position.company.corporation
    stops = list(enumerate(network.stops))
    everywhere = frozenset(number for number, _ in stops)
    return Reach(
        visits=everywhere,
        through=frozenset(number for number, stop in stops if stop.passable(corporation)),
        ends=everywhere,
        own=frozenset(number for number, stop in stops if stop.has(corporation)),
        budgets=_budgets(profile, network, distance),
    )


def _budgets(profile: Profile18GB, network: _Network, distance: Distance) -> tuple[Budget, ...]:
    """18GB §11.3: cities, and for N+M trains towns or all stops."""
    towns = tuple(int(stop.kind == TOWN) for stop in network.stops)
    cities = Budget(distance.cities, tuple(1 - town for town in towns))
    if distance.towns is None:
        return (cities,)
    if profile.towns_in_city_spaces:
        return cities, Budget(distance.cities + distance.towns, (1,) * len(towns))
    return cities, Budget(distance.towns, towns)


def _pay(position: Position, network: _Network, distance: Distance, kind: TrainKind) -> Pay:
    """18GB §11.4. Stops of one hex pay once, the best: the values of cities in one hex are
    equal, and Hull and Grimsby are ends, so that the director may read from the better one."""
    bonus = {b.hex: b.amount for b in bonuses_that_count(position.company)}
    paying = [stop.kind != TOWN or distance.pays_towns for stop in network.stops]
    by_hex: dict[str, set[int]] = defaultdict(set)
    for number, stop in enumerate(network.stops):
        if paying[number]:
            by_hex[stop.hex].add(number)
    counting = frozenset(n for n, stop in enumerate(network.stops) if stop.kind != TOWN)
    rate = kind.per_hex_bonus
    return Pay(
        stops=tuple(
            stop.value + bonus.get(stop.hex, 0) if pays else 0
            for stop, pays in zip(network.stops, paying, strict=True)
        ),
        legs=_estuaries(position.board, network),
        once=tuple(frozenset(stops) for stops in by_hex.values() if len(stops) > 1),
        span=Span(rate, counting) if rate else None,
    )


def _estuaries(board: Board, network: _Network) -> tuple[int, ...]:
    """£ of each leg by the special track on it (18GB §11.6); empty if there is none."""
    paid = tuple(
        sum(
            board.faces[ref.hex].bonuses[ref.path][1]
            for part in leg.parts
            for ref in part.paths
            if ref.path in board.faces[ref.hex].bonuses
        )
        for leg in network.legs
    )
    return paid if any(paid) else ()


def _compass(profile: Profile18GB, position: Position, network: _Network) -> GroupBonus | None:
    """18GB §11.8, with the pairs of letters that are both within reach; None if none is."""
    board = position.board
    printed = compass_letters(board.atlas)
    letters = {n: printed[s.hex] for n, s in enumerate(network.stops) if s.hex in printed}
    within = frozenset(letter for found in letters.values() for letter in found)
    pairs = tuple(
        pair
        for pair in compass_pairs(board.atlas, board.state.phase)
        if pair[0] in within and pair[1] in within
    )
    if not pairs:
        return None
    return GroupBonus(
        letters=letters,
        pairs=pairs,
        touch=frozenset(n for n, stop in enumerate(network.stops) if stop.kind != "offboard"),
        best=profile.compass_sets is CompassSets.BEST_PARTITION,
    )


def _step(classes: Sequence[TrainClass], bonus: GroupBonus | None) -> int:
    """Return the greatest amount of which everything that can be paid is a multiple."""
    amounts = [amount for cls in classes for amount in (*cls.pay.stops, *cls.pay.legs)]
    amounts += [cls.pay.span.rate for cls in classes if cls.pay.span]
    amounts += [amount for _, _, amount in (bonus.pairs if bonus else ())]
    return gcd(*amounts) or 1
