import threading


class Meter:
    def __init__(self):
        self._mutex = threading.RLock()
        self._totals = {}

    def snapshot(self):
        with self._mutex:
            return dict(self._totals)

    def reset(self, name):
        with self._mutex:
            self._totals[name] = 0


class RequestMeter(Meter):
    def on_request(self, route, size):
        seen = self._totals.get(route, 0)
        self._record(route, seen + size)

    def _record(self, route, total):
        self._totals[route] = total

    def on_retry(self, route):
        totals = self._totals
        totals[route] = totals.get(route, 0) + 1  # RH
