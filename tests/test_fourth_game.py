"""The game of the guide in pbem/games/README.md: that guide and game are the same, and that the game can be
played in every way a game is played."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from importlib import resources
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from conftest import HOUR, NOW, begin
from fourth_game import GAME
from fourth_game.notes import Fought, Moved, Prize, Spied
from fourth_game.orders import Move, Retreat, Scout
from fourth_game.state import State
from one_order import read_line
from sqlmodel import col, select

from pbem import render
from pbem.engine import game as contract
from pbem.engine.desk import Desk
from pbem.engine.errors import DataError, NotAllowed, Unreadable
from pbem.engine.game import game
from pbem.engine.language.reference import reference
from pbem.engine.play import Answer, Ask, Decision, advance
from pbem.service.intake.submit import submit
from pbem.service.letters.log import blocks, log_lines
from pbem.service.proof.lines import letter_proof, letter_text
from pbem.service.proof.verify import replay, verify_game
from pbem.service.record.rows import OutboxRow
from pbem.service.record.store import Store
from pbem.service.tools import queries
from pbem.testing import Suite
from pbem.testing.checks import CHECKS_OF_A_GAME, CHECKS_OF_A_PLAY

HERE = Path(__file__).parent
FOLDER = HERE / "fourth_game"
GUIDE = HERE.parent / "pbem" / "games" / "README.md"
red_march = GAME.phase("red_march").play
blue_march = GAME.phase("blue_march").play
BLOCK = re.compile(
    r"<summary><code>fourth_game/([^<]+)</code></summary>\n\n```\w+\n(.*?)```\n\n</details>", re.DOTALL
)
FILE = re.compile(r"<summary><code>([^<]+)</code></summary>\n\n```\w+\n(.*?)```\n\n</details>", re.DOTALL)


# --- the guide ----------------------------------------------------------------------------------------------


def files() -> dict[str, str]:
    """The files of the game, by their place in its folder."""
    found = [path for path in sorted(FOLDER.rglob("*")) if path.is_file() and path.suffix != ".pyc"]
    return {str(path.relative_to(FOLDER)): path.read_text(encoding="utf-8") for path in found}


def test_the_guide_is_the_game(request: pytest.FixtureRequest) -> None:
    """The guide shows every file of the game as it is, and no other; `--golden` writes its blocks anew."""
    text = GUIDE.read_text(encoding="utf-8")
    if request.config.getoption("--golden"):
        known = files()
        text = BLOCK.sub(lambda block: _block(block, known.get(block[1], "")), text)
        GUIDE.write_text(text, encoding="utf-8", newline="")
    shown = BLOCK.findall(text)
    assert len(dict(shown)) == len(shown)
    assert dict(shown) == files()


def _block(block: re.Match[str], content: str) -> str:
    start = block.start(2) - block.start()
    return block[0][:start] + content + block[0][block.end(2) - block.start() :]


def shown(chapter: str, language: str = "python") -> str:
    """The one code block of a language in a chapter of the guide."""
    [text] = re.findall(rf"^## {chapter}.*?$(.*?)^## ", GUIDE.read_text(encoding="utf-8"), re.M | re.S)
    [block] = re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)
    return str(block)


def test_the_entry_point_is_that_of_the_guide() -> None:
    """The game is found as the guide says."""
    written = re.search(r"```toml\n(\[project\]\n.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert written is not None
    named = tomllib.loads(written[1])["project"]["entry-points"]["pbem.games"]
    installed = {entry.name: entry.value for entry in entry_points(group="pbem.games")}
    assert named.items() <= installed.items()
    assert game("clash") is GAME


@pytest.fixture
def typed(tmp_path: Path) -> Path:
    """A folder with every file that the guide shows, and nothing else."""
    shown_files = FILE.findall(GUIDE.read_text(encoding="utf-8"))
    for name, text in shown_files:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert sorted(path.name for path in (tmp_path / "tests").rglob("*.*")) == [
        "clash.toml",
        "march.toml",
        "test_clash.py",
    ]
    enter(tmp_path, "fourth_game:GAME")
    return tmp_path


def enter(folder: Path, value: str) -> None:
    """Install the game of a folder under this entry point."""
    info = folder / "fourth_game-1.0.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fourth-game\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[pbem.games]\nclash = {value}\n")


def test_the_guide_lists_its_files(typed: Path) -> None:
    """The list of files at the beginning of the guide names every file that it shows, and no other."""
    listed = re.findall(r"\w+(?:\.\w+)+", shown("A package with an entry point", "text"))
    files = [
        path.name for path in typed.rglob("*.*") if path.parent.suffix != ".dist-info" and path.is_file()
    ]
    assert sorted(listed) == sorted([*files, "pyproject.toml"])


def followed(folder: Path, command: str) -> None:
    """Run a command of the guide in the folder of the game, with no settings but its own."""
    assert f"\n{command}\n" in shown("Test it", "sh")
    env = {name: value for name, value in os.environ.items() if name not in ("MYPYPATH", "PYTEST_ADDOPTS")}
    env["PYTHONPATH"] = str(folder)
    words = [sys.executable, "-m", *command.split()]
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.dear
def test_it_passes_a_strict_type_checker(typed: Path) -> None:
    """`mypy --strict` finds nothing in a game written outside pbem: every class that it derives from is
    typed, and the installed package says so."""
    assert resources.files("pbem").joinpath("py.typed").is_file()
    pytest.importorskip("mypy")
    (typed / "fourth_game" / "day.py").write_text(shown("Orders before a die"), encoding="utf-8")
    followed(typed, "mypy --strict fourth_game tests")


def test_its_tests_pass(typed: Path) -> None:
    """The tests that the guide shows, with the class of checks and the case files, find nothing."""
    followed(typed, "pytest")


@pytest.mark.dear
def test_the_tests_of_its_variant_pass(typed: Path) -> None:
    """With the entry point, the case and the case file that the guide names, so does the variant with a
    day."""
    text = GUIDE.read_text(encoding="utf-8")
    [entry] = re.findall(r'`clash = "(\S+:DAY)"`', text)
    [line] = re.findall(r"`(from fourth_game\.day import \w+ as GAME)`", text)
    [case] = re.findall(r'`("2\.3" = .*)`', text)
    enter(typed, entry)
    (typed / "fourth_game" / "day.py").write_text(shown("Orders before a die"), encoding="utf-8")
    (typed / "tests" / "cases" / "day.toml").write_text(
        shown("Orders before a die", "toml"), encoding="utf-8"
    )
    with (typed / "fourth_game" / "data" / "cases.toml").open("a", encoding="utf-8") as file:
        file.write(case)
    tests = typed / "tests" / "test_clash.py"
    source = tests.read_text(encoding="utf-8")
    tests.write_text(source.replace("from fourth_game import GAME", line), encoding="utf-8")
    followed(typed, "pytest")


# --- the cases ----------------------------------------------------------------------------------------------


def played(phase: Callable[[State], Any], state: State, *orders: Any, dice: tuple[Any, ...] = ()) -> State:
    """The state after a phase with these orders, or answers, and dice."""
    given, thrown = iter(orders), iter(dice)

    def answer(request: Decision) -> Answer:
        return Answer(next(given, None))

    progress = advance(phase(state), state, answers=answer, dice=lambda request, label: [next(thrown)])
    assert progress.waiting is None
    return state


def fresh() -> State:
    return GAME.start()


def test_the_counters_stand_where_their_file_says() -> None:
    """1.0 Both sides begin at their edges."""
    assert fresh().units == {"R1": "0101", "R2": "0102", "B1": "0502", "B2": "0503"}


def test_only_red_knows_the_prize() -> None:
    """1.1 The lot is sealed, and blue neither reads nor sees what it says."""
    state = played(GAME.phase("hide").play, fresh(), dice=("0302",))
    assert state.prize == "0302"
    assert [(note.hex, note.readers) for note in state.log if isinstance(note, Prize)] == [("0302", ("red",))]
    assert [GAME.view(state, seat).model_dump()["prize"] for seat in ("red", "blue", "umpire")] == [
        "0302",
        "",
        "0302",
    ]


def test_units_go_one_hex_each() -> None:
    """2.1 A unit goes to a free neighbouring hex, once."""
    state = played(red_march, fresh(), Move("R1", "0201"), Move("R2", "0101"))
    assert state.units | {"R1": "0201", "R2": "0101"} == state.units
    assert [note.unit for note in state.log if isinstance(note, Moved)] == ["R1", "R2"]


@pytest.mark.parametrize(
    ("orders", "why"),
    [
        ([Move("R1", "0401")], "R1 cannot go to 0401"),
        ([Move("R1", "0102")], "R1 cannot go to 0102"),
        ([Move("R1", "0201"), Move("R1", "0301")], "R1 has already moved"),
        ([Move("B1", "0401")], "not one of your units"),
    ],
)
def test_other_moves_are_refused(orders: list[Move], why: str) -> None:
    """2.1 Too far, onto another unit, twice, or with the enemy's units: each refused by its case."""
    with pytest.raises(NotAllowed, match=rf"{why}.*2\.1"):
        played(red_march, fresh(), *orders)


