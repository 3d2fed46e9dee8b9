"""A task that nobody holds: the event loop keeps only a weak reference, so the collector may take it half-way."""

import asyncio


class AuditLog:
    """Writes entries in the background so that requests need not wait."""

    def __init__(self) -> None:
        self.entries: list[str] = []

    async def _write(self, entry: str) -> None:
        await asyncio.sleep(0)
        self.entries.append(entry)

    async def record(self, entry: str) -> None:
        asyncio.create_task(self._write(entry))  # race: RH305


async def main() -> None:
    log = AuditLog()
    await log.record("login ada")
    print(log.entries)


if __name__ == "__main__":
    asyncio.run(main())
