"""3.2.5 Prep Fire, 3.4 Final Fire and 3.5 Advancing Fire: the fire phases, attack by attack."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick
from sandtable.core.errors import Refusal
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Action, DestroyWeapon, Done, Fire, FireOrdnance
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.menu import Menu, Way
from sandtable.systems.aslsk.common.stacking import enemy_hexes, held
from sandtable.systems.aslsk.fire.fire import fire
from sandtable.systems.aslsk.fire.fire_choices import (
    FireGroupChoice,
    far_machine_guns,
    flamethrowers,
    is_small_arm,
)
from sandtable.systems.aslsk.fire.fire_groups import Firer, assemble, firers_of, is_flame, refuse_usage
from sandtable.systems.aslsk.fire.fire_marks import mark_for, use_weapon
from sandtable.systems.aslsk.fire.firers import Fireground, Use, mode_of
from sandtable.systems.aslsk.fire.muzzles import Muzzles, candidates, muzzles_of
from sandtable.systems.aslsk.pieces.state import Attacked, FirePhase, Mark, Phase, State, UnitId, Weapon
from sandtable.systems.aslsk.support_weapons.area_choices import area_ways
from sandtable.systems.aslsk.support_weapons.demolition import detonate, placed_charges, refuse_detonation
from sandtable.systems.aslsk.support_weapons.ordnance import fire_ordnance, refuse_empty, refuse_ordnance
from sandtable.systems.aslsk.support_weapons.ordnance_choices import charge_branches, ordnance_firers, ordnance_ways
from sandtable.systems.aslsk.support_weapons.panzerfaust import fire_panzerfaust, refuse_panzerfaust

if TYPE_CHECKING:
    from random import Random

__all__ = [
    "attacks_made",
    "begin_fire_phase",
    "end_fire_phase",
    "fire_options",
    "has_fire",
    "refuse_fire",
    "resolve_fire",
    "target_node",
]


@rule("1.2.5")
def begin_fire_phase(context: Context, play: Play) -> None:  # noqa: ARG001
    """At the start of the ATTACKER's PFPh his Dispersed Smoke goes and his full Smoke disperses (1.2.5)."""
    state = play.state
    if state.phase is Phase.PREP_FIRE and any(smoke.side == state.attacker for smoke in state.smoke):
        play.emit(ev.SmokeCleared(state.attacker))


@rule("4.3")
def end_fire_phase(context: Context, play: Play) -> None:
    """Charges that were placed go off in the AFPh, whether their owner says so or not (4.3)."""
    if play.state.phase is Phase.ADVANCING_FIRE:
        for weapon in tuple(placed_charges(play.state)):
            detonate(context, play, play.state.attacker, weapon.id)


def _fireground(context: Context, state: State, frame: FirePhase, target: Hex) -> Fireground:
    return Fireground(context, state, mode_of(state.phase), frame.player, target)


# --- what may be done -------------------------------------------------------------------------------------------


def has_fire(context: Context, state: State, frame: FirePhase) -> bool:
    """Whether the player may fire anything at all."""
    if next(charge_branches(state), None) is not None:
        return True
    muzzles = muzzles_of(context, state, mode_of(state.phase), frame.player)
    enemies = held(context, state, frame.player)[1]
    if not context.scenario.conditions.free_sight:
        # A hex in range that nobody has fired at: no need to ask who fires at it.
        before = [one.on for one in frame.attacked]
        for target in enemies:
            if target not in before and muzzles.reaches(target):
                return True
    if any(_may_fire_at(context, state, frame, muzzles, target) is not None for target in enemies):
        return True
    return next(area_ways(context, state, frame.player), None) is not None


