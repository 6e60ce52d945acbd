"""6.6.6: units that move into a Barrage are struck by it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.core.dice import ScriptedDice
from sandtable.core.ruleset import Resolution
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.combat.fire_events import BlastResolved
from sandtable.systems.panzer.fires.missions import Mission, Pattern
from sandtable.systems.panzer.frames import CloseCombat, IndirectFire, Movement
from sandtable.systems.panzer.hex.actions import AttackClose, DismountAttack, Landing, Load, Move, Pass, SearchHullDown
from sandtable.systems.panzer.hex.fires.impact import under_barrages
from sandtable.systems.panzer.hex.state import Leg, Moving
from sandtable.systems.panzer.markers import HullDown, UnitMarkers
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import Command, Status, UnitId
from tests.panzer.batteries import BLUE, NA, RED, battle, call, gun, mortar, observer, unit
from tests.rulebook.engine import Play

rules = pytest.mark.rules


@rules("6.6.6", system=NA)
def test_each_source_strikes_a_unit_once_for_all_that_it_moves_in_its_barrage() -> None:
    walker = unit("s1", "N4", "german-rifle-squad", command="MOVE", known=True)
    game = battle(observer(), targets=(gun(), walker))
    game.do(RED, call(game), 5, 10)
    covered = {one.hex for one in game.state.features}
    start = game.unit("s1").hex
    assert start is not None
    assert start not in covered
    game.state = replace(game.state, phase=Phase.MOVEMENT, first=RED, stack=(Movement(Seat(BLUE), first=False),))
    edge = next(
        hex for hex in covered if any(near not in covered for near in NEIGHBOURS[hex]) and hex != game.hex("K4")
    )
    outside = next(near for near in NEIGHBOURS[edge] if near not in covered and near in game.context.game_map.hexes)
    onward = next(near for near in NEIGHBOURS[edge] if near in covered)
    moved = replace(game.unit("s1"), hex=outside, facing=NEIGHBOURS[outside].index(edge))
    game.state = replace(game.state, units={**game.state.units, moved.id: moved})
    turn = (NEIGHBOURS[edge].index(onward) - moved.facing) % 6
    legs = (Leg(), Leg(turn if turn <= 3 else turn - 6))
    before = len(game.told(BlastResolved))
    game.do(BLUE, Move(UnitId("s1"), legs), 10)
    struck = game.told(BlastResolved)[before:]
    assert [event.target for event in struck] == ["s1"]
    assert "target_moving" not in str(struck[0].modifier)


def _falling(game: Play, source: str, at: str) -> Play:
    """The same with a Barrage of a source about a hex."""
    pattern = Pattern.ON_MAP if UnitId(source) in game.state.units else Pattern.CLOSED
    mission: Mission[Hex] = Mission(
        id="m", side=Seat(RED), observer=UnitId("fo"), sources=(source,), target=game.hex(at), pattern=pattern, turn=1
    )
    game.state = replace(game.state, phase=Phase.MOVEMENT, first=RED, missions=(mission,), stack=())
    return game


def _struck(game: Play, *dice: int) -> list[BlastResolved]:
    """What the Barrages do to g1 when it comes to where it is."""
    turning = Resolution(game.state, game.rules.fold, ScriptedDice(dice))
    hex = game.unit("g1").hex
    assert hex is not None
    under_barrages(game.context, turning, UnitId("g1"), hex, ())
    return [event for event in turning.events if isinstance(event, BlastResolved)]


@rules("6.6.6", "5.16.2", "5.16.2.4", system=NA)
def test_a_mortar_away_from_its_dump_may_be_short_of_shells_for_a_mover() -> None:
    game = _falling(battle(observer(), mortar()), "m1", "K4")
    limit = next(arm.limits.basic for arm in game.context.arms(game.unit("m1")) if arm.limits.basic is not None)
    (supplied,) = _struck(game, 50)
    moved = replace(game.unit("m1"), hex=game.hex("A3"))
    game.state = replace(game.state, units={**game.state.units, moved.id: moved})
    (enough,) = _struck(game, limit, 50)
    (short,) = _struck(game, limit + 1, 50)
    assert enough.modifier.total == supplied.modifier.total
    assert short.modifier.total == supplied.modifier.total - 10


def _moving(game: Play, player: str = BLUE) -> Play:
    """The same on that player's move."""
    game.state = replace(game.state, stack=(Movement(Seat(player), first=False),))
    return game


