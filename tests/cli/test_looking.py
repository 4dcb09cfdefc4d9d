"""What the commands show: times in the zone of the game, a store that can only be read, what is not there, a
game as it was."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from pbem.cli.demo import called
from pbem.render.replay import boards, changed_since
from pbem.service.record import store
from pbem.service.tools.demo import Demo
from pbem.service.tools.queries import Status, boards_of_turns, desk_page, tell
from tests.cli.test_commands import ok, refused, run


@pytest.fixture
def rolled(tmp_path: Path) -> Path:
    """A game in which dice have fallen and letters have told of them."""
    file = tmp_path / "utah.pbem"
    ok("new", "normandy44", "--scenario", "cherbourg", "-o", file, "--id", "utah", "--seed", "2",
       "--zone", "Europe/Paris", "--player", "allied=Anna <anna@mail.example>")  # fmt: skip
    return file


def test_rulings_have_their_times_in_the_zone_of_the_game(rolled: Path) -> None:
    """The preview and the list of rulings."""
    preview = ok("rule", "set", rolled, "R1", "5", "--dry-run")
    assert "already told" in preview and "Europe/Paris" in preview and " UTC" not in preview
    ok("rule", "uphold", rolled, "R1", "--yes")
    done = ok("rule", "list", rolled, "--done")
    assert "Europe/Paris" in done and " UTC" not in done


def test_a_store_that_cannot_be_written_can_be_looked_at(
    rolled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Status, log, map, page of a roll, verify. What would write is refused with the reason."""
    monkeypatch.setattr(store, "is_only_to_read", lambda target: True)
    before = rolled.read_bytes()
    assert "Allocation" in ok("status", rolled) and "Weather" in ok("log", rolled)
    ok("map", rolled, "-o", tmp_path / "map.svg")
    assert "Weather" in ok("dice", "show", rolled, "R1")
    assert "0 wrong" in ok("dice", "verify", rolled)
    ok("replay", rolled, "--verify")
    monkeypatch.setattr(store, "closed_to_us", lambda path: f"user nobody may not open and write {path}")
    says = refused("player", "name", rolled, "allied", "Anna B.")
    assert "user nobody may not open and write" in says and "it can only be looked at" in says
    assert rolled.read_bytes() == before


def test_rulings_are_in_the_log(rolled: Path) -> None:
    """With the reason, in the log of their turn; a seat reads those that all were told in full."""
    ok("rule", "uphold", rolled, "R1", "--why", "2.1 says so", "--yes")
    for seat in ("umpire", "german"):
        told = ok("log", rolled, "--turn", "1", "--seat", seat)
        assert "Rulings" in told and "by host: R1 stands" in told and "reason: 2.1 says so" in told
    ok("rule", "position", rolled, "turn=1", "--why", "no change", "--yes")
    assert "turn = 1" in ok("log", rolled) and "turn = 1" not in ok("log", rolled, "--seat", "german")


def test_the_page_of_a_disputed_roll_says_how_to_go_on(rolled: Path) -> None:
    """It begins with the dispute, for the moderator with the reason and the commands that settle it, until a
    ruling has."""
    ok("submit", rolled, "-", "--seat", "allied", stdin="dispute R1 wrong table\n")
    page = ok("dice", "show", rolled, "r1")
    assert page.startswith("R1 is disputed by Allied (Anna) since ")
    assert "no ruling yet. Reason: wrong table\nTo settle it: pbem rule uphold FILE R1 lets it stand" in page
    other = ok("dice", "show", rolled, "R1", "--as", "german")
    assert other.startswith("R1 is disputed") and "wrong table" not in other and "pbem rule" not in other
    assert "disputed" not in ok("dice", "show", rolled, "R2")
    ok("rule", "uphold", rolled, "R1", "--yes")
    assert ok("dice", "show", rolled, "R1").startswith("R1: Turn 1")


