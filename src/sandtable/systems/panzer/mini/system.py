"""The system: Panzer miniatures on a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sandtable.core.content.checking import check_library
from sandtable.core.content.pack import Library
from sandtable.core.content.reading import convert, read_yaml
from sandtable.core.content.rule import rule
from sandtable.core.content.scenario import SideHead, sides_listed
from sandtable.core.errors import BadInput, Fault, Faults
from sandtable.core.lesson import check_lessons
from sandtable.core.ruleset import Position, SightAnswers, Space, SystemCard
from sandtable.geo.boards import Boards, scenario_table
from sandtable.geo.legend import TerrainShown, read_legend
from sandtable.geo.plane.bases import run_into
from sandtable.geo.plane.table import TableMap
from sandtable.systems.panzer.edition import PANZER_MINI
from sandtable.systems.panzer.mini.cards import parse_cards
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.ground import Ground
from sandtable.systems.panzer.mini.layers import FOOTINGS
from sandtable.systems.panzer.mini.movement.entry import EnterPut
from sandtable.systems.panzer.mini.questions import answer
from sandtable.systems.panzer.mini.rules import MiniRules
from sandtable.systems.panzer.mini.scenario.bound import base_of, read_scenario
from sandtable.systems.panzer.mini.scenario.draft import COLOURS, ScenarioDraft
from sandtable.systems.panzer.mini.sight.lines import Sights
from sandtable.systems.panzer.mini.sight.sight_report import sight_report
from sandtable.systems.panzer.mini.situation import read_situation
from sandtable.systems.panzer.mini.standing import refuse_ground
from sandtable.systems.panzer.mini.state import SMOKE, WRECK, State
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.terrain import Terrain, TerrainId, parse_terrain

__all__ = ["PANZER_MINIATURES", "MiniSystem"]


class MiniSystem:
    """The miniatures book."""

    card = SystemCard(
        id=PANZER_MINI.id,
        title="Panzer miniatures",
        rulebook="Panzer, miniatures rules",
        version=2,
        package="sandtable.systems.panzer",
        pack=PANZER_MINI.id,
        doctrine="sandtable.bots.panzer.mini:doctrine",
        players=2,
        hidden=True,
        chance=True,
        simultaneous=True,
        space=Space.PLANE,
        bench="sandtable.cli.bench.panzer:MINIATURES",
    )

    def context(
        self, draft: Mapping[str, Any], table: TableMap, library: Library, where: str, *, situation: bool = False
    ) -> Context:
        """Everything that stays the same in a game of this scenario, or in this situation."""
        faults = Faults()
        with faults.gathering():
            cards = parse_cards({place: data for _, data, place in library.section("cards")})
        with faults.gathering():
            terrain = parse_terrain(library.every("terrain.yaml"))
        with faults.gathering():
            tables = library.tables()
        faults.check()
        _check_features(table, terrain)
        scenario = read_scenario(draft, table, cards, terrain, where, situation=situation)
        context = Context(PANZER_MINI, table, terrain, cards, tables, scenario)
        _check_entries(context, where)
        if not situation:
            _check_ground(context, where)
        return context

    @rule("2.0", editions=(PANZER_MINI.id,))
    def ruleset(self, scenario: Mapping[str, Any], library: Library, where: str) -> MiniRules:
        """Bind a scenario draft (2.0)."""
        if scenario.get("system") != self.card.id:
            raise BadInput([Fault(f"{where}: system", repr(scenario.get("system")), self.card.id)])
        draft = convert(dict(scenario), ScenarioDraft, where)
        table = scenario_table(draft.map, library, where, FOOTINGS)
        return MiniRules(self.card, self.context(scenario, table, library, where))

    def position(self, situation: Mapping[str, Any], library: Library, where: str) -> Position:
        """Set up a situation file."""
        return read_situation(self, situation, library, where)

    def answer(self, position: Position, question: Mapping[str, Any], where: str) -> dict[str, Any]:
        """Answer a question of a situation file."""
        ruleset = position.ruleset
        assert isinstance(ruleset, MiniRules)  # noqa: S101 - positions of this system come from here
        return answer(ruleset.context, position.state, question, where)

    def sight(self, map_name: str, library: Library) -> SightAnswers:
        """Sight between two places of a table, or of that of a scenario."""
        drafts = {name: (data, where) for name, data, where in library.section("scenarios")}
        plan: Mapping[str, str] = {"table": map_name}
        storeys: Mapping[str, int] = {}
        if map_name in drafts:
            draft = read_yaml(drafts[map_name][0], ScenarioDraft, drafts[map_name][1])
            plan, storeys = draft.map, draft.conditions.storeys
        table = scenario_table(plan, library, map_name, FOOTINGS)
        ground = Ground(table, parse_terrain(library.every("terrain.yaml")), storeys)
        sights = Sights(ground, library.table("line_of_sight"))
        return lambda a, b: sight_report(sights, table, a, b)

    def sides(self, draft: Mapping[str, Any]) -> Sequence[SideHead]:
        """The sides of a scenario or situation."""
        return sides_listed(draft, COLOURS)

    def legend(self, library: Library) -> dict[str, TerrainShown]:
        """What the words of the tables mean, as the Terrain Effects Table has it."""
        return read_legend(library, "clear")

    def check_pack(self, library: Library) -> None:
        """Read every table, card, board and scenario; raise :class:`BadInput` with all faults."""
        check_library(
            library,
            self.ruleset,
            lambda: parse_cards({place: data for _, data, place in library.section("cards")}),
            lambda: parse_terrain(library.every("terrain.yaml")),
            Boards(library, FOOTINGS).check,
            lambda: check_lessons(self, library),
        )


@rule("5.5.1.3", "5.5.1.11", "5.5.1.17", editions=(PANZER_MINI.id,))
def _check_features(table: TableMap, terrain: Mapping[TerrainId, Terrain]) -> None:
    """Features are terrain and have some area; hills rise, depressions sink, nothing else does; patches are none."""
    faults = Faults(table.id)
    for index, feature in enumerate(table.features):
        where, kind = f"features[{index}]", TerrainId(feature.kind)
        if kind not in terrain:
            faults.add(f"{where}.kind", f"no terrain {kind!r}", f"one of {', '.join(terrain)}")
            continue
        if kind in (WRECK, SMOKE):
            faults.add(f"{where}.kind", f"{kind!r} comes and goes", "a patch of the scenario")
        if feature.line and not feature.outline:
            faults.add(
                f"{where}.width", "missing", "how wide it is in inches; slopes and crests are 1 in deep (5.5.1.17)"
            )
        elif not feature.outline:
            faults.add(f"{where}.outline", "missing", "an outline, or a line with a width")
        rises = {"hill": 1, "depression": -1}.get(kind, 0)
        if not rises and feature.level is not None:
            faults.add(f"{where}.level", f"of a {kind}", "a hill or depression beneath it")
        elif (feature.level or 0) * rises < abs(rises):
            right = "1 or more" if rises > 0 else "-1 or less"
            faults.add(f"{where}.level", "missing" if feature.level is None else str(feature.level), right)
        storeys = feature.attributes.get("storeys", 1)
        if isinstance(storeys, bool) or not isinstance(storeys, int) or storeys < 1:
            faults.add(f"{where}.attributes.storeys", repr(storeys), "a whole number, 1 or more")
    faults.check()


def _check_entries(context: Context, where: str) -> None:
    """Whoever is held off the table has some place where it may enter (9.8)."""
    faults = Faults(where)
    state = State(0, Phase.ADJUSTMENT, "", {}, patches=context.scenario.patches)
    for unit in context.scenario.entries:
        put = EnterPut(context, state, context.scenario.units[unit])
        if next(put.suggestions(), None) is None:
            faults.add(f"sides: {unit}.enters", "its ground there is prohibited all along", "another stretch or edge")
    faults.check()


@rule("9.3.2", editions=(PANZER_MINI.id,))
def _check_ground(context: Context, where: str) -> None:
    """Whoever has a place from the start stands on ground that it may enter (9.3.2), and upon no wreck (9.9)."""
    faults = Faults(where)
    scenario = context.scenario
    going = context.going(State(0, Phase.ADJUSTMENT, "", {}, patches=scenario.patches))
    for unit in scenario.units.values():
        if unit.at is None:
            continue
        card = context.card_of(unit)
        base = base_of(card, unit.at, unit.heading)
        refusal = refuse_ground(going, card, base)
        if refusal is not None:
            faults.add(f"sides: {unit.id}.at", f"{refusal.reason} ({refusal.rule})", refusal.remedy)
        elif any(run_into(base, base, wreck.outline) for wreck in going.wrecks):
            faults.add(f"sides: {unit.id}.at", "it would stand upon a wreck (9.9)", "a place that is free")
    faults.check()


PANZER_MINIATURES = MiniSystem()
