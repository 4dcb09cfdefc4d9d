"""The luck report: whose dice they were, what its reader may know, and that fair games raise few alarms."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from fractions import Fraction
from html import unescape
from math import comb
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from conftest import HOUR, NOW
from PIL import Image
from postbox import toy_to_the_end
from protocol_kit import flat, told, toy_box
from replays import played
from sizes import size
from sqlmodel import select

from pbem.cli import main
from pbem.engine.dice import parse_dice
from pbem.service.intake.submit import submit
from pbem.service.letters import luck
from pbem.service.letters.caselist import titles
from pbem.service.letters.luck import NEITHER, RULES, SIDES, TURNS, Luck, Thrown, report
from pbem.service.moderating.rulings.ruling import rule
from pbem.service.record.rows import GameRow, PhaseRow
from pbem.service.record.store import Store
from pbem.service.record.table import Table
from pbem.service.tools import queries

KINDS = ("7.2 Combat", "6.2 Op-fire", "8.1 Bombardment", "2.1 Weather")
COLOURS = {"Allied": "allied", "German": "german"}


def games(number: int, seed: int) -> Iterator[Luck]:
    """A number of fair games of six turns, with dice of three sizes."""
    chance = random.Random(seed)
    for _ in range(number):
        dice = []
        for roll in range(chance.randint(20, 70)):
            die, many = chance.choice((6, 6, 6, 8, 10)), chance.choice((1, 1, 1, 4))
            side, kind = chance.choice((*COLOURS, NEITHER)), chance.choice(KINDS)
            faces = tuple(chance.randint(1, die) for _ in range(many))
            dice.append(Thrown(roll, 1 + roll // 12, side, kind, die, faces))
        yield report("toy", "umpire", dice, COLOURS)


def dice(
    *faces: int, side: str = "Allied", kind: str = KINDS[0], turn: int = 1, first: int = 1
) -> list[Thrown]:
    return [Thrown(first + at, turn, side, kind, 6, (face,)) for at, face in enumerate(faces)]


def run(*words: object, code: int = 0) -> Result:
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exit_code == code, done.output
    return done


# --- the report ---------------------------------------------------------------------------------------------


def test_fair_games_raise_an_alarm_as_rarely_as_the_report_says() -> None:
    """Of 1,000 fair games, each looked at in a dozen ways, at most 5 of 100 have anything called unusual:
    within the bound that such a share keeps in all but 1 of 1,000 runs."""
    number = size(200, 1000)
    alarms = sum(any(group.unusual for group in game.groups) for game in games(number, 1944))
    so_far, most = Fraction(0), -1
    while so_far < Fraction(999, 1000):
        most += 1
        so_far += comb(number, most) * Fraction(1, 20) ** most * Fraction(19, 20) ** (number - most)
    assert 0 < alarms <= most


def test_groups_are_the_dice_they_name() -> None:
    """Each die is in one group of each kind; those of the same dice are one look."""
    game = next(games(1, 7))
    assert game.few == ()
    for by in (SIDES, RULES, TURNS):
        groups = [group for group in game.groups if group.by == by]
        assert sum(group.dice for group in groups) == game.groups[0].dice
        assert sum(group.sum for group in groups) == game.groups[0].sum
    alone = report("toy", "umpire", dice(1, 2, 3, 4, 5, 6), COLOURS)
    assert [group.name for group in alone.groups] == ["all dice"]
    assert alone.lines()[0] == (
        "Nothing unusual: the 6 dice show 21, just the average of fair dice. Fair dice are as far off, or "
        "further, in every game."
    )


def test_a_group_has_its_exact_chance() -> None:
    """Five sixes come in 2 of 7,776 throws, five ones counted; Holm counts them for every look."""
    game = report(
        "toy", "umpire", [*dice(6, 6, 6, 6, 6), *dice(3, 4, 3, 4, 3, side="German", first=6)], COLOURS
    )
    _, allied, other = game.groups
    assert allied.chance == Fraction(2, 7776) and allied.corrected == 3 * allied.chance and allied.unusual
    assert (allied.sum, allied.expected, allied.tends) == (30, Fraction(35, 2), "high")
    assert not other.unusual and other.tends == "low"
    assert game.lines()[0] == (
        "Unusual: the Allied dice show 30, 12.5 more than fair dice on average. Among 3 looks, fair dice "
        "show anything so unlikely in at most 1 of 1,296 games."
    )
    assert [line for line in game.lines() if line.endswith("*")] == [
        "  Allied      5     30     17.5   +12.5  1 in 3,888 *"
    ]
    assert "*: unusual. 3 looks find such a group in at most 5% of fair games." in game.lines()


def test_few_dice_are_not_looked_at() -> None:
    game = report("toy", "umpire", [*dice(6, 6, 6, 6, 6), *dice(1, side="German", first=6)], COLOURS)
    assert game.few == ("German",) and [course.side for course in game.courses()] == ["Allied"]
    none = report("toy", "umpire", dice(1, 1, 1, 1), COLOURS)
    assert none.lines() == ["Too few dice to tell: a look needs 5."] and not none.drawable


def test_a_course_is_the_way_of_its_dice() -> None:
    """How far the sum was off after each die, and where each turn begins."""
    game = report("toy", "umpire", [*dice(6, 1, 6), *dice(6, 6, 2, turn=3, first=4)], COLOURS)
    (course,) = game.courses()
    assert course.way == (2.5, 0, 2.5, 5, 7.5, 6) and course.turns == {1: 0, 3: 3}
    assert course.colours == "allied" and not course.way[-1] > course.corridor


def test_lines_fit_into_a_letter() -> None:
    """However long the names and large the numbers, a row of the table is no longer than a line."""
    chance = random.Random(3)
    kinds = [f"12.3.4 {'very long words' * 4}{at}" for at in range(2)]
    long = [
        Thrown(at, 1 + at % 12, NEITHER, kinds[at % 2], 20, (chance.randint(1, 20),) * 40) for at in range(60)
    ]
    lines = report("toy", "umpire", long).lines()
    table = lines[lines.index("") + 1 : -lines[::-1].index("") - 1]
    assert len(table) == 18 and max(map(len, table)) <= 78


# --- which rolls, and whose ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def westwall(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A game of France 1944, which bots have played to its end."""
    return played(tmp_path_factory.mktemp("luck") / "france44.pbem", "france44", bot="greedy")


