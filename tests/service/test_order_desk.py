"""The order desk offers what the desks of the rules offer: every choice of its page is a line of a letter
that is read as that order, and a letter with it is accepted. It tells nothing besides.

Games of bots are cut at some moments; ``PBEM_DESKS=1`` looks at all choices of many moments of long games.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from desks import OFTEN, Moment, Shown, differences, opening, positions, sampled, seats_of
from replays import LONGEST
from sizes import LONG, few, size, some
from sqlmodel import select

from pbem.mail.address import reply_address, token
from pbem.service.letters.ordering import MOST
from pbem.service.record.rows import GameRow, SeatRow
from pbem.service.record.store import Store
from pbem.service.tools.queries import desk_page

WHOLE = bool(os.environ.get("PBEM_DESKS"))
COMPARED, READ, JUDGED = (MOST, MOST, MOST) if WHOLE else (size(20, 60), size(1, 4), size(1, 3))
"""How many choices below one heading are compared in all there is to know and read back, and how many letters
are judged at a moment."""

SHORT = {
    "rampage": ("campaign", (0, 1, 10, 12)),
    "normandy71": ("campaign", (1, 2, 3, 18)),
    "falaise": ("campaign", (0, 3, 44)),
    "normandy44": ("cherbourg", (1, 2, 4, 10)),
    "france44": ("falaise", (0, 7)),
}
"""A scenario of each game, and after how many phases it is looked at: set-up, movement, combat, later
turns."""

OPENINGS = {"normandy44": "campaign"}
"""Longer scenarios that are looked at as they begin."""


@pytest.fixture(scope="module", params=few([*LONGEST], "normandy71", "rampage", "falaise"))
def moments(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Moment]]:
    """Each seat of a game at each of its moments."""
    key, folder = request.param, tmp_path_factory.mktemp("desks")
    scenario, at = (LONGEST[key], OFTEN) if WHOLE else SHORT[key]
    at = at if WHOLE else some(at, 2)
    stores = list(positions(folder, key, scenario, at))
    if key in OPENINGS and (WHOLE or LONG):
        stores.append((f"{key} opening", opening(folder, key, OPENINGS[key])))
    yield [Moment(name, store, seat) for name, store in stores for seat in seats_of(store)]
    for _, store in stores:
        store.close()


def test_every_choice_is_an_order_of_its_desk(moments: list[Moment]) -> None:
    """Each choice of a page is read back as an order that the desk offers, the page has all of them, and it
    shows of each what the desk says: where it ends, the way, the cost, the words; the same below a line that
    heads others."""
    for moment in moments[:: size(3, 1)]:
        assert list(differences(moment.here, moment.page, COMPARED, READ, moment.name)) == [], moment.name


def test_a_choice_alone_is_accepted(moments: list[Moment]) -> None:
    """The first choice of each unit and hex, alone in a letter, can be played now or later."""
    for moment in moments:
        for section, head, text in sampled(list(moment.firsts()), JUDGED, moment.name):
            verdict = moment.judged(section, head, text)
            assert verdict in ("ready", "waiting"), (moment.name, section, head, text, verdict)


def test_there_are_choices(moments: list[Moment]) -> None:
    """The moments looked at are worth it: there are orders for both sides, now and in sections to come."""
    found = [(moment, choice) for moment in moments for choice in Shown(moment.page).choices()]
    assert {moment.seat for moment, _ in found} == {moment.seat for moment in moments}
    assert len(found) > 500
    assert any(choice.way for _, choice in found) and any(choice.told for _, choice in found)


def test_the_same_moment_has_the_same_page(moments: list[Moment], tmp_path: Path) -> None:
    """Made again, and from a copy of the file, a page has the same bytes."""
    for moment in moments if WHOLE else moments[:: size(6, 3)]:
        copy = tmp_path / f"{moment.name}.pbem"
        moment.store.close()
        shutil.copy(moment.store.target, copy)
        store = Store.open(copy)
        assert (
            desk_page(moment.store, None, moment.seat) == moment.page == desk_page(store, None, moment.seat)
        )
        store.close()


def test_a_page_tells_no_address_but_its_own(moments: list[Moment]) -> None:
    """The reply address of its seat is the only address on a page, which holds no secret of the game and
    leads nowhere; its policy lets its own two scripts run and no other."""
    for moment in moments:
        with moment.store.transaction() as session:
            row = session.exec(select(GameRow)).one()
            seats = {seat.key: seat for seat in session.exec(select(SeatRow))}
            me = seats[moment.seat]
            own = reply_address(row.settings["address"], row.id, moment.seat, me.token_key)
            tokens = [token(each.token_key, row.id, key) for key, each in seats.items() if each is not me]
            secrets = [row.secret, row.letter_key, *(each.token_key for each in seats.values())]
        page = moment.page
        assert set(re.findall(r"[\w.+-]+@[\w-]+\.[\w.-]+", page)) == {own}
        assert set(re.findall(r"https?:[^\s\"'<)]+", page)) <= {"http://www.w3.org/2000/svg"}
        written = [
            *tokens,
            *(each.hex() for each in secrets),
            *(base64.b64encode(each).decode() for each in secrets),
        ]
        assert [each for each in written if each in page] == []
        scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
        hashes = {base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in scripts}
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
        assert policy is not None and len(scripts) == 2
        assert set(re.findall(r"sha256-([\w+/=]+)", policy[1].replace("&#43;", "+"))) == hashes
