"""7.8, 6.8 and 3.2.2: machine guns and IFE of vehicles, in every fire phase."""

from collections.abc import Sequence
from typing import Any

import pytest

from sandtable.systems.aslsk.common.actions import Done, Fire, HoldFire, Move
from sandtable.systems.aslsk.common.events import FireResolved, HexesBlocked, ResidualPlaced
from sandtable.systems.aslsk.common.facts.vehicle_fire_events import VehicleGunBroke
from sandtable.systems.aslsk.common.vehicle_actions import FireGun, FireVehicle
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import (
    Mark,
    MoveStep,
    Phase,
    UnitId,
    Vehicle,
    VehicleGun,
    VehicleId,
    WeaponId,
    WeaponState,
)
from tests.aslsk.clash import PLAIN, Clash, side, squad

rules = pytest.mark.rules
MA, BMG, CMG, AAMG, RMG = VehicleGun
TANK = VehicleId("t")
WIDE = "\n".join(". " * 27 for _ in range(3))


def _clash(
    card: str,
    target: str = "D1",
    phase: str = "PFPh",
    cells: str = PLAIN,
    *,
    at: str = "D3",
    enemy: Sequence[dict[str, Any]] = (),
    conditions: dict[str, Any] | None = None,
    friends: Sequence[dict[str, Any]] = (),
    **tank: Any,
) -> Clash:
    """A vehicle that points north, an enemy squad, and a squad beside it that can fire too."""
    vehicle = {"id": "t", "card": card, "at": at, "vca": "N/NE", **tank}
    nation = card.partition("/")[0]
    other = "german" if nation == "russian" else "russian"
    foe = {"german": "german/4-6-7", "russian": "russian/4-4-7"}[other]
    own = "russian" if other == "german" else "german"
    friend = squad("f", {"german": "german/4-6-7", "russian": "russian/4-4-7"}[own], at="B2" if at == "D3" else "A1")
    sides: dict[str, Any] = {
        own: side(friend, *friends, vehicles=[vehicle]),
        other: side(squad("e", foe, at=target), *enemy),
    }
    attacker = other if phase in ("MPh", "DFPh") else own
    return Clash(phase, cells, attacker=attacker, conditions=conditions or {}, **sides)


def _fire(clash: Clash, *guns: VehicleGun, at: str = "D1", **how: Any) -> FireVehicle:
    return FireVehicle(TANK, guns, clash.hex(at), **how)


def _tank(clash: Clash) -> Vehicle:
    return clash.state.vehicles[TANK]


def _resolved(clash: Clash) -> FireResolved:
    return next(event for event in clash.events if isinstance(event, FireResolved))


@rules("3.2.2", "7.8", system="aslsk3")
@pytest.mark.parametrize(
    ("target", "guns", "column"),
    [
        ("D1", (BMG,), 2),
        ("D1", (CMG,), 4),
        ("D1", (BMG, CMG), 6),
        ("D2", (BMG, CMG), 12),
        ("D2", (BMG,), 4),
    ],
)
def test_7_8_machine_guns_fire_together_and_double_at_the_next_hex(
    target: str, guns: tuple[VehicleGun, ...], column: int
) -> None:
    clash = _clash("russian/T-34/85", target)
    fire = _fire(clash, *guns, at=target)
    assert fire in clash.options()
    clash.play(fire, (6, 5))
    assert _resolved(clash).column == column
    assert _tank(clash).guns_fired == guns
    assert (_tank(clash).fired_in, _tank(clash).mark) == ("PFPh", Mark.NONE)


@rules("2.0", "3.2.2", "6.8", "7.8", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "gun", "target", "column", "exposed"),
    [
        ("german/PzKpfw VIB", BMG, "I2", 2, False),
        ("german/PzKpfw VIB", BMG, "J2", 1, False),
        ("german/PzKpfw VIB", BMG, "Q2", 1, False),
        ("german/PzKpfw VIB", BMG, "R2", -1, False),
        ("german/PzKpfw VIB", CMG, "M2", 4, False),
        ("german/PzKpfw VIB", CMG, "N2", 2, False),
        ("german/PzKpfw VIB", CMG, "Y2", 2, False),
        ("german/PzKpfw VIB", CMG, "Z2", -1, False),
        ("german/PzKpfw VIB", AAMG, "I2", 2, True),
        ("german/PzKpfw VIB", AAMG, "J2", 1, True),
        ("german/PSW 232", MA, "Q2", 6, False),
        ("german/PSW 232", MA, "R2", 2, False),
    ],
)
def test_7_8_normal_range_and_twice_as_far_at_half_fp(
    card: str, gun: VehicleGun, target: str, column: int, exposed: bool
) -> None:
    clash = _clash(
        card, target, cells=WIDE, at="A2", vca="NE/SE", exposed=exposed, enemy=[squad("x", "russian/4-4-7", at="B2")]
    )
    fire = _fire(clash, gun, at=target)
    if column < 0:
        assert clash.why(fire) == "3.2.2"
        assert fire not in clash.options()
        return
    clash.play(fire, (6, 5))
    assert _resolved(clash).column == column


