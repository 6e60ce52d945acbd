"""6.5.4.2.5, 6.5.4.4.3 GP fire on terrain that can be destroyed: buildings, bridges, positions, blocks, mines, wire."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.dice import Kinds
from sandtable.geo.hex import Hex
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.combat.gp_fire import GpResult, gp_modifiers, gp_result
from sandtable.systems.panzer.facts import BlastFacts
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.features import Feature, features_in
from sandtable.systems.panzer.hex.handler import Play
from sandtable.systems.panzer.hex.sight.survey import BRIDGE
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.markers import Floor
from sandtable.systems.panzer.percentile import D100
from sandtable.systems.panzer.terrain import Cover, TerrainId

__all__ = ["Vulnerable", "strike_terrain", "vulnerable_around", "vulnerable_in"]

_BOOK = ("panzer-na",)
_IMPROVED = TerrainId("improved_position")
_COUNTERS = (FeatureKind.BLOCK, FeatureKind.MINES, FeatureKind.WIRE)
_ONCE = frozenset({FeatureKind.MINES.value})
"""Terrain that one Effective result destroys (6.5.4.4.3)."""


class Vulnerable(NamedTuple):
    """Terrain that has a GP Defense Factor."""

    name: str
    hex: Hex
    defense: int
    feature: Feature | None = None
    """The counter; None of a building or bridge of the map."""


@rule("6.5.4.2.5", editions=_BOOK)
def vulnerable_in(context: Context, state: State, hex: Hex) -> Iterator[Vulnerable]:
    """All terrain of a hex that GP fire may destroy (6.5.4.2.5).

    Blocks, Wire and bridges only with a factor of the scenario.
    """
    for feature in features_in(state.features, hex, FeatureKind.IMPROVED_POSITION, *_COUNTERS):
        defense = feature.defense or _own_defense(context, feature)
        if defense:
            yield Vulnerable(feature.kind.value, hex, defense, feature)
    if next(features_in(state.features, hex, FeatureKind.RUBBLE), None) is None:
        terrain = context.ground.terrain
        for kind in context.ground.places[hex].terrain:
            standing = terrain[kind].gp_defense
            if standing and kind != _IMPROVED:
                yield Vulnerable(kind, hex, standing)
        if hex in context.scenario.bridges:
            yield Vulnerable(BRIDGE, hex, context.scenario.bridges[hex])


def _own_defense(context: Context, feature: Feature) -> int:
    """The factor of the Terrain Effects Table, 0 where the scenario has to give one."""
    if feature.kind is FeatureKind.MINES:
        return context.tables["minefields"].number("deliberate" if feature.deliberate else "hasty")
    if feature.kind is FeatureKind.IMPROVED_POSITION:
        return context.ground.terrain[_IMPROVED].gp_defense or 0
    return 0


@rule("6.5.4.2.5", editions=_BOOK)
def vulnerable_around(context: Context, state: State, target: Unit) -> list[Vulnerable]:
    """The terrain that Direct Fire at a unit attacks with it: what the unit occupies (6.5.4.2.5).

    A vehicle or gun in a Building hex occupies its Alley, unless it is inside (6.1.4.3.1).
    """
    if target.hex is None:
        return []
    indoors = context.cards[target.card].unit_class.is_leg or target.markers.floor is not Floor.GROUND
    terrain = context.ground.terrain

    def is_occupied(one: Vulnerable) -> bool:
        if one.feature is None:
            return indoors or not terrain[TerrainId(one.name)].stands_in
        return one.feature.kind is not FeatureKind.IMPROVED_POSITION or one.feature.unit == target.id

    return [one for one in vulnerable_in(context, state, target.hex) if is_occupied(one)]


def _of_terrain(blast: BlastFacts, defense: int) -> BlastFacts:
    """The fire as terrain meets it: an S-Type target that neither moves nor hides."""
    return replace(blast, defense=defense, is_vehicle=False, behind_wall=False, coax_mg=False, cover=Cover.NONE)


@rule("6.5.4.4.3", editions=_BOOK)
def strike_terrain(context: Context, play: Play, source: str, what: Vulnerable, blast: BlastFacts) -> None:
    """Two Effective results destroy terrain, one does Mines; small arms do nothing to it (6.5.4.4.3)."""
    if blast.small_arms:
        return
    modifier = gp_modifiers(_of_terrain(blast, what.defense), context.tables)
    table = context.tables["gp_combat"]

    def is_effective(roll: int) -> bool:
        return gp_result(table, blast.factor, what.defense, roll + modifier.total) is GpResult.EFFECTIVE

    rolls: list[int] = []
    needed = 1 if what.name in _ONCE else 2
    while len(rolls) < needed and all(map(is_effective, rolls)):
        rolls.append(play.dice.roll(D100, f"{source} fires on {what.name}", Kinds(is_effective)).total)
    destroyed = len(rolls) == needed and all(map(is_effective, rolls))
    play.emit(
        ev.TerrainStruck(source, what.name, what.hex, blast.factor, what.defense, modifier, tuple(rolls), destroyed)
    )
    if destroyed:
        _destroy(play, what)


def _destroy(play: Play, what: Vulnerable) -> None:
    """Blocks, Mines and Wire are gone; all else becomes Rubble over those who are in it (6.5.4.4.3)."""
    feature = what.feature
    if feature is not None:
        play.emit(ev.FeaturesRemoved((feature,)))
        if feature.kind in _COUNTERS:
            return
    units = [unit for unit in play.state.units.values() if unit.in_play and unit.hex == what.hex]
    if feature is not None:
        units = [unit for unit in units if feature.unit and feature.unit in (unit.id, unit.markers.carrier)]
    buried = [unit.id for unit in sorted(units, key=lambda one: not one.markers.carrier)]
    play.emit(ev.FeaturePlaced(Feature(FeatureKind.RUBBLE, what.hex)))
    for unit in buried:
        play.emit(shared.UnitEliminated(unit))
