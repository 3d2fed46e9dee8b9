import asyncio
import queue
import threading


class Broadcaster:
    """Its queues may be those of threads."""

    def __init__(self):
        self._queues = set()
        self._closing = asyncio.Queue()

    def subscribe(self):
        lines = queue.Queue()
        self._queues.add(lines)
        return lines

    def publish(self, message):
        for lines in list(self._queues):
            lines.put_nowait(message)


class Poller:
    def __init__(self, broadcaster: Broadcaster):
        self.broadcaster = broadcaster
        threading.Thread(target=self._poll).start()

    def _poll(self):
        while True:
            self.broadcaster.publish(read())