@rules("3.2.4", "7.8", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "target", "gun", "arc"),
    [
        ("russian/T-34/85", "D1", BMG, True),
        ("russian/T-34/85", "E2", BMG, True),
        ("russian/T-34/85", "F4", BMG, False),
        ("russian/T-34/85", "D1", CMG, False),
        ("russian/T-34/85", "D5", CMG, True),
        ("russian/KV-1E", "D1", RMG, True),
        ("russian/KV-1E", "D5", RMG, False),
        ("russian/KV-2", "D5", CMG, True),
    ],
)
def test_7_8_bow_by_the_hull_coaxial_by_the_turret_rear_by_its_back(
    card: str, target: str, gun: VehicleGun, arc: bool
) -> None:
    clash = _clash(card, target, vca="N/NE", tca="S/SW")
    fire = _fire(clash, gun, at=target)
    assert clash.why(fire) == ("" if arc else "3.2.4")
    assert (fire in clash.options()) == arc


@rules("7.8", system="aslsk3")
def test_7_8_an_anti_aircraft_gun_fires_all_around_and_by_an_exposed_crew() -> None:
    for target in ("D1", "D5", "F4", "B3"):
        clash = _clash("german/PzKpfw VIB", target, exposed=True)
        assert clash.why(_fire(clash, AAMG, at=target)) == ""
    clash = _clash("german/PzKpfw VIB")
    assert clash.why(_fire(clash, AAMG)) == "7.7"
    assert not any(AAMG in action.guns for action in clash.options() if isinstance(action, FireVehicle))


@rules("7.7", "7.8", system="aslsk3")
def test_notes_of_anti_aircraft_guns() -> None:
    """A remote one fires only while BU; one that the counter limits to the VCA not outside it (notes O, P)."""
    for exposed, rule in ((True, "7.7"), (False, "")):
        clash = _clash("german/JgdPz 38(t)", "D5", exposed=exposed)
        assert clash.why(_fire(clash, AAMG, at="D5")) == rule
    for target, rule in (("D1", ""), ("D5", "3.2.4")):
        clash = _clash("german/StuG IIIG", target, exposed=True)
        assert clash.why(_fire(clash, AAMG, at=target)) == rule


@rules("7.8", system="aslsk3")
@pytest.mark.parametrize(("month", "rule"), [(9, "7.8"), (10, "")])
def test_notes_of_a_coaxial_gun_by_date(month: int, rule: str) -> None:
    conditions = {"year": 1944, "month": month}
    clash = _clash("german/StuG IIIG(L)", conditions=conditions)
    assert clash.why(_fire(clash, CMG)) == rule


@rules("7.2", "7.8", system="aslsk3")
def test_7_2_a_restricted_slow_turret_is_not_fired_while_exposed() -> None:
    clash = _clash("russian/KV-1E", exposed=True)
    assert clash.why(_fire(clash, CMG)) == "7.2"
    assert clash.why(_fire(clash, BMG)) == ""
    clash = _clash("german/PzKpfw IIF", exposed=True)
    assert clash.why(_fire(clash, MA)) == "7.2"
    clash = _clash("russian/T-34/85", exposed=True)
    assert clash.why(_fire(clash, CMG)) == ""


