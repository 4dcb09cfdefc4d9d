"""What one side keeps secret and what it writes do not show in anything that the other side gets, not by one
byte."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import zip_longest
from pathlib import Path

import pytest
from postbox import START, Postbox
from sizes import some

from pbem.games.normandy71.state import State
from pbem.service.time import deadline
from tests.correspondence import Letters, Watch
from tests.games.normandy71.kit import game

PROBES = (
    "status\nlog\nmap\nhelp odds\n",
    (
        "try\n[movement]\nall to 2524\n[combat]\nattack 2220\nattack 2625\nattack 3626\n"
        "[movement 2]\nall to 2524\n"
    ),
    "orders\nrolls\n",
)
WATCH = Watch("normandy71", "secrets", PROBES)
BY_NOON = START + timedelta(days=1)
"""When the last letter of the other side has come, however many there were."""

Going = Callable[[Postbox], object]


def position(text: str, phase: str, **fields: object) -> Callable[[], State]:
    """The start of a phase with these units."""

    def made() -> State:
        state: State = game(
            text,
            **{"phase": phase, "order_of_battle": "C", **fields},  # type: ignore[arg-type]
        )
        state.plan.beaches = {beach: [] for beach in ("3 Utah", "8 Omaha", "11 Gold")}
        return state

    return made


def same(
    tmp_path: Path,
    reader: str,
    games: Sequence[tuple[Callable[[], State] | None, Letters]],
    then: Going = lambda box: None,
    drafts: bool = False,
) -> None:
    """Games that begin as one position or another, after letters of the other side of which the last one
    closes something (or none does, if they are `drafts`): their reader is told the same, by every letter,
    header, view and answer."""
    pages, kept = [], set()
    for number, (opening, letters) in enumerate(games):
        box = replace(WATCH, opening=opening).club(tmp_path / f"{number}.pbem", ())
        for at, (seat, text) in enumerate(letters, 1):
            if at == len(letters):
                box.now = BY_NOON - timedelta(hours=1)
            received = box.mail(seat, text)
        assert ("nothing closed" in received.why) == drafts, received
        kept.add(repr((box.papers(), [row.answer for row in box.journal()], box.phase().snapshot)))
        box.now, box.written = BY_NOON, 100
        then(box)
        pages.append(list(WATCH.told(box, reader)))
        box.store.close()
    assert len(kept) == len(games)
    for other in pages[1:]:
        assert [name for name, _ in pages[0]] == [name for name, _ in other]
        for (name, first), (_, second) in zip(pages[0], other, strict=True):
            pairs = zip_longest(first.splitlines(), second.splitlines())
            assert [pair for pair in pairs if pair[0] != pair[1]] == [], name


# --- who is waited for --------------------------------------------------------------------------------------

BEACH = (
    "8/4 allied 7-4 3627, 2Rangers allied 2-4 commando 2126,"
    "g german 4-1 3626, z german 4-1 1010, w german 4-1 5130"
)


@pytest.mark.parametrize("late", [False, True])
def test_who_is_asked_to_attack_tells_nothing_of_supply(tmp_path: Path, late: bool) -> None:
    """SUP, COM.I Whether the units next to a German are in supply, and so which beaches supply, does not show
    in whether the Allied attack is waited for, nor in what follows when they let it pass."""
    move: Letters = [("allied", "[movement]\n2Rangers to 2127\ndone")]
    openings = [position(BEACH, "allied_movement", turn=3, supply=[area]) for area in ("8 Omaha", "3 Utah")]

    def pass_(box: Postbox) -> None:
        deadline.act(box.store, box.game, box.now, force=True)

    same(tmp_path, "german", [(opening, move) for opening in openings], pass_ if late else lambda box: None)


@pytest.mark.parametrize("kinds", some([("4-1", "10d6", "15-6"), ("4-1", "16-6", "10d6")], 1))
def test_who_is_asked_to_attack_tells_nothing_of_what_lies_under_a_marker(
    tmp_path: Path, kinds: tuple[str, ...]
) -> None:
    """ENT.B Flak that can only defend, lone armour and infantry under a marker are alike to the Allied
    player, before and after the German attack."""
    text = "8/4 allied 7-4 2221, 919/709 german {} 2220, 125PzG/21 german 7-6 motorised 1010"
    fields = {"turn": 4, "supply": ["11 Gold"], "trenches": "2220 german"}
    openings = [position(text.format(kind), "german_movement", **fields) for kind in kinds]
    for number, letter in enumerate(("[movement]\n125PzG/21 to 1011\ndone", "no orders: movement, combat")):
        folder = tmp_path / str(number)
        folder.mkdir()
        same(folder, "allied", [(opening, [("german", letter)]) for opening in openings])


def test_that_somebody_may_land_tells_nothing_of_the_boxes(tmp_path: Path) -> None:
    """INV.4, SUP.H Whether reinforcements wait, or stand under a marker, and whether a supply area is left
    does not show in who is waited for."""
    waiting = f"{BEACH}, 12/4 allied 7-4 later turn:3 entry:reinforcement"
    ashore = waiting.replace(
        "8/4 allied 7-4 3627", "8/4 allied 7-4 later turn:3 entry:reinforcement"
    ).replace("12/4 allied 7-4 later", "12/4 allied 7-4 3627")
    fields = {"turn": 3, "trenches": "3627 allied"}
    openings = [
        position(waiting, "allied_movement", supply=["8 Omaha"], **fields),
        position(waiting, "allied_movement", supply=["3 Utah"], dead_beaches=["3 Utah"], **fields),
        position(ashore, "allied_movement", supply=["8 Omaha"], **fields),
        position(BEACH, "allied_movement", supply=["8 Omaha"], **fields),
    ]
    letters: Letters = [("allied", "no orders: movement, combat")]
    same(tmp_path, "german", [(opening, letters) for opening in openings])


def test_that_somebody_may_move_tells_nothing_of_reserves(tmp_path: Path) -> None:
    """OOB.R A German who can move nobody is waited for all the same, whether he has reinforcements for this
    turn or not."""
    resting = "8/4 allied 7-4 2221, 919/709 german 4-1 2219"
    reserve = "130Pz/Lehr german 16-6 later turn:{} edge:south"
    fields = {"turn": 4, "supply": ["11 Gold"], "announced": {"919/709": 3}}
    openings = [
        position(f"{resting}, {reserve.format(turn)}", "allied_movement", **fields) for turn in (4, 5)
    ]
    letters: Letters = [("allied", "no orders: movement, combat, reinforcement, movement 2, entrenchment")]
    pages: list[tuple[Callable[[], State], Letters]] = [(opening, letters) for opening in openings]
    same(tmp_path, "allied", pages)


# --- the other side writes ----------------------------------------------------------------------------------

SET_UP = "[set-up]\ndefault\ndone\n"
PLAN = "[plan]\ndefault\ndone\n"


@pytest.mark.dear
def test_how_often_the_other_side_writes_does_not_show(tmp_path: Path) -> None:
    """Drafts, faults, corrections, withdrawals, questions and standing orders before the letter that counts
    change nothing for the enemy."""
    often: Letters = [
        ("german", "status\nhelp place\n"),
        ("german", "[set-up]\nplace FJR6 at 5918\nplace Own/9 at 2018\n"),
        ("german", "L2: place 916/352 at 2018\nstanding retreat: away from roads\n"),
        ("german", "withdraw all\n"),
        ("german", "try\n[set-up]\nplace 914/352 at 1917 unentrenched\n"),
        ("german", SET_UP),
    ]
    same(tmp_path, "allied", [(None, [("german", SET_UP)]), (None, often)])
    (tmp_path / "plan").mkdir()
    often = [
        ("allied", "[plan]\nland 8/4, 70 at 2 Utah\nsupply 2, 3\n"),
        ("allied", "land 8/4, 70 at 3 Utah\nsupply 17\n"),
        ("allied", "new [plan]\n[movement]\n8/4 to 5130\n[combat]\nattack 5131\n"),
        ("allied", "withdraw all\nstanding defensive gunfire: any\n"),
        ("allied", PLAN),
    ]
    same(tmp_path / "plan", "german", [(None, [("allied", PLAN)]), (None, often)])


@pytest.mark.dear
def test_a_draft_looks_like_nothing_written_and_a_closed_plan_like_any_other(tmp_path: Path) -> None:
    """INV.1A, INV.1B Until a side has closed its own deployment, it is told the same whether the other has
    written nothing, a draft or the whole, and whatever that says."""
    drafts = (
        "status\n",
        "[set-up]\nplace FJR6 at 5918\n",
        "[set-up]\nplace Own/9 at 2018\nplace 916/352 at 2018\n",
    )
    same(tmp_path, "allied", [(None, [("german", text)]) for text in drafts], drafts=True)
    (tmp_path / "closed").mkdir()
    closed_ = (SET_UP, "[set-up]\nplace FJR6 at 5817\nplace 916/352 at 2018 unentrenched\ndone anyway\n")
    same(tmp_path / "closed", "allied", [(None, [("german", text)]) for text in closed_])
    (tmp_path / "plan").mkdir()
    plans = (PLAN, "[plan]\nland 8/4, 70 at 2 Utah\ndrop 501/101 at 4025\nsupply 3 Utah\ndefault\ndone\n")
    same(tmp_path / "plan", "german", [(None, [("allied", text)]) for text in plans])


def test_other_units_under_the_same_markers_do_not_show(tmp_path: Path) -> None:
    """ENT.B Two set-ups with other units under the same markers are alike to the Allied player, through the
    landing and his first movement."""
    one = "[set-up]\nplace 919/709 at 5131\nplace 916/352 at 3828\ndefault\ndone\n"
    two = "[set-up]\nplace 916/352 at 5131\nplace 919/709 at 3828\ndefault\ndone\n"

    def land(box: Postbox) -> None:
        assert box.mail("allied", PLAN).outcome == "accepted"
        assert box.mail("allied", "no orders: movement\n").outcome == "accepted"

    same(tmp_path, "allied", [(None, [("german", one)]), (None, [("german", two)])], land)


def test_breaking_down_under_a_marker_does_not_show(tmp_path: Path) -> None:
    """STK.B, ENT.B What the German does under a marker, and what he plans for the rest of his turn, does not
    show in the Allied player's letters."""
    regiments = "919/709 german 4-1 2220, 729/709 german 4-1 2220, 125PzG/21 german 7-6 motorised 1010"
    text = f"8/4 allied 7-4 2524, {regiments}"
    fields = {"turn": 4, "supply": ["11 Gold"], "trenches": "2220 german"}
    opening = position(text, "german_movement", **fields)
    letters: list[Letters] = [
        [("german", "[movement]\n125PzG/21 to 1011\ndone")],
        [("german", "[movement]\nbreak 919/709\n125PzG/21 to 1011\ndone")],
        [
            ("german", "[movement]\n125PzG/21 to 1009"),
            ("german", "[movement 2]\n125PzG/21 to 1010\n[entrenchment]\nentrench 919/709"),
            ("german", "L1: 125PzG/21 to 1011\n[movement]\nbreak 729/709\ndone"),
        ],
    ]
    same(tmp_path, "allied", [(opening, each) for each in letters])


