"""Mail in and out, settings, and the commands as real processes."""

from __future__ import annotations

import os
import pwd
import sqlite3
import subprocess
import sys
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from conftest import begin
from sqlalchemy import text
from sqlmodel import select

from pbem.config import settings
from pbem.engine.errors import DataError
from pbem.mail.address import reply_address
from pbem.mail.transport import Maildir
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.record.rows import LetterRow, OutboxRow, SeatRow, StaffRow
from pbem.service.record.store import Store, now_utc
from tests.cli.test_commands import loaded, ok, refused, run
from tests.mail.test_transport import Office, server

PBEM = [sys.executable, "-c", "from pbem.cli import run; run()"]


def letter(path: Path, seat: str, body: str, message_id: str = "<1@mail.example>") -> bytes:
    """A player's letter to a seat of the only game in a file, to its secret address."""
    store = Store.open(path)
    with store.transaction() as session:
        row = session.exec(select(SeatRow).where(SeatRow.key == seat)).one()
    store.close()
    message = EmailMessage()
    message["From"], message["Subject"], message["Message-ID"] = row.address, "orders", message_id
    message["To"] = reply_address("pbem@host.example", row.game, seat, row.token_key)
    message.set_content(body)
    return message.as_bytes()


@pytest.fixture
def toy_file(game_file: Path) -> Path:
    store = Store.create(game_file)
    begin(store)
    store.close()
    return game_file


@pytest.fixture
def real_file(game_file: Path) -> Path:
    """A game of the package itself, for processes that know no toy."""
    store = Store.create(game_file)
    players = {"allied": Player("Anna", "anna@mail.example"), "german": Player("Bernd", "bernd@mail.example")}
    start(
        store,
        NewGame("normandy71", "cot", players=players, settings={"address": "pbem@host.example"}, seed="x"),
        now_utc(),
    )
    store.close()
    return game_file


def pipe(*words: str | Path, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A command as a process of its own, as a mail server runs it."""
    return subprocess.run(
        [*PBEM, *map(str, words)],
        input=stdin,
        capture_output=True,
        env=os.environ | environment,
        check=False,
        timeout=120,
    )


# --- in -----------------------------------------------------------------------------------------------------


def test_a_letter_on_standard_input(toy_file: Path) -> None:
    """One mail on standard input is taken in and acted upon; the same again is a duplicate, and both end with
    0."""
    raw = letter(toy_file, "red", "move R1 to 0201\ndone\n")
    words = ("mail", "receive", toy_file)
    assert "accepted toy red" in ok(*words, stdin=raw)
    assert "duplicate" in ok(*words, "-", stdin=raw)
    assert loaded("status", toy_file)[0]["phase"] == "t1.blue_march"


def test_letters_in_files_and_a_maildir(toy_file: Path, tmp_path: Path) -> None:
    """Files are taken in by name, a Maildir is emptied, and what belongs to nobody is quarantined with exit
    code 0."""
    (tmp_path / "1.eml").write_bytes(letter(toy_file, "red", "move R1 to 0201\n"))
    (tmp_path / "2.eml").write_bytes(
        b"From: x@nowhere.example\nTo: pbem@host.example\nSubject: hello\n\nbuy now\n"
    )
    words = ("mail", "receive", toy_file)
    told = ok(*words, tmp_path / "1.eml", tmp_path / "2.eml")
    assert [line.split(": ")[1].split()[0] for line in told.splitlines()] == ["accepted", "quarantined"]
    box = Maildir(tmp_path / "box")
    box.deliver(letter(toy_file, "blue", "draft\nmove B1 to 0402\n", "<2@mail.example>"))
    assert "toy blue" in ok(*words, "--maildir", tmp_path / "box")
    assert list(box.waiting()) == []


def test_a_store_that_belongs_to_another_user(
    toy_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names the user who may not open the file, its owner and its rights."""
    toy_file.chmod(0o600)
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != toy_file)
    monkeypatch.setattr("sqlalchemy.engine.Engine.connect", lambda self: 1 / 0)
    me = pwd.getpwuid(os.geteuid()).pw_name
    says = f"user {me} may not open and write {toy_file} (owner {me}, mode 600; to mend it: chmod"
    assert says in refused("mail", "receive", toy_file, stdin=b"x", code=75)


