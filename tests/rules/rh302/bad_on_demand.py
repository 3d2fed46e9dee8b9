import asyncio


class Statistics:
    """Nothing says that two tasks come; whoever sends first makes the link."""

    def __init__(self, address):
        self._address = address
        self._link = None

    async def send(self, text):
        if self._link is None:
            self._link = await asyncio.open_connection(self._address)  # RH
        return self._link.write(text)


class Channels:
    def __init__(self):
        self._channels = {}

    async def send(self, name, text):
        if name not in self._channels:
            self._channels[name] = await create_channel(name)  # RH
        self._channels[name].write(text)
