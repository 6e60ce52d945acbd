"""What happened with Guns (3.2.4, 6) and with the Main Armament of vehicles (7.2), and how it changes the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.frames import unchanged
from sandtable.core.modifier import Breakdown
from sandtable.core.showing import Shown
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.fact import Fact, Numbered
from sandtable.systems.aslsk.common.shown import compared
from sandtable.systems.aslsk.common.words import Words, listed
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.spines import spine_name
from sandtable.systems.aslsk.pieces.state import State, VehicleId, WeaponId

__all__ = [
    "GUN_FACTS",
    "NOTHING_ACQUIRED",
    "AmmoRunOut",
    "ArcChanged",
    "GunAcquired",
    "LowAmmo",
    "ShotDeclared",
    "ShotResolved",
]


class ShotDeclared(Fact, frozen=True):
    """3.2.4: what fires at which hex, on which target type, with what."""

    seat: Seat
    kind: str
    """``Prep Fire``, ``First Fire``, ``Final Fire``, ``Advancing Fire``."""
    firer: str
    """The Gun, or the vehicle whose MA fires."""
    target: Hex
    target_type: TargetType
    ammo: Ammo
    at: str = ""
    """The vehicle that is meant."""
    intensive: bool = False

    def sentence(self, words: Words) -> str:
        how = "Intensive Fire" if self.intensive else self.kind
        at = f"{self.at} in {words.hex(self.target)}" if self.at else words.hex(self.target)
        return f"{how} by {words.weapon(self.firer)} at {at}: {self.target_type.value}, {self.ammo.value}."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="fire", firers=(self.firer,), hex=words.label(self.target))


class ArcChanged(Fact, frozen=True):
    """3.2.4: the covered arc of a Gun, hull or turret."""

    weapon: WeaponId = WeaponId("")
    vehicle: VehicleId = VehicleId("")
    facing: int = 0
    """The hexspine at which Gun or turret points now."""
    hull: int = -1
    """The hexspine at which the hull points now; -1 if it stays."""
    fires: bool = True
    """Whether it was changed to fire: that lowers the ROF, and keeps what is acquired."""

    def sentence(self, words: Words) -> str:
        return (
            f"{words.weapon(self.weapon) if self.weapon else self.vehicle} turns to {spine_name(self.facing)} (3.2.4)."
        )

    def shown(self, words: Words) -> Shown:
        return Shown(kind="mark", units=(self.weapon or self.vehicle,))


class ShotResolved(Numbered, frozen=True):
    """3.2.4: the To Hit DR of a Gun or MA."""

    firer: str
    target: Hex
    target_type: TargetType
    ammo: Ammo
    number: Breakdown
    """The highest original DR that hits."""
    faces: tuple[int, ...]
    hit: tuple[str, ...]
    """The units and vehicles that are hit."""
    critical: str = ""
    """The one that suffers a Critical Hit (6.1)."""
    landed: bool = False
    """Whether the hex is hit, with or without anybody in it."""

    def sentence(self, words: Words) -> str:
        verdict = f"hits {listed(self.hit)}" if self.hit else "hit" if self.landed else "miss"
        critical = f", a Critical Hit on {self.critical}" if self.critical else ""
        rolled = f"needs {self.number.total}, rolls {sum(self.faces)}"
        return f"{words.weapon(self.firer)} at {words.hex(self.target)}: {rolled}: {verdict}{critical}."

    def shown(self, words: Words) -> Shown:
        return compared(
            units=self.hit,
            firers=(self.firer,),
            hex=words.label(self.target),
            faces=self.faces,
            number=self.number.total,
            done=self.landed,
            words=("critical hit" if self.critical else "hit", "miss"),
        )


class AmmoRunOut(Fact, frozen=True):
    """6.2: a Gun or MA has no more of an ammunition, or never had any."""

    firer: str
    ammo: Ammo
    never: bool
    """Whether it had none for this shot either."""

    def sentence(self, words: Words) -> str:
        return f"{words.weapon(self.firer)} {'has no' if self.never else 'fires its last'} {self.ammo.value} (6.2)."

    def shown(self, words: Words) -> Shown:
        return Shown(
            kind="effect", units=(self.firer,), effect=f"{'no' if self.never else 'no more'} {self.ammo.value}"
        )


class GunAcquired(Fact, frozen=True):
    """6.10, 6.11: the Acquired Target counter of a Gun or MA: on these units or vehicles, or on the hex alone."""

    firer: str
    hex: Hex | None
    targets: tuple[str, ...] = ()
    drm: int = 0
    awaits: tuple[str, ...] | None = None
    """Set if the 1/2" counter lies where its target was last seen: the enemies who are there already."""

    def sentence(self, words: Words) -> str:
        if self.hex is None:
            return f"{words.weapon(self.firer)} loses its Acquired Target (6.10)."
        what = listed(self.targets) or words.hex(self.hex)
        return f"{words.weapon(self.firer)} has acquired {what}: {self.drm:+d} (6.10)."


class LowAmmo(Fact, frozen=True):
    """7.2.1: a vehicle is short of ammunition."""

    vehicle: VehicleId

    def sentence(self, words: Words) -> str:
        return f"{self.vehicle} is low on ammunition (7.2.1)."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="effect", units=(self.vehicle,), effect="low on ammunition")


# --- how they change the state ---------------------------------------------------------------------------------

NOTHING_ACQUIRED: dict[str, Any] = {"acquired": None, "acquisition": 0, "acquired_targets": (), "awaits": None}
"""A Gun or MA without its Acquired Target counter (6.10)."""


def _firer(state: State, firer: str, /, **changes: Any) -> State:
    """Change a Gun or a vehicle."""
    vehicle = state.vehicles.get(VehicleId(firer))
    if vehicle is not None:
        return replace(state, vehicles={**state.vehicles, vehicle.id: replace(vehicle, **changes)})
    weapon = state.weapons[WeaponId(firer)]
    return replace(state, weapons={**state.weapons, weapon.id: replace(weapon, **changes)})


@rule("3.2.4")
def _arc_changed(state: State, event: ArcChanged) -> State:
    """A turn to fire counts for the phase; one without fire loses what was acquired (3.2.4, 6.10)."""
    changes: dict[str, Any] = {"turned": True} if event.fires else NOTHING_ACQUIRED
    if event.weapon:
        return _firer(state, event.weapon, facing=event.facing, **changes)
    hull = {"vca": event.hull} if event.hull >= 0 else {}
    return _firer(state, event.vehicle, tca=event.facing, **hull, **changes)


def _ammo_run_out(state: State, event: AmmoRunOut) -> State:
    firer = state.vehicles.get(VehicleId(event.firer)) or state.weapons[WeaponId(event.firer)]
    return _firer(state, event.firer, exhausted=(*firer.exhausted, event.ammo))


def _gun_acquired(state: State, event: GunAcquired) -> State:
    return _firer(
        state,
        event.firer,
        acquired=event.hex,
        acquisition=event.drm,
        acquired_targets=event.targets,
        awaits=event.awaits,
    )


def _low_ammo(state: State, event: LowAmmo) -> State:
    return _firer(state, event.vehicle, low_ammo=True)


GUN_FACTS: Mapping[type, Callable[[State, Any], State]] = {
    ShotDeclared: unchanged,
    ShotResolved: unchanged,
    ArcChanged: _arc_changed,
    AmmoRunOut: _ammo_run_out,
    GunAcquired: _gun_acquired,
    LowAmmo: _low_ammo,
}
"""How every fact of a Gun changes the state."""
