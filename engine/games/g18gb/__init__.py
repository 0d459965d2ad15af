"""18GB: The Railways of Great Britain."""

from engine.games.g18gb.rules import PROFILES, Rules18GB

make_rules = Rules18GB

__all__ = ["PROFILES", "make_rules"]
