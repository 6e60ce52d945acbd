"""Questions of assaults that a situation may ask: who may attack, a ratio's column, the sheet before the dice (13)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from sandtable.core.content.questions import Answer, Question
from sandtable.core.decision import Seat
from sandtable.core.errors import BadInput, Fault
from sandtable.geo.hex import distance
from sandtable.systems.goss.assault.declaring import defenders_of, targets_of
from sandtable.systems.goss.assault.eligibility import Plans
from sandtable.systems.goss.assault.frames import Assault
from sandtable.systems.goss.assault.leading import gun_leads, rating_leads
from sandtable.systems.goss.assault.measure import measure
from sandtable.systems.goss.common.asking import hex_named, number_told, units_named
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.pieces.card import FormationId
from sandtable.systems.goss.pieces.unit import UnitId
from sandtable.systems.goss.tables.ground_assault import COLUMNS, Odds

__all__ = ["QUESTIONS"]


class _Ratio(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two Ground Assault Values on a terrain line."""

    line: int
    attack: int
    defence: int
    shifts: int = 0


class _Assault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An assault that units would make; who leads, where it is not the best."""

    hex: str
    attackers: tuple[str, ...]
    line: int = 0
    """0: the best of the hex."""
    leads: dict[str, str] = {}
    """By side."""
    guns: dict[str, str] = {}
    stand_off: tuple[str, ...] = ()
    spared: tuple[str, ...] = ()


def _column(context: Context, line: int, odds: Odds) -> Answer:
    """A column by its letter and by its ratio on the line."""
    found = context.charts.assault.lines[line]
    ratio: Fraction = found.ratios[odds.column - found.first]
    told = f"{float(ratio):g}:1" if ratio >= 1 else f"1:{float(1 / ratio):g}"
    return {"column": told, "letter": COLUMNS[odds.column], "below": odds.is_below}


def _ratio(context: Context, state: State, about: _Ratio, where: str) -> Answer:  # noqa: ARG001
    """The column of a ratio, shifted (13.6.2, 13.7.2)."""
    table = context.charts.assault
    _check_line(context, about.line, where)
    odds = table.odds(about.line, about.attack, about.defence)
    return _column(context, about.line, table.shifted(about.line, odds, about.shifts) if about.shifts else odds)


def _check_line(context: Context, line: int, where: str) -> None:
    if line not in context.charts.assault.lines:
        raise BadInput([Fault(f"{where}.line", str(line), "1 to 4")])


def _leading(named: Mapping[str, str], able: Mapping[Seat, list[UnitId]], where: str) -> tuple[tuple[str, UnitId], ...]:
    """Who leads each side: the one who is named, else the best."""
    for side, name in named.items():
        if name not in able.get(Seat(side), ()):
            raise BadInput([Fault(f"{where}.{side}", f"{name} cannot lead {side}", "one that fights and can")])
    found = {side: UnitId(named.get(side, "")) or next(iter(units), UnitId("")) for side, units in able.items()}
    return tuple((side, unit) for side, unit in found.items() if unit)


def _assault(context: Context, state: State, about: _Assault, where: str) -> Answer:
    """Strengths, column, shifts and DRM of an assault, as they stand on its sheet (13.6-13.8)."""
    units = units_named(state, about.attackers, f"{where}.attackers")
    target, player = hex_named(context, about.hex, f"{where}.hex"), units[0].side
    enemy = context.other(player)
    defenders, aside = defenders_of(context, state, target)
    if about.line:
        _check_line(context, about.line, where)
    if not defenders:
        raise BadInput([Fault(f"{where}.hex", f"nobody defends {about.hex}", "a hex of the enemy")])
    for index, unit in enumerate(units):
        if unit.hex is None or unit.side != player or distance(unit.hex, target) != 1:
            raise BadInput(
                [Fault(f"{where}.attackers[{index}]", f"{unit.id} is not beside it", "units of one side that are")]
            )
    stand_off = tuple(unit.id for unit in units_named(state, about.stand_off, where)) if about.stand_off else ()
    spared = tuple(unit.id for unit in units_named(state, about.spared, where)) if about.spared else ()
    found = Assault(
        player,
        target,
        line=about.line or context.charts.defences.terrain_lines(context.ground_in(state).at(target).features)[0],
        attackers=tuple(unit.id for unit in units),
        defenders=defenders,
        aside=aside,
        stand_off=stand_off,
        spared=spared,
    )
    able = {side: rating_leads(context, state, found, side) for side in (player, enemy)}
    armed = {side: gun_leads(context, state, found, side) for side in (player, enemy)}
    led = msgspec.structs.replace(
        found,
        leads=_leading(about.leads, able, f"{where}.leads"),
        armour=_leading(about.guns, armed, f"{where}.guns"),
    )
    sheet = measure(context, state, led)
    return {
        "line": led.line,
        "attack": sheet.attack,
        "defence": sheet.defence,
        "strengths": [breakdown.base_label for breakdown in sheet.strengths],
        "shifts": number_told(sheet.shifts),
        "drm": number_told(sheet.drm),
        "final": _column(context, led.line, Odds(sheet.column, sheet.is_column_below)),
        "engineers": list(sheet.engineers),
    }


def _attackers(context: Context, state: State, about: str, where: str) -> Answer:
    """Which side's units may attack a hex, and whether it may be assaulted next (13.2.0, 13.4.2)."""
    target = hex_named(context, about, where)
    holder = context.deployment(state).holders.get(target)
    if holder is None:
        raise BadInput([Fault(where, f"nobody holds {about}", "a hex of the enemy")])
    side = context.other(holder)
    able = [one.id for one in Plans(context, state, side).on(target)]
    return {"units": sorted(able), "may_be_next": target in targets_of(context, state, side)}


def _assaults(context: Context, state: State, about: str, where: str) -> Answer:
    """The assaults that a formation has left in this game turn, in PA ones, and whether all its side can attack."""
    formation = FormationId(about)
    unit = next((one for one in state.units.values() if context.formation_of(one) == formation), None)
    if unit is None:
        raise BadInput([Fault(where, f"no formation {about!r}", "one that is set up")])
    plans = Plans(context, state, unit.side)
    return {"left": plans.allowance(formation) / 2, "all_can_attack": plans.can_all_attack()}


QUESTIONS = {
    "assaults": Question(str, _assaults),
    "ratio": Question(_Ratio, _ratio),
    "assault": Question(_Assault, _assault),
    "attackers": Question(str, _attackers),
}
