"""6.6 as far as it needs no place: speeds, marching, transport, digging in, who may attack at arm's length."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.core.errors import Refusal
from sandtable.systems.panzer.advanced_card import AdvancedCard, Transport, UnitClass
from sandtable.systems.panzer.cards import Movement
from sandtable.systems.panzer.combat.close_combat import (
    Bout,
    Supporter,
    advance_cost,
    bout_lost_by_attacker,
    bout_lost_by_defender,
    is_supported,
    overrun_factor,
    refuse_advance,
    refuse_attacker,
    refuse_overrun,
    refuse_target,
)
from sandtable.systems.panzer.markers import Suppression, UnitMarkers
from sandtable.systems.panzer.movement.digging import dug_after, refuse_digging, refuse_search
from sandtable.systems.panzer.movement.march import (
    crosses_walls,
    height_limit,
    hinders_routes,
    most_hexes,
    refuse_gait,
    refuse_short_halt,
)
from sandtable.systems.panzer.movement.move_facts import MoveFacts, class_now
from sandtable.systems.panzer.movement.speed import Gait, leg_factor, speed
from sandtable.systems.panzer.movement.transport import (
    carrier_spot,
    may_reverse,
    mounting_cost,
    refuse_bail_out,
    refuse_dismount,
    refuse_load,
    refuse_mount,
    refuse_transported_fire,
)
from sandtable.systems.panzer.terrain import Traction
from sandtable.systems.panzer.unit import Command, Spot, UnitId
from tests.panzer.combat.test_advanced_combat import TABLES

rules = pytest.mark.rules
NA = "panzer-na"
SUPPRESSED = UnitMarkers(suppression=Suppression.ON)
ABOARD = UnitMarkers(carrier=UnitId("truck"))
FOOT = AdvancedCard(quickmarch=3, burdened=1, needs=Transport(0, 1))
GUN = AdvancedCard(needs=Transport(1, 1))
BIKES = AdvancedCard(motorcycle=True)
TRUCK = AdvancedCard(transports=Transport(1, 2))


def squad(**changes: Any) -> MoveFacts:
    return MoveFacts(**{"name": "squad", "unit_class": UnitClass.SQUAD, "card": FOOT, **changes})


def section(**changes: Any) -> MoveFacts:
    return squad(**{"name": "section", "unit_class": UnitClass.SECTION, **changes})


def gun(**changes: Any) -> MoveFacts:
    return squad(**{"name": "gun", "unit_class": UnitClass.TOWED, "card": GUN, **changes})


def truck(**changes: Any) -> MoveFacts:
    return squad(**{"name": "truck", "unit_class": UnitClass.VEHICLE, "card": TRUCK, **changes})


def number(refusal: Refusal | None) -> str:
    return "" if refusal is None else refusal.rule


@rules("6.6.2", "6.5.2.2.4", "6.6.4.1", system=NA)
@pytest.mark.parametrize(
    ("full", "markers", "command", "left"),
    [
        (5, UnitMarkers(), Command.MOVE, 5),
        (5, SUPPRESSED, Command.MOVE, 2),
        (5, UnitMarkers(hull_damaged=True), Command.MOVE, 2),
        (5, UnitMarkers(turret_damaged=True), Command.MOVE, 5),
        (5, UnitMarkers(), Command.SHORT_HALT, 2),
        (9, SUPPRESSED, Command.SHORT_HALT, 2),
        (9, UnitMarkers(suppression=Suppression.OFF, hull_damaged=True), Command.MOVE, 2),
        (16, UnitMarkers(suppression=Suppression.OFF, hull_damaged=True), Command.SHORT_HALT, 2),
        (7, UnitMarkers(suppression=Suppression.OFF, hull_damaged=True), Command.SHORT_HALT, 1),
        (1, SUPPRESSED, Command.MOVE, 1),
    ],
)
def test_6_6_2_each_cause_halves_the_allowance(full: int, markers: UnitMarkers, command: Command, left: int) -> None:
    assert speed(full, "card", truck(markers=markers, command=command), TABLES).total == left


@rules("5.1.2", "6.6.4.1", "6.6.4.2", system=NA)
def test_5_1_2_a_section_with_attached_weapons_has_a_factor_of_its_own() -> None:
    factor = Movement(2, Traction.TRACKED, 2, 2)
    assert leg_factor(factor, section(), Gait.MARCH)[0] == 2
    assert leg_factor(factor, section(attached=True), Gait.MARCH)[0] == 1
    assert leg_factor(factor, squad(attached=True), Gait.MARCH)[0] == 2
    assert leg_factor(factor, squad(attached=True), Gait.QUICKMARCH)[0] == 3


@rules("6.5.4.4.3", system=NA)
def test_6_5_4_4_3_a_reduced_squad_is_a_half_squad() -> None:
    reduced = UnitMarkers(reduced=True)
    assert class_now(UnitClass.SQUAD, reduced) is UnitClass.HALF_SQUAD
    assert class_now(UnitClass.SQUAD, UnitMarkers()) is UnitClass.SQUAD
    assert class_now(UnitClass.SECTION, reduced) is UnitClass.SECTION


@rules("6.6.4.1", "6.6.5", system=NA)
def test_6_6_4_1_guns_and_burdened_sections_make_no_short_halt() -> None:
    assert number(refuse_short_halt(section(attached=True))) == "6.6.4.1"
    assert number(refuse_short_halt(gun())) == "6.6.5"
    assert refuse_short_halt(squad(attached=True)) is None
    assert refuse_short_halt(section()) is None


@rules("6.6.4.2", system=NA)
@pytest.mark.parametrize(
    ("facts", "may"),
    [
        (squad(), True),
        (squad(attached=True), True),
        (section(), True),
        (section(attached=True), False),
        (squad(markers=SUPPRESSED), False),
        (squad(markers=ABOARD), False),
        (squad(card=BIKES), False),
        (squad(command=Command.SHORT_HALT), False),
        (gun(), False),
    ],
)
def test_6_6_4_2_who_may_quickmarch(facts: MoveFacts, may: bool) -> None:
    assert number(refuse_gait(facts, Gait.QUICKMARCH)) == ("" if may else "6.6.4.2")


@rules("6.6.4.3", system=NA)
@pytest.mark.parametrize(
    ("facts", "may"),
    [
        (squad(markers=UnitMarkers(full_cover=True)), True),
        (squad(), False),
        (section(attached=True, markers=UnitMarkers(full_cover=True)), False),
        (squad(markers=UnitMarkers(full_cover=True, suppression=Suppression.OFF)), False),
        (squad(markers=UnitMarkers(full_cover=True), command=Command.SHORT_HALT), False),
    ],
)
def test_6_6_4_3_who_may_crawl(facts: MoveFacts, may: bool) -> None:
    assert number(refuse_gait(facts, Gait.CRAWL)) == ("" if may else "6.6.4.3")
    assert refuse_gait(facts, Gait.MARCH) is None


@rules("6.6.4.1", "6.6.4.2", "6.6.4.3", "6.6.4.4", "6.6.5", system=NA)
def test_6_6_4_1_heights_hexes_and_walls() -> None:
    assert [height_limit(squad(), gait, TABLES) for gait in Gait] == [2, 1, 0]
    heights = [height_limit(facts, Gait.MARCH, TABLES) for facts in (section(attached=True), gun(), squad(card=BIKES))]
    assert heights == [1, 1, 1]
    assert [most_hexes(squad(), gait, TABLES) for gait in Gait] == [None, None, 1]
    assert most_hexes(gun(), Gait.MARCH, TABLES) == 1
    assert [crosses_walls(facts) for facts in (squad(), section(), gun(), squad(card=BIKES))] == [
        True,
        True,
        False,
        False,
    ]


@rules("6.6.4.1", system=NA)
def test_6_6_4_1_guns_and_motorcycles_hinder_a_road_and_men_on_foot_do_not() -> None:
    standing = (squad(), section(attached=True), gun(), squad(card=BIKES), gun(markers=ABOARD))
    assert [hinders_routes(facts) for facts in standing] == [False, False, True, True, False]


# --- transport ----------------------------------------------------------------------------------------


@rules("6.6.7", "6.6.7.1", system=NA)
@pytest.mark.parametrize(
    ("room", "passengers", "fits"),
    [
        ((1, 2), [squad()], True),
        ((1, 2), [squad(), section()], True),
        ((1, 2), [squad(), section(), section()], False),
        ((1, 2), [gun()], True),
        ((1, 2), [gun(), squad()], True),
        ((1, 2), [gun(), squad(), squad()], False),
        ((2, 4), [gun(), gun()], False),
        ((0, 2), [gun()], False),
        ((0, 0), [squad()], False),
        ((3, 3), [gun(card=AdvancedCard(needs=Transport(3, 3)))], True),
        ((2, 3), [gun(card=AdvancedCard(needs=Transport(3, 3)))], False),
        ((3, 2), [gun(card=AdvancedCard(needs=Transport(3, 3)))], False),
        ((9, 9), [truck()], False),
        ((9, 9), [squad(card=BIKES)], False),
    ],
)
def test_6_6_7_1_capacity(room: tuple[int, int], passengers: list[MoveFacts], fits: bool) -> None:
    carrier = truck(card=AdvancedCard(transports=Transport(*room)))
    assert number(refuse_load(carrier, passengers)) == ("" if fits else "6.6.7.1")


@rules("6.6.7.1.1", system=NA)
@pytest.mark.parametrize(
    ("facts", "same", "adjacent"),
    [
        (squad(), True, True),
        (squad(attached=True), True, True),
        (section(), True, True),
        (section(attached=True), True, False),
        (squad(markers=SUPPRESSED), True, False),
        (gun(), True, False),
        (squad(command=Command.NONE), False, False),
        (squad(command=Command.SHORT_HALT), False, False),
        (squad(markers=ABOARD), False, False),
    ],
)
def test_6_6_7_1_1_who_mounts_from_where(facts: MoveFacts, same: bool, adjacent: bool) -> None:
    assert (refuse_mount(facts, truck(), apart=0, moved=False) is None) is same
    assert (refuse_mount(facts, truck(), apart=1, moved=False) is None) is adjacent
    assert number(refuse_mount(facts, truck(), apart=0, moved=True)) == "6.6.7.1.1"
    assert number(refuse_mount(facts, truck(markers=UnitMarkers(bailed=True)), apart=0, moved=False)) == "6.6.7.1.1"


@rules("6.6.7.1.1", "5.2.1", system=NA)
def test_6_6_7_1_1_dismounting_and_what_it_costs_the_vehicle() -> None:
    assert refuse_dismount(squad(markers=ABOARD), truck(), apart=1) is None
    assert number(refuse_dismount(gun(markers=ABOARD), truck(), apart=1)) == "6.6.7.1.1"
    assert refuse_dismount(gun(markers=ABOARD), truck(), apart=0) is None
    assert number(refuse_dismount(squad(), truck(), apart=2)) == "6.6.7.1.1"
    costs = [
        mounting_cost(truck(command=command), 5, TABLES, portee_loads=False)
        for command in (Command.MOVE, Command.SHORT_HALT, Command.OVERWATCH, Command.NONE)
    ]
    assert costs == [2, 2, 0, 0]
    assert mounting_cost(truck(), 5, TABLES, portee_loads=True) == 5


@rules("6.6.7.1.2", system=NA)
def test_6_6_7_1_2_emergency_bail_out() -> None:
    assert refuse_bail_out(squad(markers=ABOARD), truck(), under_announced_fire=False) is None
    assert number(refuse_bail_out(squad(), truck(), under_announced_fire=True)) == "6.6.7.1.2"
    assert number(refuse_bail_out(squad(markers=SUPPRESSED), truck(), under_announced_fire=False)) == "6.6.7.1.2"
    assert number(refuse_bail_out(squad(), truck(command=Command.FIRE), under_announced_fire=False)) == "6.6.7.1.2"


@rules("6.6.7.1", "6.6.7.2", system=NA)
def test_6_6_7_2_towing_and_firing_from_a_vehicle() -> None:
    assert may_reverse([squad(), section()])
    assert not may_reverse([squad(), gun()])
    assert refuse_transported_fire(squad(), truck(command=Command.SHORT_HALT)) is None
    assert number(refuse_transported_fire(squad(), truck())) == "6.6.7.2"
    assert number(refuse_transported_fire(gun(), truck(command=Command.FIRE))) == "6.6.7.2"
    spots = [carrier_spot(marked, Spot.FIRE_SA) for marked in (Spot.NONE, Spot.MOVE, Spot.FIRE_SA, Spot.FIRE)]
    assert spots == [Spot.FIRE_SA, Spot.FIRE_SA, Spot.FIRE_SA, Spot.FIRE]


# --- digging in ---------------------------------------------------------------------------------------


@rules("6.6.8", system=NA)
def test_6_6_8_hasty_entrenchments() -> None:
    digs = UnitMarkers(full_cover=True)
    assert refuse_digging(gun(markers=digs, command=Command.NONE)) is None
    assert refuse_digging(squad(card=BIKES, markers=digs, command=Command.NONE)) is None
    assert number(refuse_digging(squad(markers=digs))) == "6.6.8"
    assert number(refuse_digging(squad(command=Command.NONE))) == "6.6.8"
    assert number(refuse_digging(truck(markers=digs, command=Command.NONE))) == "6.6.8"
    pinned = UnitMarkers(full_cover=True, suppression=Suppression.OFF)
    assert number(refuse_digging(squad(markers=pinned, command=Command.NONE))) == "6.6.8"
    assert [dug_after(dug, TABLES, engineers=False) for dug in range(5)] == [1, 2, 3, 4, 4]
    assert [dug_after(dug, TABLES, engineers=True) for dug in range(4)] == [2, 4, 4, 4]


@rules("6.6.9", system=NA)
def test_6_6_9_who_may_search_for_hull_down() -> None:
    assert refuse_search(truck(), 40, 0) is None
    assert number(refuse_search(squad(), 40, 0)) == "6.6.9"
    assert number(refuse_search(truck(command=Command.SHORT_HALT), 40, 0)) == "6.6.9"
    assert number(refuse_search(truck(), 40, 1)) == "6.6.9"
    assert number(refuse_search(truck(), 0, 0)) == "6.6.9"
    assert number(refuse_search(truck(markers=UnitMarkers(track=True)), 40, 0)) == "6.5.2.2.1"


# --- at arm's length ----------------------------------------------------------------------------------


@rules("6.6.1.1", "6.6.1.2", "6.6.2", "6.6.11", system=NA)
@pytest.mark.parametrize(
    ("facts", "moved", "bound_to", "why"),
    [
        (squad(), False, "", ""),
        (section(attached=True), False, "", ""),
        (squad(), False, "tank", ""),
        (squad(), False, "other", "6.6.11"),
        (squad(), True, "", "6.6.1.1"),
        (squad(markers=SUPPRESSED), False, "", "6.6.2"),
        (squad(markers=ABOARD), False, "", "6.6.1.1"),
        (squad(command=Command.OVERWATCH), False, "", "6.6.1.1"),
        (gun(), False, "", "6.6.1.1"),
    ],
)
def test_6_6_1_1_who_may_attack(facts: MoveFacts, moved: bool, bound_to: str, why: str) -> None:
    assert number(refuse_attacker(facts, moved=moved, bound_to=bound_to, target="tank")) == why


@rules("6.6.1.1", "6.6.1.2", system=NA)
def test_6_6_1_1_whom_one_may_attack() -> None:
    assert refuse_target(truck(), spotted=True, apart=1, heights=1) is None
    assert number(refuse_target(truck(), spotted=False, apart=1, heights=0)) == "6.6.1.1"
    assert number(refuse_target(truck(), spotted=True, apart=2, heights=0)) == "6.6.1.1"
    assert number(refuse_target(gun(), spotted=True, apart=1, heights=2)) == "6.6.1.2"
    assert number(refuse_target(squad(markers=ABOARD), spotted=True, apart=1, heights=0)) == "6.6.1.2"
    assert refuse_advance(section()) is None
    assert number(refuse_advance(section(attached=True))) == "6.6.1.1"
    assert (advance_cost(squad(), 2, TABLES), advance_cost(squad(card=BIKES), 5, TABLES)) == (1, 2)


@rules("6.6.1.1.2", system=NA)
@pytest.mark.parametrize(
    ("supporters", "held"),
    [
        ([], 0),
        ([Supporter(UnitClass.SQUAD)], 2),
        ([Supporter(UnitClass.HALF_SQUAD)], 1),
        ([Supporter(UnitClass.SQUAD), Supporter(UnitClass.HALF_SQUAD)], 3),
        ([Supporter(UnitClass.SECTION)], 0),
        ([Supporter(UnitClass.SQUAD, mounted=True)], 0),
        ([Supporter(UnitClass.SQUAD, mounted=True, here=True)], 4),
    ],
)
def test_6_6_1_1_2_support_in_close_terrain(supporters: list[Supporter], held: int) -> None:
    assert [is_supported(rank, supporters, TABLES) for rank in range(4)].count(True) == held


@rules("6.6.1.2.3", system=NA)
def test_6_6_1_2_3_squads_are_reduced_and_others_eliminated() -> None:
    squad_, half, section_ = UnitClass.SQUAD, UnitClass.HALF_SQUAD, UnitClass.SECTION
    bout = bout_lost_by_attacker(Bout((squad_, half), squad_))
    assert bout == Bout((half, half), squad_)
    bout = bout_lost_by_defender(bout)
    assert bout == Bout((half, half), half)
    assert not bout.is_over
    assert bout_lost_by_defender(bout).is_over
    assert bout_lost_by_attacker(bout) == Bout((half,), half)
    assert bout_lost_by_attacker(Bout((section_,), half)).is_over
    assert bout_lost_by_defender(Bout((half,), UnitClass.TOWED)).is_over


@rules("6.6.10", "6.6.4.4", "6.6.10.1", system=NA)
def test_6_6_10_who_may_overrun_whom() -> None:
    assert refuse_overrun(truck(markers=SUPPRESSED), squad(), armed=True, spotted=True) is None
    assert number(refuse_overrun(truck(), squad(), armed=False, spotted=True)) == "6.6.10"
    assert number(refuse_overrun(squad(card=BIKES), squad(), armed=True, spotted=True)) == "6.6.10"
    assert number(refuse_overrun(truck(command=Command.SHORT_HALT), gun(), armed=True, spotted=True)) == "6.6.10"
    assert number(refuse_overrun(truck(), truck(), armed=True, spotted=True)) == "6.6.10"
    assert number(refuse_overrun(truck(), squad(markers=ABOARD), armed=True, spotted=True)) == "6.6.10"
    assert number(refuse_overrun(truck(), squad(), armed=True, spotted=False)) == "6.6.10"
    assert (overrun_factor([3, 2], [], TABLES), overrun_factor([8], [5, 5], TABLES)) == (5, 15)
