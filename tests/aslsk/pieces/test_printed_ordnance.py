"""Guns, vehicles, To Hit and To Kill charts of the pack against the kit's, cell by cell, where these are at hand."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.core.content.table import Table
from sandtable.systems.aslsk.pieces.armament import Ammo, Armament, Theatre
from sandtable.systems.aslsk.pieces.card_files import Cards
from sandtable.systems.aslsk.pieces.cards import CardId
from tests.aslsk.pieces.test_printed_charts import card_id, cards, facts, printed, tables

__all__ = ["cards", "tables"]

rules = pytest.mark.rules
AMMO = {"A": "APCR", "D": "APDS", "H": "HEAT", "s": "smoke"}
NATIONS = {"Rus": "russian", "Ger": "german", "Amer": "american", "Brit": "british"}


def words(value: str) -> str:
    return value.replace(" ", "_")


def supplies(printed_ammo: dict[str, Any]) -> set[tuple[str, int, str]]:
    """Ammunition, depletion number and date of a counter."""
    found = set()
    for name, number in printed_ammo.items():
        dated = number if isinstance(number, dict) else {"": number}
        found |= {(AMMO.get(name, name), one, date.split(" ")[0].rstrip("+")) for date, one in dated.items()}
    return found


def supplied(main: Armament) -> set[tuple[str, int, str]]:
    """The same of a card; what was issued in the Pacific alone stands in the notes."""
    return {
        (one.ammo.value, one.number, one.since)
        for one in main.supplies
        if one.theatre is not Theatre.PACIFIC or one.number < PACIFIC_ALONE
    }


PACIFIC_ALONE = 10
"""The 6-Pounder has depletion numbers of 10 and more in the Pacific, by its note."""


@printed
@rules("1.2.6", "6.0", "6.2", "6.9", system="aslsk3")
def test_1_2_6_every_gun(cards: Cards) -> None:
    rows = facts("guns")
    assert {card_id(row["nationality"], row["name"]) for row in rows} == {
        card.id for card in cards.weapons.values() if card.gun is not None
    }
    for row in rows:
        card = cards.weapons[card_id(row["nationality"], row["name"])]
        gun = card.gun
        assert gun is not None
        main = gun.main
        found = {
            "type": gun.type.value,
            "gun": main.barrel,
            "manhandling": gun.manhandling,
            "rof": main.rof or None,
            "b": card.breakdown,
            "target_size": words(gun.size.value),
            "qsu": gun.qsu,
            "mount": gun.mount.value,
            "range": [main.min_range, main.max_range] if main.max_range else None,
            "ife": main.ife or None,
            "gunshield": gun.gunshield,
        }
        assert found == {name: row[name] for name in found}, card.id
        assert supplied(main) == supplies(row["special_ammo"]), card.id


@printed
@rules("6.9", system="aslsk3")
def test_6_9_the_3_in_mortar_reaches_farther_from_september_1942(cards: Cards) -> None:
    gun = cards.weapons[card_id("british", "OML 3-in. MTR")].gun
    assert gun is not None
    reach = [gun.main.at(*date) for date in ((1941, 5), (1942, 8), (1942, 9), (1944, 1))]
    assert [(one.min_range, one.max_range) for one in reach] == [(6, 36), (6, 36), (3, 63), (3, 63)]


def usage(number: Any) -> dict[str, int]:
    """Usage numbers of a dispenser by date."""
    if not isinstance(number, dict):
        return {"": number}
    return {since.rstrip("+"): one for since, one in number.items()}


@printed
@rules("1.2.7", "7.2", "7.3", "7.5", system="aslsk3")
def test_1_2_7_every_vehicle(cards: Cards) -> None:
    rows = facts("vehicles")
    assert {card_id(row["nationality"], row["name"]) for row in rows} == set(cards.vehicles)
    for row in rows:
        card = cards.vehicles[card_id(row["nationality"], row["name"])]
        main, armour = card.main, card.armour
        found = {
            "type": words(card.type.value),
            "mp": card.mp,
            "mp_red": card.red_mp,
            "ground_pressure": card.ground_pressure.value,
            "target_size": words(card.size.value),
            "turret": card.turret.value,
            "ma": main.barrel,
            "ife": main.ife or None,
            "rof": main.rof or None,
            "b": main.breakdown,
            "low_ammo_b": main.low_ammo or None,
            "ap_not_available": not main.ap,
            "he_not_available": not main.he,
            "no_intensive_fire": not main.intensive_fire,
            "bpv": card.bpv or None,
        }
        told = {name: row[name] for name in found}
        told["ma"] = "MG" if row["ma"] in ("BMG", "CMG") else row["ma"]
        assert found == told, card.id
        plates = [row["armor"][name] for name in ("front_hull", "side_rear_hull", "front_turret", "side_rear_turret")]
        assert [armour.front, armour.side, armour.turret_front, armour.turret_side] == plates, card.id
        guns = {name: number or 0 for name, number in row["mg"].items()}
        assert guns == {"bmg": card.bmg, "cmg": card.cmg, "aamg": card.aamg, "rmg": card.rmg}, card.id
        assert supplied(main) == supplies(row["special_ammo"]), card.id
        dispenser = {card.dispenser.value: card.usage} if card.dispenser is not None else {}
        assert dispenser == {kind: usage(number) for kind, number in row["smoke_dispenser"].items()}, card.id
        assert row["crew_morale_override"] in (None, card.crew_morale), card.id


# --- charts -----------------------------------------------------------------------------------------------------


def barrels(row: dict[str, Any]) -> list[str]:
    """The rows of the pack's charts that a printed row stands for."""
    nations = row["nationality"].split("/")
    guns = row["gun"].split("/")
    if nations == ["All"]:
        return [f"all/{row['gun'].removeprefix('SW ')}"]
    return [f"{NATIONS.get(nation, nation.lower())}/{guns[index % len(guns)]}" for index, nation in enumerate(nations)]


