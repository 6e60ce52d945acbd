"""6.6 as it is played: close combat, transport and quickmarch, on hand-made cards of the Advanced Game."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.decision import Assign
from sandtable.core.dice import ScriptedDice
from sandtable.core.ruleset import Resolution
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.advanced_card import AdvancedCard, GpDefense, GpRow, TargetType, Transport, UnitClass
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.edition import Level, Module
from sandtable.systems.panzer.forces.equipment import stocked
from sandtable.systems.panzer.formations import Enlisted, FormationId
from sandtable.systems.panzer.frames import CloseCombat, Movement
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import AttackClose, BailOut, Decline, Landing, Load, MoveIn, NamePrimary
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.hex.sequence import next_phase
from sandtable.systems.panzer.markers import Suppression, UnitMarkers
from sandtable.systems.panzer.ranges import Row
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.terrain import Traction
from sandtable.systems.panzer.unit import Command, Grade, Spot, UnitId
from tests.rulebook.engine import BLUE, PASS, RED, REVEALED, Play, go_on, move, play

rules = pytest.mark.rules
NA = "panzer-na"
FIELD = "\n".join([". . . . . . ."] * 5)
FOOT = AdvancedCard(gp_defense=GpDefense(2, 4, 6, 8), quickmarch=3, burdened=1, needs=Transport(0, 1))
GP_5 = GpRow(Row(4, 8, 12, 16, 20), Row(5, 5, 4, 3, 2))
PARTS = {
    "squad": (UnitClass.SQUAD, FOOT),
    "half": (UnitClass.HALF_SQUAD, FOOT),
    "gun": (UnitClass.TOWED, AdvancedCard(gp_defense=GpDefense(2, 4, 6, 8), needs=Transport(1, 1))),
    "lorry": (UnitClass.VEHICLE, AdvancedCard(gp_defense=1, transports=Transport(1, 2))),
    "sherman": (UnitClass.VEHICLE, AdvancedCard(TargetType.A, gp_defense=3, coax_mg=True)),
    "semovente": (UnitClass.VEHICLE, AdvancedCard(TargetType.A, gp_defense=2, helpless=True)),
}


def advanced(units: str, cards: dict[str, str], first: Any, spotted: dict[str, list[str]], **given: Any) -> Play:
    """A position of the Advanced Game: ``cards`` are names in PARTS, ``given`` markers and grades, all by unit.

    ``field`` draws another map, and ``rest`` is more of the scenario.
    """
    rest = {"legend": {"b": "brick_building"}, **given.pop("rest", {})}
    game = play(NA, given.pop("field", FIELD), units, open="movement", first=first, spotted=spotted, **rest)
    context = game.context
    made = {}
    for name, (unit_class, part) in PARTS.items():
        model = context.cards[CardId("truck" if name == "lorry" else "tank")]
        mode: dict[str, Any] = (
            {}
            if unit_class is UnitClass.VEHICLE
            else {"movement": replace(model.movement, cross_country=2, mode=Traction.LEG)}
        )
        if name in ("sherman", "gun"):
            mode["weapons"] = tuple(replace(weapon, gp=(GP_5,)) for weapon in model.weapons)
        made[CardId(name)] = replace(model, id=CardId(name), unit_class=unit_class, advanced=part, **mode)
    grades: dict[str, Grade] = given.pop("grades", {})
    roster = {unit: Enlisted(FormationId("f"), grades.get(unit, Grade.SEASONED)) for unit in game.state.units}
    draft = replace(context.scenario.draft, level=Level.ADVANCED)
    shelf = replace(context.shelf, cards={**context.cards, **made})
    armories = {seat: stocked(shelf, "", None) for seat in context.scenario.seats}
    scenario = replace(context.scenario, draft=draft, roster=roster, modules=frozenset(Module), armories=armories)
    barrels = {**context.barrels, **dict.fromkeys(made, context.barrels[CardId("tank")])}
    context = replace(context, cards={**context.cards, **made}, scenario=scenario, barrels=barrels)
    game.rules = PanzerRules(game.rules.card, context)
    marked = {
        unit_id: replace(unit, card=CardId(cards[unit_id]), markers=given.get(unit_id, UnitMarkers()))
        for unit_id, unit in game.state.units.items()
    }
    game.state = replace(game.state, units=marked)
    return game


def at(game: Play, frame: Any) -> Play:
    """The game at the first question from a frame on."""
    turning = Resolution(replace(game.state, stack=(frame,)), game.rules.fold, ScriptedDice(()))
    game.rules.advance(turning)
    game.state = turning.state
    return game


def keys(game: Play, seat: Any) -> list[str]:
    """What a seat may choose first."""
    decision = game.rules.decision(game.state)
    assert decision is not None
    return [branch.key for branch in decision.options(seat).root.branches()]


def attack(game: Play, target: str, **starts: str) -> AttackClose:
    """An attack at arm's length by units, each from a hex."""
    return AttackClose(UnitId(target), {UnitId(unit): game.hex(start) for unit, start in starts.items()})


