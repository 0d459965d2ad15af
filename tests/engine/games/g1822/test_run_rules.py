"""Trains, carriages and what the routes of a run may not do together (1822 §11.6 to §11.16)."""

from __future__ import annotations

from dataclasses import replace

from engine.errors import Fault
from engine.routing.run import Position, Run, Train
from tests.engine.games.g1822.handmade import Table, board, token

LINE = ("I30 J29 K30", "I30 H31 H33")


def only(faults: tuple[Fault, ...]) -> tuple[str, str]:
    """Return code and path of the only fault; it cites a section."""
    (fault,) = faults
    assert fault.section.startswith("1822 §11")
    return fault.code, fault.path


# --- which trains run (§11.12, §11.16) -----------------------------------------


def test_trains_belong_to_the_company_and_run_once() -> None:
    """11.17: one route per train."""
    table = Table(board("1822", "5", *LINE), "MR", "J29 I30", "3 3", home="J29")
    strange = replace(table.route("3-0", "I30 J29"), train="4-7")
    assert only(table.judge(strange).faults) == ("TRAIN_NOT_OWNED", "routes[0].train")
    twice = [table.route("3-0", "I30 J29"), table.route("3-0", "I30 H33")]
    assert table.codes(*twice) == ["TRAIN_TWICE", "TRAIN_TWICE"]


def test_trains_used_up_in_this_round_do_not_run() -> None:
    """11.16 (§20.37): trains that another company already ran."""
    table = Table(board("1822", "5", *LINE), "MR", "J29", "3 3", home="J29")
    company = replace(table.position.company, trains=(Train("3-0", "3"), Train("3-1", "3", False)))
    position = Position(table.position.title, table.board, company)
    route = table.route("3-1", "I30 J29")
    faults = table.rules.judge(position, Run((route,))).faults
    assert only(faults) == ("TRAIN_NOT_RUNNABLE", "routes[0].train")
    assert [cls.trains for cls in table.rules.problem(position).classes] == [("3-0",)]


def test_a_minor_cannot_use_an_e() -> None:
    """11.13: not even between two own cities."""
    table = Table(board("1822", "7", *LINE), "10", "I30", "E", home="I30")
    assert "TRAIN_NOT_RUNNABLE" in table.codes(table.route("E-0", "I30 J29"))
    assert table.rules.problem(table.position).classes == ()


def test_a_pullman_does_not_run_by_itself() -> None:
    """11.12: it is attached to one train with a number, once, if the company has it."""
    state = board("1822", "7", *LINE)
    table = Table(state, "MR", "J29 I30", "5 6 LP E P+", home="J29")
    alone = replace(table.route("5-0", "I30 J29"), train="P+-4")
    assert only(table.judge(alone).faults) == ("TRAIN_NOT_RUNNABLE", "routes[0].train")
    one = table.route("5-0", "I30 J29", plus=True)
    two = table.route("6-1", "I30 H33", plus=True)
    assert table.codes(one) == []
    assert only(table.judge(one, two).faults) == ("ATTACHMENT_NOT_OWNED", "routes[1].attachment")
    for train, travel in (("LP-2", "I30"), ("E-3", "I30 J29")):
        faults = table.judge(table.route(train, travel, plus=True)).faults
        assert only(faults) == ("ATTACHMENT_NOT_ALLOWED", "routes[0].attachment")
    unknown = replace(one, attachment="7")
    assert only(table.judge(unknown).faults) == ("ATTACHMENT_UNKNOWN", "routes[0].attachment")
    without = Table(state, "MR", "J29 I30", "5", home="J29")
    assert without.codes(without.route("5-0", "I30 J29", plus=True)) == ["ATTACHMENT_NOT_OWNED"]


def test_nobody_chooses_which_stops_pay() -> None:
    """11.8: all stops of a route pay."""
    table = Table(board("1822", "5", *LINE), "MR", "J29", "3", home="J29")
    route = replace(table.route("3-0", "I30 J29"), paid=("J29-0",))
    assert only(table.judge(route).faults) == ("PAID_NOT_CHOSEN", "routes[0].paid")


