#!/usr/bin/env python3
"""Benchmarks: pbem against a peer that does the same work, in turn (A B A B ...) in one run.

    python tests/bench/run.py [words of a name ...] [--rounds 7] [--seconds 0.1] [--json]

Absolute times do not travel from machine to machine, ratios do. Each line gives the median time of both, by
the clock, what of ours the processor worked (other programs on the machine lengthen mostly the first), how
many times faster pbem is by the processor (the median of the ratios of neighbouring runs, and their range),
and the goal, which is for the time of the processor. To add a benchmark, write a function that prepares the
work and returns a `Race`, and put `@bench(...)` over it; `Skip` says why one cannot run.
"""

from __future__ import annotations

import argparse
import gc
import heapq
import hmac
import json
import os
import random
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from email import message_from_bytes, policy
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "engine"), str(TESTS.parent)]

from pbem.engine.autoplay import Played, autoplay  # noqa: E402
from pbem.engine.bots import random_bot  # noqa: E402
from pbem.engine.data import find_data  # noqa: E402
from pbem.engine.desk import Desk, FirstOf  # noqa: E402
from pbem.engine.dice import GameDice, HashChain, new_secret  # noqa: E402
from pbem.engine.game import Game  # noqa: E402
from pbem.engine.hexes import bits, indices  # noqa: E402
from pbem.engine.map import CostTable, Map  # noqa: E402
from pbem.engine.play import Answer, Answers, Decision, Entry, Hits, advance, asked  # noqa: E402


@dataclass(frozen=True, slots=True)
class Race:
    """Two callables that do the same work. `items` and `their_items` are how many things one call of each
    does, if they do not do equally much; times and ratios are per item."""

    ours: Callable[[], object]
    theirs: Callable[[], object] | None = None
    items: int = 1
    their_items: int | None = None
    remark: str = ""


class Skip(Exception):
    """This benchmark cannot run here, and why."""


