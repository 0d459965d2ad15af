"""Set-up and seeded deal (1862 §2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, islice

from engine.games.g1862.play.kit import Kit1862
from engine.games.g1862.play.parliament import parliament_data
from engine.games.g1862.play.state import IPO, Charter, State1862
from engine.play import shares
from engine.play.depot import train_ids
from engine.play.draws import Draws
from engine.play.entities import MARKET, Holder, Player, new_company
from engine.play.game import Setting
from engine.play.layout import Layout
from engine.play.supply import full_supply


def drawn_groups(kit: Kit1862, draws: Draws, players: int) -> dict[str, str]:
    """Return the companies in play in offer order, with their phases (§2.2, §2.5)."""
    names = list(kit.game.corporations)
    playing: int = kit.setup("corporations_in_play", str(players))
    offered = draws.shuffle(names)[len(names) - playing :]
    later = [
        ("B", kit.setup("available_from_phase", "B")),
        ("C", kit.setup("available_from_phase", "C")),
    ]
    first = playing - sum(count for _, count in later)
    phases = ["A"] * first + [phase for phase, count in later for _ in range(count)]
    return dict(zip(offered, phases, strict=True))


def drawn_permits(kit: Kit1862, draws: Draws, companies: Sequence[str]) -> dict[str, str]:
    """Deal a permit to each company in play, in the fixed order (§2.3, §2.5).

    The list goes through the types in turn: with seven or eight players
    eighteen permits, with fewer sixteen; surplus ones are not dealt.
    """
    if not kit.permits:
        return dict.fromkeys(companies, "")
    count = len(companies) + len(companies) % 2
    dealt = draws.shuffle(islice(cycle(kit.permits), count))
    ordered = [sym for sym in kit.game.corporations if sym in companies]
    return dict(zip(ordered, dealt, strict=False))


def deal(kit: Kit1862, setting: Setting) -> State1862:
    """Return the state after the deal, in the first parliament round."""
    order = tuple(number for number, _ in setting.players)
    seats = str(len(order))
    draws = Draws(setting.seed)
    groups = drawn_groups(kit, draws, len(order))
    permits = drawn_permits(kit, draws, tuple(groups))
    cash: int = kit.setup("starting_cash", seats)
    companies = {
        sym: new_company(raw, tokens=())
        for sym, raw in kit.game.corporations.items()
        if sym in groups
    }
    holdings: dict[Holder, tuple[str, ...]] = dict.fromkeys(order, ())
    holdings |= dict.fromkeys((MARKET, *companies), ())
    holdings[IPO] = tuple(
        card for company in companies.values() for card in shares.all_cards(company)
    )
    return State1862(
        players={number: Player(number, name, cash) for number, name in setting.players},
        order=order,
        companies=companies,
        privates={},
        bank=kit.setup("bank") - cash * len(order),
        broken=False,
        holdings=holdings,
        stacks={},
        depot=train_ids(kit.counts),
        phase=next(iter(kit.game.phases)),
        layout=Layout({}, (), frozenset()),
        supply=full_supply(kit.guide.atlas, frozenset(kit.guide.atlas.tiles)),
        turn=0,
        round=parliament_data(1),
        end_reason="",
        finished=False,
        charters={
            sym: Charter(
                group=groups[sym],
                permit=permits[sym],
                permits=(permits[sym],) if permits[sym] else (),
                chartered=False,
                par=0,
                home_placed=False,
            )
            for sym in companies
        },
        fittings={},
        stranded={},
        obligations=(),
        set_rounds=0,
        lner="",
        limit=kit.setup("certificate_limit", seats),
        end_after="",
    )
