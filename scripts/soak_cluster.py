#!/usr/bin/env python3
"""Play schedules of kills, silence, partitions and restarts against seasons that are watched on a Dask cluster.

Scheduler, workers and watchers are processes of their own. In the middle of passes a worker is killed as by `kill -9`,
or stopped and let go on later; a worker or the watcher cannot reach the scheduler or the spreadsheet for a time; the
scheduler or the watcher is killed; what has ended is started anew. Then each war must have been ruled once. It exits
with 1 if that is not so, or if no schedule ran.

Some schedules are played at a time, each with a spreadsheet and a watcher of its own, on one cluster: what happens to
its scheduler and workers hits all of them.

What was played stands in a file of results, so that a run that was stopped goes on where it was.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "servers")]
AT_A_TIME, WORKERS = 16, 8


def main() -> int:
    """Play schedules; return 0 when nothing was violated, else 1."""
    from scripts.support.schedule_options import parse, schedule_parser

    parser = schedule_parser(__doc__, 500)
    parser.add_argument("--results", type=Path, metavar="FILE", help="keep what was played, and go on from there")
    args = parse(parser)

    from scripts.support.cluster_schedules import host, play
    from scripts.support.results_file import ResultsFile
    from scripts.support.warm_start import CONTEXT

    imports = ("scripts.support.warm_start_imports", "distributed.cli.dask_scheduler", "distributed.cli.dask_worker")
    CONTEXT.set_forkserver_preload([*imports])
    results = ResultsFile(args.results)
    parts = results.read()
    known = {part["seed"] for part in parts}
    with TemporaryDirectory() as folder, host(Path(folder), WORKERS) as cluster:

        def play_one(seed: int) -> None:
            if time.monotonic() > args.end:
                return
            played = play(cluster, Path(folder), seed)
            parts.append({"seed": seed, "faults": played.faults, "deeds": played.deeds})
            results.add(parts[-1])
            for fault in played.faults:
                print(f"--seed {seed}: {fault}", flush=True)

        with ThreadPoolExecutor(AT_A_TIME) as pool:
            list(pool.map(play_one, sorted({*args.seeds} - known)))
    deeds = sum((Counter[str](part["deeds"]) for part in parts), Counter[str]())
    broken = sum(bool(part["faults"]) for part in parts)
    print(f"{len(parts):,} schedules ({', '.join(f'{deed} {times:,}' for deed, times in sorted(deeds.items()))}).")
    print(f"{broken} broke a rule." if broken else "No schedule broke a rule." if parts else "No schedule ran.")
    return 1 if broken or not parts else 0


if __name__ == "__main__":
    raise SystemExit(main())
