"""3.6 Rout Phase: who must rout, where to, interdiction, and what happens to those who cannot."""

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Continue, Done, Rout
from sandtable.systems.aslsk.fire.interdiction import interdictors
from sandtable.systems.aslsk.phases.rout_paths import rout_map
from sandtable.systems.aslsk.pieces.state import Routing, UnitId, WeaponId, Whereabouts
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, L = UnitId("a"), UnitId("l")
PATH = ("D3", "E3", "F3", "G3", "H3")
COUNTRY = """
. . . . . . . . .
. . . . . . . . .
. . . . . . . w .
. . . . . . . . .
. . . . . . . . b
"""


def rout_clash(cells: str = COUNTRY, *enemies: dict[str, Any], units: list[dict[str, Any]], **more: Any) -> Clash:
    foes = enemies or (squad("r", "russian/4-4-7", at="A3"),)
    return Clash("RtPh", cells, german=side(*units), russian=side(*foes), **more)


@rules("3.2.3", "3.6", system="aslsk3")
def test_3_6_who_must_rout_comes_under_dm_as_the_phase_begins() -> None:
    clash = rout_clash(units=[squad("a", at="C3", broken=True), squad("far", at="I5", broken=True)])
    assert clash.unit("a").dm, "in the open, two hexes from a squad"
    assert not clash.unit("far").dm
    assert clash.why(Done()) == "3.6"


@rules("3.6", system="aslsk3")
@pytest.mark.parametrize("start", ["C3", "D2", "E4", "F3"])
def test_3_6_low_crawl_leads_where_some_path_does(start: str) -> None:
    foes = [squad("r", "russian/4-4-7", at="A3"), squad("s", "russian/4-4-7", at="D5")]
    clash = rout_clash(COUNTRY, *foes, units=[squad("a", at=start, broken=True, dm=True)])
    routs = rout_map(clash.context, clash.state, clash.unit("a"))
    goals = routs.destinations() or frozenset()
    assert goals
    for first in routs.ways():
        if len(routs.ways()[first].path) == 1 and first not in goals:
            spent, seen = routs.spent + routs.cost(routs.start, first), routs.known | routs.sees(first)
            paths = routs._paths((first,), first, seen, spent)
            assert routs._leads_to(first, goals) == any(path[-1] in goals for path in paths)


@rules("3.6", system="aslsk3")
def test_3_6_a_unit_adjacent_to_the_enemy_must_rout_even_from_cover() -> None:
    houses = ". . . b\n. w . .\n. . . ."
    clash = rout_clash(houses, squad("r", "russian/4-4-7", at="A2"), units=[squad("a", at="B2", broken=True)])
    assert clash.unit("a").dm
    assert clash.why(Done()) == "3.6"


@rules("3.6", system="aslsk3")
def test_3_6_units_in_melee_do_not_rout() -> None:
    foe = squad("r", "russian/4-4-7", at="B2", melee=True)
    clash = rout_clash(COUNTRY, foe, units=[squad("a", at="B2", broken=True, melee=True), squad("b", at="H1")])
    assert clash.unit("a").on_map
    assert rout_map(clash.context, clash.state, clash.unit("a")) is not None
    assert clash.state.phase.value == "APh", "nobody had to rout"


@rules("3.6", system="aslsk3")
def test_3_6_nearest_woods_within_six_mf() -> None:
    clash = rout_clash(units=[squad("a", at="D4", broken=True)])
    goals = rout_map(clash.context, clash.state, clash.unit("a")).destinations()
    assert goals == frozenset({clash.hex("H3")}), "three open hexes and the woods; the others are farther"
    assert clash.why(Rout(A, (clash.hex("E4"),))) == "3.6"


@rules("3.6", system="aslsk3")
def test_3_6_with_nothing_in_reach_it_may_rout_anywhere_away() -> None:
    clash = rout_clash(". . . . . .\n. . . . . .\n. . . . . .", units=[squad("a", at="C2", broken=True)])
    assert rout_map(clash.context, clash.state, clash.unit("a")).destinations() is None
    assert clash.why(Rout(A, (clash.hex("B2"),))) == "3.6", "closer to a Known Enemy Unit"
    assert clash.why(Rout(A, (clash.hex("D2"),))) == ""