def test_a_scout_sees_a_hex() -> None:
    """2.2 What stands there is revealed to its side alone, and the unit does not move."""
    state = played(blue_march, fresh(), Scout("B1", "0101"))
    assert [(note.unit, note.readers) for note in state.log if isinstance(note, Spied)] == [("R1", ("blue",))]
    assert state.units["B1"] == "0502"


@pytest.mark.parametrize(("die", "wins"), [(1, 0), (3, 0), (4, 1), (6, 1)])
def test_the_die_of_a_clash(die: int, wins: int) -> None:
    """3.1 From four on red wins; 3.2 the unit that blue names goes home, unless somebody is there."""
    state = fresh()
    state.units |= {"B1": "0401", "B2": "0402"}
    played(GAME.phase("clash").play, state, "B1", dice=(die,))
    assert state.wins == wins
    assert state.units["B1"] == ("0502" if wins else "0401")
    [fought] = [note for note in state.log if isinstance(note, Fought)]
    assert (fought.die, fought.roll) == (die, 1)


def test_a_full_home_takes_nobody() -> None:
    """3.2 A unit whose first hex is held stays where it is."""
    state = fresh()
    state.units |= {"B1": "0401", "R1": "0502"}
    assert played(GAME.phase("clash").play, state, "B1", dice=(6,)).units["B1"] == "0401"


