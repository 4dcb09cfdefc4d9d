"""Where the files that are not code are found."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pbem import paths
from pbem.engine.errors import DataError


def test_the_folders_are_there() -> None:
    """Templates and migrations are found, in a working copy as in an installed wheel."""
    assert any(paths.templates().rglob("*.j2"))
    assert (paths.migrations() / "env.py").is_file()
    assert paths.examples().is_dir()


def test_packed_folders_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package uses the folders packed into it, whatever stands beside it; a working copy those
    at its top."""
    package = tmp_path / "pbem"
    beside = tmp_path / "templates"
    beside.mkdir()
    monkeypatch.setattr(paths, "_PACKAGE", package)
    assert paths.templates() == beside
    packed = package / "_templates"
    packed.mkdir(parents=True)
    assert paths.templates() == packed


def test_a_missing_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that is in neither place is an error that names it and where it was looked for."""
    monkeypatch.setattr(paths, "_PACKAGE", tmp_path / "pbem")
    with pytest.raises(DataError, match=r"'migrations' is missing.*pbem"):
        paths.migrations()


def test_who_may_not_use_a_file_reads_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """About the file itself, or the folder around it; the user of the service is no longer told to be root,
    and a user without a name, as in a container, is a number."""
    file = tmp_path / "mail"
    file.write_text("")
    me = paths.user_name(os.geteuid())
    closed = {file}
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) not in closed)
    assert paths.denied(file) == f"{me} may not use {file}: chmod u+rw {file}"
    monkeypatch.setattr(os, "geteuid", lambda: 4_000_001)
    owner = paths.user_name(file.stat().st_uid)
    again = "" if owner == "root" else f"run it as {owner}, or "
    says = f"belongs to {owner}, and this is 4000001: {again}chown 4000001"
    assert paths.denied(file) == f"{file} {says} {file}"
    closed.add(tmp_path)
    assert paths.denied(tmp_path / "backup" / "club.part") == f"{tmp_path} {says} {tmp_path}"
    closed.clear()
    assert paths.denied(file) == ""
