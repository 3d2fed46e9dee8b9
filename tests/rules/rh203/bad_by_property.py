import threading


class Jobs:
    def __init__(self):
        self._lock = threading.Lock()
        self._jobs = []

    @property
    def pending(self):
        with self._lock:
            return len(self._jobs)

    def add(self, job):
        with self._lock:
            if self.pending > 10:  # RH
                raise OverflowError
            self._jobs.append(job)
