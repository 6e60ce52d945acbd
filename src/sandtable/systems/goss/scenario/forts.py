"""17.6.0 Forts: counters that a scenario brings, each a garrison in works of its own."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.errors import Faults
from sandtable.geo.hex import DIRECTION_NAMES, direction_named
from sandtable.systems.goss.pieces.card import (
    Card,
    CardId,
    Echelon,
    FormationId,
    Kind,
    MovementClass,
    Size,
    Strength,
    Trait,
)
from sandtable.systems.goss.pieces.card_files import Shelf
from sandtable.systems.goss.scenario.draft import FortDraft

__all__ = ["fort_id", "with_forts"]

_BEST_RATING = 9


def fort_id(fort: FortDraft) -> CardId:
    """The name of a Fort's card, which is that of its unit too."""
    return CardId(f"{fort.formation}/{fort.name}")


@rule("17.6.0")
def with_forts(shelf: Shelf, forts: Sequence[FortDraft], where: str) -> Shelf:
    """The shelf with the Forts of a scenario; raise :class:`BadInput` with the faults of all of them."""
    faults = Faults(where)
    cards = dict(shelf.cards)
    for index, fort in enumerate(forts):
        place = f"forts[{index}]"
        formation = shelf.formations.get(FormationId(fort.formation))
        if formation is None or formation.echelon not in (Echelon.CORPS, Echelon.ARMY):
            faults.add(f"{place}.formation", f"{fort.formation!r} is no corps or army", "one of the packs' (17.6.0)")
            continue
        if fort_id(fort) in cards:
            faults.add(f"{place}.name", f"{fort_id(fort)} stands twice", "a name of its own")
        if fort.steps < 1 or fort.defence < 0 or not 0 <= fort.rating <= _BEST_RATING:
            told = f"{fort.steps} steps, {fort.defence} defence, PR {fort.rating}"
            faults.add(place, told, f"a step or more, a defence from 0, a PR from 0 to {_BEST_RATING}")
        if (fort.range > 0) is not (fort.barrage > 0):
            faults.add(f"{place}.range", "a range and a barrage factor belong together", "both or neither")
        ways = [direction_named(name) for name in fort.arc]
        if None in ways:
            faults.add(f"{place}.arc", ", ".join(fort.arc), f"some of {', '.join(DIRECTION_NAMES)}")
        cards[fort_id(fort)] = Card(
            id=fort_id(fort),
            title=fort.name,
            nation=formation.nation,
            kind=Kind.FORT,
            size=Size.BATTALION,
            steps=fort.steps,
            full=Strength(0, fort.defence),
            movement=MovementClass.STATIC,
            ma=0,
            offensive=None,
            defensive=fort.rating,
            arm_defence=fort.arm,
            at=fort.at,
            barrage=fort.barrage,
            range=fort.range,
            arc=tuple(way for way in ways if way is not None),
            traits=frozenset((Trait.HEAVY_ARTILLERY,) if fort.heavy else ()),
            formation=formation.id,
            source=where,
        )
    faults.check()
    return replace(shelf, cards=cards) if forts else shelf
