"""Packs: manifest, digest, and what a later pack overrides."""

import pytest

from sandtable.core.content.pack import Library, Pack
from sandtable.core.errors import BadInput
from tests.toy_system import PACK

OWN = {
    "manifest.yaml": b"{id: mine, title: Mine, system: toy, edition: toy, version: 1, extends: toy}",
    "tables/sharper.yaml": PACK["tables/to_hit.yaml"].replace(b"[6, 7, 8, 9]", b"[5, 6, 7, 8]"),
}


def test_the_digest_depends_on_every_byte_and_name_and_not_on_order() -> None:
    pack = Pack(PACK, "packs/toy")
    assert Pack(dict(reversed(PACK.items())), "elsewhere").digest == pack.digest
    changed = [
        {**PACK, "tables/to_hit.yaml": PACK["tables/to_hit.yaml"] + b" "},
        {**PACK, "tables/other.yaml": b""},
        {name.replace("to_hit", "to_miss"): data for name, data in PACK.items()},
    ]
    digests = {pack.digest, *(Pack(files, "packs/toy").digest for files in changed)}
    assert len(digests) == 4


def test_a_pack_needs_a_manifest() -> None:
    with pytest.raises(BadInput, match=r"packs/toy: no manifest.yaml"):
        Pack({}, "packs/toy")


def test_a_bad_manifest_is_named_with_its_fields() -> None:
    with pytest.raises(BadInput) as caught:
        Pack({"manifest.yaml": b"{id: toy, title: Toy, version: x, colour: red}"}, "packs/toy")
    assert {fault.where for fault in caught.value.faults} == {
        f"packs/toy/manifest.yaml: {field}" for field in ("colour", "system", "edition", "version")
    }


def test_sections_are_folders() -> None:
    sections = list(Pack(PACK, "packs/toy").section("scenarios"))
    assert [(name, where) for name, _, where in sections] == [("crossroads", "packs/toy/scenarios/crossroads.yaml")]


def test_a_later_pack_replaces_a_table_by_its_name() -> None:
    plain = Library([Pack(PACK, "packs/toy")])
    sharper = Library([Pack(PACK, "packs/toy"), Pack(OWN, "mine")])
    assert plain.table("to_hit").number(0) == 6
    assert sharper.table("to_hit").number(0) == 5
    assert set(sharper.digests) == {"toy", "mine"}


def test_a_file_comes_from_the_last_pack_that_has_it() -> None:
    library = Library([Pack(PACK, "packs/toy"), Pack({**OWN, "rules.yaml": b"book: mine"}, "mine")])
    assert library.file("rules.yaml") == (b"book: mine", "mine/rules.yaml")
    with pytest.raises(BadInput, match=r"no boards\.yaml"):
        library.file("boards.yaml")


def test_an_unknown_table_is_told_which_there_are() -> None:
    with pytest.raises(BadInput, match=r"no table 'to_hti' \(expected one of to_hit\)"):
        Library([Pack(PACK, "packs/toy")]).table("to_hti")


def test_the_faults_of_all_tables_come_together() -> None:
    files = {**PACK, "tables/a.yaml": b"name: a", "tables/b.yaml": b"{"}
    with pytest.raises(BadInput) as caught:
        Library([Pack(files, "packs/toy")]).tables()
    places = {fault.where.split(":")[0] for fault in caught.value.faults}
    assert places == {"packs/toy/tables/a.yaml", "packs/toy/tables/b.yaml"}
