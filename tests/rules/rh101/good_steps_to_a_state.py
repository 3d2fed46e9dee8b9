"""Whoever comes second is not refused by the state that the first one has left behind."""

import enum
from concurrent.futures import ThreadPoolExecutor


class State(enum.Enum):
    UNOPENED = 1
    OPENED = 2
    CLOSED = 3


class Client:
    def __init__(self):
        self._state = State.UNOPENED

    def send(self, request):
        if self._state == State.CLOSED:
            raise RuntimeError("closed")
        self._state = State.OPENED
        return request

    def send_all(self, requests):
        with ThreadPoolExecutor() as pool:
            return list(pool.map(self.send, requests))
