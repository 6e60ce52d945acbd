"""Reading pack folders: the shipped ones out of the package, a user's own from his disk.

A pack is a folder of YAML files with a ``manifest.yaml``; what else lies there is no part of it and of its
digest. Shipped packs are the folders beside this file. Other distributions bring theirs by the entry points of
``sandtable.packs``: the name is the pack's id, the value a module whose folder the pack is. A user's own are given by
their folder, or lie one folder each in ``sandtable/packs`` of his data folder (``$XDG_DATA_HOME``, or
``~/.local/share``).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

from sandtable.core.content.pack import Pack
from sandtable.core.content.yaml_text import MOST_BYTES
from sandtable.core.errors import BadInput, Fault, Faults
from sandtable.packs.installed import declared

__all__ = [
    "data_folder",
    "installed",
    "installed_ids",
    "read_folder",
    "shipped",
    "shipped_evidence",
    "shipped_ids",
    "unread",
    "users_own",
]

MANIFEST = "manifest.yaml"
SUFFIX = ".yaml"
_DEEPEST = 4
"""Folders in which a file of a pack may lie."""


@cache
def shipped_ids() -> tuple[str, ...]:
    """Ids of the packs inside the package."""
    folders = (entry for entry in _root().iterdir() if entry.is_dir())
    return tuple(sorted(folder.name for folder in folders if folder.joinpath(MANIFEST).is_file()))


@cache
def shipped(pack_id: str) -> Pack:
    """A pack inside the package."""
    if pack_id not in shipped_ids():
        raise BadInput([Fault("packs", f"no pack {pack_id!r} is shipped", f"one of {', '.join(shipped_ids())}")])
    return _read(_root().joinpath(pack_id), f"packs/{pack_id}")


def installed_ids() -> tuple[str, ...]:
    """Ids of the packs that other distributions bring."""
    return tuple(declared("packs"))


@cache
def installed(pack_id: str) -> Pack:
    """A pack that another distribution brings; raise :class:`BadInput` if it cannot be found."""
    found = declared("packs").get(pack_id)
    if found is None:
        right = f"an entry point {pack_id!r} of sandtable.packs"
        raise BadInput([Fault("packs", f"no pack {pack_id!r} is installed", right)])
    try:
        folder = resources.files(found.value)
    except ImportError as error:
        raise BadInput([Fault(f"pack {pack_id}", f"cannot be found: {error}", "a module beside the files")]) from None
    return _read(folder, f"packs/{pack_id}")


def shipped_evidence(pack_id: str) -> dict[str, list[str]]:
    """The tests that show each rule of a shipped pack, as ``evidence.json`` lists them."""
    file = _root().joinpath(pack_id, "evidence.json")
    if not file.is_file():
        return {}
    return msgspec.json.decode(file.read_bytes(), type=dict[str, list[str]])


def read_folder(folder: Path) -> Pack:
    """A user's own pack; raise :class:`BadInput` with every file that cannot be read."""
    if not folder.is_dir():
        what = "not a folder" if folder.exists() else "no such folder"
        raise BadInput([Fault(str(folder), what, "a pack folder with a manifest")])
    return _read(folder, str(folder))


def data_folder() -> Path:
    """Where a user's own packs lie."""
    base = os.environ.get("XDG_DATA_HOME") or ""
    # The XDG rules ask to ignore a relative path.
    root = Path(base) if base and Path(base).is_absolute() else Path.home() / ".local" / "share"
    return root / "sandtable" / "packs"


def users_own() -> list[Pack]:
    """The packs in the user's data folder, by the names of their folders."""
    root = data_folder()
    if not root.is_dir():
        return []
    faults = Faults()
    packs: list[Pack] = []
    for folder in sorted(root.iterdir()):
        if folder.is_dir() and not folder.name.startswith("."):
            with faults.gathering():
                packs.append(read_folder(folder))
    faults.check()
    return packs


def unread(folder: Path) -> list[str]:
    """Files of a pack folder that are no part of the pack, hidden ones left out."""
    names = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(
        name.as_posix()
        for name in names
        if name.suffix != SUFFIX and not any(part.startswith((".", "_")) for part in name.parts)
    )


def _root() -> Traversable:
    return resources.files(__name__)


def _read(folder: Traversable, where: str) -> Pack:
    faults = Faults()
    files: dict[str, bytes] = {}
    for name, file in _yaml_files(folder, where, ""):
        if not name.isprintable():
            # Bytes that are no text in a name, or what makes a terminal do something.
            faults.add(f"{where}/{name!a}", "has characters that no name has")
            continue
        if not file.is_file():
            # A pipe that nobody writes to, a device without end, a link to nothing.
            faults.add(f"{where}/{name}", "is no plain file")
            continue
        try:
            with file.open("rb") as opened:
                files[name] = opened.read(MOST_BYTES + 1)
        except OSError as error:
            faults.add(f"{where}/{name}", f"cannot be read: {error.strerror}")
        else:
            if len(files[name]) > MOST_BYTES:
                faults.add(f"{where}/{name}", "is too large", f"at most {MOST_BYTES} bytes")
    faults.check()
    return Pack(files, where)


def _yaml_files(folder: Traversable, where: str, prefix: str) -> Iterator[tuple[str, Traversable]]:
    try:
        entries = list(folder.iterdir())
    except OSError as error:
        raise BadInput([Fault(f"{where}/{prefix}", f"cannot be read: {error.strerror}", "a folder")]) from None
    for entry in entries:
        if entry.name.startswith((".", "_")):
            continue
        if entry.is_dir():
            # Folders may be links, to one above them too: so many that nobody would come to an end.
            if prefix.count("/") >= _DEEPEST:
                raise BadInput([Fault(f"{where}/{prefix}", "folders in folders", f"at most {_DEEPEST} deep")])
            yield from _yaml_files(entry, where, f"{prefix}{entry.name}/")
        elif entry.name.endswith(SUFFIX):
            yield f"{prefix}{entry.name}", entry
