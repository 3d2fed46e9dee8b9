import os
from pathlib import Path


class Cache:
    def __init__(self, root):
        self._root = Path(root)

    def _path(self, key):
        return self._root / f"{key}.bin"

    def load(self, key):
        path = self._path(key)
        if path.exists():
            return path.read_bytes()  # RH
        return None

    def evict(self, key):
        self._path(key).unlink(missing_ok=True)
