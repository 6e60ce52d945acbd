"""7.12, 3.2.2.1: fire on the IFT at a hex with vehicles hurts crews that are Crew Exposed, and nobody buttoned up."""

from fractions import Fraction
from typing import Any

import pytest

from sandtable.core.dice import Dice, enumerate_rolls
from sandtable.systems.aslsk.common.actions import Fire
from sandtable.systems.aslsk.common.consequence import vehicle_change
from sandtable.systems.aslsk.common.events import FireResolved
from sandtable.systems.aslsk.common.facts.armour_events import CrewAttacked, CrewChecked, VehicleStunned
from sandtable.systems.aslsk.common.vehicle_actions import FireVehicle, MoveVehicle
from sandtable.systems.aslsk.fire.crews import crews_under_fire
from sandtable.systems.aslsk.pieces.state import (
    Mark,
    Stun,
    UnitId,
    Vehicle,
    VehicleDeed,
    VehicleGun,
    VehicleId,
    VehicleMoving,
    VehicleStep,
)
from tests.aslsk.clash import PLAIN, Clash, side, squad

rules = pytest.mark.rules
TANK = VehicleId("t")
CMG = VehicleGun.COAXIAL


def _clash(
    phase: str = "PFPh",
    cells: str = PLAIN,
    *,
    german: Any = None,
    russian: Any = (),
    attacker: str = "german",
    **tank: Any,
) -> Clash:
    """A German squad in C1, another far off, and a Russian tank in C2."""
    own = german or side(squad("g", at="C1"), squad("f", at="A4"))
    foe = {"id": "t", "card": "russian/T-34/85", "at": "C2", "vca": "N/NE", **tank}
    others = side(squad("r", "russian/4-4-7", at="A1"), *russian, vehicles=[foe])
    return Clash(phase, cells, german=own, russian=others, attacker=attacker)


def _fire(clash: Clash, at: str = "C2") -> Fire:
    return Fire((UnitId("g"),), (), clash.hex(at))


def _tank(clash: Clash) -> Vehicle:
    return clash.state.vehicles[TANK]


def _attacked(clash: Clash) -> CrewAttacked:
    return next(event for event in clash.events if isinstance(event, CrewAttacked))


@rules("7.7", "7.12", system="aslsk3")
def test_7_12_an_exposed_crew_is_attacked_with_plus_two_and_a_buttoned_up_one_is_not() -> None:
    clash = _clash(exposed=True)
    assert _fire(clash) in clash.options()
    clash.play(_fire(clash), (1, 3), (5, 4))
    attacked = _attacked(clash)
    assert (attacked.column, attacked.drm.total, attacked.result) == (8, 2, "1MC")
    assert _tank(clash).stun is Stun.STUN
    assert not _tank(clash).exposed
    assert clash.unit("g").mark is Mark.PREP_FIRE
    assert clash.saw(CrewChecked, passed=False)
    shut = _clash()
    assert shut.why(_fire(shut)) == "3.2"
    assert _fire(shut) not in shut.options()


@rules("7.7", "7.12", system="aslsk3")
@pytest.mark.parametrize(("cell", "drm"), [("w", 2), ("h", 2), ("b", 3), ("g", 2)])
def test_7_7_cover_of_a_crew_is_not_added_to_that_of_the_terrain(cell: str, drm: int) -> None:
    clash = _clash(cells=f". . . .\n. . {cell} .\n. . . .\n. . . .", exposed=True)
    clash.play(_fire(clash), (6, 5))
    assert _attacked(clash).drm.total == drm


@rules("3.2", "7.12", system="aslsk3")
def test_7_12_infantry_and_crew_of_a_hex_suffer_the_same_dr() -> None:
    clash = _clash(exposed=True, russian=[squad("x", "russian/4-4-7", at="C2")])
    clash.play(_fire(clash), (1, 2), (1, 2), (1, 2))
    fired = next(event for event in clash.events if isinstance(event, FireResolved))
    assert fired.faces == _attacked(clash).faces == (1, 2)
    assert (fired.drm.total, _attacked(clash).drm.total) == (1, 2), "the tank is the squad's cover, not its own"
    shut = _clash(russian=[squad("x", "russian/4-4-7", at="C2")])
    shut.play(_fire(shut), (6, 5))
    assert not shut.saw(CrewAttacked)


@rules("7.10", "7.12", system="aslsk3")
def test_7_12_a_kia_stuns_and_recalls() -> None:
    clash = _clash(exposed=True, at="C1", german=side(squad("g", "german/8-3-8", at="C1"), squad("f", at="A4")))
    clash.play(_fire(clash, "C1"), (1, 2))
    assert clash.saw(VehicleStunned, recall=True)


