"""Who may do what by mail: roles, commands and proofs, all of them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import HOUR, NOW, begin
from postbox import Postbox
from test_rulings import played

from pbem.mail.address import hash_password, reply_address
from pbem.service.moderating import held, people
from pbem.service.moderating.hosting import carry_out
from pbem.service.moderating.roles import COMMANDS, ENOUGH
from pbem.service.moderating.start import Player
from pbem.service.record.rows import ROLES
from pbem.service.record.store import Store, staff

HOW = {"by": "host", "why": ""}
ADDRESSES = {
    "player": "bob@mail.example",
    "moderator": "mod@host.example",
    "observer": "ed@x.example",
    "stranger": "eve@x.example",
}
KEYS = {"player": "blue", "moderator": "moderator", "observer": "observer", "stranger": "green"}
FAILED = "Authentication-Results: mx.host.example; dmarc=fail"
PASSWORD = "password: sesame\n"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy game after a roll, R1, with an observer; everybody has a password, and a letter is held."""
    path = tmp_path_factory.mktemp("roles") / "toy.pbem"
    store = Store.create(path)
    begin(store, blue=Player("Bob", ADDRESSES["player"], password="sesame"))
    played(store)
    carry_out(store, "toy", NOW, lambda t: people.add_staff(t, "observer", ADDRESSES["observer"], **HOW))
    with store.transaction() as session:
        for row in staff(session, "toy"):
            row.password = hash_password("sesame")
            session.add(row)
    box = Postbox(store, "toy", "pbem@host.example", NOW + 6 * HOUR)
    assert box.mail("red", "move R1 to 0201\n", sender="eve@x.example").outcome == "held"
    store.close()
    return path


@pytest.fixture
def box(begun: Path, tmp_path: Path) -> Postbox:
    shutil.copy(begun, tmp_path / "toy.pbem")
    store = Store.open(tmp_path / "toy.pbem")
    return Postbox(store, "toy", "pbem@host.example", NOW + 8 * HOUR, written=1)


def renewed(box: Postbox, role: str) -> dict[str, Any]:
    """The reply address that somebody had before it was renewed."""
    old = box.reply_address(KEYS[role])
    carry_out(box.store, "toy", box.now, lambda t: people.renew_token(t, KEYS[role], **HOW))
    return {"to": old}


def guessed(box: Postbox) -> str:
    return reply_address(box.server, "toy", "moderator", b"x" * 16)


Way = Callable[[Postbox, str], dict[str, Any]]

WAYS: dict[str, Way] = {
    "right token, own address": lambda box, role: {},
    "right token, foreign address": lambda box, role: {"sender": "carla@phone.example"},
    "right token, no address": lambda box, role: {"sender": ""},
    "right token, DMARC failed": lambda box, role: {"headers": [FAILED]},
    "old token, own address": renewed,
    "password and right token, foreign address": lambda box, role: {"sender": "carla@phone.example"},
    "password and own address, no token": lambda box, role: {"to": box.server, "subject": "[toy] x"},
    "password and old token, own address": renewed,
    "password and old token, foreign address": lambda box, role: (
        renewed(box, role) | {"sender": "carla@phone.example"}
    ),
    "password alone": lambda box, role: {"to": box.server, "sender": "carla@phone.example"},
    "wrong password and right token, foreign address": lambda box, role: {"sender": "carla@phone.example"},
    "own address, no token": lambda box, role: {"to": box.server, "subject": "[toy] x"},
    "own address, DMARC failed, no token": lambda box, role: {"to": box.server, "headers": [FAILED]},
}
"""How a letter may come, whoever writes it."""

ACTS = {
    "right token, own address",
    "password and right token, foreign address",
    "password and own address, no token",
    "password and old token, own address",
}
SET_ASIDE = {"password alone"}
"""What acts, and what claims to be nobody's; anything else is held, and its owner asked."""


def outcome_of(role: str, way: str) -> str:
    if way in ACTS:
        return "accepted"
    return "quarantined" if way in SET_ASIDE else "held"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("role", ["player", *ROLES])
