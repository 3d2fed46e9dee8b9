from threading import Lock

from flask import Flask

app = Flask(__name__)
pages = {}
recent = []


@app.get("/<name>")
def show(name):
    if name not in pages:  # RH
        pages[name] = name.upper()
    return pages[name]


@app.post("/clear")
def clear():
    pages.clear()
    return ""


@app.get("/sum/<int:n>")
def total(n):
    if n not in recent_sums:  # RH
        if len(recent) > 100:
            del recent_sums[recent.pop(0)]
        recent_sums[n] = sum(range(n))
        recent.append(n)
    return str(recent_sums[n])


recent_sums = {}


class Groups:
    """Thread-safe."""

    def __init__(self):
        self._groups = {}
        self._lock = Lock()

    def add(self, key, item):
        if key not in self._groups:  # RH
            with self._lock:
                if key not in self._groups:
                    self._groups[key] = []
        self._groups[key].append(item)

    def drop(self, key):
        with self._lock:
            self._groups.pop(key, None)
