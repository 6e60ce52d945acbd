"""What there is to play: systems with their packs, scenarios, and how a name or a file becomes a game.

Systems are those of this package and those that other distributions declare as entry points of ``sandtable.systems``.
A system's code is imported when it is first needed, so that listing scenarios costs no more than reading
their files. The user's packs follow the system's own and override it by name: first those of his data
folder, then those given with the command, in their order.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sandtable import packs
from sandtable.core.capabilities import NamesSides
from sandtable.core.codec import to_plain
from sandtable.core.content.pack import Library, Pack
from sandtable.core.content.provision import provided, read_provisions
from sandtable.core.content.rule import RuleCoverage, claims, coverage, read_rule_index
from sandtable.core.content.scenario import ScenarioHead, SideHead, read_draft, read_head
from sandtable.core.errors import BadInput, Fault, Faults
from sandtable.core.lesson import Lecture, Lesson, open_lecture, read_lesson
from sandtable.core.log import FORMAT, Header, LoadedLog, load, read_header
from sandtable.core.ruleset import Position, Ruleset, System, SystemCard
from sandtable.core.situation import SituationHead, read_situation_head
from sandtable.packs.installed import declared
from sandtable.systems import SHIPPED

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "OpenLog",
    "OpenScenario",
    "OpenSituation",
    "Registration",
    "lessons",
    "library",
    "open_game",
    "open_lesson",
    "open_log",
    "open_scenario",
    "open_situation",
    "read_text",
    "register",
    "rule_coverage",
    "rules_of",
    "scenarios",
    "sides",
    "situation_header",
    "switches",
    "system",
    "system_ids",
    "unknown",
]

AnyRuleset = Ruleset[Any, Any, Any]


class Registration(NamedTuple):
    """How a system is found."""

    id: str
    load: Callable[[], System]
    pack: Callable[[], Pack]
    """The pack that goes with it."""


class OpenScenario(NamedTuple):
    """A scenario ready to be played."""

    ruleset: AnyRuleset
    header: Header


class OpenLog(NamedTuple):
    """A log with the rules to replay it."""

    ruleset: AnyRuleset
    log: LoadedLog[Any, Any]
    warnings: list[str]


class OpenSituation(NamedTuple):
    """A situation file set up."""

    system: System
    position: Position
    head: SituationHead


def _shipped(system_id: str) -> Registration:
    return Registration(system_id, lambda: _system_at(SHIPPED[system_id]), lambda: packs.shipped(system_id))


def _system_at(where: str) -> System:
    found: System = pkgutil.resolve_name(where)
    return found


def _brought(entry: EntryPoint) -> Registration:
    """A system of another distribution, with the pack of the same name."""

    def load_system() -> System:
        place = f"system {entry.name}"
        try:
            found: System = entry.load()
            found_id = found.card.id
        except Exception as error:
            raise BadInput([Fault(place, f"cannot be loaded from {entry.value}: {error!r}")]) from error
        if found_id != entry.name:
            raise BadInput([Fault(place, f"its card says {found_id!r}", "one id in the card and in the entry point")])
        return found

    return Registration(entry.name, load_system, lambda: packs.installed(entry.name))


_registered: dict[str, Registration] = {key: _shipped(key) for key in SHIPPED}


def _systems() -> dict[str, Registration]:
    """All of them; what is ours keeps its name, whatever else is installed."""
    brought = {name: _brought(entry) for name, entry in declared("systems").items()}
    return {**_registered, **{name: one for name, one in brought.items() if name not in _registered}}


def register(registration: Registration) -> None:
    """Add a system to this process alone, as tests do; a distribution declares its own by an entry point."""
    _registered[registration.id] = registration


def system_ids() -> tuple[str, ...]:
    """Ids of all systems, the default one first."""
    return tuple(_systems())


def system(system_id: str, where: str = "system") -> System:
    """The system ``system_id``; raise :class:`BadInput` with near names if there is none."""
    return _registration(system_id, where).load()


def library(system_id: str, extra: Sequence[Pack] = (), where: str = "system") -> Library:
    """The packs of a system: its own, what else is shipped for it, other distributions', the user's, ``extra``."""
    own = _registration(system_id, where).pack()
    known = system_ids()
    chosen = [own]
    faults = Faults()
    others = (packs.shipped(pack_id) for pack_id in packs.shipped_ids() if pack_id not in known)
    shipped = [pack for pack in others if pack.manifest.edition == system_id]
    brought = [packs.installed(pack_id) for pack_id in packs.installed_ids() if pack_id not in known]
    for pack in [*shipped, *brought, *packs.users_own(), *extra]:
        manifest = pack.manifest
        if manifest.edition not in known:
            faults.add(
                f"{pack.where}/manifest.yaml: edition",
                f"no system {manifest.edition!r}" + _near(manifest.edition, known),
                f"one of {', '.join(known)}",
            )
        elif manifest.edition == system_id:
            if manifest.extends and manifest.extends not in {before.manifest.id for before in chosen}:
                faults.add(f"{pack.where}/manifest.yaml: extends", f"no pack {manifest.extends!r} before this one")
            if any(before.manifest.id == manifest.id for before in chosen):
                faults.add(f"{pack.where}/manifest.yaml: id", f"another pack is called {manifest.id!r} too")
            chosen.append(pack)
    faults.check()
    return Library(chosen)


def scenarios(system_id: str | None = None, extra: Sequence[Pack] = ()) -> list[ScenarioHead]:
    """The heads of all scenarios, or of one system's, in the order of the systems and then of their files."""
    return [head for head, _, _ in _drafts(system_id, extra)]


