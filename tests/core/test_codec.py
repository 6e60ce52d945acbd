"""Codec and modifiers: equal things have equal bytes, and numbers say where they come from."""

import pytest

from sandtable.core.codec import decode, digest, encode, first_difference, to_plain
from sandtable.core.modifier import Breakdown, Modifier
from tests.toy import Action, GiveOrders, March, Order, PieceId
from tests.toy_system import toy_ruleset


def test_a_state_survives_encoding() -> None:
    rules = toy_ruleset()
    state = rules.setup()
    assert decode(encode(state), rules.state_type) == state


def test_the_order_of_keys_does_not_matter() -> None:
    one = GiveOrders({PieceId("a"): Order.AIM, PieceId("b"): Order.MARCH})
    other = GiveOrders({PieceId("b"): Order.MARCH, PieceId("a"): Order.AIM})
    assert encode(one) == encode(other)
    assert digest(one) == digest(other)


def test_actions_are_told_apart_by_their_tag() -> None:
    action: Action = decode(b'{"type":"March","piece":"r1","steps":2}', toy_ruleset().action_type)
    assert action == March(PieceId("r1"), 2)


@pytest.mark.parametrize(
    ("a", "b", "found"),
    [
        ({"x": [1, 2]}, {"x": [1, 2]}, ""),
        ({"x": [1, 2]}, {"x": [1, 3]}, "$.x[1]: 2, not 3"),
        ({"x": [1]}, {"x": []}, "$.x: 1 items, not 0"),
        ({"x": 1}, {"y": 1}, "$.x: 1, not None"),
    ],
)
def test_first_difference_names_the_place(a: object, b: object, found: str) -> None:
    assert first_difference(a, b) == found


def test_plain_data_is_json() -> None:
    assert to_plain(March(PieceId("r1"), 2)) == {"type": "March", "piece": "r1", "steps": 2}


def test_a_breakdown_adds_up_and_explains_itself() -> None:
    chance = Breakdown("Hit", "5.4", base=8, base_label="at range 2").plus(
        [Modifier(-2, "hull down", "5.4.4"), Modifier(1, "stationary", "5.4.5")]
    )
    assert chance.total == chance.net == 7
    assert chance.explain() == "Hit 7 (5.4): 8 at range 2, -2 hull down (5.4.4), +1 stationary (5.4.5)"


def test_a_table_between_net_and_total() -> None:
    chance = Breakdown("Hit", "5.4", (Modifier(-2, "far", "5.4.4"),), result=56, result_label="column S")
    assert (chance.net, chance.total) == (-2, 56)
    assert chance.explain() == "Hit 56 (5.4): -2 far (5.4.4); net -2 column S"


def test_a_finaliser_has_the_last_word() -> None:
    hopeless = Breakdown("Hit", "5.4", final="impossible: out of range")
    assert hopeless.explain().endswith("; impossible: out of range")
