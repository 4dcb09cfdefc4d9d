"""N1, N3 Dice, orders and texts can be checked from letters or a game file alone, and one altered byte is
enough to be found out."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from conftest import NOW, begin
from postbox import ID, PLAYERS, Postbox, new_game, placed, position, toy_to_the_end
from sizes import size
from sqlalchemy import text

from pbem.games.normandy71.view import view
from pbem.mail import digests
from pbem.mail.signing import public_key
from pbem.service.letters.layout import proved
from pbem.service.moderating.rulings.ruling import rule
from pbem.service.moderating.start import Player
from pbem.service.proof.lines import (
    HEAD,
    Findings,
    Proof,
    check_files,
    check_letters,
    letter_proof,
    letter_text,
    signed,
)
from pbem.service.proof.verify import roll_proof, verify_game, verify_store
from pbem.service.record.journal import broken_links
from pbem.service.record.rows import SeatRow
from pbem.service.record.store import Store
from pbem.service.time.deadline import act
from pbem.service.tools import queries

Letters = list[tuple[str, bytes]]


@pytest.fixture(scope="module")
def game_played(tmp_path_factory: pytest.TempPathFactory) -> Postbox:
    return toy_to_the_end(tmp_path_factory.mktemp("proof") / "toy.pbem")


@pytest.fixture(scope="module")
def letters(game_played: Postbox) -> Letters:
    """All letters of that game, which one player has saved."""
    return [(row.key, row.raw) for row in game_played.outbox()]


def lines_of(raw: bytes) -> list[str]:
    """The lines of a letter, then those of its proof."""
    return [*letter_text(raw), *letter_proof(raw)]


def rewritten(letter: tuple[str, bytes], lines: list[str]) -> tuple[str, bytes]:
    """A letter with another text and another proof, or none, and all its other parts."""
    key, raw = letter
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    body = message.get_body(("plain",))
    assert isinstance(body, EmailMessage)
    at = lines.index(HEAD) if HEAD in lines else len(lines)
    body.set_content("\n".join(lines[:at]) + "\n")
    [proof] = [part for part in message.walk() if part.get_filename() == "proof.txt"]
    if lines[at:]:
        proof.set_content("\n".join(lines[at:]) + "\n", filename="proof.txt")
    else:
        payload = message.get_payload()
        assert isinstance(payload, list)
        payload.remove(proof)
    return key, message.as_bytes()


def blocks(letters: Letters) -> Iterator[tuple[int, str, list[str], int]]:
    """The number, key and lines of each letter, and where its proof begins."""
    for number, (key, raw) in enumerate(letters):
        lines = lines_of(raw)
        yield number, key, lines, lines.index(HEAD)


def others(sign: str) -> str:
    """A sign that is not this one, of the same kind."""
    kinds = ("0123456789", "abcdef", "ghijklmnopqrstuvwxyz")
    kind = next((kind for kind in kinds if sign in kind), "?!")
    return kind[(kind.find(sign) + 1) % len(kind)]


def found_out(letters: Letters) -> list[str]:
    """What is wrong with these letters; where one names another game, that is."""
    try:
        return check_letters(letters).wrong
    except ValueError as error:
        return [str(error)]


# --- letters alone ------------------------------------------------------------------------------------------


def test_the_letters_of_one_player_prove_a_whole_game(
    game_played: Postbox, letters: Letters, tmp_path: Path
) -> None:
    """From the saved letters of one seat every die of the game is computed anew, sealed ones included, and
    every part and signature checked."""
    for number, (_, raw) in enumerate(letters):
        (tmp_path / f"{number}.eml").write_bytes(raw)
    found = check_files([tmp_path])
    assert found.ok and found.pending == found.noted == []
    assert found.rolls == len(queries.rolls(game_played.store, "toy"))
    assert found.signatures == found.texts == len(letters)
    assert found.parts >= 3 * len(letters)
    assert verify_game(game_played.store).wrong == []


def test_sealed_lots_are_proved_when_the_game_is_over_and_not_before(letters: Letters) -> None:
    """No letter of a running game shows a sealed lot; the last one shows and proves them all."""
    texts = ["\n".join(letter_proof(raw)) for _, raw in letters]
    assert not any(re.search(r"^S t", text, re.MULTILINE) or "link opened" in text for text in texts[:-1])
    assert "\nS t1.hide|1.1|draw 1 of 0301,0302,0303|prize|1 = " in texts[-1]
    before, after = check_letters(letters[:-1]), check_letters(letters)
    assert before.ok and after.ok and not after.pending
    assert after.rolls > before.rolls


EVERY = size(15, 5)
"""One in this many signs of a proof line is changed."""


def test_every_byte_of_the_proof_lines_counts(letters: Letters) -> None:
    """A sign of the proof lines of the last letter changed into another is found out, in the letter that
    holds it: one of `EVERY`, in turn."""
    number, key, lines, start = list(blocks(letters))[-1]
    assert check_letters([*letters[:number], rewritten(letters[number], lines)]).ok
    for place in range(start, len(lines)):
        for column in range(place % EVERY, len(lines[place]), EVERY):
            changed = lines[place][:column] + others(lines[place][column]) + lines[place][column + 1 :]
            altered = rewritten(letters[number], [*lines[:place], changed, *lines[place + 1 :]])
            wrong = found_out([*letters[:number], altered])
            assert any(key in each for each in wrong), changed


@pytest.mark.parametrize("seed", range(3))
def test_every_letter_is_guarded(letters: Letters, seed: int) -> None:
    """A sign changed anywhere in any letter, in its words or in its proof lines, is found out and the letter
    is named."""
    chance = random.Random(seed)
    for number, key, lines, start in blocks(letters):
        for where in (range(start), range(start, len(lines))):
            place = chance.choice([at for at in where if lines[at].strip()])
            column = chance.choice([at for at, sign in enumerate(lines[place]) if sign.strip()])
            changed = lines[place][:column] + others(lines[place][column]) + lines[place][column + 1 :]
            altered = rewritten(letters[number], [*lines[:place], changed, *lines[place + 1 :]])
            wrong = found_out([*letters[:number], altered, *letters[number + 1 :]])
            assert any(key in each for each in wrong), changed


@pytest.mark.parametrize(
    ("pattern", "named"),
    [
        (r"^R\d+ \S+\|3\.1\|d6\|clash\|1 = (\d)", "the dice fell"),
        (r"^S t1\.hide\S* 1 of \S+ = 030(\d)", "the dice fell"),
        (r"^link 2 .*(.)$", "link 2"),
        (r"^link opened .*(.)$", "the revealed secret"),
        (r"^salts \S+ red: hop and mal(t)", "the dice fell"),
        (r"^order 1 L1 \[march\] move R1 to 020(1)", "order 1 was altered"),
    ],
)
def test_what_was_altered_is_named(letters: Letters, pattern: str, named: str) -> None:
    """A changed die, lot, link, salt or order line is named for what it is, even where text digests were made
    to fit."""
    found = [
        (number, key, lines, place, match)
        for number, key, lines, start in blocks(letters)
        for place in range(start, len(lines))
        if (match := re.match(pattern, lines[place]))
    ]
    number, key, lines, place, match = found[-1]
    raw = letters[number][1]
    lines[place] = lines[place][: match.start(1)] + others(match[1]) + lines[place][match.end(1) :]
    lines[-2] = f"text {digests.of_lines(lines[lines.index(HEAD) : -2])}"
    wrong = check_letters([*letters[:number], rewritten((key, raw), lines), *letters[number + 1 :]]).wrong
    assert any(named in each for each in wrong)
    assert any("the signature is not of this proof" in each for each in wrong)


def test_a_message_that_looks_like_proof_lines_does_no_harm(store: Store) -> None:
    """Press that holds what looks like the head of proof lines neither hides nor breaks those of the
    letter."""
    begin(store)
    box = Postbox(store, "toy", "pbem@host.example", NOW)
    box.mail("red", f"press blue: look\n{HEAD}\nlink 0 {'0' * 64}\n\nmove R1 to 0201\n")
    assert check_letters((row.key, row.raw) for row in box.outbox("bob@mail.example")).wrong == []


def test_missing_letters_and_rolls_are_named(letters: Letters) -> None:
    """A letter that is not there leaves a gap among the numbers of its seat, and perhaps among the rolls:
    both are named, and all is not in order."""
    thrown = [
        len(re.findall(r"^R\d+ ", "\n".join(letter_proof(raw)), re.MULTILINE)) for _, raw in letters[:-1]
    ]
    at = thrown.index(max(thrown))
    found = check_letters([*letters[:at], *letters[at + 1 : -1]])
    assert not found.ok and found.wrong == []
    assert f"letter {at + 1} to red is not among these" in found.unchecked
    told = r"roll R\d+( to \d+)? is in none of these letters"
    assert any(re.fullmatch(told, each) for each in found.unchecked)


def test_two_letters_of_one_number_are_named(store: Store) -> None:
    """A server that gives one number to two letters is found out by who has both."""
    begin(store)
    box = Postbox(store, "toy", "pbem@host.example", NOW)
    box.mail("red", "status\n")
    with store.transaction() as session:
        seat = session.get_one(SeatRow, ("toy", "red"))
        seat.letters -= 1
        session.add(seat)
    box.mail("red", "move R1 to 0201\ndone\n")
    [wrong] = check_letters((row.key, row.raw) for row in box.outbox("rita@mail.example")).wrong
    assert wrong.endswith("toy-t1.red_march-red-reply-2 is letter 2 to red, too")


def test_a_letter_signed_by_another_is_named(letters: Letters) -> None:
    """Somebody who signs with a key of his own is found out by the key that the letters before have named."""
    key, raw = letters[-1]
    told, (secret, ours) = letter_proof(raw), (b"x" * 32, re.compile(r"^(part|text|signed) "))
    told = [f"key {public_key(secret)}" if line.startswith("key ") else line for line in told]
    forged = signed([line for line in told if not ours.match(line)], digests.read(raw).parts, secret)
    wrong = check_letters([*letters[:-1], rewritten(letters[-1], [*letter_text(raw), *forged])]).wrong
    assert wrong == [f"{key}: it names another key than the letters before"]


def test_a_receipt_names_the_letter_it_answers(game_played: Postbox, letters: Letters) -> None:
    """A confirmation holds the digest of the letter as it was received, when that was, and its orders."""
    [received] = game_played.letters()
    told = next(
        text for text in ("\n".join(letter_proof(raw)) for _, raw in letters) if "\nreceived " in text
    )
    moment = received.received.isoformat()
    assert f"\nreceived {hashlib.sha256(received.raw).hexdigest()} {moment}\n" in told
    assert "\norder 1 L1 [march] move R1 to 0201 = " in told


def test_a_letter_without_its_signature_is_wrong(letters: Letters) -> None:
    """Whatever stands in the place of the signature, a letter that is not signed is wrong."""
    key, raw = letters[-1]
    text = lines_of(raw)
    for last in ([], [f"seal {'0' * 64}"], ["signed by pbem"]):
        wrong = check_letters([*letters[:-1], rewritten((key, raw), [*text[:-1], *last])]).wrong
        assert f"{key}: it is not signed" in wrong


def test_lines_around_the_signature_are_found(letters: Letters) -> None:
    """Nothing can be put below the signature of a letter, or between it and the digest of the text."""
    key, raw = letters[-1]
    text = lines_of(raw)
    below = check_letters([*letters[:-1], rewritten((key, raw), [*text, "PS You get 12 units more."])])
    assert below.wrong == [f"{key}: it goes on below its signature: 'PS You get 12 units more.'"]
    order = "order 9 move R1 to 0201 = 5bb8ba77a0bbdcb8"
    between = check_letters([*letters[:-1], rewritten((key, raw), [*text[:-1], order, text[-1]])])
    assert f"{key}: the digest of its proof is missing above its signature" in between.wrong


@pytest.mark.parametrize(
    "header", ["Reply-To: eve@mail.example", "From: eve@mail.example", "Subject: You win"]
)
def test_another_header_for_a_reader_is_found(letters: Letters, header: str) -> None:
    """A second header of a kind that mail programs show or obey is found, as a Reply-To is."""
    key, raw = letters[-1]
    head, blank, rest = raw.partition(b"\n\n")
    for forged in (b"%s\n%s" % (header.encode(), raw), b"%s\n%s%s%s" % (head, header.encode(), blank, rest)):
        [wrong] = check_letters([*letters[:-1], (key, forged)]).wrong
        assert wrong.endswith("is not what was sent")


# --- the proof of one roll ----------------------------------------------------------------------------------


class Folder:
    """The letters that one player has saved, and the proof of a roll."""

    def __init__(self, path: Path, box: Postbox, roll: str = "R1") -> None:
        self.letters, self.proof = path / "saved", path / "roll.txt"
        self.letters.mkdir()
        for row in box.outbox("rita@mail.example"):
            (self.letters / f"{row.key}.eml").write_bytes(row.raw)
        self.lines = roll_proof(box.store, "toy", roll)
        self.write(self.lines)

    def write(self, lines: list[str]) -> None:
        self.proof.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def check(self) -> Findings:
        return check_files([self.proof, self.letters])


@pytest.fixture
def saved(tmp_path: Path, game_played: Postbox) -> Folder:
    return Folder(tmp_path, game_played)


def test_a_proof_is_compared_with_letters(saved: Folder) -> None:
    """The proof of a roll is right next to the letters of its game; alone it says what it hangs on, and never
    that nothing is wrong."""
    assert saved.check().ok
    alone = check_files([saved.proof])
    link, key = (next(line for line in saved.lines if line.startswith(name)) for name in ("link 0", "key"))
    [told] = alone.unchecked
    assert f"true only if link 0 in your first letter is {link.split()[2]}" in told and key.split()[1] in told
    assert not alone.ok and alone.wrong == [] and "0 wrong" not in alone.summary()


def test_a_proof_in_the_folder_of_the_letters_is_compared_with_them(saved: Folder) -> None:
    """It makes no difference whether it is among the letters or beside them, or how a mail program has
    ended its lines."""
    inside = saved.letters / "roll.txt"
    inside.write_bytes(("\ufeff" + " \r\n\r\n".join(saved.lines)).encode())
    assert check_files([saved.letters]).ok
    face = saved.lines[-3]
    inside.write_text("\n".join(saved.lines).replace(face, face[:-1] + others(face[-1])), encoding="utf-8")
    assert f"{inside}: its proof is not the one that was signed" in check_files([saved.letters]).wrong


def test_a_proof_by_another_key_is_wrong(saved: Folder) -> None:
    """Another face, with a link drawn for it and a key of his own: alone nothing is proved by it, next to
    letters everything is named that differs."""
    secret, forged = b"x" * 32, [line for line in saved.lines if not re.match(r"text|signed", line)]
    at = {line.split(" ")[0]: number for number, line in enumerate(forged)}
    forged[at["key"]] = f"key {public_key(secret)}"
    roll, _, face = forged[at["R1"]].rpartition(" = ")
    forged[at["R1"]] = f"{roll} = {int(face) % 6 + 1}"
    for number in range(1000):
        link = hashlib.sha256(str(number).encode()).digest()
        forged[at["link"]] = f"link 1 {link.hex()}"
        forged[at["link"] - 1] = f"link 0 {hashlib.sha256(link).hexdigest()}"
        saved.write(signed(forged, {}, secret, "proof"))
        if not check_files([saved.proof]).wrong:
            break
    assert not check_files([saved.proof]).ok
    wrong = saved.check().wrong
    assert f"{saved.proof}: it names another key than the letters before" in wrong
    assert f"{saved.proof}: link 0 differs from the one in another letter" in wrong
    assert any(f"{saved.proof}: R1 " in each and "says" in each for each in wrong)


def test_a_letter_is_no_proof(saved: Folder, letters: Letters) -> None:
    """Key and signature of a letter do not make the proof of a roll, nor does one that has lost them."""
    saved.write(letter_proof(letters[-1][1]))
    assert any(
        "the signature is not of this proof by the key of the game" in each for each in saved.check().wrong
    )
    saved.write(saved.lines[:-1])
    assert f"{saved.proof}: it is not signed" in saved.check().wrong
    saved.write(saved.lines[1:])
    assert saved.check().unchecked == [
        f"{saved.proof}: it is neither a letter (.eml) nor the proof of a roll"
    ]


def test_letters_that_do_not_hold_the_roll_are_no_check(saved: Folder) -> None:
    """Next to letters that come before its roll a proof is not checked, and what they lack is named."""
    for letter in sorted(saved.letters.iterdir(), key=lambda path: int(path.stem.rpartition("-")[2]))[1:]:
        letter.unlink()
    found = saved.check()
    assert found.wrong == []
    assert any(each.startswith(f"{saved.proof}: none of these letters says: R1 ") for each in found.unchecked)


def test_files_that_are_none_of_ours_are_named(saved: Folder) -> None:
    """A file in the folder that cannot be checked is named, one that is hidden is passed over."""
    (saved.letters / "notes.txt").write_bytes(b"R1 was bad luck \xff\n")
    (saved.letters / "mine.eml").write_bytes(b"From: rita@mail.example\nSubject: hello\n\nmove R1 to 0201\n")
    (saved.letters / ".lock").write_bytes(b"")
    found = saved.check()
    assert found.wrong == [] and not found.ok
    assert [each.partition(": ")[0] for each in found.unchecked] == [
        str(saved.letters / "mine.eml"),
        str(saved.letters / "notes.txt"),
    ]


def test_a_proof_from_before_a_ruling_counts_no_longer(store: Store, tmp_path: Path) -> None:
    """A roll that was thrown again is proved as it was thrown last, and its first proof is wrong then."""
    begin(store, welcome=True)
    box = Postbox(store, "toy", "pbem@host.example", NOW)
    box.mail("red", "move R1 to 0201\ndone\n")
    while not any(line.startswith("link 1 ") for line in letter_proof(box.outbox()[-1].raw)):
        act(store, "toy", box.now, force=True)
    before = Folder(tmp_path, box)
    assert before.check().ok
    rule(store, "toy", "reroll", "R1", by="host", why="a slip", now=box.now)
    for row in box.outbox("rita@mail.example"):
        (before.letters / f"{row.key}.eml").write_bytes(row.raw)
    assert f"{before.proof}: R1 counts otherwise since ruling 1" in before.check().wrong


# --- the game file ------------------------------------------------------------------------------------------


def test_every_journal_row_counts(game_played: Postbox) -> None:
    """Whatever is changed in a row of the journal, the row is named."""
    store = game_played.store
    changes = {
        "asked": lambda value: value[:-1] + others(value[-1]),
        "answer": lambda value: value.replace(value[1:2], others(value[1:2])) if value[1:2] else "1",
        "hash": lambda value: others(value[0]) + value[1:],
        "digest": lambda value: value[:-1] + "x",
        "by": lambda value: value + "x",
        "kind": lambda value: "undone",
        "phase": lambda value: value + 1,
    }
    rows = game_played.journal()
    for row in rows:
        for column in [name for at, name in enumerate(changes) if (at + row.number) % size(7, 3) == 0]:
            with store.engine.connect() as connection:
                query = text(f"SELECT {column} FROM journal WHERE number = :number")
                value: Any = connection.execute(query, {"number": row.number}).scalar_one()
            _write(store, column, row.number, changes[column](value))
            wrong = verify_game(store).wrong
            _write(store, column, row.number, value)
            named = f"journal row {row.number} " if column != "answer" else "journal"
            assert any(named in each for each in wrong), (row.number, column)
    assert verify_game(store).wrong == []


def _write(store: Store, column: str, number: int, value: Any) -> None:
    with store.engine.begin() as connection:
        statement = text(f"UPDATE journal SET {column} = :value WHERE number = :number")
        connection.execute(statement, {"value": value, "number": number})


def test_a_missing_row_is_missed(game_played: Postbox) -> None:
    """A row taken out of the journal leaves a gap that is named."""
    rows = game_played.journal()
    letters = {letter.id: letter.digest for letter in game_played.letters()}
    assert broken_links(rows, letters) == []
    assert broken_links([*rows[:3], *rows[4:]], letters) == ["journal row 4 is missing"]


def test_a_damaged_page_is_named(tmp_path: Path) -> None:
    """A page of the file that SQLite cannot use is named, even where no row of a game is in it."""
    path = tmp_path / "toy.pbem"
    box = toy_to_the_end(path)
    assert verify_store(box.store)["toy"].wrong == []
    box.store.engine.dispose()
    with box.store.engine.begin() as connection:
        root = connection.execute(
            text("SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = 'letter' LIMIT 1")
        ).scalar_one()
        size = connection.execute(text("PRAGMA page_size")).scalar_one()
    box.store.engine.dispose()
    data = path.read_bytes()
    at = (root - 1) * size
    path.write_bytes(data[:at] + random.Random(1).randbytes(size) + data[at + size :])
    found = verify_store(box.store)[str(path)]
    assert found.wrong and not found.ok


# --- dice keyed to the event --------------------------------------------------------------------------------


def rolled(path: Path, letter: str) -> dict[str, tuple[Any, ...]]:
    """The dice of an Allied combat phase that is fought with these orders, by what they were thrown for."""
    box = placed(path, position("greedy", "1", "t3.allied_combat"))
    box.mail("allied", letter)
    while box.phase().label == "t3.allied_combat":
        act(box.store, ID, box.now, force=True)
    return {
        roll["label"]: roll["faces"]
        for roll in queries.rolls(box.store, ID)
        if roll["phase"] == "t3.allied_combat"
    }


def test_correcting_an_order_leaves_all_other_dice_as_they_were(tmp_path: Path) -> None:
    """N3 With one attack withdrawn, another changed, or all in another order, every attack that is still made
    rolls the same die."""
    state = position("greedy", "1", "t3.allied_combat")
    targets = [f"attack {stack.hex}" for stack in view(state, "allied").seen]
    letter = "[combat]\n" + "\n".join(f"try {line}" for line in targets)
    full = rolled(tmp_path / "full.pbem", f"{letter}\nfinal\n")
    assert len(full) >= 3
    fought = [re.search(r"attack on (\S+)\|", label) for label in full]
    hexes = [match[1] for match in fought if match]
    orders = [f"attack {hex}" for hex in hexes]
    for name, lines in {
        "one less": orders[1:],
        "backwards": orders[::-1],
        "with guns": [f"{orders[0]} naval any", *orders[1:]],
    }.items():
        other = rolled(tmp_path / f"{name}.pbem", "\n".join(["[combat]", *lines, "final\n"]))
        assert len(other) >= len(full) - 1 and set(other) <= set(full)
        assert all(faces == full[label] for label, faces in other.items()), name


def test_salts_count_from_the_next_phase_on(tmp_path: Path) -> None:
    """A salt leaves the dice of its own phase alone, and changes those of every later one."""
    games = []
    for name, salt in (("plain", ""), ("salted", "salt pepper\n")):
        box = Postbox.started(
            Store.create(tmp_path / f"{name}.pbem"),
            new_game(players={"allied": PLAYERS["allied"], "german": Player(bot="greedy")}),
        )
        box.mail("allied", f"{salt}[plan]\ndefault\ndone\n")
        games.append({f"{roll['phase']} {roll['label']}": roll for roll in queries.rolls(box.store, ID)})
        assert verify_game(box.store).wrong == []
    plain_rolls, salted = games
    early = [name for name in plain_rolls if name.startswith("t1.deployment")]
    late = [name for name in plain_rolls if name.startswith("t1.paradrop")]
    assert early and all(plain_rolls[name] == salted[name] for name in early)
    shared = [name for name in late if name in salted]
    assert len(shared) >= 8 and all(plain_rolls[name]["key"] != salted[name]["key"] for name in shared)
    assert any(plain_rolls[name]["faces"] != salted[name]["faces"] for name in shared)


def test_a_letter_names_the_rolls_that_its_file_proves() -> None:
    """Only three or more in a row are told as from the first to the last."""
    told = [
        proved(Proof("toy", "toy", 1, rolls=tuple((f"R{n}", "", "", "") for n in range(14, 14 + many))))
        for many in range(4)
    ]
    assert [line.partition(":")[0].removeprefix("proof.txt proves ") for line in told] == [
        "this letter",
        "R14 and this letter",
        "R14, R15 and this letter",
        "R14 to R16 and this letter",
    ]
