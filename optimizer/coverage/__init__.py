"""Runs whose payments count once over the run: maximum coverage with couplings.

The engine for problems with the word :class:`~engine.routing.vocabulary.PaidOnce`,
alone or with choice of the stops that pay, with subsidies by hex, routes that must
meet, stops that must be visited and routes that are joined to chains. Its trains
share track freely.
"""

from optimizer.coverage.solve import solve_coverage, solve_coverage_cp_sat, solve_coverage_search

__all__ = ["solve_coverage", "solve_coverage_cp_sat", "solve_coverage_search"]
