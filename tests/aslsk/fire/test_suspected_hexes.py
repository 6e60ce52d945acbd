"""6.4: fire on the IFT at a hex in which somebody may be hidden, and what it tells."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sandtable.core.decision import Seat
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Done, Fire, FireOrdnance
from sandtable.systems.aslsk.common.events import Event
from sandtable.systems.aslsk.common.facts.hidden_events import Revealed
from sandtable.systems.aslsk.common.vehicle_actions import FireVehicle
from sandtable.systems.aslsk.pieces.state import FirePhase, Mark, UnitId, VehicleGun, VehicleId, WeaponId
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
R = UnitId("R")
CELLS = "x x x x x x x\n" * 4
RUSSIAN = Seat("russian")


def suspicious(at: str = "C3", *units: dict[str, Any], card: str = "russian/4-4-7", **fields: Any) -> Clash:
    """A German Gun is hidden somewhere in the brush; Russians in E3, two hexes from C3."""
    gun = {"id": "AT", "card": "german/5cm PaK 38", "owner": "C", "facing": "SW/NW", "hidden": True}
    german = side(squad("C", "german/2-2-8 crew", at), *units, weapons=[gun])
    arms, vehicles = fields.pop("weapons", ()), fields.pop("vehicles", ())
    russian = side(squad("R", card, "E3"), weapons=arms, vehicles=vehicles)
    cells = fields.pop("cells", CELLS)
    return Clash(fields.pop("phase", "PFPh"), cells, attacker="russian", german=german, russian=russian, **fields)


def shot(clash: Clash, at: str = "C3") -> Fire:
    return Fire((R,), (), clash.hex(at))


def told(clash: Clash, dice: tuple[int, int], *more: tuple[int, int]) -> list[Event]:
    """What comes of fire at C3, up to its markers."""
    events = clash.play(shot(clash), dice, *more)
    last = next(index for index, event in enumerate(events) if isinstance(event, ev.MarksPlaced))
    return events[: last + 1]


@rules("3.2.5", "6.4", system="aslsk3")
def test_6_4_fire_without_an_effect_does_not_tell_whether_somebody_is_hidden_there() -> None:
    here, elsewhere = suspicious("C3"), suspicious("A1")
    assert told(here, (6, 5)) == told(elsewhere, (6, 5))
    assert here.state.weapons[WeaponId("AT")].hidden
    assert here.unit("R").mark is Mark.PREP_FIRE
    assert [event.targets for event in here.events if isinstance(event, ev.FireResolved)] == [()]


@rules("6.4", system="aslsk3")
def test_6_4_who_is_hidden_suffers_half_fp_and_comes_to_light_by_an_effect() -> None:
    clash = suspicious("C3")
    told(clash, (3, 1), (1, 2))
    assert clash.saw(Revealed)
    struck = [event for event in clash.events if isinstance(event, ev.FireResolved)][-1]
    assert (struck.targets, struck.column) == (("C",), 2)
    clash = suspicious("C3")
    told(clash, (4, 1))
    assert not clash.saw(Revealed), "7 is a PTC on the 4 column, nothing on the 2"


@rules("6.4", system="aslsk3")
def test_6_4_such_fire_is_offered_wherever_nobody_is_seen() -> None:
    clash = suspicious("A1", squad("G", "german/4-6-7", "G1"))
    node = clash.decision.options(RUSSIAN)
    assert shot(clash) in node
    assert clash.why(shot(clash)) == ""
    suspected = node.at("suspected")
    keys = {branch.key for branch in suspected.branches()}
    assert {"C3", "A1"} <= keys, "near and far, and where he is as well"
    assert keys.isdisjoint({"G1", "E3"}), "not where an enemy is seen, nor at friends"
    assert clash.why(Fire((R,), (), clash.hex("E3"))) != ""
    assert any(
        isinstance(action, Fire) and clash.why(action) == ""
        for action in (suspected.sample(Random(n)) for n in range(5))
    )


@rules("6.4", system="aslsk3")
def test_6_4_nobody_fires_at_nobody_once_all_are_in_sight() -> None:
    clash = Clash(
        "PFPh",
        CELLS,
        attacker="russian",
        german=side(squad("G", "german/4-6-7", "G1")),
        russian=side(squad("R", "russian/4-4-7", "E3")),
    )
    assert clash.why(shot(clash)) == "3.2"


@rules("4.4", "6.4", system="aslsk3")
def test_6_4_shaped_charges_are_not_fired_at_a_hex_with_nobody_in_sight() -> None:
    clash = suspicious("C3", weapons=[{"id": "w", "card": "american/BAZ 44", "owner": "R"}])
    assert clash.why(FireOrdnance(clash.hex("C3"), WeaponId("w"))) != ""


@rules("6.4", "7.8", system="aslsk3")
def test_6_4_machine_guns_of_a_vehicle_fire_there_too() -> None:
    tank = {"id": "T", "card": "russian/T-34/85", "at": "F3", "vca": "SW/NW", "tca": "SW/NW"}
    results = []
    for at in ("C3", "A1"):
        clash = suspicious(at, vehicles=[tank])
        action = FireVehicle(VehicleId("T"), (VehicleGun.COAXIAL,), clash.hex("C3"))
        assert action in clash.decision.options(RUSSIAN)
        clash.play(action, (6, 4))
        results.append([event for event in clash.events if isinstance(event, ev.FireResolved)])
    assert results[0] == results[1]
    assert results[0][0].targets == ()


@rules("6.4", system="aslsk3")
def test_6_4_who_has_fired_everything_is_not_asked_about_hidden_enemies() -> None:
    clash = suspicious("C3")
    told(clash, (6, 5))
    frame = clash.state.stack[-1]
    assert not (isinstance(frame, FirePhase) and frame.player == "russian" and clash.state.phase.value == "PFPh")


@rules("6.4", system="aslsk3")
def test_6_4_odds_of_such_fire_name_nobody() -> None:
    clash = suspicious("C3")
    state = clash.rules.conceal(clash.state, RUSSIAN)
    assert clash.rules.foresight(shot(clash)).unit_odds(state, shot(clash)) == {}
    assert clash.why(Done()) == ""
