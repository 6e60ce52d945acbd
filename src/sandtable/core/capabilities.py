"""What a system may offer players beside the rules. All of it is optional: whoever wants one asks ``isinstance``.

Each is given a concealed state, so it tells a seat nothing that the seat may not know. Those that speak of hexes are in
:mod:`sandtable.geo` (``PlaysOnHexes``, ``ShowsSight``, ``DescribesTerrain``, ``ImportsBoards``), pieces that
are counted in :mod:`sandtable.core.piece_count`, what events look like in :mod:`sandtable.core.showing`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from sandtable.core.content.scenario import SideHead
from sandtable.core.decision import Seat
from sandtable.core.errors import Refusal
from sandtable.core.modifier import Breakdown
from sandtable.core.odds import Chance, Supposition
from sandtable.core.ruleset import Ruleset
from sandtable.core.sheet import Sheet
from sandtable.core.view import Area, Danger, Zone

__all__ = [
    "ConcealsScenario",
    "ExplainsPicks",
    "ExplainsSight",
    "ForbidsSight",
    "Foresees",
    "HasCards",
    "HasHiddenVariants",
    "KnowsPlainDeeds",
    "NamesSides",
    "PricesSteps",
    "Remembers",
    "SeesMany",
    "ShowsAreas",
    "ShowsOutlines",
    "ShowsSheets",
    "StepPrice",
    "Supposes",
    "TellsNumbersAhead",
    "TellsUnitOdds",
    "TellsWhoHides",
    "WarnsOfThreats",
]


@runtime_checkable
class TellsUnitOdds(Protocol):
    """Tells apart what may become of each counter that an action strikes."""

    def unit_odds(self, state: Any, action: Any) -> Mapping[str, Sequence[Chance]]:
        """The exact odds by counter; nothing for an action that strikes none."""
        ...


@runtime_checkable
class TellsNumbersAhead(Protocol):
    """Knows the numbers that an action rests on although its dice fall later."""

    def numbers_ahead(self, state: Any, action: Any) -> Sequence[Breakdown]:
        """Those numbers; nothing for an action whose own events have them."""
        ...


@runtime_checkable
class ShowsAreas(Protocol):
    """Knows which places an action would be about."""

    def areas(self, state: Any, action: Any) -> Sequence[Area]:
        """Those places, and the counters that are struck there; nothing for an action that is about no area."""
        ...


@runtime_checkable
class ShowsOutlines(Protocol):
    """Knows shapes on a table that belong to a counter: fields of fire, how far it can drive, what it sees."""

    @property
    def outline_titles(self) -> Mapping[str, str]:
        """What may be asked for, by key, with a title for people."""
        ...

    def outlines(self, state: Any, seat: Seat | None, unit: str, what: str) -> Sequence[Zone]:
        """The shapes of one of them for a counter, for all that the seat knows; none where it has no such."""
        ...


@runtime_checkable
class KnowsPlainDeeds(Protocol):
    """Knows actions that are plain from their words: dice that fall later are the matter of something else."""

    def is_plain(self, action: Any) -> bool:
        """Whether nothing need be worked out before the action is confirmed."""
        ...


@runtime_checkable
class ShowsSheets(Protocol):
    """Has fights that are worked out on a sheet, whose odds it knows without following every way of the dice."""

    def sheet(self, state: Any, seat: Seat, action: Any) -> Sheet | None:
        """The sheet of what an action would begin or change, with plain answers to all that is still asked; or none."""
        ...


@runtime_checkable
class Supposes(Protocol):
    """Knows what the odds of an action leave out: what another side may still decide, or what is not known."""

    def suppositions(self, state: Any, seat: Seat, action: Any) -> Sequence[Supposition]:
        """All of it, each with the position in which the odds can be worked out again, where they can."""
        ...


@runtime_checkable
class WarnsOfThreats(Protocol):
    """Knows what can hit a place."""

    def threats(self, state: Any, seat: Seat | None, hex: str) -> Iterable[Danger]:
        """What could hit a counter of the seat there."""
        ...


@runtime_checkable
class ConcealsScenario(Protocol):
    """Has scenarios in which something is not for everybody, such as how the author would set a side up in secret."""

    def conceal_scenario(self, draft: Mapping[str, Any], seat: Seat | None) -> dict[str, Any]:
        """The scenario draft as ``seat`` (or a watcher) may read it while a game of it runs."""
        ...


@runtime_checkable
class TellsWhoHides(Protocol):
    """Knows when a side can have secrets at all; of a system that does not say, every side always can."""

    def may_hide(self, state: Any, holder: Seat) -> bool:
        """Whether ``holder`` may know or do something now that is not for whoever knows ``state``.

        It is asked of a concealed state, so the answer tells nobody whether there is a secret, only that there may be.
        """
        ...


@runtime_checkable
class Remembers(Protocol):
    """Keeps states that it was asked about, so that whoever may not know them is given rules of his own."""

    def for_seat(self, seat: Seat) -> Any:
        """The same rules, which are asked about nothing but what a seat may know."""
        ...


@runtime_checkable
class HasHiddenVariants(Protocol):
    """Knows what else might be, for all that a seat knows: conformance and fair play compare what the seat is shown."""

    def hidden_variants(self, state: Any, seat: Seat | None) -> Iterable[Any]:
        """States that ``seat`` (or a watcher) cannot tell from this one: the hidden facts dealt out in other ways."""
        ...


@runtime_checkable
class Foresees(Protocol):
    """Has something that is dark until an action is declared, so that odds take it for granted until then."""

    def foresight(self, action: Any) -> Ruleset[Any, Any, Any]:
        """The rules by which a person may foresee an action before it is declared; its own where all is plain."""
        ...


@runtime_checkable
class NamesSides(Protocol):
    """A system that knows how a scenario calls and colours its sides, before it is bound to one."""

    def sides(self, draft: Mapping[str, Any]) -> Sequence[SideHead]:
        """The sides of a scenario or situation in the order of their seats; none for a draft that is wrong."""
        ...


class StepPrice(NamedTuple):
    """What one step of a move costs."""

    cost: float
    """As players count it."""
    text: str
    """Where it comes from."""


@runtime_checkable
class PricesSteps(Protocol):
    """Knows what each step of a move costs."""

    def step_price(self, event: Any) -> StepPrice | None:
        """What an event costs whoever moves; None for one that is no step."""
        ...


@runtime_checkable
class ExplainsSight(Protocol):
    """What a system's ``sight`` gives, where it has a long answer for one pair beside the short one for many."""

    def explain(self, a: str, b: str) -> dict[str, Any]:
        """The short answer, with everything that the line meets."""
        ...


@runtime_checkable
class SeesMany(Protocol):
    """What a system's ``sight`` gives, where many pairs together are quicker than one by one."""

    def many(self, pairs: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
        """The short answer for each pair."""
        ...


@runtime_checkable
class HasCards(Protocol):
    """Has a card for each of its counters, for those who look one up."""

    @property
    def cards(self) -> Mapping[str, Any]:
        """All cards by id; each says its ``status`` and which of its values are the book's own."""
        ...

    def card_of(self, state: Any) -> Mapping[str, str]:
        """Card id by counter id, of all counters that a concealed state has."""
        ...


@runtime_checkable
class ExplainsPicks(Protocol):
    """Says why something on the map is no answer, better than the options can."""

    def why_not(self, state: Any, seat: Seat, keys: tuple[str, ...], ref: str, *, is_hex: bool) -> Refusal | None:
        """Why ``ref``, a hex or a unit, cannot be picked below ``keys``; None if it has nothing to say."""
        ...


@runtime_checkable
class ForbidsSight(Protocol):
    """Keeps players from looking along lines of sight while the game is on, where its book does."""

    def refuse_sight(self) -> Refusal | None:
        """Why nobody may; None if one may."""
        ...
