import asyncio
import threading


class Device:
    def __init__(self, port):
        self._port = port
        self._ready = threading.Event()

    def command(self, text):
        self._ready.clear()
        self._port.write(text)
        self._ready.wait()

    def received(self):
        self._ready.set()


class OneTurn:
    """On a loop nothing is answered before the next await."""

    def __init__(self, transport):
        self._transport = transport
        self._ready = asyncio.Event()

    async def command(self, text):
        self._transport.write(text)
        self._ready.clear()
        await self._ready.wait()

    def received(self):
        self._ready.set()


class Between:
    """What has the event set comes after the clearing."""

    def __init__(self, port):
        self._port = port
        self._ready = threading.Event()

    def command(self, text):
        self._port.write("wake")
        self._ready.clear()
        self._port.write(text)
        self._ready.wait()

    def received(self):
        self._ready.set()


class Limited:
    """A pause that somebody may cut short."""

    def __init__(self, port):
        self._port = port
        self._ready = threading.Event()

    def command(self, text):
        self._port.write(text)
        self._ready.clear()
        self._ready.wait(5)

    def received(self):
        self._ready.set()
