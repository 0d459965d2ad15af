"""Slots of cities: which are open, reserved or extra, and the markers in them (§1.9, §10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from engine.board.board import Stop
from engine.board.faces import Face
from engine.board.network import trace_network
from engine.board.state import TokenPlacement
from engine.games.g1822.play.kit import EXPANSION
from engine.games.g1822.play.state import City, Company1822
from engine.games.g1822.play.table import Table1822
from engine.play.lays import stop_sides

NORMAL = "normal"
DESTINATION = "destination"


def city_now(at: Table1822, hex_id: str, printed: int) -> int:
    """Return the place of the city that has become of a printed city."""
    old = at.kit.guide.atlas.hexes[hex_id].face
    return same_city(old, at.face(hex_id), printed)


def same_city(old: Face, new: Face, place: int) -> int:
    """Return which city of a new face stands where one of the old face stood (§9.10)."""
    if len(new.cities) == 1:
        return 0
    sides = stop_sides(old, old.cities[place])
    return next(number for number, city in enumerate(new.cities) if sides & stop_sides(new, city))


def home_city(at: Table1822, sym: str) -> City | None:
    """Return the city that is the home of a company; None if it may choose (§1.7, §1.8)."""
    home = at.kit.game.corporations[sym]["home"]
    if home["stop"] is None:
        return None
    hex_id: str = home["hex"]
    printed = at.kit.guide.atlas.hexes[hex_id].face
    place = next(n for n, city in enumerate(printed.cities) if city.index == home["stop"])
    return City(hex_id, city_now(at, hex_id, place))


def destination_city(at: Table1822, sym: str) -> City | None:
    """Return the city of a major's destination (§1.7)."""
    goal = at.kit.game.corporations[sym]["destination"]
    return None if goal is None else City(goal["hex"], 0)


def reservations(at: Table1822, hex_id: str) -> Iterator[tuple[int, int, str]]:
    """Yield city, slot and company of every reservation still in force in a hex (§1.9)."""
    printed = at.kit.guide.atlas.hexes[hex_id].face
    for place, city in enumerate(printed.cities):
        in_play = [
            kept.holder
            for kept in city.reservations
            if kept.only_with is None or EXPANSION in at.kit.options
        ]
        for slot, sym in enumerate(in_play):
            company = at.state.companies.get(sym)
            if isinstance(company, Company1822) and company.home is None and not company.removed:
                yield city_now(at, hex_id, place), slot, sym


def reserved(at: Table1822, city: City) -> Mapping[int, str]:
    """Return the reserved slots of a city with their companies."""
    return {slot: sym for place, slot, sym in reservations(at, city.hex) if place == city.city}


def slots(at: Table1822, city: City) -> int:
    """Return the slots of a city, with the one that minor 14 may have added (§10.3)."""
    return at.face(city.hex).cities[city.city].slots + (city in at.state.wider)


def tokens_at(at: Table1822, city: City) -> tuple[TokenPlacement, ...]:
    """Return the markers in a city."""
    return tuple(t for t in at.state.layout.tokens_in(city.hex) if t.city == city.city)


def open_slot(at: Table1822, city: City, sym: str) -> int | None:
    """Return the slot that a company's marker takes, extra ones aside (FMT §D9.2)."""
    kept = reserved(at, city)
    own = next((slot for slot, holder in kept.items() if holder == sym), None)
    if own is not None:
        return own
    taken = {token.slot for token in tokens_at(at, city)} | kept.keys()
    return next((slot for slot in range(slots(at, city)) if slot not in taken), None)


def extra_slot(at: Table1822, city: City) -> int:
    """Return the number of an extra slot to be appended to a city."""
    taken = {token.slot for token in tokens_at(at, city)}
    slot = slots(at, city)
    while slot in taken:
        slot += 1
    return slot


def put_token(at: Table1822, city: City, sym: str, slot: int, kind: str = NORMAL) -> None:
    """Put a marker into a slot."""
    token = TokenPlacement(city.hex, city.city, slot, sym, kind)
    at.state.layout = at.state.layout.with_token(token)


def take_token(at: Table1822, token: TokenPlacement) -> None:
    """Take a marker off the board; markers in extra slots move into the slot that opens
    (§10.4; FMT §D10.4)."""
    left = tuple(other for other in at.state.layout.tokens if other != token)
    at.state.layout = at.state.layout.with_tokens(left)
    city = City(token.hex, token.city)
    for other in tokens_at(at, city):
        slot = open_slot(at, city, "")
        if other.slot >= slots(at, city) and slot is not None:
            moved = replace(other, slot=slot)
            tokens = tuple(moved if t == other else t for t in at.state.layout.tokens)
            at.state.layout = at.state.layout.with_tokens(tokens)


def has_in_city(at: Table1822, city: City, sym: str) -> bool:
    """Tell whether a company has a marker in a city."""
    return any(token.corporation == sym for token in tokens_at(at, city))


def has_in_hex(at: Table1822, hex_id: str, sym: str) -> bool:
    """Tell whether a company has a marker in a hex."""
    return any(token.corporation == sym for token in at.state.layout.tokens_in(hex_id))


def settle_home(at: Table1822, sym: str) -> None:
    """Place the home marker for nothing, and LNWR's destination with it (§10.2)."""
    company, city = at.company_of(sym), home_city(at, sym)
    if city is None or company.home is not None:
        return
    slot = open_slot(at, city, sym)
    put_token(at, city, sym, extra_slot(at, city) if slot is None else slot)
    company.home = city
    goal = at.kit.game.corporations[sym]["destination"]
    if goal is not None and goal["token_placed"] == "first operating turn":
        place_destination(at, sym)


def place_destination(at: Table1822, sym: str) -> None:
    """Place the destination marker in an open slot or else in an extra one (§10.4).

    An ordinary marker of the company in that city returns to the available ones.
    """
    city, company = destination_city(at, sym), at.company_of(sym)
    if city is None:
        raise ValueError(f"{sym} has no destination")
    slot = open_slot(at, city, sym)
    put_token(at, city, sym, extra_slot(at, city) if slot is None else slot, DESTINATION)
    company.destined = True
    for token in tokens_at(at, city):
        if token.corporation == sym and token.kind == NORMAL:
            take_token(at, token)
            add_available(at, company)


def connected_to_destination(at: Table1822, sym: str) -> bool:
    """Tell whether track links the home of a major with its destination (§10.4)."""
    home, goal = at.company_of(sym).home, destination_city(at, sym)
    if home is None or goal is None:
        return False
    known, key = at.state.layout.known, ("destination", sym)
    if key not in known:
        reached = trace_network(at.board(), sym, stop_of(at, home)).stops
        known[key] = stop_of(at, goal).id in reached
    return bool(known[key])


def add_available(at: Table1822, company: Company1822) -> None:
    """A marker comes to the available ones; it costs £100 to place (§10.7)."""
    price: int = at.kit.setup["tokens"]["ordinary_price"]
    company.tokens += (price,)


def city_of(stop: Stop) -> City:
    """Return a city as a place for markers.

    Raises
    ------
    ValueError
        The stop is no city.
    """
    if stop.city is None:
        raise ValueError(f"{stop.id} is no city")
    return City(stop.hex, stop.city)


def stop_of(at: Table1822, city: City) -> Stop:
    """Return a city as a stop of the board.

    Raises
    ------
    ValueError
        There is no such city.
    """
    stop = at.board().city_at(city.hex, city.city)
    if stop is None:
        raise ValueError(f"{city.hex} has no city {city.city}")
    return stop
