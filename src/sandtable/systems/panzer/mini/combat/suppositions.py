"""What the odds of fire leave out, because it is for the target's owner to say (8.4.2.2, 8.4.5.1.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Decision, Seat
from sandtable.core.odds import Supposition, first_answer
from sandtable.systems.panzer.mini.actions import Action, Fire, RevealCommand
from sandtable.systems.panzer.mini.combat.measures import plates_of
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.state import State, Unit
from sandtable.systems.panzer.unit import MOVING_COMMANDS, Command

__all__ = ["suppositions"]

BOOK = ("panzer-mini",)


def suppositions(context: Context, state: State, action: Action) -> list[Supposition]:
    """All that the odds of an action leave out."""
    if not isinstance(action, Fire):
        return []
    target = state.units[action.target]
    return [*_revealed(state, target), *_angled(context, state, target, action)]


@rule("8.4.2.2", editions=BOOK)
def _revealed(state: State, target: Unit) -> Iterator[Supposition]:
    """The owner of a face-down order may reveal that it moves, or keep it to himself (8.4.2.2)."""
    if target.known or target.markers.track:
        return
    if target.command is Command.HIDDEN:
        moving = {**state.units, target.id: replace(target, command=Command.MOVE)}
        what = f"the owner of {target.id} reveals a moving order"
        yield Supposition(what, "8.4.2.2", replace(state, units=moving), _reveals)
    elif target.command in MOVING_COMMANDS:
        what = f"the owner of {target.id} does not reveal the moving order"
        yield Supposition(what, "8.4.2.2", state, _keeps_hidden)


@rule("8.4.5.1.1", editions=BOOK)
def _angled(context: Context, state: State, target: Unit, action: Fire) -> Iterator[Supposition]:
    """On the line between two Hit Angles the owner chooses; the odds take the first of them (8.4.5.1.1)."""
    firers = [state.units[shot.firer] for shot in action.shots]
    both = [two for firer in firers if len(two := plates_of(context, state, firer, target)) > 1]
    if both:
        what = f"the owner of {target.id} lets the {both[0][-1].hull.value} angle count where he may choose"
        yield Supposition(what, "8.4.5.1.1", state, _turns_on)


def _answers(decision: Decision[Any], seat: Seat, wanted: Action) -> Any:
    """The wanted answer where it is one, else the plain one."""
    if decision.rule != "8.4.2.2":
        return first_answer(decision, seat)
    return wanted if wanted in tuple(decision.options(seat)) else first_answer(decision, seat)


def _reveals(decision: Decision[Any], seat: Seat) -> Any:
    return _answers(decision, seat, RevealCommand(reveal=True))


def _keeps_hidden(decision: Decision[Any], seat: Seat) -> Any:
    return _answers(decision, seat, RevealCommand(reveal=False))


def _turns_on(decision: Decision[Any], seat: Seat) -> Any:
    """The last Hit Angle where one is asked for."""
    if decision.rule != "8.4.5.1.1":
        return first_answer(decision, seat)
    return list(decision.options(seat))[-1]
