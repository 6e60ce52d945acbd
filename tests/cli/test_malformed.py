"""Files with something wrong in them: a named fault and exit code 2, never a traceback."""

import io
from functools import partial
from pathlib import Path

import pytest
from rich.console import Console

from sandtable.cli.terminal.choosing import choose
from sandtable.cli.terminal.talk import Talk
from sandtable.core.decision import Assign, Budget, Gather, Slot
from tests.cli.running import run, written

PANZER = """
system: SYSTEM
map: {drawing: {cells: ". . . . . . . . . . . .", legend: {w: woods}}}
sides:
  - {id: one, title: One, units: [{id: A, card: CARD, at: A1, facing: N}]}
  - id: two
    title: Two
    units:
      - {id: B, card: CARD, at: C1, facing: N}
      - {id: C, card: CARD, facing: N, enters: {turn: 3, hexes: [L1]}}
steps: [STEP]
"""
NORTH_AFRICA = PANZER.replace("SYSTEM", "panzer-na").replace("CARD", "pz-iiij")
MBT = PANZER.replace("SYSTEM", "mbt").replace("CARD", "m1")
ASL = """
system: aslsk3
map: {drawing: {cells: ". . . . . .", hill: hill}}
phase: PFPh
sides:
  - {id: german, units: [{id: A, card: german/4-6-7, at: A1}, {id: D, card: german/4-6-7}]}
  - {id: russian, units: [{id: B, card: russian/4-4-7, at: C1}]}
steps: [STEP]
"""
IN_PANZER = {
    "{nonsense: 1}": "ask: nonsense",
    "{}": "ask: nothing",
    "{los: A1}": "ask.los",
    "{los: [A1, Z99]}": "ask.los: 'Z99' is not on the map",
    "{los: [A1]}": "ask.los",
    "{hex: Q9}": "ask.hex: 'Q9' is not on the map",
    "{hex: [A1]}": "ask.hex",
    "{spots: [A, X]}": "ask.spots: no vehicle 'X'",
    "{spotting_range: X}": "no vehicle 'X'",
    "{spotting_range: C}": "ask.spotting_range: C is not on the mapboard",
    "{shot: {target: B}}": "ask.shot: firer: missing",
    "{shot: {firer: A}}": "ask.shot: target: missing",
    "{shot: {firer: A, target: X}}": "ask.shot.target: no vehicle 'X'",
    "{shot: {firer: X, target: B}}": "ask.shot.firer: no vehicle 'X'",
    "{shot: {firer: A, target: B, weapon: 9}}": "ask.shot.weapon",
    "{shot: {firer: A, target: B, weapon: -1}}": "ask.shot.weapon",
    "{shot: {firer: A, target: B, ammo: 99}}": "ask.shot.ammo",
    "{shot: {firer: A, target: B, range: 3}}": "ask.shot: range: unknown field",
    "{shot: {firer: A, target: C}}": "both vehicles must be on the mapboard",
    "{hit_number: {net: A0, range_factor: P}}": "ask.hit_number: net",
    "{hit_number: {net: 1, range_factor: Q}}": "has no 'Q'",
    "{hit_number: {net: 1}}": "ask.hit_number: range_factor: missing",
    "{card: {id: nothing}}": "ask.card.id: no card 'nothing'",
    "{card: {}}": "ask.card: id: missing",
    "{allowance: X}": "no vehicle 'X'",
    "{cost: {legs: []}}": "ask.cost: unit: missing",
    "{cost: {unit: C, legs: []}}": "ask.cost.unit: C is not on the mapboard",
    "{cost: {unit: A, legs: [{turn: north}]}}": "ask.cost: legs[0].turn",
    "{blind_zone: {below: 1}}": "ask.blind_zone: range: missing",
    "{divisors: many}": "ask.divisors",
    "{control: hill}": "ask.control: no objective 'hill'",
    "{roll: [12, 44]}": "ask.roll: 12 is no face of a ten-sided die",
    "{roll: [1]}": "ask.roll",
}
IN_ASL = {
    "{nonsense: 1}": "ask: nonsense",
    "{los: [A1, Z99]}": "ask.los: 'Z99' is not on the map",
    "{hex: Q9}": "ask.hex: 'Q9' is not on the map",
    "{cost: [A1, C1]}": "ask.cost: C1 does not touch A1",
    "{cost: [A1, Q9]}": "ask.cost: 'Q9'",
    "{allowance: {}}": "ask.allowance: units: missing",
    "{allowance: {units: [X]}}": "ask.allowance.units: no unit 'X'",
    "{unit: X}": "ask.unit: no unit 'X'",
    "{rally: {leader: A}}": "ask.rally: unit: missing",
    "{rally: {unit: A, leader: B}}": "ask.rally.leader: B is no leader",
    "{rout: X}": "ask.rout: no unit 'X'",
    "{rout: D}": "ask.rout: D is not on the map",
    "{interdicted: {hex: A1}}": "ask.interdicted: side: missing",
    "{interdicted: {hex: A1, side: french}}": "ask.interdicted: no side 'french'",
    "{odds: {by: [], against: [B]}}": "ask.odds.by: nobody",
    "{odds: {by: [A], against: []}}": "ask.odds.against: nobody",
    "{odds: {by: [A], against: [X]}}": "ask.odds: no unit 'X'",
    "{ambush: {side: german}}": "ask.ambush: hex: missing",
    "{points: french}": "ask.points: no side 'french'",
    "{fire: {type: Fire}}": "ask.fire",
    "{fire: A1}": "ask.fire",
    "{fire: {type: Fire, target: A1, group: []}}": "ask.fire",
}
ASKED = [
    *((text, ask, fault) for text in (NORTH_AFRICA, MBT) for ask, fault in IN_PANZER.items()),
    *((ASL, ask, fault) for ask, fault in IN_ASL.items()),
]


