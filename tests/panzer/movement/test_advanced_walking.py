"""6.6.4, 6.6.5 Leg and towed units on hexes: no turn cost, heights, walls, quickmarch, crawling, manhandling."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable.geo.hex import NEIGHBOURS
from sandtable.systems.panzer.advanced_card import AdvancedCard, Transport, UnitClass
from sandtable.systems.panzer.cards import Card, CardId, Movement
from sandtable.systems.panzer.edition import PANZER_NA
from sandtable.systems.panzer.hex.movement.move_path import MovePath
from sandtable.systems.panzer.hex.movement.movement import refuse_move
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.movement.reach import reach
from sandtable.systems.panzer.hex.scenario.draft import Conditions
from sandtable.systems.panzer.hex.sight.ground import Ground
from sandtable.systems.panzer.markers import Suppression, UnitMarkers
from sandtable.systems.panzer.movement.speed import Gait
from sandtable.systems.panzer.terrain import Costs, Terrain, Traction
from sandtable.systems.panzer.unit import Command, UnitId
from tests.panzer.grounds import drawn, tables, terrain
from tests.panzer.movers import PLAIN, Field, X, cards, legs, line, sides

rules = pytest.mark.rules
NA = "panzer-na"
SUPPRESSED = UnitMarkers(suppression=Suppression.ON)


def _made(name: str, unit_class: UnitClass, allowance: int, part: AdvancedCard, mode: Traction = Traction.LEG) -> Card:
    model = cards(NA)[CardId("pz-iiig")]
    factor = Movement(allowance, mode, allowance, allowance)
    return msgspec.structs.replace(
        model, id=CardId(name), name=name, unit_class=unit_class, movement=factor, advanced=part
    )


FOOT = AdvancedCard(quickmarch=3, burdened=1, needs=Transport(0, 1))
MADE = {
    card.id: card
    for card in (
        _made("squad", UnitClass.SQUAD, 2, FOOT),
        _made("section", UnitClass.SECTION, 2, FOOT),
        _made("gun", UnitClass.TOWED, 1, AdvancedCard(needs=Transport(1, 1))),
        _made("heavy", UnitClass.TOWED, 0, AdvancedCard(needs=Transport(3, 3))),
        _made("bikes", UnitClass.SQUAD, 4, AdvancedCard(motorcycle=True), Traction.WHEELED),
        _made("tractor", UnitClass.VEHICLE, 5, AdvancedCard(transports=Transport(1, 2)), Traction.TRACKED),
    )
}


def walked(row: Terrain) -> Terrain:
    """A row whose cost on foot is known: that of tracked vehicles where the book's column is not."""
    changes: dict[str, Any] = {}
    if row.cost is not None and row.cost.L != row.cost.T:
        changes["cost"] = Costs(row.cost.T, row.cost.H, row.cost.W, row.cost.T)
    if row.adder.L != row.adder.T:
        changes["adder"] = Costs(row.adder.T, row.adder.H, row.adder.W, row.adder.T)
    return msgspec.structs.replace(row, **changes)


def foot(cells: str, *features: dict[str, Any], card: str = "squad", at: str = "C3", **changes: Any) -> Field:
    rows = {kind: walked(row) for kind, row in terrain(NA).items()}
    ground = Ground(drawn(cells, PANZER_NA, list(features)), rows, PANZER_NA, tables(NA), Conditions())
    return Field(ground, PANZER_NA, advanced=True, more=MADE).place(at, "N", card, **changes)


def why(field: Field, text: str, gait: Gait) -> str:
    refusal = refuse_move(field, field.state, X, legs(text), gait=gait)
    return "" if refusal is None else refusal.rule


@rules("5.1", "5.5", "6.6.4", "6.6.4.1", system=NA)
def test_6_6_4_1_turning_is_free_on_foot() -> None:
    squad = foot(PLAIN)
    assert squad.spent("3F 3F") == 2
    assert squad.spent("R 2F") == 2
    assert squad.why("F F F") == "4.5.1.1.3"
    assert squad.spent("3") == 0


@rules("5.1.2", "6.6.2", "6.6.4.1", system=NA)
def test_6_6_4_1_allowances_on_foot() -> None:
    assert foot(PLAIN).mover().allowances() == (2, 2, 2)
    assert foot(PLAIN, markers=SUPPRESSED).mover().allowances() == (1, 1, 1)
    assert foot(PLAIN, command=Command.SHORT_HALT).mover().allowances() == (1, 1, 1)
    burdened = foot(PLAIN, card="section")
    assert burdened.mover().allowances() == (2, 2, 2)
    burdened.attached = (X,)
    assert burdened.mover().allowances() == (1, 1, 1)
    assert foot(PLAIN, card="bikes").mover().allowances() == (4, 4, 4)


@rules("6.6.4.1", "6.6.4.4", "6.6.5", system=NA)
def test_6_6_4_1_walls_stop_guns_and_motorcycles() -> None:
    wall = sides("wall", "C3:N")
    assert foot(PLAIN, wall).why("F") == ""
    assert foot(PLAIN, wall, card="gun").why("F") == "4.5.1.1.2"
    assert foot(PLAIN, wall, card="bikes").why("F") == "4.5.1.1.2"
    assert foot(PLAIN, sides("defilade", "C3:N"), card="gun").why("F") == "4.5.1.1.2"


