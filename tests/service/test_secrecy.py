"""N14, N15 What a player cannot know changes nothing of what he is told, not by one byte."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from pbem import render
from pbem.engine.autoplay import PlayedPhase, autoplay
from pbem.engine.bots import greedy_bot, random_bot
from pbem.engine.game import game
from pbem.games.normandy71.state import State, Unit
from pbem.games.normandy71.view import Normandy71View
from pbem.games.normandy71.view import view as view_of_state
from pbem.mail.address import reply_address
from pbem.service import look, proof
from pbem.service.letters import Pictures, send, turn_letter
from pbem.service.receive import receive
from pbem.service.start import Player
from pbem.service.store import (
    GameRow,
    JournalRow,
    JournalWriter,
    OutboxRow,
    PhaseRow,
    SeatRow,
    Store,
    pack,
)
from pbem.service.table import Table
from pbem.service.trial import preview
from sqlmodel import delete, select

from postbox import PLAYERS, SERVER, START, Postbox, new_game

GAME = game("normandy71")
ID = "cotentin"
COVERS_THE_WHOLE_STATE = re.compile(rb"^((?:<pre[^>\n]*>)?(?:state|text|seal)) [0-9a-f]{64}", re.MULTILINE)
"""The seal of the state is an HMAC over everything, with a secret opened at the end of the game; text digest and seal of the letter cover
that line. Nobody can learn anything from them before the end, and they must differ."""
DIGEST_IN_A_BOUNDARY = re.compile(rb"=_([arm])[0-9a-f]{32}")
"""The boundaries of the mail's parts are digests of its text, and so of the lines above."""


# --- positions and their twins ------------------------------------------------------------------------------


@cache
def played(kind: str, seed: str) -> tuple[PlayedPhase, ...]:
    """A game played by bots, as snapshots at the phase starts."""
    bots = {
        seat: random_bot(random.Random(seed + seat))
        if kind == "random"
        else greedy_bot(GAME.worth, random.Random(seed + seat))
        for seat in ("allied", "german")
    }
    return autoplay(GAME, seed, bots).phases


def position(kind: str, seed: str, label: str) -> State:
    snapshot = next(phase.snapshot for phase in played(kind, seed) if phase.label == label)
    state: State = GAME.load(snapshot)
    return state


def german_twin(state: State) -> State:
    """The position with everything changed that the Allied player cannot know: the order of battle, how it was drawn, the names of all
    German units, which of them stand under markers and how many, what is still to come, when and where."""
    twin: State = GAME.load(GAME.dump(state))
    chance = random.Random("german twin")
    twin.assignment = tuple(chance.sample("ABCDEF", 6))
    twin.order_of_battle = next(letter for letter in "FEDCBA" if letter != state.order_of_battle)
    told = {*state.announced, *state.retreated}
    germans = [unit for unit in twin.units.values() if unit.side == "german"]
    under = [u for u in germans if u.place == "map" and twin.entrenched(u) and u.id not in told]
    reserve = [u for u in germans if u.place == "later" and u.id not in told]
    hexes = sorted({unit.placed for unit in under})
    pool = [*under, *reserve]
    chance.shuffle(pool)
    for unit in pool:
        unit.place, unit.hex, unit.entry = "later", None, "reinforcement"
        unit.arrives, unit.edges = chance.choice((5, 6)), (chance.choice(("west", "north")),)
    for hex in [*hexes, *(hex for hex in hexes if len(pool) > 2 * len(hexes) and chance.random() < 0.6)]:
        for unit in [pool.pop()]:
            unit.place, unit.hex, unit.entry, unit.arrives, unit.edges = "map", hex, "anywhere", 0, ()
    return _renamed(twin, "german", "zz")


def allied_twin(state: State) -> State:
    """The position with everything changed that the German player cannot know: which beaches supply, the plan where it has not been
    carried out, who stands under Allied markers, who waits in which box, which parachute units still lack supply."""
    twin: State = GAME.load(GAME.dump(state))
    plan, chance = twin.plan, random.Random("allied twin")
    landed = list(plan.beaches) or ["3 Utah"]
    plan.supply = [beach for beach in reversed(landed) if beach not in state.plan.supply] or landed[-1:]
    twin.dead_beaches = []
    told = {*state.announced, *state.retreated}
    allied = [unit for unit in twin.units.values() if unit.side == "allied"]
    under = [u for u in allied if u.place == "map" and twin.entrenched(u) and u.id not in told]
    waiting = [u for u in allied if u.place in ("later", "box") and u.entry == "reinforcement"]
    hexes = sorted({unit.placed for unit in under})
    pool = [*under, *waiting]
    chance.shuffle(pool)
    for unit in pool:
        unit.place, unit.hex, unit.beach, unit.arrives = "later", None, "", 6
    for hex in hexes:
        if pool:
            unit = pool.pop()
            unit.place, unit.hex = "map", hex
    for unit in pool[:3]:
        unit.place, unit.beach = "box", landed[0]
    for unit in allied:
        unit.never_supplied = unit.type == "paratroop" and not unit.never_supplied
    return twin