def test_where_reinforcements_will_land_does_not_show(tmp_path: Path) -> None:
    """INV.4 Which supply areas the Allied player's reinforcements wait at is told to nobody before they come
    ashore."""
    later = "allied 7-4 later turn:3 entry:reinforcement"
    text = f"{BEACH}, 12/4 {later}, 18/1 {later}"
    opening = position(text, "allied_reinforcement", turn=3, supply=["8 Omaha", "11 Gold"])
    letters: list[Letters] = [
        [("allied", "[reinforcement]\nland 12/4, 18/1 at 8 Omaha\ndone")],
        [("allied", "[reinforcement]\nland 12/4 at 11 Gold\nland 18/1 at 8 Omaha\ndone")],
        [
            ("allied", "[reinforcement]\nland 12/4 at 3 Utah"),
            ("allied", "withdraw all\nno orders: reinforcement"),
        ],
    ]
    same(tmp_path, "german", [(opening, each) for each in letters])


def test_supply_does_not_show_in_a_move(tmp_path: Path) -> None:
    """MOV.J The same move by units in supply and out of it, of which one spends half its allowance, is alike
    to the German."""
    openings = [position(BEACH, "allied_movement", turn=3, supply=[area]) for area in ("8 Omaha", "11 Gold")]
    letters: Letters = [("allied", "[movement]\n2Rangers to 2127\ntry 8/4 to 3727\ndone\n")]
    same(tmp_path, "german", [(opening, letters) for opening in openings])
