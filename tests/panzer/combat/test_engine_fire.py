"""4.4.1 and 4.4.3: announced fire, who may fire on whom, the owner's answers, damage, wrecks and smoke."""

import pytest

from sandtable.core.decision import Gather
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.frames import DirectFire
from sandtable.systems.panzer.hex.actions import ChooseAspect, Fire
from sandtable.systems.panzer.hex.combat.attack import aspect_of
from sandtable.systems.panzer.hex.combat.fire import in_field_of_fire
from sandtable.systems.panzer.unit import Aspect, Command, Spot, Status, WreckKind
from tests.rulebook.engine import BLUE, NO_EFFECT, PASS, RED, REVEALED, Play, both_books, fire, kinds, move, play

OPEN = ". . . . . . .\n. . . . . . ."
ROSE = "\n".join([". . . . . . ."] * 7)


def firing(book: str, units: str, cells: str = OPEN, first: str = "red", **rest: object) -> Play:
    """A position in the Direct Fire step."""
    return play(book, cells, units, open="direct fire", first=first, **rest)


# --- 4.4.1 Direct Fire Step -----------------------------------------------------------------------------


@pytest.mark.rules("4.4.1")
@both_books
def test_4_4_1_all_fire_on_a_target_is_announced_at_once(book: str) -> None:
    game = firing(book, "r1 tank A1 NE FIRE\nr2 tank A1 NE FIRE\nb1 slab D1 NW N/C\nb2 slab E1 NW N/C")
    game.shoot(fire("b1", "r1"), 100)
    assert game.why(RED, fire("b1", "r2")) == "4.4.1"
    assert game.why(RED, fire("b2", "r2")) == ""


@pytest.mark.rules("4.4.1")
@both_books
def test_4_4_1_fire_that_was_announced_is_not_shifted(book: str) -> None:
    game = firing(book, "r1 tank A1 NE FIRE\nr2 tank A1 NE FIRE\nb1 tank D1 NW N/C\nb2 tank E1 NW N/C")
    events = game.shoot(fire("b1", "r1", "r2"), 1)
    assert kinds(events)[-3:] == ["VehicleKnockedOut", "ShotWasted", "SpotMarked"]
    assert (game.unit("r2").fired, game.unit("r2").new_spot) == (True, Spot.FIRE)
    assert game.state.turn > 1 or not isinstance(game.top, DirectFire)


@pytest.mark.rules("4.4.1")
@both_books
def test_4_4_1_shots_are_resolved_one_after_the_other_and_count_at_once(book: str) -> None:
    game = firing(book, "r1 light A1 NE FIRE\nr2 light A1 NE FIRE\nb1 tank D1 NW FIRE\nb2 tank E1 NW N/C")
    events = game.shoot(fire("b1", "r1", "r2"), 90, 1)
    effects = [event.effect for event in events if isinstance(event, ev.ArmourStruck)]
    assert effects == ["damaged", "KO"]
    assert "VehicleKnockedOut" in kinds(events)


@pytest.mark.rules("4.4.1", "4.2.1")
@both_books
def test_4_4_1_a_fire_command_must_be_executed_and_only_once(book: str) -> None:
    game = firing(book, "r1 tank A1 NE FIRE\nr2 tank A1 NE SHORT_HALT\nb1 slab D1 NW N/C\nb2 slab E1 NW N/C")
    assert game.why(RED, PASS) == "4.0"
    assert game.why(RED, fire("b1", "r1", "r1")) == "4.4.1"
    game.shoot(fire("b1", "r1"), 100)
    assert game.why(RED, fire("b2", "r1")) == "4.4.1"
    assert isinstance(game.top, DirectFire)
    game.shoot(fire("b2", "r2"), 100)
    assert not isinstance(game.top, DirectFire)


