"""3.3, 3.3.1, 1.1.1, 1.2.5, 4.0: movement of Infantry: costs, bonuses, stacks, smoke grenades, weapons on the way."""

from random import Random
from typing import Any

import pytest

from sandtable.core.decision import Path
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Continue, Done, Move
from sandtable.systems.aslsk.movement.movement_costs import allowance, entry_halves
from sandtable.systems.aslsk.pieces.state import MoveStep, Moving, StepKind, UnitId, WeaponId, Whereabouts
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, B, L = UnitId("a"), UnitId("b"), UnitId("l")
MG = WeaponId("mg")
LINE = """
. . . . . . . . . .
. . . . . . . . . .
"""


def mph(*units: dict[str, Any], cells: str = LINE, **fields: Any) -> Clash:
    """Germans move; a Russian far away keeps the phase open."""
    weapons = fields.pop("weapons", ())
    german = side(*units, weapons=weapons, **fields.pop("side_fields", {}))
    return Clash("MPh", cells, german=german, russian=fields.pop("russian", side()), **fields)


def steps(clash: Clash, *labels: str, kind: StepKind = StepKind.ENTER) -> tuple[MoveStep, ...]:
    return tuple(MoveStep(kind, clash.hex(label)) for label in labels)


def gun(card: str, owner: str = "a", name: str = "mg", **flags: Any) -> dict[str, Any]:
    return {"id": name, "card": card, **({"owner": owner} if owner else {}), **flags}


# --- costs ------------------------------------------------------------------------------------------------------


@rules("1.1.1", system="aslsk3")
@pytest.mark.parametrize(
    ("code", "month", "halves"),
    [
        (".", 7, 2),
        ("o", 7, 2),
        ("x", 7, 4),
        ("g", 7, 3),
        ("g", 12, 2),
        ("w", 7, 4),
        ("b", 7, 4),
        ("h", 7, 4),
        (".1", 7, 4),
        ("w1", 7, 8),
    ],
)
def test_1_1_1_mf_of_each_terrain_and_double_uphill(code: str, month: int, halves: int) -> None:
    clash = mph(squad("a", at="A1"), cells=f". {code}", conditions={"month": month})
    assert entry_halves(clash.context, clash.state, clash.hex("A1"), clash.hex("B1")) == halves


@rules("1.1.1", system="aslsk3")
def test_1_1_1_downhill_and_along_the_hill_cost_nothing_more() -> None:
    clash = mph(squad("a", at="A1"), cells=".1 .1 .")
    cost = [
        entry_halves(clash.context, clash.state, clash.hex(a), clash.hex(b)) for a, b in (("A1", "B1"), ("B1", "C1"))
    ]
    assert cost == [2, 2]


@rules("1.1.1", system="aslsk3")
def test_1_1_1_a_road_through_woods_is_entered_at_its_rate_or_at_that_of_the_woods() -> None:
    road = [{"kind": "dirt_road", "line": ["A1", "B1", "C1"]}]
    clash = mph(squad("a", at="A1"), cells=". w .", features=road)
    clash.play(Move((A,), (*steps(clash, "B1"), *steps(clash, "C1"))))
    assert [event.cost.total for event in clash.events if isinstance(event, ev.UnitsMoved)] == [2, 2]
    wood = mph(squad("a", at="A1"), cells=". w .", features=road)
    assert wood.why(Move((A,), steps(wood, "C1", kind=StepKind.WOODS))) == "3.3"
    wood.play(Move((A,), steps(wood, "B1", kind=StepKind.WOODS)))
    assert [event.cost.total for event in wood.events if isinstance(event, ev.UnitsMoved)] == [4]


@rules("1.2.5", "3.3.1", system="aslsk3")
def test_1_2_5_entering_smoke_costs_one_mf_more() -> None:
    clash = mph(squad("a", at="A1"), smoke={"B1": "smoke grenades"})
    assert entry_halves(clash.context, clash.state, clash.hex("A1"), clash.hex("B1")) == 4
    assert entry_halves(clash.context, clash.state, clash.hex("B1"), clash.hex("A1")) == 2


# --- allowances -------------------------------------------------------------------------------------------------