@rules("3.2.4", "7.8", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "guns", "how", "target", "shown"),
    [
        # A fast turret, one and two hexspines; a slow one; a restricted one counts as slow.
        ("russian/T-34/85", (CMG,), {"facing": 1}, "F4", (1, (0, 1))),
        ("russian/T-34/85", (CMG,), {"facing": 2}, "E5", (2, (0, 2))),
        ("german/PzKpfw VIB", (CMG,), {"facing": 1}, "F4", (2, (0, 1))),
        ("russian/KV-1E", (CMG,), {"facing": 2}, "E5", (3, (0, 2))),
        # A hull turns as NT and takes its turret along.
        ("russian/T-34/85", (BMG,), {"facing": 1, "turn_hull": True}, "F4", (3, (1, 1))),
        ("russian/T-34/85", (BMG, CMG), {"facing": 2, "turn_hull": True}, "E5", (4, (2, 2))),
        ("german/StuG IIIG", (AAMG,), {"facing": 3, "turn_hull": True}, "D5", (5, (3, 3))),
    ],
)
def test_7_8_a_turn_of_turret_or_hull_modifies_the_attack(
    card: str, guns: tuple[VehicleGun, ...], how: dict[str, Any], target: str, shown: tuple[int, tuple[int, int]]
) -> None:
    clash = _clash(card, target, exposed=card.startswith("german/StuG"))
    fire = _fire(clash, *guns, at=target, **how)
    assert fire in clash.options()
    clash.play(fire, (6, 5))
    assert (_resolved(clash).drm.total, (_tank(clash).vca, _tank(clash).tca)) == shown


@rules("3.2.4", "7.8", "7.10", system="aslsk3")
def test_3_2_4_turns_that_may_not_be() -> None:
    clash = _clash("russian/T-34/85", "F4")
    aim = {"at": "F4"}
    assert clash.why(_fire(clash, CMG, **aim)) == "3.2.4"
    assert clash.why(_fire(clash, CMG, facing=6, **aim)) == "3.2.4"
    assert clash.why(_fire(clash, CMG, facing=0, **aim)) == "3.2.4"
    assert clash.why(_fire(clash, CMG, facing=3, **aim)) == "3.2.4"
    assert clash.why(_fire(clash, BMG, CMG, facing=1, **aim)) == "3.2.4"
    assert clash.why(_fire(clash, CMG, turn_hull=True, **aim)) == "3.2.4"
    assert clash.why(_fire(clash, CMG, facing=1, **aim)) == ""
    clash = _clash("russian/T-34/85", "D1")
    assert clash.why(_fire(clash, CMG, facing=5)) == "3.2.4", "it has the target in its arc already"
    clash = _clash("russian/T-34/85", "F4", immobilized=True)
    assert clash.why(_fire(clash, BMG, facing=1, turn_hull=True, **aim)) == "7.10"
    assert clash.why(_fire(clash, CMG, facing=1, **aim)) == ""
    clash = _clash("german/StuG IIIG", "F4", exposed=True)
    assert clash.why(_fire(clash, AAMG, facing=1, **aim)) == "3.2.4"
    assert clash.why(_fire(clash, AAMG, facing=1, turn_hull=True, **aim)) == ""


@rules("7.8", system="aslsk3")
def test_7_8_what_fires_together_suffers_the_worst_turn_and_later_turret_weapons_the_first() -> None:
    clash = _clash("german/PzKpfw VIB", "F4", exposed=True, enemy=[squad("x", "russian/4-4-7", at="E5")])
    clash.play(_fire(clash, CMG, AAMG, at="F4", facing=1), (6, 5))
    assert _resolved(clash).drm.total == 2, "the AAMG, which turns nothing, with it"
    clash = _clash("russian/KV-1E", "F4", enemy=[squad("x", at="C3"), squad("y", at="D1")])
    clash.play(_fire(clash, CMG, at="F4", facing=1), (6, 5))
    assert _tank(clash).spines_turned == 1
    clash.play(_fire(clash, BMG), (6, 5))
    assert _resolved(clash).drm.total == 0, "the hull was not turned"
    clash.play(_fire(clash, RMG, at="C3"), (6, 5))
    assert _resolved(clash).drm.total == 2


@rules("7.8", system="aslsk3")
def test_7_8_a_turret_that_turns_again_suffers_the_new_turn_alone() -> None:
    """The KV-1E is ST: +2 for the first hexspine of each turn, wherever its turret was turned before."""
    clash = _clash("russian/KV-1E", "F4", enemy=[squad("x", at="D5")])
    clash.play(FireGun(clash.hex("F4"), WeaponId(""), TANK, TargetType.INFANTRY, Ammo.HE, facing=1), (6, 4))
    clash.play(_fire(clash, CMG, at="D5", facing=2), (6, 5))
    assert _resolved(clash).drm.total == 2
    assert _tank(clash).spines_turned == 1


