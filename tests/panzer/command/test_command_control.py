"""6.2, 6.3, 6.8: orders within the commands of a formation, initiative with grades, the Adjustment Phase."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.core.decision import Assign, Seat
from sandtable.core.dice import ScriptedDice
from sandtable.geo.boards import situation_map
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.command.control import FormationStatus, Member, active_units, refuse_group
from sandtable.systems.panzer.formations import Formation, FormationId
from sandtable.systems.panzer.frames import AdjustingCover, DirectFire, Movement, Overwatch, Pivoting, PlacingCommands
from sandtable.systems.panzer.hex.actions import Action, AdjustCover, Engage, Move, Pivot, PlaceOrders
from sandtable.systems.panzer.hex.adjustment_steps import open_steps
from sandtable.systems.panzer.hex.combat.shared_commands import refuse_shared_target
from sandtable.systems.panzer.hex.command.orders import formation_status
from sandtable.systems.panzer.hex.fold import with_shared_fire
from sandtable.systems.panzer.hex.handler import Play
from sandtable.systems.panzer.hex.movement.move_path import MovePath
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.hex.state import State
from sandtable.systems.panzer.hex.system import PanzerSystem
from sandtable.systems.panzer.markers import Suppression, UnitMarkers
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import Command, Grade, Order, UnitId
from tests.panzer.movers import legs
from tests.rulebook.engine import card_pack

rules = pytest.mark.rules
NA = "panzer-na"
RED, BLUE = Seat("red"), Seat("blue")
ROAD = {
    "cells": ". . . . . .",
    "features": [
        {"kind": "road", "line": [one, other]} for one, other in pairwise(["A1", "B1", "C1", "D1", "E1", "F1"])
    ],
}


class Game:
    """A small Advanced game: red's units as given, blue with one tank far off."""

    def __init__(self, *units: dict[str, Any], grade: str = "Seasoned", drawing: Any = None, **more: Any) -> None:
        red = {"id": "red", "title": "Red", "grade": grade, "units": list(units)}
        blue = {"id": "blue", "title": "Blue", "units": [{"id": "z1", "card": "tank", "at": "F1", "facing": "NW"}]}
        draft = {
            "id": "drafted",
            "system": NA,
            "title": "drafted",
            "turns": 5,
            "status": "test",
            "level": "advanced",
            "map": {"drawing": drawing or {"cells": ". . . . . ."}},
            "sides": [red, blue],
            **more,
        }
        library = catalog.library(NA, [card_pack(NA)])
        system = catalog.system(NA)
        assert isinstance(system, PanzerSystem)
        game_map = situation_map(draft["map"], library, "drafted")
        self.context = system.context(draft, game_map, library, "drafted", situation=True)
        self.rules = PanzerRules(system.card, self.context)
        self.state = self.rules.begin(self.rules.setup(), ScriptedDice(())).state

    def refused(self, action: Action, seat: Seat = RED) -> str:
        refusal = self.rules.refusal(self.state, seat, action)
        return "" if refusal is None else refusal.rule

    def act(self, seat: Seat, action: Action, *dice: int) -> tuple[ev.Event, ...]:
        assert self.rules.refusal(self.state, seat, action) is None
        play = self.rules.resolve(self.state, seat, action, ScriptedDice(dice))
        self.state = play.state
        return tuple(play.events)

    def end_turn(self, *dice: int) -> list[ev.Event]:
        """From the Adjustment Phase to the first question of its steps."""
        self.state = replace(self.state, phase=Phase.ADJUSTMENT, stack=())
        play = Play(self.state, self.rules.fold, ScriptedDice(dice))
        open_steps(self.context, play)
        self.rules.advance(play)
        self.state = play.state
        return list(play.events)


def unit(name: str, at: str, card: str = "tank", **more: Any) -> dict[str, Any]:
    return {"id": name, "card": card, "at": at, "facing": "NE", **more}


def orders(**given: str) -> PlaceOrders:
    """``r2="FIRE with r1"`` as an action."""
    found = {}
    for name, words in given.items():
        command, _, shares = words.partition(" with ")
        found[UnitId(name)] = Order(Command(command), UnitId(shares))
    return PlaceOrders(found)


# --- 6.2.1.1 Active units -------------------------------------------------------------------------------


