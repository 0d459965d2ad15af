"""1862: Railway Mania in the Eastern Counties."""

from engine.games.g1862.rules import PROFILES, Rules1862
from engine.games.game import Game

GAMES = (
    Game(
        title="1862",
        name="1862: Railway Mania in the Eastern Counties",
        folder=__name__,
        map_files={"Standard": "map.json"},
        make_rules=Rules1862,
        profiles=PROFILES,
    ),
)
