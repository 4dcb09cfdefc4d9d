"""What a player writes is kept, judged and told as the protocol has it: corrections, slips,
lines that nothing became of, decisions in mid-phase; and what one side writes changes no byte
of what the other is sent."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import timedelta
from itertools import zip_longest
from pathlib import Path

import pytest
from postbox import Postbox

from pbem.engine.play import Ask
from pbem.games.france44.state import ENEMY, State
from pbem.service.tools import queries
from tests.correspondence import Letters, Watch, begun, looked_up, waited_for, wanted
from tests.games.france44.correspondence import GAME, SCRIPT, STANDING

FIRST = {"allied": "1", "german": "2"}
"""The seeds with which the first chit of Falaise Gap is one's own."""
ALL_US1 = "activate US1 with VII/US, VIII/US, V/US, 2AD/US, 3AD/US\n"
SAINT_LO = "inc 4: attack 1209 with VII/US, VIII/US, V/US, no advance\n"


def opened(path: Path, seat: str, *standing: str, **others: tuple[str, ...]) -> Postbox:
    """Falaise Gap with the first chit of a side drawn. The standing orders are the complete ones,
    but for sides named in `others`; `standing` lines come before those of the Germans."""
    lines = {"german": (*standing, *STANDING["german"]), "allied": STANDING["allied"]} | others
    box = begun(path / "gap.pbem", SCRIPT, {key: said for key, said in lines.items() if said}, FIRST[seat])
    assert waited_for(box) == (seat,)
    return box


def sheet(box: Postbox, seat: str) -> list[tuple[str, str]]:
    """The lines of a seat in the order of play, each with its state."""
    return [(line["text"], line.get("state", "ready")) for line in box.seat(seat).sheet["lines"]]


def answer(box: Postbox, seat: str, text: str) -> str:
    """What a seat is answered to a letter."""
    after = box.last()
    box.mail(seat, text)
    return box.texts(box.address(seat), after)[0]


def part(text: str, title: str) -> str:
    """A part of a letter; "" if it has none of this title."""
    found = re.search(
        rf"^{title}\n-+\n(.*?)(?=\n\n\S[^\n]*\n-+\n|\n== proof|\Z)", text, re.DOTALL | re.MULTILINE
    )
    return found[1] if found else ""


def waiting_for(box: Postbox) -> str:
    here = looked_up(box)[1].waiting
    return here.what if here else ""


# --- corrections ------------------------------------------------------------------------------------------


def test_a_corrected_attack_leaves_those_of_other_boxes_alone(tmp_path: Path) -> None:
    """6.0 A unit attacks in several boxes of one letter: the corrected line of box 13 takes the place
    of the faulty one and of no other."""
    box = opened(tmp_path, "allied")
    box.mail(
        "allied",
        f"[initiative]\n{ALL_US1}inc 4: attack 1209 with VII/US, VIII/US, V/US\n"
        "inc 9: attack 1209 with VIII/US, 2AD/US, 3AD/US\ninc 13: attack 1310 with 3AD/SU\ndone\n",
    )
    kept = sheet(box, "allied")
    assert [state for _, state in kept] == ["ready", "ready", "waiting", "faulty"]
    told = answer(box, "allied", "[initiative]\ninc 13: attack 1310 with 3AD/US\n")
    assert [text for text, _ in sheet(box, "allied")] == [
        *(text for text, _ in kept[:3]),
        "inc 13: attack 1310 with 3AD/US",
    ]
    assert part(told, "Changes").splitlines() == [
        " L4 was: inc 13: attack 1310 with 3AD/SU",
        "    is now: inc 13: attack 1310 with 3AD/US",
    ]
    assert waiting_for(box) == "Allied initiative"


