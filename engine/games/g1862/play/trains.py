"""Buying trains, forced purchase, and redeeming a share (1862 §8.10, §8.11, §8.13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.errors import Fault
from engine.games.g1862.play.companies import bankrupt, move_price, scrap
from engine.games.g1862.play.kit import Kind
from engine.games.g1862.play.merging import refinance
from engine.games.g1862.play.running import overdue
from engine.games.g1862.play.state import COMING, Fitting, Table1862
from engine.play import shares
from engine.play.actions import Action, BuyShares, BuyTrain, Convert, Pass
from engine.play.bank import from_bank, to_bank, transfer
from engine.play.depot import change_hands, owner_of
from engine.play.entities import MARKET, Company
from engine.play.errors import refuse_if
from engine.play.offers import Offer
from engine.play.steps import CompanyStep, close_step

TRAINS, NEW_TRAIN, REDEEM = "trains", "new train", "redeem"
IN_RECEIVERSHIP = ("express", "freight", "local")
"""Which type of train is bought in receivership, the first that may be (§7.5)."""


def bank_train(at: Table1862) -> str:
    """Return the train that the bank sells; there is always one (§8.10.1)."""
    return at.kit.roster.on_sale(at.state)[0]


def bank_price(at: Table1862) -> int:
    """Return the face price of the bank's train, £."""
    return at.kit.roster.card(bank_train(at)).price


def used_price(at: Table1862, train: str) -> int:
    """Return the price of another company's train, £ (§8.10.2)."""
    card = at.kit.roster.card(train)
    order = at.kit.roster.phase_order
    older = order.index(at.state.phase) > order.index(card.name)
    return card.price // 2 if older else card.price


def used_trains(at: Table1862) -> Iterator[str]:
    """Yield the trains of other companies that are for sale (§8.10.1, §8.11.5, D26)."""
    if at.formed or at.operating.bank_only:
        return
    for other in at.state.companies.values():
        if other is not at.company and not other.receivership:
            yield from other.trains
            yield from (train for train, sym in at.state.stranded.items() if sym == other.sym)


def seller_of(at: Table1862, train: str) -> str | None:
    """Return the company whose train it is, or was when it went bankrupt (D26)."""
    return owner_of(at.state, train) or at.state.stranded.get(train)


def room_for(at: Table1862, company: Company, kind: str) -> bool:
    """Tell whether a company may buy a train of a type (§8.10.3, §14.2)."""
    limit = at.kit.limits[at.state.phase]
    if "total" in limit:
        return len(company.trains) < limit["total"]
    counts = Counter(_kind_of(at, train) for train in company.trains)
    return counts[kind] < limit[kind]


def _kind_of(at: Table1862, train: str) -> str:
    kind = at.kit.kind(train, at.state.fittings[train].name)
    if kind is None:
        raise ValueError(f"{train} has no type")
    return kind.kind


def sides(at: Table1862) -> tuple[Kind, ...]:
    """Return the sides of the card that the bank sells."""
    return at.kit.kinds[at.kit.roster.card(bank_train(at)).name]


def most_warranties(at: Table1862) -> int:
    """Return how many warranties may be bought with the bank's train (§8.10.4, §14.4)."""
    if at.kit.new_players:
        return 0
    most: int = at.kit.setup("warranty", "max_per_train")
    return most - free_warranties(at)


def free_warranties(at: Table1862) -> int:
    """Return how many warranties come with the bank's train (§1.4)."""
    band = at.kit.roster.card(bank_train(at)).name
    return int(band in at.kit.setup("warranty", "free_with_classes"))


def buy_from_bank(at: Table1862, side: Kind, warranties: int) -> None:
    """The company in turn buys the bank's train: phase, rusting, events (§8.10, §11)."""
    state, company, train = at.state, at.company, bank_train(at)
    to_bank(state, company, bank_price(at) + warranties * at.kit.setup("warranty", "price"))
    company.trains += (train,)
    state.fittings[train] = Fitting(side.name, warranties + free_warranties(at))
    kept = frozenset(t for t, fitting in state.fittings.items() if fitting.warranties)
    events = at.kit.roster.leave(state, train, kept)
    owned = {t for other in state.companies.values() for t in other.trains}
    waiting = {t for t in state.stranded if t in kept or not overdue(at, t)}
    scrap(at, frozenset(state.fittings.keys() - owned - waiting))
    if events and not state.lner:
        state.lner = COMING


