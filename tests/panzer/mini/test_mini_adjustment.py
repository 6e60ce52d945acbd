"""10.0 Adjustment on a table: pivots, turrets, the end of the turn, and who has won."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.decision import Seat, Stroke
from sandtable.core.dice import ScriptedDice
from sandtable.core.ruleset import Resolution
from sandtable.core.tree.drawing import read_drawing_text
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.fold import with_unit
from sandtable.systems.panzer.mini.actions import Pivot, TurnTurrets
from sandtable.systems.panzer.mini.adjustment.pivots import may_pivot, open_pivots
from sandtable.systems.panzer.mini.losses import lose
from sandtable.systems.panzer.mini.objectives import automatic_winner, final_outcome, scores
from sandtable.systems.panzer.mini.rules import MiniRules
from sandtable.systems.panzer.mini.state import FieldOfFire
from sandtable.systems.panzer.unit import Command, Spot, UnitId, WreckKind
from tests.panzer.mini.games import position

SYSTEM = "panzer-mini"
SOVIET, GERMAN = Seat("soviet"), Seat("german")
S1, S2, G1 = UnitId("S1"), UnitId("S2"), UnitId("G1")


def table(soviet: dict[str, Any] | None = None, **more: Any) -> tuple[MiniRules, Any]:
    found = position(
        sides=[
            {
                "id": "soviet",
                "title": "",
                "units": [
                    {"id": "S1", "card": "t-34-76-m42", "at": "5,12", **(soviet or {})},
                    {"id": "S2", "card": "su-85", "at": "5,16"},
                ],
            },
            {"id": "german", "title": "", "units": [{"id": "G1", "card": "pz-ivg", "at": "15,12"}]},
        ],
        **more,
    )
    ruleset = found.ruleset
    assert isinstance(ruleset, MiniRules)
    return ruleset, found.state


@pytest.mark.rules("10.1", "3.5", "4.4.2", system=SYSTEM)
def test_10_1_unused_moves_are_marked_and_may_pivot() -> None:
    ruleset, state = table({"command": "MOVE", "known": False}, open="end of turn", first="soviet")
    play = Resolution(state, ruleset.fold, ScriptedDice(()))
    ruleset, state = table({"command": "SHORT HALT", "known": False}, open="turrets", first="soviet")
    play = Resolution(state, ruleset.fold, ScriptedDice(()))
    open_pivots(ruleset.context, play)
    assert play.state.units[S1].known
    assert play.state.units[S1].new_spot is Spot.MOVE
    assert play.state.units[S2].new_spot is Spot.NONE
    strokes = read_drawing_text("face 222.5")
    assert strokes is not None
    assert ruleset.refusal(play.state, SOVIET, Pivot(S1, strokes)) is None
    moved = read_drawing_text("go 6,12")
    assert moved is not None
    refusal = ruleset.refusal(play.state, SOVIET, Pivot(S1, moved))
    assert refusal is not None
    assert refusal.rule == "10.1"
    other = ruleset.refusal(play.state, SOVIET, Pivot(S2, strokes))
    assert other is not None
    assert other.rule == "10.1"
    after = ruleset.resolve(play.state, SOVIET, Pivot(S1, strokes), ScriptedDice(())).state
    assert (after.units[S1].heading, after.units[S1].at) == (2225, (5000, 12000))


@pytest.mark.rules("10.1", "9.9", "9.1", system=SYSTEM)
def test_10_1_a_move_pivots_once_if_it_was_not_used_and_upon_nobody() -> None:
    ruleset, state = table({"command": "MOVE", "at": "5,14.9"}, open="turrets", first="soviet")
    units = {**state.units, S2: replace(state.units[S2], command=Command.MOVE)}
    play = Resolution(replace(state, units=units), ruleset.fold, ScriptedDice(()))
    open_pivots(ruleset.context, play)

    def refused(at: Any, heading: int) -> str:
        refusal = ruleset.refusal(at, SOVIET, Pivot(S1, (Stroke("face", heading=heading),)))
        return "" if refusal is None else refusal.rule

    # Its corner would come to stand upon the other; its sides do not.
    assert [refused(play.state, heading) for heading in (450, 900)] == ["9.9", ""]
    turned = ruleset.resolve(play.state, SOVIET, Pivot(S1, (Stroke("face", heading=900),)), ScriptedDice(())).state
    assert turned.units[S1].heading == 900
    assert refused(turned, 1800) == "10.1"
    assert may_pivot(with_unit(play.state, S1, moved=True), SOVIET) == (S2,)


@pytest.mark.rules("10.1", system=SYSTEM)
def test_10_1_no_pivot_leads_over_the_edge() -> None:
    ruleset, state = table({"command": "MOVE", "at": "0.5,12"}, open="pivots", first="soviet")
    found = {}
    for heading in (450, 900):
        refusal = ruleset.refusal(state, SOVIET, Pivot(S1, (Stroke("face", heading=heading),)))
        found[heading] = "" if refusal is None else refusal.rule
    assert found == {450: "10.1", 900: ""}


@pytest.mark.rules("10.2", "10.2.2", "10.2.3", "10.2.4", "8.4.7.4", "8.4.5.3.3", system=SYSTEM)
def test_10_2_turrets_turn_though_the_vehicle_has_fired_and_has_a_track_hit() -> None:
    ruleset, state = table({"fired": True, "track": True}, open="turrets", first="soviet")
    left = TurnTurrets({S1: FieldOfFire.REAR})
    assert ruleset.refusal(state, SOVIET, left) is None
    after = ruleset.resolve(state, SOVIET, left, ScriptedDice(())).state
    assert after.units[S1].turret is FieldOfFire.REAR
    hurt, damaged = table({"damaged": True}, open="turrets", first="soviet")
    refusal = hurt.refusal(damaged, SOVIET, left)
    assert refusal is not None
    assert refusal.rule == "10.2.2"
    none = ruleset.refusal(state, SOVIET, TurnTurrets({S2: FieldOfFire.LEFT}))
    assert none is not None
    assert none.rule == "10.2"


@pytest.mark.rules("10.3", "10.4", "10.4.2", "3.6.3", system=SYSTEM)
def test_10_3_orders_come_off_and_the_next_turn_begins() -> None:
    ruleset, state = table({"command": "OW", "known": False, "fired": True}, open="turrets", first="soviet")
    state = ruleset.resolve(state, SOVIET, TurnTurrets({}), ScriptedDice(())).state
    play = ruleset.resolve(state, GERMAN, TurnTurrets({}), ScriptedDice(()))
    assert [event.turn for event in play.events if isinstance(event, ev.TurnBegan)] == [2]
    unit = play.state.units[S1]
    assert (unit.command.value, unit.known, unit.fired, unit.moved) == ("N/C", True, False, False)


@pytest.mark.rules("10.4.3.2", system=SYSTEM)
def test_10_4_3_2_a_vehicle_is_worth_the_highest_of_what_befell_it() -> None:
    for fate, part in (({"track": True}, "tracked"), ({"damaged": True, "track": True}, "damaged"), ({}, "")):
        ruleset, state = table(fate)
        worth = ruleset.context.card_of(state.units[S1]).points
        points = {score.side: score.points for score in scores(state, ruleset.context.scenario)}
        assert points == {"german": getattr(worth, part) if part else 0, "soviet": 0}
        play = Resolution(state, ruleset.fold, ScriptedDice(()))
        lose(ruleset.context, play, state.units[S1])
        [german] = [one.points for one in scores(play.state, ruleset.context.scenario) if one.side == "german"]
        assert german == worth.eliminated
        assert 0 < worth.tracked < worth.damaged < worth.eliminated


@pytest.mark.rules("10.4.1", "10.4.3", "10.4.3.1", "10.4.3.2", "10.4.4", "4.6.1", system=SYSTEM)
def test_10_4_points_and_automatic_victory() -> None:
    objectives = [
        {"id": "hill", "title": "Hill", "point": "30,20", "points": {"soviet": 50, "german": 50}, "holder": "german"}
    ]
    ruleset, state = table({"damaged": True, "track": True}, objectives=objectives, victory={"lead": 40})
    context = ruleset.context
    points = {score.side: score.points for score in scores(state, context.scenario)}
    card = context.card_of(state.units[S1])
    assert points == {"german": 50 + card.points.damaged, "soviet": 0}
    assert automatic_winner(state, context.scenario, context.cards) == ""
    outcome = final_outcome(state, context.scenario, context.cards)
    assert (outcome.winner, outcome.rule) == ("german", "10.4.4")
    play = Resolution(state, ruleset.fold, ScriptedDice(()))
    lose(context, play, state.units[G1], WreckKind.BU)
    assert [patch.kind for patch in play.state.patches] == ["wreck", "brew_up_smoke"]
    assert play.state.terrain == state.terrain + 1
    assert automatic_winner(play.state, context.scenario, context.cards) == "soviet"
    beaten = final_outcome(play.state, context.scenario, context.cards)
    assert (beaten.winner, beaten.rule) == ("soviet", "10.4.1")
    for lead, winner in ((51, ""), (50, "german")):
        near = table(objectives=objectives, victory={"lead": lead})
        assert final_outcome(near[1], near[0].context.scenario, near[0].context.cards).winner == winner
