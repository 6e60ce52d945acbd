"""A game in progress: a ruleset, the state, and the log that the state is a function of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, NamedTuple, TypeVar

from sandtable.core.codec import digest
from sandtable.core.decision import Decision, Seat
from sandtable.core.dice import Dice, RecordingDice
from sandtable.core.errors import Refusal, Refused, RulesBug
from sandtable.core.log import Entry, Header, TakeBack
from sandtable.core.opening import begin_game, first_state
from sandtable.core.ruleset import Outcome, Resolution, Ruleset
from sandtable.core.states import States

__all__ = ["Game", "Resolved", "not_asked"]

S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")


def not_asked(decision: Decision[Any] | None, seat: Seat) -> Refusal | None:
    """Why ``seat`` may not act at all now, or ``None`` if he is asked."""
    if decision is None:
        return Refusal("", "the game is over")
    if seat not in decision.asked:
        asked = ", ".join(decision.asked)
        return Refusal(decision.rule, f"{seat} is not asked now", f"it is for {asked} to answer: {decision.title}")
    return None


class Resolved(NamedTuple, Generic[S, A, E]):
    """What an action would add to a game."""

    entry: Entry[A, E]
    state: S


class Game(Generic[S, A, E]):
    """Plays actions, keeps the log, undoes where the rules of undo allow."""

    def __init__(self, ruleset: Ruleset[S, A, E], header: Header, dice: Dice) -> None:
        self.ruleset = ruleset
        self.header = header
        self.dice = dice
        self.lines: list[Entry[A, E] | TakeBack] = []
        self.states: States[S] = States(ruleset, self.lines)
        """The state after each line; old ones are folded again when somebody asks for them."""

    @classmethod
    def start(cls, ruleset: Ruleset[S, A, E], header: Header, dice: Dice) -> Game[S, A, E]:
        """Set up and run to the first question."""
        game = cls(ruleset, header, dice)
        recording = RecordingDice(dice)
        state = first_state(ruleset, header)
        game.add(game._resolved(Seat(""), None, begin_game(ruleset, header, state, recording), recording))
        return game

    @property
    def state(self) -> S:
        """The state as it stands."""
        return self.states[-1]

    @property
    def decision(self) -> Decision[A] | None:
        """The open question."""
        return self.ruleset.decision(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, once it has."""
        return self.ruleset.outcome(self.state)

    def refusal(self, seat: Seat, action: A) -> Refusal | None:
        """Why ``seat`` may not do ``action`` now, or ``None``."""
        return not_asked(self.decision, seat) or self.ruleset.refusal(self.state, seat, action)

    def play(self, seat: Seat, action: A) -> Entry[A, E]:
        """Do ``action``; raise :class:`Refused`, with nothing changed, if the rules forbid it."""
        return self.add(self.resolve(seat, action))

    def resolve(self, seat: Seat, action: A) -> Resolved[S, A, E]:
        """The line that ``action`` would add, with the state after it; the game stays as it is."""
        refusal = self.refusal(seat, action)
        if refusal is not None:
            raise Refused(refusal)
        recording = RecordingDice(self.dice)
        return self._resolved(seat, action, self.ruleset.resolve(self.state, seat, action, recording), recording)

    def add(self, resolved: Resolved[S, A, E]) -> Entry[A, E]:
        """Add a line that was resolved for the game as it stands."""
        if resolved.entry.seq != len(self.lines):
            raise RulesBug("the game has gone on since the action was resolved")
        self.lines.append(resolved.entry)
        self.states.append(resolved.state)
        return resolved.entry

    def undo_refusal(self, seat: Seat, consent: Iterable[Seat] = ()) -> Refusal | None:
        """Why ``seat`` may not take his last action back, or ``None``.

        Free only while nothing was rolled or revealed and nobody else has acted since; else all others must agree.
        """
        last = self._last_action()
        if last is None:
            return Refusal("", "there is nothing to take back")
        if set(self.ruleset.seats) - {seat} <= set(consent):
            return None
        entry = self.lines[last]
        assert isinstance(entry, Entry)  # noqa: S101 - what _last_action points at
        others = "the other seats must agree"
        if entry.seat != seat:
            return Refusal("", f"{entry.seat} has acted since", others)
        if entry.rolls:
            return Refusal("", "dice were rolled", others)
        if any(self.ruleset.reveals(event) for event in entry.events):
            return Refusal("", "something hidden was revealed", others)
        return None

    def undo(self, seat: Seat, consent: Iterable[Seat] = ()) -> TakeBack:
        """Take the last action back; raise :class:`Refused` if that is not allowed."""
        consent = tuple(consent)
        refusal = self.undo_refusal(seat, consent)
        if refusal is not None:
            raise Refused(refusal)
        last = self._last_action()
        assert last is not None  # noqa: S101 - undo_refusal saw to it
        line = TakeBack(len(self.lines), seat, last - 1, consent)
        self.lines.append(line)
        self.states.append(self.states[line.to])
        return line

    def _last_action(self) -> int | None:
        """Sequence number of the newest action that still stands."""
        seq = len(self.lines) - 1
        while seq > 0:
            line = self.lines[seq]
            if isinstance(line, Entry):
                return seq
            seq = line.to
        return None

    def _resolved(
        self, seat: Seat, action: A | None, resolution: Resolution[S, E], recording: RecordingDice
    ) -> Resolved[S, A, E]:
        entry = Entry(
            len(self.lines),
            seat,
            action,
            tuple(recording.rolls),
            tuple(resolution.events),
            digest(resolution.state),
        )
        return Resolved(entry, resolution.state)
