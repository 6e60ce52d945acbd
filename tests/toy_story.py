"""What the events of the toy look like."""

from __future__ import annotations

from sandtable.core.showing import Shown
from tests import toy

__all__ = ["ShownPatrols"]


class ShownPatrols(toy.Patrols):
    """The toy, with what is to be seen of its events."""

    def show(self, event: toy.Event) -> Shown | None:
        """What is to be seen of an event."""
        return _show(event)


def _show(event: toy.Event) -> Shown | None:
    """What is to be seen of an event."""
    match event:
        case toy.TurnBegan() | toy.GameEnded():
            return Shown(kind="phase")
        case toy.FirstRolled(roll, first):
            return Shown(kind="result", faces=(roll,), rolled=f"{roll}", effect=f"{first} first")
        case toy.Marched(piece, to):
            return Shown(kind="move", units=(piece,), hex=f"{to}")
        case toy.Shot(shooter, target, roll, needed, hit):
            return Shown(
                kind="result",
                units=(target,),
                firers=(shooter,),
                needed=f"{needed.total} or more",
                rolled=f"{roll}",
                effect="hit" if hit else "miss",
                came_off=hit,
            )
        case _:
            return None
