"""`pbem host`: set a server up, and see whether all of it works."""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, TypeVar

import click

from pbem.cli.shell import Group, examples, json_option, show, show_json

if TYPE_CHECKING:
    from pbem.serve.setup import Way


@click.group("host", cls=Group)
def host_command() -> None:
    """Set a mail service up, and check it."""


T = TypeVar("T")


def asked(value: str | None, text: str, read: Callable[[str], T], default: str | None = None) -> T:
    """An answer that was given as an option, or that a person gives now, as `read` takes it; a person whose
    answer it refuses (ValueError) is asked again."""

    def checked(given: str) -> T:
        try:
            return read(given)
        except ValueError as error:
            raise click.UsageError(str(error)) from error

    return checked(value) if value is not None else click.prompt(text, default=default, value_proc=checked)


@host_command.command(
    "init",
    epilog=examples(
        "pbem host init",
        "pbem host init --intake lmtp --folder /srv/pbem",
    ),
)
@click.option("--address", help="The server's own mail address.")
@click.option("--moderator", help="Who reads of trouble and disputes.")
@click.option("--intake", type=click.Choice(["lmtp", "pipe", "imap"]), help="How mail comes in.")
@click.option("--smtp", metavar="HOST:PORT", help="The mail server that sends.")
@click.option("--store", help="The game file, or the URL of a database.")
@click.option("--zone", help="The time zone of players who give none.")
@click.option("--smtp-user", default="", help="Login at the mail server.  [default: none]")
@click.option("--imap", metavar="HOST:PORT", help="Where the mailbox is, with --intake imap.")
@click.option("--imap-user", help="Login at the mailbox.")
@click.option(
    "--listen",
    default="127.0.0.1:2424",
    show_default=True,
    metavar="HOST:PORT",
    help="Where the service takes mail by LMTP.",
)
@click.option("--mail-server", type=click.Choice(["postfix", "exim"]), default="postfix", show_default=True)
@click.option("--user", default="pbem", show_default=True, help="The user as whom the service runs.")
@click.option(
    "--folder", type=click.Path(file_okay=False, path_type=Path), default=".", help="Where everything lies.",
    show_default="this one",
)  # fmt: skip
@click.option("--container", is_flag=True, help="Print a container file instead of the steps.")
@click.option("--force", is_flag=True, help="Replace a settings file that is there.")
def init_command(
    address: str | None,
    moderator: str | None,
    intake: str | None,
    smtp: str | None,
    store: str | None,
    zone: str | None,
    smtp_user: str,
    imap: str | None,
    imap_user: str | None,
    listen: str,
    mail_server: str,
    user: str,
    folder: Path,
    container: bool,
    force: bool,
) -> None:
    """Write pbem.toml, make the store, and print the steps that are left.

    Asks for what no option gives. Passwords are read without being shown, or from PBEM_SMTP__PASSWORD and
    PBEM_INTAKE__IMAP__PASSWORD, and go into files of their own.

    The steps are a script for a shell, in which nothing is left to fill in: read it, then run it as root.
    """
    from pbem import fields
    from pbem.serve.setup import Host, steps, write
    from pbem.service.record.store import Store

    folder = folder.absolute()
    config = folder / "pbem.toml"
    if config.exists() and not force:
        raise click.ClickException(f"{config} is there already: --force replaces it")
    if any(each.isspace() for each in str(folder)):
        raise click.UsageError(f"mail servers and systemd want a folder without blanks, not {folder}")
    address = asked(address, "The server's mail address", fields.address)
    moderator = asked(moderator, "The moderator's mail address", somebody)
    ways = "How mail comes in: lmtp or pipe (a mail server of yours), or imap (a mailbox)"
    way = asked(intake, ways, way_in, "lmtp")
    if way == "pipe" and mail_server == "exim":
        raise click.UsageError("a pipe is for Postfix: with Exim take --intake lmtp")
    login = ("", 993)
    if way == "imap":
        login = asked(imap, "The mailbox is at", host_and_port, "127.0.0.1:993")
        imap_user = asked(imap_user, "Its user", str, address)
    out = asked(smtp, "The mail server that sends", host_and_port, "127.0.0.1:25")
    target = asked(store, "The game file, or the URL of a database", str, str(folder / "club.pbem"))
    target = target if "://" in target else str(folder / target)
    host = Host(
        folder, program(), user, address, moderator, asked(zone, "The time zone", fields.zone, "UTC"), target,
        way,
        mail_server,  # type: ignore[arg-type]
        out, smtp_user, login, imap_user if way == "imap" and imap_user else "", listen,
    )  # fmt: skip
    secrets = {each.name: password(each.name) for each in host.secrets}
    folder.mkdir(mode=0o750, parents=True, exist_ok=True)
    Store.create(target).close()
    write(host, secrets)
    click.echo(steps(host, container), nl=False)


def somebody(text: str) -> str:
    """A person as it stands in the settings. Raise ValueError for a text without an address."""
    from pbem.fields import person

    person(text)
    return text


def way_in(text: str) -> Way:
    """A way in. Raise ValueError for what is none."""
    ways: dict[str, Way] = {"lmtp": "lmtp", "pipe": "pipe", "imap": "imap"}
    if text not in ways:
        raise ValueError(f'write {" or ".join(ways)}, not "{text}"')
    return ways[text]


def host_and_port(text: str) -> tuple[str, int]:
    """HOST:PORT as two values. Raise ValueError for anything else."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal():
        raise ValueError(f'write a server as HOST:PORT, not "{text}"')
    return host, int(port)


def program() -> str:
    """The full path of this pbem."""
    called = Path(sys.argv[0])
    beside = Path(sys.executable).with_name("pbem")
    if called.name == "pbem" and called.exists():
        return str(called.absolute())
    return str(beside if beside.exists() else which("pbem") or beside)


PASSWORDS = {"smtp-password": "PBEM_SMTP__PASSWORD", "imap-password": "PBEM_INTAKE__IMAP__PASSWORD"}


def password(name: str) -> str:
    """A password from its variable, or from a person."""
    return os.environ.get(PASSWORDS[name]) or getpass.getpass(f"{name.replace('-', ' ')}: ")


@host_command.command("check", epilog=examples("pbem host check", "pbem host check --wait 60 --json"))
@click.option(
    "--wait",
    default=30.0,
    show_default=True,
    help="Seconds that a letter to ourselves may take.",
)
@json_option
def check_command(wait: float, as_json: bool) -> None:
    """Look at the whole way of a letter, and say what has to be mended.

    One line a check, in the order of cause: the first FAIL is what to mend first. A letter to the server's
    own address goes the whole way round; nobody is answered for it.

    Run it as the user of the service. Exits with 0 if all is well, 1 for warnings, 2 for faults.
    """
    from pbem.config import config_file, settings

    try:
        from pbem.serve.check import check
    except ModuleNotFoundError as error:
        raise click.ClickException(f"{error}: install it with pip install '.[serve]'") from error
    found = []
    for each in check(config_file(), settings, wait):
        found.append(each)
        if not as_json:
            show([each.line()])
    if as_json:
        show_json(found)
    states = {each.state for each in found}
    if states != {"ok"}:
        raise SystemExit(2 if "FAIL" in states else 1)
