"""The documents: what they name exists, their commands work as printed, their letters are real.

``pytest --golden tests/test_documents.py`` writes anew what is made from games and letters: the pages
``ORDERS.md``, and the letters that the guides quote.
"""

from __future__ import annotations

import doctest
import os
import random
import re
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import click
import forked
import pytest
from aiosmtpd.controller import Controller
from conftest import POSTGRES, Store, schema
from shortened import shortened

from pbem.cli import main
from pbem.config import Settings
from pbem.engine.autoplay import autoplay
from pbem.engine.bots import random_bot
from pbem.engine.game import Game, game
from pbem.engine.installed import games
from pbem.engine.language.grammar import Grammar
from pbem.engine.language.model import Roster, StandingLine
from pbem.engine.language.reference import usage_line
from pbem.mail.letter import parse
from pbem.service.tools import guides

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
GUIDES = {name: ROOT / "pbem" / guide.file for name, guide in guides.GUIDES.items()}
INSTRUCTIONS = {"readme": README, **GUIDES, "pictures": ROOT / "examples/pictures/README.md"}
OURS = [key for key, where in games().items() if where.startswith("pbem.games.")]
TWO_COMMANDS = [
    "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/pbem demo",
    "python3 -m venv .venv && .venv/bin/pip install -q '.[test]' && .venv/bin/pytest",
]
LONG = ("moderating", "hosting")
"""The guides that have most commands."""
INSTALLING = {
    *TWO_COMMANDS,
    "pip install -e .",
    "pip install '.[postgres]'",
    "python3 -m venv /srv/pbem/.venv && . /srv/pbem/.venv/bin/activate\npip install '.[serve]'\ncd /srv/pbem",
}
"""What .ci/run does, the first two as they are printed: it needs an environment of its own and a package
index."""
TESTED = "pip install pytest mypy\npytest\nmypy --strict fourth_game tests"
"""What tests/test_fourth_game.py does, in a folder that has the files of the guide."""


@dataclass(frozen=True)
class Block:
    """A code block: the chapter that it is in, its language, its text."""

    chapter: str
    language: str
    text: str


def blocks(path: Path) -> list[Block]:
    """Return the code blocks of a document, in order."""
    found: list[Block] = []
    chapter, language, lines = "", None, []
    for line in path.read_text(encoding="utf-8").splitlines():
        if language is None and line.startswith("```"):
            language, lines = line[3:], []
        elif line == "```":
            found.append(Block(chapter, language or "", "\n".join(lines)))
            language = None
        elif language is not None:
            lines.append(line)
        elif line.startswith("## "):
            chapter = line[3:]
    return found


def prose(path: Path) -> str:
    """Return a document without its code blocks."""
    return re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


# --- what is named exists -----------------------------------------------------------------------------------


def documents() -> list[Path]:
    """Every document of the project."""
    folders = (ROOT / name for name in ("pbem", "examples", "templates", "tests"))
    return [*ROOT.glob("*.md"), *(path for folder in folders for path in sorted(folder.rglob("*.md")))]


