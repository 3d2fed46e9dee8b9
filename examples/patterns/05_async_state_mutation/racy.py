"""A coroutine that forgets whom it serves: while it waits, another one overwrites the attribute they share."""

import asyncio


class Mailer:
    """Sends one letter per call; many calls run at the same time."""

    def __init__(self) -> None:
        self.recipient = ""
        self.sent: list[str] = []

    async def send(self, recipient: str) -> None:
        self.recipient = recipient
        await asyncio.sleep(0)
        self.sent.append(f"letter to {self.recipient}")  # race: RH301


async def main() -> None:
    mailer = Mailer()
    await asyncio.gather(mailer.send("ada"), mailer.send("grace"))
    print(mailer.sent)


if __name__ == "__main__":
    asyncio.run(main())
