"""The buffer is swapped first, in one step with the look at it."""

import threading


class Dispatcher:
    def __init__(self):
        self._lock = threading.Lock()
        self._buffer = []

    def start(self):
        threading.Thread(target=self.flush, daemon=True).start()

    def add(self, event):
        with self._lock:
            self._buffer.append(event)

    def flush(self):
        with self._lock:
            events, self._buffer = self._buffer, []
        self.publish(events)

    def publish(self, events):
        print(events)
