from collections import defaultdict
from threading import Lock

from flask import Flask

app = Flask(__name__)
pages = {}


@app.get("/<name>")
def show(name):
    return pages.setdefault(name, name.upper())


@app.post("/clear")
def clear():
    pages.clear()
    return ""


class Groups:
    """Thread-safe."""

    def __init__(self):
        self._groups = {}
        self._counts = defaultdict(int)
        self._lock = Lock()

    def add(self, key, item):
        with self._lock:
            if key not in self._groups:
                self._groups[key] = []
            self._groups[key].append(item)
            self._counts[key] += 1

    def drop(self, key):
        with self._lock:
            self._groups.pop(key, None)