@rules("7.8", system="aslsk3")
def test_7_8_a_hull_turned_for_a_turret_weapon_counts_as_nt_for_the_next_one() -> None:
    clash = _clash("russian/KV-1E", "F4")
    aim = FireGun(clash.hex("F4"), WeaponId(""), TANK, TargetType.INFANTRY, Ammo.HE, facing=1, turn_hull=True)
    clash.play(aim, (6, 4))
    clash.play(_fire(clash, CMG, at="F4"), (6, 5))
    assert _resolved(clash).drm.total == 3


@rules("7.8", system="aslsk3")
def test_7_8_bow_weapons_suffer_the_turn_of_the_first_too() -> None:
    """MA and CMG of the late StuG fire through its VCA: what turned the hull for one is suffered by the other."""
    clash = _clash("german/StuG IIIG(L)", "F4", conditions={"year": 1944, "month": 12})
    aim = FireGun(clash.hex("F4"), WeaponId(""), TANK, TargetType.INFANTRY, Ammo.HE, facing=1, turn_hull=True)
    clash.play(aim, (6, 4))
    assert (_tank(clash).bow_spines, _tank(clash).spines_turned) == (1, 0)
    clash.play(_fire(clash, CMG, at="F4"), (6, 5))
    assert _resolved(clash).drm.total == 3


@rules("7.8", system="aslsk3")
def test_7_8_weapons_of_a_vehicle_attack_one_target_together_or_not_at_all() -> None:
    clash = _clash("russian/T-34/85", "D1", enemy=[squad("x", at="E2")])
    clash.play(_fire(clash, BMG), (6, 5))
    assert clash.why(_fire(clash, CMG)) == "7.8"
    assert clash.why(_fire(clash, BMG, at="E2")) == "7.8", "it has fired"
    fire = _fire(clash, CMG, at="E2")
    assert fire in clash.options()
    clash.play(fire, (6, 5))
    assert _tank(clash).guns_fired == (BMG, CMG)
    three = _clash("american/M4A1", "D1", enemy=[squad("x", at="E2")], exposed=True)
    three.play(_fire(three, BMG), (6, 5))
    three.play(_fire(three, CMG, at="E2"), (6, 5))
    assert three.why(_fire(three, AAMG, at="E2")) == "7.8", "at each target by itself"


@rules("3.2.2", system="aslsk3")
def test_3_2_2_infantry_of_its_hex_fires_at_the_same_target_by_itself() -> None:
    clash = _clash("russian/T-34/85", friends=[squad("r", "russian/4-4-7", at="D3")])
    own = Fire((UnitId("r"),), (), clash.hex("D1"))
    clash.play(_fire(clash, BMG, CMG), (6, 5))
    assert own in clash.options()
    clash.play(own, (6, 5))
    assert _resolved(clash).column == 4


@rules("7.8", system="aslsk3")
def test_7_8_a_vehicle_fires_in_one_phase_of_a_player_turn() -> None:
    for phase, fired, rule in (
        ("AFPh", "PFPh", "7.8"),
        ("AFPh", "MPh", "3.5"),
        ("DFPh", "MPh", ""),
        ("PFPh", "", ""),
        ("AFPh", "AFPh", ""),
    ):
        clash = _clash(
            "russian/T-34/85",
            phase=phase,
            fired_in=fired,
            guns_fired=["BMG"],
        )
        assert clash.why(_fire(clash, CMG)) == rule, (phase, fired)


@rules("3.5", "6.8", system="aslsk3")
def test_3_5_a_main_armament_that_kept_its_rate_fires_again_after_the_mph() -> None:
    fired: dict[str, Any] = {"fired_in": "MPh"}
    clash = _clash("german/PSW 232", phase="AFPh", guns_fired=["MA"], **fired)
    assert clash.why(_fire(clash, MA)) == ""
    assert clash.why(_fire(clash, CMG)) == "3.5"
    clash.play(_fire(clash, MA), (1, 6))
    assert _resolved(clash).column == 2, "6 FP halved in the AFPh"
    assert _tank(clash).mark is Mark.ADVANCING_FIRE
    assert clash.why(_fire(clash, MA)) != ""
    assert (
        _clash("german/PSW 232", phase="AFPh", guns_fired=["MA"], mark="Bounding Fire", **fired).why(_fire(clash, MA))
        == "3.5"
    )
    assert _clash("german/PSW 232", phase="AFPh", guns_fired=["MA", "CMG"], **fired).why(_fire(clash, MA)) == "3.5"


