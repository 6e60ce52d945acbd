"""1.3: a leader whom a special rule lets direct a Gun, as if it were a support weapon."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.aslsk.common.actions import Fire
from sandtable.systems.aslsk.common.events import FireResolved
from sandtable.systems.aslsk.common.vehicle_actions import FireGun
from sandtable.systems.aslsk.pieces.armament import Ammo
from sandtable.systems.aslsk.pieces.state import Mark, UnitId
from tests.aslsk.clash import Clash, side, squad
from tests.aslsk.guns.test_gun_fire import clash, crew, gun, labels, shot, target

rules = pytest.mark.rules
SIX_POUNDER = "british/OQF 6-Pounder"
LEADER, OTHER = UnitId("L"), UnitId("S")
LEAD = "directed by L, by special rule"


def battery(*, card: str = "british/9-1", at: str = "A3", **flags: Any) -> Clash:
    """A British Gun with a leader, another with a squad beside it, and Germans to fire at."""
    british = side(
        crew(card="british/2-2-8 crew"),
        squad("two", "british/2-2-8 crew", "A3"),
        squad("S", "british/4-5-8", "A3"),
        squad("L", card, at, **flags),
        weapons=[gun(SIX_POUNDER), {**gun(SIX_POUNDER), "id": "second", "owner": "two"}],
    )
    conditions = {"year": 1944, "month": 9, "gun_leaders": ["british/9-1"]}
    return clash(german=british, russian=side(target()), conditions=conditions)


def aimed(on: Clash, **fields: Any) -> FireGun:
    """AP, of which there is enough."""
    return shot(on, ammo=Ammo.AP, **fields)


@rules("1.3", "3.2.2", system="aslsk3")
def test_1_3_he_directs_a_gun_if_he_will_and_nothing_else_after_it() -> None:
    on = battery()
    plain, led = aimed(on), aimed(on, leader=LEADER)
    assert {plain, led} <= set(on.options())
    on.play(plain, (6, 5))
    assert LEAD not in labels(on)
    assert on.unit("L").mark is Mark.NONE
    on = battery()
    on.play(led, (6, 5))
    assert labels(on)[LEAD] == 1
    assert (on.unit("L").directed, on.unit("L").mark) == (("gun",), Mark.PREP_FIRE)
    assert on.why(replace(led, weapon="second")) == "3.2.2", "he has directed the other Gun"
    assert on.why(replace(plain, weapon="second")) == ""
    assert on.why(Fire((OTHER,), (), on.hex("D3"), (LEADER,))) == "3.2.2"
    assert on.why(replace(led, intensive=True)) == "", "the same Gun again"


@rules("1.3", "3.2.2", system="aslsk3")
def test_1_3_he_directs_no_gun_once_he_has_directed_others() -> None:
    on = battery()
    on.play(Fire((OTHER,), (), on.hex("D3"), (LEADER,)), (6, 5))
    assert on.saw(FireResolved)
    assert on.why(aimed(on, leader=LEADER)) == "3.2.2"
    assert not any(getattr(action, "leader", "") == LEADER for action in on.options())


@rules("1.3", "3.2.4", system="aslsk3")
@pytest.mark.parametrize(
    ("flags", "rule"),
    [
        ({}, ""),
        ({"pinned": True}, "3.2.2"),
        ({"broken": True}, "3.2.2"),
        ({"at": "A2"}, "3.2.4"),
        ({"card": "british/8-1"}, "3.2.4"),
    ],
)
def test_1_3_only_the_leader_named_in_the_hex_of_the_crew_and_fit_to_direct(flags: dict[str, Any], rule: str) -> None:
    on = battery(**flags)
    assert on.why(aimed(on, leader=LEADER)) == rule


@rules("1.3", "3.2.4", system="aslsk3")
def test_3_2_4_a_leader_directs_no_gun_without_such_a_rule() -> None:
    on = clash(german=side(crew(), squad("L", "german/9-2", "A3"), weapons=[gun()]))
    assert on.why(aimed(on, leader=LEADER)) == "3.2.4"


@rules("1.3", "3.3.1", system="aslsk3")
def test_1_3_an_exhausted_leader_adds_one_to_what_he_directs() -> None:
    on = battery(cx=True)
    on.play(aimed(on, leader=LEADER), (6, 5))
    assert (labels(on)[LEAD], labels(on)["CX"]) == (1, -1)