def anchors(path: Path) -> set[str]:
    """The anchors of the titles of a document, as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", prose(path), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_link_leads_somewhere() -> None:
    """Every relative link of a document leads to a file that exists, and to a title of it."""
    wrong = []
    for path in documents():
        for link in re.findall(r"\]\(([^)\s]+)\)", prose(path)):
            if re.match(r"[a-z]+:", link):
                continue
            file, _, anchor = link.partition("#")
            target = (path.parent / file).resolve() if file else path
            if not target.exists() or (anchor and anchor not in anchors(target)):
                wrong.append(f"{path.relative_to(ROOT)}: {link}")
    assert not wrong


def test_every_file_of_the_program_that_is_named_exists() -> None:
    """A path such as `pbem/engine/game.py` in a document is that of a file or a folder."""
    named = {
        (path.name, name) for path in documents() for name in re.findall(r"`(pbem/[\w./]+?)/?`", prose(path))
    }
    assert len(named) > 10 and not [each for each in named if not (ROOT / each[1]).exists()]


def test_the_readme_is_short_and_leads_to_every_guide() -> None:
    """The README has at most 8 KB; every guide and every page of orders is a link in it."""
    text = README.read_text(encoding="utf-8")
    assert len(text.encode()) <= 8192
    links = {(ROOT / link).resolve() for link in re.findall(r"\]\(([^)\s#]+)\)", text)}
    wanted = {*GUIDES.values(), *(ROOT / "pbem/games" / key / "ORDERS.md" for key in OURS)}
    assert not wanted - links


def test_the_pictures_are_small() -> None:
    """The README shows a letter and a map, each of at most 60 KB."""
    shown = [ROOT / link for link in re.findall(r"!\[[^]]+\]\(([^)]+)\)", README.read_text(encoding="utf-8"))]
    assert len(shown) == 2 and all(path.read_bytes().startswith(b"\x89PNG") for path in shown)
    assert all(path.stat().st_size <= 60_000 for path in shown)


def commands(group: click.Group, before: str = "") -> list[str]:
    """The full names of all commands."""
    context = click.Context(group)
    found: list[str] = []
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        found += (
            commands(command, f"{before}{name} ") if isinstance(command, click.Group) else [f"{before}{name}"]
        )
    return found


def test_every_command_is_shown() -> None:
    """Every command is run in one of the documents."""
    run = "\n".join(block.text for path in INSTRUCTIONS.values() for block in blocks(path))
    assert not [name for name in commands(main) if not re.search(rf"\bpbem {name}\b", run)]


def test_only_commands_are_named() -> None:
    """Every `pbem COMMAND --option` in the text of a document is one that exists."""
    known = commands(main)
    for path in INSTRUCTIONS.values():
        for words in re.findall(r"`pbem ([a-z][^`]*)`", " ".join(prose(path).split())):
            name = next((each for each in known if f"{words} ".startswith(f"{each} ")), None)
            assert name is not None, f"{path.name}: pbem {words}"
            command: Any = main
            for part in name.split():
                command = command.get_command(click.Context(command), part)
            options = {option for param in command.params for option in param.opts}
            assert set(re.findall(r"--[\w-]+", words)) <= options, f"{path.name}: pbem {words}"


def test_every_game_is_named() -> None:
    """Every game that comes with pbem is in the table of the README."""
    assert all(f"`{key}`" in README.read_text(encoding="utf-8") for key in OURS)


def test_every_setting_is_named() -> None:
    """Every setting of the host is in the table of HOSTING.md."""
    text = prose(GUIDES["hosting"])
    assert not [name for name in Settings.model_fields if not re.search(rf"`\[?{name}\]?`", text)]


def test_every_letter_command_is_named() -> None:
    """Every command that a letter may hold is in PLAYING.md or in the page of orders that it names."""
    from pbem.engine.language.commands import COMMANDS

    orders = (ROOT / "pbem/games/normandy71/ORDERS.md").read_text(encoding="utf-8")
    assert all(f"- `{form.usage}`" in orders for form in COMMANDS.values())
    text = GUIDES["playing"].read_text(encoding="utf-8").lower()
    rare = {"final", "answer"}  # other words for DONE ALL and for Q1: a
    assert not [
        form
        for form in COMMANDS.values()
        if form.name not in rare and form.usage.lower().split()[0] not in text
    ]


def test_the_two_commands_are_those_that_are_run() -> None:
    """The demo and the tests each start with one line, the same in the README and in .ci/run."""
    shown = [block.text for block in blocks(README) if block.chapter == "Two commands"]
    assert shown == TWO_COMMANDS
    run = ROOT / ".ci/run"  # not part of a source distribution
    assert not run.is_file() or all(f'="{line}"' in run.read_text(encoding="utf-8") for line in TWO_COMMANDS)


# --- commands work as printed -------------------------------------------------------------------------------


class Sink:
    """A mail server that takes every letter."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        return "250 taken"


