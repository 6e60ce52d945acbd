"""6.5.1, 6.5.4.2.5, 6.7 read for a third time: what was accepted or refused against the book."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.dice import ScriptedDice
from sandtable.core.errors import BadInput
from sandtable.core.ruleset import Resolution
from sandtable.systems.panzer.air.air_events import AaRolled, AaWasted
from sandtable.systems.panzer.frames import Movement
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex import mission_events as me
from sandtable.systems.panzer.hex.air.aa_fire import resolve_aa
from sandtable.systems.panzer.markers import Suppression
from sandtable.systems.panzer.unit import UnitId
from tests.panzer.batteries import BLUE, NA, ON_MAP, RED, battle, call, gun, mortar, next_turn, observer, unit
from tests.panzer.skies import aa, fly, sky
from tests.rulebook.engine import Play, move

rules = pytest.mark.rules


def change(game: Play, name: str, **more: object) -> None:
    """The game with a unit changed."""
    changed = replace(game.unit(name), **more)
    game.state = replace(game.state, units={**game.state.units, changed.id: changed})


@rules("5.2", "6.5.1", "6.5.1.8", system=NA)
def test_a_gun_on_the_map_fires_indirectly_to_its_front_only() -> None:
    for facing, refused in (("SE", ""), ("N", "5.2")):
        howitzer = unit("h1", "A4", "qf-25pdr", facing=facing, command="FIRE")
        game = battle(observer(), howitzer, batteries=())
        assert game.why(RED, call(game, "h1", pattern=ON_MAP)) == refused
    game = battle(observer(), unit("h1", "A4", "qf-25pdr", facing="SE", command="FIRE"), batteries=())
    game.do(RED, call(game, "h1", pattern=ON_MAP), 10, 1)
    change(game, "h1", facing=0)
    next_turn(game)
    assert not game.state.missions, "it has turned away"
    assert game.told(me.MissionEnded)[-1].rule == "6.5.1.8"


@rules("5.1", "6.5.1", system=NA)
def test_mortars_fire_indirectly_all_round_unless_suppressed() -> None:
    game = battle(observer(), mortar(facing="N"), batteries=())
    assert game.why(RED, call(game, "m1", pattern=ON_MAP)) == ""
    change(game, "m1", markers=replace(game.unit("m1").markers, suppression=Suppression.OFF))
    assert game.why(RED, call(game, "m1", pattern=ON_MAP)) == "5.2"


@rules("6.6.7.2", "6.5.1", "6.5.1.9", system=NA)
@pytest.mark.parametrize(
    ("command", "refused"), [("OW", ""), ("FIRE", ""), ("SHORT HALT", ""), ("N/C", ""), ("MOVE", "6.5.1")]
)
def test_a_passenger_observes_unless_its_vehicle_has_a_move(command: str, refused: str) -> None:
    carrier = unit("t1", "A4", "spw-251-1", command=command, known=False)
    game = battle(carrier, observer(carried_by="t1", command="N/C"))
    assert game.why(RED, call(game)) == refused
    if not refused:
        game.do(RED, call(game), 10, 1)
        assert game.unit("t1").known is (command == "OW"), "no other command of the vehicle is shown by it"


@rules("6.2.1.1.4", "6.5.1", system=NA)
def test_units_that_share_a_fire_have_target_points_within_command_range() -> None:
    two = observer("fo2", "A5")
    targets = (gun(), gun("g2", "K5"), gun("g3", "N4"))
    seen = {"fo": ["g1"], "fo2": ["g2", "g3"]}
    game = battle(observer(), two, mortar(), mortar("m2", "A3"), batteries=(), targets=targets, spotted=seen)
    change(game, "m2", markers=replace(game.unit("m2").markers, shares=UnitId("m1")))
    game.do(RED, call(game, "m1", pattern=ON_MAP), 10, 1)
    assert game.why(RED, call(game, "m2", by="fo2", at="N4", pattern=ON_MAP)) == "6.2.1.1.4"
    assert game.why(RED, call(game, "m2", by="fo2", at="K5", pattern=ON_MAP)) == ""


@rules("6.5.2.2.4", "6.7.4.2", system=NA)
@pytest.mark.parametrize(("part", "worse"), [("turret_damaged", -10), ("hull_damaged", 0)])
def test_a_damaged_hull_does_not_hinder_aa_fire(part: str, worse: int) -> None:
    def rolled(**more: Any) -> int:
        game = sky("b1 sdkfz-10-4 F6 N OW", more={"b1": more})
        game.do("red", fly(game, "F1"))
        game.do("blue", aa("b1"), 1)
        return game.told(AaRolled)[-1].modifier.total

    assert rolled(**{part: True}) - rolled() == worse


@rules("6.7.4.1.1", "5.15", system=NA)
def test_aa_fire_that_was_announced_is_not_made_by_a_crew_that_has_bailed_out_since() -> None:
    game = sky("b1 sdkfz-10-4 F6 N OW")
    game.do("red", fly(game, "F1"))
    change(game, "b1", markers=replace(game.unit("b1").markers, bailed=True))
    turning = Resolution(game.state, game.rules.fold, ScriptedDice(()))
    resolve_aa(game.context, turning, aa("b1").shots)
    assert [type(event) for event in turning.events] == [AaWasted]


def bridge(**conditions: Any) -> dict[str, Any]:
    """A tank on a bridge that a battery reaches."""
    drawing = {
        "cells": "\n".join([". . ."] * 2 + ["y y y"] + [". . ."] * 2),
        "legend": {"y": "gully"},
        "features": [{"kind": "road", "line": ["B1", "B5"]}, {"kind": "bridge", "hexes": ["B3"]}],
    }
    red = {
        "id": "red",
        "title": "Red",
        "units": [unit("fo", "A1", command="OW", roles={"observer": True})],
        "batteries": [{"id": "b1", "card": "german-heavy-battery", "attached": "red"}],
    }
    tanks = [
        unit("t1", "B3", "crusader-i", facing="S", command="N/C", known=True),
        unit("t2", "B5", "crusader-i", facing="N", command="MOVE", known=True),
    ]
    blue = {"id": "blue", "title": "Blue", "units": tanks}
    draft = {"system": NA, "level": "advanced", "open": "indirect fire", "map": {"drawing": drawing}}
    return {**draft, "sides": [red, blue], "spotted": {"fo": ["t1"]}, "conditions": conditions}


@rules("6.5.4.2.5", "6.5.4.4.3", system=NA)
def test_a_bridge_with_a_factor_of_the_scenario_is_destroyed_with_all_on_it_and_is_no_way_any_more() -> None:
    game = Play(NA, bridge(bridge_defense={"B3": 5}))
    game.do(RED, call(game, at="B3"), 10, 1, 100, 100)
    (struck,) = game.told(ev.TerrainStruck)
    assert (struck.terrain, struck.defense, struck.destroyed) == ("bridge", 5, True)
    assert not game.unit("t1").in_play
    game.state = replace(game.state, stack=(Movement(game.rules.seats[1], first=False),), missions=())
    assert game.why(BLUE, move("t2", "F")) == ""
    assert game.why(BLUE, move("t2", "F F")) != ""


@rules("6.5.4.2.5", system=NA)
def test_a_bridge_without_a_factor_is_not_attacked_and_faulty_ones_are_named() -> None:
    game = Play(NA, bridge())
    game.do(RED, call(game, at="B3"), 10, 1)
    assert not game.told(ev.TerrainStruck)
    for wrong in ({"B2": 5}, {"B3": 11}, {"Z9": 5}):
        with pytest.raises(BadInput, match="bridge_defense"):
            Play(NA, bridge(bridge_defense=wrong))


@rules("6.5.4.2.5", "6.5.4.4.3", system=NA)
@pytest.mark.parametrize(("deliberate", "defense"), [(False, 3), (True, 6)])
def test_minefields_have_a_factor_of_their_own(deliberate: bool, defense: int) -> None:
    mines = [{"kind": "mines", "at": ["K4"], "deliberate": deliberate}]
    game = battle(features=mines)
    game.do(RED, call(game), 10, 1, 1)
    assert [event.defense for event in game.told(ev.TerrainStruck)] == [defense]


@rules("6.7", system=NA)
def test_an_aircraft_is_not_named_like_a_hex() -> None:
    with pytest.raises(BadInput, match="name of a hex"):
        sky(aircraft=({"id": "F3", "card": "ju-87b"},))
