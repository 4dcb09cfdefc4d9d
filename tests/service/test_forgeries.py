"""N1 Nothing that verifies was made without the key of the game: forged proofs, letters, exported games and
game files are found, or are in one list of what no digest covers.

``PBEM_FORGERIES=500 pytest tests/service/test_forgeries.py -s`` makes 500 of each kind instead of 60, and
prints what they were found by.
"""

from __future__ import annotations

import copy
import hashlib
import json
import random
import re
import shutil
import sqlite3
from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from postbox import Postbox, toy_to_the_end
from sizes import size
from sqlalchemy import Boolean
from test_every_byte import one_byte, outside
from test_proof import lines_of, others, rewritten

from pbem.engine.errors import ReplayMismatch
from pbem.mail import digests
from pbem.mail.signing import public_key
from pbem.service.proof.lines import HEAD, Findings, check_files, signed
from pbem.service.proof.verify import TABLES, compare, roll_proof, verify_store
from pbem.service.record.covered import OUTSIDE, digest
from pbem.service.record.errors import StoreError
from pbem.service.record.store import Store
from pbem.service.tools.transfer import PARTS, export, import_, load, read

FORGERIES = size(5, 60, "PBEM_FORGERIES")
STRANGER = b"x" * 32
"""The key of somebody who does not have that of the game."""

Letter = tuple[str, bytes]
Letters = list[Letter]


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Postbox:
    return toy_to_the_end(tmp_path_factory.mktemp("forged") / "toy.pbem")


@pytest.fixture(scope="module")
def letters(box: Postbox) -> Letters:
    """All letters to one player."""
    return [(row.key, row.raw) for row in box.outbox("rita@mail.example")]


@pytest.fixture(scope="module")
def proofs(box: Postbox) -> list[list[str]]:
    """The proofs of all rolls."""
    return [roll_proof(box.store, "toy", f"R{number}") for number in range(1, 4)]


