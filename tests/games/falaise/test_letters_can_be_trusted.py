"""No letter of this game costs an action round, and none is answered with less than what became of it:
lines of the command that is asked for, plans for commands that are still to be drawn, attachments,
and what the other side may learn of it all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from postbox import Postbox

from pbem.games.falaise.activation import Round
from pbem.games.falaise.counterattack import Gathering
from pbem.games.falaise.entering import Entry
from pbem.games.falaise.state import State
from pbem.games.falaise.tables import ALLIED_COMMANDS, GERMAN_COMMANDS, GRID
from pbem.service.time.deadline import act
from tests.correspondence import Letters, Watch
from tests.games.falaise.kit import game

FRONT = "4/2C 1424, 6/2AB 1424, 5/2C 1425, 9/3C 1323, Pz/12SS 1523, 25/12SS 1525"
"""Canadians in front of the 12th SS Panzer Division."""
CORPS = "25/12SS 1525, 26/12SS 1525, 501SS 1625, 192/21Pz 1526, 978/271 1626, 4/2C 1225"
"""The 1st SS Panzer Corps with a regiment of the 74th beside it."""
STANDING = (
    "standing 58th: never\nstanding opfire: never\nstanding ter: never\nstanding disrupt: weakest first\n"
    "standing friendly fire: weakest first\nstanding losses: weakest first\nstanding advance: never\n"
    "standing retreat: toward 1703\n"
)
"""What decides everything for the Germans."""
Opened = Callable[..., Postbox]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """Games by mail that begin with a position of turn 3, by day."""
    boxes: list[Postbox] = []

    def begin(text: str, seed: str = "5", **fields: Any) -> Postbox:
        watch = Watch("falaise", "pocket", (), seed=seed, opening=lambda: game(text, **fields))
        boxes.append(watch.club(tmp_path / f"{len(boxes)}.pbem", ()))
        return boxes[-1]

    yield begin
    for box in boxes:
        box.store.close()


@pytest.fixture
def canadians(opened: Opened) -> Postbox:
    """The Canadian 2nd Corps has been drawn, and its player is asked;
    the Germans have left all their decisions to standing orders."""
    box = opened(FRONT, phase="activation", cup=["2CC"])
    assert box.mail("german", STANDING).outcome == "accepted"
    return box


def answer(box: Postbox, seat: str, text: str) -> str:
    """Write a letter; all that its writer is sent because of it, each run of spaces as one."""
    last = box.last()
    assert box.mail(seat, text).outcome in ("accepted", "explained"), text
    return " ".join("\n".join(box.texts(box.address(seat), last)).split())


def sheet(box: Postbox, seat: str) -> list[tuple[str, str]]:
    """The lines of a seat, each with its state."""
    return [(line["text"], line.get("state", "ready")) for line in box.seat(seat).sheet["lines"]]


def closed(box: Postbox, seat: str = "allied") -> list[str]:
    return list(box.seat(seat).sheet["closed"])


# --- the command that is asked for --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("assault 1542 with 4/2C, 6/2AB", "cannot be adjacent to 1542"),
        ("assault 1524 with 4/2C, 6/2AB", "there is no enemy in 1524 [10.1]"),
        ("assault 1525 with 5/2C, 9/3C", "9/3C cannot be adjacent to 1525"),
        ("4/2C to 1424", "already in 1424 [7.2]"),
        ("4/2C to 1523", "1523 is held by the enemy"),
        ("if 1523 is held by the enemy: assault 1542 with 4/2C else hold", "1542"),
    ],
)
def test_a_line_that_cannot_be_carried_out_keeps_its_round(canadians: Postbox, line: str, why: str) -> None:
    """7.0 In the round of its command a line that nothing can make possible is a fault,
    and DONE does not play the round without it."""
    told = answer(canadians, "allied", f"{line}\ndone\n")
    assert "1 line to correct in [2CC]" in told and why in told
    assert closed(canadians) == [] and canadians.phase().label == "t3.activation"
    assert sheet(canadians, "allied") == [(line, "faulty")]
    told = answer(canadians, "allied", "L1: 4/2C to 1423\ndone\n")
    assert "carried out L1 4/2C to 1423" in told and canadians.phase().label == "t4.bombardment"


def test_odds_that_are_asked_for_are_no_fault(canadians: Postbox) -> None:
    """10.2 A line that names the worst odds at which it is made says itself when it is passed over:
    it is told so, and keeps nothing open."""
    line = "assault 1525 with 5/2C at 3-1 or better"
    told = answer(canadians, "allied", f"{line}\n")
    assert "if played now it is passed over: the odds are 1-1, not 3-1 or better [10.2]" in told
    told = answer(canadians, "allied", "done\n")
    assert f"passed over L1 {line} the odds are 1-1, not 3-1 or better [10.2]" in told


def test_try_forgives_what_can_never_be(canadians: Postbox) -> None:
    """10.1 `try` keeps no round open, not even for what is impossible for good;
    the letter says that the line is passed over, and why."""
    told = answer(canadians, "allied", "try assault 1542 with 4/2C\n")
    assert "if played now it is passed over: there is no enemy in 1542 [10.1]" in told
    assert "passed over L1" in answer(canadians, "allied", "done\n")


def test_done_anyway_goes_without_the_faulty_line(canadians: Postbox) -> None:
    """7.0 After a faulty line the letter names the words that go without it,
    and these words do it at once and for good."""
    told = answer(canadians, "allied", "9/3C to 1322\nassault 1542 with 4/2C\ndone\n")
    assert "DONE ANYWAY plays [2CC] without L2" in told
    told = answer(canadians, "allied", "done anyway\n")
    assert "Not used, because you wrote DONE ANYWAY: L2. Played: [2CC]." in told
    assert "carried out L1 9/3C to 1322" in told
    assert canadians.phase().label == "t4.bombardment"


# --- sections side by side --------------------------------------------------------------------------------


def test_a_faulty_line_opens_no_other_section(opened: Opened) -> None:
    """8.3 An airstrike on a hex without Germans is a fault of the bombardment;
    the formations that the same letter closes are closed, and stay so."""
    box = opened(FRONT + ", 71/53 1528, Koszutski 1016", phase="bombardment")
    answer(box, "german", STANDING)
    told = answer(
        box,
        "allied",
        "[bombardment]\nairstrike 1320\n[2CC]\nhold\n[12C]\nhold\n[Pol]\nhold\ndone all\n",
    )
    assert "1 line to correct in [bombardment]. Closed: [12C], [2CC], [Pol]." in told
    assert "there are no Germans in 1320 [8.1]" in told
    answer(box, "allied", "L1: airstrike 1525\n[bombardment]\ndone\n")
    answer(box, "german", "[1SS]\nhold\ndone\n")
    assert box.phase().label == "t4.bombardment"  # nobody has been asked for a formation again


def test_what_is_passed_over_is_told_with_the_reason(opened: Opened) -> None:
    """5.3, 10.1 A line that events have made void is passed over when its command acts,
    does not stop the round, and the next letter names it with the reason."""
    box = opened(FRONT + ", 317/80 3420, 318/80 3421, 358/90 3311", phase="bombardment")
    told = answer(
        box,
        "allied",
        "no orders: bombardment, 2CC\n[15C]\n317/80 to 3320\n318/80 to 3320\n358/90 to 3312\ndone\n",
    )
    assert "not possible yet: 317/80 and 318/80 cannot stack in 3320" in told
    last = box.last()
    answer(box, "german", "no orders: 1SS\n")
    told = " ".join(box.texts(box.address("allied"), last)[-1].split())
    assert "carried out L1 317/80 to 3320; L3 358/90 to 3312" in told
    assert "passed over L2 318/80 to 3320 317/80 and 318/80 cannot stack in 3320" in told
    assert box.phase().label == "t4.bombardment"


def test_the_summary_covers_all_that_its_reader_has_not_been_told(opened: Opened) -> None:
    """8.1 After a question to the other side has come between, summary and log tell of every bombardment
    since the reader's last report."""
    text = "4/2C 1424, 5/2C 1425, 71/53 1528, Pz/12SS 1523, 25/12SS 1525, 26/12SS 1525, 1055/89 1627"
    box = opened(text, phase="bombardment")
    told = answer(
        box,
        "allied",
        "[bombardment]\nartillery 12C on 1627\nairstrike 1525 times 6\nartillery 2CC on 1523\ndone\n",
    )
    assert "carried out L1 artillery 12C on 1627" in told and "under way L2" in told
    last = box.last()
    while questions := box.questions("german"):
        box.mail("german", "\n".join(f"Q{number}: a" for number in questions))
    told = " ".join(box.texts(box.address("allied"), last)[-1].split())
    assert "5 bombardments. Disrupted: 1055/89, 25/12SS, " in told
    assert all(fire in told for fire in ("12C guns on 1627", "Airstrike on 1525", "2CC guns on 1523"))
    assert re.search(r"carried out (L\d [^;]+; )?L2 airstrike 1525 times 6; L3 ", told)


