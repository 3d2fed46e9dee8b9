"""A coroutine that remembers whom it serves: what belongs to one call stays in its local variables."""

import asyncio


class Mailer:
    """Sends one letter per call; many calls run at the same time."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    async def send(self, recipient: str) -> None:
        await asyncio.sleep(0)
        self.sent.append(f"letter to {recipient}")


async def main() -> None:
    mailer = Mailer()
    await asyncio.gather(mailer.send("ada"), mailer.send("grace"))
    print(mailer.sent)


if __name__ == "__main__":
    asyncio.run(main())
