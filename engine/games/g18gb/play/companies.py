"""What happens to companies: floating, conversion, and the events of trains (§6.3, §6.11, §7)."""

from __future__ import annotations

from engine.games.g18gb.play.state import Table18GB
from engine.play import shares
from engine.play.bank import from_bank
from engine.play.entities import MARKET, Company, Holder
from engine.play.market import move, take_off

TEN_SHARE = "10-share"
FIVE_SHARE = "5-share"


def float_if_due(at: Table18GB, sym: str) -> None:
    """Float a company once enough of it has left the initial offering (§6.3)."""
    company = at.state.companies[sym]
    if company.floated or 100 - shares.percent_left(at.state, sym) < company.float_percent:
        return
    company.floated = True
    from_bank(at.state, company, share_count(company) * at.price(sym))
    if company.kind == TEN_SHARE:
        for share in shares.held(at.state, sym, sym):
            shares.hand_over(at.state, share, MARKET)


def share_count(company: Company) -> int:
    """Return into how many shares a company is divided."""
    return 100 // company.unit


def make_ten_share(at: Table18GB, sym: str, new_shares_to: Holder) -> None:
    """Halve the shares, add five of 10 % and the further tokens (§6.11, §7.4)."""
    state, company = at.state, at.state.companies[sym]
    form = at.kit.game.corporations[sym]["converted"]
    before = len(company.percents)
    company.kind = TEN_SHARE
    company.unit = form["share_percent"]
    company.percents = tuple(form["certificates"])
    company.tokens += tuple(token["price"] for token in form["extra_tokens"])
    added = tuple(shares.name(sym, n) for n in range(before, len(company.percents)))
    state.holdings[new_shares_to] = (*state.holdings[new_shares_to], *added)


def convert(at: Table18GB, sym: str, spaces: int) -> None:
    """Convert a company: price down, five times the new price from the bank (§6.11, §13.7)."""
    company = at.state.companies[sym]
    added = share_count(company)
    make_ten_share(at, sym, MARKET)
    move(at.state, at.kit.chart, sym, "left", spaces)
    from_bank(at.state, company, added * at.price(sym))


def leave_bank(at: Table18GB, train: str) -> None:
    """A train leaves the bank: phase, rusting, then the event (§7.2)."""
    for event in at.kit.roster.leave(at.state, train):
        EVENTS[event](at)


def _unfloated(at: Table18GB) -> list[Company]:
    return [c for c in at.state.companies.values() if not c.floated and not c.removed]


def _float_at_60(at: Table18GB) -> None:
    """First 3+1: companies not yet floated need 60 % (§6.3)."""
    for company in _unfloated(at):
        form = at.kit.game.corporations[company.sym]["converted"]
        company.float_percent = form["float_percent_if_unstarted"]


def _become_ten_share(at: Table18GB) -> None:
    """First 5+2: companies not floated become 10-share, without money (§7.4)."""
    for company in _unfloated(at):
        make_ten_share(at, company.sym, company.sym)


def _remove_unfloated(at: Table18GB) -> None:
    """First 6X: companies not floated leave, each with the last 6X that is left (§7.5)."""
    state, cards = at.state, at.kit.roster.cards.values()
    taken = [card.name for card in cards if "remove_unstarted" in card.events]
    for company in _unfloated(at):
        if company.sym == "LNWR":
            # started and removed before it floated, it counts as never started (§17.24)
            state.lnwr_priority = at.kit.profile.priority_outlives_lnwr
        company.removed = True
        company.director = None
        take_off(state, company.sym)
        for holder, held in state.holdings.items():
            left = tuple(share for share in held if shares.split(share)[0] != company.sym)
            state.holdings[holder] = left
        if state.depot and at.kit.roster.card(state.depot[-1]).name in taken:
            state.depot = state.depot[:-1]


EVENTS = {
    "float_60": _float_at_60,
    "float_10_share": _become_ten_share,
    "remove_unstarted": _remove_unfloated,
}
"""What the events of ``trains.json`` do."""
