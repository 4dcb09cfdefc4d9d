"""`pbem cases`: the cases of a rulebook, and where each is handled."""

from __future__ import annotations

import click

from pbem.cli.shell import examples, game_argument, json_option, show, show_json


@click.command("cases", epilog=examples("pbem cases normandy71", "pbem cases normandy71 --json"))
@game_argument
@json_option
def cases_command(game: str, as_json: bool) -> None:
    """List the cases of a rulebook and where each is handled."""
    from dataclasses import asdict

    from pbem.service.letters.caselist import cases

    case_list = cases(game)
    if as_json:
        listed = [asdict(case) | {"handled": case.handled} for case in case_list.listed]
        show_json({"game": case_list.game, "summary": case_list.summary, "cases": listed})
        return
    for case in case_list.listed:
        mark = "  " if case.handled else "! "
        show(
            [
                f"{mark}{case.number:<8} {case.title}  ({case.status})"
                + (f": {case.note}" if case.note else "")
            ]
        )
        show(
            [
                f"{'':<11}{what}: {few(places)}"
                for what, places in (("code", case.code), ("tests", case.tests))
                if places
            ]
        )
    show([case_list.summary + ("" if case_list.tests else " (tests are listed only in a source checkout)")])


def few(places: tuple[str, ...]) -> str:
    return ", ".join(places[:4]) + (f" and {len(places) - 4} more" if len(places) > 4 else "")
