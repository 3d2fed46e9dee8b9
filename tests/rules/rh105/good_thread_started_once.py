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
        with self._lock:
            if not self._timer.is_alive():
                self._timer = threading.Timer(1, self._tick)
                self._timer.start()


class Sender:
    """Thread-safe: anybody may send."""

    def __init__(self):
        self._thread = threading.Thread(target=print)

    def start(self):
        if not self._thread.is_alive():
            self._thread = threading.Thread(target=print)
            self._thread.start()

    def stop(self):
        self._thread.join()
