"""The way to the store: who comes first visits first."""

from __future__ import annotations

import asyncio
from pathlib import Path

from pbem.config import Settings
from pbem.serve.desk import Desk


def test_nobody_waits_for_all_visits_of_another(tmp_path: Path) -> None:
    """While one makes visit after visit, as the clock does with a thousand games, another that comes in
    between waits for one of them."""

    async def visits() -> tuple[int, int]:
        desk, made = Desk(Settings(store=str(tmp_path / "none.pbem"))), 0

        async def many() -> None:
            nonlocal made
            for _ in range(200):
                await desk.visit(int)
                made += 1

        clock = asyncio.create_task(many())
        while made < 5:
            await asyncio.sleep(0)
        before = made
        await desk.visit(int)
        waited = made - before
        await clock
        desk.close()
        return waited, made

    waited, made = asyncio.run(visits())
    assert waited <= 3 and made == 200
