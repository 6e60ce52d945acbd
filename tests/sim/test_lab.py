import random
from pathlib import Path

import pytest

from sandtable.core.codec import encode
from sandtable.core.errors import BadInput
from sandtable.sim.batch import on_cores, play_batch
from sandtable.sim.compare import Trial, compare, suggest
from sandtable.sim.deciding import deciding, endings, points_decide, settled, signs
from sandtable.sim.keeping import Keeper
from sandtable.sim.lab import Lab, LabResult, Order
from sandtable.sim.match import Loss
from sandtable.sim.setting import read_setting
from tests.sim.scene import SHORT, made, quick


def order(*changes: str, games: int = 12, tries: tuple[tuple[str, ...], ...] = (), seed: int = 1) -> Order:
    return Order(SHORT, ("random",), games, seed, changes, tries, stop_early=False)


# --- changes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        "turns=3",
        "objectives.saddle.points.german=500",
        "sides.british.units.B2=null",
        "sides.british.units.B1.card=grant-i",
        "sides.british.units.B9={card: grant-i, at: N9, facing: NW}",
        "cards.pz-iiij.movement.cross_country=1",
        "victory.handicap.german=40",
    ],
)
def test_a_change_makes_another_game(change: str) -> None:
    plain, changed = quick(), read_setting(SHORT, ("random",), changes=[change])
    assert plain.fingerprint != changed.fingerprint
    assert changed.changes == (change,)
    records = [play_batch(setting, 0, 10) for setting in (plain, changed)]
    assert records[0] != records[1]