def test_a_standing_order_says_who_goes_back() -> None:
    """3.2 The unit that it names goes, if it may."""
    ask = Ask(case="3.2", what="who goes back", seat="blue", options=("B1", "B2"), kind="retreat")
    assert Retreat("B2").decide(ask, {}) == "B2"
    assert Retreat("nobody").decide(ask, {}) is None


def test_two_wins_are_red_s() -> None:
    """3.3 Red wins the game with two clashes."""
    state = fresh()
    assert GAME.report.result(state).winner == "blue"
    state.wins = 2
    assert GAME.report.result(state).winner == "red"


# --- in play ------------------------------------------------------------------------------------------------


def test_it_is_played_by_mail(store: Store) -> None:
    """Letters in and letters out, to the end: orders, a fault mended, a condition, a standing order, a
    decision, the result."""
    begin(store)
    letters = [
        ("red", "[march]\nmove R1 to 0201\nmove R2 tp 0202\ndone\n"),
        ("red", "move R2 to 0202\ndone\n"),
        ("blue", "if 0402 is free, move B1 to 0402, else scout 0202 with B1\ndone\n[standing]\nretreat B2\n"),
        ("red", "scout 0402 with R1\ndone\n"),
        ("blue", "no orders"),
        ("red", "no orders\n"),
        ("blue", "no orders\n"),
    ]
    for hour, (seat, text) in enumerate(letters, 1):
        done = submit(store, None, seat, text, NOW + hour * HOUR)
        assert done.received.outcome == ("explained" if "tp" in text else "accepted")
    told = queries.status(store, None)
    assert told.status == "over" and told.result == f"{told.figures[0][1]} wins"
    with store.transaction() as session:
        rows = session.exec(select(OutboxRow).order_by(col(OutboxRow.id))).all()
    texts = {row.key: "\n".join(letter_text(row.raw)) for row in rows}
    mended = next(text for text in texts.values() if "R2 tp" in text)
    assert "move R2 to 0202" in mended and "^" in mended
    assert any("R1 goes to 0201 [2.1]" in text for key, text in texts.items() if "-blue-turn-" in key)
    assert any("the prize lies at" in text for key, text in texts.items() if "-red-" in key)
    last = [text for key, text in texts.items() if "-turn-" in key][-2:]
    assert all(told.result in text for text in last)
    blue = "\n".join(text for key, text in texts.items() if "-blue-" in key)
    assert "red sees where" not in blue


