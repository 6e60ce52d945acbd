"""The system of this package: ASL Starter Kit #3.

A command that asks for sight needs no more than boards and ground; what a game needs is imported where it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sandtable.core.content.checking import check_library
from sandtable.core.content.pack import Library
from sandtable.core.content.reading import convert
from sandtable.core.content.rule import rule
from sandtable.core.content.scenario import SideHead, sides_listed
from sandtable.core.content.table import read_table
from sandtable.core.errors import Faults
from sandtable.core.lesson import check_lessons
from sandtable.core.ruleset import Position, Space, SystemCard
from sandtable.geo.board_file import BoardFile, ImportedBoard
from sandtable.geo.boards import Boards, checked_map, named_map
from sandtable.geo.legend import TerrainShown
from sandtable.geo.map import GameMap
from sandtable.systems.aslsk.scenario.draft import Conditions, ScenarioDraft
from sandtable.systems.aslsk.terrain.ground import Ground
from sandtable.systems.aslsk.terrain.kinds import TerrainRow, read_terrain
from sandtable.systems.aslsk.terrain.sight_report import SightReader
from sandtable.systems.aslsk.terrain.survey import TERRAIN_TABLE

if TYPE_CHECKING:
    from sandtable.systems.aslsk.common.context import Context
    from sandtable.systems.aslsk.rules import AslskRules

__all__ = ["ASLSK3", "AslskSystem"]


class AslskSystem:
    """The Starter Kit."""

    card = SystemCard(
        id="aslsk3",
        title="ASL Starter Kit #3",
        rulebook="Advanced Squad Leader Starter Kit #3, 2007",
        version=3,
        package="sandtable.systems.aslsk",
        pack="aslsk3",
        players=2,
        hidden=True,
        chance=True,
        simultaneous=False,
        space=Space.HEXES,
        doctrine="sandtable.bots.aslsk:doctrine",
        bench="sandtable.cli.bench.aslsk:BENCH",
        switches={"free_sight": "Lines of sight may be checked before fire is declared (3.2.1)"},
    )

    def terrain(self, library: Library) -> dict[str, TerrainRow]:
        """The words of the boards."""
        return read_terrain(library.every("terrain.yaml"))

    @rule("1.2", "1.3")
    def context(self, draft: Mapping[str, Any], game_map: GameMap, library: Library, where: str) -> Context:
        """Everything that stays the same in a game of this scenario (1.3)."""
        from sandtable.systems.aslsk.common.context import Context
        from sandtable.systems.aslsk.pieces.card_files import parse_cards
        from sandtable.systems.aslsk.scenario.reading import Lie, read_scenario

        faults = Faults()
        with faults.gathering():
            cards = parse_cards({place: data for _, data, place in library.section("cards")})
        with faults.gathering():
            terrain = self.terrain(library)
        with faults.gathering():
            tables = library.tables()
        with faults.gathering():
            conditions = convert(draft.get("conditions", {}), Conditions, f"{where}: conditions")
        faults.check()
        ground = Ground(game_map, terrain, tables, conditions)
        buildings = frozenset(hex for hex, place in ground.places.items() if place.building)
        scenario = read_scenario(draft, game_map, cards, Lie(ground.hills, buildings), where)
        return Context(game_map, ground, cards, tables, scenario)

    @rule("1.0")
    def ruleset(self, scenario: Mapping[str, Any], library: Library, where: str) -> AslskRules:
        """Bind a scenario draft (1.0)."""
        from sandtable.systems.aslsk.rules import AslskRules

        game_map = checked_map(scenario, ScenarioDraft, self.card.id, library, where)
        return AslskRules(self.card, self.context(scenario, game_map, library, where))

    def position(self, situation: Mapping[str, Any], library: Library, where: str) -> Position:
        """Set up a situation file."""
        from sandtable.systems.aslsk.situation import read_situation

        return read_situation(self, situation, library, where)

    def answer(self, position: Position, question: Mapping[str, Any], where: str) -> dict[str, Any]:
        """Answer a question of a situation file."""
        from sandtable.systems.aslsk.questions import answer
        from sandtable.systems.aslsk.rules import AslskRules

        ruleset = position.ruleset
        assert isinstance(ruleset, AslskRules)  # noqa: S101 - positions of this system come from here
        return answer(ruleset, position.state, question, where)

    def sight(self, map_name: str, library: Library) -> Callable[[str, str], dict[str, Any]]:
        """Sight between two labels of a board or of a scenario's map."""
        named = named_map(map_name, library)
        conditions = convert(named.draft.get("conditions", {}), Conditions, f"{named.where}: conditions")
        # Of all tables sight needs one, and a command that asks for sight should not wait for the others.
        table = read_table(*library.file(f"tables/{TERRAIN_TABLE}.yaml"))
        return SightReader(Ground(named.map, self.terrain(library), {TERRAIN_TABLE: table}, conditions))

    def sides(self, draft: Mapping[str, Any]) -> Sequence[SideHead]:
        """The sides of a scenario or situation."""
        from sandtable.systems.aslsk.pieces.cards import COLOURS

        return sides_listed(draft, COLOURS)

    def legend(self, library: Library) -> dict[str, TerrainShown]:
        """What the words of the boards mean."""
        from sandtable.systems.aslsk.terrain.legend import terrain_legend

        return terrain_legend(library)

    def import_board(self, file: BoardFile, library: Library) -> ImportedBoard:
        """A board of VASL's."""
        from sandtable.systems.aslsk.terrain.vasl import import_board

        return import_board(file, library)

    def check_pack(self, library: Library) -> None:
        """Read every table, card, board and scenario; raise :class:`BadInput` with all faults."""
        from sandtable.systems.aslsk.pieces.card_files import parse_cards

        check_library(
            library,
            self.ruleset,
            lambda: parse_cards({place: data for _, data, place in library.section("cards")}),
            lambda: self.terrain(library),
            Boards(library).check,
            lambda: check_lessons(self, library),
        )


ASLSK3 = AslskSystem()
