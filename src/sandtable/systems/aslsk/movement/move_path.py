"""3.3.1 The choice of a move as a lazy tree: step after step, ending the MPh or halting wherever MF were spent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sandtable.core.decision import Branch, Leaf, Path, Pick
from sandtable.geo.hex import DIRECTION_NAMES, Hex
from sandtable.systems.aslsk.common.actions import Action
from sandtable.systems.aslsk.common.fact import HALVES
from sandtable.systems.aslsk.movement.movement_costs import mf_text
from sandtable.systems.aslsk.movement.mover import Mover
from sandtable.systems.aslsk.movement.stepping import MoveProgress
from sandtable.systems.aslsk.pieces.spines import spine_name
from sandtable.systems.aslsk.pieces.state import MoveStep, StepKind

if TYPE_CHECKING:
    from random import Random

__all__ = ["MovePath"]

Build = Callable[[tuple[MoveStep, ...], bool], Action]
"""Makes the action of some steps; whether the owner decides anew after them."""


_KINDS = {StepKind.ENTER: "leg", StepKind.WOODS: "leg", StepKind.EXIT: "exit", StepKind.MANHANDLE: "facing"}
"""Steps that lead on; all others are done on the way."""


class MovePath(Path[Action]):
    """The ways on from one point of a move."""

    __slots__ = ("_build", "_mover", "_now", "_steps")

    def __init__(self, mover: Mover, now: MoveProgress, build: Build, steps: tuple[MoveStep, ...] = ()) -> None:
        self._mover = mover
        self._now = now
        self._build = build
        self._steps = steps

    def branches(self) -> Iterator[Branch[Action]]:
        """To end here, to halt and see, then every step that may come next."""
        if self._steps:
            yield Branch("stop", "stop", "End the move here", Leaf(self._build(self._steps, False)))
            if not self._now.exited:
                yield Branch("halt", "stop", "Halt here and decide anew", Leaf(self._build(self._steps, True)))
        grenades: dict[str, list[tuple[MoveStep, MoveProgress]]] = {}
        pushes: dict[tuple[Hex, str], list[tuple[MoveStep, MoveProgress]]] = {}
        for step, after in self._ways():
            if step.kind is StepKind.SMOKE:
                grenades.setdefault(step.unit, []).append((step, after))
            elif step.kind is StepKind.MANHANDLE and step.to is not None:
                pushes.setdefault((step.to, step.weapon), []).append((step, after))
            else:
                yield self._branch(step, after)
        for unit, ways in grenades.items():
            hexes: Pick[Action] = Pick(partial(self._grenades, ways))
            yield Branch(f"smoke {unit}", "deed", f"Smoke grenades of {unit}", hexes)
        for (to, weapon), ways in pushes.items():
            label = self._mover.context.label(to)
            facings: Pick[Action] = Pick(partial(self._facings, ways))
            words = f"Push {weapon} into {label} ({mf_text(ways[0][1].spent - self._now.spent)} MF)"
            yield Branch(f"push {weapon} {label}", "leg", words, facings, label, is_hex=True)

    def _facings(self, ways: Sequence[tuple[MoveStep, MoveProgress]]) -> Iterator[Branch[Action]]:
        """How a Gun points where it is pushed: one order, then the hexspine (6.5)."""
        return (self._branch(step, after) for step, after in ways)

    def _grenades(self, ways: Sequence[tuple[MoveStep, MoveProgress]]) -> Iterator[Branch[Action]]:
        """The hexes that one unit's smoke grenades reach: one order, then the hex (3.3.1)."""
        for step, after in ways:
            yield replace(self._branch(step, after), kind="hex")

    def _ways(self) -> Iterator[tuple[MoveStep, MoveProgress]]:
        yield from self._mover.entries(self._now)
        yield from self._mover.extras(self._now)
        yield from self._mover.drops(self._now)

    def _branch(self, step: MoveStep, after: MoveProgress) -> Branch[Action]:
        below = MovePath(self._mover, after, self._build, (*self._steps, step))
        ref = self._mover.context.label(step.to) if step.to is not None else step.weapon
        kind, words = _KINDS.get(step.kind, "deed"), self._words(step, after, ref)
        return Branch(_key(step, ref), kind, words, below, ref, is_hex=step.to is not None)

    def _words(self, step: MoveStep, after: MoveProgress, ref: str) -> str:
        cost = mf_text(after.spent - self._now.spent)
        match step.kind:
            case StepKind.ENTER:
                return f"{ref} ({cost} MF)"
            case StepKind.WOODS:
                return f"{ref} off the road ({cost} MF)"
            case StepKind.EXIT:
                return f"Leave the map {DIRECTION_NAMES[step.way]} ({cost} MF)"
            case StepKind.SMOKE:
                return f"Smoke in {ref} ({cost} MF)"
            case StepKind.RECOVER:
                return f"{step.unit} recovers {self._mover.context.weapon_name(ref)} ({cost} MF)"
            case StepKind.PLACE_DC:
                against = f" against {step.unit}" if step.unit else ""
                return f"Place {self._mover.context.weapon_name(step.weapon)} in {ref}{against} ({cost} MF)"
            case StepKind.MANHANDLE:
                return (
                    f"Push {self._mover.context.weapon_name(step.weapon)} into {ref}, pointing {spine_name(step.way)}"
                )
            case StepKind.DROP:
                return f"Drop {self._mover.context.weapon_name(ref)}"

    def sample(self, rng: Random) -> Action:
        """A random walk that ends where it has nowhere to go, or by chance; who cannot go otherwise drops weapons."""
        mover, now = self._mover, self._now
        steps = list(self._steps)
        while True:
            ways, others = [*mover.ways(now)], [*mover.extras(now)]
            if not (ways or others or steps):
                others = [*mover.drops(now)]
            index = int(rng.random() * (len(ways) + len(others) + bool(steps)))
            if index == len(ways) + len(others):
                break
            step, now = mover.enter(now, ways[index]) if index < len(ways) else others[index - len(ways)]
            steps.append(step)
        halts = not now.exited and rng.random() < 0.125
        return self._build(tuple(steps), halts)

    def destinations(self) -> Iterator[Branch[Action]]:
        """Every hex that can be reached, by a cheapest way."""
        mover = self._mover
        context = mover.context
        for hex, (spent, steps) in self._cheapest().items():
            label = context.label(hex)
            leaf: Leaf[Action] = Leaf(self._build((*self._steps, *steps), False))
            words = f"{label} ({mf_text(spent - self._now.spent)} MF)"
            cost = (spent - self._now.spent) / HALVES
            yield Branch(label, "hex", words, leaf, label, cost=cost, is_hex=True)

    def _cheapest(self) -> dict[Hex, tuple[int, tuple[MoveStep, ...]]]:
        """Hexes in the order of their cost, each with the steps that lead to it."""
        best: dict[Hex, tuple[int, tuple[MoveStep, ...]]] = {}
        seen: set[tuple[Hex | None, bool]] = set()
        queue: list[tuple[int, int, MoveProgress, tuple[MoveStep, ...]]] = [(self._now.spent, 0, self._now, ())]
        number = 0
        while queue:
            spent, _, now, steps = heappop(queue)
            if (now.hex, now.road) in seen:
                continue
            seen.add((now.hex, now.road))
            if steps and now.hex is not None and now.hex not in best:
                best[now.hex] = (spent, steps)
            for step, after in self._mover.entries(now):
                if step.kind is StepKind.ENTER and (after.hex, after.road) not in seen:
                    number += 1
                    heappush(queue, (after.spent, number, after, (*steps, step)))
        return best


def _key(step: MoveStep, ref: str) -> str:
    match step.kind:
        case StepKind.ENTER:
            return ref
        case StepKind.EXIT:
            return f"exit {DIRECTION_NAMES[step.way]}"
        case StepKind.MANHANDLE:
            return spine_name(step.way)
        case _:
            return " ".join(part for part in (step.kind.value, step.unit, step.weapon, ref) if part)
