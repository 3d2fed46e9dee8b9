"""What is added while the rest is on its way goes with it when the buffer is emptied."""

import threading


class Dispatcher:
    def __init__(self):
        self._lock = threading.Lock()
        self._buffer = []

    def start(self):
        threading.Thread(target=self.flush, daemon=True).start()

    def add(self, event):
        self._buffer.append(event)

    def flush(self):
        self.publish(self._buffer)
        self._buffer.clear()  # RH

    def publish(self, events):
        with self._lock:
            print(events)
