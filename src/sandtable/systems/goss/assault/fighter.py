"""What a ground assault asks of a unit that takes part in it (13.5-13.8)."""

from __future__ import annotations

import msgspec

from sandtable.systems.goss.ground.kinds import Water
from sandtable.systems.goss.pieces.card import Size

__all__ = ["Approach", "Fighter"]


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
