"""What a word of the game means, asked at a prompt: an abbreviation or the number of a rule."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core.content.glossary import find_term, read_glossary
from sandtable.core.content.pack import Library
from sandtable.core.content.rule import read_rule_index
from sandtable.core.errors import BadInput, Fault

__all__ = ["Words"]


class Words:
    """The glossary and the rule index of a game's packs."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def explain(self, words: Sequence[str]) -> list[str]:
        """What somebody may want to know of a word; raise :class:`BadInput` if nothing is known of it."""
        wanted = " ".join(words)
        if wanted[:1].isdigit():
            return self._rule(wanted)
        found = find_term(read_glossary(self._library), wanted)
        if not found:
            raise BadInput([Fault("", f"no term {wanted!r}", "one that `sandtable glossary` lists")])
        return [f"{one.term}: {one.meaning}{f' ({one.rule})' if one.rule else ''}" for one in found]

    def _rule(self, number: str) -> list[str]:
        for entry in read_rule_index(*self._library.file("rules.yaml")).rules:
            if entry.number == number:
                return [f"{entry.number} {entry.title}", entry.summary or entry.not_applicable or "not played here"]
        raise BadInput([Fault("", f"no rule {number!r}", "a number as the game cites it")])
