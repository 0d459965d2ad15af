"""The legend beside the map: the company, its routes and what they add up to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.drawing.routes import route_colour
from engine.drawing.scene import Scene
from engine.drawing.shapes import XY
from engine.drawing.stops import company_colours, fitted
from engine.drawing.svg import element, group, text, text_width, wrapped
from engine.routing.run import CompanyState, Item, Route, RouteVerdict, Run, Verdict, item_words

WIDTH = 430.0
"""Of the legend, in pixels."""
_PAD = 18.0
_SIZE = 16.0
_SMALL = 13.0


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether something better than a run can exist.

    Parameters
    ----------
    proven
        Nothing better exists.
    bound
        £ that no run passes; None if no bound is known.
    how
        What proved it: ``bounds``, ``search``, ``cp-sat``.
    money
        Nothing pays more, but which of the runs that pay as much is best by the
        tie-breaks is open.
    """

    proven: bool
    bound: int | None = None
    how: str = ""
    money: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """A run as a picture shows it.

    Parameters
    ----------
    run
        Its routes; None for the board alone.
    verdict
        What the referee says about it.
    heading
        What the run is, if there are several: ``Played``, ``Best``.
    amount
        £ beside the heading; None for the revenue of the verdict.
    proof
        Whether something better can exist.
    """

    run: Run | None = None
    verdict: Verdict | None = None
    heading: str = ""
    amount: int | None = None
    proof: Proof | None = None

    @property
    def revenue(self) -> int | None:
        """£ of the run, None if unknown."""
        if self.amount is not None or self.verdict is None:
            return self.amount
        return self.verdict.revenue

    @property
    def headline(self) -> str:
        """Heading and amount in one line."""
        return self.heading if self.revenue is None else f"{self.heading}: £{self.revenue}"


class Legend:
    """Lines of text under each other.

    Parameters
    ----------
    left, top
        Upper left corner, in pixels.
    """

    def __init__(self, left: float, top: float) -> None:
        self.left = left + _PAD
        self.right = left + WIDTH - _PAD
        self.y = top + _PAD
        self.parts: list[str] = []

    def line(
        self,
        content: str,
        *,
        size: float = _SIZE,
        amount: str = "",
        bold: bool = False,
        indent: float = 0.0,
        fill: str = "#111111",
    ) -> None:
        """Add a text, broken into lines, with an amount at the right of the first."""
        taken = text_width(amount, size, bold=bold) + 10 if amount else 0.0
        room = self.right - self.left - indent - taken
        for number, part in enumerate(wrapped(content, size, room, bold=bold) or [""]):
            self.y += size * 0.65
            self.parts.append(
                text(part, self.left + indent, self.y, size, anchor="start", bold=bold, fill=fill)
            )
            if amount and number == 0:
                self.parts.append(
                    text(amount, self.right, self.y, size, anchor="end", bold=bold, fill=fill)
                )
            self.y += size * 0.65

    def gap(self, height: float) -> None:
        """Leave room."""
        self.y += height

    def rule(self) -> None:
        """Draw a line across."""
        self.gap(7)
        self.parts.append(
            element(
                "line", x1=self.left, y1=self.y, x2=self.right, y2=self.y, stroke="#777777",
                stroke_width=1,
            )
        )  # fmt: skip
        self.gap(7)


def draw_legend(
    scene: Scene,
    company: CompanyState,
    shown: Sequence[Shown],
    *,
    title: str,
    corner: XY,
) -> tuple[str, float]:
    """Return the legend and the height at which it ends.

    `corner` is its upper left corner, in pixels.
    """
    legend = Legend(*corner)
    legend.line(title or scene.title.name, size=22, bold=True)
    legend.gap(4)
    chosen = f", map {scene.board.atlas.name}" if len(scene.title.map_files) > 1 else ""
    where = f"{scene.title.title}{chosen}, phase {scene.board.state.phase}"
    legend.line(where, size=_SMALL, fill="#444444")
    if company.corporation:
        _company(legend, scene, company)
    trains = {train.id: train.name for train in company.trains}
    for one in shown:
        if one.run is not None:
            legend.rule()
            if one.heading:
                legend.line(one.headline, size=20, bold=True)
            _run(legend, scene, one.run, one.verdict, trains)
            if one.proof is not None:
                _proof(legend, one.proof)
    return group(legend.parts, class_="legend"), legend.y + _PAD


