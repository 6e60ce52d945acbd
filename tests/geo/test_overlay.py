"""Polygons laid over one another: cells that cover the window, know what covers them, and hang together."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from sandtable.geo.shapes.convex import flanks, hull, hull_of_columns, overlap
from sandtable.geo.shapes.overlay import Cells, overlay
from sandtable.geo.shapes.pieces import NOTHING, WHOLE, cell_pieces, hexagon
from sandtable.geo.shapes.polygon import (
    Point,
    PointPosition,
    Relation,
    doubled_area,
    is_simple,
    locate,
    segment_and_polygon,
)

UNIT = 6
points = st.tuples(st.integers(-16, 16), st.integers(-10, 10))
polygons = st.lists(points, min_size=3, max_size=6, unique=True).map(tuple).filter(is_simple)


def area(cells: Cells, layer: int | None = None) -> Fraction:
    total = sum(abs(doubled_area(c.corners)) for c in cells.cells if layer is None or layer in c.layers)
    return Fraction(total, 2 * cells.unit**2)


def test_a_window_with_nothing_over_it_is_one_cell() -> None:
    cells = overlay(hexagon(UNIT), [])
    assert {layers for _, layers in cells.cells} == {frozenset()}
    assert area(cells) == Fraction(abs(doubled_area(hexagon(UNIT))), 2)


@given(st.lists(polygons, max_size=3))
def test_cells_cover_the_window_and_know_what_covers_them(drawn: list[tuple[Point, ...]]) -> None:
    window = hexagon(UNIT)
    cells = overlay(window, drawn)
    assert area(cells) == Fraction(abs(doubled_area(window)), 2)
    for corners, layers in cells.cells:
        assert abs(doubled_area(corners)) > 0
        x, y = sum(x for x, _ in corners), sum(y for _, y in corners)
        count = len(corners)
        for number, polygon in enumerate(drawn):
            fine = tuple((px * cells.unit * count, py * cells.unit * count) for px, py in polygon)
            assert (locate((x, y), fine) is PointPosition.INSIDE) is (number in layers)


@given(polygons, points, points)
def test_a_line_right_through_crosses_a_piece_of_the_polygon_exactly_if_it_crosses_the_polygon_in_the_window(
    polygon: tuple[Point, ...], a: Point, b: Point
) -> None:
    if a == b:
        return
    cells = overlay(hexagon(UNIT), [polygon])
    found = cell_pieces(cells, [0 in layers for _, layers in cells.cells], UNIT)
    dx, dy = b[0] - a[0], b[1] - a[1]
    # The line from far before the window to far beyond it, and the part of it that lies inside.
    far = (a[0] - 40 * dx, a[1] - 40 * dy), (a[0] + 40 * dx, a[1] + 40 * dy)
    crossed = False
    for hull_of_piece, unit in found.pieces:
        scale = unit // UNIT
        aside = [dx * (y - a[1] * scale) - dy * (x - a[0] * scale) for x, y in hull_of_piece]
        crossed = crossed or min(aside) < 0 < max(aside)
    start, end = (_times(point, cells.unit) for point in far)
    inside = any(
        0 in layers and segment_and_polygon(start, end, corners) is Relation.CROSSES for corners, layers in cells.cells
    )
    # A line along the border of two cells crosses neither, and crosses the piece that they make.
    left, right = flanks((c.corners for c in cells.cells if 0 in c.layers), start, end)
    assert crossed is (inside or overlap(left, right))


def _times(point: Point, by: int) -> Point:
    return point[0] * by, point[1] * by


def test_pieces_hang_together_across_edges_and_not_across_corners() -> None:
    left, right = ((-4, -2), (0, -2), (0, 2), (-4, 2)), ((0, -1), (4, -1), (4, 3), (0, 3))
    cells = overlay(hexagon(UNIT), [left, right])
    seen = [bool(layers) for _, layers in cells.cells]
    assert len(cell_pieces(cells, seen, UNIT).pieces) == 1
    corner = ((0, 2), (4, 2), (4, 5), (0, 5))
    cells = overlay(hexagon(UNIT), [left, corner])
    assert len(cell_pieces(cells, [bool(layers) for _, layers in cells.cells], UNIT).pieces) == 2
    assert cell_pieces(cells, [False] * len(cells.cells), UNIT) is NOTHING
    assert cell_pieces(cells, [True] * len(cells.cells), UNIT) is WHOLE


@given(st.lists(points, min_size=1, max_size=12))
def test_hulls_hold_all_points_and_turn_one_way(given_points: list[Point]) -> None:
    corners = hull(given_points)
    assert set(corners) <= set(given_points)
    reach: dict[int, tuple[int, int]] = {}
    for x, y in given_points:
        low, high = reach.get(x, (y, y))
        reach[x] = min(low, y), max(high, y)
    if len(corners) > 2:
        assert doubled_area(corners) > 0
        assert all(locate(point, corners) is not PointPosition.OUTSIDE for point in given_points)
        assert set(hull_of_columns(reach)) >= set(corners)
        assert doubled_area(hull_of_columns(reach)) == doubled_area(corners)


def test_flanks_of_a_thread_along_an_edge_lie_on_one_side() -> None:
    square = ((0, 0), (4, 0), (4, 4), (0, 4))
    assert flanks([square], (-2, 0), (6, 0)) == ([], [(Fraction(1, 4), Fraction(3, 4))])
    assert flanks([square], (6, 0), (-2, 0)) == ([(Fraction(1, 4), Fraction(3, 4))], [])
    both = flanks([square], (2, -4), (2, 4))
    assert both == ([(Fraction(1, 2), Fraction(1))],) * 2
    assert flanks([square], (-2, 2), (2, -2)) == ([], [])
    assert overlap(*both)
    assert not overlap([(Fraction(0), Fraction(1, 2))], [(Fraction(1, 2), Fraction(1))])
