"""1822: The Railways of Great Britain, with the 1822+ expansion and two regional scenarios."""

from engine.games.g1822.rules import PROFILES, Rules1822
from engine.games.game import Game

GAMES = tuple(
    Game(
        title=title,
        name=name,
        folder=__name__,
        map_files={title: "map.json"},
        make_rules=Rules1822,
        profiles=PROFILES,
        extra_slots=True,
    )
    for title, name in (
        ("1822", "1822: The Railways of Great Britain"),
        ("1822MRS", "1822: Medium Regional Scenario"),
        ("1822NRS", "1822: North Regional Scenario"),
    )
)
