import threading


class Account:
    def __init__(self):
        self._lock = threading.Lock()
        self._balance = 0

    def take(self, amount):
        self._lock.acquire()
        if self._balance < amount:
            raise ValueError(amount)  # RH
        self._balance -= amount
        self._lock.release()
