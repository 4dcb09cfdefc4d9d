"""The host's settings for one game, as its row keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pbem.fields import Address, Zone, faults, person

LONGEST_CLOCK = 10_000
"""The longest time to answer in, in hours: more than a year."""


class Terms(BaseModel):
    """What a host decides for a game: the server's address, the moderator, and the clock."""

    model_config = ConfigDict(extra="forbid", strict=True)

    address: Address = "pbem@localhost"
    moderator: Address = ""
    moderator_name: str = ""
    clock_hours: float = Field(0, ge=0, le=LONGEST_CLOCK)
    clock_at: int = Field(0, ge=0, le=23)
    zone: Zone = "UTC"


def settled(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as a game's row keeps them: checked, none empty, the moderator as name and address.

    Raise ValueError naming everything that is wrong.
    """
    values = {key: value for key, value in settings.items() if value not in (None, "")}
    if "<" in str(values.get("moderator", "")):
        name, values["moderator"] = person(str(values["moderator"]))
        values = ({"moderator_name": name} if name else {}) | values
    try:
        return Terms.model_validate(values).model_dump(exclude_unset=True)
    except ValidationError as error:
        raise ValueError(faults(error, Terms)) from error