def test_letters_alone_where_the_settings_name_the_store(
    toy_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a store in the settings, or --store, the words are letters: a file that is no database, a folder,
    standard input."""
    folder = tmp_path / "letters"
    folder.mkdir()
    for number, file in enumerate((tmp_path / "1.eml", folder / "2.eml", folder / "3.eml"), 1):
        file.write_bytes(letter(toy_file, "red", "move R1 to 0201\ndraft\n", f"<{number}@mail.example>"))
    assert "accepted toy red" in ok("mail", "receive", "--store", toy_file, folder / "3.eml")
    monkeypatch.setenv("PBEM_STORE", str(toy_file))
    settings.cache_clear()
    assert "accepted toy red" in ok("mail", "receive", tmp_path / "1.eml")
    assert "accepted toy red" in ok("mail", "receive", folder)
    raw = letter(toy_file, "red", "move R1 to 0201\ndone\n", "<4@mail.example>")
    assert "accepted toy red" in ok("mail", "receive", "-", stdin=raw)
    settings.cache_clear()


def test_mail_is_read_before_a_deadline_is_called(
    toy_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A letter that lies in the Maildir of the settings counts, even if the deadline is called before it is
    fetched."""
    box = Maildir(tmp_path / "box")
    box.deliver(letter(toy_file, "red", "move R1 to 0201\n"))
    monkeypatch.setenv("PBEM_MAILDIR", str(tmp_path / "box"))
    monkeypatch.setenv("PBEM_ADDRESS", "pbem@host.example")
    settings.cache_clear()
    ok("adjudicate", toy_file, "--force")
    assert list(box.waiting()) == []
    assert "R1 goes to 0201" in ok("log", toy_file)


def old_store(path: Path) -> Path:
    """A game file that has yet to be upgraded."""
    old = sqlite3.connect(path)
    old.executescript("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
    old.close()
    return path


def test_what_a_host_can_mend_is_tried_again(toy_file: Path, tmp_path: Path) -> None:
    """No store, none named, an old one, a broken one, no mail: the mail server keeps the letter (75)."""
    broken = tmp_path / "broken.pbem"
    broken.write_bytes(b"\0" * 4096)
    for words, says in {
        (tmp_path / "none.pbem",): "no game file",
        (): "no game file: give FILE",
        (old_store(tmp_path / "old.pbem"),): "pbem db upgrade",
        (broken,): "cannot be read as a game file",
        (tmp_path,): "no game file",
        (toy_file, tmp_path / "none.eml"): "No such file",
    }.items():
        assert says in refused("mail", "receive", *words, stdin="x", code=75)
    assert "no email" in refused("mail", "receive", toy_file, stdin="", code=75)


def test_a_wrong_command_line_can_never_work(toy_file: Path) -> None:
    """An option that is not there ends with 64, and says so."""
    assert "no such option" in refused("mail", "receive", toy_file, "--madlir", "x", code=64).lower()


def test_broken_settings_are_tried_again(
    toy_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With settings that cannot be read, needed or not, the letter is left with the mail server."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pbem.toml").write_text("store = \n", encoding="utf-8")
    for name in ("PBEM_CACHE", "PBEM_ADDRESS"):
        monkeypatch.delenv(name, raising=False)
    settings.cache_clear()
    assert "pbem.toml: is not TOML" in refused("mail", "receive", toy_file, stdin="x", code=75)
    monkeypatch.setenv("PBEM_CONFIG", "gone.toml")
    settings.cache_clear()
    assert "gone.toml" in refused("mail", "receive", stdin="x", code=75)


def test_the_first_word_is_the_store(toy_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A first word that is not a store is refused, whatever else names one: no letter is lost on the way."""
    raw = letter(toy_file, "red", "move R1 to 0201\n")
    (tmp_path / "1.eml").write_bytes(raw)
    damaged = tmp_path / "damaged.pbem"
    damaged.write_bytes(b"\0" * 100 + toy_file.read_bytes()[100:])
    monkeypatch.setenv("PBEM_STORE", str(toy_file))
    assert "cannot be read as a game file" in refused("mail", "receive", damaged, stdin=raw.decode(), code=75)
    assert "name the store only once" in refused(
        "mail", "receive", toy_file, "--store", toy_file, stdin=raw.decode(), code=75
    )
    assert loaded("status", toy_file)[0]["phase"] == "t1.red_march"
    assert "accepted" in ok("mail", "receive", stdin=raw)


def test_an_email_over_the_limit_is_refused(
    toy_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a pipe it ends with 77, at which the mail server tells its sender; of a file the host reads why.
    Nothing of it is read, and a letter beside it is taken."""
    monkeypatch.setenv("PBEM_LIMITS__BYTES", "20000")
    settings.cache_clear()
    large = letter(toy_file, "blue", f"move B1 to 0402\n{'x' * 20_000}\n")
    why = f"it has {len(large):,} bytes, and the limit is 20,000 ([limits] bytes)"
    assert why in refused("mail", "receive", toy_file, stdin=large.decode(), code=77)
    (tmp_path / "in").mkdir()
    (tmp_path / "in/1.eml").write_bytes(large)
    (tmp_path / "in/2.eml").write_bytes(letter(toy_file, "red", "move R1 to 0201\n"))
    result = run("mail", "receive", toy_file, tmp_path / "in")
    assert result.exit_code == 77 and f"1.eml: {why}" in result.stderr
    assert "2.eml: accepted toy red" in result.stdout
    store = Store.open(toy_file)
    with store.transaction() as session:
        assert [row.seat for row in session.exec(select(LetterRow))] == ["red"]
    store.close()


def test_an_email_over_the_limit_is_not_read_from_a_maildir(
    toy_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stays whole in `cur`, and the moderators read who wrote it; those behind it are taken in."""
    monkeypatch.setenv("PBEM_LIMITS__BYTES", "20000")
    settings.cache_clear()
    box = Maildir(tmp_path / "box")
    large = letter(toy_file, "blue", f"move B1 to 0402\n{'x' * 20_000}\n")
    first, second = box.deliver(large), box.deliver(letter(toy_file, "red", "move R1 to 0201\n"))
    told = ok("mail", "receive", toy_file, "--maildir", tmp_path / "box")
    assert f"{first}: ignored: too large: it has {len(large):,} bytes, and the limit is 20,000" in told
    assert f"{second}: accepted toy red" in told and list(box.waiting()) == []
    assert (tmp_path / "box/cur" / f"{first}:2,S").read_bytes() == large
    store = Store.open(toy_file)
    with store.transaction() as session:
        (news,) = [each for row in session.exec(select(StaffRow)) for each in row.told.get("news", ())]
        letters = session.exec(select(LetterRow)).all()
    store.close()
    assert news["says"].startswith("An email was not read: it is too large")
    assert "From bob@mail.example" in news["lines"][0] and str(tmp_path / "box/cur") in news["lines"][0]
    assert [row.seat for row in letters] == ["red"]


def test_a_letter_that_fails_by_itself_stops_no_other(toy_file: Path, tmp_path: Path) -> None:
    """A letter on which pbem fails stays in the Maildir and is named; those behind it are taken in."""
    box = Maildir(tmp_path / "box")
    stray = b"From: x@nowhere.example\nTo: pbem@host.example\n\n"
    store = Store.open(toy_file)
    with store.engine.begin() as connection:  # any error will do that this letter alone runs into
        action = "SELECT RAISE(ABORT, 'no')"
        connection.execute(
            text(
                f"CREATE TRIGGER fail BEFORE INSERT ON letter WHEN new.sender LIKE 'x@%' BEGIN {action}; END"
            )
        )
    store.close()
    first, second = box.deliver(stray), box.deliver(letter(toy_file, "red", "move R1 to 0201\n"))
    result = run("mail", "receive", toy_file, "--maildir", tmp_path / "box")
    assert (result.exit_code, f"pbem: {first}: the database: no" in result.stderr) == (75, True), (
        result.output
    )
    assert f"{second}: accepted toy red" in result.stdout
    assert [name for name, _ in box.waiting()] == [first]


def test_a_locked_game_file_is_tried_again(toy_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another process keeps the game file locked the letter is left with the mail server: exit code
    75."""
    raw = letter(toy_file, "red", "move R1 to 0201\n")
    monkeypatch.setattr("pbem.service.record.store.BUSY_MS", 50)
    holder = sqlite3.connect(toy_file, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        refused("mail", "receive", toy_file, stdin=raw.decode(), code=75)
    finally:
        holder.rollback()
        holder.close()
    assert loaded("status", toy_file)[0]["phase"] == "t1.red_march"


def test_an_unreachable_database_is_tried_again() -> None:
    """A database server that does not answer is a temporary failure."""
    url = "postgresql://nobody@127.0.0.1:1/none"
    assert "cannot be opened" in refused("mail", "receive", url, stdin="x", code=75)


def test_old_emails_of_strangers_are_cut(toy_file: Path) -> None:
    """Emails that belong to no game lose their bodies after 90 days, or as many as are given."""
    stray = b"From: eve@evil.example\nTo: pbem@host.example\n\nbuy now\n"
    ok("mail", "receive", toy_file, stdin=stray)
    assert "cut 0 emails" in ok("mail", "purge", toy_file)
    assert "cut 1 email to the headers, freed 8 bytes" in ok("mail", "purge", toy_file, "--days", "0")
    assert loaded("mail", "purge", "--store", toy_file, "--days", "0") == {"letters": 0, "bytes": 0}


# --- out ----------------------------------------------------------------------------------------------------


def test_letters_out_into_a_folder(toy_file: Path, tmp_path: Path) -> None:
    """The outbox is written into a folder once; a run with nothing to do says so only if asked to."""
    assert "sent" in ok("mail", "folder", toy_file, tmp_path / "out")
    assert ok("mail", "send", toy_file, "--folder", tmp_path / "out") == ""
    assert "no letters are due" in ok("mail", "send", toy_file, "--folder", tmp_path / "out", "-v")
    assert ok("mail", "send", toy_file, "--folder", tmp_path / "out", "--json") == "[]\n"
    assert len(list((tmp_path / "out").glob("*.eml"))) == 1


def test_letters_wait_for_an_unreachable_server(toy_file: Path) -> None:
    """When the mail server is out of reach the letters wait, the reason is shown, and the exit code says to
    try again."""
    result = run("mail", "send", toy_file, "--smtp", "127.0.0.1:1", "--tls", "none", "--json")
    assert result.exit_code == 75
    assert '"later"' in result.stdout
    refused("mail", "send", toy_file, code=2)
    assert "failing  rita@mail.example" in ok("mail", "outbox", toy_file)


class Strict(Office):
    """A mail server that has had enough, until it is told otherwise."""

    answer = "451 4.7.1 greylisted"

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if self.answer:
            return self.answer
        return await super().handle_RCPT(server, session, envelope, address, options)


def test_the_outbox_shows_what_became_of_each_letter(toy_file: Path) -> None:
    """A letter is listed with the server's words until it is sent; a refused one goes when it is put back."""
    office = Strict()
    with server(office) as port:
        send = ("mail", "send", toy_file, "--smtp", f"127.0.0.1:{port}", "--tls", "none")
        assert "later" in run(*send).stdout
        assert ok(*send) == ""
        shown = ok("mail", "outbox", toy_file)
        assert "1  failing  rita@mail.example  [toy]" in shown
        assert "4.7.1 greylisted (1 attempt, last " in shown and ", next " in shown
        office.answer = "550 5.1.1 no such person"
        assert run(*send, "--now").exit_code == 1
        # The other one is the digest that tells the moderator of it.
        found = loaded("mail", "outbox", toy_file, "--game", "toy")
        letter, _ = sorted(found, key=lambda each: each["number"])
        assert (letter["state"], letter["detail"]) == ("refused", "5.1.1 no such person")
        assert ok(*send, "--now") == ""
        office.answer = ""
        assert "1: rita@mail.example" in ok("mail", "resend", toy_file, "--refused")
        assert "no letters were refused" in ok("mail", "resend", toy_file, "--refused")
        assert "sent" in ok(*send)
    assert ok("mail", "outbox", toy_file) == ""
    assert "1  sent     rita@mail.example" in ok("mail", "outbox", toy_file, "--all")
    assert "has been sent" in refused("mail", "resend", toy_file, "1")
    for words in ((), ("one",), ("1", "--refused")):
        refused("mail", "resend", toy_file, *words, code=2)
    assert "has been sent" in refused("mail", "resend", "--store", toy_file, "1")


# --- settings -----------------------------------------------------------------------------------------------


def test_settings_come_from_file_and_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file says how things are, the environment beats it, and what is wrong is named."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pbem.toml").write_text(
        'address = "pbem@a.example"\nzone = "Europe/Paris"\n[smtp]\nhost = "mx"\nport = 25\n'
    )
    monkeypatch.setenv("PBEM_ADDRESS", "pbem@b.example")
    monkeypatch.setenv("PBEM_SMTP__PASSWORD", "secret")
    settings.cache_clear()
    known = settings()
    assert (known.address, known.zone) == ("pbem@b.example", "Europe/Paris")
    assert (known.smtp.host, known.smtp.port, known.smtp.password) == ("mx", 25, "secret")
    monkeypatch.setenv("PBEM_SMTP__PORT", "many")
    settings.cache_clear()
    with pytest.raises(DataError, match=r"smtp\.port"):
        settings()
    monkeypatch.setenv("PBEM_CONFIG", str(tmp_path / "other.toml"))
    settings.cache_clear()
    with pytest.raises(DataError, match=r"other\.toml"):
        settings()
    settings.cache_clear()


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ('adress = "pbem@club.example"\n', 'there is no "adress"; did you mean address?'),
        ('[smtp]\nhots = "mx"\n', 'there is no "smtp.hots"; did you mean host?'),
        ('zone = "Europe/Pari"\n', 'zone: "Europe/Pari" is not a time zone; write one like Europe/Paris'),
        ('moderator = "Carla"\n', 'moderator: "Carla" is not a mail address'),
        ('address = "Pbem <pbem@club.example>"\n', "address: "),
    ],
)
def test_misspelt_settings_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str, says: str
) -> None:
    """Settings with an unknown name or an impossible value are refused, and no game is started with them."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pbem.toml").write_text(written, encoding="utf-8")
    settings.cache_clear()
    assert says in refused("new", "clash", "-o", "toy.pbem")
    assert not (tmp_path / "toy.pbem").exists()


def test_a_moderator_has_a_name_and_an_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game_file: Path
) -> None:
    """A moderator given with a name is written to by name; a stray mail reaches her and is taken in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pbem.toml").write_text('moderator = "Carla <carla@club.example>"\n', encoding="utf-8")
    settings.cache_clear()
    ok("new", "clash", "-o", game_file, "--address", "pbem@club.example")
    stray = b"From: Eve <eve@evil.example>\nTo: pbem@club.example\nSubject: hello\n\nhi\n"
    assert "quarantined" in ok("mail", "receive", game_file, stdin=stray)
    ok("mail", "folder", game_file, tmp_path / "out")
    store = Store.open(game_file)
    with store.transaction() as session:
        letters = session.exec(select(OutboxRow).where(OutboxRow.recipient == "carla@club.example")).all()
        assert {row.kind: row.error for row in letters} == {"seat": "", "digest": ""}
    store.close()


def test_drawings_are_kept_where_the_settings_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, toy_file: Path
) -> None:
    """The cache folder of the settings file is the one that maps are drawn into."""
    monkeypatch.delenv("PBEM_CACHE")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pbem.toml").write_text(
        f'cache = "{tmp_path / "drawn"}"\nstore = "{toy_file}"\n', encoding="utf-8"
    )
    settings.cache_clear()
    ok("map", "-o", tmp_path / "map.png")
    settings.cache_clear()
    assert list((tmp_path / "drawn").iterdir())
    assert os.environ.pop("PBEM_CACHE") == str(tmp_path / "drawn")


