"""The units of the pack: the method gives every value again, every known counter comes out, and faults are named."""

from collections import Counter

import pytest

from sandtable.core.errors import BadInput
from sandtable.systems.goss.pieces.card import CardId, TypeId
from sandtable.systems.goss.pieces.card_files import parse_shelf
from sandtable.systems.goss.pieces.history import Company
from sandtable.systems.goss.pieces.reconstruct import rebuild
from sandtable.systems.goss.pieces.unit_type import UnitType
from tests.goss.shelf import library, shelf

rules = pytest.mark.rules
TYPES = shelf().types


@pytest.mark.parametrize("unit", TYPES.values(), ids=lambda unit: unit.id)
def test_the_method_gives_every_value_again(unit: UnitType) -> None:
    assert rebuild(unit) == unit


def printed(unit: UnitType) -> str:
    """A counter as unit lists write it: the raised factor in brackets behind what it stands beside."""
    arm = f"({unit.arm[0]})" if unit.arm[0] and unit.arm[0] == unit.arm[1] else ""
    at = f"({unit.at})" if unit.at else ""
    return f"{unit.full.attack}{arm}-{unit.full.defence}{at}-{unit.ma}"


@pytest.mark.parametrize(
    ("unit", "counter"),
    [
        ("de-88-flak", "2-3(6)-12"),
        ("de-75-at", "1-2(4)-9"),
        ("de-75-at-motorised", "1-2(4)-12"),
        ("de-88-at", "2-3(7)-12"),
        ("de-recon-company", "2(2)-3-12"),
        ("de-light-recon-company", "2-2-14"),
        ("de-motorised-company", "2-2-12"),
        ("de-armoured-company", "3-3(1)-12"),
        ("de-armoured-engineer-company", "2-3(1)-12"),
        ("de-engineer-company", "1-2(1)-6"),
        ("de-engineer-company-poor", "1-1-6"),
        ("de-motorised-engineer-company", "2-2(1)-12"),
        ("de-company-226", "2-2-6"),
        ("de-company-126", "1-2-6"),
        ("de-at-company", "1-2-6"),
    ],
)
def test_every_published_counter_comes_out(unit: str, counter: str) -> None:
    assert printed(TYPES[TypeId(unit)]) == counter


def test_every_value_that_the_text_states_comes_out() -> None:
    """4.2.2, 1.5.0, 11.3.1, 11.4.1d, 5.5.3b, 7.6.1e, 13.10.3, and the Z-step of the published lists."""
    infantry, veterans = TYPES[TypeId("us-infantry")], TYPES[TypeId("us-infantry-veteran")]
    assert (infantry.full, infantry.reduced) == ((7, 8), (5, 6))
    assert [infantry.ratings[0], veterans.ratings[0]] == [6, 7]
    assert infantry.ma == 6
    assert TYPES[TypeId("us-engineer-company")].full.defence == 3
    assert (TYPES[TypeId("us-105")].range, TYPES[TypeId("us-105")].barrage) == (5, 3)
    assert TYPES[TypeId("us-armoured-infantry")].ma == 12
    assert TYPES[TypeId("de-at-company")].z_step == (0, 1)
    assert {one.steps for one in TYPES.values() if one.id.endswith("-hq")} == {2}


def test_battalions_break_down_as_18_5_0_has_it() -> None:
    """Defence of seven or more: attack six or more gives 2-2-6 alone, five gives one of them; all others 1-2-6."""
    for name, strong in (("us-infantry", 3), ("de-infantry", 1), ("de-infantry-good", 1), ("de-infantry-worn", 0)):
        unit = TYPES[TypeId(name)]
        expected = 0 if unit.full.defence < 7 or unit.full.attack < 5 else 1 if unit.full.attack == 5 else 3
        assert expected == strong
        assert Counter(unit.history.companies)[Company.RIFLE] == strong, name


def test_what_is_known_is_marked() -> None:
    assert TYPES[TypeId("us-infantry")].known["full"] == "4.2.2"
    assert TYPES[TypeId("us-hybrid")].known == {}


@pytest.mark.parametrize(
    ("formation", "units"),
    [("61-inf", 14), ("2-arm", 19), ("1-inf", 18), ("30-inf", 18), ("2-pz", 21), ("183-vg", 15), ("116-pz", 19)],
)
def test_formations_are_as_large_as_they_were(formation: str, units: int) -> None:
    assert sum(card.formation == formation for card in shelf().cards.values()) == units


def test_the_lorn_crossing_has_its_forty_units() -> None:
    lorn = ("xl-corps", "61-inf", "ccb", "xciii-corps", "791-inf", "944-flak", "191-pz")
    assert sum(card.formation in lorn for card in shelf().cards.values()) == 40


@rules("9.3.3", system="goss")
def test_9_3_3_a_regiment_has_its_battalions() -> None:
    regiment = [card.id for card in shelf().cards.values() if (card.formation, card.regiment) == ("61-inf", "481")]
    assert regiment == ["61-inf/1-481", "61-inf/2-481", "61-inf/3-481"]
    led = [card for card in shelf().cards.values() if card.formation == "ccb" and card.echelon]
    assert [card.id for card in led] == ["ccb/1-CCB"]
    assert shelf().cards[CardId("61-inf/HQ")].echelon == "division"


# --- files with faults ---


def broken(old: str, new: str, name: str = "lorn") -> str:
    files = {place: data for _, data, place in library().section("cards")}
    place = next(one for one in files if one.endswith(f"/{name}.yaml"))
    text = files[place].decode()
    assert old in text
    files[place] = text.replace(old, new, 1).encode()
    with pytest.raises(BadInput) as bad:
        parse_shelf(files)
    return str(bad.value)


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("lorn", "hq: HQ", 'hq: ""', "formations[0].hq: none"),
        ("lorn", "hq: HQ", "hq: Staff", "formations[0].hq: no unit 'Staff' in it"),
        ("lorn", '"2-481"', '"1-481"', "formations[1].units[2].id: 1-481 stands twice"),
        ("lorn", "type: us-8in", "type: us-9in", "no type 'us-9in'"),
        ("lorn", "id: 61-inf", "id: xl-corps", "xl-corps stands twice"),
        ("types", "size: Bn\n    steps: 3", "size: Co\n    steps: 3", "types[3].steps: 3 of a Co"),
        ("types", "movement: Leg", "movement: Static", "of a Static unit"),
        ("types", "    reduced: [5, 6]\n", "", "reduced: of a unit with two or three steps"),
        ("types", "weight: H", "weight: X", "weight: 'X'"),
        ("types", "known: {full", "known: {fool", "known.fool: no field of a type"),
    ],
)
def test_every_fault_is_named_with_its_field(name: str, old: str, new: str, told: str) -> None:
    assert told in broken(old, new, name)


def test_another_folder_s_type_replaces_the_shipped_one() -> None:
    files = {place: data for _, data, place in library().section("cards")}
    mine = next(data for place, data in files.items() if place.endswith("/types.yaml")).decode()
    one = mine[: mine.index("  - id: us-armoured-infantry\n")].replace("full: [7, 8]", "full: [8, 8]")
    found = parse_shelf({**files, "mine/cards/types.yaml": one.encode()})
    assert found.cards[CardId("61-inf/1-481")].full == (8, 8)
