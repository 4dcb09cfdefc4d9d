"""Planners of stored games think between two letters: outside the transaction, and nobody reads what."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import fourth_game
import pytest
from click.testing import CliRunner
from conftest import HOUR, NOW
from fourth_game.state import State
from fourth_game.tables import UNITS
from protocol_kit import TOY, flat, send_all
from sqlmodel import select

from pbem.cli import main
from pbem.engine.game import Plan, game
from pbem.engine.planner import Thought, choose
from pbem.service.moderating import people
from pbem.service.moderating.hosting import carry_out
from pbem.service.moderating.rulings.ruling import rule
from pbem.service.moderating.seats import hand_to_bot
from pbem.service.moderating.start import NewGame, Player
from pbem.service.proof.verify import field_faults, verify_game
from pbem.service.record.errors import StoreError
from pbem.service.record.reliability import records
from pbem.service.record.rows import JournalRow, StaffRow
from pbem.service.record.store import Store, only_game
from pbem.service.record.table import Table
from pbem.service.time import deadline, thinking
from pbem.service.tools import queries, transfer
from pbem.testing.post import Postbox

STANCES = {"lie in wait": 0.0, "push on": 1.0}
THINK = 60
RED = "[march]\nmove R1 to 0201\nmove R2 to 0202\ndone\n"
WAITS = "the planner thinks about its turn. Its move comes with the next letter."


def ahead(state: State, side: str) -> float:
    """How many units of a side have left home."""
    return float(sum(state.units[unit] != UNITS[unit].hex for unit in state.own(side)))


def judge(state: State, request: Any, stance: float) -> Callable[[Any], float]:
    rate = fourth_game.GAME.judge(state, request)
    return lambda choice: stance * rate(choice)


def give_plan(patch: pytest.MonkeyPatch, blue: dict[str, float]) -> None:
    """Give the toy game a plan with these stances for blue."""
    plan: Plan[State] = Plan(stances={"red": STANCES, "blue": blue}, judge=judge, score=ahead)
    patch.setattr(fourth_game, "GAME", replace(fourth_game.GAME, plan=plan))
    game.cache_clear()


@pytest.fixture(autouse=True)
def plan(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The first stance is the worse one."""
    give_plan(monkeypatch, STANCES)
    yield
    game.cache_clear()


def started(where: Path | Store, think: int = THINK, **players: Player) -> Postbox:
    """A toy game in which Rita plays against the planner."""
    store = Store.create(where) if isinstance(where, Path) else where
    people = {"red": Player("Rita", "rita@mail.example"), "blue": Player(bot="planner")} | players
    settings = {"address": TOY, "clock_hours": 72, "moderator": "mod@host.example", "think": think}
    box = Postbox.started(store, NewGame("clash", "toy", players=people, settings=settings, seed="toy"))
    box.server = TOY
    return box


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Postbox]:
    box = started(tmp_path / "toy.pbem")
    yield box
    box.store.close()


def waiting(box: Postbox) -> list[thinking.ToThink]:
    return thinking.waiting(box.store, box.game, box.now)


def think_on(box: Postbox) -> int:
    return thinking.think_on(box.store, box.game, lambda: box.now)


def thoughts(box: Postbox) -> list[JournalRow]:
    return [row for row in box.journal() if row.kind == "thought"]


def orders(box: Postbox) -> list[str]:
    """What the planner has ordered."""
    return [json.dumps(row.answer) for row in box.journal() if row.by == "bot" and row.answer]


def run(*words: object, stdin: bytes | str | None = None, code: int = 0) -> str:
    done = CliRunner().invoke(main, [str(word) for word in words], input=stdin)
    assert done.exit_code == code, done.output
    return done.output


def restarted(box: Postbox) -> Postbox:
    """The same store, as a process opens it that comes after one that was killed."""
    box.store.close()
    return replace(box, store=Store.open(box.store.target))


# --- waiting, thinking, going on ----------------------------------------------------------------------------


