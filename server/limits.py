"""The largest numbers that a request may have, and the formats of games in it."""

from __future__ import annotations

MOST_TILES = 500
MOST_TOKENS = 1000
MOST_ROUTES = 24
MOST_STOPS = 200
MOST_PATHS = 400
MOST_ENTRIES = 500
MOST_RUNS = 20
MOST_SECONDS = 600
MOST_SEED = 2**31 - 1
MOST_AMOUNT = 100_000
MOST_TITLE_BYTES = 4 * 2**20
"""Bytes of the files of a title that is described."""
MOST_SMALL = 10_000
MOST_FACTOR = 100
"""Greatest factor on what a train earns."""
MOST_SLOTS = 20
"""Lines of the reach of a train."""
MOST_HEX_PATHS = 60
"""Pieces of track on a hex."""
MOST_ENTRY = 10**12
"""Largest id of an entry of a game file."""

SNAPSHOT = "bradshaw-game-1"
"""Names the format of snapshots of games."""
