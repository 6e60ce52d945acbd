"""6.5.1.12 Whether called fire responds, and Danger Close (6.5.1.10)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.dice import Kinds
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed, Opened
from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import Hex, distance
from sandtable.systems.panzer.combat.hindrances import in_heat_haze
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.fires.missions import BatteryId, Mission
from sandtable.systems.panzer.fires.observers import attachment_of, is_command_recon, unit_attachment
from sandtable.systems.panzer.fires.response import Attachment, CallFacts, Response, response_of, response_to
from sandtable.systems.panzer.hex import mission_events as me
from sandtable.systems.panzer.hex.actions import Action, PlaceImpact
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.fires.calls import kind_of, mission_named, spotted_hexes
from sandtable.systems.panzer.hex.fires.impact import end_mission, fire_mission
from sandtable.systems.panzer.hex.fires.sources import measured, source_of
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.sight.hindrances import clouds_on
from sandtable.systems.panzer.hex.sight.smoke import smoke_hexes_on_line, smoking
from sandtable.systems.panzer.hex.spotting.spotting import size_class
from sandtable.systems.panzer.hex.spotting.standing import height_of
from sandtable.systems.panzer.hex.state import DangerClose, Responding, State, Unit
from sandtable.systems.panzer.percentile import D10
from sandtable.systems.panzer.unit import UnitId

__all__ = ["DangerCloseHandler", "RespondingHandler", "attachment_between", "endangered", "response_number"]

BOOK = ("panzer-na",)
NEAR = 5
"""How near to the Target Point friends are in danger (6.5.1.10)."""
_BESIDE_DUST = (FeatureKind.SMOKE, FeatureKind.BARRAGE, FeatureKind.ON_FIRE)


@rule("6.5.1.12.1", editions=BOOK)
def _hindered(context: Context, state: State, observer: Unit, target: Hex) -> int:
    """Occurrences of Brew-Up Smoke, Smoke, Barrages and Fire on the observer's line (6.5.1.12.1)."""
    if observer.hex is None:
        return 0
    ground = context.ground_at(state)
    heights = (height_of(context, state, observer), ground.places[target].height)
    met = clouds_on(ground, state.features, observer.hex, target, heights)
    # Smoke and Barrage of a mission are one occurrence.
    found = {(one.source, one.kind is FeatureKind.ON_FIRE) for one in met if one.kind in _BESIDE_DUST}
    return len(found) + len(smoke_hexes_on_line(observer.hex, target, smoking(state)))


@rule("6.5.1.12.1", editions=BOOK)
def _in_haze(context: Context, state: State, observer: Unit, target: Hex) -> bool:
    """Whether Heat Haze hinders, by the size of the target that is easiest to see (6.5.1.12.1)."""
    if not context.scenario.draft.conditions.heat_haze or observer.hex is None:
        return False
    spotted = spotted_hexes(state, observer.id)
    units = [unit for hex, there in spotted.items() if distance(hex, target) <= 1 for unit in there]
    apart = distance(observer.hex, target)
    sizes = [size_class(context.cards[unit.card]) for unit in spotted.get(target) or units]
    return bool(sizes) and all(in_heat_haze(context.tables, size, apart) for size in sizes)


@rule("6.5.1.3", "6.5.1.4", "6.5.1.7", "6.5.1.12", "5.8.3", editions=BOOK)
def response_number(context: Context, state: State, mission: Mission[Hex], source: str, *, adjusted: bool) -> Breakdown:
    """What a source adds to its roll (10), and the Fire Response Factor (6.5.1.12)."""
    observer = state.units[mission.observer]
    enlisted = context.scenario.roster[observer.id]
    kind = kind_of(context, observer.id)
    assert kind is not None  # noqa: S101 - seen to when it called
    battery = state.batteries.get(BatteryId(source))
    facts = CallFacts(
        observer=kind,
        attachment=attachment_between(context, source, observer.id),
        grade=enlisted.grade,
        registered=battery is not None and mission.target in battery.registered,
        command_recon=is_command_recon(enlisted.roles),
        adjusted=adjusted,
        suppressed=observer.markers.is_suppressed,
        damaged=observer.markers.is_damaged,
        hindered=_hindered(context, state, observer, mission.target),
        heat_haze=_in_haze(context, state, observer, mission.target),
    )
    return response_to(facts, context.tables)


def attachment_between(context: Context, source: str, observer: UnitId) -> Attachment:
    """How far a battery or unit is an observer's own (6.5.1.3)."""
    roster = context.scenario.roster
    facts = context.scenario.artillery.get(BatteryId(source))
    if facts is None:
        return unit_attachment(roster[UnitId(source)].formation, roster[observer].formation)
    formation = roster[observer].formation
    return attachment_of(facts.level, facts.formation, formation, context.scenario.formations)


