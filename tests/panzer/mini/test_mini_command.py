"""6.0 orders, 7.0 initiative and 8.2.1 fields-of-fire on a table."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.core.decision import Seat
from sandtable.core.dice import ScriptedDice
from sandtable.core.errors import BadInput
from sandtable.geo.plane.points import Point
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.actions import ChooseFirstPlayer, PlaceCommands
from sandtable.systems.panzer.frames import ChooseFirst
from sandtable.systems.panzer.mini.cards import parse_cards
from sandtable.systems.panzer.mini.fields_of_fire import bears_on, fields_holding, has_shot
from sandtable.systems.panzer.mini.rules import MiniRules
from sandtable.systems.panzer.unit import Command, UnitId
from tests.panzer.mini.games import LIBRARY, position

SYSTEM = "panzer-mini"
SOVIET, GERMAN = Seat("soviet"), Seat("german")
S1, S2, G1 = UnitId("S1"), UnitId("S2"), UnitId("G1")


def two(
    soviet: dict[str, Any] | None = None, german: dict[str, Any] | None = None, **more: Any
) -> tuple[MiniRules, Any]:
    found = position(
        sides=[
            {
                "id": "soviet",
                "title": "",
                "units": [
                    {"id": "S1", "card": "t-34-76-m42", "at": "5,12", "heading": 90, **(soviet or {})},
                    {"id": "S2", "card": "t-34-76-m42", "at": "5,16", "heading": 90},
                ],
            },
            {
                "id": "german",
                "title": "",
                "units": [{"id": "G1", "card": "pz-ivg", "at": "15,12", "heading": 270, **(german or {})}],
            },
        ],
        **more,
    )
    ruleset = found.ruleset
    assert isinstance(ruleset, MiniRules)
    return ruleset, found.state


@pytest.mark.rules("6.1", "6.1.1", "6.1.2", "6.3", "1.1.7.1", system=SYSTEM)
def test_6_1_orders_lie_face_down_until_they_are_executed() -> None:
    ruleset, state = two()
    decision = ruleset.decision(state)
    assert decision is not None
    assert decision.asked == (SOVIET, GERMAN)
    orders = {S1: Command.MOVE, S2: Command.OVERWATCH}
    after = ruleset.resolve(state, SOVIET, PlaceCommands(orders), ScriptedDice(())).state
    assert after.units[S1].command is Command.MOVE
    assert ruleset.conceal(after, GERMAN).units[S1].command is Command.HIDDEN
    assert ruleset.conceal(after, SOVIET).units[S1].command is Command.MOVE
    told = ruleset.redact(ev.CommandsPlaced(SOVIET, orders), GERMAN)
    assert told == ev.CommandsPlaced(SOVIET, {})
    for variant in ruleset.hidden_variants(after, GERMAN):
        assert ruleset.conceal(variant, GERMAN) == ruleset.conceal(after, GERMAN)


@pytest.mark.rules("6.1.3", "6.2", system=SYSTEM)
def test_6_1_3_an_order_for_somebody_elses_unit_is_refused() -> None:
    ruleset, state = two()
    refusal = ruleset.refusal(state, SOVIET, PlaceCommands({G1: Command.MOVE}))
    assert refusal is not None
    assert refusal.rule == "6.1"
    assert ruleset.refusal(state, SOVIET, PlaceCommands({S1: Command.FIRE})) is None
    hidden = ruleset.refusal(state, SOVIET, PlaceCommands({S1: Command.HIDDEN}))
    assert hidden is not None
    assert hidden.rule == "6.0"


@pytest.mark.rules("7.1", "7.2", "4.1", "4.2", system=SYSTEM)
def test_7_1_ties_are_rolled_again_and_the_winner_chooses() -> None:
    ruleset, state = two()
    state = ruleset.resolve(state, SOVIET, PlaceCommands({}), ScriptedDice(())).state
    play = ruleset.resolve(state, GERMAN, PlaceCommands({}), ScriptedDice((40, 40, 12, 77)))
    rolled = [event for event in play.events if isinstance(event, ev.InitiativeRolled)]
    assert [event.winner for event in rolled] == ["", "german"]
    assert play.state.stack[-1] == ChooseFirst(GERMAN)
    asking = ruleset.asking(play.state)
    assert asking is not None
    assert asking.rule == "7.1"
    refusal = ruleset.refusal(play.state, GERMAN, ChooseFirstPlayer(Seat("nobody")))
    assert refusal is not None
    assert refusal.rule == "7.1"
    after = ruleset.start(play.state, GERMAN, ChooseFirstPlayer(SOVIET), ScriptedDice(())).state
    assert after.first == "soviet"


@pytest.mark.rules("8.2.1", "8.2", "8.2.1.1", system=SYSTEM)
def test_8_2_1_fields_of_fire_are_90_degrees_wide_and_turn_with_the_turret() -> None:
    at = Point(10000, 10000)
    told = {"15,10": "front", "10,15": "right", "5,10": "rear", "10,5": "left"}
    for place, field in told.items():
        x, y = (int(part) * 1000 for part in place.split(","))
        assert [one.value for one in fields_holding(at, 900, (x, y))] == [field]
    assert {one.value for one in fields_holding(at, 900, (15000, 15000))} == {"front", "right"}
    ruleset, state = two(soviet={"turret": "right"})
    unit, card = state.units[S1], ruleset.context.card_of(state.units[S1])
    assert not bears_on(unit, card, card.weapons[0], (15000, 12000))
    assert bears_on(unit, card, card.weapons[0], (5000, 20000))
    assert not has_shot(unit, card, state.units[G1])


@pytest.mark.rules("8.2.1.3", "8.2.1.4", "8.2.1.5", "8.2.1.2", "4.5", "4.5.2", system=SYSTEM)
def test_8_2_1_3_a_fixed_gun_covers_the_front_of_the_hull_alone() -> None:
    ruleset, state = two(soviet={"card": "su-85"})
    unit, card = state.units[S1], ruleset.context.card_of(state.units[S1])
    assert has_shot(unit, card, state.units[G1])
    turned, other = two(soviet={"card": "su-85", "heading": 180})
    assert not has_shot(other.units[S1], turned.context.card_of(other.units[S1]), other.units[G1])
    far, away = two(german={"at": "35,12"}, soviet={"card": "t-60"})
    assert not has_shot(away.units[S1], far.context.card_of(away.units[S1]), away.units[G1])


@pytest.mark.rules("1.1.3", "1.1.4", system=SYSTEM)
def test_1_1_4_a_card_with_faults_is_told_with_every_field() -> None:
    card = b"""
