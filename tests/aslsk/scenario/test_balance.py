"""1.3: balance provisions of the kit's scenario cards, chosen for a game by players and by the lab."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from sandtable import catalog
from sandtable.core.content.provision import provided
from sandtable.core.errors import BadInput
from sandtable.session.presenting.shelf import NewTable
from sandtable.session.queries import info
from sandtable.sim.setting import read_setting
from sandtable.systems.aslsk.rules import AslskRules
from tests.cli.running import run
from tests.session.toy_registry import guests, open_registry

rules = pytest.mark.rules


def _game(scenario: str, provision: str = "") -> AslskRules:
    ruleset = catalog.open_scenario(scenario, options={provision: "on"} if provision else {}).ruleset
    assert isinstance(ruleset, AslskRules)
    return ruleset


def _counters(game: AslskRules, force: str) -> Counter[str]:
    scenario = game.context.scenario
    found = Counter(str(unit.card) for unit in scenario.units.values() if unit.force == force)
    found += Counter(str(weapon.card) for weapon in scenario.weapons.values() if weapon.force == force)
    return found + Counter(str(vehicle.card) for vehicle in scenario.vehicles.values() if vehicle.force == force)


@rules("1.3", system="aslsk3")
@pytest.mark.parametrize(
    ("scenario", "side", "force", "less", "more"),
    [
        ("s20-joseph-351", "german", "german", {"german/7-0": 1}, {"german/9-1": 1}),
        (
            "s21-clash-at-borisovka",
            "german",
            "grossdeutschland",
            {"german/PzKpfw IVF2": 2},
            {"german/PzKpfw IVH": 2},
        ),
        ("s23-montys-gamble", "british", "staffords", {}, {"british/LMG": 1}),
        ("s23-montys-gamble", "german", "harder", {}, {"german/7-0": 1}),
        ("s24-sherman-marches-west", "german", "security", {}, {"german/7-0": 1}),
        ("s26-last-ally-last-victory", "russian", "first", {"german/8-0": 1}, {}),
        (
            "s27-stand-for-new-zealand",
            "german",
            "hussars",
            {"british/9-1": 1, "british/4-5-7": 2},
            {"british/8-0": 1, "british/4-4-7": 2},
        ),
    ],
)
def test_1_3_provisions_of_counters(
    scenario: str, side: str, force: str, less: dict[str, int], more: dict[str, int]
) -> None:
    plain, helped = _counters(_game(scenario), force), _counters(_game(scenario, f"balance_{side}"), force)
    assert (plain - helped, helped - plain) == (Counter(less), Counter(more))


@rules("1.3", system="aslsk3")
def test_1_3_joseph_351_for_the_allies() -> None:
    def points(provision: str) -> list[int]:
        deal = _game("s20-joseph-351", provision).context.scenario.draft.deal
        assert deal is not None
        return [row["vp"] for row in deal.chart.values()]

    assert points("balance_allies") == [number - 2 for number in points("")]


@rules("1.3", system="aslsk3")
@pytest.mark.parametrize(
    ("scenario", "side", "force", "field", "values"),
    [
        ("s21-clash-at-borisovka", "russian", "guards", "half_mp", (True, False)),
        ("s24-sherman-marches-west", "russian", "pioneers", "turn", (3, 4)),
        ("s27-stand-for-new-zealand", "commonwealth", "hussars", "turn", (5, 4)),
    ],
)
def test_1_3_provisions_of_entry(scenario: str, side: str, force: str, field: str, values: tuple[Any, Any]) -> None:
    for provision, value in zip(("", f"balance_{side}"), values, strict=True):
        enters = _game(scenario, provision).context.scenario.forces[force].enters
        assert enters is not None
        assert {"half_mp": enters.half_mp, "turn": enters.turn}[field] == value


@rules("1.3", system="aslsk3")
def test_1_3_last_ally_last_victory_for_the_germans() -> None:
    needed = [
        _game("s26-last-ally-last-victory", provision).context.scenario.draft.victory[0].goals[0].at_least
        for provision in ("", "balance_german")
    ]
    assert needed == [9, 8]


def test_every_card_of_the_kit_has_a_provision_for_each_side() -> None:
    for head in catalog.scenarios("aslsk3"):
        if head.id.startswith("s2"):
            sides = {side.id for side in _game(head.id).context.scenario.draft.sides}
            assert {(one.id, one.side) for one in head.balance} == {(f"balance_{side}", side) for side in sides}


# --- choosing them ----------------------------------------------------------------------------------------------

S23 = "s23-montys-gamble"


def test_what_is_chosen_is_told_in_the_briefing_and_nothing_else_is() -> None:
    plain, helped = (catalog.open_scenario(S23, options=options) for options in ({}, {"balance_british": "on"}))
    assert "balance" not in plain.header.scenario, "where its weapons would go is nobody else's business"
    assert "LMG more" not in plain.header.scenario["briefing"]
    assert helped.header.scenario["briefing"].endswith("Balance: the British have an LMG more.")
    assert helped.header.options == {"balance_british": "on"}
    off = catalog.open_scenario(S23, options={"balance_british": "off"})
    assert off.header.scenario == plain.header.scenario
    with pytest.raises(BadInput, match="free_sight, balance_british, balance_german"):
        catalog.open_scenario(S23, options={"balance_russian": "on"})


def test_a_provision_of_the_terminal() -> None:
    words: tuple[Any, ...] = ("play", S23, "--seed", 1)
    told = run(*words, "--option", "balance_german=on", text="quit\n").stdout
    assert "Balance: the Germans have a 7-0 more." in " ".join(told.split())
    assert "balance_german: the Germans have a 7-0 more" in run("scenarios", "aslsk3").stdout


def test_a_provision_of_the_lab() -> None:
    plain, helped = (read_setting(S23, ("random",), options=one) for one in ({}, {"balance_german": "on"}))
    assert plain.draft != helped.draft
    assert "7-0" in helped.draft


def test_a_provision_of_a_table() -> None:
    async def go() -> None:
        async with open_registry() as house:
            (person,) = await guests(house, 1)
            rows = {row.id: row.switches for row in house.books.scenarios}
            told = {one.name: one.title for one in rows[S23] if not one.on}
            assert told["balance_british"] == "Balance: the British have an LMG more"
            seats = dict.fromkeys(("british", "german"), "hotseat")
            made = await house.create(person, NewTable(S23, seats, options={"balance_british": "on"}))
            assert "LMG more" in (await info(house, person, made.id, None)).briefing
            with pytest.raises(BadInput):
                await house.create(person, NewTable(S23, {}, options={"balance_russian": "on"}))

    asyncio.run(asyncio.wait_for(go(), 60))


# --- faults of the file -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"at": ["turn"], "remove": True}, "s.yaml: balance[0].changes[0].at: nothing is called 'turn' there"),
        ({"at": ["sides", "x"], "remove": True}, "s.yaml: balance[0].changes[0].at: nothing is called 'x' there"),
        ({"at": ["turns"], "add": {}}, "s.yaml: balance[0].changes[0].at: 'turns' is no list"),
        ({"at": ["turns"]}, "s.yaml: balance[0].changes[0]: not one change"),
        ({"at": ["map"], "to": {}}, "s.yaml: balance[0].changes[0].at: leads to what no provision changes"),
        ({"at": ["turns"], "too": 3}, "s.yaml: balance[0].changes[0]"),
    ],
)
def test_faults_of_provisions_name_file_and_field(change: dict[str, Any], fault: str) -> None:
    offer = {"id": "b", "side": "german", "title": "b", "changes": [change]}
    draft = {"turns": 5, "sides": [{"id": "german"}], "balance": [offer]}
    with pytest.raises(BadInput) as bad:
        provided(draft, ["b"], "s.yaml")
    assert str(bad.value).startswith(fault)


def test_two_provisions_of_one_name() -> None:
    offer = {"id": "b", "side": "german", "title": "b", "changes": []}
    with pytest.raises(BadInput) as bad:
        provided({"balance": [offer, offer]}, [], "s.yaml")
    assert str(bad.value).startswith("s.yaml: balance[1].id: 'b' stands twice")