# --- plans ------------------------------------------------------------------------------------------------


PLAN = "Koszutski 1016, Stefanowicz 1117, KG/9Pz 1218, 957/363 2743, 958/363 2744"


def test_lines_written_ahead_are_judged_as_one_plan(opened: Opened) -> None:
    """5.3, 10.2 Of a plan for a command still to be drawn each line is judged as if those before it had been
    done: two regiments for one hex do not both fit, and an assault after a move has its odds."""
    box = opened(PLAN, phase="bombardment")
    told = answer(box, "german", "[84]\n957/363 to 2742\n958/363 to 2742\n")
    assert "not possible yet: 957/363 and 958/363 cannot stack in 2742" in told
    told = answer(
        box, "allied", "[Pol]\nKoszutski to 1217\nmech assault 1218 with Koszutski at 2-1 or better\n"
    )
    assert "1218): 3 against 1 (KG/9Pz): 3-1, -1 town [10.2]" in told


def test_a_line_behind_the_end_of_its_round_is_told(opened: Opened) -> None:
    """7.1.2, 10.0 Behind `hold`, and behind the assaults of all that can act, no line is played:
    it says so when it is written."""
    box = opened(PLAN, phase="bombardment")
    told = answer(box, "german", "[84]\nhold\n957/363 to 2742\n[47Pz]\nKG/9Pz to 1219\n")
    assert "1 line to correct in [84]" in told and "L2: 957/363 to 2742 L1 ends the orders of [84]" in told
    plan = "Koszutski to 1217\nStefanowicz to 1217\nmech assault 1218 with Koszutski, Stefanowicz\n"
    told = answer(box, "allied", f"[Pol]\n{plan}mech assault 1218 with Stefanowicz at 1-3 or better\n")
    assert "not possible yet: there is nothing left to order by then" in told


