"""3.3.2 The end of the MPh: where two AFV of a side are in one hex, the owner turns one of them over."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.armour.vehicle_effects import eliminate_vehicle
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Action
from sandtable.systems.aslsk.common.context import Play
from sandtable.systems.aslsk.common.handler import Handler
from sandtable.systems.aslsk.common.vehicle_actions import FlipVehicle
from sandtable.systems.aslsk.common.vehicles_here import own_vehicles_at
from sandtable.systems.aslsk.pieces.state import Crowded, State

__all__ = ["CrowdedHandler", "crowded_hexes"]


@rule("3.3.2")
def crowded_hexes(state: State, player: str) -> list[Hex]:
    """Hexes with more than one vehicle of a side that is no wreck (3.3.2)."""
    hexes = dict.fromkeys(
        v.hex for v in state.vehicles.values() if v.side == player and v.in_play and v.hex is not None
    )
    return [hex for hex in hexes if len(own_vehicles_at(state, hex, player)) > 1]


class CrowdedHandler(Handler[Crowded]):
    """3.3.2: the owner chooses the vehicle that becomes a wreck."""

    frame = Crowded
    answers = (FlipVehicle,)

    def question(self, state: State, frame: Crowded) -> Asking:
        """The owner."""
        title = f"Two vehicles in {self.context.label(frame.hex)}: which becomes a wreck?"
        return Asking("3.3.2", title, (frame.player,))

    def options(self, state: State, frame: Crowded, seat: Seat) -> Node[Action]:
        """One of those in the hex."""
        return Pick(lambda: self._branches(state, frame))

    def _branches(self, state: State, frame: Crowded) -> Iterator[Branch[Action]]:
        for vehicle in own_vehicles_at(state, frame.hex, frame.player):
            title = self.context.vehicle_title(vehicle)
            yield Branch(vehicle.id, "unit", title, Leaf[Action](FlipVehicle(vehicle.id)), vehicle.id)

    def refusal(self, state: State, frame: Crowded, seat: Seat, action: Action) -> Refusal | None:
        """A vehicle that is somewhere else, or another side's."""
        assert isinstance(action, FlipVehicle)  # noqa: S101 - the only answer
        if action.vehicle in [vehicle.id for vehicle in own_vehicles_at(state, frame.hex, frame.player)]:
            return None
        return Refusal("3.3.2", f"{action.vehicle!r} is none of those in the hex", "name one of the two")

    def apply(self, play: Play, frame: Crowded, seat: Seat, action: Action) -> None:
        """It becomes a wreck."""
        assert isinstance(action, FlipVehicle)  # noqa: S101 - the only answer
        eliminate_vehicle(play, action.vehicle, why="two vehicles in a hex", number="3.3.2")

    def advance(self, play: Play, frame: Crowded) -> bool:
        """Until one is left."""
        if len(own_vehicles_at(play.state, frame.hex, frame.player)) > 1:
            return False
        play.emit(ev.Closed())
        return True
