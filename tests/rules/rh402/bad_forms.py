import tempfile
from pathlib import Path

BASE = Path("/tmp")


def named():
    name = tempfile.mktemp()  # RH
    return name


def local():
    path = "/var/tmp/report.txt"
    with open(path, "a") as file:  # RH
        file.write("x")


class Cache:
    def __init__(self):
        self.path = Path(tempfile.gettempdir()) / "cache.db"

    def save(self, data):
        self.path.write_bytes(data)  # RH


def constant():
    (BASE / "out").mkdir()  # RH


def wrapped(data):
    Path("/tmp/data.bin").write_bytes(data)  # RH
