"""Victory conditions (1.3), Control and Casualty Victory Points (2.0), and the Turn Record Chart (3.9)."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.ruleset import Outcome
from sandtable.core.stakes import Aim, Holding, Stakes, Tally
from sandtable.core.view import Part, Score
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.stacking import at, occupants
from sandtable.systems.aslsk.common.vehicles_here import enemy_vehicles_at, vehicles_at
from sandtable.systems.aslsk.covering_fire import covering_fp
from sandtable.systems.aslsk.pieces.cards import UnitKind
from sandtable.systems.aslsk.pieces.state import State, Unit, Vehicle, VehicleGun, Whereabouts
from sandtable.systems.aslsk.scenario.draft import Goal, GoalKind, Victory, When

__all__ = [
    "casualty_points",
    "exit_points",
    "final_outcome",
    "gain_control",
    "holder",
    "is_last_player_turn",
    "met_now",
    "scores",
    "settle_end",
    "stakes",
    "starting_control",
]

SQUAD_POINTS = 2
_AT_ONCE = When.AT_ONCE
"""A name is looked up quicker than a member of an enum."""


def starting_control(context: Context) -> dict[str, str]:
    """Who controls the places at the start, as the scenario says."""
    return {name: place.holder for name, place in context.scenario.places.items() if place.holder}


@rule("2.0")
def gain_control(context: Context, play: Play) -> None:
    """A Good Order MMC controls what it occupies while no enemy unit or vehicle is in it (2.0)."""
    scenario, control = context.scenario, play.state.control
    places_at = scenario.places_at
    there = occupants(context, play.state)
    gained: dict[str, Seat] = {}
    for hex, units in there.items():
        if hex not in places_at:
            continue
        for name in places_at[hex]:
            for unit in units:
                if control.get(name) != unit.side and unit.good_order and context.card(unit).is_mmc:
                    gained[name] = unit.side
    for name, side in gained.items():
        hexes = scenario.places[name].hexes
        if any(enemy_vehicles_at(play.state, hex, side) for hex in hexes):
            continue
        if all(unit.side == side for hex in hexes for unit in there.get(hex, ())):
            play.emit(ev.ControlGained(name, side))


@rule("2.0")
def holder(context: Context, state: State, name: str) -> str:
    """Who controls a place: an AFV has the hex it is in for as long as it is there with no Good Order enemy (2.0).

    That is a place of one hex; of a building with more it controls none but its own.
    """
    control = state.control.get(name, "")
    hexes = context.scenario.places[name].hexes
    if not state.vehicles or len(hexes) > 1:
        return control
    (hex,) = hexes
    for vehicle in vehicles_at(state, hex):
        enemies = [unit for unit in at(context, state, hex) if unit.side != vehicle.side and unit.good_order]
        rivals = [one for one in enemy_vehicles_at(state, hex, vehicle.side) if one.is_active]
        if not enemies and not rivals:
            return vehicle.side
    return control


def points(context: Context, unit: Unit) -> int:
    """Victory points of a unit: squad 2, half-squad or crew 1, SMC 1 and one more a negative leadership DRM."""
    card = context.card(unit)
    if card.kind is UnitKind.SQUAD:
        return SQUAD_POINTS
    return 1 if card.is_mmc else 1 + max(0, -card.leadership)


def vehicle_points(context: Context, vehicle: Vehicle) -> int:
    """Victory points of an AFV, fewer without a functioning MA, as the scenario that counts them says."""
    number = context.tables["vehicle_points"].number
    return number("afv" if vehicle.works(VehicleGun.MAIN) else "afv_without_ma")


def casualty_points(context: Context, state: State, side: str) -> int:
    """Points that a side's losses are worth to its enemy; half of a squad counts as a half-squad."""
    total = 0
    for unit in state.units.values():
        if unit.side == side:
            total += unit.reduced
            if unit.place is Whereabouts.ELIMINATED:
                total += points(context, unit)
    wrecks = [one for one in state.vehicles.values() if one.side == side and _is_lost(one)]
    return total + sum(vehicle_points(context, vehicle) for vehicle in wrecks)


def _afv_lead(state: State, side: str) -> int:
    """Enemy AFV lost and own ones away, less own ones lost."""
    lost = [vehicle.side != side for vehicle in state.vehicles.values() if _is_lost(vehicle)]
    away = sum(vehicle.side == side and vehicle.away for vehicle in state.vehicles.values())
    return sum(lost) + away - lost.count(False)


