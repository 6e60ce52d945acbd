"""The log: save, replay and bug report in one; cut off, broken, verified."""

from pathlib import Path
from random import Random

import pytest

from sandtable.core.dice import SeededDice
from sandtable.core.errors import BadInput, Refusal
from sandtable.core.log import Entry, LoadedLog, dump, load, read_header
from sandtable.core.replay import replay, resume, verify
from tests.forging import sealed
from tests.toy import BLUE, RED, Action, Event, Halt, March, MarchingHandler, Patrols, State
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
        replay(toy_ruleset(), loaded(sealed("".join(lines))))


def test_verify_says_where_the_rules_of_today_go_another_way() -> None:
    class Tiring(MarchingHandler):
        def march_refusal(self, state: State, march: March) -> Refusal | None:
            return Refusal("2.1", "too tired")

    class Tired(Patrols):
        """Later rules, in which nobody marches."""

        handlers = (*Patrols.handlers, Tiring)

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
    assert any("other events" in found for found in verify(toy_ruleset(), loaded(sealed(forged))))


def test_verify_finds_an_action_of_the_wrong_seat() -> None:
    game = toy_game()
    play_out(game, Random(2))
    text = "".join(dump(game.header, game.lines))
    halts = [line for line in game.lines if isinstance(line, Entry) and line.action == Halt()]
    line = next(entry for entry in halts if entry.seat == RED)
    original = f'{{"seq":{line.seq},"seat":"red"'
    assert original in text
    swapped = text.replace(original, original.replace("red", "blue"))
    assert any("blue is not asked" in found for found in verify(toy_ruleset(), loaded(sealed(swapped))))


def test_a_flipped_bit_is_noticed_wherever_it_is() -> None:
    """Every byte of a log in turn: a fault, or a warning that the end is cut off, and never anything else."""
    text = whole_game()
    ruleset, rng = toy_ruleset(), Random(1)
    data = text.encode()
    for place in range(len(data)):
        damaged = bytearray(data)
        damaged[place] ^= 1 << rng.randrange(8)
        try:
            log = load(damaged.decode(errors="replace"), ruleset, "game.log")
        except BadInput:
            continue
        assert log.warning
        assert place == len(data) - 1, "only the last line's end may go"


def test_a_log_of_format_1_loads_and_goes_on() -> None:
    text = (Path(__file__).parent / "format-1.jsonl").read_text(encoding="utf-8")
    log = loaded(text)
    assert log.header.format == 1
    assert verify(toy_ruleset(), log) == []
    again = "".join(dump(log.header, log.lines))
    assert again.splitlines()[0] == text.splitlines()[0]
    assert '"sum":' in again.splitlines()[1]
    mixed = "".join(text.splitlines(keepends=True)[:4] + again.splitlines(keepends=True)[4:])
    assert loaded(mixed).lines == log.lines


@pytest.mark.parametrize(
    ("old", "new"),
    [('"seq":3', '"seq":3,"extra":1'), ('"type":"', '"colour":1,"type":"'), ('"digest":', '"digset":')],
)
def test_an_unknown_field_of_a_log_without_checksums_is_a_fault(old: str, new: str) -> None:
    text = (Path(__file__).parent / "format-1.jsonl").read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(BadInput, match="unknown field"):
        loaded(text.replace(old, new))


def test_a_line_without_its_checksum_is_a_fault_in_a_log_that_has_them() -> None:
    lines = whole_game().splitlines(keepends=True)
    lines[3] = lines[3][: lines[3].rindex(',"sum"')] + "}\n"
    with pytest.raises(BadInput, match=r"line 4: cannot be read: it does not end with its checksum"):
        loaded("".join(lines))


@pytest.mark.parametrize("written", ["\\u001b[2J", "\\u009B", "\\\\\\b", "\\u000d", "\x7f", "\x9b2J"])
def test_what_makes_a_terminal_do_something_is_a_fault(written: str) -> None:
    """However well the checksums are forged."""
    with pytest.raises(BadInput, match="it has a control character"):
        loaded(sealed(whole_game().replace("aim", f"aim{written}", 1)))


def test_a_backslash_before_words_is_no_control_character() -> None:
    header = whole_game().split("\n", 1)[0]
    plain = (
        header[: header.rindex(',"sum"')].replace('"scenario":{', '"scenario":{"note":"C:\\\\boards \\\\u001b\\t",')
        + "}"
    )
    assert (
        read_header(sealed(plain[:-1] + ',"sum":"0000000000000000"}\n'), "game.log").scenario["note"]
        == "C:\\boards \\u001b\t"
    )


def test_events_that_cannot_have_happened_are_a_fault() -> None:
    text = whole_game()
    forged = sealed(text.replace('"r1"', '"zz"'))
    with pytest.raises(BadInput):
        replay(toy_ruleset(), loaded(forged))
    verify(toy_ruleset(), loaded(text))
