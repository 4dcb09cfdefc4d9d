"""SUMMARY: the story of a game in about twenty lines, as its reader may know it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import NOW
from postbox import Postbox, toy_to_the_end
from protocol_kit import told, toy_box
from sizes import some

from pbem.cli import main
from pbem.engine.game import game
from pbem.service.letters.summary import BODY, fitted, spans
from pbem.service.moderating.rulings.ruling import rule
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.record.store import Store
from pbem.service.tools import queries

MOST, WIDTH = 25, 78
BOT = Player(bot="greedy")


def lines(store: Store, seat: str) -> list[str]:
    return [line for part in queries.summary(store, None, seat) for line in (part.title, *part.lines)]


@pytest.mark.parametrize("turns", [1, 2, 9, 10, 16, 17, 23, 60])
def test_turns_fit_and_none_is_left_out(turns: int) -> None:
    """All turns are told in their order, the newest alone; older ones together only if there are many."""
    found = spans(list(range(1, turns + 1)))
    assert [turn for span in found for turn in span.turns] == list(range(1, turns + 1))
    assert sum(span.room for span in found) <= BODY
    assert len(found[-1].turns) == 1 and (turns > 16) == any(len(span.turns) > 1 for span in found)


@pytest.mark.parametrize(
    ("sentences", "told"),
    [
        (["One step lost."], "One step lost."),
        (["One step lost.", "Caen taken."], "One step lost. Caen taken."),
        (["One step lost.", "Caen " * 20, "Bayeux taken."], "One step lost. Bayeux taken."),
        (["One step lost.", "Caen " * 20], "One step lost." + " Caen" * 12 + " ..."),
    ],
)
def test_a_turn_is_told_as_far_as_there_is_room(sentences: list[str], told: str) -> None:
    """A sentence that does not fit is left out; where none fits the second is cut."""
    assert fitted(sentences, 1) == told


def test_a_letter_sends_it(tmp_path: Path) -> None:
    """SUMMARY says who plays what, what each turn came to, and who is waited for."""
    box = toy_box(tmp_path)
    box.mail("red", "move R1 to 0201\ndone\n")
    text = told(box, "red", "summary\n")
    assert "Summary of toy" in text and "Blue (Bob) against Red (Rita)" in text
    assert "T1" in text and "Waiting for" in text


def test_a_word_of_chat_is_no_command(tmp_path: Path) -> None:
    """`summary of the game` is the command; words that people try instead lead to it."""
    box = toy_box(tmp_path)
    assert "Summary of toy" in told(box, "red", "Summary of the game, please.\n")
    for word in ("report", "story", "recap"):
        assert "SUMMARY sends the game so far" in told(box, "red", f"{word}\n"), word


def test_the_end_is_the_result(tmp_path: Path) -> None:
    box: Postbox = toy_to_the_end(tmp_path / "toy.pbem")
    (*_, title, result) = lines(box.store, "red")
    assert title == "Result" and result
    assert "Waiting for" not in lines(box.store, "red")


@pytest.mark.parametrize("key", some(["france44", "normandy71"], 1))
def test_a_whole_game_fits(tmp_path: Path, key: str) -> None:
    """Each turn has a line, none is too wide, and each reader's is of the same game."""
    store = Store.create(tmp_path / "game.pbem")
    players = {seat.key: BOT for seat in game(key).seats}
    start(store, NewGame(key, "game", players=players, seed="3"), NOW)
    for reader in (*players, "umpire"):
        shown = lines(store, reader)
        assert len(shown) <= MOST and max(map(len, shown)) <= WIDTH
        assert any(line.startswith("T1 (") for line in shown) and "Lost: " in " ".join(shown)
        assert "Result" in shown


def test_the_command_line_shows_it(tmp_path: Path) -> None:
    toy_box(tmp_path)
    file = str(tmp_path / "toy.pbem")
    done = CliRunner().invoke(main, ["log", file, "--summary", "--seat", "red"])
    assert done.exit_code == 0 and "Summary of toy" in done.output
    done = CliRunner().invoke(main, ["log", file, "--summary", "--json"])
    assert done.exit_code == 0 and '"title": "Summary of toy"' in done.output
    done = CliRunner().invoke(main, ["log", file, "--summary", "--turn", "1"])
    assert done.exit_code == 2 and "leave --turn out" in done.output


def test_rulings_are_told_to_those_who_know_of_them(tmp_path: Path) -> None:
    """A ruling of which each seat reads its own part stands in the summary of the umpire alone."""
    box = toy_box(tmp_path)
    box.mail("red", "move R1 to 0201\ndone\n")
    rule(box.store, None, "undo", by="host", why="", now=box.now)
    assert "1 ruling (1)." in " ".join(lines(box.store, "umpire"))
    assert "ruling" not in " ".join(lines(box.store, "red"))
