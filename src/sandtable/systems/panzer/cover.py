"""6.1.4.1, 6.1.4.2 Hull Down and Full Cover as far as they need no place."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.markers import HullDown
from sandtable.systems.panzer.unit import Command

__all__ = ["automatic_hull_down", "better_hull_down", "refuse_command_in_cover"]

_BOOK = ("panzer-na",)
_RIGHT = "FIRE, OW or N/C"
_DEGREES = (HullDown.NONE, HullDown.PARTIAL, HullDown.FULL)


@rule("6.1.4.1.3", editions=_BOOK)
def automatic_hull_down(target_height: int, firer_height: int, distance: int) -> HullDown:
    """Partially so against a firer below, not farther off than the target is higher (6.1.4.1.3)"""
    advantage = target_height - firer_height
    return HullDown.PARTIAL if advantage > 0 and distance <= advantage else HullDown.NONE


def better_hull_down(*found: HullDown) -> HullDown:
    """The one that hides most."""
    return max(found, key=_DEGREES.index)


@rule("6.1.4.2", editions=_BOOK)
def refuse_command_in_cover(
    name: str, unit_class: UnitClass, command: Command, *, attached_weapons: bool
) -> Refusal | None:
    """Why a unit in Full Cover may not have a command (6.1.4.2)

    Towed units never MOVE, nor do sections with crew-served weapons; leg units never have a SHORT HALT.
    """
    if unit_class is UnitClass.TOWED and command is Command.MOVE:
        return Refusal("6.1.4.2", f"{name} is a towed unit in Full Cover and may not MOVE", _RIGHT)
    if unit_class.is_leg and command is Command.SHORT_HALT:
        return Refusal("6.1.4.2", f"{name} is a leg unit in Full Cover and may not have a SHORT HALT", _RIGHT)
    if unit_class is UnitClass.SECTION and attached_weapons and command is Command.MOVE:
        return Refusal(
            "6.1.4.2", f"{name} is a section with crew-served weapons in Full Cover and may not MOVE", _RIGHT
        )
    return None
