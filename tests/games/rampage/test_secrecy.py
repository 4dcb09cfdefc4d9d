"""What one of two commanders writes, and how often, is nothing that the other can read
before it is played."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from correspondence import Watch
from postbox import Postbox

from tests.games.rampage.kit import PLAYERS, TWO

SEATS = {"us": "british", "british": "us"}
MOVES = {"us": "79Inf to 1303", "british": "51BrInf to 1803"}
SET_UP = [(seat, "[set-up]\ndefault\ndone\n") for seat in SEATS]
WATCH = Watch(
    "rampage",
    "rush",
    (
        "STATUS",
        "LOG 1",
        "HELP",
        "TRY\n[operations]\n79Inf to 1303\n51BrInf to 1803\n",
        "withdraw all",
        "Q1: a",
        "done all",
    ),
    players={seat: PLAYERS[seat] for seat in SEATS},
    options=TWO,
)
DRAFTS: dict[str, Sequence[Sequence[str]]] = {
    "us": (
        ["[operations]\n79Inf to 1303, fight until won\n"],
        [
            "[operations]\n4A, 35Inf to 1103\n2A to 1801\n",
            "standing losses: reduced first\nL3: 2A to 1502\n",
            "withdraw L2\n79Imf to 1303\ndone\n",
            "[operations]\nconcede\n",
        ],
    ),
    "british": (
        ["[operations]\n51BrInf to 1803, fight until won\n"],
        [
            "standing battle: fight at most 2 rounds\n",
            "[operations]\nGdsA to 1803\n3BrInf to 1102\ndone\n",
            "GdsA to 1803, fight until won, pause after battles\ntry\n",
            "[operations]\nGdsA, 7BrA to 1902\ndone all\n",
        ],
    ),
}
"""What a commander may write without closing a section: one draft, or drafts, corrections,
standing orders and faulty lines."""


def runs(writer: str) -> list[list[tuple[str, str]]]:
    return [[(writer, text) for text in texts] for texts in DRAFTS[writer]]


@pytest.mark.parametrize("reader", SEATS)
def test_drafts_of_the_other_commander_cannot_be_read(reader: str, tmp_path: Path) -> None:
    """1.1 Whatever the other commander has on the sheet, and in however many letters:
    view, letters and their headers are the same."""
    WATCH.alike_after(tmp_path, reader, SET_UP, runs(SEATS[reader]))


@pytest.mark.parametrize("reader", SEATS)
def test_set_ups_cannot_be_read_before_they_are_done(reader: str, tmp_path: Path) -> None:
    """3.4 A set-up that is being written shows nowhere."""
    placed = {
        "us": ["place 4A at 1102", "place 35Inf, 4A at 1202\nplace 7A at 1102\n"],
        "british": ["place GdsA at 1801", "place 3BrInf, GdsA at 1701\nplace 7BrA at 1801\n"],
    }[SEATS[reader]]
    secret = [[(SEATS[reader], f"[set-up]\n{text}\n") for text in placed[: at + 1]] for at in range(2)]
    WATCH.alike_after(tmp_path, reader, (), secret)


@pytest.mark.parametrize("reader", SEATS)
def test_letters_after_play_tell_nothing_of_what_was_withdrawn(reader: str, tmp_path: Path) -> None:
    """1.1 Once both have moved, the letters are the same whatever was drafted,
    corrected and taken back before."""
    writer = SEATS[reader]

    def play(box: Postbox) -> None:
        for seat, text in (
            (writer, "standing clear\nnew [operations]\n"),
            (writer, f"[operations]\n{MOVES[writer]}, fight at most 1 round\ndone\n"),
            (reader, f"[operations]\n{MOVES[reader]}, fight at most 1 round\ndone\n"),
        ):
            assert box.mail(seat, text).outcome == "accepted", box.texts()[-1]
        assert box.row().phase > 2

    WATCH.alike_after(tmp_path, reader, SET_UP, runs(writer), then=play)
