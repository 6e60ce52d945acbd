"""Places by the names that players use, in actions that people write.

An action holds a place as the system's own value (a hex as a pair of coordinates); a person writes its label. The
type of the action says where a place may stand: wherever a named tuple is expected, a text is taken for a label. Where
a drawing is expected, its text may stand: ``go 12.5,30; face 45``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import inspect

from sandtable.core.tree.drawing import Stroke, read_drawing_text

__all__ = ["with_places"]

PlaceOf = Callable[[str], Any]


def with_places(plain: Any, kind: Any, place: PlaceOf) -> Any:
    """The plain data of a ``kind`` with every label replaced by its place."""
    return _replaced(plain, inspect.type_info(kind), place)


def _replaced(plain: Any, kind: inspect.Type, place: PlaceOf) -> Any:
    match kind:
        case inspect.NamedTupleType() if isinstance(plain, str):
            return msgspec.to_builtins(place(plain))
        case inspect.UnionType():
            return _in_union(plain, kind, place)
        case inspect.StructType() if isinstance(plain, Mapping):
            fields = {field.encode_name: field.type for field in kind.fields}
            return {
                name: _replaced(value, fields[name], place) if name in fields else value
                for name, value in plain.items()
            }
        case inspect.VarTupleType(item_type=inspect.StructType(cls=cls)) if cls is Stroke and isinstance(plain, str):
            strokes = read_drawing_text(plain)
            return plain if strokes is None else msgspec.to_builtins(strokes)
        case inspect.VarTupleType() | inspect.ListType() | inspect.SetType() | inspect.FrozenSetType():
            return [_replaced(item, kind.item_type, place) for item in plain] if isinstance(plain, list) else plain
        case inspect.TupleType() if isinstance(plain, list) and len(plain) == len(kind.item_types):
            return [_replaced(item, one, place) for item, one in zip(plain, kind.item_types, strict=True)]
        case inspect.DictType() if isinstance(plain, Mapping):
            return {key: _replaced(value, kind.value_type, place) for key, value in plain.items()}
        case _:
            return plain


def _in_union(plain: Any, kind: inspect.UnionType, place: PlaceOf) -> Any:
    """The member of the union that the data is meant for: a struct by its tag, else what is no mere text."""
    for one in kind.types:
        if isinstance(one, inspect.StructType) and isinstance(plain, Mapping):
            if one.tag_field is None or plain.get(one.tag_field) == one.tag:
                return _replaced(plain, one, place)
        elif isinstance(one, inspect.StrType) and isinstance(plain, str):
            return plain
    for one in kind.types:
        changed = _replaced(plain, one, place) if not isinstance(one, inspect.StructType) else plain
        if changed != plain:
            return changed
    return plain
