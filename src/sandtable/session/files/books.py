"""The books of a game: the ruleset bound to its scenario, with its packs, map drawing and tools.

A ruleset is pure and takes a while to bind, so all tables of one scenario share one. Binding is done in a
thread.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from sandtable import catalog
from sandtable.core.codec import digest, encode
from sandtable.core.content.glossary import Term, read_glossary
from sandtable.core.content.pack import Library, Pack
from sandtable.core.content.scenario import read_draft, read_head
from sandtable.core.errors import BadInput
from sandtable.core.log import Header
from sandtable.core.ruleset import Ruleset, System
from sandtable.geo.plane.space import space_of
from sandtable.session.presenting import reference
from sandtable.session.presenting.atlas import draw_map, legend_of
from sandtable.session.presenting.shelf import LessonRow, ScenarioRow, SwitchRow, SystemRow, TableShown, WireSide
from sandtable.session.presenting.tools import Tools

__all__ = ["Books", "Bookshelf"]

_log = logging.getLogger(__name__)
AnyRuleset = Ruleset[Any, Any, Any]
_MOST_BOOKS = 64
"""Rulesets kept at once; uploaded logs may bring any number of scenarios."""


class Books:
    """All that stays the same in the games of one scenario."""

    def __init__(self, ruleset: AnyRuleset, system: System, library: Library, draft: Mapping[str, Any]) -> None:
        self.ruleset = ruleset
        self.system = system
        self.library = library
        self.draft = draft
        self.tools = Tools(ruleset)

    @cached_property
    def sides(self) -> tuple[WireSide, ...]:
        """The seats with their titles."""
        return reference.sides(catalog.sides(self.system, self.draft), self.ruleset.seats)

    @cached_property
    def rules(self) -> dict[str, str]:
        """Title by rule number."""
        return {entry.number: entry.title for entry in reference.rule_entries(self.library)}

    @cached_property
    def summaries(self) -> dict[str, str]:
        """What a rule says in short, by its number."""
        return {entry.number: entry.summary for entry in reference.rule_entries(self.library) if entry.summary}

    @cached_property
    def waits(self) -> dict[str, str]:
        """What of a rule is not here yet, by its number."""
        return {entry.number: entry.waits for entry in reference.rule_entries(self.library) if entry.waits}

    @cached_property
    def glossary(self) -> tuple[Term, ...]:
        """What abbreviations mean."""
        return read_glossary(self.library)

    @cached_property
    def tables(self) -> tuple[TableShown, ...]:
        """The tables of the packs."""
        return reference.tables(self.library)

    @cached_property
    def drawing(self) -> tuple[bytes, str] | None:
        """The map drawing as JSON and its digest, or None where there is no map."""
        space = space_of(self.ruleset)
        if space is None:
            return None
        return encode(draw_map(space, legend_of(self.system, self.library))), space.digest


class Bookshelf:
    """Books by scenario, each bound once."""

    def __init__(self, packs: Sequence[Pack] = ()) -> None:
        self._packs = tuple(packs)
        self._books: dict[str, Books] = {}
        self._headers: dict[str, Header] = {}
        self._binding = asyncio.Lock()
        self._strange = asyncio.Lock()
        """For scenarios that people bring: whoever begins a game of ours need not wait for them."""

    @cached_property
    def systems(self) -> tuple[SystemRow, ...]:
        """The systems that can be played."""
        found = []
        for key in catalog.system_ids():
            try:
                card = catalog.system(key).card
            except Exception:  # noqa: BLE001 - a system that cannot be loaded must not close the registry for the others
                _log.exception("the system %s cannot be played", key)
            else:
                found.append(SystemRow.of(card))
        return tuple(found)

    @cached_property
    def scenarios(self) -> tuple[ScenarioRow, ...]:
        """The scenarios that can be played; one that cannot be read is left out."""
        return tuple(row for system in self.systems for row in self._rows(system.id))

    @cached_property
    def lessons(self) -> tuple[LessonRow, ...]:
        """The lessons that can be taken; a pack whose lessons cannot be read has none."""
        try:
            found = catalog.lessons(self._packs)
        except BadInput as error:
            _log.warning("lessons cannot be given: %s", error)
            return ()
        return tuple(
            LessonRow(one.id, one.system, one.title, one.summary, one.minutes, len(one.steps)) for one in found
        )

    def _rows(self, system_id: str) -> Sequence[ScenarioRow]:
        found: dict[str, ScenarioRow] = {}
        system = catalog.system(system_id)
        for _, data, where in catalog.library(system_id, self._packs).section("scenarios"):
            try:
                draft = read_draft(data, where)
                head = read_head(draft, where)
                heads = catalog.sides(system, draft)
                seats = [side.id for side in heads] or self._seats(head.id)
                switches = catalog.switches(system.card, draft, where)
            except BadInput as error:
                _log.warning("%s cannot be played: %s", where, error)
                continue
            found[head.id] = ScenarioRow(
                head.id,
                head.system,
                head.title,
                head.turns,
                head.status,
                head.summary,
                reference.sides(heads, seats),
                _switches(draft, switches),
                f"{head.level.title()} Game" if head.level else "",
            )
        return list(found.values())

    def switches(self, scenario_id: str) -> tuple[str, ...]:
        """Names of what players may turn for a game of a scenario."""
        return tuple(one.name for row in self.scenarios if row.id == scenario_id for one in row.switches)

    def _seats(self, scenario_id: str) -> Sequence[str]:
        return catalog.open_scenario(scenario_id, self._packs).ruleset.seats

    async def open_scenario(
        self, scenario_id: str, seats: Mapping[str, str], switches: Mapping[str, str] | None = None
    ) -> tuple[Books, Header]:
        """The books of a scenario by its id, and the header of a new game of it with these switches turned."""
        chosen = dict(switches or {})
        name = " ".join([scenario_id, *(f"{key}={value}" for key, value in sorted(chosen.items()))])
        async with self._binding:
            if name not in self._headers:
                self._headers[name] = await asyncio.to_thread(self._bind_scenario, scenario_id, chosen)
        header = self._headers[name]
        fresh = Header(header.format, header.system, header.version, header.packs, header.scenario, chosen, dict(seats))
        return self._books[_key(header)], fresh

    async def of_header(self, header: Header, where: str) -> Books:
        """The books of a game that was begun before."""
        key = _key(header)
        async with self._strange:
            if key not in self._books:
                self._make_room()
                self._books[key] = await asyncio.to_thread(self._bind, header, where)
            return self._books[key]

    def _make_room(self) -> None:
        """Forget the oldest books that are of no scenario of ours."""
        ours = {_key(header) for header in self._headers.values()}
        strange = [key for key in self._books if key not in ours]
        for key in strange[: max(0, len(strange) - _MOST_BOOKS)]:
            del self._books[key]

    def _bind_scenario(self, scenario_id: str, switches: Mapping[str, str]) -> Header:
        if scenario_id not in {row.id for row in self.scenarios}:
            raise catalog.unknown("scenario", scenario_id, [row.id for row in self.scenarios])
        ruleset, header = catalog.open_scenario(scenario_id, self._packs, switches)
        key = _key(header)
        if key not in self._books:
            self._books[key] = self._made(ruleset, header)
        return header

    def _bind(self, header: Header, where: str) -> Books:
        system = catalog.system(header.system, where)
        library = catalog.library(header.system, self._packs, where)
        return Books(catalog.rules_of(system, header.scenario, library, where), system, library, header.scenario)

    def _made(self, ruleset: AnyRuleset, header: Header) -> Books:
        library = catalog.library(header.system, self._packs)
        return Books(ruleset, catalog.system(header.system), library, header.scenario)


def _switches(draft: Mapping[str, Any], switches: Mapping[str, str]) -> tuple[SwitchRow, ...]:
    """The switches of a scenario as it has them."""
    conditions = draft.get("conditions")
    given = conditions if isinstance(conditions, Mapping) else {}
    return tuple(SwitchRow(name, title, given.get(name) is True) for name, title in switches.items())


def _key(header: Header) -> str:
    return digest([header.system, header.scenario])
