"""What holds of driving whatever is drawn: a table turned, mirrored or shifted changes nothing, and answers agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.core.decision import Stroke
from sandtable.core.tree.drawing import Strokes
from sandtable.geo.plane.points import label
from sandtable.systems.panzer.mini.movement.drive import DrivePath
from sandtable.systems.panzer.unit import UnitId
from tests.panzer.mini.drawings import check_drawings
from tests.panzer.mini.games import position

SIZE = 60
MIDDLE = SIZE * 500
Spot = tuple[int, int]
Motion = Callable[[Spot], Spot]

AREAS: tuple[tuple[str, int | None, list[Spot]], ...] = (
    ("hill", 1, [(33000, 22000), (40000, 22000), (40000, 38000), (33000, 38000)]),
    ("slope", None, [(32500, 28000), (33500, 28000), (33500, 32000), (32500, 32000)]),
    ("scrub", None, [(28000, 24000), (31000, 24500), (31500, 27000), (28500, 27500)]),
    ("rough", None, [(24000, 31000), (28000, 30500), (28500, 35000), (24500, 35500)]),
    ("woods", None, [(22000, 22000), (26000, 23000), (25000, 27000), (21500, 26000)]),
    ("heavy_woods", None, [(30000, 35000), (33000, 35500), (32000, 39000), (29000, 38000)]),
    ("brick_building", None, [(34500, 25000), (36500, 25000), (36500, 26500), (34500, 26500)]),
)
LINES: tuple[tuple[str, list[Spot]], ...] = (
    ("stream", [(20000, 40000), (28000, 37000), (42000, 41000)]),
    ("road", [(30000, 18000), (30000, 30000), (38000, 30000)]),
)
ENEMY = (36000, 31500)


def _inches(spot: Spot) -> list[float]:
    return [spot[0] / 1000, spot[1] / 1000]


def drive(motion: Motion, turn: Callable[[int], int]) -> DrivePath:
    features: list[dict[str, Any]] = [
        {
            "kind": kind,
            "outline": [_inches(motion(spot)) for spot in outline],
            **({} if level is None else {"level": level}),
        }
        for kind, level, outline in AREAS
    ]
    features += [
        {"kind": kind, "text": kind, "line": [label(motion(spot)) for spot in line], "width": 1} for kind, line in LINES
    ]
    found = position(
        map={"drawn": {"table": {"width": SIZE, "depth": SIZE}, "features": features}},
        sides=[
            {
                "id": "soviet",
                "title": "",
                "units": [
                    {
                        "id": "S1",
                        "card": "t-34-76-m42",
                        "at": label(motion((30000, 28000))),
                        "heading": turn(0) / 10,
                        "command": "MOVE",
                    }
                ],
            },
            {
                "id": "german",
                "title": "",
                "units": [{"id": "G1", "card": "pz-ivg", "at": label(motion(ENEMY)), "heading": turn(900) / 10}],
            },
        ],
    )
    ruleset: Any = found.ruleset
    return DrivePath(ruleset.context, found.state, found.state.units[UnitId("S1")])


def _moved(strokes: Strokes, motion: Motion, turn: Callable[[int], int]) -> Strokes:
    return tuple(
        Stroke(
            one.verb,
            None if one.at is None else motion(one.at),
            None if one.heading is None else turn(one.heading),
            one.ref,
        )
        for one in strokes
    )


MOTIONS: dict[str, tuple[Motion, Callable[[int], int]]] = {
    "quarter turn": (lambda p: (2 * MIDDLE - p[1], p[0]), lambda h: (h + 900) % 3600),
    "half turn": (lambda p: (2 * MIDDLE - p[0], 2 * MIDDLE - p[1]), lambda h: (h + 1800) % 3600),
    "mirror": (lambda p: (2 * MIDDLE - p[0], p[1]), lambda h: -h % 3600),
    "shift": (lambda p: (p[0] + 3217, p[1] - 4111), lambda h: h),
}
STILL = drive(lambda p: p, lambda h: h)
MOVED = {name: drive(*motion) for name, motion in MOTIONS.items()}
spots = st.tuples(st.integers(21000, 41000), st.integers(19000, 41000))
strokes = st.lists(
    st.one_of(
        spots.map(lambda at: Stroke("go", at)),
        spots.map(lambda at: Stroke("back", at)),
        st.integers(0, 3599).map(lambda heading: Stroke("face", heading=heading)),
        spots.map(lambda at: Stroke("along", at, ref="road")),
    ),
    max_size=4,
).map(tuple)


@settings(max_examples=40)
@given(strokes, st.sampled_from(sorted(MOTIONS)))
def test_shifting_turning_and_mirroring_change_no_cost_and_no_refusal(drawn: Strokes, name: str) -> None:
    _check_moved(drawn, MOVED[name], MOTIONS[name])


shifts = st.tuples(st.integers(-12000, 12000), st.integers(-12000, 12000))


@settings(max_examples=20)
@given(st.lists(strokes, min_size=1, max_size=8), st.sampled_from(sorted(MOTIONS)), shifts)
def test_nor_does_shifting_by_any_whole_vector(drawings: list[Strokes], name: str, shift: Spot) -> None:
    motion, turn = MOTIONS[name]

    def shifted(spot: Spot) -> Spot:
        x, y = motion(spot)
        return x + shift[0], y + shift[1]

    moved = drive(shifted, turn)
    for drawn in drawings:
        _check_moved(drawn, moved, (shifted, turn))


def _check_moved(drawn: Strokes, moved: DrivePath, by: tuple[Motion, Callable[[int], int]]) -> None:
    """A drawing says the same on a table that was moved."""
    one, other = STILL.judge(drawn), moved.judge(_moved(drawn, *by))
    assert (one.refusal is None) == (other.refusal is None)
    if one.refusal is not None and other.refusal is not None:
        assert one.refusal.rule == other.refusal.rule
    assert one.upto == other.upto
    assert [mark.spent for mark in one.marks] == [mark.spent for mark in other.marks]
    motion, _ = by
    assert [motion((mark.at[0], mark.at[1])) for mark in one.marks] == [tuple(mark.at) for mark in other.marks]


@settings(max_examples=20)
@given(strokes)
def test_as_far_as_a_way_is_said_to_hold_it_holds(drawn: Strokes) -> None:
    judged = STILL.judge(drawn)
    assert STILL.judge(drawn[: judged.upto]).refusal is None
    spent = [mark.spent or 0 for mark in judged.marks]
    assert spent == sorted(spent)


def test_mutated_drawings_are_judged_alike_by_all() -> None:
    legal = check_drawings(100, 1)
    assert 0 < legal < 100