def _blasts(game: Play) -> list[tuple[str, str]]:
    return [(event.source, event.target) for event in game.told(BlastResolved)]


@rules("6.6.6", "4.5.1.1.9", system=NA)
@pytest.mark.parametrize(("legs", "end"), [((), "K8"), ((Leg(),), "K7")])
def test_a_reserve_is_struck_once_as_it_comes_in_under_a_barrage(legs: tuple[Leg, ...], end: str) -> None:
    game = _falling(battle(observer()), "b1", "K8")
    reserve = replace(
        game.unit("g1"),
        hex=None,
        status=Status.RESERVE,
        entry=(game.hex("K8"),),
        command=Command.MOVE,
        known=True,
        card=CardId("crusader-i"),
    )
    game.state = replace(game.state, units={**game.state.units, reserve.id: reserve})
    north = 0
    _moving(game).do(BLUE, Move(UnitId("g1"), legs, game.hex("K8"), north), 5)
    assert (_blasts(game), game.at("g1")) == ([("b1", "g1")], end)


@rules("6.6.6", "6.6.9", system=NA)
@pytest.mark.parametrize(("under", "struck"), [("K4", [("b1", "t1")]), ("E4", [])])
def test_a_vehicle_that_searches_for_hull_down_in_a_barrage_is_struck(under: str, struck: list[Any]) -> None:
    tank = unit("t1", "K4", "crusader-i", command="MOVE", known=True)
    game = _moving(_falling(battle(observer(), targets=(tank,), spotted={}), "b1", under))
    game.do(BLUE, SearchHullDown(UnitId("t1"), HullDown.FULL, 0), 100, *([5] if struck else []))
    assert _blasts(game) == struck


@rules("6.6.6", "6.6.1.1", system=NA)
@pytest.mark.parametrize(("under", "struck"), [("K5", [("b1", "s1")]), ("K7", [])])
def test_an_advancing_attack_into_a_barrage_is_struck(under: str, struck: list[Any]) -> None:
    squad = unit("s1", "K6", "british-rifle-squad", command="MOVE", known=True)
    crew = unit("fo", "A4", command="OW", roles={"observer": True})
    panzer = unit("p1", "K4", "pz-iiij", command="N/C", known=True)
    mortars = mortar("b1", "A2")
    game = battle(crew, panzer, mortars, targets=(squad,), batteries=(), spotted={"s1": ["p1"]})
    game = _falling(game, "b1", under)
    game.state = replace(game.state, stack=(CloseCombat(Seat(BLUE), first=True),))
    attack = AttackClose(UnitId("p1"), {UnitId("s1"): game.hex("K5")})
    game.do(BLUE, attack, *([1] if struck else []))
    assert _blasts(game) == struck
    assert game.at("s1") == "K5"


@rules("6.6.6", "6.6.7.1.1", system=NA)
@pytest.mark.parametrize(("to", "struck"), [("K5", [("b1", "s1")]), ("K6", [])])
def test_who_gets_off_into_a_barrage_beside_his_vehicle_is_struck(to: str, struck: list[Any]) -> None:
    truck = unit("t1", "K6", "crusader-i", command="N/C", known=True)
    squad = unit("s1", "K6", "british-rifle-squad", command="N/C", known=True)
    crew = unit("fo", "A4", command="OW", roles={"observer": True})
    game = battle(crew, mortar("b1", "A2"), targets=(truck, squad), batteries=(), spotted={})
    game = _moving(_falling(game, "b1", "K5"))
    riding = replace(game.unit("s1"), markers=UnitMarkers(carrier=UnitId("t1")))
    carrying = replace(game.unit("t1"), markers=UnitMarkers(passengers=(UnitId("s1"),)))
    game.state = replace(game.state, units={**game.state.units, riding.id: riding, carrying.id: carrying})
    landing = Landing(UnitId("s1"), game.hex(to), 0)
    game.do(BLUE, Load(UnitId("t1"), (), (landing,)), *([1] if struck else []))
    assert _blasts(game) == struck
    assert game.at("s1") == to


