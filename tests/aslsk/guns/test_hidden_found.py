"""6.4: who finds hidden units by entering their hex, and special rules of scenarios with Guns and vehicles (1.3)."""

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.core.dice import SeededDice
from sandtable.core.errors import BadInput
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Advance, Move
from sandtable.systems.aslsk.common.hidden import hidden_units
from sandtable.systems.aslsk.fire.firers import Fireground, FireMode
from sandtable.systems.aslsk.guns.barrel import gun_barrel
from sandtable.systems.aslsk.guns.direction import gun_directors
from sandtable.systems.aslsk.guns.gun_to_hit import Shot, firer_terms
from sandtable.systems.aslsk.movement.mover import Mover
from sandtable.systems.aslsk.phases.vehicle_assault import assault_value
from sandtable.systems.aslsk.pieces.state import (
    MoveStep,
    UnitId,
    VehicleGun,
    VehicleId,
    WeaponId,
    WeaponState,
    Whereabouts,
)
from sandtable.systems.aslsk.rules import AslskRules
from sandtable.systems.aslsk.vehicles.driver import Driver
from sandtable.systems.aslsk.victory import scores
from tests.aslsk.clash import Clash, side, squad
from tests.aslsk.hidden_draft import hidden_draft

rules = pytest.mark.rules
WOODS = ". . . . . . .\n. . . . . . .\n. . w . . . .\n. . . . . . ."


def lurking(phase: str) -> Clash:
    """A hidden Gun in the woods of C3, and Russians on the move next to it."""
    gun = {"id": "AT", "card": "german/5cm PaK 38", "owner": "C", "facing": "NE/SE", "hidden": True}
    return Clash(
        phase,
        WOODS,
        attacker="russian",
        german=side(squad("C", "german/2-2-8 crew", "C3"), weapons=[gun]),
        russian=side(squad("R", "russian/4-4-7", "E3"), squad("S", "russian/4-4-7", "D3")),
    )


@rules("6.4", system="aslsk3")
def test_6_4_infantry_that_would_enter_is_sent_back_and_ends_its_mph() -> None:
    clash = lurking("MPh")
    there = clash.unit("S").hex
    assert there is not None
    clash.play(Move((UnitId("S"),), (MoveStep(to=clash.hex("C3")),)))
    assert clash.saw(ev.Revealed, units=(UnitId("C"),), weapons=(WeaponId("AT"),))
    assert (clash.unit("S").hex, clash.unit("S").moved) == (there, True)
    assert not hidden_units(clash.context, clash.state)


@rules("6.4", system="aslsk3")
def test_6_4_who_advances_upon_hidden_enemies_stays_for_close_combat() -> None:
    clash = lurking("APh")
    clash.play(Advance((UnitId("S"),), clash.hex("C3")))
    assert clash.saw(ev.Revealed, units=(UnitId("C"),))
    assert clash.unit("S").hex == clash.hex("C3")


def card_rules(name: str) -> AslskRules:
    found = catalog.open_scenario(name).ruleset
    assert isinstance(found, AslskRules)
    return found


@rules("1.3", system="aslsk3")
def test_1_3_s21_the_russians_enter_with_half_their_mp_and_count_afv() -> None:
    game = card_rules("s21-clash-at-borisovka")
    state = replace(game.begin(game.setup(), SeededDice(0)).state, turn=1)
    tank = state.vehicles[VehicleId("R-V1")]
    full = 2 * game.context.vehicle_card(tank).mp
    assert Driver(game.context, replace(state, turn=1), tank).allowance == full // 2
    assert Driver(game.context, replace(state, turn=2), tank).allowance == full
    german = state.vehicles[VehicleId("G-V1")]
    assert Driver(game.context, replace(state, turn=1), german).allowance == 2 * game.context.vehicle_card(german).mp

    def lead(**changes: bool) -> str:
        now = {**state.vehicles, german.id: replace(german, **changes), tank.id: replace(tank, away=True)}
        parts = scores(game.context, replace(state, vehicles=now))[0].parts
        return parts[0].text

    assert lead(wreck=True) == "2 of 1"
    assert lead() == "1 of 1"


