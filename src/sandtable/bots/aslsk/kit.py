"""What a unit brings with the weapons that it carries: worked out once for as long as neither changes (1.2, 4.0)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sandtable.bots.aslsk.barrage import ON_IFT
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.experience import morale_level
from sandtable.systems.aslsk.pieces.cards import CardId, UnitCard, UnitKind, WeaponCard, WeaponKind
from sandtable.systems.aslsk.pieces.state import Unit, UnitId, Weapon, WeaponId, WeaponState

__all__ = ["Kit", "Kits", "weapon_worth", "worth_of"]


class Kit(NamedTuple):
    """A unit with what it carries."""

    worth: float
    """Points as it is; a broken one may rally, if there is time."""
    is_mmc: bool
    is_leader: bool
    morale: int
    shots: tuple[float, ...]
    """FP of its own and of each MG that works; none if it is no MMC."""
    reach: int
    """Its normal range."""
    charges: tuple[WeaponId, ...]
    """DC that work."""
    flames: tuple[WeaponId, ...]
    """Flamethrowers that do."""


class Kits:
    """The kits of all units as they were last asked for."""

    def __init__(self, context: Context, worths: Mapping[CardId, float], arms: Mapping[CardId, float]) -> None:
        """What units and weapons are worth goes by their cards."""
        self._context = context
        self._worths = worths
        self._arms = arms
        self._known: dict[UnitId, tuple[Unit, tuple[Weapon, ...], Kit]] = {}

    def of(self, unit: Unit, carried: tuple[Weapon, ...]) -> Kit:
        """The kit of a unit that carries these."""
        known = self._known.get(unit.id)
        if known is not None and known[0] is unit and known[1] is carried:
            return known[2]
        kit = self._work_out(unit, carried)
        self._known[unit.id] = unit, carried, kit
        return kit

    def _work_out(self, unit: Unit, carried: tuple[Weapon, ...]) -> Kit:
        context = self._context
        card = context.card(unit)
        worth = self._worths[unit.card]
        for weapon in carried:
            worth += self._arms[weapon.card] * (0.3 if weapon.state is not WeaponState.WORKING else 1.0)
        worth = worth * (0.6 if unit.broken else 1.0) * (0.8 if unit.wounded else 1.0)
        shots: list[float] = [card.fp] if card.is_mmc else []
        charges: list[WeaponId] = []
        flames: list[WeaponId] = []
        for weapon in carried if card.is_mmc else ():
            if weapon.state is not WeaponState.WORKING:
                continue
            gun = context.weapon_card(weapon)
            if gun.kind in ON_IFT:
                shots.append(gun.fp * (1 + gun.rof / 6))
            elif gun.kind is WeaponKind.DC:
                charges.append(weapon.id)
            elif gun.kind is WeaponKind.FT:
                flames.append(weapon.id)
        return Kit(
            worth,
            card.is_mmc,
            card.is_leader,
            morale_level(context, unit),
            tuple(shots),
            card.range if card.is_mmc else 0,
            tuple(charges),
            tuple(flames),
        )


def worth_of(card: UnitCard) -> float:
    """What a unit is worth, a 4-6-7 being two points."""
    if card.kind is UnitKind.LEADER:
        return max(0.6, 1.2 - 0.7 * card.leadership + 0.15 * (card.morale - 8))
    squad: float = 2 * (max(1, card.fp) / 4) ** 0.5 * card.morale / 7 * (max(1, card.range) / 5) ** 0.2
    return squad if card.kind is UnitKind.SQUAD else squad * (0.65 if card.kind is UnitKind.CREW else 0.6)


_OTHER_ARMS = {
    WeaponKind.FT: 1.2,
    WeaponKind.DC: 0.5,
    WeaponKind.MTR: 0.6,
    WeaponKind.ATR: 0.15,
    WeaponKind.BAZ: 0.3,
    WeaponKind.PSK: 0.3,
    WeaponKind.PIAT: 0.3,
}


def weapon_worth(card: WeaponCard) -> float:
    """What a weapon is worth to who has it."""
    if card.is_mg:
        return 0.11 * card.fp * (1 + 0.3 * card.rof)
    return _OTHER_ARMS.get(card.kind, 0.3)