def test_a_corrected_move_leaves_those_of_other_boxes_alone(tmp_path: Path) -> None:
    """7.0 The same of moves: the good one of box 4 stays when the one of box 9 is corrected,
    and both are ready."""
    box = opened(tmp_path, "allied")
    box.mail(
        "allied",
        "[initiative]\nactivate US1 with XIX/US, 2AD/US\ninc 4: move XIX/US to 1107\n"
        "inc 9: move XIX/US to 1209\n",
    )
    assert sheet(box, "allied")[2][1] == "faulty"
    box.mail("allied", "inc 9: move XIX/US to 1108\n")
    assert sheet(box, "allied") == [
        ("activate US1 with XIX/US, 2AD/US", "ready"),
        ("inc 4: move XIX/US to 1107", "ready"),
        ("inc 9: move XIX/US to 1108", "ready"),
    ]


def test_a_corrected_activation_keeps_its_place(tmp_path: Path) -> None:
    """5.1 It comes before its increments again; the whole letter sent once more changes nothing,
    and the chit can be played."""
    box = opened(tmp_path, "allied")
    box.mail(
        "allied", "[initiative]\nactivate US1 with VII/US, XVX/US\ninc 4: attack 1209 with VII/US, V/US\n"
    )
    right = "[initiative]\nactivate US1 with VII/US, V/US\ninc 4: attack 1209 with VII/US, V/US\n"
    box.mail("allied", "[initiative]\nactivate US1 with VII/US, V/US\n")
    ready = [(line, "ready") for line in right.splitlines()[1:]]
    assert sheet(box, "allied") == ready
    told = answer(box, "allied", right)
    assert sheet(box, "allied") == ready and not part(told, "Lines to correct")
    told = answer(box, "allied", "done")
    assert "\nPlayed: [initiative]." in told


def test_an_activation_with_lines_begins_the_section_afresh(tmp_path: Path) -> None:
    """5.1 What was kept below the old one is gone, and its writer is told line by line."""
    box = opened(tmp_path, "allied")
    box.mail("allied", f"[initiative]\n{ALL_US1}{SAINT_LO}inc 9: attack 1209 with 2AD/US\n")
    told = answer(box, "allied", "[initiative]\nactivate US1 with XIX/US\ninc 4: move XIX/US to 1107\n")
    assert [text for text, _ in sheet(box, "allied")] == [
        "activate US1 with XIX/US",
        "inc 4: move XIX/US to 1107",
    ]
    assert part(told, "Changes").count("is withdrawn") == 2 and "starts afresh" in told


def test_another_plan_does_not_close_in_the_letter_that_brings_it(tmp_path: Path) -> None:
    """5.1 An activation of other units takes the lines of the kept one off the sheet: its writer sees that
    before anything is played."""
    box = opened(tmp_path, "allied")
    box.mail("allied", "[initiative]\nactivate US1 with VII/US, V/US\ninc 4: attack 1209 with VII/US, V/US\n")
    other = "[initiative]\nactivate US1 with XIX/US, 2AD/US\ninc 4: move XIX/US to 1107\n"
    told = answer(box, "allied", f"{other}done\n")
    assert told.startswith("[initiative] stays open: L1 is another plan than before, and the old lines")
    assert part(told, "Changes").count("is withdrawn") == 1
    assert "\nPlayed: [initiative]." in answer(box, "allied", "done")


# --- slips before the first die -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("inc 4: attack 1211 with VII/US, VIII/US air heavy", "there is no enemy unit in 1211"),
        ("inc 4: attack 1310 with VII/US", "1208 and 1310 are not adjacent"),
        ("inc 6: move V/US to 1207", "box 6 cannot be entered at the start"),
    ],
)
def test_a_slip_in_the_first_box_costs_no_chit(tmp_path: Path, line: str, why: str) -> None:
    """6.0, 8.0 What nothing can make possible is to be corrected: it keeps the section open,
    and no die falls."""
    box = opened(tmp_path, "allied")
    told = answer(box, "allied", f"[initiative]\n{ALL_US1}{line}\ndone\n")
    assert why in part(told, "Lines to correct")
    assert told.startswith("1 line to correct in [initiative].")
    assert waiting_for(box) == "Allied initiative" and box.row().phase == 2


