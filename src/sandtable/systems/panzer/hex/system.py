"""The systems of this package: *Panzer North Africa* and *MBT*, one engine with two sets of switches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.core.errors import BadInput, Fault, Faults
from sandtable.core.pack import Library
from sandtable.core.reading import convert
from sandtable.core.rule import read_rule_index, rule
from sandtable.core.ruleset import Position, SystemCard
from sandtable.core.scenario import read_draft
from sandtable.geo.board import Board, read_board
from sandtable.geo.map import GameMap, MapDraft
from sandtable.systems.panzer.cards import parse_cards
from sandtable.systems.panzer.edition import MBT, PANZER_NA, Edition
from sandtable.systems.panzer.hex.context import Context, barrels_of
from sandtable.systems.panzer.hex.ground import Ground
from sandtable.systems.panzer.hex.questions import answer
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.hex.scenario import Conditions, ScenarioDraft, read_scenario
from sandtable.systems.panzer.hex.sight_report import sight_report
from sandtable.systems.panzer.hex.situation import read_situation
from sandtable.systems.panzer.terrain import parse_terrain

__all__ = ["SYSTEMS", "PanzerSystem"]


class PanzerSystem:
    """A book of the family."""

    def __init__(self, edition: Edition, title: str, rulebook: str) -> None:
        self.edition = edition
        self.card = SystemCard(
            id=edition.id,
            title=title,
            rulebook=rulebook,
            version=1,
            package="sandtable.systems.panzer",
            pack=edition.id,
        )

    def boards(self, library: Library) -> dict[str, Board]:
        """All boards by id, later packs first."""
        faults = Faults()
        found: dict[str, Board] = {}
        for _, data, where in library.section("boards"):
            with faults.gathering():
                board = read_board(data, where)
                found[board.id] = board
        faults.check()
        return found

    def game_map(self, draft: object, library: Library, where: str) -> GameMap:
        """The map of a scenario's ``map`` field."""
        placements = convert(draft, MapDraft, f"{where}: map").placements
        return GameMap.from_boards(self.boards(library), placements, f"{where}: map")

    def context(self, draft: Mapping[str, Any], game_map: GameMap, library: Library, where: str) -> Context:
        """Everything that stays the same in a game of this scenario."""
        faults = Faults()
        with faults.gathering():
            cards = parse_cards({place: data for _, data, place in library.section("cards")})
        with faults.gathering():
            terrain = parse_terrain(self._terrain_files(library))
        with faults.gathering():
            tables = library.tables()
        faults.check()
        with faults.gathering():
            scenario = read_scenario(draft, game_map, cards, where)
        faults.check()
        ground = Ground(game_map, terrain, self.edition, tables, scenario.draft.conditions)
        arcs = tables["fields_of_fire"]
        barrels = {}
        for name, card in cards.items():
            with faults.gathering():
                barrels[name] = barrels_of(card, self.edition, arcs)
        faults.check()
        return Context(self.edition, game_map, ground, cards, tables, scenario, barrels)

    def _terrain_files(self, library: Library) -> dict[str, bytes]:
        return {
            f"{pack.where}/terrain.yaml": pack.files["terrain.yaml"]
            for pack in library.packs
            if "terrain.yaml" in pack.files
        }

    @rule("2.0")
    def ruleset(self, scenario: Mapping[str, Any], library: Library, where: str) -> PanzerRules:
        """Bind a scenario draft (2.0)."""
        if scenario.get("system") != self.card.id:
            raise BadInput([Fault(f"{where}: system", repr(scenario.get("system")), self.card.id)])
        faults = Faults()
        with faults.gathering():
            convert(dict(scenario), ScenarioDraft, where)
        game_map = None
        if isinstance(scenario.get("map"), Mapping):
            with faults.gathering():
                game_map = self.game_map(scenario["map"], library, where)
        faults.check()
        assert game_map is not None  # noqa: S101 - else there were faults
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
        boards = self.boards(library)
        conditions = Conditions()
        if map_name in boards:
            game_map = GameMap.of_board(boards[map_name])
        else:
            scenarios = {name: (data, place) for name, data, place in library.section("scenarios")}
            if map_name not in scenarios:
                names = ", ".join([*sorted(boards), *sorted(scenarios)])
                raise BadInput([Fault("map", f"no board or scenario {map_name!r}", f"one of {names}")])
            data, place = scenarios[map_name]
            draft = read_draft(data, place)
            game_map = self.game_map(draft.get("map"), library, place)
            conditions = convert(draft.get("conditions", {}), Conditions, f"{place}: conditions")
        terrain = parse_terrain(self._terrain_files(library))
        ground = Ground(game_map, terrain, self.edition, library.tables(), conditions)
        return lambda a, b: sight_report(ground, game_map, a, b)

    def check_pack(self, library: Library) -> None:
        """Read every table, card, board and scenario; raise :class:`BadInput` with all faults."""
        faults = Faults()
        with faults.gathering():
            library.tables()
        with faults.gathering():
            parse_cards({place: data for _, data, place in library.section("cards")})
        with faults.gathering():
            parse_terrain(self._terrain_files(library))
        with faults.gathering():
            read_rule_index(*library.file("rules.yaml"))
        with faults.gathering():
            self.boards(library)
        if not faults:
            for _, data, place in library.section("scenarios"):
                with faults.gathering():
                    self.ruleset(read_draft(data, place), library, place)
        faults.check()


SYSTEMS = {
    "panzer-na": PanzerSystem(
        PANZER_NA, "Panzer North Africa, Basic Game", "Panzer North Africa, living rules, Spring 2024"
    ),
    "mbt": PanzerSystem(MBT, "MBT, Basic Game", "MBT Basic Game, living rules, August 2017"),
}
