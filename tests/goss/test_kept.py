"""What is kept from one state to the next never shows: a game is the same with everything forgotten."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.systems.goss.common.state import FormationState, FuelState, Use
from sandtable.systems.goss.movement.fuel import FUELLED
from sandtable.systems.goss.pieces.card import FormationId
from sandtable.systems.goss.pieces.unit import UnitId
from sandtable.systems.goss.rules import GossRules
from tests.goss.moving import NON_ROAD, Field
from tests.remembering import SEEDS, always, played, played_on_threads

SCENARIO = "goss-0-the-lorn-crossing"
OURS, FIRST = "ccb/1-CCB", "ccb/2-CCB"


def _anew(rules: GossRules) -> GossRules:
    """The same rules, knowing nothing yet."""
    return GossRules(rules.card, replace(rules.context))


def test_a_game_is_the_same_with_everything_forgotten_before_every_answer() -> None:
    ruleset: Any = catalog.open_scenario(SCENARIO).ruleset
    remembered = list(islice(played("kept", lambda: ruleset), 150))
    assert len(remembered) == 150
    assert list(islice(played("kept", lambda: _anew(ruleset)), 150)) == remembered


def test_games_on_several_threads_do_not_disturb_one_another() -> None:
    """All tables of a scenario share its rules."""
    ruleset: Any = catalog.open_scenario(SCENARIO).ruleset
    alone = [list(played(seed, always(_anew(ruleset)))) for seed in SEEDS]
    assert played_on_threads(_anew(ruleset)) == alone


@pytest.mark.rules("16.4.5b", system="goss")
def test_16_4_5b_who_may_move_follows_how_many_draw_on_the_fuel() -> None:
    """The same rules look at positions with more units and with fewer: in other games, or in what a bot imagines."""
    field = Field(NON_ROAD, ". . . .", {"0101": [OURS], "0201": [FIRST]})
    crowd = {
        UnitId(f"x{n}"): replace(field.unit(FIRST), id=UnitId(f"x{n}"), hex=field.rules.place("0301")) for n in range(9)
    }
    shared = FormationState(FuelState.LOW, fuel_value=2, is_by_units=True)
    few = replace(field.state, formations={FormationId("ccb"): shared}, used=(Use(FUELLED, by=FIRST),))
    many = replace(few, units={**few.units, **crowd})
    for state, has_fuel in ((few, False), (many, True), (few, False), (many, True)):
        field.state = state
        assert bool(field.reach(OURS)) is has_fuel, "half of the value, for ten or fewer"


@pytest.mark.rules("16.4.4b", "16.4.5b", "21.0", system="goss")
@pytest.mark.parametrize(
    ("units", "is_enough"),
    [
        ({"HQ": 1, "1-481": 9}, False),
        ({"HQ": 1, "1-481": 10}, True),  # on foot or not, and the HQ: eleven
        ({"HQ": 1, "1-481": 9, "61 Rcn": 1}, False),  # ten and a half are ten
        ({"HQ": 1, "1-481": 9, "61 Rcn": 2}, True),
        ({"HQ": 1, "1-481": 10, "came today": 1}, True),
        ({"HQ": 1, "1-481": 9, "came today": 5}, False),
    ],
)
def test_16_4_5b_an_hq_is_counted_and_half_a_unit_is_not(units: dict[str, int], *, is_enough: bool) -> None:
    """By the example of the book: fifteen battalions with the HQ, and a company that makes no sixteenth."""
    field = Field(NON_ROAD, ". . . .", {"0101": ["61-inf/HQ"], "0201": ["61-inf/1-481"], "0301": ["61-inf/61 Rcn"]})
    kinds = {"came today": replace(field.unit("61-inf/1-481"), arrived=0)}
    crowd = {
        UnitId(f"{name} {n}"): replace(kinds.get(name) or field.unit(f"61-inf/{name}"), id=UnitId(f"{name} {n}"))
        for name, number in units.items()
        for n in range(number - (name == "HQ"))
    }
    staff = {UnitId("61-inf/HQ"): field.unit("61-inf/HQ")}
    shared = FormationState(FuelState.LOW, fuel_value=2, is_by_units=True)
    used = (Use(FUELLED, by="1-481 0"),)
    field.state = replace(field.state, formations={FormationId("61-inf"): shared}, used=used, units=staff | crowd)
    assert bool(field.reach("61-inf/HQ")) is is_enough
