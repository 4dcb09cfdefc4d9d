"""MAP by mail: the whole map, a place, an earlier turn, a text map."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from conftest import NOW
from PIL import Image, ImageStat
from postbox import Postbox
from protocol_kit import flat, normandy, toy_box
from replays import played

from pbem.cli import main
from pbem.render.replay import Story, changed_since
from pbem.render.terminal import read_text
from pbem.service.intake import commands
from pbem.service.letters.maps import MOST_BYTES, Asked
from pbem.service.letters.reports import turn_letter
from pbem.service.letters.telling import Record
from pbem.service.play.news import News
from pbem.service.record.rows import GameRow
from pbem.service.record.table import Table
from pbem.service.tools.queries import board_of, tell
from tests.render.test_render_svg import read_svg


def sent(raw: bytes) -> tuple[dict[str, bytes], str]:
    """The files and pictures of a letter by name, and its text."""
    letter = message_from_bytes(raw, policy=default)  # type: ignore[arg-type]
    assert isinstance(letter, EmailMessage)
    files = {str(part.get_filename()): part for part in letter.walk() if part.get_filename()}
    told = letter.get_body(("plain",))
    assert told is not None
    return {name: bytes(part.get_payload(decode=True)) for name, part in files.items()}, str(
        told.get_content()
    )


def asked(box: Postbox, seat: str, words: str) -> tuple[dict[str, bytes], str]:
    """What a seat gets for a letter of one line."""
    last = box.last()
    assert box.mail(seat, words + "\n").outcome in ("explained", "accepted")
    return sent(box.outbox(box.address(seat), last)[-1].raw)


def ran(*words: Any, code: int = 0) -> Result:
    """What a command comes to; `code` is how it must end."""
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exit_code == code, done.output
    return done


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("", Asked()),
        ("5327", Asked(place="5327")),
        ("T3", Asked(3)),
        ("t3 Caen", Asked(3, place="Caen")),
        ("TEXT", Asked(text=True)),
        ("text T2 21 Pz", Asked(2, True, "21 Pz")),
        ("T2 TEXT 5327", Asked(2, True, "5327")),
        ("since r17", Asked(since="R17")),
        ("T3 SINCE T1 Caen", Asked(3, place="Caen", since="T1")),
        ("text since my last letter: 21 Pz", Asked(text=True, place="21 Pz", since="LETTER")),
        ("since", Asked(since="")),
    ],
)
def test_what_is_asked_for(words: str, meant: Asked) -> None:
    """Turn, SINCE, TEXT and place may be left out; only the place has to come last."""
    assert Asked.read(words) == meant
    again = f"{meant.command[4:]}{'TEXT ' if meant.text else ''}{meant.place}"
    assert meant.since == "" or Asked.read(again) == meant


def test_the_whole_map_is_a_file_with_every_unit(tmp_path: Path) -> None:
    """MAP brings the whole map with all that the side knows, and parts of it as pictures."""
    box = normandy(tmp_path)
    files, text = asked(box, "german", "map")
    board = board_of(box.store, None, "german")
    assert sorted(read_svg(files["map.svg"].decode()).elements(), key=repr) == sorted(
        board.counters, key=repr
    )
    parts = [name for name in files if re.fullmatch(r"map-\d\.png", name)]
    assert 1 <= len(parts) <= 4 and all(len(files[name]) <= 60_000 for name in parts)
    assert len(files["map.svg"]) <= 300_000 and sum(map(len, files.values())) < MOST_BYTES
    assert "map.svg is attached" in text and 'class="outside"' not in files["map.svg"].decode()


def test_a_map_around_a_place(tmp_path: Path) -> None:
    """MAP and a place brings one picture and tells what stands there; no file."""
    box = normandy(tmp_path)
    for words in ("map Carentan", "map 5325", "Map around Carentan."):
        files, text = asked(box, "german", words)
        assert "map-1.png" in files and "map-2.png" not in files and "map.svg" not in files
        assert "Carentan (5325) and the hexes around it" in " ".join(text.split())
    _, text = asked(box, "german", "map Carentn")
    assert "did you mean Carentan?" in " ".join(text.split())
    _, text = asked(box, "german", "map 9999")
    assert "there is no hex 9999 on the map" in text


def test_a_map_of_a_turn_that_is_not_over(tmp_path: Path) -> None:
    """It is not sent, and the reply says which turns there are."""
    box = normandy(tmp_path)
    files, text = asked(box, "allied", "map T9")
    assert "Turn 9 has not been played" in text and "map-1.png" not in files


def test_what_has_changed_since_the_last_letter(tmp_path: Path) -> None:
    """Short letters have no map: MAP SINCE LETTER has all since the last one that had, and so has the command
    line. A letter with a map ends that."""
    box = toy_box(tmp_path)
    since = ("map", box.store.target, "--seat", "red", "--since", "letter")
    _, text = asked(box, "red", "map since letter")
    assert "Not sent: nothing has happened since the last letter" in flat(text)
    asked(box, "red", "brief on")
    box.mail("red", "move R1 to 0201\nmove R2 to 0103\ndone\n")
    box.mail("blue", "move B1 to 0402\ndone\n")
    box.mail("blue", "Q1: a\n")
    whole = changed_since(tell(box.store, None, "red"), "letter")
    assert whole.subtitle == "since the last letter"
    files, text = asked(box, "red", "map since letter\nmap since letter text\nmap since r1 0103")
    assert "map-since-letter.svg" in files and "map-1.png" in files and "red 1-1 R1" in text
    drawn = read_svg(files["map-since-letter.svg"].decode())
    assert sorted(drawn.elements(), key=repr) == sorted(whole.counters, key=repr)
    assert "Map, since the last letter" in text and "nothing has happened since R1" in flat(text)
    assert "since the last letter" in ran(*since).output
    asked(box, "red", "brief off")
    before = tell(box.store, None, "red").letter
    box.mail("red", "no orders\n")
    box.mail("blue", "no orders\n")
    box.mail("blue", "Q2: a\n")
    assert tell(box.store, None, "red").letter > before > 0
    done = ran(*since)
    assert done.stderr == "nothing has happened since the last letter\n"
    assert done.stdout == ran(*since[:4]).stdout and "R1" in done.stdout
    assert (
        "Error: nothing has happened since the last letter; --since T1"
        in ran(*since, "--at", "T1", code=1).stderr
    )


def test_a_letter_marks_all_since_the_one_before(tmp_path: Path) -> None:
    """However many phases its reader has not been told of: each move, fight and loss, as in the replay."""
    store = played(tmp_path / "normandy44.pbem", "normandy44", bot="greedy", seed="7", phases=14)
    story = tell(store, None, "allied")
    with store.transaction() as session:
        table = Table(session, session.get_one(GameRow, "normandy44"), NOW)
        for last in (2, 7, 13):
            table.seats["allied"].news = News(phase=last + 1).dump()
            writing = turn_letter(table, [table.here()], "allied")
            assert writing is not None and writing.board is not None
            told = max(row.number for row in table.record.rows(1, "answer") if row.phase <= last)
            since, board = changed_since(replace(story, letter=told), "letter"), writing.board()
            assert set(board.arrows) == set(since.arrows) and set(board.battles) == set(since.battles)
            assert {mark for mark in since.marks if mark.kind == "lost"} <= set(board.marks)
            assert len(board.battles) > 3
        session.rollback()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("since R999", "nothing of R999 is in this game, as its reader knows it: it has none yet. MAP SINCE"),
        ("since T7", "nothing of T7 is in this game, as its reader knows it: it ends with T1. MAP SINCE"),
        ("since letter", "no letter with a map has gone to this seat yet. MAP SINCE takes a roll"),
        ("since yesterday", "Not sent: MAP SINCE takes a roll of your log (R17), a turn (T2) or LETTER"),
        ("since", "Not sent: MAP SINCE takes a roll of your log (R17), a turn (T2) or LETTER"),
    ],
)
def test_a_map_since_nothing_that_there_is(words: str, why: str, tmp_path: Path) -> None:
    """It is not sent, and the reply says what can be asked for."""
    box = toy_box(tmp_path)
    if words == "since T7":
        box.mail("red", "move R1 to 0201\ndone\n")
    files, text = asked(box, "blue", f"map {words}")
    assert why in flat(text) and not {name for name in files if name.startswith("map-since")}


def test_rolls_of_others_are_as_unknown_as_those_that_are_not(tmp_path: Path) -> None:
    """A seat is told the same of a roll that its log does not have as of none at all."""
    store = played(tmp_path / "normandy44.pbem", "normandy44", phases=8)
    story = tell(store, None, "allied")
    every, known = set(tell(store, None, "umpire").dice), set(story.dice)
    for roll in [*sorted(every - known), max(every) + 1]:
        with pytest.raises(ValueError, match="as its reader knows it") as error:
            changed_since(story, f"R{roll}")
        assert str(error.value).endswith(f"as its reader knows it: it ends with R{max(known)}")


def test_a_game_is_told_while_others_may_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is played again for MAP SINCE before the store is locked."""
    box, made = toy_box(tmp_path), list[str]()
    box.mail("red", "move R1 to 0201\ndone\n")
    tells = commands.story_of

    def slow(record: Record) -> Story:
        if not made:
            made.append("letter")
            box.mail("blue", "status\n")
        made.append("story")
        return tells(record)

    monkeypatch.setattr(commands, "story_of", slow)
    asked(box, "red", "map since letter")
    assert made == ["letter", "story"]


