"""4.1, 4.2, 4.4, 4.5: support weapons against vehicles."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Action, Fire, FireOrdnance
from sandtable.systems.aslsk.common.facts import armour_events as ar
from sandtable.systems.aslsk.common.vehicle_actions import MoveVehicle
from sandtable.systems.aslsk.pieces.state import (
    Mark,
    UnitId,
    Vehicle,
    VehicleDeed,
    VehicleId,
    VehicleStep,
    WeaponId,
    WeaponState,
)
from sandtable.systems.aslsk.pieces.vehicle_cards import Aspect, Facing
from tests.aslsk.clash import PLAIN, Clash, side, squad

rules = pytest.mark.rules
T34, BT7, KV = "russian/T-34/85", "russian/BT-7 M37", "russian/KV-1E"
TANK = VehicleId("t")
LONG = " ".join(["."] * 40)


def stand(
    *weapons: str,
    phase: str = "PFPh",
    at: str = "D2",
    tank: str = "D3",
    card: str = BT7,
    unit: str = "german/4-6-7",
    cells: str = PLAIN,
    mates: tuple[dict[str, Any], ...] = (),
    owner: dict[str, Any] | None = None,
    flags: dict[str, Any] | None = None,
    **fields: Any,
) -> Clash:
    """A German unit with weapons north of a Russian tank that faces it; ids of weapons are w0, w1 ..."""
    arms = [{"id": f"w{index}", "card": name, "owner": "g"} for index, name in enumerate(weapons)]
    vehicle = {"id": "t", "card": card, "at": tank, "vca": "NW/N", **(flags or {})}
    here, there = ("NN1", "MM1") if cells == LONG else ("A5", "G5")
    return Clash(
        phase,
        cells,
        german=side(squad("g", unit, at=at, **(owner or {})), squad("s", at=here), *mates, weapons=arms),
        russian={**side(squad("r", "russian/4-4-7", at=there)), "vehicles": [vehicle]},
        **{"attacker": "russian" if phase == "DFPh" else "german", **fields},
    )


def shot(clash: Clash, weapon: str = "w0", at: str = "D3", **fields: Any) -> FireOrdnance:
    return FireOrdnance(clash.hex(at), **{"weapon": WeaponId(weapon), "victim": UnitId("t"), **fields})


def panzerfaust(clash: Clash, at: str = "D3", unit: str = "g", **fields: Any) -> FireOrdnance:
    return FireOrdnance(clash.hex(at), **{"unit": UnitId(unit), "victim": UnitId("t"), **fields})


def tank(clash: Clash) -> Vehicle:
    return clash.state.vehicles[TANK]


def needed(clash: Clash) -> int:
    """The highest DR that hits, of the To Hit DR just made."""
    return next(event.number.total for event in clash.events if isinstance(event, ev.OrdnanceResolved))


def killing(clash: Clash) -> ar.ToKillResolved:
    return next(event for event in clash.events if isinstance(event, ar.ToKillResolved))


def offered(clash: Clash, action: Action) -> bool:
    found = action in clash.options()
    assert found == (clash.why(action) == "")
    return found


# --- 4.1, 4.4.4 -----------------------------------------------------------------------------------------------------


@rules("4.1", "3.2.4", system="aslsk3")
@pytest.mark.parametrize(
    ("at", "fields", "number"),
    [
        ("D2", {}, 12),
        ("D1", {}, 11),
        ("D2", {"flags": {"moving_target": True}}, 8),
        ("D2", {"flags": {"moving_target": True, "started": True}}, 6),
        ("D2", {"flags": {"motion": True}}, 8),
        ("D2", {"card": KV}, 13),
        ("D2", {"owner": {"cx": True}}, 11),
        ("D3", {}, 10),
    ],
)
def test_4_1_to_hit_of_a_mg_is_on_the_vtt(at: str, fields: dict[str, Any], number: int) -> None:
    """10 to six hexes; 2 and 1 better against a stopped vehicle at one and two hexes; none in the same hex.

    Who has stopped after he entered his hex is a moving target too: 4 worse for no MP in sight, and 2 better.
    """
    clash = stand("german/LMG", at=at, **fields)
    assert offered(clash, shot(clash))
    clash.play(shot(clash), (6, 6), *([(6, 5)] if number >= 12 else []))
    assert needed(clash) == number


@rules("3.2.4", "7.3", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "drm"),
    [
        ("russian/KV-2", -2),
        (KV, -1),
        (T34, 0),
        ("german/PzKpfw IIF", 1),
        ("italian/L3/35", 2),
    ],
)
def test_7_3_size_of_a_vehicle(card: str, drm: int) -> None:
    clash = stand("german/PSK", card=card)
    clash.play(shot(clash), (6, 6))
    assert needed(clash) == 9 - drm


@rules("4.1", "7.9", "7.10", system="aslsk3")
@pytest.mark.parametrize(("kill", "result"), [((1, 2), "eliminated"), ((1, 3), "stun"), ((2, 3), "")])
def test_4_1_to_kill_of_a_mg(kill: tuple[int, int], result: str) -> None:
    """6 at one hex, 2 of armour in front: less than 4 kills, 4 stuns, and one more is nothing."""
    clash = stand("german/LMG")
    clash.play(shot(clash), (5, 3), kill)
    assert (killing(clash).number.total, killing(clash).result) == (4, result)
    assert (killing(clash).aspect, killing(clash).facing) == (Aspect.HULL, Facing.FRONT)


@rules("4.1", "6.1", system="aslsk3")
def test_4_1_a_critical_hit_of_a_mg_kills_no_better() -> None:
    clash = stand("german/LMG")
    clash.play(shot(clash), (1, 1), (6, 6))
    assert clash.saw(ev.OrdnanceResolved, critical=True)
    assert killing(clash).number.total == 4


@rules("4.1", "1.2.4.1", system="aslsk3")
def test_4_1_a_mg_keeps_rate_of_fire_and_breaks_down_by_its_to_hit_dr() -> None:
    clash = stand("german/MMG")
    clash.play(shot(clash), (1, 6), (6, 6))
    assert clash.state.weapons[WeaponId("w0")].mark is Mark.NONE
    clash.play(shot(clash), (6, 6), (6, 6))
    assert clash.state.weapons[WeaponId("w0")].state is WeaponState.MALFUNCTIONED


@rules("3.2.4", "4.1", system="aslsk3")
def test_4_1_no_attempt_while_pinned() -> None:
    clash = stand("german/LMG", "german/ATR", owner={"pinned": True})
    assert clash.why(shot(clash)) == "3.2.4"
    assert offered(clash, shot(clash, "w1"))
    clash.play(shot(clash, "w1"), (6, 6))
    assert needed(clash) == 10


@rules("4.1", system="aslsk3")
def test_4_1_a_mg_that_has_fired_fires_again_on_the_ift_alone() -> None:
    clash = stand("german/LMG", phase="DFPh")
    weapon = clash.state.weapons[WeaponId("w0")]
    assert offered(clash, shot(clash))
    marked = replace(weapon, mark=Mark.FIRST_FIRE)
    clash.state = replace(clash.state, weapons={WeaponId("w0"): marked})
    assert clash.why(shot(clash)) == "4.1"


@rules("4.1", system="aslsk3")
@pytest.mark.parametrize(
    ("tank_at", "leader", "why", "number"),
    [("M1", "", "", 9), ("Q1", "", "", 6), ("R1", "", "4.1", 0), ("R1", "l", "", 7), ("T1", "l", "3.2.4", 0)],
)
def test_4_1_how_far_a_mg_hits(tank_at: str, leader: str, why: str, number: int) -> None:
    """To 18 hexes by the chart, beyond 16 directed."""
    mate = squad("l", "german/9-1", at="A1")
    clash = stand("german/HMG", at="A1", tank=tank_at, cells=LONG, mates=(mate,))
    action = shot(clash, at=tank_at, leader=UnitId(leader))
    assert clash.why(action) == why
    if not why:
        assert offered(clash, action)
        clash.play(action, (5, 6))
        assert needed(clash) == number


@rules("3.2.4", "4.4.4", "5.4", "5.5", system="aslsk3")
@pytest.mark.parametrize(
    ("weapon", "unit", "number"),
    [
        ("german/ATR", "german/4-6-7", 9),
        ("german/ATR", "german/4-3-6", 8),
        ("russian/ATR", "german/4-6-7", 6),
        ("american/HMG", "german/4-6-7", 6),
    ],
)
def test_3_2_4_red_numbers(weapon: str, unit: str, number: int) -> None:
    """Of Inexperienced Infantry, and captured, which is 2 more besides."""
    clash = stand(weapon, at="A1", tank="I1", cells=LONG, unit=unit)
    clash.play(shot(clash, at="I1"), (6, 6))
    assert needed(clash) == number


@rules("3.2.4", system="aslsk3")
@pytest.mark.parametrize(("year", "number"), [(1943, 8), (1944, 9)])
def test_3_2_4_american_numbers_turn_black_in_1944(year: int, number: int) -> None:
    vehicle = {"id": "t", "card": "german/PzKpfw IIF", "at": "I1", "vca": "N/NE"}
    clash = Clash(
        "PFPh",
        LONG,
        german={**side(squad("x", at="J1")), "vehicles": [vehicle]},
        russian=side(
            squad("g", "american/6-6-6", at="A1"), weapons=[{"id": "w0", "card": "american/HMG", "owner": "g"}]
        ),
        attacker="russian",
        conditions={"year": year, "month": 6},
    )
    clash.play(shot(clash, at="I1"), (6, 6))
    assert needed(clash) == number - 1


@rules("4.4.4", system="aslsk3")
def test_4_4_4_an_atr_against_a_vehicle() -> None:
    """VTT, 7 at one hex on the AP table, a Possible Shock one above; twelve hexes and no more."""
    clash = stand("german/ATR", card="russian/T-34 M41")
    assert offered(clash, shot(clash))
    clash.play(shot(clash), (3, 2), (6, 6))
    front = clash.context.vehicle_card(tank(clash)).armour.front
    assert killing(clash).number.total == 7 - front
    far = stand("german/ATR", at="A1", tank="N1", cells=LONG)
    assert far.why(shot(far, at="N1")) == "4.4.4"


@rules("4.4.4", system="aslsk3")
def test_4_4_4_a_single_smc_may_use_an_atr_but_no_mg() -> None:
    clash = stand("german/ATR", "german/LMG", unit="german/8-0")
    assert offered(clash, shot(clash))
    assert clash.why(shot(clash, "w1")) == "4.1"
    two = stand("german/LMG", unit="german/8-0", mates=(squad("h", "german/9-1", at="D2"),))
    assert offered(two, shot(two, unit=UnitId("h")))
    assert two.why(shot(two)) == "4.1"


@rules("3.5", "4.1", system="aslsk3")
@pytest.mark.parametrize(("weapon", "letter", "number"), [("german/LMG", ".", 10), ("german/ATR", "w", 10)])
def test_3_5_as_ordnance_in_the_afph(weapon: str, letter: str, number: int) -> None:
    cells = PLAIN.replace(". . . . . . .", f". . . . . . .\n. {letter} . . . . .", 1)
    clash = stand(weapon, phase="AFPh", at="B2", tank="B3", cells=cells)
    clash.play(shot(clash, at="B3"), (6, 6))
    assert needed(clash) == number


# --- 4.4 ------------------------------------------------------------------------------------------------------------


@rules("4.4", "4.4.1", "4.4.5", system="aslsk3")
@pytest.mark.parametrize(
    ("weapon", "hit", "kill"),
    [("german/PSK", 9, 26), ("american/BAZ 43", 7, 13), ("american/BAZ 44", 7, 16), ("british/PIAT", 7, 15)],
)
def test_4_4_shaped_charges_against_a_vehicle_in_the_open(weapon: str, hit: int, kill: int) -> None:
    """By their own tables, with no benefit of a stopped target; HEAT. What is captured has 2 more."""
    clash = stand(weapon, card=T34)
    assert offered(clash, shot(clash))
    assert clash.why(shot(clash, victim=UnitId(""))) != ""
    clash.play(shot(clash), (2, 3), (6, 6), *([(4, 4)] if kill == 13 + 6 else []))
    assert needed(clash) == hit
    armour = clash.context.vehicle_card(tank(clash)).armour.turret_front
    assert killing(clash).number.total == kill - armour
    assert killing(clash).aspect is Aspect.TURRET


@rules("4.4.1", system="aslsk3")
def test_4_4_1_a_psk_is_gone_at_its_x_number() -> None:
    clash = stand("german/PSK")
    clash.play(shot(clash), (5, 5))
    assert clash.state.weapons[WeaponId("w0")].state is WeaponState.REMOVED


@rules("6.1", "7.9", system="aslsk3")
def test_6_1_a_critical_hit_of_a_latw_doubles_its_number() -> None:
    clash = stand("british/PIAT", card=KV)
    clash.play(shot(clash), (1, 1), (6, 6))
    assert killing(clash).number.total == 30 - 11


@rules("4.4.3", system="aslsk3")
def test_4_4_3_backblast_at_a_vehicle() -> None:
    cells = PLAIN.replace(". . . . . . .", ". . . . . . .\n. b . . . . .", 1)
    clash = stand("german/PSK", at="B2", tank="B3", cells=cells)
    assert offered(clash, shot(clash, at="B3"))
    assert offered(clash, shot(clash, at="B3", backblast=True))
    clash.play(shot(clash, at="B3"), (5, 4))
    assert needed(clash) == 7
    clash = stand("german/PSK", at="B2", tank="B3", cells=cells)
    clash.play(shot(clash, at="B3", backblast=True), (6, 4))
    assert needed(clash) == 9
    assert clash.saw(ev.BackblastStruck, roll=6)


# --- 4.4.2 ----------------------------------------------------------------------------------------------------------

AFTER: dict[str, Any] = {"conditions": {"year": 1944, "month": 3}}


@rules("4.4.2", system="aslsk3")
@pytest.mark.parametrize(
    ("unit", "owner", "year", "dr", "found"),
    [
        ("german/4-6-7", {}, 1944, 3, True),
        ("german/4-6-7", {}, 1944, 4, False),
        ("german/4-6-7", {}, 1945, 4, True),
        ("german/4-6-7", {"cx": True}, 1944, 3, False),
        ("german/2-4-7", {}, 1944, 2, True),
        ("german/2-4-7", {}, 1944, 3, False),
        ("german/8-0", {}, 1944, 1, True),
        ("german/8-0", {}, 1944, 2, False),
    ],
)
def test_4_4_2_pf_check_against_an_afv(unit: str, owner: dict[str, Any], year: int, dr: int, found: bool) -> None:
    clash = stand(unit=unit, owner=owner, card=KV, conditions={"year": year, "month": 3})
    assert offered(clash, panzerfaust(clash))
    clash.play(panzerfaust(clash), dr, *([(6, 5)] if found else []))
    assert clash.saw(ev.PanzerfaustChecked, found=found)


@rules("4.4.2", system="aslsk3")
def test_4_4_2_enemy_afv_alone_bring_panzerfausts() -> None:
    """From October 1943; without AFV of the enemy it takes a SSR."""
    early = stand(conditions={"year": 1943, "month": 9})
    assert early.why(panzerfaust(early)) == "4.4.2"
    late = stand(conditions={"year": 1943, "month": 10})
    assert offered(late, panzerfaust(late))
    none = Clash(
        "PFPh",
        german=side(squad("g", at="D2")),
        russian=side(squad("r", "russian/4-4-7", at="D3")),
        conditions={"year": 1944, "month": 3},
    )
    assert none.why(FireOrdnance(none.hex("D3"), unit=UnitId("g"))) == "4.4.2"


@rules("4.4.2", system="aslsk3")
@pytest.mark.parametrize(("hit", "kill"), [((3, 2), (5, 6)), ((2, 3), (3, 3))])
def test_4_4_2_a_pf_kills(hit: tuple[int, int], kill: tuple[int, int]) -> None:
    clash = stand(card=KV, **AFTER)
    clash.play(panzerfaust(clash), 3, hit, kill)
    assert needed(clash) == 9
    assert killing(clash).number.total == 31 - 11
    assert tank(clash).wreck


@rules("4.4.2", system="aslsk3")
def test_4_4_2_a_12_to_kill_is_a_dud_and_a_12_to_hit_costs_the_firer_dear() -> None:
    clash = stand(card=KV, **AFTER)
    clash.play(panzerfaust(clash), 3, (3, 2), (6, 6))
    assert killing(clash).dud
    assert not tank(clash).wreck
    clash = stand(card=KV, **AFTER)
    clash.play(panzerfaust(clash), 1, (6, 6))
    assert not clash.saw(ar.ToKillResolved)
    assert clash.saw(ev.UnitReduced)


@rules("4.4.2", system="aslsk3")
def test_4_4_2_range_by_date_against_a_vehicle() -> None:
    clash = stand(at="D1", **AFTER)
    assert clash.why(panzerfaust(clash)) == "4.4.2"
    clash = stand(at="D1", conditions={"year": 1944, "month": 6})
    assert offered(clash, panzerfaust(clash))


# --- 4.2 ------------------------------------------------------------------------------------------------------------


@rules("4.2", system="aslsk3")
@pytest.mark.parametrize(
    ("at", "flags", "kill", "number", "wreck"),
    [
        ("D2", {}, (4, 4), 8, True),
        ("D2", {}, (4, 5), 8, False),
        ("D1", {}, (2, 2), 4, True),
        ("D1", {}, (2, 3), 4, False),
        ("D4", {}, (4, 5), 9, True),
        ("D3", {}, (4, 5), 9, True),
    ],
)
def test_4_2_flame_at_an_afv(at: str, flags: dict[str, Any], kill: tuple[int, int], number: int, wreck: bool) -> None:
    """No To Hit DR, no armour; half at two hexes, one more against the rear, which the same hex is."""
    clash = stand("german/FT", at=at, card=KV, flags=flags, unit="german/8-3-8")
    assert offered(clash, shot(clash))
    clash.play(shot(clash), kill)
    assert killing(clash).number.total == number
    assert tank(clash).wreck is wreck


@rules("4.2", "7.12", system="aslsk3")
@pytest.mark.parametrize(("at", "column"), [("D2", 24), ("D1", 12)])
def test_4_2_flame_that_misses_the_armour_strikes_an_exposed_crew(at: str, column: int) -> None:
    clash = stand("german/FT", at=at, card=KV, flags={"exposed": True}, unit="german/8-3-8")
    clash.play(shot(clash), (5, 5), *([(1, 1)] if column == 24 else []))
    attack = next(event for event in clash.events if isinstance(event, ar.CrewAttacked))
    assert (attack.column, attack.drm.total) == (column, 2)
    assert clash.state.weapons[WeaponId("w0")].state is WeaponState.REMOVED


@rules("4.2", system="aslsk3")
def test_4_2_no_leader_and_no_pinned_unit_with_flame() -> None:
    mate = squad("l", "german/9-1", at="D2")
    clash = stand("german/FT", mates=(mate,))
    assert offered(clash, shot(clash))
    assert clash.why(shot(clash, leader=UnitId("l"))) == "4.2"
    assert clash.why(shot(clash, unit=UnitId("l"))) == "4.2"
    pinned = stand("german/FT", owner={"pinned": True})
    assert pinned.why(shot(pinned)) == "4.2"
    two = stand("german/FT", "german/FT", card=KV)
    two.play(shot(two), (3, 6))
    assert two.why(shot(two, "w1")) == "4.2"


@rules("4.2", system="aslsk3")
def test_4_2_a_flamethrower_of_non_elite_infantry_is_gone_sooner() -> None:
    clash = stand("german/FT", card=KV)
    clash.play(shot(clash), (3, 5))
    assert clash.state.weapons[WeaponId("w0")].state is WeaponState.REMOVED


# --- 4.5 ------------------------------------------------------------------------------------------------------------


@rules("4.5", "7.11", system="aslsk3")
def test_4_5_a_mortar_hits_vehicles_in_the_hex() -> None:
    """On the Area Target Type, nobody is meant; the hex is not empty. The size of the vehicle counts."""
    clash = stand("german/50mm MTR", at="D1", card=KV)
    assert clash.why(shot(clash)) == "3.2.4"
    action = shot(clash, victim=UnitId(""))
    assert offered(clash, action)
    clash.play(action, (4, 4), (1, 1))
    assert needed(clash) == 8
    assert clash.saw(ar.AreaHitResolved, column=2, result="immobilized")
    assert tank(clash).immobilized


@rules("4.5", "7.11", system="aslsk3")
def test_7_11_one_dr_for_infantry_and_vehicle() -> None:
    clash = Clash(
        "PFPh",
        german=side(squad("g", at="D1"), weapons=[{"id": "w0", "card": "german/50mm MTR", "owner": "g"}]),
        russian={
            **side(squad("r", "russian/4-4-7", at="D3")),
            "vehicles": [{"id": "t", "card": KV, "at": "D3", "vca": "NW/N"}],
        },
    )
    clash.play(shot(clash, victim=UnitId("")), (3, 3), (3, 4))
    assert clash.saw(ev.FireResolved, faces=(3, 4))
    assert clash.saw(ar.AreaHitResolved, faces=(3, 4))


@rules("6.1", "7.11", system="aslsk3")
def test_6_1_a_critical_hit_on_the_att_doubles_all_the_fp_against_an_afv() -> None:
    clash = stand("german/50mm MTR", at="D1", card=KV)
    clash.play(shot(clash, victim=UnitId("")), (1, 1), (6, 5))
    assert clash.saw(ar.AreaHitResolved, column=12)


# --- whom -----------------------------------------------------------------------------------------------------------


@rules("3.2.4", "7.12", system="aslsk3")
def test_7_12_small_arms_are_not_fired_at_a_buttoned_up_vehicle() -> None:
    clash = stand("german/LMG")
    assert clash.why(Fire((UnitId("g"),), (), clash.hex("D3"))) != ""
    assert clash.why(Fire((), (WeaponId("w0"),), clash.hex("D3"))) != ""


@rules("3.2.4", system="aslsk3")
def test_3_2_4_only_an_enemy_vehicle_of_the_hex_is_meant() -> None:
    clash = stand("german/ATR")
    assert clash.why(shot(clash, victim=UnitId("nobody"))) != ""
    assert clash.why(shot(clash, at="D4")) == "3.2.4"
    wreck = stand("german/ATR", flags={"wreck": True})
    assert wreck.why(shot(wreck)) == "3.2.4"


@rules("4.0", system="aslsk3")
def test_4_0_a_shot_at_a_vehicle_is_a_use_of_the_weapon() -> None:
    clash = stand("german/ATR", "german/PSK", card=KV)
    clash.play(shot(clash), (6, 5), (6, 6))
    assert not clash.unit("g").forfeited
    clash.play(shot(clash, "w1"), (6, 6))
    assert clash.unit("g").forfeited


@rules("7.12", system="aslsk3")
@pytest.mark.parametrize(("weapon", "column"), [("german/ATR", 1), ("german/HMG", 6), ("german/PSK", 12)])
def test_7_12_collateral_fp_of_support_weapons(weapon: str, column: int) -> None:
    clash = stand(weapon, card=KV, flags={"exposed": True})
    clash.play(shot(clash), (3, 3) if weapon != "german/PSK" else (3, 2), (6, 6) if weapon == "german/HMG" else (6, 5))
    attack = next((event for event in clash.events if isinstance(event, ar.CrewAttacked)), None)
    if weapon == "german/PSK":
        assert tank(clash).wreck
    else:
        assert attack is not None
        assert attack.column == column


# --- 3.3.3 ----------------------------------------------------------------------------------------------------------


def driven(*weapons: str, card: str = KV, unit: str = "german/4-6-7", **fields: Any) -> Clash:
    """A Russian tank in D3 that has just spent its start MP beside a German unit in D2, who is asked."""
    clash = stand(*weapons, phase="MPh", card=card, unit=unit, **{"attacker": "russian", **fields})
    step = VehicleStep(VehicleDeed.START)
    clash.play(MoveVehicle(TANK, (step,), halt=True), (3, 3))
    assert clash.asked == "german"
    return clash


@rules("3.3.3", "3.3.5", "4.1", system="aslsk3")
@pytest.mark.parametrize(
    ("weapon", "unit", "dice", "fp"),
    [
        # 3 FP of the LMG: half of the 2 column; kept ROF or breakdown, a miss, ATR and PF leave none.
        ("german/LMG", "german/4-6-7", [(5, 3), (6, 6)], 1),
        ("german/LMG", "german/4-6-7", [(1, 3), (6, 6)], 0),
        ("german/LMG", "german/4-6-7", [(6, 6)], 0),
        ("german/ATR", "german/4-6-7", [(5, 3), (6, 6)], 0),
        ("german/PSK", "german/4-6-7", [(5, 3), (6, 6)], 6),
        ("german/PSK", "german/4-6-7", [(5, 5), (6, 6)], 0),
        ("german/FT", "german/8-3-8", [(4, 5)], 12),
    ],
)
def test_3_3_5_residual_of_a_to_kill_attempt(weapon: str, unit: str, dice: list[Any], fp: int) -> None:
    clash = driven(weapon, unit=unit)
    clash.play(shot(clash), *dice)
    assert sum(counter.fp for counter in clash.state.residual) == fp


@rules("3.3.3", "4.4.2", system="aslsk3")
def test_3_3_3_only_the_vehicle_that_moves_is_a_target_and_as_often_as_it_spent_mp() -> None:
    clash = driven("german/ATR", conditions={"year": 1944, "month": 3})
    assert offered(clash, panzerfaust(clash))
    clash.play(panzerfaust(clash), 5)
    assert clash.why(panzerfaust(clash)) == "3.3.3"
    assert not clash.state.residual
    assert offered(clash, shot(clash))


@rules("3.3.3", "7.10", system="aslsk3")
def test_7_10_a_tank_that_is_wrecked_on_the_move_moves_no_more() -> None:
    clash = driven("german/PSK", card=BT7)
    clash.play(shot(clash), (3, 2), (2, 2))
    assert tank(clash).wreck
    assert clash.asked == "russian"
    assert clash.why(MoveVehicle(TANK, (VehicleStep(VehicleDeed.START),))) != ""


@rules("3.3.3", "7.10", system="aslsk3")
@pytest.mark.parametrize("kill", [(1, 3)])
def test_7_10_a_tank_that_is_stunned_on_the_move_stops_without_mp(kill: tuple[int, int]) -> None:
    clash = driven("german/LMG", card=BT7)
    clash.play(shot(clash), (5, 3), kill)
    assert tank(clash).is_stunned
    assert tank(clash).is_stopped
    assert clash.why(MoveVehicle(TANK, (VehicleStep(VehicleDeed.START),))) != ""
