#!/usr/bin/env python3
"""Many games on a Dask cluster of this machine, of which a worker is killed, against processes.

    python tests/bench/cluster.py [--pairs 500] [--game rampage]

Starts a scheduler and two workers, plays the pairs of a comparison on them, kills one worker with SIGKILL
when a third of the games are there and starts another. Says whether all results are there and equal to those
of one process, and the time against two processes. Needs `pip install -e '.[test,cluster]'`.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time

from pbem.service.tools.compare import Compared, compare, executor

PORT = 18786


def started(*words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def worker() -> subprocess.Popen[bytes]:
    return started(
        "distributed.cli.dask_worker", f"tcp://127.0.0.1:{PORT}", "--nthreads", "1", "--no-nanny",
        "--no-dashboard",
    )  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--game", default="rampage")
    given = parser.parse_args()

    def timed(jobs: int, cluster: str = "", killing: bool = False) -> tuple[Compared, float]:
        begun, workers = time.monotonic(), []
        if cluster:
            workers = [worker(), worker()]
        killed = False

        def done(number: int) -> None:
            nonlocal killed
            if killing and not killed and number > 2 * given.pairs // 3:
                killed = True
                os.kill(workers[0].pid, signal.SIGKILL)
                workers.append(worker())

        with executor(jobs, cluster) as run:
            found = compare(given.game, "greedy", "random", given.pairs, run=run, done=done)
        for each in workers:
            each.kill()
        return found, time.monotonic() - begun

    scheduler = started("distributed.cli.dask_scheduler", "--port", str(PORT), "--no-dashboard")
    try:
        time.sleep(3)
        on_cluster, cluster_time = timed(1, f"tcp://127.0.0.1:{PORT}", killing=True)
    finally:
        scheduler.kill()
    in_processes, process_time = timed(2)
    in_one, one_time = timed(1)
    print(f"{2 * given.pairs} games of {given.game}; one worker of two killed")
    print(f"  on the cluster {len(on_cluster.games)} games in {cluster_time:.0f} s")
    print(f"  in two processes {process_time:.0f} s, in one {one_time:.0f} s")
    same = on_cluster.facts() == in_one.facts() == in_processes.facts()
    print(f"  the same results: {'yes' if same else 'NO'}")
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main())
