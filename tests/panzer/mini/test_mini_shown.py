"""What the table shows of events and vehicles."""

from __future__ import annotations

from sandtable.core.capabilities import ShowsOutlines
from sandtable.core.showing import ShowsEvents
from tests.panzer.mini.games import at_random, events_of, game_of


def test_events_and_outlines_are_shown_for_every_vehicle() -> None:
    game = at_random(game_of("pm-b-the-ridge"), 2, 25)
    ruleset, state = game.ruleset, game.state
    assert isinstance(ruleset, ShowsEvents)
    assert isinstance(ruleset, ShowsOutlines)
    kinds = {shown.kind for event in events_of(game) if (shown := ruleset.show(event)) is not None}
    assert {"phase", "mark"} <= kinds
    for unit in state.units.values():
        for what in ruleset.outline_titles:
            for zone in ruleset.outlines(ruleset.conceal(state, None), None, unit.id, what):
                assert len(zone.outline) > 2
    assert not ruleset.outlines(state, None, "nobody", "fire")
