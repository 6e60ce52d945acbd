"""What a shot is worth: the exact hit number and effect of 4.4.3.2, in a form quick enough for thousands of looks.

The numbers come from the same tables as the rules'; a test compares the two on positions met in play. A shot's
worth is a share of its target: a damaged vehicle fires and drives worse and dies of the next hit.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from sandtable.geo.hex import Hex, distance, in_arc, opposite
from sandtable.systems.panzer.cards import ALL_ROUND, CardId, Mount
from sandtable.systems.panzer.combat.ap_fire import Effect, effect_of
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.sight.smoke import smoke_hexes_on_line
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.terrain import Cover
from sandtable.systems.panzer.unit import Spot, WreckKind

__all__ = ["DAMAGED_SHARE", "Gunnery", "Strike", "share_of"]

DAMAGED_SHARE = 0.35
"""What damaging a vehicle is worth, as a share of destroying it."""
OUT_OF_SIGHT = 999
"""A range in hexes that no gun has."""


class Strike(NamedTuple):
    """The best that a vehicle can do to another with one shot."""

    weapon: int
    ammo: int
    chance: float
    """Of a hit."""
    effect: Effect
    """Of a hit on a vehicle that is not damaged yet."""
    share: float
    """Of the target that the shot takes on average."""


NO_STRIKE = Strike(0, 0, 0.0, Effect.NONE, 0.0)


class SeenRanges(dict[tuple[Hex, Hex], int]):
    """Hexes between two places that see one another, OUT_OF_SIGHT for others: one look instead of two."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._fields = context.ground.fields

    def __missing__(self, key: tuple[Hex, Hex]) -> int:
        a, b = key
        fields = self._fields
        # Sight is the same both ways, and a whole field takes long to work out: one that is known answers too.
        seen = a in fields[b] if a not in fields and b in fields else b in fields[a]
        found = self[a, b] = self[b, a] = distance(a, b) if seen else OUT_OF_SIGHT
        return found