@rules("6.2.1.1", system=NA)
def test_each_combat_unit_activates_one_unarmed_unit_as_many_as_can_be() -> None:
    near = {("t1", "a"), ("t1", "b"), ("t2", "a"), ("t3", "a"), ("t3", "b")}
    members = [Member(UnitId(name), armed=name in "ab") for name in ("a", "b", "t1", "t2", "t3", "t4")]
    assert active_units(members, lambda one, other: (one, other) in near) == {"a", "b", "t1", "t2"}


@rules("6.2.1.1", system=NA)
def test_passengers_are_not_active_but_their_truck_is() -> None:
    members = [
        Member(UnitId("truck"), armed=False),
        Member(UnitId("gun"), armed=True, carrier=UnitId("truck")),
        Member(UnitId("squad"), armed=True, carrier=UnitId("truck")),
        Member(UnitId("far"), armed=False),
        Member(UnitId("gone"), armed=True, able=False),
        Member(UnitId("scout"), armed=True, recon=True),
    ]
    assert active_units(members, lambda _one, _other: False) == {"truck"}


@rules("6.2.1", "6.2.1.1.1", system=NA)
def test_a_formation_that_has_lost_units_has_fewer_commands_the_next_turn() -> None:
    game = Game(*[unit(f"r{index}", "A1") for index in range(4)])
    assert formation_status(game.context, game.state, "red").commands == 2
    out = replace(game.state.units[UnitId("r1")], markers=replace(game.state.units[UnitId("r1")].markers, bailed=True))
    state = replace(game.state, units={**game.state.units, UnitId("r1"): out})
    assert len(formation_status(game.context, state, "red").active) == 3
    assert formation_status(game.context, state, "red").commands == 1


# --- 6.2.1.1.3 Sharing ----------------------------------------------------------------------------------


@rules("6.2.1.1.3", "6.2.1.1.1", system=NA)
def test_orders_over_budget_are_refused_and_no_command_is_free() -> None:
    game = Game(*[unit(f"r{index}", "A1") for index in range(4)])
    before = game.state
    assert game.refused(orders(r0="MOVE", r1="OW", r2="N/C")) == ""
    assert game.refused(orders(r0="MOVE", r1="OW", r2="FIRE")) == "6.2.1.1.1"
    assert game.refused(orders(r0="MOVE", r1="MOVE with r0", r2="MOVE with r0", r3="OW")) == ""
    assert game.state is before


@rules("6.2.1.1.1", system=NA)
def test_a_formation_of_which_nobody_takes_an_order_has_no_budget() -> None:
    game = Game(unit("r0", "A1"))
    decision = game.rules.decision(game.state)
    assert decision is not None
    root = decision.options(RED).root
    assert isinstance(root, Assign)
    assert [budget.group for budget in root.budgets] == ["Red"]
    out = replace(game.state.units[UnitId("r0")], markers=UnitMarkers(bailed=True))
    gone = game.rules.decision(replace(game.state, units={**game.state.units, UnitId("r0"): out}))
    assert gone is not None
    left = gone.options(RED).root
    assert isinstance(left, Assign)
    assert not left.slots
    assert not left.budgets


@rules("5.9.2", "6.2.1.1.3", system=NA)
def test_recon_units_have_commands_of_their_own_and_share_none() -> None:
    game = Game(unit("r0", "A1"), unit("r1", "A1", roles={"recon": True}), unit("r2", "A1"))
    assert formation_status(game.context, game.state, "red").active == {"r0", "r2"}
    assert game.refused(orders(r0="MOVE", r1="OW")) == ""
    assert game.refused(orders(r0="MOVE", r2="OW")) == "6.2.1.1.1"
    assert game.refused(orders(r0="MOVE", r1="MOVE with r0")) == "6.2.1.1.3"


@rules("6.2.1.1.3", system=NA)
def test_an_inactive_unarmed_unit_shares_only_along_a_road() -> None:
    far = [unit("r0", "A1"), unit("r1", "B1", "truck"), unit("r2", "C1", "truck")]
    assert Game(*far, grade="Regulars").refused(orders(r1="MOVE", r2="MOVE with r1")) == "6.2.1.1.3"
    assert Game(*far, grade="Regulars", drawing=ROAD).refused(orders(r1="MOVE", r2="MOVE with r1")) == ""


