"""6.0, 6.2 Ammunition: what a Gun or MA has, on which target type it is fired, and what is left after a shot."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.fire.firers import FireMode
from sandtable.systems.aslsk.guns.barrel import Barrel
from sandtable.systems.aslsk.pieces.armament import SMOKE_SHELLS, Ammo, Armament, Supply, TargetType

__all__ = ["AMMO", "depletion", "refuse_ammo", "refuse_stock", "supply_of"]

AMMO = {
    TargetType.VEHICLE: (Ammo.AP, Ammo.HE, Ammo.APCR, Ammo.APDS, Ammo.HEAT),
    TargetType.INFANTRY: (Ammo.HE, Ammo.AP, Ammo.APCR, Ammo.APDS, Ammo.HEAT),
    TargetType.AREA: (Ammo.HE, Ammo.SMOKE, Ammo.WP),
}
"""What is fired on each target type, in the order in which a player is offered them (3.2.4, 6.2)."""
_HE, _AP, _HEAT = Ammo.HE, Ammo.AP, Ammo.HEAT
"""Names are looked up quicker than members of enums."""


@rule("6.2")
def supply_of(context: Context, main: Armament, ammo: Ammo) -> Supply | None:
    """The depletion number of an ammunition at date and theatre of the scenario; None if it needs none (6.2)."""
    conditions = context.scenario.conditions
    return main.supply(ammo, conditions.year, conditions.month, conditions.theatre)


def depletion(context: Context, barrel: Barrel, ammo: Ammo) -> Supply | None:
    """The depletion number of an ammunition of a Gun or MA; None if it needs none."""
    return supply_of(context, barrel.main, ammo)


@rule("6.0", "6.2")
def refuse_stock(context: Context, barrel: Barrel, ammo: Ammo) -> Refusal | None:
    """Why a Gun or MA has no such ammunition at all, or no more (6.0, 6.2)."""
    if ammo in barrel.exhausted:
        return Refusal("6.2", f"{barrel.id} has no {ammo.value} left", "fire something else")
    if depletion(context, barrel, ammo) is not None:
        return _refuse_heat_date(context, barrel) if ammo is _HEAT else None
    main = barrel.main
    if (ammo is _HE and main.he and not main.is_mg) or (ammo is _AP and main.ap):
        return None
    if ammo is _HE or ammo is _AP:
        return Refusal("6.0", f"{barrel.id} has no {ammo.value}", "fire what its counter has")
    return Refusal(
        "6.2", f"{barrel.id} has no {ammo.value} at date and theatre of the scenario", "fire other ammunition"
    )


def _refuse_heat_date(context: Context, barrel: Barrel) -> Refusal | None:
    table, conditions = context.tables["heat_dates"], context.scenario.conditions
    nation = barrel.nationality.value if barrel.nationality.value in table.axes[0].values else "others"
    since = (table.number(nation, "year"), table.number(nation, "month"))
    if (conditions.year, conditions.month) < since:
        return Refusal("6.2", f"there is no HEAT before {since[1]}/{since[0]}", "fire other ammunition")
    return None


@rule("3.2.4", "6.2", "6.9")
def refuse_ammo(
    context: Context, barrel: Barrel, kind: TargetType, ammo: Ammo, *, mode: FireMode, smoke_first: bool
) -> Refusal | None:
    """Why an ammunition may not be fired on a target type now; ``smoke_first`` before all other fire (3.2.4, 6.2)."""
    if ammo not in AMMO[kind]:
        return Refusal("3.2.4", f"{ammo.value} is not fired on the {kind.value}", _remedy(kind))
    if ammo in SMOKE_SHELLS:
        refusal = _refuse_smoke_time(ammo, mode, smoke_first=smoke_first)
        if refusal is not None:
            return refusal
    return refuse_stock(context, barrel, ammo)


def _remedy(kind: TargetType) -> str:
    return f"on it {', '.join(ammo.value for ammo in AMMO[kind])} may be fired"


@rule("1.2.5", "6.2")
def _refuse_smoke_time(ammo: Ammo, mode: FireMode, *, smoke_first: bool) -> Refusal | None:
    """Smoke and WP before all else in the PFPh or DFPh; WP as Defensive First Fire too (1.2.5, 6.2)."""
    if mode is FireMode.FIRST and ammo is Ammo.WP:
        return None
    if mode not in (FireMode.PREP, FireMode.FINAL):
        return Refusal("6.2", f"{ammo.value} is fired in the PFPh or the DFPh", "fire it in one of them")
    if not smoke_first:
        return Refusal(
            "6.2", f"{ammo.value} is fired before all other fire of the phase", "fire it first in the next fire phase"
        )
    return None
