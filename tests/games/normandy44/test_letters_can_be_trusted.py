"""What a player may count on when writing: nothing is played that was not said to be done,
no line vanishes or comes to mean something else, and nothing of it reaches the other side before its time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from postbox import Postbox

from pbem.games.normandy44.state import State
from tests.correspondence import Letters, Watch, begun
from tests.games.normandy44.correspondence import GAME, SCRIPT, STANDING
from tests.games.normandy44.kit import game
from tests.games.normandy44.test_secrecy import WATCH

CLEAR = "5"
"""A seed with clear weather on turn 1, and a first attack that drives StB7 out of Montebourg."""
HIT = "8"
"""A seed with which bombs cost a step."""
NOTHING = "no orders: allocation, phase A, phase B, end"


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Postbox]:
    """The drive on Cherbourg, both sides writing their allocation."""
    found = begun(tmp_path / "game.pbem", SCRIPT, STANDING, seed=CLEAR)
    yield found
    found.store.close()


@pytest.fixture
def attack(box: Postbox) -> Postbox:
    """The same in the Allied phase A, with VII/US supported; the Germans do nothing in this turn."""
    assert box.mail("german", NOTHING).outcome == "accepted"
    assert box.mail("allied", "[allocation]\nsupport VII/US\ndone").outcome == "accepted"
    assert box.phase().label == "t1.a_first"
    return box


def reply(box: Postbox, seat: str, text: str) -> str:
    """What a player reads in answer to a letter, in one line."""
    last = box.last()
    box.mail(seat, text)
    return " ".join("\n".join(box.texts(box.address(seat), last)).split())


def test_2_3_the_first_letter_names_the_headquarters_of_its_reader(box: Postbox) -> None:
    """2.3, S1 Who gives which headquarters a marker, who has none this turn, and what wins."""
    letters = {seat: " ".join(box.texts(box.address(seat))[0].split()) for seat in ("allied", "german")}
    assert "write support VII/US under [allocation]" in letters["allied"]
    assert "write support LXXXIV under [allocation]" not in letters["allied"]
    assert ("write support LXXXIV" in letters["german"]) != ("You have no marker" in letters["german"])
    assert all("one of them 17SS, have a supply line to the south edge" in told for told in letters.values())


def test_the_headline_after_play_names_lines_that_play_has_made_faulty(attack: Postbox) -> None:
    """7.1 An attack for phase B that cannot be played when phase B has come is to be corrected; DONE alone
    would not close the section."""
    reply(attack, "allied", "[phase B]\nattack 0721 with 101AB\n")
    told = reply(attack, "allied", "no orders: phase A")
    assert attack.phase().label.startswith("t1.b_")
    assert "Draft: DONE ANYWAY plays [phase B] without L" in told


# --- the order of play --------------------------------------------------------------------------------------


def test_2_6_a_corrected_move_comes_before_the_attack(attack: Postbox) -> None:
    """2.6 A move that is sent again alone takes the place of the faulty one:
    it is made before the attack that stood behind it."""
    reply(attack, "allied", "[phase A]\n4US via 0618 to 9918\nattack 0519 with 4US, 82AB\ndone")
    assert attack.phase().label == "t1.a_first"
    told = reply(attack, "allied", "4US: 0618 0518")
    assert told.index("ok L2 4US: 0618 0518") < told.index("ok L3 attack 0519 with 4US, 82AB")
    told = reply(attack, "allied", "done")
    assert "carried out L2 4US: 0618 0518; L3 attack 0519 with 4US, 82AB" in told
    assert "COMBAT at Montebourg (0519) from 0518, 0619" in told


def test_2_6_a_move_that_comes_with_a_later_letter_is_made_before_the_attack(attack: Postbox) -> None:
    """2.6 All movement of a sheet comes before its first attack, in whichever order
    the letters brought them."""
    reply(attack, "allied", "[phase A]\nattack 0519 with 82AB, 4US")
    told = reply(attack, "allied", "4US to 0618 0518\ndone")
    assert "carried out L3 4US to 0618 0518; L2 attack 0519 with 82AB, 4US" in told


# --- attacks ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("odds", ["", " at 1:1 or better"])
@pytest.mark.parametrize("units", ["4US, 82AB, 101AB", "101AB"])
def test_7_1_an_attack_that_cannot_be_made_as_written_is_to_be_corrected(
    attack: Postbox, units: str, odds: str
) -> None:
    """7.1 A unit that is not next to the target makes its line faulty, whatever odds it names:
    no attack is made without it, and nothing is played."""
    told = reply(attack, "allied", f"[phase A]\n4US to 0618 0518\nattack 0519 with {units}{odds}\ndone")
    assert "1 line to correct in [phase A]" in told
    assert "101AB at 0717 is not adjacent to 0519 [7.1]" in told
    assert attack.phase().label == "t1.a_first"


def test_7_1_an_attack_that_events_overtook_is_told(attack: Postbox) -> None:
    """7.1 What was closed for phase B and has lost its target by then is passed over,
    and the next letter says so with the reason."""
    told = reply(
        attack,
        "allied",
        "[phase A]\n4US to 0618 0518\nattack 0519 with 4US, 82AB\n[phase B]\nattack 0519 with 82AB\n"
        "done all\nno orders: end",
    )
    assert "passed over L4 attack 0519 with 82AB there is no enemy in 0519 [7.1]" in told


def bombed() -> State:
    """A phase A of Cobra in which bombs fall on the last step of the only Germans."""
    state = game(
        "4US 1306, VII/US 1306, 709ID 1307", scenario="cobra", turn=8, phase="a_first", supported=["VII/US"],
        targets={"1307": "us"},
    )  # fmt: skip
    state.units["709ID"].lost = len(state.units["709ID"].counter.steps) - 1
    return state


def test_10_3_an_attack_on_what_the_bombs_destroyed_is_told(tmp_path: Path) -> None:
    """10.3 Bombs fall when movement is over. An attack behind them is judged as they left things,
    and passed over with the reason."""
    watch = Watch("normandy44", "cobra", (), "cobra", seed=HIT, opening=bombed)
    box = watch.club(tmp_path / "game.pbem", ())
    told = reply(box, "allied", "[phase A]\nmove VII/US to 1206\nattack 1307 with 4US\ndone")
    assert "709ID DESTROYED at 1307 [10.3]" in told
    assert "Played: [phase A]." in told
    assert (
        "carried out L1 move VII/US to 1206 passed over L2 attack 1307 with 4US there is no enemy in 1307"
        in told
    )
    box.store.close()


def test_7_2_the_odds_of_an_order_count_the_support_that_it_names(attack: Postbox) -> None:
    """7.2, 6.3 `at 3:1 or better` is judged with the headquarters of the same line, before and in play."""
    order = "attack 0519 with 82AB at 5:1 or better, support of VII/US"
    told = reply(attack, "allied", f"[phase A]\n{order}")
    assert "-1 bocage, +2 support = 5:1 [7.2]" in told
    assert "not 5:1" not in told
    told = reply(attack, "allied", "done")
    assert f"carried out L2 {order}" in told
    assert "-1 bocage [C3], +2 VII/US [6.3] = 5:1" in told


def test_7_2_an_attack_at_worse_odds_is_passed_over(attack: Postbox) -> None:
    """7.2 A line whose odds are too bad is no fault: what it comes to is said beforehand,
    and afterwards that it was passed over."""
    why = "4 against 1 is 3:1 with all shifts, not 6:1 or better [7.2]"
    told = reply(attack, "allied", "[phase A]\nattack 0519 with 82AB at 6:1 or better")
    assert "Lines to correct" not in told
    assert f"pass L2 attack 0519 with 82AB at 6:1 or better if played now it is passed over: {why}" in told
    told = reply(attack, "allied", "done")
    assert f"passed over L2 attack 0519 with 82AB at 6:1 or better {why}" in told
    assert "COMBAT" not in told


# --- what is written ahead ----------------------------------------------------------------------------------


def test_2_3_lines_ahead_count_on_the_lines_before_them(box: Postbox) -> None:
    """2.3, 2.6 A whole turn in one letter: phase A is judged with the markers and fighters of its allocation,
    phase B behind its phase A."""
    told = reply(
        box,
        "allied",
        "[allocation]\nsupport VII/US\ncover VII/US\n[phase A]\n4US to 0618 0518\n101AB to 0619\n"
        "attack 0519 with 4US, 82AB, 101AB, fighters 1, support of VII/US, no advance\n"
        "[phase B]\n101AB to 0618",
    )
    assert "no offensive marker" not in told and "not possible yet" not in told
    assert "4US 4 + 82AB 4 + 101AB 4 + 1 fighter 3 = 15 against StB7 1: 8:1" in told
    assert "101AB 0619 > 0618 1 of 6 MP" in told


def test_6_2_a_line_ahead_that_cannot_be_played_says_why(box: Postbox) -> None:
    """6.2, 5.1 What the lines before it leave no room for is told of a line written ahead."""
    told = reply(box, "german", "[phase A]\nFJR6 to 1019\n[phase B]\nStB7 to 0420\nStB7 to 0519")
    assert (
        "not possible yet: none of your headquarters has an offensive marker to activate FJR6 [6.2]" in told
    )
    assert "not possible yet: StB7 has already moved in this phase [5.1]" in told


def test_2_6_what_comes_behind_the_enemy_waits_for_him(box: Postbox) -> None:
    """2.6 In phase A a line for phase B is not faulty because it cannot be played now:
    the Germans move before it."""
    box.mail("german", "[allocation]\nsupport LXXXIV\ndone")
    box.mail("allied", "[allocation]\nsupport VII/US\ndone")
    told = reply(box, "allied", "[phase B]\nattack 0419 with 4US\n101AB to 0618")
    assert "waiting for: the German side; if played now: 101AB 0717 > 0618" in told
    assert "not possible yet: 4US at 0617 is not adjacent to 0419 [7.1]" in told
    assert "Lines to correct" not in told


@pytest.mark.parametrize("seed", ["1", "2"])
def test_2_1_lines_for_every_weather_stand_side_by_side(tmp_path: Path, seed: str) -> None:
    """2.1 Of lines with opposite conditions one is passed over, and none keeps its section open,
    whatever the weather."""
    box = begun(tmp_path / "game.pbem", SCRIPT, STANDING, seed=seed)
    lines = "if weather is clear: cover VII/US\nif not weather is clear: try support VII/US"
    told = reply(box, "allied", f"[allocation]\n{lines}\ndone")
    assert "Lines to correct" not in told and "Closed: Allocation." in told
    assert "if played now it is passed over: its condition is not met" in told
    box.store.close()


# --- done ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("corrected", ["attack 0519 with 4US, 82AB\ndone", "withdraw L3\ndone"])
def test_2_6_a_fault_opens_no_later_section(attack: Postbox, corrected: str) -> None:
    """2.6 What a letter closes behind the section with its fault stays closed: the correction plays both."""
    orders = "[phase A]\n4US to 0618 0518\nattack 0519 with 4US, 101AB\n[phase B]\n101AB to 0618"
    told = reply(attack, "allied", f"{orders}\ndone all\nno orders: end")
    assert "1 line to correct in [phase A]. Closed: [phase B]" in told
    told = reply(attack, "allied", corrected)
    assert "Played: [phase A], [phase B]." in told
    assert attack.phase().label == "t2.allocation"


def test_2_6_a_refused_move_keeps_the_attack_from_ending_movement(attack: Postbox) -> None:
    """2.6 While a line of an earlier letter is faulty a section does not close:
    the attack of a later one waits for its correction."""
    reply(attack, "allied", "[phase A]\n101AB to 0117\ndone")
    told = reply(attack, "allied", "[phase A]\n4US to 0618 0518\nattack 0519 with 4US, 82AB, 101AB\ndone")
    assert "DONE ANYWAY plays [phase A] without L2" in told
    assert attack.phase().label == "t1.a_first"
    told = reply(attack, "allied", "L2: 101AB to 0619\ndone")
    assert "carried out L2 101AB to 0619" in told
    assert "COMBAT at Montebourg (0519) from 0518, 0619" in told


# --- names --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "section", "line", "why"),
    [
        ("allied", "phase A", "A/2AD to 0618", "A/2AD: it is not in this scenario"),
        ("allied", "allocation", "support XXX/BR", "XXX/BR: it is not in this scenario"),
        ("german", "phase B", "22/21Pz to 0618", "22/21Pz: it is not in this scenario"),
        ("german", "phase B", "if A/2AD is alive: 709ID to 0420", "A/2AD: it is not in this scenario"),
        ("german", "phase B", "move 4US to 0618", "4US is not one of your units [5.1]"),
        ("allied", "phase B", "attack 0519 with 82AB, support of LXXXIV",
            "LXXXIV is not one of your units [7.1]"),
        ("allied", "end", "replace 4US", "only the campaign has replacements [13.0]"),
        ("german", "end", "replace 709ID", "only the campaign has replacements [13.0]"),
        ("allied", "end", "rebuild 4US", "only the campaign has replacements [13.0]"),
    ],
)  # fmt: skip
def test_s1_what_is_not_in_the_scenario_is_refused_at_once(
    box: Postbox, seat: str, section: str, line: str, why: str
) -> None:
    """S1, 13.0 A unit that takes no part, an enemy, or an order that the scenario does not have makes a line
    faulty, also one written ahead."""
    told = reply(box, seat, f"[{section}]\n{line}\ndone")
    assert f"1 line to correct in [{section}]" in told
    assert why in told
    assert section not in box.seat(seat).sheet["closed"]


def test_s1_who_comes_later_may_be_written_of() -> None:
    """2.5, E9 Units of the charts that are still to come, and von Schlieben, are names of the scenario;
    those of the other scenarios are not."""
    units = GAME.roster(GAME.start("cherbourg"), "german").units
    assert not any(units[id].absent for id in ("77ID", "353ID", "9US", "Schlieben", "709ID"))
    assert all(units[id].absent for id in ("22/21Pz", "A/2AD", "XXX/BR", "25/12SS"))


# --- standing orders ----------------------------------------------------------------------------------------


def test_n11_a_standing_order_that_is_never_reached_is_told(box: Postbox) -> None:
    """6.3 A line behind one that decides every question of its kind is marked,
    in the reply and when the standing orders are listed."""
    mark = 'standing support: always never used: "standing support: never" decides first'
    assert mark in reply(box, "german", "standing support: always")
    assert mark in reply(box, "german", "standing")
    told = reply(box, "german", "standing losses: fewest steps in town")
    assert "standing losses: fewest steps in town never used" in told
    told = reply(
        box, "german", "standing clear support\nstanding support: with LXXXIV\nstanding support: always"
    )
    assert "standing support: always never" not in told


@pytest.mark.parametrize(
    ("line", "settles"),
    [
        ("losses: lose steps before ground", True),
        ("losses: lose steps before ground in bocage", False),
        ("losses: lose ground before steps at most 2 hexes", True),
        ("losses: fewest steps in town then weakest first", False),
        ("losses: full first, weakest first", True),
        ("losses: never FJR6", True),
        ("excess: reduced first", True),
        ("retreat: toward 0118", True),
        ("retreat: fewest losses", True),
        ("support: with LXXXIV", False),
        ("support: always", True),
        ("support: always at 2:1 or better", False),
        ("support: always when it changes the column", False),
        ("support: never", True),
        ("air: up to 2 fighters", True),
        ("air: 1 fighter at 2:1 or better", False),
        ("air: never", True),
        ("guns: up to 2 points", True),
        ("guns: 2 points at 2:1 or better", False),
        ("guns: never", True),
        ("advance: always", True),
        ("advance: only with 709ID", False),
        ("advance: never out of 0818", False),
        ("advance: never", True),
        ("set down: toward 0617", True),
    ],
)
def test_n11_which_lines_settle_every_question_of_their_kind(line: str, settles: bool) -> None:
    """7.3, 7.4, 6.3, 10.1, 12.0 A line that speaks of some cases only leaves the others to the next one;
    every other line decides them all."""
    roster = GAME.roster(GAME.start("cherbourg"), "german")
    (read,) = GAME.grammar.read([(1, f"standing {line}")], roster).standing
    assert read.policy is not None and read.policy.settles is settles


# --- secrets ------------------------------------------------------------------------------------------------

ALLIED: tuple[Letters, ...] = (
    [("allied", "[allocation]\nsupport VII/US")],
    [
        ("allied", "[allocation]\nsupprt VII/US\n[phase A]\n4US to 9918"),
        ("allied", "L1: support VII/US\nL2: 4US to 0518\nattack 0519 with 4US, 82AB"),
        ("allied", "withdraw L2\n[phase B]\n101AB to 0618\nstanding support: always"),
    ],
)
GERMAN: tuple[Letters, ...] = (
    [("german", "[phase B]\n243ID to 0622\ndone")],
    [
        ("german", "[phase B]\n243ID to 9918\nattack 0619 with StB7 at 6:1 or better"),
        ("german", "L1: 243ID to 0622\ndone"),
        ("german", "withdraw all\nstanding losses: lose steps before ground in bocage"),
        ("german", "[phase B]\nPz206 to 0320\nFJR6 to 1019"),
    ],
)
"""Other numbers of letters, with faults, corrections, withdrawals and other orders."""


@pytest.mark.parametrize(("writer", "reader"), [("allied", "german"), ("german", "allied")])
def test_2_3_nothing_is_known_of_letters_before_they_are_played(
    tmp_path: Path, writer: str, reader: str
) -> None:
    """2.3 What the other side drafts, corrects and withdraws while both allocate, and in how many letters,
    changes no byte of what a player is told."""
    WATCH.alike_after(tmp_path, reader, (), ALLIED if writer == "allied" else GERMAN)


def test_2_3_a_closed_allocation_waits_without_a_sign(tmp_path: Path) -> None:
    """2.3 The reader has closed the allocation and the other side writes on:
    the letter that comes when it closes too is the same."""
    before = [("german", "[allocation]\nsupport LXXXIV\ndone")]
    again = (
        "new [phase A]\nnew [phase B]\nnew [allocation]\n[allocation]\nsupport VII/US\ndone\nstanding clear"
    )

    def close(box: Postbox) -> None:
        assert "Played: Allocation." in reply(box, "allied", again)

    WATCH.alike_after(tmp_path, "german", before, ALLIED, then=close)


def test_2_6_what_player_two_writes_while_player_one_plays(tmp_path: Path) -> None:
    """2.6 The Allies play their phase A while the Germans write, correct and withdraw lines for phase B:
    the Allied letters are the same."""
    before = [
        ("german", "no orders: allocation, phase A"),
        ("allied", "[allocation]\nsupport VII/US\ndone"),
    ]

    def play(box: Postbox) -> None:
        told = reply(box, "allied", "[phase A]\n4US to 0618 0518\nattack 0519 with 4US, 82AB\ndone")
        assert "COMBAT at Montebourg" in told
        assert box.phase().label == "t1.b_first"

    standing = [(seat, "\n".join(lines)) for seat, lines in STANDING.items()]
    PLAYED.alike_after(tmp_path, "allied", [*standing, *before], GERMAN, then=play)


PLAYED = Watch("normandy44", "cherbourg", WATCH.probes, "cherbourg", seed=CLEAR)


def test_numbers_of_a_list_are_no_units(box: Postbox) -> None:
    """`2: move FJR6 to 0720` is the second line of a list, not an order to the II Parachute Corps."""
    told = reply(box, "german", "[phase A]\n1: move StB7 to 0518\n2: move FJR6 to 0720")
    assert "L2 move FJR6 to 0720" in told and "IIFJ" not in told


def test_a_misspelt_order_in_capitals_is_no_signature(box: Postbox) -> None:
    """`SUPPRT VII/US` below the orders is a slip, not somebody's name."""
    told = reply(box, "allied", "[allocation]\nSUPPRT VII/US\ndone")
    assert "1 line to correct" in told and "support VII/US" in told