def _is_lost(vehicle: Vehicle) -> bool:
    return vehicle.wreck or vehicle.place is Whereabouts.ELIMINATED


def exit_points(context: Context, state: State, side: str) -> int:
    """Points of a side's units that left the map by a way that counts."""
    units = sum(points(context, unit) for unit in state.units.values() if unit.side == side and unit.away)
    away = [one for one in state.vehicles.values() if one.side == side and one.away]
    return units + sum(vehicle_points(context, vehicle) for vehicle in away)


def _count(context: Context, state: State, side: Seat, goal: Goal) -> int:
    """How far a side is with a goal."""
    scenario = context.scenario
    match goal.kind:
        case GoalKind.CONTROL:
            names = [name for group in goal.places for name in scenario.groups[group]]
            return sum(holder(context, state, name) == side for name in names)
        case GoalKind.CASUALTIES:
            return casualty_points(context, state, context.other(side))
        case GoalKind.EXIT:
            return exit_points(context, state, side)
        case GoalKind.AFV_LEAD:
            return _afv_lead(state, side)
        case GoalKind.FIREPOWER:
            names = [name for group in goal.places for name in scenario.groups[group]]
            road = {hex for name in names for hex in scenario.places[name].hexes}
            return covering_fp(context, state, side, road)
        case GoalKind.MOBILE_AFV:
            return sum(one.side == side and one.is_active and one.is_mobile for one in state.vehicles.values())
        case GoalKind.GOOD_ORDER:
            names = [name for group in goal.places for name in scenario.groups[group]]
            hexes = {hex for name in names for hex in scenario.places[name].hexes}
            return sum(
                unit.side == side and unit.good_order and context.card(unit).is_mmc and unit.hex in hexes
                for unit in state.units.values()
            )


def _needed(context: Context, state: State, goal: Goal) -> int:
    if goal.dealt:
        return state.dealt.get(goal.dealt, 0)
    if goal.kind is GoalKind.CONTROL and not goal.at_least:
        return sum(len(context.scenario.groups[group]) for group in goal.places)
    return goal.at_least


def _is_met(context: Context, state: State, victory: Victory) -> bool:
    side = Seat(victory.side)
    return all(_count(context, state, side, goal) >= _needed(context, state, goal) for goal in victory.goals)


def met_now(context: Context, state: State) -> Victory | None:
    """A victory condition of the kind that ends the game at once, if one is met."""
    for victory in context.scenario.draft.victory:
        if victory.when is _AT_ONCE and _is_met(context, state, victory):
            return victory
    return None


@rule("3.9")
def is_last_player_turn(context: Context, state: State) -> bool:
    """Whether the scenario is over after this player turn (3.9)."""
    draft = context.scenario.draft
    second = state.attacker == context.scenario.seats[1]
    return state.turn >= draft.turns and (second or draft.half_turn)


@rule("1.3", "3.9")
def settle_end(context: Context, play: Play) -> bool:
    """End the game if the last player turn is over or a condition of this turn is met; whether it ended (3.9)."""
    state = play.state
    draft = context.scenario.draft
    game_over = is_last_player_turn(context, state)
    turn_over = state.attacker == context.scenario.seats[1] or game_over
    for victory in draft.victory:
        due = (victory.when is When.TURN_END and turn_over and victory.turn in (0, state.turn)) or (
            game_over and victory.when is When.GAME_END
        )
        if due and _is_met(context, state, victory):
            play.emit(ev.GameEnded(victory.title or f"{victory.side} meets the victory conditions", victory.side))
            return True
    if game_over:
        play.emit(ev.GameEnded("the last turn is over", draft.wins_otherwise))
    return game_over


def scores(context: Context, state: State) -> tuple[Score, ...]:
    """Where each side stands in what the victory conditions count."""
    found = []
    for seat in context.scenario.seats:
        parts = [
            Part(
                _goal_title(goal, victory),
                _count(context, state, seat, goal),
                _GOAL_RULE[goal.kind],
                _goal_note(context, state, seat, goal),
                _needed(context, state, goal),
            )
            for victory in context.scenario.draft.victory
            if victory.side == seat
            for goal in victory.goals
        ]
        lost = casualty_points(context, state, context.other(seat))
        told = _losses(context, state, context.other(seat))
        found.append(Score(seat, lost, (*parts, Part("casualty points", lost, "2.0", told))))
    return tuple(found)


