import random
import threading


class Hosts:
    def __init__(self):
        self._lock = threading.Lock()
        self._hosts = []

    def add(self, host):
        with self._lock:
            self._hosts.append(host)

    def drop(self, host):
        with self._lock:
            self._hosts.remove(host)

    def pick(self):
        if self._hosts:  # RH
            return random.choice(self._hosts)
        return None

    def pick_safely(self):
        hosts = list(self._hosts)
        return random.choice(hosts) if hosts else None