def test_a_line_waits_for_the_correction_of_one_that_cannot_be_read(attack: Postbox) -> None:
    """2.6 An attack that needs a move whose line cannot be read is no second fault."""
    told = reply(attack, "allied", "[phase A]\nmove 4US 99x\nattack 0519 with 4US, 82AB\ndone")
    assert told.startswith("1 line to correct in [phase A].")
    assert "wait L3 attack 0519 with 4US, 82AB waiting for: the correction of L2" in told


def test_11_1_a_road_is_a_hex_to_enter_at(box: Postbox) -> None:
    """11.1 The letter of a road stands for the hex by which units enter there."""
    box.mail("german", "[phase A]\nenter 77ID at road H")
    (line,) = box.seat("german").sheet["lines"]
    assert line["line"]["order"]["hex"] == "2711"


def test_an_attack_on_a_unit_is_offered_as_one_on_its_hex(box: Postbox) -> None:
    """`91ID attacks 82AB at 0719` is no order, but the line that says the same is offered."""
    last = box.last()
    box.mail("german", "[phase A]\n91ID attacks 82AB at 0719")
    (text,) = box.texts(box.address("german"), last)
    assert "send instead:  L1: attack 0719 with 91ID" in text


def test_no_attacks_is_noted_and_contradicts_an_attack(attack: Postbox) -> None:
    """`No attacks this phase` orders nothing, and is told so; beside a kept attack it is asked about, and
    nothing closes."""
    told = reply(attack, "allied", "No attacks this phase please.")
    assert '"No attacks this phase please": none is ordered' in told
    told = reply(attack, "allied", "attack 0519 with 82AB\nno attacks\ndone")
    assert "L2 says: attack 0519 with 82AB" in told and "withdraw L2" in told
    assert attack.phase().label == "t1.a_first"
    told = reply(attack, "allied", "no attacks")
    assert "L2 still says: attack 0519 with 82AB" in told
    assert '"No moves": none is ordered' in reply(attack, "allied", "No moves")


def test_no_attacks_is_said_of_the_section_asked_for(attack: Postbox) -> None:
    """An attack that is kept for a later section does not contradict it."""
    reply(attack, "allied", "[phase B]\nattack 0519 with 82AB")
    told = reply(attack, "allied", "no attacks")
    assert '"no attacks": none is ordered' in told and "still says" not in told
