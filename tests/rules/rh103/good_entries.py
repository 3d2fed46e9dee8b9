from collections import defaultdict
from threading import Lock

from flask import Flask

app = Flask(__name__)
board = [[0] * 3 for _ in range(3)]
pages = {"a": {}, "b": {}}


@app.post("/<int:row>/<int:column>/<mark>")
def put(row, column, mark):
    board[row][column] = mark
    return ""


@app.get("/<int:row>")
def show(row):
    return ",".join(str(mark) for mark in board[row])


@app.post("/visits")
def visit():
    pages["b"]["visits"] = 1
    return ""


@app.get("/pages")
def known():
    return ",".join(name for name in pages["a"])


class Hub:
    def __init__(self):
        self._lock = Lock()
        self._listeners = defaultdict(dict)

    def add(self, topic, name, listener):
        with self._lock:
            self._listeners[topic][name] = listener

    def fire(self, topic):
        with self._lock:
            for listener in self._listeners[topic].values():
                listener(topic)

    def fire_a_copy(self, topic):
        for listener in list(self._listeners[topic].values()):
            listener(topic)

    def names(self, topic):
        return [name.title() for name in sorted(self._listeners[topic])]

    def copied(self, topic):
        return [name.title() for name in self._listeners[topic].copy()]

    def is_heard(self, topic):
        if self._listeners[topic]:
            for attempt in range(3):
                print(attempt)
