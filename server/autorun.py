"""Running the trains for a player: the best run of the company in turn, as an action."""

from __future__ import annotations

from engine.board.board import Board
from engine.games import load_game
from engine.notation.routes import written_route
from engine.play.actions import RouteEntry, RunRoutes, corporation
from engine.play.game import Play
from engine.routing.position import load_position, make_rules
from engine.routing.run import Run, Verdict
from optimizer.solution import Solution
from optimizer.solve import solve
from optimizer.stop import Stop


def run_action(board: Board, company: str, run: Run, verdict: Verdict) -> RunRoutes:
    """Return a run as the action of a record, with what the referee says that it pays (FMT §B6).

    Parameters
    ----------
    board
        The board on which it runs.
    company
        Who runs.
    run, verdict
        The run, and the referee's verdict on it, which is legal.
    """
    entries: list[RouteEntry] = []
    for route, said in zip(run.routes, verdict.routes, strict=True):
        written = written_route(board, route)
        entries.append(
            RouteEntry(
                train=route.train,
                connections=written.connections,
                hexes=tuple(board.stops[stop].hex for stop in route.stops),
                revenue=said.revenue,
                revenue_str="-".join(board.stops[stop].hex for stop in said.paying),
                nodes=written.nodes,
            )
        )
    return RunRoutes(corporation(company), tuple(entries))


def best_run(play: Play, stop: Stop | None = None) -> tuple[RunRoutes, Solution] | None:
    """Return the best run of the company that is about to run, and the solution behind it.

    Parameters
    ----------
    play
        A game; None is returned unless a company is about to run its trains.
    stop
        Time limit or cancellation; None: until it is proven.

    Raises
    ------
    OutOfTimeError
        Time ran out before any run was found.
    """
    running = play.running()
    if running is None:
        return None
    state, company = running
    rules = make_rules(load_game(play.setting.title), play.setting.profile)
    position = load_position(rules, state, company)
    solution = solve(rules.problem(position), stop=stop)
    action = run_action(position.board, company.corporation, solution.run, solution.verdict)
    return action, solution
