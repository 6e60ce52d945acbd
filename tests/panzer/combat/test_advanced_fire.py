"""6.5.2, 6.5.3, 6.5.4 on hexes: who fires what on whom, and what comes of it through the whole chain."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.dice import EnumeratingDice, SeededDice, enumerate_rolls
from sandtable.core.frames import Opened
from sandtable.geo.hex import Hex
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.advanced_card import HitAngle, UnitClass
from sandtable.systems.panzer.cards import RateOfFire
from sandtable.systems.panzer.combat.arms import Gunner, refuse_volley
from sandtable.systems.panzer.combat.fire_events import AmmoRolled, BlastResolved, HitResolved, HitsSpread
from sandtable.systems.panzer.frames import AngleChoice, Engaging, Spreading
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import ChooseAngle, Decline, Engage, FireSmoke, SpreadHits
from sandtable.systems.panzer.hex.combat.direct_smoke import refuse_smoke, smoke_hexes
from sandtable.systems.panzer.hex.combat.measures import angles_of, plate_of
from sandtable.systems.panzer.hex.state import Unit
from sandtable.systems.panzer.markers import Floor
from sandtable.systems.panzer.support_cards import AttachmentKind
from sandtable.systems.panzer.unit import Spot, Status, UnitId
from tests.panzer.advanced_fire import BLUE, NA, RED, ROWS, Field, ap, at, engage, firing, gp

rules = pytest.mark.rules


def net(field: Field) -> int:
    """The net modifier of the last hit number."""
    number: int = field.last(shared.ShotResolved).number.net
    return number


# --- who fires what -------------------------------------------------------------------------------------


@rules("6.5.2", "6.5.4", system=NA)
def test_ap_fire_is_for_vehicles_alone_and_all_announce_on_one_target() -> None:
    field = Field(
        [firing("r1", "pz-iiij", "B1"), firing("r2", "pz-iiij", "C1")],
        [at("b1", "british-rifle-squad", "B3"), at("b2", "crusader-i", "B5")],
    )
    assert field.refused(engage("b1", ap("r1"), gp("r2"))) == "6.5.2"
    assert field.refused(engage("b1", gp("r1"), gp("r2"))) == ""
    assert field.refused(engage("b1")) == "4.4.1"
    assert field.refused(engage("b1", gp("b2"))) == "3.1"
    assert field.refused(engage("r1", gp("r2"))) == "6.5.4"
    assert field.refused(engage("b1", gp("r1", 1))) == "6.5.2"
    assert field.refused(engage("b1", gp("r1", 0, 1))) == "6.5.4"
    assert field.refused(engage("b2", ap("r1", 0, 2))) == "6.5.2"
    assert field.refused(Decline()) == "4.4.1"
    field.act(engage("b1", gp("r1")), 1)
    assert field.refused(engage("b1", gp("r2"))) == "4.4.1"
    assert field.refused(engage("b2", ap("r1"), ap("r2"))) == "4.4.1"


@rules("5.6", "5.1.3.1", system=NA)
def test_a_mortar_has_a_minimum_range_and_does_not_fire_upstairs() -> None:
    near = Field([firing("r1", "german-section", "B1", attached=["grw-34"])], [at("b1", "british-rifle-squad", "B2")])
    assert near.refused(engage("b1", gp("r1", 1))) == "5.6"
    assert near.refused(engage("b1", gp("r1", 0))) == ""
    same = Field([firing("r1", "pz-iiij", "B1")], [at("b1", "crusader-i", "B1"), at("b2", "crusader-i", "B4")])
    assert same.refused(engage("b1", ap("r1"))) == "5.6"
    assert not AttachmentKind.MORTAR.fires_upstairs


@rules("5.1.3.2", "5.1.3.3", "5.1.3.4", "6.6.7.2", system=NA)
def test_passengers_fire_small_arms_and_anti_tank_rifles_but_no_machine_gun() -> None:
    def riding(attached: str, command: str) -> Field:
        squad = {"id": "r2", "card": "german-rifle-squad", "carried_by": "r1", "attached": [attached]}
        return Field(
            [at("r1", "spw-251-1", "B1", "S", command=command), squad, firing("r3", "pz-iiij", "C1")],
            [at("b1", "crusader-i", "B3")],
        )

    assert riding("german-hmg", "FIRE").refused(engage("b1", gp("r1"), gp("r2", 1), ap("r3"))) == "6.6.7.2"
    assert riding("german-hmg", "MOVE").refused(engage("b1", gp("r2"), ap("r3"))) == "4.2.1"
    field = riding("pzb-39", "FIRE")
    assert field.refused(engage("b1", gp("r1"), ap("r2", 1), ap("r3"))) == ""
    field.act(engage("b1", gp("r1"), ap("r2", 1), ap("r3")), 1, 100, 100)
    shots = [event for event in field.events if isinstance(event, shared.ShotResolved)]
    assert [term.value for term in shots[0].number.terms if "ransport" in term.label] == [-2]
    assert field.unit("r1").new_spot is Spot.FIRE_SA
    assert field.unit("r2").new_spot is Spot.NONE
    assert AttachmentKind.ATR.fires_transported
    assert not AttachmentKind.HAND_HELD.fires_transported


@rules("5.1", "5.2", "5.10", system=NA)
def test_guns_fire_to_their_front_and_leg_units_all_round_unless_suppressed() -> None:
    target = [at("b1", "crusader-i", "B5")]
    front = Field([firing("r1", "pak-38", "B1"), firing("r2", "pz-iiij", "C1")], target)
    assert front.refused(engage("b1", ap("r1"), ap("r2"))) == ""
    rear = Field([firing("r1", "pak-38", "B1", "N"), firing("r2", "pz-iiij", "C1")], target)
    assert rear.refused(engage("b1", ap("r1"), ap("r2"))) == "4.4.3.1"
    squad = Field([firing("r1", "german-rifle-squad", "B1", "N"), firing("r2", "pz-iiij", "C1")], target)
    assert squad.refused(engage("b1", gp("r1"), ap("r2"))) == ""
    shaken = Field(
        [
            firing("r1", "german-rifle-squad", "B1", "N", suppression="SUPPRESSION/ON"),
            firing("r2", "pz-iiij", "C1"),
        ],
        target,
        spotted={"r1": ["b1"], "r2": ["b1"]},
    )
    assert shaken.refused(engage("b1", gp("r1"), ap("r2"))) == "4.4.3.1"


@rules("5.7", system=NA)
def test_small_arms_leave_another_spot_counter() -> None:
    field = Field([firing("r1", "german-rifle-squad", "B1")], [at("b1", "british-rifle-squad", "B3")])
    field.act(engage("b1", gp("r1")), 1)
    assert field.unit("r1").new_spot is Spot.FIRE_SA
    gun = Field([firing("r1", "pak-38", "B1")], [at("b1", "british-rifle-squad", "B3")])
    gun.act(engage("b1", gp("r1")), 1)
    assert gun.unit("r1").new_spot is Spot.FIRE
    assert gun.unit("b1").markers.under_fire


# --- 5.14 Dual Fire -------------------------------------------------------------------------------------


@rules("5.14", "6.5.2.4", system=NA)
def test_an_anti_tank_rifle_beside_the_small_arms_takes_the_dual_fire_modifier() -> None:
    def squad(*targets: str) -> Field:
        return Field(
            [firing("r1", "german-rifle-squad", "B1", attached=["pzb-39"])],
            [at(name, "morris-cs9", place) for name, place in zip(targets, ("B3", "C3"), strict=False)],
        )

    alone = squad("b1")
    alone.act(engage("b1", ap("r1", 1)), 100)
    both = squad("b1")
    both.act(engage("b1", gp("r1"), ap("r1", 1)), 1, 100)
    assert net(both) - net(alone) == -1
    apart = squad("b1", "b2")
    apart.act(engage("b1", gp("r1")), 1)
    apart.act(engage("b2", ap("r1", 1)), 100)
    assert net(apart) - net(alone) == -3


@rules("5.14", system=NA)
def test_of_a_morris_both_weapons_fire_and_the_mmg_is_hindered() -> None:
    field = Field([firing("r1", "morris-cs9", "B1")], [at("b1", "opel-blitz", "B3"), at("b2", "opel-blitz", "C3")])
    field.act(engage("b1", ap("r1"), gp("r1", 1)), 100, 1)
    terms = {term.label: term.value for term in field.last(BlastResolved).modifier.terms}
    assert -5 in terms.values()
    assert not [term for term in field.last(shared.ShotResolved).number.terms if "Dual" in term.label]
    gunner = Gunner(UnitClass.VEHICLE, is_suppressed=False, fired=(1,))
    refusal = refuse_volley(gunner, field.context.guns(field.unit("r1")), [0])
    assert refusal is not None
    assert refusal.rule == "5.14"


@rules("5.14", "5.1.1", "5.1.2", system=NA)
def test_sections_and_suppressed_units_fire_one_weapon() -> None:
    for card, more, number in (
        ("german-section", {}, "5.1.2"),
        ("german-rifle-squad", {"suppression": "SUPPRESSION/OFF"}, "5.14"),
        ("german-rifle-squad", {}, ""),
    ):
        field = Field([firing("r1", card, "B1", attached=["pzb-39"], **more)], [at("b1", "morris-cs9", "B3")])
        assert field.refused(engage("b1", gp("r1"), ap("r1", 1))) == number
        assert field.refused(engage("b1", ap("r1", 1))) == ""
    off = Field(
        [firing("r1", "german-rifle-squad", "B1", attached=["pzb-39"])],
        [at("b1", "morris-cs9", "B3")],
        without=["dual fire"],
    )
    assert off.refused(engage("b1", gp("r1"), ap("r1", 1))) == "5.14"
    arms = off.context.guns(off.unit("r1"))
    gunner = Gunner(off.context.cards[off.unit("r1").card].unit_class, is_suppressed=False)
    refusal = refuse_volley(gunner, arms, [1, 1])
    assert refusal is not None
    assert refusal.rule == "4.4.1"


# --- 5.16 Ammo Limits -----------------------------------------------------------------------------------


@rules("5.16", "5.16.2", "5.16.2.2", system=NA)
def test_a_panzerjaeger_that_is_short_of_apcr_fires_ap_with_three_less() -> None:
    def fired(row: int, *dice: int) -> Field:
        field = Field([firing("r1", "panzerjager-i", "B1")], [at("b1", "crusader-i", "B4", "N")])
        field.act(engage("b1", ap("r1", 0, row)), *dice)
        return field

    plain, short, special = fired(0, 100), fired(1, 7, 100), fired(1, 4, 100)
    assert short.last(shared.ShotResolved).ammo == "AP"
    assert net(short) - net(plain) == -3
    assert special.last(shared.ShotResolved).ammo == "APCR"
    assert net(special) == net(plain)


@rules("5.16.2.1", "5.16.2.4", system=NA)
def test_a_gun_away_from_its_dump_and_its_transport_may_be_short() -> None:
    def gun(**more: Any) -> Field:
        return Field([firing("r1", "pak-38", "B1", **more)], [at("b1", "crusader-i", "B4", "N")])

    dump = gun()
    dump.act(engage("b1", ap("r1")), 100)
    assert not [event for event in dump.events if isinstance(event, AmmoRolled)]
    away = gun()
    moved = replace(away.unit("r1"), hex=away.rules.place("B2"))
    away.state = replace(away.state, units={**away.state.units, moved.id: moved})
    away.act(engage("b1", gp("r1")), 7, 1)
    assert away.last(AmmoRolled).short == 1
    assert -10 in [term.value for term in away.last(BlastResolved).modifier.terms]


@rules("6.1.4.3.10", "5.16.2.3", system=NA)
def test_smoke_by_direct_fire_fills_a_hex_unless_the_rounds_are_short() -> None:
    for lies in (True, False):
        field = Field([firing("r1", "pz-ivd", "B1"), at("r2", "pz-iiij", "B4")], [at("b1", "crusader-i", "B7")])
        limit = field.context.guns(field.unit("r1"))[0].weapon.limits.S
        assert limit is not None
        assert field.refused(FireSmoke(UnitId("r1"), 0, field.rules.place("B4"))) == "6.1.4.3.10"
        assert field.refused(FireSmoke(UnitId("r1"), -1, field.rules.place("B2"))) == "6.1.4.3.10"
        assert field.refused(FireSmoke(UnitId("r2"), 0, field.rules.place("B5"))) == "6.1.4.3.10"
        field.act(FireSmoke(UnitId("r1"), 0, field.rules.place("B6")), limit if lies else limit + 1)
        assert bool(field.state.features) is lies
        assert field.last(shared.SpotMarked) == shared.SpotMarked(UnitId("r1"), Spot.FIRE)


@rules("6.1.4.3.10", "6.1.4.3.1", system=NA)
def test_smoke_is_offered_wherever_a_floor_lets_it_be_seen() -> None:
    drawing = {"cells": "x\n.\nb\n.\n.\n.", "legend": {"x": "brick_building", "b": "wood_building"}}
    stood = [firing("r1", "pz-ivd", "A1")]
    field = Field(stood, [at("b1", "crusader-i", "A5")], drawing=drawing, conditions={"building_storeys": {"A1": 3}})
    low = field.unit("r1")
    high = replace(low, markers=replace(low.markers, floor=Floor.UP))

    def allowed(unit: Unit) -> set[Hex]:
        hexes = field.context.game_map.hexes
        return {hex for hex in hexes if refuse_smoke(field.context, field.state, unit, 0, hex) is None}

    for unit in (low, high):
        assert set(smoke_hexes(field.context, field.state, unit, 0)) == allowed(unit)
    assert allowed(low) < allowed(high)


# --- 6.5.2 AP fire --------------------------------------------------------------------------------------


@rules("6.5.2.2", system=NA)
def test_six_hit_angles_by_the_facing_of_the_target() -> None:
    field = Field([firing("r1", "pz-iiij", "C3")], [at("b1", "crusader-i", "C7")])
    firer, found = field.unit("r1"), []
    for facing in ("N", "NE", "SE", "S", "SW", "NW"):
        turned = Field([firing("r1", "pz-iiij", "C3")], [at("b1", "crusader-i", "C7", facing)])
        found.append(angles_of(firer, turned.unit("b1")))
    assert [[angle.value for angle in angles] for angles in found] == [
        ["Front"],
        ["Front/Side"],
        ["Rear/Side"],
        ["Rear"],
        ["Rear/Side"],
        ["Front/Side"],
    ]


@rules("6.5.2.2", system=NA)
def test_on_the_dividing_line_the_owner_of_the_target_picks_the_angle() -> None:
    field = Field([firing("r1", "pz-iiij", "E4")], [at("b1", "crusader-i", "C7", "N")], without=["bail out"])
    assert len(angles_of(field.unit("r1"), field.unit("b1"))) == 2
    field.act(engage("b1", ap("r1")), 1)
    frame = field.state.stack[-1]
    assert isinstance(frame, AngleChoice)
    decision = field.rules.decision(field.state)
    assert decision is not None
    assert decision.asked == (BLUE,)
    other = next(angle for angle in type(frame.angles[0]) if angle not in frame.angles)
    assert field.refused(ChooseAngle(other), BLUE) == "6.5.2.2"
    field.act(ChooseAngle(frame.angles[1]), 91, seat=BLUE)
    assert field.last(HitResolved).angle == frame.angles[1].value


@rules("6.5.2.2.1", "6.5.2.6.1", "5.15", system=NA)
def test_a_track_hit_stops_a_vehicle_and_its_crew_may_leave() -> None:
    for roll, bails in ((30, True), (31, False)):
        field = Field([firing("r1", "pz-iiij", "B1")], [at("b1", "crusader-i", "B4", "N")])
        field.act(engage("b1", ap("r1")), 1, 100, roll)
        assert field.last(HitResolved).location == "TK"
        assert field.unit("b1").markers.track
        assert field.unit("b1").markers.bailed is bails


@rules("6.5.2.2.4", "6.5.2.5", system=NA)
def test_a_second_damage_of_either_part_knocks_out() -> None:
    field = Field([firing("r1", "pz-iiij", "B1")], [at("b1", "crusader-i", "B4", "N", turret_damaged=True)])
    field.act(engage("b1", ap("r1")), 1, 64)
    assert field.last(HitResolved).effect == "DM"
    assert field.unit("b1").status is Status.KNOCKED_OUT


@rules("6.5.2.2.2", "6.5.2.3.1", system=NA)
def test_from_a_hill_a_shot_falls_and_towards_it_it_rises() -> None:
    drawing = {"cells": ROWS.replace(". . . . .", ".1 .1 .1 .1 .1", 1)}
    field = Field([firing("r1", "pz-iiij", "B1")], [at("b1", "crusader-i", "B2", "N")], drawing=drawing)
    hill, plain = field.unit("r1"), field.unit("b1")
    for firer, target, told in ((hill, plain, "Falling"), (plain, hill, "Rising"), (hill, hill, "Level")):
        plate = plate_of(field.context, field.state, firer, target, HitAngle.FRONT)
        assert plate.inclination.value == told


@rules("6.5.2.1", system=NA)
def test_further_hits_spread_to_vehicles_within_the_command_range_of_the_unit() -> None:
    def shoot(grade: str) -> Field:
        field = Field(
            [firing("r1", "flak-30", "B1", grade=grade)],
            [at("A3", "opel-blitz", "B7"), at("A1", "opel-blitz", "B6"), at("A4", "opel-blitz", "B5")],
        )
        assert field.context.guns(field.unit("r1"))[0].weapon.rof is not RateOfFire.N
        field.run(engage("A3", ap("r1")), EnumeratingDice(()))
        return field

    regulars = shoot("Regulars")
    assert not [event for event in regulars.events if isinstance(event, Opened) and isinstance(event.frame, Spreading)]
    veteran = shoot("Veteran")
    frame = veteran.state.stack[-1]
    assert isinstance(frame, Spreading)
    assert frame.others == ("A1",)
    wide = shoot("Elite").state.stack[-1]
    assert isinstance(wide, Spreading)
    assert wide.others == ("A1", "A4")
    assert veteran.refused(SpreadHits(())) == "6.5.2.1"
    assert veteran.refused(SpreadHits((UnitId("A4"),) * (frame.hits - 1))) == "6.5.2.1"
    hits = (UnitId("A1"),) * (frame.hits - 1)
    veteran.run(SpreadHits(hits), SeededDice(1))
    assert veteran.last(HitsSpread).targets == (UnitId("A3"), *hits)
    assert veteran.unit("A1").markers.under_fire


@rules("6.5.2.3.4", system=NA)
def test_ke_and_ce_meet_the_same_armor() -> None:
    def struck(row: int) -> tuple[str, int]:
        field = Field(
            [firing("r1", "pz-ivf1", "B1")],
            [at("b1", "crusader-i", "B4", "N")],
            without=["ammunition limits", "bail out"],
        )
        field.act(engage("b1", ap("r1", 0, row)), 1, 61)
        margin = field.last(HitResolved).margin
        return field.last(shared.ShotResolved).ammo, margin.terms[0].value

    kinds = dict(map(struck, range(2)))
    assert set(kinds) == {"AP", "HEAT"}
    assert len(set(kinds.values())) == 1


# --- 6.5.4 GP fire --------------------------------------------------------------------------------------


@rules("6.5.4.2.3", "6.5.4.5", "5.15", system=NA)
def test_passengers_are_struck_with_their_vehicle_and_escape_from_its_wreck_or_not() -> None:
    def hit(*dice: int) -> Field:
        squad = {"id": "b2", "card": "british-rifle-squad", "carried_by": "b1"}
        field = Field([firing("r1", "flak-36", "B1")], [at("b1", "bedford-ql", "B4"), squad])
        assert field.refused(engage("b2", gp("r1"))) == "6.5.4.2.3"
        field.act(engage("b1", gp("r1")), *dice)
        return field

    away = hit(92, 10, 1, 21)
    assert away.unit("b1").status is Status.KNOCKED_OUT
    assert away.unit("b2").in_play
    assert away.unit("b2").markers.is_suppressed
    assert not away.unit("b2").markers.carrier
    lost = hit(92, 10, 1, 20)
    assert not lost.unit("b2").in_play


@rules("6.5.4.2.5", "6.5.4.4.3", system=NA)
def test_two_effective_results_bring_a_building_down_on_all_in_it() -> None:
    lines = ROWS.splitlines()
    drawing = {"cells": "\n".join([*lines[:3], ". w . . .", *lines[4:]]), "legend": {"w": "wood_building"}}
    blue = [at("b1", "british-rifle-squad", "B4"), at("b2", "opel-blitz", "B4")]
    field = Field([firing("r1", "flak-36", "B1")], blue, drawing=drawing, spotted={"r1": ["b1"]})
    field.act(engage("b1", gp("r1")), 1, 100, 100)
    struck = field.last(ev.TerrainStruck)
    assert (struck.terrain, struck.defense, struck.destroyed) == ("wood_building", 4, True)
    assert not field.unit("b1").in_play
    assert not field.unit("b2").in_play
    assert not field.state.wrecks
    assert [feature.kind.value for feature in field.state.features] == ["rubble"]
    small = Field([firing("r1", "german-rifle-squad", "B2")], blue, drawing=drawing, spotted={"r1": ["b1"]})
    small.act(engage("b1", gp("r1")), 1)
    assert not [event for event in small.events if isinstance(event, ev.TerrainStruck)]


@rules("6.5.4.2.2", system=NA)
def test_a_leg_unit_that_moves_shows_it_and_is_easier_to_hit() -> None:
    field = Field([firing("r1", "pak-38", "B1")], [at("b1", "british-rifle-squad", "B4", command="MOVE")])
    assert not field.unit("b1").known
    field.act(engage("b1", gp("r1")), 1)
    assert field.unit("b1").known
    assert field.last(BlastResolved).defense == 1


@rules("6.5.3", "6.5.4.3", system=NA)
def test_overwatch_of_a_half_squad_at_a_moving_sherman() -> None:
    field = Field(
        [at("r1", "german-rifle-squad", "B1", "S", command="OW", reduced=True)],
        [at("b1", "sherman-iii", "B2", "N", command="MOVE", known=True)],
        opened="overwatch",
        player="red",
        triggers=["b1"],
    )
    assert field.refused(engage("b1", gp("b1"))) == "4.2"
    field.act(engage("b1", gp("r1")), 71)
    blast = field.last(BlastResolved)
    assert (blast.factor, blast.defense, blast.modifier.total, blast.result) == (6, 3, -35, "No Effect")


# --- odds and whole games -------------------------------------------------------------------------------


def chances(field: Field, action: Engage) -> dict[str, Fraction]:
    """The exact odds of what comes of an action."""
    before = field.state
    found: dict[str, Fraction] = {}
    for state, weight in enumerate_rolls(lambda dice: field.rules.resolve(before, RED, action, dice).state):
        what = field.rules.consequence(before, state)
        found[what] = found.get(what, Fraction(0)) + weight
    return found


@rules("6.5.2", "6.5.2.1", "6.5.2.5", "6.5.2.6.1", "6.5.4", "6.5.4.4.2", system=NA)
@pytest.mark.parametrize(
    ("firer", "target", "shot"),
    [
        (firing("r1", "flak-30", "B1"), at("b1", "crusader-i", "B3", "N"), ap("r1")),
        (firing("r1", "flak-36", "B1"), at("b1", "bedford-ql", "B3", "N"), gp("r1")),
    ],
)
def test_exact_odds_through_the_whole_chain_agree_with_samples(firer: Any, target: Any, shot: Any) -> None:
    field = Field([firer], [target])
    action = engage("b1", shot)
    exact = chances(field, action)
    assert sum(exact.values()) == 1
    dice, seen, samples = SeededDice(11), dict.fromkeys(exact, 0), 1000
    for _ in range(samples):
        seen[field.rules.consequence(field.state, field.rules.resolve(field.state, RED, action, dice).state)] += 1
    for what, chance in exact.items():
        assert abs(seen[what] / samples - float(chance)) < 4 * (float(chance * (1 - chance)) / samples) ** 0.5 + 0.002


def small_battle(seed: int) -> Field:
    """Two tanks, a squad with a rifle, a gun and a carrier with men against as many, on open ground."""
    rider = {"id": "r6", "card": "german-rifle-squad", "carried_by": "r5"}
    red = [
        at("r1", "pz-iiij", "A1", "S"),
        at("r2", "panzerjager-i", "B1", "S"),
        at("r3", "german-rifle-squad", "B3", "S", attached=["pzb-39"]),
        at("r4", "pak-38", "A2", "S"),
        at("r5", "spw-251-1", "C2", "S"),
        rider,
    ]
    blue = [
        at("b1", "crusader-i", "A6", "N"),
        at("b2", "grant-i", "B6", "N"),
        at("b3", "british-rifle-squad", "B5", "N", attached=["boys-atr", "oml-2in"]),
        at("b4", "qf-2pdr", "C6", "N"),
    ]
    field = Field(red, blue, opened="spotting", turns=3, drawing={"cells": "\n".join([". . ."] * 6)})
    rng, dice = Random(seed), SeededDice(seed)
    for _ in range(1000):
        decision = field.rules.decision(field.state)
        if decision is None:
            return field
        seat = decision.asked[0]
        action = decision.options(seat).sample(rng)
        assert field.rules.refusal(field.state, seat, action) is None
        events = field.run(action, dice, seat)
        assert all(isinstance(field.rules.narrate(event), str) for event in events)
    raise AssertionError("no end")


@rules("6.5", system=NA)
@pytest.mark.parametrize("seed", range(20))
def test_random_games_of_tanks_guns_and_squads_come_to_their_end(seed: int) -> None:
    assert small_battle(seed).state.ended


def test_the_step_of_the_advanced_game_has_a_frame_of_its_own() -> None:
    field = Field([firing("r1", "pz-iiij", "B1")], [at("b1", "crusader-i", "B4")])
    assert field.state.stack == (Engaging(RED, first=True),)
