"""Every abbreviation that the page shows stands in the glossary of its system."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from sandtable import catalog
from sandtable.core.codec import to_plain
from sandtable.core.content.glossary import read_glossary
from sandtable.core.content.scenario import read_draft, read_head
from sandtable.core.decision import Node, Seat
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.session.game.play import Play
from sandtable.session.presenting.choice import tell_node

ABBREVIATION = re.compile(
    r"(?<![A-Za-z])(?:[A-Z]{2,}[a-z]?|[A-Z]+[a-z]+[A-Z][A-Za-z]*|[A-Z]/[A-Z0-9]|[A-Z]{1,3}#|dr|drm)(?![A-Za-z0-9])#?"
)
NO_WORDS = {"id", "ref", "key", "keys", "refs", "kind", "type", "seat", "card", "colour", "symbol", "hex", "hexes"}
"""Fields that the page does not read out, or that name places."""
ROMAN = re.compile(r"[IVX]+[A-Z]?")
STEPS = 100


def texts(plain: Any) -> Iterator[str]:
    if isinstance(plain, str):
        yield plain
    elif isinstance(plain, dict):
        for key, value in plain.items():
            if key not in NO_WORDS:
                yield from texts(value)
    elif isinstance(plain, list | tuple):
        for value in plain:
            yield from texts(value)


def below(node: Node[Any], rng: Random) -> Iterator[Any]:
    """What is told on some way down a tree of choices."""
    for _ in range(4):
        yield tell_node(node)
        ways = list(node.branches())
        if not ways:
            return
        node = rng.choice(ways).then


def shown(system_id: str) -> Iterator[Any]:
    """All that a page shows of some random games: questions, positions, the log, tables, briefings."""
    library = catalog.library(system_id)
    for table in library.tables().values():
        yield [table.title, [axis.values for axis in table.axes], table.cells, table.note]
    for number, (_, data, where) in enumerate(library.section("scenarios")):
        draft = read_draft(data, where)
        yield [draft.get("title"), draft.get("summary"), draft.get("briefing")]
        opened = catalog.open_scenario(read_head(draft, where).id)
        game = Game.start(opened.ruleset, opened.header, SeededDice(number))
        rng = Random(number)
        for step in range(STEPS):
            decision = game.decision
            if decision is None:
                break
            options = decision.options(decision.asked[0])
            if step % 10 == 0:
                yield decision.title
                yield from below(options.root, rng)
            game.play(Seat(decision.asked[0]), options.sample(rng))
        play = Play(game)
        for seq in range(0, play.v, 4):
            yield from play.told(seq, opened.ruleset.seats[0])


def names(system_id: str) -> set[str]:
    """Words of the names of vehicles and weapons, which are no abbreviations of the game."""
    found: set[str] = set()
    for _, data, where in catalog.library(system_id).section("cards"):
        for text in texts(read_draft(data, where)):
            found.update(re.findall(r"[A-Za-z]+", text))
    return found


@pytest.mark.parametrize("system_id", sorted(catalog.system_ids()))
def test_every_abbreviation_that_the_page_shows_is_explained(system_id: str) -> None:
    terms = read_glossary(catalog.library(system_id))
    known = " ".join(word for term in terms for word in (term.term, *term.written))
    words = set(re.split(r"[ /]", known)) | {term.term for term in terms} | {w for t in terms for w in t.written}
    missing: dict[str, str] = {}
    for thing in shown(system_id):
        for text in texts(to_plain(thing)):
            for word in ABBREVIATION.findall(text):
                if word not in words and not ROMAN.fullmatch(word):
                    missing.setdefault(word, text)
    own = names(system_id)
    assert {word: text for word, text in missing.items() if word not in own} == {}
