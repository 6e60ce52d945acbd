"""6.4 Attacks on the IFT on a hex that may hold hidden units: they suffer half FP, and come to light by an effect.

What an attack looks like does not tell whether anybody is hidden there: it is shown on those in sight, or on nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from sandtable.core.content.rule import rule
from sandtable.core.dice import Roll
from sandtable.core.modifier import Breakdown
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.hidden import hidden_units, reveal
from sandtable.systems.aslsk.effects.attack import Attack, Resolved, resolve_attack
from sandtable.systems.aslsk.effects.ift import IftKind, ift_of
from sandtable.systems.aslsk.fire.gun_destruction import is_shielded, strike_guns, without_shield
from sandtable.systems.aslsk.pieces.state import UnitId

__all__ = ["apart_from_hidden", "resolve_fire", "show_in_vain", "strike_hidden"]

Strike = Callable[[Context, Play, Attack, Roll], Resolved]
"""What an attack does to a unit that has come to light."""


@rule("6.4", "6.7")
def resolve_fire(context: Context, play: Play, attack: Attack, *, parts: int, crews: bool) -> Resolved:
    """Fire of small arms, MG or flame on a hex: those in sight, their Guns, then those who are hidden (6.4, 6.7).

    ``parts`` is the FP of the whole attack in parts, ``crews`` whether a CE crew is in sight.
    """
    seen, hidden = apart_from_hidden(context, play, attack)
    resolved = _burst(context, play, seen, None)
    if not seen.targets and not crews:
        show_in_vain(context, play, attack, resolved)
    if hidden:
        strike_hidden(context, play, attack, resolved, hidden, parts=parts, strike=_burst)
    return resolved


def apart_from_hidden(context: Context, play: Play, attack: Attack) -> tuple[Attack, frozenset[UnitId]]:
    """The attack on those in sight alone, and who is hidden from it."""
    hidden = hidden_units(context, play.state).intersection(attack.targets)
    if not hidden:
        return attack, hidden
    return attack._replace(targets=tuple([one for one in attack.targets if one not in hidden])), hidden


def _burst(context: Context, play: Play, attack: Attack, roll: Roll | None) -> Resolved:
    before = play.state
    fussy = attack._replace(fussy=True) if is_shielded(attack) else attack
    resolved = resolve_attack(context, play, fussy, roll)
    strike_guns(context, play, before, attack, resolved)
    return resolved


def show_in_vain(context: Context, play: Play, attack: Attack, resolved: Resolved) -> None:
    """An attack on a hex with nobody in sight, as it is told whether or not somebody is hidden there (6.4)."""
    play.emit(
        ev.FireResolved(
            kind=attack.kind,
            target=attack.target,
            targets=(),
            firepower=attack.firepower,
            drm=attack.drm,
            faces=resolved.roll.faces,
            column=ift_of(context).fp(resolved.column),
            cowered=resolved.cowered,
            result="nobody in sight",
        )
    )


@rule("6.4")
def strike_hidden(
    context: Context,
    play: Play,
    attack: Attack,
    resolved: Resolved,
    hidden: Collection[UnitId],
    *,
    parts: int,
    strike: Strike,
) -> None:
    """The same DR on the column of half the FP, for each hidden unit by itself; ``parts`` is the whole FP (6.4)."""
    ift = ift_of(context)
    column = max(-1, ift.column(parts // 2) - (attack.cower if resolved.cowered else 0))
    fp = ift.fp(column)
    firepower = Breakdown("Firepower", "6.4", base=fp, base_label="half, at what is hidden", result=fp)
    for unit_id in attack.targets:
        if unit_id not in hidden or not play.state.units[unit_id].on_map:
            continue
        own = attack.own_drm.get(unit_id, ())
        total = resolved.roll.total + attack.drm.total
        felt = ift.result(column, total + sum(term.value for term in own))
        bare = ift.result(column, total + sum(term.value for term in without_shield(own)))
        if felt.kind is IftKind.NONE and bare.kind is not IftKind.KIA:
            continue
        reveal(context, play, (unit_id,), "the fire has an effect on it")
        alone = attack._replace(targets=(unit_id,), column=column, firepower=firepower, cower=0)
        strike(context, play, alone, resolved.roll)
