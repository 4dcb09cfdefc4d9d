"""Two runs between which a player must not see a difference: they differ only in what is kept from that
player."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import zip_longest
from pathlib import Path
from zlib import crc32

from pbem.engine.game import GameState, game
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.record.store import Store
from pbem.service.tools import queries
from pbem.service.tools.queries import desk_page, replay_page
from pbem.testing.post import SETTINGS, START, Postbox, people, put

Letters = Sequence[tuple[str, str]]
"""Who writes what."""

COVERED = re.compile(
    rb"^(?:(?:<pre[^>\n]*>)?(?:state|journal|text|part letter\.html) (?:[0-9a-f]|=\n){64,66}|signed [^-]+)",
    re.MULTILINE,
)
"""The seals of the whole state and the journal, opened when the game ends, and the digests and signatures
that cover them."""
DESKS = 5
"""One in this many pairs of runs, chosen by what is written in them, compares the order desks too."""
BOUNDARY = re.compile(rb"=_([arm])[0-9a-f]{32}")


def covered_up(raw: bytes) -> bytes:
    """A letter without what must differ with every secret, and from which nobody can learn it."""
    return COVERED.sub(b"", BOUNDARY.sub(rb"=_\1", raw))


@dataclass(frozen=True)
class Watch:
    """Games in which a player tries to find out secrets, with the letters in `probes`. They
    begin with `opening`, or as the scenario does."""

    key: str
    id: str
    probes: tuple[str, ...]
    scenario: str | None = None
    seed: str = "5"
    opening: Callable[[], GameState] | None = None
    players: Mapping[str, Player] = field(default_factory=dict)
    """By seat; left out, somebody for every seat that the game does not play itself."""
    options: Mapping[str, str] = field(default_factory=dict)

    def people(self) -> Mapping[str, Player]:
        return self.players or people(game(self.key), self.options)

    def club(self, path: Path, letters: Letters, scenario: str | None = None) -> Postbox:
        """A game after these letters."""
        box = Postbox(Store.create(path), self.id)
        new = NewGame(
            self.key, self.id, scenario or self.scenario, self.options, settings=SETTINGS, seed=self.seed
        )
        if self.opening is None:
            start(box.store, replace(new, players=self.people()), START)
        else:
            silent = {key: Player(player.name) for key, player in self.people().items()}
            start(box.store, replace(new, players=silent), START)
            put(box.store, self.id, self.opening(), self.people())
        for seat, text in letters:
            assert box.mail(seat, text).outcome == "accepted", text
        return box

    def told(self, box: Postbox, seat: str, desk: bool = True) -> Iterator[tuple[str, bytes]]:
        """All that a player can see and read of a game, and what comes back when the player tries to find out
        more. The order desk takes longest; with `desk` false it is left out."""
        yield "view", queries.view_of(box.store, self.id, seat).model_dump_json(indent=1).encode()
        yield "status", repr(queries.status(box.store, self.id, seat, mail=True)).encode()
        yield "log", repr(queries.log_facts(box.store, self.id, seat)).encode()
        yield "summary", repr(queries.summary(box.store, self.id, seat)).encode()
        yield "rolls", repr(queries.rolls(box.store, self.id, seat)).encode()
        yield "board", repr(queries.board_of(box.store, self.id, seat)).encode()
        yield "maps of turns", repr(queries.boards_of_turns(box.store, self.id, seat)).encode()
        yield "replay", replay_page(box.store, self.id, seat)[0].encode()
        if desk:
            yield "order desk", desk_page(box.store, self.id, seat).encode()
        for number, text in enumerate(self.probes):
            yield f"outcome {number}", repr(box.mail(seat, text)).encode()
        for row in box.outbox(box.address(seat)):
            yield row.key, covered_up(row.raw)

    def alike(
        self,
        tmp_path: Path,
        reader: str,
        before: Letters,
        secret: Letters,
        *,
        scenario: str | None = None,
        then: Callable[[Postbox], object] = lambda box: None,
    ) -> None:
        """Two games that differ in one letter of the other side, and go on alike: its reader gets the
        same."""
        runs = [[letter] for letter in secret]
        self.alike_after(tmp_path, reader, before, runs, scenario=scenario, then=then)

    def alike_after(
        self,
        tmp_path: Path,
        reader: str,
        before: Letters,
        secret: Sequence[Letters],
        *,
        scenario: str | None = None,
        then: Callable[[Postbox], object] = lambda box: None,
    ) -> None:
        """Two games that differ in the letters of the other side, in what they say and in how many they are,
        and go on alike from the same hour: its reader gets the same."""
        pages, kept = [], []
        most = max(len(letters) for letters in secret)
        desk = crc32(repr((reader, before, secret)).encode()) % DESKS == 0
        for number, letters in enumerate(secret):
            box = self.club(tmp_path / f"{number}.pbem", before, scenario)
            later, written = box.now + timedelta(hours=most), box.written + most
            for seat, text in letters:
                assert box.mail(seat, text).outcome in ("accepted", "explained"), text
            box.now, box.written = later, written
            then(box)
            kept.append((box.papers(), [row.answer for row in box.journal()]))
            pages.append(list(self.told(box, reader, desk)))
            box.store.close()
        one, two = pages
        assert kept[0] != kept[1]
        assert [name for name, _ in one] == [name for name, _ in two]
        for (name, first), (_, second) in zip(one, two, strict=True):
            leaks = [
                pair for pair in zip_longest(first.splitlines(), second.splitlines()) if pair[0] != pair[1]
            ]
            assert leaks == [], name
