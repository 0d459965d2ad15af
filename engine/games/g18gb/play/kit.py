"""What does not change in a game of 18GB: scenario, profile, printed parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from engine.errors import Fault, StateError
from engine.games.game import Game
from engine.play.depot import Roster
from engine.play.game import Setting
from engine.play.lays import LayGuide
from engine.play.market import Chart
from engine.play.steps import Kit
from engine.routing.position import make_rules


@dataclass(frozen=True)
class PlayProfile:
    """Where the rules summary and 18xx.games play differently (18GB §0.1).

    Parameters
    ----------
    trainless_sales_at_half
        Shares of a company without trains sell for half (§3.5).
    special_tiles_limited
        AF and LS may lay only the tiles that their ability names (§4.7).
    special_lays_need_new_track
        Lays by AF, LS and TV must give new track to use (§4.7).
    specials_at_any_time
        LS, GN and MC may be used at any moment of the turn, also by insolvent
        companies; otherwise only in the track and token step (§4.7, §4.9, §4.10).
    turns_kept_by_samples
        Of the certificates of a company only some are looked at to tell whether
        something can be bought: the smallest in the market and the smallest in the
        initial offering. If none of them can be had, nothing can be bought, and the
        turn may close; otherwise every certificate counts (§16.3, §6.10).
    exchange_needs_cash_for_two
        Who takes the director's certificate out of the market must have the
        price of two shares while paying one (§6.10).
    priority_outlives_lnwr
        The priority of LB stays when LNWR leaves the game unstarted (§17.24).
    emergency_conversion_forced
        A trainless company that can convert in an emergency must (§13.7).
    receivership_keeps_a_pound
        In receivership a train is bought only if it costs less than all cash (§13.9).
    tokens_freeze
        No tokens any more once two trains are left (§14.3).
    cr_token_free
        The second token of CR is free; otherwise it costs £50 (§1.5).
    full_score
        Privates still open count, certificates of trainless companies count
        half; otherwise only cash and full shares (§15.2).
    """

    trainless_sales_at_half: bool
    special_tiles_limited: bool
    special_lays_need_new_track: bool
    specials_at_any_time: bool
    turns_kept_by_samples: bool
    exchange_needs_cash_for_two: bool
    priority_outlives_lnwr: bool
    emergency_conversion_forced: bool
    receivership_keeps_a_pound: bool
    tokens_freeze: bool
    cr_token_free: bool
    full_score: bool


SITE = PlayProfile(
    trainless_sales_at_half=True,
    special_tiles_limited=True,
    special_lays_need_new_track=False,
    specials_at_any_time=True,
    turns_kept_by_samples=True,
    exchange_needs_cash_for_two=True,
    priority_outlives_lnwr=True,
    emergency_conversion_forced=False,
    receivership_keeps_a_pound=True,
    tokens_freeze=True,
    cr_token_free=True,
    full_score=True,
)

RULEBOOK = PlayProfile(**{field.name: not getattr(SITE, field.name) for field in fields(SITE)})
"""On every point the rules summary says the opposite, or nothing."""

PLAY_PROFILES: Mapping[str, PlayProfile] = {
    "18xx.games": SITE,
    "rulebook": RULEBOOK,
    "18xx.games-2024-02-18": SITE,
}


@dataclass(frozen=True)
class Kit18GB(Kit):
    """The fixed parts of a game of 18GB.

    Parameters
    ----------
    scenario
        Its entry in ``setup.json`` (facts §10).
    profile
        Reading of the rules.
    abilities
        Abilities of the privates in play, by private and type (facts §9.1).
    conversion_spaces
        Spaces that the marker goes left on conversion, by occasion (§6.11, §13.7).
    """

    scenario: Mapping[str, Any]
    profile: PlayProfile
    abilities: Mapping[str, Mapping[str, Mapping[str, Any]]]
    conversion_spaces: Mapping[str, int]

    @property
    def certificate_limit(self) -> int:
        """Certificates that a player may hold (§1.1)."""
        limit: int = self.scenario["certificate_limit"]
        return limit


def scenario_of(game: Game, players: int, options: tuple[str, ...]) -> Mapping[str, Any]:
    """Return the scenario for a number of players (§1.1, §1.4).

    Raises
    ------
    StateError
        The game is not for so many players.
    """
    fitting = [entry for entry in game.setup["scenarios"] if entry["players"] == players]
    if not fitting:
        message = f"18GB is for 2 to 6 players, not {players}"
        raise StateError([Fault("PLAYER_COUNT", "players", message, "18GB §1.1")])
    chosen: Mapping[str, Any] = next(
        (entry for entry in fitting if entry["option"] in options), fitting[0]
    )
    return chosen


def make_kit(game: Game, setting: Setting) -> Kit18GB:
    """Return the fixed parts for a setting.

    Raises
    ------
    StateError
        Players, options or profile do not fit.
    """
    scenario = scenario_of(game, len(setting.players), setting.options)
    rules = make_rules(game, setting.profile)
    atlas = game.atlas(scenario["map"])
    abilities = {
        sym: {ability["type"]: ability for ability in game.certificates[sym]["abilities"]}
        for sym in scenario["companies"]
    }
    trains = game.data("trains.json")["trains"]
    market = game.data("market.json")
    conversions = market["movement"]["conversion_to_10_share"]
    return Kit18GB(
        game=game,
        guide=LayGuide(atlas),
        chart=Chart(market),
        roster=Roster(trains, game.phases),
        rules=rules,
        scenario=scenario,
        profile=PLAY_PROFILES[setting.profile],
        abilities=abilities,
        conversion_spaces={occasion: len(moves) for occasion, moves in conversions.items()},
    )
