"""Names and files become games, or say what is wrong with them."""

from pathlib import Path
from random import Random

import pytest

from sandtable import catalog
from sandtable.core.dice import SeededDice
from sandtable.core.errors import BadInput
from sandtable.core.game import Game
from sandtable.core.log import dump
from tests.cli.running import written
from tests.forging import sealed
from tests.toy_system import PACK, play_out


def finished_log() -> str:
    found = catalog.open_scenario("crossroads", seats={"red": "person", "blue": "bot:random"})
    game = play_out(Game.start(found.ruleset, found.header, SeededDice(3)), Random(3))
    return "".join(dump(game.header, game.lines))


def test_systems_are_listed_with_the_default_first() -> None:
    assert catalog.system_ids()[:2] == ("panzer-na", "mbt")
    assert "toy" in catalog.system_ids()


@pytest.mark.parametrize("system_id", ["panzer-na", "mbt", "panzer-mini", "aslsk3", "goss", "toy"])
def test_every_scenario_opens(system_id: str) -> None:
    heads = catalog.scenarios(system_id)
    assert heads
    for head in heads:
        found = catalog.open_scenario(head.id)
        assert found.header.system == system_id
        assert found.ruleset.card.id == system_id


def test_ids_of_scenarios_differ() -> None:
    ids = [head.id for head in catalog.scenarios()]
    assert len(ids) == len(set(ids))


def test_a_scenario_may_be_a_file(tmp_path: Path) -> None:
    path = written(tmp_path, "own.yaml", PACK["scenarios/crossroads.yaml"].replace(b"turns: 4", b"turns: 2"))
    assert catalog.open_scenario(str(path)).header.scenario["turns"] == 2


def test_near_names_are_suggested() -> None:
    with pytest.raises(
        BadInput, match=r"no scenario 'crossraods' \(expected perhaps crossroads or pm-c-the-crossroads\)"
    ):
        catalog.open_scenario("crossraods")
    with pytest.raises(BadInput, match=r"no system 'mbtt' \(expected perhaps mbt\)"):
        catalog.system("mbtt")


def test_a_broken_scenario_names_every_fault(tmp_path: Path) -> None:
    path = written(tmp_path, "own.yaml", "{id: x, system: toy, title: X, turns: many, status: original, hue: 1}")
    with pytest.raises(BadInput) as caught:
        catalog.open_scenario(str(path))
    assert all(str(path) in fault.where for fault in caught.value.faults)


def test_a_log_opens_without_a_warning() -> None:
    found = catalog.open_log(finished_log(), "game.log")
    assert found.warnings == []
    assert found.log.header.seats == {"red": "person", "blue": "bot:random"}


def test_a_log_says_what_has_changed_since() -> None:
    text = finished_log().replace('"version":1', '"version":7', 1)
    digest = catalog.library("toy").digests["toy"]
    text = text.replace(digest, "0" * len(digest)).replace('"packs":{', '"packs":{"gone":"1",')
    warnings = catalog.open_log(sealed(text), "game.log").warnings
    assert len(warnings) == 3
    assert any("version 7 of toy; this is 1" in warning for warning in warnings)
    assert any("'toy' has changed" in warning for warning in warnings)
    assert any("'gone', which is not here" in warning for warning in warnings)


def test_a_log_of_an_unknown_system_is_bad_input() -> None:
    with pytest.raises(BadInput, match=r"game.log: line 1: system: no system 'tox'"):
        catalog.open_log(sealed(finished_log().replace('"system":"toy"', '"system":"tox"')), "game.log")


def test_text_cut_off_inside_a_character_keeps_its_whole_lines(tmp_path: Path) -> None:
    path = written(tmp_path, "a.log", "eins\nzw\u00f6lf".encode()[:-3])
    assert catalog.read_text(path).split("\n")[0] == "eins"


def test_what_is_no_text_is_named_with_its_line(tmp_path: Path) -> None:
    path = written(tmp_path, "a.log", b"one\n\xff\xff\nthree\n")
    with pytest.raises(BadInput, match=r"a.log: line 2: not UTF-8"):
        catalog.read_text(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No such file"):
        catalog.read_text(tmp_path / "none")
