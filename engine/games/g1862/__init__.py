"""1862: Railway Mania in the Eastern Counties."""

from engine.games.g1862.rules import PROFILES, Rules1862

make_rules = Rules1862

__all__ = ["PROFILES", "make_rules"]
