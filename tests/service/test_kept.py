"""Letters that did not act: `pbem mail list`, `show`, `release` and `discard`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from conftest import NOW, begin
from postbox import Postbox
from sqlmodel import select

from pbem.cli import main
from pbem.service.moderating import held
from pbem.service.proof.verify import verify_game
from pbem.service.record.rows import JournalRow, LetterRow, OutboxRow
from pbem.service.record.store import Store

STRAY = b"From: Eve <eve@evil.example>\nTo: pbem@host.example\nSubject: hello\nMessage-ID: <1@evil>\n\nhi\n"


@pytest.fixture
def box(game_file: Path) -> Postbox:
    """A game with a held letter (1), a letter for no game (2), and one that was refused."""
    store = Store.create(game_file)
    begin(store)
    box = Postbox(store, "toy", "pbem@host.example", NOW)
    text = "\x1b]0;owned\x07\x1b[2Jmove R1 to 0201\u202e\npassword: open-sesame\ndone\n"
    raw = box.raw("red", text, sender="eve@x.example", subject="=?utf-8?q?orders=1B[31m?=")
    assert box.deliver(raw).outcome == "held"
    assert box.deliver(STRAY).outcome == "quarantined"
    with store.transaction() as session:
        row = session.get_one(OutboxRow, 1)
        row.error = "refused: no such user"
        session.add(row)
    return box


def run(box: Postbox, *words: str, **how: Any) -> Result:
    return CliRunner().invoke(main, ["mail", words[0], box.store.target, *words[1:]], **how)


def outcome(box: Postbox, number: int) -> str:
    with box.store.transaction() as session:
        return session.get_one(LetterRow, number).outcome


def events(box: Postbox) -> list[tuple[str, str, str]]:
    with box.store.transaction() as session:
        rows = session.exec(select(JournalRow).where(JournalRow.kind == "host"))
        return [(row.asked, row.by, row.answer["why"]) for row in rows]


def test_all_letters_that_did_not_act_are_listed(box: Postbox) -> None:
    """Held, quarantined and refused ones, each with its number and why; --json gives the same."""
    told = run(box, "list").output
    assert "    1  held        toy red  from eve@x.example  orders" in told
    assert "    2  quarantined no game  from eve@evil.example  hello" in told
    assert "no such user" in told and "pbem mail resend" in told
    found = json.loads(run(box, "list", "--json").output)
    assert [each["number"] for each in found["kept"]] == [1, 2] and len(found["refused"]) == 1


def test_a_letter_is_shown_without_what_a_terminal_acts_on(box: Postbox) -> None:
    """No escape, no sign that turns the writing, no password, no secret part of a reply address."""
    told = run(box, "show", "1").output
    assert "move R1 to 0201" in told and "Subject:    orders" in told and "eve@x.example" in told
    assert "held: it did not come from your registered address" in told
    assert "pbem+toy.red...@host.example" in told
    assert not set(told) & set("\x1b\x07\u202e") and "open-sesame" not in told
    assert box.reply_address("red").partition("red.")[2].partition("@")[0] not in told


def test_a_letter_is_released_by_the_host(box: Postbox) -> None:
    """Shown first; with --yes it acts, once, and the journal says who did it and why."""
    tried = run(box, "release", "1", "--dry-run")
    assert "not done, only tried:" in tried.output and outcome(box, 1) == "held"
    assert run(box, "release", "1").exit_code == 2 and outcome(box, 1) == "held"
    done = run(box, "release", "1", "--why", "she phoned", "--by", "Carla", "--yes")
    assert done.exit_code == 0 and outcome(box, 1) == "accepted"
    assert events(box) == [("release", "Carla", "she phoned")]
    again = run(box, "release", "1", "--yes")
    assert again.exit_code == 1 and "it is accepted, not held" in again.output
    assert verify_game(box.store).wrong == []


def test_a_letter_is_discarded_by_the_host(box: Postbox) -> None:
    """Its owner is told; a letter for no game only leaves the list."""
    assert run(box, "discard", "1", "--why", "forged", "--yes").exit_code == 0
    assert outcome(box, 1) == "discarded" and "is discarded" in box.texts("rita@mail.example")[-1]
    assert events(box) == [("discard", "host", "forged")]
    assert run(box, "discard", "2", "--dry-run").exit_code == 0 and outcome(box, 2) == "quarantined"
    assert run(box, "discard", "2").exit_code == 0
    assert held.letters(box.store) == []


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("show", "99"), "there is no letter 99 here"),
        (("release", "99", "--yes"), "there is no letter 99 here"),
        (("release", "2", "--yes"), "letter 2 cannot be released"),
        (("discard", "x", "--yes"), '"x" is not the number of a letter'),
    ],
)
def test_what_cannot_be_is_refused(box: Postbox, words: tuple[str, ...], why: str) -> None:
    refused = run(box, *words)
    assert refused.exit_code in (1, 2) and why in refused.output