def _renamed(state: State, side: str, prefix: str) -> State:
    """New ids for the units of a side, in another order."""
    own = [unit for unit in state.units.values() if unit.side == side]
    names = {unit.id: f"{prefix}{number}" for number, unit in enumerate(own)}
    units: list[Unit] = [
        *(unit for unit in state.units.values() if unit.side != side),
        *(replace(unit, id=names[unit.id]) for unit in reversed(own)),
    ]
    state.units = {unit.id: unit for unit in units}
    state.announced = {names.get(id, id): turn for id, turn in state.announced.items()}
    state.retreated = [names.get(id, id) for id in state.retreated]
    return state


# --- everything that a player is told ----------------------------------------------------------------------


def placed(path: Path, state: State, seed: str = "1", entries: tuple[Any, ...] = ()) -> Postbox:
    """A game that stands at `state`, nothing having been written to anybody."""
    box = Postbox.started(
        Store.create(path), new_game(seed, players={key: Player(p.name) for key, p in PLAYERS.items()})
    )
    with box.store.transaction() as session:
        row = session.get_one(GameRow, ID)
        for key, player in PLAYERS.items():
            seat = session.get_one(SeatRow, (ID, key))
            seat.address, seat.zone = player.address, player.zone
            seat.told_phase = 0
        for table in (OutboxRow, JournalRow, PhaseRow):
            session.exec(delete(table))
        writer = JournalWriter(session, ID)
        writer.append(1, "start", "placed", {}, at=START)
        for entry in entries:
            writer.append(1, "answer", entry.asked, entry.answer, at=START, by=entry.by, digest=entry.digest)
        session.add(
            PhaseRow(
                game=ID, number=1, label=GAME.label(state), turn=state.turn, snapshot=pack(GAME.dump(state)), rolls=state.rolls
            )
        )  # fmt: skip
        row.phase, row.waiting_since = 1, START
    return box


def told(box: Postbox, seat: str, letters: list[str], pictures: Pictures) -> Iterator[tuple[str, bytes]]:
    """All that a player can see of a game and can be told: what programs read, his turn letter, and the answers to `letters`."""
    yield "view", look.view_of(box.store, ID, seat).model_dump_json(indent=1).encode()
    yield "status", repr(look.status(box.store, ID, seat)).encode()
    yield "log", repr([look.log(box.store, ID, seat), look.log_facts(box.store, ID, seat)]).encode()
    yield "rolls", repr(look.rolls(box.store, ID, seat)).encode()
    board = look.board_of(box.store, ID, seat)
    yield "board", repr(board).encode()
    yield "svg", render.scene_svg(render.layout(board)).encode()
    for page in look.pages(box.store, ID, seat):
        yield "page", "\n".join([*page.lines()[:-1], repr(page.board)]).encode()
    with box.store.transaction() as session:
        table = Table(session, session.get_one(GameRow, ID), START)
        here = table.here()
        writing = turn_letter(table, [here], seat, pictures)
        if writing is not None:
            send(table, seat, writing, here, pictures, number=1)
    for number, text in enumerate(letters):
        yield f"outcome {number}", repr(box.mail(seat, text)).encode()
    for row in box.outbox(PLAYERS[seat].address):
        yield (
            f"letter {row.key}",
            COVERS_THE_WHOLE_STATE.sub(rb"\1", DIGEST_IN_A_BOUNDARY.sub(rb"=_\1", row.raw)),
        )
        yield f"subject {row.key}", row.subject.encode()


