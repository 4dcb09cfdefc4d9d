"""Use case: the games of a store as a site of plain pages, to be put on any web server: those that run as
everybody may know them, those that are over with their results, players with ratings, rulings by case.

Nothing of a game that runs is read but who plays, who it is waiting for and until when. Addresses of people
stand nowhere. A page is written only if it has changed, and a game is opened only if its rows have.
"""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from importlib.metadata import version
from itertools import count, groupby
from pathlib import Path
from typing import Any, Literal

import msgspec
from sqlmodel import Session, col, select

from pbem import render
from pbem.engine.game import SYSTEM
from pbem.paths import templates
from pbem.render.luck import COLUMNS, SCALE, Row, panels
from pbem.render.web import drawn
from pbem.service.letters.log import template
from pbem.service.letters.luck import Luck, luck_of
from pbem.service.moderating.ending import UNCOUNTED
from pbem.service.moderating.library import Ruled, as_told, day_of
from pbem.service.play.sections import phase_title
from pbem.service.play.steps import Step
from pbem.service.record.errors import StoreError
from pbem.service.record.reliability import HANDS, KINDS, waits
from pbem.service.record.rows import GameRow, JournalRow, SeatRow
from pbem.service.record.store import Store, is_temporary
from pbem.service.record.table import Table
from pbem.service.tools import queries
from pbem.service.tools.queries import BROKEN
from pbem.service.tools.ratings import Match, Rating, rated

MANIFEST = ".pbem-site.json"
"""What is known of the games as they were when their pages were written, and which files are ours."""

NOTHING_ELSE = "base-uri 'none'; form-action 'none'"

FORMAT = 2
"""Raised when pages come to look otherwise: then all are written anew."""

_BESIDE_NAMES = re.compile(r"[^a-z0-9]+")

Score = Literal["won", "drawn", "lost", ""]


class Chair(msgspec.Struct, frozen=True):
    """A seat of a game: of the decisions that it was waited for, how many came in time. A seat that `changed`
    hands counts for nobody's rating."""

    key: str
    title: str
    side: str
    in_time: int = 0
    asked: int = 0
    changed: bool = False


class Dice(msgspec.Struct, frozen=True):
    """The luck report as a page tells it: the result in sentences, of each side its name, its way in words
    and its panel, the table, and what is to be said of it."""

    said: tuple[str, ...]
    panels: tuple[tuple[str, str, str], ...]
    rows: tuple[Row, ...]
    remarks: tuple[str, ...]

    @property
    def tables(self) -> list[tuple[str, list[Row]]]:
        """The rows by what their dice are grouped by."""
        return [(by, list(rows)) for by, rows in groupby(self.rows, lambda row: row.by)]


class Told(msgspec.Struct, frozen=True):
    """What the pages tell of a game. `winner` is a side, `ended` and `result` are empty while it runs; `mark`
    says of which rows it was read."""

    id: str
    mark: str
    title: str
    scenario: str
    options: tuple[str, ...]
    status: str
    turn: int
    begun: str
    chairs: tuple[Chair, ...]
    where: str = ""
    waiting: tuple[str, ...] = ()
    due: str = ""
    ended: str = ""
    result: str = ""
    winner: str = ""
    figures: tuple[tuple[str, str, str], ...] = ()
    rulings: tuple[Ruled, ...] = ()
    dice: Dice | None = None
    replay: bool = False
    map: bool = False
    counted: bool = True
    """Whether its end is a result for anybody."""

    @property
    def over(self) -> bool:
        return self.status == "over"

    def score(self, side: str) -> Score:
        """What a side has come to."""
        if not self.over or not self.result or not self.counted:
            return ""
        return "drawn" if not self.winner else "won" if self.winner == side else "lost"


class Left(msgspec.Struct):
    """What can be read of the MANIFEST of any version."""

    format: str
    files: list[str]


class Manifest(msgspec.Struct):
    """See MANIFEST."""

    format: str
    games: list[Told]
    files: list[str]


