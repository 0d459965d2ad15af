"""The track step, and lays with privates (§9, §16)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import Fault
from engine.games.g1822.play.laying import kind_of_lay, lay, lay_options
from engine.games.g1822.play.powers import (
    CHANNEL,
    ORDINARY,
    Terms,
    keeps_track_open,
    normal_lays,
    turn_fault,
    ways,
)
from engine.games.g1822.play.spending import close_chain, place_in_channel, spend
from engine.games.g1822.play.table import Table1822
from engine.play.actions import (
    COMPANY,
    Action,
    Entity,
    LayTile,
    Pass,
    private,
)
from engine.play.errors import IllegalActionError, refuse_if
from engine.play.offers import Offer
from engine.play.steps import CompanyStep, Step, close_step

TRACK = "track"


class SpecialTrack(Step[Table1822]):
    """Lays with privates during the track step (§16)."""

    name = "special track"
    blocks = False

    def actor(self, at: Table1822) -> Entity | None:
        return None

    def offers(self, at: Table1822) -> bool:
        return True

    def takes(self, at: Table1822, action: Action) -> bool:
        open_now = TRACK not in at.state.round.done
        return isinstance(action, LayTile) and action.entity.kind == COMPANY and open_now

    def options(self, at: Table1822) -> Iterator[Offer]:
        if TRACK in at.state.round.done:
            return
        for terms in ways(at):
            powers = tuple(sym for sym in at.state.privates if terms.uses(sym))
            for hex_id, tile, rotation in lay_options(at, terms):
                for sym in powers:
                    rest = tuple(other for other in powers if other != sym)
                    yield LayTile(private(sym), hex_id, tile, rotation, rest or None)

    def apply(self, at: Table1822, action: Action) -> Action:
        if not isinstance(action, LayTile):
            raise TypeError(f"privates do not {action.TYPE}")
        terms = Terms((str(action.entity.id), *(action.combo_entities or ())))
        fault = self._fault(at, terms)
        refuse_if(fault)
        was = kind_of_lay(at, action.hex) if action.hex in at.kit.guide.atlas.hexes else ""
        done = lay(at, action, terms)
        if terms.uses(CHANNEL):
            place_in_channel(at, action.hex)
        spend(at, action.hex, was, terms)
        return done

    def _fault(self, at: Table1822, terms: Terms) -> Fault | None:
        unknown = [sym for sym in terms.powers if sym not in at.state.privates]
        if unknown:
            message = f"there is no private {unknown[0]!r}"
            return Fault("PRIVATE_UNKNOWN", "entity", message, "1822 §16")
        return turn_fault(at, terms)


class ChainStep(Step[Table1822]):
    """After the first lay by P12 or P21 the second one is awaited, or a pass (§16.12, §16.21)."""

    name = "second special lay"

    def actor(self, at: Table1822) -> Entity | None:
        chain = at.operating.chain
        return private(chain) if chain else None

    def asleep(self, at: Table1822) -> bool:
        return not at.operating.chain

    def offers(self, at: Table1822) -> bool:
        return True

    def takes(self, at: Table1822, action: Action) -> bool:
        return isinstance(action, Pass) and action.entity == self.actor(at)

    def options(self, at: Table1822) -> Iterator[Offer]:
        yield Pass(private(at.operating.chain))

    def apply(self, at: Table1822, action: Action) -> Action:
        close_chain(at)
        return action


class TrackStep(CompanyStep[Table1822]):
    """The normal lays (§9.1)."""

    name = TRACK

    def offers(self, at: Table1822) -> bool:
        """See §8.3: a normal lay is left, or a private keeps it open; the map is not asked."""
        return bool(normal_lays(at)) or keeps_track_open(at)

    def takes(self, at: Table1822, action: Action) -> bool:
        return isinstance(action, LayTile | Pass) and action.entity == self.actor(at)

    def options(self, at: Table1822) -> Iterator[Offer]:
        who = self.actor(at)
        if normal_lays(at):
            for hex_id, tile, rotation in lay_options(at, ORDINARY):
                yield LayTile(who, hex_id, tile, rotation)
        yield Pass(who)

    def apply(self, at: Table1822, action: Action) -> Action:
        if not isinstance(action, LayTile):
            close_step(at, self.name)
            return action
        fault = turn_fault(at, ORDINARY)
        refuse_if(fault)
        if action.combo_entities:
            message = "privates lay tiles themselves"
            raise IllegalActionError(
                Fault("COMBINATION_WITHOUT_PRIVATE", "combo_entities", message, "1822 §16.14")
            )
        was = kind_of_lay(at, action.hex) if action.hex in at.kit.guide.atlas.hexes else ""
        done = lay(at, action, ORDINARY)
        spend(at, action.hex, was, ORDINARY)
        return done
