"""The reader of all YAML: whatever no honest file has is refused at its line, before it costs anything."""

import pickle
import subprocess
import sys
import textwrap

import pytest

from sandtable.core.content.yaml_text import MOST_BYTES, MOST_DEPTH, MOST_NODES, dump_yaml, parse_yaml
from sandtable.core.errors import BadInput, Fault, Refusal, Refused, RulesBug

HOSTILE: dict[str, str | bytes] = {
    "brackets": "[" * 40_000,
    "braces": "{a: " * 40_000,
    "dashes": "- " * 40_000,
    "questions": "? " * 40_000,
    "stairs": "\n".join(" " * step + "a:" for step in range(2_000)),
    "just too deep": "[" * (MOST_DEPTH + 1) + "]" * (MOST_DEPTH + 1),
    "too many": "[" + "[]," * MOST_NODES + "]",
    "too large": "a" * (MOST_BYTES + 1),
    "laughs": "a: &a [1, 1]\nb: &b [*a, *a]\nc: [*b, *b]",
    "itself": "&a [*a]",
    "merge": "{<<: {a: 1}}",
    "tag": "a: !!python/object/apply:os.system [ls]",
    "twice": "{a: 1, a: 2}",
    "digits": "a: " + "9" * 100_000,
    "beyond 64 bits": "a: 9223372036854775808",
    "endless": "a: .inf",
    "no number": "a: .nan",
    "NUL": "a: \0",
    "NUL by escape": 'a: "\\0"',
    "a word to the terminal": 'a: "\\e[2J"',
    "one of eight bits": 'a: "\\x9b2J"',
    "a bell as a key": '{"\\a": 1}',
    "half a character": "a: \ud800",
    "half a character by escape": 'a: "\\ud800"',
    "a list as a key": "? [a, b]\n: c",
    "two documents": "--- 1\n--- 2",
    "latin": b"a: \xe4",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_yaml_is_a_fault(name: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_yaml(HOSTILE[name], "file.yaml")
    (fault,) = caught.value.faults
    assert fault.where.startswith("file.yaml")
    assert len(str(fault)) < 300


def test_nesting_is_counted_before_anything_is_composed() -> None:
    """In a process of its own, for what came before ended the process; and it has a small stack and little memory."""
    program = """
        import resource
        resource.setrlimit(resource.RLIMIT_DATA, (2**28, 2**28))
        from sandtable.core.errors import BadInput
        from sandtable.core.content.yaml_text import parse_yaml
        for text in ("{a: " * 40_000, "[" * 1_000_000, "- " * 1_000_000, "[" + "[]," * 1_000_000 + "]"):
            try:
                parse_yaml(text, "file")
            except BadInput as bad:
                print(len(bad.faults))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout.split()) == (0, ["1"] * 4), done.stderr


def test_plain_values_are_what_yaml_says() -> None:
    text = "{a: 1, b: -2.5, c: yes, d: ~, e: word, f: '1', g: 0x10, h: [], i: {}, 3: x, j: 1942-05-27}"
    assert parse_yaml(text, "file") == {
        "a": 1, "b": -2.5, "c": True, "d": None, "e": "word", "f": "1", "g": 16, "h": [], "i": {}, 3: "x",
        "j": "1942-05-27",
    }  # fmt: skip


def test_tabs_ends_of_lines_and_all_letters_are_text() -> None:
    assert parse_yaml('["a\\tb\\nc", "Mühlau \u2013 東京"]', "file") == ["a\tb\nc", "Mühlau \u2013 東京"]


def test_an_empty_file_is_nothing_and_a_text_is_a_text() -> None:
    assert parse_yaml("", "file") is None
    assert parse_yaml(b"\xef\xbb\xbfword", "file") == "word"


def test_a_fault_names_its_line() -> None:
    with pytest.raises(BadInput, match=r"file: line 3: the key 'a' occurs twice"):
        parse_yaml("a: 1\nb: 2\na: 3\n", "file")


def test_what_is_written_is_read() -> None:
    plain = {"b": [1, {"a": "ä: x"}], "a": None, "text": "one\ntwo\n"}
    assert parse_yaml(dump_yaml(plain), "file") == plain
    assert parse_yaml(dump_yaml(plain, flow=None), "file") == plain


@pytest.mark.parametrize(
    "error",
    [
        BadInput([Fault("file: a", "missing"), Fault("file: b", "seven", "a number")]),
        Refused(Refusal("4.1", "too far", "go nearer")),
        RulesBug("a contradiction", "the log"),
    ],
)
def test_an_error_crosses_processes_as_it_is(error: Exception) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


@pytest.mark.parametrize("text", ["a: [1, {b: 2}]", "x: 1.5\ny: [true, ~]", "- -9223372036854775808\n- 1e3", "''"])
def test_what_one_reader_changes_no_other_reads(text: str) -> None:
    first = parse_yaml(text, "a file")
    told = repr(first)
    if isinstance(first, dict):
        for value in first.values():
            if isinstance(value, list):
                value.append("mine")
        first["mine"] = 1
    elif isinstance(first, list):
        first.clear()
    assert repr(parse_yaml(text, "a file")) == told


def test_a_fault_is_told_with_the_file_that_has_it() -> None:
    for where in ("one.yaml", "two.yaml", "one.yaml"):
        with pytest.raises(BadInput, match=where):
            parse_yaml("a: [", where)