@rules("3.6", system="aslsk3")
def test_3_6_interdiction_failed_reduces_and_the_rest_may_go_on() -> None:
    clash = rout_clash(units=[squad("a", at="C3", broken=True)])
    path = tuple(map(clash.hex, PATH))
    clash.play(Rout(A, path), (5, 4))
    assert clash.saw(ev.Interdicted, unit=A)
    assert clash.unit("a").card == "german/2-4-7"
    assert isinstance(clash.state.stack[-1], Routing)
    assert clash.why(Continue()) == "3.6"
    clash.play(Continue(path=path[1:]), (1, 2))
    assert clash.saw(ev.Interdicted, unit=A), "once in every hex of Open Ground"
    clash.play(Continue(path=path[2:]))
    assert clash.unit("a").hex == clash.hex("H3")


@rules("3.6", system="aslsk3")
def test_3_6_a_pin_ends_the_rout() -> None:
    clash = rout_clash(units=[squad("a", at="C3", broken=True)])
    clash.play(Rout(A, tuple(map(clash.hex, PATH))), (3, 4))
    assert clash.unit("a").hex == clash.hex("D3")
    assert clash.unit("a").on_map


@rules("3.6", system="aslsk3")
def test_3_6_low_crawl_is_one_hex_and_not_interdicted() -> None:
    clash = rout_clash(units=[squad("a", at="E3", broken=True)])
    assert clash.why(Rout(A, tuple(map(clash.hex, ("F3", "G3"))), low_crawl=True)) == "3.6"
    clash.play(Rout(A, (clash.hex("F3"),), low_crawl=True))
    assert not clash.saw(ev.Interdicted)
    assert clash.unit("a").hex == clash.hex("F3")


@rules("3.6", system="aslsk3")
def test_3_6_halved_or_hindered_fire_does_not_interdict() -> None:
    exhausted = squad("r", "russian/4-4-7", at="A3", cx=True)
    assert not rout_clash(COUNTRY, exhausted, units=[squad("a", at="C3", broken=True)]).unit("a").dm
    pinned = squad("r", "russian/4-4-7", at="A3", pinned=True)
    assert not rout_clash(COUNTRY, pinned, units=[squad("a", at="C3", broken=True)]).unit("a").dm
    far = squad("r", "russian/4-4-7", at="A3")
    assert not rout_clash(COUNTRY, far, units=[squad("a", at="F3", broken=True)]).unit("a").dm, "beyond normal range"
    orchard = ". . . .\n. o . .\n. . . ."
    behind = squad("r", "russian/4-4-7", at="A2")
    assert not rout_clash(orchard, behind, units=[squad("a", at="C3", broken=True)]).unit("a").dm, "hindrance"


@rules("3.6", system="aslsk3")
def test_3_6_who_interdicts_is_asked_anew_as_soon_as_an_enemy_is_not_as_he_was() -> None:
    clash = rout_clash(units=[squad("a", at="C3", broken=True)])
    way = clash.hex("C3"), clash.hex("D3")
    enemy = clash.unit("r")
    for pinned in (False, True, False):
        state = replace(clash.state, units={**clash.state.units, enemy.id: replace(enemy, pinned=pinned)})
        assert rout_map(clash.context, state, clash.unit("a")).is_exposed(*way) is not pinned


@rules("3.6", "4.1", system="aslsk3")
def test_3_6_machine_guns_interdict_with_a_squad_or_two_leaders() -> None:
    def seen_by(*units: dict[str, Any], owner: str) -> bool:
        gun = {"id": "mg", "card": "russian/MMG", "owner": owner}
        clash = Clash(
            "RtPh", COUNTRY, german=side(squad("a", at="H4", broken=True)), russian=side(*units, weapons=[gun])
        )
        return clash.unit("a").dm

    assert seen_by(squad("r", "russian/4-4-7", at="A4"), owner="r")
    assert not seen_by(squad("l", "russian/8-0", at="A4"), owner="l")
    assert seen_by(squad("l", "russian/8-0", at="A4"), squad("m", "russian/8-1", at="A4"), owner="l")


