"""3.3.2, 7.5 to 7.7: what happened to a vehicle in its MPh, and how each fact changes the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.core.content.rule import rule
from sandtable.core.frames import unchanged
from sandtable.core.modifier import Breakdown
from sandtable.core.showing import Shown
from sandtable.geo.hex import DIRECTION_NAMES, Hex
from sandtable.systems.aslsk.common.fact import Fact, Numbered, Priced
from sandtable.systems.aslsk.common.facts.armour_fold import with_vehicle
from sandtable.systems.aslsk.common.facts.gun_events import NOTHING_ACQUIRED
from sandtable.systems.aslsk.common.shown import compared, net
from sandtable.systems.aslsk.common.words import Words, in_mp, listed
from sandtable.systems.aslsk.pieces.spines import spine_name
from sandtable.systems.aslsk.pieces.state import Bog, State, Vehicle, VehicleDeed, VehicleId, Whereabouts

__all__ = [
    "VEHICLE_FOLDS",
    "BogChecked",
    "BogRemovalRolled",
    "CrewChanged",
    "DispenserUsed",
    "MotionAttempted",
    "MotionGained",
    "ReliabilityChecked",
    "SignalRolled",
    "StallRolled",
    "VehicleExited",
    "VehicleLost",
    "VehicleMoveEnded",
    "VehicleMoved",
    "VehicleSpent",
    "VehiclesArrived",
]

_DEEDS = {VehicleDeed.SMOKE: "uses its dispenser", VehicleDeed.UNBOG: "struggles with its Bog"}


class VehicleMoved(Priced, frozen=True):
    """3.3.2: a vehicle entered a hex."""

    vehicle: VehicleId
    hex: Hex
    vca: int
    tca: int
    cost: Breakdown
    """In halves of MP."""

    def sentence(self, words: Words) -> str:
        return f"{self.vehicle} enters {words.hex(self.hex)}, {in_mp(self.cost.total)} (3.3.2)."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="move", units=(self.vehicle,), hex=words.label(self.hex))


class VehicleSpent(Priced, frozen=True):
    """3.3.2: a vehicle spent MP in its hex on something else than entering it."""

    vehicle: VehicleId
    hex: Hex
    what: VehicleDeed
    vca: int
    tca: int
    cost: Breakdown
    """In halves of MP."""

    def sentence(self, words: Words) -> str:
        deed = _DEEDS.get(self.what, f"{self.what.value}s")
        to = f" to {spine_name(self.vca)}" if self.what is VehicleDeed.TURN else ""
        return f"{self.vehicle} {deed}{to} in {words.hex(self.hex)}, {in_mp(self.cost.total)} (3.3.2)."


class VehicleExited(Fact, frozen=True):
    """3.3: a vehicle left the map."""

    vehicle: VehicleId
    hex: Hex
    direction: int
    counts: bool

    def sentence(self, words: Words) -> str:
        return f"{self.vehicle} leaves the map from {words.hex(self.hex)} to the {DIRECTION_NAMES[self.direction]}."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="move", units=(self.vehicle,))


class VehicleMoveEnded(Fact, frozen=True):
    """3.3.2: a vehicle has ended its MPh, stopped or in Motion."""

    vehicle: VehicleId
    motion: bool

    def sentence(self, words: Words) -> str:
        return f"{self.vehicle} ends its MPh{' in Motion' if self.motion else ''} (3.3.2)."

    def shown(self, words: Words) -> Shown | None:
        return Shown(kind="mark", units=(self.vehicle,), effect="Motion") if self.motion else None


class CrewChanged(Fact, frozen=True):
    """7.7: a crew became CE or buttoned up."""

    vehicle: VehicleId
    exposed: bool

    def sentence(self, words: Words) -> str:
        return f"{self.vehicle}: {'Crew Exposed' if self.exposed else 'buttoned up'} (7.7)."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="mark", units=(self.vehicle,), effect="CE" if self.exposed else "BU")


class ReliabilityChecked(Fact, frozen=True):
    """3.3.2: the DR of a vehicle that is prone to break down or to stall, when it starts."""

    vehicle: VehicleId
    faces: tuple[int, ...]
    result: str
    """That it runs, stalls or breaks down."""

    def sentence(self, words: Words) -> str:
        return f"{self.vehicle} starts: DR {sum(self.faces)}, it {self.result} (3.3.2)."

    def shown(self, words: Words) -> Shown:
        return Shown(
            kind="result", units=(self.vehicle,), faces=self.faces, rolled=f"{sum(self.faces)}", effect=self.result
        )


class SignalRolled(Fact, frozen=True):
    """1.3: the DR of a vehicle without a radio that is to leave its hex."""

    vehicle: VehicleId
    faces: tuple[int, ...]
    told: bool

    def sentence(self, words: Words) -> str:
        return (
            f"{self.vehicle} has no radio: DR {sum(self.faces)}, it {'is' if self.told else 'is not'} told to go (1.3)."
        )

    def shown(self, words: Words) -> Shown:
        return Shown(
            kind="result",
            units=(self.vehicle,),
            faces=self.faces,
            rolled=f"{sum(self.faces)}",
            effect="told to go" if self.told else "not told to go",
            came_off=self.told,
        )


class StallRolled(Fact, frozen=True):
    """Notes: MP that a stalled vehicle has used in Delay."""

    vehicle: VehicleId
    faces: tuple[int, ...]

    def sentence(self, words: Words) -> str:
        return f"{self.vehicle} has stalled: {sum(self.faces)} MP of Delay."

    def shown(self, words: Words) -> Shown:
        return Shown(
            kind="result",
            units=(self.vehicle,),
            faces=self.faces,
            rolled=f"{sum(self.faces)}",
            effect=f"{sum(self.faces)} MP of Delay",
        )


class BogChecked(Fact, frozen=True):
    """7.6: a Bog Check."""

    vehicle: VehicleId
    faces: tuple[int, ...]
    drm: Breakdown
    bogged: bool

    def breakdowns(self) -> tuple[Breakdown, ...]:
        """The DRM."""
        return (self.drm,)

    def sentence(self, words: Words) -> str:
        return (
            f"Bog Check of {self.vehicle}: DR {sum(self.faces)} {self.drm.total:+d}: "
            f"{'bogged' if self.bogged else 'passes'} (7.6)."
        )

    def shown(self, words: Words) -> Shown:
        return Shown(
            kind="result",
            units=(self.vehicle,),
            faces=self.faces,
            rolled=net(self.faces, self.drm.total),
            effect="bogged" if self.bogged else "passes",
            came_off=not self.bogged,
        )


class BogRemovalRolled(Fact, frozen=True):
    """7.6: an attempt to get out of Bog."""

    vehicle: VehicleId
    faces: tuple[int, ...]
    final: int
    """Coloured dr, modified."""
    bog: Bog
    """What is on it now."""

    def sentence(self, words: Words) -> str:
        return (
            f"{self.vehicle} tries to get out of Bog: {self.faces[0]} and {self.faces[1]}: "
            f"{self.bog.value if self.bog else 'free'} (7.6)."
        )

    def shown(self, words: Words) -> Shown:
        return Shown(
            kind="result",
            units=(self.vehicle,),
            faces=self.faces,
            rolled=f"{self.faces[0]} and {self.faces[1]}",
            effect=self.bog.value if self.bog else "free",
            came_off=not self.bog,
        )


class DispenserUsed(Numbered, frozen=True):
    """7.5: a usage DR of a smoke dispenser."""

    vehicle: VehicleId
    tca: int
    """Where its turret was turned for it, -1 if it was not."""
    faces: tuple[int, ...]
    number: Breakdown
    """Highest DR that dispenses smoke."""
    placed: bool
    empty: bool
    """Whether it is used up for the scenario."""

    def sentence(self, words: Words) -> str:
        return (
            f"{self.vehicle} tries its smoke dispenser: needs {self.number.total}, rolls {sum(self.faces)}: "
            f"{'smoke' if self.placed else 'none'} (7.5)."
        )

    def shown(self, words: Words) -> Shown:
        return compared(
            units=(self.vehicle,),
            faces=self.faces,
            number=self.number.total,
            done=self.placed,
            words=("smoke", "no smoke"),
        )


class MotionAttempted(Numbered, frozen=True):
    """3.3.2.1: the dr of a Motion Status attempt."""

    vehicle: VehicleId
    roll: int
    number: Breakdown
    """Highest dr that succeeds."""
    succeeded: bool

    def sentence(self, words: Words) -> str:
        return (
            f"{self.vehicle} attempts Motion Status: needs {self.number.total}, dr {self.roll}: "
            f"{'succeeds' if self.succeeded else 'fails'} (3.3.2.1)."
        )

    def shown(self, words: Words) -> Shown:
        return compared(
            units=(self.vehicle,),
            faces=(self.roll,),
            number=self.number.total,
            done=self.succeeded,
            words=("succeeds", "fails"),
        )


class MotionGained(Fact, frozen=True):
    """3.3.2.1: a defending vehicle is in Motion, and has turned as it liked."""

    vehicle: VehicleId
    vca: int
    tca: int

    def sentence(self, words: Words) -> str:
        return f"{self.vehicle} is in Motion (3.3.2.1)."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="mark", units=(self.vehicle,), effect="Motion")


class VehicleLost(Fact, frozen=True):
    """3.3, 7.10: a vehicle is gone, and leaves no wreck on the map."""

    vehicle: VehicleId
    why: str
    rule: str

    def sentence(self, words: Words) -> str:
        return f"{self.vehicle} is eliminated: {self.why} ({self.rule})."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="effect", units=(self.vehicle,), effect="eliminated")


class VehiclesArrived(Fact, frozen=True):
    """3.1: vehicles are off board, to enter this player turn."""

    vehicles: tuple[VehicleId, ...]

    def sentence(self, words: Words) -> str:
        return f"Due, off board: {listed(self.vehicles)} (3.1)."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="mark", units=self.vehicles)


def _on_trail(vehicle: Vehicle, hex: Hex, halves: int) -> tuple[tuple[Hex, int], ...]:
    if vehicle.trail and vehicle.trail[-1][0] == hex:
        return (*vehicle.trail[:-1], (hex, vehicle.trail[-1][1] + halves))
    return (*vehicle.trail, (hex, halves))


@rule("3.3.2")
def _vehicle_moved(state: State, event: VehicleMoved) -> State:
    """The vehicle is in the hex; who comes from off board is in Motion (3.3.2)."""
    vehicle = state.vehicles[event.vehicle]
    trail = _on_trail(vehicle, event.hex, event.cost.total)
    return with_vehicle(
        state,
        event.vehicle,
        hex=event.hex,
        place=Whereabouts.MAP,
        vca=event.vca,
        tca=event.tca,
        motion=vehicle.motion or vehicle.place is Whereabouts.OFF_BOARD,
        moving_target=True,
        started=True,
        trail=trail,
        **NOTHING_ACQUIRED,
    )


@rule("6.10")
def _pointed(state: State, vehicle_id: VehicleId, vca: int, tca: int) -> State:
    """A vehicle turned without firing; what its MA had acquired is lost if its arc changed (6.10).

    A hull takes its turret along, so the TCA changes with every arc of a MA, bow mounted ones too.
    """
    lost = NOTHING_ACQUIRED if tca != state.vehicles[vehicle_id].tca else {}
    return with_vehicle(state, vehicle_id, vca=vca, tca=tca, **lost)


def _vehicle_spent(state: State, event: VehicleSpent) -> State:
    vehicle = state.vehicles[event.vehicle]
    trail = _on_trail(vehicle, event.hex, event.cost.total)
    state = with_vehicle(_pointed(state, event.vehicle, event.vca, event.tca), event.vehicle, trail=trail)
    if event.what is VehicleDeed.START:
        return with_vehicle(state, event.vehicle, started=True)
    if event.what is VehicleDeed.STOP:
        # What was in Motion stays a moving target for the player turn.
        began = vehicle.was_in_motion or vehicle.motion
        return with_vehicle(state, event.vehicle, started=False, motion=False, was_in_motion=began)
    return state


def _vehicle_exited(state: State, event: VehicleExited) -> State:
    return with_vehicle(
        state, event.vehicle, hex=None, place=Whereabouts.EXITED, away=event.counts, motion=False, started=False
    )


def _vehicle_move_ended(state: State, event: VehicleMoveEnded) -> State:
    vehicle = state.vehicles[event.vehicle]
    began = vehicle.was_in_motion or vehicle.motion
    return with_vehicle(state, event.vehicle, moved=True, started=False, motion=event.motion, was_in_motion=began)


def _reliability_checked(state: State, event: ReliabilityChecked) -> State:
    return state if event.result == "runs" else with_vehicle(state, event.vehicle, started=False)


def _bog_checked(state: State, event: BogChecked) -> State:
    if not event.bogged:
        return state
    return with_vehicle(state, event.vehicle, bog=Bog.BOGGED, started=False, motion=False)


def _bog_removal_rolled(state: State, event: BogRemovalRolled) -> State:
    return with_vehicle(state, event.vehicle, bog=event.bog, started=event.bog is Bog.NONE)


@rule("7.7")
def _crew_changed(state: State, event: CrewChanged) -> State:
    """A change of this phase, unless that is how the vehicle is set up off board (7.7)."""
    changed = state.vehicles[event.vehicle].on_map
    return with_vehicle(state, event.vehicle, exposed=event.exposed, turned_crew=changed)


def _dispenser_used(state: State, event: DispenserUsed) -> State:
    vehicle = state.vehicles[event.vehicle]
    tca = event.tca if event.tca >= 0 else vehicle.tca
    state = _pointed(state, event.vehicle, vehicle.vca, tca)
    return with_vehicle(state, event.vehicle, dispensed=True, dispenser_empty=event.empty)


def _motion_attempted(state: State, event: MotionAttempted) -> State:
    return with_vehicle(state, event.vehicle, tried_motion=True)


def _motion_gained(state: State, event: MotionGained) -> State:
    return with_vehicle(_pointed(state, event.vehicle, event.vca, event.tca), event.vehicle, motion=True)


def _vehicle_lost(state: State, event: VehicleLost) -> State:
    return with_vehicle(state, event.vehicle, hex=None, place=Whereabouts.ELIMINATED, motion=False, started=False)


def _vehicles_arrived(state: State, event: VehiclesArrived) -> State:
    for vehicle_id in event.vehicles:
        state = with_vehicle(state, vehicle_id, place=Whereabouts.OFF_BOARD)
    return state


VEHICLE_FOLDS: Mapping[type, Callable[[State, Any], State]] = {
    VehicleMoved: _vehicle_moved,
    VehicleSpent: _vehicle_spent,
    VehicleExited: _vehicle_exited,
    VehicleMoveEnded: _vehicle_move_ended,
    CrewChanged: _crew_changed,
    ReliabilityChecked: _reliability_checked,
    SignalRolled: unchanged,
    StallRolled: unchanged,
    BogChecked: _bog_checked,
    BogRemovalRolled: _bog_removal_rolled,
    DispenserUsed: _dispenser_used,
    MotionAttempted: _motion_attempted,
    MotionGained: _motion_gained,
    VehicleLost: _vehicle_lost,
    VehiclesArrived: _vehicles_arrived,
}
"""How the facts of vehicles' moves change the state."""
