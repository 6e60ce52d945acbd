"""YAML as text: the one place where it is read and written.

Files come from anybody. So the data is put together here, event by event, and whatever no honest file has ends the
reading at that line: nesting deeper than :data:`MOST_DEPTH`, more than :data:`MOST_NODES` values, aliases and merge
keys (a few lines of which stand for more data than any memory holds), tags, keys that occur twice, numbers beyond 64
bits, characters that are no text. Nothing is composed recursively: the loader's own composer overflows the stack of
the process on a file of brackets.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Any

import msgspec
import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from sandtable.core.errors import BadInput, Fault

__all__ = ["CONTROL", "MOST_BYTES", "MOST_DEPTH", "MOST_NODES", "dump_yaml", "parse_yaml"]

MOST_DEPTH = 32
"""Lists and mappings inside one another; the deepest file of the shipped packs has 8."""
MOST_BYTES = 4 * 1024 * 1024
MOST_NODES = 120_000
"""Values in a file, keys and lists included; the largest file of the shipped packs has 5,000."""
_MOST_KEPT = 128 * 1024
"""Characters of a text whose data is kept; the largest file of the shipped packs has 53,000."""
_MOST_DIGITS = 64
"""Characters of a plain value that may be anything but text."""

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Characters that make a terminal do something: no text has them but for tabs and the ends of lines."""

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_resolver: Any = yaml.resolver.Resolver()
_constructor = yaml.constructor.SafeConstructor()
_NUMBER = re.compile(r"[-+]?[0-9.][0-9_.:eExXobB+-]*")
_MERGE = "tag:yaml.org,2002:merge"
_READ = {
    "tag:yaml.org,2002:null": _constructor.construct_yaml_null,
    "tag:yaml.org,2002:bool": _constructor.construct_yaml_bool,
    "tag:yaml.org,2002:int": _constructor.construct_yaml_int,
    "tag:yaml.org,2002:float": _constructor.construct_yaml_float,
}


def dump_yaml(plain: object, *, flow: bool | None = False) -> str:
    """Plain data as YAML, in the order that it has; with ``flow=None`` what holds no lists stands on one line."""
    text: str = yaml.safe_dump(plain, allow_unicode=True, sort_keys=False, default_flow_style=flow, width=110)
    return text


def parse_yaml(data: bytes | str, where: str) -> Any:
    """Decode YAML to plain data; whatever is wrong with it becomes :class:`BadInput` with its line."""
    text = _text(data, where)
    return msgspec.msgpack.decode(_kept(text, where)) if len(text) <= _MOST_KEPT else _read(text, where)


@lru_cache(maxsize=256)
def _kept(text: str, where: str) -> bytes:
    """The data of a text, packed: packs are read for every game, and unpacking takes a fortieth of the time."""
    return msgspec.msgpack.encode(_read(text, where))


