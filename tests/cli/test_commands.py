"""The commands: what they print for people and for programs, and how they exit."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sandtable import catalog, testing
from sandtable.cli.main import COMMANDS, app
from tests.cli.running import run, run_json, written
from tests.cli.test_catalog import finished_log
from tests.forging import sealed
from tests.toy import Patrols

GOSS = Path(__file__).parents[1] / "rulebook" / "goss"

SITUATION = """
system: toy
title: A shot
rules: ["2.2"]
march: red
pieces:
  r1: {id: r1, side: red, at: 3, order: march, shown: false}
  b1: {id: b1, side: blue, at: 6, order: aim, shown: false}
steps:
- seat: red
  action: {type: March, piece: r1, steps: 1}
- seat: blue
  action: {type: Shoot, shooters: [b1]}
- seat: red
  action: {type: Duck, duck: true}
  dice: [[6, 5]]
  expect: {totals: {To Hit: 10}, events: [{type: Shot, hit: true}]}
"""

MOVING_TARGET = """
system: panzer-na
title: A shot at a moving target, along the line between its aspects
map:
  drawing:
    cells: |
      . . . . . . . .
      . . . . . . . .
      . . . . . . . .
sides:
  - id: german
    title: Germans
    units: [{id: G1, card: pz-iiij, at: A2, facing: SE, command: FIRE}]
  - id: british
    title: British
    units: [{id: B1, card: valentine-ii, at: A2, facing: NW, command: MOVE}]
open: direct fire
steps:
  - seat: german
    action: {type: Fire, target: B1, shots: [{firer: G1}]}
