"""Judge each line of a sheet: ready, waiting or faulty.

The rules themselves try the lines as one plan, each as if those before it had been carried out. Dice and the
decisions of others are imagined as good, bad and mixed: a line is faulty only if it fails with all of them. A
verdict depends on nothing that its writer may not know: papers of other seats are not used, and lines after a
reveal, or after dice that depend on something hidden, are only waiting.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.engine.desk import Desk
from pbem.engine.errors import OrderError
from pbem.engine.game import Game
from pbem.engine.language import Order
from pbem.engine.notes import Note
from pbem.engine.play import Chance, Entry, advance
from pbem.service.play.ahead import play_ahead
from pbem.service.play.answers import Outcome
from pbem.service.play.history import reveals
from pbem.service.play.papers import Papers
from pbem.service.play.sections import asked_section, is_drawn, open_sections
from pbem.service.play.sheet import SheetLine, State
from pbem.service.play.steps import Position, Step, resume
from pbem.service.play.trying import Pick, Trying

MIXED = 4
"""How many random rolls to try when neither the best nor the worst dice let a line be carried out."""


NOT_YET = "not possible yet: "
"""Prefix of the reason for a line that only the enemy or chance can make possible."""


@dataclass(slots=True)
class Verdict:
    """The verdict on one line. `says` is the text for its owner, `after` what it waits for, `error` the
    refusal of a faulty line."""

    line: SheetLine
    state: State
    says: tuple[str, ...] = ()
    after: str = ""
    error: OrderError | None = None
    passed: bool = False
    """Its `try` or `if` would pass it over, if it were played now."""

    @property
    def barred(self) -> bool:
        """Whether it could not be played now, with any dice."""
        return self.state == "waiting" and any(each.startswith(NOT_YET) for each in self.says)


@dataclass(slots=True)
class Judgement:
    """The verdicts on all lines of a seat, in the order of play, and what the rules still demand of its
    sections."""

    verdicts: list[Verdict] = field(default_factory=list)
    lacks: dict[str, OrderError] = field(default_factory=dict)

    def of(self, line: SheetLine) -> Verdict:
        """The verdict on a line."""
        return next(verdict for verdict in self.verdicts if verdict.line is line)

    def faulty(self, section: str | None = None) -> list[Verdict]:
        """The verdicts on faulty lines, of one section or of all."""
        return [
            verdict
            for verdict in self.verdicts
            if verdict.state == "faulty" and section in (None, verdict.line.section)
        ]


@dataclass(slots=True)
class _Run:
    """One way in which the rest of the turn may go: `outcomes` of the seat's lines, each with its notes."""

    outcomes: list[tuple[Outcome, tuple[Note, ...]]] = field(default_factory=list)
    lacks: dict[str, OrderError] = field(default_factory=dict)
    finished: set[str] = field(default_factory=set)
    veiled: set[int] = field(default_factory=set)
    """The names of lines that come after something unknown."""
    ended: set[str] = field(default_factory=set)
    """Sections whose orders came to an end, for good."""
    desks: dict[str, Desk[Any]] = field(default_factory=dict)
    """The last desk of each section."""
    foreign: set[int] = field(default_factory=set)
    """The names of lines that come after another seat's orders."""


def judge(
    game: Game[Any],
    position: Position,
    papers: Papers,
    seats: Iterable[str],
    worded: Callable[[Any], Sequence[str]],
    here: Step | None = None,
) -> Judgement:
    """Judge the lines of a seat from `position` on. `seats` are all that play; `worded` puts a note of the
    log into lines of words; `here` is the game as it is, if it is known."""
    here = here or resume(game, position)
    judged = _Judged(game, here, papers.seat, worded)
    lines = papers.lines
    papers = replace(papers, lines=tuple(_tried(line) for line in lines))
    readable = [line for line in lines if line.readable]
    empty = {key: Papers(key) for key in seats}
    for number, pick in enumerate(_lucks()):
        left = [line for line in readable if not judged.is_done(line)]
        if not here.state.phase or (number and not left):
            break
        luck = _Luck(pick)
        run = _forecast(game, position, papers, empty, luck)
        judged.note(run, first=number == 0)
        for section in dict.fromkeys(line.section for line in left):
            if not any(outcome.line.section == section for outcome, _ in run.outcomes):
                judged.note(_ahead(game, here, papers, empty, section, luck), first=number == 0, ahead=True)
        if not luck.tried:
            break
    return judged.judgement(lines)


