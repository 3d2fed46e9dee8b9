"""A worker that asks for "the" event loop: in a thread of a pool there is none, or it is somebody else's."""

import asyncio
from concurrent.futures import ThreadPoolExecutor


async def look_up(host: str) -> str:
    await asyncio.sleep(0)
    return f"{host}: 192.0.2.1"


def resolve(host: str) -> str:
    loop = asyncio.get_event_loop()  # race: RH309
    return loop.run_until_complete(look_up(host))


def main() -> None:
    with ThreadPoolExecutor(max_workers=2) as pool:
        print(list(pool.map(resolve, ["a.example", "b.example"])))


if __name__ == "__main__":
    main()