@rules("3.3.1", "4.0", "5.4", system="aslsk3")
@pytest.mark.parametrize(
    ("cards", "double", "mf"),
    [
        (["german/4-6-7"], False, 4),
        (["german/4-6-7"], True, 6),
        (["german/4-3-6"], False, 3),
        (["american/5-3-6"], False, 3),
        (["german/8-0"], False, 6),
        (["german/8-0"], True, 8),
        (["german/4-6-7", "german/8-0"], False, 6),
        (["german/4-6-7", "german/8-0"], True, 8),
        (["american/5-3-6", "american/8-0"], False, 6),
        (["american/5-3-6", "american/8-0"], True, 8),
        (["german/4-3-6", "german/8-0"], False, 5),
        (["german/4-3-6", "german/8-0"], True, 7),
    ],
)
def test_3_3_1_the_unit_movement_factor_chart(cards: list[str], double: bool, mf: int) -> None:
    clash = mph(*(squad(f"u{n}", card, at="A1") for n, card in enumerate(cards)))
    units = list(clash.state.units.values())
    found = allowance(clash.context, clash.state, units, double_time=[unit.id for unit in units] if double else [])
    assert found[UnitId("u0")] == 2 * mf


@rules("4.0", system="aslsk3")
@pytest.mark.parametrize(
    ("pp", "chart"),
    [
        (2, [4, 6, 6, 8, 8]),
        (3, [4, 5, 6, 8, 7]),
        (4, [3, 4, 6, 7, 6]),
        (5, [2, 3, 5, 6, 5]),
        (6, [1, 2, 4, 5, 4]),
        (7, [0, 1, 3, 4, 3]),
    ],
)
def test_4_0_the_mf_pp_chart(pp: int, chart: list[int]) -> None:
    """Alone, alone CX, with leader, CX with leader, CX with CX leader.

    Of the fourth column the chart prints no more than the leader's own 6 MF, which bind the stack.
    """
    guns = [gun("german/LMG", name=f"m{n}") for n in range(pp)]
    one = mph(squad("a", at="A1"), weapons=guns)
    two = mph(squad("a", at="A1"), squad("l", "german/8-0", at="A1"), weapons=guns)

    def factors(clash: Clash, *doubling: UnitId) -> int:
        units = list(clash.state.units.values())
        return allowance(clash.context, clash.state, units, double_time=doubling)[A]

    found = [factors(one), factors(one, A), factors(two), factors(two, A), factors(two, A, L)]
    assert [halves / 2 for halves in found] == chart


@rules("3.2.3", "3.3.1", system="aslsk3")
def test_3_2_3_a_wounded_leader_has_three_mf_and_no_double_time() -> None:
    clash = mph(squad("l", "german/8-0", at="A1", wounded=True))
    assert clash.why(Move((L,), steps(clash, "B1", "C1", "D1"))) == ""
    assert clash.why(Move((L,), steps(clash, "B1", "C1", "D1", "E1"))) == "3.3.1"
    assert clash.why(Move((L,), steps(clash, "B1"), double_time=True)) == "3.2.3"


@rules("4.0", system="aslsk3")
def test_4_0_a_smc_carries_two_pp_at_the_most() -> None:
    clash = mph(squad("l", "german/8-0", at="A1"), weapons=[gun("german/MMG", owner="l")])
    assert clash.why(Move((L,), steps(clash, "B1"))) == "4.0"
    assert clash.why(Move((L,), steps(clash, "B1"), drop=(WeaponId("mg"),))) == ""


# --- ways to move -----------------------------------------------------------------------------------------------


@rules("3.3", "3.3.1", system="aslsk3")
def test_3_3_1_four_hexes_one_at_a_time() -> None:
    clash = mph(squad("a", at="A1"))
    assert clash.why(Move((A,), steps(clash, "C1"))) == "3.3"
    assert clash.why(Move((A,), ())) == "3.3.1"
    assert clash.why(Move((A,), steps(clash, "B1", "C1", "D1", "E1", "F1"))) == "3.3.1"
    clash.play(Move((A,), steps(clash, "B1", "C1", "D1", "E1")))
    assert clash.unit("a").hex == clash.hex("E1")


@rules("3.3", system="aslsk3")
def test_3_3_enemy_hexes_and_full_hexes_are_closed() -> None:
    stack = [squad(f"s{n}", at="B1") for n in range(3)]
    clash = mph(squad("a", at="A1"), *stack, russian=side(squad("r", "russian/4-4-7", at="A2", broken=True)))
    assert clash.why(Move((A,), steps(clash, "B1"))) == "3.3.1"
    assert clash.why(Move((A,), steps(clash, "A2"))) == "3.3"


