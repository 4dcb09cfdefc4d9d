"""The site of a store: what stands on its pages, that it stays up to date at little cost, and that nothing
of a running game and no address stands there."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest
from conftest import HOUR, NOW, begin
from postbox import Postbox

from pbem.engine.game import game
from pbem.service.intake.submit import submit
from pbem.service.moderating.rulings.ruling import rule
from pbem.service.moderating.seats import hand_to_bot
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.play.steps import Step
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import GameRow
from pbem.service.record.store import Store
from pbem.service.record.table import Table
from pbem.service.tools import queries, site
from pbem.service.tools.site import MANIFEST, Told, write_site
from pbem.testing.post import SETTINGS

HOSTILE = 'Bernd <img src=x onerror="1"> & Söhne'


def club(folder: Path) -> Store:
    """Two games that run and two that are over, of people and bots."""
    store = Store.create(folder / "club.pbem")
    begin(store, "running")
    begin(store, "hostile", blue=Player(HOSTILE, "bernd@mail.example"))
    for name, blue in (("over", "random"), ("over-too", "greedy")):
        seats = {"red": Player("Rita", "rita@mail.example", bot="greedy"), "blue": Player(bot=blue)}
        start(store, NewGame("clash", name, players=seats, settings=dict(SETTINGS), seed=name), NOW)
    return store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return club(tmp_path)


class Links(HTMLParser):
    """The addresses in a page, and its elements."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: list[str] = []
        self.ids: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        told = dict(attrs)
        self.attributes |= told.keys()
        self.ids |= {told["id"]} if told.get("id") else set()
        self.found += [value for name in ("href", "src") if (value := told.get(name))]


def pages(folder: Path) -> dict[str, str]:
    """The pages of a site but for replays, which are pages of their own kind."""
    files = (path for path in folder.rglob("*.html") if path.name != "replay.html")
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in files}