def test_changes_add_up() -> None:
    both = read_setting(SHORT, ("random",), changes=["cards.pz-iiij.armor.front=1", "cards.pz-iiig.armor.front=2"])
    files = dict(both.packs[-1].files)
    text = b"".join(files.values()).decode()
    assert "front: 1\n" in text
    assert "front: 2\n" in text


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("turn=9", "perhaps turns"),
        ("turns", "PATH=VALUE"),
        ("turns=many", "Expected `int`"),
        ("sides.british.units.B7=null", "has no 'B7'"),
        ("cards.pz-iiij=1", "too short"),
        ("cards.pz-iijj.armor.front=1", "perhaps pz-iiij"),
        ("victory.nothing=null", "has no 'nothing'"),
        ("turns.first=1", "has no 'first'"),
    ],
)
def test_a_change_to_nothing_is_refused_with_what_is_there(change: str, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        read_setting(SHORT, ("random",), changes=[change])


# --- comparing --------------------------------------------------------------------------------------


def test_a_change_that_does_nothing_shares_all_luck() -> None:
    result = Lab(order("summary=Other words")).run()
    found = result.comparison
    assert found is not None
    assert found.shift.estimate == 0
    assert found.better == found.worse == 0
    assert found.chance == 1
    assert found.shared == pytest.approx(1)


def test_pairs_are_games_of_one_number() -> None:
    plain = [made(n, "red", 20 + n, 0) for n in range(4)]
    changed = [made(n, "blue" if n < 2 else "red", 20 + n, 30) for n in range(3)]
    found = compare("red", ("x=1",), plain, changed)
    assert found.pairs == 3
    assert (found.better, found.worse) == (0, 2)
    assert found.margin_shift.estimate == -30
    assert found.shared == pytest.approx(1)


def trial(share: float, size: float) -> Trial:
    records = [made(n, "red" if n < round(100 * share) else "blue", 10, 0) for n in range(100)]
    return Trial(compare("red", (f"x={share}",), records, records), size)


def test_the_smallest_tweak_that_balances_is_suggested() -> None:
    found = suggest(0.8, [trial(0.5, 0.9), trial(0.55, 0.2), trial(0.75, 0.1)])
    assert found.changes == ("x=0.55",)
    assert "from 80% to 55%" in found.reason


def test_no_tweak_is_suggested_where_none_balances_or_none_is_needed() -> None:
    none = suggest(0.9, [trial(0.8, 0.1), trial(0.7, 0.5)])
    assert none.changes == ()
    assert "the nearest is x=0.7" in none.reason
    needless = suggest(0.52, [trial(0.5, 0.1)])
    assert needless.changes == ()
    assert "as it is" in needless.reason


def test_tweaks_are_tried_and_measured() -> None:
    result = Lab(order(tries=(("victory.draw_within=500",), ("turns=4",)))).run()
    assert result.suggestion is not None
    sizes = [one.size for one in result.suggestion.trials]
    assert sizes == [pytest.approx(99.01), pytest.approx(0.21)]
    assert result.suggestion.trials[0].comparison.share.estimate == 0.5


# --- what decided it --------------------------------------------------------------------------------


def test_what_decided_it_is_told_in_parts_and_signs() -> None:
    lost = Loss(1, "b1", "tank", "blue", "A1")
    records = [made(n, "red", 30, 5, lost) for n in range(3)] + [made(3, "blue", 12, 40, ending="blue is through")]
    seats = ("red", "blue")
    assert points_decide(records)
    parts = {part.part: part for part in deciding(seats, records)}
    assert parts["kills"].largest == 1.0
    assert parts["hill"].needed == 0.0
    assert [(ending.what, ending.games, ending.won) for ending in endings(seats, records)] == [
        ("time is up", 3, {"red": 3}),
        ("blue is through", 1, {"blue": 1}),
    ]
    told = {sign.what: sign for sign in signs(seats, records)}
    assert told["blue lost: tank"].telling == 1
    assert (told["blue lost: tank"].won, told["blue lost: tank"].lost) == (1, 0)
    assert settled(records, 0) == 0.0
    assert settled(records, 1) == 1.0


def test_points_need_not_decide() -> None:
    assert not points_decide([made(0, "red", 0, 20)])


# --- keeping ----------------------------------------------------------------------------------------


def whole_run(out: Path, *, games: int = 12, jobs: int = 1) -> LabResult:
    with on_cores(jobs) as team:
        return Lab(order("turns=4", games=games, tries=(("turns=3",),)), out=out).run(team)


def test_a_run_that_is_cut_off_anywhere_goes_on_to_the_same_file(tmp_path: Path) -> None:
    full = tmp_path / "full.jsonl"
    result = encode(whole_run(full))
    data = full.read_bytes()
    rng = random.Random(0)
    cuts = [0, 10, data.index(b"\n") + 1, len(data) - 1, *(rng.randrange(len(data)) for _ in range(4))]
    for cut in cuts:
        part = tmp_path / "part.jsonl"
        part.write_bytes(data[:cut])
        assert encode(whole_run(part)) == result
        assert part.read_bytes() == data


def test_the_file_is_the_same_on_two_cores(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    whole_run(one)
    whole_run(two, jobs=2)
    assert one.read_bytes() == two.read_bytes()


def test_more_games_go_on_from_fewer(tmp_path: Path) -> None:
    out = tmp_path / "games"
    whole_run(out, games=6)
    assert encode(whole_run(out, games=12)) == encode(whole_run(tmp_path / "fresh", games=12))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"my notes, no newline", "no games of a run"),
        (b"my notes\n", "no games of a run"),
        (b"\xff\xfe\n", "no games of a run"),
    ],
)
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path, text: bytes, told: str) -> None:
    out = tmp_path / "file"
    out.write_bytes(text)
    with pytest.raises(BadInput, match=told):
        whole_run(out)
    assert out.read_bytes() == text


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    out = tmp_path / "games"
    whole_run(out)
    lines = out.read_bytes().split(b"\n")
    lines[3] = lines[3][:-9]
    out.write_bytes(b"\n".join(lines))
    with pytest.raises(BadInput, match="line 4"):
        whole_run(out)


def test_games_of_another_run_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "games"
    whole_run(out)
    with pytest.raises(BadInput, match="with seed 1"):
        Lab(order(seed=2), out=out).run()
    with pytest.raises(BadInput, match="by random, random"):
        Lab(Order(SHORT, ("greedy",), 4, 1), out=out).run()


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    out = tmp_path / "games"
    with Keeper(out, [quick()], 1), pytest.raises(BadInput, match="another run is writing it"):
        Keeper(out, [quick()], 1)