@rules("6.2.1.1.3", system=NA)
def test_a_column_on_a_road_shares_a_move_whatever_the_command_range() -> None:
    column = [unit("r0", "A1"), unit("r1", "B1"), unit("r2", "C1"), unit("r3", "E1")]
    game = Game(*column, grade="Green", drawing=ROAD)
    assert game.refused(orders(r0="MOVE", r1="MOVE with r0", r2="MOVE with r0")) == ""
    assert game.refused(orders(r0="MOVE", r2="MOVE with r0")) == "6.2.1.1.2"
    assert game.refused(orders(r0="MOVE", r3="MOVE with r0")) == "6.2.1.1.2"
    assert game.refused(orders(r0="OW", r1="OW with r0")) == "6.2.1.1.2"


@rules("6.2.1.1.3", system=NA)
def test_formations_share_nothing_with_one_another() -> None:
    game = Game(unit("r0", "A1"), unit("r1", "A1"))
    side = game.context.scenario.draft.sides[0]
    assert [formation.title for formation in game.context.scenario.formations.values()] == [side.title, "Blue"]
    assert game.refused(orders(r0="MOVE", z1="MOVE with r0")) == "4.2.1"
    assert game.refused(orders(r0="MOVE", r1="MOVE with z1")) == "6.2.1.1.3"


@rules("6.6.5", "6.1.4.2", "6.5.2.2.1", system=NA)
@pytest.mark.parametrize(
    ("given", "command", "number"),
    [
        (unit("r0", "A1", "gun"), "SHORT HALT", "6.6.5"),
        (unit("r0", "A1", "gun", full_cover=True), "MOVE", "6.1.4.2"),
        (unit("r0", "A1", "squad", full_cover=True), "SHORT HALT", "6.1.4.2"),
        (unit("r0", "A1", track=True), "MOVE", "6.5.2.2.1"),
        (unit("r0", "A1", "truck"), "FIRE", "4.2"),
        (unit("r0", "A1", "squad", full_cover=True), "MOVE", ""),
        (unit("r0", "A1", "truck", roles={"observer": True}), "OW", ""),
    ],
)
def test_a_command_that_a_unit_can_never_carry_out_is_refused(given: dict[str, Any], command: str, number: str) -> None:
    assert Game(given).refused(orders(r0=command)) == number


def test_what_is_offered_is_accepted_and_keeps_to_the_budget() -> None:
    units = [unit(f"r{index}", "ABC"[index % 3] + "1") for index in range(12)]
    game = Game(*units)
    decision = game.rules.decision(game.state)
    assert decision is not None
    options = decision.options(RED)
    rng = Random(7)
    shared = 0
    for _ in range(20):
        action = options.sample(rng)
        assert isinstance(action, PlaceOrders)
        assert game.rules.refusal(game.state, RED, action) is None
        shared += any(order.shares for order in action.orders.values())
    assert shared


def test_without_command_control_every_unit_has_a_command_of_its_own() -> None:
    game = Game(unit("r0", "A1"), without=["command control"])
    assert isinstance(game.state.stack[-1], PlacingCommands)


# --- secrecy --------------------------------------------------------------------------------------------


@rules("6.2.1.1.3", system=NA)
def test_orders_are_secret_until_the_counter_is_turned_over_for_all_who_share_it() -> None:
    game = Game(unit("r0", "A1"), unit("r1", "A1"), unit("r2", "A1"))
    events = game.act(RED, orders(r0="OW", r1="OW with r0"))
    assert game.rules.redact(events[0], BLUE) == ev.OrdersPlaced(RED, {})
    assert game.rules.redact_action(orders(r0="OW"), RED, BLUE) == PlaceOrders({})
    known = game.rules.conceal(game.state, BLUE).units
    assert {(one.command, one.markers.shares) for one in known.values() if one.side == RED} == {(Command.HIDDEN, "")}
    for variant in game.rules.hidden_variants(game.state, BLUE):
        assert game.rules.conceal(variant, BLUE) == game.rules.conceal(game.state, BLUE)


# --- 6.2.1.1.4 Executing --------------------------------------------------------------------------------


def commanded(game: Game, state: State, command: Command, *names: str) -> State:
    """The units with one command that they share."""
    units = dict(state.units)
    for name in names:
        one = units[UnitId(name)]
        shares = UnitId("" if name == names[0] else names[0])
        units[one.id] = replace(one, command=command, known=False, markers=replace(one.markers, shares=shares))
    return replace(state, units=units)


