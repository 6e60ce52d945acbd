"""Reading YAML and JSON into structs, with every fault at once.

msgspec stops at the first thing that does not fit; a person who wrote a scenario wants them all. So a document
is decoded to plain data first and then converted field by field, noting each fault with its field path.
"""

from __future__ import annotations

import types
import typing
from typing import Any, TypeVar, Union, get_args, get_origin

import msgspec

from sandtable.core.codec import decoder
from sandtable.core.content.yaml_text import parse_yaml
from sandtable.core.errors import BadInput, Faults

__all__ = ["convert", "read_yaml"]

T = TypeVar("T")


def read_yaml(data: bytes | str, kind: type[T], where: str) -> T:
    """Decode YAML into ``kind``; raise :class:`BadInput` with all faults."""
    return convert(parse_yaml(data, where), kind, where)


def convert(plain: object, kind: type[T], where: str) -> T:
    """Convert plain data into ``kind``; raise :class:`BadInput` with all faults."""
    decoder(kind)
    try:
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        faults = Faults(where)
        _examine(plain, kind, "", faults)
        if not faults:
            faults.add("", str(error))
        raise BadInput(faults) from None


def _examine(plain: object, kind: Any, path: str, faults: Faults) -> None:
    """Note every fault of ``plain`` as a ``kind``."""
    origin = get_origin(kind)
    if origin in (list, tuple, set, frozenset) and isinstance(plain, list):
        args = get_args(kind)
        if origin is not tuple or (len(args) == 2 and args[1] is Ellipsis):
            for index, item in enumerate(plain):
                _examine(item, args[0], f"{path}[{index}]", faults)
            return
    elif origin is dict and isinstance(plain, dict):
        for key, item in plain.items():
            _examine(item, get_args(kind)[1], f"{path}.{key}".lstrip("."), faults)
        return
    elif origin in (Union, types.UnionType) and type(None) in get_args(kind):
        others = [arg for arg in get_args(kind) if arg is not type(None)]
        if plain is not None and len(others) == 1:
            _examine(plain, others[0], path, faults)
            return
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(plain, dict):
        _examine_struct(plain, kind, path, faults)
        return
    try:
        msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        faults.add(path, str(error).split(" - at ")[0])


def _examine_struct(plain: dict[str, object], kind: type[msgspec.Struct], path: str, faults: Faults) -> None:
    hints = typing.get_type_hints(kind)
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    known = set(fields)
    if kind.__struct_config__.tag_field:
        known.add(kind.__struct_config__.tag_field)
    if kind.__struct_config__.forbid_unknown_fields:
        for key in plain:
            if key not in known:
                faults.add(f"{path}.{key}".lstrip("."), "unknown field", f"one of {', '.join(sorted(known))}")
    for name, field in fields.items():
        place = f"{path}.{name}".lstrip(".")
        if name in plain:
            _examine(plain[name], hints[field.name], place, faults)
        elif field.required:
            faults.add(place, "missing")
