"""The same tool at score 2: parallel calls do no harm, but share one temporary file.

    python shelf_without_sessions.py put color blue
    python shelf_without_sessions.py list
    python shelf_without_sessions.py export

What it has: a lock with a timeout that is released on every exit, and an error that says who holds it
and when to come back. What it lacks for score 3: `--session-id`, so two exports write one file, and
atomic writes, so a crash in the middle of `put` leaves half a shelf.
"""

import argparse
import json
import os
import sys
from pathlib import Path

from racehound.guard import Lock, LockHeld

HOME = Path(os.environ.get("SHELF_HOME") or Path.home() / ".shelf-without-sessions")
SHELF = HOME / "shelf.json"
EXPORT = HOME / "export.json"


def put(name: str, value: str) -> object:
    SHELF.write_text(json.dumps(read() | {name: value}))
    return {"name": name, "effect": "updated"}


def read() -> dict[str, str]:
    return json.loads(SHELF.read_text()) if SHELF.exists() else {}


def export() -> object:
    EXPORT.write_text(json.dumps(read()))
    return {"path": str(EXPORT)}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Keeps values under names.")
    parser.add_argument("--lock-timeout", type=float, default=10.0, metavar="SECONDS")
    commands = parser.add_subparsers(dest="command", required=True)
    putting = commands.add_parser("put")
    putting.add_argument("name")
    putting.add_argument("value")
    commands.add_parser("list")
    commands.add_parser("export")
    return parser.parse_args()


def work(arguments: argparse.Namespace) -> object:
    match arguments.command:
        case "put":
            return put(arguments.name, arguments.value)
        case "export":
            return export()
        case _:
            return read()


def main() -> int:
    arguments = parse()
    HOME.mkdir(parents=True, exist_ok=True)
    try:
        with Lock(HOME / "shelf.lock", timeout=arguments.lock_timeout):
            print(json.dumps(work(arguments)))
    except LockHeld as held:
        print(json.dumps(held.envelope()))
        return held.exit_status
    return 0


if __name__ == "__main__":
    sys.exit(main())
