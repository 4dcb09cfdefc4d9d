"""Who wrote a letter: sender, secret and what the mail server found out, every combination of them."""

from __future__ import annotations

import re
import shutil
from itertools import product
from pathlib import Path

import pytest
from conftest import HOUR, NOW, begin
from postbox import Postbox
from sizes import some

from pbem.mail.address import reply_address
from pbem.mail.senders import Senders
from pbem.service.intake.reception import Reception
from pbem.service.moderating import people
from pbem.service.moderating.hosting import carry_out
from pbem.service.record.store import Store

HOW = {"by": "host", "why": ""}
OWN, BOB, SERVER = "rita@mail.example", "bob@mail.example", "mx.host.example"
NAMED = Reception(senders=Senders((SERVER,)))

SENDERS = {
    "own": OWN,
    "own, with a name": f'"Rita" <{OWN}>',
    "another of the owner": "rita@work.example",
    "the opponent": BOB,
    "a stranger with the owner's name": f'"{OWN}" <eve@evil.example>',
    "two": f"{OWN}, eve@evil.example",
    "none": "",
}
TOKENS = ("right", "of a question", "of another seat", "old", "guessed", "none")
CHECKS = {
    "pass": [f"Authentication-Results: {SERVER}; dmarc=pass"],
    "fail": [f"Authentication-Results: {SERVER}; dmarc=fail"],
    "none": [],
}


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game in which a letter of red is held, for both policies."""
    path = tmp_path_factory.mktemp("wrote")
    for policy in ("trusted", "checked"):
        store = Store.create(path / policy)
        begin(store)
        if policy == "checked":
            carry_out(store, "toy", NOW, lambda t: people.set_senders(t, "checked", **HOW))
        box = Postbox(store, "toy", "pbem@host.example", NOW + HOUR, how=NAMED)
        assert box.mail("red", "move R1 to 0201\n", sender="eve@x.example", to=old(box)).outcome == "held"
        store.close()
    return path


def opened(begun: Path, folder: Path, policy: str) -> Postbox:
    shutil.copy(begun / policy, folder / "toy.pbem")
    store = Store.open(folder / "toy.pbem")
    return Postbox(store, "toy", "pbem@host.example", NOW + 30 * HOUR, written=5, how=NAMED)


def old(box: Postbox) -> str:
    """The reply address of red before it was renewed."""
    address = box.reply_address("red")
    carry_out(box.store, "toy", box.now, lambda t: people.renew_token(t, "red", **HOW))
    return address


def asked(box: Postbox) -> str:
    """The address to which the question about the held letter is answered."""
    (letter,) = [row for row in box.outbox(OWN) if row.kind == "doubt"]
    found = re.search(rb"pbem\+toy\.red\.[a-z2-7]{16}@host\.example", letter.raw)
    assert found
    return found[0].decode()


def to(box: Postbox, token: str) -> str:
    if token == "right":
        return box.reply_address("red")
    if token == "of a question":
        return asked(box)
    if token == "old":
        return old(box)
    if token == "none":
        return box.server
    key = box.reply_address("blue").rpartition(".")[0].rpartition(".")[2]
    other = re.sub(r"\.[a-z2-7]{16}@", f".{key.partition('@')[0]}@", box.reply_address("red"))
    return other if token == "of another seat" else reply_address(box.server, "toy", "red", b"x" * 16)


def acts(policy: str, sender: str, token: str, check: str) -> bool:
    """A letter acts with the secret address and the registered one, if that is not disowned, and under the
    stricter policy confirmed; and whoever sends it with the secret that the registered address was sent."""
    if token == "of a question":
        return sender != "two"
    believed = check == "pass" if policy == "checked" else check != "fail"
    return token == "right" and sender.startswith("own") and believed


def learns(policy: str, sender: str, token: str, check: str) -> list[str]:
    """What the owner reads of a letter that is held."""
    if sender == "two":
        return ["its From header names 2 addresses"]
    if check == "fail":
        return ["its From address may be forged (it failed DMARC)"]
    wrong = {"right": "", "of a question": "", "none": "was not sent to your secret reply address"}
    said = [wrong.get(token, "was sent to a reply address that is not, or no longer, yours")]
    if not sender.startswith("own"):
        said.append("it did not come from your registered address")
    elif policy == "checked" and check == "none":
        said.append(f"nothing shows that it is from {OWN}, and this game asks for that")
    return [each for each in said if each]


@pytest.mark.parametrize(
    ("policy", "sender", "token"), some([*product(("trusted", "checked"), SENDERS, TOKENS)], 28)
)
def test_every_combination(begun: Path, tmp_path: Path, policy: str, sender: str, token: str) -> None:
    """Of 126 kinds of letters under each policy, each acts or is held; what is held changes nothing, and the
    owner alone reads why."""
    for number, check in enumerate(CHECKS):
        folder = tmp_path / str(number)
        folder.mkdir()
        box = opened(begun, folder, policy)
        address = to(box, token)
        last, before = box.last(), [row.hash for row in box.journal()]
        subject = "[toy] orders"
        raw = box.raw("red", "status\n", sender=SENDERS[sender], to=address, subject=subject,
                      headers=CHECKS[check])  # fmt: skip
        got = box.deliver(raw)
        stray = token == "none" and not (sender.startswith("own") or sender in ("the opponent", "two"))
        if stray:  # it names nobody's seat
            assert got.outcome == "quarantined" and box.outbox(after=last) == []
            continue
        mine = BOB if token == "none" and sender == "the opponent" else OWN
        assert {row.recipient for row in box.outbox(after=last)} == {mine}
        if acts(policy, sender, token, check):
            assert got.outcome == "accepted"
            continue
        assert got.outcome == "held"
        assert [row.hash for row in box.journal()] == before
        text = " ".join(" ".join(box.texts(mine, last)).split())
        if mine == OWN:
            assert all(each in text for each in learns(policy, sender, token, check)), text
        assert "If you sent it, answer this letter with one line: CONFIRM" in text


def test_the_secret_of_a_question_is_good_once(begun: Path, tmp_path: Path) -> None:
    """Under the stricter policy, with a mail server that confirms nobody: the owner confirms from any address
    to which the question was forwarded; afterwards the secret is no more than a reply address."""
    box = opened(begun, tmp_path, "checked")
    address, last = asked(box), box.last()
    assert box.mail("red", "confirm\n", sender="rita@phone.example", to=address).outcome == "accepted"
    assert "Your email from eve@x.example" in box.texts(after=last)[-1]
    assert box.mail("red", "status\n", sender="rita@phone.example", to=address).outcome == "held"
    assert box.mail("red", "status\n", to=address, headers=CHECKS["pass"]).outcome == "held"


def test_an_old_question_is_answered_as_any_letter(begun: Path, tmp_path: Path) -> None:
    """Whoever answers the question later is known by its thread: its secret stands for the reply address."""
    box = opened(begun, tmp_path, "trusted")
    address = asked(box)
    (letter,) = [row for row in box.outbox(OWN) if row.kind == "doubt"]
    assert box.mail("red", "confirm none\n", to=address).outcome == "accepted"
    answers = [f"In-Reply-To: {letter.message_id}"]
    assert box.mail("red", "status\n", to=address, headers=answers).outcome == "accepted"
    evil = {"sender": "eve@evil.example", "headers": answers}
    assert box.mail("red", "status\n", to=address, **evil).outcome == "held"
