"""What becomes of letters: who may act, what is answered, what is repeated, what is kept and what is played
(N9, N10, P2, P5)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from conftest import HOUR, NOW, begin
from postbox import ID, PLAYERS, Postbox, facts, placed, position
from sizes import some
from sqlmodel import col, select

from pbem.engine.game import game
from pbem.mail.letter import parse
from pbem.service.moderating.start import Player
from pbem.service.play.sections import open_orders
from pbem.service.record.rows import PhaseRow, SeatRow, pack, unpack
from pbem.service.record.store import Store
from pbem.service.time.deadline import act
from pbem.service.tools import queries
from pbem.service.tools.queries import table_of

RITA, BOB, MODERATOR = "rita@mail.example", "bob@mail.example", "mod@host.example"
SERVER = "pbem@host.example"
MOVE = "move R1 to 0201\ndone\n"
CORPUS = sorted((Path(__file__).parents[1] / "mail" / "letters").glob("*.eml"))
OUTCOMES = {"accepted", "explained", "held", "quarantined", "ignored"}


@pytest.fixture
def box(toy: Store) -> Postbox:
    """The toy game, to be played by mail."""
    return Postbox(toy, "toy", SERVER, NOW)


def units(box: Postbox) -> dict[str, str]:
    found: dict[str, str] = queries.view_of(box.store, box.game).units  # type: ignore[attr-defined]
    return found


def untouched(box: Postbox) -> list[Any]:
    """All of a game that a letter could change, the letters themselves left out."""
    kept = facts(box.store)
    apart = ("letters", "digests")
    seats = [{name: value for name, value in row.items() if name not in apart} for row in rows_of(box)]
    return [seats, *(kept[name] for name in ("game", "phase", "journal"))]


def rows_of(box: Postbox) -> list[dict[str, Any]]:
    with box.store.transaction() as session:
        rows = session.exec(select(SeatRow).order_by(col(SeatRow.game), col(SeatRow.key)))
        return [row.model_dump() for row in rows]


def orders_kept(box: Postbox, seat: str = "red") -> list[str]:
    return [line["text"].strip() for line in box.seat(seat).sheet.get("lines", ())]


# --- who may act --------------------------------------------------------------------------------------------


def doubtful(box: Postbox) -> dict[str, dict[str, str]]:
    """Letters of orders that must not act: what is wrong -> sender and address."""
    token = box.reply_address("red")
    wrong = re.sub(r"\.[a-z2-7]{16}@", ".aaaaaaaaaaaaaaaa@", token)
    blue = box.reply_address("blue").rsplit(".", 3)[1].partition("@")[0]
    return {
        "wrong token": {"to": wrong},
        "the token of another seat": {"to": re.sub(r"\.[a-z2-7]{16}@", f".{blue}@", token)},
        "wrong token, wrong sender": {"to": wrong, "sender": "eve@evil.example"},
        "right token, wrong sender": {"sender": "eve@evil.example"},
        "right token, the opponent as sender": {"sender": BOB},
        "right token, no sender": {"sender": ""},
        "right token, the name of the owner alone": {"sender": f'"{RITA}" <eve@evil.example>'},
        "right sender, no token": {"to": SERVER, "subject": "[toy] orders"},
        "right sender, no token, no subject": {"to": SERVER},
    }


@pytest.mark.parametrize(
    "kind",
    [
        "wrong token", "the token of another seat", "wrong token, wrong sender", "right token, wrong sender",
        "right token, the opponent as sender", "right token, no sender",
        "right token, the name of the owner alone", "right sender, no token",
        "right sender, no token, no subject",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "body", [MOVE, f"password: guess\n{MOVE}", "withdraw all\nfinal\npress blue: hello\nsalt x\n"]
)
def test_a_letter_whose_sender_is_in_doubt_changes_nothing(box: Postbox, kind: str, body: str) -> None:
    """A letter without the right address and the right sender does nothing, and its seat's owner alone hears
    of it."""
    before, last = untouched(box), box.last()
    assert box.mail("red", body, **doubtful(box)[kind]).outcome == "held"
    assert untouched(box) == before
    notices = box.outbox(after=last)
    assert [row.recipient for row in notices] == [RITA]
    assert "Nothing was done, because" in box.texts(RITA, last)[0]
    assert "guess" not in box.texts(RITA, last)[0]


def test_the_owner_may_stand_by_a_letter_that_was_held(box: Postbox) -> None:
    """The code in the notice to the owner lets a held letter act, once, and for nobody else."""
    last = box.last()
    box.mail("red", "move R1 to 0201\n", sender="rita@work.example")
    (code,) = re.findall(r"CONFIRM ([0-9a-f]{8})", box.texts(RITA, last)[0])
    box.mail("blue", f"confirm {code}")
    assert orders_kept(box) == []
    assert box.mail("red", f"confirm {code}").outcome == "accepted"
    assert orders_kept(box) == ["move R1 to 0201"]
    assert [row.outcome for row in box.letters() if row.sender == "rita@work.example"] == ["accepted"]
    box.mail("red", "withdraw all")
    box.mail("red", f"confirm {code}\nstatus")
    assert orders_kept(box) == []


@pytest.mark.parametrize(
    "how", [{"to": SERVER, "subject": "[toy] my orders"}, {"sender": "rita@work.example"}]
)
def test_the_password_stands_in_for_one_of_two_proofs(store: Store, how: dict[str, str]) -> None:
    """With the seat's password a letter acts from another address, or without the secret address; the answer
    goes to the owner and does not repeat the password."""
    begin(store, red=Player("Rita", RITA, password="open sesame"))
    box = Postbox(store, "toy", SERVER, NOW)
    last = box.last()
    assert box.mail("red", f"Password: wrong\n{MOVE}", **how).outcome == "held"
    assert units(box)["R1"] == "0101"
    assert box.mail("red", f"Password: open sesame\n{MOVE}", **how).outcome == "accepted"
    assert units(box)["R1"] == "0201"
    answers = box.texts(RITA, last)
    assert sum("SHA-256" in text for text in answers) == 1
    assert all("sesame" not in row.raw.decode() for row in box.outbox(after=last))


def test_a_password_alone_is_not_enough(store: Store) -> None:
    """A letter from a strange address to a wrong one does not act, password or not."""
    begin(store, red=Player("Rita", RITA, password="open sesame"))
    box = Postbox(store, "toy", SERVER, NOW)
    before = untouched(box)
    wrong = re.sub(r"\.[a-z2-7]{16}@", ".aaaaaaaaaaaaaaaa@", box.reply_address("red"))
    assert (
        box.mail("red", f"Password: open sesame\n{MOVE}", to=wrong, sender="eve@evil.example").outcome
        == "held"
    )
    assert untouched(box) == before


# --- delivered again ----------------------------------------------------------------------------------------

LETTERS = {
    "orders": MOVE,
    "half wrong": f"{MOVE}move R2 to 0503\n",
    "press": "press blue: your move\n",
    "press to all, twice": "press all: one\n\npress all: two\n",
    "salt": "salt a pinch of chance\n",
    "standing orders": "[standing]\nretreat B1\n",
    "draft": "move R1 to 0201\n",
    "done anyway": "move R1 to 0201\nmove R2 to 0503\ndone anyway\n",
    "no orders": "no orders\n",
    "try": f"try\n{MOVE}press blue: hello\n",
    "questions": "status\nlog\nhistory\norders\nhelp\nmap\n",
    "chat": "Dear pbem,\nthe weather is fine.\n",
    "empty": "",
}
KINDS: dict[str, tuple[str, ...]] = {
    "auto-reply": ("Auto-Submitted: auto-replied",),
    "bounce": ("Return-Path: <>",),
}


@pytest.mark.parametrize("kind", LETTERS)
def test_a_letter_delivered_again_changes_nothing(box: Postbox, kind: str) -> None:
    """Ten more deliveries of the same letter leave the store as it is: journal, papers, outbox and press."""
    raw = box.raw("red", LETTERS[kind])
    first = box.deliver(raw)
    before = facts(box.store)
    assert first.outcome in OUTCOMES and len(box.letters()) == 1
    for _ in range(10):
        assert box.deliver(raw).outcome == "duplicate"
    assert facts(box.store) == before


@pytest.mark.parametrize("kind", ["held", "quarantined", *KINDS])
def test_what_is_not_acted_upon_is_not_repeated_either(box: Postbox, kind: str) -> None:
    """Ten more deliveries of a letter that was held, set aside or ignored tell nobody anything more."""
    how: dict[str, dict[str, Any]] = {
        "held": {"sender": "eve@evil.example"},
        "quarantined": {"to": SERVER, "sender": "eve@evil.example"},
    }
    raw = box.raw("red", MOVE, **how.get(kind, {"headers": KINDS.get(kind, ())}))
    first = box.deliver(raw)
    before = facts(box.store)
    assert first.outcome == ("ignored" if kind in KINDS else kind)
    for _ in range(10):
        assert box.deliver(raw).outcome == "duplicate"
    assert facts(box.store) == before


def test_answers_to_a_decision_letter_count_once(box: Postbox) -> None:
    """The answer to a question, delivered again in a later turn, does not answer that turn's question."""
    while "decision" not in str(queries.status(box.store, "toy").waited_for):
        box.mail("red", "no orders\n")
        box.mail("blue", "no orders\n")
    raw = box.raw("blue", "Q1: b\n")
    assert box.deliver(raw).outcome == "accepted"
    assert [row.answer for row in box.journal() if "who goes back" in row.asked] == ["B2"]
    before = facts(box.store)
    assert box.deliver(raw).outcome == "duplicate"
    assert facts(box.store) == before


