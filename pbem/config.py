"""Settings: one TOML file and the environment. A variable ``PBEM_STORE`` beats ``store`` in ``pbem.toml``.

The file is ``pbem.toml`` in the folder in which pbem is started, or the one that ``PBEM_CONFIG`` names.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from pbem.engine.errors import DataError
from pbem.fields import Address, Person, Zone, address, faults

FILE = "pbem.toml"
PREFIX = "PBEM_"


def _from_file(value: Any) -> Any:
    """A secret that stands in a file of its own: ``{ file = "/etc/pbem/password" }``."""
    if isinstance(value, dict) and list(value) == ["file"]:
        try:
            return Path(value["file"]).read_text(encoding="utf-8").strip()
        except (OSError, TypeError, ValueError) as error:
            raise ValueError(f"its file cannot be read: {error}") from error
    return value


def host_and_port(text: str) -> tuple[str, int]:
    """Return the parts of ``HOST:PORT``; an IPv6 address may stand in brackets. Raise ValueError."""
    host, colon, port = text.rpartition(":")
    if not (colon and port.isascii() and port.isdecimal() and 0 < int(port[:6]) < 65536):
        raise ValueError(f'write HOST:PORT, not "{text}"')
    return host.strip("[]"), int(port)


def _listen(text: str) -> str:
    if text.startswith("unix:") and text != "unix:":
        return text
    try:
        host_and_port(text)
    except ValueError:
        raise ValueError(f'write HOST:PORT or unix:PATH, not "{text}"') from None
    return text


def _listen_or_nowhere(text: str) -> str:
    if text:
        host_and_port(text)
    return text


Secret = Annotated[str, BeforeValidator(_from_file)]
Listen = Annotated[str, AfterValidator(_listen)]
ListenOrNowhere = Annotated[str, AfterValidator(_listen_or_nowhere)]
Port = Annotated[int, Field(ge=1, le=65535)]
Positive = Annotated[int, Field(ge=1)]
NotNegative = Annotated[int, Field(ge=0)]
Length = Annotated[float, Field(gt=0)]
"""A time, in the unit that the name says."""


class Smtp(BaseModel):
    """The mail server that sends letters. `tls` is "starttls" (usual at port 587), "tls" (465) or "none";
    `cafile` names your own certificate authority; `password` may be { file = "/path" }. The service tries
    a letter again after `retry_minutes`, the last of which holds for all that follow, and gives up after
    `give_up_days`."""

    model_config = ConfigDict(extra="forbid")

    host: str = ""
    port: Port = 587
    user: str = ""
    password: Secret = ""
    tls: Literal["starttls", "tls", "none"] = "starttls"
    cafile: str = ""
    retry_minutes: Annotated[tuple[Length, ...], Field(min_length=1)] = (5, 15, 60, 240, 480)
    give_up_days: Length = 5


class Section(BaseModel):
    """A table of the settings file: a key that pbem does not know is an error."""

    model_config = ConfigDict(extra="forbid")


class Lmtp(Section):
    """A mail server hands its mail over by LMTP to this address: HOST:PORT, or unix:PATH."""

    listen: Listen = "127.0.0.1:2424"


class SmtpIn(Section):
    """Mail comes by SMTP to this address; with a certificate the connection may be encrypted."""

    listen: Listen = "0.0.0.0:25"
    tls_certificate: Path | None = None
    tls_key: Path | None = None


class Imap(Section):
    """Mail lies in a mailbox of a provider. What has been read goes to the folder `done` ("" deletes it),
    what cannot be read to `aside`. With `token_in_subject`, for providers without addresses with a `+`, new
    games have their secrets in the subject."""

    host: str
    port: Port = 993
    tls: Literal["tls", "none"] = "tls"
    cafile: str = ""
    user: str
    password: Secret
    folder: str = "INBOX"
    done: str = "pbem-done"
    aside: str = "pbem-aside"
    token_in_subject: bool = False


class MaildirIn(Section):
    """A mail server delivers into this Maildir."""

    path: Path


class Socket(Section):
    """`pbem mail receive` hands mail over at this path."""

    path: Path = Path("/run/pbem/intake.sock")


class Intake(Section):
    """The ways in; each that has a section is used."""

    lmtp: Lmtp | None = None
    smtp: SmtpIn | None = None
    imap: Imap | None = None
    maildir: MaildirIn | None = None
    socket: Socket | None = None

    @property
    def is_on(self) -> bool:
        """Whether there is any, and so a service."""
        return any(vars(self).values())


def _listed(value: Any) -> Any:
    """Senders as the environment has them: with blanks or commas between them."""
    return value.replace(",", " ").split() if isinstance(value, str) else value


def _sender(text: str) -> str:
    """Return an address, or a domain with an @ before it, in lower case. Raise ValueError for anything
    else."""
    if text.startswith("@"):
        address(f"x{text}")
        return text.lower()
    return address(text)


SendersListed = Annotated[tuple[Annotated[str, AfterValidator(_sender)], ...], BeforeValidator(_listed)]


class SenderSettings(Section):
    """How it is found out who wrote a letter. `server` is the name that your mail server gives itself in the
    headers Authentication-Results that it writes (several with blanks between them): nobody else's count.
    With `dkim` pbem checks the signatures of letters without such a header by itself. `answer_strangers`:
    HELP, LIST and JOIN are answered to people who play nowhere here, if their address is shown to be
    theirs. `deny` are those whose letters are not read, addresses or domains (@spam.example); `allow` those
    who may ask to play (JOIN), everybody if there are none."""

    server: str = ""
    dkim: bool = False
    answer_strangers: bool = True
    deny: SendersListed = ()
    allow: SendersListed = ()


class LimitSettings(Section):
    """What the service takes: bytes of a mail, its recipients, letters in an hour (of a seat, of a stranger,
    of all), seconds and megabytes for one letter, letters in hand at once."""

    bytes: Positive = 32_000_000
    recipients: Positive = 20
    letters_an_hour_seat: Positive = 60
    letters_an_hour_stranger: NotNegative = 30
    letters_an_hour: Positive = 2_000
    seconds: Length = 60
    megabytes: NotNegative = 2_000
    waiting: Positive = 50


class ClockSettings(Section):
    """After an outage deadlines are put off by its length, at most by these hours."""

    outage_hours: Annotated[float, Field(ge=0)] = 12


class HealthSettings(Section):
    """Where /healthz, /readyz and /metrics are served ("" for nowhere), and from what age on unsent letters
    and unread mail are a fault."""

    listen: ListenOrNowhere = "127.0.0.1:9464"
    unsent_minutes: Length = 60
    unread_minutes: Length = 15


class LogSettings(Section):
    """How the service writes its log."""

    format: Literal["logfmt", "json"] = "logfmt"
    letters: bool = True


class BackupSettings(Section):
    """Where `pbem backup` puts backups, and how many it keeps."""

    folder: Path = Path("backup")
    keep: Positive = 14


class Settings(BaseModel):
    """What holds for all games.

    store      game file or database URL
    address    the server's own mail address; the seats have theirs below it
    moderator  address, with or without a name, for disputes, internal errors and unclaimed letters
    smtp       the server that sends letters; in the environment ``PBEM_SMTP__HOST`` and so on
    cache      the folder for drawn maps
    maildir    the folder into which the mail server delivers; emails in it are read before a deadline is
               applied
    zone       the time zone of players who have not given theirs
    worker     the name of this process of `pbem serve`; each has its own  [default: that of the machine]
    handlers   how many letters `pbem serve` deals with at once (a game file: one)
    backup     where backups go
    senders    how it is found out who wrote a letter
    intake, limits, clock, health, log
               what `pbem serve` does
    """

    model_config = ConfigDict(extra="forbid")

    store: str = ""
    address: Address = "pbem@localhost"
    moderator: Person = ""
    smtp: Smtp = Smtp()
    cache: Path | None = None
    maildir: Path | None = None
    zone: Zone = "UTC"
    worker: str = ""
    handlers: NotNegative = 0
    backup: BackupSettings = BackupSettings()
    senders: SenderSettings = SenderSettings()
    intake: Intake = Intake()
    limits: LimitSettings = LimitSettings()
    clock: ClockSettings = ClockSettings()
    health: HealthSettings = HealthSettings()
    log: LogSettings = LogSettings()


def config_file() -> Path:
    """The settings file, whether it is there or not. Raises DataError when ``PBEM_CONFIG`` names
    one that is not."""
    chosen = os.environ.get("PBEM_CONFIG", "")
    if chosen and not Path(chosen).is_file():
        raise DataError(f"PBEM_CONFIG names {chosen}, which is not there")
    return Path(chosen or FILE)


def from_file(path: Path) -> dict[str, Any]:
    """Return what a settings file says; nothing if there is none. Raises DataError for one that is not
    TOML."""
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_bytes().decode())
    except ValueError as error:
        raise DataError(f"{path}: is not TOML: {error}") from error


def from_environment(variables: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings among the variables, ``__`` leading into a table. Others, as PBEM_DEBUG, are not
    ours. Raises DataError for one that leads into a table with one ``_``: nobody would miss it."""
    found: dict[str, Any] = {}
    for variable in sorted(variables):
        first, *rest = variable.removeprefix(PREFIX).lower().split("__")
        if not variable.startswith(PREFIX):
            continue
        if first not in Settings.model_fields:
            section, _, key = first.partition("_")
            if key and isinstance(getattr(Settings(), section, None), BaseModel):
                meant = "__".join([section, key, *rest]).upper()
                raise DataError(f"{variable} is no setting: write {PREFIX}{meant}")
            continue
        *tables, last = [first, *rest]
        table: Any = found
        for name in tables:
            table = table.setdefault(name, {}) if isinstance(table, dict) else None
        if isinstance(table, dict):
            table[last] = variables[variable]
    return found


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Two tables in one: what stands in `above` beats what stands in `below`, value by value."""
    both = {
        name: _merged(below[name], value)
        for name, value in above.items()
        if isinstance(value, dict) and isinstance(below.get(name), dict)
    }
    return {**below, **above, **both}


@cache
def settings() -> Settings:
    """The settings as they are now, read once. Raises DataError naming what is wrong with them."""
    where = config_file()
    found = _merged(from_file(where), from_environment(os.environ))
    try:
        return Settings.model_validate(found)
    except ValidationError as error:
        raise DataError(f"{where} or {PREFIX} variables: {faults(error, Settings)}") from error