def test_every_link_leads_somewhere_and_no_page_has_a_script(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    write_site(store, folder, "The Club")
    for name, page in pages(folder).items():
        read = Links(page)
        assert "script" not in read.tags and not any(each.startswith("on") for each in read.attributes)
        assert "default-src &#39;none&#39;" in page
        for link in read.found:
            path, _, place = link.partition("#")
            target = (folder / name).parent / path
            assert link == "data:," or target.is_file(), (name, link)
            assert not place or place in Links(target.read_text(encoding="utf-8")).ids


def test_what_stands_on_the_pages(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    write_site(store, folder, "The <Club>")
    page = pages(folder)
    assert "The &lt;Club&gt;" in page["index.html"]
    running = page["games/running/index.html"]
    assert "Red, until 9 June 2026" in running
    assert "Rita" in running and "replay.html" not in running
    over = page["games/over/index.html"]
    assert "replay.html" in over and "map.png" in over and "Score" in over
    assert (folder / "games/over/replay.html").stat().st_size > 10_000
    assert "Bernd &lt;img src=x" in page["games/hostile/index.html"]
    players = page["players.html"]
    assert "random bot" in players and "greedy bot" in players
    assert "None so far." in page["rulings.html"]


def test_no_address_and_no_secret(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    write_site(store, folder, "The Club")
    for path in folder.rglob("*"):
        if path.is_file() and path.name != "replay.html":
            assert b"mail.example" not in path.read_bytes(), path


def test_only_what_has_changed_is_read_and_written(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "site"
    first = write_site(store, folder, "The Club")
    assert first.read == 4 and first.written == first.pages
    again = write_site(store, folder, "The Club")
    assert (again.read, again.written, again.removed) == (0, 0, 0)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    submit(store, "running", "red", "move R1 to 0201\ndone\n", NOW + HOUR)
    moved = write_site(store, folder, "The Club")
    assert moved.read == 1
    changed = [path for path, data in before.items() if path.read_bytes() != data]
    assert {path.relative_to(folder).as_posix() for path in changed} == {
        "index.html",
        "games/running/index.html",
        MANIFEST,
    }
    renamed = write_site(store, folder, "Another Club")
    assert renamed.read == 0 and renamed.written == len(pages(folder))
    monkeypatch.setattr(site, "FORMAT", 99)
    assert write_site(store, folder, "Another Club").read == 4


def test_what_is_gone_from_the_store_goes_from_the_site(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    write_site(store, folder, "The Club")
    other = Store.create(tmp_path / "other.pbem")
    begin(other, "running")
    done = write_site(other, folder, "The Club")
    assert done.removed > 0 and {path.name for path in (folder / "games").iterdir()} == {"running"}
    assert not (folder / "players/random-bot.html").exists()


def test_a_site_of_another_version_is_written_anew(store: Store, tmp_path: Path) -> None:
    """What it tells of its games need not be readable any more; the files that are gone are removed."""
    folder = tmp_path / "site"
    write_site(store, folder, "The Club")
    manifest = msgspec.json.decode((folder / MANIFEST).read_bytes())
    manifest |= {"format": "1 0.1", "games": [{"luck": 1}], "files": [*manifest["files"], "dice.png"]}
    (folder / MANIFEST).write_bytes(msgspec.json.encode(manifest))
    (folder / "dice.png").write_bytes(b"")
    done = write_site(store, folder, "The Club")
    assert done.read == 4 and done.removed == 1 and not (folder / "dice.png").exists()


def test_nothing_else_is_touched(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "diary.txt").write_text("dear diary")
    with pytest.raises(StoreError, match="holds files that pbem site has not written"):
        write_site(store, folder, "The Club")
    assert [path.name for path in folder.iterdir()] == ["diary.txt"]
    (folder / "diary.txt").unlink()
    write_site(store, folder, "The Club")
    (folder / "diary.txt").write_text("dear diary")
    write_site(store, folder, "The Club")
    assert (folder / "diary.txt").exists()
    (folder / MANIFEST).write_text("{")
    with pytest.raises(StoreError, match="is damaged"):
        write_site(store, folder, "The Club")


def test_a_game_that_cannot_be_opened_spoils_no_other(store: Store, tmp_path: Path) -> None:
    """Its page says so, until it can be opened again."""
    folder = tmp_path / "site"
    with store.transaction() as session:
        session.get_one(GameRow, "over").game = "gone"

    def damaged(table: Table, here: Step, mark: str) -> Told:
        if table.row.id == "running":
            raise StoreError("a snapshot is damaged")
        return told(table, here, mark)

    told = site._told
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(site, "_told", damaged)
        assert write_site(store, folder, "The Club").read == 4
    for name in ("over", "running"):
        assert "cannot be opened at present" in pages(folder)[f"games/{name}/index.html"]
    assert "replay.html" in pages(folder)["games/over-too/index.html"]
    known = game("clash")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.service.record.table.game", lambda key: known)
        assert write_site(store, folder, "The Club").read == 2
    assert "cannot be opened" not in pages(folder)["games/over/index.html"]


def test_a_replay_that_was_removed_is_made_again(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    write_site(store, folder, "The Club")
    (folder / "games/over/replay.html").unlink()
    assert write_site(store, folder, "The Club").read == 1
    without = write_site(store, folder, "The Club", replays=False)
    assert without.removed == 2 and not (folder / "games/over/replay.html").exists()


def test_rulings_stand_under_their_cases_once_a_game_is_over(tmp_path: Path) -> None:
    """And not before: they may tell of what is hidden."""
    store = Store.create(tmp_path / "club.pbem")
    begin(store)
    submit(store, None, "red", "move R1 to 0201\nmove R2 to 0103\ndone\n", NOW + HOUR)
    submit(store, None, "blue", "move B1 to 0402\ndone\n", NOW + 2 * HOUR)
    rule(store, None, "uphold", "R1", by="moderator", why="it lay flat", now=NOW + 3 * HOUR)
    folder = tmp_path / "site"
    write_site(store, folder, "The Club")
    assert "it lay flat" not in pages(folder)["rulings.html"]
    hand_to_bot(store, "toy", "red", "greedy", NOW)
    hand_to_bot(store, "toy", "blue", "greedy", NOW)
    box = Postbox(store, "toy")
    assert box.row().status == "over"
    write_site(store, folder, "The Club")
    page = " ".join(pages(folder)["rulings.html"].split())
    assert "Reason: it lay flat." in page and "game toy, R1" in page


def test_two_runs_that_differ_in_what_is_hidden(tmp_path: Path) -> None:
    """Drafts, standing orders, answers ahead, a password and press of a running game change no byte."""
    found = []
    for hidden in (False, True):
        folder = tmp_path / str(hidden)
        folder.mkdir()
        store = Store.create(folder / "club.pbem")
        seats = {
            "allied": Player("Anna", "anna@mail.example"),
            "german": Player("Bert", "bert@mail.example", password="sesame" if hidden else ""),
        }
        new = NewGame("normandy44", "utah", "cherbourg", players=seats, settings=dict(SETTINGS), seed="1")
        start(store, new, NOW)
        if hidden:
            box = Postbox(store, "utah", now=NOW + HOUR)
            assert box.mail("german", "try\nhelp\n").outcome in ("accepted", "explained")
            box.mail("german", "press allied: nice weather\n")
            box.mail("allied", "press german: indeed\nstatus\n")
        write_site(store, folder / "site", "The Club")
        files = [path for path in (folder / "site").rglob("*") if path.is_file() and path.name != MANIFEST]
        found.append({path.relative_to(folder): path.read_bytes() for path in files})
    assert found[0] == found[1]


def test_hidden_things_that_differ_change_no_byte(tmp_path: Path) -> None:
    """Where the prize of a running game lies, and what its sides have ordered ahead, stands on no page."""
    found: dict[str, dict[Path, bytes]] = {}
    for seed in "abcd":
        folder = tmp_path / seed
        folder.mkdir()
        store = Store.create(folder / "club.pbem")
        begin(store, seed=seed)
        box = Postbox(store, "toy", now=NOW + HOUR)
        box.mail("red", f"move R1 to {'0201' if seed < 'c' else '0102'}\n")
        prize = queries.view_of(store, "toy").prize  # type: ignore[attr-defined]
        write_site(store, folder / "site", "The Club")
        files = [path for path in (folder / "site").rglob("*") if path.is_file() and path.name != MANIFEST]
        found[prize + seed] = {path.relative_to(folder): path.read_bytes() for path in files}
    assert len({key[:4] for key in found}) > 1
    first, *others = found.values()
    assert all(each == first for each in others)
