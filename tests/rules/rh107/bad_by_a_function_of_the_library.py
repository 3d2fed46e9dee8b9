import heapq
import threading


class Schedule:
    def __init__(self):
        self._heap = []
        self._lock = threading.Lock()

    def add(self, entry):
        heapq.heappush(self._heap, entry)  # RH

    def next(self):
        with self._lock:
            return heapq.heappop(self._heap)

    def first(self):
        with self._lock:
            return self._heap[0]
