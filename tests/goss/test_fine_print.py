"""Half sentences of chapters 8, 11 and 13 that no other test would miss: without each a rule reads otherwise."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.systems.goss.assault.advancing import Advance, may_advance
from sandtable.systems.goss.assault.eligibility import RETREATED
from sandtable.systems.goss.assault.frames import Advancing, Assault, Assaults, Stage
from sandtable.systems.goss.assault.integrity import INTEGRITY, attacking_integrity, defending_integrity
from sandtable.systems.goss.assault.measure import DEFENDED, SUPPORTED, Sheet, measure
from sandtable.systems.goss.assault.taking import Reduce
from sandtable.systems.goss.common.state import Use, WorkHere, with_units
from sandtable.systems.goss.ground.cover import Work
from sandtable.systems.goss.ground.weather import Sky
from sandtable.systems.goss.observation.disclosure import armour_of, spotter_is_told
from sandtable.systems.goss.observation.observing import observes_from_the_air
from sandtable.systems.goss.pieces.card import CardId, FormationId, Kind, Size, Trait
from sandtable.systems.goss.pieces.unit import Mode, Supply, Unit, UnitId
from sandtable.systems.goss.rules import GossRules
from sandtable.systems.goss.support.firing import ammo_drm, softened
from sandtable.systems.goss.support.guns import barrage_of
from sandtable.systems.goss.support.targets import is_fortress, is_in_fortress
from sandtable.systems.goss.tables.fire_support import FireResult
from tests.goss.assaults import OPEN, Fight, with_hex
from tests.goss.positions import Units, position

ALLIED, AXIS = Seat("allied"), Seat("axis")
US, TOO, ENG, TK = (UnitId(f"61-inf/{one}") for one in ("1-481", "2-481", "A-61 Eng", "799 Tk"))
THEM, THEY, PIO = (UnitId(f"791-inf/{one}") for one in ("I-1571", "II-1571", "791 Pio"))
GUN, BIG, RECON = UnitId("61-inf/811 FA"), UnitId("xl-corps/974 FA"), UnitId("61-inf/61 Rcn")


def rules(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.rules(*numbers, system="goss")


def recard(fight: Any, unit: str, **changes: Any) -> Any:
    """Give a unit another card; ``traits`` come on top of what it has."""
    context = fight.rules.context
    card = context.shelf.cards[CardId(unit)]
    changes["traits"] = card.traits | changes.get("traits", frozenset())
    cards = {**context.shelf.cards, card.id: replace(card, **changes)}
    fight.rules = GossRules(fight.rules.card, replace(context, shelf=replace(context.shelf, cards=cards)))
    return fight


def mark(fight: Any, unit: UnitId, **changes: Any) -> Any:
    fight.state = with_units(fight.state, replace(fight.state.units[unit], **changes))
    return fight


# --- 8: who observes, who is told -------------------------------------------------------------------------------


def seen_from_the_air(cells: str, there: str, **more: Any) -> bool:
    us = more.pop("us", {"supply": Supply.GENERAL})
    them = more.pop("them", {})
    also = more.pop("also", {})
    found = position(cells, {"0101": [US], **also}, {there: [THEM]}, **more)
    state = with_units(found.state, replace(found.state.units[US], **us), replace(found.state.units[THEM], **them))
    return observes_from_the_air(found.ruleset.context, state, ALLIED, found.ruleset.place(there))


@rules("8.3.0")
def test_from_the_air_by_day_near_one_supplied_unit_and_columns_in_any_terrain() -> None:
    far = " ".join("." * 9)
    assert seen_from_the_air(far, "0701")
    assert not seen_from_the_air(far, "0701", part="Night")
    assert not seen_from_the_air(far, "0701", us={"supply": Supply.OUT}), "within reach of one in supply only"
    assert not seen_from_the_air(far, "0701", us={"supply": Supply.ON_HAND})
    assert not seen_from_the_air(far, "0801")
    column = {"mode": Mode.STRATEGIC}
    assert not seen_from_the_air(far, "0701", them=column, part="Night")
    assert seen_from_the_air(". . . . . . . . f", "0901", them=column)
    assert not seen_from_the_air(". . . . . . . . f", "0901", them=column, sky=Sky.PARTIAL_OVERCAST)
    assert seen_from_the_air(". . . . . . . . v", "0901", them=column, sky=Sky.PARTIAL_OVERCAST), "OCT is no MCT"
    assert seen_from_the_air(". b", "0201", them=column, sky=Sky.PARTIAL_OVERCAST), "hedges hide nothing from above"


@rules("8.3.0")
def test_one_unit_in_reach_is_enough_for_the_aircraft() -> None:
    rows = "\n".join([" ".join("." * 12)] * 2)
    found = position(rows, {"0101": [US], "0901": [TOO]}, {"1201": [THEM]})
    assert observes_from_the_air(found.ruleset.context, found.state, ALLIED, found.ruleset.place("1201"))


@rules("8.4.3")
def test_a_spotter_is_told_of_hexes_that_he_observes_and_no_others() -> None:
    def told(cells: str, there: str, *, is_defensive: bool, **marks: Any) -> list[str]:
        found = position(cells, {"0101": [US]}, {there: [THEM]})
        state = with_units(found.state, replace(found.state.units[THEM], **marks))
        spotter = state.units[US]
        reports = spotter_is_told(found.ruleset.context, state, spotter, is_defensive=is_defensive)
        return [found.ruleset.context.label(one.hex) for one in reports]

    assert told(". . .", "0301", is_defensive=False) == [], "out of sight"
    assert told("V . v", "0301", is_defensive=False) == [], "not observed though in OCT below a height"
    assert told("V . v", "0301", is_defensive=False, is_designated=True) == ["0301"]
    assert told("V . v", "0301", is_defensive=True, is_designated=True) == [], "defensive: OCT only beside the spotter"
    assert told(". v", "0201", is_defensive=True, is_designated=True) == ["0201"]
    found = position(". v", {"0101": [US]}, {"0201": [THEM]})
    attacking = replace(found.state.units[US], is_designated=True)
    state = with_units(found.state, attacking)
    assert spotter_is_told(found.ruleset.context, state, attacking, is_defensive=True) == (), "no attack, no OCT"
    assert told(". .", "0201", is_defensive=True) == ["0201"]


@rules("8.4.1", "8.4.3", "11.5.3")
def test_armour_is_pure_mixed_or_none() -> None:
    found = position(". .", {"0101": [TK, US], "0201": ["ccb/1-CCB"]}, {})
    context, units = found.ruleset.context, found.state.units
    assert armour_of(context, [units[TK]]) == "pure"
    assert armour_of(context, [units[TK], units[US]]) == "mixed"
    assert armour_of(context, [units[UnitId("ccb/1-CCB")]]) == "mixed", "a hybrid has armour in it"
    assert armour_of(context, [units[US]]) == armour_of(context, []) == "none"


# --- 11: heavy guns and fortresses ------------------------------------------------------------------------------


@rules("11.4.1f", "11.6.2")
def test_without_a_heavy_gun_hits_on_a_fortress_only_shake() -> None:
    area = [{"kind": "ft_area", "hexes": ["0201"], "attributes": {"owner": "axis"}}]
    found = position(". . .", {"0101": [GUN, BIG]}, {"0201": [THEM]}, features=area)
    context, state, hex = found.ruleset.context, found.state, found.ruleset.place("0201")
    light, heavy, hit = [state.units[GUN]], [state.units[GUN], state.units[BIG]], FireResult(1, 2)
    assert softened(context, state, hex, light, hit) == FireResult(3)
    assert softened(context, state, hex, heavy, hit) == hit, "one heavy gun is enough"
    assert is_in_fortress(context, state, (state.units[THEM],))
    both = position(". . .", {"0101": [GUN]}, {"0201": [THEM, PIO]}, features=area)
    attacking = with_units(both.state, replace(both.state.units[THEM], is_designated=True))
    assert not is_in_fortress(both.ruleset.context, attacking, (attacking.units[THEM], attacking.units[PIO]))


@rules("11.4.1f")
def test_a_fort_is_a_fortress_and_a_ft_area_one_of_those_who_own_it() -> None:
    def fortress(kind: Work | None, owner: str = "") -> bool:
        area = [{"kind": "ft_area", "hexes": ["0201"], "attributes": {"owner": owner}}] if owner else []
        found = position(". .", {"0101": [US]}, {"0201": [THEM]}, features=area)
        hex = found.ruleset.place("0201")
        works = (WorkHere(hex, kind, AXIS),) if kind is not None else ()
        return is_fortress(found.ruleset.context, replace(found.state, works=works), hex)

    assert fortress(Work.FORT)
    assert not fortress(Work.ET3)
    assert not fortress(None)
    assert fortress(None, "axis")
    assert not fortress(None, "allied"), "who has taken it is not covered by it"


@rules("11.4.1", "11.8.0")
def test_who_has_a_barrage_factor() -> None:
    found = position(". .", {"0101": [US, GUN], "0201": ["ccb/CCB AFA"]}, {})
    context, units = found.ruleset.context, found.state.units

    def factor(unit: Unit) -> int:
        return barrage_of(context, unit, is_defensive=False)

    gun, own = units[GUN], units[UnitId("ccb/CCB AFA")]
    assert factor(gun) == 3
    assert factor(replace(gun, supply=Supply.OUT)) == factor(replace(gun, hex=None)) == factor(units[US]) == 0
    assert factor(replace(gun, in_battery=False)) == 0
    assert factor(replace(own, in_battery=False)) == factor(own) > 0, "self-propelled guns fire as they are"
    werfer = position(". .", {}, {"0101": ["lxxxi-corps/I-9 Werfer", "791-inf/I-791 AR"]})
    guns = list(werfer.state.units.values())
    assert ammo_drm(werfer.ruleset.context, guns, 1).total == 0, "not all of them are NW"


# --- 13.7: what helps the defence, and engineers ----------------------------------------------------------------


def sheet(fight: Fight, attackers: tuple[UnitId, ...], defenders: tuple[UnitId, ...] = (THEM,), **known: Any) -> Sheet:
    leads = {"leads": ((ALLIED, attackers[0]), (AXIS, defenders[0]))} | known
    frame = Assault(ALLIED, fight.hex("0404"), line=1, attackers=attackers, defenders=defenders, **leads)
    return measure(fight.rules.context, fight.state, frame)


def shifts(found: Sheet) -> dict[str, int]:
    return {term.label: term.value for term in found.shifts.terms}


def supported(axis: Units, *, used: str = "", cells: str = OPEN, **marks: Any) -> int:
    fight = Fight({"0304": [US]}, {"0404": [THEM], **axis}, cells)
    beside = [(hex, UnitId(one)) for hex, units in axis.items() for one in units]
    for _, unit in beside:
        mark(fight, unit, **marks)
    if used:
        fight.state = replace(fight.state, used=(Use(used, hex=fight.hex(beside[0][0])),))
    return -shifts(sheet(fight, (US,))).get("adjacent defenders", 0)


@rules("13.7.4a")
def test_which_hexes_beside_the_attackers_support_the_defence() -> None:
    assert supported({"0305": [THEY]}) == 1
    assert supported({"0305": [THEY]}, used=SUPPORTED) == supported({"0305": [THEY]}, used=DEFENDED) == 0
    assert supported({"0305": [THEY, PIO]}, shifts=1) == 0
    assert supported({"0305": ["791-inf/HQ"]}) == 0
    assert supported({"0305": ["791-inf/I-791 AR"]}, in_battery=False) == 0, "guns on the move"
    assert supported({"0305": ["791-inf/I-791 AR"]}, in_battery=True) == 1
    assert supported({"0305": [THEY]}, steps=0) == 0, "a Z-step"
    woods = with_hex("f", "0304")
    assert supported({"0305": [THEY]}, cells=woods) == 0, "not beside the defenders, and the attackers are in MCT"
    assert supported({"0405": [THEY]}, cells=woods) == 1, "beside the defenders"


@rules("13.7.4a")
def test_the_worst_shaken_unit_of_a_hex_counts_and_each_hex_by_the_attackers_beside_it() -> None:
    fight = Fight({"0304": [US]}, {"0404": [THEM], "0305": [THEY, PIO]})
    mark(fight, PIO, shifts=1)
    assert "adjacent defenders" not in shifts(sheet(fight, (US,)))
    both = Fight({"0304": [US], "0504": [TOO]}, {"0404": [THEM], "0205": [THEY]}, with_hex("f", "0304"))
    assert "adjacent defenders" not in shifts(sheet(both, (US, TOO))), "0504 is open, but 0205 is not beside it"


@rules("13.7.4b", "13.10.3")
def test_engineers_against_works_and_towns_and_who_takes_the_loss_for_it() -> None:
    def told(cells: str, us: tuple[UnitId, ...], them: tuple[UnitId, ...] = (THEM,), **more: Any) -> Sheet:
        fight = Fight({"0304": list(us)}, {"0404": list(them)}, cells, **more)
        for one in them:
            mark(fight, one, in_works=bool(more))
        return sheet(fight, us, them)

    town, city = with_hex("t", "0404"), with_hex("c", "0404")
    helped = told(town, (US, ENG))
    assert shifts(helped)["engineers against a town"] == 1
    assert helped.engineers == (ENG,)
    assert "engineers against a city" in shifts(told(city, (US, ENG)))
    assert shifts(told(town, (ENG,))) == {}, "somebody must attack with them"
    assert told(town, (ENG,)).engineers == ()
    kept = told(town, (US, ENG), (THEM, PIO))
    assert "engineers against a town" not in shifts(kept)
    assert kept.engineers == (PIO,), "who kept the town from it"
    assert told(city, (US, ENG), (THEM, PIO)).engineers == (PIO,)
    assert told(OPEN, (US, ENG), (THEM, PIO)).engineers == ()
    assert told(town, (US,), (THEM, PIO)).engineers == (), "no engineers attack"
    dug = told(town, (US, ENG), works=[{"hex": "0404", "kind": "ET-2", "side": "axis"}])
    assert shifts(dug) == {"defensive works": -2, "engineers against works": 1}, "the works take all of it first"


@rules("13.7.4c", "9.9.0")
def test_commandos_count_when_they_lead_and_a_fort_belongs_to_nobody() -> None:
    works: dict[str, Any] = {"works": [{"hex": "0404", "kind": "ET-2", "side": "axis"}]}
    fight = recard(Fight({"0304": [US, TOO]}, {"0404": [THEM]}, **works), TOO, traits=frozenset({Trait.COMMANDO}))
    mark(fight, THEM, in_works=True)
    assert "engineers against works" not in shifts(sheet(fight, (US, TOO)))
    assert shifts(sheet(fight, (TOO, US)))["engineers against works"] == 1


@rules("13.7.4c", "14.2.0")
@pytest.mark.parametrize("marks", [{"fatigue": 1}, {"supply": Supply.OUT}])
def test_13_7_4c_commandos_who_are_tired_or_out_of_supply_have_no_skill(marks: dict[str, Any]) -> None:
    works: dict[str, Any] = {"works": [{"hex": "0404", "kind": "ET-2", "side": "axis"}]}
    fight = recard(Fight({"0304": [US]}, {"0404": [THEM]}, **works), US, traits=frozenset({Trait.COMMANDO}))
    mark(mark(fight, THEM, in_works=True), US, **marks)
    assert shifts(sheet(fight, (US,))) == {"defensive works": -2}


# --- 13.8.3b: regimental integrity ------------------------------------------------------------------------------


@rules("13.8.3b")
@pytest.mark.parametrize(
    "marks",
    [
        {"mode": Mode.MANEUVER_RESERVE},
        {"mode": Mode.STRATEGIC},
        {"supply": Supply.OUT},
        {"fatigue": 1},
        {"steps": 0},
        {"is_out_of_command": True},
        {"formation": FormationId("ccb")},
    ],
)
def test_who_is_not_fit_to_count_for_regimental_integrity(marks: dict[str, Any]) -> None:
    fight = Fight({"0304": [US, TOO]}, {"0404": [THEM]})
    units = [fight.unit(US), replace(fight.unit(TOO), **marks)]
    assert attacking_integrity(fight.rules.context, fight.state, units).counts == ()
    here = Fight({"0505": [US]}, {"0404": [THEM, THEY]})
    stack = [here.unit(THEM), replace(here.unit(THEY), **(marks if "formation" not in marks else {"fatigue": 1}))]
    assert defending_integrity(here.rules.context, here.state, stack, here.hex("0404")).counts == ()


@rules("13.8.3", "13.8.3b")
def test_who_counts_by_what_he_is() -> None:
    fight = Fight({"0304": [US, TOO]}, {"0404": [THEM]})
    units = [fight.unit(US), fight.unit(TOO)]

    def counts(fight: Any, units: list[Unit]) -> tuple[int, ...]:
        return attacking_integrity(fight.rules.context, fight.state, units).counts

    assert counts(fight, units) == (2,)
    used = Fight({"0304": [US, TOO]}, {"0404": [THEM]})
    used.state = replace(used.state, used=(Use(INTEGRITY, by=TOO),))
    assert counts(used, units) == (), "once a segment"
    for trait in (Trait.BREAKDOWN, Trait.REAR_ECHELON):
        other = recard(Fight({"0304": [US, TOO]}, {"0404": [THEM]}), TOO, traits=frozenset({trait}))
        assert counts(other, units) == (), trait
    tanks = recard(Fight({"0304": [US, TOO]}, {"0404": [THEM]}), TOO, kind=Kind.TANKS)
    assert counts(tanks, units) == (), "tanks do not count in a regiment of infantry"
    cavalry = recard(tanks, TOO, traits=frozenset({Trait.ARMOURED_CAVALRY}))
    assert counts(cavalry, units) == (2,)
    hybrid = Fight({"0304": ["ccb/1-CCB", "ccb/2-CCB"]}, {"0404": [THEM]})
    assert counts(hybrid, [hybrid.unit("ccb/1-CCB"), hybrid.unit("ccb/2-CCB")]) == (2,)


@rules("13.8.3b")
def test_troops_of_a_german_division() -> None:
    fus, pak = UnitId("791-inf/791 Fus"), UnitId("791-inf/791 Pak")
    fight = Fight({"0808": [US]}, {"0404": [THEM, fus], "0405": [THEY, pak]})

    def counts(fight: Any, *names: UnitId) -> tuple[int, ...]:
        return attacking_integrity(fight.rules.context, fight.state, [fight.unit(one) for one in names]).counts

    assert counts(fight, THEM, fus) == (2,), "fusiliers"
    assert counts(fight, THEM, pak) == (), "guns do not"
    armour = recard(fight, pak, kind=Kind.TANKS)
    assert counts(armour, THEM, pak) == (), "tanks of a division on foot do not"
    pz, grenadiers = UnitId("116-pz/1-16 Pz"), UnitId("116-pz/I-60")
    mech = Fight({"0808": [US]}, {"0404": [grenadiers, pz]})
    assert counts(mech, grenadiers, pz) == (2,), "those of a Mech formation do"


@rules("13.8.3", "13.8.3a")
def test_no_more_than_three_of_a_regiment_two_regiments_attack_and_one_defends() -> None:
    more = [UnitId(f"61-inf/{one}") for one in ("1-481", "2-481", "3-481", "1-482", "2-482", "3-482")]
    fight = Fight({"0304": more[:2], "0303": more[2:4], "0305": more[4:]}, {"0404": [THEM]})
    units = [fight.unit(one) for one in more]
    assert attacking_integrity(fight.rules.context, fight.state, units).counts == (3, 3)
    other = UnitId("791-inf/I-1572")
    near = Fight({"0808": [US]}, {"0404": [THEM, other], "0405": [THEY, "791-inf/II-1572"]})
    stack = [near.unit(THEM), near.unit(other)]
    assert defending_integrity(near.rules.context, near.state, stack, near.hex("0404")).counts == (2,), "one regiment"


@rules("13.8.3a")
def test_beside_the_defenders_only_their_own_regiment_in_battalions_counts() -> None:
    def counts(axis: Units, **marks: Any) -> tuple[int, ...]:
        fight = Fight({"0808": [US]}, {"0404": [THEM], **axis})
        for unit, changes in marks.items():
            recard(fight, unit, **changes)
        return defending_integrity(fight.rules.context, fight.state, [fight.unit(THEM)], fight.hex("0404")).counts

    assert counts({"0405": [THEY]}) == (2,)
    assert counts({"0405": ["791-inf/I-1572", "791-inf/II-1572"]}) == (), "another regiment is not in the fight"
    assert counts({"0405": [THEY]}, **{THEY: {"size": Size.COMPANY}}) == ()


# --- 13.10.2, 13.12 ---------------------------------------------------------------------------------------------


def may_convert(*, cover: bool, armour: tuple[str, ...], commandos: bool = False, also: bool = False) -> bool:
    """Whether scouts who attacked 0404 may convert a hit; ``armour``: the sides that have led by a gun."""
    scouts = US if commandos else RECON
    us = [scouts, TOO] if also else [scouts]
    fight = Fight({"0304": us}, {"0404": ["191-pz/1-191 Pz"]}, with_hex("w", "0304") if cover else OPEN)
    if commandos:
        recard(fight, US, traits=frozenset({Trait.COMMANDO}))
    guns = {"allied": scouts, "axis": UnitId("191-pz/1-191 Pz")}
    frame = {"attackers": tuple(us), "defenders": (guns["axis"],), "leads": (("allied", scouts),)}
    fight.suffer("allied", 1, 0, frame=frame | {"armour": tuple((side, guns[side]) for side in armour)})
    return fight.title == "allied: Reduce or convert a mandatory hit" and Reduce("convert") in fight.answers


@rules("13.10.2")
def test_recon_converts_a_hit_unless_armour_catches_it_in_the_open() -> None:
    assert may_convert(cover=False, armour=())
    assert not may_convert(cover=False, armour=("axis",))
    assert may_convert(cover=True, armour=("axis",)), "in covering terrain"
    assert may_convert(cover=False, armour=("axis", "allied")), "with a gun of its own"
    assert may_convert(cover=False, armour=(), commandos=True)
    assert not may_convert(cover=False, armour=(), also=True), "all of them must be recon or commandos"


def after_assault(units: list[UnitId], path: tuple[str, ...] = ("0503",), **more: Any) -> Fight:
    """Attackers in 0304 before an advance into 0404; the defenders have retreated along a path."""
    around: Units = {"0808": [THEM], **more.pop("axis", {})}
    fight = Fight({"0304": list(units), **more.pop("also", {})}, around, **more)
    for one in units:
        mark(fight, one, mode=Mode.PREPARED_ASSAULT)
    assault = Assault(
        ALLIED,
        fight.hex("0404"),
        stage=Stage.END,
        line=1,
        attackers=tuple(units),
        defenders=(THEM,),
        path=tuple(map(fight.hex, path)),
    )
    fight.state = replace(fight.state, stack=(Assaults(ALLIED), assault, Advancing(ALLIED)))
    return fight


def ways(fight: Fight, unit: UnitId) -> set[str]:
    label = fight.rules.context.label
    found = [one for one in fight.answers if isinstance(one, Advance) and one.unit == unit]
    return {" ".join(map(label, one.path)) for one in found}


@rules("13.12.1")
def test_who_retreated_stood_off_or_cannot_enter_does_not_advance() -> None:
    fight = after_assault([US, TOO])
    assault = fight.state.stack[-2]
    context = fight.rules.context
    assert [unit.id for unit in may_advance(context, fight.state, assault)] == [US, TOO]
    back = replace(fight.state, used=(Use(RETREATED, by=US),))
    assert [unit.id for unit in may_advance(context, back, assault)] == [TOO]
    apart = replace(assault, stand_off=(TOO,))
    assert [unit.id for unit in may_advance(context, fight.state, apart)] == [US]
    river = [{"kind": "great_river", "sides": ["0304:NE"]}]
    wet = after_assault([US], features=river)
    assert may_advance(wet.rules.context, wet.state, wet.state.stack[-2]) == []


@rules("13.12.1", "17.2.2")
def test_over_a_major_river_those_advance_whom_engineers_took_across() -> None:
    river = [{"kind": "major_river", "sides": ["0304:NE"]}]
    fight = after_assault([US, ENG], features=river)
    assert [unit.id for unit in may_advance(fight.rules.context, fight.state, fight.state.stack[-2])] == [US]
    alone = after_assault([US], also={"0305": [ENG]}, features=river)
    assert may_advance(alone.rules.context, alone.state, alone.state.stack[-2]) == [], "engineers of another hex"
    bridge = [*river, {"kind": "primary_road", "line": ["0304", "0404"]}]
    dry = after_assault([US], features=bridge)
    assert [unit.id for unit in may_advance(dry.rules.context, dry.state, dry.state.stack[-2])] == [US]


@rules("13.12.5", "13.12.5a")
def test_where_an_advance_halts() -> None:
    tanks = UnitId("ccb/1-CCB")
    assert "0404 0503" in ways(after_assault([tanks]), tanks)
    woods = after_assault([tanks], cells=with_hex("w", "0404"))
    assert ways(woods, tanks) == {"0404"}, "vehicles stop in woods"
    assert "0404 0503" in ways(after_assault([US], cells=with_hex("w", "0404")), US), "who walks does not"
    works: dict[str, Any] = {"works": [{"hex": "0405", "kind": "ET-2", "side": "axis"}]}
    assert ways(after_assault([US], axis={"0405": [THEY]}, **works), US) == {"0404"}, "works beside it"
    guns = after_assault([US], axis={"0405": ["944-flak/3-944 Flak"]})
    assert ways(guns, US) == {"0404"}, "heavy guns beside it (7.7.2)"
    fords = [{"kind": "river", "sides": ["0304:NE"]}, {"kind": "ford", "sides": ["0304:NE"]}]
    assert "0404 0503" in ways(after_assault([tanks], features=fords), tanks), "the halt behind a ford is for Leg units"


@rules("13.12.2", "13.12.4")
def test_an_advance_enters_no_hex_of_the_enemy_and_does_not_turn_back() -> None:
    tanks = UnitId("ccb/1-CCB")
    found = ways(after_assault([tanks], ("0503", "0603"), axis={"0503": [THEY]}), tanks)
    assert not [way for way in found if "0503" in way]
    free = ways(after_assault([tanks], ("0503", "0602")), tanks)
    assert not [way for way in free if "0304" in way or way.count("0404") > 1]
    river = [{"kind": "major_river", "sides": ["0404:NE"]}]
    assert "0404 0503" not in ways(after_assault([tanks], features=river), tanks)


@rules("13.12.4")
def test_vehicles_deviate_along_roads_through_rough_ground() -> None:
    tanks = UnitId("ccb/1-CCB")
    rough = with_hex("r", "0404", "0504")
    assert "0404 0504" not in ways(after_assault([tanks], cells=rough), tanks)
    road = [{"kind": "secondary_road", "line": ["0304", "0404", "0504"]}]
    assert "0404 0504" in ways(after_assault([tanks], cells=rough, features=road), tanks)
