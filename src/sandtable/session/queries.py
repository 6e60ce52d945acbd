"""What people ask about tables over HTTP, and who may ask what."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext

from msgspec import DecodeError, structs

from sandtable.bots import BOTS, make_bot
from sandtable.core.codec import decode
from sandtable.core.decision import Seat
from sandtable.core.errors import BadInput, Fault, Refusal, Refused
from sandtable.core.log import Entry, Header, dump
from sandtable.session import company
from sandtable.session.files.exhibit import Exhibit, the_files_fault
from sandtable.session.game.live_game import LiveGame
from sandtable.session.game.play import Record
from sandtable.session.game.seating import Seating
from sandtable.session.people.opponents import bot_rows
from sandtable.session.presenting import reference
from sandtable.session.presenting.advice import Advice
from sandtable.session.presenting.presenting import redacted_log, viewpoint_of
from sandtable.session.presenting.shelf import (
    InviteRow,
    Moment,
    SystemRow,
    TableInfo,
    TableRow,
    WireLobby,
    WirePerson,
)
from sandtable.session.presenting.wire import Clock, WireEntry, WireOutcome
from sandtable.session.registry import Registry
from sandtable.session.store import Person, SeatRecord, Store, TableRecord
from sandtable.session.thinking.brain import Mind
from sandtable.session.thinking.robots import Standing, new_seed

__all__ = ["Denied", "entries", "finished_log", "info", "lobby", "log_of", "moment", "thoughts", "viewpoint"]

_log = logging.getLogger(__name__)
_MOST_ENTRIES = 500
_SECOND = "captain:2:steady"
"""Who says what he would have done in a person's place."""


class Denied(Refused):
    """What somebody asks for is not for him to know or to do."""


async def lobby(registry: Registry, person: Person) -> WireLobby:
    """Everything that somebody finds when he comes in."""

    def read(store: Store) -> tuple[list[tuple[TableRecord, list[SeatRecord]]], list[InviteRow], dict[str, str]]:
        mine = store.tables_of(person.id)
        people = {one.person for _, seats in mine for one in seats if one.person}
        invites = [InviteRow(one.table, one.seat, one.token, one.is_public) for one in store.invites_of(person.id)]
        return mine, invites, store.names(sorted(people))

    mine, invites, names = await registry.keeper.run(read)
    scenarios = {row.id: row for row in registry.books.scenarios}
    rows = []
    for record, seats in mine:
        scenario = scenarios.get(record.scenario)
        sides = scenario.sides if scenario is not None else reference.sides((), [one.seat for one in seats])
        live = registry.live(record.id)
        seating = live.seating if live is not None else Seating(sides, seats, names)
        try:
            rows.append(_row(record, seating, person))
        except DecodeError:
            _log.warning("table %s is damaged and not listed", record.id)
    rows.sort(key=lambda row: (not row.your_move, row.over, -row.updated))
    return WireLobby(
        me=WirePerson(person.name, person.is_guest),
        systems=registry.books.systems,
        scenarios=registry.books.scenarios,
        lessons=registry.books.lessons,
        bots=bot_rows(tuple(BOTS)),
        tables=tuple(rows),
        invites=tuple(invites),
        open=await company.open_invitations(registry, person),
    )


def _row(record: TableRecord, seating: Seating, person: Person) -> TableRow:
    progress = record.progress
    result = decode(progress.result, WireOutcome).summary if progress.result else ""
    asked = progress.asked.split(",") if progress.asked else []
    is_game = record.kind == "game"
    return TableRow(
        id=record.id,
        kind="game" if is_game else "replay",
        title=record.title,
        system=record.system,
        scenario=record.scenario,
        seats=seating.told(person.id),
        your_move=is_game and not result and any(seating.holds(person.id, seat) for seat in asked),
        over=bool(result) or not is_game,
        result=result,
        updated=progress.updated,
    )


