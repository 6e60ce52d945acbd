"""What the odds of fire leave out, because it is for the target's owner to say (4.4.3.2.2, 4.4.3.2.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Decision, Seat
from sandtable.core.odds import Supposition, first_answer
from sandtable.systems.panzer.hex.actions import Action, ChooseAspect, Engage, Fire, RevealCommand
from sandtable.systems.panzer.hex.combat.attack import aspect_of
from sandtable.systems.panzer.hex.combat.measures import angles_of
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.unit import MOVING_COMMANDS, Aspect, Command, FireKind

__all__ = ["suppositions"]


def suppositions(state: State, action: Action) -> list[Supposition]:
    """All that the odds of an action leave out."""
    if isinstance(action, Engage):
        target = state.units[action.target]
        return [*_revealed(state, target), *_angled(state, target, action)]
    if not isinstance(action, Fire):
        return []
    target = state.units[action.target]
    return [*_revealed(state, target), *_struck(state, target, action)]


@rule("4.4.3.2.2")
def _revealed(state: State, target: Unit) -> Iterator[Supposition]:
    """The owner of a face-down command may reveal that it moves, or keep it to himself (4.4.3.2.2)."""
    if target.known:
        return
    if target.command is Command.HIDDEN:
        moving = {**state.units, target.id: replace(target, command=Command.MOVE)}
        what = f"the owner of {target.id} reveals a moving command"
        yield Supposition(what, "4.4.3.2.2", replace(state, units=moving), _reveals)
    elif target.command in MOVING_COMMANDS:
        what = f"the owner of {target.id} does not reveal the moving command"
        yield Supposition(what, "4.4.3.2.2", state, _keeps_hidden)


@rule("4.4.3.2.4")
def _struck(state: State, target: Unit, action: Fire) -> Iterator[Supposition]:
    """On the dividing line the owner chooses the aspect; the odds take the first on the list (4.4.3.2.4)."""
    if any(aspect_of(state.units[shot.firer], target) is Aspect.EITHER for shot in action.shots):
        what = f"the owner of {target.id} lets the rear aspect be struck where he may choose"
        yield Supposition(what, "4.4.3.2.4", state, _turns_the_rear)


@rule("6.5.2.2", editions=("panzer-na",))
def _angled(state: State, target: Unit, action: Engage) -> Iterator[Supposition]:
    """On the line between two Hit Angles the owner chooses; the odds take the first of them (6.5.2.2)."""
    shots = [shot for shot in action.shots if shot.fire is FireKind.AP]
    both = [angles for shot in shots if len(angles := angles_of(state.units[shot.firer], target)) > 1]
    if both:
        what = f"the owner of {target.id} lets the {both[0][1].value} angle count where he may choose"
        yield Supposition(what, "6.5.2.2", state, _turns_on)


def _answers(decision: Decision[Any], seat: Seat, wanted: Action) -> Any:
    """The wanted answer where it is one, else the plain one."""
    return wanted if wanted in tuple(decision.options(seat)) else first_answer(decision, seat)


def _reveals(decision: Decision[Any], seat: Seat) -> Any:
    return _answers(decision, seat, RevealCommand(reveal=True))


def _keeps_hidden(decision: Decision[Any], seat: Seat) -> Any:
    return _answers(decision, seat, RevealCommand(reveal=False))


def _turns_the_rear(decision: Decision[Any], seat: Seat) -> Any:
    return _answers(decision, seat, ChooseAspect(Aspect.REAR))


def _turns_on(decision: Decision[Any], seat: Seat) -> Any:
    """The last Hit Angle where one is asked for."""
    if decision.rule != "6.5.2.2":
        return first_answer(decision, seat)
    return list(decision.options(seat))[-1]
