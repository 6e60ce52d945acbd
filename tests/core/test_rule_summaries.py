"""Every rule that the program enforces says in a sentence or two what it is about."""

import re

import pytest

from sandtable import catalog
from sandtable.core.content.rule import RuleCoverage, RuleStatus

SYSTEMS = sorted(catalog.system_ids())
SHORT, LONG = 20, 330


def told(system_id: str) -> list[RuleCoverage]:
    enforced = (RuleStatus.IMPLEMENTED, RuleStatus.DATA)
    return [entry for entry in catalog.rule_coverage(system_id) if entry.status in enforced]


@pytest.mark.parametrize("system_id", SYSTEMS)
def test_every_implemented_rule_has_a_summary(system_id: str) -> None:
    assert [entry.number for entry in told(system_id) if not entry.summary] == []


@pytest.mark.parametrize("system_id", SYSTEMS)
def test_summaries_are_one_or_two_plain_sentences(system_id: str) -> None:
    for entry in told(system_id):
        text = entry.summary
        assert SHORT < len(text) < LONG, entry.number
        assert text[0].isupper(), entry.number
        assert text.endswith("."), entry.number
        assert len(re.findall(r"[.!?](?= |$)", text)) <= 3, entry.number