@dataclass(frozen=True, slots=True)
class Bench:
    name: str
    peer: str
    goal: str
    prepare: Callable[[], Race]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Seconds per item, medians over the runs; `cpu` is what of ours the processor worked, `ratios` is theirs
    by ours in time of the processor, run by run."""

    name: str
    peer: str
    goal: str
    ours: float = 0.0
    cpu: float = 0.0
    theirs: float | None = None
    ratios: tuple[float, ...] = field(default=())
    remark: str = ""
    skipped: str = ""

    @property
    def ratio(self) -> float | None:
        return median(self.ratios) if self.ratios else None


BENCHES: list[Bench] = []


def bench(name: str, *, peer: str = "", goal: str = "") -> Callable[[Callable[[], Race]], Callable[[], Race]]:
    """Enter a benchmark: its name, what it is compared with and what is aimed at."""

    def enter(prepare: Callable[[], Race]) -> Callable[[], Race]:
        BENCHES.append(Bench(name, peer, goal, prepare))
        return prepare

    return enter


# --- the clock ------------------------------------------------------------------------------------------


def measure(entry: Bench, rounds: int, seconds: float) -> Outcome:
    """Run one benchmark: `rounds` times both in turn, each run long enough to fill `seconds`."""
    try:
        race = entry.prepare()
    except Skip as reason:
        return Outcome(entry.name, entry.peer, entry.goal, skipped=str(reason))
    runs = [(race.ours, calls_in(race.ours, seconds), race.items)]
    if race.theirs:
        runs.append((race.theirs, calls_in(race.theirs, seconds), race.their_items or race.items))
    times: list[list[float]] = [[] for _ in runs]
    worked: list[list[float]] = [[] for _ in runs]
    for _ in range(rounds):
        for (work, calls, items), taken, busy in zip(runs, times, worked, strict=True):
            clock, cpu = timed(work, calls)
            taken.append(clock / calls / items)
            busy.append(cpu / calls / items)
    theirs = times[1] if race.theirs else []
    return Outcome(
        entry.name, entry.peer, entry.goal,
        ours=median(times[0]),
        cpu=median(worked[0]),
        theirs=median(theirs) if theirs else None,
        ratios=tuple(b / a for a, b in zip(worked[0], worked[1], strict=True)) if race.theirs else (),
        remark=race.remark,
    )  # fmt: skip


def calls_in(work: Callable[[], object], seconds: float) -> int:
    """How many calls fill the time; the first call is left out, as it warms the caches."""
    work()
    calls = 1
    while (taken := timed(work, calls)[0]) < seconds / 4:
        calls = max(2 * calls, int(calls * seconds / max(taken, 1e-6) / 2))
    return max(1, round(calls * seconds / taken))


def timed(work: Callable[[], object], calls: int) -> tuple[float, float]:
    """The seconds that this many calls take by the clock, and those that the processor works on them, in
    processes that they start too."""
    gc.collect()
    gc.disable()
    try:
        start, busy = time.perf_counter(), worked()
        for _ in range(calls):
            work()
        return time.perf_counter() - start, worked() - busy
    finally:
        gc.enable()


def worked() -> float:
    """The seconds that the processor has worked for this process and those that it has waited for."""
    now = os.times()
    return time.process_time() + now.children_user + now.children_system


# --- sets of hexes --------------------------------------------------------------------------------------


@cache
def field_of_battle() -> tuple[Map, tuple[int, ...], tuple[int, ...]]:
    """The map of 2,142 hexes with 150 units on each side of a front that runs down its middle, by hex
    index."""
    map_ = Map.load(find_data("normandy71", "map.toml"))
    grid = map_.grid
    assert len(grid) == 2142
    land = [at for at in indices(map_.on_map) if map_.terrain(grid.ids[at]) != "all sea"]
    middle = grid.width // 2
    west = [at for at in land if grid.col_row(at)[0] <= middle]
    east = [at for at in land if grid.col_row(at)[0] > middle + 1]
    draw = random.Random(1944)
    return map_, tuple(draw.sample(west, 150)), tuple(draw.sample(east, 150))


@bench("zones of control of 150 units", peer="sets of neighbours", goal="<= 5 us")
def zones() -> Race:
    map_, own, _ = field_of_battle()
    grid = map_.grid
    held = bits(own)
    adjacent = grid.adjacent

    def naive() -> set[int]:
        return {near for at in own for near in adjacent[at]}

    assert bits(naive()) == grid.zone(held)
    return Race(lambda: grid.zone(held), naive)


@bench("supply of 150 units", peer="a search for each unit", goal="<= 150 us")
def supply() -> Race:
    map_, own, enemy = field_of_battle()
    grid = map_.grid
    held = bits(own)
    blocked = bits(enemy) | grid.zone(bits(enemy)) & ~held
    source = bits([own[0]])
    free = map_.on_map & ~blocked
    adjacent = grid.adjacent

    def flood() -> int:
        return map_.flood(source, free) & held

    def naive() -> int:
        return bits(at for at in own if at == own[0] or linked(at))

    def linked(start: int) -> bool:
        seen, queue = {start}, deque([start])
        while queue:
            for near in adjacent[queue.popleft()]:
                if near == own[0]:
                    return True
                if near not in seen and free >> near & 1:
                    seen.add(near)
                    queue.append(near)
        return False

    assert flood() == naive()
    return Race(flood, naive)


@bench("movement ranges of 100 units on foot, 50 motor", peer="heapq over neighbours", goal="<= 8 ms")
def ranges() -> Race:
    map_, own, enemy = field_of_battle()
    grid = map_.grid
    blocked = bits(enemy)

    def cost(a: str, b: str) -> int | None:
        terrain = map_.terrain(b)
        if terrain == "all sea":
            return None
        return 1 if map_.road(a, b) else 4 if terrain == "bocage" else 2

    table: CostTable = map_.costs(cost)
    prices = {
        at: [(near, price) for near in grid.adjacent[at] if (price := table.cost(at, near)) is not None]
        for at in range(len(grid))
    }

    marches = [(at, 16 if number % 3 == 0 else 8) for number, at in enumerate(own)]

    def ours() -> list[object]:
        return [table.reach(at, allowance, blocked).costs for at, allowance in marches]

    def naive() -> list[dict[int, int]]:
        return [dijkstra(at, allowance) for at, allowance in marches]

    def dijkstra(start: int, allowance: int) -> dict[int, int]:
        spent = {start: 0}
        waiting = [(0, start)]
        while waiting:
            so_far, here = heapq.heappop(waiting)
            if so_far > spent[here]:
                continue
            for near, price in prices[here]:
                total = so_far + price
                if total <= allowance and not blocked >> near & 1 and total < spent.get(near, total + 1):
                    spent[near] = total
                    heapq.heappush(waiting, (total, near))
        return spent

    assert ours() == naive()
    return Race(ours, naive)


# --- letters --------------------------------------------------------------------------------------------


@bench("40 order lines read", goal="<= 7 ms")
def order_lines() -> Race:
    from pbem.engine.language import Grammar, Roster, RosterUnit
    from pbem.games.normandy71.orders import Move

    map_, own, _ = field_of_battle()
    ids = map_.grid.ids
    units = {f"{number}/29": RosterUnit(f"{number}/29", "7-4", ids[at]) for number, at in enumerate(own, 1)}
    grammar = Grammar(orders=(Move,), sections={"movement": (Move,)})
    roster = Roster(units, frozenset(ids))
    names = list(units)
    lines = [(1, "[movement]")]
    for number, at in enumerate(own[:40]):
        near = [ids[to] for to in map_.grid.adjacent[at][:2]]
        lines.append((number + 2, f"move {names[number]}, {names[number + 40]} to {' '.join(near)}"))
    reading = grammar.read(lines, roster)
    assert len(reading.orders) == 40, reading.faults[:1]
    return Race(lambda: grammar.read(lines, roster))


@bench("letters parsed", peer="email.message_from_bytes and get_body")
def letters() -> Race:
    from pbem.mail.letter import parse

    raws = [
        (TESTS / "mail" / "letters" / f"{name}.eml").read_bytes()
        for name in ("apple-mail-flowed", "gmail-alternative", "gmail-german")
    ]
    assert all(parse(raw).own for raw in raws)

    def stdlib() -> list[str]:
        texts = []
        for raw in raws:
            body = message_from_bytes(raw, policy=policy.default).get_body(("plain",))
            texts.append(body.get_content() if body else "")
        return texts

    assert all(stdlib())
    return Race(lambda: [parse(raw) for raw in raws], stdlib, items=len(raws))


# --- dice, play and replay ------------------------------------------------------------------------------


@bench("rolls of eight dice", peer="one bare HMAC-SHA-256 each")
def rolls() -> Race:
    dice = GameDice(HashChain(new_secret("bench"), 6), "normandy71", 6, "t6.allied_combat")
    volley = Hits(case="10.1", what="volley at 2214", count=8, at_least=5)
    labels = [f"{asked(volley)}|{number}" for number in range(100)]
    secret = new_secret("bench")

    def ours() -> list[object]:
        return [dice(volley, label) for label in labels]

    def bare() -> list[object]:
        return [hmac.digest(secret, label.encode(), "sha256") for label in labels]

    return Race(ours, bare, items=len(labels))


@cache
def random_game(key: str) -> tuple[Game[Any], Played[Any]]:
    """A whole game played by random bots: of the game called `key`, or the toy of the engine's tests."""
    if key == "toy":
        from toygame import TOY as chosen
    else:
        from pbem.engine.game import game, games

        if key not in games():
            raise Skip(f"{key} is not installed (pip install -e .)")
        chosen = game(key)
    rng = random.Random(1)
    return chosen, autoplay(chosen, "bench", {seat.key: random_bot(rng) for seat in chosen.seats})