@pytest.mark.rules("4.4.1", "4.2.1", "4.4.3")
@both_books
def test_4_4_1_who_may_not_fire_and_on_whom(book: str) -> None:
    units = "r1 tank A1 NE FIRE\nr2 tank A1 NE MOVE\nr3 tank A1 NE OW\nb1 tank E1 NW N/C\nb2 tank G1 NW N/C"
    game = firing(book, units, spotted={"r1": ["b1"], "r2": ["b1"], "r3": ["b1"]})
    assert game.why(RED, fire("b1")) == "4.4.1"
    assert game.why(RED, fire("b1", "r2")) == "4.2.1"
    assert game.why(RED, fire("b1", "r3")) == "4.2.1"
    assert game.why(RED, fire("b2", "r1")) == "4.1.1"
    assert game.why(RED, fire("r2", "r1")) == "4.4.3"
    assert game.why(RED, fire("b9", "r1")) == "4.4.3"
    assert game.why(RED, fire("b1", "r9")) == "3.1"
    assert game.why(RED, fire("b1", "r1.1")) == "4.4.3"
    assert game.why(RED, fire("b1", "r1.0.1")) == "4.4.3"


@pytest.mark.rules("4.1.1", "4.4.1")
@both_books
def test_4_1_1_a_firer_must_have_spotted_its_target_itself(book: str) -> None:
    game = firing(book, "r1 tank A1 NE FIRE\nr2 tank A2 NE FIRE\nb1 slab D1 NW N/C", spotted={"r1": ["b1"]})
    assert game.why(RED, fire("b1", "r2")) == "4.1.1"
    game.shoot(fire("b1", "r1"), 100)
    assert game.state.turn == 2 or not isinstance(game.top, DirectFire)


@pytest.mark.rules("4.4.1", "3.4", "4.1.3")
@both_books
def test_4_4_1_a_new_spot_counter_waits_for_the_next_spotting_phase(book: str) -> None:
    game = firing(book, "r1 slab A1 NE FIRE spot=SPOT/MOVE\nb1 slab D1 NW N/C")
    game.shoot(fire("b1", "r1"), 100)
    assert (game.unit("r1").spot, game.unit("r1").new_spot) == (Spot.MOVE, Spot.FIRE)
    while game.state.turn == 1:
        game.do(game.asked[0], PASS)
    assert (game.unit("r1").spot, game.unit("r1").new_spot) == (Spot.FIRE, Spot.NONE)


# --- 4.4.3.1 Fields-of-Fire -----------------------------------------------------------------------------

AROUND = {
    0: "D1",
    30: "E2",
    41: "F2",
    60: "E3",
    79: "G3",
    90: "F4",
    101: "G4",
    120: "E4",
    139: "F6",
    150: "E5",
    180: "D7",
}
"""Hexes around D4 by their angle from north, in degrees; 41, 79, 101 and 139 are rounded."""


def _mirror(label: str) -> str:
    """The hex on the other side of column D."""
    return "GFEDCBA"["ABCDEFG".index(label[0])] + label[1]


@pytest.mark.rules("4.4.3.1", "4.4.3.1.1", "4.4.3.1.2", "4.4.3.1.3", "4.4.3.1.4", "4.4.3.1.5")
@pytest.mark.parametrize(
    ("book", "card", "covered"),
    [
        *((book, "tank", range(181)) for book in ("panzer-na", "mbt")),
        *((book, "pivot", range(181)) for book in ("panzer-na", "mbt")),
        *((book, "fixed", range(31)) for book in ("panzer-na", "mbt")),
        *((book, "rear", range(150, 181)) for book in ("panzer-na", "mbt")),
        ("mbt", "fixed-120", range(61)),
        ("mbt", "fixed-180", range(91)),
        ("mbt", "rear-120", range(120, 181)),
    ],
)
@pytest.mark.parametrize("mirrored", [False, True])
def test_4_4_3_1_fields_of_fire_with_their_boundaries(book: str, card: str, covered: range, mirrored: bool) -> None:
    hexes = {angle: _mirror(label) if mirrored else label for angle, label in AROUND.items()}
    targets = "\n".join(f"b{angle} tank {label} N N/C" for angle, label in hexes.items())
    game = firing(book, f"r1 {card} D4 N FIRE\n{targets}", ROSE)
    shooter = game.context.cards[game.unit("r1").card]
    refused = "4.4.3.1.5" if card.startswith("rear") else "4.4.3.1.4"
    found = set()
    for angle in AROUND:
        inside = in_field_of_fire(game.context, shooter.weapons[0], game.unit("r1"), game.unit(f"b{angle}"))
        assert game.why(RED, fire(f"b{angle}", "r1")) == ("" if inside else refused)
        if inside:
            found.add(angle)
    assert found == {angle for angle in AROUND if angle in covered}


