"""`pbem tick`: everything that is due, once."""

from __future__ import annotations

import click

from pbem.cli import complete
from pbem.cli.adjudicate import every_deadline, lines_of, read_mail
from pbem.cli.mail import report, until_told_to_stop, way_out
from pbem.cli.shell import examples, now, opened, store_option


@click.command("tick", epilog=examples("pbem tick", "pbem tick club.pbem"))
@click.argument("file", required=False, metavar="[FILE|URL]", shell_complete=complete.files)
@store_option
def tick_command(file: str | None, store: str | None) -> None:
    """Read mail, call deadlines and send letters, once.

    For cron, where pbem serve does not run. New emails in the Maildir of the settings are read first, so
    those that arrived in time count. Nothing is printed unless something was done.

    While an email or the folder cannot be read, no deadline is called; letters are sent.

    Exits with 75 if letters will be retried later, with 1 if a game, an email or a letter has failed, which
    standard error names; the others are dealt with.
    """
    from pbem.service.intake.outbox import send_pending

    way = way_out(None, None, None, None)
    with opened(file or store) as open_store:
        failed, heard = read_mail(open_store)
        facts, trouble = every_deadline(open_store, now()) if heard else ([], [])
        failed += trouble
        for line in lines_of(facts):
            click.echo(line)
        for line in failed:
            click.echo(f"pbem: {line}", err=True)
        with until_told_to_stop() as stop:
            handed = send_pending(open_store, way, now(), stop=stop)
            report(handed, as_json=False, verbose=False, stopped=stop())
    if failed:
        raise SystemExit(1)
