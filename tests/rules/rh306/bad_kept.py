import asyncio

LOOPS = []


class Peer:
    def __init__(self, connection):
        self.connection = connection
        self.tasks = []
        self.by_name = {}
        self.group = set()

    async def _beat(self):
        while True:
            await self.connection.send(b"ping")


class Listed(Peer):
    def start(self):
        self.tasks.append(asyncio.create_task(self._beat()))  # RH

    def stop(self):
        for task in list(self.tasks):
            if not task.done():
                task.cancel()
        self.tasks.clear()


class Named(Peer):
    def start(self, name):
        task = asyncio.create_task(self._beat())  # RH
        task.set_name(name)
        self.by_name[name] = task

    def stop(self, name):
        task = self.by_name.pop(name, None)
        if task is not None:
            task.cancel()

    def stop_all(self):
        for _, task in self.by_name.items():
            task.cancel()
        for name in list(self.by_name):
            self.by_name[name].cancel()


class Tracked(Peer):
    def _track(self, work):
        self.group.add(asyncio.create_task(work))

    async def start(self):
        self._track(self._beat())  # RH

    async def stop(self):
        self.group.pop().cancel()


class Renamed(Peer):
    def start(self):
        self.job = asyncio.create_task(self._beat())  # RH

    def stop(self):
        job = self.job
        if job is not None:
            job.cancel()


class Made(Peer):
    def start(self):
        self.all = [asyncio.create_task(self._beat()) for _ in range(3)]  # RH

    def stop(self):
        for task in self.all:
            task.cancel()


async def poll(connection):
    while True:
        await connection.send(b"ping")


def begin(connection):
    LOOPS.append(asyncio.create_task(poll(connection)))  # RH


def end():
    for loop in LOOPS:
        loop.cancel()