@pytest.mark.rules("4.4.3.1.4", "4.4.3.1.5")
@both_books
def test_4_4_3_1_4_a_target_outside_the_field_of_fire_is_refused(book: str) -> None:
    units = "r1 fixed D4 N FIRE\nr2 rear D4 N FIRE\nr3 tank D4 N FIRE\nb1 tank D6 N N/C\nb2 tank D2 N N/C"
    game = firing(book, units, ROSE)
    assert game.why(RED, fire("b1", "r1")) == "4.4.3.1.4"
    assert game.why(RED, fire("b1", "r2")) == ""
    assert game.why(RED, fire("b2", "r2")) == "4.4.3.1.5"
    assert game.why(RED, fire("b2", "r1", "r3")) == ""


@pytest.mark.rules("4.4.3.1", "4.4.3.2.1", "4.4.1", system="panzer-na")
def test_4_4_3_2_1_weapons_of_one_vehicle_have_their_own_fields_of_fire() -> None:
    units = "r1 grant-i D4 N FIRE\nb1 slab D6 N N/C\nb2 slab D2 N N/C"
    game = firing("panzer-na", units, ROSE)
    assert game.why(RED, fire("b1", "r1.0")) == "4.4.3.1.4"
    assert game.why(RED, fire("b1", "r1.1")) == ""
    assert game.why(RED, fire("b2", "r1.0", "r1.1")) == "4.4.1"
    game.shoot(fire("b2", "r1.0"), 100)
    assert game.told(ev.ShotResolved)[0].weapon == "75mm L31"


@pytest.mark.rules("4.4.3", "4.4.3.2.1")
def test_4_4_3_only_ap_in_north_africa_and_every_ap_type_in_mbt() -> None:
    desert = firing("panzer-na", "r1 panzerjager-i A1 NE FIRE\nb1 slab E1 NW N/C")
    assert desert.context.cards[desert.unit("r1").card].weapons[0].ammo[1].type == "APCR"
    assert desert.why(RED, fire("b1", "r1.0.1")) == "4.4.3"
    germany = firing("mbt", "r1 t-80bv A1 NE FIRE\nb1 slab E1 NW N/C")
    germany.shoot(fire("b1", "r1.0.1"), 100)
    assert germany.told(ev.ShotResolved)[0].ammo == "HEAT"
    missiles = firing("mbt", "r1 m2a1 A1 NE FIRE\nb1 slab E1 NW N/C")
    assert missiles.why(RED, fire("b1", "r1.1")) == "4.4.3"


@pytest.mark.rules("3.5.2", "4.4.3")
@both_books
def test_3_5_2_no_fire_beyond_the_maximum_range(book: str) -> None:
    cells = "\n".join(["."] * 22)
    near = firing(book, "r1 tank A1 S FIRE\nb1 slab A21 N N/C", cells)
    near.shoot(fire("b1", "r1"), 11)
    assert (near.told(ev.ShotResolved)[0].range_factor, near.told(ev.ShotResolved)[0].hit) == ("E", False)
    far = firing(book, "r1 tank A1 S FIRE\nr2 tank A2 S FIRE\nb1 slab A22 N N/C spot=SPOT/FIRE", cells)
    assert far.why(RED, fire("b1", "r1")) == "3.5.2"
    assert far.why(RED, fire("b1", "r2")) == ""


# --- 4.4.3.2 Resolving AP Fire --------------------------------------------------------------------------


@pytest.mark.rules("4.4.3.2.3")
@both_books
@pytest.mark.parametrize(("column", "factor", "number"), [("E", "P", 90), ("I", "S", 70), ("M", "M", 50)])
def test_4_4_3_2_3_the_hit_number_itself_still_hits(book: str, column: str, factor: str, number: int) -> None:
    cells = " ".join(["."] * 14)
    for roll, hit in ((number, True), (number + 1, False)):
        game = firing(book, f"r1 weak A1 NE FIRE\nb1 slab {column}1 NW N/C", cells)
        game.shoot(fire("b1", "r1"), roll)
        (shot,) = game.told(ev.ShotResolved)
        assert (shot.range_factor, shot.number.total, shot.hit) == (factor, number, hit)