def saved(folder: Path, letters: Letters, proof: bytes | None = None) -> Findings:
    """What verifying letters, and a proof, finds."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for key, raw in letters:
        (folder / f"{key}.eml").write_bytes(raw)
    if proof is not None:
        (folder / "roll.txt").write_bytes(proof)
    try:
        return check_files([folder])
    except ValueError as error:  # of another game
        return Findings(wrong=[str(error)])


def changed(chance: random.Random, line: str, start: int = 0) -> str:
    """The line with another sign in it."""
    at = chance.choice([at for at in range(start, len(line)) if line[at].strip()])
    return line[:at] + others(line[at]) + line[at + 1 :]


def told(kind: str, names: Counter[str]) -> None:
    print(f"\n{kind}: {names.total()} forgeries")
    for name, times in names.most_common():
        print(f"{times:5} {name}")


def in_short(line: str) -> str:
    """A finding without what is of this game and this forgery alone."""
    line = re.sub(r"^\S+\.(eml|txt): ", "", line)
    return re.sub(r"'.*'|\(.*?\)|[0-9a-f]{64}|R?\d+", "..", line)[:90]


# --- proofs of a roll ---------------------------------------------------------------------------------------


def a_field_of_a_proof(chance: random.Random, proof: list[str], other: list[str]) -> list[str]:
    at = chance.randrange(len(proof))
    return [*proof[:at], changed(chance, proof[at]), *proof[at + 1 :]]


def a_field_and_the_digest(chance: random.Random, proof: list[str], other: list[str]) -> list[str]:
    forged = a_field_of_a_proof(chance, proof[:-2], other)
    return [*forged, f"text {digests.of_lines(forged)}", proof[-1]]


def a_line_of_another_proof(chance: random.Random, proof: list[str], other: list[str]) -> list[str]:
    kinds = [at for at, line in enumerate(proof) if line not in other and at < len(other)]
    at = chance.choice(kinds)
    return [*proof[:at], other[at], *proof[at + 1 :]]


def a_line_too_many(chance: random.Random, proof: list[str], other: list[str]) -> list[str]:
    at = chance.randrange(len(proof) + 1)
    return [*proof[:at], chance.choice([*proof, *other, "R9 is true"]), *proof[at:]]


def a_line_too_few(chance: random.Random, proof: list[str], other: list[str]) -> list[str]:
    at = chance.randrange(len(proof))
    return [*proof[:at], *proof[at + 1 :]]


def signed_by_a_stranger(chance: random.Random, proof: list[str], other: list[str]) -> list[str]:
    forged = a_field_of_a_proof(chance, proof[:-2], other)
    forged = [f"key {public_key(STRANGER)}" if line.startswith("key ") else line for line in forged]
    return signed(forged, {}, STRANGER, "proof")


def with_links_of_a_stranger(chance: random.Random, proof: list[str], other: list[str]) -> list[str]:
    """Another secret, and his key or that of the game."""
    turn = max(int(number) for number in re.findall(r"^link (\d+) ", "\n".join(proof), re.MULTILINE))
    value, links = chance.randbytes(32), {}
    for number in range(turn, -1, -1):
        links[f"link {number}"] = value.hex()
        value = hashlib.sha256(value).digest()
    forged = [
        f"{name} {links[name]}" if (name := " ".join(line.split(" ")[:2])) in links else line
        for line in proof[:-2]
    ]
    if chance.random() < 0.5:
        forged = [f"key {public_key(STRANGER)}" if line.startswith("key ") else line for line in forged]
    return signed(forged, {}, STRANGER, "proof")


Forging = Callable[[random.Random, list[str], list[str]], list[str]]
PROOFS: tuple[Forging, ...] = (
    a_field_of_a_proof,
    a_field_and_the_digest,
    a_line_of_another_proof,
    a_line_too_many,
    a_line_too_few,
    signed_by_a_stranger,
    with_links_of_a_stranger,
)


def test_a_forged_proof_is_found(tmp_path: Path, letters: Letters, proofs: list[list[str]]) -> None:
    """Next to letters every forgery of a proof is found, in each of these ways; alone none counts as
    right."""
    names = Counter[str]()
    assert all(saved(tmp_path / "as it was", letters, _bytes(proof)).ok for proof in proofs)
    for seed in range(FORGERIES):
        chance = random.Random(seed)
        proof, other = chance.sample(proofs, 2)
        for forge in PROOFS:
            forged = forge(chance, proof, other)
            if forged in proofs:
                continue
            found = saved(tmp_path / "forged", letters, _bytes(forged))
            assert not found.ok, (seed, forge.__name__, forged)
            assert not saved(tmp_path / "alone", [], _bytes(forged)).ok
            names[in_short([*found.wrong, *found.unchecked][0])] += 1
        raw = _bytes(proof)
        other_bytes = one_byte(chance, raw, chance.randrange(len(raw)))
        ok = saved(tmp_path / "forged", letters, other_bytes).ok
        assert not ok or _read(other_bytes) == proof, (seed, other_bytes)
        names["not covered: blanks at a line end" if ok else "a byte"] += 1
    told("proofs", names)


def _bytes(lines: list[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()


def _read(raw: bytes) -> list[str]:
    return [line.rstrip() for line in raw.decode().split("\n") if line.rstrip()]


# --- letters ------------------------------------------------------------------------------------------------


def a_byte(chance: random.Random, letters: Letters, at: int) -> tuple[Letters, str]:
    key, raw = letters[at]
    place = chance.randrange(len(raw))
    return _with(letters, at, (key, one_byte(chance, raw, place))), outside(raw, place)


def a_sign_and_the_digest(chance: random.Random, letters: Letters, at: int) -> tuple[Letters, str]:
    return _with(letters, at, rewritten(letters[at], _reworded(chance, letters[at]))), ""


def another_signature(chance: random.Random, letters: Letters, at: int) -> tuple[Letters, str]:
    other = lines_of(chance.choice([*letters[:at], *letters[at + 1 :]])[1])
    lines = [*lines_of(letters[at][1])[:-2], *chance.choice([other[-2:], other[-1:]])]
    return _with(letters, at, rewritten(letters[at], lines)), ""


def a_strangers_signature(chance: random.Random, letters: Letters, at: int) -> tuple[Letters, str]:
    own = public_key(STRANGER) if chance.random() < 0.5 else ""
    lines = [
        f"key {own}" if own and line.startswith("key ") else line
        for line in _reworded(chance, letters[at])
        if not re.match(r"part \S+ [0-9a-f]{64}$|text |signed ", line)
    ]
    begins = lines.index(HEAD) if HEAD in lines else len(lines)
    forged = rewritten(letters[at], [*lines[:begins], HEAD])
    told = signed(lines[begins:], digests.read(forged[1]).parts, STRANGER)
    return _with(letters, at, rewritten(letters[at], [*lines[:begins], *told])), ""


def no_signature(chance: random.Random, letters: Letters, at: int) -> tuple[Letters, str]:
    last = chance.choice([[], [f"seal {chance.randbytes(32).hex()}"], ["signed"]])
    return _with(letters, at, rewritten(letters[at], [*lines_of(letters[at][1])[:-1], *last])), ""


def no_proof_lines(chance: random.Random, letters: Letters, at: int) -> tuple[Letters, str]:
    lines = lines_of(letters[at][1])
    key, raw = rewritten(letters[at], lines[: lines.index(HEAD)])
    if chance.random() < 0.5:
        raw = raw.replace(b"X-Pbem: letter\n", b"")
    return _with(letters, at, (key, raw)), ""


def a_line_put_in(chance: random.Random, letters: Letters, at: int) -> tuple[Letters, str]:
    lines = lines_of(letters[at][1])
    place = chance.choice([0, lines.index(HEAD), len(lines) - 1, len(lines), chance.randrange(len(lines))])
    line = chance.choice(["You get 12 units more.", "order 9 pass = 0123456789abcdef", HEAD, *lines[-9:]])
    return _with(letters, at, rewritten(letters[at], [*lines[:place], line, *lines[place:]])), ""


def a_letter_left_out(chance: random.Random, letters: Letters, at: int) -> tuple[Letters, str]:
    excuse = LAST if at == len(letters) - 1 else ""
    return [*letters[:at], *letters[at + 1 :]], excuse


def another_in_its_place(chance: random.Random, letters: Letters, at: int) -> tuple[Letters, str]:
    excuse = LAST if at == len(letters) - 1 else ""
    other = chance.choice([*letters[:at], *letters[at + 1 :]])
    return _with(letters, at, (letters[at][0], other[1])), excuse


def a_header_put_in(chance: random.Random, letters: Letters, at: int) -> tuple[Letters, str]:
    key, raw = letters[at]
    name = chance.choice(["From", "To", "Subject", "Date", "Reply-To", "References", "X-Note"])
    line = f"{name}: Sat, 06 Jun 2026 18:00:00 +0000 <eve@mail.example>\n".encode()
    head, _, rest = raw.partition(b"\n\n")
    forged = line + raw if chance.random() < 0.5 else head + b"\n" + line + b"\n" + rest
    return _with(letters, at, (key, forged)), HEADERS if name in ("References", "X-Note") else ""


def a_part_put_in(chance: random.Random, letters: Letters, at: int) -> tuple[Letters, str]:
    message = _message(letters[at])
    message.add_attachment("You win.", filename=chance.choice(["map.png", "orders.txt", "news.txt"]))
    return _with(letters, at, (letters[at][0], message.as_bytes())), ""


def another_part(chance: random.Random, letters: Letters, at: int) -> tuple[Letters, str]:
    """A part that is not the text is emptied."""
    message = _message(letters[at])
    parts = [part for part in message.walk() if not part.is_multipart()]
    part = chance.choice(parts[1:] or parts)
    part.set_payload("")
    return _with(letters, at, (letters[at][0], message.as_bytes())), ""


def _with(letters: Letters, at: int, letter: Letter) -> Letters:
    return [*letters[:at], letter, *letters[at + 1 :]]


def _message(letter: Letter) -> EmailMessage:
    message = message_from_bytes(letter[1], policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def _reworded(chance: random.Random, letter: Letter) -> list[str]:
    """The text and the proof of a letter with another sign in a line, and the digest that fits it."""
    lines = lines_of(letter[1])[:-2]
    at = chance.choice([at for at, line in enumerate(lines) if line.strip()])
    lines[at] = changed(chance, lines[at])
    told = lines[lines.index(HEAD) if HEAD in lines else 0 :]
    return [*lines, f"text {digests.of_lines(told)}", lines_of(letter[1])[-1]]


HEADERS = "a header that only programs read"
LAST = "the last letter: nothing says yet that it was written"
LETTERS = (
    a_byte,
    a_sign_and_the_digest,
    another_signature,
    a_strangers_signature,
    no_signature,
    no_proof_lines,
    a_line_put_in,
    a_letter_left_out,
    another_in_its_place,
    a_header_put_in,
    a_part_put_in,
    another_part,
)


def test_a_forged_letter_is_found(tmp_path: Path, letters: Letters) -> None:
    """In a folder of letters every forgery of one of them is found, in each of these ways, but for what is
    listed."""
    names = Counter[str]()
    assert saved(tmp_path / "as it was", letters).ok
    for seed in range(FORGERIES):
        chance = random.Random(seed)
        for forge in LETTERS:
            forged, excuse = forge(chance, letters, chance.randrange(len(letters)))
            found = saved(tmp_path / "forged", forged)
            assert excuse or not found.ok, (seed, forge.__name__)
            lines = [*found.wrong, *found.unchecked, f"not covered: {excuse}"]
            names[in_short(lines[0])] += 1
    told("letters", names)


# --- exported games and game files --------------------------------------------------------------------------


def another(chance: random.Random, value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.choice([-1, 1, 1000])
    if isinstance(value, str):
        return changed(chance, value) if value.strip() else "x"
    if isinstance(value, bytes):
        return one_byte(chance, value, chance.randrange(len(value))) if value else b"x"
    if isinstance(value, Mapping):
        if not value:
            return {"x": "x"}
        name = chance.choice(sorted(value))
        return {**value, name: another(chance, value[name])}
    if isinstance(value, list):
        if not value:
            return ["x"]
        at = chance.randrange(len(value))
        return [*value[:at], another(chance, value[at]), *value[at + 1 :]]
    return "x"


Export = dict[str, Any]
NO_LETTERS = "one of the staff to whom no letter was written: no other row names them"
BY_DIGESTS_ALONE = {
    f"{table}.{column}"
    for table, columns in {
        "game": "created rules settings trouble waiting_since",
        "seat": "address letters missed name news password played questions settings sheet standing "
        "token_key",
        "staff": "address key letters name password settings told token_key",
        "phase": "rolls state_hash",
        "letter": "checked identity message_id orders outcome received sender turn why words",
        "outbox": "about attempts created error key kind message_id recipient section subject",
    }.items()
    for column in columns.split()
}
"""Columns that nothing but the digests of their row covers: what is being waited for, people, and how letters
came and went. Who can write these digests has the game file, and with it the key; orders, dice, results and
letters are not among them."""


def _row(chance: random.Random, game: Export) -> tuple[str, dict[str, Any]]:
    """A row of an exported game, and its table."""
    name = chance.choice(["game", *(name for name in PARTS if game[name])])
    return (name, game["game"]) if name == "game" else (name, chance.choice(game[name]))


def _fields(name: str, row: Mapping[str, Any]) -> list[str]:
    return [field for field in row if f"{_table(name)}.{field}" not in OUTSIDE]


def _table(name: str) -> str:
    return "game" if name == "game" else str(PARTS[name].__tablename__)


def a_field(chance: random.Random, game: Export) -> str:
    name, row = _row(chance, game)
    field = chance.choice(_fields(name, row))
    row[field] = another(chance, row[field])
    return ""


def a_field_of_another_row(chance: random.Random, game: Export) -> str:
    name, row = _row(chance, game)
    field = chance.choice(_fields(name, row))
    if name != "game":
        row[field] = chance.choice(game[name])[field]
    return ""


def a_row_too_few(chance: random.Random, game: Export) -> str:
    name = chance.choice([name for name in PARTS if game[name]])
    at = chance.randrange(len(game[name]))
    del game[name][at]
    last = name == "outbox" and at == len(game[name])
    return LAST if last else NO_LETTERS if name == "staff" else ""


def a_row_too_many(chance: random.Random, game: Export) -> str:
    name, row = _row(chance, game)
    if name != "game":
        game[name].insert(chance.randrange(len(game[name])), copy.deepcopy(row))
    return ""


EXPORTS = (a_field, a_field_of_another_row, a_row_too_few, a_row_too_many)


def faults_of(path: Path, folder: Path) -> list[str]:
    """What is found of an exported game by reading it, or by verifying and replaying what it becomes."""
    try:
        found = read(load(path))
    except StoreError as error:
        return [str(error)]
    folder.mkdir(exist_ok=True)
    file = folder / "game.pbem"
    file.unlink(missing_ok=True)
    store = Store.create(file)
    try:
        import_(store, found)
        return faults_of_store(store)
    except StoreError as error:
        return [str(error)]
    finally:
        store.close()


def faults_of_store(store: Store) -> list[str]:
    """What is found of a game file by verifying and replaying it."""
    found = verify_store(store)
    lines = [line for each in found.values() for line in [*each.wrong, *each.unchecked]]
    try:
        compare(store)
    except (ReplayMismatch, StoreError, KeyError, ValueError) as error:
        lines.append(str(error))
    return lines


def changed_row(chance: random.Random, file: Path) -> str:
    """Change a field of a game file, or take a row out of it. Return what no digest covers of it, or ""."""
    with closing(sqlite3.connect(file)) as connection, connection:
        kind = chance.choice(TABLES)
        table, row = kind.__tablename__, kind.__table__
        rows = connection.execute(f"SELECT rowid FROM {table} ORDER BY rowid").fetchall()
        [place] = chance.choice(rows)
        last = table == "outbox" and place == rows[-1][0]
        taken_out = LAST if last else NO_LETTERS if table == "staff" else ""
        if chance.random() < 0.25:
            connection.execute(f"DELETE FROM {table} WHERE rowid = ?", [place])
            return taken_out
        field = chance.choice([each for each in row.columns if f"{table}.{each.name}" not in OUTSIDE])
        column = field.name
        [value] = connection.execute(f"SELECT {column} FROM {table} WHERE rowid = ?", [place]).fetchone()
        other = 1 - value if isinstance(field.type, Boolean) else another(chance, value)
        connection.execute(f"UPDATE OR REPLACE {table} SET {column} = ? WHERE rowid = ?", [other, place])
        return taken_out if column == "game" else ""


def test_a_forged_game_file_is_found(box: Postbox, tmp_path: Path) -> None:
    """A field that was changed in a game file, or a row taken out of it, is found by verifying and replaying
    it."""
    names = Counter[str]()
    whole, file = tmp_path / "whole.pbem", tmp_path / "toy.pbem"
    with closing(sqlite3.connect(box.store.target)) as connection:
        connection.execute("VACUUM INTO ?", [str(whole)])
    assert _faults_of_file(whole) == []
    for seed in range(FORGERIES):
        for left in tmp_path.glob("toy.pbem*"):
            left.unlink()
        shutil.copy(whole, file)
        excuse = changed_row(random.Random(seed), file)
        found = _faults_of_file(file)
        assert excuse or found, seed
        names[in_short(found[0]) if found else f"not covered: {excuse}"] += 1
    told("game files", names)


def _faults_of_file(file: Path) -> list[str]:
    with closing(Store(file)) as store:
        try:
            return faults_of_store(store)
        except StoreError as error:
            return [str(error)]


def test_a_forged_export_is_found(box: Postbox, tmp_path: Path) -> None:
    """Whatever field or row is changed in an exported game is found when it is read, or by verifying and
    replaying what it becomes."""
    whole, names = json.loads(json.dumps(export(box.store))), Counter[str]()
    path = tmp_path / "toy.json"
    path.write_text(json.dumps(whole), encoding="utf-8")
    assert faults_of(path, tmp_path / "store") == []
    for seed in range(FORGERIES):
        chance = random.Random(seed)
        for forge in EXPORTS:
            game = copy.deepcopy(whole)
            excuse = forge(chance, game)
            if game == whole:
                continue
            path.write_text(json.dumps(game), encoding="utf-8")
            found = faults_of(path, tmp_path / "store")
            assert excuse or found, (seed, forge.__name__)
            names[in_short(found[0]) if found else f"not covered: {excuse}"] += 1
    told("exports", names)


def test_a_field_with_the_digest_that_fits_it_is_found(box: Postbox, tmp_path: Path) -> None:
    """Anybody can write the digests of rows. What proves the game is found all the same, by the chain of the
    journal, by the letters or by the replay."""
    whole, names = json.loads(json.dumps(export(box.store))), Counter[str]()
    path = tmp_path / "toy.json"
    for seed in range(FORGERIES):
        chance = random.Random(seed)
        game = copy.deepcopy(whole)
        name, row = _row(chance, game)
        table = _table(name)
        fields = [field for field in _fields(name, row) if f"{table}.{field}" not in BY_DIGESTS_ALONE]
        field = chance.choice(fields or ["game"])
        before = _value(row[field])
        row[field] = another(chance, row[field])
        if _value(row[field]) == before:
            continue  # the last letter of base64 has bits that say nothing
        row["digests"][field] = digest(_value(row[field]))
        path.write_text(json.dumps(game), encoding="utf-8")
        found = faults_of(path, tmp_path / "store")
        assert found, (seed, table, field)
        names[in_short(found[0])] += 1
    told("exports with digests that fit", names)


def _value(value: Any) -> Any:
    """The value of a field of an exported game, as its row has it; as it is where that is none."""
    if isinstance(value, dict) and set(value) & {"base64", "time"}:
        with suppress(ValueError, KeyError):
            return b64decode(value["base64"]) if "base64" in value else datetime.fromisoformat(value["time"])
    return value
