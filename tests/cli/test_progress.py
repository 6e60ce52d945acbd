"""Progress: a bar for those who watch, a line in a file."""

import pytest

from sandtable.cli.lab.progress import Progress


def through_two_stages() -> None:
    with Progress("games") as progress:
        for done in range(1, 4):
            progress.stage("as it is", done, 3)
        progress.stage("changed", 1, 2)


def test_a_file_has_a_line_for_what_is_done(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    through_two_stages()
    assert capfd.readouterr() == ("", "3/3 games (as it is)\n")


def test_a_terminal_has_a_bar_for_every_stage(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    through_two_stages()
    out, drawn = capfd.readouterr()
    assert out == ""
    assert "games (as it is)" in drawn
    assert "games (changed)" in drawn
    assert "3/3" in drawn
