"""N1, N3 A game as one page shows, place by place, what `pbem replay` shows; it stays text whatever a player
writes into it, asks for nothing from outside, and `pbem dice verify` finds a changed byte in it."""

from __future__ import annotations

import base64
import hashlib
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from conftest import HOUR, NOW, begin
from postbox import Postbox
from replays import boards, data_in, differing, flat, played, positions, steps_of
from sizes import size, some
from test_every_byte import one_byte

from pbem.engine.play import Roll as Thrown
from pbem.render.replay import Story, Track, part
from pbem.service.letters.telling import die_of
from pbem.service.moderating.start import Player
from pbem.service.proof.lines import Findings, check_files
from pbem.service.record.store import Store
from pbem.service.record.turn_dice import Roll
from pbem.service.time.deadline import act
from pbem.service.tools.queries import pages, replay_page, tell

CHANGES = size(30, 120)

GAMES = {
    "rampage": ("campaign", 0),
    "normandy71": ("campaign", 15),
    "falaise": ("campaign", 45),
    "normandy44": ("cherbourg", 0),
    "france44": ("falaise", 0),
}
"""A short game of each: its scenario, and how many phases of it are played (0: all)."""

NAME = "</script><script>alert(1)</script>"
SALT = "<img src=x onerror=alert(2)> & --></pre>"