def least(band: str) -> int:
    return int(band.partition("-")[0])


LIGHT_MORTARS = ("german/50*", "russian/50*", "american/60*")
"""They have a table of their own, which is compared elsewhere."""
CORRECTED = ("american/105",)
"""Of the infantry chart: one red number follows a later example."""


@printed
@rules("3.2.4", "6.1", system="aslsk3")
def test_3_2_4_to_hit_chart(tables: dict[str, Table]) -> None:
    cells = 0
    for row in facts("to_hit")["rows"]:
        for name in barrels(row):
            for band, number in (row["VTT"] or {}).items():
                told = [number["black"], number["red"]] if number is not None else [None, None]
                found = [tables["to_hit_vehicle"].lookup(name, least(band), field) for field in ("black", "red")]
                assert found == told, (name, band)
                cells += 1
            for band, number in (row["ATT"] or {}).items():
                if name not in LIGHT_MORTARS:
                    assert tables["to_hit_area"].lookup(name, least(band)) == number["red"], (name, band)
                    cells += 1
            for band, number in (row["ITT"] or {}).items():
                if name not in CORRECTED:
                    told = [number[field] for field in ("black", "red", "ch_black", "ch_red")]
                    fields = ("black", "red", "critical", "critical_red")
                    found = [tables["to_hit_infantry"].lookup(name, least(band), field) for field in fields]
                    assert found == told, (name, band)
                    cells += 1
    assert cells > 300
    for row in facts("to_hit_reconstructed")["rows"][:3]:
        (name,) = barrels(row)
        for band, number in row["VTT"].items():
            found = [tables["to_hit_vehicle_lost"].lookup(name, least(band), field) for field in ("black", "red")]
            assert found == [number["black"], number["red"]], (name, band)


@printed
@rules("3.2.4", "3.3.2.2", system="aslsk3")
def test_3_2_4_every_case_of_the_to_hit_drm(tables: dict[str, Table]) -> None:
    cases = {row["case"]: row for row in facts("to_hit_drm")}
    drm = tables["to_hit_drm"]

    def numbers(*names: str) -> list[int]:
        return [drm.number(name, "value") for name in names]

    plain = {3: "non_qualified", 7: "smoke_under_13", 9: "intensive_fire", 10: "own_hex", 11: "far_sabot"}
    plain |= {13: "buttoned_up", 15: "stun", 21: "hazardous", 23: "empty_hex"}
    assert numbers(*plain.values()) == [cases[case]["drm"] for case in plain]
    assert numbers("own_hex_cover") == [cases[10]["drm"] * cases[10]["multiplier_woods_building"]]
    bounding = [cases[14][name] for name in cases[14] if name.endswith("in_LOS")]
    assert numbers("bounding", "bounding_3", "bounding_2") == [one["T_ST"] for one in bounding]
    assert numbers("bounding_nt", "bounding_nt_3", "bounding_nt_2") == [one["NT"] for one in bounding]
    assert numbers("motion_itt_1", "motion_itt_2") == [cases[16]["ITT_range1"], cases[16]["ITT_range2"]]
    assert numbers("ffnam", "ffmo") == [cases[19]["each"]] * 2
    sizes = ("very_large", "large", "small", "very_small")
    assert numbers(*sizes) == [cases[22][size] for size in sizes]
    moving = ("motion_or_more_than_3_MP_in_LOS", "up_to_3_MP_in_LOS", "up_to_1_MP_in_LOS")
    assert numbers("moving", "moving_3", "moving_1") == [cases[24][name] for name in moving]
    assert numbers("stopped_1", "stopped_2") == [cases[25]["range1"], cases[25]["range2"]]
    arc = tables["covered_arc_drm"]
    for mount, name in (("NT", "NT"), ("ST", "ST"), ("RST", "ST"), ("T", "T_or_360"), ("360", "T_or_360")):
        assert [arc.number(mount, spine) for spine in ("first", "second", "third")] == cases[8][name]
    assert arc.number("times_in_cover", "first") == cases[8]["multiplier_woods_building"]


