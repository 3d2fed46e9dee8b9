import asyncio

LOOPS = set()


class Peer:
    def __init__(self, connection):
        self.connection = connection
        self.tasks = []
        self.by_name = {}
        self.group = set()

    async def _beat(self):
        while True:
            await self.connection.send(b"ping")


class Gathered(Peer):
    def start(self):
        self.tasks.append(asyncio.create_task(self._beat()))

    async def stop(self):
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


class Copied(Peer):
    def start(self):
        self.tasks.append(asyncio.create_task(self._beat()))

    async def stop(self):
        tasks = list(self.tasks)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


class Awaited(Peer):
    def start(self, name):
        self.by_name[name] = asyncio.create_task(self._beat())

    async def stop(self, name):
        task = self.by_name.pop(name)
        task.cancel()
        await task


class LetGo(Peer):
    """The collector comes to the task as soon as it is done, and the loop tells of its error."""

    def start(self):
        task = asyncio.create_task(self._beat())
        self.group.add(task)
        task.add_done_callback(self.group.discard)

    def stop(self):
        for task in self.group:
            task.cancel()


class LetsGo(Peer):
    def start(self, name):
        self.by_name[name] = asyncio.create_task(self._beat_for(name))

    async def _beat_for(self, name):
        try:
            while True:
                await self.connection.send(b"ping")
        finally:
            del self.by_name[name]

    def stop(self, name):
        self.by_name[name].cancel()


class Renamed(Peer):
    def start(self):
        self.job = asyncio.create_task(self._beat())

    async def stop(self):
        job, self.job = self.job, None
        job.cancel()
        await asyncio.wait([job])


class Tracked(Peer):
    def _track(self, work):
        task = asyncio.create_task(work)
        self.group.add(task)
        task.add_done_callback(print)

    async def start(self):
        self._track(self._beat())

    async def stop(self):
        self.group.pop().cancel()


async def poll(connection):
    while True:
        await connection.send(b"ping")


def begin(connection):
    task = asyncio.create_task(poll(connection))
    LOOPS.add(task)
    return task


def end():
    for loop in LOOPS:
        loop.cancel()
