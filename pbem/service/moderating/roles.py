"""Who may do what by mail, and what proves that a letter is whose it claims to be: the one table that the
readers of letters go by.

A host works on the machine itself, with the command line: who can reach the game file needs no proof.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

Role = Literal["player", "moderator", "observer"]
"""What somebody is in a game who writes letters to it. A stranger is nothing."""

Proof = Literal["token", "address", "password", "asked"]
"""token: the letter came to the secret reply address; address: from the registered address, and its sender is
not in doubt (two senders, DMARC failed, or what else the game asks for); password: it gives the password;
asked: it answers the question about a held letter, with the secret that only this question had."""

ENOUGH: tuple[frozenset[Proof], ...] = (
    frozenset({"token", "address"}),
    frozenset({"token", "password"}),
    frozenset({"address", "password"}),
    frozenset({"asked"}),
)
"""What proves a letter, whatever it says: two of the first three, or that the registered address was asked.
Any other is held, and its owner asked."""

ELSEWHERE: frozenset[Proof] = frozenset({"token", "address"})
"""What proves a moderator in other games, in which he has the same address."""

How = Literal["tells", "acts", "asks first"]


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the staff. `how` says whether it only tells, acts at once, or is first answered with what
    it would do; `reason` whether ``because ...`` may follow."""

    name: str
    usage: str
    roles: tuple[Role, ...]
    how: How
    help: str
    reason: bool = False


_BOTH: tuple[Role, ...] = ("moderator", "observer")
_MODERATOR: tuple[Role, ...] = ("moderator",)

COMMANDS: Mapping[str, Command] = {
    command.name: command
    for command in (
        Command("UPHOLD", "UPHOLD R22", _MODERATOR, "acts", "the roll stands", True),
        Command("REROLL", "REROLL R22", _MODERATOR, "asks first", "the roll is thrown again", True),
        Command("SET", "SET R22 5", _MODERATOR, "asks first", "the roll shows 5", True),
        Command("STRIKE", "STRIKE J45", _MODERATOR, "asks first", "the order no longer counts", True),
        Command(
            "CORRECT", "CORRECT J45 1A to 2126", _MODERATOR, "asks first",
            "another order or choice takes its place", True,
        ),
        Command(
            "BACK", "BACK turn 2", _MODERATOR, "asks first",
            "the game goes back to before R22, J45, turn 2 or a phase", True,
        ),
        Command(
            "POSITION", "POSITION units.1A.hex=2126", _MODERATOR, "asks first",
            "history stands, and the position is corrected", True,
        ),
        Command("EXTEND", "EXTEND 2d", _MODERATOR, "acts", "the deadline comes later, by 2d or 12h", True),
        Command("PAUSE", "PAUSE", _MODERATOR, "acts", "the clock stops", True),
        Command("CONTINUE", "CONTINUE", _MODERATOR, "acts", "the clock goes on", True),
        Command("RELEASE", "RELEASE 17", _MODERATOR, "acts", "letter 17 acts as if confirmed", True),
        Command("DISCARD", "DISCARD 17", _MODERATOR, "asks first", "letter 17 never acts", True),
        Command(
            "JOIN", "JOIN german dora@mail.example", _MODERATOR, "acts", "a seat that nobody plays is theirs",
            True,
        ),
        Command("SHOW", "SHOW R22", _MODERATOR, "tells", "all about a roll, or SHOW 17: a letter"),
        Command(
            "PRESS", "PRESS german: your words", _MODERATOR, "acts", "a message to a player, or to all"
        ),
        Command("STATUS", "STATUS", _BOTH, "tells", "where the game is, and who it is waiting for"),
        Command("HELP", "HELP", _BOTH, "tells", "these lines"),
        Command("CONFIRM", "CONFIRM 1f2e3d4c", _BOTH, "acts", "a letter that was held is yours"),
    )
}  # fmt: skip
"""The commands of the staff, by name. Players have those of their games (engine/language)."""


def proved(proofs: Collection[Proof]) -> bool:
    """Whether a letter with these proofs may act in the name that it claims."""
    return any(enough <= set(proofs) for enough in ENOUGH)


def commands_of(role: str) -> list[Command]:
    """The commands that one of the staff may give."""
    return [command for command in COMMANDS.values() if role in command.roles]
