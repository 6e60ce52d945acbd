"""Maps drawn as text, and maps shown as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.core.content.reading import read_yaml
from sandtable.core.errors import BadInput
from sandtable.geo.draw import DrawingDraft, read_drawing
from sandtable.geo.hex import Hex, direction_to
from sandtable.geo.render import lay_out_text

DRAWING = """
cells: |
  .   .   w    w1
  .   1   2    w1
  b   g-1 .    .
legend: {w: woods, b: [building, rubble], g: gully}
features:
  - {kind: road, line: [A1, B1, C1]}
"""
DRAFT = read_yaml(DRAWING, DrawingDraft, "map.yaml")


def test_a_drawing_is_a_map() -> None:
    map = read_drawing(DRAFT)
    assert len(map.hexes) == 12
    assert map.at(map.hex("C1")).terrain == ("woods",)
    assert map.at(map.hex("D2")).terrain == ("hill", "woods")
    assert map.at(map.hex("D2")).level == 1
    assert map.at(map.hex("C2")).level == 2
    assert map.at(map.hex("A3")).terrain == ("building", "rubble")
    assert map.at(map.hex("B3")).level == -1
    assert map.at(map.hex("B1")).routes == ("road",)
    assert direction_to(map.hex("A1"), map.hex("B1")) == 1


def test_a_drawing_may_begin_at_any_label() -> None:
    map = read_drawing(DrawingDraft(".  .  w\n.  .  .", {"w": "woods"}, first="Y3", prefix="38"))
    assert map.at(map.hex("38AA3")).terrain == ("woods",)
    # Z is the 26th column, so it is not shifted.
    assert direction_to(map.hex("Y3"), map.hex("Z3")) == 1


words = st.sampled_from([".", "w", "w1", "2", "g-1", "b3"])
cells = st.integers(1, 7).flatmap(
    lambda columns: st.lists(st.lists(words, min_size=columns, max_size=columns), min_size=1, max_size=6)
)


@given(cells)
def test_every_hex_has_what_is_drawn(rows: list[list[str]]) -> None:
    draft = DrawingDraft("\n".join(" ".join(row) for row in rows), DRAFT.legend)
    map = read_drawing(draft)
    assert len(map.hexes) == sum(len(row) for row in rows)
    for number, row in enumerate(rows, 1):
        for column, word in zip("ABCDEFG", row, strict=False):
            facts = map.at(map.hex(f"{column}{number}"))
            code = word.strip("-.0123456789")
            assert facts.level == int(word.removeprefix(code).strip(".") or 0)
            terrain = [kind for kind in facts.terrain if kind not in (draft.hill, draft.depression)]
            assert sorted(terrain) == sorted(draft.kinds(code) if code else ())


def test_all_faults_of_a_drawing_are_listed_at_once() -> None:
    with pytest.raises(BadInput) as caught:
        read_drawing(DrawingDraft("w . .\n. .\n. ? w1x", {"w": "woods"}, first="?"), "s.yaml")
    assert [str(fault) for fault in caught.value.faults] == [
        "s.yaml: first: '?' is no hex label (expected a label such as K12 or BB3)",
        "s.yaml: cells, line 2: has 2 hexes (expected 3 as in line 1)",
        "s.yaml: cells, line 3: '?' at B3 is not in the legend (expected ., w)",
        "s.yaml: cells, line 3: 'w1x' at C3 is not in the legend (expected ., w)",
    ]
    with pytest.raises(BadInput, match="are empty"):
        read_drawing(DrawingDraft("\n"))


def test_a_map_is_shown_as_text() -> None:
    map = read_drawing(DrawingDraft(". . .\n. . .", {}))
    shown = lay_out_text(map, lambda hex: (map.label(hex), ""), width=4)
    assert str(shown).splitlines() == [
        "      ____",
        " ____/B1  \\____",
        "/A1  \\____/C1  \\",
        "\\____/B2  \\____/",
        "/A2  \\____/C2  \\",
        "\\____/    \\____/",
    ]


def test_what_stands_in_a_hex_is_told_by_the_caller() -> None:
    map = read_drawing(DrawingDraft(". . .\n. . .", {}))
    b2 = map.hex("B2")

    def cell(hex: Hex) -> tuple[str, str]:
        return map.label(hex), "T34\N{UPWARDS ARROW}" if hex == b2 else ""

    shown = lay_out_text(map, cell)
    line, start = shown.places[b2]
    assert shown.lines[line][start : start + shown.width] == "B2   "
    assert shown.lines[line + 1][start : start + shown.width] == "T34\N{UPWARDS ARROW}_"
    only = lay_out_text(map, cell, hexes=[b2])
    assert list(only.places) == [b2]
    assert str(lay_out_text(map, cell, hexes=[])) == ""
