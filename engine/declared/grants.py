"""What routes pay beside their stops: the options of a title as grants.

Most options come down to grants. This is reading: what the tests find on a
route is for the referee and for the statement to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from engine.declared import options as o
from engine.declared.grant import CARRIAGE, Grant, Look, Test
from engine.declared.granting import (
    ability_double_grants,
    ability_grants,
    cattle_grants,
    corp_destination_grants,
    destination_end_grants,
    double_grants,
    ends_red_grants,
    gauge_grants,
    icon_own_grants,
    label_own_grants,
    own_city_grants,
    per_stop_grants,
    per_token_grants,
    subsidy_grants,
    token_penalty_grants,
    track_grants,
)
from engine.declared.granting_sets import count_grants, first_of_grants, marker_grants, set_grants
from engine.declared.options import Option
from engine.declared.reading import Reading, suits
from engine.titles.trains import TrainKind

__all__ = ["CARRIAGE", "Grant", "Look", "Test", "carriage_grants", "grants"]


def grants(reading: Reading, train: TrainKind, among: frozenset[str]) -> tuple[Grant, ...]:
    """Return what routes of a train are granted in this position.

    Parameters
    ----------
    among
        Ids of the stops that can be on a route.
    """
    found: list[Grant] = []
    reading = reading.scoped(among)
    for option in reading.options:
        make = MAKERS.get(type(option))
        if make is not None and suits(option.when, train):
            for grant in make(reading, option, train):
                if grant.amount and all(test.names or not test.least for test in grant.tests):
                    found.append(replace(grant, section=option.when.section))
    return tuple(found)


def carriage_grants(reading: Reading, train: TrainKind, *, obsolete: bool) -> tuple[Grant, ...]:
    """Return what the carriage brings to the route of a train (1858India §3.2)."""
    found = []
    for option in reading.of(o.Attached, train):
        amount = option.amount_obsolete if obsolete else option.amount
        stops = frozenset(s.id for s in reading.board.stops.values() if s.kind in option.kinds)
        multiplied = amount * train.multiplier
        section = option.when.section
        found.append(Grant(CARRIAGE, (), multiplied, stops, section, before_scale=False))
    return tuple(found)


Maker = Callable[[Reading, Option, TrainKind], Iterator[Grant]]

MAKERS: Mapping[type[Option], Maker] = {
    o.Marker: marker_grants,
    o.Set: set_grants,
    o.FirstOf: first_of_grants,
    o.Count: count_grants,
    o.Ability: ability_grants,
    o.AbilityDouble: ability_double_grants,
    o.Double: double_grants,
    o.LabelOwn: label_own_grants,
    o.IconOwn: icon_own_grants,
    o.OwnCity: own_city_grants,
    o.PerStop: per_stop_grants,
    o.EndsRed: ends_red_grants,
    o.Track: track_grants,
    o.PerPayingStopIfTrack: gauge_grants,
    o.PerTokenInstead: per_token_grants,
    o.DestinationEnd: destination_end_grants,
    o.CorpDestination: corp_destination_grants,
    o.Cattle: cattle_grants,
    o.TokenPenalty: token_penalty_grants,
    o.Subsidy: subsidy_grants,
}
"""How each option comes down to grants; the others are not about what is paid besides."""