def weapon(name: str) -> str:
    return name.replace("Rus ", "russian ").replace("Ger ", "german ")


@printed
@rules("7.9", system="aslsk3")
def test_7_9_to_kill_tables(tables: dict[str, Table]) -> None:
    chart = facts("to_kill")
    kinds = {"AP": "to_kill_ap", "APCR": "to_kill_apcr", "APDS": "to_kill_apds"}
    for printed_rows, suffix in ((chart["AP"], ""), (facts("to_kill_reconstructed")["AP"], "_lost")):
        for kind, name in kinds.items():
            rows = {weapon(gun): row[kind] for gun, row in printed_rows.items() if kind in row}
            if not rows:
                continue
            table = tables[name + suffix]
            assert [str(value) for value in table.axes[0].values] == list(rows)
            for gun, row in rows.items():
                found = [table.lookup(gun, reach) for reach in (1, 2, 6, 12, 18, 24)]
                assert found == list(row.values()), (kind, gun)
    heat = tables["to_kill_heat"]
    named = {"Baz 43": ["BAZ 43"], "Baz 44/45": ["BAZ 44", "BAZ 45"]}
    told = {one: number for name, number in chart["HEAT"].items() for one in named.get(name, [name])}
    assert {str(name): heat.number(name) for name in heat.axes[0].values} == told
    he, flame = tables["to_kill_he"], chart["HE_and_flame"]
    assert {str(name): he.number(name) for name in he.axes[0].values} == {
        **flame["by_caliber_min"],
        "DC": flame["DC"],
        "FT": flame["FT"],
    }
    number = tables["to_kill_modifiers"].number
    assert (number("rear"), number("critical_times")) == (
        chart["modifiers"]["rear_facing"],
        chart["modifiers"]["critical_hit_multiplier"],
    )


@printed
@rules("7.10", "7.11", system="aslsk3")
def test_7_10_afv_results(tables: dict[str, Table]) -> None:
    chart = facts("afv_results")
    words_of = {"ELIM": "eliminated"}
    attacks = dict(zip(chart["columns"], ("direct", "area", "DC", "FT", "MG", "CC"), strict=True))
    table = tables["afv_destruction"]
    for final, row in zip(("less", "equal", "one_more_he", "one_more"), chart["rows"], strict=True):
        for column, attack in attacks.items():
            cell = row[column]
            parts = cell if isinstance(cell, dict) else {"hull": cell, "turret": cell}
            for struck, result in parts.items():
                told = words_of.get(result, result.lower().replace("_", " ")) if result is not None else None
                assert table.lookup(final, attack, struck) == told, (final, attack, struck)
    drm = tables["afv_area_drm"]
    assert (drm.number("all_at_most", "factor"), drm.number("all_at_least", "factor")) == (4, 8)
    assert [drm.number(name, "drm") for name in ("all_at_most", "all_at_least")] == [
        chart["att_drm"]["all_AF_le_4"],
        chart["att_drm"]["all_AF_ge_8"],
    ]


@rules("6.2", system="aslsk3")
def test_6_2_what_the_eto_had_italy_had_too_but_for_one_round(cards: Cards) -> None:
    guns = [cards.weapons[CardId(name)].gun for name in ("american/M5 3-in. AT", "american/M1 57mm AT")]
    three_inch, small = (gun.main for gun in guns if gun is not None)
    had = {
        theatre: (three_inch.supply(Ammo.APCR, 1944, 11, theatre), small.supply(Ammo.APDS, 1944, 11, theatre))
        for theatre in Theatre
    }
    numbers = {theatre: [one.number if one is not None else 0 for one in both] for theatre, both in had.items()}
    assert numbers == {
        Theatre.EUROPE: [4, 4],
        Theatre.ITALY: [0, 4],
        Theatre.NORTH_AFRICA: [4, 0],
        Theatre.PACIFIC: [4, 0],
    }