def _boarding(at: str, *, barrage: str = "K6") -> Play:
    """A squad that may get on a tank in K6, and a Barrage."""
    tank = unit("t1", "K6", "matilda-ii", command="N/C", known=True)
    squad = unit("s1", at, "british-rifle-squad", command="MOVE", known=True)
    crew = unit("fo", "A4", command="OW", roles={"observer": True})
    game = battle(crew, mortar("b1", "A2"), targets=(tank, squad), batteries=(), spotted={})
    return _moving(_falling(game, "b1", barrage))


@rules("6.6.6", "6.6.7.1.1", system=NA)
@pytest.mark.parametrize(
    ("at", "barrage", "struck"), [("K5", "K6", [("b1", "s1")]), ("K6", "K6", []), ("K5", "K5", []), ("K5", "C1", [])]
)
def test_who_gets_on_from_beside_into_a_barrage_is_struck(at: str, barrage: str, struck: list[Any]) -> None:
    game = _boarding(at, barrage=barrage)
    game.do(BLUE, Load(UnitId("t1"), (UnitId("s1"),)), *([1] if struck else []))
    assert _blasts(game) == struck
    assert (game.at("s1"), game.unit("s1").markers.carrier, game.unit("s1").moved) == ("K6", "t1", True)
    assert game.unit("t1").markers.passengers == ("s1",)


@rules("6.6.6", "6.6.7.1.1", "6.1.4.2", system=NA)
def test_who_is_lost_on_his_way_aboard_does_not_get_on() -> None:
    game = _boarding("K5")
    covered = replace(game.unit("s1"), markers=UnitMarkers(reduced=True, full_cover=True))
    game.state = replace(game.state, units={**game.state.units, covered.id: covered})
    game.do(BLUE, Load(UnitId("t1"), (UnitId("s1"),)), 100)
    (blast,) = game.told(BlastResolved)
    plain = _boarding("K5")
    plain.do(BLUE, Load(UnitId("t1"), (UnitId("s1"),)), 1)
    assert blast.defense == plain.told(BlastResolved)[0].defense, "no Full Cover on the way"
    assert not game.unit("s1").in_play
    assert game.unit("t1").markers.passengers == ()


@rules("6.6.6", "6.6.1.1", system=NA)
@pytest.mark.parametrize(("struck", "blasts"), [((), [("b1", "s1")]), (("m b1",), [])])
def test_a_dismount_attack_is_not_struck_by_what_has_struck_its_vehicle(struck: tuple[str, ...], blasts: Any) -> None:
    tank = unit("t1", "K6", "crusader-i", command="MOVE", known=True)
    squad = unit("s1", "K6", "british-rifle-squad", command="N/C", known=True)
    crew = unit("fo", "A4", command="OW", roles={"observer": True})
    foe = unit("p1", "K4", "pz-iiij", command="N/C", known=True)
    game = battle(crew, mortar("b1", "A2"), foe, targets=(tank, squad), batteries=(), spotted={"s1": ["p1"]})
    game = _moving(_falling(game, "b1", "K5"))
    riding = replace(game.unit("s1"), markers=UnitMarkers(carrier=UnitId("t1")))
    carrying = replace(game.unit("t1"), markers=UnitMarkers(passengers=(UnitId("s1"),)))
    game.state = replace(game.state, units={**game.state.units, riding.id: riding, carrying.id: carrying})
    game.do(BLUE, Move(UnitId("t1"), ()))
    game.do(RED, Pass())
    frame = game.top
    assert isinstance(frame, Moving)
    game.state = replace(game.state, stack=(*game.state.stack[:-1], replace(frame, struck=struck)))
    attack = DismountAttack(UnitId("t1"), Landing(UnitId("s1"), game.hex("K5"), 0), UnitId("p1"))
    game.do(BLUE, attack, *([1] if blasts else []), 1)
    assert _blasts(game) == blasts


@rules("6.5.1.11.1", system=NA)
def test_who_does_not_know_the_batteries_can_look_ahead_past_planned_fire() -> None:
    game = _falling(battle(observer()), "b1", "K4")
    (mission,) = game.state.missions
    planned = replace(mission, observer=UnitId(""))
    assert planned.is_planned
    state = replace(game.state, missions=(planned,), batteries={}, stack=(IndirectFire(Seat(RED), first=True),))
    assert not game.rules.begin(state, ScriptedDice(())).state.missions
