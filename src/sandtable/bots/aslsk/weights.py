"""What a commander of infantry weighs against what. Points are Casualty Victory Points: a squad is worth two (2.0)."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.bots.aslsk.harm import HarmOdds
from sandtable.bots.style import Style

__all__ = ["PLAIN", "TUNED", "Weights", "weights_for"]


class Weights(NamedTuple):
    """The weights."""

    killed: float = 1.0
    """Share of a unit's worth that its elimination costs."""
    reduced: float = 0.55
    broken: float = 0.42
    pinned: float = 0.1
    stopped: float = 0.25
    """Pinned on the move, which it ends."""
    place: float = 4.0
    """A place of the victory conditions, in points, while all of the game is still to come."""
    nearer: float = 0.5
    """Points that a squad gains by coming a turn's march nearer to where it is wanted."""
    calm: float = 0.7
    """The least of it, where there is time."""
    each: float = 0.8
    """Turns that every further place takes which is still needed, beyond the march to the nearest."""
    danger: float = 0.55
    """How much of the fire that could strike a moving unit does."""
    stand: float = 0.5
    """The same where it stands afterwards."""
    field: float = 0.45
    """Worth of the fire that a unit could deliver from where it goes."""
    hold: float = 1.2
    """Points for a Good Order squad on a place that its side must hold."""
    firing: float = 1.0
    """Worth of harm done by fire."""
    patience: float = 0.16
    """Points of harm on average below which Defensive First Fire waits for a better target."""
    close: float = 1.0
    """Worth of what close combat gains over what it costs."""
    late: float = 0.3
    """What men are worth in the last turn, beside ground."""
    company: float = 0.25
    """Points for a leader with troops, or with the broken."""
    crowd: float = 0.12
    """Points that each further squad in a hex under fire costs: all suffer from one attack."""
    garrison: float = 0.0
    """Share of a place's points that a unit is worth which holds it."""
    ripe: float = 0.0
    """Share of a place's points that it does not count for at the start, to who needs it."""
    retake: float = 0.0
    """The same to who only denies it to the enemy."""
    stir: float = 0.08
    """Points that an attacker's move or advance must gain."""
    leave: float = 0.08
    """The same for a defender."""
    spread: bool = True
    """Whether squads are shared out among the places that are wanted, or all go for the nearest."""
    whole: bool = False
    """Whether a place of several hexes is held by whoever stands in one of them."""
    smoke: float = 0.0
    """How much the gain of smoke grenades counts; 0 for who does not think of them."""
    settle: float = -1.0
    """Points by which a hex must be better than the suggested one to set up there; below 0 nobody looks for one."""

    def suffered(self, odds: HarmOdds, *, moving: bool = False) -> float:
        """The share of its worth that fire with these odds costs a unit on average."""
        return odds.times(self.killed, self.reduced, self.broken, self.stopped if moving else self.pinned)


PLAIN = Weights()
"""Each number as common sense has it."""
TUNED = Weights(
    nearer=1.3,
    calm=0.3,
    each=0.0,
    danger=0.6,
    stand=0.4,
    firing=1.6,
    late=0.2,
    garrison=0.28,
    ripe=0.2,
    retake=0.6,
    leave=0.8,
    crowd=0.3,
    company=0.4,
    spread=False,
    whole=True,
    smoke=1.0,
    settle=0.3,
)
"""As play of Infantry alone has shown it (``sk-1`` to ``sk-4``, S20). Elsewhere it is worse than common sense."""


def weights_for(style: Style, *, infantry_alone: bool) -> Weights:
    """Who leads Infantry against Infantry has learnt; with Guns and vehicles, or without a plan, it is common sense."""
    return TUNED if style.plans and infantry_alone else PLAIN
