import threading


class Device:
    def __init__(self, port):
        self._port = port
        self._ready = threading.Event()
        threading.Thread(target=self._read).start()

    def command(self, text):
        self._port.write(text)
        self._ready.clear()  # RH
        self._ready.wait()

    def _read(self):
        for _ in self._port:
            self._ready.set()


class Stage:
    """What the event is, only its use tells."""

    def __init__(self, context):
        self.can_read = context.event_class()

    async def step(self):
        await self.send("updated")
        await self.can_read.clear()  # RH
        await self.can_read.wait()

    async def drained(self):
        await self.can_read.set()
