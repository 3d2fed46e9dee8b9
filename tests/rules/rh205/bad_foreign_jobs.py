import threading


class Scheduler:
    """Whoever gives a job to an executor may have it call the scheduler."""

    def __init__(self):
        self._lock = self._create_lock()
        self._executors = {}

    def _create_lock(self):
        return threading.RLock()

    def add(self, name, executor):
        with self._lock:
            self._executors[name] = executor

    def shutdown(self, wait=True):
        with self._lock:
            for executor in self._executors.values():
                executor.shutdown(wait)  # RH
