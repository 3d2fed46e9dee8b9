"""What is asked of a task, or where it is put, leaves nobody holding it."""

import asyncio
import weakref


async def work(number):
    await asyncio.sleep(number)


class Mailer:
    def __init__(self, loop, told):
        self._loop = loop
        self._told = told
        self._running = weakref.WeakSet()

    def told_of_the_end(self):
        asyncio.create_task(work(1)).add_done_callback(self._told)  # RH

    def in_a_weak_set(self):
        self._running.add(self._loop.create_task(work(1)))  # RH

    def in_a_weak_set_by_name(self):
        task = self._loop.create_task(work(1))  # RH
        self._running.add(task)

    def when_another_is_done(self, future):
        future.add_done_callback(lambda _: asyncio.ensure_future(work(1)))  # RH

    def if_due(self, due):
        due and asyncio.ensure_future(work(1))  # RH
        self._loop.create_task(work(2)) if due else None  # RH
