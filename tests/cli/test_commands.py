"""Every command on a real game file, in this process."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from sqlalchemy import text

from pbem.cli import COMMANDS, main
from pbem.config import settings
from pbem.service.record.store import SCHEMA, Store


def run(*words: str | Path, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], input=stdin)


def ok(*words: str | Path, stdin: str | bytes | None = None) -> str:
    result = run(*words, stdin=stdin)
    assert result.exit_code == 0, (result.output, result.exception)
    return result.stdout


def loaded(*words: str | Path) -> Any:
    return json.loads(ok(*words, "--json"))


def refused(*words: str | Path, stdin: str | None = None, code: int = 1) -> str:
    """The one line that a command that cannot be carried out says on standard error."""
    result = run(*words, stdin=stdin)
    assert result.exit_code == code, (result.output, result.exception)
    assert isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output
    return result.stderr


@pytest.fixture
def toy_file(game_file: Path) -> Path:
    """A toy game as `pbem new` starts it."""
    ok(
        "new", "clash", "-o", game_file, "--id", "toy", "--seed", "toy", "--clock", "3d", "--at", "21",
        "--zone", "Europe/Paris", "--player", "red=Rita <rita@mail.example>", "--player",
        "blue=bob@mail.example", "--address", "pbem@host.example",
    )  # fmt: skip
    return game_file


@pytest.fixture
def played_file(toy_file: Path) -> Path:
    """The same game, one turn further."""
    ok("submit", toy_file, "-", "--seat", "red", stdin="move R1 to 0201\ndone\n")
    ok("submit", toy_file, "-", "--seat", "blue", stdin="standing retreat: B2\nmove B1 to 0402\ndone\n")
    return toy_file


def altered(path: Path, statement: str) -> None:
    store = Store(path)
    with store.engine.begin() as connection:
        assert connection.execute(text(statement)).rowcount
    store.close()


# --- starting and looking -----------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    """Each command has a line of help, and the commands below it have theirs."""
    assert "Usage" in ok(command, "--help")
    short = main.get_command(None, command)  # type: ignore[arg-type]
    assert short is not None
    assert short.help


def groups(group: click.Group = main, *words: str) -> Iterator[tuple[str, ...]]:
    """The words of every group of commands, the whole command line first."""
    yield words
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from groups(command, *words, name)


@pytest.mark.parametrize("words", [*groups()], ids=" ".join)
def test_commands_are_listed_on_a_line_each(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """In a terminal of 80 columns the summary of every command is whole and fits on its line."""
    monkeypatch.setenv("COLUMNS", "80")
    listed = ok(*words, "--help").partition("Commands:\n")[2].partition("\n\n")[0].splitlines()
    assert listed
    assert [line for line in listed if not re.fullmatch(r"  [a-z]+ +[A-Z].*[^.]\.", line)] == []


@pytest.mark.parametrize(
    ("words", "meant"),
    [(["stauts"], "status"), (["mail", "recieve"], "receive"), (["dice", "veryfy"], "verify")],
)
def test_a_misspelt_command_is_answered_with_the_one_meant(words: list[str], meant: str) -> None:
    """A command that is not there is refused with the one that looks like it, if there is one."""
    assert f"; did you mean {meant}?" in refused(*words, code=2)
    assert "did you mean" not in refused("xyzzy", code=2)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["new", "clahs", "-o", "new.pbem"], 'no game "clahs"; there are: clash, '),
        (["new", "clash", "-o", "new.pbem", "--scenario", "metting"], "did you mean meeting?"),
        (["new", "clash", "-o", "new.pbem", "--option", "wether=dry"], "did you mean weather?"),
        (["new", "clash", "-o", "new.pbem", "--player", "bleu=b@mail.example"], "did you mean blue?"),
        (["new", "clash", "-o", "new.pbem", "--player", "blue=bot:gredy"], "did you mean greedy?"),
        (["autoplay", "clash", "--bot", "gredy"], "did you mean greedy?"),
        (["cases", "Clash"], "did you mean clash?"),
        (["data", "export", "clahs", "folder"], "did you mean clash?"),
        (["status", "toy.pbem", "--seat", "umpre"], "there are: blue, red, umpire; did you mean umpire?"),
        (
            ["status", "toy.pbem", "--game", "tyo"],
            'no game here is called "tyo"; there are: toy; did you mean toy?',
        ),
        (["log", "toy.pbem", "--seat", "bleu"], "did you mean blue?"),
        (["submit", "toy.pbem", "-", "--seat", "bleu"], "did you mean blue?"),
        (["orders", "check", "toy.pbem", "-", "--seat", "bleu"], "did you mean blue?"),
        (["bot", "toy.pbem", "bleu", "random"], "did you mean blue?"),
    ],
)
def test_a_misspelt_name_is_answered_with_the_one_meant(
    toy_file: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], meant: str
) -> None:
    """An unknown game, scenario, option, seat or bot is refused with those that there are, and the likely
    one. What no game has is a usage error."""
    monkeypatch.chdir(toy_file.parent)
    code = 1 if "toy.pbem" in words else 2
    assert meant in refused(*words, stdin="done\n", code=code)
    assert not Path("new.pbem").exists()


def test_python_can_run_it() -> None:
    """`python -m pbem` is the same command."""
    command = [sys.executable, "-m", "pbem", "--help"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert told.startswith("Usage: python -m pbem [OPTIONS]")
    assert "Play wargames by email" in told


def test_games_are_listed() -> None:
    """All installed games are listed with seats, scenarios and options."""
    assert "clash" in ok("games")
    toy = next(game for game in loaded("games") if game["key"] == "clash")
    assert toy["seats"] == ["red", "blue"]
    assert toy["options"] == {"weather": ["dry", "wet"]}


def test_a_new_game_waits_for_its_first_orders(toy_file: Path) -> None:
    """A game that was just started says whom it waits for, until when by their clock."""
    status = loaded("status", toy_file)[0]
    assert (status["game"], status["phase"], status["status"]) == ("toy", "t1.red_march", "running")
    assert "Red (Rita): orders for [march] (Red march), due" in status["waited_for"][0]
    assert "21:00 Europe/Paris" in status["waited_for"][0]
    assert "rita@mail.example" in ok("status", toy_file)


def test_the_mail_of_all_turns_is_told_if_asked_for(played_file: Path) -> None:
    """`pbem status` lists letters and hours by turn only with `--mail`."""
    assert "mail by turn" not in ok("status", played_file)
    assert "mail by turn" in ok("status", played_file, "--mail")
    assert loaded("status", played_file)[0]["mail"] == []
    assert loaded("status", played_file, "--mail")[0]["mail"]


def test_a_seat_is_not_told_of_the_other(toy_file: Path) -> None:
    """Seen from a seat the other one's address and papers are left out."""
    seats = loaded("status", toy_file, "--seat", "blue")[0]["seats"]
    assert "address" not in seats["red"]
    assert seats["blue"]["address"] == "bob@mail.example"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["new", "chess"], 'no game "chess"'),
        (["new", "clash", "--player", "green=bot:random"], 'no seat "green"'),
        (["new", "clash", "--player", "red=bot:clever"], 'no bot "clever"'),
        (["new", "clash", "--moderator", "Carla"], '"Carla" is not a mail address'),
        (["new", "clash", "--moderator", "Carla <carla>"], '"carla" is not a mail address'),
        (["new", "clash", "--address", "pbem"], 'address: "pbem" is not a mail address'),
        (
            ["new", "clash", "--zone", "Europe/Pari"],
            '"Europe/Pari" is not a time zone; write one like Europe/Paris',
        ),
        (
            ["new", "clash", "--zone", "red=Europe/Pari", "--player", "red=r@x.example"],
            '"Europe/Pari" is not a time zone',
        ),
        (["new", "clash", "--clock", "9999d"], "clock_hours"),
        (["new", "clash", "--id", "x" * 24, "--address", f"{'a' * 30}@x.example"], "choose a shorter name"),
        (["new", "clash", "--option", "weather=hot"], "weather is one of dry, wet"),
        (["new", "clash", "--scenario", "moon"], 'no scenario "moon"'),
        (["new", "clash", "--id", "No Good"], "is not a valid game name"),
    ],
)
def test_what_cannot_be_started_is_named(game_file: Path, words: list[str], says: str) -> None:
    """A game that cannot be started is refused in one line that says what there is, and no file is made."""
    result = run(*words, "-o", game_file)
    assert says in result.stderr and result.exit_code in (1, 2) and "Traceback" not in result.output
    assert not game_file.exists()


