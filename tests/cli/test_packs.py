"""Pack folders: shipped, a user's own, and what is wrong with one."""

from pathlib import Path

import pytest

from sandtable import catalog, packs
from sandtable.core.errors import BadInput
from tests.cli.running import run, run_json, written

OWN_MANIFEST = "{id: mine, title: Mine, system: toy, edition: toy, version: 1, extends: toy}"
SHARPER = """
name: to_hit
title: To Hit
rule: 2.2.1
source: my own copy
status: published
axes: [{name: range, values: [0, 1, 2, 3], clamp: true}]
cells: [2, 2, 2, 2]
"""


def own_pack(folder: Path) -> Path:
    written(folder, "manifest.yaml", OWN_MANIFEST)
    written(folder, "tables/to_hit.yaml", SHARPER)
    return folder


@pytest.mark.parametrize("pack_id", packs.shipped_ids())
def test_shipped_packs_are_read(pack_id: str) -> None:
    pack = packs.shipped(pack_id)
    assert pack.manifest.id == pack_id
    assert ("rules.yaml" in pack.files) == (pack_id in catalog.system_ids())
    assert all(name.endswith(".yaml") for name in pack.files)


def test_evidence_is_no_part_of_a_pack() -> None:
    assert all("evidence" not in name for key in packs.shipped_ids() for name in packs.shipped(key).files)


def test_a_folder_overrides_by_name(tmp_path: Path) -> None:
    pack = packs.read_folder(own_pack(tmp_path / "mine"))
    assert catalog.library("toy").table("to_hit").number(3) == 9
    library = catalog.library("toy", [pack])
    assert library.table("to_hit").number(3) == 2
    assert library.digests["mine"] == pack.digest


def test_packs_in_the_data_folder_count(tmp_path: Path) -> None:
    assert packs.users_own() == []
    own_pack(packs.data_folder() / "mine")
    written(packs.data_folder(), ".hidden/manifest.yaml", "nonsense")
    assert [pack.manifest.id for pack in packs.users_own()] == ["mine"]
    assert catalog.library("toy").table("to_hit").number(3) == 2
    assert "mine" not in catalog.library("mbt").digests


def test_a_relative_data_home_is_ignored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "somewhere")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert packs.data_folder() == tmp_path / ".local" / "share" / "sandtable" / "packs"


def test_every_broken_pack_of_the_data_folder_is_named() -> None:
    written(packs.data_folder(), "a/manifest.yaml", "{id: a}")
    written(packs.data_folder(), "b/tables/x.yaml", "x: 1")
    with pytest.raises(BadInput) as caught:
        packs.users_own()
    text = str(caught.value)
    assert "a/manifest.yaml: title: missing" in text
    assert "b: no manifest.yaml" in text


@pytest.mark.parametrize(
    ("manifest", "wrong"),
    [
        (OWN_MANIFEST.replace("edition: toy", "edition: toi"), "edition: no system 'toi', perhaps 'toy'"),
        (OWN_MANIFEST.replace("extends: toy", "extends: other"), "extends: no pack 'other' before this one"),
        (OWN_MANIFEST.replace("id: mine", "id: toy"), "id: another pack is called 'toy' too"),
    ],
)
def test_a_pack_that_fits_nowhere_is_rejected(tmp_path: Path, manifest: str, wrong: str) -> None:
    written(tmp_path, "mine/manifest.yaml", manifest)
    with pytest.raises(BadInput, match=wrong):
        catalog.library("toy", [packs.read_folder(tmp_path / "mine")])


def test_a_missing_folder_is_bad_input(tmp_path: Path) -> None:
    assert "no such folder" in run("pack", "check", tmp_path / "nowhere", code=2).stderr
    assert "not a folder" in run("pack", "check", written(tmp_path, "file", ""), code=2).stderr


def test_pack_check_passes_a_good_pack(tmp_path: Path) -> None:
    folder = own_pack(tmp_path / "mine")
    assert "no faults" in run("pack", "check", folder).stderr
    found = run_json("pack", "check", folder)
    assert (found["pack"], found["system"], found["faults"]) == ("mine", "toy", [])


@pytest.mark.parametrize("pack_id", ["panzer-na", "panzer-east", "mbt", "panzer-mini"])
def test_pack_check_passes_what_is_shipped(pack_id: str) -> None:
    folder = Path(packs.__file__).parent / pack_id
    assert run_json("pack", "check", folder)["faults"] == []


def test_pack_check_names_every_fault(tmp_path: Path) -> None:
    folder = own_pack(tmp_path / "mine")
    written(folder, "tables/a.yaml", "name: a")
    written(folder, "tables/b.yaml", "[")
    written(folder, "tables/c.yml", SHARPER)
    lines = run("pack", "check", folder, code=2).stderr.splitlines()
    assert any("a.yaml: title: missing" in line for line in lines)
    assert any("b.yaml: line" in line for line in lines)
    assert any("c.yml: is no part of the pack" in line for line in lines)
    found = run_json("pack", "check", folder, code=2)
    assert len(found["faults"]) == len(lines)


def test_pack_check_of_an_unknown_system(tmp_path: Path) -> None:
    written(tmp_path, "mine/manifest.yaml", OWN_MANIFEST.replace("edition: toy", "edition: chess"))
    assert "no system 'chess'" in run("pack", "check", tmp_path / "mine", code=2).stderr


def test_an_unreadable_pack_option_names_all(tmp_path: Path) -> None:
    stderr = run("scenarios", "--pack", tmp_path / "a", "--pack", tmp_path / "b", code=2).stderr
    assert len(stderr.splitlines()) == 2
