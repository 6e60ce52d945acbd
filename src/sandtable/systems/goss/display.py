"""What a client draws: counters, markers, tracks and scores, from the concealed state."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.frames import Asking
from sandtable.core.ruleset import Outcome
from sandtable.core.stakes import Aim, Holding, Stakes
from sandtable.core.view import Box as ViewBox
from sandtable.core.view import (
    Condition,
    Counter,
    Face,
    FormationShown,
    HexMarker,
    Marker,
    SideMarker,
    Track,
    Value,
    View,
)
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.fog import first_of, top_of
from sandtable.systems.goss.common.rest import rest_of
from sandtable.systems.goss.common.state import BridgeKind, FormationState, FuelState, State
from sandtable.systems.goss.ground.weather import Sky
from sandtable.systems.goss.pieces.card import Card, Echelon, FormationId, Size
from sandtable.systems.goss.pieces.steps import size_of, strength
from sandtable.systems.goss.pieces.unit import Box, Mode, Supply, Unit, UnitId
from sandtable.systems.goss.turn.segments import PLAYER
from sandtable.systems.goss.victory import holders, scores

__all__ = ["COLOURS", "build_view", "counter_of", "tracks"]

COLOURS = {"allied": "green", "axis": "grey"}
_BOXES = {
    Box.COMING: ViewBox("reinforcements", "Reinforcements"),
    Box.ELIMINATED: ViewBox("eliminated", "Eliminated"),
    Box.ISOLATED: ViewBox("isolated", "Eliminated in isolation"),
    Box.WITHDRAWN: ViewBox("withdrawn", "Withdrawn"),
}
_JOINT = "Joint Phases"
_PHASES = (_JOINT, *dict.fromkeys(segment.phase.value for segment in PLAYER))


def build_view(
    context: Context, state: State, seat: Seat | None, asking: Asking | None, outcome: Outcome | None
) -> View:
    """The view of ``seat`` from a state that was concealed for it."""
    return View(
        seat=seat or "",
        tracks=tracks(context, state),
        counters=tuple(_counter(context, state, unit) for _, unit in sorted(state.units.items())),
        hex_markers=tuple(_hex_markers(context, state)),
        boxes=tuple(_BOXES.values()),
        scores=scores(context, state),
        prompt=asking.prompt(seat) if asking is not None else None,
        outcome=outcome.summary if outcome is not None else "",
        state=state,
        stakes=_stakes(context, state),
        side_markers=tuple(_side_markers(context, state)),
        conditions=_conditions(context, state),
        formations=tuple(_formations(context, state)),
    )


def _conditions(context: Context, state: State) -> tuple[Condition, ...]:
    """Light, sky and ground (3.0, 19.3, 19.4)."""
    night = context.is_night(state)
    found = [Condition("light", "night" if night else "day", "8.1.2b", night)]
    for zone, weather in (("", state.weather), *state.weather.zones):
        where = f", {zone}" if zone else ""
        sky = f"{weather.sky}, rain" if weather.rain else weather.sky.value
        is_dull = weather.rain or weather.sky not in (Sky.CLEAR, Sky.PARTIAL_OVERCAST)
        found.append(Condition(f"sky{where}", sky, "19.3.0", is_dull=is_dull))
        found.append(Condition(f"ground{where}", weather.ground.value, "19.4.0"))
    return tuple(found)


def _side_markers(context: Context, state: State) -> Iterator[SideMarker]:
    """Bridges that are no longer as the map has them."""
    for change in state.bridges:
        down = change.kind is BridgeKind.DOWN
        marker = Marker("x" if down else "=", f"bridge {change.kind} (17.3)", "bad" if down else "good")
        yield SideMarker(context.label(change.side.hex), change.side.dir, marker)


def _formations(context: Context, state: State) -> Iterator[FormationShown]:
    """The chain of command, corps first (9.3)."""
    members: dict[str, list[str]] = {}
    for unit in state.units.values():
        members.setdefault(context.formation_of(unit), []).append(unit.id)
    for side in context.scenario.draft.sides:
        for form in sorted(side.formations, key=lambda form: bool(form.corps)):
            fuel = state.formations.get(FormationId(form.id), FormationState()).fuel
            rest = state.rests.get(rest_of(context, FormationId(form.id), side.id)) if side.rest is None else None
            notes = (f"fuel {fuel}" if fuel is not FuelState.NORMAL else "", f"rests {rest}" if rest else "")
            yield FormationShown(
                id=form.id,
                title=context.formation(FormationId(form.id)).title,
                side=side.id,
                above=form.corps,
                counters=tuple(members.get(form.id, ())),
                note="; ".join(filter(None, notes)),
            )


@rule("3.1.1")
def tracks(context: Context, state: State) -> tuple[Track, ...]:
    """Game turn, with its date where the scenario gives one, and phase (3.1.1)."""
    calendar, dates = context.calendar, context.scenario.draft.calendar.dates
    days = [calendar.day(turn) for turn in range(calendar.turns)]
    turns = tuple(f"{dates[day - 1] if dates else day} {calendar.part(turn)}" for turn, day in enumerate(days))
    segment = state.at.segment
    phase = segment.phase.value if segment is not None and state.at.player else _JOINT
    return (
        Track("turn", "Game turn", turns, min(state.at.turn, len(turns) - 1)),
        Track("phase", "Sequence of Play", _PHASES, _PHASES.index(phase)),
    )


def counter_of(context: Context, state: State, unit: str) -> Counter | None:
    """One counter, from a concealed state."""
    found = state.units.get(UnitId(unit))
    return None if found is None else _counter(context, state, found)


def _counter(context: Context, state: State, unit: Unit) -> Counter:
    card = context.card(unit)
    side = context.scenario.side(unit.side)
    return Counter(
        id=unit.id,
        side=unit.side,
        face=_face(card, unit, side.colour or COLOURS[unit.side]),
        hex=context.label(unit.hex) if unit.hex is not None else "",
        box=_BOXES[unit.box].id if unit.box is not Box.MAP else "",
        markers=tuple(_markers(unit)),
        is_top=_is_top(context, state, unit),
    )


@rule("8.4.0")
def _is_top(context: Context, state: State, unit: Unit) -> bool:
    """Whether it lies on top of others whom one may look at."""
    stack = context.deployment(state).at(unit.hex) if unit.hex is not None else ()
    return len(stack) > 1 and (top_of(context, stack, state.tops) or first_of(context, stack, state.tops)) is unit


_SIZES = {Size.BATTALION: "II", Size.COMPANY: "I", Size.Z_STEP: "..."}
_STAFFS = {Echelon.ARMY: "XXXX", Echelon.CORPS: "XXX", Echelon.DIVISION: "XX", Echelon.BATTLE_GROUP: "X"}


def _face(card: Card, unit: Unit, colour: str) -> Face:
    """Strengths and allowance in a line, raised factors on them, ratings at the right, guns at the left (4.0)."""
    now = strength(card, unit.steps)
    ratings = f"{'-' if card.offensive is None else card.offensive}/{card.defensive}"
    staff = _STAFFS[card.echelon] if card.is_headquarters and card.echelon is not None else ""
    values = [
        Value("attack", _raised(now.attack, card.arm_attack)),
        Value("defence", _raised(now.defence, card.arm_defence or card.at)),
        Value("MA", str(card.ma)),
        Value("PR", ratings, "right"),
        Value("size", staff or _SIZES[size_of(card, unit.steps)], "top"),
        Value("formation", unit.formation or card.formation, "card"),
        Value("steps", str(unit.steps), "card"),
    ]
    if card.is_artillery:
        values.append(Value("barrage", f"{card.barrage}", "left"))
        values.append(Value("range", str(card.range), "card"))
    return Face(card.kind.value, card.title, card.size.value, colour, tuple(values), "staff")


def _raised(number: int, factor: int) -> str:
    return f"{number}^{factor}" if factor else str(number)


@rule("1.4.0")
def _markers(unit: Unit) -> Iterator[Marker]:
    if unit.mode is not Mode.TAC:
        yield Marker(unit.mode.value, f"{unit.mode} mode (5.0)", "posture")
    if unit.is_designated:
        yield Marker("TA", "Tactical Assault (5.1.2)", "posture")
    if unit.in_battery:
        yield Marker("IB", "in battery (5.7)", "posture")
    if unit.in_works:
        yield Marker("DW", "in defensive works (17.4)", "good")
    if unit.in_reserve:
        yield Marker("CR", "Combat Reserve (5.8)", "posture")
    if unit.shifts:
        yield Marker(f"AS{unit.shifts}", "artillery shifts (11.6.1)", "bad")
    if unit.fatigue:
        yield Marker(f"F{unit.fatigue}", f"fatigue {unit.fatigue} (14.2)", "bad")
    if unit.supply is not Supply.GENERAL:
        yield Marker(unit.supply.value, f"supply: {unit.supply} (15)", "bad")
    if unit.is_out_of_command:
        yield Marker("OoC", "out of command (9.8)", "bad")
    if unit.is_depleted:
        yield Marker("AD", "ammunition depleted (11.8)", "bad")


def _hex_markers(context: Context, state: State) -> Iterator[HexMarker]:
    for veil in state.veils:
        told = f"; {veil.steps} steps, {veil.armour} armour, seen from a vantage point (8.4.2)" if veil.armour else ""
        reserve = "; some in Combat Reserve (5.8.0)" if veil.in_reserve else ""
        text = f"more units under the top one (8.4.0){told}{reserve}"
        yield HexMarker(context.label(veil.hex), Marker("+CR" if veil.in_reserve else "+", text, "hidden"))
    for work in state.works:
        yield HexMarker(context.label(work.hex), Marker(work.kind.value, f"{work.kind} (17.4)", "neutral"))


def _stakes(context: Context, state: State) -> Stakes:
    draft, held = context.scenario.draft, holders(context, state)
    first = context.seats[0]
    return Stakes(
        turn=state.at.turn + 1,
        turns=draft.turns,
        end=f"The game ends after game turn {draft.turns}.",
        rule="3.3.4",
        holdings=tuple(
            Holding(one.hex, one.title or one.hex, (one.hex,), held[one.hex], "2.0", {first: one.points})
            for one in draft.victory.points
        ),
        aims=tuple(
            Aim(level.winner, f"{level.title}: {level.points} points or more", "2.0") for level in draft.victory.levels
        ),
    )