def decisions(entries: tuple[Entry, ...]) -> list[Entry]:
    return [entry for entry in entries if entry.by not in ("dice", "sealed")]


def dictated(entries: tuple[Entry, ...]) -> Answers:
    """Recorded decisions given once more, as if they had just come in."""
    recorded: Iterator[Entry] = iter(decisions(entries))

    def answers(request: Decision) -> Answer:
        value = next(recorded).answer
        if isinstance(request, Desk):
            value = request.load(value)
        elif isinstance(request, FirstOf):
            value = (value[0], request.of(value[0]).load(value[1]))
        return Answer(value)

    return answers


def adjudicated(game: Game[Any], played: Played[Any]) -> int:
    """The whole game once more with the same orders: checked, carried out, diced; the number of notes
    written."""
    chain = HashChain(new_secret(played.seed), game.turns)
    notes = 0
    for phase in played.phases:
        state = game.load(phase.snapshot)
        dice = GameDice(chain, game.key, state.turn, phase.label)
        procedure = game.phase(state.phase).play(state)
        advance(procedure, state, answers=dictated(phase.entries), dice=dice)
        notes += len(state.log)
    return notes


def replayed(game: Game[Any], played: Played[Any]) -> int:
    """The whole game from its journal; the number of notes written."""
    notes = 0
    for phase in played.phases:
        state = game.load(phase.snapshot)
        advance(game.phase(state.phase).play(state), state, phase.entries)
        notes += len(state.log)
    return notes


@cache
def diplomacy_orders() -> tuple[tuple[dict[str, list[str]], ...], int]:
    """The orders of thirty phases of a random game of python `diplomacy`, and how many they are."""
    if find_spec("diplomacy") is None:
        raise Skip("python diplomacy is not installed (pip install diplomacy==1.1.2)")
    from diplomacy import Game as Diplomacy

    rng = random.Random(1)
    table = Diplomacy()
    phases: list[dict[str, list[str]]] = []
    while len(phases) < 30 and not table.is_game_done:
        legal = table.get_all_possible_orders()
        orders = {
            power: [rng.choice(legal[at]) for at in table.get_orderable_locations(power) if legal[at]]
            for power in table.powers
        }
        for power, written in orders.items():
            table.set_orders(power, written)
        table.process()
        phases.append(orders)
    return tuple(phases), sum(len(written) for orders in phases for written in orders.values())


def diplomacy_game() -> object:
    """The recorded orders set and processed in a new game."""
    from diplomacy import Game as Diplomacy

    table = Diplomacy()
    for orders in diplomacy_orders()[0]:
        for power, written in orders.items():
            table.set_orders(power, written)
        table.process()
    return table


@bench("orders adjudicated, normandy71", peer="python diplomacy 1.1.2", goal=">= 1.1 x, quiet")
def adjudication() -> Race:
    game, played = random_game("normandy71")
    orders = sum(len(decisions(phase.entries)) for phase in played.phases)
    _, theirs = diplomacy_orders()
    assert adjudicated(game, played) == sum(phase.notes for phase in played.phases)
    return Race(lambda: adjudicated(game, played), diplomacy_game, orders, theirs)


@bench("phases adjudicated, normandy71", peer="python diplomacy 1.1.2")
def phases() -> Race:
    game, played = random_game("normandy71")
    theirs, _ = diplomacy_orders()
    return Race(lambda: adjudicated(game, played), diplomacy_game, len(played.phases), len(theirs))


@bench("recorded answers replayed, normandy71", peer="adjudicating them", goal=">= 12 k/s")
def replay() -> Race:
    return replay_race("normandy71")


@bench("recorded answers replayed, toy", peer="adjudicating them", goal=">= 12 k/s")
def replay_of_the_toy() -> Race:
    """What the engine itself costs, the rules of the toy being next to nothing."""
    return replay_race("toy")


