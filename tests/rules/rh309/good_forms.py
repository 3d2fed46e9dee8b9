import asyncio
import threading


class Bridge:
    def __init__(self):
        self.loop = asyncio.new_event_loop()
        self.done = asyncio.Event()

    def start(self):
        threading.Thread(target=self._work).start()
        threading.Thread(target=self._serve).start()
        threading.Thread(target=self._own).start()

    def _work(self):
        self.loop.call_soon_threadsafe(self.done.set)
        asyncio.run_coroutine_threadsafe(poll(), self.loop)
        self.timer.stop()

    def _serve(self):
        asyncio.set_event_loop(self.loop)
        self.loop.create_task(poll())
        self.loop.run_forever()

    def _own(self):
        asyncio.run(self._main())

    async def _main(self):
        asyncio.create_task(poll())
        asyncio.get_event_loop().call_soon(print)

    def on_the_loop(self):
        self.loop.call_soon(print)

    async def through_the_loop(self):
        self.on_the_loop()


async def poll():
    await asyncio.sleep(0)
