"""People play through real mail servers: letters go through Postfix to `pbem serve` and its answers through
Postfix to mailboxes in Dovecot. Skipped where these cannot be run."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from serve.kit import Club, Service, serving, wait_until
from serve.mailservers import PASSWORD, USER, Dovecot, Postfix, mail_servers, skip_without_servers
from sqlmodel import col, select

from pbem.paths import examples
from pbem.service.intake.outbox import pending
from pbem.service.moderating.hosting import carry_out
from pbem.service.moderating.people import eject
from pbem.service.moderating.start import start
from pbem.service.record.rows import LetterRow, OutboxRow, StaffRow
from pbem.service.record.store import Store, now_utc
from pbem.service.record.terms import replies_to
from pbem.service.tools import demo

pytestmark = pytest.mark.dear

Servers = tuple[Postfix, Dovecot]


@pytest.fixture(scope="module")
def servers() -> Iterator[Servers]:
    """One Postfix and one Dovecot for all tests."""
    skip_without_servers()
    folder = Path(tempfile.mkdtemp(prefix="pbem-mail-"))
    folder.chmod(0o755)
    try:
        with mail_servers(folder) as both:
            yield both
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def read(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


class People:
    """Rita and Bob, who play a game. What they know of it stands in their mailboxes."""

    def __init__(self, servers: Servers, club: Club, game: str) -> None:
        self.mta, self.box = servers
        self.club, self.game = club, game
        self.addresses = [f"rita@{game}.example", f"bob@{game}.example"]
        self.seen: set[str] = set()
        self.written = 0

    def play(self, turns: int, between: Callable[[int], None] = lambda number: None) -> None:
        """Answer what asks for an answer until this many turns are over; call `between` after each letter."""
        wait_until(lambda: self._answered(f" - T{turns + 1} ", between), 60, "the game does not go on")

    def _answered(self, over: str, between: Callable[[int], None]) -> bool:
        """Whether a letter of the turn `over` has come. All before it are answered."""
        for address in self.addresses:
            for letter in map(read, self.box.mails(address)):
                if letter["Message-ID"] in self.seen:
                    continue
                if over in letter["Subject"]:
                    return True
                self.seen.add(letter["Message-ID"])
                if body := answer(letter):
                    self._write(address, letter, body)
                    between(self.written)
        return False

    def _write(self, address: str, to: EmailMessage, body: str) -> None:
        self.written += 1
        reply = EmailMessage()
        reply["From"], reply["To"], reply["Subject"] = address, to["From"], f"Re: {to['Subject']}"
        reply["Message-ID"] = f"<{self.written}.{self.game}@mail.example>"
        reply["In-Reply-To"] = to["Message-ID"]
        reply.set_content(body)
        self.mta.send(reply.as_bytes(), address, to["From"].addresses[0].addr_spec)

    def counted(self) -> Counter[str]:
        """How often each letter of the outbox has come, once everything has gone out."""
        wait_until(lambda: not self.club.unsent() and not self.mta.waiting(), 30, "letters wait somewhere")
        mails = (raw for user in (*self.addresses, "mod@host.example") for raw in self.box.mails(user))
        found = Counter(str(read(raw)["Message-ID"]) for raw in mails)
        return Counter({name: found[name] for name in self.club.answers(self.game)})


def answer(letter: EmailMessage) -> str:
    """The order form of a letter with the examples in it used, and the section closed; the second option for
    a question."""
    for part in letter.iter_attachments():
        if part.get_filename() == "orders.txt":
            form = part.get_content().replace("\r\n", "\n")
            return re.sub(r"^; (move .*|done)$", r"\1", form, flags=re.MULTILINE)
    return "Q1: b\n" if "1 decision" in letter["Subject"] else ""


@pytest.fixture(scope="module")
def service(servers: Servers) -> Iterator[Service]:
    """A service that takes letters by LMTP and at a socket."""
    mta, _ = servers
    folder = mta.folder.parent / "club"
    folder.mkdir()
    Store.create(folder / "club.pbem").close()
    ways = f'[intake.lmtp]\nlisten = "127.0.0.1:{mta.pbem}"\n[intake.socket]\npath = "{mta.doorway}"\n'
    how = {"more": '[senders]\nserver = "mx.example"\n', "address": "pbem@lmtp.example"}
    with serving(Service(folder, "club.pbem", mta.smtp, intake=ways, **how)) as (each,):
        yield each


@pytest.fixture
def store(service: Service) -> Iterator[Store]:
    """The store of the service."""
    opened = Store.open(service.folder / service.store)
    yield opened
    opened.close()


@pytest.mark.parametrize("way", ["lmtp", "pipe"])
def test_two_turns(servers: Servers, store: Store, way: str) -> None:
    """Two people play two turns, and every letter comes once. Postfix hands letters over by LMTP, or starts
    `pbem mail receive` for each, without settings in the environment, in a folder that is not pbem's."""
    mta, _ = servers
    if way == "pipe":  # the service is root's here, which no pipe may be
        shutil.chown(mta.doorway, USER)
    game = f"by-{way}"
    club = Club(store, [game], address=f"pbem@{way}.example")
    people = People(servers, club, game)
    people.play(2)
    assert set(people.counted().values()) == {1}
    assert club.outcomes(game) == Counter(accepted=people.written)
    relay = "doorway" if way == "pipe" else f"127.0.0.1[127.0.0.1]:{mta.pbem}"
    ours = [line for line in mta.said("sent") if f"to=<pbem+{game}." in line]
    assert len(ours) == people.written and all(f"relay={relay}, " in line for line in ours)


