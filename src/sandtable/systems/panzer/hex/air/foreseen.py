"""6.7.3 What an attack from the air may do to each unit in its pattern, before anybody announces it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from sandtable.core.content.rule import rule
from sandtable.core.odds import Chance, Supposition
from sandtable.systems.panzer.air.air_actions import Strike
from sandtable.systems.panzer.hex.air.aa_fire import flight_of, flight_seen, strike_hex
from sandtable.systems.panzer.hex.air.airways import pattern
from sandtable.systems.panzer.hex.air.strike import fire_on
from sandtable.systems.panzer.hex.combat.blast_odds import Blow, Fold, blast_odds, counts_as_moving
from sandtable.systems.panzer.hex.combat.gp_results import gp_attack
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.fires.foreseen import moving_supposed
from sandtable.systems.panzer.hex.handler import Play
from sandtable.systems.panzer.hex.state import State, Unit

__all__ = ["air_odds", "air_suppositions"]

BOOK = ("panzer-na",)


def _in_pattern(context: Context, state: State, action: Strike) -> Sequence[Unit]:
    flight, target = flight_seen(state), state.units.get(action.target)
    if flight is None or target is None or target.hex is None:
        return ()
    hexes = pattern(context, flight, action.weapon, target.hex)
    return [state.units[unit] for unit in strike_hex(state, hexes)]


@rule("6.7.3", "6.5.4.4", editions=BOOK)
def air_odds(context: Context, state: State, fold: Fold, action: Strike) -> dict[str, list[Chance]]:
    """What may become of each unit in the pattern, friend or enemy; AA fire comes after it (6.7.3, 6.7.4.1.1)."""

    def blow(unit: Unit) -> Blow:
        flight = flight_of(state)
        moving = counts_as_moving(context, unit, state.flights[flight.aircraft].side)

        def strike(play: Play) -> None:
            fire = fire_on(context, play.state, flight, action.weapon, unit)
            gp_attack(context, play, unit.id, fire, flight.aircraft, moving=moving)

        return Blow(Fraction(1), strike)

    return blast_odds(context, state, fold, [(unit.id, [blow(unit)]) for unit in _in_pattern(context, state, action)])


def air_suppositions(context: Context, state: State, action: Strike) -> Iterator[Supposition]:
    """Owners of face-down vehicles may reveal that they move (6.5.4.3)."""
    return moving_supposed(context, state, iter(_in_pattern(context, state, action)))
