"""Which games of 18GB the robots play, and what is counted in them."""

from __future__ import annotations

from tests.engine.games.g18gb.play.invariants import check
from tests.engine.games.g18gb.play.sightings import RARE, seen
from tests.engine.play.random_games import Watch
from tests.engine.play.robot import moves
from tests.engine.play.robot_games import Seats, Trial

SCENARIOS: tuple[Seats, ...] = (
    (2, ()),
    (2, ("two_player_ew",)),
    (3, ()),
    (4, ()),
    (4, ("four_player_alt",)),
    (5, ()),
    (6, ()),
)

WATCH = Watch(
    rules="18GB",
    invariants=check,
    hexes=("F21", "G4", "I4", "H19", "D23"),
    cities=("G41-0-0", "I14-4-0", "G30-0-0"),
)

TRIAL = Trial(seats={"18GB": SCENARIOS}, watch=WATCH, moves=moves, seen=seen, rare=RARE)
