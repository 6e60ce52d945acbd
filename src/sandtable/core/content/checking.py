"""Checking everything in a library of packs, for authors: all faults at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.core.content.glossary import read_glossary
from sandtable.core.content.pack import Library
from sandtable.core.content.provision import provided, read_provisions
from sandtable.core.content.rule import read_rule_index
from sandtable.core.content.scenario import read_draft
from sandtable.core.errors import Faults

__all__ = ["check_library"]


def check_library(
    library: Library, bind: Callable[[Mapping[str, Any], Library, str], object], *readers: Callable[[], object]
) -> None:
    """Read the tables, the rule index, the glossary and what ``readers`` read; if all is well, bind every scenario.

    Each is bound as it is and with each of its balance provisions.
    """
    faults = Faults()
    shared = (library.tables, lambda: read_rule_index(*library.file("rules.yaml")), lambda: read_glossary(library))
    for read in (*shared, *readers):
        with faults.gathering():
            read()
    if not faults:
        for _, data, where in library.section("scenarios"):
            with faults.gathering():
                draft = read_draft(data, where)
                for one in ((), *((provision.id,) for provision in read_provisions(draft, where))):
                    bind(provided(draft, one, where), library, where)
    faults.check()
