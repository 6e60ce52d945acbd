"""8.4 Announced fire: shot after shot, hit after hit, and what the target's owner has to say of it.

All fire that was announced on a vehicle is resolved until it burns: a knocked out one may still brew up (8.3.1).
"""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed, Opened
from sandtable.geo.plane.points import Point, range_inches
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.advanced_card import Damage, Location
from sandtable.systems.panzer.combat.ap_fire import hit_number
from sandtable.systems.panzer.combat.ap_hits import cuts_of_hits, hits_of
from sandtable.systems.panzer.combat.fire_events import HitResolved, HitsScored
from sandtable.systems.panzer.command.revealing import CommandRevealHandler
from sandtable.systems.panzer.frames import CommandReveal
from sandtable.systems.panzer.mini import events as ev
from sandtable.systems.panzer.mini.actions import Action, ChooseAngle
from sandtable.systems.panzer.mini.cards import Angle
from sandtable.systems.panzer.mini.combat.frames import AngleChoice, Volley
from sandtable.systems.panzer.mini.combat.hits import Hit, Plate, Shell, kinds_of_hit, resolve_hit
from sandtable.systems.panzer.mini.combat.measures import Aim, plates_of, shot_of, swing_of
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.handler import Handler, Play
from sandtable.systems.panzer.mini.losses import lose
from sandtable.systems.panzer.mini.state import State, Unit
from sandtable.systems.panzer.percentile import D100
from sandtable.systems.panzer.unit import Shot, Spot, UnitId, WreckKind

__all__ = ["AngleChoiceHandler", "MiniCommandRevealHandler", "VolleyHandler"]

BOOK = ("panzer-mini",)
_TOP = "Top"


@rule("8.1.1.2.3", "8.1.2.2.3", "8.2.1.1", "8.4.2.10.7", "8.4.2.11.7", editions=BOOK)
def _mark(context: Context, play: Play, frame: Volley, shot: Shot) -> None:
    """A firer is marked; in overwatch its turret has turned to the target (8.1.1.2.3, 8.4.2.10.7)."""
    play.emit(shared.SpotMarked(shot.firer, Spot.FIRE))
    firer, place = play.state.units[shot.firer], _place(play.state, frame.target)
    if not frame.overwatch or place is None:
        return
    swing = swing_of(context, Aim(firer, shot.weapon, shot.ammo, overwatch=True), place)
    if swing is not None and swing.turret is not firer.turret:
        play.emit(ev.TurretsTurned({firer.id: swing.turret}))


