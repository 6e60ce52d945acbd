"""What is never committed: what play leaves behind, a registry's address, a path of a build machine, too many lines."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.architecture.checkout import ROOT, project_files

# Written with classes such as [.], so that this file does not hold what it looks for.
ADDRESSES = (
    r"pypi[.]org",
    r"pythonhosted[.]org",
    r"registry[.](?:npmjs|yarnpkg)[.]",
    r"--(?:extra-)?(?:default-)?index(?:-url)?[= ]\w+:/",
    r"--find-links[= ]\S*/",
    r"file:/{2,}\w",
    r"(?<![\w.~)}\]-])/(?:root|home|Users|work|opt|builds|workspace)/\w",
    r"[A-Z]:\\+Users\\",
)
ADDRESS = re.compile("|".join(ADDRESSES))
LOCK_LINE = re.compile(
    r"""[a-z0-9-]+==[0-9][\w.]*(?:[ ];[ ][\w.'"<>=!, ]+)?[ ]\\   # a version, perhaps for some platforms only
    |\ {4}--hash=sha256:[0-9a-f]{64}(?:[ ]\\)?                  # one of its hashes
    |\ {4}\#[ ](?:via|\ \ ).*                                   # who asked for it
    """,
    re.VERBOSE,
)
SOURCES = {".py", ".ts", ".svelte", ".js", ".css"}
LONGEST = 600


def text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="replace")


def git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        pytest.skip("not a git checkout")
    return done.stdout.splitlines()


def test_nothing_that_is_ignored_is_committed() -> None:
    assert git("ls-files", "--cached", "--ignored", "--exclude-standard") == []


def test_what_play_leaves_behind_is_ignored() -> None:
    left = [f"sandtable.db{end}" for end in ("", "-shm", "-wal", ".lock")] + ["a-game.sandtable.jsonl"]
    assert git("check-ignore", *left) == left


def test_no_file_names_a_registry_or_a_build_machine() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {match.group()}"
        for path in project_files()
        for number, line in enumerate(text_of(path).splitlines(), start=1)
        if (match := ADDRESS.search(line))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "parts",
    [
        ("https://", "pypi", ".org/simple"),
        ("--index-url ", "https", "://mirror.example/simple"),
        ("file:", "//", "/srv/wheels"),
        ('"', "/home", "/ann/sandtable"),
        ("see ", "/work", "/main"),
    ],
)
def test_the_search_finds_addresses(parts: tuple[str, ...]) -> None:
    assert ADDRESS.search("".join(parts))


@pytest.mark.parametrize("text", ["#!/usr/bin/env bash", "docs/work/notes.md", "https://example.org/home/x"])
def test_the_search_lets_harmless_text_pass(text: str) -> None:
    assert not ADDRESS.search(text)


@pytest.mark.parametrize("name", ["uv.txt", "dev.txt", "lowest.txt"])
def test_locks_hold_versions_and_hashes_only(name: str) -> None:
    lines = text_of(ROOT / "requirements" / name).splitlines()
    strange = [line for line in lines if not LOCK_LINE.fullmatch(line)]
    assert lines
    assert not strange, "\n".join(strange)


def test_no_source_file_is_over_600_lines() -> None:
    lengths = {
        path.relative_to(ROOT): len(text_of(path).splitlines())
        for path in project_files()
        if path.suffix in SOURCES and not path.name.endswith(".gen.ts")
    }
    long = [f"{path}: {lines} lines" for path, lines in lengths.items() if lines > LONGEST]
    assert not long, "\n".join(long)