def _read(text: str, where: str) -> Any:
    try:
        return _Reader(where).read(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise BadInput([Fault(f"{where}: line {line}", error.problem or "not YAML", "valid YAML")]) from None
    except yaml.YAMLError as error:
        raise BadInput([Fault(where, str(error).replace("\n", " "), "valid YAML")]) from None


def _text(data: bytes | str, where: str) -> str:
    try:
        raw = data.encode() if isinstance(data, str) else data
        if len(raw) > MOST_BYTES:
            raise BadInput([Fault(where, f"{len(raw)} bytes", f"at most {MOST_BYTES}")])
        return data if isinstance(data, str) else raw.decode()
    except (UnicodeDecodeError, UnicodeEncodeError) as error:
        raise BadInput([Fault(where, f"not UTF-8 text: {error.reason}", "a text file")]) from None


class _Absent:
    """Stands for a key that is yet to come."""


_ABSENT = _Absent()


class _Reader:
    """Puts the data of one document together."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._nodes = 0
        self._open: list[Any] = []
        """The lists and mappings that the next value lies in, the innermost last."""
        self._keys: list[Any] = []
        """For each of them the key that waits for its value."""
        self._root: Any = None
        self._documents = 0

    def read(self, text: str) -> Any:
        for event in yaml.parse(text, Loader=_Loader):
            kind = type(event)
            if kind is ScalarEvent:
                self._put(self._scalar(event), event)
            elif kind is MappingStartEvent:
                self._begin({}, event)
            elif kind is SequenceStartEvent:
                self._begin([], event)
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                self._open.pop()
                self._keys.pop()
            elif kind is AliasEvent:
                raise self._fault(event, f"the alias *{_short(event.anchor)}", "what it stands for, written out")
            elif kind is DocumentStartEvent:
                self._documents += 1
                if self._documents > 1:
                    raise self._fault(event, "a second document", "one in a file")
        return self._root

    def _begin(self, new: Any, event: Event) -> None:
        self._check_tag(event)
        if self._open and isinstance(self._open[-1], dict) and self._keys[-1] is _ABSENT:
            raise self._fault(event, "a list or mapping as a key", "a name")
        self._put(new, event)
        self._open.append(new)
        self._keys.append(_ABSENT)
        if len(self._open) > MOST_DEPTH:
            raise self._fault(event, f"nested deeper than {MOST_DEPTH}", "fewer lists in lists")

    def _put(self, value: Any, event: Event) -> None:
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise self._fault(event, f"more than {MOST_NODES} values", "a smaller file")
        if not self._open:
            self._root = value
            return
        into = self._open[-1]
        if isinstance(into, list):
            into.append(value)
        elif self._keys[-1] is not _ABSENT:
            into[self._keys[-1]] = value
            self._keys[-1] = _ABSENT
        elif value in into:
            raise self._fault(event, f"the key {_short(value)} occurs twice", "every key once")
        else:
            self._keys[-1] = value

    def _scalar(self, event: ScalarEvent) -> Any:
        value: str = event.value
        if event.style is not None and event.implicit[1]:
            if not value.isprintable():
                self._check_text(value, event)
            return value
        self._check_tag(event)
        if len(value) > _MOST_DIGITS:
            if _NUMBER.fullmatch(value):
                raise self._fault(event, f"a number of {len(value)} digits", "one of at most 64 bits")
            return value
        try:
            return _plain(value)
        except ValueError as error:
            raise self._fault(event, f"{_short(value)}: {error}", "a value, or text in quotes") from None

    def _check_text(self, value: str, event: Event) -> None:
        """What an escape may make of a character that no text has."""
        try:
            value.encode()
        except UnicodeEncodeError:
            raise self._fault(event, "half a character", "text") from None
        found = CONTROL.search(value)
        if found is not None:
            raise self._fault(event, f"the control character {found[0]!a}", "text")

    def _check_tag(self, event: Any) -> None:
        if event.tag is not None:
            raise self._fault(event, f"the tag {_short(event.tag)}", "the value without it")

    def _fault(self, event: Any, wrong: str, right: str) -> BadInput:
        return BadInput([Fault(f"{self._where}: line {event.start_mark.line + 1}", wrong, right)])


@lru_cache(maxsize=8192)
def _plain(value: str) -> Any:
    """What a plain value stands for: nothing, yes or no, a number, or text."""
    tag = _resolver.resolve(yaml.ScalarNode, value, (True, False))
    if tag == _MERGE:
        raise ValueError("a merge key, which stands for other fields")
    read = _READ.get(tag)
    if read is None:
        return value
    found = read(yaml.ScalarNode(tag, value))
    if isinstance(found, float) and not math.isfinite(found):
        raise ValueError("no finite number")
    if isinstance(found, int) and not -(2**63) <= found < 2**63:
        raise ValueError("a number beyond 64 bits")
    return found


def _short(value: object) -> str:
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:50]}..."
