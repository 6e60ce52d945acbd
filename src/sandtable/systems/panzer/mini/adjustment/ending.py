"""10.3, 10.4: orders come off, objectives are reviewed, the turn or the scenario ends."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.frames import Closed
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.mini.adjustment.frames import EndingTurn
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.handler import Handler, Play
from sandtable.systems.panzer.mini.objectives import automatic_winner, has_combat_units, review
from sandtable.systems.panzer.mini.state import State

__all__ = ["EndingTurnHandler", "why_over"]

BOOK = ("panzer-mini",)


@rule("10.4.1", "10.4.2", "10.4.3", editions=BOOK)
def why_over(context: Context, state: State) -> str:
    """Why the scenario is over after this turn, "" if it goes on: while both have combat units (10.4.2)."""
    winner = automatic_winner(state, context.scenario, context.cards)
    if winner:
        return f"all combat units of {context.other(winner)} are eliminated"
    gone = [seat for seat in context.scenario.seats if not has_combat_units(state, seat, context.cards)]
    if gone:
        return f"{' and '.join(gone)} {'has' if len(gone) == 1 else 'have'} no combat unit left"
    return f"turn {state.turn} was the last" if state.turn >= context.scenario.draft.turns else ""


class EndingTurnHandler(Handler[EndingTurn]):
    """10.3, 10.4: what needs nobody's decision."""

    frame = EndingTurn

    @rule("10.3", "10.4", "3.6.3", "3.6.4", editions=BOOK)
    def advance(self, play: Play, frame: EndingTurn) -> bool:
        """Take the orders off (10.3), review the objectives, end the turn or the game (10.4)."""
        play.emit(Closed())
        play.emit(ev.CommandsRemoved({}))
        play.emit(ev.ObjectivesReviewed(review(play.state, self.context.scenario, self.context.cards)))
        why = why_over(self.context, play.state)
        play.emit(ev.GameEnded(why) if why else ev.TurnBegan(play.state.turn + 1))
        return True