def open_scenario(
    scenario_id: str,
    extra: Sequence[Pack] = (),
    options: Mapping[str, str] | None = None,
    seats: Mapping[str, str] | None = None,
) -> OpenScenario:
    """A scenario by its id, or by the path of a file that holds one; ``options`` turn its switches."""
    if scenario_id.endswith(".yaml"):
        draft = read_draft(read_text(Path(scenario_id)), scenario_id)
        return _bind(draft, scenario_id, extra, options, seats)
    known: list[str] = []
    for head, draft, where in _drafts(None, extra):
        if head.id == scenario_id:
            return _bind(draft, where, extra, options, seats)
        known.append(head.id)
    raise unknown("scenario", scenario_id, known)


def lessons(extra: Sequence[Pack] = ()) -> list[Lesson]:
    """The lessons of all systems, in their order."""
    return [read_lesson(data, where) for _, _, data, where in _lesson_files(extra)]


def open_lesson(lesson_id: str, extra: Sequence[Pack] = ()) -> Lecture:
    """A lesson by its id, ready to be played; raise :class:`BadInput` if there is none."""
    known = []
    for system_id, own, data, where in _lesson_files(extra):
        lesson = read_lesson(data, where)
        if lesson.id == lesson_id:
            return open_lecture(system(system_id), own, data, where)
        known.append(lesson.id)
    raise unknown("lesson", lesson_id, known)


def _lesson_files(extra: Sequence[Pack]) -> Iterator[tuple[str, Library, bytes, str]]:
    """System, packs, content and place of every lesson; of two with one name the later pack's."""
    for system_id in system_ids():
        found = {
            name: (own, data, where)
            for pack, own in library(system_id, extra).growing()
            for name, data, where in pack.section("lessons")
        }
        for own, data, where in found.values():
            yield system_id, own, data, where


def open_log(text: str, where: str, extra: Sequence[Pack] = ()) -> OpenLog:
    """A log's rules and entries; what may make it replay differently is said in the warnings."""
    header = read_header(text, where)
    place = f"{where}: line 1: system"
    found = system(header.system, place)
    books = library(header.system, extra, place)
    ruleset = rules_of(found, header.scenario, books, f"{where}: line 1: scenario")
    log = load(text, ruleset, where)
    warnings = [log.warning] if log.warning else []
    if header.version != found.card.version:
        warnings.append(
            f"{where}: played with version {header.version} of {header.system}; this is {found.card.version}"
        )
    digests = books.digests
    for pack_id, digest in header.packs.items():
        if pack_id not in digests:
            warnings.append(f"{where}: played with the pack {pack_id!r}, which is not here")
        elif digests[pack_id] != digest:
            warnings.append(f"{where}: the pack {pack_id!r} has changed since ({digests[pack_id]}, was {digest})")
    warnings += [f"{where}: played without the pack {pack_id!r}" for pack_id in digests.keys() - header.packs.keys()]
    return OpenLog(ruleset, log, warnings)


def open_situation(text: str | bytes, where: str, extra: Sequence[Pack] = ()) -> OpenSituation:
    """A situation file's system, position and steps."""
    draft = read_draft(text, where)
    head = read_situation_head(draft, where)
    place = f"{where}: system"
    found = system(head.system, place)
    position = found.position(draft, library(head.system, extra, place), where)
    return OpenSituation(found, position, head)


def rules_of(system: System, draft: Mapping[str, Any], books: Library, where: str) -> AnyRuleset:
    """The rules of a scenario, or of the situation that a game was played on from."""
    situation = draft.get("situation")
    if isinstance(situation, Mapping):
        return system.position(situation, books, where).ruleset
    return system.ruleset(draft, books, where)


def sides(system: System, draft: Mapping[str, Any]) -> Sequence[SideHead]:
    """How a scenario, or the situation that a game was played on from, calls its sides; none if it cannot be told."""
    situation = draft.get("situation")
    if not isinstance(system, NamesSides):
        return ()
    return system.sides(situation if isinstance(situation, Mapping) else draft)


