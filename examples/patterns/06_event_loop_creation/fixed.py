"""A worker that owns its event loop: made for the call, used in this thread alone, closed at the end."""

import asyncio
from concurrent.futures import ThreadPoolExecutor


async def look_up(host: str) -> str:
    await asyncio.sleep(0)
    return f"{host}: 192.0.2.1"


def resolve(host: str) -> str:
    with asyncio.Runner() as runner:
        return runner.run(look_up(host))


def main() -> None:
    with ThreadPoolExecutor(max_workers=2) as pool:
        print(list(pool.map(resolve, ["a.example", "b.example"])))


if __name__ == "__main__":
    main()
