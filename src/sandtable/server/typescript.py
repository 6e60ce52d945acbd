"""TypeScript types of the protocol, from the JSON Schema of the msgspec structs.

``python -m sandtable.server.typescript > web/src/wire.gen.ts`` writes the client's file; a test keeps it
fresh.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from sandtable.server.messages import ClientMessage, ServerMessage
from sandtable.server.reviews import WireReview
from sandtable.session.presenting.shelf import (
    Credentials,
    Learn,
    MapDrawing,
    Moment,
    NewTable,
    OpenFile,
    TableInfo,
    TableMade,
    WireLobby,
)

__all__ = ["source"]

_ROOTS = (
    ClientMessage,
    ServerMessage,
    WireLobby,
    Learn,
    NewTable,
    TableMade,
    OpenFile,
    Credentials,
    TableInfo,
    Moment,
    MapDrawing,
    WireReview,
)
_HEAD = """\
// Written by `python -m sandtable.server.typescript`; do not edit. The protocol is explained in docs/protocol.md.
/* eslint-disable */
"""
_REF = "#/$defs/"
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
_NAME = re.compile(r"[A-Za-z_]\w*")


def source() -> str:
    """The file's text."""
    schemas, components = msgspec.json.schema_components(_ROOTS, ref_template=_REF + "{name}")
    received = _names_below(schemas[0], components)
    parts = [_HEAD]
    for name, schema in sorted(components.items()):
        parts.append("\n".join(_declaration(name, schema, partial=name in received)))
    parts.append(f"export type ClientMessage = {_type(schemas[0])};\n")
    parts.append(f"export type ServerMessage = {_type(schemas[1])};\n")
    return "\n".join(parts)


_REQUESTS = {"NewTable", "Clock", "OpenFile", "Credentials"}


def _names_below(schema: Mapping[str, Any], components: Mapping[str, Any]) -> set[str]:
    """Structs that a client sends: their fields with a default may be left out."""
    found = {one["$ref"].removeprefix(_REF) for one in schema["anyOf"]}
    return found | (_REQUESTS & set(components))


def _declaration(name: str, schema: Mapping[str, Any], *, partial: bool) -> Iterator[str]:
    if text := schema.get("description"):
        yield from _comment(text, "")
    if "properties" not in schema:
        yield f"export type {name} = {_type(schema)};\n"
        return
    required = set(schema.get("required", ()))
    yield f"export interface {name} {{"
    for field, inner in schema["properties"].items():
        # What the server sends is complete: msgspec writes defaults too.
        mark = "?" if partial and field not in required else ""
        yield f"  {_key(field)}{mark}: {_type(inner)};"
    yield "}\n"


def _comment(text: str, indent: str) -> Iterator[str]:
    lines = text.strip().splitlines()
    if len(lines) == 1:
        yield f"{indent}/** {lines[0]} */"
        return
    yield f"{indent}/**"
    yield from (f"{indent} * {line.strip()}".rstrip() for line in lines)
    yield f"{indent} */"


def _key(name: str) -> str:
    return name if _NAME.fullmatch(name) else f'"{name}"'


def _type(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(_REF)
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(one) for one in schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(msgspec.json.encode(value).decode() for value in schema["enum"])
    if "const" in schema:
        return msgspec.json.encode(schema["const"]).decode()
    kind = schema.get("type")
    if kind == "array":
        return _array(schema)
    if kind == "object":
        inner = schema.get("additionalProperties")
        return f"Record<string, {_type(inner) if isinstance(inner, dict) else 'unknown'}>"
    return _PLAIN.get(str(kind), "unknown")


def _array(schema: Mapping[str, Any]) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(_type(one) for one in schema['prefixItems'])}]"
    items = schema.get("items")
    inner = _type(items) if isinstance(items, dict) and items else "unknown"
    return f"({inner})[]" if " | " in inner else f"{inner}[]"


if __name__ == "__main__":
    sys.stdout.write(source())
