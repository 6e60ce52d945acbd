"""3.2.3, 3.3.3 and 1.1.1: what modifies the DR of an attack: TEM, hindrance, leadership, CX, FFMO, FFNAM.

A fire group that fires from several hexes is modified as from the worst of them. What depends on the single target
(FFMO and FFNAM, which a pinned unit is spared; a flamethrower on its back) is kept apart from what all share.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Modifier
from sandtable.geo.hex import NEIGHBOURS, Hex, opposite
from sandtable.systems.aslsk.common.context import Context, TerrainKind
from sandtable.systems.aslsk.common.experience import leadership
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.common.possession import weapons_of
from sandtable.systems.aslsk.common.vehicle_cover import covering_vehicle
from sandtable.systems.aslsk.fire.interdiction import is_exposed_to
from sandtable.systems.aslsk.pieces.cards import WeaponKind
from sandtable.systems.aslsk.pieces.state import State, UnderWay, Unit, UnitId, WeaponState

__all__ = [
    "STANDING",
    "Approach",
    "approach_of",
    "cover_terms",
    "glare_terms",
    "has_height_advantage",
    "hindrance_terms",
    "leadership_terms",
    "mover_terms",
    "outside_drm",
    "target_terms",
    "tem_terms",
]


class Approach(NamedTuple):
    """How the units under fire came to where they are; nothing of it outside their own MPh."""

    via: int = -1
    open_road: bool = False
    assault: bool = False
    moving: bool = False


STANDING = Approach()


def approach_of(moving: UnderWay | None) -> Approach:
    """The approach of units on the move."""
    if moving is None:
        return Approach()
    return Approach(moving.via, moving.open_road, moving.assault, moving=True)


@rule("1.1.1")
def has_height_advantage(context: Context, firer: Hex, target: Hex, via: int = -1) -> bool:
    """Fire from lower ground, unless the target crossed the crest through the hexside that the LOS crosses (1.1.1)."""
    ground = context.ground
    if ground.place(firer).level >= ground.place(target).level:
        return False
    if via < 0:
        return True
    back = opposite(via)
    climbed = ground.climbs(NEIGHBOURS[target][back], via)
    return not (climbed and back in ground.entry_side(firer, target))


@rule("1.1.1")
def tem_terms(
    context: Context, hexes: Sequence[Hex], target: Hex, approach: Approach = STANDING, *, lobbed: bool = False
) -> tuple[Modifier, ...]:
    """TEM of the target's hex, or Height Advantage where it has none, but against what is ``lobbed`` (1.1.1)."""
    place = context.ground.place(target)
    if place.tem and not _on_the_road(context, hexes, target, approach):
        return (Modifier(place.tem, place.kind.value, "1.1.1"),)
    if not lobbed and any(has_height_advantage(context, hex, target, approach.via) for hex in hexes):
        return (numbers_of(context).ift_drm["height_advantage"],)
    return ()


def _on_the_road(context: Context, hexes: Sequence[Hex], target: Hex, approach: Approach) -> bool:
    """A mover on a woods-road has no woods TEM from a line that crosses no woods symbol (1.1.1)."""
    if not approach.open_road or context.ground.place(target).kind is not TerrainKind.WOODS:
        return False
    return all(context.ground.on_road_only(hex, target) for hex in hexes)


@rule("7.4")
def cover_terms(context: Context, state: State, unit: Unit, tem: Sequence[Modifier]) -> tuple[Modifier, ...]:
    """The TEM of a wreck or friendly AFV for a unit that has no other (7.4)."""
    if not state.vehicles or tem or covering_vehicle(state, unit.hex, unit.side) is None:
        return ()
    return (numbers_of(context).ift_drm["vehicle_cover"],)


