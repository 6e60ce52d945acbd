"""The method by which the Advanced values of cards are reconstructed from history (docs/reconstruction.md).

Like :mod:`sandtable.systems.panzer.reconstruct`, with the book's scale as data: a vehicle's history is entered once and
serves hexes of 100 m with points of 5 mm as well as inches of 50 m with points of 10 mm. Nothing in play calls it.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, floor, radians, sqrt

import msgspec

from sandtable.systems.panzer.advanced_card import (
    AdvancedCard,
    AmmoLimits,
    AngleArmor,
    DamageRow,
    GpDefense,
    GpKind,
    GpRow,
    HitAngle,
    HitArmor,
    Inclination,
    SizeClass,
    TargetType,
    Transport,
    UnitClass,
)
from sandtable.systems.panzer.cards import AmmoType, Card, Kind, Weapon
from sandtable.systems.panzer.history import (
    Action,
    ArmorHistory,
    Carriage,
    Gun,
    GunId,
    History,
    Material,
    Plate,
    Rangefinder,
    Troops,
)
from sandtable.systems.panzer.ranges import Row
from sandtable.systems.panzer.reconstruct import (
    FULL_CALIBRE,
    QUALITY,
    SOLID_SHOT_ERA,
    THIN_EXPONENT,
    THIN_MM,
    brackets,
    points,
    weapon_rows,
)
from sandtable.systems.panzer.support_cards import (
    AirAttack,
    AircraftCard,
    AirHistory,
    Attachment,
    AttachmentKind,
    BatteryCard,
    RocketAttack,
)

__all__ = [
    "HEXES",
    "INCHES",
    "Scale",
    "advanced_part",
    "damage",
    "gp_rows",
    "hit_armor",
    "rebuild_advanced",
    "rebuild_aircraft",
    "rebuild_attachment",
    "rebuild_battery",
]


class Scale(msgspec.Struct, frozen=True):
    """What a book counts in, and how it sees plates."""

    mm_a_point: float
    metres: float
    """A hex or an inch."""
    slope_exponent: float
    """Power of 1/cos(slope)."""
    diagonal: float
    """By how much front and rear gain when they are struck from the side."""
    rising: float = 5
    falling: float = 6
    """Degrees by which such a shot comes in."""
    deck: float = 6.5
    """By how much a deck gains because shots only graze it."""


HEXES = Scale(mm_a_point=5, metres=100, slope_exponent=1.3, diagonal=1.22)
INCHES = Scale(mm_a_point=10, metres=50, slope_exponent=1.0, diagonal=1 / cos(radians(45)))

STEEPEST = 75
GP_REACH = 1.6
"""Extreme range of shells: so much of that of full-calibre shot."""
MM_A_FACTOR, MM_AN_EFFECT = 15, 25
"""Calibre for a point of the GP Factor, and of GP Effectiveness."""
SHELL_PARTS = (1.0, 0.8, 0.67, 0.6, 0.4)
BULLET_PARTS = (1.0, 0.75, 0.55, 0.35, 0.2)
"""Part of the factor at P that is left in each column."""
RIFLE, SUBMACHINE_GUN, LIGHT_MACHINE_GUN, BELT_FED = 0.45, 0.8, 3.2, 5.5
"""GP Factor that a weapon of a squad adds."""
HALF = 0.6
"""Part of a squad's factor that a half-squad has."""
RIFLE_METRES, GUN_METRES, TRIPOD_METRES, SUBMACHINE_METRES = 900, 1000, 1200, 300
"""How far rifles, machine guns on vehicles and those on tripods reach, and men who have nothing but submachine guns."""
MACHINE_GUN_FACTORS = {1: 4, 2: 5}
DAMAGE = (DamageRow(1, 4, 8), DamageRow(2, 5, 9), DamageRow(3, 6, 10))
"""Damage rows of big, middling and small shot."""
MM_A_DEFENSE = 25
"""Mean of front and rear armor that is worth a point of the GP Defense Factor of a vehicle."""
APCR_LIMIT, HEAT_LIMIT, SMOKE_LIMIT, BASIC_LIMIT, SHORT_LIMIT = 4, 5, 4, 6, 3
MEN_A_PLACE = 4
TRIPOD_FACTOR = 5
AA_MODIFIER, AA_HIGH_MM = 20, 35
"""Of anti-aircraft guns, and the calibre that reaches High Altitude."""
MORTAR_LEAST, MORTAR_MM = 0.07, 60
"""Minimum range by the greatest; the calibre from which mortars fire indirectly."""
MORTAR_REACH = 0.5
"""Of a mortar's greatest range that it fires at what its crew sees."""
BATTERY_FACTOR, BATTERY_MM, BATTERY_METRES, BATTERY_SMOKE, BATTERY_FLARES = 5, 0.04, 3750, 6, 4
BOMB, STRAFES, FAST_KMH, AIR_DEFENSE, HEAVY_KG = 0.65, 3, 400, 3, 3500
ROCKET_METRES, ROCKET_SALVOS = 1000, 2
"""How far off an aircraft lets its rockets go, and in how many salvos."""
HAND_HELD_MM = 30
"""Calibre of a hand-held weapon for a point of its fixed GP Factor (5.1.3.4)."""
STRAFE_WORTH = (0.75, 1.5, 2.5)
"""GP Factor of a machine gun, a heavy one and a cannon of an aircraft."""


