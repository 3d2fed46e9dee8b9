"""The name of the variable does not say that it is a lock; its suffix does."""

import os
from pathlib import Path

CONFIG = Path("config.json")


def lock():
    path = CONFIG.with_suffix(".lock")
    if os.path.exists(path):
        raise SystemExit("another run is at work")
    path.touch()  # RH
