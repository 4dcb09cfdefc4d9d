"""What the JSON columns of a game must look like in an exported file, so that the rest of pbem can rely on
them.

A database row is not checked when it is made, so these are: the sheet, the standing orders, the questions,
the played sections, the missed deadline and the news of a seat, what the staff has been told, and the lines
that a letter set aside.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)

STRICT = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)

_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")

Whole = Annotated[int, Field(ge=0, lt=2**31)]
Number = Annotated[int, Field(ge=1, lt=2**31)]


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


def _moment(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("should be a time, such as 2026-11-20T21:00:00+00:00") from None
    if moment.tzinfo is None:
        raise ValueError("should have a time zone")
    return text


Moment = Annotated[str, AfterValidator(_moment)]


class _Shape(BaseModel):
    model_config = STRICT


class SheetLine(_Shape):
    """A line of a sheet (play/sheet.py)."""

    name: Number
    section: str
    text: str
    letter: int
    line: dict[str, Any] | None = None
    meant: list[dict[str, Any]] = []
    state: Literal["ready", "waiting", "faulty"] = "ready"
    why: str = ""
    case: str = ""
    offers: list[str] = []
    about: list[str] = []
    sort: str = ""


class Sheet(_Shape):
    """A sheet (play/sheet.py)."""

    turn: Whole
    lines: list[SheetLine]
    closed: list[str]
    held: list[str]
    next: Number
    always: bool
    empty: bool

    @model_validator(mode="after")
    def _names(self) -> Sheet:
        names = [line.name for line in self.lines]
        if len(names) != len(set(names)):
            raise ValueError("two lines have the same name")
        if max(names, default=0) >= self.next:
            raise ValueError(f"the next line would be L{self.next}, which is taken")
        return self


class Standing(_Shape):
    """A standing order."""

    text: str
    kind: str
    policy: dict[str, Any]


class Question(_Shape):
    """A question (play/questions.py)."""

    number: Number
    phase: Whole
    what: str
    options: list[str]
    chosen: Whole | None
    held: int

    @model_validator(mode="after")
    def _answer(self) -> Question:
        if self.chosen is not None and self.chosen >= len(self.options):
            raise ValueError(f"there is no option {self.chosen}")
        return self


class Questions(_Shape):
    """All questions of a seat."""

    next: Number
    open: list[Question]
    past: list[Question]
    defaults: int


class Played(_Shape):
    """When a section was last played (play/lateness.py)."""

    turn: Whole
    phase: Whole
    row: Whole
    at: Moment
    by: Literal["done", "deadline", "undone", ""]


class Missed(_Shape):
    """The deadline that a seat let pass."""

    turn: Whole
    due: Moment
    section: str


class LineNews(_Shape):
    """What became of a line (news.py)."""

    title: str
    section: str
    text: str
    skipped: str
    reached: str
    under_way: dict[str, Any] | None


class DecisionNews(_Shape):
    """A decision that was taken for a seat."""

    what: str
    value: str
    by: str
    line: str
    why: str
    title: str


class DeadlineNews(_Shape):
    """A deadline that passed."""

    seat: str
    what: str
    how: str


class News(_Shape):
    """What a seat has yet to be shown."""

    phase: Whole
    notes: Whole
    asked: str
    letter: str
    lines: list[LineNews]
    decided: list[DecisionNews]
    deadlines: list[DeadlineNews]
    begun: list[LineNews]
    over: bool
    due: Moment | Literal[""]
    due_for: str


class Kept(_Shape):
    """One thing that a letter set aside for KEEP: a line and the name of the one before it, a line that is
    withdrawn, or a standing order."""

    line: SheetLine | None = None
    behind: Whole = 0
    gone: Number | None = None
    standing: Standing | None = None

    @model_validator(mode="after")
    def _one(self) -> Kept:
        if [self.line, self.gone, self.standing].count(None) != 2:
            raise ValueError("should be one of line, gone and standing")
        return self


class Ruling(_Shape):
    """A ruling of a moderator (moderating/rulings)."""

    ruling: Number
    what: str
    says: str
    why: str
    before: str
    after: str
    stands: Whole | None = None
    turn: Whole | None = None
    salts: dict[str, list[str]] = {}
    opened: dict[str, list[str]] = {}
    phase: Number | None = None
    set: dict[str, str] = {}


class Beacon(_Shape):
    """A round of the beacon, when it is named or when its signature has come (dice_rules.py)."""

    round: Number
    closed: Moment | None = None
    late: dict[str, str] = {}
    signature: Annotated[str, Field(pattern="^[0-9a-f]{96}$")] | None = None


class Position(_Shape):
    """What a ruling has changed in the state with which a phase begins."""

    ruling: Number
    before: str
    after: str


class Host(BaseModel):
    """What a person has done to a game (hosting.py), with the details that it has."""

    model_config = ConfigDict(strict=True, extra="allow")

    why: str
    proposal: Number | None = None
    do: Literal["undo", "extend"] | None = None
    about: str = ""
    seat: str = ""
    says: str = ""
    due: Moment | Literal[""] = ""
    since: Moment | None = None
    hours: float | None = None
    place: Number | None = None
    to: str = ""

    @model_validator(mode="after")
    def _whole(self) -> Host:
        """A proposal says what is to be done (proposals.py)."""
        done = {"undo": (self.place,), "extend": (self.hours, self.since)}
        if self.do and None in (self.proposal, *done[self.do]):
            raise ValueError("is half a proposal")
        return self


class Clock(_Shape):
    """What the clock has to remember (clock.py)."""

    since: Moment | None = None
    due: Moment | None = None
    paused: Moment | None = None
    left: float | None = None
    ruling_by: Moment | None = None
    reminded: dict[str, Moment] = {}
    waited: Moment | None = None


class Heard(_Shape):
    """One thing that a moderator is to hear of (letters/notices.py)."""

    says: str
    lines: list[str]
    times: Number
    at: Moment
    urgent: bool = False


class ToldStaff(_Shape):
    """What one of the staff has been told: what is to be in the next digest, when the last one was written,
    and the last with urgent news, whether that nobody checks the senders of emails (digest.py), and which
    lines have acted, each with the moment (intake/staff_letters.py).

    Of an observer (letters/observers.py): the last turn of which he was told, whether he was told of the end,
    and the ruling that has gone back since, after which he is told again.
    """

    news: list[Heard] = []
    digest: Moment | Literal[""] = ""
    urgent: Moment | None = None
    unchecked: bool = False
    turn: Number = 0
    over: bool = False
    back: Number = 0
    acted: dict[str, Moment] = {}


def _dates(days: list[str]) -> list[str]:
    first, last = map(date.fromisoformat, days)
    if first > last:
        raise ValueError("ends before it begins")
    return days


Days = Annotated[list[str], Field(min_length=2, max_length=2), AfterValidator(_dates)]
"""The first and the last date of an absence."""


def like(shape: Any, *, needed: bool = False) -> Callable[[Any], Any]:
    """Return a check that a value is of this shape, or empty unless it is `needed`."""
    adapter = TypeAdapter(shape)

    def check(value: Any) -> Any:
        try:
            if value or needed:
                adapter.validate_python(value)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            said = first["msg"].removeprefix("Value error, ")
            raise ValueError(": ".join(filter(None, (".".join(map(str, first["loc"])), said)))) from None
        return value

    return check


COLUMNS: dict[str, Callable[[Any], Any]] = {
    "sheet": like(Sheet),
    "standing": like(list[Standing]),
    "questions": like(Questions),
    "played": like(dict[str, Played]),
    "missed": like(Missed),
    "news": like(News),
    "aside": like(list[Kept]),
    "clock": like(Clock),
    "away": like(list[Days]),
    "settings": like(dict[str, Any]),
    "told": like(ToldStaff),
}
"""Column -> the check of its values. Each returns a value as it is, or raises ValueError saying where it is
wrong."""

EVENTS: dict[str, Callable[[Any], Any]] = {
    "ruling": like(Ruling, needed=True),
    "position": like(Position, needed=True),
    "beacon": like(Beacon, needed=True),
    "host": like(Host, needed=True),
}
"""Kind of journal row -> the check of its answer, as in `COLUMNS`."""
