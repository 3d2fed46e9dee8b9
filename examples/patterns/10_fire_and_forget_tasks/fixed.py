"""Tasks that somebody holds: kept until they are done, and waited for before the end."""

import asyncio


class AuditLog:
    """Writes entries in the background so that requests need not wait."""

    def __init__(self) -> None:
        self.entries: list[str] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def _write(self, entry: str) -> None:
        await asyncio.sleep(0)
        self.entries.append(entry)

    async def record(self, entry: str) -> None:
        task = asyncio.create_task(self._write(entry))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def drain(self) -> None:
        await asyncio.gather(*self._tasks)


async def main() -> None:
    log = AuditLog()
    await log.record("login ada")
    await log.drain()
    print(log.entries)


if __name__ == "__main__":
    asyncio.run(main())
