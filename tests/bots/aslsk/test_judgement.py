"""Sound answers in plain positions of the Starter Kit: what any player would do."""

from random import Random
from typing import Any

import pytest

from sandtable.bots import Question, make_bot
from sandtable.bots.aslsk.commander import AslskDoctrine
from sandtable.bots.doctrine import doctrine_of
from sandtable.bots.style import CHARACTERS, Character
from sandtable.core.decision import Seat
from sandtable.systems.aslsk.common.actions import (
    Action,
    Advance,
    DeclareCloseCombat,
    Done,
    Fire,
    FireOrdnance,
    HoldFire,
    Move,
    Rally,
    Rout,
    SelfRally,
)
from sandtable.systems.aslsk.pieces.state import CcAttack, MoveStep, UnitId
from tests.aslsk.clash import Clash

rules = pytest.mark.rules
STEADY = CHARACTERS[Character.STEADY]
VILLAGE = """
. . . . . . . . .
. . . . . . . . .
. . w . . . b . .
. . . . . . . . .
. . . . . . . . .
"""
HOUSE = {
    "places": [{"id": "house", "title": "the house", "zone": [{"hexes": ["G3"]}], "holder": "russian"}],
    "victory": [{"side": "german", "goals": [{"kind": "control", "places": ["house"]}]}],
}


def answer(clash: Clash, bot: str = "greedy") -> Action:
    """What a bot does in a clash."""
    seat = Seat(clash.asked)
    question: Question[Any] = Question(clash.rules, clash.rules.conceal(clash.state, seat), seat)
    action: Action = make_bot(bot, None).choose(question, Random(1))
    return action


@pytest.mark.parametrize("bot", ["greedy", "captain:2"])
@rules("3.2.5", system="aslsk3")
def test_3_2_5_point_blank_fire_is_taken(bot: str) -> None:
    clash = Clash(
        "PFPh",
        attacker="german",
        german={"units": [{"id": "g", "card": "german/4-6-7", "at": "B2"}]},
        russian={"units": [{"id": "r", "card": "russian/4-4-7", "at": "B3"}]},
    )
    assert answer(clash, bot) == Fire((UnitId("g"),), (), clash.hex("B3"))


@rules("3.2.2", system="aslsk3")
def test_3_2_2_a_leader_directs_the_whole_hex() -> None:
    clash = Clash(
        "DFPh",
        attacker="russian",
        german={
            "units": [
                {"id": "g", "card": "german/4-6-7", "at": "B2"},
                {"id": "boss", "card": "german/9-1", "at": "B2"},
            ],
            "weapons": [{"id": "mg", "card": "german/MMG", "owner": "g"}],
        },
        russian={"units": [{"id": "r", "card": "russian/4-4-7", "at": "E2"}]},
    )
    found = answer(clash)
    assert isinstance(found, Fire)
    assert (found.units, found.weapons, found.leaders) == (("g",), ("mg",), ("boss",))


@rules("3.3.3", system="aslsk3")
def test_3_3_3_first_fire_at_the_open_and_not_at_far_woods() -> None:
    def crossing(hexes: list[str], cells: str) -> Action:
        clash = Clash(
            "MPh",
            cells,
            attacker="russian",
            german={"units": [{"id": "g", "card": "german/4-6-7", "at": "A3"}]},
            russian={
                "units": [
                    {"id": "r", "card": "russian/4-4-7", "at": hexes[0]},
                    {"id": "more", "card": "russian/4-4-7", "at": "I5"},
                ]
            },
        )
        steps = tuple(MoveStep(to=clash.hex(label)) for label in hexes[1:])
        clash.play(Move((UnitId("r"),), steps))
        return answer(clash)

    open_field = "\n".join([". . . . . . . . ."] * 5)
    woods = "\n".join(["w . . . . . . w w"] * 5)
    assert isinstance(crossing(["D3", "C3"], open_field), Fire)
    assert isinstance(crossing(["I3", "H3"], woods), HoldFire)


@rules("3.1", system="aslsk3")
def test_3_1_the_leader_rallies_the_broken() -> None:
    clash = Clash(
        "RPh",
        step="unit rally",
        attacker="german",
        german={
            "units": [
                {"id": "g", "card": "german/4-6-7", "at": "B2", "broken": True},
                {"id": "boss", "card": "german/8-1", "at": "B2"},
            ]
        },
        russian={"units": [{"id": "r", "card": "russian/4-4-7", "at": "G5"}]},
    )
    assert answer(clash) in (Rally(UnitId("g"), UnitId("boss")), SelfRally(UnitId("g")))


@pytest.mark.parametrize("bot", ["greedy", "captain:2"])
@rules("2.0", "3.3", system="aslsk3")
def test_3_3_an_empty_house_is_entered(bot: str) -> None:
    clash = Clash(
        "MPh",
        VILLAGE,
        attacker="german",
        german={"units": [{"id": "g", "card": "german/4-6-7", "at": "E3"}]},
        russian={"units": [{"id": "r", "card": "russian/4-4-7", "at": "A1", "broken": True}]},
        **HOUSE,
    )
    found = answer(clash, bot)
    assert isinstance(found, Move)
    assert found.steps[-1].to == clash.hex("G3")


