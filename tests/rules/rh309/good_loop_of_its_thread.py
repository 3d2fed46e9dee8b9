import asyncio
import threading


class Ticker:
    def __init__(self):
        self.loop = asyncio.get_event_loop()

    def _run(self):
        self.loop.run_forever()

    def start(self):
        threading.Thread(target=self._run, daemon=True).start()

    def stop(self):
        self.loop.call_soon_threadsafe(self.loop.stop)


class Feeder:
    def __init__(self):
        self.loop = asyncio.get_event_loop()

    def _feed(self, loop):
        loop.call_soon_threadsafe(print)

    def start(self):
        threading.Thread(target=self._feed, args=(self.loop,)).start()
        self.loop.call_soon(print)
