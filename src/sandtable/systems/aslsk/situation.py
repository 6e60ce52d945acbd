"""The position part of a situation file: map, units with their markers, weapons, and the phase that is open.

The map is drawn as text (``drawing``), named (``board``) or placed as in a scenario (``placements``); everything
else has a default, so that an example of the rulebook takes a few lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from sandtable.core.content.pack import Library
from sandtable.core.content.reading import convert
from sandtable.core.decision import Seat
from sandtable.core.dice import ScriptedDice
from sandtable.core.errors import BadInput, Faults
from sandtable.core.ruleset import Position
from sandtable.geo.boards import situation_map
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.aslsk.common.context import Play
from sandtable.systems.aslsk.fire.breakdowns import removal_number
from sandtable.systems.aslsk.pieces.armament import Ammo, Armament
from sandtable.systems.aslsk.pieces.cards import CardId, WeaponKind
from sandtable.systems.aslsk.pieces.spines import SPINE_NAMES, spine_between, spine_named
from sandtable.systems.aslsk.pieces.state import (
    Residual,
    Smoke,
    State,
    UnitId,
    VehicleId,
    WeaponId,
    Whereabouts,
)
from sandtable.systems.aslsk.rules import AslskRules
from sandtable.systems.aslsk.scenario.reading import SITUATION
from sandtable.systems.aslsk.setup_ordnance import refuse_vehicle_in
from sandtable.systems.aslsk.situation_draft import SituationDraft, UnitDraft, VehicleDraft, WeaponDraft

if TYPE_CHECKING:
    from sandtable.systems.aslsk.system import AslskSystem

__all__ = ["read_situation"]


def read_situation(system: AslskSystem, raw: Mapping[str, Any], library: Library, where: str) -> Position:
    """Set up a situation; raise :class:`BadInput` with all faults."""
    draft = convert(dict(raw), SituationDraft, where)
    game_map = situation_map(draft.map, library, where)
    context = system.context(_scenario(draft, raw), game_map, library, where)
    ruleset = AslskRules(system.card, context)
    faults = Faults(where)
    state = _place_charges(draft, ruleset, _Placing(draft, ruleset, faults).state(), faults)
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
            "vehicles": [{"card": vehicle.card, "ids": [vehicle.id]} for vehicle in side.vehicles],
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
        "status": SITUATION,
        "map": draft.map,
        "sides": sides,
        "moves_first": attacker,
        "wins_otherwise": attacker,
        "victory": [],
        **{key: raw[key] for key in copied if key in raw},
    }


class _Placing:
    """Puts the pieces of a draft where they stand."""

    def __init__(self, draft: SituationDraft, ruleset: AslskRules, faults: Faults) -> None:
        self._draft = draft
        self._context = ruleset.context
        self._map = ruleset.context.game_map
        self._faults = faults
        self._start = ruleset.setup()
        self._seats = ruleset.seats
        self._units = dict(self._start.units)
        self._weapons = dict(self._start.weapons)
        self._vehicles = dict(self._start.vehicles)

    def state(self) -> State:
        """The state of the draft."""
        draft, start = self._draft, self._start
        for s, side in enumerate(draft.sides):
            for u, unit in enumerate(side.units):
                self._unit(unit, f"sides[{s}].units[{u}]")
            for w, weapon in enumerate(side.weapons):
                self._weapon(weapon, f"sides[{s}].weapons[{w}]")
            for v, vehicle in enumerate(side.vehicles):
                self._vehicle(vehicle, f"sides[{s}].vehicles[{v}]")
        attacker = Seat(draft.attacker or draft.sides[0].id)
        residual = [(self._hex(label, "residual"), fp) for label, fp in draft.residual.items()]
        smoke = [(self._hex(label, "smoke"), kind) for label, kind in draft.smoke.items()]
        return replace(
            start,
            turn=draft.turn,
            attacker=attacker,
            phase=draft.phase,
            units=self._units,
            weapons=self._weapons,
            vehicles=self._vehicles,
            residual=tuple(Residual(hex, fp) for hex, fp in residual if hex is not None),
            smoke=tuple(Smoke(hex, kind, attacker) for hex, kind in smoke if hex is not None),
            control={**start.control, **draft.control},
            set_up=self._seats,
        )

    def _hex(self, label: str, field: str) -> Hex | None:
        """The hex of a label; none of an empty one."""
        if not label:
            return None
        try:
            return self._map.hex(label, field)
        except BadInput as bad:
            for fault in bad.faults:
                self._faults.add(fault.where, fault.wrong, fault.right)
            return None

    def _spine(self, name: str, at: Hex | None, field: str) -> int:
        """The hexspine that is meant: by its directions, or by the two hexes that it joins."""
        found = spine_named(name)
        first, slash, second = name.partition("/")
        if found is None and slash and at is not None:
            hexes = self._hex(first, field), self._hex(second, field)
            if hexes[0] is not None and hexes[1] is not None:
                found = spine_between(at, hexes[0], hexes[1])
        if found is None:
            self._faults.add(field, f"no hexspine {name!r} here", f"two hexes beside it, or {SPINE_NAMES}")
        return found or 0

    def _unit(self, draft: UnitDraft, field: str) -> None:
        unit_id = UnitId(draft.id)
        self._units[unit_id] = replace(
            self._units[unit_id],
            hex=self._hex(draft.at, f"{field}.at"),
            place=Whereabouts.MAP if draft.at else Whereabouts.OFF_BOARD,
            used=tuple(WeaponId(name) for name in draft.used),
            turn=0,
            **_as_written(draft, "id", "card", "at", "used"),
        )

    def _weapon(self, draft: WeaponDraft, field: str) -> None:
        if draft.owner and draft.owner not in self._units:
            self._faults.add(f"{field}.owner", f"no unit {draft.owner!r}")
        if not (draft.owner or draft.at or draft.placed):
            self._faults.add(field, "none of owner, at and placed", "one of them")
        placed = self._hex(draft.placed, f"{field}.placed")
        hex = self._hex(draft.at, f"{field}.at") if draft.at else placed
        owner = self._units.get(UnitId(draft.owner))
        card = self._context.cards.weapons.get(CardId(draft.card))
        if card is not None and card.gun is not None:
            self._check_ammunition(card.gun.main, card.name, draft.exhausted, field)
        weapon_id = WeaponId(draft.id)
        self._weapons[weapon_id] = replace(
            self._weapons[weapon_id],
            owner=UnitId(draft.owner),
            hex=hex,
            placed=placed,
            acquired=self._hex(draft.acquired, f"{field}.acquired"),
            facing=self._spine(draft.facing, owner.hex if owner else hex, f"{field}.facing") if draft.facing else -1,
            **_as_written(draft, "id", "card", "owner", "at", "placed", "acquired", "facing"),
        )

    def _vehicle(self, draft: VehicleDraft, field: str) -> None:
        at = self._hex(draft.at, f"{field}.at")
        vca = self._spine(draft.vca, at, f"{field}.vca") if draft.vca else 0
        trail = [(self._hex(label, f"{field}.trail"), halves) for label, halves in draft.trail.items()]
        self._check_vehicle(draft, at, field)
        vehicle_id = VehicleId(draft.id)
        self._vehicles[vehicle_id] = replace(
            self._vehicles[vehicle_id],
            hex=at,
            place=Whereabouts.MAP if draft.at else Whereabouts.OFF_BOARD,
            turn=0,
            vca=vca,
            tca=self._spine(draft.tca, at, f"{field}.tca") if draft.tca else vca,
            acquired=self._hex(draft.acquired, f"{field}.acquired"),
            trail=tuple((hex, halves) for hex, halves in trail if hex is not None),
            **_as_written(draft, "id", "card", "at", "vca", "tca", "acquired", "trail"),
        )

    def _check_vehicle(self, draft: VehicleDraft, at: Hex | None, field: str) -> None:
        """A turret only on a card that has one, no vehicle where none may be, no ammunition before its date."""
        context = self._context
        card = context.cards.vehicles.get(CardId(draft.card))
        if card is None:
            return
        if draft.tca and draft.tca != draft.vca and not card.has_turret:
            self._faults.add(f"{field}.tca", f"{card.name} has no turret", "no tca: it points as its hull does")
        if at is not None and not draft.wreck:
            refusal = refuse_vehicle_in(card, context.ground.place(at))
            if refusal is not None:
                self._faults.add(f"{field}.at", f"{refusal.reason} ({refusal.rule})", "a hex without a building")
        self._check_ammunition(card.main, card.name, draft.exhausted, field)

    def _check_ammunition(self, main: Armament, name: str, exhausted: Iterable[Ammo], field: str) -> None:
        conditions = self._context.scenario.conditions
        for ammo in exhausted:
            if main.supply(ammo, conditions.year, conditions.month, conditions.theatre) is None:
                when = f"{conditions.year}-{conditions.month:02}"
                right = ", ".join(dict.fromkeys(supply.ammo.value for supply in main.supplies)) or "none"
                self._faults.add(f"{field}.exhausted", f"{name} has no {ammo.value} in {when}", f"of {right}")


def _as_written(draft: msgspec.Struct, *besides: str) -> dict[str, Any]:
    """The fields of a draft that are in play as they are written."""
    return {name: value for name, value in msgspec.structs.asdict(draft).items() if name not in besides}


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
            near = NEIGHBOURS[weapon.placed] if weapon.placed is not None else ()
            side_of = near.index(placer.hex) if placer is not None and placer.hex in near else -1
            weapons[weapon.id] = replace(weapon, owner=UnitId(""), placer_cx=cx, fails_at=fails_at, placed_side=side_of)
    return replace(state, weapons=weapons)