def replay_race(key: str) -> Race:
    game, played = random_game(key)
    answers = sum(len(phase.entries) for phase in played.phases)
    assert replayed(game, played) == sum(phase.notes for phase in played.phases)
    return Race(
        lambda: replayed(game, played),
        lambda: adjudicated(game, played),
        answers,
        remark=f"{answers} answers in {len(played.phases)} phases",
    )


# --- letters in and out -----------------------------------------------------------------------------------


@cache
def second_turn() -> tuple[Game[Any], bytes, tuple[str, ...]]:
    """The fullest German second movement of a random game, and as many order lines as it has units, forty at
    most."""
    from pbem.engine.desk import Desk as Request

    game, played = random_game("normandy71")
    found: list[tuple[int, bytes, Request[Any]]] = []
    for phase in played.phases:
        state = game.load(phase.snapshot)
        request = advance(game.phase(state.phase).play(state), state).waiting
        if isinstance(request, Request) and request.section == "movement 2" and request.seat == "german":
            found.append((len(request.subjects()), phase.snapshot, request))
    _, snapshot, request = max(found, key=lambda each: each[0])
    moves = [request.options(subject)[0] for subject in request.subjects()][:40]
    lines = tuple(game.grammar.write(order) for order in moves if order.verb == "move")
    return game, snapshot, lines


@bench("a letter of order lines checked", goal="<= 10 ms")
def check() -> Race:
    game, snapshot, lines = second_turn()
    numbered = [(0, "[movement 2]"), *enumerate(lines, 1)]
    return judged(game, snapshot, "german", numbered)


def judged(game: Game[Any], snapshot: bytes, seat: str, numbered: list[tuple[int, str]]) -> Race:
    """The lines of a letter read, kept and judged, as for its confirmation."""
    from pbem.service.letters.log import worded
    from pbem.service.play.judging import judge
    from pbem.service.play.papers import Papers
    from pbem.service.play.sheet import SheetLine
    from pbem.service.play.steps import Position

    position, seats = Position(1, snapshot), [each.key for each in game.seats]

    def ours() -> Any:
        reading = game.grammar.read(numbered, game.roster(game.load(snapshot), seat))
        kept = [SheetLine(name, line.section, line.text, line) for name, line in enumerate(reading.orders, 1)]
        papers = Papers(seat, tuple(kept))
        return judge(game, position, papers, seats, lambda note: worded(game.key, note.facts(), seat))

    states = [verdict.state for verdict in ours().verdicts]
    return Race(ours, remark=f"{len(states)} lines, {states.count('ready')} of them legal one after another")


def random_games(key: str, scenario: str | None = None) -> Race:
    """Whole games of random bots."""
    from itertools import count

    from pbem.engine.game import game

    rules, seeds = game(key), count()
    seats = [seat.key for seat in rules.seats_of(rules.chosen({}))]

    def ours() -> None:
        seed = next(seeds)
        bots = {seat: random_bot(random.Random(f"{seed} {seat}")) for seat in seats}
        autoplay(rules, f"bench {seed}", bots, scenario=scenario)

    return Race(ours, remark="another seed each time, every phase checked against the invariants")


@bench("a game against the system: five turns, random play", goal="<= 150 ms")
def whole_game() -> Race:
    return random_games("rampage")


@bench("a game of drawn commands: ten turns, random play", goal="<= 1.5 s")
def whole_pocket() -> Race:
    return random_games("falaise")


@cache
def late_july() -> bytes:
    """The eighth turn of a campaign of Normandy 1944, with more than a hundred units on the map."""
    from pbem.engine.game import game

    rules = game("normandy44")
    bots = {seat.key: random_bot(random.Random(f"8 {seat.key}")) for seat in rules.seats}
    played = autoplay(rules, "bench", bots, scenario="campaign")
    return next(phase.snapshot for phase in played.phases if phase.label == "t8.weather")


@cache
def july_orders(seed: int) -> tuple[tuple[bytes, tuple[Any, ...]], ...]:
    """That turn as random bots play it: the snapshot before each of its phases, and what was ordered, decided
    and rolled in it."""
    from pbem.engine.bots import seated
    from pbem.engine.game import game

    rules = game("normandy44")
    state = rules.load(late_july())
    chain = HashChain(new_secret(f"bench {seed}"), rules.turns)
    phases = []
    while state.phase and state.turn == 8:
        bots = {seat.key: random_bot(random.Random(f"{seed} {seat.key}")) for seat in rules.seats}
        dice = GameDice(chain, "bench", 8, rules.label(state))
        snapshot, play = rules.dump(state), rules.phase(state.phase).play(state)
        phases.append((snapshot, tuple(advance(play, state, answers=seated(bots, state), dice=dice).entries)))
        rules.next_phase(state)
    return tuple(phases)


