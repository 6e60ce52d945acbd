"""7.11, 7.12 Area Target Type against AFV, and attacks on exposed crews."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.core.modifier import Modifier
from sandtable.systems.aslsk.armour.crew import crew_cover, crew_number, exposed_crews
from sandtable.systems.aslsk.armour.strike import (
    AfvResult,
    area_result,
    area_terms,
)
from sandtable.systems.aslsk.common.facts import armour_events as ev
from sandtable.systems.aslsk.effects.ift import ift_of
from sandtable.systems.aslsk.pieces.state import Phase, Stun
from sandtable.systems.aslsk.pieces.vehicle_cards import Aspect
from tests.aslsk.firing_range import FT, IIIN, KV, MG, TANK, TURRET, Range, ended

rules = pytest.mark.rules


@rules("7.11", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "drm"),
    [
        ("german/PzKpfw IIF", -1),
        ("italian/M13/40", -1),
        ("british/Stuart III(a)", -1),
        (IIIN, 0),
        (KV, 1),
        ("german/StuG IIIG(L)", 0),
    ],
)
def test_7_11_drm_by_armour(card: str, drm: int) -> None:
    """All at most 4, or all at least 8 (ruling)."""
    tank = Range(card)
    found = area_terms(tank.clash.context, tank.clash.context.vehicle_card(tank.tank))
    assert sum(term.value for term in found) == drm


@rules("7.11", system="aslsk3")
@pytest.mark.parametrize(
    ("fp", "final", "hull", "turret"),
    [
        (6, 2, AfvResult.ELIMINATED, AfvResult.ELIMINATED),
        (6, 3, AfvResult.IMMOBILIZED, AfvResult.SHOCK),
        (6, 4, AfvResult.IMMOBILIZED, AfvResult.SHOCK),
        (6, 5, AfvResult.NONE, AfvResult.NONE),
        (1, 0, AfvResult.ELIMINATED, AfvResult.ELIMINATED),
        (1, 2, AfvResult.IMMOBILIZED, AfvResult.SHOCK),
        (1, 3, AfvResult.NONE, AfvResult.NONE),
        (36, 8, AfvResult.IMMOBILIZED, AfvResult.SHOCK),
        (36, 9, AfvResult.NONE, AfvResult.NONE),
    ],
)
def test_7_11_results(fp: int, final: int, hull: AfvResult, turret: AfvResult) -> None:
    context = Range().clash.context
    column = ift_of(context).number(fp)
    assert area_result(context, column, final, Aspect.HULL) is hull
    assert area_result(context, column, final, Aspect.TURRET) is turret


@rules("7.11", system="aslsk3")
def test_7_11_the_original_ift_dr_says_hull_or_turret() -> None:
    tank = Range(KV)
    assert tank.area((1, 2)).result is AfvResult.SHOCK
    tank = Range(KV)
    assert tank.area((2, 1)).result is AfvResult.IMMOBILIZED
    tank = Range(KV)
    assert tank.area((2, 2)).result is AfvResult.NONE
    tank = Range(KV)
    assert tank.area((2, 1), terms=(Modifier(1, "woods", "1.1.1"),)).result is AfvResult.NONE


@rules("7.12", system="aslsk3")
@pytest.mark.parametrize(
    ("fields", "dice", "attacked"),
    [
        ({"rows": ("russian 76",)}, [(3, 2)], False),
        ({"rows": ("russian 76",)}, [(3, 3)], True),
        ({"rows": ("russian 76",), "faces": TURRET}, [(3, 3)], False),
        ({"rows": ("russian 76",)}, [(3, 4), (4, 4)], True),
        ({"rows": ("russian 76",)}, [(3, 4), (4, 5)], False),
        ({"rows": ("russian 76",)}, [(4, 4)], True),
        (MG, [(1, 1)], False),
        (MG, [(3, 4)], True),
        (FT, [(5, 5)], True),
    ],
)
def test_7_12_a_crew_that_lives_is_attacked_by_the_same_dr(
    fields: dict[str, Any], dice: list[Any], attacked: bool
) -> None:
    """Not if the AFV is destroyed, shocked or stunned; Immobilization spares the crew nothing."""
    tank = Range(exposed=True)
    tank.hit(*dice, **fields)
    assert tank.saw(ev.CrewAttacked) is attacked
    for event in tank.play.events:
        if isinstance(event, ev.CrewAttacked):
            assert event.faces == dice[0]
            assert event.drm.total == 2
            assert event.column == 2


@rules("7.12", system="aslsk3")
def test_7_12_a_buttoned_up_crew_is_safe() -> None:
    tank = Range()
    tank.hit((4, 4), rows=("russian 76",), fp=12)
    assert not tank.saw(ev.CrewAttacked)


@rules("7.11", "7.12", system="aslsk3")
def test_7_12_after_an_area_hit_half_the_fp_and_no_drm_but_ce() -> None:
    tank = Range(exposed=True)
    tank.area((3, 3), (4, 4), terms=(Modifier(-1, "Air Burst", "1.1.1"),))
    attack = next(event for event in tank.play.events if isinstance(event, ev.CrewAttacked))
    assert (attack.column, attack.drm.total, attack.result) == (6, 2, "PTC")


@rules("7.7", "7.12", system="aslsk3")
@pytest.mark.parametrize(("letter", "drm"), [(".", 2), ("w", 2), ("h", 2), ("b", 3)])
def test_7_12_ce_and_tem_do_not_add_up(letter: str, drm: int) -> None:
    tank = Range(cells=f". . . .\n. {letter} . .\n. . . .", at="B2")
    assert crew_cover(tank.clash.context, tank.clash.hex("B2")).value == drm


@rules("3.2.3", "7.10", system="aslsk3")
@pytest.mark.parametrize(
    ("faces", "dice", "stun_", "exposed"),
    [
        # 8 FP with +2: 4 or less on the IFT a KIA or K, then 2MC, 2MC, 1MC, 1MC, NMC, PTC, nothing.
        ((1, 1), [(1, 1)], Stun.NONE, True),
        ((1, 1), [(3, 3)], Stun.NONE, False),
        ((1, 1), [(3, 4)], Stun.STUN, False),
        ((1, 1), [(6, 6)], Stun.STUN_AND_RECALL, False),
        ((3, 3), [(4, 4)], Stun.NONE, False),
        ((3, 3), [(4, 3)], Stun.NONE, True),
        ((3, 3), [(4, 5)], Stun.STUN, False),
        ((3, 4), [(4, 4)], Stun.NONE, True),
        ((3, 4), [(4, 5)], Stun.NONE, False),
        ((3, 4), [(6, 6)], Stun.NONE, False),
        ((4, 4), [], Stun.NONE, True),
    ],
)
def test_3_2_3_what_the_ift_does_to_an_exposed_crew(
    faces: tuple[int, int], dice: list[Any], stun_: Stun, exposed: bool
) -> None:
    """A MC that fails Stuns, a 12 STUNs, the highest that passes and a failed PTC button up."""
    tank = Range(exposed=True)
    tank.crew(*dice, faces=faces)
    assert (tank.tank.stun, tank.tank.exposed) == (stun_, exposed)
    assert tank.tank.shut is not exposed
    assert not tank.tank.wreck


@rules("3.2.3", "7.10", system="aslsk3")
@pytest.mark.parametrize(("fp", "faces"), [(36, (1, 1)), (36, (2, 3))])
def test_3_2_3_k_and_kia_stun_with_recall(fp: int, faces: tuple[int, int]) -> None:
    tank = Range(exposed=True)
    tank.crew(fp=fp, faces=faces)
    assert tank.tank.stun is Stun.STUN_AND_RECALL


@rules("3.2.4", "7.12", system="aslsk3")
def test_7_12_where_ce_modified_the_to_hit_dr_it_does_not_again() -> None:
    tank = Range(exposed=True)
    tank.crew((4, 4), fp=1, faces=(3, 3), covered=False, terms=(Modifier(-1, "FFMO", "3.3.3"),))
    attack = next(event for event in tank.play.events if isinstance(event, ev.CrewAttacked))
    assert (attack.drm.total, attack.result) == (-1, "PTC")


@rules("7.12", system="aslsk3")
def test_7_12_only_exposed_crews_of_vehicles_in_play_can_be_attacked() -> None:
    tank, shut, wreck = Range(exposed=True).tank, Range().tank, Range(wreck=True, exposed=True).tank
    assert exposed_crews([tank, shut, wreck]) == [TANK]


@rules("3.2.3", "7.7", system="aslsk3")
def test_3_2_3_shut_lasts_for_the_player_turn() -> None:
    tank = Range(exposed=True)
    tank.crew((3, 3), faces=(1, 1))
    for phase in Phase:
        after = tank.clash.rules.fold(tank.clash.state, ended(phase)).vehicles[TANK]
        assert after.shut is (phase is not Phase.CLOSE_COMBAT)


@rules("7.10", system="aslsk3")
def test_7_10_a_past_stun_counts_for_morale_checks_and_not_for_a_ptc() -> None:
    tank = Range(exposed=True, stun="+1")
    numbers = [crew_number(tank.clash.context, tank.tank, check).total for check in ("NMC", "PTC")]
    assert numbers == [7, 8]