@rules("6.2.1.1.4", system=NA)
@pytest.mark.parametrize(("grade", "allowed"), [("Elite", "12"), ("Seasoned", "1"), ("Regulars", "")])
def test_targets_of_a_shared_command_are_within_command_range_of_one_another(grade: str, allowed: str) -> None:
    game = Game(unit("r0", "A1"), unit("r1", "A1"), grade=grade)
    state = commanded(game, game.state, Command.FIRE, "r0", "r1")
    target = state.units[UnitId("z1")]
    state = with_shared_fire(state, [UnitId("r0")], target.id)
    places = {label: replace(target, hex=game.context.game_map.hex(f"{'FEDC'[int(label)]}1")) for label in "0123"}
    found = "".join(
        label
        for label, other in places.items()
        if refuse_shared_target(game.context, state, state.units[UnitId("r1")], other) is None
    )
    assert found == "0" + allowed


@rules("6.2.1.1.4", system=NA)
def test_sharers_end_their_moves_within_command_range_of_one_another() -> None:
    game = Game(unit("r0", "A1"), unit("r1", "A1"), grade="Regulars")
    state = commanded(game, game.state, Command.MOVE, "r0", "r1")
    game.state = replace(state, phase=Phase.MOVEMENT, first=BLUE, stack=(Movement(RED, first=False),))
    ahead, onward = Move(UnitId("r0"), legs("F")), Move(UnitId("r1"), legs("F"))
    game.act(RED, ahead)
    assert game.refused(Move(UnitId("r1"))) == "6.2.1.1.4"
    assert game.refused(Move(UnitId("r1"), legs("F 1F"))) == "6.2.1.1.4"
    assert game.refused(onward) == ""
    decision = game.rules.decision(game.state)
    assert decision is not None
    there = game.context.game_map.hex("B1")
    for seed in range(20):
        drawn = decision.options(RED).sample(Random(seed))
        after = game.rules.resolve(game.state, RED, drawn, ScriptedDice(())).state
        assert after.units[UnitId("r1")].hex in (there, None)
    path = MovePath(game.context, game.state, UnitId("r1"))
    assert {branch.ref for branch in path.destinations() if "exit" not in branch.key} == {"B1"}


@rules("6.2.1.1.4", system=NA)
def test_the_first_of_sharers_goes_no_farther_than_the_slowest_can_follow() -> None:
    game = Game(unit("r0", "A1"), unit("r1", "A1", "truck"), grade="Regulars")
    state = commanded(game, game.state, Command.MOVE, "r0", "r1")
    slow = state.units[UnitId("r1")]
    hurt = replace(slow, markers=replace(slow.markers, hull_damaged=True, suppression=Suppression.ON))
    state = replace(state, units={**state.units, slow.id: hurt})
    fast = {branch.ref for branch in MovePath(game.context, state, UnitId("r0")).destinations()}
    alone = replace(hurt, markers=replace(hurt.markers, shares=UnitId("")))
    free = replace(state, units={**state.units, slow.id: alone})
    assert fast < {branch.ref for branch in MovePath(game.context, free, UnitId("r0")).destinations()}


@rules("4.2.1", system=NA)
def test_a_unit_without_a_spotted_target_is_not_ordered_to_fire() -> None:
    game = Game(unit("r0", "A1"))
    blind = replace(game.state, spotted={})
    game.state = blind
    assert [game.refused(orders(r0=words)) for words in ("FIRE", "SHORT HALT", "MOVE", "OW")] == [
        "4.2.1",
        "4.2.1",
        "",
        "",
    ]
    game.state = replace(blind, spotted={UnitId("r0"): (UnitId("z1"),)})
    assert game.refused(orders(r0="FIRE")) == ""


@rules("6.2.1.1.4", system=NA)
def test_a_shared_overwatch_is_over_once_some_have_fired() -> None:
    game = Game(unit("r0", "A1"), unit("r1", "A1"))
    state = commanded(game, game.state, Command.OVERWATCH, "r0", "r1")
    game.state = replace(state, phase=Phase.COMBAT, first=RED, stack=(Overwatch(RED, (UnitId("z1"),)),))
    decision = game.rules.decision(game.state)
    assert decision is not None
    fire = next(action for action in decision.options(RED) if isinstance(action, Engage) and len(action.shots) == 1)
    events = game.act(RED, fire, 100)
    assert [event.unit for event in events if isinstance(event, ev.CommandRevealed)][:2] == ["r0", "r1"]
    assert not any(isinstance(frame, Overwatch) and frame.asked == RED for frame in game.state.stack)


# --- 6.3 Initiative -------------------------------------------------------------------------------------


