import asyncio
import weakref


async def work(number):
    await asyncio.sleep(number)


class Mailer:
    def __init__(self, loop, told, future):
        self._loop = loop
        self._told = told
        self._future = future
        self._running = set()
        self._names = weakref.WeakSet()

    def told_of_the_end_of_what_is_held(self):
        asyncio.ensure_future(self._future).add_done_callback(self._told)

    def in_a_set(self):
        self._running.add(self._loop.create_task(work(1)))

    def in_both(self):
        task = self._loop.create_task(work(1))
        self._running.add(task)
        self._names.add(task)

    def handed_to_the_caller(self, due):
        return due and asyncio.ensure_future(work(1))


class Exchange:
    """The step that a wrapper leaves the work to keeps the task."""

    def begin(self, coroutine):
        return self._begin(coroutine)

    def _begin(self, coroutine):
        self._task = asyncio.ensure_future(coroutine)

    def proceed(self):
        self.begin(work(1))
