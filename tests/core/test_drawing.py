"""Drawings as text, and questions that are open: sampled and judged, never counted."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.core.decision import Branch, Countless, Judged, Leaf, Options, Pick, Put, Stroke, Strokes, Suggestion
from sandtable.core.errors import BadInput, Refusal, Refused
from sandtable.core.thousandths import MOST, read_thousandths, thousandths
from sandtable.core.tree.drawing import MOST_STROKES, drawing_text, read_drawing_text

numbers = st.integers(-MOST, MOST)
strokes = st.builds(
    Stroke,
    st.sampled_from(["go", "back", "face", "along", "put"]),
    st.none() | st.tuples(numbers, numbers),
    st.none() | st.integers(0, 3599),
    st.sampled_from(["", "north road", "road to the mill", "road 7"]),
)


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("stay", ()),
        ("go 12.5,30", (Stroke("go", (12_500, 30_000)),)),
        ("face 22.5", (Stroke("face", heading=225),)),
        ("put 1,2 facing 45", (Stroke("put", (1000, 2000), 450),)),
        ("along north road to 20,31", (Stroke("along", (20_000, 31_000), ref="north road"),)),
        ("go 1,1; back -0.5,1.001", (Stroke("go", (1000, 1000)), Stroke("back", (-500, 1001)))),
    ],
)
def test_drawings_are_written_as_people_speak_of_them(text: str, drawn: Strokes) -> None:
    assert read_drawing_text(text) == drawn
    assert drawing_text(drawn) == text


@given(st.lists(strokes, max_size=6).map(tuple))
def test_the_text_of_a_drawing_reads_back(drawn: Strokes) -> None:
    assert read_drawing_text(drawing_text(drawn)) == drawn


@given(numbers)
def test_thousandths_read_back(number: int) -> None:
    assert read_thousandths(thousandths(number)) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        "go 1",
        "go 1,2,3",
        "go 1.0001,2",
        "face 360",
        "face -1",
        "face 1.25",
        "GO 1,2",
        "go nan,1",
        "go 1e3,2",
        "; go 1,2",
    ],
)
def test_what_is_no_drawing(text: str) -> None:
    found = read_drawing_text(text)
    # ``go 1`` reads as a heading and is for the judge to refuse.
    assert found is None or text == "go 1"


@given(st.text(max_size=40))
def test_no_text_breaks_the_reader(text: str) -> None:
    found = read_drawing_text(text)
    assert found is None or read_drawing_text(drawing_text(found)) == found


def test_endless_drawings_are_none() -> None:
    assert read_drawing_text("; ".join(["go 1,1"] * MOST_STROKES)) is not None
    assert read_drawing_text("; ".join(["go 1,1"] * (MOST_STROKES + 1))) is None
    assert read_drawing_text("go " + "1" * 10_000) is None


class Flag(Put[str]):
    """A flag anywhere in the first inch."""

    turns = False

    def judge(self, strokes: Strokes) -> Judged:
        match strokes:
            case (Stroke(verb="put", at=(x, y), heading=None, ref=""),) if 0 <= x <= 1000 and 0 <= y <= 1000:
                return Judged(None, 1)
            case _:
                return Judged(Refusal("1.1", "not in the first inch", "0,0 to 1,1"))

    def worded(self, strokes: Strokes) -> str:
        return f"flag {drawing_text(strokes)}"

    def strokes_of(self, action: str) -> Strokes | None:
        return read_drawing_text(action.removeprefix("flag "))

    def suggestions(self) -> Iterator[Suggestion]:
        yield Suggestion("in the corner", self.at(0, 0))


def test_an_open_question_is_sampled_and_walked_by_its_suggestions_and_never_counted() -> None:
    options = Options(Flag(), lambda action: None)
    assert list(options) == ["flag put 0,0"]
    assert options.sample(Random(0)) == "flag put 0,0"
    assert options.count() is None
    with pytest.raises(Countless):
        len(options)
    assert options.root.is_open


def test_a_drawing_of_ones_own_has_a_branch_and_a_wrong_one_a_refusal() -> None:
    options = Options(Flag(), lambda action: None)
    assert list(options.at("put 0.25,0.75")) == ["flag put 0.25,0.75"]
    with pytest.raises(Refused, match=r"not in the first inch \(1.1\)"):
        options.at("put 2,0.75")
    with pytest.raises(BadInput, match="a drawing such as put 0,0"):
        options.at("over there")


def test_one_suggestion_is_not_the_only_answer() -> None:
    """Else it would be given without asking."""
    assert Options(Flag(), lambda action: None).only() is None
    below: Pick[str] = Pick(lambda: [Branch("flag", "unit", "flag", Flag())])
    assert Options(below, lambda action: None).only() is None
    assert below.count() is None
    assert below.holds_open()
    closed: Pick[str] = Pick(lambda: [Branch("a", "unit", "a", Leaf("a"))])
    assert Options(closed, lambda action: None).only() == "a"
    assert not closed.holds_open()