CORPS_47 = "16/116Pz 3319, KG/9Pz 2430, 60/116Pz 3318"
BEHIND = "if at least 3 points: 16/116Pz to 3219 else hold\nKG/9Pz to 2431\n60/116Pz to 3317\n"


def test_else_hold_warns_of_the_lines_behind_it(opened: Opened) -> None:
    """7.1.2 `else hold` ends the round of the whole command: the letter names the lines
    that would not be played then, and no others."""
    told = answer(opened(CORPS_47, phase="bombardment"), "german", f"[47Pz]\n{BEHIND}")
    assert "if it ends the section, these lines are not played: L2, L3" in told


def test_what_else_hold_cuts_off_is_told(opened: Opened) -> None:
    """7.1.2 When the points are known, a line behind an `else hold` that applies is a fault;
    of one that was closed before, the next letter names the line that ended the round."""
    box = opened(CORPS_47, seed="6", phase="activation", cup=["47Pz"])
    told = answer(box, "german", f"{BEHIND}done\n")
    assert "2 lines to correct" in told and "L1 ends the orders of [47Pz]" in told
    box = opened(CORPS_47 + ", 71/53 1528, 1055/89 1627", seed="9", phase="bombardment")
    answer(box, "german", f"{STANDING}[47Pz]\n{BEHIND}done\n[1SS]\nhold\ndone\n")
    last = box.last()
    answer(box, "allied", "no orders: bombardment, 12C\n")
    told = " ".join("\n".join(box.texts(box.address("german"), last)).split())
    assert "passed over L2 KG/9Pz to 2431 L1 ended the orders" in told


# --- who attacks ------------------------------------------------------------------------------------------


