"""Orders within the commands of each formation: who gains most has one of his own, others share (6.2.1.1.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from sandtable.bots.panzer.orders import Choice
from sandtable.core.decision import Assign, Slot
from sandtable.systems.panzer.command.control import UNIQUE
from sandtable.systems.panzer.unit import Command, UnitId

__all__ = ["Wish", "share_out", "wishes_of"]

WITH = " with "


class Wish(NamedTuple):
    """What a unit may be ordered, the best first."""

    slot: Slot
    choices: list[Choice]

    @property
    def gain(self) -> float:
        """What is lost if it gets no command."""
        idle = next((one.worth for one in self.choices if one.command is Command.NONE), 0.0)
        return self.choices[0].worth - idle


class _Sharing:
    """The orders as they are given, one unit after another."""

    def __init__(self, root: Assign[Any], wishes: Sequence[Wish]) -> None:
        self.root = root
        self.wishes = wishes
        self.given: dict[str, Command] = {}
        self.holder: dict[str, str] = {}
        """Of each unit that has a command, the one that it was first given to."""

    def values(self) -> tuple[str, ...]:
        """The value of every slot so far; of those who share, the first by id has the counter."""
        groups: dict[str, list[str]] = {}
        for unit, holder in self.holder.items():
            groups.setdefault(holder, []).append(unit)
        first = {unit: min(units) for units in groups.values() for unit in units}
        found = []
        for wish in self.wishes:
            key = wish.slot.key
            command = self.given.get(key, Command.NONE)
            shared = command in UNIQUE and first[key] != key
            found.append(f"{command.value}{WITH}{first[key]}" if shared else command.value)
        return tuple(found)

    def try_to_give(self, key: str, command: Command, holder: str) -> bool:
        """Give a command, unless the orders are refused with it."""
        self.given[key], self.holder[key] = command, holder
        if not self.root.refusals(self.values()):
            return True
        del self.given[key], self.holder[key]
        return False


def share_out(root: Assign[Any], wishes: Sequence[Wish]) -> tuple[str, ...]:
    """A value for every slot: commands of their own first for those that gain most by them."""
    sharing = _Sharing(root, wishes)
    left_out = [wish for wish in sorted(wishes, key=_by_gain) if wish.gain > 0 and not _own(sharing, wish)]
    for wish in left_out:
        _shared(sharing, wish)
    return sharing.values()


def _by_gain(wish: Wish) -> tuple[float, str]:
    return -wish.gain, wish.slot.key


def _own(sharing: _Sharing, wish: Wish) -> bool:
    return sharing.try_to_give(wish.slot.key, wish.choices[0].command, wish.slot.key)


def _shared(sharing: _Sharing, wish: Wish) -> bool:
    """The best command that another has and lets it share."""
    for choice in wish.choices:
        if choice.command is Command.NONE:
            return False
        for other in _holders(sharing, choice.command, wish.slot):
            if sharing.try_to_give(wish.slot.key, choice.command, other):
                return True
    return False


def _holders(sharing: _Sharing, command: Command, slot: Slot) -> Iterator[str]:
    """Units of the same formation that were first given a command like this."""
    groups = {wish.slot.key: wish.slot.group for wish in sharing.wishes}
    yield from (
        key
        for key, given in list(sharing.given.items())
        if given is command and sharing.holder[key] == key and groups[key] == slot.group
    )


def wishes_of(root: Assign[Any], choose: Callable[[UnitId, Sequence[str]], list[Choice]]) -> list[Wish]:
    """What each unit may be ordered by itself."""
    return [
        Wish(slot, choose(UnitId(slot.key), [value for value in slot.values if WITH not in value]))
        for slot in root.slots
    ]
