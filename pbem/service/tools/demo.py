"""Use case: an example game from its recorded letters, through everything that a real game goes through, with
letters, maps and a log left in a folder to look at.

``examples/<name>/game.toml`` names the game and its players and fixes the dice. The letters in the folder
``in`` beside it are received in the order of their names, each at the time of its own Date. Then bots finish
the game, and every seat gets a letter each turn.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError, field_validator
from sqlmodel import col, select

from pbem.engine.data import Data
from pbem.engine.errors import DataError
from pbem.engine.game import SYSTEM, GameState, game
from pbem.engine.play import Dice
from pbem.engine.wording import count
from pbem.mail.letter import parse
from pbem.mail.transport import FolderTransport, Outgoing, Sent
from pbem.paths import examples
from pbem.service.intake.outbox import send_pending
from pbem.service.intake.receive import Received, receive
from pbem.service.letters.ordering import Sitting, page_of, sitting_of
from pbem.service.letters.reports import tell
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.play.sections import phase_title
from pbem.service.record.rows import LetterRow
from pbem.service.record.store import Store, locked_game
from pbem.service.record.table import Table
from pbem.service.record.turn_dice import TurnDice
from pbem.service.tools import queries
from pbem.service.tools.showcase import Showcase, letter_pages

BEGUN = datetime(2026, 6, 6, 18, 0, tzinfo=UTC)
PAUSE = timedelta(hours=6)


class ExamplePlayer(Data):
    """Who plays a seat in an example, and which bot finishes the game for it."""

    name: str = ""
    address: str
    zone: str = "UTC"
    finish: Literal["random", "greedy"] = "greedy"


class ExampleGame(Data):
    """The game of an example. `start` is when it is begun, with a time zone; `settings` are the host's,
    `address` among them. `sample` names one of its letters that the order reference of the game shows."""

    game: str
    id: str = "demo"
    scenario: str | None = None
    seed: str = "demo"
    start: datetime = BEGUN
    sample: str = ""
    options: dict[str, str] = Field(default_factory=dict)
    settings: dict[str, Any] = Field(default_factory=dict)

    @field_validator("start")
    @classmethod
    def _with_zone(cls, value: datetime) -> datetime:
        if value.tzinfo is None:
            raise ValueError("needs a time zone, such as 2026-06-06T18:00:00Z")
        return value

    @property
    def address(self) -> str:
        return str(self.settings.get("address", "pbem@example.org"))


class Example(Data):
    """An example: ``game.toml``."""

    game: ExampleGame
    players: dict[str, ExamplePlayer] = Field(default_factory=dict)

    def new(self) -> NewGame:
        """The game to start."""
        chosen = self.game
        players = {seat: Player(each.name, each.address, each.zone) for seat, each in self.players.items()}
        settings = {"address": chosen.address} | chosen.settings
        return NewGame(
            chosen.game, chosen.id, chosen.scenario, chosen.options, players, settings, chosen.seed
        )


@dataclass(slots=True)
class Demo:
    """What a demonstration has left: the folder, what became of each recorded letter, the result."""

    folder: Path
    received: list[tuple[str, Received]] = field(default_factory=list)
    letters: dict[str, int] = field(default_factory=dict)
    turns: tuple[int, ...] = ()
    """The turns at whose ends a map was drawn."""
    desk: str = ""
    """The name of the page with an order desk; "" if nobody was asked for orders."""
    moment: str = ""
    """When in the game that page is."""
    result: str = ""
    title: str = ""
    played: str = "The bots played it."
    """Who played it, as a sentence."""
    first: str = ""
    """The page of the letter to open first; "" if there is none."""

    def letters_in(self) -> list[str]:
        """Return what became of each recorded letter."""
        return [f"{name}: {got.outcome} ({got.why})" for name, got in self.received]

    def lines(self, pbem: str = "pbem") -> list[str]:
        """Return how the game has ended, and what there is to look at; `pbem` is how it is called."""
        lines = [f"The game has ended: {self.result}" if self.result else "The game has not ended."]
        lines += ["", "Open in a browser:", f"  {self.folder / 'index.html'}   leads to all that follows"]
        if self.first:
            lines.append(f"  {self.folder / self.first}   a letter")
        if self.turns:
            lines.append(f"  {self.folder / 'maps' / f'turn-{self.turns[-1]}.png'}   the map at the end")
        lines += ["", f"Files in {self.folder}:"]
        for who, letters in self.letters.items():
            lines.append(f"  letters/{who}/   {count(letters, 'letter')} to {who} (any mail program)")
        maps = count(len(self.turns), "map")
        lines.append(f"  maps/   {maps}, one for the end of each turn, full view (any image viewer)")
        lines.append("  pages/   the letters as pages, with their pictures (any browser)")
        lines.append("  log.txt   what happened, with every roll")
        lines.append("  game.html   the whole game, step by step on its map (any browser)")
        if self.desk:
            lines.append(f"  {self.desk}   orders written on a map: {self.moment} (any browser)")
        lines.append("  game.pbem   the game itself:")
        lines.append(f"    {pbem} replay {self.folder / 'game.pbem'}")
        lines += [f"    {pbem} dice verify {self.folder / 'letters' / who}" for who in list(self.letters)[:1]]
        return lines


def demo(folder: Path, key: str = "normandy71", say: Callable[[str], None] = lambda line: None) -> Demo:
    """Play an example, by its name or that of its game, into `folder`; `say` gets a line on each step.

    Raise DataError for a folder that holds a game already and for an example that cannot be read, KeyError
    for an unknown game.
    """
    example, letters = read(key)
    done = Demo(folder)
    store = new_store(folder)
    try:
        start(store, example.new(), example.game.start)
        now = example.game.start
        sitting: Sitting | None = None  # before the letter with the most orders
        most = 1
        for path in letters:
            raw = path.read_bytes()
            now = max(now, parse(raw).date or now + PAUSE)
            sittings = _sittings(store, example.game.id)
            got = receive(store, raw, now)
            done.received.append((path.name, got))
            done.played = "People wrote the first letters; bots played on to the end."
            if got.seat in sittings and (weight := _weight(store)) >= most:
                sitting, most = sittings[got.seat], weight
            say(done.letters_in()[-1])
        sitting = sitting or next(iter(_sittings(store, example.game.id).values()), None)
        _finish(store, example, now, say)
        say("Writing letters, maps, log and pages")
        write(store, example, done, now)
        if sitting is not None:
            done.desk = f"orders-{sitting.seat}.html"
            done.moment = phase_title(sitting.game, sitting.here.label)
            (folder / done.desk).write_text(page_of(sitting), encoding="utf-8", newline="\n")
        show(done)
    finally:
        store.close()
    return done


def new_store(folder: Path) -> Store:
    """Make the folder of a demonstration and the game file in it. Raise DataError if it holds one already."""
    if (folder / "game.pbem").exists():
        raise DataError(f"{folder} already holds a demo; choose another folder or delete it")
    (folder / "maps").mkdir(parents=True, exist_ok=True)
    return Store.create(folder / "game.pbem")


def read(name: str) -> tuple[Example, list[Path]]:
    """The example called `name` and its letters; if there is none, a game of that key with made-up players
    and no letters. Raises KeyError for the name of neither, DataError for an example that cannot be read."""
    try:
        folder = examples() / name
    except DataError:
        folder = Path(name)
    path = folder / "game.toml"
    if not path.is_file():
        return _made_up(name), []
    try:
        example = Example.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, tomllib.TOMLDecodeError, ValidationError) as error:
        raise DataError(f"{path}: {error}") from error
    return example, sorted((folder / "in").glob("*.eml"))


def _made_up(key: str) -> Example:
    rules = game(key)
    options = rules.chosen({})
    players = {
        seat.key: ExamplePlayer(name=seat.title, address=f"{seat.key}@example.org")
        for seat in rules.seats_of(options)
        if seat.key not in rules.systems_of(options)
    }
    return Example(game=ExampleGame(game=key), players=players)


class _Paced(TurnDice):
    """The dice of a game, of which none is thrown after turn `until`."""

    until = 0

    def of(self, state: GameState, label: str, phase: int) -> Dice:
        return super().of(state, label, phase) if state.turn <= self.until else lambda request, label: None


def _finish(store: Store, example: Example, now: datetime, say: Callable[[str], None]) -> None:
    """Let bots play the game to its end, with letters to every seat once a turn."""
    over = False
    while not over:
        now += PAUSE
        with store.transaction() as session:
            table = Table(session, locked_game(session, example.game.id), now)
            if table.row.status == "stopped":
                raise DataError(
                    f"the demonstration was stopped: {table.row.trouble.strip().splitlines()[-1]}"
                )
            table.dice = dice = _Paced(table.record, table.game.turns)
            dice.until = table.record.phase().turn
            say(f"Turn {dice.until}: played by bots")
            people = {key: seat for key, seat in table.seats.items() if seat.bot != SYSTEM}
            for key, seat in people.items():
                seat.bot = example.players[key].finish if key in example.players else "greedy"
            steps = table.play_on()
            for seat in people.values():
                seat.bot = ""
                session.add(seat)
            tell(table, steps)
            over = steps[-1].over


def _sittings(store: Store, game_id: str) -> dict[str, Sitting]:
    """What the order desks of the seats need that the game is waiting for, to write orders."""
    with queries.table_of(store, game_id) as (table, here):
        asked = [seat for seat, section in table.waited_for(here).items() if section]
        return {seat: sitting_of(table, here, seat) for seat in asked}


def _weight(store: Store) -> int:
    """How many orders the last letter brought."""
    with store.transaction() as session:
        query = select(LetterRow.orders).order_by(col(LetterRow.id).desc()).limit(1)
        return session.exec(query).first() or 0


def _draw(store: Store, game_id: str, folder: Path) -> tuple[int, ...]:
    """Draw a map of the end of each turn, as the umpire sees it; return the turns."""
    from pbem import render

    boards = {page.turn: page.board for page in queries.pages(store, game_id)}
    for turn, board in boards.items():
        (folder / f"turn-{turn}.png").write_bytes(render.png(board))
    return tuple(boards)


class _Sorted:
    """Puts letters into a folder for each reader."""

    def __init__(self, folder: Path, names: dict[str, str]) -> None:
        self._folder = folder
        self._names = names
        self._ways: dict[str, FolderTransport] = {}

    def send(self, letter: Outgoing) -> Sent:
        name = self._names.get(letter.to, "others")
        return self._ways.setdefault(name, FolderTransport(self._folder / name)).send(letter)

    def close(self) -> None:
        """Do nothing: folders have no connection."""


def send(store: Store, example: Example, folder: Path, now: datetime) -> None:
    """Letters that wait to be sent into the folder, each to those of its reader."""
    names = {player.address.lower(): seat for seat, player in example.players.items()}
    send_pending(store, _Sorted(folder / "letters", names), now, local=True)


def write(store: Store, example: Example, done: Demo, now: datetime) -> None:
    """Letters, maps, log and the page of the game into the folder."""
    send(store, example, done.folder, now)
    for path in sorted((done.folder / "letters").iterdir()):
        done.letters[path.name] = len(list(path.glob("*.eml")))
    done.turns = _draw(store, example.game.id, done.folder / "maps")
    page, _ = queries.replay_page(store, example.game.id)
    (done.folder / "game.html").write_text(page, encoding="utf-8", newline="\n")
    told = queries.status(store, example.game.id)
    lines: list[str] = [*told.lines(), ""]
    for part in queries.log(store, example.game.id):
        lines += [part.title, "-" * len(part.title), *part.lines, ""]
    (done.folder / "log.txt").write_text("\n".join(lines), encoding="utf-8")
    done.result = told.result
    done.title = game(example.game.game).title


def show(done: Demo) -> None:
    """Write the letters as pages, and the page that leads to everything."""
    folder = done.folder
    letters = {
        who: letter_pages(folder, sorted((folder / "letters" / who).glob("*.eml")), folder / "pages" / who)
        for who in done.letters
    }
    maps = tuple(f"maps/turn-{turn}.png" for turn in done.turns)
    show = Showcase(
        title=done.title,
        result=done.result,
        game="game.html",
        log="log.txt",
        maps=maps,
        letters=letters,
        desk=done.desk,
        moment=done.moment,
        played=done.played,
    )
    done.first = show.first.path if show.first else ""
    (folder / "index.html").write_text(show.html(), encoding="utf-8", newline="\n")
