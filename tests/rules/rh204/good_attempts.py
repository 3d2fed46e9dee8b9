import threading

_turn = threading.Lock()


class Printer:
    def __init__(self, device):
        self._lock = threading.Lock()
        self._device = device
        self._jobs = []

    def tried(self, text):
        if self._lock.acquire(False):
            try:
                if not text:
                    return False
                self._device.write(text)
            finally:
                self._lock.release()
        return True

    def in_time(self, text):
        if not self._lock.acquire(timeout=1):
            self._device.beep(text)
            raise TimeoutError(text)
        self._last = text
        self._lock.release()

    def opened_for_sure(self):
        self._lock.acquire(False)
        self._lock.release()

    def waits_for_ever(self, text):
        self._lock.acquire(True, -1)
        try:
            self._device.write(text)
        finally:
            self._lock.release()

    def as_told(self, text, timeout=-1):
        self._lock.acquire(timeout=timeout)
        try:
            self._device.write(text)
        finally:
            self._lock.release()

    def slept(self, job):
        self._lock.acquire(timeout=1)
        job()

    def _begin(self):
        self._lock.acquire()

    def _finish(self):
        self._lock.release()

    def through_helpers(self, job):
        self._begin()
        try:
            if job in self._jobs:
                return False
            self._jobs.append(job)
            return True
        finally:
            self._finish()


def asked_later(path, parse):
    got = _turn.acquire(timeout=1)
    try:
        return parse(path)
    finally:
        if got:
            _turn.release()
