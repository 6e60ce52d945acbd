"""``sandtable los``: line of sight between hexes, or places on a table, and what blocks it."""

from __future__ import annotations

import sys
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandtable.cli.output import Json, PackFolders

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sandtable.core.content.pack import Pack
    from sandtable.core.errors import Faults
    from sandtable.core.ruleset import SightAnswers

__all__ = ["los"]

BATCH = 100_000
"""Pairs that are answered before they are printed; a system may answer many together much quicker than one by one."""
KEYS = ("a", "b", "range", "blocked", "at", "by", "hindrance", "rule")


def los(
    map: Annotated[str, typer.Argument(help="A board, a table or a scenario, or a pack folder with one board.")],
    a: Annotated[str | None, typer.Argument(help="Label of a hex, or a place in inches: 12.5,30.")] = None,
    b: Annotated[str | None, typer.Argument(help="Label of another.")] = None,
    *,
    pairs: Annotated[
        Path | None, typer.Option("--pairs", help="A file with two labels a line; - reads standard input.")
    ] = None,
    system: Annotated[str | None, typer.Option("--system", help="Whose rules judge the sight.")] = None,
    json: Json = False,
    pack: PackFolders = None,
) -> None:
    """Say whether one hex, or one place on a table, sees another, and what blocks."""
    from sandtable.cli.output import emit, the_packs
    from sandtable.core.capabilities import ExplainsSight
    from sandtable.core.errors import BadInput, Fault

    if pairs is None and (a is None or b is None):
        raise BadInput([Fault("los", "two labels are missing", "MAP A B, or MAP --pairs FILE")])
    if pairs is not None and a is not None:
        raise BadInput([Fault("los", "labels and --pairs together", "one or the other")])
    look = _sight(map, the_packs(pack), system)
    if pairs is not None:
        _stream(look, pairs, json=json)
        return
    assert a is not None  # noqa: S101 - checked above
    assert b is not None  # noqa: S101
    # A system may have a short answer for many and a long one for one.
    found = look.explain(a, b) if isinstance(look, ExplainsSight) else look(a, b)
    if json:
        emit({key: found[key] for key in KEYS})
    else:
        _show(found)


def _sight(name: str, extra: Sequence[Pack], system_id: str | None) -> SightAnswers:
    """The sight function of the first system that knows the map."""
    from sandtable import catalog, packs
    from sandtable.core.errors import BadInput, Fault

    extra = list(extra)
    if Path(name).is_dir():
        own = packs.read_folder(Path(name))
        extra.append(own)
        boards = [board for board, _, _ in own.section("boards")]
        if len(boards) != 1:
            right = f"--pack {name} with one of {', '.join(boards)}" if boards else "a pack with a board"
            raise BadInput([Fault(name, f"{len(boards)} boards", right)])
        name, system_id = boards[0], system_id or own.manifest.edition
    known: list[str] = []
    for key in [system_id] if system_id is not None else catalog.system_ids():
        library = catalog.library(key, extra)
        names = [n for folder in ("boards", "scenarios") for n, _, _ in library.section(folder)]
        if name in names:
            return catalog.system(key).sight(name, library)
        known += names
    raise catalog.unknown("map", name, dict.fromkeys(known))


def _read_pairs(path: Path) -> Iterator[tuple[int, str, str]]:
    """Line number and labels of each pair; every line that is none is named before the first is answered."""
    from sandtable.catalog import read_text
    from sandtable.core.errors import Faults

    text = sys.stdin.read() if str(path) == "-" else read_text(path)
    faults = Faults(str(path))
    found: list[tuple[int, str, str]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split()
        if len(words) == 2:
            found.append((number, words[0], words[1]))
        elif words:
            faults.add(f"line {number}", f"{len(words)} words", "two labels")
    faults.check()
    return iter(found)


def _stream(look: SightAnswers, path: Path, *, json: bool) -> None:
    """Answer pair after pair in the order asked; those with an unknown label are named at the end."""
    import gc

    from sandtable.core.errors import Faults

    # Answers pile up in the caches of sight until the command ends: there is nothing to collect.
    gc.disable()
    faults = Faults(str(path))
    pairs = _read_pairs(path)
    while batch := list(islice(pairs, BATCH)):
        _write(_answers(look, batch, faults), json=json)
    sys.stdout.flush()
    faults.check()


def _answers(look: SightAnswers, batch: list[tuple[int, str, str]], faults: Faults) -> list[dict[str, Any]]:
    """The answers to some pairs, all together if the system can do that and knows every label."""
    from sandtable.core.capabilities import SeesMany
    from sandtable.core.errors import BadInput

    if isinstance(look, SeesMany):
        with suppress(BadInput):
            return look.many([(a, b) for _, a, b in batch])
    found = []
    for number, a, b in batch:
        try:
            found.append(look(a, b))
        except BadInput as bad:
            for fault in bad.faults:
                faults.add(f"line {number}: {fault.where}", fault.wrong, fault.right)
    return found


def _write(found: list[dict[str, Any]], *, json: bool) -> None:
    import msgspec

    if json:
        rows = [one if len(one) == len(KEYS) else {key: one[key] for key in KEYS} for one in found]
        sys.stdout.write(msgspec.json.Encoder().encode_lines(rows).decode())
    else:
        sys.stdout.write("".join(_line(one) + "\n" for one in found))


def _line(found: dict[str, Any]) -> str:
    head = f"{found['a']} to {found['b']}, range {found['range']}: "
    if found["blocked"]:
        return f"{head}blocked at {found['at']} by {found['by']} ({found['rule']})"
    hindrance = found["hindrance"]
    return head + (f"clear, hindrance {hindrance}" if hindrance else "clear")


def _show(found: dict[str, Any]) -> None:
    print(_line(found))
    for key, value in found.items():
        if key not in KEYS and value:
            print(f"  {key}: {value}")
