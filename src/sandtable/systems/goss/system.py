"""The system of this package: GOSS 2020."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sandtable.core.content.checking import check_library
from sandtable.core.content.pack import Library
from sandtable.core.content.reading import convert
from sandtable.core.content.rule import rule
from sandtable.core.content.scenario import SideHead, sides_listed
from sandtable.core.errors import Faults
from sandtable.core.lesson import check_lessons
from sandtable.core.ruleset import Position, Space, SystemCard
from sandtable.geo.boards import Boards, checked_map, named_map
from sandtable.geo.legend import TerrainShown
from sandtable.geo.map import GameMap
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.display import COLOURS
from sandtable.systems.goss.ground.ground import read_ground
from sandtable.systems.goss.ground.sight_report import sight_report
from sandtable.systems.goss.legend import terrain_legend
from sandtable.systems.goss.pieces.card_files import parse_shelf, with_counters
from sandtable.systems.goss.questions import answer
from sandtable.systems.goss.rules import GossRules
from sandtable.systems.goss.scenario.bound import SEATS, bind
from sandtable.systems.goss.scenario.draft import ScenarioDraft
from sandtable.systems.goss.scenario.forts import with_forts
from sandtable.systems.goss.situation import read_situation
from sandtable.systems.goss.tables.charts import read_charts

__all__ = ["GOSS", "GossSystem"]


class GossSystem:
    """The Grand Operational Simulation Series."""

    card = SystemCard(
        id="goss",
        title="GOSS 2020",
        rulebook="Grand Operational Simulation Series, system rules of 2020",
        version=3,
        package="sandtable.systems.goss",
        pack="goss",
        players=2,
        hidden=True,
        chance=True,
        simultaneous=False,
        space=Space.HEXES,
        doctrine="sandtable.bots.goss:doctrine",
        bench="sandtable.cli.bench.goss:BENCH",
    )

    @rule("1.1.0")
    def context(
        self,
        draft: Mapping[str, Any],
        game_map: GameMap,
        library: Library,
        where: str,
        *,
        counters: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> Context:
        """Everything that stays the same in a game of this scenario, or in a situation with counters of its own."""
        faults = Faults()
        with faults.gathering():
            shelf = parse_shelf({place: data for _, data, place in library.section("cards")})
            shelf = with_counters(shelf, counters or {}, where)
        with faults.gathering():
            charts = read_charts(library.tables())
        with faults.gathering():
            ground = read_ground(game_map, SEATS, where)
        faults.check()
        bound = convert(dict(draft), ScenarioDraft, where)
        shelf = with_forts(shelf, bound.forts, where)
        scenario = bind(bound, game_map, ground, shelf, where, situation=counters is not None)
        return Context(game_map, ground, charts, shelf, scenario)

    def ruleset(self, scenario: Mapping[str, Any], library: Library, where: str) -> GossRules:
        """Bind a scenario draft."""
        game_map = checked_map(scenario, ScenarioDraft, self.card.id, library, where)
        return GossRules(self.card, self.context(scenario, game_map, library, where))

    def position(self, situation: Mapping[str, Any], library: Library, where: str) -> Position:
        """Set up a situation file."""
        return read_situation(self, situation, library, where)

    def answer(self, position: Position, question: Mapping[str, Any], where: str) -> dict[str, Any]:
        """Answer a question of a situation file."""
        ruleset = position.ruleset
        assert isinstance(ruleset, GossRules)  # noqa: S101 - positions of this system come from here
        return answer(ruleset.context, position.state, question, where)

    def sight(self, map_name: str, library: Library) -> Callable[[str, str], dict[str, Any]]:
        """Sight between two hexes of a board or of a scenario's map."""
        named = named_map(map_name, library)
        ground = read_ground(named.map, SEATS, named.where)
        return lambda a, b: sight_report(ground, named.map, a, b)

    def sides(self, draft: Mapping[str, Any]) -> Sequence[SideHead]:
        """The sides of a scenario or situation."""
        return sides_listed(draft, COLOURS)

    def legend(self, library: Library) -> dict[str, TerrainShown]:
        """What the words of the boards mean."""
        return terrain_legend(library)

    def check_pack(self, library: Library) -> None:
        """Read every table, card, board and scenario; raise :class:`BadInput` with all faults."""
        check_library(
            library,
            self.ruleset,
            lambda: parse_shelf({place: data for _, data, place in library.section("cards")}),
            lambda: read_charts(library.tables()),
            Boards(library).check,
            lambda: check_lessons(self, library),
        )


GOSS = GossSystem()
