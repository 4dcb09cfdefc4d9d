"""Letters of this game: orders written ahead for commands that chance draws, lines that depend on the draw,
and what a whole game tells each side."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from postbox import Postbox

from pbem.engine.autoplay import Played, autoplay
from pbem.engine.bots import greedy_bot
from pbem.engine.game import Rate
from pbem.engine.language.reference import Examples, reference
from pbem.engine.notes import Note
from pbem.engine.play import advance
from pbem.games.falaise import GAME
from pbem.games.falaise.notes import Drawn, Moved
from pbem.games.falaise.orders import Attach, Withhold
from pbem.games.falaise.state import State
from pbem.games.falaise.tables import ALLIED_COMMANDS, GERMAN_COMMANDS
from pbem.games.falaise.view import roster, view
from pbem.service.intake.submit import Submitted, submit
from pbem.service.intake.trial import check_file
from pbem.service.letters.log import forces, log_lines
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.record.rows import SeatRow
from pbem.service.record.store import Store, locked_game
from pbem.service.record.table import Table
from tests.correspondence import Watch
from tests.games.falaise.kit import game, rehearsal

NOW = datetime(2026, 11, 2, 18, tzinfo=UTC)
GERMANS = "".join(f"[{key}]\nhold\n" for key in (*GERMAN_COMMANDS, "58Pz")) + "done all\n"
STAY = "no orders: redeployment\n"
HOLD_84, HOLD_1SS = "[84]\nhold\n", "[1SS]\nhold\n"
STANDING = """
standing 58th: never
standing opfire: always
standing ter: always
standing disrupt: weakest first
standing friendly fire: weakest first
standing losses: weakest first
standing retreat: toward 1703
standing advance: never
"""
ALLIES = "no orders: bombardment\n" + "".join(f"[{key}]\nhold\n" for key in ALLIED_COMMANDS) + "done all\n"


# --- played by letter -------------------------------------------------------------------------------------


def begun(path: Path, **options: str) -> Store:
    """A game that both sides have set up by letter, before the redeployment."""
    store = Store.create(path / "game.pbem")
    seats = ("german",) if options.get("players") == "one" else ("german", "allied")
    players = {seat: Player(seat.capitalize(), f"{seat}@mail.example") for seat in seats}
    start(store, NewGame("falaise", "dives", options=options, players=players, seed="1"), NOW)
    for seat in seats:
        submit(store, None, seat, f"[set-up]\ndefault\ndone\n{STANDING if seat == 'german' else ''}", NOW)
    return store


def send(store: Store, seat: str, text: str) -> Submitted:
    return submit(store, None, seat, text, NOW)


def here(store: Store) -> tuple[str, State, list[Note]]:
    """The phase that is waited in, the state, and the log of everything since the redeployment."""
    with store.transaction() as session:
        table = Table(session, locked_game(session, "dives"), NOW)
        step = table.here()
        assert isinstance(step.state, State)
        return step.label, step.state, list(step.notes)


def units(store: Store) -> dict[str, str | None]:
    return {id: unit.hex for id, unit in here(store)[1].units.items()}


def test_a_turn_is_played_with_a_letter_of_each_side(tmp_path: Path) -> None:
    """4.0 With lines for each of their commands, given ahead, both sides play turn 1 in one letter each;
    the next stop is in turn 2."""
    store = begun(tmp_path)
    assert here(store)[0] == "t1.redeployment"
    send(store, "german", f"[redeployment]\nwithhold D/2SS, DF/2SS\n{GERMANS}")
    assert here(store)[0] == "t1.bombardment"
    send(store, "allied", ALLIES)
    assert here(store)[0] == "t2.bombardment"
    store.close()


def test_the_game_waits_for_the_command_that_was_forgotten(tmp_path: Path) -> None:
    """4.0 When a command is drawn for which its player has written nothing, the game waits for him,
    and for nobody else."""
    store = begun(tmp_path)
    send(store, "german", f"{STAY}{GERMANS.replace(HOLD_84, '')}")
    send(store, "allied", ALLIES)
    label, state, _ = here(store)
    assert label.startswith("t1.activation") and state.active == "84"
    send(store, "german", "hold\ndone\n")
    assert here(store)[0] == "t2.bombardment"
    store.close()


def test_when_is_the_same_as_a_heading(tmp_path: Path) -> None:
    """4.0 `when 1SS: ...; ...` is the heading of the section and its orders on one line:
    both games go on alike."""
    found = []
    for number, text in enumerate(
        ("[1SS]\n192/21Pz to 1818\n125/21Pz to 1719\n", "when 1SS: 192/21Pz to 1818; 125/21Pz to 1719\n")
    ):
        (folder := tmp_path / str(number)).mkdir()
        store = begun(folder)
        send(store, "german", f"{STAY}{text}{GERMANS.replace(HOLD_1SS, '')}")
        send(store, "allied", ALLIES)
        found.append(units(store))
        store.close()
    assert found[0] == found[1] and found[0]["192/21Pz"] != "1319"


def test_lines_depend_on_the_draw(tmp_path: Path) -> None:
    """4.0 Of lines that want their command to be first this turn exactly those of the first one act;
    the others do what stands behind `else`."""
    ways = {
        "1SS": ("125/21Pz", "1519", "1520"),
        "74": ("979/271", "1630", "1532"),
        "84": ("942/353", "2743", "2643"),
        "2FJ": ("9/3FJ", "2243", "2344"),
    }
    lines = [
        f"[{key}]\nif first this turn: {id} to {first} else {id} to {later}"
        for key, (id, first, later) in ways.items()
    ]
    store = begun(tmp_path)
    send(store, "german", STAY + "\n".join(lines) + "\n[2SS]\nhold\n[47Pz]\nhold\ndone all\n")
    send(store, "allied", ALLIES)
    with store.transaction() as session:
        rows = Table(session, locked_game(session, "dives"), NOW).record.phases()
    drawn = [note["command"] for row in rows for note in row.notes if note["kind"] == "Drawn"]
    moved = {note["names"][0]: note["path"] for row in rows for note in row.notes if note["kind"] == "Moved"}
    for key, (id, first, later) in ways.items():
        assert moved[id][-1] == (first if drawn[0] == key else later)
    store.close()


def test_a_line_that_can_never_act_is_told_and_keeps_its_section_open(tmp_path: Path) -> None:
    """7.1.1 A line that no die can make true is answered with its reason, and keeps its section a draft;
    no other."""
    store = begun(tmp_path)
    idle = "when 1SS: if at least 12 points: 192/21Pz to 1818\n"
    told = "\n".join(send(store, "german", idle + GERMANS.replace(HOLD_1SS, "")).confirmation)
    assert "1SS has at most 3 movement points this turn [7.1.1]" in told
    with store.transaction() as session:
        closed = session.get_one(SeatRow, ("dives", "german")).sheet["closed"]
    assert "2SS" in closed and "1SS" not in closed
    store.close()


def test_the_system_plays_the_allies(tmp_path: Path) -> None:
    """13.0 Played alone, a letter of the German player leads on to the next command of his for which he
    has written nothing."""
    store = begun(tmp_path, players="one")
    assert here(store)[0] == "t1.redeployment"
    send(store, "german", f"{STAY}{GERMANS}")
    label, state, _ = here(store)
    assert label.startswith("t2.activation") and state.active in GERMAN_COMMANDS
    store.close()


# --- lines ------------------------------------------------------------------------------------------------


ROUND = "25/12SS 1525, 26/12SS 1525, 501SS 1625, 192/21Pz 1526"


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Postbox]:
    """The 1st SS Panzer Corps is drawn, and its player is asked whom it attaches."""
    state = game(ROUND, phase="activation", cup=["1SS"], turn=3)
    found = Watch("falaise", "dives", (), opening=lambda: state).club(tmp_path / "game.pbem", ())
    yield found
    found.store.close()


def lines(box: Postbox) -> list[str]:
    """The German sheet, in the order of play."""
    return [f"L{line['name']} {line['text']}" for line in box.seat("german").sheet["lines"]]


def test_7_2_legs_of_one_letter_follow_one_another(box: Postbox) -> None:
    """7.2 Several lines about the same units in one letter are legs of a move;
    a line of a later letter takes the place of the one about exactly its units."""
    box.mail("german", "25/12SS, 26/12SS to 1622\n25/12SS to 1723\n501SS to 1724\n")
    assert lines(box) == ["L1 25/12SS, 26/12SS to 1622", "L2 25/12SS to 1723", "L3 501SS to 1724"]
    box.mail("german", "25/12SS to 1819\n")
    assert lines(box) == ["L1 25/12SS, 26/12SS to 1622", "L2 25/12SS to 1819", "L3 501SS to 1724"]


def test_11_1_attachments_are_put_before_the_moves(box: Postbox) -> None:
    """11.1 Units are attached before anybody moves: a line that attaches, written later,
    goes before the moves that are kept."""
    box.mail("german", "25/12SS to 1622\n501SS to 1724\n")
    box.mail("german", "attach Pz/9SS, Co/PGEb\n")
    assert [line.split()[1] for line in lines(box)] == ["attach", "25/12SS", "501SS"]


def test_10_1_a_later_line_for_a_hex_replaces_the_earlier_one(box: Postbox) -> None:
    """10.1 A hex is assaulted once: the later letter's assault on it with one of the same units counts."""
    box.mail("german", "mech assault 1425 with 25/12SS\nmech assault 1424 with 501SS\n")
    box.mail("german", "mech assault 1425 with 25/12SS, 26/12SS at 1-1 or better\n")
    assert lines(box) == [
        "L1 mech assault 1425 with 25/12SS, 26/12SS at 1-1 or better",
        "L2 mech assault 1424 with 501SS",
    ]


