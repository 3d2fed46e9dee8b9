import threading

_turn = threading.Lock()
LIMIT = 5


class Printer:
    def __init__(self, device):
        self._lock = threading.Lock()
        self._device = device
        self._jobs = []

    def tried(self, text):
        if self._lock.acquire(False):
            if not text:
                return False  # RH
            self._device.write(text)
            self._lock.release()
        return True

    def in_time(self, text):
        if not self._lock.acquire(timeout=1):  # RH
            raise TimeoutError(text)
        self._device.write(text)
        self._lock.release()

    def unasked(self):
        self._lock.acquire(blocking=False)  # RH
        self._device.flush()
        self._lock.release()

    def _begin(self):
        self._lock.acquire()

    def _finish(self):
        self._lock.release()

    def through_helpers(self, job):
        self._begin()
        if job in self._jobs:
            return False  # RH
        self._jobs.append(job)
        self._finish()
        return True


def forgotten(path, parse):
    got = _turn.acquire(timeout=LIMIT)  # RH
    try:
        return parse(path)
    finally:
        _turn.release()
