"""3.2.2.1, 3.2.4, 7.8: who is a target, who shuts a hex in, and what a turn of a covered arc costs."""

import pytest

from sandtable.systems.aslsk.common.actions import Fire
from sandtable.systems.aslsk.common.arc_change import arc_change_terms
from sandtable.systems.aslsk.common.phase_end import phase_ended
from sandtable.systems.aslsk.pieces.armament import Mount
from sandtable.systems.aslsk.pieces.state import Mark, Phase, UnitId, VehicleGun, VehicleId
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
T34 = {"id": "t", "card": "russian/T-34 M43", "vca": "N/NE"}


@rules("3.2.2.1", system="aslsk3")
def test_3_2_2_1_nobody_fires_out_of_a_hex_with_an_enemy_vehicle() -> None:
    units = (squad("a", at="A1"), squad("b", at="B1"))
    russians = (squad("r", "russian/4-4-7", at="C1"),)
    for at, rule in (("A1", "3.2.2.1"), ("B1", "")):
        clash = Clash("PFPh", german=side(*units), russian=side(*russians, vehicles=[{**T34, "at": at}]))
        fire = Fire((UnitId("a"),), (), clash.hex("C1"))
        assert clash.why(fire) == rule
        assert (fire in clash.options()) == (not rule)
    clash = Clash("PFPh", german=side(*units), russian=side(*russians, vehicles=[{**T34, "at": "A1", "wreck": True}]))
    assert clash.why(Fire((UnitId("a"),), (), clash.hex("C1"))) == ""


@rules("7.12", system="aslsk3")
def test_7_12_small_arms_are_not_fired_at_a_buttoned_up_vehicle_alone() -> None:
    clash = Clash(
        "PFPh",
        german=side(squad("a", at="A1")),
        russian=side(squad("r", "russian/4-4-7", at="A3"), vehicles=[{**T34, "at": "C1"}]),
    )
    fire = Fire((UnitId("a"),), (), clash.hex("C1"))
    assert clash.why(fire) == "3.2"
    assert fire not in clash.options()


@rules("3.2.4", system="aslsk3")
@pytest.mark.parametrize(
    ("mount", "spines", "hex", "drm"),
    [
        (Mount.NON_TURRETED, 1, "A1", 3),
        (Mount.NON_TURRETED, 3, "A1", 5),
        (Mount.SLOW, 2, "A1", 3),
        (Mount.RESTRICTED_SLOW, 1, "A1", 2),
        (Mount.FAST, 3, "A1", 3),
        (Mount.FULL_CIRCLE, 1, "A1", 1),
        (Mount.FAST, 2, "B1", 4),
        (Mount.NON_TURRETED, 1, "C1", 6),
    ],
)
def test_3_2_4_covered_arc_change(mount: Mount, spines: int, hex: str, drm: int) -> None:
    clash = Clash("PFPh", ". w b", german=side(), russian=side())
    (term,) = arc_change_terms(clash.context, mount, spines, clash.hex(hex))
    assert term.value == drm
    assert arc_change_terms(clash.context, mount, 0, clash.hex(hex)) == ()


@rules("3.4", "3.5", "7.8", system="aslsk3")
@pytest.mark.parametrize(
    ("mark", "lasts_to"),
    [
        ("Prep Fire", Phase.ADVANCING_FIRE),
        ("First Fire", Phase.DEFENSIVE_FIRE),
        ("Final Fire", Phase.DEFENSIVE_FIRE),
        ("Bounding Fire", Phase.ADVANCING_FIRE),
        ("Intensive Fire", Phase.CLOSE_COMBAT),
    ],
)
def test_7_8_what_a_vehicle_has_fired_lasts_for_the_player_turn(mark: str, lasts_to: Phase) -> None:
    fired = {**T34, "at": "G5", "guns_fired": ["BMG"], "fired_in": "MPh", "mark": mark}
    russians = squad("r", "russian/4-4-7", at="A3")
    clash = Clash("PFPh", german=side(squad("a", at="A1")), russian=side(russians, vehicles=[fired]))
    state, tank = clash.state, VehicleId("t")
    for phase in list(Phase)[2:]:
        assert (state.vehicles[tank].guns_fired, state.vehicles[tank].fired_in) == ((VehicleGun.BOW,), "MPh")
        if phase is lasts_to:
            assert state.vehicles[tank].mark is Mark(mark)
        state = phase_ended(state, phase)
        if phase is lasts_to:
            assert state.vehicles[tank].mark is Mark.NONE
    assert (state.vehicles[tank].guns_fired, state.vehicles[tank].fired_in) == ((), "")
