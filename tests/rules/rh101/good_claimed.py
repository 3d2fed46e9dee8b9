from threading import Lock, Thread

from flask import Flask

app = Flask(__name__)
_booking = Lock()


class Seat:
    def __init__(self):
        self.taken_by = None
        self.seen_by = None


seats = {"1a": Seat(), "1b": Seat()}


@app.post("/seats/<number>/<user>")
def book(number, user):
    seat = seats[number]
    with _booking:
        if seat.taken_by is not None:
            return "gone"
        seat.taken_by = user
        return "yours"


@app.post("/seen/<number>/<user>")
def note(number, user):
    seat = seats[number]
    if seat.seen_by is None:
        seat.seen_by = user
    return "thanks"


class Defaults:
    """Thread-safe: whoever comes first says what it is."""

    def __init__(self):
        self._name = None

    def name(self, proposed):
        if self._name is not None:
            return self._name
        self._name = proposed
        return proposed


class Own:
    def work(self, user):
        seat = Seat()
        if seat.taken_by is not None:
            return False
        seat.taken_by = user
        return True


for person in ("ann", "bob"):
    Thread(target=Own().work, args=(person,)).start()
