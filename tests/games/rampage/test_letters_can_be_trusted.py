"""Letters of this game from the mail to the turn letter: nothing that a commander writes is lost,
changed or carried out against the writer's will."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.games.rampage import GAME
from pbem.games.rampage.orders import Replenish
from pbem.games.rampage.view import roster
from pbem.service.intake.trial import check_file
from pbem.service.proof.lines import letter_text
from tests.games.rampage.kit import TWO, by_mail, game, kept, told


def conceded(folder: Path) -> tuple[str, str]:
    """The code for conceding in a new game, and what a letter without it is told."""
    text = told(by_mail(folder, id="ask"), "allied", "[operations]\nconcede\n")
    found = re.search(r"concede ([0-9a-f]{6})\b", text)
    assert found
    return found[1], text


# --- after the end --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "letters",
    [
        ("HELP", "LOG 1", "STATUS", "MAP", "DONE", "thanks, good game"),
        ("[operations]\n79Inf to 1303\ndone\n", "79Imf to 1303", "STATUS"),
        ("concede\n", "standing battle: fight until won", "place 4A at 1102\nplace 4B at 1102\n", "done all"),
        ("Q1: a", "TRY\n79Inf to 1303\n", "KEEP\nDONE\n", "withdraw L2", "no orders", "undo"),
    ],
)
def test_letters_after_the_end_are_answered(letters: tuple[str, ...], tmp_path: Path) -> None:
    """5.5 A game that has ended answers every letter, and no letter stops it."""
    box = by_mail(tmp_path)
    offered = told(box, "allied", "concede\n")
    code = re.search(r"concede ([0-9a-f]{6})\b", offered)
    assert code and box.row().status == "running"
    assert "The game is over: German win" in told(box, "allied", f"concede {code[1]}\ndone\n")
    for letter in letters:
        last = box.last()
        box.mail("allied", letter)
        assert box.row().status == "over", letter
        (reply,) = box.outbox(after=last)
        assert reply.recipient == box.address("allied")
        assert "The game is over" in "\n".join(letter_text(reply.raw)), letter
        assert "allied" not in kept(box)


def test_what_cannot_be_ordered_any_more_is_refused(tmp_path: Path) -> None:
    """5.5 After the end no line is kept, be it an order or nearly one, and its writer is told why."""
    box = by_mail(tmp_path)
    code = re.search(r"concede ([0-9a-f]{6})\b", told(box, "allied", "concede\n"))
    assert code
    told(box, "allied", f"concede {code[1]}\ndone\n")
    for letter in ("concede\n", "79Imf to 1303\n", "place 6A at 1507\n"):
        reply = told(box, "allied", letter)
        assert f"refused: {letter.strip()}" in reply and "no more orders" in reply
        assert kept(box) == {}


# --- giving up ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("last", ["Cheers,\nCon", "con", "co", "conc", "Con.", "Concede", "I concede"])
def test_no_signature_ends_a_game(last: str, tmp_path: Path) -> None:
    """5.5 Words that are short for concede are none, and the word itself does nothing
    without the code of this game and turn."""
    box = by_mail(
        tmp_path, f"[operations]\n79Inf to 1303, fight until won\n\n{last}\n", f"done all\n\n{last}\n"
    )
    assert box.row().status == "running"
    assert not any("concede" in text for name, text in kept(box).items() if name == "L2")


def test_conceding_takes_the_code_that_the_reply_gives(tmp_path: Path) -> None:
    """5.5 The code of another game does nothing; with the right one the game is conceded."""
    other, asked = conceded(tmp_path)
    assert "send instead:" in asked
    box = by_mail(tmp_path, f"[operations]\nconcede {other}\ndone\n")
    assert box.row().status == "running"
    code = re.search(r"concede ([0-9a-f]{6})\b", told(box, "allied", "new [operations]\nconcede\n"))
    assert code and code[1] != other
    box.mail("allied", f"concede {code[1]}\ndone\n")
    assert box.row().status == "over"


# --- lines that cannot be carried out ---------------------------------------------------------------------

IMPOSSIBLE = {
    "9Inf to 1801": "1801 contains British units; the army groups cannot share a hex [6.2]",
    "5A to 1403 1404 1405 1406 1407 1507": "0 movement points left in 1407, Paris (1507) costs 1 [9.12]",
    "1PolA, 4CanA to 1904 then 2004": "no path leads from 1802 to Rouen (1904)",
    "49BrInf to 1803": "through Allied hexes: 1802 already has 6 units",
    "3A, 4A to 1103": "the units of a force must start in the same hex: 3A at 1601, 4A at 1102 [9.1]",
}


@pytest.mark.parametrize("line", IMPOSSIBLE)
def test_a_battle_excuses_no_impossible_line(line: str, tmp_path: Path) -> None:
    """6.2, 9.1, 9.8, 9.12 What no die can make possible is to be corrected behind a battle as well;
    the letter closes nothing."""
    box = by_mail(tmp_path)
    reply = told(box, "allied", f"[operations]\n79Inf to 1303\n{line}\ndone\n")
    assert reply.startswith("1 line to correct in [operations].")
    assert f"NO   L3: {line}" in reply and IMPOSSIBLE[line] in " ".join(reply.split())
    assert box.phase().label == "t1.operations" and list(kept(box)) == ["L2", "L3"]


@pytest.mark.parametrize("line", IMPOSSIBLE)
def test_a_letter_for_a_whole_turn_is_judged_to_its_end(line: str, tmp_path: Path) -> None:
    """5.2 Operations that are written ahead in phase I are judged as if the phases before had been played."""
    box = by_mail(tmp_path, "no orders: operations\n")
    assert box.phase().label == "t2.airborne"
    reply = told(box, "allied", f"[airborne]\n[operations]\n79Inf to 1303\n{line}\ndone all\n")
    assert f"NO   L3: {line}" in reply and IMPOSSIBLE[line] in " ".join(reply.split())
    assert "closed" not in box.seat("allied").sheet["closed"]


def test_done_anyway_names_what_it_leaves_out(tmp_path: Path) -> None:
    """6.2 Without its faulty lines a section is closed only if its writer says so,
    and the reply names them."""
    box = by_mail(tmp_path, "[operations]\n79Inf to 1303, fight until won\n9Inf to 1801\n")
    reply = told(box, "allied", "done anyway\n")
    assert "Not used, because you wrote DONE ANYWAY: L3." in reply
    assert "9Inf to 1801" in reply and IMPOSSIBLE["9Inf to 1801"] in reply
    assert re.search(r"carried out +L2 ", reply)


def test_what_the_best_dice_allow_is_no_fault(tmp_path: Path) -> None:
    """8.8, 9.5 Legs behind hopeless battles are judged as if these were won:
    one division against four and then three, elites among them."""
    there = "1SS 1304, 2SS 1304, PzLr 1304, 503Tiger 1304, 70Inf 1305, 84Inf 1305, 275Inf 1305"
    state = game(f"2A 1303 reduced, {there}", allied="1303", phase="operations")
    lines = ["2A to 1304, fight until won", "2A to 1305, fight until won", "2A to 1306"]
    reply = told(by_mail(tmp_path, state=state), "allied", "[operations]\n" + "\n".join(lines))
    assert reply.startswith("Draft: DONE plays Movement and combat.")
    assert re.findall(r"^ (ok|wait|NO) +L\d", reply, re.MULTILINE) == ["ok", "wait", "wait"]


def test_what_the_dice_overtake_is_named(tmp_path: Path) -> None:
    """9.6, 7.5 A leg that was possible when it was written is passed over by name and with its reason once
    its force is thrown back."""
    box = by_mail(tmp_path, id="g", seed="81")
    letter = "4A to 1203, fight until won\n4A to 1204\n35Inf to 1103, fight at most 1 round\n"
    reply = told(box, "allied", f"standing losses: reduced first\n[operations]\n{letter}done\n")
    assert "4A ELIMINATED" in " ".join(reply.split())
    passed = re.search(r"passed over +L3 +4A to 1204\n +(.*)", reply)
    assert passed and passed[1] == "4A: eliminated [7.5]"


def test_how_far_a_line_came_is_told_of_its_end(tmp_path: Path) -> None:
    """9.3, 9.6 A force that has won stands where it was sent; one that was thrown back came as far as the hex
    that it attacked from."""
    for seed in range(1, 30):
        box = by_mail(tmp_path, seed=str(seed), id=f"far{seed}")
        orders = (
            "[operations]\n79Inf to 1303, fight at most 1 round\n2A, 9Inf to 1502, fight until won\ndone\n"
        )
        reply = told(box, "allied", orders)
        words = " ".join(reply.split())
        won, back = "WON at 1502" in words, "REPULSED at 1303" in words
        if not (won and back and "79Inf ELIMINATED" not in words):
            continue
        assert re.search(r"carried out +L2 +79Inf to 1303, fight at most 1 round \(as far as 1302\)\n", reply)
        assert "carried out L3 2A, 9Inf to 1502, fight until won" in " ".join(reply.split())
        return
    raise AssertionError("no seed has both battles")


# --- a decision in between --------------------------------------------------------------------------------

NATURAL = "4A to 1203, fight until won\n79Inf to 1403\nif not 4A is alive, 35Inf to 1203, fight until won\n"


def test_a_line_behind_a_decision_is_played(tmp_path: Path) -> None:
    """10.1 A division dies, another one's battle waits for an answer:
    the line that was written for that case is kept, and then played."""
    box = by_mail(tmp_path, id="g", seed="81")
    first = told(box, "allied", f"[operations]\n{NATURAL}done\n")
    assert "4A ELIMINATED" in " ".join(first.split()) and box.questions("allied")
    assert re.search(r"under way +L3 +79Inf to 1403\n", first), "its battle is not over"
    assert re.search(r"wait +L4 +if not 4A is alive", first)
    assert kept(box) == {"L4": "if not 4A is alive, 35Inf to 1203, fight until won"}
    while box.questions("allied"):
        last = told(box, "allied", f"Q{box.questions('allied')[0]}: a\n")
    done = "carried out L3 79Inf to 1403; L4 if not 4A is alive, 35Inf to 1203"
    assert done in " ".join(last.split())
    assert "35Inf 1102 > 1203" in last and kept(box) == {}


def test_a_line_whose_condition_fails_is_named(tmp_path: Path) -> None:
    """10.1 The same letter where the first division lives: its last line is passed over by name."""
    box = by_mail(tmp_path, id="rush", seed="81")
    reply = told(box, "allied", f"[operations]\n{NATURAL}done\n")
    assert "WON at 1203" in reply and not box.questions("allied")
    assert re.search(r"passed over +L4 +if not 4A is alive.*\n +its condition is not met\n", reply)


def test_a_kept_line_never_comes_to_mean_another_unit(tmp_path: Path) -> None:
    """7.5 A line for a division that falls while pbem waits for an answer is passed over;
    no division of a like name goes instead."""
    box = by_mail(tmp_path, id="g", seed="81")
    before = told(
        box, "allied", "[operations]\n79 to 1403\n4 A to 1203, fight until won\n4 A to 1204\ndone\n"
    )
    assert "under way" in before and kept(box) == {"L3": "4 A to 1203, fight until won", "L4": "4 A to 1204"}
    while box.questions("allied"):
        last = told(box, "allied", f"Q{box.questions('allied')[0]}: a\n")
    assert "4A ELIMINATED" in " ".join(last.split())
    assert re.search(r"passed over +L4 +4 A to 1204\n +4A: eliminated \[7.5\]\n", last)
    assert not re.search(r"4(Inf|CanA)  \d{4} >", last)


# --- comments -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mark", [";", "#", "//"])
def test_a_comment_swallows_no_instruction(mark: str, tmp_path: Path) -> None:
    """10.1 An instruction behind a comment sign is refused, and the line with all of them is offered."""
    box = by_mail(tmp_path)
    written = f"7A, 5Inf to 1203{mark} fight at most 1 round{mark} stop at 1 losses"
    reply = told(box, "allied", f"[operations]\n{written}\ndone\n")
    assert "1 line to correct in [operations]" in reply and box.phase().label == "t1.operations"
    assert "L2: 7A, 5Inf to 1203, fight at most 1 round, stop at 1 losses" in reply
    told(box, "allied", "L2: 7A, 5Inf to 1203, fight at most 1 round, stop at 1 losses\ndone\n")
    assert box.phase().label != "t1.operations" or box.questions("allied")


def test_a_plain_comment_is_no_fault(tmp_path: Path) -> None:
    """10.1 Words for oneself behind a comment sign are left alone."""
    box = by_mail(tmp_path, "[operations]\n7A, 5Inf to 1203; poor fellows\n")
    assert box.seat("allied").sheet["lines"][0].get("state", "ready") == "ready"


# --- lines that are not read ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "Guards Armd to 1802",
        "please Guards Armd to 1802",
        "- Guards Armd to 1802",
        "7BrA and friends 1803",
        "GdsA onwards",
    ],
)
def test_a_line_that_looks_like_an_order_keeps_its_section_open(line: str, tmp_path: Path) -> None:
    """9.1 A line that names a division or a hex and is not read, or not as it stands:
    no die falls in its section."""
    box = by_mail(tmp_path)
    letter = f"[operations]\n{line}\n7A to 1203, fight until won\ndone\n"
    assert not check_file(box.store, "allied", letter).ok
    reply = told(box, "allied", letter)
    assert box.phase().label == "t1.operations" and line.removeprefix("- ") in reply
    assert "Played: " not in reply


def test_all_in_a_hex_and_places_are_read(tmp_path: Path) -> None:
    """9.1 A force may be named by its hex, a hex by its name; what the way does not allow is refused,
    not left out."""
    box = by_mail(tmp_path)
    reply = told(box, "allied", "All in 1102 to 1103\nall at 1402 to 1403, then to Paris\ndone\n")
    assert kept(box) == {"L2": "All in 1102 to 1103", "L3": "all at 1402 to 1403, then to Paris"}
    assert "no path leads from 1403 to Paris (1507)" in reply and box.phase().label == "t1.operations"


# --- corrections ----------------------------------------------------------------------------------------


def test_a_corrected_line_keeps_its_place(tmp_path: Path) -> None:
    """9.1 Forces act in the order written: a correction takes the place of what it corrects,
    alone or with the whole letter again."""
    written = "[operations]\n79Imf to 1303\n5A to 1403\n7A to 1203\n"
    right = {"L2": "79Inf to 1303", "L3": "5A to 1403", "L4": "7A to 1203"}
    for number, correction in enumerate(
        ("79Inf to 1303\n", "L2: 79Inf to 1303\n", written.replace("Imf", "Inf"))
    ):
        box = by_mail(tmp_path, written, correction, id=f"place{number}")
        assert list(kept(box).items()) == list(right.items()), correction
        played = told(
            box, "allied", "standing losses: reduced first\nstanding battle: fight until won\ndone\n"
        )
        moved = re.findall(r"\b(79Inf|5A|7A) \d{4} > ", played)
        assert list(dict.fromkeys(moved)) == ["79Inf", "5A", "7A"]


def test_another_order_of_play_is_not_taken_in_silence(tmp_path: Path) -> None:
    """9.1 A letter with the kept lines in another order changes nothing and closes nothing before its writer
    says how it is meant."""
    box = by_mail(tmp_path, "[operations]\n79Inf to 1303\n5A to 1403\n7A to 1203\n")
    reply = told(box, "allied", "[operations]\n7A to 1203\n5A to 1403\n79Inf to 1303\ndone\n")
    assert list(kept(box)) == ["L2", "L3", "L4"] and box.phase().label == "t1.operations"
    assert "new [operations]" in reply


# --- names ----------------------------------------------------------------------------------------------


def test_a_lost_division_has_its_name_still(tmp_path: Path) -> None:
    """7.5, 7.8 Who orders a division that was eliminated is told so; no other one is offered in its place."""
    state = game("79Inf 1302 reduced, 3A 1302 reduced, 80Inf 1302 reduced, 35Inf 1202", phase="replacement")
    state.units["5Inf"].place = "dead"
    box = by_mail(tmp_path, state=state)
    reply = told(box, "allied", "replenish 80Inf, 5Inf\n")
    assert "5Inf has been eliminated [7.8]" in reply and "35Inf" not in reply.split("Your lines")[0]
    reading = GAME.grammar.read([(1, "replenish 5Inf")], roster(state, "allied"), "replacement")
    assert [line.order for line in reading.orders] == [Replenish(("5Inf",))]


@pytest.mark.parametrize(("place", "says"), [("grounded", "was grounded"), ("dead", "has been eliminated")])
def test_why_a_division_cannot_move_is_said(place: str, says: str, tmp_path: Path) -> None:
    """7.5, 9.15 A division that has left the game says how."""
    state = game("79Inf 1302, 80Inf 1302", phase="operations")
    state.units["5Inf"].place = place  # type: ignore[assignment]
    assert f"5Inf {says} [9.1]" in told(by_mail(tmp_path, state=state), "allied", "5Inf to 1303\n")


@pytest.mark.parametrize(("seat", "unit", "own"), [("us", "7BrA", "7A"), ("british", "7A", "7BrA")])
def test_a_division_of_the_colleague_is_no_misspelling(
    seat: str, unit: str, own: str, tmp_path: Path
) -> None:
    """1.1 An order for a division of the other commander is refused;
    none for a division of a like name is offered."""
    box = by_mail(tmp_path, **TWO)
    reply = told(box, seat, f"[operations]\n{unit} to 1303\n")
    assert f"{unit} is not one of your units [9.1]" in reply
    assert not re.search(rf"\b{own} to", reply)


# --- what is open ---------------------------------------------------------------------------------------


def test_only_what_may_still_come_is_offered(tmp_path: Path) -> None:
    """7.3, 9.15, 13.1, 13.2 Drops are offered to who commands the airborne army until it has dropped,
    reinforcements to the US army group in turns in which some are due, groundings to the army group
    that is short of supply."""
    options = {"command": "two", "airborne": "us"}
    box = by_mail(
        tmp_path, state=game("79Inf 1302 reduced, GdsA 1801 reduced", phase="replacement"), **options
    )
    us, british = (told(box, seat, "withdraw all\n") for seat in ("us", "british"))
    assert "Still open for you: [replacement], [airborne], [operations]; NO ORDERS ALL" in us
    assert "Still open for you: [replacement], [operations]; NO ORDERS ALL" in british
    box = by_mail(
        tmp_path, state=game("79Inf 1302", phase="operations", turn=3, drop_turn=2), id="late", **options
    )
    assert "Still open for you: [operations], [reinforcement];" in told(box, "us", "withdraw all\n")
    assert "Still open for you: [operations];" in told(box, "british", "withdraw all\n")
    done = told(box, "us", "no orders\n")
    assert "Still open for you: [reinforcement];" in done, "what was closed and played is not offered again"
