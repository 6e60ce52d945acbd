"""Places by label in actions that people write."""

from typing import NamedTuple

import msgspec
import pytest

from sandtable.core.errors import BadInput, Fault
from sandtable.core.places import with_places


class Spot(NamedTuple):
    q: int
    r: int


class Step(msgspec.Struct):
    to: Spot
    kind: str = ""


class Go(msgspec.Struct, tag=True):
    unit: str
    steps: tuple[Step, ...] = ()
    path: list[Spot] = []
    last: Spot | None = None
    pair: tuple[str, Spot] | None = None
    by_name: dict[str, Spot] = {}


class Say(msgspec.Struct, tag=True):
    last: str


SPOTS = {"A1": Spot(0, 1), "B2": Spot(1, 2)}


def spot(label: str) -> Spot:
    if label not in SPOTS:
        raise BadInput([Fault("hex", f"{label!r} is not on the map")])
    return SPOTS[label]


def test_labels_become_places_wherever_the_type_has_one() -> None:
    written = {
        "type": "Go",
        "unit": "A1",
        "steps": [{"to": "B2", "kind": "A1"}],
        "path": ["A1", [5, 6]],
        "last": "B2",
        "pair": ["A1", "A1"],
        "by_name": {"A1": "B2"},
    }
    action = msgspec.convert(with_places(written, Go | Say, spot), Go | Say)
    assert action == Go(
        unit="A1",
        steps=(Step(Spot(1, 2), "A1"),),
        path=[Spot(0, 1), Spot(5, 6)],
        last=Spot(1, 2),
        pair=("A1", Spot(0, 1)),
        by_name={"A1": Spot(1, 2)},
    )


def test_texts_stay_texts() -> None:
    written = {"type": "Say", "last": "A1"}
    assert with_places(written, Go | Say, spot) == written


def test_what_does_not_fit_is_left_to_the_reader() -> None:
    for odd in ("Go", 7, None, {"type": "Go", "path": "A1", "steps": 3, "more": "A1"}):
        assert with_places(odd, Go | Say, spot) == odd


def test_an_unknown_label_is_named() -> None:
    with pytest.raises(BadInput, match="Z9"):
        with_places({"type": "Go", "unit": "x", "last": "Z9"}, Go | Say, spot)
