import functools

from flask import Flask

app = Flask(__name__)


class Window:
    def __init__(self):
        self.count = 0


class Limit:
    def __init__(self, most):
        self.most = most
        self._window = Window()

    def _next(self):
        window = self._window
        window.count += 1  # RH
        return window.count

    def __call__(self, view):
        @functools.wraps(view)
        def limited():
            return view() if self._next() <= self.most else "later"

        return limited


limit = Limit(100)


@app.get("/search")
@limit
def search():
    return "found"
