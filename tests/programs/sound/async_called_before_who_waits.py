"""What a task has been given to call when it is done, it calls before those go on who wait for it."""

import asyncio


class Results:
    def __init__(self) -> None:
        self.running: set[asyncio.Task[str]] = set()
        self.found: dict[str, str] = {}

    async def _ask(self, name: str) -> str:
        await asyncio.sleep(0)
        return name.upper()

    def _keep(self, task: asyncio.Task[str]) -> None:
        self.running.discard(task)
        self.found[task.get_name()] = task.result()

    async def ask(self, name: str) -> str:
        task = asyncio.create_task(self._ask(name), name=name)
        self.running.add(task)
        task.add_done_callback(self._keep)
        if name == "a":
            await task
        else:
            await asyncio.gather(task)
        assert task not in self.running
        return self.found[name]


async def ask_first(results: Results) -> str:
    return await results.ask("a")


async def ask_second(results: Results) -> str:
    return await results.ask("b")


setup = Results
WORKERS = [ask_first, ask_second]


def invariant(results: Results) -> bool:
    return results.found == {"a": "A", "b": "B"} and not results.running
