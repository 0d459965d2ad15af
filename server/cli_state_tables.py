"""What lies open on the table of a game, as lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bradshaw.v1 import play_pb2

from engine.play.actions import PLAYER

NOBODY = "–"
"""Stands for the director of a company in receivership."""


def table_lines(state: play_pb2.GameState) -> Iterator[str]:
    """Yield the lines of a game that goes on: companies, bids, privates, trains."""
    names = {player.id: player.name for player in state.players}
    for lines in (
        _company_lines(state, names),
        _lot_lines(state, names),
        _supply_lines(state, names),
    ):
        found = list(lines)
        if found:
            yield ""
            yield from found


def player_marks(state: play_pb2.GameState, player: play_pb2.PlayerState) -> str:
    """Return what is to be seen of a player: certificates and limit, debt, whether he is first
    in the turn order or has passed."""
    limit = f"/{state.certificate_limit}" if state.HasField("certificate_limit") else ""
    marks = [f"{f'{player.certificates}{limit}':>5} certificates"]
    if player.debt:
        marks.append(f"owes £{player.debt}")
    if player.id == state.priority:
        marks.append("first")
    if player.id in state.passed:
        marks.append("passed")
    return ", ".join(marks)


def _company_lines(state: play_pb2.GameState, names: Mapping[int, str]) -> Iterator[str]:
    for company in state.companies:
        if not company.HasField("share_price"):
            continue
        director = names[company.director] if company.HasField("director") else NOBODY
        price = f"£{company.share_price}"
        trains = ", ".join(map(_train, company.owned_trains)) or "no trains"
        line = f"{company.corporation:6} {price:>6}  {director:16} £{company.cash:<6} {trains}"
        yield "; ".join([line, *_company_marks(company)])


def _train(train: play_pb2.OwnedTrain) -> str:
    """A train by its id, with what it shows where the id does not say it."""
    shown = train.side.name + "*" * train.warranties
    return train.id if train.id.rpartition("-")[0] == shown else f"{train.id} ({shown})"


def _company_marks(company: play_pb2.CompanyState) -> Iterator[str]:
    if company.insolvent:
        yield f"insolvent, leases {company.leased_train}" if company.leased_train else "insolvent"
    if not company.floated:
        fine = f", else a fine of £{company.fine}" if company.fine else ""
        yield f"not floated{fine}"
    if company.permits:
        yield f"permits: {', '.join(company.permits)}"
    if company.exchange_tokens:
        yield f"{company.exchange_tokens} exchange tokens"
    if company.HasField("destination"):
        linked = "linked with" if company.destination.placed else "to link with"
        yield f"{linked} {company.destination.hex}"


def _lot_lines(state: play_pb2.GameState, names: Mapping[int, str]) -> Iterator[str]:
    if state.lots:
        yield "Up for bids:"
    for lot in state.lots:
        comes = lot.corporation and lot.corporation != lot.id
        kind = f"{lot.kind} of {lot.corporation}" if comes else lot.kind
        line = f"  {lot.id:6} {kind:18} at least £{lot.least_bid:<5}"
        if lot.HasField("lead"):
            line += f" {names[lot.lead.player]} leads with £{lot.lead.price}"
        others = [names[n] for n in lot.bidders if n != lot.lead.player]
        if others:
            line += f"; also {', '.join(others)}"
        yield line.rstrip()


def _supply_lines(state: play_pb2.GameState, names: Mapping[int, str]) -> Iterator[str]:
    owned = [_private(each, names) for each in (*state.privates, *state.closed_privates)]
    said = ", ".join(each for each in owned if each)
    if said:
        yield f"Privates: {said}"
    bank = f"£{state.bank}" if state.HasField("bank") else "unlimited"
    yield f"Bank: {bank}; trains: {'; '.join(map(_kind, state.depot_trains))}"
    if state.discarded_trains:
        yield f"Discarded trains: {', '.join(map(_train, state.discarded_trains))}"


def _private(card: play_pb2.PrivateState, names: Mapping[int, str]) -> str:
    """A card that somebody has, with what lies on it; empty if nobody has it."""
    if not card.owner:
        return ""
    player = card.holder.kind == PLAYER
    owner = names[int(card.owner)] if player else card.owner
    lying = [f"£{card.cash}"] if card.cash else []
    lying += [f"{held.corporation} {held.percent} %" for held in card.holdings]
    return f"{card.id} ({', '.join([owner, *lying])})"


def _kind(kind: play_pb2.DepotTrain) -> str:
    """Trains of a kind: how many, the sides of their card, one price if all sides have the same."""
    prices = {side.price for side in kind.sides}
    names = [side.name if len(prices) == 1 else f"{side.name} £{side.price}" for side in kind.sides]
    sides = " or ".join(names) + (f" £{kind.sides[0].price}" if len(prices) == 1 else "")
    count = f"{kind.count} × " if kind.HasField("count") else ""
    return f"{count}{sides}"