def test_a_roll_that_only_has_another_number_is_no_change(tmp_path: Path) -> None:
    """Where a ruling takes a die away, what follows is told once, by its old and new numbers; so the letter
    shows what has changed."""
    file = tmp_path / "utah.pbem"
    ok("new", "normandy44", "--scenario", "campaign", "-o", file, "--id", "utah", "--seed", "5",
       "--player", "allied=Anna <anna@mail.example>")  # fmt: skip
    ok("adjudicate", file, "--force")
    page = ok("dice", "show", file, "R1")
    assert "die 6 +1 = 7: R2 die 4, scattered SW" in page and "scatter of 82AB" in ok(
        "dice", "show", file, "R2"
    )
    last = len(ok("dice", "show", file).splitlines())
    told = ok("rule", "set", file, "R1", "2", "--why", "6 was misread", "--yes")
    changes = told.partition("changes:")[2].partition("already told")[0]
    assert f"R3 to R{last} are R2 to R{last - 1} now" in changes
    assert [line.split()[1] for line in changes.splitlines() if "  - R" in line] == ["R1"]
    ok("mail", "folder", "--store", file, tmp_path / "out")
    (letter,) = [
        text
        for mail in (tmp_path / "out").glob("*.eml")
        if "[utah] R1 counts as" in (text := " ".join(mail.read_text().split()))
    ]
    assert f"Rolls with another number ------------------------- R3 to R{last} are R2 to R" in letter
    assert "; 0 wrong" in ok("dice", "verify", file)


def test_a_word_that_is_missing_is_named(rolled: Path) -> None:
    """A game file is never taken for it; and a face that no die has is named once."""
    says = refused("rule", "set", rolled, "R1", code=2)
    assert "FACES is missing: give [FILE] ROLL FACES" in says
    assert "ROLL is missing: give [FILE] ROLL" in refused("rule", "uphold", rolled, code=2)
    assert "R1: 7: a die shows 1 to 6" in refused("rule", "set", rolled, "R1", "7", "--why", "x", "--yes")


def test_a_turn_that_has_not_begun_is_named(rolled: Path) -> None:
    """Log and dice are not silent about it."""
    for words in (["log", rolled], ["log", rolled, "--json"], ["dice", "show", rolled], ["replay", rolled]):
        says = refused(*words, "--turn", "99")
        assert "turn 99 of game utah has not begun: it is in turn 1" in says


def test_an_unknown_topic_of_a_game_is_an_error() -> None:
    """It names the nearest one."""
    says = refused("help", "normandy71", "attak")
    assert 'There is no help on "attak". Did you mean attack?' in says
    ok("help", "normandy71", "attack")
    assert "Did you mean" not in refused("help", "rampage", "xyzzy")


@pytest.mark.parametrize(
    "words", [(), ("--days", "someday"), ("--grace", "soon"), ("--missed", "never"), ("--dispute-days", "0")]
)
def test_wrong_values_of_terms_are_usage_errors(rolled: Path, words: tuple[str, ...]) -> None:
    """Like those of `pbem new`: exit code 2."""
    refused("deadline", "terms", rolled, *words, code=2)


def test_what_a_game_refuses_and_what_none_could_take(rolled: Path, tmp_path: Path) -> None:
    """Exit code 1 for a turn, roll, seat or game that is not there, 2 for a value that cannot be one."""
    page = tmp_path / "x.html"
    for words in (
        ["map", rolled, "--at", "T99"],
        ["replay", rolled, "-o", page, "--from", "R999"],
        ["replay", rolled, "--turn", "99"],
        ["dice", "show", rolled, "R999"],
        ["status", rolled, "--seat", "nobody"],
        ["log", rolled, "--game", "nope"],
    ):
        refused(*words, code=1)
    for words in (
        ["map", rolled, "--at", "17"],
        ["replay", rolled, "-o", page, "--to", "end"],
        ["replay", rolled, "--turn", "last"],
        ["data", "export", "chess", tmp_path / "data"],
        ["demo", tmp_path / "demo", "--game", "chess"],
    ):
        refused(*words, code=2)
    assert not page.exists() and not (tmp_path / "demo").exists()


def test_the_status_says_nothing_twice() -> None:
    """A game of the name of its rules has one name; one that is over is over once, with its table in line."""
    figures = (("Points", "12", "9.1"), ("A line of more than forty characters for the table", "3", "9.2"))
    over = Status(
        game="rampage", rules="rampage", scenario="campaign", options={}, status="over", turn=3, phase="",
        title="The game is over", waited_for=("The game is over.",), deadline="", seats={},
        result="German win", figures=figures,
    )  # fmt: skip
    first, second, *rest = over.lines()
    assert (first, second) == ("rampage, campaign, over", "  The game is over")
    assert "The game is over." not in "".join(rest)
    one, two = (line.index("  [") for line in rest if "[9." in line)
    assert one == two


