"""All that must make no difference: shifts by whole vectors, quarter turns, mirrors."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

from sandtable.geo.plane.points import Point


class Motion(NamedTuple):
    """A mirror or not, then quarter turns clockwise, then a shift."""

    mirrored: bool
    quarters: int
    shift: tuple[int, int]

    def point(self, at: tuple[int, int]) -> Point:
        x, y = at
        if self.mirrored:
            x = -x
        for _ in range(self.quarters):
            x, y = -y, x
        return Point(x + self.shift[0], y + self.shift[1])

    def points(self, all_of: tuple[tuple[int, int], ...]) -> tuple[Point, ...]:
        return tuple(map(self.point, all_of))

    def heading(self, heading: int) -> int:
        return ((3600 - heading if self.mirrored else heading) + 900 * self.quarters) % 3600


far = st.integers(-500_000, 500_000)
motions = st.builds(Motion, st.booleans(), st.integers(0, 3), st.tuples(far, far))
coordinates = st.integers(0, 72_000)
points = st.builds(Point, coordinates, coordinates)
close_points = st.builds(Point, st.integers(-3000, 3000), st.integers(-3000, 3000))
headings = st.integers(0, 3599)
