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

FILE = "pbem.toml"


class Smtp(BaseModel):
    """The mail server that letters are handed to; see `SmtpSettings` for the fields."""

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
    address    the server's own mail address, below which the seats have theirs
    moderator  who is told of letters set aside, of disputes and of faults
    smtp       the way out; in the environment ``PBEM_SMTP__HOST`` and so on
    cache      where drawn maps are kept
    zone       the time zone of players who have not said theirs
    """

    model_config = SettingsConfigDict(env_prefix="PBEM_", env_nested_delimiter="__", extra="ignore")

    store: str = ""
    address: str = "pbem@localhost"
    moderator: str = ""
    smtp: Smtp = Smtp()
    cache: Path | None = None
    zone: str = "UTC"

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
    """The settings file, whether it is there or not. Raises DataError when ``PBEM_CONFIG`` names one that is not."""
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
        faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        raise DataError(f"{where} or PBEM_ variables: {faults}") from error
