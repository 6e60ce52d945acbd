"""Code shared by the books of the family cites the numbers of the book in play: its tables say them."""

from __future__ import annotations

import msgspec
import pytest

from sandtable.core.content.table import Table
from sandtable.core.modifier import Breakdown
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.combat.ap_fire import hit_number
from sandtable.systems.panzer.combat.close_assault import AssaultFacts, assault_modifiers
from sandtable.systems.panzer.combat.gp_fire import gp_modifiers
from sandtable.systems.panzer.combat.hand_to_hand import Fighters, fight_modifiers
from sandtable.systems.panzer.combat.hazards import building_number, hull_down_number
from sandtable.systems.panzer.command.recovery import recovery_number
from sandtable.systems.panzer.edition import PANZER_NA
from sandtable.systems.panzer.facts import ShotFacts
from sandtable.systems.panzer.fires.response import Attachment, CallFacts, ObserverKind, response_to
from sandtable.systems.panzer.ranges import RangeFactor
from sandtable.systems.panzer.spotting_ranges import SpottingRanges
from sandtable.systems.panzer.terrain import Cover
from sandtable.systems.panzer.unit import Grade, Spot
from tests.panzer.combat.test_advanced_combat import TABLES, blast


def numbered(prefix: str) -> dict[str, Table]:
    """The tables as a book has them that numbers all its sections otherwise."""
    return {name: msgspec.structs.replace(table, rule=prefix + table.rule) for name, table in TABLES.items()}


def numbers(tables: dict[str, Table]) -> dict[str, Breakdown]:
    """A number of each kind that several books share, with a modifier that every table of theirs gives."""
    shot = ShotFacts(
        range_factor=RangeFactor.M,
        target_size=1,
        target_moving=True,
        cover=Cover.LIGHT,
        short_halt=True,
        stabilisation=0,
        shooter_damaged=True,
        smoke=1,
        overwatch=True,
        in_field=True,
        commander_sight=False,
    )
    call = CallFacts(
        observer=ObserverKind.FO, attachment=Attachment.ATTACHED, grade=Grade.GREEN, registered=True, suppressed=True
    )
    return {
        "AP": hit_number(shot, tables, PANZER_NA),
        "GP": gp_modifiers(blast(is_vehicle=True, moving=True, shooter_suppressed=True), tables),
        "close assault": assault_modifiers(
            AssaultFacts(attacker=UnitClass.SQUAD, grade=Grade.GREEN, moving=True), tables
        ),
        "hand-to-hand": fight_modifiers(Fighters(unit=UnitClass.SQUAD, grade=Grade.GREEN, suppressed=True), tables),
        "building": building_number(tables["building_entry"], "brick", 2),
        "hull down": hull_down_number(tables, 30, 2, Grade.GREEN, partial=True),
        "recovery": recovery_number(tables, Grade.REGULARS, commanded=True, under_fire=True),
        "response": response_to(call, tables),
        "spotting": Breakdown("", "", SpottingRanges(tables).modifiers(Cover.LIGHT, Spot.FIRE)),
    }


@pytest.mark.parametrize("kind", sorted(numbers(TABLES)))
def test_modifiers_cite_the_book_in_play(kind: str) -> None:
    ours, theirs = numbers(TABLES)[kind], numbers(numbered("9"))[kind]
    assert ours.terms
    assert [term.rule for term in theirs.terms] == ["9" + term.rule for term in ours.terms]
    assert theirs.total == ours.total