@bench("a campaign turn of a hundred units, adjudicated from its orders", goal="<= 150 ms")
def campaign_turn() -> Race:
    from itertools import cycle

    from pbem.engine.game import game

    rules, games = game("normandy44"), [july_orders(seed) for seed in range(5)]
    units = sum(1 for _ in rules.load(late_july()).on_map())
    orders = sum(len(entries) for phases in games for _, entries in phases) // len(games)
    turns = cycle(games)

    def ours() -> None:
        for snapshot, entries in next(turns):
            state = rules.load(snapshot)
            advance(rules.phase(state.phase).play(state), state, entries)
            rules.next_phase(state)

    return Race(
        ours, remark=f"{units} units on the map, {orders} orders, decisions and rolls, from weather to supply"
    )


@bench("the same turn with random bots, who look at every choice they have")
def campaign_turn_of_bots() -> Race:
    from itertools import count

    seeds = count(100)
    late_july()
    return Race(lambda: july_orders(next(seeds)), remark="the bots and the snapshots included")


@bench("a whole random game of the campaign of Normandy 1944", goal="<= 5 s")
def whole_campaign() -> Race:
    return random_games("normandy44", "campaign")


@cache
def under_fire() -> tuple[bytes, tuple[Any, ...]]:
    """A falaise position in which one command with twenty units is drawn, and a move past the enemy for each
    of them."""
    from pbem.engine.game import game
    from pbem.games.falaise.movement import Movement
    from pbem.games.falaise.state import State
    from pbem.games.falaise.tables import SETUP

    rules = game("falaise")
    state: State = rules.start()
    state.turn, state.phase, state.cup, state.rating_80 = 3, "activation", ["1SS"], 2
    for id, hex in SETUP.example.hexes.items():
        state.units[id].place, state.units[id].hex = "map", hex
    near = [unit for unit in state.on_map("german") if unit.mech and unit.command != "1SS"][:10]
    for unit in near:
        unit.attached = "1SS"
    position = rules.dump(state)
    orders = []
    movement = Movement(state, "1SS", 7)
    for unit in movement.units:
        moves = [move for move in movement.options(unit.id) if move.verb == "move" and len(move.units) == 1]
        orders.append(
            max(
                moves,
                key=lambda move: len(movement.dangers([unit], (unit.placed, *movement.settle(move).path))),
            )
        )
    return position, tuple(orders)


@bench("an action round: twenty units move under op-fire", goal="<= 20 ms")
def action_round() -> Race:
    from itertools import count

    from pbem.engine.errors import OrderError
    from pbem.engine.game import game
    from pbem.engine.play import Answer, advance

    rules, (position, moves), seeds = game("falaise"), under_fire(), count()
    fired = []

    def ours() -> object:
        state, orders = rules.load(position), list(moves)
        chain = HashChain(new_secret(f"bench {next(seeds)}"), 10)

        def answers(request: Any) -> Answer:
            if not isinstance(request, Desk):
                return Answer(request.fallback)
            while orders and type(orders[0]) in request.takes:
                order = orders.pop(0)
                try:
                    request.check(order)
                except OrderError:
                    continue
                return Answer(order)
            return Answer(None)

        dice = GameDice(chain, "bench", 3, "t3.activation")
        done = advance(rules.phase("activation").play(state), state, answers=answers, dice=dice)
        fired.append(sum(entry.by == "dice" for entry in done.entries) - 2)
        return rules.dump(state) if not state.log.clear() else None

    ours()
    return Race(
        ours,
        remark=(
            f"{len(moves)} units, {fired[0]} dice of op-fire in the first run, from one snapshot to the next"
        ),
    )


@cache
def four_increments() -> tuple[bytes, tuple[str, ...], tuple[Any, ...]]:
    """Twelve American divisions south of Orleans, more than a headquarters commands, with Germans before
    them; and what each does in boxes 4, 10, 14 and 18: it comes up in two increments, attacks in the third
    and goes on in the last."""
    from pbem.engine.game import game
    from pbem.games.france44.orders import Attack, Move
    from pbem.games.france44.series import Series
    from pbem.games.france44.tables import GRID
    from pbem.testing.odds import fallbacks

    rules = game("france44")
    state: Any = rules.start("crusade")
    posts = {"1817": 4, "1917": 4, "2016": 4}
    line = {"1719": "LXXXIV", "1820": "IIFJ", "1920": "LXXXVI", "2019": "LXXIV", "2119": "2Pz"}
    armour = [
        u.id for u in state.units.values() if u.side == "allied" and not u.hq and u.piece.allowance == 6
    ]
    for unit in state.units.values():
        unit.place, unit.hex = "later", None
    ids = tuple(armour[: sum(posts.values())])
    where = [hex for hex, count in posts.items() for _ in range(count)]
    for id, hex in [*zip(ids, where, strict=True), *((id, hex) for hex, id in line.items()), ("US1", "1817")]:
        state.units[id].place, state.units[id].hex = "map", hex
    snapshot, given = rules.dump(state), []

    def foremost(order: Any) -> int:
        if isinstance(order, Attack):
            return -len(order.units)
        return min(GRID.distance(order.path[-1], hex) for hex in line)

    async def play() -> None:
        series = Series(state, "allied", [state.units[id] for id in ids], hq=state.units["US1"])
        for box, kind in ((4, Move), (10, Move), (14, Attack), (18, Move)):
            for id in ids:
                able = (
                    [o for o in series.options(id) if type(o) is kind and o.box == box]
                    if id in series.subjects()
                    else []
                )
                if able:
                    given.append(min(able, key=foremost))
                    await series.carry_out(given[-1])

    dice = GameDice(HashChain(new_secret("bench"), rules.turns), "bench", 1, "t1.cycle")
    advance(play(), state, answers=fallbacks, dice=dice)
    return snapshot, ids, tuple(given)


