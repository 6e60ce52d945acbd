"""Tables: lookup, clamps, provenance, and all faults at once."""

import pytest

from sandtable.core.content.table import Status, read_table
from sandtable.core.errors import BadInput
from sandtable.core.modifier import Modifier

HIT = b"""
name: hit
title: Hit
rule: "5.1"
source: The Book 5.1
status: reconstructed
axes:
- {name: net, values: [1, 0, -1], clamp: true}
- {name: band, values: [P, S]}
cells: [[90, 70], [80, 60], [70, null]]
verbatim: [[0, P]]
"""


def test_lookup_goes_along_the_axes() -> None:
    table = read_table(HIT, "hit.yaml")
    assert table.lookup(0, "S") == 60
    assert table.lookup(-1, "S") is None


@pytest.mark.parametrize(("net", "row"), [(1, 1), (7, 1), (-1, -1), (-9, -1)])
def test_clamped_axis_reads_what_lies_beyond_as_its_end(net: int, row: int) -> None:
    table = read_table(HIT, "hit.yaml")
    assert table.lookup(net, "P") == table.lookup(row, "P")


def test_unclamped_axis_rejects_what_it_has_not() -> None:
    with pytest.raises(BadInput, match="band has no 'X'"):
        read_table(HIT, "hit.yaml").lookup(0, "X")


def test_number_rejects_an_empty_cell() -> None:
    with pytest.raises(BadInput, match="a whole number"):
        read_table(HIT, "hit.yaml").number(-1, "S")


def test_cells_say_how_far_to_trust_them() -> None:
    table = read_table(HIT, "hit.yaml")
    assert table.cell_status(0, "P") is Status.VERBATIM
    assert table.cell_status(1, "P") is Status.RECONSTRUCTED


def test_every_fault_of_shape_is_named() -> None:
    data = HIT.replace(b"[[90, 70], [80, 60], [70, null]]", b"[[90, 70, 50], 80, [[1], 60]]")
    data = data.replace(b"[[0, P]]", b"[[0]]")
    with pytest.raises(BadInput) as caught:
        read_table(data, "hit.yaml")
    assert [fault.where for fault in caught.value.faults] == [
        "hit.yaml: cells[0]",
        "hit.yaml: cells[1]",
        "hit.yaml: cells[2][0]",
        "hit.yaml: verbatim[0]",
    ]


def test_a_status_must_be_one_of_three() -> None:
    with pytest.raises(BadInput, match=r"hit.yaml: status"):
        read_table(HIT.replace(b"reconstructed", b"guessed"), "hit.yaml")


MODIFIERS = b"""
name: modifiers
title: Modifiers
rule: "5.2"
source: The Book 5.2
status: verbatim
axes:
- {name: modifier, values: [moving, smoke]}
- {name: field, values: [value, label]}
cells: [[-2, Target Moving], [-1, Smoke]]
"""


def test_a_row_is_a_modifier_under_the_rule_of_its_table() -> None:
    table = read_table(MODIFIERS, "modifiers.yaml")
    assert table.modifier("moving") == Modifier(-2, "Target Moving", "5.2")
    assert table.modifier("smoke", 3) == Modifier(-3, "Smoke", "5.2")


def test_a_row_with_a_rule_of_its_own_cites_that() -> None:
    text = MODIFIERS.replace(b"[value, label]", b"[value, label, rule]")
    table = read_table(
        text.replace(b"Moving]", b'Moving, "5.7"]').replace(b"Smoke]", b'Smoke, "5.8"]'), "modifiers.yaml"
    )
    assert [table.modifier(name).rule for name in ("moving", "smoke")] == ["5.7", "5.8"]
