import os
from os import path, remove
from pathlib import Path


class Cache:
    def __init__(self, directory):
        self._directory = directory

    def _name(self, key):
        return os.path.join(self._directory, key)

    def load(self, key):
        name = self._name(key)
        if os.path.exists(name):
            with open(name, "rb") as file:  # RH
                return file.read()

    def _delete(self, name):
        os.remove(name)

    def clear(self, key):
        self._delete(self._name(key))


class Notes:
    def __init__(self, root):
        self.root = Path(root)

    def read(self):
        if (self.root / "notes.txt").exists():
            return (self.root / "notes.txt").read_text()  # RH

    def forget(self):
        (self.root / "notes.txt").unlink(missing_ok=True)


INDEX = os.path.expanduser("~/.cache/tool/index.json")


def _load(path):
    with open(path) as file:
        return file.read()


def index():
    if not os.path.exists(INDEX):
        return ""
    return _load(INDEX)  # RH


def forget_index():
    os.remove(INDEX)