def test_nobody_is_left_out_of_an_assault(canadians: Postbox) -> None:
    """10.1 Whoever is named attacks, or nobody does: odds that a line asks for excuse no unit
    that cannot take part."""
    line = "assault 1525 with 5/2C, 6/2AB, 9/3C at 1-1 or better"
    told = answer(canadians, "allied", f"{line}\ndone\n")
    assert "9/3C cannot be adjacent to 1525" in told and "against" not in told
    assert sheet(canadians, "allied") == [(line, "faulty")] and not closed(canadians)


def test_an_assault_that_has_lost_a_unit_is_passed_over(opened: Opened) -> None:
    """10.1 An assault whose unit has attacked before is passed over with the name of that unit,
    though the odds would do without it."""
    box = opened(FRONT + ", 26/12SS 1524", phase="activation", cup=["2CC"])
    answer(box, "german", STANDING)
    told = answer(
        box,
        "allied",
        "assault 1524 with 4/2C\ntry assault 1525 with 5/2C, 4/2C at 1-3 or better\ndone\n"
        "standing losses: weakest first\nstanding ter: never\nstanding advance: never\n",
    )
    assert "passed over L2" in told and "4/2C is finished for this turn [10.1]" in told


# --- attachments ------------------------------------------------------------------------------------------


@pytest.fixture
def drawn(opened: Opened) -> Postbox:
    """The 1st SS Panzer Corps has been drawn; nothing has been written for it."""
    return opened(CORPS, phase="activation", cup=["1SS"])


def test_who_is_asked_may_attach(drawn: Postbox) -> None:
    """7.0, 11.1 A player who has written nothing ahead is asked when the marker is drawn, before the die,
    and may attach units then."""
    asked = " ".join(drawn.texts(drawn.address("german"))[-1].split())
    assert "3 units may still be attached this turn [11.1]" in asked and "; attach" in asked
    assert "movement points not rolled yet" in asked and "movement points: die" not in asked
    told = answer(drawn, "german", "attach 978/271\n978/271 to 1726\ndone\n")
    assert "978/271 attached, 2 more allowed [11.1]" in told
    assert "carried out L1 attach 978/271; L2 978/271 to 1726" in told


@pytest.mark.parametrize("lines", ["attach 978/271\npause\n501SS to 1724\n", "pause\n501SS to 1724\n"])
def test_pause_shows_the_die_before_the_moves(drawn: Postbox, lines: str) -> None:
    """7.1.1 Behind the attachments, or alone, `pause` stops when the die for movement points has been thrown;
    the moves below it are a draft."""
    told = answer(drawn, "german", f"{lines}done\n")
    assert "Stopped at your PAUSE in [1SS]: the lines below it are a draft." in told
    assert "Closed: [1SS]" not in told and "3 points (die 6) [7.1.1]" in told
    assert ("978/271 attached" in told) == ("attach" in lines)
    assert sheet(drawn, "german") == [("501SS to 1724", "ready")]
    assert "carried out" in answer(drawn, "german", "done\n")


def test_before_the_die_no_line_is_called_too_slow(drawn: Postbox) -> None:
    """7.1.1 As long as the die is to come, lines are judged by what it can bring."""
    told = answer(
        drawn, "german", "if at least 3 points: 501SS to 1724\nif at least 4 points: 192/21Pz to 1626\n"
    )
    assert sheet(drawn, "german")[0][1] != "faulty" and "to correct" in told
    assert " movement points this turn [7.1.1]" in told


# --- what the other side may learn ------------------------------------------------------------------------


PROBES = (
    "status\nlog\nhistory\nmap\norders\nstanding\n",
    "try\n[2CC]\nmove 4/2C to 1423\nassault 1523 with 4/2C\n",
    "draft\n[15C]\nmove 357/90 to 3314\n",
)
WATCH = Watch("falaise", "pocket", PROBES)
SET_UP: Letters = (("german", "[set-up]\ndefault\ndone\n"), ("allied", "[set-up]\ndefault\ndone\n"))


def test_3_1_what_the_germans_considered_to_withhold(tmp_path: Path) -> None:
    """3.1 Drafts, faults and corrections before the redeployment is closed, and how many letters it took,
    show nowhere in what the Allied player is told."""
    runs: list[Letters] = [
        [("german", "[redeployment]\nwithhold D/2SS, DF/2SS\n")],
        [
            ("german", "[redeployment]\nwithhold Pz/2SS, 25/12SS, 26/12SS\nredeploy 501SS to 2216\n"),
            ("german", "[redeployment]\nL1: withhold 4/2C\n"),
            ("german", "withdraw all\nhelp\n"),
            ("german", "[1SS]\n192/21Pz to 1818\n"),
        ],
    ]

    def close(box: Postbox) -> None:
        box.mail("german", "withdraw all\n[redeployment]\nwithhold D/2SS, DF/2SS, 19/9SS\ndone\n")

    WATCH.alike_after(tmp_path, "allied", SET_UP, runs, then=close)