@rules("3.7", "3.8", system="aslsk3")
def test_3_7_the_broken_are_attacked_in_close_combat_and_the_strong_are_not() -> None:
    def beside(**state: bool) -> Action:
        clash = Clash(
            "APh",
            VILLAGE,
            attacker="german",
            german={"units": [{"id": "g", "card": "german/2-4-7", "at": "F3"}]},
            russian={
                "units": [
                    {"id": "r", "card": "russian/6-2-8", "at": "G3", **state},
                    {"id": "s", "card": "russian/6-2-8", "at": "G3", **state},
                ]
            },
        )
        return answer(clash)

    assert beside(broken=True, dm=True) == Advance((UnitId("g"),), Clash("APh", VILLAGE).hex("G3"))
    strong = beside()
    assert not (isinstance(strong, Advance) and strong.hex == Clash("APh", VILLAGE).hex("G3"))


@rules("3.8", system="aslsk3")
def test_3_8_all_attack_together_where_that_kills() -> None:
    clash = Clash(
        "CCPh",
        attacker="german",
        german={
            "units": [
                {"id": "a", "card": "german/4-6-7", "at": "C2", "melee": True},
                {"id": "b", "card": "german/4-6-7", "at": "C2", "melee": True},
            ]
        },
        russian={"units": [{"id": "r", "card": "russian/4-4-7", "at": "C2", "melee": True}]},
    )
    together = CcAttack((UnitId("a"), UnitId("b")), (UnitId("r"),))
    assert answer(clash) == DeclareCloseCombat((together,))


@rules("3.6", system="aslsk3")
def test_3_6_the_broken_rout_out_of_sight() -> None:
    clash = Clash(
        "RtPh",
        VILLAGE,
        attacker="german",
        player="russian",
        german={"units": [{"id": "g", "card": "german/4-6-7", "at": "D3"}]},
        russian={"units": [{"id": "r", "card": "russian/4-4-7", "at": "E3", "broken": True, "dm": True}]},
    )
    found = answer(clash)
    assert isinstance(found, Rout)
    assert found.path[-1] == clash.hex("G3")


@rules("4.3", system="aslsk3")
def test_4_3_a_charge_is_placed_on_a_house_next_door() -> None:
    clash = Clash(
        "MPh",
        VILLAGE.replace("w . . . b", ". . . w b"),
        attacker="german",
        german={
            "units": [{"id": "g", "card": "german/8-3-8", "at": "F3"}],
            "weapons": [{"id": "dc", "card": "german/DC", "owner": "g"}],
        },
        russian={"units": [{"id": "r", "card": "russian/4-4-7", "at": "G3", "pinned": True, "mark": "First Fire"}]},
        **HOUSE,
    )
    found = answer(clash)
    assert isinstance(found, Move)
    assert found.steps[-1].weapon == "dc"


@rules("3.2.5", system="aslsk3")
def test_who_defends_a_house_stays_in_it() -> None:
    clash = Clash(
        "MPh",
        VILLAGE,
        attacker="russian",
        german={"units": [{"id": "g", "card": "german/4-6-7", "at": "C3"}]},
        russian={"units": [{"id": "r", "card": "russian/4-4-7", "at": "G3"}]},
        **HOUSE,
    )
    assert isinstance(answer(clash, "captain:2"), Done)


def test_the_plan_is_told_in_the_names_of_places() -> None:
    clash = Clash(
        "MPh",
        VILLAGE,
        attacker="german",
        german={"units": [{"id": "g", "card": "german/4-6-7", "at": "C3"}]},
        russian={"units": [{"id": "r", "card": "russian/4-4-7", "at": "G3"}]},
        **HOUSE,
    )
    question: Question[Any] = Question(clash.rules, clash.state, Seat("german"))
    doctrine = doctrine_of(clash.rules)
    assert isinstance(doctrine, AslskDoctrine)
    assert doctrine.plan(question, STEADY) == ["take the house"]
    told = make_bot("captain:2", None).explain(question, Random(1))
    assert told.plan == ("take the house",)
    assert told.considered


def test_an_attack_is_explained_in_columns_and_modifiers() -> None:
    clash = Clash(
        "PFPh",
        attacker="german",
        german={"units": [{"id": "g", "card": "german/4-6-7", "at": "B2"}]},
        russian={"units": [{"id": "r", "card": "russian/4-4-7", "at": "B3"}]},
    )
    question: Question[Any] = Question(clash.rules, clash.state, Seat("german"))
    told = make_bot("greedy", None).explain(question, Random(1))
    assert told.considered[0].reasons[0].what == "8 FP column with +0 on r next to it"
    assert not any(isinstance(idea, FireOrdnance) for idea in told.considered)
