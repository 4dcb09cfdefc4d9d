"""Who may do what by mail, and what proves that a letter is whose it claims to be: the one table that the
readers of letters go by.

A host works on the machine itself, with the command line: who can reach the game file needs no proof.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from pbem.engine.wording import unknown
from pbem.service.letters.ruled import What
from pbem.service.record.errors import StoreError

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
    """A command of the staff. `words` is a pattern of what follows its name, in any case of letters; `how`
    says whether it only tells, acts at once, or is first answered with what it would do; `shell` is what the
    command line calls it, which may be written by mail too; `reason` whether ``because ...`` may follow."""

    name: str
    usage: str
    words: str
    how: How
    help: str
    shell: str = ""
    roles: tuple[Role, ...] = ("moderator",)
    reason: bool = True

    @property
    def needs_reason(self) -> bool:
        """Whether it is not done without a reason: it changes what was played."""
        return self.how == "asks first" and self.shell.startswith(("rule", "end"))

    @property
    def is_free(self) -> bool:
        """Whether its words may hold any sign, so that only ``because`` parts them from the reason."""
        return self.name in ("PRESS", "CORRECT", "POSITION", "PROPOSE")


_BOTH: tuple[Role, ...] = ("moderator", "observer")
_WHO = r".*\S+@\S+"
_RULED = "UPHOLD|REROLL|SET|STRIKE|CORRECT|BACK|POSITION"
_DAY = r"\d{4}-\d\d-\d\d"

SECTIONS: Mapping[str, tuple[Command, ...]] = {
    "Rolls and orders": (
        Command("UPHOLD", "UPHOLD R22", r"R\d+", "acts", "the roll stands", "rule uphold"),
        Command("REROLL", "REROLL R22", r"R\d+", "asks first", "the roll is thrown again", "rule reroll"),
        Command("SET", "SET R22 5", r"R\d+ .+", "asks first", "the roll shows 5", "rule set"),
        Command("STRIKE", "STRIKE J45", r"J\d+", "asks first", "the order no longer counts", "rule strike"),
        Command(
            "CORRECT", "CORRECT J45 1A to 2126", r"J\d+ .+", "asks first",
            "another order or choice takes its place", "rule correct",
        ),
        Command(
            "BACK", "BACK turn 2", r"R\d+|J\d+|turn \d+|t\d+\.\S+", "asks first",
            "back to before R22, J45, turn 2 or a phase", "rule back",
        ),
        Command(
            "POSITION", "POSITION units.1A.hex=2126", r"\S+=.*", "asks first",
            "history stands, and the position is corrected", "rule position",
        ),
        Command(
            "PROPOSE", "PROPOSE REROLL R22", rf"(?:{_RULED}) \S.*", "acts",
            "a ruling that is made when all who play agree", "rule propose",
        ),
        Command("SIGN", "SIGN 3", r"\d+", "acts", "you sign ruling 3 of another moderator"),
        Command("REFUSE", "REFUSE 3", r"\d+", "acts", "you do not, or take yours back"),
        Command("UNDO", "UNDO", "", "asks first", "the most recent orders are taken back", "undo"),
    ),
    "The clock": (
        Command(
            "EXTEND", "EXTEND 2d", r"(?:\d+d)?(?:\d+h)?", "acts", "the deadline comes later, by 2d or 12h",
            "deadline extend",
        ),
        Command("PAUSE", "PAUSE", "", "acts", "the clock stops", "deadline pause"),
        Command("CONTINUE", "CONTINUE", "", "acts", "the clock goes on", "deadline continue"),
        Command(
            "RESTART", "RESTART", "", "acts", "the whole time to answer runs anew",
            "deadline restart",
        ),
        Command(
            "AWAY", "AWAY german 2027-07-01 2027-07-14", rf"\S+ {_DAY} {_DAY}", "acts",
            "deadlines of these days move to their end", "deadline away",
        ),
        Command(
            "TERMS", "TERMS clock 3d, missed wait", r"\S+ \S.*", "acts",
            "other terms of the clock", "deadline terms",
        ),
        Command(
            "FORCE", "FORCE", "", "asks first", "the deadline is applied now", "adjudicate --force",
        ),
    ),
    "The game and its people": (
        Command(
            "RESUME", "RESUME", "", "acts", "a stopped game goes on", "adjudicate --resume",
        ),
        Command(
            "END", "END draw", r"\S+", "asks first",
            "draw, abandoned, annulled, or the seat that wins", "end",
        ),
        Command(
            "JOIN", "JOIN german dora@mail.example", rf"\S+ {_WHO}", "acts",
            "a seat that nobody plays is theirs", "player join",
        ),
        Command(
            "REPLACE", "REPLACE german dora@mail.example", rf"\S+ {_WHO}", "asks first",
            "the seat is theirs for good", "player replace",
        ),
        Command(
            "SUBSTITUTE", "SUBSTITUTE german dora@mail.example", rf"\S+ {_WHO}", "asks first",
            "the seat is theirs until RETURN german", "player substitute",
        ),
        Command(
            "RETURN", "RETURN german", r"\S+", "asks first", "the seat goes back to its player",
            "player back",
        ),
        Command(
            "EJECT", "EJECT german", r"\S+", "asks first", "nobody plays it until somebody joins",
            "player eject",
        ),
        Command(
            "BOT", "BOT german greedy", r"\S+ (?:random|greedy|planner|none)", "asks first",
            "random, greedy, planner; none: its player again", "bot",
        ),
        Command(
            "STANDBY", "STANDBY dora@mail.example", rf"{_WHO}|nobody", "acts",
            "takes a seat that misses a deadline; or nobody", "player standby",
        ),
        Command(
            "ADDRESS", "ADDRESS german new@mail.example", r"\S+ \S+@\S+", "asks first",
            "letters to the seat go there", "player address",
        ),
        Command(
            "NAME", "NAME german Dora D.", r"\S+ \S.*", "acts", "what the player is called", "player name",
        ),
        Command(
            "TOKEN", "TOKEN german", r"\S+", "asks first", "a new reply address, or code",
            "player token",
        ),
        Command(
            "ADD", "ADD observer ed@mail.example", rf"(?:moderator|observer) {_WHO}", "asks first",
            "a moderator or an observer more", "player add",
        ),
        Command(
            "DELAY", "DELAY observer 2", r"\S+ (?:\d+|end)", "acts",
            "turns that an observer is behind, or end", "player delay",
        ),
        Command(
            "REMOVE", "REMOVE observer", r"\S+", "asks first", "a moderator or an observer less",
            "player remove",
        ),
        Command(
            "SENDERS", "SENDERS checked", "checked|trusted", "acts",
            "which senders count: checked or trusted", "player senders",
        ),
        Command(
            "SIGNERS", "SIGNERS 2", "[12]", "acts", "how many moderators a ruling needs", "player signers",
        ),
        Command(
            "ANONYMOUS", "ANONYMOUS yes", "yes|no", "acts", "players may write press without a name, or no",
            "player anonymous",
        ),
        Command(
            "ADVICE", "ADVICE no", "yes|no", "acts", "players may ask what the planner would do, or no",
            "player advice",
        ),
        Command("MUTE", "MUTE german", r"\S+", "acts", "no press of theirs to other players", "player mute"),
        Command("UNMUTE", "UNMUTE german", r"\S+", "acts", "their press goes on", "player unmute"),
        Command(
            "OPEN", "OPEN yes", "yes|no", "acts", "strangers may ask to play, or no",
            "player open",
        ),
        Command(
            "RELIABILITY", "RELIABILITY public", "public|private", "acts",
            "who reads of late letters: public or private", "player reliability",
        ),
    ),
    "Letters": (
        Command("RELEASE", "RELEASE 17", r"\d+", "acts", "letter 17 acts as if confirmed", "mail release"),
        Command("DISCARD", "DISCARD 17", r"\d+", "asks first", "letter 17 never acts", "mail discard"),
        Command(
            "PRESS", "PRESS german: your words", r"[^:]+:.+", "acts", "a message to a player, or to all",
            reason=False,
        ),
        Command(
            "CONFIRM", "CONFIRM 1f2e3d4c", r"[0-9a-f]{8}|none", "acts", "a letter that was held is yours",
            roles=_BOTH, reason=False,
        ),
    ),
    "To look": (
        Command(
            "LIST", "LIST", r"(?:turn \d+)?", "tells",
            "what rulings can name, now or in turn 2", "rule list", reason=False,
        ),
        Command(
            "SHOW", "SHOW R22", r"R?\d+", "tells", "all about a roll, or SHOW 17: a letter", "dice show",
            reason=False,
        ),
        Command(
            "RULINGS", "RULINGS 9.2", r"[\w.' -]*", "tells",
            "those of this game, and of games that are over", "rule find", reason=False,
        ),
        Command(
            "LOG", "LOG german turn 2", r"(?!turn\b)\S*(?: ?turn \d+)?|turn \d+", "tells",
            "the log of a seat, or the whole one: LOG", "log", reason=False,
        ),
        Command(
            "MAP", "MAP german", r"\S*(?: ?turn \d+)?", "tells",
            "the map of a seat; MAP: the whole; MAP all: each", "map", reason=False,
        ),
        Command(
            "BECOME", "BECOME german", r"\S+", "tells", "the last letter to a seat",
            reason=False,
        ),
        Command(
            "PEOPLE", "PEOPLE", "", "tells", "who plays and how reliably, and the staff", "player list",
            reason=False,
        ),
        Command(
            "STATUS", "STATUS", "", "tells", "where the game is, and who it is waiting for", "status", _BOTH,
            reason=False,
        ),
        Command("HELP", "HELP", "", "tells", "these lines", roles=_BOTH, reason=False),
    ),
}  # fmt: skip
"""The commands of the staff by what they are about."""

COMMANDS: Mapping[str, Command] = {
    command.name: command for section in SECTIONS.values() for command in section
}
"""The commands of the staff, by name. Players have those of their games (engine/language)."""


def parted(what: What, words: str) -> tuple[str, str]:
    """The words of a ruling as what it is about and what takes its place ("" for those that need nothing)."""
    about, _, value = words.partition(" ") if what in ("set", "correct") else (words, "", "")
    return about if what in ("position", "back") else about.upper(), value


def ruling_written(words: str) -> tuple[What, str, str]:
    """A ruling as its command is written, ``SET R22 5``: what it is, what it is about, and what takes its
    place. Raises StoreError."""
    name, _, rest = words.strip().partition(" ")
    rulings = {each.upper(): each for each in get_args(What) if each != "undo"}
    if name.upper() not in rulings:
        raise StoreError(unknown("there is no ruling", name, rulings))
    command = COMMANDS[name.upper()]
    if not re.fullmatch(command.words, rest.strip(), re.IGNORECASE):
        raise StoreError(f"write the ruling as: {command.usage}")
    what = rulings[name.upper()]
    return what, *parted(what, rest.strip())


def proved(proofs: Collection[Proof]) -> bool:
    """Whether a letter with these proofs may act in the name that it claims."""
    return any(enough <= set(proofs) for enough in ENOUGH)


def commands_of(role: str) -> list[Command]:
    """The commands that one of the staff may give."""
    return [command for command in COMMANDS.values() if role in command.roles]