READY: Letters = (*SET_UP, ("german", "[redeployment]\nwithhold D/2SS, DF/2SS, 19/9SS, 20/9SS\ndone\n"))


def held(*commands: str) -> str:
    return "".join(f"[{key}]\nhold\n" for key in commands) + "done all\n"


def test_4_0_how_the_germans_came_to_their_plan(tmp_path: Path) -> None:
    """4.0 One letter for all commands, or four with drafts, faults and withdrawn lines
    that end in the same plan: the Allied player is told the same."""
    runs: list[Letters] = [
        [("german", STANDING + held(*GERMAN_COMMANDS))],
        [
            ("german", "standing opfire: always\n[1SS]\n25/12SS to 1622\nassault 4040 with 25/12SS\n"),
            ("german", STANDING + "[84]\nattach 9/3FJ\nhold\ndone\n"),
            ("german", "when 2SS: if first this turn: Pz/2SS to 3113\nnonsense to 1525\n"),
            ("german", "withdraw all\n" + held(*GERMAN_COMMANDS)),
        ],
    ]

    def play(box: Postbox) -> None:
        told = box.mail("allied", "no orders: bombardment\n" + held(*ALLIED_COMMANDS))
        assert told.outcome == "accepted" and box.phase().label != "t1.bombardment"

    WATCH.alike_after(tmp_path, "allied", READY, runs, then=play)


def test_4_0_how_the_allies_came_to_their_plan(tmp_path: Path) -> None:
    """4.0 Nor does the German player see by how many letters the Allies came to theirs,
    or what they crossed out."""
    runs: list[Letters] = [
        [("allied", held(*ALLIED_COMMANDS))],
        [
            ("allied", "[2CC]\nmove 4/2C to 1524\nassault 1542 with 4/2C\ndone\nstanding ter: always\n"),
            ("allied", "[bombardment]\nairstrike 1319\n[7C]\nhold\ndone\n"),
            ("allied", "withdraw all\nforget standing ter\n" + held(*ALLIED_COMMANDS)),
        ],
    ]

    def play(box: Postbox) -> None:
        assert box.mail("allied", "no orders: bombardment\n").outcome == "accepted"
        assert box.phase().label != "t1.bombardment"

    WATCH.alike_after(tmp_path, "german", READY, runs, then=play)


# --- whose turn it is -------------------------------------------------------------------------------------


def waiting(hidden: str, hexes: tuple[str, str], **fields: Any) -> State:
    """A unit waits as an unknown force, and nobody else; a regiment stands in each of these hexes."""
    text = "980/272 dead, 981/272 dead, 982/272 dead"
    return game(f"{text}, {hidden} unknown, 979/271 {hexes[0]}, 941/353 {hexes[1]}", **fields)


def cramped(entry: Entry, hexes: tuple[str, str]) -> Entry:
    """An entry that the enemy has narrowed down to these hexes."""
    return replace(entry, hexes=GRID.bits(hexes))


@pytest.mark.parametrize("hidden", ["978/271", "KG/9Pz"])
def test_11_4_who_is_asked_does_not_tell_who_waits(hidden: str) -> None:
    """3.1, 11.4 With a regiment in every hex of entry no other can come, but a battle group could:
    the Germans are asked either way."""
    hexes = "0810", "0910"
    state = waiting(hidden, hexes, activated=["86"], active="86", allowance=5)
    round = Round.of(state, "86", rolled=True)
    assert round.entry is not None
    round.units, round.entry = [], cramped(round.entry, hexes)
    assert list(round.joiners()) == (["KG/9Pz"] if hidden == "KG/9Pz" else [])
    assert round.may_be_joined() and round.can_act()


