"""A game moves from store to store whole; a file that is no whole game is refused, and nothing is written."""

from __future__ import annotations

import base64
import json
import random
import zlib
from collections.abc import Callable, Iterator
from copy import deepcopy
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from conftest import HOUR, NOW, begin
from sizes import size
from sqlmodel import select

from pbem.service.intake.outbox import letters, pending
from pbem.service.intake.submit import submit
from pbem.service.moderating.start import NewGame, start
from pbem.service.play import news
from pbem.service.proof.verify import verify_game
from pbem.service.record.errors import StoreError
from pbem.service.record.journal import row_hash
from pbem.service.record.rows import JournalRow, LetterRow, OutboxRow
from pbem.service.record.store import Store
from pbem.service.time import deadline
from pbem.service.tools import queries
from pbem.service.tools.transfer import NOT_SENT_HERE, PARTS, export, import_, load, read

Data = dict[str, Any]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Data:
    """A toy game in its second turn, with a salt and orders, as its file holds it."""
    store = Store.create(tmp_path_factory.mktemp("transfer") / "toy.pbem")
    begin(store)
    submit(store, None, "red", "salt hop and malt\nmove R1 to 0201\n", NOW + HOUR)
    submit(store, None, "blue", "move B1 to 0402\nstanding retreat: B2\n", NOW + HOUR)
    deadline.act(store, None, NOW + 3 * HOUR, force=True)
    found: Data = json.loads(json.dumps(export(store)))
    store.close()
    return found


def changed(data: Data, change: Callable[[Data], object]) -> Data:
    """A copy of a game with a change, as somebody writes it who knows of the digests of its fields."""
    copy = deepcopy(data)
    for row in (copy["game"], *(row for part in PARTS for row in copy[part])):
        row["digests"] = {}
    change(copy)
    return copy


def chained(data: Data) -> Data:
    """Give a journal that was altered the hashes it would have had."""
    before = ""
    letters = {letter["id"]: letter["digest"] for letter in data["letters"]}
    for row in data["journal"]:
        values = {
            name: row[name] for name in ("game", "number", "phase", "kind", "asked", "answer", "by", "digest")
        }
        at = datetime.fromisoformat(row["at"]["time"])
        row["hash"] = before = row_hash(before, JournalRow(**values, at=at), letters.get(row["letter"], ""))
    return data


# --- whole games --------------------------------------------------------------------------------------------


def test_a_game_moves_whole(data: Data, store: Store) -> None:
    """An exported game, in another store, is the same game and checks out there."""
    assert import_(store, data) == "toy"
    assert verify_game(store).wrong == []
    again = json.loads(json.dumps(export(store)))
    assert {part: len(again[part]) for part in ("phases", "letters", "outbox")} == {
        part: len(data[part]) for part in ("phases", "letters", "outbox")
    }
    assert again["journal"] == data["journal"]
    assert again["game"] == data["game"] and data["game"]["rules"] == "1"
    assert deadline.act(store, None, NOW + 9 * HOUR, force=True)


def test_what_was_changed_is_named_by_its_field(data: Data) -> None:
    """A value that fits where it stands, and is not what pbem wrote, is named by table, row and field."""
    for path, where in {
        ("seats", 1, "zone"): "table seat, row red, field zone",
        ("phases", 1, "rolls"): "table phase, row 2 (t1.red_march), field rolls",
        ("letters", 0, "turn"): "table letter, row 1 from rita@mail.example, field turn",
        ("outbox", 0, "position"): "table outbox, row toy-t1.red_march-red-turn-1, field position",
        ("journal", 2, "letter"): "table journal, row 3 ",
        ("game", "phase"): "table game, row toy, field phase",
    }.items():
        copy = deepcopy(data)
        put(*path, value="Europe/Paris" if path[-1] == "zone" else 9)(copy)
        with pytest.raises(StoreError) as refused:
            read(copy)
        assert where in str(refused.value) and "it is not what pbem wrote" in str(refused.value)


def test_a_game_that_is_here_is_refused(data: Data, store: Store) -> None:
    """A game, or a letter, does not come into a store twice."""
    import_(store, data)
    with pytest.raises(StoreError, match="there is already a game 'toy'"):
        import_(store, data)
    other = chained(changed(json.loads(json.dumps(data).replace('"toy"', '"toy2"')), lambda data: None))
    with pytest.raises(StoreError, match="letter of the exported game is here already"):
        import_(store, other)
    assert [status.game for status in queries.statuses(store)] == ["toy"]


