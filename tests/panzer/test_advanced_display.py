"""What is shown of Advanced units: counters with their weapons and passengers, markers, cards, notes of orders."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable import catalog
from sandtable.core.decision import Seat
from sandtable.core.dice import ScriptedDice
from sandtable.core.tree.slots import Assign
from sandtable.core.view import Counter, View
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.hex.state import State
from tests.panzer.scenario.test_equipment import bound, draft

NA = "panzer-na"


def opened(*german: dict[str, Any], **changes: Any) -> tuple[PanzerRules, State]:
    rules = PanzerRules(catalog.system(NA).card, bound(draft(*german, **changes)))
    return rules, rules.begin(rules.setup(), ScriptedDice(())).state


def view(*german: dict[str, Any], **changes: Any) -> View:
    rules, state = opened(*german, **changes)
    return rules.view(state, Seat("german"))


def counter(seen: View, name: str) -> Counter:
    return next(one for one in seen.counters if one.id == name)


@pytest.mark.rules("5.1.2", "5.1.3", system=NA)
def test_a_section_looks_like_the_weapon_that_it_serves() -> None:
    section = {"id": "m", "card": "german-section", "at": "B1", "attached": ["grw-34"]}
    face = counter(view(section), "m").face
    assert (face.symbol, face.title) == ("mortar", "8cm GrW 34")
    assert [value.text for value in face.values if value.name == "carries"] == ["8cm GrW 34"]


@pytest.mark.rules("6.6.7", system=NA)
def test_a_passenger_lies_on_its_vehicle_and_faces_nowhere() -> None:
    carrier = {"id": "v", "card": "spw-251-1", "at": "B1"}
    squad = {"id": "s", "card": "german-rifle-squad", "carried_by": "v"}
    found = counter(view(carrier, squad), "s")
    assert (found.held_by, found.hex, found.facing) == ("v", counter(view(carrier, squad), "v").hex, None)


def test_the_counters_on_a_unit_are_shown() -> None:
    tank = {"id": "t", "card": "pz-iiij", "at": "B1", "hull_down": "full", "track": True, "turret_damaged": True}
    gun = {"id": "g", "card": "pak-38", "at": "B1", "suppression": "SUPPRESSION/OFF", "full_cover": True}
    seen = view(tank, gun)
    assert {marker.text for marker in counter(seen, "t").markers} >= {"TURRET", "TRACK", "HD"}
    assert {marker.text for marker in counter(seen, "g").markers} >= {"SUPP", "FC"}
    assert "CHQ" in {marker.text for marker in counter(seen, "hq").markers}


def test_terrain_counters_are_shown_and_smoke_is_a_cloud() -> None:
    features = [{"kind": "smoke", "at": ["C1"]}, {"kind": "hasty entrenchment", "at": ["B1"], "unit": "hq"}]
    found = {one.marker.text: one.marker for one in view(features=features).hex_markers}
    assert found["SMOKE/ON"].tone == "smoke"
    assert found["ENTR"].title == "Hasty entrenchment of hq"


def test_a_card_is_shown_whole_with_what_is_attached_and_where_each_value_comes_from() -> None:
    section = {"id": "m", "card": "german-section", "at": "B1", "attached": ["grw-34"]}
    rules, state = opened(section)
    card = rules.cards[rules.card_of(state)["m"]]  # type: ignore[index]
    assert [weapon.name for weapon in card.weapons] == ["Small arms", "8cm GrW 34"]
    assert card.advanced is not None
    assert card.verbatim["weapons.1.gp.0.minimum"] == "5.6"
    assert rules.cards[rules.card_of(state)["hq"]].advanced is not None  # type: ignore[index]


@pytest.mark.rules("6.2.1.1.2", system=NA)
def test_orders_say_who_is_in_command_range_and_what_a_formation_has() -> None:
    near, far = {"id": "a", "card": "pz-iiij", "at": "B1"}, {"id": "z", "card": "pz-iiij", "at": "F1"}
    rules, state = opened(near, far)
    decision = rules.decision(state)
    assert decision is not None
    node = decision.options(Seat("german")).root
    assert isinstance(node, Assign)
    assert {slot.key: slot.note for slot in node.slots} == {
        "a": "in range: hq",
        "hq": "in range: a",
        "z": "nobody in range",
    }
    assert node.budgets[0].note.startswith("3 active, Command Range")