def _whole(number: float) -> int:
    return floor(number + 0.5)


def _parts(factor: float, parts: tuple[float, ...]) -> Row:
    return Row(*(max(1, _whole(part * factor)) for part in parts))


# --- armor --------------------------------------------------------------------------------------------


def _worth(plate: Plate, incoming: float, scale: Scale) -> float:
    """Vertical steel that is worth the plate against a shot that comes ``incoming`` degrees from below."""
    if plate.material is Material.EQUIVALENT:
        return plate.mm
    slope = plate.slope + incoming if plate.slope >= 0 else -plate.slope - incoming
    exponent = THIN_EXPONENT if plate.mm < THIN_MM else scale.slope_exponent
    gain: float = cos(radians(min(abs(slope), STEEPEST))) ** -exponent
    return plate.mm * QUALITY[plate.material] * gain


def _factor(plates: tuple[Plate, ...], incoming: float, scale: Scale, gain: float = 1.0) -> int:
    if not plates:
        return 0
    mean = sum(_worth(plate, incoming, scale) for plate in plates) / len(plates)
    return floor(gain * mean / scale.mm_a_point)


def hit_armor(history: ArmorHistory, scale: Scale) -> HitArmor:
    """Armor by inclination, angle and location, rounded down (6.5.2.3)."""
    degrees = {Inclination.LEVEL: 0.0, Inclination.RISING: scale.rising, Inclination.FALLING: -scale.falling}
    # A vehicle of one body shows it wherever a hit would find a turret.
    body = (
        history
        if _has_turret(history)
        else msgspec.structs.replace(
            history, turret_front=history.hull_front, turret_side=history.hull_side, turret_rear=history.hull_rear
        )
    )

    def grid(incoming: float) -> dict[HitAngle, AngleArmor]:
        def of(plates: tuple[Plate, ...], gain: float = 1.0) -> int:
            return _factor(plates, incoming, scale, gain)

        side = scale.diagonal
        return {
            HitAngle.FRONT: AngleArmor(TF=of(body.turret_front), HF=of(body.hull_front)),
            HitAngle.FRONT_SIDE: AngleArmor(
                TF=of(body.turret_front, side),
                TS=of(body.turret_side),
                HF=of(body.hull_front, side),
                HS=of(body.hull_side),
            ),
            HitAngle.REAR_SIDE: AngleArmor(
                TS=of(body.turret_side),
                TR=of(body.turret_rear, side),
                HS=of(body.hull_side),
                HR=of(body.hull_rear, side),
            ),
            HitAngle.REAR: AngleArmor(TR=of(body.turret_rear), HR=of(body.hull_rear)),
        }

    return HitArmor(
        level=grid(degrees[Inclination.LEVEL]),
        rising=grid(degrees[Inclination.RISING]),
        falling=grid(degrees[Inclination.FALLING]),
        deck=floor(scale.deck * history.roof_mm / scale.mm_a_point),
    )


def _has_turret(history: ArmorHistory) -> bool:
    return any((history.turret_front, history.turret_side, history.turret_rear))


# --- weapons ------------------------------------------------------------------------------------------


def damage(gun: Gun, ammo: AmmoType) -> DamageRow:
    """The damage row by calibre; a core does less than the whole shot (6.5.2.5)."""
    row = (gun.calibre_mm < 70) + (gun.calibre_mm < 35)
    return DAMAGE[min(2, row + (ammo is AmmoType.APCR))]