@rules("5.2", "6.6.5", system=NA)
def test_6_6_5_a_gun_is_manhandled_one_hex_any_way() -> None:
    gun = foot(PLAIN, card="gun")
    assert gun.why("2F") == ""
    assert gun.why("F F") == "6.6.5"
    hexes = {end.hex for end in reach(gun.mover(), gun.mover().start())}
    assert len(hexes) == 7


@rules("5.2", "6.6.5", system=NA)
def test_6_6_5_nobody_manhandles_a_gun_without_a_movement_factor() -> None:
    heavy = foot(PLAIN, card="heavy")
    assert heavy.why("F") == "6.6.5"
    assert heavy.why("2") == heavy.why("") == ""
    assert {end.hex for end in reach(heavy.mover(), heavy.mover().start())} == {heavy.mover().unit.hex}


@rules("6.6.4.2", system=NA)
def test_6_6_4_2_a_quickmarch_leads_through_open_ground() -> None:
    open_ground = foot(PLAIN)
    assert why(open_ground, "F 1F 1F", Gait.QUICKMARCH) == ""
    assert why(open_ground, "F 1F", Gait.MARCH) == ""
    assert why(open_ground, "F 1F 1F", Gait.MARCH) == "4.5.1.1.3"
    scrub = foot(PLAIN.replace(". . . . .", ". . s . .", 2))
    assert why(scrub, "F", Gait.MARCH) == ""
    assert why(scrub, "F", Gait.QUICKMARCH) == "6.6.4.2"
    road = foot(PLAIN.replace(". . . . .", ". . s . .", 2), line("road", "C3", "C2", "C1"))
    assert why(road, "F", Gait.QUICKMARCH) == ""
    assert why(foot(PLAIN, markers=SUPPRESSED), "F", Gait.QUICKMARCH) == "6.6.4.2"
    assert why(foot(PLAIN, card="tractor"), "F", Gait.QUICKMARCH) == "6.6.4.2"


@rules("6.6.4.3", system=NA)
def test_6_6_4_3_crawling_is_one_hex() -> None:
    squad = foot(PLAIN, markers=UnitMarkers(full_cover=True))
    assert why(squad, "F", Gait.CRAWL) == ""
    assert why(squad, "F F", Gait.CRAWL) == "6.6.4.3"
    assert why(foot(PLAIN), "F", Gait.CRAWL) == "6.6.4.3"


@rules("6.6.4.3", "6.6.4.4", system=NA)
def test_6_6_4_3_crawling_is_one_hex_for_motorcyclists_too() -> None:
    bikes = foot(PLAIN, card="bikes", markers=UnitMarkers(full_cover=True))
    assert why(bikes, "F F", Gait.CRAWL) == "6.6.4.3"
    crawler = Mover(bikes, bikes.state, bikes.state.units[X], Gait.CRAWL)
    offered = {end.hex for end in reach(crawler, crawler.start())}
    assert offered == {bikes.hex("C3"), *NEIGHBOURS[bikes.hex("C3")]}


@rules("6.6.7.1", "6.5.2.2.1", system=NA)
def test_6_6_7_1_no_reverse_with_a_gun_in_tow_and_no_move_with_a_track_hit() -> None:
    tows = foot(PLAIN, card="tractor", markers=UnitMarkers(passengers=(UnitId("g"),)))
    tows.place("C3", "N", "gun", "g", markers=UnitMarkers(carrier=X), command=Command.NONE)
    assert tows.why("F") == ""
    assert tows.why("R") == "6.6.7.1"
    assert all(end.facing != 0 or end.hex != tows.hex("C4") for end in _one_step(tows))
    stuck = foot(PLAIN, card="tractor", markers=UnitMarkers(track=True))
    assert stuck.why("F") == "6.5.2.2.1"
    assert list(reach(stuck.mover(), stuck.mover().start())) == [(stuck.hex("C3"), 0, False)]


def _one_step(field: Field) -> Any:
    now = field.mover().start()
    return [end for end in reach(field.mover(), now).values() if len(end.legs) == 1]


@rules("6.6.4.1", system=NA)
def test_6_6_4_1_guns_on_the_road_stop_its_use_and_men_do_not() -> None:
    road = line("road", "C5-C1")
    for card, clear in (("squad", True), ("gun", False), ("bikes", False)):
        field = foot(PLAIN, road, card="tractor", at="C5").place("C3", "N", card, "o", command=Command.NONE)
        assert (field.hex("C3") in field.mover().barred) is not clear


@rules("6.6.4.1", system=NA)
def test_6_6_4_1_every_end_that_is_offered_is_legal() -> None:
    squad = foot(PLAIN.replace(". . . . .", ". g s . .", 3), sides("wall", "C3:N"))
    path = MovePath(squad, squad.state, X)
    actions = list(path)
    assert len(actions) > 50
    assert all(refuse_move(squad, squad.state, X, action.legs) is None for action in actions)  # type: ignore[attr-defined]
    ends = reach(squad.mover(), squad.mover().start())
    assert all(refuse_move(squad, squad.state, X, end.legs) is None for end in ends.values())
