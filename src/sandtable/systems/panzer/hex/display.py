"""What a client draws: counters, markers, tracks and scores, from the concealed state."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core.decision import Seat
from sandtable.core.frames import Asking
from sandtable.core.ruleset import Outcome
from sandtable.core.view import Box, Counter, Face, HexMarker, Marker, Track, Value, View
from sandtable.systems.panzer.advanced_card import GpDefense, UnitClass
from sandtable.systems.panzer.air.aircraft import loads_of
from sandtable.systems.panzer.cards import Card, Kind
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.features import Feature
from sandtable.systems.panzer.hex.objectives import scores, stakes
from sandtable.systems.panzer.hex.scenario.draft import COLOURS
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.markers import Floor, HullDown, Suppression
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.support_cards import Attachment, AttachmentKind
from sandtable.systems.panzer.unit import Command, Spot, Status, UnitId, WreckKind

__all__ = ["build_view", "counter_of", "tracks"]

_AIR_PHASES = (Phase.FIRST_AIR, Phase.SECOND_AIR)
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
    return View(
        seat=seat or "",
        tracks=tracks(context, state, asking),
        counters=tuple(
            _counter(context, state, unit)
            for _, unit in sorted(state.units.items())
            if unit.status is not Status.ABOARD
        ),
        hex_markers=tuple(_hex_markers(context, state)),
        boxes=tuple(dict.fromkeys(_BOXES.values())),
        scores=scores(state, context.scenario, context.cards),
        prompt=asking.prompt(seat) if asking is not None else None,
        outcome=outcome.summary if outcome is not None else "",
        state=state,
        stakes=stakes(state, context.scenario),
    )


_PLOTTING, _LOADS = "Plotting", "Aircraft Loads"
_BEFORE = {"6.5.1.4": _PLOTTING, "6.7.1": _LOADS}
"""What is asked before the first turn, by its rule."""


def _before(context: Context) -> list[str]:
    """The questions before the first turn that there are in a scenario, in their order."""
    scenario, cards = context.scenario, context.shelf.aircraft
    asked = {
        _PLOTTING: any(battery.registers or battery.plans for battery in scenario.artillery.values()),
        _LOADS: any(not one.load and len(loads_of(cards[one.card])) > 1 for one in scenario.aircraft.values()),
    }
    return [name for name, is_asked in asked.items() if is_asked]


def tracks(context: Context, state: State, asking: Asking | None) -> tuple[Track, ...]:
    """Turn and phase."""
    flying = bool(context.scenario.aircraft)
    phases = [*_before(context), *(phase.value for phase in Phase if flying or phase not in _AIR_PHASES)]
    turns = context.scenario.draft.turns
    asked = "" if asking is None else _BEFORE.get(asking.rule, "")
    return (
        Track("turn", "Turn", tuple(str(turn + 1) for turn in range(turns)), max(0, state.turn - 1)),
        Track("phase", "Sequence of Play", tuple(phases), phases.index(asked or state.phase.value)),
    )


def counter_of(context: Context, state: State, unit: str) -> Counter | None:
    """The counter of one vehicle, from a concealed state."""
    found = state.units.get(UnitId(unit))
    return None if found is None or found.status is Status.ABOARD else _counter(context, state, found)


def _counter(context: Context, state: State, unit: Unit) -> Counter:
    side = next(side for side in context.scenario.draft.sides if side.id == unit.side)
    colour = side.colour or COLOURS.get(unit.side, unit.side)
    return Counter(
        id=unit.id,
        side=unit.side,
        face=_face(context, unit, colour),
        hex=context.game_map.label(unit.hex) if unit.hex is not None else "",
        box="" if unit.in_play else _BOXES[unit.status].id,
        facing=unit.facing if unit.in_play and not unit.markers.carrier else None,
        markers=tuple(_markers(context, unit)),
        held_by=unit.markers.carrier,
        spotted_by=_spotters(state, unit) if unit.in_play else None,
    )


def _face(context: Context, unit: Unit, colour: str) -> Face:
    """What is printed on a counter; what is attached to a section is what it is for (5.1.2, 5.1.3)."""
    card = context.card_of(unit)
    attached = context.attached(unit.id)
    if not attached:
        return Face(_symbol(card), card.name, _code(card), colour, _values(card, ()))
    arms = ", ".join(one.name for one in attached)
    if card.unit_class is UnitClass.SECTION:
        symbol = _ATTACHED[attached[0].kind]
        return Face(symbol, arms, attached[0].kind.value[:4], colour, _values(card, attached))
    return Face(_symbol(card), f"{card.name}, {arms}", _code(card), colour, _values(card, attached))


_ATTACHED = {
    AttachmentKind.MORTAR: "mortar",
    AttachmentKind.HMG: "machine gun",
    AttachmentKind.ATR: "anti-tank rifle",
    AttachmentKind.HAND_HELD: "rocket launcher",
    AttachmentKind.FLAMETHROWER: "flamethrower",
}
"""What a crew-served weapon looks like."""


def _symbol(card: Card) -> str:
    """The kind of a unit; half-squads and sections are a team, and the smaller (5.1)."""
    small = (UnitClass.HALF_SQUAD, UnitClass.SECTION)
    return "infantry team" if card.unit_class in small and card.kind is Kind.INFANTRY else card.kind.value


def _spotters(state: State, unit: Unit) -> tuple[str, ...]:
    """Who spots a vehicle as of the Spotting Phase (4.1.3)."""
    return tuple(str(spotter) for spotter, targets in state.spotted.items() if unit.id in targets)


def _code(card: Card) -> str:
    """A few letters that stand for the vehicle: the last word of its name that has a capital or a digit."""
    words = [word for word in card.name.replace("/", " ").split() if word[0].isupper() or word[0].isdigit()]
    return (words[-1] if words else card.name)[:4]


def _values(card: Card, attached: Sequence[Attachment]) -> tuple[Value, ...]:
    """Of a vehicle Movement Factor, armor and penetration; of others GP Defense and what they hit with."""
    weapons = (*card.weapons, *(one.weapon for one in attached if one.weapon is not None))
    best = max((ammo.P.S for weapon in weapons for ammo in weapon.ammo if ammo.basic), default=0)
    movement, penetration = Value("movement", card.movement_factor), Value("penetration", str(best) if best else "-")
    defense = card.advanced.gp_defense if card.advanced is not None else 0
    if not isinstance(defense, GpDefense):
        return movement, Value("armor", f"{card.armor.front}/{card.armor.rear}"), penetration
    gp = max((row.F.S for weapon in weapons for row in weapon.gp), default=0)
    found = [movement, Value("GP defense", f"{defense.none}-{defense.heavy}")]
    found.append(penetration if best > gp else Value("GP", str(gp) if gp else "-"))
    return (*found, *(Value("carries", one.name, "card") for one in attached))


def _markers(context: Context, unit: Unit) -> list[Marker]:
    found = []
    if unit.in_play and not unit.markers.carrier and not (unit.known and unit.command is Command.NONE):
        tone = "hidden" if unit.command is Command.HIDDEN else "neutral"
        found.append(Marker(unit.command.value, "Command" if unit.known else "Command, face down", tone))
    if unit.damaged:
        found.append(Marker("DMGD", "Damaged", "bad"))
    if unit.spot is not Spot.NONE:
        found.append(Marker(unit.spot.value, "Spotted since the Spotting Phase", "bad"))
    if unit.new_spot is not Spot.NONE:
        found.append(Marker(f"+{unit.new_spot.value}", "SPOT counter placed this turn", "bad"))
    return found + _advanced_markers(context, unit) if context.is_advanced else found


_HULL_DOWN = {HullDown.PARTIAL: "Partially Hull Down", HullDown.FULL: "Hull Down"}
_FLOORS = {Floor.INSIDE: ("INB", "Inside the building"), Floor.UP: ("UP", "On the top floor or the roof")}


def _advanced_markers(context: Context, unit: Unit) -> list[Marker]:
    """The counters of the Advanced Game on a unit, and its labels (5.9, 5.10, 6.1.4, 6.5.2.2)."""
    on, found = unit.markers, []
    if on.is_suppressed:
        found.append(Marker("SUPP" if on.suppression is Suppression.OFF else "+SUPP", "Suppressed", "bad"))
    for present, text, title in (
        (on.turret_damaged, "TURRET", "Turret damaged"),
        (on.hull_damaged, "HULL", "Hull damaged"),
        (on.track, "TRACK", "Track Hit: it never moves again"),
        (on.bailed, "BAIL", "Its crew has bailed out"),
        (on.reduced, "HALF", "Reduced to a half-squad"),
    ):
        if present:
            found.append(Marker(text, title, "bad"))
    if on.hull_down is not HullDown.NONE:
        found.append(Marker("HD" if on.hull_down is HullDown.FULL else "PHD", _HULL_DOWN[on.hull_down], "good"))
    if on.full_cover:
        found.append(Marker("FC", "In Full Cover", "good"))
    if on.floor in _FLOORS:
        found.append(Marker(*_FLOORS[on.floor]))
    if on.crawling:
        found.append(Marker("CRAWL", "Crawls this turn"))
    if on.dug:
        found.append(Marker(f"DIG {on.dug}", "Turns of work on a Hasty Entrenchment"))
    if on.shares:
        found.append(Marker(f"={on.shares}", f"Shares the command of {on.shares}"))
    return found + _labels(context, unit)


def _labels(context: Context, unit: Unit) -> list[Marker]:
    """Command, Recon, Engineer and FO labels with the formation (5.9)."""
    enlisted = context.scenario.roster.get(unit.id)
    if enlisted is None:
        return []
    roles, title = enlisted.roles, context.scenario.formations[enlisted.formation].title
    found = []
    if roles.command:
        found.append(Marker(roles.command.value, f"Command unit of {title}"))
    for present, text, label in (
        (roles.recon, "RECON", "Recon unit"),
        (roles.engineer, "ENG", "Engineer unit"),
        (roles.observer, "FO", "Forward observer"),
    ):
        if present:
            found.append(Marker(text, f"{label} of {title}"))
    return found


_FEATURES = {
    FeatureKind.HASTY_ENTRENCHMENT: "ENTR",
    FeatureKind.IMPROVED_POSITION: "IMP",
}
"""Short words of terrain counters whose name is long."""


def _feature_words(feature: Feature) -> tuple[str, str]:
    """A terrain counter in short and in words (6.1.4.3)."""
    name = feature.kind.value
    short = _FEATURES.get(feature.kind, name.upper())
    if feature.kind in (FeatureKind.SMOKE, FeatureKind.DUST):
        return f"{short}/{feature.side.value}", f"{name.capitalize()}, {feature.side.value}"
    if feature.unit:
        return short, f"{name.capitalize()} of {feature.unit}"
    if feature.kind is FeatureKind.MINES:
        return short, "Deliberate Minefield" if feature.deliberate else "Hasty Minefield"
    return short, name.capitalize()


def _tone(feature: Feature) -> str:
    """Smoke and dust are a cloud; what harms stands out."""
    if feature.kind in (FeatureKind.SMOKE, FeatureKind.DUST):
        return "smoke"
    return "bad" if feature.kind in (FeatureKind.BARRAGE, FeatureKind.ON_FIRE, FeatureKind.MINES) else "neutral"


def _hex_markers(context: Context, state: State) -> list[HexMarker]:
    found = []
    for wreck in state.wrecks:
        title = "Wreck with Brew-Up Smoke" if wreck.kind is WreckKind.BU else "Wreck"
        found.append(HexMarker(context.game_map.label(wreck.hex), Marker(wreck.kind.value, title, "bad")))
    for feature in state.features:
        code, title = _feature_words(feature)
        found.append(HexMarker(context.game_map.label(feature.hex), Marker(code, title, _tone(feature))))
    for mission in state.missions:
        title = f"Artillery impact: {mission.kind.value}, {mission.pattern.value} SHEAF, {', '.join(mission.sources)}"
        found.append(HexMarker(context.game_map.label(mission.target), Marker("IMPACT", title, "bad")))
    for battery in state.batteries.values():
        found += [
            HexMarker(context.game_map.label(hex), Marker("REG", f"Pre-Registered Point of {battery.id}", "hidden"))
            for hex in battery.registered
        ]
        for step in battery.plot.steps if battery.plot is not None else ():
            title = f"Planned fire of {battery.id}: {step.kind.value}, {step.pattern.value} SHEAF"
            found.append(HexMarker(context.game_map.label(step.target), Marker("PLAN", title, "hidden")))
    for draft in context.scenario.draft.objectives:
        standing = state.objectives[draft.id]
        title = f"{draft.title}: {standing.holder.title() or 'nobody'}"
        found += [HexMarker(label, Marker("VP", title, "good")) for label in draft.hexes]
    return found