def test_the_demo_names_the_pbem_that_was_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its path, unless its name alone finds it."""
    path = tmp_path / "my tools" / "pbem"
    path.parent.mkdir()
    path.touch(mode=0o755)
    monkeypatch.setattr("sys.argv", [str(path), "demo"])
    monkeypatch.setenv("PATH", "/nowhere")
    assert called() == f"'{path}'"
    assert f"    {called()} replay" in "\n".join(Demo(tmp_path).lines(called()))
    monkeypatch.setenv("PATH", str(path.parent))
    assert called() == "pbem"


def test_a_reader_who_stops_reading_is_no_error(rolled: Path) -> None:
    """`pbem replay | head -1` exits with 0."""
    whole = f"set -o pipefail; {sys.executable} -m pbem replay {rolled} | head -1"
    assert subprocess.run(["bash", "-c", whole], capture_output=True).returncode == 0


# --- past positions, and a game as a page -----------------------------------------------------------------


def run_err(*words: str | Path) -> str:
    """What a command that fails says on standard error."""
    result = run(*words)
    assert result.exit_code, result.output
    return result.stderr


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of Rampage that bots have played to its end."""
    file = tmp_path_factory.mktemp("fought") / "rampage.pbem"
    ok("new", "rampage", "-o", file, "--seed", "7", "--player", "allied=bot:greedy")
    return file


@pytest.mark.dear
def test_the_map_after_a_roll_and_after_a_turn(fought: Path, tmp_path: Path) -> None:
    """As text it is that of the replay after the roll; a turn and its last roll give the same map."""
    first, last = ok("map", fought, "--at", "T1"), ok("map", fought, "--at", "T2")
    assert first != last
    ok("map", fought, "--at", "R97", "-o", tmp_path / "r97.svg")
    assert "Turn 2" in (tmp_path / "r97.svg").read_text(encoding="utf-8")
    ok("map", fought, "--at", "T2", "--width", "600", "-o", tmp_path / "t2.apng")
    with Image.open(tmp_path / "t2.apng") as picture:
        assert picture.format == "PNG" and getattr(picture, "n_frames", 1) > 10


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--at", "R9999"), "nothing of R9999 is in this game, as its reader knows it"),
        (("--since", "R9999"), "nothing of R9999 is in this game, as its reader knows it: it ends with R"),
        (("--since", "letter"), "--since letter is about the letters to one seat: say which, with --seat"),
        (
            ("--since", "letter", "--seat", "allied"),
            "no letter with a map has gone to this seat yet; --since T1",
        ),
        (("--since", "17"), '"17" is neither a turn (T2) nor a roll (R17), nor the word letter'),
        (("--since", "T1", "--at", "T1"), "nothing has happened since T1"),
        (("--since", "T1", "--at", "T1", "-o", "x.apng"), "leave out --hex, --dark and --since"),
        (("--at", "17"), '"17" is neither a turn (T2) nor a roll (R17)'),
        (("-o", "x.apng"), "an .apng file shows a turn: say which, such as --at T2"),
        (("-o", "x.gif"), 'cannot write "x.gif": a map is a .png, .apng, .svg, .txt or .json file'),
    ],
)
def test_what_no_map_can_be(fought: Path, words: tuple[str, ...], why: str) -> None:
    assert why in run_err("map", fought, *words)


def test_the_map_of_a_turn_is_the_one_of_its_end(fought: Path) -> None:
    """What MAP T1 shows by mail stands where the replay has it after the last step of that turn."""
    opened = store.Store.open(fought)
    by_turn = boards_of_turns(opened, None, "allied")
    assert list(by_turn) == list(range(1, len(by_turn) + 1)) and len(by_turn) > 1
    story = tell(opened, None, "allied")
    for turn, board in by_turn.items():
        (told,) = boards(story, f"T{turn}")
        assert board.title.endswith(f"End of turn {turn}")
        places, replayed = ({(each.name, each.hex) for each in one.counters} for one in (board, told))
        assert places == replayed, turn
    opened.close()


