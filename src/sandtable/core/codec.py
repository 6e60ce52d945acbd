"""One encoding for states, actions and events: JSON with a fixed key order, so that equal things have equal bytes."""

from __future__ import annotations

from hashlib import blake2b
from threading import Lock
from typing import Any, TypeVar

import msgspec

__all__ = ["Digested", "decode", "decoder", "digest", "encode", "first_difference", "pack", "spell_out", "to_plain"]

T = TypeVar("T")

_encoder = msgspec.json.Encoder(order="deterministic")
_decoders: dict[Any, msgspec.json.Decoder[Any]] = {}
_learning = Lock()
"""msgspec learns what a struct is when it first meets it, and two threads that do so at once bring Python down."""


def encode(value: object) -> bytes:
    """Encode ``value`` as JSON; equal values give equal bytes."""
    return _encoder.encode(value)


def pack(value: object) -> bytes:
    """Encode ``value`` in its own order: that of units decides between equals, also where it is decoded."""
    return msgspec.json.encode(value)


def decoder(kind: type[T]) -> msgspec.json.Decoder[T]:
    """What decodes JSON into ``kind``; after the first call any thread may convert to it."""
    found = _decoders.get(kind)
    if found is None:
        with _learning:
            found = _decoders[kind] = msgspec.json.Decoder(kind)
    return found


def decode(data: bytes | str, kind: type[T]) -> T:
    """Decode JSON into ``kind``."""
    try:
        result: T = decoder(kind).decode(data)
    except RecursionError:
        raise msgspec.DecodeError("nested too deeply") from None
    except UnicodeError:
        raise msgspec.DecodeError("no text") from None
    return result


class Digested(msgspec.Struct, frozen=True):
    """A state with something large that seldom changes, whose fingerprint it carries."""

    def digested(self) -> object:
        """What the fingerprint of the whole is taken of."""
        return self


def digest(value: object) -> str:
    """A short fingerprint of ``value``."""
    taken = value.digested() if isinstance(value, Digested) else value
    return blake2b(_encoder.encode(taken), digest_size=12).hexdigest()


def to_plain(value: object) -> Any:
    """``value`` as plain dicts, lists and scalars."""
    return msgspec.json.decode(_encoder.encode(value))


def spell_out(value: object) -> Any:
    """``value`` as plain data with every field, those at their defaults too, which an encoding may leave out."""
    if isinstance(value, msgspec.Struct):
        config = value.__struct_config__
        plain = {config.tag_field: config.tag} if config.tag_field else {}
        for field in msgspec.structs.fields(value):
            plain[field.encode_name] = spell_out(getattr(value, field.name))
        return plain
    if isinstance(value, dict):
        return {str(key): spell_out(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [spell_out(item) for item in value]
    return to_plain(value)


def first_difference(a: object, b: object) -> str:
    """Path and values of the first place where two values differ, or ``""``."""
    return _difference(to_plain(a), to_plain(b), "$")


def _difference(a: object, b: object, path: str) -> str:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted({*a, *b}):
            if found := _difference(a.get(key), b.get(key), f"{path}.{key}"):
                return found
        return ""
    if isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            return f"{path}: {len(a)} items, not {len(b)}"
        for index, (one, other) in enumerate(zip(a, b, strict=True)):
            if found := _difference(one, other, f"{path}[{index}]"):
                return found
        return ""
    return "" if a == b else f"{path}: {a!r}, not {b!r}"