async def info(registry: Registry, person: Person, table_id: str, seat: str | None) -> TableInfo:
    """What does not change at a table."""
    table, books = await registry.look(table_id)
    record, shown = table.record, _shown(table)
    seat = viewpoint(table, person, seat)
    with _looking(table):
        known = books.ruleset.conceal(shown.states[shown.v - 1], viewpoint_of(seat))
        card_of = reference.card_of(books.ruleset, known)
        cards = reference.cards(books.ruleset, list(card_of.values()))
        stakes = books.ruleset.view(known, viewpoint_of(seat)).stakes
    card = books.system.card
    draft = books.draft
    return TableInfo(
        id=record.id,
        kind="game" if isinstance(table, LiveGame) else "replay",
        title=record.title,
        system=SystemRow.of(card),
        scenario=record.scenario,
        turns=int(draft.get("turns") or 0),
        status=str(draft.get("status") or ""),
        summary=str(draft.get("summary") or ""),
        briefing=str(draft.get("briefing") or ""),
        sides=books.sides,
        objectives=reference.objectives(stakes),
        victory=reference.victory(stakes),
        seats=table.seating.told(person.id) if isinstance(table, LiveGame) else (),
        invites=await company.invitations(registry, person, table_id),
        owner=await company.owns(registry, person, table_id),
        clock=decode(record.clock, Clock) if record.clock else None,
        options=decode(record.options, dict[str, str]),
        over=_is_over(table),
        last=shown.version(seat) - 1,
        rules=books.rules,
        summaries=books.summaries,
        waits=books.waits,
        glossary=books.glossary,
        tables=books.tables,
        cards=cards,
        card_of=card_of,
        has_map=books.drawing is not None,
        tools=books.tools.names if _is_over(table) else books.tools.in_play(),
        outlines=books.tools.outline_titles,
    )


def viewpoint(table: LiveGame | Exhibit, person: Person, seat: str | None) -> str:
    """The viewpoint that somebody asks for, if he may have it; without a wish, the best that he has.

    While a game runs that is a seat of his or the watchers'; once it is over, any seat.
    """
    ruleset = _shown(table).ruleset
    if seat is not None and seat != "" and seat not in ruleset.seats:
        raise BadInput([Fault("seat", f"no seat {seat!r}", f"one of {', '.join(ruleset.seats)}")])
    held = table.seating.held_by(person.id) if isinstance(table, LiveGame) else ()
    if seat is None:
        return held[0] if held else ""
    if seat and seat not in held and not _is_over(table):
        raise Denied(Refusal("", f"what {seat} knows is not for you while the game runs"))
    return seat


def _shown(table: LiveGame | Exhibit) -> Record:
    return table.play if isinstance(table, LiveGame) else table.shown


def _looking(table: LiveGame | Exhibit) -> AbstractContextManager[None]:
    """Where the rules look at a position: what fails there is a fault of the file, if it is of a file."""
    return the_files_fault(table.record.title) if isinstance(table, Exhibit) else nullcontext()


def _is_over(table: LiveGame | Exhibit) -> bool:
    return table.is_over if isinstance(table, LiveGame) else True


async def entries(  # noqa: PLR0917 - the parts of the address
    registry: Registry, person: Person, table_id: str, seat: str | None, start: int, end: int | None, *, owner: str = ""
) -> list[WireEntry]:
    """Lines of the log as a viewpoint may know them; ``owner``, who wants them, has them worked out one by one."""
    table, _ = await registry.look(table_id)
    seat = viewpoint(table, person, seat)
    shown = _shown(table)
    first = max(0, start)
    v = shown.version(seat)
    last = min(v, first + _MOST_ENTRIES, v if end is None else end)
    found = []
    async with registry.turns.of(owner):
        for number in range(first, last):
            with _looking(table):
                found.append(shown.entry(shown.line(seat, number), seat))
            await asyncio.sleep(0)  # a look at each position takes a while, and others are served between two
    return found


