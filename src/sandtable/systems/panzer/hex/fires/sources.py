"""6.5.1.2, 6.5.1.13 What fires indirectly: off-map batteries and units on the map, and the fire that they send."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex, distance
from sandtable.systems.panzer.advanced_card import AmmoLimits, GpKind, GpRow
from sandtable.systems.panzer.cards import CardId, Weapon
from sandtable.systems.panzer.facts import BlastFacts, BlastKind
from sandtable.systems.panzer.fires.missions import BatteryId, Mission, MissionKind, Pattern
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.spotting.standing import is_upstairs
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.ranges import RangeFactor
from sandtable.systems.panzer.unit import Spot, UnitId

__all__ = ["Source", "fire_of", "has_indirect_fire", "indirect_weapon", "measured", "source_of", "spot_of"]

BOOK = ("panzer-na",)


class Source(NamedTuple):
    """What can fire indirectly."""

    id: str
    name: str
    row: GpRow
    """Its GP-IF row (6.5.1)."""
    kinds: tuple[MissionKind, ...]
    limits: AmmoLimits
    unit: Unit | None = None
    """None of an off-map battery."""

    @property
    def off_map(self) -> bool:
        """An off-map battery."""
        return self.unit is None


@rule("6.5.1", "6.5.1.2", editions=BOOK)
def indirect_weapon(context: Context, unit: Unit) -> Weapon | None:
    """The weapon of a unit that has a GP-IF row, if it has one (6.5.1)."""
    enlisted = context.scenario.roster.get(unit.id)
    own = context.cards[unit.card].weapons
    found = next((weapon for weapon in own if weapon.gp_row(GpKind.INDIRECT) is not None), None)
    if found is not None or enlisted is None:
        return found
    for card_id in enlisted.attached:
        card = context.shelf.attachments.get(CardId(card_id))
        if card is None or card.weapon is None or card.weapon.gp_row(GpKind.INDIRECT) is None:
            continue
        if card.kind.fires_upstairs or not is_upstairs(context, unit):
            return card.weapon
    return None


@rule("6.5.1.2", "6.5.1.6.1", editions=BOOK)
def source_of(context: Context, state: State, source: str) -> Source | None:
    """A battery or unit as a source of Indirect Fire; None if it is none (6.5.1.2)."""
    unit = state.units.get(UnitId(source))
    if unit is not None:
        weapon = indirect_weapon(context, unit)
        row = weapon.gp_row(GpKind.INDIRECT) if weapon is not None else None
        if weapon is None or row is None:
            return None
        kinds = [MissionKind.GP]
        kinds += [MissionKind.SMOKE] if weapon.smoke else []
        kinds += [MissionKind.ILLUMINATION] if weapon.limits.I is not None else []
        return Source(source, f"{context.cards[unit.card].name} {source}", row, tuple(kinds), weapon.limits, unit)
    if BatteryId(source) not in state.batteries:
        return None
    card = context.shelf.batteries[context.scenario.artillery[BatteryId(source)].card]
    kinds = [MissionKind.GP]
    kinds += [MissionKind.SMOKE] if card.smoke else []
    kinds += [MissionKind.ILLUMINATION] if card.illumination else []
    return Source(source, f"{card.name} {source}", card.gp, tuple(kinds), card.limits)


@rule("6.5.1", editions=BOOK)
def has_indirect_fire(context: Context) -> bool:
    """Whether there is anything in a scenario that fires indirectly, of either force (6.5.1)."""
    units = context.scenario.units.values()
    return bool(context.scenario.artillery) or any(indirect_weapon(context, unit) for unit in units)


@rule("6.5.1.13", editions=BOOK)
def measured(source: Source, observer: Hex | None, target: Hex) -> int:
    """The range: from the observer, or the firing unit if it is farther off (6.5.1.13)."""
    from_observer = distance(observer, target) if observer is not None else 0
    if source.unit is None or source.unit.hex is None:
        return from_observer
    return max(from_observer, distance(source.unit.hex, target))


@rule("6.5.1.13", "6.5.4.1", editions=BOOK)
def fire_of(source: Source, mission: Mission[Hex], range_hexes: int, *, short: bool) -> BlastFacts | None:
    """The fire of a source as it leaves the guns, None out of range; planned fire is at Medium range (6.5.1.13)."""
    planned = mission.is_planned
    factor = RangeFactor.M if planned else source.row.range_factor(range_hexes)
    if factor is None:
        return None
    unit = source.unit
    return BlastFacts(
        kind=BlastKind.PLANNED if planned else BlastKind.INDIRECT,
        factor=source.row.F.of(factor),
        range_factor=factor,
        defense=0,
        effectiveness=source.row.effectiveness,
        open_sheaf=source.off_map and mission.pattern is Pattern.OPEN,
        shooter_damaged=unit is not None and unit.markers.turret_damaged,
        shooter_suppressed=unit is not None and unit.markers.is_suppressed,
        ammo_short=short,
    )


@rule("6.5.1", "5.7", editions=BOOK)
def spot_of(context: Context, unit: Unit) -> Spot:
    """The SPOT counter of a unit that has fired indirectly (6.5.1)."""
    weapon = indirect_weapon(context, unit)
    return Spot.FIRE_SA if weapon is not None and weapon.small_arms else Spot.FIRE
