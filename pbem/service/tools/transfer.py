"""Use case: one file with everything of a game, to move it, to keep it or to report an error with it."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    create_model,
)
from sqlmodel import Session, SQLModel, col, select

from pbem.engine.errors import ReplayMismatch
from pbem.engine.game import SYSTEM
from pbem.engine.game import game as rules_of
from pbem.fields import address, faults, zone
from pbem.mail.address import is_address
from pbem.mail.signing import KEY_BYTES
from pbem.service.intake.inbox import SetAside
from pbem.service.letters import diary, mutes
from pbem.service.letters.log import log_of_phases
from pbem.service.moderating.hosting import HostRow
from pbem.service.moderating.rulings.ruling import PositionRow, RulingRow
from pbem.service.moderating.start import TOKEN_BYTES, NewGame, Player, check
from pbem.service.play.lateness import Missed, Played
from pbem.service.play.news import News
from pbem.service.play.plain import read_as
from pbem.service.play.questions import Questions
from pbem.service.play.sheet import KeptStanding, Sheet
from pbem.service.proof.verify import field_faults, phase_faults, seat_faults
from pbem.service.record.clock import Memory, check_days
from pbem.service.record.covered import Covered
from pbem.service.record.dice_rules import NamedRound
from pbem.service.record.errors import StoreError
from pbem.service.record.journal import broken_links, standing_rows
from pbem.service.record.notices import ToldStaff
from pbem.service.record.rows import (
    ROLES,
    GameRow,
    JournalRow,
    LetterRow,
    OutboxRow,
    PhaseRow,
    SeatRow,
    StaffRow,
    unpack,
)
from pbem.service.record.store import Store, is_temporary, only_game
from pbem.service.record.table import Table
from pbem.service.record.terms import replies_to
from pbem.service.record.thoughts import ThoughtRow
from pbem.service.tools import queries

FORMAT = "pbem game"
VERSION = 1
PARTS: dict[str, type[SQLModel]] = {
    "seats": SeatRow,
    "staff": StaffRow,
    "phases": PhaseRow,
    "journal": JournalRow,
    "letters": LetterRow,
    "outbox": OutboxRow,
}
ORDERED = {
    "seats": "key",
    "staff": "key",
    "phases": "number",
    "journal": "number",
    "letters": "id",
    "outbox": "id",
}

LARGEST_FILE = 500_000_000
"""The largest exported game that is read, in bytes."""

SECRET_BYTES = 32
"""How long the secret of a game is."""

LISTED = 5
"""The most faults that are listed."""

DAMAGED = "the exported game is damaged"
NOT_SENT_HERE = "not sent from here: the game was imported"

_KEY = re.compile(r"[A-Za-z0-9._-]{1,400}")


# --- out ----------------------------------------------------------------------------------------------------


def export(store: Store, game_id: str | None = None) -> dict[str, Any]:
    """Return everything of a game as plain JSON values. Raise StoreError for an unknown game.

    This includes its secret, so keep the file as safe as the game itself. Bytes are base64, times ISO 8601.
    """
    with store.transaction() as session:
        row = only_game(session, game_id)
        game = _plain(row) | {"quiet_until": None}
        data: dict[str, Any] = {"format": FORMAT, "version": VERSION, "game": game}
        for name, kind in PARTS.items():
            query = select(kind).where(col(kind.game) == row.id)  # type: ignore[attr-defined]
            data[name] = [_plain(each) for each in session.exec(query.order_by(getattr(kind, ORDERED[name])))]
    return data


def _plain(row: SQLModel) -> dict[str, Any]:
    return {name: _value(getattr(row, name)) for name in type(row).model_fields}


def _value(value: Any) -> Any:
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode("ascii")}
    if isinstance(value, datetime):
        return {"time": value.isoformat()}
    return value


# --- what a file must look like -----------------------------------------------------------------------------


def _bytes(value: Any) -> bytes:
    if not isinstance(value, dict) or set(value) != {"base64"} or not isinstance(value["base64"], str):
        raise ValueError('should be {"base64": "..."}')
    try:
        return base64.b64decode(value["base64"], validate=True)
    except binascii.Error:
        raise ValueError("is not base64") from None


def _time(value: Any) -> datetime:
    if not isinstance(value, dict) or set(value) != {"time"} or not isinstance(value["time"], str):
        raise ValueError('should be {"time": "..."}')
    try:
        return datetime.fromisoformat(value["time"])
    except ValueError:
        raise ValueError("is not a time such as 2026-06-06T07:00:00+00:00") from None


STRICT = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)

Whole = Annotated[int, Field(ge=0, lt=2**31)]
Text = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$")]
Bytes = Annotated[bytes, BeforeValidator(_bytes)]
Time = Annotated[AwareDatetime, BeforeValidator(_time)]

WRITTEN: dict[Any, Any] = {
    str: Text,
    str | None: Text | None,
    int: Whole,
    int | None: Whole | None,
    bytes: Bytes,
    datetime: Time,
    datetime | None: Time | None,
}
"""How the fields of a row are written in a file, within what every database can hold. Others are JSON."""


_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


def storable(value: Any) -> Any:
    """Return a JSON value as it is. Raise ValueError for one that not every database can hold."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("has a character that cannot be stored") from None
    if _NUL.search(text):
        raise ValueError("has a character that cannot be stored")
    return value


