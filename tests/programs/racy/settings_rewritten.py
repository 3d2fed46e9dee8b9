"""A file of settings that each run reads whole and writes back whole."""

import atexit
import shutil
import tempfile
from configparser import ConfigParser
from pathlib import Path

_PLACE = Path(tempfile.mkdtemp())
atexit.register(shutil.rmtree, _PLACE)


class Settings:
    def __init__(self) -> None:
        self.path = _PLACE / "settings.ini"
        self.path.write_text("[run]\ncount = 0\n", encoding="utf-8")

    def note_run(self) -> None:
        settings = ConfigParser()
        settings.read(self.path, encoding="utf-8")
        settings["run"]["count"] = str(settings.getint("run", "count") + 1)
        with self.path.open("w", encoding="utf-8") as file:
            settings.write(file)


setup = Settings
WORKERS = [Settings.note_run, Settings.note_run]


def invariant(settings: Settings) -> bool:
    return "count = 2" in settings.path.read_text(encoding="utf-8")
