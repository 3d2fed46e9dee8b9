"""A task that nobody awaits may or may not have run when its starter looks."""

import asyncio


class Audit:
    def __init__(self) -> None:
        self.entries: list[str] = []
        self.seen = 0

    async def _write(self) -> None:
        await asyncio.sleep(0)
        self.entries.append("entry")

    async def record(self) -> None:
        self.task = asyncio.create_task(self._write())
        await asyncio.sleep(0)
        self.seen = len(self.entries)


setup = Audit
WORKERS = [Audit.record]


def invariant(audit: Audit) -> bool:
    return audit.seen == 1