def _may_fire_at(context: Context, state: State, frame: FirePhase, muzzles: Muzzles, target: Hex) -> Fireground | None:
    """The fireground of a hex with enemies, if the player may fire at it."""
    conditions = context.scenario.conditions
    shot = muzzles.reaches(target)
    ordnance = muzzles.ordnance or frame.player in conditions.panzerfausts
    if not shot and not ordnance:
        return None
    ground = _fireground(context, state, frame, target)
    if shot and (conditions.free_sight or target in [one.on for one in frame.attacked]):
        shot = next(candidates(ground, frame.attacked), None) is not None
    return ground if shot or (ordnance and next(ordnance_firers(ground), None) is not None) else None


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
        """The end of fire, every target, and weapons to destroy."""
        yield from self._fire()
        weapons = [
            weapon
            for weapon in self._state.weapons.values()
            if _refuse_destruction(self._context, self._state, self._frame, weapon) is None
        ]
        if weapons:
            yield Branch("destroy", "destroy", "Destroy a weapon", Pick(lambda: map(self._destruction, weapons)))

    def _destruction(self, weapon: Weapon) -> Branch[Action]:
        label = f"Destroy {self._context.weapon_title(weapon)}"
        return Branch(weapon.id, "weapon", label, Leaf[Action](DestroyWeapon(weapon.id)), weapon.id)

    def _fire(self) -> Iterator[Branch[Action]]:
        yield Branch("done", "done", "No more fire", Leaf[Action](Done()))
        muzzles = muzzles_of(self._context, self._state, mode_of(self._state.phase), self._frame.player)
        for target in enemy_hexes(self._context, self._state, self._frame.player):
            ground = _may_fire_at(self._context, self._state, self._frame, muzzles, target)
            node = target_node(ground, self._frame.attacked) if ground is not None else None
            if node is not None:
                label = self._context.label(target)
                yield Branch(label, "target", f"Fire at {label}", node, label, is_hex=True)
        yield from (way() for way in area_ways(self._context, self._state, self._frame.player))
        yield from charge_branches(self._state)

    def sample(self, rng: Random) -> Action:
        """Fire at random, or no more."""
        hexes = enemy_hexes(self._context, self._state, self._frame.player)
        charges = list(charge_branches(self._state))
        areas = list(area_ways(self._context, self._state, self._frame.player))
        index = int(rng.random() * (1 + len(hexes) + len(charges) + len(areas)))
        if index < len(hexes):
            muzzles = muzzles_of(self._context, self._state, mode_of(self._state.phase), self._frame.player)
            for target in (*hexes[index:], *hexes[:index]):
                ground = _may_fire_at(self._context, self._state, self._frame, muzzles, target)
                if ground is not None:
                    node = target_node(ground, self._frame.attacked)
                    return node.sample(rng) if node is not None else Done()
        elif index < len(hexes) + len(charges):
            return charges[index - len(hexes)].then.sample(rng)
        elif index < len(hexes) + len(charges) + len(areas):
            return areas[index - len(hexes) - len(charges)]().then.sample(rng)
        return Done()


def target_node(ground: Fireground, attacked: tuple[Attacked, ...]) -> Node[Action] | None:
    """The ways to fire at one target, or None."""
    small: list[Firer] = []
    special: list[Firer] = []
    for firer in candidates(ground, attacked):
        (small if is_small_arm(ground, firer) else special).append(firer)
    alone = [*flamethrowers(ground, special), *far_machine_guns(ground, special)] if special else []
    others: list[Way] = [*[partial(_ready, branch) for branch in alone], *ordnance_ways(ground)]
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


@rule("3.2.2", "3.2.5", "3.4", "3.5")
def refuse_fire(
    context: Context, state: State, frame: FirePhase, action: Fire | FireOrdnance | DestroyWeapon
) -> Refusal | None:
    """Why this fire may not be declared now (3.2.2)."""
    if isinstance(action, DestroyWeapon):
        weapon = state.weapons.get(action.weapon)
        if weapon is None:
            return Refusal("4.0", f"there is no weapon {action.weapon!r}")
        return _refuse_destruction(context, state, frame, weapon)
    if isinstance(action, Fire) and (charge := _charge(state, action)) is not None:
        return _refuse_charge(state, action, charge)
    ground = _fireground(context, state, frame, action.target)
    if action.target not in held(context, state, frame.player)[1]:
        if isinstance(action, FireOrdnance):
            return refuse_empty(ground, action)
        return Refusal("3.2", "no enemy unit is in the target hex", "mortars alone fire at an empty hex")
    if isinstance(action, Fire):
        found = assemble(ground, action, frame.attacked)
        return found if isinstance(found, Refusal) else None
    return refuse_ordnance(ground, action) if action.weapon else refuse_panzerfaust(ground, action)


