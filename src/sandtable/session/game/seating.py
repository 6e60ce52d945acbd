"""Who sits where at a table, and who is there now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sandtable.core.errors import Refusal, Refused
from sandtable.session.game.notices import Listener
from sandtable.session.people.opponents import bot_title
from sandtable.session.presenting.shelf import WireSide
from sandtable.session.presenting.wire import WireSeat
from sandtable.session.store import SeatRecord

__all__ = ["Seating"]


class Seating:
    """The seats of a table and its listeners."""

    def __init__(self, sides: Sequence[WireSide], seats: Sequence[SeatRecord], names: Mapping[str, str]) -> None:
        self.sides = tuple(sides)
        self.seats = {one.seat: one for one in seats}
        self._names = dict(names)
        self.listeners: set[Listener] = set()

    def rename(self, seats: Iterable[SeatRecord], names: Mapping[str, str]) -> None:
        """Take over who sits where now."""
        self.seats = {one.seat: one for one in seats}
        self._names |= names

    def name_of(self, person: str) -> str:
        """What somebody is called."""
        return self._names.get(person, "")

    def holds(self, person: str, seat: str) -> bool:
        """Whether the seat is his."""
        record = self.seats.get(seat)
        return record is not None and record.kind == "person" and record.person == person

    def held_by(self, person: str) -> tuple[str, ...]:
        """His seats."""
        return tuple(seat for seat in self.seats if self.holds(person, seat))

    def check_holds(self, person: str, seat: str) -> None:
        """Raise :class:`Refused` if the seat is not his."""
        if not seat:
            raise Refused(Refusal("", "a watcher does not act"))
        if not self.holds(person, seat):
            raise Refused(Refusal("", f"the seat {seat} is not yours"))

    def check_plays(self, person: str, seat: str) -> None:
        """Raise :class:`Refused` if the seat is not his, or a bot plays it for him."""
        self.check_holds(person, seat)
        if self.seats[seat].bot:
            raise Refused(Refusal("", f"the computer plays {seat} for you", "take the seat back first"))

    @property
    def is_full(self) -> bool:
        """Whether no invitation is out."""
        return all(one.kind != "open" for one in self.seats.values())

    def bots(self) -> dict[str, str]:
        """Name of the bot by seat, those that have taken over for a person included."""
        return {one.seat: one.bot for one in self.seats.values() if one.bot}

    def others(self, seat: str) -> tuple[str, ...]:
        """The seats whose holder must be asked before ``seat`` takes something back: other people's."""
        mine = self.seats[seat].person
        return tuple(one.seat for one in self.seats.values() if one.kind == "person" and one.person != mine)

    @property
    def watchers(self) -> int:
        """People who are there without a seat."""
        return len({one.person for one in self.listeners if not self.held_by(one.person)})

    def told(self, person: str) -> tuple[WireSeat, ...]:
        """The seats as ``person`` sees them."""
        present = {one.person for one in self.listeners}
        return tuple(
            WireSeat(
                seat=side.id,
                title=side.title,
                colour=side.colour,
                kind=record.kind,
                name=bot_title(record.bot) if record.kind == "bot" else self.name_of(record.person),
                online=record.kind == "bot" or (record.kind == "person" and record.person in present),
                yours=self.holds(person, side.id),
                stand_in=bot_title(record.bot) if record.kind == "person" and record.bot else "",
            )
            for side in self.sides
            if (record := self.seats.get(side.id)) is not None
        )
