"""Workers are killed while letters come in (torture.py): nothing is lost, nothing is done twice."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from serve.torture import Torture, torture
from sizes import size

from pbem.service.record.store import Store

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes are killed")


@pytest.mark.dear
def test_one_worker_is_killed(tmp_path: Path) -> None:
    """On a game file; at most the one answer in hand comes twice at each kill, with one Message-ID."""
    how = Torture(games=size(3, 6), workers=1, kills=size(1, 3))
    torture(Store.create(tmp_path / "club.pbem"), tmp_path, how)
    assert how.twice <= how.kills


@pytest.mark.dear
def test_several_workers_are_killed(tmp_path: Path, store: Store) -> None:
    """Three workers on one server, one of them killed again and again."""
    if store.engine.dialect.name == "sqlite":
        pytest.skip("a game file has one worker")
    how = Torture(games=size(5, 10), workers=3, kills=size(2, 5))
    torture(store, tmp_path, how)
    assert how.twice <= how.kills
