"""Notices to moderators, whatever a host has written into the settings."""

from __future__ import annotations

from email import message_from_bytes
from typing import Any

import pytest
from conftest import NOW, begin
from postbox import Postbox
from sqlmodel import select

from pbem.mail.compose import Key
from pbem.service.letters.notices import moderator, post_notice
from pbem.service.start import NewGame, start
from pbem.service.store import GameRow, OutboxRow, Store

STRAY = b"From: Eve <eve@evil.example>\nTo: pbem@host.example\nSubject: hello\nMessage-ID: <1@evil>\n\nhi\n"


def with_settings(store: Store, settings: Any) -> GameRow:
    """Give the toy game settings that no check has seen, as an older pbem could."""
    with store.transaction() as session:
        row = session.get_one(GameRow, "toy")
        row.settings = settings
        session.add(row)
    return row


def notices(store: Store) -> list[OutboxRow]:
    with store.transaction() as session:
        return list(session.exec(select(OutboxRow).where(OutboxRow.game == None)))  # noqa: E711


@pytest.mark.parametrize("to", ["Carla <carla@club.example>", "carla@club.example"])
def test_a_game_of_an_older_version_reaches_its_moderator(toy: Store, to: str) -> None:
    """A moderator who was stored with a name is written to at the address alone."""
    with_settings(toy, {"moderator": to, "address": "pbem@host.example"})
    assert Postbox(toy, "toy", "pbem@host.example", NOW).deliver(STRAY).outcome == "quarantined"
    (told,) = notices(toy)
    assert (told.recipient, told.error) == ("carla@club.example", "")
    assert "carla@club.example" in str(message_from_bytes(told.raw)["To"])


def test_a_notice_that_cannot_be_written_stops_nothing(toy: Store) -> None:
    """Without an address for the moderator a stray mail is taken in, and the notice is kept as refused."""
    with_settings(toy, {"moderator": "Carla of the club", "address": "pbem@host.example"})
    assert Postbox(toy, "toy", "pbem@host.example", NOW).deliver(STRAY).outcome == "quarantined"
    (told,) = notices(toy)
    assert told.error == 'refused: "Carla of the club" is not a mail address'
    assert b"eve@evil.example" in told.raw


def test_a_moderator_is_named_in_the_letter(store: Store) -> None:
    """The name given at the start of a game is kept beside the address, and stands in the letter."""
    start(store, NewGame("clash", "toy", settings={"moderator": "Carla C. <carla@club.example>"}), NOW)
    with store.transaction() as session:
        row = session.get_one(GameRow, "toy")
        assert row.settings["moderator"] == "carla@club.example"
        post_notice(
            session, "pbem@host.example", moderator(row), "hello", ["text"], NOW, Key("toy", "", "m", "x")
        )
    (told,) = notices(store)
    assert message_from_bytes(told.raw)["To"] == '"Carla C." <carla@club.example>'


@pytest.mark.parametrize("settings", ["x", [], {"moderator": None}, {}])
def test_broken_settings_have_no_moderator(store: Store, settings: Any) -> None:
    """Whatever stands in the settings, asking for the moderator raises nothing."""
    begin(store)
    assert moderator(with_settings(store, settings)) == ""
