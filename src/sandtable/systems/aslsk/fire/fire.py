"""3.2.2 to 3.2.5, 3.3.3, 3.4, 3.5: a fire attack by a unit or fire group, from its declaration to the markers.

The same steps serve every fire phase; the mode says how FP is modified and which markers are left. LOS is checked
after the declaration: members without one have fired all the same (3.2.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.dice import Roll
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Fire
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import DR
from sandtable.systems.aslsk.common.experience import is_inexperienced, rate_of_fire
from sandtable.systems.aslsk.common.hidden import has_hidden, hidden_units
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.common.stacking import at
from sandtable.systems.aslsk.common.vehicles_here import vehicles_at
from sandtable.systems.aslsk.effects.attack import Attack, Resolved
from sandtable.systems.aslsk.effects.ift import ift_of
from sandtable.systems.aslsk.fire.breakdowns import break_down, keeps_rate, marks_of
from sandtable.systems.aslsk.fire.crews import crews_under_fire, strike_crews
from sandtable.systems.aslsk.fire.drm import (
    STANDING,
    Approach,
    approach_of,
    cover_terms,
    glare_terms,
    hindrance_terms,
    leadership_terms,
    mover_terms,
    outside_drm,
    target_terms,
    tem_terms,
)
from sandtable.systems.aslsk.fire.fire_groups import Firer, is_flame, links
from sandtable.systems.aslsk.fire.fire_marks import place_marks
from sandtable.systems.aslsk.fire.firepower import Share, firepower_breakdown, unit_share, weapon_share
from sandtable.systems.aslsk.fire.firers import Fireground, FireMode, Use
from sandtable.systems.aslsk.fire.gun_cover import Shield, gun_cover_terms
from sandtable.systems.aslsk.fire.hidden_targets import resolve_fire
from sandtable.systems.aslsk.fire.protective_fire import check_protectors
from sandtable.systems.aslsk.fire.residual import leave_residual, residual_left
from sandtable.systems.aslsk.pieces.cards import WeaponKind
from sandtable.systems.aslsk.pieces.state import State, UnderWay, Unit, UnitId, WeaponId

__all__ = ["can_hurt", "fire", "is_suspected", "kind_of", "own_terms", "plan_attack", "targets_of"]


_PROTECTIVE, _SUBSEQUENT = Use.PROTECTIVE, Use.SUBSEQUENT
"""Names are looked up quicker than members of enums."""
_KINDS = {mode: mode.value for mode in FireMode}
_SUSPECTING = frozenset((FireMode.PREP, FireMode.FINAL, FireMode.ADVANCING))
"""Fire that is not bound to those who move, nor fired on the move."""


class Planned(NamedTuple):
    """An attack before the dice, with the shares that Residual FP asks for again."""

    attack: Attack
    shares: dict[str, Share]


@rule("3.2", "3.3.3", "3.8")
def targets_of(context: Context, state: State, seat: str, hex: Hex, moving: UnderWay | None) -> tuple[UnitId, ...]:
    """Whom fire on a hex affects: in the MPh movers alone, else all enemies, and friends in Melee (3.2, 3.8)."""
    if moving is not None:
        return tuple([unit_id for unit_id in moving.movers if state.units[unit_id].hex == hex])
    units = at(context, state, hex)
    melee = True in [unit.melee and unit.side != seat for unit in units]
    return tuple([unit.id for unit in units if unit.side != seat or (melee and unit.melee)])


def can_hurt(ground: Fireground) -> bool:
    """Whether fire on the IFT at the target can hurt anybody: no vehicle but its CE crew (7.12)."""
    state, seat, target, moving = ground.state, ground.seat, ground.target, ground.moving
    return bool(
        targets_of(ground.context, state, seat, target, moving)
        or crews_under_fire(state, seat, target, moving)
        or is_suspected(ground)
    )


@rule("6.4")
def is_suspected(ground: Fireground) -> bool:
    """Whether the target is a hex with nobody in sight in which an enemy may be hidden: it may be fired at (6.4)."""
    context, state, seat, target = ground.context, ground.state, ground.seat, ground.target
    if ground.mode not in _SUSPECTING or not has_hidden(context, state, context.other(seat)):
        return False
    if target not in context.game_map.hexes or vehicles_at(state, target):
        return False
    hidden = hidden_units(context, state)
    return all(unit.side != seat and unit.id in hidden for unit in at(context, state, target))


def kind_of(mode: FireMode, group: Sequence[Firer]) -> str:
    """The kind of fire by name: the most desperate of the group's."""
    kind = _KINDS[mode]
    for firer in group:
        if firer.use is _PROTECTIVE:
            return _PROTECTIVE.value
        if firer.use is _SUBSEQUENT:
            kind = _SUBSEQUENT.value
    return kind


