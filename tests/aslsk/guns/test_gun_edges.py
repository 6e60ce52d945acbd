"""3.2.4, 6 Guns and MA: cases beside those that the book speaks of first, each with its counterpart."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.decision import Options
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.actions import Move
from sandtable.systems.aslsk.common.facts import armour_events as ar
from sandtable.systems.aslsk.common.vehicle_actions import FireGun, FireVehicle, MoveVehicle, TurnArc
from sandtable.systems.aslsk.fire.gun_cover import has_gunshield
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import (
    Mark,
    MoveStep,
    SmokeKind,
    StepKind,
    UnitId,
    VehicleDeed,
    VehicleGun,
    VehicleId,
    VehicleStep,
    WeaponId,
)
from tests.aslsk.clash import Clash, side, squad
from tests.aslsk.guns.test_gun_fire import FIELD, GUN, armed, clash, gun, manned, resolved, shot, target

rules = pytest.mark.rules
MORTAR = "german/8cm GrW 34"


@rules("3.2.4", "6.4", system="aslsk3")
@pytest.mark.parametrize(("faces", "hit"), [((1, 3), ("seen", "target")), ((1, 4), ("seen",)), ((3, 4), ("seen",))])
def test_6_4_two_more_are_needed_for_who_is_hidden_beside_others(faces: tuple[int, int], hit: tuple[str, ...]) -> None:
    """7 on the ATT for the squad; for the small Gun 1 less, and 2 less as it is hidden."""
    hidden = armed(hidden=True, emplaced=True)
    hidden["units"] = [squad("seen", "russian/4-4-7", "D3"), *hidden["units"]]
    on = clash(cells=FIELD.replace(". . . . . . . .", ". . . x . . . ."), russian=hidden)
    on.play(shot(on, target_type=TargetType.AREA), faces, (6, 6))
    assert resolved(on).hit == hit


@rules("3.3.5", system="aslsk3")
def test_3_3_5_a_hit_in_a_fire_phase_leaves_no_residual_fp() -> None:
    on = clash()
    on.play(shot(on), (3, 4), (6, 6))
    assert resolved(on).hit == ("target",)
    assert on.state.weapons[GUN].mark is Mark.PREP_FIRE, "it has lost its ROF"
    assert not on.state.residual


@rules("1.2.4.1", "3.2.4", system="aslsk3")
@pytest.mark.parametrize(
    ("nation", "card", "at", "kept"),
    [("russian", "76.2mm PP obr. 27", "D3", False), ("british", "OML 3-in. MTR", "G3", True)],
)
def test_3_2_4_of_guns_of_76_mm_mortars_alone_turn_at_full_rate(nation: str, card: str, at: str, *, kept: bool) -> None:
    on = clash(
        german=manned(squad("crew", f"{nation}/2-2-8 crew", "A3"), gun(f"{nation}/{card}", facing="N/NE")),
        russian=side(squad("target", "german/4-6-7", at)),
        conditions={"year": 1944, "month": 7},
    )
    kind = TargetType.AREA if kept else TargetType.INFANTRY
    on.play(shot(on, at, facing=1, target_type=kind), (2, 6))
    assert (on.state.weapons[GUN].mark is Mark.NONE) is kept, "both have a ROF of 2"


def below(on: Clash, *keys: str) -> list[FireGun]:
    """All shots below some keys of what the Gun may do."""
    node = on.decision.options(on.decision.asked[0]).root
    for key in keys:
        branch = node.branch(key)
        assert branch is not None
        node = branch.then
    return [action for action in Options(node, lambda _: None) if isinstance(action, FireGun)]


@rules("6.2", system="aslsk3")
def test_6_2_among_shots_of_smoke_there_is_no_other() -> None:
    on = clash()
    assert {one.ammo for one in below(on, "gun", "gun smoke")} == {Ammo.SMOKE}
    others = below(on, "gun", "gun empty")
    assert {one.ammo for one in others} == {Ammo.HE}
    assert {on.hex("C3"), on.hex("E3")} <= {one.target for one in others}
    assert not {on.hex("A3"), on.hex("D3")} & {one.target for one in others}, "its own hex, and an enemy's"


@rules("3.2.2.1", system="aslsk3")
def test_3_2_2_1_with_an_enemy_in_its_hex_a_gun_has_no_other_hex_to_fire_at() -> None:
    tank = {"id": "tank", "card": "russian/T-34 M43", "at": "A3", "vca": "N/NE"}
    on = clash(russian=side(target(), vehicles=[tank]))
    branch = on.decision.options(on.decision.asked[0]).root.branch("gun")
    assert branch is not None
    assert [way.key for way in branch.then.branches()] == ["A3", "gun smoke"]
    assert {one.target for one in below(on, "gun")} == {on.hex("A3")}


@rules("6.2", system="aslsk3")
@pytest.mark.parametrize(
    ("weapon", "rule"),
    [({"card": "german/7.5cm PaK 40", "facing": "SW/NW"}, ""), ({"card": "german/LMG"}, "6.2")],
)
def test_6_2_heat_is_fired_at_who_mans_a_gun_and_not_at_other_weapons(weapon: dict[str, Any], rule: str) -> None:
    on = clash(
        german=manned(squad("crew", "russian/2-2-8 crew", "A3"), gun("russian/76.2mm PP obr. 27")),
        russian=side(
            squad("target", "german/2-2-8 crew", "D3"), weapons=[{"id": "other", "owner": "target", **weapon}]
        ),
        conditions={"year": 1944, "month": 7},
    )
    assert on.why(shot(on, ammo=Ammo.HEAT)) == rule


@rules("1.1.1", "7.11", system="aslsk3")
@pytest.mark.parametrize(("card", "labels"), [("german/7.5cm PaK 40", {"height advantage"}), (MORTAR, set())])
def test_7_11_height_advantage_is_tem_of_an_afv_but_not_against_mortars(card: str, labels: set[str]) -> None:
    foe = {"id": "foe", "card": "russian/T-34 M43", "at": "D3", "vca": "SW/NW"}
    hill = {"kind": "hill", "hexes": ["D3"], "level": 1}
    on = clash(weapon=gun(card), russian=side(target("E5"), vehicles=[foe]), features=[hill])
    on.play(shot(on, target_type=TargetType.AREA), (1, 2), (6, 5))
    found = next(event for event in on.events if isinstance(event, ar.AreaHitResolved))
    assert {term.label.lower() for term in found.drm.terms} == labels


@rules("1.2.5", "6.2", system="aslsk3")
@pytest.mark.parametrize(
    ("phase", "ammo", "kind"),
    [
        ("PFPh", Ammo.SMOKE, SmokeKind.FULL),
        ("DFPh", Ammo.SMOKE, SmokeKind.DISPERSED),
        ("PFPh", Ammo.WP, SmokeKind.WP),
        ("DFPh", Ammo.WP, SmokeKind.DISPERSED_WP),
    ],
)
def test_1_2_5_shells_smoke_fully_in_the_pfph_alone(phase: str, ammo: Ammo, kind: SmokeKind) -> None:
    german = manned(squad("crew", "british/2-2-8 crew", "A3"), gun("british/OML 3-in. MTR"))
    attacker = "german" if phase == "PFPh" else "russian"
    on = clash(phase, german=german, attacker=attacker, conditions={"year": 1944, "month": 7})
    on.play(shot(on, "D2", target_type=TargetType.AREA, ammo=ammo), (1, 3))
    assert [(one.hex, one.kind) for one in on.state.smoke] == [(on.hex("D2"), kind)]


@rules("3.2.4", system="aslsk3")
@pytest.mark.parametrize(("flags", "rule"), [({}, ""), ({"broken": True}, "3.2.4"), ({"card": "german/8-1"}, "3.2.4")])
def test_3_2_4_who_is_no_good_order_mmc_turns_no_gun(flags: dict[str, Any], rule: str) -> None:
    card = flags.pop("card", "german/2-2-8 crew")
    on = clash(german=manned(squad("crew", card, "A3", **flags), gun()))
    assert on.why(TurnArc(3, GUN)) == rule
    assert (TurnArc(3, GUN) in on.options()) is not bool(rule)


@rules("3.2.4", system="aslsk3")
def test_3_2_4_of_two_vehicles_in_a_hex_each_may_be_meant() -> None:
    tanks = [{"id": name, "card": "russian/T-34 M43", "at": "D3", "vca": "N/NE"} for name in ("one", "two")]
    on = clash(russian=side(vehicles=tanks))
    branch = on.decision.options(on.decision.asked[0]).root.branch("gun")
    near = branch.then.branch("D3") if branch is not None else None
    assert near is not None
    assert [way.key for way in near.then.branches()] == ["VTT one", "VTT two", "ATT"]


@rules("3.2.4", "3.3.3", system="aslsk3")
def test_3_2_4_a_turret_or_hull_turns_to_who_came_into_its_hex_from_behind() -> None:
    own = {"id": "own", "card": "german/PzKpfw IVH", "at": "D3", "vca": "N/NE"}
    foe = {"id": "foe", "card": "russian/T-34 M43", "at": "D4", "vca": "N/NE", "motion": True}
    far = squad("far", "russian/4-4-7", "H5")
    on = Clash("MPh", FIELD, attacker="russian", german=side(vehicles=[own]), russian=side(far, vehicles=[foe]))
    on.drive(VehicleId("foe"), "D3")
    shots = [one for one in on.options() if isinstance(one, FireGun) and one.target_type is TargetType.VEHICLE]
    assert {(one.facing, one.turn_hull) for one in shots} == {
        (spine, hull) for spine in (2, 3) for hull in (False, True)
    }


@rules("3.2.4", system="aslsk3")
def test_3_2_4_a_gun_that_points_there_is_not_turned_there_to_fire() -> None:
    on = clash(german=manned(squad("crew", "german/2-2-8 crew", "D5"), gun(facing="N/NE")))
    assert on.why(shot(on)) == ""
    assert on.why(shot(on, facing=0)) == "3.2.4"


@rules("6.6", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "crew", "flags", "shielded"),
    [
        ("russian/57mm PTP obr. 43", "russian/2-2-8 crew", {}, True),
        ("russian/57mm PTP obr. 43", "russian/2-2-8 crew", {"broken": True}, False),
        ("russian/57mm PTP obr. 43", "russian/2-2-8 crew", {"hazardous": True}, False),
        ("russian/57mm PTP obr. 43", "russian/4-4-7", {}, False),
        ("russian/76.2mm obr. 39", "russian/2-2-8 crew", {}, False),
    ],
)
def test_6_6_a_gunshield_is_for_the_good_order_crew_of_an_at_or_inf_gun(
    card: str, crew: str, flags: dict[str, bool], shielded: bool
) -> None:
    weapon = {"id": "other", "card": card, "owner": "target", "facing": "N/NE"}
    on = clash(russian=side(squad("target", crew, "D3"), weapons=[weapon]))
    unit = replace(on.unit("target"), **flags)
    found = [
        has_gunshield(on.context, on.state.weapons[WeaponId("other")], unit, [on.hex(label)]) for label in ("D1", "D5")
    ]
    assert found == [shielded, False], "through the covered arc alone"


@rules("3.3.3", system="aslsk3")
def test_3_3_3_intensive_fire_at_movers_puts_the_crew_and_its_other_weapons_under_final_fire() -> None:
    arms = [gun(mark="First Fire"), {"id": "lmg", "card": "german/LMG", "owner": "crew"}]
    on = clash("MPh", attacker="russian", german=side(squad("crew", "german/2-2-8 crew", "A3"), weapons=arms))
    on.play(Move((UnitId("target"),), (MoveStep(to=on.hex("D2")),)))
    on.play(shot(on, "D2", intensive=True), (6, 3))
    weapons = on.state.weapons
    assert (weapons[GUN].mark, weapons[WeaponId("lmg")].mark) == (Mark.INTENSIVE_FIRE, Mark.FINAL_FIRE)
    assert on.unit("crew").mark is Mark.FINAL_FIRE


@rules("3.3.5", "6.12", system="aslsk3")
@pytest.mark.parametrize(
    ("mark", "faces", "fp"), [("", (6, 6), 0), ("First Fire", (5, 5), 0), ("First Fire", (5, 4), 2)]
)
def test_3_3_5_a_gun_that_breaks_down_leaves_no_residual_fp_though_it_hits(
    mark: str, faces: tuple[int, int], fp: int
) -> None:
    """10 and FFNAM and FFMO at an adjacent hex; Intensive Fire has a B# of 10 and two columns less for its +2."""
    russian = side(squad("target", "russian/4-4-7", "C3"))
    on = clash("MPh", attacker="russian", weapon=gun(mark=mark), russian=russian)
    on.play(Move((UnitId("target"),), (MoveStep(to=on.hex("B3")),)))
    on.play(shot(on, "B3", intensive=bool(mark)), faces, (6, 6))
    assert resolved(on).hit == ("target",)
    assert sum(counter.fp for counter in on.state.residual) == fp


