"""Worked examples of units that no pack has yet, on cards that are changed for them."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.tree.drawing import read_drawing_text
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.mini.cards import MiniCard
from sandtable.systems.panzer.mini.combat.measures import Aim, refuse_shot
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.fields_of_fire import has_shot
from sandtable.systems.panzer.mini.movement.drive import DrivePath
from sandtable.systems.panzer.terrain import Traction
from tests.panzer.mini.range import Story, forces, panzer, tank

SYSTEM = "panzer-mini"


def with_card(context: Context, name: str, **changed: Any) -> tuple[Context, MiniCard]:
    """The same game with another card."""
    card = replace(context.cards[CardId(name)], **changed)
    return replace(context, cards={**context.cards, card.id: card}), card


@pytest.mark.rules("4.5.2", system=SYSTEM)
def test_4_5_2_nobody_is_fired_on_within_the_minimum_range() -> None:
    story = Story(forces([panzer(at="14.999,10")], [tank()]))
    weapons = story.rules.context.cards["t-34-76-m43"].weapons
    context, card = with_card(story.rules.context, "t-34-76-m43", weapons=(replace(weapons[0], minimum=5),))
    near, firer = story.unit("panzer"), story.unit("tank")
    refusal = refuse_shot(context, Aim(firer), near)
    assert refusal is not None
    assert refusal.rule == "4.5.2"
    assert not has_shot(firer, card, near)
    far = Story(forces([panzer(at="15,10")], [tank()])).unit("panzer")
    assert refuse_shot(context, Aim(firer), far) is None
    assert has_shot(firer, card, far)


@pytest.mark.rules("9.7.1", system=SYSTEM)
def test_9_7_1_a_roof_alone_does_not_lead_into_buildings_on_wheels_or_half_tracks() -> None:
    inn = {"kind": "wood_building", "outline": [[11, 9], [13, 9], [13, 11], [11, 11]]}
    story = Story(forces([panzer(at="40,40")], [tank(command="MOVE")], features=[inn]))
    strokes = read_drawing_text("go 10.9,10")
    assert strokes is not None
    movement = story.rules.context.cards["t-34-76-m43"].movement
    for mode, rule in ((Traction.TRACKED, ""), (Traction.HALF_TRACKED, "9.7.1"), (Traction.WHEELED, "9.7.1")):
        context, card = with_card(story.rules.context, "t-34-76-m43", movement=replace(movement, mode=mode))
        assert card.enters_buildings is (mode is Traction.TRACKED)
        refusal = DrivePath(context, story.state, story.unit("tank")).judge(strokes).refusal
        assert (refusal.rule if refusal is not None else "") == rule
