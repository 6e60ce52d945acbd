"""The ruleset of one game: what ties the handlers of the frames, secrecy, words and pictures together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.core.capabilities import StepPrice
from sandtable.core.decision import Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Changed, FrameRules, Opened
from sandtable.core.modifier import Breakdown
from sandtable.core.odds import Chance, Supposition
from sandtable.core.ruleset import NO_EFFECT, Outcome, SystemCard
from sandtable.core.showing import Shown
from sandtable.core.view import Area, Counter, Danger, Track, View
from sandtable.geo.hex import Hex
from sandtable.geo.map import GameMap
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.air.air_actions import Arm, FireAa, FlyOn, Strike
from sandtable.systems.panzer.air.air_events import AircraftArmed
from sandtable.systems.panzer.air.air_secrecy import conceal_loads, hide_loads, other_loads
from sandtable.systems.panzer.cards import Card, CardId, basic_part
from sandtable.systems.panzer.combat.fire_events import BailOutRolled, BlastResolved, HitResolved
from sandtable.systems.panzer.forces.equipment import armed_card
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex import mission_events as me
from sandtable.systems.panzer.hex import secrecy
from sandtable.systems.panzer.hex.actions import (
    Action,
    spends,
)
from sandtable.systems.panzer.hex.advice import threats
from sandtable.systems.panzer.hex.air.air_phase import arming
from sandtable.systems.panzer.hex.air.air_told import (
    AIR_BOX,
    air_action,
    air_breakdowns,
    air_consequences,
    air_counters,
    air_event,
    air_show,
)
from sandtable.systems.panzer.hex.air.flights import AircraftFlew, AircraftLeft, AircraftTurned
from sandtable.systems.panzer.hex.air.foreseen import air_odds, air_suppositions
from sandtable.systems.panzer.hex.areas import areas_of
from sandtable.systems.panzer.hex.combat.ap_results import became
from sandtable.systems.panzer.hex.combat.suppositions import suppositions
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.display import build_view, counter_of, tracks
from sandtable.systems.panzer.hex.fires.foreseen import indirect_odds, indirect_suppositions
from sandtable.systems.panzer.hex.fires.plotting import plotting
from sandtable.systems.panzer.hex.fold import FACTS
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.narrate import Narrator
from sandtable.systems.panzer.hex.objectives import final_outcome, initial_objectives
from sandtable.systems.panzer.hex.sequence import HANDLERS, next_phase
from sandtable.systems.panzer.hex.showing import show
from sandtable.systems.panzer.hex.sight.hindrances import with_hindrances
from sandtable.systems.panzer.hex.sight.los import LineOfSight
from sandtable.systems.panzer.hex.sight.smoke import with_smoke
from sandtable.systems.panzer.hex.state import State
from sandtable.systems.panzer.secrecy import conceal_commands, hide_commands, other_commands
from sandtable.systems.panzer.sequence import Phase

__all__ = ["PanzerRules"]


def _cards_of(context: Context) -> dict[CardId, Card]:
    """The cards that units of a scenario have, or may come to have: half-squads, trucks and guns of Portées."""
    if not context.is_advanced:
        played = {unit.card for unit in context.scenario.units.values()}
        return {name: basic_part(context.cards[name]) for name in sorted(played)}
    found = {}
    for unit in context.scenario.units.values():
        card = context.cards[unit.card]
        names = [card.id]
        if card.advanced is not None and card.advanced.half:
            names.append(CardId(card.advanced.half))
        if card.advanced is not None and card.advanced.portee is not None:
            names += [CardId(card.advanced.portee.truck), CardId(card.advanced.portee.gun)]
        for name in names:
            armed = armed_card(context.cards[name], context.attached(unit.id))
            found[armed.id] = armed
    return dict(sorted(found.items()))


class PanzerRules(FrameRules[Context, State, Action, shared.Event]):
    """A scenario of the Panzer family on hexes, ready to play."""

    base_state = State
    handlers = HANDLERS
    facts = FACTS

    def __init__(self, card: SystemCard, context: Context) -> None:
        self.card = card
        super().__init__(context)
        self.seats = context.scenario.seats
        self.narrator = Narrator(context)
        self.cards = _cards_of(context)
        """The cards of the scenario by id, for those who look one up: as much of them as its game knows."""

    @property
    def game_map(self) -> GameMap:
        """The map that is played on."""
        return self.context.game_map

    def card_of(self, state: State) -> dict[str, str]:
        """Card id of every unit, with what is attached to it."""
        return {
            unit_id: armed_card(self.context.card_of(unit), self.context.attached(unit_id)).id
            for unit_id, unit in state.units.items()
        }

    def setup(self) -> State:
        """The vehicles and wrecks of the scenario, before the first turn."""
        scenario = self.context.scenario
        state = self.state_type(
            0,
            Phase.ADJUSTMENT,
            "",
            dict(scenario.units),
            scenario.wrecks,
            features=scenario.features,
            batteries=dict(scenario.batteries),
        )
        if scenario.aircraft:
            state = replace(state, flights=scenario.aircraft)
        return replace(state, objectives=initial_objectives(state, scenario, self.context.cards))

    def opening(self, play: Play) -> None:
        """The first turn, after the artillery has been plotted (6.5.1.4)."""
        play.emit(shared.TurnBegan(1))
        loads = arming(self.context, play.state) if play.state.flights else None
        if loads is not None:
            play.emit(Opened(loads))
        plots = plotting(self.context)
        if plots is not None:
            play.emit(Opened(plots))

    def next_phase(self, play: Play) -> None:
        """The phase after the present one."""
        next_phase(self.context, play)

    def beside_the_point(self, state: State, action: Action) -> Refusal:
        """The refusal of an action that does not answer what is asked."""
        return replace(super().beside_the_point(state, action), rule="4.0")

    def conceal(self, state: State, seat: Seat | None) -> State:
        """The state as a seat may know it."""
        units = conceal_commands(state.units, seat)
        known = replace(state, units=units, stack=self.conceal_stack(state, seat))
        if state.flights:
            known = replace(known, flights=conceal_loads(state.flights, seat))
        return secrecy.conceal_batteries(known, seat) if state.batteries else known

    def hidden_variants(self, state: State, seat: Seat) -> Iterator[State]:
        """States that a seat cannot tell from this one."""
        for stack in self.stack_variants(state, seat):
            yield replace(state, stack=stack)
        for units in other_commands(state.units, seat):
            yield replace(state, units=units)
        for flights in other_loads(state.flights, seat):
            yield replace(state, flights=flights)
        yield from secrecy.other_batteries(state, seat)

    def may_hide(self, state: State, holder: Seat) -> bool:
        """Whether a force can have secrets now."""
        return (
            bool(self.context.scenario.artillery)
            or hide_commands(state.units.values(), holder)
            or hide_loads(state.flights.values(), holder)
            or self.stack_may_hide(state, holder)
        )

    def conceal_scenario(self, draft: Mapping[str, Any], seat: Seat | None) -> dict[str, Any]:
        """The scenario as a seat may read it: without the off-map batteries of others."""
        return secrecy.conceal_artillery(draft, seat)

    def view(self, state: State, seat: Seat | None) -> View:
        """What a seat may see."""
        concealed = self.conceal(state, seat)
        view = build_view(self.context, concealed, seat, self.asking(concealed), self.outcome(concealed))
        if not concealed.flights:
            return view
        counters = (*view.counters, *air_counters(self.context, concealed))
        return replace(view, counters=counters, boxes=(*view.boxes, AIR_BOX))

    def counter(self, known: State, unit: str) -> Counter | None:
        """One counter as the view has it."""
        if unit in known.flights:
            return next(one for one in air_counters(self.context, known) if one.id == unit)
        return counter_of(self.context, known, unit)

    def tracks(self, known: State) -> tuple[Track, ...]:
        """The tracks as the view has them."""
        return tracks(self.context, known, self.asking(known))

    def redact(self, event: shared.Event, seat: Seat | None) -> shared.Event | None:
        """The event as a seat may know it."""
        match event:
            case Opened() | Changed():
                return self.redact_frame(event, seat)
            case shared.CommandsPlaced() if event.seat != seat:
                return shared.CommandsPlaced(event.seat, {})
            case shared.OrdersPlaced() if event.seat != seat:
                return shared.OrdersPlaced(event.seat, {})
            case AircraftArmed() if event.seat != seat:
                return AircraftArmed(event.seat, {})
            case me.FirePlotted() if self.context.scenario.artillery[event.battery].side != seat:
                return None
            case shared.CommandConverted() if self.context.scenario.units[event.unit].side != seat:
                return None
        return event

    def redact_action(self, action: Action, by: Seat, seat: Seat | None) -> Action | None:
        """The action as a seat may know it."""
        if by != seat and isinstance(action, Arm):
            return Arm({})
        if by != seat and isinstance(action, FlyOn):
            return None
        return secrecy.redact_action(action, by, seat)

    def reveals(self, event: shared.Event) -> bool:
        """Whether undo stops at the event."""
        return secrecy.reveals(event) or isinstance(event, AircraftFlew | AircraftTurned | AircraftLeft)

    def breakdowns(self, event: shared.Event) -> tuple[Breakdown, ...]:
        """The numbers that an event rests on."""
        match event:
            case shared.ShotResolved():
                return (event.number,)
            case shared.ArmourStruck():
                return (event.margin,)
            case shared.ForceRolled():
                return (event.net,)
            case shared.SuppressionRolled() | BailOutRolled() | shared.WallStruck() | ev.PositionSearched():
                return (event.number,)
            case BlastResolved() | ev.TerrainStruck() | shared.AssaultRolled():
                return (event.modifier,)
            case shared.BoutRolled():
                return event.attack, event.defense
            case HitResolved() if event.margin is not None:
                return (event.margin,)
            case me.ResponseRolled():
                return (event.number,)
            case ev.UnitMoved() | ev.UnitShifted() | ev.UnitTurned() | ev.UnitExited() | ev.UnitEntered():
                return (event.cost,)
            case _:
                return air_breakdowns(event)

    def step_price(self, event: shared.Event) -> StepPrice | None:
        """What a step of a move costs, in Movement Points."""
        match event:
            case ev.UnitMoved() | ev.UnitShifted() | ev.UnitTurned() | ev.UnitExited() | ev.UnitEntered():
                return StepPrice(event.cost.total, event.cost.explain())
            case _:
                return None

    def narrate(self, event: shared.Event) -> str:
        """The event in a sentence."""
        told = air_event(self.context, event)
        return self.narrator.event(event) if told is None else told

    def show(self, event: shared.Event) -> Shown | None:
        """What is to be seen of the event."""
        return show(self.context, event) or air_show(self.context, event)

    def spends(self, action: Action) -> bool:
        """Whether the action uses something up."""
        return spends(action) or isinstance(action, Strike | FireAa)

    def describe(self, action: Action) -> str:
        """The action in a phrase."""
        return air_action(self.context, action) or self.narrator.action(action)

    def place(self, label: str) -> Hex:
        """The hex of a label."""
        return self.context.game_map.hex(label)

    def consequence(self, before: State, after: State) -> str:
        """What became of the vehicles between two states."""
        changes = []
        for unit_id, unit in sorted(after.units.items()):
            if unit is not before.units[unit_id]:
                changes += [f"{unit_id} {words}" for words in became(self.context, before, after, unit_id)]
        changes += air_consequences(before, after)
        return ", ".join(changes) or NO_EFFECT

    @property
    def merges_odds(self) -> bool:
        """Hits, locations, damage and bail-outs of the Advanced Game lead to few positions in many ways."""
        return self.context.is_advanced

    def sight(self, state: State, a: Hex, b: Hex) -> LineOfSight:
        """All about the line between two hexes, with the smoke on it."""
        ground = self.context.ground_at(state)
        return with_hindrances(with_smoke(ground.sight(a, b), state), ground, state.features)

    def field(self, state: State, hex: Hex) -> frozenset[Hex]:
        """The hexes seen from a hex; smoke does not block."""
        return self.context.ground_at(state).field_of_sight(hex)

    def threats(self, state: State, seat: Seat | None, hex: str) -> list[Danger]:
        """What could hit a vehicle of the seat in the hex."""
        return threats(self.context, state, seat, hex)

    def areas(self, state: State, action: Action) -> Sequence[Area]:
        """Where an action would fall, and whom it would strike there."""
        return areas_of(self.context, state, action)

    def suppositions(self, state: State, seat: Seat, action: Action) -> Sequence[Supposition]:  # noqa: ARG002
        """What the odds of an action leave out (4.4.3.2.2, 4.4.3.2.4, 6.5.1.10, 6.5.4.3)."""
        if isinstance(action, Strike):
            return list(air_suppositions(self.context, state, action))
        return suppositions(state, action) or list(indirect_suppositions(self.context, state, action))

    def unit_odds(self, state: State, action: Action) -> dict[str, list[Chance]]:
        """The exact odds of each unit that Indirect Fire or an aircraft may strike; nothing for others (6.5.4.4)."""
        if isinstance(action, Strike):
            return air_odds(self.context, state, self.fold, action)
        return indirect_odds(self.context, state, self.fold, action)

    def why_not(self, state: State, seat: Seat, keys: tuple[str, ...], ref: str, *, is_hex: bool) -> Refusal | None:
        """Why something cannot be picked."""
        handler, frame = self.top(state)
        return handler.why_not(state, frame, seat, keys, ref, is_hex=is_hex) if isinstance(handler, Handler) else None

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        return final_outcome(state, self.context.scenario, self.context.cards) if state.ended else None
