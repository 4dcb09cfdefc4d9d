"""How a host takes letters: how many an hour, how their senders are checked, who answers strangers."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.config import Settings
from pbem.mail.senders import Gate, Senders
from pbem.service.intake.limits import Limits

TOPMOST = Senders()
EVERYBODY = Gate()


@dataclass(frozen=True, slots=True)
class Reception:
    """How letters are taken in.

    limits   the most in an hour; None for as many as come
    senders  how it is found out who wrote them
    vouched  whoever hands them over knows who wrote them, as on the command line
    public   the address at which strangers are answered; "" answers nobody
    gate     who may write, and who may ask to play
    """

    limits: Limits | None = None
    senders: Senders = TOPMOST
    vouched: bool = False
    public: str = ""
    gate: Gate = EVERYBODY


AS_IT_COMES = Reception()
"""Letters are taken as they come, and strangers are not answered."""


def reception(settings: Settings, *, limited: bool = False) -> Reception:
    """How the settings of a host let letters be taken in; with `limited` no more in an hour than they say."""
    most, known = settings.limits, settings.senders
    limits = Limits(most.letters_an_hour_seat, most.letters_an_hour_stranger, most.letters_an_hour)
    return Reception(
        limits if limited else None,
        Senders(tuple(known.server.split()), known.dkim),
        public=settings.address if known.answer_strangers else "",
        gate=Gate(known.deny, known.allow),
    )
