"""What the director of an 1862 company decides, in the words of the vocabulary (1862 §10.8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from engine.board.board import Board, Stop
from engine.board.geometry import Point, distance
from engine.board.legs import Leg, find_legs
from engine.errors import Fault, StateError
from engine.games.g1862.court import Court, counts_for, main_slot
from engine.games.g1862.listing import MOST_RUNS, ChainRule, best_order, divisions
from engine.games.g1862.profile import FreightChaining, FreightDistance, Profile1862
from engine.games.g1862.stations import (
    CHAINING_BANDS,
    EXPRESS,
    FREIGHT,
    LOCAL,
    Station,
    entries_of,
    is_area,
    is_large,
    is_london,
    is_port,
    name_of,
)
from engine.routing.network import net_leg
from engine.routing.problem import RoutingProblem
from engine.routing.run import Position, Run, Train, Verdict
from engine.routing.vocabulary import (
    AtMostOne,
    Budget,
    Chains,
    Division,
    HexSubsidy,
    MustMeet,
    MustRun,
    MustVisit,
    NetLeg,
    NetStop,
    PaidOnce,
    Pay,
    Reach,
    TrainClass,
    Word,
)
from engine.titles.trains import TrainKind

STEP = 10
"""Revenues are multiples of £10 (1862 §0.3)."""


def state_problem(
    profile: Profile1862, position: Position, judge: Callable[[Run], Verdict]
) -> RoutingProblem:
    """State what the director decides.

    Parameters
    ----------
    profile
        The reading of the rules. The choice of what counts is always the exact
        one (1862 D19); the routes of the answer say what they count.
    position
        Board and company.
    judge
        The referee.

    Returns
    -------
    RoutingProblem
        Without classes if the home marker is not on the board: then nothing
        may run (1862 S1).

    Raises
    ------
    StateError
        The company has more Freights than can be put in order.
    """
    statement = _Statement(profile, position)
    binding = {
        train.id: kind.card in CHAINING_BANDS
        for kind, trains in statement.kinds.values()
        for train in trains
        if kind.kind == FREIGHT
    }
    if len(binding) > MOST_RUNS:
        message = f"{len(binding)} Freights are more than the {MOST_RUNS} that can be put in order"
        raise StateError([Fault("FREIGHTS_TOO_MANY", "company.trains", message, "1862 §10.5.6")])
    order = partial(best_order, statement.chain_rule, binding=binding, judge=judge)
    return RoutingProblem(
        position=position,
        stops=tuple(statement.net_stop(stop) for stop in statement.stops),
        legs=tuple(statement.net_leg(leg) for leg in statement.legs),
        classes=tuple(statement.train_classes()),
        words=tuple(statement.words()),
        judge=judge,
        ordered=len(binding) > 1,
        step=STEP,
        order=order if len(binding) > 1 else None,
    )


@dataclass(frozen=True, slots=True)
class _Place:
    """What an end of a chain is, as far as the bonus goes."""

    points: tuple[Point, ...]
    area: bool
    port: bool


class _Statement:
    """The numbers of stops, legs and classes, and what is said of them."""

    def __init__(self, profile: Profile1862, position: Position) -> None:
        self.profile = profile
        self.court = Court.open(profile, position)
        self.board: Board = position.board
        self.company = position.company.corporation
        legs = [
            leg
            for leg in find_legs(self.board)
            if self._open(self.board.stops[leg.a]) and self._open(self.board.stops[leg.b])
        ]
        self.legs: Sequence[Leg] = legs
        named = {name for leg in legs for name in (leg.a, leg.b)}
        if self.court.home is not None:
            named.add(self.court.home.id)
        self.stops: Sequence[Stop] = [s for s in self.board.stops.values() if s.id in named]
        self.number = {stop.id: number for number, stop in enumerate(self.stops)}
        self.kinds = self._kinds(position.company.trains)
        self.chain_rule = ChainRule(
            profile.freight_chaining is FreightChaining.ALL, profile.closed_chains
        )

    def _open(self, stop: Stop) -> bool:
        """London is a station only for a company with a link (1862 R8)."""
        return self.court.linked or not is_london(stop)

    def _kinds(self, trains: Sequence[Train]) -> Mapping[str, tuple[TrainKind, list[Train]]]:
        """Return the trains that may run by printed name; none without a home marker."""
        found: dict[str, tuple[TrainKind, list[Train]]] = {}
        for train in trains:
            if self.court.home is not None and self.court.may_run(train):
                kind = self.court.kind(train)
                found.setdefault(kind.name, (kind, []))[1].append(train)
        return found

    # --- network -----------------------------------------------------------

    def net_stop(self, stop: Stop) -> NetStop:
        """Return a stop as the network has it."""
        return NetStop(stop.id, stop.hex, stop.point, stop.kind, stop.name or "")

    def net_leg(self, leg: Leg) -> NetLeg:
        """Return a leg as the network has it; its items keep a route from using track
        twice (1862 R4), trains share track freely (1862 S4)."""
        return net_leg((leg,), self.number, leg.sides)

    def _where(self, wanted: Callable[[Stop], bool]) -> frozenset[int]:
        return frozenset(number for number, stop in enumerate(self.stops) if wanted(stop))

    # --- trains ------------------------------------------------------------

    def train_classes(self) -> Iterator[TrainClass]:
        """Yield one class for each kind of train that may run."""
        for name, (kind, trains) in self.kinds.items():
            ids = tuple(train.id for train in trains)
            pay = Pay(stops=(0,) * len(self.stops))
            yield TrainClass(name, ids, self._reach(kind), pay, track=None)

    def _reach(self, kind: TrainKind) -> Reach:
        """Return R1, R2 and R5 to R9 for a kind of train."""
        on_land = kind.kind == LOCAL
        return Reach(
            visits=self._where(lambda stop: not (on_land and is_area(stop))),
            through=self._where(lambda stop: stop.passable(self.company)),
            ends=self._where(
                lambda stop: is_large(stop) or (is_area(stop) and not on_land),
            ),
            own=self._where(lambda stop: stop.id in self.court.marked),
            budgets=(self._budget(kind),),
            groups=() if on_land else self._groups(),
        )

    def _budget(self, kind: TrainKind) -> Budget:
        if kind.kind == FREIGHT:
            return Budget(kind.reach, legs=tuple(leg.length for leg in self.legs))
        costs = tuple(int(counts_for(kind, stop)) for stop in self.stops)
        return Budget(main_slot(kind).visit, stops=costs)

    def _groups(self) -> tuple[AtMostOne, ...]:
        ports = self._where(lambda stop: is_port(self.board, stop))
        red = self._where(is_area) - ports
        return AtMostOne(red), AtMostOne(ports)

    # --- words -------------------------------------------------------------

    def words(self) -> Iterator[Word]:
        """Yield what couples the trains."""
        yield self._paid_once()
        home = self.court.home
        yield MustVisit(frozenset() if home is None else frozenset({self.number[home.id]}))
        anywhere = self.profile.meet_at_areas
        yield MustMeet(self._where(lambda stop: anywhere or is_large(stop)))
        if self._of_type(FREIGHT):
            yield self._chains()
        if self._of_type(LOCAL):
            figures = self.court.title.setup["revenue"]
            yield HexSubsidy(self._of_type(LOCAL), figures["local_subsidy_per_hex"])
        if not self.profile.idle_trains and self.kinds:
            yield MustRun(frozenset(range(len(self.kinds))))

    def _of_type(self, *types: str) -> frozenset[int]:
        return frozenset(
            number for number, (kind, _) in enumerate(self.kinds.values()) if kind.kind in types
        )

    def _paid_once(self) -> PaidOnce:
        choose = {}
        for number, (kind, _) in enumerate(self.kinds.values()):
            if kind.kind in (LOCAL, EXPRESS):
                choice = self._where(partial(counts_for, kind))
                always = self._where(lambda stop: stop.kind == Station.SMALL)
                none: frozenset[int] = frozenset()
                always = always if kind.kind == LOCAL else none
                choose[number] = (always, main_slot(kind).pay, choice)
        return PaidOnce(
            payee=tuple(name_of(stop) for stop in self.stops),
            amount={name_of(stop): stop.value for stop in self.stops},
            choose=choose,
        )

    def _chains(self) -> Chains:
        freights = self._of_type(FREIGHT)
        binding = frozenset(
            number
            for number, (kind, _) in enumerate(self.kinds.values())
            if number in freights and kind.card in CHAINING_BANDS
        )
        places, where = self._places()
        return Chains(
            classes=freights,
            binding=binding,
            single=self.chain_rule.single,
            place=where,
            bonus=self._bonuses(places),
            divide=partial(_divide, self.chain_rule, binding),
            closed=self.chain_rule.closed,
            closed_bonus=self._closed_bonuses(),
        )

    def _closed_bonuses(self) -> Mapping[int, int]:
        """Return what a circle earns with the area that it pays (1862 §10.5.7)."""
        figures = self.court.title.setup["revenue"]
        plain, port = figures["freight_per_hex"], figures["freight_per_hex_with_port"]
        return {
            self.number[stop.id]: port if self._port(stop) else plain
            for stop in self.stops
            if self.profile.closed_chain_bonus and is_area(stop)
        }

    def _places(self) -> tuple[list[_Place], dict[tuple[int, int], int]]:
        """Return the places of chain ends, and which one a route has by (stop, leg)."""
        numbers: dict[_Place, int] = {}
        where = {}
        for number, leg in enumerate(self.legs):
            for name, paths in ((leg.a, leg.paths), (leg.b, leg.paths[::-1])):
                stop = self.board.stops[name]
                if stop.kind != Station.SMALL:
                    land = paths[1].hex if is_area(stop) else stop.hex
                    place = _Place(self._points(stop, land), is_area(stop), self._port(stop))
                    where[self.number[name], number] = numbers.setdefault(place, len(numbers))
        return list(numbers), where

    def _port(self, stop: Stop) -> bool:
        return is_port(self.board, stop)

    def _points(self, stop: Stop, land: str) -> tuple[Point, ...]:
        """Return the hexes from which an end may be counted (1862 §10.5.3, D20)."""
        rule = self.profile.freight_distance
        if is_area(stop) and rule is FreightDistance.LAND_HEX:
            return (self.board.atlas.hexes[land].point,)
        if is_area(stop) and rule is FreightDistance.BEST_ENTRY:
            return tuple(point for _, point in entries_of(self.board, name_of(stop)))
        return (stop.point,)

    def _bonuses(self, places: Sequence[_Place]) -> tuple[tuple[int, ...], ...]:
        """Return the bonus of a chain by its two places (1862 §10.5.2, §10.5.3)."""
        figures = self.court.title.setup["revenue"]
        plain, port = figures["freight_per_hex"], figures["freight_per_hex_with_port"]
        own_place = self.profile.freight_distance is FreightDistance.OFFBOARD_HEX
        rows = [[0] * len(places) for _ in places]
        for i, a in enumerate(places):
            for j, b in enumerate(places[: i + 1]):
                hexes = max(distance(p, q) for p in a.points for q in b.points) - 1
                if not own_place:
                    hexes += a.area + b.area
                rate = port if a.port or b.port else plain
                rows[i][j] = rows[j][i] = rate * max(0, hexes)
        return tuple(map(tuple, rows))


def _divide(
    rule: ChainRule,
    binding: frozenset[int],
    ends: Sequence[tuple[int, int]],
    classes: Sequence[int],
) -> frozenset[Division]:
    return divisions(rule, ends, [cls in binding for cls in classes])
