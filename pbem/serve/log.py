"""The log of the service: one line an event, for people and machines, on standard error. No text of a letter,
no token and no password ever stands in it."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, Literal

_KNOWN = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"}
"""What every record has: the rest is what an event says."""


class OneLine(logging.Formatter):
    """Writes a record as ``at=... event=letter outcome=accepted``, or as JSON."""

    def __init__(self, form: Literal["logfmt", "json"], worker: str) -> None:
        super().__init__()
        self.form, self.worker = form, worker

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        said: dict[str, Any] = {"at": at.replace("+00:00", "Z"), "event": record.getMessage()}
        if record.levelno > logging.INFO:
            said["level"] = record.levelname.lower()
        said |= {name: value for name, value in vars(record).items() if name not in _KNOWN}
        said["worker"] = self.worker
        if record.exc_info:
            said["error"] = self.formatException(record.exc_info)
        if self.form == "json":
            return json.dumps(said, default=str)
        return " ".join(f"{name}={_quoted(value)}" for name, value in said.items() if value not in ("", None))


def _quoted(value: Any) -> str:
    text = str(value)
    plain = text.isprintable() and not set(text) & set(' "=')
    return text if plain else json.dumps(text, ensure_ascii=False)


def hidden(address: str) -> str:
    """A mail address as the log shows it: ``a***@mail.example``."""
    local, at, host = address.rpartition("@")
    return f"{local[:1]}***{at}{host}"


def start(form: Literal["logfmt", "json"], worker: str) -> None:
    """Write the log of the service, and warnings of the libraries, to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(OneLine(form, worker))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("pbem").setLevel(logging.INFO)
    logging.getLogger("mail").setLevel(logging.ERROR)  # aiosmtpd names every connection