# --- what is not answered, what is set aside ----------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_machines_are_never_answered(box: Postbox, kind: str) -> None:
    """An automatic mail to the right address from the right sender is kept, and nothing else happens."""
    before, last = untouched(box), box.last()
    assert box.mail("red", MOVE, headers=KINDS[kind]).outcome == "ignored"
    assert untouched(box) == before and box.last() == last
    assert len(box.letters()) == 1


def test_mail_of_a_list_acts_with_the_right_token_alone(box: Postbox) -> None:
    """A list or a gateway that marks mail as bulk does not cost its reader a turn; without the seat's secret
    address it is ignored."""
    before, last = untouched(box), box.last()
    for header in ("List-Id: <games.example>", "Precedence: bulk"):
        assert box.mail("red", MOVE, headers=[header], to=SERVER).outcome == "ignored"
    assert untouched(box) == before and box.last() == last
    assert box.mail("red", MOVE, headers=["List-Id: <games.example>"]).outcome == "accepted"
    assert units(box)["R1"] == "0201"


@pytest.mark.parametrize(
    "to",
    [
        SERVER,
        "pbem+toy.green.aaaaaaaaaaaaaaaa@host.example",
        "pbem+other.red.aaaaaaaaaaaaaaaa@host.example",
        "x@y.example",
    ],
)
def test_a_letter_for_nobody_is_set_aside(box: Postbox, to: str) -> None:
    """A letter that belongs to no seat here is kept, and the moderator alone gets a line about it."""
    before, last = untouched(box), box.last()
    assert box.mail("red", MOVE, to=to, sender="eve@evil.example").outcome == "quarantined"
    assert untouched(box) == before
    assert box.outbox(after=last) == [] and box.digests() == 1
    assert [row.recipient for row in box.outbox(after=last)] == [MODERATOR]
    assert "eve@evil.example" in box.texts(MODERATOR, last)[0]


