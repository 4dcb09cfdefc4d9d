"""Cases of a rulebook written as TOML files, by people who need not program: a position, orders as a letter
has them, dice, and what must come of it. README.md of this package explains them by an example."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import Field, model_validator

from pbem.engine.data import Data, faulty, load
from pbem.engine.errors import DataError, OrderError
from pbem.engine.game import Game, GameState
from pbem.engine.installed import home
from pbem.engine.notes import Note
from pbem.engine.play import Chance, Dice, seats_asked
from pbem.service.play.papers import ForPhase, Papers
from pbem.service.play.sheet import SheetLine, in_order
from pbem.service.play.steps import Position as Place
from pbem.service.play.steps import Step, play_on
from pbem.testing import rulecases

NONE = "none"
"""How a file writes that there is nothing: TOML has no word for it."""

Changes = dict[str, Any]
"""Fields of a unit with their values; `at` is a hex, or a place off the map."""


class Position(Data):
    """Where the case begins: a scenario, and what is different from its start."""

    phase: str
    scenario: str = ""
    options: dict[str, str] = Field(default_factory=dict)
    turn: int | None = None
    units: dict[str, str | Changes] = Field(default_factory=dict)
    others: str | Changes = Field(default_factory=dict)
    """What becomes of all units that are not named."""
    state: Changes = Field(default_factory=dict)
    """Other fields of the state; tables are merged, everything else is replaced."""


class Refused(Data):
    """A line that must be refused: how it begins, the case, and words of the reason."""

    line: str
    case: str
    says: str = ""


class Expected(Data):
    """What must come of it; all that is written must be so, and nothing is said of the rest."""

    units: dict[str, str | Changes] = Field(default_factory=dict)
    state: Changes = Field(default_factory=dict)
    refused: tuple[Refused, ...] = ()
    notes: tuple[Changes, ...] = ()
    """Notes that must be in the log, each with its `kind` and some of its facts."""
    dice: tuple[str, ...] | None = None
    """What the dice were rolled for, in turn."""
    waits: str = ""
    """The seat that the game waits for, if the phase does not end."""


class CaseFile(Data):
    """One case: position, letters by seat, answers to questions by what is asked, dice in turn."""

    title: str
    case: str
    source: str = ""
    position: Position
    orders: dict[str, str] = Field(default_factory=dict)
    answers: Changes = Field(default_factory=dict)
    dice: tuple[int | tuple[int | str, ...], ...] = ()
    expect: Expected

    @model_validator(mode="after")
    def _expects_something(self) -> CaseFile:
        if not self.expect.model_fields_set:
            raise ValueError("expect says nothing of what must come of it")
        return self


def case_files(tests: Path | None) -> list[Path]:
    """The case files of a game, in the folder ``cases`` of its tests."""
    if tests is None:
        return []
    return sorted(((tests if tests.is_dir() else tests.parent) / "cases").glob("*.toml"))


def faults_of_case(game: Game[Any], path: Path) -> Iterator[str]:
    """What does not come of a case as its file says. Raises DataError for a mistake in the file itself, with
    the file, the place in it, and what would do."""
    case = load(path, CaseFile)
    mistakes = list(_mistakes(game, case))
    if mistakes:
        raise faulty(path, mistakes)
    try:
        played = _Played(game, case)
    except DataError as error:
        raise faulty(path, [str(error)]) from error
    except Exception as error:  # a position that cannot be may break any rule
        raise faulty(path, [f"position: it cannot be played: {type(error).__name__}: {error}"]) from error
    yield from played.faults()


def _mistakes(game: Game[Any], case: CaseFile) -> Iterator[str]:
    """Names in a file that the game does not have."""
    at = case.position
    seats = [seat.key for seat in game.seats]
    yield from _not_among("position.phase", [at.phase], [phase.key for phase in game.phases])
    yield from _not_among("position.scenario", [at.scenario] if at.scenario else [], list(game.scenarios))
    yield from _not_among("orders", case.orders, seats)
    yield from _not_among("expect.waits", [case.expect.waits] if case.expect.waits else [], seats)
    listed = list(rulecases.listed(home(game.key)))
    cited = [each.strip() for each in case.case.split(",")]
    yield from _not_among("case", cited, listed)
    yield from _not_among("expect.refused", [each.case for each in case.expect.refused], listed)
    for note in case.expect.notes:
        if "kind" not in note:
            yield f"expect.notes: a note needs its kind: {note}"


def _not_among(place: str, named: Any, known: list[str]) -> Iterator[str]:
    for name in named:
        if name not in known:
            near = get_close_matches(name, known, 5, 0.4) or known[:20]
            yield f"{place}: there is no {name!r}; did you mean {', '.join(near)}?"


# --- the position ---------------------------------------------------------------------------------------


def begun(game: Game[Any], at: Position) -> GameState:
    """The state in which a case begins. Raises DataError."""
    try:
        start = game.start(at.scenario or None, at.options)
    except ValueError as error:
        raise DataError(f"position: {error}") from error
    plain = json.loads(game.dump(start))
    hexes = set().union(*(game.roster(start, seat.key).hexes for seat in game.seats_of(start.options)))
    tables = _unit_tables(plain)
    if at.others:
        for table in tables:
            for id in table:
                if id not in at.units:
                    table[id] = _changed(f"position.others of {id}", table[id], at.others, hexes)
    for id, changes in at.units.items():
        tabled = [table for table in tables if id in table]
        place = f"position.units.{id}"
        if tabled:
            tabled[0][id] = _changed(place, tabled[0][id], changes, hexes)
        else:
            plain["units"][id] = _made(place, id, changes, tables, hexes)
    _merge("position.state", plain, at.state)
    plain |= {"phase": at.phase, "turn": start.turn if at.turn is None else at.turn}
    state: GameState = game.load(json.dumps(plain).encode())
    return state


def _unit_tables(plain: dict[str, Any]) -> list[dict[str, Any]]:
    """The parts of a state that hold its units by id."""
    return [
        part
        for name, part in plain.items()
        if isinstance(part, dict)
        and (
            name == "units"
            or (part and all(isinstance(u, dict) and u.get("id") == id for id, u in part.items()))
        )
    ]


def _changed(place: str, unit: Any, changes: str | Changes, hexes: set[str]) -> Any:
    """A unit with what a file says of it."""
    if not isinstance(unit, dict):
        return changes
    wanted = _spelt_out(changes, hexes)
    if unknown := [name for name in wanted if name not in unit]:
        raise DataError(f"{place}: a unit has no {', '.join(unknown)}; it has {', '.join(unit)}")
    return unit | wanted


def _spelt_out(changes: str | Changes, hexes: set[str]) -> Changes:
    """Changes by the names of fields: ``at`` is a hex of the map, or a place off it."""
    wanted = {"at": changes} if isinstance(changes, str) else dict(changes)
    if "at" in wanted:
        at = wanted.pop("at")
        wanted |= {"place": "map", "hex": at} if at in hexes else {"place": at, "hex": None}
    return {name: None if value == NONE else value for name, value in wanted.items()}


def _made(place: str, id: str, changes: str | Changes, tables: list[dict[str, Any]], hexes: set[str]) -> Any:
    """A unit that the scenario does not have: like another one, or with all its fields."""
    known = [each for table in tables for each in table]
    near = ", ".join(get_close_matches(id, known, 5, 0.4) or known[:5])
    if isinstance(changes, str):
        raise DataError(f"{place}: the scenario has no unit {id!r}; did you mean {near}?")
    wanted = _spelt_out(changes, hexes)
    model = wanted.pop("like", None)
    if model is not None:
        pattern = next((table[model] for table in tables if model in table), None)
        if pattern is None:
            raise DataError(f"{place}: like names {model!r}, which is no unit before it")
        wanted = pattern | wanted
    return wanted | {"id": id}


def _merge(place: str, plain: dict[str, Any], changes: Mapping[str, Any], depth: int = 0) -> None:
    for name, value in changes.items():
        if depth == 0 and name not in plain:
            raise DataError(f"{place}: there is no {name}; there are {', '.join(plain)}")
        if isinstance(value, dict) and isinstance(plain.get(name), dict):
            _merge(f"{place}.{name}", plain[name], value, depth + 1)
        else:
            plain[name] = None if value == NONE else value


# --- what comes of it -----------------------------------------------------------------------------------


class _Played:
    """A case as it is played: one phase, to its end or to where it waits."""

    def __init__(self, game: Game[Any], case: CaseFile) -> None:
        self.game, self.case = game, case
        self.refused: list[tuple[str, str]] = []
        self.rolled: list[str] = []
        self.left = list(case.dice)
        self.missing = ""
        self.start = begun(game, case.position)
        self.answers = dict(case.answers)
        papers = {seat.key: self._papers(seat.key) for seat in game.seats_of(self.start.options)}
        place = Place(1, game.dump(self.start))
        steps, _ = play_on(game, place, papers, self._dice)
        self.step: Step = steps[0]

    def _papers(self, seat: str) -> Papers:
        """The letter of a seat; all of its sections are closed, and what it leaves open goes by default."""
        phase = self.game.phase(self.start.phase)
        waits = seat == self.case.expect.waits
        first = next(iter(phase.open_to(self.start, seat)), "")
        lines = list(enumerate(self.case.orders.get(seat, "").splitlines(), 1))
        reading = self.game.grammar.read(lines, self.game.roster(self.start, seat), first)
        for fault in reading.faults:
            self.refused.append((fault.text.strip(), str(fault.error)))
        if reading.unread:
            raise DataError(f"orders.{seat}: not an order: {reading.unread[0].text.strip()}")
        sheet = [SheetLine(at, line.section, line.text, line) for at, line in enumerate(reading.orders, 1)]
        sections = dict.fromkeys(line.section for line in sheet)
        return Papers(
            seat,
            tuple(
                line
                for section in sections
                for line in in_order([line for line in sheet if line.section == section])
            ),
            frozenset(phase.open_to(self.start, seat)),
            tuple(reading.standing),
            phase=ForPhase(self.answers, defaults=not waits),
        )

    def _dice(self, state: GameState, label: str, number: int) -> Dice:
        def rolled(request: Chance, label: str) -> list[Any] | None:
            if number > 1:
                return None
            self.rolled.append(request.what)
            if not self.left:
                self.missing = f"no die is given for {request.what} ({request.dice})"
                return None
            face = self.left.pop(0)
            given = list(face) if isinstance(face, tuple) else [face]
            try:
                request.check(given)
            except OrderError as error:
                raise DataError(f"dice: {error}, for {request.what} ({request.dice})") from error
            return given

        return rolled

    def faults(self) -> Iterator[str]:
        """What is not as the file says it must be."""
        expect, step = self.case.expect, self.step
        if self.missing:
            yield f"dice: {self.missing}"
        if self.left and not self.missing:
            yield f"dice: {len(self.left)} are left over; rolled for: {', '.join(self.rolled) or 'nothing'}"
        if expect.dice is not None and list(expect.dice) != self.rolled:
            yield f"expect.dice: rolled for {self.rolled}"
        waiting = seats_asked(step.waiting)
        if waiting != ((expect.waits,) if expect.waits else ()) and not self.missing:
            yield f"the phase {'waits for ' + ', '.join(waiting) if waiting else 'has ended'}"
        yield from self._lines()
        yield from _not_so("expect.state", _plain(step.state), expect.state)
        yield from self._units(step.state)
        yield from _not_told(step.notes, expect.notes)

    def _lines(self) -> Iterator[str]:
        refused = self.refused + [
            (outcome.line.text.strip(), outcome.skipped or str(outcome.error))
            for outcome in self.step.outcomes
            if outcome.order is None
        ]
        for wanted in self.case.expect.refused:
            fitting = [(line, why) for line, why in refused if line.startswith(wanted.line)]
            if not fitting:
                yield f"expect.refused: {wanted.line!r} is not refused"
            for line, why in fitting:
                if f"[{wanted.case}]" not in why or wanted.says not in why:
                    yield f"expect.refused: {line!r} is refused because {why}"
        known = [wanted.line for wanted in self.case.expect.refused]
        for line, why in refused:
            if not any(line.startswith(each) for each in known):
                yield f"orders: {line!r} is refused: {why}"

    def _units(self, state: GameState) -> Iterator[str]:
        plain = _plain(state)
        rosters = [self.game.roster(state, seat.key) for seat in self.game.seats_of(state.options)]
        hexes = set().union(*(roster.hexes for roster in rosters))
        known = set().union(*(roster.units for roster in rosters))
        for id, wanted in self.case.expect.units.items():
            unit = next((table[id] for table in _unit_tables(plain) if id in table), None)
            if unit is None and (wanted != NONE or id not in known):
                yield f"expect.units.{id}: there is no such unit"
            elif not isinstance(unit, dict):
                yield from _not_so("expect.units", {id: unit}, {id: wanted})
            else:
                yield from _not_so(f"expect.units.{id}", unit, _spelt_out(wanted, hexes))


def _plain(value: Any) -> Any:
    """A state as plain values, its log left out."""
    if hasattr(value, "__dataclass_fields__"):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value) if f.name != "log"}
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value


def _not_so(place: str, found: Any, wanted: Any) -> Iterator[str]:
    """Where values differ from those that were wanted; tables are looked at entry by entry."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for name, value in wanted.items():
            if name not in found:
                yield f"{place}: there is no {name}; there are {', '.join(map(str, found))}"
            else:
                yield from _not_so(f"{place}.{name}", found[name], value)
    elif found != (None if wanted == NONE else wanted):
        yield f"{place} is {NONE if found is None else found}, not {wanted}"


def _not_told(notes: tuple[Note, ...], wanted: tuple[Changes, ...]) -> Iterator[str]:
    """The notes that are wanted and are not in the log; one that is wanted twice must be there twice."""
    facts = [_plain(note.facts()) for note in notes]
    for each in wanted:
        alike = [fact for fact in facts if fact["kind"] == each["kind"]]
        fitting = [fact for fact in alike if not list(_not_so("", fact, each))]
        if fitting:
            facts.remove(fitting[0])
        elif alike:
            yield from _not_so(f"expect.notes.{each['kind']}", alike[0], each)
        else:
            kinds = ", ".join(dict.fromkeys(fact["kind"] for fact in facts))
            yield f"expect.notes: there is no {each['kind']} left; the log has {kinds or 'no more'}"
