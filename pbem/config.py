"""Settings: one TOML file and the environment. A variable ``PBEM_STORE`` beats ``store`` in ``pbem.toml``.

The file is ``pbem.toml`` in the folder in which pbem is started, or the one that ``PBEM_CONFIG`` names.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from tomllib import TOMLDecodeError
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from pbem.engine.errors import DataError
from pbem.fields import Address, Person, Zone, faults

FILE = "pbem.toml"


class Smtp(BaseModel):
    """The mail server that sends the letters; see `SmtpSettings` for the fields."""

    model_config = ConfigDict(extra="forbid")

    host: str = ""
    port: int = 587
    user: str = ""
    password: str = ""
    tls: Literal["starttls", "tls", "none"] = "starttls"
    cafile: str = ""


class Settings(BaseSettings):
    """What a host sets once.

    store      game file or database URL
    address    the server's own mail address; the seats have theirs below it
    moderator  address, with or without a name, for disputes, internal errors and unclaimed letters
    smtp       the server that sends letters; in the environment ``PBEM_SMTP__HOST`` and so on
    cache      the folder for drawn maps
    maildir    the folder into which the mail server delivers; mail that lies there is read before a
               deadline is called
    zone       the time zone of players who have not given theirs
    """

    model_config = SettingsConfigDict(env_prefix="PBEM_", env_nested_delimiter="__", extra="forbid")

    store: str = ""
    address: Address = "pbem@localhost"
    moderator: Person = ""
    smtp: Smtp = Smtp()
    cache: Path | None = None
    maildir: Path | None = None
    zone: Zone = "UTC"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, config_file())


def config_file() -> Path:
    """The settings file, whether it is there or not. Raises DataError when ``PBEM_CONFIG`` names
    one that is not."""
    chosen = os.environ.get("PBEM_CONFIG", "")
    if chosen and not Path(chosen).is_file():
        raise DataError(f"PBEM_CONFIG names {chosen}, which is not there")
    return Path(chosen or FILE)


@cache
def settings() -> Settings:
    """The settings as they are now, read once. Raises DataError naming what is wrong with them."""
    where = config_file()
    try:
        return Settings()
    except TOMLDecodeError as error:
        raise DataError(f"{where}: is not TOML: {error}") from error
    except ValidationError as error:
        raise DataError(f"{where} or PBEM_ variables: {faults(error, Settings)}") from error
