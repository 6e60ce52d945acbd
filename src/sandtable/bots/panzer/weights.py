"""How the parts of a judgement are weighed against one another; found by letting bots with other weights play."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.bots.style import Style

__all__ = ["PLAIN", "TUNED", "Weights", "weights_for"]


class Weights(NamedTuple):
    """Plain numbers, most of them chances or shares."""

    danger: float = 0.35
    """Expected losses in a place in the turn to come."""
    shots: float = 0.5
    """The shot that a place offers in the turn to come."""
    unseen: float = 0.35
    """A gun that does not spot a place yet but may soon."""
    shot: float = 0.85
    """A shot this turn: the chance to get it off before the enemy's, and what it spares later."""
    moving_helps: float = 0.25
    """Share of this turn's danger that a moving target escapes."""
    watch: float = 0.7
    """Trust in overwatch."""
    stands: float = 0.15
    """Chance that an enemy who has no target and stands on his ground moves all the same."""
    comes: float = 0.7
    """Chance that one who is not there yet moves on."""
    fires: float = 0.75
    """Chance that one with a good target fires."""
    elsewhere: float = 0.3
    """Objectives that a vehicle was not sent to."""
    inertia: float = 15.0
    """Points of vehicles that it takes to make a mark on an objective."""
    decay: float = 2.0
    """How fast a vehicle counts less at an objective, the longer its way."""
    there: float = 1.0
    """How much more it counts when it stands on it."""
    temper: float = 0.4
    """How much a lead adds to care, and a deficit takes from it."""
    front: float = 0.0
    """Share of a vehicle that it costs to turn its rear to all of the enemy, in sight or not."""
    exchange: float = 0.6
    """The fire of the turn to come, when a position is judged."""
    hurt: float = 0.25
    """What damage costs a vehicle of its worth, when a position is judged."""
    win: float = 0.5
    """A sure win beside the points, in shares of all that is at stake."""


PLAIN = Weights()
"""Each number as common sense has it."""
TUNED = Weights(shot=1.6, front=0.08)
"""As play has shown it."""


def weights_for(style: Style) -> Weights:
    """Who leads a force has learnt; who only looks at the next decision goes by common sense."""
    return TUNED if style.plans else PLAIN