def test_a_number_before_an_attack_is_its_box(tmp_path: Path) -> None:
    """6.0 ``4: attack`` is no answer where nothing is asked, and its attack is fought in box 4."""
    box = opened(tmp_path, "allied")
    told = answer(box, "allied", "activate US1\n4: attack 1209 with VII/US, 2AD/US\ndone\n")
    assert "\nPlayed: [initiative]." in told
    assert "; L2 4: attack 1209 with VII/US, 2AD/US" in part(told, "Your orders")
    assert "Increment, box 4: attack [6.0]" in told and "SET PIECE COMBAT at Saint-Lo (1209)" in told


def test_a_number_before_an_attack_while_that_question_is_open(tmp_path: Path) -> None:
    """5.2, 6.0 It is refused with both ways of writing it, and the answer of the same letter waits
    for its correction."""
    box = opened(tmp_path, "allied", german=())
    box.mail("allied", f"{ALL_US1}{SAINT_LO}done\n")
    while (here := looked_up(box)[1].waiting) and isinstance(here, Ask) and here.kind != "reaction":
        box.mail("german", f"Q{box.questions('german')[0]}: a")
    (number,) = box.questions("german")
    attack = f"{number}: attack 1409 with 1SS, 12SS"
    letter = f"Q{number}: react\n[reaction]\nactivate PzWest with 1SS, 12SS\n{attack}\ndone\n"
    told = answer(box, "german", letter)
    wrong = " ".join(part(told, "Lines to correct").split())
    assert attack in wrong
    assert f"Q{number}: a" in wrong and f"increment {number}: attack 1409 with 1SS, 12SS" in wrong
    assert waiting_for(box) == "German reaction" and "waits" in part(told, "Your answers")


# --- what became of lines -----------------------------------------------------------------------------------


def test_a_line_that_events_overtook_is_told(tmp_path: Path) -> None:
    """8.0 The defenders have left: the attack of the next box is passed over, and its writer reads why."""
    box = opened(tmp_path, "allied", "standing retreat: give ground")
    told = answer(box, "allied", f"{ALL_US1}{SAINT_LO}inc 9: attack 1209 with 2AD/US\ndone\n")
    became = part(told, "Your orders")
    assert re.search(r" carried out  L1 .*; L2\s", became)
    assert re.search(
        r"passed over  L3   inc 9: attack 1209 with 2AD/US\n +there is no enemy unit in 1209 \[8.0\]", became
    )


def test_a_reaction_that_was_not_possible_is_told(tmp_path: Path) -> None:
    """5.2 What was written ahead for a reaction and could not be carried out is told with the reason,
    beside what was."""
    box = opened(tmp_path, "allied")
    box.mail(
        "german",
        "[reaction]\nreact as ordered\npiece 116Pz\ninc 1: attack 1207 with 116Pz\n"
        "inc 1: move 116Pz to 1711\ndone\n",
    )
    after = box.last()
    box.mail("allied", "no orders")
    became = part(box.texts(box.address("german"), after)[0], "Your orders")
    assert "; L2 piece 116Pz; L4 inc 1: move 116Pz" in became
    assert re.search(r"passed over  L3   inc 1: attack 1207 with 116Pz\n +1810 and 1207 are not", became)


def turn(number: int, allied: int, german: int) -> State:
    """The first set-up as it would stand at the beginning of a later turn, with this many chits."""
    state: State = GAME.start("crusade")
    state.turn, state.committed = number, {"allied": allied, "german": german}
    return state


def nothing(box: Postbox) -> str:
    """Whoever is waited for orders nothing; what became of the letter."""
    seat = waited_for(box)[0]
    here = looked_up(box)[1].waiting
    if isinstance(here, Ask):
        return box.mail(seat, f"Q{box.questions(seat)[0]}: none").outcome
    return box.mail(seat, f"no orders: {wanted(here, seat).section}").outcome


