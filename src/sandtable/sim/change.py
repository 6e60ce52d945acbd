"""Changes to try: ``turns=9``, ``objectives.saddle.points.german=60``, ``cards.m1.armor.front=95``.

A path leads through a scenario, or with ``cards`` or ``tables`` as its first word through the packs. Things in lists
are named by their id or, failing that, by their number from 0. What a path leads to must be there already, or be
a name in a list of names and numbers such as ``victory.handicap``; the rules check the value as they check a file.

``null`` takes a thing away (``sides.british.units.B4=null``); a new id in a list of things with ids, with a mapping as
its value, adds one (``sides.british.units.B5={card: grant-i, at: N8, facing: NW}``).
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from difflib import get_close_matches
from typing import Any, NamedTuple

import msgspec

from sandtable.core.content.pack import Library, Pack
from sandtable.core.content.yaml_text import dump_yaml, parse_yaml
from sandtable.core.errors import BadInput, Fault

__all__ = ["Change", "changed", "read_change", "size_of"]

CHANGES = "changes"
"""Id of the pack that holds changed cards and tables."""
IN_PACKS = {"cards": "cards", "tables": "tables"}


class Change(NamedTuple):
    """A place and its new value."""

    path: tuple[str, ...]
    value: Any
    text: str


def read_change(text: str) -> Change:
    """A change as it was written; raise :class:`BadInput` if it is none."""
    path, sign, value = text.partition("=")
    if not sign or not path.strip():
        raise BadInput([Fault("--set", repr(text), "PATH=VALUE, such as turns=9")])
    return Change(tuple(path.strip().split(".")), parse_yaml(value.strip(), f"--set {text}"), text)


def changed(change: Change, draft: Mapping[str, Any], library: Library) -> tuple[dict[str, Any], Pack | None]:
    """The scenario after a change, and the pack with changed files if it is one of those."""
    new = deepcopy(dict(draft))
    if change.path[0] not in IN_PACKS:
        _put(new, change.path, change, ())
        return new, None
    return new, _changed_pack(change, library)


def size_of(change: Change, draft: Mapping[str, Any], library: Library) -> float:
    """How big a change is: for numbers by how much of the old value, for anything else 1."""
    if not isinstance(change.value, int | float):
        return 1.0
    old: Any = draft
    path: tuple[str, ...] = change.path
    if path[0] in IN_PACKS:
        _, _, old = _file_with(change, library)
        old, path = _find(old, path[1], change, (path[0],)), path[2:]
    for depth, key in enumerate(path):
        if isinstance(old, Mapping) and key not in old:
            old = None
            break
        old = _find(old, key, change, path[:depth])
    if isinstance(old, int | float) and old:
        return abs(change.value - old) / abs(old)
    if old is None:
        # A handicap that was not there before is measured by itself, in hundreds of points.
        return abs(change.value) / 100
    return 1.0


def _put(plain: Any, path: tuple[str, ...], change: Change, before: tuple[str, ...]) -> None:
    """Set the value at the end of the path."""
    key, rest = path[0], path[1:]
    if rest:
        if isinstance(plain, dict) and key not in plain and len(rest) == 1 and before:
            plain[key] = {}
        _put(_find(plain, key, change, before), rest, change, (*before, key))
        return
    if isinstance(plain, dict):
        if key not in plain and (not before or change.value is None):
            raise _no_place(change, key, plain, before)
        if change.value is None:
            del plain[key]
        else:
            plain[key] = change.value
    elif isinstance(plain, list):
        _put_item(plain, key, change, before)
    else:
        raise _no_place(change, key, (), before)


def _put_item(items: list[Any], key: str, change: Change, before: tuple[str, ...]) -> None:
    """Change, take away or add one of a list."""
    value = change.value
    have_ids = bool(items) and all(isinstance(item, Mapping) and "id" in item for item in items)
    if isinstance(value, Mapping) and have_ids and all(str(item["id"]) != key for item in items):
        items.append({"id": key, **value})
        return
    place = items.index(_find(items, key, change, before))
    if value is None:
        del items[place]
    else:
        items[place] = {"id": key, **value} if isinstance(value, Mapping) and have_ids else value


def _find(plain: Any, key: str, change: Change, before: tuple[str, ...]) -> Any:
    """What a name leads to."""
    if isinstance(plain, Mapping):
        if key in plain:
            return plain[key]
        raise _no_place(change, key, plain, before)
    if isinstance(plain, list):
        names = {str(item["id"]): item for item in plain if isinstance(item, Mapping) and "id" in item}
        if key in names:
            return names[key]
        if key.isdigit() and int(key) < len(plain):
            return plain[int(key)]
        raise _no_place(change, key, names or map(str, range(len(plain))), before)
    raise _no_place(change, key, (), before)


def _no_place(change: Change, key: str, known: Any, before: tuple[str, ...]) -> BadInput:
    names = [str(name) for name in known]
    near = get_close_matches(key, names, n=3, cutoff=0.4) or names[:12]
    where = ".".join(before) or "the scenario"
    right = f"perhaps {', '.join(near)}" if near else "a path to something that is there"
    return BadInput([Fault(f"--set {change.text}", f"{where} has no {key!r}", right)])


def _file_with(change: Change, library: Library) -> tuple[str, dict[str, Any], Any]:
    """Name and content of the last file that defines a card or table, and the list or mapping that holds it."""
    kind = change.path[0]
    if len(change.path) < 3:
        raise BadInput([Fault(f"--set {change.text}", "too short", f"{kind}.ID.FIELD=VALUE")])
    names: list[str] = []
    for name, data, where in reversed(list(library.section(IN_PACKS[kind]))):
        plain = parse_yaml(data, where)
        if kind == "tables" and plain.get("name") == change.path[1]:
            return name, plain, {change.path[1]: plain}
        items = plain.get(kind) if isinstance(plain, Mapping) else None
        if isinstance(items, list):
            here = [str(item.get("id")) for item in items if isinstance(item, Mapping)]
            if change.path[1] in here:
                return name, plain, items
            names += here
        else:
            names.append(name)
    raise _no_place(change, change.path[1], names, (kind,))


def _changed_pack(change: Change, library: Library) -> Pack:
    """A pack with the changed file, and all files that were changed before."""
    kind = change.path[0]
    name, plain, items = _file_with(change, library)
    _put(_find(items, change.path[1], change, (kind,)), change.path[2:], change, change.path[:2])
    base = library.packs[0].manifest
    files = next((dict(pack.files) for pack in library.packs if pack.manifest.id == CHANGES), {})
    manifest = {
        "id": CHANGES,
        "title": "Changes under trial",
        "system": base.system,
        "edition": base.edition,
        "version": 1,
        "extends": base.id,
    }
    files["manifest.yaml"] = msgspec.json.encode(manifest)
    files[f"{IN_PACKS[kind]}/{name}.yaml"] = dump_yaml(plain).encode()
    return Pack(files, CHANGES)
