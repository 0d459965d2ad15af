"""The worked examples of 1822 §19, on boards of our own with the same values."""

from __future__ import annotations

from engine.routing.run import Item, Route
from tests.engine.games.g1822.handmade import Table, board, token


def revenues(table: Table, *routes: Route) -> list[int]:
    """Return what each route of a legal run pays; they add up to its revenue."""
    verdict = table.judge(*routes)
    assert verdict.legal, verdict.faults
    assert verdict.revenue == sum(route.revenue for route in verdict.routes)
    return [route.revenue for route in verdict.routes]


def test_local_in_the_double_hex_takes_city_and_town() -> None:
    """19.1: an L in D35 earns 20, over the inner link with the town 30."""
    table = Table(board("1822", "1"), "24", "D35", "L", home="D35")
    assert revenues(table, table.route("L-0", "D35-0 D35-1")) == [30]
    assert revenues(table, table.route("L-0", "D35-0")) == [20]


def test_local_and_2p_without_bonus() -> None:
    """19.2: L E6 and a town of F7 50, 2P H1 and G4 50; home is not visited."""
    state = board("1822", "2", "E6 F7", "H1 G4")
    table = Table(state, "NBR", "H5 E6", "L 2P", home="H5", destination="H1")
    routes = [table.route("L-0", "E6 F7-0"), table.route("2P-1", "H1 G4")]
    assert revenues(table, *routes) == [50, 50]


def test_merthyr_and_pontypool_for_a_4_and_a_2() -> None:
    """19.3: a 4 goes round through E32 for 140; a 2 takes the direct track for 80."""
    state = board("1822", "4", "E34 F35 D35", tiles={"D35": "X3"})
    table = Table(state, "21", "E34", "4", home="E34")
    assert revenues(table, table.route("4-0", "F33 (E32) E34 F35 D35")) == [140]
    direct = table.route("4-0", "F33 (-E32) E34 F35 D35")
    assert table.codes(direct) == ["TERMINAL_PASSED"]
    table = Table(board("1822", "3", "E34 F35"), "21", "E34", "2", home="E34")
    assert revenues(table, table.route("2-0", "F33 (-E32) E34")) == [80]


def test_two_mail_contracts() -> None:
    """19.4: revenue 120 + 280 with the bonus of 50, mail 60 + 60."""
    state = board(
        "1822MRS",
        "6",
        "I30 I22",
        "I30 G36 I42 J41 L39 M38",
        tiles={"I30": "X7", "I22": "X7", "G36": "X5", "I42": "green", "J41": "green"}
        | {"M38": "X21"},
    )
    table = Table(state, "GWR", "M38/1 I30", "2P 5", home="M38/1", destination="G36", mail=2)
    routes = [table.route("2P-0", "I30 I22"), table.route("5-1", "I30 G36 I42 J41 M38-1")]
    assert revenues(table, *routes) == [120, 280]
    verdict = table.judge(*routes)
    assert verdict.subsidy == 120
    mail = [(item.kind, item.subject, item.amount) for item in verdict.items]
    assert mail == [("mail", "2P-0", 60), ("mail", "5-1", 60)]
    assert [route.subsidy for route in verdict.routes] == [60, 60]


def test_france_mail_and_bonus() -> None:
    """19.5: 370 over the Channel in five stops, 390 with the bonus; the better mail is 110."""
    state = board(
        "1822",
        "7",
        "M38 L39 J41 K42 M42 N41 O42 P43",
        "I22 J21 K20 K14 H5 G4 H1",
        tiles={"M38": "X23", "J41": "gray", "K42": "405", "M42": "X16", "O42": "9", "P43": "X15"}
        | {"I22": "X13", "K20": "gray", "K14": "green", "H5": "X11", "G4": "brown"},
    )
    table = Table(state, "NBR", "J41 H5 K20", "5 7", home="H5", destination="H1", mail=1)
    routes = [
        table.route("5-0", "M38-1 J41 K42 M42 P43 Q44"),
        table.route("7-1", "I22 J21 K20 K14 H5 G4 H1"),
    ]
    assert revenues(table, *routes) == [370, 390]
    assert table.judge(*routes).subsidy == 110


def test_channel_with_a_6() -> None:
    """19.6: London, O40, P41, the Channel and France are five stops: 260, with the bonus 280."""
    state = board("1822", "7", "M38 N39 O40 P41 P43 Q44", tiles={"M38": "X23", "P43": "X15"})
    table = Table(state, "SECR", "M38/5", "6", home="M38/5", destination="P41")
    route = table.route("6-0", "M38-5 O40 P41 P43 Q44")
    assert revenues(table, route) == [280]
    assert table.judge(route).routes[0].items == (
        Item("stop", "M38-5", 100, "London"),
        Item("stop", "O40-0", 20, table.board.stops["O40-0"].name or ""),
        Item("stop", "P41-0", 20, table.board.stops["P41-0"].name or ""),
        Item("skipped", "P43-0", 0, "English Channel: one stop with France"),
        Item("stop", "Q44-0", 120, "France"),
        Item("bonus", "P41-0", 20, "destination"),
    )


