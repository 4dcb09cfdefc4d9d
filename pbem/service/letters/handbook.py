"""Help for players who have only the letters: the welcome, the charts and the rulings. CHARTS and RULINGS
send them; `pbem help` prints them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from pbem.engine.data import find_data
from pbem.engine.game import Game
from pbem.engine.installed import home
from pbem.engine.wording import count
from pbem.mail.signing import public_key
from pbem.service.letters.deadlines import clock_words, in_general
from pbem.service.letters.log import Part, blocks, due_words, has_template, who
from pbem.service.letters.observers import delay_words
from pbem.service.play.answers import questions
from pbem.service.play.sections import asked_section, phase_title
from pbem.service.play.steps import Step
from pbem.service.record.dice_rules import PROMISES, rule_of
from pbem.service.record.table import Table
from pbem.service.record.terms import in_subject

ADDRESS = (
    "Reply to this letter from the address it was sent to. Its reply address has a secret part: "
    "do not share it."
)
CODE = (
    "Reply to this letter from the address it was sent to, and leave its subject as it is: the code at "
    "the end is secret, so do not share it."
)
"""How to answer, by where the secret stands."""

HOW = (
    "Write one order per line. Name units as on their counters, hexes by number and places by name.",
    "DESK sends a page that writes your orders on a map.",
    "DONE closes a section. Until then your lines are a draft, and none of them is played.",
    "Each line gets an answer: ok, wait (for what), or NO (why, and a line to send instead).",
    "TRY on a line of its own checks an email and keeps nothing.",
    "HELP explains orders, CHARTS sends the tables, RULINGS lists how gaps in the rulebook are filled here.",
)
"""How orders work, in the first letter of a game."""


BEGIN = "How to begin"
"""The title of the part of a first letter that tells how a game is begun."""

# --- the first letter ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seated:
    """How a player comes to a game that is running: for whom he plays ("" for nobody, or for one without a
    name), whether that is `for_a_while`, and whether he is `back`."""

    before: str = ""
    for_a_while: bool = False
    back: bool = False
    taken: bool = True
    """Whether somebody, or a bot, has played the seat before him."""


def greeting(table: Table, step: Step, seat: str, seated: Seated | None = None) -> tuple[str, ...]:
    """Return the first lines of a player's first letter, or of that to one who is `seated` later: who plays
    which side, and what is due when."""
    back = seated is not None and seated.back
    row = table.seats[seat]
    mine = table.game.seat(seat).title
    others = [who(table, key) for key in table.seats if key != seat]
    against = f" against {' and '.join(others)}" if others else ""
    name = f", {row.name}" if row.name else ""
    lines = [f"Welcome{' back' * back}{name}. You play the {mine} side{against}{' again' * back}."]
    if seated is not None and not step.over:
        lines += _taken_over(table, step, seat, seated)
    due, waited = table.deadline(step), table.waited_for(step)
    if due and seat in waited:
        section = asked_section(step, seat)
        what = f"orders for [{section}]" if section else "decisions"
        lines.append(
            f"Your {'' if seated else 'first '}{what} are due {due_words(due, table.now, row.zone)}."
        )
    elif due and waited:
        whom = " and ".join(who(table, key) for key in waited)
        lines.append(f"The game is waiting for {whom}, until {due_words(due, table.now, row.zone)}.")
    return tuple(lines)


def _taken_over(table: Table, step: Step, seat: str, seated: Seated) -> Iterator[str]:
    """Whom a player follows who comes to a game that is running, where the game is, and what is in hand."""
    before = seated.before or "another player"
    if seated.for_a_while:
        yield f"You are a substitute for {before}, until the moderator gives the side back."
    elif seated.taken and not seated.back:
        yield f"You take the place of {before}."
    yield f"The game is running: {phase_title(table.game, step.label, lambda: step.state)}."
    row, asked = table.seats[seat], questions(step.waiting, seat)
    sheet, standing = table.sheet(row), table.standing(row)
    kept = [
        f"{count(len(sheet.of(section)), 'line')} for {table.game.grammar.heading(section)}"
        for section in sheet.sections()
    ]
    kept += [count(len(standing), "standing order")] if standing else []
    kept += [count(len(asked), "open question")] if asked else []
    yield f"In hand for your side: {', '.join(kept) or 'no lines, standing orders or questions'}."


def welcome(table: Table, step: Step, seat: str, *, begun: bool = False) -> list[Part]:
    """The parts of the first letter of a seat: the game and how it is played here, what wins and how to begin
    (the game's ``welcome.txt.j2``, which has `view`, `data(name)` and `charts`), and how orders work. Where
    play has `begun`, how to begin is left out."""
    view = table.game.view(step.state, seat)
    key = table.game.key
    secret = CODE if in_subject(table.row.settings) else ADDRESS
    how = (secret, *HOW[:-1], in_general(table), HOW[-1])
    known = {"view": view, "data": _data(key), "charts": table.game.report.charts(step.state)}
    own = blocks(key, "welcome", **known) if has_template(key, "welcome") else []
    if begun:
        own = [part for part in own if not part.title.startswith(BEGIN)]
    return [Part("The game", tuple(_terms(table)), table=True), *own, Part("How orders work", how)]


def _terms(table: Table) -> Iterator[str]:
    """The game, its scenario, options and people, and its clock."""
    game, row = table.game, table.row
    yield f"game       {game.title}"
    yield f"scenario   {row.scenario}: {game.scenarios[row.scenario].title}"
    yield f"name       {row.id}; it is in the subject of every letter"
    yield f"players    {', '.join(who(table, key) for key in table.seats)}"
    if umpires := table.record.staff("moderator"):
        yield f"moderator  {', '.join(each.name or each.address for each in umpires)}"
    for observer in table.record.staff("observer"):
        yield f"observer   {observer.name or observer.address}, who {delay_words(observer)}"
    if time := clock_words(row.settings):
        at = row.settings.get("clock_at")
        until = (
            f", rounded up to {int(at):02}:00 ({row.settings.get('zone', 'UTC')})" if at is not None else ""
        )
        yield f"clock      {time}{until}"
        if row.settings.get("disputes") == "wait":
            longest = count(row.settings.get("dispute_days", 3), "day")
            yield f"disputes   the clock is stopped until the ruling, for at most {longest}"
    for number, option in enumerate(game.options):
        value = row.options.get(option.key, option.choices[0])
        yield f"{'options' if number == 0 else '':<10} {option.key}: {value} ({option.help}) [{option.case}]"
    yield f"dice       {PROMISES[rule_of(row)]}"
    yield f"letters    signed with the key {public_key(row.letter_key)}"
    yield "rulebook   not included; the letters explain what they can and cite its cases in brackets"


# --- charts and rulings -------------------------------------------------------------------------------


def charts(game: Game[Any], state: Any) -> list[Part]:
    """The tables that play needs, from the game itself (`Report.charts`) or from its ``charts.txt.j2``, which
    has the data files of the game as `data(name)`. None for a game without either."""
    if own := game.report.charts(state):
        return [Part(name.capitalize(), lines) for name, lines in own.items()]
    return blocks(game.key, "charts", data=_data(game.key)) if has_template(game.key, "charts") else []


def charts_on(game: Game[Any], state: Any, word: str) -> list[Part]:
    """The tables with a word in their titles; all of them without a word."""
    return [part for part in charts(game, state) if word.lower() in part.title.lower()]


def _data(key: str) -> Callable[[str], dict[str, Any]]:
    """The data files of a game by name, as templates read them."""
    return lambda name: tomllib.loads(find_data(key, f"{name}.toml").read_text(encoding="utf-8"))


@cache
def rulings(key: str) -> tuple[tuple[str, ...], ...]:
    """Return the rulings of a game as (case, question, decision, reason if given), from the README tables
    that begin with ``| case | question``."""
    readme = home(key) / "README.md"
    lines = readme.read_text(encoding="utf-8").splitlines() if readme.is_file() else []
    rows: list[tuple[str, ...]] = []
    inside = False
    for line in lines:
        inside = line.startswith("| case | question") or (inside and line.startswith("|"))
        if inside and not line.startswith(("| case | question", "|-")):
            rows.append(tuple(_plain(cell) for cell in line.strip().strip("|").split(" | ")))
    return tuple(rows)


def rulings_lines(key: str, words: str = "") -> tuple[str, ...]:
    """The rulings of a game, or those on a case and its parts, or with all of these words in them."""
    lines: list[str] = []
    for row in rulings(key):
        cases, text = re.split(r"[,\s]+", row[0].casefold()), " ".join(row).casefold()
        if not all(
            any(f"{each}.".startswith(f"{word}.") for each in cases)
            or (not word[0].isdigit() and word in text)
            for word in words.casefold().split()
        ):
            continue
        question, decision, *why = row[1:]
        lines += [
            f"[{row[0]}] {question}",
            f"     {decision}",
            *(f"     Why: {each}" for each in why if each),
        ]
    return tuple(lines)


def _plain(cell: str) -> str:
    """A cell of a Markdown table as plain words."""
    return re.sub(r"`([^`]*)`|\*\*([^*]*)\*\*", lambda found: found[1] or found[2], cell).strip()
