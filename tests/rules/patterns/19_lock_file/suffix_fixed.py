"""The name of the variable is no matter."""

import os
from pathlib import Path

CONFIG = Path("config.json")


def lock():
    path = CONFIG.with_suffix(".lock")
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        raise SystemExit("another run is at work") from None