def test_the_map_has_what_has_changed_since(fought: Path) -> None:
    """Each move and fight of the steps after a turn, once, on the counters as they are at the end; what was
    lost in a hex in several steps is added up."""
    opened = store.Store.open(fought)
    story = tell(opened, None)
    opened.close()
    board = changed_since(story, "T1", "T2")
    (end,) = boards(story, "T2")
    assert board.counters == end.counters and board.subtitle == "since T1"
    turns = {step.serial: story.chapters[step.chapter].turn for step in story.tracks[0].steps}
    second = [step for step in story.tracks[0].steps if turns[step.serial] == 2]
    battles = {battle for step in second for battle in step.battles}
    assert set(board.battles) == battles and len(board.battles) == len(battles) > 0
    assert {arrow for step in second for arrow in step.arrows} <= set(board.arrows)
    lost = [mark for step in second for mark in dict.fromkeys(step.signs) if mark.kind == "lost"]
    assert len({mark.hex for mark in lost}) < len(lost)
    told = [mark for mark in board.marks if mark.kind == "lost"]
    assert len({(mark.hex, mark.colours) for mark in told}) == len(told)
    assert sum(int(mark.text) for mark in told) == sum(int(mark.text) for mark in lost)
    assert "since T1" in ok("map", fought, "--since", "T1", "--at", "T2")


def test_maps_around_a_hex_whole_and_dark(fought: Path, tmp_path: Path) -> None:
    """A close-up has some of the units of the whole map; JSON has them all. An unknown place is refused with
    exit code 1, options that contradict each other with 2."""
    board = json.loads(ok("map", fought, "--json"))
    hex_id = board["counters"][0]["hex"]
    ok("map", fought, "-o", tmp_path / "all.svg")
    ok("map", fought, "--hex", hex_id, "--dark", "-o", tmp_path / "near.svg")
    ok("map", fought, "--hex", hex_id, "-o", tmp_path / "near.png")
    ok("map", fought, "-o", tmp_path / "board.json")
    every, near = ((tmp_path / name).read_text(encoding="utf-8") for name in ("all.svg", "near.svg"))
    assert every.count('class="counter"') == len(board["counters"])
    assert f"Around {hex_id}" in near or f"({hex_id})" in near
    assert json.loads((tmp_path / "board.json").read_text(encoding="utf-8")) == board
    with Image.open(tmp_path / "near.png") as picture:
        assert picture.width == 600
    pictures = [tmp_path / f"{name}.png" for name in ("day", "dark")]
    for file, more in zip(pictures, ((), ("--dark", "--whole")), strict=True):
        ok("map", fought, *more, "-o", file)
    assert len({file.read_bytes() for file in pictures}) == 2
    assert run("map", fought, "--hex", "Nowhere").exit_code == 1
    assert run("map", fought, "--whole", "--hex", hex_id).exit_code == 2
    assert run("map", fought, "--json", "-o", tmp_path / "x.png").exit_code == 2


def test_a_game_as_a_page_is_verified(fought: Path, tmp_path: Path) -> None:
    """Alone it says what it hangs on; next to the letters all is right; one changed byte is found."""
    page = tmp_path / "game.html"
    assert "Open it in a browser" in ok("replay", fought, "-o", page)
    assert page.stat().st_mode & 0o077 == 0
    ok("mail", "folder", fought, tmp_path / "letters")
    assert "true only if link 0 in your first letter is" in run_err("dice", "verify", page)
    page.write_text(page.read_text().replace("German win", "Allied win"))
    assert "the page is not the one that was signed" in run_err("dice", "verify", page)
    assert "--from and --to go with -o FILE" in run_err("replay", fought, "--from", "T2")
    assert "R97 comes after T1" in run_err("replay", fought, "-o", page, "--from", "R97", "--to", "T1")