def test_the_game_waits_and_goes_on_with_the_thought(box: Postbox) -> None:
    """The letter says so, no clock runs meanwhile, and the better stance is followed."""
    last = box.last()
    box.mail("red", RED)
    (text,) = box.texts("rita@mail.example", last)
    assert f"Blue: {WAITS}" in flat(text) or f"Blue (bot): {WAITS}" in flat(text)
    assert not orders(box) and box.phase().label == "t1.blue_march"
    status = queries.status(box.store, None)
    assert WAITS in " ".join(status.waited_for) and status.deadline == ""
    assert WAITS in run("status", box.store.target)

    (wait,) = waiting(box)
    assert (wait.seat, wait.moment, wait.stance, wait.think) == ("blue", (1, 0), "lie in wait", THINK)
    assert think_on(box) == 1 and not waiting(box)
    (row,) = thoughts(box)
    assert (row.asked, row.by, row.answer["turn"], row.answer["round"]) == ("blue", "planner", 1, 0)
    assert row.answer["stance"] == "push on"
    assert {name for name, _, _ in row.answer["tried"]} == {*STANCES}
    assert orders(box) and box.phase().label != "t1.blue_march"
    assert box.texts("rita@mail.example", last)[1:]


def test_nobody_is_late_while_it_waits(box: Postbox) -> None:
    """No deadline, no reminder, no `missed`, however long nobody thinks."""
    box.mail("red", RED)
    send_all(box, box.now)
    last = box.last()
    for days in (1, 2, 3, 30):
        assert not deadline.act(box.store, "toy", box.now + 24 * days * HOUR)
    assert box.last() == last
    assert not [row for row in box.journal() if row.asked == "missed"]
    box.now += 30 * 24 * HOUR
    think_on(box)
    due = queries.status(box.store, None).deadline
    assert due and due > (box.now + 70 * HOUR).isoformat(), "the time to answer begins with the move"
    send_all(box, box.now)
    assert deadline.to_look_at(box.store, box.now + 80 * HOUR) == ["toy"]


def test_the_time_for_thinking_is_nobodys(tmp_path: Path) -> None:
    """Neither the mail by turn nor the record of a player whose seat the planner has counts it."""
    box = started(tmp_path / "toy.pbem", blue=Player("Bob", "bob@mail.example"))
    hand_to_bot(box.store, None, "blue", "planner", box.now)
    box.mail("red", RED)
    box.now += 5 * HOUR
    think_on(box)
    assert orders(box)
    mail = " ".join(queries.status(box.store, None, mail=True).mail)
    assert "h waiting for Red" in mail and not re.search("[1-9] h waiting for Blue", mail)
    with box.store.transaction() as session:
        found, _ = records(session, telling=None)
    assert {each.address: (each.asked, each.in_time) for each in found} == {
        "rita@mail.example": (1, 1),
        "bob@mail.example": (0, 0),
    }


def test_a_stance_is_kept_until_another_is_clearly_better(box: Postbox) -> None:
    """The second turn begins with the stance of the first, and dice of its own."""
    box.mail("red", RED)
    first = waiting(box)[0]
    think_on(box)
    box.mail("red", "no orders march\n")
    (wait,) = waiting(box)
    assert (wait.moment, wait.stance) == ((2, 0), "push on") and wait.key != first.key
    think_on(box)
    assert [row.answer["stance"] for row in thoughts(box)] == ["push on", "push on"]


def test_two_planners_play_to_the_end(tmp_path: Path) -> None:
    bots = {seat: Player(bot="planner") for seat in ("red", "blue")}
    box = started(tmp_path / "two.pbem", **bots)
    assert think_on(box) == 6
    assert box.row().status == "over"
    assert verify_game(box.store, "toy").wrong == []


def test_letters_of_the_player_are_taken_while_it_waits(box: Postbox) -> None:
    """They are answered, and the thought is not in vain."""
    box.mail("red", RED)
    (wait,) = waiting(box)
    for body in ("status\n", "try\nmove R1 to 0301\n", "undo\n"):
        last = box.last()
        box.mail("red", body)
        (text,) = box.texts("rita@mail.example", last)
        assert WAITS in flat(text)
    assert thinking.hand_in(box.store, wait, thinking.think(wait), box.now)


