"""Spotting and terrain of the Advanced Game, rule by rule (5.11, 5.13, 6.1)."""

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.errors import BadInput, Faults
from sandtable.geo.map import Edge
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.advanced_card import AdvancedCard, SizeClass, UnitClass
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.combat.hindrances import Met, coexisting, in_heat_haze
from sandtable.systems.panzer.cover import automatic_hull_down, refuse_command_in_cover
from sandtable.systems.panzer.facts import CLEAR, Hindrances
from sandtable.systems.panzer.features import CounterSide, FeatureKind, Sheaf, entry_barred
from sandtable.systems.panzer.formations import Enlisted, FormationId
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.features import Feature, FeatureDraft, adjusted, build_features, occupied, placed
from sandtable.systems.panzer.hex.fold import FACTS
from sandtable.systems.panzer.hex.scenario.draft import Sun
from sandtable.systems.panzer.hex.sight.hindrances import sun_blinds
from sandtable.systems.panzer.hex.spotting.dust import dust_of
from sandtable.systems.panzer.hex.spotting.full_cover import refuse_full_cover
from sandtable.systems.panzer.hex.spotting.hull_down import crosses_wall, hull_down_of, position_of
from sandtable.systems.panzer.hex.spotting.obscured import obscured
from sandtable.systems.panzer.hex.spotting.spotting import can_spot, determine_spotting, spots_live, spotting_range
from sandtable.systems.panzer.hex.spotting.standing import cover_of, height_of, is_over_stacked
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.markers import Floor, HullDown, Suppression, UnitMarkers
from sandtable.systems.panzer.spotting_ranges import Sightedness
from sandtable.systems.panzer.terrain import Cover, Traction
from sandtable.systems.panzer.unit import Command, Grade, Spot, UnitId
from tests.panzer.grounds import tables
from tests.panzer.spotting.test_spotting import at_table, cards, column, state, unit

SQUAD, SECTION, GUN, LARGE_GUN, TRUCK = "a-squad", "a-section", "a-gun", "a-large-gun", "opel-blitz"


