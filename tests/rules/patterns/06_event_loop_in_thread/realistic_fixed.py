import asyncio
from concurrent.futures import ThreadPoolExecutor


class Bridge:
    def __init__(self):
        self._loop = asyncio.get_running_loop()
        self._inbox = asyncio.Queue()
        self._pool = ThreadPoolExecutor()

    def listen(self, sockets):
        for socket in sockets:
            self._pool.submit(self._receive, socket).add_done_callback(print)

    def _receive(self, socket):
        self._deliver(socket.recv(1024))

    def _deliver(self, message):
        self._loop.call_soon_threadsafe(self._inbox.put_nowait, message)
        self._loop.call_soon_threadsafe(print, message)
