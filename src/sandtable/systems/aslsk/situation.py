"""The position part of a situation file: map, units with their markers, weapons, and the phase that is open.

The map is drawn as text (``drawing``), named (``board``) or placed as in a scenario (``placements``); everything
else has a default, so that an example of the rulebook takes a few lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from sandtable.core.content.pack import Library
from sandtable.core.content.reading import convert
from sandtable.core.decision import Seat
from sandtable.core.dice import ScriptedDice
from sandtable.core.errors import BadInput, Faults
from sandtable.core.ruleset import Position
from sandtable.core.situation import Step
from sandtable.geo.boards import situation_map
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.context import Play
from sandtable.systems.aslsk.fire.breakdowns import removal_number
from sandtable.systems.aslsk.pieces.cards import WeaponKind
from sandtable.systems.aslsk.pieces.state import (
    Mark,
    Phase,
    RallyStep,
    Residual,
    Smoke,
    SmokeKind,
    State,
    UnitId,
    WeaponId,
    WeaponState,
    Whereabouts,
)
from sandtable.systems.aslsk.rules import AslskRules
from sandtable.systems.aslsk.scenario.card import Conditions, ExitWay, PlaceDraft, Victory

if TYPE_CHECKING:
    from sandtable.systems.aslsk.system import AslskSystem

__all__ = ["SituationDraft", "read_situation"]


class UnitDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A unit as it stands."""

    id: str
    card: str
    at: str = ""
    """Its hex; left out, it waits off board."""
    broken: bool = False
    dm: bool = False
    pinned: bool = False
    cx: bool = False
    wounded: bool = False
    melee: bool = False
    mark: Mark = Mark.NONE
    forfeited: bool = False
    used: tuple[str, ...] = ()
    directed: tuple[str, ...] = ()
    rallied: bool = False
    moved: bool = False
    advanced: bool = False
    reduced: bool = False


class WeaponDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon as it stands."""

    id: str
    card: str
    owner: str = ""
    at: str = ""
    """Where it lies unpossessed."""
    state: WeaponState = WeaponState.WORKING
    mark: Mark = Mark.NONE
    moved: bool = False
    acquired: str = ""
    acquisition: int = 0
    placed: str = ""
    """Of a DC: the hex in which it lies operably placed, by its ``owner``: his X# and CX count (4.3)."""


class SideDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One side of a situation."""

    id: str
    units: tuple[UnitDraft, ...] = ()
    weapons: tuple[WeaponDraft, ...] = ()
    elr: int = 5
    title: str = ""
    enters: tuple[str, ...] = ()
    """Hexes through which units off board enter."""


class SituationDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A situation file of this system."""

    system: str
    map: dict[str, Any]
    sides: tuple[SideDraft, ...]
    phase: Phase
    title: str = ""
    rules: tuple[str, ...] = ()
    ruling: str = ""
    note: str = ""
    attacker: str = ""
    """Left out, the first side."""
    player: str = ""
    """Whose part of the phase it is; left out, the one whose comes first."""
    step: RallyStep = RallyStep.RECOVERY
    """Of the RPh."""
    turn: int = 1
    turns: int = 1
    residual: dict[str, int] = {}
    smoke: dict[str, SmokeKind] = {}
    control: dict[str, str] = {}
    places: tuple[PlaceDraft, ...] = ()
    victory: tuple[Victory, ...] = ()
    exits: tuple[ExitWay, ...] = ()
    conditions: Conditions = Conditions()
    steps: tuple[Step, ...] = ()


def read_situation(system: AslskSystem, raw: Mapping[str, Any], library: Library, where: str) -> Position:
    """Set up a situation; raise :class:`BadInput` with all faults."""
    draft = convert(dict(raw), SituationDraft, where)
    game_map = situation_map(draft.map, library, where)
    context = system.context(_scenario(draft, raw), game_map, library, where)
    ruleset = AslskRules(system.card, context)
    faults = Faults(where)
    state = _place_charges(draft, ruleset, _state(draft, ruleset, faults), faults)
    faults.check()
    play = Play(state, ruleset.fold, ScriptedDice(()))
    frame = ruleset.sequence.of(draft.phase).part(play, Seat(draft.player or state.attacker), draft.step)
    play = Play(replace(play.state, stack=(frame,)), ruleset.fold, ScriptedDice(()))
    ruleset.advance(play)
    return Position(ruleset, play.state)