@rules("6.3", "6.3.1", "6.3.2", "5.8.1", system=NA)
def test_a_force_adds_its_grade_to_the_roll() -> None:
    game = Game(unit("r0", "A1"), grade="Green")
    game.act(RED, orders())
    events = game.act(BLUE, orders(), 90, 50, 81, 40)
    rolled = [event for event in events if isinstance(event, ev.ForceRolled)]
    assert [(event.seat, event.roll, event.net.total) for event in rolled] == [
        (RED, 90, 50),
        (BLUE, 50, 50),
        (RED, 81, 41),
        (BLUE, 40, 40),
    ]
    assert [event.winner for event in events if isinstance(event, ev.InitiativeRolled)] == ["", RED]


# --- 6.8 Adjustment -------------------------------------------------------------------------------------


@rules("6.8", "6.8.1", system=NA)
def test_units_on_foot_and_guns_pivot_freely() -> None:
    game = Game(unit("r0", "A1", "squad"), unit("r1", "A1", "gun"), unit("r2", "A1"))
    game.end_turn()
    assert game.state.stack[-1] == Pivoting((RED,))
    assert game.refused(Pivot({UnitId("r2"): 3})) == "6.8.1"
    assert game.refused(Pivot({UnitId("r0"): 6})) == "6.8.1"
    game.act(RED, Pivot({UnitId("r0"): 3}))
    turned = game.state.units[UnitId("r0")]
    assert (turned.facing, turned.new_spot) == (3, "")
    assert isinstance(game.state.stack[-1], AdjustingCover)


@rules("6.8.2", "6.1.4.2", system=NA)
def test_units_on_foot_go_into_full_cover_and_out_of_it() -> None:
    game = Game(unit("r0", "A1", "squad"), unit("r1", "A1", "gun", full_cover=True), unit("r2", "A1"))
    game.end_turn()
    game.act(RED, Pivot({}))
    assert game.refused(AdjustCover((UnitId("r2"),))) == "6.8.2"
    events = game.act(RED, AdjustCover((UnitId("r0"),)))
    assert ev.CoverAdjusted(RED, (UnitId("r0"),), (UnitId("r1"),)) in events
    assert [game.state.units[UnitId(name)].markers.full_cover for name in ("r0", "r1")] == [True, False]
    assert game.state.turn == 2


@rules("6.8.3", "6.8.3.1", "6.8.3.1.1", "6.8.3.1.2", "6.8.3.2", "6.8.4", "5.10", system=NA)
def test_suppression_is_got_over_by_grade_command_and_fire() -> None:
    off = {"suppression": "SUPPRESSION/OFF", "grade": "Regulars"}
    game = Game(
        unit("r0", "A1", command="FIRE", under_fire=True, **off),
        unit("r1", "A1", **off),
        unit("r2", "A1", suppression="SUPPRESSION/ON", under_fire=True),
    )
    events = game.end_turn(29, 50)
    rolled = [event for event in events if isinstance(event, ev.SuppressionRolled)]
    assert [(event.unit, event.number.total, event.recovered) for event in rolled] == [
        ("r0", 20, False),
        ("r1", 50, True),
    ]
    found = {name: one.markers for name, one in game.state.units.items()}
    assert [found[UnitId(name)].suppression for name in ("r0", "r1", "r2")] == [
        Suppression.OFF,
        Suppression.NONE,
        Suppression.OFF,
    ]
    assert not any(markers.under_fire for markers in found.values())
    assert game.state.turn == 2


def test_fire_of_one_who_shares_with_nobody_leaves_no_note() -> None:
    game = Game(unit("r0", "A1"))
    game.state = replace(game.state, stack=(DirectFire(RED, first=True),))
    assert with_shared_fire(game.state, [UnitId("r0")], UnitId("z1")) is game.state


@rules("6.2.1.1.3", "4.5.1.1.9", system=NA)
@pytest.mark.parametrize(
    ("command", "near", "rule"), [("MOVE", True, ""), ("MOVE", False, "6.2.1.1.3"), ("OW", True, "6.2.1.1.3")]
)
def test_reserves_share_a_move_alone_and_only_those_that_come_in_at_one_place(
    command: str, near: bool, rule: str
) -> None:
    names = [UnitId("a1"), UnitId("a2")]
    members = {name: Member(name, armed=True, able=False) for name in names}
    formation = Formation(FormationId("a"), RED, "A Squadron", Grade.SEASONED, tuple(names))
    status = FormationStatus(formation, members, frozenset(), commands=1, reach=1)
    refusal = refuse_group(status, Command(command), names, lambda *_: near, lambda *_: False)
    assert ("" if refusal is None else refusal.rule) == rule
