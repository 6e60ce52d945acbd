"""Clocks."""

from __future__ import annotations

import pytest

from sandtable.session.clock import Clocks, check_clock
from sandtable.session.told import Clock


def test_a_move_clock_is_full_for_every_move() -> None:
    clocks = Clocks.start(Clock("move", 60), ["red", "blue"]).after(("red", "blue"), "", 100.0)
    clocks = clocks.after(("blue",), "red", 130.0)
    assert clocks.left == {"red": 60.0, "blue": 30.0}, "blue was asked before and still is"
    clocks = clocks.after(("red",), "blue", 150.0)
    assert clocks.left == {"red": 60.0, "blue": 60.0}
    assert clocks.flagged(209.0) == ""
    assert clocks.flagged(211.0) == "red"


def test_a_game_clock_runs_down_and_gets_increments() -> None:
    clocks = Clocks.start(Clock("game", 100, 5), ["red", "blue"]).after(("red",), "", 0.0)
    clocks = clocks.after(("blue",), "red", 30.0)
    assert clocks.left == {"red": 75.0, "blue": 100.0}
    assert clocks.next_flag(40.0) == 90.0
    told = {one.seat: one for one in clocks.told(40.0)}
    assert (told["blue"].left_ms, told["blue"].running, told["red"].running) == (90_000, True, False)
    assert clocks.stop(50.0).next_flag(1000.0) is None


@pytest.mark.parametrize("clock", [Clock("move", 0), Clock("game", 10, -1), Clock("move", 10**9)])
def test_silly_clocks(clock: Clock) -> None:
    assert check_clock(clock)


def test_a_correspondence_clock_is_fine() -> None:
    assert check_clock(Clock("move", 3 * 24 * 3600)) == ""