@rules("1.3", "3.8", system="aslsk3")
def test_1_3_s24_engineers_throw_more_smoke_and_are_worth_more_against_afv() -> None:
    game = card_rules("s24-sherman-marches-west")
    state = game.setup()
    engineer, squad_ = state.units[UnitId("E-1")], state.units[UnitId("G-1")]
    mover = Mover(game.context, state, (engineer,))
    assert mover.smoke_exponent(engineer) == game.context.card(engineer).smoke + 2
    assert mover.smoke_exponent(squad_) == game.context.card(squad_).smoke
    plain, raised = (assault_value(game.context, state, (unit,)).total for unit in (squad_, engineer))
    assert raised == plain + 1


@rules("1.2.6", "1.3", system="aslsk3")
@pytest.mark.parametrize(
    ("path", "value", "field", "wrong"),
    [
        (("units", 1, "count"), 1, "sides[0].forces[0].weapons[0]", "without a crew"),
        (("units", 0, "at"), ["A5", "I5"], "sides[0].forces[0].units[0].at[0]", "is not in the set-up area"),
        (("weapons", 0, "facing"), ["N"], "sides[0].forces[0].weapons[0].facing[0]", "no hexspine"),
    ],
)
def test_1_3_faults_of_guns_and_hidden_units_name_their_field(
    path: tuple[str, int, str], value: object, field: str, wrong: str
) -> None:
    draft = hidden_draft()
    order = draft["sides"][0]["forces"][0][path[0]][path[1]]
    order[path[2]] = value
    if path[2] == "count":
        order["ids"], order["at"] = order["ids"][:1], order["at"][:1]
        draft["sides"][0]["forces"][0]["weapons"][0]["owners"] = ["C1", "C1"]
    with pytest.raises(BadInput) as found:
        catalog.system("aslsk3").ruleset(draft, catalog.library("aslsk3"), "hidden")
    assert any(fault.where == f"hidden: {field}" and wrong in fault.wrong for fault in found.value.faults)


@rules("1.3", "7.2", system="aslsk3")
def test_1_3_s23_two_assault_guns_begin_with_a_disabled_cmg() -> None:
    game = card_rules("s23-montys-gamble")
    broken = [vehicle.broken for vehicle in game.setup().vehicles.values()]
    assert broken == [{}, *[{VehicleGun.COAXIAL: WeaponState.REMOVED}] * 2]


@rules("1.3", "3.2.4", system="aslsk3")
def test_1_3_s23_the_9_1_directs_a_gun_that_is_manned_in_his_hex() -> None:
    game = card_rules("s23-montys-gamble")
    state = game.setup()
    k5, k4 = game.place("K5"), game.place("K4")
    crew, leader = (replace(state.units[UnitId(name)], hex=k5, place=Whereabouts.MAP) for name in ("B-5", "B-L1"))
    gun = replace(state.weapons[WeaponId("B-W4")], owner=crew.id, facing=0)

    def able(**changes: object) -> tuple[UnitId, ...]:
        units = {**state.units, crew.id: crew, leader.id: replace(leader, **changes)}
        now = replace(state, units=units, weapons={**state.weapons, gun.id: gun})
        barrel = gun_barrel(game.context, now, gun)
        assert barrel is not None
        for name, drms in ((leader.id, [-1]), (UnitId(""), [])):
            terms = firer_terms(game.context, now, Shot(barrel, k4, FireMode.PREP, leader=name))
            assert [term.value for term in terms if term.rule == "1.3"] == drms
        return gun_directors(Fireground(game.context, now, FireMode.PREP, crew.side, k4), barrel)

    assert able() == (leader.id,)
    assert able(pinned=True) == ()
    assert able(directed=("B-1",)) == (), "he has directed something else"
    assert able(directed=("B-W4",)) == (leader.id,), "the same Gun again"
    assert able(directing="panzerfaust") == ()
    assert able(broken=True) == ()
    assert able(hex=k4) == ()
