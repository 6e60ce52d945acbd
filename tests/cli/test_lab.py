"""The lab, the arena and the review as commands: answers, pages, and what bad input is told."""

import json
import re
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import run, run_json, written

SHORT = Path(__file__).parent.parent / "golden" / "panzer-na.yaml"
LOG = SHORT.with_name("panzer-na-random.jsonl")
QUICK = ("sim", SHORT, "--bots", "random", "--jobs", 1)


def test_a_simulation_is_told_to_people_and_to_programs() -> None:
    told = run(*QUICK, "--games", 8)
    assert "Two and two at the saddle, 8 games, seed 0" in told.stdout
    assert "verdict: " in told.stdout
    assert "8/8 games" in told.stderr
    found = run_json(*QUICK, "--games", 8)["balance"]
    assert found["games"] == 8
    assert sum(side["wins"] for side in found["sides"]) + found["draws"] == 8
    assert run_json(*QUICK, "--games", 8)["balance"] == found
    assert run_json(*QUICK, "--games", 8, "--seed", 1)["balance"] != found


def test_one_of_the_games_can_be_looked_at(tmp_path: Path) -> None:
    log, out = tmp_path / "game.jsonl", tmp_path / "games"
    run(*QUICK, "--games", 4, "--all", "--out", out, "--log", log, "--game", 3)
    kept = json.loads(out.read_text(encoding="utf-8").splitlines()[4])["record"]
    assert kept["game"] == 3
    assert len(log.read_text(encoding="utf-8").splitlines()) == kept["decisions"] + 2
    assert kept["ending"] in run("replay", log).stdout
    run("verify", log)


def test_it_stops_when_the_answer_is_clear_unless_told_to_play_all() -> None:
    words = ("sim", SHORT, "--bots", "random,greedy", "--jobs", 1, "--games", 120)
    assert run_json(*words)["balance"]["games"] < 120
    assert run_json(*words, "--all")["balance"]["games"] == 120


def test_changes_are_compared_and_tweaks_suggested() -> None:
    found = run_json(
        *QUICK,
        "--games",
        10,
        "--set",
        "sides.british.units.B2=null",
        "--try",
        "victory.draw_within=500",
        "--try",
        "turns=4",
    )
    assert found["comparison"]["pairs"] == 10
    assert found["suggestion"]["trials"][1]["comparison"]["changes"] == ["turns=4"]
    told = run(*QUICK, "--games", 10, "--try", "turns=4,victory.draw_within=500").stdout
    assert "turns=4, victory.draw_within=500" in told


