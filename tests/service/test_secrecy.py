"""N14, N15 What a player cannot know changes nothing of what he is told, not by one byte."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from postbox import GAME, ID, PLAYERS, START, Postbox, placed, position
from sizes import some

from pbem import render
from pbem.engine.play import advance
from pbem.games.normandy71.state import State, Unit
from pbem.games.normandy71.view import view as view_of_state
from pbem.service.letters.layout import Pictures, send
from pbem.service.letters.reports import turn_letter
from pbem.service.record.rows import GameRow
from pbem.service.record.store import Store
from pbem.service.record.table import Table
from pbem.service.tools import queries
from pbem.testing.secrecy import covered_up

# --- positions and their twins ------------------------------------------------------------------------------


def german_twin(state: State) -> State:
    """The position with everything changed that the Allied player cannot know: the order of battle, how it
    was drawn, the names of all German units, which of them stand under markers and how many, what is still to
    come, when and where."""
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
    """The position with everything changed that the German player cannot know: which beaches supply, the plan
    where it has not been carried out, who stands under Allied markers, who waits in which box, which
    parachute units still lack supply."""
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
    if state.turn < 3:  # later on, lack of supply kills for all to see (PAR.D)
        for unit in allied:
            unit.never_supplied = unit.type == "paratroop" and not unit.never_supplied
    return twin


def _renamed(state: State, side: str, prefix: str) -> State:
    """New ids for the units of a side, and another order among those that look alike."""
    own = [unit for unit in state.units.values() if unit.side == side]
    names = {unit.id: f"{prefix}{number}" for number, unit in enumerate(own)}
    own.reverse()
    own.sort(key=lambda unit: (unit.kind, unit.type))
    units: list[Unit] = [
        *(unit for unit in state.units.values() if unit.side != side),
        *(replace(unit, id=names[unit.id]) for unit in own),
    ]
    state.units = {unit.id: unit for unit in units}
    state.announced = {names.get(id, id): turn for id, turn in state.announced.items()}
    state.retreated = [names.get(id, id) for id in state.retreated]
    return state


# --- everything that a player is told ----------------------------------------------------------------------


def told(box: Postbox, seat: str, letters: list[str], pictures: Pictures) -> Iterator[tuple[str, bytes]]:
    """All that a player can see of a game and can be told: what programs read, his turn letter, and the
    answers to `letters`."""
    yield "view", queries.view_of(box.store, ID, seat).model_dump_json(indent=1).encode()
    yield "status", repr(queries.status(box.store, ID, seat)).encode()
    yield "log", repr([queries.log(box.store, ID, seat), queries.log_facts(box.store, ID, seat)]).encode()
    rolls = queries.rolls(box.store, ID, seat)
    yield "rolls", repr(rolls).encode()
    for roll in rolls:
        yield "roll", repr(queries.roll_page(box.store, ID, roll["name"], seat)).encode()
    board = queries.board_of(box.store, ID, seat)
    yield "board", repr(board).encode()
    yield "svg", render.scene_svg(render.layout(board)).encode()
    for page in queries.pages(box.store, ID, seat):
        yield "page", "\n".join([*page.lines()[:-1], repr(page.board)]).encode()
    with box.store.transaction() as session:
        table = Table(session, session.get_one(GameRow, ID), START)
        here = table.here()
        writing = turn_letter(table, [here], seat)
        if writing is not None:
            send(table, seat, writing, here, pictures)
    for number, text in enumerate(letters):
        yield f"outcome {number}", repr(box.mail(seat, text)).encode()
    for row in box.outbox(PLAYERS[seat].address):
        yield f"letter {row.key}", covered_up(row.raw)
        yield f"subject {row.key}", row.subject.encode()


def questions(state: State, seat: str) -> list[str]:
    """Letters that try to find out more: every attack there is on what the reader sees, moves next to it and
    into it, commands, nonsense."""
    seen = view_of_state(state, seat)
    neighbours = GAME_MAP.grid.neighbours
    by_marker = sorted(seen.seen, key=lambda stack: not stack.hidden)
    enemies = [stack.hex for stack in by_marker]
    mine = [unit for unit in seen.units if unit.place == "map"]
    near = [u for u in mine if u.hex and set(neighbours(u.hex)) & set(enemies)]
    moves = [f"move {u.id} to {to}" for u in [*near[:6], *mine[:4]] for to in neighbours(u.hex or "")[:3]]
    moves += [f"move {u.id} to {to}" for u in near[:4] for to in neighbours(u.hex or "") if to in enemies]
    touched = {near for unit in mine for near in neighbours(unit.hex or "")}
    enemies.sort(key=lambda hex: hex not in touched)
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
    commands = "status\nlog\nhistory\nluck\norders\nhelp attack\nstanding\n"
    first = attacks[:4] if seat == "allied" else attacks
    return [
        "try\n" + "\n".join(everything),
        *(f"try\n[combat]\n{attack}\n" for attack in attacks[:8]),
        "try\n[combat]\n" + "\n".join(reversed(first)),
        commands,
        "\n".join(everything),
        "map\n" + commands,
        "map since letter\nmap since t1 text\nmap since r1 text\n",
        "withdraw all\n",
        "[movement]\n" + "\n".join(moves[:2]) + "\ndone anyway\n"
        if state.phase.endswith("_movement")
        else "draft\n",
    ]


GAME_MAP = GAME.report.board(GAME.view(GAME.start(), "umpire"), ()).map

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


def _alike(one: list[tuple[str, bytes]], two: list[tuple[str, bytes]]) -> None:
    assert [name for name, _ in one] == [name for name, _ in two]
    for (name, first), (_, second) in zip(one, two, strict=True):
        leaks = [pair for pair in zip_longest(first.splitlines(), second.splitlines()) if pair[0] != pair[1]]
        assert leaks == [], name


def _same(tmp_path: Path, seat: str, state: State, twin: State) -> None:
    pictures, letters = Pictures(), questions(state, seat)
    one = list(told(placed(tmp_path / "one.pbem", state), seat, letters, pictures))
    two = list(told(placed(tmp_path / "two.pbem", twin), seat, letters, pictures))
    _alike(one, two)
    assert sum(name.startswith("letter") for name, _ in one) >= len(letters)


@pytest.mark.parametrize(("kind", "seed", "label"), some(ALLIED, 3))
def test_the_allied_player_learns_nothing_of_what_is_hidden(
    tmp_path: Path, kind: str, seed: str, label: str
) -> None:
    """Everything the Allied player is told stays the same byte for byte when all that he cannot know is
    changed."""
    state = position(kind, seed, label)
    twin = german_twin(state)
    assert GAME.view(twin, "german") != GAME.view(state, "german")
    _same(tmp_path, "allied", state, twin)


@pytest.mark.parametrize(("kind", "seed", "label"), some(GERMAN, 2))
def test_the_german_player_learns_nothing_of_what_is_hidden(
    tmp_path: Path, kind: str, seed: str, label: str
) -> None:
    """Everything the German player is told stays the same byte for byte when all that he cannot know is
    changed."""
    state = position(kind, seed, label)
    twin = allied_twin(state)
    assert GAME.view(twin, "allied") != GAME.view(state, "allied")
    _same(tmp_path, "german", state, twin)


# --- the deployment, the draw, the dice ---------------------------------------------------------------------

SET_UPS = (
    "[set-up]\ndefault\ndone\n",
    "[set-up]\nplace 916/352 at 2018\nplace 914/352 at 1917 unentrenched\ndefault\ndone\n",
)
PLANS = (
    "[plan]\ndefault\ndone\n",
    "[plan]\nland 8/4 at 2 Utah\ndrop 501/101 at 4025\nsupply 3 Utah\ndefault\ndone\n",
)


@pytest.mark.parametrize(
    ("writer", "reader", "letters"), [("german", "allied", SET_UPS), ("allied", "german", PLANS)]
)
def test_what_is_deployed_in_secret_stays_secret(
    tmp_path: Path, writer: str, reader: str, letters: tuple[str, str]
) -> None:
    """Whatever one side writes for the secret deployment, the other is told the same until it has written
    itself."""
    seen = []
    for number, text in enumerate(letters):
        box = Postbox.started(Store.create(tmp_path / f"{number}.pbem"))
        received = box.mail(writer, text)
        assert received.outcome == "accepted" and "closed: " in received.why
        seen.append(
            list(
                told(
                    box, reader, ["status\nmap\nlog\n", f"try\n{PLANS[1]}", f"try\n{SET_UPS[1]}"], Pictures()
                )
            )
        )
    _alike(*seen)
    assert any("reply" in name for name, _ in seen[0])


def test_the_order_of_battle_does_not_show_in_anything_the_allied_player_gets(tmp_path: Path) -> None:
    """Before anybody has written, six games with six orders of battle and the same die look alike to the
    Allied player."""
    start, seen = GAME.start(), []
    for turned in range(6):
        state: State = GAME.load(GAME.dump(start))
        pool = "ABCDEF"[turned:] + "ABCDEF"[:turned]
        answers: Iterator[Any] = iter([list(pool), [3]])
        progress = advance(
            GAME.phase(state.phase).play(state), state, dice=lambda request, label, a=answers: next(a)
        )
        box = placed(tmp_path / f"{turned}.pbem", start, entries=tuple(progress.entries))
        assert (
            queries.view_of(box.store, ID, "german").order_of_battle[0]  # type: ignore[attr-defined]
            == pool[2]
        )
        seen.append(list(told(box, "allied", ["status\nlog\n", f"try\n{PLANS[1]}"], Pictures())))
    for each in seen[1:]:
        _alike(seen[0], each)


@pytest.mark.parametrize(
    ("kind", "seed", "label"), [("greedy", "1", "t3.allied_combat"), ("greedy", "1", "t1.allied_combat")]
)
def test_previews_do_not_depend_on_the_dice_to_come(tmp_path: Path, kind: str, seed: str, label: str) -> None:
    """N14 Checks, odds and errors are the same whatever the secret of the dice is."""
    state = position(kind, seed, label)
    letters = [letter for letter in questions(state, "allied") if letter.startswith("try")]
    seen = []
    for secret in ("1", "another"):
        box = placed(tmp_path / f"{secret}.pbem", state, secret)
        for letter in letters:
            box.mail("allied", letter)
        seen.append([text.partition("\nReceipt\n")[0] for text in box.texts(PLAYERS["allied"].address)])
    assert seen[0] == seen[1]
    assert any("under a marker" in text or "%" in text for text in seen[0])


def test_a_battle_in_the_open_tells_nothing_of_the_rest(tmp_path: Path) -> None:
    """When Allied units have attacked stacks on the open map, the log and the turn letters still hold nothing
    that is hidden."""
    state = position("greedy", "1", "t4.allied_combat")
    twin = german_twin(state)
    seen = view_of_state(state, "allied")
    letters = [
        "[combat]\n"
        + "\n".join(f"try attack {stack.hex}" for stack in seen.seen if not stack.hidden)
        + "\ndone\n",
        "log\n",
    ]
    one = list(told(placed(tmp_path / "one.pbem", state), "allied", letters, Pictures()))
    two = list(told(placed(tmp_path / "two.pbem", twin), "allied", letters, Pictures()))
    _alike(one, two)
    assert sum(b"Combat at" in text for _, text in one) >= 2


def test_the_last_attack_that_supply_allows_reveals_nothing(tmp_path: Path) -> None:
    """SUP.M When nothing more can be ordered after the fourth attack, its confirmation still ends before the
    markers are lifted."""
    state = position("greedy", "1", "t1.allied_combat")
    state.turn = 2
    hidden = [stack.hex for stack in view_of_state(state, "allied").seen if stack.hidden]
    found = []
    for each in (state, german_twin(state)):
        box = placed(tmp_path / f"{len(found)}.pbem", each)
        box.mail("allied", "try\n[combat]\n" + "\n".join(f"try attack {hex}" for hex in hidden))
        found.append(box.texts(PLAYERS["allied"].address)[0])
    assert found[0] == found[1]
    assert found[0].count("\n ok ") == 4 and "SUP.M" in found[0]
    assert "Under the marker" not in found[0]
