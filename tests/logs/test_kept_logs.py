"""Logs of games played by earlier versions: they load, replay and, while a system behaves as it did, verify."""

import gzip
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.core.codec import digest
from sandtable.core.decision import Seat
from sandtable.core.dice import RecordedDice
from sandtable.core.frames import Changed, Closed, Opened
from sandtable.core.log import Entry
from sandtable.core.replay import replay, verify
from sandtable.systems.panzer.events import SpottingDetermined

HERE = Path(__file__).parent
LOGS = sorted(HERE.glob("*.jsonl.gz"))
PANZER_1 = [path for path in LOGS if path.name.startswith(("mbt-", "na-")) and ".v1." in path.name]
"""Version 1 of Panzer differs from the present one only in how frames move, and in what a digest is taken of."""


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name.removesuffix(".jsonl.gz"))
def test_a_kept_log_replays_and_verifies_where_behaviour_is_as_it_was(path: Path) -> None:
    found = catalog.open_log(gzip.decompress(path.read_bytes()).decode(), path.name)
    states = replay(found.ruleset, found.log)
    assert found.ruleset.outcome(states[-1]) is not None
    header = found.log.header
    if header.version == catalog.system(header.system).card.version:
        assert not verify(found.ruleset, found.log)


@pytest.mark.parametrize("path", PANZER_1, ids=lambda path: path.name.removesuffix(".jsonl.gz"))
def test_where_frames_alone_move_otherwise_everything_else_happens_as_it_did(path: Path) -> None:
    found = catalog.open_log(gzip.decompress(path.read_bytes()).decode(), path.name)
    ruleset = found.ruleset
    states = replay(ruleset, found.log)
    for line, before in zip(found.log.lines[1:], states, strict=False):
        assert isinstance(line, Entry)
        assert ruleset.refusal(before, Seat(line.seat), line.action) is None
        again = ruleset.resolve(before, Seat(line.seat), line.action, RecordedDice(line.rolls))
        assert _facts(again.events) == _facts(line.events), line.seq
        assert digest(replace(again.state, sightings="")) == line.digest, line.seq


def _facts(events: Iterable[Any]) -> list[Any]:
    facts = [event for event in events if not isinstance(event, Opened | Changed | Closed)]
    return [replace(fact, sightings="") if isinstance(fact, SpottingDetermined) else fact for fact in facts]


def test_every_scenario_has_a_log_of_the_present_version() -> None:
    kept = {path.name.removesuffix(".jsonl.gz") for path in LOGS}
    shipped = {
        f"{name}.v{catalog.system(one).card.version}"
        for one in catalog.system_ids()
        for name, _, _ in catalog.library(one).section("scenarios")
    }
    assert shipped <= kept, "python -m tests.logs.keep"