def questions(state: State, seat: str) -> list[str]:
    """Letters that try to find out more: every attack there is on what the reader sees, moves next to it and into it, commands, nonsense."""
    seen = view_of_state(state, seat)
    neighbours = GAME_MAP.grid.neighbours
    enemies = [stack.hex for stack in seen.seen]
    mine = [unit for unit in seen.units if unit.place == "map"]
    near = [u for u in mine if u.hex and set(neighbours(u.hex)) & set(enemies)]
    moves = [f"move {u.id} to {to}" for u in [*near[:6], *mine[:4]] for to in neighbours(u.hex or "")[:3]]
    moves += [f"move {u.id} to {to}" for u in near[:4] for to in neighbours(u.hex or "") if to in enemies]
    guns = ("", " naval any") if seat == "allied" else ("",)
    attacks = [f"attack {hex}{gun}" for hex in enemies for gun in guns]
    pairs = [f"attack {a}, {b}" for a in enemies for b in neighbours(a) if b in enemies]
    enemy = [unit.id for unit in state.units.values() if unit.side != seat]
    strange = [
        f"attack {enemies[0] if enemies else '2020'} with {enemy[0]}",
        f"move {enemy[1]} to 2020",
        "atack 2222",
    ]
    conditions = [f"if {hex} is empty then move {mine[0].id} to {hex}" for hex in enemies[:3] if mine]
    everything = [
        "[movement]",
        *moves,
        *strange[1:],
        *conditions,
        "[combat]",
        *attacks,
        *pairs[:10],
        *strange,
        "[movement 2]",
        *moves[:8],
    ]
    commands = "status\nlog\nhistory\norders\nhelp attack\nstanding\n"
    first = attacks[:4] if seat == "allied" else attacks
    return [
        "try\n" + "\n".join(everything),
        *(f"try\n[combat]\n{attack}\n" for attack in attacks[:6]),
        "try\n[combat]\n" + "\n".join(reversed(first)),
        commands,
        "draft\n" + "\n".join(everything),
        "map\n" + commands,
        "withdraw all\n",
        "[movement]\n" + "\n".join(moves[:2]) + "\nfinal\n"
        if state.phase.endswith("_movement")
        else "draft\n",
    ]


GAME_MAP = GAME.board(GAME.view(GAME.start(), "umpire"), ()).map

ALLIED = [
    ("random", "2", "t1.allied_movement"),
    ("greedy", "1", "t1.allied_combat"),
    ("random", "2", "t1.german_movement"),
    ("random", "2", "t3.allied_movement"),
    ("greedy", "1", "t3.allied_combat"),
    ("random", "2", "t4.allied_combat"),
    ("greedy", "1", "t4.allied_reinforcement"),
    ("random", "2", "t6.allied_combat"),
    ("random", "2", "t6.allied_second_movement"),
]
GERMAN = [
    ("random", "2", "t1.allied_movement"),
    ("greedy", "1", "t1.german_movement"),
    ("random", "2", "t2.german_combat"),
    ("random", "2", "t4.german_movement"),
    ("random", "2", "t5.german_combat"),
    ("greedy", "1", "t5.german_second_movement"),
]


def _same(tmp_path: Path, seat: str, state: State, twin: State) -> None:
    pictures, letters = Pictures(), questions(state, seat)
    one = list(told(placed(tmp_path / "one.pbem", state), seat, letters, pictures))
    two = list(told(placed(tmp_path / "two.pbem", twin), seat, letters, pictures))
    assert [name for name, _ in one] == [name for name, _ in two]
    for (name, first), (_, second) in zip(one, two, strict=True):
        leaks = [pair for pair in zip_longest(first.splitlines(), second.splitlines()) if pair[0] != pair[1]]
        assert leaks == [], name
    assert sum(name.startswith("letter") for name, _ in one) >= len(letters)


@pytest.mark.parametrize(("kind", "seed", "label"), ALLIED)
def test_the_allied_player_learns_nothing_of_what_is_hidden(
    tmp_path: Path, kind: str, seed: str, label: str
) -> None:
    """Everything the Allied player is told stays the same byte for byte when all that he cannot know is changed."""
    state = position(kind, seed, label)
    twin = german_twin(state)
    assert GAME.view(twin, "german") != GAME.view(state, "german")
    _same(tmp_path, "allied", state, twin)


@pytest.mark.parametrize(("kind", "seed", "label"), GERMAN)
def test_the_german_player_learns_nothing_of_what_is_hidden(
    tmp_path: Path, kind: str, seed: str, label: str
) -> None:
    """Everything the German player is told stays the same byte for byte when all that he cannot know is changed."""
    state = position(kind, seed, label)
    twin = allied_twin(state)
    assert GAME.view(twin, "allied") != GAME.view(state, "allied")
    _same(tmp_path, "german", state, twin)
