import threading


class Ticker:
    def __init__(self):
        self._lock = threading.Lock()
        self._timer = threading.Timer(1, self._tick)
        self.count = 0

    def _tick(self):
        with self._lock:
            self.count += 1

    def hit(self):
        if not self._timer.is_alive():  # RH
            self._timer = threading.Timer(1, self._tick)
            self._timer.start()


class Sender:
    """Thread-safe: anybody may send."""

    def __init__(self):
        self._thread = None

    def send(self, text):
        if self._thread is None:  # RH
            self._thread = threading.Thread(target=print, args=(text,))
            self._thread.start()