def test_every_open_die_counts_once(westwall: Store) -> None:
    """All dice but draws, with the faces that `dice show` lists."""
    rolls = [roll for roll in queries.rolls(westwall, None) if roll["number"]]
    faces = [face for roll in rolls if not parse_dice(roll["label"]).pool for face in roll["faces"]]
    found = queries.luck(westwall, None)
    assert len(faces) > 30
    assert (found.groups[0].dice, found.groups[0].sum) == (len(faces), sum(faces))
    assert {roll.side for roll in found.thrown} <= {"Allied", "German", NEITHER}


def test_a_seat_counts_only_rolls_that_it_may_know(westwall: Store) -> None:
    """A roll of which only notes to the other side tell does not count, nor one in the running phase that no
    note tells of yet."""
    readers = ("allied", "german", "umpire")

    def rolls_of(note: dict[str, Any]) -> set[int]:
        return {int(note[name]) for name in ("roll", "lots") if note.get(name)}

    def known(table: Table) -> list[set[int]]:
        here = table.here()
        return [{roll.number for roll in luck.known_rolls(table, here, reader)} for reader in readers]

    with westwall.transaction() as session:
        table = Table(session, session.get_one(GameRow, "france44"), NOW)
        every = {roll.number for roll in table.dice.rolls()}
        assert known(table) == [every, every, every]
        phases = table.record.phases()
        told_of = {roll for row in phases for note in row.notes for roll in rolls_of(note)}
        for row in phases:
            row.notes = [note | {"readers": ["german"]} if rolls_of(note) else note for note in row.notes]
        assert known(table) == [every - told_of, every, every] and 1 in told_of < every
        for row in phases:
            row.ended, row.notes = False, []
        assert known(table) == [set(), set(), every]
        session.rollback()


def test_a_kind_is_a_case_or_what_it_decides() -> None:
    """By its words where a case has dice for several things, else by its title."""
    labels = [
        "9.5|d6|attack hits, combat at 1411|1",
        "9.5|d6|attack morale, combat at 1411|1",
        "9.5|d6|again: 1SS|1",
        "3.2|d6|round 1 at 1411: fire|1",
    ]
    cases = titles("france44")
    assert list(luck.kinds_of("france44", labels).values()) == [
        "9.5 attack hits",
        "9.5 attack morale",
        f"9.5 {cases['9.5']}",
        f"3.2 {cases.get('3.2', '')}".rstrip(),
    ]