def test_a_text_map_stands_in_the_letter(tmp_path: Path) -> None:
    """MAP TEXT is at most 78 columns wide and lists every unit; with a place, those near it."""
    box = normandy(tmp_path)
    _, text = asked(box, "german", "map text")
    board = board_of(box.store, None, "german")
    begins = text.index("\nUnits\n")
    listed = read_text(text[begins : text.index("\n\n", begins)] + "\n")
    assert sorted(listed, key=repr) == sorted(board.counters, key=repr)
    drawn = text[text.index("\nMap\n") : text.index("\n\n", begins)]
    assert max(map(len, drawn.splitlines())) <= 78
    _, near = asked(box, "german", "map text Carentan")
    assert 0 < near.count("german") < text.count("german")


def test_dark_maps_are_a_setting(tmp_path: Path) -> None:
    """DARK ON makes every map of a seat dark until DARK OFF, and no map of another seat."""
    box = normandy(tmp_path)

    def light(seat: str) -> float:
        """How light the picture of a map is, 255 at most."""
        picture = Image.open(io.BytesIO(asked(box, seat, "map 5327")[0]["map-1.png"])).convert("L")
        return float(ImageStat.Stat(picture).mean[0])

    before = light("german")
    _, text = asked(box, "german", "dark on")
    assert "Maps are dark from now on." in text
    assert light("german") < before - 60
    assert light("allied") > before - 60
    asked(box, "german", "dark off")
    assert light("german") == before
