"""What a legal run pays: bonus, mail, E trains (1822 §11.13 to §11.15)."""

from __future__ import annotations

from engine.routing.run import Run
from engine.routing.vocabulary import EndsSubsidy, VisitBonus
from tests.engine.games.g1822.handmade import Table, board


def two_ways(trains: str, *, phase: str = "7", destination: str = "I22", mail: int = 0) -> Table:
    """LYR with two lines from home, worth 50, to the destination, worth 50 too."""
    tiles = {"I22": "X2", "G22": "X5", "H23": "yellow"}
    state = board("1822", phase, "I22 H23 G22", "I22 H21 G22", tiles=tiles)
    return Table(state, "LYR", "G22", trains, home="G22", destination=destination, mail=mail)


def test_the_destination_counts_once_more() -> None:
    """11.14: for the route that visits home and destination, in any direction."""
    table = two_ways("5")
    for travel in ("G22 H23 I22", "I22 H23 G22"):
        assert table.judge(table.route("5-0", travel)).revenue == 50 + 20 + 50 + 50
    assert table.judge(table.route("5-0", "G22 H23")).revenue == 70
    assert table.judge(table.route("5-0", "I22 H23")).revenue == 70


def test_no_bonus_before_the_destination_token() -> None:
    """11.14: both tokens must stand; the city alone does not do."""
    table = two_ways("5", destination="")
    assert table.judge(table.route("5-0", "G22 H23 I22")).revenue == 120
    assert table.rules.problem(table.position).words_of(VisitBonus) == ()


def test_of_equal_bonuses_the_one_listed_last_is_paid() -> None:
    """11.14: one bonus per operating turn; the other route says where its own went."""
    table = two_ways("5 5P")
    routes = [table.route("5-0", "G22 H23 I22"), table.route("5P-1", "I22 H21-1 G22")]
    for listed in (routes, routes[::-1]):
        verdict = table.judge(*listed)
        plain = {"5-0": 120, "5P-1": 110}
        first, last = (plain[route.train] for route in listed)
        assert [route.revenue for route in verdict.routes] == [first, last + 50]
        assert [route.items[-1].kind for route in verdict.routes] == ["counted elsewhere", "bonus"]


def test_the_larger_bonus_is_paid_wherever_it_is_listed() -> None:
    """11.14: that of an E is twice the value of the destination."""
    table = two_ways("5 E")
    express = table.route("E-1", "G22 H21-1 I22")
    plain = table.route("5-0", "G22 H23 I22")
    for listed in ((express, plain), (plain, express)):
        by_train = {route.train: route.revenue for route in table.judge(*listed).routes}
        assert by_train == {"E-1": 2 * (50 + 50) + 100, "5-0": 120}


def test_an_e_is_paid_for_own_cities_twice() -> None:
    """11.13: towns and foreign cities on the way earn nothing."""
    table = two_ways("E")
    verdict = table.judge(table.route("E-0", "G22 H23 I22"))
    assert [(item.kind, item.amount) for item in verdict.routes[0].items] == [
        ("stop", 100),
        ("skipped", 0),
        ("stop", 100),
        ("bonus", 100),
    ]
    assert verdict.routes[0].paying == ("G22-0", "I22-0")


def test_mail_is_half_of_the_plain_values_of_both_ends() -> None:
    """11.15: no doubling, no bonus; a route of an E carries mail like others."""
    table = two_ways("E", mail=1)
    assert table.judge(table.route("E-0", "G22 H23 I22")).subsidy == (50 + 50) // 2
    table = two_ways("5", mail=1)
    assert table.judge(table.route("5-0", "G22 H23")).subsidy == (50 + 20) // 2


def test_each_contract_takes_another_route_the_best_first() -> None:
    """11.15 (§20.38): one contract, two routes: the better; two contracts: both."""
    routes = (("5-0", "G22 H23"), ("5P-1", "G22 H21-1 I22"))
    for contracts, mail in ((0, 0), (1, 50), (2, 85)):
        table = two_ways("5 5P", mail=contracts)
        verdict = table.judge(*(table.route(*route) for route in routes))
        assert verdict.subsidy == mail
        assert sum(item.amount for item in verdict.items) == mail
        assert sum(route.subsidy for route in verdict.routes) == mail
        assert verdict.revenue == 70 + 160


def test_local_trains_carry_no_mail() -> None:
    """11.15 (§20.38): not even with a town."""
    state = board("1822", "3", "I22 H23 G22", "G22 G20", tiles={"I22": "X2", "H23": "yellow"})
    table = Table(state, "LYR", "G22", "LP 2", home="G22", mail=2)
    local = table.route("LP-0", "G22 G20")
    assert table.judge(local).subsidy == 0
    plain = table.route("2-1", "G22 H23")
    home, other = table.board.stops["G22-0"].value, table.board.stops["H23-0"].value
    assert table.judge(local, plain).subsidy == (home + other) // 2
    (mail,) = table.rules.problem(table.position).words_of(EndsSubsidy)
    carrying = {table.rules.problem(table.position).classes[cls].name for cls in mail.classes}
    assert carrying == {"2"}


def test_france_counts_for_mail_the_channel_does_not() -> None:
    """11.15: the ends of a route to France are its other end and France."""
    tiles = {"M38": "X23", "P43": "X15"}
    state = board("1822", "7", "M38 N39 O40 P41 P43", tiles=tiles)
    table = Table(state, "SECR", "M38/5", "5", home="M38/5", mail=1)
    verdict = table.judge(table.route("5-0", "M38-5 O40 P41 P43 Q44"))
    assert (verdict.revenue, verdict.subsidy) == (100 + 20 + 20 + 120, 110)


def test_revenue_of_a_local_train() -> None:
    """11.11: the city, plus the town."""
    table = Table(board("1822", "2", "H23 H25"), "7", "H23", "L", home="H23")
    assert table.judge(table.route("L-0", "H23 H25")).revenue == 30
    assert table.judge(table.route("L-0", "H23")).revenue == 20


def test_a_run_without_routes_is_legal() -> None:
    """11.17: the director may leave every train idle."""
    table = two_ways("5")
    verdict = table.rules.judge(table.position, Run())
    assert verdict.legal
    assert (verdict.revenue, verdict.subsidy, verdict.routes) == (0, 0, ())


def test_an_illegal_run_pays_nothing() -> None:
    """A verdict with faults has no account, whatever the other routes would pay."""
    table = two_ways("5 5P")
    good = table.route("5-0", "G22 H23 I22")
    bad = table.route("5P-1", "H23 I22 H21-1 G22 H23")
    verdict = table.judge(good, bad)
    assert not verdict.legal
    assert (verdict.revenue, verdict.subsidy, verdict.routes, verdict.items) == (0, 0, (), ())


def test_values_follow_the_phase() -> None:
    """11.2: printed places have one value per colour of the phase."""
    for phase, value in (("1", 40), ("3", 30), ("5", 30), ("7", 40)):
        table = Table(board("1822", phase), "23", "A42", "LP", home="A42")
        assert table.judge(table.route("LP-0", "A42")).revenue == value
