"""Assaults in tests: a drawn map with everybody around hex 0404, and answers with the dice that they need."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.core.dice import ScriptedDice
from sandtable.core.ruleset import Resolution
from sandtable.systems.goss.assault.frames import Assault, Assaults, Stage, Suffering
from sandtable.systems.goss.pieces.unit import Unit, UnitId
from tests.goss.positions import Units, position

OPEN = "\n".join([". . . . . . . ."] * 8)
ADJUSTMENT = "attacker status adjustment"


def with_hex(kind: str, *labels: str) -> str:
    """The open map with a terrain in some hexes."""
    rows = [row.split() for row in OPEN.splitlines()]
    for label in labels:
        rows[int(label[2:]) - 1][int(label[:2]) - 1] = kind
    return "\n".join(" ".join(row) for row in rows)


class Fight:
    """A game at an open question."""

    def __init__(self, allied: Units, axis: Units, cells: str = OPEN, **more: Any) -> None:
        more.setdefault("segment", ADJUSTMENT)
        found = position(cells, allied, axis, **more)
        self.rules, self.state = found.ruleset, found.state
        self.events: list[Any] = []

    @property
    def title(self) -> str:
        """What is asked."""
        decision = self.rules.decision(self.state)
        return "" if decision is None else f"{decision.asked[0]}: {decision.title}"

    @property
    def answers(self) -> list[Any]:
        """What may be answered."""
        decision = self.rules.decision(self.state)
        return list(decision.options(decision.asked[0]))

    def do(self, action: Any, *dice: int) -> Fight:
        """Answer; ``dice`` from 0 up, as the book has them."""
        seat = self.rules.decision(self.state).asked[0]
        refusal = self.rules.refusal(self.state, seat, action)
        assert refusal is None, refusal
        self._keep(self.rules.resolve(self.state, seat, action, ScriptedDice([die + 1 for die in dice])))
        return self

    def _keep(self, play: Any) -> None:
        self.state, self.events = play.state, play.events

    def suffer(self, side: str, losses: int, hits: int, *dice: int, frame: dict[str, Any], **more: Any) -> Fight:
        """Let a side apply a result in an assault on 0404 that has come so far."""
        known = {"attackers": (), "defenders": ()} | frame
        known["attackers"], known["defenders"] = (tuple(map(UnitId, known[key])) for key in ("attackers", "defenders"))
        target = self.rules.place("0404")
        assault = Assault(Seat("allied"), target, stage=known.pop("stage", Stage.END), line=1, **known)
        stack = (Assaults(Seat("allied")), assault, Suffering(Seat(side), losses, hits, **more))
        play: Resolution[Any, Any] = Resolution(
            replace(self.state, stack=stack), self.rules.fold, ScriptedDice([die + 1 for die in dice])
        )
        self.rules.advance(play)
        self._keep(play)
        return self

    def unit(self, name: str) -> Unit:
        """A unit as it is now."""
        found: Unit = self.state.units[UnitId(name)]
        return found

    def at(self, name: str) -> str:
        """The hex of a unit; ``""`` if it is gone."""
        hex = self.unit(name).hex
        return "" if hex is None else self.rules.context.label(hex)

    def hex(self, label: str) -> Any:
        """A hex by its number."""
        return self.rules.place(label)
