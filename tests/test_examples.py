"""The examples: recorded letters played through the real pipeline, and every letter that came out compared
with the one on file.

``pytest --golden tests/test_examples.py`` writes the expected letters anew.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from correspondence import letters_of_turn
from rewording import WORDS, reword, turn_round
from sizes import few, size
from sqlmodel import col, select

from pbem.engine.dice import roll_again
from pbem.engine.errors import ReplayMismatch
from pbem.engine.game import game
from pbem.engine.installed import games
from pbem.games.falaise.tables import CHARTS
from pbem.mail.letter import parse
from pbem.paths import examples
from pbem.service.intake.receive import Received, receive
from pbem.service.moderating.start import start
from pbem.service.proof.lines import letter_text
from pbem.service.proof.verify import compare, replay, verify_game
from pbem.service.record.rows import OutboxRow
from pbem.service.record.store import Store, locked_game
from pbem.service.record.table import Table
from pbem.service.tools import demo, queries

EXAMPLES = tuple(sorted(path.name for path in examples().iterdir() if (path / "game.toml").is_file()))
HEADERS = ("Date", "From", "To", "Subject", "Message-ID", "In-Reply-To", "Auto-Submitted")
WHOLE = {
    "normandy71": ("allied-turn-9", "allied-turn-15", "german-turn-13"),
    "rampage": ("allied-turn-3", "allied-turn-5", "allied-turn-10"),
    "falaise": ("allied-turn-5", "german-turn-12"),
    "falaise-solitaire": ("german-turn-4",),
    "normandy44": ("german-turn-11", "allied-turn-14"),
    "france44": ("allied-turn-3", "german-turn-5"),
    "france44-westwall": ("allied-turn-12",),
}
"""The letters whose HTML is on file as it is, to look at, and whose map is if they answer MAP; of the others
their digests are."""
LAST_TURN = {
    "normandy71": 3,
    "rampage": 5,
    "falaise": 2,
    "falaise-solitaire": 4,
    "normandy44": 4,
    "france44": 1,
    "france44-westwall": 1,
}

ROLLS = {
    "normandy71": ("R17", "R31"),
    "rampage": ("R5", "R271"),
    "falaise": ("R105", "R97"),
    "falaise-solitaire": ("R282", "R276"),
    "normandy44": ("R24", "R31"),
    "france44": ("R32", "R30"),
    "france44-westwall": ("R43", "R47"),
}
"""The rolls whose pages are on file: a combat, and a die that is none."""


@dataclass(frozen=True)
class Played:
    """A game played from its example: the store, what became of each letter received, and the letters out by
    file name."""

    example: str
    store: Store
    received: list[tuple[str, Received]]

    @property
    def letters(self) -> dict[str, bytes]:
        with self.store.transaction() as session:
            rows = session.exec(select(OutboxRow).order_by(col(OutboxRow.id))).all()
            return {f"{number:03}-{row.key}": row.raw for number, row in enumerate(rows, 1)}


def play(key: str, path: Path, times: int = 1) -> Played:
    """Play an example into a new game file, each letter delivered `times` times over."""
    example, letters = demo.read(key)
    store = Store.create(path)
    start(store, example.new(), example.game.start)
    received, now = [], example.game.start
    for letter in letters:
        raw = letter.read_bytes()
        now = max(now, parse(raw).date or now)
        received += [(letter.name, receive(store, raw, now)) for _ in range(times)]
    return Played(key, store, received)


@pytest.fixture(scope="module", params=few(EXAMPLES, "normandy71", "rampage", "falaise", "france44"))
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    game = play(request.param, tmp_path_factory.mktemp("example") / "game.pbem")
    yield game
    game.store.close()


def only(example: str) -> pytest.MarkDecorator:
    """What is said of one example alone."""
    return pytest.mark.parametrize("played", [example], indirect=True)


# --- what is compared -------------------------------------------------------------------------------------


def expected_files(played: Played) -> dict[str, str]:
    """What should lie in the folder ``out``, by file name."""
    files = {"received.txt": "".join(f"{name}: {got.outcome}: {got.why}\n" for name, got in played.received)}
    for name, raw in played.letters.items():
        message = message_from_bytes(raw, policy=policy.default)
        assert isinstance(message, EmailMessage)
        parts = {part_name(part): content(part) for part in message.walk() if not part.is_multipart()}
        files[f"{name}.txt"] = sheet(message, parts)
        if name.endswith(WHOLE[played.example]):
            whole = {"html": "letter.html", "svg": "map.svg"}
            files |= {f"{name}.{kind}": parts[part] for kind, part in whole.items() if part in parts}
    for roll in ROLLS[played.example]:
        for reader in ("umpire", *queries.status(played.store, None).seats):
            page = queries.roll_page(played.store, None, roll, reader)
            files[f"roll-{roll}-{reader}.txt"] = "\n".join(page.lines()) + "\n"
    return files


def part_name(part: EmailMessage) -> str:
    if name := part.get_filename():
        return name
    return {"text/plain": "letter.txt", "text/html": "letter.html"}[part.get_content_type()]


def content(part: EmailMessage) -> str:
    """A part as text: a map to zoom into as its SVG; of pictures, which every machine may encode in its own
    way, nothing."""
    value = part.get_content()
    if part.get_content_type() == "image/svg+xml":
        return str(value.decode())
    return value if isinstance(value, str) else ""


OF_THE_PICTURE = re.compile(r"^(part \S+\.png|text|signed) \S+$", re.MULTILINE)
"""The lines of a proof that depend on how a picture was encoded."""


def sheet(message: EmailMessage, parts: dict[str, str]) -> str:
    """A letter on one sheet: its headers, its text and its proof, and the digests of its other parts."""
    text, proof = parts["letter.txt"].rstrip("\n"), parts.get("proof.txt", "").rstrip("\n")
    if any(name.endswith(".png") for name in parts):
        proof = OF_THE_PICTURE.sub(r"\1 ...", proof)
    headers = [f"{name}: {message[name]}" for name in HEADERS if message[name] is not None]
    others = [
        f"{name}  {hashlib.sha256(text.encode()).hexdigest()}"
        for name, text in parts.items()
        if text and name not in ("letter.txt", "proof.txt")
    ]
    return "\n".join([*headers, "", text, "", proof, "", "== other parts ==", *others]) + "\n"


# --- the tests --------------------------------------------------------------------------------------------


FIRST_SCREEN = 32
"""Lines of text that a phone shows before its reader moves."""


def test_the_first_screen_says_what_is_wanted_and_until_when(played: Played) -> None:
    """Every letter after play and every reply names within its first screen who must do what until when: in
    its subject, in its first lines or below "Waiting for"."""
    asked = 0
    for name, raw in played.letters.items():
        if not re.search(r"-(turn|reply)-\d+$", name):
            continue
        subject, lines = message_from_bytes(raw, policy=policy.default)["Subject"], letter_text(raw)
        if re.search(r"\b(Your move|decisions?) by \w{3} \d+ \w{3} \d\d:\d\d", subject):
            asked += 1
            continue
        if any(line.startswith("The game is waiting for ") for line in lines[:4]):
            continue
        if "The game is over" in subject:
            assert "Waiting for" not in lines, name
            continue
        told = lines[: lines.index("Waiting for") + 3]
        assert len(told) <= FIRST_SCREEN, (name, len(told))
        assert re.match(r".+: (orders|\d+ decision).*|Not waiting for anyone\.", told[-1]), name
    assert asked


def test_every_game_has_an_example() -> None:
    """Each game that comes with pbem is shown in an example; the name of its folder need not be that of the
    game."""
    shown = {demo.read(name)[0].game.game for name in EXAMPLES}
    assert shown >= {key for key, where in games().items() if where.startswith("pbem.games.")}


def test_every_example_is_packed() -> None:
    """A wheel holds what `pbem demo` needs of each example: who plays, and the letters in."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    packed = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    wanted = {f"examples/{name}/{part}" for name in EXAMPLES for part in ("game.toml", "in")}
    assert wanted == {path for path in packed if path.startswith("examples/")}
    assert all(packed[path] == f"pbem/_{path}" for path in wanted)


