"""What does not change in a game of 1822: profile, printed parts, what is in play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import Fault, StateError
from engine.games.g1822.play.roster import Roster1822
from engine.games.g1822.special import Special, special_of
from engine.games.game import Game
from engine.play.game import Setting
from engine.play.lays import LayGuide
from engine.play.market import Chart
from engine.play.steps import Kit
from engine.routing.position import make_rules

EXPANSION = "plus_expansion"
NO_REMOVALS = "plus_expansion_no_removals"
SINGLE_STACK = "plus_expansion_single_stack"
MANY_HAVENS = "tax_haven_multiple"


@dataclass(frozen=True)
class PlayProfile:
    """Where the rulebook summary and 18xx.games play differently (1822 §22).

    Parameters
    ----------
    bid_is_treasury
        D4: in phase 2 a minor's treasury is the bid, up to £200; otherwise it
        is twice the par.
    prices_of_turn_start
        D8: in an emergency shares are sold at the prices before the first sale,
        and never those of the company that needs the money.
    majority_at_once
        D9: shares given for a minor change the director at once; otherwise the
        next ordinary transfer of shares looks again.
    earlier_end
        D11: of two triggers the earlier end applies; otherwise the first one
        observed.
    minor_spends_both_crossings
        A minor that uses P10 with P12 in one lay spends both uses of P10 (§16.14).
    haven_pays_waiting_company
        A treasury share that the Tax Haven buys is paid to the company even while
        that waits for full capitalisation; otherwise to the bank (§7.6, §16.16).
    approach_right_useless
        The first tile beside London joins it even if the company that lays it, or
        another one, holds the right of the hex (§9.9).
    """

    bid_is_treasury: bool
    prices_of_turn_start: bool
    majority_at_once: bool
    earlier_end: bool
    minor_spends_both_crossings: bool
    haven_pays_waiting_company: bool
    approach_right_useless: bool


PLAY_PROFILES: Mapping[str, PlayProfile] = {
    "18xx.games": PlayProfile(
        bid_is_treasury=False,
        prices_of_turn_start=False,
        majority_at_once=False,
        earlier_end=False,
        minor_spends_both_crossings=True,
        haven_pays_waiting_company=True,
        approach_right_useless=True,
    ),
    "rulebook": PlayProfile(
        bid_is_treasury=True,
        prices_of_turn_start=True,
        majority_at_once=True,
        earlier_end=True,
        minor_spends_both_crossings=False,
        haven_pays_waiting_company=False,
        approach_right_useless=False,
    ),
}


@dataclass(frozen=True)
class Kit1822(Kit):
    """The fixed parts of a game of 1822.

    Parameters
    ----------
    profile
        Reading of the rules.
    roster
        Trains, with the sides of their cards.
    options
        Ids of the optional rules in force.
    players
        Number of players.
    special
        Places with rules of their own.
    aliases
        Older numbers of tiles in records, each with the tile it means now.
    """

    profile: PlayProfile
    roster: Roster1822
    options: frozenset[str]
    players: int
    special: Special
    aliases: Mapping[str, str]

    @property
    def setup(self) -> Mapping[str, Any]:
        """The set-up tables."""
        return self.game.setup

    def by_players(self, table: Mapping[str, int]) -> int:
        """Return the figure for the number of players (§1.1)."""
        return table[str(self.players)]

    @property
    def certificate_limit(self) -> int:
        """Certificates that a player may hold (§1.1)."""
        return self.by_players(self.setup["certificate_limit"])

    @property
    def bidding_tokens(self) -> int:
        """Cards on which a player may bid in one stock round (§1.1)."""
        return self.by_players(self.setup["bidding"]["tokens"])

    @property
    def bid_step(self) -> int:
        """Bids are multiples of this, £ (§5.10)."""
        step: int = self.setup["bidding"]["bid_step"]
        return step

    @property
    def city_14(self) -> str:
        """Hex in which minor 14 chooses its city; empty where there is none (§10.3)."""
        return self.setup["special_hexes"]["minor_14_home"] or ""

    def abilities(self, sym: str, kind: str) -> Sequence[Mapping[str, Any]]:
        """Return the abilities of a certificate that are of a type (facts §9.1)."""
        card = self.game.certificates[sym]
        return [ability for ability in card["abilities"] if ability["type"] == kind]

    def in_play(self, sym: str) -> bool:
        """Tell whether a certificate is in play (§1.3, §21.3, §21.7)."""
        card = self.game.certificates[sym]
        if card.get("expansion") is not None and EXPANSION not in self.options:
            return False
        where: Mapping[str, bool] | None = card.get("in_play")
        if where is None:
            return True
        for option in sorted(self.options):
            if f"option {option}" in where:
                return where[f"option {option}"]
        return where["2 players" if self.players == 2 else "3-7 players"]


def _check(game: Game, setting: Setting) -> None:
    """Refuse players and options that do not fit (§1, §21; FMT §A3)."""
    players = len(setting.players)
    least, most = game.setup["players"]["min"], game.setup["players"]["max"]
    if not least <= players <= most:
        message = f"{game.title} is for {least} to {most} players, not {players}"
        raise StateError([Fault("PLAYER_COUNT", "players", message, "1822 §1.1")])
    known = {option["id"]: option for option in game.setup["options"]}
    for number, option in enumerate(setting.options):
        field = f"options[{number}]"
        rule = known[option]
        missing = [other for other in rule.get("needs", ()) if other not in setting.options]
        clash = [other for other in rule.get("excludes", ()) if other in setting.options]
        if missing or clash:
            what = f"needs {missing[0]}" if missing else f"excludes {clash[0]}"
            raise StateError([Fault("OPTION_CLASH", field, f"{option} {what}", "1822 §1.3")])


def make_kit(game: Game, setting: Setting) -> Kit1822:
    """Return the fixed parts for a setting.

    Raises
    ------
    StateError
        Players, options or profile do not fit.
    """
    _check(game, setting)
    rules = make_rules(game, setting.profile)
    atlas = game.atlas()
    return Kit1822(
        game=game,
        guide=LayGuide(atlas),
        chart=Chart(game.data("market.json")),
        roster=Roster1822(game.data("trains.json")["trains"], game.phases),
        rules=rules,
        profile=PLAY_PROFILES[setting.profile],
        options=frozenset(setting.options),
        players=len(setting.players),
        special=special_of(game),
        aliases=game.data("tiles.json")["aliases"],
    )
