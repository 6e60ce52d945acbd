"""What is kept of fire and sight from one question to the next follows what it rests on."""

import pytest

from sandtable.bots.aslsk.barrage import STANDING
from sandtable.bots.aslsk.commander import AslskDoctrine
from sandtable.bots.aslsk.recovering import rout_ideas
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.style import CHARACTERS, Character
from sandtable.core.decision import Seat
from sandtable.systems.aslsk.common.actions import Advance
from sandtable.systems.aslsk.pieces.state import UnitId
from sandtable.systems.aslsk.rules import AslskRules
from tests.aslsk.clash import Clash, side, squad
from tests.bots.aslsk.test_guns_and_tanks import FIELD, MARK_III, tank

rules = pytest.mark.rules
STEADY = CHARACTERS[Character.STEADY]
GERMAN = Seat("german")


def anew(ruleset: AslskRules) -> AslskRules:
    """The same rules, of which nothing is worked out yet."""
    return AslskRules(ruleset.card, ruleset.context.on_ground(ruleset.context.ground))


@rules("3.2.2.1", system="aslsk3")
def test_3_2_2_1_who_has_an_enemy_in_his_hex_is_feared_nowhere_else_though_he_was_before() -> None:
    clash = Clash(
        "APh", attacker="german", german=side(squad("g", at="B3")), russian=side(squad("r", "russian/4-4-7", at="C3"))
    )
    near = clash.hex("C4")

    def threat(doctrine: AslskDoctrine) -> float:
        return Sketch(doctrine.book, clash.state, GERMAN, STEADY).threat(near, STANDING)

    doctrine = AslskDoctrine(clash.rules)
    assert threat(doctrine) > 0
    clash.play(Advance((UnitId("g"),), clash.hex("C3")))
    assert threat(doctrine) == threat(AslskDoctrine(anew(clash.rules))) == 0


@rules("3.2.2", "7.4.1", system="aslsk3")
def test_7_4_1_no_vehicle_in_between_is_kept_with_a_field_of_fire_over_smoke() -> None:
    def field(*between: str, doctrine: AslskDoctrine | None = None) -> tuple[AslskDoctrine, float]:
        german = side(squad("g", at="A4"), vehicles=[tank(hex, MARK_III, hex) for hex in between])
        russian = side(squad("r", "russian/4-4-7", at="G4"))
        smoke = {"N1": "smoke"}
        clash = Clash("PFPh", FIELD, attacker="german", german=german, russian=russian, smoke=smoke)
        found = doctrine or AslskDoctrine(clash.rules)
        return found, Sketch(found.book, clash.state, GERMAN, STEADY).field_of_fire(clash.hex("A4"), 4.0, 6)

    doctrine, blocked = field("C4", "D4", "E4")
    assert blocked == field("N7", "O7", "O6", doctrine=doctrine)[1] == field("N7", "O7", "O6")[1] > 0


@rules("3.6", system="aslsk3")
def test_3_6_routs_that_are_kept_are_those_of_the_position() -> None:
    ground = """
        . . w . . . w . .
        . w . . . . . . .
        . . . . b . . . w
        . w . . . . . w .
    """

    def clash(*friends: str, at: str = "C2", smoke: str = "", card: str = "german/4-6-7", **enemy: bool) -> Clash:
        near = [squad(f"f{number}", "russian/4-4-7", at=hex) for number, hex in enumerate(friends)]
        return Clash(
            "RtPh",
            ground,
            attacker="german",
            german=side(squad("g", card, at=at, **enemy), squad("h", at="A4")),
            russian=side(squad("r", "russian/4-4-7", at="D2", broken=True, dm=True), *near),
            smoke={smoke: "smoke"} if smoke else {},
        )

    positions = [
        clash(),
        clash(at="D3"),
        clash(broken=True),
        clash(pinned=True),
        clash(card="german/2-4-7"),
        clash("E3", "E3", "E3"),
        clash("B2", "B2", "B2"),
        clash(smoke="E2"),
        clash(),
    ]
    doctrine = AslskDoctrine(positions[0].rules)
    found = []
    for one in positions:
        kept, new = (
            [(idea.answer, idea.worth) for idea in rout_ideas(Sketch(book, one.state, Seat("russian"), STEADY))]
            for book in (doctrine.book, AslskDoctrine(anew(one.rules)).book)
        )
        assert kept == new
        found.append(kept)
    assert found[0] == found[-1]
    assert len(doctrine.book.routs) == len(positions) - 1, "the last is the first"
    assert len({repr(ideas) for ideas in found}) > 4
