"""Questions of situation files about spotting and terrain of the Advanced Game (6.1)."""

from __future__ import annotations

import msgspec

from sandtable.core.content.questions import Answer, Question
from sandtable.core.errors import BadInput, Fault
from sandtable.systems.panzer.cover import refuse_command_in_cover
from sandtable.systems.panzer.features import entry_barred
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.features import features_in
from sandtable.systems.panzer.hex.spotting.dust import dust_of
from sandtable.systems.panzer.hex.spotting.full_cover import refuse_full_cover
from sandtable.systems.panzer.hex.spotting.hull_down import crosses_wall, hull_down_of, position_of
from sandtable.systems.panzer.hex.spotting.obscured import obscured
from sandtable.systems.panzer.hex.spotting.standing import cover_of, height_of, is_over_stacked
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.unit import Command, UnitId

__all__ = ["SPOTTING_QUESTIONS"]


class DustAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A vehicle's whole move, the hex of its start first."""

    path: tuple[str, ...]
    spent: int
    allowance: int
    minimum: bool = False


class CommandAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command for a unit in Full Cover."""

    unit: str
    command: Command
    attached: bool = False


def _on_map(state: State, name: str, where: str) -> Unit:
    unit = state.units.get(UnitId(name))
    if unit is None or unit.hex is None:
        raise BadInput([Fault(where, f"no unit {name!r} on the mapboard", f"one of {', '.join(state.units)}")])
    return unit


def _stands(context: Context, state: State, about: str, where: str) -> Answer:
    """Height and Cover of a unit."""
    unit = _on_map(state, about, where)
    assert unit.hex is not None  # noqa: S101 - it is on the map
    return {
        "height": height_of(context, state, unit),
        "cover_spotting": cover_of(context, state, unit).value,
        "cover_fire": cover_of(context, state, unit, fire=True).value,
        "over_stacked": is_over_stacked(context, state, unit.hex),
        "position": position_of(context, state, unit).value,
    }


def _hull_down(context: Context, state: State, about: tuple[str, str], where: str) -> Answer:
    """How a target is hull down to a firer."""
    firer, target = (_on_map(state, name, where) for name in about)
    return {"hull_down": hull_down_of(context, state, firer, target).value}


def _obscured(context: Context, state: State, about: tuple[str, str], where: str) -> Answer:
    """What obscures a target from a firer."""
    firer, target = (_on_map(state, name, where) for name in about)
    found = obscured(context, state, firer, target)
    assert firer.hex is not None  # noqa: S101 - both are on the map
    assert target.hex is not None  # noqa: S101
    return {
        **msgspec.structs.asdict(found.hindrances),
        "brew_up_smoke": found.smoke,
        "heat_haze": found.heat_haze,
        "sun_ap": found.sun_ap,
        "sun_gp": found.sun_gp,
        "over_wall": crosses_wall(context, firer.hex, target.hex),
    }


def _dust(context: Context, state: State, about: DustAsked, where: str) -> Answer:
    """Where a move raises Dust."""
    path = [context.game_map.hex(label, f"{where}.path") for label in about.path]
    found = dust_of(context.ground_at(state), path, about.spent, about.allowance, minimum=about.minimum)
    return {"dust": [context.game_map.label(feature.hex) for feature in found]}


def _full_cover(context: Context, state: State, about: str, where: str) -> Answer:
    """Whether a unit may enter Full Cover."""
    refusal = refuse_full_cover(context, state, _on_map(state, about, where))
    return {"allowed": refusal is None, "reason": "" if refusal is None else str(refusal)}


def _command_in_cover(context: Context, state: State, about: CommandAsked, where: str) -> Answer:
    """Whether a unit in Full Cover may have a command."""
    unit = _on_map(state, about.unit, where)
    kind = context.cards[unit.card].unit_class
    refusal = refuse_command_in_cover(unit.id, kind, about.command, attached_weapons=about.attached)
    return {"allowed": refusal is None, "reason": "" if refusal is None else str(refusal)}


def _entry(context: Context, state: State, about: tuple[str, str], where: str) -> Answer:
    """Whether terrain counters bar a unit from a hex, and by which rule."""
    card = context.cards[_on_map(state, about[0], where).card]
    hex, table = context.game_map.hex(about[1], where), context.tables["terrain_counters"]
    kinds = (feature.kind for feature in features_in(state.features, hex))
    barred = next((by for kind in kinds if (by := entry_barred(table, kind, card.unit_class, card.movement.mode))), "")
    return {"allowed": not barred, "rule": barred}


SPOTTING_QUESTIONS: dict[str, Question[Context, State]] = {
    "stands": Question(str, _stands),
    "hull_down": Question(tuple[str, str], _hull_down),
    "obscured": Question(tuple[str, str], _obscured),
    "dust": Question(DustAsked, _dust),
    "full_cover": Question(str, _full_cover),
    "command_in_cover": Question(CommandAsked, _command_in_cover),
    "entry": Question(tuple[str, str], _entry),
}
