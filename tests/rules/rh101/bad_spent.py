import threading


class Account:
    def __init__(self, balance):
        self._lock = threading.Lock()
        self.balance = balance

    def deposit(self, amount):
        with self._lock:
            self.balance += amount

    def withdraw(self, amount):
        if self.balance >= amount:  # RH
            with self._lock:
                self.balance -= amount
            return True
        return False


class LockPerKey:
    def __init__(self):
        self._locks = {}

    def of(self, key):
        if key not in self._locks:  # RH
            self._locks[key] = threading.Lock()
        return self._locks[key]


class Sessions:
    def __init__(self):
        self._idle = {}
        self._lock = threading.Lock()

    def _has(self, host):
        return host in self._idle

    def give_back(self, host, session):
        with self._lock:
            self._idle[host] = session

    def take(self, host):
        if self._has(host):  # RH
            return self._idle.pop(host)
        return None