def plan_attack(
    fireground: Fireground, group: Sequence[Firer], leaders: Sequence[Unit], moving: UnderWay | None
) -> Planned:
    """Put FP and DRM of an attack together (3.2.2, 3.2.3)."""
    context, state, target = fireground.context, fireground.state, fireground.target
    targets = targets_of(context, state, fireground.seat, target, moving)
    hidden = hidden_units(context, state)
    seen = [unit_id for unit_id in targets if unit_id not in hidden] if hidden else targets
    shares = {firer.name: _share(fireground, firer, seen) for firer in group}
    firepower, column = firepower_breakdown(ift_of(context), shares.values())
    flame = is_flame(context, group[0])
    hexes = tuple(dict.fromkeys(firer.hex for firer in group))
    approach = approach_of(moving) if moving is not None else STANDING
    tem = tem_terms(context, hexes, target, approach)
    terms = (
        *(() if flame else tem),
        *hindrance_terms(context, state, hexes, target),
        *leadership_terms(context, leaders, _hands(group), directs=not flame),
    )
    own = own_terms(context, state, hexes, targets, approach, tem=tem, flame=flame)
    cower = _cower_columns(context, state, group, leaders)
    fussy = bool(cower or crews_under_fire(state, fireground.seat, target, moving)) or _rate_matters(fireground, group)
    attack = Attack(
        kind=kind_of(fireground.mode, group),
        target=target,
        targets=targets,
        column=column,
        firepower=firepower,
        drm=Breakdown("DRM", "3.2.3", terms),
        own_drm=own,
        cower=cower,
        fussy=fussy,
        marks=() if fussy else marks_of(context, state, group),
    )
    return Planned(attack, shares)


def own_terms(
    context: Context,
    state: State,
    hexes: Sequence[Hex],
    targets: Sequence[UnitId],
    approach: Approach,
    *,
    tem: Sequence[Modifier],
    flame: bool = False,
) -> dict[UnitId, tuple[Modifier, ...]]:
    """What modifies an attack against single targets: FFNAM, FFMO, cover of a vehicle, what they carry (3.3.3, 7.4)."""
    own = {}
    for unit_id in targets:
        moved = mover_terms(context, state, hexes, state.units[unit_id], approach)
        if flame:
            moved = tuple(term for term in moved if term is not numbers_of(context).ift_drm["ffmo"])
        cover = _cover(context, state, state.units[unit_id], hexes, tem=tem, flame=flame)
        glare = glare_terms(context, state, state.units[unit_id])
        found = (*moved, *cover, *target_terms(context, state, unit_id), *glare)
        if found:
            own[unit_id] = found
    return own


def _cover(
    context: Context, state: State, unit: Unit, hexes: Sequence[Hex], *, tem: Sequence[Modifier], flame: bool
) -> tuple[Modifier, ...]:
    """The cover that a unit has for itself: its Gun, or a vehicle beside it; none against flames (6.3, 6.6, 7.4)."""
    if flame:
        return ()
    gun = gun_cover_terms(context, state, unit, hexes, tem=sum(term.value for term in tem), shield=Shield.NORMAL)
    return gun or cover_terms(context, state, unit, tem)