def test_track_that_is_not_there_is_named() -> None:
    """The shared part of the referee speaks with field paths of the run."""
    table = Table(board("1822", "5", *LINE), "MR", "J29", "3 3", home="J29")
    good = table.route("3-0", "I30 J29")
    wrong = replace(table.route("3-1", "J29 K30"), stops=("J29-0", "H33-0"))
    (fault,) = table.judge(good, wrong).faults
    assert (fault.code, fault.path) == ("LEG_BROKEN", "routes[1].legs[0]")
    assert table.codes(replace(good, stops=("I30-0", "Z99-0"))) == ["STOP_UNKNOWN"]
    assert table.codes(replace(good, legs=())) == ["LEG_COUNT_WRONG"]


# --- track shared by trains (§11.9) ----------------------------------------------


def test_trains_of_a_class_share_no_track() -> None:
    """11.9: refused for two trains with numbers, one with P+ or a local train among them."""
    table = Table(board("1822", "5", *LINE), "MR", "J29 I30", "3 4 P+", home="J29")
    for plus in (False, True):
        routes = [table.route("3-0", "I30 J29"), table.route("4-1", "K30 J29 I30", plus=plus)]
        assert only(table.judge(*routes).faults) == ("SIDE_SHARED", "routes[1].legs[1]")
    local = Table(board("1822", "5", "H23 H25 J29"), "MR", "J29 H23", "LP 3", home="J29")
    routes = [local.route("LP-0", "H23 H25"), local.route("3-1", "H23 H25 J29")]
    assert only(local.judge(*routes).faults) == ("SIDE_SHARED", "routes[1].legs[0]")


def test_an_e_shares_track_with_all_others() -> None:
    """11.9: the classes are E trains and all others."""
    table = Table(board("1822", "7", *LINE), "MR", "J29 I30", "7 E", home="J29")
    routes = [table.route("7-0", "K30 J29 I30"), table.route("E-1", "J29 I30")]
    assert table.codes(*routes) == []


def test_stops_may_be_shared_by_any_number_of_trains() -> None:
    """11.9: only track is exclusive."""
    table = Table(board("1822", "5", *LINE), "MR", "J29 I30", "3 3", home="J29")
    assert table.codes(table.route("3-0", "J29 I30"), table.route("3-1", "I30 H33")) == []


def test_trains_share_a_junction_over_different_sides() -> None:
    """11.9: K34 with four sides carries two trains."""
    state = board("1822", "5", "K30 K32 K34 K36", "L33 K34 J33 I32 I30")
    table = Table(state, "MR", "K30 L33", "3 3")
    routes = [table.route("3-0", "K30 K36"), table.route("3-1", "L33 I30")]
    assert table.codes(*routes) == []
    cross = [table.route("3-0", "K30 K36"), table.route("3-1", "L33 K36")]
    assert only(table.judge(*cross).faults) == ("SIDE_SHARED", "routes[1].legs[0]")


def test_the_inner_link_of_swansea_is_track() -> None:
    """11.9: D35 while white, where city and town are joined within the hex."""
    table = Table(board("1822", "2"), "24", "D35", "L 2", home="D35")
    link = [table.route("L-0", "D35-0 D35-1"), table.route("2-1", "D35-0 D35-1")]
    (fault,) = table.judge(*link).faults
    assert (fault.code, fault.path, fault.hex) == ("PATH_SHARED", "routes[1].legs[0]", "D35")
    assert table.judge(table.route("L-0", "D35-0"), link[1]).revenue == 50


def test_lanes_are_separate_track() -> None:
    """11.1: two trains reach Mid Wales over the two lanes of one side."""
    state = board("1822", "5", "E28 F27 G26 H25", "F27 G28")
    table = Table(state, "29", "E28", "3 3", home="E28")
    routes = [table.route("3-0", "E28 G28"), table.route("3-1", "E28 H25")]
    assert table.codes(*routes) == []
    assert routes[0].legs[0][0].hex == routes[1].legs[0][0].hex == "E28"


# --- Merthyr and Pontypool (§11.6) ------------------------------------------------


def test_merthyr_is_passed_by_the_round_track() -> None:
    """11.6 (§20.29): from F35 through E34 the direct track ends the route; round is 110."""
    table = Table(board("1822", "3", "E34 F35"), "20", "F33", "3", home="F33")
    direct = table.route("3-0", "F35 E34 (-E32) F33")
    assert table.codes(direct) == ["TERMINAL_PASSED"]
    assert table.judge(table.route("3-0", "F35 E34 (E32) F33")).revenue == 110


