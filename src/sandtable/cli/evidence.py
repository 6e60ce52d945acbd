"""``python -m sandtable.cli.evidence``: notes which tests show which rules, in each pack's ``evidence.json``.

A test shows a rule by the marker ``rules("4.1.3", system="mbt")`` (without a system: in the books of the family
whose folder it stands in that share its numbers), by its name (``test_4_1_3_...``: in the books that its markers name,
if they name any), or as a situation file that lists it under ``rules``. Tests of bots show none. Run it in a checkout
after adding tests; a test compares the files with what it would write.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

__all__ = ["Shown", "evidence", "main", "shown_by_situations", "shown_by_tests"]

NAMED = re.compile(r"test_(\d+(?:_\d+[a-z]?)+)(?:_|$)")


class Shown(NamedTuple):
    """A test and a rule that it shows."""

    test: str
    numbers: tuple[str, ...]
    """From the most to the least detailed, where a name may mean several; the first that the book has counts."""
    system: str
    """The system, or ``""`` for all of its family."""


def evidence(root: Path, indexes: Mapping[str, frozenset[str]]) -> dict[str, dict[str, list[str]]]:
    """For each system the tests of each of its rules; ``indexes`` holds the numbers of each book."""
    found: dict[str, dict[str, set[str]]] = {system: {} for system in indexes}
    for shown in [*shown_by_tests(root), *shown_by_situations(root)]:
        for system, numbers in indexes.items():
            if shown.system == system or (not shown.system and _is_of_family(shown.test, system)):
                number = next((number for number in shown.numbers if number in numbers), None)
                if number is not None:
                    found[system].setdefault(number, set()).add(shown.test)
    return {
        system: {number: sorted(rules[number]) for number in sorted(rules, key=_by_number)}
        for system, rules in found.items()
    }


def _is_of_family(test: str, system: str) -> bool:
    """Whether a test that names no system stands in the folder of this one's family, and speaks of its numbers."""
    from sandtable import catalog
    from sandtable.core.content.rule import is_of_book

    package = catalog.system(system).card.package
    return test.split("/")[1] == package.rpartition(".")[2] and is_of_book(package, system)


def shown_by_tests(root: Path) -> Iterator[Shown]:
    """What markers and names of test functions show."""
    for path in sorted((root / "tests").rglob("test_*.py")):
        place = path.relative_to(root).as_posix()
        if place.startswith("tests/bots/"):
            # How a bot plays shows no rule.
            continue
        tree = _Constants().visit(ast.parse(path.read_text(encoding="utf-8"), str(path)))
        yield from _in_body(tree.body, place, _module_marks(tree.body))


def shown_by_situations(root: Path) -> Iterator[Shown]:
    """What the situation files of the rulebook tests show."""
    from sandtable.core.content.yaml_text import parse_yaml

    for path in sorted((root / "tests" / "rulebook").rglob("*.yaml")):
        place = path.relative_to(root).as_posix()
        draft = parse_yaml(path.read_bytes(), place)
        if isinstance(draft, dict):
            system = str(draft.get("system", ""))
            yield from (Shown(place, (str(number),), system) for number in draft.get("rules", ()))


class _Constants(ast.NodeTransformer):
    """Puts the words of a module's constants in place of their names, so that ``system=NA`` names a system."""

    def __init__(self) -> None:
        self._words: dict[str, ast.Constant] = {}

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        """A constant is known from its line on."""
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            self._words |= {target.id: node.value for target in node.targets if isinstance(target, ast.Name)}
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.keyword:
        """The keyword with the word itself."""
        if node.arg == "system" and isinstance(node.value, ast.Name):
            node.value = self._words.get(node.value.id, node.value)
        return node


Mark = tuple[tuple[str, ...], str]


def _in_body(body: list[ast.stmt], place: str, outer: list[Mark]) -> Iterator[Shown]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            marks = [*outer, *_marks(node.decorator_list)]
            yield from _in_body(node.body, f"{place}::{node.name}", marks)
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            test = f"{place}::{node.name}"
            marks = [*outer, *_marks(node.decorator_list)]
            for numbers, system in marks:
                yield from (Shown(test, (number,), system) for number in numbers)
            if match := NAMED.match(node.name):
                parts = match[1].split("_")
                numbers = tuple(".".join(parts[:length]) for length in range(len(parts), 1, -1))
                # A marker's system says which book the name is about too.
                yield from (Shown(test, numbers, system) for system in sorted({system for _, system in marks} or {""}))


def _module_marks(body: list[ast.stmt]) -> list[Mark]:
    for node in body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "pytestmark" for target in node.targets
        ):
            value = node.value
            return _marks(value.elts if isinstance(value, ast.List | ast.Tuple) else [value])
    return []


def _marks(decorators: list[ast.expr]) -> list[Mark]:
    """Numbers and system of every ``pytest.mark.rules(...)``, also under its short name ``rules(...)``."""
    return [
        (
            tuple(str(arg.value) for arg in call.args if isinstance(arg, ast.Constant)),
            next(
                (str(k.value.value) for k in call.keywords if k.arg == "system" and isinstance(k.value, ast.Constant)),
                "",
            ),
        )
        for call in decorators
        if isinstance(call, ast.Call) and ast.unparse(call.func) in {"pytest.mark.rules", "rules"}
    ]


def _by_number(number: str) -> list[tuple[int, str]]:
    return [(int(digits), letter) for digits, letter in re.findall(r"(\d+)([a-z]?)", number)]


def main(root: Path) -> dict[str, str]:
    """The text of each system's ``evidence.json``, by the path of the file."""
    import msgspec

    from sandtable import catalog, packs
    from sandtable.core.content.rule import read_rule_index

    known = catalog.system_ids()
    indexes = {
        pack_id: frozenset(
            entry.number
            for entry in read_rule_index(packs.shipped(pack_id).files["rules.yaml"], f"packs/{pack_id}").rules
        )
        for pack_id in packs.shipped_ids()
        if pack_id in known and "rules.yaml" in packs.shipped(pack_id).files
    }
    return {
        f"src/sandtable/packs/{pack_id}/evidence.json": msgspec.json.format(msgspec.json.encode(tests)).decode() + "\n"
        for pack_id, tests in evidence(root, indexes).items()
    }


if __name__ == "__main__":
    checkout = Path.cwd()
    if not (checkout / "src" / "sandtable" / "packs").is_dir():
        sys.exit("run this at the root of a checkout")
    for name, text in main(checkout).items():
        (checkout / name).write_text(text, encoding="utf-8")
        print(name)
