"""Play in the terminal, with the keyboard replaced by a script."""

from pathlib import Path

import pytest

from sandtable import catalog
from sandtable.cli.terminal.looking import describe_counter
from sandtable.core.log import Entry, TakeBack
from sandtable.core.view import Counter, Face, View
from tests.cli.running import run, run_json, written
from tests.cli.test_catalog import finished_log
from tests.forging import sealed

PASS_THE_KEYBOARD = ""


def play(*words: object, script: list[str], code: int = 0) -> str:
    return run("play", *words, text="".join(f"{line}\n" for line in script), code=code).stdout


def saved(path: Path) -> list[object]:
    return list(catalog.open_log(path.read_text(), "log").log.lines)


def test_the_default_is_the_first_scenario_against_the_greedy_bot() -> None:
    text = play(script=["quit"])
    head = catalog.scenarios("panzer-na")[0]
    assert head.title in text
    assert "Place a command with every vehicle" in text
    assert "(4.2.1)" in text


def test_the_end_of_the_input_leaves_the_game() -> None:
    assert "Left without saving." in play("crossroads", script=[])


def test_orders_are_filled_in_on_one_screen() -> None:
    text = play("crossroads", "--seed", 1, script=["1 2, 2 march", "r1 none", "nonsense", "all march", "ok", "quit"])
    assert "'nonsense' is not understood" in text
    assert "red has given orders." in text


def test_the_other_sides_orders_stay_secret() -> None:
    text = play("crossroads", "--seed", 1, "--bot", "random", script=["ok", "units", "quit"])
    told = text[text.index("blue has given orders.") :]
    roster = [line for line in told.splitlines() if line.startswith(("b1", "b2"))]
    assert roster
    assert all(line.rstrip().endswith("?") for line in roster)


def test_a_path_takes_a_destination_or_goes_leg_by_leg() -> None:
    script = ["ok", "", "ok", "", "march r1", "9", "back", "1", "2", "", "1", "quit"]
    text = play("crossroads", "--hotseat", "--seed", 1, script=script)
    assert "not a place that can be reached" in text
    assert "r1 marches to 2." in text or "b1 marches" in text


