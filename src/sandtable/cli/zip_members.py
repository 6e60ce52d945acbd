"""Files out of a zip that somebody else has packed: encrypted, lying and endless ones are faults, and cost nothing.

What a zip says of its sizes is not believed: of a member no more is unpacked than :data:`MOST_BYTES`, and the list of
members is looked at only if it is short.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

from sandtable.core.errors import BadInput, Fault

__all__ = ["MOST_BYTES", "read_members"]

MOST_BYTES = 8_000_000
"""Of a member, unpacked; the grid of a board takes 50 to 300 KB."""
_MOST_FILE = 256_000_000
"""Of the zip itself, which also holds a large picture."""
_MOST_LISTED = 1_000_000
"""Bytes of the list of members."""
_END = b"PK\x05\x06"
_END_LENGTH = 22
_LONGEST_COMMENT = 65_535
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, OverflowError, struct.error, IndexError)


def read_members(file: Path, names: Sequence[str], right: str) -> list[bytes]:
    """The contents of some members of a zip; raise :class:`BadInput` if there is anything wrong with it."""
    try:
        _check_list(file, right)
        with zipfile.ZipFile(file) as archive:
            return [_member(archive, name, file, right) for name in names]
    except OSError as error:
        raise BadInput([Fault(str(file), f"cannot be read: {error.strerror or error}", right)]) from None
    except _BROKEN as error:
        raise BadInput([Fault(str(file), f"is no zip that can be read: {error}", right)]) from None


def _check_list(file: Path, right: str) -> None:
    """Raise :class:`BadInput` if the list of members is too long to be read."""
    size = file.stat().st_size
    if size > _MOST_FILE:
        raise BadInput([Fault(str(file), f"{size} bytes", f"at most {_MOST_FILE}")])
    with file.open("rb") as stream:
        stream.seek(max(0, size - _END_LENGTH - _LONGEST_COMMENT))
        tail = stream.read()
    place = tail.rfind(_END)
    if place < 0 or len(tail) < place + _END_LENGTH:
        raise BadInput([Fault(str(file), "is no zip", right)])
    (listed,) = struct.unpack_from("<I", tail, place + 12)
    if listed > _MOST_LISTED:
        raise BadInput([Fault(str(file), f"lists members in {listed} bytes", f"at most {_MOST_LISTED}")])


def _member(archive: zipfile.ZipFile, name: str, file: Path, right: str) -> bytes:
    try:
        info = archive.getinfo(name)
    except KeyError:
        raise BadInput([Fault(str(file), f"has no {name}", right)]) from None
    if info.flag_bits & 0x1:
        raise BadInput([Fault(f"{file}: {name}", "is encrypted", "a file without a password")])
    with archive.open(info) as stream:
        content = stream.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise BadInput([Fault(f"{file}: {name}", f"more than {MOST_BYTES} bytes", right)])
    return content