def test_letters_wait_for_the_service(servers: Servers, service: Service, store: Store) -> None:
    """Letters that are sent while the service is down wait in Postfix, for LMTP as for the pipe, and are
    answered when it is there. Whose they are stands on the envelope alone: each is a blind copy."""
    mta, box = servers
    club = Club(store, ["brest"], address="pbem@lmtp.example")
    people = People(servers, club, "brest")
    assert service.stop() == 0
    for number in range(10):
        raw, to = club.letter("brest", "red", f"help move\n\nletter {number}\n")
        blind = raw.replace(f"To: {to}".encode(), b"To: undisclosed-recipients:;")
        assert to.encode() not in blind
        to = to.replace("lmtp.example", "pipe.example") if number % 2 else to
        mta.send(blind, "rita@brest.example", to)
    tried = re.compile(r" (\w+): to=<pbem\+brest\.")
    wait_until(lambda: len(set(tried.findall("\n".join(mta.said("deferred"))))) == 10)
    service.start()
    shutil.chown(mta.doorway, USER)
    wait_until(lambda: club.outcomes("brest") == Counter(accepted=10))
    assert set(people.counted().values()) == {1}
    answers = [read(raw)["In-Reply-To"] for raw in box.mails("rita@brest.example")]
    assert sum(answered is not None for answered in answers) == 10
    assert not mta.said("bounced")


def test_a_stranger_joins_a_game(servers: Servers, store: Store) -> None:
    """Somebody who plays nowhere finds a game by mail and gets a side of it; a forger is told nothing."""
    mta, box = servers
    club = Club(store, ["guest"], address="pbem@lmtp.example", open=True)
    carry_out(store, "guest", now_utc(), lambda table: eject(table, "blue", by="host", why=""))

    def write(who: str, body: str, to: str = "pbem@lmtp.example") -> None:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = who, to, "hello"
        message["Message-ID"] = f"<{hash((who, body))}@mail.example>"
        message.set_content(body)
        mta.send(message.as_bytes(), who, to)

    def told(who: str, words: str) -> EmailMessage:
        def found() -> EmailMessage | None:
            letters = map(read, box.mails(who))
            return next((each for each in letters if words in each["Subject"]), None)

        letter = wait_until(found, 60, f"{who} is not told: {words}")
        assert isinstance(letter, EmailMessage)
        return letter

    write("eve@forged.example", "HELP")
    write("eve@unknown.example", "HELP")
    write("dora@outside.example", "HELP")
    line = re.search(r"JOIN guest blue", told("dora@outside.example", "Playing by email").as_string())
    assert line
    write("dora@outside.example", line[0])
    told("dora@outside.example", "Your wish")
    with store.transaction() as session:
        moderator = session.get_one(StaffRow, ("guest", "moderator"))
        back = replies_to(club.terms, "guest", "moderator", moderator.token_key).address
    write("mod@host.example", "guest: JOIN blue dora@outside.example", back)
    told("dora@outside.example", "[guest]")
    assert box.mails("eve@forged.example") == box.mails("eve@unknown.example") == []