def test_dice_belong_to_the_side_whose_order_is_carried_out(westwall: Store) -> None:
    """In France 1944 that is the side which attacks, whatever the other decides meanwhile."""
    with queries.table_of(westwall, None) as (table, _):
        leads = luck.leading(table)
        rows = table.record.rows(1, "answer")
    attacker, found = "", 0
    for row in rows:
        if isinstance(row.answer, dict) and row.answer["verb"] == "attack":
            attacker = row.asked.split("|")[1]
        elif row.asked.startswith("9.5|d6"):
            assert leads[row.number] == attacker
            found += 1
    assert found > 10


def test_plotted_dice_belong_to_the_side_that_named_them(toy: Store) -> None:
    """Where no order is being carried out, the only side whose orders name it; else neither."""
    clashed(toy)
    assert [roll.side for roll in queries.luck(toy, None).thrown] == [NEITHER]


def test_sealed_rolls_never_count(tmp_path: Path) -> None:
    """Neither before the end nor after it."""
    box = toy_to_the_end(tmp_path / "toy.pbem")
    assert any(roll["number"] == 0 for roll in queries.rolls(box.store, None))
    assert all(roll.number for roll in queries.luck(box.store, None).thrown)


def clashed(toy: Store) -> Store:
    """Turn 1 up to the question whom blue sends back: the clash shows 4."""
    submit(toy, None, "red", "move R1 to 0201\nmove R2 to 0103\ndone\n", NOW + HOUR)
    submit(toy, None, "blue", "move B1 to 0402\ndone\n", NOW + 2 * HOUR)
    return toy


def test_a_roll_of_a_ruling_counts_as_it_fell_last(toy: Store) -> None:
    """Thrown again it counts as it fell then; set it does not count. Both are said."""
    clashed(toy)
    assert [roll.faces for roll in queries.luck(toy, None).thrown] == [(4,)]
    rule(toy, None, "reroll", "r1", by="moderator", why="cocked", now=NOW + 12 * HOUR)
    (shown,) = [roll["faces"] for roll in queries.rolls(toy, None) if roll["number"] == 1]
    found = queries.luck(toy, None)
    assert [roll.faces for roll in found.thrown] == [tuple(shown)] and (found.again, found.fixed) == (
        (1,),
        (),
    )
    rule(toy, None, "set", "r1", "2", by="moderator", why="as agreed", now=NOW + 13 * HOUR)
    found = queries.luck(toy, None)
    assert found.thrown == () and (found.again, found.fixed) == ((), (1,))


def test_what_rulings_do_to_the_chances_is_said() -> None:
    game = replace(report("toy", "umpire", dice(1, 2, 3, 4, 5), COLOURS), again=(1,), fixed=(6, 7))
    assert game.lines()[-3:] == [
        "1 roll thrown again or anew for a ruling: counted as thrown last.",
        "2 rolls set by the moderator: not counted.",
        "As nobody asks for a ruling after a good roll, these chances are not exact.",
    ]


# --- command and letter -------------------------------------------------------------------------------------


def test_the_command_reports_and_draws(westwall: Store, tmp_path: Path) -> None:
    """Text, JSON and a picture of the same dice."""
    file, picture = westwall.target, tmp_path / "luck.png"
    text = run("luck", file, "-o", picture).output
    assert text.startswith(("Nothing unusual: ", "Unusual: ")) and RULES in text
    told = json.loads(run("luck", file, "--seat", "german", "--json").output)
    assert told["reader"] == "german" and told["groups"][0]["name"] == "all dice"
    assert f"{told['groups'][0]['sum']:,}" in text
    with Image.open(io.BytesIO(picture.read_bytes())) as drawn:
        assert drawn.format == "PNG" and drawn.width == 900 and len(drawn.getcolors() or ()) > 5
    assert len(picture.read_bytes()) < 60_000


def test_a_game_without_dice_has_a_picture_that_says_so(tmp_path: Path) -> None:
    toy_to_the_end(tmp_path / "toy.pbem")
    run("luck", tmp_path / "toy.pbem", "-o", tmp_path / "luck.png")
    with Image.open(tmp_path / "luck.png") as drawn:
        assert drawn.size == (900, 72)


def test_what_cannot_be_done_is_refused(tmp_path: Path) -> None:
    toy_to_the_end(tmp_path / "toy.pbem")
    file = tmp_path / "toy.pbem"
    assert "the picture is a .png file" in run("luck", file, "-o", tmp_path / "luck.svg", code=2).output
    assert 'no seat "green"' in run("luck", file, "--seat", "green", code=1).output


