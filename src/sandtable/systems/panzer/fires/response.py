"""6.5.1.3, 6.5.1.12 Whether called fire responds: by observer, attachment and what hinders him."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.panzer.unit import Grade

__all__ = ["Attachment", "CallFacts", "ObserverKind", "Response", "response_of", "response_to"]

BOOK = ("panzer-na",)


class Attachment(StrEnum):
    """How far guns are an observer's own (6.5.1.3)."""

    ATTACHED = "Attached"
    ORGANIC = "Organic"
    UNATTACHED = "Unattached"


class ObserverKind(StrEnum):
    """Row of the response table (6.5.1.1.1-6.5.1.1.3)."""

    FO = "FO"
    RHQ = "RHQ"
    BHQ = "BHQ"
    CHQ = "CHQ"
    RECON = "Recon"


class Response(StrEnum):
    """What came of a call (6.5.1.12)."""

    COMES = "responds"
    FAILS = "does not respond"
    ASTRAY = "unmodified 1"
    """Danger Close, or no response at all."""


class CallFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that the tables need to know of a call for fire."""

    observer: ObserverKind
    attachment: Attachment
    grade: Grade
    """The observer's."""
    registered: bool = False
    """On a point that was registered for the battery (6.5.1.4)."""
    command_recon: bool = False
    adjusted: bool = False
    suppressed: bool = False
    damaged: bool = False
    hindered: int = 0
    """Occurrences of smoke, barrages and fire on the observer's line."""
    heat_haze: bool = False


@rule("6.5.1.12", "6.5.1.12.1", editions=BOOK)
def response_to(facts: CallFacts, tables: Mapping[str, Table]) -> Breakdown:
    """What is added to the roll (10), beside the Fire Response Factor that it must reach (6.5.1.12)."""
    factor = tables["fire_response"].number(facts.observer.value, facts.attachment.value)
    return Breakdown("Fire Response", tables["fire_response"].rule, tuple(_terms(facts, tables)), result=factor)


def _terms(facts: CallFacts, tables: Mapping[str, Table]) -> Iterator[Modifier]:
    table = tables["fire_response_modifiers"]
    times = {
        "registered": int(facts.registered),
        "command_recon": int(facts.command_recon),
        "adjusted": int(facts.adjusted),
        "suppressed": int(facts.suppressed),
        "damaged": int(facts.damaged),
        "hindered": facts.hindered,
        "heat_haze": int(facts.heat_haze),
    }
    for name, number in times.items():
        if number:
            yield table.modifier(name, number)
    grade = tables["observer_grade"].number(facts.grade.value)
    if grade:
        yield Modifier(grade, f"{facts.grade.value} Observer", table.rule)


@rule("6.5.1.12", editions=BOOK)
def response_of(number: Breakdown, roll: int) -> Response:
    """What a roll (10) comes to; a 1 before modifiers never responds where it was called (6.5.1.12)."""
    if roll == 1:
        return Response.ASTRAY
    return Response.COMES if roll + number.net >= number.total else Response.FAILS
