"""Hostile files, kept under ``files/``, and damaged copies of shipped ones: every reader names what is wrong.

No crash, no traceback, exit code 2; nothing that costs more than reading the file. What would have ended or stopped the
process is tried in a process of its own, with little memory.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import textwrap
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from sandtable import catalog, packs
from sandtable.cli import import_board
from sandtable.core.content.yaml_text import parse_yaml
from sandtable.core.errors import BadInput, Fault
from sandtable.core.log import Header, load, read_header
from sandtable.core.replay import replay, verify
from sandtable.core.situation import run as run_situation
from sandtable.core.situation import situation_odds, situation_unit_odds
from tests.aslsk.sight_grounds import Grid
from tests.cli.running import run, written
from tests.forging import sealed
from tests.hostile.mutation import broken_plain, broken_text, damaged
from tests.server.players import Server, serving

HERE = Path(__file__).parent
FILES = sorted((HERE / "files").iterdir())
SITUATIONS = sorted((HERE.parent / "rulebook").glob("*/*.yaml"))
LOGS = sorted((HERE.parent / "golden").glob("*.jsonl"))
SHIPPED = [(key, name) for key in packs.shipped_ids() for name in packs.shipped(key).files]


@pytest.fixture(autouse=True)
def no_packs_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


# --- the corpus ---


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
@pytest.mark.parametrize("command", ["resolve", "odds", "replay", "review"])
def test_every_command_names_what_is_wrong(path: Path, command: str) -> None:
    told = run(command, path, code=2).stderr
    assert told.strip()
    assert "Traceback" not in told
    assert all(len(line) < 2000 for line in told.splitlines())


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".yaml"], ids=lambda path: path.name)
def test_play_names_what_is_wrong(path: Path) -> None:
    assert run("play", path, code=2).stderr.strip()


PLACES = ("manifest", "tables/t", "boards/b", "scenarios/s")


# All are read by one reader, and to check a pack takes a while: each file has its turn in one or two places.
@pytest.mark.parametrize(
    ("place", "path"),
    [(PLACES[(number + step) % 4], path) for number, path in enumerate(FILES) for step in (0, 2) if step <= number % 3],
)
def test_a_pack_with_it_names_what_is_wrong(tmp_path: Path, path: Path, place: str) -> None:
    manifest = "{id: mine, title: Mine, system: mbt, edition: mbt, version: 1}"
    written(tmp_path, "manifest.yaml", manifest)
    written(tmp_path, f"{place}.yaml", path.read_bytes())
    assert str(tmp_path) in run("pack", "check", tmp_path, code=2).stderr


def _pipe(folder: Path) -> None:
    os.mkfifo(folder / "pipe.yaml")


def _device(folder: Path) -> None:
    (folder / "device.yaml").symlink_to("/dev/zero")


def _nothing(folder: Path) -> None:
    (folder / "nothing.yaml").symlink_to("nowhere")


def _itself(folder: Path) -> None:
    (folder / "itself.yaml").symlink_to("itself.yaml")


def _maze(folder: Path) -> None:
    for name in "abcdef":
        (folder / name).symlink_to(".")


def _large(folder: Path) -> None:
    with (folder / "large.yaml").open("wb") as file:
        file.truncate(2**40)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes and devices among files here")
@pytest.mark.parametrize("lay", [_pipe, _device, _nothing, _itself, _maze, _large], ids=lambda one: one.__name__)
def test_a_pack_with_what_is_no_file_is_a_fault_and_not_read_for_ever(
    tmp_path: Path, lay: Callable[[Path], None]
) -> None:
    manifest = "{id: mine, title: Mine, system: mbt, edition: mbt, version: 1}"
    folder = written(tmp_path, "manifest.yaml", manifest).parent / "scenarios"
    folder.mkdir()
    lay(folder)
    with pytest.raises(BadInput) as bad:
        packs.read_folder(tmp_path)
    assert all(str(tmp_path / "scenarios") in fault.where for fault in bad.value.faults)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_server_names_what_is_wrong(server: Server, path: Path) -> None:
    text = path.read_bytes().decode(errors="replace")
    ann = server.visitor()
    for seats in ({}, {"german": "me"}):
        answer = ann.post("/api/open", {"name": path.name, "text": text, "seats": seats})
        assert answer.status_code == 400, answer.text
        assert answer.json()["faults"]


# --- damaged copies of honest files ---


def faults_of(work: Callable[[], object]) -> tuple[Fault, ...]:
    try:
        work()
    except BadInput as bad:
        return bad.faults
    return ()


def named_or_fine(work: Callable[[], object]) -> None:
    """Whatever is wrong is named; what harms nothing may pass."""
    for fault in faults_of(work):
        assert fault.where
        assert fault.wrong
        assert len(str(fault)) < 3000


@pytest.mark.parametrize("seed", range(120))
def test_damaged_situations(seed: int) -> None:
    rng = Random(f"situation {seed}")
    path = rng.choice(SITUATIONS)
    honest = path.read_text(encoding="utf-8")
    text = damaged(parse_yaml(honest, path.name), honest, rng)

    def read() -> None:
        opened = catalog.open_situation(text, path.name)
        run_situation(opened.system, opened.position, opened.head, path.name)
        situation_odds(opened.position, opened.head, path.name, 200)
        situation_unit_odds(opened.position, opened.head, path.name)

    named_or_fine(read)


@pytest.mark.parametrize("seed", range(40))
def test_damaged_packs(tmp_path: Path, seed: int) -> None:
    """Every kind of file in turn: manifest, rules, terrain, tables, cards, boards, scenarios, lessons, glossary."""
    rng = Random(f"pack {seed}")
    kinds = sorted({name.partition("/")[0] for _, name in SHIPPED})
    kind = kinds[seed % len(kinds)]
    key, name = rng.choice([one for one in SHIPPED if one[1].partition("/")[0] == kind])
    honest = packs.shipped(key).files[name].decode()
    manifest = f"{{id: mine, title: Mine, system: {packs.shipped(key).manifest.system}, edition: {key}, version: 1}}"
    written(tmp_path, "manifest.yaml", manifest)
    written(tmp_path, name, damaged(parse_yaml(honest, name), honest, rng))
    named_or_fine(lambda: _checked(tmp_path))


def _checked(folder: Path) -> None:
    found = packs.read_folder(folder)
    library = catalog.library(found.manifest.edition, [found])
    catalog.system(found.manifest.edition).check_pack(library)
    catalog.scenarios(found.manifest.edition, [found])


@pytest.mark.parametrize("seed", range(60))
def test_damaged_logs(seed: int) -> None:
    """Cut, changed at random, or forged by somebody who knows how checksums are made."""
    rng = Random(f"log {seed}")
    path = LOGS[seed % len(LOGS)]
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    lines = lines[:25]
    if seed % 2:
        text = broken_text("\n".join((header, *lines, "")), rng)
    else:
        place = rng.randrange(-1, len(lines))
        plain = parse_yaml(header if place < 0 else lines[place], "line")
        plain.pop("sum", None)
        forged = _json(broken_plain(plain, rng))[:-1] + ',"sum":"0123456789abcdef"}'
        header, lines = (forged, lines) if place < 0 else (header, [*lines[:place], forged, *lines[place + 1 :]])
        text = sealed("\n".join((header, *lines, "")))
    named_or_fine(lambda: _replayed(text))


def _json(plain: object) -> str:
    return json.dumps(plain, separators=(",", ":"))


def _replayed(text: str) -> None:
    opened = catalog.open_log(text, "game.log")
    replay(opened.ruleset, opened.log)
    verify(opened.ruleset, opened.log)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_a_flipped_byte_is_noticed_in_every_system(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    ruleset = catalog.open_log(text, path.name).ruleset
    if read_header(text, path.name).format == 1:
        opened = catalog.open_log(text, path.name)
        from msgspec.structs import replace

        from sandtable.core.log import FORMAT, dump

        header: Header = replace(opened.log.header, format=FORMAT)
        text = "".join(dump(header, opened.log.lines))
    data = "".join(text.splitlines(keepends=True)[:12]).encode()
    rng = Random(path.name)
    for _ in range(200):
        flipped = bytearray(data)
        flipped[rng.randrange(len(data) - 1)] ^= 1 << rng.randrange(8)
        with pytest.raises(BadInput):
            load(flipped.decode(errors="replace"), ruleset, path.name)


# --- board files ---


def zipped(**members: bytes) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("_", "."), content)
    return whole.getvalue()


NAMED = b'<boardMetadata name="x"/>'
ENTITIES = b'<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "/etc/passwd">]>'
BOARDS: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "no zip": lambda: b"PK\x03\x04 and then nothing of it",
    "an end alone": lambda: b"PK\x05\x06" + b"\xff" * 18,
    "no members": zipped,
    "no grid": lambda: zipped(BoardMetadata_xml=NAMED),
    "encrypted": lambda: _flagged(zipped(BoardMetadata_xml=NAMED, LOSData=b"x")),
    "another packing": lambda: _patched(zipped(BoardMetadata_xml=NAMED, LOSData=b"x" * 99), 10, b"\x63\x00"),
    "a lie about its size": lambda: _patched(zipped(BoardMetadata_xml=NAMED, LOSData=b"x" * 9999), 24, b"\x05\0\0\0"),
    "a bomb": lambda: zipped(BoardMetadata_xml=NAMED, LOSData=bytes(60_000_000)),
    "a bomb in a bomb": lambda: zipped(BoardMetadata_xml=NAMED, LOSData=gzip.compress(bytes(300_000_000), 1)),
    "metadata without end": lambda: zipped(BoardMetadata_xml=b"<boardMetadata " * 4_000_000, LOSData=b""),
    "entities": lambda: zipped(BoardMetadata_xml=ENTITIES + b"<boardMetadata name='&b;'/>", LOSData=b"x"),
    "an entity as a name": lambda: zipped(BoardMetadata_xml=ENTITIES + b'<boardMetadata name="&f;"/>', LOSData=b"x"),
    "no stream": lambda: zipped(BoardMetadata_xml=NAMED, LOSData=gzip.compress(b"hello")),
    "a size below nothing": lambda: zipped(
        BoardMetadata_xml=NAMED, LOSData=gzip.compress(b"\xac\xed\x00\x05\x77\x10" + b"\xff" * 16)
    ),
    "a large size": lambda: zipped(
        BoardMetadata_xml=NAMED, LOSData=gzip.compress(b"\xac\xed\x00\x05\x77\x10" + b"\x7f\xff\xff\xff" * 4)
    ),
    "a million members": lambda: _patched_end(zipped(BoardMetadata_xml=NAMED, LOSData=b"x")),
}


def _flagged(data: bytes) -> bytes:
    """The zip with its last member said to be encrypted."""
    return _patched(data, 8, b"\x01\x00")


def _patched(data: bytes, offset: int, value: bytes) -> bytes:
    """The zip with something else in the entry of its last member in the list."""
    place = data.rindex(b"PK\x01\x02") + offset
    return data[:place] + value + data[place + len(value) :]


def _patched_end(data: bytes) -> bytes:
    place = data.rindex(b"PK\x05\x06") + 12
    return data[:place] + b"\xff\xff\xff\x7f" + data[place + 4 :]


@pytest.mark.parametrize("name", BOARDS)
def test_a_hostile_board_file_is_a_fault_within_little_memory(tmp_path: Path, name: str) -> None:
    """In a process that has 100 MB for everything, the program included."""
    file = written(tmp_path, "bdx", BOARDS[name]())
    program = f"""
        import resource
        resource.setrlimit(resource.RLIMIT_DATA, (100_000_000, 100_000_000))
        from sandtable.cli.main import app
        app(["import-board", {str(file)!r}, "--out", {str(tmp_path / "out")!r}])
    """
    words = [sys.executable, "-c", textwrap.dedent(program)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2, done.stderr
    assert "bdx" in done.stderr
    assert "Traceback" not in done.stderr


def noise(grid: Grid, codes: bytes, levels: range) -> bytes:
    rng = Random("noise")
    for terrain, elevation in zip(grid.terrain, grid.elevation, strict=True):
        terrain[:] = bytes(rng.choices(codes, k=grid.high))
        elevation[:] = bytes(rng.choices(levels, k=grid.high))
    return grid.file()


@pytest.mark.parametrize(
    ("codes", "levels", "wrong"),
    [
        (bytes((0, 24, 40, 60, 63, 65)), range(1), "pixels that differ from the next"),
        (b"\0", range(8), "pixels that differ from the next"),
        (bytes(range(80)), range(256), "levels from -128 to 127"),
    ],
    ids=["terrain", "levels", "all"],
)
def test_a_board_of_noise_is_a_fault_and_no_work(tmp_path: Path, codes: bytes, levels: range, wrong: str) -> None:
    file = written(tmp_path, "bds", noise(Grid(9, 4), codes, levels))
    with pytest.raises(BadInput, match=wrong):
        import_board._read(file, None, *import_board._importer(())[:2])


@pytest.mark.parametrize("seed", range(40))
def test_damaged_board_files(tmp_path: Path, seed: int) -> None:
    rng = Random(f"board {seed}")
    data = bytearray(Grid(9, 4).file())
    for _ in range(rng.choice((1, 3, 20))):
        data[rng.randrange(len(data))] = rng.randrange(256)
    if seed % 5 == 0:
        data = data[: rng.randrange(len(data))]
    file = written(tmp_path, "bds", bytes(data))
    named_or_fine(lambda: import_board._read(file, None, *import_board._importer(())[:2]))