@rules("6.6", "6.6.1", "6.6.1.1", "6.6.1.1.1", "6.6.1.1.2", "6.6.1.1.3", system=NA)
def test_6_6_1_1_3_the_example_of_the_squad_and_the_semovente() -> None:
    game = advanced(
        "r1 tank C2 N MOVE\nb1 tank C3 N MOVE",
        {"r1": "semovente", "b1": "squad"},
        "red",
        {"b1": ["r1"]},
        r1=UnitMarkers(suppression=Suppression.OFF),
        grades={"b1": Grade.REGULARS},
    )
    at(game, CloseCombat(RED, first=True))
    assert game.asked == (BLUE,)
    game.do(BLUE, attack(game, "r1", b1="C3"))
    game.do(RED, REVEALED, 45, 3)
    (rolled,) = game.told(shared.AssaultRolled)
    assert (rolled.modifier.total, rolled.factor, rolled.defense, rolled.result) == (20, 8, 2, "Effective")
    assert game.unit("r1").markers.turret_damaged
    assert (game.unit("b1").new_spot, game.unit("b1").moved) == (Spot.MOVE, True)
    assert isinstance(game.top, Movement)


@rules("6.6.1.1.3", system=NA)
def test_6_6_1_1_3_a_vehicle_without_a_crew_is_lost_without_a_roll() -> None:
    game = advanced(
        "r1 tank C2 N N/C known\nb1 tank C3 N MOVE",
        {"r1": "semovente", "b1": "squad"},
        "red",
        {"b1": ["r1"]},
        r1=UnitMarkers(bailed=True),
    )
    at(game, CloseCombat(RED, first=True))
    game.do(BLUE, attack(game, "r1", b1="C3"), 5)
    assert [one.roll for one in game.told(shared.AssaultRolled)] == [0]
    assert [one.unit for one in game.told(ev.VehicleKnockedOut)] == ["r1"]


@rules("6.6.1.2", "6.6.1.2.1", "6.6.1.2.2", "6.6.1.2.3", system=NA)
def test_6_6_1_2_3_the_example_of_three_roll_offs() -> None:
    game = advanced(
        "r1 tank C2 N MOVE\nr2 tank C2 N MOVE\nb1 tank C3 N OW",
        {"r1": "squad", "r2": "half", "b1": "squad"},
        "red",
        {"r1": ["b1"], "r2": ["b1"]},
        grades={"r1": Grade.VETERAN, "r2": Grade.VETERAN, "b1": Grade.REGULARS},
    )
    at(game, CloseCombat(RED, first=True))
    game.do(RED, attack(game, "b1", r1="C2", r2="C2"))
    game.do(RED, NamePrimary(UnitId("r1")), 13, 65, 72, 51, 48, 62)
    assert game.unit("r1").markers.reduced
    bouts = game.told(shared.BoutRolled)
    assert [(one.attack.total, one.defense.total) for one in bouts] == [(20, -10), (-5, -10), (-5, -35)]
    assert not game.unit("b1").in_play
    game.do(RED, MoveIn((UnitId("r1"),)))
    assert (game.at("r1"), game.at("r2")) == ("C3", "C2")
    assert {game.unit(one).new_spot for one in ("r1", "r2")} == {Spot.MOVE}


@rules("6.6.1.1", "6.6.1.2", "6.6.2", system=NA)
def test_6_6_1_1_an_advancing_attack_moves_up_one_hex() -> None:
    game = advanced(
        "r1 tank C2 N MOVE\nr2 tank C1 N MOVE\nb1 tank C4 N N/C",
        {"r1": "squad", "r2": "squad", "b1": "gun"},
        "red",
        {"r1": ["b1"], "r2": ["b1"]},
        r2=UnitMarkers(suppression=Suppression.ON),
    )
    at(game, CloseCombat(RED, first=True))
    assert game.why(RED, attack(game, "b1", r1="C2")) == "6.6.1.2"
    assert game.why(RED, attack(game, "b1", r1="C3", r2="C1")) == "6.6.2"
    game.do(RED, attack(game, "b1", r1="C3"))
    assert (game.at("r1"), game.asked) == ("C3", (BLUE,))
    game.do(BLUE, PASS, 50, 50)
    (bout,) = game.told(shared.BoutRolled)
    assert (bout.attack.total, bout.defense.total, bout.margin) == (-10, -40, 30)
    assert not game.unit("b1").in_play
    game.do(RED, MoveIn())
    assert (game.at("r1"), game.unit("r1").moved) == ("C3", True)


