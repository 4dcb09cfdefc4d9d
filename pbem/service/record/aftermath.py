"""What a run of play leaves with the seats: their news, and which of their sections have been played."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from pbem.engine.game import Game
from pbem.engine.play import Ask, AskAll
from pbem.service.play.answers import Outcome, reached
from pbem.service.play.lateness import ClosedBy, Played
from pbem.service.play.news import DeadlineNews, DecisionNews, LineNews, News
from pbem.service.play.questions import Questions
from pbem.service.play.steps import Step
from pbem.service.record.game_record import GameRecord


def note_news(
    game: Game[Any], record: GameRecord, steps: Sequence[Step], deadlines: Iterable[DeadlineNews]
) -> None:
    """Note for each seat what it is to be told of what was played, and of the deadlines that passed."""
    people = {key: seat for key, seat in record.seats.items() if not seat.bot}
    told = {key: News.load(seat.news) for key, seat in people.items()}
    for step in steps:
        for key, news in told.items():
            _end_what_was_begun(game, key, news, step)
        for outcome in step.outcomes:
            if outcome.seat in told:
                told[outcome.seat].lines.append(_line_news(outcome))
        for decision in step.decided:
            if decision.seat in told:
                title = Questions.load(people[decision.seat].questions).title_of(step.number, decision.what)
                told[decision.seat].decided.append(
                    DecisionNews(
                        decision.what, str(decision.value), decision.by, decision.line, decision.why, title
                    )
                )
    for deadline in deadlines:
        for news in told.values():
            news.deadlines.append(deadline)
    for key, news in told.items():
        people[key].news = news.dump()


def _end_what_was_begun(game: Game[Any], seat: str, news: News, step: Step) -> None:
    """Tell how far a line has come that a question had interrupted, once it has been carried out to its
    end."""
    if isinstance(step.waiting, Ask | AskAll) and all(each.seat != seat for each in step.outcomes):
        return
    for line in [line for line in (*news.begun, *news.lines) if line.under_way]:
        order = game.grammar.load(line.under_way)
        assert order is not None
        ended = replace(line, reached=reached(game, step.state, seat, order), under_way=None)
        news.lines = [each for each in news.lines if each is not line] + [ended]
    news.begun = []


def _line_news(outcome: Outcome) -> LineNews:
    line = outcome.line
    order = outcome.order.dump() if outcome.under_way and outcome.order else None
    return LineNews(line.title, line.section, line.text.strip(), outcome.skipped, outcome.reached, order)


def mark_played(
    game: Game[Any],
    record: GameRecord,
    step: Step,
    late: Mapping[str, str],
    closed: Mapping[str, Collection[str]],
    early: str = "",
) -> None:
    """Note which sections have been played with a step, asked for or not. `late` are the seats whose time was
    up, each with the section asked for, `closed` the sections that each seat had closed, `early` who closed
    those of the late seats before their time was up."""
    phase = game.phase(step.label.split(".")[1]) if step.label else None
    for key, section in dict.fromkeys(step.spent):
        asked = (key, section) in step.finished or (key, section) in step.asked
        if key in record.seats and phase and (asked or not phase.drawn):
            seat = record.seats[key]
            lines = any((outcome.seat, outcome.line.section) == (key, section) for outcome in step.outcomes)
            by: ClosedBy = "done" if lines or section in closed[key] else ""
            if section in (late.get(key), seat.missed.get("section")):
                by = "early" if early or (key not in late and seat.missed.get("early")) else "deadline"
            played = Played(step.turn, step.number, record.journal.last, record.now.isoformat(), by)
            seat.played = seat.played | {section: asdict(played)}