async def moment(registry: Registry, person: Person, table_id: str, seat: str | None, seq: int) -> Moment:
    """The position after a line."""
    table, _ = await registry.look(table_id)
    seat = viewpoint(table, person, seat)
    shown = _shown(table)
    last = shown.version(seat) - 1
    if not 0 <= seq <= last:
        raise BadInput([Fault("seq", f"no entry {seq}", f"0 to {last}")])
    line = shown.line(seat, seq)
    with _looking(table):
        entry, scene = shown.told(line, seat)
        outcome = table.result if seq == last and isinstance(table, LiveGame) else shown.outcome(line)
    return Moment(seq, last, entry, scene, outcome)


async def thoughts(  # noqa: PLR0917 - the parts of the address
    registry: Registry, person: Person, table_id: str, seat: str | None, seq: int, bot: str, *, owner: str = ""
) -> Advice:
    """Why a bot answered as it did before a line, or what the bot ``bot`` would have answered there.

    It is told from what the seat that answered knew. So while the game runs only the holder of that seat may ask: the
    thoughts of the other side would give its secrets away. ``seat`` is the viewpoint that counts the lines. The
    computer thinks in the name of ``owner``.
    """
    table, _ = await registry.look(table_id)
    shown = _shown(table)
    counts = viewpoint(table, person, seat)
    last = shown.version(counts) - 1
    wanted, seq = seq, shown.line(counts, seq) if 0 < seq <= last else 0
    line = shown.lines[seq]
    if not isinstance(line, Entry) or line.action is None:
        raise BadInput([Fault("seq", f"nobody answered anything with entry {wanted}", f"1 to {last}")])
    viewpoint(table, person, line.seat)
    if isinstance(table, LiveGame) and not table.is_over:
        table.check_help()
    kept = None if bot else await registry.keeper.run(lambda store: store.thought(table_id, seq))
    header = table.play.game.header if isinstance(table, LiveGame) else table.header
    name = kept.bot if kept is not None else bot or _player(header, line.seat)
    make_bot(name)
    with _looking(table):
        known = shown.ruleset.conceal(shown.states[seq - 1], Seat(line.seat))
        played = shown.ruleset.describe(line.action)
    mind = Mind(name, line.seat, kept.seed if kept is not None else new_seed())
    advice = await registry.robots.advise(Standing(shown.ruleset, header, known), mind, owner)
    return structs.replace(advice, played=played, is_same=kept is not None and advice.chosen == played)


def _player(header: Header, seat: str) -> str:
    """The bot of a seat by the log's header; for a person's, whoever gives second opinions."""
    kind, _, bot = header.seats.get(seat, "").partition(":")
    return bot if kind == "bot" else _SECOND


async def log_of(registry: Registry, person: Person, table_id: str, seat: str | None) -> Iterator[str]:
    """The log as a download: whole once the game is over, before that as the viewpoint may know it."""
    table, _ = await registry.look(table_id)
    if isinstance(table, Exhibit):
        lines = await registry.keeper.run(lambda store: store.lines(table_id))
        return iter([table.record.header] if table.record.kind == "situation" else _joined(table.record.header, lines))
    game, v = table.play.game, table.play.v
    if table.is_over:
        return dump(game.header, game.lines[:v])
    return redacted_log(game, game.header, game.lines[:v], viewpoint(table, person, seat))


async def finished_log(registry: Registry, table_id: str) -> str:
    """The whole log of a game that is over, or of one that somebody brought; raise :class:`Refused` for any other."""
    table, _ = await registry.look(table_id)
    if isinstance(table, LiveGame) and not table.is_over:
        raise Denied(Refusal("", "a review tells what both sides know", "wait until the game is over"))
    if isinstance(table, LiveGame):
        return "".join(dump(table.play.game.header, table.play.game.lines[: table.play.v]))
    if table.record.kind == "situation":
        raise Refused(Refusal("", "a situation is no game that could be reviewed", "the log of a game"))
    lines = await registry.keeper.run(lambda store: store.lines(table_id))
    return "".join(_joined(table.record.header, lines))


def _joined(header: str, lines: list[str]) -> list[str]:
    return [f"{line}\n" for line in (header, *lines)]
