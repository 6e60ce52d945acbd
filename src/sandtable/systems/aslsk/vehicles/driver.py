"""3.3.2, 7.6, 7.7: what a vehicle may do next in its MPh, and what that costs, before any dice. In halves of MP.

A vehicle spends its whole allotment: what is left at the end counts as spent where it ends. It starts, turns, enters
hexes within its VCA, stops and delays; it ends stopped, or in Motion.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.geo.hex import opposite
from sandtable.systems.aslsk.common.context import TerrainKind
from sandtable.systems.aslsk.common.refusals import refuse_shocked
from sandtable.systems.aslsk.pieces.spines import SPINES, spines_apart
from sandtable.systems.aslsk.pieces.state import Vehicle, VehicleDeed, VehicleStep, Whereabouts
from sandtable.systems.aslsk.vehicles.crew_hatch import crew_turned, refuse_after_fire, refuse_crew
from sandtable.systems.aslsk.vehicles.dispensers import Aim, Stance, aims, refuse_dispenser
from sandtable.systems.aslsk.vehicles.drive_bounds import Bounds, may_not_stay
from sandtable.systems.aslsk.vehicles.drive_progress import ENTRIES, DriveProgress
from sandtable.systems.aslsk.vehicles.driving_costs import (
    DriveWay,
    covers,
    drive_ways,
    entry_halves,
    gates,
    mp_text,
    turn_halves,
)
from sandtable.systems.aslsk.vehicles.step_words import refuse_words
from sandtable.systems.aslsk.vehicles.vehicle_numbers import ALL
from sandtable.systems.aslsk.vehicles.way_home import must_go_home

__all__ = ["Driver", "may_drive", "refuse_driver"]

_OFF_BOARD = Whereabouts.OFF_BOARD


def may_drive(vehicle: Vehicle) -> bool:
    """Whether a vehicle may spend MP in this MPh: :func:`refuse_driver` without the words."""
    return not vehicle.moved and (vehicle.is_active or vehicle.place is _OFF_BOARD) and not vehicle.has_fired


@rule("3.3", "3.3.2", "7.10")
def refuse_driver(vehicle: Vehicle) -> Refusal | None:
    """Why a vehicle may spend no MP in this MPh (3.3, 7.10)."""
    if vehicle.place is not _OFF_BOARD and not vehicle.in_play:
        return Refusal("3.3", f"{vehicle.id} is not in play", "move another vehicle")
    if vehicle.is_shocked or vehicle.is_stunned:
        return refuse_shocked("7.10", vehicle.id)
    if vehicle.has_fired:
        return Refusal("3.3", f"{vehicle.id} has fired in the PFPh", "move it in a turn in which it holds its fire")
    if vehicle.moved:
        return Refusal("3.3.2", f"{vehicle.id} has ended its MPh", "move another vehicle")
    return None


class Driver(Bounds):
    """A vehicle in its MPh: the steps that it may take, and how it ends."""

    __slots__ = ()

    # --- steps --------------------------------------------------------------------------------------------------

    def take(self, now: DriveProgress, step: VehicleStep) -> DriveProgress | Refusal:
        """What a step leads to, or why it may not be taken."""
        refusal = refuse_words(step) or self._refuse_turret(step)
        if refusal is not None:
            return refusal
        if now.exited:
            return Refusal("3.3", f"{self.vehicle.id} has left the map", "end its move there")
        if now.hex is None and step.kind not in ENTRIES:
            return Refusal("3.3", "a vehicle off board can only enter", "let it enter the map first")
        if now.held and step.kind in (*ENTRIES, VehicleDeed.EXIT):
            return Refusal("1.3", f"{self.vehicle.id} has no radio and was not told to leave its hex", "the next MPh")
        after = self._take(now, step)
        if isinstance(after, Refusal):
            return after
        refusal = self.home.refuse_detour(now, step, after) if self.home is not None else None
        if refusal is not None:
            return refusal
        return after if step.tca < 0 else replace(after, tca=step.tca)

    def _take(self, now: DriveProgress, step: VehicleStep) -> DriveProgress | Refusal:
        match step.kind:
            case VehicleDeed.START:
                return self._start(now)
            case VehicleDeed.STOP:
                return self._stop(now)
            case VehicleDeed.DELAY:
                return self._delay(now)
            case VehicleDeed.TURN:
                return self._turn(now, step)
            case VehicleDeed.EXIT:
                return self._exit(now, step)
            case VehicleDeed.CREW:
                return self._crew(now)
            case VehicleDeed.UNBOG:
                return self._unbog(now)
            case VehicleDeed.SMOKE:
                return self._smoke(now, step)
            case _:
                return self._enter(now, step)

    @rule("3.2.4", "3.3.2")
    def _refuse_turret(self, step: VehicleStep) -> Refusal | None:
        """A turret turns freely while MP are spent, if the vehicle has one (3.2.4, 3.3.2)."""
        if step.tca < 0:
            return None
        if not self.card.has_turret:
            return Refusal("3.2.4", f"{self.vehicle.id} has no turret", "turn the hull")
        if step.kind is VehicleDeed.CREW:
            return Refusal("3.3.2", "a turret turns when MP are spent", "turn it with another step")
        return None

    def _spend(self, now: DriveProgress, halves: int, what: str) -> DriveProgress | Refusal:
        if halves > self.left(now):
            reason = f"{what} costs {mp_text(halves)} MP, and {mp_text(self.left(now))} are left"
            return Refusal("3.3.2", reason, "end the move before it")
        return replace(now, spent=now.spent + halves)

    @rule("3.3.2", "7.10")
    def _refuse_immobile(self) -> Refusal | None:
        """Only a mobile vehicle starts, turns its VCA or changes hexes (7.6, 7.10)."""
        if self.vehicle.immobilized:
            return Refusal("7.10", f"{self.vehicle.id} is immobilized", "fire with it, or let it stay")
        if not self.vehicle.is_mobile:
            return Refusal("7.6", f"{self.vehicle.id} is bogged", "attempt to remove the Bog at the start of its MPh")
        return None

    @rule("3.3.2")
    def _start(self, now: DriveProgress) -> DriveProgress | Refusal:
        """One MP to start, unless it is in Motion (3.3.2)."""
        refusal = self._refuse_immobile()
        if refusal is not None:
            return refusal
        if not now.stopped:
            return Refusal("3.3.2", f"{self.vehicle.id} has not stopped", "it need not start")
        after = self._spend(now, self.costs["start"], "starting")
        # A start after anything else is no longer the one that comes before all MP.
        return after if isinstance(after, Refusal) else replace(after, stopped=False, only_started=now.spent == 0)

    @rule("7.6")
    def _unbog(self, now: DriveProgress) -> DriveProgress | Refusal:
        """Bog is removed at the start of a MPh; what the attempt takes is known only after it (7.6)."""
        if self.vehicle.immobilized or self.vehicle.is_mobile:
            return Refusal("7.6", f"{self.vehicle.id} is not bogged, or immobilized for good", "let it start")
        if now.spent:
            return Refusal("7.6", "Bog is removed at the start of a MPh", "attempt it in the next one")
        return replace(now, spent=self.allowance, only_started=False)

    @rule("3.3.2")
    def _stop(self, now: DriveProgress) -> DriveProgress | Refusal:
        """One MP to stop; also after entering woods by all MP (3.3.2)."""
        if now.stopped:
            return Refusal("3.3.2", f"{self.vehicle.id} has stopped already", "let it delay")
        if self.must_leave(now):
            return may_not_stay(self.vehicle)
        if now.all_in:
            return replace(now, stopped=True, all_in=False, only_started=False)
        after = self._spend(now, self.costs["stop"], "stopping")
        return after if isinstance(after, Refusal) else replace(after, stopped=True, only_started=False)

    @rule("3.3.2")
    def _delay(self, now: DriveProgress) -> DriveProgress | Refusal:
        """Delay only while stopped (3.3.2)."""
        if not now.stopped:
            return Refusal("3.3.2", f"{self.vehicle.id} has not stopped", "stop first, or declare more MP on entering")
        after = self._spend(now, self.costs["delay"], "delay")
        return after if isinstance(after, Refusal) else replace(after, only_started=False)

    def _refuse_underway(self, now: DriveProgress) -> Refusal | None:
        if now.stopped:
            return self._refuse_immobile() or Refusal("3.3.2", f"{self.vehicle.id} is stopped", "start first: one MP")
        return self._refuse_immobile()

    @rule("3.3.2")
    def _turn(self, now: DriveProgress, step: VehicleStep) -> DriveProgress | Refusal:
        """The VCA turns by a hexspine for one MP, two in woods or a building, and the turret with it (3.3.2, 7.8)."""
        refusal = self._refuse_underway(now)
        if refusal is not None:
            return refusal
        if step.spine not in SPINES or spines_apart(now.vca, step.spine) != 1:
            return Refusal("3.3.2", "a VCA turns from one hexspine to the next", "turn step by step")
        assert now.hex is not None  # noqa: S101 - it is on the map
        after = self._spend(now, turn_halves(self.context, now.hex), "turning")
        if isinstance(after, Refusal):
            return after
        return replace(after, vca=step.spine, tca=(now.tca + step.spine - now.vca) % 6, only_started=False)

    @rule("7.7")
    def _crew(self, now: DriveProgress) -> DriveProgress | Refusal:
        """The crew becomes CE or buttons up, once a phase and not after fire (7.7)."""
        if now.crew_turned:
            return crew_turned(self.vehicle)
        refusal = refuse_crew(self.context, self.vehicle) or refuse_after_fire(self.vehicle)
        return replace(now, exposed=not now.exposed, crew_turned=True) if refusal is None else refusal

    def stance(self, now: DriveProgress) -> Stance:
        """How it stands when its dispenser is tried."""
        assert now.hex is not None  # noqa: S101 - it is on the map
        return Stance(now.hex, now.tca, now.exposed, now.stopped)

    @rule("7.5")
    def _smoke(self, now: DriveProgress, step: VehicleStep) -> DriveProgress | Refusal:
        """A smoke dispenser takes a MP, if it works (7.5)."""
        if now.smoked:
            return Refusal(
                "7.5",
                f"{self.vehicle.id} tries its smoke dispenser once a player turn",
                "try it in another player turn",
            )
        refusal = refuse_dispenser(self.context, self.state, self.vehicle, self.stance(now), Aim(step.to, step.tca))
        if refusal is not None:
            return refusal
        after = self._spend(now, self.costs["dispenser"], "dispensing smoke")
        return after if isinstance(after, Refusal) else replace(after, smoked=True, only_started=False)

    # --- entering and leaving hexes -----------------------------------------------------------------------------

    def _enter(self, now: DriveProgress, step: VehicleStep) -> DriveProgress | Refusal:
        refusal = self._refuse_underway(now)
        if refusal is not None:
            return refusal
        way = self.way(now, step)
        return way if isinstance(way, Refusal) else self._drive(now, way, step)

    @rule("1.1.1", "3.3.2", "7.7")
    def _drive(self, now: DriveProgress, way: DriveWay, step: VehicleStep) -> DriveProgress | Refusal:
        """Enter a hex for its cost, for more if that is declared, or by all MP (1.1.1, 3.3.2)."""
        refusal = self.refuse_terrain(now, way)
        if refusal is not None:
            return refusal
        if step.kind is VehicleDeed.ALL:
            refusal = self.refuse_all(now, way)
            after = replace(now, spent=self.allowance, all_in=way.kind is TerrainKind.WOODS)
        else:
            halves = self.price(now, way, step)
            if isinstance(halves, Refusal):
                return halves
            paid = self._spend(now, halves + step.extra, self.context.label(way.to))
            if isinstance(paid, Refusal):
                return paid
            after = paid
        if refusal is not None:
            return refusal
        after = replace(after, hex=way.to, hexes=now.hexes + 1, only_started=False, uninvited=None)
        if now.hex is None:
            turn = step.spine - now.vca
            after = replace(after, vca=step.spine, tca=(now.tca + turn) % 6)
        return self.among_enemies(after, opposite(way.direction))

    # --- off the map --------------------------------------------------------------------------------------------

    @rule("3.3")
    def _exit(self, now: DriveProgress, step: VehicleStep) -> DriveProgress | Refusal:
        """Leave the map where the victory conditions provide for it, within the VCA (3.3)."""
        refusal = self._refuse_underway(now)
        if refusal is not None:
            return refusal
        ways = dict(self.exit_ways(now))
        if not ways:
            return Refusal("3.3", "vehicles leave the map only as the victory conditions say", "stay on the map")
        if step.way not in ways:
            return Refusal("3.3", "that way does not lead off the map", "choose a side of the edge")
        if not covers(now.vca, step.way):
            return Refusal("3.3.2", "that way is not within its VCA", "turn first")
        after = self._spend(now, ways[step.way], "leaving the map")
        return after if isinstance(after, Refusal) else replace(after, hex=None, exited=True, only_started=False)

    # --- the way home of a recalled vehicle -------------------------------------------------------------------------

    def is_bound_home(self) -> bool:
        """Whether it is recalled, can drive, and some way leads home (7.10)."""
        return self._is_bound(self.begin())

    def _is_bound(self, now: DriveProgress) -> bool:
        return self.home is not None and self.home.way(now) is not None

    def homeward(self, now: DriveProgress) -> tuple[VehicleStep, ...] | None:
        """The steps of a recalled vehicle as far as its MP carry it; None if it is bound to no way home (7.10)."""
        if not self._is_bound(now):
            return None
        steps: list[VehicleStep] = []
        while True:
            ways = (*self.entries(now), *self.deeds(now))
            nearer = [way for way in ways if way[0].kind is not VehicleDeed.CREW]
            if not nearer:
                return tuple(steps)
            step, now = nearer[0]
            steps.append(step)

    def _comes_nearer(self, now: DriveProgress) -> bool:
        """Whether it has the MP for a step on its way home."""
        return any(step.kind is not VehicleDeed.CREW for step, _ in (*self.entries(now), *self.deeds(now)))

    # --- the end ------------------------------------------------------------------------------------------------

    @rule("3.3.2")
    def refuse_end(self, now: DriveProgress) -> Refusal | None:
        """Why its MPh may not end like this: it stops, or has spent all that can be spent (3.3.2)."""
        if now.exited:
            return None
        if now.hex is None:
            return Refusal("3.3", f"{self.vehicle.id} has not entered the map", "let it enter, or do not move it")
        if self._is_bound(now):
            return must_go_home(self.vehicle) if self._comes_nearer(now) else None
        if self.must_leave(now):
            return may_not_stay(self.vehicle)
        if now.stopped or self._falls_short(now):
            return None
        left = mp_text(self.left(now))
        return Refusal("3.3.2", f"{self.vehicle.id} has {left} MP left", "stop, or spend them before it is in Motion")

    @rule("3.3.2")
    def _falls_short(self, now: DriveProgress) -> bool:
        """Whether too few MP are left for a hex within its VCA, or to stop: then it may end in Motion (3.3.2)."""
        left = self.left(now)
        if left < self.costs["stop"]:
            return True
        if now.only_started:
            # By all its MP it may enter any of them.
            return False
        assert now.hex is not None  # noqa: S101 - it is on the map
        for way in drive_ways(self.context, now.hex, self.card.type):
            if covers(now.vca, way.direction) and self.refuse_terrain(now, way) is None:
                halves = entry_halves(self.context, self.state, self.vehicle, way, exposed=now.exposed)
                if halves == ALL or halves > left:
                    return True
        return False

    # --- what may be done next ----------------------------------------------------------------------------------

    def entries(self, now: DriveProgress) -> Iterator[tuple[VehicleStep, DriveProgress]]:
        """Every hex that may be entered next, in every way."""
        return self._taken(now, self._entry_steps(now, ENTRIES if now.only_started else ENTRIES[:2]))

    def legs(self, now: DriveProgress) -> Iterator[tuple[VehicleStep, DriveProgress]]:
        """What a way to some hex is made of: hexes at the rate that their terrain asks for, and turns."""
        yield from self._taken(now, self._entry_steps(now, ENTRIES[:1]))
        if now.hex is not None and not now.stopped:
            yield from self._taken(now, _turns(now))

    def _taken(self, now: DriveProgress, steps: Iterator[VehicleStep]) -> Iterator[tuple[VehicleStep, DriveProgress]]:
        """Those of some steps that may be taken, each with what it leads to."""
        for step in steps:
            after = self.take(now, step)
            if isinstance(after, DriveProgress):
                yield step, after

    def _entry_steps(self, now: DriveProgress, kinds: Sequence[VehicleDeed]) -> Iterator[VehicleStep]:
        if now.exited or now.stopped:
            return
        if now.hex is None:
            for to in sorted(self.context.entry(self.state, self.vehicle.force)):
                for spine in SPINES:
                    ways = [way for way in gates(self.context, to, self.card.type) if covers(spine, way.direction)]
                    for kind in kinds if ways else ():
                        if kind is not VehicleDeed.OFF_ROAD or any(way.by_road for way in ways):
                            yield VehicleStep(kind, to, spine)
            return
        for way in drive_ways(self.context, now.hex, self.card.type):
            if covers(now.vca, way.direction):
                for kind in kinds:
                    if kind is not VehicleDeed.OFF_ROAD or way.by_road:
                        yield VehicleStep(kind, way.to)

    def deeds(self, now: DriveProgress) -> Iterator[tuple[VehicleStep, DriveProgress]]:
        """Everything else that may be done next."""
        return self._taken(now, self._deed_steps(now))

    def _deed_steps(self, now: DriveProgress) -> Iterator[VehicleStep]:
        if now.hex is None:
            return
        if now.stopped:
            yield VehicleStep(VehicleDeed.START if self.vehicle.is_mobile else VehicleDeed.UNBOG)
            yield VehicleStep(VehicleDeed.DELAY)
        else:
            yield from _turns(now)
            yield VehicleStep(VehicleDeed.STOP)
            yield from (VehicleStep(VehicleDeed.EXIT, way=way) for way, _ in self.exit_ways(now))
        yield VehicleStep(VehicleDeed.CREW)
        if self.card.dispenser is not None and not now.smoked:
            ways = aims(self.context, self.state, self.vehicle, self.stance(now))
            yield from (VehicleStep(VehicleDeed.SMOKE, to, tca=tca) for to, tca in ways)

    def first_step(self, now: DriveProgress) -> VehicleStep | None:
        """Something that may be done next, if anything is."""
        for step, _ in self.entries(now):
            return step
        for step, _ in self.deeds(now):
            return step
        return None


def _turns(now: DriveProgress) -> Iterator[VehicleStep]:
    return (VehicleStep(VehicleDeed.TURN, spine=(now.vca + turn) % len(SPINES)) for turn in (1, -1))