@rules("3.2.2", "7.12", system="aslsk3")
def test_7_12_fire_at_a_crew_cowers_too() -> None:
    clash = _clash(exposed=True)
    clash.play(_fire(clash), (5, 5))
    assert _attacked(clash).column == 6


@rules("3.2.2.1", system="aslsk3")
def test_3_2_2_1_triple_fp_at_an_exposed_crew_in_the_same_hex() -> None:
    clash = _clash(exposed=True, at="C1")
    assert clash.why(_fire(clash, "A1")) == "3.2.2.1"
    clash.play(_fire(clash, "C1"), (6, 5))
    assert (_attacked(clash).column, _attacked(clash).drm.total) == (12, 2)
    shut = _clash(at="C1")
    assert shut.why(_fire(shut, "C1")) == "3.2"


@rules("7.8", "7.12", system="aslsk3")
def test_7_12_vehicular_machine_guns_at_an_exposed_crew() -> None:
    tank = {"id": "p", "card": "german/PzKpfw IIIF", "at": "C4", "vca": "N/NE"}
    clash = _clash(exposed=True, german=side(squad("g", at="C1"), vehicles=[tank]))
    fire = FireVehicle(VehicleId("p"), (CMG,), clash.hex("C2"))
    assert fire in clash.options()
    clash.play(fire, (6, 5))
    assert _attacked(clash).column == 8
    shut = _clash(german=side(squad("g", at="C1"), vehicles=[tank]))
    assert shut.why(fire) == "7.12"


def _drive(clash: Clash, *labels: str) -> MoveVehicle:
    steps = (VehicleStep(VehicleDeed.START), *[VehicleStep(to=clash.hex(label)) for label in labels])
    return MoveVehicle(TANK, steps, halt=True)


@rules("3.3.3", "7.12", system="aslsk3")
def test_3_3_3_first_fire_at_a_moving_vehicle_hurts_its_crew_alone() -> None:
    friend = [squad("x", "russian/4-4-7", at="C2")]
    clash = _clash("MPh", exposed=True, at="C3", attacker="russian", russian=friend)
    clash.play(_drive(clash, "C2"))
    assert clash.asked == "german"
    clash.play(_fire(clash, "C3"), (6, 5))
    assert _attacked(clash).drm.total == 2
    assert not clash.saw(FireResolved)
    shut = _clash("MPh", at="C3", attacker="russian", russian=friend)
    shut.play(_drive(shut, "C2"))
    assert shut.asked != "german" or shut.why(_fire(shut, "C3")) == "7.12"


@rules("3.2.3", "7.12", system="aslsk3")
def test_7_12_exact_odds_of_a_crew_are_those_of_play() -> None:
    """The crew's own chances, whoever else is in the hex."""
    alone = _clash(exposed=True)
    odds = {chance.what: chance.exact for chance in alone.rules.unit_odds(alone.state, _fire(alone))["t"]}
    assert set(odds) == {"no effect", "buttoned up", "stunned", "STUNNED"}
    beside = _clash(exposed=True, russian=[squad("x", "russian/4-4-7", at="C2")])
    both = beside.rules.unit_odds(beside.state, _fire(beside))
    assert {chance.what: chance.exact for chance in both["t"]} == odds
    assert set(both) == {"t", "x"}
    counted: dict[str, Fraction] = {}
    for after, chance in enumerate_rolls(lambda dice: _played(alone, dice)):
        counted[after] = counted.get(after, Fraction(0)) + chance
    assert {what: str(chance) for what, chance in counted.items()} == odds


def _played(clash: Clash, dice: Dice) -> str:
    state = clash.rules.resolve(clash.state, clash.decision.asked[0], _fire(clash), dice).state
    return vehicle_change(clash.state.vehicles[TANK], state.vehicles[TANK]) or "no effect"


@rules("3.3.3", "7.12", system="aslsk3")
def test_3_3_3_a_crew_that_stands_in_the_hex_of_the_mover_is_no_target() -> None:
    clash = _clash("MPh", exposed=True, at="C3", attacker="russian")
    clash.play(_drive(clash))
    moving = clash.state.stack[-2]
    assert isinstance(moving, VehicleMoving)
    assert crews_under_fire(clash.state, "german", clash.hex("C3"), moving) == (TANK,)
    other = VehicleMoving(VehicleId("somebody else"), (), 0)
    assert crews_under_fire(clash.state, "german", clash.hex("C3"), other) == ()
