"""Questions of 120 slots over the wire: values on demand, drafts judged, what is wrong refused with its rule."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from litestar.exceptions import WebSocketDisconnect

from tests.corps import ATTACK, HOLD, LEAVE, MOVE
from tests.server.players import Pair, Socket, seated, serving

PLAIN = [HOLD] * 120
SUPPLIED = [ATTACK, ATTACK, MOVE, *PLAIN[3:]]


@pytest.fixture
def pair(corps: None) -> Iterator[Pair]:
    with serving() as server, seated(server, "breakthrough", ("attacker", "defender"), options={"auto": "off"}) as two:
        yield two


def judged(socket: Socket, values: list[str], **fields: Any) -> list[dict[str, Any]]:
    answer = socket.call("Judge", **{"v": socket.v, "keys": [], "values": values, **fields})
    assert answer["type"] == "Judged", answer
    refusals: list[dict[str, Any]] = answer["refusals"]
    return refusals


def test_each_is_asked_in_his_own_words_and_told_no_value_up_front(pair: Pair) -> None:
    mine, yours = pair.first.ask, pair.second.ask
    assert mine is not None
    assert yours is not None
    assert (mine["rule"], mine["title"]) == ("1.1", "Order the battalions")
    assert (yours["rule"], yours["title"]) == ("1.2", "Order the sectors")
    slots = mine["root"]["slots"]
    assert len(slots) == 120
    assert not any(slot["values"] or slot["listed"] for slot in slots)
    assert {slot["plain"] for slot in slots} == {HOLD}
    assert [budget["label"] for budget in mine["root"]["budgets"]][:2] == ["Supply", "Attacks of division 1"]


def test_values_are_told_of_the_slots_that_are_asked_for(pair: Pair) -> None:
    answer = pair.first.call("ListValues", v=1, keys=[], slots=["B2.2", "B1.1", "B2.2"])
    assert (answer["type"], answer["v"]) == ("ValuesListed", 1)
    assert [(slot["key"], slot["values"], slot["listed"]) for slot in answer["slots"]] == [
        ("B2.2", [HOLD, MOVE, ATTACK], True),
        ("B1.1", [HOLD, MOVE, ATTACK], True),
    ]
    below = pair.first.call("ListValues", v=1, keys=[ATTACK, HOLD], slots=["B1.3"])
    assert below["slots"][0]["values"] == [HOLD, MOVE, ATTACK]


def test_a_draft_is_judged_and_what_stands_against_it_has_its_rule_and_its_slots(pair: Pair) -> None:
    assert judged(pair.first, PLAIN) == []
    assert judged(pair.first, SUPPLIED) == []
    refusals = judged(pair.first, [ATTACK] * 12 + PLAIN[12:])
    assert [(one["rule"], len(one["slots"])) for one in refusals] == [("1.5", 12), ("1.3", 12), ("1.4", 12)]
    (alone,) = judged(pair.first, [ATTACK, *PLAIN[1:]])
    assert alone == {
        "rule": "1.4",
        "reason": "Division 1 attacks without support",
        "remedy": "move a battalion of it up",
        "slots": ["B1.1"],
    }
    # What is judged well is accepted, and the other way round.
    refused = pair.first.call("Act", v=1, action={"type": "GiveOrders", "orders": orders([ATTACK, *PLAIN[1:]])})
    assert {key: refused[key] for key in alone} == alone
    assert pair.first.act(*SUPPLIED, "done")["type"] == "Done"


def orders(values: list[str]) -> dict[str, str]:
    keys = [f"B{division}.{number}" for division in range(1, 11) for number in range(1, 13)]
    return dict(zip(keys, values, strict=True))


def test_random_drafts_are_judged_as_they_are_accepted(pair: Pair) -> None:
    rng, seen = Random(5), set()
    for _ in range(40):
        values = [rng.choice([HOLD, HOLD, HOLD, MOVE, ATTACK]) if rng.random() < 0.1 else HOLD for _ in range(120)]
        found = judged(pair.first, values)
        why = pair.first.call("WhyNot", v=1, action={"type": "GiveOrders", "orders": orders(values)})["why"]
        assert why["allowed"] == (not found)
        assert found[:1] == ([why["refusal"]] if found else [])
        walked = pair.first.call("Walk", v=1, keys=[*values, "done"])
        assert walked["type"] == ("Rejected" if found else "Walked")
        seen.add(bool(found))
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("kind", "fields", "answer"),
    [
        ("ListValues", {"v": 1, "keys": [], "slots": ["X1"]}, "Rejected"),
        ("ListValues", {"v": 1, "keys": [], "slots": ["S1"]}, "Rejected"),
        ("ListValues", {"v": 1, "keys": ["fly"], "slots": ["B1.1"]}, "Rejected"),
        ("ListValues", {"v": 1, "keys": [HOLD] * 2000, "slots": ["B1.1"]}, "Rejected"),
        ("ListValues", {"v": 1, "keys": [*PLAIN, "done"], "slots": ["B1.1"]}, "Rejected"),
        ("ListValues", {"v": 0, "keys": [], "slots": ["B1.1"]}, "Stale"),
        ("ListValues", {"v": 9, "keys": [], "slots": ["B1.1"]}, "Stale"),
        ("Judge", {"v": 1, "keys": [], "values": PLAIN[:-1]}, "Rejected"),
        ("Judge", {"v": 1, "keys": [], "values": PLAIN * 2}, "Rejected"),
        ("Judge", {"v": 1, "keys": [], "values": []}, "Rejected"),
        ("Judge", {"v": 1, "keys": ["fly"], "values": PLAIN}, "Rejected"),
        ("Judge", {"v": 1, "keys": [*PLAIN, "done"], "values": PLAIN}, "Rejected"),
        ("Judge", {"v": 0, "keys": [], "values": PLAIN}, "Stale"),
        ("Judge", {"v": 9, "keys": [], "values": PLAIN}, "Stale"),
    ],
)
def test_what_is_wrong_is_answered_and_harms_nothing(
    pair: Pair, kind: str, fields: dict[str, Any], answer: str
) -> None:
    assert pair.first.call(kind, **fields)["type"] == answer
    assert pair.first.act(*PLAIN, "done", v=1)["type"] == "Done"


def test_a_value_that_no_slot_takes_is_refused_with_the_slot(pair: Pair) -> None:
    (refusal,) = judged(pair.first, ["fly", *PLAIN[1:]])
    assert (refusal["slots"], refusal["remedy"]) == (["B1.1"], "one of hold, move up, attack")
    assert len(judged(pair.first, [""] * 120)) == 120


def test_nobody_lists_or_judges_for_another_seat(pair: Pair) -> None:
    """Messages have no seat: they are about the seat that the connection sits in, and that is asked."""
    assert judged(pair.second, [LEAVE] * 4 + [HOLD] * 6) == []
    assert pair.second.call("Judge", v=1, keys=[], values=SUPPLIED)["type"] == "Rejected"
    assert pair.second.call("ListValues", v=1, keys=[], slots=["B1.1"])["type"] == "Rejected"
    for more in ({"seat": "attacker"}, {"as": "attacker"}):
        answer = pair.second.call("Judge", v=1, keys=[], values=SUPPLIED, **more)
        assert answer["type"] == "Rejected"
    with pair.one.server.visitor().at(pair.table, "") as watcher:
        watcher.until("Snapshot")
        for kind, fields in (("ListValues", {"slots": ["B1.1"]}), ("Judge", {"values": PLAIN})):
            assert watcher.call(kind, v=1, keys=[], **fields)["type"] == "Refused"
    pair.first.act(*SUPPLIED, "done")
    # Who has answered is asked nothing, and learns nothing more.
    for kind, fields in (("ListValues", {"slots": ["B1.1"]}), ("Judge", {"values": PLAIN})):
        assert pair.first.call(kind, v=2, keys=[], **fields)["type"] == "Refused"


def test_what_the_other_has_ordered_changes_no_byte_of_the_answers(corps: None) -> None:
    told = []
    for ordered in (PLAIN, SUPPLIED):
        with (
            serving() as server,
            seated(server, "breakthrough", ("attacker", "defender"), options={"auto": "off"}) as pair,
        ):
            pair.first.act(*ordered, "done")
            pair.second.send("Resync")
            pair.second.until("Snapshot")
            asked = [
                ("ListValues", {"slots": ["S1", "S2"]}),
                ("Judge", {"values": [LEAVE] * 10}),
                ("Judge", {"values": [HOLD] * 10}),
                ("Judge", {"values": ["?"] * 10}),
            ]
            told.append([pair.second.call(kind, v=1, keys=[], **fields) for kind, fields in asked])
    assert told[0] == told[1]
    assert told[0][1]["refusals"][0]["rule"] == "1.6"


@pytest.mark.parametrize(
    ("kind", "fields"), [("ListValues", {"slots": [f"B1.{n}" for n in range(1, 13)]}), ("Judge", {"values": PLAIN})]
)
def test_a_flood_of_them_is_cut_off(corps: None, kind: str, fields: dict[str, Any]) -> None:
    with serving(limits=1.0) as server, seated(server, "breakthrough", ("attacker", "defender")) as pair:
        for _ in range(400):
            pair.first.send(kind, v=1, keys=[], **fields)
        assert "too many" in pair.first.until("Rejected")["faults"][0]["wrong"]
        with pytest.raises(WebSocketDisconnect) as closed:
            pair.first.until("never")
        assert closed.value.code == 4429
        assert pair.second.act(*[HOLD] * 10, "done")["type"] == "Done"


def test_a_whole_game(pair: Pair) -> None:
    # In the second turn whose sector is taken can attack no more.
    for given in (SUPPLIED, PLAIN):
        assert pair.first.act(*given, "done")["type"] == "Done"
        pair.second.send("Resync")
        root = pair.second.until("Snapshot")["ask"]["root"]
        holding = [HOLD] * len(root["slots"])
        assert judged(pair.second, holding) == []
        assert pair.second.act(*holding, "done")["type"] == "Done"
        pair.first.send("Resync")
        pair.first.until("Snapshot")
    assert pair.first.outcome is not None
