"""Settings: the file and the environment, alone and together, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.config import Settings, from_environment, settings
from pbem.engine.errors import DataError


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which pbem is started."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PBEM_CACHE")
    return tmp_path


def test_nothing_need_be_set() -> None:
    """Without a file and variables everything has its default."""
    assert settings() == Settings()


def test_variables_beat_the_file_field_by_field(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable replaces one field, in a table too, and leaves the others of the file."""
    (folder / "pbem.toml").write_text(
        'store = "a.pbem"\nzone = "Europe/Paris"\n[smtp]\nhost = "mx"\nport = 25\n'
    )
    monkeypatch.setenv("PBEM_STORE", "")
    monkeypatch.setenv("PBEM_CACHE", "drawn")
    monkeypatch.setenv("PBEM_SMTP__PORT", "2525")
    known = settings()
    assert (known.store, known.zone, known.cache) == ("", "Europe/Paris", Path("drawn"))
    assert (known.smtp.host, known.smtp.port) == ("mx", 2525)


def test_other_variables_are_not_settings() -> None:
    """Variables of tests, of the shell and of other programs are left alone."""
    others = {"PBEM_DEBUG": "1", "PBEM_CONFIG": "x.toml", "STORE": "x", "_PBEM_COMPLETE": "bash_source"}
    assert from_environment(others) == {}


@pytest.mark.parametrize(
    ("variables", "says"),
    [
        ({"PBEM_SMTP__PORT": "many"}, "smtp.port: should be a whole number"),
        ({"PBEM_SMTP__PORT": "70000"}, "smtp.port: should be 65535 at most"),
        ({"PBEM_SMTP_PASSWORD": "x"}, "PBEM_SMTP_PASSWORD is no setting: write PBEM_SMTP__PASSWORD"),
        ({"PBEM_LIMITS__BYTES": "-5"}, "limits.bytes: should be 1 or more"),
        ({"PBEM_LIMITS__SECONDS": "0"}, "limits.seconds: should be more than 0"),
        ({"PBEM_CLOCK__OUTAGE_HOURS": "long"}, "clock.outage_hours: should be a number"),
        ({"PBEM_SENDERS__DKIM": "perhaps"}, "senders.dkim: should be true or false"),
        (
            {"PBEM_INTAKE__LMTP__LISTEN": "2424"},
            'intake.lmtp.listen: write HOST:PORT or unix:PATH, not "2424"',
        ),
        ({"PBEM_INTAKE__SMTP__LISTEN": "0.0.0.0:99999"}, "intake.smtp.listen: write HOST:PORT or unix:PATH"),
        ({"PBEM_HEALTH__LISTEN": "unix:/run/x"}, 'health.listen: write HOST:PORT, not "unix:/run/x"'),
        ({"PBEM_INTAKE__IMAP__HOST": "mx"}, "intake.imap.user: is missing; intake.imap.password: is missing"),
        ({"PBEM_SMTP__HOTS": "mx"}, 'there is no "smtp.hots"; did you mean host?'),
        ({"PBEM_SMTP__TLS": "ssl"}, "smtp.tls: should be 'starttls', 'tls' or 'none'"),
        ({"PBEM_SMTP": "mx.club.example"}, "smtp: Input should be"),
        ({"PBEM_SMTP": "mx.club.example", "PBEM_SMTP__PORT": "25"}, "smtp: Input should be"),
        ({"PBEM_STORE__FILE": "x"}, "store: should be a text"),
        ({"PBEM_ADDRESS": "pbem"}, 'address: "pbem" is not a mail address'),
        ({"PBEM_ZONE": "Europe/Pari"}, 'zone: "Europe/Pari" is not a time zone; write one like Europe/Paris'),
        ({"PBEM_CONFIG": "gone.toml"}, "PBEM_CONFIG names gone.toml, which is not there"),
    ],
)
def test_a_wrong_variable_is_named(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], says: str
) -> None:
    """A variable with an impossible value or field is named, with the places where it may have come from."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(DataError) as refused:
        settings()
    assert says in str(refused.value)
    assert "PBEM_" in str(refused.value)


@pytest.mark.parametrize("written", [b"store = \n", b'store = "\xff"\n', b"\xff\xfe"])
def test_a_file_that_is_not_toml_is_named(folder: Path, written: bytes) -> None:
    """A file that is not TOML, or not text, is refused with its name."""
    (folder / "pbem.toml").write_bytes(written)
    with pytest.raises(DataError, match=r"^pbem\.toml: is not TOML: "):
        settings()


def test_a_table_is_a_table(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value in the place of a table is refused, and a variable does not hide it from another field."""
    (folder / "pbem.toml").write_text('smtp = "mx"\n')
    with pytest.raises(DataError, match="smtp: Input should be"):
        settings()
    monkeypatch.setenv("PBEM_SMTP__HOST", "mx")
    assert settings().smtp.host == "mx"


@pytest.mark.parametrize("listen", ["127.0.0.1:2424", ":2424", "[::1]:25", "unix:/run/pbem/lmtp.sock"])
def test_where_a_service_listens(monkeypatch: pytest.MonkeyPatch, listen: str) -> None:
    """A host and a port, every host, an address of IPv6 in brackets, or a path."""
    monkeypatch.setenv("PBEM_INTAKE__LMTP__LISTEN", listen)
    known = settings().intake.lmtp
    assert known is not None and known.listen == listen
