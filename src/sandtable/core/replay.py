"""Replay folds the events of a log; verification resolves its actions again and compares.

Replay never depends on the rules code of today, so a fix to a rule cannot break an old game. Verification does,
and says where today's rules would have gone another way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from sandtable.core.codec import digest, encode, first_difference
from sandtable.core.decision import Decision, Seat
from sandtable.core.dice import Dice, RecordedDice
from sandtable.core.errors import BadInput, Fault, RulesBug
from sandtable.core.game import Game, not_asked
from sandtable.core.log import Entry, Header, LoadedLog, TakeBack
from sandtable.core.opening import begin_game, first_state
from sandtable.core.ruleset import Ruleset
from sandtable.core.states import States

__all__ = ["look_through", "replay", "resume", "taken_up", "verify"]

S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")


def replay(ruleset: Ruleset[S, A, E], log: LoadedLog[A, E]) -> States[S]:
    """The state after every line; raise :class:`BadInput` where a digest does not fit."""
    states: States[S] = States(ruleset, log.lines)
    state = first_state(ruleset, log.header)
    for line in log.lines:
        if isinstance(line, TakeBack):
            state = states[line.to]
        else:
            state = _folded(ruleset, state, line)
            if digest(state) != line.digest:
                raise BadInput([Fault(f"entry {line.seq}: digest", "the events do not give this state", digest(state))])
        states.append(state)
    return states


def _folded(ruleset: Ruleset[S, A, E], state: S, line: Entry[A, E]) -> S:
    """The state after the events of a line; events that no game has had are a fault of the log."""
    for event in line.events:
        try:
            state = ruleset.fold(state, event)
        except Exception as error:  # noqa: BLE001 - a fold trusts its event: a forged one may break it anyhow
            wrong = f"{type(event).__name__} cannot have happened here ({type(error).__name__}: {error})"
            raise BadInput([Fault(f"entry {line.seq}: events", wrong, "what came of the action")]) from None
    return state


def look_through(ruleset: Ruleset[S, A, E], log: LoadedLog[A, E], states: Sequence[S]) -> None:
    """Raise :class:`BadInput` at the first state that cannot be looked at.

    Replay believes the events of a log. Somebody who knows how digests are made can forge a log of events that give
    no position at all; whoever shows states that strangers bring looks through them first.
    """
    for line, state in zip(log.lines, states, strict=True):
        try:
            ruleset.outcome(state)
            _check_seats(ruleset, line, ruleset.decision(state))
            ruleset.view(state, None)
            if isinstance(line, Entry):
                _describe(ruleset, line)
            if line is log.lines[-1]:
                _check_answers(ruleset, state)
        except Exception as error:  # noqa: BLE001 - in a state that the rules did not make, they may fail anyhow
            wrong = f"give no position of this game ({type(error).__name__}: {error})"
            raise BadInput([Fault(f"entry {line.seq}: events", wrong, "what came of the action")]) from None


def _check_seats(ruleset: Ruleset[S, A, E], line: Entry[A, E] | TakeBack, decision: Decision[A] | None) -> None:
    """Raise :class:`ValueError` if a line is of somebody, or leaves somebody asked, who does not play."""
    for seat in (line.seat, *(decision.asked if decision is not None else ())):
        if seat and seat not in ruleset.seats:
            raise ValueError(f"there is no seat {seat!r}")


def _check_answers(ruleset: Ruleset[S, A, E], state: S) -> None:
    """Ask as the one is asked who plays on."""
    for seat in ruleset.seats:
        known = ruleset.conceal(state, seat)
        ruleset.view(state, seat)
        decision = ruleset.decision(known)
        if decision is not None and seat in decision.asked:
            _ = decision.options(seat).root


def _describe(ruleset: Ruleset[S, A, E], line: Entry[A, E]) -> None:
    """Put a line into words, as whoever reads the log does."""
    if line.action is not None:
        ruleset.describe(line.action)
        ruleset.redact_action(line.action, Seat(line.seat), None)
    for event in line.events:
        ruleset.narrate(event)
        ruleset.breakdowns(event)


def resume(ruleset: Ruleset[S, A, E], log: LoadedLog[A, E], dice: Dice) -> Game[S, A, E]:
    """The game of a log, ready to go on with ``dice``."""
    game = Game(ruleset, log.header, dice)
    game.lines = list(log.lines)
    game.states = replay(ruleset, LoadedLog(log.header, game.lines))
    return game


def taken_up(ruleset: Ruleset[S, A, E], log: LoadedLog[A, E], at: int, dice: Dice) -> Game[S, A, E]:
    """A new game that goes on after entry ``at`` of a log: it has all that came before, then its own dice."""
    if not 0 <= at < len(log.lines):
        raise BadInput([Fault("at", f"there is no entry {at}", f"0 to {len(log.lines) - 1}")])
    header = replace(log.header, taken_up=at)
    game = resume(ruleset, LoadedLog(header, log.lines[: at + 1]), dice)
    if game.decision is None:
        raise BadInput([Fault("at", f"the game is over after entry {at}", "an earlier moment")])
    return game


def verify(ruleset: Ruleset[S, A, E], log: LoadedLog[A, E]) -> list[str]:
    """Where resolving the actions again, with the recorded rolls, differs from the log; empty if nowhere."""
    differences: list[str] = []
    states: States[S] = States(ruleset, log.lines)
    state = first_state(ruleset, log.header)
    for line in log.lines:
        if isinstance(line, TakeBack):
            state = states[line.to]
        else:
            found = _check_entry(ruleset, log.header, state, line)
            if found:
                differences.append(f"entry {line.seq}: {found}")
            state = _folded(ruleset, state, line)
            if digest(state) != line.digest:
                differences.append(f"entry {line.seq}: the events do not give the recorded state")
        states.append(state)
    return differences


def _check_entry(ruleset: Ruleset[S, A, E], header: Header, state: S, entry: Entry[A, E]) -> str:
    dice = RecordedDice(entry.rolls)
    try:
        if entry.action is None:
            again = begin_game(ruleset, header, state, dice)
        else:
            seat = Seat(entry.seat)
            refusal = not_asked(ruleset.decision(state), seat) or ruleset.refusal(state, seat, entry.action)
            if refusal is not None:
                return f"not legal: {refusal}"
            again = ruleset.resolve(state, seat, entry.action, dice)
    except RulesBug as bug:
        return str(bug)
    except Exception as error:  # noqa: BLE001 - in a state that the rules did not make, they may fail anyhow
        return f"cannot be resolved: {type(error).__name__}: {error}"
    if encode(again.events) != encode(list(entry.events)):
        return f"other events: {first_difference(again.events, list(entry.events))}"
    return f"{len(dice.left)} recorded rolls were not asked for" if dice.left else ""
