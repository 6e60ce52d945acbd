"""What nobody honest would send: values, texts and bodies for every field and every address."""

from __future__ import annotations

import json
from typing import Any

import msgspec

DEEP = "[" * 30_000
WORDS = (
    "",
    "\0",
    "a\0b",
    "'; DROP TABLE people; --",
    "../../../../etc/passwd",
    "..\\..\\windows",
    "%00",
    "%s%n%d",
    "{0}${jndi:ldap://x}",
    "\u202eelbaT",
    "\U0001f4a9" * 50,
    "a" * 5000,
    "\ufeff",
    "nan",
    "-1",
    "9" * 400,
)
NUMBERS: tuple[Any, ...] = (-1, 0, 2**31, 2**63, 2**64, -(2**63) - 1, 10**30, 1e308, -0.0, 0.5)
THINGS: tuple[Any, ...] = (None, True, [], {}, [[]], {"": {}}, *NUMBERS, *WORDS)
RAW = (
    b"",
    b"null",
    b"[]",
    b"{}",
    b'"text"',
    b"{",
    b"\xff\xfe\x00",
    b"\x00" * 100,
    DEEP.encode(),
    b'{"a":' * 10_000,
    b'{"scenario": ' + b"9" * 5000 + b"}",
    b'{"scenario": 1e999}',
    b'{"scenario": NaN}',
    b'{"name": "\\ud800", "password": "\\udfff", "scenario": "\\ud800", "text": "\\ud800"}',
    b'{"name": "a", "name": "b"}',
    b"a" * 60_000,
)


def bodies(model: type[msgspec.Struct], honest: dict[str, Any]) -> list[bytes]:
    """An honest body with each field replaced by everything, fields missing, and fields that there are not."""
    found = [json.dumps({**honest, "more": 1}).encode()]
    for field in msgspec.structs.fields(model):
        found += [json.dumps({**honest, field.encode_name: thing}).encode() for thing in THINGS]
        found.append(json.dumps({name: value for name, value in honest.items() if name != field.encode_name}).encode())
    return found
