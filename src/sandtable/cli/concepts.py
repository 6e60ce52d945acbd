"""``python -m sandtable.cli.concepts``: writes the list of public types in ``docs/concepts.md`` anew.

What a rulebook calls its things is in ``docs/glossary.md``; here stand the types that systems, bots and servers are
built with, each with the first line of its own description.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["BEGINNING", "Concept", "concepts", "glossary"]

BEGINNING = "## Every public type\n"
LAYERS = ("core", "geo", "catalog", "bots", "session", "sim", "rl", "server", "testing", "cli")
"""From the ground up; what belongs to one rulebook is left to that book's words."""


class Concept(NamedTuple):
    """A public type."""

    name: str
    module: str
    meaning: str


def concepts(root: Path, layer: str, books: frozenset[str]) -> Iterator[Concept]:
    """The public types of a layer, module after module; ``books`` names folders of single rulebooks."""
    source = root / "src" / "sandtable"
    single = source / f"{layer}.py"
    for path in [single] if single.exists() else sorted((source / layer).rglob("*.py")):
        parts = path.relative_to(source).with_suffix("").parts
        if books.isdisjoint(parts):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    meaning = (ast.get_docstring(node) or "").partition("\n")[0]
                    yield Concept(node.name, ".".join(part for part in parts if part != "__init__"), meaning)


def glossary(root: Path) -> str:
    """The whole page: what stands there by hand, then the types of each layer."""
    page = root / "docs" / "concepts.md"
    books = frozenset(path.name for path in (root / "src" / "sandtable" / "systems").iterdir() if path.is_dir())
    by_hand, _, _ = page.read_text(encoding="utf-8").partition(BEGINNING)
    lines = [BEGINNING, "Written by `python -m sandtable.cli.concepts` from the descriptions in the code."]
    for layer in LAYERS:
        lines += ["", f"### {layer}", ""]
        lines += [f"- `{one.name}` ({one.module}): {one.meaning}" for one in concepts(root, layer, books)]
    return by_hand + "\n".join(lines) + "\n"


if __name__ == "__main__":
    checkout = Path.cwd()
    if not (checkout / "docs" / "concepts.md").is_file():
        sys.exit("run this at the root of a checkout")
    text = glossary(checkout)
    (checkout / "docs" / "concepts.md").write_text(text, encoding="utf-8")
