import asyncio


class Bus:
    def __init__(self):
        self._listeners = []

    def publish(self, message):
        [asyncio.create_task(listener(message)) for listener in self._listeners]  # RH


class Kept:
    def __init__(self):
        self._listeners = []
        self._tasks = []

    def publish(self, message):
        self._tasks = [asyncio.create_task(listener(message)) for listener in self._listeners]
