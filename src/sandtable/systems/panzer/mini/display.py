"""What a client draws: bases on the table, markers, tracks and scores, from the concealed state."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.frames import Asking
from sandtable.core.ruleset import Outcome
from sandtable.core.view import Box, Counter, Face, HexMarker, Marker, Patch, Track, Value, View
from sandtable.geo.plane.points import label
from sandtable.systems.panzer.mini.cards import MiniCard
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.objectives import scores, stakes
from sandtable.systems.panzer.mini.scenario.bound import base_of
from sandtable.systems.panzer.mini.scenario.draft import COLOURS
from sandtable.systems.panzer.mini.state import State, Unit
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import Command, Spot, Status, UnitId

__all__ = ["build_view", "counter_of", "tracks"]

_WAITING = Box("waiting", "To be set up")
_BOXES = {
    Status.RESERVE: Box("reserve", "Held off the table"),
    Status.EXITED: Box("exited", "Off the table"),
    Status.KNOCKED_OUT: Box("destroyed", "Destroyed"),
    Status.BREWED_UP: Box("destroyed", "Destroyed"),
}
_ORDERED = (Status.IN_PLAY, Status.RESERVE)
"""Who has orders."""
_SET_UP = "Set-up"
_PHASES = (Phase.SPOTTING, Phase.COMMAND, Phase.INITIATIVE, Phase.COMBAT, Phase.MOVEMENT, Phase.ADJUSTMENT)


def build_view(
    context: Context, state: State, seat: Seat | None, asking: Asking | None, outcome: Outcome | None
) -> View:
    """The view of ``seat`` from a state that was concealed for it."""
    return View(
        seat=seat or "",
        tracks=tracks(context, state),
        counters=tuple(_counter(context, state, unit) for _, unit in sorted(state.units.items())),
        hex_markers=_objectives(context, state),
        boxes=(_WAITING, *dict.fromkeys(_BOXES.values())),
        scores=scores(state, context.scenario),
        prompt=asking.prompt(seat) if asking is not None else None,
        outcome=outcome.summary if outcome is not None else "",
        state=state,
        stakes=stakes(state, context.scenario),
        patches=tuple(
            Patch(
                patch.kind, tuple((corner.x, corner.y) for corner in patch.outline), context.terrain[patch.kind].title
            )
            for patch in state.patches
        ),
    )


def _objectives(context: Context, state: State) -> tuple[HexMarker, ...]:
    """A sign in the middle of each objective, with its holder (4.6)."""
    standing = stakes(state, context.scenario).holdings
    return tuple(
        HexMarker(one.hexes[0], Marker("VP", f"{one.title}: {one.holder.title() or 'nobody'}", "good"))
        for one in standing
    )


def tracks(context: Context, state: State) -> tuple[Track, ...]:
    """Turn and phase; before the first turn all is set up."""
    turns = context.scenario.draft.turns
    phases = (_SET_UP, *(phase.value for phase in _PHASES))
    at = _SET_UP if state.turn == 0 else state.phase.value
    return (
        Track("turn", "Turn", tuple(str(turn + 1) for turn in range(turns)), max(0, state.turn - 1)),
        Track("phase", "Sequence of Play", phases, phases.index(at)),
    )


def counter_of(context: Context, state: State, unit: str) -> Counter | None:
    """The counter of one vehicle, from a concealed state."""
    found = state.units.get(UnitId(unit))
    return None if found is None else _counter(context, state, found)


def _counter(context: Context, state: State, unit: Unit) -> Counter:
    side = next(side for side in context.scenario.draft.sides if side.id == unit.side)
    card = context.card_of(unit)
    base = base_of(card, (0, 0), 0)
    placed = unit.at is not None
    box = "" if placed else (_WAITING if unit.in_play else _BOXES[unit.status]).id
    return Counter(
        id=unit.id,
        side=unit.side,
        face=_face(card, side.colour or COLOURS.get(unit.side, unit.side)),
        hex=label(unit.at) if unit.at is not None else "",
        box=box,
        markers=tuple(_markers(unit)),
        spotted_by=_spotters(state, unit) if placed and unit.in_play else None,
        heading=unit.heading if placed else None,
        turret_heading=unit.turret_heading if placed and card.has_turret else None,
        base=(base.width, base.depth),
    )


def _face(card: MiniCard, colour: str) -> Face:
    best = max((ammo.P.S for weapon in card.weapons for ammo in weapon.ammo if ammo.basic), default=0)
    values = (Value("movement", card.movement_factor), Value("penetration", str(best) if best else "-"))
    return Face(card.kind.value, card.name, _code(card), colour, values)


def _code(card: MiniCard) -> str:
    """A few letters that stand for the vehicle: the last word of its name that has a capital or a digit."""
    words = [word for word in card.name.replace("/", " ").split() if word[0].isupper() or word[0].isdigit()]
    return (words[-1] if words else card.name)[:4]


def _spotters(state: State, unit: Unit) -> tuple[str, ...]:
    return tuple(str(spotter) for spotter, targets in state.spotted.items() if unit.id in targets)


@rule("4.0", "4.4", editions=("panzer-mini",))
def _markers(unit: Unit) -> list[Marker]:
    """The order of a vehicle and what else is known of it, as markers beside it tell (4.4)."""
    found = []
    if unit.status in _ORDERED and not (unit.known and unit.command is Command.NONE):
        tone = "hidden" if unit.command is Command.HIDDEN else "neutral"
        found.append(Marker(unit.command.value, "Order" if unit.known else "Order, face down", tone))
    if unit.damaged:
        found.append(Marker("dmgd", "Damaged", "bad"))
    if unit.markers.track:
        found.append(Marker("TK", "Track hit", "bad"))
    if unit.spot is not Spot.NONE:
        found.append(Marker(unit.spot.value, "Spotted since the Spotting Phase", "bad"))
    if unit.new_spot is not Spot.NONE:
        found.append(Marker(f"+{unit.new_spot.value}", "SPOT marker placed this turn", "bad"))
    return found
