"""Open questions that need no place: of commands, initiative, fire and whose step it is (4.2 to 4.5)."""

from __future__ import annotations

import msgspec

from sandtable.core.decision import Seat
from sandtable.systems.panzer.advanced_card import HitAngle
from sandtable.systems.panzer.facts import Harm
from sandtable.systems.panzer.unit import Shot, UnitId, WeaponShot

__all__ = [
    "AdjustingCover",
    "AngleChoice",
    "AspectChoice",
    "Attack",
    "ChooseFirst",
    "CloseCombat",
    "CommandReveal",
    "DirectFire",
    "EndingTurn",
    "Engagement",
    "Engaging",
    "Frame",
    "Impact",
    "IndirectFire",
    "Movement",
    "Overwatch",
    "Pivoting",
    "PlacingCommands",
    "PlacingOrders",
    "Plotting",
    "PositionChoice",
    "PrimaryChoice",
    "Spreading",
]


class Frame(msgspec.Struct, frozen=True, gc=False, tag=True, omit_defaults=True):
    """An open question; the handlers of a ruleset say which there are."""


class PlacingCommands(Frame, frozen=True):
    """4.2.1: these forces have not placed their commands yet."""

    waiting: tuple[Seat, ...]


class PlacingOrders(Frame, frozen=True):
    """6.2.1: these forces have not given their orders yet."""

    waiting: tuple[Seat, ...]


class Pivoting(Frame, frozen=True):
    """6.8.1: these forces have not said yet who pivots."""

    waiting: tuple[Seat, ...]


class EndingTurn(Frame, frozen=True):
    """6.8.3, 6.8.4: what is left of the turn once all have decided."""


class AdjustingCover(Frame, frozen=True):
    """6.8.2: these forces have not said yet who goes into Full Cover or out of it."""

    waiting: tuple[Seat, ...]


class ChooseFirst(Frame, frozen=True):
    """4.3.1: the winner of the roll says who is First Player."""

    winner: Seat


class DirectFire(Frame, frozen=True):
    """4.4.1: this player's Direct Fire step."""

    player: Seat
    first: bool
    engaged: tuple[UnitId, ...] = ()
    """Targets that were fired on in this step: all fire on one is announced at once."""


class Plotting(Frame, frozen=True):
    """6.5.1.4, 6.5.1.11.1: before the first turn this force plots its artillery in secret, then the others."""

    player: Seat
    after: tuple[Seat, ...] = ()


class IndirectFire(Frame, frozen=True):
    """6.5.1: this player's part of the Indirect Fire step."""

    player: Seat
    first: bool
    begun: bool = False
    """Whether fire that is not observed any more was checked (6.5.1.9)."""
    spent: tuple[str, ...] = ()
    """Observers, batteries and units that call and answer no more in this step."""
    ending: bool = False
    """Whether the player has nothing to say any more: what is left goes on as it stands."""


class Impact(Frame, frozen=True):
    """6.5.1.13: fire falls, source by source, on every unit that it catches."""

    mission: str
    sources: tuple[str, ...]
    """Those that have not fired yet; the first one fires."""
    targets: tuple[UnitId, ...] | None = None
    """Units that the first one still strikes; None until it is settled which."""
    moving: bool | None = None
    """Whether the next one counts as moving; None until its owner was asked (6.5.4.3)."""
    short: bool = False
    """Whether the first source is short of ammunition (5.16.2.1)."""


class Attack(Frame, frozen=True):
    """4.4.3.2: announced fire on one target, shot after shot."""

    target: UnitId
    shots: tuple[Shot, ...]
    overwatch: bool
    moving: bool | None = None
    """Whether the target counts as moving; None until its owner was asked (4.4.3.2.2)."""


class Engaging(Frame, frozen=True):
    """6.5.2, 6.5.4: this player's Direct Fire step of the Advanced Game."""

    player: Seat
    first: bool
    engaged: tuple[UnitId, ...] = ()
    """Targets that were fired on in this step: all fire on one is announced at once."""
    done: bool = False
    """Whether he has said that nobody fires any more who need not."""


class Engagement(Frame, frozen=True):
    """6.5.2, 6.5.4: announced fire on one target, shot after shot and hit after hit, then who bails out."""

    target: UnitId
    shots: tuple[WeaponShot, ...]
    overwatch: bool
    moving: bool | None = None
    """Whether the target counts as moving; None until its owner was asked (4.4.3.2.2)."""
    at: int = 0
    """The shot that is resolved."""
    ammo: int = -1
    """The ammo type that it fires after the roll for ammunition, -1 before it (5.16.2.2)."""
    hits: tuple[UnitId, ...] = ()
    """Its hits that are not resolved yet, by whom they strike (6.5.2.1)."""
    angle: HitAngle | None = None
    """Where its owner had to say so: the Hit Angle of the target that is struck (6.5.2.2)."""
    harms: tuple[Harm, ...] = ()
    """What may make crews and passengers bail out when all is done (5.15)."""


class Spreading(Frame, frozen=True):
    """6.5.2.1: the firer says where the hits after the first go."""

    firer: UnitId
    target: UnitId
    hits: int
    """All hits of the shot, the first one included."""
    others: tuple[UnitId, ...]
    """Vehicles that they may spread to."""


class AngleChoice(Frame, frozen=True):
    """6.5.2.2: the target's owner picks the Hit Angle on the dividing line."""

    target: UnitId
    firer: UnitId
    angles: tuple[HitAngle, ...]


class CommandReveal(Frame, frozen=True):
    """4.4.3.2.2: the target's owner may reveal a moving command."""

    target: UnitId


class AspectChoice(Frame, frozen=True):
    """4.4.3.2.4: the target's owner picks the aspect on the dividing line."""

    target: UnitId
    firer: UnitId


class Overwatch(Frame, frozen=True):
    """4.4.2: overwatch at those who acted, force by force until both have passed."""

    asked: Seat
    triggers: tuple[UnitId, ...]
    """Vehicles that fired, or the one that moves: the possible targets."""
    passed: bool = False
    """Whether the other force has just passed."""
    engaged: tuple[UnitId, ...] = ()
    """Targets that were fired on already: all fire on one is announced at once."""


class CloseCombat(Frame, frozen=True):
    """6.6.1: this player's part of the Close Assault/Hand-to-Hand Combat step."""

    player: Seat
    first: bool
    engaged: tuple[UnitId, ...] = ()
    """Targets that were attacked: all attacks on one are announced at once."""
    announced: tuple[UnitId, ...] = ()
    """Units whose attack was announced: they make no other, even if its target was gone before."""


class PrimaryChoice(Frame, frozen=True):
    """6.6.1.1, 6.6.1.2: the attacker names the primary attacker, and so which of his attacks is the next."""

    attackers: tuple[UnitId, ...]


class PositionChoice(Frame, frozen=True):
    """6.1.4.1.2: the owner of a vehicle in an Improved Position says whether it is Hull Down or partially so."""

    unit: UnitId


class Movement(Frame, frozen=True):
    """4.5: this player's Movement step."""

    player: Seat
    first: bool
    done: bool = False
    """Whether he has said that vehicles that do not move take nobody on or off any more (6.6.7.1.1)."""
    overruns: dict[UnitId, UnitId] = msgspec.field(default_factory=dict)
    """Targets of the Overruns that were announced, by vehicle (6.6.10)."""
