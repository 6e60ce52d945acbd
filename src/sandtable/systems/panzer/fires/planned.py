"""6.5.1.11 Planned Indirect Fire: what may be plotted, when it arrives, and when its battery is free again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.systems.panzer.fires.missions import Battery, Plot, PlotStep, refuse_pattern

__all__ = ["LONGEST", "SHIFT", "is_busy", "may_arrive", "must_arrive", "refuse_step", "step_at"]

BOOK = ("panzer-na",)
P = TypeVar("P")
LONGEST = 5
"""Turns that a plot may last (6.5.1.11.1)."""
SHIFT = 5
"""How far a Target Point may be plotted to move a turn (6.5.1.11.3)."""
LEEWAY = 1
"""Turns that the fire may be announced before or after its plot (6.5.1.11.2)."""


@rule("6.5.1.11", "6.5.1.11.1", "6.5.1.11.3", editions=BOOK)
def refuse_step(
    plot: Plot[P] | None, turn: int, step: PlotStep[P], last_turn: int, distance: Callable[[P, P], int]
) -> Refusal | None:
    """Why a line may not be added to a plot; the first one has the turn of arrival, the others 0 (6.5.1.11.1)."""
    refusal = refuse_pattern(step.kind, step.pattern, step.way, off_map=True)
    if refusal is not None:
        return refusal
    before = 0 if plot is None else plot.turns
    if not 1 <= step.turns <= LONGEST - before:
        return Refusal("6.5.1.11.1", f"a plot of {before + step.turns} turns", f"1 to {LONGEST} in all")
    if plot is None:
        if not 1 <= turn <= last_turn:
            return Refusal("6.5.1.11.1", f"no turn {turn}", f"1 to {last_turn}")
        return None
    if turn:
        return Refusal("6.5.1.11.1", "the plot has its turn of arrival", "turn 0: it goes on")
    apart = distance(plot.steps[-1].target, step.target)
    if apart > SHIFT:
        return Refusal("6.5.1.11.3", f"the Target Point moves {apart} hexes", f"{SHIFT} or less")
    return None


@rule("6.5.1.11.1", "6.5.1.11.3", editions=BOOK)
def step_at(plot: Plot[P], begun: int, turn: int) -> PlotStep[P] | None:
    """What the plot says for a turn once the fire has arrived, None when it is over (6.5.1.11.1)."""
    left = turn - begun
    for step in plot.steps:
        if left < step.turns:
            return step
        left -= step.turns
    return None


@rule("6.5.1.11.2", editions=BOOK)
def may_arrive(battery: Battery[Any], turn: int) -> bool:
    """Whether Planned fire may be announced: on its turn, one before or one after (6.5.1.11.2)."""
    plot = battery.plot
    return plot is not None and not battery.begun and abs(turn - plot.turn) <= LEEWAY


@rule("6.5.1.9", "6.5.1.11.2", editions=BOOK)
def must_arrive(battery: Battery[Any], turn: int) -> bool:
    """Whether Planned fire arrives at the latest: it follows its plot and is never checked (6.5.1.9)."""
    plot = battery.plot
    return plot is not None and not battery.begun and turn >= plot.turn + LEEWAY


@rule("6.5.1.11.1", editions=BOOK)
def is_busy(battery: Battery[Any], turn: int) -> bool:
    """Whether its plot keeps a battery from other missions, the turn of waiting after it included (6.5.1.11.1).

    From the turn on in which the fire may arrive it waits for that.
    """
    plot = battery.plot
    if plot is None:
        return False
    return battery.begun <= turn <= battery.begun + plot.turns if battery.begun else turn >= plot.turn - LEEWAY
