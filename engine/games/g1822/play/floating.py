"""Minors and majors start and float (§7)."""

from __future__ import annotations

from engine.games.g1822.play.boxes import corporation_of
from engine.games.g1822.play.kit import Kit1822
from engine.games.g1822.play.state import Company1822
from engine.games.g1822.play.table import MAJOR, Table1822
from engine.play import shares
from engine.play.bank import from_bank, to_bank
from engine.play.entities import MARKET, Cell
from engine.play.market import put
from engine.play.state import Lead

FULL_CAPITAL = "full_capitalisation"


def minor_par(at: Table1822, bid: int) -> int:
    """Return the par of a minor for a bid, £ (§7.1)."""
    pars = sorted(at.kit.chart.price(cell) for cell in at.kit.chart.of_type("par_minor"))
    if at.flag("minor_float_phase1"):
        return pars[0]
    return max((par for par in pars if 2 * par <= bid), default=pars[0])


def minor_treasury(at: Table1822, bid: int) -> int:
    """Return what a minor gets of a bid, £ (§7.1, D4)."""
    par = minor_par(at, bid)
    if at.flag("minor_float_phase1"):
        return 2 * par
    if at.flag("minor_float_phase2"):
        most = 2 * max(at.kit.chart.price(cell) for cell in at.kit.chart.of_type("par_minor"))
        return min(bid, most) if at.kit.profile.bid_is_treasury else 2 * par
    return bid


def par_cell(kit: Kit1822, kind: str, price: int) -> Cell:
    """Return the cell in which a minor or major starts (§7.7)."""
    cells = kit.chart.of_type(f"par_{kind}")
    return next(cell for cell in cells if kit.chart.price(cell) == price)


def float_minor(at: Table1822, card: str, lead: Lead) -> None:
    """The winner pays his bid and the minor floats (§6.3, §7.1)."""
    state, company = at.state, at.company_of(corporation_of(at, card))
    treasury, par = minor_treasury(at, lead.price), minor_par(at, lead.price)
    to_bank(state, state.players[lead.player], lead.price)
    from_bank(state, company, treasury)
    put(state, company.sym, par_cell(at.kit, company.kind, par))
    company.par = company.cell
    company.director = lead.player
    company.floated = True
    shares.hand_over(state, shares.name(company.sym, 0), lead.player)


def director_price(company: Company1822, par: int) -> int:
    """Return what the director's certificate costs at a par, £ (§7.2)."""
    return par * company.director_units


def start_major(
    at: Table1822, player: int, company: Company1822, cell: Cell, contributed: int
) -> None:
    """A player starts a major; the bank adds what the concession is worth (§7.2 to §7.4).

    Parameters
    ----------
    contributed
        £ that the concession pays of the director's certificate.
    """
    state = at.state
    price = director_price(company, at.kit.chart.price(cell))
    paid_by_bank = min(price, contributed)
    put(state, company.sym, cell)
    company.par = cell
    company.director = player
    pay_for_treasury_shares(at, player, company, price - paid_by_bank)
    if paid_by_bank:
        from_bank(state, company, paid_by_bank)
    shares.hand_over(state, shares.name(company.sym, 0), player)
    float_if_due(at, company)


def waits_for_full_capital(at: Table1822, company: Company1822) -> bool:
    """Tell whether a major that floats now is fully capitalised (§7.6)."""
    return not company.floated and at.flag(FULL_CAPITAL)


def pay_for_treasury_shares(at: Table1822, player: int, company: Company1822, amount: int) -> None:
    """A player pays for shares out of a treasury: to the company, or to the bank while it
    waits for full capitalisation (§5.6, §7.6)."""
    payer = at.state.players[player]
    to_bank(at.state, payer, amount)
    if not waits_for_full_capital(at, company):
        from_bank(at.state, company, amount)


def float_if_due(at: Table1822, company: Company1822) -> None:
    """Float a major once enough has left its treasury (§7.2 to §7.6)."""
    state, sym = at.state, company.sym
    sold = 100 - shares.percent_left(state, sym)
    if company.floated or company.kind != MAJOR or sold < company.float_percent:
        return
    if waits_for_full_capital(at, company):
        to_bank(state, company, company.cash)
        for share in shares.held(state, sym, sym):
            shares.hand_over(state, share, MARKET)
        from_bank(state, company, at.price(sym) * 100 // company.unit)
    company.floated = True
