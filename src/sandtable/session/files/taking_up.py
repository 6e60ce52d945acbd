"""A new game from a moment of an old one, or of a situation: all that came before it, then new dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable import catalog
from sandtable.core.content.pack import Pack
from sandtable.core.content.scenario import read_draft
from sandtable.core.errors import BadInput, Fault, Refusal, Refused
from sandtable.core.game import Game
from sandtable.core.log import LoadedLog
from sandtable.core.replay import taken_up
from sandtable.session.files.exhibit import Exhibit
from sandtable.session.game.dice import SystemDice
from sandtable.session.game.live_game import LiveGame

__all__ = ["check_may_take_up", "game_from"]

AnyGame = Game[Any, Any, Any]


def check_may_take_up(table: LiveGame | Exhibit, person: str) -> None:
    """Raise :class:`Refused` unless he may see the whole of it: it is over, a file, or his own on every side."""
    if isinstance(table, Exhibit) or table.is_over:
        return
    if set(table.seating.held_by(person)) != set(table.seating.seats):
        reason = "this game is still being played, and not all sides of it are yours"
        raise Refused(Refusal("", reason, "wait until it is over"))


def game_from(table: LiveGame | Exhibit, at: int, seats: Mapping[str, str], packs: Sequence[Pack]) -> AnyGame:
    """The game that goes on after entry ``at``, with these seats; raise :class:`BadInput` where there is none."""
    if isinstance(table, Exhibit) and table.record.kind == "situation":
        return _from_situation(table, at, seats, packs)
    shown = table.play if isinstance(table, LiveGame) else table.shown
    header = table.play.game.header if isinstance(table, LiveGame) else table.header
    log: LoadedLog[Any, Any] = LoadedLog(replace(header, seats=dict(seats)), list(shown.lines[: shown.v]))
    return taken_up(shown.ruleset, log, at, SystemDice())


def _from_situation(table: Exhibit, at: int, seats: Mapping[str, str], packs: Sequence[Pack]) -> AnyGame:
    states = table.shown.states
    if not 0 <= at < len(states):
        raise BadInput([Fault("at", f"there is no moment {at}", f"0 to {len(states) - 1}")])
    ruleset = table.shown.ruleset
    if ruleset.decision(states[at]) is None:
        raise BadInput([Fault("at", "nobody is asked anything there", "a situation with an open question")])
    text, name = table.record.header, table.record.title
    opened = catalog.open_situation(text, name, packs)
    header = catalog.situation_header(opened, read_draft(text, name), states[at], packs)
    return Game.start(ruleset, replace(header, seats=dict(seats)), SystemDice())
