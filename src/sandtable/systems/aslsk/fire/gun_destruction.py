"""6.7 Gun Destruction: what an attack on the IFT does to a Gun and to those who man it.

Ordnance and charges strike both at once, a Direct Hit. Other fire that kills brings a dr upon the Gun, as upon any
weapon of the killed (4.0); it does so too where a gunshield alone has saved the crew.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core.content.rule import rule
from sandtable.core.dice import Roll
from sandtable.core.modifier import Modifier
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.possession import weapons_of
from sandtable.systems.aslsk.effects.attack import Attack, Resolved
from sandtable.systems.aslsk.effects.casualties import LeaderLoss, eliminate, reduce_unit
from sandtable.systems.aslsk.effects.effects import strike_weapon
from sandtable.systems.aslsk.effects.ift import IftKind, ift_of
from sandtable.systems.aslsk.effects.morale import settle_leader_losses
from sandtable.systems.aslsk.fire.gun_cover import manned_gun
from sandtable.systems.aslsk.pieces.state import State, UnitId, Weapon, WeaponState

__all__ = ["destroy_gun", "direct_hits", "is_shielded", "strike_guns", "without_shield"]

_SHIELD = "6.6"


@rule("4.0", "6.7")
def direct_hits(context: Context, play: Play, attack: Attack, roll: Roll, *, solid: bool = False) -> tuple[UnitId, ...]:
    """Direct Hits on manned Guns, by the DR without gunshield; those who are left for the attack (6.7).

    ``solid`` is AP, which leaves nothing of a Gun. Other weapons of the killed have their dr, as after any KIA (4.0).
    """
    ift = ift_of(context)
    left = []
    for unit_id in attack.targets:
        weapon = manned_gun(context, play.state, unit_id)
        own = without_shield(attack.own_drm.get(unit_id, ()))
        drm = attack.drm.plus(own) if own else attack.drm
        result = ift.result(attack.column, roll.total + drm.total)
        if weapon is None or result.kind not in (IftKind.KIA, IftKind.K):
            left.append(unit_id)
            continue
        play.emit(
            ev.FireResolved(
                kind="Direct Hit",
                target=attack.target,
                targets=(unit_id,),
                firepower=attack.firepower,
                drm=drm,
                faces=roll.faces,
                column=ift.fp(attack.column),
                cowered=False,
                result=result.text,
            )
        )
        if result.kind is IftKind.KIA:
            others = [one for one in weapons_of(context, play.state, unit_id) if one.id != weapon.id]
            destroy_gun(context, play, unit_id, weapon, why="Direct Hit", number="6.7")
            for other in others:
                strike_weapon(context, play, other, attack.column)
        else:
            _damage(context, play, unit_id, weapon, solid=solid)
    return tuple(left)


def destroy_gun(context: Context, play: Play, unit_id: UnitId, weapon: Weapon, *, why: str, number: str) -> None:
    """The Gun and those who man it are gone (6.1, 6.7)."""
    losses: list[LeaderLoss] = []
    play.emit(ev.WeaponRemoved(weapon.id, why))
    eliminate(context, play, unit_id, losses, why=why, number=number)
    settle_leader_losses(context, play, losses)


@rule("6.7")
def _damage(context: Context, play: Play, unit_id: UnitId, weapon: Weapon, *, solid: bool) -> None:
    """K: the Gun malfunctions, or is gone if AP was fired; those who man it suffer Casualty Reduction (6.7)."""
    if solid:
        play.emit(ev.WeaponRemoved(weapon.id, "Direct Hit by AP"))
    elif weapon.state is WeaponState.WORKING:
        play.emit(ev.WeaponMalfunctioned(weapon.id))
    losses: list[LeaderLoss] = []
    reduce_unit(context, play, unit_id, losses, why="Direct Hit", number="6.7")
    settle_leader_losses(context, play, losses)


def is_shielded(attack: Attack) -> bool:
    """Whether a gunshield covers one of the targets, so that results alone do not say what becomes of its Gun."""
    return any(term.rule == _SHIELD for terms in attack.own_drm.values() for term in terms)


def without_shield(terms: Sequence[Modifier]) -> tuple[Modifier, ...]:
    """What modifies an attack on a Gun itself: all but the gunshield (6.7)."""
    return tuple([term for term in terms if term.rule != _SHIELD])


@rule("6.7")
def strike_guns(context: Context, play: Play, before: State, attack: Attack, resolved: Resolved) -> None:
    """A Final KIA of small arms, MG or IFE that a gunshield alone averts from the crew: the dr for the Gun (6.7).

    ``before`` is the state before the attack, when somebody still manned it. The weapons of those who are killed have
    had their dr with them (4.0).
    """
    ift, column = ift_of(context), resolved.column
    total = resolved.roll.total + attack.drm.total
    for unit_id in attack.targets:
        own = attack.own_drm.get(unit_id, ())
        felt, bare = [sum(term.value for term in terms) for terms in (own, without_shield(own))]
        if felt == bare or ift.result(column, total + bare).kind is not IftKind.KIA:
            continue
        weapon = manned_gun(context, before, unit_id)
        if weapon is not None and ift.result(column, total + felt).kind is not IftKind.KIA:
            strike_weapon(context, play, weapon, column)
