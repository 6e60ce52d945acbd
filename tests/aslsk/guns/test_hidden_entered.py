"""6.4: whoever enters the hex of a hidden Gun."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Advance, Continue, Done, HoldFire, Move, Rout
from sandtable.systems.aslsk.common.facts.hidden_events import Revealed
from sandtable.systems.aslsk.common.vehicle_actions import FireGun, MoveVehicle
from sandtable.systems.aslsk.pieces.state import (
    MoveStep,
    Routing,
    UnitId,
    VehicleDeed,
    VehicleId,
    VehicleStep,
    WeaponId,
)
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A = UnitId("A")
CELLS = ". . .\n. w .\n. w .\n. . .\n"


def hide(phase: str, *units: dict[str, Any], **fields: Any) -> Clash:
    """A German crew is hidden with its Gun in the woods of B2."""
    gun = {"id": "gun", "card": "german/5cm PaK 38", "owner": "C", "facing": "N/NE", "emplaced": True, "hidden": True}
    german = side(squad("C", "german/2-2-8 crew", "B2"), *fields.pop("german", ()), weapons=[gun])
    russian = side(*units, vehicles=fields.pop("vehicles", ()))
    cells = fields.pop("cells", CELLS)
    return Clash(phase, cells, german=german, russian=russian, attacker="russian", player="russian", **fields)


def red(at: str, **flags: Any) -> dict[str, Any]:
    return squad("A", "russian/4-4-7", at, **flags)


def is_hidden(clash: Clash) -> bool:
    return clash.state.weapons[WeaponId("gun")].hidden


@rules("6.4", system="aslsk3")
def test_6_4_who_moves_into_it_is_back_where_he_was_and_ends_his_mph() -> None:
    clash = hide("MPh", red("B1"), squad("B", "russian/4-4-7", "A1"))
    assert is_hidden(clash)
    clash.play(Move((A,), (MoveStep(to=clash.hex("B2")), MoveStep(to=clash.hex("B3")))))
    assert clash.saw(Revealed)
    assert not is_hidden(clash)
    assert (clash.unit("A").hex, clash.unit("A").moved) == (clash.hex("B1"), True)


@rules("3.3.3", "6.4", system="aslsk3")
@pytest.mark.parametrize(("came", "drm"), [((), -1), (("B1",), -2)])
def test_6_4_who_moves_into_it_draws_first_fire_where_he_is(came: tuple[str, ...], drm: int) -> None:
    """For the MF of the hex that he does not enter: in the woods of B1 with FFNAM, in the open with FFMO as well."""
    start, cells = ("A1", CELLS) if came else ("B1", ". w .\n. w .\n. w .\n. . .\n")
    clash = hide("MPh", red(start), squad("B", "russian/4-4-7", "C4"), cells=cells)
    clash.play(Move((A,), tuple(MoveStep(to=clash.hex(label)) for label in (*came, "B2"))))
    for _ in came:
        clash.play(HoldFire())
    assert (clash.asked, clash.saw(Revealed)) == ("german", True)
    clash.play(FireGun(clash.hex("B1"), WeaponId("gun")), (5, 6), *[(6, 6) for _ in came])
    shot = next(event for event in clash.events if isinstance(event, ev.ShotResolved))
    assert -sum(term.value for term in shot.number.terms if term.label in ("FFNAM", "FFMO")) == drm


@rules("6.4", system="aslsk3")
def test_6_4_who_advances_into_it_stays_for_close_combat() -> None:
    clash = hide("APh", red("B1"))
    clash.play(Advance((A,), clash.hex("B2")), 3, 3)
    assert not is_hidden(clash)
    assert clash.unit("A").hex == clash.hex("B2")
    assert clash.saw(ev.AmbushRolled)


@rules("3.6", "6.4", system="aslsk3")
def test_6_4_who_routs_into_it_must_rout_otherwise() -> None:
    clash = hide("RtPh", red("B1", broken=True, dm=True), german=(squad("G", "german/4-6-7", "A1"),))
    clash.play(Rout(A, (clash.hex("B2"),)))
    assert not is_hidden(clash)
    assert clash.saw(Revealed)
    assert clash.unit("A").hex != clash.hex("B2")


@rules("3.6", "6.4", system="aslsk3")
@pytest.mark.parametrize("low_crawl", [False, True])
def test_6_4_who_ran_into_it_routs_on_another_way_and_crawls_no_more(low_crawl: bool) -> None:
    clash = hide("RtPh", red("B1", broken=True, dm=True), german=(squad("G", "german/4-6-7", "A1"),))
    clash.play(Rout(A, (clash.hex("B2"),), low_crawl))
    assert clash.asked == "russian"
    assert clash.why(Continue(path=(clash.hex("A2"),))) == "3.6", "away from what it has found"
    assert clash.why(Continue()) == "3.6", "it must go on"
    frame = clash.state.stack[-1]
    assert isinstance(frame, Routing)
    assert not frame.low_crawl
    clash.play(Continue(path=(clash.hex("C1"),)), (1, 2))
    assert clash.saw(ev.Interdicted), "Low Crawl would have kept it from that"


@rules("3.6", "6.4", system="aslsk3")
def test_6_4_who_has_no_plan_goes_on_from_there_too_and_never_by_low_crawl() -> None:
    clash = hide("RtPh", red("B1", broken=True, dm=True), german=(squad("G", "german/4-6-7", "A1"),))
    clash.play(Rout(A, (clash.hex("B2"),)))
    options = clash.decision.options(clash.decision.asked[0])
    assert {options.sample(Random(seed)) for seed in range(20)} <= set(options)


@rules("3.6", "6.4", system="aslsk3")
def test_6_4_who_is_hidden_binds_no_rout_that_goes_on_after_interdiction() -> None:
    cells = "w . . . . .\n" * 4
    gun = {"id": "gun", "card": "german/5cm PaK 38", "owner": "C", "facing": "N/NE", "emplaced": True, "hidden": True}
    enemies = (squad("C", "german/2-2-8 crew", "A2"), squad("G", "german/4-6-7", "F3"))
    clash = Clash(
        "RtPh",
        cells,
        german=side(*enemies, weapons=[gun]),
        russian=side(red("E3", broken=True, dm=True)),
        attacker="russian",
        player="russian",
    )
    path = tuple(clash.hex(label) for label in ("D3", "C3", "B3", "A3"))
    clash.play(Rout(A, path), (1, 2))
    frame = clash.state.stack[-1]
    assert isinstance(frame, Routing)
    assert frame.known == ("G",), "nobody knows of the crew"
    assert clash.why(Continue(path=path[1:])) == ""
    assert clash.state.weapons[WeaponId("gun")].hidden


@rules("3.6", "6.3", system="aslsk3")
@pytest.mark.parametrize("emplaced", [False, True])
def test_3_6_a_broken_crew_may_stay_with_its_emplaced_gun_in_the_open(emplaced: bool) -> None:
    gun = {"id": "gun", "card": "russian/57mm PTP obr. 43", "owner": "C", "facing": "N/NE", "emplaced": emplaced}
    crew = squad("C", "russian/2-2-8 crew", "A3", broken=True, dm=True)
    clash = Clash(
        "RtPh",
        ". . . . .\n" * 4,
        german=side(squad("G", "german/4-6-7", "D3")),
        russian=side(crew, weapons=[gun]),
        attacker="russian",
        player="russian",
    )
    assert clash.why(Done()) == ("" if emplaced else "3.6")


@rules("6.4", system="aslsk3")
def test_6_4_an_afv_that_enters_finds_it() -> None:
    tank = {"id": "V", "card": "russian/T-34/85", "at": "B1", "vca": "S/SW"}
    clash = hide("MPh", vehicles=[tank])
    step = VehicleStep(to=clash.hex("B2"))
    clash.play(MoveVehicle(VehicleId("V"), (VehicleStep(VehicleDeed.START), step), halt=True))
    assert clash.asked == "german"
    clash.play(HoldFire(), (1, 1))
    assert clash.state.vehicles[VehicleId("V")].hex == clash.hex("B2")
    assert not is_hidden(clash)