def test_the_page_of_a_game_has_the_report_of_its_reader(tmp_path: Path) -> None:
    """The same as the command gives: sentences, table and remarks, a panel for each side. Rolls that only the
    other side may know of do not count."""
    store = played(tmp_path / "france44.pbem", "france44", bot="greedy")
    with store.transaction() as session:
        rows = session.exec(select(PhaseRow)).all()
        for row in rows[: len(rows) // 2]:
            row.notes = [note | {"readers": ["german"]} if note.get("roll") else note for note in row.notes]
            session.add(row)
    found = {each: queries.luck(store, None, each) for each in ("umpire", "allied", "german")}
    assert found["allied"].groups[0].dice < found["german"].groups[0].dice == found["umpire"].groups[0].dice
    for reader, mine in found.items():
        page = shown(queries.replay_page(store, None, reader)[0])
        told = [*mine.sentences(), *mine.remarks(), *(course.told() for course in mine.courses())]
        told += [" ".join((row.name, *row.cells)) for row in mine.rows()]
        assert [line for line in told if line not in page] == []
        assert page.count("the band of") == len(list(mine.courses())) > 0


def test_the_page_of_a_part_counts_its_dice_alone(westwall: Store) -> None:
    """From one roll to another: what was thrown before and after it does not tell on it."""
    whole = queries.luck(westwall, None)
    page, story = queries.replay_page(westwall, None, "umpire", "R9", "R20")
    mine = whole.between(min(story.dice), max(story.dice))
    assert {roll.number for roll in mine.thrown} == {roll.number for roll in whole.thrown} & {*story.dice}
    assert mine.headline() in shown(page) and whole.headline() not in shown(page)


def test_rulings_in_a_part_are_those_on_its_rolls() -> None:
    game = replace(report("toy", "umpire", dice(1, 2, 3, 4, 5, 6), COLOURS), again=(2, 6), fixed=(7,))
    part = game.between(1, 5)
    assert (part.groups[0].dice, part.again, part.fixed) == (5, (2,), ())


def test_the_page_of_a_game_without_dice_says_so(tmp_path: Path) -> None:
    box = toy_to_the_end(tmp_path / "toy.pbem")
    page = queries.replay_page(box.store, None)[0]
    assert "Too few dice to tell: a look needs 5." in page and 'scope="rowgroup"' not in page


def shown(page: str) -> str:
    """What the page of a game says of its luck, without line breaks."""
    found = re.search(r'<section class="luck">(.*?)</section>', page, re.DOTALL)
    assert found is not None
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", found[1])).split())


def test_a_letter_sends_it(tmp_path: Path) -> None:
    """LUCK is answered with the report, and as long as there are few dice without a picture."""
    box = toy_box(tmp_path)
    assert "Too few dice to tell: a look needs 5." in told(box, "red", "luck\n")
    assert "LUCK how high the dice fell" in " ".join(told(box, "red", "stats\n").split())


def test_a_letter_brings_the_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """LUCK comes with a picture as soon as there are dice to draw, of what the seat knows."""
    monkeypatch.setattr(luck, "FEWEST", 1)
    box = toy_box(tmp_path)
    box.mail("red", "move R1 to 0201\nmove R2 to 0103\ndone\n")
    box.mail("blue", "move B1 to 0402\ndone\n")
    assert "Too few dice to tell" in told(box, "red", "luck\n")  # no note tells of the clash yet
    box.mail("blue", "defaults\n")
    last = box.last()
    text = told(box, "red", "luck\n")
    assert "Nothing unusual: the 1 die" in text and "toy-luck.png is attached" in text
    (row,) = box.outbox(after=last)
    mail = message_from_bytes(row.raw, policy=default)
    assert isinstance(mail, EmailMessage)
    (picture,) = [part for part in mail.iter_attachments() if part.get_filename() == "toy-luck.png"]
    assert picture.get_content().startswith(b"\x89PNG")


@pytest.mark.parametrize("fewest", [1, 5])
def test_the_last_letter_says_it_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fewest: int
) -> None:
    """The letter that ends a game has the result, unless there were too few dice."""
    monkeypatch.setattr(luck, "FEWEST", fewest)
    box = toy_to_the_end(tmp_path / "toy.pbem")
    *earlier, end = map(flat, box.texts(box.address("red")))
    assert ("LUCK sends the whole report, with a picture." in end) == (fewest == 1)
    assert ("Luck ---- Nothing unusual: the 3 dice show 11" in end) == (fewest == 1)
    assert not any("LUCK sends" in text for text in earlier)