def test_a_letter_that_is_too_big_is_explained(box: Postbox) -> None:
    """Of a mail beyond the limit nothing is read, and its sender hears why."""
    before, last = untouched(box), box.last()
    assert box.mail("red", MOVE + "x" * 1_000_001).outcome == "explained"
    assert untouched(box) == before
    assert "bytes" in box.texts(RITA, last)[0]


def test_a_letter_with_too_many_lines_closes_nothing(box: Postbox) -> None:
    """Orders beyond the last line that is read are not lost in silence: what was read is a draft."""
    last = box.last()
    box.mail("red", MOVE + "chat\n" * 2_000 + "move R2 to 0202\n")
    assert units(box)["R1"] == "0101"
    assert orders_kept(box) == ["move R1 to 0201"]
    assert "more than 2000 lines" in box.texts(RITA, last)[0]


def test_an_empty_letter_is_answered(box: Postbox) -> None:
    """A letter without a word changes nothing and gets one answer that says what the game is waiting for."""
    before, last = untouched(box), box.last()
    assert box.mail("red", "").outcome == "explained"
    assert untouched(box) == before
    (text,) = box.texts(RITA, last)
    assert text.startswith("Nothing in this email was read.") and "You: orders for [march]" in text


# --- the corpus ---------------------------------------------------------------------------------------------