@rule("6.5.1.10", "6.5.1.12", editions=BOOK)
def endangered(context: Context, state: State, mission: Mission[Hex], source: str) -> tuple[Hex, ...]:
    """Where the fire of a source may be put on its own: spotted units near the Target Point, in range (6.5.1.10)."""
    spotted = {target for targets in state.spotted.values() for target in targets}
    found = source_of(context, state, source)
    observer = state.units[mission.observer].hex
    hexes = {
        unit.hex
        for unit in state.units.values()
        if unit.side == mission.side
        and unit.in_play
        and unit.hex is not None
        and unit.id in spotted
        and distance(unit.hex, mission.target) <= NEAR
    }
    return tuple(
        sorted(hex for hex in hexes if found and found.row.range_factor(measured(found, observer, hex)) is not None)
    )


class RespondingHandler(Handler[Responding]):
    """6.5.1.12: source by source."""

    frame = Responding

    @rule("6.5.1.7", "6.5.1.12", editions=BOOK)
    def advance(self, play: Play, frame: Responding) -> bool:
        """Roll for the next source, or have those fire that respond (6.5.1.12)."""
        if not frame.left:
            self._fire(play, frame)
            return True
        source, mission = frame.left[0], frame.mission
        number = response_number(self.context, play.state, mission, source, adjusted=source in frame.firing)
        roll = play.dice.roll(D10, f"{source} responds", Kinds(lambda total: response_of(number, total))).total
        response = response_of(number, roll)
        play.emit(me.ResponseRolled(source, number, roll, response.value))
        came = (*frame.came, source) if response is Response.COMES else frame.came
        play.emit(Changed(replace(frame, left=frame.left[1:], came=came)))
        if response is Response.ASTRAY:
            hexes = endangered(self.context, play.state, mission, source)
            if hexes:
                play.emit(Opened(DangerClose(source, hexes)))
        return True

    def _fire(self, play: Play, frame: Responding) -> None:
        """Those that come fire together; what went astray falls by itself."""
        play.emit(Closed())
        mission = frame.mission
        if not frame.came and mission_named(play.state, mission.id) is not None:
            end_mission(play, mission, "6.5.1.12", "nobody responds")
        for source, hex in frame.astray:
            name = f"{mission.id}-{source}"
            astray = replace(mission, id=name, sources=(source,), target=hex, danger_close=True)
            fire_mission(self.context, play, astray)
        if frame.came:
            fire_mission(self.context, play, replace(mission, sources=frame.came))


class DangerCloseHandler(Handler[DangerClose]):
    """6.5.1.12: the opponent puts the fire on one of the spotted units of its side."""

    frame = DangerClose
    answers = (PlaceImpact,)

    def question(self, state: State, frame: DangerClose) -> Asking:
        """The side that the fire was meant for."""
        below = state.stack[-2]
        assert isinstance(below, Responding)  # noqa: S101 - it is asked inside a call only
        return Asking("6.5.1.12", "Place the impact of Danger Close fire", (self.context.other(below.mission.side),))

    def options(self, state: State, frame: DangerClose, seat: Seat) -> Node[Action]:
        """The hexes of those units."""
        return Pick(lambda: self._ways(frame))

    def _ways(self, frame: DangerClose) -> Iterator[Branch[Action]]:
        for hex in frame.hexes:
            label = self.context.game_map.label(hex)
            yield Branch(label, "hex", f"{frame.source} falls on {label}", Leaf(PlaceImpact(hex)), label, is_hex=True)

    def refusal(self, state: State, frame: DangerClose, seat: Seat, action: Action) -> Refusal | None:
        """Another hex."""
        assert isinstance(action, PlaceImpact)  # noqa: S101 - the only answer
        if action.hex not in frame.hexes:
            labels = ", ".join(self.context.game_map.label(hex) for hex in frame.hexes)
            return Refusal("6.5.1.12", "no spotted unit of the firing side there", f"one of {labels}")
        return None

    def apply(self, play: Play, frame: DangerClose, seat: Seat, action: Action) -> None:
        """The source fires there."""
        assert isinstance(action, PlaceImpact)  # noqa: S101 - the only answer
        play.emit(Closed())
        play.emit(me.FireMissed(frame.source, action.hex))
        below = play.state.stack[-1]
        assert isinstance(below, Responding)  # noqa: S101 - it is asked inside a call only
        play.emit(Changed(replace(below, astray=(*below.astray, (frame.source, action.hex)))))
