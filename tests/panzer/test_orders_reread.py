"""6.1 and 6.2 read again, sentence by sentence: what was legal and refused, or illegal and accepted."""

from __future__ import annotations

import pytest

from sandtable import catalog
from sandtable.core.errors import BadInput

rules = pytest.mark.rules
NA = "panzer-na"


@rules("5.1.3", system=NA)
@pytest.mark.parametrize("weapon", ["grw-34", "italian-hmg", "boys-atr", "german-flamethrower"])
def test_5_1_3_a_crew_served_weapon_is_never_fielded_alone(weapon: str) -> None:
    text = f"""
system: panzer-na
level: advanced
map: {{drawing: {{cells: ". ."}}}}
sides:
  - {{id: red, title: Red, units: [{{id: r1, card: {weapon}, at: A1}}]}}
  - {{id: blue, title: Blue, units: [{{id: b1, card: crusader-i, at: B1}}]}}
"""
    with pytest.raises(BadInput, match=r"sides\[0\]\.units\[0\]\.card"):
        catalog.open_situation(text, "alone")