@rules("6.2", system="aslsk3")
@pytest.mark.parametrize(("exposed", "rule"), [(True, ""), (False, "6.2")])
def test_6_2_heat_is_fired_on_the_itt_at_a_ce_crew_in_the_open(*, exposed: bool, rule: str) -> None:
    foe = {"id": "foe", "card": "german/PzKpfw IVH", "at": "D3", "vca": "SW/NW", "exposed": exposed}
    on = clash(
        german=manned(squad("crew", "russian/2-2-8 crew", "A3"), gun("russian/76.2mm PP obr. 27")),
        russian=side(squad("target", "german/4-6-7", "D3"), vehicles=[foe]),
        conditions={"year": 1944, "month": 7},
    )
    assert on.why(shot(on, ammo=Ammo.HEAT)) == rule


@rules("3.2.4", system="aslsk3")
@pytest.mark.parametrize(("spine", "word"), [(5, "NW/N"), (9, "9")])
def test_3_2_4_there_are_words_for_whatever_hexspine_somebody_names(spine: int, word: str) -> None:
    on = clash()
    push = MoveStep(StepKind.MANHANDLE, on.hex("B3"), weapon=GUN, way=spine)
    turn = VehicleStep(VehicleDeed.TURN, spine=spine, tca=spine)
    actions = (
        Move((UnitId("crew"),), (push,)),
        MoveVehicle(VehicleId("tank"), (turn,)),
        FireVehicle(VehicleId("tank"), (VehicleGun.BOW,), on.hex("D3"), spine),
        shot(on, facing=spine),
        TurnArc(spine, GUN),
    )
    assert all(word in on.rules.describe(action) for action in actions)


@rules("3.2.4", system="aslsk3")
@pytest.mark.parametrize("kind", TargetType)
def test_3_2_4_off_the_map_there_is_no_target_and_nothing_is_remembered_of_it(kind: TargetType) -> None:
    on = clash()
    assert on.why(FireGun(Hex(1000, 1000), GUN, target_type=kind)) == "3.2"
    assert on.context.game_map.hexes >= set(on.context.memory.ranges)
