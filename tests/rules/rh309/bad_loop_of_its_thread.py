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
        self.loop.stop()  # RH
