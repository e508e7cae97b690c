#!/usr/bin/env python3
"""Answer what gspread asks of Google Sheets and Drive, from memory, for tests and for trying things out."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / ".venv" / "bin" / "python"


def main() -> int:
    """Serve until SIGINT, SIGTERM or `POST /_control/shutdown`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8600, metavar="N", help="0 for any free one (default: 8600)")
    parser.add_argument("--host", default="127.0.0.1", help="where to listen (default: 127.0.0.1)")
    parser.add_argument("--seed", type=Path, metavar="DIR", help="start with its NAME.json or NAME/TAB.csv")
    parser.add_argument("--save", type=Path, metavar="DIR", help="keep a snapshot of each spreadsheet there at the end")
    parser.add_argument("--clock", choices=("real", "fake"), default="real", help="fake stands still until it is moved")
    parser.add_argument("--quota", action="store_true", help="60 reads and 60 writes a minute, as Google has it")
    parser.add_argument("--key", type=Path, metavar="FILE", help="write a made-up service account's key file")
    parser.add_argument("--strict-auth", action="store_true", help="refuse tokens that were not given out here")
    args = parser.parse_args()
    if Path(sys.prefix).parent != ROOT:  # run by a Python that has the packages: .venv, or that of the demo
        if not PYTHON.exists():
            parser.error("there is no .venv yet; scripts/setup-venv makes it")
        os.execv(PYTHON, [str(PYTHON), *sys.argv])
    if args.seed and args.seed == args.save:  # its spreadsheets of the last time; none at first
        args.seed.mkdir(parents=True, exist_ok=True)
    if args.seed and not args.seed.is_dir():
        parser.error(f"--seed: there is no folder {args.seed}")

    sys.path.insert(0, str(ROOT / "scripts" / "servers"))
    from localsheets.clock import Clock
    from localsheets.desk import Desk
    from localsheets.disk import seed
    from localsheets.quota import Limits
    from localsheets.server import Server

    clock = Clock(time.time() if args.clock == "fake" else None)
    desk = Desk(clock, Limits() if args.quota else None, is_strict=args.strict_auth)
    try:
        if args.seed:
            seed(desk.store, args.seed)
        server = Server(desk, args.host, args.port, args.save)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    if args.key:
        write_key(args.key, desk.tokens.new_key(f"{server.url}/token"))
    print(server.url, flush=True)
    for file in desk.store.files.values():
        print(file.id, file.title, sep="\t", flush=True)
    server.run()
    return 0


def write_key(path: Path, key: dict[str, str]) -> None:
    """Write a key file that only its owner can read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(key, file, indent=2)


if __name__ == "__main__":
    sys.exit(main())
