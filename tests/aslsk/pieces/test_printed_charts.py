"""The charts and counters of the pack against the transcribed ones of the kit, cell by cell, where they are at hand."""

import json
from typing import Any

import pytest

from sandtable import catalog
from sandtable.core.content.table import Table
from sandtable.systems.aslsk.pieces.card_files import Cards, parse_cards
from sandtable.systems.aslsk.pieces.cards import CardId, UnitCard, UnitKind, WeaponCard, WeaponKind
from tests.aslsk.sight_grounds import SHARED

rules = pytest.mark.rules
printed = pytest.mark.skipif(not SHARED.is_dir(), reason="no ../shared with the charts of the kit beside the checkout")
NATIONS = {"British/Commonwealth": "british"}
NEVER = 13


def facts(name: str) -> Any:
    return json.loads((SHARED / "aslsk3" / f"{name}.json").read_text(encoding="utf-8"))["data"]


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    return dict(catalog.library("aslsk3").tables())


@pytest.fixture(scope="module")
def cards() -> Cards:
    library = catalog.library("aslsk3")
    return parse_cards({place: data for _, data, place in library.section("cards")})


def card_id(nationality: str, name: str) -> CardId:
    return CardId(f"{NATIONS.get(nationality, nationality.lower())}/{name}")


def drms(rows: list[list[Any]]) -> dict[str, Any]:
    return {str(name): value for name, value in rows}


@printed
@rules("3.2.3", "3.2.4", system="aslsk3")
def test_3_2_3_infantry_fire_table(tables: dict[str, Table]) -> None:
    chart = facts("ift")
    ift = tables["ift"]
    cells = 0
    for column, rows in chart["table"].items():
        for row, result in rows.items():
            dr = int(row.strip("<=>"))
            assert ift.lookup(dr, int(column)) == result, (row, column)
            cells += 1
    assert cells == 11 * 16
    assert {column: tables["ift_calibers"].number(column) for column in chart["columns_fp"]} == {
        int(column): caliber for column, caliber in chart["caliber_mm_min"].items()
    }


@printed
@rules("3.8", system="aslsk3")
def test_3_8_close_combat_table(tables: dict[str, Table]) -> None:
    chart = facts("close_combat")
    table = tables["close_combat"]
    names = [odds.replace("<", "under ").replace(">", "over ") for odds in chart["odds"]]
    assert [str(value) for value in table.axes[0].values] == names
    assert [table.number(name) for name in names] == chart["kill_number"]
    modifiers, drm = drms(chart["drm"]), tables["close_combat_drm"].number
    assert (drm("by_ambusher"), drm("on_ambusher")) == (
        modifiers["by ambusher"],
        modifiers["vs ambusher (not in Melee)"],
    )
    assert (drm("by_cx"), drm("on_cx")) == (modifiers["by CX"], modifiers["vs CX"])
    assert drm("on_broken") == modifiers["vs broken unit"]
    causes = drms(chart["ambush"]["drm"])
    ambush = tables["ambush"].number
    assert (ambush("inexperienced"), ambush("pinned"), ambush("cx")) == (
        causes["inexperienced"],
        causes["pinned"],
        causes["CX"],
    )


@printed
@rules("3.1", "3.2.3", "5.3", system="aslsk3")
def test_5_3_rally_wounds_and_leader_creation(tables: dict[str, Table]) -> None:
    chart = facts("rally_morale")
    rally, causes = tables["rally"].number, drms(chart["rally"]["drm"])
    assert (rally("dm"), rally("shelter"), rally("self_rally")) == (
        causes["desperation morale"],
        causes["woods or building"],
        causes["self rally"],
    )
    for row, leader in chart["leader_creation"]["dr"].items():
        for dr in range(int(row.strip("<=>").split("-")[0]), int(row.strip("<=>").split("-")[-1]) + 1):
            assert tables["leader_creation"].lookup(dr) == leader
    creation, drm = drms(chart["leader_creation"]["drm"]), tables["leader_creation_drm"].number
    assert {drm(nation) for nation in ("american", "german", "british")} == {creation["American, German, British"]}
    assert {drm(nation) for nation in ("russian", "italian")} == {creation["Russian, Italian"]}
    assert drm("odds_column_under_1-1") == creation["per odds column below 1-1, or vs AFV"]
    assert (drm("morale_8_or_more"), drm("morale_6_or_less")) == (
        creation["base unit morale >= 8"],
        creation["base unit morale <= 6"],
    )
    assert drm("broken") == creation["base unit broken"]
    for dr in range(1, 8):
        assert tables["wounds"].lookup(dr) == ("wounded" if dr <= 4 else "eliminated")


