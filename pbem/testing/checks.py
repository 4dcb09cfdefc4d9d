"""What must hold of every game. Each check yields what is wrong, in words; a check that yields nothing has
found nothing.

`CHECKS_OF_A_PLAY` look at one game that bots have played, `CHECKS_OF_A_GAME` at the game as a whole. Whatever
a check cannot do because an earlier one has failed (a game that stops has no end to look at) it leaves out.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, fields
from datetime import timedelta
from email import message_from_bytes
from functools import cached_property, partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar
from xml.etree import ElementTree

from pbem import render
from pbem.engine.autoplay import replay_equal
from pbem.engine.board import Board
from pbem.engine.board import Counter as Face
from pbem.engine.desk import Desk, FirstOf
from pbem.engine.errors import DataError, OrderError, ReplayMismatch
from pbem.engine.game import Game, GameState, View
from pbem.engine.game import game as installed_game
from pbem.engine.installed import games, home
from pbem.engine.language import Condition, Grammar, Order, Policy, Reading, Roster
from pbem.engine.language.names import place_key
from pbem.engine.language.reference import Examples, reference
from pbem.engine.notes import UMPIRE, Note
from pbem.engine.planner import BOTS
from pbem.engine.play import Answer, Decision, advance
from pbem.service.letters.log import forces, log_lines
from pbem.service.letters.ordering import Sitting, page_of
from pbem.service.moderating.start import NewGame
from pbem.service.play.advising import advice
from pbem.service.play.questions import Questions
from pbem.service.play.sheet import Sheet
from pbem.service.play.steps import Position, resume
from pbem.service.proof.lines import letter_text
from pbem.service.proof.verify import verify_game
from pbem.service.record.store import Store
from pbem.service.time.deadline import act
from pbem.testing import rulecases
from pbem.testing.fingerprint import differences
from pbem.testing.plays import Page, Plan, Play, worded
from pbem.testing.post import SETTINGS, Postbox, people
from pbem.testing.secrecy import Watch

T = TypeVar("T")

Hidden = Callable[[GameState, str], Iterable[GameState]]
"""States that differ from the one given only in what the seat may not know."""

GAP = re.compile(r"\bNone\b(?!:| of\b)|\{\{|\{%|Modifier\(|Undefined")
"""What a template leaves in a text when a value is missing or is no text."""

PICTURES, REPORTS = 4, 12
"""Phases of a game of which pictures are drawn, and reports written."""
LETTERS = 1
"""Positions of the first game, or with `seeds` of every one, at which the letters of each seat are
compared."""
DEADLINES = 12
"""Deadlines that pass in a game in which no one writes, unless it is played to its end."""
SUBJECTS, OFFERS = 40, 12
"""How many units or hexes of a desk are compared, and how many orders of each."""
DESKS = 12
"""One in this many pairs of positions, of each seat, compares its order desk, with all that it offers now and
in sections to come."""
BOT_PLAYS = 3
"""One in this many pairs of runs in whose phase a seat may act compares what bots would do there."""
PROBES = ("status\nlog\nsummary\nmap\nhelp\n", "orders\nrolls\nstanding\n")
"""Letters of a player who tries to find out more."""


def nothing_hidden(state: GameState, seat: str) -> Iterable[GameState]:
    """The `Hidden` of a game that has no secrets, or declares none."""
    return ()


@dataclass
class Suite:
    """A game and what is needed to check it.

    where    the place of the game for other processes, ``package.module:GAME``; else its entry point
    folder   the folder of its package; else where its entry point says
    tests    the folder of its tests, which must name every case met in code; None leaves that check out
    seeds    how many games of bots are played of each scenario, random and greedy; 0 plays `whims` random
             ones, the greedy bot only in the scenarios `greedy`, and stops games in which no one writes after
             a few deadlines
    greedy   those scenarios; left out, the first one
    silent   the options of the games in which no one writes
    hidden   states that differ only in what a seat may not know
    """

    game: Game[Any]
    where: str = ""
    folder: Path | None = None
    tests: Path | None = None
    seeds: int = 0
    whims: int = 1
    greedy: Sequence[str] = ()
    silent: Sequence[dict[str, str]] = ({},)
    hidden: Hidden = nothing_hidden
    _plays: dict[Plan, Play] = field(default_factory=dict, repr=False)

    def plans(self) -> list[Plan]:
        """The games of bots to play."""
        scenarios = list(self.game.scenarios)
        seeds = range(1, 1 + (self.seeds or 1))
        whims = range(1, 1 + (self.seeds or self.whims))
        random = [Plan("random", scenario, seed) for scenario in scenarios for seed in whims]
        greedy = scenarios if self.seeds else self.quick()
        return random + [Plan("greedy", scenario, seed - 1) for scenario in greedy for seed in seeds]

    def quick(self) -> Sequence[str]:
        """The scenarios that the greedy bot plays where time is short."""
        return self.greedy or list(self.game.scenarios)[:1]

    def play(self, plan: Plan) -> Play:
        """The game of a plan, played once."""
        if plan not in self._plays:
            self._plays[plan] = Play.of(self.game, plan)
        return self._plays[plan]

    def sample(self, play: Play, most: int) -> list[Page]:
        """About `most` phases of a game from its beginning to its end, or with `seeds` every one."""
        pages = play.pages if play.played else []
        step = 1 if self.seeds else max(1, len(pages) // most)
        return pages[step - 1 :: step]

    @property
    def package(self) -> Path:
        return self.folder or home(self.game.key)

    @cached_property
    def starts(self) -> list[GameState]:
        """The first state of every scenario."""
        return [self.game.start(scenario) for scenario in self.game.scenarios]

    @property
    def is_installed(self) -> bool:
        """Whether letters can be written: the store finds a game by its key."""
        try:
            return installed_game(self.game.key) is self.game
        except (KeyError, DataError):
            return False


# --- of a game that was played --------------------------------------------------------------------------


def ends(suite: Suite, play: Play) -> Iterator[str]:
    """Games of random and of greedy bots come to an end within a bound, and in no phase do the rules demand
    an answer and leave none. Whoever wins is ahead."""
    if play.played is None:
        yield play.stopped
    elif (result := play.played.result).winner and result.margin <= 0:
        yield f"{result.winner} wins, {result.level}, with a margin of {result.margin:g}"


def invariants(suite: Suite, play: Play) -> Iterator[str]:
    """The invariants of the game hold after every phase."""
    yield from play.broken


def shortcuts(suite: Suite, play: Play) -> Iterator[str]:
    """`Game.where` finds every unit of a seat where the roster of the seat has it, and so does the map, which
    names no hidden one; `Game.heading` is the title of its view."""
    for page in suite.sample(play, REPORTS):
        for seat in play.seats():
            try:
                fault = _led_astray(play.game, page.state, seat)
            except Exception as error:  # what is under test may fail in any way
                fault = worded(error)
            if fault:
                yield f"{page.label}, for {seat}: {fault}"
                return


def _led_astray(game: Game[Any], state: GameState, seat: str) -> str:
    units = game.roster(state, seat).units
    board = game.report.board(game.view(state, seat), ())
    for face in board.counters:
        known = units.get(face.unit)
        if face.unit and face.hidden:
            return f"the map names {face.unit}, a hidden unit"
        if known and not known.enemy and known.hex != face.hex and face.hex in board.map:
            return f"the roster has {face.unit} at {known.hex}, the map at {face.hex}"
    for unit in units.values() if game.where else ():
        found = game.hex_of(state, seat, unit.id)
        if not unit.enemy and not unit.absent and found != unit.hex:
            return f"the roster has {unit.id} at {unit.hex}, `where` at {found}"
    if game.heading and (said := game.heading(state)) != (title := game.view(state, seat).title):
        return f"the title of the view is {title}, `heading` says {said}"
    return ""


def replays(suite: Suite, play: Play) -> Iterator[str]:
    """Played again from its journal, every phase asks the same and leads to the same state."""
    if play.played is not None:
        try:
            replay_equal(play.game, play.played)
        except ReplayMismatch as error:
            yield worded(error)


def snapshots(suite: Suite, play: Play) -> Iterator[str]:
    """A state that is stored and loaded again is the same state, at the start of every phase and at the
    end."""
    if play.played is None:
        return
    for page in play.pages:
        stored = play.game.dump(page.after)
        loaded = play.game.load(stored)
        if loaded != page.after:
            names = [each.name for each in fields(loaded)]
            lost = [name for name in names if getattr(loaded, name) != getattr(page.after, name)]
            yield f"after {page.label} the snapshot changes {', '.join(lost)}"
        elif play.game.dump(loaded) != stored:
            yield f"after {page.label} the state is stored in another way when it has been loaded"


def words(suite: Suite, play: Play) -> Iterator[str]:
    """Every note that occurs can be put into words for every seat that may read it: no template is missing or
    leaves a gap."""
    told: set[str] = set()
    for page in play.pages if play.played else ():
        for seat in play.seats(UMPIRE):
            for note in page.notes:
                if note.seen_by(seat) and (why := _unworded(play.game, note, seat)) and why not in told:
                    told.add(why)
                    yield f"{page.label}, to {seat}: {why}"


def _unworded(game: Game[Any], note: Note, seat: str) -> str:
    kind = type(note).__name__
    try:
        lines = log_lines(game.key, [note.facts()], seat)
    except Exception as error:  # a template may fail in any way
        return f"{kind} cannot be worded: {worded(error)}"
    return next((f"{kind} is worded: {line.strip()}" for line in lines if GAP.search(line)), "")


def reports(suite: Suite, play: Play) -> Iterator[str]:
    """After every phase each seat can be told where the game stands: title, summary, story, forces, charts,
    without a gap."""
    pages = play.pages if play.played else []
    kinds = {page.before.phase: page for page in reversed(pages)}
    for page in [*kinds.values(), *suite.sample(play, REPORTS)]:
        for seat in play.seats(UMPIRE):
            try:
                lines = list(_report(play.game, page.state, page.notes, seat))
            except Exception as error:  # views and templates under test may fail in any way
                yield f"{page.label}, to {seat}: {worded(error)}"
                return
            for name, line in lines:
                if GAP.search(line):
                    yield f"{page.label}, to {seat}: {name} says: {line.strip()}"
                    return


def _report(
    game: Game[Any], state: GameState, notes: tuple[Note, ...], seat: str
) -> Iterator[tuple[str, str]]:
    seen = game.view(state, seat)
    yield "title", seen.title
    readable = tuple(note for note in notes if note.seen_by(seat))
    yield from (("summary", line) for line in game.report.summary(seen, readable))
    if game.report.story is not None:
        yield from (("story", line) for line in game.report.story(seen, readable))
    yield from (("forces", line) for part in forces(game, seen) for line in (part.title, *part.lines))
    yield from (("charts", line) for lines in game.report.charts(state).values() for line in lines)


def views(suite: Suite, play: Play) -> Iterator[str]:
    """What a seat sees is the same as JSON, as text and as SVG: the view comes back from JSON as it was, the
    map drawn from it is that of the view, and text and picture have exactly its counters, on hexes of the
    map."""
    for page in suite.sample(play, PICTURES):
        for seat in play.seats(UMPIRE):
            if why := _disagreement(play.game, page, seat):
                yield f"{page.label}, to {seat}: {why}"
                return


def _disagreement(game: Game[Any], page: Page, seat: str) -> str:
    try:
        notes = tuple(note for note in page.notes if note.seen_by(seat))
        view = game.view(page.state, seat)
        again = type(view).model_validate_json(view.model_dump_json())
        if again != view:
            return "the view is another one when it comes back from JSON"
        board = game.report.board(view, notes)
        if game.report.board(again, notes) != board:
            return "the map of the view is another one when the view comes back from JSON"
        return _miscounted(board)
    except Exception as error:  # views under test may fail in any way
        return worded(error)


def _miscounted(board: Board) -> str:
    hexes = set(board.map.grid.ids)
    if strays := [face.hex for face in board.counters if face.hex not in hexes]:
        return f"a counter is drawn on {strays[0]}, which the map does not have"
    faces = Counter(board.counters)
    for name, other in (
        ("text", Counter(render.read_text(render.text(board)))),
        ("SVG", Counter(_faces(render.svg(board)))),
    ):
        if other != faces:
            differing = next(iter((faces - other) + (other - faces)))
            return f"the {name} has other counters than the map, such as {differing}"
    return ""


def _faces(svg: str) -> Iterator[Face]:
    """The counters of an SVG map, by the data that it holds of them."""
    names = [each.name for each in fields(Face)]
    for element in ElementTree.fromstring(svg).iter():
        if element.get("class") == "counter":
            shown: dict[str, Any] = {n: v for n in names if (v := element.get(f"data-{n}")) is not None}
            yield Face(**shown | dict.fromkeys((element.get("data-flags") or "").split(), True))


def offers(suite: Suite, play: Play) -> Iterator[str]:
    """No seat is offered an order that only others may give."""
    game, told = play.game, set()
    for phase in play.played.phases if play.played else ():
        for entry in phase.entries:
            seat, order = _ordered(entry.asked, entry.answer)
            kind = next((kind for kind in game.grammar.orders if kind.verb == order), None)
            if kind and kind.seats and seat not in kind.seats and (seat, order) not in told:
                told.add((seat, order))
                yield f"{phase.label}: {seat} is offered {order}, an order of {', '.join(kind.seats)}"


def _ordered(asked: str, answer: Any) -> tuple[str, str]:
    """Who gave which order, by its verb; ("", "") for anything else in a journal."""
    if isinstance(answer, list) and len(answer) == 2 and isinstance(answer[1], dict):
        return str(answer[0]), str(answer[1].get("verb", ""))
    if isinstance(answer, dict) and "verb" in answer:
        return asked.split("|")[1], str(answer["verb"])
    return "", ""


def secrets(suite: Suite, play: Play) -> Iterator[str]:
    """Two runs that differ only in what the other side keeps secret are the same to a seat, byte for byte:
    what it sees, the names it may use, what it reads, its map, what its desks offer, its order desk, what a
    bot would do in its place, and the letters that it gets."""
    written: Counter[str] = Counter()
    laid: Counter[str] = Counter()
    moves: Counter[str] = Counter()
    by_mail = suite.is_installed and (suite.seeds or play.plan == suite.plans()[0])
    for page in suite.sample(play, REPORTS):
        for seat in play.seats():
            for other in suite.hidden(page.before, seat):
                laid[seat] += 1
                desk = bool(suite.seeds) or laid[seat] % DESKS == 1
                moves[seat] += seat in play.game.phase(page.before.phase).seats
                bots = bool(suite.seeds) or moves[seat] % BOT_PLAYS == 1
                runs = [partial(_shown, play.game, state, seat, desk, bots) for state in (page.before, other)]
                if by_mail and written[seat] < LETTERS and seat in people(play.game, other.options):
                    written[seat] += 1
                    runs = [partial(_mailed, play, state, seat) for state in (page.before, other)]
                name = _first_difference(*(run() for run in runs))
                if name and not _first_difference(runs[0](), runs[0]()):
                    yield f"{page.label}: {name} tells {seat} what is hidden from it"
                    return


Shown = Iterator[tuple[str, bytes]]


def _shown(game: Game[Any], state: GameState, seat: str, desk: bool = False, bots: bool = False) -> Shown:
    """What a seat sees and reads; a part that fails shows how, which the check of reports tells. With `desk`
    its order desk too, with `bots` what they would do in its place."""
    faces: dict[str, Callable[[View], object]] = {
        "the view": lambda view: view.model_dump_json(),
        "the summary": lambda view: game.report.summary(view, ()),
        "the story": lambda view: game.report.story and game.report.story(view, ()),
        "the list of forces": lambda view: forces(game, view),
        "the map": lambda view: render.text(game.report.board(view, ())),
        "a unit of the map": lambda view: [face.unit for face in game.report.board(view, ()).counters],
        "the roster": lambda view: _plain(game.roster(state, seat)),
        "a chart": lambda view: dict(game.report.charts(state)),
        "who may write": lambda view: [phase.open_to(state, seat) for phase in game.phases],
    }
    if desk:
        faces["the order desk"] = lambda view: _desk_page(game, state, seat)
    if bots:
        faces |= {f"the {bot} bot": partial(_bot_play, game, state, seat, bot) for bot in BOTS}
    view = game.view(state, seat)
    for name, face in faces.items():
        try:
            yield name, repr(face(view)).encode()
        except Exception as error:  # faces under test may fail in any way
            yield name, worded(error).encode()
    yield from _offered(game, state, seat)


def _bot_play(game: Game[Any], state: GameState, seat: str, bot: str, view: View) -> object:
    """What a bot does in the place of a seat, until something hidden is revealed."""
    return advice(game, Position(1, game.dump(state)), seat, "bots", bot)


def _desk_page(game: Game[Any], state: GameState, seat: str) -> str:
    """The order desk of a seat that has written nothing, in a game without mail."""
    position = Position(1, game.dump(state))
    here = resume(game, position)
    board = game.report.board(game.view(here.state, seat), ())
    return page_of(Sitting("", game, seat, "", here, position, board, Sheet(), Questions()))


def _offered(game: Game[Any], state: GameState, seat: str) -> Shown:
    """What the desks of a seat say in a phase in which no one orders anything, up to the first die or
    decision: what may be ordered, and of some orders whether they are legal, what they
    would bring and what room there is."""
    told: list[tuple[str, bytes]] = []

    def answers(request: Decision) -> Answer | None:
        if not isinstance(request, Desk | FirstOf):
            return None
        desks = request.asks if isinstance(request, FirstOf) else (request,)
        desk = next((each for each in desks if each.seat == seat), desks[0])
        if desk.seat == seat:
            told.extend(_said(desk))
        try:
            desk.check(None)
        except OrderError as error:
            told.extend([(f"the end of [{desk.section}]", str(error).encode())] * (desk.seat == seat))
            return None
        return Answer((desk.seat, None) if isinstance(request, FirstOf) else None)

    copied = game.load(game.dump(state))
    try:
        advance(game.phase(copied.phase).play(copied), copied, answers=answers)
    except Exception as error:  # rules under test may fail in any way
        told.append(("a desk", worded(error).encode()))
    yield from told


def _said(desk: Desk[Any]) -> Shown:
    """What a desk says: its subjects, their orders, and of some of these all there is to know."""
    subjects = list(desk.subjects())
    yield f"a subject of [{desk.section}]", repr(subjects).encode()
    for subject in _spread(subjects, SUBJECTS):
        orders = list(desk.options(subject))
        yield f"an option of [{desk.section}]", repr([order.dump() for order in orders]).encode()
        for order in _spread(orders, OFFERS):
            yield f"the check of an order of [{desk.section}]", _outcome(desk.check, order)
            yield f"an offer of [{desk.section}]", _outcome(desk.offer, order)
            if place := order.place():
                yield f"the room in a hex of [{desk.section}]", repr(desk.room(place)).encode()


def _spread(items: Sequence[T], most: int) -> Sequence[T]:
    """At most this many of these, from the first to the last."""
    return items[:: max(1, -(-len(items) // most))]


def _outcome(ask: Callable[[Any], object], order: Any) -> bytes:
    """What is said of an order, or why not."""
    try:
        return repr(ask(order)).encode()
    except OrderError as error:
        return worded(error).encode()


def _plain(roster: Roster) -> tuple[Any, ...]:
    return list(roster.units.items()), dict(roster.groups), dict(roster.places)


def _mailed(play: Play, state: GameState, seat: str) -> Shown:
    game = play.game
    shown = list(_shown(game, state, seat))
    opening = game.load(game.dump(state))
    watch = Watch(
        game.key, "secrets", PROBES, play.plan.scenario, opening=lambda: opening, options=state.options
    )
    with tempfile.TemporaryDirectory() as folder:
        box = watch.club(Path(folder) / "secrets.pbem", ())
        with closing(box.store):
            shown += [(f"the letter {name}", told) for name, told in watch.told(box, seat)]
    return iter(shown)


def _first_difference(one: Shown, other: Shown) -> str:
    for first, second in zip_longest(one, other):
        if first != second:
            return str((first or second)[0])
    return ""


# --- of the game as a whole -----------------------------------------------------------------------------


def hashing(suite: Suite) -> Iterator[str]:
    """Two processes that hash strings differently play the same games: state and answers are equal after
    every phase."""
    where = suite.where or games().get(suite.game.key, "")
    if not where:
        yield f"{suite.game.key} is not installed, and `where` does not say where it is"
        return
    quick = suite.quick()[0]
    yield from differences(where, suite.plans() if suite.seeds else [Plan("mixed", quick, 1)])


def declarations(suite: Suite) -> Iterator[str]:
    """Sections, phases, seats and options fit together: every section of a phase is a heading of the grammar
    and every heading belongs to a phase, every order stands under a heading, a heading has orders of the
    grammar only, every seat is one of the game."""
    game, grammar = suite.game, suite.game.grammar
    seats = {seat.key for seat in game.seats}
    used = {section for phase in game.phases for section in phase.sections}
    yield from (
        f"[{section}] is a heading of no phase" for section in grammar.sections if section not in used
    )
    yield from (
        f"[{section}] has no orders in the grammar" for section in sorted(used - set(grammar.sections))
    )
    placed = {kind for kinds in grammar.sections.values() for kind in kinds}
    yield from (f"{kind.verb} stands under no heading" for kind in grammar.orders if kind not in placed)
    for section, kinds in grammar.sections.items():
        missing = [kind.verb for kind in kinds if kind not in grammar.orders]
        yield from (f"{verb} is under [{section}], but not one of the orders" for verb in missing)
    named = [(f"phase {phase.key}", phase.seats) for phase in game.phases]
    named += [(f"the order {kind.verb}", kind.seats) for kind in grammar.orders]
    named += [(f"the standing order {kind.example}", kind.seats) for kind in grammar.policies]
    named += [(f"the heading [{section}]", writers) for section, writers in grammar.writers.items()]
    for what, keys in named:
        yield from (
            f"{what} names the seat {key}, which the game does not have" for key in keys if key not in seats
        )
    yield from (f"option {option.key} has no choice" for option in game.options if not option.choices)


def places(suite: Suite) -> Iterator[str]:
    """Every place and city of the map is a name that every seat can write, and means its hexes."""
    game, told = suite.game, set[tuple[str, str]]()
    for state in suite.starts:
        for seat in sorted(_seats(game, state)):
            try:
                printed = game.report.board(game.view(state, seat), ()).map.called_places
                known = {place_key(name): hexes for name, hexes in game.roster(state, seat).places.items()}
            except Exception:  # other checks find what fails here
                return
            for name, hexes in printed.items():
                found = known.get(place_key(name))
                if (seat, name) in told or (found is not None and set(hexes) <= set(found)):
                    continue
                told.add((seat, name))
                if found is None:
                    yield f"{seat} cannot write {name}, a place on the map: give the roster its `places`"
                else:
                    yield f"{name} is {', '.join(found)} to {seat}, and {', '.join(hexes)} on the map"


def examples(suite: Suite) -> Iterator[str]:
    """Every example of the order reference can be read, written back and read again as the same thing, by a
    seat that may use it; no other seat is shown it or may write it."""
    game, grammar = suite.game, suite.game.grammar
    rosters = {seat.key: _rosters(suite, seat.key) for seat in game.seats}
    kinds: list[Kind] = [*grammar.orders, *grammar.conditions, *grammar.policies]
    for kind in kinds:
        seats = [seat for seat in rosters if _may_use(kind, seat)]
        for writers, example in _examples(kind, seats):
            tries = [
                partial(_misread, grammar, kind, example, roster, _sections(game, kind, seat))
                for seat in writers
                for roster in rosters[seat]
            ]
            whys = [why for misread in tries if (why := misread())] if not _any_reads(tries) else []
            if whys:
                yield f'{" or ".join(writers)} cannot write the example "{example}": {whys[0]}'
        for seat in rosters.keys() - set(seats):
            yield from _kept_from(grammar, kind, seat, rosters[seat])


Kind = type[Order | Condition | Policy[Any]]


def _any_reads(tries: Sequence[Callable[[], str]]) -> bool:
    return any(not misread() for misread in tries)


def _may_use(kind: Kind, seat: str) -> bool:
    seats: tuple[str, ...] = getattr(kind, "seats", ())
    return not seats or seat in seats


def _examples(kind: Kind, seats: Sequence[str]) -> Iterator[tuple[Sequence[str], str]]:
    """Each example with the seats of which one must be able to write it: those for which there is no other
    one."""
    others = [seat for seat in seats if seat not in kind.examples]
    example = (kind.example,) if isinstance(kind.example, str) else kind.example
    yield from ((others, text) for text in example if others)
    for seat, written in kind.examples.items():
        yield from (([seat], text) for text in ((written,) if isinstance(written, str) else written))


def _rosters(suite: Suite, seat: str) -> list[Roster]:
    """The names that a seat may use at the start of every scenario, and in the course of a game."""
    pages = [page for plan in suite.plans()[:1] for page in suite.sample(suite.play(plan), PICTURES)]
    states = [
        state
        for state in (*suite.starts, *(page.before for page in pages))
        if seat in _seats(suite.game, state)
    ]
    states = states or [suite.game.start(None, options) for options in _options_of(suite.game, seat)]
    return [suite.game.roster(state, seat) for state in states]


def _seats(game: Game[Any], state: GameState) -> set[str]:
    return {seat.key for seat in game.seats_of(state.options)} - set(game.systems_of(state.options))


def _options_of(game: Game[Any], seat: str) -> Iterator[dict[str, str]]:
    """Options under which a seat is played that the usual ones leave out."""
    for option in game.options:
        for choice in option.choices:
            chosen = game.chosen({option.key: choice})
            if seat in {each.key for each in game.seats_of(chosen)} - set(game.systems_of(chosen)):
                yield chosen


def _sections(game: Game[Any], kind: Kind, seat: str) -> list[str]:
    """The headings under which a seat may write an order of this kind, or with this condition."""
    grammar = game.grammar
    open_ = {section for phase in game.phases if seat in phase.seats for section in phase.sections}
    mine = [
        section
        for section in grammar.sections
        if section in open_ and seat in grammar.writers.get(section, (seat,))
    ]
    return (
        [section for section in mine if kind in grammar.sections[section]]
        if issubclass(kind, Order)
        else mine
    )


def _misread(
    grammar: Grammar,
    kind: Kind,
    example: str,
    roster: Roster,
    sections: Sequence[str],
) -> str:
    """Why an example is not read as what it is an example of, under any heading; "" if it is."""
    why = ""
    for section in sections:
        for text in _lines(grammar, kind, example, roster, section):
            reading = grammar.read([(1, f"[{section}]"), (2, text)], roster)
            why = _fault(reading) or _round_trip(grammar, kind, reading, roster, section)
            if not why:
                return ""
    return why or "no order of its section can be written with it"


def _lines(grammar: Grammar, kind: Kind, example: str, roster: Roster, section: str) -> Iterator[str]:
    """The example as it stands in a letter; a condition before orders of the section."""
    if not issubclass(kind, Condition):
        yield example
        return
    yield f"{example}, pause"
    for order in grammar.sections[section]:
        yield from (f"{example}, {text}" for _, text in _examples(order, ("",)))


def _fault(reading: Reading) -> str:
    if reading.faults:
        return str(reading.faults[0])
    return f"not read: {reading.unread[0].text}" if reading.unread else ""


def _round_trip(grammar: Grammar, kind: Kind, reading: Reading, roster: Roster, section: str) -> str:
    if issubclass(kind, Policy):
        if len(reading.standing) != 1 or type(reading.standing[0].policy) is not kind:
            return "it is read as another standing order"
        written = grammar.write_standing(reading.standing[0])
        again = grammar.read([(1, written)], roster).standing
        same = len(again) == 1 and again[0].policy == reading.standing[0].policy
    else:
        if not reading.orders:
            return "it is no order"
        line = reading.orders[0]
        read = (
            [type(clause.condition) for clause in line.conditions]
            if issubclass(kind, Condition)
            else [type(line.order)]
        )
        if kind not in read:
            return "it is read as something else"
        written = grammar.write_line(line)
        lines = grammar.read([(1, f"[{section}]"), (2, written)], roster).orders
        same = len(lines) == 1 and (lines[0].order, lines[0].conditions) == (line.order, line.conditions)
        same = same and grammar.load(line.order.dump()) == line.order
    return "" if same else f'written back as "{written}" it is read as something else'


def _kept_from(grammar: Grammar, kind: Kind, seat: str, rosters: Sequence[Roster]) -> Iterator[str]:
    """Why another seat may use an order of these seats."""
    for roster in rosters[:1]:
        if kind.help in reference(grammar, None, Examples(grammar, seat, roster)):
            yield f"{_named(kind)} is offered to {seat}, who may not use it"
    if issubclass(kind, Order):  # standing orders of others are read, and never asked for
        for roster in rosters:
            reading = grammar.read([(1, kind.example)], roster)
            if not reading.faults and any(type(line.order) is kind for line in reading.orders):
                yield f"{seat} can write {_named(kind)}, which is not for it"
                return


def _named(kind: Kind) -> str:
    return f'"{kind.usage}"'


def letters(suite: Suite) -> Iterator[str]:
    """In games in which no one writes, and only standing orders and defaults decide, every letter can be
    written, with its picture and without a gap, and the record proves itself."""
    if not suite.is_installed:
        return
    for options in suite.silent:
        for seed in range(1, 1 + (suite.seeds or 1)):
            for scenario in suite.game.scenarios if suite.seeds else list(suite.game.scenarios)[:1]:
                yield from _silence(suite, scenario, options, str(seed))


def _silence(suite: Suite, scenario: str, options: dict[str, str], seed: str) -> Iterator[str]:
    rules, name = suite.game, f"{scenario}, {options}, seed {seed}"
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(Store.create(Path(folder) / "silent.pbem")) as store,
    ):
        new = NewGame(rules.key, "silent", scenario, options, people(rules, options), SETTINGS, seed)
        try:
            box = Postbox.started(store, new)
            for _ in range(100 * rules.turns if suite.seeds else DEADLINES):
                if box.row().status == "running":
                    box.now += timedelta(days=4)
                    act(store, None, box.now, force=True)
        except Exception as error:  # rules and templates under test may fail in any way
            yield f"{name}: {worded(error)}"
            return
        row = box.row()
        if row.trouble:
            yield f"{name}: {row.trouble.strip().splitlines()[-1]}"
        elif suite.seeds and row.status != "over":
            yield f"{name}: the game does not end by defaults"
        yield from (f"{name}: {why}" for why in _faulty_letters(box))
        yield from (f"{name}: {wrong}" for wrong in verify_game(store).wrong)


def _faulty_letters(box: Postbox) -> Iterator[str]:
    for row in box.outbox():
        if row.kind == "turn":
            kinds = [part.get_content_type() for part in message_from_bytes(row.raw).walk()]
            if "image/png" not in kinds:
                yield f"{row.subject}: there is no picture"
            for line in letter_text(row.raw):
                if GAP.search(line):
                    yield f"{row.subject}: {line.strip()}"


def cases(suite: Suite) -> Iterator[str]:
    """Every case of the rulebook has a title and a status; every case that is cited is listed; every case met
    in code is named there, and in a test."""
    try:
        yield from rulecases.faults_of_the_list(suite.package)
    except (OSError, ValueError) as error:
        yield f"data/cases.toml: {error}"
        return
    yield from rulecases.unknown(suite.package)
    yield from (f"no code cites {number}" for number in rulecases.uncited(suite.package))
    if suite.tests is not None:
        for number in rulecases.untested(suite.package, suite.tests):
            yield f"no test names {number}: begin the docstring of a test with it, or write a case file"


# --- all of them ----------------------------------------------------------------------------------------

CheckOfAPlay = Callable[[Suite, Play], Iterator[str]]
CheckOfAGame = Callable[[Suite], Iterator[str]]

CHECKS_OF_A_PLAY: dict[str, CheckOfAPlay] = {
    check.__name__: check
    for check in (ends, invariants, shortcuts, replays, snapshots, words, reports, views, offers, secrets)
}
CHECKS_OF_A_GAME: dict[str, CheckOfAGame] = {
    check.__name__: check for check in (declarations, places, examples, hashing, letters, cases)
}


def findings(suite: Suite) -> dict[str, list[str]]:
    """What every check finds, by the name of the check; checks that find nothing are left out."""
    found: dict[str, list[str]] = {}
    for plan in suite.plans():
        for name, check in CHECKS_OF_A_PLAY.items():
            found.setdefault(name, []).extend(f"{plan}: {fault}" for fault in check(suite, suite.play(plan)))
    for name, check_game in CHECKS_OF_A_GAME.items():
        found[name] = list(check_game(suite))
    return {name: faults for name, faults in found.items() if faults}
