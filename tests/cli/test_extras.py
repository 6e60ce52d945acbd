"""What is not installed is told in a sentence, with what to install."""

from pathlib import Path

import pytest

from sandtable.core.errors import BadInput
from sandtable.core.extras import needs_extra
from tests.architecture.dependencies import run_with

COMMAND = "from sandtable.cli.__main__ import main; main()"
SIM = ("sim", "na-a-patrol-at-tamrad", "--games", 2, "--bots", "random", "--jobs", 1)
POSTGRES = ("serve", "--port", 0, "--database", "postgresql://nobody@localhost/nowhere")


@pytest.mark.parametrize(
    ("there", "words", "missing"),
    [
        ((), ("version",), "cli"),
        (("research",), ("--help",), "cli"),
        (("cli",), ("serve",), "server"),
        (("server",), POSTGRES, "postgres"),
        (("cli",), (*SIM, "--html", "page"), "lab"),
        (("cli",), (*SIM, "--cluster", "tcp://localhost:1"), "lab"),
        (("cli",), ("arena", "na-a-patrol-at-tamrad", "--cluster", "tcp://localhost:1"), "lab"),
    ],
)
def test_a_missing_extra_is_named_in_a_sentence(
    there: tuple[str, ...], words: tuple[object, ...], missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run_with(there, COMMAND, *words)
    assert done.returncode == 2, done.stderr
    assert done.stderr.endswith(f"which is not installed; pip install 'sandtable[{missing}]' brings it\n")
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == [], "nothing is begun that cannot be ended"


@pytest.mark.parametrize(("module", "package"), [("gym", "gymnasium"), ("zoo", "gymnasium"), ("example", "gymnasium")])
def test_an_environment_without_its_extra_says_what_to_install(module: str, package: str) -> None:
    done = run_with(("cli",), f"import sandtable.rl.{module}")
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ModuleNotFoundError: sandtable.rl.")
    assert last.endswith(f"needs {package}, which is not installed; pip install 'sandtable[research]' brings it")


def test_a_budget_that_cannot_be_measured_is_told() -> None:
    done = run_with(("cli",), COMMAND, "bench", "broadcast")
    assert done.returncode == 0, done.stderr
    assert "broadcast: not measured: the server is not installed" in done.stderr


@pytest.mark.parametrize("words", [("version",), ("scenarios",), (*SIM, "--json")])
def test_the_command_line_alone_is_enough_for_the_rest(words: tuple[object, ...]) -> None:
    done = run_with(("cli",), COMMAND, *words)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_a_module_of_ours_that_is_missing_is_no_matter_of_extras() -> None:
    with pytest.raises(ModuleNotFoundError), needs_extra("lab", "here", "this"):
        import sandtable.nothing  # type: ignore[import-not-found]  # noqa: F401
    told = "here: this needs no_such_package, which is not installed"
    with pytest.raises(BadInput, match=told), needs_extra("lab", "here", "this"):
        import no_such_package.part  # type: ignore[import-not-found]  # noqa: F401