@bench("an initiative phase: twelve units over four increments", goal="<= 60 ms")
def series_of_increments() -> Race:
    from itertools import count

    from pbem.engine.errors import OrderError
    from pbem.engine.game import game
    from pbem.games.france44.series import Series
    from pbem.testing.odds import fallbacks

    rules, (snapshot, ids, orders), seeds = game("france44"), four_increments(), count()
    fallen: list[int] = []

    def ours() -> object:
        state: Any = rules.load(snapshot)
        chain = HashChain(new_secret(f"bench {next(seeds)}"), rules.turns)

        async def play() -> None:
            series = Series(state, "allied", [state.units[id] for id in ids], hq=state.units["US1"])
            for order in orders:
                try:
                    series.check(order)
                except OrderError:
                    continue
                await series.carry_out(order)

        done = advance(play(), state, answers=fallbacks, dice=GameDice(chain, "bench", 1, "t1.cycle"))
        fallen.append(sum(entry.by == "dice" for entry in done.entries))
        return rules.dump(state) if not state.log.clear() else None

    ours()
    kinds = [order.verb for order in orders]
    return Race(
        ours,
        remark=(
            f"{len(ids)} units, {kinds.count('move')} moves, attacks: {kinds.count('attack')}; "
            f"each judged and carried out, {fallen[0]} dice in the first run, from one snapshot to the next"
        ),
    )


@bench("a whole random game of the longest scenario of France 1944")
def whole_crusade() -> Race:
    return random_games("france44", "crusade")


@cache
def forty_legs() -> tuple[Game[Any], bytes, tuple[str, ...]]:
    """The operations of turn 1, and forty lines in which single divisions move behind the front, some of them
    in two legs."""
    from pbem.engine.game import game
    from pbem.testing.odds import fallbacks

    rules = game("rampage")
    state = rules.start()
    advance(rules.phase(state.phase).play(state), state, answers=fallbacks)
    rules.next_phase(state)
    snapshot = rules.dump(state)
    moves: list[Any] = []

    def answers(request: Decision) -> Answer | None:
        """The next leg of the active force if it has had one and is among the first, else the next
        division."""
        if not isinstance(request, Desk) or len(moves) == 40:
            return None
        for subject in request.subjects():
            given = [move for move in moves if move.units == (subject,)]
            legs = [
                leg
                for leg in request.options(subject)
                if leg.units == (subject,) and leg.path[-1] not in state.german and leg not in given
            ]
            if legs and len(given) < (2 if len({move.units for move in moves}) <= 8 else 1):
                moves.append(legs[0])
                return Answer(legs[0])
        return None

    advance(rules.phase(state.phase).play(state), state, answers=answers)
    return rules, snapshot, tuple(rules.grammar.write(move) for move in moves)


@bench("a letter of forty legs checked, a game against the system", goal="<= 10 ms")
def check_legs() -> Race:
    rules, snapshot, lines = forty_legs()
    return judged(rules, snapshot, "allied", [(0, "[operations]"), *enumerate(lines, 1)])


@cache
def landed() -> Path:
    """A game file in which the Allied player is to write the first movement of game-turn 1."""
    from datetime import UTC, datetime
    from tempfile import mkdtemp

    from pbem.service.intake.submit import submit
    from pbem.service.moderating.start import NewGame, Player, start
    from pbem.service.record.store import Store

    path = Path(mkdtemp(prefix="pbem-bench-")) / "bench.pbem"
    store = Store.create(path)
    now = datetime(2026, 6, 6, 6, tzinfo=UTC)
    players = {"allied": Player("Anna", "anna@mail.example"), "german": Player("Bernd", "bernd@mail.example")}
    start(store, NewGame("normandy71", "bench", players=players, seed="bench"), now)
    submit(store, None, "german", "[set-up]\ndefault\ndone\n", now)
    submit(store, None, "allied", "[plan]\ndefault\ndone\n", now)
    store.close()
    return path


def allied_mail(number: int, text: str) -> bytes:
    """A letter of the Allied player of that game."""
    from pbem.mail.address import reply_address
    from pbem.service.record.rows import SeatRow
    from pbem.service.record.store import Store

    with Store.open(landed()).transaction() as session:
        seat = session.get(SeatRow, ("bench", "allied"))
        assert seat is not None
        to = reply_address("pbem@localhost", "bench", "allied", seat.token_key)
        head = f"From: {seat.address}\nTo: {to}\nSubject: orders\nMessage-ID: <bench{number}@mail.example>\n"
    return f"{head}Date: Sat, 06 Jun 2026 07:00:00 +0000\n\n{text}".encode()


def copied() -> Path:
    """That game file once more, to be written to."""
    from shutil import copy
    from tempfile import mkdtemp

    return Path(copy(landed(), Path(mkdtemp(prefix="pbem-bench-")) / "copy.pbem"))