def _tried(line: SheetLine) -> SheetLine:
    """Return the line to try. An unreadable line is replaced by its suggestion if that heads the lines below
    it, or by what stands in for it."""
    if line.readable or not line.meant:
        return line
    order = line.meant[0].order
    stands = (order,) if order.heads else order.instead()
    return replace(line, line=replace(line.meant[0], order=stands[0])) if stands else line


def _lucks() -> Iterable[Pick]:
    """Yield the ways to imagine dice: best for the seat that orders, worst, then mixed."""
    yield lambda count: count - 1
    yield lambda count: 0
    for number in range(MIXED):
        yield random.Random(number).randrange


@dataclass(slots=True)
class _Luck:
    """A way to imagine dice. As long as it has not been `tried`, no other way can lead elsewhere."""

    pick: Pick
    tried: bool = False

    def __call__(self, count: int) -> int:
        self.tried = True
        return self.pick(count)


# --- the runs -----------------------------------------------------------------------------------------------


def _forecast(
    game: Game[Any], position: Position, papers: Papers, empty: dict[str, Papers], pick: Pick
) -> _Run:
    """Play on with only the lines of one seat, through its consecutive phases, until all have been tried."""
    run = _Run()
    seat, turn = papers.seat, 0
    state = game.load(position.snapshot)
    entries: Sequence[Entry] = position.entries
    trial = empty | {seat: papers}
    behind, others = "", ""
    while state.phase:
        turn = turn or state.turn
        phase = game.phase(state.phase)
        mine = phase.open_to(state, seat)
        desk = Trying(game, state, trial, seat, pick)
        desk.behind = _turn_of(game, mine[0]) if behind and mine and not others else behind
        if behind:
            desk.suppose()
        veil = _Veil(desk)
        progress = advance(phase.play(state), state, entries, answers=desk, dice=veil)
        desk.close()
        _collect(run, desk, veil)
        if progress.waiting is None:
            later = [each for each in game.phases[game.phases.index(phase) + 1 :] if each.when(state)]
            run.ended |= {
                outcome.line.section
                for outcome in desk.outcomes
                if not any(outcome.line.section in each.open_to(state, seat) for each in later)
            }
        if others:
            run.foreign |= {outcome.line.name for outcome in desk.outcomes}
        behind, entries = desk.behind, ()
        if desk.others and not mine:
            others = behind = f"the {_titles(game, desk.others)} side"
        if progress.waiting is not None and not veil.lifted:
            break
        together = len([key for key in game.seats_of(state.options) if phase.open_to(state, key.key)]) > 1
        done = {id(outcome.line) for outcome, _ in run.outcomes}
        if (
            (together and not phase.drawn)
            or phase.drawn
            or all(id(line) in done for line in papers.lines if line.readable)
        ):
            break
        game.next_phase(state)
        if state.turn != turn or not state.phase or seat not in game.phase(state.phase).seats:
            break
    return run


def _ahead(
    game: Game[Any], here: Step, papers: Papers, empty: dict[str, Papers], section: str, pick: Pick
) -> _Run:
    """Play one section of a seat as if it came up now, after those of its sections that the game puts before
    it."""
    run = _Run()
    ahead = play_ahead(game, here, papers.seat, section)
    if ahead is None:
        return run
    state, played = ahead
    trial = empty | {papers.seat: papers}
    desk = Trying(game, state, trial, papers.seat, pick)
    desk.behind = _turn_of(game, section)
    veil = _Veil(desk)
    progress = advance(played, state, (), answers=desk, dice=veil)
    desk.close()
    _collect(run, desk, veil)
    run.lacks.clear()
    if progress.waiting is None:
        run.ended |= {outcome.line.section for outcome in desk.outcomes}
    run.outcomes = [each for each in run.outcomes if each[0].line.section == section]
    run.veiled &= {line.name for line in papers.lines if line.section == section}
    return run


def _titles(game: Game[Any], seats: Iterable[str]) -> str:
    return " and ".join(game.seat(key).title for key in sorted(seats))


def _turn_of(game: Game[Any], section: str) -> str:
    return f"the draw of [{section}]" if is_drawn(game, section) else f"[{section}]"


class _Veil:
    """Imagined dice that stop where their result depends on something that the seat may not know."""

    def __init__(self, desk: Trying) -> None:
        self._desk = desk
        self.lifted = False

    def __call__(self, request: Chance, label: str) -> list[Any] | None:
        values = self._desk.imagine(request, label)
        self.lifted = values is None
        return values


