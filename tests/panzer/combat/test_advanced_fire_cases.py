"""5.10 to 5.16, 6.5.2 to 6.5.4 read a second time: half sentences, and what was refused or let through wrongly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.dice import EnumeratingDice, SeededDice, enumerate_rolls
from sandtable.core.errors import BadInput
from sandtable.core.odds import odds, settle
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.advanced_card import (
    AdvancedCard,
    Damage,
    DamageRow,
    GpDefense,
    HitAngle,
    Inclination,
    SizeClass,
    TargetType,
    UnitClass,
)
from sandtable.systems.panzer.cards import Mount, RangeFactor, RateOfFire, Weapon
from sandtable.systems.panzer.combat.ap_hits import Round, StruckPlate, kinds_of_hit, resolve_hit
from sandtable.systems.panzer.combat.arms import Arm, Gunner, dual_of, refuse_volley
from sandtable.systems.panzer.combat.fire_events import BlastResolved, HitResolved
from sandtable.systems.panzer.combat.gp_fire import defense_of
from sandtable.systems.panzer.combat.hindrances import Met, coexisting, in_heat_haze
from sandtable.systems.panzer.facts import BlastFacts, DualFire, Harm, HarmKind
from sandtable.systems.panzer.features import FeatureKind, Sheaf
from sandtable.systems.panzer.frames import Engagement, Spreading
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import FireSmoke
from sandtable.systems.panzer.hex.combat.engagement import has_ammo_dump, with_harms
from sandtable.systems.panzer.hex.combat.gp_results import struck
from sandtable.systems.panzer.hex.combat.terrain_fire import vulnerable_around
from sandtable.systems.panzer.hex.objectives import occupants
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.hex.spotting.obscured import obscured
from sandtable.systems.panzer.markers import Floor, HullDown
from sandtable.systems.panzer.support_cards import AttachmentKind
from sandtable.systems.panzer.terrain import Cover
from sandtable.systems.panzer.unit import Spot, Status, UnitId
from tests.panzer.advanced_fire import (
    BLUE,
    NA,
    RED,
    ROWS,
    Field,
    ap,
    at,
    changed,
    engage,
    firing,
    gp,
    loaded_truck,
    rapid,
)
from tests.panzer.combat.test_advanced_combat import TABLES

rules = pytest.mark.rules


def marked(field: Field, name: str, **markers: Any) -> None:
    """Put counters on a unit."""
    unit = field.unit(name)
    changed = replace(unit, markers=replace(unit.markers, **markers))
    field.state = replace(field.state, units={**field.state.units, unit.id: changed})


def terms(breakdown: Any, label: str) -> list[int]:
    return [term.value for term in breakdown.terms if label in term.label]


@rules("5.14", "6.5.2.4", system=NA)
def test_two_rifles_at_another_target_than_the_small_arms_are_both_three_worse() -> None:
    field = Field(
        [firing("r1", "german-rifle-squad", "B1", attached=["pzb-39", "pzb-39"])],
        [at("b1", "morris-cs9", "B3"), at("b2", "morris-cs9", "C3")],
    )
    field.act(engage("b1", gp("r1")), 1)
    field.act(engage("b2", ap("r1", 1), ap("r1", 2)), 100, 100)
    shots = [event for event in field.events if isinstance(event, shared.ShotResolved)]
    assert [terms(shot.number, "Dual") for shot in shots] == [[-3], [-3]]


@rules("5.14", system=NA)
def test_both_guns_of_a_grant_fire_and_the_one_in_the_turret_is_hindered() -> None:
    field = Field([firing("r1", "grant-i", "B1")], [at("b1", "pz-iiij", "B5")], without=["bail out"])
    field.act(engage("b1", ap("r1", 0), ap("r1", 1)), 100, 100)
    shots = [event for event in field.events if isinstance(event, shared.ShotResolved)]
    assert [terms(shot.number, "Dual") for shot in shots] == [[], [-1]]


@rules("6.5.4.3", "6.5.4.2.5", "5.14", system=NA)
def test_dual_fire_hinders_a_weapon_against_terrain_too() -> None:
    lines = ROWS.splitlines()
    drawing = {"cells": "\n".join([*lines[:3], ". w . . .", *lines[4:]]), "legend": {"w": "wood_building"}}
    field = Field(
        [firing("r1", "german-rifle-squad", "B1", attached=["grw-34"])],
        [at("b1", "british-rifle-squad", "B4")],
        drawing=drawing,
        spotted={"r1": ["b1"]},
    )
    field.act(engage("b1", gp("r1"), gp("r1", 1)), 1, 1, 1)
    assert terms(field.last(ev.TerrainStruck).modifier, "Dual") == [-5]


@rules("6.5.4.4.3", system=NA)
@pytest.mark.parametrize("holder", ["b1", ""])
def test_who_is_in_an_improved_position_goes_with_it_and_nobody_beside_it(holder: str) -> None:
    rider = {"id": "b2", "card": "british-rifle-squad", "carried_by": "b1"}
    field = Field(
        [firing("r1", "flak-36", "B1")],
        [at("b1", "bedford-ql", "B4"), rider, at("b3", "british-rifle-squad", "B4")],
        features=[{"kind": "improved position", "at": ["B4"], "unit": holder}],
        spotted={"r1": ["b1", "b3"]},
    )
    target = "b1" if holder else "b3"
    before = field.state.features
    field.act(engage(target, gp("r1")), *((1, 1, 100, 100) if holder else (1,)))
    destroyed = [event for event in field.events if isinstance(event, ev.TerrainStruck)]
    assert bool(destroyed) is bool(holder)
    assert (field.state.features == before) is not bool(holder)
    assert [field.unit(name).in_play for name in ("b1", "b2", "b3")] == [not holder, not holder, True]


@rules("6.6.4.3", "6.5.4.2.2", system=NA)
def test_a_unit_that_crawls_does_not_move_for_its_defense() -> None:
    field = Field([firing("r1", "pak-38", "B1")], [at("b1", "british-rifle-squad", "B4", command="MOVE", known=True)])
    shell = BlastFacts(factor=5, range_factor=RangeFactor.P, defense=0)
    assert struck(field.context, field.state, field.unit("b1"), shell, moving=False).defense.total == 1
    marked(field, "b1", crawling=True, full_cover=True)
    found = struck(field.context, field.state, field.unit("b1"), shell, moving=False)
    assert found.defense.total == 2 + 2
    assert terms(found.modifier, "rawl") == [10]


@rules("6.1.4.3.10", system=NA)
def test_smoke_by_direct_fire_hinders_from_the_close_assault_step_on() -> None:
    field = Field(
        [firing("r1", "pz-ivd", "B1")],
        [firing("b1", "crusader-i", "B7", "N"), at("b2", "bedford-ql", "E12", command="MOVE")],
    )
    field.act(FireSmoke(UnitId("r1"), 0, field.rules.place("B4")), 1)

    def closed() -> int:
        return obscured(field.context, field.state, field.unit("r1"), field.unit("b1")).hindrances.smoke_closed

    # The Second Player fires through it as if it were not there.
    assert closed() == 0
    field.act(engage("r1", ap("b1")), 100, seat=BLUE)
    assert not terms(field.last(shared.ShotResolved).number, "Smoke")
    assert field.state.phase == "Movement"
    assert closed() == 1


@rules("4.4.3.2.2", "6.1.4.3.10", system=NA)
def test_brew_up_smoke_of_the_first_player_hinders_the_second() -> None:
    field = Field(
        [firing("r1", "flak-36", "B1")],
        [at("b1", "bedford-ql", "B4"), firing("b2", "crusader-i", "B7", "N")],
    )
    field.act(engage("b1", gp("r1")), 99, 1)
    assert field.unit("b1").status is Status.BREWED_UP
    assert [type(event) for event in field.events].count(shared.BrewUpSmokeTookEffect) == 1
    field.act(engage("r1", gp("b2", 1)), 1, seat=BLUE)
    assert terms(field.last(BlastResolved).modifier, "Smoke") == [-10]


@rules("5.15", "3.6", system=NA)
def test_a_vehicle_that_its_crew_has_left_holds_no_objective() -> None:
    field = Field([firing("r1", "pz-iiij", "B1")], [at("b1", "crusader-i", "B5")])
    place = (field.rules.place("B5"),)
    assert occupants(field.state, place, field.context.cards) == {"blue"}
    marked(field, "b1", bailed=True)
    assert occupants(field.state, place, field.context.cards) == set()


@rules("5.15", system=NA)
def test_a_vehicle_that_its_crew_has_left_fires_and_spots_no_more() -> None:
    field = Field([firing("r1", "pz-iiij", "B1"), firing("r2", "pz-iiij", "C1")], [at("b1", "crusader-i", "B5")])
    marked(field, "r1", bailed=True)
    assert field.refused(engage("b1", ap("r1"), ap("r2"))) == "4.2.1"
    assert field.refused(engage("b1", ap("r2"))) == ""


@rules("5.16.2.2", "4.4.1", system=NA)
def test_a_shot_whose_basic_ammo_does_not_reach_is_wasted_but_seen() -> None:
    field = Field([firing("r1", "panzerjager-i", "B1")], [at("b1", "crusader-i", "B4", "N")])
    context = field.context
    card = context.cards[field.unit("r1").card]
    basic, special = card.weapons[0].ammo
    weapon = replace(card.weapons[0], ammo=(replace(basic, R=replace(basic.R, P=1, S=1, M=1, L=1, E=1)), special))
    armory = context.scenario.armories[RED]
    stocked = replace(armory, cards={**armory.cards, card.id: (weapon,)})
    scenario = replace(context.scenario, armories={**context.scenario.armories, RED: stocked})
    field.rules = PanzerRules(field.rules.card, replace(context, scenario=scenario))
    field.act(engage("b1", ap("r1", 0, 1)), 7)
    assert field.last(shared.ShotWasted).firer == "r1"
    assert field.last(shared.SpotMarked) == shared.SpotMarked(UnitId("r1"), Spot.FIRE)


@rules("6.2.1.1.4", "6.5.2.1", system=NA)
def test_hits_do_not_spread_out_of_the_command_range_of_those_who_share_a_command() -> None:
    field = Field(
        [firing("r1", "flak-30", "B1", grade="Elite"), firing("r2", "pz-iiij", "C1")],
        [at("A3", "opel-blitz", "B7"), at("A1", "opel-blitz", "B6"), at("A4", "opel-blitz", "B5")],
    )
    marked(field, "r1", shares=UnitId("r2"))
    assert field.context.command_reach(field.unit("r1")) == 1
    field.run(engage("A3", ap("r1")), EnumeratingDice(()))
    frame = field.state.stack[-1]
    assert isinstance(frame, Spreading)
    assert frame.others == ("A1",)


@rules("6.5.2", "6.5.4", system=NA)
def test_what_could_hit_a_hex_is_told_of_ap_and_gp_fire() -> None:
    rider = {"id": "r3", "card": "german-rifle-squad", "carried_by": "r2", "attached": ["pzb-39"]}
    field = Field(
        [at("r1", "pak-38", "B1", "S"), at("r2", "spw-251-1", "C1", "S"), rider, at("r4", "pak-38", "D1", "N")],
        [at("b1", "crusader-i", "B5", suppression="SUPPRESSION/ON"), at("b2", "british-rifle-squad", "E9")],
        features=[{"kind": "hasty entrenchment", "at": ["E9"], "unit": "b2"}],
    )

    def told(place: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for danger in field.rules.threats(field.state, BLUE, place):
            found.setdefault(danger.unit, []).append(danger.text)
        return found

    tank = told("B5")
    assert set(tank) == {"r1", "r2", "r3"}
    assert len(tank["r1"]) == 3
    assert any("APCR: range 4" in text and "penetration" in text for text in tank["r1"])
    assert any("GP: range 4" in text and "an effect on" in text for text in tank["r1"])
    changed(field, "b1", status=Status.KNOCKED_OUT, hex=None)
    squad = field.rules.threats(field.state, BLUE, "B5")
    assert squad
    assert not any("penetration" in danger.text or "ntrench" in str(danger.breakdown) for danger in squad)


# --- odds -----------------------------------------------------------------------------------------------


def tank() -> Field:
    return rapid(Field([firing("r1", "flak-36", "B1")], [at("b1", "crusader-i", "B8", "NW")]), RateOfFire.F)


TRUCK_FATES = {"b1 KO, b2 eliminated", "b1 turret damaged, b1 track hit, b2 off its vehicle"}
TANK_FATES = {"b1 BU", "b1 track hit, b1 bailed out", "b1 turret damaged, b1 bailed out"}


@rules("5.15", "5.16.2.1", "6.5.2.1", "6.5.2.2", "6.5.2.5", "6.5.2.6.2", system=NA)
@pytest.mark.parametrize(("drawn", "fates"), [(loaded_truck, TRUCK_FATES), (tank, TANK_FATES)])
def test_odds_of_three_hits_are_exact_and_agree_with_samples(drawn: Callable[[], Field], fates: set[str]) -> None:
    field, action = drawn(), engage("b1", ap("r1"))
    chances = odds(field.rules, field.state, [(RED, action)])
    exact = {chance.what: Fraction(chance.exact) for chance in chances}
    assert sum(exact.values()) == 1
    assert fates <= set(exact)
    dice, samples = SeededDice(13), 600
    seen = Counter(
        field.rules.consequence(field.state, settle(field.rules, field.state, [(RED, action)], dice))
        for _ in range(samples)
    )
    assert set(seen) <= set(exact)
    for what, chance in exact.items():
        assert abs(seen[what] / samples - chance) < 5 * (float(chance * (1 - chance)) / samples) ** 0.5 + 0.002


@rules("6.5.2.5", system=NA)
def test_equal_positions_are_taken_together_and_the_odds_stay_the_same() -> None:
    field, action = loaded_truck(), engage("b1", ap("r1"))
    plain: dict[str, Fraction] = {}
    for after, weight in enumerate_rolls(lambda dice: settle(field.rules, field.state, [(RED, action)], dice)):
        what = field.rules.consequence(field.state, after)
        plain[what] = plain.get(what, Fraction(0)) + weight
    merged = odds(field.rules, field.state, [(RED, action)])
    assert {chance.what: Fraction(chance.exact) for chance in merged} == plain
    with pytest.raises(BadInput):
        odds(field.rules, field.state, [(RED, action)], most=10)


@rules("6.5.2.6.1", system=NA)
def test_harms_are_kept_in_one_order_and_a_wreck_has_no_others() -> None:
    frame = Engagement(UnitId("b2"), (), overwatch=False, harms=(Harm(UnitId("b2"), HarmKind.ND),))
    told = with_harms(frame, (Harm(UnitId("b1"), HarmKind.TK), Harm(UnitId("b2"), HarmKind.DM)))
    assert [(harm.unit, harm.kind.value) for harm in told] == [("b2", "DM"), ("b2", "ND"), ("b1", "TK")]
    assert with_harms(frame, (Harm(UnitId("b2"), HarmKind.BU),)) == (Harm(UnitId("b2"), HarmKind.BU),)


# --- what mutants of the code showed to be untested -------------------------------------------------------


@rules("5.14", system=NA)
def test_a_towed_unit_has_no_dual_fire_and_second_targets_need_the_primary_weapon_first() -> None:
    small, rifle = (
        Arm(Weapon("rifles", RateOfFire.F, Mount.ALL)),
        Arm(Weapon("ATR", RateOfFire.N, Mount.ALL), AttachmentKind.ATR),
    )
    two = refuse_volley(Gunner(UnitClass.VEHICLE, is_suppressed=False), (small, small), [0, 1])
    assert two is not None, "one of two weapons that fire together is printed as a reverse image"
    assert two.rule == "5.14"
    arms = (small, rifle, rifle)
    refusals = {
        kind: refuse_volley(Gunner(kind, is_suppressed=False), arms, [0, 1])
        for kind in (UnitClass.TOWED, UnitClass.SQUAD)
    }
    assert refusals[UnitClass.TOWED] is not None
    assert refusals[UnitClass.SQUAD] is None
    squad = Gunner(UnitClass.SQUAD, is_suppressed=False, fired=(1,))
    refusal = refuse_volley(squad, arms, [2])
    assert refusal is not None
    assert refusal.rule == "5.14"
    assert refuse_volley(squad._replace(fired=(0,)), arms, [2]) is None
    volley = (ap("r1", 1), ap("r1", 2))
    assert dual_of(arms, volley[0], volley, (1, 2)) is DualFire.SAME
    assert dual_of(arms, volley[0], volley[:1], (1,)) is DualFire.NONE
    assert dual_of(arms, volley[0], volley[:1], (0, 1)) is DualFire.OTHER


@rules("6.5.4.2.2", system=NA)
def test_a_gp_defense_factor_is_never_over_ten() -> None:
    card = AdvancedCard(gp_defense=GpDefense(2, 4, 6, 9, full_cover=2))
    assert defense_of(card, Cover.HEAVY, full_cover=True, moving=False).total == 10
    assert defense_of(card, Cover.HEAVY, full_cover=True, moving=True).total == 9


@rules("6.5.2.5", "6.5.4.4.2", system=NA)
def test_a_brew_up_does_not_suppress_enemies_in_the_hex() -> None:
    field = Field(
        [firing("r1", "flak-36", "B1"), at("r2", "pz-iiij", "B4")],
        [at("b1", "bedford-ql", "B4"), at("b2", "crusader-i", "B4")],
        spotted={"r1": ["b1"]},
    )
    field.act(engage("b1", gp("r1")), 99, 1)
    assert field.unit("b2").markers.is_suppressed
    assert not field.unit("r2").markers.is_suppressed


def carrying(carrier: str, *, suppressed: str = "", track: bool = False) -> Field:
    """A carrier with a squad under the fire of a rapid gun at its dump."""
    squad = {"id": "b2", "card": "german-rifle-squad", "carried_by": "b1", "suppression": suppressed}
    return Field([firing("r1", "flak-36", "B1")], [at("b1", carrier, "B4", "N", track=track), squad])


@rules("6.5.2.6.2", "6.5.2.6.1", system=NA)
def test_passengers_under_cover_do_not_roll_for_a_track_hit_and_others_do() -> None:
    for carrier, more in (("spw-251-1", ()), ("opel-blitz", (50,))):
        field = carrying(carrier)
        field.act(engage("b1", ap("r1")), 60, 100, 31, *more)
        assert bool(field.unit("b2").markers.carrier) is not bool(more)


@rules("6.5.2.2.1", "6.5.2.6.1", "6.5.2.6.2", system=NA)
def test_a_second_track_hit_frightens_passengers_and_not_the_crew() -> None:
    field = carrying("opel-blitz", track=True)
    field.act(engage("b1", ap("r1")), 60, 100, 50)
    assert not field.unit("b1").markers.bailed
    assert not field.unit("b2").markers.carrier


@rules("6.5.4.5", "5.10", system=NA)
@pytest.mark.parametrize(("before", "rolls"), [("SUPPRESSION/ON", ()), ("SUPPRESSION/OFF", (21,)), ("", (21,))])
def test_a_passenger_with_suppression_on_does_not_check_again(before: str, rolls: tuple[int, ...]) -> None:
    field = carrying("opel-blitz", suppressed=before)
    field.act(engage("b1", gp("r1")), 1, 40, *rolls)
    assert field.unit("b2").markers.suppression.value == "SUPPRESSION/ON"
    assert field.unit("b2").markers.carrier == "b1"


@rules("5.16.2.1", system=NA)
def test_a_gun_that_is_short_fires_at_the_normal_rate() -> None:
    for roll, hits in ((7, 1), (6, 2)):
        field = Field([firing("r1", "flak-36", "B1")], [at("b1", "crusader-i", "B4", "N")], without=["bail out"])
        changed(field, "r1", hex=field.rules.place("B2"))
        field.act(engage("b1", ap("r1")), roll, 1, *[91] * hits)
        assert len([event for event in field.events if isinstance(event, HitResolved)]) == hits


@rules("5.16.2.4", system=NA)
@pytest.mark.parametrize(("place", "is_supplied"), [("B4", True), ("B5", False)])
def test_a_gun_draws_basic_ammo_from_its_own_transport_within_a_hex(place: str, is_supplied: bool) -> None:
    gun = {"id": "r1", "card": "pak-38", "carried_by": "r2", "command": "FIRE"}
    field = Field([at("r2", "opel-blitz", "B4"), gun], [at("b1", "crusader-i", "B9")])
    marked(field, "r1", carrier=UnitId(""))
    marked(field, "r2", passengers=())
    changed(field, "r1", hex=field.rules.place("B3"))
    changed(field, "r2", hex=field.rules.place(place))
    assert has_ammo_dump(field.context, field.state, field.unit("r1")) is is_supplied
    changed(field, "r2", status=Status.KNOCKED_OUT, hex=None)
    assert not has_ammo_dump(field.context, field.state, field.unit("r1"))


@rules("6.5.4.4.3", system=NA)
@pytest.mark.parametrize(("kind", "rolls"), [("mines", (100,)), ("wire", (100, 100))])
def test_one_effective_result_clears_mines_and_two_cut_wire(kind: str, rolls: tuple[int, ...]) -> None:
    field = Field(
        [firing("r1", "flak-36", "B1")],
        [at("b1", "british-rifle-squad", "B4")],
        features=[{"kind": kind, "at": ["B4"], "defense": 3}],
    )
    field.act(engage("b1", gp("r1")), 1, *rolls)
    assert field.last(ev.TerrainStruck).rolls == rolls
    assert not field.state.features
    assert field.unit("b1").in_play


@rules("6.5.2.2.4", system=NA)
def test_damage_to_the_turret_hinders_fire_and_damage_to_the_hull_does_not() -> None:
    for part, ap_term, gp_term in (("turret_damaged", [-3], [-10]), ("hull_damaged", [], [])):
        hurt: dict[str, Any] = {"id": "r1", "card": "pz-iiij", "at": "B1", "facing": "S", "command": "FIRE", part: True}
        field = Field([hurt], [at("b1", "crusader-i", "B4", "N")])
        field.act(engage("b1", ap("r1")), 100)
        assert terms(field.last(shared.ShotResolved).number, "amaged") == ap_term
        field = Field([hurt], [at("b1", "crusader-i", "B4", "N")])
        field.act(engage("b1", gp("r1")), 1)
        assert terms(field.last(BlastResolved).modifier, "amaged") == gp_term


@rules("6.5.4.2.5", "6.1.4.3.1", system=NA)
def test_fire_at_a_vehicle_in_an_alley_does_not_attack_the_buildings() -> None:
    lines = ROWS.splitlines()
    drawing = {"cells": "\n".join([*lines[:3], ". w . . .", *lines[4:]]), "legend": {"w": "brick_building"}}
    units = [at("b1", "bedford-ql", "B4"), at("b2", "british-rifle-squad", "B4"), at("b3", "crusader-i", "B4")]
    field = Field([firing("r1", "flak-36", "B1")], units, drawing=drawing, spotted={"r1": ["b1"]})
    found = {name: vulnerable_around(field.context, field.state, field.unit(name)) for name in ("b1", "b2", "b3")}
    assert [len(ground) for ground in found.values()] == [0, 1, 0]
    marked(field, "b3", floor=Floor.INSIDE)
    assert len(vulnerable_around(field.context, field.state, field.unit("b3"))) == 1


@rules("6.5.2.5", system=NA)
def test_the_units_digit_against_an_s_type_vehicle_is_never_less_than_one() -> None:
    truck, shell = AdvancedCard(TargetType.S, gp_defense=1), Round(12, DamageRow(ND=0, DM=4, KO=8))
    plate = StruckPlate(HitAngle.FRONT, Inclination.LEVEL, HullDown.NONE)
    assert resolve_hit(TABLES, truck, plate, shell, 61).damage is Damage.DM
    kinds = kinds_of_hit(TABLES, truck, plate, shell)
    assert kinds.of(61) == kinds.of(63) == kinds.of(66)
    assert kinds.of(61) != kinds.of(67)


@rules("5.11", "6.5.2.4", "6.5.4.3", system=NA)
def test_smoke_of_two_missions_counts_twice_and_that_of_one_once() -> None:
    first, second = (Met(FeatureKind.SMOKE, Sheaf.CLOSED, name) for name in ("battery", "mortar"))
    assert coexisting([[first], [second]], TABLES).smoke_closed == 2
    assert coexisting([[first], [first]], TABLES).smoke_closed == 1
    assert [in_heat_haze(TABLES, SizeClass.V, far) for far in (7, 8)] == [False, True]
