"""Nothing above the systems names one: what a caller needs of a system is in a protocol, and systems are discovered."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandtable import catalog
from sandtable.systems import SHIPPED
from tests.architecture.checkout import PACKAGE, ROOT

ABOVE = ("bots", "catalog.py", "cli", "rl", "server", "session", "sim", "testing")
BELOW = ("core", "geo", "packs")
ROOMS = (
    "bots/aslsk/",
    "bots/goss/",
    "bots/panzer/",
    "bots/panzer/mini/",
    "cli/bench/aslsk/",
    "cli/bench/goss/",
    "cli/bench/panzer/",
)
"""What bots think about a system, and what is measured of it alone; its card says where."""
SYSTEM_PACKAGE = re.compile(r"sandtable\.systems\.\w")
HOOKS = re.compile(
    r"\b(?:getattr|hasattr)\((?:self\.)?_?(?:game\.)?(?:ruleset|rules|system|doctrine|look|policy|bot)\b"
)
WORDS = re.compile(
    r"(?<![\w-])(?:aslsk\w*|panzer-na|mbt|MMC|SMC|Prep Fire|Overwatch|free_sight|ELR|elr|TEM|Melee|Halves of)(?![\w-])"
)
"""Words that only make sense in one system."""
NATIONS = ("german", "british", "american", "soviet", "russian", "italian", "commonwealth", "wehrmacht", "nato")
SCENARIOS = tuple(head.id for head in catalog.scenarios())
BROUGHT = re.compile(rf"\b(?:{'|'.join(NATIONS)})s?\b|{'|'.join(SCENARIOS)}", re.IGNORECASE)
"""Words that a system or its pack brings as data."""


def modules(*folders: str) -> Iterator[tuple[str, ast.Module]]:
    for folder in folders:
        place = PACKAGE / folder
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            name = path.relative_to(PACKAGE).as_posix()
            if not name.startswith(ROOMS):
                yield name, ast.parse(path.read_text(encoding="utf-8"))


def named(tree: ast.Module) -> Iterator[str]:
    """What a module imports of systems, and its texts that are a name of one of theirs; words inside prose are none."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names):
                yield from (one.name for one in names if SYSTEM_PACKAGE.match(one.name))
            case ast.ImportFrom(module=str(module)) if SYSTEM_PACKAGE.match(module):
                yield module
            case ast.ImportFrom(module="sandtable.systems", names=names):
                yield from (f"sandtable.systems.{one.name}" for one in names if one.name != "SHIPPED")
            case ast.Constant(value=str(text)) if text in SHIPPED or SYSTEM_PACKAGE.match(text):
                yield text
            case ast.Constant(value=str(text)) if BROUGHT.fullmatch(text):
                yield text


def test_no_module_but_the_rooms_that_cards_tell_of_names_a_system() -> None:
    found = {name: sorted(set(named(tree))) for name, tree in modules(*ABOVE, *BELOW)}
    assert {name: what for name, what in found.items() if what} == {}


def test_every_room_is_told_of_by_a_card() -> None:
    cards = [catalog.system(one).card for one in SHIPPED]
    told = {where.partition(":")[0] for card in cards for where in (card.doctrine, card.bench) if where}
    assert told == {f"sandtable.{room.rstrip('/').replace('/', '.')}" for room in ROOMS}


def test_only_the_catalog_asks_what_is_shipped() -> None:
    asks = [
        name
        for name, tree in modules(*ABOVE)
        if any(isinstance(node, ast.Name) and node.id == "SHIPPED" for node in ast.walk(tree))
    ]
    assert asks == ["catalog.py"]


@pytest.mark.parametrize(
    "text",
    [
        "from sandtable.systems.aslsk.rules import AslskRules",
        "import sandtable.systems.panzer.hex.system",
        "from sandtable.systems import panzer",
        "SYSTEM = 'mbt'",
        "SCENARIO = 'na-a-patrol-at-tamrad'",
        "SIDES = ('german', 'british')",
        "load('sandtable.systems.aslsk.system')",
    ],
)
def test_the_search_finds_names(text: str) -> None:
    assert list(named(ast.parse(text)))


def test_no_hook_is_looked_for_by_the_name_of_a_method() -> None:
    """A protocol of ``core`` or ``geo`` says what a system may offer."""
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for folder in ABOVE
        for path in (sorted((PACKAGE / folder).rglob("*.py")) if (PACKAGE / folder).is_dir() else [PACKAGE / folder])
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if HOOKS.search(line)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text", ['getattr(ruleset, "cards")', 'hasattr(self._ruleset, "x")', 'getattr(doctrine, "at")']
)
def test_the_search_finds_hooks(text: str) -> None:
    assert HOOKS.search(text)


def sources() -> Iterator[Path]:
    """What is read by people of every system: the client, and what tells it everything."""
    for path in sorted((ROOT / "web" / "src").rglob("*")):
        if path.suffix in (".ts", ".svelte") and not path.name.endswith((".test.ts", ".gen.ts")):
            yield path
    yield from sorted((PACKAGE / "session" / "presenting").rglob("*.py"))


def test_the_client_and_what_tells_it_have_no_system_s_words() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {match.group()}"
        for path in sources()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if (match := WORDS.search(line) or BROUGHT.search(line))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("text", ["[/german|gray/, 'grey']", "start('sk-2-the-second-wave')", "Soviets"])
def test_the_search_finds_what_packs_bring(text: str) -> None:
    assert BROUGHT.search(text)
