"""What a client draws: counters, markers, tracks and scores, from the concealed state."""

from __future__ import annotations

from sandtable.core.decision import Seat
from sandtable.core.frames import Asking
from sandtable.core.ruleset import Outcome
from sandtable.core.view import Box, Counter, Face, HexMarker, Marker, Prompt, Track, Value, View
from sandtable.systems.panzer.cards import Card
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.objectives import scores, stakes
from sandtable.systems.panzer.hex.scenario import COLOURS
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import Command, Spot, Status, UnitId, WreckKind

__all__ = ["build_view", "counter_of", "tracks"]

_BOXES = {
    Status.RESERVE: Box("reserve", "Reserves"),
    Status.EXITED: Box("exited", "Off the mapboard"),
    Status.KNOCKED_OUT: Box("destroyed", "Destroyed"),
    Status.BREWED_UP: Box("destroyed", "Destroyed"),
}


def build_view(
    context: Context,
    state: State,
    seat: Seat | None,
    asking: Asking | None,
    outcome: Outcome | None,
) -> View:
    """The view of ``seat`` from a state that was concealed for it."""
    prompt = None
    if asking is not None:
        prompt = Prompt(asking.rule, asking.title, asking.asked, seat in asking.asked)
    return View(
        seat=seat or "",
        tracks=tracks(context, state),
        counters=tuple(_counter(context, state, unit) for _, unit in sorted(state.units.items())),
        hex_markers=tuple(_hex_markers(context, state)),
        boxes=tuple(dict.fromkeys(_BOXES.values())),
        scores=scores(state, context.scenario, context.cards),
        prompt=prompt,
        outcome=outcome.summary if outcome is not None else "",
        state=state,
        stakes=stakes(state, context.scenario),
    )


def tracks(context: Context, state: State) -> tuple[Track, ...]:
    """Turn and phase."""
    phases = tuple(phase.value for phase in Phase)
    turns = context.scenario.draft.turns
    return (
        Track("turn", "Turn", tuple(str(turn + 1) for turn in range(turns)), max(0, state.turn - 1)),
        Track("phase", "Sequence of Play", phases, phases.index(state.phase.value)),
    )


def counter_of(context: Context, state: State, unit: str) -> Counter | None:
    """The counter of one vehicle, from a concealed state."""
    found = state.units.get(UnitId(unit))
    return None if found is None else _counter(context, state, found)


def _counter(context: Context, state: State, unit: Unit) -> Counter:
    card = context.cards[unit.card]
    side = next(side for side in context.scenario.draft.sides if side.id == unit.side)
    colour = side.colour or COLOURS.get(unit.side, unit.side)
    return Counter(
        id=unit.id,
        side=unit.side,
        face=Face(card.kind.value, card.name, _code(card), colour, _values(card)),
        hex=context.game_map.label(unit.hex) if unit.hex is not None else "",
        box="" if unit.in_play else _BOXES[unit.status].id,
        facing=unit.facing if unit.in_play else None,
        markers=tuple(_markers(unit)),
        spotted_by=_spotters(state, unit) if unit.in_play else None,
    )


def _spotters(state: State, unit: Unit) -> tuple[str, ...]:
    """Who spots a vehicle as of the Spotting Phase (4.1.3)."""
    return tuple(str(spotter) for spotter, targets in state.spotted.items() if unit.id in targets)


def _code(card: Card) -> str:
    """A few letters that stand for the vehicle: the last word of its name that has a capital or a digit."""
    words = [word for word in card.name.replace("/", " ").split() if word[0].isupper() or word[0].isdigit()]
    return (words[-1] if words else card.name)[:4]


def _values(card: Card) -> tuple[Value, ...]:
    best = max((ammo.P.S for weapon in card.weapons for ammo in weapon.ammo if ammo.basic), default=0)
    return (
        Value("movement", str(card.movement)),
        Value("armor", f"{card.armor.front}/{card.armor.rear}"),
        Value("penetration", str(best) if best else "-"),
    )


def _markers(unit: Unit) -> list[Marker]:
    found = []
    if unit.in_play and not (unit.known and unit.command is Command.NONE):
        tone = "hidden" if unit.command is Command.HIDDEN else "neutral"
        found.append(Marker(unit.command.value, "Command" if unit.known else "Command, face down", tone))
    if unit.damaged:
        found.append(Marker("DMGD", "Damaged", "bad"))
    if unit.spot is not Spot.NONE:
        found.append(Marker(unit.spot.value, "Spotted since the Spotting Phase", "bad"))
    if unit.new_spot is not Spot.NONE:
        found.append(Marker(f"+{unit.new_spot.value}", "SPOT counter placed this turn", "bad"))
    return found


def _hex_markers(context: Context, state: State) -> list[HexMarker]:
    found = []
    for wreck in state.wrecks:
        title = "Wreck with Brew-Up Smoke" if wreck.kind is WreckKind.BU else "Wreck"
        found.append(HexMarker(context.game_map.label(wreck.hex), Marker(wreck.kind.value, title, "bad")))
    for draft in context.scenario.draft.objectives:
        standing = state.objectives[draft.id]
        title = f"{draft.title}: {standing.holder.title() or 'nobody'}"
        found += [HexMarker(label, Marker("VP", title, "good")) for label in draft.hexes]
    return found
