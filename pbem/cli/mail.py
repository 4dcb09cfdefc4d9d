"""`pbem mail`: letters in and out."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell import (
    explanation,
    json_option,
    now,
    on_game,
    opened,
    show_either,
    show_json,
    store_option,
)

if TYPE_CHECKING:
    from pbem.mail.transport import Transport
    from pbem.service.outbox import Handed
    from pbem.service.receive import Received
    from pbem.service.store import Store

OK, DATA, TEMPORARY, CONFIG = 0, 65, 75, 78
"""What a mail server is told (sysexits.h): only TEMPORARY makes it try again."""


@click.group("mail")
def mail_command() -> None:
    """Take letters in and send letters out."""


@mail_command.command("receive")
@click.argument("words", nargs=-1, metavar="[FILE] [LETTER...|-]")
@click.option("--maildir", type=click.Path(path_type=Path), help="Take in what is new in this Maildir.")
@click.option("--address", help="The server's own mail address.  [default: from the settings]")
@store_option
@json_option
def receive_command(
    words: tuple[str, ...], maildir: Path | None, address: str | None, store: str | None, as_json: bool
) -> None:
    """Take in one mail from standard input, or mails from files, folders and a Maildir. FILE is the game file or database URL.

    Ends with 0 once every letter has been taken in, whatever became of it, with 75 if it should be tried again later, with 65 for
    no mail at all and with 78 if there is no usable store. For the pipe of a mail server; a mail delivered twice changes nothing.
    """
    gc.disable()  # one letter and the process ends: a tenth of its time would go into collecting what it keeps
    if words and is_store(words[0]):
        store, words = words[0], words[1:]
    letters = tuple(map(Path, words))
    try:
        with opened(store) as found:
            results = list(receive_all(found, letters, maildir, address or server_address()))
    except Exception as error:
        if isinstance(error, click.UsageError):
            click.echo(f"pbem: {error.message}", err=True)
            sys.exit(CONFIG)
        sys.exit(complain(error))
    if as_json:
        show_json([{"letter": name, "received": got} for name, got in results])
        return
    for name, got in results:
        click.echo(f"{name}: {got.outcome}{f' {got.game} {got.seat}' if got.game else ''}: {got.why}")


def is_store(word: str) -> bool:
    """Whether a word names a store, and not a letter: a database URL, or a file that is an SQLite database."""
    if "://" in word:
        return True
    path = Path(word)
    if not path.is_file():
        return path.suffix == ".pbem"
    with path.open("rb") as file:
        return file.read(15) == b"SQLite format 3"


def receive_all(
    store: Store, letters: tuple[Path, ...], maildir: Path | None, address: str
) -> Iterator[tuple[str, Received]]:
    """Every letter that was named, taken in."""
    from pbem.mail.transport import Maildir, from_files, from_pipe
    from pbem.service.receive import receive

    if maildir is not None:
        box = Maildir(maildir)
        for name, raw in box.waiting():
            got = receive(store, raw, now(), address)
            box.done(name)
            yield name, got
    if (not letters and maildir is None) or letters == (Path("-"),):
        raw = from_pipe(sys.stdin.buffer)
        if not raw.strip():
            click.echo("pbem: there is no mail on standard input", err=True)
            sys.exit(DATA)
        yield "-", receive(store, raw, now(), address)
        return
    for path, raw in from_files(letters):
        yield str(path), receive(store, raw, now(), address)


def server_address() -> str:
    """The server's own address, without loading the settings where the environment says it."""
    if found := os.environ.get("PBEM_ADDRESS"):
        return found
    from pbem.config import settings

    return settings().address


def complain(error: Exception) -> int:
    """Say what went wrong and give the exit code: whatever is not plainly the set-up's fault is tried again, so that no letter is lost."""
    from pbem.engine.errors import DataError
    from pbem.service.store import StoreError, is_temporary

    text = explanation(error)
    if text is None:
        import traceback

        traceback.print_exception(error)
    else:
        click.echo(f"pbem: {text}", err=True)
    if isinstance(error, StoreError | DataError):
        return TEMPORARY if error.__cause__ is not None and is_temporary(error.__cause__) else CONFIG
    return TEMPORARY


@mail_command.command("send")
@on_game
@click.option("--smtp", metavar="HOST[:PORT]", help="A mail server.  [default: from the settings]")
@click.option("--user", help="The name to log in with.")
@click.option(
    "--tls", type=click.Choice(["starttls", "tls", "none"]), help="How the connection is kept private."
)
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Write .eml files instead.")
@json_option
def send_command(
    store: Store,
    game_id: str | None,
    smtp: str | None,
    user: str | None,
    tls: str | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Send what waits in the outbox of the store. The password comes from the settings or PBEM_SMTP__PASSWORD.

    Exit code 75 if something has to be tried again later.
    """
    from pbem.service.outbox import send_pending

    handed = send_pending(store, way_out(smtp, user, tls, folder), now(), local=folder is not None)
    report(handed, as_json)


@mail_command.command("folder")
@click.argument("words", nargs=-1, required=True, metavar="[FILE] FOLDER")
@store_option
@json_option
def folder_command(words: tuple[str, ...], store: str | None, as_json: bool) -> None:
    """Write what waits in the outbox into a folder of .eml files."""
    from pbem.mail.transport import FolderTransport
    from pbem.service.outbox import send_pending

    if len(words) > 2:
        raise click.UsageError("give [FILE] FOLDER")
    with opened(words[0] if len(words) > 1 else store) as found:
        report(send_pending(found, FolderTransport(Path(words[-1])), now(), local=True), as_json)


def way_out(smtp: str | None, user: str | None, tls: str | None, folder: Path | None) -> Transport:
    """The transport that options and settings name."""
    from pbem.mail.transport import FolderTransport, SmtpSettings, SmtpTransport

    if folder is not None:
        return FolderTransport(folder)
    from pbem.config import settings

    known = settings().smtp
    host, _, port = (smtp or "").rpartition(":") if smtp and ":" in smtp else (smtp or known.host, "", "")
    if not host:
        raise click.UsageError(
            "which way out? Give --smtp HOST:PORT or --folder FOLDER, or set smtp.host in pbem.toml"
        )
    if port and not port.isdigit():
        raise click.UsageError(f"--smtp is written as HOST:PORT, not {smtp!r}")
    return SmtpTransport(
        SmtpSettings(
            host,
            int(port or known.port),
            tls or known.tls,  # type: ignore[arg-type]
            user or known.user,
            known.password,
            cafile=known.cafile,
        )
    )


def report(handed: list[Handed], as_json: bool) -> None:
    lines = [f"{each.result:<8} {each.recipient}  {each.subject}  {each.detail}".rstrip() for each in handed]
    show_either(as_json, handed, lines or ["nothing waits to be sent"])
    if any(each.result == "later" for each in handed):
        sys.exit(TEMPORARY)
    if any(each.result == "refused" for each in handed):
        sys.exit(1)
