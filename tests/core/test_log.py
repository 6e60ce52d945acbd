"""The log: save, replay and bug report in one; cut off, broken, verified."""

from random import Random

import pytest

from sandtable.core.dice import SeededDice
from sandtable.core.errors import BadInput
from sandtable.core.log import Entry, LoadedLog, dump, load, read_header
from sandtable.core.replay import replay, resume, verify
from tests.toy import BLUE, RED, Action, Event, Halt, Patrols, Piece
from tests.toy_system import play_out, toy_game, toy_library, toy_ruleset


def whole_game(seed: int = 2) -> str:
    game = play_out(toy_game(SeededDice(seed)), Random(seed))
    return "".join(dump(game.header, game.lines))


def loaded(text: str) -> LoadedLog[Action, Event]:
    return load(text, toy_ruleset(), "game.log")


def test_a_log_dumps_loads_and_dumps_the_same() -> None:
    text = whole_game()
    log = loaded(text)
    assert log.warning == ""
    assert "".join(dump(log.header, log.lines)) == text


def test_replay_gives_every_state() -> None:
    game = play_out(toy_game(SeededDice(4)), Random(4))
    states = replay(toy_ruleset(), loaded("".join(dump(game.header, game.lines))))
    assert states == game.states


def test_replay_follows_undo() -> None:
    game = play_out(toy_game(SeededDice(4)), Random(4))
    game.undo(RED, consent=(BLUE,))
    play_out(game, Random(8))
    text = "".join(dump(game.header, game.lines))
    assert replay(toy_ruleset(), loaded(text)) == game.states
    assert verify(toy_ruleset(), loaded(text)) == []


def test_resume_goes_on_with_new_dice() -> None:
    game = toy_game(SeededDice(1))
    rng = Random(3)
    for _ in range(4):
        assert game.decision is not None
        seat = game.decision.asked[0]
        game.play(seat, game.decision.options(seat).sample(rng))
    text = "".join(dump(game.header, game.lines))
    again = resume(toy_ruleset(), loaded(text), SeededDice(99))
    assert again.state == game.state
    play_out(again, rng)
    assert again.outcome is not None
    assert verify(toy_ruleset(), loaded("".join(dump(again.header, again.lines)))) == []


def test_a_log_cut_off_in_a_line_loads_up_to_the_last_whole_entry() -> None:
    text = whole_game()
    whole = text.splitlines(keepends=True)
    for entries in (1, 3, len(whole) - 1):
        cut = "".join(whole[:entries]) + whole[entries][: len(whole[entries]) // 2]
        log = loaded(cut)
        assert len(log.lines) == entries - 1
        assert log.warning == f"game.log: line {entries + 1}: cut off; loaded up to the last whole entry"
        replay(toy_ruleset(), log)


def test_every_broken_line_is_named() -> None:
    lines = whole_game().splitlines(keepends=True)
    lines[2] = "{not json}\n"
    lines[4] = lines[4].replace('"seat"', '"seet"')
    with pytest.raises(BadInput) as caught:
        loaded("".join(lines))
    places = [fault.where for fault in caught.value.faults]
    assert "game.log: line 3" in places
    assert "game.log: line 5" in places


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "no log header"),
        ("hello\n", "no log header"),
        ('{"format": 99, "system": "toy", "version": 1, "packs": {}, "scenario": {}}\n', "99 is not known"),
    ],
)
def test_what_is_no_log_is_rejected(text: str, wrong: str) -> None:
    with pytest.raises(BadInput, match=rf"game.log: line 1.*{wrong}"):
        read_header(text, "game.log")


def test_replay_rejects_events_that_do_not_give_the_state() -> None:
    lines = whole_game().splitlines(keepends=True)
    lines[2] = lines[2].replace('"digest":"', '"digest":"0')
    with pytest.raises(BadInput, match="entry 1: digest"):
        replay(toy_ruleset(), loaded("".join(lines)))


def test_verify_says_where_the_rules_of_today_go_another_way() -> None:
    class Tired(Patrols):
        """Later rules, in which nobody marches."""

        def longest_march(self, piece: Piece) -> int:
            return 0

    ruleset = Tired(toy_ruleset().scenario, toy_library())
    log = loaded(whole_game())
    assert replay(ruleset, log) == replay(toy_ruleset(), log)
    differences = verify(ruleset, log)
    assert differences
    assert all("not legal" in difference for difference in differences)


def test_verify_finds_a_forged_roll() -> None:
    text = whole_game()
    forged = text.replace('"faces":[1]', '"faces":[6]').replace('"faces":[2]', '"faces":[6]')
    assert forged != text
    assert any("other events" in found for found in verify(toy_ruleset(), loaded(forged)))


def test_verify_finds_an_action_of_the_wrong_seat() -> None:
    game = toy_game()
    play_out(game, Random(2))
    text = "".join(dump(game.header, game.lines))
    halts = [line for line in game.lines if isinstance(line, Entry) and line.action == Halt()]
    line = next(entry for entry in halts if entry.seat == RED)
    original = f'{{"seq":{line.seq},"seat":"red"'
    assert original in text
    swapped = text.replace(original, original.replace("red", "blue"))
    assert any("blue is not asked" in found for found in verify(toy_ruleset(), loaded(swapped)))
