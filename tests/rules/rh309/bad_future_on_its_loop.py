import asyncio
import threading


class Runner:
    def __init__(self):
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def start(self, coroutine):
        return asyncio.ensure_future(coroutine, loop=self.loop)  # RH

    def hand_over(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop)
