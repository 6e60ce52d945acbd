"""A slow judge of sight on picture boards, made on its own lines, for tests to compare with.

It cuts the thread at every edge of a cell and every hexside and looks at each stretch by itself: what cell lies to
its left, what to its right, and in which hexes. Fractions throughout, nothing is prepared or remembered.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import lcm

from sandtable.geo.hex import Hex, centre
from sandtable.geo.shapes.picture import Picture, Shown
from sandtable.systems.aslsk.common.context import TerrainKind
from sandtable.systems.aslsk.terrain.ground import Ground

Half = tuple[Hex | None, Shown | None]
"""The hex and the cell on one side of a stretch."""

OBSTACLES = {"woods", "stone_building", "wooden_building"}
ROADS = {"dirt_road", "paved_road"}
MARGINAL = Fraction(1, 20)


def _around(middle: Fraction, reach: Fraction) -> range:
    return range(int((middle - reach) // 1), int((middle + reach) // 1) + 1)


class Oracle:
    """Judges pairs of hexes on a map of one picture board."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        placed = ground.map.placed[0]
        assert placed.board.picture is not None
        self.picture: Picture = placed.board.picture
        self.placed = placed
        scale = placed.board.scale // 2
        self.unit = Fraction(self.picture.cell[0], scale), Fraction(self.picture.cell[1], scale)
        self.known: dict[Hex, dict[str, Fraction]] = {}

    def _board(self, x: Fraction, y: Fraction) -> tuple[Fraction, Fraction]:
        """A point of the map in cells of the picture."""
        sx, sy = centre(self.placed.transform.shift)
        sign = -1 if self.placed.transform.turned else 1
        x, y = sign * (x - sx), sign * (y - sy)
        return x / self.unit[0], (y - self.placed.board.layout.top) / self.unit[1]

    def _cell(self, x: Fraction, y: Fraction) -> Shown | None:
        cx, cy = self._board(x, y)
        return self.picture.at(int(cx // 1), int(cy // 1))

    def shares(self, hex: Hex) -> dict[str, Fraction]:
        """How much of a hex each kind fills, every cell that the hex takes in counted whole."""
        if hex not in self.known:
            self.known[hex] = self._count(hex)
        return self.known[hex]

    def _count(self, hex: Hex) -> dict[str, Fraction]:
        x, y = centre(hex)
        counts: dict[str, int] = {}
        mx, my = self._board(Fraction(x), Fraction(y))
        rx, ry = 2 / self.unit[0], 1 / self.unit[1]
        # The corner of each cell nearest to the centre, from it, in whole parts of a lattice unit.
        columns = {i: max(Fraction(0), i - mx, mx - i - 1) * self.unit[0] for i in _around(mx, rx)}
        rows = {j: max(Fraction(0), j - my, my - j - 1) * self.unit[1] for j in _around(my, ry)}
        fine = lcm(*(part.denominator for part in (*columns.values(), *rows.values())))
        across = {i: int(part * fine) for i, part in columns.items()}
        down = {j: int(part * fine) for j, part in rows.items()}
        for i, nx in across.items():
            for j, ny in down.items():
                shown = self.picture.at(i, j)
                if shown is not None and ny < fine and nx + ny < 2 * fine:
                    counts[shown.kind] = counts.get(shown.kind, 0) + 1
        total = sum(counts.values())
        return {kind: Fraction(count, total) for kind, count in counts.items()}

    def stretches(self, a: Hex, b: Hex) -> Iterator[tuple[Half, Half]]:
        """What lies on both sides of every stretch of the thread."""
        (ax, ay), (bx, by) = centre(a), centre(b)
        dx, dy = bx - ax, by - ay
        cuts = {Fraction(0), Fraction(1)}
        (px, py), (qx, qy) = self._board(Fraction(ax), Fraction(ay)), self._board(Fraction(bx), Fraction(by))
        for p, q in ((px, qx), (py, qy)):
            if p != q:
                low, high = sorted((p, q))
                cuts |= {(i - p) / (q - p) for i in range(int(low // 1), int(high // 1) + 2)}
        # Hexsides lie on y = odd or even numbers, and on x + y and x - y equal to even numbers.
        for start, way in ((ay, dy), (ax + ay, dx + dy), (ax - ay, dx - dy)):
            if way:
                ends = sorted((start, start + way))
                cuts |= {Fraction(i - start, way) for i in range(ends[0], ends[1] + 1)}
        ordered = sorted(cut for cut in cuts if 0 <= cut <= 1)
        tiny = Fraction(1, 10**9)
        for one, other in pairwise(ordered):
            t = (one + other) / 2
            x, y = ax + t * dx, ay + t * dy
            yield (
                self._half(x + tiny * dy, y - tiny * dx),
                self._half(x - tiny * dy, y + tiny * dx),
            )

    def _half(self, x: Fraction, y: Fraction) -> Half:
        q = int((x + Fraction(3, 2)) // 3)
        for column in (q, q - 1, q + 1):
            r = int(((y - column) / 2 + Fraction(1, 2)) // 1)
            for row in (r, r - 1, r + 1):
                cx, cy = centre(Hex(column, row))
                if abs(y - cy) < 1 and abs(x - cx) + abs(y - cy) < 2:
                    hex = Hex(column, row)
                    return (hex if hex in self.ground.map.facts else None), self._cell(x, y)
        raise AssertionError("a point beside the thread lies on no hexside")

    def touched(self, a: Hex, b: Hex) -> set[Hex]:
        """Every hex between the ends that the thread meets, hexsides and their ends included."""
        (ax, ay), (bx, by) = centre(a), centre(b)
        found = set()
        for hex in self.ground.map.facts:
            cx, cy = centre(hex)
            corners = [(cx + x, cy + y) for x, y in ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))]
            sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in corners]
            ways = [(bx - ax) * (x - ax) + (by - ay) * (y - ay) for x, y in corners]
            if min(sides) <= 0 <= max(sides) and max(ways) > 0 and min(ways) < (bx - ax) ** 2 + (by - ay) ** 2:
                found.add(hex)
        return found - {a, b}

    def judge(self, a: Hex, b: Hex) -> int | None:
        """The sum of hindrances, or None if the line is blocked."""
        if a == b:
            return 0
        places = self.ground.places
        one, other = places[a].level, places[b].level
        low, differs = min(one, other), one != other
        hindered: set[Hex] = set()
        off_road: set[Hex] = set()
        for pair in self.stretches(a, b):
            halves = [(hex, shown) for hex, shown in pair if hex is not None and shown is not None]
            if any(hex in (a, b) for hex, _ in halves):
                continue
            if all(shown.level > low for _, shown in halves):
                return None
            if all(shown.kind in OBSTACLES and places[hex].level >= low for hex, shown in halves):
                return None
            off_road |= {hex for hex, shown in halves if shown.kind not in ROADS}
            if not differs and any(self._hinders(word, halves, low) for word in ("grain", "brush")):
                hindered |= {hex for hex, _ in halves}
        orchards = [hex for hex in self.touched(a, b) if self._counts_as_orchard(hex, low, off_road, a, b)]
        if differs and orchards and self.ground.orchards_in_season:
            return None
        hindered |= {hex for hex in orchards if differs or places[hex].level == low}
        return None if len(hindered) >= 6 else len(hindered)

    def _hinders(self, word: str, halves: list[tuple[Hex, Shown]], low: int) -> bool:
        """Whether a word shows on both sides, in hexes that hold it on the level of the ends."""
        if not self.ground.terrain[word].in_season(self.ground.conditions.month):
            return False
        places = self.ground.places
        return all(
            shown.kind == word
            and places[hex].level == low
            and places[hex].kind is not TerrainKind.ORCHARD
            and self.shares(hex).get(word, 0) >= MARGINAL
            for hex, shown in halves
        )

    def _counts_as_orchard(self, hex: Hex, low: int, off_road: set[Hex], a: Hex, b: Hex) -> bool:
        """Whether an orchard that the thread meets has its effect: not if the thread passes through on the road."""
        place = self.ground.places[hex]
        if place.kind is not TerrainKind.ORCHARD or place.level < low:
            return False
        beside = [pair for pair in self.stretches(a, b) if any(half[0] == hex for half in pair)]
        passes = bool(beside) and all(half[0] == hex for pair in beside for half in pair)
        return not (place.road and passes and hex not in off_road)
