"""11.2.2, 11.5 The target of a mission: whom it strikes, and what its DRMs hang on.

Asked of the true state: the firer is told the DRMs, never what gives them (11.5.0, 8.4.3).
"""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.cover import FT_AREA, cover_at, ft_owner, works_of
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.ground.cover import Cover, Work
from sandtable.systems.goss.ground.kinds import Height
from sandtable.systems.goss.observation.disclosure import armour_of
from sandtable.systems.goss.observation.observing import observes_hex
from sandtable.systems.goss.pieces.unit import Mode, Unit
from sandtable.systems.goss.pieces.z_steps import density_steps
from sandtable.systems.goss.support.volleys import Armour, TargetFacts

__all__ = ["FELL_BACK", "is_fortress", "is_in_fortress", "struck_units", "target_facts"]

FELL_BACK = "fell back"
"""Of a unit that retreated in this Combat Phase (11.6.3c)."""
_HEIGHTS = (None, *Height)


@rule("11.2.2")
def struck_units(context: Context, state: State, hex: Hex) -> tuple[Unit, ...]:
    """The units of a hex that a mission strikes: beside attackers, nobody who is in cover or in works (11.2.2)."""
    units = context.deployment(state).at(hex)
    attackers = tuple(unit for unit in units if unit.is_attacking)
    if not attackers or len(attackers) == len(units):
        return units
    if cover_at(context, state, hex, context.other(units[0].side)) is not Cover.OPEN:
        return attackers
    return tuple(unit for unit in units if unit.is_attacking or not works_of(context, state, unit))


@rule("5.2.4", "11.2.2", "11.5.1", "11.5.2", "11.5.3", "11.6.3c")
def target_facts(context: Context, state: State, hex: Hex, spotter: Unit | None) -> TargetFacts:
    """What the DRMs hang on; ``spotter`` None: it is observed from the air (11.5)."""
    units = context.deployment(state).at(hex)
    counted = tuple(unit for unit in units if unit.is_attacking) or units
    ground = context.ground_in(state).at(hex)
    terrain = {"clear", *ground.features}
    works = {works_of(context, state, unit) for unit in counted}
    effect = context.charts.defences.works.get(works.pop()) if len(works) == 1 else None
    armour = armour_of(context, [unit for unit in counted if not state.has_used(FELL_BACK, unit.id)])
    here = context.ground.at(spotter.hex).height if spotter is not None and spotter.hex is not None else None
    return TargetFacts(
        steps=density_steps(unit.steps for unit in units),
        terrain=min(context.charts.fire.terrain[kind] for kind in terrain),
        works=effect.fire_drm if effect is not None else 0,
        bars_terrain=effect is not None and effect.is_fortress,
        armour=Armour(is_pure=armour == "pure", is_mixed=armour == "mixed"),
        is_designated=any(unit.is_attacking for unit in units),
        in_strat=any(unit.mode is Mode.STRATEGIC for unit in counted),
        in_exploit=any(unit.mode is Mode.EXPLOIT for unit in counted),
        spotter_higher=_HEIGHTS.index(here) > _HEIGHTS.index(ground.height),
        is_night=context.is_night(state),
        is_unobserved=spotter is not None and not observes_hex(context, state, spotter, hex),
    )


@rule("11.4.1f", "11.6.2")
def is_fortress(context: Context, state: State, hex: Hex) -> bool:
    """Whether a hex has a Fort, or a Ft Area of those who hold it, which only heavy guns hurt (11.4.1f)."""
    work = state.work_at(hex)
    if work is not None and work.kind is Work.FORT:
        return True
    owner = ft_owner(context, state, hex)
    return bool(owner) and owner == context.deployment(state).holders.get(hex)


def is_in_fortress(context: Context, state: State, units: tuple[Unit, ...]) -> bool:
    """Whether all units that are struck are in a Fort or Ft Area (11.6.2)."""
    return all(works_of(context, state, unit) in (Work.FORT.value, FT_AREA) for unit in units)