@dataclass
class Machine:
    """A folder with pbem in its path (`.venv` has it as it is installed), a mail server, and perhaps a
    database: in it documents are followed."""

    folder: Path
    env: dict[str, str]
    database: str = ""

    def run(self, command: str, stdin: str = "") -> str:
        """Run a command as it is printed, but for the folder of the server. Return its output."""
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command.replace("/srv/pbem", str(self.folder))],
            cwd=self.folder, env=self.env, input=stdin, capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        return done.stdout

    def configure(self, text: str) -> None:
        """Write the settings as printed; the URL of a database is that of the tests."""
        kept = tomllib.loads(text)
        if "://" in kept.get("store", ""):
            text = text.replace(kept["store"], self.database)
        (self.folder / "pbem.toml").write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of a `pbem` that has been imported before it is called (forked.py)."""
    with forked.program(tmp_path_factory.mktemp("quick") / "bin") as folder:
        yield folder


@pytest.fixture
def machine(tmp_path: Path, quick: Path) -> Iterator[Machine]:
    (tmp_path / ".venv").symlink_to(Path(sys.executable).parents[1])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    office = Controller(Sink(), hostname="127.0.0.1", port=port)
    office.start()
    env = {
        "PATH": f"{quick}:{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(tmp_path),
        "PYTHONPATH": str(ROOT / "tests"), "PBEM_CACHE": os.environ["PBEM_CACHE"], "LANG": "C.UTF-8",
        "PBEM_SMTP__HOST": "127.0.0.1", "PBEM_SMTP__PORT": str(port), "PBEM_SMTP__TLS": "none",
        "PBEM_SMTP__USER": "",
    }  # fmt: skip
    try:
        yield Machine(tmp_path, env)
    finally:
        office.stop()


@pytest.fixture
def database() -> Iterator[str]:
    """An empty schema on the PostgreSQL server of the tests, as a URL; "" without one."""
    if not POSTGRES:
        yield ""
        return
    stores: Iterator[Store] = schema()
    store = next(stores)
    yield str(store.target)
    next(stores, None)


STRAY = (
    "From: someone@mail.example\nTo: pbem@club.example\nSubject: hello\nMessage-ID: <1@mail.example>\n\n"
    "hello\n"
)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.dear if name in LONG else ()) for name in INSTRUCTIONS]
)
def test_commands_work_as_printed(name: str, machine: Machine, database: str) -> None:
    """Every command of a document does its work, one after another, as a reader would give them: those of the
    shell, of cron, of systemd and of the mail server, with the settings shown above them."""
    machine.database = database
    without = None  # the chapter that needs the database that is not there
    for block in blocks(INSTRUCTIONS[name]):
        if block.chapter == without or block.text in {*INSTALLING, TESTED}:
            continue
        if block.language == "sh":
            machine.run(block.text)
        elif block.language == "toml" and block.text.startswith("# pbem.toml"):
            if "postgresql" in block.text and not database:
                without = block.chapter
                continue
            machine.configure(block.text)
        elif block.language == "cron":
            for line in block.text.splitlines():
                machine.run(re.sub(r"^(\S+\s+){5}", "", line))
        elif block.language == "ini":
            for command in re.findall(r"^ExecStart=-?(.+)$", block.text, flags=re.MULTILINE):
                machine.run(command)
        elif block.language == "text":
            for command in re.findall(r'"\|(.+)"', block.text):
                machine.run(command, STRAY)


def test_the_game_of_the_readme_is_played(machine: Machine) -> None:
    """Its orders are accepted: the units are set up, then they move and fight, and the dice prove it."""
    [block] = [each for each in blocks(README) if each.chapter == "A game in five commands"]
    assert len(block.text.splitlines()) == 5
    told = [machine.run(line) for line in block.text.splitlines()]
    assert "\nPlayed: " in told[2] and "\nPlayed: " in told[3]
    assert "R1 " in told[3] and "0 wrong" in told[4] and " 0 rolls" not in told[4]


def test_the_planner_of_the_readme_answers_in_the_same_run(machine: Machine) -> None:
    """It sets up before the game is started, plays on behind the letter, and gives advice."""
    [block] = [each for each in blocks(README) if each.chapter == "A game against the planner"]
    started, played, advised = (machine.run(line) for line in block.text.splitlines())
    assert "Started game falaise" in started
    assert "\nPlayed: " in played and "[bombardment]" in played
    assert "What the planner would send in your place" in advised


def test_the_examples_of_the_guide_to_games_are_true(machine: Machine) -> None:
    """What the guide shows of the engine's maps is what they answer."""
    text = "\n".join(block.text for block in blocks(GUIDES["adding"]) if block.language == "pycon")
    found = doctest.DocTestRunner().run(
        doctest.DocTestParser().get_doctest(text + "\n", {}, "guide", None, 0)
    )
    assert found.attempted > 10 and not found.failed


