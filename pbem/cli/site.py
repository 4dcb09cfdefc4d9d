"""`pbem site`: the games of a store as pages for a web server."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import complete
from pbem.cli.shell import examples, json_option, opened, progress_bar, show_either, store_option


@click.command(
    "site",
    epilog=examples(
        "pbem site club.pbem public --title 'The Cotentin Club'",
        "pbem site club.pbem public --no-replays",
    ),
)
@click.argument("words", nargs=-1, required=True, metavar="[FILE] FOLDER", shell_complete=complete.files)
@click.option("--title", default="Games by email", show_default=True, help="What stands above every page.")
@click.option(
    "--replays/--no-replays", default=True, show_default=True,
    help="Write each game that is over as a page to step through.",
)  # fmt: skip
@store_option
@json_option
def site_command(words: tuple[str, ...], title: str, replays: bool, store: str | None, as_json: bool) -> None:
    """Write games, players and rulings as a static site.

    FOLDER gets plain pages for any web server: running games as everybody may know them; games that are over
    with result, map and replay; players with results, ratings and how often they were in time; rulings by
    case. Addresses of players stand nowhere.

    Run it again to bring the folder up to date: only what has changed is written. Names of players become
    public, so ask them first.
    """
    from pbem.service.tools.site import write_site

    if len(words) > 2:
        raise click.UsageError("give [FILE] FOLDER")
    with opened(words[0] if len(words) > 1 else store) as open_store, progress_bar("Reading games") as done:
        written = write_site(open_store, Path(words[-1]), title, replays=replays, done=done)
    show_either(as_json, written, written.lines())