class Gunnery:
    """Shots between the vehicles of one game."""

    def __init__(self, context: Context) -> None:
        self.context = context
        modifiers = context.tables["ap_hit_modifiers"]

        def value(name: str) -> int:
            return modifiers.number(name, "value")

        self.moving = value("target_moving")
        self.shooter_damaged = value("shooter_damaged")
        self.smoke = value("brew_up_smoke")
        covers = {cover: value(f"target_cover_{cover.value.lower()}") for cover in _COVERS}
        self.cover: dict[Hex, int] = {
            hex: covers.get(place.cover_fire, 0) for hex, place in context.ground.places.items()
        }
        """Hit modifier of a target in each hex."""
        edition = context.edition
        self.short_halt: dict[CardId, int] = {}
        self.overwatch: dict[CardId, tuple[int, int]] = {}
        """Hit modifier within the field-of-fire, and outside it."""
        for name, card in context.cards.items():
            rating = card.sb if edition.stabilised_short_halt else 0
            self.short_halt[name] = value(f"short_halt_sb{rating}")
            tail = "_cis" if card.cis and edition.commander_sight else ""
            self.overwatch[name] = value(f"overwatch{tail}"), value(f"overwatch_adjust{tail}")
        self.points = {name: float(max(1, card.points)) for name, card in context.cards.items()}
        self.reach = {
            name: max((barrel.reach for barrel in barrels), default=0) for name, barrels in context.barrels.items()
        }
        self.turns_all_round = {
            name: all(barrel.degrees == ALL_ROUND for barrel in barrels) for name, barrels in context.barrels.items()
        }
        self.ranges = SeenRanges(context)
        self._strikes: dict[tuple[CardId, CardId, int, bool, int, bool, int], Strike] = {}
        self._spotted: dict[tuple[Hex, Spot], int] = {}

    # --- one shot ---------------------------------------------------------------------------------------

    def looks(self, unit: Unit) -> Hashable:
        """All of a unit, but for its place, that shots by it and at it follow from."""
        return unit.card, unit.damaged

    def strike(  # noqa: PLR0917 - what a shot depends on
        self, firer: Unit, a: Hex, target: Unit, b: Hex, target_facing: int, net: int = 0, facing: int | None = None
    ) -> Strike:
        """The best shot from ``a`` at a target in ``b``; ``net`` adds to Size, Cover and the firer's damage."""
        card = firer.card
        range_hexes = distance(a, b)
        if range_hexes > self.reach[card]:
            return NO_STRIKE
        arcs = 0 if self.turns_all_round[card] else self._arcs(card, a, firer.facing if facing is None else facing, b)
        # On the line between the aspects the owner chooses (4.4.3.2.4), and he chooses the front.
        return self._strike(firer, range_hexes, target, b, not in_arc(b, target_facing, a, 90), net, arcs)

    def both_aspects(self, firer: Unit, a: Hex, target: Unit, b: Hex, net: int = 0) -> tuple[float, float]:
        """The share of a target in ``b`` that a shot takes from its front and from its rear."""
        card = firer.card
        range_hexes = distance(a, b)
        if range_hexes > self.reach[card]:
            return 0.0, 0.0
        arcs = 0 if self.turns_all_round[card] else self._arcs(card, a, firer.facing, b)
        front = self._strike(firer, range_hexes, target, b, False, net, arcs)
        return front.share, self._strike(firer, range_hexes, target, b, True, net, arcs).share

    def _strike(  # noqa: PLR0917
        self, firer: Unit, range_hexes: int, target: Unit, b: Hex, rear: bool, net: int, arcs: int
    ) -> Strike:
        card = firer.card
        net += self.cover[b]
        if firer.damaged:
            net += self.shooter_damaged
        key = card, target.card, range_hexes, rear, net, target.damaged, arcs
        found = self._strikes.get(key)
        if found is None:
            found = self._strikes[key] = self._work_out(*key)
        return found

    def _arcs(self, card: CardId, a: Hex, facing: int, b: Hex) -> int:
        """A bit for each barrel whose field-of-fire does not hold the target."""
        bits = 0
        for index, barrel in enumerate(self.context.barrels[card]):
            if barrel.degrees == ALL_ROUND:
                continue
            way = opposite(facing) if barrel.mount is Mount.REAR else facing
            if not in_arc(a, way, b, barrel.degrees // 2):
                bits |= 1 << index
        return bits

    def _work_out(  # noqa: PLR0917
        self, firer: CardId, target: CardId, range_hexes: int, rear: bool, net: int, damaged: bool, arcs: int
    ) -> Strike:
        context = self.context
        card = context.cards[firer]
        armor = context.cards[target].armor
        factor = armor.rear if rear else armor.front
        net += context.cards[target].size
        best = NO_STRIKE
        for index, barrel in enumerate(context.barrels[firer]):
            if arcs >> index & 1 or range_hexes > barrel.reach:
                continue
            ammo = card.weapons[barrel.weapon].ammo[barrel.ammo]
            column = ammo.range_factor(range_hexes)
            penetration = ammo.penetration(range_hexes)
            if column is None or penetration is None:
                continue
            chance = max(0, context.tables["ap_hit"].number(net, column.value)) / 100
            effect = effect_of(penetration - factor, False, context.tables)
            share = chance * share_of(effect, damaged)
            if share > best.share:
                best = Strike(barrel.weapon, barrel.ammo, chance, effect, share)
        return best

    # --- spotting ---------------------------------------------------------------------------------------

    def spotted_from(self, hex: Hex, spot: Spot) -> int:
        """How far off a vehicle in ``hex`` with this SPOT counter is spotted; crowds apart."""
        found = self._spotted.get((hex, spot))
        if found is None:
            ground = self.context.ground
            found = ground.spotting_ranges.of[ground.places[hex].cover_spotting, spot]
            self._spotted[hex, spot] = found
        return found

    def smoke_between(self, state: State, a: Hex, b: Hex) -> int:
        """Hit modifier for Brew-Up Smoke on the line."""
        hexes = {wreck.hex for wreck in state.wrecks if wreck.kind is WreckKind.BU and not wreck.fresh}
        return self.smoke * len(smoke_hexes_on_line(a, b, hexes)) if hexes else 0

    def watching(self, card: CardId, a: Hex, facing: int, b: Hex) -> int:
        """Hit modifier of overwatch fire from ``a`` at ``b``."""
        inside, outside = self.overwatch[card]
        tt = self.context.cards[card].tt
        degrees = tt if tt in (60, 120, 180) else 60
        return inside if in_arc(a, facing, b, degrees // 2) else outside


_COVERS = (Cover.NONE, Cover.LIGHT, Cover.MEDIUM, Cover.HEAVY)


def share_of(effect: Effect, damaged: bool) -> float:
    """The share of a vehicle that an effect takes; a second Damaged result is a KO (4.4.3.2.6)."""
    if effect is Effect.NONE:
        return 0.0
    if effect is Effect.DAMAGED and not damaged:
        return DAMAGED_SHARE
    return 1.0
