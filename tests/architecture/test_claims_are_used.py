"""Code that claims a rule is used: a claim by dead code would say that something is enforced which is not."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "sandtable"


def _claims(tree: ast.Module) -> list[str]:
    """Names of the functions and classes that carry ``@rule``."""
    return [
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and any(isinstance(one, ast.Call) and ast.unparse(one.func) == "rule" for one in node.decorator_list)
    ]


def test_every_function_that_claims_a_rule_is_used() -> None:
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(SOURCE.rglob("*.py"))}
    used: Counter[str] = Counter()
    for tree in trees.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                used[node.id] += 1
            elif isinstance(node, ast.Attribute):
                used[node.attr] += 1
    dead = [
        f"{path.relative_to(SOURCE)}: {name}"
        for path, tree in trees.items()
        for name in _claims(tree)
        if not used[name]
    ]
    assert dead == []