@rules("3.2.5", "3.3.2.2", "3.5", system="aslsk3")
@pytest.mark.parametrize(
    ("phase", "motion", "column"), [("AFPh", False, 2), ("AFPh", True, 1), ("DFPh", True, 2), ("DFPh", False, 6)]
)
def test_3_5_fp_is_halved_in_the_afph_and_in_motion(phase: str, motion: bool, column: int) -> None:
    clash = _clash("russian/T-34/85", phase=phase, motion=motion)
    clash.play(_fire(clash, BMG, CMG), (6, 5))
    assert _resolved(clash).column == column


@rules("3.2.5", system="aslsk3")
def test_3_2_5_a_vehicle_in_motion_does_not_prep_fire() -> None:
    clash = _clash("russian/T-34/85", motion=True)
    assert clash.why(_fire(clash, CMG)) == "3.2.5"
    assert not any(isinstance(action, FireVehicle) for action in clash.options())


@rules("7.10", system="aslsk3")
@pytest.mark.parametrize(
    ("flags", "rule"),
    [
        ({"shock": "Shock"}, "7.10"),
        ({"shock": "UK"}, "7.10"),
        ({"stun": "Stun"}, "7.10"),
        ({"stun": "STUN"}, "7.10"),
        ({"wreck": True}, "7.8"),
        ({"stun": "+1"}, ""),
        ({"immobilized": True}, ""),
        ({"broken": {"CMG": "malfunctioned"}}, "7.2"),
        ({"broken": {"CMG": "removed"}}, "7.2"),
        ({"broken": {"BMG": "removed"}}, ""),
    ],
)
def test_7_10_who_does_not_fire(flags: dict[str, Any], rule: str) -> None:
    clash = _clash("russian/T-34/85", **flags)
    assert clash.why(_fire(clash, CMG)) == rule


@rules("7.10", system="aslsk3")
def test_7_10_a_crew_that_was_stunned_adds_one() -> None:
    clash = _clash("russian/T-34/85", stun="+1")
    clash.play(_fire(clash, CMG), (6, 5))
    assert _resolved(clash).drm.total == 1


@rules("7.8", system="aslsk3")
def test_7_8_words_that_are_no_fire() -> None:
    clash = _clash("russian/T-34/85")
    assert clash.why(_fire(clash)) == "7.8"
    assert clash.why(_fire(clash, CMG, CMG)) == "7.8"
    assert clash.why(_fire(clash, RMG)) == "7.8"
    assert clash.why(_fire(clash, MA)) == "6.8"
    assert clash.why(FireVehicle(VehicleId("nobody"), (CMG,), clash.hex("D1"))) == "7.8"
    assert clash.why(_fire(clash, CMG, at="E1")) == "7.12"


@rules("3.2.2.1", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "flags", "guns", "column"),
    [
        ("russian/T-34/85", {}, (BMG, CMG), 16),
        ("russian/T-34/85", {"immobilized": True}, (CMG,), 12),
        ("russian/KV-1E", {"bog": "Bog"}, (CMG, RMG), 16),
    ],
)
def test_3_2_2_1_fire_in_its_own_hex(
    card: str, flags: dict[str, Any], guns: tuple[VehicleGun, ...], column: int
) -> None:
    """TPBF, and nothing out of the hex; what is in the bow of an immobile vehicle does not bear there."""
    clash = _clash(card, "D3", enemy=[squad("x", at="D1")], **flags)
    assert clash.why(_fire(clash, CMG, at="D1")) == "3.2.2.1"
    assert clash.why(_fire(clash, BMG, at="D3")) == ("3.2.4" if flags else "")
    fire = _fire(clash, *guns, at="D3")
    assert fire in clash.options()
    clash.play(fire, (6, 5), *([(1, 2)] if column > 12 else []))
    assert _resolved(clash).column == column


@rules("3.2.2.1", system="aslsk3")
def test_3_2_2_1_an_enemy_vehicle_in_its_hex_keeps_it_from_firing_out() -> None:
    clash = Clash(
        "PFPh",
        german=side(
            squad("e", at="D1"), vehicles=[{"id": "p", "card": "german/PzKpfw IIIF", "at": "D3", "vca": "N/NE"}]
        ),
        russian=side(
            squad("r", "russian/4-4-7", at="E2"),
            vehicles=[{"id": "t", "card": "russian/T-34/85", "at": "D3", "vca": "N/NE"}],
        ),
        attacker="russian",
    )
    assert clash.why(_fire(clash, CMG)) == "3.2.2.1"
    assert clash.why(_fire(clash, CMG, at="D3")) == "7.12"


