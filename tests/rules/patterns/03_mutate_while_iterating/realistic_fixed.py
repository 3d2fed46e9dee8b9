import threading


class Hub:
    def __init__(self):
        self._lock = threading.Lock()
        self._subscribers = set()
        self._thread = threading.Thread(target=self._pump, daemon=True)
        self._thread.start()

    def subscribe(self, callback):
        with self._lock:
            self._subscribers.add(callback)

    def _everybody(self):
        with self._lock:
            return tuple(self._subscribers)

    def _pump(self):
        while True:
            for callback in self._everybody():
                callback()
