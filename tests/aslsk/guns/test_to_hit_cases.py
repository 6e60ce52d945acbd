"""3.2.4 The cases of the To Hit DRM at their edges, as the chart has them: one row, one number."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.aslsk.common.vehicle_actions import FireGun
from sandtable.systems.aslsk.effects.ift import ift_of
from sandtable.systems.aslsk.fire.firers import Fireground, FireMode
from sandtable.systems.aslsk.fire.to_hit import Aim, target_number
from sandtable.systems.aslsk.guns.ammunition import refuse_stock
from sandtable.systems.aslsk.guns.barrel import Barrel, barrel_of, uses_red_numbers
from sandtable.systems.aslsk.guns.gun_fire import gun_targets
from sandtable.systems.aslsk.guns.gun_hit import burst_of, hit_column
from sandtable.systems.aslsk.guns.gun_to_hit import Shot, ToHit, to_hit
from sandtable.systems.aslsk.guns.wear import gun_rate, wear_of
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import UnitId, VehicleId, WeaponId, WeaponState
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
ITT, ATT, VTT = TargetType.INFANTRY, TargetType.AREA, TargetType.VEHICLE
LONG = "\n".join([". " * 28] * 5)
PAK, MORTAR = "german/7.5cm PaK 40", "german/8cm GrW 34"
PANZER, STUG = "german/PzKpfw IVH", "german/StuG IIIG(L)"
T34, LOW = "russian/T-34/85", "russian/IS-2"


def woods(*hexes: str) -> str:
    """The long field with woods in some hexes."""
    rows = [["."] * 28 for _ in range(5)]
    for label in hexes:
        rows[int(label[1:]) - 1][ord(label[0]) - ord("A")] = "w"
    return "\n".join(" ".join(row) for row in rows)


def field(
    phase: str = "PFPh",
    cells: str = LONG,
    *,
    crew: dict[str, Any] | None = None,
    card: str = PAK,
    gun: dict[str, Any] | None = None,
    tank: dict[str, Any] | None = None,
    enemies: tuple[dict[str, Any], ...] = (),
    target: dict[str, Any] | None = None,
    **fields: Any,
) -> Clash:
    """A Gun in A3 and a German tank, enemies, and somebody far away on either side."""
    gunners = {"id": "crew", "card": "german/2-2-8 crew", "at": "A3", **(crew or {})}
    weapon = {"id": "gun", "card": card, "owner": "crew", "facing": "NE/SE", **(gun or {})}
    vehicles = [{"id": "tank", "card": PANZER, "at": "A3", "vca": "NE/SE", **tank}] if tank is not None else []
    foes = [{"id": "T", "card": T34, "at": "D3", "vca": "NE/SE", **target}] if target is not None else []
    german = side(gunners, squad("idle", at="A5"), weapons=[weapon], vehicles=vehicles)
    russian = side(squad("far", "russian/4-4-7", "Z5"), *enemies, vehicles=foes)
    return Clash(phase, cells, german=german, russian=russian, **fields)


def barrel(on: Clash, name: str = "gun") -> Barrel:
    weapon = name if name in on.state.weapons else ""
    found = barrel_of(on.context, on.state, WeaponId(weapon), VehicleId("" if weapon else name))
    assert found is not None
    return found


def numbers(on: Clash, at: str, mode: FireMode = FireMode.PREP, name: str = "gun", **aim: Any) -> ToHit:
    kind, meant = aim.get("target_type", ITT), aim.pop("meant", "")
    ground = Fireground(on.context, on.state, mode, barrel(on, name).side, on.hex(at))
    aimed = gun_targets(ground, kind, None, meant)
    return to_hit(on.context, on.state, Shot(barrel(on, name), on.hex(at), mode, **aim), aimed, None)


def drm(on: Clash, at: str, mode: FireMode = FireMode.PREP, name: str = "gun", **aim: Any) -> dict[str, int]:
    """All DRM of a shot, those of single targets too."""
    found = numbers(on, at, mode, name, **aim)
    return {term.label: term.value for term in (*found.drm, *(one for own in found.own.values() for one in own))}


@rules("3.2.4", "3.3.2.2", system="aslsk3")
@pytest.mark.parametrize(("state", "doubled"), [({}, False), ({"started": True}, True), ({"motion": True}, True)])
def test_3_2_4_the_lower_die_is_doubled_until_it_stops(state: dict[str, Any], doubled: bool) -> None:
    """Case 16 is for whoever has started since he last stopped (2.0): a Motion counter is not needed."""
    on = field("MPh", tank=state, enemies=(squad("r", "russian/4-4-7", "D3"),))
    found = numbers(on, "D3", FireMode.BOUNDING, "tank")
    assert (found.doubled, found.counted((5, 2))) == (doubled, 9 if doubled else 7)
    sure = found._replace(critical=7)
    assert sure.is_critical("r", (5, 2)) is not doubled, "a Critical Hit of the ITT goes by the same Final DR (6.1)"


# --- firer based ------------------------------------------------------------------------------------------------


@rules("3.2.4", system="aslsk3")
@pytest.mark.parametrize(("at", "smoke", "sabot"), [("M3", -2, 0), ("N3", 0, 1), ("O3", 0, 1)])
def test_3_2_4_smoke_under_13_hexes_and_sabots_from_13_on(at: str, smoke: int, sabot: int) -> None:
    """Cases 7 and 11: M3 is 12 hexes away."""
    on = field(enemies=(squad("r", "russian/4-4-7", at),))
    assert sum(drm(on, at, target_type=ATT, ammo=Ammo.SMOKE).values()) == smoke
    assert drm(on, at, ammo=Ammo.APCR).get("APCR or APDS at 13 hexes or more", 0) == sabot


@rules("3.2.4", "3.5", system="aslsk3")
@pytest.mark.parametrize(("cells", "value"), [(LONG, 2), (woods("A3"), 3)])
def test_3_5_fire_in_the_afph_by_where_the_gun_stands(cells: str, value: int) -> None:
    """Case 1."""
    on = field("AFPh", cells, enemies=(squad("r", "russian/4-4-7", "D3"),))
    assert sum(drm(on, "D3", FireMode.ADVANCING).values()) == value


@rules("3.2.4", system="aslsk3")
@pytest.mark.parametrize(
    ("flags", "value"), [({}, 0), ({"pinned": True}, 2), ({"cx": True}, 1), ({"card": "german/4-6-7"}, 2)]
)
def test_3_2_4_who_mans_the_gun(flags: dict[str, Any], value: int) -> None:
    """Cases 2, 3 and 5."""
    on = field(crew=flags, enemies=(squad("r", "russian/4-4-7", "D3"),))
    assert sum(drm(on, "D3").values()) == value


@rules("3.2.4", system="aslsk3")
@pytest.mark.parametrize(("cells", "value"), [(LONG, 2), (woods("A3"), 5)])
def test_3_2_4_fire_within_the_own_hex(cells: str, value: int) -> None:
    """Case 10, twice in woods, where the target has their TEM too."""
    on = field(cells=cells, enemies=(squad("r", "russian/4-4-7", "A3"),))
    assert sum(drm(on, "A3").values()) == value


@rules("3.3.2.2", system="aslsk3")
@pytest.mark.parametrize(
    ("halves", "turret", "fixed"), [(2, 6, 7), (4, 6, 7), (5, 5, 6), (6, 5, 6), (7, 4, 5), (12, 4, 5)]
)
def test_3_3_2_2_case_14_by_halves_of_mp(halves: int, turret: int, fixed: int) -> None:
    enemies = (squad("r", "russian/4-4-7", "D3"),)
    for card, value in ((PANZER, turret), (STUG, fixed)):
        on = field("MPh", tank={"card": card, "exposed": True, "trail": {"A3": halves}}, enemies=enemies)
        assert sum(drm(on, "D3", FireMode.BOUNDING, "tank").values()) == value


@rules("3.2.4", system="aslsk3")
@pytest.mark.parametrize(
    ("flags", "at", "kind", "value"),
    [
        ({}, "D3", ITT, 1),
        ({}, "B3", ITT, 1),
        ({}, "C3", ITT, 1),
        ({"exposed": True}, "D3", ITT, 0),
        ({"stun": "+1"}, "D3", ITT, 2),
        ({"motion": True}, "D3", ITT, 5),
        ({"motion": True}, "B3", ITT, 7),
        ({"motion": True}, "C3", ITT, 6),
        ({"motion": True}, "B3", ATT, 5),
        ({"motion": True, "card": STUG}, "D3", ITT, 6),
    ],
)
def test_3_2_4_the_firing_vehicle_in_the_dfph(flags: dict[str, Any], at: str, kind: TargetType, value: int) -> None:
    """Cases 13 to 16: Motion adds case 14, and more at one or two hexes on the ITT."""
    on = field("DFPh", tank=flags, enemies=(squad("r", "russian/4-4-7", at),), attacker="russian")
    assert sum(drm(on, at, FireMode.FINAL, "tank", target_type=kind).values()) == value


@rules("3.2.4", "3.3.3", system="aslsk3")
def test_3_2_4_motion_fire_in_the_mph_of_the_enemy_goes_by_no_mp() -> None:
    """Case 16 adds the first line of case 14, though the tank has spent no MP in sight of anybody (ruling)."""
    on = field("MPh", tank={"motion": True}, enemies=(squad("r", "russian/4-4-7", "D3"),), attacker="russian")
    assert drm(on, "D3", FireMode.FIRST, "tank") == drm(on, "D3", FireMode.FINAL, "tank")
    assert sum(drm(on, "D3", FireMode.FIRST, "tank").values()) == 5, "+4, and +1 BU"


@rules("3.2.4", system="aslsk3")
def test_3_2_4_in_motion_the_lower_die_counts_twice() -> None:
    on = field("DFPh", tank={"motion": True}, enemies=(squad("r", "russian/4-4-7", "D3"),), attacker="russian")
    found = numbers(on, "D3", FireMode.FINAL, "tank")
    assert [found.counted(faces) for faces in ((1, 4), (4, 1), (3, 3))] == [6, 6, 9]
    assert found.hits("r", (1, 1)) is (found.number.total >= 3)


# --- target based -----------------------------------------------------------------------------------------------


@rules("3.2.4", system="aslsk3")
@pytest.mark.parametrize(
    ("flags", "at", "kind", "value"),
    [
        ({}, "D3", VTT, 0),
        ({"at": "B3"}, "B3", VTT, -2),
        ({"at": "C3"}, "C3", VTT, -1),
        ({"at": "C3"}, "C3", ATT, 0),
        ({"card": "russian/KV-1E"}, "D3", VTT, -1),
        ({"motion": True}, "D3", VTT, 2),
        ({"moving_target": True, "trail": {"D3": 2}}, "D3", VTT, 4),
        ({"moving_target": True, "trail": {"D3": 3}}, "D3", VTT, 3),
        ({"moving_target": True, "trail": {"D3": 6}}, "D3", VTT, 3),
        ({"moving_target": True, "trail": {"D3": 7}}, "D3", VTT, 2),
        ({"at": "B3", "moving_target": True, "trail": {"B3": 7}}, "B3", VTT, 0),
        ({"at": "C3", "moving_target": True, "trail": {"C3": 7}}, "C3", VTT, 1),
        ({"at": "C3", "moving_target": True, "trail": {"C3": 7}}, "C3", ATT, 2),
        ({"at": "B3", "motion": True}, "B3", VTT, 2),
        ({"at": "B3", "started": True}, "B3", VTT, 0),
        ({"exposed": True}, "D3", ITT, 2),
    ],
)
def test_3_2_4_the_vehicle_that_is_fired_at(flags: dict[str, Any], at: str, kind: TargetType, value: int) -> None:
    """Cases 22, 24 and 25, and the +2 of a CE crew on the ITT."""
    on = field("DFPh", target=flags, attacker="russian")
    assert sum(drm(on, at, FireMode.FINAL, target_type=kind, meant="T").values()) == value


@rules("3.2.4", "7.7", system="aslsk3")
@pytest.mark.parametrize(("kind", "value"), [(ITT, 2), (VTT, 1), (ATT, 0)])
def test_3_2_4_woods_and_a_ce_crew(kind: TargetType, value: int) -> None:
    """Case 17: TEM but on the ATT; on the ITT the crew's +2 takes the place of the woods' +1."""
    on = field(cells=woods("D3"), target={"exposed": True})
    assert sum(drm(on, "D3", target_type=kind, meant="T").values()) == value


@rules("3.2.4", system="aslsk3")
def test_3_2_4_a_firer_that_has_not_stopped_has_nothing_of_a_short_range() -> None:
    on = field("DFPh", tank={"motion": True}, target={"at": "B3"}, attacker="russian")
    assert "Stopped vehicle at 1 hex" not in drm(on, "B3", FireMode.FINAL, "tank", target_type=VTT, meant="T")


@rules("6.10", "6.11", system="aslsk3")
@pytest.mark.parametrize(
    ("flags", "kind", "value"),
    [
        ({"acquired": "D3", "acquired_targets": ["r"]}, ITT, -2),
        ({"acquired": "Z5", "acquired_targets": ["far"]}, ITT, 0),
        ({"acquired": "D3"}, ITT, -2),
        ({"acquired": "D3", "acquired_targets": ["r"]}, ATT, -2),
        ({"acquired": "E3"}, ATT, 0),
    ],
)
def test_6_10_what_an_acquired_target_is_good_for(flags: dict[str, Any], kind: TargetType, value: int) -> None:
    """Case 20: a 1/2" counter on the units meant, a 5/8" one on the hex."""
    on = field(gun={"acquisition": -2, **flags}, enemies=(squad("r", "russian/4-4-7", "D3"),))
    assert sum(drm(on, "D3", target_type=kind).values()) == value


@rules("3.2.4", system="aslsk3")
def test_3_2_4_an_empty_hex_is_no_matter_to_smoke() -> None:
    """Case 23."""
    on = field()
    assert sum(drm(on, "D3", target_type=ATT).values()) == 2
    assert sum(drm(on, "D3", target_type=ATT, ammo=Ammo.SMOKE).values()) == -2


@rules("3.2.4", "6.5", system="aslsk3")
@pytest.mark.parametrize(("pinned", "value"), [(False, -2), (True, 0)])
def test_6_5_hazardous_movement_until_it_is_pinned(*, pinned: bool, value: int) -> None:
    """Case 21."""
    on = field(enemies=(squad("r", "russian/4-4-7", "D3", pinned=pinned),))
    on.state = replace(on.state, units={**on.state.units, UnitId("r"): replace(on.unit("r"), hazardous=True)})
    assert sum(drm(on, "D3").values()) == value


@rules("6.1", system="aslsk3")
def test_6_1_the_critical_number_is_reached_by_the_final_dr() -> None:
    """At three hexes (3): an original 3 is critical without a DRM, a 4 is not; woods ask for a 2."""
    on = field(enemies=(squad("r", "russian/4-4-7", "D3"),))
    found = numbers(on, "D3")
    assert [found.is_critical("r", faces) for faces in ((1, 2), (2, 2))] == [True, False]
    on = field(cells=woods("D3"), enemies=(squad("r", "russian/4-4-7", "D3"),))
    found = numbers(on, "D3")
    assert [found.is_critical("r", faces) for faces in ((1, 1), (1, 2))] == [True, False]


@rules("3.2.4", "6.1", system="aslsk3")
def test_6_1_red_numbers_have_critical_numbers_of_their_own() -> None:
    """The 75L at 7 to 12 hexes: 7/6 (3/2)."""
    on = field(enemies=(squad("r", "russian/4-4-7", "K3"),))
    assert (numbers(on, "K3").number.base, numbers(on, "K3").critical) == (7, 3)
    on = field(crew={"card": "german/4-6-7"}, enemies=(squad("r", "russian/4-4-7", "K3"),))
    assert (numbers(on, "K3").number.base, numbers(on, "K3").critical) == (6, 2 - 2)


@rules("3.2.4", system="aslsk3")
@pytest.mark.parametrize(("at", "number"), [("B3", 10), ("C3", 9), ("D3", 8), ("G3", 8), ("H3", 7), ("M3", 7)])
def test_3_2_4_ranges_of_the_chart(at: str, number: int) -> None:
    on = field(enemies=(squad("r", "russian/4-4-7", at),))
    assert numbers(on, at).number.base == number


@rules("3.2.4", "5.4", system="aslsk3")
@pytest.mark.parametrize(("year", "red"), [(1943, True), (1944, False)])
def test_3_2_4_some_counters_turn_black_in_their_year(year: int, *, red: bool) -> None:
    on = field(tank={"card": "british/Sherman II(a)"}, conditions={"year": year, "month": 3})
    assert uses_red_numbers(on.context, on.state, barrel(on, "tank")) is red


@rules("5.4", system="aslsk3")
def test_5_4_inexperienced_hands_use_red_numbers() -> None:
    on = field(card="russian/57mm PTP obr. 43", crew={"card": "german/4-3-6"})
    assert uses_red_numbers(on.context, on.state, barrel(on))


# --- what fires, and how often ----------------------------------------------------------------------------------


@rules("6.0", system="aslsk3")
def test_6_0_what_a_counter_has_not_is_not_fired() -> None:
    """HE but for what is underlined, AP but for what is overlined, neither of them for a mortar's AP."""
    on = field(card=MORTAR, tank={"card": "british/Stuart III(a)"}, conditions={"year": 1944, "month": 3})
    stock = {
        (name, ammo): refuse_stock(on.context, barrel(on, name), ammo)
        for name in ("gun", "tank")
        for ammo in (Ammo.HE, Ammo.AP)
    }
    assert {key for key, refusal in stock.items() if refusal is None} == {("gun", Ammo.HE), ("tank", Ammo.AP)}
    assert {refusal.rule for refusal in stock.values() if refusal is not None} == {"6.0"}


