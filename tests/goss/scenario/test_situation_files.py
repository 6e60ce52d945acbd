"""Situation files of GOSS: counters of their own, and what is wrong with a counter or a question is named."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.core.errors import BadInput
from sandtable.systems.goss.system import GOSS
from tests.goss.positions import position

US, THEM = "61-inf/1-481", "791-inf/I-1571"


def faults(question: dict[str, Any], **more: Any) -> str:
    """What is wrong with a question."""
    found = position(". . . .", {"0101": [US], "0201": ["61-inf/2-481"]}, {"0301": [THEM]}, **more)
    with pytest.raises(BadInput) as bad:
        GOSS.answer(found, question, "file")
    return str(bad.value)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ({"unit": "61-inf/9-999"}, "no unit '61-inf/9-999'"),
        ({"losses": {"unit": "nobody"}}, "ask.losses.unit"),
        ({"rounded": "much"}, "'much' is no number"),
        ({"rounded": "1/0"}, "'1/0' is no number"),
        ({"stack": {"hex": "0909", "units": [US]}}, "ask.stack.hex: '0909' is not on the map"),
        ({"stack": {"hex": "0101", "units": []}}, "nobody"),
        ({"hexside": ["0101", "0301"]}, "no neighbours"),
        ({"cost": {"units": [US], "by": "Mech road movement", "way": ["0201"]}}, "do not move as one"),
        ({"cost": {"units": [US], "by": "non-road movement", "way": ["0301"]}}, "0301 is no neighbour"),
        ({"ratio": {"line": 5, "attack": 1, "defence": 1}}, "1 to 4"),
        ({"assault": {"hex": "0401", "attackers": [US]}}, "nobody defends 0401"),
        ({"assault": {"hex": "0301", "attackers": [US]}}, "61-inf/1-481 is not beside it"),
        ({"assault": {"hex": "0301", "attackers": ["61-inf/2-481"], "leads": {"axis": US}}}, "cannot lead axis"),
        ({"attackers": "0401"}, "nobody holds 0401"),
        ({"observes": {"unit": "nobody"}}, "ask.observes.unit"),
        ({"assaults": "nobody"}, "no formation 'nobody'"),
        ({"mission": {"spotter": "nobody", "hex": "0301"}}, "ask.mission.spotter"),
    ],
)
def test_a_question_that_has_no_answer_says_why(question: dict[str, Any], told: str) -> None:
    assert told in faults(question, segment="non-road movement", us={"sources": ["0101"]})


def test_a_mission_that_nobody_may_call_names_the_rule() -> None:
    found = position(". . . .", {"0101": [US]}, {"0301": [THEM]})
    told = GOSS.answer(found, {"mission": {"spotter": US, "hex": "0301"}}, "file")
    assert told["refused"] == "11.2.1"


def counters(drafts: dict[str, dict[str, Any]]) -> Any:
    """A position with counters of its own, all of them set up in the first hex."""
    return position(". . .", {"0101": list(drafts)}, {"0301": [THEM]}, counters=drafts)


def test_a_counter_is_a_type_with_what_is_other_on_it() -> None:
    found = counters({"61-inf/Cdo": {"type": "us-infantry", "ratings": [8, 8], "regiment": "9"}})
    told = GOSS.answer(found, {"unit": "61-inf/Cdo"}, "file")
    assert (told["strength"], told["ratings"], told["regiment"]) == ([7, 8], [8, 8], "9")
    other = position(". .", {"0101": [US]}, {})
    assert GOSS.answer(other, {"unit": US}, "file")["ratings"] == [6, 7], "what is no counter of its own is the pack's"


@pytest.mark.parametrize(
    ("name", "draft", "told"),
    [
        ("nowhere/Cdo", {"type": "us-infantry"}, "counters.nowhere/Cdo: of no formation"),
        ("61-inf", {"type": "us-infantry"}, "counters.61-inf: of no formation"),
        ("61-inf/Cdo", {"type": "us-cavalry"}, "counters.61-inf/Cdo.type: no type 'us-cavalry'"),
        ("61-inf/Cdo", {"type": "us-infantry", "steps": 4}, "counters.61-inf/Cdo.steps: 4 of a Bn"),
        ("61-inf/Cdo", {"type": "us-infantry", "colour": "red"}, "counters.61-inf/Cdo"),
    ],
)
def test_a_counter_that_cannot_be_is_named(name: str, draft: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput) as bad:
        counters({name: draft})
    assert told in str(bad.value)
