"""1.4 Dice."""

import pytest

from sandtable.core.dice import ScriptedDice
from sandtable.core.ruleset import Resolution
from sandtable.systems.aslsk.common.dice import one_of, roll_dr, roll_single
from sandtable.systems.aslsk.common.events import Event
from sandtable.systems.aslsk.pieces.state import State


@pytest.mark.rules("1.0", "1.4", system="aslsk3")
def test_1_4_a_dr_is_a_coloured_and_a_white_die_and_a_dr_of_one_die_is_its_face() -> None:
    play: Resolution[State | None, Event] = Resolution(None, lambda state, _: state, ScriptedDice([[2, 5], 4, 3]))
    roll = roll_dr(play, "test")  # type: ignore[arg-type]
    assert (roll.faces, roll.total) == ((2, 5), 7)
    assert roll_single(play, "test") == 4  # type: ignore[arg-type]
    assert one_of(play, 3, "test") == 2  # type: ignore[arg-type]
    assert one_of(play, 1, "test") == 0  # type: ignore[arg-type]
