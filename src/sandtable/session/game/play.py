"""A game as it is read: positions and entries by viewpoint, the open questions and their ages.

``v`` counts the lines that are kept for good. A line that is being written is already in the game but not
in here, so nobody is told of it. While a game runs, each viewpoint counts the lines that it is told of
(:mod:`sandtable.session.presenting.ledger`); once it is over, and in a log that is only looked at, everybody
counts all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from sandtable.core.codec import decode, encode
from sandtable.core.decision import Decision, Options, Seat
from sandtable.core.errors import Refused, SandtableError
from sandtable.core.game import Game, not_asked
from sandtable.core.log import Entry, TakeBack
from sandtable.core.ruleset import Ruleset
from sandtable.core.view import View
from sandtable.session.presenting.choice import find_action, read_action
from sandtable.session.presenting.ledger import Ledger
from sandtable.session.presenting.pieces import Pieces
from sandtable.session.presenting.presenting import (
    present_ask,
    present_entry,
    present_outcome,
    present_scene,
    viewpoint_of,
)
from sandtable.session.presenting.wire import Scene, WireEntry, WireOutcome
from sandtable.session.presenting.wire_questions import Ask

__all__ = ["Choice", "Play", "Record", "Stale", "Standpoint"]

AnyRuleset = Ruleset[Any, Any, Any]
Line = Entry[Any, Any] | TakeBack


class Stale(SandtableError):
    """An answer to a question that is no longer open; ``v`` is the present version."""

    def __init__(self, v: int) -> None:
        super().__init__(f"made against an older position; it is {v} now")
        self.v = v


class Choice(msgspec.Struct, frozen=True):
    """How a client names an answer: branches, perhaps a destination below them, or the action as data."""

    keys: tuple[str, ...] = ()
    to: str = ""
    action: dict[str, Any] | None = None


class _Looked(NamedTuple):
    """What a seat sees after a line."""

    seq: int
    view: View
    scene: Scene


class Record:
    """Something that can be looked at line by line: a finished log, a situation, or a game in play."""

    def __init__(self, ruleset: AnyRuleset, lines: Sequence[Line], states: Sequence[Any]) -> None:
        self.ruleset = ruleset
        self.lines = lines
        self.states = states
        self.v = len(lines)
        self._rules: dict[int, tuple[str, str]] = {}
        self._last: dict[str, _Looked] = {}
        self._seen: dict[str, tuple[int, Pieces]] = {}
        self._entries: dict[tuple[str, int], bytes] = {}

    def version(self, seat: str, v: int | None = None) -> int:  # noqa: ARG002 - all is told
        """How many lines ``seat`` is told of, of the first ``v`` or of all."""
        return self.v if v is None else v

    def line(self, seat: str, number: int) -> int:  # noqa: ARG002 - all is told
        """The line that ``seat`` counts as ``number``."""
        return number

    def is_told(self, seat: str, seq: int) -> bool:  # noqa: ARG002 - all is told
        """Whether ``seat`` is told of a line."""
        return True

    def scene(self, seq: int, seat: str) -> Scene:
        """The position after a line."""
        return self._look(seq, seat).scene

    def entry(self, seq: int, seat: str) -> WireEntry:
        """A line as ``seat`` may know it; once told it is kept."""
        kept = self._entries.get((seat, seq))
        if kept is None:
            before = self._pieces(seq - 1, seat) if seq else None
            after = self._pieces(seq, seat)
            entry = present_entry(self.ruleset, self.lines[seq], seat, after, rule=self._rule(seq, seat), before=before)
            told = encode(entry)
            # Who is told the same shares it: most of a line is the same for all who did not make it.
            others = (self._entries.get((other, seq)) for other in tuple(self._seen))
            kept = self._entries[seat, seq] = next((one for one in others if one == told), told)
        entry = decode(kept, WireEntry)
        # How lines are counted changes when the books are opened.
        back_to = None if entry.back_to is None else self.version(seat, entry.back_to + 1) - 1
        return msgspec.structs.replace(entry, seq=self.version(seat, seq + 1) - 1, back_to=back_to)

    def _pieces(self, seq: int, seat: str) -> Pieces:
        """What ``seat`` sees of single counters after a line."""
        viewpoint, last = viewpoint_of(seat), self._seen.get(seat)
        if last is None or last[0] != seq:
            last = self._seen[seat] = seq, Pieces(self.ruleset, self.known_at(seq, seat), viewpoint)
        return last[1]

    def known_at(self, seq: int, seat: str) -> Any:
        """The position after a line as ``seat`` may know it; that of the last look is at hand."""
        last = self._last.get(seat)
        if last is not None and last.seq == seq:
            return last.view.state
        return self.ruleset.conceal(self.states[seq], viewpoint_of(seat))

    def told(self, seq: int, seat: str) -> tuple[WireEntry, Scene]:
        """A line and the position after it."""
        return self.entry(seq, seat), self.scene(seq, seat)

    def _look(self, seq: int, seat: str) -> _Looked:
        """The view after a line; lines are mostly told in their order, so the last one of each seat is kept."""
        last = self._last.get(seat)
        if last is None or last.seq != seq:
            view = self.ruleset.view(self.states[seq], viewpoint_of(seat))
            last = self._last[seat] = _Looked(seq, view, present_scene(self.ruleset, view))
        return last

    def _rule(self, seq: int, seat: str) -> str:
        """The rule of the question that a line answers; only who answered is told how it was put to him alone."""
        if seq not in self._rules:
            decision = self.ruleset.decision(self.states[seq - 1]) if seq else None
            self._rules[seq] = self._rules_of(decision, self.lines[seq].seat)
        common, own = self._rules[seq]
        return own if self.lines[seq].seat == seat else common

    @staticmethod
    def _rules_of(decision: Decision[Any] | None, seat: str) -> tuple[str, str]:
        """The rule under which everybody is asked, and the one under which a seat is."""
        return ("", "") if decision is None else (decision.rule, decision.wording(viewpoint_of(seat)).rule)

    def outcome(self, seq: int) -> WireOutcome | None:
        """How the rules say that it has ended after a line."""
        return present_outcome(self.ruleset.outcome(self.states[seq]))


class Standpoint:
    """What one seat knows at one version: its options, and what may come of them.

    All answers about options come from here, that is from the concealed state alone. It does not change, so a thread
    may work with it while the game goes on.
    """

    def __init__(self, ruleset: AnyRuleset, known: Any, seat: Seat, v: int) -> None:
        self.ruleset = ruleset
        self.known = known
        self.seat = seat
        self.v = v

    def options(self) -> Options[Any]:
        """The answers; raise :class:`Refused` if the seat is not asked."""
        decision = self.ruleset.decision(self.known)
        refusal = not_asked(decision, self.seat)
        if refusal is not None or decision is None:
            assert refusal is not None  # noqa: S101 - no decision is a refusal
            raise Refused(refusal)
        return decision.options(self.seat)

    def find(self, choice: Choice) -> Any:
        """The action that a choice names; whether it is legal is another question."""
        if choice.action is not None:
            return read_action(self.ruleset, choice.action)
        return find_action(self.options(), choice.keys, choice.to)

    def read(self, choice: Choice) -> Any:
        """The action that a choice names; raise :class:`Refused` if it is not legal for all that the seat knows."""
        action = self.find(choice)
        self.check(action)
        return action

    def settled(self, choice: Choice) -> Choice:
        """The choice as it can be sent: of a gathering those who can take part together, and who must as well."""
        if choice.action is not None:
            return choice
        return Choice(self.options().settled(choice.keys), choice.to)

    def check(self, action: Any) -> None:
        """Raise :class:`Refused` if ``action`` is not legal for all that the seat knows.

        Asked before the rules look at the true position, so that a refusal cannot tell what is hidden.
        """
        refusal = self.options().refusal(action)
        if refusal is not None:
            raise Refused(refusal)


class Play(Record):
    """A running game as the server tells of it: entries, scenes and questions for each seat."""

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        super().__init__(game.ruleset, game.lines, game.states)
        self.game = game
        self.questions: dict[str, int] = {}
        """For each seat that is asked, the version at which its question was put."""
        self.is_over = False
        """Whether the game has ended, so that everybody may count all lines."""
        self._ledgers: dict[str, Ledger] = {}
        self._asks: dict[str, tuple[int, Ask | None]] = {}
        self._decision: Decision[Any] | None = None
        lines, self.v = self.v, 0
        for _ in range(lines):
            self.advance()

    def version(self, seat: str, v: int | None = None) -> int:
        """How many lines ``seat`` is told of, of the first ``v`` or of all."""
        lines = self.v if v is None else v
        return lines if self.is_over else self._ledger(seat).version(lines)

    def line(self, seat: str, number: int) -> int:
        """The line that ``seat`` counts as ``number``; it must be one of :meth:`version`."""
        return number if self.is_over else self._ledger(seat).line(number)

    def is_told(self, seat: str, seq: int) -> bool:
        """Whether ``seat`` is told of a line."""
        return self.is_over or self._ledger(seat).is_told(seq)

    def _ledger(self, seat: str) -> Ledger:
        if seat not in self._ledgers:
            self._ledgers[seat] = Ledger(self.ruleset, self.lines, viewpoint_of(seat))
        return self._ledgers[seat]

    @property
    def state(self) -> Any:
        """The position as it stands."""
        return self.states[self.v - 1]

    @property
    def decision(self) -> Decision[Any] | None:
        """The open question."""
        return self._decision

    def advance(self) -> None:
        """Count one more line as kept, and see whose questions it left as they were."""
        line = self.lines[self.v]
        before, after = self._decision, self.ruleset.decision(self.states[self.v])
        self._rules[self.v] = self._rules_of(before, self.lines[self.v].seat)
        self.v += 1
        asked = after.asked if after is not None else ()
        self.questions = {
            seat: self.questions[seat] if _same_question(before, after, line, seat) else self.v for seat in asked
        }
        self._decision = after

    def prepare(self, seats: Iterable[str], *, with_questions: bool) -> None:
        """Work out what these seats are told of the newest line, and keep it."""
        v = self.v
        for seat in seats:
            self.told(v - 1, seat)
            if with_questions:
                self.ask(seat, v)

    def known(self, seat: str) -> Any:
        """The position as ``seat`` may know it."""
        return self.known_at(self.v - 1, seat)

    def check_fresh(self, seat: str, v: int) -> None:
        """Raise :class:`Stale` if the question of ``seat`` was put after ``v``, or ``v`` is yet to come."""
        now = self.version(seat)
        if not self.version(seat, self.questions.get(seat, self.v)) <= v <= now:
            raise Stale(now)

    def standpoint(self, seat: str) -> Standpoint:
        """The position as ``seat`` knows it now; it stays the same when the game goes on."""
        return Standpoint(self.ruleset, self.known(seat), Seat(seat), self.version(seat))

    def ask(self, seat: str, v: int) -> Ask | None:
        """What ``seat`` was asked at version ``v``; the present one is what it is asked now."""
        kept = self._asks.get(seat)
        if kept is None or kept[0] != v:
            question = self.questions.get(seat, v) if v == self.v else v
            ask = present_ask(self.ruleset, self.known_at(v - 1, seat), seat, self.version(seat, question))
            kept = self._asks[seat] = v, ask
        return kept[1]


def _same_question(before: Decision[Any] | None, after: Decision[Any] | None, line: Line, seat: Seat) -> bool:
    """Whether ``seat`` is asked just what it was asked before: only somebody asked beside it has answered."""
    return (
        before is not None
        and after is not None
        and isinstance(line, Entry)
        and line.seat != seat
        and seat in before.asked
        and Seat(line.seat) in before.asked
        and (before.wording(seat), before.depth) == (after.wording(seat), after.depth)
    )
