"""`pbem help`: the guides that come with pbem, and how to play a game without owning its rulebook."""

from __future__ import annotations

from difflib import get_close_matches

import click

from pbem.cli import terminal
from pbem.cli.shell import pager_option, show


@click.command("help")
@click.argument("name", required=False, metavar="[TOPIC|GAME|COMMAND]")
@click.argument("words", nargs=-1, metavar="[PART]")
@click.option("--markdown", is_flag=True, help="Show all orders of GAME as a page with a whole letter.")
@pager_option
@click.pass_context
def help_command(
    ctx: click.Context, name: str | None, words: tuple[str, ...], markdown: bool, pager: bool
) -> None:
    """Show a guide, or explain how to order in GAME.

    Without a name, list the commands, topics and games. PART of a topic is words in the title of a chapter.
    PART of a game is `charts` (the tables that play needs), a word in the title of one of them, `rulings`
    (how gaps of the rulebook are read), a verb, a section or `standing`. Through a pipe, guides are Markdown.

        pbem help playing
        pbem help rampage charts
    """
    from pbem.engine.installed import playable

    assert ctx.parent is not None
    part = " ".join(words)
    if name is None:
        _overview(ctx.parent, pager)
    elif name in playable():
        _game(name, part, markdown, pager)
    elif markdown:
        raise click.UsageError("--markdown is for a game: pbem help GAME --markdown")
    else:
        _topic(ctx.parent, name, part, pager)


def _overview(main: click.Context, pager: bool) -> None:
    """List what there is help on."""
    from pbem.engine.installed import games
    from pbem.service.tools.guides import GUIDES

    formatter = main.make_formatter()
    with formatter.section("Topics (pbem help TOPIC)"):
        formatter.write_dl(
            [(topic, f"{guide.about[0].upper()}{guide.about[1:]}.") for topic, guide in GUIDES.items()]
        )
    with formatter.section("Games (pbem help GAME [charts|rulings|VERB|SECTION])"):
        formatter.write_text(", ".join(games()))
    show([main.get_help(), "", formatter.getvalue().rstrip()], pager=pager)


def _game(key: str, part: str, markdown: bool, pager: bool) -> None:
    """Explain the orders of a game, or a part of them."""
    from pbem.engine import game as contract
    from pbem.engine.language.reference import NO_HELP, reference
    from pbem.service.letters import handbook
    from pbem.service.tools import guides

    rules = contract.game(key)
    if markdown:
        click.echo(guides.order_page(rules), nl=False)
        return
    state = rules.start()
    charts, _, word = part.lower().partition(" ")
    if charts == "charts":
        tables = handbook.charts_on(rules, state, word)
    elif part.lower() in rules.report.charts(state):
        tables = [each for each in handbook.charts(rules, state) if each.title.lower() == part.lower()]
    elif part == "rulings":
        show(handbook.rulings_lines(rules.key), pager=pager)
        return
    elif (text := reference(rules.grammar, part or None)).startswith(NO_HELP):
        if not (tables := handbook.charts_on(rules, state, part)):
            raise click.ClickException(f"{text.rstrip()}\nThe tables: pbem help {key} charts")
    else:
        show([text], pager=pager)
        return
    if not tables:
        titles = "; ".join(each.title for each in handbook.charts(rules, state))
        raise click.ClickException(f'there is no table "{word}"; there are: {titles or "none"}')
    lines = [line for each in tables for line in (each.title, "-" * len(each.title), *each.lines, "")]
    show(lines, pager=pager)


def _topic(main: click.Context, name: str, part: str, pager: bool) -> None:
    """Show a guide or a chapter of it, or the help of a command."""
    from pbem.engine.installed import games
    from pbem.service.tools.guides import GUIDES

    group = main.command
    assert isinstance(group, click.Group)
    if name in GUIDES:
        guide = GUIDES[name]
        _guide(guide.chapters(part) if part else guide.text(), pager)
    elif (command := group.get_command(main, name)) is not None:
        with click.Context(command, info_name=name, parent=main) as context:
            click.echo(command.get_help(context))
    else:
        near = get_close_matches(name, [*GUIDES, *games(), *group.list_commands(main)], 1)
        meant = f" Did you mean {near[0]}?" if near else ""
        raise click.ClickException(
            f'there is no help on "{name}".{meant} Topics: {", ".join(GUIDES)}; games: {", ".join(games())}'
        )


def _guide(text: str, pager: bool) -> None:
    """Show Markdown: as text in a terminal, and as it is through a pipe."""
    if not terminal.is_watched():
        click.echo(text, nl=False)
        return
    from pbem.cli.markdown import rendered

    columns = min(terminal.width(), terminal.GUIDE_WIDTH)
    shown = rendered(text, columns, coloured=terminal.is_coloured())
    terminal.page_through(shown, pager)
