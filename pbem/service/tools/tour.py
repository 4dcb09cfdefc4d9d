"""Use case: the tutorial, played by somebody who does what its letters say, for a newcomer to look on.

A newcomer of one's own plays the same game by mail: ``pbem new tour``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from pbem.engine.errors import DataError
from pbem.mail.letter import parse
from pbem.service.intake.submit import submit
from pbem.service.moderating.start import start
from pbem.service.proof.lines import letter_text
from pbem.service.tools.demo import Demo, Example, ExampleGame, ExamplePlayer, new_store, send, show, write

GAME, SEAT = "tour", "red"
SEND = "Send:"
"""The line of a lesson below which stands, set in, what to send."""

PAUSE = timedelta(minutes=20)
"""How long the newcomer takes for a letter."""

MOST_LETTERS = 12
"""The lessons take six letters; a fault in them must not go on for ever."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A letter from pbem, as a file and as lines, and what the newcomer sends back: nothing after the last
    one."""

    file: Path
    subject: str
    lines: tuple[str, ...]
    sends: tuple[str, ...]


def tour(folder: Path) -> tuple[Demo, tuple[Exchange, ...]]:
    """Play the tutorial into `folder` by its own letters. Return what was left there, and each letter.

    Raise DataError for a folder that holds a game already.
    """
    player = ExamplePlayer(name="Nell", address="nell@example.org")
    example = Example(game=ExampleGame(game=GAME, id=GAME, seed="tour"), players={SEAT: player})
    done, exchanges = Demo(folder, played="A newcomer did what the letters say."), list[Exchange]()
    store, now = new_store(folder), example.game.start
    try:
        start(store, example.new(), now)
        while True:
            send(store, example, folder, now)
            exchanges.append(_newest(folder / "letters" / SEAT))
            if not exchanges[-1].sends:
                break
            if len(exchanges) > MOST_LETTERS:
                raise DataError(f"the tutorial has not ended after {MOST_LETTERS} letters")
            now += PAUSE
            submit(store, GAME, SEAT, "\n".join(exchanges[-1].sends), now)
        write(store, example, done, now)
        show(done)
    finally:
        store.close()
    return done, tuple(exchanges)


def to_send(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the lines that the lesson of a letter tells its reader to send; none if it has no lesson."""
    if SEND not in lines:
        return ()
    return tuple(_set_in(lines[lines.index(SEND) + 1 :]))


def _set_in(lines: Iterable[str]) -> Iterable[str]:
    for line in lines:
        if not line.startswith("    "):
            return
        yield line.strip()


def _newest(folder: Path) -> Exchange:
    file = max(folder.glob("*.eml"))
    raw = file.read_bytes()
    lines = tuple(letter_text(raw))
    return Exchange(file, parse(raw).subject, lines, to_send(lines))
