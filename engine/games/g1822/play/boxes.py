"""Bid boxes: what is on offer, who leads, what is refilled (§1.5, §5.9 to §5.13)."""

from __future__ import annotations

from engine.games.g1822.play.kit import Kit1822
from engine.games.g1822.play.state import State1822
from engine.games.g1822.play.table import Table1822


def refill(kit: Kit1822, state: State1822) -> None:
    """Fill the boxes of the minors up from their stack (§6.6)."""
    room = kit.setup["bidding"]["boxes"]["minor"] - len(state.boxes)
    state.boxes += state.minors[:room]
    state.minors = state.minors[room:]


def concessions_on_offer(at: Table1822) -> tuple[str, ...]:
    """Return the concessions in the boxes."""
    count: int = at.kit.setup["bidding"]["boxes"]["concession"]
    return at.state.concessions[:count]


def privates_on_offer(at: Table1822) -> tuple[str, ...]:
    """Return the privates in the boxes: the first of each pile, or of the one pile."""
    piles = at.state.piles
    if len(piles) > 1:
        return tuple(pile[0] for pile in piles if pile)
    count: int = at.kit.setup["bidding"]["boxes"]["private"]
    return piles[0][:count]


def on_offer(at: Table1822) -> tuple[str, ...]:
    """Return every card that can be bid for (§5.9)."""
    return (*at.state.boxes, *concessions_on_offer(at), *privates_on_offer(at))


def least_bid(at: Table1822, card: str) -> int:
    """Return the lowest bid that is allowed for a card, £ (§5.10)."""
    lead = at.stock.leads.get(card)
    if lead is not None:
        return lead.price + at.kit.bid_step
    return first_bid(at, card)


def first_bid(at: Table1822, card: str) -> int:
    """Return the lowest bid for a card on which nobody has bid, £ (§5.10)."""
    kind = at.kit.game.certificates[card]["kind"]
    least: int = at.kit.setup["bidding"]["minimum"][kind]
    return least


def committed(at: Table1822, player: int) -> int:
    """Return the sum of the bids with which a player leads, £ (§5.11)."""
    return sum(lead.price for lead in at.stock.leads.values() if lead.player == player)


def leading(at: Table1822, player: int) -> int:
    """Return with how many bids a player leads (§5.7)."""
    return sum(lead.player == player for lead in at.stock.leads.values())


def tokens_left(at: Table1822, player: int) -> int:
    """Return how many bidding tokens a player still has (§5.12)."""
    placed = sum(interest.player == player for interest in at.stock.interests)
    return at.kit.bidding_tokens - placed


def take_card(at: Table1822, sym: str) -> None:
    """Take a private or concession out of its stack."""
    state = at.state
    state.concessions = tuple(card for card in state.concessions if card != sym)
    state.piles = tuple(tuple(card for card in pile if card != sym) for pile in state.piles)


def take_minor(at: Table1822, card: str) -> None:
    """Take a minor's card out of its box."""
    at.state.boxes = tuple(other for other in at.state.boxes if other != card)


def movable(at: Table1822) -> tuple[str, ...]:
    """Return the cards of the stacks that are in no box (§16.17)."""
    boxed = on_offer(at)
    state = at.state
    rest = (*state.minors, *state.concessions, *(sym for pile in state.piles for sym in pile))
    return tuple(sym for sym in rest if sym not in boxed)


def move_card(at: Table1822, sym: str, to_top: bool) -> None:
    """Move a card to the top of its stack, just after the boxes, or to the bottom (§16.17)."""
    state, boxed = at.state, on_offer(at)

    def moved(stack: tuple[str, ...]) -> tuple[str, ...]:
        if sym not in stack:
            return stack
        head = tuple(card for card in stack if card in boxed)
        rest = tuple(card for card in stack if card not in boxed and card != sym)
        return (*head, sym, *rest) if to_top else (*head, *rest, sym)

    state.minors = moved(state.minors)
    state.concessions = moved(state.concessions)
    state.piles = tuple(moved(pile) for pile in state.piles)


def float_order(at: Table1822) -> list[str]:
    """Return the cards of minors that are sold, highest bid first, then by box (§6.3)."""
    leads = at.stock.leads
    won = [card for card in at.state.boxes if card in leads]
    return sorted(won, key=lambda card: -leads[card].price)


def unsold_boxes(at: Table1822) -> list[str]:
    """Return the cards of minors for which nobody has bid (§6.4)."""
    return [card for card in at.state.boxes if card not in at.stock.leads]


def corporation_of(at: Table1822, card: str) -> str:
    """Return the company that a minor's card or a concession stands for."""
    for kind in ("floats", "converts_to"):
        for ability in at.kit.abilities(card, kind):
            return str(ability["corporation"])
    raise ValueError(f"{card} stands for no company")