def test_an_arrival_into_a_full_hex_is_told_beforehand_and_afterwards(tmp_path: Path) -> None:
    """7.1, 10.1.6 When it is written ahead its writer reads that the hex is full; when it was passed over,
    why. The others come in."""
    box = Watch("france44", "gap", (), "crusade", opening=lambda: turn(2, 0, 0)).club(
        tmp_path / "gap.pbem", []
    )
    told = answer(
        box, "allied", "no orders: commitment\n[arrival]\nenter XV/US at 1409\nenter XX/US at 1207\ndone\n"
    )
    assert "not possible yet: 1409 is full" in part(told, "Your lines")
    after = box.last()
    while looked_up(box)[1].label in ("t2.begin", "t2.cycle"):
        assert nothing(box) == "accepted"
    became = "\n".join(part(text, "Your orders") for text in box.texts(box.address("allied"), after))
    assert re.search(r"passed over  L1   enter XV/US at 1409\n +1409 is full", became)
    assert "carried out  L2 enter XX/US at 1207" in became


def test_10_1_6_an_arrival_that_has_walked_to_its_goal_has_reached_it(tmp_path: Path) -> None:
    """10.1.6 Arrivals walk on when all have come in: who ends where he was sent is not told to have stopped
    at his entry hex."""
    box = opened(tmp_path, "german")
    box.mail(
        "allied", "[arrival]\nenter 4AD/US at 1409\nenter XII/BR at 1207 to 1108\nenter CA1 at 1409\ndone\n"
    )
    after = box.last()
    for seat in ("german", "allied") * 12:
        if "arrival" not in {line["section"] for line in box.seat("allied").sheet["lines"]}:
            break
        if seat in waited_for(box):
            box.mail(seat, f"no orders: {wanted(looked_up(box)[1].waiting, seat).section}\n")
    became = "\n".join(box.texts(box.address("allied"), after))
    assert re.search(r"carried out +(L\d+ [^;]*; )*L2 enter XII/BR at 1207 to 1108\b", became)
    (unit,) = [unit for unit in looked_up(box)[1].state.units.values() if unit.id == "XII/BR"]
    assert unit.hex == "1108"


# --- lines behind others ------------------------------------------------------------------------------------


def test_lines_for_the_next_chit_are_judged_as_one_series(tmp_path: Path) -> None:
    """4.9, 6.0 Before its chit is drawn a series is judged from its activation on:
    the odds hold the headquarters, and the second box follows the first."""
    box = opened(tmp_path, "allied")
    letter = (
        "[initiative]\nactivate AOK7 with IIFJ, 2Pz, Lehr\ninc 4: attack 1309 with IIFJ, 2Pz\n"
        "inc 9: attack 1309 with Lehr\n"
    )
    lines = part(answer(box, "german", letter), "Your lines")
    assert "not possible" not in lines and "against" in lines
    assert all(state == "waiting" for _, state in sheet(box, "german"))
    wrong = f"new [initiative]\n{letter}inc 13: move 1SS to 1411\n"
    lines = " ".join(part(answer(box, "german", wrong), "Your lines").split())
    assert "1SS is not under command" in lines


def test_a_series_with_a_headquarters_on_the_spot_counts_it_beforehand(tmp_path: Path) -> None:
    """4.9, 9.6 The headquarters that the series activates is in the odds that are told,
    before its chit is drawn and after."""
    for seat in ("allied", "german"):
        folder = tmp_path / seat
        folder.mkdir()
        box = opened(folder, seat)
        told = answer(box, "allied", f"[initiative]\n{ALL_US1}inc 4: attack 1209 with VII/US\n")
        assert "VII/US 7 + US1 3 = 10 against" in part(told, "Your lines")


def test_boxes_behind_a_combat_are_judged_with_the_best_of_dice(tmp_path: Path) -> None:
    """6.0 A sound series of four boxes waits for its dice, and none of its lines is said to be impossible."""
    box = opened(tmp_path, "allied")
    told = answer(
        box,
        "allied",
        f"[initiative]\n{ALL_US1}{SAINT_LO}inc 9: attack 1209 with 2AD/US, 3AD/US\n"
        "inc 13: move 2AD/US to 1108\n",
    )
    assert [state for _, state in sheet(box, "allied")] == ["ready", "ready", "waiting", "waiting"]
    assert "cannot be entered" not in told and "not possible" not in told


