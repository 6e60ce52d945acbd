"""The doctrine of GOSS: who attacks at which ratio, who marches where, who is held back."""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.bots import ask, make_bot
from sandtable.bots.goss.front import FrontLine
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.systems.goss.modes.designation import DesignateAssault
from sandtable.systems.goss.modes.reserve import DesignateReserves
from sandtable.systems.goss.movement.marching import EndMoves, March
from sandtable.systems.goss.observation.arranging import PutOnTop
from sandtable.systems.goss.pieces.unit import UnitId
from tests.goss.lorn import header, lorn
from tests.goss.moving import NON_ROAD
from tests.goss.positions import position

ALLIED, AXIS = Seat("allied"), Seat("axis")
US, TOO, THEM = (UnitId(one) for one in ("61-inf/1-481", "61-inf/2-481", "791-inf/I-1571"))
GREEDY = make_bot("greedy", None)


def answer(
    cells: str, allied: dict[str, list[str]], axis: dict[str, list[str]], seat: Seat = ALLIED, **more: Any
) -> Any:
    found = position(cells, allied, axis, player=seat, **more)
    return ask(GREEDY, found.ruleset, found.state, seat, Random(1))


def test_it_attacks_at_a_good_ratio_and_not_at_a_poor_one() -> None:
    step = "tactical assault designation"
    assert answer(". . . .", {"0201": [US, TOO]}, {"0301": [THEM]}, segment=step) == DesignateAssault((US, TOO))
    assert answer(". . . .", {"0201": [US]}, {"0301": [THEM, "791-inf/II-1571"]}, segment=step) == DesignateAssault()


def test_who_attacks_marches_towards_the_enemy_and_nobody_is_put_on_top_for_nothing() -> None:
    sources: dict[str, Any] = {"us": {"sources": ["0101"]}, "them": {"sources": ["0801"]}}
    found = answer(". . . . . . . .", {"0101": [US, TOO]}, {"0801": [THEM]}, segment=NON_ROAD, **sources)
    assert isinstance(found, March)
    assert len(found.way) >= 3
    beside = answer(". . . . . . . .", {"0201": [US]}, {"0301": [THEM]}, segment=NON_ROAD, **sources)
    assert beside == EndMoves()


def test_who_defends_holds_battalions_back_behind_the_front() -> None:
    rules = lorn()
    game, rng, held = Game.start(rules, header(), SeededDice(5)), Random(5), set[str]()
    while (decision := game.decision) is not None and game.state.at.turn == 0:
        seat = decision.asked[0]
        said = ask(GREEDY, rules, game.state, seat, rng)
        assert not isinstance(said, PutOnTop)
        if isinstance(said, DesignateReserves):
            held.update(said.units if seat == AXIS else ())
            assert seat == AXIS or not said.units, "attackers need all they have"
        game.play(seat, said)
    assert held
    front = FrontLine(rules.context, rules.conceal(game.state, AXIS), AXIS)
    assert not front.is_attacker
    assert FrontLine(rules.context, rules.conceal(game.state, ALLIED), ALLIED).is_attacker
