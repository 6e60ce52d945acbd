"""Company: who may come to a table, who plays again, and who wants to see a game no more."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from sandtable.bots import make_bot
from sandtable.core.codec import decode
from sandtable.core.errors import BadInput, Fault, Refusal, Refused
from sandtable.session.game.live_game import LiveGame
from sandtable.session.presenting.shelf import Invitation, NewTable, TableMade
from sandtable.session.presenting.wire import Clock
from sandtable.session.registry import NotFound, Registry
from sandtable.session.store import Invite, Person, SeatRecord, Store, TableRecord

__all__ = ["delete", "invitation", "invitations", "offer", "open_invitations", "owns", "rematch"]

_MOST_OPEN = 50
"""Open tables that the lobby shows."""


async def invitation(registry: Registry, token: str) -> Invitation:
    """What an invitation is to: the game, the side, the clock and who invites."""
    found = await registry.keeper.run(lambda store: _read(store, [store.invite(token)]))
    if not found:
        raise NotFound("this invitation is not, or no longer, good")
    return _told(registry, *found[0])


async def open_invitations(registry: Registry, person: Person) -> tuple[Invitation, ...]:
    """The seats that anybody may take."""
    found = await registry.keeper.run(lambda store: _read(store, store.public_invites(person.id, _MOST_OPEN)))
    return tuple(_told(registry, *one) for one in found)


async def invitations(registry: Registry, person: Person, table_id: str) -> dict[str, str]:
    """Token by seat of the invitations to a table, for whoever set it up."""
    mine = await registry.keeper.run(lambda store: store.invites_of(person.id))
    return {one.seat: one.token for one in mine if one.table == table_id}


def _read(store: Store, invites: Sequence[Invite | None]) -> list[tuple[Invite, TableRecord, str]]:
    found = []
    for invite in invites:
        table = store.table(invite.table) if invite is not None else None
        if invite is not None and table is not None:
            found.append((invite, table, store.names([table.owner]).get(table.owner, "")))
    return found


def _told(registry: Registry, invite: Invite, table: TableRecord, inviter: str) -> Invitation:
    row = next((one for one in registry.books.scenarios if one.id == table.scenario), None)
    sides = row.sides if row is not None else ()
    place, side = next(((n, one) for n, one in enumerate(sides) if one.id == invite.seat), (0, None))
    system = next((one.title for one in registry.books.systems if one.id == table.system), table.system)
    return Invitation(
        token=invite.token,
        table=table.id,
        title=row.title if row is not None else table.title,
        system=system,
        summary=row.summary if row is not None else "",
        turns=row.turns if row is not None else 0,
        seat=invite.seat,
        side=side.title if side is not None else "",
        colour=side.colour if side is not None else "",
        second=place % 2 == 1,
        clock=decode(table.clock, Clock) if table.clock else None,
        inviter=inviter,
        help=decode(table.options, dict[str, str]).get("help") == "on",
    )


async def offer(registry: Registry, person: Person, table_id: str, seat: str, who: str) -> TableMade:
    """Do something else with a seat that nobody has taken, if one set the table up oneself.

    The invitation is withdrawn; there may be another, a bot may have the seat, or whoever offers it takes it himself.
    """
    table, _ = await registry.table(table_id)
    await _check_owner(registry, person, table_id)
    if seat not in table.seating.seats:
        raise BadInput([Fault("seat", f"no seat {seat!r}", f"one of {', '.join(table.seating.seats)}")])
    record, invite = SeatRecord(table_id, seat, "open"), None
    if who.startswith("bot:"):
        make_bot(who.removeprefix("bot:"), where="who")
        record = SeatRecord(table_id, seat, "bot", bot=who.removeprefix("bot:"))
    elif who == "hotseat":
        record = SeatRecord(table_id, seat, "person", person.id)
    elif who in ("invite", "open"):
        invite = Invite(secrets.token_urlsafe(18), table_id, seat, is_public=who == "open")
    elif who:
        raise BadInput([Fault("who", repr(who), "invite, open, hotseat, bot:NAME, or nothing to withdraw")])
    if not await registry.keeper.run(lambda store: store.offer_seat(record, invite)):
        raise Refused(Refusal("", "somebody sits there already"))
    await table.seated()
    return TableMade(table_id, {} if invite is None else {seat: invite.token})


async def owns(registry: Registry, person: Person, table_id: str) -> bool:
    """Whether he set the table up."""
    record = await registry.keeper.run(lambda store: store.table(table_id))
    return record is not None and record.owner == person.id


async def _check_owner(registry: Registry, person: Person, table_id: str) -> None:
    if not await owns(registry, person, table_id):
        raise Refused(Refusal("", "only whoever set this table up may do that"))


async def rematch(registry: Registry, person: Person, table_id: str, *, swap: bool) -> TableMade:
    """Play the scenario again with the same people, clock and options; the sides swapped or not.

    The first to ask makes the table; another who played takes the seat that waits for him there.
    """
    table, _ = await registry.table(table_id)
    if not table.is_over:
        raise Refused(Refusal("", "this game is not over", "finish or resign it first"))
    if not table.seating.held_by(person.id):
        raise Refused(Refusal("", "you did not play here"))
    async with table.lock:
        there = await registry.keeper.run(lambda store: store.rematch(table_id))
        if there and await registry.keeper.run(lambda store: store.table(there)) is not None:
            return await _come_too(registry, person, there)
        made = await registry.create(person, _again(table, person, swap=swap))
        await registry.keeper.run(lambda store: store.rematch(table_id, made.id))
    if made.invites:
        await table.announce(f"{person.name} offers a rematch: press Rematch to take it.")
    return made


def _again(table: LiveGame, person: Person, *, swap: bool) -> NewTable:
    record = table.record
    if not record.scenario:
        raise Refused(Refusal("", "this game began from a situation", "play on from its first moment"))
    before = {seat: _wish(chair, person) for seat, chair in table.seating.seats.items()}
    seats = list(before)
    after = {seat: before[seats[(place + swap) % len(seats)]] for place, seat in enumerate(seats)}
    clock = decode(record.clock, Clock) if record.clock else None
    return NewTable(record.scenario, after, clock, decode(record.options, dict[str, str]))


def _wish(chair: SeatRecord, person: Person) -> str:
    if chair.kind == "bot":
        return f"bot:{chair.bot}"
    return "hotseat" if chair.person == person.id else "invite"


async def _come_too(registry: Registry, person: Person, there: str) -> TableMade:
    """Take the seat that waits at a rematch, or just go there."""
    table, _ = await registry.table(there)
    if not table.seating.held_by(person.id):
        owner = table.record.owner
        waiting = await registry.keeper.run(
            lambda store: [one for one in store.invites_of(owner) if one.table == there]
        )
        if waiting:
            return await registry.join(person, waiting[0].token)
    return TableMade(there)


async def delete(registry: Registry, person: Person, table_id: str) -> None:
    """Take a table off one's list; it is gone once all have done so who sat there. A game with others must be over."""

    def read(store: Store) -> tuple[TableRecord | None, list[SeatRecord]]:
        return store.table(table_id), store.seats(table_id)

    record, seats = await registry.keeper.run(read)
    if record is None:
        raise NotFound(f"no table {table_id}")
    people = {record.owner, *(one.person for one in seats if one.person)}
    if person.id not in people:
        raise Refused(Refusal("", "this table is not yours"))
    if record.kind == "game" and not record.progress.result and len(people) > 1:
        raise Refused(Refusal("", "others play this game", "resign it first"))
    gone = await registry.keeper.run(lambda store: store.forget_table(person.id, table_id))
    if gone:
        await registry.put_away(table_id)