def test_a_played_game_proves_itself(store: Store) -> None:
    """Every die is checked, and every phase adjudicated anew leads to the same state."""
    begin(store)
    submit(store, None, "red", "move R1 to 0201\ndone", NOW + HOUR)
    submit(store, None, "blue", "move B1 to 0402\ndone\nstanding retreat: B1\n", NOW + 2 * HOUR)
    findings = verify_game(store)
    assert findings.wrong == [] and findings.rolls >= 2
    assert [phase.label for phase in replay(store)][:4] == [
        "t1.hide",
        "t1.red_march",
        "t1.blue_march",
        "t1.clash",
    ]


def test_its_map_is_drawn() -> None:
    """The map has all twenty hexes and all four counters, as SVG, PNG and text."""
    board = GAME.report.board(GAME.view(fresh(), "red"), ())
    svg = render.svg(board)
    svg = svg if isinstance(svg, str) else svg.decode()
    assert all(unit in svg for unit in ("R1", "R2", "B1", "B2"))
    assert render.png(board).startswith(b"\x89PNG")
    assert len(board.map.grid.ids) == 20


def test_a_place_of_the_map_is_a_name_in_orders() -> None:
    """1.0 The Mill can be written instead of its hex, by both sides."""
    for seat, unit in (("red", "R1"), ("blue", "B1")):
        reading = GAME.grammar.read([(1, f"scout the Mill with {unit}")], GAME.roster(fresh(), seat))
        assert [line.order for line in reading.orders] == [Scout(unit, "0304")]


def test_its_orders_are_read_and_explained() -> None:
    """Orders are read as their usage lines say, written back, and explained by HELP with their examples."""
    state = fresh()
    names = GAME.roster(state, "red")
    grammar = GAME.grammar
    for text in ("move R1 to 0201", "scout 0502 with R1"):
        assert grammar.write(read_line(grammar, text, names, "march")) == text
    with pytest.raises(Unreadable):
        read_line(grammar, "march R1", names, "march")
    assert all(kind.example in reference(grammar) for kind in (*grammar.orders, *grammar.conditions))
    request = next(_requests(state))
    assert {order.hex for order in request.options("R1")} == {"0201"}


def _requests(state: State) -> Any:
    """The first request of red's march."""
    phase = red_march(state)
    request: Any = phase.send(None)
    assert isinstance(request, Desk)
    yield request
    phase.close()


def test_what_a_game_lacks_is_named() -> None:
    """A desk without one of its methods, and a game without a template, are told by name."""

    class Bare(Desk[Any]):
        case, section, takes, seat = "2.1", "march", (Move,), "red"

    for name in ("subjects", "options", "check", "carry_out"):
        with pytest.raises(NotImplementedError, match=f"the desk Bare has no `{name}`"):
            getattr(Bare(), name)(*([] if name == "subjects" else [None]))
    with pytest.raises(DataError, match=r"clash has no template terrain\.txt\.j2; write it: .*templates"):
        blocks("clash", "terrain")
    with pytest.raises(DataError, match=r"log\.txt\.j2 of clash has no macro Retreated"):
        log_lines("clash", [{"kind": "Retreated"}], "red")


