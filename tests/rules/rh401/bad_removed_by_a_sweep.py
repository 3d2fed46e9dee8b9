import os
import threading
import time


class Cache:
    def __init__(self, root):
        self.root = root

    def _path(self, key):
        return os.path.join(self.root, key.encode().hex())

    def get(self, key):
        path = self._path(key)
        if not os.path.exists(path):
            return None
        with open(path, "rb") as stream:  # RH
            return stream.read()

    def sweep(self):
        for entry in os.scandir(self.root):
            if entry.name.endswith(".old"):
                os.unlink(entry.path)


def start(cache: Cache):
    def loop():
        while True:
            time.sleep(60)
            cache.sweep()

    threading.Thread(target=loop, daemon=True).start()
