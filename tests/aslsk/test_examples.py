"""The table of worked examples names every situation of the rulebook, and nothing that is not there."""

import re

from tests.architecture.checkout import ROOT

FOLDER = ROOT / "tests" / "rulebook" / "aslsk3"


def test_the_table_of_examples_and_the_folder_agree() -> None:
    named = re.findall(r"`([^`]+\.yaml)`", (FOLDER / "README.md").read_text(encoding="utf-8"))
    assert sorted(named) == sorted(path.name for path in FOLDER.glob("*.yaml"))