# --- orders before a die, and under a head ------------------------------------------------------------------


@pytest.fixture
def day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module of the guide in which red has a day; its game is in the place of Clash."""
    (tmp_path / "day.py").write_text(shown("Orders before a die"), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("day")
    monkeypatch.setattr(contract, "_loaded", lambda entry: module.DAY)
    contract.game.cache_clear()
    yield module
    monkeypatch.undo()
    contract.game.cache_clear()
    del sys.modules["day"]


def sent(store: Store, *letters: str) -> list[str]:
    """The lines of the last reply to red, an hour after one another."""
    begin(store)
    said: tuple[str, ...] = ()
    for hour, text in enumerate(letters, 1):
        said = submit(store, None, "red", text, NOW + hour * HOUR).confirmation
    return [" ".join(line.split()) for line in said]


def test_the_letter_of_the_guide_is_played(day: Any, store: Store) -> None:
    """2.3 A unit rests before the die, which is 3: with it there is a dusk, and the lines below its head are
    played."""
    told = sent(store, shown("Orders before a die", "text"))
    assert [line for line in told if line.startswith("carried out")] == [
        "carried out L1 rest R2; L2 at dusk; L3 move R1 to 0201",
    ]
    with store.transaction() as session:
        last = session.exec(select(OutboxRow).order_by(col(OutboxRow.id).desc())).all()
    assert any("|2.3|d6|dusk|1 = 3" in line for row in last for line in letter_proof(row.raw))


def test_lines_below_a_head_wait_for_its_desk(day: Any, store: Store) -> None:
    """2.3 The orders of dawn end before the head of dusk; without a dusk the lines below it are passed
    over."""
    told = sent(store, "[march]\nmove R2 to 0202\nat dusk\nmove R1 to 0201\ndone\n")
    came = [line for line in told if re.match(r"(carried out|passed over) ", line)]
    assert came == [
        "carried out L1 move R2 to 0202",
        "passed over L2 at dusk",
        "passed over L3 move R1 to 0201",
    ]


def test_a_head_that_is_repeated_replaces_its_lines(day: Any, store: Store) -> None:
    """2.3 A later letter with the head replaces the lines below it, and no others."""
    told = sent(
        store, "[march]\nmove R2 to 0202\nat dusk\nmove R1 to 0201\n", "at dusk\nscout 0502 with R1\n"
    )
    assert "L3 is withdrawn: move R1 to 0201" in told
    kept = [line for line in told if line.startswith("wait L")]
    assert kept == ["wait L1 move R2 to 0202", "wait L2 at dusk", "wait L4 scout 0502 with R1"]


@pytest.mark.parametrize(("asks", "rolled"), [(True, False), (False, True)])
def test_a_first_desk_that_asks_waits_before_the_die(
    day: Any, store: Store, monkeypatch: pytest.MonkeyPatch, asks: bool, rolled: bool
) -> None:
    """2.3 The die for dusk is not thrown before red has closed its orders, unless the first desk does not
    ask."""
    monkeypatch.setattr(day.Resting, "asks", asks)
    begin(store)
    assert (verify_game(store).rolls > 1) == rolled  # the lot for the prize is one
    assert queries.status(store, None).waited_for[0].startswith("Red (Rita): orders for [march]")


def test_the_day_of_the_guide_passes_the_checks(day: Any) -> None:
    """Bots play the variant to its end, and what it declares fits together."""
    suite = Suite(day.DAY)
    plays = [suite.play(plan) for plan in suite.plans()]
    faults = [fault for check in CHECKS_OF_A_PLAY.values() for play in plays for fault in check(suite, play)]
    for name in ("declarations", "places", "examples"):
        faults += CHECKS_OF_A_GAME[name](suite)
    assert not faults
