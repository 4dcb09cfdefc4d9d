"""The log as letters tell it: what changed something is told by its roll, the rest by the numbers of its
rolls; LOG tells it all. What a letter has told once, the next one does not repeat."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from sizes import size

from pbem.engine.autoplay import autoplay
from pbem.engine.bots import greedy_bot
from pbem.engine.play import advance
from pbem.games.falaise import GAME
from pbem.games.falaise.notes import (
    Allotted,
    Assaulted,
    Bombarded,
    FriendlyFire,
    Moved,
    OpFired,
    ResultChosen,
    RoundEnded,
    SystemActs,
    SystemPassed,
)
from pbem.games.falaise.view import view
from pbem.service.letters.log import Part, changed_forces, short_log
from tests.games.falaise.kit import game
from tests.shortened import shortened

Facts = dict[str, Any]


def fire(roll: int, who: str, effect: str) -> Facts:
    """Op-fire of the 317th Regiment at 3120."""
    note = OpFired(
        case="6.2",
        side="allied",
        firing=("317/80",),
        origin="3220",
        names=(who,),
        hex="3120",
        parts=((1, "6.2", "terrain"),),
        die=4,
        total=5,
        result={"none": "none", "halt": "halt"}.get(effect, "DIS"),
        effect=effect,
    )
    return note.facts() | {"roll": roll}


def assault(may: str) -> Facts:
    note = Assaulted(
        case="10.2",
        side="allied",
        mech=False,
        hex="1431",
        origins=("1531",),
        attackers=("158/53",),
        defenders=("986/276",),
        strengths=(6, 1),
        odds="6-1",
        parts=((-1, "10.2", "woods"),),
        die=3,
        total=2,
        result="DR",
        ters=(3, 2),
        may=may,
        better="allied" if may else "",
    )
    return note.facts() | {"roll": 9}


def chosen(final: str) -> Facts:
    return ResultChosen(case="10.2", side="allied", hex="1431", result="DR", final=final).facts()


def told(*facts: Facts) -> list[str]:
    """The lines below the head of the phase."""
    return [line.strip() for line in short_log("falaise", facts, "allied", "Action round")[1:]]


def test_6_2_op_fire_is_told_by_what_it_did() -> None:
    """6.2 Fire that hit tells its die, fire that stopped a unit its roll, the unit, the hex and who fired; of
    fire without effect only the rolls are named, on the same line."""
    shots = [
        ("9/3FJ", "none"),
        ("9/3FJ", "none"),
        ("KG/1SS", "halt"),
        ("8/3FJ", "disrupted"),
        ("KG/5FJ", "none"),
    ]
    assert told(*(fire(roll, *shot) for roll, shot in enumerate(shots, 21))) == [
        "op-fire: R24 317/80 on 8/3FJ at 3120, die 4 +1 = 5: DISRUPTED; HALTED R23 KG/1SS at 3120 by 317/80; "
        "no effect R21 to R22, R25 [6.2]"
    ]
    assert told(fire(21, "9/3FJ", "none")) == ["op-fire: no effect R21 [6.2]"]
    assert told(fire(21, "9/3FJ", "halt")) == ["op-fire: HALTED R21 9/3FJ at 3120 by 317/80 [6.2]"]


def test_10_2_an_assault_tells_the_result_that_counted() -> None:
    """10.2 The words of a result stand once: of the one that counted, whoever made it."""
    [alone] = told(assault(""))
    assert "die 3, -1 woods = 2: DR, defenders retreat; TER 3 against 2 [10.2]" in alone
    [changed] = told(assault("DL1"), chosen("DL1"))
    assert "= 2: DR; TER 3 against 2 [10.2]; the Allies make it DL1: defenders lose a step" in changed
    [left] = told(assault("DL1"), chosen("DR"))
    assert "= 2: DR; TER 3 against 2 [10.2]; the Allies leave it: defenders retreat" in left
    assert "retreat" not in changed and left.count("retreat") == 1


def test_8_4_what_hit_nothing_is_one_line() -> None:
    """8.3, 8.4, 13.1 Airstrikes, guns and friendly fire without effect share a line with the numbers of their
    rolls, the units that the system passed over another; those that were hit have their own."""
    miss = Bombarded(case="8.3", by="air", hex="3211", parts=(), die=2, total=2, result="none", disrupted=())
    near = FriendlyFire(case="8.4", hex="3311", target="3211", die=5, disrupted=())
    hit = FriendlyFire(case="8.4", hex="3312", target="3211", die=1, disrupted=("39/9",))
    passed = [
        SystemPassed(case="13.1", by=by, number=number) for by, number in (("air", 6), ("7C", 0), ("12C", 8))
    ]
    notes = [note.facts() | {"roll": roll} for roll, note in enumerate((miss, near, hit), 13)]
    assert told(*notes, *(note.facts() for note in passed)) == [
        "R15    friendly fire at 3312: die 1: 39/9 disrupted [8.4]",
        "without effect: R13 airstrike on 3211, R14 friendly fire at 3311 [8.3, 8.4]",
        "system: German units passed over: 6 by aircraft, 8 by 12C guns [13.1]",
    ]
    assert told(passed[1].facts()) == []


def test_13_2_what_the_system_does_stands_before_its_moves() -> None:
    """13.2, 7.1.1 The roll for what a command does and the one for its points share a line with its moves."""
    acts = SystemActs(case="13.2", command="7C", die=4, total=5, units="all", action="either", names=())
    points = Allotted(case="7.1.1", command="7C", die=2, parts=(), total=2, points=1)
    moved = Moved(case="7.2", side="allied", names=("16/1",), path=("3144", "2945"), spent="2", of="3")
    ended = RoundEnded(case="7.0", command="7C", mode="movement")
    notes = [acts.facts() | {"roll": 72}, points.facts() | {"roll": 73}, moved.facts(), ended.facts()]
    assert told(*notes) == [
        "R72  system: die 4 +1 = 5: all its units, movement or assault [13.2]; R73 1 point (die 2) [7.1.1]: "
        "16/1 3144 > 2945"
    ]
    assert told(notes[0], ended.facts()) == [
        "R72  system: die 4 +1 = 5: all its units, movement or assault [13.2]"
    ]


@pytest.mark.parametrize("seed", range(size(1, 2)))
def test_no_roll_that_changed_something_goes_unnamed(seed: int) -> None:
    """6.2, 8.1, 10.2 In a whole game every roll of fire, bombardment and assault that a side may know of
    stands in the short log, by itself or in a span of those without effect."""
    bots = {side: greedy_bot(GAME.judge, random.Random(seed)) for side in ("german", "allied")}
    named = 0
    for phase in autoplay(shortened(GAME, 40), f"short {seed}", bots).phases:
        state = GAME.load(phase.snapshot)
        advance(GAME.phase(state.phase).play(state), state, phase.entries)
        for seat in ("german", "allied"):
            notes = [note for note in state.log if note.seen_by(seat)]
            facts = [note.facts() | {"roll": number} for number, note in enumerate(notes, 1)]
            text = "\n".join(short_log("falaise", facts, seat, "Phase"))
            spans = [(int(a), int(b or a)) for a, b in re.findall(r"\bR(\d+)(?: to R(\d+))?", text)]
            for number, note in enumerate(notes, 1):
                if isinstance(note, OpFired | Bombarded | FriendlyFire | Assaulted):
                    assert any(a <= number <= b for a, b in spans), (phase.label, note)
                    named += 1
                if isinstance(note, OpFired) and note.effect != "none":
                    assert re.search(rf"R{number} [^;]*{re.escape(', '.join(note.names))}", text), note
    assert named > 100


# --- what has changed -------------------------------------------------------------------------------------

BEFORE = "25/12SS 1525, 989/277 dead, 8AB 2139"
AFTER = "25/12SS 1525, 989/277 dead, 26/12SS dead, 8AB 2139"


def changes(before: str, after: str, *, orders: bool = False, **fields: Any) -> dict[str, Part]:
    """What an Allied letter lists of forces between two positions."""
    views = [view(game(text, **fields), "allied") for text in (before, after)]
    return {part.title: part for part in changed_forces(GAME, views[1], views[0], orders=orders)}


def test_losses_are_told_once() -> None:
    """3.3 A letter names the units that were lost since the one before, not all that were ever lost."""
    told = "\n".join(changes(BEFORE, AFTER)["Changed since your last letter"].lines)
    assert "German, eliminated: 26/12SS" in told and "989/277" not in told
    first = "\n".join(changes("25/12SS 1525", BEFORE)["Changed since your last letter"].lines)
    assert "German, eliminated: 989/277" in first


def test_each_hex_of_many_has_a_line() -> None:
    """5.3 What is new of the enemy stands on a line for each hex, where there are more than two."""
    few, many = "25/12SS 1525", "25/12SS 1525, 26/12SS 1625, 989/277 1437, 990/277 1538"
    lines = changes("8AB 2139", f"{few}, 8AB 2139")["Changed since your last letter"].lines
    assert [line for line in lines if "The enemy" in line] == ["The enemy: 1SS 1525 25/12SS 2-5 KG"]
    lines = changes("8AB 2139", f"{many}, 8AB 2139")["Changed since your last letter"].lines
    at = lines.index("The enemy:") + 1
    assert lines[at : at + 4] == (
        "  1SS 1525  25/12SS 2-5 KG", "  1SS 1625  26/12SS 2-5 KG", "  74 1437  989/277 2-2 rgt 2st",
        "  74 1538  990/277 2-2 rgt 2st",
    )  # fmt: skip


def test_figures_are_told_when_they_change() -> None:
    """3.3 Of the figures of victory a letter has those that have changed and their sum, and says how many
    are as before and which command sends them."""
    score = next(part for part in changes(BEFORE, AFTER).values() if part.kind == "score")
    assert re.search(r"Result -?\d+ \[3\.3\]", score.lines[0]) and "as before (FORCES)" in score.lines[0]
    assert "Argentan: " not in score.lines[0]
    states = [game(BEFORE), game(AFTER, argentan="allied")]
    new, old = (view(state, "allied") for state in reversed(states))
    [line] = next(part for part in changed_forces(GAME, new, old, orders=False) if part.kind == "score").lines
    assert (
        "Argentan: Allied" in line and "Result " in line and line.endswith("other figures as before (FORCES)")
    )


def test_reminders_come_again_only_with_orders() -> None:
    """11.9 What a reader knows already is named on one line with the command that sends it; a letter that
    asks for orders has it in full."""
    open_ = {"argentan_fell": False, "zone_86": "closed", "phase": "activation"}
    assert "Reminders" in changes(BEFORE, AFTER, orders=True, **open_)
    told = changes(BEFORE, AFTER, **open_)
    assert "Reminders" not in told
    lines = told["Changed since your last letter"].lines
    assert any(line.startswith("As before: ") and "Reminders" in line for line in lines)
    assert "FORCES" in lines[-1]


def test_10_1_moves_come_before_the_assault_that_follows_them() -> None:
    """7.1.1, 10.1 The log keeps to the order of events: the points of a formation and its moves, then its
    assault."""
    points = Allotted(case="7.1.1", command="7C", die=2, parts=(), total=2, points=1)
    moved = Moved(case="7.2", side="allied", names=("16/1",), path=("3144", "2945"), spent="2", of="3")
    hit = FriendlyFire(case="8.4", hex="3312", target="3211", die=1, disrupted=("39/9",))
    notes = [points.facts() | {"roll": 7}, hit.facts() | {"roll": 8}, moved.facts()]
    assert told(*notes) == [
        "R7   1 point (die 2) [7.1.1]: 16/1 3144 > 2945",
        "R8     friendly fire at 3312: die 1: 39/9 disrupted [8.4]",
    ]
