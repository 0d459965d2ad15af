"""Games of 18GB whose last action is in question, and what is right."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games.g18gb.play.kit import Kit18GB
from engine.games.g18gb.play.state import State18GB, StockData
from engine.notation.gamefile import Replay, read_game, write_game
from engine.play import shares
from engine.play.actions import BuyShares, EndGame, Pass, PlaceToken, player
from engine.play.entities import MARKET, Cell
from engine.play.game import Play
from tests.cases import asked, replayed
from tests.engine.play.scene import changed, refused

LAST_REFUSED = (
    ("18GB-auction-pass-when-all-cash-bound", "PASS_NOT_ALLOWED", "18GB §5.4"),
    ("18GB-bid-own-outbid", "CASH_COMMITTED", "18GB §5.3"),
    ("18GB-half-of-lone-director-card", "NO_CHANGE_FOR_DIRECTOR", "18GB §6.13"),
    ("18GB-LNWR-started-unfloated-removed", "LNWR_PRIORITY", "18GB §6.5"),
    ("18GB-private-of-another-player", "PRIVATE_NOT_DIRECTORS", "18GB §4.6"),
)


@pytest.mark.parametrize(("name", "code", "section"), LAST_REFUSED)
def test_the_last_action_of_a_case_is_refused(name: str, code: str, section: str) -> None:
    """Refused with its rule, and not offered."""
    play, action = asked(name)
    assert action not in play.legal_actions()
    refused(play, action, code, section)


def test_who_has_bound_all_his_cash_is_left_with_the_end_by_hand() -> None:
    """§5.4: he can neither bid nor pass; nothing is listed, and the game can be ended."""
    play, _ = asked("18GB-auction-pass-when-all-cash-bound")
    assert not play.legal_actions()
    assert play.actor() == player(2)
    assert play.apply(EndGame(player(2))).end_reason == "manually_ended"


def test_a_token_by_gn_is_written_with_its_tokener() -> None:
    """FMT §B5.2: the entry is read without it, the replay says so, and the file has it."""
    replay = replayed("18GB-special-token-without-tokener")
    play = replay.run()
    assert [report.fault.code for report in replay.reports] == ["TOKENER_MISSING"]
    written = write_game(play)
    assert written["actions"][-1]["tokener"] == "MSLR"
    again = Replay(read_game(written))
    assert again.run().current == play.current
    assert not again.reports


def test_tokens_by_gn_are_offered_with_their_tokener() -> None:
    """FMT §B5.2: what is listed can be written as it is."""
    play, action = asked("18GB-special-token-without-tokener")
    assert isinstance(action, PlaceToken)
    offered = [a for a in play.legal_actions() if isinstance(a, PlaceToken)]
    assert replace(action, tokener="MSLR") in offered
    assert {each.tokener for each in offered if each.entity.id == "GN"} == {"MSLR"}


def test_the_token_needs_none_on_the_charter_and_is_one_of_the_company_in_turn() -> None:
    """§4.9: an extra one; in play nobody else's, and no unknown company's."""
    play, action = asked("18GB-special-token-without-tokener")
    assert isinstance(action, PlaceToken)

    def no_tokens(state: State18GB) -> None:
        state.companies["MSLR"].tokens = ()

    bare = changed(play, no_tokens)
    refused(bare, replace(action, tokener="GWR"), "TOKENER_NOT_IN_TURN", "18GB §4.9")
    refused(bare, replace(action, tokener="X"), "TOKENER_UNKNOWN", "FMT §B5.2")
    bare.apply(action)
    assert any(t.corporation == "MSLR" for t in bare.current.layout.tokens_in("I14"))


def test_a_record_may_name_another_company_as_tokener() -> None:
    """FMT §B5.2: its token is placed if it has one unused; the replay says so."""
    play, _ = asked("18GB-special-token-without-tokener")
    other = next(s for s, c in play.current.companies.items() if c.tokens and s != "MSLR")
    written = write_game(play)
    last = {"type": "place_token", "entity": "GN", "entity_type": "company", "city": "I14-4-0"}
    written["actions"].append({**last, "tokener": other, "id": len(written["actions"]) + 1})
    replay = Replay(read_game(written))
    left = play.current.companies[other].tokens
    state = replay.run().current
    assert [report.fault.code for report in replay.reports] == ["TOKENER_NOT_IN_TURN"]
    assert any(t.corporation == other for t in state.layout.tokens_in("I14"))
    assert state.companies[other].tokens == left


def test_a_turn_closes_when_only_the_director_s_card_lies_in_the_market() -> None:
    """§16.3: player 5 has the cash, but no share to give for the lone director's card."""
    play, action = asked("18GB-stock-turn-director-card-in-market")
    assert play.actor() == player(3)
    play.apply(action)
    assert play.actor() == player(2)
    assert 5 in play.current.round_as(StockData).passing


def at_the_market(name: str, cash: int, mine: tuple[str, ...], profile: str = "18xx.games") -> Play:
    """Return the case with player 3 in turn, and of SWR only the director's card on sale."""
    play, _ = asked(name, profile)

    def arrange(state: State18GB) -> None:
        holdings = state.holdings
        for share in ("SWR_1", "SWR_2", "SWR_3"):
            shares.hand_over(state, share, 3 if share in mine else 4)
        holdings[MARKET] = ("SWR_0",)
        state.players[3].cash = cash

    return changed(play, arrange)


EXCHANGE = BuyShares(player(3), ("SWR_0",), 40)
CARD = "18GB-stock-turn-director-card-in-market"


def test_the_lone_director_s_card_is_a_sample_for_two_prices_and_one_share() -> None:
    """§16.3, §6.10: £100 and one share at £50; with less, or without a share, there is none."""
    assert EXCHANGE in at_the_market(CARD, 100, ("SWR_1",)).legal_actions()
    refused(at_the_market(CARD, 99, ("SWR_1",)), EXCHANGE, "CASH_SHORT", "18GB §6.10")
    assert at_the_market(CARD, 139, ()).actor() != player(3)
    by_rules = at_the_market(CARD, 50, ("SWR_1",), "rulebook")
    assert EXCHANGE in by_rules.legal_actions()


def test_the_limit_is_not_asked_for_the_lone_card_but_for_what_lies_beside_it() -> None:
    """§6.10: at the limit the exchange works only if the card lies alone in the market, or
    another company's sample passes; by the rulebook it works."""

    def full(beside: bool, profile: str) -> Play:
        play = at_the_market(CARD, 139, ("SWR_1",), profile)
        assert isinstance(play.kit, Kit18GB)
        limit = play.kit.certificate_limit

        def fill(state: State18GB) -> None:
            cards = tuple(
                shares.name(sym, n) for sym in ("CR", "GER", "GSWR", "GWR") for n in range(4)
            )
            for share in cards[: limit - 1]:
                shares.hand_over(state, share, 3)
            if beside:
                shares.hand_over(state, "SWR_2", MARKET)
            for company in ("CR", "GER", "GSWR", "GWR"):
                state.companies[company].cell = Cell(0, 0)

        return changed(play, fill)

    assert EXCHANGE in full(False, "18xx.games").legal_actions()
    refused(full(True, "18xx.games"), EXCHANGE, "NOTHING_TO_BUY", "18GB §6.10")
    assert EXCHANGE in full(True, "rulebook").legal_actions()


def test_no_pass_is_asked_for_where_the_turn_has_closed() -> None:
    """FMT §B8.6: a pass of the player whose turn has closed is refused."""
    play, action = asked(CARD)
    refused(play.apply(action), Pass(player(5)), "NOT_YOUR_TURN", "FMT §B8", "entity")