@rules("3.3", "3.2.3", system="aslsk3")
@pytest.mark.parametrize(
    ("flags", "number"),
    [
        ({"pinned": True}, "3.2.3"),
        ({"broken": True}, "3.3"),
        ({"mark": "Prep Fire"}, "3.3"),
        ({"moved": True}, "3.3.1"),
    ],
)
def test_3_3_who_does_not_move(flags: dict[str, Any], number: str) -> None:
    clash = mph(squad("a", at="A1", **flags), squad("b", at="B1"))
    assert clash.why(Move((A,), steps(clash, "B1"))) == number


@rules("3.3.1", system="aslsk3")
def test_3_3_1_assault_movement_is_one_hex_that_leaves_some_mf() -> None:
    clash = mph(squad("a", at="A1"), squad("b", "german/4-3-6", at="A2"), cells=". b .\n. b1 .")
    assert clash.why(Move((A,), steps(clash, "B1"), assault=True)) == ""
    assert clash.why(Move((A,), steps(clash, "B1", "C1"), assault=True)) == "3.3.1"
    assert clash.why(Move((A,), steps(clash, "B1"), assault=True, double_time=True)) == "3.3.1"
    assert clash.why(Move((B,), steps(clash, "B2"), assault=True)) == "3.3.1"


@rules("3.3.1", system="aslsk3")
def test_3_3_1_double_time_gives_two_mf_and_exhausts() -> None:
    clash = mph(squad("a", at="A1"), squad("b", at="A2", cx=True))
    clash.play(Move((A,), steps(clash, "B1", "C1", "D1", "E1", "F1", "G1"), double_time=True))
    assert clash.unit("a").cx


@rules("3.3.1", system="aslsk3")
def test_3_3_1_cx_goes_at_the_start_of_the_next_mph_and_forbids_double_time_in_it() -> None:
    russian = side(squad("r", "russian/4-4-7", at="C1"))
    clash = Clash("PFPh", LINE, german=side(squad("a", at="A1", cx=True)), russian=russian)
    clash.play(Done())
    assert not clash.unit("a").cx
    assert clash.why(Move((A,), steps(clash, "A2"), double_time=True)) == "3.3.1"


@rules("3.3.1", system="aslsk3")
def test_3_3_1_a_stack_may_rest_its_leader_while_the_others_double_time() -> None:
    guns = [gun("german/HMG"), gun("german/LMG", name="m2")]
    clash = mph(squad("a", at="A1"), squad("l", "german/8-0", at="A1"), weapons=guns)
    path = steps(clash, "B1", "C1", "D1", "E1", "F1", "G1")
    assert clash.why(Move((A, L), path)) == "3.3.1"
    clash.play(Move((A, L), path, double_time=True, resting=(L,)))
    assert (clash.unit("a").cx, clash.unit("l").cx) == (True, False)


@rules("1.1.1", "3.3.1", system="aslsk3")
def test_3_3_1_the_road_bonus_is_for_those_who_never_leave_the_road() -> None:
    road = [{"kind": "dirt_road", "line": ["A1", "B1", "C1", "D1", "E1", "F1"]}]
    clash = mph(squad("a", at="A1"), squad("b", at="A2"), features=road)
    assert clash.why(Move((A,), steps(clash, "B1", "C1", "D1", "E1", "F1"))) == ""
    assert clash.why(Move((A,), steps(clash, "B1", "C1", "D1", "E1", "E2"))) == "3.3.1"
    assert clash.why(Move((B,), steps(clash, "B1", "C1", "D1", "E1", "F1"))) == "3.3.1"


# --- stacks -----------------------------------------------------------------------------------------------------


@rules("3.3.1", system="aslsk3")
def test_3_3_1_a_leader_gives_two_mf_to_those_who_move_with_him() -> None:
    clash = mph(squad("a", at="A1"), squad("l", "german/8-0", at="A1"))
    assert clash.why(Move((A,), steps(clash, "B1", "C1", "D1", "E1", "F1"))) == "3.3.1"
    clash.play(Move((A, L), steps(clash, "B1", "C1", "D1", "E1", "F1", "G1")))
    assert clash.unit("a").hex == clash.unit("l").hex == clash.hex("G1")


@rules("3.3.1", system="aslsk3")
def test_3_3_1_a_stack_breaks_up_on_the_way_and_nobody_else_moves_before_it_has_ended() -> None:
    clash = mph(squad("a", at="A1"), squad("b", at="A1"), squad("c", at="A2"))
    clash.play(Move((A, B), steps(clash, "B1"), halt=True))
    assert isinstance(clash.state.stack[-1], Moving)
    assert clash.why(Move((UnitId("c"),), steps(clash, "B2"))) != ""
    clash.play(Continue((A,), steps(clash, "C1")))
    assert clash.why(Continue((A, B), steps(clash, "D1"))) == "3.3.1"
    clash.play(Continue((B,), steps(clash, "B2")))
    clash.play(Continue())
    assert (clash.unit("a").hex, clash.unit("b").hex) == (clash.hex("C1"), clash.hex("B2"))
    assert clash.unit("a").moved
    assert clash.why(Move((UnitId("c"),), steps(clash, "A1"))) == ""


