"""A whole run of the lab: the plain scenario, the changes to compare with it, and the tweaks to choose from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path

import msgspec

from sandtable import catalog
from sandtable.core.content.pack import Pack
from sandtable.sim.balance import BAND, Balance, Judge, points_of, summarise
from sandtable.sim.batch import Team, one_by_one, play_batch
from sandtable.sim.change import read_change, size_of
from sandtable.sim.compare import Comparison, Suggestion, Trial, compare, suggest
from sandtable.sim.keeping import Keeper
from sandtable.sim.match import Record
from sandtable.sim.setting import Setting, read_setting

__all__ = ["Lab", "LabResult", "Order"]


class Order(msgspec.Struct, frozen=True):
    """What the lab is asked: a scenario, the bots that play it, and the changes to try."""

    scenario: str
    bots: tuple[str, ...]
    games: int
    seed: int
    changes: tuple[str, ...] = ()
    """One change, made of these, to compare with the scenario as it is."""
    tries: tuple[tuple[str, ...], ...] = ()
    """Tweaks of which the smallest that balances is looked for."""
    band: float = BAND
    stop_early: bool = True
    options: tuple[tuple[str, str], ...] = ()
    """Switches of the scenario that are turned in every game."""


class LabResult(msgspec.Struct, frozen=True):
    """What the lab found: how balanced the scenario is, what a change does, which one would balance it."""

    balance: Balance
    """Of the scenario as it is."""
    comparison: Comparison | None = None
    changed: Balance | None = None
    """Of the scenario with the change."""
    suggestion: Suggestion | None = None


class Lab:
    """Plays what an order needs. An order that cannot be played raises :class:`BadInput` when the lab is made."""

    def __init__(
        self,
        order: Order,
        extra: Sequence[Pack] = (),
        out: Path | None = None,
        tell: Callable[[str, int, int], None] | None = None,
    ) -> None:
        self._order = order
        self._team: Team = one_by_one
        self._tell = tell
        self.plain = self._setting((), extra)
        self._changed = self._setting(order.changes, extra) if order.changes else None
        self._tries = [self._setting(one, extra) for one in order.tries]
        self._sizes = [self._size(one, extra) for one in order.tries]
        self._out = out
        self._planned = max(20, min(order.games, 400))

    def _setting(self, changes: Sequence[str], extra: Sequence[Pack]) -> Setting:
        order = self._order
        return read_setting(order.scenario, order.bots, extra, changes, options=dict(order.options))

    def _size(self, changes: Sequence[str], extra: Sequence[Pack]) -> float:
        """How big a tweak is: its changes together, and a little for each of them."""
        found = catalog.open_scenario(self._order.scenario, extra, dict(self._order.options))
        library = catalog.library(found.header.system, extra)
        draft = found.header.scenario
        return sum(0.01 + size_of(read_change(text), draft, library) for text in changes)

    def run(self, team: Team = one_by_one) -> LabResult:
        """Play, and judge."""
        self._team = team
        order = self._order
        settings = [self.plain, *([self._changed] if self._changed else []), *self._tries]
        keeper = Keeper(self._out, settings, order.seed) if self._out is not None else None
        with keeper or nullcontext():
            # A comparison goes by pairs, so it needs as many games as it was told.
            early = order.stop_early and self._changed is None
            plain = self._play(self.plain, "as it is", keeper, early=early)
            balance = summarise(self.plain, order.seed, plain, order.band, self._planned)
            seat = self.plain.seats[0]
            comparison = changed = None
            if self._changed is not None:
                records = self._play(self._changed, "changed", keeper, early=False)
                changed = summarise(self._changed, order.seed, records, order.band, self._planned)
                comparison = compare(seat, order.changes, plain, records)
            suggestion = self._suggest(seat, plain, keeper) if self._tries else None
        return LabResult(balance, comparison, changed, suggestion)

    def _suggest(self, seat: str, plain: Sequence[Record], keeper: Keeper | None) -> Suggestion:
        trials = []
        for setting, size in zip(self._tries, self._sizes, strict=True):
            told = ", ".join(setting.changes)
            records = self._play(setting, told, keeper, early=False, games=len(plain))
            trials.append(Trial(compare(seat, setting.changes, plain, records), round(size, 4)))
        share = sum(points_of(record, seat) for record in plain) / max(1, len(plain))
        return suggest(share, trials, self._order.band)

    def _play(
        self, setting: Setting, what: str, keeper: Keeper | None, *, early: bool, games: int | None = None
    ) -> list[Record]:
        order = self._order

        def keep(record: Record) -> None:
            if keeper is not None:
                keeper.add(setting, record)

        def tell(done: int, total: int) -> None:
            if self._tell is not None:
                self._tell(what, done, total)

        return play_batch(
            setting,
            order.seed,
            games or order.games,
            self._team,
            known=keeper.known[setting.fingerprint] if keeper is not None else None,
            keep=keep,
            is_clear=Judge(setting.seats, order.band, self._planned) if early else None,
            tell=tell,
        )
