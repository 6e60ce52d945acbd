"""Reading: every fault at once, each with its field."""

from enum import StrEnum

import msgspec
import pytest

from sandtable.core.content.reading import convert, read_yaml
from sandtable.core.content.yaml_text import parse_yaml
from sandtable.core.errors import BadInput, Fault, Faults


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Wheel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    size: int


class Cart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    colour: Colour
    wheels: list[Wheel]
    spares: dict[str, Wheel] = {}
    load: int | None = None


class BadInputReader:
    def read(self) -> None:
        raise BadInput([Fault("inner: a", "wrong", "right")])


def faults_of(text: str) -> list[str]:
    with pytest.raises(BadInput) as caught:
        read_yaml(text, Cart, "cart.yaml")
    return [fault.where for fault in caught.value.faults]


def test_a_good_document_is_read() -> None:
    cart = read_yaml("{name: Ann, colour: red, wheels: [{size: 3}], load: null}", Cart, "cart.yaml")
    assert cart == Cart("Ann", Colour.RED, [Wheel(3)])


def test_all_faults_are_named_at_once() -> None:
    text = "{colour: green, wheels: [{size: x}, {}, {size: 1, hue: 2}], spares: {a: {size: y}}, load: z, top: 1}"
    assert faults_of(text) == [
        "cart.yaml: top",
        "cart.yaml: name",
        "cart.yaml: colour",
        "cart.yaml: wheels[0].size",
        "cart.yaml: wheels[1].size",
        "cart.yaml: wheels[2].hue",
        "cart.yaml: spares.a.size",
        "cart.yaml: load",
    ]


def test_an_unknown_field_is_told_which_there_are() -> None:
    with pytest.raises(BadInput, match="expected one of colour, load, name, spares, wheels"):
        convert({"name": "Ann", "colour": "red", "wheels": [], "color": "red"}, Cart, "cart.yaml")


@pytest.mark.parametrize("text", ["a: [1", "a: b: c", "\t- x", "%"])
def test_what_is_no_yaml_is_named_with_its_line(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_yaml(f"# first line\n{text}", "cart.yaml")
    (fault,) = caught.value.faults
    assert fault.where.startswith("cart.yaml")


def test_what_is_no_text_is_named() -> None:
    with pytest.raises(BadInput, match=r"cart.yaml"):
        parse_yaml(b"name: \xff\xfe", "cart.yaml")


def test_a_document_of_another_shape_is_one_fault() -> None:
    assert faults_of("[1, 2]") == ["cart.yaml"]


def test_faults_gather_from_inner_readers() -> None:
    faults = Faults("outer")
    with faults.gathering():
        BadInputReader().read()
    faults.add("b", "missing")
    with pytest.raises(BadInput) as caught:
        faults.check()
    assert str(caught.value) == "inner: a: wrong (expected right)\nouter: b: missing"


def test_no_faults_no_error() -> None:
    faults = Faults("outer")
    faults.check()
    assert not faults