def like(kind: Any) -> Callable[[Any], Any]:
    """Return a check that a value is one that pbem reads into a class."""

    def check(value: Any) -> Any:
        read_as(kind, value)
        return value

    return check


def _each_like(kind: Any) -> Callable[[Any], Any]:
    """Return a check that a value is an object whose values are each read into a class."""

    def check(value: Any) -> Any:
        for name, item in read_as(dict[str, Any], value).items():
            try:
                read_as(kind, item)
            except ValueError as error:
                raise ValueError(f"{name}.{error}") from None
        return value

    return check


def _unless_empty(check: Callable[[Any], object]) -> Callable[[Any], Any]:
    """Return a check that lets what is empty through, and returns the value as it is."""

    def checked(value: Any) -> Any:
        if value:
            check(value)
        return value

    return checked


def _settings(value: Any) -> Any:
    """Check the settings of a game, a seat or one of the staff: what a seat keeps in them that is read."""
    kept: dict[str, Any] = {
        diary.KEPT: list[diary.Entry],
        mutes.MUTED: list[list[str]],
        mutes.SILENCED: list[str],
    }
    read_as(dict[str, Any], value)
    for name, kind in kept.items():
        try:
            read_as(kind, value.get(name, []))
        except ValueError as error:
            raise ValueError(f"{name}.{error}") from None
    return value


COLUMNS: dict[str, Callable[[Any], Any]] = {
    "sheet": _unless_empty(Sheet.check),
    "standing": _unless_empty(like(list[KeptStanding])),
    "questions": _unless_empty(like(Questions)),
    "played": _unless_empty(_each_like(Played)),
    "missed": _unless_empty(like(Missed)),
    "news": _unless_empty(like(News)),
    "aside": _unless_empty(like(list[SetAside])),
    "clock": _unless_empty(like(Memory)),
    "away": _unless_empty(check_days),
    "settings": _unless_empty(_settings),
    "told": _unless_empty(like(ToldStaff)),
}
"""JSON column -> the check of its values. Each returns a value as it is, or raises ValueError that says where
it is wrong."""

EVENTS: dict[str, Callable[[Any], Any]] = {
    "ruling": like(RulingRow),
    "position": like(PositionRow),
    "beacon": like(NamedRound),
    "thought": like(ThoughtRow),
    "host": like(HostRow),
}
"""Kind of journal row -> the check of its answer, as in `COLUMNS`."""


@cache
def _file() -> type[BaseModel]:
    """Return the model of an exported game, which has every field of every row."""
    parts: dict[str, Any] = {name: list[_shape(kind)] for name, kind in PARTS.items()}  # type: ignore[misc]
    return create_model("File", __config__=STRICT, format=str, version=int, game=_shape(GameRow), **parts)