@rules("3.3.1", system="aslsk3")
def test_3_3_1_a_leader_does_not_leave_those_who_live_on_his_mf() -> None:
    clash = mph(squad("a", at="A1"), squad("l", "german/8-0", at="A1"), squad("c", at="A2"))
    clash.play(Move((A, L), steps(clash, "B1", "C1", "D1", "E1", "F1"), halt=True))
    assert clash.why(Continue((L,), steps(clash, "G1"))) == "3.3.1"
    assert clash.why(Continue((A,))) == "3.3.1"
    assert clash.why(Continue((A,), steps(clash, "G1"))) == "3.3.1"
    assert clash.why(Continue((A, L), steps(clash, "G1"))) == ""
    assert clash.why(Continue((A, L))) == "3.3.1"
    assert clash.why(Continue((), steps(clash, "G1"))) == "3.3.1"
    assert clash.why(Continue((A, L), steps(clash, "H1"))) == "3.3"


# --- smoke grenades ---------------------------------------------------------------------------------------------


@rules("1.2.2", "1.2.5", "3.3.1", system="aslsk3")
def test_3_3_1_smoke_grenades() -> None:
    clash = mph(squad("a", at="A1"), squad("b", "german/4-4-7", at="A1"))
    throw = MoveStep(StepKind.SMOKE, clash.hex("B1"), A)
    assert clash.why(Move((A,), (throw, *steps(clash, "A2", "A1", "A2")))) == "3.3.1"
    assert clash.why(Move((A,), (throw, throw))) == "3.3.1"
    assert clash.why(Move((B,), (MoveStep(StepKind.SMOKE, clash.hex("B1"), B),))) == "1.2.2"
    assert clash.why(Move((A,), (MoveStep(StepKind.SMOKE, clash.hex("C1"), A),))) == "3.3.1"
    clash.play(Move((A,), (throw, *steps(clash, "A2"))), 1)
    assert clash.saw(ev.SmokePlaced, hex=clash.hex("B1"))
    assert clash.unit("a").hex == clash.hex("A2")
    clash.play(Done())
    assert not clash.state.smoke


@rules("3.3.1", system="aslsk3")
@pytest.mark.parametrize(("roll", "placed", "at"), [(3, True, "A2"), (4, False, "A2"), (6, False, "A1")])
def test_3_3_1_a_six_ends_the_mph_and_cx_adds_one(roll: int, placed: bool, at: str) -> None:
    clash = mph(squad("a", "american/7-4-7", at="A1"), squad("b", at="B1"))
    throw = MoveStep(StepKind.SMOKE, clash.hex("A1"), A)
    clash.play(Move((A,), (throw, *steps(clash, "A2"))), roll)
    assert clash.saw(ev.SmokePlaced) == placed
    assert clash.unit("a").hex == clash.hex(at)
    tired = mph(squad("a", "american/7-4-7", at="A1"), squad("b", at="B1"))
    tired.play(Move((A,), (throw,), double_time=True), roll)
    assert tired.saw(ev.SmokePlaced) == (roll <= 2)


# --- weapons on the way -----------------------------------------------------------------------------------------


@rules("3.3.1", "4.0", system="aslsk3")
@pytest.mark.parametrize(("roll", "owner"), [(5, "a"), (6, "")])
def test_3_3_1_recovery_on_the_move(roll: int, owner: str) -> None:
    clash = mph(squad("a", at="A1"), squad("b", at="A2"), weapons=[gun("german/LMG", "", at="B1")])
    recover = MoveStep(StepKind.RECOVER, None, A, MG)
    assert clash.why(Move((A,), (recover,))) == "3.3.1"
    clash.play(Move((A,), (*steps(clash, "B1"), recover, *steps(clash, "C1"))), roll)
    assert clash.state.weapons[MG].owner == owner
    assert clash.unit("a").hex == clash.hex("C1")


