"""Options that grant something for abilities, tokens, track and destinations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.declared import options as o
from engine.declared.grant import Grant, Look, Test
from engine.declared.granting_sets import in_hexes, paid
from engine.declared.options import Option
from engine.declared.reading import Reading
from engine.titles.trains import TrainKind


def ability_grants(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.Ability)
    for ability in r.position.company.abilities:
        if ability.kind != option.type:
            continue
        name = ability.private or ability.kind
        stops = in_hexes(r, ability.hexes)
        if option.per == "stop":
            yield Grant(name, (), ability.amount, per=stops)
        elif option.per == "route":
            yield Grant(name, (paid(stops),), ability.amount)
        else:
            for hex_id in dict.fromkeys(ability.hexes):
                yield Grant(name, (paid(in_hexes(r, [hex_id])),), ability.amount)


def _again(r: Reading, stops: Iterable[str], train: TrainKind, name: str) -> Iterator[Grant]:
    for stop in sorted(stops):
        yield Grant(name, (paid([stop]),), r.paid(r.board.stops[stop], train))


def ability_double_grants(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.AbilityDouble)
    abilities = (a for a in r.position.company.abilities if a.kind == option.type)
    hexes = [hex_id for ability in abilities for hex_id in ability.hexes]
    yield from _again(r, in_hexes(r, hexes), train, "destination pays again")


def double_grants(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.Double)
    yield from _again(r, r.fitting(option.of), train, "pays again")


def label_own_grants(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.LabelOwn)
    stops = r.fitting(o.Selector(label=r.corporation))
    yield Grant(f"own region {r.corporation}", (paid(stops),), r.amount(option.amount))


def icon_own_grants(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.IconOwn)
    stops = r.fitting(o.Selector(icon=r.corporation))
    yield Grant(f"icons of {r.corporation}", (), r.amount(option.amount), per=stops)


def own_city_grants(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.OwnCity)
    yield Grant("own cities", (), r.amount(option.amount), per=r.own)


def per_stop_grants(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.PerStop)
    yield Grant("bonus for each stop", (), r.amount(option.amount), per=r.fitting(option.of))


def ends_red_grants(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.EndsRed)
    each, most = option.by_phase.get(r.board.state.phase, (0, 0))
    red = Test(Look.ENDS, r.fitting(o.Selector(colour="red")), 2)
    for number in range(1, most // each + 1 if each else 1):
        yield Grant("red to red", (red, paid(r.own, number)), each)


def track_grants(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.Track)
    for hex_id in r.board.faces:
        markers = r.board.markers.get(hex_id, frozenset())
        if (
            hex_id in option.hexes
            or (option.marker and option.marker in markers)
            or (option.icon and option.icon in r.board.icons(hex_id))
        ):
            name = f"{option.marker or option.icon or 'track'} in {hex_id}"
            yield Grant(name, (Test(Look.HEXES, frozenset([hex_id])),), r.amount(option.amount))


def gauge_grants(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.PerPayingStopIfTrack)
    test = Test(Look.GAUGE, frozenset([option.track]))
    yield Grant("tunnel", (test,), r.amount(option.amount), per=frozenset(r.board.stops))


def per_token_grants(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.PerTokenInstead)
    for stop in sorted(r.fitting(option.of)):
        value = r.paid(r.board.stops[stop], train)
        yield Grant("once for each own city instead", (paid([stop]),), -value)
        yield Grant("once for each own city", (paid([stop]),), value, per=r.own)


def destination_end_grants(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.DestinationEnd)
    for ability in r.position.company.abilities:
        if ability.kind != option.ability_type or len(ability.hexes) != 1:
            continue
        if r.corporation in r.board.markers.get(ability.hexes[0], ()):
            continue
        for stop in sorted(in_hexes(r, ability.hexes)):
            test = Test(Look.ENDS, frozenset([stop]))
            yield Grant("destination pays again", (test,), r.paid(r.board.stops[stop], train))


def corp_destination_grants(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.CorpDestination)
    raw = r.position.title.corporations[r.corporation].get("home")
    if not raw:
        return
    home = paid(in_hexes(r, [raw["hex"]]))
    for hex_id, amount in option.table.get(r.corporation, ()):
        yield Grant(f"destination {hex_id}", (home, paid(in_hexes(r, [hex_id]))), amount)


def cattle_grants(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.Cattle)
    held = r.position.company.markers
    for marker, other in ((option.closed, 0), (option.open, option.other)):
        stops = r.fitting(o.Selector(marker=marker))
        yield Grant("cattle", (paid(stops),), option.own if marker in held else other)


def token_penalty_grants(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.TokenPenalty)
    for hex_id in {
        token.hex for token in r.board.state.tokens if token.corporation == option.token_of
    }:
        amount = option.amount
        marked = option.unless_marker in r.board.markers.get(hex_id, ())
        kept = option.unless_company in r.position.company.privates and marked
        if hex_id in option.in_hex and not kept:
            amount = option.in_hex[hex_id]
        yield Grant(f"token of {option.token_of}", (paid(in_hexes(r, [hex_id])),), amount)


def subsidy_grants(r: Reading, option: Option, train: TrainKind) -> Iterator[Grant]:
    assert isinstance(option, o.Subsidy)
    yield Grant("mine", (paid(r.fitting(option.of)),), r.amount(option.amount), subsidy=True)
