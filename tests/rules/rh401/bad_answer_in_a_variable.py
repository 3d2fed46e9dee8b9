import json
from pathlib import Path

CACHE = Path.home() / ".cache" / "tool"


def load(name):
    path = CACHE / name
    is_there = path.exists()
    if is_there:
        return json.loads(path.read_text())  # RH
    return None


def forget(name):
    (CACHE / name).unlink(missing_ok=True)
