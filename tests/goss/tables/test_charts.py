"""The other charts: known cells, and tables with other axes or cells."""

import msgspec
import pytest

from sandtable.core.content.table import Axis, Status, Table
from sandtable.core.errors import BadInput
from sandtable.systems.goss.tables.bridges import Demolition, Weight
from sandtable.systems.goss.tables.charts import read_charts
from sandtable.systems.goss.tables.fire_support import NOTHING_HIT, FireResult
from sandtable.systems.goss.tables.movement_costs import ONE_MP, Cost, Crossing, Special, mp_text, together
from tests.goss.shelf import charts, library

rules = pytest.mark.rules
FIRE = charts().fire
COSTS = charts().costs
WORKS = charts().defences.works


# --- fire support ---


@rules("11.6.0", system="goss")
def test_11_6_0_the_ends_of_the_table() -> None:
    assert FIRE.result(-20) == FIRE.result(7) == NOTHING_HIT
    assert FIRE.result(60) == FIRE.result(23) == FireResult(hits=4)
    assert str(FIRE.result(12)) == "AS1"
    assert str(FireResult(2, 1)) == "2AS1"


@rules("11.5.1", "11.5.2", "11.5.3", "11.5.4", system="goss")
def test_11_5_4_density_and_fortresses() -> None:
    assert [FIRE.density(steps) for steps in range(9)] == [-1, -1, -1, 0, 0, 1, 1, 2, 2]
    assert WORKS["Fort"].is_fortress
    assert not WORKS["ET-3"].is_fortress


@rules("11.2.4", "11.2.4a", "11.2.4b", "11.2.4c", system="goss")
def test_11_2_4_guns_and_aircraft_by_capacity() -> None:
    levels = ("light", "medium", "heavy")
    found = [[FIRE.guns[level, gunners] for gunners in ("US", "other Allied", "Axis")] for level in levels]
    assert found == [[2, 2, 1], [3, 3, 2], [16, 12, 8]]
    assert [FIRE.ground_support[level] for level in levels] == [0, 1, 2]


@rules("11.5.5", "11.8.0", system="goss")
def test_11_5_5_other_drm() -> None:
    values = {cause: one.value for cause, one in FIRE.other.items()}
    assert (values["vantage_point"], values["night"], values["unobserved"], values["strategic"]) == (1, -1, -4, 4)
    assert {cause: one.value for cause, one in FIRE.depletion.items()} == {
        "later_volley": 1,
        "all_rockets": 1,
        "extended": 2,
    }


# --- movement ---


@rules("7.10.0", "7.10.3", system="goss")
def test_7_10_3_roads_and_trails() -> None:
    steps = [COSTS.road_cost("secondary_road", "Mech"), COSTS.road_cost("trail", "Mech")]
    assert [mp_text(step) for step in steps] == ["1", "1 1/2"]
    assert COSTS.extra_cost("joins a Mech unit", "Mech") == 2 * ONE_MP
    assert COSTS.open_road == 9
    assert COSTS.road_cost("railroad", "Mech") == COSTS.road_cost("trail", "Mech")


@rules("7.2.0", system="goss")
def test_7_2_0_the_dearest_terrain_counts() -> None:
    assert COSTS.hex_cost(["rough", "woods"], "Mech") == 3 * ONE_MP
    assert COSTS.hex_cost(["village"], "Mech") == COSTS.hex_cost([], "Mech") == ONE_MP
    assert COSTS.hex_cost(["village", "forest"], "Leg") == 2 * ONE_MP
    assert COSTS.hex_cost(["rough2"], "Mech") is Special.ALL


@rules("7.11.0", "17.2.1", "17.2.2", "17.2.3", system="goss")
@pytest.mark.parametrize(
    ("watercourse", "crossing", "cost"),
    [
        ("river", Crossing.MECH, Special.PROHIBITED),
        ("river", Crossing.LEG_FORD, ONE_MP),
        ("major_river", Crossing.LEG, Special.PROHIBITED),
        ("stream", Crossing.LEG_FERRY, 0),
        ("river", Crossing.LEG_FERRY, ONE_MP),
        ("major_river", Crossing.LEG_FERRY, Special.ALL),
        ("great_river", Crossing.LEG_FERRY, Special.PROHIBITED),
        ("great_river", Crossing.ROAD_BRIDGE, 0),
    ],
)
def test_7_11_0_watercourses(watercourse: str, crossing: Crossing, cost: Cost) -> None:
    assert COSTS.water_cost(watercourse, crossing) == cost


@rules("7.11.0", system="goss")
def test_7_11_0_off_the_road_a_bridge_is_a_ford() -> None:
    for river in ("river", "major_river", "great_river"):
        assert COSTS.water_cost(river, Crossing.MECH_BRIDGE) == COSTS.water_cost(river, Crossing.MECH_FORD)


@rules("7.8.0", "7.11.3", system="goss")
def test_7_8_0_further_costs() -> None:
    assert [COSTS.extra_cost("adjacent enemy", one) for one in ("Leg", "Mech")] == [ONE_MP, 2 * ONE_MP]
    assert [COSTS.extra_cost("constricted", one) for one in ("Leg", "Mech")] == [ONE_MP, Special.ALL]
    assert together([ONE_MP, Special.ALL, Special.PROHIBITED]) is Special.PROHIBITED


# --- cover, lines, armour, bridges ---