@pytest.mark.parametrize("hidden", ["978/271", "KG/9Pz"])
def test_11_3_who_is_asked_does_not_tell_who_joins(hidden: str) -> None:
    """3.1, 11.3 Nor does it in the gathering of the counterattack."""
    hexes = "1805", "1806"
    gathering = Gathering.of(waiting(hidden, hexes, turn=5), "47Pz")
    gathering.attachments.left, gathering.entry = 0, cramped(gathering.entry, hexes)
    assert list(gathering.subjects()) == (["KG/9Pz"] if hidden == "KG/9Pz" else [])
    assert not gathering.over


# --- deadlines and questions ------------------------------------------------------------------------------


def test_a_deadline_decides_what_was_asked_and_nothing_else(opened: Opened) -> None:
    """6.2 Who lets the time for one question pass is asked the next one, and told that the second time
    decides for the rest of the phase. The lines of a round that the deadline has closed are played
    to the end, faulty ones are not."""
    box = opened(FRONT, phase="activation", cup=["2CC"])
    answer(box, "allied", "6/2AB to 1523 then to 1423\n4/2C to 1423\n5/2C to 1325\n6/2AB to 1323\n")
    act(box.store, box.game, box.now + timedelta(days=9), force=True)
    assert box.questions("german") == [1] and closed(box) == ["2CC"]
    last = box.last()
    act(box.store, box.game, box.now + timedelta(days=18), force=True)
    assert box.questions("german") == [2]
    (told,) = box.texts(box.address("german"), last)
    assert "Q1 op-fire on 4/2C entering 1423: 1523   (default)" in told
    assert "this and anything else" in " ".join(told.split())
    last = box.last()
    act(box.store, box.game, box.now + timedelta(days=27), force=True)
    assert box.phase().label == "t4.bombardment" and box.questions("german") == []
    became = " ".join("\n".join(box.texts(box.address("allied"), 0)).split())
    assert "passed over L1 6/2AB to 1523 then to 1423 1523 is held by the enemy" in became
    assert re.search(r"carried out (L\d [^;]+; )*L3 5/2C to 1325", became)


def test_the_58th_corps_takes_the_place_of_a_corps_that_was_told_as_drawn(opened: Opened) -> None:
    """11.2 The Germans are asked once the marker is drawn; whoever says yes has the 58th Corps,
    and the letters of both sides say whose marker went back."""
    box = opened("25/12SS 1525, 978/271 1044, 4/2C 1225", phase="activation", cup=["1SS"])
    assert box.row().status == "running" and box.questions("german") == [1]
    last = box.last()
    told = answer(box, "german", "Q1: yes")
    assert box.row().status == "running", box.row().trouble
    assert "Drawn: 58Pz; back in the cup: 1SS." in told
    assert box.texts(box.address("german"), last)


# --- a round is of one kind -------------------------------------------------------------------------------


POLES = "Koszutski 1117, Stefanowicz {}, KG/9Pz 1116"


@pytest.mark.parametrize(("start", "goal"), [("1016", "1015"), ("0916", "0917")])
def test_a_move_behind_an_assault_is_told_of_the_kind_of_round(opened: Opened, start: str, goal: str) -> None:
    """7.0, 10.0 A command that makes an assault round does not move in it: the line for the move says so, and
    how to make the assault in a movement round, whether or not another assault is still possible."""
    box = opened(POLES.format(start), phase="activation", cup=["Pol"])
    told = answer(box, "allied", f"[Pol]\nassault 1116 with Koszutski\nmove Stefanowicz to {goal}\n")
    assert "nothing left to order" not in told
    assert (
        "the Polish 1st Armoured Division is making an assault round, in which none of its units moves: for "
        "moves and a mechanised assault, order `mech assault 1116 with Koszutski` below the moves instead "
        "[7.0]"
    ) in told


def test_an_assault_behind_a_move_is_told_of_the_kind_of_round(opened: Opened) -> None:
    """7.0, 10.0 In a movement round there are no assaults but mechanised ones, and the line says so."""
    box = opened(POLES.format("1016"), phase="activation", cup=["Pol"])
    told = answer(box, "allied", "[Pol]\nmove Stefanowicz to 1015\nassault 1116 with Koszutski\n")
    assert (
        "the Polish 1st Armoured Division is making a movement round, in which it makes mechanised assaults "
        "only: order either its moves or its assaults [7.0]"
    ) in told
