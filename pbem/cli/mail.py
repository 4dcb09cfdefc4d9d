"""`pbem mail`: letters in and out."""

from __future__ import annotations

import gc
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli import complete
from pbem.cli.hosted import do, hosted
from pbem.cli.shell import (
    Group,
    examples,
    explanation,
    game_option,
    json_option,
    now,
    on_game,
    on_game_with,
    opened,
    show_either,
    show_json,
    store_option,
    think_on,
    verbose_option,
)
from pbem.engine.wording import count

if TYPE_CHECKING:
    from pbem.mail.transport import Maildir, Transport
    from pbem.service.intake.outbox import Handed, Posted
    from pbem.service.intake.receive import Received
    from pbem.service.record.store import Store

USAGE, TEMPORARY, REFUSED = 64, 75, 77
"""Exit codes as mail servers read them (sysexits.h): they bounce after USAGE and REFUSED, and retry after
TEMPORARY."""


class Pipe(click.Command):
    """A command that a mail server starts: it ends with USAGE for a command line that can never work."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.exit_code = USAGE  # type: ignore[misc]
            raise


@click.group("mail", cls=Group)
def mail_command() -> None:
    """Receive and send letters."""


@mail_command.command(
    "receive",
    cls=Pipe,
    epilog=examples(
        "pbem mail receive club.pbem < letter.eml",
        "pbem mail receive club.pbem --maildir Maildir",
        "pbem mail receive --socket /run/pbem/intake.sock < letter.eml",
    ),
)
@click.argument("words", nargs=-1, metavar="[FILE [LETTER...|-]]", shell_complete=complete.files)
@click.option("--maildir", type=click.Path(path_type=Path), help="Read the new emails in this Maildir.")
@click.option(
    "--socket",
    type=click.Path(path_type=Path),
    help="Hand the email on standard input to the service at this socket, if one runs there.",
)
@store_option
@json_option
def receive_command(
    words: tuple[str, ...], maildir: Path | None, socket: Path | None, store: str | None, as_json: bool
) -> None:
    """Read emails from standard input, files, folders or a Maildir.

    For the pipe of a mail server. FILE, the first word, is the game file or database URL; with --store, or
    with a store in the settings, it may be left out. LETTER is an email, a folder of .eml files, or - for
    standard input.

    With --socket and nothing else, a service (pbem serve) that listens there takes the email, which is much
    quicker. Where none runs, the email is taken as without it.

    Exits with 0 once every email has been processed, whatever the outcome; with 75 if one could not be
    read, so that the mail server tries again; with 77 if one is too large, or the service takes no more from
    this stranger; with 64 for a wrong command line. An email delivered twice changes nothing.
    """
    # One letter and the process ends: a tenth of its time would go into collecting what it keeps.
    gc.disable()
    results: list[dict[str, Any]] = []
    games: dict[str, None] = {}
    code = 0
    try:
        from pbem.service.intake.limits import TooLarge

        first, rest = words[:1], words[1:]
        if words and is_letter(words[0]) and (store or store_of_settings()):
            first, rest = (), words
        if first and store:
            raise click.UsageError("name the store only once: as the first word or with --store")
        with opened(first[0] if first else store) as open_store:
            letters = tuple(map(Path, rest))
            for name, got in receive_all(open_store, letters, maildir):
                if isinstance(got, Exception):
                    code = code or REFUSED if isinstance(got, TooLarge) else TEMPORARY
                    complain(got, f"{name}: ")
                    continue
                results.append({"letter": name, "received": got})
                games |= {got.game: None} if got.game else {}
                if not as_json:
                    whose = f" {got.game} {got.seat}" if got.game else ""
                    click.echo(f"{name}: {got.outcome}{whose}: {got.why}")
            for game in games:
                think_on(open_store, game)
    except Exception as error:
        code = TEMPORARY
        complain(error)
    if as_json:
        show_json(results)
    if code:
        sys.exit(code)


def is_letter(word: str) -> bool:
    """Whether a word of the command line names letters, not a store: standard input, a folder, or a file that
    begins with a header of an email."""
    path = Path(word)
    if word == "-" or path.is_dir():
        return True
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return re.match(rb"[!-9;-~]+:[ \t]|From ", file.read(200)) is not None


def store_of_settings() -> str:
    """The store that the settings name; "" without one."""
    if named := os.environ.get("PBEM_STORE"):
        return named
    from pbem.config import settings

    return settings().store


def receive_all(
    store: Store, letters: tuple[Path, ...], maildir: Path | None
) -> Iterator[tuple[str, Received | Exception]]:
    """Receive every letter named. One that fails is left where it is, and the others are received."""
    from pbem.config import settings
    from pbem.mail.transport import HEAD, Maildir, from_files, from_pipe
    from pbem.service.intake.limits import TooLarge

    most = settings().limits.bytes
    if maildir is not None:
        box = Maildir(maildir)
        for name, raw in box.waiting(most):
            if isinstance(raw, OSError):
                yield name, raw
                continue
            got = too_large(store, box, name, raw[:HEAD]) if len(raw) > most else taken_in(store, raw)
            if not isinstance(got, Exception):
                box.done(name)
            yield name, got
    if (not letters and maildir is None) or letters == (Path("-"),):
        raw, size = from_pipe(sys.stdin.buffer, most)
        if not raw.strip():
            raise ValueError("there is no email on standard input")
        yield "-", TooLarge(size, most) if size > most else taken_in(store, raw)
        return
    for path, raw in from_files(letters):
        yield str(path), TooLarge(len(raw), most) if len(raw) > most else taken_in(store, raw)


def too_large(store: Store, box: Maildir, name: str, head: bytes) -> Received | Exception:
    """Tell the moderators of an email over the limit, or return the error that this runs into. Raise one that
    any letter would run into."""
    from pbem.config import settings
    from pbem.service.intake.aside import tell_of_large
    from pbem.service.intake.receive import Received
    from pbem.service.record.store import is_temporary

    size, most = box.size(name), settings().limits.bytes
    try:
        why = tell_of_large(store, head, size, most, str(box.path / "cur"), now())
        return Received("ignored", why=f"too large: {why}")
    except Exception as error:
        if is_temporary(error):
            raise
        return error


def taken_in(store: Store, raw: bytes) -> Received | Exception:
    """Receive a letter, or return the error it runs into. Raise one that any letter would run into."""
    from pbem.config import settings
    from pbem.service.intake.receive import receive
    from pbem.service.intake.reception import reception
    from pbem.service.record.store import is_temporary

    try:
        return receive(store, raw, now(), reception(settings()))
    except Exception as error:
        if is_temporary(error):
            raise
        return error


def complain(error: Exception, name: str = "") -> None:
    """Say on standard error why a letter could not be received; show the traceback of a bug."""
    text = error.message if isinstance(error, click.UsageError) else explanation(error)
    if text is None:
        import traceback

        traceback.print_exception(error)
    click.echo(f"pbem: {name}{text or repr(error)}", err=True)


@mail_command.command(
    "send",
    epilog=examples(
        "pbem mail send club.pbem",
        "pbem mail send club.pbem --smtp mail.club.example:587 --user pbem",
        "pbem mail send club.pbem --again 12",
    ),
)
@on_game
@click.option("--smtp", metavar="HOST[:PORT]", help="The mail server.  [default: from the settings]")
@click.option("--user", help="Login name.")
@click.option("--tls", type=click.Choice(["starttls", "tls", "none"]), help="Encryption of the connection.")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Write .eml files instead.")
@click.option("--now", "at_once", is_flag=True, help="Retry failed letters at once.")
@click.option(
    "--again", multiple=True, type=int, metavar="NUMBER", help="First put this refused letter back."
)
@verbose_option
@json_option
def send_command(
    store: Store,
    game_id: str | None,
    smtp: str | None,
    user: str | None,
    tls: str | None,
    folder: Path | None,
    at_once: bool,
    again: tuple[int, ...],
    verbose: bool,
    as_json: bool,
) -> None:
    """Send the letters in the outbox.

    The password comes from the settings or PBEM_SMTP__PASSWORD. Nothing is printed if no letters are due.
    SIGTERM and SIGINT stop it after the current letter. Exits with 75 if letters will be retried later,
    with 1 if any were refused.
    """
    from pbem.service.intake.outbox import resend, send_pending

    way = way_out(smtp, user, tls, folder)
    if again:
        resend(store, again, game_id)
    local = folder is not None
    with until_told_to_stop() as stop:
        handed = send_pending(store, way, now(), game=game_id, local=local, at_once=at_once, stop=stop)
        report(handed, as_json, verbose, stopped=stop())


@mail_command.command(
    "folder",
    epilog=examples("pbem mail folder cotentin.pbem outbox", "pbem mail folder cotentin.pbem outbox --json"),
)
@click.argument("words", nargs=-1, required=True, metavar="[FILE] FOLDER", shell_complete=complete.files)
@store_option
@verbose_option
@json_option
def folder_command(words: tuple[str, ...], store: str | None, verbose: bool, as_json: bool) -> None:
    """Write the letters in the outbox to FOLDER as .eml files.

    FOLDER is made if it is not there. Each letter becomes a file that a mail
    program opens, such as 0001-cotentin-t1.plan-allied-turn-1.eml. It counts as
    sent from then on, and pbem mail send does not send it: use this to try a
    game, or where you hand letters over yourself.
    """
    from pbem.mail.transport import FolderTransport
    from pbem.service.intake.outbox import send_pending

    if len(words) > 2:
        raise click.UsageError("give [FILE] FOLDER")
    with opened(words[0] if len(words) > 1 else store) as open_store:
        handed = send_pending(open_store, FolderTransport(Path(words[-1])), now(), local=True, at_once=True)
        report(handed, as_json, verbose, ends=_summed_up(handed, words[-1]))


@mail_command.command(
    "outbox", epilog=examples("pbem mail outbox club.pbem", "pbem mail outbox club.pbem --all")
)
@on_game
@click.option("--all", "everything", is_flag=True, help="Also list the letters that were sent.")
@json_option
def outbox_command(store: Store, game_id: str | None, everything: bool, as_json: bool) -> None:
    """List the letters that are waiting, failing or refused."""
    from pbem.service.intake.outbox import letters

    listed = letters(store, game_id, everything)
    show_either(as_json, listed, [line for each in listed for line in described(each)])


@mail_command.command(
    "resend", epilog=examples("pbem mail resend club.pbem 12 15", "pbem mail resend club.pbem --refused")
)
@click.argument("words", nargs=-1, metavar="[FILE] NUMBER...", shell_complete=complete.files)
@click.option("--refused", is_flag=True, help="Resend all refused letters.")
@store_option
@game_option
@json_option
def resend_command(
    words: tuple[str, ...], refused: bool, store: str | None, game_id: str | None, as_json: bool
) -> None:
    """Put refused or failing letters back in the outbox.

    The next `pbem mail send` sends them.
    """
    from pbem.service.intake.outbox import resend

    file, numbers = (None, words) if not words or words[0].isdecimal() else (words[0], words[1:])
    if not all(word.isdecimal() for word in numbers) or bool(numbers) == refused:
        raise click.UsageError("give [FILE] NUMBER... (see pbem mail outbox) or [FILE] --refused")
    with opened(file or store) as open_store:
        put_back = resend(open_store, list(map(int, numbers)), game_id)
        lines = [f"{each.number}: {each.recipient}  {each.subject}" for each in put_back]
        show_either(as_json, put_back, lines or ["no letters were refused"])


@mail_command.command(
    "purge", epilog=examples("pbem mail purge club.pbem", "pbem mail purge club.pbem --days 30")
)
@click.argument("file", required=False, metavar="[FILE]", shell_complete=complete.files)
@click.option(
    "--days", default=90, show_default=True, type=click.IntRange(0), help="Keep emails this many days."
)
@store_option
@json_option
def purge_command(file: str | None, days: int, store: str | None, as_json: bool) -> None:
    """Remove the bodies of old emails that belong to no game."""
    from pbem.service.intake.strays import purge

    with opened(file or store) as open_store:
        purged = purge(open_store, now() - timedelta(days=days))
    line = f"cut {count(purged.letters, 'email')} to the headers, freed {count(purged.bytes, 'byte')}"
    show_either(as_json, purged, [line])


@mail_command.command(
    "aside",
    epilog=examples(
        "pbem mail aside club.pbem",
        "pbem mail aside club.pbem --again 1",
        "pbem mail aside club.pbem --discard 1",
    ),
)
@click.argument("file", required=False, metavar="[FILE]", shell_complete=complete.files)
@click.option("--again", multiple=True, type=int, metavar="NUMBER", help="Take this email in again.")
@click.option("--discard", multiple=True, type=int, metavar="NUMBER", help="Throw this email away.")
@click.option("--show", type=int, metavar="NUMBER", help="Print this email as it came.")
@verbose_option
@store_option
@json_option
def aside_command(
    file: str | None,
    again: tuple[int, ...],
    discard: tuple[int, ...],
    show: int | None,
    verbose: bool,
    store: str | None,
    as_json: bool,
) -> None:
    """List emails on which pbem fails.

    The service sets them aside. Each is kept with its bytes, and with the error, which --verbose shows whole.
    Once pbem is mended, --again takes an email in as if it came now.
    """
    from pbem.config import settings
    from pbem.service.intake import aside
    from pbem.service.intake.reception import reception

    with opened(file or store) as open_store:
        if show is not None:
            click.echo(aside.raw(open_store, show), nl=False)
            return
        received = aside.again(open_store, again, now(), reception(settings()))
        think_on(open_store, None)
        lines = [f"{number}: {got.outcome}: {got.why}" for number, got in received]
        if discard:
            aside.discard_aside(open_store, discard)
            lines += [f"{number}: discarded" for number in discard]
        left = aside.asides(open_store)
        for each in left:
            lines += [each.line(), *(each.error.splitlines() if verbose else ())]
        show_either(as_json, left, lines or ["no email is set aside"])


@mail_command.command(
    "list", epilog=examples("pbem mail list stray.pbem", "pbem mail list stray.pbem --json")
)
@on_game
@json_option
def list_command(store: Store, game_id: str | None, as_json: bool) -> None:
    """List letters that did not act, and letters that were refused.

    Held: the sender was in doubt. Stopped: kept until the game goes on. Quarantined: for no game here.
    """
    from pbem.service.intake.outbox import letters as outgoing
    from pbem.service.moderating.held import letters

    kept = letters(store, game_id)
    refused = [each for each in outgoing(store, game_id) if each.state == "refused"]
    lines = [line for each in kept for line in (each.line(), f"       {each.why}")]
    if refused:
        lines += ["Refused by the mail server (pbem mail resend NUMBER tries again):"]
        lines += [line for each in refused for line in described(each)]
    show_either(as_json, {"kept": kept, "refused": refused}, lines or ["every letter has acted"])


@mail_command.command(
    "show", epilog=examples("pbem mail show stray.pbem 1", "pbem mail show stray.pbem 1 --json")
)
@on_game_with("number")
@json_option
def show_command(store: Store, game_id: str | None, number: str, as_json: bool) -> None:
    """Show a letter that was received: headers and text.

    Nothing in it acts on the terminal; passwords and the secret part of reply addresses are left out.
    """
    from pbem.service.moderating.held import page

    with store.transaction() as session:
        lines = page(session, numbered(number), game_id)
    show_either(as_json, lines, lines)


@mail_command.command(
    "release",
    epilog=examples(
        "pbem mail release stray.pbem 1 --dry-run",
        'pbem mail release stray.pbem 1 --why "she phoned" --yes',
    ),
)
@on_game_with("number")
@hosted
def release_command(store: Store, game_id: str | None, number: str, why: str, by: str, **how: Any) -> None:
    """Act on a held letter, as if its owner had confirmed it."""
    from pbem.service.intake.released import release
    from pbem.service.moderating.held import game_of

    letter = numbered(number)
    game_id = game_id or game_of(store, letter)
    do(store, game_id, lambda table: release(table, letter, by=by, why=why), final=True, **how)


@mail_command.command(
    "discard",
    epilog=examples(
        "pbem mail discard stray.pbem 1 --dry-run",
        "pbem mail discard stray.pbem 1 --why forged --yes",
    ),
)
@on_game_with("number")
@hosted
def discard_command(store: Store, game_id: str | None, number: str, why: str, by: str, **how: Any) -> None:
    """Never act on a letter that is held or kept.

    Its owner gets a letter about it. A letter that belongs to no game only leaves the list.
    """
    from pbem.service.moderating.held import discard, discard_stray, game_of

    letter = numbered(number)
    game_id = game_id or game_of(store, letter)
    if game_id is not None:
        do(store, game_id, lambda table: discard(table, letter, by=by, why=why), final=True, **how)
        return
    done = discard_stray(store, letter, by=by, dry_run=how["dry_run"])
    show_either(how["as_json"], done, done.lines())


def numbered(text: str) -> int:
    """Return the number of a letter as it was written."""
    if not text.isdecimal():
        raise click.UsageError(f'"{text}" is not the number of a letter: pbem mail list shows them')
    return int(text)


def described(letter: Posted) -> list[str]:
    """Return a letter of the outbox as a line, with a second line if sending it failed."""
    from pbem.service.letters.log import local_time

    lines = [f"{letter.number:>5}  {letter.state:<8} {letter.recipient}  {letter.subject}"]
    if letter.detail and letter.tried is None:
        lines.append(f"       {letter.detail}")
    elif letter.detail and letter.tried is not None:
        tried = f"{count(letter.attempts, 'attempt')}, last {local_time(letter.tried, 'UTC')}"
        again = f", next {local_time(letter.next_try, 'UTC')}" if letter.next_try else ""
        lines.append(f"       {letter.detail} ({tried}{again})")
    return lines


@contextmanager
def until_told_to_stop() -> Iterator[Callable[[], bool]]:
    """Yield a function that says whether SIGTERM or SIGINT has come. A second signal ends the process as
    usual."""
    came: list[int] = []
    before: dict[int, Any] = {}

    def stop(number: int, frame: object) -> None:
        came.append(number)
        as_before()

    def as_before() -> None:
        for each, handler in before.items():
            signal.signal(each, handler)

    before |= {each: signal.signal(each, stop) for each in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield lambda: bool(came)
    finally:
        as_before()


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
            "no way to send: give --smtp HOST:PORT or --folder FOLDER, or set smtp.host in pbem.toml"
        )
    if port and not port.isdecimal():
        raise click.UsageError(f'write --smtp as HOST:PORT, not "{smtp}"')
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


def _summed_up(handed: list[Handed], folder: str) -> str:
    """How many letters were written to a folder, and what that means."""
    written = sum(each.result == "sent" for each in handed)
    if not written:
        return "Wrote no letter: none is waiting. pbem mail outbox --all lists those that have gone out."
    counts = "they count" if written > 1 else "it counts"
    return f"Wrote {count(written, 'letter')} to {folder}; {counts} as sent."


def report(handed: list[Handed], as_json: bool, verbose: bool, stopped: bool = False, ends: str = "") -> None:
    """Show what became of each letter, and exit with the code that says so."""
    lines = [f"{each.result:<8} {each.recipient}  {each.subject}  {each.detail}".rstrip() for each in handed]
    lines += [ends] if ends else []
    show_either(as_json, handed, lines or (["no letters are due"] if verbose else []))
    if stopped:
        click.echo("pbem: stopped; the other letters are still in the outbox", err=True)
    if stopped or any(each.result == "later" for each in handed):
        sys.exit(TEMPORARY)
    if any(each.result == "refused" for each in handed):
        sys.exit(1)