def test_the_lines_of_a_piece_are_judged(tmp_path: Path) -> None:
    """5.2, 6.0 Below `piece` stand the lines of that unit: what it cannot do is told at once."""
    box = opened(tmp_path, "allied")
    lines = part(
        answer(box, "german", "[reaction]\nreact as ordered\npiece 116Pz\ninc 1: move 116Pz to 1207\n"),
        "Your lines",
    )
    assert re.search(r"116Pz to 1207\n.*\n +not possible yet: ", lines)


def test_a_reaction_is_not_faulty_for_what_the_enemy_may_still_do(tmp_path: Path) -> None:
    """5.2 Lines for a reaction to a chit that is being played wait for the enemy's move,
    and can be closed."""
    box = opened(tmp_path, "allied")
    told = answer(
        box, "german", "[reaction]\nreact as ordered\npiece 116Pz\ninc 1: attack 1711 with 116Pz\ndone\n"
    )
    assert told.startswith("Closed: [reaction]. Waiting for Allied (Anna).")
    assert [state for _, state in sheet(box, "german")] == ["waiting"] * 3
    assert "waiting for: the Allied side" in told


# --- errors that make no others -----------------------------------------------------------------------------


def test_a_faulty_activation_makes_no_other_line_faulty(tmp_path: Path) -> None:
    """4.7, 5.1 Seven units for six: one line is to be corrected, and those below it are judged
    as if it had been."""
    box = opened(tmp_path, "allied")
    seven = ALL_US1.strip() + ", XIX/US, 4AD/US\n"
    box.mail("allied", f"[initiative]\n{seven}{SAINT_LO}inc 9: attack 1209 with 2AD/US\n")
    assert [state for _, state in sheet(box, "allied")] == ["faulty", "ready", "waiting"]
    box.mail("allied", f"new [initiative]\n{seven}{SAINT_LO}inc 9: attack 1211 with 2AD/US\n")
    assert [state for _, state in sheet(box, "allied")] == ["faulty", "ready", "faulty"]


def test_lines_below_an_activation_that_cannot_be_read_wait_for_it(tmp_path: Path) -> None:
    """5.1 With no word of its own error: what nobody knows to be wrong is not said to be."""
    for number, units in enumerate(("VII/US, XVX/US", "XVX, VVIII")):
        folder = tmp_path / str(number)
        folder.mkdir()
        box = opened(folder, "allied")
        told = answer(
            box, "allied", f"[initiative]\nactivate US1 with {units}\ninc 4: attack 1209 with VII/US, V/US\n"
        )
        assert [state for _, state in sheet(box, "allied")] == ["faulty", "waiting"]
        assert "waiting for: the correction of L1" in told and told.startswith(
            "1 line to correct in [initiative]."
        )


def test_a_faulty_move_does_not_close_the_boxes_behind_it(tmp_path: Path) -> None:
    """6.0 One hex at sea in box 4: the marker is taken to go on, lines of other units are ready,
    those of the same unit wait for the correction."""
    box = opened(tmp_path, "allied")
    told = answer(
        box,
        "allied",
        f"[initiative]\n{ALL_US1}inc 4: move 2AD/US to 0805\ninc 9: attack 1209 with VII/US\n"
        "inc 13: move 2AD/US to 1207\n",
    )
    assert [state for _, state in sheet(box, "allied")] == ["ready", "faulty", "ready", "waiting"]
    assert "cannot be entered" not in told


def test_all_names_of_a_line_that_nobody_has_are_told_at_once(tmp_path: Path) -> None:
    """4.7 Three wrong names take one letter, not three."""
    box = opened(tmp_path, "allied")
    told = answer(box, "allied", "[initiative]\nactivate US1 with VII/US, XVX, V/US, VVIII and QQ/US\n")
    wrong = " ".join(part(told, "Lines to correct").split())
    assert 'unknown word "XVX"' in wrong and 'also unknown: "VVIII", "QQ/US"' in wrong


