"""The examples in the help of each command work."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from sizes import some

from pbem.cli import main
from tests.cli.test_commands import groups, ok, run

HELP = "help"
"""The command whose examples its own tests run."""

READ_ONLY = (
    "autoplay",
    "demo",
    "--smtp",
    "pbem serve",
    "pbem host",
    "pbem tick",
    "--socket",
    "mail aside club.pbem --",
    "postgresql:",
    "mail send club.pbem",
    "mail resend club.pbem 12 15",
    "dice proof",
    "dice verify r22.txt",
    "player join",
    "player back",
    "player delay",
    "player remove",
    "deadline continue",
    "deadline restart",
)
"""Examples that take long, or need a server or what another command does first: their words are read, and
they are not run."""


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command that is not a group, by its full name."""
    for words in groups():
        group: click.Command = main
        for word in words:
            assert isinstance(group, click.Group)
            group = group.get_command(click.Context(group), word) or main
        assert isinstance(group, click.Group)
        for name in group.list_commands(click.Context(group)):
            command = group.get_command(click.Context(group), name)
            if command and not isinstance(command, click.Group):
                yield " ".join([*words, name]), command


COMMANDS = dict(commands())


def examples(command: click.Command) -> list[str]:
    """The examples in the help of a command, each as one line."""
    shown = (command.epilog or "").partition("Examples:\n")[2].replace("\\\n", " ")
    return [" ".join(line.split()) for line in shown.splitlines()]


EXAMPLES = [line for name, command in COMMANDS.items() if name != HELP for line in examples(command)]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the games and files that the examples name."""
    folder = tmp_path_factory.mktemp("examples")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("PBEM_CACHE", str(folder / "cache"))
        ok(
            "new",
            "normandy71",
            "-o",
            "cotentin.pbem",
            "--id",
            "cotentin",
            "--player",
            "allied=anna@mail.example",
        )
        ok("new", "normandy71", "-o", "club.pbem", "--id", "utah", "--player", "allied=anna@mail.example")
        ok("new", "rampage", "-o", "caen.pbem", "--player", "allied=clara@mail.example")
        ok("submit", "caen.pbem", "-", "--seat", "allied", stdin="[set-up]\ndefault\ndone\n")
        ok("new", "normandy44", "-o", "utah.pbem", "--scenario", "cherbourg")
        people = ("--player", "allied=anna@mail.example", "--player", "german=bert@mail.example")
        mod = ("--moderator", "mod@mail.example")
        ok("new", "france44", "-o", "mill.pbem", "--clock", "3d", *people, *mod)
        ok("player", "mute", "mill.pbem", "allied")
        ok("new", "france44", "-o", "stray.pbem", *people)
        held = "From: anna@mail.example\nTo: pbem@localhost\nSubject: orders\n\nstatus\n"
        assert ": held france44 allied" in ok("mail", "receive", "stray.pbem", stdin=held)
        ok("mail", "folder", "cotentin.pbem", "saved-letters")
        ok("replay", "cotentin.pbem", "-o", "cotentin.html")
        ok("export", "cotentin.pbem", "-o", "cotentin.json")
        (folder / "backup").mkdir()
        shutil.copyfile("club.pbem", "backup/club-20260101T040000Z.pbem")
        ok("data", "export", "normandy71", "data/normandy71")
        ok("data", "export", "rampage", "rampage-files")
        (folder / "plan.txt").write_text("[plan]\ndefault\n", encoding="utf-8")
        (folder / "orders.txt").write_text("[operations]\n3A to 1303\n", encoding="utf-8")
        (folder / "letter.eml").write_text(
            "From: eve@mail.example\nTo: pbem@club.example\n\nhello\n", encoding="utf-8"
        )
        (folder / "Maildir/new").mkdir(parents=True)
        (folder / "Maildir/cur").mkdir()
    return folder


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != HELP])
def test_every_command_has_examples(name: str) -> None:
    """Each command has two or three examples of itself, on lines that fit into a terminal."""
    assert 2 <= len(examples(COMMANDS[name])) <= 3
    assert all(line.startswith(f"pbem {name}") for line in examples(COMMANDS[name]))
    lines = ok(*name.split(), "--help").splitlines()
    assert all(len(line) <= 80 for line in lines[lines.index("  Examples:") :])


@pytest.mark.parametrize("line", some(EXAMPLES, 64))
def test_examples_work(line: str, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An example can be read, and run in a folder with the files that it names it ends well."""
    folder = tmp_path / "games"
    if line.startswith(("pbem new", "pbem data export")):  # these make their files
        folder.mkdir()
    else:
        shutil.copytree(games, folder)
    monkeypatch.chdir(folder)
    words, _, file = re.sub(r" > \S+$", "", line).partition(" < ")
    _, *args = shlex.split(words)
    if any(part in line for part in READ_ONLY):
        read(args)
    else:
        ok(*args, stdin=Path(file).read_bytes() if file else None)


def read(args: list[str]) -> None:
    """Read the words of a command line; raise click.UsageError for one that cannot be."""
    context: click.Context = click.Context(main)
    command: click.Command | None = main
    while isinstance(command, click.Group):
        name, command, args = command.resolve_command(context, args)
    assert command is not None
    command.make_context(name, args, parent=context)


def test_the_root_says_how_completion_is_switched_on() -> None:
    """The help of pbem itself has a line for each shell."""
    told = ok("--help")
    assert [shell for shell in ("bash", "zsh", "fish") if f"_PBEM_COMPLETE={shell}_source pbem" in told] == [
        "bash",
        "zsh",
        "fish",
    ]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("france44", "track"), "Track\n-----\n"),
        (("normandy44", "combat"), "Combat [7.2, 7.3]\n"),
        (("france44", "charts", "turns"), "Turns\n-----\n"),
        (("normandy44", "supply"), "supply"),
    ],
)
def test_a_table_is_found_by_a_word_of_its_title(words: tuple[str, ...], says: str) -> None:
    """Where no order, section or command is called that; `charts` and the word ask for tables alone."""
    assert says in ok("help", *words)


def test_a_topic_that_is_unknown_names_what_there_is() -> None:
    result = run("help", "normandy44", "charts", "moon")
    assert result.exit_code == 1 and 'no table "moon"; there are: Combat [7.2, 7.3];' in result.stderr
    result = run("help", "normandy44", "moev")
    assert "Did you mean move?" in result.stderr and "pbem help normandy44 charts" in result.stderr


@pytest.mark.parametrize("name", ["Cobra", "operation cobra", "COBRA"])
def test_a_scenario_is_found_by_its_title(tmp_path: Path, name: str) -> None:
    """Whatever its capitals: it is kept by its key."""
    ok("new", "normandy44", "--scenario", name, "-o", tmp_path / "game.pbem")
    assert "normandy44, cobra" in ok("status", tmp_path / "game.pbem")
