"""What `pbem host check` looks at, in the order of cause, so that the first FAIL is what has to be mended.
Each check says in a sentence what is wrong and what mends it."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import socket
import stat
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from dns.exception import DNSException
from dns.resolver import NXDOMAIN, NoAnswer, resolve
from sqlmodel import col, delete, func, select

from pbem.config import Imap, Settings, host_and_port
from pbem.engine.errors import DataError
from pbem.engine.wording import count
from pbem.mail.letter import parse
from pbem.mail.senders import server_of
from pbem.mail.transport import Outgoing, SmtpSettings, SmtpTransport, Unreachable
from pbem.paths import denied, user_name
from pbem.serve.work import is_there
from pbem.service.intake.aside import count_aside
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import REFUSED, GameRow, HostRow, LetterRow, OutboxRow, WorkerRow
from pbem.service.record.store import Store, now_utc
from pbem.service.time.host import CONFIRM, DEAD
from pbem.service.tools.backup import backups

State = Literal["ok", "WARN", "FAIL"]

LITTLE = 500 * 2**20
"""Bytes of free disk below which a mail may not find room."""

OLD = timedelta(hours=48)
"""A backup that old is no backup of last night."""

WAITING = timedelta(hours=1)
"""A letter that has waited so long to leave will not leave by itself."""

LOOKED_AT = 10
"""How many of the last letters are looked at for whether senders are checked."""

EXAMPLES = ("example", "test", "invalid", "localhost", "local")
"""Ends of names that no DNS knows (RFC 2606)."""


@dataclass(frozen=True, slots=True)
class Check:
    """What a check has found: its name, how it came out, and what there is to say."""

    name: str
    state: State
    says: str

    def line(self) -> str:
        """It in a line."""
        return f"{self.state:<5} {self.name:<13} {self.says}"


def check(config: Path, read: Callable[[], Settings], wait: float) -> Iterator[Check]:
    """Look at everything that a letter meets, from the settings to its way back. `read` gives the settings,
    `wait` is how many seconds a letter to ourselves may take. Ends where the rest could not be looked at."""
    try:
        settings = read()
    except DataError as error:
        yield Check("settings", "FAIL", str(error))
        return
    yield _settings(config)
    if not settings.store:
        yield Check("store", "FAIL", "the settings name none: store")
        return
    try:
        store = Store.open(settings.store)
    except StoreError as error:
        if "://" not in settings.store:
            yield _owner(settings.store)
        yield Check("store", "FAIL", str(error))
        return
    try:
        if "://" not in settings.store:
            yield _owner(settings.store)
        yield _store(store)
        yield _clock(store)
        yield _service(store, settings)
        yield from _ways_in(settings)
        out = _way_out(settings)
        yield out
        if out.state != "FAIL":
            yield from _round_trip(store, settings, wait)
        yield from _names(settings.address.partition("@")[2], settings.smtp.host)
        yield _outbox(store)
        yield _games(store)
        yield _backup(store, settings)
    finally:
        store.close()


# --- this machine -------------------------------------------------------------------------------------------


def _settings(config: Path) -> Check:
    if not config.is_file():
        return Check("settings", "WARN", f"there is no {config}: pbem host init writes one")
    config = config.absolute()
    mode = stat.S_IMODE(config.stat().st_mode)
    if mode & 0o077:
        return Check("settings", "WARN", f"{config} may be read by others ({mode:o}): chmod 600 {config}")
    return Check("settings", "ok", f"{config}, {mode:o}, no unknown keys")


def _owner(store: str) -> Check:
    path = Path(store).absolute()
    me = user_name(os.geteuid())
    for each in (path.parent, path):
        if not each.exists():
            return Check("owner", "FAIL", f"there is no {each}: pbem host init makes it")
        owner = user_name(each.stat().st_uid)
        if owner != me:
            return Check(
                "owner",
                "FAIL",
                f"{each} belongs to {owner}, and this is {me}: run this as the user of the service "
                f"(runuser -u USER -- ...), or, if that is {me}: "
                f"chown -R {me}: {path.parent}",
            )
        if not os.access(each, os.R_OK | os.W_OK):
            return Check("owner", "FAIL", f"{me} may not write {each}: chmod u+rw {each}")
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        return Check(
            "owner",
            "WARN",
            f"{path} holds the secrets of all games, and others may read it ({mode:o}): chmod 600 {path}",
        )
    return Check("owner", "ok", f"{me} owns the game file and its folder")


def _store(store: Store) -> Check:
    began = time.monotonic()
    try:
        with store.transaction() as session:
            games = session.exec(select(func.count()).select_from(GameRow)).one()
            session.get(HostRow, 1, with_for_update=True)
    except Exception as error:
        return Check("store", "FAIL", f"it cannot be written: {getattr(error, 'orig', error)}")
    what = f"{count(games, 'game')}, version {store.version()}, {1000 * (time.monotonic() - began):.0f} ms"
    if "://" in store.target:
        return Check("store", "ok", f"PostgreSQL, {what}")
    free = shutil.disk_usage(Path(store.target).absolute().parent).free
    if free < LITTLE:
        return Check(
            "store",
            "FAIL",
            f"the disk has {free / 2**20:.0f} MB left: no letter is sure to find room; make some",
        )
    return Check("store", "ok", f"game file, {what}, {free / 2**30:.1f} GB free")


def _clock(store: Store) -> Check:
    with store.transaction() as session:
        host = session.get(HostRow, 1)
    if host is not None and host.held is not None:
        return Check(
            "clock",
            "FAIL",
            f"it has jumped, from {host.held:%Y-%m-%d %H:%M} UTC to now, "
            f"{now_utc():%Y-%m-%d %H:%M} UTC. No deadline is called; if it is right: {CONFIRM}",
        )
    return Check("clock", "ok", f"{now_utc():%Y-%m-%d %H:%M} UTC")


def _service(store: Store, settings: Settings) -> Check:
    here = version("pbem")
    with store.transaction() as session:
        known = [row for row in session.exec(select(WorkerRow)) if _runs(row)]
    if not known and not settings.intake.is_on:
        says = "none, as the settings have no [intake]: cron has to run pbem tick"
        return Check("service", "ok" if settings.maildir else "WARN", says)
    if not known:
        says = "pbem serve does not run: systemctl start pbem; journalctl -u pbem says why it ended"
        return Check("service", "FAIL", says)
    others = [f"{each.name} has version {each.version}" for each in known if each.version != here]
    if others:
        return Check("service", "WARN", f"{', '.join(others)}, this is {here}: systemctl restart pbem")
    began = min(each.began for each in known)
    return Check(
        "service", "ok", f"{count(len(known), 'worker')} of version {here}, since {began:%d %b %H:%M} UTC"
    )


def _runs(worker: WorkerRow) -> bool:
    """Whether a worker is at work; on this machine its process says so."""
    if worker.ended or now_utc() - worker.seen > DEAD:
        return False
    return worker.host != socket.gethostname() or is_there(worker.pid)


# --- mail ---------------------------------------------------------------------------------------------------


def _ways_in(settings: Settings) -> Iterator[Check]:
    known = settings.intake
    listens = [("lmtp", known.lmtp), ("smtp", known.smtp)]
    found = [_listener(name, section.listen) for name, section in listens if section]
    found += [_socket(known.socket.path)] if known.socket else []
    found += [_mailbox(known.imap)] if known.imap else []
    box = known.maildir.path if known.maildir else None if known.is_on else settings.maildir
    if box:
        wrong = _wrong_with(box)
        found.append(Check("way in", "FAIL" if wrong else "ok", wrong or str(box)))
    says = "the settings name none, neither [intake.lmtp] or another nor maildir: only a pipe brings mail"
    yield from found or [Check("way in", "WARN", says)]


def _wrong_with(box: Path) -> str:
    """What keeps mail in a Maildir from being read, or ""."""
    if not box.is_dir():
        return f"there is no Maildir {box}"
    try:
        folders = [box, *(box / name for name in ("new", "cur", "tmp") if (box / name).exists())]
        closed = [each for each in folders if not os.access(each, os.R_OK | os.W_OK | os.X_OK)]
        closed = closed or [each for each in (box / "new").glob("*") if not os.access(each, os.R_OK)]
    except PermissionError:
        closed = [box]
    return f"mail in {closed[0]} cannot be read: {denied(closed[0])}" if closed else ""


def _listener(name: str, listen: str) -> Check:
    try:
        if listen.startswith("unix:"):
            with socket.socket(socket.AF_UNIX) as probe:
                probe.connect(listen.removeprefix("unix:"))
        else:
            host, port = host_and_port(listen)
            host = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(host, host)
            socket.create_connection((host, port), 5).close()
    except OSError as error:
        return Check(
            "way in",
            "FAIL",
            f"nobody answers by {name} at {listen} ({error.strerror or error}): does "
            "pbem serve run with these settings?",
        )
    return Check("way in", "ok", f"{name} at {listen} answers")


def _socket(path: Path) -> Check:
    try:
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(str(path))
    except OSError as error:
        return Check(
            "way in",
            "FAIL",
            f"nobody answers at {path} ({error.strerror or error}): does pbem serve run with these settings?",
        )
    return Check("way in", "ok", f"the socket {path} answers")


def _mailbox(known: Imap) -> Check:
    from imapclient.exceptions import IMAPClientError

    from pbem.serve.mailbox import logged_in

    where = f"{known.user} at {known.host}:{known.port}"
    try:
        client = logged_in(known)
    except IMAPClientError as error:
        return Check(
            "way in",
            "FAIL",
            f"the mailbox of {where} refuses the login: {_told(error)}. Mend user and "
            "password below [intake.imap]",
        )
    except OSError as error:
        return Check(
            "way in",
            "FAIL",
            f"the mailbox of {where} is out of reach: {_told(error)}. Mend host, port "
            "and tls below [intake.imap]",
        )
    try:
        client.select_folder(known.folder, readonly=True)
    except IMAPClientError as error:
        return Check("way in", "FAIL", f"the mailbox of {where} has no folder {known.folder}: {_told(error)}")
    finally:
        client.logout()
    return Check("way in", "ok", f"the mailbox of {where} can be read")


def _told(error: Exception) -> str:
    said = error.args[0] if error.args and isinstance(error.args[0], bytes) else str(error)
    return said.decode(errors="replace") if isinstance(said, bytes) else said or type(error).__name__


def _transport(settings: Settings) -> SmtpTransport:
    known = settings.smtp
    return SmtpTransport(
        SmtpSettings(
            known.host, known.port, known.tls, known.user, known.password, timeout=10, cafile=known.cafile
        )
    )


def _way_out(settings: Settings) -> Check:
    known = settings.smtp
    where = f"{known.host}:{known.port}"
    if not known.host:
        return Check("way out", "FAIL", "no mail server is named: host below [smtp]")
    try:
        code, text = asyncio.run(_transport(settings).would_take(settings.address, _inside(settings.address)))
    except Unreachable as error:
        return Check(
            "way out",
            "FAIL",
            f"{where} takes no mail of ours: {str(error).rstrip('.')}. Mend host, port, tls, user and "
            "password below [smtp]",
        )
    if code >= 400:
        return Check(
            "plus-address",
            "FAIL",
            f"{where} takes no mail to {_inside(settings.address)}: {code} {text}. "
            "The mail server has to take mail to this address with a + and anything behind it "
            "(Postfix: recipient_delimiter = +, and transport_maps for the address), or games need their "
            "secret in the subject",
        )
    return Check("way out", "ok", f"{where} takes mail from {settings.address} to an address with a +")


def _inside(address: str, word: str = "x") -> str:
    """An address of ours that names no game."""
    local, _, domain = address.partition("@")
    return f"{local}+check.self.{word}@{domain}"


def _round_trip(store: Store, settings: Settings, wait: float) -> Iterator[Check]:
    """Write a letter to ourselves by the whole way. It is an automatic mail, which nobody is answered for."""
    word = secrets.token_hex(8)
    to, message_id = _inside(settings.address, word), f"<check.{word}@{settings.address.partition('@')[2]}>"
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = settings.address, to, "pbem host check"
    message["Message-ID"], message["Date"] = message_id, format_datetime(now_utc())
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("This letter finds out whether letters arrive. It asks for no answer.\n")
    transport = _transport(settings)
    sent = transport.send(Outgoing(message_id.strip("<>"), settings.address, to, message.as_bytes()))
    transport.close()
    if sent.result != "sent":
        yield Check("round trip", "FAIL", f"a letter to ourselves was not taken: {sent.code} {sent.detail}")
        return
    began = time.monotonic()
    while (raw := _came(store, message_id)) is None and time.monotonic() - began < wait:
        time.sleep(0.2)
    if raw is None:
        yield Check(
            "round trip",
            "FAIL",
            f"a letter to {to} left and has not come back in {wait:.0f} s. It waits at the mail server "
            "or went elsewhere: mailq and the mail log say where (Postfix: postconf transport_maps)",
        )
        return
    yield Check("round trip", "ok", f"a letter to ourselves was back in {time.monotonic() - began:.1f} s")
    head = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0].lower()
    names = (b"delivered-to:", b"x-original-to:", b"envelope-to:", b"to:")
    if not any(line.startswith(names) and word.encode() in line for line in head.split(b"\n")):
        yield Check("plus-address", "FAIL", "the letter came back without the part behind the +")
    yield _sender(store, settings, raw)


def _came(store: Store, message_id: str) -> bytes | None:
    """The letter of this Message-ID, once it has come in; it is forgotten again."""
    with store.transaction() as session:
        row = session.exec(
            select(LetterRow).where(col(LetterRow.message_id).contains(message_id.strip("<>")))
        ).first()
        if row is None:
            return None
        session.execute(delete(LetterRow).where(col(LetterRow.id) == row.id))
        return row.raw


def _sender(store: Store, settings: Settings, raw: bytes) -> Check:
    """Whether forged senders can be told, by the letter to ourselves and the last ones of others."""
    known = settings.senders
    with store.transaction() as session:
        last = session.exec(select(LetterRow).order_by(col(LetterRow.id).desc()).limit(LOOKED_AT)).all()
        told = any(row.checked for row in last)
        names = [server_of(parse(each).results) for each in (raw, *(row.raw for row in last))]
        running = session.exec(select(GameRow).where(GameRow.status == "running")).all()
        wanting = sorted(row.id for row in running if row.settings.get("senders") == "checked")
    name = next(filter(None, names), "")
    mend = f'server = "{name or "mx.club.example"}" below [senders]'
    if wanting and not (known.server or known.dkim):
        says = (
            f"{', '.join(wanting)} takes letters only from senders that are checked, and no server is named"
        )
        return Check("sender", "FAIL", f"{says} whose word counts: {mend}, or dkim = true")
    if name and not known.server:
        says = f"{name} says whether senders are who they claim to be; if it is yours, name it: {mend}"
        return Check("sender", "WARN", says)
    if name and name not in known.server.lower().split() and not told:
        says = f"the settings name {known.server}, and the results in letters are of {name}"
        return Check("sender", "FAIL", f"{says}; if it is yours: {mend}")
    if name or told:
        return Check(
            "sender", "ok", f"{known.server or 'pbem'} says whether senders are who they claim to be"
        )
    return Check(
        "sender",
        "WARN",
        "no letter says whether its sender was checked (Authentication-Results): forged "
        "senders cannot be told. Let the mail server check DMARC (OpenDMARC, rspamd), or set dkim = true "
        "below [senders]",
    )


def _names(domain: str, smtp: str) -> Iterator[Check]:
    """The lines in DNS by which other mail servers tell our letters from spam."""
    if domain.rpartition(".")[2] in EXAMPLES:
        yield Check("DNS", "ok", f"{domain} is a name without DNS: nothing to look up")
        return
    missing: list[str] = []
    for name, begins, wants in (
        (domain, "v=spf1", f'{domain} TXT "v=spf1 mx a:{smtp} -all"'),
        (f"_dmarc.{domain}", "v=DMARC1", f'_dmarc.{domain} TXT "v=DMARC1; p=none"'),
    ):
        try:
            texts = [b"".join(each.strings).decode(errors="replace") for each in resolve(name, "TXT")]
        except (NXDOMAIN, NoAnswer):
            texts = []
        except DNSException as error:
            yield Check("DNS", "WARN", f"{name} cannot be looked up: {error}")
            return
        if not any(each.startswith(begins) for each in texts):
            missing.append(wants)
    if missing:
        yield Check("DNS", "WARN", f"letters may be taken for spam; add {'; '.join(missing)}")
    else:
        yield Check("DNS", "ok", f"{domain} has SPF and DMARC")


# --- what lies about ----------------------------------------------------------------------------------------


def _outbox(store: Store) -> Check:
    unsent, refused = col(OutboxRow.sent).is_(None), col(OutboxRow.error).startswith(REFUSED)
    with store.transaction() as session:
        number, oldest = session.exec(
            select(func.count(), func.min(OutboxRow.created)).where(unsent, ~refused)
        ).one()
        given_up = session.exec(select(func.count()).select_from(OutboxRow).where(unsent, refused)).one()
        aside = count_aside(session)
    said = f"{count(number, 'letter')} waiting, {given_up} refused; {aside} set aside"
    age = now_utc() - _aware(oldest) if oldest else timedelta(0)
    if age > WAITING:
        return Check(
            "outbox",
            "FAIL",
            f"{said}. The oldest has waited for {count(age // timedelta(hours=1), 'hour')}: "
            "pbem mail outbox says why",
        )
    if given_up or aside:
        return Check("outbox", "WARN", f"{said}: pbem mail outbox, pbem mail aside")
    return Check("outbox", "ok", said)


def _aware(moment: datetime | str) -> datetime:
    return datetime.fromisoformat(moment) if isinstance(moment, str) else moment


def _games(store: Store) -> Check:
    with store.transaction() as session:
        stopped = session.exec(select(GameRow.id).where(GameRow.status == "stopped")).all()
        running = session.exec(
            select(func.count()).select_from(GameRow).where(GameRow.status == "running")
        ).one()
    if stopped:
        return Check(
            "games",
            "FAIL",
            f"stopped by an internal error: {', '.join(sorted(stopped))}. Their moderators "
            "have the traceback; once pbem is mended: pbem adjudicate --resume",
        )
    return Check("games", "ok", f"{running} running, none stopped")


def _backup(store: Store, settings: Settings) -> Check:
    made = backups(store, settings.backup.folder)
    if not made:
        return Check("backup", "WARN", f"there is none in {settings.backup.folder}: pbem backup, every night")
    age = timedelta(seconds=time.time() - made[-1].stat().st_mtime)
    said = f"{made[-1].name}, {count(age // timedelta(hours=1), 'hour')} old"
    if age > OLD:
        return Check(
            "backup", "WARN", f"the last is {said}: does the timer run? systemctl list-timers pbem-backup"
        )
    return Check("backup", "ok", f"the last is {said}")