# --- the letters of a combat in several parts ---------------------------------------------------------------


def test_a_combat_in_several_parts_is_told_whole(tmp_path: Path) -> None:
    """9 When the defender has answered, the attacker reads of his attack, his losses and the map what he
    has not been told, not what came last."""
    lines = tuple(
        line for line in STANDING["german"] if not line.startswith(("standing lead", "standing retreat"))
    )
    box = opened(tmp_path, "allied", german=lines)
    first = answer(box, "allied", f"{ALL_US1}{SAINT_LO}done\n")
    assert "under way    L2" in part(first, "Your orders")
    after = box.last()
    asked = []
    while isinstance(here := looked_up(box)[1].waiting, Ask):
        asked.append(here.kind)
        box.mail("german", f"Q{box.questions('german')[0]}: a")
    assert asked[0] == "lead" and len(asked) > 1
    report = box.texts(box.address("allied"), after)[0]
    assert "1 Allied attack." in report and re.search(
        r"Allied losses: \d+ steps?\. German losses: \d", report
    )
    assert "SET PIECE COMBAT at Saint-Lo (1209)" in report
    assert "carried out  L2" in part(report, "Your orders")
    assert "Nothing has happened" not in report


def test_what_standing_orders_decided_in_between_is_told(tmp_path: Path) -> None:
    """9.3, 9.6 The defender's next letter has every decision that his standing orders took since the last
    one, whichever run took it."""
    lines = tuple(line for line in STANDING["german"] if not line.startswith("standing losses"))
    box = opened(tmp_path, "allied", german=lines)
    box.mail("allied", f"{ALL_US1}{SAINT_LO}done\n")
    told = box.texts(box.address("german"))[-1]
    assert "lead in 1209: 2SS" in part(told, "Decided for you")
    assert "retreat from 1209: stay" in part(told, "Decided for you")
    after = box.last()
    box.mail("german", f"Q{box.questions('german')[0]}: a")
    told = "\n".join(part(text, "Decided for you") for text in box.texts(box.address("german"), after))
    assert "German reaction: deny" in told and "lead in 1209" not in told


# --- answers and faulty lines -------------------------------------------------------------------------------


def test_an_answer_waits_for_the_faulty_line_beside_it(tmp_path: Path) -> None:
    """9.3 No die falls while a standing order of the same letter is to be corrected,
    also not for a question about the game; its correction lets the answer go, and the reply says so."""
    box = opened(tmp_path, "allied", german=())
    box.mail("allied", f"{ALL_US1}{SAINT_LO}done\n")
    (number,) = box.questions("german")
    told = answer(box, "german", f"Q{number}: b\nstanding retreat: never\n")
    assert told.startswith(f"1 line to correct. Q{number} waits")
    assert waiting_for(box) == "lead in 1209"
    answer(box, "german", "status\n")
    assert waiting_for(box) == "lead in 1209"
    told = answer(box, "german", "standing retreat: stay\n")
    assert f"\nAnswered: Q{number}." in told
    assert f"Q{number} lead in 1209: b 2SS" in part(told, "Your answers")
    assert waiting_for(box) == "German losses at 1209"


def test_the_letter_after_a_pause_tells_the_combat(tmp_path: Path) -> None:
    """6.0, 9 Who stops to see what came of an attack gets its dice, the forces and the map with the lines
    that are a draft again."""
    box = opened(tmp_path, "allied", "standing retreat: give ground")
    after = box.last()
    box.mail("allied", f"{ALL_US1}{SAINT_LO}pause\ninc 9: attack 1209 with 2AD/US\ndone\n")
    row = box.outbox(box.address("allied"), after)[0]
    told = box.texts(box.address("allied"), after)[0]
    assert told.startswith("Stopped at your PAUSE in [initiative]: the lines below it are a draft.")
    assert "SET PIECE COMBAT at Saint-Lo (1209)" in told and "Your units on the map" in told
    assert b"image/png" in row.raw
    assert "there is no enemy unit in 1209" in part(told, "Your lines")
    assert waiting_for(box) == "Allied initiative"