def open_game(text: str, where: str, extra: Sequence[Pack] = ()) -> OpenScenario:
    """A situation file as the beginning of a game: its position, without its steps."""
    draft = read_draft(text, where)
    opened = open_situation(text, where, extra)
    return OpenScenario(opened.position.ruleset, situation_header(opened, draft, opened.position.state, extra))


def situation_header(opened: OpenSituation, draft: Mapping[str, Any], state: Any, extra: Sequence[Pack] = ()) -> Header:
    """The header of a game that starts from a state of a situation."""
    card = opened.system.card
    title = opened.head.title or "situation"
    return Header(
        format=FORMAT,
        system=card.id,
        version=card.version,
        packs=library(card.id, extra).digests,
        scenario={"title": title, "situation": {name: part for name, part in draft.items() if name != "steps"}},
        start=to_plain(state),
    )


def rule_coverage(system_id: str, extra: Sequence[Pack] = ()) -> list[RuleCoverage]:
    """Every numbered section of a system's book, how it stands in the code, and the tests that show it."""
    card = system(system_id).card
    index = read_rule_index(*library(system_id, extra).file("rules.yaml"))
    # Claims are made as modules are imported.
    package = import_module(card.package)
    for module in pkgutil.walk_packages(getattr(package, "__path__", ()), f"{card.package}."):
        import_module(module.name)
    return coverage(index, claims(card.package, card.id), packs.shipped_evidence(card.pack))


def read_text(path: Path) -> str:
    """A file's text; a file broken off inside a character keeps all whole lines before it."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInput([Fault(str(path), f"cannot be read: {error.strerror}", "a file")]) from None
    whole, newline, tail = data.rpartition(b"\n")
    try:
        return (whole + newline).decode() + tail.decode(errors="replace")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInput([Fault(f"{path}: line {line}", "not UTF-8 text", "a text file")]) from None


def unknown(what: str, name: str, known: Iterable[str], where: str = "") -> BadInput:
    """The error for a name that nothing has, with near ones or, failing these, all."""
    names = list(known)
    near = get_close_matches(name, names, n=3, cutoff=0.5)
    right = f"perhaps {' or '.join(near)}" if near else f"one of {', '.join(names) or 'none'}"
    return BadInput([Fault(where or what, f"no {what} {name!r}", right)])


def _near(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f", perhaps {near[0]!r}" if near else ""


def _registration(system_id: str, where: str) -> Registration:
    if system_id in _registered:
        return _registered[system_id]
    known = _systems()
    if system_id not in known:
        raise unknown("system", system_id, known, where)
    return known[system_id]


def _drafts(system_id: str | None, extra: Sequence[Pack]) -> Iterator[tuple[ScenarioHead, dict[str, Any], str]]:
    """Head, draft and place of each scenario; a later pack's replaces an earlier one's of the same id."""
    for key in (system_id,) if system_id is not None else system_ids():
        found: dict[str, tuple[ScenarioHead, dict[str, Any], str]] = {}
        faults = Faults()
        for _, data, where in library(key, extra).section("scenarios"):
            with faults.gathering():
                draft = read_draft(data, where)
                head = read_head(draft, where)
                found[head.id] = head, draft, where
        faults.check()
        yield from found.values()


def switches(card: SystemCard, draft: Mapping[str, Any], where: str) -> dict[str, str]:
    """What players may turn on or off for a game, and what it means: switches of the system, the scenario's balance."""
    return {**card.switches, **{one.id: f"Balance: {one.title}" for one in read_provisions(draft, where)}}


def _switched(card: SystemCard, draft: dict[str, Any], options: Mapping[str, str], where: str) -> dict[str, Any]:
    """A scenario as players have turned its switches; raise :class:`BadInput` with every fault."""
    faults = Faults()
    known = switches(card, draft, where)
    for name, value in options.items():
        if name not in known:
            faults.add(f"option {name}", f"{card.id} has no such switch for this scenario", ", ".join(known) or "none")
        elif value not in ("on", "off"):
            faults.add(f"option {name}", repr(value), "on or off")
    faults.check()
    draft = provided(draft, [name for name, value in options.items() if value == "on"], where)
    chosen = {name: value == "on" for name, value in options.items() if name in card.switches}
    return {**draft, "conditions": {**draft.get("conditions", {}), **chosen}} if chosen else draft


def _bind(
    draft: dict[str, Any],
    where: str,
    extra: Sequence[Pack],
    options: Mapping[str, str] | None,
    seats: Mapping[str, str] | None,
) -> OpenScenario:
    head = read_head(draft, where)
    place = f"{where}: system"
    found = system(head.system, place)
    books = library(head.system, extra, place)
    draft = _switched(found.card, draft, options or {}, where)
    ruleset = found.ruleset(draft, books, where)
    header = Header(
        format=FORMAT,
        system=head.system,
        version=found.card.version,
        packs=books.digests,
        scenario=draft,
        options=dict(options or {}),
        seats=dict(seats or {}),
    )
    return OpenScenario(ruleset, header)
