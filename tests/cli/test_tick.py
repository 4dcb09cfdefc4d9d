"""`pbem tick`: mail in, deadlines, mail out, in one command for cron."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from serve.kit import Club, FarEnd, free_port

from pbem.cli import main
from pbem.config import settings
from pbem.mail.transport import Maildir
from pbem.service.record.store import Store, now_utc
from pbem.service.tools.queries import status


def tick() -> Result:
    settings.cache_clear()
    return CliRunner().invoke(main, ["tick"])


def test_once_around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A letter in the Maildir is played and answered; then nothing is due and nothing is said; an email that
    is not taken holds nothing back; without a mail server letters wait."""
    monkeypatch.chdir(tmp_path)
    box = Maildir(tmp_path / "Maildir")
    club = Club(Store.create("club.pbem"), ["g1"])
    with FarEnd(free_port()) as far:
        told = f'[smtp]\nhost = "127.0.0.1"\nport = {far.port}\ntls = "none"\n'
        Path("pbem.toml").write_text(f'store = "club.pbem"\nmaildir = "Maildir"\n{told}')
        first = tick()
        assert first.exit_code == 0 and first.output.count("sent ") == len(far.mails) > 0
        box.deliver(club.letter("g1", "red", "move R1 to 0201\ndone\n")[0])
        played = tick()
        assert played.exit_code == 0 and "sent     rita@g1.example" in played.output
        assert club.outcomes() == {"accepted": 1} and not list((box.path / "new").iterdir())
        silent = tick()
        assert (silent.exit_code, silent.output) == (0, "")
    box.deliver(club.letter("g1", "blue", "move B1 to 0401\n")[0])
    later = tick()
    assert later.exit_code == 75 and club.unsent() > 0
    assert club.outcomes() == {"accepted": 2}
    club.store.close()


def test_no_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a mail server in the settings nothing is read either."""
    monkeypatch.chdir(tmp_path)
    Store.create("club.pbem").close()
    Path("pbem.toml").write_text('store = "club.pbem"\n')
    done = tick()
    assert done.exit_code == 2 and "set smtp.host in pbem.toml" in done.output


def test_what_cannot_be_read_holds_deadlines_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One email that cannot be read, or the whole folder: the others are taken in, letters go out, and no
    deadline is called, as it may have come in time. The host reads what could not be done."""
    monkeypatch.chdir(tmp_path)
    box = Maildir(tmp_path / "Maildir")
    club = Club(Store.create("club.pbem"), ["g1"], clock_hours=1)
    with FarEnd(free_port()) as far:
        told = f'[smtp]\nhost = "127.0.0.1"\nport = {far.port}\ntls = "none"\n'
        Path("pbem.toml").write_text(f'store = "club.pbem"\nmaildir = "Maildir"\n{told}')
        assert tick().exit_code == 0
        (box.path / "new" / "1.bad").mkdir()  # whoever runs the tests, this cannot be read
        box.deliver(club.letter("g1", "red", "move R1 to 0201\n")[0])
        later = now_utc() + timedelta(hours=2)
        monkeypatch.setattr("pbem.cli.tick.now", lambda: later)
        held = tick()
        assert held.exit_code == 1 and "sent     rita@g1.example" in held.output
        assert "an email was not read: Maildir/new/1.bad: Is a directory" in held.output
        assert "no deadline is called until all mail can be read" in held.output
        assert club.outcomes() == {"accepted": 1}
        before = status(club.store, "g1").title
        (box.path / "new").rename(box.path / "old")
        (box.path / "new").touch()
        closed = tick()
        assert closed.exit_code == 1 and "no deadline is called" in closed.output
        assert "the mail in Maildir cannot be read and put away: " in closed.output
        assert status(club.store, "g1").title == before
        (box.path / "new").unlink()
        assert tick().exit_code == 0
        assert status(club.store, "g1").title != before
    club.store.close()