def _charge(state: State, action: Fire) -> Weapon | None:
    """The placed DC that an action sets off, if it does."""
    if len(action.weapons) != 1:
        return None
    weapon = state.weapons.get(action.weapons[0])
    return weapon if weapon is not None and weapon.placed is not None else None


def _refuse_charge(state: State, action: Fire, weapon: Weapon) -> Refusal | None:
    if action.units or action.leaders:
        return Refusal("4.3", "nobody fires with a placed DC")
    if action.target != weapon.placed:
        return Refusal("4.3", f"{weapon.id} is not placed there")
    return refuse_detonation(state, weapon)


@rule("4.0")
def _refuse_destruction(context: Context, state: State, frame: FirePhase, weapon: Weapon) -> Refusal | None:
    """Why a weapon may not be destroyed: by its unbroken possessor, in the PFPh or DFPh, as a use of it (4.0)."""
    owner = state.units.get(weapon.owner)
    if owner is None or owner.side != frame.player or not owner.on_map or not weapon.in_play:
        return Refusal("4.0", f"{weapon.id} is in nobody's possession on your side")
    if state.phase is Phase.ADVANCING_FIRE:
        return Refusal("4.0", "weapons are destroyed in the PFPh or DFPh")
    if not owner.good_order:
        return Refusal("4.0", f"{owner.id} is not in Good Order")
    if weapon.mark is not Mark.NONE or weapon.fired:
        return Refusal("4.0", f"{weapon.id} has been used")
    return refuse_usage(context, owner, (weapon.id,), own_fp=False, again=False)


# --- what happens -----------------------------------------------------------------------------------------------


def resolve_fire(context: Context, play: Play, frame: FirePhase, action: Fire | FireOrdnance | DestroyWeapon) -> None:
    """Fire, or destroy a weapon."""
    if isinstance(action, DestroyWeapon):
        _destroy(context, play, action)
        return
    ground = _fireground(context, play.state, frame, action.target)
    if isinstance(action, Fire):
        if _charge(play.state, action) is not None:
            detonate(context, play, frame.player, action.weapons[0])
            return
        group = firers_of(ground, action)
        play.emit(ev.Changed(replace(frame, attacked=attacks_made(context, frame.attacked, group, action.target))))
        fire(ground, play, group, action)
    elif action.weapon:
        fire_ordnance(ground, play, action)
    else:
        fire_panzerfaust(ground, play, action)


def attacks_made(
    context: Context, attacked: tuple[Attacked, ...], group: tuple[Firer, ...], target: Hex
) -> tuple[Attacked, ...]:
    """Who of which hex has fired at a target, this attack included; a flamethrower binds nobody (3.2.2, 4.2)."""
    found = list(attacked)
    for firer in group:
        if is_flame(context, firer):
            continue
        for index, one in enumerate(found):
            if one.on == target and one.by == firer.hex:
                names = one.firers if firer.name in one.firers else (*one.firers, firer.name)
                found[index] = Attacked(firer.hex, target, names, (*one.subsequent, *_subsequent(firer)))
                break
        else:
            found.append(Attacked(firer.hex, target, (firer.name,), _subsequent(firer)))
    return tuple(found)


def _subsequent(firer: Firer) -> tuple[UnitId, ...]:
    return (firer.unit.id,) if firer.weapon is None and firer.use is Use.SUBSEQUENT else ()


@rule("4.0")
def _destroy(context: Context, play: Play, action: DestroyWeapon) -> None:
    """The possessor destroys a weapon, which is a use of it (4.0)."""
    weapon = play.state.weapons[action.weapon]
    owner = weapon.owner
    use_weapon(context, play, owner, weapon.id)
    now = play.state.units[owner]
    if context.card(now).is_leader or now.forfeited:
        play.emit(ev.MarksPlaced(mark_for(mode_of(play.state.phase), Use.PLAIN), (owner,)))
    play.emit(ev.WeaponRemoved(weapon.id, f"destroyed by {owner}"))
