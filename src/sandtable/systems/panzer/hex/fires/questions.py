"""Questions of situation files about Indirect Fire: what a source is to an observer, and what a plot says (6.5.1)."""

from __future__ import annotations

from itertools import count

import msgspec
from msgspec.structs import replace

from sandtable.core.content.questions import Answer, Question
from sandtable.core.errors import BadInput, Fault
from sandtable.systems.panzer.fires.missions import BatteryId, Mission, Pattern
from sandtable.systems.panzer.fires.planned import is_busy, step_at
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.fires.calls import kind_of
from sandtable.systems.panzer.hex.fires.responding import attachment_between, response_number
from sandtable.systems.panzer.hex.fires.sources import source_of
from sandtable.systems.panzer.hex.state import State
from sandtable.systems.panzer.unit import UnitId

__all__ = ["CALL_QUESTIONS"]


class CallAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call for fire that nobody has made; without a hex on the observer's own."""

    observer: str
    source: str
    hex: str = ""


def _call(context: Context, state: State, about: CallAsked, where: str) -> Answer:
    """What the observer and the source are to each other, and the number of the response (6.5.1.3, 6.5.1.12)."""
    observer = state.units.get(UnitId(about.observer))
    if observer is None or observer.hex is None or kind_of(context, observer.id) is None:
        raise BadInput([Fault(f"{where}.observer", f"no observer {about.observer!r} on the mapboard")])
    source = source_of(context, state, about.source)
    if source is None:
        raise BadInput([Fault(f"{where}.source", f"{about.source!r} fires no Indirect Fire")])
    target = context.game_map.hex(about.hex, f"{where}.hex") if about.hex else observer.hex
    mission = Mission(
        id="asked",
        side=observer.side,
        observer=observer.id,
        sources=(source.id,),
        target=target,
        pattern=Pattern.CLOSED if source.off_map else Pattern.ON_MAP,
    )
    number = response_number(context, state, mission, source.id, adjusted=False)
    facts = context.scenario.artillery.get(BatteryId(source.id))
    return {
        "attachment": attachment_between(context, source.id, observer.id).value,
        "factor": number.total,
        "modifier": number.net,
        "weight": "" if facts is None else context.shelf.batteries[facts.card].weight.value,
        "off_map": source.off_map,
        "kinds": [kind.value for kind in source.kinds],
    }


class PlanAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The plot of a battery, once its fire has arrived in a turn."""

    battery: str
    arrives: int


def _plan(context: Context, state: State, about: PlanAsked, where: str) -> Answer:
    """What the plot has for each turn (6.5.1.11.1)."""
    battery = state.batteries.get(BatteryId(about.battery))
    if battery is None or battery.plot is None:
        raise BadInput([Fault(f"{where}.battery", f"no battery {about.battery!r} with a plot")])
    turns: Answer = {}
    while (step := step_at(battery.plot, about.arrives, about.arrives + len(turns))) is not None:
        told = [step.kind.value, step.pattern.value, context.game_map.label(step.target)]
        turns[str(about.arrives + len(turns))] = told
    begun = replace(battery, begun=about.arrives)
    free = next(turn for turn in count(about.arrives) if not is_busy(begun, turn))
    return {"turns": turns, "count": len(turns), "free": free}


CALL_QUESTIONS: dict[str, Question[Context, State]] = {
    "call": Question(CallAsked, _call),
    "plan": Question(PlanAsked, _plan),
}