def test_the_guide_to_games_names_what_there_is() -> None:
    """Every field of the engine that the guide names exists."""
    from pbem.engine import board, desk, language, play
    from pbem.engine import game as contract

    named = re.findall(r"`([A-Z]\w+)(?:\.(\w+))?`", prose(GUIDES["adding"]))
    kinds = {**vars(language), **vars(desk), **vars(play), **vars(contract), **vars(board)}
    wrong = [(kind, name) for kind, name in named if kind in kinds and name and not _has(kinds[kind], name)]
    assert len(named) > 20 and not wrong


def _has(kind: type, name: str) -> bool:
    return hasattr(kind, name) or any(name in getattr(each, "__annotations__", ()) for each in kind.__mro__)


# --- dice ---------------------------------------------------------------------------------------------------


def recomputed(proof: str) -> str:
    """What the program of the guide says of proof lines, in an interpreter that knows nothing of pbem."""
    [program] = [block.text for block in blocks(GUIDES["dice"]) if block.language == "python"]
    assert "pbem" not in program
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], input=proof, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_stranger_can_recompute_the_examples() -> None:
    """The program of the guide finds the links and rolls of its examples right, and they are from letters on
    file."""
    quoted = [block.text for block in blocks(GUIDES["dice"]) if block.language == "text"]
    assert len(quoted) == 2
    letters = "\n".join(
        path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples").glob("*/out/*.txt"))
    )
    for proof in quoted:
        told = recomputed(proof).splitlines()
        assert len(told) == proof.count("\nlink") - 1 + proof.count("\nR")
        assert all(line.endswith(" right") for line in told)
        assert all(line in letters for line in proof.splitlines())


@pytest.mark.parametrize("example", ["rampage", "normandy71"])
def test_a_stranger_can_recompute_whole_games(example: str) -> None:
    """The program of the guide agrees with every die of the letters of an example, and with none that was
    changed."""
    letters = sorted((ROOT / "examples" / example / "out").glob("*allied*.txt"))
    proof = "\n".join(path.read_text(encoding="utf-8").rpartition("== proof ==")[2] for path in letters)
    told = recomputed(proof)
    assert told.count(" right") > 30 and "WRONG" not in told
    assert "WRONG" in recomputed(
        re.sub(r"(\|d6\|.* = )(\d)", lambda roll: f"{roll[1]}{int(roll[2]) % 6 + 1}", proof)
    )


def test_the_numbers_worked_out_by_hand_are_right() -> None:
    """The digest, the number and the remainder of the worked example are those of its roll."""
    import hashlib
    import hmac

    text = GUIDES["dice"].read_text(encoding="utf-8")
    link = bytes.fromhex(re.findall(r"^link 1 ([0-9a-f]{64})$", text, flags=re.MULTILINE)[0])
    event = re.findall(r"event is `(caen[^`]+)`", text)[0]
    digest = hmac.digest(link, f"{event}|0".encode(), hashlib.sha256)
    number = int.from_bytes(digest[:4], "big")
    assert all(
        shown in text for shown in (digest.hex(), f"`{digest[:4].hex()}`", str(number), str(2**32 // 6 * 6))
    )
    assert f"leaves {number % 6}" in text and number % 6 + 1 == 2


# --- letters and orders are real ----------------------------------------------------------------------------

QUOTED = re.compile(r"(<!-- (examples/[^ :]+)(?:: ([^:]+?))?(?:: (\d+))? -->\n```text\n)(.*?)```", re.DOTALL)
"""A letter that a guide quotes: its file, the part of it, and how many lines of that."""


def quoted(file: str, part: str, most: int) -> str:
    """Return a letter of the examples: all that its writer wrote, or a titled part of one of ours; without a
    title its first lines."""
    path = ROOT / file
    if path.suffix == ".eml":
        lines = [line.text for line in parse(path.read_bytes()).lines if not line.quoted]
    else:
        text = path.read_text(encoding="utf-8").partition("\n\n")[2]
        titles = [
            ("", 0),
            *((found[1], found.end()) for found in re.finditer(r"^(.+)\n-+\n", text, re.MULTILINE)),
        ]
        start = dict(titles)[part]
        end = re.compile(r"\n\n.+\n-+\n").search(text, start)
        lines = text[start : end.start() if end else None].splitlines()
    shown = "\n".join(lines[: most or None]).strip("\n")
    return f"{shown}\n...\n" if most and len(lines) > most else f"{shown}\n"


@pytest.mark.parametrize("name", GUIDES)
def test_quoted_letters_are_those_on_file(name: str, request: pytest.FixtureRequest) -> None:
    """Every letter that a guide quotes is word for word that of an example; `--golden` writes them anew."""
    text = GUIDES[name].read_text(encoding="utf-8")
    fresh = QUOTED.sub(
        lambda found: f"{found[1]}{quoted(found[2], found[3] or '', int(found[4] or 0))}```", text
    )
    if request.config.getoption("--golden"):
        GUIDES[name].write_text(fresh, encoding="utf-8", newline="")
    assert GUIDES[name].read_text(encoding="utf-8") == fresh
    assert text.count("<!-- examples") == len(QUOTED.findall(text))


def test_the_lines_shown_to_players_can_be_read() -> None:
    """Every other line in PLAYING.md is read without an error in one of the games, as its tables and text
    write them."""
    text = GUIDES["playing"].read_text(encoding="utf-8")
    shown = re.findall(r"(?<!-->\n)```text\n(.*?)```", text, flags=re.DOTALL)
    assert len(shown) == 5
    rosters = [
        (game(key).grammar, game(key).roster(game(key).start(), seat.key))
        for key in OURS
        for seat in game(key).seats
    ]
    for block in shown:
        lines = list(enumerate(block.splitlines(), 1))
        readings = [grammar.read(lines, roster) for grammar, roster in rosters]
        assert any(not reading.faults and not reading.unread for reading in readings), block


@pytest.mark.parametrize("key", OURS)
def test_the_page_of_orders_is_that_of_the_grammar(key: str, request: pytest.FixtureRequest) -> None:
    """``ORDERS.md`` of a game says what its declarations say; `--golden` writes it anew."""
    page = ROOT / "pbem/games" / key / "ORDERS.md"
    fresh = guides.order_page(game(key))
    if request.config.getoption("--golden"):
        page.write_text(fresh, encoding="utf-8", newline="")
    assert page.read_text(encoding="utf-8") == fresh


@pytest.mark.parametrize("key", OURS)
def test_the_page_of_orders_has_every_order(key: str) -> None:
    """Every order, condition and standing order is there with its help, its case and its example."""
    text = guides.order_page(game(key)).replace("\\", "")
    grammar = game(key).grammar
    for kind in (*grammar.orders, *grammar.conditions, *grammar.policies):
        assert kind.help in text and kind.example in text
        assert f"[{getattr(kind, 'case', '')}]" in text or kind in grammar.conditions
    assert all(f"[{section}]" in text for section in grammar.sections)


@dataclass(frozen=True)
class Shown:
    """An example on the page of orders: its chapter, the sections that this names, the usage line that it is
    of, and the title of the seat that may write it; "" for any."""

    chapter: str
    sections: tuple[str, ...]
    usage: str
    text: str
    who: str


def shown_on(page: str) -> Iterator[Shown]:
    """Every example of a page of orders, as it is printed."""
    chapter, usage = "", ""
    for line in page.splitlines():
        if line.startswith("## "):
            chapter = line[3:]
        elif line.startswith("    "):
            usage = line.strip()
        elif line.startswith("For example "):
            sections = tuple(re.findall(r"\[([^\]]+)\]", chapter))
            for text, who in re.findall(r"`([^`]+)`(?: \(([^)]+)\))?", line):
                yield Shown(chapter, sections, usage, text, who)


def rosters(rules: Game[Any], phases: int = 40) -> Iterator[Roster]:
    """What the seats of a game may name: at the start of each scenario with each of the options, then in a
    game of bots."""
    choices = [{}, *({each.key: choice} for each in rules.options for choice in each.choices[1:])]
    bots = {seat.key: random_bot(random.Random(rules.key)) for seat in rules.seats}
    begun = (rules.start(scenario, each) for scenario in rules.scenarios for each in choices)
    played = (
        rules.load(phase.snapshot) for phase in autoplay(shortened(rules, phases), rules.key, bots).phases
    )
    for state in chain(begun, played):
        yield from (rules.roster(state, seat.key) for seat in rules.seats_of(state.options))


def meant_by(grammar: Grammar, roster: Roster, section: str, shown: Shown) -> str:
    """The usage line of what an example is read as in a section; "" if it is not read as one thing there, or
    is about units that its writer does not have."""
    condition = shown.chapter == "Conditions"
    text = f"{shown.text}, pause" if condition else shown.text
    reading = grammar.read([(1, f"[{section}]"), (2, text)] if section else [(1, text)], roster)
    if reading.faults or reading.unread or any(line.section != section for line in reading.orders):
        return ""
    said, *more = (*reading.orders, *reading.standing)
    thing = said.policy if isinstance(said, StandingLine) else said.order
    if thing is None or more:
        return ""
    for name in thing.actors():
        unit = roster.units.get(name)
        if (unit.enemy or unit.gone) if unit else name not in grammar.sections:
            return ""
    kind = type(said.conditions[0].condition) if condition else type(thing)
    return usage_line(kind, grammar.words)


@pytest.mark.parametrize("key", OURS)
def test_each_example_of_the_page_of_orders_is_read_as_what_it_is_of(key: str) -> None:
    """Each example that the page shows, word by word below its heading, is read as the order, condition or
    standing order that it is printed under, of units that its writer has: in a position of the game."""
    rules = game(key)
    left = list(shown_on((ROOT / "pbem/games" / key / "ORDERS.md").read_text(encoding="utf-8")))
    assert len(left) > 20 and not [shown for shown in left if "<" in shown.text]
    titles = {seat.key: seat.title for seat in rules.seats}
    for roster in rosters(rules):
        writers = rules.grammar.writers
        left = [
            shown
            for shown in left
            if shown.who not in ("", titles[roster.seat])
            or all(
                roster.seat not in writers.get(section, (roster.seat,))
                or meant_by(rules.grammar, roster, section, shown) != shown.usage
                for section in shown.sections or ("",)
            )
        ]
        if not left:
            break
    assert not left


@pytest.mark.parametrize("key", OURS)
def test_the_letter_of_the_page_of_orders_is_accepted(key: str) -> None:
    """It is one of an example, which the tests play: there it closes what it was written for."""
    letter = guides.sample(key)
    assert letter is not None and len(letter.text.splitlines()) > 5
    received = (letter.file.parents[1] / "out/received.txt").read_text(encoding="utf-8")
    assert re.search(rf"^{re.escape(letter.file.name)}: accepted: .*closed: ", received, flags=re.MULTILINE)
