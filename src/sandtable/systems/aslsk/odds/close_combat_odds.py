"""3.8 The exact odds of close combat attacks before they are declared, each attack by itself.

What the other side has declared counts, and what becomes of those that it attacks is told too. What it may declare yet
is a supposition (:mod:`~sandtable.systems.aslsk.phases.close_combat_answers`). Every attack is played through by the
rules that play it, together with those of the units that it is made on: an original 2 may bring forth a leader in them
(5.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.dice import Dice, enumerate_rolls
from sandtable.core.modifier import Breakdown
from sandtable.core.odds import Chance
from sandtable.core.ruleset import NO_EFFECT
from sandtable.systems.aslsk.common.actions import DeclareCloseCombat
from sandtable.systems.aslsk.common.consequence import unit_change
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.fold import fold
from sandtable.systems.aslsk.phases.close_combat import resolve_attacks
from sandtable.systems.aslsk.phases.close_combat_odds import attack_drm, odds_of
from sandtable.systems.aslsk.pieces.state import CcAttack, CloseCombat, State, UnitId

__all__ = ["combat_numbers", "combat_odds"]


@rule("3.8")
def combat_odds(
    context: Context, state: State, frame: CloseCombat, action: DeclareCloseCombat
) -> dict[UnitId, list[Chance]]:
    """What may become of each unit that is attacked, likeliest first (3.8)."""
    declared = [(frame.asked, attack) for attack in action.attacks]
    if frame.second and not frame.ambusher:
        declared += [(context.other(frame.asked), attack) for attack in frame.attacks]
    chances: dict[UnitId, list[Chance]] = {}
    for seat, attack in declared:
        answers = [one for one in declared if one[0] != seat and not set(one[1].by).isdisjoint(attack.against)]
        chances.update(_attack_odds(context, state, frame, [(seat, attack), *answers]))
    return chances


def _attack_odds(
    context: Context, state: State, frame: CloseCombat, attacks: list[tuple[Seat, CcAttack]]
) -> dict[UnitId, list[Chance]]:
    """The odds of the first of these attacks; the others come at the same moment."""
    attack = attacks[0][1]

    def played(dice: Dice) -> State:
        play = Play(state, fold, dice)
        resolve_attacks(context, play, frame, attacks)
        return play.state

    found: dict[UnitId, dict[str, Fraction]] = {unit_id: {} for unit_id in attack.against}
    for after, weight in enumerate_rolls(played):
        for unit_id, chances in found.items():
            what = unit_change(context, state.units[unit_id], after.units[unit_id]) or NO_EFFECT
            chances[what] = chances.get(what, Fraction(0)) + weight
    return {unit_id: _ranked(chances) for unit_id, chances in found.items()}


def _ranked(chances: dict[str, Fraction]) -> list[Chance]:
    ranked = sorted(chances.items(), key=lambda item: (-item[1], item[0]))
    return [Chance(what, float(chance), str(chance)) for what, chance in ranked]


def combat_numbers(
    context: Context, state: State, frame: CloseCombat, action: DeclareCloseCombat
) -> Sequence[Breakdown]:
    """Kill number and DRM of every attack."""
    return [
        number
        for attack in action.attacks
        for number in (
            odds_of(context, state.units, frame.factors, attack).kill,
            attack_drm(context, state.units, attack, frame.asked, frame.ambusher),
        )
    ]
