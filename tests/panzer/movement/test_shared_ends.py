"""6.2.1.1.4 Where sharers of a command may end is kept and asked for hex by hex: it is what a search finds anew."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.core.dice import SeededDice
from sandtable.geo.hex import Hex, distance
from sandtable.sim.playout import play_out
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.command.sharing import sharers
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.frames import Movement
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.features import Feature
from sandtable.systems.panzer.hex.movement.columns import column_of
from sandtable.systems.panzer.hex.movement.movement_step import waiting_to_move
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.movement.reach import ends_of
from sandtable.systems.panzer.hex.movement.shared_ends import mover_among_sharers
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.hex.state import State, Unit, Wreck
from sandtable.systems.panzer.markers import Suppression, UnitMarkers
from sandtable.systems.panzer.movement.speed import Gait
from sandtable.systems.panzer.unit import Status, UnitId, WreckKind
from tests.panzer.movement.test_advanced_moves import advanced
from tests.rulebook.engine import Play

R1, R2, R3, B1 = map(UnitId, ("r1", "r2", "r3", "b1"))


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


def _lane(facing: str, cells: str, **given: Any) -> Play:
    """A vehicle in a lane one hex wide, with a gun and a squad that it may carry, and nobody else."""
    game = advanced(
        f"r1 tank A{len(cells)} {facing} MOVE\nr2 tank A1 N N/C\nr3 tank A1 N N/C\nb1 truck A1 N N/C",
        {"r1": "sherman", "r2": "gun", "r3": "squad", "b1": "lorry"},
        "blue",
        {},
        field="\n".join(cells),
        **given,
    )
    waiting = {one: replace(game.unit(one), hex=None, status=Status.RESERVE) for one in (R2, R3, B1)}
    game.state = replace(game.state, units={**game.state.units, **waiting})
    return game


def _compare(game: Play, after: State, gait: Gait = Gait.MARCH) -> None:
    """Where r1 may end after a change is found anew, and differs from what was known."""
    mover = Mover(game.context, game.state, game.unit("r1"), gait)
    known = ends_of(mover, mover.start())
    other = Mover(game.context, after, after.units[R1], gait)
    kept = ends_of(other, other.start())
    other.table.ends.clear()
    assert kept == ends_of(other, other.start())
    assert kept != known


@pytest.mark.rules("6.2.1.1.4", system="panzer-na")
def test_6_2_1_1_4_ends_that_are_kept_are_found_anew_when_something_has_changed() -> None:
    game = _lane("N", "......")
    state, near, last = game.state, game.hex("A5"), game.hex("A2")
    foe = replace(game.unit("b1"), hex=near, status=Status.IN_PLAY)
    stuck = replace(game.unit("r1"), markers=UnitMarkers(track=True))
    for hex in (near, last):
        _compare(game, replace(state, wrecks=(Wreck(hex, WreckKind.BU),)))
        _compare(game, replace(state, features=(Feature(FeatureKind.BLOCK, hex),)))
        _compare(game, replace(state, units={**state.units, B1: replace(foe, hex=hex)}))
    _compare(game, replace(state, units={**state.units, R1: stuck}))
    beyond = Feature(FeatureKind.BLOCK, game.hex("A1"))
    mover, other = (Mover(game.context, one, one.units[R1]) for one in (state, replace(state, features=(beyond,))))
    assert ends_of(mover, mover.start()) == ends_of(other, other.start())


@pytest.mark.rules("6.2.1.1.4", "6.6.4.3", system="panzer-na")
def test_6_2_1_1_4_ends_of_a_crawl_are_found_anew_when_an_enemy_is_spotted() -> None:
    game = _lane("N", "......")
    crawling = replace(game.unit("r1"), card=CardId("squad"))
    foe = replace(game.unit("b1"), hex=game.hex("A4"), status=Status.IN_PLAY)
    game.state = replace(game.state, units={**game.state.units, R1: crawling, B1: foe}, spotted={})
    _compare(game, replace(game.state, spotted={R1: (B1,)}), Gait.CRAWL)


@pytest.mark.rules("6.2.1.1.4", "6.6.7.1", system="panzer-na")
def test_6_2_1_1_4_ends_in_reverse_are_found_anew_with_a_gun_in_tow() -> None:
    game = _lane("S", "w.", r1=UnitMarkers(suppression=Suppression.ON, passengers=(R3,)))
    towing = replace(game.unit("r1"), markers=UnitMarkers(suppression=Suppression.ON, passengers=(R2,)))
    _compare(game, replace(game.state, units={**game.state.units, R1: towing}))


@pytest.mark.rules("6.2.1.1.4", "4.5.1.1.5", system="panzer-na")
def test_6_2_1_1_4_ends_along_a_road_are_found_anew_when_a_wreck_lies_on_it() -> None:
    road = {"kind": "road", "line": ["C8", "C7", "C6", "C5", "C4", "C3", "C2", "C1"]}
    game = advanced(
        "r1 tank C8 N MOVE\nb1 truck G8 N N/C",
        {"r1": "sherman", "b1": "lorry"},
        "blue",
        {},
        field="\n".join([". . . . . . ."] * 8),
        rest={"features": [road]},
    )
    _compare(game, replace(game.state, wrecks=(Wreck(game.hex("C5"), WreckKind.KO),)))
