"""From a routing problem to the best run, with a proof.

The optimizer knows :mod:`engine.routing` and :mod:`engine.board`, and no game.
"""
