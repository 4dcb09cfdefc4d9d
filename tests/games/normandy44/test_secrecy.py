"""N15 What a side cannot know changes nothing of what it is told, not by one byte: the other side's allocation until both are in, drafts, orders that
wait for their phase, and standing orders."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

import pytest
from postbox import SETTINGS, START, Postbox

from pbem.service import look
from pbem.service.start import NewGame, start
from pbem.service.store import Store
from tests.games.normandy44.test_by_mail import PLAYERS

COVERED = re.compile(rb"^((?:<pre[^>\n]*>)?(?:state|text|seal)) [0-9a-f]{64}", re.MULTILINE)
"""The seal of the whole state, opened when the game ends, and the digests that cover it."""
BOUNDARY = re.compile(rb"=_([arm])[0-9a-f]{32}")
PROBES = (
    "status\nlog\nhistory\nmap\norders\nstanding\n",
    "try\n[allocation]\nsupport VII/US\ncover VII/US\n",
    "try\n[allocation]\nsupport LXXXIV\n",
    "try\n[phase A]\nmove 101AB to 0718\nif we have the initiative, attack 0519 with 4US\n",
    "try\n[phase A]\nmove FJR6 to 1019\nif LXXXIV is supported, move 243ID to 0622\n",
    "draft\n[phase B]\nmove 709ID to 0518\nmove 4US to 0517\n",
    "try\n[phase A]\nmove 271ID to 1605\n[phase B]\nmove 271ID to 1605\nmove 3BR to 0909\n",
    "try\n[phase B]\nattack 1216 with 352ID\nattack 1111 with 277ID\n",
)


def club(path: Path, letters: Sequence[tuple[str, str]], scenario: str) -> Postbox:
    """A game after these letters: (seat, text)."""
    box = Postbox(Store.create(path), "cherbourg")
    new = NewGame("normandy44", "cherbourg", scenario, players=PLAYERS, settings=SETTINGS, seed="5")
    start(box.store, new, START)
    for seat, text in letters:
        box.mail(seat, text)
    return box


def told(box: Postbox, seat: str) -> Iterator[tuple[str, bytes]]:
    """All that a player can see of a game and can be told, and what he is answered when he tries to find out more."""
    yield "view", look.view_of(box.store, "cherbourg", seat).model_dump_json(indent=1).encode()
    yield "status", repr(look.status(box.store, "cherbourg", seat)).encode()
    yield "log", repr(look.log_facts(box.store, "cherbourg", seat)).encode()
    yield "rolls", repr(look.rolls(box.store, "cherbourg", seat)).encode()
    yield "board", repr(look.board_of(box.store, "cherbourg", seat)).encode()
    for number, text in enumerate(PROBES):
        yield f"outcome {number}", repr(box.mail(seat, text)).encode()
    for row in box.outbox(PLAYERS[seat].address):
        yield row.key, COVERED.sub(rb"\1", BOUNDARY.sub(rb"=_\1", row.raw))


def alike(
    tmp_path: Path,
    reader: str,
    before: Sequence[tuple[str, str]],
    secret: Sequence[tuple[str, str]],
    scenario: str = "cherbourg",
) -> None:
    """Two games that differ in one letter of the other side: its reader is told the same."""
    pages = []
    for number, letter in enumerate(secret):
        box = club(tmp_path / f"{number}.pbem", [*before, letter], scenario)
        pages.append(list(told(box, reader)))
        box.store.close()
    one, two = pages
    assert [name for name, _ in one] == [name for name, _ in two]
    for (name, first), (_, second) in zip(one, two, strict=True):
        leaks = [pair for pair in zip_longest(first.splitlines(), second.splitlines()) if pair[0] != pair[1]]
        assert leaks == [], name


ALLIED = (
    "[allocation]\nsupport VII/US\nstanding support: always\n",
    "[allocation]\nif weather is clear, cover VII/US\nstanding advance: never\n",
)
GERMAN = (
    "[allocation]\nsupport LXXXIV\nstanding losses: lose steps before ground in bocage\n",
    "[allocation]\nstanding support: with LXXXIV when it changes the column\n",
)


@pytest.mark.parametrize("form", ["", "draft\n"])
@pytest.mark.parametrize(("writer", "reader"), [("allied", "german"), ("german", "allied")])
def test_2_3_what_the_other_side_allocates(tmp_path: Path, writer: str, reader: str, form: str) -> None:
    """2.3 Until both have allocated, neither knows what the other has, be it final or a draft; nor its standing orders."""
    letters = ALLIED if writer == "allied" else GERMAN
    alike(tmp_path, reader, (), [(writer, form + text) for text in letters])


def test_2_4_where_aircraft_and_bombers_go(tmp_path: Path) -> None:
    """2.4, 10.3, 10.4 The same of the air plan of the Cobra scenario: zones, boxes and targets."""
    plans = (
        "draft\n[allocation]\nsupport VII/US\ninterdict zone II with UK\ndelay Paris\n",
        "draft\n[allocation]\ninterdict zone III with US\ndelay Le Mans\n",
    )
    alike(tmp_path, "german", (), [("allied", text) for text in plans], "cobra")


def test_10_2_a_way_is_no_dearer_for_a_fighter_that_nobody_has_seen(tmp_path: Path) -> None:
    """2.4, 10.2 What moves would cost is told as if no air zone were interdicted, until both sides have allocated."""
    bombs = "carpet 1108 with UK"
    plans = (
        f"[allocation]\n{bombs}\ninterdict zone IV\ncover XIX/US with 2 fighters\n",
        f"[allocation]\n{bombs}\ninterdict zone I\n",
    )
    alike(tmp_path, "german", (), [("allied", text) for text in plans], "cobra")


@pytest.mark.parametrize("form", ["", "draft\n"])
@pytest.mark.parametrize(("writer", "reader"), [("allied", "german"), ("german", "allied")])
def test_2_6_orders_that_wait_for_their_phase(tmp_path: Path, writer: str, reader: str, form: str) -> None:
    """2.6 What is written ahead for phases A and B, with its conditions, is not known before it is played."""
    ahead = {
        "allied": (
            "[phase A]\nif we have the initiative, move 101AB to 0718\n[phase B]\nmove 4US to 0517\n",
            "[phase B]\nif 0519 is held by the enemy, attack 0519 with 4US\n",
        ),
        "german": (
            "[phase A]\nif not we have the initiative, move FJR6 to 1019\n",
            "[phase B]\nif weather is clear, move 243ID to 0622\n[end]\n",
        ),
    }
    alike(tmp_path, reader, (), [(writer, form + text) for text in ahead[writer]])