def test_what_proves_a_letter(box: Postbox, role: str, way: str) -> None:
    """Two of secret address, sender and password prove it, for every role alike; what is not proved is held,
    changes nothing, and its owner alone is asked."""
    how = WAYS[way](box, role)
    password = PASSWORD if "password" in way else ""
    password = password.replace("sesame", "guess") if "wrong" in way else password
    key, before, last = KEYS[role], [row.hash for row in box.journal()], box.last()
    raw = box.raw(key, f"{password}STATUS\n", **how)
    assert box.deliver(raw).outcome == outcome_of(role, way)
    told = {row.recipient for row in box.outbox(after=last)}
    assert told == (set() if way in SET_ASIDE else {ADDRESSES[role]})
    assert [row.hash for row in box.journal()] == before
    assert all("sesame" not in text and "guess" not in text for text in box.texts(after=last))


STRANGER: dict[str, tuple[Way, str]] = {
    "to the server": (lambda box, role: {"to": box.server}, "quarantined"),
    "to a seat that is not there": (
        lambda box, role: {"to": "pbem+toy.green.aaaaaaaaaaaaaaaa@host.example"}, "quarantined",
    ),
    "to a game that is not there": (
        lambda box, role: {"to": "pbem+mill.moderator.aaaaaaaaaaaaaaaa@host.example"}, "quarantined",
    ),
    "a guessed token": (lambda box, role: {"to": guessed(box)}, "held"),
    "a token that leaked": (lambda box, role: {"to": box.reply_address("moderator")}, "held"),
    "a guessed token in another's name": (
        lambda box, role: {"to": guessed(box), "sender": ADDRESSES["moderator"]}, "held",
    ),
    "a leaked token, a forged name and DMARC": (
        lambda box, role: {
            "to": box.reply_address("moderator"), "sender": ADDRESSES["moderator"], "headers": [FAILED],
        }, "held",
    ),
}  # fmt: skip


@pytest.mark.parametrize("line", ["UPHOLD R1", "STATUS", "SHOW R1", "RELEASE 1", "HELP"])
@pytest.mark.parametrize("way", STRANGER)
def test_a_stranger_does_nothing(box: Postbox, way: str, line: str) -> None:
    """Whatever he knows of the address of another, nothing acts and nothing is told him."""
    how, outcome = STRANGER[way]
    before, last = [row.hash for row in box.journal()], box.last()
    raw = box.raw("moderator", f"{line}\n", **({"sender": ADDRESSES["stranger"]} | how(box, "stranger")))
    assert box.deliver(raw).outcome == outcome
    assert [row.hash for row in box.journal()] == before
    assert {row.recipient for row in box.outbox(after=last)} <= {ADDRESSES["moderator"]}


# command -> what a moderator, an observer and a player who sends it get
MATRIX = {
    "UPHOLD R1 because 3.1 says so": ("done", "refused", "unread"),
    "REROLL R1 because cocked": ("asked", "refused", "unread"),
    "SET R1 5 because agreed": ("asked", "refused", "unread"),
    "STRIKE J4 because agreed": ("asked", "refused", "unread"),
    "CORRECT J5 move R2 to 0202 because misread": ("asked", "refused", "unread"),
    "BACK turn 1 because agreed": ("asked", "refused", "unread"),
    "POSITION units.R2=0302 because misread": ("asked", "refused", "unread"),
    "EXTEND 2d because holidays": ("done", "refused", "a player's own"),
    "PAUSE": ("done", "refused", "unread"),
    "CONTINUE": ("done", "refused", "unread"),
    "RELEASE {held}": ("done", "refused", "unread"),
    "DISCARD {held}": ("asked", "refused", "unread"),
    "SHOW R1": ("told", "refused", "unread"),
    "JOIN red dora@mail.example because she asked": ("done", "refused", "unread"),
    "PROPOSE REROLL R1 because cocked": ("done", "refused", "unread"),
    "SIGN 1": ("refused", "refused", "unread"),
    "REFUSE 1": ("refused", "refused", "a player's own"),
    "SIGNERS 2": ("done", "refused", "unread"),
    "UNDO": ("refused", "refused", "a player's own"),
    "RESTART": ("done", "refused", "unread"),
    "AWAY red 2027-07-01 2027-07-14": ("done", "refused", "unread"),
    "TERMS clock 3d, missed hold": ("done", "refused", "unread"),
    "FORCE": ("asked", "refused", "unread"),
    "RESUME": ("refused", "refused", "unread"),
    "END draw because agreed": ("asked", "refused", "unread"),
    "REPLACE red Dora <dora@mail.example>": ("asked", "refused", "unread"),
    "SUBSTITUTE red dora@mail.example": ("asked", "refused", "unread"),
    "RETURN red": ("refused", "refused", "unread"),
    "EJECT red": ("asked", "refused", "unread"),
    "BOT red greedy": ("asked", "refused", "unread"),
    "STANDBY dora@mail.example": ("done", "refused", "unread"),
    "ADDRESS red anna@new.example": ("asked", "refused", "unread"),
    "NAME red Anna B.": ("done", "refused", "unread"),
    "TOKEN red": ("asked", "refused", "unread"),
    "ADD moderator dora@mail.example": ("asked", "refused", "unread"),
    "DELAY observer 2": ("done", "refused", "unread"),
    "REMOVE observer": ("asked", "refused", "unread"),
    "SENDERS checked": ("done", "refused", "unread"),
    "ANONYMOUS yes": ("done", "refused", "unread"),
    "ADVICE no": ("done", "refused", "unread"),
    "MUTE red": ("done", "refused", "a player's own"),
    "UNMUTE red": ("refused", "refused", "a player's own"),
    "OPEN yes": ("done", "refused", "unread"),
    "RELIABILITY public": ("done", "refused", "unread"),
    "LIST": ("told", "refused", "unread"),
    "RULINGS 3.1": ("told", "refused", "a player's own"),
    "LOG red turn 1": ("told", "refused", "a player's own"),
    "MAP all": ("told", "refused", "a player's own"),
    "BECOME red": ("told", "refused", "unread"),
    "PEOPLE": ("told", "refused", "unread"),
    "PRESS red: hello": ("done", "refused", "a player's own"),
    "STATUS": ("told", "told", "a player's own"),
    "HELP": ("told", "told", "a player's own"),
    "CONFIRM 00000000": ("refused", "refused", "a player's own"),
}