@pytest.mark.rules("4.4.3.2.2", "3.4")
@both_books
@pytest.mark.parametrize("command", ["MOVE", "SHORT_HALT"])
def test_4_4_3_2_2_the_owner_may_reveal_a_moving_command(book: str, command: str) -> None:
    units = f"r1 weak A1 NE FIRE\nb1 slab D1 NW {command}"
    told = firing(book, units)
    told.shoot(fire("b1", "r1"), 100, answer=REVEALED)
    assert told.told(ev.ShotResolved)[0].number.net == -2
    assert told.unit("b1").known
    kept = firing(book, units)
    kept.shoot(fire("b1", "r1"), 100, answer=NO_EFFECT)
    assert kept.told(ev.ShotResolved)[0].number.net == 0
    assert not kept.unit("b1").known


@pytest.mark.rules("4.4.3.2.2", "4.2.1")
@both_books
@pytest.mark.parametrize("command", ["FIRE", "OW", "N/C"])
def test_4_4_3_2_2_the_owner_is_asked_whatever_the_command_and_has_nothing_else_to_reveal(
    book: str, command: str
) -> None:
    game = firing(book, f"r1 weak A1 NE FIRE\nb1 slab D1 NW {command}")
    game.do(RED, fire("b1", "r1"))
    assert (game.question, game.asked) == ("4.4.3.2.2", (BLUE,))
    assert game.why(BLUE, REVEALED) == "4.4.3.2.2"
    game.do(BLUE, NO_EFFECT, 100)


@pytest.mark.rules("4.4.3.2.2")
@both_books
def test_4_4_3_2_2_a_command_that_lies_open_needs_no_question(book: str) -> None:
    game = firing(book, "r1 weak A1 NE FIRE\nb1 slab D1 NW SHORT_HALT known")
    game.do(RED, fire("b1", "r1"), 100)
    assert game.told(ev.ShotResolved)[0].number.net == -2


@pytest.mark.rules("4.4.3.2.4", "3.3")
@both_books
@pytest.mark.parametrize("facing", ["N", "NE", "SE", "S", "SW", "NW"])
def test_4_4_3_2_4_front_and_rear_by_the_line_of_fire(book: str, facing: str) -> None:
    ways = ["N", "NE", "SE", "S", "SW", "NW"]
    # Hexes around D4 every 30 degrees from north.
    circle = ["D1", "E2", "E3", "F4", "E4", "E5", "D7", "C5", "C4", "B4", "C3", "C2"]
    turned = 2 * ways.index(facing)
    firers = "\n".join(f"r{n} tank {circle[(n + turned) % 12]} N FIRE" for n in range(12))
    game = firing(book, f"b1 tank D4 {facing} N/C\n{firers}", ROSE)
    found = [aspect_of(game.unit(f"r{n}"), game.unit("b1")) for n in range(12)]
    front, rear, either = Aspect.FRONT, Aspect.REAR, Aspect.EITHER
    assert found == [*[front] * 3, either, *[rear] * 5, either, *[front] * 2]


@pytest.mark.rules("4.4.3.2.4")
@both_books
@pytest.mark.parametrize(("aspect", "armour"), [(Aspect.FRONT, 10), (Aspect.REAR, 5)])
def test_4_4_3_2_4_on_the_dividing_line_the_owner_of_the_target_chooses(book: str, aspect: Aspect, armour: int) -> None:
    game = firing(book, "r1 tank F4 N FIRE\nb1 tank D4 N N/C\nb2 tank A1 N N/C", ROSE)
    game.shoot(fire("b1", "r1"), 1)
    assert (game.question, game.asked) == ("4.4.3.2.4", (BLUE,))
    assert game.why(BLUE, ChooseAspect(Aspect.EITHER)) == "4.4.3.2.4"
    assert game.why(RED, ChooseAspect(Aspect.REAR)) == "4.4.3.2.4"
    game.do(BLUE, ChooseAspect(aspect))
    assert [(event.aspect, event.armour) for event in game.told(ev.ArmourStruck)] == [(aspect, armour)]


