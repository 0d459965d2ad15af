"""What a legal run pays, stop by stop (1862 §10.4, §10.7, §15.5). Part of the referee."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from engine.board.board import Stop
from engine.games.g1862.court import counts_for, main_slot
from engine.games.g1862.freight import Bonus, Chain
from engine.games.g1862.stations import LOCAL, Station, is_area, name_of
from engine.routing.run import Item, RouteVerdict
from engine.routing.track import Traced
from engine.titles.trains import TrainKind
from engine.words import counted

COUNTED = ("stop", "counted elsewhere")
"""Kinds of lines of the account for stops that a route counts; the second earn
nothing because an earlier route counts them too (1862 §10.4)."""


@dataclass(frozen=True, slots=True)
class TrainRun:
    """A valid route with the kind of its train.

    Parameters
    ----------
    number
        Place in the list of routes.
    kind
        What is printed on the train.
    traced
        The route.
    """

    number: int
    kind: TrainKind
    traced: Traced

    def countable(self) -> tuple[Stop, ...]:
        """Return the stops among which an N/M train chooses, in order of travel."""
        return tuple(stop for stop in self.traced.stops if counts_for(self.kind, stop))

    def always(self) -> tuple[Stop, ...]:
        """Return the stops that count without choice: the small stations of a Local."""
        if self.kind.kind != LOCAL:
            return ()
        return tuple(stop for stop in self.traced.stops if stop.kind == Station.SMALL)


def choices_of(run: TrainRun) -> list[tuple[Stop, ...]]:
    """Return the sets of stops that a run may count, in the site's order (1862 §15.5).

    Where the route says what is to pay, only sets that hold all of that; with
    fewer stops named than count, the rest is open.
    """
    stops = run.countable()
    if not stops:
        return [()]
    sets = list(combinations(stops, min(main_slot(run.kind).pay, len(stops))))
    asked = run.traced.route.paid
    if asked is None:
        return sets
    return [chosen for chosen in sets if set(asked) <= {stop.id for stop in chosen}]


def choose(
    runs: Sequence[TrainRun], chain_ends: Sequence[Stop], by_node: bool
) -> list[tuple[Stop, ...]]:
    """Return for each run the stops that count: the first best combination (1862 §15.5).

    Parameters
    ----------
    runs
        All runs, in the order listed.
    chain_ends
        Stops that Freight chains count.
    by_node
        Two entry nodes of one area are taken for two stations (1862 D19).
    """
    options = [choices_of(run) for run in runs]
    keys = {
        stop.id: stop.id if by_node else name_of(stop)
        for run in runs
        for stop in (*run.countable(), *chain_ends)
    }
    search = _Choice(options, keys)
    search.place(0, {keys[stop.id] for stop in chain_ends if stop.id in keys}, 0, [])
    return search.best


class _Choice:
    """Tries the combinations of choices, the first run's varying slowest."""

    def __init__(
        self, options: Sequence[Sequence[tuple[Stop, ...]]], keys: Mapping[str, str]
    ) -> None:
        self.options = options
        self.keys = keys
        self.best: list[tuple[Stop, ...]] = []
        self.most = -1
        self.ahead: list[dict[str, int]] = [{}]
        for sets in reversed(options):
            values = {keys[stop.id]: stop.value for chosen in sets for stop in chosen}
            self.ahead.insert(0, self.ahead[0] | values)

    def place(
        self, depth: int, counted: set[str], value: int, chosen: list[tuple[Stop, ...]]
    ) -> None:
        """Extend a combination whose first `depth` runs have chosen."""
        if depth == len(self.options):
            if value > self.most:
                self.most, self.best = value, list(chosen)
            return
        ahead = sum(v for key, v in self.ahead[depth].items() if key not in counted)
        if value + ahead <= self.most:
            return
        for stops in self.options[depth]:
            new = {self.keys[stop.id]: stop.value for stop in stops}
            gain = sum(v for key, v in new.items() if key not in counted)
            chosen.append(stops)
            self.place(depth + 1, counted | new.keys(), value + gain, chosen)
            chosen.pop()


def account_of(
    runs: Sequence[TrainRun],
    chains: Sequence[tuple[Chain, Bonus]],
    chosen: Sequence[tuple[Stop, ...]],
    per_hex: int,
) -> tuple[RouteVerdict, ...]:
    """Return the account of each route; what they pay adds up to the run.

    A station is credited to the first listed train that counts it, a hex of the
    subsidy to the first Local, a bonus to the run that begins the chain (1862 §15.5).

    Parameters
    ----------
    runs
        In the order listed.
    chains
        Freight chains with their bonus.
    chosen
        By run: the stops under choice that count.
    per_hex
        £ of subsidy for each hex.
    """
    ends = {(run.number, stop.id) for chain, _ in chains for run, stop in chain.paying()}
    bonuses = {chain.start.number: (chain, bonus) for chain, bonus in chains}
    credited: dict[str, str] = {}
    hexes: set[str] = set()
    verdicts = []
    for run, stops in zip(runs, chosen, strict=True):
        counts = {stop.id for stop in (*stops, *run.always())}
        counts |= {stop for number, stop in ends if number == run.number}
        items = list(_stop_items(run, counts, credited))
        if run.number in bonuses:
            items.extend(_bonus_items(*bonuses[run.number]))
        if run.kind.kind == LOCAL:
            items.extend(_subsidy_items(run, hexes, per_hex))
        verdicts.append(_verdict(run, items))
    return tuple(verdicts)


def _verdict(run: TrainRun, items: Sequence[Item]) -> RouteVerdict:
    return RouteVerdict(
        train=run.traced.route.train,
        revenue=sum(item.amount for item in items if item.kind != "subsidy"),
        subsidy=sum(item.amount for item in items if item.kind == "subsidy"),
        paying=tuple(item.subject for item in items if item.kind in COUNTED),
        items=tuple(items),
    )


def _stop_items(run: TrainRun, counts: set[str], credited: dict[str, str]) -> Iterator[Item]:
    train = run.traced.route.train
    open_to_choice = {stop.id for stop in run.countable()}
    for stop in run.traced.stops:
        name = name_of(stop)
        text = name if is_area(stop) else stop.name or ""
        if stop.id not in counts:
            kind = "skipped" if stop.id in open_to_choice else "passed"
            yield Item(kind, stop.id, 0, text)
        elif name in credited:
            yield Item("counted elsewhere", stop.id, 0, f"{text}, counted by {credited[name]}")
        else:
            credited[name] = train
            yield Item("stop", stop.id, stop.value, text)


def _bonus_items(chain: Chain, bonus: Bonus) -> Iterator[Item]:
    ends = [stop.id for _, stop in chain.paying()]
    hexes = counted(bonus.hexes, "hex", "hexes")
    if len(ends) == 2:
        text = f"{hexes} between {ends[0]} and {ends[1]} at £{bonus.rate}"
        yield Item("bonus", " ".join(ends), bonus.amount, text)
    elif bonus.hexes:
        text = f"{hexes} for the circle that begins in {ends[0]} at £{bonus.rate}"
        yield Item("bonus", ends[0], bonus.amount, text)


def _subsidy_items(run: TrainRun, hexes: set[str], per_hex: int) -> Iterator[Item]:
    touched = [ref.hex for ref in run.traced.paths()]
    for hex_id in dict.fromkeys(touched):
        if hex_id not in hexes:
            hexes.add(hex_id)
            yield Item("subsidy", hex_id, per_hex, "hex on a Local's route")
