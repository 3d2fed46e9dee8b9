"""A number kept in a file of JSON: read, counted up, written back."""

import atexit
import json
import shutil
import tempfile
from pathlib import Path

_PLACE = Path(tempfile.mkdtemp())
atexit.register(shutil.rmtree, _PLACE)


class Visits:
    def __init__(self) -> None:
        self.path = _PLACE / "visits.json"
        self.path.write_text('{"visits": 0}', encoding="utf-8")

    def count(self) -> None:
        kept = json.loads(self.path.read_text(encoding="utf-8"))
        kept["visits"] += 1
        self.path.write_text(json.dumps(kept), encoding="utf-8")


setup = Visits
WORKERS = [Visits.count, Visits.count]


def invariant(visits: Visits) -> bool:
    return visits.path.read_text(encoding="utf-8") == '{"visits": 2}'
