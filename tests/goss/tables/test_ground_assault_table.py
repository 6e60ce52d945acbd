"""The Ground Assault Table: the book's anchors, its order in every column and DRM, and every fault of another one."""

import msgspec
import pytest

from sandtable.core.content.table import Table
from sandtable.core.errors import BadInput
from sandtable.systems.goss.tables.ground_assault import (
    COLUMNS,
    NO_RESULT,
    AssaultResult,
    GroundAssaultTable,
    read_ground_assault,
)
from tests.goss.shelf import charts, library

rules = pytest.mark.rules
DRM = range(-60, 61)
TABLE = charts().assault
RESULTS = sorted(
    {result for block in (*TABLE.attacker, *TABLE.defender) for result in block.results}, key=lambda one: one.severity
)


def at_least(chances: dict[AssaultResult, int]) -> list[int]:
    """How many of a hundred rolls bring a given result or worse, by the order of results."""
    return [sum(count for one, count in chances.items() if one.severity >= given.severity) for given in RESULTS]


@rules("13.9.0", system="goss")
def test_the_one_result_that_the_book_reads() -> None:
    odds = TABLE.odds(3, 3, 1)
    assert str(TABLE.attacker_result(odds.column, -21)) == "*2(3)"


@rules("13.6.2", system="goss")
@pytest.mark.parametrize("line", [1, 2, 3, 4])
def test_13_6_2_the_ratio_is_rounded_down_to_a_column(line: int) -> None:
    four, five = TABLE.odds(line, 4, 1).column, TABLE.odds(line, 5, 1).column
    assert five == four + 1
    assert TABLE.odds(line, 24, 6).column == four
    assert TABLE.odds(line, 36, 8).column == four
    assert TABLE.odds(line, 1, 100) == msgspec.structs.replace(TABLE.odds(line, 1, 100), column=0, is_below=True)
    assert TABLE.odds(line, 100, 1).column == len(COLUMNS) - 1
    assert TABLE.odds(line, 1, 0).column == len(COLUMNS) - 1


@rules("13.7.2", system="goss")
def test_13_7_2_shifts_stay_on_the_line() -> None:
    odds = TABLE.odds(2, 1, 1)
    assert odds.letter == "D"
    assert TABLE.shifted(2, odds, 3).letter == "G"
    assert TABLE.shifted(2, odds, -9).letter == "A"
    assert TABLE.shifted(2, odds, -9).is_below
    assert not TABLE.shifted(2, odds, -3).is_below
    assert TABLE.shifted(2, odds, 40).letter == "N"


@rules("13.9.0", system="goss")
def test_13_9_0_rolls_off_the_table() -> None:
    for column in range(len(COLUMNS)):
        attacker, defender = TABLE.attacker[column], TABLE.defender[column]
        assert TABLE.defender_result(column, attacker.lows[0] - 1) == NO_RESULT
        assert TABLE.defender_result(column, attacker.highs[-1] + 50) == attacker.results[-1]
        assert TABLE.attacker_result(column, defender.lows[0] - 50) == defender.results[0]
        assert TABLE.attacker_result(column, defender.highs[-1] + 1) == NO_RESULT


@rules("13.9.1", "13.9.2", system="goss")
def test_13_9_1_the_list_to_the_right_of_the_column() -> None:
    assert {TABLE.attacker[COLUMNS.index(letter)].results for letter in "ABCDEFGH"} == {TABLE.attacker[0].results}
    assert {TABLE.attacker[COLUMNS.index(letter)].results for letter in "IJKLMN"} == {TABLE.attacker[-1].results}
    said = {str(result) for result in TABLE.attacker[-1].results}
    assert {"3(3)", "3(2)", "2(2)"} <= said
    assert str(AssaultResult(3, 2, check=True)) == "*2(3)"
    assert str(NO_RESULT) == "no effect"


def test_ten_rows_a_block_as_the_card_has_them() -> None:
    assert [len(block.results) for block in (*TABLE.attacker, *TABLE.defender)] == [10] * 28


@rules("13.1.0", "13.1.1", system="goss")
def test_13_1_0_more_is_never_worse_for_the_attacker() -> None:
    """As the column or the DRM rises, at least a given result never gets rarer for the defender, nor more frequent
    for the attacker."""
    found = {(column, drm): TABLE.chances(column, drm) for column in range(len(COLUMNS)) for drm in DRM}
    ordered = {key: (at_least(on_defender), at_least(on_attacker)) for key, (on_defender, on_attacker) in found.items()}
    for (column, drm), (on_defender, on_attacker) in ordered.items():
        for more in ((column + 1, drm), (column, drm + 1)):
            if more in ordered:
                better, safer = ordered[more]
                assert all(one <= other for one, other in zip(on_defender, better, strict=True)), (column, drm)
                assert all(one >= other for one, other in zip(on_attacker, safer, strict=True)), (column, drm)


def test_no_effect_on_the_defender_grows_rarer_by_six_in_a_hundred_a_column() -> None:
    none = [TABLE.chances(column, 0)[0].get(NO_RESULT, 0) for column in range(len(COLUMNS))]
    assert none == [75, 69, 63, 57, 51, 45, 39, 33, 27, 21, 15, 9, 3, 0]


# --- another table in its place ---


def changed(row: str, column: str, cell: object) -> dict[str, Table]:
    tables = dict(library().tables())
    table = tables["ground_assault"]
    cells = [list(one) for one in table.cells]
    cells[table.axes[0].values.index(row)][table.axes[1].values.index(column)] = cell
    tables["ground_assault"] = msgspec.structs.replace(table, cells=cells)
    return tables


@pytest.mark.parametrize(
    ("row", "column", "cell", "told"),
    [
        ("line 2", "C", "1-2", "line 2, C: '1-2' is no ratio"),
        ("line 2", "C", "3:1", "line 2: its ratios do not rise to the right"),
        ("line 2", "C", None, "line 2: its columns do not lie side by side"),
        ("attacker 3", "F", "62..68", "attacker 3, F: begins at 62"),
        ("attacker 3", "F", "68..61", "attacker 3, F: '68..61' is no range of rolls"),
        ("defender 4", "N", "many", "defender 4, N: 'many' is no range of rolls"),
        ("defender 10", "results I-N", "4(1)", "defender 10, results I-N: '4(1)' is no result"),
        ("attacker 1", "results A-H", "", "attacker 1, results A-H: '' is no result"),
    ],
)
def test_every_fault_of_a_replaced_table_is_named(row: str, column: str, cell: object, told: str) -> None:
    with pytest.raises(BadInput) as bad:
        read_ground_assault(changed(row, column, cell))
    assert told in str(bad.value)


def test_all_faults_are_told_at_once() -> None:
    tables = changed("line 1", "A", "x")
    table = tables["ground_assault"]
    table.cells[4][0] = "x"
    with pytest.raises(BadInput) as bad:
        read_ground_assault(tables)
    assert len(bad.value.faults) == 2


def test_a_line_may_begin_further_right() -> None:
    """As a card may have it: a harder line has no low ratios, and shifts end where it does."""
    found: GroundAssaultTable = read_ground_assault(changed("line 4", "A", None))
    assert found.odds(4, 1, 9).letter == "B"
    assert found.shifted(4, found.odds(4, 1, 1), -5).letter == "B"
