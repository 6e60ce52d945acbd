"""Line of sight, its range and what covers (8.1, 8.2)."""

from __future__ import annotations

import pytest

from sandtable.systems.goss.ground.cover import Cover, Work, cover_of
from sandtable.systems.goss.ground.ground import HexGround
from sandtable.systems.goss.ground.kinds import Population, Terrain
from sandtable.systems.goss.ground.sight import Sight
from sandtable.systems.goss.ground.weather import Sky
from tests.goss.maps import drawn, ground_of
from tests.goss.shelf import charts


def seen(column: str, sky: Sky = Sky.CLEAR, *, is_night: bool = False) -> list[int]:
    """How far down a column of hexes, given from the top, one sees from the first."""
    game_map = drawn("\n".join(column.split()))
    sight = Sight(ground_of(game_map))
    first = game_map.hex("0101")
    rows = range(2, len(column.split()) + 1)
    return [row - 1 for row in rows if sight.sees(first, game_map.hex(f"01{row:02}"), sky, is_night=is_night)]


@pytest.mark.rules("8.1.2", "8.1.2d", system="goss")
def test_how_far_one_sees_hangs_on_where_one_stands() -> None:
    assert seen(". . . .") == [1]
    assert seen("v . . .") == [1]
    assert seen("t . . .") == [1, 2]
    assert seen("c . . .") == [1, 2]
    assert seen("V . . . .") == [1, 2, 3]
    assert seen("H . . . . .") == [1, 2, 3, 4]


@pytest.mark.rules("8.1.2b", "8.1.2c", "8.1.2d", "19.3.0", "19.3.1", "19.3.2", "19.3.3", "19.3.4", system="goss")
def test_sky_and_night_shorten_it() -> None:
    assert seen("V . . .", Sky.PARTIAL_OVERCAST) == [1, 2, 3]
    assert seen("V . . .", Sky.OVERCAST) == [1, 2]
    assert seen("H . . . .", Sky.OVERCAST) == [1, 2]
    for sky in (Sky.STORM, Sky.SNOW, Sky.FOG):
        assert seen("V . . .", sky) == [1]
    assert seen("V . . .", is_night=True) == [1]


@pytest.mark.rules("8.1.1", system="goss")
def test_towns_and_vantage_points_block_and_vantage_points_look_over_towns() -> None:
    assert seen("V t . .") == [1, 2, 3]
    assert seen("V V . .") == [1]
    assert seen("H V . . .") == [1, 2, 3, 4]
    assert seen("H H . . .") == [1]
    assert seen("t c .") == [1]
    assert seen("t w .") == [1, 2], "woods cover, they do not block"


@pytest.mark.rules("8.1.2a", system="goss")
def test_rough_terrain_takes_one_hex_however_much_there_is() -> None:
    assert seen("V r . .") == [1, 2]
    assert seen("V r r r") == [1, 2]
    assert seen("V . . r") == [1, 2]
    assert seen(". r") == [1], "one hex is always left"
    assert seen("r . .") == [1]


@pytest.mark.rules("8.1.1", system="goss")
def test_a_line_along_a_hexside_is_blocked_by_both_hexes_only() -> None:
    for cells, is_seen in (("V . . \n. . . \n", True), ("V t . \n. . . \n", True)):
        game_map = drawn(cells)
        sight = Sight(ground_of(game_map))
        assert sight.sees(game_map.hex("0101"), game_map.hex("0301"), Sky.CLEAR, is_night=False) is is_seen
    # From 0101 to 0301 the line runs along the side that 0201 and 0202 share.
    game_map = drawn(". V . \n. V . \n", legend={"V": "vantage_point"})
    line = Sight(ground_of(game_map)).line(game_map.hex("0101"), game_map.hex("0301"))
    assert line.blocked_at is not None
    game_map = drawn(". V . \n. . . \n")
    assert Sight(ground_of(game_map)).line(game_map.hex("0101"), game_map.hex("0301")).blocked_at is None


def test_sight_is_the_same_from_both_ends() -> None:
    game_map = drawn("V t . r \n. . V c \nt . w H \n")
    sight = Sight(ground_of(game_map))
    for a in game_map.hexes:
        for b in game_map.hexes:
            assert (sight.line(a, b).blocked_at is None) == (sight.line(b, a).blocked_at is None)


def cover(work: Work | None = None, *, is_ft_intact: bool = False, **given: object) -> Cover:
    """The cover of a hex that is no more than this."""
    night = {name: bool(given.pop(name)) for name in ("is_night", "is_watched", "over_hedges") if name in given}
    return cover_of(charts().cover, HexGround(**given), work, is_ft_intact=is_ft_intact, **night)  # type: ignore[arg-type]


@pytest.mark.rules("8.2.0", "8.2.1", "8.2.2", system="goss")
def test_what_covers_those_who_move_and_those_who_stand() -> None:
    for terrain in (Terrain.WOODS, Terrain.FOREST, Terrain.BOCAGE, Terrain.HEDGEROW):
        assert cover(terrain=frozenset((terrain,))) is Cover.MOVEMENT
    for terrain in (Terrain.ROUGH, Terrain.MARSH, Terrain.SOFT_GROUND):
        assert cover(terrain=frozenset((terrain,))) is Cover.OPEN
    assert cover(population=Population.TOWN) is cover(population=Population.CITY) is Cover.MOVEMENT
    assert cover(population=Population.VILLAGE) is cover(population=Population.LOCATION) is Cover.OBSERVATION
    assert cover(Work.ET3) is cover(Work.FORT) is cover(ft_area="axis", is_ft_intact=True) is Cover.MOVEMENT
    assert cover(Work.IP) is cover(Work.ET2) is cover(ft_area="axis") is Cover.OBSERVATION
    assert cover() is Cover.OPEN
    best = cover(Work.IP, terrain=frozenset((Terrain.WOODS,)))
    assert best is Cover.MOVEMENT, "the best of all that is in the hex counts"


@pytest.mark.rules("8.2.1", system="goss")
def test_hedges_hide_nobody_who_moves_from_above() -> None:
    hedge, woods = frozenset((Terrain.HEDGEROW,)), frozenset((Terrain.HEDGEROW, Terrain.WOODS))
    assert cover(terrain=hedge, over_hedges=True) is Cover.OBSERVATION
    assert cover(terrain=woods, over_hedges=True) is Cover.MOVEMENT


@pytest.mark.rules("8.1.2b", system="goss")
def test_night_hides_one_better_but_not_next_to_enemy_works() -> None:
    assert cover(is_night=True) is Cover.OBSERVATION
    assert cover(Work.IP, is_night=True) is Cover.MOVEMENT
    assert cover(is_night=True, is_watched=True) is Cover.OPEN
