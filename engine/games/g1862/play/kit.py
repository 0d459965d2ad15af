"""What does not change in a game of 1862: options, profile, printed parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from engine.errors import Fault, StateError
from engine.games.g1862.profile import Profile1862
from engine.games.game import Game
from engine.play.depot import Roster
from engine.play.entities import Cell
from engine.play.game import Setting
from engine.play.lays import LayGuide
from engine.play.market import Chart
from engine.play.steps import Kit
from engine.routing.position import make_rules

PAR_CHARTERED = "par_chartered"
PAR_OTHERS = "par_unchartered"
END = "end_game"
CLOSE = "close"


@dataclass(frozen=True)
class PlayProfile:
    """Where the printed rules and 18xx.games play differently (1862 §16).

    What concerns runs alone stands in :class:`Profile1862`. That a company in
    receivership must run for the most (D6) is not enforced in either.

    Parameters
    ----------
    queue_at_float
        The marker of a chartered company enters its stack on flotation (D1).
    change_from_pool
        Who sells one or two shares of a director's certificate needs the
        certificates that he gets back in the pool before the sale (D2).
    top_zone_for_directors
        Directors too sell two shares free in the top zone (D3).
    order_fixed
        The order of operating is that at the start of the round (D4).
    operating_requeues
        A marker goes to the bottom of its stack even if it does not move (D5).
    receivership_places_home
        A company in receivership places its home marker (D8).
    home_before_merge
        The forced upgrade of the home comes before the merge step (D9).
    last_circle_displaced
        The marker in the last circle gives way, not the one placed last (D10).
    used_train_compulsory
        Who can pay a used train may not raise money by force (D13).
    merger_ends_game
        A price of 1000 that comes from a merger ends the game (D14).
    option_rounded_up
        An option share that cannot be swapped brings half, rounded up (D15).
    home_protected
        The survivor's home marker is not removed as excess (D16).
    lines_kept
        An upgrade keeps the lines of small stations, not only their ends (D23).
    trainless_score_half
        Certificates of trainless companies count half in the end (D22).
    pool_director_keeps_turn
        A turn stays open for who could pay a director's certificate that lies
        alone in the pool, although it cannot be bought (D24).
    change_as_named
        Who keeps a part of a director's certificate gets back, each whole, the first
        certificates of the pool and of those that he named, in that order (D25).
    stranded_trains
        Trains of a bankrupt company stay for sale (D26).
    merged_idle
        A company that a merger leaves in receivership does not run in that turn (D27).
    """

    queue_at_float: bool
    change_from_pool: bool
    top_zone_for_directors: bool
    order_fixed: bool
    operating_requeues: bool
    receivership_places_home: bool
    home_before_merge: bool
    last_circle_displaced: bool
    used_train_compulsory: bool
    merger_ends_game: bool
    option_rounded_up: bool
    home_protected: bool
    lines_kept: bool
    trainless_score_half: bool
    pool_director_keeps_turn: bool
    change_as_named: bool
    stranded_trains: bool
    merged_idle: bool


SITE = PlayProfile(
    queue_at_float=False,
    change_from_pool=True,
    top_zone_for_directors=False,
    order_fixed=True,
    operating_requeues=False,
    receivership_places_home=False,
    home_before_merge=True,
    last_circle_displaced=True,
    used_train_compulsory=False,
    merger_ends_game=False,
    option_rounded_up=False,
    home_protected=True,
    lines_kept=False,
    trainless_score_half=True,
    pool_director_keeps_turn=True,
    change_as_named=True,
    stranded_trains=True,
    merged_idle=True,
)

RULEBOOK = PlayProfile(**{field.name: not getattr(SITE, field.name) for field in fields(SITE)})
"""On every point the printed text says the opposite."""

PLAY_PROFILES: Mapping[str, PlayProfile] = {"18xx.games": SITE, "rulebook": RULEBOOK}


@dataclass(frozen=True)
class Kind:
    """A side of a train card: its type, what is printed on it, and its name without stars."""

    kind: str
    printed: str
    name: str


@dataclass(frozen=True)
class Kit1862(Kit):
    """The fixed parts of a game of 1862.

    Parameters
    ----------
    profile
        Reading of the rules.
    counts
        Trains by band; None for unlimited.
    kinds
        Sides of the cards in play, by band.
    permits
        Types of permits; none in the variants with one type of train (§14.2).
    limits
        Train limits by phase: by type, or ``total``.
    most_markers
        Markers that a company may own (§1.3, §14.6).
    new_players
        The game for new players (§14.4).
    pars
        Cells of the chartered pars, lowest first.
    starts
        Cells of all start prices, lowest first.
    """

    profile: PlayProfile
    counts: Mapping[str, int | None]
    kinds: Mapping[str, tuple[Kind, ...]]
    permits: tuple[str, ...]
    limits: Mapping[str, Mapping[str, int]]
    most_markers: int
    new_players: bool
    pars: tuple[Cell, ...]
    starts: tuple[Cell, ...]

    def setup(self, *path: str) -> Any:
        """Return an entry of the set-up tables."""
        found: Any = self.game.setup
        for key in path:
            found = found[key]
        return found

    def kind(self, train: str, name: str) -> Kind | None:
        """Return the side of a train's card that is called `name`, stars aside, or None."""
        band = self.roster.card(train).name
        return next((k for k in self.kinds[band] if k.name == name.rstrip("*")), None)

    def par_for(self, price: int) -> int:
        """Return the highest chartered par not above a price, £; 54 at least (§6.5, §9.3)."""
        pars = [self.chart.price(cell) for cell in self.pars]
        return max((par for par in pars if par <= price), default=pars[0])

    def cell_at_most(self, price: int) -> Cell:
        """Return the highest cell of the ladder not above a price (§9.3)."""
        cells = [cell for cell in self.chart.cells if self.chart.price(cell) <= price]
        return max(cells, key=self.chart.price)


