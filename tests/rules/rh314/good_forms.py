import asyncio


class Session:
    def __init__(self):
        self._writer = None

    def on_disconnect(self):
        self._writer = None

    async def own_name(self, parts):
        writer = self._writer
        writer.write(parts[0])
        await asyncio.sleep(0)
        writer.write(parts[1])

    async def asked_again(self, parts):
        self._writer.write(parts[0])
        await asyncio.sleep(0)
        if self._writer is not None:
            self._writer.write(parts[1])

    async def reckoned(self, parts):
        self._writer.write(parts[0])
        await asyncio.sleep(0)
        try:
            self._writer.write(parts[1])
        except AttributeError:
            return

    async def renewed(self, parts):
        self._writer.write(parts[0])
        self._writer = await connect()
        self._writer.write(parts[1])


class Call:
    def __init__(self, agent):
        self._agent = agent

    def on_leave(self):
        self._agent.activity = None

    async def speak(self, parts):
        self._agent.say(parts[0])
        await asyncio.sleep(0)
        self._agent.history.append(parts[1])
