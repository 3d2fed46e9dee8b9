"""A channel that closes under its user: the block ends while the task it started still wants to write."""

import asyncio
from types import TracebackType


class Channel:
    """A resource that is usable only inside its `async with` block."""

    def __init__(self) -> None:
        self.is_open = False
        self.lines: list[str] = []

    async def __aenter__(self) -> "Channel":
        self.is_open = True
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.sleep(0)  # the other side says goodbye
        self.is_open = False

    async def write(self, line: str) -> None:
        await asyncio.sleep(0)
        if not self.is_open:
            raise ConnectionError("the channel is closed")
        self.lines.append(line)


async def report(channel: Channel) -> "asyncio.Task[None]":
    async with channel:
        task = asyncio.create_task(channel.write("finished"))  # race: RH307
    return task


async def main() -> None:
    channel = Channel()
    task = await report(channel)
    await task
    print(channel.lines)


if __name__ == "__main__":
    asyncio.run(main())
