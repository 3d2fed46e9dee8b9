"""What a context variable holds belongs to the thread or the coroutine that set it."""

import asyncio
import contextvars

DEPTH = contextvars.ContextVar("DEPTH", default=0)


class Log:
    def __init__(self) -> None:
        self.depths: list[int] = []

    def _note(self) -> None:
        before = DEPTH.set(DEPTH.get() + 1)
        self.depths.append(DEPTH.get())
        DEPTH.reset(before)

    def note(self) -> None:
        contextvars.copy_context().run(self._note)

    async def note_later(self) -> None:
        DEPTH.set(DEPTH.get() + 1)
        await asyncio.sleep(0)
        self.depths.append(DEPTH.get())


setup = Log
WORKERS = [Log.note, Log.note_later, Log.note_later]


def invariant(log: Log) -> bool:
    return log.depths == [1, 1, 1]
