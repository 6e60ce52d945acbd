"""6.2.1.1.4 Shared commands on hexes: targets within Command Range of one another."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.geo.hex import Hex, distance
from sandtable.systems.panzer.command.sharing import first_apart, holder_of
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.state import State, Unit

__all__ = ["refuse_shared_place", "refuse_shared_target"]

BOOK = ("panzer-na",)


@rule("6.2.1.1.4", editions=BOOK)
def refuse_shared_target(context: Context, state: State, firer: Unit, target: Unit) -> Refusal | None:
    """Why a target is too far from those that the sharers of a command have fired on this turn (6.2.1.1.4)."""
    return None if target.hex is None else refuse_shared_place(context, state, firer, target.hex)


def refuse_shared_place(context: Context, state: State, firer: Unit, place: Hex) -> Refusal | None:
    """The same of a hex: a target's, or the Target Point of Indirect Fire."""
    struck = state.fired_on.get(holder_of(firer), ())
    if not struck:
        return None
    reach = context.command_reach(firer)
    apart = first_apart((*struck, place), distance, reach)
    if apart is None:
        return None
    label = context.game_map.label
    reason = f"{firer.id} shares its command: {label(apart[0])} and {label(apart[1])} are more than {reach} apart"
    return Refusal("6.2.1.1.4", reason, "targets within Command Range of one another")