@rules("4.1", "7.8", system="aslsk3")
def test_7_8_one_machine_gun_malfunctions_on_a_twelve() -> None:
    clash = _clash("russian/T-34/85", enemy=[squad("x", at="E2")])
    clash.play(_fire(clash, BMG, CMG), (6, 6), 2)
    assert clash.saw(VehicleGunBroke, gun=CMG, state=WeaponState.MALFUNCTIONED)
    assert _tank(clash).broken == {CMG: WeaponState.MALFUNCTIONED}
    clash = _clash("russian/T-34/85")
    clash.play(_fire(clash, CMG), (6, 5))
    assert not _tank(clash).broken


@rules("3.2.2", "7.8", system="aslsk3")
def test_3_2_2_vehicles_do_not_cower() -> None:
    clash = _clash("russian/T-34/85")
    clash.play(_fire(clash, BMG, CMG), (5, 5))
    assert _resolved(clash).column == 6
    assert not _resolved(clash).cowered


@rules("3.2.1", system="aslsk3")
def test_3_2_1_fire_without_a_line_of_sight_is_spent() -> None:
    cells = """
    . . . . . . .
    . . . b . . .
    . . . . . . .
    """
    clash = _clash("russian/T-34/85", cells=cells, enemy=[squad("x", at="E2")])
    clash.play(_fire(clash, BMG, CMG), (6, 6), 1)
    assert clash.saw(HexesBlocked)
    assert not clash.saw(FireResolved)
    assert _tank(clash).guns_fired == (BMG, CMG)
    assert _tank(clash).broken == {BMG: WeaponState.MALFUNCTIONED}
    learner = _clash("russian/T-34/85", cells=cells, enemy=[squad("x", at="E2")], conditions={"free_sight": True})
    assert learner.why(_fire(learner, CMG)) == "3.2.1"


@rules("1.2.4.1", "6.8", system="aslsk3")
def test_6_8_ife_has_one_rate_less_and_marks_what_lost_it() -> None:
    clash = _clash("german/PSW 232", enemy=[squad("x", "russian/4-4-7", at="E2")])
    clash.play(_fire(clash, MA), (1, 6), (1, 2))
    assert _tank(clash).mark is Mark.NONE
    clash.play(_fire(clash, MA), (2, 6), (1, 2))
    assert _tank(clash).mark is Mark.PREP_FIRE, "its ROF of 2 is 1 by IFE"
    assert clash.why(_fire(clash, MA)) == "3.2"
    assert clash.why(_fire(clash, CMG)) == "7.8", "it should have fired with the MA"
    assert clash.why(_fire(clash, CMG, at="E2")) == ""


@rules("6.8", system="aslsk3")
def test_6_8_ife_breaks_down_at_the_b_number_of_the_main_armament() -> None:
    clash = _clash("german/PzKpfw IIF", enemy=[squad("x", "russian/4-4-7", at="E2")])
    clash.play(_fire(clash, MA), (5, 6))
    assert _tank(clash).broken == {MA: WeaponState.MALFUNCTIONED}
    clash = _clash("german/PzKpfw IIF", enemy=[squad("x", "russian/4-4-7", at="E2")])
    clash.play(_fire(clash, MA), (5, 5))
    assert not _tank(clash).broken


@rules("3.4", "6.8", system="aslsk3")
@pytest.mark.parametrize(("target", "rule"), [("D2", ""), ("D1", "3.4")])
def test_6_8_ife_marked_with_first_fire_fires_at_an_adjacent_hex(target: str, rule: str) -> None:
    clash = _clash(
        "german/PSW 232",
        target,
        "DFPh",
        mark="First Fire",
        fired_in="MPh",
        guns_fired=["MA"],
        enemy=[squad("x", "russian/4-4-7", at="E2")],
    )
    fire = _fire(clash, MA, at=target)
    assert clash.why(fire) == rule
    if not rule:
        clash.play(fire, (5, 5))
        assert _resolved(clash).column == 6, "doubled and halved"
        assert _tank(clash).broken == {MA: WeaponState.MALFUNCTIONED}, "its B# of 12 is 10"
        assert _tank(clash).mark is Mark.FINAL_FIRE