def _clock(number: int) -> tuple[int, int, int]:
    """A time of day of its own for each letter: the same words of the same moment are the same letter."""
    return 7 + number // 3600 % 12, number // 60 % 60, number % 60


LANDING = (
    "8/4 to 5031", "116/29 to 3829", "16/1 to 3628", "231/50 to 2527", "69/50 to 2327", "7/3C to 2027",
    "8/3C to 1827", "8/3 to 1425", "70 to 5031", "743 to 3829", "741 to 3628", "SherRgrs/8 to 2527",
    "4/7DG/8 to 2327", "6CAR/2C to 2027", "10CAR/2C to 1827", "13/18H/27 to 1425",
)  # fmt: skip


@bench("letter in to confirmation out, warm", goal="<= 10 ms")
def confirmation() -> Race:
    from datetime import UTC, datetime
    from itertools import count

    from pbem.service.intake.receive import receive
    from pbem.service.record.store import Store

    store = Store.open(copied())
    raw = allied_mail(0, "[movement]\n" + "\n".join(LANDING) + "\ndraft\n")
    numbers = count(1)
    now = datetime(2026, 6, 6, 7, tzinfo=UTC)

    def ours() -> object:
        number = next(numbers)
        words = raw.replace(b"<bench0@", b"<bench%d@" % number)
        return receive(store, words.replace(b"07:00:00", b"%02d:%02d:%02d" % _clock(number)), now)

    assert "16 lines" in str(ours())
    return Race(ours, remark=f"{len(LANDING)} order lines kept as a draft, one fsynced commit")


@bench("letter in to confirmation out, a process of its own", goal="<= 550 ms")
def pipe() -> Race:
    import subprocess
    from itertools import count

    path = copied()
    raw = allied_mail(0, "[movement]\n" + "\n".join(LANDING) + "\ndraft\n")
    numbers = count(1)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", "from pbem.cli import run; run()", "mail", "receive", str(path)]

    def ours() -> object:
        number = next(numbers)
        letter = raw.replace(b"<bench0@", b"<pipe%d@" % number)
        letter = letter.replace(b"07:00:00", b"%02d:%02d:%02d" % _clock(number))
        return subprocess.run(
            command, input=letter, check=True, capture_output=True, env=environment, cwd=TESTS.parent
        )

    def bare() -> object:
        return subprocess.run([sys.executable, "-I", "-c", "pass"], check=True)

    return Race(ours, bare, remark="the peer is python -I doing nothing")


@cache
def bot_orders() -> tuple[str, int]:
    """A letter of final orders for the Allied movement, combat and what follows, as the greedy bot would
    write it; how many orders."""
    from pbem.engine.bots import greedy_bot
    from pbem.service.record.store import Store, only_game
    from pbem.service.record.table import Table

    text: list[str] = []
    with Store.open(copied()).transaction() as session:
        table = Table(session, only_game(session, None), moment())
        bot = greedy_bot(table.game.judge, random.Random(1))
        snapshot = table.position().snapshot
        for section in ("movement", "combat"):
            state = table.game.load(snapshot)
            text.append(f"[{section}]")

            def answers(request: Decision, state: Any = state) -> Answer | None:
                if not isinstance(request, Desk) or request.section not in text[-1] + "".join(text):
                    return None
                answer = bot(request, state)
                if answer.value is not None:
                    text.append(table.game.grammar.write(answer.value))
                return answer

            advance(table.game.phase(state.phase).play(state), state, answers=answers)
            table.game.next_phase(state)
            snapshot = table.game.dump(state)
    return "\n".join(text) + "\ndone all\n", sum(not line.startswith("[") for line in text)


def moment() -> Any:
    from datetime import UTC, datetime

    return datetime(2026, 6, 6, 7, tzinfo=UTC)


@bench("a letter played: movement, combat, two maps, two letters", goal="<= 83 ms")
def half_turn() -> Race:
    from shutil import copy

    from pbem.service.intake.receive import receive
    from pbem.service.record.store import Store

    text, count = bot_orders()
    raw, path = allied_mail(0, text), copied()
    store = Store.open(path)  # kept, as a server keeps it, with the statements that it has compiled

    def ours() -> object:
        store.engine.dispose()
        for rest in path.parent.glob(f"{path.name}-*"):
            rest.unlink()
        copy(landed(), path)
        return receive(store, raw, moment())

    assert "closed: movement, combat" in str(ours())
    return Race(ours, remark=f"{count} orders, the same file each time, the ground of the map cached")


@bench("map as PNG, drawn before", goal="<= 25 ms and 250 KB")
def map_warm() -> Race:
    from pbem import render

    board = second_board()
    picture = render.png(board)
    return Race(
        lambda: render.png(board), remark=f"{len(picture) // 1024} KB, {len(board.counters)} counters"
    )


@bench("pictures of a letter, the ground drawn before", goal="<= 25 ms and 80 KB")
def letter_pictures() -> Race:
    from pbem.service.letters.layout import Pictures

    board = fought_board()
    files = Pictures().of(board)
    told = ", ".join(f"{file.cid} {len(file.part) * 3 // 4 // 1024} KB" for file in files)
    return Race(lambda: Pictures().of(board), remark=f"{told}, {len(board.battles)} fights")


