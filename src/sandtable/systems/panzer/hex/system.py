"""The systems of this package: *Panzer North Africa* and *MBT*, one engine with two sets of switches."""

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
from sandtable.geo.legend import TerrainShown, read_legend
from sandtable.geo.map import GameMap
from sandtable.systems.panzer.card_files import parse_shelf
from sandtable.systems.panzer.combat.barrels import barrels_of
from sandtable.systems.panzer.edition import MBT, PANZER_NA, Edition
from sandtable.systems.panzer.forces.establishments import parse_establishments
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.questions import answer
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.hex.scenario.bound import read_scenario
from sandtable.systems.panzer.hex.scenario.draft import COLOURS, Conditions, ScenarioDraft
from sandtable.systems.panzer.hex.sight.ground import Ground
from sandtable.systems.panzer.hex.sight.sight_report import sight_report
from sandtable.systems.panzer.hex.situation import read_situation
from sandtable.systems.panzer.terrain import parse_terrain

__all__ = ["MBT_BASIC", "PANZER_NA_BASIC", "PanzerSystem"]


class PanzerSystem:
    """A book of the family."""

    def __init__(self, edition: Edition, title: str, rulebook: str, bench: str) -> None:
        self.edition = edition
        self.card = SystemCard(
            id=edition.id,
            title=title,
            rulebook=rulebook,
            version=2,
            package="sandtable.systems.panzer",
            pack=edition.id,
            players=2,
            hidden=True,
            chance=True,
            simultaneous=True,
            space=Space.HEXES,
            doctrine="sandtable.bots.panzer:doctrine",
            bench=bench,
        )

    def context(
        self,
        draft: Mapping[str, Any],
        game_map: GameMap,
        library: Library,
        where: str,
        *,
        situation: bool = False,
    ) -> Context:
        """Everything that stays the same in a game of this scenario, or in this situation."""
        faults = Faults()
        with faults.gathering():
            shelf = parse_shelf({place: data for _, data, place in library.section("cards")})
        with faults.gathering():
            terrain = parse_terrain(library.every("terrain.yaml"))
        with faults.gathering():
            tables = library.tables()
        faults.check()
        with faults.gathering():
            establishments = parse_establishments(library.every("formations.yaml"), shelf)
        faults.check()
        with faults.gathering():
            scenario = read_scenario(
                draft, game_map, shelf, self.edition, where, situation=situation, establishments=establishments
            )
        faults.check()
        ground = Ground(game_map, terrain, self.edition, tables, scenario.draft.conditions)
        arcs = tables["fields_of_fire"]
        barrels = {}
        for name, card in shelf.cards.items():
            with faults.gathering():
                barrels[name] = barrels_of(card, self.edition, arcs)
        faults.check()
        return Context(self.edition, game_map, ground, shelf.cards, tables, scenario, barrels, shelf)

    @rule("2.0")
    def ruleset(self, scenario: Mapping[str, Any], library: Library, where: str) -> PanzerRules:
        """Bind a scenario draft (2.0)."""
        game_map = checked_map(scenario, ScenarioDraft, self.card.id, library, where)
        return PanzerRules(self.card, self.context(scenario, game_map, library, where))

    def position(self, situation: Mapping[str, Any], library: Library, where: str) -> Position:
        """Set up a situation file."""
        return read_situation(self, situation, library, where)

    def answer(self, position: Position, question: Mapping[str, Any], where: str) -> dict[str, Any]:
        """Answer a question of a situation file."""
        ruleset = position.ruleset
        assert isinstance(ruleset, PanzerRules)  # noqa: S101 - positions of this system come from here
        return answer(ruleset.context, position.state, question, where)

    def sight(self, map_name: str, library: Library) -> Callable[[str, str], dict[str, Any]]:
        """Sight between two labels of a board or of a scenario's map."""
        named = named_map(map_name, library)
        conditions = convert(named.draft.get("conditions", {}), Conditions, f"{named.where}: conditions")
        terrain = parse_terrain(library.every("terrain.yaml"))
        ground = Ground(named.map, terrain, self.edition, library.tables(), conditions)
        return lambda a, b: sight_report(ground, named.map, a, b)

    def sides(self, draft: Mapping[str, Any]) -> Sequence[SideHead]:
        """The sides of a scenario or situation."""
        return sides_listed(draft, COLOURS)

    def legend(self, library: Library) -> dict[str, TerrainShown]:
        """What the words of the boards mean, as the Terrain Effects Table has it."""
        return read_legend(library, "clear")

    def check_pack(self, library: Library) -> None:
        """Read every table, card, board and scenario; raise :class:`BadInput` with all faults."""
        check_library(
            library,
            self.ruleset,
            lambda: parse_shelf({place: data for _, data, place in library.section("cards")}),
            lambda: parse_terrain(library.every("terrain.yaml")),
            Boards(library).check,
            lambda: check_lessons(self, library),
        )


PANZER_NA_BASIC = PanzerSystem(
    PANZER_NA,
    "Panzer North Africa",
    "Panzer North Africa, living rules, Spring 2024",
    bench="sandtable.cli.bench.panzer:NORTH_AFRICA",
)
MBT_BASIC = PanzerSystem(
    MBT, "MBT, Basic Game", "MBT Basic Game, living rules, August 2017", bench="sandtable.cli.bench.panzer:MBT"
)
