"""What a player has closed stays closed through rulings, or he reads in the first line that it does not."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from conftest import NOW
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sqlmodel import col, select

from pbem.service.intake.submit import submit
from pbem.service.letters.ruled import Ruled
from pbem.service.moderating.rulings.named import decisions, moves
from pbem.service.moderating.rulings.ruling import rule
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.play.sections import open_sections
from pbem.service.proof.lines import letter_text
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import OutboxRow, SeatRow
from pbem.service.record.store import Store
from pbem.service.tools import queries
from pbem.testing.post import SETTINGS

PLAYERS = {"allied": Player("Anna", "anna@x.example"), "german": Player("Bert", "bert@y.example")}
ATTACK = """\
standing retreat: toward 0617
standing advance: always

[allocation]
support VII/US
if weather is clear, cover VII/US
[phase A]
land 90US at 0617 to 0518
4US to 0518
attack 0519 with 4US, 82AB at 2:1 or better, fighters 1, support of VII/US, advance 82AB
"""
IDLE = "[phase A]\nno orders\n[phase B]\nno orders\n[end]\nno orders\ndone all\n"

Closed = set[tuple[str, int, str]]


class Club:
    """A game of two people, each use case a minute after the one before."""

    def __init__(self, store: Store) -> None:
        self.store, self.now = store, NOW
        start(store, NewGame("normandy44", "utah", "cherbourg", {}, PLAYERS, SETTINGS, seed="44"), NOW)

    def writes(self, seat: str, text: str) -> None:
        self.now += timedelta(minutes=1)
        submit(self.store, None, seat, text, self.now)

    def rules(self, what: str, about: str = "", value: str = "", *, dry_run: bool = False) -> Ruled:
        self.now += timedelta(minutes=1)
        return rule(
            self.store, None, what, about, value,  # type: ignore[arg-type]
            by="moderator", why="as agreed", now=self.now, dry_run=dry_run,
        )  # fmt: skip

    def answers(self) -> None:
        """Every open question is answered with its first choice."""
        for seat in PLAYERS:
            with queries.table_of(self.store, None) as (table, _):
                asked = [each["number"] for each in table.seats[seat].questions.get("open", ())]
            for number in asked:
                self.writes(seat, f"Q{number}: a\n")

    def closed(self) -> Closed:
        """What is closed, and what has been closed and played: seat, turn and section."""
        with queries.table_of(self.store, None) as (table, _):
            found = {
                (key, table.record.phase().turn, section)
                for key, seat in table.seats.items()
                for section in table.sheet(seat).closed
            }
            for phase in table.record.phases():
                for row, move in moves(table, phase.number):
                    if row.by == "orders" and move.orders is not None and move.order is None:
                        found.add((move.seats[0], phase.turn, move.orders.section))
        return found

    def to_come(self, seat: str) -> list[str]:
        """The sections that a seat may still be asked for this turn."""
        with queries.table_of(self.store, None) as (table, here):
            return list(open_sections(table.game, here, seat))

    def phase(self) -> str:
        return queries.status(self.store, None).phase

    def first_lines(self) -> dict[str, str]:
        """The first line of the last letter about a ruling, by seat."""
        with self.store.transaction() as session:
            query = select(OutboxRow).where(OutboxRow.kind == "ruling").order_by(col(OutboxRow.id))
            texts = {row.seat: " ".join(letter_text(row.raw)) for row in session.exec(query)}
        return {seat: " ".join(text.partition(" This is ruling")[0].split()) for seat, text in texts.items()}


@pytest.fixture
def club(store: Store) -> Club:
    return Club(store)


def test_a_ruling_that_takes_the_open_question_away_plays_on(club: Club) -> None:
    """Anna closed the whole turn; with the question of R3 gone the turn plays to its end, and the next one is
    asked for."""
    club.writes("allied", f"{ATTACK}[phase B]\nno orders\n[end]\nno orders\ndone all\n")
    club.writes("german", IDLE)
    assert club.phase() == "t1.a_first"
    done = club.rules("set", "R3", "5")
    assert done.opened == () and done.left == ()
    assert club.phase() == "t2.allocation"
    assert club.first_lines()["allied"] == "R3 counts as 5 (it fell 1)."


def test_drafts_of_a_ruling_are_in_the_order_of_play(club: Club) -> None:
    """So are the sections that it names as open again."""
    club.writes("german", "[allocation]\nno orders\n" + IDLE)
    club.writes("allied", f"{ATTACK}done all\n")
    ruled = club.rules("back", "turn 1")
    ((_, opened), *_) = [each for each in ruled.opened if each[0] == "allied"]
    assert opened == "[allocation], [phase A]"
    with club.store.transaction() as session:
        sheet = session.get_one(SeatRow, ("utah", "allied")).sheet
    assert list(dict.fromkeys(line["section"] for line in sheet["lines"])) == ["allocation", "phase A"]


def test_what_a_ruling_opens_is_in_its_preview_and_in_its_first_line(club: Club) -> None:
    """The orders and the closing that a ruling takes back are a draft, and their writer alone reads of it."""
    club.writes("allied", f"{ATTACK}[phase B]\nno orders\n[end]\nno orders\ndone all\n")
    club.writes("german", IDLE)
    before = club.rules("back", "R3", dry_run=True)
    done = club.rules("back", "R3")
    assert done.opened == before.opened == (("allied", "[phase A]"),)
    assert "  open again: allied [phase A]" in before.lines()
    lines = club.first_lines()
    assert lines["allied"].endswith("Open again for you: [phase A].")
    assert "Open again" not in lines["german"]


ALL_CLOSED = [("allied", f"{ATTACK}[phase B]\nno orders\n[end]\nno orders\ndone all\n"), ("german", IDLE)]
STEPS = st.sampled_from(
    [
        ("allied", f"{ATTACK}done\n"),
        ("allied", f"{ATTACK}[phase B]\nno orders\n[end]\nno orders\ndone all\n"),
        ("allied", "[phase A]\ndone\n"),
        ("allied", "[phase B]\nno orders\n"),
        ("allied", "[end]\nno orders\n"),
        ("allied", "done all\n"),
        ("german", IDLE),
        ("german", "[phase A]\nno orders\n"),
        ("german", "[phase B]\nno orders\n[end]\nno orders\n"),
        ("answers", ""),
        ("set", "R3 5"),
        ("set", "R3 1"),
        ("set", "R1 6"),
        ("reroll", "R3"),
        ("reroll", "R2"),
        ("back", "R3"),
        ("back", "turn 1"),
        ("strike", "attack"),
        ("strike", "land"),
        ("undo", ""),
        ("uphold", "R1"),
    ]
)


@pytest.mark.dear
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.booleans(), st.lists(STEPS, min_size=2, max_size=8))
@example(True, [("back", "R3")])
@example(True, [("set", "R3 5"), ("allied", f"{ATTACK}done\n"), ("back", "turn 1")])
def test_nothing_that_is_closed_is_lost_without_being_said(ahead: bool, steps: list[tuple[str, str]]) -> None:
    """Through any sequence of closing, ruling and undoing: what was closed before a ruling is closed or
    played after it, or stands in the first line of its letter and in the preview."""
    with TemporaryDirectory() as folder:
        store = Store.create(Path(folder) / "utah.pbem")
        club = Club(store)
        for what, text in (ALL_CLOSED if ahead else []) + steps:
            if what in PLAYERS:
                club.writes(what, text)
            elif what == "answers":
                club.answers()
            else:
                assert_said(club, what, text)
        store.close()


def assert_said(club: Club, what: str, text: str) -> None:
    about, _, value = text.partition(" ") if what == "set" else (text, "", "")
    if what == "strike":
        found = [each.names for each in decisions(club.store, None) if f"] {text} " in each.text]
        about = found[-1] if found else "J1"
    before = club.closed()
    try:
        preview = club.rules(what, about, value, dry_run=True)
        done = club.rules(what, about, value)
    except StoreError:
        return
    lines, turn = club.first_lines(), int(club.phase().partition(".")[0][1:])
    for seat, when, section in before - club.closed():
        if when < turn or (when == turn and section not in club.to_come(seat)):
            continue  # its phase is over, and had nothing to ask
        named = f"[{section}]" if when == turn else f"turn {when}"
        assert named in lines[seat].partition("Open again for you:")[2]
    if what != "reroll":
        assert preview.opened == done.opened