def _collect(run: _Run, desk: Trying, veil: _Veil) -> None:
    """Add the outcomes of one phase to a run; nothing after a reveal is judged by it."""
    log = desk.state.log
    for outcome in desk.outcomes:
        start, end = outcome.notes
        if any(reveals(note) for note in log[:start]) and outcome.after:
            run.veiled.add(outcome.line.name)
        if outcome.foreign:
            run.foreign.add(outcome.line.name)
        run.outcomes.append((outcome, tuple(log[start:end])))
    run.desks |= desk.desks
    run.finished |= {section for seat, section in desk.finished if seat == desk.seat}
    if veil.lifted:
        desk.behind = "dice that depend on information you do not have"
        run.veiled |= {line.name for line in desk.papers[desk.seat].lines} - {
            o.line.name for o, _ in run.outcomes
        }
    run.lacks |= {section: error for (seat, section), error in desk.unmet.items() if seat == desk.seat}


# --- the verdicts -------------------------------------------------------------------------------------------


class _Judged:
    """What the runs so far have shown about each line."""

    def __init__(
        self, game: Game[Any], here: Step, seat: str, worded: Callable[[Any], Sequence[str]]
    ) -> None:
        self.game = game
        self.here = here
        self.seat = seat
        self.worded = worded
        self.good: dict[int, Verdict] = {}
        self.failed: dict[int, Outcome] = {}
        self.ahead: set[int] = set()
        self.lacks: dict[str, OrderError] = {}
        self.veiled: set[int] = set()
        self.missed: set[int] = set()
        self.ended: set[str] = set()
        self.over: dict[str, Desk[Any]] = {}
        """The desk at which the orders of a section came to an end in the first run in which they did."""
        self.ends: dict[str, SheetLine] = {}
        """The line that ended the orders of a section in a run."""
        self.faulty: set[int] = set()
        self.before: dict[int, list[SheetLine]] = {}
        """The lines of its section that are played before each line."""

    def is_done(self, line: SheetLine) -> bool:
        return line.name in self.good or line.name in self.veiled or line.name in self.missed

    def note(self, run: _Run, *, first: bool, ahead: bool = False) -> None:
        """Add a run; the first one supplies the wording and what the rules demand."""
        if first and not ahead:
            self.lacks |= run.lacks
        self.veiled |= run.veiled
        self.ended |= run.ended
        self.over = {section: run.desks[section] for section in run.ended} | self.over
        self.ahead |= run.foreign
        for outcome, notes in run.outcomes:
            name = outcome.line.name
            if outcome.order is not None and outcome.order.ends:
                self.ends.setdefault(outcome.line.section, outcome.line)
            if ahead:
                self.ahead.add(name)
            if name in self.good:
                continue
            if outcome.error is None:
                self.good[name] = self._good(outcome, notes)
            else:
                self.failed.setdefault(name, outcome)

    def _good(self, outcome: Outcome, notes: tuple[Note, ...]) -> Verdict:
        state: State = "waiting" if outcome.after else "ready"
        if outcome.order is None:
            why = f"if played now it is passed over: {outcome.skipped}"
            return Verdict(outcome.line, state, (why,), outcome.after, passed=True)
        words = [line for note in notes if note.seen_by(self.seat) for line in self.worded(note)]
        said = () if outcome.line.name in self.veiled else (*words, *outcome.preview)
        if outcome.order.lasting:
            said = (*said, "does not come back")
        return Verdict(outcome.line, state, tuple(dict.fromkeys(said)), outcome.after)

    def judgement(self, lines: Sequence[SheetLine]) -> Judgement:
        for at, line in enumerate(lines):
            self.before[line.name] = [each for each in lines[:at] if each.section == line.section]
        still = open_sections(self.game, self.here, self.seat)
        verdicts: list[Verdict] = []
        for line in lines:
            verdicts.append(self._verdict(line, still))
            if verdicts[-1].state == "faulty":
                self.faulty.add(line.name)
            elif line.line is not None and (behind := _cut_off_by(line, lines)):
                verdicts[-1].says += (f"if it ends the section, these lines are not played: {behind}",)
        return Judgement(verdicts, self.lacks)

    def _verdict(self, line: SheetLine, still: Sequence[str]) -> Verdict:
        if line.line is None:
            return Verdict(line, "faulty", (line.why,))
        if why := self._useless(line, still):
            return Verdict(line, "faulty", (why,))
        if line.name in self.good:
            return self.good[line.name]
        failed = self.failed.get(line.name)
        if failed is not None and (faulty := self._held_up_by(line)) is not None:
            why = f"{NOT_YET}{failed.error}"
            return Verdict(line, "waiting", (why,), f"the correction of {faulty.title}")
        if failed is None and line.section in self.ended and line.name not in self.veiled:
            return self._not_reached(line)
        if failed is None or line.name in self.veiled:
            after = (
                _turn_of(self.game, line.section)
                if line.section != asked_section(self.here, self.seat)
                else "the lines before it"
            )
            return Verdict(line, "waiting", (), after)
        if line.name in self.ahead:
            return Verdict(line, "waiting", (f"{NOT_YET}{failed.error}",), failed.after)
        before = self._beside(line, str(failed.error))
        said = f"{failed.error}: see {before.title}" if before else str(failed.error)
        return Verdict(line, "faulty", (said,), failed.after, failed.error)

    def _beside(self, line: SheetLine, why: str) -> SheetLine | None:
        """Return an earlier line with an order for a unit of a faulty line, if possible one that the reason
        names; None if there is none."""
        assert line.order is not None
        words = set(re.split(r"[\s,:;]+", why))
        mine = {*line.order.actors()} & words or {*line.order.actors()}
        for other in self.before[line.name]:
            order = other.order if other.name in self.good else None
            if order is not None and not order.heads and mine & {*order.actors()}:
                return other
        return None

    def _held_up_by(self, line: SheetLine) -> SheetLine | None:
        """Return the earlier faulty line that may be the reason why this one fails; None if there is none. A
        later head starts afresh."""
        assert line.order is not None
        for other in reversed(self.before[line.name]):
            if other.name in self.faulty and self._holds_up(other, set(line.order.actors())):
                return other
            if other.name not in self.faulty and other.order is not None and other.order.heads:
                return None
        return None

    def _holds_up(self, faulty: SheetLine, units: set[str]) -> bool:
        """Whether lines of these units depend on a faulty line that nothing, or nothing with these units,
        replaced."""
        if not faulty.lines:
            heads = {kind.verb for kind in self.game.grammar.orders if kind.heads is not Order.heads}
            named = {unit.casefold() for unit in units} & {*re.split(r"[\s,:;+&]+", faulty.text.casefold())}
            return faulty.sort in heads or bool(named)
        order = faulty.lines[0].order
        if not (order.heads or order.instead()):
            return False
        if order.heads and faulty.line is None:
            return True
        good, failed = self.good.get(faulty.name), self.failed.get(faulty.name)
        stood_in = good.line.order if good else failed.instead if failed else None
        return stood_in is None or bool(units & {*order.actors()} - {*stood_in.actors()})

    def _not_reached(self, line: SheetLine) -> Verdict:
        """Return the verdict on a line that no run reached, because its section was over before it."""
        assert line.line is not None
        end = self.ends.get(line.section)
        error = None if end else self.over[line.section].too_late(line.line.order)
        if end:
            why = f"{end.title} ends the orders of [{line.section}]"
        else:
            why = str(error) if error else "there is nothing left to order by then"
        if line.line.attempt:
            return Verdict(line, "waiting", (f"if played now it is passed over: {why}",), passed=True)
        if line.section == asked_section(self.here, self.seat) or (end is not None and _is_the_end(end)):
            return Verdict(line, "faulty", (why,), error=error)
        return Verdict(line, "waiting", (f"{NOT_YET}{why}",), _turn_of(self.game, line.section))

    def _useless(self, line: SheetLine, still: Sequence[str]) -> str:
        """Return why a line can never be carried out; "" if it can."""
        assert line.line is not None
        if line.section not in still:
            return f"[{line.section}] does not come up again this turn"
        ahead = self.game.ahead(line.line.section)
        if line.line.attempt or ahead is None:
            return ""
        return ahead.never(self.here.state, self.seat, line.line)


def _is_the_end(line: SheetLine) -> bool:
    """Whether a line ends the orders of its section, whatever happens."""
    return line.order is not None and line.order.ends and line.line is not None and not line.line.conditions


def _cut_off_by(line: SheetLine, lines: Sequence[SheetLine]) -> str:
    """Return the names of the lines that are not played if this line ends its section; "" if it never does or
    always does."""
    assert line.line is not None
    may_end = line.line.otherwise is not None and line.line.otherwise.ends
    may_end |= line.line.order.ends and bool(line.line.conditions)
    behind = lines[lines.index(line) + 1 :] if may_end else ()
    return ", ".join(other.title for other in behind if other.section == line.section)