# --- as processes -------------------------------------------------------------------------------------------


def test_the_pipe_of_a_mail_server(real_file: Path) -> None:
    """A process that is handed a letter on its standard input takes it in, and ends with 0."""
    raw = letter(real_file, "allied", "[plan]\ndefault\n")
    done = pipe("mail", "receive", stdin=raw, PBEM_STORE=str(real_file), PBEM_ADDRESS="pbem@host.example")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"accepted cot allied" in done.stdout
    store = Store.open(real_file)
    with store.transaction() as session:
        assert [row.outcome for row in session.exec(select(LetterRow))] == ["accepted"]
    store.close()


def test_errors_of_a_process_are_one_line(tmp_path: Path) -> None:
    """What a person can mend is said in one line on standard error, without a traceback."""
    done = pipe("status", tmp_path / "none.pbem")
    assert done.returncode == 1
    assert done.stderr.startswith(b"Error: no game file")
    assert len(done.stderr.splitlines()) == 1
    assert pipe("nonsense").returncode == 2


@pytest.mark.parametrize(
    "words", [["--help"], ["--version"], ["mail", "receive", "--help"], ["new", "--help"]]
)
def test_help_loads_little(words: list[str]) -> None:
    """Help, the version and the start of the pipe command load no more than they need."""
    code = (
        "import atexit, sys; from pbem.cli import main; "
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr)); main(prog_name='pbem')"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    heavy = {
        "sqlalchemy",
        "sqlmodel",
        "pydantic",
        "jinja2",
        "PIL",
        "resvg",
        "alembic",
        "aiosmtplib",
        "asyncio",
    }
    assert done.stdout
    assert not heavy & {name.partition(".")[0] for name in done.stderr.split()}
