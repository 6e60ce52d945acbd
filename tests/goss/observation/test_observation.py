"""8.0-8.4.2: who is observed, by covering terrain, activity, light and sky, and what is told of stacks."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.systems.goss.common.state import WorkHere, with_units
from sandtable.systems.goss.ground.cover import Work
from sandtable.systems.goss.ground.weather import GroundCondition
from sandtable.systems.goss.observation.disclosure import ReconReported, recon_reports, spotter_is_told
from sandtable.systems.goss.observation.observing import (
    Presence,
    observes,
    observes_from_the_air,
    observes_hex,
    sees_feature,
)
from sandtable.systems.goss.pieces.unit import Mode, Supply, UnitId
from sandtable.systems.goss.secrecy import conceal
from tests.goss.positions import position

rules = pytest.mark.rules
ALLIED, AXIS = Seat("allied"), Seat("axis")
US, THEM = UnitId("61-inf/1-481"), UnitId("791-inf/I-1571")


class Field:
    """An American battalion and a German stack, each in a hex of a row drawn as text."""

    def __init__(self, cells: str, here: str, there: str, enemies: tuple[str, ...] = (THEM,), **more: Any) -> None:
        found = position(cells, {here: [US]}, {there: list(enemies)}, **more)
        self.rules, self.state = found.ruleset, found.state
        self.context = self.rules.context
        self.here, self.there = self.rules.place(here), self.rules.place(there)

    def mark(self, unit: UnitId, **changes: Any) -> Field:
        self.state = with_units(self.state, replace(self.state.units[unit], **changes))
        return self

    def sees(self, *, back: bool = False, **how: Any) -> bool:
        one, hex = (THEM, self.here) if back else (US, self.there)
        if not how:
            return observes_hex(self.context, self.state, self.state.units[one], hex)
        return observes(self.context, self.state, self.state.units[one], hex, Presence(), **how)


@rules("8.2.0", "8.2.1", "8.2.2", system="goss")
@pytest.mark.parametrize(("ground", "still", "moving"), [(".", True, True), ("v", False, True), ("w", False, False)])
def test_covering_terrain_by_activity(ground: str, still: bool, moving: bool) -> None:
    field = Field(f". {ground}", "0101", "0201")
    assert field.sees(is_moving=False) is still
    assert field.sees(is_moving=True) is moving


@rules("8.2.1", system="goss")
def test_hedges_hide_nobody_who_moves_below_a_height() -> None:
    assert not Field(". b", "0101", "0201").sees(is_moving=True)
    assert Field("V b", "0101", "0201").sees(is_moving=True)
    assert not Field("V b", "0101", "0201").sees(is_moving=False), "no more than OCT"
    assert not Field("V . b", "0101", "0301").sees(is_moving=True), "a common height only next to it"
    assert Field("H . b", "0101", "0301").sees(is_moving=True), "a high one within half its range"
    assert not Field("H . . b", "0101", "0401").sees(is_moving=True)


@rules("8.2.1", "8.2.2", "8.2.3", "5.2.4", system="goss")
def test_who_attacks_sees_and_is_seen() -> None:
    assert Field(". w", "0101", "0201").mark(US, is_designated=True).sees()
    assert Field(". w", "0101", "0201").mark(THEM, mode=Mode.PREPARED_ASSAULT).sees()
    assert Field("V . w", "0101", "0301").mark(THEM, is_designated=True).sees(), "from a height, farther off"
    assert Field("t . w", "0101", "0301").mark(THEM, is_designated=True).sees()
    assert not Field("V . w", "0101", "0301").mark(US, is_designated=True).sees(), "an attacker sees what he touches"


@rules("8.2.3", system="goss")
def test_columns_on_the_road_are_seen_in_any_cover() -> None:
    assert Field(". f", "0101", "0201").mark(THEM, mode=Mode.STRATEGIC).sees()
    assert not Field(". . f", "0101", "0301").mark(THEM, mode=Mode.STRATEGIC).sees(), "within sight"


@rules("8.1.2b", "17.4.1c", system="goss")
def test_night_covers_but_not_before_works() -> None:
    night = Field(". .", "0101", "0201", part="Night")
    assert not night.sees()
    assert night.sees(is_moving=True)
    night.state = replace(night.state, works=(WorkHere(night.here, Work.ET2, ALLIED),))
    assert night.sees(), "outposts of an entrenchment"


@rules("11.2.1", system="goss")
def test_a_village_is_seen_though_nobody_in_it_is() -> None:
    field = Field(". v", "0101", "0201")
    assert not field.sees()
    assert sees_feature(field.context, field.state, field.here, field.there)
    wood = Field(". w", "0101", "0201")
    assert not sees_feature(wood.context, wood.state, wood.here, wood.there)


@rules("8.3.0", system="goss")
@pytest.mark.parametrize(
    ("sky", "part", "cells", "there", "seen"),
    [
        ("Clear", "AM", ". . . . . . .", "0701", True),
        ("Clear", "AM", ". . . . . . . .", "0801", False),
        ("POvr", "AM", ". . . .", "0401", True),
        ("POvr", "AM", ". . . . .", "0501", False),
        ("Ovr", "AM", ". .", "0201", False),
        ("Clear", "Night", ". .", "0201", False),
        ("Clear", "AM", ". v", "0201", False),
    ],
)
def test_from_the_air(sky: str, part: str, cells: str, there: str, seen: bool) -> None:
    field = Field(cells, "0101", there, sky=sky, part=part)
    assert observes_from_the_air(field.context, field.state, ALLIED, field.there) is seen
    assert not observes_from_the_air(field.context, field.state, AXIS, field.here), "only where the scenario has it"


@rules("8.3.0", system="goss")
@pytest.mark.parametrize(
    ("supply", "seen"), [(Supply.GENERAL, True), (Supply.EXTENDED, True), (Supply.ON_HAND, False), (Supply.OUT, False)]
)
def test_from_the_air_one_sees_near_units_in_general_supply(supply: Supply, seen: bool) -> None:
    field = Field(". . . .", "0101", "0401").mark(US, supply=supply)
    assert observes_from_the_air(field.context, field.state, ALLIED, field.there) is seen


@rules("8.3.0", system="goss")
def test_columns_are_seen_from_the_air_anywhere() -> None:
    far = Field(". . . . . . . . f", "0101", "0901").mark(THEM, mode=Mode.STRATEGIC)
    assert observes_from_the_air(far.context, far.state, ALLIED, far.there)
    far.state = replace(far.state, weather=replace(far.state.weather, sky="POvr"))
    assert not observes_from_the_air(far.context, far.state, ALLIED, far.there)
    night = Field(". . .", "0101", "0301", part="Night").mark(THEM, mode=Mode.STRATEGIC)
    assert not observes_from_the_air(night.context, night.state, ALLIED, night.there), "by day alone"


STACK = (THEM, "791-inf/791 Pio", "191-pz/191 PzJ")


@rules("8.4.1", system="goss")
def test_recon_is_told_armour_and_steps_but_not_who() -> None:
    found = position(". .", {"0101": ["61-inf/61 Rcn", US]}, {"0201": list(STACK)})
    context, state = found.ruleset.context, found.state
    recon = state.units[UnitId("61-inf/61 Rcn")]
    (report,) = recon_reports(context, state, recon)
    assert (report.armour, report.steps, report.top) == ("mixed", 5, "")
    told = ReconReported(recon.id, ALLIED, (report,))
    assert told.reveals()
    assert [told.known_to(seat) == told for seat in (ALLIED, AXIS, None)] == [True, True, False]
    assert recon_reports(context, state, state.units[US]) == ()
    dug = replace(state, works=(WorkHere(report.hex, Work.ET2, AXIS),))
    dug = with_units(dug, *(replace(dug.units[UnitId(one)], in_works=True) for one in STACK))
    (report,) = recon_reports(context, dug, recon)
    assert (report.armour, report.steps, report.top) == ("mixed", None, THEM)
    (report,) = recon_reports(context, replace(dug, works=(WorkHere(report.hex, Work.FORT, AXIS),)), recon)
    assert (report.armour, report.steps, report.top) == ("mixed", None, "")
    prepared = {THEM: {"mode": "PA"}}
    area = {"kind": "ft_area", "hexes": ["0201"], "attributes": {"owner": "axis"}}
    found = position(". .", {"0101": ["61-inf/61 Rcn"]}, {"0201": list(STACK)}, features=[area], markers=prepared)
    (report,) = recon_reports(found.ruleset.context, found.state, found.state.units[recon.id])
    assert (report.steps, report.top) == (None, THEM), "in a Ft Area the first of all, though he is to attack"


@rules("8.4.0", "8.4.2", system="goss")
def test_a_vantage_point_looks_into_stacks_in_the_open() -> None:
    def veil(cells: str) -> Any:
        field = Field(cells, "0101", "0301", STACK)
        (found,) = conceal(field.context, field.state, (), ALLIED).veils
        return found.steps, found.armour

    assert veil("V . .") == (5, "mixed")
    assert veil("V . v") == (None, "")
    assert veil(". . .") == (None, "")


@rules("8.4.0", system="goss")
def test_markers_on_hidden_units_are_seen() -> None:
    field = Field(". w", "0101", "0201", STACK).mark(UnitId(STACK[1]), is_designated=True)
    known = conceal(field.context, field.state, (), ALLIED)
    assert STACK[1] not in known.units
    assert observes_hex(field.context, known, known.units[US], field.there)


@rules("8.4.3", "11.2.0", system="goss")
def test_the_spotter_is_told_of_armour_where_he_looks() -> None:
    def told(cells: str, there: str = "0201", *, is_defensive: bool = False, designated: bool = False) -> list[str]:
        field = Field(cells, "0101", there, STACK)
        if designated:
            field.mark(THEM, is_designated=True)
        spotter = field.state.units[US]
        return [one.armour for one in spotter_is_told(field.context, field.state, spotter, is_defensive=is_defensive)]

    assert told(". .") == ["mixed"]
    assert told(". v") == told(". v", is_defensive=True) == []
    assert told(". v", is_defensive=True, designated=True) == ["mixed"]
    assert told(". w", is_defensive=True, designated=True) == [], "not in MCT"
    assert told("V . v", "0301", is_defensive=True, designated=True) == [], "in OCT only next to him"
    assert told("V v", designated=True) == ["mixed"], "an attack from a height looks into OCT"


@rules("8.1.2a", "19.4.4", "19.4.0", system="goss")
def test_frozen_marsh_is_rough_to_who_looks_over_it_in_its_zone_alone() -> None:
    frost = GroundCondition.FREEZE
    assert Field("V m . .", "0101", "0401").sees()
    assert not Field("V m . .", "0101", "0401", ground=frost).sees()
    zones = {"east": {"hexes": ["0301", "0401"], "ground": frost}}
    assert Field("V m . .", "0101", "0401", zones=zones).sees(), "it has not frozen where the marsh is"
    zones["east"]["hexes"] = ["0201", "0301"]
    assert not Field("V m . .", "0101", "0401", zones=zones).sees()
    thawed = {"east": {"hexes": ["0201"], "ground": GroundCondition.WET}}
    assert Field("V m . .", "0101", "0401", ground=frost, zones=thawed).sees()