def test_on_every_database(store: Store) -> None:
    box = started(store)
    box.mail("red", RED)
    assert thinking.games_that_think(store) == thinking.games_that_think(store, "toy") == ["toy"]
    assert think_on(box) == 1 and orders(box)
    assert verify_game(store, "toy").wrong == []
    assert not list(field_faults(thoughts(box)))


# --- outside the transaction --------------------------------------------------------------------------------


def test_letters_are_taken_while_it_thinks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box = started(tmp_path / "club.pbem")
    settings = {"address": TOY}
    people = {"red": Player("Rita", "rita@mail.example"), "blue": Player("Bob", "bob@mail.example")}
    other = replace(
        Postbox.started(box.store, NewGame("clash", "other", players=people, settings=settings, seed="o")),
        server=TOY, now=box.now, written=100,
    )  # fmt: skip

    def chosen(*arguments: Any) -> Thought:
        other.mail("red", RED)
        return choose(*arguments)

    monkeypatch.setattr(thinking, "choose", chosen)
    box.mail("red", RED)
    assert think_on(box) == 1
    assert [row.outcome for row in other.letters() if row.game == "other"] == ["accepted"]
    assert other.phase().label == "t1.blue_march"
    assert orders(box)


def test_a_letter_is_answered_in_the_run_that_takes_it(tmp_path: Path) -> None:
    """`pbem mail receive` leaves the answer of the planner in the outbox, and `pbem submit` does."""
    box = started(tmp_path / "toy.pbem")
    last = box.last()
    run("mail", "receive", box.store.target, stdin=box.raw("red", RED))
    assert len(thoughts(box)) == 1 and not waiting(box)
    assert len(box.outbox("rita@mail.example", last)) == 2
    run("submit", box.store.target, "-", "--seat", "red", stdin="no orders march\n")
    assert len(thoughts(box)) == 2 and not waiting(box)


