"""3.2.1 What may be foreseen: no line of sight is checked before fire has been declared, so odds take it for granted.

A game with ``free_sight`` tells all. Otherwise odds and numbers of fire are worked out as if nothing blocked or
hindered any line: that says nothing about the ground between. What is in the two hexes themselves is plain to see.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.actions import Action, Fire, FireOrdnance
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.vehicle_actions import FireGun, FireVehicle
from sandtable.systems.aslsk.veil import Veil

__all__ = ["TrustedGround", "is_dark", "refuse_sight", "trusting"]


class TrustedGround(Veil):
    """Ground on which everybody is taken to see everybody."""

    def clear(self, a: Hex, b: Hex) -> bool:  # noqa: ARG002
        """Nothing blocks."""
        return True

    def clear_among(self, hex: Hex, others: Sequence[Hex]) -> int:  # noqa: ARG002
        """All of them are in sight."""
        return (1 << len(others)) - 1

    def hindrance(self, a: Hex, b: Hex) -> int:  # noqa: ARG002
        """Nothing hinders."""
        return 0

    def between(self, a: Hex, b: Hex) -> tuple[Hex, ...]:  # noqa: ARG002
        """No smoke on the way counts either."""
        return ()

    def through(self, a: Hex, b: Hex) -> tuple[Hex, ...]:  # noqa: ARG002
        """Nor does a wreck."""
        return ()

    def on_road_only(self, a: Hex, b: Hex) -> bool:
        """Whether the line stays on the road of the hex ``b``."""
        return self._ground.on_road_only(a, b)


@rule("3.2.1")
def is_dark(context: Context, action: Action) -> bool:
    """Whether an action needs a line of sight that may not be checked before (3.2.1)."""
    return not context.scenario.conditions.free_sight and isinstance(
        action, Fire | FireOrdnance | FireGun | FireVehicle
    )


def trusting(context: Context) -> Context:
    """What odds are worked out with where sight may not be checked."""
    return context.on_ground(TrustedGround(context.ground))


@rule("3.2.1")
def refuse_sight(context: Context) -> Refusal | None:
    """Why a player may not check a line of sight: only an attack that has been declared shows it (3.2.1)."""
    if context.scenario.conditions.free_sight:
        return None
    return Refusal("3.2.1", "no line of sight is checked before an attack is declared", "play with free_sight=on")
