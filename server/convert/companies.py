"""Companies and their trains between the wire and the domain, in both directions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from bradshaw.v1 import board_pb2, game_pb2

from engine.routing.run import Ability, CompanyState, Flag, HexBonus, TokenRef, Train
from engine.titles.trains import UNLIMITED, Slot, TrainKind
from server.convert.reading import Reading
from server.limits import MOST_FACTOR, MOST_SLOTS, MOST_SMALL

MEASURES: Mapping[str, bool] = {"stops": True, "hexes": True, "slots": False, "unlimited": False}
"""How the reach of a train is measured, and whether it has a number."""
LIMITS: tuple[Literal["pay"], Literal["visit"]] = ("pay", "visit")


def company_from(reading: Reading, company: board_pb2.Company, path: str) -> CompanyState:
    """Return the company of a message; note the faults of its fields."""
    small = f"{path}.mail_contracts"
    return CompanyState(
        corporation=reading.text(company.corporation, f"{path}.corporation"),
        trains=tuple(
            _train(reading, train, where)
            for train, where in reading.entries(company.trains, f"{path}.trains")
        ),
        kind=reading.text(company.kind, f"{path}.kind", required=False),
        permits=reading.texts(company.permits, f"{path}.permits"),
        home=_city(reading, company, "home", path),
        destination=_city(reading, company, "destination", path),
        mail_contracts=reading.number(company.mail_contracts, small, 0, MOST_SMALL),
        hex_bonuses=tuple(
            HexBonus(
                reading.text(bonus.hex, f"{where}.hex"),
                reading.amount(bonus.amount, f"{where}.amount"),
            )
            for bonus, where in reading.entries(company.hex_bonuses, f"{path}.hex_bonuses")
        ),
        receivership=company.receivership,
        insolvent=company.insolvent,
        markers=reading.texts(company.markers, f"{path}.markers"),
        abilities=tuple(
            _ability(reading, ability, where)
            for ability, where in reading.entries(company.abilities, f"{path}.abilities")
        ),
        privates=reading.texts(company.privates, f"{path}.privates"),
        owner_privates=reading.texts(company.owner_privates, f"{path}.owner_privates"),
        flags=tuple(
            Flag(
                reading.text(flag.name, f"{where}.name"),
                reading.amount(flag.amount, f"{where}.amount"),
                reading.texts(flag.hexes, f"{where}.hexes"),
            )
            for flag, where in reading.entries(company.flags, f"{path}.flags")
        ),
        goal=reading.text(company.goal, f"{path}.goal", required=False),
        pullman=reading.text(company.pullman, f"{path}.pullman", required=False),
    )


def _train(reading: Reading, train: board_pb2.Train, path: str) -> Train:
    name = reading.text(train.name, f"{path}.name")
    return Train(
        id=reading.text(train.id, f"{path}.id"),
        name=name,
        runnable=train.runnable if train.HasField("runnable") else True,
        obsolete=train.obsolete,
        face=_face(reading, train.face, name, f"{path}.face") if train.HasField("face") else None,
    )


def _face(reading: Reading, face: board_pb2.TrainFace, name: str, path: str) -> TrainKind:
    measure = reading.text(face.measure, f"{path}.measure")
    if measure and measure not in MEASURES:
        known = ", ".join(MEASURES)
        message = f"there is no measure {measure!r}; there are {known}"
        reading.fault("OUT_OF_RANGE", f"{path}.measure", message)
    counted = MEASURES.get(measure, False)
    reach = reading.number(face.reach, f"{path}.reach", 0, MOST_SMALL * counted)
    if measure == "slots" and not face.slots:
        reading.fault("REQUIRED", f"{path}.slots", "the measure slots needs slots")
    factor = face.multiplier if face.HasField("multiplier") else 1
    fits = reading.count(face.slots, f"{path}.slots", MOST_SLOTS if measure == "slots" else 0)
    return TrainKind(
        name=name,
        card=name,
        measure=measure,
        reach=reach or UNLIMITED,
        slots=tuple(
            _slot(reading, slot, f"{path}.slots[{number}]")
            for number, slot in enumerate(face.slots if fits else ())
        ),
        kind="",
        multiplier=reading.number(factor, f"{path}.multiplier", 0, MOST_FACTOR),
        per_hex_bonus=0,
        carriage=False,
        order=0,
        track=reading.text(face.track, f"{path}.track", required=False) or "broad",
        local=face.local,
        needs_token=face.needs_token if face.HasField("needs_token") else True,
        touched=face.touched,
    )


def _slot(reading: Reading, slot: game_pb2.TrainSlot, path: str) -> Slot:
    factor = None
    if slot.HasField("multiplier"):
        factor = reading.number(slot.multiplier, f"{path}.multiplier", 0, MOST_FACTOR)
    pay, visit = (
        reading.number(getattr(slot, name), f"{path}.{name}", 0, MOST_SMALL)
        if slot.HasField(name)
        else UNLIMITED
        for name in LIMITS
    )
    if not slot.kinds:
        reading.fault("REQUIRED", f"{path}.kinds", "the field is required")
    return Slot(frozenset(reading.texts(slot.kinds, f"{path}.kinds")), pay, visit, factor)


def _city(reading: Reading, company: board_pb2.Company, name: str, path: str) -> TokenRef | None:
    if not company.HasField(name):  # type: ignore[arg-type]
        return None
    ref: board_pb2.CityRef = getattr(company, name)
    return TokenRef(reading.text(ref.hex, f"{path}.{name}.hex"), ref.city)


def _ability(reading: Reading, ability: board_pb2.Ability, path: str) -> Ability:
    return Ability(
        kind=reading.text(ability.kind, f"{path}.kind"),
        hexes=reading.texts(ability.hexes, f"{path}.hexes"),
        amount=reading.amount(ability.amount, f"{path}.amount"),
        private=reading.text(ability.private_id, f"{path}.private_id", required=False),
        total=reading.amount(ability.total, f"{path}.total"),
    )


# --- writing -----------------------------------------------------------------------------


def company_message(company: CompanyState) -> board_pb2.Company:
    """Return a company as a message."""
    message = board_pb2.Company(
        corporation=company.corporation,
        kind=company.kind,
        permits=company.permits,
        mail_contracts=company.mail_contracts,
        receivership=company.receivership,
        insolvent=company.insolvent,
        home=city_message(company.home),
        destination=city_message(company.destination),
        markers=company.markers,
        privates=company.privates,
        owner_privates=company.owner_privates,
        goal=company.goal,
        pullman=company.pullman,
    )
    for train in company.trains:
        message.trains.add(
            id=train.id,
            name=train.name,
            runnable=None if train.runnable else False,
            obsolete=train.obsolete,
            face=None if train.face is None else _face_message(train.face),
        )
    for bonus in company.hex_bonuses:
        message.hex_bonuses.add(hex=bonus.hex, amount=bonus.amount)
    for each in company.abilities:
        message.abilities.add(
            kind=each.kind,
            hexes=each.hexes,
            amount=each.amount,
            private_id=each.private,
            total=each.total,
        )
    for flag in company.flags:
        message.flags.add(name=flag.name, amount=flag.amount, hexes=flag.hexes)
    return message


def _face_message(face: TrainKind) -> board_pb2.TrainFace:
    return board_pb2.TrainFace(
        measure=face.measure,
        reach=0 if face.reach == UNLIMITED else face.reach,
        slots=map(slot_message, face.slots),
        multiplier=None if face.multiplier == 1 else face.multiplier,
        track="" if face.track == "broad" else face.track,
        local=face.local,
        needs_token=None if face.needs_token else False,
        touched=face.touched,
    )


def slot_message(slot: Slot) -> game_pb2.TrainSlot:
    """Return a line of the reach of a train as a message."""
    return game_pb2.TrainSlot(
        kinds=sorted(slot.kinds),
        pay=limited(slot.pay),
        visit=limited(slot.visit),
        multiplier=slot.multiplier,
    )


def limited(count: int) -> int | None:
    """Return a count, None for no limit."""
    return None if count == UNLIMITED else count


def city_message(ref: TokenRef | None) -> board_pb2.CityRef | None:
    """Return a city as a message; None for none."""
    return None if ref is None else board_pb2.CityRef(hex=ref.hex, city=ref.city)