def _company(legend: Legend, scene: Scene, company: CompanyState) -> None:
    legend.gap(10)
    ground, letters = company_colours(scene, company.corporation)
    radius = 17.0
    at = (legend.left + radius, legend.y + radius)
    legend.parts.append(
        element("circle", cx=at[0], cy=at[1], r=radius, fill=ground, stroke="#111111")
    )
    legend.parts.append(fitted(company.corporation, at, radius, letters, bold=True))
    raw = scene.title.corporations[company.corporation]
    start = legend.y
    legend.line(raw["name"], bold=True, indent=2 * radius + 10)
    trains = ", ".join(train.name for train in company.trains) or "no trains"
    legend.line(f"trains: {trains}", size=_SMALL, indent=2 * radius + 10)
    legend.y = max(legend.y, start + 2 * radius)


def _run(
    legend: Legend, scene: Scene, run: Run, verdict: Verdict | None, trains: Mapping[str, str]
) -> None:
    names = {stop.id: stop.name for stop in scene.board.stops.values()}
    for number, route in enumerate(run.routes):
        said = verdict.routes[number] if verdict and number < len(verdict.routes) else None
        _route(legend, number, route, said, names=names, trains=trains)
    if not run.routes:
        legend.line("no train runs")
    if verdict is None:
        return
    for item in verdict.items:
        _item(legend, item, 0)
    legend.rule()
    if not verdict.legal:
        for fault in verdict.faults:
            legend.line(f"{fault.code}: {fault.message}", size=_SMALL, fill="#B00020")
        return
    legend.line("Revenue", amount=f"£{verdict.revenue}", bold=True)
    if verdict.subsidy:
        legend.line("Subsidy", amount=f"£{verdict.subsidy}", bold=True)


def _proof(legend: Legend, proof: Proof) -> None:
    """Say whether something better can exist, and the bound."""
    if proof.bound is not None:
        legend.line("Bound: no run pays more", amount=f"£{proof.bound}", size=_SMALL)
    by = f" ({proof.how})" if proof.how else ""
    if proof.proven:
        legend.line(f"Proven: nothing better exists{by}.", size=_SMALL, fill="#1B5E20")
    elif proof.money:
        legend.line(f"Proven: nothing pays more{by}.", size=_SMALL, fill="#1B5E20")
        legend.line("Which of the runs that pay as much is best is open.", size=_SMALL)
    else:
        legend.line("Not proven: a better run may exist.", size=_SMALL, fill="#B00020")


def _route(
    legend: Legend,
    number: int,
    route: Route,
    said: RouteVerdict | None,
    *,
    names: Mapping[str, str | None],
    trains: Mapping[str, str],
) -> None:
    legend.gap(4)
    swatch = element(
        "rect", x=legend.left, y=legend.y + 2, width=24, height=15, rx=4,
        fill=route_colour(number),
    )  # fmt: skip
    legend.parts.append(group([swatch], class_="legend-route", data_train=route.train))
    train = f"{trains.get(route.train, '')} ({route.train})"
    if route.attachment:
        train += f" with {route.attachment}"
    amount = "" if said is None else f"£{said.revenue}"
    legend.line(f"Train {train}", amount=amount, bold=True, indent=34)
    legend.line(" – ".join(_written(route.stops, names)), size=_SMALL, indent=34, fill="#333333")
    if said is not None:
        for item in said.items:
            on_the_map = item.subject in route.stops and (item.kind == "stop" or not item.amount)
            if not on_the_map and item.kind != "subsidy":
                _item(legend, item, 34)
        if said.subsidy:
            legend.line("subsidy", amount=f"£{said.subsidy}", size=_SMALL, indent=34)


def _written(stops: Iterable[str], names: Mapping[str, str | None]) -> list[str]:
    return [f"{names[stop]} ({stop})" if names.get(stop) else stop for stop in stops]


def _item(legend: Legend, item: Item, indent: float) -> None:
    words = f"{item.kind}: {item_words(item.subject, item.text)}"
    amount = f"£{item.amount}" if item.amount else ""
    legend.line(words, size=_SMALL, amount=amount, indent=indent, fill="#333333")
