"""3.3.2 The choice of a vehicle's move as a lazy tree: step after step, ending the MPh or halting where that may be.

A turret turns with the step before it, and more MP are declared for the hex just entered: both change the last step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sandtable.core.decision import Branch, Leaf, Path, Pick
from sandtable.geo.hex import DIRECTION_NAMES, Hex
from sandtable.systems.aslsk.common.actions import Action
from sandtable.systems.aslsk.common.fact import HALVES
from sandtable.systems.aslsk.pieces.spines import SPINES, spine_name
from sandtable.systems.aslsk.pieces.state import VehicleDeed, VehicleStep
from sandtable.systems.aslsk.vehicles.drive_progress import ENTRIES, DriveProgress
from sandtable.systems.aslsk.vehicles.driver import Driver
from sandtable.systems.aslsk.vehicles.driving_costs import mp_text

if TYPE_CHECKING:
    from random import Random

__all__ = ["DrivePath"]

Build = Callable[[tuple[VehicleStep, ...], bool], Action]
"""Makes the action of some steps; whether the owner decides anew after them."""
_STOP = VehicleStep(VehicleDeed.STOP)
_START = VehicleStep(VehicleDeed.START)


class DrivePath(Path[Action]):
    """The ways on from one point of a vehicle's move."""

    __slots__ = ("_before", "_build", "_driver", "_now", "_steps")

    def __init__(
        self,
        driver: Driver,
        now: DriveProgress,
        build: Build,
        steps: tuple[VehicleStep, ...] = (),
        before: DriveProgress | None = None,
    ) -> None:
        self._driver = driver
        self._now = now
        self._build = build
        self._steps = steps
        self._before = before

    def branches(self) -> Iterator[Branch[Action]]:
        """To end here, to halt and see, to add to the last step, then every step that may come next."""
        if self._steps:
            if self._driver.refuse_end(self._now) is None:
                yield Branch("stop", "stop", self._end_words(), Leaf(self._build(self._steps, False)))
            if not self._now.exited:
                yield Branch("halt", "stop", "Halt here and decide anew", Leaf(self._build(self._steps, True)))
            yield from self._additions(self._steps[-1])
        for step, after in self._ways():
            yield self._branch(step, after)

    def _end_words(self) -> str:
        return "End the move here" if self._now.stopped or self._now.exited else "End the move here, in Motion"

    def _additions(self, last: VehicleStep) -> Iterator[Branch[Action]]:
        spent = last.kind not in (VehicleDeed.CREW, VehicleDeed.SMOKE) and not self._now.exited
        if spent and last.tca < 0 and self._driver.card.has_turret:
            yield Branch("turret", "deed", "Turn the turret", Pick(partial(self._turrets, last)))
        left = self._driver.left(self._now)
        if last.kind in ENTRIES[:2] and not last.extra and left:
            # Whoever is recalled declares none (7.10).
            ways = partial(self._declared, last, left)
            if next(ways(), None) is not None:
                yield Branch("more MP", "deed", "Declare more MP for this hex", Pick(ways))

    def _turrets(self, last: VehicleStep) -> Iterator[Branch[Action]]:
        for spine in SPINES:
            if spine != self._now.tca:
                name = spine_name(spine)
                yield Branch(name, "facing", f"Turret to {name}", self._again(replace(last, tca=spine)))

    def _declared(self, last: VehicleStep, left: int) -> Iterator[Branch[Action]]:
        for extra in range(1, left + 1):
            step = replace(last, extra=extra)
            if isinstance(self._after(step), DriveProgress):
                yield Branch(mp_text(extra), "number", f"{mp_text(extra)} MP more", self._again(step))

    def _after(self, step: VehicleStep) -> object:
        assert self._before is not None  # noqa: S101 - a step was taken
        return self._driver.take(self._before, step)

    def _again(self, step: VehicleStep) -> DrivePath:
        """The same way with another last step."""
        after = self._after(step)
        assert isinstance(after, DriveProgress)  # noqa: S101 - it was offered
        return DrivePath(self._driver, after, self._build, (*self._steps[:-1], step), self._before)

    def _ways(self) -> Iterator[tuple[VehicleStep, DriveProgress]]:
        yield from self._driver.entries(self._now)
        yield from self._driver.deeds(self._now)

    def _branch(self, step: VehicleStep, after: DriveProgress) -> Branch[Action]:
        below = DrivePath(self._driver, after, self._build, (*self._steps, step), self._now)
        ref = self._driver.context.label(step.to) if step.to is not None else ""
        kind = "leg" if step.kind in ENTRIES else "exit" if step.kind is VehicleDeed.EXIT else "deed"
        words = f"{self._words(step, ref)} ({mp_text(after.spent - self._now.spent)} MP)"
        return Branch(self._key(step, ref), kind, words, below, ref, is_hex=step.to is not None)

    def _key(self, step: VehicleStep, ref: str) -> str:
        if step.kind is VehicleDeed.STOP:
            # To end the move here is another thing, and may be open beside it.
            return "stop MP"
        parts = [] if step.kind is VehicleDeed.ENTER else [step.kind.value]
        if step.kind is VehicleDeed.EXIT:
            parts.append(DIRECTION_NAMES[step.way])
        spine = step.tca if step.kind is VehicleDeed.SMOKE else step.spine
        return " ".join((*parts, *([ref] if ref else ()), *([spine_name(spine)] if spine >= 0 else ())))

    def _words(self, step: VehicleStep, ref: str) -> str:
        match step.kind:
            case VehicleDeed.ENTER:
                return f"{ref} facing {spine_name(step.spine)}" if step.spine >= 0 else ref
            case VehicleDeed.OFF_ROAD:
                return f"{ref} off the road"
            case VehicleDeed.ALL:
                return f"{ref} by all MP"
            case VehicleDeed.EXIT:
                return f"Leave the map {DIRECTION_NAMES[step.way]}"
            case VehicleDeed.TURN:
                return f"Turn to {spine_name(step.spine)}"
            case VehicleDeed.SMOKE:
                turned = f", turret to {spine_name(step.tca)}" if step.tca >= 0 else ""
                return f"Smoke in {ref or self._driver.context.label(self._now.hex)}{turned}"
            case VehicleDeed.UNBOG:
                return "Attempt to remove the Bog"
            case VehicleDeed.CREW:
                return "Button up" if self._now.exposed else "Crew Exposed"
            case _:
                return step.kind.value.capitalize()

    # --- one of them, and where they lead -----------------------------------------------------------------------

    def sample(self, rng: Random) -> Action:
        """A random drive; where it may not end there, the owner decides anew."""
        driver, now = self._driver, self._now
        steps = list(self._steps)
        while True:
            ways = [*driver.entries(now)]
            if not ways or rng.random() < 0.4:
                ways += driver.deeds(now)
            if not ways or (steps and rng.random() < 0.15):
                break
            step, now = ways[int(rng.random() * len(ways))]
            steps.append(step)
        if driver.refuse_end(now) is not None:
            after = driver.take(now, _STOP)
            if isinstance(after, DriveProgress):
                now = after
                steps.append(_STOP)
        ends = driver.refuse_end(now) is None
        return self._build(tuple(steps), not ends or (not now.exited and rng.random() < 0.125))

    def destinations(self) -> Iterator[Branch[Action]]:
        """Every hex that can be reached, by a cheapest way, stopping there if there are MP for it."""
        context = self._driver.context
        for hex, (now, way) in self._cheapest().items():
            stops = isinstance(self._driver.take(now, _STOP), DriveProgress)
            steps = (*way, _STOP) if stops else way
            if not stops and self._driver.refuse_end(now) is not None:
                continue
            label = context.label(hex)
            leaf: Leaf[Action] = Leaf(self._build((*self._steps, *steps), False))
            cost = (now.spent - self._now.spent) / HALVES
            yield Branch(label, "hex", f"{label} ({cost:g} MP)", leaf, label, now.vca, cost, is_hex=True)

    def _cheapest(self) -> dict[Hex, tuple[DriveProgress, tuple[VehicleStep, ...]]]:
        """Hexes in the order of their cost, each with the steps that lead to it: a search over hexes and VCA."""
        driver = self._driver
        best: dict[Hex, tuple[DriveProgress, tuple[VehicleStep, ...]]] = {}
        seen: set[tuple[Hex | None, int]] = set()
        now = self._now
        steps: tuple[VehicleStep, ...] = ()
        if now.stopped:
            started = driver.take(now, _START)
            if not isinstance(started, DriveProgress):
                return best
            now, steps = started, (_START,)
        queue: list[tuple[int, int, DriveProgress, tuple[VehicleStep, ...]]] = [(now.spent, 0, now, steps)]
        number = 0
        while queue:
            _, _, now, steps = heappop(queue)
            if (now.hex, now.vca) in seen:
                continue
            seen.add((now.hex, now.vca))
            if now.hex is not None and now.hex != self._now.hex and now.hex not in best:
                best[now.hex] = (now, steps)
            for step, after in driver.legs(now):
                if (after.hex, after.vca) not in seen:
                    number += 1
                    heappush(queue, (after.spent, number, after, (*steps, step)))
        return best
