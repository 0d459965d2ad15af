"""The account of a run: what every route pays, line by line (18GB §11.4 to §11.8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.board.geometry import distance
from engine.games.g18gb.compass import Member, components, divide, scored
from engine.games.g18gb.printed import (
    TOWN,
    bonuses_that_count,
    compass_letters,
    compass_pairs,
    distance_of,
)
from engine.games.g18gb.profile import CompassSets, Profile18GB
from engine.routing.run import Item, Position, RouteVerdict, Verdict
from engine.routing.track import Traced
from engine.titles.trains import TrainKind
from engine.words import article, counted


@dataclass(frozen=True, slots=True)
class Account:
    """A legal route with the train that runs it.

    Parameters
    ----------
    position
        Board and company.
    traced
        The route laid over the track.
    kind
        The kind of train.
    """

    position: Position
    traced: Traced
    kind: TrainKind

    def items(self) -> Iterator[Item]:
        """Yield the lines of the base value (18GB §11.4): stops, then bonuses."""
        yield from self._stops()
        yield from self._private_bonuses()
        yield from self._estuaries()
        yield from self._distance()

    def member(self) -> Member:
        """Return what counts for compass sets (18GB §11.8.1, §11.8.2)."""
        letters = compass_letters(self.position.board.atlas)
        ends = {self.traced.stops[0].hex, self.traced.stops[-1].hex}
        return Member(
            frozenset(letter for end in ends for letter in letters.get(end, ())),
            frozenset(stop.id for stop in self.traced.stops if stop.kind != "offboard"),
        )

    def _stops(self) -> Iterator[Item]:
        """Each hex pays once, the first of its stops in route order (18GB §11.4 (1))."""
        pays_towns = distance_of(self.kind).pays_towns
        paid: dict[str, str] = {}
        for stop in self.traced.stops:
            name = stop.name or stop.hex
            if stop.kind == TOWN and not pays_towns:
                text = f"{name}: a town pays {article(self.kind.name)} nothing"
                yield Item("skipped", stop.id, 0, text)
            elif paid.setdefault(stop.hex, stop.id) == stop.id:
                yield Item("stop", stop.id, stop.value, name)
            else:
                text = f"{name}: the hex pays once, for {paid[stop.hex]}"
                yield Item("counted elsewhere", stop.id, 0, text)

    def _private_bonuses(self) -> Iterator[Item]:
        """Once for each route with a stop in the hex (18GB §11.5)."""
        pays_towns = distance_of(self.kind).pays_towns
        visited = {stop.hex for stop in self.traced.stops if pays_towns or stop.kind != TOWN}
        for bonus in bonuses_that_count(self.position.company):
            if bonus.hex in visited:
                yield Item("bonus", bonus.hex, bonus.amount, "bonus of a closed private company")

    def _estuaries(self) -> Iterator[Item]:
        """The bonus of the path itself, not of other track on the tile (18GB §11.6)."""
        for ref in self.traced.paths():
            bonus = self.position.board.faces[ref.hex].bonuses.get(ref.path)
            if bonus is not None:
                yield Item("bonus", bonus[0], bonus[1], f"crossing of the estuary in {ref.hex}")

    def _distance(self) -> Iterator[Item]:
        """£ per hex between the outer cities or off-board areas (18GB §11.4 (4))."""
        if not self.kind.per_hex_bonus:
            return
        counting = [stop for stop in self.traced.stops if stop.kind != TOWN]
        hexes = distance(counting[0].point, counting[-1].point)
        if hexes:
            text = f"{counted(hexes, 'hex', 'hexes')} from {counting[0].hex} to {counting[-1].hex}"
            yield Item("bonus", "distance", hexes * self.kind.per_hex_bonus, text)


def price_run(profile: Profile18GB, position: Position, accounts: Sequence[Account]) -> Verdict:
    """Return the verdict on a legal run.

    Parameters
    ----------
    profile
        Says how the run is divided into compass sets.
    position
        Board and company.
    accounts
        The routes in the order submitted.

    Returns
    -------
    Verdict
        The lines of each route add up to its revenue, the routes to the
        revenue of the run. The lines of the run name its compass sets and
        repeat what they score.
    """
    pairs = compass_pairs(position.board.atlas, position.board.state.phase)
    members = [account.member() for account in accounts]
    if profile.compass_sets is CompassSets.COMPONENTS:
        numbers = components(members)
    else:
        numbers = divide(members, pairs)
    lines: list[list[Item]] = [list(account.items()) for account in accounts]
    sets: list[Item] = []
    for number in range(max(numbers, default=-1) + 1):
        routes = [place for place, own in enumerate(numbers) if own == number]
        letters = frozenset(letter for place in routes for letter in members[place].letters)
        bonuses = scored(letters, pairs)
        listed = ", ".join(accounts[place].traced.route.train for place in routes)
        lines[routes[0]].extend(
            Item("bonus", name, amount, f"compass bonus of the set of {listed}")
            for name, amount in bonuses
        )
        text = f"{listed}: {' and '.join(name for name, _ in bonuses) or 'no bonus'}"
        sets.append(Item("compass set", f"set {number + 1}", sum(b for _, b in bonuses), text))
    verdicts = tuple(
        RouteVerdict(
            train=account.traced.route.train,
            revenue=sum(item.amount for item in items),
            subsidy=0,
            paying=tuple(item.subject for item in items if item.kind == "stop"),
            items=tuple(items),
        )
        for account, items in zip(accounts, lines, strict=True)
    )
    return Verdict((), sum(v.revenue for v in verdicts), 0, verdicts, tuple(sets))
