"""The referee of 1862: is a run legal (1862 §10.2, §10.3), and what does it pay?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.errors import Fault
from engine.games.g1862.account import TrainRun, account_of, choose
from engine.games.g1862.court import Court, counts_for, main_slot
from engine.games.g1862.freight import Chain, FreightRun, bonus_of, chain_faults, join_runs
from engine.games.g1862.idle import addable_route
from engine.games.g1862.profile import Profile1862
from engine.games.g1862.route_rules import route_faults
from engine.games.g1862.stations import CHAINING_BANDS, FREIGHT, is_large
from engine.routing.checks import ownership_faults
from engine.routing.run import Position, Route, Run, Verdict
from engine.routing.track import Traced, trace
from engine.titles.trains import TrainKind


def judge_run(profile: Profile1862, position: Position, run: Run) -> Verdict:
    """Say whether a run is legal and what it pays.

    Parameters
    ----------
    profile
        The reading of the rules.
    position
        Board and company.
    run
        The routes in the order listed, which decides how Freights branch
        (1862 §10.5.6) and which route is credited with what (1862 §15.5).

    Returns
    -------
    Verdict
        With every fault, or with the account of every route. Faults that need
        all routes (home, meeting, chains) are looked for once every route
        follows the track, idle trains in an otherwise legal run.
    """
    court = Court.open(profile, position)
    faults = list(_train_faults(court, run))
    runs: list[TrainRun] = []
    trains = {train.id: train for train in position.company.trains}
    for number, route in enumerate(run.routes):
        path = f"routes[{number}]"
        traced, broken = trace(position.board, route, path)
        faults.extend(broken)
        if traced is not None and route.train in trains:
            kind = court.kind(trains[route.train])
            faults.extend(route_faults(court, kind, traced, path))
            faults.extend(_choice_faults(kind, traced, path))
            runs.append(TrainRun(number, kind, traced))
    chains = _chains(runs)
    if runs and len(runs) == len(run.routes):
        faults.extend(_meeting_faults(court, [one.traced for one in runs]))
        faults.extend(chain_faults(profile, chains))
    if not faults and not profile.idle_trains:
        faults.extend(_idle_faults(court, run))
    return Verdict(tuple(faults)) if faults else _paid(court, runs, chains)


def _paid(court: Court, runs: Sequence[TrainRun], chains: Sequence[Chain]) -> Verdict:
    ends = [stop for chain in chains for _, stop in chain.paying()]
    unsaid = all(run.traced.route.paid is None for run in runs)
    chosen = choose(runs, ends, court.profile.choice_by_node and unsaid)
    board = court.position.board
    priced = [(chain, bonus_of(court.title, court.profile, board, chain)) for chain in chains]
    per_hex = court.title.setup["revenue"]["local_subsidy_per_hex"]
    routes = account_of(runs, priced, chosen, per_hex)
    return Verdict(
        revenue=sum(route.revenue for route in routes),
        subsidy=sum(route.subsidy for route in routes),
        routes=routes,
    )


def _chains(runs: Sequence[TrainRun]) -> tuple[Chain, ...]:
    """Return the chains of the Freights among these runs."""
    return join_runs(
        [
            FreightRun(run.number, run.traced, run.kind.card in CHAINING_BANDS)
            for run in runs
            if run.kind.kind == FREIGHT
        ]
    )


def _train_faults(court: Court, run: Run) -> Iterator[Fault]:
    company = court.position.company
    yield from ownership_faults(company, run, "1862 §10.3")
    trains = {train.id: train for train in company.trains}
    for number, route in enumerate(run.routes):
        train = trains.get(route.train)
        if train is not None and not court.may_run(train):
            message = f"{train.id} may not run now"
            if train.runnable:
                message = f"the company has no permit for {court.kind(train).kind} trains"
            yield Fault("TRAIN_NOT_RUNNABLE", f"routes[{number}].train", message, "1862 §10.3")
        if route.attachment:
            path = f"routes[{number}].attachment"
            yield Fault("ATTACHMENT_UNKNOWN", path, "1862 has no carriages", "1862 §1.4")


def _choice_faults(kind: TrainKind, traced: Traced, path: str) -> Iterator[Fault]:
    """The stops that are to pay, where a route names them (1862 §10.4)."""
    asked = traced.route.paid
    if asked is None:
        return
    open_to_choice = {stop.id for stop in traced.stops if counts_for(kind, stop)}
    for number, stop in enumerate(asked):
        where = f"{path}.paid[{number}]"
        if stop not in open_to_choice:
            message = f"{stop!r} is not among the stops from which the {kind.name} chooses"
            yield Fault("PAID_NOT_A_CHOICE", where, message, "1862 §10.4")
        elif stop in asked[:number]:
            yield Fault("PAID_TWICE", where, f"{stop} is named twice", "1862 §10.4")
    if kind.kind != FREIGHT and len(asked) > main_slot(kind).pay:
        message = f"the {kind.name} counts {main_slot(kind).pay} stops, not {len(asked)}"
        yield Fault("PAID_TOO_MANY", f"{path}.paid", message, "1862 §10.4")


def _meeting_faults(court: Court, routes: Sequence[Traced]) -> Iterator[Fault]:
    """Yield a fault if home is not visited (1862 S1) or routes do not meet (1862 S2)."""
    home, company = court.home, court.position.company.corporation
    if home is None:
        message = f"the home marker of {company} is not on the board, so nothing may run"
        yield Fault("HOME_NOT_ON_BOARD", "routes", message, "1862 S1")
    elif not any(stop.id == home.id for traced in routes for stop in traced.stops):
        message = f"no route visits {home.id}, the home of {company}"
        yield Fault("HOME_NOT_VISITED", "routes", message, "1862 S1", home.hex)
    where = "station" if court.profile.meet_at_areas else "large station"
    for number in _apart(court, routes):
        message = f"it shares no {where} with routes[0], directly or through other routes"
        yield Fault("ROUTES_DO_NOT_MEET", f"routes[{number}]", message, "1862 S2")


def _apart(court: Court, routes: Sequence[Traced]) -> list[int]:
    """Return the routes that are not connected with the first one."""
    places = [
        {stop.id for stop in traced.stops if court.profile.meet_at_areas or is_large(stop)}
        for traced in routes
    ]
    apart = list(range(1, len(routes)))
    reached = set(places[0])
    while meeting := [number for number in apart if places[number] & reached]:
        reached.update(*(places[number] for number in meeting))
        apart = [number for number in apart if number not in meeting]
    return apart


def _idle_faults(court: Court, run: Run) -> Iterator[Fault]:
    """Yield a fault for every idle train of which a route can be added (1862 D18)."""
    running = {route.train for route in run.routes}
    lenient = replace(court.profile, idle_trains=True)

    def legal(route: Route) -> bool:
        return judge_run(lenient, court.position, Run((*run.routes, route))).legal

    for number, train in enumerate(court.position.company.trains):
        if train.id not in running and court.may_run(train):
            route = addable_route(court, train, run, legal)
            if route is not None:
                way = " - ".join(route.stops)
                message = f"{train.id} stands idle though it can run, for example {way}"
                yield Fault("TRAIN_IDLE", f"company.trains[{number}]", message, "1862 S5")
