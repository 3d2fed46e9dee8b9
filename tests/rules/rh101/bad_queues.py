import queue
import threading
from queue import PriorityQueue


class Pool:
    def __init__(self):
        self._free = queue.Queue(maxsize=4)
        self._dead = PriorityQueue()

    def take(self):
        if self._free.empty():  # RH
            return None
        return self._free.get()

    def give(self, connection):
        if not self._free.full():  # RH
            self._free.put(connection)

    def revive(self):
        while self._dead.qsize() > 0:  # RH
            self._dead.get().revive()

    def bury(self):
        return self._dead.get(timeout=1)

    def close(self):
        while not self._free.empty():  # RH
            self._free.get().close()
