import glob
import os
import shutil
from pathlib import Path


def clear_sessions(directory: Path):
    for entry in directory.iterdir():
        if entry.suffix == ".session":
            entry.unlink()  # RH


def purge_cache(cache_directory):
    names = os.listdir(cache_directory)
    for name in sorted(names):
        os.remove(os.path.join(cache_directory, name))  # RH


class Spool:
    def __init__(self, spool):
        self._spool = spool

    def drop_all(self):
        for path in glob.glob(os.path.join(self._spool, "*.job")):
            shutil.rmtree(path)  # RH
