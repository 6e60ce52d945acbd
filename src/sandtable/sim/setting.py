"""What a batch of games is played with: a scenario, the packs and changes to them, and who sits where.

A :class:`Setting` is plain data and complete, so that any process or machine plays the same game from it and a number.
It names the version of the rules and the digests of its packs; a worker that has others refuses instead of playing
another game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from sandtable import __version__, catalog
from sandtable.bots import make_bot
from sandtable.core.codec import digest, encode
from sandtable.core.content.pack import Library, Pack
from sandtable.core.errors import BadInput, Fault
from sandtable.core.ruleset import Ruleset
from sandtable.sim.change import Change, changed, read_change

__all__ = ["Setting", "bound", "read_setting"]

AnyRuleset = Ruleset[Any, Any, Any]


class PackFiles(msgspec.Struct, frozen=True):
    """A pack as it travels to a worker."""

    where: str
    files: tuple[tuple[str, bytes], ...]


class Setting(msgspec.Struct, frozen=True):
    """A scenario with its packs, and the bots by seat."""

    scenario: str
    """Its id."""
    title: str
    system: str
    draft: str
    """The scenario itself, as JSON, with all changes made."""
    bots: tuple[tuple[str, str], ...]
    """Seat and bot."""
    version: str
    """Of Sandtable and of the system's behaviour."""
    digests: tuple[tuple[str, str], ...]
    """Digests of all packs, the extra ones among them."""
    packs: tuple[PackFiles, ...] = ()
    """Packs beyond the system's own: the user's, and those that hold changed cards."""
    changes: tuple[str, ...] = ()
    """What was changed, as it was written."""
    seconds: float | None = None
    """Time for one answer; None counts looks ahead instead, so that games can be repeated."""

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats in the order of the scenario."""
        return tuple(seat for seat, _ in self.bots)

    @property
    def fingerprint(self) -> str:
        """Two settings with the same fingerprint play the same games."""
        return digest(self)


def read_setting(
    scenario: str,
    bots: Sequence[str],
    extra: Sequence[Pack] = (),
    changes: Sequence[str] = (),
    seconds: float | None = None,
    *,
    options: Mapping[str, str] | None = None,
) -> Setting:
    """Put a setting together; raise :class:`BadInput` for anything in it that does not exist or does not fit.

    ``bots`` is one for every seat, in the order of the seats, or one for all; ``options`` turn switches of the
    scenario, such as its balance provisions.
    """
    found = catalog.open_scenario(scenario, extra, options)
    header = found.header
    read = [read_change(text) for text in changes]
    draft, packs = _with_changes(header.system, header.scenario, extra, read)
    library = catalog.library(header.system, packs)
    ruleset = catalog.system(header.system).ruleset(draft, library, scenario) if read else found.ruleset
    seats = ruleset.seats
    names = list(bots) * len(seats) if len(bots) == 1 else list(bots)
    if len(names) != len(seats):
        raise BadInput([Fault("--bots", f"{len(names)} bots", f"one, or one for each of {', '.join(seats)}")])
    for name in names:
        make_bot(name, seconds, "--bots")
    return Setting(
        scenario=str(draft["id"]),
        title=str(draft["title"]),
        system=header.system,
        draft=encode(draft).decode(),
        bots=tuple((str(seat), name) for seat, name in zip(seats, names, strict=True)),
        version=_version(ruleset),
        digests=tuple(library.digests.items()),
        packs=tuple(PackFiles(pack.where, tuple(pack.files.items())) for pack in library.packs[1:]),
        changes=tuple(changes),
        seconds=seconds,
    )


def _with_changes(
    system: str, draft: dict[str, Any], extra: Sequence[Pack], changes: Sequence[Change]
) -> tuple[dict[str, Any], list[Pack]]:
    packs = list(extra)
    for change in changes:
        library = catalog.library(system, packs)
        draft, pack = changed(change, draft, library)
        if pack is not None:
            # One pack holds all changes; a later change starts from what the earlier ones left.
            packs = [other for other in packs if other.manifest.id != pack.manifest.id] + [pack]
    return draft, packs


def _version(ruleset: AnyRuleset) -> str:
    return f"Sandtable {__version__} with {ruleset.card.id} {ruleset.card.version}"


@lru_cache(maxsize=8)
def bound(setting: Setting) -> AnyRuleset:
    """The ruleset of a setting, made once in a process; raise :class:`BadInput` if rules or packs here are others."""
    packs = [Pack(dict(pack.files), pack.where) for pack in setting.packs]
    library = _library(setting, packs)
    if library.digests != dict(setting.digests):
        here = ", ".join(f"{name} {value}" for name, value in library.digests.items())
        there = ", ".join(f"{name} {value}" for name, value in setting.digests)
        raise BadInput([Fault("packs", f"this worker has {here}", f"{there}: the same version of Sandtable")])
    draft = msgspec.json.decode(setting.draft)
    ruleset = catalog.system(setting.system).ruleset(draft, library, setting.scenario)
    if _version(ruleset) != setting.version:
        raise BadInput([Fault("version", f"this worker has {_version(ruleset)}", setting.version)])
    return ruleset


def _library(setting: Setting, packs: Sequence[Pack]) -> Library:
    # The user's own packs travel with the setting; those that a worker has of its own must not mix in.
    own = catalog.library(setting.system).packs[0]
    return Library([own, *packs])
