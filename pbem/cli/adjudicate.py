"""`pbem adjudicate`: run a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pbem.cli.shell import (
    examples,
    explanation,
    json_option,
    now,
    on_game,
    show_either,
    think_on,
    verbose_option,
)
from pbem.engine.wording import count

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.service.play.steps import Step
    from pbem.service.record.store import Store


@click.command(
    "adjudicate",
    epilog=examples(
        "pbem adjudicate cotentin.pbem",
        "pbem adjudicate club.pbem --deadline",
        "pbem adjudicate cotentin.pbem --force",
    ),
)
@on_game
@click.option("--deadline", is_flag=True, help="Process every game whose deadline has passed.")
@click.option("--force", is_flag=True, help="Apply the deadline now, before it is due.")
@click.option("--late", is_flag=True, help="Apply deadlines that passed more than a day ago, too.")
@click.option(
    "--resume",
    is_flag=True,
    help="Resume a game stopped by an internal error and process the letters received since.",
)
@verbose_option
@json_option
def adjudicate_command(
    store: Store,
    game_id: str | None,
    deadline: bool,
    force: bool,
    late: bool,
    resume: bool,
    verbose: bool,
    as_json: bool,
) -> None:
    """Run a game as far as orders and bots take it.

    With --deadline, nothing is printed unless a deadline has passed, so that cron stays silent. New
    emails in the Maildir of the settings are read first.

    Exits with 1 if a game or an email cannot be processed, and names it on standard error; a game that
    fails for the same reason each time is named once. The others are processed.
    """
    from pbem.service.intake import receive
    from pbem.service.time import deadline as clock

    moment = now()
    if resume:
        receive.resume(store, game_id, moment)
    failed, heard = read_mail(store) if deadline or force or late else ([], True)
    if not heard:
        facts: list[dict[str, Any]] = []
    elif (deadline or late) and not game_id:
        facts, trouble = every_deadline(store, moment, late)
        failed += trouble
    else:
        if deadline or force or late:
            steps = clock.act(store, game_id, moment, force, late)
        else:
            steps = clock.play(store, game_id, moment)
        think_on(store, game_id)
        facts = [fact(store, game_id, steps)]
    show_either(as_json, facts, lines_of(facts) or (["no deadline has passed"] * (verbose and heard)))
    for line in failed:
        click.echo(f"pbem: {line}", err=True)
    if failed:
        raise SystemExit(1)


def read_mail(store: Store) -> tuple[list[str], bool]:
    """Read the emails in the Maildir of the settings, since those that arrived in time count. Return the
    errors, and whether there was nothing that could not be read: until then no deadline may be called."""
    from pbem.cli.mail import receive_all
    from pbem.config import settings

    maildir = settings().maildir
    if maildir is None:
        return [], True
    failed: list[str] = []
    unread = False
    try:
        for name, got in receive_all(store, (), maildir):
            if isinstance(got, OSError):
                unread = True
                failed.append(f"an email was not read: {explanation(got)}")
            elif isinstance(got, Exception):
                failed.append(f"{name}: {explanation(got) or repr(got)}")
    except OSError as error:
        unread = True
        failed.append(f"the mail in {maildir} cannot be read and put away: {explanation(error)}")
    if unread:
        failed.append("no deadline is called until all mail can be read: some may have come in time")
    return failed, not unread


def every_deadline(
    store: Store, moment: datetime, late: bool = False
) -> tuple[list[dict[str, Any]], list[str]]:
    """Act on every game whose deadline has passed, and think in those that wait for it. Return what was done,
    and which games failed and why: one that failed for the same reason at the run before is left out. `late`
    applies deadlines that passed long ago."""
    from pbem.service.record.store import game_ids, is_temporary
    from pbem.service.time import deadline as clock

    facts: list[dict[str, Any]] = []
    failed: list[str] = []
    running = clock.to_look_at(store, moment)
    for game in running:
        try:
            if steps := clock.act(store, game, moment, late=late):
                think_on(store, game)
                facts.append(fact(store, game, steps))
        except Exception as error:
            if is_temporary(error):
                raise
            trouble = explanation(error) or repr(error)
            if clock.is_new_trouble(store, game, trouble, moment):
                failed.append(f"{game}: {trouble}")
    think_on(store, None)
    with store.transaction() as session:
        failed += [
            f"{game}: stopped by an internal error"
            for game in game_ids(session, "stopped")
            if game in running
        ]
    return facts, failed


def lines_of(facts: list[dict[str, Any]]) -> list[str]:
    """What was played, in lines."""
    return [
        f"{row['game']}: {count(row['answers'], 'answer')} recorded; {row['status'].title}" for row in facts
    ]


def fact(store: Store, game_id: str | None, steps: list[Step]) -> dict[str, Any]:
    """Return what was played of a game, and where it is now."""
    from pbem.service.tools.queries import status

    stand = status(store, game_id)
    return {"game": stand.game, "answers": sum(len(step.fresh) for step in steps), "status": stand}