def retargeted(raw: bytes, sender: str, to: str) -> bytes:
    """A mail of the corpus as if the owner of a seat had sent it there."""
    head, gap, body = (
        re.split(rb"(\r?\n\r?\n)", raw, maxsplit=1) if re.search(rb"\r?\n\r?\n", raw) else (raw, b"\n\n", b"")
    )
    lines = re.sub(
        rb"(?im)^(from|to|cc|delivered-to|x-original-to|envelope-to):.*(\r?\n[ \t].*)*\r?\n?", b"", head
    )
    return f"From: {sender}\nTo: {to}\n".encode() + lines.rstrip() + gap + body


def set_aside(box: Postbox) -> list[dict[str, object]]:
    """What the moderator has heard of letters for no game here."""
    return [each for each in box.person("moderator").told.get("news", ()) if "no game here" in each["says"]]


@pytest.mark.parametrize("file", some(CORPUS, 54), ids=lambda file: file.stem)
def test_every_mail_ends_in_exactly_one_outcome(box: Postbox, file: Path) -> None:
    """N9 Each mail of the corpus, as it came and as one of a player, has one outcome, and is answered if and
    only if a person wrote it."""
    for raw in (file.read_bytes(), retargeted(file.read_bytes(), RITA, box.reply_address("red"))):
        rows, last, heard = len(box.letters()), box.last(), set_aside(box)
        received = box.deliver(raw)
        assert received.outcome in OUTCOMES
        assert [row.outcome for row in box.letters()[rows:]] == [received.outcome]
        told = [row.recipient for row in box.outbox(after=last) if "-turn-" not in row.key]
        if parse(raw).kind not in ("letter", "list") or (parse(raw).kind == "list" and not rows):
            assert received.outcome == "ignored" and told == []
        else:
            assert told == ([] if received.outcome == "quarantined" else [RITA])
            assert (set_aside(box) != heard) == (received.outcome == "quarantined")


# --- confirmations ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", LETTERS)
def test_every_letter_gets_one_confirmation(box: Postbox, kind: str) -> None:
    """P2 A letter that was read is confirmed once, in answer to it, whatever else is written because of
    it."""
    last = box.last()
    box.mail("red", LETTERS[kind])
    replies = [row for row in box.outbox(RITA, last) if b"\nIn-Reply-To: <m1@x.example>\n" in row.raw]
    assert len(replies) == 1
    text = box.texts(RITA, last)[0]
    assert "SHA-256" in text and "Waiting for" in text
    for line in orders_kept(box):
        assert line in text


def test_a_try_tells_nobody_and_keeps_nothing(box: Postbox) -> None:
    """TRY checks a letter, its press and salt too, and leaves everything as it was."""
    before, last = untouched(box), box.last()
    box.mail("red", f"try\n{MOVE}withdraw all\nsalt pepper\npress all: hello\n\n[standing]\nretreat B1\n")
    assert untouched(box) == before
    assert [row.recipient for row in box.outbox(after=last)] == [RITA]
    text = box.texts(RITA, last)[0]
    assert text.startswith("Tried: nothing is kept.") and " ok   L1   move R1 to 0201" in text


def test_each_press_goes_out_by_itself(box: Postbox) -> None:
    """Every message is delivered, however many a letter holds and wherever they stand in it."""
    last = box.last()
    box.mail("red", "chat\n" * 104 + "press blue: first\n")
    box.mail("red", "chat\n" * 4 + "press blue: second\n\npress all: third\n")
    told = "\n".join(box.texts(BOB, last))
    assert all(told.count(word) == 1 for word in ("first", "second", "third"))


# --- drafts and closed sections -----------------------------------------------------------------------------


