"""6.5.2, 6.5.4 Announced fire of the Advanced Game: shot after shot, hit after hit, and who bails out at the end."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.frames import Changed, Closed, Opened
from sandtable.geo.hex import distance
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.advanced_card import HitAngle, Location
from sandtable.systems.panzer.cards import Ammo, AmmoType, RateOfFire
from sandtable.systems.panzer.combat.ammo_limits import Supply, is_short, supply
from sandtable.systems.panzer.combat.ap_fire import hit_number
from sandtable.systems.panzer.combat.ap_hits import Round, cuts_of_hits, hits_of, kinds_of_hit, resolve_hit
from sandtable.systems.panzer.combat.arms import Arm, dual_of
from sandtable.systems.panzer.combat.fire_events import (
    AmmoRolled,
    EngagementAnnounced,
    HitResolved,
    HitsScored,
    UnitFired,
)
from sandtable.systems.panzer.command.available import command_range
from sandtable.systems.panzer.command.sharing import reveal
from sandtable.systems.panzer.edition import Module
from sandtable.systems.panzer.facts import LOST, Harm
from sandtable.systems.panzer.frames import AngleChoice, CommandReveal, Engagement, Spreading
from sandtable.systems.panzer.hex.actions import Engage
from sandtable.systems.panzer.hex.combat.ap_results import harm_vehicle, hit_track
from sandtable.systems.panzer.hex.combat.gp_results import bail_out, gp_strike, is_vehicle, strike_passengers
from sandtable.systems.panzer.hex.combat.measures import Aim, angles_of, blast_of, is_moving, plate_of, shot_of
from sandtable.systems.panzer.hex.combat.shared_commands import refuse_shared_target
from sandtable.systems.panzer.hex.combat.terrain_fire import strike_terrain, vulnerable_around
from sandtable.systems.panzer.hex.combat.weapons import refuse_weapon, shooter_of
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.features import positions_of
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.spotting.spotting import spots_live
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.markers import HullDown
from sandtable.systems.panzer.movement.transport import carrier_spot
from sandtable.systems.panzer.percentile import D100
from sandtable.systems.panzer.support_cards import AttachmentKind
from sandtable.systems.panzer.unit import MOVING_COMMANDS, Command, FireKind, Spot, UnitId, WeaponShot

__all__ = ["EngagementHandler", "announce_engagement", "has_ammo_dump", "sees", "with_harms"]

_BOOK = ("panzer-na",)


def announce_engagement(context: Context, play: Play, action: Engage, *, overwatch: bool) -> None:
    """Announce all fire on one target: commands are turned over (4.4.1, 6.5.2, 6.5.4).

    A leg or towed target that moves is easier to hit, so its owner has to say so (6.5.4.2.2).
    """
    play.emit(EngagementAnnounced(action.target, action.shots, overwatch))
    for shot in action.shots:
        shooter = shooter_of(play.state, play.state.units[shot.firer])
        reveal(play, shooter.id)
        _leave_hull_down(play, shooter)
    target = play.state.units[action.target]
    moving: bool | None = None
    if not is_vehicle(context, target):
        if is_moving(target):
            reveal(play, target.id)
        moving = is_moving(target)
    elif target.known:
        moving = target.command in MOVING_COMMANDS
    play.emit(Opened(Engagement(action.target, action.shots, overwatch, moving)))


@rule("6.6.9", editions=_BOOK)
def _leave_hull_down(play: Play, unit: Unit) -> None:
    """A vehicle that reveals a SHORT HALT gives up the position that it has found, even if it stays (6.6.9)."""
    found = unit.markers.hull_down is not HullDown.NONE and not positions_of(play.state.features, unit.id)
    if found and unit.command is Command.SHORT_HALT:
        play.emit(ev.PositionAbandoned(unit.id))


# --- ammunition ---------------------------------------------------------------------------------------


@rule("5.16.2.4", editions=_BOOK)
def has_ammo_dump(context: Context, state: State, unit: Unit) -> bool:
    """Whether a leg or towed unit has ammo without limit: beside its transport, or where it began (5.16.2.4)."""
    if is_vehicle(context, unit):
        return False
    start = context.scenario.units[unit.id]
    if not start.markers.carrier and start.in_play and start.hex == unit.hex:
        return True
    transport = state.units.get(context.scenario.roster[unit.id].transport)
    if transport is None or not transport.in_play or transport.hex is None or unit.hex is None:
        return False
    return distance(transport.hex, unit.hex) <= 1


@rule("5.16", "5.16.2", "5.16.2.1", "5.16.2.2", editions=_BOOK)
def _supply(context: Context, play: Play, firer: Unit, arm: Arm, shot: WeaponShot) -> tuple[int, int]:
    """Roll for ammunition: the ammo type or GP row that is fired, and how much is short (5.16.2)."""
    limits, row = arm.weapon.limits, shot.row
    if not context.plays(Module.AMMO_LIMITS):
        return row, 0
    unlimited = has_ammo_dump(context, play.state, firer)
    if shot.fire is FireKind.GP:
        short = int(not unlimited and is_short(play.dice, limits.basic, "basic ammo"))
        told = "GP"
    else:
        kinds = [ammo.type for ammo in arm.weapon.ammo]
        basic = kinds.index(AmmoType.AP) if AmmoType.AP in kinds else -1
        found: Supply = supply(play.dice, limits, kinds[row], unlimited=unlimited, only_heat=basic < 0)
        short = found.short
        if short and not found.is_special and basic >= 0:
            row = basic
        told = kinds[row].value
    if short:
        play.emit(AmmoRolled(firer.id, told, short))
    return row, short


# --- AP fire ------------------------------------------------------------------------------------------


def sees(context: Context, state: State, unit: Unit, target: Unit, *, overwatch: bool) -> bool:
    """Whether a unit spots a target, as of the Spotting Phase or for Overwatch now; a passenger as its vehicle does."""
    for one in dict.fromkeys((unit.id, shooter_of(state, unit).id)):
        if overwatch:
            if spots_live(context, state, state.units[one], target):
                return True
        elif target.id in state.spotted.get(one, ()):
            return True
    return False


def _aim(context: Context, state: State, frame: Engagement, shot: WeaponShot, short: int) -> Aim:
    firer = state.units[shot.firer]
    arms = context.guns(firer)
    dual = dual_of(arms, shot, frame.shots, firer.markers.arms)
    return Aim(firer, arms[shot.weapon], frame.overwatch, dual, short)


def _ap_number(context: Context, state: State, aim: Aim, ammo: Ammo, target: Unit, *, moving: bool) -> int:
    """The AP Hit Number of a shot."""
    facts = shot_of(context, state, aim, ammo, target, moving=moving)
    return hit_number(facts, context.tables, context.edition).total


@rule("6.5.2.1", editions=_BOOK)
def _spread_to(context: Context, state: State, frame: Engagement, aim: Aim, number: int) -> list[UnitId]:
    """Vehicles that further hits may spread to: near the target, and no harder to hit (6.5.2.1).

    What an owner has not revealed of their movement does not count.
    """
    target = state.units[frame.target]
    assert target.hex is not None  # noqa: S101 - it was fired on
    shot = replace(frame.shots[frame.at], row=frame.ammo)
    reach = command_range(context.tables["available_commands"], context.grade(shot.firer))
    ammo = aim.arm.weapon.ammo[shot.row]
    found = []
    for other_id, other in sorted(state.units.items()):
        if other_id == target.id or other.side != target.side or not other.in_play or other.hex is None:
            continue
        if distance(other.hex, target.hex) > reach or refuse_weapon(context, state, shot, other) is not None:
            continue
        if other.markers.carrier or not sees(context, state, aim.firer, other, overwatch=frame.overwatch):
            continue
        if refuse_shared_target(context, state, aim.firer, other) is not None:
            continue
        moving = other.known and other.command in MOVING_COMMANDS
        if _ap_number(context, state, aim, ammo, other, moving=moving) >= number:
            found.append(other_id)
    return found


@rule("6.5.2", "6.5.2.1", editions=_BOOK)
def _fire_ap(context: Context, play: Play, frame: Engagement, shot: WeaponShot) -> None:
    """Ammunition, the hit roll, how many hits, and where those after the first go (6.5.2.1)."""
    state = play.state
    firer, target = state.units[shot.firer], state.units[frame.target]
    arm = context.guns(firer)[shot.weapon]
    row, short = _supply(context, play, firer, arm, shot)
    aim = _aim(context, state, frame, shot, short)
    ammo = arm.weapon.ammo[row]
    if ammo.range_factor(_range(firer, target)) is None:
        # The basic ammo that is fired in place of the special one does not reach.
        play.emit(ev.ShotWasted(firer.id, target.id))
        _mark(play, firer, arm)
        _after_shot(play, frame)
        return
    facts = shot_of(context, state, aim, ammo, target, moving=bool(frame.moving))
    number = hit_number(facts, context.tables, context.edition)
    rate = RateOfFire.N if short else arm.weapon.rof
    table = context.tables["ap_hits"]
    cuts = cuts_of_hits(table, number.total, rate)
    roll = play.dice.roll(D100, f"{firer.id} fires on {target.id}", cuts).total
    hits = hits_of(table, number.total, rate, roll)
    play.emit(
        ev.ShotResolved(
            firer=firer.id,
            target=target.id,
            weapon=arm.weapon.name,
            ammo=ammo.type,
            range_hexes=_range(firer, target),
            range_factor=facts.range_factor,
            number=number,
            roll=roll,
            hit=bool(hits),
        )
    )
    _mark(play, firer, arm)
    harms = _strike_riders(context, play, target, aim)
    if not hits:
        _after_shot(play, frame, harms)
        return
    frame = replace(frame, ammo=row, hits=(frame.target,) * hits, harms=with_harms(frame, harms))
    play.emit(Changed(frame))
    if hits > 1:
        play.emit(HitsScored(firer.id, target.id, hits))
        others = _spread_to(context, state, frame, aim, number.total)
        if others:
            play.emit(Opened(Spreading(firer.id, target.id, hits, tuple(others))))


@rule("5.1.3.4", editions=_BOOK)
def _strike_riders(context: Context, play: Play, target: Unit, aim: Aim) -> tuple[Harm, ...]:
    """A hand-held weapon fired at a vehicle strikes its passengers with its GP Factor, hit or miss (5.1.3.4)."""
    if aim.arm.kind is not AttachmentKind.HAND_HELD or not target.markers.passengers:
        return ()
    weapon = aim.arm.weapon
    rows = (index for index, gp in enumerate(weapon.gp) if gp.factor(_range(aim.firer, target)) is not None)
    row = next(rows, None)
    if row is None:
        return ()
    blast = blast_of(context, play.state, aim, row, target)
    return tuple(strike_passengers(context, play, target.id, blast, aim.firer.id, weapon=weapon.name))


def _range(firer: Unit, target: Unit) -> int:
    assert firer.hex is not None  # noqa: S101 - both are on the map
    assert target.hex is not None  # noqa: S101
    return distance(firer.hex, target.hex)


@rule("5.7", "6.6.7.2", editions=_BOOK)
def _mark(play: Play, firer: Unit, arm: Arm) -> None:
    """SPOT/FIRE, or SPOT/FIRE SA for Small Arms; on its vehicle, if the firer is mounted (5.7, 6.6.7.2)."""
    shooter = shooter_of(play.state, firer)
    spot = Spot.FIRE_SA if arm.weapon.small_arms else Spot.FIRE
    play.emit(ev.SpotMarked(shooter.id, carrier_spot(shooter.new_spot, spot)))


def with_harms(frame: Engagement, new: tuple[Harm, ...]) -> tuple[Harm, ...]:
    """All that may make somebody bail out, the target first; of a vehicle that is lost nothing else matters.

    The order is fixed, so that hits in any order come to the same.
    """
    harms = (*frame.harms, *new)
    lost = {harm.unit for harm in harms if harm.kind in LOST}
    kept = (harm for harm in harms if harm.unit not in lost or harm.kind in LOST)
    return tuple(sorted(kept, key=lambda harm: (harm.unit != frame.target, harm.unit, harm.kind)))


def _after_shot(play: Play, frame: Engagement, harms: tuple[Harm, ...] = ()) -> None:
    """On to the next shot."""
    play.emit(
        Changed(
            replace(frame, at=frame.at + 1, ammo=-1, hits=(), angle=None, harms=with_harms(frame, harms)),
        )
    )


@rule("6.5.2.2", "6.5.2.5", editions=_BOOK)
def _resolve_hit(context: Context, play: Play, frame: Engagement, angle: HitAngle) -> None:
    """One roll (100) says where a hit strikes and what it does (6.5.2.2, 6.5.2.5)."""
    shot, state = frame.shots[frame.at], play.state
    firer, target = state.units[shot.firer], state.units[frame.hits[0]]
    ammo = context.guns(firer)[shot.weapon].weapon.ammo[frame.ammo]
    penetration = ammo.penetration(_range(firer, target))
    assert penetration is not None  # noqa: S101 - it is within range
    shell = Round(penetration, ammo.damage_row)
    plate = plate_of(context, state, firer, target, angle)
    card, tables = context.advanced_card(target), context.tables
    kinds = partial(kinds_of_hit, tables, card, plate, shell)
    roll = play.dice.roll(D100, f"{target.id} is hit", kinds).total
    hit = resolve_hit(tables, card, plate, shell, roll)
    harms: tuple[Harm, ...] = ()
    effect = "stopped" if hit.damage is None else hit.damage.value
    if hit.location is None or hit.location is Location.TK:
        effect = "miss" if hit.location is None else "track"
    where = "" if hit.location is None else hit.location.value
    play.emit(HitResolved(firer.id, target.id, roll, angle.value, where, hit.margin, effect))
    if hit.location is Location.TK:
        harms = (hit_track(play, target.id),)
    elif hit.damage is not None:
        hull = hit.location is not None and hit.location.is_hull
        harms = (harm_vehicle(context, play, target.id, hit.damage, hull=hull),)
    left = frame.hits[1:]
    if not left:
        _after_shot(play, frame, harms)
        return
    same = left[0] == target.id
    changed = replace(frame, hits=left, angle=frame.angle if same else None, harms=with_harms(frame, harms))
    play.emit(Changed(changed))


# --- GP fire ------------------------------------------------------------------------------------------


@rule("6.5.4", "6.5.4.2.5", "6.5.4.4", editions=_BOOK)
def _fire_gp(context: Context, play: Play, frame: Engagement, shot: WeaponShot) -> None:
    """Ammunition, then the target and its passengers, then the terrain that it is in (6.5.4.4)."""
    firer = play.state.units[shot.firer]
    arm = context.guns(firer)[shot.weapon]
    row, short = _supply(context, play, firer, arm, shot)
    target = play.state.units[frame.target]
    aim = _aim(context, play.state, frame, shot, short)
    blast = blast_of(context, play.state, aim, row, target)
    ground = vulnerable_around(context, play.state, target)
    moving = bool(frame.moving)
    harms = gp_strike(context, play, target.id, blast, firer.id, weapon=arm.weapon.name, moving=moving)
    play.emit(UnitFired(firer.id))
    _mark(play, firer, arm)
    for what in ground:
        strike_terrain(context, play, firer.id, what, blast)
    _after_shot(play, frame, tuple(harms))


# --- the questions ------------------------------------------------------------------------------------


class EngagementHandler(Handler[Engagement]):
    """6.5.2, 6.5.4: announced fire goes on by itself."""

    frame = Engagement

    def advance(self, play: Play, frame: Engagement) -> bool:
        """The next hit, the next shot, or who bails out and the end."""
        if frame.hits:
            self._hit(play, frame)
        elif frame.at < len(frame.shots):
            self._shot(play, frame, frame.shots[frame.at])
        else:
            play.emit(Closed())
            self._bail_out(play, frame.harms)
        return True

    @rule("5.15", editions=_BOOK)
    def _bail_out(self, play: Play, harms: tuple[Harm, ...]) -> None:
        """Who leaves which vehicle, when all fire is resolved (5.15)."""
        units = play.state.units
        for vehicle in dict.fromkeys(units[harm.unit].markers.carrier or harm.unit for harm in harms):
            bail_out(self.context, play, vehicle, harms, indirect=False)

    def _shot(self, play: Play, frame: Engagement, shot: WeaponShot) -> None:
        firer = play.state.units[shot.firer]
        if not play.state.units[frame.target].in_play:
            play.emit(ev.ShotWasted(firer.id, frame.target))
            _mark(play, firer, self.context.guns(firer)[shot.weapon])
            _after_shot(play, frame)
        elif frame.moving is None:
            play.emit(Opened(CommandReveal(frame.target)))
        elif shot.fire is FireKind.AP:
            _fire_ap(self.context, play, frame, shot)
        else:
            _fire_gp(self.context, play, frame, shot)

    def _hit(self, play: Play, frame: Engagement) -> None:
        firer, target = play.state.units[frame.shots[frame.at].firer], play.state.units[frame.hits[0]]
        if not target.in_play:
            left = frame.hits[1:]
            if left:
                play.emit(Changed(replace(frame, hits=left, angle=None)))
            else:
                _after_shot(play, frame)
            return
        angles = angles_of(firer, target)
        angle = frame.angle or (angles[0] if len(angles) == 1 else None)
        if angle is None:
            play.emit(Opened(AngleChoice(target.id, firer.id, angles)))
        else:
            _resolve_hit(self.context, play, frame, angle)
