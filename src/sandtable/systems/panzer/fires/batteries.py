"""5.3 Off-map batteries as a scenario lists them: their cards, to whom they belong, what may be plotted for them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.errors import Faults
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.fires.missions import BatteryId, MissionKind, Pattern
from sandtable.systems.panzer.fires.response import Attachment
from sandtable.systems.panzer.formations import Formation, FormationId
from sandtable.systems.panzer.support_cards import BatteryCard

__all__ = ["Artillery", "BatteryDraft", "BatteryFacts", "PlotDraft", "PlotStepDraft", "bind_batteries"]

BOOK = ("panzer-na",)


class PlotStepDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a plot in a situation."""

    at: str
    kind: MissionKind = MissionKind.GP
    sheaf: Pattern = Pattern.CLOSED
    way: str = ""
    turns: int = 1


class PlotDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plot in a situation."""

    turn: int
    steps: tuple[PlotStepDraft, ...]
    begun: int = 0


class BatteryDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An off-map battery as an author lists it below its force."""

    id: str
    card: str
    attached: str = ""
    """The formation that it is Attached to (6.5.1.3.1)."""
    organic: str = ""
    """The formation, of the highest level, that it is Organic to (6.5.1.3.2)."""
    registers: int = 0
    """How many Pre-Registered Points its owner may plot for it (6.5.1.4)."""
    plans: bool = False
    """Whether Planned fire may be plotted for it (6.5.1.11)."""
    registered: tuple[str, ...] = ()
    """In situations: the points themselves."""
    plot: PlotDraft | None = None
    """In situations: the plot itself."""


class BatteryFacts(msgspec.Struct, frozen=True):
    """What a battery is, and never ceases to be (5.3, 6.5.1.3)."""

    id: BatteryId
    side: Seat
    card: CardId
    level: Attachment
    """For its own: Attached or Organic."""
    formation: str
    registers: int = 0
    plans: bool = False


class Artillery(NamedTuple):
    """The batteries of one force as a scenario lists them."""

    seat: Seat
    field: str
    drafts: tuple[BatteryDraft, ...]


@rule("5.3", "6.5.1.2", "6.5.1.3", "6.5.1.3.1", "6.5.1.3.2", editions=BOOK)
def bind_batteries(
    forces: Collection[Artillery],
    cards: Mapping[CardId, BatteryCard],
    formations: Mapping[FormationId, Formation],
    taken: Collection[str],
    faults: Faults,
    *,
    situation: bool,
) -> dict[BatteryId, BatteryFacts]:
    """Bind the batteries of both forces, or add every fault (5.3, 6.5.1.3)."""
    found: dict[BatteryId, BatteryFacts] = {}
    for force in forces:
        for index, draft in enumerate(force.drafts):
            field = f"{force.field}[{index}]"
            if draft.id in taken or draft.id in found or not draft.id:
                faults.add(f"{field}.id", f"{draft.id!r} stands twice" if draft.id else "missing", "an id of its own")
            if draft.card not in cards:
                faults.add(f"{field}.card", f"no battery {draft.card!r}", f"one of {', '.join(sorted(cards))}")
            _check_level(draft, force.seat, formations, field, faults)
            if draft.registers < 0:
                faults.add(f"{field}.registers", str(draft.registers), "0 or more")
            for name in ("registered", "plot"):
                if getattr(draft, name) and not situation:
                    right = "registers or plans: its owner plots in secret (6.5.1.4, 6.5.1.11.1)"
                    faults.add(f"{field}.{name}", "belongs to situations", right)
            level = Attachment.ATTACHED if draft.attached else Attachment.ORGANIC
            key = BatteryId(draft.id)
            found[key] = BatteryFacts(
                key,
                force.seat,
                CardId(draft.card),
                level,
                draft.attached or draft.organic,
                draft.registers,
                draft.plans,
            )
    return found


def _check_level(
    draft: BatteryDraft, seat: Seat, formations: Mapping[FormationId, Formation], field: str, faults: Faults
) -> None:
    if bool(draft.attached) == bool(draft.organic):
        wrong = "both" if draft.attached else "neither"
        faults.add(field, f"{wrong} of attached and organic", "one of them, with a formation (6.5.1.3)")
        return
    name = "attached" if draft.attached else "organic"
    formation = formations.get(FormationId(draft.attached or draft.organic))
    if formation is None or formation.side != seat:
        faults.add(f"{field}.{name}", f"{seat} has no formation {draft.attached or draft.organic!r}")
    elif draft.organic and formation.parent:
        wrong = f"{draft.organic} is part of {formation.parent}"
        faults.add(f"{field}.organic", wrong, "the highest formation, or attached (6.5.1.3.2)")