def _place(state: State, target: UnitId) -> Point | None:
    """Where a target stands, or its wreck: fire that is wasted on it was fired there too (8.3.2)."""
    at = state.units[target].at
    if at is not None:
        return at
    wreck = next((patch.outline for patch in state.patches if patch.of == target), None)
    if wreck is None:
        return None
    return Point(sum(corner.x for corner in wreck) // len(wreck), sum(corner.y for corner in wreck) // len(wreck))


@rule("8.4.3", "8.4.4", "8.4.4.2.3", "8.1.1.2.1", "8.1.2.2.1", editions=BOOK)
def _fire(context: Context, play: Play, frame: Volley) -> None:
    """The next shot: its hit number, the roll and how many hits, all on the target (8.4.3, 8.4.4)."""
    state, shot = play.state, frame.shots[0]
    firer, target = state.units[shot.firer], state.units[frame.target]
    weapon = context.card_of(firer).weapons[shot.weapon]
    aim = Aim(firer, shot.weapon, shot.ammo, frame.overwatch)
    facts = shot_of(context, state, aim, target, moving=bool(frame.moving))
    number = hit_number(facts, context.tables, context.edition)
    table = context.tables["ap_hits"]
    cuts = cuts_of_hits(table, number.total, weapon.rof)
    roll = play.dice.roll(D100, f"{firer.id} fires on {target.id}", cuts).total
    hits = hits_of(table, number.total, weapon.rof, roll)
    play.emit(
        ev.ShotFired(
            firer=firer.id,
            target=target.id,
            weapon=weapon.name,
            ammo=weapon.ammo[shot.ammo].type,
            range_inches=_range(firer, target),
            range_factor=facts.range_factor,
            number=number,
            roll=roll,
            hits=hits,
        )
    )
    _mark(context, play, frame, shot)
    if hits > 1:
        play.emit(HitsScored(firer.id, target.id, hits))
    _after(play, replace(frame, hits=hits) if hits else replace(frame, shots=frame.shots[1:]))


def _range(firer: Unit, target: Unit) -> int:
    assert firer.at is not None  # noqa: S101 - both are on the table
    assert target.at is not None  # noqa: S101
    return range_inches(firer.at, target.at)


def _after(play: Play, frame: Volley) -> None:
    play.emit(Changed(frame))


@rule("8.4.5.3", "8.4.5.3.1", "8.4.7", "8.4.7.3", "8.4.7.4", "8.4.7.5", "8.4.7.6", "8.1.2.1.2", editions=BOOK)
def _apply_hit(context: Context, play: Play, frame: Volley, hit: Hit) -> Volley:
    """What a hit did counts at once; a second Damaged result is a Knock Out (8.4.5.3, 8.4.7.4)."""
    target = play.state.units[frame.target]
    if hit.damage is Damage.BU:
        lose(context, play, target, WreckKind.BU)
    elif hit.damage is Damage.KO or (hit.damage is Damage.DM and target.damaged):
        return replace(frame, lost=True)
    elif hit.damage is Damage.DM and not frame.lost:
        play.emit(shared.VehicleDamaged(target.id))
    elif hit.effect == "track" and not frame.lost and not target.markers.track:
        play.emit(shared.VehiclePartHit(target.id, "track"))
    return frame


def _resolve_hit(context: Context, play: Play, frame: Volley, plate: Plate) -> None:
    """One roll (100) says where a hit strikes and what it does (8.4.5.1.3, 8.4.7.2)."""
    state, shot = play.state, frame.shots[0]
    firer, target = state.units[shot.firer], state.units[frame.target]
    ammo = context.card_of(firer).weapons[shot.weapon].ammo[shot.ammo]
    factor = ammo.range_factor(_range(firer, target))
    assert factor is not None  # noqa: S101 - within range
    shell = Shell(ammo, factor)
    card, tables = context.card_of(target), context.tables
    roll = play.dice.roll(D100, f"{target.id} is hit", partial(kinds_of_hit, tables, card, plate, shell)).total
    hit = resolve_hit(tables, card, plate, shell, roll)
    where = "" if hit.location is None else _TOP if hit.location is Location.DK else hit.location.value
    angle = (hit.angle or plate.hull).value
    play.emit(HitResolved(firer.id, target.id, roll, angle, where, hit.margin, hit.effect))
    left = _apply_hit(context, play, frame, hit)
    if frame.hits > 1:
        _after(play, replace(left, hits=frame.hits - 1))
    else:
        _after(play, replace(left, hits=0, struck=None, shots=frame.shots[1:]))


class VolleyHandler(Handler[Volley]):
    """8.4: announced fire goes on by itself."""

    frame = Volley

    @rule("8.3.1", "8.3.2", editions=BOOK)
    def advance(self, play: Play, frame: Volley) -> bool:
        """The next hit, the next shot, or the end; fire at a vehicle that burns already is wasted (8.3.1)."""
        target = play.state.units[frame.target]
        if not frame.shots:
            play.emit(Closed())
            if frame.lost and target.in_play:
                lose(self.context, play, target, WreckKind.KO)
        elif not target.in_play:
            self._wasted(play, frame)
        elif frame.hits:
            self._hit(play, frame, target)
        elif frame.moving is None:
            play.emit(Opened(CommandReveal(frame.target)))
        else:
            _fire(self.context, play, frame)
        return True

    def _wasted(self, play: Play, frame: Volley) -> None:
        if not frame.hits:
            play.emit(shared.ShotWasted(frame.shots[0].firer, frame.target))
            _mark(self.context, play, frame, frame.shots[0])
        _after(play, replace(frame, hits=0, struck=None, shots=frame.shots[1:]))

    def _hit(self, play: Play, frame: Volley, target: Unit) -> None:
        firer = play.state.units[frame.shots[0].firer]
        plates = plates_of(self.context, play.state, firer, target)
        if frame.struck is not None:
            plates = tuple(one for one in plates if (one.hull, one.turret) == frame.struck)
        if len(plates) > 1:
            angles = tuple((plate.hull, plate.turret) for plate in plates)
            play.emit(Opened(AngleChoice(target.id, firer.id, angles)))
        else:
            _resolve_hit(self.context, play, frame, plates[0])


@rule("6.1.2", "8.4.2.2", editions=BOOK)
class MiniCommandRevealHandler(CommandRevealHandler):
    """8.4.2.2: the target's owner may reveal a moving order for the modifier."""

    number = "8.4.2.2"


class AngleChoiceHandler(Handler[AngleChoice]):
    """8.4.5.1.1: the target's owner picks the Hit Angle on the line between two."""

    frame = AngleChoice
    answers = (ChooseAngle,)

    def question(self, state: State, frame: AngleChoice) -> Asking:
        """The target's owner."""
        return Asking("8.4.5.1.1", "Choose the Hit Angle", (state.units[frame.target].side,))

    def options(self, state: State, frame: AngleChoice, seat: Seat) -> Node[Action]:
        """The angles beside the line."""
        return Pick(lambda: [_angle_way(hull, turret) for hull, turret in frame.angles])

    @rule("8.4.5.1.1", "4.1", editions=BOOK)
    def refusal(self, state: State, frame: AngleChoice, seat: Seat, action: Action) -> Refusal | None:
        """An angle that the line does not touch (8.4.5.1.1)."""
        assert isinstance(action, ChooseAngle)  # noqa: S101 - the only answer
        if (action.hull, action.turret) not in frame.angles:
            told = " or ".join(f"{hull.value} and {turret.value}" for hull, turret in frame.angles)
            return Refusal("8.4.5.1.1", f"the line does not run along {action.hull.value}", told)
        return None

    def apply(self, play: Play, frame: AngleChoice, seat: Seat, action: Action) -> None:
        """It counts for all hits of the shot."""
        assert isinstance(action, ChooseAngle)  # noqa: S101 - the only answer
        play.emit(Closed())
        volley = play.state.stack[-1]
        assert isinstance(volley, Volley)  # noqa: S101 - asked inside one only
        play.emit(Changed(replace(volley, struck=(action.hull, action.turret))))


def _angle_way(hull: Angle, turret: Angle) -> Branch[Action]:
    words = hull.value if turret is hull else f"{hull.value}, turret {turret.value}"
    return Branch(words, "answer", words, Leaf[Action](ChooseAngle(hull, turret)))