@rules("3.3.3", "3.4", system="aslsk3")
def test_3_3_3_machine_guns_of_a_vehicle_do_not_fire_again() -> None:
    clash = _clash("russian/T-34/85", "D2", "DFPh", fired_in="MPh", guns_fired=["CMG"])
    assert clash.why(_fire(clash, CMG, at="D2")) == "7.8"
    assert clash.why(_fire(clash, BMG, at="D2")) == ""


def _step(clash: Clash, *labels: str) -> tuple[MoveStep, ...]:
    return tuple(MoveStep(to=clash.hex(label)) for label in labels)


@rules("3.3.3", "3.3.5", "7.8", system="aslsk3")
def test_3_3_3_a_vehicle_fires_at_movers_and_leaves_residual_fp() -> None:
    clash = _clash("russian/T-34/85", "C1", "MPh")
    clash.play(Move((UnitId("e"),), _step(clash, "D1", "E1")))
    assert clash.asked == "russian"
    fire = _fire(clash, BMG, CMG)
    assert fire in clash.options()
    clash.play(fire, (6, 4), (1, 2))
    assert _resolved(clash).drm.total == -2, "FFMO and FFNAM"
    assert clash.saw(ResidualPlaced, fp=2)
    assert _tank(clash).fired_in == "MPh"


@rules("7.8", system="aslsk3")
def test_7_8_a_fixed_bow_gun_is_worse_at_movers() -> None:
    clash = _clash("russian/IS-2", "C1", "MPh")
    clash.play(Move((UnitId("e"),), _step(clash, "D1", "E1")))
    clash.play(_fire(clash, BMG), (6, 4))
    assert _resolved(clash).drm.total == -1
    still = _clash("russian/IS-2", "D1", "DFPh")
    still.play(_fire(still, BMG), (6, 4))
    assert _resolved(still).drm.total == 0


@rules("3.3.3", "6.8", system="aslsk3")
def test_3_3_3_ife_fires_again_as_subsequent_first_fire() -> None:
    clash = _clash("german/PSW 232", "C1", "MPh", mark="First Fire", guns_fired=["MA"], fired_in="MPh")
    clash.play(Move((UnitId("e"),), _step(clash, "D1", "E1")))
    clash.play(_fire(clash, MA), (4, 6))
    assert _resolved(clash).column == 2, "6 FP halved"
    assert _tank(clash).broken == {MA: WeaponState.MALFUNCTIONED}
    assert _tank(clash).mark is Mark.FINAL_FIRE
    clash = _clash("german/PSW 232", "C1", "MPh", mark="First Fire", guns_fired=["MA"], fired_in="MPh")
    clash.play(Move((UnitId("e"),), _step(clash, "D1", "E1")))
    clash.play(_fire(clash, MA), (6, 6))
    assert _tank(clash).broken == {MA: WeaponState.REMOVED}, "a 12 disables it"


@rules("3.2.3", "7.8", system="aslsk3")
def test_7_8_exact_odds_of_fire() -> None:
    clash = _clash("russian/T-34/85")
    odds = clash.rules.unit_odds(clash.state, _fire(clash, BMG, CMG))
    assert sum(chance.probability for chance in odds["e"]) == pytest.approx(1)
    assert {chance.what for chance in odds["e"]} >= {"no effect", "broken", "eliminated"}


def test_holding_fire_is_asked_where_a_vehicle_alone_could_fire() -> None:
    clash = _clash("russian/T-34/85", "C1", "MPh")
    clash.play(Move((UnitId("e"),), _step(clash, "D1", "E1")))
    assert clash.asked == "russian"
    clash.play(HoldFire())
    assert clash.state.phase is Phase.MOVEMENT


def test_done_ends_the_phase() -> None:
    clash = _clash("russian/T-34/85")
    clash.play(Done())
    assert clash.state.phase is not Phase.PREP_FIRE


@rules("3.3.5", "6.8", system="aslsk3")
def test_3_3_5_what_keeps_its_rate_leaves_no_residual_fp() -> None:
    clash = _clash("german/PSW 232", "C1", "MPh")
    clash.play(Move((UnitId("e"),), _step(clash, "D1", "E1")))
    clash.play(_fire(clash, MA), (1, 6), (1, 2))
    assert _tank(clash).mark is Mark.NONE
    assert not clash.saw(ResidualPlaced)
