"""18GB: The Railways of Great Britain."""

from engine.games.g18gb.rules import PROFILES, Rules18GB
from engine.games.game import Game

GAMES = (
    Game(
        title="18GB",
        name="18GB: The Railways of Great Britain",
        folder=__name__,
        map_files={"Standard": "map.json", "2NS": "map_2NS.json", "2EW": "map_2EW.json"},
        make_rules=Rules18GB,
        profiles=PROFILES,
    ),
)
