"""4.6 Adjustment Phase: commands come off, objectives are reviewed, the turn ends."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.ruleset import Resolution
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.objectives import review
from sandtable.systems.panzer.hex.state import State
from sandtable.systems.panzer.sequence import unused_commands
from sandtable.systems.panzer.unit import Status

__all__ = ["adjustment_phase"]


@rule("4.6.2")
def adjustment_phase(context: Context, play: Resolution[State, ev.Event]) -> None:
    """Turn over and take off all commands, review the objectives, end the turn or the game (4.6)."""
    state = play.state
    for unit in state.units.values():
        if not unit.known and unit.status in (Status.IN_PLAY, Status.RESERVE):
            play.emit(ev.CommandRevealed(unit.id, unit.command))
    play.emit(ev.CommandsRemoved(unused_commands(play.state.units.values())))
    play.emit(ev.ObjectivesReviewed(review(play.state, context.scenario, context.cards)))
    why = why_over(context, play.state)
    play.emit(ev.GameEnded(why) if why else ev.TurnBegan(state.turn + 1))


@rule("4.6.2")
def why_over(context: Context, state: State) -> str:
    """Why the scenario is over after this turn, "" if it goes on (4.6.2).

    It lasts to its last turn, unless a force is gone and the other has nothing left to gain.
    """
    if state.turn >= context.scenario.draft.turns:
        return f"turn {state.turn} was the last"
    left = {unit.side for unit in state.units.values() if unit.status in (Status.IN_PLAY, Status.RESERVE)}
    gone = [seat for seat in context.scenario.seats if seat not in left]
    if gone and not any(_may_gain(context, state, seat) for seat in left):
        return f"{' and '.join(gone)} has no vehicle left"
    return ""


def _may_gain(context: Context, state: State, seat: str) -> bool:
    """Whether a force alone on the map can still better its points."""
    draft = context.scenario.draft
    to_take = any(o.points.get(seat, 0) > 0 and state.objectives[o.id].holder != seat for o in draft.objectives)
    to_deny = any(state.objectives[o.id].holder not in ("", seat) for o in draft.objectives)
    return to_take or to_deny or any(way.side == seat and way.points > 0 for way in draft.victory.exits)