def test_a_list_says_what_it_is_and_what_to_do_next(rolled: Path, tmp_path: Path) -> None:
    """The list of what a ruling can be about counts it and says how to rule; letters written to a folder are
    counted, also none."""
    shown = ok("rule", "list", rolled, "--turn", "1").splitlines()
    rolls = sum(line.strip().startswith("R") for line in shown[1:-1])
    assert rolls and shown[0].startswith(f"Turn 1: {rolls} roll")
    assert shown[-1].startswith("To rule on one: pbem rule COMMAND FILE NAME")
    listed = json.loads(ok("rule", "list", rolled, "--turn", "1", "--json"))
    assert f"{len(listed) - rolls} order" in shown[0]
    assert "without --done this lists" in ok("rule", "list", rolled, "--done")
    done = ok("mail", "folder", rolled, tmp_path / "out").splitlines()
    assert len(done) == 2 and done[-1] == f"Wrote 1 letter to {tmp_path / 'out'}; it counts as sent."
    assert ok("mail", "folder", rolled, tmp_path / "out").startswith("Wrote no letter: none is waiting.")


def test_a_page_of_a_running_game_says_what_it_gives_away(rolled: Path, fought: Path, tmp_path: Path) -> None:
    """On the command line, with the options that make a safe one, and on the page; neither for one side nor
    once the game is over."""
    page, words = tmp_path / "game.html", "shows what every side hides"
    told = run("replay", rolled, "-o", page)
    assert told.exit_code == 0 and words in told.stderr
    assert "add --seat: --seat allied or --seat german" in told.stderr
    assert words in page.read_text()
    for game, more in ((rolled, ("--seat", "german")), (fought, ())):
        told = run("replay", game, "-o", page, *more)
        assert told.exit_code == 0 and words not in told.stderr and words not in page.read_text()


def test_the_order_desk_of_a_seat(rolled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page of the service, for its owner only, under the name of game and seat or another one."""
    monkeypatch.chdir(tmp_path)
    told = ok("desk", rolled, "--seat", "allied")
    page = Path("utah-allied.html")
    assert told.startswith(f"Wrote {page} (") and told.endswith(" MB). Open it in a browser.\n")
    assert page.stat().st_mode & 0o077 == 0
    opened = store.Store.open(rolled)
    assert page.read_text(encoding="utf-8") == desk_page(opened, None, "allied")
    opened.close()
    ok("desk", rolled, "--seat", "allied", "-o", "orders.html")
    assert Path("orders.html").read_bytes() == page.read_bytes()


def test_a_desk_with_nothing_to_order(fought: Path, tmp_path: Path) -> None:
    """There is a page all the same, and the command says why: the game is over, or waits for others."""
    page = tmp_path / "desk.html"
    assert ok("desk", fought, "--seat", "allied", "-o", page).endswith("The game is over.\n")
    assert 'id="data"' in page.read_text(encoding="utf-8")
    ok("new", "clash", "-o", tmp_path / "toy.pbem")
    assert "waiting for" not in ok("desk", tmp_path / "toy.pbem", "--seat", "red", "-o", page)
    assert "The game is not waiting for blue now" in ok(
        "desk", tmp_path / "toy.pbem", "--seat", "blue", "-o", page
    )


def test_seats_that_have_no_desk(rolled: Path, tmp_path: Path) -> None:
    """A desk is for one seat that a person can play; nothing is written for others."""
    page, solo = tmp_path / "desk.html", tmp_path / "solo.pbem"
    says = refused("desk", rolled, "--seat", "umpire", "-o", page)
    assert "an order desk is for one seat of game utah: allied or german, not the umpire" in says
    says = refused("desk", rolled, "--seat", "alied", "-o", page)
    assert "game utah has no seat" in says and "allied" in says and "umpire" not in says
    ok("new", "falaise", "-o", solo, "--option", "players=one")
    assert "is played by the game itself" in refused("desk", solo, "--seat", "allied", "-o", page)
    assert "--seat" in refused("desk", rolled, "-o", page, code=2)
    assert not page.exists()


def test_a_full_disk_is_named(rolled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite says "disk I/O error", and cannot even read: it keeps files beside the game file."""
    full = shutil.disk_usage(rolled)._replace(free=4096)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: full)
    monkeypatch.setattr("sqlalchemy.engine.Engine.connect", lambda self: 1 / 0)
    says = refused("status", rolled)
    assert f"{rolled} cannot be opened, as its disk is full: make room in {rolled.parent}" in says