@rule("1.2.5", "3.2.1", "7.4.1")
def hindrance_terms(context: Context, state: State, hexes: Sequence[Hex], target: Hex) -> tuple[Modifier, ...]:
    """Hindrances between and smoke, from the hex that is hindered most (1.2.5, 3.2.1)."""
    worst = max(hexes, key=lambda hex: context.hindrance(state, hex, target))
    total = context.hindrance(state, worst, target)
    if not total:
        return ()
    terrain = context.ground.hindrance(worst, target)
    terms = []
    if terrain:
        terms.append(Modifier(terrain, "Hindrance", "3.2.1"))
    screens = len(context.screens_between(state, worst, target))
    if screens:
        terms.append(Modifier(screens, "AFV or wreck", "7.4.1"))
    terrain += screens
    if total > terrain:
        leaving = worst != target and context.smoke_at(state, worst) > 0
        out = context.tables["smoke"].number("out_of_smoke") if leaving else 0
        terms.append(Modifier(total - terrain - out, "Smoke", "1.2.5"))
        if out:
            terms.append(Modifier(out, "Fire out of Smoke", "1.2.5"))
    return tuple(terms)


@rule("1.2.1", "3.2.2", "3.3.1")
def leadership_terms(
    context: Context, leaders: Sequence[Unit], firers: Iterable[Unit], *, directs: bool = True
) -> tuple[Modifier, ...]:
    """The DRM of the lowest quality directing leader, and one +1 for all CX that fire or direct (3.2.2, 3.3.1)."""
    terms = []
    if directs and leaders:
        poorest = max(leaders, key=lambda unit: leadership(context, unit))
        if leadership(context, poorest):
            terms.append(Modifier(leadership(context, poorest), f"directed by {poorest.id}", "3.2.2"))
    if any(unit.cx for unit in (*leaders, *firers)):
        terms.append(numbers_of(context).ift_drm["cx"])
    return tuple(terms)


@rule("3.3.3", "6.5", "7.4")
def mover_terms(
    context: Context, state: State, hexes: Sequence[Hex], unit: Unit, approach: Approach, *, lobbed: bool = False
) -> tuple[Modifier, ...]:
    """FFNAM and FFMO against a unit on the move; one that is pinned or manhandles is spared both (3.3.3, 6.5).

    A wreck or friendly AFV in its hex spares it FFMO (7.4). No hexes stand for Residual FP, which has no line of
    sight; ``lobbed`` is fire of a mortar.
    """
    if not approach.moving or unit.pinned or unit.hazardous or unit.hex is None:
        return ()
    numbers = numbers_of(context).ift_drm
    terms = []
    if not approach.assault or unit.broken:
        terms.append(numbers["ffnam"])
    if hexes:
        way, road = approach.via, approach.open_road
        exposed = all(is_exposed_to(context, state, hex, unit.hex, way, on_road=road, lobbed=lobbed) for hex in hexes)
    else:
        place = context.ground.place(unit.hex)
        exposed = (place.open_ground or approach.open_road) and not context.smoke_at(state, unit.hex)
    if exposed and covering_vehicle(state, unit.hex, unit.side) is None:
        terms.append(numbers["ffmo"])
    return tuple(terms)


@rule("1.3")
def glare_terms(context: Context, state: State, unit: Unit) -> tuple[Modifier, ...]:
    """What a scenario adds to fire at a force in the first turns; Residual FP is spared (1.3)."""
    glare = context.scenario.conditions.glare
    if glare is None or unit.force != glare.force or state.turn > glare.turns:
        return ()
    return (Modifier(glare.drm, "scenario", "1.3"),)


@rule("4.2")
def target_terms(context: Context, state: State, unit_id: UnitId) -> tuple[Modifier, ...]:
    """DRM that a target brings upon itself: flamethrowers that it possesses, Hazardous Movement (4.2, 6.5)."""
    numbers = numbers_of(context).ift_drm
    terms = [
        numbers["flamethrower_target"]
        for weapon in weapons_of(context, state, unit_id)
        if weapon.state is WeaponState.WORKING and context.weapon_card(weapon).kind is WeaponKind.FT
    ]
    unit = state.units[unit_id]
    if unit.hazardous and not unit.pinned:
        terms.append(numbers["hazardous_movement"])
    return tuple(terms)


@rule("3.3.5")
def outside_drm(context: Context, state: State, terms: Iterable[Modifier], target: Hex) -> int:
    """Points of positive DRM from outside the target's hex, which lessen Residual FP (3.3.5)."""
    inside = {"1.1.1", "7.4"}
    total = sum(term.value for term in terms if term.value > 0 and term.rule not in inside)
    return max(0, total - context.smoke_at(state, target))
