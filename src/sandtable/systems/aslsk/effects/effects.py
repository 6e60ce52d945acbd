"""3.2.3 Effects: what a result of the IFT does to the units it strikes, to their weapons and to their leaders.

Targets of one attack may differ in DRM (a unit with a flamethrower, one that is pinned), so every unit brings its own
result; random selection is among those that share one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import one_of, roll_single
from sandtable.systems.aslsk.common.possession import weapons_of
from sandtable.systems.aslsk.effects.casualties import LeaderLoss, break_unit, eliminate, reduce_unit
from sandtable.systems.aslsk.effects.ift import IftKind, IftResult, ift_of
from sandtable.systems.aslsk.effects.morale import Check, check_all, settle_leader_losses
from sandtable.systems.aslsk.pieces.state import UnitId, Weapon, WeaponState

__all__ = ["Hit", "Struck", "apply_results", "strike", "strike_weapon"]

Hit = tuple[UnitId, IftResult]
Choose = Callable[[Play, int, str], int]
"""Picks one of so many."""


class Struck(NamedTuple):
    """What a result has left to be settled."""

    checks: dict[UnitId, Check]
    losses: list[LeaderLoss]
    harmed: set[UnitId]
    """Those that a K has struck: they lend no leadership in the checks that follow."""


@rule("3.2.3")
def apply_results(context: Context, play: Play, hits: Sequence[Hit], column: int, *, in_combat: bool = False) -> None:
    """Apply each unit's result of one attack: KIA, then K, checks, and leader loss but in close combat (3.2.3)."""
    struck = strike(context, play, hits, column)
    if struck.checks:
        check_all(context, play, struck.checks, struck.losses, struck.harmed)
    if not in_combat:
        settle_leader_losses(context, play, struck.losses)


@rule("3.2.3")
def strike(
    context: Context,
    play: Play,
    hits: Sequence[Hit],
    column: int,
    *,
    choose: Choose = one_of,
    spared: Collection[UnitId] = (),
) -> Struck:
    """KIA and K, and who has to check after them (3.2.3).

    Exact odds of one unit choose for themselves, and spare units whose own fate does not matter.
    """
    losses: list[LeaderLoss] = []
    harmed: set[UnitId] = set()
    checks: dict[UnitId, Check] = {}
    by_result: dict[IftResult, list[UnitId]] = {}
    for unit_id, result in hits:
        by_result.setdefault(result, []).append(unit_id)
    for result in sorted(by_result, key=lambda one: -one.severity):
        struck = by_result[result]
        if result.kind is IftKind.KIA:
            killed = _pick(play, struck, result, choose)
            _kia(context, play, [one for one in struck if one not in spared], killed, column=column, losses=losses)
        elif result.kind is IftKind.K:
            (victim,) = _pick(play, struck, result, choose)
            if victim not in spared:
                reduce_unit(context, play, victim, losses)
                harmed.add(victim)
            checks.update(_after_k(play, [one for one in struck if one not in spared], result))
        elif result.kind is IftKind.MC:
            checks.update((unit_id, Check(result.text, result.number)) for unit_id in struck)
        elif result.kind is IftKind.PTC:
            checks.update((unit_id, Check(result.text, pin_only=True)) for unit_id in struck)
    for unit_id in spared:
        checks.pop(unit_id, None)
    return Struck(checks, losses, harmed)


def _pick(play: Play, struck: Sequence[UnitId], result: IftResult, choose: Choose) -> list[UnitId]:
    """Those that a KIA or K falls on, at random."""
    left = list(struck)
    number = min(result.number, len(left)) if result.kind is IftKind.KIA else 1
    return [left.pop(choose(play, len(left), f"{result.text} random selection")) for _ in range(number)]


@rule("3.2.3", "4.0")
def _kia(
    context: Context,
    play: Play,
    struck: Sequence[UnitId],
    killed: Sequence[UnitId],
    *,
    column: int,
    losses: list[LeaderLoss],
) -> None:
    """#KIA: so many are eliminated, the others break or, broken already, are reduced (3.2.3)."""
    for unit_id in struck:
        if unit_id not in killed:
            continue
        weapons = weapons_of(context, play.state, unit_id)
        eliminate(context, play, unit_id, losses, why="KIA")
        for weapon in weapons:
            strike_weapon(context, play, weapon, column)
    for unit_id in struck:
        if unit_id in killed:
            continue
        if play.state.units[unit_id].broken:
            reduce_unit(context, play, unit_id, losses)
        else:
            break_unit(context, play, unit_id, losses)


@rule("4.0")
def strike_weapon(context: Context, play: Play, weapon: Weapon, column: int) -> None:
    """A dr on the same column for a weapon whose possessor was killed: KIA destroys it, K breaks it down (4.0)."""
    ift = ift_of(context)
    kinds = [ift.result(column, dr).kind for dr in range(1, 7)]
    kia, k = kinds.count(IftKind.KIA), kinds.count(IftKind.K)
    if not kia + k:
        return
    roll = roll_single(play, f"{weapon.id} destruction", (kia, kia + k))
    if roll <= kia or (roll <= kia + k and not context.weapon_card(weapon).repair):
        play.emit(ev.WeaponRemoved(weapon.id, "destroyed with its possessor"))
    elif roll <= kia + k and weapon.state is WeaponState.WORKING:
        play.emit(ev.WeaponMalfunctioned(weapon.id))


@rule("3.2.3")
def _after_k(play: Play, struck: Sequence[UnitId], result: IftResult) -> dict[UnitId, Check]:
    """K/#: after the Casualty Reduction all that are left, the reduced unit too, take a MC with that DRM (3.2.3)."""
    check = Check(f"{result.number}MC" if result.number else "NMC", result.number)
    return {unit_id: check for unit_id in struck if play.state.units[unit_id].on_map}
