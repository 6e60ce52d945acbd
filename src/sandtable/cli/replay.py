"""``sandtable replay LOG``: shows a game again, entry by entry."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandtable.cli.output import Json, PackFolders, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sandtable.catalog import OpenLog
    from sandtable.core.decision import Seat
    from sandtable.core.log import Entry, TakeBack

__all__ = ["replay"]


def replay(
    log: Annotated[Path, typer.Argument(help="A log, as `play` saves it.")],
    to: Annotated[int | None, typer.Option("--to", help="Stop after this entry.")] = None,
    seat: Annotated[str | None, typer.Option("--seat", help="Only what this seat may know.")] = None,
    json: Json = False,
    pack: PackFolders = None,
) -> None:
    """Show a saved game again.

    Its events are folded; the rules of today have no say in it.
    """
    from sandtable import catalog
    from sandtable.cli.output import emit, the_packs
    from sandtable.core.decision import Seat
    from sandtable.core.replay import look_through
    from sandtable.core.replay import replay as fold_events

    where = str(log)
    found = catalog.open_log(catalog.read_text(log), where, the_packs(pack))
    for warning in found.warnings:
        say(warning)
    if seat is not None and seat not in found.ruleset.seats:
        raise catalog.unknown("seat", seat, found.ruleset.seats)
    viewer = Seat(seat) if seat is not None else None
    states = fold_events(found.ruleset, found.log)
    look_through(found.ruleset, found.log, states)
    shown = found.log.lines[: None if to is None else to + 1]
    if json:
        emit(_plain(found, shown, states, viewer))
    else:
        _show(found, shown, states, viewer)


def _told(found: OpenLog, entry: Entry[Any, Any], viewer: Seat | None) -> list[Any]:
    """The entry's events, or what ``viewer`` may know of them."""
    if viewer is None:
        return list(entry.events)
    redacted = (found.ruleset.redact(event, viewer) for event in entry.events)
    return [event for event in redacted if event is not None]


def _plain(
    found: OpenLog, shown: list[Entry[Any, Any] | TakeBack], states: Sequence[Any], viewer: Seat | None
) -> dict[str, Any]:
    from sandtable.core.log import TakeBack
    from sandtable.core.opening import first_state

    entries: list[dict[str, Any]] = []
    for line in shown:
        if isinstance(line, TakeBack):
            entries.append({"seq": line.seq, "seat": line.seat, "takes_back_to": line.to})
            continue
        events = _told(found, line, viewer)
        texts = [text for text in map(found.ruleset.narrate, events) if text]
        entries.append({"seq": line.seq, "seat": line.seat, "events": events, "text": texts})
    last = states[len(shown) - 1] if shown else first_state(found.ruleset, found.log.header)
    state = last if viewer is None else found.ruleset.conceal(last, viewer)
    header = found.log.header
    return {
        "system": header.system,
        "scenario": header.scenario.get("id", ""),
        "entries": entries,
        "state": state,
        "outcome": found.ruleset.outcome(last),
        "warnings": found.warnings,
    }


def _show(found: OpenLog, shown: list[Entry[Any, Any] | TakeBack], states: Sequence[Any], viewer: Seat | None) -> None:
    from rich.markup import escape

    from sandtable.cli.output import screen
    from sandtable.core.log import TakeBack

    console = screen()
    for line in shown:
        who = line.seat or "-"
        if isinstance(line, TakeBack):
            console.print(f"[dim]{line.seq:4}[/] {escape(who)} goes back to entry {line.to}")
            continue
        console.print(f"[dim]{line.seq:4}[/] [bold]{escape(who)}[/]")
        for event in _told(found, line, viewer):
            if text := found.ruleset.narrate(event):
                console.print(f"       {escape(text)}")
            for breakdown in found.ruleset.breakdowns(event):
                console.print(f"         [dim]{escape(breakdown.explain())}[/]")
    outcome = found.ruleset.outcome(states[len(shown) - 1]) if shown else None
    if outcome is not None:
        winner = f"{outcome.winner} wins" if outcome.winner else "a draw"
        console.print(f"[bold]{escape(winner)}[/]: {escape(outcome.summary)} ({outcome.rule})")
