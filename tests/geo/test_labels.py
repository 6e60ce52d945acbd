"""Labels: three schemes, and clear faults."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.core.errors import BadInput
from sandtable.geo.labels import Labels, LabelScheme

SCHEMES = [Labels(scheme, 3, 3) for scheme in LabelScheme]


@given(st.sampled_from(SCHEMES), st.integers(1, 120), st.integers(0, 120))
def test_labels_round_trip(labels: Labels, column: int, row: int) -> None:
    label = labels.label(column, row)
    assert labels.parse(label) == (column, row)
    assert labels.parse(f" {label.lower()} ") == (column, row)
    assert labels.column_number(labels.column_name(column)) == column


@pytest.mark.parametrize(
    ("scheme", "column", "row", "label"),
    [
        (LabelScheme.LETTERS, 1, 0, "A0"),
        (LabelScheme.LETTERS, 26, 12, "Z12"),
        (LabelScheme.LETTERS, 27, 3, "AA3"),
        (LabelScheme.LETTERS, 28, 3, "BB3"),
        (LabelScheme.LETTERS, 33, 10, "GG10"),
        (LabelScheme.LETTERS, 53, 1, "AAA1"),
        (LabelScheme.SPREADSHEET, 27, 3, "AA3"),
        (LabelScheme.SPREADSHEET, 28, 3, "AB3"),
        (LabelScheme.NUMBERS, 3, 14, "0314"),
        (LabelScheme.NUMBERS, 45, 7, "4507"),
    ],
)
def test_labels_as_printed(scheme: LabelScheme, column: int, row: int, label: str) -> None:
    assert Labels(scheme).label(column, row) == label
    assert Labels(scheme).parse(label) == (column, row)


@pytest.mark.parametrize(
    ("scheme", "text"),
    [
        (LabelScheme.LETTERS, "AB3"),
        (LabelScheme.LETTERS, "12"),
        (LabelScheme.LETTERS, "K"),
        (LabelScheme.LETTERS, "K-1"),
        (LabelScheme.LETTERS, ""),
        (LabelScheme.SPREADSHEET, "7K"),
        (LabelScheme.NUMBERS, "314"),
        (LabelScheme.NUMBERS, "K12"),
    ],
)
def test_what_is_no_label_is_told(scheme: LabelScheme, text: str) -> None:
    with pytest.raises(BadInput) as caught:
        Labels(scheme).parse(text, "units[2].hex")
    (fault,) = caught.value.faults
    assert fault.where == "units[2].hex"
    assert repr(text) in fault.wrong
    assert "such as" in fault.right


def test_what_is_no_column_is_told() -> None:
    with pytest.raises(BadInput, match="no column"):
        Labels().column_number("AB")
    with pytest.raises(BadInput, match="no column"):
        Labels(LabelScheme.NUMBERS).column_number("A")
