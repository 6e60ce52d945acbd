"""6.5.2.2.1, 6.5.2.2.4, 6.5.2.5 What AP hits of the Advanced Game do to vehicles; what became of units, for odds."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.advanced_card import Damage
from sandtable.systems.panzer.facts import Harm, HarmKind
from sandtable.systems.panzer.hex.combat.gp_results import is_vehicle, lose_vehicle
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.handler import Play
from sandtable.systems.panzer.hex.state import State
from sandtable.systems.panzer.markers import Suppression
from sandtable.systems.panzer.unit import Status, UnitId

__all__ = ["became", "harm_vehicle", "hit_track"]

_BOOK = ("panzer-na",)


@rule("6.5.2.2.1", editions=_BOOK)
def hit_track(play: Play, unit_id: UnitId) -> Harm:
    """A TRACK counter; a second one does nothing but frighten passengers (6.5.2.2.1)."""
    if play.state.units[unit_id].markers.track:
        return Harm(unit_id, HarmKind.TK_AGAIN)
    play.emit(ev.VehiclePartHit(unit_id, "track"))
    return Harm(unit_id, HarmKind.TK)


@rule("6.5.2.2.4", "6.5.2.5", editions=_BOOK)
def harm_vehicle(context: Context, play: Play, unit_id: UnitId, damage: Damage, *, hull: bool) -> Harm:
    """No Damage, a DMGD counter, or a wreck; a second Damaged result knocks a vehicle out (6.5.2.2.4, 6.5.2.5)."""
    unit = play.state.units[unit_id]
    if damage is Damage.ND:
        return Harm(unit_id, HarmKind.ND)
    if damage is Damage.DM and not (unit.markers.is_damaged or unit.damaged):
        play.emit(ev.VehiclePartHit(unit_id, "hull" if hull else "turret"))
        return Harm(unit_id, HarmKind.DM)
    return Harm(unit_id, lose_vehicle(context, play, unit, HarmKind.BU if damage is Damage.BU else HarmKind.KO))


def became(context: Context, before: State, after: State, unit_id: UnitId) -> list[str]:
    """What became of a unit between two states, for odds."""
    was, now = before.units[unit_id], after.units[unit_id]
    if now.status is not was.status and now.status in (Status.KNOCKED_OUT, Status.BREWED_UP):
        return [now.status.value if is_vehicle(context, now) else "eliminated"]
    told = ["damaged"] if now.damaged and not was.damaged else []
    if now.markers is not was.markers:
        old, new = was.markers, now.markers
        told += [
            words
            for words, changed in (
                ("turret damaged", new.turret_damaged and not old.turret_damaged),
                ("hull damaged", new.hull_damaged and not old.hull_damaged),
                ("track hit", new.track and not old.track),
                ("bailed out", new.bailed and not old.bailed),
                ("off its vehicle", bool(old.carrier) and not new.carrier),
                ("reduced", new.reduced and not old.reduced),
                ("suppressed", new.suppression is Suppression.ON and old.suppression is not Suppression.ON),
            )
            if changed
        ]
    return told
