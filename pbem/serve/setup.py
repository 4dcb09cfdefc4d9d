"""What `pbem host init` writes and prints: the settings file, and the steps that make a machine serve.

The texts of the steps are in templates/host; nothing in them is left to fill in.
"""

from __future__ import annotations

import json
import os
import shlex
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from pydantic import BaseModel

from pbem.config import Settings
from pbem.paths import private, templates
from pbem.service.record.store import name_of

Way = Literal["lmtp", "pipe", "imap"]
MailServer = Literal["postfix", "exim"]

HERE = ("127.0.0.1", "localhost", "[::1]")
"""Names of this machine, to which no connection has to be encrypted."""

WIDTH = 100


@dataclass(frozen=True, slots=True)
class Host:
    """What a host has answered. `folder` and `program` are full paths, `smtp` and `imap` are host and port;
    logins without a name need none."""

    folder: Path
    program: str
    user: str
    address: str
    moderator: str
    zone: str
    store: str
    way: Way
    server: MailServer
    smtp: tuple[str, int]
    smtp_user: str = ""
    imap: tuple[str, int] = ("", 993)
    imap_user: str = ""
    listen: str = "127.0.0.1:2424"

    @property
    def config(self) -> Path:
        """The settings file."""
        return self.folder / "pbem.toml"

    @property
    def secrets(self) -> list[Path]:
        """The files of the passwords."""
        names = [("smtp-password", self.smtp_user), ("imap-password", self.imap_user)]
        return [self.folder / name for name, user in names if user]

    def settings(self) -> dict[str, Any]:
        """The settings that differ from their defaults."""
        smtp: dict[str, Any] = {
            "host": self.smtp[0], "port": self.smtp[1], "tls": _encryption(*self.smtp),
        }  # fmt: skip
        if self.smtp_user:
            smtp |= {"user": self.smtp_user, "password": {"file": str(self.folder / "smtp-password")}}
        ways: dict[Way, dict[str, Any]] = {
            "lmtp": {"lmtp": {"listen": self.listen}},
            "pipe": {"socket": {"path": str(self.folder / "intake.sock")}},
            "imap": {
                "imap": {
                    "host": self.imap[0], "port": self.imap[1],
                    "tls": "tls" if self.imap[1] == 993 else "none", "user": self.imap_user,
                    "password": {"file": str(self.folder / "imap-password")},
                }
            },
        }  # fmt: skip
        return {
            "store": self.store, "address": self.address, "moderator": self.moderator, "zone": self.zone,
            "smtp": smtp, "backup": {"folder": str(self.folder / "backup")}, "intake": ways[self.way],
        }  # fmt: skip


def _encryption(host: str, port: int) -> str:
    """How a connection to a mail server that sends is usually encrypted."""
    if host in HERE:
        return "none"
    return "tls" if port == 465 else "starttls"


def write(host: Host, passwords: Mapping[str, str]) -> None:
    """Write the settings file and those of the passwords into the folder, for their owner alone; `passwords`
    by file name. Raise OSError if that cannot be done."""
    texts = {host.config.name: settings_file(host.settings())} | {
        name: f"{password}\n" for name, password in passwords.items()
    }
    for name, text in texts.items():
        path = host.folder / name
        with open(path, "w", encoding="utf-8", opener=private) as file:
            path.chmod(0o600)
            file.write(text)


def steps(host: Host, container: bool = False) -> str:
    """What is left to do, as a script for a shell; or what makes a container."""
    environment = Environment(
        loader=FileSystemLoader(templates() / "host"), undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=True, autoescape=False,
    )  # fmt: skip
    environment.filters["sh"] = lambda value: shlex.quote(str(value))
    environment.filters["named"] = name_of
    local, _, domain = host.address.partition("@")
    known = {"host": host, "local": local, "domain": domain, "is_root": os.geteuid() == 0, "here": HERE}
    return environment.get_template("container" if container else "steps.txt").render(known)


# --- the settings file --------------------------------------------------------------------------------------

HEAD = """\
Settings of pbem, as `pbem host init` has written them. A line with one # shows a default: take the # away to
change it. A key that pbem does not know is refused.
"""


def settings_file(chosen: Mapping[str, Any]) -> str:
    """A settings file with these values, and every other key with its default in a comment."""
    return "\n".join([*_prose(HEAD), "", *_table(Settings, "", chosen, True)]).rstrip() + "\n"


def _table(model: type[BaseModel], name: str, chosen: Mapping[str, Any], is_on: bool) -> Iterator[str]:
    """The lines of a table: what it is about, its keys, and the tables below it."""
    tables: list[tuple[str, type[BaseModel], bool]] = []
    keys: list[str] = []
    for key, field in model.model_fields.items():
        below = _model(field.annotation)
        if below is not None:
            tables.append((key, below, field.default is not None or key in chosen))
        elif key in chosen:
            keys.append(f"{key} = {_value(chosen[key])}")
        else:
            default = "" if field.is_required() else field.default
            keys.append(f"# {key} = {_value(default)}")
    if keys:
        yield from _prose(model.__doc__ or "")
        yield from [f"{'' if is_on else '# '}[{name}]"] if name else []
        yield from keys
        yield ""
    for key, below, on in tables:
        yield from _table(below, f"{name}.{key}" if name else key, chosen.get(key, {}), is_on and on)


def _model(kind: Any) -> type[BaseModel] | None:
    """The table that a key is, if it is one."""
    for each in (kind, *getattr(kind, "__args__", ())):
        if isinstance(each, type) and issubclass(each, BaseModel):
            return each
    return None


def _value(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    return json.dumps("" if value is None else str(value), ensure_ascii=False)


def _prose(text: str) -> Iterator[str]:
    """Paragraphs and lists of a docstring as comments."""
    for paragraph in textwrap.dedent("    " + text).strip().split("\n\n"):
        lines = paragraph.splitlines()
        is_list = any("  " in line.strip() for line in lines)
        whole = lines if is_list else textwrap.wrap(" ".join(paragraph.split()), WIDTH)
        yield from (f"## {line}" for line in whole)
