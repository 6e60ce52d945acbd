"""What happened in close combat with vehicles (3.3.4, 3.8)."""

from __future__ import annotations

from sandtable.core.decision import Seat
from sandtable.core.modifier import Breakdown
from sandtable.core.showing import Shown
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.fact import Fact, KillNumbered
from sandtable.systems.aslsk.common.shown import net
from sandtable.systems.aslsk.common.words import Words, combat_result, does, listed, side_name
from sandtable.systems.aslsk.pieces.state import UnitId, VehicleGun, VehicleId

__all__ = ["AfvFaced", "CombatPassed", "VehicleAssaulted", "VehicleFought"]


class VehicleAssaulted(Fact, frozen=True):
    """3.8: Infantry attacked a vehicle in close combat: ``eliminated``, ``immobilized`` or ``none``."""

    seat: Seat
    hex: Hex
    by: tuple[UnitId, ...]
    vehicle: VehicleId
    value: Breakdown
    """The CCV."""
    drm: Breakdown
    faces: tuple[int, ...]
    result: str
    third: int = 0
    """The third die after an original 2, 0 if none was rolled."""

    def breakdowns(self) -> tuple[Breakdown, ...]:
        """The numbers of the dice."""
        return (self.value, self.drm)

    def sentence(self, words: Words) -> str:
        total = sum(self.faces)
        third = f", third die {self.third}" if self.third else ""
        return (
            f"{does(self.by, 'attack')} {self.vehicle}: CCV {self.value.total}, DR {total} {self.drm.total:+d} = "
            f"{total + self.drm.total}{third}: {combat_result(self.result)} (3.8)."
        )

    def shown(self, words: Words) -> Shown:
        return Shown(
            kind="result",
            units=(self.vehicle,),
            firers=self.by,
            hex=words.label(self.hex),
            faces=self.faces,
            needed=f"{self.value.total} or less",
            rolled=net(self.faces, self.drm.total),
            effect=combat_result(self.result),
            came_off=self.result != "none",
        )


class VehicleFought(KillNumbered, frozen=True):
    """3.8: a vehicle attacked Infantry in close combat: ``eliminated``, ``reduced`` or ``none``."""

    seat: Seat
    hex: Hex
    vehicle: VehicleId
    guns: tuple[VehicleGun, ...]
    against: tuple[UnitId, ...]
    odds: str
    kill: Breakdown
    """The kill number."""
    drm: Breakdown
    faces: tuple[int, ...]
    result: str

    def sentence(self, words: Words) -> str:
        total = sum(self.faces)
        return (
            f"{self.vehicle} with its {listed(self.guns)} on {listed(self.against)} at {self.odds}: kill number "
            f"{self.kill.total}, DR {total} {self.drm.total:+d} = {total + self.drm.total}: "
            f"{combat_result(self.result)} (3.8)."
        )

    def shown(self, words: Words) -> Shown:
        return Shown(
            kind="result",
            units=self.against,
            firers=(self.vehicle,),
            hex=words.label(self.hex),
            faces=self.faces,
            needed=f"{self.kill.total} or less at {self.odds}",
            rolled=net(self.faces, self.drm.total),
            effect=combat_result(self.result),
            came_off=self.result != "none",
        )


class CombatPassed(Fact, frozen=True):
    """3.8: a side attacks no more in a close combat."""

    seat: Seat
    hex: Hex

    def sentence(self, words: Words) -> str:
        return f"{side_name(self.seat)} attacks no more in {words.hex(self.hex)} (3.8)."


class AfvFaced(Fact, frozen=True):
    """3.3.4: a unit has passed its PAATC for an AFV and takes none again for it in this MPh."""

    unit: UnitId
    vehicle: VehicleId