def gp_rows(gun: Gun, scale: Scale) -> tuple[GpRow, ...]:
    """GP rows of a gun: direct, and indirect where it has the range (6.5.1, 6.5.4.1)."""
    if not gun.shell_ms:
        return ()
    if gun.mortar:
        return _mortar_rows(gun, scale)
    factors = _parts(max(2, _whole(gun.calibre_mm / MM_A_FACTOR)), SHELL_PARTS)
    effect = _whole(gun.calibre_mm / MM_AN_EFFECT)
    carry = GP_REACH * FULL_CALIBRE * sqrt(gun.calibre_mm * gun.shell_ms) * 100 / scale.metres
    rows = [GpRow(brackets(_whole(carry)), factors, effectiveness=effect)]
    if gun.reach_m:
        reach = brackets(_whole(gun.reach_m / scale.metres))
        rows.append(GpRow(reach, factors, GpKind.INDIRECT, effectiveness=effect))
    return tuple(rows)


def _anti_aircraft(card: Card, gun: Gun, scale: Scale) -> tuple[GpRow, ...]:
    """The AA row of a gun that was built for it: that of its shells (6.7.4)."""
    if card.kind is not Kind.ANTI_AIRCRAFT_GUN:
        return ()
    shells = gp_rows(gun, scale)[0]
    return (GpRow(shells.R, shells.F, GpKind.ANTI_AIRCRAFT, modifier=AA_MODIFIER, no_high=gun.calibre_mm < AA_HIGH_MM),)


def _mortar_rows(gun: Gun, scale: Scale) -> tuple[GpRow, ...]:
    """A mortar's bombs do as much at any range, and none of them falls close by (5.1.3.1, 5.6)."""
    best = max(2, _whole(gun.calibre_mm / MM_A_FACTOR))
    factors = Row(best, best, best, max(1, best - 1), max(1, best - 1))
    least = _whole(MORTAR_LEAST * gun.reach_m / scale.metres) or 1
    reach = gun.reach_m / scale.metres
    if gun.calibre_mm < MORTAR_MM:
        return (GpRow(brackets(_whole(reach)), factors, minimum=least),)
    effect = _whole(gun.calibre_mm / MM_AN_EFFECT)
    seen = GpRow(brackets(_whole(MORTAR_REACH * reach)), factors, minimum=least, effectiveness=effect)
    return (seen, GpRow(brackets(_whole(reach)), factors, GpKind.INDIRECT, least, effect))


def _bullets(metres: float, factor: float, scale: Scale) -> GpRow:
    return GpRow(brackets(_whole(metres / scale.metres)), _parts(factor, BULLET_PARTS))


def _weapon(card: Card, weapon: Weapon, guns: Mapping[GunId, Gun], scale: Scale) -> Weapon:
    if not weapon.gun:
        barrels = 2 if weapon.name.startswith("Two") else 1
        row = _bullets(GUN_METRES, MACHINE_GUN_FACTORS[barrels], scale)
        return msgspec.structs.replace(weapon, gp=(row,), small_arms=True)
    gun = guns[weapon.gun]
    types = {shot.type for shot in gun.rounds}
    towed = card.unit_class is UnitClass.TOWED
    basic = SHORT_LIMIT if gun.short_of_shells else BASIC_LIMIT if towed else None
    return msgspec.structs.replace(
        weapon,
        ammo=tuple(msgspec.structs.replace(one, damage=damage(gun, one.type)) for one in weapon.ammo),
        gp=(*gp_rows(gun, scale), *_anti_aircraft(card, gun, scale)),
        limits=AmmoLimits(
            basic=basic,
            A=APCR_LIMIT if AmmoType.APCR in types else None,
            H=HEAT_LIMIT if AmmoType.HEAT in types else None,
            S=SMOKE_LIMIT if gun.smoke else None,
        ),
        smoke=gun.smoke,
        small_arms=gun.calibre_mm < 15 and gun.action is not Action.AUTOMATIC,
    )


# --- the card -----------------------------------------------------------------------------------------


def _gp_defense(card: Card, mm_a_point: float) -> int:
    mean = (card.armor.front + card.armor.rear) / 2 * mm_a_point
    return 1 + floor(mean / MM_A_DEFENSE)