def _shape(kind: type[SQLModel]) -> type[BaseModel]:
    fields: dict[str, Any] = {
        name: WRITTEN.get(field.annotation, _json(name, field.annotation))
        for name, field in kind.model_fields.items()
    }
    return create_model(kind.__name__, __config__=STRICT, **fields)


def _json(name: str, annotation: Any) -> Any:
    """Return the type of a JSON column, with the checks of its values."""
    checked = Annotated[annotation, AfterValidator(storable)]
    return Annotated[checked, AfterValidator(COLUMNS[name])] if name in COLUMNS else checked


# --- in -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Exported:
    """The rows of an exported game, checked."""

    game: GameRow
    seats: list[SeatRow]
    staff: list[StaffRow]
    phases: list[PhaseRow]
    journal: list[JournalRow]
    letters: list[LetterRow]
    outbox: list[OutboxRow]

    def rows(self) -> list[Covered]:
        return [
            self.game, *self.seats, *self.staff, *self.phases, *self.journal, *self.letters, *self.outbox,
        ]  # fmt: skip


def load(path: Path) -> Any:
    """Return the JSON of a file. Raise StoreError if it is not JSON, or larger or deeper than any game."""
    if path.stat().st_size > LARGEST_FILE:
        raise StoreError(f"{path} is not an exported game: it is larger than {LARGEST_FILE:,} bytes")
    try:
        text = path.read_text(encoding="utf-8")
        return json.loads(text, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        why = f"its byte {error.start + 1} is no text of UTF-8"
    except json.JSONDecodeError as error:
        why = f"it is no JSON from line {error.lineno}, column {error.colno} on{_near(text[: error.pos])}"
    except RecursionError:
        why = "its values are nested too deeply"
    except ValueError as error:
        why = str(error)
    raise StoreError(f"{path} is not an exported game: {why}")


def _near(text: str) -> str:
    """Say in which row and field an exported game breaks off, as far as its text goes."""
    parts = list(re.finditer(rf'"({"|".join(["game", *PARTS])})": [\[{{]', text))
    names = re.findall(r'"(\w+)": ', text)
    if not parts:
        return ""
    part = parts[-1]
    row = text.count('{"digests": ', part.end() - 1)
    return f" ({part[1]}{f' row {row}' if part[1] != 'game' else ''}, at or after {names[-1]})"


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is not a number of JSON")


def read(data: Any) -> Exported:
    """Return the rows of an exported game. Raise StoreError naming what is wrong with them.

    They are checked as a new game is, and for whether they fit together.
    """
    try:
        exported = _rows(data)
        if wrong := list(islice(field_faults(exported.rows()), LISTED)):
            raise StoreError(f"{DAMAGED}: {'; '.join(wrong)}")
        exported.game.settings = check(_as_new(exported))
        for stage in (_game_faults, _row_faults, _journal_faults, _phase_faults):
            if wrong := list(islice(stage(exported), LISTED)):
                raise StoreError(f"{DAMAGED}: {'; '.join(wrong)}")
    except RecursionError as error:
        raise StoreError(f"{DAMAGED}: its values are nested too deeply") from error
    except (KeyError, ValueError, ReplayMismatch) as error:
        raise StoreError(f"{DAMAGED}: {str(error.args[0]).splitlines()[0]}") from error
    return exported


def import_(store: Store, data: Any, *, send_pending: bool = False) -> str:
    """Take in an exported game, as JSON or as `read` gives it, and return its id.

    Letters that were not sent are kept as if they had been, since the other host may still send them.
    With `send_pending` those to the game's players and moderator are sent from here. Raise StoreError,
    with nothing changed, for a file that is damaged and for a game that is here already.
    """
    exported = data if isinstance(data, Exported) else read(data)
    game = exported.game
    with store.transaction() as session:
        if session.get(GameRow, game.id) is not None:
            raise StoreError(f"there is already a game {game.id!r} here")
        game.quiet_until = None
        session.add(game)
        session.flush()
        _renumber(exported, _add_letters(session, exported.letters))
        _add_outbox(session, exported, send_pending)
        session.add_all([*exported.seats, *exported.staff, *exported.phases, *exported.journal])
        session.flush()
        _must_open(session, game)
    return game.id


def _rows(data: Any) -> Exported:
    """Return rows that are well formed, each by itself."""
    if not isinstance(data, Mapping) or (data.get("format"), data.get("version")) != (FORMAT, VERSION):
        raise StoreError(f"this is not an exported game of version {VERSION}")
    try:
        file = _file().model_validate(data)
    except ValidationError as error:
        raise StoreError(f"{DAMAGED}: {faults(error, _file(), _place)}") from error
    parts: Any = {name: [kind(**dict(row)) for row in getattr(file, name)] for name, kind in PARTS.items()}
    return Exported(game=GameRow(**dict(file.game)), **parts)  # type: ignore[attr-defined]


def _place(place: Sequence[Any]) -> str:
    """Return where a value is in a file: `seats row 2, zone`."""
    part, *rest = place
    if rest and isinstance(rest[0], int):
        part, rest = f"{part} row {rest[0] + 1},", rest[1:]
        return f"{part} {'.'.join(map(str, rest))}".rstrip(", ")
    return ".".join(map(str, place))


def _as_new(found: Exported) -> NewGame:
    """Return what the game would be started with."""
    game = found.game
    people = [seat for seat in found.seats if seat.bot != SYSTEM]
    players = {seat.key: Player(seat.name, seat.address, seat.zone, bot=seat.bot) for seat in people}
    return NewGame(game.game, game.id, game.scenario, game.options, players, game.settings)


def _game_faults(found: Exported) -> Iterator[str]:
    """Yield what is wrong with the game's own row and its seats."""
    game, rules = found.game, rules_of(found.game.game)
    if game.scenario not in rules.scenarios:
        yield f'there is no scenario "{game.scenario}"'
    if game.status not in ("running", "over", "stopped"):
        yield f'there is no status "{game.status}"'
    if "moderator" in game.settings:
        yield "the settings name a moderator, who should be among the staff"
    if "dice" not in game.settings:
        yield "the settings do not say what the dice hang on"
    if len(game.secret) != SECRET_BYTES:
        yield f"the secret has {len(game.secret)} bytes, not {SECRET_BYTES}"
    if len(game.letter_key) != KEY_BYTES:
        yield f"the key of the letters has {len(game.letter_key)} bytes, not {KEY_BYTES}"
    yield from seat_faults(game, found.seats)
    people: list[SeatRow | StaffRow] = [*found.seats, *found.staff]
    for person in people:
        if len(person.token_key) != TOKEN_BYTES:
            yield f"the token of {person.key} has {len(person.token_key)} bytes, not {TOKEN_BYTES}"
    keys = Counter(person.key for person in people)
    yield from (f"two people are called {key}" for key, times in keys.items() if times > 1)
    for helper in found.staff:
        if helper.role not in ROLES:
            yield f'{helper.key} has the role "{helper.role}": there are {", ".join(ROLES)}'
        replies_to(game.settings, game.id, helper.key, bytes(TOKEN_BYTES))
        address(helper.address)
        zone(helper.zone)


def _row_faults(found: Exported) -> Iterator[str]:
    """Yield what keeps the rows from standing in one store, and letters from being sent."""
    rows: list[Any] = found.rows()[1:]
    if strange := sorted({str(row.game) for row in rows} - {found.game.id}):
        yield f"rows belong to another game: {', '.join(strange)}"
    unique: dict[str, list[Any]] = {
        "seats": [row.key for row in found.seats],
        "people of the staff": [row.key for row in found.staff],
        "phases": [row.number for row in found.phases],
        "letters": [row.id for row in found.letters],
        "letters received": [row.identity for row in found.letters],
        "letters of the outbox": [row.key for row in found.outbox],
    }
    for what, values in unique.items():
        yield from (f"two {what} are {value}" for value, times in Counter(values).items() if times > 1)
    seats = {"", *(seat.key for seat in found.seats), *(helper.key for helper in found.staff)}
    said = [row.answer for row in found.journal if row.kind == "host" and isinstance(row.answer, dict)]
    seats |= {str(answer.get("staff", "")) for answer in said}  # removed since
    for letter in found.letters:
        if letter.seat not in seats:
            yield f"letter {letter.id} is of no seat: {letter.seat}"
    for row in found.outbox:
        if not _KEY.fullmatch(row.key) or not is_address(row.recipient):
            yield f"letter {row.key!r} of the outbox cannot be sent to {row.recipient!r}"


def _journal_faults(found: Exported) -> Iterator[str]:
    """Yield what is wrong with the journal: its hash chain, its rulings, its letters."""
    yield from broken_links(found.journal, {letter.id: letter.digest for letter in found.letters})
    letters = {None, *(letter.id for letter in found.letters)}
    for row in found.journal:
        if row.kind in EVENTS:
            try:
                EVENTS[row.kind](row.answer)
            except ValueError as error:
                yield f"journal row {row.number} is no {row.kind}: {error}"
        if row.letter not in letters:
            yield f"journal row {row.number} names letter {row.letter}, which is not there"


def _phase_faults(found: Exported) -> Iterator[str]:
    """Yield what is wrong with the phases: their order, their hashes, their snapshots."""
    rules = rules_of(found.game.game)
    standing = standing_rows(found.journal)
    yield from phase_faults(found.game, standing, {phase.number: phase for phase in found.phases})
    for phase in found.phases:
        state = rules.load(unpack(phase.snapshot))
        if (phase.label, phase.turn) != (rules.label(state), state.turn):
            yield f"phase {phase.number} is {phase.label}, its snapshot is of {rules.label(state)}"


def _add_letters(session: Session, rows: Sequence[LetterRow]) -> dict[int | None, int | None]:
    """Add the letters received. Return the old number of each with the one that it has here."""
    numbers: dict[int | None, int | None] = {}
    for row in rows:
        if session.exec(select(LetterRow.id).where(LetterRow.identity == row.identity)).first() is not None:
            raise StoreError(f"a letter of the exported game is here already: {row.message_id}")
        old, row.id = row.id, None
        session.add(row)
        session.flush()
        numbers[old] = row.id
    return numbers


def _renumber(found: Exported, letters: Mapping[int | None, int | None]) -> None:
    """Put the new numbers of letters where rows name them: an old one may be that of another game's
    letter."""

    def here(number: int | None) -> int | None:
        return letters.get(number) if number else None

    for entry in found.journal:
        entry.letter = here(entry.letter)
    for written in found.outbox:
        written.letter = here(written.letter)
    for seat in found.seats:
        for line in seat.sheet.get("lines", ()):
            line["letter"] = here(line["letter"]) or 0
        for question in seat.questions.get("open", ()):
            question["held"] = here(question["held"]) or 0


def _add_outbox(session: Session, found: Exported, send_pending: bool) -> None:
    """Add the letters written. Of those not yet sent, only pending ones to known people will be."""
    known = {seat.address for seat in found.seats} | {helper.address for helper in found.staff}
    for row in found.outbox:
        if session.exec(select(OutboxRow.id).where(OutboxRow.key == row.key)).first() is not None:
            raise StoreError(f"a letter of the exported game is here already: {row.key}")
        row.id, row.claimed, row.claimed_by = None, None, None
        if row.sent is None and not (send_pending and row.recipient in known):
            row.sent, row.error = row.created, NOT_SENT_HERE
        session.add(row)


def _must_open(session: Session, game: GameRow) -> None:
    """Raise StoreError for a game that cannot be opened; a stopped one may have been exported for that."""
    if game.status == "stopped":
        return
    try:
        table = Table(session, game, game.created)
        here = table.here()
        queries.status_of(table, here, mail=True)
        table.game.view(here.state, queries.UMPIRE)
        table.papers()
        list(log_of_phases(table, queries.UMPIRE, table.record.phases(), here))
    except Exception as error:
        if is_temporary(error):
            raise
        raise StoreError(f"the imported game cannot be opened: {error}") from error
