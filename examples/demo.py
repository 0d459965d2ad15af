"""Start the service, ask it for the best runs of the examples, audit whole games, draw, stop.

``python -m examples.demo [OUT]`` writes the pictures to the folder OUT (``out``): the best run
of each position of ``examples``, and of each game of ``examples/games`` the run that missed most
beside the best one. What it says fits two screens.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap

from bradshaw.v1 import board_pb2, game_service_pb2, play_pb2, route_service_pb2
from google.protobuf.json_format import Parse

from server.audit import AuditedRun, audit, sums
from server.cli_tables import LONG, solution_lines
from server.client import RemoteClient
from server.convert.pictures import picture, picture_beside
from server.game_client import RemoteGameClient
from server.gamebook import DEFAULT_PROFILE, begin, parse
from server.process import service_process

FOLDER = Path(__file__).resolve().parent
POSITIONS = tuple(sorted(FOLDER.glob("*.json")))
GAMES = tuple(sorted((FOLDER / "games").glob("*.json")))


@dataclass(frozen=True)
class Checked:
    """A game replayed and audited.

    Parameters
    ----------
    replayed
        What the service says of its replay.
    runs
        Every run beside the best one.
    """

    replayed: game_service_pb2.ReplayGameResponse
    runs: Sequence[AuditedRun]

    @property
    def good(self) -> bool:
        """The result is the recorded one, and every best run is proven."""
        same = self.replayed.state.end_reason == self.replayed.recorded_end_reason
        return self.replayed.scores_equal and same and all(run.proven for run in self.runs)


def main(out: Path, positions: Sequence[Path] = POSITIONS, games: Sequence[Path] = GAMES) -> int:
    """Show positions and games; return 0 if all answers are proven and all results right."""
    out.mkdir(parents=True, exist_ok=True)
    with service_process() as service:
        good = [show_position(service.address, path, out) for path in positions]
        print("Now replaying and auditing whole games; this takes half a minute.\n", flush=True)
        with ThreadPoolExecutor() as pool:
            for path, checked in zip(
                games, pool.map(lambda path: check_game(service.address, path), games), strict=True
            ):
                drawn = draw_most_missed(checked, out / f"{path.stem}-missed.svg")
                print("\n".join(game_lines(checked)))
                print(f"Drawn: {drawn}\n" if drawn else "", flush=True)
                good.append(checked.good)
    print("\n".join(next_lines(out)))
    return 0 if all(good) else 1


def show_position(address: str, path: Path, out: Path) -> bool:
    """Show the best run of a position; return whether it is proven."""
    request = Parse(path.read_text("utf-8"), route_service_pb2.OptimizeRoutesRequest())
    solution = RemoteClient(address).optimize(request, lambda _: None).solution
    print("\n".join(short_lines(request.position, solution)))
    drawn = out / f"{path.stem}.svg"
    drawn.write_text(picture(request.position, solution.run, solution), "utf-8")
    print(f"Drawn: {drawn}\n")
    return bool(solution.status == route_service_pb2.SOLUTION_STATUS_OPTIMAL)


def short_lines(
    position: board_pb2.Position, solution: route_service_pb2.Solution
) -> Iterator[str]:
    """Yield an answer in short: what each train pays and where it runs, the sums, the proof."""
    said = list(solution_lines(position, solution))
    yield said[0]
    for account in solution.run.routes:
        way = " – ".join(stop.name or stop.id for stop in account.stops)
        amount = f"£{account.revenue}"
        heading = f"  {amount:>6}  {account.train_name}: {way}"
        yield from wrap(heading, LONG, subsequent_indent=" " * 14)
    amount = f"£{solution.run.revenue}"
    more = f", and £{solution.run.subsidy} of subsidy" if solution.run.subsidy else ""
    yield f"  {amount:>6}  in all{more}"
    yield said[-1]


def next_lines(out: Path) -> Iterator[str]:
    """Yield what to open next."""
    yield "What to open next, the pictures in any browser:"
    for what, why in (
        (f"{out}/1862.svg", "the best run above; 1822 and 18GB beside it"),
        (f"{out}/1862-missed.svg", "the run that missed most, beside the best one"),
        ("README.md", "a request and its answer, whole games, results"),
        ("docs/index.md", "service, rules, how the solver proves"),
        (".venv/bin/bradshaw optimize examples/1862.json", "every line of an account"),
        (".venv/bin/bradshaw audit examples/games/1862.json", "every run of a game"),
        ("make test", "the tests"),
    ):
        yield f"  {what:<50}  {why}".rstrip()


def check_game(address: str, path: Path) -> Checked:
    """Replay a game, then compare each of its runs with the best one."""
    text = path.read_text("utf-8")
    record = play_pb2.GameRecord(file=text)
    replayed = RemoteGameClient(address).replay(game_service_pb2.ReplayGameRequest(game=record))
    client = RemoteClient(address)

    def ask(position: board_pb2.Position) -> route_service_pb2.Solution:
        request = route_service_pb2.OptimizeRoutesRequest(position=position)
        return client.optimize(request, lambda _: None).solution

    return Checked(replayed, tuple(audit(begin(parse(text), DEFAULT_PROFILE), ask)))


def most_missed(runs: Sequence[AuditedRun]) -> AuditedRun:
    """Return the run that missed most."""
    return max(runs, key=lambda run: run.missed)


def draw_most_missed(checked: Checked, path: Path) -> Path | None:
    """Draw the run that missed most, beside the best one; return where, None if none missed."""
    run = most_missed(checked.runs)
    if run.missed <= 0:
        return None
    drawn = picture_beside(run.position, run.played, run.paid, run.solution)
    path.write_text(drawn, "utf-8")
    return path


def game_lines(checked: Checked) -> Iterator[str]:
    """Yield what there is to say about a game."""
    state, runs = checked.replayed.state, checked.runs
    same = "the recorded ones" if checked.replayed.scores_equal else "NOT the recorded ones"
    yield f"{state.title}: {checked.replayed.action_count} actions, end: {state.end_reason}"
    worth = ", ".join(f"{player.name} £{player.worth}" for player in state.players)
    yield f"  {worth}: {same}"
    (total,) = sums(runs, lambda _: "")
    proven = sum(run.proven for run in runs)
    yield (
        f"  {total.runs} runs, {proven} best ones proven, {total.improvable} better than those "
        f"played; £{total.missed} of £{total.possible} missed"
    )
    run = most_missed(runs)
    kind, turn, number = run.round
    yield (
        f"  missed most: {run.corporation} of {run.director or 'nobody'} in {kind} round "
        f"{turn}.{number}, entry {run.entry}: £{run.paid} instead of £{run.best.revenue}"
    )


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "out")))
