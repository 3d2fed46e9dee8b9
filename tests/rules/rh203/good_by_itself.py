import asyncio
import threading


class Again:
    def __init__(self):
        self._lock = threading.RLock()
        self._left = 3

    def shrink(self):
        with self._lock:
            self._left -= 1
            if self._left:
                self.shrink()


class Node:
    """Each has a lock of its own."""

    def __init__(self, below: "Node"):
        self._lock = threading.Lock()
        self._below = below

    def close(self):
        with self._lock:
            self._below.close()


class Outside:
    def __init__(self):
        self._lock = threading.Lock()
        self._left = 3

    def shrink(self):
        with self._lock:
            self._left -= 1
        if self._left:
            self.shrink()
