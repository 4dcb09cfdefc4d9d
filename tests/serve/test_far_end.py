"""A mail server at the far end refuses, puts off and hangs up: every letter arrives once, or twice the same
where its reply was lost; what is refused for good is kept for the host."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from serve.kit import Club, FarEnd, Service, free_port, serving, wait_until
from sqlmodel import select

from pbem.service.intake.outbox import pending
from pbem.service.record.rows import OutboxRow
from pbem.service.record.store import Store
from tests.cli.test_commands import ok

IN_THE_MAIL, BEFORE_THE_REPLY = "hang up in the mail", "hang up before the reply"

RCPT = {
    "grey": ["450 4.2.0 greylisted"],
    "gone": ["550 5.1.1 there is no such mailbox"] * 9,
    "bob@half": ["550 5.1.1 there is no such mailbox"] * 9,
}
DATA = {
    "busy": ["451 4.3.0 try again", "421 4.3.2 shutting down"],
    "spam": ["554 5.7.1 that looks like spam"] * 9,
    "cut": [IN_THE_MAIL],
    "lost": [BEFORE_THE_REPLY],
}
"""What the far end says at this step to the first, second, ... try of each recipient at a host, or of one;
after that it takes the mail."""

REFUSED = {
    "rita@gone.example",
    "bob@gone.example",
    "rita@spam.example",
    "bob@spam.example",
    "bob@half.example",
}


class _Controller(Controller):
    def factory(self) -> SMTP:
        return _Smtp(self.handler, **self.SMTP_kwargs)


class _Smtp(SMTP):
    """Hangs up in the middle of a mail if it is told to."""

    async def smtp_DATA(self, arg: str) -> None:
        assert isinstance(self.event_handler, Moody) and self.envelope
        if self.event_handler.begins_data(self.envelope.rcpt_tos[0]) != IN_THE_MAIL:
            await super().smtp_DATA(arg)
            return
        await self.push("354 go on")
        await self._reader.readline()
        _hang_up(self)


def _hang_up(server: SMTP) -> None:
    assert isinstance(server.transport, asyncio.Transport)
    server.transport.abort()


class Moody(FarEnd):
    """A far end that answers as RCPT and DATA say."""

    controller_class = _Controller

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.tries: Counter[str] = Counter()
        self.offers: Counter[str] = Counter()
        self.mended = False

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        self.tries[address] += 1
        if reply := self._reply(RCPT, address, self.tries[address]):
            return reply
        envelope.rcpt_tos.append(address)
        return "250 OK"

    def begins_data(self, address: str) -> str:
        """What it will say to a mail that is about to come."""
        self.offers[address] += 1
        return self._reply(DATA, address, self.offers[address])

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        reply = self._reply(DATA, envelope.rcpt_tos[0], self.offers[envelope.rcpt_tos[0]])
        if reply and reply != BEFORE_THE_REPLY:
            return reply
        taken = await super().handle_DATA(server, session, envelope)
        if reply:
            _hang_up(server)
        return taken

    def _reply(self, replies: dict[str, list[str]], address: str, number: int) -> str:
        name = address.removesuffix(".example")
        known = replies.get(name) or replies.get(name.partition("@")[2], [])
        return known[number - 1] if number <= len(known) and not self.mended else ""


@pytest.mark.dear
def test_a_moody_far_end(tmp_path: Path) -> None:
    """Each letter is tried until it is taken; one that is refused with 5xx is tried once. The host sees it in
    `pbem mail outbox`, and `pbem mail resend` sends it when the far end has changed its mind."""
    hosts = ["fine", "grey", "gone", "half", "busy", "spam", "cut", "lost"]
    store = Store.create(tmp_path / "club.pbem")
    Club(store, hosts)
    with Moody(free_port()) as far, serving(Service(tmp_path, "club.pbem", far.port)):
        wait_until(lambda: not pending(store), says="letters wait")
        names = {each.message_id: each.recipient for each in rows(store)}
        players = {name: to for name, to in names.items() if to != "mod@host.example"}
        taken = {to: far.taken[name] for name, to in players.items()}
        assert len(taken) == len(players) == 2 * len(hosts)
        assert taken == {to: 0 if to in REFUSED else 2 if "@lost." in to else 1 for to in taken}
        assert far.tries == {to: tries_of(to) for to in taken} | {"mod@host.example": len(hosts)}
        assert len(set(far.mails)) == len(far.taken), "the second copy is another one"

        listed = re.findall(r"refused  (\S+)  ", ok("mail", "outbox", tmp_path / "club.pbem"))
        assert len(listed) == len(REFUSED) and set(listed) == REFUSED
        far.mended = True
        ok("mail", "resend", tmp_path / "club.pbem", "--refused")
        wait_until(lambda: not pending(store), says="letters wait")
        assert all(far.taken[name] == 1 for name, to in players.items() if to in REFUSED)
    store.close()


def tries_of(address: str) -> int:
    """How often a letter to this address is tried."""
    name = address.removesuffix(".example")
    host = name.partition("@")[2]
    if address in REFUSED:
        return 1
    return 1 + len(RCPT.get(host, [])) + len(DATA.get(host, []))


def rows(store: Store) -> list[OutboxRow]:
    with store.transaction() as session:
        return list(session.exec(select(OutboxRow)).all())
