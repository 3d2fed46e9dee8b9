import asyncio
import threading


class Job:
    async def work(self):
        raise NotImplementedError

    def run(self):
        loop = asyncio.get_event_loop()  # RH
        loop.run_until_complete(self.work())


class Vacuum(Job):
    async def work(self):
        await asyncio.sleep(1)


class Rollup(Job):
    async def work(self):
        await asyncio.sleep(2)


def clock(jobs, stop):
    while not stop.wait(60):
        for job in jobs:
            threading.Thread(target=job.run).start()


def main():
    clock([Vacuum(), Rollup()], threading.Event())