def option_faults(game: Game, options: Sequence[str]) -> Iterator[Fault]:
    """Yield which optional rules do not go with each other (1862 §14)."""
    known = {option["id"]: option for option in game.setup["options"]}
    groups: dict[str, str] = {}
    for number, option in enumerate(options):
        path = f"options[{number}]"
        group = known[option].get("one_of")
        if group is not None and groups.setdefault(group, option) != option:
            message = f"{option} does not go with {groups[group]}"
            yield Fault("OPTIONS_EXCLUDE", path, message, "1862 §14.2")
        needed = known[option].get("needs_one_of")
        if needed and not set(needed) & set(options):
            message = f"{option} goes with {' or '.join(needed)}"
            yield Fault("OPTION_NEEDS_OTHER", path, message, "1862 §14.4")


def _player_faults(game: Game, setting: Setting) -> Iterator[Fault]:
    players = len(setting.players)
    if str(players) not in game.setup["starting_cash"]:
        message = f"1862 is for 2 to 8 players, not {players}"
        yield Fault("PLAYER_COUNT", "players", message, "1862 §2.1")


def _train_data(game: Game, options: Sequence[str]) -> list[dict[str, Any]]:
    """The train roster; the shorter game moves an event and spares D trains (§14.3)."""
    trains: list[dict[str, Any]] = game.data("trains.json")["trains"]
    if "shorter_game" not in options:
        return trains
    rule = game.setup["shorter_game"]
    trigger = "lner_trigger"
    for raw in trains:
        raw["events"] = [event for event in raw["events"] if event != trigger]
        if raw["name"] == rule["lner_trigger"]:
            raw["events"].append(trigger)
        if raw["name"] in rule["never_rusts"]:
            raw["rusts_on"] = None
    return trains


def _counts(
    game: Game, trains: Sequence[Mapping[str, Any]], options: Sequence[str], players: int
) -> Mapping[str, int | None]:
    """How many trains there are of each band (§1.5, §14.1, §14.3).

    Short and long together change what each of them changes (FMT §A3).
    """
    lengths = [name for name in ("short_length", "long_length") if name in options]
    shorter = "shorter_game" in options
    if shorter and players < game.setup["shorter_game"]["standard_length_from_players"]:
        lengths = ["short_length"]
    found: dict[str, int | None] = {}
    for raw in trains:
        standard = raw["count"]["standard"]
        changed = [raw["count"][name] for name in lengths if raw["count"][name] != standard]
        count = changed[0] if changed else standard
        found[raw["name"]] = None if count == "unlimited" else count
    return found


def _kinds(trains: Sequence[Mapping[str, Any]], playing: Sequence[str] | None) -> dict[str, Any]:
    return {
        raw["name"]: tuple(
            Kind(side["kind"], side["name"], side["name"].rstrip("*"))
            for side in raw["variants"]
            if playing is None or side["kind"] in playing
        )
        for raw in trains
    }


def _limits(game: Game, fewer: Mapping[str, Any] | None) -> Mapping[str, Mapping[str, int]]:
    limits = {name: raw["train_limit"] for name, raw in game.phases.items()}
    for entry in fewer["train_limit"] if fewer else ():
        limits.update(dict.fromkeys(entry["phases"], entry["limit"]))
    return limits


def make_kit(game: Game, setting: Setting) -> Kit1862:
    """Return the fixed parts for a setting.

    Raises
    ------
    StateError
        Players, options or profile do not fit.
    """
    options = setting.options
    faults = [*_player_faults(game, setting), *option_faults(game, options)]
    if faults:
        raise StateError(faults)
    fewer = next(
        (game.setup["fewer_kinds"][o] for o in options if o in game.setup["fewer_kinds"]), None
    )
    rules = make_rules(game, setting.profile)
    permits = ("freight", "express", "local") if fewer is None else tuple(fewer["permits"])
    if not permits and isinstance(rules.profile, Profile1862):
        rules = game.make_rules(game, replace(rules.profile, permits_needed=False))
    atlas = game.atlas()
    trains = _train_data(game, options)
    chart = Chart(game.data("market.json"))
    pars = sorted(chart.of_type(PAR_CHARTERED), key=chart.price)
    markers = game.setup["station_tokens"]
    most = "max_with_option_eight_tokens" if "eight_tokens" in options else "max_on_charter"
    return Kit1862(
        game=game,
        guide=LayGuide(atlas),
        chart=chart,
        roster=Roster(trains, game.phases),
        rules=rules,
        profile=PLAY_PROFILES[setting.profile],
        counts=_counts(game, trains, options, len(setting.players)),
        kinds=_kinds(trains, None if fewer is None else fewer["kinds"]),
        permits=permits,
        limits=_limits(game, fewer),
        most_markers=markers[most],
        new_players="new_players" in options,
        pars=tuple(pars),
        starts=tuple(sorted([*pars, *chart.of_type(PAR_OTHERS)], key=chart.price)),
    )
