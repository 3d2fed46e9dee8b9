import asyncio
import locale
import os
import threading
from contextlib import chdir


class Job:
    def start(self):
        for _ in range(3):
            threading.Thread(target=self._run).start()

    def _run(self):
        self._prepare()

    def _prepare(self):
        os.environ["HOME"] = "elsewhere"  # RH
        os.environ.update(LANG="C")  # RH
        locale.setlocale(locale.LC_ALL, "C")  # RH


async def inside(directory):
    with chdir(directory):  # RH
        await asyncio.sleep(1)


async def main(directories):
    await asyncio.gather(*(inside(name) for name in directories))
