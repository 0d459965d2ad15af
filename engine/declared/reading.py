"""What the declared options and the state mean on one board: the reading of data.

It says which stops a selector means, what a stop is worth to a train and
which options hold; the referee and the statement of the problem decide
everything else, each for itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from engine.board.board import Board, Stop
from engine.declared.options import Amount, Holder, Kind, Option, Selector, When
from engine.declared.parsing import options_of
from engine.routing.run import Position, Train
from engine.titles.trains import TrainKind

Kept = TypeVar("Kept", bound=Option)


@dataclass(frozen=True)
class Reading:
    """A position with what its title declares.

    Parameters
    ----------
    position
        Board and company.
    among
        Ids of the stops that matter; None for all.
    """

    position: Position
    among: frozenset[str] | None = None

    @property
    def board(self) -> Board:
        """The board."""
        return self.position.board

    @property
    def corporation(self) -> str:
        """The company that runs."""
        return self.position.company.corporation

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """The options that hold in this game for this company, whatever the train."""
        declared = options_of(self.position.title)
        return tuple(option for option in declared if self._holds(option.when))

    def of(self, kind: type[Kept], train: TrainKind | None = None) -> Iterator[Kept]:
        """Yield the options of one kind, with a train those that hold for it."""
        for option in self.options:
            if isinstance(option, kind) and (train is None or suits(option.when, train)):
                yield option

    def one(self, kind: type[Kept], train: TrainKind | None = None) -> Kept | None:
        """Return the first option of one kind, or None."""
        return next(self.of(kind, train), None)

    def _holds(self, when: When) -> bool:
        board, company = self.board.state, self.position.company
        tests = (
            not when.option or when.option in board.options,
            not when.option_any or bool(set(when.option_any) & set(board.options)),
            not when.company or when.company in company.privates,
            not when.owner_company or when.owner_company in company.owner_privates,
            not when.unless_owner_company
            or when.unless_owner_company not in company.owner_privates,
            not when.corporation or when.corporation == company.corporation,
            not when.corporation_type or when.corporation_type == company.kind,
            not when.ability or any(a.kind == when.ability for a in company.abilities),
            not when.flag or self.flagged(when.flag),
        )
        return all(tests)

    def company_is(self, holder: Holder) -> bool:
        """Tell whether what a holder says of the company is true, its route aside."""
        company = self.position.company
        tests = (
            not holder.company or holder.company in company.privates,
            not holder.owner_company or holder.owner_company in company.owner_privates,
            not holder.corporation or holder.corporation == company.corporation,
            not holder.corporation_type or holder.corporation_type == company.kind,
            not holder.ability or any(a.kind == holder.ability for a in company.abilities),
            not holder.flag or self.flagged(holder.flag),
            not holder.held_marker or holder.held_marker in company.markers,
        )
        return all(tests)

    def flagged(self, name: str) -> bool:
        """Tell whether a flag is set."""
        return any(flag.name == name for flag in self.position.company.flags)

    # --- trains --------------------------------------------------------------------

    def face(self, train: Train) -> TrainKind:
        """Return what a train can do, under the name that it has now."""
        return train.face or self.position.title.trains[train.name.rstrip("*")]

    @cached_property
    def faces(self) -> Mapping[str, TrainKind]:
        """What the trains of the company can do, by id."""
        return {train.id: self.face(train) for train in self.position.company.trains}

    @cached_property
    def obsolete(self) -> frozenset[str]:
        """Ids of trains that run for the last time."""
        return frozenset(t.id for t in self.position.company.trains if t.obsolete)

    # --- stops ---------------------------------------------------------------------

    @cached_property
    def own(self) -> frozenset[str]:
        """Stops with a token of the company."""
        return frozenset(stop.id for stop in self.board.token_stops(self.corporation))

    @cached_property
    def own_hexes(self) -> frozenset[str]:
        """Hexes with a token of the company."""
        return frozenset(self.board.stops[stop].hex for stop in self.own)

    def kind(self, stop: Stop) -> str:
        """Return the kind as which a stop counts for trains."""
        for option in self.of(Kind):
            if self.fits(option.of, stop):
                return option.counts_as
        return stop.kind

    def value(self, stop: Stop) -> int:
        """Return what a stop is worth, in £, before any train."""
        return stop.value

    def figure(self, stop: Stop, train: TrainKind) -> int:
        """Return what a stop is worth to a train before its factor (COMMON §9.2)."""
        for name, amount in stop.by_train.items():
            if name.upper() == train.name.upper():
                return amount
        return stop.value

    def factor(self, stop: Stop, train: TrainKind) -> int:
        """Return the factor on a stop: of the first slot that names its kind (COMMON §9.3)."""
        kind = self.kind(stop)
        for slot in train.slots:
            if kind in slot.kinds:
                return train.multiplier if slot.multiplier is None else slot.multiplier
        return train.multiplier

    def paid(self, stop: Stop, train: TrainKind) -> int:
        """Return what a paying stop pays to a train."""
        return self.figure(stop, train) * self.factor(stop, train)

    def fitting(self, selector: Selector) -> frozenset[str]:
        """Return all stops that a selector means, of those that matter."""
        key = repr(selector)
        known = self._fitting.get(key)
        if known is None:
            stops = self.board.stops.values()
            found = (stop.id for stop in stops if self.fits(selector, stop))
            known = self._fitting[key] = frozenset(found)
        return known if self.among is None else known & self.among

    @cached_property
    def _fitting(self) -> dict[str, frozenset[str]]:
        return {}

    def mattering(self) -> Iterator[Stop]:
        """Yield the stops that matter."""
        for stop in self.board.stops.values():
            if self.among is None or stop.id in self.among:
                yield stop

    def scoped(self, among: frozenset[str]) -> Reading:
        """Return the same reading for which only some stops matter."""
        scoped = copy(self)
        object.__setattr__(scoped, "among", among)
        return scoped

    def fits(self, selector: Selector, stop: Stop) -> bool:
        """Tell whether a selector means a stop."""
        board, where = self.board, stop.hex
        phase = selector.hexes_by_phase.get(board.state.phase, ())
        markers: Collection[str] = board.markers.get(where, ())
        tests = (
            not selector.hexes or where in selector.hexes,
            not selector.hexes_by_phase or where in phase,
            not selector.group or selector.group in stop.groups,
            not selector.kind or stop.kind == selector.kind,
            not selector.colour or board.faces[where].colour == selector.colour,
            not selector.label or selector.label in self._labels(where, selector.or_later),
            not selector.label_has or selector.label_has in board.label(where).split("/"),
            not selector.icon or selector.icon in board.icons(where),
            not selector.marker or selector.marker in markers,
            not selector.marked_by_own or self.corporation in markers,
            not selector.own_city or stop.id in self.own,
            not selector.own_hex or where in self.own_hexes,
        )
        return all(tests)

    def _labels(self, hex_id: str, later: bool) -> Iterator[str]:
        yield self.board.label(hex_id)
        if later:
            raw = self.board.atlas.hexes[hex_id].raw.get("later_label")
            if raw:
                yield raw["label"]

    def numbers(self, hex_id: str) -> int:
        """Return the sum of the numbers among the icons of a hex."""
        return sum(int(icon) for icon in self.board.icons(hex_id) if icon.isdigit())

    def amount(self, amount: Amount) -> int:
        """Return an amount that does not hang on the route."""
        state = self.board.state
        if amount.by_phase:
            return amount.by_phase.get(state.phase, 0)
        if amount.by_flag:
            flags = self.position.title.phases[state.phase].get("flags", ())
            return amount.with_flag if amount.by_flag in flags else amount.without_flag
        if amount.value_of:
            stops = (s for s in self.board.stops.values() if s.hex == amount.value_of)
            return next(stops).value
        if amount.flag:
            flags = self.position.company.flags
            return sum(flag.amount for flag in flags if flag.name == amount.flag)
        return amount.fixed

    def blocked(self, stop: Stop) -> bool:
        """Tell whether a route of the company may not run through a stop."""
        return not stop.passable(self.corporation)


def suits(when: When, train: TrainKind) -> bool:
    """Tell whether an option holds for a train."""
    name = train.name
    return (
        (not when.trains or name in when.trains)
        and name not in when.not_trains
        and name.endswith(when.name_ends)
        and when.name_has in name
    )
