"""What actions and events are worded with: the names of pieces and places, and turns of phrase that several use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.pieces.spines import SPINES, spine_name
from sandtable.systems.aslsk.pieces.state import CcAttack, MoveStep, StepKind, VehicleDeed, VehicleStep

if TYPE_CHECKING:
    from sandtable.systems.aslsk.common.context import Context

__all__ = ["Words", "combat_result", "does", "in_mf", "in_mp", "led", "listed", "repaired", "side_name", "who_on_whom"]


def listed(ids: Iterable[str]) -> str:
    """Names in a row."""
    return ", ".join(ids)


def side_name(seat: str) -> str:
    """A side as the beginning of a sentence has it."""
    return seat.title()


def does(names: Sequence[str], verb: str) -> str:
    """Those who do something, with a verb that fits their number."""
    return f"{listed(names)} {verb if len(names) > 1 else verb + 's'}"


def led(leaders: tuple[str, ...]) -> str:
    """By whom fire is directed."""
    return f", directed by {listed(leaders)}" if leaders else ""


def repaired(roll: int, result: str) -> str:
    """What came of a repair."""
    return f"dr {roll}, {'no effect' if result == 'none' else result}"


def combat_result(result: str) -> str:
    """What came of an attack in close combat."""
    return {"none": "no effect", "reduced": "casualty reduction"}.get(result, result)


def in_mp(halves: int) -> str:
    """Movement points of a vehicle."""
    return f"{halves / 2:g} MP"


def in_mf(halves: int) -> str:
    """Movement factors of Infantry."""
    return f"{halves / 2:g} MF"


def who_on_whom(attack: CcAttack) -> str:
    """An attack in close combat."""
    return f"{listed(attack.by)} on {listed(attack.against)}"


class Words:
    """The names of a game's pieces and places."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def weapon(self, weapon_id: str) -> str:
        """A weapon of the order of battle: what it is, and its id."""
        return self._context.weapon_name(weapon_id)

    def is_weapon(self, piece: str) -> bool:
        """Whether a name is that of a weapon of the order of battle."""
        return piece in self._context.scenario.weapons

    def vehicle(self, vehicle_id: str) -> str:
        """A vehicle of the order of battle: what it is, and its id."""
        return self._context.vehicle_name(vehicle_id)

    def card(self, card: str) -> str:
        """A counter's strength factor."""
        return card.partition("/")[2]

    def hex(self, hex: Hex | None) -> str:
        """A hex's label, whatever hex somebody named."""
        if hex is None:
            return "off board"
        return self._context.label(hex) if hex in self._context.game_map.facts else f"({hex[0]}, {hex[1]})"

    def label(self, hex: Hex | None) -> str:
        """A hex's label, as the map has it; none for what is not on it."""
        return self._context.label(hex) if hex is not None and hex in self._context.game_map.facts else ""

    def place(self, name: str) -> str:
        """A place of the victory conditions."""
        place = self._context.scenario.places.get(name)
        return place.title if place is not None else name

    def force(self, force: str) -> str:
        """A group of the order of battle."""
        return self._context.scenario.forces[force].title or force

    def spine(self, spine: int) -> str:
        """A hexspine, whatever number somebody named."""
        return spine_name(spine) if spine in SPINES else str(spine)

    def pointing(self, vca: int, tca: int) -> str:
        """Where front and turret point."""
        front = f"front {self.spine(vca)}"
        return front if vca == tca else f"{front}, turret {self.spine(tca)}"

    def load(self, weapons: tuple[str, ...]) -> str:
        """What somebody carries."""
        return f" with {listed(map(self.weapon, weapons))}" if weapons else ""

    def firers(self, units: tuple[str, ...], weapons: tuple[str, ...]) -> str:
        """Those who fire together."""
        return listed((*units, *map(self.weapon, weapons)))

    def brought(self, force: str, turn: int, hex: Hex | None) -> str:
        """When and where a group enters, if it does."""
        gate = f" at {self.hex(hex)}" if hex is not None else ""
        return f"{self.force(force)} {f'enters in turn {turn}{gate}' if turn else 'stays away'}"

    def steps(self, steps: tuple[MoveStep, ...]) -> str:
        """The way of Infantry."""
        return listed(self._step(step) for step in steps)

    def _step(self, step: MoveStep) -> str:
        match step.kind:
            case StepKind.ENTER:
                return self.hex(step.to)
            case StepKind.WOODS:
                return f"{self.hex(step.to)} off the road"
            case StepKind.EXIT:
                return "off the map"
            case StepKind.SMOKE:
                return f"{step.unit} smoke into {self.hex(step.to)}"
            case StepKind.RECOVER:
                return f"{step.unit} recovers {self.weapon(step.weapon)}"
            case StepKind.PLACE_DC:
                against = f" against {self.vehicle(step.unit)}" if step.unit else ""
                return f"place {self.weapon(step.weapon)} in {self.hex(step.to)}{against}"
            case StepKind.MANHANDLE:
                return f"push {self.weapon(step.weapon)} into {self.hex(step.to)}, pointing {self.spine(step.way)}"
            case StepKind.DROP:
                return f"drop {self.weapon(step.weapon)}"

    def vehicle_steps(self, steps: tuple[VehicleStep, ...]) -> str:
        """The way of a vehicle."""
        return listed(self._vehicle_step(step) for step in steps)

    def _vehicle_step(self, step: VehicleStep) -> str:
        words = self.hex(step.to) if step.kind is VehicleDeed.ENTER else step.kind.value
        if step.kind is not VehicleDeed.ENTER and step.to is not None:
            words += f" {self.hex(step.to)}"
        if step.spine >= 0:
            words += f" facing {self.spine(step.spine)}"
        if step.tca >= 0:
            words += f" with the turret to {self.spine(step.tca)}"
        return f"{words} for {in_mp(step.extra)} more" if step.extra else words
