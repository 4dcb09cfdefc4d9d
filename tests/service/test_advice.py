"""ADVICE: what the planner would order, in lines that can be sent, and nothing of it is kept."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from protocol_kit import flat, kept, toy_box
from sizes import size
from toygame import TOY, Toy

from pbem.cli import main
from pbem.engine.game import game
from pbem.service.moderating.people import set_advice
from pbem.service.play.advising import MOST, advice
from pbem.service.play.steps import Position
from pbem.service.record.store import Store, only_game
from pbem.service.record.table import Table

GAMES = {"rampage": "allied", "falaise": "german", "normandy71": "german", "normandy44": "allied"}


def run(*words: object, stdin: str | None = None, code: int = 0) -> Result:
    done = CliRunner().invoke(main, [str(word) for word in words], input=stdin)
    assert done.exit_code == code, done.output
    return done


def sent_back(text: str) -> str:
    """The orders of a reply to ADVICE that depend on no die to come, as a letter."""
    part = text.split("Advice\n------\n")[1].split("\nReceipt\n")[0]
    part = re.sub(r"\n  (?=\S)", " ", part.split("Dice must fall")[0])
    return "\n".join(line for line in part.splitlines() if not line.startswith(("What the", "Nothing")))


def test_it_answers_with_lines_to_send_and_keeps_none(tmp_path: Path) -> None:
    box = toy_box(tmp_path)
    before = [row.answer for row in box.journal()], kept(box, "red")
    box.mail("red", "advice\n")
    (text,) = box.texts(box.address("red"), 1)
    assert "What the planner would send in your place" in flat(text)
    assert "[march]\nmove R1 to" in text
    assert ([row.answer for row in box.journal()], kept(box, "red")) == before


@pytest.mark.parametrize("key", GAMES)
def test_a_player_who_follows_it_is_never_refused(key: str, tmp_path: Path) -> None:
    """Turn after turn the lines that depend on no die are sent as they stand."""
    path, seat = tmp_path / "game.pbem", GAMES[key]
    rules = game(key)
    others = [each.key for each in rules.seats_of(rules.chosen({})) if each.key != seat]
    bots = [word for other in others for word in ("--player", f"{other}=bot:planner")]
    run("new", key, "-o", path, "--seed", "advice", *bots)
    played = 0
    for _ in range(size(2, 5)):
        letter = sent_back(run("submit", path, "-", "--seat", seat, stdin="advice\n").output)
        reply = run("submit", path, "-", "--seat", seat, stdin=f"{letter}\ndone all\n").output
        assert not re.search(r"^(To correct|Not read)$|not carried out|was not read", reply, re.M), reply
        played += letter.count("\n")
    assert played > size(2, 5)


ALL = [(key, seat) for key in (*GAMES, "france44") for seat in ("allied", "german")]


@pytest.mark.parametrize(("key", "seat"), [each for each in ALL if each != ("rampage", "german")])
def test_it_can_be_sent_as_it_is_printed(key: str, seat: str, tmp_path: Path) -> None:
    """All that it prints is accepted, its remarks and what dice must decide first included; sent twice, it
    takes the place of the lines of before."""
    path = tmp_path / "game.pbem"
    rules = game(key)
    others = [each.key for each in rules.seats_of(rules.chosen({})) if each.key != seat]
    bots = [word for other in others for word in ("--player", f"{other}=bot:planner")]
    run("new", key, "-o", path, "--seed", "verbatim", *bots)
    for _ in range(size(3, 9)):
        advice_ = run("bot", path, seat, "--advise").output
        if not any(line and not line.startswith(";") for line in advice_.splitlines()):
            run("submit", path, "-", "--seat", seat, stdin="no orders all\n")
            continue
        for _ in range(1 if "\nQ" in advice_ else 2):
            advice_ = run("bot", path, seat, "--advise").output
            reply = run("submit", path, "-", "--seat", seat, stdin=advice_).output
            faults = r"^(Lines to correct|Not read|Comments.*)$|(was|were) not read"
            assert not re.search(faults, reply, re.M), reply
        run("submit", path, "-", "--seat", seat, stdin="done all\n")


def test_what_depends_on_dice_is_marked(tmp_path: Path) -> None:
    """And the same position brings the same advice."""
    path = tmp_path / "caen.pbem"
    run("new", "rampage", "-o", path)
    run("submit", path, "-", "--seat", "allied", stdin="[set-up]\ndefault\ndone\n")
    told = run("bot", path, "allied", "--advise").output
    before, _, after = told.partition("Dice must fall before what follows.")
    assert "\n[operations]\nmove " in before and "\n; [operations]\n; move " in after
    assert told == run("bot", path, "allied", "--advise").output
    assert "[operations]" in run("status", path).output  # nothing has been played
    store = Store.open(path)
    with store.transaction() as session:
        row = only_game(session, None)
        table = Table(session, row, row.created)
        given = advice(table.game, table.position(), "allied", "any")
    assert 0 < len(given) <= MOST
    assert [each.supposed for each in given] == sorted(each.supposed for each in given)


def test_the_moderator_can_forbid_it(tmp_path: Path) -> None:
    box = toy_box(tmp_path)
    with box.store.transaction() as session:
        row = only_game(session, None)
        table = Table(session, row, box.now)
        done = set_advice(table, "no", by="host", why="a tournament")
    assert done.says == ("Nobody may ask the planner for ADVICE",)
    last = box.last()
    box.mail("red", "advice\n")
    (text,) = box.texts(box.address("red"), last)
    assert "The terms of this game allow no advice." in flat(text)
    assert "move" not in text.partition("Advice")[2].partition("Receipt")[0]


def test_a_fault_of_the_planner_stops_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The letter is answered, its orders stand, and the moderator reads why."""

    def fails(*_: object) -> None:
        raise LookupError("no way on")

    monkeypatch.setattr("pbem.service.intake.commands.advised", fails)
    box = toy_box(tmp_path)
    last = box.last()
    box.mail("red", "[march]\nmove R1 to 0201\nadvice\n")
    (text,) = box.texts(box.address("red"), last)
    assert "The planner could not be asked." in flat(text)
    assert kept(box, "red") == {"L1": "move R1 to 0201"}
    assert box.row().status == "running"