"""


@pytest.fixture
def situation(tmp_path: Path) -> Path:
    return written(tmp_path, "shot.yaml", SITUATION)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return written(tmp_path, "game.log", finished_log())


def test_help_lists_every_command() -> None:
    text = run("--help").stdout
    names = set(COMMANDS)
    assert names >= {
        "systems",
        "scenarios",
        "play",
        "resolve",
        "odds",
        "los",
        "rules",
        "tables",
        "replay",
        "verify",
        "fuzz",
        "perft",
        "bench",
        "version",
    }
    assert all(f"  {name} " in text for name in names)


@pytest.mark.parametrize("name", ["play", "resolve", "los", "rules", "fuzz", "bench", "replay"])
def test_every_command_has_help(name: str) -> None:
    assert "Usage" in run(name, "--help").stdout


def test_an_unknown_command_is_bad_input() -> None:
    run("pley", code=2)


def test_systems() -> None:
    found = run_json("systems")
    assert [entry["id"] for entry in found][:2] == ["panzer-na", "mbt"]
    assert "panzer-na" in run("systems").stdout
    traits = {"players": 2, "hidden": True, "chance": True, "simultaneous": True, "space": "hexes"}
    assert found[1].items() >= traits.items()


def test_scenarios_have_the_agreed_shape() -> None:
    found = run_json("scenarios")
    assert {tuple(entry) for entry in found} == {("id", "system", "title", "turns", "status")}
    assert {entry["system"] for entry in run_json("scenarios", "mbt")} == {"mbt"}
    assert "crossroads" in run("scenarios", "toy").stdout


def test_scenarios_of_an_unknown_system() -> None:
    result = run("scenarios", "pazner-na", code=2)
    assert "perhaps panzer-na" in result.stderr
    assert result.stdout == ""


def test_version() -> None:
    assert run_json("version")["systems"]["mbt"] >= 1
    assert run("version").stdout.startswith("sandtable ")


def test_resolve_tells_events_with_their_breakdowns(situation: Path) -> None:
    text = run("resolve", situation).stdout
    assert "b1 fires at r1 with a 11: a hit." in text
    assert "To Hit 10 (2.2): 8 at range 2, +2 target ducks (2.3)" in text


def test_resolve_has_the_agreed_shape(situation: Path) -> None:
    found = run_json("resolve", situation)
    assert set(found) == {"events", "breakdowns", "state"}
    assert [event["type"] for event in found["events"]][:2] == ["Marched", "Opened"]
    (number,) = found["breakdowns"]
    assert (number["title"], number["total"], number["rule"]) == ("To Hit", 10, "2.2")
    assert found["state"]["pieces"]["r1"]["up"] is False


def test_resolve_fails_where_the_result_is_not_the_expected(tmp_path: Path) -> None:
    path = written(tmp_path, "shot.yaml", SITUATION.replace("To Hit: 10", "To Hit: 9"))
    result = run("resolve", path, code=1)
    assert f"{path}: steps[2]: totals.To Hit: 10, expected 9" in result.stderr


def test_resolve_tells_a_refusal(tmp_path: Path) -> None:
    path = written(tmp_path, "shot.yaml", SITUATION.replace("steps: 1}", "steps: 9}"))
    result = run("resolve", path, code=1)
    assert "9 steps (2.1)" in result.stderr
    found = run_json("resolve", path, code=1)
    assert found["refused"][0]["rule"] == "2.1"


def test_resolve_answers_questions(tmp_path: Path) -> None:
    text = SITUATION[: SITUATION.index("steps:\n")] + "steps: [{ask: {range: [r1, b1]}, expect: {range: 3}}]\n"
    path = written(tmp_path, "ask.yaml", text)
    assert run_json("resolve", path)["answers"] == [{"range": 3}]
    assert "range: 3" in run("resolve", path).stdout


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("system: toy", "system: tyo", "shot.yaml: system: no system 'tyo'"),
        ("steps:\n", "stages:\n", ""),
        ("at: 3", "at: x", "pieces: r1.at"),
        ("[[6, 5]]", "[[6, 7]]", "is no roll of 2d6"),
        ("type: Duck", "type: Quack", "steps[2]: action: Invalid value 'Quack'"),
        ("pieces:", "pieces: [", "line"),
    ],
)
def test_a_bad_situation_is_named_with_its_place(tmp_path: Path, old: str, new: str, wrong: str) -> None:
    path = written(tmp_path, "shot.yaml", SITUATION.replace(old, new))
    if not wrong:
        run("resolve", path)
        return
    result = run("resolve", path, code=2)
    assert wrong in result.stderr
    assert result.stdout == ""


def test_odds_have_the_agreed_shape(tmp_path: Path) -> None:
    text = SITUATION.replace("- seat: red\n  action: {type: March, piece: r1, steps: 1}\n", "")
    path = written(tmp_path, "odds.yaml", text)
    run("odds", path, code=2)
    shot = written(tmp_path, "shot.yaml", SITUATION)
    found = run_json("odds", shot)
    assert found == {"outcomes": [{"what": "no effect", "probability": 1.0}]}
    assert "100.00%" in run("odds", shot).stdout


def test_odds_say_what_they_leave_out_and_give_both_numbers(tmp_path: Path) -> None:
    """The owner of a moving target may reveal its command or not (4.4.3.2.2), and choose the aspect (4.4.3.2.4)."""
    shot = written(tmp_path, "moving.yaml", MOVING_TARGET)
    found = run_json("odds", shot)
    kept, rear = found["what_ifs"]
    assert (kept["rule"], rear["rule"]) == ("4.4.3.2.2", "4.4.3.2.4")
    assert "does not reveal" in kept["what"]
    assert "rear" in rear["what"]

    def missed(told: Any) -> float:
        return float(next(one["probability"] for one in told["outcomes"] if one["what"] == "no effect"))

    assert missed(kept) < missed(found)
    thick = run_json("odds", written(tmp_path, "thick.yaml", MOVING_TARGET.replace("valentine-ii", "matilda-ii")))
    assert missed(thick) == 1
    assert missed(thick["what_ifs"][1]) < 1, "only its rear can be pierced"
    text = run("odds", shot).stdout
    assert f"If {kept['what']}" in " ".join(text.split())
    assert "4.4.3.2.2" in text


def test_odds_of_a_fight_come_with_its_sheet() -> None:
    volley = GOSS / "11.2.3-who-fires-first.yaml"
    found = run_json("odds", volley)
    assert found["sheet"]["line"] == "1 volley: 3 points +0"
    assert found["sheet"]["odds"][0] == {"what": "no effect", "probability": 0.5, "exact": "1/2"}
    assert found["outcomes"][0] == {"what": "no effect", "probability": 0.7}
    assert "On the defender by rows" in run("odds", GOSS / "13.10.4c-full-retreat.yaml").stdout


def test_odds_of_a_missing_file() -> None:
    assert "No such file" in run("odds", "nowhere.yaml", code=2).stderr


def test_tables() -> None:
    (entry,) = run_json("tables", "toy")
    assert (entry["name"], entry["status"]) == ("to_hit", "reconstructed")
    assert run_json("tables", "toy", "to_hit")["cells"] == [6, 7, 8, 9]
    assert "Source: The Book of Patrols" in run("tables", "toy", "to_hit").stdout
    assert "perhaps to_hit" in run("tables", "toy", "to_hti", code=2).stderr


@pytest.mark.parametrize("system_id", ["panzer-na", "mbt", "panzer-mini", "aslsk3", "goss"])
def test_every_shipped_table_can_be_shown(system_id: str) -> None:
    listed = run("tables", system_id).stdout
    for entry in run_json("tables", system_id):
        assert entry["name"] in listed
        assert "Source" in run("tables", system_id, entry["name"]).stdout


def test_rules_have_the_agreed_shape() -> None:
    found = run_json("rules", "panzer-na")
    assert {tuple(entry) for entry in found} == {("number", "title", "chapter", "status", "summary", "waits", "tests")}
    assert {entry["status"] for entry in found} <= {"implemented", "data", "not-applicable", "missing"}


def test_a_rule_is_shown_with_what_it_says_in_short() -> None:
    text = " ".join(run("rules", "panzer-na", "4.1.2").stdout.split())
    assert "4.1.2 Spotting Orientation" in text
    assert "Vehicles look all around" in text
    heading = run("rules", "aslsk3", "3.2.2").stdout
    assert "Firepower is doubled at the next hex" in " ".join(heading.split())
    assert "3.2.2.1" in heading


def test_rules_of_one_section_and_below() -> None:
    assert [entry["number"] for entry in run_json("rules", "toy", "2.2")] == ["2.2", "2.2.1"]
    assert len(run_json("rules", "toy", "2.0")) == 5
    text = run("rules", "toy", "3.3").stdout
    assert "not-applicable" in text
    assert "a program has no box" in text
    assert "perhaps" in run("rules", "toy", "2.9", code=2).stderr


def test_rules_say_what_of_an_implemented_section_still_waits() -> None:
    found = {entry["number"]: entry for entry in run_json("rules", "toy")}
    assert (found["2.2"]["status"], found["2.2"]["waits"]) == ("implemented", "bridges")
    assert found["2.1"]["waits"] == ""
    assert "not yet: bridges" in " ".join(run("rules", "toy", "2.2").stdout.split())


@pytest.mark.parametrize("system_id", ["aslsk3", "panzer-na", "mbt", "panzer-mini"])
def test_nothing_of_a_shipped_book_waits(system_id: str) -> None:
    assert {entry["waits"] for entry in run_json("rules", system_id)} == {""}


def test_replay_tells_the_game(log: Path) -> None:
    text = run("replay", log).stdout
    assert "Turn 1 begins." in text
    assert "takes the prize" in text or "time is up" in text
    found = run_json("replay", log)
    assert (found["system"], found["scenario"], found["warnings"]) == ("toy", "crossroads", [])
    assert found["outcome"]["summary"]
    assert len(run_json("replay", log, "--to", "2")["entries"]) == 3


def test_replay_for_a_seat_keeps_the_secrets_of_the_other(log: Path) -> None:
    def orders(found: dict[str, Any]) -> list[set[str]]:
        events = [event for entry in found["entries"] for event in entry["events"]]
        return [set(e["orders"].values()) for e in events if e["type"] == "OrdersGiven" and e["side"] == "blue"]

    assert all("?" not in given for given in orders(run_json("replay", log)))
    assert all(given == {"?"} for given in orders(run_json("replay", log, "--seat", "red")))
    run("replay", log, "--seat", "green", code=2)


def test_verify_passes_a_true_log(log: Path) -> None:
    assert run_json("verify", log)["differences"] == []
    assert "0 differences" in run("verify", log).stdout


def test_verify_fails_a_forged_log(tmp_path: Path) -> None:
    text = finished_log()
    forged = text.replace('"why":"first player"', '"why":"whim"')
    assert forged != text
    result = run("verify", written(tmp_path, "game.log", sealed(forged)), code=1)
    assert "entry" in result.stdout


def test_a_log_cut_off_loads_and_says_so(tmp_path: Path) -> None:
    path = written(tmp_path, "game.log", finished_log()[:-30])
    result = run("replay", path)
    assert "cut off; loaded up to the last whole entry" in result.stderr
    assert run_json("verify", path)["warnings"]


def test_a_broken_log_names_every_line(tmp_path: Path) -> None:
    lines = finished_log().splitlines(keepends=True)
    lines[2] = lines[4] = "what?\n"
    result = run("replay", written(tmp_path, "game.log", "".join(lines)), code=2)
    assert "line 3" in result.stderr
    assert "line 5" in result.stderr
    run("verify", written(tmp_path, "empty.log", ""), code=2)


def test_fuzz_has_the_agreed_shape(tmp_path: Path) -> None:
    found = run_json("fuzz", "crossroads", "--games", 3, "--seed", 4, "--out", tmp_path / "out")
    assert set(found) == {"games", "decisions", "failures"}
    assert (found["games"], found["failures"]) == (3, [])
    assert not (tmp_path / "out").exists()
    assert "3 games" in run("fuzz", "crossroads", "--games", 3, "--out", tmp_path).stdout


def test_fuzz_leaves_a_loadable_log_of_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def narrate(self: Patrols, event: object) -> str:
        raise KeyError("words")

    with monkeypatch.context() as patched:
        patched.setattr(Patrols, "narrate", narrate)
        found = run_json("fuzz", "crossroads", "--games", 6, "--out", tmp_path, code=1)
    failure = found["failures"][0]
    assert "KeyError" in failure["message"]
    assert catalog.open_log(Path(failure["log"]).read_text(), "log").log.lines


def test_fuzz_plays_a_large_scenario_that_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unplayed(ruleset: Any, *_: object) -> testing.Report:
        return testing.Report(games=len(ruleset.setup().units))

    monkeypatch.setattr(catalog, "_registered", dict(catalog._registered))
    monkeypatch.setattr(testing, "check_scenario", unplayed)
    assert run_json("fuzz", "goss-stress", "--games", 1, "--out", tmp_path)["games"] == 600


def test_fuzz_shares_its_games_among_all_scenarios(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unplayed(ruleset: object, header: object, games: int, *_: object) -> testing.Report:
        """What games there would be; the conformance suite plays some of every scenario."""
        return testing.Report(games=games)

    monkeypatch.setattr(testing, "check_scenario", unplayed)
    count = len(catalog.scenarios())
    result = run("fuzz", "--games", count + 1, "--out", tmp_path)
    assert result.stderr.count(": 1 games") == count - 1
    assert result.stderr.count(": 2 games") == 1


def test_perft_counts(situation: Path) -> None:
    # Two pieces with three orders each.
    assert run_json("perft", "crossroads", "--depth", 1) == {"scenario": "crossroads", "depth": 1, "nodes": 9}
    # Both seats' orders; then the die says who marches first, and each way has its own marches.
    assert run_json("perft", "crossroads", "--depth", 2)["nodes"] == 81
    parts = run_json("perft", "crossroads", "--depth", 2, "--divide")
    assert sum(part["nodes"] for part in parts["divide"]) == parts["nodes"]
    assert run_json("perft", situation, "--depth", 1)["nodes"] == 4
    assert "4 at depth 1" in run("perft", situation).stdout


def test_los_has_the_agreed_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    found = run_json("los", "desert-ridge", "A1", "C4")
    assert tuple(found) == ("a", "b", "range", "blocked", "at", "by", "hindrance", "rule")
    assert (found["a"], found["b"], found["range"]) == ("A1", "C4", 4)
    assert "A1 to C4, range 4:" in run("los", "desert-ridge", "A1", "C4").stdout


def test_los_of_pairs_answers_in_their_order(tmp_path: Path) -> None:
    pairs = written(tmp_path, "pairs.txt", "A1 C4\n\nC4 A1\nB2  K7\n")
    lines = run("los", "desert-ridge", "--pairs", pairs, "--json").stdout.splitlines()
    found = [json.loads(line) for line in lines]
    assert [(one["a"], one["b"]) for one in found] == [("A1", "C4"), ("C4", "A1"), ("B2", "K7")]
    single = run_json("los", "desert-ridge", "B2", "K7")
    assert found[2] == single
    assert len(run("los", "desert-ridge", "--pairs", "-", text="A1 C4\n").stdout.splitlines()) == 1


def test_los_names_every_bad_pair(tmp_path: Path) -> None:
    pairs = written(tmp_path, "pairs.txt", "A1 C4\nA1\nA1 B2 C3\n")
    result = run("los", "desert-ridge", "--pairs", pairs, code=2)
    assert (result.stdout, len(result.stderr.splitlines())) == ("", 2)
    pairs = written(tmp_path, "pairs.txt", "A1 C4\nA1 ZZ99\nQQ77 B2\n")
    result = run("los", "desert-ridge", "--pairs", pairs, "--json", code=2)
    assert len(result.stdout.splitlines()) == 1
    assert "line 2" in result.stderr
    assert "line 3" in result.stderr


def test_los_of_an_unknown_map_or_label() -> None:
    assert "perhaps desert-ridge" in run("los", "desert-rigde", "A1", "C4", code=2).stderr
    assert "ZZ99" in run("los", "desert-ridge", "A1", "ZZ99", code=2).stderr
    run("los", "desert-ridge", "A1", code=2)
    run("los", "desert-ridge", "A1", "B2", "--pairs", "x", code=2)


def test_los_takes_a_scenario_and_a_pack_folder(tmp_path: Path) -> None:
    scenario = catalog.scenarios("panzer-na")[0].id
    assert run_json("los", scenario, "A1", "A2")["range"] == 1
    board = dict(catalog.library("panzer-na").packs[0].files)["boards/desert-ridge.yaml"]
    manifest = "{id: mine, title: Mine, system: panzer, edition: panzer-na, version: 1, extends: panzer-na}"
    written(tmp_path, "mine/manifest.yaml", manifest)
    run("los", tmp_path / "mine", "A1", "A2", code=2)
    written(tmp_path, "mine/boards/desert-ridge.yaml", board)
    assert run_json("los", tmp_path / "mine", "A1", "A2")["range"] == 1


def test_bench_has_the_agreed_shape() -> None:
    # A busy machine may measure anything: the shape is tested, not the ratio (bench exits with 1 under a floor).
    done = CliRunner().invoke(app, ["bench", "coding", "--json"])
    assert done.exit_code in (0, 1)
    found = json.loads(done.stdout)
    assert [tuple(entry) for entry in found] == [("name", "ours", "anchor", "ratio", "floor", "goal")]
    assert "perhaps coding" in run("bench", "codng", code=2).stderr
