"""N1 One byte changed anywhere in a letter or an exported game is found, and what was changed is named.

``pytest tests/service/test_every_byte.py -s`` prints what each of the 500 changes is named as.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from postbox import Postbox, toy_to_the_end
from sizes import size, some
from sqlalchemy import Boolean, Column, text
from sqlmodel import SQLModel

from pbem.service.proof.lines import check_letters
from pbem.service.proof.verify import TABLES, verify_game
from pbem.service.record.covered import OF_THE_HOST, OUTSIDE
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import StaffRow
from pbem.service.record.store import Store
from pbem.service.tools.transfer import export, load, read

CHANGES = size(100, 250)

NOT_COVERED = {
    "a header that only programs read": re.compile(
        rb"(?:Message-ID|In-Reply-To|References|Auto-Submitted|X-\S+|MIME-Version|Content-[A-Za-z-]+):"
        rb"(?:[^\n]|\n[ \t])*\n",
        re.IGNORECASE,
    ),
    "a boundary between parts": re.compile(rb"\n*--=_[arm][0-9a-f]{32}(?:--)?\n+"),
    "blanks at a line end": re.compile(rb"(?:[ \t]|=20|=\n)*\n"),
    "the last bytes of base64, which hold no data": re.compile(rb"[A-Za-z0-9+/]=+\n"),
}
"""Places of a letter outside of what is covered: a change there need not be found, for a reader sees
the same. Of an exported game it is the blanks between its values."""


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Postbox:
    return toy_to_the_end(tmp_path_factory.mktemp("bytes") / "toy.pbem")


def one_byte(chance: random.Random, data: bytes, place: int) -> bytes:
    """The data with another byte in this place."""
    others = [each for each in (*b"aZ09 =-/\n\x00\xff", data[place] ^ 1) if each != data[place]]
    return data[:place] + bytes([chance.choice(others)]) + data[place + 1 :]


def outside(raw: bytes, place: int) -> str:
    """What a place of a letter is that no digest covers, or ""."""
    return next(
        (
            what
            for what, pattern in NOT_COVERED.items()
            for found in pattern.finditer(raw)
            if found.start() <= place < found.end()
        ),
        "",
    )


def told(kind: str, names: Counter[str]) -> None:
    print(f"\n{kind}:")
    for name, times in names.most_common():
        print(f"{times:5} {name}")


def test_a_byte_changed_in_a_letter_is_found(box: Postbox) -> None:
    """Of bytes changed in letters, in headers, text, HTML, picture and files alike, each is found, or is
    none that a reader sees."""
    chance, names = random.Random(1944), Counter[str]()
    letters = [(row.key, row.raw) for row in box.outbox()]
    assert check_letters(letters).wrong == []
    for number in range(CHANGES):
        key, raw = chance.choice(letters)
        parts = [0, *(found.start() for found in re.finditer(rb"\n--=_", raw)), len(raw)]
        part = number % (len(parts) - 1)
        place = chance.randrange(parts[part], parts[part + 1])
        wrong = check_letters([(key, one_byte(chance, raw, place))]).wrong
        excuse = outside(raw, place)
        assert wrong or excuse, (key, place, raw[max(0, place - 60) : place + 30])
        assert all(each.startswith((key, "link ", "the revealed secret ")) for each in wrong)
        name = wrong[0].removeprefix(f"{key}: ") if wrong else f"not covered: {excuse}"
        names[re.sub(r"'.*'|[0-9a-f]{64}|R?\d+", "..", name)] += 1
    told("letters", names)
    assert sum(times for name, times in names.items() if name.startswith("not covered")) < CHANGES / 3
    assert len(names) > 8


def test_a_byte_changed_in_an_exported_game_is_found(box: Postbox, tmp_path: Path) -> None:
    """Of bytes changed in the file of an exported game each is refused, in words of pbem that say where,
    or leaves its values as they were."""
    chance, names = random.Random(1945), Counter[str]()
    whole = json.loads(json.dumps(export(box.store)))
    for part in ("outbox", "letters"):  # what mail holds would take nearly all of the places
        whole[part] = whole[part][:1]
    for row in whole["journal"]:
        row["letter"] = row["letter"] and whole["letters"][0]["id"]
    path = tmp_path / "toy.json"
    path.write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8")
    data = path.read_bytes()
    read(load(path))
    for _ in range(CHANGES):
        path.write_bytes(one_byte(chance, data, chance.randrange(len(data))))
        try:
            same = read(load(path)) and load(path) == whole
            assert same, path.read_bytes()
            names["not covered: a blank between values"] += 1
        except StoreError as error:
            said = str(error).replace(str(path), "the file")
            assert not re.search(r"Expecting|Invalid|Traceback|codec|Error\b", said), said
            assert re.search(r"row|game\b|outbox|letters|journal|phases|seats|version|byte|line", said), said
            names[re.sub(r"\d+|'.*'|\(.*?\)", "..", said)[:100]] += 1
    told("exports", names)
    assert sum("not what pbem wrote" in name for name in names) > 5


def test_a_field_changed_in_a_game_file_is_named(box: Postbox) -> None:
    """Whatever column of whatever row is changed in a game file, table, row and field are named, damaged JSON
    and times too, and never in words of a library."""
    for kind in TABLES:
        name = kind.__tablename__
        with box.store.engine.connect() as connection:
            query = text(f"SELECT rowid AS place, * FROM {name} ORDER BY rowid LIMIT 1")
            row = connection.execute(query).mappings().one()
        for column in some(list(kind.__table__.columns), 5):
            if f"{name}.{column.name}" in OUTSIDE or column.primary_key or column.foreign_keys:
                continue
            value = row[column.name]
            other = another(column, value)
            put(box.store, name, column.name, row["place"], other)
            wrong = verify_game(box.store, "toy").wrong
            put(box.store, name, column.name, row["place"], value)
            named = [each for each in wrong if each.startswith(f"table {name}, row ")]
            assert any(f"field {column.name}:" in each for each in named), (name, column.name, wrong)
            assert not re.search(r"Expecting|Invalid|Error\b", "".join(wrong)), wrong
    assert verify_game(box.store).wrong == []


def another(column: Column[Any], value: Any) -> object:
    """Another value for a column, of no use in one of text, JSON or time."""
    if isinstance(column.type, Boolean):
        return 1 - value
    return value + 1 if isinstance(value, int) else b"x" if isinstance(value, bytes) else "{x"


def put(store: Store, table: str, column: str, row: int, value: object) -> None:
    with store.engine.begin() as connection:
        connection.execute(
            text(f"UPDATE {table} SET {column} = :value WHERE rowid = :row"), {"value": value, "row": row}
        )


def test_every_column_is_covered_or_declared(box: Postbox) -> None:
    """A row has digests of all its columns but those that are declared outside, each with a reason; a new
    column must be put on one of the sides."""
    tables = {kind.__tablename__ for kind in TABLES}
    assert tables | set(OF_THE_HOST) == set(SQLModel.metadata.tables) and all(OF_THE_HOST.values())
    schema = [each for each in SQLModel.metadata.sorted_tables if each.name not in OF_THE_HOST]
    columns = {f"{table.name}.{column.name}" for table in schema for column in table.columns}
    assert set(OUTSIDE) < columns and all(OUTSIDE.values())
    with box.store.transaction() as session:
        helper = session.get_one(StaffRow, ("toy", "moderator"))
    rows = [
        box.row(),
        box.seat("red"),
        helper,
        box.phase(),
        box.journal()[0],
        box.letters()[0],
        box.outbox()[0],
    ]
    digests = {f"{row.__tablename__}.{name}" for row in rows for name in row.digests}
    assert digests == columns - set(OUTSIDE)
