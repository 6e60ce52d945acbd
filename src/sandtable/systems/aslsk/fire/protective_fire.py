"""3.3.3 Final Protective Fire: the original IFT DR is a NMC for those who used it, and for a leader who directed it."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core.content.rule import rule
from sandtable.core.dice import Roll
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import BOXCARS
from sandtable.systems.aslsk.effects.casualties import LeaderLoss
from sandtable.systems.aslsk.effects.morale import (
    Check,
    check_number,
    settle_leader_losses,
    suffer_morale_roll,
)
from sandtable.systems.aslsk.fire.fire_groups import Firer
from sandtable.systems.aslsk.fire.firers import Use
from sandtable.systems.aslsk.pieces.state import Unit, UnitId

__all__ = ["check_protective_fire", "check_protectors"]

FPF = Check("FPF")


@rule("3.3.3")
def check_protectors(context: Context, play: Play, group: Sequence[Firer], leaders: Sequence[Unit], roll: Roll) -> None:
    """Units that used FPF take a NMC with the DR of their attack, directing leaders first (3.3.3)."""
    protectors = {
        unit.id: unit.hex
        for firer in group
        if firer.use is Use.PROTECTIVE
        for unit in (firer.unit, firer.helper)
        if unit is not None
    }
    if not protectors:
        return
    losses: list[LeaderLoss] = []
    directing = {leader.hex: leader.id for leader in leaders if leader.hex in protectors.values()}
    for leader_id in directing.values():
        _check(context, play, leader_id, None, roll=roll, losses=losses)
    for unit_id, hex in protectors.items():
        leader = play.state.units[directing[hex]] if hex in directing else None
        helps = leader is not None and leader.good_order and not leader.pinned
        _check(context, play, unit_id, leader if helps else None, roll=roll, losses=losses)
    settle_leader_losses(context, play, losses)


@rule("3.3.3", "3.3.4")
def check_protective_fire(
    context: Context, play: Play, units: Sequence[UnitId], roll: Roll, losses: list[LeaderLoss]
) -> None:
    """The same of units that attacked a vehicle in their hex (3.3.4)."""
    for unit_id in units:
        _check(context, play, unit_id, None, roll=roll, losses=losses)


def _check(
    context: Context, play: Play, unit_id: UnitId, helper: Unit | None, *, roll: Roll, losses: list[LeaderLoss]
) -> None:
    unit = play.state.units[unit_id]
    if not unit.on_map:
        return
    number = check_number(context, unit, FPF, helper)
    passed = roll.total <= number.total and roll.total != BOXCARS
    play.emit(ev.MoraleChecked(unit_id, FPF.name, roll.faces, number, passed))
    suffer_morale_roll(context, play, unit_id, losses, total=roll.total, number=number.total)
