"""8.4.0 The owner arranges his stacks: any unit but an HQ may be the one that the enemy sees.

He does so among his moves, each unit once in a Movement Phase (ruling B-94). In works it is the first whom recon units
are told of (8.4.1b).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.facts import UnitFact, Used
from sandtable.systems.goss.common.fog import first_of
from sandtable.systems.goss.common.handler import Action, Play
from sandtable.systems.goss.common.state import State, Use
from sandtable.systems.goss.pieces.unit import Unit, UnitId

__all__ = ["ARRANGING_FOLDS", "PutOnTop", "ToppedBy", "arranged", "arrangements", "arranging_refusal", "put_on_top"]

_TOPPED = "topped"


class PutOnTop(Action, frozen=True):
    """A unit is put on top of its stack."""

    unit: UnitId

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        return f"{context.title(self.unit)} on top"

    def is_secret(self) -> bool:
        """The enemy sees who lies on top, unless that is in works."""
        return True


class ToppedBy(UnitFact, frozen=True):
    """A unit lies on top of its stack now (8.4.0)."""

    unit: UnitId

    def sentence(self, context: Context) -> str:
        """Who."""
        return f"{context.title(self.unit)} lies on top of its stack."

    def reveals(self) -> bool:
        """It shows a unit that was hidden, if the enemy sees it."""
        return not self.owner


def _topped(state: State, event: ToppedBy) -> State:
    unit = state.units[event.unit]
    under = {one.id for one in state.units.values() if one.hex == unit.hex and one.in_works == unit.in_works}
    return replace(state, tops=(*(one for one in state.tops if one not in under), unit.id))


ARRANGING_FOLDS: Mapping[type, Callable[[Any, Any], Any]] = {ToppedBy: _topped}


def _fellows(context: Context, state: State, unit: Unit) -> tuple[Unit, ...]:
    """Those among whom a unit lies: in the works of its hex, or above them."""
    here = context.deployment(state).at(unit.hex) if unit.hex is not None else ()
    return tuple(one for one in here if one.in_works == unit.in_works)


@rule("8.4.0")
def arranging_refusal(context: Context, state: State, seat: Seat, unit: UnitId) -> Refusal | None:
    """Why a unit may not be put on top (8.4.0)."""
    found = state.units.get(unit)
    if found is None or found.side != seat or found.hex is None:
        return Refusal("8.4.0", "it is in no stack of yours", "a unit of yours on the map")
    if context.card(found).is_headquarters:
        return Refusal("8.4.0", "an HQ is never put on top", "another unit of the stack")
    if first_of(context, _fellows(context, state, found), state.tops) is found:
        return Refusal("8.4.0", "it lies on top", "another unit of the stack")
    if state.has_used(_TOPPED, unit):
        return Refusal("8.4.0", "it was put on top in this Movement Phase", "another unit of the stack")
    return None


def arrangements(context: Context, state: State, seat: Seat) -> Iterator[Branch[Action]]:
    """The units that may be put on top of their stacks."""
    for hex, stack in context.deployment(state).stacks.items():
        if len(stack) == 1 or stack[0].side != seat:
            continue
        for unit in stack:
            if arranging_refusal(context, state, seat, unit.id) is None:
                label = f"{context.title(unit.id)} on top in {context.label(hex)}"
                yield Branch(unit.id, "unit", label, Leaf(PutOnTop(unit.id)), unit.id)


def arranged(context: Context, state: State, seat: Seat) -> Node[Action]:
    """The choice among them."""
    return Pick(lambda: arrangements(context, state, seat))


def put_on_top(play: Play, unit: UnitId) -> None:
    """Arrange a stack."""
    found = play.state.units[unit]
    owner = found.side if found.in_works else Seat("")
    play.emit(ToppedBy(unit, owner=owner))
    play.emit(Used(Use(_TOPPED, unit), owner=owner))