book: x
cards:
- id: a
  name: A
  nation: german
  kind: tank
  movement: {cross_country: 9, mode: T, path: 8, road: 7}
  size: 5
  gp_defense: 3
  target_type: A
  traverse: Non-Turreted
  weapons: [{name: gun, mount: all}]
  points: {eliminated: 1, damaged: 1, tracked: 1}
  base: [9, 1]
"""
    with pytest.raises(BadInput) as bad:
        parse_cards({"cards/x.yaml": card})
    told = " ".join(fault.where for fault in bad.value.faults)
    assert all(field in told for field in ("movement", "size", "base", "mount"))
    assert len(parse_cards({place: data for _, data, place in LIBRARY.section("cards")})) > 40


@pytest.mark.rules("6.1.3", "6.3", "6.4", "9.2.1.3", "8.4.5.3.1", system=SYSTEM)
def test_9_2_1_3_with_a_track_hit_there_is_neither_a_move_nor_half_of_one() -> None:
    ruleset, state = two({"track": True})
    found = {}
    for order in (Command.FIRE, Command.MOVE, Command.SHORT_HALT, Command.OVERWATCH, Command.NONE):
        refusal = ruleset.refusal(state, SOVIET, PlaceCommands({S1: order}))
        found[order.value] = "" if refusal is None else refusal.rule
    assert found == {"FIRE": "", "MOVE": "9.2.1.3", "SHORT HALT": "9.2.1.3", "OW": "", "N/C": ""}


@pytest.mark.rules("6.2", "6.4", "6.5", "6.6", "6.1.3", system=SYSTEM)
def test_6_5_an_unarmed_vehicle_neither_fires_nor_watches() -> None:
    ruleset, state = two({"card": "gaz-aa"})
    found = {}
    for order in (Command.FIRE, Command.MOVE, Command.SHORT_HALT, Command.OVERWATCH, Command.NONE):
        refusal = ruleset.refusal(state, SOVIET, PlaceCommands({S1: order}))
        found[order.value] = "" if refusal is None else refusal.rule
    assert found == {"FIRE": "6.2", "MOVE": "", "SHORT HALT": "6.2", "OW": "6.2", "N/C": ""}