@pytest.mark.parametrize(
    "words",
    [("adjudicate",), ("adjudicate", "--deadline"), ("tick",), ("bot", "blue"), ("undo",)],
    ids=lambda words: " ".join(words),
)
def test_commands_that_play_on_think(
    words: tuple[str, ...], box: Postbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was left by a process that ended too early is thought by the next."""
    box.mail("red", RED)
    monkeypatch.setattr("pbem.cli.tick.way_out", lambda *_: None)
    monkeypatch.setattr("pbem.service.intake.outbox.send_pending", lambda *_, **__: [])
    first, *rest = words
    if first == "bot":  # the planner has the seat: it is given back, and taken again
        monkeypatch.setattr("pbem.cli.bot.think_on", lambda *_: None)
        run(first, box.store.target, *rest, "none")
        monkeypatch.undo()
    run(first, box.store.target, *rest)
    assert not waiting(box)
    assert bool(thoughts(box)) == (first != "undo")


@pytest.mark.dear
def test_a_real_game(tmp_path: Path) -> None:
    """Normandy 1944: the planner begins, answers, and its journal is proved and moved to another store."""
    path = tmp_path / "cherbourg.pbem"
    seats = ("--player", "german=Anna <anna@mail.example>", "--player", "allied=bot:planner")
    run("new", "normandy44", "--scenario", "cherbourg", "-o", path, "--seed", "1", "--think", "20", *seats)
    for _ in range(4):
        run("submit", path, "-", "--seat", "german", stdin="no orders all\ndone all\ndefaults\n")
    with Store.open(path).transaction() as session:
        rows = session.exec(select(JournalRow).where(JournalRow.kind == "thought")).all()
        assert rows and {row.asked for row in rows} == {"allied"}
        turns = [row.answer["turn"] for row in rows]
        assert turns == sorted({*turns}), "once a turn"
    run("dice", "verify", path)
    run("replay", path, "--verify")


# --- the game has moved on ----------------------------------------------------------------------------------


def by_undo(box: Postbox) -> None:
    rule(box.store, None, "undo", by="host", why="", now=box.now)


def by_a_person(box: Postbox) -> None:
    hand_to_bot(box.store, None, "blue", "none", box.now)


def by_a_ruling(box: Postbox) -> None:
    rule(box.store, None, "position", "units.R1=0203", "", by="host", why="misread", now=box.now)


def by_somebody_faster(box: Postbox) -> None:
    think_on(box)


@pytest.mark.parametrize("move_on", [by_undo, by_a_person, by_a_ruling, by_somebody_faster])
def test_a_thought_that_comes_too_late_is_dropped(box: Postbox, move_on: Callable[[Postbox], None]) -> None:
    box.mail("red", RED)
    (wait,) = waiting(box)
    idea = thinking.think(wait)
    move_on(box)
    before = [row.hash for row in box.journal()]
    assert not thinking.hand_in(box.store, wait, idea, box.now)
    assert [row.hash for row in box.journal()] == before
    think_on(box)
    assert verify_game(box.store, "toy").wrong == []


def test_what_was_killed_is_thought_again(box: Postbox) -> None:
    """The same thought: the key of its dice is that of the game, and its own for each game."""
    box.mail("red", RED)
    (wait,) = waiting(box)
    idea = thinking.think(wait)
    again = restarted(box)
    assert waiting(again) == [wait] and thinking.think(waiting(again)[0]) == idea
    assert think_on(again) == 1
    (row,) = thoughts(again)
    assert row.answer["stance"] == idea.thought.stance


# --- proof, moving, going back ------------------------------------------------------------------------------


def played(box: Postbox) -> Postbox:
    """Two turns with a thought in each."""
    for body in (RED, "no orders march\n"):
        box.mail("red", body)
        think_on(box)
        while numbers := box.questions("red"):
            box.mail("red", "".join(f"{number}: a\n" for number in numbers))
    assert len(thoughts(box)) == 2
    return box


def test_it_is_proved_and_moves_to_another_store(box: Postbox, tmp_path: Path) -> None:
    played(box)
    assert verify_game(box.store, "toy").wrong == []
    run("replay", box.store.target, "--verify")
    file = json.loads(json.dumps(transfer.export(box.store)))
    there = replace(box, store=Store.create(tmp_path / "there.pbem"))
    transfer.import_(there.store, file)
    assert [row.hash for row in there.journal()] == [row.hash for row in box.journal()]
    assert verify_game(there.store, "toy").wrong == []
    there.mail("red", "no orders march\n")
    assert waiting(there)[0].stance == "push on"


@pytest.mark.parametrize(
    "answer", [{"turn": 1}, {"turn": 1, "round": 0, "stance": 3, "tried": []}, "push on"]
)
def test_a_damaged_thought_is_not_imported(box: Postbox, answer: Any) -> None:
    played(box)
    file = json.loads(json.dumps(transfer.export(box.store)))
    row = next(row for row in file["journal"] if row["kind"] == "thought")
    row["answer"], row["digests"] = answer, {}
    with pytest.raises(StoreError, match="is no thought"):
        transfer.read(file)


def test_going_back_takes_thoughts_back(box: Postbox) -> None:
    """A turn that is played again is thought again, with equal dice; what was thought before stands."""
    played(box)
    first, second = thoughts(box)
    with box.store.transaction() as session:
        table = Table(session, only_game(session, None), box.now)
        assert [row.number for row in table.record.rows(1, "thought")] == [first.number, second.number]
    rule(box.store, None, "back", "turn 2", "", by="host", why="again", now=box.now)
    with box.store.transaction() as session:
        table = Table(session, only_game(session, None), box.now)
        assert [row.number for row in table.record.rows(1, "thought")] == [first.number]
    box.mail("red", "no orders march\n")
    assert think_on(box) == 1
    assert thoughts(box)[-1].answer == second.answer
    assert verify_game(box.store, "toy").wrong == []


# --- nobody reads it ----------------------------------------------------------------------------------------


def test_no_player_reads_what_was_thought(box: Postbox) -> None:
    """Neither letters nor log, status, replay and observers know of it."""
    carry_out(
        box.store,
        "toy",
        NOW,
        lambda t: people.add_staff(t, "observer", "Ed <ed@x.example>", by="host", why=""),
    )
    played(box)
    box.mail("red", "status\nlog 1\nlog 2\nmap\nadvice\nsummary\n")
    said = "\n".join([*box.texts(), *box.proofs()])
    said += run("log", box.store.target, "--seat", "red") + run("log", box.store.target, "--json")
    said += run("status", box.store.target, "--json")
    said += repr(queries.tell(box.store, None, "red"))
    assert not [name for name in STANCES if name in said]
    assert "thought" not in said


# --- what may go wrong --------------------------------------------------------------------------------------


def test_a_fault_of_the_planner_stops_no_game(box: Postbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes on with the stance in use, and the moderator reads why once."""

    def fails(*_: Any) -> None:
        raise LookupError("no way on")

    monkeypatch.setattr(thinking, "choose", fails)
    box.mail("red", RED)
    assert think_on(box) == 1
    (row,) = thoughts(box)
    assert row.answer == {"turn": 1, "round": 0, "stance": "lie in wait", "tried": []}
    assert box.row().status == "running" and box.phase().label != "t1.blue_march"
    with box.store.transaction() as session:
        news = session.get_one(StaffRow, ("toy", "moderator")).told["news"]
    (told,) = [each for each in news if "could not think" in each["says"]]
    assert told["lines"] == ["blue, turn 1: LookupError: no way on"]


def test_a_stance_that_the_rules_have_lost(box: Postbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an upgrade in the midst of a turn the first one is followed."""
    played(box)
    give_plan(monkeypatch, {"dig in": 0.0, "sally": 1.0})
    box.mail("red", "no orders march\n")
    assert waiting(box)[0].stance == "dig in"
    assert think_on(box) == 1 and box.row().status != "stopped"


def test_a_broken_game_keeps_no_other_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box = started(tmp_path / "club.pbem")
    box.mail("red", RED)
    real = thinking.waiting

    def broken(store: Store, game_id: str, now: Any) -> list[thinking.ToThink]:
        if game_id == "a":
            raise ValueError("damaged")
        return real(store, game_id, now)

    monkeypatch.setattr(thinking, "games_that_think", lambda *_: ["a", "toy"])
    monkeypatch.setattr(thinking, "waiting", broken)
    assert thinking.think_on(box.store, None, lambda: box.now) == 1


def test_without_thinking_nothing_changes(tmp_path: Path) -> None:
    """No row, nothing waits, and the planner answers in the letter's own transaction."""
    box = started(tmp_path / "toy.pbem", think=0)
    last = box.last()
    box.mail("red", RED)
    assert not thoughts(box) and not waiting(box) and think_on(box) == 0
    assert box.phase().label != "t1.blue_march"
    assert len(box.texts("rita@mail.example", last)) == 1
    assert thinking.games_that_think(box.store) == []


def test_only_planners_with_a_choice_think(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the greedy bot, and not one whose game gives it a single stance."""
    greedy = started(tmp_path / "greedy.pbem", blue=Player(bot="greedy"))
    greedy.mail("red", RED)
    assert orders(greedy) and not thinking.games_that_think(greedy.store)
    give_plan(monkeypatch, {"push on": 1.0})
    box = started(tmp_path / "single.pbem")
    box.mail("red", RED)
    assert orders(box) and not waiting(box)


def test_the_terms_bound_it() -> None:
    from pbem.service.record.terms import settled

    assert settled({"think": 2000}) == {"think": 2000}
    for much in (-1, 100_001):
        with pytest.raises(ValueError, match="think"):
            settled({"think": much})