@pytest.mark.parametrize("line", ["replace VII/US with 2 points", "replace XXV/US with 2 points"])
def test_a_corrected_replacement_needs_no_heading(tmp_path: Path, line: str) -> None:
    """10.1.2 `replace` stands in one section only: a line without a heading goes there,
    also if it has to be corrected again."""
    box = opened(tmp_path, "allied")
    box.mail("allied", "[administration]\nreplace VII/SU\n")
    told = answer(box, "allied", f"{line}\n")
    lines = box.seat("allied").sheet["lines"]
    assert {each["section"] for each in lines} == {"administration"}
    assert "needs a heading" not in told and "not allowed here" not in told


# --- secrets ------------------------------------------------------------------------------------------------

PROBES = (
    "status\nlog\nhistory\norders\n",
    "try\n[initiative]\nactivate US1 with VII/US, VIII/US\ninc 4: attack 1209 with VII/US, VIII/US\n",
    "try\n[initiative]\nactivate AOK7 with 1SS, 12SS\ninc 4: attack 1409 with 1SS, 12SS\n",
    "draft\n[reaction]\nreact with a point\n",
)
WATCH = Watch("france44", "gap", PROBES, "crusade")
SEEDS = {"allied": WATCH, "german": Watch("france44", "gap", PROBES, "crusade", seed="2")}
"""With these seeds the first chit is the reader's."""
BEGUN = (("allied", "[commitment]\ncommit 3\ndone\n"), ("german", "[commitment]\ncommit 2\ndone\n"))


def alike(path: Path, watch: Watch, reader: str, before: Letters, runs: Iterable[Letters]) -> None:
    """Games in which the other side writes other letters, and more or fewer of them, in the same hours:
    all that the reader is sent, headers and all, and all that he can find out, is the same to the byte."""
    pages, kept = [], []
    for number, letters in enumerate(runs):
        box = watch.club(path / f"{number}.pbem", before)
        now, written = box.now, box.written
        for seat, text in letters:
            box.mail(seat, text)
        kept.append((box.papers(), [row.answer for row in box.journal()]))
        box.now, box.written = now + timedelta(hours=10), written + 10
        pages.append(list(watch.told(box, reader)))
        box.store.close()
    assert all(each != kept[0] for each in kept[1:])
    for page in pages[1:]:
        assert [name for name, _ in page] == [name for name, _ in pages[0]]
        for (name, first), (_, second) in zip(pages[0], page, strict=True):
            pairs = zip_longest(first.splitlines(), second.splitlines())
            assert [pair for pair in pairs if pair[0] != pair[1]] == [], name


def by(writer: str, *letters: str) -> Letters:
    return [(writer, letter) for letter in letters]


SIDES = pytest.mark.parametrize(("writer", "reader"), list(ENEMY.items()))


@pytest.mark.dear
@SIDES
def test_drafts_and_corrections_of_a_commitment_do_not_show(tmp_path: Path, writer: str, reader: str) -> None:
    """2.0.8 One draft, four with corrections and questions, or a letter full of errors:
    nobody else can tell."""
    runs = [
        by(writer, "[commitment]\ncommit 1\n"),
        by(writer, "[commitment]\ncommit 2\n", "commit 9\n", "commit 3\n", "status\nhelp\n"),
        by(writer, "[commitment]\ncomit two\n[initiative]\nactivate XVX\n"),
        by(writer, "[commitment]\ncommit 1\ndone\n", "[commitment]\ncommit 2\n"),
    ]
    alike(tmp_path, WATCH, reader, (), runs)


@pytest.mark.dear
@SIDES
def test_how_often_a_commitment_was_changed_does_not_show(tmp_path: Path, writer: str, reader: str) -> None:
    """2.0.8 Who has closed is known, what and after how many letters is not."""
    runs = [
        by(writer, "[commitment]\ncommit 1\ndone\n"),
        by(writer, "[commitment]\ncommit 1\n", "[commitment]\ncommit 2\n", "done\n"),
        by(writer, "[commitment]\ncommit 2\ndone\n", "withdraw all\n", "no orders: commitment\n"),
    ]
    alike(tmp_path, WATCH, reader, (), runs)


