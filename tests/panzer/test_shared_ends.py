"""6.2.1.1.4 Where sharers of a command may end is kept and asked for hex by hex: it is what a search finds anew."""

from random import Random

import pytest

from sandtable import catalog
from sandtable.core.dice import SeededDice
from sandtable.geo.hex import Hex, distance
from sandtable.sim.playout import play_out
from sandtable.systems.panzer.command.sharing import sharers
from sandtable.systems.panzer.frames import Movement
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.movement.columns import column_of
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.movement.moving import waiting_to_move
from sandtable.systems.panzer.hex.movement.reach import ends_of
from sandtable.systems.panzer.hex.movement.shared_ends import mover_among_sharers
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.hex.state import State, Unit


def _ends(context: Context, state: State, unit: Unit) -> frozenset[Hex]:
    """Where a sharer may be in the end: where it is, if it has moved."""
    assert unit.hex is not None
    mover = Mover(context, state, unit)
    return frozenset({unit.hex}) if unit.moved else ends_of(mover, mover.start())


@pytest.mark.rules("6.2.1.1.4", system="panzer-na")
def test_6_2_1_1_4_what_is_kept_of_the_ends_of_moves_is_what_a_search_finds_anew() -> None:
    ruleset = catalog.open_scenario("na-adv-breakthrough").ruleset
    assert isinstance(ruleset, PanzerRules)
    context, rng, dice = ruleset.context, Random("ends"), SeededDice("ends")
    state = ruleset.begin(ruleset.setup(), dice).state
    asked = shared = 0
    while asked < 8:
        state = play_out(ruleset, state, dice, rng, limit=1).state
        frame = state.stack[-1] if state.stack else None
        if not isinstance(frame, Movement):
            continue
        asked += 1
        units = [one for one in waiting_to_move(state, frame.player) if one.hex is not None]
        for unit in units[:6]:
            mover = Mover(context, state, unit)
            known = ends_of(mover, mover.start())
            mover.table.ends.clear()
            assert ends_of(mover, mover.start()) == known
            others = [one for one in sharers(state.units, unit) if one is not unit and one.in_play and one.hex]
            held = mover_among_sharers(context, state, unit)
            if not others or column_of(context, state, unit) or any(one.markers.track for one in others):
                continue
            near = context.command_reach(unit)
            theirs = [_ends(context, state, one) for one in others]
            ends = {hex for hex in known if all(any(distance(hex, end) <= near for end in one) for one in theirs)}
            if ends:
                shared += 1
                assert held.ends is not None
                assert {hex for hex in known if hex in held.ends} == ends
    assert shared > 3