def test_a_letter_without_done_is_a_draft(box: Postbox) -> None:
    """Orders are kept until DONE, and questions in between do not hurry them."""
    last = box.last()
    box.mail("red", "move R1 to 0201\n")
    box.mail("red", "status\norders\n")
    assert units(box)["R1"] == "0101" and orders_kept(box) == ["move R1 to 0201"]
    assert box.texts(RITA, last)[0].startswith("Draft: DONE plays Red march.")
    box.mail("red", "done\n")
    assert units(box)["R1"] == "0201" and orders_kept(box) == []


def test_done_closes_and_plays(box: Postbox) -> None:
    """Orders without a fault are carried out when their section is closed and its turn has come."""
    last = box.last()
    box.mail("red", "move R1 to 0201\nmove R2 to 0202\ndone\n")
    assert (units(box)["R1"], units(box)["R2"]) == ("0201", "0202")
    assert "\nPlayed: Red march.\n" in box.texts(RITA, last)[0]


def test_a_section_waits_for_the_corrected_line(box: Postbox) -> None:
    """A letter with a faulty line closes nothing; the corrected line with DONE completes it."""
    last = box.last()
    box.mail("red", "move R1 to 0201\nmove R2 to 0503\ndone\n")
    assert units(box)["R1"] == "0101"
    text = box.texts(RITA, last)[0]
    assert text.startswith("1 line to correct in [march].") and "R2 cannot go to 0503 [2.1]" in text
    box.mail("red", "move R2 to 0202\ndone\n")
    assert (units(box)["R1"], units(box)["R2"]) == ("0201", "0202")


def test_done_anyway_goes_without_the_faulty_lines(box: Postbox) -> None:
    """DONE ANYWAY carries out the good lines of a letter and names the others."""
    last = box.last()
    box.mail("red", "move R1 to 0201\nmove R2 to 0503\ndone anyway\n")
    assert (units(box)["R1"], units(box)["R2"]) == ("0201", "0102")
    assert orders_kept(box) == []
    assert "Not used, because you wrote DONE ANYWAY: L2." in box.texts(RITA, last)[0]


def test_withdrawn_orders_are_gone(box: Postbox) -> None:
    """WITHDRAW takes back the lines about some units, or all of them."""
    box.mail("red", "move R1 to 0201\nmove R2 to 0202\n")
    box.mail("red", "withdraw R1\n")
    assert orders_kept(box) == ["move R2 to 0202"]
    box.mail("red", "withdraw all\n")
    assert orders_kept(box) == [] and units(box)["R2"] == "0102"


def test_a_newer_line_replaces_the_older(box: Postbox) -> None:
    """A new order for a unit takes the place, and the name, of the one that was kept for it; its writer is
    told."""
    box.mail("red", "move R1 to 0201\nmove R2 to 0202\n")
    last = box.last()
    box.mail("red", "move R1 to 0202\n")
    assert orders_kept(box) == ["move R1 to 0202", "move R2 to 0202"]
    assert "L1 was: move R1 to 0201" in box.texts(RITA, last)[0]


# --- orders for later ---------------------------------------------------------------------------------------


def test_orders_for_a_coming_phase_are_carried_out_when_it_comes(box: Postbox) -> None:
    """Orders written and closed during the other side's turn are kept and need no second letter."""
    box.mail("blue", "move B1 to 0401\ndone march\n")
    assert units(box)["B1"] == "0502" and orders_kept(box, "blue") == ["move B1 to 0401"]
    box.mail("red", "no orders\n")
    assert units(box)["B1"] == "0401"


def test_a_draft_for_a_coming_phase_waits(box: Postbox) -> None:
    """What was written ahead and not closed is still there when its phase comes, and its writer is asked."""
    box.mail("blue", "move B1 to 0401\n")
    last = box.last()
    box.mail("red", "no orders\n")
    assert units(box)["B1"] == "0502"
    (text,) = box.texts(BOB, last)
    assert "[march] draft" in text and "L1: move B1 to 0401" in text


def test_what_has_become_impossible_is_passed_over(box: Postbox) -> None:
    """Blue's order was good when it was closed; red took the hex first: the order is passed over, the others
    are carried out, and blue is told."""
    box.mail("blue", "move B1 to 0402\nmove B2 to 0403\ndone march\n")
    with_red_there(box)
    last = box.last()
    box.mail("red", "no orders\n")
    told = "\n".join(box.texts(BOB, last))
    assert " passed over  L1   move B1 to 0402" in told and "B1 cannot go to 0402 [2.1]" in told
    assert " carried out  L2 move B2 to 0403" in told
    assert units(box)["B2"] == "0403"


