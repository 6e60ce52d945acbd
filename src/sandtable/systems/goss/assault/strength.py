"""13.6 Step 4: combat strengths, the Ground Assault Values and their ratio.

A unit's strength is halved for one reason and quartered for two, and no more than that (13.6.1). Fractions are kept
until all are added up, in whole quarters (1.5.0, 13.6.0).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from sandtable.core.content.rule import rule
from sandtable.systems.goss.ground.kinds import Water
from sandtable.systems.goss.pieces.card import Size

__all__ = ["Approach", "Fighter", "Share", "attack_share", "combined_arms", "defence_share", "ground_assault_value"]

_QUARTERS = 4
_HALVES = 2
"""Most halvings that a strength suffers."""


class Fighter(msgspec.Struct, frozen=True):
    """A unit in an assault, on either side."""

    id: str
    strength: int
    """Combat strength by its steps: attack of an attacker, defence of a defender (4.2.2)."""
    size: Size = Size.BATTALION
    is_mech: bool = False
    """As it fights: a dismounted unit is Leg."""
    is_personnel: bool = False
    is_pure_afv: bool = False
    is_hybrid: bool = False
    is_recon: bool = False
    """Vehicular Recon gives combined arms too (13.6.1d)."""
    is_rear_echelon: bool = False
    is_artillery: bool = False
    arm: int = 0
    """Its Arm factor: that of the attack or of the defence."""
    arm_attack: int = 0
    """Its Arm factor of the attack, which a defender uses against AT guns (13.8.4e)."""
    at: int = 0
    fatigue: int = 0
    is_out_of_supply: bool = False
    is_saving: bool = False
    """Of a defender: fights at half strength to spare fatigue, or the supply on hand (13.5.3, 13.5.4)."""
    is_rest_turn: bool = False
    """Whether it is fatigue that it spares."""
    stands_off: bool = False
    is_depleted: bool = False


class Approach(msgspec.Struct, frozen=True):
    """What lies between an attacking hex and the defending one."""

    water: Water | None = None
    has_bridge: bool = False
    is_ferried: bool = False
    """Engineers ferry its Leg units (17.2)."""
    has_marsh: bool = False
    """Marsh, swamp or soft ground in either hex."""


class Reason(msgspec.Struct, frozen=True):
    """Why a strength is less."""

    label: str
    rule: str
    halvings: int = 1
    """2 of what quarters it."""


class Share(msgspec.Struct, frozen=True):
    """What one unit adds to its side."""

    id: str
    strength: int
    reasons: tuple[Reason, ...] = ()

    @property
    def quarters(self) -> int:
        """Its modified strength, in quarters of a point."""
        halvings = min(_HALVES, sum(reason.halvings for reason in self.reasons))
        return _QUARTERS * self.strength >> halvings

    @property
    def text(self) -> str:
        """Its modified strength for people."""
        whole, rest = divmod(self.quarters, _QUARTERS)
        return f"{whole}{('', '.25', '.5', '.75')[rest]}"


@rule("13.6.0", "1.5.0")
def ground_assault_value(shares: Iterable[Share]) -> int:
    """All shares added up, then rounded up once (13.6.0)."""
    return -(-sum(share.quarters for share in shares) // _QUARTERS)


@rule("13.6.1d")
def combined_arms(units: Sequence[Fighter]) -> frozenset[str]:
    """The pure AFV units of one stack that have personnel with them, the strongest first (13.6.1d)."""
    afvs = sorted([unit for unit in units if unit.is_pure_afv], key=lambda unit: (-unit.arm, -unit.strength, unit.id))
    men = [
        unit
        for unit in units
        if not (unit.is_pure_afv or unit.is_rear_echelon) and (unit.is_personnel or unit.is_recon or unit.is_hybrid)
    ]
    if any(unit.size is Size.BATTALION for unit in men):
        return frozenset(afv.id for afv in afvs)
    companies = [unit for unit in men if unit.size is Size.COMPANY]
    # A company of both arms goes with one company of AFV, any other with one unit of any size.
    both = sum(unit.is_hybrid for unit in companies)
    others = len(companies) - both
    covered = set()
    for afv in afvs:
        if afv.size is Size.COMPANY and both:
            both -= 1
        elif others:
            others -= 1
        else:
            continue
        covered.add(afv.id)
    return frozenset(covered)


def _common(unit: Fighter, *, has_combined_arms: bool) -> list[Reason]:
    """What halves attackers and defenders alike."""
    reasons = []
    if unit.is_pure_afv and not has_combined_arms:
        reasons.append(Reason("without combined arms", "13.6.1d"))
    if unit.is_out_of_supply:
        reasons.append(Reason("out of supply", "15.6.0"))
    if unit.fatigue == 1:
        reasons.append(Reason("fatigue 1", "14.2.1"))
    if unit.stands_off:
        reasons.append(Reason("stands off", "13.5.2"))
    return reasons


@rule("13.6.1", "13.6.1a", "13.5.2")
def attack_share(unit: Fighter, approach: Approach, *, has_combined_arms: bool = True) -> Share:
    """What an attacker adds, by the way that it attacks (13.6.1a).

    ``has_combined_arms`` is to be False only where the rule asks for it: in MCT or marsh, and not AFV against AFV.
    """
    reasons = _common(unit, has_combined_arms=has_combined_arms)
    if not unit.stands_off:
        # Who stands off suffers nothing more for the hexside (13.5.2).
        reasons += _crossing(unit, approach)
    if unit.is_saving:
        reasons.append(Reason("spares supply", "13.5.3"))
    if approach.has_marsh:
        reasons.append(Reason("through marsh", "13.6.1a", 2 if unit.is_mech else 1))
    return Share(unit.id, unit.strength, tuple(reasons))


def _crossing(unit: Fighter, approach: Approach) -> list[Reason]:
    """What a river takes from those who attack across it (13.6.1a; ruling B-6)."""
    match approach.water:
        case Water.RIVER if unit.is_mech:
            return [Reason("across a river", "13.6.1a")]
        case Water.RIVER if not approach.is_ferried:
            return [Reason("across a river", "13.6.1a")]
        case Water.MAJOR_RIVER | Water.GREAT_RIVER if approach.has_bridge:
            return [Reason("over a bridge on a major river", "13.6.1a", 2)]
        case Water.MAJOR_RIVER if not unit.is_mech and approach.is_ferried:
            return [Reason("ferried across a major river", "13.6.1a")]
    return []


@rule("13.6.1b", "13.6.1c", "13.5.3", "13.5.4")
def defence_share(
    unit: Fighter, stack: Sequence[Fighter], *, in_marsh: bool = False, has_combined_arms: bool = True
) -> Share:
    """What a defender adds (13.6.1b)."""
    share = _alone(unit, in_marsh=in_marsh, has_combined_arms=has_combined_arms)
    if not unit.is_artillery or len(stack) < _HALVES:
        return share
    if all(one.is_artillery for one in stack):
        # Of guns alone one is halved: the one that is worth the least as it stands (ruling B-9).
        worth = {one.id: _alone(one, in_marsh=in_marsh, has_combined_arms=has_combined_arms).quarters for one in stack}
        if unit.id != min(stack, key=lambda one: (worth[one.id], one.id)).id:
            return share
    return Share(unit.id, share.strength, (Reason("artillery in a stack", "13.6.1b"), *share.reasons))


def _alone(unit: Fighter, *, in_marsh: bool, has_combined_arms: bool) -> Share:
    """What a defender would add if nobody stood beside it (13.6.1b); guns without ammunition have one (13.6.1c)."""
    strength = 1 if unit.is_artillery and unit.is_depleted else unit.strength
    reasons = _common(unit, has_combined_arms=has_combined_arms)
    if unit.is_saving:
        reasons.append(Reason("spares fatigue" if unit.is_rest_turn else "spares supply", "13.6.1b"))
    if unit.fatigue > 1:
        reasons.append(Reason("fatigue 2", "14.2.2", 2))
    if in_marsh and unit.is_mech:
        reasons.append(Reason("Mech in marsh", "13.6.1b", 2))
    return Share(unit.id, strength, tuple(reasons))
