"""The contract: the handful of things a game offers, and all that the rest of pbem knows of it.

A game is a folder with a `GAME = Game(...)` in its ``__init__.py`` and an entry point in the group
``pbem.games`` (installed.py).
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

import msgspec
from pydantic import BaseModel, ConfigDict

from pbem.engine.board import Board
from pbem.engine.errors import DataError
from pbem.engine.installed import GROUP, UNLISTED
from pbem.engine.installed import games as games
from pbem.engine.language import Grammar, Line, Roster
from pbem.engine.notes import Note
from pbem.engine.plan import Judge as Judge
from pbem.engine.plan import Plan as Plan
from pbem.engine.plan import Rate as Rate
from pbem.engine.play import Request
from pbem.engine.wording import unknown


@dataclass(slots=True, kw_only=True)
class GameState:
    """What every game keeps; a game adds its own fields. Plain values only: it is stored as JSON at the start
    of each phase. They are keys and numbers, no words that a person reads: the whole state is compared when a
    phase is played again.

    `turn` is the game-turn; before play begins it is 0 or 1, as the rulebook has it. `phase` is the key of
    the phase being played ("" when the game is over). `rolls` counts the open dice of the whole game. `log`
    holds the notes of the running phase only.
    """

    scenario: str
    options: dict[str, str] = field(default_factory=dict)
    turn: int = 1
    phase: str = ""
    round: int = 1
    rolls: int = 0
    log: list[Note] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Whether the game ends with the phase being played although its scenario has more: a side has
        conceded, or won. A game in which that can be so overrides it."""
        return False

    def note(self, note: Note) -> None:
        self.log.append(note)


S = TypeVar("S", bound=GameState)

SYSTEM = "system"
"""Who plays a seat that the rules of its game play themselves."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table. `side` is the side it plays for; several seats may share one. `played` says
    whether a game with these options has the seat, `system` whether the rules of the game play it
    themselves, as in a solitaire game."""

    key: str
    title: str
    side: str
    played: Callable[[Mapping[str, str]], bool] = lambda options: True
    system: Callable[[Mapping[str, str]], bool] = lambda options: False


@dataclass(frozen=True, slots=True)
class Scenario:
    """What can be played: its title in a few words and its last turn."""

    title: str
    turns: int


@dataclass(frozen=True, slots=True)
class Option:
    """A choice made when a game is started. `choices` are its legal values, the first being the default."""

    key: str
    choices: tuple[str, ...]
    help: str
    case: str


@dataclass(frozen=True, slots=True)
class Ahead(Generic[S]):
    """How lines written before their section comes up are judged.

    * `play(state, seat, section)` gives the play of one section of the seat as if its turn came now, for
      lines to be tried by. None if there is nothing to try them by. It may change `state`.
    * `never(state, seat, line)` says why a line can never act, whatever happens before its turn; "" if it
      may.
    """

    play: Callable[[S, str, str], Coroutine[Request, Any, None] | None]
    never: Callable[[S, str, Line], str] = lambda state, seat, line: ""


