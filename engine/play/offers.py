"""Lists of what may be done, in which prices are taken together."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, overload

from engine.play.actions import Action, Bid, BuyTrain, CharterBid


@dataclass(frozen=True)
class Priced:
    """All actions that differ from `action` only in their price."""

    action: Bid | CharterBid | BuyTrain
    prices: range


Offer: TypeAlias = Action | Priced


class Offers(Sequence[Action]):
    """Everything that may be done, without building what nobody looks at.

    A sequence of actions; ``offers`` has them with prices taken together.
    """

    def __init__(self, offers: Sequence[Offer]) -> None:
        self.offers = tuple(offers)
        self._starts: list[int] = []
        total = 0
        for offer in self.offers:
            self._starts.append(total)
            total += len(offer.prices) if isinstance(offer, Priced) else 1
        self._total = total

    def __len__(self) -> int:
        return self._total

    def __iter__(self) -> Iterator[Action]:
        for offer in self.offers:
            if isinstance(offer, Priced):
                for price in offer.prices:
                    yield replace(offer.action, price=price)
            else:
                yield offer

    @overload
    def __getitem__(self, place: int) -> Action: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Action]: ...

    def __getitem__(self, place: int | slice) -> Action | Sequence[Action]:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(self._total))]
        number = place + self._total if place < 0 else place
        if not 0 <= number < self._total:
            raise IndexError(place)
        group = bisect_right(self._starts, number) - 1
        offer = self.offers[group]
        if isinstance(offer, Priced):
            return replace(offer.action, price=offer.prices[number - self._starts[group]])
        return offer

    def __contains__(self, action: object) -> bool:
        for offer in self.offers:
            if isinstance(offer, Priced):
                if (
                    isinstance(action, Bid | CharterBid | BuyTrain)
                    and action.price in offer.prices
                    and replace(action, price=offer.action.price) == offer.action
                ):
                    return True
            elif offer == action:
                return True
        return False
