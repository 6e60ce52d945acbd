"""5.1, 5.14 The weapons that a unit has, and which of them fire together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.cards import Weapon
from sandtable.systems.panzer.facts import DualFire
from sandtable.systems.panzer.support_cards import AttachmentKind
from sandtable.systems.panzer.unit import UnitId, WeaponShot

__all__ = ["Arm", "Gunner", "arms_of", "dual_of", "refuse_volley"]

_BOOK = ("panzer-na",)


class Arm(NamedTuple):
    """A weapon of a unit."""

    weapon: Weapon
    kind: AttachmentKind | None = None
    """Of an attached one (5.1.3)."""

    @property
    def is_dual(self) -> bool:
        """Printed as a reverse image, or attached: Dual Fire hinders it (5.14)."""
        return self.weapon.dual or self.kind is not None

    @property
    def is_small_arms(self) -> bool:
        """Small Arms by what it does; mortars and ATRs are so for spotting alone (5.1.3.1, 5.1.3.3, 5.7)."""
        return self.weapon.small_arms and self.kind in (None, AttachmentKind.HMG)


@rule("5.1.3", editions=_BOOK)
def arms_of(weapons: Sequence[Weapon], attached: Sequence[AttachmentKind]) -> tuple[Arm, ...]:
    """Weapons with the kinds of the attached ones, which are the last of them (5.1.3)."""
    own = len(weapons) - len(attached)
    kinds: list[AttachmentKind | None] = [None] * own
    return tuple(map(Arm, weapons, [*kinds, *attached]))


class Gunner(NamedTuple):
    """Who fires several weapons, or may not."""

    unit_class: UnitClass
    """What it is now: a reduced squad is a half-squad."""
    is_suppressed: bool
    fired: tuple[int, ...] = ()
    """Weapons that it has fired this turn, at another target."""
    may_dual: bool = True
    """Whether the game has Dual Fire."""


@rule("5.14", "5.1.1", "5.1.2", editions=_BOOK)
def refuse_volley(gunner: Gunner, arms: Sequence[Arm], chosen: Sequence[int]) -> Refusal | None:
    """Why a unit may not fire these weapons on one target; each may be fired by itself as far as that goes (5.14).

    At a second target only reverse-image and attached weapons fire: the other one is announced first.
    """
    if len(set(chosen)) != len(chosen):
        return Refusal("4.4.1", "a weapon fires once", "name it once")
    together = (*gunner.fired, *chosen)
    if len(together) <= 1:
        return None
    if any(weapon in gunner.fired for weapon in chosen):
        return Refusal("4.4.1", "a weapon fires only once a turn", "wait for the next turn")
    if not gunner.may_dual:
        return Refusal("5.14", "this scenario has no Dual Fire", "one weapon")
    if gunner.is_suppressed:
        return Refusal("5.14", "a suppressed unit may not employ Dual Fire", "one weapon")
    if gunner.unit_class is UnitClass.SECTION:
        return Refusal("5.1.2", "a section fires a single weapon", "one weapon")
    plain = [weapon for weapon in together if not arms[weapon].is_dual]
    if len(plain) > 1 or gunner.unit_class is UnitClass.TOWED:
        return Refusal("5.14", "these weapons do not fire together", "one of them")
    if gunner.fired and not any(weapon in gunner.fired for weapon in plain):
        return Refusal("5.14", "fire at a second target is that of a Dual Fire weapon", "the primary weapon first")
    return None


@rule("5.14", editions=_BOOK)
def dual_of(arms: Sequence[Arm], shot: WeaponShot, volley: Sequence[WeaponShot], fired: Sequence[int]) -> DualFire:
    """Whether Dual Fire hinders a shot: of all announced on its target, after all that its unit has fired (5.14)."""
    if not arms[shot.weapon].is_dual:
        return DualFire.NONE
    here = _weapons(volley, shot.firer)
    if any(weapon not in here for weapon in fired):
        return DualFire.OTHER
    return DualFire.SAME if len(here) > 1 else DualFire.NONE


def _weapons(shots: Sequence[WeaponShot], firer: UnitId) -> list[int]:
    return [shot.weapon for shot in shots if shot.firer == firer]