def test_what_names_a_letter_names_it_in_the_new_store(data: Data, store: Store) -> None:
    """Letters get new numbers where a store has letters already; rows that name one go on naming the same."""
    begin(store, "other")
    submit(store, "other", "red", "move R1 to 0201\n", NOW)
    old = {row["id"]: row["digest"] for row in data["letters"]}

    def asks(export: Data) -> None:
        export["seats"][0]["sheet"] = SHEET | {"lines": [LINE | {"letter": max(old)}], "turn": 9}
        export["seats"][0]["questions"] = QUESTIONS | {"open": [QUESTION | {"held": max(old)}]}
        export["outbox"][0]["letter"] = 999

    import_(store, changed(data, asks))
    again = export(store, "toy")
    new = {row["id"]: row["digest"] for row in again["letters"]}
    assert new.keys() != old.keys()
    for part in ("journal", "outbox"):
        named = [
            (before["letter"], after["letter"]) for before, after in zip(data[part], again[part], strict=True)
        ]
        assert [old.get(before) for before, after in named[1:]] == [
            new.get(after) for before, after in named[1:]
        ]
        assert {after for before, after in named} <= {None, *new}
    assert new[again["seats"][0]["sheet"]["lines"][0]["letter"]] == old[max(old)]
    assert new[again["seats"][0]["questions"]["open"][0]["held"]] == old[max(old)]


def test_what_seats_have_written_comes_along(data: Data, store: Store) -> None:
    """Sheets, standing orders and answers are taken in as they were written."""

    def written(export: Data) -> None:
        blue, red = export["seats"]
        blue["sheet"] = SHEET | {"lines": [LINE | {"text": "move B1 to 0402"}]}
        blue["questions"] = QUESTIONS | {"open": [QUESTION]}
        blue["missed"] = {"turn": 1, "due": NOW.isoformat(), "section": "march"}
        red["played"] = {"march": PLAYED}

    moved = changed(data, written)
    import_(store, moved)
    again = json.loads(json.dumps(export(store)))["seats"]
    assert [seat | {"digests": {}} for seat in again] == moved["seats"]
    assert deadline.act(store, None, NOW + 9 * HOUR, force=True)


def test_letters_of_a_moved_game_are_not_sent_again(data: Data, store: Store) -> None:
    """Letters that wait in an exported game are kept as if they had been sent, also by the other host."""
    import_(store, data)
    assert pending(store) == 0
    assert {each.state for each in letters(store, everything=True)} == {"sent"}
    assert NOT_SENT_HERE in {each.detail for each in letters(store, everything=True)}


def test_waiting_letters_go_to_the_people_of_the_game_alone(data: Data, store: Store) -> None:
    """With `send_pending` letters to players are sent from here, and those to anybody else are not."""

    def relay(export: Data) -> None:
        export["outbox"][-1]["recipient"] = "victim@bank.example"

    import_(store, changed(data, relay), send_pending=True)
    waiting = {each.recipient for each in letters(store)}
    assert waiting == {"rita@mail.example", "bob@mail.example"}
    assert pending(store) == len(data["outbox"]) - 1


def test_a_stopped_game_comes_in_as_it_is(data: Data, store: Store) -> None:
    """A game that was stopped by an error need not open: it is exported to be looked into."""

    def stop(export: Data) -> None:
        export["game"]["status"] = "stopped"
        export["phases"][1]["notes"][0]["kind"] = "Nonsense"

    import_(store, changed(data, stop))
    assert queries.status(store, None).status == "stopped"


# --- files that are refused ---------------------------------------------------------------------------------


def put(*path: str | int, value: Any) -> Callable[[Data], object]:
    """Put a value into an exported game."""

    def change(data: Data) -> None:
        place: Any = data
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return change


def rechained(change: Callable[[Data], object]) -> Callable[[Data], object]:
    def both(data: Data) -> None:
        change(data)
        chained(data)

    return both


def doubled(part: str) -> Callable[[Data], object]:
    return lambda data: data[part].append(deepcopy(data[part][0]))


def packed(content: bytes) -> Data:
    return {"base64": base64.b64encode(zlib.compress(content)).decode()}


