"""The rules of 18xx games: boards, routes, what they pay and who may run them.

The engine knows nothing of solvers or servers. What it says about a run is
the last word: every answer of the service is checked here before it leaves.
"""