@rules("8.2.1", "8.2.2", system="goss")
def test_8_2_1_covering_terrain() -> None:
    cover = charts().cover
    assert cover.movement == {"woods", "forest", "bocage", "hedgerow", "town", "city", "ET-3", "Fort", "Ft Area", "StP"}
    assert cover.observation - cover.movement == {"location", "village", "IP", "ET-2", "destroyed Ft Area"}
    assert cover.is_movement_cover(["rough", "woods"])
    assert not cover.is_observation_cover(["clear", "rough", "marsh"])


@rules("13.3.2", system="goss")
def test_13_3_2_terrain_lines() -> None:
    lines = charts().defences.terrain_lines
    assert lines([]) == lines(["location"]) == (1,)
    assert lines(["rough", "forest", "village"]) == (3, 2)
    assert lines(["city"]) == (4,)
    assert lines(["swamp"]) == lines(["soft_ground"]) == lines(["marsh"]) == (2,)


@rules("13.8.4a", "13.8.4f", system="goss")
def test_13_8_4a_armour_rows() -> None:
    rows = charts().defences.armour
    assert (rows["woods"].modifier, rows["woods"].most) == (2, 2)
    assert rows["rough"].modifier < rows["woods"].modifier
    assert rows["rough"].most > rows["woods"].most
    assert (rows["clear"].modifier, rows["clear"].most) == (0, 5)
    assert rows["forest"].most == 1


@rules("17.4.1", "17.4.1a", system="goss")
def test_17_4_1a_works() -> None:
    assert [WORKS[kind].shifts for kind in ("IP", "ET-2", "ET-3")] == [1, 2, 3]
    assert [WORKS[kind].fire_drm for kind in ("IP", "ET-2", "ET-3")] == [-1, -2, -3]
    assert [WORKS["ET-2"].rated(rating) for rating in (5, 7, 8)] == [6, 8, 8]
    assert WORKS["IP"].rated(6) == 6


@rules("17.3.2a", "17.3.2b", system="goss")
def test_17_3_2b_bridges() -> None:
    bridges = charts().bridges
    assert bridges.demolition_roll(Demolition.HASTY).total == 3
    assert bridges.demolition_roll(Demolition.HASTY, is_night=True, has_many_steps=True).total == 4
    assert bridges.demolition_roll(Demolition.PREPARED, has_many_steps=True).total == 7
    assert bridges.demolition_roll(Demolition.PREPARED, enemy_adjacent=True).total == 4
    assert bridges.collapses(Weight.VERY_HEAVY, 7)
    assert not bridges.collapses(Weight.HEAVY, 7)


@rules("4.4.3", system="goss")
def test_4_4_3_breakdown_companies() -> None:
    rating = charts().breakdown.rating
    for date in ("1944-08-31", "1944-09-01"):
        assert rating(date, is_german=True, is_mech=False, is_weak=True) == (4, 5)
        assert rating(date, is_german=True, is_mech=False) == (5, 6)
        assert rating(date, is_german=True, is_mech=True) == (6, 6)
    assert rating("1944-08-31", is_german=False, is_mech=True) == (5, 6)
    assert rating("1944-09-01", is_german=False, is_mech=False) == (6, 6)
    assert rating("1944-09-01", is_german=False, is_mech=True) == (6, 7)


# --- what the pack says of its tables, and other tables in their place ---


def test_every_known_cell_is_marked_and_no_other() -> None:
    tables = library().tables()
    assert tables["ground_assault"].status is Status.RECONSTRUCTED
    for table in tables.values():
        for keys in table.verbatim:
            table.lookup(*keys)
            assert table.cell_status(*keys) is Status.VERBATIM
    assert tables["terrain_costs"].cell_status("forest", "Leg") is Status.VERBATIM
    assert tables["terrain_costs"].cell_status("woods", "Leg") is Status.PUBLISHED


def test_every_table_of_the_pack_is_read() -> None:
    tables = library().tables()
    for name in tables:
        without = {key: table for key, table in tables.items() if key != name}
        with pytest.raises(BadInput, match=f"table {name}: missing"):
            read_charts(without)


@pytest.mark.parametrize("name", sorted(library().tables()))
def test_a_table_with_other_axes_is_refused(name: str) -> None:
    tables = dict(library().tables())
    table = tables[name]
    renamed = msgspec.structs.replace(table.axes[0], name="something")
    tables[name] = msgspec.structs.replace(table, axes=(renamed, *table.axes[1:]))
    with pytest.raises(BadInput, match=f"table {name}: axes"):
        read_charts(tables)
    values = (*table.axes[0].values[:-1], "another")
    tables[name] = msgspec.structs.replace(table, axes=(Axis(table.axes[0].name, values), *table.axes[1:]))
    with pytest.raises(BadInput, match=rf"table {name}: axes\.{table.axes[0].name}"):
        read_charts(tables)


@pytest.mark.parametrize("name", sorted(library().tables()))
def test_a_cell_of_the_wrong_kind_is_named(name: str) -> None:
    tables = dict(library().tables())
    tables[name] = _spoilt(tables[name])
    with pytest.raises(BadInput) as bad:
        read_charts(tables)
    assert all(fault.where.startswith(f"table {name}") for fault in bad.value.faults)


def test_the_faults_of_all_tables_are_told_at_once() -> None:
    tables = {name: _spoilt(table) for name, table in library().tables().items()}
    with pytest.raises(BadInput) as bad:
        read_charts(tables)
    told = "\n".join(map(str, bad.value.faults))
    assert [name for name in tables if f"table {name}" not in told] == []


def _spoilt(table: Table) -> Table:
    """The table with nonsense in its first cell."""

    def first(cells: list[object]) -> list[object]:
        head, *rest = cells
        return [first(head) if isinstance(head, list) else "nonsense", *rest]

    return msgspec.structs.replace(table, cells=first(table.cells))