def test_leg_by_leg(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    script = ["all march", "ok", "", "all march", "ok", "", "1", "legs", "2", "1", f"save {log}"]
    text = play("crossroads", "--hotseat", "--seed", 1, script=script)
    assert "marches to" in text
    entries = [line for line in saved(log) if isinstance(line, Entry)]
    assert type(entries[3].action).__name__ == "March"


def test_fire_shows_numbers_and_odds_before_it_is_confirmed() -> None:
    # With this seed red marches first. It comes within reach of both blue pieces, which aim.
    script = ["all march", "ok", "", "all aim", "ok", "", "1", "3", "", "2", "ok", "n", "2", "1", "ok", "y", "", "quit"]
    text = play("crossroads", "--hotseat", "--seed", 1, script=script)
    assert "fire with b1, b2" in text
    assert "To Hit 9 (2.2): 9 at range 3" in text
    assert "52.2%  no effect" in text
    assert "47.8%  r1 lost" in text
    assert "if r1 ducks (2.3):" in text, "what the odds leave out"
    assert "84.0%  no effect" in text
    # Not confirmed: asked again. Then with one piece only.
    assert "fire with b2\n" in text
    assert "27.8%  r1 lost" in text
    assert "Duck with r1" in text


def test_undo_takes_the_last_action_back(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    # Blue has nothing to march with: halt is its only answer, and it is given without asking.
    script = ["all march", "ok", "", "all none", "ok", "", "halt", "undo", "units", "quit"]
    text = play("crossroads", "--hotseat", "--seed", 1, "--log", log, script=script)
    assert "has acted since" in text
    assert not any(isinstance(line, TakeBack) for line in saved(log))


def test_undo_stops_where_dice_were_rolled(tmp_path: Path) -> None:
    text = play("crossroads", "--seed", 1, "--bot", "random", script=["ok", "undo", "quit"])
    assert "dice were rolled since your last action" in text
    assert "nothing to take back" in play("crossroads", script=["undo", "quit"])


def test_a_bot_gives_way_while_nothing_was_rolled(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    for seed in range(12):
        script = ["1 march, 2 none", "ok", "halt", "undo", "quit"]
        text = play("crossroads", "--seed", seed, "--bot", "random", "--log", log, script=script)
        if "Taken back." in text:
            assert any(isinstance(line, TakeBack) for line in saved(log))
            assert run_json("verify", log)["differences"] == []
            assert "March a piece" in text[text.index("Taken back.") :]
            return
    pytest.fail("no seed led to an undo")


def test_save_and_resume_go_on_with_the_same_game(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    text = play("crossroads", "--seed", 1, script=["ok", f"save {log}", "quit"])
    assert "Saved." in text
    assert "Left without saving." not in text
    before = saved(log)
    again = play("--resume", log, script=["log", f"save {log}", "quit"])
    assert "red" in again
    assert saved(log)[: len(before)] == before
    assert run_json("verify", log)["differences"] == []


def test_saving_where_one_cannot(tmp_path: Path) -> None:
    text = play("crossroads", script=[f"save {tmp_path / 'no' / 'such' / 'folder'}", "save", "quit"])
    assert "cannot be written" in text
    assert "save FILE" in text


def test_the_log_is_kept_line_by_line(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    play("crossroads", "--seed", 1, "--log", log, script=["ok"])
    assert len(saved(log)) >= 3


def test_a_log_cut_off_resumes_and_says_so(tmp_path: Path) -> None:
    path = written(tmp_path, "game.log", finished_log()[:-40])
    result = run("play", "--resume", path, text="quit\n")
    assert "cut off" in result.stderr


def test_a_log_cut_off_before_its_first_entry_starts_anew(tmp_path: Path) -> None:
    header = finished_log().splitlines(keepends=True)[0]
    path = written(tmp_path, "game.log", header + '{"seq":0,"se')
    assert "Give orders" in run("play", "--resume", path, text="quit\n").stdout


def test_a_finished_game_says_who_won(tmp_path: Path) -> None:
    path = written(tmp_path, "game.log", finished_log())
    text = play("--resume", path, script=["log", "quit"])
    assert "The game is over" in text


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("crossraods",), "perhaps crossroads"),
        (("crossroads", "--seat", "rad"), "perhaps red"),
        (("crossroads", "--bot", "simpel"), "perhaps simple"),
        (("crossroads", "--resume", "x"), "one or the other"),
        (("--resume", "nowhere.log"), "No such file"),
    ],
)
def test_bad_input_is_named(words: tuple[str, ...], wrong: str) -> None:
    assert wrong in run("play", *words, code=2).stderr


def test_a_log_with_an_unknown_bot_or_no_person(tmp_path: Path) -> None:
    text = finished_log()
    path = written(tmp_path, "a.log", sealed(text.replace("bot:random", "bot:clever")))
    assert "no bot" in run("play", "--resume", path, code=2).stderr
    path = written(tmp_path, "b.log", sealed(text.replace('"red":"person"', '"red":"bot:random"')))
    assert "no person plays" in run("play", "--resume", path, code=2).stderr


def test_words_understood_at_any_prompt() -> None:
    script = ["?", "map", "units", "unit r1", "unit nobody", "log", "sight 1 2", "sight", "quit"]
    text = play("crossroads", script=script)
    assert "At any prompt:" in text
    assert "no counter 'nobody'" in text
    assert "sight A B" in text
    assert "Turn 1 begins." in text


def test_a_bot_gives_hints_and_keeps_its_own_reasons_until_the_end() -> None:
    text = play("--seed", 3, script=["hint", "hint greedy", "hint clever", "why", "quit"])
    assert "captain:2:steady, asked under 4.2.1: Place a command with every vehicle" in text
    assert "plan: Tamrad Saddle:" in text
    assert "greedy, asked under 4.2.1" in text
    assert "no bot 'clever'" in text
    assert "the game is not over, and a bot's reasons would tell its orders" in " ".join(text.split())


@pytest.mark.parametrize("system_id", ["panzer-na", "mbt"])
def test_a_panzer_game_in_the_terminal(system_id: str, tmp_path: Path) -> None:
    head = catalog.scenarios(system_id)[0]
    log = tmp_path / "game.log"
    units = catalog.open_scenario(head.id).ruleset.setup().units
    script = ["all move", "ok", "map", f"unit {next(iter(units))}", "sight A1 C3", "1", "back", "1", "legs", "1"]
    text = play(head.id, "--seed", 7, script=[*script, f"save {log}", "quit"])
    assert "range: 3" in text
    assert "movement" in text
    assert "/A1" in text
    assert "reveals MOVE" in text
    assert run_json("verify", log)["differences"] == []


def test_a_whole_panzer_game_by_a_lazy_player(tmp_path: Path) -> None:
    """Every answer is the first that offers itself; the game must come to its end."""
    log = tmp_path / "game.log"
    script = ["ok"] * 3 + ["1", "stop", "", "ok", "pass", "y"] * 400
    text = play("--seed", 11, "--log", log, script=[*script, "quit"])
    entries = saved(log)
    assert len(entries) > 10
    assert run_json("verify", log)["differences"] == []
    assert "Traceback" not in text


def test_the_map_has_letters_of_its_own_for_each_terrain_and_a_legend_in_plain_words() -> None:
    legend = next(line for line in play("sk-3-room-by-room", script=["quit"]).splitlines() if "woods" in line)
    entries = [entry.split(maxsplit=1) for entry in legend.split("; ")]
    shorts = [short for short, _ in entries]
    assert len(set(shorts)) == len(shorts), legend
    assert ["wbu", "wooden building"] in entries
    assert ["woo", "woods"] in entries
    assert "_" not in legend


def test_the_stakes_and_a_hex_can_be_looked_at() -> None:
    text = play("na-a-patrol-at-tamrad", "--seed", 1, script=["stakes", "look K7", "look nowhere", "unit G1", "quit"])
    assert "The game ends after turn 8. (4.6.2)" in text
    assert "Tamrad Saddle (J7, K7, K8, L8): held by nobody" in text
    assert "enemy losses 0 (4.6.2)" in text
    assert "K7: " in text
    assert "no hex 'nowhere'" in text
    assert "spotted" in text
    assert "None" not in text


def test_a_weapon_says_who_mans_it() -> None:
    sk1 = "sk-1-the-road-into-bretteville"
    text = play(
        sk1, "--seed", 1, "--seat", "german", "--bot", "random", script=["suggested", "stakes", "units", "quit"]
    )
    assert "places held 0 of 4 (1.3)" in text
    weapon = Counter("lmg", "german", Face("machine gun", "LMG", "LMG", ""), hex="N6", held_by="s1")
    squad = Counter("s1", "german", Face("squad", "4-6-7", "467", ""), hex="N6", spotted_by=("r1",))
    view = View("german", (), (squad, weapon), (), (), (), None, "", None)
    told = [line.strip() for counter in view.counters for line in describe_counter(view, counter)]
    assert "mans LMG lmg" in told
    assert "manned by s1" in told
    assert "spotted by r1" in told


def test_a_log_is_played_on_from_any_entry_with_other_dice(tmp_path: Path) -> None:
    old, new = written(tmp_path, "old.log", finished_log()), tmp_path / "new.log"
    text = play("--from", old, "--at", 2, "--hotseat", "--seed", 5, "--log", new, script=["quit"])
    assert "The Crossroads" in text
    assert new.read_text().splitlines()[1:4] == old.read_text().splitlines()[1:4]
    assert run("verify", new).exit_code == 0
    assert "there is no entry 999" in run("play", "--from", old, "--at", 999, code=2).stderr
    assert "--at without --from" in run("play", "--at", 1, code=2).stderr


def test_a_situation_is_played_on(tmp_path: Path) -> None:
    situation = written(
        tmp_path, "s.yaml", "{system: toy, title: At the bridge, pieces: {r1: {id: r1, side: red, at: 2}}, march: red}"
    )
    new = tmp_path / "new.log"
    text = play("--from", situation, "--hotseat", "--log", new, script=["quit"])
    assert "At the bridge" in text
    assert run("verify", new).exit_code == 0
    assert "with a log" in run("play", "--from", situation, "--at", 1, code=2).stderr


def test_the_keyboard_changes_hands_only_where_something_is_hidden() -> None:
    first = ["1"] * 6 + ["quit"]
    open_to_both = play("sk-1-the-road-into-bretteville", "--hotseat", "--seed", 1, script=first)
    assert "Prep Fire" in open_to_both
    assert "to the keyboard" not in open_to_both
    unseen = play("sk-3-room-by-room", "--hotseat", "--seed", 1, script=["", *first])
    assert "to the keyboard" in unseen