@rules("1.2.4.1", "3.2.4", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "turned", "less"),
    [(PAK, False, 0), (PAK, True, 1), (MORTAR, True, 0), ("russian/57mm PTP obr. 43", False, 1)],
)
def test_3_2_4_what_lowers_the_rate(card: str, *, turned: bool, less: int) -> None:
    """A turn, but of a medium mortar; a captured Gun."""
    on = field(card=card)
    assert barrel(on).main.rof - gun_rate(on.context, on.state, barrel(on), turned=turned) == less


@rules("3.2.4", "7.2", system="aslsk3")
def test_3_2_4_a_turret_keeps_its_rate_and_a_hull_does_not() -> None:
    for card, less in ((PANZER, 0), (STUG, 1)):
        on = field(tank={"card": card})
        tank = barrel(on, "tank")
        assert max(0, tank.main.rof - less) == gun_rate(on.context, on.state, tank, turned=True)


@rules("6.12", system="aslsk3")
def test_6_12_a_lowered_b_number_removes_at_the_printed_one() -> None:
    on = field()
    plain = wear_of(on.context, on.state, barrel(on), intensive=False)
    lowered = wear_of(on.context, on.state, barrel(on), intensive=True)
    assert (plain.number.total, plain.removed) == (12, 13)
    assert (lowered.number.total, lowered.removed) == (10, 12)


