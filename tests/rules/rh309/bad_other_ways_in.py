import asyncio
import functools
import threading

from watchdog.events import FileSystemEventHandler


class Changes(FileSystemEventHandler):
    def __init__(self, queue: asyncio.Queue):
        self.queue = queue

    def on_modified(self, event):
        put = self.queue.put_nowait
        put(event.src_path)  # RH


class Feed(threading.Thread):
    def __init__(self, source, loop):
        super().__init__()
        self.source = source
        self.loop = loop

    def run(self):
        for line in self.source:
            self.handle(line)

    def handle(self, line):
        raise NotImplementedError


class Prices(Feed):
    def handle(self, line):
        self.loop.call_soon(print, line)  # RH


def in_background(function):
    @functools.wraps(function)
    def wrapper(*args):
        threading.Thread(target=function, args=args).start()

    return wrapper


class Camera:
    def __init__(self):
        self.ready = asyncio.Event()

    @in_background
    def capture(self):
        self.ready.set()  # RH


class Calls:
    def __init__(self, transport):
        self.transport = transport
        self.pending = {}
        threading.Thread(target=self._receive).start()

    def _receive(self):
        for key, payload in self.transport:
            future = self.pending.pop(key)
            future.set_result(payload)  # RH

    async def call(self, key):
        future = asyncio.get_running_loop().create_future()
        self.pending[key] = future
        return await future