@dataclass(frozen=True, slots=True)
class Phase(Generic[S]):
    """A named stretch of play that is replayed as a whole. `when` says whether it is played this turn; after
    it has ended it is played again (with `state.round` one higher) as long as `again` says so. `seats`
    are those that write orders or decide in it, a retreat for instance; `sections` the headings of these
    orders in letters.

    Where chance decides in which order the sections come up, the phase is `drawn`: each round of it is played
    for one of them. Orders for any of them may be written from the start of the turn. `sections_of(state,
    seat)` gives the sections for which a seat may still write in this turn; without it, all of them."""

    key: str
    title: str
    play: Callable[[S], Coroutine[Request, Any, None]]
    seats: tuple[str, ...]
    sections: tuple[str, ...] = ()
    when: Callable[[S], bool] = lambda state: True
    again: Callable[[S], bool] = lambda state: False
    repeats: Callable[[S, str, str], bool] = lambda state, seat, section: False
    """Whether another round of it will ask a seat for a section that this round has asked it for."""
    drawn: bool = False
    ahead: Ahead[S] | None = None
    """How lines for its sections are judged before it is played."""
    sections_of: Callable[[S, str], tuple[str, ...]] | None = None
    named: Callable[[S], str] | None = None
    """Its title with what its state tells, such as the side that acts in it. Left out, the `title`."""

    def title_in(self, state: S) -> str:
        """The title of the phase while `state` lasts."""
        return self.named(state) if self.named is not None else self.title

    def open_to(self, state: S, seat: str) -> tuple[str, ...]:
        """The sections for which a seat may write while `state` lasts. A phase of several seats with as many
        sections has one for each."""
        if seat not in self.seats:
            return ()
        if self.sections_of:
            return self.sections_of(state, seat)
        if 1 < len(self.seats) == len(self.sections):
            return (self.sections[self.seats.index(seat)],)
        return self.sections


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended or would end now: the level in the rulebook's words, the winning side if any, and the
    figures behind it. `margin` is how far the winner is ahead: in the rulebook's points where it has them,
    else in levels of victory."""

    level: str
    winner: str | None
    figures: tuple[tuple[str, str, str], ...] = ()
    """(what, value, case) for each part of the score."""
    margin: float = 1.0


class Part(BaseModel):
    """A part of a view: frozen, nothing unknown in it."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class View(Part):
    """What one seat may know, built up from nothing. A game derives its own and adds what its readers see,
    under any names: only the game's own board, summary and templates read them."""

    game: str
    seat: str
    turn: int
    phase: str
    title: str
    """Turn and phase in words, such as ``Turn 2 (7 June), Allied combat``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(Generic[S]):
    """What letters, maps and replays show of a game.

    * `board(view, notes)` is what to draw of a view with the moves and battles of these notes,
      `summary(view, notes)` what happened in two or three lines of plain words.
    * `story(view, notes)` is a turn or several in sentences, the most important first: SUMMARY shows as
      many as fit into two to four lines. Those that it gives without notes tell how the game stands, and
      are shown when they change. Left out, the summary's are shown.
    * `result(state)` is the final result, to be shown when the game is over; `figures(view)` the score so far
      as the reader of the view knows it: (what, value, case).
    * `charts(state)` gives the tables and the conditions of victory that a player needs in this scenario: the
      lines of each, by the word after HELP.
    * `place(hex)` is what letters call a hex; templates have it as `at(hex)`.
    * `credits` is one line on reconstructed data and its licences, for every letter and map.
    """

    board: Callable[[View, tuple[Note, ...]], Board]
    summary: Callable[[View, tuple[Note, ...]], tuple[str, ...]]
    result: Callable[[S], Result]
    figures: Callable[[View], tuple[tuple[str, str, str], ...]] = lambda view: ()
    charts: Callable[[S], Mapping[str, tuple[str, ...]]] = lambda state: {}
    story: Callable[[View, tuple[Note, ...]], tuple[str, ...]] | None = None
    place: Callable[[str], str] = lambda hex: hex
    credits: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[S]):
    """A rulebook as the rest of pbem sees it.

    * `setup(scenario, options)` gives the `state` before the first phase.
    * `phases` is the sequence of play of one turn, in the rulebook's order.
    * `grammar` holds the order verbs, conditions and standing orders; `roster(state, seat)` the names that a
      seat may use.
    * `view(state, seat)` is what a seat may know ("umpire" sees everything); `report` what letters, maps and
      replays make of it.
    * `judge(state, request)` looks at a request once and gives a function that rates its orders or options
      for the greedy bot; at most 0: not worth doing.
    * `invariants(state)` yields what is wrong with a state: nothing, if the rules are right.
    """

    key: str
    title: str
    seats: tuple[Seat, ...]
    scenarios: Mapping[str, Scenario]
    options: tuple[Option, ...]
    state: type[S]
    setup: Callable[[str, Mapping[str, str]], S]
    phases: tuple[Phase[S], ...]
    grammar: Grammar
    roster: Callable[[S, str], Roster]
    view: Callable[[S, str], View]
    report: Report[S]
    judge: Judge
    invariants: Callable[[S], Iterator[str]]
    where: Callable[[S, str], str | None] | None = None
    """The hex of a unit by its id, None for one on no hex or not in the game. Left out, the roster of a
    seat is built to find it."""
    heading: Callable[[S], str] | None = None
    """Turn and phase in words, as the `title` of every view has them. Left out, a view is built to find
    them."""
    plan: Plan[S] | None = None
    """What the planner must know. Without it the planner plays as the greedy bot does."""
    rules: str = "1"
    """The version of the rules as they are carried out here. It goes up when the same orders and dice may
    lead to another state, or when a note has other facts; not for words."""

    def __post_init__(self) -> None:
        drawn = {section for phase in self.phases if phase.drawn for section in phase.sections}
        if drawn != set(self.grammar.titles):
            wrong = ", ".join(sorted(drawn ^ set(self.grammar.titles)))
            raise ValueError(
                f"{self.key}: the sections of drawn phases, and no others, "
                f"have titles in the grammar: {wrong}"
            )

    def seat(self, key: str) -> Seat:
        """The seat called `key`. Raises KeyError."""
        return next((seat for seat in self.seats if seat.key == key), None) or _no_seat(self, key)

    def hex_of(self, state: S, seat: str, unit: str) -> str | None:
        """The hex of a unit of a seat; None if it is on none, or there is no such unit."""
        if self.where is not None:
            return self.where(state, unit)
        known = self.roster(state, seat).units.get(unit)
        return known.hex if known else None

    def title_of(self, state: S, seat: str) -> str:
        """Turn and phase in words, as the view of a seat has them."""
        return self.heading(state) if self.heading is not None else self.view(state, seat).title

    def seats_of(self, options: Mapping[str, str]) -> tuple[Seat, ...]:
        """The seats that are played under these options."""
        return tuple(seat for seat in self.seats if seat.played(options))

    def systems_of(self, options: Mapping[str, str]) -> tuple[str, ...]:
        """The keys of the seats that the game plays itself under these options."""
        return tuple(seat.key for seat in self.seats if seat.system(options))

    @property
    def turns(self) -> int:
        """The most turns that any scenario has: the length of the hash chain."""
        return max(scenario.turns for scenario in self.scenarios.values())

    def over(self, state: S) -> bool:
        """Whether the game has ended, or ends with the phase being played: the last one of the scenario's
        last turn, or an earlier one."""
        if not state.phase:
            return True
        last = state.turn == self.scenarios[state.scenario].turns
        here = self.phase(state.phase)
        more = here.again(state) or any(phase.when(state) for phase in self._after(here.key))
        return state.over or (last and not more)

    def _after(self, key: str) -> tuple[Phase[S], ...]:
        keys = [phase.key for phase in self.phases]
        return self.phases[keys.index(key) + 1 :]

    def ahead(self, section: str) -> Ahead[S] | None:
        """How lines written ahead for a section are judged."""
        return next((phase.ahead for phase in self.phases if phase.ahead and section in phase.sections), None)

    def phase(self, key: str) -> Phase[S]:
        """The phase called `key`. Raises KeyError."""
        for phase in self.phases:
            if phase.key == key:
                return phase
        raise KeyError(f"{self.key} has no phase {key!r}")

    def start(self, scenario: str | None = None, options: Mapping[str, str] | None = None) -> S:
        """A new game, at the start of its first phase. Raises ValueError for an unknown scenario, option or
        value."""
        key = self.scenario_called(scenario) if scenario else next(iter(self.scenarios))
        state = self.setup(key, self.chosen(options or {}))
        state.phase = next(phase.key for phase in self.phases if phase.when(state))
        return state

    def scenario_called(self, name: str) -> str:
        """The key of a scenario by its key or its title, whole or up to its first comma; capitals do not
        matter. Raises ValueError for an unknown one."""
        said = " ".join(name.casefold().split())
        for key, scenario in self.scenarios.items():
            title = str(scenario.title).casefold()
            if said in (key.casefold(), title, title.partition(",")[0]):
                return key
        raise ValueError(unknown(f"{self.key} has no scenario", name, self.scenarios))

    def chosen(self, options: Mapping[str, str]) -> dict[str, str]:
        """Every option with its value: as chosen, or the default. Raises ValueError."""
        known = {option.key: option for option in self.options}
        for key, value in options.items():
            if key not in known:
                raise ValueError(unknown(f"{self.key} has no option", key, known))
            if value not in known[key].choices:
                choices = ", ".join(known[key].choices)
                raise ValueError(f'option {key} is one of {choices}, not "{value}"')
        return {key: options.get(key, option.choices[0]) for key, option in known.items()}

    def end(self, state: S) -> None:
        """The game ends here, before its rules say so."""
        state.log.clear()
        state.phase = ""

    def next_phase(self, state: S) -> None:
        """Turn the page: `state` becomes the start of the phase after the one just played."""
        state.log.clear()
        if self.over(state):
            state.phase = ""
            return
        here = self.phase(state.phase)
        if here.again(state):
            state.round += 1
            return
        state.round = 1
        keys = [phase.key for phase in self.phases]
        at = keys.index(state.phase)
        while True:
            at += 1
            if at == len(self.phases):
                at = 0
                state.turn += 1
            if self.phases[at].when(state):
                state.phase = self.phases[at].key
                return

    def label(self, state: S) -> str:
        """The name of the running phase in journals and proofs: ``t2.allied_combat``, ``t3.activation.4``."""
        again = f".{state.round}" if state.round > 1 else ""
        return f"t{state.turn}.{state.phase}{again}"

    def dump(self, state: S) -> bytes:
        """The state as JSON. Only at a phase boundary: the log is not kept."""
        return msgspec.json.encode(state)

    def load(self, snapshot: bytes) -> S:
        """The state of a snapshot. Raises DataError when it is not one of this game's."""
        try:
            state: S = _decoder(self.state).decode(snapshot)
        except (ValueError, RecursionError) as error:
            raise DataError(f"not a snapshot of {self.key}: {error}") from error
        return state