@pytest.mark.parametrize(
    "words",
    [
        ["--clock", "soon"],
        ["--clock", "9999d"],
        ["--zone", "Europe/Pari"],
        ["--address", "pbem"],
        ["--player", "red"],
        ["--player", "red=nobody"],
        ["--option", "wet"],
        ["--option", "wet=yes"],
        ["--scenario", "nope"],
        ["--id", "A B"],
        ["--player", "green=bot:random"],
        ["--player", "red=bot:clever"],
        ["--zone", "blue=Europe/Paris"],
        ["--password", "blue=secret"],
    ],
)
def test_misspelt_options_are_usage_errors(game_file: Path, words: list[str]) -> None:
    """An option that cannot be read ends with exit code 2."""
    assert "Usage" in refused("new", "clash", "-o", game_file, *words, code=2)


def test_stores_are_found(toy_file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The store may be an argument, --store, PBEM_STORE or an entry of pbem.toml; without any that is
    said."""
    monkeypatch.chdir(tmp_path)
    assert "no game file" in refused("status", code=2)
    assert "toy" in ok("status", "--store", toy_file)
    monkeypatch.setenv("PBEM_STORE", str(toy_file))
    assert "toy" in ok("status")


def test_what_is_no_game_file_is_refused(tmp_path: Path) -> None:
    """A file that is missing, damaged or of another program is refused in one line."""
    assert "no game file" in refused("status", tmp_path / "none.pbem")
    (tmp_path / "bad.pbem").write_bytes(b"this is not a database, whatever its name says" * 40)
    assert "cannot be read" in refused("status", tmp_path / "bad.pbem")
    (tmp_path / "empty.pbem").touch()
    assert "pbem db upgrade" in refused("status", tmp_path / "empty.pbem")
    assert f"none -> {SCHEMA}" in ok("db", "upgrade", tmp_path / "empty.pbem")
    assert ok("status", tmp_path / "empty.pbem") == ""


def test_a_new_game_goes_where_every_command_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game goes into the store of settings or environment; -o wins; without any it gets its own file."""
    monkeypatch.chdir(tmp_path)
    ok("new", "clash")
    assert (tmp_path / "clash.pbem").is_file()
    (tmp_path / "pbem.toml").write_text('store = "club.pbem"\n', encoding="utf-8")
    settings.cache_clear()
    ok("new", "clash", "--id", "first")
    monkeypatch.setenv("PBEM_STORE", "other.pbem")
    ok("new", "clash", "--id", "second")
    ok("new", "clash", "--id", "third", "-o", "third.pbem")
    found = {path.name: loaded("status", path)[0]["game"] for path in tmp_path.glob("*.pbem")}
    assert found == {
        "clash.pbem": "clash",
        "club.pbem": "first",
        "other.pbem": "second",
        "third.pbem": "third",
    }


def test_one_of_several_games_is_chosen(toy_file: Path) -> None:
    """A store of two games wants to know which, and says which there are."""
    ok("new", "clash", "-o", toy_file, "--id", "second", "--player", "blue=bot:random")
    assert "second, toy" in refused("log", toy_file)
    assert "second, toy" in refused("log", toy_file, "--game", "third")
    assert "prize" in ok("log", toy_file, "--game", "second")
    assert [status["game"] for status in loaded("status", toy_file)] == ["second", "toy"]


# --- orders -------------------------------------------------------------------------------------------------


def test_orders_are_tried(toy_file: Path, tmp_path: Path) -> None:
    """A check ends with 0 for good orders and with 1 for others, and changes nothing."""
    (tmp_path / "good.txt").write_text("move R1 to 0201\n", encoding="utf-8")
    assert " ok   L1   move R1 to 0201" in ok(
        "orders", "check", toy_file, tmp_path / "good.txt", "--seat", "red"
    )
    bad = run(
        "orders",
        "check",
        toy_file,
        "-",
        "--seat",
        "red",
        "--json",
        stdin="move R1 to 0503\nmove R9 to 0201\n",
    )
    assert bad.exit_code == 1
    facts = json.loads(bad.stdout)
    assert [(line["state"], line["case"]) for line in facts["lines"]] == [("faulty", "2.1"), ("faulty", "")]
    assert facts["faults"][0]["line"] == 2
    assert run("orders", "check", "clash", "-", "--seat", "red", stdin="move R1 to 0201\n").exit_code == 0
    assert loaded("status", toy_file)[0]["phase"] == "t1.red_march"


def test_orders_are_handed_in(toy_file: Path, tmp_path: Path) -> None:
    """Handed-in orders are confirmed and played; what is wrong is refused."""
    (tmp_path / "orders.txt").write_text("move R1 to 0201\ndone\n", encoding="utf-8")
    told = ok("submit", toy_file, tmp_path / "orders.txt", "--seat", "red")
    assert "move R1 to 0201" in told
    assert told.startswith("Notes in the log: 1.\nPlayed: Red march.\n")
    assert loaded("status", toy_file)[0]["phase"] == "t1.blue_march"
    assert 'no seat "green"' in refused("submit", toy_file, "-", "--seat", "green", stdin="done\n")
    assert "nowhere.txt" in refused("submit", toy_file, tmp_path / "nowhere.txt", "--seat", "red")


def test_odds_of_an_order(toy_file: Path) -> None:
    """The chances of an order are told without giving it; an order that is none, or forbidden, is refused."""
    assert "red wins the clash with 3 in 6" in ok("odds", toy_file, "move R1 to 0201")
    assert "cannot go to 0503" in refused("odds", toy_file, "move R1 to 0503", "--seat", "red")
    assert "R9" in refused("odds", toy_file, "move R9 to 0201", "--seat", "red")


def test_odds_of_an_order_without_dice(tmp_path: Path) -> None:
    """Where there is nothing to tell of an order, it says that it is possible."""
    ok("new", "normandy71", "-o", tmp_path / "plan.pbem")
    told = ok("odds", tmp_path / "plan.pbem", "supply 3 Utah", "--seat", "allied")
    assert told.strip() == "possible now; no dice decide it"


def test_adjudication_at_the_deadline(toy_file: Path) -> None:
    """Nothing is done or said while there is time; --force plays on without waiting."""
    assert ok("adjudicate", toy_file, "--deadline") == ""
    assert "no deadline has passed" in ok("adjudicate", toy_file, "--deadline", "--verbose")
    assert loaded("adjudicate", toy_file, "--deadline") == []
    assert loaded("adjudicate", toy_file)[0]["answers"] == 0
    assert loaded("adjudicate", toy_file, "--force")[0]["status"]["phase"] == "t1.blue_march"


def test_orders_are_taken_back(toy_file: Path) -> None:
    """The last orders can be undone, and a second undo says why there is nothing left."""
    ok("submit", toy_file, "-", "--seat", "red", stdin="move R1 to 0201\ndone\n")
    told = ok("undo", toy_file, "--reason", "a slip")
    assert "Undone: the last orders or decision of Red" in told and "red [march] move R1 to 0201" in told
    assert loaded("status", toy_file)[0]["phase"] == "t1.red_march"
    assert "nothing can be undone" in refused("undo", toy_file)


def test_a_bot_takes_a_seat(toy_file: Path) -> None:
    """A seat is handed to a bot and back, with the file as an argument or from elsewhere."""
    assert "bot greedy" in ok("bot", toy_file, "red", "greedy")
    assert loaded("status", toy_file)[0]["phase"] == "t1.blue_march"
    assert "bot" not in ok("bot", "--store", toy_file, "red", "none").split("red", 1)[1].splitlines()[0]
    assert 'no seat "green"' in refused("bot", toy_file, "green", "random")


def test_a_bot_that_would_end_the_game_is_shown_first(toy_file: Path) -> None:
    """Nobody else plays: the game would be over at once, which nobody takes back."""
    ok("bot", toy_file, "red", "greedy")
    says = refused("bot", toy_file, "blue", "greedy", code=2)
    assert "nothing is done yet: send it again with --yes" in says
    assert loaded("status", toy_file)[0]["status"] == "running"
    assert "play the game to its end at once" in ok("bot", toy_file, "blue", "greedy", "--yes")
    assert loaded("status", toy_file)[0]["status"] == "over"
    assert "game toy is over: nobody else can play blue now" in refused("bot", toy_file, "blue", "none")


def test_a_bot_that_takes_a_seat_leaves_a_trace(toy_file: Path) -> None:
    """As BOT in a letter does: an event of the journal with who and why, told to those who play; the record
    of its player counts it, and the game still verifies. A dry run leaves none."""
    words = ("bot", toy_file, "red", "greedy", "--by", "moderator", "--why", "Rita is ill")

    def events() -> list[dict[str, Any]]:
        journal = json.loads(ok("export", toy_file))["journal"]
        return [row for row in journal if row["kind"] == "host"]

    assert "not done, only tried" in ok(*words, "--dry-run")
    assert events() == []
    assert "letters go to: blue" in ok(*words)
    (row,) = events()
    assert (row["asked"], row["by"]) == ("take over", "moderator")
    assert row["answer"] == {"seat": "red", "bot": "greedy", "why": "Rita is ill"}
    (rita,) = loaded("player", "record", toy_file, "Rita")["people"]
    assert rita["left"] == {"handed to a bot": 1}
    assert "; 0 wrong" in ok("dice", "verify", toy_file)


# --- maps, logs, replay -------------------------------------------------------------------------------------


def test_maps(played_file: Path, tmp_path: Path) -> None:
    """The map comes as text, PNG and SVG; another kind is refused."""
    assert "R1" in ok("map", played_file)
    ok("map", played_file, "-o", tmp_path / "map.png", "--seat", "blue")
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")
    ok("map", played_file, "-o", tmp_path / "map.svg")
    assert (tmp_path / "map.svg").read_text(encoding="utf-8").startswith("<svg")
    assert ok("map", played_file, "--picture", "--columns", "60").count("▀") > 100
    refused("map", played_file, "-o", tmp_path / "map.gif", code=2)


def test_logs_by_seat(played_file: Path) -> None:
    """The umpire reads everything, a seat what it may."""
    assert "the prize lies at" in ok("log", played_file)
    assert "the prize lies at" in ok("log", played_file, "--seat", "red", "--turn", "1")
    blue = ok("log", played_file, "--seat", "blue")
    assert "R1 goes to 0201" in blue
    assert "prize" not in blue
    assert {note["kind"] for note in loaded("log", played_file)} >= {"Prize", "Moved", "Fought"}
    assert "turn 9 of game toy has not begun" in refused("log", played_file, "--turn", "9")


def test_replay_on_a_pipe(played_file: Path) -> None:
    """On a pipe the whole history is printed, for one seat and one turn if asked."""
    whole = ok("replay", played_file)
    assert "== 1  Turn 1, Hiding" in whole
    assert "red: move R1 to 0201" in whole
    blue = ok("replay", played_file, "--seat", "blue", "--turn", "1", "--no-map")
    assert "red: move R1 to 0201" not in blue
    assert "prize" not in blue
    assert {page["state_hash"] for page in loaded("replay", played_file, "--seat", "blue")} == {""}
    pages = loaded("replay", played_file)
    assert all(page["state_hash"] for page in pages[:-1])
    assert [page["label"] for page in pages][:2] == ["t1.hide", "t1.red_march"]


def test_replay_verifies(played_file: Path) -> None:
    """All phases are adjudicated anew; one that leads elsewhere is named with exit code 1."""
    assert "4 phases rerun" in ok("replay", played_file, "--verify")
    assert loaded("replay", played_file, "--verify") == {
        "phases": 4, "worded": [], "rules": "",
    }  # fmt: skip
    altered(played_file, "UPDATE phase SET state_hash = 'beef' WHERE number = 2")
    told = refused("replay", played_file, "--verify")
    assert "decided differently: turn 1, phase 2, t1.red_march, step" in told and "recorded beef" in told


# --- dice, transfer -----------------------------------------------------------------------------------------


def test_dice_of_a_game_file(played_file: Path) -> None:
    """The dice are listed and check out; sealed ones are the umpire's."""
    assert "S     t1.hide|1.1|draw 1 of 0301,0302,0303|prize|1 = " in ok("dice", "show", played_file)
    assert "prize" not in ok("dice", "show", played_file, "--seat", "blue")
    assert loaded("dice", "show", played_file, "--seat", "blue")[0]["name"] == "R1"
    assert "0 wrong" in ok("dice", "verify", played_file)
    altered(played_file, "UPDATE journal SET answer = '[7]' WHERE asked LIKE '3.1|%'")
    assert "3.1|d6|clash|1, shows 7" in refused("dice", "verify", played_file)


def test_dice_of_saved_letters(played_file: Path, tmp_path: Path) -> None:
    """A folder of one player's letters checks out by itself, and an altered byte is named."""
    ok("mail", "folder", played_file, tmp_path / "out")
    mine = tmp_path / "mine"
    mine.mkdir()
    for path in (tmp_path / "out").glob("*-blue-*.eml"):
        shutil.copy(path, mine)
    assert "0 wrong" in ok("dice", "verify", mine)
    assert "give its game file, not letters" in refused("dice", "proof", mine, "R1", code=2)
    proof = tmp_path / "r1.txt"
    ok("dice", "proof", played_file, "R1", "-o", proof)
    assert "0 wrong" in ok("dice", "verify", proof, mine)
    assert "true only if link 0 in your first letter is" in refused("dice", "verify", proof)
    letter = sorted(mine.glob("*-blue-turn-*.eml"))[-1]
    raw = letter.read_bytes()
    assert b"t1.clash|3.1|d6|clash|1 =" in raw
    at = raw.index(b"t1.clash|3.1|d6|clash|1 =") + 26
    quoted = raw[at : at + 3]
    faces = b"3D " if quoted == b"3D " else b""
    at += len(faces)
    letter.write_bytes(raw[:at] + (b"1" if raw[at : at + 1] != b"1" else b"2") + raw[at + 1 :])
    assert letter.name in refused("dice", "verify", mine)
    (tmp_path / "none").mkdir()
    assert "there are no letters in" in refused("dice", "verify", tmp_path / "none")


def test_a_game_moves_to_another_file(played_file: Path, tmp_path: Path) -> None:
    """Export and import move a game; into its own store it is refused."""
    ok("export", played_file, "-o", tmp_path / "toy.json")
    assert "Imported game toy into" in ok("import", tmp_path / "toy.json", "-o", tmp_path / "other.pbem")
    assert loaded("status", tmp_path / "other.pbem") == loaded("status", played_file)
    assert "there is already a game" in refused("import", tmp_path / "toy.json", "-o", played_file)
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    assert "is not an exported game" in refused(
        "import", tmp_path / "bad.json", "-o", tmp_path / "third.pbem"
    )
    damaged = (tmp_path / "toy.json").read_text(encoding="utf-8").replace('"clash"', '"chess"')
    (tmp_path / "bad.json").write_text(damaged, encoding="utf-8")
    told = refused("import", tmp_path / "bad.json", "-o", tmp_path / "third.pbem")
    assert "table game, row toy, field game: it is not what pbem wrote" in told
    assert not (tmp_path / "third.pbem").exists()
    assert ok("mail", "outbox", tmp_path / "other.pbem") == ""
    ok("import", tmp_path / "toy.json", "-o", tmp_path / "third.pbem", "--send-pending")
    assert "waiting  rita@mail.example" in ok("mail", "outbox", tmp_path / "third.pbem")


@pytest.mark.skipif(os.name != "posix", reason="Windows knows no such modes")
@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_what_is_secret_is_for_its_owner_alone(tmp_path: Path, umask: int) -> None:
    """Game files, exports and letters are made so that no other user of the machine can read them."""
    before = os.umask(umask)
    try:
        ok("new", "clash", "-o", tmp_path / "toy.pbem", "--player", "red=rita@mail.example")
        ok("export", tmp_path / "toy.pbem", "-o", tmp_path / "toy.json")
        ok("import", tmp_path / "toy.json", "-o", tmp_path / "other.pbem")
        ok("mail", "folder", tmp_path / "toy.pbem", tmp_path / "out")
        ok("db", "upgrade", tmp_path / "new.pbem")
        with closing(sqlite3.connect(tmp_path / "toy.pbem")) as open_file:
            open_file.execute("SELECT * FROM game").fetchall()
            modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.rglob("*")}
    finally:
        os.umask(before)
    assert modes.pop("out") == 0o700
    assert {"toy.pbem", "toy.json", "other.pbem", "new.pbem", "toy.pbem-wal"} <= set(modes)
    assert set(modes.values()) == {0o600}


