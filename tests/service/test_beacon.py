"""N2 With a beacon not even the host can foresee or choose dice."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import permutations
from pathlib import Path

import pytest
from beacon_kit import awaited, begun, come_out, signature, use_chain
from conftest import NOW
from sqlmodel import Session, col, select

from pbem.engine import beacon
from pbem.engine.dice import roll_again
from pbem.service.letters.log import local_time
from pbem.service.moderating.rulings.ruling import rule
from pbem.service.proof.lines import check_files, check_letters
from pbem.service.proof.verify import roll_proof, verify_game
from pbem.service.record.errors import StoreError
from pbem.service.record.journal import JournalWriter, row_hash
from pbem.service.record.rows import JournalRow
from pbem.service.record.store import Store, only_game
from pbem.service.record.table import Table
from pbem.service.time import beacon as rounds
from pbem.service.time.deadline import act, to_look_at
from pbem.service.tools import queries, transfer
from pbem.testing.post import Postbox

RED, BLUE = "[march]\nmove R1 to 0201\nmove R2 to 0202\n", "[march]\nmove B1 to 0401\n"


@pytest.fixture(autouse=True)
def chain(monkeypatch: pytest.MonkeyPatch) -> None:
    use_chain(monkeypatch)


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Postbox]:
    """A toy game with a beacon, its sealed lot drawn: red is asked for orders."""
    box = begun(tmp_path / "toy.pbem")
    come_out(box)
    yield box
    box.store.close()


def both_march(box: Postbox) -> None:
    """Both sides close their orders: the die of the clash is next."""
    box.mail("red", f"{RED}done march\n")
    box.mail("blue", f"{BLUE}done march\n")


def letters(box: Postbox) -> list[tuple[str, bytes]]:
    return [(row.key, row.raw) for row in box.outbox()]


def rechained(session: Session, game: str) -> None:
    """A host writes the hashes of a changed journal anew."""
    before = ""
    query = select(JournalRow).where(JournalRow.game == game)
    for row in session.exec(query.order_by(col(JournalRow.number))):
        row.hash = before = row_hash(before, row, "")
        session.add(row)


# --- play ---------------------------------------------------------------------------------------------------


def test_a_game_waits_for_the_round_and_everybody_is_told(tmp_path: Path) -> None:
    """The first dice wait for a round after the start; it is named to both, and nobody owes anything."""
    box = begun(tmp_path / "toy.pbem")
    number = awaited(box)
    assert number == beacon.round_after(NOW)
    for who in ("rita@mail.example", "bob@mail.example"):
        (text,) = box.texts(who)
        assert f"The dice: they hang on round {number} of the drand beacon" in " ".join(text.split())
        assert "nobody can foresee or choose a roll, not even the host" in " ".join(text.split())
        assert f"round {number} closed {NOW.isoformat()}" in box.proofs(who)[0]
    assert act(box.store, "toy", NOW + timedelta(days=30), force=True) == []
    assert queries.status(box.store, "toy").deadline == ""
    come_out(box)
    assert "You: orders for [march]" in box.texts("rita@mail.example")[-1]


def test_orders_that_are_closed_get_the_next_round(box: Postbox) -> None:
    """The letter that closes the last section names the round, and so does one to the other side; the die
    falls when its value is known."""
    both_march(box)
    number = awaited(box)
    assert number == beacon.round_after(box.now)
    for who in ("rita@mail.example", "bob@mail.example"):
        assert f"round {number}" in box.texts(who)[-1]
    assert [roll["name"] for roll in queries.rolls(box.store, "toy")] == ["S"]
    come_out(box)
    (roll,) = [roll for roll in queries.rolls(box.store, "toy") if roll["name"] == "R1"]
    assert roll["label"].endswith(f"|1|round {number}")
    value = hashlib.sha256(bytes.fromhex(signature(number))).hexdigest()
    with box.store.transaction() as session:
        material = Table(session, only_game(session, "toy"), box.now).dice.chain.link(1)
    assert tuple(roll_again(material, "toy", "t1.clash", roll["label"], (value,))) == roll["faces"]
    assert verify_game(box.store).wrong == []
    assert check_letters(letters(box)).wrong == []


def test_the_digest_names_the_rounds(tmp_path: Path) -> None:
    """The moderator reads of each round since the last digest when its orders were closed and when it comes
    out, as one news item, and while it waits, that the game waits for it."""
    box = begun(tmp_path / "toy.pbem", moderator="mod@host.example")
    first = come_out(box)
    both_march(box)
    number = awaited(box)
    box.digests()
    text = " ".join(box.texts("mod@host.example")[-1].split())
    assert box.outbox("mod@host.example")[-1].subject == "[toy] Digest: 1 news item"
    closed, out = (local_time(moment, "UTC") for moment in (box.now, beacon.QUICKNET.out_at(number)))
    assert f"round {number}: orders closed {closed}, out {out}" in text
    assert f"round {first}: orders closed" in text and "2 times" in text
    assert f"they hang on round {number} of the drand beacon" in text


def test_a_round_that_nobody_fetches_is_told(tmp_path: Path) -> None:
    """An hour after a round came out the moderator reads once that the game stands still, with the command
    that fetches it; before that, and once it is there, nobody does."""
    box = begun(tmp_path / "toy.pbem", moderator="mod@host.example")
    come_out(box)
    both_march(box)
    number = awaited(box)
    out = beacon.QUICKNET.out_at(number)

    def told() -> int:
        act(box.store, "toy", box.now)
        box.digests()
        return sum("stands still" in text for text in box.texts("mod@host.example"))

    box.now = out + timedelta(minutes=30)
    assert told() == 0 and to_look_at(box.store, box.now) == []
    box.now = out + timedelta(hours=25)
    assert to_look_at(box.store, box.now) == ["toy"] and told() == 1
    text = " ".join(box.texts("mod@host.example")[-1].split())
    assert f"round {number}" in text and "pbem dice beacon --game toy --fetch" in text
    box.now += timedelta(days=2)
    assert told() == 1
    assert f"round {number}" in "\n".join(queries.status(box.store, "toy").lines())


def test_letters_with_orders_wait_while_a_round_does(box: Postbox) -> None:
    """What comes after the orders were closed cannot count for their dice: it is kept and processed
    afterwards; a question is answered at once."""
    both_march(box)
    assert box.mail("red", "move R1 to 0301\n").outcome == "waiting"
    assert "is kept as it is, and processed when the dice have fallen" in box.texts("rita@mail.example")[-1]
    assert box.mail("red", "status\n").outcome == "accepted"
    assert box.mail("red", "standing done: always\n").outcome == "waiting"
    come_out(box)
    assert [letter.outcome for letter in box.letters()].count("waiting") == 0
    assert verify_game(box.store).wrong == []


def test_a_deadline_counts_as_the_moment_of_closing(box: Postbox) -> None:
    """A section that a deadline closes is closed when the deadline is acted upon."""
    for number in range(2):
        box.now += timedelta(days=4 + number)
        act(box.store, "toy", box.now, force=True)
    assert awaited(box) == beacon.round_after(box.now)
    come_out(box)
    assert verify_game(box.store).wrong == []
    assert check_letters(letters(box)).wrong == []


def test_a_die_that_is_thrown_again_takes_a_new_round(box: Postbox) -> None:
    """A ruling that throws a die again names a new round for it, and one that goes back while the game waits
    drops the round, which letters say."""
    both_march(box)
    first = come_out(box)
    box.now += timedelta(hours=1)
    rule(box.store, "toy", "reroll", "R1", by="moderator", why="the table was misread", now=box.now)
    second = awaited(box)
    assert second > first
    box.now += timedelta(hours=1)
    rule(box.store, "toy", "back", "t1.blue_march", by="moderator", why="blue was ill", now=box.now)
    assert rounds.waiting(box.store, "toy", box.now) == []
    box.mail("blue", "done march anyway\n")
    if rounds.waiting(box.store, "toy", box.now) == []:
        box.mail("blue", f"{BLUE}done march\n")
    third = come_out(box)
    labels = [roll["label"] for roll in queries.rolls(box.store, "toy") if roll["name"] == "R1"]
    assert labels == [f"3.1|d6|clash|1|round {third}|ruling 1 of turn 2"]
    assert verify_game(box.store).wrong == []


def test_a_whole_game_is_played_and_proved(box: Postbox, tmp_path: Path) -> None:
    """With a value for every round the game comes to its end, and letters alone prove all of it."""
    for _ in range(40):
        if box.row().status == "over":
            break
        box.now += timedelta(days=4)
        if rounds.waiting(box.store, "toy", box.now):
            come_out(box)
        else:
            act(box.store, "toy", box.now, force=True)
    assert box.row().status == "over"
    findings = verify_game(box.store)
    assert (findings.wrong, findings.pending) == ([], [])
    findings = check_letters(letters(box))
    assert (findings.wrong, findings.pending) == ([], []) and findings.rounds >= 3
    folder = tmp_path / "saved"
    folder.mkdir()
    for key, raw in letters(box):
        (folder / f"{key}.eml").write_bytes(raw)
    lines = roll_proof(box.store, "toy", "R1")
    (folder / "r1.txt").write_text("\n".join(lines), encoding="utf-8")
    assert check_files([folder]).ok and any(line.startswith("round ") for line in lines)


# --- grinding -----------------------------------------------------------------------------------------------


def test_no_salt_changes_a_die(box: Postbox) -> None:
    """A host who plays, holds the secret and writes 4,000 salts into the journal changes no die."""
    both_march(box)
    box.mail("red", "salt hop and malt\n")
    assert "Not added: the dice of this game hang on a public beacon" in box.texts("rita@mail.example")[-1]
    with box.store.transaction() as session:
        writer = JournalWriter(session, "toy")
        for number in range(4000):
            writer.append(1, "salt", "red", f"salt {number}", at=box.now)
    number = awaited(box)
    with box.store.transaction() as session:
        table = Table(session, only_game(session, "toy"), box.now)
        assert table.dice.salts("t1.clash") == []
        material = table.dice.chain.link(1)
    come_out(box)
    (roll,) = [roll for roll in queries.rolls(box.store, "toy") if roll["name"] == "R1"]
    value = hashlib.sha256(bytes.fromhex(signature(number))).hexdigest()
    plain = roll_again(material, "toy", "t1.clash", f"3.1|d6|clash|1|round {number}", (value,))
    assert tuple(plain) == roll["faces"]


@pytest.mark.dear
def test_no_order_of_letters_changes_a_die(tmp_path: Path) -> None:
    """All orders of four letters within a quarter of an hour lead to the same round and the same die."""
    fell = set()
    for place, order in enumerate(permutations(range(4))):
        box = begun(tmp_path / f"{place}.pbem")
        come_out(box)
        written = [box.raw("red", RED), box.raw("blue", BLUE)]
        written += [box.raw("red", "help\n"), box.raw("blue", "help\n")]
        closing = [box.raw("red", "done march\n"), box.raw("blue", "done march\n")]
        for letter in [*(written[at] for at in order), *closing]:
            box.now -= timedelta(minutes=59)
            box.deliver(letter)
        come_out(box)
        rolls = [roll for roll in queries.rolls(box.store, "toy") if roll["name"] == "R1"]
        fell.add(str([(roll["key"], roll["faces"]) for roll in rolls]))
        box.store.close()
    assert len(fell) == 1


def test_a_false_value_is_refused_and_named(box: Postbox) -> None:
    """The value of another round, or one with another digit, plays nothing."""
    both_march(box)
    number, before = awaited(box), len(box.journal())
    for false in (signature(number + 1), signature(number)[:-1] + "0", "00" * 48):
        with pytest.raises(StoreError, match=f"is not the signature of round {number}"):
            rounds.take(box.store, {number: false}, "toy", box.now)
    assert rounds.take(box.store, {number + 1: signature(number + 1)}, "toy", box.now) == []
    assert len(box.journal()) == before


def test_a_false_value_in_the_file_is_found(box: Postbox) -> None:
    """A host who puts a value of their own choice into the game file, hashes and all, is found out."""
    both_march(box)
    come_out(box)
    with box.store.transaction() as session:
        row = session.exec(
            select(JournalRow).where(JournalRow.kind == "beacon").order_by(col(JournalRow.number).desc())
        ).first()
        assert row is not None
        row.answer = row.answer | {"signature": signature(1)}
        session.add(row)
        rechained(session, "toy")
    wrong = "\n".join(verify_game(box.store).wrong)
    assert "is not the one of the beacon" in wrong


def test_a_withheld_round_is_found(box: Postbox) -> None:
    """A host who does not like a round and names a later one for the same orders is found out, from the
    letters alone and in the file."""
    both_march(box)
    number = awaited(box)
    with box.store.transaction() as session:
        table = Table(session, only_game(session, "toy"), box.now + timedelta(hours=2))
        table.dice.name_round({})
    assert come_out(box) != number
    assert any(
        f"round {number} was named, and its value withheld" in line for line in verify_game(box.store).wrong
    )
    wrong = check_letters(letters(box)).wrong
    assert any(f"round {number}, closed" in line and "value withheld" in line for line in wrong)


def test_dice_without_a_round_are_found(box: Postbox) -> None:
    """A host who has dice fall without the beacon is found out, from the letters alone and in the file."""
    with box.store.transaction() as session:
        row = only_game(session, "toy")
        row.settings = row.settings | {"dice": "seed"}
        session.add(row)
    both_march(box)
    with box.store.transaction() as session:
        row = only_game(session, "toy")
        row.settings = row.settings | {"dice": "beacon"}
        session.add(row)
    assert any("do not hang on the round" in line for line in verify_game(box.store).wrong)
    assert any("another letter says dice" in line for line in check_letters(letters(box)).wrong)


# --- values -------------------------------------------------------------------------------------------------


def test_values_are_read_from_lines_and_from_json() -> None:
    """As the host types them, and as drand serves them."""
    value = signature(7)
    served = {"round": 7, "randomness": "ab", "signature": value}
    for text in (f"7 {value}\n", json.dumps(served), json.dumps([served])):
        assert rounds.read_values(text) == {7: value}
    assert rounds.read_values("") == {}
    for text, why in (
        ("seven\n", 'line 1 is not a round: "seven"; write ROUND SIGNATURE'),
        ("{", "these rounds are no JSON"),
        ('[{"round": 7}]', 'should have "round" and "signature"'),
    ):
        with pytest.raises(StoreError, match=re.escape(why)):
            rounds.read_values(text)


def test_a_round_is_fetched_from_a_server() -> None:
    """It is asked for by chain and number; a round that is not there is named."""

    class Drand(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            number = int(self.path.rpartition("/")[2])
            known = self.path == f"/{beacon.QUICKNET.hash}/public/{number}" and number < 100
            self.send_response(200 if known else 404)
            self.end_headers()
            if known:
                self.wfile.write(json.dumps({"round": number, "signature": signature(number)}).encode())

        def log_message(self, format: str, *values: object) -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Drand)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    try:
        assert rounds.fetch(7, base) == signature(7)
        with pytest.raises(StoreError, match="round 100 could not be fetched"):
            rounds.fetch(100, base)
    finally:
        server.shutdown()
        server.server_close()


def test_a_game_goes_to_another_host_while_it_waits(box: Postbox, tmp_path: Path) -> None:
    """An exported game still waits for its round where it is imported."""
    both_march(box)
    other = Store.create(tmp_path / "other.pbem")
    transfer.import_(other, transfer.export(box.store, "toy"))
    moved = Postbox(other, "toy", "pbem@host.example", box.now)
    assert awaited(moved) == awaited(box)
    come_out(moved)
    assert verify_game(other).wrong == []
    other.close()
