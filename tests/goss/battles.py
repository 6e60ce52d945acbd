"""Fire support on a row of hexes, played with dice that fall as the test says."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.core.dice import ScriptedDice
from sandtable.core.frames import Opened
from sandtable.core.ruleset import Resolution
from sandtable.systems.goss.common.state import WorkHere, with_units
from sandtable.systems.goss.ground.cover import Work
from sandtable.systems.goss.pieces.unit import UnitId
from sandtable.systems.goss.support.calling import Spot
from sandtable.systems.goss.support.fire_plan import Fire, Shot
from sandtable.systems.goss.support.struck import Struck
from sandtable.systems.goss.turn.segments import Step
from tests.goss.positions import Units, position

ALLIED, AXIS = Seat("allied"), Seat("axis")
US, THEM, PIO = UnitId("61-inf/1-481"), UnitId("791-inf/I-1571"), UnitId("791-inf/791 Pio")
GUN, GUN2, GUN3 = UnitId("61-inf/811 FA"), UnitId("61-inf/812 FA"), UnitId("61-inf/813 FA")
BIG = UnitId("xl-corps/974 FA")
SP = UnitId("ccb/CCB AFA")
ROW = ". . . . . . . ."
"""Hexes 0101 to 0801."""


class Battle:
    """A position that is played on with scripted dice; a die is 0 to 9."""

    def __init__(self, cells: str, allied: Units, axis: Units, **more: Any) -> None:
        found = position(cells, allied, axis, **({"segment": Step.OFFENSIVE_SUPPORT} | more))
        self.rules, self.state = found.ruleset, found.state
        self.context = self.rules.context
        self.events: tuple[Any, ...] = ()

    def hex(self, label: str) -> Any:
        return self.rules.place(label)

    def at(self, unit: UnitId) -> str:
        hex = self.state.units[unit].hex
        return self.context.label(hex) if hex is not None else ""

    def mark(self, unit: UnitId, **changes: Any) -> Battle:
        self.state = with_units(self.state, replace(self.state.units[unit], **changes))
        return self

    def works(self, label: str, kind: Work, *units: UnitId) -> Battle:
        self.state = replace(self.state, works=(WorkHere(self.hex(label), kind, AXIS),))
        for unit in units:
            self.mark(unit, in_works=True)
        return self

    def refusal(self, seat: Seat, action: Any) -> str:
        found = self.rules.refusal(self.state, seat, action)
        return "" if found is None else str(found.rule)

    def play(self, seat: Seat, action: Any, *dice: int) -> Battle:
        asked = self.rules.asking(self.state)
        assert asked is not None
        assert seat in asked.asked, asked.title
        assert self.refusal(seat, action) == ""
        scripted = ScriptedDice([die + 1 for die in dice])
        result: Resolution[Any, Any] = self.rules.resolve(self.state, seat, action, scripted)
        assert scripted.left == 0, "dice that nobody rolled"
        self.state, self.events = result.state, tuple(result.events)
        return self

    def strike(self, frame: Struck) -> Battle:
        """Open the question of those who were hit."""
        play: Resolution[Any, Any] = Resolution(self.state, self.rules.fold, ScriptedDice([]))
        play.emit(Opened(frame))
        self.rules.advance(play)
        self.state = play.state
        return self

    def asked(self) -> str:
        found = self.rules.asking(self.state)
        return "" if found is None else str(found.rule)

    def fire(self, label: str, *guns: tuple[UnitId, int], spotter: UnitId = US) -> Fire:
        self.play(ALLIED, Spot(spotter, self.hex(label)))
        return Fire(tuple(Shot(*gun) for gun in guns))


def battle(cells: str = ROW, there: str = "0401", enemies: tuple[str, ...] = (THEM,), **more: Any) -> Battle:
    """An American battalion beside the target, with three batteries behind it."""
    us = {f"0{int(there[1]) - 1}01": [US], "0101": [GUN, GUN2], "0201": [GUN3]}
    return Battle(cells, us, {there: list(enemies)}, **more)


def hit(hits: int, *enemies: UnitId, works: Work | None = None, also: Units | None = None, **marks: Any) -> Battle:
    """Units in 0401 that have taken so many numerical hits; an American battalion stands in 0301.

    Far off another battalion has a target, so that the segment goes on.
    """
    units = enemies or (THEM,)
    us: Units = {"0301": [US], "1001": ["61-inf/1-482"], "0801": [GUN], **(also or {})}
    field = Battle(f"{ROW} . . .", us, {"0401": list(units), "1101": ["791-inf/791 Fus"]})
    if works is not None:
        field.works("0401", works, *(units if not marks.get("is_designated") else ()))
    for unit in units:
        field.mark(unit, **marks)
    return field.strike(Struck(AXIS, field.hex("0401"), hits, units, was_designated=bool(marks.get("is_designated"))))


def left(field: Battle, unit: UnitId = THEM) -> tuple[int, int, int]:
    """Steps, AS markers and fatigue of a unit."""
    found = field.state.units[unit]
    return found.steps, found.shifts, found.fatigue
