"""``sandtable import-board``: VASL board files become packs with their exact shapes (1.1, 1.1.1)."""

import gzip
import io
import json
import zipfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from sandtable.core.errors import BadInput
from sandtable.geo.board import read_board
from sandtable.geo.hex import DIRECTION_NAMES
from sandtable.geo.map import GameMap
from sandtable.geo.placing import PlacementDraft
from sandtable.geo.shapes.hulls import pack_hulls
from sandtable.geo.shapes.picture import Shown
from sandtable.geo.terrain_query import TerrainQuery
from sandtable.systems.aslsk.common.context import TerrainKind
from sandtable.systems.aslsk.terrain.vasl import board_name, picture_board, read_los_data
from tests.aslsk.sight_grounds import (
    BRUSH,
    DIRT,
    GRAIN,
    ORCHARD,
    PAVED,
    SHARED,
    STONE,
    WOOD,
    WOODS,
    Grid,
    blocked_at,
    codes,
    ground_of,
    sees,
    terrain,
    vasl_board,
)
from tests.aslsk.terrain.test_boards import KINDS, known
from tests.cli.running import run, run_json

rules = pytest.mark.rules
files = pytest.mark.skipif(not SHARED.is_dir(), reason="no ../shared with VASL board files beside the checkout")


@pytest.fixture(autouse=True)
def no_packs_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def village() -> Grid:
    """A made-up board of 9 by 4 hexes; the centre of C2 is pixel (112, 97), that of E2 (225, 97), of G3 (337, 161)."""
    grid = Grid(9, 4)
    grid.raise_ground(290, 120, 400, 200)
    grid.fill(GRAIN, 0, 0, 60, 60)
    grid.fill(BRUSH, 100, 20, 130, 45)
    grid.fill(WOODS, 90, 80, 135, 118)
    grid.fill(STONE, 205, 85, 245, 110)
    grid.fill(WOOD, 330, 150, 350, 180)
    # A dirt road down the middle of column E, beside the building, and a paved one across the woods of C2.
    grid.fill(DIRT, 219, 0, 231, 85)
    grid.fill(PAVED, 106, 70, 118, 258)
    return grid


@rules("1.1.1", system="aslsk3")
def test_1_1_1_pixels_become_cells_and_hexes_are_what_their_dots_say() -> None:
    grid = village()
    board = grid.board()
    assert board.picture is not None
    assert board.picture.at(95, 90) == Shown("woods", 0)
    assert board.picture.at(340, 160) == Shown("wooden_building", 1)
    assert board.picture.at(300, 130) == Shown("", 1)
    on = ground_of(GameMap.of_board(board))
    place = {label: on.place(on.map.hex(label)) for label in ("A1", "C1", "C2", "C3", "E1", "E2", "G3", "I4")}
    assert place["A1"].kind is TerrainKind.GRAIN
    assert place["C1"].kind is TerrainKind.BRUSH
    assert (place["C2"].kind, place["C2"].road, place["C2"].paved) == (TerrainKind.WOODS, True, True)
    assert (place["C3"].kind, place["C3"].paved) == (TerrainKind.OPEN, True)
    assert (place["E1"].kind, place["E1"].road, place["E1"].paved) == (TerrainKind.OPEN, True, False)
    assert place["E2"].kind is TerrainKind.STONE_BUILDING
    assert (place["G3"].kind, place["G3"].level) == (TerrainKind.WOODEN_BUILDING, 1)
    assert place["I4"].open_ground


@rules("3.2.1", system="aslsk3")
def test_3_2_1_sight_goes_by_the_pixels() -> None:
    """Centres of column E have x = 225, a whole number of pixels: a thread down it runs between two columns of them."""

    def tower(left: int, right: int) -> Grid:
        return Grid(9, 4).fill(STONE, left, 85, right, 110)

    assert sees(tower(225, 245).ground(), "E1", "E4")
    assert sees(tower(205, 225).ground(), "E1", "E4")
    assert not sees(tower(224, 226).ground(), "E1", "E4")
    # In column C, x = 112.5 lies inside a pixel: one pixel shows on both sides of the thread.
    assert not sees(Grid(9, 4).fill(WOODS, 112, 90, 113, 91).ground(), "C1", "C4")
    assert sees(Grid(9, 4).fill(WOODS, 113, 90, 130, 110).ground(), "C1", "C4")


