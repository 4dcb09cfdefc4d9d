"""`pbem help`: the guides that come with pbem, and how to play a game without owning its rulebook."""

from __future__ import annotations

from difflib import get_close_matches

import click


@click.command("help")
@click.argument("name", required=False, metavar="[TOPIC|GAME|COMMAND]")
@click.argument("part", required=False, metavar="[PART]")
@click.option("--markdown", is_flag=True, help="Show all orders of GAME as a page with a whole letter.")
@click.pass_context
def help_command(ctx: click.Context, name: str | None, part: str | None, markdown: bool) -> None:
    """Show a guide, or explain how to order in GAME.

    Without a name, list the commands, topics and games. PART of a topic is a word in the title of a chapter.
    PART of a game is `charts` (the tables that play needs), `rulings` (how gaps of the rulebook are read), a
    verb, a section or `standing`.

        pbem help playing
        pbem help rampage charts
    """
    from pbem.engine.installed import games

    assert ctx.parent is not None
    if name is None:
        _overview(ctx.parent)
    elif name in games():
        _game(name, part, markdown)
    elif markdown:
        raise click.UsageError("--markdown is for a game: pbem help GAME --markdown")
    else:
        _topic(ctx.parent, name, part)


def _overview(main: click.Context) -> None:
    """List what there is help on."""
    from pbem.engine.installed import games
    from pbem.service.tools.guides import GUIDES

    click.echo(main.get_help())
    formatter = main.make_formatter()
    with formatter.section("Topics (pbem help TOPIC)"):
        formatter.write_dl(
            [(topic, f"{guide.about[0].upper()}{guide.about[1:]}.") for topic, guide in GUIDES.items()]
        )
    with formatter.section("Games (pbem help GAME [charts|rulings|VERB|SECTION])"):
        formatter.write_text(", ".join(games()))
    click.echo(f"\n{formatter.getvalue().rstrip()}")


def _game(key: str, part: str | None, markdown: bool) -> None:
    """Explain the orders of a game, or a part of them."""
    from pbem.engine import game as contract
    from pbem.engine.language.reference import NO_HELP, reference
    from pbem.service.letters import handbook
    from pbem.service.tools import guides

    rules = contract.game(key)
    if markdown:
        click.echo(guides.order_page(rules), nl=False)
    elif part == "charts":
        for table in handbook.charts(rules, rules.start()):
            click.echo("\n".join([table.title, "-" * len(table.title), *table.lines, ""]))
    elif part == "rulings":
        click.echo("\n".join(handbook.rulings_lines(rules.key)))
    elif (text := reference(rules.grammar, part)).startswith(NO_HELP):
        raise click.ClickException(text.rstrip())
    else:
        click.echo(text)


def _topic(main: click.Context, name: str, part: str | None) -> None:
    """Show a guide or a chapter of it, or the help of a command."""
    from pbem.engine.installed import games
    from pbem.service.tools.guides import GUIDES

    group = main.command
    assert isinstance(group, click.Group)
    if name in GUIDES:
        guide = GUIDES[name]
        click.echo(guide.chapters(part) if part else guide.text(), nl=False)
    elif (command := group.get_command(main, name)) is not None:
        with click.Context(command, info_name=name, parent=main) as context:
            click.echo(command.get_help(context))
    else:
        near = get_close_matches(name, [*GUIDES, *games(), *group.list_commands(main)], 1)
        meant = f" Did you mean {near[0]}?" if near else ""
        raise click.ClickException(
            f'there is no help on "{name}".{meant} Topics: {", ".join(GUIDES)}; games: {", ".join(games())}'
        )
