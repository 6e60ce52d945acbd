"""Logs of games played by earlier versions: they load, replay and, while a system behaves as it did, verify."""

import gzip
from pathlib import Path

import pytest

from sandtable import catalog
from sandtable.core.replay import replay, verify

HERE = Path(__file__).parent
LOGS = sorted(HERE.glob("*.jsonl.gz"))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name.removesuffix(".jsonl.gz"))
def test_a_kept_log_replays_and_verifies_where_behaviour_is_as_it_was(path: Path) -> None:
    found = catalog.open_log(gzip.decompress(path.read_bytes()).decode(), path.name)
    states = replay(found.ruleset, found.log)
    assert found.ruleset.outcome(states[-1]) is not None
    header = found.log.header
    if header.version == catalog.system(header.system).card.version:
        assert not verify(found.ruleset, found.log)


def test_every_scenario_has_a_log() -> None:
    kept = {path.name.partition(".")[0] for path in LOGS}
    shipped = {name for one in catalog.system_ids() for name, _, _ in catalog.library(one).section("scenarios")}
    assert shipped <= kept, "python -m tests.logs.keep"