# --- games as a whole ---------------------------------------------------------------------------------------


def test_bots_play_whole_games() -> None:
    """A series is played, replayed and summed up, the same in one process and in two."""
    facts = loaded("autoplay", "clash", "--games", "4", "--bot", "random", "--seed0", "7")
    assert (facts["ended"], facts["replays_equal"], facts["dead_ends"]) == (4, 4, 0)
    assert sum(facts["results"].values()) == 4
    assert list(facts["states"]) == ["7", "8", "9", "10"]
    assert "replays equal: 2 of 2" in ok("autoplay", "clash", "--games", "2", "--bot", "red=greedy")
    assert 'no bot "clever"' in refused("autoplay", "clash", "--bot", "clever", code=2)
    assert 'no game "chess"' in refused("autoplay", "chess", code=2)


def test_cases_are_counted() -> None:
    """Every case of a rulebook is listed with where it stands; a game without a list is refused."""
    facts = loaded("cases", "normandy71")
    assert len(facts["cases"]) == 94
    handled = sum(case["handled"] for case in facts["cases"])
    assert facts["summary"] == f"{handled} of 94 handled"
    sequence = next(case for case in facts["cases"] if case["number"] == "SEQ")
    assert any(place.startswith("sequence.py:") for place in sequence["code"])
    assert facts["summary"] in ok("cases", "normandy71")
    assert 'no game "chess"' in refused("cases", "chess", code=2)
    refused("cases", "lots")
    assert "7 of 7 handled" in ok("cases", "clash")


