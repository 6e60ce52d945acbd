"""Golden whole games: the log folds, verifies against today's rules, and reads as it did."""

import pytest

from sandtable import catalog
from sandtable.core.replay import replay, verify
from tests.golden.games import GAMES, Golden, tell

MEANT = "if that is meant: python -m tests.golden.regenerate"


@pytest.mark.parametrize("golden", GAMES, ids=lambda golden: golden.name)
def test_a_golden_game_replays_verifies_and_reads_as_it_did(golden: Golden) -> None:
    found = catalog.open_log(golden.log.read_text(encoding="utf-8"), golden.log.name)
    states = replay(found.ruleset, found.log)
    assert found.ruleset.outcome(states[-1]) is not None
    differences = verify(found.ruleset, found.log)
    assert not differences, f"{differences[0]} ({MEANT})"
    assert tell(found) == golden.story.read_text(encoding="utf-8"), MEANT
