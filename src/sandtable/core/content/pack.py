"""Packs: folders of data with a manifest and a digest.

A shipped pack holds a book's tables, cards, boards and scenarios. A user's own pack extends one and overrides single
tables, cards, boards or scenarios by name: the numbers that he owns stay with him, and a log names the digests it
was played with. This module sees bytes only; reading folders is somebody else's work.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b

import msgspec

from sandtable.core.content.reading import read_yaml
from sandtable.core.content.table import Table, read_table
from sandtable.core.errors import BadInput, Fault, Faults

__all__ = ["Library", "Manifest", "Pack"]


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The head of a pack: its id, title and version, its system, and the pack that it builds on."""

    id: str
    title: str
    system: str
    edition: str
    version: int
    extends: str = ""
    """Id of the pack that this one overrides parts of."""
    rulebook: str = ""
    note: str = ""


class Pack:
    """A manifest and files."""

    def __init__(self, files: Mapping[str, bytes], where: str) -> None:
        if "manifest.yaml" not in files:
            raise BadInput([Fault(where, "no manifest.yaml", "a pack folder with a manifest")])
        self.where = where
        self.files = dict(sorted(files.items()))
        self.manifest = read_yaml(files["manifest.yaml"], Manifest, f"{where}/manifest.yaml")

    @property
    def digest(self) -> str:
        """Fingerprint of everything in the pack."""
        total = blake2b(digest_size=12)
        for name, data in self.files.items():
            total.update(f"{name}\0{len(data)}\0".encode())
            total.update(data)
        return total.hexdigest()

    def section(self, folder: str) -> Iterator[tuple[str, bytes, str]]:
        """Name, content and place of each file in ``folder``."""
        for name, data in self.files.items():
            head, _, tail = name.partition("/")
            if head == folder and tail.endswith(".yaml"):
                yield tail.removesuffix(".yaml"), data, f"{self.where}/{name}"


class Library:
    """The packs of one game in order; what a later one names replaces what an earlier one gave."""

    def __init__(self, packs: Sequence[Pack]) -> None:
        self.packs = tuple(packs)
        self._tables: dict[str, Table] | None = None

    @property
    def digests(self) -> dict[str, str]:
        """Digest by pack id."""
        return {pack.manifest.id: pack.digest for pack in self.packs}

    def section(self, folder: str) -> Iterator[tuple[str, bytes, str]]:
        """All files of ``folder``, earlier packs first."""
        for pack in self.packs:
            yield from pack.section(folder)

    def growing(self) -> Iterator[tuple[Pack, Library]]:
        """Each pack with the library that it was written for: those before it, and itself."""
        for number, pack in enumerate(self.packs, start=1):
            yield pack, self if number == len(self.packs) else Library(self.packs[:number])

    def file(self, name: str) -> tuple[bytes, str]:
        """Content and place of a file, from the last pack that has it."""
        for pack in reversed(self.packs):
            if name in pack.files:
                return pack.files[name], f"{pack.where}/{name}"
        wheres = ", ".join(pack.where for pack in self.packs) or "no packs"
        raise BadInput([Fault(wheres, f"no {name}", f"a pack with {name}")])

    def every(self, name: str) -> dict[str, bytes]:
        """A file of this name from every pack that has one, by its place, the earlier packs first."""
        return {f"{pack.where}/{name}": pack.files[name] for pack in self.packs if name in pack.files}

    def tables(self) -> dict[str, Table]:
        """All tables by name; raise :class:`BadInput` with all faults."""
        if self._tables is None:
            faults = Faults()
            found: dict[str, Table] = {}
            for _, data, where in self.section("tables"):
                with faults.gathering():
                    table = read_table(data, where)
                    found[table.name] = table
            faults.check()
            self._tables = found
        return self._tables

    def table(self, name: str) -> Table:
        """The table ``name``."""
        tables = self.tables()
        if name not in tables:
            wheres = ", ".join(pack.where for pack in self.packs) or "no packs"
            raise BadInput([Fault(wheres, f"no table {name!r}", f"one of {', '.join(sorted(tables))}")])
        return tables[name]
