"""Lines of sight as a player judges them before he declares fire: by eye, from the hexes that a thread crosses (3.2.1).

Where sight may not be checked beforehand, nobody lays a thread. He sees which hexes lie between, what each of them
shows and how near to its middle the line would pass, and knows from experience what that is worth: woods and hills fill
their hexes, a building stands in the middle of one. So a line is surely clear, surely blocked or doubtful, and a
doubtful one is worth its likelihood. The drawn shapes are never looked at. All that bots ask of sight goes through
:func:`as_seen`; where a game has ``free_sight`` everybody may look, and they see what is so.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.context import Context, HexPlace, Terrain, TerrainKind
from sandtable.systems.aslsk.terrain.line_path import Stop, line_path
from sandtable.systems.aslsk.terrain.sight import MOST_HINDRANCE
from sandtable.systems.aslsk.terrain.survey import BUILDINGS, Survey
from sandtable.systems.aslsk.veil import Veil

__all__ = ["DIM", "Eye", "as_seen", "likelihood"]

BANDS = 5
"""Bands from the middle of a hex to its sides; a sixth is for what passes near its corners."""
WOODS = (1.0, 1.0, 1.0, 0.9, 0.7, 0.55)
"""How often woods block a line that passes through each band, as counted on the boards of the kit."""
WOODS_ROAD = (0.75, 1.0, 1.0, 1.0, 0.9, 0.8)
BUILDING = (1.0, 1.0, 0.8, 0.3, 0.15, 0.05)
HILL = (1.0, 1.0, 1.0, 0.9, 0.85, 0.85)
FIELD = (1.0, 1.0, 1.0, 0.9, 0.7, 0.6)
"""How often grain and brush hinder."""
BOTH_SIDES, HILL_AND_OBSTACLE = 0.85, 0.65
"""How often a line along a hexside is blocked by obstacles on both sides, and by one opposite a hill."""
DIM, PLAIN = 0.2, 0.97
"""Likelihoods below which a line is taken for blocked, and above which for clear."""


class Eye(Veil):
    """The ground, with sight judged by eye; every line is judged once."""

    def __init__(self, ground: Terrain, *, orchards_in_season: bool) -> None:
        super().__init__(ground)
        self._orchards_in_season = orchards_in_season
        self._known: dict[tuple[Hex, Hex], tuple[float, int]] = {}

    # --- lines ------------------------------------------------------------------------------------------

    def likelihood(self, a: Hex, b: Hex) -> float:
        """How likely there is a line of sight between two hexes: 1 surely, 0 surely not."""
        return self._judged(a, b)[0]

    def clear(self, a: Hex, b: Hex) -> bool:
        """Whether there may well be a line of sight."""
        return self._judged(a, b)[0] > 0

    def clear_among(self, hex: Hex, others: Sequence[Hex]) -> int:
        """Bits of the hexes, by their places, to which there may well be one, the hex itself among them."""
        return sum([1 << index for index, other in enumerate(others) if self.clear(hex, other)])

    def hindrance(self, a: Hex, b: Hex) -> int:
        """The hindrance that is to be expected."""
        return self._judged(a, b)[1]

    def _judged(self, a: Hex, b: Hex) -> tuple[float, int]:
        key = (a, b) if a < b else (b, a)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._judge(*key)
        return found

    def _judge(self, a: Hex, b: Hex) -> tuple[float, int]:
        line = line_path(b[0] - a[0], b[1] - a[1])
        one, other = self._ground.place(a).level, self._ground.place(b).level
        low, differs = min(one, other), one != other
        length = (line.direction[0] ** 2 + 3 * line.direction[1] ** 2) ** 0.5
        likely, hinders = 1.0, 0.0
        for stop in line.stops:
            blocked, thick = self._at(stop, a, low, differs=differs, length=length)
            likely *= 1 - blocked
            hinders += thick
        hindrance = round(hinders)
        if likely < DIM or hindrance >= MOST_HINDRANCE:
            return 0.0, 0
        return (1.0 if likely > PLAIN else likely), hindrance

    def _at(self, stop: Stop, a: Hex, low: int, *, differs: bool, length: float) -> tuple[float, float]:
        """The chance that the line is blocked at a stop, and by how much it is hindered there."""
        places = [self._place(hex + a) for hex in stop.hexes]
        known = [place for place in places if place is not None]
        if not known:
            return (0.0 if stop.distance is None and stop.side is None else 1.0), 0.0
        if stop.side is not None:
            return self._along(known, low, differs=differs)
        if stop.distance is None:
            return self._orchard(known[0], low, differs=differs)
        band = min(BANDS, int(BANDS * abs(stop.distance) / length))
        blocked = _blocks(known[0], low, band)
        inherent, thick = self._orchard(known[0], low, differs=differs)
        if known[0].kind in (TerrainKind.GRAIN, TerrainKind.BRUSH) and known[0].level == low and not differs:
            thick = FIELD[band]
        return max(blocked, inherent), thick

    def _place(self, hex: Hex) -> HexPlace | None:
        """What a hex shows; None off the map."""
        try:
            return self._ground.place(hex)
        except KeyError:
            return None

    def _along(self, places: Sequence[HexPlace], low: int, *, differs: bool) -> tuple[float, float]:
        """A line along a hexside is blocked by what stands on both sides of it; an orchard on one is enough (1.1.1)."""
        orchards = [self._orchard(place, low, differs=differs) for place in places]
        inherent, thick = max(blocked for blocked, _ in orchards), sum(hinders for _, hinders in orchards)
        hills = sum(place.level > low for place in places)
        obstacles = sum(_is_obstacle(place) and place.level == low for place in places)
        if not differs and all(p.kind in (TerrainKind.GRAIN, TerrainKind.BRUSH) and p.level == low for p in places):
            thick += len(places)
        blocked = 0.0
        if hills == len(places):
            blocked = 1.0
        elif obstacles == len(places):
            blocked = BOTH_SIDES
        elif hills + obstacles == len(places):
            blocked = HILL_AND_OBSTACLE
        return max(blocked, inherent), thick

    def _orchard(self, place: HexPlace, low: int, *, differs: bool) -> tuple[float, float]:
        """Inherent terrain fills its hex: between levels it blocks in season, else it hinders (1.1.1)."""
        if place.kind is not TerrainKind.ORCHARD or place.level < low or (place.level > low and not differs):
            return 0.0, 0.0
        return (1.0, 0.0) if differs and self._orchards_in_season else (0.0, 1.0)

    # --- what is plain to see ---------------------------------------------------------------------------

    def between(self, a: Hex, b: Hex) -> tuple[Hex, ...]:
        """The hexes that the line would touch."""
        return self._ground.between(a, b)

    def through(self, a: Hex, b: Hex) -> tuple[Hex, ...]:
        """The hexes that the line would pass through."""
        return self._ground.through(a, b)

    def on_road_only(self, a: Hex, b: Hex) -> bool:
        """Whether the line seems to stay on the road of ``b``: it comes in where the road does (1.1.1)."""
        return any(self._ground.has_road(b, side) for side in self._ground.entry_side(a, b))


def _is_obstacle(place: HexPlace) -> bool:
    return place.kind is TerrainKind.WOODS or place.kind in BUILDINGS


def _blocks(place: HexPlace, low: int, band: int) -> float:
    """How likely a hex blocks a line that passes through this band of it."""
    if place.level < low:
        return 0.0
    hill = HILL[band] if place.level > low else 0.0
    if place.kind is TerrainKind.WOODS:
        return max(hill, (WOODS_ROAD if place.road else WOODS)[band])
    return max(hill, BUILDING[band]) if place.kind in BUILDINGS else hill


def as_seen(context: Context) -> Context:
    """What bots think with: sight as it is where everybody may check it, else as the eye judges it (3.2.1)."""
    if context.scenario.conditions.free_sight:
        return context
    ground = context.ground
    in_season = not isinstance(ground, Survey) or ground.orchards_in_season
    return context.on_ground(Eye(ground, orchards_in_season=in_season))


def likelihood(context: Context, a: Hex, b: Hex) -> float:
    """How likely a line is there that is not plainly blocked."""
    return context.ground.likelihood(a, b) if isinstance(context.ground, Eye) else 1.0