def _hands(group: Sequence[Firer]) -> list[Unit]:
    """All who fire, second SMC at MG included."""
    return [unit for firer in group for unit in firer.hands]


def _share(fireground: Fireground, firer: Firer, targets: Sequence[UnitId]) -> Share:
    context, reach = fireground.context, fireground.reach(firer.hex)
    if firer.weapon is None:
        return unit_share(context, firer.unit, firer.use, fireground.mode, reach)
    return weapon_share(
        context,
        firer.weapon,
        firer.use,
        fireground.mode,
        reach=reach,
        pinned=any(unit.pinned for unit in firer.hands),
        alone=context.card(firer.unit).is_leader and firer.helper is None,
        whole=not targets or any(not fireground.state.units[unit_id].broken for unit_id in targets),
    )


@rule("3.2.2", "5.4")
def _cower_columns(context: Context, state: State, group: Sequence[Firer], leaders: Sequence[Unit]) -> int:
    """Columns lost on doubles by a MMC attack without a leader's direction; more if Inexperienced (3.2.2, 5.4)."""
    if leaders:
        return 0
    steady = context.scenario.conditions.steady
    shaky = [
        firer.unit for firer in group if context.card(firer.unit).is_mmc and context.card(firer.unit).id not in steady
    ]
    if not shaky:
        return 0
    green = any(is_inexperienced(context, state, unit) for unit in shaky)
    return numbers_of(context).cower["inexperienced" if green else "experienced"]


def _rate_matters(fireground: Fireground, group: Sequence[Firer]) -> bool:
    if fireground.mode is FireMode.ADVANCING:
        return False
    state = fireground.state
    return any(
        firer.weapon is not None and firer.use is Use.PLAIN and rate_of_fire(fireground.context, state, firer.weapon)
        for firer in group
    )


@rule("3.2.1", "3.2.2", "3.2.5", "3.3.3", "3.4", "3.5")
def fire(
    fireground: Fireground, play: Play, group: Sequence[Firer], action: Fire, moving: UnderWay | None = None
) -> None:
    """Declare, check LOS, resolve, break weapons down, mark who fired (3.2.2)."""
    state = play.state
    leaders = [state.units[unit_id] for unit_id in action.leaders] if action.leaders else []
    kind = kind_of(fireground.mode, group)
    play.emit(ev.FireDeclared(fireground.seat, kind, action.units, action.weapons, action.leaders, fireground.target))
    seeing: list[Firer] = []
    blind: list[Firer] = []
    blocked: dict[Hex, None] = {}
    for firer in group:
        if fireground.sees(firer.hex):
            seeing.append(firer)
        else:
            blind.append(firer)
            blocked[firer.hex] = None
    if blocked:
        play.emit(ev.HexesBlocked(tuple(blocked), fireground.target, "no line of sight"))
    if not seeing:
        _wasted(fireground, play, group, leaders)
        return
    parts = _parts(fireground.context, seeing)
    for index, hexes in enumerate(parts):
        part = [firer for firer in seeing if firer.hex in hexes]
        directing = [leader for leader in leaders if leader.hex in hexes]
        lost = blind if index == 0 else []
        _attack(fireground.now(play.state), play, part, directing, moving=moving, lost=lost)
    stranded = [leader for leader in leaders if not any(leader.hex in hexes for hexes in parts)]
    if stranded:
        place_marks(fireground, play, (), stranded, names=[firer.name for firer in group])


def _parts(context: Context, seeing: Sequence[Firer]) -> list[set[Hex]]:
    """The hexes of those with a LOS, by the groups that still hang together (3.2.2)."""
    parts: list[set[Hex]] = []
    for found in links(context, seeing):
        part = found.difference(*parts)
        if part:
            parts.append(part)
    return parts


