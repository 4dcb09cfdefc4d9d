"""What a player has who owns no rulebook: the first letter, CHARTS, RULINGS and `pbem help`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import NOW, begin
from postbox import Postbox
from protocol_kit import flat, new_game, told, toy_box

from pbem.cli import main
from pbem.engine.game import game
from pbem.engine.installed import games, home
from pbem.engine.language.reference import NO_HELP, Examples, reference
from pbem.service.letters import handbook
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.record.store import Store
from pbem.service.tools import guides

GAMES = tuple(key for key in games() if key in ("normandy71", "rampage", "falaise", "normandy44", "france44"))


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_charts_with_their_sources(key: str) -> None:
    """Every table has lines, nothing of a template is left in it, and every game says
    what is reconstructed."""
    parts = handbook.charts(game(key), game(key).start())
    assert len(parts) >= 5
    text = "\n".join(line for part in parts for line in (part.title, *part.lines))
    assert "reconstructed" in text and ("Source:" in text or "~" in text)
    assert not any(mark in text for mark in ("{{", "}}", "None", "<built-in"))


@pytest.mark.parametrize("key", GAMES)
def test_every_row_of_the_rulings_is_told(key: str) -> None:
    """Every row of the table in the README of a game has a case, a question and a decision."""
    rows = handbook.rulings(key)
    assert len(rows) > 10 and all(len(row) >= 3 and all(row[:3]) for row in rows)
    case = rows[0][0].split(",")[0]
    assert handbook.rulings_lines(key, case)[0].startswith(f"[{rows[0][0]}]")


def test_rulings_of_a_case_are_those_of_its_parts() -> None:
    """RULINGS 8 brings 8.1 and 8.4, not 18 or 80."""
    heads = [line for line in handbook.rulings_lines("falaise", "8") if line.startswith("[")]
    assert heads and all(
        any(case.strip().startswith("8.") for case in head[1:].split("]")[0].split(",")) for head in heads
    )


def test_charts_and_rulings_come_by_mail(tmp_path: Path) -> None:
    """CHARTS brings all tables, CHARTS with a word those with it in the title; an unknown word the titles."""
    box = new_game(tmp_path, "rampage", "allied")
    text = told(box, "allied", "charts\n")
    assert "Combat: steps lost for each die" in text and "Movement costs [9.12]" in text
    text = told(box, "allied", "CHARTS movement\n")
    assert "Movement costs [9.12]" in text and "Combat: steps lost" not in text
    assert "There is no such table. There are: Combat" in told(box, "allied", "charts weather\n")
    assert "Replacements, supply, stacking" in told(box, "allied", "help replacements\n")
    assert NO_HELP in told(box, "allied", "help wether\n")
    assert "[8.2, 10.4]" in told(box, "allied", "rulings 8.2\n")
    assert "there are none" in told(box, "allied", "rulings 99\n")


def test_a_game_without_charts_says_so(tmp_path: Path) -> None:
    assert "This game has none." in told(toy_box(tmp_path), "red", "charts\n")


def test_the_first_letter_says_who_plays_whom_and_how(tmp_path: Path) -> None:
    """Each seat is welcomed once, whether it is asked for anything yet or not."""
    box = new_game(tmp_path, "falaise", "allied", "german")
    for seat, other in (("german", "Allied"), ("allied", "German")):
        first, *others = box.texts(box.address(seat), 0)
        head = " ".join(first.split())
        assert f"Welcome, {seat.title()}. You play the {seat.title()} side against {other} ({other})." in head
        assert "scenario" in head and "How orders work" in head and "Nothing has happened" not in head
        assert not any("Welcome" in text for text in others)


def test_the_first_letter_of_a_game_without_a_clock_speaks_of_no_deadline(store: Store) -> None:
    begin(store, welcome=True)
    timed = [flat(text) for text in Postbox(store, "toy").texts("rita@mail.example")]
    assert "At the deadline a section is closed as it is" in timed[0]
    players = {"red": Player("Rita", "rita@mail.example"), "blue": Player("Bob", "bob@mail.example")}
    settings = {"address": "pbem@host.example"}
    start(store, NewGame("clash", "calm", players=players, settings=settings, seed="toy"), NOW)
    for who in ("rita@mail.example", "bob@mail.example"):
        (text,) = map(flat, Postbox(store, "calm").texts(who)[-1:])
        assert "This game has no deadlines: it waits for each player as long as it takes." in text
        assert text.lower().count("deadline") == 1


def test_help_on_the_command_line() -> None:
    """`pbem help` lists the commands; with a game it explains orders, charts and rulings."""
    run = CliRunner().invoke
    assert "autoplay" in run(main, ["help"]).output
    assert "Movement costs" in run(main, ["help", "rampage", "charts"]).output
    assert "[8.2, 10.4]" in run(main, ["help", "rampage", "rulings"]).output
    assert "attack" in run(main, ["help", "rampage"]).output.lower()
    assert run(main, ["help", "nosuch"]).exit_code == 1


@pytest.mark.parametrize("topic", guides.GUIDES)
def test_help_shows_every_guide(topic: str) -> None:
    """`pbem help` lists each guide with what it is about; `pbem help TOPIC` shows it as text."""
    run = CliRunner().invoke
    about = guides.GUIDES[topic].about
    assert " ".join(run(main, ["help"]).output.split()).count(f"{topic} {about[0].upper()}{about[1:]}.") == 1
    shown = run(main, ["help", topic])
    assert shown.exit_code == 0 and shown.output.startswith("# ") and len(shown.output.splitlines()) > 50
    assert "<!--" not in shown.output and "<details>" not in shown.output


def test_help_shows_a_chapter_of_a_guide() -> None:
    """A word behind the topic picks the chapters with it in their titles; another one names those there
    are."""
    run = CliRunner().invoke
    shown = run(main, ["help", "hosting", "backup"]).output
    assert shown.startswith("## Backup\n") and "pbem restore" in shown and shown.count("\n## ") == 0
    wrong = run(main, ["help", "hosting", "weather"])
    assert wrong.exit_code == 1 and "Deadlines" in wrong.output


def test_help_shows_the_page_of_orders_and_the_help_of_commands() -> None:
    """`pbem help GAME --markdown` is the page on file, `pbem help COMMAND` what its --help says; a name that
    is none of these gets the nearest one."""
    run = CliRunner().invoke
    page = (home("rampage") / "ORDERS.md").read_text(encoding="utf-8")
    assert run(main, ["help", "rampage", "--markdown"]).output == page
    assert run(main, ["help", "undo"]).output == run(main, ["undo", "--help"]).output
    wrong = run(main, ["help", "hostng"])
    assert wrong.exit_code == 1 and "Did you mean hosting?" in wrong.output
    assert run(main, ["help", "hosting", "--markdown"]).exit_code == 2


def test_a_game_without_an_example_has_a_page_of_orders() -> None:
    """It lacks only the letter."""
    page = guides.order_page(game("clash"))
    assert guides.sample("clash") is None and "A whole letter" not in page
    assert "    move <unit> [to] <hex>" in page and "`standing retreat: B1`" in page


@pytest.mark.parametrize("key", GAMES)
def test_the_first_letter_says_what_wins_and_how_to_begin(key: str, tmp_path: Path) -> None:
    """Both sides read it, in every scenario."""
    rules = game(key)
    seats = [seat.key for seat in rules.seats_of(rules.start().options)]
    people = [seat for seat in seats if seat not in rules.systems_of(rules.start().options)]
    for scenario in rules.scenarios:
        folder = tmp_path / scenario
        folder.mkdir()
        box = new_game(folder, key, *people, scenario=scenario)
        for seat in people:
            text = box.texts(box.address(seat), 0)[0]
            assert ("What wins" in text or "How to win" in text) and "How to begin" in text


@pytest.mark.parametrize("key", GAMES)
def test_the_standing_orders_of_the_first_letter_can_be_sent(tmp_path: Path, key: str) -> None:
    """Each line of the starter set is kept as a standing order of the seat that is shown it."""
    seats = [seat.key for seat in game(key).seats_of(game(key).chosen({}))]
    box = new_game(tmp_path, key, *seats)
    for seat in seats:
        text = box.texts(box.address(seat), 0)[0]
        shown = [line[2:] for line in text.splitlines() if line.startswith("; standing ")]
        assert len(shown) >= 2
        answer = told(box, seat, "\n".join(shown) + "\n")
        kept = box.seat(seat).standing
        assert len(kept) == len(shown), (shown, answer)


def test_normandy_charts_have_what_the_printed_map_shows() -> None:
    """INV.1A, VIC.X Without a map sheet a player reads beaches, exits and cities with their hexes, and how
    many units a hex holds."""
    charts = {
        part.title: "\n".join(part.lines)
        for part in handbook.charts(game("normandy71"), game("normandy71").start())
    }
    places = charts["Beaches and exits [INV.1A, VIC.X]"]
    assert "3 Utah 5031" in places and "Exits east: 0109, 0115, 0121, 0125" in places
    assert "Caen (1518, 1618, 1619) 6" in charts["Victory points [VIC]"]
    stacking = charts["Stacking, supply, entrenching [STK, SUP, ENT]"]
    assert "Bocage: at most 2 battalions, or 1 regiment" in stacking
    assert "Other hexes: at most 3 battalions, 1 regiment and 2 battalions, or 2 regiments" in stacking


@pytest.mark.parametrize(
    ("seat", "own", "other"), [("allied", "[plan]", "[set-up]"), ("german", "[set-up]", "[plan]")]
)
def test_help_has_no_section_of_the_other_side(seat: str, own: str, other: str) -> None:
    """HELP in Normandy lists the deployment of its reader alone."""
    grammar = game("normandy71").grammar
    text = reference(grammar, examples=Examples(grammar, seat)).splitlines()
    assert own in text and other not in text


def test_help_writes_marks_plainly_and_names_words_as_they_are_listed() -> None:
    """Op-fire is ordered with >=, and a preference is found under WORDS by the name in the usage."""
    grammar = game("falaise").grammar
    text = reference(grammar, examples=Examples(grammar, "german"))
    assert "[is] (at least|>=) <modifier>" in " ".join(text.split())
    assert "standing losses: <preference>, ..." in text and "<prefs>" not in text
