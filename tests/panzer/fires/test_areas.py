"""What is shown of an area before it is confirmed: where shells and bombs would fall, and who is there."""

from __future__ import annotations

from fractions import Fraction

from sandtable.core.decision import Seat
from sandtable.core.view import Area
from sandtable.session.presenting.foresight import foresee
from sandtable.systems.panzer.air.air_actions import FlyOn
from sandtable.systems.panzer.fires.missions import BatteryId
from sandtable.systems.panzer.hex.actions import Action, PlanFire
from tests.panzer.batteries import CLOSED, GP, LINEAR, OPEN, RED, SMOKE, battle, call, gun, mortar, observer
from tests.panzer.skies import fly, sky, strike
from tests.rulebook.engine import Play


def areas(game: Play, action: Action) -> tuple[Area, ...]:
    """The areas of the preview that red gets."""
    seat = Seat(RED)
    return foresee(game.rules, game.rules.conceal(game.state, seat), seat, action, estimate=False).areas


def test_a_sheaf_is_shown_with_friend_and_enemy_in_it() -> None:
    game = battle(observer(), mortar(at="J4"), targets=(gun(), gun("g2", "M4")))
    (closed,) = areas(game, call(game, "b1"))
    assert (closed.title, len(closed.hexes), closed.units) == ("GP, Closed SHEAF", 7, ("g1", "m1"))
    (wide,) = areas(game, call(game, "b1", pattern=OPEN))
    assert (len(wide.hexes), wide.units) == (19, ("g1", "g2", "m1"))
    (line,) = areas(game, call(game, "b1", pattern=LINEAR, way=3))
    assert (line.title, line.hexes) == ("GP, Closed Linear SHEAF to S", ("K4", "K5", "K6", "K7", "K8"))


def test_smoke_strikes_nobody_and_a_mortar_reaches_the_target_point_alone() -> None:
    game = battle(observer(), mortar(), targets=(gun(),))
    (smoke,) = areas(game, call(game, "b1", kind=SMOKE))
    assert (smoke.title, len(smoke.hexes), smoke.units) == ("Smoke, Closed SHEAF", 7, ())
    (alone,) = areas(game, PlanFire(BatteryId("b1"), game.hex("A1"), GP, CLOSED))
    assert (alone.title, alone.units) == ("GP, Closed SHEAF", ())


def test_an_attack_from_the_air_shows_what_it_strikes_and_a_flight_its_way() -> None:
    game = sky("b1 pz-iiig F4 N", "b2 pz-iiig F5 N")
    (ahead,) = areas(game, fly(game, "F1"))
    assert (ahead.is_way, ahead.hexes[:3], ahead.units) == (True, ("F1", "F2", "F3"), ())
    game.do("red", fly(game, "F1"))
    game.do("red", FlyOn(2))
    (struck,) = areas(game, strike("b1"))
    assert (struck.hexes[:2], struck.units) == (("F4", "F5"), ("b1", "b2"))
    seat = Seat(RED)
    way = foresee(game.rules, game.rules.conceal(game.state, seat), seat, FlyOn(3), estimate=False).steps
    assert [step.hex for step in way] == ["F4", "F5", "F6"]


def test_a_sheaf_over_a_village_tells_the_odds_of_the_one_unit_in_it() -> None:
    # Rolls for every building make too many ways to follow, and a sample would be no exact odds.
    rows = "\n".join([" ".join("." * 7 + "w" * 7 + "..")] * 8)
    game = battle(observer(), targets=(gun(),), map={"drawing": {"cells": rows, "legend": {"w": "wood_building"}}})
    seat = Seat(RED)
    told = foresee(game.rules, game.rules.conceal(game.state, seat), seat, call(game, "b1", pattern=OPEN))
    assert told.exact
    assert [one.unit for one in told.unit_odds] == ["g1"]
    assert sum(Fraction(chance.exact) for chance in told.unit_odds[0].chances) == 1


def test_6_5_4_4_who_rides_with_another_fares_as_he_would_alone() -> None:
    truck = {"id": "t1", "card": "bedford-ql", "at": "K4", "facing": "N"}
    crowd = [{"id": name, "card": "british-rifle-squad", "carried_by": "t1"} for name in ("s1", "s2")]
    together, alone = (
        battle(targets=(gun(at="P1"), truck, *riders), spotted={"fo": ["t1"]}) for riders in (crowd, crowd[:1])
    )
    found = together.rules.unit_odds(together.state, call(together, "b1"))
    assert list(found) == ["t1", "s1", "s2"]
    assert {name: found[name] for name in ("t1", "s1")} == alone.rules.unit_odds(alone.state, call(alone, "b1"))
    assert found["s2"] == found["s1"]