AHEAD = {
    "allied": (
        ["[reaction]\nreact as ordered\npiece 2AD/US\ninc 1: move 2AD/US to 1207\ndone\n"],
        ["[reaction]\nreact with a point\n", "withdraw all\n", "[arrival]\nenter 4AD/US at 1409\n"],
        [
            "standing reaction: never\nstanding done: always\n",
            "[administration]\nreplace VII/SU\ndone\n",
            "orders\n",
        ],
        [
            "[initiative]\nactivate US1\ninc 4: attack 1209 with VII/US\ndone\n",
            "draft\n[initiative]\nactivate BR2\n",
        ],
    ),
    "german": (
        ["[reaction]\nreact as ordered\npiece 116Pz\ninc 1: move 116Pz to 1711\ndone\n"],
        ["[reaction]\nreact with a point\n", "withdraw all\n", "[administration]\nreplace LXXXIV\n"],
        [
            "standing reaction: never\nstanding done: always\n",
            "[administration]\nreplace LXXXVI/G\ndone\n",
            "orders\n",
        ],
        [
            "[initiative]\nactivate AOK7\ninc 4: attack 1309 with IIFJ\ndone\n",
            "draft\n[initiative]\nactivate PzWest\n",
        ],
    ),
}


@pytest.mark.dear
@SIDES
def test_what_is_written_ahead_does_not_show(tmp_path: Path, writer: str, reader: str) -> None:
    """5.1, 5.2, 10.1 While the reader has his chit the other side closes a reaction, takes one back,
    corrects, leaves standing orders, writes for its own next chit: nothing of it reaches the reader."""
    runs = [by(writer, *letters) for letters in AHEAD[writer]]
    alike(tmp_path, SEEDS[reader], reader, BEGUN, runs)


@SIDES
def test_the_hour_in_which_the_other_side_writes_is_not_told(
    tmp_path: Path, writer: str, reader: str
) -> None:
    """5.2 The next letter that play brings has the same number, subject and references,
    however many letters came in between."""
    subjects = []
    for number, letters in enumerate(([], AHEAD[writer][1])):
        box = SEEDS[reader].club(tmp_path / f"{number}.pbem", BEGUN)
        now, written = box.now, box.written
        for text in letters:
            box.mail(writer, text)
        box.now, box.written = now + timedelta(hours=10), written + 10
        after = box.last()
        box.mail(reader, "no orders")
        rows = box.outbox(box.address(reader), after)
        heads = [row.raw.split(b"\n\n")[0].replace(b"\r", b"") for row in rows]
        keep = (b"Message-ID", b"X-Pbem", b"Subject", b"In-Reply-To", b"References", b"Date")
        subjects.append([[line for line in head.split(b"\n") if line.startswith(keep)] for head in heads])
        assert queries.view_of(box.store, "gap", reader).title
        box.store.close()
    assert subjects[0] == subjects[1] and subjects[0]


def test_no_orders_for_a_reaction_is_an_answer(tmp_path: Path) -> None:
    """5.2 Who has closed [reaction] without orders is not asked whether he reacts;
    this holds for the next opportunity alone."""
    box = opened(tmp_path, "allied", german=())
    box.mail("german", "no orders: reaction")
    assert box.seat("german").sheet["closed"] == ["reaction"]
    box.mail("allied", "activate US1\ninc 4: attack 1209 with VII/US, 2AD/US\ndone\n")
    for number in (1, 2, 3):  # lead, retreat and losses, then no question about a reaction
        assert box.questions("german") == [number]
        box.mail("german", f"Q{number}: a")
    assert box.questions("german") == [] and box.seat("german").sheet["closed"] == []
    assert ("none", "orders") in [
        (row.answer, row.by) for row in box.journal() if "German reaction" in row.asked
    ]
