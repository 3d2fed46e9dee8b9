import threading


class Nodes:
    def __init__(self):
        self._lock = threading.Lock()
        self._one_at_a_time = threading.Lock()
        self._epoch = 0
        self._nodes = {}

    def epoch(self):
        with self._lock:
            return self._epoch

    def refresh(self, read):
        epoch = self.epoch()
        with self._one_at_a_time:
            with self._lock:
                if epoch != self._epoch:
                    return
            nodes = read()
            with self._lock:
                self._nodes = nodes
                self._epoch += 1
