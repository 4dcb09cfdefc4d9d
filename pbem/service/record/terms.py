"""The host's settings for one game, as its row keeps them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from pbem.fields import Address, Person, Zone, faults, person
from pbem.mail.address import ReplyTo, reply_to
from pbem.service.record.dice_rules import DiceRule

LONGEST_CLOCK = 10_000
"""The longest time to answer in, in hours: more than a year."""

MOST_THOUGHT = 100_000
"""The most decisions that a planner imagines in a turn."""

WEEK = "mon tue wed thu fri sat sun"

Missed = Literal["wait", "standing", "hold", "bot", "substitute"]
Disputes = Literal["wait", "go on"]
Token = Literal["address", "subject"]
Believed = Literal["trusted", "checked"]
Reliability = Literal["private", "public"]
Press = Literal["signed", "anonymous"]


def _days(text: str) -> str:
    """Return weekdays in their order, each once. Raise ValueError for others, and for none."""
    given = text.lower().replace(",", " ").split()
    if strange := [day for day in given if day not in WEEK.split()]:
        raise ValueError(f'"{strange[0]}" is not a weekday; write some of {WEEK}')
    if not given:
        raise ValueError(f"at least one weekday must count; write some of {WEEK}")
    return " ".join(day for day in WEEK.split() if day in given)


Days = Annotated[str, AfterValidator(_days)]


class Terms(BaseModel):
    """What a host decides for a game: the server's address, the first moderator, and the clock.

    `token` is where the secret of a seat stands: in the address to which it answers, or in the subject, where
    a provider has no addresses with a `+`.

    With `bank_hours` each player has that much time for the whole game, and letters have no time of their own
    (bank.py). `days` are the weekdays that count, `grace_hours` how long pbem waits after a deadline before
    it acts, `minimum_hours` the least time to answer in, and
    `missed` what happens when a seat misses one (deadline.py). `remind_hours` is how long before a deadline
    a reminder goes out (0: none; not given: a day if there are two days or more to answer in). `standby` is
    who takes the seat of a player who misses a deadline, where `missed` is "substitute". `dice` is
    what the dice hang on (dice_rules.py). With `disputes` "wait" the clock is stopped while a roll is
    disputed, for at most `dispute_days` (disputes/waiting.py). With `senders` "trusted"
    a registered address counts unless the mail server disowns the letter (DMARC), with "checked" only if it
    was found genuine (intake/receive.py). Strangers may find an `open` game (intake/strangers.py).
    With `reliability` "public" players and strangers read how reliable each player has been here
    (record/reliability.py), with "private" only its host and moderators do.
    A ruling of a moderator is made when `signers` of them stand for it (moderating/proposals.py). With
    `press` "anonymous" players may write to each other without their names, and with `advice` ask what the
    planner would do in their place (intake/commands.py). `think` is how many decisions a planner imagines in
    each turn (time/thinking.py).
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    address: Address = "pbem@localhost"
    token: Token = "address"
    moderator: Address = ""
    moderator_name: str = ""
    clock_hours: float = Field(0, ge=0, le=LONGEST_CLOCK)
    bank_hours: float = Field(0, ge=0, le=LONGEST_CLOCK)
    clock_at: int = Field(0, ge=0, le=23)
    zone: Zone = "UTC"
    days: Days = WEEK
    grace_hours: float = Field(0, ge=0, le=LONGEST_CLOCK)
    minimum_hours: float = Field(0, ge=0, le=LONGEST_CLOCK)
    missed: Missed = "standing"
    dice: DiceRule = "salts"
    remind_hours: float = Field(0, ge=0, le=LONGEST_CLOCK)
    standby: Person = ""
    disputes: Disputes = "go on"
    dispute_days: int = Field(3, ge=1, le=99)
    senders: Believed = "trusted"
    open: bool = False
    signers: Literal[1, 2] = 1
    reliability: Reliability = "private"
    press: Press = "signed"
    advice: bool = True
    think: int = Field(0, ge=0, le=MOST_THOUGHT)


def settled(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as a game's row keeps them: checked, none empty, the moderator as name and address.

    Raise ValueError naming everything that is wrong.
    """
    values = {key: value for key, value in settings.items() if value not in (None, "")}
    if "<" in str(values.get("moderator", "")):
        name, values["moderator"] = person(str(values["moderator"]))
        values = ({"moderator_name": name} if name else {}) | values
    try:
        return Terms.model_validate(values).model_dump(exclude_unset=True)
    except ValidationError as error:
        raise ValueError(faults(error, Terms)) from error


def replies_to(settings: Mapping[str, Any], game: str, key: str, secret: bytes, scope: str = "") -> ReplyTo:
    """How letters to a seat, or to one of the staff, are answered under the settings of the game; with a
    `scope` by a secret that is good for nothing else. Raise ValueError for names that do not fit."""
    base = settings.get("address", Terms().address)
    return reply_to(base, game, key, secret, scope, in_subject=in_subject(settings))


def in_subject(settings: Mapping[str, Any]) -> bool:
    """Whether letters of a game carry their secret in the subject."""
    return bool(settings.get("token") == "subject")


def is_public(settings: Mapping[str, Any]) -> bool:
    """Whether everybody may read how reliable the players of a game are."""
    return bool(settings.get("reliability") == "public")


def is_advised(settings: Mapping[str, Any]) -> bool:
    """Whether players may ask what the planner would do in their place."""
    return bool(settings.get("advice", True))


def in_words(terms: Mapping[str, Any]) -> str:
    """Return terms as they are written on the command line: ``grace: 6h, missed: wait``."""
    return ", ".join(
        f"{name.removesuffix('_hours')}: {span(value)}"
        if name.endswith("_hours")
        else f"{name.replace('_', ' ')}: {value}"
        for name, value in terms.items()
    )


def span(hours: float) -> str:
    """Return hours as ``2d``, ``1d12h`` or ``6h``."""
    days, rest = divmod(int(hours), 24)
    return (f"{days}d" if days else "") + (f"{rest}h" if rest or not days else "")


def hours(text: str) -> float:
    """Return ``3d``, ``36h`` or ``1d12h`` in hours. Raise ValueError for anything else."""
    match = re.fullmatch(r"(?:(\d{1,4})d)?(?:(\d{1,5})h)?", text.strip().lower())
    if not match or not any(match.groups()):
        raise ValueError(f'write a time as 3d, 36h or 1d12h, not "{text}"')
    return 24.0 * int(match[1] or 0) + int(match[2] or 0)
