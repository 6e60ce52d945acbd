"""One game between bots, and what the lab remembers of it.

Everything in a :class:`Record` is read off the public view and the :mod:`count of pieces <sandtable.core.piece_count>`,
so any system that can be drawn can be studied. Dice and bots have streams of their own, each from the batch's
seed and the game's number: two games that differ in one card roll the same dice as long as they ask for the same rolls.
"""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from sandtable.bots import Policy, ask, make_bot
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.errors import RulesBug
from sandtable.core.piece_count import Piece, count_pieces
from sandtable.core.ruleset import Outcome, Ruleset
from sandtable.core.view import Score, View
from sandtable.sim.playout import MAX_DECISIONS, start
from sandtable.sim.setting import Setting, bound

__all__ = ["Loss", "Record", "play_game", "play_match", "turn_of"]

AnyRuleset = Ruleset[Any, Any, Any]


class Loss(msgspec.Struct, frozen=True):
    """A piece that was lost, or a part of one."""

    turn: int
    unit: str
    kind: str
    """What it was called at first."""
    side: str
    hex: str
    """Where it was last."""
    share: float = 1.0
    """How much of it was lost: less than 1 for a part, such as half of a squad."""


class Record(msgspec.Struct, frozen=True):
    """A game, for statistics."""

    game: int
    seats: tuple[str, ...]
    """In their order, which dictionaries on their way through a file do not keep."""
    winner: str
    """Seat, or "" for a draw."""
    ending: str
    """Why it ended, as the system's summary begins."""
    scores: dict[str, int]
    parts: dict[str, dict[str, int]]
    """By side: what its points are made of, and what else the system counts."""
    turns: int
    decisions: int
    leads: list[int]
    """Points of the first seat over the second, at the end of every turn."""
    losses: list[Loss]
    cut_short: int = 0
    """Answers that a clock cut short: with any of these, the game cannot be repeated."""

    @property
    def margin(self) -> int:
        """Points of the first seat over the second."""
        points = [self.scores[seat] for seat in self.seats]
        return points[0] - points[1] if len(points) > 1 else 0


def play_game(setting: Setting, seed: int, game: int) -> Record:
    """Game number ``game`` of a batch: the same whoever plays it, and wherever."""
    ruleset = bound(setting)
    bots = {Seat(seat): make_bot(name, setting.seconds) for seat, name in setting.bots}
    return play_match(ruleset, bots, f"{seed}/{game}", game)


def play_match(ruleset: AnyRuleset, bots: dict[Seat, Policy], seed: str, game: int = 0) -> Record:
    """Play a game to its end."""
    dice = SeededDice(f"{seed}/dice")
    chance = {seat: Random(f"{seed}/{seat}") for seat in bots}
    state = start(ruleset, dice)
    watch = _Watch(ruleset, state)
    for done in range(MAX_DECISIONS):
        decision = ruleset.decision(state)
        if decision is None:
            outcome = ruleset.outcome(state)
            if outcome is None:
                raise RulesBug("nobody is asked, and yet the game is not over")
            scores = {str(seat): outcome.scores.get(seat, 0) for seat in ruleset.seats}
            cut_short = sum(bot.cut_short for bot in bots.values())
            return watch.record(game, outcome, scores, done, cut_short)
        seat = decision.asked[0]
        action = ask(bots[seat], ruleset, state, seat, chance[seat])
        state = ruleset.resolve(state, seat, action, dice).state
        watch.see(state)
    raise RulesBug(f"the game does not end in {MAX_DECISIONS} decisions")


class _Watch:
    """A spectator with a notebook."""

    def __init__(self, ruleset: AnyRuleset, state: Any) -> None:
        self._ruleset = ruleset
        self._view: View = ruleset.view(state, None)
        self._pieces: dict[str, Piece] = {piece.id: piece for piece in count_pieces(ruleset, state, self._view)}
        self._losses: list[Loss] = []
        self._leads: list[int] = []

    def see(self, state: Any) -> None:
        """Compare with what was seen before."""
        before, view = self._view, self._ruleset.view(state, None)
        if view.counters != before.counters:
            for piece in count_pieces(self._ruleset, state, view):
                self._note(turn_of(before), piece)
        if turn_of(view) != turn_of(before):
            self._leads.append(_lead(view.scores))
        self._view = view

    def _note(self, turn: int, now: Piece) -> None:
        was = self._pieces.get(now.id, now)
        if now.left < was.left:
            self._losses.append(Loss(turn, now.id, was.kind, was.side, now.hex or was.hex, was.left - now.left))
        # A piece keeps its first name, and off the map the hex that it was last seen in.
        self._pieces[now.id] = now._replace(kind=was.kind, side=was.side, hex=now.hex or was.hex)

    def record(self, game: int, outcome: Outcome, scores: dict[str, int], decisions: int, cut_short: int) -> Record:
        """What is kept."""
        view = self._view
        parts = {score.side: {part.name: part.number for part in score.parts} for score in view.scores}
        leads = [*self._leads, _lead(view.scores)]
        ending = outcome.summary.partition(";")[0]
        turns = turn_of(view)
        return Record(
            game, tuple(scores), outcome.winner, ending, scores, parts, turns, decisions, leads, self._losses, cut_short
        )


def turn_of(view: View) -> int:
    """The turn, by the track of that name or the first one."""
    track = next((track for track in view.tracks if track.id == "turn"), view.tracks[0] if view.tracks else None)
    return track.at + 1 if track is not None else 0


def _lead(scores: tuple[Score, ...]) -> int:
    return scores[0].points - scores[1].points if len(scores) > 1 else 0