NOTHING_TO_DO = ("UNDO", "RESUME", "RETURN", "SIGN ", "REFUSE", "UNMUTE")
"""Commands that a moderator may give and for which the game has nothing to do."""


def test_the_matrix_is_whole() -> None:
    """Every command of the table of roles is tried, and every role in it is one that there is."""
    assert {line.split()[0] for line in MATRIX} == set(COMMANDS)
    assert {role for command in COMMANDS.values() for role in command.roles} == set(ROLES)
    assert all(len(enough) == 2 for enough in ENOUGH if enough != {"asked"})


@pytest.mark.parametrize("role", ["moderator", "observer", "player"])
@pytest.mark.parametrize("line", MATRIX)
def test_every_role_gives_every_command(box: Postbox, role: str, line: str) -> None:
    """What acts is one event or more of the journal; what asks first, is refused or only tells is none."""
    if line == "CONTINUE":
        box.mail("moderator", "PAUSE\n")
    sent = line.format(held=held.letters(box.store)[0].number)
    if line.startswith("JOIN"):
        carry_out(box.store, "toy", box.now, lambda t: people.eject(t, "red", **HOW))
    expected = MATRIX[line][("moderator", "observer", "player").index(role)]
    before, last = len(box.journal()), box.last()
    box.mail(KEYS[role], f"{sent}\n")
    (text,) = box.texts(ADDRESSES[role], last)[-1:]
    acted = len(box.journal()) > before
    if expected == "a player's own":
        assert "may do this" not in text
        return
    assert acted == (expected == "done")
    assert ("Nothing is done yet." in text and " CODE " in text) == (expected == "asked")
    if role != "player":
        assert ("Not done:" in text) == (expected == "refused")
        nothing = line.startswith(NOTHING_TO_DO) and role == "moderator"
        allowed = nothing or line.startswith("CONFIRM")
        assert ("may do this" in text) == (expected == "refused" and not allowed)


def test_the_guide_has_the_table(box: Postbox) -> None:
    """MODERATING.md says of every command what it does, who may give it and whether it asks first."""
    guide = (Path(__file__).parents[2] / "pbem/service/MODERATING.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| `([A-Z].*?)` \| (.*?) \| (.*?) \| (.*?) \|$", guide, flags=re.MULTILINE)
    wanted = [
        (each.usage, each.help, " and ".join(f"{role}s" for role in each.roles), each.how)
        for each in COMMANDS.values()
    ]
    assert found == wanted