class Game:
    """A game played by bots and its page as the umpire reads it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.page, self.story = replay_page(store, None)
        self.data = data_in(self.page)


@pytest.fixture(scope="module", params=some([*GAMES], 2))
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Game:
    scenario, phases = GAMES[request.param]
    file = tmp_path_factory.mktemp("told") / f"{request.param}.pbem"
    return Game(played(file, request.param, scenario, phases=phases))


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Postbox:
    """A toy game to its end between a player and a bot whose name and salt would like to be more than
    text."""
    store = Store.create(tmp_path_factory.mktemp("hostile") / "toy.pbem")
    begin(store, red=Player(NAME, "rita@mail.example"), blue=Player(bot="random"))
    made = Postbox(store, "toy", "pbem@host.example", NOW)
    made.mail("red", f"salt {SALT}\nmove R1 to 0201\nmove R2 to 0202\ndone\n")
    for step in range(12):
        if made.row().status == "over":
            break
        act(store, None, NOW + (step + 5) * HOUR, force=True)
    return made


# --- positions ----------------------------------------------------------------------------------------------


def test_the_position_is_that_of_pbem_replay(game: Game) -> None:
    """At the end of every phase each hex shows the same counters in the same order: names, figures, kinds and
    flags, for the umpire and for each seat that a finished game can be seen as."""
    assert differing(positions(game.data), boards(game.store, "umpire")) == []
    assert len(game.data["tracks"]) == len(game.story.players)
    for number, track in enumerate(game.data["tracks"], 1):
        assert differing(positions(game.data, number), boards(game.store, track["reader"])) == []


def test_the_page_of_a_seat_has_the_position_of_that_seat(game: Game) -> None:
    """A page made for a seat shows what that seat sees, and no game of others."""
    for player in game.story.players:
        page, story = replay_page(game.store, None, player.seat)
        assert story.reader == player.seat and len(story.tracks) == 1
        assert differing(positions(data_in(page)), boards(game.store, player.seat)) == []


def test_steps_forward_and_back_give_the_same(game: Game) -> None:
    """Undone one by one, as the script undoes them, the steps lead back through every position."""
    for reader in range(len(game.data["tracks"]) + 1):
        shown: dict[int, list[int]] = {}
        undo: list[list[tuple[int, list[int]]]] = []
        before: list[dict[int, list[int]]] = []
        for step in steps_of(game.data, reader):
            before.append({hex: there for hex, there in shown.items() if there})
            undo.append([])
            for hex, there in flat(step[2] if step else []):
                undo[-1].append((hex, shown.get(hex, [])))
                shown[hex] = there
        for position, changes in zip(reversed(before), reversed(undo), strict=True):
            shown.update(reversed(changes))
            assert {hex: there for hex, there in shown.items() if there} == position


# --- a part of a game ---------------------------------------------------------------------------------------


def whole(story: Story) -> list[str]:
    return [line for step in story.tracks[0].steps for line in step.lines]


def test_a_part_begins_and_ends_where_it_is_told(game: Game) -> None:
    """From one place to another a page has these steps, beginning with the position that stood there."""
    story, steps = game.story, game.story.tracks[0].steps
    rolls = [roll for step in steps for roll in step.rolls]
    first = next(at for at, step in enumerate(steps) if rolls[len(rolls) // 2] in step.rolls)
    cut = part(story, f"R{rolls[len(rolls) // 2]}", f"r{rolls[-1]}")
    assert [step.serial for step in cut.tracks[0].steps] == [
        step.serial for step in steps[first : _holding(steps, rolls[-1]) + 1]
    ]
    stood: dict[str, object] = {}
    for step in steps[: first + 1]:
        stood |= step.stacks
    assert cut.tracks[0].steps[0].stacks == {hex: there for hex, there in stood.items() if there}
    assert set(cut.dice) == {roll for step in cut.tracks[0].steps for roll in step.rolls}
    assert part(story, "", "") is story


def _holding(steps: list[object], roll: int) -> int:
    return next(at for at, step in enumerate(steps) if roll in step.rolls)  # type: ignore[attr-defined]


@pytest.mark.dear
def test_a_part_of_turns(tmp_path: Path) -> None:
    """T2 is a whole turn, and a place that does not exist is named."""
    story = tell(played(tmp_path / "a.pbem", "rampage"), None)
    two = part(story, "T2", "T2")
    assert {two.chapters[step.chapter].turn for step in two.tracks[0].steps} == {2}
    late = part(story, "T2", "R17") if 17 in two.dice else part(story, "T1", "R17")
    assert 17 in late.dice and 17 in late.tracks[0].steps[-1].rolls
    for start, end, why in (
        ("T9", "", "T9"),
        ("R9999", "", "R9999"),
        ("17", "", "neither"),
        ("T2", "T1", "after"),
    ):
        with pytest.raises(ValueError, match=why):
            part(story, start, end)
    steps = list(story.tracks[0].steps)
    begins = next(at for at, step in enumerate(steps) if story.chapters[step.chapter].turn == 2)
    steps.insert(begins, replace(steps[begins], serial=-1, ruling=1, stacks={}))
    ruled = part(replace(story, tracks=[Track("umpire", steps)]), "T2")
    assert [step.serial for step in ruled.tracks[0].steps] == [step.serial for step in steps[begins:]]
    page, _ = replay_page(played(tmp_path / "b.pbem", "rampage"), None, start="T2", end="T2")
    assert 'id="t2"' in page and 'id="t1"' not in page and 'id="t3"' not in page


# --- the page as a document ---------------------------------------------------------------------------------


class Document(HTMLParser):
    """The identifiers and the addresses of a page, its tags, and its text without scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids = Counter[str]()
        self.addresses: list[str] = []
        self.handlers: list[str] = []
        self.scripts: list[str] = []
        self.policy = ""
        self.text: list[str] = []
        self.here: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.here.append(tag)
        told = {name: value or "" for name, value in attrs}
        if "id" in told:
            self.ids[told["id"]] += 1
        for name in ("src", "href", "xlink:href", "srcset", "action", "data", "poster"):
            if name in told:
                self.addresses.append(told[name])
        self.handlers += [name for name in told if name.startswith("on")]
        if told.get("http-equiv") == "Content-Security-Policy":
            self.policy = told["content"]

    def handle_endtag(self, tag: str) -> None:
        while self.here and self.here.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self.here[-1:] == ["script"]:
            self.scripts.append(data)
        else:
            self.text.append(data)


def test_the_log_can_be_read_without_the_script(game: Game) -> None:
    """Every line of the umpire's log stands in the page, in its order, and every order that was written."""
    read = unescape("\n".join(Document(game.page).text))
    at = 0
    for page in pages(game.store, None):
        for line in page.log:
            at = read.find(line.strip(), at)
            assert at >= 0, (page.title, line)
    for chapter in game.story.chapters:
        for order in chapter.orders:
            assert order.text in read
    assert whole(game.story)


def test_addresses_are_unique_and_lead_somewhere(game: Game) -> None:
    """No identifier is there twice, each step has one, and every address within the page exists."""
    document = Document(game.page)
    assert [name for name, times in document.ids.items() if times > 1] == []
    assert set(game.data["ids"]) <= set(document.ids) and len(game.data["ids"]) == len(game.data["steps"])
    assert {each[1:] for each in document.addresses} <= set(document.ids)


