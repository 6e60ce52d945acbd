"""From a game to what one viewpoint is told of it: positions, entries, questions.

Nothing here looks at more than the viewpoint may know: positions come from ``Ruleset.view``, entries from
redacted actions and events, options from the concealed state. A state's digest is never told, for whoever
has it can try out which hidden orders fit it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from sandtable.core.capabilities import ConcealsScenario, TellsWhoHides
from sandtable.core.codec import encode, to_plain
from sandtable.core.decision import Decision, Seat
from sandtable.core.game import Game
from sandtable.core.log import Entry, Header, TakeBack
from sandtable.core.modifier import Breakdown
from sandtable.core.ruleset import Outcome, Ruleset
from sandtable.core.showing import ShowsEvents
from sandtable.core.view import View
from sandtable.session.presenting.choice import tell_node
from sandtable.session.presenting.ledger import Ledger
from sandtable.session.presenting.pieces import Pieces
from sandtable.session.presenting.story import Stage
from sandtable.session.presenting.wire import (
    Scene,
    Sentence,
    WireBreakdown,
    WireEntry,
    WireOutcome,
    WireRoll,
)
from sandtable.session.presenting.wire_questions import Ask

__all__ = [
    "asked_seats",
    "known_scenario",
    "open_seats",
    "present_ask",
    "present_breakdown",
    "present_entry",
    "present_outcome",
    "present_scene",
    "redacted_log",
    "viewpoint_of",
]

AnyRuleset = Ruleset[Any, Any, Any]
Line = Entry[Any, Any] | TakeBack


def viewpoint_of(seat: str) -> Seat | None:
    """A viewpoint as the rules name it: None is a watcher."""
    return Seat(seat) if seat else None


def open_seats(ruleset: AnyRuleset, state: Any, seat: str) -> tuple[str, ...]:
    """The asked seats that can hide nothing from ``seat``: neither by what they know, nor by how they answer.

    Whether there is a secret is one too, so this goes by what ``seat`` knows.
    """
    return _open_seats(ruleset, ruleset.conceal(state, viewpoint_of(seat)))


def _open_seats(ruleset: AnyRuleset, known: Any) -> tuple[str, ...]:
    decision = ruleset.decision(known)
    if decision is None or decision.secret or not isinstance(ruleset, TellsWhoHides):
        return ()
    return tuple(asked for asked in decision.asked if not ruleset.may_hide(known, asked))


def present_scene(ruleset: AnyRuleset, view: View) -> Scene:
    """A view without its state."""
    return Scene(
        seat=view.seat,
        tracks=view.tracks,
        counters=view.counters,
        hex_markers=view.hex_markers,
        boxes=view.boxes,
        scores=view.scores,
        prompt=view.prompt,
        outcome=view.outcome,
        stakes=view.stakes,
        open_seats=_open_seats(ruleset, view.state),
        side_markers=view.side_markers,
        conditions=view.conditions,
        formations=view.formations,
        patches=view.patches,
    )


def present_outcome(outcome: Outcome | None) -> WireOutcome | None:
    """How the rules say that it ended."""
    if outcome is None:
        return None
    return WireOutcome(outcome.winner, outcome.summary, outcome.rule, dict(outcome.scores))


def present_breakdown(breakdown: Breakdown) -> WireBreakdown:
    """A breakdown with its sums."""
    return WireBreakdown(
        title=breakdown.title,
        rule=breakdown.rule,
        base=breakdown.base,
        base_label=breakdown.base_label,
        terms=breakdown.terms,
        net=breakdown.net,
        total=breakdown.total,
        looked_up=breakdown.result is not None,
        result_label=breakdown.result_label,
        final=breakdown.final,
        text=breakdown.explain(),
    )


def asked_seats(decision: Decision[Any] | None) -> tuple[str, ...]:
    """Who is asked."""
    return tuple(decision.asked) if decision is not None else ()


def present_ask(ruleset: AnyRuleset, known: Any, seat: str, question: int) -> Ask | None:
    """What ``seat`` is asked in a state concealed for it, with the root of its answers; None if it is not asked."""
    viewpoint = viewpoint_of(seat)
    if viewpoint is None:
        return None
    decision = ruleset.decision(known)
    if decision is None or viewpoint not in decision.asked:
        return None
    asked = decision.wording(viewpoint)
    return Ask(question, asked.rule, asked.title, tell_node(decision.options(viewpoint).root))


# --- entries --------------------------------------------------------------------------------------------


def present_entry(
    ruleset: AnyRuleset, line: Line, seat: str, after: Pieces, *, rule: str = "", before: Pieces | None = None
) -> WireEntry:
    """A line of the log as ``seat`` may know it.

    ``after`` are the pieces that it sees after the line, ``before`` those before it, ``rule`` is that of the question
    which the line answers.
    """
    tracks = {track.id: track.at for track in after.tracks}
    if isinstance(line, TakeBack):
        return WireEntry(line.seq, "undo", line.seat, "takes back", tracks=tracks, back_to=line.to)
    viewpoint = viewpoint_of(seat)
    known = [event for event in (ruleset.redact(event, viewpoint) for event in line.events) if event is not None]
    return WireEntry(
        seq=line.seq,
        kind="begin" if line.action is None else "action",
        seat=line.seat,
        text=_action_text(ruleset, line, viewpoint),
        sentences=tuple(_sentences(ruleset, known, after, Stage(before, after))),
        # Whoever learns nothing of what happened does not learn that dice fell either.
        rolls=tuple(WireRoll(str(r.dice), r.faces, r.total, r.why) for r in line.rolls) if known else (),
        tracks=tracks,
        rule=rule,
    )


def _action_text(ruleset: AnyRuleset, entry: Entry[Any, Any], viewpoint: Seat | None) -> str:
    if entry.action is None:
        return ""
    action = ruleset.redact_action(entry.action, Seat(entry.seat), viewpoint)
    return "" if action is None else ruleset.describe(action)


def _sentences(ruleset: AnyRuleset, events: Iterable[Any], after: Pieces, stage: Stage) -> Iterator[Sentence]:
    shows = ruleset.show if isinstance(ruleset, ShowsEvents) else None
    for event in events:
        text = ruleset.narrate(event)
        breakdowns = tuple(map(present_breakdown, ruleset.breakdowns(event)))
        if text or breakdowns:
            shown = shows(event) if shows is not None else None
            beat = stage.tell(shown) if shown is not None else None
            yield Sentence(text, breakdowns, type(event).__name__, after.named_in(event), beat)


# --- the log as a download ------------------------------------------------------------------------------


def redacted_log(game: Game[Any, Any, Any], header: Header, lines: Sequence[Line], seat: str) -> Iterator[str]:
    """The log of a running game as ``seat`` may know it, line by line, numbered as the seat counts them.

    The header says ``redacted``, so that nobody takes it for a log that can be resumed; digests are left out, and so is
    what the scenario holds that the seat may not know.
    """
    viewpoint = viewpoint_of(seat)
    ruleset = game.ruleset
    ledger = Ledger(ruleset, lines, viewpoint)
    known_header = msgspec.structs.replace(header, scenario=known_scenario(ruleset, header.scenario, viewpoint))
    yield encode({**to_plain(known_header), "redacted": seat or "watcher"}).decode() + "\n"
    for number in range(ledger.version(len(lines))):
        line = lines[ledger.line(number)]
        if isinstance(line, TakeBack):
            yield encode(msgspec.structs.replace(line, seq=number, to=ledger.number(line.to))).decode() + "\n"
            continue
        action = line.action
        if action is not None:
            action = ruleset.redact_action(action, Seat(line.seat), viewpoint)
        events = [event for event in (ruleset.redact(one, viewpoint) for one in line.events) if event is not None]
        known = {
            "seq": number,
            "seat": line.seat,
            "action": action,
            "rolls": line.rolls if events else (),
            "events": events,
        }
        yield encode(known).decode() + "\n"


def known_scenario(ruleset: AnyRuleset, draft: Mapping[str, Any], viewpoint: Seat | None) -> dict[str, Any]:
    """The scenario of a running game as a viewpoint may read it."""
    if isinstance(ruleset, ConcealsScenario):
        return ruleset.conceal_scenario(draft, viewpoint)
    return dict(draft)