def test_letters_are_those_on_file(played: Played, request: pytest.FixtureRequest) -> None:
    """Every letter that is written is byte for byte the one on file: headers, text, HTML, order form, view
    and map."""
    files = expected_files(played)
    out = examples() / played.example / "out"
    if request.config.getoption("--golden"):
        out.mkdir(exist_ok=True)
        for path in out.iterdir():
            path.unlink()
        for name, text in files.items():
            (out / name).write_text(text, encoding="utf-8", newline="")
    on_file = {path.name: path.read_text(encoding="utf-8") for path in out.iterdir()}
    wrong = [name for name in sorted(files | on_file) if files.get(name) != on_file.get(name)]
    assert not wrong, f"{len(wrong)} of {len(files)} differ: {', '.join(wrong)}\n" + "".join(
        list(
            unified_diff(
                on_file.get(wrong[0], "").splitlines(keepends=True),
                files.get(wrong[0], "").splitlines(keepends=True),
                "on file",
                "written",
            )
        )[:60]
    )


def test_every_roll_has_its_page(played: Played) -> None:
    """The page of each roll has its odds, what it was about and who read of it; its faces can be computed
    from its key and link, and a seat reads nothing of it that the umpire does not."""
    names = [each["name"] for each in queries.rolls(played.store, None) if each["name"] != "S"]
    for name in names[:: max(1, len(names) // size(3, 12))]:
        whole = queries.roll_page(played.store, None, name)
        assert sum(each.chance for each in whole.outcomes if each.fell) > 0
        if len(whole.outcomes) > 1:
            assert sum(each.chance for each in whole.outcomes) == 1
            assert [each.fell for each in whole.outcomes].count(True) == 1
        passed_over = whole.case == "13.1"  # the log only counts whom the system has passed over
        assert whole.case_title and whole.situation and whole.told
        assert passed_over or (whole.log and whole.cell and not whole.lacking)
        link = re.fullmatch(r"of turn \d+: ([0-9a-f]{64})", whole.link)
        assert (link is None) == (whole.link.endswith(f"revealed after turn {whole.event[1]}"))
        if link:
            phase, _, label = whole.event.partition("|")
            salts = tuple(whole.key.split(f"{label}|", 1)[1].split("|")) if f"{label}|" in whole.key else ()
            game_id = whole.key.partition("|")[0]
            assert tuple(roll_again(bytes.fromhex(link[1]), game_id, phase, label, salts)) == whole.faces
            assert len(whole.working) >= 1 + len(whole.faces)
        for seat in queries.status(played.store, None).seats:
            page = queries.roll_page(played.store, None, name, seat)
            assert {each.text for each in page.orders} <= {each.text for each in whole.orders}
            assert len(page.told) <= 1 and page.faces == whole.faces
            assert [each.chance for each in page.outcomes] == [each.chance for each in whole.outcomes]


def test_every_example_shows_letters_and_a_map(played: Played) -> None:
    """The letters that are on file whole are there, and one of them at least answers MAP."""
    files = expected_files(played)
    assert sum(name.endswith(".html") for name in files) == len(WHOLE[played.example])
    assert any(name.endswith(".svg") and text.startswith("<svg") for name, text in files.items())


@pytest.mark.dear
def test_every_delivery_twice_changes_nothing(played: Played, tmp_path: Path) -> None:
    """A letter that is delivered again is a duplicate, and the letters written are the same, pictures
    included."""
    again = play(played.example, tmp_path / "again.pbem", times=2)
    assert {got.outcome for _, got in again.received[1::2]} == {"duplicate"}
    assert again.received[::2] == played.received
    assert list(again.letters.values()) == list(played.letters.values())
    again.store.close()


def test_game_is_what_was_played(played: Played) -> None:
    """Journal, dice, states and letters of the game prove each other, and today's rules lead to the same
    states."""
    findings = verify_game(played.store)
    assert findings.ok, findings.wrong
    assert findings.rolls > 30
    phases = list(replay(played.store))
    assert [phase.turn for phase in phases if phase.state_hash][-1] == LAST_TURN[played.example]


# --- what is a difference, and what is not ----------------------------------------------------------------


def test_other_words_are_no_difference(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reasons of refusals, losses and sums may be reworded while games are being played: every example is
    still decided alike, and its replay says that it is worded differently."""
    for where, was, now in WORDS:
        reword(monkeypatch, where, was, now)
    compared = compare(played.store)
    assert compared.phases
    shown = {
        "falaise": "Moved.why: recorded",
        "falaise-solitaire": "Moved.why: recorded",
        "france44": "TurnPoints.parts.0.2: recorded 'turn track', now 'as the turn track says'",
        "france44-westwall": "TurnPoints.parts.0.2: recorded 'turn track', now 'as the turn track says'",
        "normandy44": "Attacked.attack_parts.2.2: recorded '1 fighter', now '1 flying fighter'",
        "normandy71": "entrenched",
        "rampage": "Defended.parts.0.2: recorded 'west of the line', now 'in the west'",
    }
    assert any(shown[played.example] in each for each in compared.worded), compared.worded
    assert f"different wording: {len(compared.worded)} note" in "\n".join(compared.lines())


def test_the_order_of_fields_is_no_difference(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fields of every note may be declared in another order: nothing is decided or worded differently."""
    assert turn_round(monkeypatch, demo.read(played.example)[0].game.game) > 10
    assert compare(played.store).worded == ()


@only("falaise")
def test_another_modifier_is_named(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    """A modifier of a chart that has changed is the first difference, with turn, phase, step, what was
    recorded and what comes now."""
    was = CHARTS.modifier["breaking"]
    monkeypatch.setitem(CHARTS.modifier, "breaking", was.model_copy(update={"value": was.value + 1}))
    with pytest.raises(ReplayMismatch) as caught:
        compare(played.store)
    assert re.fullmatch(
        r"decided differently: turn 1, phase \d+, t1\.activation\S*, step \d+: "
        r"OpFired\.parts\.\d\.0: recorded -2, now -1",
        str(caught.value),
    )


def test_what_is_compared_holds_no_sentence(played: Played) -> None:
    """Facts of notes and states hold keys of a few words; a sentence has to be declared as words."""
    rules = game(demo.read(played.example)[0].game.game)
    compared: list[Any] = []
    for phase in replay(played.store):
        compared += [note.without_words(note.facts()) for _, note in phase.retold.told]
        compared += [json.loads(rules.dump(phase.after))] if phase.after else []
    assert compared
    assert {text for text in texts(compared) if len(text.split()) > 6} == set()


def texts(value: Any) -> Iterator[str]:
    """Every text in a plain value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts(each)


# --- one example each -------------------------------------------------------------------------------------


@only("normandy71")
def test_second_turn_needs_four_letters_at_most(played: Played) -> None:
    """N13: with standing orders for gunfire, retreats and losses a game-turn is played with no more than four
    order letters."""
    with played.store.transaction() as session:
        used = letters_of_turn(session, "cotentin", 2)
    assert set(used) == {"allied", "german"}
    assert sum(used.values()) <= 4


@only("normandy71")
def test_letters_show_every_outcome_and_form(played: Played) -> None:
    """The example has letters that are accepted, explained, held, ignored and doubled, in the forms in which
    mail programs write."""
    outcomes = Counter(got.outcome for _, got in played.received)
    assert set(outcomes) == {"accepted", "explained", "held", "ignored", "duplicate"}
    assert sum(got.outcome in ("accepted", "explained") for _, got in played.received) >= 18
    forms = set()
    for path in demo.read("normandy71")[1]:
        message = message_from_bytes(path.read_bytes(), policy=policy.default)
        forms |= {
            message.get_content_type(),
            message.get("Content-Transfer-Encoding", ""),
            message.get_param("format", ""),
            message.get_content_charset(""),
        }
    assert forms >= {
        *("text/plain", "text/html", "multipart/alternative"),
        *("quoted-printable", "base64", "8bit", "flowed", "utf-8", "cp1252"),
    }


# --- the whole game against the system --------------------------------------------------------------------


@only("rampage")
def test_a_whole_game_needs_ten_letters_at_most(played: Played) -> None:
    """Five turns are played to their end in five to ten order letters, and no letter asks for a decision."""
    with played.store.transaction() as session:
        row = locked_game(session, "caen")
        table = Table(session, row, row.created)
        used = [letters_of_turn(session, "caen", turn)["allied"] for turn in range(1, 6)]
        assert table.here().over
    assert all(used) and 5 <= sum(used) <= 10
    subjects = [
        str(message_from_bytes(raw, policy=policy.default)["Subject"]) for raw in played.letters.values()
    ]
    assert subjects[-1].startswith("[caen] The game is over")
    assert not [subject for subject in subjects if "decision" in subject]


@only("normandy44")
def test_both_sides_together_need_six_letters_a_turn_at_most(played: Played) -> None:
    """Four turns of two activations for each side are played to their end; no turn takes more than six
    letters, the second takes two, and none asks for a decision."""
    with played.store.transaction() as session:
        row = locked_game(session, "utah")
        table = Table(session, row, row.created)
        used = [sum(letters_of_turn(session, "utah", turn).values()) for turn in range(1, 5)]
        assert table.here().over
    assert max(used) <= 6 and used[1] == 2
    subjects = [
        str(message_from_bytes(raw, policy=policy.default)["Subject"]) for raw in played.letters.values()
    ]
    assert not [subject for subject in subjects if "decision" in subject]


@only("rampage")
def test_pausing_after_battles_changes_no_dice(played: Played, tmp_path: Path) -> None:
    """With `pause after battles` in its first line the player is asked again after it, with the rest as a
    draft; the same events have the same dice."""
    example, letters = demo.read("rampage")
    store = Store.create(tmp_path / "paused.pbem")
    start(store, example.new(), example.game.start)
    at = next(number for number, path in enumerate(letters) if b"[operations]" in path.read_bytes())
    asked, done = letters[at].read_bytes(), letters[at + 1].read_bytes()
    head, heading, lines = asked.partition(b"[operations]\n")
    paused = heading + lines.replace(b"\n", b", pause after battles\n", 1)
    goes_on = done.replace(b"Message-ID: <", b"Message-ID: <again-").replace(b"withdraw L24\n", b"")
    posted = [*(path.read_bytes() for path in letters[:at]), head + paused, done, goes_on]
    thrown: list[dict[str, list[object]]] = []
    for raw in posted:
        receive(store, raw, parse(raw).date or example.game.start)
        thrown.append(dice_of_turn_1(store))
    store.close()
    whole = dice_of_turn_1(played.store)
    *_, before, first, rest = thrown
    assert not before and 0 < len(first) < len(whole)
    assert all(whole[event] == faces for event, faces in first.items())
    assert rest == whole


def dice_of_turn_1(store: Store) -> dict[str, list[object]]:
    """The open dice of turn 1 by what they were thrown for."""
    with store.transaction() as session:
        row = locked_game(session, "caen")
        rolls = Table(session, row, row.created).dice.rolls(1)
    return {roll.label: roll.faces for roll in rolls if roll.phase.startswith("t1.")}