@pytest.mark.rules("4.4.3.2.5", "4.4.3.2.6")
@both_books
@pytest.mark.parametrize(
    ("card", "margin", "effect", "status"),
    [
        ("weak", -1, "none", Status.IN_PLAY),
        ("light", 0, "damaged", Status.IN_PLAY),
        ("tank", 4, "KO", Status.KNOCKED_OUT),
        ("heavy", 10, "BU", Status.BREWED_UP),
    ],
)
def test_4_4_3_2_6_damage_by_penetration_over_armour(
    book: str, card: str, margin: int, effect: str, status: Status
) -> None:
    game = firing(book, f"r1 {card} A1 NE FIRE\nb1 tank D1 NW N/C\nb2 truck G1 NW")
    game.shoot(fire("b1", "r1"), 1)
    (struck,) = game.told(ev.ArmourStruck)
    assert (struck.margin.total, struck.effect) == (margin, effect)
    assert (game.unit("b1").status, game.unit("b1").damaged) == (status, effect == "damaged")


@pytest.mark.rules("4.4.3.2.6")
@both_books
def test_4_4_3_2_6_a_second_damaged_result_is_a_knock_out(book: str) -> None:
    game = firing(book, "r1 light A1 NE FIRE\nb1 tank D1 NW N/C damaged\nb2 truck G1 NW")
    game.shoot(fire("b1", "r1"), 1)
    assert [event.effect for event in game.told(ev.ArmourStruck)] == ["KO"]
    assert game.unit("b1").status is Status.KNOCKED_OUT


@pytest.mark.rules("4.4.3.2.2", "4.4.3.2.6", "4.3.2")
@both_books
def test_4_4_3_2_6_a_vehicle_damaged_this_turn_fires_with_the_modifier(book: str) -> None:
    game = firing(book, "r1 light A1 NE FIRE\nb1 tank D1 NW FIRE")
    game.shoot(fire("b1", "r1"), 1)
    game.shoot(fire("r1", "b1"), 100)
    assert [event.number.net for event in game.told(ev.ShotResolved)] == [0, -3]


@pytest.mark.rules("4.4.3", "4.1.1")
@both_books
def test_4_4_3_unarmed_vehicles_are_targets(book: str) -> None:
    game = firing(book, "r1 tank A1 NE FIRE\nb1 truck D1 NW N/C\nb2 tank G1 NW N/C")
    game.shoot(fire("b1", "r1"), 1)
    assert game.unit("b1").status is Status.KNOCKED_OUT


@pytest.mark.rules("3.8", "4.4.3.2.2")
@both_books
def test_3_8_an_over_stacked_hex_gives_no_cover_against_fire(book: str) -> None:
    stacked = "\n".join(f"b{n} slab D1 NW N/C" for n in range(1, 7))
    net = {}
    for count in (5, 6):
        units = "\n".join(stacked.splitlines()[:count])
        game = firing(book, f"r1 weak A1 NE FIRE\n{units}", ". . . w . . .")
        game.shoot(fire("b1", "r1"), 100)
        net[count] = game.told(ev.ShotResolved)[0].number.net
    assert net == {5: -3, 6: 0}


# --- wrecks and Brew-Up Smoke ---------------------------------------------------------------------------


@pytest.mark.rules("4.1.4.1.8", "4.4.3.2.6")
@both_books
@pytest.mark.parametrize(
    ("lying", "card", "left"),
    [
        (None, "tank", WreckKind.KO),
        (None, "heavy", WreckKind.BU),
        ("KO", "tank", WreckKind.KO),
        ("KO", "heavy", WreckKind.BU),
        ("BU", "tank", WreckKind.BU),
        ("BU", "heavy", WreckKind.BU),
    ],
)
def test_4_1_4_1_8_a_hex_holds_one_wreck_and_a_bu_replaces_a_ko(
    book: str, lying: str | None, card: str, left: WreckKind
) -> None:
    wrecks = {"D1": lying} if lying else {}
    game = firing(book, f"r1 {card} A1 NE FIRE\nb1 tank D1 NW N/C\nb2 truck G1 NW", wrecks=wrecks)
    game.shoot(fire("b1", "r1"), 1)
    assert [(wreck.hex, wreck.kind) for wreck in game.state.wrecks] == [(game.hex("D1"), left)]
    assert (game.unit("b1").hex, game.unit("b1").command) == (None, Command.NONE)