@bench("pictures of a letter, for a second reader", goal="<= 2 ms")
def shared_pictures() -> Race:
    from dataclasses import replace

    from pbem.service.letters.layout import Pictures

    board, pictures = fought_board(), Pictures()
    pictures.of(board)
    same = replace(board, counters=tuple(replace(counter) for counter in board.counters))
    return Race(lambda: pictures.of(same))


@cache
def fought_board() -> Any:
    """A board with two fights far apart among the stacks of the second turn."""
    from dataclasses import replace

    from pbem.engine.board import Battle

    board = second_board()
    held = sorted({counter.hex for counter in board.counters})
    fights = [held[len(held) * part // 8] for part in (1, 2, 6, 7)]
    battles = tuple(
        Battle(hex, f"R{number}", board.map.neighbours(hex)[:2]) for number, hex in enumerate(fights, 17)
    )
    return replace(board, battles=battles)


@bench("map as PNG, nothing kept", goal="<= 400 ms the ground")
def map_cold() -> Race:
    from tempfile import TemporaryDirectory

    from pbem import render
    from pbem.render import picture

    board = second_board()

    def cold() -> object:
        for kept in vars(picture).values():
            if hasattr(kept, "cache_clear"):
                kept.cache_clear()
        with TemporaryDirectory() as folder:
            return render.png(board, cache=Path(folder))

    return Race(cold, lambda: render.svg(board), remark="the peer is the same map as SVG")


@cache
def second_board() -> Any:
    game, snapshot, _ = second_turn()
    return game.report.board(game.view(game.load(snapshot), "umpire"), ())


@bench("a hundred recorded answers resumed", goal="<= 5 ms")
def resumed() -> Race:
    from pbem.service.play.steps import Position, resume

    game, played = random_game("normandy71")
    longest = max(played.phases, key=lambda phase: len(phase.entries))
    entries = longest.entries[: min(100, len(longest.entries) - 1)]
    position = Position(1, longest.snapshot, entries)
    return Race(lambda: resume(game, position), remark=f"{len(entries)} answers of {longest.label}")


@bench("memory of a process that has taken in a letter and drawn a map", goal="")
def memory() -> Race:
    import resource
    import subprocess

    code = (
        "import sys, resource; sys.argv=['pbem']\n"
        "from pbem.engine.game import game; import pbem.service.intake.receive; "
        "from pbem import render\n"
        "g = game('normandy71'); s = g.start(); render.png(g.report.board(g.view(s, 'umpire'), ()))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=TESTS.parent
    )
    ours = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Race(
        lambda: None,
        remark=f"{int(done.stdout) // 1024} MB resident at most; this bench process {ours // 1024} MB",
    )


# --- the report -----------------------------------------------------------------------------------------


def in_words(seconds: float | None) -> str:
    """A time per item with three figures, and its rate: `4.71 us (212 k/s)`."""
    if seconds is None:
        return "-"
    size, unit = next(
        ((s, u) for s, u in ((1, "s"), (1e-3, "ms"), (1e-6, "us")) if seconds >= s), (1e-9, "ns")
    )
    rate = 1 / seconds
    per, thousands = (rate / 1e6, " M") if rate >= 1e6 else (rate / 1e3, " k") if rate >= 1e3 else (rate, "")
    return f"{seconds / size:.3g} {unit} ({per:.3g}{thousands}/s)"


def line(outcome: Outcome) -> str:
    if outcome.skipped:
        return f"{outcome.name:<48} skipped: {outcome.skipped}"
    ratio = ""
    if outcome.ratio is not None:
        ratio = f"{outcome.ratio:8.3g} x ({min(outcome.ratios):.3g} to {max(outcome.ratios):.3g})"
    parts = [
        f"{outcome.name:<48} {in_words(outcome.ours):<22} {in_words(outcome.cpu).split(' (')[0]:<10} "
        f"{in_words(outcome.theirs):<22} {ratio:<28}",
        f"goal {outcome.goal}" if outcome.goal else "",
        f"against {outcome.peer}" if outcome.peer else "",
        outcome.remark,
    ]
    return parts[0] + "; ".join(part for part in parts[1:] if part)


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Benchmarks of pbem, each against a peer where there is one."
    )
    parser.add_argument("words", nargs="*", help="run only benchmarks whose name holds one of these words")
    parser.add_argument("--rounds", type=int, default=7, help="runs of each, in turn (default 7)")
    parser.add_argument("--seconds", type=float, default=0.1, help="length of one run (default 0.1)")
    parser.add_argument("--json", action="store_true", help="one JSON object per line")
    given = parser.parse_args()
    chosen = [b for b in BENCHES if not given.words or any(word in b.name for word in given.words)]
    if not chosen:
        parser.error(f"no such benchmark; there are: {'; '.join(b.name for b in BENCHES)}")
    if not given.json:
        print(f"{'':<48} {'pbem':<22} {'processor':<10} {'peer':<22}    pbem is faster by")
    for entry in chosen:
        outcome = measure(entry, given.rounds, given.seconds)
        if given.json:
            print(json.dumps(asdict(outcome) | {"ratio": outcome.ratio}), flush=True)
        else:
            print(line(outcome), flush=True)


if __name__ == "__main__":
    main()