@rules("7.2.1", system="aslsk3")
def test_7_2_1_low_ammo_makes_a_b_number_one_less_than_the_circled_one() -> None:
    on = field(tank={"card": LOW})
    circled = barrel(on, "tank").main.low_ammo
    before = wear_of(on.context, on.state, barrel(on, "tank"), intensive=False)
    assert (before.number.total, before.low_ammo, before.removed) == (12, circled, 13)
    on = field(tank={"card": LOW, "low_ammo": True})
    after = wear_of(on.context, on.state, barrel(on, "tank"), intensive=False)
    assert (after.number.total, after.removed) == (circled - 1, circled)


@rules("3.2.4", system="aslsk3")
def test_3_2_4_a_mortar_keeps_its_rate_on_the_att() -> None:
    on = field(card=MORTAR, enemies=(squad("r", "russian/4-4-7", "D3"),))
    on.play(FireGun(on.hex("D3"), WeaponId("gun"), target_type=ATT), (3, 6))
    assert on.state.weapons[WeaponId("gun")].mark.value == ""
    assert on.state.weapons[WeaponId("gun")].state is WeaponState.WORKING
    assert not on.unit("r").broken
    assert on.state.units[UnitId("crew")].used == (WeaponId("gun"),)


@rules("3.2.4", "4.5", system="aslsk3")
@pytest.mark.parametrize(("at", "number"), [("M3", 7), ("N3", 6)])
def test_4_5_a_light_mortar_beyond_12_hexes(at: str, number: int) -> None:
    """The Russian 50mm on the ATT: M3 is 12 hexes away."""
    on = field(crew={"card": "german/4-6-7"}, card="russian/50mm MTR", gun={"facing": ""})
    aim = Aim(on.state.weapons[WeaponId("gun")], on.unit("crew"), on.hex(at), FireMode.PREP)
    assert target_number(on.context, aim)[0] == number


@rules("3.2.4", "6.1", "6.2", system="aslsk3")
@pytest.mark.parametrize(
    ("kind", "ammo", "fp", "critical"), [(ITT, Ammo.HE, 12, 24), (ATT, Ammo.HE, 6, 24), (ITT, Ammo.HEAT, 8, 16)]
)
def test_6_2_columns_of_a_75mm_hit(kind: TargetType, ammo: Ammo, fp: int, critical: int) -> None:
    on = field()
    shot = Shot(barrel(on), on.hex("D3"), FireMode.PREP, kind, ammo)
    burst, ift = burst_of(on.context, shot), ift_of(on.context)
    assert (ift.fp(burst.column), ift.fp(burst.critical)) == (fp, critical)


@rules("6.2", system="aslsk3")
@pytest.mark.parametrize(("tank", "fp"), [("german/PzKpfw 35t", 2), ("german/PSW 232", 1)])
def test_6_2_ap_from_37mm_on_has_two_fp(tank: str, fp: int) -> None:
    on = field(tank={"card": tank})
    shot = Shot(barrel(on, "tank"), on.hex("D3"), FireMode.PREP, ITT, Ammo.AP)
    assert hit_column(on.context, shot) == fp
