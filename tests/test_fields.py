"""Values that hosts write: addresses, people, time zones."""

from __future__ import annotations

import pytest

from pbem.fields import address, person, zone


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Carla <Carla@Club.example>", ("Carla", "carla@club.example")),
        ('"Carla, of the club" <carla@club>', ("Carla, of the club", "carla@club")),
        ("<carla@club>", ("", "carla@club")),
        (" carla@club ", ("", "carla@club")),
    ],
)
def test_people_have_a_name_and_an_address(text: str, found: tuple[str, str]) -> None:
    """A person is written as in a mail header, with or without a name."""
    assert person(text) == found


@pytest.mark.parametrize(
    "text",
    ["", "Carla", "Carla <carla>", "a@b, c@d", "Carla <a@b> <c@d>", "jürgen@club.example", "a@b\nBcc: c@d"],
)
def test_what_nobody_can_write_to_is_refused(text: str) -> None:
    """Text that holds no single mail address is refused and repeated."""
    with pytest.raises(ValueError, match="is not a mail address"):
        person(text)
    with pytest.raises(ValueError, match="is not a mail address"):
        address(text)


@pytest.mark.parametrize("text", ["", "Europe", "Europe/Pari", "../../etc/passwd", "a\0b"])
def test_zones_that_do_not_exist_are_refused(text: str) -> None:
    """Anything but the name of a time zone is refused, with a name that looks like it."""
    with pytest.raises(ValueError, match="is not a time zone; write one like"):
        zone(text)
    assert zone("Europe/Paris") == "Europe/Paris"
