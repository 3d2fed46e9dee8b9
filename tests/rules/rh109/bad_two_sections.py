import threading


class Stock:
    def __init__(self):
        self._lock = threading.Lock()
        self._count = 5
        self._jobs = []
        self._client = None

    def level(self):
        with self._lock:
            return self._count

    def has_jobs(self):
        with self._lock:
            return bool(self._jobs)

    def next_job(self):
        if self.has_jobs():
            with self._lock:
                return self._jobs.pop()  # RH
        return None

    def add(self, job):
        with self._lock:
            self._jobs.append(job)

    def client(self):
        self._lock.acquire()
        known = self._client
        self._lock.release()
        if known is None:
            known = Client()
            self._lock.acquire()
            self._client = known  # RH
            self._lock.release()
        return known


class Grown(Stock):
    def double(self):
        with self._lock:
            count = self._count
        count = count * 2
        with self._lock:
            self._count = count  # RH


class Client:
    pass
