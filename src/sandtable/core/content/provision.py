"""Balance provisions: changes of a scenario that its author offers, and that players may choose for a game.

A scenario lists them under ``balance``. Each has the side that it helps, a title, and the changes that it makes to
the scenario. A change names a place by the words that lead to it: fields of mappings, and in lists the id or card of a
thing or its number from 0. Whoever opens a scenario chooses some by their ids; rules see the scenario as it is then.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import deepcopy
from typing import Any

import msgspec

from sandtable.core.content.reading import convert
from sandtable.core.errors import BadInput, Fault, Faults

__all__ = ["Amendment", "Provision", "provided", "read_provisions"]

FIELD = "balance"
_FIXED = ("id", "system", "map", FIELD)
"""What no provision changes."""


class Amendment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One change: a new value, something more in a list, or something less."""

    at: tuple[str | int, ...]
    """The words that lead to the place."""
    to: Any = None
    add: dict[str, Any] | None = None
    remove: bool = False


class Provision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a scenario offers to help a side."""

    id: str
    side: str
    title: str
    changes: tuple[Amendment, ...]


class _Offering(msgspec.Struct, frozen=True):
    balance: tuple[Provision, ...] = ()


def read_provisions(draft: Mapping[str, Any], where: str) -> tuple[Provision, ...]:
    """The provisions of a scenario; raise :class:`BadInput` with every fault."""
    found = convert({FIELD: draft[FIELD]}, _Offering, where).balance if FIELD in draft else ()
    faults = Faults(where)
    for index, one in enumerate(found):
        if one.id in [before.id for before in found[:index]]:
            faults.add(f"{FIELD}[{index}].id", f"{one.id!r} stands twice", "an id of its own")
    faults.check()
    return found


def provided(draft: Mapping[str, Any], chosen: Collection[str], where: str) -> dict[str, Any]:
    """The scenario with the chosen provisions, told at the end of its briefing, and without the offer of any."""
    offered = read_provisions(draft, where)
    plain = {name: value for name, value in draft.items() if name != FIELD}
    told = []
    for index, one in enumerate(offered):
        if one.id in chosen:
            plain = deepcopy(plain)
            told.append(one.title)
            for number, amendment in enumerate(one.changes):
                _amend(plain, amendment, f"{where}: {FIELD}[{index}].changes[{number}]")
    if told:
        plain["briefing"] = " ".join((str(plain.get("briefing") or "").strip(), f"Balance: {'; '.join(told)}.")).strip()
    return plain


def _amend(plain: dict[str, Any], amendment: Amendment, where: str) -> None:
    """Make one change."""
    *way, last = amendment.at or (FIELD,)
    if (last in _FIXED and not way) or (way[:1] and way[0] in _FIXED):
        raise BadInput([Fault(f"{where}.at", "leads to what no provision changes", "a path such as [turns]")])
    if [amendment.to is not None, amendment.add is not None, amendment.remove].count(True) != 1:
        raise BadInput([Fault(where, "not one change", "one of to, add, remove")])
    holder: Any = plain
    for word in way:
        holder = holder[_key(holder, word, f"{where}.at")]
    if amendment.add is not None:
        items = holder.setdefault(last, []) if isinstance(holder, dict) else None
        if not isinstance(items, list):
            raise BadInput([Fault(f"{where}.at", f"{last!r} is no list", "a list to add to")])
        items.append(deepcopy(amendment.add))
    elif amendment.remove:
        del holder[_key(holder, last, f"{where}.at")]
    else:
        holder[last if isinstance(holder, dict) else _key(holder, last, f"{where}.at")] = deepcopy(amendment.to)


def _key(holder: Any, word: str | int, where: str) -> Any:
    """The key or number that a word leads to."""
    if isinstance(holder, dict) and word in holder:
        return word
    if isinstance(holder, list):
        for index, item in enumerate(holder):
            if word == index or (isinstance(item, Mapping) and word in (item.get("id"), item.get("card"))):
                return index
    known = holder if isinstance(holder, dict) else ()
    raise BadInput([Fault(where, f"nothing is called {word!r} there", ", ".join(map(str, known)))])
