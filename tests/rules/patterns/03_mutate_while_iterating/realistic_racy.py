import threading


class Hub:
    def __init__(self):
        self._subscribers = set()
        self._thread = threading.Thread(target=self._pump, daemon=True)
        self._thread.start()

    def subscribe(self, callback):
        self._subscribers.add(callback)

    def _everybody(self):
        for callback in self._subscribers:  # RH
            yield callback

    def _pump(self):
        while True:
            for callback in self._subscribers:  # RH
                callback()