def rules(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.rules(*numbers, system="panzer-na")


def table_with_troops(context: Context) -> Context:
    """The same with cards on foot and of guns, made by hand."""
    tank = cards("panzer-na")[CardId("pz-iiig")]
    made = {
        SQUAD: (UnitClass.SQUAD, SizeClass.S),
        SECTION: (UnitClass.SECTION, SizeClass.S),
        GUN: (UnitClass.TOWED, SizeClass.S),
        LARGE_GUN: (UnitClass.TOWED, SizeClass.L),
    }
    troops = {
        CardId(name): replace(
            tank, id=CardId(name), name=name, unit_class=kind, tt=360, advanced=AdvancedCard(size_class=size)
        )
        for name, (kind, size) in made.items()
    }
    enlisted = {UnitId("r1"): Enlisted(FormationId("f"), Grade.SEASONED)}
    return replace(context, cards={**context.cards, **troops}, scenario=replace(context.scenario, roster=enlisted))


def field(cells: str, **rest: Any) -> Context:
    return table_with_troops(at_table(cells, **rest))


def row(words: str, **rest: Any) -> Context:
    return table_with_troops(column(words, **rest))


def spotted(context: Context, now: State, spotter: Unit, target: Unit) -> bool:
    """Whether one spots the other, by all three ways of asking."""
    told = can_spot(context, now, spotter, target).spots
    assert spots_live(context, now, spotter, target) is told
    assert (target.id in determine_spotting(context, now).get(spotter.id, ())) is told
    return told


def out_to(context: Context, spotter: Unit, target: Unit, *features: Feature) -> int:
    """The row of hexes A1, A2 ... in which a target is still spotted from A1."""
    reach = 0
    for far in range(2, 42):
        there = replace(target, hex=context.game_map.hex(f"A{far}"))
        now = state(spotter, there, features=features)
        if spotted(context, now, spotter, there):
            reach = far - 1
    return reach


PLAIN = " ".join(["."] * 41)


@rules("6.1.3")
@pytest.mark.parametrize(("card", "base"), [("pz-iiig", 20), (LARGE_GUN, 15), (GUN, 10), (SQUAD, 10)])
def test_6_1_3_base_ranges_by_size(card: str, base: int) -> None:
    """A-068: 15 hexes for L, 10 for S."""
    context = row(PLAIN)
    assert out_to(context, unit(context, "b1", "A1"), unit(context, "r1", "A2", card=card)) == base


@rules("6.1.3")
def test_6_1_3_small_arms_are_one_row_up() -> None:
    context = row(PLAIN)
    fired = unit(context, "r1", "A2", card=SQUAD, spot=Spot.FIRE_SA)
    told = spotting_range(context, state(fired), fired)
    assert [(term.value, term.label, term.rule) for term in told.terms] == [(1, "SPOT/FIRE SA", "6.1.3")]
    assert told.total == 15


@rules("6.1.3")
@pytest.mark.parametrize(
    ("spot", "new", "after"),
    [
        (Spot.NONE, Spot.NONE, Spot.FIRE_SA),
        (Spot.FIRE, Spot.NONE, Spot.FIRE),
        (Spot.NONE, Spot.FIRE, Spot.FIRE),
        (Spot.FIRE_SA, Spot.NONE, Spot.FIRE_SA),
    ],
)
def test_6_1_3_a_larger_weapon_is_not_forgotten(spot: Spot, new: Spot, after: Spot) -> None:
    context = row(". .")
    now = state(unit(context, "r1", "A1", card=SQUAD, spot=spot, new_spot=new))
    folded = FACTS[shared.SpotMarked](now, shared.SpotMarked(UnitId("r1"), Spot.FIRE_SA))
    assert folded.units[UnitId("r1")].new_spot is after


@rules("6.1.3", "6.1.1")
def test_6_1_passengers_are_not_spotted_and_spot_from_unarmed_vehicles() -> None:
    context = row(". . .")
    truck = unit(context, "b1", "A1", card=TRUCK, markers=UnitMarkers(passengers=(UnitId("b2"),)))
    rider = unit(context, "b2", "A1", card=SQUAD, markers=UnitMarkers(carrier=UnitId("b1")))
    enemy = unit(context, "r1", "A3")
    now = state(truck, rider, enemy)
    assert spotted(context, now, rider, enemy)
    assert not spotted(context, now, truck, enemy)
    assert determine_spotting(context, now)[UnitId("r1")] == ("b1",)
    refusal = can_spot(context, now, enemy, rider).refusal
    assert refusal is not None
    assert refusal.rule == "6.1.3"
    armed = state(replace(truck, card=CardId("pz-iiig")), rider, enemy)
    refusal = can_spot(context, armed, rider, enemy).refusal
    assert refusal is not None
    assert refusal.rule == "6.1.1"
    assert determine_spotting(context, armed)[UnitId("b1")] == ("r1",)
    assert UnitId("b2") not in determine_spotting(context, armed)


@rules("6.1.2", "6.1.3.1")
def test_6_1_3_1_suppressed_units_look_ahead_and_two_rows_down() -> None:
    context = row(PLAIN)
    shaken = UnitMarkers(suppression=Suppression.OFF)
    ahead = unit(context, "b1", "A1", facing=3, markers=shaken)
    assert out_to(context, ahead, unit(context, "r1", "A2")) == 7
    assert out_to(context, replace(ahead, card=CardId(SQUAD)), unit(context, "r1", "A2")) == 7
    away = replace(ahead, facing=0)
    assert out_to(context, away, unit(context, "r1", "A2")) == 0
    near = unit(context, "r1", "A2")
    refusal = can_spot(context, state(away, near), away, near).refusal
    assert refusal is not None
    assert refusal.rule == "6.1.3.1"


@rules("6.1.3.2")
def test_6_1_3_2_full_cover_hides_and_blinds() -> None:
    context = row(PLAIN)
    hidden = UnitMarkers(full_cover=True)
    tank, squad = unit(context, "b1", "A1"), unit(context, "r1", "A2", card=SQUAD, markers=hidden)
    assert out_to(context, tank, squad) == 3
    assert (
        out_to(context, replace(squad, id=UnitId("b2"), side=tank.side, hex=tank.hex), unit(context, "r1", "A2")) == 4
    )
    ranges = context.ground.spotting_ranges
    told = ranges.beside(Sightedness(spotter_suppressed=True, target_full_cover=True, spotter_full_cover=True))
    assert [term.value for term in told] == [-2, -2, -4]


@rules("5.13")
def test_5_13_towed_units_count_and_leg_units_do_not() -> None:
    context = row("s .")
    here = context.game_map.hex("A1")
    tanks = [unit(context, f"r{n}", "A1") for n in range(5)]
    squad, gun = unit(context, "r6", "A1", card=SQUAD), unit(context, "r7", "A1", card=GUN)
    assert not is_over_stacked(context, state(*tanks, squad), here)
    crowd = state(*tanks, squad, gun)
    assert is_over_stacked(context, crowd, here)
    assert cover_of(context, crowd, tanks[0]) is cover_of(context, crowd, gun) is Cover.NONE
    assert cover_of(context, crowd, squad) is Cover.LIGHT
    towed = replace(gun, markers=UnitMarkers(carrier=UnitId("r1")))
    assert not is_over_stacked(context, state(*tanks, squad, towed), here)


# --- 6.1.4.1: hull down --------------------------------------------------------------------------------


@rules("6.1.4.1.3")
def test_6_1_4_1_3_automatic_partial_hull_down() -> None:
    """A-070: three Heights up, Partially Hull Down out to three hexes."""
    assert [automatic_hull_down(3, 0, far) for far in (1, 3, 4)] == [HullDown.PARTIAL, HullDown.PARTIAL, HullDown.NONE]
    assert automatic_hull_down(0, 3, 1) is automatic_hull_down(1, 1, 0) is HullDown.NONE


def sheltered(context: Context, target: Unit, *at: str, **fields: Any) -> list[str]:
    """How a target is hull down to firers in some hexes."""
    found = []
    for label in at:
        firer = unit(context, "b9", label)
        found.append(hull_down_of(context, state(firer, target, **fields), firer, target).value)
    return found


@rules("6.1.4.3.2")
def test_6_1_4_3_2_walls_and_defilade() -> None:
    """A-074: both vehicles beside one Wall on the line are Hull Down."""
    wall = field(". . .\n. . .\n. . .", features=[{"kind": "wall", "sides": ["B2:N"]}])
    for target, firer in (("B2", "B1"), ("B1", "B2"), ("B1", "B3")):
        assert sheltered(wall, unit(wall, "r1", target), firer) == ["full"]
    assert sheltered(wall, unit(wall, "r1", "B2"), "B3", "A2") == ["", ""]
    assert sheltered(wall, unit(wall, "r1", "B3"), "B1") == [""]
    assert crosses_wall(wall, wall.game_map.hex("B1"), wall.game_map.hex("B2"))
    squad = unit(wall, "r1", "B2", card=SQUAD)
    assert sheltered(wall, squad, "B1") == [""]
    defilade = field(". . .\n. . .\n. . .", features=[{"kind": "defilade", "sides": ["B2:N"]}])
    assert sheltered(defilade, unit(defilade, "r1", "B2"), "B1", "B3") == ["full", ""]


@rules("6.1", "6.1.4", "6.1.4.1", "6.1.4.1.1", "6.1.4.1.2", "6.1.4.3.7")
def test_6_1_4_1_positions_hide_from_all_but_their_open_way() -> None:
    context = field(". . .\n. . .\n. . .")
    around = ("B1", "C1", "C2", "B3", "A2", "A1")
    found = UnitMarkers(hull_down=HullDown.FULL, open_way=3)
    tank = unit(context, "r1", "B2", markers=found)
    assert sheltered(context, tank, *around) == ["full", "full", "", "", "", "full"]
    half = replace(tank, markers=replace(found, hull_down=HullDown.PARTIAL))
    assert sheltered(context, half, *around) == ["partial", "partial", "", "", "", "partial"]
    works = Feature(FeatureKind.IMPROVED_POSITION, context.game_map.hex("B2"), unit=UnitId("r1"))
    inside = replace(tank, facing=2, markers=UnitMarkers(open_way=3))
    assert sheltered(context, inside, *around, features=(works,)) == ["full", "full", "full", "", "full", "full"]
    chosen = replace(inside, markers=replace(inside.markers, hull_down=HullDown.PARTIAL))
    assert sheltered(context, chosen, "B1", "B3", features=(works,)) == ["partial", ""]
    now = state(inside, features=(works,))
    assert cover_of(context, now, inside) is cover_of(context, now, inside, fire=True) is Cover.HEAVY
    other = unit(context, "r2", "B2")
    assert cover_of(context, state(inside, other, features=(works,)), other) is Cover.NONE


@rules("6.1.4.3.6")
def test_6_1_4_3_6_an_entrenchment_is_of_the_unit_in_it() -> None:
    hex = field(". . .").game_map.hex("B1")
    dug = Feature(FeatureKind.HASTY_ENTRENCHMENT, hex, unit=UnitId("r1"))
    assert occupied((dug,), UnitId("r1"), FeatureKind.HASTY_ENTRENCHMENT) is dug
    assert occupied((dug,), UnitId("r2"), FeatureKind.HASTY_ENTRENCHMENT) is None
    assert occupied((dug,), UnitId("r1"), FeatureKind.IMPROVED_POSITION) is None


@rules("6.1.4.3.1", "6.1.4.1.2")
@pytest.mark.parametrize(("building", "hidden"), [("wood", ""), ("brick", "full"), ("stone", "full")])
def test_6_1_4_3_1_inside_brick_and_stone_vehicles_are_hull_down(building: str, hidden: str) -> None:
    context = row("x . .", legend={"x": f"{building}_building"})
    tank = unit(context, "r1", "A1", markers=UnitMarkers(floor=Floor.INSIDE))
    assert sheltered(context, tank, "A3") == [hidden]
    assert position_of(context, state(tank), tank).value == hidden
    assert cover_of(context, state(tank), tank) is Cover.HEAVY
    outside = replace(tank, markers=UnitMarkers())
    assert cover_of(context, state(outside), outside) is Cover.LIGHT
    gun, squad = unit(context, "r2", "A1", card=GUN), unit(context, "r3", "A1", card=SQUAD)
    assert cover_of(context, state(gun), gun) is Cover.LIGHT
    assert cover_of(context, state(squad), squad) is Cover.HEAVY


@rules("6.1.4.3.1")
def test_6_1_4_3_1_floors_and_roofs_are_heights() -> None:
    """A squad up in three storeys is at Height 2, on the roof of Desert Buildings at 3, and looks over one."""
    words = "x . b ."
    up = UnitMarkers(floor=Floor.UP)
    for desert, height in ((False, 2), (True, 3)):
        conditions = {"building_storeys": {"A1": 3}, "desert_buildings": desert}
        context = row(words, legend={"x": "brick_building"}, conditions=conditions)
        squad, enemy = unit(context, "b1", "A1", card=SQUAD, markers=up), unit(context, "r1", "A4")
        low = replace(squad, markers=UnitMarkers())
        assert height_of(context, state(squad), squad) == height
        assert height_of(context, state(low), low) == 0
        assert not spotted(context, state(low, enemy), low, enemy)
        sight = context.ground.sight(squad.hex, enemy.hex, height, 0)  # type: ignore[arg-type]
        assert sight.height_a == height
        assert spotted(context, state(squad, enemy), squad, enemy) is not sight.blocked
        cover = cover_of(context, state(squad), squad, fire=True)
        assert cover is (Cover.LIGHT if desert else Cover.MEDIUM)


@rules("6.1.4.2")
def test_6_1_4_2_who_may_take_full_cover_and_where() -> None:
    context = row(". y .", features=[{"kind": "road", "line": ["A1", "A3"]}, {"kind": "bridge", "line": ["A1", "A3"]}])
    squad = unit(context, "r1", "A1", card=SQUAD)
    tank, gun = unit(context, "r2", "A1"), unit(context, "r3", "A1", card=GUN)
    now = state(squad, tank, gun)
    assert refuse_full_cover(context, now, squad) is refuse_full_cover(context, now, gun) is None
    assert refuse_full_cover(context, now, tank) is not None
    assert refuse_full_cover(context, now, replace(squad, hex=context.game_map.hex("A2"))) is not None
    assert refuse_full_cover(context, now, replace(squad, markers=UnitMarkers(carrier=UnitId("r2")))) is not None


@rules("6.1.4.2")
@pytest.mark.parametrize(
    ("kind", "attached", "barred"),
    [
        (UnitClass.TOWED, False, {Command.MOVE}),
        (UnitClass.SQUAD, True, {Command.SHORT_HALT}),
        (UnitClass.SECTION, False, {Command.SHORT_HALT}),
        (UnitClass.SECTION, True, {Command.SHORT_HALT, Command.MOVE}),
    ],
)
def test_6_1_4_2_commands_in_full_cover(kind: UnitClass, attached: bool, barred: set[Command]) -> None:
    commands = (Command.FIRE, Command.MOVE, Command.SHORT_HALT, Command.OVERWATCH, Command.NONE)
    refused = {
        one for one in commands if refuse_command_in_cover("r1", kind, one, attached_weapons=attached) is not None
    }
    assert refused == barred


# --- 6.1.4.3: terrain counters ---------------------------------------------------------------------------


@rules("6.1.4.3.3", "6.1.4.3.4", "6.1.4.3.5", "6.1.4.3.8", "6.1.4.3.9", "6.1.4.3.11")
def test_6_1_4_3_who_may_enter() -> None:
    table = tables("panzer-na")["terrain_counters"]

    def allowed(kind: FeatureKind) -> str:
        ways = [
            (UnitClass.VEHICLE, Traction.TRACKED, "T"),
            (UnitClass.VEHICLE, Traction.HALF_TRACKED, "H"),
            (UnitClass.VEHICLE, Traction.WHEELED, "W"),
            (UnitClass.SQUAD, Traction.TRACKED, "L"),
            (UnitClass.TOWED, Traction.TRACKED, "G"),
        ]
        return "".join(word for unit_class, mode, word in ways if not entry_barred(table, kind, unit_class, mode))

    assert {kind: allowed(kind) for kind in FeatureKind} == {
        **dict.fromkeys(FeatureKind, "THWLG"),
        FeatureKind.BLOCK: "L",
        FeatureKind.DITCH: "L",
        FeatureKind.ON_FIRE: "",
        FeatureKind.RUBBLE: "TL",
        FeatureKind.WIRE: "T",
    }
    assert entry_barred(table, FeatureKind.WIRE, UnitClass.SQUAD, Traction.TRACKED) == "6.1.4.3.11"


@rules("6.1.4.3", "6.1.4.3.4")
def test_6_1_4_3_4_a_ditch_is_seen_into_from_beside_it_and_sight_goes_by_the_version() -> None:
    context = row(". . . .")
    ditch = Feature(FeatureKind.DITCH, context.game_map.hex("A1"))
    squad, near, far = unit(context, "r1", "A1", card=SQUAD), unit(context, "b1", "A2"), unit(context, "b2", "A3")
    before, after = state(squad, near, far), state(squad, near, far, features=(ditch,))
    for now, seen in ((before, True), (after, False), (before, True)):
        assert spotted(context, now, far, squad) is seen
        assert spotted(context, now, near, squad)
    assert cover_of(context, after, squad) is Cover.LIGHT
    ground = context.ground_at(after)
    assert ground is context.ground_at(state(squad, features=(replace(ditch),)))
    assert ground is not context.ground
    dusty = state(squad, features=(Feature(FeatureKind.DUST, ditch.hex),))
    assert context.ground_at(dusty) is context.ground


@rules("6.1.4.3.9")
@pytest.mark.parametrize(
    ("building", "cover"), [("wood", Cover.LIGHT), ("brick", Cover.MEDIUM), ("stone", Cover.HEAVY)]
)
def test_6_1_4_3_9_rubble_has_the_cover_of_what_it_was_and_no_height(building: str, cover: Cover) -> None:
    context = row(". x .", legend={"x": f"{building}_building"})
    rubble = Feature(FeatureKind.RUBBLE, context.game_map.hex("A2"))
    a, b, squad = unit(context, "b1", "A1"), unit(context, "r1", "A3"), unit(context, "r2", "A2", card=SQUAD)
    assert not spotted(context, state(a, b, squad), a, b)
    now = state(a, b, squad, features=(rubble,))
    assert spotted(context, now, a, b)
    assert cover_of(context, now, squad) is cover_of(context, now, squad, fire=True) is cover


@rules("6.1.4.3.3")
def test_6_1_4_3_3_a_block_gives_leg_units_light_cover() -> None:
    context = row(". .")
    squad = unit(context, "r1", "A1", card=SQUAD)
    assert squad.hex is not None
    assert cover_of(context, state(squad, features=(Feature(FeatureKind.BLOCK, squad.hex),)), squad) is Cover.LIGHT


@rules("6.1.4.3.10", "6.1.4.3.12")
def test_6_1_4_3_10_counters_are_turned_and_go() -> None:
    context = row(". . .")
    here, there = context.game_map.hex("A1"), context.game_map.hex("A2")
    smoke, dust = Feature(FeatureKind.SMOKE, here), Feature(FeatureKind.DUST, there)
    wire = Feature(FeatureKind.WIRE, here)
    once = adjusted((smoke, dust, wire))
    assert [feature.side for feature in once] == [CounterSide.OFF, CounterSide.OFF, CounterSide.ON]
    assert adjusted(once) == (wire,)
    again = placed(once, replace(smoke, fresh=True))
    assert [feature.side for feature in again if feature.kind is FeatureKind.SMOKE] == [CounterSide.ON]
    assert not any(feature.fresh for feature in again)
    new = placed((), replace(smoke, fresh=True))
    assert FACTS[shared.SmokeTookEffect](state(features=new), shared.SmokeTookEffect()).features == (smoke,)
    now = FACTS[ev.FeaturePlaced](state(), ev.FeaturePlaced(smoke))
    assert FACTS[ev.FeaturesRemoved](now, ev.FeaturesRemoved((smoke,))).features == ()
    assert FACTS[ev.FeaturesAdjusted](now, ev.FeaturesAdjusted()).features == (replace(smoke, side=CounterSide.OFF),)


def hindered(context: Context, *features: Feature, at: tuple[str, str] = ("A1", "A4")) -> Hindrances:
    firer, target = unit(context, "b1", at[0]), unit(context, "r1", at[1])
    return obscured(context, state(firer, target, features=features), firer, target).hindrances


@rules("5.11")
def test_5_11_of_several_in_a_place_the_worst_alone_counts() -> None:
    """A-057: Fire and a Closed Barrage in a hex are Fire."""
    fire = Met(FeatureKind.ON_FIRE, Sheaf.CLOSED, "x")
    barrage = Met(FeatureKind.BARRAGE, Sheaf.CLOSED, "m1")
    assert coexisting([[barrage, fire]], tables("panzer-na")) == Hindrances(on_fire=1)
    assert coexisting([[fire], [barrage]], tables("panzer-na")) == Hindrances(on_fire=1, barrage_closed=1)
    assert coexisting([], tables("panzer-na")) == CLEAR


@rules("5.11", "6.1.4.3.5", "6.1.4.3.10", "6.1.4.3.12")
def test_6_1_4_3_10_every_occurrence_on_the_line_counts_once() -> None:
    """A tank and its target in the Smoke of one mission: one occurrence, and no Barrage beside it (6.5.2.4)."""
    context = row(". . . . .")
    hexes = [context.game_map.hex(f"A{n}") for n in range(1, 6)]
    smoke = [Feature(FeatureKind.SMOKE, hex, sheaf=Sheaf.OPEN, source="m1") for hex in hexes[:4]]
    barrage = [Feature(FeatureKind.BARRAGE, hex, sheaf=Sheaf.OPEN, source="m1") for hex in hexes[:4]]
    assert hindered(context, *smoke, *barrage) == Hindrances(smoke_open=1)
    assert hindered(context, smoke[0], replace(smoke[3], source="m2")) == Hindrances(smoke_open=2)
    dust = [Feature(FeatureKind.DUST, hex) for hex in hexes]
    assert hindered(context, *dust) == Hindrances(dust=4)
    assert hindered(context, *dust, Feature(FeatureKind.ON_FIRE, hexes[1])) == Hindrances(dust=3, on_fire=1)
    assert hindered(context, replace(dust[1], fresh=True)) == CLEAR
    assert hindered(context, Feature(FeatureKind.WIRE, hexes[1])) == CLEAR


@rules("6.1.4.3.10")
def test_6_1_4_3_10_a_line_high_above_smoke_does_not_meet_it() -> None:
    context = row(".4 . .3 .4")
    low = Feature(FeatureKind.SMOKE, context.game_map.hex("A2"))
    assert hindered(context, low) == CLEAR
    assert hindered(context, replace(low, hex=context.game_map.hex("A3"))) == Hindrances(smoke_closed=1)
    assert hindered(context, replace(low, hex=context.game_map.hex("A4"))) == Hindrances(smoke_closed=1)
    rising = row(". . . .5")
    assert hindered(rising, low) == Hindrances(smoke_closed=1), "it rises above the lower of the two"


@rules("6.1.4.3.12")
def test_6_1_4_3_12_dust_lies_in_the_hex_left_for_dry_ground() -> None:
    """A-078: road, road, clear, clear with 4 of 4 Movement Points."""
    context = row(". . . . s r .", features=[{"kind": "road", "line": ["A1", "A3"]}])
    path = [context.game_map.hex(f"A{n}") for n in range(1, 6)]

    def raised(spent: int, allowance: int, hexes: int = 5, **how: bool) -> list[str]:
        found = dust_of(context.ground, path[:hexes], spent, allowance, **how)
        assert all(feature.fresh and feature.side is CounterSide.ON for feature in found)
        return [context.game_map.label(feature.hex) for feature in found]

    assert raised(4, 4) == ["A3", "A4"]
    assert raised(2, 5) == ["A3", "A4"]
    assert raised(1, 5) == []
    assert raised(1, 9, minimum=True) == ["A3", "A4"]
    rough = [context.game_map.hex("A5"), context.game_map.hex("A6")]
    assert dust_of(context.ground, rough, 4, 4) == ()


@rules("6.1.4.3.13")
def test_6_1_4_3_13_the_sun_blinds_those_who_fire_towards_its_edge() -> None:
    context = field("\n".join([". . . . ."] * 5))
    hex = context.game_map.hex
    assert sun_blinds(context.game_map, Edge.NORTH, hex("C4"), hex("C3"))
    assert not sun_blinds(context.game_map, Edge.NORTH, hex("C3"), hex("C4"))
    assert sun_blinds(context.game_map, Edge.SOUTH, hex("C3"), hex("C4"))
    assert sun_blinds(context.game_map, Edge.WEST, hex("D3"), hex("B3"))
    assert not sun_blinds(context.game_map, Edge.EAST, hex("D3"), hex("B3"))
    assert not sun_blinds(context.game_map, Edge.EAST, hex("D3"), hex("D3"))


@rules("6.1.4.3.13", "6.5.2.4", "6.5.4.3")
def test_6_5_2_4_haze_and_sun_as_the_scenario_says() -> None:
    found = {
        size: next(far for far in range(1, 10) if in_heat_haze(tables("panzer-na"), size, far)) for size in SizeClass
    }
    assert found == {SizeClass.V: 8, SizeClass.L: 5, SizeClass.S: 3}
    plain = row(". . . .")
    bright = row(". . . .", conditions={"heat_haze": True, "sun": Sun(Edge.SOUTH, -2, -10)})
    for context, told in ((plain, (False, 0, 0)), (bright, (True, -2, -10))):
        firer, target = unit(context, "b1", "A1"), unit(context, "r1", "A4", card=SQUAD)
        assert obscured(context, state(firer, target), firer, target)[2:] == told
        assert obscured(context, state(firer, target), target, firer)[2:] == (False, 0, 0)


@rules("6.1.4.3")
def test_6_1_4_3_counters_of_a_scenario_are_checked() -> None:
    context = row(". .")
    faults = Faults("here")
    drafts = (
        FeatureDraft(FeatureKind.WIRE, ("A1", "Z9")),
        FeatureDraft(FeatureKind.MINES, ()),
        FeatureDraft(FeatureKind.SMOKE, ("A1",), unit="r1"),
    )
    assert len(build_features(drafts, context.game_map, faults)) == 2
    with pytest.raises(BadInput) as bad:
        faults.check()
    assert [fault.where.removeprefix("here: ") for fault in bad.value.faults] == [
        "features[0].at",
        "features[1].at",
        "features[2].unit",
    ]