def _transports(card: Card, history: History) -> Transport:
    """Riders on tanks by weight, seats and hook of all else (6.6.7.1)."""
    pull = history.tows_kg
    towed = (pull >= 500) + (pull > 1500) + (pull > 4000)
    if card.kind in (Kind.TANK, Kind.ASSAULT_GUN) and not history.open_topped:
        return Transport(0, (history.weight_t >= 8) + (history.weight_t >= 20))
    return Transport(towed, history.seats // MEN_A_PLACE)


def _of_vehicle(card: Card, history: History, scale: Scale) -> AdvancedCard:
    """A: armored all round and above; P: armored otherwise; S: soft (6.5.2.3)."""
    armor = history.armor
    kind = TargetType.S if armor is None else TargetType.P if history.open_topped else TargetType.A
    transports = _transports(card, history)
    return AdvancedCard(
        target_type=kind,
        gp_defense=_gp_defense(card, 5),
        armor=None if armor is None else hit_armor(armor, scale),
        open_topped=history.open_topped,
        helpless=kind is TargetType.A and not history.machine_guns,
        coax_mg=history.coax_mg and any(weapon.gp for weapon in card.weapons if weapon.gun),
        transports=transports,
        under_cover=armor is not None and history.seats > 0,
        portee=card.advanced.portee if card.advanced else None,
    )


def _of_troops(card: Card, troops: Troops) -> AdvancedCard:
    places = 2 if card.unit_class is UnitClass.SQUAD else 1
    return AdvancedCard(
        size_class=SizeClass.S,
        gp_defense=GpDefense(2, 4, 6, 8, 2),
        needs=Transport(0, 0 if troops.motorcycles else places),
        quickmarch=0 if troops.motorcycles else 3,
        burdened=1 if card.unit_class is UnitClass.SECTION else 0,
        motorcycle=troops.motorcycles > 0,
        half=card.advanced.half if card.advanced else "",
    )


def _of_carriage(carriage: Carriage) -> AdvancedCard:
    """Guns need room by weight and crew; low ones with a shield are harder to find and to hurt."""
    big = carriage.weight_kg > 1500
    towed = 1 + big + (carriage.weight_kg > 4000)
    return AdvancedCard(
        size_class=SizeClass.L if big else SizeClass.S,
        gp_defense=GpDefense(2, 3, 5, 7, 1) if carriage.shield else GpDefense(1, 2, 4, 6, 1),
        needs=Transport(towed, max(1, _whole(carriage.crew / MEN_A_PLACE))),
    )


def advanced_part(card: Card, scale: Scale) -> AdvancedCard:
    """The Advanced part of a card from its figures."""
    if card.history is not None:
        return _of_vehicle(card, card.history, scale)
    if card.troops is not None:
        return _of_troops(card, card.troops)
    if card.carriage is None:
        raise ValueError(card.id)
    return _of_carriage(card.carriage)


def _small_arms(troops: Troops) -> float:
    weapons = (troops.rifles, troops.submachine_guns, troops.light_machine_guns, troops.belt_fed_guns)
    worth = (RIFLE, SUBMACHINE_GUN, LIGHT_MACHINE_GUN, BELT_FED)
    return sum(number * one for number, one in zip(weapons, worth, strict=True))


def rebuild_advanced(card: Card, guns: Mapping[GunId, Gun], scale: Scale = HEXES) -> Card:
    """The card with its Advanced values computed; what it is called, mounts and notes stay."""
    troops = card.troops
    if troops is not None:
        whole = _whole(_small_arms(troops))
        factor = max(2, _whole(HALF * whole) if card.unit_class is UnitClass.HALF_SQUAD else whole)
        is_short = not (troops.rifles or troops.light_machine_guns or troops.belt_fed_guns)
        row = _bullets(SUBMACHINE_METRES if is_short else RIFLE_METRES, factor, scale)
        weapons = tuple(msgspec.structs.replace(one, gp=(row,), small_arms=True) for one in card.weapons)
        card = msgspec.structs.replace(card, weapons=weapons, points=2 * factor)
    elif card.carriage is not None:
        weapons = tuple(weapon_rows(one, guns, Rangefinder.EYE, SOLID_SHOT_ERA) for one in card.weapons)
        weapons = tuple(_weapon(card, one, guns, scale) for one in weapons)
        card = msgspec.structs.replace(card, weapons=weapons)
        shells = max((row.F.P for weapon in weapons for row in weapon.gp), default=0)
        card = msgspec.structs.replace(card, points=points(card, SOLID_SHOT_ERA) + shells)
    else:
        weapons = tuple(_weapon(card, one, guns, scale) for one in card.weapons)
        card = msgspec.structs.replace(card, weapons=weapons)
    return msgspec.structs.replace(card, advanced=advanced_part(card, scale))


# --- what is no unit of its own -----------------------------------------------------------------------


def rebuild_attachment(card: Attachment, guns: Mapping[GunId, Gun], scale: Scale = HEXES) -> Attachment:
    """An attached weapon from its gun; machine guns on tripods by a fixed row (5.1.3)."""
    if card.weapon is None:
        return card
    if card.kind is AttachmentKind.HMG:
        weapon = msgspec.structs.replace(
            card.weapon, gp=(_bullets(TRIPOD_METRES, TRIPOD_FACTOR, scale),), small_arms=True
        )
        return msgspec.structs.replace(card, weapon=weapon, points=2 * TRIPOD_FACTOR)
    gun = guns[card.weapon.gun]
    weapon = weapon_rows(card.weapon, guns, Rangefinder.EYE, SOLID_SHOT_ERA)
    hand_held = card.kind is AttachmentKind.HAND_HELD
    weapon = msgspec.structs.replace(
        weapon,
        ammo=tuple(msgspec.structs.replace(one, damage=damage(gun, one.type)) for one in weapon.ammo),
        gp=(_hand_held_row(gun, weapon),) if hand_held else gp_rows(gun, scale),
        limits=AmmoLimits(basic=BASIC_LIMIT, S=SMOKE_LIMIT if gun.smoke else None),
        smoke=gun.smoke,
        small_arms=not hand_held,
    )
    worth = max([row.F.P for row in weapon.gp] + [ammo.P.S for ammo in weapon.ammo])
    return msgspec.structs.replace(card, weapon=weapon, points=worth if hand_held else 2 * worth)


def _hand_held_row(gun: Gun, weapon: Weapon) -> GpRow:
    """The same factor at every range that the weapon reaches (5.1.3.4)."""
    factor = _whole(gun.calibre_mm / HAND_HELD_MM)
    return GpRow(weapon.ammo[0].R, Row(factor, factor, factor, factor, factor), effectiveness=factor)


def rebuild_battery(card: BatteryCard, scale: Scale = HEXES) -> BatteryCard:
    """A battery by the calibre of its pieces (5.3): its columns are as wide for all."""
    best = _whole(BATTERY_FACTOR + BATTERY_MM * card.calibre_mm)
    row = GpRow(
        brackets(_whole(BATTERY_METRES / scale.metres)),
        Row(best, best - 1, best - 2, best - 3, best - 4),
        GpKind.INDIRECT,
        effectiveness=_whole(card.calibre_mm / MM_AN_EFFECT),
    )
    limits = AmmoLimits(S=BATTERY_SMOKE if card.smoke else None, I=BATTERY_FLARES if card.illumination else None)
    return msgspec.structs.replace(card, gp=row, limits=limits, points=5 * best)


def _rockets(factor: int, scale: Scale) -> RocketAttack:
    row = GpRow(
        brackets(_whole(ROCKET_METRES / scale.metres)),
        Row(factor, factor, factor, factor, factor),
        effectiveness=_whole(factor / 2),
    )
    return RocketAttack(row, ROCKET_SALVOS)


def rebuild_aircraft(card: AircraftCard, scale: Scale = HEXES) -> AircraftCard:
    """An aircraft by its speed, guns and load (5.4)."""
    history = card.history
    guns = _strafe(history)
    bombs = _whole(BOMB * sqrt(history.bombs_kg))
    rockets = _whole(BOMB * sqrt(history.rockets_kg / ROCKET_SALVOS))
    strafe = AirAttack(guns, STRAFES, _whole(history.cannon_mm / MM_AN_EFFECT), small_arms=not history.cannon)
    return msgspec.structs.replace(
        card,
        fast=history.speed_kmh >= FAST_KMH and not card.dive_bomber,
        gp_defense=AIR_DEFENSE + (history.weight_kg >= HEAVY_KG) + history.armored,
        strafe=strafe if guns else None,
        bombs=AirAttack(bombs, 1, _whole(bombs / 2)) if bombs else None,
        rockets=_rockets(rockets, scale) if rockets else None,
        points=5 * (guns + max(bombs, rockets)),
    )


def _strafe(history: AirHistory) -> int:
    weapons = (history.machine_guns, history.heavy_machine_guns, history.cannon)
    return _whole(sum(number * worth for number, worth in zip(weapons, STRAFE_WORTH, strict=True)))