def test_data_files_are_written_and_checked(tmp_path: Path) -> None:
    """Exported data files can be played with; a misprint in one of them is named with file and place."""
    assert "map.toml" in ok("data", "export", "normandy71", tmp_path / "data")
    assert "can be played" in ok("data", "check", "normandy71", tmp_path / "data")
    charts = tmp_path / "data" / "charts.toml"
    charts.write_text(charts.read_text(encoding="utf-8") + '\nmisprint = "x"\n', encoding="utf-8")
    assert "misprint" in refused("data", "check", "normandy71", tmp_path / "data")
    assert "reads otherwise" in refused("data", "export", "normandy71", tmp_path / "data")
    (tmp_path / "empty").mkdir()
    assert "none of the data files" in refused("data", "check", "normandy71", tmp_path / "empty")


def test_demo_without_recorded_letters(tmp_path: Path) -> None:
    """A game without an example is played by bots; letters, maps and a log are left, and the dice check
    out."""
    told = ok("demo", tmp_path / "show", "--game", "clash")
    assert "The game has ended" in told
    assert len(list((tmp_path / "show" / "maps").glob("*.png"))) == 3
    assert "  orders-red.html   orders written on a map: Turn 1, " in told
    assert 'id="data"' in (tmp_path / "show" / "orders-red.html").read_text(encoding="utf-8")
    page = tmp_path / "show" / "game.html"
    assert "0 wrong" in ok("dice", "verify", page, tmp_path / "show" / "letters" / "red")
    assert "0 wrong" in ok("dice", "verify", tmp_path / "show" / "letters" / "red")
    assert "clash: die" in (tmp_path / "show" / "log.txt").read_text(encoding="utf-8")
    assert "already" in refused("demo", tmp_path / "show", "--game", "clash")


def test_a_data_folder_beside_the_game_file_is_played_with(tmp_path: Path) -> None:
    """Players who own the printed game put their files beside the game file, and every command uses them."""
    own = tmp_path / "data" / "normandy71"
    ok("data", "export", "normandy71", str(own))
    units = own / "oob.toml"
    text = units.read_text(encoding="utf-8")
    units.write_text(text.replace('"8/4"', '"Own/4"', 1), encoding="utf-8")
    defaults = own / "defaults.toml"
    defaults.write_text(defaults.read_text(encoding="utf-8").replace('"8/4"', '"Own/4"'), encoding="utf-8")
    begin = "from pbem.cli import run; run()"
    file = str(tmp_path / "own.pbem")
    for words in (["new", "normandy71", "-o", file, "--id", "own"], ["status", file, "--json"]):
        subprocess.run([sys.executable, "-c", begin, *words], check=True, capture_output=True)
    shown = subprocess.run(
        [sys.executable, "-c", begin, "orders", "check", file, "--seat", "allied", "-"],
        input="[plan]\nland Own/4 at 3\n", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Own/4" in shown.stdout and " NO " not in shown.stdout.replace("NO ORDERS", ""), (
        shown.stdout + shown.stderr
    )