def _coast() -> Table:
    """The south coast in phase 7, LBSCR with a token in the Channel."""
    state = board(
        "1822MRS",
        "7",
        "M38 M40 M42 O42 P43",
        "M38 L39 K38 K42 M42",
        tiles={"M38": "X22", "K38": "brown", "K42": "X16", "M42": "X16", "P43": "X15"},
    )
    return Table(
        state,
        "LBSCR",
        "M38/0 P43",
        "2P 6 E",
        home="M38/0",
        destination="M42",
        others=[token("M38/1", "GWR")],
    )


def test_express_to_france_with_the_only_bonus() -> None:
    """19.7: 140, 370 and 640: the 2P qualifies too, but only the E's bonus is paid; the E and
    the 6 share the track to France."""
    table = _coast()
    routes = [
        table.route("2P-0", "M42 M38-0"),
        table.route("6-1", "M38-1 K38 K42 M42 O42 P43 Q44"),
        table.route("E-2", "M38-0 M42 O42 P43 Q44"),
    ]
    assert revenues(table, *routes) == [140, 370, 640]
    express = table.judge(*routes).routes[2]
    assert [(item.kind, item.subject, item.amount) for item in express.items] == [
        ("stop", "M38-0", 160),
        ("stop", "M42-0", 120),
        ("skipped", "O42-0", 0),
        ("stop", "P43-0", 240),
        ("skipped", "Q44-0", 0),
        ("bonus", "M42-0", 120),
    ]
    assert express.paying == ("M38-0", "M42-0", "P43-0")
    local = table.judge(*routes).routes[0].items[-1]
    assert (local.kind, local.subject, local.amount) == ("counted elsewhere", "M42-0", 0)


def test_bonus_is_paid_once_even_where_records_pay_it_twice() -> None:
    """19.13, D7: without the E the bonus goes to the 2P; with it the rule amount has one."""
    table = _coast()
    plain = table.route("2P-0", "M42 M38-0")
    express = table.route("E-2", "M38-0 M42 O42 P43 Q44")
    assert revenues(table, plain) == [200]
    assert revenues(table, plain, express) == [140, 640]
    assert revenues(table, express, plain) == [640, 140]


def test_local_of_a_major_and_a_train_with_pullman() -> None:
    """19.10: LP 80; 6+ over five cities, London as its end, and four towns 400."""
    state = board(
        "1822",
        "7",
        "M38 L37",
        "M38 M36 L35 I30 I22 H23 G22 G20 H19 H17 H13",
        tiles={"M38": "X22", "I30": "X7", "I22": "X7", "H23": "green", "G22": "green"}
        | {"H19": "green"},
    )
    table = Table(
        state,
        "LYR",
        "M38/2 G22 I30",
        "LP 6 P+",
        home="G22",
        destination="I22",
        others=[token("M38/3", "LNWR")],
    )
    local = table.route("LP-0", "M38-2")
    plus = table.route("6-1", "M38-3 M36 I30 I22 H23 G22 G20 H19 H17 H13", plus=True)
    assert revenues(table, local, plus) == [80, 400]
    assert table.codes(table.route("6-1", "M38-3 M36 I30 I22 H23 G22 G20")) == ["STOPS_TOO_MANY"]


def test_express_with_mail_of_its_own_ends() -> None:
    """19.11: 2P 100, E 460 + 120; the mail of the E, 65, beats that of the 2P, 50."""
    state = board("1822", "7", "H1 G4 H5 E6", tiles={"G4": "brown", "H5": "X11"})
    table = Table(state, "NBR", "G4 H5 E6", "2P E", home="H5", destination="H1", mail=1)
    routes = [table.route("2P-0", "H1 G4"), table.route("E-1", "H1 G4 H5 E6")]
    assert revenues(table, *routes) == [100, 580]
    assert table.judge(*routes).subsidy == 65


def test_two_trains_to_two_london_cities() -> None:
    """19.12: over other track to another London city, without the bonus, as that is not home."""
    state = board(
        "1822MRS",
        "4",
        "M38 M40 M42",
        "M38 L39 K40 L41 M42",
        tiles={"M38": "X20", "M42": "405"},
    )
    table = Table(state, "LBSCR", "M38/0", "2P 3", home="M38/0", destination="M42")
    assert revenues(table, table.route("2P-0", "M38-0 M42"), table.route("3-1", "M42 M38-1")) == [
        120,
        80,
    ]