def test_pontypool_is_passed_by_the_direct_track() -> None:
    """11.6: with further stops beyond F33 the route ends at Merthyr by the direct track."""
    table = Table(board("1822", "4", "F33 G34 H33"), "20", "F33", "4", home="F33")
    assert table.codes(table.route("4-0", "E34 (-E32) F33 G34 H33")) == []
    assert table.codes(table.route("4-0", "E34 (E32) F33 G34 H33")) == ["TERMINAL_PASSED"]


def test_two_stops_by_either_track() -> None:
    """11.6 (§20.46): E34 and F33 alone are worth 80 in phase 3."""
    table = Table(board("1822", "3"), "20", "F33", "2P", home="F33")
    for via in ("(E32)", "(-E32)"):
        assert table.judge(table.route("2P-0", f"E34 {via} F33")).revenue == 80


def test_a_company_uses_one_of_the_two_tracks() -> None:
    """11.6 (§20.30): over all its trains, an E among them too."""
    table = Table(board("1822", "7", "E34 F35"), "SWR", "F33 E34", "5 5 E")
    direct = table.route("5-0", "E34 (-E32) F33")
    assert only(table.judge(direct, table.route("5-1", "E34 (E32) F33")).faults) == (
        "FORK_BOTH_TRACKS",
        "routes[1].legs[0]",
    )
    express = table.route("E-2", "E34 (E32) F33")
    assert only(table.judge(express, direct).faults)[0] == "FORK_BOTH_TRACKS"
    assert table.codes(direct, table.route("E-2", "E34 (-E32) F33")) == []


# --- France (§11.5) ------------------------------------------------------------------


def test_the_single_track_to_france_takes_one_train_of_a_class() -> None:
    """11.5 (§20.31): X4 lets one ordinary train and one E pass, not two ordinary ones."""
    lines = ("M38 N39 O40 P41 P43", "P43 O42 N41 M42")
    table = Table(board("1822", "7", *lines, tiles={"P43": "X4"}), "SECR", "M38/5 P43", "5 5 E")
    one = table.route("5-0", "M38-5 O40 P41 P43 Q44")
    two = table.route("5-1", "M42 O42 P43 Q44")
    express = table.route("E-2", "M38-5 O40 P41 P43 Q44")
    assert only(table.judge(one, two).faults) == ("SIDE_SHARED", "routes[1].legs[2]")
    assert table.codes(one, express) == []
    wide = Table(board("1822", "7", *lines, tiles={"P43": "X9"}), "SECR", "M38/5 P43", "5 5 E")
    problem = wide.rules.problem(wide.position)
    to_france = [leg for leg in problem.legs if problem.stops[leg.b].hex == "Q44"]
    assert len(to_france) == 2
    assert to_france[0].items.isdisjoint(to_france[1].items)


# --- local trains (§11.11) --------------------------------------------------------------


def test_two_local_trains_in_two_cities() -> None:
    """11.11 (§20.33): not in the same city; a local train and another may share one."""
    table = Table(board("1822", "1", "I30 J29"), "10", "I30", "L L", home="I30")
    faults = table.judge(table.route("L-0", "I30"), table.route("L-1", "I30")).faults
    assert only(faults) == ("LOCAL_CITY_TWICE", "routes[1].stops[0]")
    table = Table(board("1822", "2", "I30 J29"), "10", "I30", "L 2", home="I30")
    assert table.codes(table.route("L-0", "I30"), table.route("2-1", "I30 J29")) == []
    london = Table(board("1822", "2"), "LNWR", "M38/3 M38/4", "L L", home="M38/3")
    assert london.codes(london.route("L-0", "M38-3"), london.route("L-1", "M38-4")) == []


def test_foreign_tokens_do_not_matter_to_a_local_train() -> None:
    """11.11: it stands in its city however full it is."""
    others = [token("I30", "LNWR", 1), token("I30", "GWR", 2)]
    table = Table(board("1822", "1", "I30 J29"), "10", "I30", "L", home="I30", others=others)
    assert table.judge(table.route("L-0", "I30")).revenue == 40
