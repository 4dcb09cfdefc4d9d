"""Assaults (10.0 to 10.2) and help (11.9.1, 11.9.2): every cell of the table, every modifier,
who may attack whom, losses and ratings.

0624 is open country for three hexes around: north-east 0524, then clockwise 0623, 0724, 0725, 0625, 0525.
0431 lies behind a stream from 0332, 0432 and 0532, 0718 behind the Dives with a bridge from 0818.
1426 and 3142 are towns, 0330 is wooded, 0732 a crest with a neighbour on the same crest, 0832.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest

from pbem.engine.errors import NotAllowed, Overtaken, Unwanted
from pbem.engine.play import Answer, Ask, Phase, advance
from pbem.games.falaise.assault import Assaults, Fight, ResultChange, UnitHit, chances, odds_column
from pbem.games.falaise.notes import (
    Assaulted,
    CalledOff,
    DisruptedBy,
    Eliminated,
    HelpTried,
    ResultChosen,
    StepLost,
)
from pbem.games.falaise.orders import Assault, Attack, MechAssault
from pbem.games.falaise.state import Side, State
from pbem.testing.odds import distribution
from tests.games.falaise.kit import at, game
from tests.games.playing import Played, play

HEX = "0624"


def assaults(
    *orders: Attack, side: Side = "allied", command: str = "12C", **fields: Any
) -> Callable[[State], Phase[Any]]:
    """A phase in which these assaults are made in turn."""

    async def phase(state: State) -> None:
        round = Assaults(state, side, command, isinstance(orders[0], MechAssault), **fields)
        for order in orders:
            round.check(order)
            await round.carry_out(order)

    return phase


def fought(
    text: str,
    *orders: Attack,
    dice: Sequence[int] = (),
    choose: Callable[[Ask[Any]], Any] | None = None,
    options: dict[str, str] | None = None,
    turn: int = 3,
    **fields: Any,
) -> Played:
    """Assaults played to their end."""
    state = game(text, turn=turn, options=options or {})
    played = play(assaults(*orders, **fields), state, dice=dice, choose=choose)
    assert played.ended, played.progress.waiting
    return played


def answering(**answers: Any) -> Callable[[Ask[Any]], Any]:
    """Answers by kind of decision."""
    return lambda ask: answers.get(ask.kind)


def outcome(played: Played) -> str:
    """The result that the first assault has come to, after a change by rating."""
    chosen = [note.final for note in played.of(ResultChosen)]
    return chosen[0] if chosen else played.of(Assaulted)[0].result


def refused(text: str, order: Attack, *, options: dict[str, str] | None = None, **fields: Any) -> NotAllowed:
    """What an order is refused with."""
    with pytest.raises(NotAllowed) as caught:
        play(assaults(order, **fields), game(text, options=options or {}))
    return caught.value


# --- odds and the table -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [
        (12, 7, "1-1"),
        (7, 12, "1-2"),
        (3, 3, "1-1"),
        (5, 3, "1-1"),
        (6, 3, "2-1"),
        (9, 5, "1-1"),
        (18, 3, "6-1"),
        (20, 3, "6-1"),
        (30, 3, "6-1"),
        (3, 4, "1-2"),
        (3, 6, "1-2"),
        (3, 7, "1-3"),
        (1, 3, "1-3"),
        (3, 10, None),
        (1, 4, None),
    ],
)
def test_10_2_odds(attack: int, defence: int, column: str | None) -> None:
    """10.2 Fractions are dropped for the stronger attacker, and rounded for the defender against the weaker
    one; 6-1 is the best, below 1-3 there is no column."""
    assert odds_column(attack, defence) == column


ATTACKS: dict[str, tuple[Side, str, str, tuple[str, ...]]] = {
    "1-3": ("german", "2FJ", "71/53 0624, KG/5FJ 0623", ("KG/5FJ",)),
    "1-2": ("german", "84", "71/53 0624, 941/353 0623", ("941/353",)),
    "1-1": ("allied", "12C", "941/353 0624, 71/53 0623", ("71/53",)),
    "2-1": ("allied", "12C", "941/353 0624, 71/53 0623, Greys/4AB 0623 disrupted", ("71/53", "Greys/4AB")),
    "3-1": ("allied", "12C", "941/353 0624, 71/53 0623, 158/53 0724", ("71/53", "158/53")),
    "4-1": (
        "allied",
        "12C",
        "941/353 0624, 71/53 0623, 158/53 0724, Greys/4AB 0623 disrupted",
        ("71/53", "158/53", "Greys/4AB"),
    ),
    "5-1": (
        "allied",
        "12C",
        "941/353 0624, 71/53 0623, 158/53 0724, Greys/4AB 0623 disrupted, 44RTR/4AB 0724 disrupted",
        ("71/53", "158/53", "Greys/4AB", "44RTR/4AB"),
    ),
    "6-1": (
        "allied",
        "12C",
        (
            "941/353 0624, 71/53 0623, 158/53 0724, 160/53 0725, Greys/4AB 0623 disrupted, "
            "44RTR/4AB 0724 disrupted"
        ),
        ("71/53", "158/53", "160/53", "Greys/4AB", "44RTR/4AB"),
    ),
}
"""Attackers and defenders of rating 3 for every column; disrupted armour is rated below it."""
ROWS = {
    1: "AL1 AL1 AL1 AL1 CON CON DR DR",
    2: "AL1 AL1 AL1 CON CON DR DR DL1",
    3: "AL1 AL1 CON CON DR DR DL1 DL1",
    4: "AL1 CON CON DR DR DL1 DL1 DLR",
    5: "CON CON DR DR DL1 DL1 DLR DLR",
    6: "CON DR DR DL1 DL1 DLR DLR DLR",
}
CELLS = [
    (column, die, result)
    for die, row in ROWS.items()
    for column, result in zip(ATTACKS, row.split(), strict=True)
]


@pytest.mark.parametrize(("column", "die", "result"), CELLS)
def test_10_2_every_cell_of_the_table(column: str, die: int, result: str) -> None:
    """10.2, 9.0 Each die in each column, and what it comes to on the map."""
    side, command, text, units = ATTACKS[column]
    played = fought(text, Assault(HEX, units), dice=[die], side=side, command=command)
    state = played.state
    (note,) = played.of(Assaulted)
    assert (note.odds, note.die, note.total, note.result, note.may) == (column, die, die, result, "")
    assert note.roll == 1
    (defender,) = [unit for unit in state.on_map() if unit.side != side]
    lost = sum(state.units[id].counter.steps - state.units[id].steps for id in units)
    assert lost == (result == "AL1")
    assert defender.counter.steps - defender.steps == (result in ("DL1", "DLR"))
    assert defender.disrupted == (result in ("DL1", "DLR"))
    assert (defender.hex != HEX) == (result in ("DR", "DLR"))
    assert not played.asked("ter"), "the ratings are equal"
    assert all(state.units[id].finished for id in units)
    assert not defender.finished


@pytest.mark.parametrize(
    ("plus", "die", "result"), [("town", 1, "AL1"), ("cover", 2, "AL1"), ("town", 6, "DR")]
)
def test_10_2_the_die_is_clamped_and_modified(plus: str, die: int, result: str) -> None:
    """10.2 A modified die below 1 counts as 1."""
    hex, origin = {"town": ("1426", "1425"), "cover": ("0330", "0329")}[plus]
    played = fought(f"941/353 {hex}, 71/53 {origin}", Assault(hex, ("71/53",)), dice=[die])
    (note,) = played.of(Assaulted)
    assert (note.total, note.result) == (die - 1, result)


def test_10_2_below_1_3_no_die_is_thrown() -> None:
    """10.2 Odds below 1-3 cost the attacker a step at once."""
    played = fought(
        "71/53 0624, Greys/4AB 0624 disrupted, KG/5FJ 0623",
        Assault(HEX, ("KG/5FJ",)),
        side="german",
        command="2FJ",
    )
    (note,) = played.of(Assaulted)
    assert (note.odds, note.die, note.roll, note.result, note.may) == ("", 0, 0, "AL1", "")
    assert played.state.units["KG/5FJ"].place == "dead"
    assert not played.rolled()


@pytest.mark.parametrize(("answer", "final"), [("change", "CON"), ("keep", "AL1")])
def test_10_2_the_rating_may_soften_the_automatic_loss(answer: str, final: str) -> None:
    """10.2 A better attacker makes contact of the loss below 1-3 as of any other."""
    played = fought(
        "71/53 0624, Greys/4AB 0624 disrupted, Recon/Lehr 0623",
        Assault(HEX, ("Recon/Lehr",)),
        side="german",
        command="47Pz",
        choose=answering(ter=answer),
    )
    assert outcome(played) == final
    assert (played.state.units["Recon/Lehr"].place == "map") == (final == "CON")


# --- modifiers --------------------------------------------------------------------------------------------

GERMAN = "941/353"
MODIFIERS = [
    ("open", "0624", "71/53 0623", False, 0),
    ("town", "1426", "71/53 1425", False, -1),
    ("woods", "0330", "71/53 0329", False, -1),
    ("bocage", "0203", "71/53 0204", False, -1),
    ("rough", "0340", "71/53 0341", False, -1),
    ("crest", "0732", "71/53 0831", False, -1),
    ("crest, an attacker as high", "0732", "71/53 0831, 158/53 0832", False, 0),
    ("a stream", "0431", "71/53 0432", False, -1),
    ("a stream, two hexes", "0431", "71/53 0432, 158/53 0332", False, -2),
    ("a stream, one hex of two units", "0431", "71/53 0432, Greys/4AB 0432", False, -1),
    ("a stream for one hex of two", "0431", "71/53 0432, 158/53 0531", False, -1),
    ("a stream at a bridge, into a town", "1426", "71/53 1326", False, -2),
    ("the Dives at a bridge", "0718", "71/53 0818", False, -1),
    ("the Dives at a ford, bocage", "2711", "71/53 2712", False, -2),
    ("several nations", "0624", "Greys/4AB 0623, 6/2AB 0724", True, -1),
    ("French and US", "0624", "CCA/3A 0623, Dio 0724", True, -1),
    ("US and Commonwealth", "0624", "CCA/3A 0623, Koszutski 0724", True, -2),
    ("French and Poles", "0624", "Dio 0623, Koszutski 0724", True, -2),
    ("one nation, several commands", "0624", "Greys/4AB 0623, 29AB 0724", True, 0),
]


@pytest.mark.parametrize(
    ("hex", "attackers", "helped", "total"), [row[1:] for row in MODIFIERS], ids=[row[0] for row in MODIFIERS]
)
def test_10_2_modifiers(hex: str, attackers: str, helped: bool, total: int) -> None:
    """10.2, 11.9.1 What changes the die; every attacking hex counts."""
    state = game(f"{attackers}, {GERMAN} {hex}")
    units = tuple(state.units[part.split()[0]] for part in attackers.split(", "))
    helpers = (units[-1].id,) if helped else ()
    assert Fight(state, hex, units, helped, helpers).modifiers.total == total


@pytest.mark.parametrize(
    ("attackers", "total"),
    [
        (("25/12SS 0623", "192/21Pz 0724"), -1),
        (("25/12SS 0623", "Pz/2SS 0724"), 0),
    ],
)
def test_11_9_1_german_branches_are_nations(attackers: tuple[str, str], total: int) -> None:
    """11.9.1 SS and army differ; the Germans have no second modifier."""
    state = game(", ".join((*attackers, "71/53 0624")))
    units = tuple(state.units[part.split()[0]] for part in attackers)
    assert Fight(state, HEX, units, True, (units[1].id,)).modifiers.total == total


@pytest.mark.parametrize("mech", [True, False])
def test_11_9_1_nations_of_one_command_cost_nothing(mech: bool) -> None:
    """11.9.1, 11.9.2 Without help, and in a prepared assault, nationality does not change the die."""
    state = game("610TD 0623, Dio 0724, 941/353 0624")
    units = (state.units["610TD"], state.units["Dio"])
    assert not Fight(state, HEX, units, mech, () if mech else ("Dio",)).modifiers.total


# --- ratings ----------------------------------------------------------------------------------------------

BETTER_ATTACKER = "16/1 0623, 941/353 0624"
BETTER_DEFENDER = "71/53 0623, 5/3FJ 0624"
MANY = "71/53 0623, Greys/4AB 0623, 158/53 0724, 44RTR/4AB 0724"
CHANGES = [
    ("attacker", BETTER_ATTACKER, ("16/1",), "7C", 1, "AL1", "CON"),
    ("attacker", BETTER_ATTACKER, ("16/1",), "7C", 3, "CON", "DR"),
    ("attacker", BETTER_ATTACKER, ("16/1",), "7C", 5, "DR", "DL1"),
    (
        "attacker",
        "16/1 0623, 18/1 0724, 941/353 0624",
        ("16/1", "18/1"),
        "7C",
        6,
        "DL1",
        "DLR",
    ),
    ("defender", BETTER_DEFENDER, ("71/53",), "12C", 3, "CON", "AL1"),
    ("defender", BETTER_DEFENDER, ("71/53",), "12C", 5, "DR", "CON"),
    ("defender", "71/53 0623, 158/53 0724, 5/3FJ 0624", ("71/53", "158/53"), "12C", 6, "DL1", "DR"),
    (
        "defender",
        f"{MANY}, 5/3FJ 0624",
        ("71/53", "Greys/4AB", "158/53", "44RTR/4AB"),
        "12C",
        6,
        "DLR",
        "DL1",
    ),
]


@pytest.mark.parametrize(("who", "text", "units", "command", "die", "result", "to"), CHANGES)
@pytest.mark.parametrize("answer", ["change", "keep"])
def test_10_2_the_higher_rating_may_change_the_result_once(
    who: str, text: str, units: tuple[str, ...], command: str, die: int, result: str, to: str, answer: str
) -> None:
    """10.2 The side with the higher rating decides; what comes of it is not changed again."""
    played = fought(
        text, Assault(HEX, units), dice=[die], command=command, choose=answering(ter=answer, losses=None)
    )
    (note,) = played.of(Assaulted)
    assert (note.result, note.may) == (result, to)
    assert outcome(played) == (to if answer == "change" else result)
    (ask,) = played.asked("ter")
    assert ask.seat == ("allied" if who == "attacker" else "german")
    assert isinstance(ask, ResultChange) and (ask.result, ask.to, ask.who) == (result, to, who)
    assert ask.fallback == "change"


def test_10_2_the_roll_is_told_before_the_question() -> None:
    """10.2 Who decides about a result reads the roll in the log, what it means,
    and what the change would mean."""
    state = game(BETTER_ATTACKER)
    phase = assaults(Assault(HEX, ("16/1",)), command="7C")(state)
    ask = advance(phase, state, dice=lambda request, label: [1]).waiting
    assert isinstance(ask, Ask) and ask.kind == "ter"
    assert [(note.roll, note.result, note.may) for note in state.log if isinstance(note, Assaulted)] == [
        (1, "AL1", "CON")
    ]
    assert ask.intro == "16/1 against 941/353. R1, die 1: AL1. TER: yours 5, theirs 3."
    assert (ask.says("keep"), ask.says("change")) == ("AL1: 16/1 loses a step", "CON: no losses, no retreat")


ENCLOSED = "16/1 0724, 151/50 0524, 129/43 0725, 130/43 0625, 214/43 0525, 69/50 0623, 941/353 0624"
"""A defender with Allies all around."""


@pytest.mark.parametrize(
    ("text", "units", "side", "command", "default"),
    [
        ("16/1 0724, 941/353 0624", ("16/1",), "allied", "7C", "change"),
        (ENCLOSED, ("16/1",), "allied", "7C", "keep"),
    ],
)
def test_10_2_by_default_a_side_does_what_is_best_for_it(
    text: str, units: tuple[str, ...], side: Side, command: str, default: str
) -> None:
    """10.2, 10.3 By default a result is changed; but a retreat that eliminates the defender is not given up
    for a step. The chances say the same."""
    state = game(text)
    phase = assaults(Assault(HEX, units), side=side, command=command)(state)
    ask = advance(phase, state, dice=lambda request, label: [5]).waiting
    assert isinstance(ask, ResultChange) and (ask.result, ask.to) == ("DR", "DL1")
    assert ask.fallback == default
    lost = "; eliminated, with no path: 941/353" if default == "keep" else ""
    assert ask.says("keep") == f"DR: 941/353 retreats 2 hexes{lost}"
    found = chances(state, HEX, [state.units[id] for id in units], False)
    assert ("DL1" in found) == (default == "change")


def test_10_2_a_defender_without_a_way_does_not_retreat_to_save_a_step() -> None:
    """10.2, 10.3 A better rated defender would make DR of DL1, but not where it has no way."""
    for around, final in (
        ("", "DR"),
        (", KG/275 0524, KG/243 0725, KG/708 0625, KG/17SS 0525, KG/9Pz 0623", "DL1"),
    ):
        state = game(f"18/1 0624, 941/353 0724{around}")
        fight = Fight(state, HEX, (state.units["941/353"],), False)
        assert (fight.better, fight.changed("DL1"), fight.preferred("DL1")) == ("defender", "DR", final)


@pytest.mark.parametrize(
    ("text", "units", "command", "dice", "result"),
    [
        (BETTER_DEFENDER, ("71/53",), "12C", 1, "AL1"),
        (
            "16/1 0623, 18/1 0724, 26/1 0725, 941/353 0624",
            ("16/1", "18/1", "26/1"),
            "7C",
            6,
            "DLR",
        ),
    ],
)
def test_10_2_the_extremes_cannot_be_bettered(
    text: str, units: tuple[str, ...], command: str, dice: int, result: str
) -> None:
    """10.2 The defender can do no more than AL1, the attacker no more than DLR: nobody is asked."""
    played = fought(text, Assault(HEX, units), dice=[dice], command=command)
    assert outcome(played) == result
    assert not played.asked("ter")


def test_9_1_disruption_counts_in_the_ratings() -> None:
    """9.1, 10.2 A disrupted attacker of rating 5 is as good as a defender of 3."""
    played = fought("16/1 0623 disrupted, 941/353 0624", Assault(HEX, ("16/1",)), dice=[3], command="7C")
    assert played.of(Assaulted)[0].ters == (3, 3)
    assert not played.asked("ter")


def test_10_2_the_highest_rating_of_each_side_counts() -> None:
    """10.2 One good unit lifts its side."""
    played = fought(
        "71/53 0623, Greys/4AB 0623, 941/353 0624, KG/17SS 0624",
        Assault(HEX, ("71/53", "Greys/4AB")),
        dice=[1],
        choose=answering(ter="change"),
    )
    assert played.of(Assaulted)[0].ters == (4, 3)
    assert outcome(played) == "CON"


# --- losses -----------------------------------------------------------------------------------------------

LOSSES = [
    ("a full one before one that is reduced", "71/53 0623, 158/53 0724 reduced", ("71/53",)),
    ("single steps at any time", "71/53 0623, Greys/4AB 0623 disrupted", ("71/53", "Greys/4AB")),
    (
        "reduced ones when no other is full",
        "71/53 0623 reduced, 158/53 0724 reduced",
        ("71/53", "158/53"),
    ),
    (
        "a reduced one is spared while another is full, a single step is not",
        "71/53 0623 reduced, 158/53 0724, Greys/4AB 0623 disrupted",
        ("158/53", "Greys/4AB"),
    ),
]


@pytest.mark.parametrize(("attackers", "may"), [row[1:] for row in LOSSES], ids=[row[0] for row in LOSSES])
def test_10_2_who_may_lose_a_step(attackers: str, may: tuple[str, ...]) -> None:
    """10.2 No unit of two steps is eliminated while another one of the combat has not been reduced."""
    units = tuple(part.split()[0] for part in attackers.split(", "))
    played = fought(f"{attackers}, 941/353 0624, KG/275 0624", Assault(HEX, units), dice=[1])
    assert outcome(played) == "AL1"
    asks = played.asked("losses")
    if len(may) == 1:
        assert not asks
        assert played.of(StepLost)[0].unit == may[0]
    else:
        assert asks[0].options == may and asks[0].seat == "allied"


def test_10_2_the_order_says_who_loses() -> None:
    """10.2 The first of the units named that may lose a step does."""
    played = fought(
        "71/53 0623 reduced, Greys/4AB 0623 disrupted, 941/353 0624",
        Assault(HEX, ("71/53", "Greys/4AB"), losses=("71/53",)),
        dice=[1],
    )
    assert not played.asked("losses")
    assert [note.unit for note in played.of(Eliminated)] == ["71/53"]


def test_10_2_a_loss_that_is_not_allowed_is_passed_over() -> None:
    """10.2 A reduced unit is not lost first, whatever the order says."""
    played = fought(
        "71/53 0623 reduced, 158/53 0724, Greys/4AB 0623 disrupted, 941/353 0624, KG/275 0624",
        Assault(HEX, ("71/53", "158/53", "Greys/4AB"), losses=("71/53", "158/53", "Greys/4AB")),
        dice=[1],
    )
    assert not played.asked("losses")
    assert [note.unit for note in played.of(StepLost)] == ["158/53"]


def test_10_2_the_defender_chooses_his_own_loss() -> None:
    """10.2 The owner decides; without an answer a unit that survives loses the step."""
    text = "71/53 0623, 158/53 0724, 160/53 0725, 941/353 0624, KG/275 0624"
    order = Assault(HEX, ("71/53", "158/53", "160/53"))
    played = fought(text, order, dice=[6])
    (ask,) = played.asked("losses")
    assert ask.seat == "german" and ask.options == ("941/353", "KG/275")
    assert isinstance(ask, UnitHit) and ask.steps == {"941/353": 2, "KG/275": 1}
    assert ask.intro == "In the assault: 941/353, KG/275."
    assert ask.says("KG/275").endswith(": eliminated")
    assert [note.unit for note in played.of(StepLost)] == ["941/353"]
    assert played.of(DisruptedBy)[0].names == ("941/353", "KG/275")
    played = fought(text, order, dice=[6], choose=answering(losses="KG/275"))
    assert [note.unit for note in played.of(Eliminated)] == ["KG/275"]


# --- disruption -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mech", [True, False])
def test_9_1_a_second_disruption_kills_only_in_a_mechanised_assault(mech: bool) -> None:
    """9.1 Who is disrupted already dies of a mechanised assault, and not of a regular one."""
    text = "29AB 0623, 8AB 0724, 941/353 0624 disrupted, KG/275 0624"
    verb = MechAssault if mech else Assault
    played = fought(text, verb(HEX, ("29AB", "8AB")), dice=[4], command="30C", choose=answering(ter="keep"))
    assert outcome(played) == "DR", "7 to 3"
    played = fought(text, verb(HEX, ("29AB", "8AB")), dice=[6], command="30C", choose=answering(ter="keep"))
    assert outcome(played) == "DL1"
    units = played.state.units
    assert units["KG/275"].disrupted and units["KG/275"].place == "map"
    assert units["941/353"].place == ("dead" if mech else "map")
    if mech:
        assert played.of(Eliminated)[0].case == "9.1"
    else:
        assert units["941/353"].steps == 1 and units["941/353"].disrupted


def test_10_2_the_lost_step_may_be_that_of_the_disrupted() -> None:
    """10.2, 9.1 The step is lost first: then nobody is disrupted a second time."""
    played = fought(
        "29AB 0623, 8AB 0724, KG/243 0624 disrupted, KG/275 0624",
        MechAssault(HEX, ("29AB", "8AB")),
        dice=[5],
        command="30C",
        choose=answering(ter="keep", losses="KG/243"),
    )
    assert outcome(played) == "DL1"
    assert [note.unit for note in played.of(Eliminated)] == ["KG/243"]
    assert played.state.units["KG/275"].disrupted


# --- who may attack whom ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "order", "fields", "case", "void"),
    [
        ("71/53 0623", Assault(HEX, ("71/53",)), {}, "10.1", True),
        ("71/53 0622, 941/353 0624", Assault(HEX, ("71/53",)), {}, "10.1", True),
        ("71/53 dead, 941/353 0624", Assault(HEX, ("71/53",)), {}, "10.1", True),
        ("71/53 0623 finished, 941/353 0624", Assault(HEX, ("71/53",)), {}, "10.1", True),
        ("71/53 0623, 941/353 0624", Assault("9999", ("71/53",)), {}, "10.1", False),
        ("71/53 0623, 941/353 0624", Assault(HEX, ("941/353",)), {}, "10.1", False),
        ("71/53 0623, 941/353 0624", Assault(HEX, ("71/53",), odds="7-2"), {}, "10.2", False),
        ("71/53 0623, 941/353 0624", Assault(HEX, ("71/53",), odds="2-1"), {}, "10.2", True),
        ("71/53 0623, 941/353 0624", Assault(HEX, ("71/53",), advance=("158/53",)), {}, "10.4", False),
        ("71/53 0623, 941/353 0624", Assault(HEX, ("71/53",), losses=("158/53",)), {}, "10.2", False),
        ("71/53 0623, 941/353 0624", MechAssault(HEX, ("71/53",)), {}, "10.0", True),
        ("71/53 0623, 941/353 0624", MechAssault(HEX, ("71/53",)), {"active": ()}, "11.9.1", True),
        ("71/53 0623, 941/353 0624", Assault(HEX, ("71/53",)), {"active": ()}, "11.9.2", True),
        (
            "941/353 0623, 71/53 0624",
            MechAssault(HEX, ("941/353",)),
            {"side": "german", "command": "84"},
            "10.0",
            False,
        ),
    ],
)
def test_10_1_what_is_refused(
    text: str, order: Attack, fields: dict[str, Any], case: str, void: bool
) -> None:
    """10.0, 10.1 What no order may say, and what events make void."""
    fault = refused(text, order, **fields)
    assert fault.case == case
    assert isinstance(fault, Overtaken) == void


def test_10_0_the_kind_of_round_decides() -> None:
    """10.0 A mechanised assault has no place in an assault round."""
    state = game("29AB 0623, 941/353 0624")
    for mech, order in ((True, Assault(HEX, ("29AB",))), (False, MechAssault(HEX, ("29AB",)))):
        with pytest.raises(NotAllowed) as caught:
            Assaults(state, "allied", "30C", mech).check(order)
        assert caught.value.case == "10.0"


INFANTRY = [
    ("with armour of its corps", "71/53 0623, Greys/4AB 0623", ("71/53", "Greys/4AB"), "12C", {}, True),
    ("armour elsewhere", "71/53 0623, Greys/4AB 0724", ("71/53", "Greys/4AB"), "12C", {}, False),
    ("armour that stays out of it", "71/53 0623, Greys/4AB 0623", ("71/53",), "12C", {}, False),
    (
        "armour of another corps",
        "71/53 0623, 6/2AB 0623",
        ("71/53", "6/2AB"),
        "12C",
        {"helpers": ("6/2AB",)},
        False,
    ),
    (
        "a helper with an active tank",
        "71/53 0623, 6/2AB 0623",
        ("71/53", "6/2AB"),
        "2CC",
        {"helpers": ("71/53",)},
        True,
    ),
    (
        "a helper with armour that helps",
        "Greys/4AB 0724, 4/2C 0623, 6/2AB 0623",
        ("Greys/4AB", "4/2C", "6/2AB"),
        "12C",
        {"helpers": ("4/2C", "6/2AB")},
        True,
    ),
]


@pytest.mark.parametrize(
    ("text", "units", "command", "fields", "legal"),
    [row[1:] for row in INFANTRY],
    ids=[r[0] for r in INFANTRY],
)
def test_10_0_infantry_in_mechanised_assaults(
    text: str, units: tuple[str, ...], command: str, fields: dict[str, Any], legal: bool
) -> None:
    """10.0, 10.1, 11.9.1 Allied infantry attacks with the mechanised unit that lets it."""
    round = Assaults(game(f"{text}, 941/353 0624"), "allied", command, True, **fields)
    if legal:
        round.check(MechAssault(HEX, units))
        return
    with pytest.raises(Overtaken) as caught:
        round.check(MechAssault(HEX, units))
    assert caught.value.case == "10.0"


def test_10_1_a_hex_is_attacked_once_and_a_unit_attacks_once() -> None:
    """10.1 Neither the hex nor the attacker serves again in the round."""
    state = game("71/53 0623, 158/53 0724, 941/353 0624, 942/353 0523")
    round = Assaults(state, "allied", "12C", False)

    async def phase(state: State) -> None:
        await round.carry_out(Assault(HEX, ("71/53",)))

    play(phase, state, dice=[3])
    for order in (Assault(HEX, ("158/53",)), Assault("0523", ("71/53",))):
        with pytest.raises(Overtaken) as caught:
            round.check(order)
        assert caught.value.case == "10.1"
    assert round.subjects() == []


def test_10_1_who_has_retreated_is_not_attacked_again() -> None:
    """10.1 A hex that a retreating defender has joined is not attacked in this round."""
    state = game("71/53 0623, 158/53 0325, 941/353 0624, KG/275 0425")
    round = Assaults(state, "allied", "12C", False)

    async def phase(state: State) -> None:
        await round.carry_out(Assault(HEX, ("71/53",)))

    assert round.subjects() == ["0425", HEX]
    play(phase, state, dice=[5], choose=answering(retreat="0525 0425"))
    assert at(state, "941/353") == "0425"
    with pytest.raises(Overtaken) as caught:
        round.check(Assault("0425", ("158/53",)))
    assert caught.value.case == "10.1"
    assert round.subjects() == []


def test_10_1_all_in_the_hex_defend_and_not_all_need_attack() -> None:
    """10.1 Defenders stand together, attackers choose; who did not attack may still."""
    state = game("71/53 0623, Greys/4AB 0623, 941/353 0624, KG/275 0624")
    played = play(assaults(Assault(HEX, ("71/53",))), state, dice=[3])
    (note,) = played.of(Assaulted)
    assert note.strengths == (3, 3) and note.attackers == ("71/53",)
    assert note.defenders == ("941/353", "KG/275")
    assert not state.units["Greys/4AB"].finished


def test_10_1_nobody_is_left_out() -> None:
    """10.1 All the units that are named attack, or nobody does: an order that names its worst odds is passed
    over because of the odds alone."""
    text = "71/53 0623, 158/53 0722, 941/353 0624"
    for odds in ("", "1-1", "2-1"):
        assert refused(text, Assault(HEX, ("71/53", "158/53"), odds=odds)).case == "10.1"
    unwanted = refused("71/53 0623, 941/353 0624", Assault(HEX, ("71/53",), odds="2-1"))
    assert isinstance(unwanted, Unwanted) and "1-1, not 2-1 or better" in str(unwanted)


def test_10_1_what_is_offered_is_legal() -> None:
    """10.1 Every order offered passes the check, and armour is offered with its infantry."""
    text = "71/53 0623, Greys/4AB 0623, 158/53 0724, 6/2AB 0725, 4/2C 0625, 941/353 0624, 942/353 0524"
    for mech in (True, False):
        round = Assaults(game(text), "allied", "12C", mech, ("6/2AB", "4/2C"))
        assert round.subjects() == ["0524", HEX]
        found = [order for hex in round.subjects() for order in round.options(hex)]
        for order in found:
            round.check(order)
        units = [order.units for order in found if order.hex == HEX]
        assert ("71/53", "Greys/4AB") in units and ("Greys/4AB",) in units
        assert (("71/53",) in units) == (not mech)
        everybody = {"71/53", "Greys/4AB", "6/2AB"} | (set() if mech else {"158/53", "4/2C"})
        assert set(units[0]) == everybody
        assert not any("6/2AB" in each and "Greys/4AB" not in each for each in units)


# --- help of other commands ------------------------------------------------------------------------------


def test_11_9_1_helpers_fight_without_a_die_and_are_finished() -> None:
    """11.9.1 Armour of another command that stood beside the active units attacks with them,
    at -1 for the nations."""
    played = fought(
        "Greys/4AB 0623, 6/2AB 0724, 941/353 0624",
        MechAssault(HEX, ("Greys/4AB", "6/2AB")),
        dice=[3],
        helpers=("6/2AB",),
        choose=answering(ter="keep"),
    )
    (note,) = played.of(Assaulted)
    assert (note.strengths, note.total, [part.case for part in note.parts]) == ((4, 2), 2, ["11.9.1"])
    assert played.state.units["6/2AB"].finished
    assert not played.of(HelpTried)


@pytest.mark.parametrize(
    ("text", "fields", "activated"),
    [
        ("6/2AB 0724", {"helpers": ()}, []),
        ("6/2AB 0724", {"helpers": ("6/2AB",)}, ["2CC"]),
        ("6/2AB 0724 finished", {"helpers": ("6/2AB",)}, []),
        ("44RTR/4AB 0724", {"helpers": ("44RTR/4AB",), "active": ("Greys/4AB",)}, []),
    ],
)
def test_11_9_1_who_may_not_help(text: str, fields: dict[str, Any], activated: list[str]) -> None:
    """11.9.1 Only units that stood there at the beginning, whose command has not had its turn."""
    state = game(f"Greys/4AB 0623, {text}, 941/353 0624", activated=activated)
    round = Assaults(state, "allied", "12C", True, **fields)
    with pytest.raises(Overtaken):
        round.check(MechAssault(HEX, ("Greys/4AB", text.split()[0])))


def test_11_9_1_helpers_do_not_attack_alone() -> None:
    """11.9.1 An assault needs a unit of the active command."""
    fault = refused(
        "Greys/4AB 0724, 6/2AB 0623, 941/353 0624", MechAssault(HEX, ("6/2AB",)), helpers=("6/2AB",)
    )
    assert fault.case == "10.1"


HELP = [
    ("another nation, Allied, rating 4", "6/2AB", {1: True, 2: True, 3: False}),
    ("the same nation, Allied, rating 4", "129/43", {3: True, 4: False}),
]


@pytest.mark.parametrize(("helper", "faces"), [row[1:] for row in HELP], ids=[row[0] for row in HELP])
def test_11_9_2_prepared_assault(helper: str, faces: dict[int, bool]) -> None:
    """11.9.2 A unit of another command joins if its die, and one more for its nation and one for the Allies,
    is not above its rating."""
    for face, joins in faces.items():
        played = fought(
            f"71/53 0623, {helper} 0724, 941/353 0624",
            Assault(HEX, ("71/53", helper)),
            dice=[face, 3],
            choose=answering(ter="keep"),
        )
        (tried,) = played.of(HelpTried)
        assert tried.done == joins and tried.ter == 4
        assert played.of(Assaulted)[0].attackers == (("71/53", helper) if joins else ("71/53",))
        assert played.state.units[helper].finished == joins
        assert played.rolled() == [f"help of {helper} against 0624", "assault on 0624"]


@pytest.mark.parametrize(
    ("helper", "face", "joins"),
    [("1053/85", 3, False), ("1053/85", 2, True), ("KG/1SS", 4, True), ("KG/1SS", 5, False)],
)
def test_11_9_2_germans_help_each_other(helper: str, face: int, joins: bool) -> None:
    """11.9.2 Both sides have prepared assaults; Germans pay for another branch only."""
    played = fought(
        f"941/353 0623, {helper} 0724, 71/53 0624",
        Assault(HEX, ("941/353", helper)),
        dice=[face, 5],
        side="german",
        command="84",
        options={"prepared": "both"},
    )
    assert played.of(HelpTried)[0].done == joins


def test_11_9_2_for_the_allies_alone() -> None:
    """11.9.2 With the option the Germans have no prepared assaults."""
    fault = refused(
        "941/353 0623, 1053/85 0724, 71/53 0624",
        Assault(HEX, ("941/353", "1053/85")),
        side="german",
        command="84",
        options={"prepared": "allied"},
    )
    assert fault.case == "11.9.2" and not isinstance(fault, Overtaken)


def test_11_9_2_who_fails_may_act_later_and_does_not_try_again() -> None:
    """11.9.2 A failed helper is not finished, throws once a round, and without it the assault
    may be called off."""
    state = game("71/53 0623, 6/2AB 0724, 941/353 0624, 942/353 0723")
    round = Assaults(state, "allied", "12C", False)
    order = Assault(HEX, ("71/53", "6/2AB"), odds="2-1")

    async def phase(state: State) -> None:
        round.check(order)
        await round.carry_out(order)

    played = play(phase, state, dice=[6])
    assert played.of(CalledOff) == [CalledOff(case="11.9.2", hex=HEX, odds="1-1", wanted="2-1")]
    assert not played.of(Assaulted)
    assert not state.units["71/53"].finished and not state.units["6/2AB"].finished
    with pytest.raises(Overtaken) as caught:
        round.check(Assault(HEX, ("71/53", "6/2AB")))
    assert caught.value.case == "11.9.2"
    round.check(Assault(HEX, ("71/53",)))
    assert all("6/2AB" not in order.units for order in round.options(HEX))


# --- chances ----------------------------------------------------------------------------------------------

SCENES = [
    ("71/53 0623, 941/353 0624", ("71/53",), (), False),
    ("16/1 0623, 941/353 0624", ("16/1",), (), False),
    ("71/53 0623, 5/3FJ 0624", ("71/53",), (), False),
    ("71/53 0623 reduced, 941/353 0624, 192/21Pz 0624", ("71/53",), (), False),
    (
        "71/53 0623, 6/2AB 0724, 129/43 0725, 941/353 0624",
        ("71/53", "6/2AB", "129/43"),
        ("6/2AB", "129/43"),
        False,
    ),
    ("Greys/4AB 0623, 6/2AB 0724, 941/353 0624", ("Greys/4AB", "6/2AB"), ("6/2AB",), True),
]


@pytest.mark.parametrize(("text", "units", "helpers", "mech"), SCENES)
@pytest.mark.parametrize("change", [True, False])
def test_10_2_chances_are_those_of_the_dice(
    text: str, units: tuple[str, ...], helpers: tuple[str, ...], mech: bool, change: bool
) -> None:
    """10.2 The chances told beforehand are those of the rule itself, played through for every die."""
    order = (MechAssault if mech else Assault)(HEX, units, stay=True)
    command = game().units[units[0]].command

    def start() -> tuple[State, Phase[Any]]:
        state = game(text)
        return state, assaults(order, command=command, helpers=helpers)(state)

    def final(state: State) -> str:
        chosen = (note.final for note in state.log if isinstance(note, ResultChosen))
        return next(chosen, next(note.result for note in state.log if isinstance(note, Assaulted)))

    def answers(request: Any) -> Answer:
        return Answer(("change" if change else "keep") if request.kind == "ter" else request.fallback)

    state = game(text)
    named = [state.units[id] for id in units]
    found = chances(state, HEX, named, mech, [state.units[id] for id in helpers], change=change)
    assert found == distribution(start, final, answers)
    assert sum(found.values()) == 1


def test_10_2_chances_below_1_3() -> None:
    """10.2 Without a die there is one result."""
    state = game("71/53 0624, Greys/4AB 0624, KG/5FJ 0623")
    assert chances(state, HEX, [state.units["KG/5FJ"]], False) == {"AL1": Fraction(1)}