@printed
@rules("1.1.1", "1.2.5", system="aslsk3")
def test_1_1_1_terrain_effects_chart(tables: dict[str, Table]) -> None:
    chart = {row["type"]: row for row in facts("terrain_effects")["terrain"]}
    table = tables["terrain_effects"]
    for ours, theirs in (
        ("open ground", "open"),
        ("orchard", "orchard"),
        ("brush", "brush"),
        ("grain", "grain"),
        ("woods", "woods"),
        ("wooden building", "wooden_building"),
        ("stone building", "stone_building"),
        ("road", "road"),
    ):
        row = chart[theirs]
        assert table.number(ours, "mf_halves") == 2 * row["mf"], ours
        assert table.number(ours, "tem") == row["tem"], ours
        assert bool(table.number(ours, "rally_bonus")) == row["rally_bonus"], ours
    smoke, counters = tables["smoke"].number, facts("smoke")["counters"]
    assert [smoke(name) for name in ("smoke grenades", "smoke", "dispersed smoke", "WP", "dispersed WP")] == [
        counters[name]["drm"] for name in ("grenade_half_inch", "full_5_8", "dispersed_5_8", "wp", "dispersed_wp")
    ]
    assert smoke("most_per_hex") == facts("smoke")["max_per_hex"]
    assert smoke("out_of_smoke") == facts("smoke")["out_of_smoke_hex_extra"]
    assert tables["mf_costs"].number("smoke_entry") == facts("smoke")["entry_cost"]


@printed
@rules("3.3.1", "4.0", system="aslsk3")
def test_3_3_1_movement_factors_and_portage(tables: dict[str, Table]) -> None:
    chart = facts("movement")
    mmc, poor, smc = chart["mf_chart"]
    mf = tables["movement_factors"].number
    assert (mf("mmc"), mf("inexperienced_mmc"), mf("smc"), mf("wounded_smc")) == (
        mmc["base"],
        poor["base"],
        smc["base"],
        smc["w_base"],
    )
    assert mmc["base"] + mf("leader_bonus") == mmc["with_leader"]
    assert mmc["base"] + mf("double_time") == mmc["double_time"]
    assert (mf("road_bonus"), mf("rout"), mf("rout_wounded_smc")) == (
        chart["road_bonus_mf"],
        chart["rout_mf"],
        chart["rout_mf_wounded_smc"],
    )
    ipc, portage = chart["ipc"], tables["portage"].number
    assert (portage("ipc_mmc"), portage("ipc_smc"), portage("ipc_wounded_smc")) == (
        ipc["MMC"],
        ipc["SMC"],
        ipc["wounded_smc"],
    )
    assert (-portage("cx"), portage("smc_most")) == (ipc["cx_penalty"], ipc["smc_max_pp"])