@rules("1.1.1", system="aslsk3")
def test_1_1_1_orchards_fill_their_hexes_whatever_the_pixels() -> None:
    on = Grid(9, 4).fill(ORCHARD, 100, 90, 125, 105).ground()
    assert on.place(on.map.hex("C2")).kind is TerrainKind.ORCHARD
    assert on.hindrance(on.map.hex("B1"), on.map.hex("D2")) == 1


@rules("1.1", "1.1.1", system="aslsk3")
@files
@pytest.mark.parametrize("name", ["t", "u", "v"])
def test_1_1_1_the_files_give_every_hex_as_it_is_printed(name: str) -> None:
    on = ground_of(GameMap.of_board(vasl_board(name)))
    wrong: list[object] = []
    for label, fact in known(name)["hexes"].items():
        hex = on.map.hex(label)
        here = on.place(hex)
        if (here.kind, here.level) != (KINDS[fact["terrain"]], fact["elev"]):
            wrong.append((label, here, fact))
        roads = {word for way, word in enumerate(DIRECTION_NAMES) if on.has_road(hex, way)}
        crossed, touched = set(fact.get("road_hexsides", ())), set(fact.get("road_touch_hexsides", ()))
        # At the edges a road runs along the side between two half hexes: which of them it is in is a matter of pixels.
        if label[:-1] not in ("A", "GG", "FF") and not crossed <= roads <= crossed | touched:
            wrong.append((label, roads, fact))
        above = on.sightings.pieces(hex, TerrainQuery(above=0)).share
        # The pictures have specks of other ground in the middle of a hill.
        if (Fraction(1, 100) < above < Fraction(99, 100)) is not bool(fact.get("crest")):
            wrong.append((label, above, fact))
    assert not wrong
    for building in known(name)["buildings"]:
        assert len({on.place(on.map.hex(label)).building for label in building["hexes"]}) == 1, building


# --- terrain that the kits do not have ---------------------------------------------------------------------

SEVERAL_WOODEN, DENSE_JUNGLE, CRAGS = 203, 127, 26


@files
def test_every_code_of_vasl_is_there_with_its_properties() -> None:
    theirs = json.loads((SHARED / "vasl" / "terrain-codes.json").read_text())["data"]
    ours = {
        str(code): {
            "name": one.name,
            "obstacle": one.obstacle,
            "hindrance": one.hindrance,
            "half_level": one.half_level,
            "inherent": one.inherent,
            "height": one.height,
            "category": one.category.value.upper(),
        }
        for code, one in codes().codes.items()
    }
    assert ours == theirs


def test_every_word_for_a_code_is_one_of_the_kits() -> None:
    assert {one.word for one in codes().codes.values()} <= {"", *terrain()}


def block(code: int) -> Grid:
    """One hex, E2, with a patch about its centre, between E1 and E4."""
    return Grid(9, 4).fill(code, 205, 85, 245, 110)


@rules("3.2.1", system="aslsk3")
@pytest.mark.parametrize("code", sorted(codes().codes))
def test_3_2_1_each_code_does_to_sight_what_its_properties_say(code: int) -> None:
    """What blocks blocks, what hinders hinders; exempt are what one looks over, roads over bridges, and factories."""
    of = codes().codes[code]
    on = block(code).ground()
    ends = on.map.hex("E1"), on.map.hex("E4")
    if of.category == "hexside" and not of.height:
        assert of.word == ""
    elif of.word == "orchard":
        assert on.hindrance(*ends) == 1
    elif of.obstacle or of.category == "factory":
        assert not on.clear(*ends)
    elif of.hindrance and of.category != "bridge":
        assert on.hindrance(*ends) == 1
    else:
        assert (on.clear(*ends), on.hindrance(*ends)) == (True, 0)


@rules("1.1.1", system="aslsk3")
def test_1_1_1_several_buildings_in_a_hex_are_a_building() -> None:
    on = block(SEVERAL_WOODEN).ground()
    assert on.place(on.map.hex("E2")).kind is TerrainKind.WOODEN_BUILDING
    assert blocked_at(on, "E1", "E4") == ("E2", "wooden building")


@rules("1.1.1", system="aslsk3")
def test_1_1_1_inherent_terrain_fills_its_hex_and_no_other() -> None:
    """A speck in the middle of E2: lines through the hex that miss it by far are blocked or hindered all the same."""
    for code, blocks in ((DENSE_JUNGLE, True), (CRAGS, False)):
        on = Grid(9, 4).fill(code, 220, 92, 230, 102).ground()
        d2, f2 = on.map.hex("D2"), on.map.hex("G1")
        assert on.clear(d2, f2) is not blocks
        assert on.hindrance(d2, f2) == (0 if blocks else 1)
        for label in ("E1", "E3", "D1", "D2", "F1", "F2"):
            assert on.place(on.map.hex(label)).open_ground, label
    filled = Grid(9, 4).fill(DENSE_JUNGLE, 220, 92, 230, 102).board().picture
    assert filled is not None
    shown = [filled.at(x, y) == Shown("woods", 0) for x in range(filled.wide) for y in range(filled.high)]
    # A hex has 56.25 times 64.5 pixels.
    assert abs(sum(shown) - 3628) < 40


