"""6.1 and 6.2 read again, sentence by sentence: what was legal and refused, or illegal and accepted."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.core.errors import BadInput
from sandtable.systems.panzer.command.control import Member, active_units
from sandtable.systems.panzer.frames import Movement
from sandtable.systems.panzer.hex.movement.columns import column_of, refuse_out_of_order
from sandtable.systems.panzer.hex.movement.move_path import MovePath
from sandtable.systems.panzer.hex.movement.shared_ends import mover_among_sharers
from sandtable.systems.panzer.hex.spotting.spotting import determine_spotting
from sandtable.systems.panzer.unit import Command, UnitId
from tests.panzer.command.test_command_control import BLUE, RED, ROAD, Game, commanded, orders, unit

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


def column(*units: str, grade: str = "Regulars") -> Game:
    """Vehicles on a road by their hexes, with a MOVE that all of them share: r0, r1 and so on."""
    game = Game(*[unit(f"r{index}", at) for index, at in enumerate(units)], grade=grade, drawing=ROAD)
    names = [f"r{index}" for index in range(len(units))]
    game.state = commanded(game, game.state, Command.MOVE, *names)
    game.state = replace(game.state, first=BLUE, stack=(Movement(RED, first=False),))
    return game


@rules("6.2.1.1.3", system=NA)
def test_6_2_1_1_3_those_within_command_range_are_no_column() -> None:
    for grade, places, is_column in (("Regulars", ("A1", "A1"), False), ("Elite", ("A1", "B1"), False)):
        game = column(*places, grade=grade)
        assert bool(column_of(game.context, game.state, game.state.units[UnitId("r0")])) is is_column
    game = column("A1", "B1", "C1", grade="Seasoned")
    assert column_of(game.context, game.state, game.state.units[UnitId("r2")]) == ("r2", "r1", "r0")


@rules("6.2.1.1.3", system=NA)
def test_6_2_1_1_3_only_an_end_of_a_column_sets_off_and_it_is_offered_so() -> None:
    game = column("A1", "B1", "C1", "B1")
    refused = {name: refuse_out_of_order(game.context, game.state, game.state.units[UnitId(name)]) for name in NAMES}
    assert [name for name, refusal in refused.items() if refusal is None] == ["r0", "r2"]
    decision = game.rules.decision(game.state)
    assert decision is not None
    assert [branch.key for branch in decision.options(RED).root.branches()] == ["r0", "r2"]


@rules("6.2.1.1.3", system=NA)
def test_6_2_1_1_3_the_head_of_a_column_does_not_turn_on_it() -> None:
    game = column("A1", "B1", "C1")
    path = MovePath(game.context, game.state, UnitId("r0"))
    assert {branch.ref for branch in path.destinations() if "exit" not in branch.key} == {"", "A1"}


@rules("6.2.1.1.3", "5.13", system=NA)
@pytest.mark.parametrize(("ahead", "ends"), [(4, {"C1", "D1"}), (5, {"C1"})])
def test_6_2_1_1_3_a_column_over_stacks_no_hex(ahead: int, ends: set[str]) -> None:
    game = column(*["D1"] * ahead, "A1")
    names = tuple(UnitId(f"r{index}") for index in range(ahead + 1))
    units = {one: replace(game.state.units[one], moved=True) for one in names[:-1]}
    state = replace(game.state, units={**game.state.units, **units}, columns={names[0]: names})
    found = mover_among_sharers(game.context, state, state.units[names[-1]]).homes
    assert {game.context.game_map.label(hex) for hex in found} == ends


NAMES = ("r0", "r1", "r2", "r3")


@rules("5.9.2", "6.2.1.1.3", system=NA)
def test_6_2_1_1_3_a_recon_unit_shares_with_no_column_either() -> None:
    game = Game(unit("r0", "A1"), unit("r1", "B1", roles={"recon": True}), grade="Regulars", drawing=ROAD)
    assert game.refused(orders(r0="MOVE", r1="MOVE with r0")) == "6.2.1.1.3"


@rules("6.2.1.1", system=NA)
def test_6_2_1_1_a_combat_unit_that_rides_activates_its_own_vehicle_alone() -> None:
    gun = Member(UnitId("gun"), armed=True, carrier=UnitId("truck"))
    members = [Member(UnitId("truck"), armed=False), gun, Member(UnitId("other"), armed=False)]
    assert active_units(members, lambda _one, _other: True) == {"truck"}


@rules("6.1.1", "5.15", system=NA)
def test_6_1_1_a_vehicle_without_its_crew_spots_nobody() -> None:
    game = Game(unit("r0", "A1", bailed=True), unit("r1", "A1"))
    assert {one for one in determine_spotting(game.context, game.state) if one.startswith("r")} == {"r1"}


@rules("6.2.1.1.3", system=NA)
def test_6_2_1_1_3_a_column_moves_at_the_rate_of_its_road() -> None:
    game = column("C1", "B1")
    mover = mover_among_sharers(game.context, game.state, game.state.units[UnitId("r0")])
    there = replace(mover.start(), hex=game.context.game_map.hex("D1"), entered=2)
    assert mover.is_among_sharers(there)
    assert not mover.is_among_sharers(replace(there, on_route=False))
