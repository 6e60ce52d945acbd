"""Reads a module's imports and calls, without importing it."""

import ast
import sys
from collections.abc import Iterator
from typing import NamedTuple

# Standard modules that reach files, clocks, chance, the network or other processes.
IMPURE = frozenset(
    {
        "asyncio",
        "concurrent",
        "datetime",
        "fcntl",
        "ftplib",
        "getpass",
        "glob",
        "http",
        "importlib.resources",
        "io",
        "linecache",
        "locale",
        "logging",
        "mmap",
        "multiprocessing",
        "os",
        "pathlib",
        "platform",
        "random",
        "sched",
        "secrets",
        "select",
        "selectors",
        "shelve",
        "shutil",
        "signal",
        "smtplib",
        "socket",
        "socketserver",
        "sqlite3",
        "ssl",
        "subprocess",
        "tempfile",
        "threading",
        "time",
        "urllib",
        "uuid",
        "zoneinfo",
    }
)
IMPURE_CALLS = frozenset({"breakpoint", "input", "open", "print"})


class Import(NamedTuple):
    """One imported module, where, and whether only the type checker sees it."""

    module: str
    line: int
    typing_only: bool


def imports(tree: ast.AST, typing_only: bool = False) -> Iterator[Import]:
    """Every absolute import below `tree`; `from a import b` counts as `a` and as `a.b`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and _is_type_checking(node.test):
            for child in node.body:
                yield from imports(ast.Module([child], []), typing_only=True)
            yield from imports(ast.Module(node.orelse, []), typing_only)
            continue
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, node.lineno, typing_only) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module is not None:
            yield Import(node.module, node.lineno, typing_only)
            yield from (Import(f"{node.module}.{alias.name}", node.lineno, typing_only) for alias in node.names)
        yield from imports(node, typing_only)


def impurities(source: str, allowed: frozenset[str] = frozenset()) -> list[str]:
    """What in `source` reaches outside the program, one line each; `random` may be named for its type."""
    tree = ast.parse(source)
    found = {
        f"line {line}: imports {bad}"
        for module, line, typing_only in imports(tree)
        for bad in IMPURE - allowed
        if (module == bad or module.startswith(f"{bad}.")) and not (typing_only and bad == "random")
    }
    found |= {
        f"line {node.lineno}: calls {node.func.id}()"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS
    }
    return sorted(found)


def third_party(source: str) -> set[str]:
    """The top-level names of the packages that `source` imports from outside us and the standard library."""
    tops = {module.partition(".")[0] for module, _, _ in imports(ast.parse(source))}
    return tops - sys.stdlib_module_names - {"sandtable"}


def _is_type_checking(test: ast.expr) -> bool:
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )
