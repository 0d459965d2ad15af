"""Answers as tables for people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from bradshaw.v1 import board_pb2, route_service_pb2, run_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2

from engine.games import load_game
from engine.routing.run import item_words
from engine.words import counted

WIDTH = 64
"""Column before the amounts."""

LONG = 100
"""Longest line with the stops of a route."""

PAYS_FIRST = ("stop",)

OPEN_TIES = {
    "subsidy": "that no run as good has more subsidy",
    "revenue": "that no run as good has more revenue",
    "trains": "that no run as good needs fewer trains",
}
"""What is said of a tie-break that is open."""


def solution_lines(
    position: board_pb2.Position, solution: route_service_pb2.Solution
) -> Iterator[str]:
    """Yield the lines of an answer."""
    yield _heading(position)
    yield ""
    yield from run_lines(solution.run)
    yield ""
    seconds = solution.solve_duration.ToMicroseconds() / 1_000_000
    if solution.status == route_service_pb2.SOLUTION_STATUS_OPTIMAL:
        better = "pays more" if solution.open_ties else "better exists"
        yield f"Proven: nothing {better} ({solution.proof}, {seconds:.3f} s)."
        if solution.open_ties:
            yield f"Not proven: {' and '.join(OPEN_TIES[tie] for tie in solution.open_ties)}."
    else:
        yield f"Not proven: no run passes the bound £{solution.bound} ({seconds:.3f} s)."
    for number, other in enumerate(solution.others, start=2):
        yield ""
        yield f"Run {number}: {_sums(other)}"
        yield from run_lines(other)
    if solution.others_cut_short:
        yield "Time ran out before all the runs asked for were found."
    if solution.HasField("free_optimum"):
        yield f"Without the wishes: {_sums(solution.free_optimum)}."


def verdict_lines(
    position: board_pb2.Position,
    answer: route_service_pb2.ValidateRoutesResponse,
    given: bool = True,
) -> Iterator[str]:
    """Yield the lines of a verdict.

    Parameters
    ----------
    given
        Whether the request has routes; what is judged else is the run of nothing.
    """
    yield _heading(position)
    yield ""
    if not given:
        yield "No routes were given: this is the verdict on a run of nothing."
    if answer.legal:
        yield from run_lines(answer.run)
        yield ""
        yield "The run is legal."
    else:
        yield from fault_lines(answer.faults)
        yield ""
        yield "The run is illegal."


def run_lines(run: run_pb2.Run) -> Iterator[str]:
    """Yield the account of a run: routes, their lines, what the whole run earns, sums."""
    if not run.routes:
        yield "No train runs."
    for account in run.routes:
        attached = f" with {account.route.attachment}" if account.route.attachment else ""
        heading = f"{account.train_name}{attached} ({account.route.train_id})  {_way(account)}"
        yield from wrap(heading, LONG, subsequent_indent="        ")
        for item in account.items:
            yield _item(item)
        if account.subsidy:
            yield _line("  subsidy", account.subsidy)
        yield _line("  revenue", account.revenue)
    for item in run.items:
        yield _item(item)
    if run.subsidy:
        yield _line("Subsidy and mail", run.subsidy)
    yield _line("Revenue of the run", run.revenue)


def fault_lines(faults: Iterable[run_pb2.Fault]) -> Iterator[str]:
    """Yield a line for each fault of a run."""
    for fault in faults:
        rule = f" ({fault.section})" if fault.section else ""
        yield f"{fault.code}  {fault.field}: {fault.message}{rule}"


def status_lines(status: status_pb2.Status) -> Iterator[str]:
    """Yield the lines of an error with its details."""
    faults = list(_violations(status))
    said = _beyond(status.message, faults)
    yield ": ".join(["bradshaw", code_pb2.Code.Name(status.code), *([said] if said else [])])
    for code, field, sentence in faults:
        where = f"{field}: " if field else ""
        yield f"  {code}  {where}{sentence}"
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    for detail in status.details:
        if detail.Unpack(info) and faults:
            more = int(info.metadata.get("faults", "0")) - len(faults)
            if more > 0:
                yield f"  and {counted(more, 'more fault')}"
        elif detail.Unpack(retry):
            yield f"  try again in {retry.retry_delay.ToMilliseconds() / 1000:.1f} s"


def _violations(status: status_pb2.Status) -> Iterator[tuple[str, str, str]]:
    """Yield code, field and sentence of every fault that the details list."""
    bad, forbidden = error_details_pb2.BadRequest(), error_details_pb2.PreconditionFailure()
    for detail in status.details:
        if detail.Unpack(bad):
            for violation in bad.field_violations:
                yield violation.reason, violation.field, violation.description
        elif detail.Unpack(forbidden):
            for failure in forbidden.violations:
                yield failure.type, failure.subject, failure.description


def _beyond(message: str, faults: Sequence[tuple[str, str, str]]) -> str:
    """Return what the message of a status says beyond the faults that are listed below it."""
    for _, field, sentence in faults[:1]:
        said = re.sub(r"…?( \([^()]*\))?$", "", sentence)
        for text in (f"{field}: {said}", said):
            if text in message:
                return message[: message.index(text)].rstrip(": ")
    return message


def game_lines(answer: route_service_pb2.ListGamesResponse) -> Iterator[str]:
    """Yield a line for each game."""
    for game in answer.games:
        maps = f"  maps {', '.join(game.maps)}" if len(game.maps) > 1 else ""
        yield f"{game.title:8}{game.display_name}{maps}  profiles {', '.join(game.profiles)}"


def _heading(position: board_pb2.Position) -> str:
    board, company = position.board, position.company
    trains = ", ".join(train.name for train in company.trains) or "no trains"
    rules = position.rules.name or "18xx.games"
    several = len(load_game(board.title).map_files) > 1
    where = f"{board.title} {board.map}".rstrip() if several else board.title
    text = f"{where}, phase {board.phase}: {company.corporation} with {trains}, rules {rules}"
    return text + (" (changed)" if position.rules.overrides else "")


def _way(account: run_pb2.RouteAccount) -> str:
    """The stops in a row, by name and hex."""
    return " – ".join(f"{stop.name} {stop.hex}".lstrip() for stop in account.stops)


def _item(item: run_pb2.Item) -> str:
    text = item_words(item.subject, item.text)
    kind = "" if item.kind in PAYS_FIRST else f"{item.kind}: "
    return _line(f"    {kind}{text}", item.amount)


def _line(text: str, amount: int) -> str:
    return f"{text:{WIDTH}} {'£' + str(amount):>7}"


def _sums(run: run_pb2.Run) -> str:
    subsidy = f" and subsidy £{run.subsidy}" if run.subsidy else ""
    return f"£{run.revenue}{subsidy}"
