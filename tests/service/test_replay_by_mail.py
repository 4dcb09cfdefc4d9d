"""A game as a page: the rulings in it, and the page by mail."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.policy import default
from html import unescape
from pathlib import Path

import pytest
from conftest import HOUR, NOW
from postbox import Postbox
from protocol_kit import TOY, normandy
from replays import played as played_by_bots
from test_rulings import LATER, played, ruled

from pbem.service.intake import commands
from pbem.service.intake.receive import receive
from pbem.service.intake.submit import submit
from pbem.service.proof.lines import check_files
from pbem.service.record.store import Store
from pbem.service.tools.queries import replay_page, tell


def pages(raw: bytes) -> dict[str, bytes]:
    """The HTML files attached to a letter."""
    parts = message_from_bytes(raw, policy=default).iter_attachments()  # type: ignore[attr-defined]
    return {
        str(part.get_filename()): bytes(part.get_payload(decode=True))
        for part in parts
        if part.get_content_type() == "text/html"
    }


def entries(page: str) -> list[str]:
    """The text of the steps of a page, one after another."""
    found = re.findall(r'<li class="e .*?</li>', page, re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]+>", " ", each)).split()) for each in found]


def test_a_page_tells_what_was_ruled_and_why(toy: Store, tmp_path: Path) -> None:
    """Set, strike and back, each as a step of its own with its reason: the die that was set says so, what was
    struck is gone, and after going back the game goes on below the ruling."""
    played(toy)
    ruled(toy, "set", "R1", "1")
    page, story = replay_page(toy, None)
    told = entries(page)
    at = next(at for at, text in enumerate(told) if "ruling 1" in text)
    assert "R1 counts as 1 (it fell 4)" in told[at] and "reason: as agreed" in told[at]
    assert told[at - 1].startswith("R1 ") and "die 1" in told[at - 1]
    assert story.dice[1].set_by == 1 and story.dice[1].faces == (1,)
    ruled(toy, "strike", "J5")
    told = entries(replay_page(toy, None)[0])
    assert any("Red: move R2 to 0103 is struck out" in text and "ruling 2" in text for text in told)
    assert not any("red: move R2 to 0103" in text for text in told)
    ruled(toy, "back", "turn 1", now=LATER + HOUR)
    submit(toy, None, "red", "new march\nmove R1 to 0201\ndone\n", LATER + 2 * HOUR)
    submit(toy, None, "blue", "done\n", LATER + 3 * HOUR)
    page, story = replay_page(toy, None)
    told = entries(page)
    back = next(at for at, text in enumerate(told) if "ruling 3" in text)
    assert any("R1" in text and "0201" in text for text in told[back + 1 :])
    assert sorted(step.ruling for step in story.tracks[0].steps if step.ruling) == [1, 2, 3]
    file = tmp_path / "toy.html"
    file.write_text(page, encoding="utf-8")
    assert check_files([file]).wrong == []


def test_a_ruling_that_is_not_told_is_on_no_page_of_a_seat(toy: Store) -> None:
    """What all are told is on the pages of all."""
    played(toy)
    ruled(toy, "set", "R1", "1")
    for seat in ("red", "blue"):
        steps = tell(toy, None, seat).tracks[0].steps
        assert [step.ruling for step in steps if step.ruling] == [1]


@pytest.mark.parametrize("seat", ["allied", "german"])
def test_replay_brings_the_page_of_the_seat(seat: str, tmp_path: Path) -> None:
    """The same page as the command line makes, as it was when the letter had been acted upon."""
    box = normandy(tmp_path)
    box.mail(seat, "REPLAY")
    raw = box.outbox(box.address(seat))[-1].raw
    page = replay_page(box.store, box.game, seat)[0]
    assert pages(raw) == {f"{box.game}.html": page.encode()}
    assert b"the game so far in" in raw


def test_a_page_too_large_for_mail_is_described(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "LARGEST_PAGE", 1000)
    box = normandy(tmp_path)
    box.mail("allied", "REPLAY")
    raw = box.outbox(box.address("allied"))[-1].raw
    assert not pages(raw) and b"too much for an email" in raw and b"--seat allied" in raw


def test_a_page_is_made_while_others_may_write(toy: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another player's letter is taken in meanwhile, so the page is made again and shows the game after
    it."""
    box, made = Postbox(toy, "toy", TOY, NOW), list[str]()
    make = commands.html_of

    def slow(*told: object) -> object:
        if not made:
            made.append(receive(toy, box.raw("red", "move R1 to 0201\ndone\n"), NOW).outcome)
        made.append("page")
        return make(*told)  # type: ignore[arg-type]

    monkeypatch.setattr(commands, "html_of", slow)
    assert box.mail("blue", "replay").outcome == "accepted"
    assert made == ["accepted", "page", "page"]
    (page,) = pages(box.outbox(box.address("blue"))[-1].raw).values()
    assert page == replay_page(toy, None, "blue")[0].encode()


@pytest.mark.parametrize(("key", "phases"), [("normandy71", 4), ("normandy44", 3)])
def test_every_roll_that_the_log_names_is_a_die_of_its_step(tmp_path: Path, key: str, phases: int) -> None:
    """Also where two dice make one line, such as a drop and its scatter."""
    store = played_by_bots(tmp_path / "game.pbem", key, phases=phases)
    scattered = 0
    for reader in ("umpire", "allied"):
        story = tell(store, None, reader)
        for step in story.tracks[0].steps:
            named = {int(number) for line in step.lines for number in re.findall(r"\bR(\d+)\b", line)}
            assert named <= set(step.rolls) <= set(story.dice), step.lines
            scattered += len(named) > 1
    assert scattered
