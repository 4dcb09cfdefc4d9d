"""MAP by mail: the whole map, a place, an earlier turn, a text map."""

from __future__ import annotations

import io
import re
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest
from PIL import Image, ImageStat
from postbox import Postbox
from protocol_kit import normandy

from pbem.render.terminal import read_text
from pbem.service.letters.maps import MOST_BYTES, Asked
from pbem.service.tools.queries import board_of
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
    ],
)
def test_what_is_asked_for(words: str, meant: Asked) -> None:
    """Turn, TEXT and place may be left out; TEXT may come before the turn."""
    assert Asked.read(words) == meant


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