@dataclass(slots=True)
class Person:
    """Somebody who plays here, or a bot: the name of the page, that of the person, and the games with the
    chair in each."""

    page: str
    name: str
    games: list[tuple[Told, Chair]] = field(default_factory=list)
    rating: Rating | None = None

    def tally(self, score: Score) -> int:
        return sum(told.score(chair.side) == score for told, chair in self.games)

    @property
    def in_time(self) -> str:
        """The share of decisions that came in time; "" if none was waited for."""
        asked = sum(chair.asked for _, chair in self.games)
        return f"{100 * sum(chair.in_time for _, chair in self.games) / asked:.0f}%" if asked else ""


@dataclass(frozen=True, slots=True)
class Written:
    """What a run has done: pages in all, those that were written, those that were removed, games read."""

    pages: int
    written: int
    removed: int
    read: int

    def lines(self) -> list[str]:
        return [f"{self.pages} files: {self.written} written, {self.removed} removed; {self.read} games read"]


def write_site(
    store: Store,
    folder: Path,
    title: str,
    *,
    replays: bool = True,
    done: Callable[[int, int], None] = lambda *_: None,
) -> Written:
    """Write the site of a store into a folder, or bring it up to date; `done` hears how many of how many
    games have been looked at. Raise StoreError for a folder that holds anything else."""
    known = _manifest(folder)
    before = {told.id: told for told in known.games}
    site = _Site(folder, title)
    with store.transaction() as session:
        rows = session.exec(select(GameRow).order_by(col(GameRow.id))).all()
        marks = {row.id: _mark(session, row, replays) for row in rows}
        people = {
            (seat.game, seat.key): _who(seat) for seat in session.exec(select(SeatRow)) if seat.bot != SYSTEM
        }
    told: list[Told] = []
    read = 0
    for number, (name, mark) in enumerate(marks.items(), 1):
        was = before.get(name)
        if was is None or was.mark != mark or was.status == BROKEN or not site.has(was):
            was = _read(store, name, mark, site, replays)
            read += 1
        site.keep(was)
        told.append(was)
        done(number, len(marks))
    site.write(told, people)
    gone = site.remove(known.files)
    _write(folder / MANIFEST, msgspec.json.encode(Manifest(_format(), told, sorted(site.files))))
    return Written(len(site.files), site.written, gone, read)


def _format() -> str:
    return f"{FORMAT} {version('pbem')}"


def _manifest(folder: Path) -> Manifest:
    """What an earlier run has left; nothing of it counts if pages look otherwise now."""
    path = folder / MANIFEST
    if not path.exists():
        if folder.exists() and any(folder.iterdir()):
            raise StoreError(f"{folder} holds files that pbem site has not written: name an empty folder")
        return Manifest(_format(), [], [])
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Left)
        if found.format != _format():
            return Manifest(_format(), [], found.files)
        return msgspec.json.decode(path.read_bytes(), type=Manifest)
    except msgspec.DecodeError as error:
        raise StoreError(f"{path} is damaged: remove {folder} and begin anew ({error})") from error


# --- reading ------------------------------------------------------------------------------------------------


def _mark(session: Session, row: GameRow, replays: bool) -> str:
    """A digest of the rows of a game: it changes with anything that its page could tell. Secrets are among
    them, so that nothing can be found out from it."""
    head = select(JournalRow.hash).where(JournalRow.game == row.id).order_by(col(JournalRow.number).desc())
    seats = session.exec(select(SeatRow).where(SeatRow.game == row.id).order_by(col(SeatRow.key)))
    parts = [row.digests, *(seat.digests for seat in seats), session.exec(head.limit(1)).first(), replays]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _who(seat: SeatRow) -> tuple[str, str]:
    """Who plays a seat: what tells people apart, and the name."""
    if seat.bot:
        return f"bot {seat.bot}", f"{seat.bot} bot"
    return seat.address or f"{seat.game} {seat.key}", seat.name


def _read(store: Store, name: str, mark: str, site: _Site, replays: bool) -> Told:
    """What the page of a game tells, with the files that belong to it. A game that cannot be opened has a
    page that says so."""
    try:
        with queries.table_of(store, name) as (table, here):
            told = _told(table, here, mark)
            luck = luck_of(table, here) if told.over else None
        return _with_files(store, told, luck, site, replays) if luck is not None else told
    except Exception as error:
        if isinstance(error, OSError) or is_temporary(error):  # of the folder, or of the store as a whole
            raise
        return Told(name, mark, name, "", (), BROKEN, 0, "", ())


