"""`pbem help`: how to play a game, without owning its rulebook."""

from __future__ import annotations

import click


@click.command("help")
@click.argument("game", required=False)
@click.argument("topic", required=False)
@click.pass_context
def help_command(ctx: click.Context, game: str | None, topic: str | None) -> None:
    """Explain how to order in GAME, or one TOPIC of it.

    TOPIC is `charts` (the tables that play needs), `rulings` (how gaps of the rulebook are read), a verb, a
    section or `standing`. Without GAME, list the commands.

        pbem help rampage charts
    """
    if game is None:
        assert ctx.parent is not None
        click.echo(ctx.parent.get_help())
        return
    from pbem.engine import game as contract
    from pbem.service import handbook

    rules = contract.game(game)
    if topic == "charts":
        for part in handbook.charts(rules, rules.start()):
            click.echo("\n".join([part.title, "-" * len(part.title), *part.lines, ""]))
    elif topic == "rulings":
        click.echo("\n".join(handbook.rulings_lines(rules.key)))
    else:
        click.echo(rules.grammar.help(topic))
