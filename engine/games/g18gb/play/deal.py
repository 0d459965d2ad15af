"""Set-up and deal (§1, §2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.board.state import TokenPlacement
from engine.games.g18gb.play.kit import Kit18GB
from engine.games.g18gb.play.state import AUCTION, AuctionData, State18GB
from engine.play import shares
from engine.play.depot import train_ids
from engine.play.draws import Draws
from engine.play.entities import MARKET, Company, Holder, Player, Private, new_company
from engine.play.game import Setting
from engine.play.layout import Layout
from engine.play.supply import full_supply


def drawn_companies(kit: Kit18GB, draws: Draws) -> tuple[list[str], dict[str, int]]:
    """Return the companies in play and their tiers (§2.2 to §2.4).

    Companies come in the order of the data file.
    """
    scenario = kit.scenario
    playing = set(scenario["corporations"])
    candidates: Sequence[str] = scenario["one_random_extra_of"]
    if candidates:
        playing.add(draws.shuffle(candidates)[0])
    companies = [sym for sym in kit.game.corporations if sym in playing]
    always: Sequence[str] = kit.game.setup["tiers"]["always_tier_1"]
    drawn = [sym for sym in draws.shuffle(companies) if sym not in always]
    second = drawn[: scenario["tier_2_corporations"]]
    return companies, {sym: 2 if sym in second else 1 for sym in companies}


def deal(kit: Kit18GB, setting: Setting) -> State18GB:
    """Return the state after the deal, in the auction."""
    scenario = kit.scenario
    companies, tiers = drawn_companies(kit, Draws(setting.seed))
    order = tuple(number for number, _ in setting.players)
    privates: Sequence[str] = scenario["companies"]
    holdings: dict[Holder, tuple[str, ...]] = dict.fromkeys(order, ())
    holdings[MARKET] = ()
    charters = {sym: _company(kit, sym) for sym in companies}
    holdings |= {sym: shares.all_cards(company) for sym, company in charters.items()}
    counts: Mapping[str, int | None] = scenario["train_counts"]
    return State18GB(
        players={n: Player(n, name, scenario["starting_cash"]) for n, name in setting.players},
        order=order,
        companies=charters,
        privates={sym: Private(sym) for sym in privates},
        bank=None,
        broken=False,
        holdings=holdings,
        stacks={},
        depot=train_ids(counts),
        phase=next(iter(kit.game.phases)),
        layout=Layout({}, tuple(_home(kit, sym) for sym in companies), frozenset()),
        supply=full_supply(kit.guide.atlas, _tiles(kit)),
        turn=0,
        round=AuctionData(
            kind=AUCTION,
            number=1,
            done=frozenset(),
            index=0,
            passes=0,
            asking={sym: kit.game.certificates[sym]["minimum_bid"] for sym in privates},
            leads={},
            reduced=False,
        ),
        end_reason="",
        finished=False,
        tiers=tiers,
        insolvent=frozenset(),
        early_green=frozenset(),
        lnwr_priority=True,
        frozen=False,
    )


def _company(kit: Kit18GB, sym: str) -> Company:
    raw: Mapping[str, Any] = kit.game.corporations[sym]
    tokens = [token["price"] for token in raw["tokens"] if token["kind"] != "home"]
    if not kit.profile.cr_token_free:
        tokens = [kit.game.setup["tokens"]["conversion_price"]] * len(tokens)
    return new_company(raw, tuple(tokens))


def _home(kit: Kit18GB, sym: str) -> TokenPlacement:
    home = kit.game.corporations[sym]["home"]
    return TokenPlacement(home["hex"], home["stop"], 0, sym)


def _tiles(kit: Kit18GB) -> frozenset[str]:
    """The tiles of the scenario: gray ones only where its set has them (§1.1)."""
    here = kit.scenario["id"]
    return frozenset(
        tile
        for tile, kind in kit.guide.atlas.tiles.items()
        if here in kind.raw.get("only_in_scenarios", (here,))
    )
