from dataclasses import dataclass, field
from threading import Lock, Thread, get_ident

from flask import Flask, abort, request

app = Flask(__name__)


class Seat:
    def __init__(self):
        self.taken_by = None


seats = {"1a": Seat(), "1b": Seat()}
desk = Seat()


@app.post("/seats/<number>/<user>")
def book(number, user):
    seat = seats.get(number)
    if seat is None or seat.taken_by is not None:  # RH
        return "gone"
    seat.taken_by = user
    return "yours"


@app.post("/desk")
def take_desk():
    user = request.args["user"]
    if desk.taken_by is not None:  # RH
        abort(409)
    desk.taken_by = user
    return "yours"


class Turn:
    def __init__(self):
        self._lock = Lock()
        self._holder = None
        self._turns = 0

    def take(self):
        if self._holder is None:  # RH
            self._holder = get_ident()
            return True
        return False

    def leave(self):
        with self._lock:
            self._holder = None
            self._turns += 1


@dataclass
class Coupons:
    _by_code: dict[str, Seat] = field(default_factory=dict)

    def redeem(self, code, user):
        coupon = self._by_code[code]
        if coupon.taken_by:  # RH
            raise ValueError(code)
        coupon.taken_by = user


coupons = Coupons()
for name in ("ann", "bob"):
    Thread(target=coupons.redeem, args=("x", name)).start()
