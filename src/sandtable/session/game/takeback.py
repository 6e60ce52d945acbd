"""Taking back: at once where the rules of undo allow it, else when everybody else at the table agrees.

What is asked for reaches back to the asker's own last action that was a choice: answers that were the only
ones, and what bots did since, go with it.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sandtable.core.decision import Seat
from sandtable.core.errors import Refusal
from sandtable.core.forced import forced_answer
from sandtable.core.log import Entry
from sandtable.session.game.play import Play
from sandtable.session.presenting.wire import WireUndo

__all__ = ["Request", "reaches_back_to", "tell_undo"]


class Request(msgspec.Struct, frozen=True):
    """Somebody asks to take back."""

    by: str
    waits_for: tuple[str, ...]
    agreed: tuple[str, ...] = ()


def reaches_back_to(play: Play, seat: str) -> int | Refusal:
    """Number of the asker's last standing action that was a choice, or why there is nothing to take back."""
    seq = play.v - 1
    while seq > 0:
        line = play.lines[seq]
        if not isinstance(line, Entry):
            seq = line.to
            continue
        if line.seat == seat and not _was_forced(play, seq):
            return seq
        seq -= 1
    return Refusal("", "you have done nothing that could be taken back")


def _was_forced(play: Play, seq: int) -> bool:
    """Whether the action of that line was the only answer, and so was given without asking."""
    line = play.lines[seq]
    decision = play.ruleset.decision(play.states[seq - 1])
    return decision is not None and forced_answer(play.ruleset, decision.options(Seat(line.seat))) is not None


def tell_undo(play: Play, request: Request | None, seat: str, *, over: bool) -> WireUndo:
    """Whether ``seat`` can take back, and who asks to."""
    told = WireUndo() if request is None else WireUndo(False, "", request.by, request.agreed, _waits(request))
    if not seat or over:
        return msgspec.structs.replace(told, reason="the game is over" if over else "")
    refusal = play.game.undo_refusal(Seat(seat))
    return msgspec.structs.replace(told, free=refusal is None, reason="" if refusal is None else str(refusal))


def _waits(request: Request) -> tuple[str, ...]:
    return tuple(seat for seat in request.waits_for if seat not in request.agreed)


def agreed_by(request: Request, seats: Sequence[str]) -> Request:
    """The request with the consent of some seats."""
    return msgspec.structs.replace(request, agreed=(*request.agreed, *(s for s in seats if s in _waits(request))))
