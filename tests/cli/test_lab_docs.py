"""What the pages for designers and researchers show is what works."""

import re
from pathlib import Path

import pytest

from sandtable.sim.setting import read_setting

DOCS = Path(__file__).parents[2] / "docs"
LAB = (DOCS / "lab.md").read_text(encoding="utf-8")
RESEARCH = (DOCS / "research.md").read_text(encoding="utf-8")


CHANGES = sorted(
    {
        change
        for line in re.findall(r"^sandtable sim (.*--set.*)$", LAB, re.MULTILINE)
        for change in re.findall(r"--set (?:'([^']+)'|(\S+))", line)
    }
)


@pytest.mark.parametrize("change", ["".join(found) for found in CHANGES])
def test_every_change_shown_can_be_made(change: str) -> None:
    assert read_setting("na-a-patrol-at-tamrad", ("random",), changes=[change]).changes == (change,)


def test_every_option_of_the_simulation_is_explained() -> None:
    from tests.cli.running import run

    options = set(re.findall(r"--[a-z]+", run("sim", "--help").stdout)) - {"--help", "--pack"}
    assert {option for option in options if f"`{option}" not in LAB} == set()


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", RESEARCH, re.DOTALL))
def test_the_python_shown_to_researchers_runs(code: str) -> None:
    exec(compile(code, "docs/research.md", "exec"), {})  # noqa: S102