def _no_seat(game: Game[Any], key: str) -> Seat:
    raise KeyError(unknown(f"{game.key} has no seat", key, [seat.key for seat in game.seats]))


_decoders: dict[type[Any], msgspec.json.Decoder[Any]] = {}


def _decoder(state: type[Any]) -> msgspec.json.Decoder[Any]:
    """Made once for each kind of state: it takes longer to make than to use."""
    return _decoders.get(state) or _decoders.setdefault(state, msgspec.json.Decoder(state))


@cache
def game(key: str) -> Game[Any]:
    """Return the game called `key`. Raise KeyError for an unknown one, DataError for a broken package."""
    for entry in entry_points(group=GROUP):
        if entry.name == key:
            return _loaded(entry)
    if key in UNLISTED:
        return _loaded(EntryPoint(key, UNLISTED[key], GROUP))
    raise KeyError(unknown("there is no game", key, games()))


def _loaded(entry: EntryPoint) -> Game[Any]:
    """Load a game's package, which is third-party code and may fail in any way."""
    try:
        loaded = entry.load()
    except Exception as error:
        raise DataError(f"{entry.name}: cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(loaded, Game):
        raise DataError(f"{entry.name}: cannot be loaded: {entry.value} is not a Game")
    if loaded.key != entry.name:
        raise DataError(
            f'{entry.name}: cannot be loaded: the key of {entry.value} is "{loaded.key}"; '
            "the entry point must have the same name"
        )
    return loaded
