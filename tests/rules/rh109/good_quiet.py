import threading


class Stock:
    def __init__(self):
        self._lock = threading.Lock()
        self._count = 5
        self._jobs = []
        self._client = None

    def in_one(self):
        with self._lock:
            if self._jobs:
                return self._jobs.pop()
        return None

    def looks_again(self):
        with self._lock:
            empty = not self._jobs
        if empty:
            return None
        with self._lock:
            if not self._jobs:
                return None
            return self._jobs.pop()

    def add(self, job):
        with self._lock:
            self._jobs.append(job)

    def compare_and_set(self, amount):
        with self._lock:
            count = self._count
        changed = count - amount
        with self._lock:
            if self._count == count:
                self._count = changed

    def released_on_the_way_out(self, job):
        self._lock.acquire()
        if job in self._jobs:
            self._lock.release()
            return
        self._jobs.append(job)
        self._lock.release()
