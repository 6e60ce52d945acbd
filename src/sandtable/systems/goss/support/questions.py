"""Questions of fire support that a situation may ask: what a mission may fire, its DRMs, volleys, results (11)."""

from __future__ import annotations

import msgspec

from sandtable.core.content.questions import Answer, Question
from sandtable.systems.goss.common.asking import hex_named, number_told, unit_named
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.support.spotting import plan_for, spotter_refusal, target_refusal
from sandtable.systems.goss.support.targets import target_facts
from sandtable.systems.goss.support.volleys import mission_drm, volleys

__all__ = ["QUESTIONS"]


class _Mission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mission that a unit would call for."""

    spotter: str
    hex: str
    defensive: bool = False


class _Volleys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Points that are fired."""

    points: int
    with_rest: bool = True


class _Volley(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A volley with its die as the book reads it, 0 to 9."""

    points: int
    die: int
    drm: int = 0


def _mission(context: Context, state: State, about: _Mission, where: str) -> Answer:
    """Capacity, the guns that may fire with their points, and the DRM."""
    spotter = unit_named(state, about.spotter, f"{where}.spotter")
    hex = hex_named(context, about.hex, f"{where}.hex")
    refusal = spotter_refusal(context, state, spotter) or target_refusal(context, state, spotter.side, spotter, hex)
    if refusal is not None:
        return {"refused": refusal.rule, "reason": refusal.reason}
    plan = plan_for(context, state, spotter.side, spotter, hex, is_defensive=about.defensive)
    return {
        "capacity": plan.call.capacity.value,
        "artillery": plan.call.most,
        "guns": {gun.unit: gun.points for gun in plan.guns},
        "drm": number_told(mission_drm(context.charts.fire, target_facts(context, state, hex, spotter))),
    }


def _volleys(context: Context, state: State, about: _Volleys, where: str) -> Answer:  # noqa: ARG001
    """The volleys that so many points make (11.4.1a)."""
    return {"volleys": list(volleys(about.points, with_rest=about.with_rest))}


def _volley(context: Context, state: State, about: _Volley, where: str) -> Answer:  # noqa: ARG001
    """The Fire Support Value of a volley, and what it does (11.6.0)."""
    fsv = about.points + about.die + about.drm
    result = context.charts.fire.result(fsv)
    return {"fsv": fsv, "shifts": result.shifts, "hits": result.hits}


QUESTIONS = {
    "mission": Question(_Mission, _mission),
    "volleys": Question(_Volleys, _volleys),
    "volley": Question(_Volley, _volley),
}