@printed
@rules("3.3.5", system="aslsk3")
def test_3_3_5_residual_fp(tables: dict[str, Table]) -> None:
    counters = facts("residual_fp")["counter_values"]
    for column in facts("ift")["columns_fp"]:
        half = min(12, column // 2)
        left = tables["residual_fp"].number(column)
        assert left == max([fp for fp in counters if fp <= half], default=0), column


@printed
@rules("3.2.4", "4.4.2", "4.5", system="aslsk3")
def test_3_2_4_to_hit_numbers_and_drm(tables: dict[str, Table]) -> None:
    cases = {row["case"]: row for row in facts("to_hit_drm")}
    drm = tables["to_hit_drm"].number
    assert (drm("afph", "value"), drm("afph_in_cover", "value")) == (cases[1]["drm"], cases[1]["in_woods_or_building"])
    assert [drm(name, "value") for name in ("pinned", "captured", "cx")] == [cases[case]["drm"] for case in (2, 4, 5)]
    assert drm("backblast", "value") == drm("afph_latw", "value") == cases[12]["each"]
    rows = {(row["nationality"], row["gun"]): row["ATT"] for row in facts("to_hit")["rows"]}
    mortars = {"german/50": ("German", "50*"), "russian/50": ("Russian", "50*"), "american/60": ("American", "60*")}
    for name, row in mortars.items():
        numbers = [tables["to_hit_mortars"].number(name, field) for field in ("to 12", "to 24")]
        assert numbers == [rows[row][band]["red"] for band in ("1-12", "13-24")]
    chart, number = facts("panzerfaust"), tables["panzerfaust"].number
    causes = drms(chart["drm"])
    assert [number(f"drm_{name}") for name in ("1945", "not_afv", "cx", "half_squad", "smc")] == [
        causes[name] for name in ("1945", "target not AFV", "CX", "HS or crew", "SMC")
    ]
    assert {str(reach): number("to_hit") + reach * number("to_hit_per_hex") for reach in range(4)} == chart["th"]
    assert [number(f"range_{date}") for date in ("before_1944-06", "1944", "1945")] == [
        reach for _, reach in chart["range_by_date"]
    ]
    assert (number("found_to"), number("column")) == (chart["check_dr"]["success_le"], chart["ift_fp"])


def mmc_values(card: UnitCard) -> tuple[Any, ...]:
    return (
        *(card.kind.value, card.quality.value, card.fp, card.range, card.morale, card.broken_morale, card.boxed),
        *(card.smoke, card.assault_fire, card.elr_immune or card.kind is UnitKind.CREW, card.half_squad.split("/")[-1]),
        card.replacement.split("/")[-1],
    )


@printed
@rules("1.2.2", "1.2.3", "5.1", system="aslsk3")
def test_1_2_2_every_mmc_of_the_nationality_chart(cards: Cards) -> None:
    """Class, strength, broken side, half-squad and next lower quality of each."""
    seen = 0
    for row in facts("units_infantry")["mmc"]:
        name = row["id"] if row["kind"] != "crew" or row["id"].endswith("crew") else f"{row['id']} crew"
        card = cards.units.get(card_id(row["nationality"], name))
        assert card is not None, row
        kind = row["kind"].replace("_", "-")
        assert mmc_values(card) == (
            *(kind, row["class"] or "E", row["fp"], row["range"], row["morale"], row["broken_morale"]),
            *(row["broken_boxed"], row["smoke_exponent"], row["assault_fire"], row["elr_immune"]),
            *(row["half_squad"] or "", row["elr_replacement"] or ""),
        ), row
        seen += 1
    assert seen


@printed
@rules("1.2.1", "5.1", system="aslsk3")
def test_1_2_1_every_leader(cards: Cards) -> None:
    for nationality in ("german", "american", "russian", "british"):
        for row in facts("units_infantry")["smc"]:
            card = cards.units.get(card_id(nationality, row["id"]))
            if card is None:
                continue
            found = (card.morale, card.leadership, card.broken_morale, card.boxed, card.replacement.split("/")[-1])
            lower = row["elr_replacement"] or ""
            assert found == (row["morale"], row["leadership"], row["broken_morale"], row["broken_boxed"], lower)


def weapon_values(card: WeaponCard) -> tuple[Any, ...]:
    reach = (card.min_range, card.range) if card.kind is WeaponKind.MTR else card.range
    return card.pp, card.rof, card.breakdown, card.removal, card.repair, reach


@printed
@rules("1.2.4", "4.1", "4.2", "4.3", "4.4.1", "4.4.4", "4.4.5", "4.5", system="aslsk3")
def test_1_2_4_every_support_weapon(cards: Cards) -> None:
    aims = facts("latw_sw")["to_hit"]
    for row in facts("support_weapons"):
        card = cards.weapons.get(card_id(row["nationality"], row["name"]))
        assert card is not None, row
        is_mortar = "caliber" in row
        reach = (row["min_range"], row["max_range"]) if is_mortar else row["range"]
        expected = (row["pp"], row["rof"] or 0, row["b"] or NEVER, row["x"] or NEVER, row["repair"] or 0, reach)
        assert weapon_values(card) == expected, row
        if is_mortar:
            assert f"{card.caliber}*" == row["caliber"]
        elif "th" in row:
            assert (card.infantry_column, card.to_kill) == (row["fp"], row["tk"])
            assert {str(index): number for index, number in enumerate(card.to_hit)} == aims[row["th"]]
        else:
            assert card.fp == row["fp"]