@rules("3.6", system="aslsk3")
def test_3_6_a_leader_may_rout_along_and_dies_with_a_failure() -> None:
    units = [squad("a", at="C3", broken=True), squad("l", "german/8-1", at="C3")]
    clash = rout_clash(units=units)
    path = tuple(map(clash.hex, PATH))
    clash.play(Rout(A, path, escort=L), (4, 4))
    assert clash.unit("a").pinned, "8 is the highest that passes: 7 and his leadership of 1"
    assert clash.unit("l").hex == clash.unit("a").hex == path[0]
    clash = rout_clash(units=units)
    clash.play(Rout(A, path, escort=L), (5, 5), (1, 2))
    assert clash.unit("l").place is Whereabouts.ELIMINATED
    assert clash.saw(ev.MoraleChecked, check="LLMC")


@rules("3.6", "4.0", system="aslsk3")
def test_3_6_a_routing_unit_carries_as_near_to_three_pp_as_it_can() -> None:
    guns = [{"id": name, "card": f"german/{name}", "owner": "a"} for name in ("HMG", "MMG", "LMG")]
    clash = Clash(
        "RtPh",
        COUNTRY,
        german=side(squad("a", at="E3", broken=True), weapons=guns),
        russian=side(squad("r", "russian/4-4-7", at="A3")),
    )
    path = (clash.hex("F3"),)
    assert clash.why(Rout(A, path, low_crawl=True)) == "3.6"
    clash.play(Rout(A, path, low_crawl=True, keep=(WeaponId("MMG"),)))
    assert clash.state.weapons[WeaponId("HMG")].hex == clash.hex("E3")
    assert clash.state.weapons[WeaponId("LMG")].owner == ""
    assert clash.state.weapons[WeaponId("MMG")].owner == A


@rules("3.6", system="aslsk3")
def test_3_6_who_must_rout_and_cannot_is_eliminated() -> None:
    ring = [squad(f"r{i}", "russian/4-4-7", at=at) for i, at in enumerate(("B1", "B3", "C2"))]
    clash = rout_clash(COUNTRY, *ring, units=[squad("a", at="B2", broken=True), squad("b", at="I5")])
    assert clash.unit("a").place is Whereabouts.ELIMINATED


@rules("3.6", system="aslsk3")
def test_3_6_a_wounded_leader_has_three_mf() -> None:
    clash = rout_clash(units=[squad("l", "german/8-0", at="E3", broken=True, wounded=True)])
    assert rout_map(clash.context, clash.state, clash.unit("l")).destinations() is None, "the woods cost four"


@rules("3.6", system="aslsk3")
def test_3_6_stacking_closes_woods() -> None:
    full = [squad(f"s{i}", at="H3") for i in range(3)]
    clash = rout_clash(units=[squad("a", at="E3", broken=True), *full])
    goals = rout_map(clash.context, clash.state, clash.unit("a")).destinations()
    assert goals is None or clash.hex("H3") not in goals


@rules("3.6", "4.0", system="aslsk3")
@pytest.mark.parametrize(("card", "flags", "kept"), [("german/8-0", {}, 1), ("german/8-0", {"wounded": True}, 0)])
def test_3_6_a_wounded_leader_carries_nothing(card: str, flags: dict[str, Any], kept: int) -> None:
    gun = {"id": "LMG", "card": "german/LMG", "owner": "a"}
    clash = Clash(
        "RtPh",
        COUNTRY,
        german=side(squad("a", card, at="E3", broken=True, dm=True, **flags), weapons=[gun]),
        russian=side(squad("r", "russian/4-4-7", at="A3")),
    )
    load = (WeaponId("LMG"),) if kept else ()
    assert clash.why(Rout(A, (clash.hex("F3"),), low_crawl=True, keep=load)) == ""


@rules("1.1.1", "3.6", system="aslsk3")
@pytest.mark.parametrize(("code", "cost"), [("w", 4), ("o", 2)])
def test_3_6_a_routing_unit_keeps_to_the_trees_beside_a_road_under_fire(code: str, cost: int) -> None:
    cells = f". .\n. .\n{code} .\n. .\n. ."
    clash = Clash(
        "RtPh",
        cells,
        scale=4,
        features=[{"kind": "dirt_road", "line": ["A1", "A2", "A3", "A4", "A5"]}],
        german=side(squad("a", at="A2", broken=True, dm=True)),
        russian=side(squad("r", "russian/4-4-7", at="A1")),
    )
    assert any(interdictors(clash.context, clash.state, clash.hex("A3"), "german", 3, on_road=True)), (
        "on the road itself"
    )
    clash.play(Rout(A, (clash.hex("A3"),)))
    first = next(event for event in clash.events if isinstance(event, ev.UnitRouted))
    assert first.cost.total == cost
    assert not clash.saw(ev.Interdicted)