@rules("6.6.1.1", "6.6.1.2", "6.6.1.2.3", system=NA)
def test_6_6_1_1_units_that_attack_from_one_hex_combine_and_the_hexes_go_in_any_order() -> None:
    game = advanced(
        "r1 tank C2 N MOVE\nr2 tank D3 N MOVE\nr3 tank C1 N MOVE\nb1 tank C3 N N/C",
        {"r1": "squad", "r2": "squad", "r3": "half", "b1": "gun"},
        "red",
        {"r1": ["b1"], "r2": ["b1"], "r3": ["b1"]},
    )
    at(game, CloseCombat(RED, first=True))
    game.do(RED, attack(game, "b1", r1="C2", r2="D3", r3="C2"))
    # Three units in two attacks: whoever is named leads, and his attack comes first.
    assert keys(game, RED) == ["r1", "r3", "r2"]
    assert game.why(RED, NamePrimary(UnitId("b1"))) == "6.6.1.2.3"
    game.do(RED, NamePrimary(UnitId("r3")))
    assert (game.at("r3"), game.asked) == ("C2", (BLUE,))
    game.do(BLUE, PASS, 1, 90, 90, 1)
    # The half-squad that led is gone, and with it the Advancing Attack; who is left fights on, and may move in. The
    # other attack is not made any more, and who would have made it may still move.
    assert (game.unit("r3").in_play, game.unit("b1").in_play, game.unit("r2").moved) == (False, False, False)
    game.do(RED, MoveIn((UnitId("r1"),)))
    assert game.at("r1") == "C3"
    bouts = game.told(shared.BoutRolled)
    assert [one.attack.total for one in bouts] == [-25 - 10 + 20, 0]


@rules("6.6.7", "6.6.7.1", "6.6.7.1.1", "6.6.7.1.2", system=NA)
def test_6_6_7_1_1_a_vehicle_moves_sets_men_down_and_moves_on() -> None:
    game = advanced(
        "r1 truck A1 SE MOVE\nr2 tank A1 SE N/C\nr3 tank A1 SE N/C\nb1 truck G5 N N/C",
        {"r1": "lorry", "r2": "squad", "r3": "squad", "b1": "lorry"},
        "blue",
        {},
        r1=UnitMarkers(passengers=(UnitId("r2"), UnitId("r3"))),
        r2=UnitMarkers(carrier=UnitId("r1")),
        r3=UnitMarkers(carrier=UnitId("r1")),
    )
    at(game, Movement(RED, first=False))
    game.do(RED, move("r1", "F"))
    assert (game.at("r1"), game.at("r2"), game.asked) == (game.at("r3"), game.at("r1"), (RED,))
    here = game.unit("r1").hex
    assert here is not None
    facing = game.unit("r1").facing
    off = Load(UnitId("r1"), (), (Landing(UnitId("r2"), here, facing),))
    game.do(RED, off)
    assert (game.told(ev.UnitDismounted)[0].cost, game.unit("r2").markers.carrier) == (2, "")
    assert (game.unit("r2").moved, game.unit("r2").new_spot) == (True, Spot.MOVE)
    again = Load(UnitId("r1"), (), (Landing(UnitId("r3"), here, facing),))
    assert game.why(RED, again) == ""
    assert game.why(RED, BailOut({UnitId("r3"): 6})) == "6.6.7.1.2"
    # Whoever gets off or bails out faces any hexside (5.5).
    game.do(RED, BailOut({UnitId("r3"): (facing + 1) % 6}))
    assert game.unit("r3").facing == (facing + 1) % 6
    assert game.unit("r3").markers.suppression is Suppression.ON
    assert game.unit("r1").markers.passengers == ()
    game.do(RED, go_on("F"))
    assert game.at("r2") == game.at("r3") != game.at("r1")


