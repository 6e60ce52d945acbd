"""3.6 Controlling Objectives: who holds one, and who is on the way to it."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from msgspec.structs import replace

from sandtable.core.content.rule import rule

__all__ = ["Objective", "reviewed"]


class Objective(msgspec.Struct, frozen=True, omit_defaults=True):
    """How an objective stands (3.6)."""

    holder: str = ""
    """The force that controls it."""
    occupant: str = ""
    """The force that has occupied it alone ..."""
    turns: int = 0
    """... for so many complete turns."""
    contested: bool = False
    """Both forces were there at the end of the last turn; of the miniatures book alone (4.6 there)."""
    beside: tuple[str, ...] = ()
    """The units that were there then; of the miniatures book alone (4.6 there)."""


@rule("3.6")
def reviewed(now: Objective, present: Collection[str], turns: int) -> Objective:
    """How an objective stands at the end of a turn, with these forces present (3.6).

    A force that has occupied it alone for the ``turns`` asked for captures it; it need not stay. Where both forces
    are present nobody controls it.
    """
    if len(present) > 1:
        return Objective()
    if not present:
        return replace(now, occupant="", turns=0)
    (force,) = present
    held = now.turns + 1 if now.occupant == force else 0
    return Objective(holder=force if held >= turns else now.holder, occupant=force, turns=held)