@pytest.mark.parametrize("seat", ["german", "allied"])
def test_the_examples_of_a_side_name_its_own_units(seat: str) -> None:
    """What HELP and the form show a side are orders that it may give, of units of its own."""
    names, text = roster(game(), seat), reference(GAME.grammar, None, Examples(GAME.grammar, seat))
    other = {
        "german": ("airstrike", "[12C]", "arrival"),
        "allied": ("withhold", "attach", "exit", "[1SS]", "58th"),
    }
    assert not any(f"  {word}" in text or f"{word} " in text.split("CONDITIONS")[0] for word in other[seat])
    for section, kinds in GAME.grammar.sections.items():
        for kind in kinds:
            if kind.seats and seat not in kind.seats:
                continue
            found = kind.examples.get(seat, kind.example)
            for example in (found,) if isinstance(found, str) else found:
                reading = GAME.grammar.read([(0, f"[{section}]"), (1, example)], names)
                assert not reading.faults, example
                for id in getattr(reading.orders[0].order, "units", ()):
                    assert not names.units[id].enemy, example
    for policy in GAME.grammar.policies:
        if not policy.seats or seat in policy.seats:
            assert policy.examples.get(seat, policy.example) in text


def test_the_form_after_the_die_offers_no_attachments(box: Postbox) -> None:
    """7.0, 11.1 Once the points are known nobody is attached, and the form says nothing of it;
    before, it does."""
    box.mail("german", "orders\n")
    form = box.texts()[-1].split("[1SS]\n")[-1]
    assert "; move 25/12SS" in form and "; attach" not in form and "; enter" not in form
    before, after = rehearsal(game(f"{ROUND}, Co/PGEb 1524", phase="activation"), "german", "1SS")
    assert not before.offers and Attach not in after.offers


