"""The plan of a side that is led as one: which places it goes for, and how the enemy's fire is shared out.

Places are won by number, so a side that needs four of six picks the four that are nearest and weakest, and one that
must keep three of them lets the rest go. And the enemy fires at one unit at a time: the more of them move or
stand in his sight, the smaller is each one's part of the danger.

Those who have no such plan share out the places all the same: to each go as many as it takes, not all to the nearest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandtable.bots.aslsk.barrage import STANDING
from sandtable.bots.aslsk.book import FAR
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.pieces.state import Mark, UnitId

if TYPE_CHECKING:
    from sandtable.bots.aslsk.book import Prize
    from sandtable.bots.aslsk.sketch import Sketch

__all__ = ["Plan", "errands"]

CHOSEN, LEFT = 1.25, 0.5
"""How much more, and less, a place counts that was chosen, or was not."""
SPARE = 1
"""Places that are gone for beyond what is needed."""
FEW = 8
"""Places up to which a side chooses: hills of many hexes are taken as the fighting goes."""
SUPPORT = 3
"""Hexes from which a unit supports a place."""
MANY = 12
"""Places beyond which nobody is told which one to go for."""
SQUAD = 2.0
"""Points of the squad that takes an empty place."""
NEAREST = 3
"""Units by whose march the way to a place is measured."""


class Plan:
    """What a side is about. The sketch of a position keeps its plan, so the plan does not keep the sketch."""

    def __init__(self, sketch: Sketch) -> None:
        ready = [(unit, unit.hex) for unit in sketch.state.units.values() if unit.hex is not None and unit.good_order]
        self._ready = {side: [one for one in ready if one[0].side == side] for side in sketch.book.seats}
        """By side: units in Good Order on the map, and where."""
        self.focus = self._focus(sketch)
        """By place: how much it counts."""
        self._moving: float | None = None
        self._standing: float | None = None

    # --- places -----------------------------------------------------------------------------------------

    def _focus(self, sketch: Sketch) -> dict[str, float]:
        prizes = [prize for prize in sketch.book.prizes if prize.deadline >= sketch.state.turn]
        found: dict[str, float] = {}
        for side in sketch.book.seats:
            named = [prize for prize in prizes if prize.attacker == side]
            needed = sketch.book.needed(side)
            if not named or not 0 < needed <= FEW:
                continue
            if side == sketch.seat:
                open_ones = [prize for prize in named if not sketch.is_mine(prize)]
                number = needed - (len(named) - len(open_ones)) + SPARE
                ranked = self._ranked(sketch, open_ones, number, 1)
            else:
                open_ones = [prize for prize in named if sketch.is_mine(prize)]
                number = len(named) - needed + 1 + SPARE
                ranked = self._ranked(sketch, open_ones, number, -1)
            for place, prize in enumerate(ranked):
                found[prize.id] = CHOSEN if place < number else LEFT
        return found

    def _ranked(self, sketch: Sketch, prizes: list[Prize], number: int, sign: int) -> list[Prize]:
        """Places by what they cost to take, if not all of them are chosen: so many of the first are."""
        if not 0 < number < len(prizes):
            return prizes
        return sorted(prizes, key=lambda prize: (sign * self._cost(sketch, prize), prize.id))

    def _cost(self, sketch: Sketch, prize: Prize) -> float:
        """How hard a place is to take for who attacks it: his march, and the strength of who defends it."""
        costs = sketch.costs
        if prize.id not in costs:
            costs[prize.id] = self._work_out(sketch, prize)
        return costs[prize.id]

    def _work_out(self, sketch: Sketch, prize: Prize) -> float:
        march = sketch.book.march(prize.hexes)
        ways = sorted([march.get(hex, 100.0) for _, hex in self._ready[prize.attacker]])[:NEAREST]
        around = sketch.book.around(prize.hexes, SUPPORT)
        defenders = self._ready[sketch.book.other(prize.attacker)]
        near = sum([sketch.worth(unit) for unit, hex in defenders if hex in around])
        return (sum(ways) / len(ways) if ways else 50.0) / 10 + 0.35 * near

    # --- danger -----------------------------------------------------------------------------------------

    def moving(self, sketch: Sketch) -> float:
        """Part of the enemy's fire that meets each unit that moves."""
        if self._moving is None:
            self._moving = _share_of_movers(sketch)
        return self._moving

    def standing(self, sketch: Sketch) -> float:
        """Part of it that meets each one where it stands."""
        if self._standing is None:
            guns = len(sketch.barrage(sketch.enemy, STANDING).batteries)
            targets = len({unit.hex for unit in sketch.mine if not unit.broken})
            self._standing = max(0.3, min(1.0, 1.3 * guns / (targets + 1)))
        return self._standing

    def lines(self, sketch: Sketch) -> list[str]:
        """The plan in words."""
        chosen = [prize for prize in sketch.book.prizes if self.focus.get(prize.id) == CHOSEN]
        take = [prize.title for prize in chosen if not sketch.is_mine(prize)]
        hold = [prize.title for prize in chosen if sketch.is_mine(prize)]
        found = []
        if take:
            found.append(f"take {_listed(take)}")
        if hold:
            found.append(f"hold {_listed(hold)}")
        if sketch.book.hunts[sketch.seat]:
            found.append(f"destroy what the enemy has, {sketch.book.hunts[sketch.seat]} points are wanted")
        return found


def _share_of_movers(sketch: Sketch) -> float:
    if not sketch.is_attacking():
        return 1.0
    guns = sum(
        unit.good_order and unit.mark is Mark.NONE and sketch.context.card(unit).is_mmc for unit in sketch.theirs
    )
    movers = sum(
        unit.good_order and not unit.moved and unit.mark is Mark.NONE and sketch.context.card(unit).is_mmc
        for unit in sketch.mine
    )
    return max(0.3, min(1.0, 1.3 * guns / (movers + 1)))


def errands(sketch: Sketch) -> dict[UnitId, frozenset[Hex]]:
    """By squad: the place that it goes for, each by as many of the nearest as it takes; the rest has none."""
    places = {prize.id: prize.hexes for prize in sketch.coveted()}
    if not 1 < len(places) <= MANY:
        return {}
    missing = {name: SQUAD + sketch.strength_around(hexes, SUPPORT) for name, hexes in places.items()}
    ready = [unit for unit in sketch.mine if unit.good_order and sketch.context.card(unit).is_mmc]
    marches = {name: sketch.march(hexes) for name, hexes in places.items()}
    ways = sorted(
        [
            (march.get(unit.hex, FAR), name, unit.id)
            for unit in ready
            if unit.hex is not None
            for name, march in marches.items()
        ]
    )
    found: dict[UnitId, frozenset[Hex]] = {}
    for _, name, unit_id in ways:
        if unit_id not in found and missing[name] > 0:
            found[unit_id] = places[name]
            missing[name] -= sketch.worth(sketch.state.units[unit_id])
    return found


def _listed(titles: list[str], most: int = 6) -> str:
    more = f" and {len(titles) - most} more" if len(titles) > most else ""
    return ", ".join(titles[:most]) + more