LINE: Data = {"name": 1, "section": "march", "text": "move R1 to 0201", "letter": 1}
SHEET: Data = {
    "turn": 1,
    "lines": [LINE],
    "closed": [],
    "held": [],
    "next": 2,
    "always": False,
    "empty": False,
}
QUESTION: Data = {
    "number": 1,
    "phase": 1,
    "what": "retreat",
    "options": ["stay", "go"],
    "chosen": None,
    "held": 0,
}
QUESTIONS: Data = {"next": 2, "open": [QUESTION], "past": [], "defaults": 0}
PLAYED: Data = {"turn": 1, "phase": 2, "row": 3, "at": NOW.isoformat(), "by": "done"}

NEWS: Data = news.News().dump()

BAD: dict[str, tuple[Callable[[Data], object], str]] = {
    "sheet_int": (put("seats", 0, "sheet", value=7), "seats row 1, sheet: "),
    "sheet_flat": (put("seats", 0, "sheet", value=["move"]), "seats row 1, sheet: "),
    "zone_bad": (put("seats", 0, "zone", value="Nowhere/Land"), "is not a time zone"),
    "asked_in_str": (put("seats", 0, "asked_in", value="x"), 'there is no "seats row 1, asked_in"'),
    "game_unknown": (put("game", "game", value="chess"), 'no game "chess"'),
    "status_odd": (put("game", "status", value="fine"), 'no status "fine"'),
    "phase_turn": (put("phases", 0, "turn", value="one"), "phases row 1, turn: "),
    "snapshot_bad": (put("phases", 0, "snapshot", value={"base64": "aGVsbG8="}), "a snapshot is damaged"),
    "settings_clock": (put("game", "settings", "clock_hours", value="soon"), "clock_hours"),
    "no_phases": (put("phases", value=[]), "the phases are none"),
    "version": (put("version", value=99), "not an exported game of version 1"),
    "scenario": (put("game", "scenario", value="moon"), 'no scenario "moon"'),
    "option": (put("game", "options", value={"weather": "hot"}), "weather is one of"),
    "settings_unknown": (put("game", "settings", "clok", value=1), 'there is no "clok"'),
    "settings_dice": (lambda data: data["game"]["settings"].pop("dice"), "do not say what the dice hang on"),
    "diary": (put("seats", 0, "settings", value={"diary": ["x"]}), "diary.0"),
    "muted": (put("seats", 0, "settings", value={"muted": [["a@x.example", 1]]}), "muted.0.1"),
    "silenced": (put("seats", 0, "settings", value={"silenced": "a@x.example"}), "silenced"),
    "settings_string": (put("game", "settings", value="x"), "game.settings"),
    "moderator": (put("game", "settings", "moderator", value="not an address"), "not a mail address"),
    "moderator_there": (
        put("game", "settings", "moderator", value="a@b.example"),
        "should be among the staff",
    ),
    "address": (put("seats", 0, "address", value="rita at home"), "not a mail address"),
    "unknown_field": (put("game", "colour", value="red"), 'there is no "game.colour"'),
    "missing_field": (
        lambda data: data["phases"][0].pop("snapshot"),
        "phases row 1, snapshot: is missing",
    ),
    "id_path": (put("game", "id", value="../../x"), '"../../x" is not a valid game name'),
    "id_other": (put("journal", 0, "game", value="other"), "belong to another game: other"),
    "secret": (put("game", "secret", value={"base64": "aGVsbG8="}), "the secret has 5 bytes"),
    "token": (put("seats", 0, "token_key", value={"base64": ""}), "the token of "),
    "staff_token": (put("staff", 0, "token_key", value={"base64": ""}), "the token of moderator"),
    "staff_role": (put("staff", 0, "role", value="king"), 'moderator has the role "king"'),
    "staff_key": (put("staff", 0, "key", value="red"), "two people are called red"),
    "staff_address": (put("staff", 0, "address", value="at home"), '"at home" is not a mail address'),
    "staff_odd_key": (put("staff", 0, "key", value="a b"), "cannot stand in a mail address"),
    "away": (put("seats", 0, "away", value=[["2026-07-02", "2026-07-01"]]), "ends before it begins"),
    "clock": (put("game", "clock", value={"due": "soon"}), "game.clock: due"),
    "base64": (put("game", "secret", value={"base64": "!"}), "game.secret"),
    "time": (put("game", "created", value={"time": "2026-06-06"}), "game.created"),
    "huge_number": (put("game", "phase", value=2**70), "game.phase"),
    "nul": (put("seats", 0, "name", value="a\0b"), "seats row 1, name: "),
    "surrogate": (put("seats", 0, "name", value="\ud800"), "seats row 1, name: "),
    "no_seats": (put("seats", value=[]), "the seats are"),
    "third_seat": (doubled("seats"), "the seats are"),
    "seat_of_the_game": (put("seats", 0, "bot", value="system"), "the seats are"),
    "letters_twice": (doubled("letters"), "two letters"),
    "outbox_twice": (doubled("outbox"), "two letters of the outbox"),
    "letter_of_nobody": (put("letters", 0, "seat", value="green"), "is of no seat: green"),
    "recipient": (put("outbox", 0, "recipient", value="a@b.example\nRCPT TO:<c@d>"), "cannot be sent"),
    "key_path": (put("outbox", 0, "key", value="k/../../x"), "cannot be sent"),
    "journal_altered": (put("journal", 3, "answer", value="altered"), "journal row 4"),
    "journal_gap": (lambda data: data["journal"].pop(3), "journal row 4 is missing"),
    "journal_letter": (put("journal", -1, "letter", value=99), "names letter 99"),
    "phase_order": (lambda data: data["phases"].reverse(), "the phases are"),
    "phase_hash": (put("phases", 1, "state_hash", value="beef"), "does not have the hash"),
    "phase_label": (put("phases", 1, "label", value="t9.nowhere"), "its snapshot is of"),
    "salts": (put("phases", -1, "salts", value=["red: pepper"]), "its salts differ from those"),
    "last_snapshot": (put("phases", -1, "snapshot", value=packed(b"x")), "not a snapshot of clash"),
    "snapshot_bomb": (put("phases", -1, "snapshot", value=packed(b" " * 200_000_000)), "too large"),
    "answers_of_another_phase": (
        rechained(lambda data: data["journal"][-1].update(phase=len(data["phases"]), kind="answer")),
        "only one of phase and journal",
    ),
    "row": (put("journal", 2, value=7), "journal row 3: Input should be"),
    "asked_number": (
        put("journal", 2, "asked", value=7),
        "journal row 3, asked: should be a text",
    ),
    "answer_nan": (put("journal", 2, "answer", value=[float("nan")]), "journal row 3, answer: "),
    "answer_nul": (put("journal", 2, "answer", value=["a\0b"]), "journal row 3, answer: has a character"),
    "sheet_surrogate": (put("seats", 0, "sheet", value=SHEET | {"closed": ["\udc80"]}), "has a character"),
    "sheet_field": (
        put("seats", 0, "sheet", value=SHEET | {"colour": "red"}),
        "sheet: colour: there is no such field",
    ),
    "sheet_turn": (put("seats", 0, "sheet", value=SHEET | {"turn": "one"}), "seats row 1, sheet: turn: "),
    "sheet_taken": (put("seats", 0, "sheet", value=SHEET | {"next": 1}), "sheet: the next line would be L1"),
    "sheet_twice": (put("seats", 0, "sheet", value=SHEET | {"lines": [LINE, LINE]}), "the same name"),
    "line_lacks": (
        put("seats", 0, "sheet", value=SHEET | {"lines": [{"name": 1}]}),
        "lines.0.section: is missing",
    ),
    "line_state": (
        put("seats", 0, "sheet", value=SHEET | {"lines": [LINE | {"state": "odd"}]}),
        "lines.0.state: ",
    ),
    "standing_text": (
        put("seats", 0, "standing", value=["retreat: B2"]),
        "standing: 0: Expected object, got str",
    ),
    "standing": (
        put("seats", 0, "standing", value=[{"text": "x", "kind": "x"}]),
        "standing: 0: Object missing required field policy",
    ),
    "question_option": (
        put("seats", 0, "questions", value=QUESTIONS | {"open": [QUESTION | {"chosen": 2}]}),
        "seats row 1, questions: open.0: there is no option 2",
    ),
    "question_lacks": (put("seats", 0, "questions", value={"next": 1}), "questions: open: is missing"),
    "played_when": (
        put("seats", 0, "played", value={"march": PLAYED | {"at": "soon"}}),
        "played: march.at: ",
    ),
    "played_zone": (put("seats", 0, "played", value={"march": PLAYED | {"at": "2026-06-06"}}), "a time zone"),
    "played_by": (put("seats", 0, "played", value={"march": PLAYED | {"by": "magic"}}), "played: march.by: "),
    "missed": (put("seats", 0, "missed", value={"turn": 1, "due": None, "section": ""}), "missed: due: "),
    "news": (put("seats", 0, "news", value=NEWS | {"lines": [{"title": 7}]}), "news: lines.0.title: "),
    "aside": (put("letters", 0, "aside", value=[{"behind": 0}]), "aside: 0: should be one of line, gone"),
    "aside_line": (put("letters", 0, "aside", value=[{"line": LINE | {"name": 0}}]), "aside: 0: line.name: "),
    "notes": (put("phases", 1, "notes", 0, "kind", value="Nonsense"), "cannot be opened"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_damaged_file_is_refused(data: Data, tmp_path: Path, name: str) -> None:
    """Whatever is wrong with a file is named in one line, and nothing of it is taken in."""
    change, says = BAD[name]
    store = Store.create(tmp_path / "other.pbem")
    with pytest.raises(StoreError) as refused:
        import_(store, changed(data, change))
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)
    with store.transaction() as session:
        assert [session.exec(select(kind)).first() for kind in (LetterRow, OutboxRow, JournalRow)] == [
            None
        ] * 3
    assert queries.statuses(store) == []
    store.close()


@pytest.mark.parametrize("value", [[1, 2], "text", None, {}, {"format": "pbem game", "version": 1}])
def test_other_json_is_refused(value: Any) -> None:
    """JSON that is no exported game is refused."""
    with pytest.raises(StoreError, match="exported game"):
        read(value)


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "",
        "\ufeff{}",
        "[" * 200_000,
        '{"a":' * 100_000,
        "9" * 10_000,
        "\udc80",
        "[NaN]",
        "[-Infinity]",
    ],
    ids=["words", "nothing", "mark", "deep-list", "deep-dict", "long-number", "not-text", "nan", "infinite"],
)
def test_what_is_no_json_is_refused(tmp_path: Path, text: str) -> None:
    """A file that is not JSON, too deep or no text is refused, naming the file."""
    (tmp_path / "bad.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(StoreError, match=r"bad\.json is not an exported game"):
        load(tmp_path / "bad.json")


def test_values_nested_too_deeply_are_refused(data: Data, store: Store) -> None:
    """A value as deep as JSON may be, but deeper than it can be written again, is refused."""
    deep: Any = []
    for _ in range(900):
        deep = [deep]
    with pytest.raises(StoreError):
        import_(store, changed(data, put("journal", 0, "answer", value=deep)))
    assert queries.statuses(store) == []


def test_a_file_too_large_for_a_game_is_refused(tmp_path: Path) -> None:
    """A file larger than any game is not even read."""
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate(600_000_000)
    with pytest.raises(StoreError, match=r"larger than 500,000,000 bytes"):
        load(tmp_path / "huge.json")


JUNK = (
    None, 7, -1, 2**70, 1.5, "", "x", "\ud800", "a\0b", [], {}, [[]], True, "../../x", [None], {"a": {}},
    "2026", {"base64": "aGVsbG8="}, {"base64": "!"}, {"time": "x"}, {"time": "2026-01-01"}, float("nan"),
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every value within a value."""
    if path:
        yield path
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(part, (*path, key))


@pytest.mark.parametrize("seed", range(size(1, 4)))
def test_a_file_with_junk_in_it_is_refused_or_plays(data: Data, tmp_path: Path, seed: int) -> None:
    """With any one value replaced, a file is refused in words or makes a game that can be played on."""
    chance = random.Random(seed)
    everywhere = list(places(data))
    for number in range(60):
        junk = put(*chance.choice(everywhere), value=deepcopy(chance.choice(JUNK)))
        store = Store.create(tmp_path / f"{number}.pbem")
        try:
            import_(store, changed(data, junk))
        except StoreError:
            assert queries.statuses(store) == []
        else:
            queries.log(store, None)
            if queries.status(store, None).status == "running":
                deadline.act(store, None, NOW + 9 * HOUR, force=True)
        store.close()


def test_a_game_of_every_kind_of_seat_moves(store: Store, tmp_path: Path) -> None:
    """Seats of bots, of nobody and of the system are taken in like those of people."""
    source = Store.create(tmp_path / "source.pbem")
    start(source, NewGame("falaise", "pocket", options={"players": "one"}, seed="x"), NOW)
    assert import_(store, json.loads(json.dumps(export(source)))) == "pocket"
    assert "system" in {seat["bot"] for seat in queries.status(store, None).seats.values()}
    source.close()