_GOAL_RULE = {
    GoalKind.CONTROL: "2.0",
    GoalKind.CASUALTIES: "2.0",
    GoalKind.EXIT: "1.3",
    GoalKind.GOOD_ORDER: "1.3",
    GoalKind.AFV_LEAD: "1.3",
    GoalKind.MOBILE_AFV: "1.3",
    GoalKind.FIREPOWER: "1.3",
}
_GOAL_WORDS = {
    GoalKind.CONTROL: "places held",
    GoalKind.CASUALTIES: "casualty points",
    GoalKind.EXIT: "exit points",
    GoalKind.GOOD_ORDER: "Good Order MMC there",
    GoalKind.AFV_LEAD: "AFV ahead",
    GoalKind.MOBILE_AFV: "mobile AFV",
    GoalKind.FIREPOWER: "FP on the places",
}
_WHEN_WORDS = {When.AT_ONCE: "at any time", When.GAME_END: "at the end of the game"}


def _goal_note(context: Context, state: State, side: Seat, goal: Goal) -> str:
    """What makes up how far a side is with a goal."""
    match goal.kind:
        case GoalKind.CONTROL:
            names = [name for group in goal.places for name in context.scenario.groups[group]]
            own = [name for name in names if holder(context, state, name) == side]
            return ", ".join(context.scenario.places[name].title for name in own)
        case GoalKind.CASUALTIES:
            return _losses(context, state, context.other(side))
        case GoalKind.EXIT:
            gone = [unit for unit in state.units.values() if unit.side == side and unit.away]
            told = [f"{unit.id} {points(context, unit)}" for unit in gone]
            left = [one for one in state.vehicles.values() if one.side == side and one.away]
            return ", ".join((*told, *(f"{one.id} {vehicle_points(context, one)}" for one in left)))
        case GoalKind.GOOD_ORDER | GoalKind.AFV_LEAD | GoalKind.MOBILE_AFV | GoalKind.FIREPOWER:
            return ""


def _losses(context: Context, state: State, side: str) -> str:
    """The losses of a side, each with its points."""
    found = []
    for unit in state.units.values():
        count = unit.reduced + (points(context, unit) if unit.place is Whereabouts.ELIMINATED else 0)
        if unit.side == side and count:
            found.append(f"{unit.id} {count}")
    lost = [one for one in state.vehicles.values() if one.side == side and _is_lost(one)]
    found += [f"{vehicle.id} {vehicle_points(context, vehicle)}" for vehicle in lost]
    return ", ".join(found)


def stakes(context: Context, state: State) -> Stakes:
    """What counts, who holds it and when it ends (1.3, 2.0, 3.9)."""
    draft = context.scenario.draft
    aims = [
        Aim(
            victory.side,
            victory.title or "; ".join(_goal_title(goal, victory) for goal in victory.goals),
            "1.3",
            _WHEN_WORDS.get(victory.when)
            or (f"at the end of turn {victory.turn}" if victory.turn else "at the end of a turn"),
            tuple(
                Tally(
                    _GOAL_WORDS[goal.kind],
                    _count(context, state, Seat(victory.side), goal),
                    _needed(context, state, goal),
                )
                for goal in victory.goals
            ),
            _is_met(context, state, victory),
        )
        for victory in draft.victory
    ]
    if draft.wins_otherwise:
        aims.append(Aim(draft.wins_otherwise, "wins if no condition of the other side is met", "1.3", _AT_LAST))
    half = f", which is {draft.moves_first.title()}'s alone" if draft.half_turn else ""
    return Stakes(
        turn=state.turn,
        turns=draft.turns,
        end=f"The game ends after turn {draft.turns}{half}.",
        rule="3.9",
        aims=tuple(aims),
        holdings=tuple(
            Holding(
                name,
                place.title,
                tuple(context.label(hex) for hex in sorted(place.hexes)),
                holder(context, state, name),
                "2.0",
            )
            for name, place in context.scenario.places.items()
        ),
    )


_AT_LAST = _WHEN_WORDS[When.GAME_END]


def _goal_title(goal: Goal, victory: Victory) -> str:
    when = f" by turn {victory.turn}" if victory.when is When.TURN_END and victory.turn else ""
    return f"{goal.kind.value}{when}"


def final_outcome(context: Context, state: State) -> Outcome:
    """How a game ended."""
    tally = {seat: casualty_points(context, state, context.other(seat)) for seat in context.scenario.seats}
    return Outcome(state.winner, state.ended, "1.3", {str(seat): number for seat, number in tally.items()})