def test_decisions_of_two_sides_go_together() -> None:
    """3.3 Both lose a unit or neither does: the other side's part is its default."""
    squares = {"red1": 4, "red2": 4, "red3": 0, "blue1": 5, "blue2": 5, "blue3": 11}
    for number in range(20):
        state = Toy(scenario="meeting", phase="fights", turn=2, squares=squares)
        given = advice(TOY, Position(1, TOY.dump(state)), "red", str(number), "random")
        assert all(each.supposed and not each.section for each in given)


def test_where_nothing_waits(tmp_path: Path) -> None:
    """Another side's turn, and a game that is over."""
    path = tmp_path / "gap.pbem"
    run("new", "france44", "-o", path, "--seed", "a")
    assert run("bot", path, "allied", "--advise").output.startswith("Nothing waits for you now")
    assert "has no seat" in run("bot", path, "umpire", "--advise", code=1).output
    assert "name no bot" in run("bot", path, "allied", "greedy", "--advise", code=2).output
    run("end", path, "draw", "--why", "peace", "--yes")
    assert run("bot", path, "german", "--advise").output.startswith("Nothing waits for you now")


def test_a_section_that_the_planner_leaves_empty_comes_with_the_line_that_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sent as it is, the line closes the section, with the lines that are kept there or without any."""
    monkeypatch.setattr("pbem.service.letters.advice.advice", lambda *_: [])
    for kept_line, line in (("", "NO ORDERS: march"), ("[march]\nmove R1 to 0201", "DONE march")):
        folder = tmp_path / line.split()[0]
        folder.mkdir()
        box = toy_box(folder)
        if kept_line:
            box.mail("red", kept_line)
        last = box.last()
        box.mail("red", "advice\n")
        (text,) = box.texts(box.address("red"), last)
        assert f"in [march]. This closes it{' with your lines' if kept_line else ''}:" in flat(text)
        assert f"\n{line}\n" in text
        last = box.last()
        box.mail("red", line)
        assert "Played: Red march.\n" in box.texts(box.address("red"), last)[0]
