"""The tools beside the map: sight between two hexes, the field of sight of one, and what can hit it.

A system may answer with methods of its ruleset, all of the concealed state: ``sight(state, a, b)`` gives a
:class:`~sandtable.geo.sight.SightResult` or a dict, ``field(state, hex)`` the labels seen, ``threats(state,
seat, hex)`` a list of :class:`~sandtable.core.view.Danger`. Where a ruleset has none of these, the
``ground`` of its ``context`` is asked for sight, and then the system's own ``los``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sandtable.core.codec import to_plain
from sandtable.core.decision import Seat
from sandtable.core.errors import BadInput, Fault, Refusal
from sandtable.core.ruleset import Position, Ruleset, System
from sandtable.core.view import Danger
from sandtable.geo.hex import Hex
from sandtable.geo.map import GameMap
from sandtable.geo.sight import SightResult
from sandtable.session.atlas import map_of
from sandtable.session.telling import tell_breakdown
from sandtable.session.told import Threat

__all__ = ["Tools"]

_KEPT_FIELDS = 64
_SEEING = ("sight", "field")
"""Tools that show lines of sight."""


class Tools:
    """The tools for the map of one ruleset; answers about the ground are kept."""

    def __init__(self, ruleset: Ruleset[Any, Any, Any], system: System) -> None:
        self._ruleset = ruleset
        self._system = system
        self._map = map_of(ruleset)
        self._sight = self._sight_way()
        self._fields: dict[str, tuple[str, ...]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Which tools the system answers."""
        able = {
            "sight": self._sight is not None,
            "field": (self._sight is not None and self._map is not None) or hasattr(self._ruleset, "field"),
            "threat": hasattr(self._ruleset, "threats"),
        }
        return tuple(name for name, is_there in able.items() if is_there)

    def in_play(self) -> tuple[str, ...]:
        """Which of them players may use while the game is on."""
        return tuple(name for name in self.names if self.refusal() is None or name not in _SEEING)

    def refusal(self) -> Refusal | None:
        """Why nobody may look along a line while the game is on, None if one may (``refuse_sight`` of the ruleset)."""
        own = getattr(self._ruleset, "refuse_sight", None)
        refusal: Refusal | None = own() if own is not None else None
        return refusal

    def sight(self, known: Any, a: str, b: str) -> dict[str, Any]:
        """All about the line between two labels; raise :class:`BadInput` if they are none."""
        if self._sight is None:
            raise BadInput([Fault("sight", "this system has no sight tool")])
        return self._sight(known, a, b)

    def field(self, known: Any, hex: str) -> tuple[str, ...]:
        """Labels of the hexes seen from ``hex``."""
        own = getattr(self._ruleset, "field", None)
        if own is not None:
            seen: Iterable[str] = own(known, hex)
            return tuple(seen)
        if self._map is None or self._sight is None:
            raise BadInput([Fault("field", "this system has no field of sight")])
        origin = self._map.label(self._map.hex(hex))
        if origin not in self._fields:
            if len(self._fields) >= _KEPT_FIELDS:
                self._fields.clear()
            self._fields[origin] = tuple(self._look_around(known, self._map, origin))
        return self._fields[origin]

    def _look_around(self, known: Any, game_map: GameMap, origin: str) -> Iterable[str]:
        is_blocked = self._blocked_way()
        for hex in sorted(game_map.hexes):
            label = game_map.label(hex)
            if label == origin or not is_blocked(known, game_map.hex(origin), hex):
                yield label

    def threats(self, known: Any, seat: Seat, hex: str) -> tuple[bool, tuple[Threat, ...]]:
        """Whether the system can tell, and what can hit ``hex``."""
        own = getattr(self._ruleset, "threats", None)
        if own is None:
            return False, ()
        dangers: Iterable[Danger] = own(known, seat, hex)
        return True, tuple(
            Threat(one.unit, one.text, tell_breakdown(one.breakdown) if one.breakdown else None) for one in dangers
        )

    # --- ways to find out ---

    def _sight_way(self) -> Callable[[Any, str, str], dict[str, Any]] | None:
        own = getattr(self._ruleset, "sight", None)
        if own is not None:
            return lambda known, a, b: self._report(own(known, a, b), a, b)
        ground = self._ground_sight()
        if ground is not None and self._map is not None:
            game_map = self._map
            return lambda _, a, b: self._report(ground(game_map.hex(a, "a"), game_map.hex(b, "b")), a, b)
        return self._answered if self._map is not None else None

    def _ground_sight(self) -> Callable[[Hex, Hex], Any] | None:
        return getattr(getattr(getattr(self._ruleset, "context", None), "ground", None), "sight", None)

    def _blocked_way(self) -> Callable[[Any, Hex, Hex], bool]:
        ground = self._ground_sight()
        if ground is not None and not hasattr(self._ruleset, "sight"):
            return lambda _, a, b: bool(ground(a, b).blocked)
        assert self._map is not None  # noqa: S101 - a field needs a map
        label = self._map.label
        return lambda known, a, b: bool(self.sight(known, label(a), label(b))["blocked"])

    def _answered(self, known: Any, a: str, b: str) -> dict[str, Any]:
        return self._system.answer(Position(self._ruleset, known), {"los": [a, b]}, "sight")

    def _report(self, result: Any, a: str, b: str) -> dict[str, Any]:
        """A sight result as clients draw it, hexes by their labels."""
        if not isinstance(result, SightResult):
            return dict(result)
        return {
            "a": a,
            "b": b,
            "range": result.range_hexes,
            "blocked": result.blocked,
            "at": self._label(result.at),
            "at_side": None if result.at_side is None else [*result.at_side.hex, result.at_side.dir],
            "by": result.by or None,
            "hindrance": result.hindrance,
            "rule": result.rules[0] if result.rules else None,
            "rules": list(result.rules),
            "reason": result.reason,
            "height_a": result.height_a,
            "height_b": result.height_b,
            "hindrances": [
                {"hex": self._label(one.hex), "what": one.what, "rule": one.rule, "value": one.value}
                for one in result.hindrances
            ],
            "profile": [
                {
                    "hex": self._label(one.hex),
                    "side": None if one.side is None else [*one.side.hex, one.side.dir],
                    "ground": one.ground,
                    "top": one.top,
                    "what": one.what,
                }
                for one in result.profile
            ],
            "steps": to_plain(getattr(result, "steps", ())),
        }

    def _label(self, hex: Hex | None) -> str | None:
        if hex is None or self._map is None:
            return None
        names = self._map.labels(hex)
        return names[0] if names else None
