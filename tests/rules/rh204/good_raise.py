import threading


class Pool:
    def __init__(self):
        self._slots = threading.Semaphore(3)

    def connect(self, address):
        self._slots.acquire()
        try:
            return open(address)
        except BaseException:
            self._slots.release()
            raise

    def check(self, address):
        self._slots.acquire()
        try:
            if not address:
                raise ValueError
        except ValueError:
            address = None
        self._slots.release()

    def asked(self):
        if not self._slots.acquire():
            raise RuntimeError
        self._slots.release()