def _scenario(draft: SituationDraft, raw: Mapping[str, Any]) -> dict[str, Any]:
    """The situation as a scenario: one force a side, which sets up anywhere."""
    sides = []
    for side in draft.sides:
        force: dict[str, Any] = {
            "id": side.id,
            "elr": side.elr,
            "set_up": [{"whole": True}],
            "units": [{"card": unit.card, "ids": [unit.id]} for unit in side.units],
            "weapons": [{"card": weapon.card, "ids": [weapon.id]} for weapon in side.weapons],
        }
        if side.enters:
            force["enters"] = {"turn": draft.turn, "zone": [{"hexes": list(side.enters)}]}
        sides.append({"id": side.id, "title": side.title or side.id, "forces": [force]})
    attacker = draft.attacker or draft.sides[0].id
    copied = ("places", "victory", "exits", "conditions")
    return {
        "id": "situation",
        "system": draft.system,
        "title": draft.title or "situation",
        "turns": max(draft.turn, draft.turns),
        "status": "situation",
        "map": draft.map,
        "sides": sides,
        "moves_first": attacker,
        "wins_otherwise": attacker,
        "victory": [],
        **{key: raw[key] for key in copied if key in raw},
    }


def _state(draft: SituationDraft, ruleset: AslskRules, faults: Faults) -> State:
    state = ruleset.setup()
    context = ruleset.context
    units, weapons = dict(state.units), dict(state.weapons)

    def hex_of(label: str, field: str) -> Hex | None:
        try:
            return context.game_map.hex(label, field)
        except BadInput as bad:
            for fault in bad.faults:
                faults.add(fault.where, fault.wrong, fault.right)
            return None

    for s, side in enumerate(draft.sides):
        for u, one in enumerate(side.units):
            unit_id = UnitId(one.id)
            at = hex_of(one.at, f"sides[{s}].units[{u}].at") if one.at else None
            place = Whereabouts.MAP if one.at else Whereabouts.OFF_BOARD
            flags = {
                name: getattr(one, name)
                for name in UnitDraft.__struct_fields__
                if name not in ("id", "card", "at", "used")
            }
            used = tuple(WeaponId(name) for name in one.used)
            units[unit_id] = replace(units[unit_id], hex=at, place=place, used=used, turn=0, **flags)
        for w, weapon in enumerate(side.weapons):
            field = f"sides[{s}].weapons[{w}]"
            if weapon.owner and weapon.owner not in units:
                faults.add(f"{field}.owner", f"no unit {weapon.owner!r}")
            if not (weapon.owner or weapon.at or weapon.placed):
                faults.add(field, "none of owner, at and placed", "one of them")
            placed = hex_of(weapon.placed, f"{field}.placed") if weapon.placed else None
            weapon_id = WeaponId(weapon.id)
            weapons[weapon_id] = replace(
                weapons[weapon_id],
                owner=UnitId(weapon.owner),
                hex=hex_of(weapon.at, f"{field}.at") if weapon.at else placed,
                state=weapon.state,
                mark=weapon.mark,
                moved=weapon.moved,
                acquired=hex_of(weapon.acquired, f"{field}.acquired") if weapon.acquired else None,
                acquisition=weapon.acquisition,
                placed=placed,
            )
    attacker = Seat(draft.attacker or draft.sides[0].id)
    residual = [(hex_of(label, "residual"), fp) for label, fp in draft.residual.items()]
    smoke = [(hex_of(label, "smoke"), kind) for label, kind in draft.smoke.items()]
    return replace(
        state,
        turn=draft.turn,
        attacker=attacker,
        phase=draft.phase,
        units=units,
        weapons=weapons,
        residual=tuple(Residual(hex, fp) for hex, fp in residual if hex is not None),
        smoke=tuple(Smoke(hex, kind, attacker) for hex, kind in smoke if hex is not None),
        control={**state.control, **draft.control},
        set_up=ruleset.seats,
    )


def _place_charges(draft: SituationDraft, ruleset: AslskRules, state: State, faults: Faults) -> State:
    """Charges as they lie once somebody has placed them: nobody's, with the number at which they fail (4.3)."""
    context, weapons = ruleset.context, dict(state.weapons)
    for s, side in enumerate(draft.sides):
        for w, one in enumerate(side.weapons):
            if not one.placed:
                continue
            weapon = weapons[WeaponId(one.id)]
            card, placer = context.weapon_card(weapon), state.units.get(weapon.owner)
            if card.kind is not WeaponKind.DC:
                faults.add(f"sides[{s}].weapons[{w}].placed", f"{card.name} is no DC", "leave it out")
            elif one.at:
                faults.add(f"sides[{s}].weapons[{w}].placed", "it lies unpossessed as well", "placed or at, not both")
            fails_at = removal_number(context, state, weapon, placer).total if placer is not None else card.removal
            cx = placer is not None and placer.cx
            weapons[weapon.id] = replace(weapon, owner=UnitId(""), placer_cx=cx, fails_at=fails_at)
    return replace(state, weapons=weapons)