# --- hulls -------------------------------------------------------------------------------------------------


def test_hulls_in_the_file_are_those_of_the_cells() -> None:
    """With them and without, turned and not, every look sees the same pieces."""
    board = village().board()
    bare = msgspec.structs.replace(board, hulls={})
    assert set(board.hulls) > {TerrainQuery.at("grain"), TerrainQuery.at("brush"), TerrainQuery(above=0)}
    for turned in (False, True):
        one, other = (
            ground_of(GameMap.from_boards({"s": each}, [PlacementDraft(board="s", turned=turned)]))
            for each in (board, bare)
        )
        for hex in one.places:
            for look in board.hulls:
                assert one.sightings.pieces(hex, look) == other.sightings.pieces(hex, look), (hex, look)


def test_hulls_that_do_not_fit_the_cells_are_found(tmp_path: Path) -> None:
    out = tmp_path / "mine"
    run("import-board", written(tmp_path, village().file()), "--out", out)
    file = out / "boards" / "s.yaml"
    draft = yaml.safe_load(file.read_text())
    layout = village().board().layout
    (look, hexes), *rest = village().board().hulls.items()
    moved = dict(hexes)
    moved[layout.hex("I4")] = moved.pop(layout.hex("E2"))
    draft["picture"]["hulls"] = pack_hulls({look: moved, **dict(rest)}, layout)
    file.write_text(yaml.safe_dump(draft))
    done = run("pack", "check", out, code=2)
    assert "picture.hulls: E2, I4: not what the cells show" in done.stderr


@pytest.mark.parametrize("text", ["?", "AAAA", "eJyrBgAA+wD5", "eJyLjgUAARUAuQ=="])
def test_broken_hulls_are_told(tmp_path: Path, text: str) -> None:
    out = tmp_path / "mine"
    run("import-board", written(tmp_path, village().file()), "--out", out)
    file = out / "boards" / "s.yaml"
    draft = yaml.safe_load(file.read_text())
    draft["picture"]["hulls"] = text
    file.write_text(yaml.safe_dump(draft))
    done = run("pack", "check", out, code=0 if text.startswith("eJyLjg") else 2)
    assert text.startswith("eJyLjg") or "picture.hulls: cannot be unpacked" in done.stderr


# --- the command ----------------------------------------------------------------------------------------


def written(tmp_path: Path, data: bytes, name: str = "bds") -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


def test_a_board_file_becomes_a_pack(tmp_path: Path) -> None:
    out = tmp_path / "mine"
    told = run_json("import-board", written(tmp_path, village().file()), "--out", out)
    assert (told["board"], told["columns"], told["rows"], told["unknown"]) == ("s", 9, 4, {})
    board = read_board((out / "boards" / "s.yaml").read_bytes(), "s")
    assert board.picture == village().board().picture
    assert board.features == village().board().features
    manifest = yaml.safe_load((out / "manifest.yaml").read_text())
    assert (manifest["edition"], manifest["extends"]) == ("aslsk3", "aslsk3")
    run("pack", "check", out)


def test_the_pack_is_accepted_wherever_a_map_is_named(tmp_path: Path) -> None:
    out = tmp_path / "mine"
    run("import-board", written(tmp_path, village().file()), "--out", out)
    answer = run_json("los", out, "E1", "E4")
    assert (answer["blocked"], answer["at"], answer["by"]) == (True, "E2", "stone building")
    assert run_json("los", "s", "E1", "E4", "--pack", out) == answer
    pairs = tmp_path / "pairs"
    pairs.write_text("E1 E4\nC1 C4\nI1 I4\n")
    lines = [json.loads(line) for line in run("los", out, "--pairs", pairs, "--json").stdout.splitlines()]
    assert lines[0] == answer
    assert [line["b"] for line in lines] == ["E4", "C4", "I4"]
    situation: dict[str, Any] = {
        "system": "aslsk3",
        "map": {"board": "s"},
        "phase": "PFPh",
        "sides": [
            {"id": "german", "units": [{"id": "one", "card": "german/4-6-7", "at": "E1"}]},
            {"id": "russian", "units": [{"id": "two", "card": "russian/4-4-7", "at": "E4"}]},
        ],
        "steps": [{"ask": {"los": ["E1", "E4"]}, "expect": {"sees": False, "at": "E2"}}],
    }
    file = tmp_path / "situation.yaml"
    file.write_text(yaml.safe_dump(situation))
    run("resolve", file, "--pack", out)