def shortfall(at: Table1862) -> int:
    """Return what a trainless company lacks for the bank's train, £; 0 for others (§8.11.1)."""
    company = at.company
    return 0 if company.trains else max(0, bank_price(at) - company.cash)


def can_sell_treasury(at: Table1862) -> bool:
    """Tell whether treasury shares can cover the shortfall (§8.11.2)."""
    sym = at.company.sym
    return len(shares.held(at.state, sym, sym)) * at.price(sym) >= shortfall(at)


def can_refinance(at: Table1862) -> bool:
    """Tell whether refinancing can cover the shortfall (§8.11.3)."""
    return 10 * at.state.charters[at.company.sym].par >= shortfall(at)


def sell_treasury(at: Table1862) -> None:
    """Sell as many treasury shares as are needed, the first of the treasury (§8.11.2)."""
    state, company, price = at.state, at.company, at.price(at.company.sym)
    count = -(-shortfall(at) // price)
    at.operating.raised = at.operating.bank_only = True
    from_bank(state, company, count * price)
    for share in shares.held(state, company.sym, company.sym)[:count]:
        shares.hand_over(state, share, MARKET)
    if not at.formed:
        move_price(at, company.sym, "down", count)


def raise_money(at: Table1862) -> None:
    """Treasury shares first, else refinancing, else bankruptcy (§8.11, §15.2)."""
    if can_sell_treasury(at):
        sell_treasury(at)
    elif can_refinance(at):
        refinance(at)
    else:
        bankrupt(at, at.company.sym)


def buy_in_receivership(at: Table1862) -> None:
    """Buy one train if the company can pay and has room; without any train and money it is
    bankrupt (§7.5, §8.12.1)."""
    company = at.company
    if company.cash < bank_price(at):
        if not company.trains:
            bankrupt(at, company.sym)
        return
    permits = at.state.charters[company.sym].permits
    for kind in IN_RECEIVERSHIP:
        side = next((side for side in sides(at) if side.kind == kind), None)
        permitted = not at.kit.permits or kind in permits
        if side is not None and permitted and room_for(at, company, kind):
            buy_from_bank(at, side, 0)
            return


class BuyingStep(CompanyStep[Table1862]):
    """What the two steps in which trains are bought have in common."""

    def bank_options(self, at: Table1862) -> Iterator[Offer]:
        """Yield every purchase from the bank: type and number of warranties."""
        for side in sides(at):
            for count in range(most_warranties(at) + 1):
                buying = BuyTrain(
                    self.actor(at), bank_train(at), bank_price(at), side.printed, count
                )
                if self.bank_fault(at, buying) is None:
                    yield buying

    def bank_fault(self, at: Table1862, action: BuyTrain) -> Fault | None:
        """Return why the bank's train cannot be bought so (§8.10)."""
        company = at.company
        if action.train != bank_train(at):
            message = f"{action.train} is not on sale"
            return Fault("TRAIN_NOT_ON_SALE", "train", message, "1862 §8.10")
        if action.price != bank_price(at):
            message = f"the bank sells it for £{bank_price(at)}"
            return Fault("TRAIN_PRICE_WRONG", "price", message, "1862 §8.10")
        side = next((s for s in sides(at) if s.name == (action.variant or "").rstrip("*")), None)
        if side is None:
            message = f"the card offers {', '.join(s.printed for s in sides(at))}"
            return Fault("TRAIN_VARIANT_WRONG", "variant", message, "1862 §1.4")
        if not room_for(at, company, side.kind):
            message = f"{company.sym} has no room for another {side.kind}"
            return Fault("TRAIN_LIMIT", "train", message, "1862 §8.10")
        count = action.warranties or 0
        if not 0 <= count <= most_warranties(at):
            message = f"at most {most_warranties(at)} warranties are bought with it"
            return Fault("WARRANTIES_WRONG", "warranties", message, "1862 §8.10")
        cost = action.price + count * at.kit.setup("warranty", "price")
        if company.cash < cost:
            message = f"it costs £{cost}, {company.sym} has £{company.cash}"
            return Fault("CASH_SHORT", "price", message, "1862 §8.10")
        return None

    def buy_new(self, at: Table1862, action: BuyTrain) -> None:
        """Carry out a purchase from the bank.

        Raises
        ------
        IllegalActionError
            The rules do not allow it.
        """
        fault = self.bank_fault(at, action)
        refuse_if(fault)
        name = (action.variant or "").rstrip("*")
        side = next(side for side in sides(at) if side.name == name)
        buy_from_bank(at, side, action.warranties or 0)


class TrainStep(BuyingStep):
    """Buy trains, raise money by force, or stop (§8.10, §8.11)."""

    name = TRAINS

    def offers(self, at: Table1862) -> bool:
        """See §15.3. A company waits while it has room for a train of any type, and the
        bank's train keeps it waiting whether it has room for that one or not."""
        company = at.company
        kinds = {side.kind for side in sides(at)}
        if company.receivership or not any(room_for(at, company, kind) for kind in kinds):
            return False
        if self._affordable(at):
            return True
        return not company.trains and can_sell_treasury(at) and can_refinance(at)

    def _affordable(self, at: Table1862) -> bool:
        cash = at.company.cash
        if cash >= bank_price(at):
            return True
        return any(
            used_price(at, train) <= cash and room_for(at, at.company, _kind_of(at, train))
            for train in used_trains(at)
        )

    def takes(self, at: Table1862, action: Action) -> bool:
        mine = action.entity == self.actor(at) and not at.company.receivership
        return mine and isinstance(action, BuyTrain | Convert | Pass)

    def options(self, at: Table1862) -> Iterator[Offer]:
        who = self.actor(at)
        if at.company.receivership:
            return
        yield from self.bank_options(at)
        for train in used_trains(at):
            buying = BuyTrain(who, train, used_price(at, train))
            if self._used_fault(at, buying) is None:
                yield buying
        if self._convert_fault(at) is None:
            yield Convert(who)
        if self._pass_fault(at) is None:
            yield Pass(who)

    def apply(self, at: Table1862, action: Action) -> Action:
        if isinstance(action, BuyTrain):
            if seller_of(at, action.train) is None:
                self.buy_new(at, action)
            else:
                self._buy_used(at, action)
            return action
        refinancing = isinstance(action, Convert)
        fault = self._convert_fault(at) if refinancing else self._pass_fault(at)
        refuse_if(fault)
        close_step(at, self.name)
        if refinancing:
            refinance(at)
        else:
            self.close(at)
        return action

    def close(self, at: Table1862) -> None:
        """In receivership buy by rule; trainless and short of money, raise it (§7.5, §8.11)."""
        if at.company.receivership:
            buy_in_receivership(at)
        elif shortfall(at):
            raise_money(at)

    def _used_fault(self, at: Table1862, action: BuyTrain) -> Fault | None:
        company = at.company
        if action.train not in used_trains(at):
            message = f"{action.train} cannot be bought from its owner"
            return Fault("SELLER_NOT_ALLOWED", "train", message, "1862 §8.10")
        price = used_price(at, action.train)
        if action.price != price:
            message = f"{action.train} costs £{price}"
            return Fault("TRAIN_PRICE_WRONG", "price", message, "1862 §8.10")
        name = at.state.fittings[action.train].name
        if action.variant is not None and action.variant.rstrip("*") != name:
            message = f"{action.train} is a {name}"
            return Fault("TRAIN_VARIANT_WRONG", "variant", message, "1862 §1.4")
        if action.warranties:
            message = "warranties are bought with new trains"
            return Fault("WARRANTIES_WRONG", "warranties", message, "1862 §8.10")
        if not room_for(at, company, _kind_of(at, action.train)):
            message = f"{company.sym} has no room for {action.train}"
            return Fault("TRAIN_LIMIT", "train", message, "1862 §8.10")
        if company.cash < price:
            message = f"{company.sym} has £{company.cash}"
            return Fault("CASH_SHORT", "price", message, "1862 §8.10")
        return None

    def _buy_used(self, at: Table1862, action: BuyTrain) -> None:
        fault = self._used_fault(at, action)
        refuse_if(fault)
        company, seller = at.company, seller_of(at, action.train)
        if seller is None:
            raise ValueError(f"nobody owns {action.train}")
        other = at.state.companies[seller]
        transfer(company, other, action.price)
        change_hands(action.train, other, company)
        at.state.stranded.pop(action.train, None)

    def _convert_fault(self, at: Table1862) -> Fault | None:
        if not shortfall(at) or not (can_sell_treasury(at) and can_refinance(at)):
            message = "only who could sell treasury shares instead chooses to refinance"
            return Fault("NO_REFINANCING", "type", message, "1862 §8.11")
        return self._pass_fault(at)

    def _pass_fault(self, at: Table1862) -> Fault | None:
        """A trainless company buys what it can pay (§8.10.6, D13)."""
        company = at.company
        if company.trains:
            return None
        used = at.kit.profile.used_train_compulsory and self._affordable(at)
        if used or company.cash >= bank_price(at):
            message = f"{company.sym} has no train and can pay one"
            return Fault("TRAIN_COMPULSORY", "type", message, "1862 §8.10")
        return None


class NewTrainStep(BuyingStep):
    """Money that was raised by force buys a train from the bank (§8.11.5).

    After that the company may go on buying, but not from others (§15.3).
    """

    name = NEW_TRAIN

    def offers(self, at: Table1862) -> bool:
        able = at.company.cash >= bank_price(at)
        return at.operating.raised and able and not at.company.receivership

    def takes(self, at: Table1862, action: Action) -> bool:
        mine = action.entity == self.actor(at)
        return mine and isinstance(action, BuyTrain) and self.offers(at)

    def options(self, at: Table1862) -> Iterator[Offer]:
        if self.offers(at):
            yield from self.bank_options(at)

    def apply(self, at: Table1862, action: Action) -> Action:
        if not isinstance(action, BuyTrain):
            raise TypeError(f"trains are bought, not {action.TYPE}")
        self.buy_new(at, action)
        at.operating.raised = False
        at.state.round.done -= {TRAINS}
        return action

    def close(self, at: Table1862) -> None:
        """If nobody is director after refinancing, the rules choose the train (§7.5).

        A company that has paid so much for its own option share that it still cannot
        pay for a train has no second way to raise money (§8.11.4, §8.12.1).
        """
        if at.operating.raised:
            at.operating.raised = False
            if at.company.receivership:
                buy_in_receivership(at)
            else:
                bankrupt(at, at.company.sym)


class RedeemStep(CompanyStep[Table1862]):
    """Buy one own share from the pool (§8.13)."""

    name = REDEEM

    def offers(self, at: Table1862) -> bool:
        """See §15.3."""
        company = at.company
        if company.receivership or at.kit.new_players:
            return False
        there = shares.ordinary(at.state, MARKET, company.sym)
        return bool(there) and company.cash >= at.price(company.sym)

    def takes(self, at: Table1862, action: Action) -> bool:
        mine = action.entity == self.actor(at)
        return mine and isinstance(action, BuyShares | Pass)

    def options(self, at: Table1862) -> Iterator[Offer]:
        if self.offers(at):
            company = at.company
            share = shares.ordinary(at.state, MARKET, company.sym)[0]
            yield BuyShares(self.actor(at), (share,), company.unit)
            yield Pass(self.actor(at))

    def apply(self, at: Table1862, action: Action) -> Action:
        if isinstance(action, BuyShares):
            fault = self._fault(at, action)
            refuse_if(fault)
            company = at.company
            to_bank(at.state, company, at.price(company.sym))
            shares.hand_over(at.state, action.shares[0], company.sym)
        close_step(at, self.name)
        return action

    def _fault(self, at: Table1862, action: BuyShares) -> Fault | None:
        company = at.company
        there = shares.ordinary(at.state, MARKET, company.sym)
        if not self.offers(at):
            message = f"{company.sym} redeems nothing now"
            return Fault("NOTHING_TO_REDEEM", "type", message, "1862 §8.13")
        if len(action.shares) != 1 or action.shares[0] not in there:
            message = f"one share of {company.sym} is bought from the pool"
            return Fault("SHARE_NOT_FOR_SALE", "shares", message, "1862 §8.13")
        price = at.price(company.sym)
        wrong = action.percent not in (None, company.unit)
        if wrong or action.share_price not in (None, price):
            message = f"a share is {company.unit} % for £{price}"
            return Fault("TERMS_WRONG", "shares", message, "1862 §8.13")
        return None