def _wasted(fireground: Fireground, play: Play, group: Sequence[Firer], leaders: Sequence[Unit]) -> None:
    """An attack without any LOS: not resolved, but fired for all purposes, possible breakdown included (3.2.1)."""
    roll: Roll | None = None
    broken: frozenset[WeaponId] = frozenset()
    if _is_armed(group):
        roll = play.dice.roll(DR, "fire without a line of sight", partial(_wasted_cuts, fireground, play.state, group))
        broken = break_down(fireground.context, play, group, roll.total)
    place_marks(fireground, play, group, leaders, kept=_kept(fireground, group, roll, broken))


def _is_armed(group: Sequence[Firer]) -> bool:
    for firer in group:  # noqa: SIM110 - a loop is twice as quick as any() over so few
        if firer.weapon is not None:
            return True
    return False


def _wasted_cuts(fireground: Fireground, state: State, group: Sequence[Firer]) -> list[int] | None:
    """The totals at which a weapon breaks down, for exact odds; None where the coloured die matters too."""
    if _rate_matters(fireground, group):
        return None
    return [mark - 1 for mark in marks_of(fireground.context, state, group)]


def _attack(
    fireground: Fireground,
    play: Play,
    group: Sequence[Firer],
    leaders: Sequence[Unit],
    *,
    moving: UnderWay | None,
    lost: Sequence[Firer],
) -> None:
    """Resolve one fire group's attack; ``lost`` are members without LOS, who share its breakdown (3.2.1, 3.2.3)."""
    context = fireground.context
    crews = crews_under_fire(fireground.state, fireground.seat, fireground.target, moving)
    if not can_hurt(fireground):
        _wasted(fireground, play, group, leaders)
        return
    planned = plan_attack(fireground, group, leaders, moving)
    parts = sum(share.parts for share in planned.shares.values())
    resolved = resolve_fire(context, play, planned.attack, parts=parts, crews=bool(crews))
    if crews:
        strike_crews(context, play, planned.attack, resolved, crews)
    everyone = [*group, *lost]
    broken = break_down(context, play, everyone, resolved.roll.total)
    kept = frozenset[WeaponId]() if resolved.cowered else _kept(fireground, everyone, resolved.roll, broken)
    place_marks(fireground, play, everyone, leaders, kept=kept, cowered=resolved.cowered)
    if moving is not None:
        _leave_residual(fireground, play, group, planned, resolved=resolved, silent=broken | kept)
        check_protectors(context, play, group, leaders, resolved.roll)


@rule("1.2.4.1")
def _kept(
    fireground: Fireground, group: Sequence[Firer], roll: Roll | None, broken: frozenset[WeaponId]
) -> frozenset[WeaponId]:
    """Weapons that keep their ROF (1.2.4.1)."""
    if roll is None:
        return frozenset()
    context, state, mode = fireground.context, fireground.state, fireground.mode
    return frozenset(
        firer.weapon.id
        for firer in group
        if firer.weapon is not None
        and firer.weapon.id not in broken
        and keeps_rate(context, state, firer.weapon, firer.hands, firer.use, mode=mode, coloured=roll.faces[0])
    )


@rule("3.3.5")
def _leave_residual(
    fireground: Fireground,
    play: Play,
    group: Sequence[Firer],
    planned: Planned,
    *,
    resolved: Resolved,
    silent: frozenset[WeaponId],
) -> None:
    """Residual FP of what neither broke down nor kept ROF; an ATR leaves none (3.3.5, 4.4.4)."""
    context = fireground.context
    shares = [planned.shares[firer.name] for firer in group if _leaves(context, firer, silent)]
    if not shares:
        return
    column = ift_of(context).column(sum(share.parts for share in shares))
    if resolved.cowered:
        column -= planned.attack.cower
    lessened = outside_drm(context, fireground.state, planned.attack.drm.terms, fireground.target)
    leave_residual(play, fireground.target, residual_left(context, column, lessened))


def _leaves(context: Context, firer: Firer, silent: frozenset[WeaponId]) -> bool:
    if firer.weapon is None:
        return True
    return firer.weapon.id not in silent and context.weapon_card(firer.weapon).kind is not WeaponKind.ATR