def test_a_second_board_joins_the_pack_and_an_imported_one_replaces_the_shipped(tmp_path: Path) -> None:
    out = tmp_path / "mine"
    for name in ("t", "s2"):
        file = written(tmp_path, village().file(name), f"bd{name}")
        run("import-board", file, "--out", out)
    assert sorted(path.name for path in (out / "boards").iterdir()) == ["s2.yaml", "t.yaml"]
    run("los", "t", "P5", "P6", "--pack", out, code=2)
    run("los", "t", "P5", "P6", "--system", "aslsk3")


def test_terrain_that_the_kit_does_not_have_is_told_in_one_line(tmp_path: Path) -> None:
    grid = Grid(9, 4).fill(118, 0, 0, 10, 10).fill(72, 20, 0, 21, 10).fill(250, 30, 0, 31, 5)
    done = run("import-board", written(tmp_path, grid.file()), "--out", tmp_path / "mine", "--json")
    told = json.loads(done.stdout)
    assert [(one["code"], one["word"], one["pixels"]) for one in told["lacking"]] == [
        (72, "", 10),
        (118, "orchard", 100),
    ]
    assert told["unknown"] == {"250": 5}
    near, unknown = done.stderr.splitlines()
    assert "Wall as open ground, Olive Grove as orchard" in near
    assert "250 (5 pixels)" in unknown


def test_the_name_may_be_given(tmp_path: Path) -> None:
    file = written(tmp_path, village().file("a b"))
    run("import-board", file, "--out", tmp_path / "mine", code=2)
    run("import-board", file, "--out", tmp_path / "mine", "--name", "green-hills")
    assert (tmp_path / "mine" / "boards" / "green-hills.yaml").is_file()


def archive(**members: bytes) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as made:
        for name, content in members.items():
            made.writestr(name.replace("_", "."), content)
    return whole.getvalue()


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        (b"no zip", "is no zip"),
        (archive(other=b""), "has no BoardMetadata.xml"),
        (archive(BoardMetadata_xml=b'<boardMetadata name="s">'), "has no LOSData"),
        (archive(BoardMetadata_xml=b'<boardMetadata name="s">', LOSData=b"no gzip"), "cannot be unpacked"),
    ],
)
def test_what_is_no_board_file_is_refused(tmp_path: Path, data: bytes, wrong: str) -> None:
    done = run("import-board", written(tmp_path, data), "--out", tmp_path / "mine", code=2)
    assert wrong in done.stderr
    assert not (tmp_path / "mine").exists()


def test_folders_that_are_no_packs_are_left_alone(tmp_path: Path) -> None:
    file = written(tmp_path, village().file())
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letters").write_text("dear")
    for out in ("full", "bds"):
        done = run("import-board", file, "--out", tmp_path / out, code=2)
        assert "is no pack" in done.stderr
    run("import-board", tmp_path / "nothing", "--out", tmp_path / "mine", code=2)


STREAM = gzip.decompress(Grid(9, 4).los_data())


@pytest.mark.parametrize(
    ("stream", "wrong"),
    [
        (b"\x00" + STREAM, "no Java object stream"),
        (STREAM[:4] + b"\x70" + STREAM[5:], "byte 4 is 70"),
        (STREAM[:-30], "breaks off"),
        (STREAM[:4], "0 bytes"),
        (STREAM[: 4 + 5 + 1000], "for 450 by 258 pixels"),
    ],
)
def test_broken_grids_are_told(stream: bytes, wrong: str) -> None:
    with pytest.raises(BadInput, match=wrong):
        read_los_data(gzip.compress(stream), "LOSData")


def test_boards_with_hexes_of_another_size_are_refused() -> None:
    grid = Grid(9, 4)
    grid.columns = 8
    with pytest.raises(BadInput, match=r"56\.25 pixels a column"):
        picture_board(read_los_data(grid.los_data(), "s"), "s", codes(), terrain(), "s")


def test_the_name_stands_in_the_metadata() -> None:
    assert board_name('<!-- name -->\n<boardMetadata version="6.4"\n  name="4a" width="33">') == "4a"
    assert board_name("<nothing/>") == ""
