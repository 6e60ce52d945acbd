"""1.3 Direction of a Gun by a leader whom a special rule of the scenario names: as if it were a support weapon."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.systems.aslsk.common.stacking import friends_at
from sandtable.systems.aslsk.fire.fire_groups import Firer, may_direct, refuse_director
from sandtable.systems.aslsk.fire.firers import Fireground, Use
from sandtable.systems.aslsk.guns.barrel import Barrel
from sandtable.systems.aslsk.pieces.state import UnitId

__all__ = ["gun_directors", "refuse_gun_director"]


@rule("1.3", "3.2.2")
def gun_directors(ground: Fireground, barrel: Barrel) -> tuple[UnitId, ...]:
    """The leaders who may direct a Gun that is manned in their hex: named by a special rule, and free to (3.2.2)."""
    context, named = ground.context, ground.context.scenario.conditions.gun_leaders
    if not named or barrel.crew is None or barrel.weapon is None:
        return ()
    firers = (Firer(barrel.crew, barrel.weapon, Use.PLAIN),)
    here = friends_at(context, ground.state, barrel.hex, barrel.side)
    return tuple([unit.id for unit in here if unit.card in named and may_direct(context, unit, firers)])


@rule("1.3", "3.2.2", "3.2.4")
def refuse_gun_director(ground: Fireground, barrel: Barrel, leader: UnitId) -> Refusal | None:
    """Why a leader may not direct a Gun or MA: no special rule names him, or he is not free (3.2.4, case 6)."""
    able = gun_directors(ground, barrel)
    if leader in able:
        return None
    unit, named = ground.state.units.get(leader), ground.context.scenario.conditions.gun_leaders
    in_place = unit is not None and unit.hex == barrel.hex and unit.side == barrel.side
    if unit is not None and in_place and unit.card in named and barrel.weapon is not None:
        return refuse_director(unit)
    why = f"leaders do not modify fire of Guns and vehicles, and no special rule lets {leader!r} direct {barrel.id}"
    return Refusal("3.2.4", why, f"name {' or '.join(able)}" if able else "name no leader")