def _told(table: Table, here: Step, mark: str) -> Told:
    row, game = table.row, table.game
    over = row.status == "over"
    waited = {} if over else table.waited_for(here)
    due = None if over else table.deadline(here)
    rows = table.record.rows(1, *KINDS) if over else []
    result, ending = here.result(game) if over else None, table.record.ending
    chairs = tuple(_chair(table, key, rows) for key, seat in table.seats.items() if seat.bot != SYSTEM)
    return Told(
        row.id, mark, game.title, game.scenarios[row.scenario].title,
        tuple(f"{key.replace('_', ' ')}: {value}" for key, value in row.options.items()),
        row.status, here.turn, day_of(row.created), chairs,
        where="" if over else phase_title(game, here.label),
        waiting=tuple(game.seat(key).title for key in waited),
        due=due.astimezone(UTC).strftime("%-d %B %Y, %H:%M UTC") if due else "",
        ended=day_of(rows[-1].at) if over else "",
        result=result.level if result else "",
        winner=(result.winner or "") if result else "",
        figures=tuple(result.figures) if result else (),
        rulings=tuple(as_told(row.game, each) for each in table.record.rulings) if over else (),
        counted=ending is None or ending.answer["how"] not in UNCOUNTED,
    )  # fmt: skip


def _chair(table: Table, key: str, rows: Sequence[JournalRow]) -> Chair:
    """A seat with the decisions that the game has waited for, and how many of them its own letter brought. Of
    a game that runs they are not told: standing orders, which nobody is waited for, are secret."""
    mine = [seats[key] for _, seats in waits(rows) if key in seats]
    changed = any(row.kind == "host" and row.asked in HANDS and row.answer.get("seat") == key for row in rows)
    seat = table.game.seat(key)
    return Chair(key, seat.title, seat.side, sum(mine), len(mine), changed)


def _with_files(store: Store, told: Told, luck: Luck, site: _Site, replays: bool) -> Told:
    """What a game that is over has besides: the map, the dice and the replay."""
    place = f"games/{told.id}"
    site.put(f"{place}/map.png", render.png(queries.board_of(store, told.id)))
    if replays:
        page, _ = queries.replay_page(store, told.id, diaries=False)  # those are for who took part
        site.put(f"{place}/replay.html", page.encode())
    return msgspec.structs.replace(told, dice=_dice(luck), map=True, replay=replays)


def _dice(luck: Luck) -> Dice:
    """The luck report of a game; its panels name their colours as CSS variables."""
    report = luck.on_page()
    ways = tuple(
        (course.name, course.told(), panel)
        for course, panel in panels(report.courses, drawn.VARIABLES, drawn.colour_of)
    )
    return Dice(report.said, ways, report.rows, report.remarks)


# --- writing ------------------------------------------------------------------------------------------------


def _write(path: Path, data: bytes) -> bool:
    """Write a file unless it is as it should be already; whether it was written."""
    if path.is_file() and path.read_bytes() == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return True


@dataclass(slots=True)
class _Site:
    """The folder while it is written: the files that belong into it."""

    folder: Path
    title: str
    files: set[str] = field(default_factory=set)
    written: int = 0

    def put(self, name: str, data: bytes) -> None:
        self.files.add(name)
        self.written += _write(self.folder / name, data)

    def has(self, told: Told) -> bool:
        """Whether the files of a game that is over are still there."""
        return all((self.folder / name).is_file() for name in _files(told))

    def keep(self, told: Told) -> None:
        """The files of a game stay."""
        self.files.update(_files(told))

    def remove(self, files: Iterable[str]) -> int:
        """Remove what an earlier run has written and this one has not."""
        gone = [self.folder / name for name in files if name not in self.files]
        for path in gone:
            path.unlink(missing_ok=True)
            if path.parent != self.folder and path.parent.is_dir() and not any(path.parent.iterdir()):
                path.parent.rmdir()
        return len(gone)

    def write(self, games: Sequence[Told], who: Mapping[tuple[str, str], tuple[str, str]]) -> None:
        """Write all pages."""
        people = _people(games, who)
        at = {(told.id, chair.key): person for person in people for told, chair in person.games}
        running = [told for told in games if not told.over]
        over = sorted(
            (told for told in games if told.over), key=lambda told: (told.ended, told.id), reverse=True
        )
        rulings = _by_case(over)
        self._page("index.html", "games", running=running, over=over, at=at)
        self._page("players.html", "players", people=people)
        self._page("rulings.html", "rulings", rulings=rulings)
        for told in games:
            self._page(f"games/{told.id}/index.html", "game", told=told, at=at)
        for person in people:
            self._page(f"players/{person.page}.html", "player", person=person, at=at)

    def _page(self, name: str, kind: str, **told: Any) -> None:
        style = (templates() / "site" / "site.css").read_text(encoding="utf-8")
        if kind == "game":
            style += f":root{{{drawn.light()}}}@media(prefers-color-scheme:dark){{:root{{{drawn.dark()}}}}}"
        digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
        policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src 'self' data:; {NOTHING_ELSE}"
        up = "../" * name.count("/")
        page = template(f"site/{kind}.html.j2").render(
            site=self.title, style=style, policy=policy, up=up, kind=kind,
            columns=COLUMNS, scale=SCALE, **told,
        )  # fmt: skip
        self.put(name, page.encode())