@pytest.mark.rules("4.4.3.2.2", "4.1.4.1.9")
@both_books
def test_4_4_3_2_2_smoke_counts_after_the_player_step_that_made_it(book: str) -> None:
    units = """
r1 heavy A1 NE FIRE
r2 weak A1 NE FIRE
b1 tank C1 NW N/C
b2 slab E1 NW FIRE
"""
    game = firing(book, units)
    game.shoot(fire("b1", "r1"), 1)
    assert [wreck.fresh for wreck in game.state.wrecks] == [True]
    game.shoot(fire("b2", "r2"), 100)
    assert "SmokeTookEffect" in kinds(game.events)
    game.shoot(fire("r2", "b2"), 100)
    assert [event.number.net for event in game.told(ev.ShotResolved)] == [0, 0, -2]


@pytest.mark.rules("4.4.3.2.2")
@both_books
@pytest.mark.parametrize(
    ("smoke", "net"),
    [
        ({}, 0),
        ({"A1": "BU"}, -2),
        ({"E1": "BU"}, -2),
        ({"C1": "BU"}, -2),
        ({"C1": "KO"}, 0),
        ({"A1": "BU", "C1": "BU", "E1": "BU"}, -6),
        ({"A2": "BU"}, 0),
    ],
)
def test_4_4_3_2_2_every_occurrence_of_smoke_on_the_line_counts(book: str, smoke: dict[str, str], net: int) -> None:
    game = firing(book, "r1 weak A1 NE FIRE\nb1 slab E1 NW N/C", wrecks=smoke)
    game.shoot(fire("b1", "r1"), 100)
    assert game.told(ev.ShotResolved)[0].number.net == net


@pytest.mark.rules("4.4.3.2.2", "4.4.2")
@both_books
def test_4_4_3_2_2_smoke_of_overwatch_counts_when_the_combat_phase_is_over(book: str) -> None:
    game = firing(book, "r1 tank A1 NE FIRE\nr2 truck A2 NE N/C\nb1 slab D1 NW MOVE\nb2 heavy E1 NW OW")
    game.shoot(fire("b1", "r1"), 100)
    game.do(BLUE, fire("r1", "b2"), 1)
    while game.question == "4.4.2":
        game.do(game.asked[0], PASS)
    assert game.why(BLUE, move("b1")) == ""
    assert [wreck.fresh for wreck in game.state.wrecks] == [False]


@pytest.mark.rules("4.4.1", "4.2.1")
@both_books
def test_4_4_1_who_has_no_other_target_takes_part(book: str) -> None:
    game = firing(
        book,
        "r1 tank A1 NE FIRE\nr2 tank A1 NE FIRE\nb1 slab D1 NW N/C known\nb2 slab E1 NW N/C",
        spotted={"r1": ["b1", "b2"], "r2": ["b1"]},
    )
    assert game.why(RED, fire("b1", "r1")) == "4.4.1"
    decision = game.rules.decision(game.state)
    assert decision is not None
    offered = [action for action in decision.options(RED) if isinstance(action, Fire) and action.target == "b1"]
    assert [[shot.firer for shot in action.shots] for action in offered] == [["r2"], ["r1", "r2"]]


@both_books
def test_ways_to_fire_are_told_by_gun_and_ammunition(book: str) -> None:
    game = firing(book, "r1 tank A1 NE FIRE\nb1 slab D1 NW N/C")
    decision = game.rules.decision(game.state)
    assert decision is not None
    node = decision.options(RED).at("b1")
    assert isinstance(node, Gather)
    for slot in node.slots:
        assert len(slot.words) == len(slot.values)
        assert all("." not in word and word.split()[-1].isupper() for word in slot.words), slot.words
