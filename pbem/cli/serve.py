"""`pbem serve`: the mail service."""

from __future__ import annotations

import click

from pbem.cli.shell import examples, store_option
from pbem.cli.stores import target


@click.command("serve", epilog=examples("pbem serve", "pbem serve club.pbem"))
@click.argument("file", required=False, metavar="[FILE]")
@store_option
def serve_command(file: str | None, store: str | None) -> None:
    """Take mail in, play, and send mail out, until told to stop.

    The settings (pbem.toml) switch the ways in on: LMTP, SMTP, a mailbox by IMAP, a Maildir, a socket for
    pbem mail receive. Several processes may serve one PostgreSQL.

    SIGTERM and SIGINT end it once what is in hand is done. Exits with 75 if the store was upgraded by another
    pbem meanwhile.
    """
    from pbem.config import settings
    from pbem.service.record.store import Store

    try:
        from pbem.serve import run
    except ModuleNotFoundError as error:
        raise click.ClickException(f"{error}: install it with pip install '.[serve]'") from error
    known = settings().model_copy(update={"store": target(file or store)})
    run.check(known)
    Store.open(known.store).close()
    raise SystemExit(run.serve(known))