@rules("6.6.7.1.1", "6.6.7.1", system=NA)
def test_6_6_7_1_1_men_mount_a_vehicle_that_stands() -> None:
    game = advanced(
        "r1 truck C3 N N/C\nr2 tank C2 N MOVE\nr3 tank C3 N MOVE\nb1 truck G5 N N/C",
        {"r1": "lorry", "r2": "squad", "r3": "gun", "b1": "lorry"},
        "blue",
        {},
    )
    at(game, Movement(RED, first=False))
    assert game.why(RED, Decline()) == "6.6.7.1.1"
    game.do(RED, Load(UnitId("r1"), (UnitId("r2"), UnitId("r3"))))
    assert game.unit("r1").markers.passengers == ("r2", "r3")
    assert (game.at("r2"), game.unit("r2").markers.carrier) == ("C3", "r1")
    assert game.state.turn == 2, "nobody who has mounted this turn gets off again"


@rules("6.6.7.1.1", system=NA)
def test_6_6_7_1_1_nobody_gets_on_or_off_twice() -> None:
    game = advanced(
        "r1 truck C3 N N/C\nr2 tank C3 N N/C\nr3 tank C3 N MOVE\nb1 truck G5 N N/C",
        {"r1": "lorry", "r2": "squad", "r3": "squad", "b1": "lorry"},
        "blue",
        {},
        r1=UnitMarkers(passengers=(UnitId("r2"),)),
        r2=UnitMarkers(carrier=UnitId("r1")),
    )
    at(game, Movement(RED, first=False))
    game.state = replace(
        game.state,
        stack=(Movement(RED, first=False),),
        units={**game.state.units, UnitId("r3"): replace(game.unit("r3"), command=Command.MOVE, moved=False)},
    )
    off = Landing(UnitId("r2"), game.hex("C3"), 0)
    assert game.why(RED, Load(UnitId("r1"), (), (off, off))) == "6.6.7.1.1"
    assert game.why(RED, Load(UnitId("r1"), (UnitId("r3"), UnitId("r3")))) == "6.6.7.1.1"
    assert game.why(RED, Load(UnitId("r1"), (UnitId("r3"),), (off,))) == ""


@rules("6.3.1", system=NA)
def test_6_3_1_a_force_without_a_grade_rolls_as_a_seasoned_one() -> None:
    game = advanced("r1 truck C3 N N/C\nb1 truck G5 N N/C", {"r1": "lorry", "b1": "lorry"}, "blue", {})
    assert not game.context.scenario.grades
    turning = Resolution(replace(game.state, phase=Phase.COMMAND, stack=()), game.rules.fold, ScriptedDice((60, 40)))
    next_phase(game.context, turning)
    (rolled,) = [one for one in turning.events if isinstance(one, shared.InitiativeRolled)]
    assert (rolled.rolls, rolled.winner) == ({"red": 60, "blue": 40}, "red")


@rules("6.6.7.1", "6.6.7.1.1", system=NA)
def test_6_6_7_1_1_any_number_get_on_and_off_in_one_hex_as_far_as_there_is_room() -> None:
    game = advanced(
        "r1 truck C3 SE N/C\nr2 tank C3 SE N/C\nr3 tank C3 SE N/C\nr4 tank C3 N MOVE\nr5 tank C3 N MOVE\n"
        "b1 truck G5 N N/C",
        {"r1": "lorry", "r2": "squad", "r3": "gun", "r4": "squad", "r5": "squad", "b1": "lorry"},
        "blue",
        {},
        r1=UnitMarkers(passengers=(UnitId("r2"), UnitId("r3"))),
        r2=UnitMarkers(carrier=UnitId("r1")),
        r3=UnitMarkers(carrier=UnitId("r1")),
    )
    at(game, Movement(RED, first=False))
    decision = game.rules.decision(game.state)
    assert decision is not None
    carrier = decision.options(RED).root.branch("r1")
    assert carrier is not None
    board = carrier.then.branch("passengers")
    assert board is not None
    node = board.then
    assert isinstance(node, Assign)
    # Men get off all around, a Gun where its tractor is, facing as they like; two of those who stand by may get on.
    assert [len(slot.values) for slot in node.slots] == [43, 7, 2, 2]
    assert [refusal.reason for refusal in node.refusals(("aboard", "aboard", "afoot", "afoot"))]
    assert node.refusals(("aboard", "aboard", "mounts", "afoot")), "there is no room"
    assert node.refusals(("C3 facing N", "C3 facing S", "mounts", "mounts")) == []
    swap = node.filled(("C2 facing S", "C3 facing S", "mounts", "mounts"))
    assert swap == Load(
        UnitId("r1"),
        (UnitId("r4"), UnitId("r5")),
        (Landing(UnitId("r2"), game.hex("C2"), 3), Landing(UnitId("r3"), game.hex("C3"), 3)),
    )
    game.do(RED, swap)
    assert (game.at("r2"), game.unit("r3").facing, game.unit("r1").markers.passengers) == ("C2", 3, ("r4", "r5"))
