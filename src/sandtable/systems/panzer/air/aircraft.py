"""5.4, 6.7.1, 6.7.2.1, 6.7.2.2 An aircraft: its load, when it appears, how it flies, and what it attacks with."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.decision import Seat
from sandtable.core.errors import Refusal
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.markers import Suppression
from sandtable.systems.panzer.support_cards import AirAttack, AircraftCard
from sandtable.systems.panzer.unit import Grade, UnitId

__all__ = [
    "AirWeapon",
    "Aircraft",
    "Altitude",
    "Load",
    "Pace",
    "Speed",
    "attacks_left",
    "loads_of",
    "refuse_appearance",
    "refuse_flight",
    "refuse_weapon",
    "weapon_of",
]

BOOK = ("panzer-na",)


class Speed(StrEnum):
    """How fast it flies (6.7.2.2)."""

    SLOW = "Slow"
    FAST = "Fast"


class Altitude(StrEnum):
    """How high it flies (6.7.2.2)."""

    LOW = "Low"
    MEDIUM = "Medium"
    HIGH = "High"


class Pace(msgspec.Struct, frozen=True):
    """Speed and Altitude, announced as it appears (6.7.2.2)."""

    speed: Speed
    altitude: Altitude


class Load(StrEnum):
    """What it carries beside its guns (6.7.1)."""

    NONE = ""
    BOMBS = "bombs"
    ROCKETS = "rockets"
    HIDDEN = "?"
    """What an opponent knows of a load that was chosen and not used yet."""


class AirWeapon(StrEnum):
    """How it attacks (6.7.3.2, 6.7.3.3, 6.7.3.4)."""

    STRAFE = "strafe"
    BOMBS = "bombs"
    """Level bombing."""
    DIVE = "dive bombing"
    ROCKETS = "rockets"


class Aircraft(msgspec.Struct, frozen=True, omit_defaults=True):
    """An aircraft of the scenario with all that changes; where it is while it flies is the flight's business."""

    id: UnitId
    side: Seat
    card: CardId
    grade: Grade
    load: Load = Load.NONE
    shown: bool = True
    """Whether the opponent knows the load: there is no choice, or it was used."""
    appeared: int = 0
    """The turn of its first appearance, 0 before (6.7.2.1)."""
    flown: int = 0
    """The last turn in which it flew."""
    edges: tuple[str, ...] = ()
    """The edge over which it left the mapboard; two at a corner."""
    strafed: int = 0
    """Strafing attacks made (5.16.2.6)."""
    dropped: int = 0
    """Bomb loads dropped, or rockets launched."""
    suppression: Suppression = Suppression.NONE
    damaged: bool = False
    lost: bool = False

    @property
    def is_suppressed(self) -> bool:
        """Suppressed, whichever side lies up (6.7.4.2.1)."""
        return self.suppression is not Suppression.NONE


@rule("6.7.1", editions=BOOK)
def loads_of(card: AircraftCard) -> tuple[Load, ...]:
    """What it may carry: bombs or rockets where the card has both, never both (6.7.1)."""
    found = [load for load, attack in ((Load.BOMBS, card.bombs), (Load.ROCKETS, card.rockets)) if attack is not None]
    return tuple(found) or (Load.NONE,)


@rule("6.7.2.1", editions=BOOK)
def refuse_appearance(numbers: Table, aircraft: Aircraft, turn: int, from_turn: int) -> Refusal | None:
    """Why an aircraft may not fly now: lost, not there yet, flown already, or its time is over (6.7.2.1)."""
    if aircraft.lost:
        return Refusal("6.7.4.2.1", f"{aircraft.id} was shot down", "fly another aircraft")
    if turn < from_turn:
        return Refusal("6.7.2.1", f"{aircraft.id} appears from turn {from_turn} on", f"wait for turn {from_turn}")
    if aircraft.flown == turn:
        return Refusal("6.7.2.1", f"{aircraft.id} has flown this turn", "one of the two Air Phases of a turn")
    last = aircraft.appeared + numbers.number("loiter_turns") - 1
    if aircraft.appeared and turn > last:
        return Refusal("6.7.2.1", f"{aircraft.id} could loiter up to turn {last}", "fly another aircraft")
    return None