def with_red_there(box: Postbox) -> None:
    """Red stands where blue wants to go."""
    with box.store.transaction() as session:
        row = session.get_one(PhaseRow, ("toy", box.phase().number))
        state = game("clash").load(unpack(row.snapshot))
        state.units["R2"] = "0402"
        row.snapshot = pack(game("clash").dump(state))
        session.add(row)


def test_conditions_are_judged_when_the_time_has_come(box: Postbox) -> None:
    """A line whose condition does not hold is passed over, and the letter is no worse for it."""
    box.mail("red", "if 0201 is free then move R1 to 0201\nif not 0202 is free then move R2 to 0202\ndone\n")
    assert (units(box)["R1"], units(box)["R2"]) == ("0201", "0102")


def test_the_order_form_sent_back_unchanged_changes_nothing(box: Postbox) -> None:
    """P5 The order form of a letter holds the kept lines under their names and no DONE: sent back unchanged
    it changes nothing, with the ; taken away from "done" it closes."""
    box.mail("red", "move R1 to 0201\nmove R2 to 0202\n")
    kept, last = box.seat("red").sheet, box.last()
    box.mail("red", "orders\n")
    form = box.texts(RITA, last)[0].partition("Order form\n")[2].partition("\n\nYour lines")[0]
    assert "[march]" in form and "L1: move R1 to 0201" in form and "; done" in form
    box.mail("red", form)
    assert box.seat("red").sheet["lines"] == kept["lines"] and units(box)["R1"] == "0101"
    box.mail("red", form.replace("; done", "done"))
    assert (units(box)["R1"], units(box)["R2"]) == ("0201", "0202")


def test_a_draft_is_carried_out_at_the_deadline(box: Postbox) -> None:
    """What was written so far is played when time is up, and both players hear that a deadline was missed."""
    box.mail("red", "move R1 to 0201\nmove R2 to 0503\n")
    last = box.last()
    act(box.store, "toy", NOW + 100 * HOUR, force=True)
    assert (units(box)["R1"], units(box)["R2"]) == ("0201", "0102")
    (told,) = box.texts(RITA, last)
    assert "You missed the deadline for [march]" in told and " carried out  L1 move R1 to 0201" in told
    assert "Red (Rita) missed the deadline for [march]" in box.texts(BOB, last)[0]


def test_a_late_letter_is_not_played(box: Postbox) -> None:
    """The first letter after a missed deadline that answers none of ours is held as if late; KEEP and DONE
    bring it back."""
    act(box.store, "toy", NOW + 100 * HOUR, force=True)
    box.mail("blue", "no orders\n")
    for number in box.questions("blue"):
        box.mail("blue", f"Q{number}: a\n")
    assert box.phase().label == "t2.red_march"
    last = box.last()
    box.mail("red", "move R1 to 0201\ndone\n")
    assert units(box)["R1"] == "0101" and orders_kept(box) == []
    assert box.texts(RITA, last)[0].startswith("You were late: 1 line was not used.")
    box.mail("red", "keep\ndone\n")
    assert units(box)["R1"] == "0201"


def test_one_letter_carries_a_whole_player_turn(tmp_path: Path) -> None:
    """N13 Orders for all five phases of a player-turn are carried out one phase after another, without
    another letter."""
    box = placed(tmp_path / "game.pbem", position("greedy", "1", "t2.allied_movement"))
    with table_of(box.store, ID) as (table, here):
        asked = open_orders(here.waiting, "allied")
        assert asked is not None
        moves = [table.game.grammar.write(asked.options(unit)[0]) for unit in asked.subjects()[:3]]
    letter = f"[movement]\n{moves[0]}\ndone\nno orders: combat, reinforcement, movement 2, entrenchment\n"
    last = box.last()
    assert box.mail("allied", letter).outcome == "accepted"
    assert box.phase().label == "t2.german_movement"
    text = box.texts(PLAYERS["allied"].address, last)[0]
    assert f" carried out  L1 {moves[0]}" in text and "\nPlayed: " in text
    assert any(row.by == "orders" and "movement" in row.asked for row in box.journal())