def test_the_report_is_one_whole_page(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    run(*QUICK, "--games", 12, "--html", page, "--set", "turns=4", "--try", "turns=3")
    text = page.read_text(encoding="utf-8")
    for heading in ("Win chance", "Tweaks tried", "What the change does", "Victory margins", "Where units are lost"):
        assert f"<h2>{heading}</h2>" in text
    assert text.count("<svg") == text.count("</svg>") >= 6
    assert "http://" not in text.replace("http://www.w3.org/", "")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_a_report_of_every_system_can_be_drawn(tmp_path: Path) -> None:
    for scenario in ("mbt-a-crossroads-at-reinbach", "sk-3-room-by-room", "pm-a-first-drive"):
        page = tmp_path / f"{scenario}.html"
        run("sim", scenario, "--bots", "random", "--jobs", 1, "--games", 3, "--html", page)
        assert 'class="board"' in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nowhere",), "nowhere"),
        ((SHORT, "--bots", "grredy"), "no bot 'grredy' (expected perhaps greedy"),
        ((SHORT, "--bots", "random,random,random"), "3 bots"),
        ((SHORT, "--set", "turn=4"), "has no 'turn'"),
        ((SHORT, "--set", "turns=-1"), "turns"),
        ((SHORT, "--try", "cards.nothing.armor.front=4"), "has no 'nothing'"),
        ((SHORT, "--html", "no/such/folder/page.html"), "its folder does not exist"),
        ((SHORT, "--html", "."), "is a folder"),
        ((SHORT, "--out", "no/such/folder/games"), "cannot be written"),
        ((SHORT, "--cluster", "nowhere"), "no cluster answers there"),
        ((SHORT, "--pack", "no/such/pack"), "no/such/pack"),
    ],
)
def test_bad_input_is_told_and_nothing_written(
    words: tuple[Any, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("sim", *words, "--games", 2, "--jobs", 1, code=2)
    assert told in result.stderr
    assert result.stdout == ""
    assert not [path for path in tmp_path.rglob("*") if path.name != "data"]


@pytest.mark.filterwarnings("ignore")
def test_an_unreachable_cluster_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sandtable.sim import cluster

    monkeypatch.setattr(cluster, "PATIENCE", "1s")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
    result = run(*QUICK, "--cluster", address, "--out", tmp_path / "games", code=2)
    assert "no cluster answers there" in result.stderr
    assert not (tmp_path / "games").exists()


def test_games_of_another_run_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "games"
    run(*QUICK, "--games", 4, "--out", out)
    before = out.read_bytes()
    assert "with seed 0" in run(*QUICK, "--games", 4, "--seed", 1, "--out", out, code=2).stderr
    assert "other cards, changes or packs" in run("sim", *_changed(tmp_path), "--out", out, code=2).stderr
    assert out.read_bytes() == before


def _changed(folder: Path) -> tuple[Any, ...]:
    other = written(folder, "other.yaml", SHORT.read_text(encoding="utf-8").replace("turns: 5", "turns: 4"))
    return other, "--bots", "random", "--jobs", 1, "--games", 4


@pytest.mark.slow
def test_a_run_that_is_killed_goes_on_to_the_same_file(tmp_path: Path) -> None:
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    words = [
        sys.executable,
        "-m",
        "sandtable.cli",
        "sim",
        str(SHORT),
        "--bots",
        "greedy,random",
        "--all",
        "--json",
    ]
    words += ["--games", "36", "--jobs", "2"]
    process = subprocess.Popen([*words, "--out", str(killed)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    until = time.monotonic() + 60
    while time.monotonic() < until and (not killed.exists() or killed.read_bytes().count(b"\n") < 5):
        time.sleep(0.01)
    children = _children(process.pid)
    process.kill()
    process.communicate()
    kept = killed.read_bytes()
    assert 5 <= kept.count(b"\n") < 37
    results = [
        subprocess.run([*words, "--out", str(out)], capture_output=True, check=True).stdout for out in (killed, whole)
    ]
    assert killed.read_bytes() == whole.read_bytes()
    assert whole.read_bytes().startswith(kept[: kept.rindex(b"\n")])
    assert json.loads(results[0]) == json.loads(results[1])
    assert not [child for child in children if _is_alive(child)]


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]


def _is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and that nobody has asked about does not."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return "State:\tZ" not in status


# --- the arena --------------------------------------------------------------------------------------


def test_the_arena_rates_bots_on_both_sides() -> None:
    found = run_json("arena", SHORT, "--bots", "greedy,random", "--games", 7)
    assert found["games"] == 8
    pairing = found["pairings"][0]
    assert pairing["pairs"] == 4
    assert pairing["wins"] + pairing["draws"] + pairing["losses"] == 8
    assert {rating["bot"] for rating in found["ratings"]} == {"greedy", "random"}
    told = run("arena", SHORT, "--bots", "greedy,random", "--games", 4).stdout
    assert "greedy against random, 4 games" in told


def test_a_bot_against_itself_comes_out_even() -> None:
    """Mirrored pairs have the same streams of chance, so equals take as much from one another."""
    found = run_json("arena", SHORT, "--bots", "greedy,simple", "--games", 8)["pairings"][0]
    assert found["share"]["estimate"] == 0.5
    assert found["lead"]["estimate"] == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((SHORT, "--bots", "greedy"), "two bots or more"),
        ((SHORT, "--bots", "greedy,greedy"), "each of them once"),
        ((SHORT, "--bots", "greedy,captian"), "captain"),
        (("nowhere", "--bots", "greedy,random"), "nowhere"),
    ],
)
def test_bad_input_to_the_arena_is_told(words: tuple[Any, ...], told: str) -> None:
    assert told in run("arena", *words, code=2).stderr


# --- the review -------------------------------------------------------------------------------------


def test_a_log_is_reviewed_for_people_and_for_programs(tmp_path: Path) -> None:
    page = tmp_path / "review.html"
    told = run("review", LOG, "--games", 2, "--bots", "random", "--html", page)
    assert re.search(r"turn 5, entry \d+: (german has (won|lost)|a draw), [-+]\d+ points", told.stdout)
    assert "luck of british" in told.stdout
    assert "<h2>Chance to win</h2>" in page.read_text(encoding="utf-8")
    found = run_json("review", LOG, "--games", 2, "--bots", "random")
    assert found["seats"] == ["german", "british"]
    assert found["curve"][-1]["known"] is True


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nowhere.jsonl",), "nowhere.jsonl"),
        ((SHORT,), "no log header"),
        ((LOG, "--bots", "nobody"), "no bot 'nobody'"),
        ((LOG, "--html", "no/such/folder/page.html"), "its folder does not exist"),
    ],
)
def test_bad_input_to_the_review_is_told(words: tuple[Any, ...], told: str) -> None:
    assert told in run("review", *words, "--games", 2, code=2).stderr
