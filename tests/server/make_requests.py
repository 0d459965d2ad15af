"""Write the request files of our own: ``python -m tests.server.make_requests``.

The positions are grown from fixed seeds, chosen because a train can run on
them (tests/data/requests) or because they look like an end game and are solved
in well under a second (examples). The files are what counts: tests and pages
use them as they are, also when boards come to be grown in another way.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

from bradshaw.v1 import route_service_pb2
from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message

from engine.board.state import BoardState
from engine.routing.run import CompanyState
from optimizer.stop import Stop
from server.convert.answers import route_message
from server.convert.positions import position_message
from server.desk import Desk
from server.question import Question, Situation
from tests.boards import g18gb, g1822, g1862
from tests.server.doubles import OneLegSolver
from tests.server.requests import FOLDER

State = tuple[BoardState, CompanyState]
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SMALL: dict[str, tuple[Callable[..., State], int]] = {
    "1822-carriage": (g1822.random_position, 16),
    "1822-small": (g1822.random_position, 1),
    "1822MRS-small": (g1822.random_position, 282),
    "1822NRS-small": (g1822.random_position, 23),
    "1862-small": (g1862.random_position, 7),
    "18GB-2NS-small": (g18gb.random_position, 4),
    "18GB-small": (g18gb.random_position, 30),
}
LARGE: dict[str, Callable[[], State]] = {
    "1822": lambda: g1822.large_position(random.Random(2)),
    "1862": lambda: g1862.large_position(random.Random(40)),
    "18GB": lambda: g18gb.large_position(
        random.Random(2), density=0.72, trains=("6X", "5X", "5+2")
    ),
}


def write_small() -> None:
    """Write a request to optimize, and one to validate a run over one leg, for each position."""
    for name, (grow, seed) in SMALL.items():
        board, company = grow(random.Random(seed), hexes=8, trains=2)
        position = position_message(board, company)
        _write(FOLDER / f"{name}.json", route_service_pb2.OptimizeRoutesRequest(position=position))
        answer = Desk(OneLegSolver()).optimize(Question(Situation(board, company)), Stop())
        routes = [route_message(answer.position, route) for route in answer.best.run.routes]
        for leg in (leg for route in routes for leg in route.legs):
            leg.ClearField("hexes")
        submitted = route_service_pb2.ValidateRoutesRequest(position=position, routes=routes)
        _write(FOLDER / f"{name}.run.json", submitted)


def write_large() -> None:
    """Write the examples."""
    for name, grow in LARGE.items():
        position = position_message(*grow())
        _write(
            EXAMPLES / f"{name}.json", route_service_pb2.OptimizeRoutesRequest(position=position)
        )


def _write(path: Path, message: Message) -> None:
    text = MessageToJson(message, preserving_proto_field_name=True, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    write_small()
    write_large()
    sys.exit(0)
