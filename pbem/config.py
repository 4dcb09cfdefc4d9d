"""Settings: one TOML file and the environment. A variable ``PBEM_STORE`` beats ``store`` in ``pbem.toml``.

The file is ``pbem.toml`` in the folder in which pbem is started, or the one that ``PBEM_CONFIG`` names.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from pbem.engine.errors import DataError
from pbem.fields import Address, Person, Zone, faults

FILE = "pbem.toml"
PREFIX = "PBEM_"


class Smtp(BaseModel):
    """The mail server that sends the letters; see `SmtpSettings` for the fields."""

    model_config = ConfigDict(extra="forbid")

    host: str = ""
    port: int = 587
    user: str = ""
    password: str = ""
    tls: Literal["starttls", "tls", "none"] = "starttls"
    cafile: str = ""


class Settings(BaseModel):
    """What a host sets once.

    store      game file or database URL
    address    the server's own mail address; the seats have theirs below it
    moderator  address, with or without a name, for disputes, internal errors and unclaimed letters
    smtp       the server that sends letters; in the environment ``PBEM_SMTP__HOST`` and so on
    cache      the folder for drawn maps
    maildir    the folder into which the mail server delivers; emails in it are read before a deadline is
    applied zone       the time zone of players who have not given theirs
    """

    model_config = ConfigDict(extra="forbid")

    store: str = ""
    address: Address = "pbem@localhost"
    moderator: Person = ""
    smtp: Smtp = Smtp()
    cache: Path | None = None
    maildir: Path | None = None
    zone: Zone = "UTC"


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
    ours."""
    found: dict[str, Any] = {}
    for variable in sorted(variables):
        name, _, part = variable.removeprefix(PREFIX).lower().partition("__")
        if not variable.startswith(PREFIX) or name not in Settings.model_fields:
            continue
        if not part:
            found[name] = variables[variable]
        elif isinstance(table := found.setdefault(name, {}), dict):
            table[part] = variables[variable]
    return found


@cache
def settings() -> Settings:
    """The settings as they are now, read once. Raises DataError naming what is wrong with them."""
    where = config_file()
    found = from_file(where)
    for name, value in from_environment(os.environ).items():
        both = isinstance(value, dict) and isinstance(found.get(name), dict)
        found[name] = {**found[name], **value} if both else value
    try:
        return Settings.model_validate(found)
    except ValidationError as error:
        raise DataError(f"{where} or {PREFIX} variables: {faults(error, Settings)}") from error
