"""Whole games as tables for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bradshaw.v1 import game_service_pb2, play_pb2

from engine.words import counted
from server.audit import AuditedRun, Sums, sums
from server.cli_state_tables import NOBODY, player_marks, table_lines


def _amounts(*columns: str) -> str:
    return "".join(f"{column:>9}" for column in columns)


HEADS = _amounts("paid", "best", "missed")


def replay_lines(answer: game_service_pb2.ReplayGameResponse) -> Iterator[str]:
    """Yield the lines of a replay: where it stands, players, companies, result, differences."""
    state = answer.state
    yield f"{state.title}, rules {state.profile}: {answer.action_count} actions"
    yield _moment(state)
    yield ""
    yield from _player_lines(answer)
    if not state.finished:
        yield from table_lines(state)
    if answer.HasField("scores_equal"):
        yield ""
        same = "are the recorded ones" if answer.scores_equal else "are NOT the recorded ones"
        yield f"The scores {same}."
    if other_reason(answer):
        yield f"The game ends by {state.end_reason}; recorded is {answer.recorded_end_reason}."
    if answer.faults:
        yield ""
        yield "What the rules see differently:"
    for fault in answer.faults:
        rule = f" ({fault.section})" if fault.section else ""
        yield f"  entry {fault.entry}  {fault.code}  {fault.field}: {fault.message}{rule}"


def replay_line(answer: game_service_pb2.ReplayGameResponse) -> str:
    """Return a replay on one line: where it stands, whether its result is the recorded one."""
    state = answer.state
    moment = _moment(state).rstrip(".")
    said = [f"{state.title}, {answer.action_count} actions", moment[0].lower() + moment[1:]]
    if answer.HasField("scores_equal"):
        said.append("scores as recorded" if answer.scores_equal else "scores NOT as recorded")
    if other_reason(answer):
        said.append(f"recorded is the end by {answer.recorded_end_reason}")
    if answer.faults:
        count = counted(len(answer.faults), "entry", "entries")
        said.append(f"{count} seen differently by the rules")
    return "; ".join(said)


def other_reason(answer: game_service_pb2.ReplayGameResponse) -> bool:
    """Tell whether a game has ended for another reason than the recorded one."""
    recorded = answer.recorded_end_reason
    return bool(answer.state.finished and recorded and recorded != answer.state.end_reason)


def _moment(state: play_pb2.GameState) -> str:
    if state.finished:
        return f"The game is over: {state.end_reason}."
    round_name = _round(state.round.kind, state.round.turn, state.round.number)
    ending = f"; the game ends: {state.end_reason}" if state.end_reason else ""
    who = f"{state.actor.kind} {state.actor.id}"
    return f"Phase {state.board.phase}, {round_name}: {who} at the step {state.step}{ending}."


def _round(kind: str, turn: int, number: int) -> str:
    return f"{kind} round {turn}.{number}"


def _player_lines(answer: game_service_pb2.ReplayGameResponse) -> Iterator[str]:
    recorded = answer.recorded_scores if answer.HasField("scores_equal") else {}
    for player in answer.state.players:
        held = ", ".join(f"{h.corporation} {h.percent} %" for h in player.holdings)
        seen = "" if answer.state.finished else player_marks(answer.state, player)
        rest = "; ".join(part for part in (seen, held) if part)
        said = f"  recorded £{recorded[player.id]:<6}" if player.id in recorded else ""
        line = f"{player.name:16} £{player.cash:<6} worth £{player.worth:<6}{said}"
        yield f"{line}  {rest}".rstrip()


def audit_lines(runs: Sequence[AuditedRun], better: bool = False) -> Iterator[str]:
    """Yield the lines of an audit: each run, then sums by company and director, and in all.

    Parameters
    ----------
    better
        List only runs for which a better one exists; sums are over all.
    """
    yield f"{'entry':>6}  {'round':22}{'company':9}{'director':16}{HEADS}"
    for run in runs:
        if better and run.missed <= 0:
            continue
        where = _round(*run.round)
        doubt = "" if run.proven else f"  not proven, bound £{run.solution.bound}"
        amounts = _amounts(f"£{run.paid_measure}", f"£{run.possible_measure}", _missed(run.missed))
        who = f"{run.corporation:9}{run.director or NOBODY:16}"
        yield f"{run.entry:6}  {where:22}{who}{amounts}{doubt}"
    for title, name_of in (("company", _company), ("director", _director)):
        yield ""
        yield f"{'By ' + title:24}{'runs':>6}{'better':>8}{HEADS}"
        for entry in sums(runs, name_of):
            yield _sums_line(entry.name or NOBODY, entry)
    for entry in sums(runs, lambda _: ""):
        yield ""
        yield _sums_line("All", entry)


def _company(run: AuditedRun) -> str:
    return run.corporation


def _director(run: AuditedRun) -> str:
    return run.director


def _sums_line(name: str, entry: Sums) -> str:
    amounts = _amounts(f"£{entry.paid}", f"£{entry.possible}", _missed(entry.missed))
    return f"{name:24}{entry.runs:6}{entry.improvable:8}{amounts}"


def _missed(amount: int) -> str:
    return f"£{amount}" if amount > 0 else f"-£{-amount}" if amount else "0"