def test_a_set_up_can_be_checked_before_the_game() -> None:
    """3.1 Orders are tried without a game: a place outside of its sector is refused with the hexes
    that would do."""
    text = "[set-up]\nplace 25/12SS at 1525\nplace 26/12SS at 1015\ndefault\n"
    trial = check_file("falaise", "german", text)
    states = {line["text"]: line["state"] for line in trial.facts["lines"]}
    assert states["place 25/12SS at 1525"] == "ready" and states["place 26/12SS at 1015"] == "faulty"
    assert not trial.ok and "1523" in "\n".join(trial.lines)


# --- a whole game -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played() -> Played[State]:
    def withholding(state: Any, request: Any) -> Rate:
        rate = GAME.judge(state, request)
        return lambda choice: 1.0 if isinstance(choice, Withhold) else rate(choice)

    return autoplay(
        GAME,
        "letters",
        {
            "german": greedy_bot(withholding, random.Random(1)),
            "allied": greedy_bot(GAME.judge, random.Random(1)),
        },
    )


def pages(played: Played[State]) -> Iterator[tuple[State, list[Note]]]:
    """The state at the end of each phase, with what was logged in it."""
    for phase in played.phases:
        state = GAME.load(phase.snapshot)
        advance(GAME.phase(state.phase).play(state), state, phase.entries)
        yield state, list(state.log)


def test_3_1_no_allied_letter_names_an_unknown_force_before_it_enters(played: Played[State]) -> None:
    """3.1 As long as a unit waits among the unknown forces its name stands nowhere in what the Allied player
    reads of a phase; that of the German player has them."""
    watched = 0
    for state, told in pages(played):
        waiting = [unit.id for unit in state.units.values() if unit.place == "unknown"]
        if not waiting:
            continue
        watched += 1
        readable = [note for note in told if note.seen_by("allied")]
        seen = view(state, "allied")
        text = "\n".join(
            [
                *log_lines("falaise", [note.facts() for note in readable], "allied"),
                *GAME.report.summary(seen, tuple(readable)),
                *(line for part in forces(GAME, seen) for line in part.lines),
                seen.model_dump_json(),
                *(counter.name for counter in GAME.report.board(seen, tuple(readable)).counters),
            ]
        )
        assert not [id for id in waiting if id in text], state.phase
        assert all(id in view(state, "german").unknown.names for id in waiting)
    assert watched > 3


def test_every_activation_is_told(played: Played[State]) -> None:
    """4.0, 7.2 Each action round tells which command was drawn, and moves only units that were there."""
    rounds = [told for state, told in pages(played) if state.phase == "activation"]
    assert all(any(isinstance(note, Drawn) for note in told) for told in rounds)
    assert any(isinstance(note, Moved) for told in rounds for note in told)