@rules("1.1.1", "3.6", system="aslsk3")
def test_3_6_a_road_that_it_shuns_makes_woods_no_nearer() -> None:
    """Among the trees of a road under fire the woods cost two MF, as much as the woods beside them."""
    clash = Clash(
        "RtPh",
        ". .\n. .\nw .\nw .\n. .",
        scale=4,
        features=[{"kind": "dirt_road", "line": ["A1", "A2", "A3", "B3", "B4"]}],
        german=side(squad("a", at="A2", broken=True, dm=True)),
        russian=side(squad("r", "russian/4-4-7", at="A1")),
    )
    routes = rout_map(clash.context, clash.state, clash.unit("a"))
    first = clash.hex("A3")
    assert routes.ways()[first].spent == routes.cost(clash.hex("A2"), first) == 4
    assert routes.ways()[clash.hex("A4")].spent == 8


@rules("3.3.1", "3.6", system="aslsk3")
def test_3_6_a_full_hex_is_not_even_passed() -> None:
    full = [squad(f"s{i}", at="D3") for i in range(3)]
    clash = rout_clash(units=[squad("a", at="C3", broken=True), *full])
    assert clash.why(Rout(A, tuple(map(clash.hex, PATH)))) == "3.6"
    assert clash.hex("D3") not in rout_map(clash.context, clash.state, clash.unit("a")).ways()
    room = rout_clash(units=[squad("a", at="C3", broken=True), *full[:2]])
    assert room.why(Rout(A, tuple(map(room.hex, PATH)))) == ""


@rules("3.2.2.1", "3.6", system="aslsk3")
def test_3_6_who_has_an_enemy_in_his_hex_does_not_interdict() -> None:
    foe = squad("r", "russian/4-4-7", at="A3")
    alone = rout_clash(COUNTRY, foe, units=[squad("a", at="C3", broken=True)])
    assert alone.unit("a").dm
    busy = rout_clash(COUNTRY, foe, units=[squad("a", at="C3", broken=True), squad("b", at="A3", broken=True)])
    assert not busy.unit("a").dm


@rules("3.6", "4.5", system="aslsk3")
@pytest.mark.parametrize(
    ("owner", "gun", "interdicts"),
    [
        ("russian/4-4-7", "russian/50mm MTR", True),
        ("russian/8-0", "russian/50mm MTR", True),
        ("russian/4-4-7", "german/50mm MTR", False),
    ],
)
def test_3_6_light_mortars_interdict_but_not_captured_ones(owner: str, gun: str, interdicts: bool) -> None:
    weapon = {"id": "w", "card": gun, "owner": "r"}
    clash = Clash(
        "RtPh",
        COUNTRY,
        german=side(squad("a", at="G4", broken=True)),
        russian=side(squad("r", owner, at="A4"), weapons=[weapon]),
    )
    assert clash.unit("a").dm == interdicts


@rules("1.1.1", "3.6", "4.5", system="aslsk3")
@pytest.mark.parametrize(("gun", "interdicts"), [("german/MMG", False), ("german/50mm MTR", True)])
def test_3_6_height_advantage_keeps_interdiction_off_but_not_that_of_mortars(gun: str, interdicts: bool) -> None:
    """A hill hex in sight from below: only mortars have no Height Advantage against them."""
    weapon = {"id": "w", "card": gun, "owner": "g"}
    clash = Clash(
        "RtPh",
        ". . .1 .1 .1",
        attacker="german",
        german=side(squad("g", "german/2-4-7", at="A1"), weapons=[weapon]),
        russian=side(squad("a", "russian/4-4-7", at="D1", broken=True, dm=True)),
    )
    found = list(interdictors(clash.context, clash.state, clash.hex("C1"), "russian"))
    assert [unit.id for unit in found] == (["g"] if interdicts else [])