@rule("6.7.2.2", editions=BOOK)
def refuse_flight(card: AircraftCard, aircraft: Aircraft, speed: Speed) -> Refusal | None:
    """Why it may not fly at a speed: some are slow, and damaged ones are (6.7.2.2, 6.7.4.2.1)."""
    if speed is Speed.FAST and not card.fast:
        return Refusal("6.7.2.2", f"{card.name} flies at Slow Speed only", "Slow")
    if speed is Speed.FAST and aircraft.damaged:
        return Refusal("6.7.4.2.1", f"{aircraft.id} is damaged and flies at Slow Speed", "Slow")
    return None


@rule("5.4", "6.7.3", editions=BOOK)
def weapon_of(card: AircraftCard, load: Load, weapon: AirWeapon) -> AirAttack | None:
    """The attack on the card, None where it has none or carries something else (6.7.1, 6.7.3).

    Of rockets it is their limit alone; their factor depends on the range.
    """
    if weapon is AirWeapon.STRAFE:
        return card.strafe
    if weapon is AirWeapon.ROCKETS:
        rockets = card.rockets if load is Load.ROCKETS else None
        return None if rockets is None else AirAttack(0, rockets.limit, rockets.gp.effectiveness)
    if load is not Load.BOMBS or (weapon is AirWeapon.DIVE and not card.dive_bomber):
        return None
    return card.bombs


@rule("5.16.2.6", editions=BOOK)
def attacks_left(card: AircraftCard, aircraft: Aircraft, weapon: AirWeapon, *, limited: bool) -> int:
    """How many attacks of a kind it has left; without limits of ammunition there is always one (5.16.2.6, 6.7.1)."""
    attack = weapon_of(card, aircraft.load, weapon)
    if attack is None:
        return 0
    made = aircraft.strafed if weapon is AirWeapon.STRAFE else aircraft.dropped
    return attack.limit - made if limited else 1


_ALTITUDES = {
    AirWeapon.STRAFE: (Altitude.LOW,),
    AirWeapon.BOMBS: (Altitude.MEDIUM, Altitude.HIGH),
    AirWeapon.DIVE: (Altitude.HIGH,),
    AirWeapon.ROCKETS: (Altitude.LOW,),
}
_RULES = {
    AirWeapon.STRAFE: "6.7.3.2",
    AirWeapon.BOMBS: "6.7.3.3",
    AirWeapon.DIVE: "6.7.2.3.2",
    AirWeapon.ROCKETS: "6.7.3.4",
}


@rule("6.7.2.3.2", "6.7.3.2", "6.7.3.3", "6.7.3.4", editions=BOOK)
def refuse_weapon(
    card: AircraftCard, aircraft: Aircraft, weapon: AirWeapon, altitude: Altitude, *, limited: bool
) -> Refusal | None:
    """Why it cannot attack so from where it flies: strafing and rockets at Low Altitude, a dive from High (6.7.3)."""
    cited = _RULES[weapon]
    if weapon_of(card, aircraft.load, weapon) is None:
        return Refusal(cited, f"{aircraft.id} has nothing for {weapon.value}", "choose another attack")
    if altitude not in _ALTITUDES[weapon]:
        right = " or ".join(_ALTITUDES[weapon])
        return Refusal(cited, f"{weapon.value} at {altitude.value} Altitude", f"{right} Altitude")
    if attacks_left(card, aircraft, weapon, limited=limited) < 1:
        return Refusal("5.16.2.6", f"{aircraft.id} has used up its attacks for {weapon.value}", "choose another attack")
    return None
