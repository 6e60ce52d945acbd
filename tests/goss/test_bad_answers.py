"""Answers that no honest client sends: unknown stacks, plans that are out of date, missions on unseen hexes."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.json import encode

from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.errors import Refused
from sandtable.core.game import Game
from sandtable.systems.goss.assault.declaring import MakeAssault
from sandtable.systems.goss.modes.designation import DesignateAssault
from sandtable.systems.goss.movement.marching import Leg, March
from sandtable.systems.goss.pieces.unit import UnitId
from sandtable.systems.goss.support.calling import Aim, Spot
from tests.goss.battles import GUN, US, Battle, battle
from tests.goss.lorn import header, lorn
from tests.goss.moving import NON_ROAD, Field

FOOT, TOO, ENEMY = "61-inf/1-481", "61-inf/2-481", "791-inf/I-1571"


def rules(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.rules(*numbers, system="goss")


def refused(field: Any, seat: str, action: Any) -> tuple[str, str]:
    """The rule that forbids an action and the remedy that goes with it; nothing has changed."""
    before = encode(field.state)
    refusal = field.rules.refusal(field.state, Seat(seat), action)
    assert refusal is not None
    assert refusal.reason
    assert encode(field.state) == before
    return refusal.rule, refusal.remedy


@rules("7.5.0", "7.5.1")
def test_a_stack_that_nobody_knows() -> None:
    field = Field(NON_ROAD, ". . .", {"0101": [FOOT, TOO]}, {"0301": [ENEMY]})
    remedy = "a unit, or a stack, that may move in this segment"
    for units in ([], ["61-inf/nobody"], [ENEMY], [FOOT, FOOT], [TOO, FOOT, "61-inf/nobody"]):
        assert refused(field, "allied", field.march(units, "0201")) == ("7.5.1", remedy), units


@rules("3.3.0", "7.5.1", "7.5.2")
def test_a_plan_that_is_out_of_date() -> None:
    """Moves drawn up before others were carried out, or for a segment that is over, are not carried out."""
    field = Field(NON_ROAD, ". . . .", {"0101": [FOOT, TOO]}, {"0401": [ENEMY]})
    planned = field.march(FOOT, "0201")
    field.go(FOOT, "0201")
    assert refused(field, "allied", planned)[0] == "7.5.1", "it has moved"
    open_now = "an answer to the question that is open now"
    assert refused(field, "allied", DesignateAssault()) == ("7.11.0", open_now), "not yet"
    assert refused(field, "allied", MakeAssault(field.rules.place("0401"))) == ("7.11.0", open_now)
    missions = battle()
    assert refused(missions, "allied", March((UnitId(FOOT),), (Leg(missions.hex("0201")),)))[1] == open_now, "too late"


@rules("11.2.1", "11.2.2")
def test_a_mission_on_a_hex_that_is_not_seen() -> None:
    enemies = {"0401": [ENEMY], "0201": ["791-inf/791 Fus"]}
    unseen = Battle(". . . w . . . .", {"0301": [US], "0701": [GUN]}, enemies)
    assert refused(unseen, "allied", Spot(US, unseen.hex("0401"))) == ("11.2.1", "a hex that the spotter observes")
    assert refused(unseen, "allied", Spot(US, unseen.hex("0801"))) == ("11.2.2", "a hex that the enemy holds")
    assert refused(unseen, "allied", Spot(UnitId("61-inf/nobody")))[1]
    assert refused(unseen, "allied", Spot(UnitId(ENEMY), unseen.hex("0401")))[1]
    assert refused(unseen, "allied", Aim(unseen.hex("0401")))[1], "no spotter was named"


@rules("3.3.0")
def test_who_is_not_asked_answers_nothing_and_a_game_stays_as_it_was() -> None:
    game = Game.start(lorn(), header(), SeededDice(1))
    decision = game.decision
    assert decision is not None
    (asked,) = decision.asked
    other = next(seat for seat in game.ruleset.seats if seat != asked)
    state, lines = game.state, len(game.lines)
    with pytest.raises(Refused):
        game.play(other, next(iter(decision.options(asked))))
    with pytest.raises(Refused):
        game.play(asked, DesignateAssault((UnitId("61-inf/nobody"),)))
    assert game.state is state
    assert len(game.lines) == lines
