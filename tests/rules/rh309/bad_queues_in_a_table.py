import asyncio
import threading
from collections import defaultdict


class Broadcaster:
    def __init__(self):
        self._queues = defaultdict(set)

    def subscribe(self, topic):
        queue = asyncio.Queue()
        self._queues[topic].add(queue)
        return queue

    def publish(self, topic, message):
        for queue in list(self._queues[topic]):
            queue.put_nowait(message)  # RH


class Poller:
    def __init__(self, broadcaster: Broadcaster):
        self.broadcaster = broadcaster
        threading.Thread(target=self._poll).start()

    def _poll(self):
        while True:
            self.broadcaster.publish("sensor", read())
