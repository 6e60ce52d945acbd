"""What fires from a hex on the IFT, as bots reckon with it: small arms, MG, shells, and vehicles (3.2.2, 7.8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sandtable.bots.aslsk.arms.hardware import he_fp
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.fire.vehicle_guns import normal_range, printed_fp
from sandtable.systems.aslsk.pieces.cards import GunFacts, GunType
from sandtable.systems.aslsk.pieces.state import Mark, Vehicle, VehicleGun

__all__ = ["Battery", "Shot", "shell_shot", "vehicle_batteries"]

SHELLED, LOBBED = 0.5, 0.3
"""What FP of shells come to that must hit first: on the ITT, and halved on the ATT."""
SHELL_RANGE = 18
"""Hexes up to which shells are feared."""
OUT = (VehicleGun.BOW, VehicleGun.COAXIAL, VehicleGun.ANTI_AIRCRAFT)


class Shot(NamedTuple):
    """What one unit or MG fires with."""

    fp: float
    normal: int
    most: int
    """The greatest range; marked firers do not reach as far (3.3.3)."""


class Battery(NamedTuple):
    """All that may fire from one hex."""

    hex: Hex
    level: int
    shots: tuple[Shot, ...]
    drm: int
    """Leadership DRM of who directs."""
    farthest: int

    def fp(self, reach: int) -> float:
        """FP at a range: doubled next to it, halved beyond normal range (3.2.2)."""
        total = 0.0
        for fp, normal, most in self.shots:
            if reach <= most:
                total += fp * 3 if reach == 0 else fp * 2 if reach == 1 else fp if reach <= normal else fp / 2
        return total


def shell_shot(context: Context, gun: GunFacts) -> Shot:
    """The HE of a Gun as if it were FP; one that keeps its ROF fires again."""
    hits = LOBBED if gun.type is GunType.MORTAR else SHELLED
    fp = max(gun.main.ife, hits * he_fp(context, gun.main)) * (1 + gun.main.rof / 6)
    return Shot(fp, SHELL_RANGE, SHELL_RANGE)


def vehicle_batteries(context: Context, vehicles: Sequence[Vehicle], *, fresh: bool) -> Iterator[Battery]:
    """What vehicles fire at Infantry, each by itself; ``fresh`` as if none had fired this turn."""
    for vehicle in vehicles:
        if vehicle.hex is None or vehicle.is_shocked or (vehicle.is_stunned and not fresh):
            continue
        shots = tuple(shot for shot in _shots(context, vehicle, fresh=fresh) if shot.fp > 0)
        if shots:
            level = context.ground.place(vehicle.hex).level
            yield Battery(vehicle.hex, level, shots, 0, max(shot.most for shot in shots))


def _shots(context: Context, vehicle: Vehicle, *, fresh: bool) -> Iterator[Shot]:
    card = context.vehicle_card(vehicle)
    half = 0.5 if vehicle.motion else 1.0
    for gun in OUT:
        if vehicle.works(gun) and (fresh or gun not in vehicle.guns_fired):
            normal = normal_range(context, card, gun)
            yield Shot(half * printed_fp(context, vehicle, gun), normal, 2 * normal)
    if vehicle.works(VehicleGun.MAIN) and (fresh or vehicle.mark is Mark.NONE):
        often = half * (1 + card.main.rof / 6)
        if card.main.is_mg:
            normal = normal_range(context, card, VehicleGun.MAIN)
            yield Shot(often * printed_fp(context, vehicle, VehicleGun.MAIN), normal, 2 * normal)
        else:
            fp = max(card.main.ife, SHELLED * he_fp(context, card.main))
            yield Shot(often * fp, SHELL_RANGE, SHELL_RANGE)
