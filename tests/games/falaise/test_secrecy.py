"""N14, N15 What a side cannot know changes nothing of what it is told, not by one byte: orders that wait for their draw, standing orders, second thoughts
that are not final, and who is among the unknown forces."""

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
from tests.games.falaise.test_by_mail import PLAYERS

COVERED = re.compile(rb"^((?:<pre[^>\n]*>)?(?:state|text|seal)) [0-9a-f]{64}", re.MULTILINE)
"""The seal of the whole state, opened when the game ends, and the digests that cover it."""
BOUNDARY = re.compile(rb"=_([arm])[0-9a-f]{32}")
PROBES = (
    "status\nlog\nhistory\nmap\norders\nstanding\n",
    "try\n[bombardment]\nartillery 2CC on 1625\nairstrike on 3219\n",
    "try\n[2CC]\nmove 4/2C to 1524\nassault 1625 with 4/2C\nif D/2SS is alive, move 7/3C to 1421\n",
    "try\n[1SS]\nmove 25/12SS to 1622\nenter D/2SS at 1805\nattach 501SS\n",
    "draft\n[15C]\nmove 357/90 to 3314\n",
)


def club(path: Path, letters: Sequence[tuple[str, str]]) -> Postbox:
    """A game after these letters: (seat, text)."""
    box = Postbox(Store.create(path), "pocket")
    start(box.store, NewGame("falaise", "pocket", players=PLAYERS, settings=SETTINGS, seed="5"), START)
    for seat, text in letters:
        box.mail(seat, text)
    return box


def told(box: Postbox, seat: str) -> Iterator[tuple[str, bytes]]:
    """All that a player can see of a game and can be told, and what he is answered when he tries to find out more."""
    yield "view", look.view_of(box.store, "pocket", seat).model_dump_json(indent=1).encode()
    yield "status", repr(look.status(box.store, "pocket", seat)).encode()
    yield "log", repr(look.log_facts(box.store, "pocket", seat)).encode()
    yield "rolls", repr(look.rolls(box.store, "pocket", seat)).encode()
    yield "board", repr(look.board_of(box.store, "pocket", seat)).encode()
    for number, text in enumerate(PROBES):
        yield f"outcome {number}", repr(box.mail(seat, text)).encode()
    for row in box.outbox(PLAYERS[seat].address):
        yield row.key, COVERED.sub(rb"\1", BOUNDARY.sub(rb"=_\1", row.raw))


def alike(
    tmp_path: Path, reader: str, before: Sequence[tuple[str, str]], secret: Sequence[tuple[str, str]]
) -> None:
    """Two games that differ in one letter of the other side: its reader is told the same."""
    pages = []
    for number, letter in enumerate(secret):
        box = club(tmp_path / f"{number}.pbem", [*before, letter])
        pages.append(list(told(box, reader)))
        box.store.close()
    one, two = pages
    assert [name for name, _ in one] == [name for name, _ in two]
    for (name, first), (_, second) in zip(one, two, strict=True):
        leaks = [pair for pair in zip_longest(first.splitlines(), second.splitlines()) if pair[0] != pair[1]]
        assert leaks == [], name


SET_UP = (("german", "[set-up]\ndefault\n"), ("allied", "[set-up]\ndefault\n"))
READY = (*SET_UP, ("german", "[redeployment]\nwithhold D/2SS, DF/2SS, 19/9SS, 20/9SS\n"))


def test_second_thoughts_that_are_not_final(tmp_path: Path) -> None:
    """3.1 What the Germans only consider to withhold is theirs."""
    secret = (
        ("german", "draft\n[redeployment]\nwithhold D/2SS, DF/2SS, 19/9SS, 20/9SS\n"),
        ("german", "draft\n[redeployment]\nwithhold Pz/2SS, 25/12SS\nredeploy 501SS to 2216\n"),
    )
    alike(tmp_path, "allied", SET_UP, secret)


@pytest.mark.parametrize("form", ["", "draft\n"])
def test_german_orders_that_wait_for_their_draw(tmp_path: Path, form: str) -> None:
    """4.0 What is written ahead for commands in the cup, with its conditions, is not known before they act."""
    secret = (
        ("german", f"{form}when 1SS: move 25/12SS to 1622\nwhen 2SS: hold\nstanding opfire: never\n"),
        (
            "german",
            f"{form}when 1SS: if first this turn, move Pz/12SS to 1720\n[84]\nhold\nstanding opfire: always\n",
        ),
    )
    alike(tmp_path, "allied", READY, secret)


def test_allied_orders_that_wait_for_their_draw(tmp_path: Path) -> None:
    """4.0 Nor are those of the Allies, whose bombardment is still to be ordered."""
    secret = (
        ("allied", "[2CC]\nmove 4/2C to 1524\n[7C]\nhold\nstanding ter: never\n"),
        (
            "allied",
            "[15C]\nif 3219 is held by the enemy, mech assault 3229 with Billotte\nstanding ter: always\n",
        ),
    )
    alike(tmp_path, "german", READY, secret)


def test_3_1_only_their_number_is_told_of_unknown_forces(tmp_path: Path) -> None:
    """3.1 Nothing that the Allied player is told names a unit as one of the unknown forces; where none has stood on the map before, nothing names it at all."""
    box = club(tmp_path / "pocket.pbem", READY)
    pages = b"\n".join(
        text for name, text in told(box, "allied") if name in ("view", "status", "log", "board")
    )
    for id in (b"D/2SS", b"DF/2SS", b"19/9SS", b"20/9SS"):
        assert b'"' + id + b'"' not in pages and b"'" + id + b"'" not in pages
    german = next(text for name, text in told(box, "german") if name == "view")
    assert b'"D/2SS"' in german
    box.store.close()
