"""What a shot is worth in the Advanced Game: AP fire as in the Basic one, or GP fire if that takes more (6.5.4)."""

from __future__ import annotations

from collections.abc import Hashable

from sandtable.bots.panzer.gunnery import NO_STRIKE, Gunnery, Strike
from sandtable.geo.hex import Hex, distance
from sandtable.systems.panzer.advanced_card import GpKind, UnitClass
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.combat.ap_fire import Effect
from sandtable.systems.panzer.combat.gp_fire import defense_of
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.state import Unit
from sandtable.systems.panzer.terrain import Cover

__all__ = ["Firepower"]

SUPPRESSED_SHARE = 0.2
"""What suppressing a unit is worth, as a share of destroying it."""
EFFECTIVE_SHARE = 0.7
"""An Effective result against men and guns: a squad keeps half of its men ..."""
VEHICLE_SHARE = 0.25
"""... and a vehicle may be hurt, or not."""

GpKey = tuple[CardId, tuple[str, ...], bool, CardId, int, Cover, bool]


class Firepower(Gunnery):
    """Shots between all kinds of units of one game."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._gp: dict[GpKey, float] = {}
        for unit in context.scenario.units.values():
            farthest = [row.R.E for weapon in context.arms(unit) for row in weapon.gp if row.kind is GpKind.DIRECT]
            self.reach[unit.card] = max([self.reach[unit.card], *farthest])

    def looks(self, unit: Unit) -> Hashable:
        """GP fire asks for attached weapons, for squads that were reduced, and for Full Cover."""
        attached = self.context.scenario.roster[unit.id].attached
        return unit.card, unit.damaged, attached, unit.markers.reduced, unit.markers.full_cover

    def strike(  # noqa: PLR0917 - what a shot depends on
        self, firer: Unit, a: Hex, target: Unit, b: Hex, target_facing: int, net: int = 0, facing: int | None = None
    ) -> Strike:
        """The better of AP and GP fire."""
        ap = super().strike(firer, a, target, b, target_facing, net, facing)
        share = self._blast(firer, distance(a, b), target, b)
        return ap if ap.share >= share else NO_STRIKE._replace(chance=share, effect=Effect.DAMAGED, share=share)

    def both_aspects(self, firer: Unit, a: Hex, target: Unit, b: Hex, net: int = 0) -> tuple[float, float]:
        """GP fire takes as much from either side."""
        front, rear = super().both_aspects(firer, a, target, b, net)
        share = self._blast(firer, distance(a, b), target, b)
        return max(front, share), max(rear, share)

    def _blast(self, firer: Unit, range_hexes: int, target: Unit, b: Hex) -> float:
        """The share of a target that the best GP fire takes on average."""
        cover = self.context.ground.places[b].cover_fire
        attached = self.context.scenario.roster[firer.id].attached
        key = firer.card, attached, firer.markers.reduced, target.card, range_hexes, cover, target.markers.full_cover
        found = self._gp.get(key)
        if found is None:
            found = self._gp[key] = self._work_out_blast(firer, range_hexes, target, cover)
        return found

    def _work_out_blast(self, firer: Unit, range_hexes: int, target: Unit, cover: Cover) -> float:
        card, table = self.context.cards[target.card], self.context.tables["gp_combat"]
        rows = [row for weapon in self.context.arms(firer) for row in weapon.gp if row.kind is GpKind.DIRECT]
        factor = max((row.factor(range_hexes) or 0 for row in rows), default=0)
        if card.advanced is None or not factor:
            return 0.0
        defense = defense_of(card.advanced, cover, full_cover=target.markers.full_cover, moving=False).total
        nothing, suppressed = table.number(defense, factor, "N"), table.number(defense, factor, "S")
        worth = VEHICLE_SHARE if card.unit_class is UnitClass.VEHICLE else EFFECTIVE_SHARE
        return (100 - suppressed) / 100 * worth + (suppressed - nothing) / 100 * SUPPRESSED_SHARE
