"""6.4: whoever enters the hex of a hidden Gun."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Advance, Continue, Done, HoldFire, Move, MoveVehicle, Rout
from sandtable.systems.aslsk.common.facts.hidden_events import Revealed
from sandtable.systems.aslsk.pieces.state import (
    MoveStep,
    Routing,
    UnitId,
    VehicleDeed,
    VehicleId,
    VehicleStep,
    WeaponId,
)
from tests.aslsk.desk import Desk, side, squad

rules = pytest.mark.rules
A = UnitId("A")
CELLS = ". . .\n. w .\n. w .\n. . .\n"


def hide(phase: str, *units: dict[str, Any], **fields: Any) -> Desk:
    """A German crew is hidden with its Gun in the woods of B2."""
    gun = {"id": "gun", "card": "german/5cm PaK 38", "owner": "C", "facing": "N/NE", "emplaced": True, "hidden": True}
    german = side(squad("C", "german/2-2-8 crew", "B2"), *fields.pop("german", ()), weapons=[gun])
    russian = side(*units, vehicles=fields.pop("vehicles", ()))
    return Desk(phase, CELLS, german=german, russian=russian, attacker="russian", player="russian", **fields)


def red(at: str, **flags: Any) -> dict[str, Any]:
    return squad("A", "russian/4-4-7", at, **flags)


def is_hidden(desk: Desk) -> bool:
    return desk.state.weapons[WeaponId("gun")].hidden


@rules("6.4", system="aslsk3")
def test_6_4_who_moves_into_it_is_back_where_he_was_and_ends_his_mph() -> None:
    desk = hide("MPh", red("B1"), squad("B", "russian/4-4-7", "A1"))
    assert is_hidden(desk)
    desk.play(Move((A,), (MoveStep(to=desk.hex("B2")), MoveStep(to=desk.hex("B3")))))
    assert desk.saw(Revealed)
    assert not is_hidden(desk)
    assert (desk.unit("A").hex, desk.unit("A").moved) == (desk.hex("B1"), True)


@rules("6.4", system="aslsk3")
def test_6_4_who_advances_into_it_stays_for_close_combat() -> None:
    desk = hide("APh", red("B1"))
    desk.play(Advance((A,), desk.hex("B2")), 3, 3)
    assert not is_hidden(desk)
    assert desk.unit("A").hex == desk.hex("B2")
    assert desk.saw(ev.AmbushRolled)


@rules("3.6", "6.4", system="aslsk3")
def test_6_4_who_routs_into_it_must_rout_otherwise() -> None:
    desk = hide("RtPh", red("B1", broken=True, dm=True), german=(squad("G", "german/4-6-7", "A1"),))
    desk.play(Rout(A, (desk.hex("B2"),)))
    assert not is_hidden(desk)
    assert desk.saw(Revealed)
    assert desk.unit("A").hex != desk.hex("B2")


@rules("3.6", "6.4", system="aslsk3")
@pytest.mark.parametrize("low_crawl", [False, True])
def test_6_4_who_ran_into_it_with_his_first_step_may_still_crawl(low_crawl: bool) -> None:
    desk = hide("RtPh", red("B1", broken=True, dm=True), german=(squad("G", "german/4-6-7", "A1"),))
    desk.play(Rout(A, (desk.hex("B2"),), low_crawl))
    assert desk.asked == "russian"
    assert desk.why(Done()) == "3.6", "it must rout otherwise"
    assert desk.why(Rout(A, (desk.hex("A2"),))) == "3.6", "and away from what it has found"
    desk.play(Rout(A, (desk.hex("C1"),), low_crawl=True))
    assert desk.unit("A").hex == desk.hex("C1")


@rules("3.6", "6.4", system="aslsk3")
def test_6_4_who_is_hidden_binds_no_rout_that_goes_on_after_interdiction() -> None:
    cells = "w . . . . .\n" * 4
    gun = {"id": "gun", "card": "german/5cm PaK 38", "owner": "C", "facing": "N/NE", "emplaced": True, "hidden": True}
    enemies = (squad("C", "german/2-2-8 crew", "A2"), squad("G", "german/4-6-7", "F3"))
    desk = Desk(
        "RtPh",
        cells,
        german=side(*enemies, weapons=[gun]),
        russian=side(red("E3", broken=True, dm=True)),
        attacker="russian",
        player="russian",
    )
    path = tuple(desk.hex(label) for label in ("D3", "C3", "B3", "A3"))
    desk.play(Rout(A, path), (1, 2))
    frame = desk.state.stack[-1]
    assert isinstance(frame, Routing)
    assert frame.known == ("G",), "nobody knows of the crew"
    assert desk.why(Continue(path=path[1:])) == ""
    assert desk.state.weapons[WeaponId("gun")].hidden


@rules("3.6", "6.3", system="aslsk3")
@pytest.mark.parametrize("emplaced", [False, True])
def test_3_6_a_broken_crew_may_stay_with_its_emplaced_gun_in_the_open(emplaced: bool) -> None:
    gun = {"id": "gun", "card": "russian/57mm PTP obr. 43", "owner": "C", "facing": "N/NE", "emplaced": emplaced}
    crew = squad("C", "russian/2-2-8 crew", "A3", broken=True, dm=True)
    desk = Desk(
        "RtPh",
        ". . . . .\n" * 4,
        german=side(squad("G", "german/4-6-7", "D3")),
        russian=side(crew, weapons=[gun]),
        attacker="russian",
        player="russian",
    )
    assert desk.why(Done()) == ("" if emplaced else "3.6")


@rules("6.4", system="aslsk3")
def test_6_4_an_afv_that_enters_finds_it() -> None:
    tank = {"id": "V", "card": "russian/T-34/85", "at": "B1", "vca": "S/SW"}
    desk = hide("MPh", vehicles=[tank])
    step = VehicleStep(to=desk.hex("B2"))
    desk.play(MoveVehicle(VehicleId("V"), (VehicleStep(VehicleDeed.START), step), halt=True))
    assert desk.asked == "german"
    desk.play(HoldFire(), (1, 1))
    assert desk.state.vehicles[VehicleId("V")].hex == desk.hex("B2")
    assert not is_hidden(desk)
