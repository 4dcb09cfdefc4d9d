"""Where the files that are not code are found."""

from __future__ import annotations

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
