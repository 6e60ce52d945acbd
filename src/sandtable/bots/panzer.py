"""How the simple player plays the Panzer family: fire where it pays, watch what is held, move to what is worth points.

Fire is judged by exact odds, weighed with the points on the cards. Everything is worked out from what the
seat knows: the face-down commands of the other force play no part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from sandtable.bots.policy import Question
from sandtable.core.decision import Assign, Branch, Gather, Leaf, Node, Path
from sandtable.geo.hex import DIRECTION_NAMES, Hex, distance, in_arc
from sandtable.systems.panzer.ap_fire import Effect, effect_of
from sandtable.systems.panzer.hex.actions import (
    Action,
    ChooseAspect,
    ChooseFirstPlayer,
    Fire,
    Pass,
    PlaceCommands,
)
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.fire import aspect_of, number_of, shots_at
from sandtable.systems.panzer.hex.state import (
    Aspect,
    AspectChoice,
    Attack,
    ChooseFirst,
    Command,
    CommandReveal,
    DirectFire,
    Overwatch,
    PlacingCommands,
    Shot,
    State,
    Unit,
    UnitId,
)
from sandtable.systems.panzer.terrain import Cover

__all__ = ["advise"]

WORTH = {Effect.NONE: 0.0, Effect.DAMAGED: 0.35, Effect.KO: 1.0, Effect.BU: 1.0}
"""What an effect is worth, as a share of the vehicle."""
COVERS = {Cover.NONE: 0.0, Cover.LIGHT: 0.6, Cover.MEDIUM: 1.2, Cover.HEAVY: 1.6}
SHOT_WORTH_TAKING = 0.15
OVERWATCH_WORTH_TAKING = 0.08
NOTHING = -1000.0


def advise(question: Question[Any], rng: Random) -> Action | None:
    """The answer of a sound, unimaginative commander, or None where any will do."""
    adviser = _Adviser(question, rng)
    match adviser.state.stack[-1]:
        case PlacingCommands():
            return adviser.commands()
        case ChooseFirst():
            return ChooseFirstPlayer(question.seat)
        case DirectFire():
            return adviser.fire(threshold=NOTHING)
        case Overwatch():
            return adviser.fire(threshold=OVERWATCH_WORTH_TAKING) or Pass()
        case CommandReveal():
            # A moving target is harder to hit, and the branch comes first where it is open.
            first: Action = next(iter(question.options))
            return first
        case AspectChoice(target):
            armor = adviser.context.cards[adviser.state.units[target].card].armor
            return ChooseAspect(Aspect.FRONT if armor.front >= armor.rear else Aspect.REAR)
        case _:
            return adviser.move()


class _Adviser:
    """One question, with what is worth knowing about it."""

    def __init__(self, question: Question[Any], rng: Random) -> None:
        self.question = question
        self.rng = rng
        self.state: State = question.known
        self.context: Context = question.ruleset.context  # type: ignore[attr-defined]
        self.seat = question.seat
        self.enemies = [u for u in self.state.units.values() if u.side != self.seat and u.in_play]

    def points(self, unit: Unit) -> float:
        """What a vehicle is worth."""
        return max(1.0, float(self.context.cards[unit.card].points))

    # --- commands (4.2) ---

    def commands(self) -> Action | None:
        """A command for every vehicle."""
        root = self.question.options.root
        if not isinstance(root, Assign):
            return None
        given = {UnitId(slot.key): self._command(UnitId(slot.key), slot.values) for slot in root.slots}
        return PlaceCommands({unit: Command(value) for unit, value in given.items()})

    def _command(self, unit_id: UnitId, legal: Sequence[str]) -> str:
        unit = self.state.units[unit_id]
        chance = self._best_chance(unit) if Command.FIRE.value in legal else 0.0
        goal = self.goal(unit)
        there = unit.hex is not None and unit.hex in goal
        turns_left = self.context.scenario.draft.turns - self.state.turn
        hurried = not there and unit.hex is not None and bool(goal) and 2 * turns_left < _nearest(unit.hex, goal)
        watched = unit.hex is not None and self.exposure(unit.hex) > 0
        if chance >= (0.5 if hurried else SHOT_WORTH_TAKING):
            wanted = Command.FIRE
        elif there or (not hurried and watched and self.rng.random() < 0.3):
            wanted = Command.OVERWATCH
        else:
            wanted = Command.MOVE
        return wanted.value if wanted.value in legal else Command.NONE.value

    def _best_chance(self, unit: Unit) -> float:
        """The best share of a spotted vehicle that one shot takes."""
        spotted = (self.state.units[target] for target in self.state.spotted.get(unit.id, ()))
        return max((self._share(shot, t) for t in spotted for shot in shots_at(self.context, unit, t)), default=0.0)

    def _share(self, shot: Shot, target: Unit) -> float:
        """The share of a vehicle that a shot takes on average."""
        attack = Attack(target.id, (shot,), overwatch=False, moving=False)
        firer = self.state.units[shot.firer]
        if firer.hex is None or target.hex is None:
            return 0.0
        _, number = number_of(self.context, self.state, attack, shot)
        weapon = self.context.cards[firer.card].weapons[shot.weapon]
        penetration = weapon.penetration(shot.ammo, distance(firer.hex, target.hex)) or 0
        armor = self.context.cards[target.card].armor
        factor = armor.rear if aspect_of(firer, target) is Aspect.REAR else armor.front
        effect = effect_of(penetration - factor, target.damaged, self.context.tables)
        return max(0, number.total) / 100 * WORTH[effect]

    # --- fire (4.4) ---

    def fire(self, threshold: float) -> Action | None:
        """The fire that pays most, with others added as long as they do better there than elsewhere."""
        values: dict[UnitId, dict[UnitId, tuple[float, Shot]]] = {}
        for target, shot in self._shots():
            worth = self._expected(Fire(target, (shot,)))
            best = values.setdefault(target, {}).get(shot.firer)
            if best is None or worth > best[0]:
                values[target][shot.firer] = worth, shot
        if not values:
            return None
        target, lead = max(
            ((t, firer) for t, firers in values.items() for firer in firers),
            key=lambda pair: values[pair[0]][pair[1]][0],
        )
        worth, shot = values[target][lead]
        if worth < threshold * self.points(self.state.units[target]):
            return None
        shots = [shot]
        for firer, (_, other) in sorted(values[target].items(), key=lambda item: -item[1][0]):
            if firer == lead:
                continue
            elsewhere = max((v[firer][0] for t, v in values.items() if t != target and firer in v), default=0.0)
            together = self._expected(Fire(target, _in_order([*shots, other])))
            if together - worth > max(elsewhere, 0.0):
                shots, worth = [*shots, other], together
        return Fire(target, _in_order(shots))

    def _shots(self) -> Iterator[tuple[UnitId, Shot]]:
        for branch in self.question.options.root.branches():
            if isinstance(branch.then, Gather):
                for slot in branch.then.slots:
                    for value in slot.values:
                        weapon, ammo = value.split(".")
                        yield UnitId(branch.key), Shot(UnitId(slot.key), int(weapon), int(ammo))

    def _expected(self, action: Fire) -> float:
        """Points that fire takes from the enemy on average, by exact odds."""
        total = 0.0
        for chance in self.question.preview(action).chances:
            total += chance.probability * sum(map(self._loss, chance.what.split(", ")))
        return total

    def _loss(self, what: str) -> float:
        """Points of one consequence, such as ``B1 KO``."""
        name, _, effect = what.rpartition(" ")
        unit = self.state.units.get(UnitId(name))
        if unit is None:
            return 0.0
        share = WORTH[Effect.DAMAGED] if effect == "damaged" else 1.0
        return share * self.points(unit) * (1 if unit.side != self.seat else -1)

    # --- movement (4.5) ---

    def goal(self, unit: Unit) -> frozenset[Hex]:
        """The hexes that a vehicle should make for: what is worth most for the way there."""
        here = unit.hex or (unit.entry[0] if unit.entry else None)
        if here is None:
            return frozenset()
        scenario = self.context.scenario
        ways: list[tuple[float, frozenset[Hex]]] = []
        for draft in scenario.draft.objectives:
            hexes = frozenset(scenario.objectives[draft.id])
            worth = max(draft.points.get(self.seat, 0), max(draft.points.values(), default=0) // 2)
            friends = sum(1 for u in self.state.units.values() if u.side == self.seat and u.hex in hexes and u != unit)
            ways.append((worth / (_nearest(here, hexes) + 4) / (1 + friends), hexes))
        for leaving, hexes in zip(scenario.draft.victory.exits, scenario.exits, strict=True):
            if leaving.side == self.seat:
                ways.append((leaving.points / (_nearest(here, hexes) + 4), hexes))
        if not ways:
            ways = [(1 / (1 + distance(here, e.hex)), frozenset({e.hex})) for e in self.enemies if e.hex is not None]
        return max(ways, key=lambda way: way[0], default=(0.0, frozenset[Hex]()))[1]

    def exposure(self, hex: Hex) -> float:
        """How many enemy guns reach a hex."""
        sees = self.context.ground.sees
        guns = 0.0
        for enemy in self.enemies:
            if enemy.hex is not None and sees(enemy.hex, hex):
                reach = max((barrel.reach for barrel in self.context.barrels[enemy.card]), default=0)
                guns += distance(enemy.hex, hex) <= reach
        return guns

    def move(self) -> Action | None:
        """The best place that the vehicle can reach: nearer to its goal, under cover, front to the enemy."""
        node: Node[Any] = self.question.options.root
        if not isinstance(node, Path):
            node = next(node.branches()).then
        if not isinstance(node, Path):
            return None
        ends = list(node.destinations())
        unit = self._mover(ends)
        if unit is None:
            return None
        goal = self.goal(unit)
        known: dict[Hex, float] = {}
        best = max(ends, key=lambda end: self._place(unit, end, goal, known) + self.rng.random() * 0.2)
        return best.then.action if isinstance(best.then, Leaf) else None

    def _mover(self, ends: Sequence[Branch[Any]]) -> Unit | None:
        """The vehicle that is to move."""
        frame = self.state.stack[-1]
        name = getattr(frame, "unit", None)
        if name is None and ends and isinstance(ends[0].then, Leaf):
            name = getattr(ends[0].then.action, "unit", None)
        return self.state.units.get(name) if name is not None else None

    def _place(self, unit: Unit, end: Branch[Any], goal: frozenset[Hex], known: dict[Hex, float]) -> float:
        """How good it is to end a move in a place."""
        hex = self.context.game_map.hex(end.ref) if end.ref else unit.hex
        if hex is None:
            return NOTHING
        if end.kind == "exit":
            leaving = zip(self.context.scenario.draft.victory.exits, self.context.scenario.exits, strict=True)
            return 100.0 if any(way.side == self.seat and hex in hexes for way, hexes in leaving) else NOTHING
        if hex not in known:
            cover = COVERS.get(self.context.ground.places[hex].cover_fire, 0.0)
            known[hex] = cover - self.exposure(hex) * 0.5 - (1.5 * _nearest(hex, goal) if goal else 0.0)
        facing = DIRECTION_NAMES.index(end.key.split()[-1]) if end.ref else unit.facing
        return known[hex] + (0.8 if self._faces_enemy(hex, facing) else 0.0)

    def _faces_enemy(self, hex: Hex, facing: int) -> bool:
        """Whether the front is turned to the nearest enemy."""
        others = [enemy.hex for enemy in self.enemies if enemy.hex is not None and enemy.hex != hex]
        near = min(others, key=lambda at: distance(hex, at), default=None)
        return near is None or in_arc(hex, facing, near, 60)


def _nearest(hex: Hex, hexes: frozenset[Hex]) -> int:
    return min((distance(hex, other) for other in hexes), default=0)


def _in_order(shots: Sequence[Shot]) -> tuple[Shot, ...]:
    return tuple(sorted(shots, key=lambda shot: shot.firer))
