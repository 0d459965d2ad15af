"""1822: The Railways of Great Britain, with the 1822+ expansion and two regional scenarios."""

from engine.games.g1822.rules import PROFILES, Rules1822

make_rules = Rules1822

__all__ = ["PROFILES", "make_rules"]
