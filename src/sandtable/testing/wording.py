"""Actions worded outside the tree of options: what anybody who speaks the protocol might send.

Offered actions and those of earlier moments are taken apart, and their parts exchanged for others of the same kind: ids
for ids of the same table of the state, hexes for hexes, values of a field for others that the field has had. Most of
what comes of it is refused, some of it is legal: it must be among the options, and refused or not, what is hidden from
the seat must make no difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

import msgspec

from sandtable.core.codec import decode, encode, to_plain
from sandtable.core.ruleset import Ruleset

__all__ = ["Vocabulary", "worded"]

AnyRuleset = Ruleset[Any, Any, Any]


@cache
def _words_of(action_type: Any) -> tuple[tuple[str, ...], ...]:
    return tuple(_choices(msgspec.inspect.type_info(action_type)))


class Vocabulary:
    """Values that stand where others of their kind can stand."""

    def __init__(self, action_type: Any, state: Any, actions: Iterable[Any]) -> None:
        self._tables: list[tuple[str, ...]] = list(_words_of(action_type))
        self._pairs: set[tuple[int, int]] = set()
        self._values: dict[str, dict[str, Any]] = {}
        self._read_state(to_plain(state))
        for action in actions:
            self._read_action(to_plain(action), "")

    def _read_state(self, plain: Any) -> None:
        if isinstance(plain, dict):
            keys = tuple(sorted(plain))
            if len(keys) > 1 and all(isinstance(value, dict) for value in plain.values()):
                self._tables.append(keys)
            for value in plain.values():
                self._read_state(value)
        elif _is_pair(plain):
            self._pairs.add((plain[0], plain[1]))
        elif isinstance(plain, list):
            for value in plain:
                self._read_state(value)

    def _read_action(self, plain: Any, field: str) -> None:
        self._values.setdefault(field, {})[encode(plain).decode()] = plain
        if _is_pair(plain):
            self._pairs.add((plain[0], plain[1]))
        elif isinstance(plain, dict):
            for key, value in plain.items():
                self._read_action(value, key)
        elif isinstance(plain, list):
            for value in plain:
                self._read_action(value, f"{field}[]")

    def like(self, value: Any, field: str, rng: Random) -> Any:
        """Something else that could stand there."""
        ways: list[Any] = []
        if isinstance(value, str):
            ways += [list(table) for table in self._tables if value in table]
        if _is_pair(value):
            around = [[value[0] + q, value[1] + r] for q in (-1, 0, 1) for r in (-1, 0, 1)]
            ways += [sorted(map(list, self._pairs)), around]
        if len(self._values.get(field, {})) > 1:
            ways.append(list(self._values[field].values()))
        if isinstance(value, bool):
            ways.append([not value])
        elif isinstance(value, int):
            ways.append([value + step for step in (-3, -1, 1, 2, 7)])
        elif isinstance(value, str):
            ways.append(["", "nobody", None, 0])
        ways = [way for way in ways if way]
        return rng.choice(rng.choice(ways)) if ways else value


def _choices(kind: Any) -> Iterator[tuple[str, ...]]:
    """The values of every enumeration that a type is made of."""
    if isinstance(kind, msgspec.inspect.EnumType):
        yield tuple(str(one.value) for one in kind.cls)
    for name in ("types", "item_types"):
        for part in getattr(kind, name, ()):
            yield from _choices(part)
    for name in ("key_type", "value_type", "item_type"):
        if hasattr(kind, name):
            yield from _choices(getattr(kind, name))
    for field in getattr(kind, "fields", ()):
        yield from _choices(field.type)


def worded(ruleset: AnyRuleset, words: Vocabulary, offered: Sequence[Any], rng: Random, number: int) -> Iterator[Any]:
    """Up to ``number`` actions that differ from the offered ones in a part or two, as far as they read as actions."""
    for _ in range(number):
        plain = to_plain(rng.choice(offered))
        for _ in range(rng.choice((1, 1, 2, 3))):
            plain = _changed(plain, "", words, rng)
        try:
            yield decode(encode(plain), ruleset.action_type)
        except msgspec.ValidationError:
            continue


def _changed(plain: Any, field: str, words: Vocabulary, rng: Random) -> Any:
    """The data with one part exchanged, left out, doubled or moved."""
    if isinstance(plain, dict) and len(plain) > ("type" in plain) and rng.random() < 0.9:
        key = rng.choice(sorted(key for key in plain if key != "type"))
        if rng.random() < 0.9:
            return {**plain, key: _changed(plain[key], key, words, rng)}
        return {name: value for name, value in plain.items() if name != key}
    if isinstance(plain, list) and plain and not _is_pair(plain):
        index = rng.randrange(len(plain))
        rest = [*plain[:index], *plain[index + 1 :]]
        other = _changed(plain[index], f"{field}[]", words, rng)
        place = rng.randrange(len(plain))
        return rng.choice(
            (
                rest,
                [*plain, plain[index]],
                [*plain, other],
                [*rest[:place], plain[index], *rest[place:]],
                [*plain[:index], other, *plain[index + 1 :]],
                [*plain[:index], other, *plain[index + 1 :]],
            )
        )
    return words.like(plain, field, rng)


def _is_pair(plain: Any) -> bool:
    """Whether it looks like a hex."""
    return isinstance(plain, list) and len(plain) == 2 and all(type(part) is int for part in plain)