def test_by_a_mailbox(servers: Servers, tmp_path: Path) -> None:
    """Letters are read from a mailbox while the service is killed and the mailbox goes away: each has one
    outcome and one answer, and has moved out of the inbox. One over the limit is not read and lies aside,
    whole."""
    mta, box = servers
    club = Club(Store.create(tmp_path / "club.pbem"), ["eton"], address="pbem@box.example")
    people = People(servers, club, "eton")
    intake = (
        f'[intake.imap]\nhost = "127.0.0.1"\nport = {box.imap}\ntls = "none"\n'
        f'user = "pbem@box.example"\npassword = "{PASSWORD}"\n[limits]\nbytes = 100000\n'
    )
    service = Service(tmp_path, "club.pbem", mta.smtp, intake=intake)

    def kill() -> None:
        service.kill()
        club.forget_claims()
        service.start(wait=False)

    def disturb(number: int) -> None:
        if number == 1:
            kill()
        if number == 2:
            box.stop()
            box.start()

    large, to = club.letter("eton", "red", f"move R1 to 0201\n{'x' * 200_000}\n")
    with serving(service):
        people.play(2, disturb)
        mta.send(large, "rita@eton.example", to)
        for number in range(10):
            raw, to = club.letter("eton", "red", f"help move\n\nletter {number}\n")
            mta.send(raw, "rita@eton.example", to)
            if number == 6:
                wait_until(lambda: club.outcomes().total() > people.written)
                kill()
        wait_until(lambda: club.outcomes() == Counter(accepted=people.written + 10))
        counted = people.counted()
        wait_until(lambda: not box.mails("pbem@box.example"), says="the inbox is not empty")
    read_ones = {read(raw)["Message-ID"] for raw in box.mails("pbem@box.example", "pbem-done")}
    assert len(read_ones) == people.written + 10
    (aside,) = map(read, box.mails("pbem@box.example", "pbem-aside"))
    assert aside["Message-ID"] == read(large)["Message-ID"] and "x" * 900 in aside.get_content()
    assert set(counted.values()) <= {1, 2}
    assert counted.total() - len(counted) <= 3, "two kills and a restart: each sends one letter twice at most"


TWO_TURNS = {"rampage": 6, "normandy71": 21, "falaise": 11, "normandy44": 7, "france44": 10}
"""How many letters of an example make two turns; those of France are fewer."""


class Example:
    """An example game whose recorded letters are sent through Postfix."""

    def __init__(self, servers: Servers, store: Store, key: str) -> None:
        self.mta, self.box = servers
        self.store = store
        example, paths = demo.read(key)
        here = [path.read_bytes().replace(b"@club.example", b"@lmtp.example") for path in paths]
        self.letters = here[: TWO_TURNS[key]]
        self.game, self.out = example.game.id, examples() / key / "out"
        new = example.new()
        settings = {**new.settings, "address": "pbem@lmtp.example"}
        self.players = [each.address for each in new.players.values()]
        start(store, replace(new, settings=settings), now_utc())

    def send(self, number: int) -> None:
        """Send the letter of this number, the first is 0, from its writer."""
        letter = read(self.letters[number])
        sender, to = (letter[name].addresses[0].addr_spec for name in ("From", "To"))
        self.mta.send(self.letters[number], sender, to)

    def wait(self, number: int) -> None:
        """Wait until that letter has its outcome, which is that on file."""
        expected = self.expected(number + 1)
        wait_until(lambda: len(self.outcomes()) == len(expected), says=f"{self.game}: {expected[-1]}")
        assert self.outcomes() == expected

    def expected(self, number: int) -> list[str]:
        """What becomes of the letters before this number, in words; a duplicate leaves no trace."""
        lines = (self.out / "received.txt").read_text().splitlines()[:number]
        said = [line.partition(": ")[2] for line in lines]
        return [each for each in said if not each.startswith("duplicate")]

    def outcomes(self) -> list[str]:
        """What became of those that were received."""
        names = [read(raw)["Message-ID"] for raw in self.letters]
        with self.store.transaction() as session:
            query = select(LetterRow).where(col(LetterRow.message_id).in_(names)).order_by(col(LetterRow.id))
            return [f"{row.outcome}: {row.why}" for row in session.exec(query)]

    def written(self) -> dict[str, str]:
        """The letters in the outbox by name, with their Message-IDs."""
        with self.store.transaction() as session:
            query = select(OutboxRow).where(OutboxRow.game == self.game).order_by(col(OutboxRow.id))
            return {row.key: row.message_id for row in session.exec(query)}


@pytest.mark.dear
def test_two_turns_of_five_games(servers: Servers, service: Service, store: Store) -> None:
    """The recorded letters of the five games go through Postfix, those of a game one after another. What
    becomes of each, and the letters to players that come of it, are those on file; every letter arrives once.
    (Moderators have digests besides, when the clock of the host writes them.)"""
    mta, box = servers
    games = [Example(servers, store, key) for key in TWO_TURNS]
    for number in range(max(TWO_TURNS.values())):
        playing = [game for game in games if number < len(game.letters)]
        for game in playing:
            game.send(number)
        for game in playing:
            game.wait(number)
    wait_until(lambda: not pending(store) and not mta.waiting(), says="letters wait somewhere")
    people = {address for game in games for address in [*game.players, "carla@club.example"]}
    come = Counter(str(read(raw)["Message-ID"]) for address in people for raw in box.mails(address))
    for game in games:
        written = game.written()
        names = [path.stem.partition("-")[2] for path in sorted(game.out.glob("[0-9]*.txt"))]
        to_players = [name for name in written if "-moderator-" not in name]
        assert to_players == [name for name in names if "-moderator-" not in name][: len(to_players)]
        assert {come[written[name]] for name in to_players} == {1}