@rules("4.0", system="aslsk3")
def test_4_0_weapons_dropped_at_the_start_cost_no_mf_and_are_not_moved() -> None:
    clash = mph(squad("a", at="A1"), squad("b", at="A2"), weapons=[gun("german/HMG"), gun("german/LMG", name="m2")])
    path = steps(clash, "B1", "C1", "D1", "E1")
    assert clash.why(Move((A,), path)) == "3.3.1"
    assert clash.why(Move((A,), path, drop=(WeaponId("nothing"),))) == "4.0"
    clash.play(Move((A,), path, drop=(MG,)))
    weapon = clash.state.weapons[MG]
    assert (weapon.hex, weapon.owner, weapon.moved) == (clash.hex("A1"), "", False)
    assert clash.state.weapons[WeaponId("m2")].moved


@rules("4.0", system="aslsk3")
def test_4_0_no_weapon_moves_twice_in_a_mph() -> None:
    clash = mph(squad("a", at="A1"), squad("b", at="B2"), weapons=[gun("german/LMG")])
    clash.play(Move((A,), (*steps(clash, "B1"), MoveStep(StepKind.DROP, weapon=MG))))
    assert clash.state.weapons[MG].hex == clash.hex("B1")
    assert clash.why(Move((B,), (*steps(clash, "B1"), MoveStep(StepKind.RECOVER, None, B, MG)))) == "4.0"


# --- on and off the map -----------------------------------------------------------------------------------------


@rules("3.3", system="aslsk3")
def test_3_3_units_off_board_enter_where_their_force_may() -> None:
    clash = mph(squad("a"), side_fields={"enters": ["A1", "A2"]})
    assert clash.why(Move((A,), steps(clash, "B1"))) == "3.3"
    clash.play(Move((A,), steps(clash, "A1", "B1", "C1", "D1")))
    assert clash.unit("a").place is Whereabouts.MAP


@rules("3.3", system="aslsk3")
def test_3_3_units_leave_the_map_only_where_it_counts() -> None:
    exits = [{"side": "german", "zone": [{"hexes": ["A1"]}]}]
    clash = mph(squad("a", at="A1"), squad("b", at="A2"), exits=exits)
    leave = MoveStep(StepKind.EXIT, way=5)
    assert clash.why(Move((B,), (leave,))) == "3.3"
    assert clash.why(Move((A,), (MoveStep(StepKind.EXIT, way=2),))) == "3.3"
    clash.play(Move((A,), (leave,)))
    assert (clash.unit("a").place, clash.unit("a").away) == (Whereabouts.EXITED, True)


# --- the tree ---------------------------------------------------------------------------------------------------


def test_destinations_are_reached_by_a_cheapest_way() -> None:
    clash = mph(squad("a", at="A1"), cells=". w . .\n. . . .")
    node = clash.decision.options(clash.decision.asked[0]).at("a", "move")
    assert isinstance(node, Path)
    costs = {way.key: way.label for way in node.destinations()}
    assert costs["B1"] == "B1 (2 MF)"
    assert costs["C1"] == "C1 (3 MF)"
    assert "D2" in costs


@rules("4.0", system="aslsk3")
def test_4_0_of_several_leaders_the_one_with_a_free_hand_helps_to_carry() -> None:
    guns = [{"id": f"h{i}", "card": "german/HMG", "owner": "a"} for i in range(2)]
    men = [squad("l", "german/8-1", at="A1", wounded=True), squad("m", "german/8-0", at="A1"), squad("a", at="A1")]
    clash = Clash("MPh", german=side(*men, weapons=guns), russian=side(squad("r", "russian/4-4-7", at="G5")))
    stack = tuple(clash.unit(name) for name in ("l", "m", "a"))
    assert allowance(clash.context, clash.state, stack)[UnitId("a")] == 2 * (4 + 2 - (8 - 3 - 1))


@rules("3.3.1", system="aslsk3")
def test_3_3_1_of_a_large_force_off_board_those_who_enter_together_are_named_one_by_one() -> None:
    men = [squad(f"s{number}") for number in range(7)]
    clash = mph(*men, squad("l", "german/9-1"), side_fields={"enters": ["A1", "A2"]})
    options = clash.decision.options(clash.decision.asked[0])
    force = clash.unit("l").force
    node = options.at(f"{force}+", "s1", "s3", "s6", "l", "move")
    assert isinstance(node, Path)
    stack = tuple(UnitId(name) for name in ("s1", "s3", "s6", "l"))
    way = next(branch for branch in node.destinations() if branch.key == "A1")
    move = way.then.sample(Random(1))
    assert isinstance(move, Move)
    assert (move.units, clash.why(move)) == (stack, "")
    third = options.at(f"{force}+", "s1", "s3", "s4")
    assert [branch.key for branch in third.branches() if branch.kind == "unit"] == ["l"], "three squads fill a hex"
