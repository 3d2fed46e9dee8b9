import asyncio
import threading


def run(loop):
    loop.run_forever()


def start():
    loop = asyncio.new_event_loop()
    loop.call_soon(print)
    threading.Thread(target=run, args=(loop,), daemon=True).start()
    loop.call_later(1, print)  # RH
    return loop


class Background:
    def __init__(self):
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve)

    def _serve(self):
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def submit(self, work):
        self._loop.create_task(work())  # RH

    def stop(self):
        self._loop.call_soon_threadsafe(self._finish)

    def _finish(self):
        self._loop.stop()

    async def inside(self):
        self._loop.call_soon(print)

    def wait(self):
        self._thread.join()
        self._loop.stop()