def test_nothing_is_asked_for_from_outside(game: Game) -> None:
    """Every address is one within the page; the policy allows nothing else, and fits the two scripts."""
    document = Document(game.page)
    assert [each for each in document.addresses if not each.startswith("#")] == []
    assert document.handlers == []
    style = "".join(re.findall(r"<style>(.*?)</style>", game.page, re.DOTALL))
    assert not re.search(r"@import|url\((?!#)", style)
    assert not re.search(r"https?:", re.sub(r"http://www\.w3\.org/\d+/\w+", "", game.page))
    assert document.policy.startswith("default-src 'none';")
    boot, _, script = document.scripts
    assert document.policy.endswith(f"script-src {_hash(boot)} {_hash(script)}")


def _hash(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


@pytest.mark.parametrize(("sides", "listed"), [(6, 6), (40, 40), (41, 0)])
def test_the_chances_of_a_die_are_listed_if_they_are_few(sides: int, listed: int) -> None:
    die = die_of(
        Roll(1, 1, "t1.clash", f"3.1|d{sides}|clash|1", (3,), (), 1),
        Thrown(case="3.1", what="", sides=sides),
        (),
    )
    assert len(die.chances) == listed and die.fell == ("3" if listed else "")


def test_names_and_salts_stay_text(box: Postbox) -> None:
    """A player whose name ends the script and begins another, and a salt that is a picture, are shown as they
    were written."""
    page, story = replay_page(box.store, None)
    document = Document(page)
    assert len(document.scripts) == 3 and document.handlers == [] and "img" not in page.split("<img")[1:]
    assert NAME in "".join(document.text) and SALT in "".join(document.text)
    assert [player.name for player in story.players if player.seat == "red"] == [NAME]
    assert "alert(1)" not in "".join(document.scripts[2:])


# --- verified -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(box: Postbox, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All letters of a finished game, and its page beside them."""
    made = tmp_path_factory.mktemp("letters")
    for row in box.outbox():
        (made / f"{row.key}.eml").write_bytes(row.raw)
    page, _ = replay_page(box.store, None)
    (made / "game.html").write_bytes(page.encode())
    return made


def found(folder: Path) -> Findings:
    try:
        return check_files([folder])
    except ValueError as error:  # of another game
        return Findings(wrong=[str(error)])


def test_a_page_verifies_next_to_letters(box: Postbox, folder: Path) -> None:
    """`pbem dice verify` finds the page right, of all and of a part, of the umpire and of a seat."""
    told = found(folder)
    assert told.ok and not told.unchecked and not told.pending
    page = folder / "game.html"
    kept = page.read_bytes()
    for reader, start in (("red", ""), ("blue", ""), ("umpire", "R2")):
        text, _ = replay_page(box.store, None, reader, start)
        page.write_bytes(text.encode())
        told = found(folder)
        assert told.ok and not told.unchecked, (reader, start, told)
    page.write_bytes(kept)


def places(data: bytes) -> Iterator[int]:
    """A place in each stretch of a page, and as many again among the lines that prove its dice."""
    chance = random.Random(1944)
    start = data.index(b'<pre id="proof"')
    end = data.index(b"</pre>", start)
    wide = len(data) // (CHANGES // 2)
    for at in range(CHANGES // 2):
        yield chance.randrange(at * wide, min(len(data), (at + 1) * wide))
        yield chance.randrange(start, end)


def test_a_byte_changed_in_a_page_is_found(folder: Path, tmp_path: Path) -> None:
    """Bytes are changed in a page, in its log, data, script, picture and proof, and each is found."""
    data = (folder / "game.html").read_bytes()
    chance = random.Random(1945)
    letters = [path for path in folder.iterdir() if path.suffix == ".eml"]
    page = tmp_path / "game.html"
    page.write_bytes(data)
    assert check_files([*letters, page]).ok
    for place in places(data):
        page.write_bytes(one_byte(chance, data, place))
        try:
            told = check_files([*letters, page])
        except ValueError:
            continue
        assert told.wrong or told.unchecked, (place, data[max(0, place - 60) : place + 30])