def _files(told: Told) -> Iterator[str]:
    """The files of a game that only opening it can make."""
    if told.map:
        yield f"games/{told.id}/map.png"
    if told.replay:
        yield f"games/{told.id}/replay.html"


def _people(games: Sequence[Told], who: Mapping[tuple[str, str], tuple[str, str]]) -> list[Person]:
    """The players, the strongest first, then those without a rating by name."""
    known: dict[str, Person] = {}
    taken: set[str] = set()
    for told in sorted(games, key=lambda each: (each.begun, each.id)):
        for chair in told.chairs:
            if (told.id, chair.key) not in who:
                continue
            key, name = who[told.id, chair.key]
            if key not in known:
                known[key] = Person(_free(name, taken), name or "a player without a name")
            known[key].games.append((told, chair))
    ratings = rated(_matches(games, who))
    for key, person in known.items():
        person.rating = ratings.get(key)
    return sorted(known.values(), key=lambda each: (-(each.rating or Rating(0)).value, each.name.casefold()))


def _free(name: str, taken: set[str]) -> str:
    """The name of a person's page, which nobody else has."""
    slug = _BESIDE_NAMES.sub("-", name.casefold()).strip("-")[:40] or "player"
    page = next(each for n in count(1) if (each := slug if n == 1 else f"{slug}-{n}") not in taken)
    taken.add(page)
    return page


def _matches(games: Sequence[Told], who: Mapping[tuple[str, str], tuple[str, str]]) -> Iterator[Match]:
    """The games that count for ratings: over, between two who have held their seats from the beginning."""
    for told in sorted(games, key=lambda each: (each.ended, each.id)):
        sides = {chair.side for chair in told.chairs}
        two = [who[told.id, chair.key][0] for chair in told.chairs if (told.id, chair.key) in who]
        fair = not any(chair.changed for chair in told.chairs)
        if (
            told.over
            and told.result
            and told.counted
            and len(two) == len(sides) == len(told.chairs) == 2
            and fair
            and two[0] != two[1]
        ):
            score = {"won": 1.0, "drawn": 0.5, "lost": 0.0}[told.score(told.chairs[0].side) or "drawn"]
            yield Match(two[0], two[1], score)


def _by_case(games: Sequence[Told]) -> dict[str, dict[str, list[tuple[Told, Ruled]]]]:
    """The rulings of games that are over, by the title of the game and by case."""
    found: dict[str, dict[str, list[tuple[Told, Ruled]]]] = {}
    for told in sorted(games, key=lambda each: (each.title, each.ended, each.id)):
        for ruled in told.rulings:
            case = f"{ruled.case} {ruled.title}".strip() or "without a case"
            found.setdefault(told.title, {}).setdefault(case, []).append((told, ruled))
    return {title: dict(sorted(cases.items(), key=_in_order)) for title, cases in found.items()}


def _in_order(case: tuple[str, Any]) -> list[tuple[int, str]]:
    """The order of cases: 9.2 comes before 10.1."""
    number = case[0].partition(" ")[0]
    return [(int(part) if part.isdecimal() else 999, part) for part in number.split(".")]
