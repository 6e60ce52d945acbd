"""3.2.5, 3.4, 3.5, 6.4 What may be chosen in a fire phase: targets and who fires at them, covered arcs, weapons."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from sandtable.core.decision import Branch, Leaf, Node, Pick
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.aslsk.common.actions import Action, DestroyWeapon, Done
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.hidden import has_hidden
from sandtable.systems.aslsk.common.menu import LazyBranch, Menu
from sandtable.systems.aslsk.common.stacking import held
from sandtable.systems.aslsk.common.vehicles_here import target_hexes
from sandtable.systems.aslsk.fire.fire import can_hurt, is_suspected
from sandtable.systems.aslsk.fire.fire_choices import FireGroupChoice, far_machine_guns, flamethrowers, is_small_arm
from sandtable.systems.aslsk.fire.fire_groups import was_attacked
from sandtable.systems.aslsk.fire.firers import Fireground, mode_of
from sandtable.systems.aslsk.fire.muzzles import Muzzles, candidates, muzzles_of
from sandtable.systems.aslsk.guns.barrel import has_barrels
from sandtable.systems.aslsk.guns.gun_choices import gun_ways
from sandtable.systems.aslsk.guns.turning import turn_ways
from sandtable.systems.aslsk.phases.firing import fireground_of, refuse_destruction
from sandtable.systems.aslsk.pieces.state import Attacked, FirePhase, Phase, State, Vehicle, VehicleGun, Weapon
from sandtable.systems.aslsk.support_weapons.area_choices import area_ways
from sandtable.systems.aslsk.support_weapons.ordnance_choices import charge_branches, ordnance_firers, ordnance_ways
from sandtable.systems.aslsk.vehicles.vehicle_fire import refuse_gun as refuse_weapon
from sandtable.systems.aslsk.vehicles.vehicle_fire import refuse_vehicle
from sandtable.systems.aslsk.vehicles.vehicle_fire_choices import vehicle_firers, vehicle_ways

if TYPE_CHECKING:
    from random import Random

__all__ = ["fire_options", "has_fire", "target_node"]


def has_fire(context: Context, state: State, frame: FirePhase) -> bool:
    """Whether the player may fire anything at all, or change a covered arc once his fire is over."""
    if frame.turned:
        return next(turn_ways(context, state, frame.player, frame.turned), None) is not None
    if state.phase is _ADVANCING_FIRE and next(charge_branches(state), None) is not None:
        return True
    muzzles = muzzles_of(context, state, mode_of(state.phase), frame.player)
    if not context.scenario.conditions.free_sight:
        # A hex in range that nobody has fired at: no need to ask who fires at it.
        for target in held(context, state, frame.player)[1]:
            if muzzles.reaches(target) and not was_attacked(frame.attacked, target):
                return True
    for target in target_hexes(context, state, frame.player):
        if _may_fire_at(context, state, frame, muzzles, target) is not None:
            return True
    if next(_apart(context, state, frame), None) is not None:
        return True
    if context.scenario.hiders and _Suspects(context, state, frame).has_answers():
        return True
    return has_barrels(context, state) and next(turn_ways(context, state, frame.player), None) is not None


def _apart(context: Context, state: State, frame: FirePhase) -> Iterator[LazyBranch]:
    """What is chosen before its target: mortars at an empty hex, and Guns."""
    yield from area_ways(context, state, frame.player)
    if has_barrels(context, state):
        yield from gun_ways(context, state, frame.player, mode_of(state.phase), smoke_first=frame.smoke)


def _may_fire_at(context: Context, state: State, frame: FirePhase, muzzles: Muzzles, target: Hex) -> Fireground | None:
    """The fireground of a hex with enemies, if the player may fire at it."""
    conditions = context.scenario.conditions
    shot = muzzles.reaches(target)
    ordnance = muzzles.ordnance or state.vehicles or frame.player in conditions.panzerfausts
    if not shot and not ordnance:
        return None
    ground = fireground_of(context, state, frame, target)
    shot = shot and (not state.vehicles or can_hurt(ground))
    if shot and (conditions.free_sight or was_attacked(frame.attacked, target)):
        shot = bool(candidates(ground, frame.attacked))
    if shot or (ordnance and next(ordnance_firers(ground), None) is not None):
        return ground
    if not state.vehicles:
        return None
    return ground if next(vehicle_firers(ground, frame.attacked), None) is not None else None


def fire_options(context: Context, state: State, frame: FirePhase) -> Node[Action]:
    """All fire that the player may declare now, or the end of his fire (3.2.2)."""
    return FireRoot(context, state, frame)


class FireRoot(Node[Action]):
    """A target and who fires at it; weapons may be destroyed too, but not at random."""

    __slots__ = ("_context", "_frame", "_state")

    def __init__(self, context: Context, state: State, frame: FirePhase) -> None:
        self._context = context
        self._state = state
        self._frame = frame

    def branches(self) -> Iterator[Branch[Action]]:
        """The end of fire, every target, covered arcs to change, and weapons to destroy."""
        if self._frame.turned:
            yield Branch("done", "done", "No more turning", Leaf[Action](Done()))
            yield from (way() for way in self._turns())
            return
        yield from self._fire()
        yield from (way() for way in self._turns())
        weapons = [
            weapon
            for weapon in self._state.weapons.values()
            if refuse_destruction(self._context, self._state, self._frame, weapon) is None
        ]
        if weapons:
            yield Branch("destroy", "destroy", "Destroy a weapon", Pick(lambda: map(self._destruction, weapons)))

    def _turns(self) -> Iterator[LazyBranch]:
        return turn_ways(self._context, self._state, self._frame.player, self._frame.turned)

    def _destruction(self, weapon: Weapon) -> Branch[Action]:
        label = f"Destroy {self._context.weapon_title(weapon)}"
        return Branch(weapon.id, "weapon", label, Leaf[Action](DestroyWeapon(weapon.id)), weapon.id)

    def _fire(self) -> Iterator[Branch[Action]]:
        yield Branch("done", "done", "No more fire", Leaf[Action](Done()))
        muzzles = muzzles_of(self._context, self._state, mode_of(self._state.phase), self._frame.player)
        for target in target_hexes(self._context, self._state, self._frame.player):
            ground = _may_fire_at(self._context, self._state, self._frame, muzzles, target)
            node = target_node(ground, self._frame.attacked) if ground is not None else None
            if node is not None:
                label = self._context.label(target)
                yield Branch(label, "target", f"Fire at {label}", node, label, is_hex=True)
        yield from (way() for way in _apart(self._context, self._state, self._frame))
        suspects = _Suspects(self._context, self._state, self._frame)
        if suspects.has_answers():
            yield Branch("suspected", "order", "Fire where somebody may be hidden", suspects)
        yield from charge_branches(self._state)

    def sample(self, rng: Random) -> Action:
        """Fire at random, or no more; a turn without fire seldom."""
        context, state, frame = self._context, self._state, self._frame
        if frame.turned:
            return Done()
        turns = list(self._turns()) if has_barrels(context, state) else ()
        if turns and rng.random() < 0.05:
            return turns[int(rng.random() * len(turns))]().then.sample(rng)
        if context.scenario.hiders:
            suspects = _Suspects(context, state, frame)
            if suspects.is_worth_a_thought() and rng.random() < _SUSPICION:
                return suspects.sample(rng)
        hexes = target_hexes(context, state, frame.player)
        charges = list(charge_branches(state)) if state.phase is _ADVANCING_FIRE else ()
        areas = list(_apart(context, state, frame))
        index = int(rng.random() * (1 + len(hexes) + len(charges) + len(areas)))
        if index < len(hexes):
            muzzles = muzzles_of(context, state, mode_of(state.phase), frame.player)
            for target in (*hexes[index:], *hexes[:index]):
                ground = _may_fire_at(context, state, frame, muzzles, target)
                if ground is not None:
                    node = target_node(ground, frame.attacked)
                    return node.sample(rng) if node is not None else Done()
        elif index < len(hexes) + len(charges):
            return charges[index - len(hexes)].then.sample(rng)
        elif index < len(hexes) + len(charges) + len(areas):
            return areas[index - len(hexes) - len(charges)]().then.sample(rng)
        return Done()


class _Suspects(Node[Action]):
    """6.4 Hexes in which somebody may be hidden, each judged when it is looked at: fire on the IFT alone."""

    __slots__ = ("_context", "_frame", "_state")

    def __init__(self, context: Context, state: State, frame: FirePhase) -> None:
        self._context = context
        self._state = state
        self._frame = frame

    def is_worth_a_thought(self) -> bool:
        """Whether the enemy has anybody hidden at all: how many he has is known (6.4)."""
        return has_hidden(self._context, self._state, self._context.other(self._frame.player))

    def has_answers(self) -> bool:
        """Whether there is such a hex to fire at: next to those who can fire, as a rule."""
        if not self.is_worth_a_thought():
            return False
        context, state, player = self._context, self._state, self._frame.player
        muzzles = muzzles_of(context, state, mode_of(state.phase), player)
        vehicles = [one.hex for one in state.vehicles.values() if one.hex is not None and self._is_ready(one)]
        near = dict.fromkeys(hex for here in (*muzzles.reach, *vehicles) for hex in NEIGHBOURS[here])
        if any(self._node(hex) is not None for hex in near):
            return True
        far = (hex for hex in context.game_map.hexes if vehicles or muzzles.reaches(hex))
        return any(self._node(hex) is not None for hex in far)

    def _is_ready(self, vehicle: Vehicle) -> bool:
        """Whether a vehicle of the player has anything to fire next to it on the IFT, wherever that points."""
        if vehicle.hex is None or vehicle.side != self._frame.player:
            return False
        ground = fireground_of(self._context, self._state, self._frame, NEIGHBOURS[vehicle.hex][0])
        if refuse_vehicle(ground, vehicle, vehicle.id) is not None:
            return False
        return any(refuse_weapon(ground, vehicle, gun) is None for gun in VehicleGun)

    def _node(self, hex: Hex) -> Node[Action] | None:
        ground = fireground_of(self._context, self._state, self._frame, hex)
        return target_node(ground, self._frame.attacked, ordnance=False) if is_suspected(ground) else None

    def _branch(self, hex: Hex, node: Node[Action]) -> Branch[Action]:
        label = self._context.label(hex)
        return Branch(label, "target", f"Fire at {label}", node, label, is_hex=True)

    def branches(self) -> Iterator[Branch[Action]]:
        """All of them."""
        for hex in sorted(self._context.game_map.hexes):
            node = self._node(hex)
            if node is not None:
                yield self._branch(hex, node)

    def branch(self, key: str) -> Branch[Action] | None:
        """The hex of a label, with no other judged."""
        hex = next((one for one in self._context.game_map.hexes if self._context.label(one) == key), None)
        node = self._node(hex) if hex is not None else None
        return self._branch(hex, node) if hex is not None and node is not None else None

    def sample(self, rng: Random) -> Action:
        """One at random, and the next that serves if it does not."""
        hexes = sorted(self._context.game_map.hexes)
        start = int(rng.random() * len(hexes))
        for hex in (*hexes[start:], *hexes[:start]):
            node = self._node(hex)
            if node is not None:
                return node.sample(rng)
        return Done()


_ADVANCING_FIRE = Phase.ADVANCING_FIRE
"""A name is looked up quicker than a member of an enum."""


_SUSPICION = 0.03
"""How often random play fires at nobody."""


def target_node(ground: Fireground, attacked: tuple[Attacked, ...], *, ordnance: bool = True) -> Node[Action] | None:
    """The ways to fire at one target, or None."""
    small = candidates(ground, attacked) if not ground.state.vehicles or can_hurt(ground) else []
    special = []
    for firer in small:
        if firer.weapon is not None and not is_small_arm(ground, firer):
            special.append(firer)  # noqa: PERF401 - a loop is quicker than a comprehension over so few
    others: list[LazyBranch] = []
    if special:
        small = [firer for firer in small if firer not in special]
        alone = (*flamethrowers(ground, special), *far_machine_guns(ground, special))
        others += [partial(_ready, branch) for branch in alone]
    if ordnance:
        others += ordnance_ways(ground)
    if ground.state.vehicles:
        others += vehicle_ways(ground, attacked)
    if not small:
        return Menu(lambda: others) if others else None
    group = FireGroupChoice(ground, small, attacked)
    if not others:
        return group
    return Menu(lambda: (partial(_group_branch, group), *others))


def _ready(branch: Branch[Action]) -> Branch[Action]:
    return branch


def _group_branch(group: FireGroupChoice) -> Branch[Action]:
    return Branch("group", "order", "Fire group", group)