@pytest.mark.parametrize(("text", "ask", "fault"), ASKED)
def test_a_malformed_question_is_named(tmp_path: Path, text: str, ask: str, fault: str) -> None:
    file = written(tmp_path, "s.yaml", text.replace("STEP", f"{{ask: {ask}}}"))
    told = run("resolve", file, code=2).stderr
    assert fault in told
    assert "steps[0]" in told or "table" in told


def test_a_shot_beyond_the_maximum_range_is_named(tmp_path: Path) -> None:
    far = NORTH_AFRICA.replace(". . . . . . . . . . . .", " ".join("." * 200)).replace("at: C1", "at: GRRR")
    far = far.replace("GRRR", "G" * 7 + "1").replace("STEP", "{ask: {shot: {firer: A, target: B}}}")
    assert "the maximum range" in run("resolve", written(tmp_path, "s.yaml", far), code=2).stderr


@pytest.mark.parametrize("text", [NORTH_AFRICA, MBT, ASL])
def test_a_step_does_one_thing(tmp_path: Path, text: str) -> None:
    both = text.replace("STEP", "{ask: {hex: A1}, seat: one, action: {type: Pass}}")
    assert "steps[0]: both action and ask" in run("resolve", written(tmp_path, "s.yaml", both), code=2).stderr


@pytest.mark.parametrize("text", [NORTH_AFRICA, MBT, ASL])
def test_two_sides_have_two_ids(tmp_path: Path, text: str) -> None:
    again = text.replace("id: two", "id: one").replace("id: russian", "id: german").replace("STEP", "")
    assert "sides[1].id" in run("resolve", written(tmp_path, "s.yaml", again), code=2).stderr


@pytest.mark.parametrize("text", [NORTH_AFRICA, MBT, ASL])
def test_an_empty_map_is_named(tmp_path: Path, text: str) -> None:
    empty = text.replace("STEP", "").replace(". . . . . .", "").replace(". . .", "")
    assert "cells: are empty" in run("resolve", written(tmp_path, "s.yaml", empty), code=2).stderr


@pytest.mark.parametrize("system", ["panzer-na", "mbt", "aslsk3", "panzer-mini", "goss"])
def test_a_pack_whose_scenario_has_one_id_for_two_sides_is_named(tmp_path: Path, system: str) -> None:
    from sandtable import packs
    from sandtable.core.content.yaml_text import dump_yaml, parse_yaml

    shipped = packs.shipped(system)
    name = next(name for name in shipped.files if name.startswith("scenarios/"))
    draft = parse_yaml(shipped.files[name], name)
    draft["sides"][1]["id"] = draft["sides"][0]["id"]
    manifest = {"id": "mine", "title": "Mine", "system": shipped.manifest.system, "edition": system, "version": 1}
    written(tmp_path, "manifest.yaml", dump_yaml(manifest))
    (tmp_path / "scenarios").mkdir()
    written(tmp_path, name, dump_yaml(draft))
    assert "sides[1].id" in run("pack", "check", tmp_path, code=2).stderr


@pytest.mark.parametrize("port", [-1, 65536, 10**20, "http"])
def test_a_port_that_there_is_not_is_named(port: object) -> None:
    assert "--port" in run("serve", "--port", port, code=2).stderr


def test_who_must_be_in_cannot_be_taken_out(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n2\nok\n"))
    talk = Talk(Console(file=screen, highlight=False), lambda _: False)
    slots = (Slot("G1", "firer", "Tiger G1", ("0",), required=True), Slot("G2", "firer", "Tiger G2", ("0",)))
    node: Gather[tuple[str, ...]] = Gather(slots, lambda chosen: chosen)
    assert choose(talk, node) == ("0", "")
    assert "Tiger G1 cannot be left out" in screen.getvalue()


def test_formations_are_ordered_in_the_terminal_within_their_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    typed = ["g1", "g1 attack", "ok", "g1 hold", "A1 attack, A2 move", "ok"]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join([*typed, ""])))
    talk = Talk(Console(file=screen, highlight=False, width=200), lambda _: False)
    read: set[str] = set()

    def values(key: str) -> tuple[str, ...]:
        read.add(key)
        return ("hold", "move", "attack")

    slots = [
        Slot(f"{group}{n}", "order", f"unit {group}{n}", partial(values, f"{group}{n}"), plain="hold", group=group)
        for group in "AB"
        for n in (1, 2, 3)
    ]
    budgets = [Budget("Attacks of A", 1, "1.3", {"attack": 1}, "A"), Budget("Supply", 9, "1.5", {"attack": 2})]
    node: Assign[tuple[str, ...]] = Assign(slots, lambda chosen: chosen, budgets=budgets)
    assert choose(talk, node) == ("attack", "move", "hold", "hold", "hold", "hold")
    told = screen.getvalue()
    assert "A1, A2, A3: Attacks of A: 3 of 1 (1.3); at most 1" in told
    assert "g1 A 2 of 3 changed, Attacks of A: 1 of 1" in told
    assert "Supply: 6 of 9" in told
    assert read == {"A1", "A2", "A3"}, "formation B was never looked at"
