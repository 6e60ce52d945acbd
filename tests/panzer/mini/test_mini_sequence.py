"""3.0 Sequence of Play, 2.0 set-up: games of the pack's scenarios run through their phases."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.core.errors import BadInput
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.mini import events as ev
from sandtable.systems.panzer.mini.system import PANZER_MINIATURES
from tests.panzer.mini.games import LIBRARY, at_random, draft_of, events_of, game_of, position

SYSTEM = "panzer-mini"


def test_the_pack_is_whole() -> None:
    PANZER_MINIATURES.check_pack(LIBRARY)


@pytest.mark.rules("3.0", "3.1", "3.2", "3.3", "3.6", "3.6.1", "3.6.2", "3.6.3", "3.6.4", "10.0", system=SYSTEM)
def test_3_0_the_phases_come_in_their_order() -> None:
    game = at_random(game_of("pm-a-first-drive"), 1, 2000)
    events = events_of(game)
    phases = [event.phase.value for event in events if isinstance(event, shared.PhaseBegan)]
    turn = [phase for phase in phases[:6] if phase in ("Spotting", "Command", "Initiative", "Adjustment")]
    assert turn[:4] == ["Spotting", "Command", "Initiative", "Adjustment"]
    assert game.state.ended == "turn 6 was the last"


@pytest.mark.rules("2.0", "4.2", system=SYSTEM)
def test_2_0_the_lower_roll_sets_up_first_and_picks_its_edge() -> None:
    game = game_of("pm-1-the-bridge")
    rolled = [event for event in events_of(game) if isinstance(event, ev.SetUpRolled)]
    rolls = rolled[-1].rolls
    assert game.decision is not None
    assert game.decision.asked == (min(rolls, key=lambda seat: rolls[seat]),)
    assert game.decision.title == "Choose where to set up"
    while game.state.turn == 0:
        at_random(game, 3, 1)
    state = game.state
    assert sorted(state.zones.values()) == ["north", "south"]
    for unit in state.units.values():
        assert unit.at is not None
        assert (unit.at.y <= 12000) == (state.zones[unit.side] == "north")


@pytest.mark.parametrize(
    ("unit", "field"),
    [
        ({"at": "99,3"}, "at"),
        ({"at": "0.2,3"}, "at"),
        ({"at": "5,5", "heading": 12.34}, "heading"),
        ({"at": "5,5", "turret": "left", "card": "su-85"}, "turret"),
        ({"at": "5.1234,5"}, "at"),
        ({"at": "10,10.5"}, "sides"),
    ],
)
def test_a_unit_that_cannot_stand_there_is_named(unit: dict[str, Any], field: str) -> None:
    other = {"id": "G2", "card": "pz-ivg", "at": "10,10"}
    sides = [
        {"id": "german", "title": "", "units": [other]},
        {"id": "soviet", "title": "", "units": [{"id": "S1", "card": "t-60", **unit}]},
    ]
    with pytest.raises(BadInput) as bad:
        position(sides=sides)
    assert any(field in fault.where for fault in bad.value.faults)


def test_a_scenario_of_another_book_is_refused() -> None:
    with pytest.raises(BadInput):
        PANZER_MINIATURES.ruleset({**draft_of("pm-a-first-drive"), "system": "mbt"}, LIBRARY, "x")
