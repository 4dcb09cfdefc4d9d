"""The order desk by mail: DESK sends the page, with the seat's lines as the letter has left them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import NOW
from postbox import Postbox
from protocol_kit import TOY, kept, normandy, told
from test_replay_by_mail import pages

from pbem.service.intake import commands
from pbem.service.intake.receive import receive
from pbem.service.record.store import Store
from pbem.service.tools.queries import desk_page


def page(box: Postbox, seat: str) -> str:
    """The order desk that the last letter to a seat brought."""
    found = pages(box.outbox(box.address(seat))[-1].raw)
    assert list(found) == [f"orders-{box.game}-{seat}.html"]
    return found[f"orders-{box.game}-{seat}.html"].decode()


def lines(page: str) -> dict[str, str]:
    """The kept lines of a page, by name."""
    data: Any = re.search(r'id="data">(.*?)</script>', page, re.DOTALL)
    return {line[0]: line[2] for line in json.loads(data[1])["kept"]}


@pytest.mark.parametrize("seat", ["allied", "german"])
def test_desk_brings_the_page_of_the_seat(seat: str, tmp_path: Path) -> None:
    """The same page as the command line makes, as a file of its own, for one who is asked and one who is
    not."""
    box = normandy(tmp_path)
    said = told(box, seat, "DESK\n")
    assert page(box, seat) == desk_page(box.store, box.game, seat)
    assert f"orders-{box.game}-{seat}.html is attached: a page that writes your orders on a map." in said
    assert "on an iPhone save it to Files first" in said
    assert b'attachment; filename="orders-' in box.outbox(box.address(seat))[-1].raw


def test_the_page_has_the_lines_of_its_letter(tmp_path: Path) -> None:
    """Lines of the letter are kept lines of the page, not those that the letter withdraws."""
    box = normandy(tmp_path)
    box.mail("allied", "[movement]\n8/4 to 5230\n")
    before = kept(box, "allied")
    box.mail("allied", f"withdraw {next(iter(before))}\n[movement 2]\n8/4 to 5230\ndesk\n")
    shown = lines(page(box, "allied"))
    assert shown == kept(box, "allied") and len(shown) == 1 and shown != before
    assert page(box, "allied") == desk_page(box.store, box.game, "allied")


def test_the_page_has_what_is_asked_once_the_letter_was_played(toy: Store) -> None:
    """Lines that were played are not on the page; the next section is."""
    box = Postbox(toy, "toy", TOY, NOW)
    box.mail("red", "move R1 to 0201\ndone\ndesk\n")
    assert not lines(page(box, "red"))
    assert page(box, "red") == desk_page(toy, None, "red")


def test_a_letter_that_is_only_tried_leaves_the_page_as_it_was(tmp_path: Path) -> None:
    box = normandy(tmp_path)
    box.mail("allied", "try\n[movement]\n8/4 to 5230\n\ndesk\n")
    assert not lines(page(box, "allied"))


def test_a_page_too_large_for_mail_is_not_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "LARGEST_PAGE", 1000)
    box = normandy(tmp_path)
    assert "too much for an email" in told(box, "allied", "desk\n")
    assert not pages(box.outbox(box.address("allied"))[-1].raw)


def test_a_page_is_made_while_others_may_write(toy: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another letter of the same player is taken in meanwhile, so the page is made again with its lines."""
    box, made = Postbox(toy, "toy", TOY, NOW), list[str]()
    make = commands.page_of

    def slow(sitting: Any) -> str:
        if not made:
            made.append(receive(toy, box.raw("red", "move R1 to 0201\n"), NOW).outcome)
        made.append("page")
        return make(sitting)

    monkeypatch.setattr(commands, "page_of", slow)
    assert box.mail("red", "desk\n").outcome == "accepted"
    assert made == ["accepted", "page", "page"]
    assert page(box, "red") == desk_page(toy, None, "red") and len(lines(page(box, "red"))) == 1
